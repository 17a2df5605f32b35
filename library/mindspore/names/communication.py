"""Names of `mindspore.communication` that mycel has for import only."""

NAMES = """\
[mindspore.communication._comm_helper]
class CollectiveManager GroupOptions MSContext ParallelCommManager
function check_parameter_available hccl_load_lib set_cluster_exit_with_exception
from common._utils load_lib
value DEFAULT_BACKEND 'hccl'
value DEVICE_TO_BACKEND {'Ascend': 'hccl', 'GPU': 'nccl', 'CPU': 'mccl'}
value HCCL_LIB 'libhccl_plugin.so'
[mindspore.communication.comm_func]
class CommHandle CommHandle_ P2POp Tensor_
function all_gather_into_tensor all_reduce all_to_all_single_with_output_shape all_to_all_v_c
    all_to_all_with_output_shape batch_isend_irecv broadcast gather_into_tensor get_cache_group_rank
    get_cache_group_size irecv isend recv reduce_scatter_tensor send
object default_handle
from ops.auto_generate.gen_ops_prim dist_comm_all_to_all_v_c_op inner_comm_all_gather_op inner_comm_all_reduce_op
    inner_comm_all_to_all_v_op inner_comm_irecv_op inner_comm_isend_op inner_comm_reduce_scatter_op
[mindspore.communication.management]
class MSContext ms_ctx_param
function finalize_hccl init_cluster init_hccl
value DEFAULT_WORLD_COMM_GROUP 'hccl_world_group'
value DEVICE_TO_BACKEND {'Ascend': 'hccl', 'GPU': 'nccl', 'CPU': 'mccl'}
"""

"""Names of `mindspore.mint` that mycel has for import only."""

NAMES = """\
[mindspore.mint]
function jit_forbidden_register jit_view_unsupported
instance equal_ext_op squeeze_impl
object absolute_import
from ops.auto_generate.gen_ops_def batch_norm_elemt batch_norm_gather_stats_with_counts batch_norm_stats conv_tbc
    npu_gelu
[mindspore.mint.distributed]
object absolute_import
from mint.distributed.distributed TCPStore gather_object recv_object_list scatter_object_list send_object_list
[mindspore.mint.distributed._utils]
value MAX_VALID_PORT 65535
value MIN_VALID_PORT 1
[mindspore.mint.distributed.distributed]
class GroupOptions RestrictedUnpickler TCPStore TCPStoreClient Tensor_
function broadcast gather_object get_cache_group_rank get_cache_group_size get_global_rank get_world_size
    recv_object_list restricted_loads scatter_object_list send_object_list
object absolute_import
from ops.auto_generate.gen_ops_prim dist_comm_all_gather_into_tensor_op dist_comm_all_gather_into_tensor_uneven_op
    dist_comm_all_gather_op dist_comm_all_reduce_op dist_comm_all_to_all_v_op dist_comm_all_to_all_v_single_op
    dist_comm_barrier_op dist_comm_batch_isend_irecv_op dist_comm_broadcast_op dist_comm_gather_into_tensor_op
    dist_comm_gather_op dist_comm_irecv_op dist_comm_isend_op dist_comm_reduce_op dist_comm_reduce_scatter_op
    dist_comm_reduce_scatter_tensor_op dist_comm_reduce_scatter_tensor_uneven_op dist_comm_scatter_op
    dist_comm_scatter_tensor_op
value BACKEND_HCCL 'hccl'
value BACKEND_MCCL 'mccl'
value SAFE_PICKLE False
value TYPE_IRECV 1
value TYPE_ISEND 0
value safe_builtins {'slice', 'frozenset', 'set', 'range', 'complex'}
[mindspore.mint.linalg]
object absolute_import
[mindspore.mint.nn]
object absolute_import
from ops.auto_generate.gen_ops_prim upsample_bilinear2d_op upsample_nearest2d_op
[mindspore.mint.nn.functional]
object absolute_import
from ops.auto_generate.gen_ops_def inplace_elu inplace_silu
[mindspore.mint.nn.layer]
object absolute_import
from mint.nn.layer.activation LogSigmoid SiLU Threshold
from mint.nn.layer.normalization BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm SyncBatchNorm
from mint.nn.layer.pooling AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d
[mindspore.mint.nn.layer._functions]
cell SyncBatchNormInner
instance batch_norm_elemt_grad batch_norm_reduce_grad shape
primitive AllGather AllReduce
from communication.comm_func all_gather_into_tensor all_reduce
from ops.auto_generate.gen_ops_prim BatchNormElemtGrad BatchNormReduceGrad
from ops.operations.comm_ops check_collective_target_dtype
[mindspore.mint.nn.layer.activation]
cell ELU GLU LogSigmoid SiLU Sigmoid Tanh Threshold
object absolute_import division
[mindspore.mint.nn.layer.basic]
cell Flatten
object absolute_import division
[mindspore.mint.nn.layer.conv]
cell Conv1d Conv2d Conv3d ConvTranspose2d
function batchify cell_attr_register
instance conv1d_ext_op conv2d_ext_op conv3d_ext_op isconstant
object absolute_import
from _checkparam once_sequence triple_sequence twice_sequence
from ops.auto_generate.gen_ops_prim conv1d_padding_op conv2d_padding_op conv3d_padding_op
[mindspore.mint.nn.layer.normalization]
cell BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm SyncBatchNorm _BatchNorm
object absolute_import division
[mindspore.mint.nn.layer.padding]
cell ConstantPad1d ConstantPad2d ConstantPad3d ConstantPadNd_ ReflectionPad1d ReflectionPad2d ReflectionPad3d
    ReflectionPadNd_ ReplicationPad1d ReplicationPad2d ReplicationPad3d ReplicationPadNd_ ZeroPad1d ZeroPad2d ZeroPad3d
    ZeroPadNd_
object absolute_import
[mindspore.mint.nn.layer.pooling]
cell AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d MaxUnpool2d
object absolute_import division
[mindspore.mint.optim]
object absolute_import
from mint.optim.fused_adamw FusedAdamW
[mindspore.mint.optim.adam]
cell Adam
object absolute_import
[mindspore.mint.optim.adamw]
cell AdamW
object absolute_import
[mindspore.mint.optim.fused_adamw]
cell FusedAdamW
object absolute_import
[mindspore.mint.optim.sgd]
cell SGD
object absolute_import
[mindspore.mint.special]
object absolute_import
"""

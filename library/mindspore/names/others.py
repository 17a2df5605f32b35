"""Names of MindSpore's smaller packages that mycel has for import only."""

NAMES = """\
[mindspore._c_expression]
class Cell_ MixedPrecisionType ParamInfo
function _empty_instance get_sdc_detect_result run_backward sdc_detect_start sdc_detect_stop stress_detect swap_cache
[mindspore._c_expression.amp]
class AmpLevel
function create_amp_strategy pop_amp_strategy push_amp_strategy
[mindspore._c_expression.fork_utils]
[mindspore._c_expression.np_dtypes]
class bfloat16
[mindspore._c_expression.op_enum]
[mindspore._check_jit_forbidden_api]
function add_jit_forbidden_method add_jit_forbidden_module get_jit_forbidden_method get_jit_forbidden_module
    get_obj_module_and_name_info is_invalid_or_jit_forbidden_method is_jit_forbidden_module jit_forbidden_register
    mark_deprecated remove_jit_forbidden_method remove_jit_forbidden_module
[mindspore._checkparam]
class Tensor_
function check_and_canonicalize_axes check_astype_dtype check_axis_type check_axis_valid check_coo_tensor_dtype
    check_coo_tensor_input check_coo_tensor_shape check_csr_tensor_dtype check_csr_tensor_input check_csr_tensor_shape
    check_element_type_of_dict check_file_name_by_regular check_flatten_order check_hook_fn check_input_dataset
    check_input_format check_output_data check_pad_value_by_mode check_positive_float_sequence check_reduce_shape
    check_reshape_shp check_scalar_or_tensor_types_same check_size_and_element_type_of_tuple check_sparse_tensor_input
    check_str_and_none_by_regular check_swapaxes_axis check_transpose_axis check_type_support check_valid_input
    expanded_shape infer_out_shape max_ min_ once_sequence prepare_shape_for_squeeze triple_sequence tuple_slice
    twice_sequence
object absolute_import
[+1]
function can_constant_fold check_attr_is_property check_attrs check_event_record_wait check_is_subclass check_obj_bool
    convert_cell_list_to_sequence convert_class_to_function convert_to_ms_cootensor convert_to_ms_csrtensor
    convert_to_ms_tensor convert_to_mutable convert_to_namedtuple create_instance create_slice_obj eval_script
    expand_expr_statement generate_lambda_object generate_scope get_arg_spec_and_default_values get_args
    get_args_default_values get_ast_augassign_namespace_symbol get_ast_namespace_symbol get_ast_type
    get_attr_from_object get_bprop_method_of_class get_class_instance_type get_class_member_namespace_symbol
    get_const_abs get_const_len get_const_round get_dtype get_global_params get_method_info get_module_namespace
    get_ms_class_name get_node_type get_obj_defined_from_obj_type get_obj_from_sequence get_obj_id get_obj_type
    get_object_description get_object_key get_operation_namespace_symbol get_operation_symbol
    get_original_cell_construct get_parse_method_of_class get_scope_name get_script_id_attrs get_type hook_wrapper
    is_cell_list is_class_member_of_self is_class_member_recursive is_class_type is_from_third_party_library
    is_supported_create_instance_type mark_deprecated ms_isinstance parse_cb python_isinstance resolve_symbol
class Parser
object absolute_import
[mindspore._extends]
object absolute_import
[mindspore._extends.ast_checker]
class AstChecker
[mindspore._extends.builtin_operations]
function Depend DynamicBroadcastGradientArgs Load OnesLike ScalarAdd ScalarMod ScalarMul ScalarSub ScalarUsub
    StopGradient StridedSlice Switch TensorShape TupleGetItem UpdateState bool_and bool_not bool_or identity
    list_getitem list_len make_list mark_deprecated mixed_precision_cast scalar_cast scalar_eq scalar_gt scalar_le
    scalar_lt scalar_ne tuple_to_array typeof zeros_like_tensor
class CTensor
object absolute_import
[mindspore._extends.parse]
like +1
[mindspore._extends.parse.parser]
like +1
value AST_MAIN_TYPE_STMT 0
class ClassMemberNamespace ClosureNamespace ModuleNamespace Namespace
value RESOLVE_TYPE_METHOD 2
value AST_SUB_TYPE_AND 3
value RESOLVE_TYPE_NUMPY_FLOAT_NUMBER 7
value RESOLVE_TYPE_FUNCTION 1
value SYMBOL_UNDEFINE 255
value RESOLVE_TYPE_NUMPY_BOOL_NUMBER 8
value SYNTAX_HYBRID_TYPE 3
value AST_SUB_TYPE_OR 4
value AST_MAIN_TYPE_UNKNOWN 255
value SYNTAX_UNSUPPORTED_NAMESPACE 4
value RESOLVE_TYPE_LIST 10
function is_lambda_function
value AST_SUB_TYPE_ATTRIBUTE 10
value CLASS_INSTANCE_TYPE_PRIMITIVE 1
value RESOLVE_TYPE_NAMESPACE_INSTANCE 5
value RESOLVE_TYPE_CLASS_INSTANCE 4
value RESOLVE_TYPE_BUILTIN_METHOD 11
value AST_SUB_TYPE_STARRED 9
value CLASS_INSTANCE_TYPE_INVALID 255
value SYNTAX_SUPPORTED 0
value parse_expr_statement_white_list ('append', 'insert', 'clear', 'reverse', 'extend', 'update', 'register_hook')
value SYNTAX_UNSUPPORTED_INTERNAL_TYPE 1
value AST_SUB_TYPE_LIST 7
value AST_SUB_TYPE_NAME 5
value SYNTAX_UNSUPPORTED_EXTERNAL_TYPE 2
value CLASS_INSTANCE_TYPE_CELL 0
value RESOLVE_TYPE_EVENT 12
value RESOLVE_TYPE_INVALID 255
value AST_MAIN_TYPE_SLICE 2
value RESOLVE_TYPE_NONE 0
value CLASS_INSTANCE_TYPE_NUMPY_ARRAY 2
value AST_SUB_TYPE_UNKNOWN 255
value AST_MAIN_TYPE_EXPR 1
value AST_SUB_TYPE_DICT 11
value CLASS_INSTANCE_TYPE_TENSOR 3
value RESOLVE_TYPE_NUMPY_INT_NUMBER 6
value RESOLVE_TYPE_CLASS_TYPE 3
value RESOLVE_TYPE_TUPLE 9
value AST_SUB_TYPE_TUPLE 6
value AST_SUB_TYPE_SUBSCRIPT 8
object constant_fold_functions convert_class_to_function_map convert_object_map ops_symbol_map
    parse_augassign_object_map parse_object_map third_party_checker trope_ns
from graph.mutable mutable
from runtime.stream_limit StreamLimitCtx
from _extends.ast_checker AstChecker
[mindspore._extends.utils]
function cell_attr_register mark_deprecated
object absolute_import
[mindspore.amp]
class AscendEnvChecker JitExecutor_ MSContext
function _all_finite _grad_scale _grad_scale_map _grad_unscale _grad_unscale_map _overflow
object absolute_import
from graph.mutable mutable
from ops.operations.math_ops NPUClearFloatStatusV2 NPUGetFloatStatusV2
from ops.operations.nn_ops AllFinite
[mindspore.boost]
object absolute_import
from boost.adasum AdaSum
from boost.base OptimizerProcess ParameterProcess
from boost.dim_reduce DimReduce
from boost.grad_freeze FreezeOpt GradientFreeze freeze_cell
from boost.group_loss_scale_manager GroupLossScaleManager
from boost.less_batch_normalization LessBN
[mindspore.boost.adasum]
cell AdaSum
object absolute_import
[mindspore.boost.base]
class OptimizerProcess ParameterProcess
object absolute_import
from boost.less_batch_normalization CommonHeadLastFN
[mindspore.boost.boost]
object absolute_import
from boost.base OptimizerProcess ParameterProcess
from boost.grad_freeze GradientFreeze
from boost.less_batch_normalization LessBN
[mindspore.boost.boost_cell_wrapper]
class AscendEnvChecker MSContext
function tensor_grad_scale tensor_grad_scale_row_tensor
instance ascend_grad_overflow grad_overflow
object absolute_import
from boost.adasum AdaSum
from boost.dim_reduce DimReduce
from boost.grad_freeze FreezeOpt freeze_cell
from common.sparse_tensor RowTensorInner
from ops.operations.math_ops NPUClearFloatStatusV2 NPUGetFloatStatusV2
from ops.operations.nn_ops AllFinite
[mindspore.boost.dim_reduce]
cell DimReduce
object absolute_import
[mindspore.boost.grad_accumulation]
object absolute_import division
[mindspore.boost.grad_freeze]
cell FreezeOpt
class GradientFreeze
function freeze_cell
object absolute_import division
from boost.base ParameterProcess
value CONTINUOUS_STRATEGY 0
value INTERVAL_STRATEGY 1
[mindspore.boost.group_loss_scale_manager]
cell GroupLossScaleManager
object absolute_import division
[mindspore.boost.less_batch_normalization]
cell CommonHeadLastFN LessBN
object absolute_import
[mindspore.communication._comm_helper]
class CollectiveManager GroupOptions MSContext ParallelCommManager
function check_parameter_available hccl_load_lib set_cluster_exit_with_exception
from common._utils load_lib
value DEFAULT_BACKEND 'hccl'
value DEVICE_TO_BACKEND {'Ascend': 'hccl', 'GPU': 'nccl', 'CPU': 'mccl'}
value HCCL_LIB 'libhccl_plugin.so'
[mindspore.communication.comm_func]
class CommHandle_ P2POp Tensor_
function all_gather_into_tensor all_reduce all_to_all_single_with_output_shape all_to_all_v_c
    all_to_all_with_output_shape batch_isend_irecv get_cache_group_rank get_cache_group_size
object default_handle
from ops.auto_generate.gen_ops_prim dist_comm_all_to_all_v_c_op inner_comm_all_gather_op inner_comm_all_reduce_op
    inner_comm_all_to_all_v_op inner_comm_irecv_op inner_comm_isend_op inner_comm_reduce_scatter_op
[mindspore.communication.management]
class MSContext ms_ctx_param
function finalize_hccl init_cluster init_hccl
value DEFAULT_WORLD_COMM_GROUP 'hccl_world_group'
value DEVICE_TO_BACKEND {'Ascend': 'hccl', 'GPU': 'nccl', 'CPU': 'mccl'}
[mindspore.context]
class CollectiveManager MSContext ms_ctx_param
function get_jit_config
object K_CONTEXT absolute_import
value DEBUG 1
value RELEASE 0
[mindspore.default_config]
[mindspore.device_context.ascend]
value function_status {'op_compile': False, 'aoe_tune_mode': False, 'aoe_job_type': False, 'aclnn_cache': False}
[mindspore.device_context.ascend.device]
class MSContext
[mindspore.device_context.ascend.op_debug]
value function_status {'execute_timeout': False, 'debug_option': False}
[mindspore.device_context.ascend.op_precision]
object function_status
[mindspore.device_context.ascend.op_tuning]
value function_status {'op_compile': False, 'aoe_tune_mode': False, 'aoe_job_type': False, 'aclnn_cache': False}
[mindspore.device_context.cpu.device]
class MSContext
[mindspore.device_context.cpu.op_tuning]
class RuntimeConf
[mindspore.device_context.gpu]
value function_status {'conv_fprop_algo': False, 'conv_wgrad_algo': False, 'conv_dgrad_algo': False}
[mindspore.device_context.gpu.device]
class MSContext
[mindspore.device_context.gpu.op_precision]
value function_status {'matmul_allow_tf32': False, 'conv_allow_tf32': False}
[mindspore.device_context.gpu.op_tuning]
value function_status {'conv_fprop_algo': False, 'conv_wgrad_algo': False, 'conv_dgrad_algo': False}
[mindspore.device_manager]
class CollectiveManager DeviceContextManager DeviceInfo DeviceManagerConf MSContext
[mindspore.experimental]
object absolute_import
from experimental.map_parameter MapParameter
[mindspore.experimental.map_parameter]
class MapParameter MapTensor_ Tensor_
object absolute_import
[mindspore.experimental.optim]
object absolute_import
[mindspore.experimental.optim.adadelta]
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.adagrad]
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.adam]
instance adam_op
object absolute_import
[mindspore.experimental.optim.adamax]
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.adamw]
cell SpeedAdamW
function prepare_func
instance op_maximum op_mul op_pow op_sqrt
object absolute_import
[mindspore.experimental.optim.asgd]
instance op_assign op_assignadd op_cast op_maximum op_pow
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.nadam]
instance op_sqrt
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.optimizer]
function check_not_less_than check_not_less_than_without_equal
instance op_add op_gather op_mul
object absolute_import
[mindspore.experimental.optim.radam]
instance op_cast op_pow op_sqrt
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.rmsprop]
instance op_mul op_sqrt
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.rprop]
instance op_assign op_assignadd op_cast op_fill op_oneslike op_select op_sign
object absolute_import
from experimental.optim.optimizer check_not_less_than_without_equal
[mindspore.experimental.optim.sgd]
object absolute_import
[mindspore.graph]
from graph.custom_backend register_custom_backend
from graph.custom_infer clear_op_infer clear_op_wrapper register_op_infer register_op_wrapper
from graph.custom_pass CustomPassType register_custom_pass
[mindspore.graph.api]
class GraphExecutor_ JitExecutor_ PIJitCaptureContext PyNativeExecutor_
function _ms_memory_recycle dump_func_graph get_curr_amp_strategy init_exec_dataset init_pipeline
    jit_forbidden_register register_saved_tensors_hooks verify_inputs_signature
object absolute_import attr_op function_phases sys_path
from common._utils get_func
from graph.dynamic_shape.auto_dynamic_shape get_auto_dynamic_shape_args update_auto_dynamic_shape_phase
from graph.jit_context jit_context
value ARG_SPECIFIED 'arg_specified_infos'
value BROADCAST_PHASE '_broadcast_'
value ENABLE_DYNAMIC '__enable_dynamic__'
value TOTAL_ARG_LEN 'total_arg_length'
value entry_script_path ''
value entry_script_path_dir ''
[mindspore.graph.custom_backend]
function register_custom_backend
[mindspore.graph.custom_infer]
class OpInferRegistry OpWrapperRegistry
function clear_op_infer clear_op_wrapper register_op_infer register_op_wrapper
[mindspore.graph.custom_pass]
class CustomPassType
function register_custom_pass
[mindspore.graph.dynamic_shape]
[mindspore.graph.dynamic_shape._auto_dynamic]
function convert_inputs_to_dynamic convert_new_shapes is_auto_dynamic is_auto_dynamic_rank is_auto_dynamic_shape
[mindspore.graph.dynamic_shape.auto_dynamic_shape]
class GraphExecutor_ JitExecutor_ Tensor
function get_auto_dynamic_shape_args update_auto_dynamic_shape_phase
object auto_dynamic_shape_dict
value SHAPE_DIM_ANY -1
value SHAPE_RANK_ANY -2
[mindspore.graph.dynamic_shape.enable_dynamic]
function enable_dynamic
from common._utils get_func
value ENABLE_DYNAMIC '__enable_dynamic__'
value SHAPE_DIM_ANY -1
[mindspore.graph.jit_begin_end]
[mindspore.graph.jit_config]
class JitConfig
[mindspore.graph.jit_context]
class JitContext
function jit_context set_jit_context
[mindspore.graph.jit_trace]
class COOTensor CSRTensor JitExecutor_ Tensor TraceJitContext tr
function convert_tensorpy nested_run
from graph.jit_context JitContext jit_context set_jit_context
[mindspore.graph.lazy_inline]
function lazy_inline
object absolute_import
[mindspore.graph.mutable]
class Tensor_
function mutable
object absolute_import
[mindspore.graph.no_inline]
function no_inline
object absolute_import
[mindspore.graph.symbol]
class Symbol
[mindspore.hal._base]
class DeviceContextManager MSContext
[mindspore.hal._cpu]
[mindspore.hal.contiguous_tensors_handle]
class ContiguousTensorsHandle Tensor_
function combine_tensor_list combine_tensor_list_contiguous slice_by_padding_shape slice_by_tensor_index
[mindspore.hal.device]
class DeviceContextManager MSContext
object hal_instances
value CPU_AVAILABLE True
value target 'Ascend'
value valid_targets ['CPU', 'GPU', 'Ascend']
[mindspore.hal.event]
class Event_ Stream_
function current_stream_
value function_event_status {'Event': False, 'wait': False}
[mindspore.hal.memory]
class DeviceContextManager
function _is_initialized
object function_memory_status
[mindspore.hal.stream]
class Stream_
function communication_stream_ current_stream_ default_stream_ set_cur_stream_ synchronize_
object function_stream_status
[mindspore.log]
class _LogActionOnce
function get_log_config parse_vlog_level vlog_print
object GLOBAL_LOGGER
value BACKUP_COUNT '30'
value LOGGER_LEVEL '2'
value MAX_BYTES '52428800'
value STD_OFF '0'
value STD_ON '1'
value VLOG_INDEX ()
value VLOG_VALID False
"""

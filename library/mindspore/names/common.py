"""Names of `mindspore.common` that mycel has for import only."""

NAMES = """\
[mindspore.common]
function load_mindir save_mindir
object absolute_import
from common.device DeviceCtx
from common.dump set_dump
from common.file_system mindio_preload set_mindio_server_info
from common.sparse_tensor RowTensorInner
from common.storage UntypedStorage
from common.tensor swap_tensors
from graph.api register_saved_tensors_hooks
[mindspore.common._decorator]
object DEPRECATE_SET absolute_import
[mindspore.common._jit_fallback_utils]
function dict_inplace_setitem dict_setitem generate_list get_local_variable list_inplace_append list_inplace_clear
    list_inplace_extend list_inplace_insert list_inplace_pop list_inplace_reverse mark_deprecated set_local_variable
[mindspore.common._monad]
class IOMonad UMonad
function mark_deprecated
object IO U absolute_import
[mindspore.common._pijit_context]
class GraphExecutor_ PIJitCaptureContext
exception Unsupported
function PreJit jit_mode_pi_disable jit_mode_pi_enable mark_deprecated pi_jit_set_context
object SKIP_RULES
from graph.jit_config JitConfig
[mindspore.common._register_for_recompute]
class RecomputeRegistry
object absolute_import recompute_registry
[mindspore.common._register_for_tensor]
class Registry Tensor_
object absolute_import
[mindspore.common._tensor_cpp_method]
object tensor_cpp_methods
[mindspore.common._tensor_docs]
function add_docstr attach_docstr
[mindspore.common._utils]
function _jit_fallback_has_next_func _jit_fallback_len_func _jit_fallback_next_func _jit_fallback_raise_func
    _jit_fallback_set_attr get_func load_lib
[mindspore.common.api]
class GraphExecutor_ JitExecutor_ PIJitCaptureContext PyNativeExecutor_
function _ms_memory_recycle dump_func_graph get_curr_amp_strategy init_exec_dataset init_pipeline
    jit_forbidden_register mark_deprecated verify_inputs_signature
object absolute_import attr_op function_phases sys_path
from common._utils get_func
from graph.api register_saved_tensors_hooks
from graph.dynamic_shape.auto_dynamic_shape get_auto_dynamic_shape_args update_auto_dynamic_shape_phase
from graph.jit_context jit_context
value ARG_SPECIFIED 'arg_specified_infos'
value BROADCAST_PHASE '_broadcast_'
value ENABLE_DYNAMIC '__enable_dynamic__'
value TOTAL_ARG_LEN 'total_arg_length'
value entry_script_path ''
value entry_script_path_dir ''
[mindspore.common.device]
class DeviceCtx DeviceManagerConf MSContext _ThreadLocalStack
function _is_same_device
[mindspore.common.dtype]
class AnythingType CSRTensorType Dict Ellipsis_ EnvType FunctionType MsClassType NoneType RefType np_bfloat16
function _dtype_to_nptype _dtype_to_pytype _get_py_obj_dtype _issubclass_ _pytype_to_dtype np_dtype_valid
object absolute_import coo_tensor csr_tensor env_type function index_slices symbolic_key type_refkey type_type
    undetermined
[mindspore.common.dump]
function set_dump tools_set_dump
object absolute_import
[mindspore.common.dynamic_shape._auto_dynamic]
function mark_deprecated
from graph.dynamic_shape._auto_dynamic convert_inputs_to_dynamic convert_new_shapes is_auto_dynamic
    is_auto_dynamic_rank is_auto_dynamic_shape
[mindspore.common.dynamic_shape.auto_dynamic_shape]
class GraphExecutor_ JitExecutor_ Tensor
function mark_deprecated
object auto_dynamic_shape_dict
from graph.dynamic_shape.auto_dynamic_shape get_auto_dynamic_shape_args update_auto_dynamic_shape_phase
value SHAPE_DIM_ANY -1
value SHAPE_RANK_ANY -2
[mindspore.common.dynamic_shape.enable_dynamic]
function mark_deprecated
from common._utils get_func
value ENABLE_DYNAMIC '__enable_dynamic__'
value SHAPE_DIM_ANY -1
[mindspore.common.file_system]
class FileSystem
function _init_mindio _register_basic_file_system _register_mindio_file_system mindio_preload set_mindio_server_info
value mindio_server_info {'memfs.data_block_pool_capacity_in_gb': '100'}
[mindspore.common.generator]
function vm_impl_generator
object vm_impl_getters
value GET_STATE 2
value INITIAL_SEED 5
value MANUAL_SEED 4
value SEED 1
value SET_STATE 3
value STEP 0
[mindspore.common.hook_handle]
class HookHandle Tensor_ _HookUtils _TensorHookHandle
function _check_hook_results _hook_version _update_hook_version jit_forbidden_register
object absolute_import
[mindspore.common.initializer]
object absolute_import
[mindspore.common.jit_begin_end]
function mark_deprecated
[mindspore.common.jit_config]
function mark_deprecated
[mindspore.common.jit_context]
function mark_deprecated
from graph.jit_context JitContext jit_context set_jit_context
[mindspore.common.jit_trace]
class COOTensor CSRTensor JitExecutor_ Tensor tr
function mark_deprecated
from graph.jit_context JitContext jit_context set_jit_context
from graph.jit_trace TraceJitContext convert_tensorpy nested_run
[mindspore.common.lazy_inline]
class _CallableLazyInlineModule
function mark_deprecated
object absolute_import
[mindspore.common.mindir_util]
function load_mindir mark_deprecated save_mindir
object absolute_import
[mindspore.common.mutable]
class Tensor_
function mark_deprecated
object absolute_import
[mindspore.common.no_inline]
function mark_deprecated
object absolute_import
[mindspore.common.parameter]
class DeviceManagerConf Tensor_
function _gen_offload_file_path _generate_parameter_name _is_parameter_generated _offload_if_config init_to_value
    jit_forbidden_register
object absolute_import
from _c_expression ParamInfo
from common.tensor _TensorMeta
from log _LogActionOnce
value PARAMETER_NAME_DEFAULT 'Parameter'
value PARAMETER_NAME_PREFIX_MAX_LEN 1024
[mindspore.common.recompute]
cell _RecomputeCell _WrapCell
class _CreatePlaceholderHook _InputSaver _OutputSaver _PlaceHolder _RecomputationHook _RecomputeHandle
    _RecomputeSession
exception _StopRecomputationError
function _check_input_args_validate _check_validation _clear_recompute_session _detach_input _padding_input_grads
    _recompute_handle_collector_ctx _recompute_session_ctx _set_recompute_early_stop get_curr_amp_strategy
    null_context_fn recompute_generator recompute_without_reentrant
object recompute_registry
from train.amp AmpDecorator
[mindspore.common.seed]
function _get_graph_seed _get_op_seed _reset_op_seed _truncate_seed _update_seeds
object absolute_import
value DEFAULT_GRAPH_SEED 87654321
value keyConstant [3528531795, 2654435769, 3449720151, 3144134277]
[mindspore.common.sparse_tensor]
class COOTensor_ CSRTensor_ RowTensorInner RowTensor_ Tensor_
object absolute_import tensor_operator_registry
[mindspore.common.storage]
class UntypedStorage
[mindspore.common.symbol]
function mark_deprecated
[mindspore.common.tensor]
class TensorPy_ _TensorMeta
function _check_astype_and_convert _check_device _check_input_data_type _check_slot_layout _check_tensor_dynamic_shape
    _check_tensor_input _convert_numpy_array _ensure_no_weakrefs _exchange_optional_attr _init _set_default_dtype
    _set_dtype _set_symbolic_shape _tensor_slot_names _vm_compare is_reboot_node jit_forbidden_register swap_tensors
object np_types tensor_operator_registry
from _checkparam check_hook_fn
"""

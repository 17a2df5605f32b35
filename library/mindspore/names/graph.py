"""Names of `mindspore.graph` that mycel has for import only."""

NAMES = """\
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
value entry_script_path '/tmp/names/enum2.py'
value entry_script_path_dir '/tmp/names'
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
"""

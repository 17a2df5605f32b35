"""Names of `mindspore.device_context` that mycel has for import only."""

NAMES = """\
[mindspore.device_context]
[mindspore.device_context.ascend]
from _checkparam args_type_check
from device_context.ascend.device device_count is_available
from device_context.ascend.op_debug aclinit_config debug_option execute_timeout
from device_context.ascend.op_precision conv_allow_hf32 matmul_allow_hf32 op_precision_mode precision_mode
from device_context.ascend.op_tuning aclnn_cache aoe_job_type aoe_tune_mode op_compile
value function_status {'op_compile': False, 'aoe_tune_mode': False, 'aoe_job_type': False, 'aclnn_cache': False}
[mindspore.device_context.ascend.device]
class MSContext
function device_count is_available
[mindspore.device_context.ascend.op_debug]
function aclinit_config debug_option execute_timeout
from _checkparam args_type_check
value function_status {'execute_timeout': False, 'debug_option': False}
[mindspore.device_context.ascend.op_precision]
function conv_allow_hf32 matmul_allow_hf32 op_precision_mode precision_mode
object function_status
from _checkparam args_type_check
[mindspore.device_context.ascend.op_tuning]
function aclnn_cache aoe_job_type aoe_tune_mode op_compile
value function_status {'op_compile': False, 'aoe_tune_mode': False, 'aoe_job_type': False, 'aclnn_cache': False}
[mindspore.device_context.cpu]
from device_context.cpu.device device_count is_available
from device_context.cpu.op_tuning threads_num
[mindspore.device_context.cpu.device]
class MSContext
function device_count is_available
[mindspore.device_context.cpu.op_tuning]
class RuntimeConf
function threads_num
from _checkparam args_type_check
[mindspore.device_context.gpu]
from _checkparam args_type_check
from device_context.gpu.device device_count is_available
from device_context.gpu.op_precision conv_allow_tf32 matmul_allow_tf32
from device_context.gpu.op_tuning conv_dgrad_algo conv_fprop_algo conv_wgrad_algo
value function_status {'conv_fprop_algo': False, 'conv_wgrad_algo': False, 'conv_dgrad_algo': False}
[mindspore.device_context.gpu.device]
class MSContext
function device_count is_available
[mindspore.device_context.gpu.op_precision]
function conv_allow_tf32 matmul_allow_tf32
from _checkparam args_type_check
value function_status {'matmul_allow_tf32': False, 'conv_allow_tf32': False}
[mindspore.device_context.gpu.op_tuning]
function conv_dgrad_algo conv_fprop_algo conv_wgrad_algo
value function_status {'conv_fprop_algo': False, 'conv_wgrad_algo': False, 'conv_dgrad_algo': False}
"""

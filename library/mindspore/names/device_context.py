"""Names of `mindspore.device_context` that mycel has for import only."""

NAMES = """\
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
"""

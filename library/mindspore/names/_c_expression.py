"""Names of `mindspore._c_expression` that mycel has for import only."""

NAMES = """\
[mindspore._c_expression]
class Cell_ MixedPrecisionType ParamInfo
function _empty_instance _framework_profiler_step_end _framework_profiler_step_start _ms_memory_recycle
    disable_multi_thread get_sdc_detect_result is_reboot_node run_backward sdc_detect_start sdc_detect_stop
    stress_detect swap_cache update_pijit_default_config
[mindspore._c_expression.amp]
class AmpLevel
function create_amp_strategy pop_amp_strategy push_amp_strategy
[mindspore._c_expression.fork_utils]
[mindspore._c_expression.np_dtypes]
class bfloat16
[mindspore._c_expression.op_enum]
"""

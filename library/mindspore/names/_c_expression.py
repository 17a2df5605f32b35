"""Names of `mindspore._c_expression` that mycel has for import only."""

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
"""

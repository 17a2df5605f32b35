"""Names of `mindspore.tools` that mycel has for import only."""

NAMES = """\
[mindspore.tools]
function get_sdc_detect_result sdc_detect_start sdc_detect_stop set_dump stress_detect
object absolute_import
"""

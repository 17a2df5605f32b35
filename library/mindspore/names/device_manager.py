"""Names of `mindspore.device_manager` that mycel has for import only."""

NAMES = """\
[mindspore.device_manager]
class CollectiveManager DeviceContextManager DeviceInfo DeviceManagerConf MSContext
function get_current_device set_deterministic set_device
from _checkparam args_type_check
"""

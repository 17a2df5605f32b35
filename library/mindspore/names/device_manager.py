"""Names of `mindspore.device_manager` that mycel has for import only."""

NAMES = """\
[mindspore.device_manager]
class CollectiveManager DeviceContextManager DeviceInfo DeviceManagerConf MSContext
"""

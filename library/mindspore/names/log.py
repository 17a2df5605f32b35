"""Names of `mindspore.log` that mycel has for import only."""

NAMES = """\
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

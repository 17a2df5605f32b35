"""Names of `mindspore.context` that mycel has for import only."""

NAMES = """\
[mindspore.context]
class CollectiveManager MSContext ms_ctx_param
function get_jit_config get_ps_context reset_ps_context set_ps_context
object K_CONTEXT absolute_import
from _checkparam args_type_check
value DEBUG 1
value RELEASE 0
"""

"""Names of `mindspore.context` that mycel has for import only."""

NAMES = """\
[mindspore.context]
class CollectiveManager MSContext ms_ctx_param
function get_jit_config
object K_CONTEXT absolute_import
value DEBUG 1
value RELEASE 0
"""

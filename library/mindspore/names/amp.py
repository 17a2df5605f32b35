"""Names of `mindspore.amp` that mycel has for import only."""

NAMES = """\
[mindspore.amp]
class AscendEnvChecker JitExecutor_ MSContext
function _all_finite _grad_scale _grad_scale_map _grad_unscale _grad_unscale_map _overflow
object absolute_import
from graph.mutable mutable
from ops.operations.math_ops NPUClearFloatStatusV2 NPUGetFloatStatusV2
from ops.operations.nn_ops AllFinite
"""

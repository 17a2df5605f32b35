"""Names of `mindspore.onnx` that mycel has for import only."""

NAMES = """\
[mindspore.onnx]
object absolute_import
from onnx.onnx_export export
[mindspore.onnx.onnx_export]
function export
object absolute_import division
from _checkparam check_input_dataset
value PROTO_LIMIT_SIZE 2097152
"""

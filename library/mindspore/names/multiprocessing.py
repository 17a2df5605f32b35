"""Names of `mindspore.multiprocessing` that mycel has for import only."""

NAMES = """\
[mindspore.multiprocessing]
from multiprocessing.reductions init_reductions
[mindspore.multiprocessing.queue]
class IpcConnectionWrapper Queue
[mindspore.multiprocessing.reductions]
function init_reductions reduce_storage reduce_tensor restore_storage_fd restore_tensor restore_tensor_empty
from common.storage UntypedStorage
"""

"""Names of `mindspore.hal` that mycel has for import only."""

NAMES = """\
[mindspore.hal._base]
class DeviceContextManager MSContext
[mindspore.hal._cpu]
[mindspore.hal.contiguous_tensors_handle]
class ContiguousTensorsHandle Tensor_
function combine_tensor_list combine_tensor_list_contiguous slice_by_padding_shape slice_by_tensor_index
[mindspore.hal.device]
class DeviceContextManager MSContext
object hal_instances
value CPU_AVAILABLE True
value target 'Ascend'
value valid_targets ['CPU', 'GPU', 'Ascend']
[mindspore.hal.event]
class Event_ Stream_
function current_stream_
value function_event_status {'Event': False, 'wait': False}
[mindspore.hal.memory]
class DeviceContextManager
function _is_initialized
object function_memory_status
[mindspore.hal.stream]
class Stream_
function communication_stream_ current_stream_ default_stream_ set_cur_stream_ synchronize_
object function_stream_status
"""

"""Names of `mindspore.hal` that mycel has for import only."""

NAMES = """\
[mindspore.hal]
from hal.device get_arch_list get_device_capability get_device_properties
from hal.memory max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats memory_summary
    reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats
from hal.stream communication_stream
[mindspore.hal._base]
class DeviceContextManager MSContext
[mindspore.hal._cpu]
[mindspore.hal.contiguous_tensors_handle]
class ContiguousTensorsHandle Tensor_
function combine_tensor_list combine_tensor_list_contiguous slice_by_padding_shape slice_by_tensor_index
from common.dtype type_size_in_bytes
[mindspore.hal.device]
class DeviceContextManager MSContext
function get_arch_list get_device_capability get_device_properties
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
function _is_initialized max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats
    memory_summary reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats
object function_memory_status
[mindspore.hal.stream]
class Stream_
function communication_stream communication_stream_ current_stream_ default_stream_ set_cur_stream_ synchronize_
object function_stream_status
"""

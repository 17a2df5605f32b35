"""Names of `mindspore.runtime` that mycel has for import only."""

NAMES = """\
[mindspore.runtime]
from runtime.device_limit get_device_limit set_device_limit
from runtime.executor dispatch_threads_num set_kernel_launch_capture set_kernel_launch_group
from runtime.memory MemPool PluggableAllocator max_memory_allocated max_memory_reserved memory_allocated memory_replay
    memory_reserved memory_stats memory_summary reset_max_memory_allocated reset_max_memory_reserved
    reset_peak_memory_stats use_mem_pool
from runtime.stream communication_stream
from runtime.stream_limit StreamLimitCtx get_stream_limit reset_stream_limit set_stream_limit
[mindspore.runtime.device_limit]
function get_device_limit get_device_limit_ set_device_limit set_device_limit_
[mindspore.runtime.event]
class Event_ Stream_
function current_stream_
value function_event_status {'Event': False, 'wait': False}
[mindspore.runtime.executor]
class RuntimeConf
function dispatch_threads_num set_kernel_launch_capture set_kernel_launch_group
from _checkparam args_type_check
[mindspore.runtime.memory]
class DeviceContextManager DeviceManagerConf MemPool PluggableAllocator RuntimeConf
function max_memory_allocated max_memory_reserved memory_allocated memory_replay memory_reserved memory_stats
    memory_summary reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats use_mem_pool
from _checkparam args_type_check
[mindspore.runtime.stream]
class CtxBase Stream_
function communication_stream communication_stream_ current_stream_ default_stream_ set_cur_stream_ synchronize_
object function_stream_status
[mindspore.runtime.stream_limit]
class StreamLimitCtx
function get_stream_limit get_stream_limit_ reset_stream_limit reset_stream_limit_ set_stream_limit set_stream_limit_
from runtime.stream CtxBase
"""

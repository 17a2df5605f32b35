"""Names of `mindspore.runtime` that mycel has for import only."""

NAMES = """\
[mindspore.runtime]
from runtime.device_limit get_device_limit set_device_limit
from runtime.memory MemPool PluggableAllocator use_mem_pool
from runtime.stream_limit StreamLimitCtx get_stream_limit reset_stream_limit set_stream_limit
[mindspore.runtime.device_limit]
function get_device_limit get_device_limit_ set_device_limit set_device_limit_
[mindspore.runtime.event]
class Event_ Stream_
function current_stream_
value function_event_status {'Event': False, 'wait': False}
[mindspore.runtime.executor]
class RuntimeConf
[mindspore.runtime.memory]
class DeviceContextManager DeviceManagerConf MemPool PluggableAllocator RuntimeConf
function use_mem_pool
[mindspore.runtime.stream]
class CtxBase Stream_
function communication_stream_ current_stream_ default_stream_ set_cur_stream_ synchronize_
object function_stream_status
[mindspore.runtime.stream_limit]
class StreamLimitCtx
function get_stream_limit get_stream_limit_ reset_stream_limit reset_stream_limit_ set_stream_limit set_stream_limit_
from runtime.stream CtxBase
"""

# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.mindspore.device import device_count as device_count, is_available as is_available
from mycel.device_context import *
from mycel.library.mindspore.device import (
    Event as Event, Stream as Stream, StreamCtx as StreamCtx, communication_stream as communication_stream,
    current_stream as current_stream, device_count as device_count, dispatch_threads_num as dispatch_threads_num,
    empty_cache as empty_cache, get_arch_list as get_arch_list, get_current_device as get_current_device,
    get_device_capability as get_device_capability, get_device_name as get_device_name,
    get_device_properties as get_device_properties, is_available as is_available, is_initialized as is_initialized,
    memory_allocated as memory_allocated, memory_replay as memory_replay, memory_stats as memory_stats,
    memory_summary as memory_summary, reset_peak_memory_stats as reset_peak_memory_stats,
    set_cur_stream as set_cur_stream, set_kernel_launch_capture as set_kernel_launch_capture,
    set_kernel_launch_group as set_kernel_launch_group, synchronize as synchronize,
    current_stream as _default_stream, memory_allocated as _max_memory_allocated,
    memory_allocated as _max_memory_reserved, memory_allocated as _memory_reserved,
    reset_peak_memory_stats as _reset_max_memory_allocated, reset_peak_memory_stats as _reset_max_memory_reserved,
)
default_stream = _default_stream
max_memory_allocated = _max_memory_allocated
max_memory_reserved = _max_memory_reserved
memory_reserved = _memory_reserved
reset_max_memory_allocated = _reset_max_memory_allocated
reset_max_memory_reserved = _reset_max_memory_reserved
from typing import Any
def __getattr__(name: str) -> Any: ...

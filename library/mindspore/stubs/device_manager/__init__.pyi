# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.frontend.api.context import (
    JitConfig, get_context, set_context, set_deterministic, set_device, set_recursion_limit,
)
from mycel.library.mindspore.device import (
    Event, Stream, StreamCtx, communication_stream, current_stream, current_stream as default_stream, device_count,
    dispatch_threads_num, empty_cache, get_arch_list, get_current_device, get_device_capability, get_device_name,
    get_device_properties, is_available, is_initialized, memory_allocated as max_memory_allocated,
    memory_allocated as max_memory_reserved, memory_allocated, memory_allocated as memory_reserved, memory_replay,
    memory_stats, memory_summary, reset_peak_memory_stats as reset_max_memory_allocated,
    reset_peak_memory_stats as reset_max_memory_reserved, reset_peak_memory_stats, set_cur_stream,
    set_kernel_launch_capture, set_kernel_launch_group, synchronize,
)

__all__ = [
    "Event", "GRAPH_MODE", "JitConfig", "LAX", "PYNATIVE_MODE", "STRICT", "Stream", "StreamCtx", "communication_stream",
    "current_stream", "default_stream", "device_count", "dispatch_threads_num", "empty_cache", "get_arch_list",
    "get_context", "get_current_device", "get_device_capability", "get_device_name", "get_device_properties",
    "is_available", "is_initialized", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
    "memory_replay", "memory_reserved", "memory_stats", "memory_summary", "reset_max_memory_allocated",
    "reset_max_memory_reserved", "reset_peak_memory_stats", "set_context", "set_cur_stream", "set_deterministic",
    "set_device", "set_kernel_launch_capture", "set_kernel_launch_group", "set_recursion_limit", "synchronize",
]

GRAPH_MODE: int
LAX: int
PYNATIVE_MODE: int
STRICT: int

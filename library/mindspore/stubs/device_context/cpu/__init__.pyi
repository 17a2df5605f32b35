# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
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
from mycel.library.mindspore.device_context import threads_num as threads_num
default_stream = _default_stream
max_memory_allocated = _max_memory_allocated
max_memory_reserved = _max_memory_reserved
memory_reserved = _memory_reserved
reset_max_memory_allocated = _reset_max_memory_allocated
reset_max_memory_reserved = _reset_max_memory_reserved

def aclinit_config(*values: Any, **named: Any) -> None:
    """`aclinit_config` of Ascend or GPU devices: accepted, for there is none."""

def aclnn_cache(*values: Any, **named: Any) -> None:
    """`aclnn_cache` of Ascend or GPU devices: accepted, for there is none."""

def aoe_job_type(*values: Any, **named: Any) -> None:
    """`aoe_job_type` of Ascend or GPU devices: accepted, for there is none."""

def aoe_tune_mode(*values: Any, **named: Any) -> None:
    """`aoe_tune_mode` of Ascend or GPU devices: accepted, for there is none."""

def conv_allow_hf32(*values: Any, **named: Any) -> None:
    """`conv_allow_hf32` of Ascend or GPU devices: accepted, for there is none."""

def conv_allow_tf32(*values: Any, **named: Any) -> None:
    """`conv_allow_tf32` of Ascend or GPU devices: accepted, for there is none."""

def conv_dgrad_algo(*values: Any, **named: Any) -> None:
    """`conv_dgrad_algo` of Ascend or GPU devices: accepted, for there is none."""

def conv_fprop_algo(*values: Any, **named: Any) -> None:
    """`conv_fprop_algo` of Ascend or GPU devices: accepted, for there is none."""

def conv_wgrad_algo(*values: Any, **named: Any) -> None:
    """`conv_wgrad_algo` of Ascend or GPU devices: accepted, for there is none."""

def debug_option(*values: Any, **named: Any) -> None:
    """`debug_option` of Ascend or GPU devices: accepted, for there is none."""

def execute_timeout(*values: Any, **named: Any) -> None:
    """`execute_timeout` of Ascend or GPU devices: accepted, for there is none."""

def matmul_allow_hf32(*values: Any, **named: Any) -> None:
    """`matmul_allow_hf32` of Ascend or GPU devices: accepted, for there is none."""

def matmul_allow_tf32(*values: Any, **named: Any) -> None:
    """`matmul_allow_tf32` of Ascend or GPU devices: accepted, for there is none."""

def op_compile(*values: Any, **named: Any) -> None:
    """`op_compile` of Ascend or GPU devices: accepted, for there is none."""

def op_precision_mode(*values: Any, **named: Any) -> None:
    """`op_precision_mode` of Ascend or GPU devices: accepted, for there is none."""

def precision_mode(*values: Any, **named: Any) -> None:
    """`precision_mode` of Ascend or GPU devices: accepted, for there is none."""
from typing import Any
def __getattr__(name: str) -> Any: ...

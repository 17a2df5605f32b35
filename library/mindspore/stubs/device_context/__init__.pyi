# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.mindspore.device_context import (
    device_count as device_count, is_available as is_available, threads_num as threads_num,
)

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

"""Switches of MindSpore's compiler and runtime that programs set (`_c_expression`): accepted, without effect."""

from __future__ import annotations

from typing import Any

from ...frontend.api.context import get_context
from ...runtime import dtypes
from ..saving.checkpoint_files import has_bfloat16
from .kinds import qint4x2, string

__all__ = [
    "_framework_profiler_step_end", "_framework_profiler_step_start", "_ms_memory_recycle", "disable_multi_thread",
    "is_reboot_node", "np_dtype_valid", "tensor_to_ms_type", "tensor_to_np_type", "update_pijit_default_config",
]  # fmt: skip


def _framework_profiler_step_start() -> None:
    """A step begins: the profiler of MindSpore's runtime does not run."""


def _framework_profiler_step_end() -> None:
    """A step ends: the profiler of MindSpore's runtime does not run."""


def _ms_memory_recycle() -> None:
    """Give back memory: programs give back theirs when a call ends."""


def _get_mode() -> int:
    """The mode of the context: `GRAPH_MODE` or `PYNATIVE_MODE`."""
    mode: int = get_context("mode")
    return mode


def disable_multi_thread() -> None:
    """Accepted: MindSpore's runtime has threads of its own, which there are none of here."""


def update_pijit_default_config(**options: Any) -> None:
    """Accepted: options of MindSpore's compiler of bytecode."""


def is_reboot_node() -> bool:
    """Whether this process stands for one that has failed: no."""
    return False


tensor_to_ms_type: dict[str, Any] = {
    **{dtype.name: dtype for dtype in dtypes.ALL if not dtype.is_complex}, "str": string, "Int4": qint4x2,
}  # fmt: skip
"""Dtypes by the names that checkpoints have for them."""


def tensor_to_np_type(tensor_type_str: str) -> Any:
    """The NumPy type of a dtype by its name in checkpoints; `str` for text.

    Raises:
        KeyError: if there is none.
    """
    if tensor_type_str == "str":
        return "U"
    dtype = tensor_to_ms_type[tensor_type_str]
    if dtype is dtypes.bfloat16:
        dtypes.require_bfloat16()
    return dtype.np.type


def np_dtype_valid(show_warning: bool = True) -> bool:
    """Whether NumPy has a type for BFloat16: the package ml_dtypes has it."""
    return has_bfloat16()


def __getattr__(name: str) -> Any:
    """`bfloat16`: NumPy's type for it, from the package ml_dtypes."""
    if name == "bfloat16":
        dtypes.require_bfloat16()
        return dtypes.bfloat16.np.type
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

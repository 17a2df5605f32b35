"""Settings of devices (`mindspore.device_context`); those of absent devices are accepted."""

from __future__ import annotations

from typing import Any

_ACCEPTED = [
    "aclinit_config", "aclnn_cache", "aoe_job_type", "aoe_tune_mode", "conv_allow_hf32", "conv_allow_tf32",
    "conv_dgrad_algo", "conv_fprop_algo", "conv_wgrad_algo", "debug_option", "execute_timeout", "matmul_allow_hf32",
    "matmul_allow_tf32", "op_compile", "op_precision_mode", "precision_mode",
]  # fmt: skip
__all__ = [*_ACCEPTED, "is_available", "threads_num"]


def _accept(name: str) -> Any:
    def setting(*values: Any, **named: Any) -> None:
        return None

    setting.__name__ = setting.__qualname__ = name
    setting.__doc__ = f"`{name}` of Ascend or GPU devices: accepted, for there is none."
    return setting


globals().update({name: _accept(name) for name in _ACCEPTED})


def threads_num(num: int) -> None:
    """Accepted: the number of threads of the CPU's operations is that of its cores.

    Raises:
        ValueError: for a number that is not positive.
    """
    if isinstance(num, bool) or not isinstance(num, int) or num < 1:
        raise ValueError(f"'threads_num' should be a positive int, but got {num!r}")


def is_available() -> bool:
    """Whether the device is there: no Ascend or GPU device is."""
    return False


def device_count() -> int:
    """The number of devices.

    Raises:
        RuntimeError: for there is no Ascend or GPU device.
    """
    raise RuntimeError("Device_target GPU and Ascend not exist: there is the CPU only")

"""Wrong arguments in place of arrays, and scripts in processes of their own, which must not crash."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import numpy as np


def child(script: str, *arguments: str, timeout: float = 120) -> str:
    """The output of a script in a process of its own, which must not crash."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *arguments],
        capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr[-3000:]}"
    return done.stdout + done.stderr


def wrong_for(array: np.ndarray, written: bool) -> dict[str, Any]:
    """Wrong arguments in place of an array."""
    shape, dtype = array.shape, array.dtype
    other = np.zeros(shape, np.float64 if dtype == np.float32 else np.float32)
    unaligned = np.zeros(array.nbytes + 1, np.uint8)[1:].view(dtype).reshape(shape)
    locked = array.copy()
    locked.flags.writeable = False
    found = {
        "no array": list(array),
        "None": None,
        "an int": 5,
        "a number of NumPy": dtype.type(0),
        "a subclass": array.view(np.memmap),
        "too small": np.zeros((*shape[:-1], shape[-1] - 1), dtype),
        "too large": np.zeros((*shape[:-1], shape[-1] + 1), dtype),
        "empty": np.zeros((0, *shape[1:]), dtype),
        "one axis more": np.zeros((1, *shape), dtype),
        "one axis less": np.zeros(array.size, dtype) if array.ndim > 1 else np.zeros((), dtype),
        "another dtype": other,
        "another width": np.zeros(shape, np.int16),
        "objects": np.zeros(shape, object),
        "metadata": np.zeros(shape, np.dtype(dtype, metadata={"a": 1})),
        "with gaps": np.zeros((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2],
    }
    if dtype.kind != "b":
        found["bytes turned around"] = np.zeros(shape, dtype.newbyteorder())
        found["unaligned"] = unaligned
    if array.ndim > 1:
        found["transposed"] = np.zeros(shape[::-1], dtype).T
    if written:
        found["read-only"] = locked
    if array.size == 1 or (array.ndim == 2 and 1 in shape):
        del found["with gaps"]
        found.pop("transposed", None)
    return found

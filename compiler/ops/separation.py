"""Arguments that share no memory with the parameters that a program writes to."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime.arena import aligned_copy
from ..ir.op import Op, Sample
from ..ir.types import TensorType
from .samples import pair


def _infer(x: TensorType, *written: TensorType) -> TensorType:
    return x


def _kernel(x: np.ndarray, *written: np.ndarray) -> np.ndarray:
    # Kernels take arrays without gaps. They would copy another one themselves, in the middle of the updates.
    if x.flags.c_contiguous and x.flags.aligned and not any(np.may_share_memory(x, array) for array in written):
        return x
    return aligned_copy(x)


def _vjp(x: Any, *values: Any) -> tuple[Any, ...]:
    *written, _, dout = values
    return (dout, *[None for _ in written])


apart: Op = Op(
    "apart",
    infer=_infer,
    kernel=_kernel,
    vjp=_vjp,
    separate=True,
    internal=True,
    samples=lambda: [Sample(pair((2, 3), (4,), ())), Sample(pair((3,)))],
    doc="x itself, or a copy where it may share memory with one of the other tensors.",
)

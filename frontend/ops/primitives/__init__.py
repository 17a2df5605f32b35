"""MindSpore's primitives, the operations as objects such as `ops.Concat(axis)`, made from tables."""

from __future__ import annotations

from typing import Any

from . import (
    arrays,
    draws,
    elementwise,
    extended,
    gradients,
    host,
    layers,
    more,
    pictures,
    recurrent,
    segments,
    sequences,
    sparse,
    training,
    updates,
)
from .custom import Custom, TensorDump
from .primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    prim_arg_register,
    prim_attr_register,
)

MODULES = (
    elementwise,
    arrays,
    layers,
    more,
    recurrent,
    sequences,
    training,
    gradients,
    updates,
    segments,
    host,
    pictures,
    extended,
    draws,
    sparse,
)
CLASSES: dict[str, type[Primitive]] = {name: kind for module in MODULES for name, kind in module.CLASSES.items()}
globals().update(CLASSES)
ReduceOp = training.ReduceOp
__all__ = [
    *CLASSES,
    "Custom",
    "Primitive",
    "PrimitiveWithCheck",
    "PrimitiveWithInfer",
    "ReduceOp",
    "TensorDump",
    "prim_arg_register",
    "prim_attr_register",
]

# MindSpore's functions that are instances of primitives.
_MADE: dict[str, Any] = CLASSES
reshape_, shape_, tensor_slice = (_MADE[name]() for name in ("Reshape", "Shape", "Slice"))
__all__ += ["reshape_", "shape_", "tensor_slice"]

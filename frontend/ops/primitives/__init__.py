"""MindSpore's primitives, the operations as objects such as `ops.Concat(axis)`, made from tables."""

from __future__ import annotations

from . import arrays, elementwise, layers, training
from .primitive import (
    Primitive,
    PrimitiveWithCheck,
    PrimitiveWithInfer,
    make_classes,
    prim_arg_register,
    prim_attr_register,
)

MODULES = (elementwise, arrays, layers, training)
CLASSES: dict[str, type[Primitive]] = {name: kind for module in MODULES for name, kind in module.CLASSES.items()}
globals().update(CLASSES)
ReduceOp = training.ReduceOp
__all__ = [
    *CLASSES,
    "Primitive",
    "PrimitiveWithCheck",
    "PrimitiveWithInfer",
    "ReduceOp",
    "make_classes",
    "prim_arg_register",
    "prim_attr_register",
]
__all__.remove("make_classes")

# MindSpore's functions that are instances of primitives.
reshape_ = CLASSES["Reshape"]()
shape_ = CLASSES["Shape"]()
tensor_slice = CLASSES["Slice"]()

"""Primitives on Python's numbers, tuples and lists (`mindspore.ops.operations._sequence_ops`, `_scalar_ops`)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from ....frontend.values.tensor import Tensor, tensor
from ....frontend.values.tree import children
from ...functions.creation import zeros_like
from .primitive import Row, function_named as f, make_classes


def _of(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the inputs alone."""
    return lambda self, *inputs: function(*inputs)


def _zeros(value: Any) -> Any:
    parts = children(value)
    if parts is None:
        return zeros_like(value) if isinstance(value, Tensor) else type(value)(0)
    items, build = parts
    return build([_zeros(item) for item in items])


def _insert(target: list[Any], index: int, value: Any) -> list[Any]:
    return [*target[:index], value, *target[index:]]


def _replaced(target: Any, values: Any, start: int, stop: int, step: int) -> Any:
    items = list(target)
    items[start:stop:step] = values
    return type(target)(items)


def _sum(items: Any) -> Any:
    first, *rest = items
    for item in rest:
        first = first + item
    return first


def _position(target: Any, value: Any, start: int = 0, stop: int | None = None) -> Any:
    return target.index(value, start, len(target) if stop is None else stop)


_SEQUENCES: dict[str, Row] = {
    "InSequence": (_of(lambda item, items: item in items), {}),
    "ListAppend": (_of(lambda items, value: [*items, value]), {}),
    "ListInsert": (_of(_insert), {}),
    "ListToTensor": (_of(lambda items, dtype=None: tensor(items, dtype)), {}),
    "SequenceAdd": (_of(operator.add), {}),
    "SequenceAddN": (_of(_sum), {}),
    "SequenceCount": (_of(lambda items, value: items.count(value)), {}),
    "SequenceIndex": (_of(_position), {}),
    "SequenceMax": (_of(max), {}),
    "SequenceMin": (_of(min), {}),
    "SequenceMul": (_of(operator.mul), {}),
    "SequenceSlice": (_of(lambda items, start, stop, step: items[start:stop:step]), {}),
    "SequenceSliceSetItem": (_of(_replaced), {}),
    "SequenceStack": (lambda self, items: f("stack")(items, self.axis), {"axis": 0}),
    "SequenceUnstack": (lambda self, value: f("unstack")(value, self.axis), {"axis": 0}),
    "SequenceZerosLike": (_of(_zeros), {}),
    "TensorToList": (_of(lambda x: x.tolist()), {}),
    "TensorToScalar": (_of(lambda x: x.item()), {}),
    "TensorToTuple": (_of(lambda x: tuple(x.tolist())), {}),
    "TupleToTensor": (_of(lambda items, dtype=None: tensor(items, dtype)), {}),
}

_OPERATORS = ("Add", "Eq", "FloorDiv", "Ge", "Gt", "Le", "Lt", "Mod", "Mul", "Pow", "Sub")  # so in `operator`, too
_SCALARS: dict[str, Row] = {
    **{f"Scalar{name}": (_of(getattr(operator, name.lower())), {}) for name in _OPERATORS},
    "ScalarBool": (_of(bool), {}),
    "ScalarDiv": (_of(operator.truediv), {}),
    "ScalarLog": (_of(math.log), {}),
    "ScalarMax": (_of(max), {}),
    "ScalarMin": (_of(min), {}),
    "ScalarUadd": (_of(operator.pos), {}),
    "ScalarUsub": (_of(operator.neg), {}),
}

CLASSES = make_classes(_SEQUENCES | _SCALARS, globals())

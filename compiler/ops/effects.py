"""Ops with side effects and no outputs: print_, assert_, raise_, record. They are kept, and stay in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import effects as _effects  # a plain name would hide this module from the package
from ...runtime.effects import Part
from ..ir.attributes import TEMPLATE, TEXT
from ..ir.op import Infer, Op, Sample
from ..ir.types import TensorType
from .batching import row_by_row
from .infer import effect_op
from .samples import integers, pair

Template = tuple[Part, ...]


def _check_template(template: Template, operands: int) -> None:
    for part in template:
        position = part[0] if isinstance(part, tuple) else part
        if isinstance(position, int) and not 0 <= position < operands:
            raise ValueError(f"the text has a place for operand {position}, but there are {operands} operands")


def _infer_print(*operands: TensorType, template: Template) -> tuple[TensorType, ...]:
    _check_template(template, len(operands))
    return ()


def _infer_raise(*operands: TensorType, template: Template, exception: str) -> tuple[TensorType, ...]:
    _effects.exception_class(exception)
    return _infer_print(*operands, template=template)


def _infer_assert(
    condition: TensorType, *operands: TensorType, template: Template, exception: str
) -> tuple[TensorType, ...]:
    if not condition.dtype.is_bool or condition.shape != ():
        raise TypeError(f"assert: the condition should be bool[], but got {condition}")
    return _infer_raise(*operands, template=template, exception=exception)


def _kernel_print(*arrays: np.ndarray, template: Template) -> tuple[Any, ...]:
    _effects.show(template, arrays)
    return ()


def _kernel_assert(condition: np.ndarray, *arrays: np.ndarray, template: Template, exception: str) -> tuple[Any, ...]:
    if not condition:
        raise _effects.error(exception, template, arrays)
    return ()


def _kernel_raise(*arrays: np.ndarray, template: Template, exception: str) -> tuple[Any, ...]:
    raise _effects.error(exception, template, arrays)


def _infer_record(value: TensorType, *, kind: str, name: str) -> tuple[TensorType, ...]:
    return ()


def _kernel_record(array: np.ndarray, *, kind: str, name: str) -> tuple[Any, ...]:
    _effects.tell(kind, name, array)
    return ()


def _failing(name: str, infer: Infer, kernel: Callable[..., Any], **record: Any) -> Op:
    """An op that raises an exception with a text."""
    attrs = {"template": TEMPLATE, "exception": TEXT}
    return effect_op(name, infer, kernel, attrs=attrs, batch=row_by_row, **record)


print_ = effect_op(
    "print_",
    _infer_print,
    _kernel_print,
    attrs={"template": TEMPLATE},
    samples=lambda: [
        Sample((*pair((2, 3)), *integers(())), {"template": ("x is ", 0, " and ", (1, "", ">4"), "\n")}),
        Sample((), {"template": ("only text\n",)}),
    ],
    doc="Write a text to standard output: a template of pieces, in which numbers stand for operands.",
)
assert_ = _failing(
    "assert_",
    _infer_assert,
    _kernel_assert,
    samples=lambda: [
        Sample((np.array(True), *pair((2,))), {"template": ("x is ", 0), "exception": "AssertionError"}),
        Sample((np.array(True),), {"template": (), "exception": "AssertionError"}),
    ],
    doc="Raise an error with this text unless the condition holds.",
)
raise_ = _failing(
    "raise_",
    _infer_raise,
    _kernel_raise,
    samples=lambda: [Sample(pair((2,)), {"template": ("x is ", 0), "exception": "ValueError"})],
    doc="Raise an error with this text.",
)
record = effect_op(
    "record",
    _infer_record,
    _kernel_record,
    attrs={"kind": TEXT, "name": TEXT},
    batch=row_by_row,
    samples=lambda: [Sample(pair((2,))[:1], {"kind": "scalar", "name": "loss"})],
    doc="Tell whoever listens (a SummaryRecord) of a value: what it is for, its name and its numbers.",
)

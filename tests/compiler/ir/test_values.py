"""Literals: one object for each number and type."""

from __future__ import annotations

import copy
import math
from weakref import ref

import pytest

from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Literal, literal
from mycel.runtime import dtypes

F32 = TensorType(dtypes.float32, ())


def test_equal_literals_are_one_object() -> None:
    assert literal(2.5, dtypes.float32) is Literal(2.5, TensorType(dtypes.float32, ()))
    assert literal(math.nan, dtypes.float32) is literal(float("nan"), dtypes.float32)
    made = literal(2.5, dtypes.float32)
    assert copy.copy(made) is made


def test_different_literals_are_different() -> None:
    numbers = [
        literal(0.0, dtypes.float32), literal(-0.0, dtypes.float32), literal(0.0, dtypes.float64),
        literal(0, dtypes.int32), literal(0, dtypes.bool_), literal(1, dtypes.int32), literal(1, dtypes.bool_),
    ]  # fmt: skip
    assert len(set(numbers)) == len(numbers)
    assert [number.value for number in numbers] == [0.0, -0.0, 0.0, 0, False, 1, True]
    assert math.copysign(1, numbers[1].value.real) == -1


def test_a_literal_that_nothing_holds_is_forgotten() -> None:
    held = ref(literal(123.25, dtypes.float32))
    assert held() is None
    assert literal(123.25, dtypes.float32).value == 123.25


def test_a_literal_does_not_change() -> None:
    with pytest.raises(AttributeError, match="cannot assign"):
        Literal(1.0, F32).value = 2.0
    assert repr(Literal(1.0, F32)) == f"Literal(value=1.0, type={F32!r})"

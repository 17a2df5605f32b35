"""Dtypes of results for tensors and numbers of all kinds, eager and compiled, against MindSpore."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import cases, compiled, differs, eagerly

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime import dtypes


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("dtypes"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("dtypes"))
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


ALL = [ms.int8, ms.int16, ms.int32, ms.int64, ms.uint8, ms.float16, ms.float32, ms.float64, ms.bool_]


def test_bits_are_those_of_the_arrays():
    known = [getattr(dtypes, name) for name in vars(dtypes) if isinstance(getattr(dtypes, name), dtypes.DType)]
    assert len(set(known)) >= 15
    for dtype in known:
        assert dtype is ms.bfloat16 or dtype.bits == 8 * dtype.np.itemsize  # its array type may not be there
        assert dtype.bits == int("".join(filter(str.isdigit, dtype.name)) or 8)


@pytest.mark.parametrize("a", ALL, ids=str)
@pytest.mark.parametrize("b", ALL, ids=str)
def test_operations_agree_on_the_common_dtype(a, b):
    x, y = Tensor([1, 1]).astype(a), Tensor([1, 1]).astype(b)
    common = ops.maximum(x, y).dtype if not a.is_bool or not b.is_bool else ms.bool_
    assert ops.where(Tensor([True, False]), x, y).dtype is common
    if not common.is_bool:
        assert (x + y).dtype is common
        assert (y - x).dtype is common
        assert (x * y).dtype is common
        assert (x / y).dtype is (common if common.is_float else ms.float32)
    assert (x < y).dtype is ms.bool_


@pytest.mark.parametrize("unsigned", [ms.uint16, ms.uint32, ms.uint64], ids=str)
def test_wide_unsigned_integers_meet_only_themselves(unsigned):
    x = Tensor([1, 2]).astype(unsigned)
    assert (x + x).dtype is unsigned
    with pytest.raises(TypeError, match="no implicit conversion between"):
        x + Tensor([1, 2], ms.int32)


def test_a_tensor_without_dimensions_takes_the_dtype_of_its_partner_in_products_and_quotients_only():
    half, single = Tensor([1.0], ms.float16), Tensor(2.0, ms.float32)
    assert (half * single).dtype is ms.float16
    assert (single / half).dtype is ms.float16
    assert (half + single).dtype is ms.float32
    assert (half - single).dtype is ms.float32
    assert (Tensor([1], ms.int32) * Tensor(2, ms.int64)).dtype is ms.int32
    assert (Tensor([1], ms.int32) * single).dtype is ms.float32
    assert (Tensor(2.0, ms.float16) * single).dtype is ms.float32


def test_numbers_of_the_run_count_as_python_numbers():
    @ms.jit
    def f(x, n, r):
        return x + n, x * r, n + 1, n / 2, r * 2, -n, n << 2, ~n, n > 2

    for dtype in (ms.float16, ms.int8):
        a, b, *numbers = f(Tensor([1, 2]).astype(dtype), ms.mutable(3), ms.mutable(0.5))
        assert a.dtype is dtype
        assert b.dtype is (dtype if dtype.is_float else ms.float32)
        assert numbers == [4, 1.5, 1.0, -3, 12, -4, True]
        assert [type(number) for number in numbers] == [int, float, float, int, int, int, bool]


@pytest.mark.parametrize("dtype", [ms.float32, "float32", np.float32, np.dtype("float32"), "Float32"])
def test_names_of_dtypes(dtype):
    assert Tensor([1]).astype(dtype).dtype is ms.float32
    assert Tensor([1], dtype).dtype is ms.float32
    with pytest.raises(TypeError, match="should be a mindspore dtype"):
        Tensor([1]).astype("float33")


def test_kinds_and_parts_of_dtypes():
    assert [dtype.is_signed for dtype in (ms.int8, ms.uint8, ms.bool_, ms.float16, ms.complex64)] == [1, 0, 0, 1, 1]
    assert [dtype.is_floating_point for dtype in (ms.bfloat16, ms.complex64, ms.int8)] == [1, 0, 0]
    assert [dtype.itemsize for dtype in (ms.bool_, ms.float16, ms.complex128)] == [1, 2, 16]
    assert [dtype.to_complex() for dtype in (ms.float32, ms.float64, ms.complex64)] == [
        ms.complex64, ms.complex128, ms.complex64
    ]  # fmt: skip
    assert [dtype.to_real() for dtype in (ms.complex64, ms.complex128, ms.int8)] == [ms.float32, ms.float64, ms.int8]
    with pytest.raises(TypeError, match="no complex dtype for Int32"):
        ms.int32.to_complex()

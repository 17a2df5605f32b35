"""Casts of numbers in machine code: the numbers of NumPy, and arrays that are refused."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.casts import compile_cast, has_cast
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

WIDTHS = pytest.mark.parametrize(("source", "target"), [("int32", "int64"), ("int64", "int32")])


@WIDTHS
@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 5), (2, 1, 4)])
def test_numbers(source: str, target: str, shape: tuple[int, ...]) -> None:
    limits = np.iinfo(source)
    x = np.random.default_rng(0).integers(limits.min, limits.max, shape, source, endpoint=True)
    out = np.empty(shape, target)
    assert compile_cast(source, target, len(shape))(np.asarray(x), out) is True
    np.testing.assert_array_equal(out, np.asarray(x).astype(target))


FLOATS, INTEGERS = ("float32", "float64"), ("int32", "int64")


@pytest.mark.parametrize("floats", FLOATS)
@pytest.mark.parametrize("integers", INTEGERS)
def test_integers_and_floats(floats: str, integers: str) -> None:
    limits, random = np.iinfo(integers), np.random.default_rng(1)
    x = np.append(random.integers(limits.min, limits.max, 50, integers), [limits.min, limits.max, 0, -1]).astype(
        integers
    )
    out = np.empty(x.shape, floats)
    assert compile_cast(integers, floats, 1)(x, out)
    np.testing.assert_array_equal(out, x.astype(floats))
    y = np.append(random.normal(0, 1e6, 50), [-0.0, 0.5, -0.5, 2.9999, np.nan, np.inf, -np.inf, 1e30, -1e30]).astype(
        floats
    )
    back = np.empty(y.shape, integers)
    assert compile_cast(floats, integers, 1)(y, back)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(back, y.astype(integers))


@pytest.mark.parametrize(("source", "target"), [FLOATS, FLOATS[::-1]])
def test_floats(source: str, target: str) -> None:
    special = [-0.0, np.nan, np.inf, -np.inf, np.finfo(source).max, np.finfo(source).tiny, np.finfo(source).tiny / 8]
    x = np.append(np.random.default_rng(2).normal(0, 1e6, 50), special).astype(source)
    out = np.empty(x.shape, target)
    assert compile_cast(source, target, 1)(x, out)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(out, x.astype(target))
    np.testing.assert_array_equal(np.signbit(out), np.signbit(x))


def test_which_casts_there_are() -> None:
    dtypes = (*FLOATS, *INTEGERS, "bool", "int8", "float16", "uint32")
    found = {(source, target) for source in dtypes for target in dtypes if has_cast(source, target)}
    assert found == {(a, b) for a in (*FLOATS, *INTEGERS) for b in (*FLOATS, *INTEGERS) if a != b}


@WIDTHS
def test_other_arrays_are_refused_and_nothing_is_written(source: str, target: str) -> None:
    function = compile_cast(source, target, 1)
    x, out = np.ones(6, source), np.zeros(6, target)
    closed = out.copy()
    closed.flags.writeable = False
    for given in (
        (), (x,), (x, out, out), (x, out[:5]), (x.reshape(2, 3), out), (x, out.reshape(2, 3)), (out, x), (x, closed),
        (np.ones(12, source)[::2], out), (x, np.zeros(12, target)[::2]), (x.astype("float32"), out), (x[:0], out[:0]),
        (list(x), out),
    ):  # fmt: skip
        assert function(*given) is False
    assert not out.any()


def test_loops_cast_positions_without_python() -> None:
    def function(x: Tensor, i: Tensor) -> tuple[Tensor, Tensor]:
        total = ops.zeros(8, ms.int64)
        for step in range(40):
            total = total + x[i].astype(ms.int64) * (step + 1)
            i = (total.sum() % 8).astype(ms.int32)
        return total, i

    x, i = Tensor(np.arange(64).reshape(8, 8).astype(np.int32)), Tensor(3, ms.int32)
    compiled = ms.jit(function)
    for found, wanted in zip(compiled(x, i), function(x, i), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())
    assert "compile_cast" in compiled.stages(x, i).program

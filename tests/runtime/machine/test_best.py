"""The best elements of rows by machine code: the order of NumPy's stable sort, for all kinds of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.dtypes import int32
from mycel.runtime.kernels import order
from mycel.runtime.machine.array_functions import compile_best
from mycel.runtime.machine.best_code import BestCode, RankCode
from mycel.runtime.machine.executable import make_function, unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def numbers(random: np.random.Generator, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of which many are equal, and the extremes of their dtype; some rows are in order."""
    if kind == "i":
        x = random.integers(-9, 9, shape).astype(np.int32)
        x[random.random(shape) < 0.1] = random.choice([-(2**31), 2**31 - 1])
    else:
        x = np.round(random.standard_normal(shape) * 4).astype(np.float32) / 2
        for special in (np.nan, -np.float32(np.nan), np.inf, -np.inf, -0.0):
            x[random.random(shape) < 0.06] = special
    return np.sort(x, 1) if random.random() < 0.2 else x


def expected(x: np.ndarray, count: int, largest: bool) -> np.ndarray:
    """The positions of the best, the first of equal ones first."""
    if largest:
        return x.shape[1] - 1 - np.argsort(x[:, ::-1], 1, kind="stable")[:, ::-1][:, :count]
    return np.argsort(x, 1, kind="stable")[:, :count]


@pytest.mark.parametrize("made", [BestCode, RankCode])
@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("kind", ["f", "i"])
@pytest.mark.parametrize("positions", ["i", "l"])
def test_rows(made: type[BestCode], largest: bool, kind: str, positions: str) -> None:
    """Rows of all lengths below some vectors, and long ones, which are looked through in steps."""
    random = np.random.default_rng(0)
    lengths = list(range(1, 50, 3)) if made is RankCode else [1, 2, 7, 8, 9, 23, 64, 100, 520, 700, 2000]
    for length in lengths:
        for count in {1, length // 2 + 1, min(length, 128), max(1, min(length, 40) - 5)}:
            function = make_function(made(kind, positions, length, count, largest).assemble(), "best", "")
            x = numbers(random, kind, (3, length))
            values, places = np.empty((3, count), kind), np.empty((3, count), positions)
            assert function(x, values, places)
            found = expected(x, count, largest)
            np.testing.assert_array_equal(places, found)
            taken = np.take_along_axis(x, found, 1)
            np.testing.assert_array_equal(values.view(np.int32), taken.view(np.int32))  # -0.0 stays, and so do nan


def test_other_arrays_are_refused() -> None:
    """Nothing is written where a shape, a dtype, or the layout is another one."""
    function = compile_best("f", "l", 20, 3, True)
    x, values, places = np.ones((4, 20), "f"), np.zeros((4, 3), "f"), np.zeros((4, 3), "l")
    fixed = np.zeros((4, 3), "f")
    fixed.flags.writeable = False
    for arguments in (
        (x[:, ::-1], values, places), (x[:3], values, places), (x.astype("d"), values, places),
        (x, values[:, :2], places), (x, values, places.astype("i")), (x, fixed, places),
        (x.T, values, places), (x, values), (x[:0], values[:0], places[:0]),
    ):  # fmt: skip
        assert not function(*arguments)
    assert not values.any()
    assert not places.any()
    assert function(x, values, places)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "uint32"])
def test_axes_and_dtypes(axis: int, dtype: str) -> None:
    """Machine code or NumPy, the result is the same one."""
    random = np.random.default_rng(axis)
    for shape in ((5, 6, 7), (3, 200, 4), (2, 3, 300)):
        x = random.integers(0, 50, shape).astype(dtype)
        for count in (1, 2):
            found = ops.topk(Tensor(x), count, axis)
            moved = np.moveaxis(x, axis, -1).reshape(-1, shape[axis])
            places = expected(moved, count, True).reshape(*np.moveaxis(x, axis, -1).shape[:-1], count)
            places = np.moveaxis(places, -1, axis)
            np.testing.assert_array_equal(found[1].asnumpy(), places)
            np.testing.assert_array_equal(found[0].asnumpy(), np.take_along_axis(x, places, axis))
        positions = order.argsort(x, axis, False, int32.np)
        assert positions.dtype == np.int32
        np.testing.assert_array_equal(positions, np.argsort(x, axis, kind="stable"))


def test_programs() -> None:
    """`topk`, `sort` and `argsort` of compiled functions, with a gradient."""
    x = np.random.default_rng(0).standard_normal((6, 40)).astype(np.float32)

    def loss(x: Tensor) -> Tensor:
        values, places = ops.topk(x, 5)
        return (values * (1 + places)).sum()

    gradient = ms.grad(loss)(Tensor(x)).asnumpy()
    places = expected(x, 5, True)
    wanted = np.zeros_like(x)
    np.put_along_axis(wanted, places, 1 + places.astype(np.float32), 1)
    np.testing.assert_array_equal(gradient, wanted)
    np.testing.assert_array_equal(ms.jit(lambda x: ops.argsort(x, 1))(Tensor(x)).asnumpy(), np.argsort(x, 1))


@pytest.mark.parametrize("shape", [(300,), (3, 300), (2, 5, 40)])
@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
def test_programs_call_it_directly(shape: tuple[int, ...], dtype: str) -> None:
    """So may loops. Other dtypes are left to NumPy."""

    def function(x: Tensor) -> tuple[Tensor, ...]:
        for _ in range(20):
            found, places = ops.topk(x, 7)
            x = x - found[..., 6:] * 2 + places[..., :1].astype(x.dtype)
        return *ops.topk(x * 2, 4, largest=False), *ops.sort(x, descending=True)

    x = Tensor(np.random.default_rng(1).permutation(np.prod(shape)).reshape(shape).astype(dtype))
    compiled = ms.jit(function)
    for found, wanted in zip(compiled(x), function(x), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())
    assert ("compile_best" in compiled.stages(x).program) == (dtype != "float64")

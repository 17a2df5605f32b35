"""Functions of elements at zeros of both signs, infinities, nan, the smallest and the largest numbers.

The numbers are NumPy's or the limits of the formula, in kernels, in graphs without them and in eager mode. Only in
kernels numbers that are too small for all their digits are zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

INF, NAN = np.inf, np.nan
LARGE, NORMAL, SMALL = np.finfo(np.float32).max, np.finfo(np.float32).tiny, np.float32(1e-45)
VALUES = np.array(
    [0.0, -0.0, INF, -INF, NAN, SMALL, -SMALL, NORMAL, -NORMAL, LARGE, -LARGE, 1.0, -1.0, 0.5, -0.5, 1e-10, -1e-10,
     3.0, -3.0, 100.0, -100.0, 1e4, -1e4, 1e10, -1e10, 1e20, -1e20, 1e38, -1e38],
    np.float32,
)  # fmt: skip
TIMES = 8  # more than a register holds, so that whole registers and what is left over are seen
FIRST, SECOND = (each.ravel() for each in np.meshgrid(VALUES, VALUES, indexing="ij"))


def wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """A formula in double precision, rounded to single."""

    def rounded(*arrays: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.asarray(function(*[array.astype(np.float64) for array in arrays])).astype(np.float32)

    return rounded


def limit(function: Callable[..., Any], low: float, high: float | None = None) -> Callable[..., Any]:
    """A formula, and its limits at -inf and inf (inf by default)."""

    def everywhere(x: np.ndarray) -> np.ndarray:
        inside = function(np.where(np.isinf(x), 0.0, x))
        return np.where(x == -INF, low, np.where(x == INF, INF if high is None else high, inside))

    return wide(everywhere)


def erf(x: np.ndarray) -> np.ndarray:
    """The error function, by the tables of Python."""
    import math

    return np.array([math.erf(each) for each in x])


def erfc(x: np.ndarray) -> np.ndarray:
    """Its complement."""
    import math

    return np.array([math.erfc(each) for each in x])


UNARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "abs": (ops.abs, np.abs),
    "neg": (ops.neg, np.negative),
    "ceil": (ops.ceil, np.ceil),
    "floor": (ops.floor, np.floor),
    "trunc": (ops.trunc, np.trunc),
    "round": (ops.round, np.round),
    "sign": (ops.sign, np.sign),
    "sqrt": (ops.sqrt, np.sqrt),
    "rsqrt": (ops.rsqrt, wide(lambda x: 1 / np.sqrt(x))),
    "reciprocal": (ops.reciprocal, np.reciprocal),
    "square": (ops.square, np.square),
    "exp": (ops.exp, np.exp),
    "expm1": (ops.expm1, wide(np.expm1)),
    "log": (ops.log, np.log),
    "log1p": (ops.log1p, wide(np.log1p)),
    "log2": (ops.log2, wide(np.log2)),
    "log10": (ops.log10, wide(np.log10)),
    "sinh": (ops.sinh, wide(np.sinh)),
    "cosh": (ops.cosh, wide(np.cosh)),
    "tanh": (ops.tanh, wide(np.tanh)),
    "asinh": (ops.asinh, wide(np.arcsinh)),
    "acosh": (ops.acosh, wide(np.arccosh)),
    "atanh": (ops.atanh, wide(np.arctanh)),
    "sinc": (ops.sinc, np.sinc),
    "asin": (ops.asin, wide(np.arcsin)),
    "acos": (ops.acos, wide(np.arccos)),
    "atan": (ops.atan, wide(np.arctan)),
    "erf": (ops.erf, wide(erf)),
    "erfc": (ops.erfc, wide(erfc)),
    "sigmoid": (ops.sigmoid, wide(lambda x: 1 / (1 + np.exp(-x)))),
    "softplus": (ops.softplus, wide(lambda x: np.logaddexp(0, x))),
    "logsigmoid": (ops.logsigmoid, wide(lambda x: -np.logaddexp(0, -x))),
    "relu": (ops.relu, lambda x: np.where(x <= 0, np.float32(0), x)),
    "relu6": (ops.relu6, lambda x: np.where(x <= 0, np.float32(0), np.minimum(x, np.float32(6)))),
    "elu": (ops.elu, wide(lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)), x))),
    "celu": (ops.celu, wide(lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)), x))),
    "selu": (
        ops.selu,
        wide(lambda x: 1.0507009873554805 * np.where(x < 0, 1.6732632423543772 * np.expm1(np.minimum(x, 0)), x)),
    ),
    "silu": (ops.silu, limit(lambda x: x / (1 + np.exp(-x)), NAN)),
    "hardswish": (ops.hardswish, limit(lambda x: np.where(x < -3, 0.0, x * np.clip(x / 6 + 0.5, 0, 1)), 0.0)),
    "hardsigmoid": (ops.hardsigmoid, wide(lambda x: np.clip(x / 6 + 0.5, 0, 1))),
    "hardtanh": (ops.hardtanh, lambda x: np.clip(x, np.float32(-1), np.float32(1))),
    "gelu": (ops.gelu, limit(lambda x: np.where(x < -14, -0.0, 0.5 * x * erfc(-x / np.sqrt(2))), -0.0)),
    "pow 0.5": (lambda x: ops.pow(x, 0.5), lambda x: np.power(x, np.full_like(x, 0.5))),
    "pow -0.5": (lambda x: ops.pow(x, -0.5), lambda x: np.power(x, np.full_like(x, -0.5))),
    "pow -1": (lambda x: ops.pow(x, -1.0), lambda x: np.power(x, np.full_like(x, -1))),
    "pow 2": (lambda x: ops.pow(x, 2.0), lambda x: np.power(x, np.full_like(x, 2))),
    "pow 3": (lambda x: ops.pow(x, 3.0), lambda x: np.power(x, np.full_like(x, 3))),
    "pow -3": (lambda x: ops.pow(x, -3.0), wide(lambda x: np.power(x, np.full_like(x, -3)))),
    "pow 1.5": (lambda x: ops.pow(x, 1.5), wide(lambda x: np.power(x, np.full_like(x, 1.5)))),
    "pow 1/3": (lambda x: ops.pow(x, 1 / 3), lambda x: np.power(x, np.full_like(x, 1 / 3))),
}
BINARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "add": (ops.add, np.add),
    "sub": (ops.sub, np.subtract),
    "mul": (ops.mul, np.multiply),
    "div": (ops.div, np.divide),
    "pow": (ops.pow, np.power),
    "maximum": (ops.maximum, np.maximum),
    "minimum": (ops.minimum, np.minimum),
    "fmod": (ops.fmod, np.fmod),
    "atan2": (ops.atan2, wide(np.arctan2)),
    "copysign": (ops.copysign, np.copysign),
    "logaddexp": (ops.logaddexp, wide(np.logaddexp)),
    "hypot": (
        ops.hypot, wide(lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.nan, np.hypot(x, y))),
    ),
    "less": (ops.less, np.less),
    "equal": (ops.equal, np.equal),
}  # fmt: skip
# Of two zeros of different signs either is the larger one; log(sigmoid(x)) is less than zero and rounded to it.
EITHER_ZERO = {"maximum", "minimum", "logsigmoid"}
FLUSHED = {
    "sigmoid",
    "silu",
    "logaddexp",
}  # to 0 where exp(100), which is inf, is on the way
ROUGH = {"gelu": 4e-6, "sinc": 1e-7}  # times the largest of 1 and the argument: 1 + erf(x) cancels


def compare(name: str, function: Callable[..., Any], expected: np.ndarray, *inputs: np.ndarray) -> None:
    """The function's numbers in each mode."""
    tensors = [Tensor(np.tile(each, TIMES)) for each in inputs]
    expected = np.tile(expected, TIMES).astype(np.float64)
    without = ms.jit(function, passes_off=["kernels"])
    for mode, run in (("eager", function), ("kernels", ms.jit(function)), ("no kernels", without)):
        got = run(*tensors).asnumpy().astype(np.float64)
        flushed = name in FLUSHED or mode == "kernels"  # which make zeros of what is below the smallest normal number
        tiny = 2 * float(NORMAL) if flushed else 3e-45
        least = max(tiny, ROUGH.get(name, 0.0))
        near = np.isclose(got, expected, rtol=3e-6, atol=least, equal_nan=True)
        signs = (np.signbit(got) == np.signbit(expected)) | np.isnan(expected) | (name in EITHER_ZERO | FLUSHED)
        signs |= flushed & (expected != 0) & (abs(expected) < tiny)
        wrong = np.nonzero(~(near & (signs | (abs(expected) > 0) & (name in ROUGH))))[0]
        shown = [(*(float(each.asnumpy()[at]) for each in tensors), got[at], expected[at]) for at in wrong[:6]]
        assert not shown, f"{name}, {mode}: (arguments, got, expected) {shown}"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name: str) -> None:
    function, formula = UNARY[name]
    compare(name, function, formula(VALUES), VALUES)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str) -> None:
    function, formula = BINARY[name]
    compare(name, function, formula(FIRST, SECOND), FIRST, SECOND)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_slope_of_gelu_far_out(approximate: str) -> None:
    gradient = ms.grad(lambda x: ops.gelu(x, approximate).sum())
    far = Tensor(np.array([-INF, -LARGE, -1e20, -1e4, 1e4, 1e20, LARGE, INF], np.float32))
    np.testing.assert_array_equal(gradient(far).asnumpy(), [0, 0, 0, 0, 1, 1, 1, 1])
    np.testing.assert_array_equal(gradient(far.astype(ms.float16)).asnumpy(), [0, 0, 0, 0, 1, 1, 1, 1])


def test_error_function_in_single_precision() -> None:
    """At most 4 units in the last place off, of small and of large arrays, in each mode."""
    x = np.concatenate([np.linspace(-5, 5, 100_001), 10.0 ** np.linspace(-37, -1, 1001)]).astype(np.float32)
    exact = erf(x.astype(np.float64))
    unit = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    for run in (ops.erf, ms.jit(ops.erf), ms.jit(ops.erf, passes_off=["kernels"])):
        for part in (x, x[:7]):
            off = np.abs(run(Tensor(part)).asnumpy() - exact[: len(part)]) / np.maximum(unit[: len(part)], 1e-45)
            assert off.max() < 4


def test_slope_of_hypot() -> None:
    gradient = ms.grad(lambda x, y: ops.hypot(x, y).sum(), (0, 1))
    x, y = Tensor([3.0, 5.0, 0.0, 1e30]), Tensor([4.0, 5.0, 0.0, 1e30])
    for found, expected in zip(
        gradient(x, y), ([0.6, 0.5**0.5, 0, 0.5**0.5], [0.8, 0.5**0.5, 0, 0.5**0.5]), strict=True
    ):
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", [ms.int64, ms.int32, ms.int8, ms.uint8, ms.float16, ms.float32, ms.bool_])
@pytest.mark.parametrize("number", [2, 2.5])
def test_a_mutable_number_keeps_the_dtype(dtype: Any, number: float) -> None:
    """As a plain one, with jit and without, and with jit switched off."""

    def add(x: Tensor, n: Any) -> Tensor:
        return x + n

    def multiply(x: Tensor, n: Any) -> Tensor:
        return x * n

    x = Tensor(np.array([1]), dtype)
    for function in (add, multiply):
        wanted = function(x, number)
        compiled = ms.jit(function)
        with ms.disable_jit():
            off = compiled(x, ms.mutable(number))
        for result in (function(x, ms.mutable(number)), compiled(x, ms.mutable(number)), off):
            assert result.dtype is wanted.dtype
            np.testing.assert_array_equal(result.asnumpy(), wanted.asnumpy())


@pytest.mark.parametrize("dtype", [ms.bfloat16, ms.float16, ms.float32, ms.float64])
def test_the_sign_of_a_zero_has_no_sign(dtype: Any) -> None:
    x = Tensor([-0.0, 0.0, -3.0, 3.0], dtype)
    for function in (ops.sign, ms.jit(ops.sign)):
        assert (1 / function(x)).asnumpy().astype(np.float64).tolist() == [INF, INF, -1, 1]


def test_the_slope_of_an_angle_holds_for_tiny_and_large_points() -> None:
    """x² + y² is 0 below 1e-23 in Float32, and beyond 2e19 infinite."""
    y, x = (Tensor(np.array(points, np.float32)) for points in ([1e-20, 3e-30, -4e25, 3.0], [1e-20, 4e-30, 3e25, 4.0]))
    length = np.square(x.asnumpy().astype(np.float64)) + np.square(y.asnumpy().astype(np.float64))
    gradient = ms.grad(ops.atan2, (0, 1))
    for by_y, by_x in (gradient(y, x), ms.jit(gradient)(y, x)):
        np.testing.assert_allclose(by_y.asnumpy(), x.asnumpy() / length, rtol=1e-6)
        np.testing.assert_allclose(by_x.asnumpy(), -y.asnumpy() / length, rtol=1e-6)
    y, x = Tensor([INF, -INF, 2.0, 2.0]), Tensor([2.0, 2.0, INF, -INF])
    for by_y, by_x in (gradient(y, x), ms.jit(gradient)(y, x)):
        np.testing.assert_array_equal(by_y.asnumpy()[:2], [0, 0])
        np.testing.assert_array_equal(by_x.asnumpy()[2:], [0, 0])


def test_scaled_bessel_functions_of_the_largest_numbers() -> None:
    """Whose inverse is below the smallest normal number, which kernels take for 0."""
    x = np.array([1e30, 8.4e37, 8.6e37, 3.4e38], np.float32)
    expected = 1 / np.sqrt(2 * np.pi * x.astype(np.float64))
    for function in (ops.bessel_i0e, ops.bessel_i1e):
        for run in (function, ms.jit(function)):
            np.testing.assert_allclose(run(Tensor(x)).asnumpy(), expected, rtol=1e-6)

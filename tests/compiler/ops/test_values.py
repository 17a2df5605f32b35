"""Values of ops against known numbers, most of them MindSpore's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from mycel.compiler.ir.types import TensorType
from mycel.compiler.ops import OPS
from mycel.compiler.pipeline import compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes

NAN, INF = math.nan, math.inf
I32, I64 = {"dtype": dtypes.int32}, {"dtype": dtypes.int64}
WHOLE = {"axis": (0,), "keepdims": False}
FORWARD: dict[str, Any] = {"axis": 0, "exclusive": False, "reverse": False}


def run(name: str, *inputs: Any, **attrs: Any) -> Any:
    """The kernel's result as lists; floats are given as float64, integers as int32 unless they are arrays."""
    given_arrays = [
        x if isinstance(x, np.ndarray) else np.asarray(x, np.int32 if np.asarray(x).dtype.kind == "i" else None)
        for x in inputs
    ]
    with np.errstate(all="ignore"):
        result = OPS[name].kernel(*given_arrays, **attrs)
    return tuple(each.tolist() for each in result) if isinstance(result, tuple) else np.asarray(result).tolist()


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("exp", math.exp),
        ("expm1", math.expm1),
        ("log", math.log),
        ("log1p", math.log1p),
        ("log2", math.log2),
        ("log10", math.log10),
        ("sin", math.sin),
        ("cos", math.cos),
        ("tan", math.tan),
        ("asin", math.asin),
        ("acos", math.acos),
        ("atan", math.atan),
        ("sinh", math.sinh),
        ("cosh", math.cosh),
        ("tanh", math.tanh),
        ("asinh", math.asinh),
        ("acosh", lambda x: math.acosh(1 + x)),
        ("atanh", math.atanh),
        ("erf", math.erf),
        ("erfc", math.erfc),
        ("lgamma", math.lgamma),
        ("sqrt", math.sqrt),
        ("rsqrt", lambda x: 1 / math.sqrt(x)),
        ("reciprocal", lambda x: 1 / x),
        ("square", lambda x: x * x),
        ("absolute", abs),
        ("negative", lambda x: -x),
        ("sign", lambda x: 1.0),
        ("floor", math.floor),
        ("ceil", math.ceil),
        ("trunc", math.trunc),
        ("round", round),
        ("sigmoid", lambda x: 1 / (1 + math.exp(-x))),
        ("log_sigmoid", lambda x: -math.log1p(math.exp(-x))),
        ("softplus", lambda x: math.log1p(math.exp(x))),
        ("relu", lambda x: x),
    ],
)
def test_functions_of_one_number(name: str, function: Callable[[float], float]) -> None:
    for x in (0.1, 0.37, 0.5, 0.93):
        argument = x + 1 if name == "acosh" else x
        assert run(name, argument) == pytest.approx(function(x), rel=1e-13)


def test_gelu() -> None:
    assert run("gelu", 1.0, approximate="none") == pytest.approx(0.841344746)
    assert run("gelu", 1.0, approximate="tanh") == pytest.approx(0.841192, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "inputs", "attrs", "expected"),
    [
        ("round", [[0.5, 1.5, 2.5, -0.5]], {}, [0, 2, 2, 0]),
        ("floor_divide", [[-7, 7, 5], [2, -2, 3]], {}, [-4, -4, 1]),
        ("floor_divide", [[-7.0, 7.0, 5.0], [2.0, -2.0, 0.0]], {}, [-4, -4, INF]),
        ("remainder", [[-7, 7, 5], [2, -2, 3]], {}, [1, -1, 2]),
        ("fmod", [[-7, 7, 5], [2, -2, 3]], {}, [-1, 1, 2]),
        ("power", [[2, 1, -1, -1, 3], [-1, -1, -3, -2, -2]], {}, [0, 1, -1, 1, 0]),
        ("power", [[2.0, -2.0, 0.0], [0.5, 3.0, 0.0]], {}, [math.sqrt(2), -8, 1]),
        ("clip", [[1.0, 2.0, 3.0], 2.5, 1.5], {}, [1.5, 1.5, 1.5]),
        ("maximum", [[1.0, 3.0], [2.0, 2.0]], {}, [2, 3]),
        ("relu", [[-1, 0, 2]], {}, [0, 0, 2]),
        ("sigmoid", [[-800.0, 0.0, 800.0]], {}, [0, 0.5, 1]),
        ("softplus", [[-800.0, 0.0, 800.0]], {}, [0, math.log(2), 800]),
        ("log_sigmoid", [[-800.0, 0.0, 800.0]], {}, [-800, -math.log(2), 0]),
        ("select", [[True, False], [1.0, 2.0], [3.0, 4.0]], {}, [1, 4]),
        ("select", [[True, False], [INF, INF], 0.0], {}, [INF, 0]),
        ("select", [[True, False], 0.0, [3.0, 4.0]], {}, [0, 4]),
        ("isnan", [[NAN, INF, 1.0]], {}, [True, False, False]),
        ("isinf", [[NAN, -INF, 1.0]], {}, [False, True, False]),
        ("isfinite", [[NAN, INF, 1.0]], {}, [False, False, True]),
        ("left_shift", [[1, 2], [2, 3]], {}, [4, 16]),
        ("right_shift", [[-8, 9], [1, 2]], {}, [-4, 2]),
        ("cast", [[-1.7, 1.7, 300.2]], I32, [-1, 1, 300]),
        ("cast", [[-1.7, 0.0, NAN]], {"dtype": dtypes.bool_}, [True, False, True]),
        ("complex", [[1.0], [2.0]], {}, [1 + 2j]),
        ("mean", [[3, -2, -8]], WHOLE, -2),
        ("prod", [[[2, 3], [4, 5]]], {"axis": (0, 1), "keepdims": True}, [[120]]),
        ("max", [[1.0, NAN, 3.0]], WHOLE, NAN),
        ("any", [[False, True]], WHOLE, True),
        ("all", [[False, True]], WHOLE, False),
        ("argmax", [[1, 3, 3, 2]], {"axis": 0, **I64}, 1),
        ("argmin", [[2, 1, 1]], {"axis": 0, **I32}, 1),
        ("logsumexp", [[-INF, -INF]], WHOLE, -INF),
        ("logsumexp", [[1000.0, 1000.0]], WHOLE, 1000 + math.log(2)),
        ("softmax", [[1000.0, -1000.0]], {"axis": 0}, [1, 0]),
        ("log_softmax", [[1000.0, -1000.0]], {"axis": 0}, [0, -2000]),
        ("cumsum", [[1, 2, 3]], FORWARD, [1, 3, 6]),
        ("cumsum", [[1, 2, 3]], {**FORWARD, "exclusive": True}, [0, 1, 3]),
        ("cumsum", [[1, 2, 3]], {**FORWARD, "reverse": True}, [6, 5, 3]),
        ("cumsum", [[1, 2, 3]], {**FORWARD, "exclusive": True, "reverse": True}, [5, 3, 0]),
        ("cumprod", [[2, 3, 4]], {**FORWARD, "exclusive": True}, [1, 2, 6]),
        ("cumprod", [[2, 3, 4]], {**FORWARD, "reverse": True}, [24, 12, 4]),
        ("logcumsumexp", [[0.0, 0.0]], FORWARD, [0, math.log(2)]),
        ("cummax", [[1.0, 3.0, 3.0, 2.0]], {"axis": 0}, ([1, 3, 3, 3], [0, 1, 2, 2])),
        ("cummin", [[2.0, 1.0, NAN, 0.0]], {"axis": 0}, ([2, 1, NAN, NAN], [0, 1, 2, 2])),
        ("shift", [[1, 2, 3]], {"axis": 0, "offset": 1, "fill": 9}, [9, 1, 2]),
        ("shift", [[1, 2, 3]], {"axis": 0, "offset": -2, "fill": 0}, [3, 0, 0]),
        ("linear_recurrence", [[5, 2, 3], [1, 1, 1]], {"axis": 0, "reverse": False}, [1, 3, 10]),
        ("linear_recurrence", [[5, 2, 3], [1, 1, 1]], {"axis": 0, "reverse": True}, [16, 3, 1]),
        ("take_along", [[[1, 2], [3, 4]], [[1, 0], [0, 0]]], {"axis": 1}, [[2, 1], [3, 3]]),
        ("take_along_add", [[1, 1], [0, 0, -1], [5, 6, 7]], {"axis": 0}, [12, 8]),
        ("run_sums", [[1, 2, 3, 4], [0, 0, 2, 2]], {"axis": 0}, [3, 0, 7, 0]),
        ("sort", [[1.0, 3.0, 3.0, 2.0]], {"axis": 0, "descending": True, **I32}, ([3, 3, 2, 1], [1, 2, 3, 0])),
        ("sort", [[2.0, NAN, 1.0]], {"axis": 0, "descending": False, **I32}, ([1, 2, NAN], [2, 0, 1])),
        ("argsort", [[1.0, 3.0, 3.0, 2.0]], {"axis": 0, "descending": False, **I32}, [0, 3, 1, 2]),
        ("topk", [[1.0, 3.0, 3.0, 2.0]], {"k": 2, "axis": 0, "largest": True, **I32}, ([3, 3], [1, 2])),
        ("topk", [[1.0, 3.0, 1.0, 2.0]], {"k": 3, "axis": 0, "largest": False, **I32}, ([1, 1, 2], [0, 2, 3])),
        ("topk", [[[1, 5], [7, 2]]], {"k": 1, "axis": 1, "largest": True, **I32}, ([[5], [7]], [[1], [0]])),
        ("searchsorted", [[1.0, 3.0, 3.0, 4.0], [3.0, 2.0]], {"right": False, **I64}, [1, 1]),
        ("searchsorted", [[1.0, 3.0, 3.0, 4.0], [3.0, 2.0]], {"right": True, **I64}, [3, 1]),
        ("unique", [[3, 1, 3, 2]], {"sort": False, **I32}, ([3, 1, 2], [0, 1, 0, 2], [2, 1, 1])),
        ("unique", [[3, 1, 3, 2]], {"sort": True, **I32}, ([1, 2, 3], [2, 0, 2, 1], [1, 1, 2])),
        ("unique_consecutive", [[1, 1, 2, 1]], I32, ([1, 2, 1], [0, 0, 1, 2], [2, 1, 1])),
        ("nonzero", [[[3, 0], [0, 2]]], {}, [[0, 0], [1, 1]]),
        ("bincount", [[1, 3, 3]], {"length": 0}, [0, 1, 0, 2]),
        ("bincount", [[1, 3, 3], [0.5, 1.0, 2.0]], {"length": 5}, [0, 0.5, 0, 3, 0]),
        ("iota", [], {"start": 1, "step": 2, "size": 3, "dtype": dtypes.int32}, [1, 3, 5]),
    ],
)
def test_values(name: str, inputs: list[Any], attrs: dict[str, Any], expected: Any) -> None:
    result = run(name, *inputs, **attrs)
    if isinstance(expected, tuple):
        assert len(result) == len(expected)
        for got, want in zip(result, expected, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12)
    else:
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-300)


def test_halves_add_up_in_single_precision() -> None:
    x = np.full(4096, 0.1, np.float16)
    for name, expected in (("sum", 4096 * float(x[0])), ("mean", float(x[0]))):
        assert float(OPS[name].kernel(x, **WHOLE)) == pytest.approx(expected, rel=1e-3)
    running = OPS["cumsum"].kernel(x, **FORWARD)
    assert running.dtype == np.float16
    assert float(running[-1]) == pytest.approx(4096 * float(x[0]), rel=1e-3)


def test_a_negative_zero_is_chosen_as_such() -> None:
    result = OPS["select"].kernel(np.array([True, False]), np.array([1.0, 2.0]), np.array(-0.0))
    assert math.copysign(1, result[1]) == -1


SHAPES = arrays.array_shapes(max_dims=3, max_side=4)
FLOATS = arrays.arrays(np.float64, SHAPES, elements=st.sampled_from([0.0, 1.0, 2.0]))


@given(FLOATS, st.data())
def test_sorting_agrees_along_every_axis(x: np.ndarray, data: st.DataObject) -> None:
    """The sorted values are NumPy's, the positions lead to them, and equal elements keep their order."""
    axis = data.draw(st.integers(0, x.ndim - 1))
    descending = data.draw(st.booleans())
    values, positions = OPS["sort"].kernel(x, axis=axis, descending=descending, dtype=dtypes.int32)
    expected = np.sort(x, axis)
    np.testing.assert_array_equal(values, np.flip(expected, axis) if descending else expected)
    np.testing.assert_array_equal(np.take_along_axis(x, positions, axis), values)
    same = np.diff(values, axis=axis) == 0
    assert (np.diff(positions, axis=axis)[same] > 0).all()
    k = data.draw(st.integers(0, x.shape[axis]))
    best, where = OPS["topk"].kernel(x, k=k, axis=axis, largest=descending, dtype=dtypes.int32)
    head = (slice(None),) * axis + (slice(0, k),)
    np.testing.assert_array_equal(best, values[head])
    np.testing.assert_array_equal(where, positions[head])


def test_run_time_checks_speak_plainly() -> None:
    with pytest.raises(ValueError, match="numbers should not be negative, but got -1"):
        run("bincount", [1, -1], length=0)
    with pytest.raises(ValueError, match="k is 3, but axis 0"):
        run("topk", [1, 2], k=3, axis=0, largest=True, **I32)
    with pytest.raises(ValueError, match=r"a tensor of shape \(3,\) was promised, but got \(2,\)"):
        run("assume_shape", [1, 2], shape=(3,))
    with pytest.raises(ValueError, match="the Parameter has shape"):
        run("assign", [1, 2], [1, 2, 3])


def test_sign_in_place() -> None:
    """Into the array that it reads, into another, and into one that overlaps."""
    x = np.array([-2.0, -0.0, 0.0, np.nan, np.inf, -1e-45, 3.0], np.float32)
    expected = np.sign(x)
    np.testing.assert_array_equal(OPS["sign"].kernel(x, out=np.empty_like(x)), expected)
    whole = np.concatenate([[np.float32(0)], x])
    np.testing.assert_array_equal(OPS["sign"].kernel(whole[1:], out=whole[:-1]), expected)
    np.testing.assert_array_equal(OPS["sign"].kernel(x, out=x), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["lgamma", "digamma"])
def test_gamma_functions_of_programs_are_those_of_numpy(name: str, dtype: Any) -> None:
    """Also where they are composed of simpler ops, and at the ends of the range."""
    ends = [0.0, -0.0, 1.0, 2.0, -1.0, -7.0, 0.5, 10.0, 1e-30, -1e-30, 1e30, math.inf, -math.inf, math.nan]
    x = np.concatenate([np.linspace(-9.7, 12.3, 5001), np.logspace(-20, 9, 300), ends]).astype(dtype)
    op, type = OPS[name], TensorType(dtypes.float32 if dtype is np.float32 else dtypes.float64, x.shape)
    (found,) = compile_graph(record("f", [type], lambda x: [op(x)]), name="f").run(x)
    expected = op.kernel(x)
    tiny = 1e-6 if dtype is np.float32 else 1e-13
    np.testing.assert_allclose(found, expected, 10 * tiny, tiny)
    assert (found[-14:] > 0).tolist() == (expected[-14:] > 0).tolist()

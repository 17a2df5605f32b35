"""Halves (float16) in machine code: NumPy's results, to the last bit where a result is one rounding."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import computes_halves, unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse
from mycel.runtime.native.vectors import with_halves

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

ALL = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
EXACT = (
    "add", "subtract", "multiply", "divide", "maximum", "minimum", "floor_divide", "remainder", "fmod", "equal",
    "not_equal", "less", "less_equal", "greater", "greater_equal",
)  # fmt: skip
ONE = ("negative", "absolute", "sqrt", "sign", "floor", "ceil", "trunc", "round", "isnan", "isinf", "isfinite")
NUMPY = {"round": "rint", **{name: f"arc{name[1:]}" for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")}}
SMOOTH = (
    "exp", "expm1", "log", "log1p", "log2", "log10", "sinh", "cosh", "tanh", "sin", "cos", "tan", "asin", "acos",
    "atan", "asinh", "acosh", "atanh",
)  # fmt: skip
SIZES = {"float16": 2, "bool": 1, "float32": 4, "int32": 4, "uint32": 4}


def _run(statement: str, out: str, *arrays: np.ndarray, shape: tuple[int, ...] = ()) -> list[np.ndarray]:
    """The results of a kernel of one statement over one axis: of machine code, and of NumPy in its place."""
    count = arrays[0].size
    lines = [f"in x{n} {a.dtype}[{count}] {a.itemsize}" for n, a in enumerate(arrays)]
    text = "\n".join([f"over {count}", *lines, f"out y {out}[{count}] {SIZES[out]}", f"y = {statement}"])
    results = []
    for function in (compile_kernel(text), evaluator(parse(text), text)):
        results.append(np.empty(count, out))
        assert function(*arrays, results[-1])
    return results


def _same(found: np.ndarray, expected: np.ndarray) -> None:
    """Equal, with the same signs of zeros; nan where nan is."""
    np.testing.assert_array_equal(found, expected)
    if found.dtype.kind == "f":
        number = ~np.isnan(found)
        np.testing.assert_array_equal(np.signbit(found[number]), np.signbit(expected[number]))


@pytest.mark.parametrize("function", ONE)
def test_functions_of_one(function: str) -> None:
    """On all halves there are."""
    with np.errstate(all="ignore"):
        expected: Any = getattr(np, NUMPY.get(function, function))(ALL)
    for found in _run(f"{function}(x0)", str(expected.dtype), ALL):
        _same(found, expected)


@pytest.mark.parametrize("function", SMOOTH)
def test_smooth_functions(function: str) -> None:
    """To the last place but one, on all halves there are: the float32 that is rounded may be off by one itself."""
    with np.errstate(all="ignore"):
        expected: Any = getattr(np, NUMPY.get(function, function))(ALL)
    found = _run(f"{function}(x0)", "float16", ALL)[0]
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    steps = np.abs(found.view(np.int16).astype(int) - expected.view(np.int16))[~np.isnan(expected)]
    assert steps.max() <= 1
    assert (steps > 0).sum() < 20


@pytest.mark.parametrize(("function", "count"), chequered(EXACT, [1, 3, 7, 8, 9, 23, 1 << 16]))
def test_functions_of_two(function: str, count: int) -> None:
    """By arrays of whole vectors and of less, and by numbers."""
    random = np.random.default_rng(count)
    x, y = (random.permutation(ALL)[:count].copy() for _ in range(2))
    numpy: Any = getattr(np, function)
    with np.errstate(all="ignore"):
        expected = numpy(x, y)
        for found in _run(f"{function}(x0, x1)", str(expected.dtype), x, y):
            _same(found, expected)
        for number in (0.1, -3.0, 70000.0, 2.0**-24):
            expected = numpy(x, np.float16(number))
            for found in _run(f"{function}(x0, {number!r})", str(expected.dtype), x):
                _same(found, expected)


def test_casts() -> None:
    """From and to all dtypes of a kernel. Float32 is rounded to the even one of two halves that are as near."""
    random, count = np.random.default_rng(0), 5000
    halves = ALL[np.isfinite(ALL)].astype(np.float32)
    between = (halves[:-1] + halves[1:]) / 2
    numbers = random.integers(0, 1 << 32, count, dtype=np.uint32).view(np.float32)
    small = np.arange(-70000, 70000, 7, dtype=np.int32)
    wide = random.integers(0, 1 << 32, count, dtype=np.uint32)
    with np.errstate(all="ignore"):
        for x in (between, numbers, small, wide.view(np.int32), wide, wide % 70000, ALL.astype(bool)):
            for found in _run("cast(x0, float16)", "float16", x):
                _same(found, x.astype(np.float16))
        for out in ("float32", "int32", "bool", "float16"):
            x = ALL if out != "int32" else ALL[np.isfinite(ALL)]
            for found in _run(f"cast(x0, {out})", out, x):
                _same(found, x.astype(out))


@pytest.mark.parametrize(("rows", "columns"), [(1, 24), (5, 33), (3, 77), (2, 1000)])
def test_as_in_memory(rows: int, columns: int) -> None:
    """Kernels of cheap functions compute with halves as they are in memory, where the processor does; with bools, with
    neighbours, and with results that are denormal or too large."""
    random = np.random.default_rng(columns)
    x = (random.standard_normal((rows, columns + 1)) * 10.0 ** random.integers(-6, 5, columns + 1)).astype(np.float16)
    text = f"""
    flush
    over {rows} {columns}
    in x float16[{rows},{columns + 1}] {2 * columns + 2} 2
    in y float16[{rows},{columns + 1}] {2 * columns + 2} 2 from 2
    out z float16[{rows},{columns}] {2 * columns} 2
    out m bool[{rows},{columns}] {columns} 1
    a = multiply(x, y)
    b = subtract(a, 0.3)
    c = maximum(b, 0.0)
    m = less(x, y)
    d = negative(y)
    e = select(m, c, d)
    f = absolute(e)
    z = minimum(f, 70000.0)
    """
    results = [(np.empty((rows, columns), np.float16), np.empty((rows, columns), bool)) for _ in range(2)]
    for function, (z, m) in zip((compile_kernel(text), evaluator(parse(text), text)), results, strict=True):
        assert function(x, x, z, m)
    _same(results[0][0], results[1][0])
    np.testing.assert_array_equal(results[0][1], results[1][1])
    assert with_halves(parse(text)).halves == computes_halves()
    divided = parse(text.replace("minimum(f, 70000.0)", "divide(f, x)"))
    assert not with_halves(divided).halves  # which takes longer


@pytest.mark.parametrize("name", ["sigmoid", "logsigmoid", "softplus"])
def test_activations_are_rounded_once(name: str) -> None:
    """What they are made of is computed in float32."""
    function = getattr(ops, name)
    x = Tensor(ALL[np.isfinite(ALL)])
    expected = function(x.astype(ms.float32)).astype(ms.float16).asnumpy()
    for found in (function(x), ms.jit(lambda x: function(x))(x)):
        assert found.dtype == ms.float16
        differ = found.asnumpy() != expected
        assert differ.sum() < 20  # where the float32 that is rounded is off by one itself


def test_choices() -> None:
    """A half may choose between numbers, and be chosen."""
    random = np.random.default_rng(0)
    x, y = random.permutation(ALL), random.permutation(ALL)
    z, mask = random.standard_normal(ALL.size).astype(np.float32), random.random(ALL.size) < 0.5
    for found in _run("select(x0, x1, x2)", "float16", mask, x, y):
        _same(found, np.where(mask, x, y))
    for found in _run("select(x0, x1, float32(0.5))", "float32", x, z):
        _same(found, np.where(x != 0, z, np.float32(0.5)))
    for found in _run("mask_bits(x0, x1)", "float16", x, mask):
        _same(found, np.where(mask, x, np.float16(0)))
    for found in _run("logical_and(x0, x1)", "bool", x, mask):
        _same(found, (x != 0) & mask)


@pytest.mark.parametrize("columns", [1, 2, 3, 5, 8, 9, 16, 20, 67])
@pytest.mark.parametrize("stride", [0, 1, 2, 3, -1])
def test_layouts(columns: int, stride: int) -> None:
    """Columns side by side, apart, from the end, and one for all; rows of sums in float32; dtypes of all kinds."""
    random, rows = np.random.default_rng(columns), 3
    reach = (columns - 1) * abs(stride) + 1
    x = random.standard_normal((rows, reach)).astype(np.float16)
    m, i = random.random((rows, columns)) < 0.5, random.integers(-9, 9, (rows, columns)).astype(np.int32)
    u, s = np.abs(i).view(np.uint32), random.standard_normal(rows).astype(np.float32)
    first = (reach - 1) * 2 if stride < 0 else 0
    text = f"""
    over {rows} {columns}
    in x float16[{rows},{reach}] {2 * reach} {2 * stride} from {first}
    in m bool[{rows},{columns}] {columns} 1
    in i int32[{rows},{columns}] {4 * columns} 4
    in u uint32[{rows},{columns}] {4 * columns} 4
    in s float32[{rows}] 4 0
    out y float16[{rows},{columns}] {2 * columns} 2
    out t float16[{rows}] 2 0
    out n bool[{rows},{columns}] {columns} 1
    a = cast(i, float16)
    b = cast(u, float16)
    e = select(m, a, b)
    d = cast(s, float16)
    f = multiply(x, d)
    y = add(e, f)
    w = cast(y, float32)
    r = row_maximum(w)
    t = cast(r, float16)
    n = less(y, x)
    """
    seen = x[:, ::stride] if stride else np.repeat(x, columns, 1)
    expected = np.where(m, i.astype(np.float16), u.astype(np.float16)) + seen * s.astype(np.float16)[:, None]
    for function in (compile_kernel(text), evaluator(parse(text), text)):
        y, t, n = np.empty((rows, columns), np.float16), np.empty(rows, np.float16), np.empty((rows, columns), bool)
        assert function(x, m, i, u, s, y, t, n)
        _same(y, expected)
        _same(t, expected.max(1))
        _same(n, expected < seen)


@pytest.mark.parametrize(
    "text",
    [
        "over 8\nin x float16[8] 2\nadd y float16[1] 0\ny = row_add(x)",
        "over 2 8\nin x float16[2,8] 16 2\nout y float16[2] 2 0\ny = row_add(x)",
        "over 8\nin x float16[8] 2\nout y float16[8] 2\ny = scan_add(x)",
        "over 2 8\nin x float16[2] 2 0 within 0 2 1 8\nout y float16[2,8] 16 2\ny = copy(x)",
        "over 8\nin x float16[8] 2\nin z float32[8] 4\nout y float16[8] 2\ny = add(x, z)",
        "over 8\nin x float16[8] 2\nin z float64[8] 8\nout y float64[8] 8\na = cast(x, float64)\ny = add(a, z)",
        "over 8\nin x float16[8] 2\nout y int32[8] 4\ny = bitcast(x, int32)",
        "over 8\nin x float16[8] 2\nout y uint32[8] 4\ny = cast(x, uint32)",
        "over 8\nin x float16[8] 2\nout y float16[8] 2\ny = multiply_add(x, x, x)",
        "over 8\nindex i int64[8] 8\nin x float16[8] 0 at i 2 8\nout y float16[8] 2\ny = x",
    ],
)
def test_what_halves_have_not(text: str) -> None:
    with pytest.raises(Unsupported):
        compile_kernel(text)


def _programs() -> dict[str, Any]:
    def normalized(x: Tensor, w: Tensor) -> Tensor:
        h = x.astype(ms.float32)
        return ((h * ops.rsqrt((h * h).mean(-1, True) + 1e-6)).astype(ms.float16) * w).astype(ms.float32)

    return {
        "arithmetic": lambda x, w: x * 2 + w / 3 - x * x,
        "chosen": lambda x, w: ops.where(x > w, x, ops.abs(w)),
        "normalized": normalized,
        "sums": lambda x, w: (x * w).sum(-1) + ops.amax(x, -1) + ops.prod(w) + x.mean((0, 1)),
        "running": lambda x, w: ops.cumsum(x + w, -1),
        "product": lambda x, w: ops.matmul(x + 1, (x * w).T),
        "moved": lambda x, w: ops.roll(x * w, 1, 0) + ops.cat((x[:, 5:], x[:, :5]), 1),
        "padded": lambda x, w: ops.pad(x, (2, 1, 1, 1))[1:-1, :-3] * ops.pad(x, (3, 0, 1, 0), value=2.5)[:-1, :-3] + w,
        "positions": lambda x, w: (x * w)[Tensor([1, 0, 1])] + ops.argmax(x, 1)[0].astype(ms.float16),
        "softmax": lambda x, w: ops.softmax(x * w, -1),
        "doubles": lambda x, w: (x.astype(ms.float64) * 3).astype(ms.float16) + w.astype(ms.int32).astype(ms.float16),
    }


@pytest.mark.parametrize("name", list(_programs()))
def test_programs(name: str) -> None:
    """Graph and eager mode agree to roundings; so do gradients."""
    function, random = _programs()[name], np.random.default_rng(0)
    x, w = (Tensor(random.standard_normal(shape).astype(np.float16)) for shape in ((9, 21), (21,)))
    found, expected = ms.jit(function)(x, w), function(x, w)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), 3e-3, 3e-3)
    gradient = ms.grad(function, (0, 1))
    plain = ms.grad(ms.jit(function, passes_off=["kernels"]), (0, 1))
    for one, other in zip(ms.jit(gradient)(x, w), plain(x, w), strict=True):
        assert one.dtype == other.dtype == ms.float16
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-2, 1e-2)


def test_ops_in_single_are_kernels() -> None:
    """Sums of halves, products and convolutions are computed in float32 with their neighbours."""
    x = Tensor(np.ones((8, 40), np.float16))
    stages = ms.jit(lambda x: ops.softmax(x * 2, -1).sum(0)).stages(x)
    assert "float16[8,40]" in stages.program
    assert "row_add" in stages.program
    product = ms.jit(lambda x: ops.matmul(x, x.T) + 1).stages(x).program
    assert "cast(x, float32)" in product
    for dtype, shape in itertools.product((ms.float16, ms.float32), ((8, 8),)):
        assert ops.matmul(x.astype(dtype), x.astype(dtype).T).shape == shape


def test_products_read_transposed_halves_as_views() -> None:
    """One cast serves a product and its gradients, and a transposed product is computed where it lies."""
    x, w = (
        Tensor(np.random.default_rng(n).standard_normal(s).astype(np.float16)) for n, s in ((0, (8, 24)), (1, (40, 24)))
    )
    gradient = ms.grad(lambda x, w: (ops.matmul(x, w.T) * 2).sum(), (0, 1))
    compiled = ms.jit(gradient)
    text = compiled.stages(x, w).program
    assert text.count("cast(x, float32)") == text.count("cast(w, float32)") == 1
    for found, expected in zip(
        compiled(x, w), (np.ones((8, 40)) * 2 @ w.asnumpy(), np.ones((40, 8)) * 2 @ x.asnumpy()), strict=True
    ):
        np.testing.assert_allclose(found.asnumpy(), expected, 3e-3, 3e-3)

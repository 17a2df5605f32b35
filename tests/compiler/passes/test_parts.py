"""Complex numbers in parts: the graphs, and programs that compute the same with and without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.verifier import verify
from mycel.compiler.kernels.eligible import is_available
from mycel.compiler.passes.parts import split_complex, view_parts

pytestmark = pytest.mark.skipif(not is_available(), reason="there is no machine code")


def split(text: str) -> str:
    """The text of a graph after the pass; a second run changes nothing."""
    graph = verify(split_complex(verify(parse(text, prims.OPS))))
    assert split_complex(graph) is graph
    return print_graph(graph)


def test_products_become_products_of_parts() -> None:
    text = split(
        "graph f(%x: f32[4], %y: f32[4]) { %a: c64[4] = complex(%x, %y) %b: c64[4] = multiply(%a, %a)"
        " %c: c64[4] = multiply(%b, %a) %r: f32[4] = imag(%c) return %r }"
    )
    assert "c64" not in text
    assert text.count("multiply(") == 8


def test_what_kernels_do_not_compute_stays() -> None:
    for text in (
        "graph f(%x: c64[?], %y: c64[?]) { %a: c64[?] = multiply(%x, %y) return %a }",
        "graph f(%x: c64[0], %y: c64[0]) { %a: c64[0] = multiply(%x, %y) return %a }",
    ):
        graph = parse(text, prims.OPS)
        assert split_complex(graph) is graph


def test_sums_are_sums_of_parts() -> None:
    """Along each axis: NumPy adds complex numbers one by one."""
    for axis, size in ((0, 9), (1, 4)):
        text = f"graph f(%x: c64[4, 9]) {{ %a: c64[{size}] = sum(%x, axis=({axis},), keepdims=False) return %a }}"
        assert split(text).count("sum(") == 2


def test_ops_without_a_rule_get_complex_numbers() -> None:
    text = split(
        "graph f(%x: f32[4, 4], %y: f32[4, 4]) { %a: c64[4, 4] = complex(%x, %y) %b: c64[4, 4] = multiply(%a, %a)"
        " %d: c64[4, 4] = multiply(%b, %a) %e: c64[4, 4] = multiply(%d, %a) %c: c64[4, 4] = inverse(%e)"
        " %r: f32[4, 4] = real(%c) return %r }"
    )
    assert text.count("complex(") == 1
    assert "inverse(" in text


def test_transforms_without_machine_code_stay_whole() -> None:
    text = "graph f(%x: f32[2, 262147]) { %a: c64[2, 131074] = half_dft(%x, axis=1, inverse=False, scale=1.0, ends=1.0)"
    assert "half_dft(" in split(f"{text} %r: f32[2, 131074] = real(%a) return %r }}")


def test_kernels_read_parts_where_they_lie_but_what_moves() -> None:
    text = (
        "graph f(%x: c64[9]) { %p: f32[9], %q: f32[9] = separate(%x) %a: f32[9] = multiply(%p, %q)"
        " %m: f32[9] = MOVED return %a, %m }"
    )
    for moved, parts in (("negative(%p)", 2), ("roll(%p, shift=(2,), axis=(0,))", 0)):
        graph = view_parts(verify(parse(text.replace("MOVED", moved), prims.OPS)))
        assert print_graph(graph).count("part(") == parts


SHAPE = (3, 8, 16)


def _c(x: Any, y: Any) -> Any:
    return ops.Complex()(x, y)


def _orbits(x: Any, y: Any) -> Any:
    """A loop with complex state, rows, results and constants."""
    z = constant = _c(x, y) * 0.3
    rows, stack = _c(x, y)[0], []
    for place in range(20):
        z = ops.where(ops.abs(z) < 2.0, z * z * rows[place % 8] + constant, z)
        stack.append(z[:1] * 0.5)
    return z + ops.stack(stack).sum(0)


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "arithmetic": lambda x, y: _c(x, y) * _c(y, x) - _c(x, x) / _c(y, y + 2.0) + 2.0 * _c(x, y) + x,
    "magnitudes": lambda x, y: ops.abs(_c(x, y) * _c(y, x)) + ops.abs(_c(x, y)),
    "numbers": lambda x, y: (_c(x, y) * (1 + 2j) - 3j) * _c(x, y) / (2 - 1j),
    "conjugates": lambda x, y: ops.conj(_c(x, y)) * _c(x, y) + ops.conj(ops.conj(_c(y, x)) * 2.0),
    "shapes": lambda x, y: ops.transpose(ops.fft(_c(x, y)), (2, 0, 1)).reshape(4, -1)[1:, ::3],
    "joins": lambda x, y: ops.concat((ops.fft(_c(x, y)), _c(y, x)[:, :3], ops.rfft(x, 30)), 1).sum(1),
    "flips": lambda x, y: ops.roll(ops.flip(ops.fft(_c(x, y)), (1,)), 2, 1) * ops.fft(x),
    "broadcasts": lambda x, y: ops.fft(_c(x, y)) + _c(x[:1, :1], y[:1, :1]) * 2.0 + _c(x[0], y[0]),
    "products": lambda x, y: ops.matmul(ops.fft(_c(x, y)), ops.swapaxes(_c(y, x), 1, 2)) @ _c(x, y)[:, :, :4],
    "sums": lambda x, y: ops.fft(_c(x, y)).mean(2) * _c(x, y).sum(2),
    "real products": lambda x, y: ops.einsum("bij,bj->bi", ops.rfft(x), ops.rfft(y)[:, 0]),
    "casts": lambda x, y: (ops.fft(x).astype(ms.complex128) * _c(x, y)).astype(ms.complex64),
    "poles": lambda x, y: ops.ifft2(ops.fft2(_c(x, y)) / (1.5 + ops.fft2(x) * 0.1)),
    "halves": lambda x, y: ops.irfft2(ops.pad(ops.rfft2(x)[:, :3, :4] * _c(x, y)[:, :3, :4], (0, 5, 0, 5))),
    "odd": lambda x, y: ops.irfft(ops.rfft(x, 15) * ops.rfft(y, 15), 15) + ops.hfft(_c(x, y), 9)[:, :, :1],
    "primes": lambda x, y: ops.ifft(ops.fft(_c(x, y), 17, 1), dim=1),
    "few columns": lambda x, y: (
        ops.fft(_c(x, y)[:, :, :3], dim=1) * ops.irfft(ops.rfft(y[:, :, :3], dim=1), dim=1)
        + ops.ifft(_c(y, x)[:, :, :3], dim=0)
    ),
    "short rows": lambda x, y: ops.irfft(ops.rfft(x.reshape(96, 4)) * 2.0) + ops.fft(_c(x, y).reshape(96, 4)),
    "large primes": lambda x, y: (
        ops.ifft(ops.fft(_c(x, y), 53, 1), dim=1).sum(1, keepdims=True) * ops.rfft(y, 98)[:, :, :16]
        + ops.irfft(_c(x, y), 59)[:, :, :16]
    ),
    "other axes": lambda x, y: (
        ops.irfft(ops.rfft(x, dim=1, norm="ortho") * 2.0, dim=1) * ops.ihfft(y, dim=0)[:1].real()
    ),
    "choices": lambda x, y: ops.where(x > y, _c(x, y) * _c(y, x), _c(x, x)) + ops.where(x[:1] > 1.0, 0.0, _c(x, y)) * y,
    "functions": lambda x, y: ops.exp(_c(x, y)) * ops.sqrt(_c(y - x, x - 1.0)) + ops.log(_c(x - 1.0, y)) * _c(x, y),
    "loops": lambda x, y: _orbits(x, y) * _c(x, y),
    "updates": lambda x, y: ops.fft(_c(x, y)).index_select(1, Tensor([0, 3, 3])) * _c(x, y)[:, :3],
}


@pytest.mark.parametrize(("name", "dtype"), chequered(PROGRAMS, [ms.float32, ms.float64]))
def test_graphs_compute_what_single_operations_do(name: str, dtype: Any) -> None:
    function = PROGRAMS[name]
    draw = np.random.default_rng(5)
    x, y = (Tensor(draw.uniform(0.5, 1.5, SHAPE), dtype) for _ in range(2))

    def loss(x: Any, y: Any) -> Any:
        result = function(x, y)
        parts = (ops.real(result), ops.imag(result)) if "omplex" in str(result.dtype) else (result,)
        return sum((part * ops.cos(part * 0.01 + place)).mean() for place, part in enumerate(parts)), result

    tolerance = 2e-4 if dtype is ms.float32 else 1e-10
    results = []
    off = "parts" if dtype is ms.float32 else "kernels"
    for make in (lambda f: f, ms.jit, lambda f: ms.jit(f, passes_off=[off])):
        (_, value), gradients = ms.value_and_grad(make(loss), (0, 1), has_aux=True)(x, y)
        results.append((value.asnumpy(), *(each.asnumpy() for each in gradients)))
    for found in results[1:]:
        for one, other in zip(found, results[0], strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * max(1e-3, np.abs(other).max()))


def test_complex_arguments_and_results() -> None:
    draw = np.random.default_rng(6)
    x = Tensor(draw.normal(size=SHAPE) + 1j * draw.normal(size=SHAPE), ms.complex64)

    def function(x: Any) -> Any:
        return ops.ifft(ops.fft(x * 2.0) * x) - x

    np.testing.assert_allclose(ms.jit(function)(x).asnumpy(), function(x).asnumpy(), rtol=1e-4, atol=1e-4)
    every_second = Tensor(np.repeat(x.asnumpy(), 2, -1)[..., ::2])
    np.testing.assert_allclose(ms.jit(function)(every_second).asnumpy(), function(x).asnumpy(), rtol=1e-4, atol=1e-4)


def test_loops_carry_parts() -> None:
    text = split(
        "graph f(%x: f32[4], %y: f32[4], %r: f32[9, 4]) { %a: c64[4] = complex(%x, %y) %b: c64[9, 4] = complex(%r, %r)"
        " %z: c64[4], %s: c64[9, 4] = scan(9, %a, %b, %a, carried=1, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %z: c64[4], %r: c64[4], %a: c64[4]) { %p: c64[4] = multiply(%z, %r)"
        " %t: c64[4] = add(%p, %a) return %t, %p } }"
        " %u: f32[4] = real(%z) %v: f32[9, 4] = imag(%s) return %u, %v }"
    )
    assert "c64" not in text
    assert "carried=2, scanned=2" in text


def test_loops_carry_complex_numbers() -> None:
    x = Tensor(np.random.default_rng(7).normal(size=(16, 16)), ms.float32)

    def function(x: Any, count: Any) -> Any:
        wave = ops.fft(x)
        while count > 0:
            wave = ops.ifft(ops.fft(wave) * (0.5 + 0.5j)) + x
            count = count - 1
        return ops.real(wave) + ops.imag(wave)

    count = Tensor(4, ms.int32)
    np.testing.assert_allclose(ms.jit(function)(x, count).asnumpy(), function(x, count).asnumpy(), rtol=1e-4, atol=1e-4)


EDGES = [0.0, -0.0, 1.0, -1.0, 2.5, np.inf, -np.inf, np.nan]
EXACT: list[Callable[[Any, Any], Any]] = [
    lambda z, x: z + 1.0, lambda z, x: 1.0 - z, lambda z, x: z + x, lambda z, x: x + z, lambda z, x: x - z,
    lambda z, x: z - x, lambda z, x: 0.0 - z, lambda z, x: -(z + x), lambda z, x: z * 2.0, lambda z, x: z * 2j,
    lambda z, x: z * (1 + 0.5j), lambda z, x: z * x, lambda z, x: x * z, lambda z, x: z * z, lambda z, x: -z * 1j,
    lambda z, x: z / x, lambda z, x: z / 2.0, lambda z, x: 1.0 / z, lambda z, x: x / z, lambda z, x: z / (z + 1),
    lambda z, x: (z + x) / (z * 2j), lambda z, x: ops.reciprocal(z), lambda z, x: ops.conj(z + x) * x,
    lambda z, x: ops.where(x > 0, z, z * 0), lambda z, x: ops.conj(x + 0j) * z, lambda z, x: -(x * 1j),
]  # fmt: skip


@pytest.mark.parametrize("function", EXACT)
def test_zeros_nan_and_infinity_are_those_of_complex_numbers(function: Callable[..., Any]) -> None:
    """Parts have the signs of zeros, and nan and infinity in the places, that complex arithmetic gives them."""
    z = Tensor(np.array([complex(a, b) for a in EDGES for b in EDGES], np.complex64))
    x = Tensor(np.repeat(np.float32(EDGES), len(EDGES)))

    def parts(z: Any, x: Any) -> tuple[Any, Any]:
        y = function(z, x)
        return y.real(), y.imag()

    with ms.disable_jit():
        expected = [part.asnumpy() for part in parts(z, x)]
    compiled = ms.jit(parts)
    optimized = compiled.stages(z, x).optimized
    assert not any(value.type.dtype.is_complex for node in optimized.nodes for value in node.outputs)
    for part, wanted in zip(compiled(z, x), expected, strict=True):
        found = part.asnumpy()
        np.testing.assert_allclose(found, wanted, rtol=2e-6)
        there = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found[there]), np.signbit(wanted[there]))


@pytest.mark.parametrize("function", [ops.exp, ops.log, ops.sqrt])
def test_functions_have_the_cuts_and_limits_of_complex_numbers(function: Callable[..., Any]) -> None:
    """Also on the sides of the cut, where a part is infinite, and where the magnitude of exp is above all numbers."""
    edges = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e-30, 1e30, 89.0, -80.0, 3e38, -3e38, np.inf, -np.inf, np.nan]
    z = Tensor(np.array([complex(a, b) for a in edges for b in edges], np.complex64))
    with ms.disable_jit():
        expected = function(z).asnumpy()
    compiled = ms.jit(lambda z: function(z))
    assert "part(" in str(compiled.stages(z).optimized)  # though the complex numbers are made and read
    found = compiled(z).asnumpy()
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        np.testing.assert_allclose(one, other, rtol=2e-6, atol=2e-38)
        there = ~np.isnan(other) & (np.isfinite(z.asnumpy().imag) | (function is not ops.exp))  # else it has no sign
        np.testing.assert_array_equal(np.signbit(one[there]), np.signbit(other[there]))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_quotients_by_the_largest_numbers(dtype: Any) -> None:
    """Their reciprocals are denormal, which kernels take for 0."""
    large = np.finfo(dtype).max / np.array([1.0, 2.0, 3.9, 4.1, 40.0])
    z = np.concatenate([large * 0.4 * (1 + 1j), -large, large * 1j]).astype(dtype)
    found = ms.jit(lambda z: (z / ops.abs(z), z / z, (z + 0) / (z * (0.5 - 0.5j))))(Tensor(z))
    expected = z / np.abs(z.astype(np.clongdouble)), np.ones_like(z), np.full_like(z, 1 + 1j)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=1e-6)


@pytest.mark.parametrize(("dtype", "tiny"), [(np.complex64, 1e-40), (np.complex128, 1e-310)])
def test_roots_of_numbers_that_are_next_to_zero_are_next_to_zero(dtype: Any, tiny: float) -> None:
    """Kernels have zeros for magnitudes that are too small for all their digits."""
    z = Tensor(np.array([complex(0.0, tiny), complex(-0.0, -tiny), complex(-tiny, tiny)], dtype))
    assert (np.abs(ms.jit(lambda z: ops.sqrt(z))(z).asnumpy()) < 2e-20).all()

"""Products that only one sum reads are computed with it, and rounded once; others are not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import has_masked_vectors, unavailable
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.contraction import contracted
from mycel.runtime.native.language import parse

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

COUNT = 61
CONTRACTED = {
    "a sum": ("p = multiply(x, w)\ny = add(p, b)", "multiply_add"),
    "a sum, the other way round": ("p = multiply(x, w)\ny = add(b, p)", "multiply_add"),
    "a difference": ("p = multiply(x, w)\ny = subtract(p, b)", "multiply_subtract"),
    "a difference from something": ("p = multiply(x, w)\ny = subtract(b, p)", "negative_multiply_add"),
    "with a number": ("p = multiply(x, 0.3)\ny = add(p, 0.7)", "multiply_add"),
    "less a number": ("p = multiply(x, w)\ny = subtract(p, 0.7)", "multiply_subtract"),
    "a number less it": ("p = multiply(w, x)\ny = subtract(0.7, p)", "negative_multiply_add"),
    "a square": ("p = multiply(x, x)\ny = add(p, b)", "multiply_add"),
    "a square and its root": ("p = multiply(x, x)\ny = subtract(p, x)", "multiply_subtract"),
}
LEFT = {
    "two products": "p = multiply(x, w)\nq = multiply(w, b)\ny = subtract(p, q)",
    "twice the product": "p = multiply(x, w)\ny = add(p, p)",
    "a product that something else reads": "p = multiply(x, w)\nq = add(p, b)\ny = maximum(p, q)",
    "a product that is needed before the sum over the row": ("p = multiply(x, w)\nt = row_add(b)\ny = add(p, t)"),
}
EXACT = {
    "multiply_add": lambda x, w, b: x * w + b,
    "multiply_subtract": lambda x, w, b: x * w - b,
    "negative_multiply_add": lambda x, w, b: b - x * w,
}


def _text(statements: str, dtype: str = "float32") -> str:
    kind = f"{dtype}[3,{COUNT}] {COUNT * np.dtype(dtype).itemsize} {np.dtype(dtype).itemsize}"
    inputs = "\n".join(f"in {name} {kind}" for name in "xwb")
    return f"over 3 {COUNT}\n{inputs}\nout y {kind}\n{statements}"


def _functions(text: str) -> list[str]:
    kernel = parse(text)
    return [statement.function for statement in contracted(kernel, check(kernel)).statements]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", CONTRACTED)
def test_products_with_one_sum_are_rounded_once(name: str, dtype: str, wide: bool) -> None:
    if wide and not has_masked_vectors():
        pytest.skip("no AVX-512 here")
    statements, function = CONTRACTED[name]
    assert _functions(_text(statements, dtype)) == [function]
    rng = np.random.default_rng(0)
    x, w, b = (rng.standard_normal((3, COUNT)).astype(dtype) for _ in range(3))
    found = np.empty_like(x)
    assert compile_kernel(_text(statements, dtype), wide=wide)(x, w, b, found)
    number = np.array(0.3, dtype), np.array(0.7, dtype)
    w = np.broadcast_to(number[0], x.shape) if "0.3" in statements else x if "(x, x)" in statements else w
    b = np.broadcast_to(number[1], x.shape) if "0.7" in statements else x if "p, x" in statements else b
    for each, *given in zip(found.flat, x.flat, w.flat, b.flat, strict=True):
        exact = EXACT[function](*[Fraction(float(number)) for number in given])
        assert each == np.dtype(dtype).type(float(exact))


@pytest.mark.parametrize("name", LEFT)
def test_other_products_stay(name: str) -> None:
    text = _text(LEFT[name])
    assert _functions(text) == [statement.function for statement in parse(text).statements]


@pytest.mark.parametrize("dtype", ["float16", "int32"])
def test_halves_and_integers_stay(dtype: str) -> None:
    """Halves are rounded after each statement, as in NumPy."""
    assert _functions(_text("p = multiply(x, w)\ny = add(p, b)", dtype)) == ["multiply", "add"]


def test_the_third_product_of_a_sum_is_added_to_the_others() -> None:
    statements = "p = multiply(x, x)\nq = multiply(w, w)\nr = multiply(b, b)\ns = add(p, q)\ny = add(s, r)"
    assert _functions(_text(statements)) == ["multiply", "multiply", "add", "multiply_add"]


def test_equal_products_cancel() -> None:
    """What is 0 in NumPy is no rounding error, whose root would be nan."""
    rng = np.random.default_rng(1)
    x, y = (Tensor(rng.standard_normal(1000).astype(np.float32)) for _ in range(2))
    compiled = ms.jit(
        lambda x, y: (x * y - y * x, ops.sqrt((3 * x) * (3 * x) - (x * 3) * (x * 3)), x * y - (x * y) * 1)
    )
    assert not any(found.asnumpy().any() for found in compiled(x, y))

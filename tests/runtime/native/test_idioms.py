"""Statements that count or rotate bits become one instruction, and only those that do."""

from __future__ import annotations

import numpy as np
import pytest
from searches import chequered

from mycel.runtime.machine.executable import has_masked_vectors, unavailable
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.idioms import with_idioms
from mycel.runtime.native.language import parse

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

PAIRS = {
    "subtract": "a = right_shift(x, 1)\nb = bitwise_and(a, {m1})\nc = subtract(x, b)",
    "add": "a = right_shift(x, 1)\nb = bitwise_and(a, {m1})\nb1 = bitwise_and({m1}, x)\nc = add(b, b1)",
}
FOURS = "d = bitwise_and(c, {m2})\ne = right_shift(c, 2)\nf = bitwise_and({m2}, e)\ng = add(d, f)"
BYTES = {
    "once": "h = right_shift(g, 4)\ni = add(h, g)\nk = bitwise_and(i, {m4})",
    "twice": "h = right_shift(g, 4)\nh1 = bitwise_and(h, {m4})\ni = bitwise_and(g, {m4})\nk = add(i, h1)",
}
SHIFTS = {32: "l = right_shift(k, 8)\nm = add(k, l)\nn = right_shift(m, 16)\no = add(m, n)\ny = bitwise_and(o, {all})"}
SHIFTS[64] = SHIFTS[32].replace("y = ", "p = right_shift(o, 32)\nq = add(o, p)\ny = ").replace("(o, {all}", "(q, {all}")
TOTALS = {"product": "l = multiply(k, {ones})\ny = right_shift(l, {top})", "shifts": ""}
DTYPES = ("int32", "uint32", "int64", "uint64")


def _numbers(dtype: str) -> np.ndarray:
    random = np.random.default_rng(3)
    limits = np.iinfo(dtype)
    drawn = random.integers(limits.min, limits.max, 261, dtype, True)
    return np.concatenate([drawn, np.array([0, 1, limits.min, limits.max, limits.max - 1], dtype)])


def _count(dtype: str, pairs: str, fours: str, total: str, last: int | None = None) -> str:
    bits = 8 * np.dtype(dtype).itemsize
    text = "\n".join([PAIRS[pairs], FOURS, BYTES[fours], TOTALS[total] or SHIFTS[bits]])
    every = {size: int(f"{(1 << size) - 1:0{2 * size}b}" * (bits // (2 * size)), 2) for size in (1, 2, 4)}
    ones = sum(1 << at for at in range(0, bits, 8))
    return text.format(
        m1=every[1], m2=every[2], m4=every[4], ones=ones, top=bits - 8, all=2 * bits - 1 if last is None else last
    )


def _kernel(dtype: str, statements: str) -> str:
    x = _numbers(dtype)
    kind = f"{dtype}[{len(x)}] {x.itemsize}"
    return f"over {len(x)}\nin x {kind}\nout y {kind}\n{statements}"


def _idioms(text: str) -> list[str]:
    kernel = parse(text)
    return [statement.function for statement in with_idioms(kernel, check(kernel), True).statements]


def _compare(dtype: str, statements: str) -> np.ndarray:
    """The result in both instruction sets, which is NumPy's."""
    x, text = _numbers(dtype), _kernel(dtype, statements)
    expected = np.empty_like(x)
    assert evaluator(parse(text), text)(x, expected)
    for wide in (False, True) if has_masked_vectors() else (False,):
        found = np.empty_like(x)
        assert compile_kernel(text, wide=wide)(x, found)
        np.testing.assert_array_equal(found, expected)
    return expected


@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("fours", BYTES)
@pytest.mark.parametrize("pairs", PAIRS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_bits_are_counted(dtype: str, pairs: str, fours: str, total: str) -> None:
    """Each form of the sums of pairs, fours, bytes and all becomes one count."""
    statements = _count(dtype, pairs, fours, total)
    assert _idioms(_kernel(dtype, statements)) == ["bit_count"]
    found = _compare(dtype, statements)
    whole = (1 << 8 * found.itemsize) - 1
    np.testing.assert_array_equal(found, [bin(int(number) & whole).count("1") for number in _numbers(dtype)])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{all}", "31"), ("{all}", "511"), ("k, 8", "k, 9"), ("m, 16", "k, 16"), ("{m2}, e", "{m1}, e"),
        ("c, {m2}", "x, {m2}"), ("{m4}", "{m2}"), ("x, b)", "b, x)"),
    ],
)  # fmt: skip
def test_other_sums_are_no_counts(old: str, new: str) -> None:
    """A mask, a shift or a value that differs leaves the statements as they are."""
    forms = "\n".join([PAIRS["subtract"], FOURS, BYTES["once"], SHIFTS[32]])
    assert old in forms
    masks = {"m1": 0x55555555, "m2": 0x33333333, "m4": 0x0F0F0F0F, "all": 63}
    statements = forms.replace(old, new).format(**masks)
    assert "bit_count" not in _idioms(_kernel("int32", statements))
    _compare("int32", statements)


def test_counts_need_the_processor() -> None:
    """Without the instruction the sums stay; what other statements read stays, too."""
    text = _kernel("int32", _count("int32", "subtract", "once", "shifts"))
    kernel = parse(text)
    assert with_idioms(kernel, check(kernel), False) is kernel
    also = text.replace("out y", "out k int32[266] 4\nout y")
    assert _idioms(also)[-2:] == ["bitwise_and", "bit_count"]


@pytest.mark.parametrize(
    ("join", "count", "dtype"), chequered(["bitwise_or", "bitwise_xor", "add"], [1, 7, 16, 31], DTYPES)
)
def test_rotations(dtype: str, count: int, join: str) -> None:
    """Numbers are rotated; a right shift that repeats the sign is masked."""
    bits = 8 * np.dtype(dtype).itemsize
    mask, x = (1 << count) - 1, _numbers(dtype)
    masked = f"a = left_shift(x, {count})\nb = right_shift(x, {bits - count})\nc = bitwise_and(b, {mask})\n"
    forms = [f"{masked}y = {join}(a, c)", f"{masked}y = {join}(c, a)"]
    plain = f"a = left_shift(x, {count})\nb = right_shift(x, {bits - count})\ny = {join}(a, b)"
    assert ("rotate_left" in _idioms(_kernel(dtype, plain))) is dtype.startswith("u")
    _compare(dtype, plain)
    for form in forms:
        assert _idioms(_kernel(dtype, form)) == ["rotate_left"]
        whole = x.view(f"u{x.itemsize}")
        expected = whole << whole.dtype.type(count) | whole >> whole.dtype.type(bits - count)
        np.testing.assert_array_equal(_compare(dtype, form), expected.view(dtype))


def test_other_shifts_are_no_rotations() -> None:
    """Shifts of other values, by other numbers, or with another mask stay."""
    for a, b, mask in (("x, 5", "x, 26", 31), ("x, 5", "x, 27", 15), ("x, 5", "z, 27", 31), ("x, 0", "x, 32", 0)):
        text = f"z = add(x, 1)\na = left_shift({a})\nb = right_shift({b})\nc = bitwise_and(b, {mask})\n"
        assert "rotate_left" not in _idioms(_kernel("int32", f"{text}y = bitwise_or(a, c)"))
        _compare("int32", f"{text}y = bitwise_or(a, c)")

"""Kernels that differ in numbers share machine code, to the bytes that code of their own would have."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

from mycel.runtime.machine.executable import has_masked_vectors, unavailable
from mycel.runtime.machine.symbolic_sizes import Templates
from mycel.runtime.native import codegen
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel, machine_code
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.functions import FUNCTIONS
from mycel.runtime.native.language import parse

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

HALVES = struct.unpack("<d", struct.pack("<I", 0x3F8CCCCD) * 2)[0]
SPECIAL = [0.0, -0.0, 1.0, 0.5, -1.0, 2.0, 1e-50, 1e50, HALVES, 1 / 3, 0.1, 0.1000000001, 1e-320, 7.0, 3.5]
"""Numbers that functions have or look at; that are 0, infinite or equal in float32, or have equal halves."""


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No kernel has code yet."""
    for name in ("_codes", "_chosen"):
        monkeypatch.setattr(codegen, name, {})
    monkeypatch.setattr(codegen, "_sized", Templates())


def text_of(dtype: str, columns: int, functions: list[tuple[str, str]], numbers: list[float]) -> str:
    """A kernel of functions of one value before and one number; the text of each argument list has both."""
    size = np.dtype(dtype).itemsize
    head = f"over 3 {columns}\nin x {dtype}[3,{columns}] {columns * size} {size}\n"
    lines, last = [], "x"
    for at, ((function, given), number) in enumerate(zip(functions, numbers, strict=True)):
        last = f"y{at}"
        lines.append(f"{last} = {function}({given.format('x' if not at else f'y{at - 1}', repr(number))})")
    return f"{head}out {last} {dtype}[3,{columns}] {columns * size} {size}\n" + "\n".join(lines)


def chosen(rng: random.Random, dtype: str, columns: int) -> list[tuple[str, str]]:
    """Functions of two numbers, and of one, that a dtype has."""
    found: list[tuple[str, str]] = []
    while len(found) < 4:
        function = rng.choice(sorted(FUNCTIONS))
        given = rng.choice(["{0}, {1}", "{1}, {0}", "{0}"])
        try:
            machine_code(text_of(dtype, columns, [*found, (function, given)], [1.25] * (len(found) + 1)))
        except (Unsupported, ValueError, TypeError):
            continue
        found.append((function, given))
    return found


@pytest.mark.parametrize("wide", [False, True] if has_masked_vectors() else [False])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_shared_code_is_the_code_of_its_own(dtype: str, wide: bool) -> None:
    """For numbers of which none is special."""
    rng = random.Random(f"{dtype} {wide}")
    shared = 0
    for _ in range(25):
        columns = rng.choice([1, 5, 33, 80])
        functions = chosen(rng, dtype, columns)
        codegen.forget()
        texts = [text_of(dtype, columns, functions, [rng.uniform(0.3, 0.9) for _ in functions]) for _ in range(2)]
        first, second = (machine_code(text, wide) for text in texts)
        kept = len(codegen._codes)
        codegen.forget()
        assert machine_code(texts[1], wide) == second, texts
        shared += kept == 1 and first != second
    assert shared >= 6


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_kernels_that_share_code_compute_with_their_own_numbers(dtype: str) -> None:
    """With special numbers, and with equal ones, in any order."""
    rng = random.Random(dtype)
    x = np.random.default_rng(0).uniform(0.1, 2.0, (3, 33)).astype(dtype)
    for _ in range(12):
        functions = [
            (rng.choice(["add", "multiply", "divide", "maximum", "minimum", "subtract"]), given)
            for given in rng.choices(["{0}, {1}", "{1}, {0}"], k=3)
        ]
        functions.insert(1, ("sigmoid" if "sigmoid" in FUNCTIONS else "tanh", "{0}"))
        for _ in range(12):
            numbers = [rng.choice([*SPECIAL, rng.uniform(-2, 2)]) for _ in functions]
            if rng.random() < 0.3:
                numbers[2] = numbers[0]
            text = text_of(dtype, 33, functions, numbers)
            made, expected = np.empty_like(x), np.empty_like(x)
            assert compile_kernel(text)(x, made)
            with np.errstate(all="ignore"):
                evaluator(parse(text), text)(x, expected)
            np.testing.assert_allclose(made, expected, rtol=1e-5, err_msg=text)
            zeros = (made == 0) & (expected == 0)
            assert (np.signbit(made) == np.signbit(expected))[zeros].all(), text


def test_conditions_share_code() -> None:
    """A comparison with each of some numbers has code once; with a special one it may have its own."""
    for number in range(1, 40):
        machine_code(f"over 1\nin s float32[] 0\nout b bool[] 0\nb = greater(s, {number}.5)")
    assert len(codegen._codes) == 1


def test_quotients_by_infinity_have_code() -> None:
    """A divisor that is infinite in float32."""
    text = "over 20\nin x float32[20] 4\nout y float32[20] 4\ny = divide(x, {})"
    assert {len(machine_code(text.format(number))) > 0 for number in ("inf", "-1e+50", "nan")} == {True}


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_numbers_that_a_dtype_has_not(dtype: str) -> None:
    """They are errors also where a kernel of the same form has been checked."""
    size = np.dtype(dtype).itemsize
    array = f"{dtype}[3,8] {8 * size} {size}"
    text = f"over 3 8\nin x {array}\nout y {array}\ny = add(x, {{}})"
    compile_kernel(text.format("1.0"))
    with pytest.raises(Unsupported, match=f"2.5 is no number of {dtype}"):
        compile_kernel(text.format("2.5"))

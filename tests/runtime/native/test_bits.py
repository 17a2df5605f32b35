"""Masks that no result needs are left out, and two bitwise functions are one instruction; the numbers stay the same."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.demanded_bits import with_demanded_bits
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse
from mycel.runtime.native.ternary_logic import FIRST, FUNCTIONS, SECOND, THIRD, in_order

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
MASKS = ("bitwise_and({}, 1023)", "bitwise_and(65535, {})", "bitwise_and({}, 96)", "bitwise_and({}, 1)")
BITWISE = ("bitwise_and({}, {})", "bitwise_or({}, {})", "bitwise_xor({}, {})")
OTHERS = (
    "add({}, {})", "multiply({}, 77)", "subtract({}, {})", "right_shift({}, 3)", "right_shift({}, 7)",
    "left_shift({}, 2)", "left_shift({}, 5)", "bitwise_not({})", "negative({})", "copy({})", "maximum({}, {})",
)  # fmt: skip


def _kernel(dtype: str, statements: list[str], count: int = 77) -> str:
    kind = f"{dtype}[{count}] {np.dtype(dtype).itemsize}"
    arrays = [f"in a {kind}", f"in b {kind}", f"out y {kind}"]
    return "\n".join([f"over {count}", *arrays, *statements])


def _functions(dtype: str, *statements: str) -> list[str]:
    kernel = parse(_kernel(dtype, list(statements)))
    return [statement.function for statement in with_demanded_bits(kernel, check(kernel)).statements]


def _compare(dtype: str, text: str, seed: int, count: int = 77) -> None:
    draw, limits = np.random.default_rng(seed), np.iinfo(dtype)
    a, b = (draw.integers(limits.min, limits.max, count, dtype, True) for _ in range(2))
    results = []
    for function in (compile_kernel(text), evaluator(parse(text), text)):
        results.append(np.zeros(count, dtype))
        function(a, b, results[-1])
    np.testing.assert_array_equal(results[0], results[1], err_msg=text)


def test_a_round_of_a_hash_has_one_mask() -> None:
    found = _functions(
        "int32", "c = bitwise_and(a, 1023)", "d = right_shift(c, 7)", "e = bitwise_xor(c, d)", "f = multiply(e, 2053)",
        "y = bitwise_and(f, 1023)",
    )  # fmt: skip
    assert found == ["right_shift", "bitwise_and", "bitwise_xor", "multiply_words", "bitwise_and"]


@pytest.mark.parametrize(
    ("dtype", "last", "short"),
    [
        ("int32", "y = bitwise_and(c, 65535)", True), ("int32", "y = bitwise_and(c, 65536)", False),
        ("int32", "y = right_shift(c, 3)", False), ("int32", "d = left_shift(c, 3)\ny = bitwise_and(d, 524287)", True),
        ("int32", "d = bitwise_and(c, 7)\ny = maximum(d, c)", False), ("int64", "y = bitwise_and(c, 15)", False),
    ],
)  # fmt: skip
def test_products_of_words(dtype: str, last: str, short: bool) -> None:
    """Products of which 16 bits are read; factors and constants of any size give the same bits."""
    lines = ["c = multiply(a, b)", *last.split("\n")]
    assert ("multiply_words" in _functions(dtype, *lines)) is short
    _compare(dtype, _kernel(dtype, lines), 1)
    _compare(dtype, _kernel(dtype, [lines[0].replace("b", "-1640531535"), *lines[1:]]), 2)


def test_a_cast_to_fewer_bits_needs_no_mask() -> None:
    head = "over 77\nin a int32[77] 4\nout y uint8[77] 1\n"
    text = head + "b = right_shift(a, 3)\nc = bitwise_and(b, {})\ny = cast(c, uint8)"
    a = np.random.default_rng(4).integers(-(2**31), 2**31, 77, np.int32)
    for mask, count in ((255, 2), (1023, 2), (127, 3)):
        kernel = parse(text.format(mask))
        assert len(with_demanded_bits(kernel, check(kernel)).statements) == count
        y = np.zeros(77, np.uint8)
        compile_kernel(text.format(mask))(a, y)
        np.testing.assert_array_equal(y, (a >> 3 & mask).astype(np.uint8))


def test_products_of_words_with_more_constants_than_registers() -> None:
    lines = [f"p{k} = multiply(a, {k * 65537 + 12345})" for k in range(40)]
    lines += [
        "s0 = copy(b)",
        *(f"s{k + 1} = bitwise_xor(s{k}, p{k})" for k in range(40)),
        "y = bitwise_and(s40, 65535)",
    ]
    assert _functions("int32", *lines).count("multiply_words") == 40
    _compare("int32", _kernel("int32", lines, 770), 3, 770)


@pytest.mark.parametrize(
    "last", ["y = maximum(c, b)", "y = right_shift(c, 1)", "d = copy(c)\ny = bitwise_and(d, 2047)", "y = add(c, b)"]
)
def test_masks_that_results_need_stay(last: str) -> None:
    assert "bitwise_and" in _functions("int32", "c = bitwise_and(a, 1023)", *last.split("\n"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_random_statements_give_the_same_numbers(dtype: str) -> None:
    """Chains of masks, shifts and other functions, with values that several read."""
    draw = np.random.default_rng(5)
    shorter = 0
    for seed in range(24):
        values, statements = ["a", "b"], []
        for number in range(int(draw.integers(3, 12))):
            forms = (MASKS, BITWISE, OTHERS)[draw.choice(3, p=(0.4, 0.35, 0.25))]
            given = [values[-1 - min(int(draw.geometric(0.6)) - 1, len(values) - 1)] for _ in range(2)]
            statements.append(f"v{number} = {str(draw.choice(forms)).format(*given)}")
            values.append(f"v{number}")
        if np.iinfo(dtype).max < 1023:
            statements = [line.replace("1023", "15").replace("65535", "63") for line in statements]
        text = _kernel(dtype, [line.replace("65535", "32767") for line in statements] + [f"y = copy({values[-1]})"])
        kernel = parse(text)
        shorter += len(with_demanded_bits(kernel, check(kernel)).statements) < len(kernel.statements)
        _compare(dtype, text, seed)
    assert shorter > 5


def test_truth_tables_in_other_orders() -> None:
    table = FUNCTIONS["and_not"](FUNCTIONS["xor"](FIRST, SECOND), THIRD) & 0xFF
    assert in_order(table, (0, 1, 2)) == table
    places = (FIRST, SECOND, THIRD)
    for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        a, b, c = (places[order.index(operand)] for operand in range(3))
        assert in_order(table, order) == FUNCTIONS["and_not"](FUNCTIONS["xor"](a, b), c) & 0xFF

"""Symbolic integers: what is computed of them is computed again for other sizes, where all guards hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from mycel.runtime.machine.assembler import RAX, RCX, RSP, Assembler, Memory, with_numbers
from mycel.runtime.machine.symbolic_sizes import SizeTrace, Symbolic, Templates


def traced(function: Callable[..., Any], *sizes: int) -> tuple[Any, SizeTrace]:
    """What a function gives for symbolic sizes, and the trace."""
    trace = SizeTrace(sizes)
    return function(*trace.sizes), trace


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: a * 3 + b,
        lambda a, b: 5 - a % b,
        lambda a, b: -(-a // b) * b,
        lambda a, b: math.prod([a, b, 7]),
        lambda a, b: sum(divmod(a, b)),
        lambda a, b: sum([a, b, b]) << 2,
        lambda a, b: 7 // b + (a & 6) - (100 >> b),
        lambda a, b: abs(b - a),
        lambda a, b: max(a, b, 4) - min(a, b),
        lambda a, b: sorted([a, b, 4])[1] * 1,
    ],
)
def test_values_are_computed_again(function: Callable[..., Any]) -> None:
    result, trace = traced(function, 20, 6)
    assert type(result) is Symbolic
    assert result.value == function(20, 6)
    for a, b in ((21, 6), (40, 5), (1, 1), (6, 20), (9, 9)):
        values = trace.again((a, b))
        assert values is None or values[result.number] == function(a, b)
    values = trace.again((23, 7))
    assert values is not None
    assert values[result.number] == function(23, 7)


@pytest.mark.parametrize(
    "function",
    [
        lambda n: n > 8,
        lambda n: n < 8,
        lambda n: n >= 9 and n <= 30,
        lambda n: bool(n % 4),
        lambda n: (0, n) != (0, 8),
        lambda n: n // 8 == 1,
    ],
)
def test_a_guard_holds_where_the_outcome_is_the_same(function: Callable[..., bool]) -> None:
    outcome, trace = traced(function, 10)
    same = [n for n in range(1, 60) if trace.again((n,)) is not None]
    assert same
    assert all(function(n) == outcome for n in same)
    assert 10 in same


@pytest.mark.parametrize(
    "function", [lambda n: [0] * n, lambda n: [*range(n)], lambda n: bytes(n), lambda n: "abcdefghijk"[n], int, hex]
)
def test_a_plain_integer_holds_for_itself_alone(function: Callable[..., Any]) -> None:
    result, trace = traced(function, 10)
    assert result == function(10)
    assert [n for n in range(1, 40) if trace.again((n,)) is not None] == [10]


@pytest.mark.parametrize("function", [lambda n: {n: 1}, lambda n: {n}, hash, lambda n: n / 2, lambda n: n + 0.5])
def test_what_has_no_trace_is_an_error(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        traced(function, 10)


def test_a_division_by_zero_is_no_code() -> None:
    """Where the generator would not have come to it."""
    _, trace = traced(lambda a, b: a % b if b else 0, 10, 3)
    assert trace.again((10, 0)) is None


INSTRUCTIONS: list[Callable[[Assembler, Any], None]] = [
    lambda code, n: code.add(RAX, n, RCX),
    lambda code, n: code.compare(Memory(RSP, 8), n),
    lambda code, n: code.multiply(RAX, RCX, n),
    lambda code, n: code.store_number(Memory(RSP, 8), n),
    lambda code, n: code.constant(RCX, n),
]


@pytest.mark.parametrize("write", INSTRUCTIONS)
def test_numbers_in_instructions(write: Callable[[Assembler, Any], None]) -> None:
    """They are replaced where they fit."""

    def code_of(size: int) -> tuple[bytes, list[tuple[int, int, int]], SizeTrace]:
        code, inner, trace = Assembler(), Assembler(), SizeTrace((size,))
        label = code.new_label()
        code.ret()
        write(inner, trace.sizes[0] * 8 - 3)
        code.paste(inner, label)
        code.place(label)
        return code.finish(), [(place, nbytes, value.number) for place, nbytes, value in code.symbols], trace

    code, symbols, trace = code_of(5)
    assert len(symbols) == 1
    for size in (5, 0, 1, 1000, 1 << 27, -(1 << 27)):
        values = trace.again((size,))
        assert values is not None
        assert with_numbers(code, symbols, values) == code_of(size)[0]
    values = trace.again((1 << 40,))
    assert values is not None
    assert (with_numbers(code, symbols, values) is None) == (symbols[0][1] == 4)


def test_the_second_code_of_a_kind_is_a_template() -> None:
    """It is for other sizes as long as its guards hold; what cannot be traced is written for each."""
    written: list[tuple[str, tuple[int, ...], bool]] = []
    templates: Templates[list[Any]] = Templates(most=2)

    def code(kind: str, size: int, several: bool = False) -> list[Any]:
        def write(trace: SizeTrace | None) -> list[Any]:
            written.append((kind, (size,), trace is not None))
            n: Any = size if trace is None else trace.sizes[0]
            small = n < 100 if kind != "pinned" else [0] * n == []
            return [small, {n: 0}] if kind == "hashed" else [small, n * 2]

        def fill(made: list[Any], values: list[int]) -> list[Any]:
            return [made[0], values[made[1].number]]

        small, double = templates.code(kind, (size,), write, fill, several)
        return [small, double.value if type(double) is Symbolic else double]

    assert [code("some", size) for size in (4, 4, 5, 6, 200, 7, 300)] == [
        [True, 8], [True, 8], [True, 10], [True, 12], [False, 400], [True, 14], [False, 600]
    ]  # fmt: skip
    assert [(size, symbolic) for _, (size,), symbolic in written] == [(4, False), (4, False), (5, True), (200, True)]
    written.clear()
    for size in (1, 2, 3):
        assert code("hashed", size) == [True, {size: 0}]
    assert [symbolic for *_, symbolic in written] == [False, True, False, False]
    written.clear()
    for size in (1, 2, 3, 4, 3, 5, 3, 4):  # the two that were asked for last are kept
        assert code("pinned", size, several=True) == [False, 2 * size]
    assert [size for _, (size,), _ in written] == [1, 2, 3, 4, 5, 4]
    assert all(symbolic for *_, symbolic in written)

"""Scans in registers: running reductions and linear recurrences along the columns of a row, one vector at a time.

Each function gives the values for the current columns, and in every lane the value for the last of them, which the next
vector starts from.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .builder import Builder, Value
from .functions import FUNCTIONS, IDENTITY
from .language import RECURRENCE, SCAN

LAST = {4: 0xFF, 8: 0xEE}
"""By the bytes of a lane: the shuffle that copies the last lane of each half to the whole half."""


def _lanes(builder: Builder, x: Value) -> list[Value]:
    """Each lane of a vector, in every lane."""
    halves = [builder.emit("halves", x.dtype, x, x, immediate=half) for half in (0x00, 0x11)]
    orders = (0x00, 0x55, 0xAA, 0xFF) if builder.width == 4 else (0x44, 0xEE)
    return [builder.emit("shuffle", x.dtype, half, immediate=order) for half in halves for order in orders]


def _in_turn(builder: Builder, carry: Value, steps: list[Callable[[Value], Value]]) -> tuple[Value, Value]:
    """Lane by lane: each step gives the value of its lane from that of the lane before, both in every lane."""
    result = carry = steps[0](carry)
    words = builder.width // 4
    for lane, step in enumerate(steps[1:], 1):
        carry = step(carry)
        result = builder.emit("mixed", carry.dtype, result, carry, immediate=0xFF << lane * words & 0xFF)
    return result, carry


def neutral(function: str, dtype: str) -> float:
    """What a scan starts from: it changes no first value, not even -0.0. `function` is that of the statement."""
    name = "add" if function == RECURRENCE else function.removeprefix(SCAN)
    return -0.0 if name == "add" and dtype.startswith("float") else IDENTITY[name](dtype)


def recurrence(builder: Builder, a: Value, b: Value, carry: Value) -> tuple[Value, Value]:
    """y[i] = a[i] * y[i - 1] + b[i] for the current columns, and the last of them in every lane.

    Two steps could be one, with the factor a' * a and the term a' * b + b'. But the product of two factors may be
    infinite or zero where no y is. The first factor of a row has no influence: it is infinite in some.
    """
    multiply, (first, *factors) = FUNCTIONS["multiply"], _lanes(builder, a)
    if a.dtype.startswith("float"):
        start = builder.constant(neutral(RECURRENCE, a.dtype), a.dtype)
        begins = builder.equal(*(builder.seen_as(x, builder.integer) for x in (carry, start)))
        first = builder.bit_and_not(builder.seen_as(begins, a.dtype), first, a.dtype)

    def step(a: Value, b: Value) -> Callable[[Value], Value]:
        if a.dtype.startswith("float"):
            return lambda before: builder.multiply_add(a, before, b)
        return lambda before: builder.add(multiply(builder, a, before), b)

    return _in_turn(builder, carry, list(map(step, (first, *factors), _lanes(builder, b))))


def running(builder: Builder, name: str, x: Value, carry: Value) -> tuple[Value, Value]:
    """Combine each current column with all columns before it in its row; `name` is that of the reduction.

    A prefix sum in a register (W. D. Hillis and G. L. Steele): each lane adds the lane before it, then the one two
    before, then the total of the lower half. The total of earlier columns is added last, so that the dependent
    chain from one vector to the next has only that addition. Floats are multiplied one after the other: the product of
    some may be infinite or zero although that of all before them is not.
    """
    function, width = FUNCTIONS[name], builder.width
    if name == "multiply" and x.dtype.startswith("float"):
        return _in_turn(builder, carry, [partial(function, builder, lane) for lane in _lanes(builder, x)])
    ends = LAST[width]
    start = builder.constant(neutral(name, x.dtype), x.dtype)
    for distance in (4, 8) if width == 4 else (8,):
        x = function(builder, builder.emit("align", x.dtype, x, start, immediate=16 - distance), x)
    lower = builder.emit("halves", x.dtype, x, start, immediate=0x02)
    x = function(builder, builder.emit("shuffle", x.dtype, lower, immediate=ends), x)
    upper = builder.emit("swap_halves", x.dtype, x, immediate=0x11)
    total = function(builder, carry, builder.emit("shuffle", x.dtype, upper, immediate=ends))
    return function(builder, carry, x), total

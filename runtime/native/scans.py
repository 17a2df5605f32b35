"""Scans in registers: running reductions and linear recurrences along the columns of a row, one vector at a time.

Each function gives the values for the current columns, and in every lane the value for the last of them, which the next
vector starts from.
"""

from __future__ import annotations

from .builder import EQUAL, Builder, Value
from .functions import FUNCTIONS, IDENTITY

LAST = {4: 0xFF, 8: 0xEE}
"""By the bytes of a lane: the shuffle that copies the last lane of each half to the whole half."""


def recurrence(builder: Builder, a: Value, b: Value, carry: Value) -> tuple[Value, Value]:
    """y[i] = a[i] * y[i - 1] + b[i] for the current columns, and the last of them in every lane.

    Two steps in a row are one with the factor a' * a and the term a' * b + b'. So factors and terms are combined as
    in a prefix sum. A product of factors may overflow although the steps one by one would not; then a y of 0
    stays 0.
    """
    multiply, width = FUNCTIONS["multiply"], builder.width
    ends = LAST[width]
    one, zero = builder.constant(1, a.dtype), builder.constant(0, a.dtype)

    def follow(factor: Value, before: Value, term: Value) -> Value:
        product = multiply(builder, factor, before)
        if a.dtype.startswith("float"):
            product = builder.bit_and_not(builder.compare(before, zero, EQUAL), product, a.dtype)
        return builder.add(product, term)

    def spread(x: Value, start: Value) -> Value:
        lower = builder.emit("halves", x.dtype, x, start, immediate=0x02)
        return builder.emit("shuffle", x.dtype, lower, immediate=ends)

    def last(x: Value) -> Value:
        upper = builder.emit("swap_halves", x.dtype, x, immediate=0x11)
        return builder.emit("shuffle", x.dtype, upper, immediate=ends)

    for distance in (4, 8) if width == 4 else (8,):
        moved = [builder.emit("align", x.dtype, x, s, immediate=16 - distance) for x, s in ((a, one), (b, zero))]
        b, a = follow(a, moved[1], b), multiply(builder, a, moved[0])
    b, a = follow(a, spread(b, zero), b), multiply(builder, a, spread(a, one))
    return follow(a, carry, b), follow(last(a), carry, last(b))


def running(builder: Builder, name: str, x: Value, carry: Value) -> tuple[Value, Value]:
    """Combine each current column with all columns before it in its row; `name` is that of the reduction.

    A prefix sum in a register (W. D. Hillis and G. L. Steele): each lane adds the lane before it, then the one two
    before, then the total of the lower half. The total of earlier columns is added last, so that the dependent
    chain from one vector to the next has only that addition.
    """
    function, width = FUNCTIONS[name], builder.width
    ends = LAST[width]
    start = builder.constant(IDENTITY[name](x.dtype), x.dtype)
    for distance in (4, 8) if width == 4 else (8,):
        x = function(builder, x, builder.emit("align", x.dtype, x, start, immediate=16 - distance))
    lower = builder.emit("halves", x.dtype, x, start, immediate=0x02)
    x = function(builder, x, builder.emit("shuffle", x.dtype, lower, immediate=ends))
    upper = builder.emit("swap_halves", x.dtype, x, immediate=0x11)
    total = function(builder, carry, builder.emit("shuffle", x.dtype, upper, immediate=ends))
    return function(builder, carry, x), total

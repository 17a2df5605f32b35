"""Instruction selection: two bitwise functions, of which one alone reads the other's result, are one instruction of
AVX-512, of three operands and a truth table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

from .builder import Instruction, Value

TERNARY = "ternary"
"""The operation; its immediate number is the truth table, with the first operand's bit as the highest of an index."""
FIRST, SECOND, THIRD = 0xF0, 0xCC, 0xAA  # the truth tables of the operands themselves
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "and_not": lambda x, y: ~x & y,
}

Steps = Sequence[Any]
Reads = Sequence[Sequence[Value]]


def with_ternary_logic(steps: Steps, reads: Reads, pinned: Collection[int]) -> tuple[Steps, Reads]:
    """The steps of a basic block, and what each reads, with such instructions. `pinned`: values that may change."""
    if len([1 for step in steps if step.__class__ is Instruction and step.operation in FUNCTIONS]) < 2:
        return steps, reads
    counts = Counter(value.number for values in reads for value in values if value.kind == "register")
    inner: dict[int, int] = {}  # the values that are read once, and the steps that make them
    made, read = list(steps), list(reads)
    for time, step in enumerate(steps):
        if step.__class__ is not Instruction or step.operation not in FUNCTIONS or not _are_whole(step.sources):
            continue
        for place, source in enumerate(step.sources):
            if source.kind == "register" and source.number in inner:
                before = inner.pop(source.number)
                first, function = made[before], FUNCTIONS[step.operation]
                both = FUNCTIONS[first.operation](FIRST, SECOND)
                table = function(THIRD, both) if place else function(both, THIRD)
                operands = *first.sources, step.sources[1 - place]
                made[time], read[time] = Instruction(TERNARY, step.target, operands, table & 0xFF), operands
                made[before] = None
                break
        else:
            number = step.target.number if step.target else -1
            fixed = any(x.kind == "slot" or (x.kind == "register" and x.number in pinned) for x in step.sources)
            if counts[number] == 1 and number not in pinned and not fixed:
                inner[number] = time
    kept = [time for time, step in enumerate(made) if step is not None]
    return [made[time] for time in kept], [read[time] for time in kept]


def _are_whole(sources: Sequence[Value]) -> bool:
    """Whether no operand may be in a mask register."""
    return all(x.dtype != "bool" or x.kind == "constant" for x in sources)


@cache
def in_order(table: int, order: tuple[int, int, int]) -> int:
    """The truth table for operands in another order: `order` has the old number of each."""
    made = 0
    for index in range(8):
        bits = [index >> 2 - order.index(operand) & 1 for operand in range(3)]
        made |= (table >> (bits[0] << 2 | bits[1] << 1 | bits[2]) & 1) << index
    return made

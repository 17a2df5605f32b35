"""Demanded bits: masks whose zeros nobody reads are left out, and those before shifts move behind them. Products of
which nobody reads more than 16 bits are products of words, `multiply_words`.

    b = bitwise_and(a, 1023)            b = right_shift(a, 7)
    c = right_shift(b, 7)               c = bitwise_and(b, 7)
    d = bitwise_xor(b, c)         ->    d = bitwise_xor(a, c)
    e = bitwise_and(d, 1023)            e = bitwise_and(d, 1023)

Behind a shift a mask and the function that reads it are one instruction of AVX-512 (`ternary_logic.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .idioms import results_of, without_dead
from .language import SIZES, Kernel, Number, Statement

ALL = -1
OF_EACH_BIT = ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "copy")
OF_LOWER_BITS = ("add", "subtract", "multiply", "negative")
"""Functions of whose arguments a bit has no effect on lower bits of the result."""


def with_demanded_bits(kernel: Kernel, dtypes: Mapping[str, str]) -> Kernel:
    """The kernel with as few masks as its results need."""
    if all(statement.function != "bitwise_and" for statement in kernel.statements):
        return kernel
    made = {statement.name: statement for statement in kernel.statements}
    wanted = demanded_bits(kernel, dtypes)
    found = []
    for statement in kernel.statements:
        given = []
        for place, argument in enumerate(statement.arguments):
            if isinstance(argument, str):
                bits = _demanded(statement, place, wanted, dtypes)
                while (mask := _mask(made.get(argument))) and not bits & ~mask[1]:
                    argument = mask[0]
            given.append(argument)
        is_product = statement.function == "multiply" and dtypes[statement.name] == "int32"
        short = is_product and 0 <= wanted.get(statement.name, 0) < 1 << 16
        function = "multiply_words" if short else statement.function
        found.append(statement._replace(function=function, arguments=tuple(given)))
    return without_dead(kernel, _behind_shifts(kernel, without_dead(kernel, found).statements, dtypes))


def demanded_bits(kernel: Kernel, dtypes: Mapping[str, str]) -> dict[str, int]:
    """The bits of each value that have an effect on results; -1 for all."""
    wanted = dict.fromkeys(results_of(kernel), ALL)
    for statement in reversed(kernel.statements):
        for place, argument in enumerate(statement.arguments):
            if isinstance(argument, str):
                wanted[argument] = wanted.get(argument, 0) | _demanded(statement, place, wanted, dtypes)
    return wanted


def _mask(statement: Statement | None) -> tuple[str, int] | None:
    """The value whose bits a statement masks, and the mask."""
    if statement is None or statement.function != "bitwise_and":
        return None
    x, y = statement.arguments
    if isinstance(x, Number):
        x, y = y, x
    return (x, int(y.value)) if isinstance(x, str) and isinstance(y, Number) else None


def _demanded(statement: Statement, place: int, wanted: Mapping[str, int], dtypes: Mapping[str, str]) -> int:
    """The bits of an argument that have an effect on the wanted ones of the result."""
    function, dtype, bits = statement.function, dtypes[statement.name], wanted.get(statement.name, 0)
    size = 8 * SIZES[dtype]
    if "int" not in dtype:
        return ALL
    if function == "cast" and size < 32:
        return (1 << size) - 1
    if function in OF_EACH_BIT:
        mask = _mask(statement)
        return bits & mask[1] if mask else bits
    if function in OF_LOWER_BITS:
        return ALL if bits < 0 else (1 << bits.bit_length()) - 1
    count = _count(statement, size) if place == 0 else None
    if count is None or bits < 0:
        return ALL
    if function == "left_shift":
        return bits >> count
    return ALL if bits << count >> size else bits << count  # bits from the sign on


def _count(statement: Statement, size: int) -> int | None:
    """By how many bits a statement shifts, if it does by a number."""
    if statement.function in ("left_shift", "right_shift"):
        count = statement.arguments[1]
        if isinstance(count, Number) and 0 <= count.value < size:
            return int(count.value)
    return None


def _behind_shifts(kernel: Kernel, statements: tuple[Statement, ...], dtypes: Mapping[str, str]) -> list[Statement]:
    """The statements with masks behind right shifts, where the shift alone reads what is masked."""
    made = {statement.name: statement for statement in statements}
    reads = Counter(argument for statement in statements for argument in statement.arguments)
    reads.update(results_of(kernel))
    for statement in statements:
        x, *rest = statement.arguments
        if not isinstance(x, str) or statement.function != "right_shift" or reads[x] > 1:
            continue
        mask, size = _mask(made.get(x)), 8 * SIZES[dtypes[statement.name]]
        count = _count(statement, size)
        if mask is None or count is None or not 0 <= mask[1] < 1 << size - 1:
            continue
        made[x] = statement._replace(name=x, arguments=(mask[0], *rest))
        made[statement.name] = Statement(statement.name, "bitwise_and", (x, Number(mask[1] >> count)))
    return [made[statement.name] for statement in statements]

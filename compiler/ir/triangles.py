"""What a value is above the diagonals of its matrices, and the rules by which ops pass that on (`Op.above`).

A rule gets what each input is there, None where that is not known, and gives what the output is. If it gives something
without knowing an input, then this input has no influence there. Numbers are taken to be finite.
"""

from __future__ import annotations

INFINITE, ZERO, POSITIVE, TRUE, FALSE = "-inf", "0", "a positive number", "true", "false"
Found = str | None


def of_choice(condition: Found, x: Found, y: Found) -> Found:
    """The rule of `select`."""
    if condition in (TRUE, FALSE):
        return x if condition == TRUE else y
    return x if x == y else None


def of_product(x: Found, y: Found) -> Found:
    """The rule of `multiply`."""
    if ZERO in (x, y):
        return ZERO
    return INFINITE if {x, y} == {INFINITE, POSITIVE} else None


def of_quotient(x: Found, y: Found) -> Found:
    """The rule of `divide`."""
    return ZERO if x == ZERO else INFINITE if (x, y) == (INFINITE, POSITIVE) else None


def of_sum(x: Found, y: Found) -> Found:
    """The rule of `add`."""
    return INFINITE if INFINITE in (x, y) else ZERO if x == y == ZERO else None


def of_difference(x: Found, y: Found) -> Found:
    """The rule of `subtract`."""
    return INFINITE if x == INFINITE != y else ZERO if x == y == ZERO else None


def of_exponential(x: Found) -> Found:
    """The rule of `exp`."""
    return ZERO if x == INFINITE else None


def of_zero(x: Found) -> Found:
    """The rule of functions of zero that are zero."""
    return ZERO if x == ZERO else None


def of_negation(x: Found) -> Found:
    """The rule of `logical_not`."""
    return {TRUE: FALSE, FALSE: TRUE}.get(x or "")


def of_either(x: Found, y: Found) -> Found:
    """The rule of `logical_or`."""
    return TRUE if TRUE in (x, y) else FALSE if x == y == FALSE else None


def of_both(x: Found, y: Found) -> Found:
    """The rule of `logical_and`."""
    return FALSE if FALSE in (x, y) else TRUE if x == y == TRUE else None

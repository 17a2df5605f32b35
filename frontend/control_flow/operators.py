"""Operators that look at truth values: `and`, `or`, `not`, `in`, `is`, comparisons, conditional expressions.

With Python values they behave as Python. A traced operand is passed to the builder, which records nodes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .builder import builder, builder_for, lifted
from .state import Names, Thunk, Variables, is_traced


def and_(value: Any, *others: Thunk, joins: Names = ()) -> Any:
    """`value and …`; joins are the names that the operands after the first may bind."""
    for position, other in enumerate(others):
        test = lifted(value)
        if is_traced(test):
            return builder_for(value).shortcuts.and_(
                value, others[position:], Variables.bound(joins, others[position:])
            )
        if not test:
            return test
        value = other()
    return value


def or_(value: Any, *others: Thunk, joins: Names = ()) -> Any:
    """`value or …`; joins are the names that the operands after the first may bind."""
    for position, other in enumerate(others):
        test = lifted(value)
        if is_traced(test):
            return builder_for(value).shortcuts.or_(value, others[position:], Variables.bound(joins, others[position:]))
        if test:
            return test
        value = other()
    return value


def not_(value: Any) -> Any:
    """`not value`."""
    value = lifted(value)
    return builder_for(value).numbers.not_(value) if is_traced(value) else not value


def ternary(test: Any, then: Thunk, orelse: Thunk, joins: Names = ()) -> Any:
    """`then() if test else orelse()`."""
    test = lifted(test)
    if is_traced(test):
        return builder_for(test).branches.ternary(test, then, orelse, Variables(joins, (then, orelse), joins, True))
    return then() if test else orelse()


def compare(left: Any, symbol: str, right: Any, *others: Any, joins: Names = ()) -> Any:
    """A chain of comparisons `left < right < …`. Each value is computed once, and only if it is needed."""
    result = _COMPARISONS[symbol](left, right)
    if not others:
        return result

    def chain() -> Any:
        return compare(right, others[0], others[1](), *others[2:], joins=joins)

    test = lifted(result)
    if is_traced(test):
        return builder_for(result).shortcuts.and_(result, (chain,), Variables.bound(joins, others))
    return chain() if test else test


def in_(value: Any, container: Any) -> Any:
    """`value in container`."""
    active = builder()
    if active is not None:
        found = active.containers.contains(container, value)
        if found is not NotImplemented:
            return found
        active.containers.items(container, "in")
    return value in container


def not_in(value: Any, container: Any) -> Any:
    """`value not in container`."""
    return not_(in_(value, container))


def is_(left: Any, right: Any) -> Any:
    """`left is right`."""
    active = builder()
    return left is right if active is None else active.numbers.is_(left, right)


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    return not_(is_(left, right))


def equal(left: Any, right: Any) -> Any:
    """`left == right`; tuples and lists may hold run-time numbers, as run-time shapes do."""
    active = builder()
    return left == right if active is None or not _are_sequences(left, right) else active.containers.equal(left, right)


def unequal(left: Any, right: Any) -> Any:
    """`left != right`."""
    if builder() is None or not _are_sequences(left, right):
        return left != right
    return not_(equal(left, right))


def _are_sequences(left: Any, right: Any) -> bool:
    """Whether two values are tuples, or lists."""
    return type(left) is type(right) and type(left) in (tuple, list)


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": equal,
    "!=": unequal,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": in_,
    "not in": not_in,
    "is": is_,
    "is not": is_not,
}

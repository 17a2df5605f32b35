"""Comparisons of choices between numbers, as logic on the conditions.

    %a: i64[9] = select(%p, 1, 0)                %c: bool[9] = less(%q, %p)
    %b: i64[9] = select(%q, 2, %a)
    %c: bool[9] = equal(%b, 1)

False is less than True: `less` of two truths is the second one without the first, and needs no negation.
"""

from __future__ import annotations

from ...runtime.dtypes import bool_
from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand, literal
from .rewriter import Rewriter, Rules, reads

RULES = Rules()
MOST_CHOICES = 8  # of one value: each comparison of it reads all their conditions


@RULES.for_op(ops.equal, ops.not_equal, ops.less, ops.less_equal, ops.greater, ops.greater_equal)
@reads(ops.select)
def comparison_of_choice(rewriter: Rewriter, node: Node) -> Operand | None:
    """A number compared with a choice between numbers: which condition holds says what the comparison gives."""
    for place in (0, 1):
        other = node.inputs[1 - place]
        if isinstance(other, Literal) and _are_numbers(rewriter, node.inputs[place]):
            found = _compared(rewriter, node, place, node.inputs[place])
            return found if found.type == node.output.type else None
    return None


@RULES.for_op(ops.cast)
@reads(ops.select)
def cast_of_choice(rewriter: Rewriter, node: Node) -> Operand | None:
    """A choice between two real numbers that is cast is one between these as other numbers."""
    choice = rewriter.producer(node.inputs[0], ops.select)
    dtype = node.output.type.dtype
    if choice is None or dtype.is_complex:
        return None
    condition, *numbers = choice.inputs
    if not all(isinstance(number, Literal) and not number.type.dtype.is_complex for number in numbers):
        return None
    made = [literal(ops.cast.kernel(number.array, dtype=dtype), dtype) for number in numbers]  # type: ignore[union-attr]
    found = rewriter.make(ops.select, [condition, *made])
    return found if found.type == node.output.type else None


def _are_numbers(rewriter: Rewriter, value: Operand) -> bool:
    """Whether a value is a choice between numbers, or between numbers and such a choice."""
    for _ in range(MOST_CHOICES):
        choice = rewriter.producer(value, ops.select)
        if choice is None:
            return False
        rest = [operand for operand in choice.inputs[1:] if not isinstance(operand, Literal)]
        if not rest:
            return True
        if len(rest) == 2:
            return False
        (value,) = rest
    return False


def _compared(rewriter: Rewriter, node: Node, place: int, value: Operand) -> Operand:
    """The comparison of a node, with a value at a place among its inputs: a number or a choice between numbers."""
    choice = rewriter.producer(value, ops.select)
    if choice is not None:
        condition, *branches = choice.inputs
        return _chosen(rewriter, condition, *(_compared(rewriter, node, place, branch) for branch in branches))
    pair = [value, node.inputs[1]] if place == 0 else [node.inputs[0], value]
    return literal(bool(node.op.kernel(*(number.array for number in pair if isinstance(number, Literal)))), bool_)


def _chosen(rewriter: Rewriter, condition: Operand, first: Operand, second: Operand) -> Operand:
    """The choice between two truths, of which at least one is known."""
    if first == second:
        return first
    if isinstance(first, Literal) and isinstance(second, Literal):
        return condition if first.value else rewriter.make(ops.logical_not, [condition])
    if isinstance(first, Literal):
        return rewriter.make(ops.logical_or if first.value else ops.less, [condition, second])
    assert isinstance(second, Literal)
    return rewriter.make(ops.less_equal if second.value else ops.logical_and, [condition, first])

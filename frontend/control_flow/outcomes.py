"""Structured jumps: how a block ends (it falls through, breaks, continues or returns) as a value of the graph.

If only the run knows it, the outcome is a code, and the returned value if the code says return.
"""

from __future__ import annotations

from typing import Any

from ...compiler.ir.values import Literal, literal
from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ..values import logic
from ..values.traced_tensor import wrap
from .join import ABSENT
from .state import Mixed, Outcome, break_, continue_, fall_through

NEXT, BREAK, CONTINUE, RETURN = range(4)
GOING_ON = frozenset((NEXT, CONTINUE))
"""The outcomes of an iteration after which a loop goes on."""

_KINDS = {fall_through: NEXT, break_: BREAK, continue_: CONTINUE}
_OUTCOMES = {kind: outcome for outcome, kind in _KINDS.items()}
_CODES = [literal(kind, dtypes.int32) for kind in range(4)]
_PARTS = {outcome: (frozenset((kind,)), _CODES[kind], ABSENT) for outcome, kind in _KINDS.items()}
_RETURNED = frozenset((RETURN,))


class TracedMixed(Mixed):
    """An outcome that the run computes: a code, and the value if the code says return."""

    def __init__(self, kinds: frozenset[int], code: Symbol, value: Any) -> None:
        super().__init__("mixed")
        self.kinds = kinds
        self.code = code
        self.value = value
        self.may_fall_through = NEXT in kinds


def code_item(kind: int) -> Literal:
    """A kind of outcome as an operand."""
    return _CODES[kind]


def is_kind(code: Symbol, kind: int) -> Any:
    """Whether an outcome is of a kind, as a traced condition."""
    return logic.equal(wrap(code), kind)


def split(outcome: Any) -> tuple[frozenset[int], Any, Any]:
    """The kinds that an outcome may have, its code as an operand, and the returned value."""
    if isinstance(outcome, Outcome):
        if isinstance(outcome, TracedMixed):
            return outcome.kinds, outcome.code, outcome.value
        return _PARTS[outcome]
    return _RETURNED, _CODES[RETURN], outcome


def as_outcome(kinds: frozenset[int], code: Any, value: Any) -> Any:
    """The outcome for some kinds, a code and a value."""
    if len(kinds) > 1:
        return TracedMixed(kinds, code, value)
    (kind,) = kinds
    return value if kind == RETURN else _OUTCOMES[kind]


def goes_on(kinds: frozenset[int], code: Any) -> Any:
    """Whether a loop continues after an outcome, as a traced condition."""
    going = [is_kind(code, kind) for kind in sorted(kinds & GOING_ON)]
    return going[0] if len(going) == 1 else going[0] | going[1]

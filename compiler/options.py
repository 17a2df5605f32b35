"""Options of compilation."""

from __future__ import annotations

from ..runtime.records import dataclass

FORMER_NAMES = {
    "hoist": "loop_invariants",
    "hoist_again": "loop_invariants_again",
    "loop_sums": "outer_products",
    "updates": "horizontal_fusion",
}
"""Former names of passes, which are understood as their names of today."""


@dataclass(frozen=True)
class Options:
    """Options of compilation.

    Attributes:
        disabled: names of passes to leave out; "in_place" leaves that to the side in the memory plan, "threads" also
            the threads of groups, "native_products" lets the BLAS multiply all matrices, "whole_loops" leaves loops of
            calls to Python, "calibration" leaves out the measured costs of this machine.
        debug: whether to verify the graph around every pass, and the plan.
        memory_limit: the most bytes that a run may take: the plan's peak; None for as many as it needs.
    """

    disabled: frozenset[str] = frozenset()
    debug: bool = False
    memory_limit: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "disabled", frozenset(FORMER_NAMES.get(name, name) for name in self.disabled))

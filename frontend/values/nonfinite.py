"""NaN checks: with `debug_nans`, the results of programs and ops are checked for nan and inf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ...compiler.analysis.nonfinite import Finder, Made, is_finite, made_by
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.interpret import interpret, watched_by
from ...compiler.ir.op import Op
from ...compiler.ir.values import Value
from ...runtime import random
from ..errors.classes import NonFiniteError
from ..errors.user_files import SourceSpan, mark_blamed, span_of_caller

Run = Callable[..., "tuple[np.ndarray, ...]"]
Raise = Callable[[NonFiniteError, "Node | None"], NoReturn]


def checked(
    run: Run, graph: Graph, written: Iterable[int], backward: frozenset[Value] | None, name: str, fail: Raise
) -> Run:
    """A program whose outputs are checked after each run. If one has a nan or inf, the graph runs again node by node.

    Args:
        run: the program.
        graph: the graph as it was traced.
        written: the positions of the inputs that the program writes to.
        backward: the values of the graph that a backward pass computes.
        name: the function's name.
        fail: raises the error at the line of a node.
    """
    positions = tuple(written)

    def run_checked(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        given = list(arrays)
        for position in positions:
            given[position] = arrays[position].copy()
        state = random.get_state()
        outputs = run(*arrays)
        if all(map(is_finite, outputs)):
            return outputs
        after = random.get_state()
        random.set_state(state)
        finder = Finder(backward)
        with watched_by(finder):
            again = interpret(graph, given)
        found = finder.culprit(graph)
        if found is None and not all(map(is_finite, again)):
            random.set_state(after)
            return outputs  # it is in the inputs
        random.set_state(state)
        for position in positions:
            np.copyto(arrays[position], given[position])
        if found is None:
            text = f"a result of '{name}' is not finite, though node by node it is: try jit(passes_off=[...])"
            fail(NonFiniteError(text), None)
        node, made = found
        fail(NonFiniteError(made.text), node)

    return run_checked


def check_op(op: Op, arrays: Sequence[np.ndarray], attrs: Mapping[str, Any], result: Any) -> None:
    """Check the outputs of an op that ran eagerly.

    Raises:
        NonFiniteError: if it made nan or inf.
    """
    outputs = result if isinstance(result, tuple) else (result,)
    made = made_by(op, attrs, arrays, [np.asarray(item) for item in outputs if item is not None])
    if made is not None:
        raise _error(made, span_of_caller())


def _error(made: Made, span: SourceSpan | None) -> NonFiniteError:
    error = NonFiniteError(made.text)
    if span is not None:
        mark_blamed(error, span)
    return error


class Checking:
    """Checks the nodes of a backward graph that runs eagerly, for the op at a line of the user's."""

    def __init__(self, span: SourceSpan | None) -> None:
        self.span = span

    def skips(self, node: Node) -> bool:
        """Whether a node is skipped: none is, because nothing has run before."""
        return False

    def ran(self, node: Node, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """Check the outputs of a node.

        Raises:
            NonFiniteError: if it made nan or inf.
        """
        made = made_by(node.op, node.attrs, inputs, outputs, ", in the backward pass")
        if made is not None:
            raise _error(made, self.span)

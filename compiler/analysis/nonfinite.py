"""Detection of nan and inf: the node of a graph that computes them from finite numbers.

A node *makes* a nan or inf if all its inputs are finite. A node with an infinity among its inputs or attributes (a
mask's -inf) passes it on; but if it computes a nan from infinities (inf - inf), it makes that nan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...runtime.records import dataclass
from ..ir.graph import Graph, Node, walk
from ..ir.op import Op
from ..ir.values import Operand, Value


def has_numbers(array: np.ndarray) -> bool:
    """Whether the array's dtype has nan and inf."""
    return array.dtype.kind in "fc" or array.dtype.name == "bfloat16"


def is_finite(array: np.ndarray) -> bool:
    """Whether an array has neither nan nor inf."""
    return not has_numbers(array) or bool(np.isfinite(array).all())


def has_nan(array: np.ndarray) -> bool:
    """Whether an array has a nan."""
    return has_numbers(array) and bool(np.isnan(array).any())


@dataclass(frozen=True)
class Made:
    """A nan or inf that an op has made.

    Attributes:
        text: the first lines of the error.
        of_finite: whether all that it read was finite.
    """

    text: str
    of_finite: bool


def made_by(
    op: Op, attrs: Mapping[str, Any], inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray], part: str = ""
) -> Made | None:
    """The nan or inf that an op has made; None if there is none, or if it only passes one on.

    Args:
        part: of the gradient, for the text.
    """
    bad = [position for position, array in enumerate(outputs) if not is_finite(array)]
    if not bad or not inputs or op.holds_graphs:
        return None
    given = [value for value in attrs.values() if isinstance(value, (float, complex))]
    of_finite = all(map(is_finite, inputs)) and bool(np.isfinite(given).all())
    makes_nan = any(has_nan(outputs[position]) for position in bad)
    if not of_finite and (not makes_nan or any(map(has_nan, inputs)) or bool(np.isnan(given).any())):
        return None
    what = "nan" if makes_nan else "inf"
    lines = [f"{op.name} makes {what} out of {'finite numbers' if of_finite else 'infinities'}{part}"]
    lines += [f"  input {position}: {_range(array)}" for position, array in enumerate(inputs)]
    for position in bad:
        array = outputs[position]
        count = int(array.size - np.isfinite(array).sum())
        which = f" {position}" if len(outputs) > 1 else ""
        lines.append(f"  output{which}: {_range(array)}, {count} of {array.size} not finite")
    return Made("\n".join(lines), of_finite)


def _range(array: np.ndarray) -> str:
    """The dtype, the shape, and the smallest and largest number of an array."""
    text = f"{array.dtype.name}{list(array.shape)}"
    if not array.size or array.dtype.kind == "b":
        return text
    if array.dtype.kind == "c":
        return f"{text}, of size up to {np.abs(array).max()}"
    known = array[~np.isnan(array)] if has_numbers(array) else array
    return f"{text}, from {known.min()} to {known.max()}" if known.size else f"{text}, all nan"


class Finder:
    """Watches a run of a graph and finds the node that made a nan or inf which reaches an output.

    Args:
        backward: the values that a backward pass computes, if there is one.
    """

    def __init__(self, backward: frozenset[Value] | None = None) -> None:
        self.backward = backward
        self.bad: set[Operand] = set()
        self.made: dict[Node, Made] = {}  # the first time that each node made something, in order

    def skips(self, node: Node) -> bool:
        """Whether a node is not run again, because it has side effects."""
        return node.op.kind == "effect" and not node.outputs

    def ran(self, node: Node, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """Check the outputs of a node."""
        bad = [value for value, array in zip(node.outputs, outputs, strict=True) if not is_finite(array)]
        if not bad:
            return
        self.bad.update(bad)
        if node not in self.made:
            part = ""
            if self.backward:
                part = f", in the {'backward' if node.outputs[0] in self.backward else 'forward'} pass"
            found = made_by(node.op, node.attrs, inputs, outputs, part)
            if found is not None:
                self.made[node] = found

    def culprit(self, graph: Graph) -> tuple[Node, Made] | None:
        """The first node that made a nan or inf which reached an output: one with finite inputs, or else one that made
        a nan of infinities."""
        pending = [operand for operand in graph.outputs if operand in self.bad]
        reached: set[Node] = set()
        while pending:
            node = graph.producers.get(pending.pop())
            if node is not None and node not in reached:
                reached.add(node)
                pending += [operand for operand in node.inputs if operand in self.bad]
        inside = {inner for node in reached for graph in node.subgraphs for inner in walk(graph)}
        found = [(node, made) for node, made in self.made.items() if node in reached or node in inside]
        return next((pair for pair in found if pair[1].of_finite), found[0] if found else None)

"""Protocols for the rules of ops: what a rule is given and may call. So ops need not import the code that runs the
rules.

In `compiler/transforms/`, `differentiate.py` calls derivative rules in a recorder (`symbolic.py`), on its symbols, and
`vectorize.py` calls the rules for batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from ...runtime.dtypes import DType
from ...runtime.records import dataclass
from .graph import Graph, Node
from .op import Op
from .types import Shape, TensorType
from .values import Operand, Value


class Symbol(Protocol):
    """A value of a graph under construction; arithmetic on it records nodes."""

    operand: Operand

    @property
    def type(self) -> TensorType:
        """The type of the value."""

    @property
    def dtype(self) -> DType:
        """The element type."""

    @property
    def shape(self) -> Shape:
        """The shape; `?` dimensions are None."""

    @property
    def rank(self) -> int:
        """Number of dimensions."""


class Recorder(Protocol):
    """Collects the nodes of one graph. Op calls on symbols go to `ACTIVE.recorder`."""

    name: str
    nodes: list[Node]
    captures: dict[Value, Value]
    """Each value of the enclosing graph that is read here, and the parameter that stands for it."""
    locate: Any

    def __enter__(self) -> Any: ...

    def __exit__(self, *error: Any) -> None: ...

    def inner(self, name: str) -> Any:
        """A recorder for an inner graph, which may read the values of this one."""

    def apart(self, name: str) -> Any:
        """A recorder for a graph that reads no values of this one."""

    def symbol(self, operand: Operand) -> Any:
        """The symbol of an operand of this recorder."""

    def parameter(self, type: TensorType, name: str = "", own: bool = False) -> Any:
        """A new parameter of the graph; with a name of its `own`, or that of the value outside that it stands for."""

    def further(self, type: TensorType, name: str) -> Value:
        """A further output of a node, with a name of its own like `name`."""

    def lift(self, symbol: Any) -> Operand:
        """The operand of this recorder for a symbol of this recorder or of an enclosing one."""

    def operands(self, items: Iterable[Any]) -> list[Operand]:
        """Operands for symbols and numbers."""

    def append(
        self,
        op: Op,
        operands: Iterable[Operand],
        attrs: Mapping[str, Any],
        *,
        types: Sequence[TensorType] | None = None,
    ) -> Node:
        """Record a node on operands of this recorder. The types of its outputs are inferred where none are given."""

    def inline(self, graph: Graph, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Record a graph's nodes here, with these arguments. Returns symbols for its outputs."""

    def adopt(self, graph: Graph, arguments: Sequence[Any]) -> dict[Operand, Operand]:
        """Record a graph's nodes here as they are. Returns what takes the place of its parameters."""

    def lifted(self, items: Iterable[Any]) -> tuple[Operand, ...]:
        """Operands of this recorder for symbols; operands stay."""

    def finish(self, outputs: Iterable[Any]) -> Graph:
        """The recorded graph with these outputs."""


class Derivative(Protocol):
    """A forward graph and its backward graph, as `differentiate` gives them."""

    @property
    def forward(self) -> Graph:
        """The differentiated graph."""

    @property
    def backward(self) -> Graph:
        """The backward graph: from residuals and cotangents of outputs to cotangents of parameters."""

    @property
    def residuals(self) -> tuple[Value, ...]:
        """The forward values for the first parameters of `backward`."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """The positions of the outputs whose cotangents are the last parameters of `backward`."""

    @property
    def gradients(self) -> tuple[int | None, ...]:
        """For each requested parameter the position of its cotangent in `backward.outputs`; None is zero."""

    def append(self, wrt: Sequence[int]) -> Graph:
        """Forward and backward in one graph."""


Differentiate = Callable[[Graph, Sequence[int], Sequence[int]], Derivative]


@dataclass(frozen=True)
class Linearized:
    """The result of `Op.linearize`: the node with further outputs for the backward, and a function `(inputs, outputs,
    douts) -> dinputs`."""

    node: Node
    backward: Callable[..., Sequence[Any]]


class UnvectorizableError(Exception):
    """A graph has no batched form. Its rows must be computed one after the other."""


class Batch(Protocol):
    """The batch, for a rule and one use of its op."""

    op: Op
    size: int
    """The number of rows."""
    mapped: tuple[bool, ...]
    """For each input whether it has the batch as its first axis; the others are the same for all rows."""

    def rank(self, inputs: Sequence[Any], position: int) -> int:
        """The number of dimensions that an input has in one row."""

    def with_mapped(self, *mapped: bool) -> Batch:
        """The same batch for a use with other inputs."""

    def stack(self, x: Any, mapped: bool) -> Any:
        """x with the batch as its first axis; it is repeated if it has none."""

    def stacked(self, inputs: Sequence[Any]) -> list[Any]:
        """Every input with the batch as its first axis."""

    def align(self, x: Any, mapped: bool, rank: int) -> Any:
        """x reshaped to broadcast with batches of rows of `rank` dimensions."""

    def aligned(self, inputs: Sequence[Any]) -> list[Any]:
        """All inputs reshaped to broadcast with each other."""

    def fold(self, x: Any, axis: int) -> Any:
        """x (batch, …) with the batch merged into this axis of its rows."""

    def unfold(self, x: Any, axis: int) -> Any:
        """x with the batch split from this axis again."""

    def rows(self, rank: int = 0) -> Any:
        """The row numbers, in a shape that broadcasts with batches of rows of `rank` dimensions."""

    def whole(self, symbol: Any) -> Any:
        """Mark a result as the same for every row."""

    def graph(self, graph: Graph, mapped: Sequence[bool], force: Sequence[bool] = ()) -> Graph:
        """A graph among the attributes in batched form. Outputs have the batch if they vary, or if `force` says so."""

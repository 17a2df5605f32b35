"""What the rules of ops are told, and what they may ask for: protocols, so that ops need not import who runs the rules.

In `compiler/transforms/`, `differentiate.py` calls derivative rules in a recorder (`symbolic.py`), on its symbols, and
`vectorize.py` calls the rules for batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ...runtime.dtypes import DType
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
    """What collects the nodes of one graph: `ACTIVE.recorder` is the one that op calls on symbols go to."""

    captures: dict[Value, Value]
    """Each value of the enclosing graph that is read here, and the parameter that stands for it."""
    locate: Any

    def __enter__(self) -> Any: ...

    def __exit__(self, *error: Any) -> None: ...

    def inner(self, name: str) -> Any:
        """A recorder for a graph inside this one, which may read this one's values."""

    def apart(self, name: str) -> Any:
        """A recorder for a graph that reads nothing of this one."""

    def symbol(self, operand: Operand) -> Any:
        """The symbol of an operand of this recorder."""

    def parameter(self, type: TensorType, name: str = "") -> Any:
        """A new parameter of the graph."""

    def lift(self, symbol: Any) -> Operand:
        """The operand that stands here for a symbol of this recorder or of an enclosing one."""

    def operands(self, items: Iterable[Any]) -> list[Operand]:
        """Symbols and numbers as operands."""

    def append(self, op: Op, operands: Iterable[Operand], attrs: Mapping[str, Any]) -> Node:
        """Record one node on operands that are already this recorder's."""

    def inline(self, graph: Graph, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Copy a graph's nodes in here, on these arguments; symbols of its outputs."""

    def finish(self, outputs: Iterable[Any]) -> Graph:
        """The recorded graph with these outputs."""


class Derivative(Protocol):
    """A forward graph and its backward graph, as `differentiate` gives them."""

    @property
    def forward(self) -> Graph:
        """The graph differentiated."""

    @property
    def backward(self) -> Graph:
        """From residuals and cotangents of outputs to cotangents of parameters."""

    @property
    def residuals(self) -> tuple[Value, ...]:
        """The forward values that the first parameters of `backward` stand for."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """Positions of the outputs whose cotangents the last parameters of `backward` stand for."""

    @property
    def gradients(self) -> tuple[int | None, ...]:
        """For each parameter asked for, the position of its cotangent in `backward.outputs`; None is zero."""

    def append(self, wrt: Sequence[int]) -> Graph:
        """Forward and backward in one graph."""


Differentiate = Callable[[Graph, Sequence[int], Sequence[int]], Derivative]


@dataclass(frozen=True)
class Linearized:
    """What `Op.linearize` gives: the node with outputs appended for the backward, and `(inputs, outputs, douts) ->
    dinputs`."""

    node: Node
    backward: Callable[..., Sequence[Any]]


class UnvectorizableError(Exception):
    """This graph has no batched form: its rows are to be computed one after the other."""


class Batch(Protocol):
    """What a rule of one use of an op is told of the batch."""

    op: Op
    size: int
    """The number of rows."""
    mapped: tuple[bool, ...]
    """For each input whether it has the batch as its first axis; the others are the same for all rows."""

    def rank(self, inputs: Sequence[Any], position: int) -> int:
        """The number of dimensions that an input has in one row."""

    def with_mapped(self, *mapped: bool) -> Batch:
        """The same batch of a use with other inputs."""

    def stack(self, x: Any, mapped: bool) -> Any:
        """x with the batch as its first axis: as it is, or repeated."""

    def stacked(self, inputs: Sequence[Any]) -> list[Any]:
        """Every input with the batch as its first axis."""

    def align(self, x: Any, mapped: bool, rank: int) -> Any:
        """x so that it broadcasts with batches of rows of `rank` dimensions."""

    def aligned(self, inputs: Sequence[Any]) -> list[Any]:
        """Every input so that they broadcast with each other."""

    def fold(self, x: Any, axis: int) -> Any:
        """x (batch, …) with the batch made part of this axis of its rows."""

    def unfold(self, x: Any, axis: int) -> Any:
        """x with the batch taken out of this axis again."""

    def rows(self, rank: int = 0) -> Any:
        """The numbers of the rows, in a shape that broadcasts with batches of rows of `rank` dimensions."""

    def whole(self, symbol: Any) -> Any:
        """Marks a result that is the same for every row."""

    def graph(self, graph: Graph, mapped: Sequence[bool], force: Sequence[bool] = ()) -> Graph:
        """A graph among the attributes, batched; outputs have the batch where they vary or `force` says so."""

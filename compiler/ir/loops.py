"""The loop form: the parts of a node that repeats a graph, for all ops that are loops."""

from __future__ import annotations

from ...runtime import dtypes
from ...runtime.records import dataclass
from .graph import Graph, Node
from .types import TensorType
from .values import Operand, Value

INDEX = TensorType(dtypes.int64, ())
"""The type of lengths and indices of loops."""


@dataclass(frozen=True)
class Loop:
    """The attributes of a `while_loop`, a `scan` or a `loop_kernel`.

    The body of a scan takes the index, the state, a row of each scanned operand, and constants. The body of a
    while_loop takes the state and constants. Both return the next state, and the values that are stacked, one for each
    iteration.

    Attributes:
        node: the node.
        body: the graph that is repeated.
        carried: how many values are the state.
        test: says whether there is another iteration; None if these are counted.
        scanned: how many operands are read row by row.
        length: the number of iterations, if it is known.
        reverse: whether the last row comes first.
        until: of a `loop_kernel`, the state that ends it where it is false; None if its iterations are counted.
    """

    node: Node
    body: Graph
    carried: int
    test: Graph | None = None
    scanned: int = 0
    length: int | None = None
    reverse: bool = False
    until: int | None = None

    @classmethod
    def of(cls, node: Node) -> Loop:
        """The parts of a node of kind "loop" or "loop_kernel"."""
        return cls(node, **node.attrs)

    @property
    def again(self) -> int | None:
        """The state whose value alone is the test; None if the test computes something, or there is none."""
        if self.test is None or self.test.nodes:
            return None
        states = self.test.parameters[: self.carried]
        return next((number for number, state in enumerate(states) if state is self.test.outputs[0]), None)

    @property
    def first(self) -> int:
        """The position of the state among operands and parameters: after the length, or the index, of a scan."""
        return 0 if self.test is not None else 1

    @property
    def finals(self) -> int:
        """The number of outputs before the stacks: the state, and for a while_loop the number of iterations."""
        return self.carried + (0 if self.test is None else 1)

    @property
    def rows(self) -> range:
        """The positions of the scanned operands, and of their rows among the body's parameters."""
        return range(self.first + self.carried, self.first + self.carried + self.scanned)

    @property
    def states(self) -> tuple[Value, ...]:
        """The body's parameters for the state."""
        return self.body.parameters[self.first : self.first + self.carried]

    @property
    def initial(self) -> tuple[Operand, ...]:
        """The operands with the initial state."""
        return self.node.inputs[self.first : self.first + self.carried]

    @property
    def stacked(self) -> tuple[Operand, ...]:
        """The body's outputs that are stacked."""
        return self.body.outputs[self.carried :]

    @property
    def stacks(self) -> tuple[Value, ...]:
        """The node's outputs with the stacks."""
        return self.node.outputs[self.finals :]

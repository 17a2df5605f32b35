"""The state of liveness analysis: values, allocations and times. All parts of the planner share one state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ..ir.graph import Graph, Node
from ..ir.types import TensorType
from ..ir.values import Operand, Value
from .plan import ARENA, HEAP, INPUT, Allocation, BlockPlan, KernelPlan, Storage
from .schedule import Schedule


class PlannerState:
    """The state of the planner during the walk through a program.

    Attributes:
        graph: the program.
        direct: values that are computed in a parameter's array, and that parameter; an entry goes where that is not
            possible.
        packed: the nodes that pack parameters which are written to.
        clock: the time, one node after the other.
        level: the sub-graphs that the walk is in.
        storage: how each value is stored.
        aliases: the values for parameters of sub-graphs.
        allocations: all of them; some were merged into others.
        touched: the allocations that were made or read since a loop began.
        steps: when and by which node a value is computed.
        times: which node runs at a time.
        ends: at which times a branch or an iteration of a node moves its results, and which branch that is.
        layouts: for views an array of the same layout, on memory that nothing touches.
        viewed: values that are views of other values, and the node that makes the view.
        swapped: states of loops whose next state lives as long as they do, and that next state.
    """

    def __init__(self, order: Schedule, names: Mapping[Value, str]) -> None:
        self.graph: Graph = order.graph
        self.direct = order.direct
        self.packed = frozenset(order.packs.values())
        self.names = names
        self.clock = 0
        self.level: tuple[int, ...] = ()
        self.storage: dict[Operand, Storage] = {}
        self.aliases: dict[Operand, Operand] = {}
        self.allocations: list[Allocation] = []
        self.touched: set[Allocation] = set()
        self.steps: dict[Operand, tuple[int, Node]] = {}
        self.times: dict[int, Node] = {}
        self.ends: dict[int, tuple[Node, int]] = {}
        self.layouts: dict[Value, np.ndarray] = {}
        self.viewed: dict[Operand, Node] = {}
        self.swapped: dict[Value, Value] = {}
        self.blocks: dict[Node, BlockPlan] = {}
        self.kernels: dict[Node, KernelPlan] = {}
        self.scratch: dict[Node, Allocation] = {}

    def allocate(self, kind: str, value: Value, first: int | None = None) -> Allocation:
        """A new allocation for a value, with a lifetime that starts now or at the time `first`."""
        first = self.clock if first is None else first
        allocation = Allocation(kind, value.type, self.names[value], first, self.level)
        self.allocations.append(allocation)
        self.touched.add(allocation)
        return allocation

    def allocate_work(self, type: TensorType, name: str) -> Allocation:
        """An allocation in the arena that lives while the current node runs."""
        allocation = Allocation(ARENA, type, name, self.clock)
        self.allocations.append(allocation)
        return allocation

    def store(self, value: Value, kind: str = ARENA, first: int | None = None) -> None:
        """Give a value an array of its own: in the arena, unless another kind is asked for."""
        self.storage[value] = Storage(self.allocate(kind, value, first), True, kind != HEAP and kind != INPUT)

    def store_static(self, value: Value, first: int | None = None) -> None:
        """Give a value bytes of the arena, or an array made during the run, if its size is not known."""
        self.store(value, ARENA if value.type.is_static else HEAP, first)

    def store_in(self, value: Value, parameter: Value) -> None:
        """Let a value be computed directly in a parameter's array."""
        stored = self.storage[parameter]
        self.storage[value] = Storage(stored.allocation, True, False, stored.shares)

    def resolve(self, operand: Operand) -> Operand:
        """The value that a parameter of a sub-graph stands for."""
        aliases = self.aliases
        while operand in aliases:
            operand = aliases[operand]
        return operand

    def touch(self, *operands: Operand) -> None:
        """Note that these values are read now."""
        storage, aliases, touched, clock = self.storage, self.aliases, self.touched, self.clock
        for operand in operands:
            stored = storage.get(self.resolve(operand) if operand in aliases else operand)
            if stored is None:  # a literal has none
                continue
            for allocation in (stored.allocation, *stored.shares) if stored.shares else (stored.allocation,):
                if allocation.parent is not None:
                    allocation = allocation.find()
                if allocation.last < clock:
                    allocation.last = clock
                touched.add(allocation)

    def memory(self, operands: Iterable[Operand]) -> tuple[Allocation, ...]:
        """The allocations that may contain these operands, each once."""
        found: list[Allocation] = []
        for operand in map(self.resolve, operands):
            if isinstance(operand, Value):
                stored = self.storage[operand]
                found += [stored.allocation, *stored.shares]
        return tuple(dict.fromkeys(found))

    def lies_in(self, value: Value, allocation: Allocation) -> bool:
        """Whether a value may be in an allocation."""
        stored = self.storage[self.resolve(value) if value in self.aliases else value]
        own = stored.allocation
        if (own if own.parent is None else own.find()) is allocation:
            return True
        return allocation in [shared.find() for shared in stored.shares] if stored.shares else False

    def covers(self, value: Value, allocation: Allocation) -> bool:
        """Whether a view is its whole allocation in C order."""
        layout = self.layouts.get(value)
        return layout is not None and layout.flags.c_contiguous and value.type.nbytes == allocation.type.nbytes

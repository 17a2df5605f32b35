"""Liveness analysis: one walk through a program gives each value its storage, a second one lets values share memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ...runtime.calibration import Thresholds
from ..ir.graph import Graph, Node
from ..ir.values import Value
from .control import ControlAllocator
from .groups import GroupAllocator
from .in_place import BlockOutputs, InPlace
from .nodes import NodeAllocator
from .plan import INPUT, Plan
from .schedule import Schedule
from .state import PlannerState


class Planner:
    """The walk. The kind of a node's op decides which method allocates its outputs; the table is here.

    Args:
        order: the program, and the values that are computed in arrays of parameters.
        names: the names of all values.
        disabled: may hold "in_place" and "threads".
        outputs: for the program of one block of a fused group, how its outputs are used.
        plan_block: plans such a program.
        measured: gives the thresholds of this machine.
    """

    def __init__(
        self,
        order: Schedule,
        names: Mapping[Value, str],
        disabled: Collection[str],
        outputs: BlockOutputs | None,
        plan_block: Callable[[Graph, BlockOutputs], Plan],
        measured: Callable[[], Thresholds] | None = None,
    ) -> None:
        self.state = PlannerState(order, names)
        self.shares_memory = "in_place" not in disabled
        self.in_place = InPlace(self.state, outputs or BlockOutputs())
        self.nodes = NodeAllocator(self.state, is_block=outputs is not None)
        control = ControlAllocator(self.state, self.in_place, self.block)
        groups = GroupAllocator(self.state, self.in_place, plan_block, disabled, measured)
        self.by_kind: Mapping[str, Callable[[Node], None]] = {
            "branch": control.branches,
            "loop": control.loop,
            "group": groups.group,
            "kernel": groups.kernel,
            "loop_kernel": groups.loop_kernel,
        }

    def run(self) -> None:
        """Plan the whole graph."""
        state, graph = self.state, self.state.graph
        for value in graph.parameters:
            state.store(value, INPUT)
        self.block(graph)
        state.clock += 1
        state.touch(*graph.outputs)
        self.in_place.results()
        if self.shares_memory:
            self.in_place.merge()
        self.by_kind = {}  # its methods refer to this object: the cycle would wait for the garbage collector

    def block(self, graph: Graph) -> None:
        """Plan the nodes of one graph, in order."""
        state = self.state
        for node in graph.nodes:
            state.clock += 1
            state.times[state.clock] = node
            state.touch(*node.inputs)
            self.by_kind.get(node.op.kind, self.nodes.plain)(node)

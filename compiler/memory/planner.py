"""Static memory planning: the lifetime of every value, and its offset in one arena.

liveness   each value gets an allocation: an input's array, a constant, bytes of the arena, a fresh result, a row of a
           stack, or an array that the run makes (shapes with `?`, kernels that allocate). A view is stored in its base.
sharing    values share an allocation where one is written as the other is read for the last time (in place), where a
           body computes its next state, and where a branch computes an output of its cond: `in_place.py`.
offsets    the arena's allocations are laid out in several ways (`layout.py`); the smallest arena wins. Allocations that
           live at the same time never overlap: `check_plan` proves it for each plan.
limit      under a limit of memory, `budget.py` finds an order, and rematerializations, for which the plan fits.
scratch    what fused groups and kernels work in has allocations too, which live while their node runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any

from ...runtime.calibration import Thresholds
from ..ir.graph import Graph, Node, copy_graph
from ..ir.loops import Loop
from ..ir.naming import RESERVED, plain_name
from ..ir.subgraphs import map_subgraphs
from ..ir.values import IRError, Operand, Value
from .control import ControlAllocator
from .groups import GroupAllocator
from .in_place import BlockOutputs, InPlace
from .layout import ALIGNMENT, aligned, lay_out
from .nodes import NodeAllocator
from .plan import ARENA, INPUT, Buffer, Plan
from .schedule import Schedule, schedule
from .state import PlannerState
from .usage import Usage, memory_usage


class MemoryPlan(Plan):
    """A plan that also knows the memory that a run takes. Printed, it shows the arena's buffers, too."""

    @cached_property
    def usage(self) -> Usage:
        """The memory that a run takes: bytes of the arena, of results, and of allocations by kernels."""
        return memory_usage(self)

    def __str__(self) -> str:
        return f"{self.table()}\n{self.usage}"

    def __repr__(self) -> str:
        return f"<plan of {self.graph.name}: {len(self.buffers)} buffers in {self.nbytes} bytes>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))  # in a notebook


def make_plan(
    graph: Graph,
    disabled: Collection[str] = (),
    block: BlockOutputs | None = None,
    measured: Callable[[], Thresholds] | None = None,
) -> MemoryPlan:
    """The plan of a graph.

    `disabled` may hold "in_place" (values do not overwrite others, and are not computed in place for concatenations or
    donated outputs), "threads" (groups run on one thread), "native_products" (the BLAS multiplies all matrices) and
    "whole_loops" (Python runs loops of calls). `block` tells how the outputs of a fused group's block are used.
    `measured` gives the thresholds of this machine.
    """
    values = _values(graph, [])
    if len({*values}) < len(values):
        graph = _with_distinct_values(graph, set())
    order = Schedule(graph) if "in_place" in disabled else schedule(graph)
    graph = order.graph
    names = name_values(graph)

    def plan_block(inner: Graph, outputs: BlockOutputs) -> Plan:
        return make_plan(inner, disabled, outputs)

    planner = Planner(order, names, disabled, block, plan_block, measured)
    planner.run()
    state, in_place = planner.state, planner.in_place
    found = dict.fromkeys([each if each.parent is None else each.find() for each in state.allocations])
    arena = sorted((each for each in found if each.kind == ARENA), key=lambda each: (each.first, each.last))
    nbytes = lay_out(arena)
    return MemoryPlan(
        graph=graph,
        buffers=tuple([Buffer(a.name, a.type, a.type.nbytes, a.offset, a.first, a.last) for a in arena]),
        nbytes=nbytes,
        storage=state.storage,
        aliases=state.aliases,
        names=names,
        layouts=state.layouts,
        returned=frozenset(in_place.returned),
        elided=in_place.elided,
        packs=order.packs,
        blocks=state.blocks,
        kernels=state.kernels,
        scratch=state.scratch,
        times=state.times,
        ends=state.ends,
        native_products="native_products" not in disabled,
        whole_loops="whole_loops" not in disabled,
        swapped=state.swapped,
    )


def check_plan(plan: Plan) -> Plan:
    """Raise IRError if two buffers that live at the same time overlap, if one is not aligned, or if the peak is not the
    arena's size."""
    live: list[Buffer] = []
    peak = 0
    for buffer in sorted(plan.buffers, key=lambda b: b.first):
        live = [other for other in live if other.last >= buffer.first]
        for other in live:
            if (
                buffer.nbytes
                and other.nbytes
                and buffer.offset < other.offset + other.nbytes
                and other.offset < buffer.offset + buffer.nbytes
            ):
                raise IRError(f"buffers {buffer.name} and {other.name} overlap while both live\n{plan.table()}")
        if buffer.offset % ALIGNMENT:
            raise IRError(f"buffer {buffer.name} is not aligned\n{plan.table()}")
        peak = max(peak, buffer.offset + buffer.nbytes)
        live.append(buffer)
    if aligned(peak) != plan.nbytes:
        raise IRError(f"the arena has {plan.nbytes} bytes, but the buffers end at {peak}\n{plan.table()}")
    return plan


def _values(graph: Graph, found: list[Value]) -> list[Value]:
    """The values of a graph and its sub-graphs, but kernels, as often as they are defined."""
    found += graph.parameters
    for node in graph.nodes:
        found += node.outputs
        if node.op.holds_graphs and not node.op.is_native:
            for inner in node.subgraphs:
                _values(inner, found)
    return found


def _with_distinct_values(graph: Graph, seen: set[Value]) -> Graph:
    """The graph with sub-graphs copied if two nodes share one, so that every value has one allocation; the values of
    kernels have none."""
    if not seen.isdisjoint([*graph.parameters, *[value for node in graph.nodes for value in node.outputs]]):
        graph = copy_graph(graph)
    seen.update(graph.parameters)
    nodes = []
    for node in graph.nodes:
        seen.update(node.outputs)
        if node.op.holds_graphs:
            node = map_subgraphs(node, lambda inner: _with_distinct_values(inner, seen))
        nodes.append(node)
    return graph.with_nodes(tuple(nodes))


APART = frozenset(["group", "kernel", "loop_kernel"])
"""Kinds of ops whose graphs have names of their own, because their values are not in the program's function."""


def _from_outside(node: Node, graph: Graph) -> list[tuple[Value, Operand]]:
    """Pairs of a parameter of a branch or loop and the value that it stands for: one from outside, a parameter of the
    other branch, or, in the test of a loop, a parameter of the body."""
    if node.op.kind == "loop":
        loop = Loop.of(node)
        start = loop.rows.stop
        given = node.inputs[start:] if graph is loop.body else loop.body.parameters
        parameters = graph.parameters[start:] if graph is loop.body else graph.parameters
    elif node.op.kind == "branch":
        given, parameters = node.inputs[1:], graph.parameters
    else:
        return []
    pairs = [*zip(parameters, given, strict=True)]
    if node.op.kind == "branch":
        pairs += zip(parameters, node.subgraphs[0].parameters, strict=True)
    return pairs


def name_values(graph: Graph) -> dict[Value, str]:
    """A Python identifier for every value of the program: its name, changed if another value has it, so that printed
    graphs show the names of the program. Inside a branch or a loop, a value from outside keeps its name."""
    found = _Names()
    found.visit(graph)
    return found.names


class _Names:
    """The names that values have so far."""

    def __init__(self) -> None:
        self.names: dict[Value, str] = {}
        self.taken: dict[str, int] = dict.fromkeys(RESERVED, 0)

    def define(self, value: Value) -> None:
        """Give a value its name."""
        names, taken = self.names, self.taken
        if value in names:
            return
        hint = plain_name(value.name) or f"t{len(names)}"
        name = hint
        while name in taken:
            taken[hint] += 1
            name = f"{hint}_{taken[hint]}"
        taken[name] = 0
        names[value] = value.name = name

    def visit(self, inner: Graph) -> None:
        """Name the values of a graph."""
        for value in inner.parameters:
            self.define(value)
        for node in inner.nodes:
            for value in node.outputs:
                self.define(value)
        for node in inner.nodes:
            if not node.op.holds_graphs or node.op.kind in APART:
                continue
            for below in reversed(node.subgraphs) if node.op.kind == "loop" else node.subgraphs:
                for value, operand in _from_outside(node, below):
                    name = self.names.get(operand)  # type: ignore[arg-type]
                    if name is not None and value not in self.names and value.name == operand.name:  # type: ignore[union-attr]
                        self.names[value] = name
                self.visit(below)


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

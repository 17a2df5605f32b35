"""Allocation for control flow: branches compute their outputs in the storage of the node's outputs, bodies their next
state in place."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..ir.graph import Graph, Node
from ..ir.loops import Loop
from ..ir.values import Literal, Operand, Value
from .in_place import InPlace
from .plan import ARENA, ROW, Allocation, Storage
from .state import PlannerState


class ControlAllocator:
    """Gives the values of branches and loops storage, inside and outside.

    Args:
        state: the state that all parts of the planner share.
        in_place: decides which values may overwrite which.
        plan_nodes: plans the nodes of a graph.
    """

    def __init__(self, state: PlannerState, in_place: InPlace, plan_nodes: Callable[[Graph], None]) -> None:
        self.state = state
        self.in_place = in_place
        self.plan_nodes = plan_nodes
        self.joined: set[Value] = set()  # outputs of conds, which the branches of a cond around them may give
        self.body_level: tuple[int, ...] = ()  # the level of the sub-graph that was planned last

    def nested(self, graph: Graph) -> None:
        """Plan the nodes of a sub-graph."""
        state = self.state
        outer = state.level
        state.level = self.body_level = (*outer, state.clock)
        self.plan_nodes(graph)
        self.body_level = state.level
        state.level = outer

    def branches(self, node: Node) -> None:
        """Allocate a cond: each branch computes its outputs in the storage of the node's, or copies them there."""
        state = self.state
        start = state.clock
        for value in node.outputs:
            state.store_static(value)
        for number, graph in enumerate(node.subgraphs):
            state.aliases.update(zip(graph.parameters, node.inputs[1:], strict=True))
            self.nested(graph)
            self.end(node, number)
            state.touch(*graph.outputs)
            for value, operand in zip(node.outputs, graph.outputs, strict=True):
                allocation = self.mergeable(operand, start, self.joined)
                if allocation is not None and state.storage[value].known and operand.type == value.type:
                    allocation.parent = state.storage[value].allocation
        state.touch(*node.outputs)
        self.joined.update(node.outputs)

    def end(self, node: Node, number: int = 0) -> None:
        """A time at which a branch or an iteration moves its results."""
        self.state.clock += 1
        self.state.ends[self.state.clock] = node, number

    def mergeable(self, operand: Operand, start: int, joined: Collection[Value] = ()) -> Allocation | None:
        """The allocation of a value that a sub-graph computes, if it may be merged into another; else None. It is one
        of a plain node, or one of `joined`."""
        state = self.state
        operand = state.resolve(operand)
        if isinstance(operand, Literal) or not state.storage[operand].whole:
            return None
        if operand not in state.steps and operand not in joined:
            return None
        found = state.storage[operand].allocation
        return found if found.kind == ARENA and found.parent is None and found.first > start else None

    def loop(self, node: Node) -> None:
        """Allocate a while_loop or scan: each iteration overwrites the state."""
        state, loop = self.state, Loop.of(node)
        outside, state.touched = state.touched, set()
        start = state.clock
        self.enter(loop)
        if loop.test is not None:
            state.aliases.update(zip(loop.test.parameters, loop.body.parameters, strict=True))
            self.nested(loop.test)
            state.clock += 1
            state.touch(loop.test.outputs[0])
        self.iterate(loop)
        for value, operand in zip(loop.states, loop.body.outputs, strict=False):
            self.merge_state(value, operand, start)
        for operand in loop.stacked:
            allocation = self.mergeable(operand, start)
            if allocation is not None and operand.type.is_static and allocation.level == self.body_level:
                allocation.kind = ROW
        if loop.test is None and loop.length and isinstance(node.inputs[0], Literal):
            self.swap_states(loop, start)
        self.leave(loop, start, outside)
        if loop.test is None:
            self.offer_rows(loop)

    def enter(self, loop: Loop) -> None:
        """Storage for the body's parameters: the index and the state; rows as views; constants as aliases."""
        state = self.state
        for position, value in enumerate(loop.body.parameters):
            operand = loop.node.inputs[position]
            if position < loop.rows.start:
                state.store_static(value)
            elif position in loop.rows:
                stored = state.storage[state.resolve(operand)]
                state.storage[value] = Storage(stored.allocation, False, False, stored.shares)
            else:
                state.aliases[value] = operand

    def iterate(self, loop: Loop) -> None:
        """Allocate one iteration. Values that come into the body are stacked before it runs, values that it computes
        afterwards."""
        state, parameters = self.state, loop.body.parameters
        state.clock += 1
        state.touch(*[operand for operand in loop.stacked if operand in parameters])
        self.nested(loop.body)
        self.end(loop.node)
        state.touch(*loop.body.outputs[: loop.carried])
        state.touch(*[operand for operand in loop.stacked if operand not in parameters])

    def leave(self, loop: Loop, start: int, outside: set[Allocation]) -> None:
        """Values that the body has read live until the end. The node's outputs are the last state and the stacks."""
        state = self.state
        self.end(loop.node, 1)
        for allocation in state.touched:
            if allocation.first <= start:
                allocation.find().last = max(allocation.find().last, state.clock)
        state.touched |= outside
        state.touch(*loop.states)
        state.aliases.update(zip(loop.node.outputs, loop.states, strict=False))
        for value in loop.node.outputs[loop.carried :]:
            state.store_static(value, start)
            state.touch(value)

    def offer_rows(self, loop: Loop) -> None:
        """Note for each stack of a scan the operands of its type whose rows the body has read when it writes that row:
        the stack may be in the memory of one that nothing reads behind the loop. Loops of gradients have many."""
        state = self.state
        stored = [state.storage.get(state.resolve(operand)) for operand in loop.node.inputs]
        for position in loop.rows:
            source = stored[position]
            if source is None or not (source.whole and source.known):
                continue
            if sum(each is not None and source.allocation in (each.allocation, *each.shares) for each in stored) > 1:
                continue
            row = loop.body.parameters[position]
            for value, stacked in zip(loop.stacks, loop.stacked, strict=True):
                if stacked.type == row.type and self.in_place.written_behind(loop.body, row, stacked):
                    self.in_place.rows.append((state.storage[value].allocation, source.allocation, state.clock))

    def merge_state(self, value: Value, operand: Operand, start: int) -> None:
        """Let the body compute its next state over the old one, if nothing reads the old one afterwards."""
        state = self.state
        allocation, old = self.mergeable(operand, start), state.storage[value].allocation
        operand = state.resolve(operand)
        if allocation is None or old.kind != ARENA or operand.type != value.type:
            return
        time, node = state.steps[operand]
        chain = self.updates(operand, allocation, old, start)
        if chain or old.last < time or (old.last == time and self.in_place.may_overwrite(node, old, operand)):
            for each in chain or [allocation]:
                each.parent = old

    def swap_states(self, loop: Loop, start: int) -> None:
        """Let next states that cannot be computed over the old ones live through all iterations: then the two arrays
        can change roles after each, and nothing is copied (double buffering)."""
        state = self.state
        results = [state.resolve(operand) for operand in loop.body.outputs]
        for value, operand in zip(loop.states, results, strict=False):
            if operand.__class__ is not Value or operand not in state.steps or results.count(operand) > 1:
                continue
            stored, old = state.storage[operand], state.storage[value]
            found = stored.allocation.find()
            if not (stored.whole and stored.known and old.known) or found is old.allocation.find():
                continue
            inside = found.kind == ARENA and found.first > start and found.level == self.body_level
            if inside and found.type == operand.type == value.type:
                found.first = start
                state.swapped[value] = operand

    def updates(self, operand: Operand, allocation: Allocation, old: Allocation, start: int) -> list[Allocation]:
        """The allocations of a next state, and of what it is an update of in turn, from the old state on, if each may
        overwrite the one before; else none."""
        state, chain = self.state, [allocation]
        while True:
            time, node = state.steps[operand]
            if old.last == time and self.in_place.may_overwrite(node, old, operand):
                return chain
            if not node.op.inplace or node.op.kind == "elementwise":
                return []
            given = state.resolve(node.inputs[0])
            below = self.mergeable(given, start)
            if below is None or below.last != time or not self.in_place.may_overwrite(node, below, operand):
                return []
            chain.append(below)
            operand = given

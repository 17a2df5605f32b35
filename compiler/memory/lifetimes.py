"""Lifetimes: one walk through a program finds a home for every value, a second one merges homes in place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np

from ...runtime.calibration import Thresholds
from .. import ops
from ..ir.graph import Graph, Node
from ..ir.loops import Loop
from ..ir.values import Literal, Operand, Value
from .lifetimes_groups import BlockOutputs as BlockOutputs, GroupPlanner
from .plan import ARENA, CONSTANT, HEAP, INPUT, RESULT, ROW, Home, Place, Plan
from .schedule import Schedule


def may_share(node: Node) -> bool:
    """Whether the node's outputs may share memory with its inputs: views, and kernels that do not write to `out`."""
    return node.op.kind == "view" or (not node.op.writes_out and node.op.kind not in ("creation", "random", "effect"))


class Planner(GroupPlanner):
    """Walks the program once for homes and lifetimes, then once to merge homes in place."""

    def __init__(
        self,
        order: Schedule,
        names: Mapping[Value, str],
        disabled: Collection[str],
        outputs: BlockOutputs | None,
        plan_block: Callable[[Graph, BlockOutputs], Plan],
        measured: Callable[[], Thresholds] | None = None,
    ) -> None:
        super().__init__()
        self.measured = measured
        self.graph = order.graph
        self.direct = order.direct
        self.packed = frozenset(order.packs.values())
        self.disabled = disabled
        self.kept = outputs.kept if outputs else ()
        self.is_block = outputs is not None
        self.over = outputs.over if outputs else {}
        self.plan_block = plan_block
        self.seen: dict[Value, np.ndarray] = {}  # for these, and what they are of, an array of no content
        self.joins: dict[Node, tuple[int, ...]] = {}
        self.joined: list[Home] = []
        self.scratch: dict[Node, Home] = {}
        self.copies: dict[Node, Home] = {}
        self.times: dict[int, Node] = {}
        self.level: tuple[int, ...] = ()  # the sub-graphs that the walk is in
        self.names = names
        self.places: dict[Value, Place] = {}
        self.aliases: dict[Value, Operand] = {}
        self.homes: list[Home] = []
        self.clock = 0
        self.touched: set[Home] = set()
        self.steps: dict[Value, tuple[int, Node]] = {}  # when and by which node a value is computed
        self.returned: set[int] = set()
        self.unread: dict[Home, int] = {}  # for results of a block: until when what they may be written over is read
        self.layouts: dict[Value, np.ndarray] = {}  # for views: an array of the same layout on untouched memory

    def home(self, kind: str, value: Value, first: int | None = None) -> Home:
        """A new home, born now."""
        home = Home(kind, value.type, self.names[value], self.clock if first is None else first)
        home.level = self.level
        self.homes.append(home)
        self.touched.add(home)
        return home

    def run(self) -> None:
        """Plan the whole graph."""
        graph = self.graph
        for value in graph.parameters:
            self.places[value] = Place(self.home(INPUT, value), True, False)
        self.block(graph)
        self.clock += 1
        for operand in graph.outputs:
            self.touch(operand)
        self.results()
        if "in_place" in self.disabled:
            return
        for value, (time, node) in self.steps.items():
            if node.op is ops.concatenate:
                self.join(value, time, node)
        for value, (time, node) in self.steps.items():
            self.in_place(value, time, node)

    def resolve(self, operand: Operand) -> Operand:
        """What a parameter of a sub-graph stands for."""
        while isinstance(operand, Value) and operand in self.aliases:
            operand = self.aliases[operand]
        return operand

    def touch(self, operand: Operand) -> None:
        """Note that the value is read now."""
        operand = self.resolve(operand)
        if isinstance(operand, Literal):
            return
        place = self.places[operand]
        for home in (place.home, *place.shares):
            home = home.find()
            home.last = max(home.last, self.clock)
            self.touched.add(home)

    def block(self, graph: Graph) -> None:
        """Plan the nodes of one graph, in order."""
        for node in graph.nodes:
            self.clock += 1
            self.times[self.clock] = node
            for operand in node.inputs:
                self.touch(operand)
            self.planners().get(node.op.kind, self.plain)(node)

    def nested(self, graph: Graph) -> None:
        """Plan the nodes of a sub-graph."""
        outer = self.level
        self.level = self.body_level = (*outer, self.clock)
        self.block(graph)
        self.body_level = self.level
        self.level = outer

    def plain(self, node: Node) -> None:
        """Homes for the outputs of a node that holds no graphs."""
        op = node.op
        for value in node.outputs:
            self.steps[value] = self.clock, node
        static = all(value.type.is_static for value in node.outputs)
        if node.outputs and node.outputs[0] in self.direct:
            place = self.places[self.direct[node.output]]
            self.places[node.output] = Place(place.home, True, False, place.shares)
        elif node in self.packed:
            self.pack(node)
        elif op.kind == "view":
            self.view(node)
        elif op.kind == "creation" and static:
            for value in node.outputs:
                self.places[value] = Place(self.home(CONSTANT, value, 0), True, True)
        elif op.writes_out and static:
            for value in node.outputs:
                self.places[value] = Place(self.home(ARENA, value), True, True)
            self.give_scratch(node)
        else:
            shares: list[Home] = []
            if may_share(node):
                for operand in map(self.resolve, node.inputs):
                    if isinstance(operand, Value):
                        shares += [self.places[operand].home, *self.places[operand].shares]
            for value in node.outputs:
                self.places[value] = Place(self.home(HEAP, value), True, False, tuple(dict.fromkeys(shares)))

    def pack(self, node: Node) -> None:
        """Parameters as one vector: their own memory, which is as good as an input's, or a copy in the arena."""
        value = node.output
        buffer = self.copies[node] = Home(ARENA, value.type, f"{self.names[value]}_copy", self.clock)
        self.homes.append(buffer)
        self.places[value] = Place(self.home(INPUT, value), True, False, (buffer,))

    def give_scratch(self, node: Node) -> None:
        """A home for what the kernel works in, for as long as it runs."""
        types = [operand.type for operand in node.inputs]
        if node.op.scratch is None or self.is_block or not all(type.is_static for type in types):
            return
        type = node.op.scratch(*types, **node.attrs)
        if type is not None:
            home = self.scratch[node] = Home(ARENA, type, f"{self.names[node.outputs[0]]}_scratch", self.clock)
            self.homes.append(home)

    def view(self, node: Node) -> None:
        """A view lives where its base does, if it truly shares memory; else it is a copy with a home of its own."""
        base, value = self.resolve(node.inputs[0]), node.output
        if isinstance(base, Literal):
            self.places[value] = Place(self.home(CONSTANT, value, 0), True, True)
            return
        place = self.places[base]
        if value.type.is_static and base.type.is_static and len(node.inputs) == 1 and self.is_seen(node, base):
            self.viewed[value] = node
        if not (place.known and value.type.is_static and len(node.inputs) == 1):
            shares = list(place.shares)
            for operand in map(self.resolve, node.inputs[1:]):
                if isinstance(operand, Value):
                    shares += [self.places[operand].home, *self.places[operand].shares]
            self.places[value] = Place(place.home, False, False, tuple(dict.fromkeys(shares)))
            return
        layout = self.layouts.get(base)
        if layout is None:
            layout = self.layouts[base] = np.zeros(base.type.static_shape, base.type.dtype.np)
        seen = node.op.kernel(layout, **node.attrs)
        if np.may_share_memory(seen, layout) or not seen.size:
            self.layouts[value] = seen
            self.places[value] = Place(place.home, False, True, place.shares)
        else:
            self.places[value] = Place(self.home(ARENA, value), True, True)

    def is_seen(self, node: Node, base: Value) -> bool:
        """Whether a view of an array in C order, or of a view of one, truly shares its memory."""
        seen = self.seen.get(base)
        if seen is None:
            seen = self.seen[base] = np.zeros(base.type.static_shape, base.type.dtype.np)
        view = node.op.kernel(seen, **node.attrs)
        if not np.may_share_memory(view, seen):
            return False
        self.seen[node.output] = view
        return True

    def planners(self) -> Mapping[str, Callable[[Node], None]]:
        """What finds homes for nodes that hold graphs, by the kind of the op."""
        return {
            "branch": self.branches, "loop": self.loop, "group": self.group,
            "kernel": self.kernel, "loop_kernel": self.loop_kernel,
        }  # fmt: skip

    def branches(self, node: Node) -> None:
        """A cond: each branch computes its outputs where those of the node live, or copies them there."""
        start = self.clock
        for value in node.outputs:
            static = value.type.is_static
            self.places[value] = Place(self.home(ARENA if static else HEAP, value), True, static)
        for graph in node.subgraphs:
            self.aliases.update(zip(graph.parameters, node.inputs[1:], strict=True))
            self.nested(graph)
            self.clock += 1
            for operand in graph.outputs:
                self.touch(operand)
            for value, operand in zip(node.outputs, graph.outputs, strict=True):
                home = self.mergeable(operand, start)
                if home is not None and self.places[value].known and operand.type == value.type:
                    home.merged = self.places[value].home
        for value in node.outputs:
            self.touch(value)

    def mergeable(self, operand: Operand, start: int) -> Home | None:
        """The home of a value that a sub-graph computes for itself, which may be merged into another; else None."""
        operand = self.resolve(operand)
        if isinstance(operand, Literal) or not self.places[operand].whole or operand not in self.steps:
            return None
        home = self.places[operand].home
        return home if home.kind == ARENA and home.merged is None and home.first > start else None

    def loop(self, node: Node) -> None:
        """A while_loop or scan: the state lives in homes that each iteration overwrites."""
        loop = Loop.of(node)
        body, test, carried = loop.body, loop.test, loop.carried
        outside, self.touched = self.touched, set()
        start = self.clock
        for position, value in enumerate(body.parameters):
            static = value.type.is_static
            if position < loop.rows.start:  # the state; for scan, before it, the index
                self.places[value] = Place(self.home(ARENA if static else HEAP, value), True, static)
            elif position in loop.rows:
                place = self.places[self.resolve(node.inputs[position])]  # type: ignore[index]
                self.places[value] = Place(place.home, False, False, place.shares)
            else:
                self.aliases[value] = node.inputs[position]
        states = loop.states
        if test is not None:
            self.aliases.update(zip(test.parameters, body.parameters, strict=True))
            self.nested(test)
            self.clock += 1
            self.touch(test.outputs[0])
        # What comes into the body is stacked before it runs, what it computes afterwards.
        stacked = loop.stacked
        self.clock += 1
        for operand in stacked:
            if operand in body.parameters:
                self.touch(operand)
        self.nested(body)
        self.clock += 1
        for operand in body.outputs[:carried]:
            self.touch(operand)
        for operand in stacked:
            if operand not in body.parameters:
                self.touch(operand)
        for value, operand in zip(states, body.outputs, strict=False):
            self.merge_state(value, operand, start)
        for operand in stacked:
            home = self.mergeable(operand, start)
            if home is not None and operand.type.is_static and home.level == self.body_level:
                home.kind = ROW
        self.clock += 1
        for home in self.touched:
            if home.first <= start:
                home.find().last = max(home.find().last, self.clock)
        self.touched |= outside
        for value in states:
            self.touch(value)
        self.aliases.update(zip(node.outputs, states, strict=False))
        for value in node.outputs[carried:]:
            static = value.type.is_static
            self.places[value] = Place(self.home(ARENA if static else HEAP, value, start), True, static)
            self.touch(value)

    def merge_state(self, state: Value, operand: Operand, start: int) -> None:
        """Let the body compute its next state in place of the old, where nothing reads the old one afterwards."""
        home, old = self.mergeable(operand, start), self.places[state].home
        operand = self.resolve(operand)
        if home is None or old.kind != ARENA or operand.type != state.type:
            return
        time, node = self.steps[operand]  # type: ignore[index]
        if old.last < time or (old.last == time and self.may_overwrite(node, old, operand)):
            home.merged = old

    def may_overwrite(self, node: Node, home: Home, output: Operand) -> bool:
        """Whether the node may write its output over the inputs that live in this home."""
        if node in self.kernels:
            position = node.outputs.index(output)
            if any(self.places[value].home.find() is home for value in node.outputs):
                return False
            return self.kernel_may_overwrite(node, home, position)
        if node in self.blocks:
            return self.group_may_overwrite(node, home, output)
        if not (node.op.writes_out and (node.op.kind == "elementwise" or node.op.inplace)):
            return False
        for position, operand in enumerate(map(self.resolve, node.inputs)):
            if isinstance(operand, Literal):
                continue
            place = self.places[operand]
            if home not in [place.home.find(), *[shared.find() for shared in place.shares]]:
                continue
            if not place.known or operand.type != output.type or (position and node.op.kind != "elementwise"):
                return False
            layout = self.layouts.get(operand)
            if not place.whole and not (layout is not None and layout.flags.c_contiguous):
                return False
        return True

    def in_place(self, value: Value, time: int, node: Node) -> None:
        """Merge the home of a value with that of an input which is read for the last time as the value is written."""
        place = self.places[value]
        home = place.home.find()
        if not place.whole or home.first != time or home.kind not in (ARENA, RESULT):
            return
        if len(node.outputs) != 1 and node not in self.blocks and node not in self.kernels:
            return
        for operand in map(self.resolve, node.inputs):
            if isinstance(operand, Literal):
                continue
            source = self.places[operand].home.find()
            if (
                source is not home
                and source.kind == ARENA
                and source.last == time
                and source.type.nbytes == home.type.nbytes
                and source.first >= self.unread.get(home, 0)
                # The parts of what was joined are views at fixed places of the arena: it cannot become a result.
                and (home.kind == ARENA or all(joined.find() is not source for joined in self.joined))
                and self.may_overwrite(node, source, value)
            ):
                home.merged = source
                source.kind = home.kind
                source.last = max(source.last, home.last)
                return

    def join(self, value: Value, time: int, node: Node) -> None:
        """Let what is concatenated be computed right where it goes, if that is all in one piece."""
        place, axis = self.places[value], node.attrs["axis"]
        home = place.home.find()
        if home.kind != ARENA or home.first != time or any(size != 1 for size in value.type.shape[:axis]):
            return
        if not place.whole or not value.type.is_static:
            return
        placed: list[int] = []
        shift = 0
        for position, operand in enumerate(map(self.resolve, node.inputs)):
            nbytes = operand.type.nbytes
            seen = self.places[operand] if isinstance(operand, Value) else None
            if seen is not None and seen.known and (seen.whole or self.covers(operand, seen.home)):  # type: ignore[arg-type]
                part = seen.home
                own = part.merged is None and part.kind == ARENA and part.type.nbytes == nbytes
                if own and part is not home and part.level == home.level:
                    part.merged, part.shift = home, shift
                    home.first = min(home.first, part.first)
                    home.last = max(home.last, part.last)
                    placed.append(position)
            shift += nbytes
        if placed:
            self.joins[node] = tuple(placed)
            self.joined.append(home)

    def results(self) -> None:
        """Let the outputs be computed in fresh arrays of their own, where they have a home for themselves."""
        given: set[Home] = set()
        joined = {home.find() for home in self.joined}  # their parts are views at fixed places of the arena
        for position, operand in enumerate(self.graph.outputs):
            operand = self.resolve(operand)
            if isinstance(operand, Literal) or position in self.graph.donated or position in self.kept:
                continue
            place = self.places[operand]
            home = place.home.find()
            if home.kind == ARENA and home not in joined and (place.whole or self.covers(operand, home)):
                home.kind = RESULT
                self.returned.add(position)
                over = [self.places[self.graph.parameters[i]].home.last for i in self.over.get(position, ())]
                self.unread[home] = max([self.unread.get(home, 0), *over])
            elif home.kind == HEAP and place.whole and not place.shares and home not in given:
                given.add(home)
                self.returned.add(position)

    def covers(self, value: Value, home: Home) -> bool:
        """Whether a view is all of its home in C order."""
        layout = self.layouts.get(value)
        return layout is not None and layout.flags.c_contiguous and value.type.nbytes == home.type.nbytes

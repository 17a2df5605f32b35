"""Partitioning: a program on whole tensors becomes the program of one process on its parts.

    %y: f32[8, 6] = matmul(%x, %w)        %y: f32[4, 6] = matmul(%x, %w)               # %x is cut by rows
    %s: f32[6] = sum(%y, axis=(0,))       %t: f32[6] = sum(%y, axis=(0,))
                                          %s: f32[6] = all_reduce(%t, by='sum', …)

It runs on forward, backward and update together, so that the derivatives are those of the whole program. Layouts
come from `shard` nodes and go from inputs to outputs. Every node is computed from parts as its op's rule says
(`Op.cuts`). Of the layouts of its inputs those of `shard` nodes come first, then those of the largest tensors. Where an
input has another layout than its reader wants, it is gathered, sent all to all, or its part is taken. Sums of parts
wait for their reader: they are reduced to the part that it wants (`reduce_scatter`), or to the whole. What is the same
everywhere and cheap is computed again for a part. Ops without a rule get whole inputs.

A Parameter that no `shard` node reads is cut as the value is that it is updated to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from ...runtime.shown import standard
from .. import ops
from ..ir.graph import Graph, Node, make_node, walk
from ..ir.layouts import (
    Cut,
    Cuts,
    Digit,
    Label,
    Layout,
    Part,
    count,
    cuts_of,
    divides,
    independent,
    layout_by,
    members,
    part_of,
    position,
    show_layout,
    whole,
)
from ..ir.naming import take_name
from ..ir.values import IRError, Literal, Operand, Value
from ..transforms.symbolic import UNNAMED, Recorder, Symbol

AGAIN = ("elementwise", "view", "creation")  # kinds of nodes that may be computed again for a part
ROUNDS = 8  # in which the layouts of updated Parameters are found

GroupOf = Callable[[tuple[int, ...]], str]


@standard
class PartitionError(ValueError):
    """A program cannot be computed from parts.

    Attributes:
        node: the node that cannot be.
    """

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.node = node


def partition(
    graph: Graph, rank: int, layouts: Mapping[Value, Layout], free: Sequence[Value], group: GroupOf
) -> tuple[Graph, list[Layout]]:
    """The program of one process, and the layouts of the graph's parameters.

    Args:
        graph: the whole program, without ops that simpler ones define.
        rank: of the process.
        layouts: those of parameters that are known; the others are whole.
        free: parameters that may get a layout.
        group: gives the name of a group of ranks; all processes ask for the same ones.

    Raises:
        PartitionError: if it cannot be computed from parts.
    """
    given = dict(layouts)
    marks: dict[Operand, Layout] = {}
    for node in reversed(graph.nodes):
        if node.op is ops.shard:
            marks[node.inputs[0]] = node.attrs["layout"]
        elif node.op.kind == "elementwise" and len(node.inputs) == 1 and node.output in marks:  # a cast
            marks.setdefault(node.inputs[0], marks[node.output])
    given.update((value, marks[value]) for value in free if value in marks)
    open_ = {position for position, value in enumerate(graph.parameters) if value in free and value not in marks}
    for _ in range(ROUNDS):
        work = _Partition(graph, rank, given, group)
        changed = False
        for output, parameter in graph.donated.items():
            value, target = graph.outputs[output], graph.parameters[parameter]
            found = work.layout(value)
            if parameter in open_ and found != given.get(target, whole(len(found))):
                given[target] = found
                changed = True
        if not changed:
            break
    return work.finish(), [work.layout(value) for value in graph.parameters]


class _Partition:
    """The program of one process under construction.

    Attributes:
        layouts: how each value of the whole graph is cut where it is computed.
        forms: the parts of each value, by layout.
        pending: values of which processes have results to be combined: by what, over which digits.
        made: the nodes that compute values.
        wanted: the layouts that `shard` nodes give values.
        strict: what has to be computed from the layout that a value has, by the user.
        read: what some node has read: the first reader is the user's, later ones may be of the backward.
    """

    def __init__(self, graph: Graph, rank: int, given: Mapping[Value, Layout], group: GroupOf) -> None:
        self.graph, self.rank, self.group = graph, rank, group
        self.location: Any = None
        self.recorder = Recorder(graph.name, locate=lambda: self.location, naming=lambda: UNNAMED)
        self.layouts: dict[Operand, Layout] = {}
        self.forms: dict[Operand, dict[Layout, Operand]] = {}
        self.pending: dict[Operand, tuple[str, Cut]] = {}
        self.made: dict[Operand, Node] = {}
        self.strict: dict[Operand, str] = {}
        self.read: set[Operand] = set()
        marks = [node for node in reversed(graph.nodes) if node.op is ops.shard]
        self.wanted: dict[Operand, Layout] = {node.inputs[0]: node.attrs["layout"] for node in marks}
        self.headings: dict[Node, tuple[str, ...]] = {}
        for value in graph.parameters:
            layout = given.get(value, whole(value.type.rank))
            local = Value(part_of(value.type, layout), value.name)
            self.recorder.parameters.append(local)
            self._has(value, layout, local)
        with self.recorder:
            for node in graph.nodes:
                self.location = node.location
                self.visit(node)

    def finish(self) -> Graph:
        """The graph: outputs are whole, but for what becomes of a parameter."""
        outputs = []
        for position_, operand in enumerate(self.graph.outputs):
            target = self.graph.donated.get(position_)
            layout = whole(operand.type.rank)
            if target is not None:
                layout = self.layout(self.graph.parameters[target])
            with self.recorder:
                outputs.append(self.get(operand, layout))
        notes = {
            f"%{value.name}": f"cut {show_layout(layout)}"
            for value in self.graph.parameters
            if any(layout := self.layout(value))
        }
        return replace(
            self.graph, parameters=tuple(self.recorder.parameters), nodes=tuple(self.recorder.nodes),
            outputs=tuple(outputs), headings=self.headings, notes={**self.graph.notes, **notes},
        )  # fmt: skip

    # Values

    def layout(self, operand: Operand) -> Layout:
        """How a value is cut where it is computed."""
        return self.layouts.get(operand, whole(operand.type.rank))

    def _has(self, value: Value, layout: Layout, local: Operand) -> None:
        self.layouts[value] = layout
        self.forms[value] = {layout: local}

    def get(self, operand: Operand, layout: Layout) -> Operand:
        """The part of a value in a layout."""
        if isinstance(operand, Literal):
            return operand
        forms = self.forms[operand]
        if operand in self.pending:
            self._combine(operand, layout)
        found = forms.get(layout)
        if found is None:
            found = self._again(operand, layout) if not any(self.layouts[operand]) else None
            if found is None:
                found = self._moved(forms[self.layouts[operand]], self.layouts[operand], layout)
            forms[layout] = found
        return found

    def _combine(self, value: Operand, wanted: Layout) -> None:
        """Combine the results of processes: for the wanted part alone, or for the layout that the value has."""
        by, over = self.pending.pop(value)
        layout = self.layouts[value]
        local = self.forms[value].pop(layout)
        more = [axis for axis, (here, there) in enumerate(zip(layout, wanted, strict=True)) if here != there]
        if by == "sum" and len(more) == 1:
            axis = more[0]
            rest = wanted[axis][len(layout[axis]) :]
            if wanted[axis] == layout[axis] + rest and set(rest) == set(over):
                local = self._rows(ops.reduce_scatter, local, axis, rest, by=by)
                self.layouts[value] = wanted
                self.forms[value][wanted] = local
                return
        self.forms[value][layout] = self._collective(ops.all_reduce, local, over, by=by)

    def _again(self, value: Operand, layout: Layout) -> Operand | None:
        """A part of a value that is the same everywhere, computed from parts; None if it has to be taken."""
        node = self.made.get(value)
        rule = None if node is None or node.op.kind not in AGAIN or len(node.outputs) != 1 else cuts_of(node)
        if node is None or rule is None:
            return None
        cuts: dict[Label, Cut] = {}
        for label, cut in zip(rule.outputs[0], layout, strict=True):
            if cut and (label is None or cuts.setdefault(label, cut) != cut):
                return None
        if not self._fits(node, rule, cuts):
            return None
        (found,) = self._compute(node, rule, cuts)
        return found

    # Nodes

    def visit(self, node: Node) -> None:
        """Compute a node of the whole graph."""
        if node.op is ops.shard:
            layout = node.attrs["layout"]
            if not divides(node.output.type.shape, layout):
                self._fail(node, f"cannot cut {node.output.type}, of which only the run knows a size")
            self._has(node.output, layout, self.get(node.inputs[0], layout))
            if node.attrs.get("of"):
                self.strict[node.output] = node.attrs["of"]
            return
        if node.op.kind == "collective":
            self._fail(node, "communicates by itself: in 'semi_auto_parallel' the tensors are those of all processes")
        for inner in (each for graph in node.subgraphs for each in walk(graph)):
            if inner.op is ops.shard or inner.op.kind == "collective":
                self._fail(inner, "is in a branch or loop, where layouts cannot be given: take it outside")
        rule = cuts_of(node)
        if rule is None:
            self._whole(node)
            return
        cuts = self._choose(node, rule)
        for value, layout in self._made_by(node, rule, cuts):
            self.layouts[value], self.made[value] = layout, node
        locals_ = self._compute(node, rule, cuts)
        produced = {label for labels in rule.outputs for label in labels}
        given = {label for labels in rule.inputs for label in labels}
        over = tuple(digit for label, cut in cuts.items() if label in given - produced for digit in cut)
        for out, local in zip(node.outputs, locals_, strict=True):
            self._has(out, self.layouts[out], local)
            if over:
                self.pending[out] = rule.by, over

    def _whole(self, node: Node) -> None:
        """Compute a node that has no rule from whole inputs."""
        for operand in node.inputs:
            if operand in self.strict and operand not in self.read and any(self.layout(operand)):
                self._fail(
                    node, f"has no form for parts, but its input is cut {show_layout(self.layout(operand))}: leave "
                    f"{self.strict[operand]}.shard out, and the input is gathered",
                )  # fmt: skip
        inputs = [self.get(operand, whole(operand.type.rank)) for operand in node.inputs]
        made = make_node(node.op, inputs, node.attrs, node.location)
        self.recorder.nodes.append(made)
        for value, local in zip(node.outputs, made.outputs, strict=True):
            take_name(local, value)
            self._has(value, whole(value.type.rank), local)

    def _choose(self, node: Node, rule: Cuts) -> dict[Label, Cut]:
        """The digits for each label: as the inputs are cut, those of the user's layouts first, then the largest."""
        inputs = [(x, labels) for x, labels in zip(node.inputs, rule.inputs, strict=True) if isinstance(x, Value)]
        inputs.sort(key=lambda item: (item[0] not in self.strict, -item[0].type.known_size))
        asked = [(self.layout(x), labels) for x, labels in inputs]
        read = zip(node.outputs, rule.outputs, strict=True)
        asked += [(self.wanted[x], labels) for x, labels in read if x in self.wanted]  # the last of all
        cuts: dict[Label, Cut] = {}
        used: list[Digit] = []
        for layout, labels in asked:
            for label, cut in zip(labels, layout, strict=True):
                if label is None or not cut or cuts.get(label) or not independent([*used, *cut]):
                    continue
                if self._fits(node, rule, {**cuts, label: cut}):
                    cuts[label] = cut
                    used += cut
        for number, (operand, labels) in enumerate(zip(node.inputs, rule.inputs, strict=True)):
            if operand in self.strict and operand not in self.read and layout_by(labels, cuts) != self.layout(operand):
                self._conflict(node, number, [layout_by(labels, cuts) for labels in rule.inputs])
            self.read.add(operand)
        return cuts

    def _conflict(self, node: Node, number: int, chosen: Sequence[Layout]) -> NoReturn:
        own = [show_layout(self.layout(operand)) for operand in node.inputs]
        self._fail(
            node, f"cannot be computed from inputs that are cut {' and '.join(own)}, but from "
            f"{' and '.join(map(show_layout, chosen))}: input {number} of {self.strict[node.inputs[number]]}.shard "
            "needs another strategy",
        )  # fmt: skip

    def _fits(self, node: Node, rule: Cuts, cuts: Mapping[Label, Cut]) -> bool:
        """Whether all dimensions can be cut so, into equal parts."""
        pairs = [*zip(node.inputs, rule.inputs, strict=True), *zip(node.outputs, rule.outputs, strict=True)]
        return all(
            divides(value.type.shape, layout_by(labels, cuts)) for value, labels in pairs if isinstance(value, Value)
        )

    def _made_by(self, node: Node, rule: Cuts, cuts: Mapping[Label, Cut]) -> list[tuple[Value, Layout]]:
        return [(v, layout_by(labels, cuts)) for v, labels in zip(node.outputs, rule.outputs, strict=True)]

    def _compute(self, node: Node, rule: Cuts, cuts: Mapping[Label, Cut]) -> list[Operand]:
        """The parts of a node's outputs."""
        inputs = [self.get(x, layout_by(labels, cuts)) for x, labels in zip(node.inputs, rule.inputs, strict=True)]
        layouts = self._made_by(node, rule, cuts)
        types = [part_of(value.type, layout) for value, layout in layouts]
        attrs = dict(node.attrs)
        found: list[Operand]
        if rule.local is not None and any(cuts.values()):
            symbols = [Symbol(x, self.recorder) for x in inputs]
            found = [self.recorder.lift(rule.local(Part(cuts, self.rank), *symbols, **attrs))]
        else:
            if rule.attrs is not None:
                attrs.update(rule.attrs(types[0].static_shape) if types[0].is_static else {})
            made = make_node(node.op, inputs, attrs, node.location)
            self.recorder.nodes.append(made)
            found = list(made.outputs)
            if any(any(layout) for _, layout in layouts):
                self.headings[made] = ("cut " + ", ".join(show_layout(layout) for _, layout in layouts),)
        for local, type, value in zip(found, types, node.outputs, strict=True):
            if local.type != type:
                raise IRError(f"partition: {node!r} gave {local.type} for {type}")
            take_name(local, value)
        return found

    def _fail(self, node: Node, problem: str) -> NoReturn:
        raise PartitionError(f"{node.op.name} {problem}", node)

    # Movement of parts

    def _collective(self, op: Any, local: Operand, over: Cut, **attrs: Any) -> Operand:
        ranks = members(over, self.rank)
        symbol = Symbol(local, self.recorder)
        wide = ops.reduced_dtype(local.type.dtype) if "by" in attrs else local.type.dtype
        if wide is not local.type.dtype:
            symbol = ops.cast(symbol, dtype=wide)
        found = op(symbol, group=self.group(ranks), size=len(ranks), **attrs)
        if wide is not local.type.dtype:
            found = ops.cast(found, dtype=local.type.dtype)
        return self.recorder.lift(found)

    def _rows(self, op: Any, local: Operand, axis: int, over: Cut, **attrs: Any) -> Operand:
        """A collective that treats the rows of an axis."""
        front = self._transposed(local, (axis, *[a for a in range(local.type.rank) if a != axis]))
        moved = self._collective(op, front, over, **attrs)
        return self._transposed(moved, (*range(1, axis + 1), 0, *range(axis + 1, local.type.rank)))

    def _transposed(self, local: Operand, axes: tuple[int, ...]) -> Operand:
        if axes == tuple(range(len(axes))):
            return local
        return self.recorder.lift(ops.transpose(Symbol(local, self.recorder), axes=axes))

    def _moved(self, local: Operand, have: Layout, want: Layout) -> Operand:
        """This process's part in the wanted layout, made from its part in another layout."""
        layout = list(have)
        for axis, cut in enumerate(want):  # parts of what this process has already
            if cut[: len(layout[axis])] == layout[axis]:
                rest = cut[len(layout[axis]) :]
                if rest and independent([digit for each in layout for digit in each] + list(rest)):
                    local = self._taken(local, axis, rest)
                    layout[axis] = cut
        for axis, cut in enumerate(want):  # from one dimension to another
            rest = cut[len(layout[axis]) :]
            if not rest or cut[: len(layout[axis])] != layout[axis]:
                continue
            for other in range(len(layout)):
                kept = layout[other][: -len(rest)]
                if other != axis and layout[other] == kept + rest and want[other] == kept:
                    local = self._exchanged(local, other, axis, rest)
                    layout[other], layout[axis] = kept, cut
                    break
        for axis, cut in enumerate(want):
            same = 0
            while same < min(len(cut), len(layout[axis])) and cut[same] == layout[axis][same]:
                same += 1
            if layout[axis][same:]:
                local = self._rows(ops.all_gather, local, axis, layout[axis][same:])
                layout[axis] = cut[:same]
        for axis, cut in enumerate(want):
            rest = cut[len(layout[axis]) :]
            if rest:
                local = self._taken(local, axis, rest)
        return local

    def _taken(self, local: Operand, axis: int, cut: Cut) -> Operand:
        """This process's part of an axis."""
        shape = local.type.static_shape
        size = shape[axis] // count(cut)
        start = [0] * len(shape)
        stop = list(shape)
        start[axis] = position(cut, self.rank) * size
        stop[axis] = start[axis] + size
        found = ops.slice(Symbol(local, self.recorder), start=tuple(start), stop=tuple(stop), step=(1,) * len(shape))
        return self.recorder.lift(found)

    def _exchanged(self, local: Operand, gathered: int, axis: int, cut: Cut) -> Operand:
        """All to all: one axis is whole after it, another one is cut."""
        parts = count(cut)
        rank = local.type.rank
        front = (axis, gathered, *[a for a in range(rank) if a not in (axis, gathered)])
        rows = Symbol(self._collective(ops.all_to_all, self._transposed(local, front), cut), self.recorder)
        size, part, *others = rows.type.static_shape  # (parts * own rows, part of the gathered axis, …)
        split = ops.reshape(rows, shape=(parts, size // parts, part, *others))
        swapped = ops.transpose(split, axes=(1, 0, 2, *range(3, rank + 1)))
        merged = ops.reshape(swapped, shape=(size // parts, parts * part, *others))
        return self._transposed(self.recorder.lift(merged), tuple(front.index(a) for a in range(rank)))

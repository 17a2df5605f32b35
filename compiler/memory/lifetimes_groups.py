"""Homes for what groups compute: blocks of NumPy calls in scratch of their own, and kernels of machine code."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime import dtypes
from ...runtime.calibration import Thresholds
from ...runtime.native.builder import Unsupported
from ...runtime.native.language import COMBINED
from ...runtime.threads import thread_count, worth_sharing
from ..ir.graph import Graph, Node
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value
from ..kernels.blocks import Block, make_block
from ..kernels.groups import (
    SHARED_NANOSECONDS,
    Layout,
    Translation,
    contiguous,
    duration,
    shared,
    translate,
)
from ..kernels.loops import states_of, translate_loop
from .layout import aligned
from .plan import ARENA, BlockPlan, Home, KernelPlan, Place, Plan


@dataclass(frozen=True)
class BlockOutputs:
    """How the outputs of a fused group's block are used.

    Attributes:
        kept: outputs that stay in the arena, as they add up over the blocks.
        over: for each output, parameters of the block over which it may be written: what is computed before their last
            use must not be in its place.
    """

    kept: Collection[int]
    over: Mapping[int, Sequence[int]]


class GroupPlanner:
    """The part of the walk through a program that deals with groups; `Planner` has the rest."""

    disabled: Collection[str]
    measured: Callable[[], Thresholds] | None
    plan_block: Callable[[Graph, BlockOutputs], Plan]
    names: Mapping[Value, str]
    clock: int
    homes: list[Home]
    places: dict[Value, Place]
    layouts: dict[Value, np.ndarray]
    direct: dict[Value, Value]
    steps: dict[Value, tuple[int, Node]]

    def __init__(self) -> None:
        self.blocks: dict[Node, BlockPlan] = {}
        self.kernels: dict[Node, KernelPlan] = {}
        self.translations: dict[Node, Translation] = {}
        self.viewed: dict[Value, Node] = {}  # what is in another's memory, however that lies, and the node that sees it

    def home(self, kind: str, value: Value, first: int | None = None) -> Home:
        """A new home, born now."""
        raise NotImplementedError

    def resolve(self, operand: Operand) -> Operand:
        """What a parameter of a sub-graph stands for."""
        raise NotImplementedError

    def covers(self, value: Value, home: Home) -> bool:
        """Whether a view is all of its home in C order."""
        raise NotImplementedError

    def group(self, node: Node) -> None:
        """A fused group: its blocks have a plan of their own, in scratch that the group has for itself."""
        block = make_block(node, threads="threads" not in self.disabled, measured=self.measured)
        sums = {position: 0 for position, (_, ufunc) in enumerate(block.outputs) if ufunc is not None}
        plan = self.plan_block(block.graph, BlockOutputs(tuple(sums), self.overwritten(node, block)))
        total = plan.nbytes * block.threads
        for position in sums:
            sums[position] = total
            total += aligned(block.graph.outputs[position].type.nbytes) * block.pieces
        nbytes = TensorType(dtypes.uint8, (total,))
        scratch = Home(ARENA, nbytes, "scratch", self.clock)
        self.homes.append(scratch)
        self.blocks[node] = BlockPlan(block, plan, scratch, sums)
        self.place_outputs(node, lambda parameter, position: self.written_after_read(node, parameter, position))

    def kernel(self, node: Node) -> None:
        """A group of machine code, which reads views right from the memory that they are of."""
        roots: list[Operand] = []
        layouts: dict[int, Layout] = {}
        for position, operand in enumerate(node.inputs):
            root, layout = self.memory_of(operand)
            roots.append(root)
            if layout is not None:
                layouts[position] = layout
        body: Graph = node.attrs["body"]
        try:
            translation = translate(body, layouts)
        except Unsupported:  # with loops that follow the views; those are copied then
            roots = [self.resolve(operand) for operand in node.inputs]
            translation = translate(body)
        self.translations[node] = translation
        kernel, threads = translation.kernel, 1
        pieces: tuple[tuple[int, int, int], ...] = ()
        most = 1 if "threads" in self.disabled else thread_count()
        if worth_sharing(most, duration(kernel), SHARED_NANOSECONDS) > 1:
            divided = shared(kernel, most)
            if divided is not None:
                (kernel, pieces), threads = divided, most
        inputs = tuple(roots[index] for index in translation.inputs)
        sums: dict[int, Home] = {}
        for position, array in zip(translation.outputs, kernel.arrays[len(inputs) :], strict=True):
            if pieces and array.role in COMBINED:
                value = node.outputs[position]
                type = value.type.with_shape((len(pieces), *value.type.shape))
                sums[position] = Home(ARENA, type, f"{self.names[value]}_sums", self.clock)
                self.homes.append(sums[position])
        self.kernels[node] = KernelPlan(kernel, inputs, translation.outputs, pieces, threads, sums)
        places = self.places
        self.place_outputs(node, lambda parameter, i: self.kernel_may_overwrite(node, places[parameter].home, i))

    def place_outputs(self, node: Node, may_overwrite: Callable[[Value, int], bool]) -> None:
        """Homes for a group's outputs: those of parameters, where they may be written there."""
        for position, value in enumerate(node.outputs):
            self.steps[value] = self.clock, node
            parameter = self.direct.get(value)
            if parameter is not None and may_overwrite(parameter, position):
                place = self.places[parameter]
                self.places[value] = Place(place.home, True, False, place.shares)
                continue
            self.direct.pop(value, None)
            self.places[value] = Place(self.home(ARENA, value), True, True)

    def loop_kernel(self, node: Node) -> None:
        """A counted loop of machine code, whose state lives where the last one is to be."""
        seen = [self.memory_of(operand) for operand in node.inputs]
        layouts = {position: layout for position, (_, layout) in enumerate(seen) if layout is not None}
        roots = [root for root, _ in seen]
        try:
            translation = translate_loop(node, layouts)
        except Unsupported:  # with loops that follow the views; those are copied then
            roots = [self.resolve(operand) for operand in node.inputs]
            translation = translate_loop(node)
        inputs: list[Operand] = []
        for position, state in zip(translation.inputs, translation.states, strict=True):
            inputs.append(node.outputs[state] if position is None else roots[position])  # type: ignore[index]
        states = {number: initial for number, (_, initial) in enumerate(states_of(node))}
        self.kernels[node] = KernelPlan(translation.kernel, tuple(inputs), translation.outputs, states=states)
        for value in node.outputs:
            self.places[value] = Place(self.home(ARENA, value), True, True)

    def memory_of(self, operand: Operand) -> tuple[Operand, Layout | None]:
        """The value whose memory an operand is, and how it lies there; None in C order from the start."""
        value = seen_value = self.resolve(operand)
        chain: list[Node] = []
        while isinstance(value, Value) and value in self.viewed:
            base = self.resolve(self.viewed[value].inputs[0])
            if base.type.dtype != value.type.dtype:  # a kernel takes arrays of the dtype that it reads
                break
            chain.append(self.viewed[value])
            value = base
        if isinstance(value, Literal) or not chain:
            return value, None
        whole = seen = np.zeros(value.type.static_shape, value.type.dtype.np)
        for node in reversed(chain):
            seen = node.op.kernel(seen, **node.attrs)
        offset = seen.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        if seen.flags.c_contiguous and isinstance(seen_value, Value) and self.places[seen_value].known:
            return seen_value, None  # made once; a kernel with no place in it may serve for others, too
        layout = Layout(whole.shape, offset, seen.strides)
        return value, None if layout == contiguous(seen_value) else layout

    def kernel_may_overwrite(self, node: Node, home: Home, position: int) -> bool:
        """Whether a kernel's output may be in this home, where some of its inputs live."""
        for index, operand in enumerate(map(self.resolve, node.inputs)):
            if isinstance(operand, Literal):
                continue
            place = self.places[operand]
            if home not in [place.home.find(), *[shared.find() for shared in place.shares]]:
                continue
            whole = place.whole or self.covers(operand, home) or self.same_start(operand, node.outputs[position])
            if not whole or (position, index) not in self.translations[node].in_place:
                return False
        return True

    def same_start(self, operand: Value, output: Value) -> bool:
        """Whether a part of a home in C order starts where the output does in what it is a part of."""
        layout = self.layouts.get(operand)
        if layout is None or layout.base is None or not layout.flags.c_contiguous or output not in self.places:
            return False
        start = layout.__array_interface__["data"][0] - layout.base.__array_interface__["data"][0]
        return bool(self.places[operand].home.start() + start == self.places[output].home.start())

    def overwritten(self, node: Node, block: Block) -> dict[int, list[int]]:
        """For each output of a group, the block's parameters in whose memory it may come to be."""
        result: dict[int, list[int]] = {}
        for position, value in enumerate(node.outputs):
            parameter, result[position] = self.direct.get(value), []
            for number, (index, _, shape) in enumerate(block.inputs):
                operand = self.resolve(node.inputs[index])
                if isinstance(operand, Literal) or shape != block.outputs[position][0]:
                    continue
                arena = parameter is None and self.places[operand].home.kind == ARENA
                if arena or operand is parameter:
                    result[position].append(number)
        return result

    def written_after_read(self, node: Node, operand: Operand, position: int) -> bool:
        """Whether a block writes this output only once it has read all of its rows of an input, and reads no others."""
        planned = self.blocks[node]
        block, plan = planned.block, planned.plan
        if block.outputs[position][1] is not None:
            return False
        out = block.graph.outputs[position]
        place = plan.places[out]  # type: ignore[index]
        first = place.home.find().first
        if not place.whole:
            return False
        for (index, has_rows, shape), parameter in zip(block.inputs, block.graph.parameters, strict=True):
            if self.resolve(node.inputs[index]) is not operand:
                continue
            if not has_rows or shape != block.outputs[position][0] or plan.places[parameter].home.last > first:
                return False
        return True

    def group_may_overwrite(self, node: Node, home: Home, output: Operand) -> bool:
        """As `may_overwrite`, for a fused group."""
        position = node.outputs.index(output)
        if any(self.places[value].home.find() is home for value in node.outputs):
            return False
        for operand in map(self.resolve, node.inputs):
            if isinstance(operand, Literal):
                continue
            place = self.places[operand]
            if home not in [place.home.find(), *[shared.find() for shared in place.shares]]:
                continue
            if not place.known or not (place.whole or self.covers(operand, home)):
                return False
            if not self.written_after_read(node, operand, position):
                return False
        return True

"""Buffer sharing: a value overwrites one that is read for the last time; results and parts of concatenations are
computed in their final place.

    %a = multiply(%x, 2.0)        a: bytes 0 to 400
    %b = tanh(%a)                 b: bytes 0 to 400, over a, which nothing reads later
    %c = concatenate(%b, %d)      b and d are parts of c, and nothing is copied (concat elision)

Each merge makes one allocation a part of another, with union-find (`Allocation.find`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from ...runtime.records import dataclass
from .. import ops
from ..ir.graph import Graph, Node
from ..ir.values import Literal, Operand, Value
from .plan import ARENA, HEAP, RESULT, Allocation
from .state import PlannerState

FEWEST_PARTS = 4  # of a concatenation that is computed in the arena and copied once, not part by part
SMALL_PART = 4096  # bytes; copies of larger parts take longer than their calls
LARGE_PART = 1 << 15  # bytes; copies of larger parts of a result take longer than arrays made for them in each call


@dataclass(frozen=True)
class BlockOutputs:
    """How the outputs of the program for one block of a fused group are used.

    Attributes:
        kept: outputs that stay in the arena, because they are reduced over the blocks.
        over: for each output, parameters of the block over which it may be written: what is computed before their last
            use must not be in its memory.
    """

    kept: Sequence[int] = ()
    over: Mapping[int, Sequence[int]] = field(default_factory=dict)


class InPlace:
    """Decides which values share memory, and merges their allocations.

    Attributes:
        returned: the outputs whose arrays are returned without a copy.
        elided: for each concatenation the inputs that are computed in place.
        unread: for results of a block, the last read of the memory that they may overwrite.
        rows: stacks, what a loop reads row by row and may write them over, and when it ends.
    """

    def __init__(self, state: PlannerState, outputs: BlockOutputs) -> None:
        self.state = state
        self.outputs = outputs
        self.returned: set[int] = set()
        self.elided: dict[Node, tuple[int, ...]] = {}
        self.concatenated: list[Allocation] = []
        self.unread: dict[Allocation, int] = {}
        self.rows: list[tuple[Allocation, Allocation, int]] = []

    # Which values may overwrite which

    def may_overwrite(self, node: Node, allocation: Allocation, output: Operand) -> bool:
        """Whether the node may write its output over the inputs that are stored in this allocation."""
        state = self.state
        if node in state.kernels or node in state.blocks:
            outputs = node.outputs
            if True in [state.storage[value].allocation.find() is allocation for value in outputs]:
                return False
            position = outputs.index(output)
            group = self.kernel_may_overwrite if node in state.kernels else self.block_may_overwrite
            return group(node, allocation, position)
        if not (node.op.writes_out and (node.op.kind == "elementwise" or node.op.inplace)):
            return False
        for position, operand in enumerate(map(state.resolve, node.inputs)):
            if type(operand) is Literal or not state.lies_in(operand, allocation):
                continue
            stored = state.storage[operand]
            if not stored.known or operand.type != output.type or (position and node.op.kind != "elementwise"):
                return False
            layout = state.layouts.get(operand)
            if not stored.whole and not (layout is not None and layout.flags.c_contiguous):
                return False
        return True

    def kernel_may_overwrite(self, node: Node, allocation: Allocation, position: int) -> bool:
        """Whether a kernel's output may be in this allocation, which holds some of its inputs."""
        state = self.state
        around = None  # a loop may read its initial state elsewhere, too
        if node.op is ops.kernel and position in state.kernels[node].states:
            around = state.resolve(state.kernels[node].states[position])
        for index, operand in enumerate(map(state.resolve, node.inputs)):
            if type(operand) is Literal or not state.lies_in(operand, allocation):
                continue
            if operand is around:  # the kernel reads parts of it, which are inputs of their own
                continue
            whole = state.storage[operand].whole or state.covers(operand, allocation)
            whole = whole or self.same_start(operand, node.outputs[position]) or self.is_part(operand, around)
            if not whole or (position, index) not in state.kernels[node].in_place:
                return False
        return True

    def is_part(self, operand: Value, around: Operand | None) -> bool:
        """Whether an operand is a view of the value around a box."""
        state, value = self.state, operand
        while value in state.viewed:
            value = state.resolve(state.viewed[value].inputs[0])  # type: ignore[assignment]
        return value is around

    def same_start(self, operand: Value, output: Value) -> bool:
        """Whether a part of an allocation, in C order, starts at the same offset as the output does in its own."""
        state = self.state
        layout = state.layouts.get(operand)
        if layout is None or layout.base is None or not layout.flags.c_contiguous or output not in state.storage:
            return False
        start = layout.__array_interface__["data"][0] - layout.base.__array_interface__["data"][0]
        return bool(state.storage[operand].allocation.start() + start == state.storage[output].allocation.start())

    def block_may_overwrite(self, node: Node, allocation: Allocation, position: int) -> bool:
        """Whether a fused group's output may be in this allocation, which holds some of its inputs."""
        state = self.state
        for operand in map(state.resolve, node.inputs):
            if type(operand) is Literal or not state.lies_in(operand, allocation):
                continue
            stored = state.storage[operand]
            if not stored.known or not (stored.whole or state.covers(operand, allocation)):
                return False
            if not self.written_after_read(node, operand, position):
                return False
        return True

    def written_after_read(self, node: Node, operand: Operand, position: int) -> bool:
        """Whether a block writes this output only after it has read all its rows of an input, and reads no other
        rows."""
        planned = self.state.blocks[node]
        block, plan = planned.block, planned.plan
        if block.outputs[position][1] is not None:
            return False
        out = block.graph.outputs[position]
        stored = plan.storage[out]
        first = stored.allocation.find().first
        if not stored.whole:
            return False
        for (index, has_rows, shape), parameter in zip(block.inputs, block.graph.parameters, strict=True):
            if self.state.resolve(node.inputs[index]) is not operand:
                continue
            if not has_rows or shape != block.outputs[position][0] or plan.storage[parameter].allocation.last > first:
                return False
        return True

    def written_behind(self, body: Graph, row: Value, stacked: Operand) -> bool:
        """Whether a body has read this row, and all views of it, when it computes a value that it stacks."""
        made = self.state.steps.get(stacked)
        if made is None or made[1] not in body.order or not self.state.storage[stacked].whole:
            return False
        node, seen, whole = made[1], {row}, self.state.storage[row].allocation.find()
        for each in body.nodes:
            if seen.isdisjoint(each.inputs):
                continue
            if body.order[each] > body.order[node]:
                return False
            if each is node and not self.may_be_over(node, row, seen, node.outputs.index(stacked)):
                return False
            seen.update([value for value in each.outputs if self.state.lies_in(value, whole)])
        return seen.isdisjoint(body.outputs)

    def may_be_over(self, node: Node, row: Value, seen: Collection[Operand], position: int) -> bool:
        """Whether a node may write this output over a row that it reads. It may read no other views of the row."""
        read = [index for index, operand in enumerate(node.inputs) if operand in seen]
        if any(node.inputs[index] is not row for index in read):
            return False
        if node in self.state.kernels:
            return all((position, index) in self.state.kernels[node].in_place for index in read)
        return node.op.writes_out and node.op.kind == "elementwise" and node.outputs[position].type == row.type

    # Merging

    def merge(self) -> None:
        """Merge wherever possible: concatenations and stacks first, then values over their node's inputs."""
        if ops.concatenate in self.state.graph.ops:
            for value, (time, node) in self.state.steps.items():
                if node.op is ops.concatenate:
                    self.elide(value, time, node)
        for stack, source, time in self.rows:
            source = source.find()
            free = stack.parent is None and stack.kind in (ARENA, RESULT) and source.last == time
            if free and self.is_free(source, stack):
                self.join(stack, source)
        for value, (time, node) in self.state.steps.items():
            self.reuse(value, time, node)

    def reuse(self, value: Operand, time: int, node: Node) -> None:
        """Merge a value's allocation with that of an input that is read for the last time when the value is written."""
        state, storage, aliases = self.state, self.state.storage, self.state.aliases
        stored = storage[value]
        allocation = stored.allocation if stored.allocation.parent is None else stored.allocation.find()
        if not stored.whole or allocation.first != time or allocation.kind not in (ARENA, RESULT):
            return
        if value is not node.outputs[0] and node not in state.blocks and node not in state.kernels:
            return
        for operand in node.inputs:
            given = storage.get(state.resolve(operand) if operand in aliases else operand)
            if given is None:  # a literal has none
                continue
            source = given.allocation if given.allocation.parent is None else given.allocation.find()
            if source.last != time or not self.is_free(source, allocation):
                continue
            if self.may_overwrite(node, source, value):
                self.join(allocation, source)
                return

    def join(self, allocation: Allocation, source: Allocation) -> None:
        """Merge an allocation with one whose values are not read any more."""
        allocation.parent = source
        source.kind = allocation.kind
        source.last = max(source.last, allocation.last)

    def is_free(self, source: Allocation, allocation: Allocation) -> bool:
        """Whether an allocation that nothing reads later is in the arena, and has the right size."""
        if source is allocation or source.kind != ARENA:
            return False
        if source.type.nbytes != allocation.type.nbytes or source.first < self.unread.get(allocation, 0):
            return False
        alike = source.type.shape == allocation.type.shape or source.type.nbytes > SMALL_PART
        if allocation.kind == RESULT and not alike:
            return False  # each call would make a view, which for memory of the arena is made once
        # The parts of a concatenation are views at fixed offsets of the arena: it cannot become a result.
        return allocation.kind == ARENA or all(whole.find() is not source for whole in self.concatenated)

    def elide(self, value: Operand, time: int, node: Node) -> None:
        """Concat elision: let the inputs of a concatenation be computed in place, if each of them is contiguous in the
        result."""
        state, stored, axis = self.state, self.state.storage[value], node.attrs["axis"]
        whole = stored.allocation.find()
        large = whole.kind == RESULT and whole.type.nbytes >= LARGE_PART * len(node.inputs)
        if not (whole.kind == ARENA or large) or whole.first != time:
            return
        if any(size != 1 for size in value.type.shape[:axis]):
            return
        if not stored.whole or not all(x.type.is_static for x in (value, *node.inputs)):
            return
        placed: list[int] = []
        offset = 0
        for position, operand in enumerate(map(state.resolve, node.inputs)):
            part = self.movable(operand, whole)
            if part is not None:
                part.parent, part.shift = whole, offset
                whole.first = min(whole.first, part.first)
                whole.last = max(whole.last, part.last)
                placed.append(position)
            offset += operand.type.nbytes
        if placed:
            self.elided[node] = tuple(placed)
            self.concatenated.append(whole)

    def movable(self, operand: Operand, whole: Allocation) -> Allocation | None:
        """The allocation of a part, if the part is all of it and it may become a part of the whole."""
        if isinstance(operand, Literal):
            return None
        stored = self.state.storage[operand]
        part = stored.allocation
        if not stored.known or not (stored.whole or self.state.covers(operand, part)):
            return None
        own = part.parent is None and part.kind == ARENA and part.type.nbytes == operand.type.nbytes
        return part if own and part is not whole and part.level == whole.level else None

    def has_small_parts(self, operand: Value) -> bool:
        """Whether a concatenation has so small parts that one copy of all takes less time than a copy of each."""
        _, node = self.state.steps.get(operand, (0, None))
        if node is None or node.op is not ops.concatenate or len(node.inputs) < FEWEST_PARTS:
            return False
        if any(size != 1 for size in operand.type.shape[: node.attrs["axis"]]):
            return False
        return operand.type.nbytes <= SMALL_PART * len(node.inputs)

    def results(self) -> None:
        """Let outputs be computed in fresh arrays, if they have an allocation of their own."""
        state = self.state
        given: set[Allocation] = set()
        for position, operand in enumerate(state.graph.outputs):
            operand = state.resolve(operand)
            if isinstance(operand, Literal) or position in state.graph.donated or position in self.outputs.kept:
                continue
            stored = state.storage[operand]
            allocation = stored.allocation.find()
            if allocation.kind == ARENA and (stored.whole or state.covers(operand, allocation)):
                if self.has_small_parts(operand):
                    continue
                allocation.kind = RESULT
                self.returned.add(position)
                over = [
                    state.storage[state.graph.parameters[i]].allocation.last
                    for i in self.outputs.over.get(position, ())
                ]
                self.unread[allocation] = max([self.unread.get(allocation, 0), *over])
            elif allocation.kind == HEAP and stored.whole and not stored.shares and allocation not in given:
                given.add(allocation)
                self.returned.add(position)

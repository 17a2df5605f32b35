"""Allocation for fused groups: tiles, which are NumPy calls in scratch of their own, and kernels of machine code."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import replace

from ...runtime import dtypes
from ...runtime.calibration import Thresholds
from ...runtime.native.builder import Unsupported
from ...runtime.native.interleaving import interleaved, is_column
from ...runtime.native.language import COMBINED, Kernel, is_divided
from ...runtime.processors import thread_count, worth_sharing
from ...runtime.records import cached_property
from .. import ops
from ..ir.graph import Graph, Node
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value
from ..kernels.blocks import Block, make_block
from ..kernels.divided_rows import divided
from ..kernels.groups import is_seen, layout_through, translate
from ..kernels.jammed_rows import jammed
from ..kernels.loops import states_of, translate_loop
from ..kernels.row_sums import with_early_sums
from ..kernels.sharing import PIECES, SHARED_NANOSECONDS, duration, pieces_of_sums, shared, tiled
from ..kernels.short_rows import unrolled
from ..kernels.translation import Layout, Translation, contiguous
from ..kernels.turned_sums import with_turned_sums
from .in_place import BlockOutputs, InPlace
from .layout import aligned
from .plan import ARENA, Allocation, BlockPlan, KernelPlan, Plan
from .state import PlannerState


class GroupAllocator:
    """Gives the outputs and the scratch of groups storage.

    Args:
        state: the state that all parts of the planner share.
        in_place: decides which values may overwrite which.
        plan_block: plans the program of one block.
        disabled: may hold "threads".
        measured: gives the thresholds of this machine.
    """

    def __init__(
        self,
        state: PlannerState,
        in_place: InPlace,
        plan_block: Callable[[Graph, BlockOutputs], Plan],
        disabled: Collection[str],
        measured: Callable[[], Thresholds] | None,
    ) -> None:
        self.state = state
        self.in_place = in_place
        self.plan_block = plan_block
        self.threads = "threads" not in disabled
        self.measured = measured
        self.arranged: dict[int, tuple[Translation, Translation, Kernel, Set[int], bool]] = {}

    @cached_property
    def most_threads(self) -> int:
        """The number of threads that may share a kernel."""
        return thread_count() if self.threads else 1

    def group(self, node: Node) -> None:
        """Allocate a fused group: its blocks have a plan of their own, in scratch that belongs to the group."""
        block = make_block(node, threads=self.threads, measured=self.measured)
        sums = {position: 0 for position, (_, ufunc) in enumerate(block.outputs) if ufunc is not None}
        plan = self.plan_block(block.graph, BlockOutputs(tuple(sums), self.overwritten(node, block)))
        total = plan.nbytes * block.threads
        for position in sums:
            sums[position] = total
            total += aligned(block.graph.outputs[position].type.nbytes) * block.pieces
        scratch = self.state.allocate_work(TensorType(dtypes.uint8, (total,)), "scratch")
        self.state.blocks[node] = BlockPlan(block, plan, scratch, sums)
        self.store_outputs(
            node, lambda parameter, position: self.in_place.written_after_read(node, parameter, position)
        )

    def kernel(self, node: Node) -> None:
        """Allocate a group of machine code. It reads views directly from their base."""
        state = self.state
        body: Graph = node.attrs["body"]
        around = _around(node, body)
        roots, layouts = self.memory_of(node, tuple(map(state.resolve, around.values())))
        try:
            translation = translate(body, layouts)
        except Unsupported:  # with loops that follow the views; those are copied then
            roots = [state.resolve(operand) for operand in node.inputs]
            translation = translate(body)
        translation, kernel, turned, strided = self.arrangement(translation, [value.type for value in node.outputs])
        inputs = tuple([roots[index] for index in translation.inputs])
        if strided:
            kernel = with_same_arguments(kernel, (*inputs, *translation.outputs))
        sums: dict[int, Allocation] = {}
        written = zip(translation.outputs, kernel.arrays[len(inputs) :], strict=True) if kernel.pieces or turned else ()
        for position, array in written:
            parts = array.role in COMBINED and kernel.pieces and not is_divided(array, kernel)
            if (parts or position in turned) and position not in sums:
                value = node.outputs[position]
                sums[position] = state.allocate_work(value.type.with_shape(array.shape), f"{state.names[value]}_sums")
        state.kernels[node] = KernelPlan(
            kernel,
            translation.origins,
            body,
            inputs,
            translation.outputs,
            min(thread_count(), kernel.pieces) if kernel.pieces else 1,
            sums,
            turned,
            states=around,
            in_place=translation.in_place,
        )

        def may_overwrite(parameter: Value, position: int) -> bool:
            return self.in_place.kernel_may_overwrite(node, state.storage[parameter].allocation, position)

        self.store_outputs(node, may_overwrite)

    def arrangement(
        self, translation: Translation, types: Sequence[TensorType]
    ) -> tuple[Translation, Kernel, Set[int], bool]:
        """A translation without short rows, with several rows at a time, and its kernel, which threads share if that is
        worth it; its outputs that are turned; and whether arrays may be columns of the same rows. Groups that are equal
        have one translation. `types`: its outputs'."""
        known = self.arranged.get(id(translation))
        if known is None:
            work = math.prod(translation.kernel.extents)
            made, most = unrolled(translation), self.most_threads

            def alone() -> bool:
                return worth_sharing(most, duration(made.kernel), SHARED_NANOSECONDS) <= 1

            kernel, turned = with_turned_sums(made.kernel, made.outputs, types, alone)
            made = jammed(with_early_sums(replace(made, kernel=kernel) if turned else made))
            kernel = made.kernel
            needed = pieces_of_sums(kernel)
            if needed > 1 or worth_sharing(most, duration(kernel), SHARED_NANOSECONDS) > 1:
                threads = max(most, -(-needed // PIECES))
                for form in (made, divided(made, PIECES * most)):  # sums along the columns need rows
                    pieces = shared(form.kernel, threads, work)
                    if pieces is not None:
                        made, kernel = form, pieces
                        break
            known = translation, made, kernel, turned, any(map(is_column, kernel.arrays))
            self.arranged[id(translation)] = known
        return known[1:]

    def store_outputs(self, node: Node, may_overwrite: Callable[[Value, int], bool]) -> None:
        """Storage for a group's outputs: that of parameters, if they may be written there."""
        state = self.state
        step = state.clock, node
        for position, value in enumerate(node.outputs):
            state.steps[value] = step
            parameter = state.direct.get(value)
            if parameter is not None and may_overwrite(parameter, position):
                state.store_in(value, parameter)
                continue
            state.direct.pop(value, None)
            state.store(value)

    def loop_kernel(self, node: Node) -> None:
        """Allocate a counted loop of machine code. Its state is stored where the final state will be."""
        state = self.state
        roots, layouts = self.memory_of(node)
        try:
            translation = translate_loop(node, layouts)
        except Unsupported:  # with loops that follow the views; those are copied then
            roots = [state.resolve(operand) for operand in node.inputs]
            translation = translate_loop(node)
        inputs: list[Operand] = []
        for position, number in zip(translation.inputs, translation.states, strict=True):
            inputs.append(node.outputs[number] if position is None else roots[position])  # type: ignore[index]
        states = {number: initial for number, (_, initial) in enumerate(states_of(node))}
        kernel = translation.kernel
        threads = worth_sharing(self.most_threads, duration(kernel), SHARED_NANOSECONDS)
        made = tiled(kernel, threads)
        if made is not kernel:
            kernel = made if threads == 1 else shared(made, threads) or made
        state.kernels[node] = KernelPlan(
            kernel,
            translation.origins,
            translation.body,
            tuple(inputs),
            translation.outputs,
            threads if kernel.pieces else 1,
            states=states,
        )
        for value in node.outputs:
            state.store(value)

    def memory_of(self, node: Node, around: Collection[Operand] = ()) -> tuple[list[Operand], dict[int, Layout]]:
        """For each input the value whose memory it uses, and the layouts of the inputs that are not that whole array in
        C order. `around`: values, of which all views count as parts."""
        roots: list[Operand] = []
        layouts: dict[int, Layout] = {}
        viewed, aliases = self.state.viewed, self.state.aliases
        for position, operand in enumerate(node.inputs):
            if operand not in viewed and operand not in aliases:
                roots.append(operand)
                continue
            root, layout = self.root_of(operand, around)
            roots.append(root)
            if layout is not None:
                layouts[position] = layout
        return roots, layouts

    def root_of(self, operand: Operand, around: Collection[Operand]) -> tuple[Operand, Layout | None]:
        """The value whose memory an operand uses, and its layout there; None for C order from the start."""
        state = self.state
        value = seen_value = state.resolve(operand)
        if value not in state.viewed:
            return value, None
        chain: list[Node] = []
        while isinstance(value, Value) and value in state.viewed:
            view = state.viewed[value]
            if not is_seen(view):  # a kernel takes arrays of the dtype that it reads
                break
            chain.append(view)
            value = state.resolve(view.inputs[0])
        if isinstance(value, Literal) or not chain:
            return value, None
        found = layout_through(chain[::-1])
        assert found is not None, "the state knows views alone"
        seen, layout = found
        once = value not in around and seen.flags.c_contiguous
        if once and isinstance(seen_value, Value) and state.storage[seen_value].known:
            return seen_value, None  # made once; a kernel with no address in it may serve for others, too
        return value, None if layout == contiguous(seen_value) else layout

    def overwritten(self, node: Node, block: Block) -> dict[int, list[int]]:
        """For each output of a group, the block's parameters that it may overwrite."""
        state = self.state
        result: dict[int, list[int]] = {}
        for position, value in enumerate(node.outputs):
            parameter, result[position] = state.direct.get(value), []
            for number, (index, _, shape) in enumerate(block.inputs):
                operand = state.resolve(node.inputs[index])
                if isinstance(operand, Literal) or shape != block.outputs[position][0]:
                    continue
                arena = parameter is None and state.storage[operand].allocation.kind == ARENA
                if arena or operand is parameter:
                    result[position].append(number)
        return result


def with_same_arguments(kernel: Kernel, arguments: Sequence[object]) -> Kernel:
    """The kernel, which knows the arrays that are columns of the same rows; their memory is given once."""
    together = interleaved(kernel, arguments)
    if not together:
        return kernel
    first: dict[tuple[str, ...], str] = {}
    arrays = []
    for array in kernel.arrays:
        names = together.get(array.name)
        same = array.name if names is None else first.setdefault(names, array.name)
        arrays.append(array if same == array.name else array._replace(same=same))
    return replace(kernel, arrays=tuple(arrays))


def _around(node: Node, body: Graph) -> dict[int, Operand]:
    """For each output that a kernel writes in a box the value around it."""
    found: dict[int, Operand] = {}
    for made in body.nodes:
        if made.op is ops.in_box and len(made.inputs) > 1 and made.output in body.outputs:
            position = body.outputs.index(made.output)
            found[position] = node.inputs[body.parameters.index(made.inputs[1])]
    return found

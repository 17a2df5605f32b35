"""Memory accounting: the memory of a run for the arena, for results, and for allocations by NumPy and kernels."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from ...runtime.native.stages import heap_bytes
from ...runtime.native.turned_rows import buffer_bytes
from ...runtime.records import dataclass
from ..analysis.costs import node_cost
from ..ir.graph import Node, freeze
from ..ir.values import Literal, Operand
from .layout import aligned
from .plan import CONSTANT, HEAP, Allocation, Plan

NOTICED = 16384  # bytes; less are the array objects that any call makes
LARGEST_TRIAL, MOST_FLOPS = 1 << 30, 20_000_000_000  # bytes and operations; kernels on more are not tried

Measured = dict[Hashable, int]


@dataclass(frozen=True)
class Usage:
    """The memory of a program, in bytes.

    Attributes:
        arena: kept by the program from its first run on, for each thread that runs it at the same time.
        buffers: how many values share the arena.
        live: the most that live in the arena at once, each rounded up to a cache line: no arena can be smaller.
        live_at: the node that runs then; None in a program without buffers.
        scratch: the part of the arena in which one node works at most: tiles of a fused group, strips of a convolution.
        scratch_at: the node that does.
        results: fresh arrays that are handed out.
        constants: arrays made when the program is loaded, and kept.
        allocated: the peak of allocations during a run, including results.
        allocated_at: the node that runs then.
        unknown: how many values have a size that only the run knows; they are in no sum.
    """

    arena: int
    buffers: int
    live: int
    live_at: Node | None
    scratch: int
    scratch_at: Node | None
    results: int
    constants: int
    allocated: int
    allocated_at: Node | None
    unknown: int

    @property
    def peak(self) -> int:
        """The most that a run takes, besides its inputs and the program itself."""
        return self.arena + self.allocated

    def __str__(self) -> str:
        lines = [
            f"arena: {self.arena} bytes in {self.buffers} buffers",
            f"largest live set: {self.live} bytes{location_of(self.live_at)}",
            f"scratch: {self.scratch} of these bytes at most{location_of(self.scratch_at)}",
            f"results: {self.results} bytes",
            f"constants: {self.constants} bytes",
            f"allocated in a run: {self.allocated} bytes at most{location_of(self.allocated_at)}",
        ]
        if self.unknown:
            lines.append(f"sizes that only the run knows: {self.unknown} values, not counted")
        lines.append(f"peak: {self.peak} bytes")
        return "\n".join(lines)

    __repr__ = __str__


def location_of(node: Node | None) -> str:
    """A node and its line, as text for messages."""
    if node is None:
        return ""
    line = "" if node.location is None else f" ({node.location})"
    return f", at {'a fused group' if node.op.is_group else node.op.name}{line}"


def memory_usage(plan: Plan, measured: Measured | None = None) -> Usage:
    """The memory of a run. `measured` caches what kernels allocate.

    Kernels that may allocate are run on zeros under `tracemalloc`, unless that would take seconds. If `tracemalloc` is
    already active, its peak is reset.
    """
    measured = {} if measured is None else measured
    live, live_time = largest_live_set(plan)
    scratch, scratch_at = 0, None
    for node, allocation in [*plan.scratch.items(), *[(node, block.scratch) for node, block in plan.blocks.items()]]:
        if allocation.type.nbytes > scratch:
            scratch, scratch_at = allocation.type.nbytes, node
    kept = _Kept(plan)
    most, most_at, now = sum(kept.by_time.values()), None, 0
    births = sorted(kept.by_time)
    for time, node in sorted(plan.times.items()):
        while births and births[0] <= time:
            now += kept.by_time[births.pop(0)]
        working = _working(plan, node, measured)
        if now + working > most:
            most, most_at = now + working, node
    allocations = {stored.allocation.find() for stored in plan.storage.values()}
    constants = sum(allocation.type.nbytes for allocation in allocations if allocation.kind == CONSTANT)
    return Usage(
        plan.nbytes, len(plan.buffers), live, _node_at(plan, live_time), scratch, scratch_at, kept.results, constants,
        most, most_at, kept.unknown,
    )  # fmt: skip


def largest_live_set(plan: Plan) -> tuple[int, int]:
    """The largest number of bytes of buffers that are live at once, and the time."""
    change: dict[int, int] = {}
    for buffer in plan.buffers:
        change[buffer.first] = change.get(buffer.first, 0) + aligned(buffer.nbytes)
        change[buffer.last + 1] = change.get(buffer.last + 1, 0) - aligned(buffer.nbytes)
    most = most_time = now = 0
    for time in sorted(change):
        now += change[time]
        if now > most:
            most, most_time = now, time
    return most, most_time


def _node_at(plan: Plan, time: int) -> Node | None:
    """The node that runs at a time, or the next one."""
    return plan.times[min((later for later in plan.times if later >= time), default=0)] if time else None


class _Kept:
    """Memory that is allocated and kept until the run ends.

    Attributes:
        results: the bytes of the results.
        by_time: the bytes by the time at which they are allocated.
        unknown: the number of values of unknown size.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.results = self.unknown = 0
        self.by_time: dict[int, int] = {}
        self._counted: set[Allocation] = set()
        self._count_results()
        self._count_values()
        self._count_copies()

    def _keep(self, time: int, nbytes: int) -> None:
        self.by_time[time] = self.by_time.get(time, 0) + nbytes

    def _count_results(self) -> None:
        plan = self.plan
        end = max(plan.times, default=0) + 1
        for position, operand in enumerate(plan.graph.outputs):
            if position in plan.graph.donated:
                continue
            allocation = None
            if position in plan.returned and not isinstance(operand, Literal):
                allocation = plan.storage[plan.resolve(operand)].allocation.find()
                if allocation in self._counted:
                    continue
                self._counted.add(allocation)
            if operand.type.is_static:
                self.results += operand.type.nbytes
                self._keep(end if allocation is None else allocation.first, operand.type.nbytes)
            else:
                self.unknown += 1

    def _count_values(self) -> None:
        plan = self.plan
        unpacked = {value for node in plan.packs for value in node.outputs}  # they are stored where they belong
        for value, stored in plan.storage.items():
            allocation = stored.allocation.find()
            if allocation.kind != HEAP or not stored.whole or allocation in self._counted or value in unpacked:
                continue
            self._counted.add(allocation)
            if value.type.is_static:
                # In a loop the next one is made before the last one goes.
                self._keep(allocation.first, value.type.nbytes * (2 if allocation.level else 1))
            else:
                self.unknown += 1

    def _count_copies(self) -> None:
        """Contiguous copies, which blocks make of inputs whose rows are not contiguous."""
        plan = self.plan
        for node, planned in plan.blocks.items():
            for index, _, shape in planned.block.inputs:
                operand = plan.resolve(node.inputs[index])
                layout = None if isinstance(operand, Literal) else plan.layouts.get(operand)
                if layout is not None and not np.may_share_memory(layout, layout.reshape(shape)):
                    self._keep(planned.scratch.first, operand.type.nbytes)


def _working(plan: Plan, node: Node, measured: Measured) -> int:
    """Bytes that a node's kernel allocates and frees; for a fused group those of all threads."""
    planned = plan.blocks.get(node)
    if planned is not None:
        inner = planned.plan
        most = max((_working(inner, below, measured) for below in planned.block.graph.nodes), default=0)
        return most * planned.block.threads
    kernel = plan.kernels.get(node)
    if kernel is not None:
        return (heap_bytes(kernel.kernel) + buffer_bytes(kernel.kernel)) * kernel.threads
    op = node.op
    if op.kind in ("view", "creation") or op.has_effect or op.holds_graphs or not node.outputs:
        return 0
    if isinstance(op.kernel, np.ufunc) and not node.attrs:
        return 0
    if not all(item.type.is_static for item in (*node.inputs, *node.outputs)):
        return 0
    if sum(item.type.nbytes for item in (*node.inputs, *node.outputs)) > LARGEST_TRIAL:
        return 0
    if node_cost(node).flops > MOST_FLOPS:
        return 0
    arrays = [_zeros(plan, operand) for operand in node.inputs]
    types = tuple(operand.type for operand in node.inputs)
    key = op.name, types, tuple(array.strides for array in arrays), freeze(tuple(sorted(node.attrs.items())))
    found = measured.get(key)
    if found is None:
        found = measured[key] = _tried(plan, node, arrays)
    return found


def _zeros(plan: Plan, operand: Operand) -> np.ndarray:
    """Zeros in an operand's layout."""
    operand = plan.resolve(operand)
    if isinstance(operand, Literal):
        return operand.array
    layout = plan.layouts.get(operand)
    if layout is None:
        return np.zeros(operand.type.static_shape, operand.type.dtype.np)
    (layout if layout.base is None else layout.base)[...] = 0
    return layout


def _tried(plan: Plan, node: Node, arrays: list[np.ndarray]) -> int:
    """The bytes that the kernel allocates and frees for these arrays."""
    keywords: dict[str, Any] = dict(node.attrs)
    own = 0
    if node.op.writes_out:
        outs = tuple(np.zeros(value.type.static_shape, value.type.dtype.np) for value in node.outputs)
        keywords["out"] = outs[0] if len(outs) == 1 else outs
    else:
        own = sum(value.type.nbytes for value in node.outputs)  # counted as kept
    if node in plan.scratch:
        type = plan.scratch[node].type
        keywords["scratch"] = np.zeros(type.static_shape, type.dtype.np)
    import tracemalloc  # which reports of memory alone load

    traced = tracemalloc.is_tracing()
    if not traced:
        tracemalloc.start()
    try:
        with np.errstate(all="ignore"):
            node.op.kernel(*arrays, **keywords)  # caches for the next time are not part of a run
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            node.op.kernel(*arrays, **keywords)
            taken = tracemalloc.get_traced_memory()[1] - before - own
    except (ValueError, ArithmeticError, IndexError, np.linalg.LinAlgError):
        return 0  # it may not accept zeros
    finally:
        if not traced:
            tracemalloc.stop()
    return taken if taken >= NOTICED else 0

"""The memory plan: allocations, the storage of values, and buffers. A plan prints as a table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Set
from dataclasses import field
from types import MappingProxyType
from typing import Any

import numpy as np

from ...runtime.native.language import Kernel
from ...runtime.records import NamedTuple, dataclass
from ..analysis.union_find import Mergeable
from ..ir.graph import Graph, Node
from ..ir.types import TensorType
from ..ir.values import Location, Operand, Value
from ..kernels.blocks import Block
from ..kernels.naming import Origin

INPUT, CONSTANT, ARENA, RESULT, ROW, HEAP = "input", "constant", "arena", "result", "row", "heap"


class Allocation(Mergeable):
    """Memory that values are stored in, during planning.

    Attributes:
        kind: whose memory it is.
        first, last: the times from when to when it lives.
        offset: where it starts in the arena, in bytes.
        level: the sub-graphs in which it is born.
        shift: where this one starts within the one that it was merged into, in bytes.
    """

    __slots__ = ("first", "kind", "last", "level", "name", "offset", "shift", "type")

    def __init__(self, kind: str, type: TensorType, name: str, first: int, level: tuple[int, ...] = ()) -> None:
        self.parent = None
        self.kind = kind
        self.type = type
        self.name = name
        self.first = first
        self.last = first
        self.offset = -1
        self.level = level
        self.shift = 0

    def start(self) -> int:
        """The offset of this allocation in the one that `find` gives, in bytes."""
        return self.placed()[1]

    def placed(self) -> tuple[Allocation, int]:
        """What `find` gives, and the offset of this allocation there."""
        each: Any = self
        start = 0
        while each.parent is not None:
            start += each.shift
            each = each.parent
        return each, start

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} [{self.first}, {self.last}]>"


class Storage:
    """The storage of a value.

    Attributes:
        allocation: the memory that it is in.
        whole: whether it is the allocation's array itself; else it is a view that its node gives.
        known: whether its layout in the allocation is known before the run.
        shares: other allocations whose memory it may share.
    """

    __slots__ = ("allocation", "known", "shares", "whole")

    def __init__(self, allocation: Allocation, whole: bool, known: bool, shares: tuple[Allocation, ...] = ()) -> None:
        self.allocation = allocation
        self.whole = whole
        self.known = known
        self.shares = shares

    @property
    def bound(self) -> bool:
        """Whether the array can be made once, when the program is loaded."""
        return self.known and self.allocation.find().kind in (ARENA, CONSTANT)

    def memory(self) -> set[Allocation]:
        """The allocations that may contain the value."""
        return {self.allocation.find(), *[allocation.find() for allocation in self.shares]}


class Buffer(NamedTuple):
    """One line of the plan: bytes in the arena, and the first and last node (in program order) of their lifetime."""

    name: str
    type: TensorType
    nbytes: int
    offset: int
    first: int
    last: int


@dataclass(frozen=True)
class BlockPlan:
    """The plan of a fused group that runs tile by tile: the plan of one block, and the scratch of each thread.

    `sums`: for each reduction over the tiled axis, the offset in the scratch of its sums over the pieces.
    """

    block: Block
    plan: Plan
    scratch: Allocation
    sums: Mapping[int, int]


_NONE: Mapping[int, Any] = MappingProxyType({})


class KernelPlan(NamedTuple):
    """The plan of a fused group that runs as machine code.

    Attributes:
        kernel: the kernel, its names numbered.
        origins: of its names, in `body`, the graph of the group.
        inputs: for each array of the kernel that it reads the value whose memory that is.
        outputs: for each array that it writes the group's output.
        threads: how many may share it.
        sums: if threads share it, for each output that is reduced the array of the pieces' results in the arena.
        turned: outputs that are first reduced to arrays, also among `sums`, whose columns lie one after the other.
        states: outputs that begin as copies of these: states of a loop, and what is around a box.
        in_place: pairs (output, input) of the group where the output may be in the input's memory.
    """

    kernel: Kernel
    origins: tuple[Origin, ...]
    body: Graph
    inputs: tuple[Operand, ...]
    outputs: tuple[int, ...]
    threads: int = 1
    sums: Mapping[int, Allocation] = _NONE
    turned: Set[int] = frozenset()
    states: Mapping[int, Operand] = _NONE
    in_place: Set[tuple[int, int]] = frozenset()

    def access(self, array: int, positions: int) -> tuple[Location | None, str]:
        """The source line of the node that reads, or combines, an array at positions, and what the positions are
        called; both are given as numbers of names."""
        first = len(self.body.parameters)
        number, index = self.origins[array][0], self.origins[positions][0]
        position = self.body.parameters[index] if index < first else self.body.nodes[index - first].output
        if number >= first:
            return self.body.nodes[number - first].location, position.name
        parts, places = {self.body.parameters[number]}, {position}
        for node in self.body.nodes:
            reads, follows = not parts.isdisjoint(node.inputs), not places.isdisjoint(node.inputs)
            if node.op.placed and reads and follows:
                return node.location, position.name
            parts.update(node.outputs if reads else ())
            places.update(node.outputs if follows else ())
        return None, ""


@dataclass(frozen=True)
class Plan:
    """The storage of every value of a graph."""

    graph: Graph
    buffers: tuple[Buffer, ...]
    nbytes: int
    storage: Mapping[Operand, Storage] = field(repr=False)
    aliases: Mapping[Operand, Operand] = field(repr=False)
    names: Mapping[Value, str] = field(repr=False)
    layouts: Mapping[Value, np.ndarray] = field(repr=False)  # of views: an array of the same layout, of no content
    returned: frozenset[int]  # outputs whose arrays are returned without a copy
    elided: Mapping[Node, tuple[int, ...]] = field(repr=False)  # of concatenations: inputs that are computed in place
    packs: Mapping[Node, Node] = field(repr=False)  # for each `unpack` to parameters, the `pack` of these
    blocks: Mapping[Node, BlockPlan] = field(repr=False)
    kernels: Mapping[Node, KernelPlan] = field(repr=False)
    scratch: Mapping[Node, Allocation] = field(repr=False)  # scratch of kernels
    times: Mapping[int, Node] = field(repr=False)  # in which program order the nodes run
    ends: Mapping[int, tuple[Node, int]] = field(repr=False)  # when branches and iterations end, and which branch
    native_products: bool = True  # whether matrices may be multiplied in machine code
    whole_loops: bool = True  # whether loops of calls may be machine code
    swapped: Mapping[Value, Value] = field(default_factory=dict, repr=False)  # for states of loops, the next ones
    statements: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)  # time, first and last, in order

    def shown(self, buffer: Buffer) -> tuple[int, int]:
        """The first and last statement of a buffer's life, as the program numbers them: below its `def`, from 1 on.

        Without a program they are numbers of nodes.
        """
        first, last = self.statement(buffer.first)[0], self.statement(buffer.last)[1]
        return first, max(first, last)

    def statement(self, time: int) -> tuple[int, int]:
        """The first and last statement of the node that runs at a time; between nodes, of the previous one."""
        if not self.statements:
            return time, time
        _, first, last = self.statements[max(0, bisect_right(self.statements, (time + 1,)) - 1)]
        return first, last

    def resolve(self, operand: Operand) -> Operand:
        """The value that a parameter of a sub-graph stands for."""
        aliases = self.aliases
        while operand in aliases:
            operand = aliases[operand]
        return operand

    def table(self) -> str:
        """The buffers, one on each line."""
        rows = [("buffer", "type", "bytes", "offset", "first", "last")]
        for b in self.buffers:
            first, last = self.shown(b)
            rows.append((b.name, str(b.type), str(b.nbytes), str(b.offset), str(first), str(last)))
        widths = [max(len(row[column]) for row in rows) for column in range(6)]
        lines = [
            "  ".join(
                text.ljust(width) if column < 2 else text.rjust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        return "\n".join(lines)

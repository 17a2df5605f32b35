"""Allocation for nodes without sub-graphs: an array in the arena, a constant, a view of an input, or an array that the
kernel allocates."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from ..analysis.views import blank, view_of
from ..ir.graph import Node, attrs_key
from ..ir.types import TensorType
from ..ir.values import Literal, Value
from .plan import CONSTANT, HEAP, INPUT, Storage
from .state import PlannerState


def may_share(node: Node) -> bool:
    """Whether the node's outputs may share memory with its inputs: for views, and for kernels that do not write to
    `out`."""
    return node.op.kind == "view" or (not node.op.writes_out and node.op.kind not in ("creation", "random", "effect"))


class NodeAllocator:
    """Gives the outputs of plain nodes their storage.

    Args:
        state: the state that all parts of the planner share.
        is_block: whether the program is one block of a fused group, whose kernels allocate their own scratch.
    """

    def __init__(self, state: PlannerState, is_block: bool) -> None:
        self.state = state
        self.is_block = is_block
        self.seen: dict[Value, np.ndarray] = {}  # for values, and views of them, an array of no content
        self.blanks: dict[TensorType, np.ndarray] = {}
        self.views: dict[Hashable, tuple[np.ndarray, np.ndarray | None]] = {}  # by op, the array's id and attributes

    def plain(self, node: Node) -> None:
        """Storage for the outputs of a node."""
        state, op = self.state, node.op
        step = state.clock, node
        for value in node.outputs:
            state.steps[value] = step
        static = False not in [value.type.is_static for value in node.outputs]
        if node.outputs and node.outputs[0] in state.direct:
            state.store_in(node.output, state.direct[node.output])
        elif node in state.packed:
            self.pack(node)
        elif op.kind == "view":
            self.view(node)
        elif op.kind == "creation" and static:
            for value in node.outputs:
                state.store(value, CONSTANT, 0)
        elif op.writes_out and static:
            for value in node.outputs:
                state.store(value)
            self.give_scratch(node)
        else:
            shared = node.inputs[:1] if op.separate else node.inputs
            shares = state.memory(shared) if may_share(node) else ()
            for value in node.outputs:
                state.storage[value] = Storage(state.allocate(HEAP, value), True, False, shares)

    def pack(self, node: Node) -> None:
        """Parameters as one vector: their own memory, which counts as an input's, or a copy that the run makes."""
        self.state.store(node.output, INPUT)

    def give_scratch(self, node: Node) -> None:
        """Scratch for the kernel, which lives while the node runs."""
        state = self.state
        types = [operand.type for operand in node.inputs]
        if node.op.scratch is None or self.is_block or not all(type.is_static for type in types):
            return
        type = node.op.scratch(*types, **node.attrs)
        if type is not None:
            state.scratch[node] = state.allocate_work(type, f"{state.names[node.outputs[0]]}_scratch")

    def view(self, node: Node) -> None:
        """A view is stored in its base, if it really shares memory; else it is a copy with an allocation of its own."""
        state = self.state
        base, value = state.resolve(node.inputs[0]), node.output
        if isinstance(base, Literal):
            state.store(value, CONSTANT, 0)
            return
        stored = state.storage[base]
        if value.type.is_static and base.type.is_static and len(node.inputs) == 1 and self.is_seen(node, base):
            state.viewed[value] = node
        if not (stored.known and value.type.is_static and len(node.inputs) == 1):
            shares = dict.fromkeys([*stored.shares, *state.memory(node.inputs[1:])])
            state.storage[value] = Storage(stored.allocation, False, False, tuple(shares))
            return
        layout = state.layouts.get(base)
        if layout is None:
            layout = state.layouts[base] = self.blank(base.type)
        seen = self.view_of(node, layout)
        if seen is not None:
            state.layouts[value] = seen
            state.storage[value] = Storage(stored.allocation, False, True, stored.shares)
        else:
            state.store(value)

    def is_seen(self, node: Node, base: Value) -> bool:
        """Whether a view of an array in C order, or of a view of one, really shares its memory."""
        seen = self.seen.get(base)
        if seen is None:
            seen = self.seen[base] = self.blank(base.type)
        view = self.view_of(node, seen)
        if view is None or not view.size:
            return False
        self.seen[node.output] = view
        return True

    def blank(self, type: TensorType) -> np.ndarray:
        """An array of a type without content: one for all values of this type."""
        found = self.blanks.get(type)
        if found is None:
            found = self.blanks[type] = blank(type)
        return found

    def view_of(self, node: Node, array: np.ndarray) -> np.ndarray | None:
        """`view_of`, once for all nodes that see one array in the same way, as those of equal layers do."""
        attrs = attrs_key(node.attrs)
        if attrs is None:
            return view_of(node, array)
        key = node.op, id(array), attrs
        if key not in self.views:
            self.views[key] = array, view_of(node, array)
        return self.views[key][1]

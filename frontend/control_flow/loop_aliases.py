"""May-alias analysis of loops: the tensors that a carried variable may be, during an iteration and after the last one.

Inside the body a rebound variable is a symbol, whichever tensor it stands for. An update in place may have to reach
another name of that tensor. So the loop carries a flag for each pair of names that may be one tensor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from ...compiler.ir.values import literal
from ...compiler.transforms.symbolic import Recorder
from ...runtime import dtypes
from ...runtime.records import dataclass
from ..errors.classes import GraphBreak
from ..tracing.snapshots import SameObject
from ..tracing.trace import Trace
from ..values import logic
from ..values.tensor import UNKNOWN_BASE, Tensor
from ..values.traced_tensor import TracedTensor
from .aliases import UNKNOWN, Aliases, Flag, recorded

Leaf = Any  # a place that a loop carries, and the path in its value
Pair = tuple[Leaf, Any]  # a leaf, and another leaf or ("outside", identity of a tensor)


@dataclass
class CarriedAliases:
    """The tensors that the leaves of a loop may be, as far as they are known."""

    pairs: dict[Pair, Tensor | None] = field(default_factory=dict)  # with the tensor from outside
    based: set[Leaf] = field(default_factory=set)  # those that are a selection of a tensor at the end of an iteration
    tracked: bool = False  # whether flags are carried


class LoopAliases:
    """The leaves in one trace of a body: their tensors before the loop, at the start and at the end of an iteration."""

    def __init__(
        self, trace: Trace, recorder: Recorder, carried: CarriedAliases, outside: Aliases, repeats: bool = False
    ) -> None:
        self.trace = trace
        self.repeats = repeats  # whether there are many iterations, so that no leaf stays what it was
        self.moved: dict[Leaf, Leaf] = {}  # leaves that are, in the next iteration, what others are now
        self.recorder = recorder  # of the body
        self.carried = carried
        self.outside = outside
        self.before: dict[Leaf, Tensor] = {}
        self.starts: dict[Leaf, Tensor] = {}
        self.ends: dict[Leaf, Tensor] = {}
        self.results: dict[Leaf, Tensor] = {}
        self.same: dict[Leaf, list[tuple[Tensor, Flag]]] = {}  # the tensors at the end of an iteration
        self.updates = False  # whether the body updates, in place, what a leaf was before
        self.returned: dict[int, Tensor] = {}  # the tensors of a value that the body returns
        self.returned_same: dict[int, list[tuple[Tensor, Flag]]] = {}

    # Before the body

    def start(self, leaf: Leaf, before: Tensor, start: Tensor) -> None:
        """Add a leaf: its tensor before the loop, and its symbol in an iteration."""
        self.before[leaf], self.starts[leaf] = before, start
        if before._base is not None or leaf in self.carried.based:
            start._base = UNKNOWN_BASE

    def initial(self, pair: Pair) -> Any:
        """Whether a pair is one tensor before the loop, as an operand."""
        leaf, other = pair
        tensor = self.carried.pairs[pair]
        tensor = self.before.get(other) if tensor is None else tensor
        flag = False if tensor is None else _flag(self.outside.same(self.before[leaf]), tensor)
        return self._operand(flag)

    def link(self, inside: Aliases, pair: Pair, flag: Tensor, tensors: dict[Leaf, Tensor]) -> None:
        """Store that a pair is one tensor under a condition."""
        leaf, other = pair
        tensor = self.carried.pairs[pair]
        tensor = tensors.get(other) if tensor is None else tensor
        if leaf in tensors and tensor is not None:
            inside.link(tensors[leaf], tensor, flag)

    # After the body

    def look(self, inside: Aliases) -> None:
        """Inside the body's scope, at its end: find the tensors that each leaf may be."""
        for leaf, end in self.ends.items():
            self.same[leaf] = inside.same(end)
        for position, tensor in self.returned.items():
            self.returned_same[position] = inside.same(tensor)

    def grow(self, written: Iterable[int]) -> bool:
        """After the body: store the pairs to follow. Returns whether there are more than before."""
        carried, written = self.carried, set(written)
        self.updates = self._updates(written)
        based = {leaf for leaf, end in self.ends.items() if end._base is not None} - carried.based
        carried.based |= based
        if not carried.tracked and self._is_simple():
            return bool(based)
        pairs = dict.fromkeys(self._pairs())
        new = [pair for pair in pairs if pair not in carried.pairs]
        for leaf, other in new:
            outside = isinstance(other, SameObject)
            carried.pairs[leaf, other] = other.value if outside else None
        grown = bool(based or new or not carried.tracked)
        carried.tracked = True
        return grown

    @property
    def are_chosen(self) -> bool:
        """Whether conditions of the run, and nothing else, say which leaf keeps its tensor: no two get the same one."""
        starts = {id(start): leaf for leaf, start in self.starts.items()}
        owners: dict[int, Leaf] = {}
        for leaf, found in self.same.items():
            for tensor, flag in found:
                if isinstance(flag, bool) and flag and id(tensor) in starts:
                    return False
                if starts.get(id(tensor), leaf) != leaf or owners.setdefault(id(tensor), leaf) != leaf:
                    return False
        return not self.updates

    def _updates(self, written: set[int]) -> bool:
        """Whether a tensor that a leaf was before is among those that are written."""
        if {id(start) for start in self.starts.values()} & written:
            return True
        return any(
            id(self.trace.target(tensor)) in written
            for before in self.before.values()
            for tensor, _ in self.outside.same(before)
        )

    def _is_simple(self) -> bool:
        """Whether each iteration binds all names to new tensors, and updates no tensor that a leaf was before."""
        starts = {id(start) for start in self.starts.values()}
        owners: dict[int, Leaf] = {}
        self.moved = self._moved() if self.repeats else {}
        for leaf, found in self.same.items():
            for tensor, _ in found if leaf not in self.moved else ():
                if id(tensor) in starts or not _is_inside(tensor, self.recorder):
                    return False
                if owners.setdefault(id(tensor), leaf) != leaf:
                    return False
        return not self.updates

    def _moved(self) -> dict[Leaf, Leaf]:
        """The leaves that hand on another one's tensor, as older values of a filter do, if that one gets a new one in
        the end: `older, newer = newer, new`."""
        owners = {id(start): leaf for leaf, start in self.starts.items()}
        found: dict[Leaf, Leaf] = {}
        for leaf, same in self.same.items():
            if len(same) == 1 and same[0][1] is True and id(same[0][0]) in owners and leaf in self.ends:
                found[leaf] = owners[id(same[0][0])]
        if len(set(found.values())) < len(found):
            return {}
        for leaf in found:
            other, steps = leaf, 0
            while other in found and steps <= len(found):
                other, steps = found[other], steps + 1
            if other in found:
                return {}
        return found

    def origin(self, leaf: Leaf) -> tuple[Leaf, int]:
        """The leaf whose new tensor a moved one gets, and how many iterations later."""
        steps = 0
        while leaf in self.moved:
            leaf, steps = self.moved[leaf], steps + 1
        return leaf, steps

    def _pairs(self) -> Iterable[Pair]:
        """The pairs that may be one tensor before the loop or after an iteration."""
        for tensors, sets in (
            (self.before, {leaf: self.outside.same(tensor) for leaf, tensor in self.before.items()}),
            (self.ends, self.same),
        ):
            for leaf, found in sets.items():
                identities = {id(tensor) for tensor, _ in found}
                for other, tensor in tensors.items():
                    if other != leaf and other in self.starts and id(tensor) in identities:
                        yield leaf, other
                for tensor, _ in found:
                    if tensors is self.before or not _is_inside(tensor, self.recorder):
                        yield leaf, SameObject(tensor)

    def final(self, pair: Pair) -> Any:
        """Inside the body's scope, at its end: whether a pair is one tensor then, as an operand."""
        leaf, other = pair
        tensor = self.carried.pairs[pair]
        tensor = self.ends.get(other, self.starts.get(other)) if tensor is None else tensor
        found = self.same.get(leaf)
        if found is None:  # the body has not got to its end
            return literal(False, dtypes.bool_)
        return self._operand(False if tensor is None else _flag(found, tensor))

    def _operand(self, flag: Flag) -> Any:
        if flag is UNKNOWN:
            raise GraphBreak("which tensors are one in a run-time loop is something that the graph does not know")
        return literal(flag, dtypes.bool_) if isinstance(flag, bool) else self.trace.read(recorded(flag))

    # After the loop

    def finish(self, leaf: Leaf, result: Tensor) -> None:
        """The tensor of a leaf after the loop."""
        if leaf in self.starts:
            self.results[leaf] = result
            start, end = self.starts[leaf], self.ends.get(leaf)
            if start._base is not None or (end is not None and end._base is not None):
                result._base = UNKNOWN_BASE

    def link_unrun(self, go_on: Tensor) -> None:
        """After a loop whose iterations bind new tensors: if none runs, the names stand for the tensors before."""

        def is_unrun() -> Any:
            return logic.logical_not(go_on)

        for leaf, result in self.results.items():
            same = self.before[leaf]._type == result._type
            self.outside.link(result, self.before[leaf], is_unrun if same else UNKNOWN)

    def link_returned(self, position: int, result: Tensor, first: Any) -> None:
        """The value that a loop returns may be a tensor from outside, or that of a variable."""
        if isinstance(first, Tensor):
            self.outside.link(result, first, UNKNOWN)
        found = {id(tensor): tensor for tensor, _ in self.returned_same.get(position, ())}
        for leaf, start in self.starts.items():
            ends = {id(tensor) for tensor, _ in self.same.get(leaf, ())}
            if id(start) in found or ends & set(found):
                self.outside.link(result, self.before[leaf], UNKNOWN)
                if leaf in self.results:
                    self.outside.link(result, self.results[leaf], UNKNOWN)
        for tensor in found.values():
            if not _is_inside(tensor, self.recorder):
                self.outside.link(result, tensor, UNKNOWN)


def _is_inside(tensor: Tensor, recorder: Recorder) -> bool:
    """Whether a tensor was born in a body."""
    return isinstance(tensor, TracedTensor) and tensor._symbol.recorder is recorder


def _flag(found: list[tuple[Tensor, Flag]], tensor: Tensor) -> Flag:
    """The condition under which a tensor is one of those found."""
    return next((flag for other, flag in found if other is tensor), False)

"""Lists that grow in a rerolled loop: what each iteration appends is stacked by the loop, and the list gets the rows.

In the trace of an iteration such a list is a `Growing`, which takes items. Those that were added last can be read, as
in `xs.append(f(xs[-1]))`: the loop carries them. Anything else is refused, and the iterations are traced one by one.
That is safe only if no other name leads to the list, which its count of references tells.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from ...compiler import ops as prims
from ...compiler.transforms.symbolic import Recorder, Symbol
from ..errors.classes import GraphBreak
from ..values import logic
from ..values.rows import Rows
from ..values.tensor import UNKNOWN_BASE, Tensor
from ..values.traced_tensor import TracedTensor
from .state import Variables, read_variable, write_variable

Journal = dict[int, tuple[Any, Any]]


MOST_CARRIED = 8  # items that were added last


class Latest:
    """The items that were added last to a list, the last one first, which a loop carries."""

    def __init__(self, items: list[Any], in_front: bool) -> None:
        self.items = items
        self.in_front = in_front  # whether the list grows there

    def paths(self) -> Iterator[tuple[int, ...]]:
        """Where the tensors of the items are."""
        return paths(tuple(self.items))

    def put(self, items: list[Any]) -> None:
        """Replace the items."""
        self.items = items

    def add(self, item: Any) -> None:
        """An item is added, and is the last one."""
        self.items = [item, *self.items[:-1]]


class Growing:
    """A list to which the iterations of a loop append, in the trace of one.

    Attributes:
        list_: the list.
        added: the items that the iteration adds, each with the method: append or insert (in front).
        latest: those that were added last, as far as they are carried.
        read: the indices that the iteration reads.
    """

    _is_traced_tensor = True  # operations of converted code come to the builder, which knows no such value

    def __init__(
        self,
        list_: list[Any],
        journals: list[Journal],
        place: Callable[[Any], Any] | None,
        latest: Latest | None = None,
    ) -> None:
        self.list_ = list_
        self.place = place  # makes an index the number of the iteration, times a number, plus a number
        self.latest = latest
        self.added: list[tuple[str, Any]] = []
        self.read: set[int] = set()
        self.factors: set[int] = set()  # by how much indices grow that it reads by its number
        self._journals = journals
        self._depth = len(journals)

    def append(self, item: Any, /) -> None:
        """As for lists."""
        self._add("append", item)

    def extend(self, items: Any, /) -> None:
        """As for lists, of a list or tuple."""
        if type(items) not in (list, tuple):
            self._refuse()
        for item in items:
            self._add("append", item)

    def insert(self, index: int, item: Any, /) -> None:
        """As for lists, in front."""
        if type(index) is not int or index != 0:
            self._refuse()
        self._add("insert", item)

    def __iadd__(self, items: Any) -> Growing:  # type: ignore[misc]
        self.extend(items)
        return self

    def _add(self, method: str, item: Any) -> None:
        if len(self._journals) != self._depth:  # under a run-time condition, or in a loop inside
            self._refuse()
        self.added.append((method, item))
        if self.latest is not None:
            if self.latest.in_front != (method == "insert"):
                self._refuse()
            self.latest.add(item)

    def __getitem__(self, index: Any) -> Any:
        if type(index) is not int:
            factor, offset = (self.place and self.place(index)) or (0, 0)
            self.factors.add(factor)
            index = offset - len(self.list_) - len(self.added)
            if index >= 0 or factor < 1:
                self._refuse()
        latest = self.latest
        if latest is not None and (index >= 0) == latest.in_front:
            place = index if latest.in_front else -1 - index
            if place < len(latest.items):
                return latest.items[place]
        if not -len(self.list_) <= index < len(self.list_):
            self._refuse()
        self.read.add(index)  # an item from before the loop, unless items are added at this end
        return self.list_[index]

    def more(self) -> Latest | None:
        """The items that the next trace has to carry, because this one has read them; None if there are none."""
        methods = {method for method, _ in self.added}
        in_front = methods == {"insert"}
        places = [index if in_front else -1 - index for index in self.read if (index >= 0) == in_front]
        if (len(methods) > 1 and self.read) or (self.factors and (in_front or self.factors != {len(self.added)})):
            self._refuse()
        if not methods or not places:
            return None
        items = self.list_[: max(places) + 1] if in_front else self.list_[: -2 - max(places) : -1]
        if len(items) > MOST_CARRIED:
            self._refuse()
        return Latest(items, in_front)

    def _refuse(self, *arguments: Any, **keywords: Any) -> NoReturn:
        raise GraphBreak(
            "a loop reads a list that it adds to elsewhere than at its end, or adds to it in some iterations only"
        )

    __bool__ = __len__ = __iter__ = __reversed__ = __contains__ = __setitem__ = __delitem__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __mul__ = __rmul__ = __imul__ = _refuse
    __repr__ = __str__ = __format__ = __hash__ = __reduce_ex__ = _refuse

    def __getattr__(self, name: str) -> Any:
        return self._refuse() if hasattr(list, name) else object.__getattribute__(self, name)


def references(containers: Sequence[Any], position: int) -> int:
    """How many references an item of a sequence has, beside that one."""
    return sys.getrefcount(containers[position]) - _OWN


_OWN = 0
_OWN = references([[]], 0)


def is_alone(journal: Journal, key: int) -> bool:
    """Whether nothing but the journal holds a container any more: its changes have no effect."""
    return references(journal[key], 0) == 0


def is_longer(container: Any, before: Any) -> bool:
    """Whether a list has got items."""
    return type(container) is list and len(container) > len(before)


def holders(variables: Variables, container: Any) -> list[tuple[Any, str]]:
    """The variables of functions around a loop that hold a container."""
    found = {id(cell): (cell, name) for name, cell in variables.cells() if read_variable(cell, name) is container}
    return list(found.values())


def put_growing(variables: Variables, growing: Growing) -> None:
    """Let the variables that hold a list hold its stand-in."""
    for cell, name in holders(variables, growing.list_):
        write_variable(cell, name, growing)


def _tensors(item: Any) -> Iterator[Any]:
    """The tensors of an item: a tensor, None without any, or a tuple of such items."""
    if type(item) is tuple:
        for part in item:
            yield from _tensors(part)
    elif item is not None:
        yield item


def paths(item: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Where the tensors of an item are."""
    if isinstance(item, Tensor):
        yield path
    elif type(item) is tuple:
        for place, part in enumerate(item):
            yield from paths(part, (*path, place))
    else:
        raise GraphBreak("a list that grows in the body of a loop has items that are no tensors")


def _rebuilt(item: Any, row: Callable[[Any], Any]) -> Any:
    if type(item) is tuple:
        return tuple(_rebuilt(part, row) for part in item)
    return None if item is None else row(item)


class Grown:
    """What one iteration appends to lists, as stacks of all iterations.

    Attributes:
        lists: the stand-ins of the lists.
        symbols: what the loop stacks, in an iteration.
    """

    def __init__(
        self, lists: Iterable[Growing], recorder: Recorder, from_outside: Callable[[Any], bool], reverse: bool
    ) -> None:
        self.reverse = reverse  # whether the last iteration comes first in the stacks
        self.lists = tuple(lists)
        self.symbols: list[Symbol] = []
        self._places: dict[int, tuple[int, int, int]] = {}  # of a tensor: its stack, tensors side by side, which one
        self._rows: dict[tuple[int, int], TracedTensor] = {}
        self._stacks: list[Rows] = []
        self._count = 0
        items = [[item for _, item in growing.added] for growing in self.lists]
        tensors = [tensor for added in items for item in added for tensor in _tensors(item)]
        for tensor in tensors:
            if not isinstance(tensor, TracedTensor) or tensor._number is not None or from_outside(tensor):
                raise GraphBreak("a loop appends something else than tensors that it computes")
            if tensor._symbol.recorder is not recorder or getattr(tensor, "_present", None) is not None:
                raise GraphBreak("a loop appends a tensor from outside")
        times = Counter(map(id, tensors))
        for added in items:
            alike = all(isinstance(item, Tensor) and item._type == added[0]._type for item in added)
            if alike and len(added) > 1 and all(times[id(item)] == 1 for item in added):
                self._stack(added)
            else:
                for item in added:
                    for tensor in _tensors(item):
                        if id(tensor) not in self._places:
                            self._stack([tensor])

    def _stack(self, tensors: list[Any]) -> None:
        if self.reverse:
            tensors = tensors[::-1]
        whole: Any = logic.stack(tensors) if len(tensors) > 1 else tensors[0]
        for position, tensor in enumerate(tensors):
            self._places[id(tensor)] = len(self.symbols), len(tensors), position
        self.symbols.append(whole._symbol)

    def holds(self, tensor: Any) -> bool:
        """Whether a tensor of the iteration is in a list."""
        return id(tensor) in self._places

    @property
    def tensors(self) -> list[Any]:
        """The tensors of an iteration that are stacked."""
        items = {id(one): one for growing in self.lists for _, item in growing.added for one in _tensors(item)}
        return list(items.values())

    def finish(self, stacks: Sequence[Symbol], count: int) -> None:
        """After the loop, whose outputs these are: give the lists their items."""
        self._count = count
        side_by_side = {number: times for number, times, _ in self._places.values()}
        for number, symbol in enumerate(stacks):
            if side_by_side[number] > 1:
                symbol = prims.reshape(symbol, shape=(count * side_by_side[number], *symbol.shape[2:]))
            self._stacks.append(Rows(symbol, symbol.recorder.locate and symbol.recorder.locate()))
        for growing in self.lists:
            ((first, tensor), *others) = growing.added or [("", None)]
            if first == "append" and not others and isinstance(tensor, Tensor):
                growing.list_ += [self.row(tensor, at) for at in range(count)]
                continue
            for at in range(count):
                for method, item in growing.added:
                    new = _rebuilt(item, lambda tensor, at=at: self.row(tensor, at))  # type: ignore[misc]
                    growing.list_.insert(0 if method == "insert" else len(growing.list_), new)

    def row(self, tensor: Any, at: int) -> TracedTensor:
        """The tensor that a tensor of the iteration is in one of the iterations."""
        at = at % self._count
        known = self._rows.get((id(tensor), at))
        if known is None:
            number, times, position = self._places[id(tensor)]
            place = (self._count - 1 - at if self.reverse else at) * times + position
            known = self._rows[id(tensor), at] = self._stacks[number].row(place)
            if tensor._base is not None:
                known._base = UNKNOWN_BASE
        return known

"""Lists that a rerolled loop reads in turn, as ring buffers: each iteration takes `items[k % n]`, and may replace it.

In the trace of an iteration such a list is a `Ring`. The loop carries its items, and turns them: what the first
iteration finds at some place, each later one finds there, too. So a run chooses no item by a number.

    y = items[k % 3]              y = a
    items[k % 3] = y * 2          a, b, c = b, c, y * 2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..values.tensor import Tensor
from .growing import Growing, Journal
from .join import number_kind
from .lvalues import Carried, Lvalue
from .outside import replace_contents

MOST_TURNED = 512  # elements of all items: each iteration moves them

Turn = tuple[int, int]  # the place in the first iteration, and how far it moves in each


def may_turn(items: Any) -> bool:
    """Whether a container is a list of small tensors of one type."""
    if type(items) is not list or len(items) < 2:
        return False
    types = {item._type if isinstance(item, Tensor) and number_kind(item) is None else None for item in items}
    (type_, *others) = types
    return not others and type_ is not None and type_.is_static and type_.size * len(items) <= MOST_TURNED


def turn_of(places: Any, size: int) -> Turn | None:
    """The turn in which iterations take the places of a list, if they do."""
    if np.shape(places) < (2,) or places.dtype.kind != "i" or places.min() < -size or places.max() >= size:
        return None
    first, step = int(places[0] % size), int((places[1] - places[0]) % size)
    alike = step and ((first + step * np.arange(len(places)) - places) % size == 0).all()
    return (first, step) if alike else None


class Ring(Growing):
    """The stand-in of a list whose items are carried in the order in which the iteration would find them.

    Attributes:
        items: the items in the trace of an iteration; after the loop, in the order of the last iteration's end.
        step: how far each iteration turns them.
    """

    def __init__(self, list_: list[Any], step: int) -> None:
        super().__init__(list_, [], None)
        self.items = list_
        self.step = step

    def carry(self, carried: Carried) -> None:
        """Let the loop carry the items."""
        key = "ring", id(self.list_)
        carried.rings.append(self)
        carried.lvalues[key] = Lvalue("the list", list(self.list_), self._turned, self._put)
        carried.leaves |= {(key, (place,)) for place in range(len(self.list_))}

    def _turned(self) -> list[Any]:
        """The items as the next iteration finds them."""
        return self.items[self.step :] + self.items[: self.step]

    def _put(self, items: list[Any]) -> None:
        self.items = items

    def begin(self, journals: list[Journal], turn: Callable[[Any, int], Turn | None]) -> None:
        """The trace of an iteration begins. `turn` gives the turn of an index."""
        self._journals, self._depth, self._turn = journals, len(journals), turn

    def finish(self, count: int) -> None:
        """After the iterations, so many: give the list its items."""
        start = -self.step * count % len(self.items)
        replace_contents(self.list_, self.items[start:] + self.items[:start])

    def _place(self, index: Any) -> int:
        turn = self._turn(index, len(self.items))
        if turn is None or turn[1] != self.step:
            self._refuse()
        return turn[0]

    def __getitem__(self, index: Any) -> Any:
        return self.items[self._place(index)]

    def __setitem__(self, index: Any, value: Any) -> None:  # type: ignore[override]
        place = self._place(index)
        if len(self._journals) != self._depth:
            self._refuse()
        self.items = [*self.items[:place], value, *self.items[place + 1 :]]

    def __len__(self) -> int:  # type: ignore[override]
        return len(self.items)

    def _add(self, method: str, item: Any) -> None:
        self._refuse()

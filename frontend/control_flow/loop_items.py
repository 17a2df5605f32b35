"""What a for loop goes over, as a function from the number of the iteration to the item.

range(2, 9)                       the numbers themselves
enumerate(x)                      range(len(x)), and n -> (n, x[n])
zip(x, range(9, 0, -1))           range(9), and n -> (x[n], 9 - n)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..values.tensor import Tensor

__all__ = ["items_at", "numbers_of"]

Items = tuple[range, Callable[[Any], Any], list[Iterator[Any]]]
_RANGE_ITERATOR = type(iter(range(0)))


def numbers_of(iterable: Any) -> range | None:
    """The numbers that a range, or an iterator over one such as `reversed(range(n))`, gives; None for others."""
    if type(iterable) is not _RANGE_ITERATOR:
        return iterable if type(iterable) is range else None
    reduced: Any = iterable.__reduce__()
    _, (whole,), *start = reduced
    found: range = whole[(start[0] if start else 0) or 0 :]
    return found


def items_at(iterable: Any) -> Items | None:
    """The numbers of the iterations over an iterator, the item for each, and the iterators over ranges that are at
    their end when it is. None for other iterators than those over ranges and tensors, numbered or side by side."""
    numbers = numbers_of(iterable)
    if numbers is not None:
        return range(len(numbers)), lambda n: n * numbers.step + numbers.start, [iterable]
    if type(iterable) not in (enumerate, zip, map):
        return None
    reduced: Any = iterable.__reduce__()
    _, given, *_ = reduced
    if type(iterable) is map:
        rows = items_at(given[1]) if len(given) == 2 else None
        tensor = getattr(given[0], "__self__", None)
        if rows is None or not isinstance(tensor, Tensor) or given[0].__name__ != tensor.__getitem__.__name__:
            return None
        return rows[0], lambda n: tensor[rows[1](n)], rows[2]
    parts = [items_at(each) for each in (given[:1] if type(iterable) is enumerate else given)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or len({part[0] for part in known}) != 1:
        return None
    leaves = [leaf for part in known for leaf in part[2]]
    if len({*map(id, leaves)}) < len(leaves):  # `zip(rows, rows)` takes two rows at a time
        return None
    if type(iterable) is enumerate:
        return known[0][0], lambda n: (n + given[1], known[0][1](n)), leaves
    return known[0][0], lambda n: tuple(part[1](n) for part in known), leaves

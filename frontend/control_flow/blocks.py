"""Structured control flow of converted code: `if`, `while` and `for`, each with the code that follows it.

With Python values they behave as Python. A traced condition is passed to the builder, which records nodes. What a
traced for loop goes over is a function from the number of the iteration to the item.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import Any

from ..source.shifting import shifted
from ..values.tensor import Tensor
from .access import getitem
from .builder import builder, builder_for, lifted
from .state import Mixed, Names, SourceLoop, Thunk, Variables, break_, continue_, fall_through, identity, is_traced

MAX_UNROLLED = 100_000  # operations of a loop whose number of iterations no container tells
REROLL_TRIES = 3  # attempts to reroll a loop; after an iteration or two its variables have their types


def if_(
    test: Any,
    then: Thunk,
    orelse: Thunk | None = None,
    joins: Names = (),
    cells: Thunk | None = None,
    rest: Thunk | None = None,
    exits: Names = (),
    keeps: Names = (),
) -> Any:
    """`if test: … else: …`; with `rest` also the code after it. Returns the outcome, which counts only with `rest`.

    `joins` are the names that code after the branches may read, `exits` those that code after `rest` may read, `keeps`
    those that count even after a return.
    """
    test = lifted(test)
    if is_traced(test):
        joined = Variables(joins, (then, orelse, rest, cells))
        beyond = joined if rest is None else joined.beside(exits, keeps)
        return builder_for(test).branches.cond(test, then, orelse, joined, rest, beyond)
    if test:
        outcome = then()
    elif orelse is not None:
        outcome = orelse()
    else:
        outcome = fall_through
    return outcome if rest is None else _go_on(outcome, rest, exits, keeps, then, orelse, cells)


def if_else(
    test: Any, sides: Callable[[bool], Any], joins: Names = (), cells: Thunk | None = None, lines: int = 0
) -> None:
    """`if test: … else: …` without jumps; `sides` runs one or the other, and stands so many `lines` before. `joins` as
    for `if_`."""
    if lines:
        sides = shifted(sides, lines)  # type: ignore[arg-type]
    test = lifted(test)
    if is_traced(test):
        builder_for(test).branches.both(test, sides, Variables(joins, (sides, cells)))
    else:
        sides(bool(test))


def while_(
    test: Thunk, body: Thunk, carries: Names = (), cells: Thunk | None = None, orelse: Thunk | None = None,
    jumps: bool = False, rest: Thunk | None = None, exits: Names = (), keeps: Names = (),
) -> Any:  # fmt: skip
    """`while test(): body() … else: …`; with `rest` also the code after it.

    `carries` are the names that one iteration passes to the next.
    """
    loop = SourceLoop(body, orelse, Variables(carries, (body, test, orelse, cells), keeps), jumps, test)
    outcome = _while_outcome(loop, test)
    return outcome if rest is None else _go_on(outcome, rest, exits, keeps, body, test, orelse, cells)


def _while_outcome(loop: SourceLoop, test: Thunk) -> Any:
    """Run a while loop. Returns its outcome."""
    active = builder()
    tries = 0 if active is None else REROLL_TRIES
    check = _bound("while")
    steps: dict[str, int] = {}
    while True:
        condition = lifted(test())
        if is_traced(condition):
            return builder_for(condition).loops.while_loop(condition, loop)
        if not condition:
            return loop.run_else()
        if tries and active is not None and (steps or type(condition) is not bool):
            tries -= 1
            if active.loops.reroll_while(condition, loop, steps, tries == 0):
                return loop.run_else()
        before = loop.variables.get() if tries else ()
        outcome = loop.run_body()
        steps = loop.variables.steps_since(before) if tries else {}
        check()
        if outcome is fall_through or outcome is continue_:
            continue
        if outcome is break_:
            return fall_through
        if isinstance(outcome, Mixed):
            return builder_for(outcome).loops.while_after(outcome, loop)
        return outcome


def for_(
    iterable: Any, body: Callable[[Any], Any], carries: Names = (), cells: Thunk | None = None,
    orelse: Thunk | None = None, jumps: bool = False, rest: Thunk | None = None, exits: Names = (), keeps: Names = (),
) -> Any:  # fmt: skip
    """`for item in iterable: body(item) … else: …`; with `rest` also the code after it."""
    loop = SourceLoop(body, orelse, Variables(carries, (body, orelse, cells), keeps), jumps)
    outcome = _for_outcome(loop, iterable)
    return outcome if rest is None else _go_on(outcome, rest, exits, keeps, body, orelse, cells)


def _for_outcome(loop: SourceLoop, iterable: Any) -> Any:
    """Run a for loop. Returns its outcome."""
    if is_traced(lifted(iterable)):
        # The tensor itself and not its lifted form: the loop may update it in place.
        return builder_for(iterable).loops.for_traced(iterable, loop)
    active = builder()
    if active is not None:
        active.containers.items(iterable, "for")
    items = iter(iterable)
    tries = 0 if active is None else REROLL_TRIES
    check = fall_through if hasattr(iterable, "__len__") else _bound("for")
    while True:
        # Anew each time: an iteration may change the list that is left, or take items itself.
        found = left_of(items) if tries else None
        tries = tries - 1 if found else 0
        if active is not None and found is not None:
            numbers, item_at, sources = found
            if active.loops.reroll_range(numbers, loop, tries == 0, item_at):
                for source in sources if type(iterable) is not range else ():
                    collections.deque(source, 0)  # an iterator is at its end
                return loop.run_else()
            tries += active.loops.waits
        item = next(items, _END)
        if item is _END:
            return loop.run_else()
        outcome = loop.run_body(item)
        check()
        if outcome is fall_through or outcome is continue_:
            continue
        if outcome is break_:
            return fall_through
        if isinstance(outcome, Mixed):
            rest = numbers_of(items) if type(iterable) is range else None
            return builder_for(outcome).loops.for_after(outcome, items, loop, rest)
        return outcome


def _bound(word: str) -> Callable[[], Any]:
    """The function that raises RuntimeError if a loop that may have no end has recorded too many operations."""
    active = builder()
    if active is None:
        return fall_through
    nodes = active.flow.trace.recorder.nodes
    most = len(nodes) + MAX_UNROLLED

    def check() -> None:
        if len(nodes) > most:
            raise RuntimeError(
                f"this {word} loop has no end, or too many iterations: it has recorded {MAX_UNROLLED} operations, one "
                "iteration after the other, because what ends it is known in the trace. Let something end it, or let "
                "only the run know its end: count with a tensor that is an argument"
            )

    return check


def jumped(outcome: Any) -> bool:
    """Whether this outcome leaves a try, with or match block at once."""
    return outcome is not fall_through and not (isinstance(outcome, Mixed) and outcome.may_fall_through)


def pends(outcome: Any) -> None:
    """A finally clause ends with an outcome that the code after it has to follow."""
    if isinstance(outcome, Mixed):
        builder_for(outcome).flow.pending.append(outcome)


def proceed(outcome: Any, rest: Thunk, exits: Names = (), keeps: Names = (), cells: Thunk | None = None) -> Any:
    """The code after a try, with or match block that ended with an outcome."""
    if isinstance(outcome, Mixed):
        builder_for(outcome).flow.proceeds(outcome)
    return _go_on(outcome, rest, exits, keeps, cells)


def _go_on(outcome: Any, rest: Thunk, exits: Names, keeps: Names, *around: Callable[..., Any] | None) -> Any:
    """Run the continuation if control falls through to it."""
    if outcome is fall_through:
        return rest()
    if isinstance(outcome, Mixed) and outcome.may_fall_through:
        return builder_for(outcome).branches.proceed(outcome, rest, Variables(exits, (rest, *around), keeps))
    return outcome


Items = tuple[range, Callable[[Any], Any], list[Iterator[Any]]]
_END = object()
_RANGE_ITERATOR = type(iter(range(0)))
_STEPS: dict[Any, int] = {type(iter([])): 1, type(iter(())): 1, type(reversed([])): -1, reversed: -1}


def numbers_of(iterable: Any) -> range | None:
    """The numbers that a range, or an iterator over one such as `reversed(range(n))`, gives; None for others."""
    if type(iterable) is not _RANGE_ITERATOR:
        return iterable if type(iterable) is range else None
    reduced: Any = iterable.__reduce__()
    _, (whole,), *start = reduced
    found: range = whole[(start[0] if start else 0) or 0 :]
    return found


def left_of(items: Any) -> Items | None:
    """As `items_at`; the numbers of a range are the items themselves."""
    numbers = numbers_of(items)
    if numbers is not None:
        return numbers, identity, [items]
    return items_at(items) if type(items) in _STEPS or type(items) in (enumerate, zip) else None


def items_at(iterable: Any) -> Items | None:
    """The numbers of the iterations over an iterator, the item for each, and the iterators over ranges or lists that
    are at their end when it is. None for other iterators than those over ranges, tensors and lists of tensors, numbered
    or side by side."""
    numbers = numbers_of(iterable)
    if numbers is not None:
        return range(len(numbers)), lambda n: n * numbers.step + numbers.start, [iterable]
    step = _STEPS.get(type(iterable))
    if step is not None:
        _, (listed,), *start = iterable.__reduce__()
        places = range(start[0], len(listed) if step > 0 else -1, step) if start else range(0)
        if type(listed) not in (list, tuple) or not places or not isinstance(listed[places[0]], Tensor):
            return None
        return range(len(places)), lambda n: getitem(listed, n * step + places.start), [iterable]
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

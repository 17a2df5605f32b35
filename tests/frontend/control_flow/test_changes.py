"""Containers, arrays and generators that functions in C and of libraries change, inside of branches and loops."""

from __future__ import annotations

import array
import bisect
import collections
import dataclasses
import functools
import heapq
import itertools
import operator
import queue
import random
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from both_modes import plain

import mycel as ms
from mycel import Tensor, nn
from mycel.frontend.control_flow.reach import MAX_REACHED

pytestmark = pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")


class Box:
    """An object with a number and a list."""

    def __init__(self) -> None:
        self.number = 1
        self.items = [3]


class Twice(list):  # type: ignore[type-arg]
    """A list with methods of its own."""

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(index) * 2

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value + 1)


class Entering:
    """A context manager that writes down what happens."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def __enter__(self) -> None:
        self.log.append("in")

    def __exit__(self, *error: object) -> None:
        self.log.append("out")


class Watched:
    """An object whose operators write down what happens."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log
        self.count = 0

    def __getitem__(self, index: Any) -> Any:
        self.log.append(index)
        return index

    def __matmul__(self, other: Any) -> Watched:
        self.count += 1
        return self

    def __delitem__(self, index: Any) -> None:
        self.log.append(-index)


def lasting_callback(value: int, seen: list[int]) -> int:
    seen.append(value)
    return value


CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "heappush": (lambda: [3, 5], lambda it: heapq.heappush(it, 1)),
    "heappop": (lambda: [3, 5], heapq.heappop),
    "setitem": (lambda: [3, 5], lambda it: operator.setitem(it, 0, 9)),
    "delitem": (lambda: [3, 5], lambda it: operator.delitem(it, 0)),
    "iadd": (lambda: [3, 5], lambda it: operator.iadd(it, [0])),
    "insort": (lambda: [3, 5], lambda it: bisect.insort(it, 4)),
    "shuffle": (lambda: [3, 5, 6, 7], lambda it: random.Random(3).shuffle(it)),
    "partial": (lambda: [3, 5], lambda it: functools.partial(heapq.heappush, it)(1)),
    "unbound": (lambda: [3, 5], lambda it: list.append(it, 3)),
    "dict": (lambda: {"a": 1}, lambda it: dict.update(it, a=5)),
    "map": (lambda: [3, 5], lambda it: list(map(it.append, [1, 2]))),
    "starmap": (lambda: [3, 5], lambda it: list(itertools.starmap(it.__setitem__, [(0, 7)]))),
    "methodcaller": (lambda: [3], lambda it: operator.methodcaller("append", 3)(it)),
    "callback": (lambda: [3], lambda it: heapq.nlargest(1, [1], key=functools.partial(lasting_callback, seen=it))),
    "Counter": (lambda: collections.Counter("aab"), lambda it: it.update("ab")),
    "move_to_end": (lambda: collections.OrderedDict(a=1, b=2), lambda it: it.move_to_end("a")),
    "missing": (lambda: collections.defaultdict(list), lambda it: it["a"]),
    "missing item": (lambda: collections.defaultdict(int), lambda it: operator.setitem(it, "a", it["a"] + 1)),
    "UserList": (lambda: collections.UserList([1]), lambda it: it.append(3)),
    "UserDict": (lambda: collections.UserDict(a=1), lambda it: operator.setitem(it, "b", 2)),
    "fill": (lambda: np.zeros(3), lambda it: it.fill(2)),
    "out": (lambda: np.arange(3), lambda it: np.add(it, 1, out=it)),
    "sort": (lambda: np.array([3, 1]), lambda it: it.sort()),
    "view": (lambda: np.array([3, 1]), lambda it: it[1:].fill(7)),
    "held array": (lambda: [np.array([3, 1])], lambda it: it[0].fill(7)),
    "array": (lambda: array.array("i", [3, 1]), lambda it: it.append(3)),
    "generator": (lambda: random.Random(3), lambda it: it.random()),
    "object": (Box, lambda it: object.__setattr__(it, "number", 5)),
    "__setattr__": (Box, lambda it: it.__setattr__("number", 5)),
    "vars": (Box, lambda it: operator.setitem(vars(it), "number", 5)),
    "in an object": (Box, lambda it: heapq.heappush(it.items, 3)),
    "callbacks": (list, lambda it: [stack.callback(it.append, 1) or stack.close() for stack in [ExitStack()]]),
}


def look(value: Any) -> Any:
    """What a value holds."""
    if isinstance(value, random.Random):
        return value.random()
    if isinstance(value, Box):
        return [value.number, value.items]
    if isinstance(value, list):
        return [look(item) for item in value]
    if isinstance(value, (dict, collections.UserDict)):
        return list(value.items())
    return value if isinstance(value, int) else value.tolist() if hasattr(value, "tolist") else list(value)


@pytest.mark.parametrize("name", CHANGES)
def test_a_branch(name: str) -> None:
    make, change = CHANGES[name]

    def function(x: Tensor) -> Any:
        it = make()
        if x.sum() > 0:
            change(it)
        return look(it)

    compiled = ms.jit(function)
    for value in (-1.0, 1.0, -1.0):
        x = Tensor([value])
        assert plain(compiled(x)) == plain(function(x))


@pytest.mark.parametrize("name", CHANGES)
def test_a_loop(name: str) -> None:
    make, change = CHANGES[name]

    def function(x: Tensor) -> Any:
        it = make()
        n = 0
        while x.sum() < 2 and n < 2:
            n += 1
            x = x + 1
            change(it)
        return look(it)

    compiled = ms.jit(function)
    for value in (1.0, 3.0, 0.0):
        x = Tensor([value])
        assert plain(compiled(x)) == plain(function(x))


class Counting:
    """An iterator that keeps what it has given."""

    def __init__(self) -> None:
        self.given: list[int] = []

    def __iter__(self) -> Counting:
        return self

    def __next__(self) -> int:
        if len(self.given) == 3:
            raise StopIteration
        self.given.append(len(self.given))
        return self.given[-1]


def in_a_for(items: Any) -> None:
    for _ in items():
        pass


def in_a_generator(items: Any) -> None:
    def each() -> Any:
        yield from items()

    in_a_for(each)


ITERATORS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "starmap": (lambda: [3, 0], lambda it: itertools.starmap(it.__setitem__, [(0, 1), (1, 2)])),
    "filterfalse": (lambda: [3], lambda it: itertools.filterfalse(it.append, [1, 2])),
    "groupby": (lambda: [3], lambda it: itertools.groupby([1, 2], it.append)),
    "chain": (lambda: [3], lambda it: enumerate(itertools.chain([0], itertools.starmap(it.append, [(1,)])))),
    "until": (lambda: [3, 0, 5, 7], lambda it: iter(it.pop, 0)),
    "own": (Counting, lambda it: it),
}  # fmt: skip
TAKING: dict[str, Callable[[Any], Any]] = {
    "for": in_a_for,
    "unpacking": lambda items: [*items()],
    "comprehension": lambda items: [0 for _ in items()],
    "generator": in_a_generator,
    "call": lambda items: (lambda *all_of_them: None)(*items()),
    "in": lambda items: 99 in items(),
}


@pytest.mark.parametrize("take", TAKING)
@pytest.mark.parametrize("name", ITERATORS)
def test_what_an_iterator_changes_while_its_items_are_taken(name: str, take: str) -> None:
    make, items = ITERATORS[name]

    def function(x: Tensor) -> Any:
        it = make()
        if x.sum() > 0:
            if take == "in" and isinstance(it, list):
                it.append(8)
            TAKING[take](lambda: items(it))
        return it.given if isinstance(it, Counting) else it

    compiled = ms.jit(function)
    for value in (-1.0, 1.0, -1.0):
        x = Tensor([value])
        assert plain(compiled(x)) == plain(function(x))


class Logged:
    """A descriptor that writes down in its object how it is used."""

    def __get__(self, owner: Any, kind: Any) -> Any:
        owner.log.append("read")
        return 3

    def __set__(self, owner: Any, value: Any) -> None:
        owner.log.append(value)


class Special:
    """An object whose special methods write down that they are called."""

    logged = Logged()

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.number = 1

    def __iter__(self) -> Any:
        self.log.append("iter")
        return iter(self.log[:1])

    def __lt__(self, other: Any) -> bool:
        self.log.append("<")
        return True

    def __hash__(self) -> int:
        self.log.append("hash")
        return 1

    def __eq__(self, other: object) -> bool:
        self.log.append("==")
        return False

    @property
    def doubled(self) -> int:
        self.log.append("doubled")
        return self.number * 2

    @doubled.setter
    def doubled(self, value: int) -> None:
        self.number = value // 2


def set_logged(it: Any) -> None:
    it.logged = 5


def set_doubled(it: Any) -> None:
    it.doubled = 8


USES: dict[str, Callable[[Any], Any]] = {
    "iter": lambda it: [0 for _ in it],
    "less": lambda it: it < 1,
    "hash": lambda it: {it: 1},
    "equal": lambda it: it == 1,
    "read": lambda it: it.logged,
    "property": lambda it: it.doubled,
    "set": set_logged,
    "set property": set_doubled,
}


@pytest.mark.parametrize("name", USES)
def test_what_special_methods_of_an_object_change(name: str) -> None:
    def function(x: Tensor) -> Any:
        it = Special()
        if x.sum() > 0:
            USES[name](it)
        return it.log, it.number

    compiled = ms.jit(function)
    for value in (-1.0, 1.0, -1.0):
        x = Tensor([value])
        assert plain(compiled(x)) == plain(function(x))


def test_properties_and_descriptors_of_objects_made_in_a_graph_are_converted() -> None:
    class Larger:
        def __get__(self, owner: Any, kind: Any) -> Any:
            return owner.x * 3 if owner.x.sum() > 0 else owner.x

    class Held:
        larger = Larger()

        def __init__(self, x: Any) -> None:
            self.x = x

        @property
        def positive(self) -> Any:
            if self.x.sum() > 0:
                return self.x
            return -self.x

        @positive.setter
        def positive(self, value: Any) -> None:
            self.x = value if value.sum() > 0 else value * 2

    def function(x: Any) -> Any:
        held = Held(x)
        result = held.positive + held.larger
        held.positive = x - 1
        return result + held.x

    compiled = ms.jit(function, fullgraph=True)
    for value in (-1.0, 3.0):
        assert plain(compiled(Tensor([value]))) == plain(function(Tensor([value])))


GIVEN: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "list": ([3, 5], lambda it: heapq.heappush(it, 1)),
    "Counter": (collections.Counter("a"), lambda it: it.update("ab")),
    "deque": (collections.deque([1]), lambda it: it.append(1)),
    "set": ({1}, lambda it: it.add(len(it) + 1)),
    "UserList": (collections.UserList([1]), lambda it: it.append(1)),
    "Queue": (queue.Queue(), lambda it: it.put(1)),
    "array": (np.zeros(2), lambda it: it.fill(len(it) + it[0])),
    "vars": (Box(), lambda it: operator.setitem(vars(it), "number", it.number + 1)),
}


@pytest.mark.parametrize("branch", [False, True])
@pytest.mark.parametrize("name", GIVEN)
def test_what_is_from_outside_changes_in_each_run(name: str, branch: bool) -> None:
    it, change = GIVEN[name]

    def state() -> Any:
        return look(it.queue if name == "Queue" else it)

    def function(x: Tensor) -> Any:
        if not branch or x.sum() > 0:
            change(it)
        return x

    compiled = ms.jit(function)
    for value in (1.0, -1.0, 2.0, -3.0, 1.0):
        before = state()
        compiled(Tensor([value]))
        assert (state() != before) is (not branch or value > 0)


def test_a_loop_that_changes_keys() -> None:
    def function(x: Tensor) -> Any:
        found, n = {"a": x, "b": x * 2}, 0
        while x.sum() < 2:
            found[f"c{n}"] = found.pop("a" if n == 0 else f"c{n - 1}") + 1
            n, x = n + 1, x + 1
        return list(found.items())

    for value in (1.0, 3.0, 0.0):
        assert plain(ms.jit(function)(Tensor([value]))) == plain(function(Tensor([value])))


def test_joined_changes_are_part_of_the_graph() -> None:
    def function(x: Tensor, y: Tensor) -> Any:
        items = [x, y]
        first = functools.partial(operator.setitem, items, 0)
        if x.sum() > 0:
            first(y)
        else:
            operator.setitem(items, 1, x)
        for number in range(20):
            operator.setitem(items, 0, items[0] + number)
        return items

    compiled = ms.jit(function, fullgraph=True)
    for value in (1.0, -1.0):
        x, y = Tensor([value]), Tensor([5.0])
        assert plain(compiled(x, y)) == plain(function(x, y))


OUTSIDE = Watched([])


def test_operators_of_users() -> None:
    def function(x: Tensor) -> Any:
        watched = Watched([])
        if x.sum() > 0:
            y = watched[0] + (watched @ watched).count + OUTSIDE[1]
            del watched[5]
        else:
            y = watched[2] + OUTSIDE[3]
        while x.sum() < 0:
            x = x + 1
            watched @ watched
        return y, watched.log, watched.count

    for compiled in (ms.jit(function), function):
        OUTSIDE.log.clear()
        found = [plain(compiled(Tensor([value]))) for value in (1.0, -2.0, 3.0)]
        logs = list(OUTSIDE.log)
        if compiled is not function:
            first = found, logs
    assert first == (found, logs)
    assert logs == [1, 3, 1]


def test_special_methods_of_users_are_converted() -> None:
    @dataclasses.dataclass(frozen=True)
    class Frozen:
        a: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "b", self.a * 2)

    def function(x: Tensor) -> Any:
        items, entering = Twice([1, 2, 3]), Entering()
        if x.sum() > 0:
            items[0] = 5
            frozen: Any = Frozen(1)
            with entering:
                items[1] += 1
        else:
            frozen = Frozen(2)
        return items[0], items[1], entering.log, frozen.b

    compiled = ms.jit(function)
    for value in (1.0, -1.0):
        assert plain(compiled(Tensor([value]))) == plain(function(Tensor([value])))


def test_more_objects_than_are_compared_are_changed_by_python() -> None:
    rows = [[0] for _ in range(MAX_REACHED + 1)]

    @ms.jit
    def function(x: Any) -> Any:
        if x > 0:
            operator.setitem(rows, 0, 5)
        return x

    with pytest.warns(ms.FallbackWarning, match="more than 10000 objects"):
        function(Tensor(-1.0))
    assert rows[0] == [0]
    function(Tensor(1.0))
    assert rows[0] == 5


class Scale:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def __call__(self, x: Any) -> Any:
        return x * self.factor


@pytest.mark.parametrize("kind", ["read", "write", "identity", "type"])
def test_only_python_knows_more_of_a_chosen_function_than_to_call_it(kind: str) -> None:
    def function(x: Any) -> Any:
        double, triple = Scale(2), Scale(3)
        chosen = double if x > 0 else triple
        if kind == "read":
            return x * chosen.factor
        if kind == "write":
            chosen.factor = 5
            return chosen(x) + double.factor
        if kind == "identity":
            return x + (1 if chosen is double else 2)
        return x + (1 if isinstance(chosen, Scale) else 2)

    compiled = ms.jit(function)
    for value in (1.0, -1.0):
        assert plain(compiled(Tensor(value))) == plain(function(Tensor(value)))


class Making(collections.OrderedDict):  # type: ignore[type-arg]
    """A table of classes that gives an object of a class in its place."""

    def __getitem__(self, name: str) -> Any:
        return super().__getitem__(name)()


class Refusing:
    """A class without objects."""

    def __init__(self) -> None:
        raise RuntimeError("nobody asked for this one")


def test_tables_whose_class_makes_what_it_gives() -> None:
    """Nothing but what the code asks for is made."""
    table = Making(relu=nn.ReLU, other=Refusing)
    found = ms.jit(lambda x: table["relu"](x))(Tensor([-1.0, 2.0]))
    assert found.asnumpy().tolist() == [0.0, 2.0]

"""Lazy dataclasses are like those of the standard library, but their methods are made when the first object is."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import threading
from dataclasses import field, replace
from typing import Any

import pytest
from searches import chequered

from mycel.runtime import records
from mycel.runtime.records import cached_property, dataclass

OPTIONS = [{}, {"frozen": True}, {"frozen": True, "eq": False}, {"frozen": True, "repr": False}, {"eq": False}]


@dataclass(frozen=True)
class Point:
    """A point."""

    x: int
    y: tuple[int, ...] = ()
    names: list[str] = field(default_factory=list, compare=False)

    @cached_property
    def size(self) -> int:
        return len(self.y)


class Span(records.NamedTuple):
    """A span."""

    start: int
    end: int = 1

    def size(self) -> int:
        return self.end - self.start

    @property
    def both(self) -> tuple[int, ...]:
        return super().__getitem__(slice(0, 2))


class Wide(records.NamedTuple):
    """A tuple of more fields than lambdas are written for."""

    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int = 9


def test_named_tuples() -> None:
    """They are like those of the standard library, which get their `__new__` from a text."""
    for given in (Span(2, 5), Span(end=5, start=2), Span._make([2, 5]), Span(2)._replace(end=5)):
        assert given == (2, 5)
        assert type(given) is Span
        assert given.both == (2, 5)
        assert given.size() == 3
    assert repr(Span(0)) == "Span(start=0, end=1)"
    assert Span(0)._asdict() == {"start": 0, "end": 1}
    assert Span._fields == Span.__match_args__ == ("start", "end")
    assert Span._field_defaults == {"end": 1}
    assert pickle.loads(pickle.dumps(Span(3))) == copy.deepcopy(Span(3)) == Span(3)
    assert str(inspect.signature(Span)) == "(start, end=1)"
    assert not hasattr(Span(0), "__dict__")
    assert Wide(*range(9)) == (*range(9), 9)
    assert Wide(*range(9)).i == 8
    with pytest.raises(TypeError, match=r"Span.__new__\(\) missing 1 required positional argument: 'start'"):
        Span()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'middle'"):
        Span(0, middle=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="unexpected field names"):
        Span(0)._replace(middle=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Expected 2 arguments, got 3"):
        Span._make((1, 2, 3))
    with pytest.raises(AttributeError):
        Span(0).start = 1  # type: ignore[misc]


def pair(decorate: Any, options: dict[str, bool]) -> Any:
    """A class with one base, decorated."""

    class Base:
        a: int
        b: Any = field(default=2, repr=False)

    class Pair(decorate(**options)(Base)):  # type: ignore[misc]
        c: list[int] = field(default_factory=list)

        def __post_init__(self) -> None:
            self.c.append(self.a)

    return decorate(**options)(Pair)


def result(function: Any) -> Any:
    try:
        return function()
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(("options", "first"), chequered(OPTIONS, range(9)))
def test_each_is_like_that_of_the_standard_library(options: dict[str, bool], first: int) -> None:
    """Whatever is asked of the class first."""

    def answers(kind: Any) -> list[Any]:
        asked = [
            lambda: [(one.name, one.default, one.init) for one in dataclasses.fields(kind)],
            lambda: dataclasses.is_dataclass(kind),
            lambda: dataclasses.asdict(kind(1, 3)),
            lambda: (kind(1) == kind(1), kind(1) == kind(2), kind(1) == 1),
            lambda: replace(kind(1, 4), a=5).__dict__,
            lambda: kind(),
            lambda: setattr(kind(1), "a", 2),
            lambda: delattr(kind(1), "b"),
            lambda: kind.__hash__ is None or isinstance(result(lambda: hash(kind(1))), (int, tuple)),
        ]
        order = asked[first:] + asked[:first]
        found = [result(question) for question in order]
        parameters = str(inspect.signature(kind))
        return [*found, kind.b, hasattr(kind, "c"), kind.__match_args__, parameters, kind.__dataclass_params__.frozen]

    assert answers(pair(dataclass, options)) == answers(pair(dataclasses.dataclass, options))


def test_methods_are_made_with_the_first_object() -> None:
    @dataclass
    class Waiting:
        x: int = 1

    before = Waiting.__init__
    assert repr(Waiting(2)).endswith("Waiting(x=2)")
    assert Waiting.__init__ is not before
    assert Waiting.__hash__ is None


@pytest.mark.parametrize("frozen", [False, True])
def test_the_first_objects_are_like_the_later_ones(frozen: bool) -> None:
    """They are made without a compiled method, but where the arguments are wrong."""

    def answers(decorate: Any) -> list[Any]:
        def fresh() -> Any:
            class Kept:
                a: int
                b: list[int] = field(default_factory=list)
                c: int = field(default=3, kw_only=True)
                d: int = 4

                def __post_init__(self) -> None:
                    self.b.append(self.a)

            return decorate(frozen=frozen)(Kept)

        kind = fresh()
        found = [dataclasses.asdict(kind(number, c=number)) for number in range(80)]
        found += [dataclasses.asdict(kind(d=5, a=6)), result(lambda: kind(1, a=2))]
        wrong = [lambda x: x(), lambda x: x(1, [], 2, 3), lambda x: x(1, a=2), lambda x: x(1, e=2), lambda x: x(b=[])]
        return [*found, *[result(lambda ask=ask: ask(fresh())) for ask in wrong]]

    made = answers(dataclass)
    assert made == answers(dataclasses.dataclass)
    assert "missing 1 required positional argument: 'a'" in made[-1][1]


def test_an_object_that_init_did_not_make_compares_and_prints() -> None:
    @dataclass(frozen=True)
    class Bare:
        x: int

    bare = Bare.__new__(Bare)
    object.__setattr__(bare, "x", 3)
    assert bare == Bare(3)
    assert hash(bare) == hash(Bare(3))
    assert pickle.loads(pickle.dumps(Point(1, (2,)))) == copy.deepcopy(Point(1, (2,))) == Point(1, (2,), ["a"])
    assert Point(1, (2,)).size == 1


def test_methods_that_are_written_stay() -> None:
    @dataclass(frozen=True)
    class Own:
        x: int

        def __repr__(self) -> str:
            return "mine"

        def __hash__(self) -> int:
            return 7

        def __eq__(self, other: object) -> bool:
            return True

    assert (repr(Own(1)), hash(Own(1)), Own(1) == Own(2)) == ("mine", 7, True)


def test_fields_have_their_options() -> None:
    """Keywords alone, values that are made, fields that are neither arguments nor compared."""

    def made(decorate: Any) -> Any:
        @decorate(frozen=True)
        class Tuned:
            named: int = field(kw_only=True)
            first: str
            made: list[int] = field(init=False, default_factory=lambda: [1])
            fixed: int = field(init=False, default=4)
            hashed: int = field(default=5, hash=False)
            own: Any = field(default=None, compare=False)

        return Tuned

    ours, plain = made(dataclass), made(dataclasses.dataclass)
    for call in (
        lambda kind: repr(kind("a", named=1)),
        lambda kind: kind("a"),
        lambda kind: kind("a", 7, named=2).__dict__,
        lambda kind: kind("a", named=1, own=3) == kind("a", named=1),
        lambda kind: hash(kind("a", 6, named=1)) == hash(kind("a", 7, named=1)),
        lambda kind: str(inspect.signature(kind)),
        lambda kind: kind.fixed,
    ):
        assert result(lambda call=call: call(ours)) == result(lambda call=call: call(plain))


def test_a_class_with_slots_is_made_at_once() -> None:
    @dataclass(frozen=True)
    class Narrow:
        __slots__ = ("x",)
        x: int

    assert Narrow(1) == Narrow(x=1)
    assert hash(Narrow(1)) == hash(Narrow(1))
    assert not hasattr(Narrow(1), "__dict__")
    assert str(inspect.signature(Narrow)) == "(x: 'int') -> None"


def test_threads_may_make_the_first_objects_together() -> None:
    for _ in range(30):

        @dataclass(frozen=True)
        class Shared:
            x: int

        barrier = threading.Barrier(4)
        found: list[Any] = []

        def make(kind: Any = Shared, barrier: threading.Barrier = barrier, found: list[Any] = found) -> None:
            barrier.wait()
            found.append(kind(1))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4
        assert len(set(found)) == 1


def test_the_first_object_alone_asks_nothing_of_the_standard_library() -> None:
    @dataclass(frozen=True)
    class Plain:
        x: int
        y: tuple[int, ...] = field(default_factory=tuple)
        z: str = field(default="z", compare=False)

    assert (Plain(1).x, Plain(1).y, Plain(1, z="a").z, Plain.z) == (1, (), "a", "z")
    assert not hasattr(Plain, "y")
    assert not isinstance(vars(Plain)["__match_args__"], tuple)  # nothing has asked for more yet
    assert Plain(1) == Plain(1, z="a")
    assert repr(Plain(1)) == f"{Plain.__qualname__}(x=1, y=(), z='z')"
    with pytest.raises(dataclasses.FrozenInstanceError):
        Plain(1).x = 2  # type: ignore[misc]
    assert [one.name for one in dataclasses.fields(Plain)] == ["x", "y", "z"]


def test_objects_match_positions_and_are_copied_with_changes() -> None:
    class Pair(records.NamedTuple):
        x: int
        y: int = 2

    @dataclass(frozen=True)
    class First:
        x: int
        y: int = 2

    made: Any
    for made in (First(1), Pair(1)):
        match made:
            case First(x, y) | Pair(x, y):
                assert (x, y) == (1, 2)
        changed = made.__replace__(y=3)  # as `copy.replace` does
        assert (type(changed), changed.x, changed.y) == (type(made), 1, 3)


def test_fields_that_are_no_arguments_have_their_defaults_from_the_first_object_on() -> None:
    @dataclass
    class Partly:
        x: int
        y: int = field(default=3, init=False)

    assert (Partly(1).x, Partly(1).y, Partly.y) == (1, 3, 3)


def test_a_cached_property_is_computed_once() -> None:
    """Each object has its own value, which is an attribute from then on; the class has the property."""
    points = [Point(1, (2, 3)), Point(1)]
    assert [point.size for point in points] == [2, 0]
    points[1].__dict__["size"] = 7
    assert [point.size for point in points] == [2, 7]
    assert vars(Point)["size"] is Point.size  # type: ignore[comparison-overlap]


def test_fields_without_the_annotations_of_the_future() -> None:
    """From Python 3.14 on, such classes have no `__annotations__` while they are made."""
    lines = ["class Pair(NamedTuple):", "    first: ''", "    second: '' = 7"]
    space: dict[str, Any] = {"NamedTuple": records.NamedTuple, "__name__": __name__}
    exec(compile("\n".join(lines), "pair.py", "exec", dont_inherit=True), space)
    assert space["Pair"]._fields == ("first", "second")
    assert space["Pair"](first=1) == (1, 7)

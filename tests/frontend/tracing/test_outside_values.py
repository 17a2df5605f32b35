"""Values from outside that change between calls: compiled functions answer as Python does."""

from __future__ import annotations

import array
import collections
import contextvars
import dataclasses
import functools
import io
import operator
import queue
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor

X = np.array([1.0, -2.0], np.float32)
GLOBAL = 1.0
VARIABLE = contextvars.ContextVar("VARIABLE", default=1.0)
Made = tuple[Callable[[Tensor], Any], Callable[[], Any]]
"""A function, and a change of the world."""


def of_array() -> Made:
    numbers = array.array("d", [1.0])
    return (lambda x: x * numbers[0]), lambda: numbers.__setitem__(0, numbers[0] + 1)


def of_bytes() -> Made:
    numbers = bytearray(b"a")
    return (lambda x: x * numbers[0]), lambda: numbers.__setitem__(0, numbers[0] + 1)


def of_memory() -> Made:
    numbers = memoryview(bytearray(b"a"))
    return (lambda x: x * numbers[0]), lambda: numbers.__setitem__(0, numbers[0] + 1)


def of_proxy() -> Made:
    inner = {"a": 1.0}
    proxy = types.MappingProxyType(inner)
    return (lambda x: x * proxy["a"]), lambda: inner.update(a=inner["a"] + 1)


def of_partial() -> Made:
    held = [1.0]
    times = functools.partial(lambda x, by: x * by[0], by=held)
    return (lambda x: times(x)), lambda: held.__setitem__(0, held[0] + 1)


def of_cache() -> Made:
    count = [1.0]

    @functools.lru_cache
    def cached(by: int) -> float:
        return count[0] * by

    def change() -> None:
        count[0] += 1
        if count[0] != 3.0:  # after the second change the cache has the value of the first
            cached.cache_clear()

    return (lambda x: x * cached(2)), change


def of_context() -> Made:
    VARIABLE.set(1.0)
    return (lambda x: x * VARIABLE.get()), lambda: VARIABLE.set(VARIABLE.get() + 1)


def of_text() -> Made:
    text = io.StringIO("a")
    text.seek(1)
    return (lambda x: x * len(text.getvalue())), lambda: text.write("bc")


def of_queue() -> Made:
    waiting: queue.Queue[int] = queue.Queue()
    return (lambda x: x * (waiting.qsize() + 1)), lambda: waiting.put(1)


class Scale:
    """A descriptor."""

    def __get__(self, owner: Any, kind: Any = None) -> float:
        return float(owner.number * 2)


class Scaled:
    scale = Scale()

    def __init__(self) -> None:
        self.number, self.numbers = 1.0, [1.0]

    @functools.cached_property
    def first(self) -> float:
        return self.numbers[0]

    def times(self, by: float, more: float = 0.0) -> float:
        return self.number * by + more


def of_descriptor() -> Made:
    scaled = Scaled()
    return (lambda x: x * scaled.scale), lambda: setattr(scaled, "number", scaled.number + 1)


def of_cached_property() -> Made:
    scaled = Scaled()

    def change() -> None:
        scaled.numbers[0] += 1
        if scaled.numbers[0] != 3.0:
            scaled.__dict__.pop("first", None)

    return (lambda x: x * scaled.first), change


def of_vars() -> Made:
    scaled = Scaled()
    return (
        lambda x: x * vars(scaled)["number"] * scaled.__dict__["number"],
        lambda: setattr(scaled, "number", scaled.number + 1),
    )


def of_callback() -> Made:
    by = [1.0]
    times = np.vectorize(lambda value: value * by[0])
    return (lambda x: x * float(times(2.0))), lambda: by.__setitem__(0, by[0] + 1)


def of_applied() -> Made:
    by = [1.0]

    def total(row: Any) -> Any:
        return row.sum() * by[0]

    rows = np.ones((2, 2))
    return (
        lambda x: x * float(np.apply_along_axis(total, 0, rows).sum()),
        lambda: by.__setitem__(0, by[0] + 1),
    )


def of_subclass() -> Made:
    words = collections.UserDict(a=1.0)
    return (lambda x: x * words.get("a", 0.0)), lambda: words.update(a=words["a"] + 1)


def of_global() -> Made:
    name = "GLOBAL"
    return (lambda x: x * globals()[name] + ("ABSENT" in globals())), _next_global


def _next_global() -> None:
    globals()["GLOBAL"] = GLOBAL % 4 + 1.0


def of_absent_global() -> Made:
    def change() -> None:
        if "ABSENT" in globals():
            del globals()["ABSENT"]
        else:
            globals()["ABSENT"] = 2.0

    globals().pop("ABSENT", None)
    return (lambda x: x * globals().get("ABSENT", 1.0)), change


def of_getter() -> Made:
    scaled = Scaled()
    scaled.inner = Scaled()  # type: ignore[attr-defined]
    get = operator.attrgetter("number", "inner.number")
    return (lambda x: x * sum(get(scaled))), lambda: setattr(scaled.inner, "number", scaled.inner.number + 1)  # type: ignore[attr-defined]


def of_caller() -> Made:
    scaled = Scaled()
    call = operator.methodcaller("times", 2.0, more=1.0)
    return (lambda x: x * call(scaled)), lambda: setattr(scaled, "number", scaled.number + 1)


def of_dispatch() -> Made:
    by = [1.0]

    @functools.singledispatch
    def times(x: Any) -> Any:
        raise TypeError(type(x))

    @times.register
    def _(x: Tensor) -> Any:
        return x * 1.0 if x.sum() < 0 else x

    def change() -> None:
        by[0] += 1
        times.register(Tensor, lambda x, number=by[0]: x * number)

    return (lambda x: times(x)), change


def of_class() -> Made:
    class First:
        def number(self) -> float:
            return 1.0

    class Second(First):
        def number(self) -> float:
            return 2.0

    it = First()
    return (
        lambda x: x * it.number(),
        lambda: setattr(it, "__class__", Second if type(it) is First else First),
    )


def of_property() -> Made:
    class Held:
        kept = 1.0

        @property
        def number(self) -> float:
            return self.kept

    held = Held()

    def change() -> None:
        Held.kept += 1
        Held.number = Held.kept if Held.kept > 2 else Held.number  # type: ignore[assignment, method-assign]

    return (lambda x: x * held.number), change


@dataclasses.dataclass
class Settings:
    rate: float = 1.0
    steps: list[float] = dataclasses.field(default_factory=lambda: [1.0])


def of_dataclass() -> Made:
    settings = Settings()
    return (
        lambda x: x * dataclasses.asdict(settings)["rate"] * sum(dataclasses.astuple(settings)[1]),
        lambda: settings.steps.append(2.0),
    )


CASES = [
    of_array, of_bytes, of_memory, of_proxy, of_partial, of_cache, of_context, of_text, of_queue, of_descriptor,
    of_cached_property, of_vars, of_callback, of_applied, of_subclass,
    of_global, of_absent_global, of_getter, of_caller, of_dispatch, of_class, of_property, of_dataclass,
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_change_is_seen(case: Callable[[], Made]) -> None:
    found = []
    for compiled in (False, True):
        f, change = case()
        run = ms.jit(f) if compiled else f
        results = []
        for _ in range(4):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ms.FallbackWarning)
                results.append(run(Tensor(X)).tolist())
            change()
        found.append(results)
    assert found[0] == found[1]
    assert len({str(item) for item in found[0]}) > 1


@pytest.mark.parametrize("case", [case for case in CASES if case is not of_text])
def test_without_a_change_there_is_one_graph(case: Callable[[], Made]) -> None:
    f = ms.jit(case()[0], fullgraph=True)
    for _ in range(3):
        f(Tensor(X))
    assert len(f.explain().traces) == 1, f.explain()


def test_what_is_compiled_is_not_asked_for_its_state_in_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiled gradient from outside: comparing its attributes would take longer than the call."""
    asked: list[Any] = []
    monkeypatch.setattr("mycel.frontend.control_flow.moving.state_of", asked.append)
    gradient = ms.grad(lambda x: (x * x).sum())
    step = ms.jit(lambda x: gradient(x) + 1)
    for _ in range(2):
        assert step(Tensor([1.0, 2.0])).asnumpy().tolist() == [3.0, 5.0]
    assert not asked


def test_globals_are_for_reading_in_a_graph() -> None:
    def f(x: Tensor) -> Tensor:
        globals()["NEW"] = 1.0
        return x

    with pytest.raises(ms.GraphError, match="a graph cannot hold a change of globals"):
        ms.jit(f, fullgraph=True)(Tensor(X))
    assert "NEW" not in globals()

"""No stale answers: a compiled function notices changes of the values that it has read."""

from __future__ import annotations

import collections
import dataclasses
import functools
import sys
import time
import types
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.frontend.tracing import guards

FACTOR: Any = 2
NUMBERS = [1, 2]


def increased(x: Any) -> Any:
    return x + 1


class Plain:
    """An object with attributes."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


class Sizes(NamedTuple):
    """A named tuple with a list."""

    widths: list[int]


class Slotted:
    """An object without a dict."""

    __slots__ = ("factor",)

    def __init__(self, factor: int) -> None:
        self.factor = factor


class Forwarding:
    """An object that gives its stored values as attributes."""

    def __init__(self, **stored: Any) -> None:
        self.stored = stored

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["stored"][name]


class Items:
    """A container of the user's own."""

    def __init__(self, items: list[int]) -> None:
        self.items = items

    def __getitem__(self, index: int) -> int:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, item: object) -> bool:
        return item in self.items


class Numbers(list):  # type: ignore[type-arg]
    """A list of the user's own kind."""


@dataclasses.dataclass
class Settings:
    factor: int = 1
    sizes: list[int] = dataclasses.field(default_factory=lambda: [1])


class Base(nn.Cell):
    def shifted(self, x: Any) -> Any:
        return x + 1


class Net(Base):
    """A Cell with attributes of many kinds."""

    scale = 1

    def __init__(self) -> None:
        super().__init__()
        self.factor = 2
        self.numbers = [1, 2]
        self.table = {"a": {"b": 1}}
        self.array = np.array([1.0, 2.0], np.float32)
        self.tensor = Tensor(1.0)
        self.layers = nn.CellList([nn.ReLU()])
        self.optional: Any = None

    def construct(self, x: Any) -> Any:
        return x


Change = Callable[[Any], Any]


def ask(construct: Callable[..., Any], *changes: Change) -> list[float]:
    """The results of a Cell, as a compiled function: at first, and after each change."""
    kind = type("Asked", (Net,), {"construct": construct})
    net = kind()
    run = ms.jit(net)
    results = [float(run(Tensor(-1.0)).asnumpy())]
    for change in changes:
        change(net)
        results.append(float(run(Tensor(-1.0)).asnumpy()))
    return results


def walk(self: Any, x: Any) -> Any:
    for layer in self.layers:
        x = layer(x)
    return x


def replace_first(net: Any) -> None:
    net.layers[0] = nn.LeakyReLU(0.5)


CELLS: dict[str, tuple[Callable[..., Any], list[Change], list[float]]] = {
    "number": (lambda self, x: x * self.factor, [lambda net: setattr(net, "factor", 5)], [-2, -5]),
    "list item": (lambda self, x: x * sum(self.numbers), [lambda net: net.numbers.append(4)], [-3, -7]),
    "inner dict": (lambda self, x: x * self.table["a"]["b"], [lambda net: net.table["a"].update(b=6)], [-1, -6]),
    "array": (lambda self, x: x * float(self.array.sum()), [lambda net: net.array.fill(4)], [-3, -8]),
    "tensor": (lambda self, x: x * self.tensor, [lambda net: setattr(net, "tensor", Tensor(3.0))], [-1, -3]),
    "class attribute": (
        lambda self, x: x * self.scale,
        [lambda net: setattr(type(net), "scale", 3), lambda net: setattr(net, "scale", 4)],
        [-1, -3, -4],
    ),
    "walked layers": (walk, [replace_first, lambda net: net.layers.append(nn.LeakyReLU(0.5))], [0, -0.5, -0.25]),
    "optional": (
        lambda self, x: x if self.optional is None else self.optional(x),
        [lambda net: setattr(net, "optional", nn.ReLU()), lambda net: setattr(net, "optional", None)],
        [-1, 0, -1],
    ),
    "hasattr": (lambda self, x: x * 2 if hasattr(self, "flag") else x, [lambda net: setattr(net, "flag", 1)], [-1, -2]),
    "training": (
        lambda self, x: x * 2 if self.training else x,
        [lambda net: net.set_train(), lambda net: net.set_train(False)],
        [-1, -2, -1],
    ),
    "method of the class": (
        lambda self, x: self.shifted(x),
        [lambda net: setattr(type(net), "shifted", lambda self, x: x + 10)],
        [0, 9],
    ),
    "method of the object": (
        lambda self, x: self.shifted(x),
        [lambda net: setattr(net, "shifted", types.MethodType(lambda self, x: x + 20, net))],
        [0, 19],
    ),
    "construct": (lambda self, x: x, [lambda net: setattr(type(net), "construct", lambda self, x: x * 7)], [-1, -7]),
}


@pytest.mark.parametrize("name", CELLS)
def test_cells(name: str) -> None:
    construct, changes, expected = CELLS[name]
    assert ask(construct, *changes) == expected


def test_a_cells_own_call() -> None:
    class Called(Base):
        factor = 1

        def __init__(self) -> None:
            super().__init__()
            self.calls = 0

        def __call__(self, x: Any) -> Any:
            self.calls += 1
            return super().__call__(x) * self.factor + self.calls

        def construct(self, x: Any) -> Any:
            return x

    net: Any = Called()
    run = ms.jit(lambda x: net(x), fullgraph=True)
    found = [float(run(Tensor(1.0))) for _ in range(2)]
    Called.factor = 10
    found.append(float(run(Tensor(1.0))))
    setattr(Called, "__call__", lambda self, x: x * 5)  # noqa: B010 what mypy refuses
    assert [*found, float(run(Tensor(1.0)))] == [2, 3, 13, 5]


def test_methods_above(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lower(Base):
        def construct(self, x: Any) -> Any:
            return super().shifted(x)

    run = ms.jit(Lower())
    assert run(Tensor(1.0)) == 2
    monkeypatch.setattr(Base, "shifted", lambda self, x: x + 30)
    assert run(Tensor(1.0)) == 31


def _set(owner: Any, **attributes: Any) -> Change:
    return lambda value: [setattr(owner(value), name, item) for name, item in attributes.items()]


OBJECTS: dict[str, tuple[Any, Callable[..., Any], Change, tuple[float, float]]] = {
    "attribute": (Plain(factor=1), lambda x, o: x * o.factor, _set(lambda o: o, factor=3), (1, 3)),
    "list in an object": (Plain(items=[1]), lambda x, o: x * len(o.items), lambda o: o.items.append(1), (1, 2)),
    "objects in objects": (
        Plain(inner=Plain(factor=1)), lambda x, o: x * o.inner.factor, _set(lambda o: o.inner, factor=3), (1, 3),
    ),
    "objects in a list": ([Plain(factor=1)], lambda x, o: x * o[0].factor, _set(lambda o: o[0], factor=3), (1, 3)),
    "slots": (Slotted(1), lambda x, o: x * o.factor, _set(lambda o: o, factor=3), (1, 3)),
    "forwarded": (Forwarding(factor=1), lambda x, o: x * o.factor, lambda o: o.stored.update(factor=3), (1, 3)),
    "items": (Items([1, 5]), lambda x, o: x * o[0], lambda o: o.items.__setitem__(0, 3), (1, 3)),
    "length": (Items([1]), lambda x, o: x * len(o), lambda o: o.items.append(0), (1, 2)),
    "membership": (Items([1]), lambda x, o: x * (3 if 9 in o else 1), lambda o: o.items.append(9), (1, 3)),
    "list of its own kind": (Numbers([1, 2]), lambda x, o: x * sum(o), lambda o: o.append(4), (3, 7)),
    "dict": ({"a": 1}, lambda x, o: x * o["a"], lambda o: o.update(a=3), (1, 3)),
    "keys": ({"a": 1}, lambda x, o: x * len(o), lambda o: o.update(b=1), (1, 2)),
    "another key": ({"a": 1}, lambda x, o: x * (3 if "b" in o else 1), lambda o: o.update(b=o.pop("a")), (1, 3)),
    "dict in a list in a dict": (
        {"a": [{"b": 1}]}, lambda x, o: x * o["a"][0]["b"], lambda o: o["a"][0].update(b=3), (1, 3),
    ),
    "list in a named tuple": (
        Sizes([1]), lambda x, o: x * o.widths[0], lambda o: o.widths.__setitem__(0, 3), (1, 3),
    ),
    "set in a dict": ({"a": {1}}, lambda x, o: x * len(o["a"]), lambda o: o["a"].add(2), (1, 2)),
    "default dict": (collections.defaultdict(int, a=1), lambda x, o: x * o["a"], lambda o: o.update(a=3), (1, 3)),
    "list in a tuple": (([1], 2), lambda x, o: x * o[0][0], lambda o: o[0].__setitem__(0, 3), (1, 3)),
    "array in a dict": ({"a": np.ones(2)}, lambda x, o: x * float(o["a"][0]), lambda o: o["a"].fill(3), (1, 3)),
    "deque": (collections.deque([1]), lambda x, o: x * o[0], lambda o: o.appendleft(3), (1, 3)),
    "ordered dict": (collections.OrderedDict(a=1), lambda x, o: x * o["a"], lambda o: o.update(a=3), (1, 3)),
    "set": ({1, 2}, lambda x, o: x * len(o), lambda o: o.add(5), (2, 3)),
    "array": (np.ones(2, np.float32), lambda x, o: x * Tensor(o).sum(), lambda o: o.fill(3), (2, 6)),
    "large array": (np.ones(5000, np.float32), lambda x, o: x * float(o[4999]), lambda o: o.fill(3), (1, 3)),
    "array of objects": (np.array([1, "a"], object), lambda x, o: x * o[0], lambda o: o.__setitem__(0, 3), (1, 3)),
    "dataclass": (Settings(), lambda x, o: x * o.factor * o.sizes[0], lambda o: o.sizes.__setitem__(0, 3), (1, 3)),
    "function": (increased, lambda x, o: x * getattr(o, "factor", 1), _set(lambda o: o, factor=3), (1, 3)),
    "list of cells": (nn.CellList([nn.ReLU()]), lambda x, o: x * len(o), lambda o: o.append(nn.ReLU()), (1, 2)),
    "items of a list of cells": (
        nn.CellList([nn.ReLU()]), lambda x, o: x + sum(c(x) for c in o), lambda o: o.append(nn.ReLU()), (2, 3),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_the_enclosing_function(name: str) -> None:
    value, function, change, expected = OBJECTS[name]

    @ms.jit
    def run(x: Any) -> Any:
        return function(x, value)

    first = float(run(Tensor(1.0)).asnumpy())
    change(value)
    assert (first, float(run(Tensor(1.0)).asnumpy())) == expected


def test_containers_with_the_same_items_are_compared_as_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    table: dict[str, Any] = {"sizes": [1, (2, 3)], "dtype": ms.float32, "name": "net", "more": Sizes([1])}
    table["others"] = collections.OrderedDict(a={1, 2}, b=collections.deque([3]))

    @ms.jit
    def run(x: Any) -> Any:
        return x * table["sizes"][1][1] * len(table["name"]) * table["more"].widths[0] * len(table["others"]["b"])

    assert run(Tensor(1.0)) == 9
    with monkeypatch.context() as patch:
        patch.setattr(guards, "snapshot", lambda value: pytest.fail("a snapshot"))
        assert run(Tensor(1.0)) == 9
    table["sizes"] = [1, (2, 3)]  # an equal one
    assert run(Tensor(1.0)) == 9
    assert len(run.explain().traces) == 1


def test_globals_that_are_equal_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other objects of the same type and value are the same; one and True are not."""

    @ms.jit
    def run(x: Any) -> Any:
        return x * FACTOR if type(FACTOR) is float else x * 9

    here = sys.modules[__name__]
    for value, expected, traces in (
        (2.5, 2.5, 1),
        (float("2.5"), 2.5, 1),
        (-0.0, 0, 2),
        (0.0, 0, 3),
        (1, 9, 4),
        (True, 9, 5),
    ):
        monkeypatch.setattr(here, "FACTOR", value)
        assert run(Tensor(1.0)) == expected
        assert len(run.explain().traces) == traces
    monkeypatch.delattr(here, "FACTOR")
    with pytest.raises(NameError):
        run(Tensor(1.0))


def test_a_list_that_holds_itself() -> None:
    items: list[Any] = [1]
    items.append(items)

    @ms.jit
    def run(x: Any) -> Any:
        return x * items[0]

    assert run(Tensor(1.0)) == 1
    items[0] = 3
    assert run(Tensor(1.0)) == 3
    assert len(run.explain().traces) == 2


def test_globals(monkeypatch: pytest.MonkeyPatch) -> None:
    @ms.jit
    def run(x: Any) -> Any:
        return increased(x) * FACTOR + sum(NUMBERS)

    here = sys.modules[__name__]
    assert run(Tensor(1.0)) == 7
    monkeypatch.setattr(here, "FACTOR", 3)
    assert run(Tensor(1.0)) == 9
    monkeypatch.setattr(here, "increased", lambda x: x + 9)
    assert run(Tensor(1.0)) == 33
    monkeypatch.setattr(here, "NUMBERS", [0])
    assert run(Tensor(1.0)) == 30
    assert [trace.reason for trace in run.explain().traces][1:] == [
        "global 'FACTOR' is now 3",
        f"global 'increased' is now {increased!r}",
        "global 'NUMBERS' is now [0]",
    ]


def test_reasons_name_attributes_of_cells_and_variables_of_functions() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.factor = 2
            self.inner = nn.Dense(1, 1)

        def construct(self, x: Any) -> Any:
            return x * self.factor * outer

    outer = 1
    net = Net()

    @ms.jit
    def run(x: Any) -> Any:
        return net(x) + shift

    shift = 10
    assert run(Tensor(1.0)) == 12
    net.factor = 3
    assert run(Tensor(1.0)) == 13
    shift = 20
    assert run(Tensor(1.0)) == 23
    net.factor, outer, shift = 5, 4, "x" * 100  # type: ignore[assignment]
    with pytest.raises(TypeError):
        run(Tensor(1.0))
    shift = 0
    assert run(Tensor(1.0)) == 20
    assert [trace.reason for trace in run.explain().traces][1:] == [
        "attribute 'factor' of Net is now 3",
        "variable 'shift' of the enclosing function is now 20",
        "attribute 'factor' of Net is now 5; variable 'shift' of the enclosing function is now 0; variable 'outer' of "
        "the enclosing function is now 4",
    ]


def test_functions_that_are_called() -> None:
    def helper(x: Any, factor: Any = 2, *, sizes: Any = (1,)) -> Any:
        return x * factor * sizes[0]

    def other(x: Any, factor: Any = 2, *, sizes: Any = (1,)) -> Any:
        return x - factor

    @ms.jit
    def run(x: Any) -> Any:
        return helper(x)

    assert run(Tensor(1.0)) == 2
    helper.__defaults__ = (5,)
    assert run(Tensor(1.0)) == 5
    helper.__kwdefaults__ = {"sizes": (3,)}
    assert run(Tensor(1.0)) == 15
    helper.__code__ = other.__code__
    assert run(Tensor(1.0)) == -4


def test_defaults_of_the_compiled_function() -> None:
    sizes = [2]

    @ms.jit
    def run(x: Any, given: Any = sizes) -> Any:
        return x * given[0]

    assert run(Tensor(1.0)) == 2
    sizes[0] = 4
    assert run(Tensor(1.0)) == 4
    run.function.__defaults__ = ([6],)
    assert run(Tensor(1.0)) == 6


def test_what_parameters_are() -> None:
    net = nn.Dense(1, 1)

    @ms.jit
    def run(x: Any) -> Any:
        return x * len(net.weight.name) if net.bias.requires_grad else x

    assert run(Tensor(1.0)) == 6
    net.weight.name = "abc"
    assert run(Tensor(1.0)) == 3
    net.bias.requires_grad = False
    assert run(Tensor(1.0)) == 1


def test_the_dtype_of_a_parameter() -> None:
    weight = Parameter(Tensor([1.5]), name="weight")

    @ms.jit
    def run(x: Any) -> Any:
        return x * weight

    assert run(Tensor([1.0], ms.float16)).dtype == ms.float32
    weight.set_dtype(ms.float16)
    assert run(Tensor([1.0], ms.float16)).dtype == ms.float16


def test_arguments() -> None:
    run = ms.jit(lambda x, given: x * (sum(given) if isinstance(given, list) else given.factor))
    numbers, settings = [1, 2], Plain(factor=1)
    assert run(Tensor(1.0), numbers) == 3
    numbers.append(4)
    assert run(Tensor(1.0), numbers) == 7
    assert run(Tensor(1.0), settings) == 1
    settings.factor = 5
    assert run(Tensor(1.0), settings) == 5


@pytest.mark.parametrize("transform", [ms.grad, ms.jacrev, ms.vmap], ids=lambda function: function.__name__)
def test_transforms(transform: Any) -> None:
    factors = [2.0]
    run = transform(lambda x: x * x * factors[0])
    x = Tensor([1.0])
    first = float(np.sum(run(x).asnumpy()))
    factors[0] = 6.0
    assert float(np.sum(run(x).asnumpy())) == 3 * first


def test_what_has_not_changed_is_not_traced_again() -> None:
    net = Net()
    run = ms.jit(functools.partial(lambda net, x: net.shifted(x) * sum(net.numbers) * net.array[0], net))
    for _ in range(3):
        run(Tensor(1.0))
        net.tensor = Tensor(5.0)  # nothing that was read
    assert len(run.explain().traces) == 1


def test_guards_cost_little() -> None:
    @ms.jit
    def run(x: Any) -> Any:
        return ops.neg(x)

    x = Tensor(1.0)
    run(x)
    began = time.perf_counter()
    for _ in range(1000):
        run(x)
    assert (time.perf_counter() - began) / 1000 < 1e-4  # some 1.5 µs, with room for a busy machine


def test_what_is_not_there_is_asked_for_once() -> None:
    empty, net = Plain(), Net()

    @ms.jit
    def run(x: Any) -> Any:
        missing = getattr(empty, "factor", 1) * getattr(increased, "nothing", 1)
        return x * missing * (2 if hasattr(net, "flag") else 1)

    for _ in range(3):
        assert run(Tensor(1.0)) == 1
    assert len(run.explain().traces) == 1


def test_nothing_is_traced_again_without_need() -> None:
    items, table, settings = Items([1]), {"a": [1, "b"]}, Settings()

    @ms.jit
    def run(x: Any) -> Any:
        return increased(x) * items[0] * len(table["a"]) * settings.sizes[0]

    for _ in range(3):
        assert run(Tensor(1.0)) == 4
    assert len(run.explain().traces) == 1


def test_settings() -> None:
    @ms.jit
    def run(x: Any) -> Any:
        return x * (3 if ms.get_context("mode") == ms.GRAPH_MODE else 2)

    assert run(Tensor(1.0)) == 2
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert run(Tensor(1.0)) == 3
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_the_reason_names_a_variable_of_the_enclosing_function() -> None:
    def outer() -> Any:
        k = 2

        def f(x: Any) -> Any:
            return x * k

        def change(value: int) -> None:
            nonlocal k
            k = value

        return ms.jit(f), change

    f, change = outer()
    assert f(Tensor(3.0)).item() == 6
    change(5)
    assert f(Tensor(3.0)).item() == 15
    assert f(Tensor(3.0)).item() == 15
    assert [trace.reason for trace in f.explain().traces] == [
        "first call",
        "variable 'k' of the enclosing function is now 5",
    ]


def test_the_reason_names_an_attribute_of_a_cell() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.factor = 2.0
            self.offset = 1.0

        def construct(self, x: Any) -> Any:
            return x * self.factor + self.offset

    net = Net()
    f = ms.jit(lambda x: net(x))
    assert f(Tensor(3.0)).item() == 7
    net.factor = 4.0
    assert f(Tensor(3.0)).item() == 13
    net.factor, net.offset = 5.0, 0.0
    assert f(Tensor(3.0)).item() == 15
    reasons = [trace.reason for trace in f.explain().traces]
    assert reasons[1] == "attribute 'factor' of Net is now 4.0"
    assert reasons[2] == "attribute 'factor' of Net is now 5.0; attribute 'offset' of Net is now 0.0"


def test_a_cells_own_getattr_is_called_once_for_each_read() -> None:
    asked: list[str] = []

    class Asking(nn.Cell):
        """A Cell that notes what it is asked for."""

        def __getattr__(self, name: str) -> Any:
            if name in ("factor", "missing", "shifted"):
                asked.append(name)
            return {"factor": 3, "shifted": increased}.get(name) or super().__getattr__(name)

        def construct(self, x: Any) -> Any:
            return self.shifted(x * self.factor * getattr(self, "missing", 2))

    cell, x = Asking(), Tensor([1.0, 2.0])
    expected = cell(x).asnumpy()
    eager, asked[:] = [*asked], []
    np.testing.assert_array_equal(ms.jit(cell)(x).asnumpy(), expected)
    assert asked == eager == ["shifted", "factor", "missing"]


class Stored(nn.Cell):
    """A Cell that gives its stored values as attributes."""

    def __init__(self, **stored: Any) -> None:
        super().__init__()
        self.stored = stored

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["stored"][name] if name in self.__dict__.get("stored", ()) else super().__getattr__(name)

    def construct(self, x: Any) -> Any:
        return x * self.factor + getattr(self, "more", 0)


class Applying(nn.Cell):
    """A Cell that holds a function."""

    apply: Any = abs

    def construct(self, x: Any) -> Any:
        return self.apply(x)


class Scaled:
    """An object with a method."""

    def __init__(self, factor: int) -> None:
        self.factor = factor

    def times(self, x: Any) -> Any:
        return x * self.factor


@pytest.mark.parametrize("kind", [Applying, Plain])
def test_builtin_functions_and_methods_of_others_that_an_object_holds(kind: Any) -> None:
    owner, x = kind(), Tensor([1.0, -2.0])
    owner.apply = abs
    function = ms.jit(lambda x: owner.apply(x))
    assert function(x).asnumpy().tolist() == [1, 2]
    for apply, expected in (
        (Scaled(2).times, [2, -4]),
        (Scaled(3).times, [3, -6]),
        (abs, [1, 2]),
        (increased, [2, -1]),
    ):
        owner.apply = apply
        assert function(x).asnumpy().tolist() == expected


def test_a_builtin_function_of_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    function, x = ms.jit(Applying()), Tensor([1.0, -2.0])
    assert function(x).asnumpy().tolist() == [1, 2]
    monkeypatch.setattr(Applying, "apply", staticmethod(increased))
    assert function(x).asnumpy().tolist() == [2, -1]


def test_an_attribute_of_a_weak_proxy_of_a_cell() -> None:
    net = Net()
    proxies, x = [weakref.proxy(net)], Tensor([1.0, 2.0])
    function = ms.jit(lambda x: x * proxies[0].scale + proxies[0].factor)
    assert function(x).asnumpy().tolist() == [3, 4]
    net.factor = 5
    assert function(x).asnumpy().tolist() == [6, 7]


def test_what_a_cells_own_getattr_gives() -> None:
    cell, x = Stored(factor=2), Tensor([1.0, 2.0])
    function = ms.jit(lambda x: cell(x))
    assert function(x).asnumpy().tolist() == [2, 4]
    cell.stored["factor"] = 3
    assert function(x).asnumpy().tolist() == [3, 6]
    cell.stored["more"] = 10
    assert function(x).asnumpy().tolist() == [13, 16]
    cell.factor = 5
    assert function(x).asnumpy().tolist() == [15, 20]
    del cell.factor, cell.stored["more"]
    assert function(x).asnumpy().tolist() == [3, 6]
    del cell.stored["factor"]
    with pytest.raises(AttributeError, match="factor"):
        function(x)

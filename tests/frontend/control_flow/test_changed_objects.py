"""Objects of dataclasses whose fields branches change, and that the branches give to other names; what functions that
are transformed change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor


@dataclass
class Point:
    x: Any
    n: int = 0


ORIGIN = Point(None)


def changed_or_new(a: Tensor, b: Tensor) -> Tensor:
    p = kept = Point(a)
    if a > b:
        p.x = p.x * b
        p.n += 1
    else:
        p = Point(b, 3)
    return p.x * p.n + p.x + kept.x * 10


def new_in_both(a: Tensor, b: Tensor) -> Tensor:
    if a > b:
        p = Point(a * 2)
        p.x = p.x * b
        p.n += 1
    else:
        p = Point(b)
        p.n = 5
    return p.x * p.n


def inside_of_another(a: Tensor, b: Tensor) -> Tensor:
    p = Point(Point([a]))
    if a > b:
        p.x.x[0] = p.x.x[0] * b
        p.x.n = 2
    else:
        p = Point(Point([b]))
        p.x.n = 3
        p.x.x = [b * 2]
    return p.x.x[0] + p.x.n


def exchanged(a: Tensor, b: Tensor) -> Tensor:
    p, q = Point(a), Point(b)
    if a > b:
        p.x = a * 2
        p, q = q, p
    else:
        q.x = b * 3
    return p.x + q.x * 10


def returned(a: Tensor, b: Tensor) -> Tensor:
    def larger(p: Point) -> Point:
        if p.x > b:
            p.x = p.x * 2
            return p
        return Point(b, 4)

    p = larger(Point(a))
    return p.x + p.n


def from_outside(a: Tensor, b: Tensor) -> Tensor:
    p, q = Point(a), Point(b)
    ORIGIN.x = [p, q]
    if a > b:
        ORIGIN.x[0].x = a * 3
        r = ORIGIN
    else:
        r = Point([q, p])
    return r.x[0].x


@pytest.mark.parametrize(
    "function", [changed_or_new, new_in_both, inside_of_another, exchanged, returned, from_outside]
)
def test_fields_at_the_end_of_a_branch(function: Callable[..., Tensor]) -> None:
    gradient = ms.value_and_grad(function, (0, 1))
    compiled, compiled_gradient = ms.jit(function, fullgraph=True), ms.jit(gradient, fullgraph=True)
    for a in (2.5, 0.75, -1.0):
        x, y = Tensor(a), Tensor(0.5)
        with ms.disable_jit():
            wanted = function(x, y), gradient(x, y)
        assert str((compiled(x, y), compiled_gradient(x, y))) == str(wanted)


@dataclass
class Tagged(Point):
    def __post_init__(self) -> None:
        self.tag = self.n + 1


def test_attributes_that_are_no_fields_are_not_lost() -> None:
    @ms.jit
    def function(a: Tensor, b: Tensor) -> Tensor:
        p = Tagged(a, 2)
        if a > b:
            p.tag = 7
        else:
            p = Tagged(b)
        return p.x * p.tag

    with pytest.warns(ms.FallbackWarning, match="Cannot join 'p'"):
        assert function(Tensor(2.0), Tensor(1.0)).item() == 14.0
    assert function(Tensor(0.0), Tensor(3.0)).item() == 3.0


def test_each_transformation_keeps_what_its_function_changes() -> None:
    """`jvp` calls a second function, for the tangents, which must not undo the changes of the first."""
    table: dict[str, Any] = {}

    def by_item(x: Tensor) -> Tensor:
        table["last"] = x * 5
        return x * x

    def by_update(x: Tensor) -> Tensor:
        table.update(last=x * 5, count=3)
        return x * x

    x = Tensor([1.0, 2.0])
    ways: dict[str, Callable[[Any], Any]] = {
        "jit": lambda function: ms.jit(function)(x),
        "grad": lambda function: ms.grad(function)(x),
        "vjp": lambda function: ms.vjp(function, x),
        "jvp": lambda function: ms.jvp(function, x, x),
        "linearize": lambda function: ms.linearize(function, x),
        "jacrev": lambda function: ms.jacrev(function)(x),
        "jacfwd": lambda function: ms.jacfwd(function)(x),
    }
    for name, call in ways.items():
        for function in (by_item, by_update):
            table.clear()
            call(function)
            assert table["last"].asnumpy().tolist() == [5.0, 10.0], name
            assert table.get("count", 3) == 3

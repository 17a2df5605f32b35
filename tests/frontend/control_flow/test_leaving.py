"""What leaves compiled functions: objects, sets and functions that they make hold results of the run, as in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from both_modes import plain

import mycel as ms
from mycel import Tensor

pytestmark = pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")


class Box:
    """An object with an attribute."""

    def __init__(self, item: Any) -> None:
        self.item = item

    def given(self) -> Any:
        return self.item


def an_object(x: Tensor) -> Any:
    return Box(x + 1), lambda box: box.item


def objects_inside(x: Tensor) -> Any:
    return [Box({"a": Box(x + 1)})], lambda boxes: boxes[0].item["a"].item


def a_number(x: Tensor) -> Any:
    return Box(int(x)), lambda box: box.item


def a_text(x: Tensor) -> Any:
    return Box(f"{int(x)}"), lambda box: box.item


def a_set(x: Tensor) -> Any:
    return {x + 1}, lambda found: next(iter(found))


def a_closure(x: Tensor) -> Any:
    y = x + 1
    return lambda: y, lambda function: function()


def a_default(x: Tensor) -> Any:
    def function(y: Any = x * 2) -> Any:
        return y

    return function, lambda function: function()


def a_method(x: Tensor) -> Any:
    return Box(x + 1).given, lambda method: method()


@pytest.mark.parametrize(
    "function", [an_object, objects_inside, a_number, a_text, a_set, a_closure, a_default, a_method]
)
def test_what_functions_make_holds_results(function: Callable[..., Any]) -> None:
    results = [made(Tensor(3)) for made in (ms.jit(function), function)]
    found, expected = [plain(read(value)) for value, read in results]
    assert found == expected
    with pytest.raises(ms.GraphError, match="cannot leave"):
        ms.jit(function, fullgraph=True)(Tensor(3))


def test_each_run_makes_the_objects_anew() -> None:
    @ms.jit
    def function(x: Tensor) -> Any:
        return Box([2]), x + 1

    function(Tensor(3))[0].item.append(3)
    box, y = function(Tensor(3))
    assert (box.item, int(y)) == ([2], 4)


def test_ranges_that_only_the_run_knows_do_not_leave() -> None:
    with pytest.raises(ms.GraphError, match="a range whose bounds only the run knows cannot leave"):
        ms.jit(lambda x: range(int(x)), fullgraph=True)(Tensor(3))

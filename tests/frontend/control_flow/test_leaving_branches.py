"""Branches that raise, beside branches that return or go on, which only the run knows; functions that branches make."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import pytest

import mycel as ms
from mycel import Tensor, ops


def returns_or_goes_on(a: Tensor, b: Tensor) -> Tensor:
    if a > b:
        if a > 3 * b:
            return a * a
    else:
        raise KeyError("less")
    return a * b + 1


def raises_in_an_elif(a: Tensor, b: Tensor) -> Tensor:
    c = a * 2
    if a > 3 * b:
        c = c * b
    elif a > b:
        if a > 2 * b:
            return c
        c = c + b
    else:
        c = c + [a][7]
    if c > 8:
        raise ValueError("greater")
    return b * c


def leaves_a_loop(a: Tensor, b: Tensor) -> Tensor:
    while b < 2:
        if a > b:
            if a > 3 * b:
                break
            if a > 2 * b:
                return a * b
        else:
            raise KeyError("less")
        b = b * 1.25
    return b * a


@pytest.mark.parametrize("a", [-1.0, 0.75, 1.2, 5.0])
@pytest.mark.parametrize("function", [returns_or_goes_on, raises_in_an_elif, leaves_a_loop])
def test_branches_that_raise_beside_those_that_may_return(function: Callable[..., Tensor], a: float) -> None:
    gradient = ms.value_and_grad(function, (0, 1))

    def run(function: Callable[..., object]) -> str:
        try:
            return str(function(Tensor(a), Tensor(0.5)))
        except (LookupError, ValueError) as error:
            return type(error).__name__

    with ms.disable_jit():
        wanted = run(function), run(gradient)
    assert (run(ms.jit(function, fullgraph=True)), run(ms.jit(gradient, fullgraph=True))) == wanted


def scaled(by: Tensor) -> Callable[[Tensor], Tensor]:
    return lambda x: x * by


def chooses_a_closure(a: Tensor, b: Tensor) -> Tensor:
    function = scaled(a * 2) if a > b else scaled(b)
    try:
        return function(a)
    except RuntimeError:
        return b


def chooses_a_default(a: Tensor, b: Tensor) -> Tensor:
    functions = [a.sum]
    if a > b:
        functions[0] = lambda x=a * 2: x * b
    return functions[0]() + functions[-1]()


def makes_a_partial_function(a: Tensor, b: Tensor) -> Tensor:
    if a > b:
        function = functools.partial(ops.mul, a * 3)
    else:
        function = (b * 2).add
    return function(b)


def lengthens_a_function(a: Tensor, b: Tensor) -> Tensor:
    function = scaled(b)
    for number in range(3):
        if a > number:
            function = scaled(function(a) * 0.5)
    return function(a)


@pytest.mark.filterwarnings("ignore:.*graphs do not join:mycel.FallbackWarning")
@pytest.mark.parametrize("a", [-1.0, 1.2, 5.0])
@pytest.mark.parametrize(
    "function", [chooses_a_closure, chooses_a_default, makes_a_partial_function, lengthens_a_function]
)
def test_functions_that_hold_tensors_of_a_branch(function: Callable[..., Tensor], a: float) -> None:
    gradient = ms.value_and_grad(function, (0, 1))
    with ms.disable_jit():
        wanted = function(Tensor(a), Tensor(0.5)), gradient(Tensor(a), Tensor(0.5))
    found = ms.jit(function)(Tensor(a), Tensor(0.5)), ms.jit(gradient)(Tensor(a), Tensor(0.5))
    assert str(found) == str(wanted)


def test_a_graph_that_is_asked_for_says_where_a_tensor_of_a_branch_is_used() -> None:
    with pytest.raises(ms.GraphError, match=r"test_leaving_branches.py:\d+: .* a tensor of a branch or loop is used"):
        ms.jit(makes_a_partial_function, fullgraph=True)(Tensor(1.0), Tensor(0.5))


class Held:
    """A callable with other operations."""

    def __init__(self, value: Tensor) -> None:
        self.value = value

    def __call__(self) -> Tensor:
        return self.value

    def __getitem__(self, factor: int) -> Tensor:
        return self.value * factor

    def __add__(self, other: Tensor) -> Held:
        return Held(self.value + other)

    def __lt__(self, other: Tensor) -> bool:
        return self.value < other

    def __iter__(self) -> Iterator[Tensor]:
        return iter((self.value, self.value * 2))


@pytest.mark.filterwarnings("ignore:.*only the run knows the object:mycel.FallbackWarning")
@pytest.mark.parametrize(
    "use", [lambda held, b: held[3], lambda held, b: (held + b)(), lambda held, b: held < b, lambda held, b: sum(held)]
)
def test_callable_objects_of_branches_are_used_otherwise(use: Callable[[Held, Tensor], object]) -> None:
    def function(a: Tensor, b: Tensor) -> object:
        held = Held(a)
        if a > b:
            held = held + b
        return use(held, b)

    compiled = ms.jit(function)
    for a in (1.0, 0.25):
        assert str(compiled(Tensor(a), Tensor(0.5))) == str(function(Tensor(a), Tensor(0.5)))

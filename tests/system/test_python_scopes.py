"""Variables that blocks bind, and blocks that a branch leaves, mean in compiled code what they mean in Python."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from both_modes import both

import mycel as ms
from mycel import Parameter, Tensor


def bound_in_while(x, n):
    while x.sum() > 0:
        late = x * 2
        x = x - n
    return late


def bound_in_for_of_a_range(x, n):
    for i in range(n.item()):
        late = x * i
    return late


@pytest.mark.parametrize(("function", "word"), [(bound_in_while, "while"), (bound_in_for_of_a_range, "for")])
def test_variables_that_only_a_loop_of_the_run_binds(function, word):
    words = f"'late' defined in the '{word}' loop body cannot be used outside .* variable 'late' before '{word}'"
    with pytest.raises(UnboundLocalError, match=words):
        ms.jit(function, fullgraph=True)(Tensor([1.0]), Tensor(2))


@pytest.mark.parametrize(
    ("left", "right", "texts"), [(1, "a", ("the int 1", "the string 'a'")), (None, 2.0, ("None", "the float 2.0")),
                                 (True, 1, ("the bool True", "the int 1")),
                                 ((), 2, ("a tuple of 0 items", "the int 2"))]
)  # fmt: skip
def test_a_number_in_one_branch_alone(left, right, texts):
    def f(x, a, b):
        return a if x.sum() > 0 else b

    for one, other, (first, second) in ((left, right, texts), (right, left, texts[::-1])):
        words = f"is {first} in the true branch .* but {second} in the false branch"
        with pytest.raises(TypeError, match=words):
            ms.jit(f, fullgraph=True)(Tensor([1.0]), one, other)


def test_printed_tensors_from_outside_are_those_of_the_run(capsys):
    outside = Parameter(Tensor([1.0]), name="outside")

    @ms.jit(fullgraph=True)
    def f(x):
        print(f"{outside}", "{}".format(outside), "%s" % outside, "{} {}".format(x, outside))  # noqa: UP031, UP032
        return x

    for number in (1.0, 2.5):
        outside.set_data(Tensor([number]))
        f(Tensor([0.0]))
        text = f"[{number:g}.]" if number == 1 else f"[{number}]"
        assert capsys.readouterr().out.count(text) == 4
    assert len(f.explain().traces) == 1


def left_from_try(x):
    y = x + 1
    try:
        if x.sum() > 0:
            return y * 10
        y = y * 2
    finally:
        y = y + 100
    y = y - 3
    return y * 7


def left_from_try_or_else(x):
    try:
        y = x + 1
        if x.sum() > 4:
            return y * 10
    except ZeroDivisionError:
        return x
    else:
        if x.sum() > 0:
            return y * 20
        y = y - 9
    return y * 7


def left_from_with(x):
    y = x
    with nullcontext(3) as factor:
        y = y * factor
        if x.sum() > 0:
            return y * 10
        y = y * 2
    y = y - 3
    return y * 7


def left_from_match(x):
    y = x
    match y.shape:
        case (2,) if y.size == 2:
            if x.sum() > 0:
                return y * 10
            y = y * 2
        case _:
            return y
    y = y - 3
    return y * 7


def left_from_the_loop_around(x):
    for i in range(4):
        with nullcontext():
            if x.sum() > 4:
                break
            if x.sum() < -4:
                continue
            x = x * 2
        x = x + i
    return x * 7


def never_left(x):
    y = x
    with nullcontext():
        if x.sum() > 0:
            y = y * 10
    return y - 3


def outer_variables(x):
    total, count = x * 0, x * 0

    def inner(v):
        nonlocal total, count
        with nullcontext():
            total = total + v
            if v.sum() > 0:
                count = count + 10
                return v
            total = total + 1
        total = total * 2
        return -v

    a, b = inner(x), inner(-x)
    return a + b * 3 + total * 5 + count


@pytest.mark.parametrize(
    "function",
    [
        left_from_try, left_from_try_or_else, left_from_with, left_from_match, left_from_the_loop_around, never_left,
        outer_variables,
    ],
)  # fmt: skip
def test_code_after_a_block_that_a_branch_leaves(function):
    """Code after a try, with or match runs if the block was not left, and only then."""
    for values in ([1.0, 2.0], [-1.0, -2.0], [3.0, 4.0], [-5.0, -6.0]):
        both(function, Tensor(values))
    gradient = ms.grad(lambda x: function(x).sum())
    for values in ([1.0, 2.0], [-1.0, -2.0]):
        both(gradient, Tensor(values))

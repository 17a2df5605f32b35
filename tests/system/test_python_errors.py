"""Errors of compiled programs are Python's: their classes, messages and lines."""

from __future__ import annotations

import pickle
import re
import sys
from contextlib import nullcontext
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor, nn


def unknown_keyword(x: Any) -> Any:
    def helper(a: Any) -> Any:
        return a

    return helper(x, b=1)


def no_function(x: Any) -> Any:
    number = 3
    return number(x)


def no_length(x: Any) -> Any:
    return len(4) + x


def no_key(x: Any) -> Any:
    return {[1, 2]: x}


def missing_key(x: Any) -> Any:
    table = {"a": x}
    return table["b"]


def by_zero(x: Any) -> Any:
    zero = 0
    return x + 3 // zero


def too_few(x: Any) -> Any:
    a, b, c = x, x
    return a + b + c


TWINS = [
    (unknown_keyword, TypeError, RuntimeError, "unexpected keyword argument 'b'", "helper(x, b=1)"),
    (no_function, TypeError, ValueError, "'int' object is not callable", "number(x)"),
    (no_length, TypeError, AttributeError, "no len.*__len__", "len(4)"),
    (no_key, TypeError, RuntimeError, "unhashable type: 'list'.*key only supports", "{[1, 2]: x}"),
    (missing_key, KeyError, ValueError, "the key 'b' does not exist in the dict", 'table["b"]'),
    (by_zero, ZeroDivisionError, ValueError, "zero: the divisor is 0", "3 // zero"),
    (too_few, ValueError, IndexError, r"expected 3, got 2\).*should be in range\[-2, 2\)", "a, b, c"),
]


@pytest.mark.parametrize(("function", "python", "other", "words", "marked"), TWINS)
@pytest.mark.parametrize("compiled", [True, False])
def test_an_error_is_of_both_classes_and_names_its_line(function, python, other, words, marked, compiled):
    with nullcontext() if compiled else ms.disable_jit(), pytest.raises(python, match=words) as caught:
        ms.jit(function)(Tensor(1.0))
    assert isinstance(caught.value, other)
    assert re.search(rf"test_python_errors\.py:\d+, in {function.__name__}\n", str(caught.value))
    assert marked in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)


def test_compiled_code_catches_pythons_own_errors():
    @ms.jit
    def f(x):
        try:
            return {"a": x}["b"]
        except KeyError as error:
            return x, str(error), type(error) is KeyError

    value, text, own = f(Tensor(2.0))
    assert (value.asnumpy(), text, own) == (2.0, "'b'", True)


@pytest.mark.parametrize("kind", [KeyError, ZeroDivisionError, TypeError])
@pytest.mark.parametrize("compiled", [True, False])
def test_errors_that_the_program_raises_stay_as_they_are(kind, compiled):
    def f(x):
        raise kind("unhashable type: mine")

    with nullcontext() if compiled else ms.disable_jit(), pytest.raises(kind) as caught:
        ms.jit(f)(Tensor(1.0))
    assert type(caught.value) is kind
    assert caught.value.args == ("unhashable type: mine",)


def test_an_assertion_of_a_whole_graph_is_a_runtime_error_as_well():
    def f(x):
        assert x > 0, "not positive"
        return x

    with pytest.raises(AssertionError, match="not positive") as caught:
        ms.jit(f)(Tensor(-1.0))
    assert not isinstance(caught.value, RuntimeError)
    with pytest.raises(AssertionError, match="not positive") as caught:
        ms.jit(f, fullgraph=True)(Tensor(-1.0))
    assert isinstance(caught.value, RuntimeError)


def test_a_loop_whose_body_always_raises():
    def f(x):
        while x.sum() > 0:
            raise ValueError("positive")
        return x * 2

    def g(x, n):
        for _ in range(n.item()):
            raise KeyError("round")
        return x * 3

    assert ms.jit(f, fullgraph=True)(Tensor([-1.0])).asnumpy() == -2.0
    with pytest.raises(ValueError, match="positive"):
        ms.jit(f, fullgraph=True)(Tensor([1.0]))
    assert ms.jit(g, fullgraph=True)(Tensor([1.0]), Tensor(0)).asnumpy() == 3.0
    with pytest.raises(KeyError, match="round"):
        ms.jit(g, fullgraph=True)(Tensor([1.0]), Tensor(2))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python tells columns from 3.11 on")
def test_an_index_that_is_out_of_range_is_told_with_the_range():
    def literal(x):
        pair = (x, x)
        return pair[2]

    def computed(x):
        rows, place = [x, x, x], 7
        return rows[place - 3]

    for function, words in ((literal, r"tuple index .*range\[-2, 2\)"), (computed, r"list index .*range\[-3, 3\)")):
        with pytest.raises(IndexError, match=words):
            ms.jit(function)(Tensor(1.0))


def test_wrong_arguments_of_helpers():
    def helper(a, b, *, c=1):
        return a + b + c

    for call in (lambda x: helper(x), lambda x: helper(x, 1, 2), lambda x: helper(x, 1, 2, c=3)):
        with pytest.raises(TypeError, match="number of provided arguments"):
            ms.jit(call)(Tensor(1.0))


def test_endless_recursion():
    def forever(n):
        return forever(n + 1)

    with pytest.raises(RecursionError, match="function call depth limit"):
        ms.jit(lambda x: x + forever(0))(Tensor(1.0))


class TooFew(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return (dout,)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_bprop_of_too_few_gradients_is_shown(compiled):
    words = r"should return 2 gradients.*must match the number of inputs(.|\n)*test_python_errors\.py:\d+, in bprop"
    with nullcontext() if compiled else ms.disable_jit(), pytest.raises(RuntimeError, match=words) as caught:
        ms.grad(TooFew())(Tensor(1.0), Tensor(2.0))
    assert isinstance(caught.value, TypeError)
    assert "def bprop(self, x, y, out, dout):" in str(caught.value)


def test_wrong_arguments_of_gradients_on_the_tape():
    with ms.disable_jit(), pytest.raises(TypeError, match="number of provided arguments"):
        ms.grad(lambda x, y: x * y)(Tensor(1.0))

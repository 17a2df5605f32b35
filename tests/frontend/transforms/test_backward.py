"""Backward functions of the user that return, or take, something else than they should: blamed on their own line."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops

x, y = ops.ones((2, 3)), ops.ones((2, 3))


class Base(nn.Cell):
    def construct(self, x: Any, y: Any) -> Any:
        return x * y


class Few(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:  # here
        return (dout,)


class Bare(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        return dout  # here


class Shape(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        total = (dout * y).sum()
        return dout * y, total  # here


class Dtype(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        return (dout * y).astype(ms.int32), dout * x  # here


class Nothing(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:  # here
        self.seen = dout


class Text(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        return "a", dout  # here


class Raises(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        raise LookupError("mine")  # here


class Fails(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        return ops.matmul(dout, ops.ones((7, 7))), dout  # here


class Takes(Base):
    def bprop(self, x: Any, dout: Any) -> Any:  # here
        return dout, dout


class Several(Base):
    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:  # here
        if self.training:
            return dout, dout
        return dout.sum(), dout


class Pair(nn.Cell):
    def construct(self, pair: Any, y: Any) -> Any:
        return pair[0] * pair[1] * y

    def bprop(self, pair: Any, y: Any, out: Any, dout: Any) -> Any:
        return (dout,), dout  # here


CELLS: list[tuple[type[nn.Cell], type[Exception], str, str]] = [
    (Few, TypeError, "bprop of Few should return 2 gradients, .* but returned 1", ""),
    (Bare, TypeError, "bprop of Bare: the output should be a tuple .* but is Tensor", "dout"),
    (Shape, ValueError, r"bprop of Shape: gradient 1, .*\(2, 3\), should have that shape, .*\(\)", "total"),
    (Dtype, TypeError, "gradient 0 should be of dtype Float32, .* is of Int32", "(dout * y).astype(ms.int32)"),
    (Nothing, TypeError, "bprop of Nothing: the output should be a tuple .* but is NoneType", ""),
    (Text, TypeError, "gradient 0 should be a Tensor, or None for zero, but is str", '"a"'),
    (Raises, LookupError, "^mine$", ""),
    (Fails, RuntimeError, "matmul: the inner dimensions", "ops.matmul(dout, ops.ones((7, 7)))"),
    (Takes, TypeError, r"bprop of Takes is called with 4 arguments: the 2 inputs.*takes \(x", ""),
    (Several, ValueError, r"bprop of Several: gradient 0", ""),
    (Pair, TypeError, "gradient 0 should hold 2 gradients, .* but holds 1", "(dout,)"),
]


def line_of(thing: Any) -> int:
    """The line of a function or class that is marked."""
    lines, first = inspect.getsourcelines(thing)
    (found,) = [number for number, line in enumerate(lines, first) if line.rstrip().endswith("# here")]
    return found


def check(call: Callable[[], Any], kind: type[Exception], words: str, marked: str, line: int) -> None:
    """The error's text names the line and marks the expression; the traceback ends at the line, once."""
    with pytest.raises(kind, match=words) as caught:
        call()
    frames = [frame for frame in traceback.extract_tb(caught.tb) if frame.filename == __file__]
    assert frames[-1].lineno == line
    text = str(caught.value)
    if words != "^mine$":
        assert text.count("\n  at ") == 1
        assert f"test_backward.py:{line}, in " in text
    if marked:
        *_, source, carets = text.splitlines()
        assert source[carets.index("^") : carets.rindex("^") + 1] == marked
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize("mode", ["graph", "eager"])
@pytest.mark.parametrize(("cell", "kind", "words", "marked"), CELLS, ids=[row[0].__name__ for row in CELLS])
def test_bprop(cell: type[nn.Cell], kind: type[Exception], words: str, marked: str, mode: str) -> None:
    def call() -> Any:
        with ms.disable_jit() if mode == "eager" else nullcontext():
            return ms.grad(cell(), (0, 1))((x, y) if cell is Pair else x, y)

    if marked.startswith("ops.") and not hasattr(traceback.FrameSummary, "colno"):
        marked = ""  # what Python raises has columns from 3.11 on
    check(call, kind, words, marked, line_of(cell))


def bad_hook(cell: Any, grad_input: Any, grad_output: Any) -> Any:
    return (grad_output[0].sum(),)  # here


def bad_pre_hook(cell: Any, grad_output: Any) -> Any:
    return "a"  # here


def bad_tensor_hook(gradient: Any) -> Any:
    return gradient.sum()  # here


def with_backward_hook(a: Any) -> Any:
    net = nn.ReLU()
    net.register_backward_hook(bad_hook)
    return net(a)


def with_pre_hook(a: Any) -> Any:
    net = nn.ReLU()
    net.register_backward_pre_hook(bad_pre_hook)
    return net(a)


def with_tensor_hook(a: Any) -> Any:
    b = a * 2
    b.register_hook(bad_tensor_hook)
    return b * b


HOOKS: list[tuple[Any, Any, type[Exception], str, str]] = [
    (with_backward_hook, bad_hook, ValueError, "a backward hook of ReLU: gradient 0", ""),
    (with_pre_hook, bad_pre_hook, TypeError, "a backward pre-hook of ReLU should return None, a tensor", '"a"'),
    (with_tensor_hook, bad_tensor_hook, ValueError, "a hook of a tensor: its gradient", "gradient.sum()"),
    (ops.InsertGradientOf(bad_tensor_hook), bad_tensor_hook, ValueError, "the function of InsertGradientOf", ""),
]


@pytest.mark.parametrize("mode", ["graph", "eager"])
@pytest.mark.parametrize(
    ("function", "hook", "kind", "words", "marked"), HOOKS, ids=["hook", "pre", "tensor", "insert"]
)
def test_hooks(function: Any, hook: Any, kind: type[Exception], words: str, marked: str, mode: str) -> None:
    def call() -> Any:
        with ms.disable_jit() if mode == "eager" else nullcontext():
            return ms.grad(function)(x)

    check(call, kind, words, marked, line_of(hook))


def custom_backward(a: Any, out: Any, dout: Any) -> Any:
    return dout.sum()  # here


def test_one_input_may_have_its_gradient_without_a_tuple() -> None:
    class Seven(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 3

        def bprop(self, x: Any, out: Any, dout: Any) -> Any:
            return dout * 7

    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        assert ms.grad(Seven())(Tensor([1.0, 2.0])).tolist() == [7, 7]


def test_custom() -> None:
    """The user's function is blamed, not the Cell that runs it."""
    double = ops.Custom(lambda a: a * 2, lambda a: a, lambda a: a, "pyfunc", custom_backward)
    with ms.disable_jit():
        check(lambda: ms.grad(double)(x), ValueError, "the bprop of Custom '<lambda>'", "", line_of(custom_backward))


class Right(nn.Cell):
    def construct(self, x: Any, index: Any, scale: Any) -> Any:
        return x[index] * scale

    def bprop(self, x: Any, index: Any, scale: Any, out: Any, dout: Any) -> Any:
        return np.ones((3,)), None, dout.astype(ms.float16).sum()


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_what_is_accepted(mode: str) -> None:
    """Arrays, None for zero, and floating-point gradients of another width."""
    with ms.disable_jit() if mode == "eager" else nullcontext():
        first, second = ms.grad(Right(), (0, 2))(Tensor([1.0, 2.0, 3.0]), Tensor(1), Tensor(4.0))
    assert first.asnumpy().tolist() == [1.0, 1.0, 1.0]
    assert (second.dtype, second.asnumpy().item()) == (ms.float32, 1.0)


def test_sums_of_gradients_that_overflow_give_nan_without_a_warning() -> None:
    gradient = ms.grad(lambda x: x * 3e38 * 2.0 - x * 3e38 * 3.0)
    with ms.disable_jit():
        assert np.isnan(gradient(Tensor(1.0)).asnumpy())

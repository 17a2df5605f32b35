"""Assignment, stopped and changed gradients, flags: eager and compiled."""

from __future__ import annotations

from typing import Any

import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops


def weight() -> Parameter:
    return Parameter(Tensor([1.0, 2.0]), name="weight")


ASSIGNMENTS = {
    "assign": (lambda w: ops.assign(w, Tensor([5.0, 6.0])), [5.0, 6.0]),
    "assign an int tensor": (lambda w: ops.assign(w, Tensor([5, 6])), [5.0, 6.0]),
    "assign_add": (lambda w: ops.assign_add(w, Tensor([1.0, 1.0])), [2.0, 3.0]),
    "assign_sub": (lambda w: ops.assign_sub(w, 1), [0.0, 1.0]),
    "set_data": (lambda w: w.set_data(Tensor([3.0, 4.0])), [3.0, 4.0]),
}


@pytest.mark.parametrize("name", ASSIGNMENTS)
@pytest.mark.parametrize("compiled", [False, True])
def test_assignments(name, compiled):
    run, expected = ASSIGNMENTS[name]
    w = weight()

    def read_after():
        run(w)
        return w * 1

    result = (ms.jit(read_after) if compiled else read_after)()
    assert w.asnumpy().tolist() == result.asnumpy().tolist() == expected


@pytest.mark.parametrize(
    ("run", "error", "words"),
    [
        (
            lambda w: ops.assign(w, Tensor([1.0, 2.0], ms.float64)),
            TypeError,
            "cannot be assigned to Parameter",
        ),
        (lambda w: ops.assign(w, Tensor([1.0, 2.0, 3.0])), ValueError, "has shape"),
        (lambda w: ops.assign(3, 4), TypeError, "'variable' should be a Parameter, but got int"),
    ],
)
def test_errors_of_assignments_leave_the_parameter_as_it_was(run, error, words):
    w = weight()
    for function in (run, ms.jit(run)):
        with pytest.raises(error, match=words):
            function(w)
    assert w.asnumpy().tolist() == [1.0, 2.0]


def test_no_gradient_passes_a_stop():
    def f(x):
        a, b = ops.stop_gradient((x * 2, [x]))
        return (x * a + b[0]).sum()

    for gradient in (ms.grad(f), ms.jit(ms.grad(f))):
        assert gradient(Tensor([1.0, 3.0])).asnumpy().tolist() == [2.0, 6.0]


@pytest.mark.parametrize(
    ("place", "factor"),
    [
        (ops.InsertGradientOf(lambda gradient: gradient * 2), 2),
        (ops.HookBackward(lambda gradient: gradient[0] * 2), 2),
        (ops.HookBackward(lambda gradient: (gradient[0] * 2,)), 2),
        (ops.HookBackward(lambda gradient: None), 1),
    ],
)
def test_gradients_changed_on_their_way(place, factor):
    def f(x):
        return (place(x * x) * 3).sum()

    x = Tensor([1.0, 2.0])
    assert f(x).asnumpy() == 15
    for gradient in (ms.grad(f), ms.jit(ms.grad(f))):
        assert gradient(x).asnumpy().tolist() == [6.0 * factor, 12.0 * factor]


def test_what_is_inserted_should_be_a_function():
    with pytest.raises(TypeError, match="'f' should be a function"):
        ops.InsertGradientOf(3)
    with pytest.raises(TypeError, match="'hook_fn' should be a function"):
        ops.HookBackward(None)


def test_flags_casts_and_lengths():
    class Net(nn.Cell):
        def construct(self, x):
            return x

    net = Net()
    assert ops.add_flags(net, fast=True) is net
    assert net.fast is True
    tensors = ops.mixed_precision_cast(ms.float16, (Tensor([1.0]), [Tensor([1])]))
    assert (tensors[0].dtype, tensors[1][0].dtype) == (ms.float16, ms.int64)
    assert ops.tuple_len((1, 2, 3)) == 3
    assert (ops.typeof(Tensor([1.0])), ops.typeof(3)) == (ms.float32, int)


def test_unknown_functions_are_named():
    with pytest.raises(AttributeError, match="has no 'no_such_function'"):
        ops.no_such_function  # noqa: B018
    assert "Concat" in dir(ops)
    assert "concat" in dir(ops)


@pytest.mark.parametrize(
    ("own", "given", "numbers"),
    [
        (Tensor([1, 2], ms.int32), Tensor([7.5, -1.5]), [7, -1]),
        (Tensor([1.0, 2.0]), Tensor([3.0, 4.0], ms.float64), [3.0, 4.0]),
        (Tensor([1, 2], ms.int32), Tensor([3, 2**40]), [3, 0]),
        (Tensor([True, True]), Tensor([3, 0]), [True, False]),
    ],
)
def test_data_are_cast_to_the_dtype_of_the_parameter(own: Tensor, given: Tensor, numbers: list[Any]) -> None:
    """Eagerly, as in MindSpore. A graph refuses what would lose numbers, as MindSpore's do."""

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.p = Parameter(own, name="p")

        def construct(self, x: Any) -> Any:
            self.p = x
            return self.p * 1

    net = Net()
    net.p = given
    assert net.p.dtype is own.dtype
    assert net.p.asnumpy().tolist() == numbers
    net = Net()
    assert net(given).asnumpy().tolist() == net.p.asnumpy().tolist() == [1 * number for number in numbers]
    net.p.set_data(own)
    assert net.p.set_data(given).asnumpy().tolist() == numbers
    with pytest.raises(TypeError, match="cannot be assigned to Parameter"):
        ms.jit(Net())(given)
    with pytest.raises(TypeError, match="cannot be assigned to Parameter"):
        net.p.set_data(Tensor([1j, 2.0]))

"""Hooks on Cells, tensors and gradients, compiled and op by op; their arguments are MindSpore's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops


@pytest.fixture(params=["compiled", "op by op"], autouse=True)
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each test runs both ways."""
    with ms.disable_jit() if request.param == "op by op" else nullcontext():
        yield request.param


class Inner(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([3.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return self.w * x * x


class Outer(nn.Cell):
    """5 · w · x², with a hook on the inner Cell."""

    def __init__(self, register: Callable[[nn.Cell], Any]) -> None:
        super().__init__()
        self.inner = Inner()
        self.handle = register(self.inner)

    def construct(self, x: Tensor) -> Tensor:
        return self.inner(x) * 5


def run(register: Callable[[nn.Cell], Any]) -> list[float]:
    """The value, the gradient by the input and that by the weight, at 1."""
    net = Outer(register)
    value, (dx, (dw,)) = ms.value_and_grad(net, 0, net.trainable_params())(Tensor([1.0]))
    return [float(value), float(dx), float(dw)]


def double_output(cell: nn.Cell, grad_output: Any) -> Any:
    return (grad_output[0] * 2,)


def ten_times(cell: nn.Cell, grad_input: Any, grad_output: Any) -> Any:
    return (grad_input[0] * 10,)


@pytest.mark.parametrize(
    ("register", "expected"),
    [
        (lambda cell: cell.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 2,)), [60, 120, 20]),
        (lambda cell: cell.register_forward_pre_hook(lambda cell, inputs: inputs[0] * 2), [60, 120, 20]),
        (lambda cell: cell.register_forward_hook(lambda cell, inputs, output: output + 1), [20, 30, 5]),
        (lambda cell: cell.register_forward_hook(lambda cell, inputs, output: None), [15, 30, 5]),
        (lambda cell: cell.register_backward_pre_hook(double_output), [15, 60, 10]),
        (lambda cell: cell.register_backward_hook(ten_times), [15, 300, 5]),
        (
            lambda cell: (cell.register_backward_pre_hook(double_output), cell.register_backward_hook(ten_times)),
            [15, 600, 10],
        ),
        (lambda cell: cell.register_backward_hook(ten_times).remove(), [15, 30, 5]),
    ],
)
def test_hooks_of_cells(register: Callable[[nn.Cell], Any], expected: list[float]) -> None:
    assert run(register) == expected


def test_several_hooks_run_in_order() -> None:
    def register(cell: nn.Cell) -> None:
        cell.register_forward_hook(lambda cell, inputs, output: output + 1)
        cell.register_forward_hook(lambda cell, inputs, output: output * 2)

    assert run(register) == [40, 60, 10]


def test_what_backward_hooks_see(capsys: pytest.CaptureFixture[str]) -> None:
    class Two(nn.Cell):
        def construct(self, x: Tensor, y: Tensor) -> Any:
            return x * y, x + y

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.two = Two()
            self.two.register_backward_pre_hook(lambda cell, douts: tuple(dout * 2 for dout in douts))

            def show(cell: nn.Cell, grad_input: Any, grad_output: Any) -> None:
                print(*grad_input, *grad_output)

            self.two.register_backward_hook(show)

        def construct(self, x: Tensor, y: Tensor) -> Tensor:
            a, b = self.two(x, y)
            return a * 2 + b * 3

    dx, dy = ms.grad(Net(), (0, 1))(Tensor([2.0]), Tensor([3.0]))
    assert (float(dx), float(dy)) == (18.0, 14.0)
    found = [float(word.strip("[]")) for word in capsys.readouterr().out.split() if word.strip("[]")]
    assert found == [18.0, 14.0, 4.0, 6.0]


def test_hooks_added_and_removed_later_count() -> None:
    net = Outer(lambda cell: None)
    gradient = ms.grad(net)
    assert float(gradient(Tensor([1.0]))) == 30
    handle = net.inner.register_backward_hook(ten_times)
    assert float(gradient(Tensor([1.0]))) == 300
    handle.remove()
    handle.remove()
    assert float(gradient(Tensor([1.0]))) == 30


def test_hooks_with_keyword_arguments() -> None:
    class Scaled(nn.Cell):
        def construct(self, x: Tensor, by: float = 1.0) -> Tensor:
            return x * by

    cell = Scaled()
    cell.register_forward_pre_hook(lambda cell, args, kwargs: (args, {"by": kwargs["by"] + 1.0}), with_kwargs=True)
    cell.register_forward_hook(lambda cell, args, kwargs, output: output + kwargs["by"], with_kwargs=True)
    assert float(cell(Tensor(2.0), by=2.0)) == 9.0


def test_state_of_hooked_cells() -> None:
    class Counter(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)

        def construct(self, x: Tensor) -> Tensor:
            self.count += 1
            return x * self.count

    cell = Counter()
    cell.register_backward_hook(ten_times)
    assert float(ms.grad(cell)(Tensor(3.0))) == 10.0
    assert float(cell.count) == 1.0


def doubled(gradient: Tensor) -> Tensor:
    return gradient * 2


def with_hook(x: Tensor, y: Tensor) -> Tensor:
    z = x * y
    z.register_hook(doubled)
    return z * y


def with_two_hooks(x: Tensor, y: Tensor) -> Tensor:
    z = x * y
    z.register_hook(doubled)
    z.register_hook(lambda gradient: gradient * 5)
    return z * y


def with_hook_removed(x: Tensor, y: Tensor) -> Tensor:
    z = x * y
    handle = z.register_hook(doubled)
    w = z * y
    handle.remove()
    return w


def with_hook_on_an_argument(x: Tensor, y: Tensor) -> Tensor:
    x.register_hook(doubled)
    return x * y * y


def with_hook_after_uses(x: Tensor, y: Tensor) -> Tensor:
    z = x * y
    before = z * y
    z.register_hook(doubled)
    return before + z


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (with_hook, (8, 6)),
        (with_two_hooks, (40, 22)),
        (with_hook_removed, (4, 4)),
        (with_hook_on_an_argument, (8, 4)),
        (with_hook_after_uses, (12, 8)),
    ],
)
def test_hooks_of_tensors(function: Callable[..., Any], expected: tuple[float, float]) -> None:
    x, y = Tensor(1.0), Tensor(2.0)
    dx, dy = ms.grad(function, (0, 1))(x, y)
    assert (float(dx), float(dy)) == expected
    assert float(x) == 1.0


def test_hooks_that_only_look(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Tensor) -> Tensor:
        y = x * 3
        y.register_hook(lambda gradient: print("passing", gradient))
        return y * y

    assert float(ms.grad(f)(Tensor(1.0))) == 18.0
    assert capsys.readouterr().out.split() == ["passing", "6.0"]


def test_hooks_of_parameters() -> None:
    cell = Inner()
    gradient = ms.grad(cell, None, cell.trainable_params())
    assert float(gradient(Tensor([2.0]))[0]) == 4.0
    handle = cell.w.register_hook(doubled)
    assert float(gradient(Tensor([2.0]))[0]) == 8.0
    handle.remove()
    assert float(gradient(Tensor([2.0]))[0]) == 4.0
    assert float(cell.w) == 3.0


def test_gradients_inserted_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    clip = ops.InsertGradientOf(lambda dx: ops.clamp(dx, -0.2, 0.2))
    dx, dy = ms.grad(lambda x, y: clip(x) * y, (0, 1))(Tensor(1.1), Tensor(5.0))
    np.testing.assert_allclose([float(dx), float(dy)], [0.2, 1.1], rtol=1e-6)
    both = ops.HookBackward(lambda gradients: (gradients[0] * 2, gradients[1] * len(gradients) * 3))

    def f(x: Tensor, y: Tensor) -> Tensor:
        a, b = both(x * y, x + y)
        return a * b

    dx, dy = ms.grad(f, (0, 1))(Tensor(1.0), Tensor(2.0))
    assert (float(dx), float(dy)) == (3 * 2 * 2 + 2 * 6, 3 * 2 * 1 + 2 * 6)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Inner().register_forward_hook(3), TypeError, "callable hook function, but got int"),
        (lambda: Tensor(1.0).register_hook(3), TypeError, "callable hook function, but got int"),
        (lambda: run(lambda cell: cell.register_backward_pre_hook(lambda cell, dout: 1)), TypeError, "but gave int"),
        (
            lambda: run(lambda cell: cell.register_backward_hook(lambda cell, dx, dout: (dx[0], dx[0]))),
            ValueError,
            "should return 1 gradients, but returned 2",
        ),
        (lambda: ops.HookBackward(3), TypeError, "should be a function"),
    ],
)
def test_hooks_that_do_not_fit(make: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


class Seen:
    """Keeps what a hook saw."""

    gradient: Any = None


def test_what_backward_functions_change_outside_is_changed_in_each_run(way: str) -> None:
    """A graph has no place for it, so such functions run eagerly; it was lost without a word."""
    seen, x = Seen(), Tensor(np.ones((1, 2), np.float32))
    count = Parameter(Tensor(np.zeros((1, 2), np.float32)), name="count", requires_grad=False)

    def keep(_: nn.Cell, grad_input: Any, grad_output: Any) -> None:
        seen.gradient = grad_output[0]

    def note(_: nn.Cell, grad_input: Any, grad_output: Any) -> None:
        ops.assign_add(count, grad_output[0])

    def of_tensor(x: Tensor) -> Tensor:
        y = x * 2

        def hook(gradient: Tensor) -> None:
            seen.gradient = gradient

        y.register_hook(hook)
        return y * 3

    class Own(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            ops.assign(count, dout + 1)
            return (dout * 2,)

    def told(text: str) -> Any:
        return pytest.warns(ms.FallbackWarning, match=text) if way == "compiled" else nullcontext()

    layer = nn.Dense(2, 2)
    handle = layer.register_backward_hook(keep)
    for function, wanted in ((lambda x: layer(x) * 5, 5.0), (of_tensor, 3.0)):
        seen.gradient = None
        with told("in the backward pass the attribute 'gradient' of an object of Seen is set"):
            ms.grad(function)(x)
        np.testing.assert_array_equal(seen.gradient.asnumpy(), np.full((1, 2), wanted, np.float32))
    handle.remove()
    layer.register_backward_hook(note)
    for function, wanted in ((lambda x: layer(x) * 5, 10.0), (Own(), 2.0)):
        with told("in the backward pass a tensor from outside is changed"):
            gradient = ms.grad(function)
            gradient(x), gradient(x)
        np.testing.assert_array_equal(count.asnumpy(), np.full((1, 2), wanted, np.float32))


def test_attributes_that_cells_with_a_bprop_or_recompute_set_are_set() -> None:
    class Keeping(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.last = None

        def construct(self, x: Tensor) -> Tensor:
            self.last = x * 3
            return x * 2

    class WithBackward(Keeping):
        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            return (dout * 5,)

    repeating = Keeping()
    repeating.recompute()
    for cell, wanted in ((WithBackward(), 5.0), (repeating, 2.0)):
        gradient = ms.jit(ms.grad(lambda x, cell=cell: cell(x).sum()), fullgraph=True)
        for number in (1.0, 2.0):
            assert gradient(Tensor([number])).asnumpy().tolist() == [wanted]
            assert cell.last.asnumpy().tolist() == [3 * number]


def test_containers_that_backward_functions_change_are_changed_if_they_run(way: str) -> None:
    """A graph without a gradient ran what the backward pass changes, too, in each run."""
    counts, x = {"backward": 0}, Tensor([1.0, 2.0])

    class Own(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            counts["backward"] += 1
            return (dout * 3,)

    cell = Own()
    told = pytest.warns(ms.FallbackWarning, match="in the backward pass a dict from outside is changed")
    with told if way == "compiled" else nullcontext():
        ms.jit(lambda x: cell(x) * x)(x)
    assert counts == {"backward": 0}
    with told if way == "compiled" else nullcontext():
        gradient = ms.grad(lambda x: cell(x) * x)
        gradient(x), gradient(x)
    assert counts == {"backward": 2}


def test_containers_that_hooks_of_several_parameters_change(way: str) -> None:
    """The second hook began with the contents from before: its change alone was made."""
    counts = {"hooks": 0}
    first, second = (Parameter(Tensor([1.0, 2.0]), name=name) for name in ("first", "second"))

    def hook(gradient: Tensor) -> Tensor:
        counts["hooks"] += 1
        return gradient * 2

    for weight in (first, second):
        weight.register_hook(hook)
    told = pytest.warns(ms.FallbackWarning, match="several functions, such as hooks, change a dict from outside")
    with told if way == "compiled" else nullcontext():
        gradient = ms.grad(lambda x: (first * second * x).sum(), None, [first, second])
        gradient(Tensor([1.0, 2.0])), gradient(Tensor([1.0, 2.0]))
    assert counts == {"hooks": 4}


def test_variables_that_hooks_of_several_parameters_change(way: str) -> None:
    count = 0
    first, second = (Parameter(Tensor([1.0, 2.0]), name=name) for name in ("first", "second"))

    def hook(gradient: Tensor) -> None:
        nonlocal count
        count += 1

    for weight in (first, second):
        weight.register_hook(hook)
    with pytest.warns(ms.FallbackWarning, match="change 'count' from") if way == "compiled" else nullcontext():
        gradient = ms.grad(lambda x: (first * second * x).sum(), None, [first, second])
        gradient(Tensor([1.0, 2.0])), gradient(Tensor([1.0, 2.0]))
    assert count == 4


def test_hooks_of_tensors_in_second_gradients(way: str) -> None:
    def function(x: Tensor) -> Tensor:
        y = x * x
        y.register_hook(lambda gradient: gradient * 2)
        return y * x  # its gradient is x * x + 2 * 2 * x * x

    second = ms.grad(lambda x: ms.grad(function)(x).sum())
    assert second(Tensor([1.0, 2.0])).asnumpy().tolist() == [12.0, 24.0]

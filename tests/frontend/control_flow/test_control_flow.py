"""Control flow that only the run decides: loops left early, exceptions and handlers, globals, run-time shapes."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.frontend.errors.classes import FallbackWarning

X = Tensor([1.0, 0.5])


def left_by_break(x: Any) -> Any:
    for _ in range(200):
        x = x * 1.05
        if x.sum() > 100:
            break
    return x


def left_by_return(x: Any) -> Any:
    for i in range(3, 400, 2):
        x = x * 1.05
        if x.sum() > 100:
            return x * i
    return x - 1


def never_left(x: Any) -> Any:
    for _ in range(60):
        x = x * 1.01
        if x.sum() > 1e6:
            return x * 3
    return x - 1


def left_at_once(x: Any) -> Any:
    for _ in range(60):
        if x.sum() > 0:
            return x * 3
        x = x - 1
    return x * 5


def left_with_else(x: Any) -> Any:
    count = 0
    for i in range(100):
        x = x + 0.5
        if x.sum() < 0:
            continue
        count = i
        if x.sum() > 40:
            break
    else:
        x = x * 100
    return x * count


def else_after_all_rounds(x: Any) -> Any:
    for _ in range(50):
        x = x * 0.9
        if x.sum() > 40:
            break
    else:
        x = x * 100
    return x


def left_from_inner_loop(x: Any) -> Any:
    for i in range(50):
        for k in range(50):
            x = x + 0.01 * k
            if x.sum() > 30 + i:
                break
        if x.sum() > 45:
            return x * i
    return x


def rows_left_early(x: Any) -> Any:
    total = x[0] * 0
    for row in ops.arange(0, 60).astype(ms.float32).reshape((60, 1)) + x:
        if row.sum() > 35:
            break
        total = total + row.sum()
    return total


EARLY = [
    left_by_break, left_by_return, never_left, left_at_once, left_with_else, else_after_all_rounds,
    left_from_inner_loop, rows_left_early,
]  # fmt: skip


@pytest.mark.parametrize("function", EARLY)
def test_long_loops_left_early_are_nodes(function: Callable[..., Any]) -> None:
    compiled = ms.jit(function, fullgraph=True)
    with ms.disable_jit():
        expected = function(X)
    np.testing.assert_allclose(compiled(X).asnumpy(), expected.asnumpy(), rtol=1e-4)
    assert compiled.explain().traces[0].nodes < 120


@pytest.mark.parametrize("function", EARLY)
def test_gradients_of_loops_left_early(function: Callable[..., Any]) -> None:
    gradient = ms.grad(lambda x: (function(x) ** 2).sum())
    with ms.disable_jit():
        expected = gradient(X)
    np.testing.assert_allclose(ms.jit(gradient, fullgraph=True)(X).asnumpy(), expected.asnumpy(), rtol=1e-3)


def test_lists_that_grow_in_loops_left_early() -> None:
    """A loop that the graph cannot hold runs iteration by iteration or eagerly, with the same result."""

    def function(x: Any) -> Any:
        found = []
        for _ in range(45):
            x = x * 1.5
            found.append(x)
            if x.sum() > 20:
                break
        return found[0] + found[-1] + len(found)

    with pytest.warns(FallbackWarning):
        result = ms.jit(function)(X)
    np.testing.assert_allclose(result.asnumpy(), function(X).asnumpy(), rtol=1e-5)


def raising(x: Any) -> Any:
    if x.sum() > 0:
        raise ValueError("positive")
    return x * 2


def caught_here(x: Any) -> Any:
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        y = x + 1
    except ValueError:
        y = x - 1
    return y


def caught_from_a_call(x: Any) -> Any:
    try:
        return raising(x)
    except Exception as error:
        return x * len(str(error))


def caught_assertion(x: Any) -> Any:
    try:
        assert x.sum() < 0
    except AssertionError:
        return x * 7
    return x


def suppressed(x: Any) -> Any:
    y = x
    with suppress(ValueError):
        y = raising(x)
    return y


def caught_error_of_an_operation(x: Any) -> Any:
    try:
        if x.sum() > 0:
            x = x @ ops.ones((3, 3))
    except RuntimeError:
        x = x * 5
    return x


def caught_in_a_loop(x: Any) -> Any:
    count = 0
    for _ in range(3):
        try:
            x = raising(x) - 3
        except ValueError:
            count += 1
            x = x - 3
    return x * count


@pytest.mark.parametrize(
    "function",
    [
        caught_here, caught_from_a_call, caught_assertion, suppressed, caught_error_of_an_operation, caught_in_a_loop,
    ],
)  # fmt: skip
def test_handlers_of_run_time_exceptions_run(function: Callable[..., Any]) -> None:
    compiled = ms.jit(function)
    with pytest.warns(FallbackWarning, match=r"try or with") as warnings:
        results = [compiled(x) for x in (X, -X)]
    assert len(warnings) == 1
    for x, result in zip((X, -X), results, strict=True):
        np.testing.assert_allclose(result.asnumpy(), function(x).asnumpy())


def test_handlers_without_run_time_exceptions_stay_in_the_graph() -> None:
    @ms.jit(fullgraph=True)
    def function(x: Any, names: Any) -> Any:
        try:
            factor = names["factor"]
        except KeyError:
            factor = 3.0
        if x.sum() > 0:
            x = x * factor
        return x

    np.testing.assert_allclose(function(X, {}).asnumpy(), 3 * X.asnumpy())
    np.testing.assert_allclose(function(X, {"factor": 4.0}).asnumpy(), 4 * X.asnumpy())


def test_a_run_time_exception_stands_at_its_line() -> None:
    with pytest.raises(ValueError, match="positive") as info:
        ms.jit(raising)(X)
    here = [frame.line for frame in traceback.extract_tb(info.value.__traceback__) if frame.filename == __file__]
    assert 'raise ValueError("positive")' in here


def test_a_global_that_one_branch_makes() -> None:
    @ms.jit
    def function(x: Any) -> Any:
        global made_in_a_branch
        if x.sum() > 0:
            made_in_a_branch = x * 2
        return x

    with pytest.warns(FallbackWarning, match="made_in_a_branch"):
        function(X)
    np.testing.assert_allclose(globals().pop("made_in_a_branch").asnumpy(), 2 * X.asnumpy())


def test_run_time_shapes_compare() -> None:
    @ms.jit(fullgraph=True)
    def function(x: Any) -> Any:
        found = ops.nonzero(x)
        if found.shape == (1, 1):
            return x * 3
        if found.shape != x.reshape((3, 1)).shape:
            return x * 4
        return x if found.shape == x.shape else x * 5

    for numbers, factor in (([1.0, 0.0, 0.0], 3), ([1.0, 2.0, 0.0], 4), ([1.0, 2.0, 3.0], 5)):
        np.testing.assert_allclose(function(Tensor(numbers)).asnumpy(), factor * np.array(numbers))


def test_a_parameter_attribute_is_augmented() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(Tensor([1.0, 2.0]), name="w")

        def construct(self, x: Any) -> Any:
            if x.sum() > 0:
                self.w += x
            return self.w * 2

    net = Net()
    run = ms.jit(net, fullgraph=True)
    np.testing.assert_allclose(run(X).asnumpy(), [4.0, 5.0])
    np.testing.assert_allclose(run(-X).asnumpy(), [4.0, 5.0])
    np.testing.assert_allclose(net.w.asnumpy(), [2.0, 2.5])


def updated_in_a_branch_of_a_branch(x: Any) -> Any:
    t = x * 0.5 + 1
    if x.sum() > 0:
        if x.sum() > 5:
            return t

        def grow(step: Any) -> None:
            nonlocal t
            t = t + step

        grow(x)
        if x.sum() > -100:
            t -= x * 10
    for _ in range(2):
        return t * 2
    return t


def counter_set_anew(x: Any) -> Any:
    n = 1 if x.sum() > 0 else 4
    i = x.sum() * 0
    while i < 3:
        i = i + 1
        n = 2
    return x * n


def returns_in_the_first_iteration_alone(x: Any) -> Any:
    i, first = 0, True
    while i < 5:
        i += 1
        if first:
            x = x * 2
            if x.sum() > 2:
                return x * 3, i
        first = False
        x = x + 1
    return x * 2, 7


def returned_in_the_first_iteration(x: Any) -> Any:
    y, i = returns_in_the_first_iteration_alone(x)
    return y * i


@pytest.mark.parametrize(
    "function", [updated_in_a_branch_of_a_branch, counter_set_anew, returned_in_the_first_iteration]
)
def test_graph_and_eager_agree(function: Callable[..., Any]) -> None:
    compiled = ms.jit(function, fullgraph=True)
    for x in (X, -X, X * 10):
        np.testing.assert_allclose(compiled(x).asnumpy(), function(x).asnumpy())


def test_a_run_time_index_of_a_list_is_checked() -> None:
    @ms.jit(fullgraph=True)
    def pick(x: Any, index: Any) -> Any:
        return x * [1, 2, 3][int(index)] + (x, x.sum(0, keepdims=True) + x)[int(index) % 2]

    np.testing.assert_allclose(pick(X, Tensor(0)).asnumpy(), [2.0, 1.0])
    np.testing.assert_allclose(pick(X, Tensor(-1)).asnumpy(), [5.5, 3.5])
    for index in (3, -4):
        with pytest.raises(IndexError, match="list index out of range") as caught:
            pick(X, Tensor(index))
        _, place, line, *marks = str(caught.value).split("\n")
        assert "in pick" in place
        assert len(marks) == (sys.version_info >= (3, 11))
        for mark in marks:
            assert line[mark.index("^") : mark.rindex("^") + 1] in ("[1, 2, 3][int(index)]", line.strip()[7:])


def test_pow_with_a_modulus() -> None:
    def powers(x: Any, n: Any) -> Any:
        return pow(int(n), 2) + pow(7, 2, 5), pow(x, 2)

    count, square = ms.jit(powers, fullgraph=True)(X, Tensor(3))
    assert count == 13
    np.testing.assert_allclose(square.asnumpy(), X.asnumpy() ** 2)
    with pytest.warns(FallbackWarning, match="takes no modulus"):
        assert ms.jit(lambda n: (pow(3, int(n), 5), pow(int(n), 2, mod=5)))(Tensor(4)) == (1, 1)


def test_a_run_time_index_whose_error_is_caught() -> None:
    @ms.jit
    def pick(x: Any, index: Any) -> Any:
        try:
            return x * [1, 2, 3][int(index)]
        except IndexError:
            return x * 100

    with pytest.warns(FallbackWarning, match="indexed by a run-time number"):
        result = pick(X, Tensor(7))
    np.testing.assert_allclose(result.asnumpy(), 100 * X.asnumpy())


@pytest.mark.parametrize("change", [
    lambda x, index: ops.scatter(x, 0, index, x), lambda x, index: ops.index_fill(x, 0, index, 5.0),
    lambda x, index: ops.tensor_scatter_add(x, index.reshape((-1, 1)), x),
    lambda x, index: ops.unsorted_segment_sum(x, index, 2), lambda x, index: ms.mint.index_add(x, 0, index, x),
    lambda x, index: ops.cross_entropy(ops.stack([x, x]), index),
    lambda x, index: ops.nll_loss(ops.stack([x, x]), index),
])  # fmt: skip
def test_functions_of_indices_whose_error_is_caught(change: Any) -> None:
    def function(x: Any, index: Any) -> Any:
        try:
            return change(x, index)
        except (IndexError, ValueError):
            return x * 100

    run = ms.jit(function)
    for index in ([1, 0], [0, 7]):
        expected = function(X, Tensor(index)).asnumpy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            np.testing.assert_allclose(run(X, Tensor(index)).asnumpy(), expected)


def test_an_index_tensor_whose_error_is_caught() -> None:
    def read(x: Any, index: Any) -> Any:
        try:
            return x[index]
        except IndexError:
            return x[0] * 100

    def write(x: Any, index: Any) -> Any:
        try:
            x[index] = 5.0
        except (IndexError, KeyError):
            return x * 100
        return x

    def gathered(x: Any, index: Any) -> Any:
        try:
            return ops.gather(x, index, 0)
        except LookupError:
            return x

    for function in (read, write, gathered):
        run = ms.jit(function)
        for index in (1, 7, [0, 7]):
            expected = function(X + 0, Tensor(index)).asnumpy()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FallbackWarning)
                np.testing.assert_allclose(run(X + 0, Tensor(index)).asnumpy(), expected)

    def other_errors(x: Any, index: Any) -> Any:
        try:
            return x[index] + x[Tensor(1)]
        except (TypeError, ValueError):
            return x

    def known(x: Any) -> Any:
        try:
            return x[Tensor([1, 0])]
        except IndexError:
            return x

    ms.jit(other_errors, fullgraph=True)(X, Tensor(1))
    ms.jit(known, fullgraph=True)(X)


class Timed:
    """A context manager that drops nothing."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        return False


class Dropping(Timed):
    """A context manager that drops errors of indices."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        return kind is not None and issubclass(kind, IndexError)


@contextmanager
def named(name: str) -> Any:
    try:
        yield name
    finally:
        del name


@contextmanager
def caught() -> Any:
    try:  # noqa: SIM105
        yield
    except IndexError:
        pass


@pytest.mark.parametrize("make", [Timed, nullcontext, lambda: named("scope"), lambda: np.errstate(all="ignore")])
def test_indices_stay_in_graphs_under_managers_that_drop_nothing(make: Callable[[], Any]) -> None:
    def read(x: Any, index: Any) -> Any:
        with make():
            return x[index] * 2

    found = ms.jit(read, fullgraph=True)(X, Tensor([1, 0]))
    np.testing.assert_allclose(found.asnumpy(), 2 * X.asnumpy()[[1, 0]])


@contextmanager
def caught_by_another() -> Any:
    yield from caught.__wrapped__()


@pytest.mark.parametrize("make", [Dropping, caught, caught_by_another, lambda: suppress(IndexError)])
def test_errors_of_indices_that_managers_drop(make: Callable[[], Any]) -> None:
    def read(x: Any, index: Any) -> Any:
        result = x * 0
        with make():
            result = x[index]
        return result

    run = ms.jit(read)
    for index in (1, 7):
        with pytest.warns(FallbackWarning) if index == 1 else nullcontext():
            np.testing.assert_allclose(run(X, Tensor(index)).asnumpy(), read(X, Tensor(index)).asnumpy())


def test_an_attribute_that_one_branch_sets_is_read_anew() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.state = Tensor([1.0, 2.0])

        def construct(self, x: Any) -> Any:
            if x.sum() > 0:
                self.state = self.state * x
            return x

    net = Net()
    run = ms.jit(net, fullgraph=True)
    for x in (X, -X, X):
        run(x)
    np.testing.assert_allclose(net.state.asnumpy(), [1.0, 0.5])


class Stateful(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.state = Tensor([1.0, 2.0])
        self.other = Tensor([3.0, 4.0])

    def construct(self, x: Any) -> Any:
        self.state = self.state * x
        return self.state + self.other


def test_state_is_traced_once() -> None:
    net, plain = Stateful(), Stateful()
    run = ms.jit(net, fullgraph=True)
    for _ in range(4):
        np.testing.assert_allclose(run(X).asnumpy(), plain(X).asnumpy())
    np.testing.assert_allclose(net.state.asnumpy(), plain.state.asnumpy())
    assert len(run.explain().traces) == 1


def test_state_of_another_kind_is_traced_anew() -> None:
    net, plain = Stateful(), Stateful()
    run = ms.jit(net, fullgraph=True)
    for number, change in enumerate(
        [
            lambda cell: None,
            lambda cell: setattr(cell, "other", cell.state),
            lambda cell: setattr(cell, "state", Tensor([[1.0, 2.0], [3.0, 4.0]])),
            lambda cell: setattr(cell, "state", 2.0),
        ]
    ):
        for cell in (net, plain):
            change(cell)
        np.testing.assert_allclose(run(X).asnumpy(), plain(X).asnumpy())
        assert len(run.explain().traces) == number + 1


def test_gradients_with_state() -> None:
    net, plain = Stateful(), Stateful()
    run = ms.jit(ms.grad(lambda x: net(x).sum()), fullgraph=True)
    for _ in range(3):
        with ms.disable_jit():
            expected = ms.grad(lambda x: plain(x).sum())(X)
        np.testing.assert_allclose(run(X).asnumpy(), expected.asnumpy())


def test_two_parts_of_what_is_joined_one_of_them_chosen() -> None:
    """Both are computed where they go; the one that may be the other is copied there."""

    def function(x: Any) -> Any:
        t = x + 1
        chosen = x if x > 100 else t
        return ops.stack([chosen, x, t, chosen * 1.0])

    for x in (Tensor(2.0), Tensor(200.0)):
        np.testing.assert_allclose(ms.jit(function, fullgraph=True)(x).asnumpy(), function(x).asnumpy())
        gradient = ms.grad(lambda x: ops.sin(function(x)).sum())
        with ms.disable_jit():
            expected = gradient(x)
        np.testing.assert_allclose(ms.jit(gradient, fullgraph=True)(x).asnumpy(), expected.asnumpy(), rtol=1e-4)


def test_a_list_from_outside_of_a_trace_is_searched_by_values():
    """Tensors in it are those of the run, also where a number is looked for; one of several elements equals none."""
    one, several = Tensor([5.0]), Tensor([1.0, 2.0])

    @ms.jit(fullgraph=True)
    def f(x):
        return 5 in [several], 5 in [several, one], 6 in [one], x in [several, x + 0.0], x in [one]

    assert [bool(found) for found in f(Tensor([1.0, 3.0]))] == [False, True, False, True, False]
    one += 1.0
    assert [bool(found) for found in f(Tensor([1.0, 3.0]))] == [False, False, True, True, False]


class Quiet:
    """A context manager that does nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def after_try(x, events):
    try:
        if x[0] > 0:
            return x * 2.0
        x = x - 0.5
    finally:
        del events
    x = x + 10.0
    return x


def after_with(x, events):
    with Quiet():
        if x[0] > 0:
            return x * 2.0
    x = x + 10.0
    return x


def after_match(x, events):
    match len(x.shape):
        case 1:
            if x[0] > 0:
                return x * 2.0
        case _:
            return x
    x = x + 10.0
    return x


def after_static_return(x, events):
    try:
        match len(x.shape):
            case 1:
                return x * 3.0
    finally:
        events.append("finally")
    events.append("never")
    return x


@pytest.mark.parametrize("function", [after_try, after_with, after_match, after_static_return])
def test_code_after_a_block_whose_branch_returns(function):
    """It runs where control falls through, and only there."""
    compiled = ms.jit(lambda x: function(x, []), fullgraph=True)
    for first in (1.0, -1.0):
        x = Tensor([first, 2.0])
        assert compiled(x).asnumpy().tolist() == function(x, []).asnumpy().tolist()

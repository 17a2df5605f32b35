"""Mistakes that would pass silently: a warning or an error says what is amiss, at the user's line."""

from __future__ import annotations

import builtins
import math
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from error_checks import CARETS

import mycel as ms
from mycel import Model, Tensor, dataset, nn, ops
from mycel.runtime.machine.executable import unavailable

X = ops.ones((2, 3))
LOG: list[Any] = []


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


def warned(call: Callable[[], Any], words: str) -> Any:
    """The result of a call, which warns once with these words, at a line of this file."""
    with pytest.warns(UserWarning, match=words) as found:
        result = call()
    assert [Path(each.filename).name for each in found] == [Path(__file__).name]
    return result


# Lists from outside


class Keeper(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Any] = []

    def construct(self, x: Tensor) -> Tensor:
        self.kept.append(x)
        return x + 1


def test_a_list_from_outside_that_a_graph_leaves_as_it_is() -> None:
    @ms.jit(fullgraph=True)
    def appends(x: Tensor) -> Tensor:
        LOG.append(x)
        return x + 1

    @ms.jit(fullgraph=True)
    def assigns(x: Tensor, items: list[Any]) -> Tensor:
        items[0] = 5
        return x + items[0]

    words = "a graph changes a copy of a list from outside"
    LOG.clear()
    warned(lambda: appends(X), words)
    assert not LOG
    items = [1]
    assert warned(lambda: assigns(X, items), words).sum() == 36
    assert items == [1]
    net = Keeper()
    warned(lambda: ms.jit(net)(X), words)
    assert not net.kept


def test_lists_that_a_function_returns_or_changes_for_all_are_no_mistake() -> None:
    @ms.jit(fullgraph=True)
    def returned(x: Tensor, items: list[Any]) -> Any:
        items.append(x)
        own = [x]
        own.append(x)
        return items, own[1]

    @ms.jit(fullgraph=True)
    def extended(x: Tensor) -> Tensor:
        LOG.extend([x])
        return x + 1

    LOG.clear()
    assert len(returned(X, [])[0]) == 1
    extended(X)
    assert len(LOG) == 1


# Functions that are no functions of a graph


def test_async_functions_and_generators() -> None:
    @ms.jit
    async def later(x: Tensor) -> Tensor:
        return x + 1

    def parts(x: Tensor) -> Any:
        yield x
        yield x + 1

    with pytest.raises(TypeError, match="'later' is an async function, but a graph is computed without waiting"):
        later(X)
    with pytest.raises(
        ms.GraphError, match=r"'parts' cannot be compiled to a graph: parts is a generator.*Return a list"
    ):
        ms.jit(parts, fullgraph=True)(X)
    with pytest.warns(ms.FallbackWarning, match="'parts' runs eagerly, without a graph: parts is a generator"):
        assert len(list(ms.jit(parts)(X))) == 2

    @ms.jit(fullgraph=True)
    def whole(x: Tensor) -> Any:
        return [part * 2 for part in parts(x)]

    assert whole(X)[1].sum() == 24


# Gradients


@pytest.mark.parametrize(("x", "dtype"), [(Tensor([3]), "Int64"), (Tensor([True]), "Bool")])
def test_gradients_of_integers(mode: int, x: Tensor, dtype: str) -> None:
    words = rf"the gradient of 'f' by argument 0 is rounded to {dtype}, the dtype of that argument: cast it"

    def f(x: Tensor, y: Tensor) -> Tensor:
        return x * 2.5 * y

    y = Tensor([1.0])
    assert str(warned(lambda: ms.grad(f)(x, y), words).dtype) == dtype
    assert ms.grad(f, 1)(x, y).dtype == ms.float32
    assert ms.grad(f)(x.astype(ms.float32), y)[0] == 2.5
    assert len(ms.grad(nn.Embedding(4, 2), None, nn.Embedding(4, 2).trainable_params())(Tensor([1]))) == 1


@pytest.mark.parametrize("x", [np.ones(3), 2.0, 3])
def test_gradients_of_what_is_no_tensor(mode: int, x: Any) -> None:
    words = (
        rf"the gradient of 'f' by argument 0 is left out, as that is no Tensor, but {type(x).__name__}: write Tensor"
    )

    def f(x: Any, y: Tensor) -> Tensor:
        return y * x

    assert warned(lambda: ms.grad(f)(x, ops.ones(3)), words) == ()
    assert ms.grad(f, 1)(x, ops.ones(3)).shape == (3,)


# Numbers that a dtype does not have


def test_full_of_a_fraction_without_a_dtype(mode: int) -> None:
    assert warned(lambda: ops.full((), 0.01), "full: 0.01 becomes an integer of Int64") == 0
    assert ops.full((), 2.0) == 2
    assert ops.full((), 0.5, dtype=ms.float32) == 0.5
    assert ms.mint.full((1,), 0.5)[0] == 0.5


@pytest.mark.parametrize("data", [float("nan"), [1.0, float("inf")], np.array([np.nan, 1.0])])
def test_integers_of_what_is_no_number(data: Any) -> None:
    warned(lambda: Tensor(data, ms.int32), "nan and infinite numbers have no meaning in Int32")
    Tensor(data, ms.float16)
    Tensor(data, ms.bool_)


def test_assigning_nan_to_integers() -> None:
    x = ops.zeros(3, ms.int32)

    def assign() -> None:
        x[0] = float("nan")

    warned(assign, "nan and infinite numbers have no meaning in Int32")


# Layers, models and data


def test_construct_without_self_and_under_another_name(mode: int) -> None:
    class Net(nn.Cell):
        def construct(x: Tensor) -> Tensor:
            return x

    class Misspelt(nn.Cell):
        def constuct(self, x: Tensor) -> Tensor:
            return x

    words = r"Net\.construct\(\) takes 1 positional argument.* but 2 were given\. Its first parameter should be 'self'"
    with pytest.raises(TypeError, match=words):
        Net()(X)
    with pytest.raises(TypeError, match=r"but 3 were given$"):
        Net()(X, X)
    with pytest.raises(
        AttributeError, match=r"Misspelt should define the method 'construct': rename its method 'constuct'$"
    ):
        Misspelt()(X)


def test_a_type_error_inside_of_construct_is_that_error() -> None:
    class Net(nn.Cell):
        def construct(this, x: Tensor) -> Tensor:
            return len(3)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match=r"object of type 'int' has no len\(\)(?!.*self)"):
        Net()(X)


def test_classes_in_place_of_layers() -> None:
    for make in (nn.SequentialCell, lambda *cells: nn.CellList(list(cells))):
        with pytest.raises(TypeError, match=r"holds Cells, but got a class: write ReLU\(…\)"):
            make(nn.Dense(2, 2), nn.ReLU)


@pytest.mark.parametrize(("function", "name"), [(ops.cat, "concat"), (ops.concat, "concat"), (ops.stack, "stack")])
def test_tensors_that_are_in_no_list(function: Any, name: str, mode: int) -> None:
    with pytest.raises(
        TypeError, match=f"{name}: the tensors should be in one list or tuple, but 'axis' is a Tensor, too"
    ):
        function(X, X)
    with pytest.raises(TypeError, match=r"mean: 'axis' should be an int, but got a Tensor of shape \(2, 3\)"):
        ops.mean(X, X)
    assert function(X, Tensor(0)).shape == function([X[0], X[1]], 0).shape


def test_a_model_without_a_loss() -> None:
    rows = dataset.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32)), ["x", "y"]).batch(2)
    words = r"takes 2 positional arguments but 3 were given\. Without a 'loss_fn' the network of a Model takes all"
    with pytest.raises(TypeError, match=words):
        Model(nn.Dense(2, 1)).train(1, rows)


@pytest.mark.parametrize(
    "make", [lambda: (i for i in range(4)), lambda: map(abs, [0, 1, 2, 3]), lambda: iter(range(4))]
)
def test_an_iterator_gives_its_rows_in_each_epoch(make: Callable[[], Any]) -> None:
    rows = dataset.GeneratorDataset(make(), ["x"])
    assert len(rows) == 4
    assert rows.output_shapes() == [[]]
    for _ in range(3):
        assert [row[0].item() for row in rows] == [0, 1, 2, 3]
    assert [row[0].item() for row in dataset.GeneratorDataset(make(), ["x"], num_samples=2)] == [0, 1]


def test_an_iterator_is_read_no_further_than_its_rows_are() -> None:
    read = []

    def endless() -> Iterator[int]:
        for number in range(10**9):
            read.append(number)
            yield number

    rows = dataset.GeneratorDataset(endless(), ["x"])
    first, second = (row[0].item() for row, _ in zip(rows.create_tuple_iterator(), range(2), strict=False))
    assert (first, second) == (0, 1)
    assert len(read) < 100


def test_nothing_is_said_of_programs_without_a_mistake() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ms.value_and_grad(nn.Dense(3, 1), 0, nn.Dense(3, 1).trainable_params())(X)
        Tensor([1.5, 2.0], ms.int32)
        ms.grad(lambda x: x * 2)(ms.mutable(3.0))


@pytest.mark.parametrize("value", ["a", None, {}])
def test_what_cannot_be_in_a_tensor(value: Any) -> None:
    """A graph says so as eager mode does, and finds lists and numbers as that does."""
    for function in (lambda x: value in x, ms.jit(lambda x: value in x)):
        with pytest.raises(TypeError, match="should be a Tensor or a number, but got"):
            function(X)
    for within in ([1, 1, 1], 1, 1.0):
        assert ms.jit(lambda x: within in x, fullgraph=True)(X)  # noqa: B023


def _accuracy(right: Any, total: Any) -> Any:
    return int(right) / int(total)


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (_accuracy, 1.5),
        (lambda x, y: int(x) // int(y), 1),
        (lambda x, y: 7 % y.item(), 1),
        (lambda x, y: divmod(int(x), int(y)), (1, 1)),
        (lambda x, y: int(y) ** -2, 0.25),
        (lambda x, y: (7 / int(y) if int(y) != 0 else -1.0) + 1 // int(y), 3.5),
    ],
)
def test_run_time_numbers_divided_by_zero_are_an_error(function: Callable[..., Any], value: Any) -> None:
    compiled = ms.jit(function, fullgraph=True)
    assert compiled(Tensor(3), Tensor(2)) == function(Tensor(3), Tensor(2)) == value
    with pytest.raises(ZeroDivisionError, match=r"the divisor is 0\n  at .*test_silent_mistakes\.py") as caught:
        compiled(Tensor(3), Tensor(0))
    assert isinstance(caught.value, ValueError)  # as in MindSpore
    assert compiled(Tensor(3), Tensor(2)) == value


def _in_a_branch(x: Any, n: Any) -> Any:
    if x > 0:
        return 7 // n
    return n


def _in_a_side(x: Any, n: Any) -> Any:
    return x + (7 % n if x > 0 else 1)


def _in_a_loop(x: Any, n: Any) -> Any:
    for _ in range(30):
        x = x * 0.5 + 6 / n
    return x


def _by_a_counter(x: Any, n: Any) -> Any:
    for i in range(30):
        x = x + 12 // (i + n)
    return x


def _in_a_while(x: Any, n: Any) -> Any:
    while x < 10.0:
        x = x + 12 // n
        n = n - int(x > 90.0)
    return x


def _in_a_branch_of_a_loop(x: Any, n: Any) -> Any:
    for i in range(30):
        if x < 40.0:
            x = x + 12 // n
        elif i > 3:
            x = x - 2 ** (n - 1)
    return x


def _in_loops(x: Any, n: Any) -> Any:
    while x < 100.0:
        for _ in range(20):
            x = x + 1 % n + n
    return x


def _before_positions(x: Any, n: Any) -> Any:
    rows = ops.arange(6.0)
    for _ in range(20):
        x = x + rows[5 // n]
    return x


NUMBERS_INSIDE = [
    _in_a_branch, _in_a_side, _in_a_loop, _by_a_counter, _in_a_while, _in_a_branch_of_a_loop, _in_loops,
    _before_positions,
]  # fmt: skip


@pytest.mark.parametrize("function", NUMBERS_INSIDE)
@pytest.mark.parametrize("around", [lambda f: f, lambda f: lambda x, n: ms.value_and_grad(f)(x, n)[0]])
def test_divisors_in_branches_and_loops(function: Callable[..., Any], around: Callable[..., Any]) -> None:
    def program(x: Any, n: Any) -> Any:
        return around(function)(x, int(n)) + 0.0

    compiled = ms.jit(program, fullgraph=True)
    x = Tensor(1.5)
    for n in (3, 2):
        np.testing.assert_allclose(float(compiled(x, Tensor(n))), float(function(x, n)), rtol=1e-5)
    place = r"(?s)the divisor is 0\n  at .*test_silent_mistakes\.py.* n([] )\n]|\Z)"
    with pytest.raises(ZeroDivisionError, match=place):
        compiled(x, Tensor(0))


def test_checks_in_loops_are_computed_by_their_kernels() -> None:
    @ms.jit
    def common(a: Any, b: Any) -> Any:
        a, b = int(a), int(b)
        while b:
            a, b = b, a % b
        return a

    assert common(Tensor(12), Tensor(18)) == 6
    if unavailable() is None:
        nodes = common.stages(Tensor(12), Tensor(18)).optimized.all_nodes
        assert [node.op.kind for node in nodes if node.op.kind.startswith("loop")] == ["loop_kernel"]


def test_an_int_to_a_negative_run_time_power_is_an_error() -> None:
    compiled = ms.jit(lambda n: 2 ** int(n), fullgraph=True)
    assert compiled(Tensor(3)) == 8
    with pytest.raises(ValueError, match="negative power is a float"):
        compiled(Tensor(-1))


def _steps(n: Any) -> Any:
    total = n * 0
    for i in range(0, 7, int(n)):
        total = total + i
    return total


def _shift_in_a_loop(n: Any) -> Any:
    total = n * 0.0
    for _ in range(20):
        total = total + (1 << int(n))
    return total


@pytest.mark.parametrize(
    ("function", "good", "bad", "error"),
    [
        (_steps, (1, 2, 9, -1), (0,), "ValueError: range() arg 3 must not be zero"),
        (lambda n: int(n), (2.7, -3.9, 2.0**62), (math.nan,), "ValueError: cannot convert float NaN to integer"),
        (lambda n: int(n) + 1, (0.5,), (math.inf, -math.inf, 1e19), "OverflowError: cannot convert float infinity"),
        (lambda n: 3 << int(n), (0, 1, 40), (-1,), "ValueError: negative shift count"),
        (lambda n: int(n) >> int(n), (0, 3, 70), (-1,), "ValueError: negative shift count"),
        (_shift_in_a_loop, (3, 5), (-1,), "ValueError: negative shift count"),
        (lambda n: int(n) << 4, (5, -5, 1 << 58), (1 << 60, -(1 << 62)), "OverflowError: an integer of a graph has at"),
        (lambda n: 1 << int(n), (62,), (63, 64, 200), "OverflowError: an integer of a graph has at most 64 bits"),
        (lambda n: int(n) ** 7, (511, -511, 2), (513, -513), "OverflowError: an integer of a graph has at most 64"),
        (lambda n: (-3) ** int(n), (0, 3, 39), (40, 90), "OverflowError: an integer of a graph has at most 64"),
    ],
)
def test_errors_of_run_time_integers(
    function: Callable[..., Any], good: tuple[Any, ...], bad: tuple[Any, ...], error: str
) -> None:
    compiled, kind = ms.jit(function, fullgraph=True), ms.float64 if type(bad[0]) is float else ms.int64
    for n in good:
        assert compiled(Tensor(n, kind)) == function(n)
    for n in bad:
        with pytest.raises(getattr(builtins, error.split(":")[0]), match=re.escape(error.split(": ")[1])) as caught:
            compiled(Tensor(n, kind))
        caret = r"\n +\^+" if CARETS else ""
        assert re.search(rf"at .*test_silent_mistakes\.py:\d+, in .*\n.*{caret}", str(caught.value))


def test_long_loops_check_their_counters_before() -> None:
    def program(x: Any) -> Any:
        for i in range(1, 60):
            x = x * 0.5 + (12 // i + (i << 2) + i**3 + int(i * 0.5)) % 5
        return x

    compiled = ms.jit(program, fullgraph=True)
    np.testing.assert_allclose(float(compiled(Tensor(1.0))), program(1.0), rtol=1e-5)
    assert not compiled.stages(Tensor(1.0)).forward.has_effect
    assert "scan" in {node.op.name for node in compiled.stages(Tensor(1.0)).forward.nodes}


def test_positions_of_run_time_numbers_that_a_handler_may_catch() -> None:
    @ms.jit
    def item(x: Any, n: Any) -> Any:
        try:
            return x[0, int(n)]
        except IndexError:
            return x[0, 0] - 1

    @ms.jit
    def assigned(x: Any, n: Any) -> Any:
        y = x.copy()
        try:
            y[int(n)] = 5.0
        except IndexError:
            return x
        return y

    with pytest.warns(ms.FallbackWarning, match="inside of a try"):
        assert [float(item(X, Tensor(n))) for n in (1, 9)] == [float(X[0, 1]), float(X[0, 0]) - 1]
    with pytest.warns(ms.FallbackWarning, match="inside of a try"):
        assert [float(assigned(X, Tensor(n)).max()) for n in (1, 9)] == [5.0, float(X.max())]


def test_quotients_of_run_time_numbers_that_a_handler_may_catch() -> None:
    def quotient(n: Any) -> Any:
        try:
            return 1 / int(n)
        except ZeroDivisionError:
            return -1.0

    with pytest.warns(ms.FallbackWarning, match="inside of a try"):
        assert ms.jit(quotient)(Tensor(0)) == -1.0


def test_numbers_divided_by_a_constant_zero() -> None:
    with pytest.raises(ZeroDivisionError, match="the divisor is 0"):
        ms.jit(lambda n: int(n) // 0)(Tensor(1))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, z: ops.relu(z), lambda x, z: nn.ReLU()(z), lambda x, z: ops.gelu(z),
        lambda x, z: ops.logcumsumexp(z, 0),
        lambda x, z: ops.masked_fill(x, x > 0, 1j), lambda x, z: ops.full((2,), 1j, dtype=ms.float32),
        lambda x, z: ops.pad(x, (1, 1), value=1j), lambda x, z: x.copy().fill_(1j),
    ],
)  # fmt: skip
def test_complex_numbers_where_real_ones_belong(function: Callable[..., Any]) -> None:
    """Both modes say so; they took the real part, or compared complex numbers."""
    for run in (function, ms.jit(function)):
        with pytest.raises(TypeError, match=r"Complex|complex"):
            run(Tensor([1.0, -2.0]), Tensor([1 + 2j, -1j]))

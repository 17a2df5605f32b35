"""Names that share one tensor: an update in place reaches all of them, in a graph as without one."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn


def numbers(values: Any) -> Any:
    """Tensors as lists."""
    if isinstance(values, Tensor):
        return values.asnumpy().tolist()
    if isinstance(values, (tuple, list)):
        return [numbers(value) for value in values]
    return values


def close(a: Any, b: Any) -> bool:
    """Whether lists of numbers are equal but for the rounding of sums."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(close, a, b))
    return type(a) is type(b) and bool(np.isclose(a, b, rtol=1e-5))


def extremes(x: Any, y: Any) -> Any:
    u = max(x[0], y[0], x[1])
    low = min(u, y[1])
    u += 1.0
    low *= 2.0
    s, t = x.sum(), y.sum()
    most = max(s, t)
    most += 1.0
    return s, t, most, u, low


def extreme_of_one(x: Any, y: Any) -> Any:
    s = x.sum()
    t = s
    u = max(s, t)
    t += 1.0
    return s, t, u


def rows_that_change(x: Any, y: Any) -> Any:
    v, seen = x * 1.0, []
    for r in v:
        v[1] *= 3.0
        seen.append(r * 1.0)
    return v, seen


def assigned_items(x: Any, y: Any) -> Any:
    u = x
    x[0] = y.sum()
    row = y[1:]
    row[0] = 7.0
    row += 1.0
    return u, y, row


def assigned_under_a_condition(x: Any, y: Any) -> Any:
    u = x
    if y.sum() > 0:
        x[0] = 9.0
    else:
        u[1] = 8.0
    return u, x


def updated_before_bound(x: Any, y: Any) -> Any:
    u = x
    while y[0] > 0:
        u += 1.0
        u = u * 2.0
        y -= 1.0
    return x, u


def updated_after_a_loop(x: Any, y: Any) -> Any:
    u, last = x, y
    while (u.sum() < 20) & (u.sum() > 0):
        last = u
        u = u * 2.0
    u += 1.0
    last *= 3.0
    return x, y, u, last


def swapped(x: Any, y: Any) -> Any:
    a, b = x * 1.0, y * 1.0
    first, count = a, x[0]
    while count > 0:
        a, b = b, a
        a += 0.25
        count = count - 1.0
    a *= 2.0
    return a, b, first


def bound_under_a_condition_in_a_loop(x: Any, y: Any) -> Any:
    u, count = x, y.sum() * 0
    while count < 3:
        count = count + 1
        if count > y[0]:
            u = u * 2.0
        u += 1.0
    u -= 0.5
    return x, u


def long_loop(x: Any, y: Any) -> Any:
    v = x * 1.0
    w, a, b = v, x * 1.0, y * 1.0
    first = b
    for _ in range(61):
        v += 1.0
        v = v * 0.5
        a, b = b, a
    a += 1.0
    return w, v, a, b, first


def long_rows(x: Any, y: Any) -> Any:
    v = ms.ops.tile(x[:1], (50,)) * 1.0
    total = y.sum()
    for r in v:
        v *= 1.0625
        total = total + r
    return v, total


def items_of_lists(x: Any, y: Any) -> Any:
    items = [x, y, x]
    picked = items[int(abs(y[0]) % 3)]
    picked += 1.0
    items[-1] *= 2.0
    return x, y, items, picked


def one_or_none(x: Any, y: Any) -> Any:
    u = x if y.sum() > 0 else None
    if u is not None:
        u += 1.0
    return x


def operands_that_decide(x: Any, y: Any) -> Any:
    s, t = x.sum(), y.sum()
    u = s and t
    v = t or s
    u += 1.0
    v *= 2.0
    return s, t, u, v


def returned_by_a_loop(x: Any, y: Any) -> Any:
    def found(a: Any, b: Any) -> Any:
        for position in range(int(abs(y.sum()) % 4)):
            if a[position % 2] > 1:
                return a
            b = b * 2.0
        return b

    u = found(x, y)
    u += 1.0
    return x, y, u


def rows_by_a_counter(x: Any, y: Any) -> Any:
    m = ms.ops.stack([x, y])
    for position in range(int(abs(y[0]) % 3)):
        row = m[position]
        row[0] = 5.0
    return m


def row_of_one_or_another(x: Any, y: Any) -> Any:
    m = ms.ops.stack([x, y])
    row = m[0] if y.sum() > 0 else m[1]
    row[0] = 9.0
    return m


def one_list_or_another(x: Any, y: Any) -> Any:
    first, second = [x * 1.0], [y * 1.0]
    chosen = first if y.sum() > 0 else second
    chosen[0] = x * 5.0
    return first, second, chosen


def are_one(x: Any, y: Any) -> Any:
    u = x if y.sum() > 0 else y
    return x is y, (1.0 if u is x else 2.0), y is not x


def helpers(x: Any, y: Any) -> Any:
    def bump(a: Any) -> Any:
        nonlocal y
        a += 1.0
        y = a
        return a

    if y.sum() > 0:
        u = bump(x)
    else:
        u = bump(y)
    u *= 2.0
    return x, y, u


def after_try(x: Any, y: Any) -> Any:
    u = y
    try:
        if x.sum() > 0:
            u = x
    finally:
        u += 1.0
    return x, y


def list_handed_on_by_a_loop(x: Any, y: Any) -> Any:
    held = [x, y]
    for _ in range(int(abs(y.sum()) % 3)):
        held = [y, x]
    for _ in range(int(abs(y.sum()) % 4)):
        x += 1.0
        held = held
    return x, y, held


def one_loop_traced_twice(x: Any, y: Any) -> Any:
    def rounds(held: Any, swaps: bool) -> Any:
        nonlocal x
        for _ in range(int(abs(y.sum()) % 4)):
            x += 1.0
            held = [y, x] if swaps else held
        return held

    return x, y, rounds(rounds([x, y], True), False)


def list_of_a_called_function(x: Any, y: Any) -> Any:
    held = [x, y]

    def swap(a: Any) -> Any:
        nonlocal held
        held = held if y.sum() > 10 else [y, x]
        return a

    for _ in range(int(abs(y.sum()) % 3)):
        y = swap(x)
    for _ in range(int(abs(y.sum()) % 4)):
        y += 1.0
    return x, y, held


FUNCTIONS: list[Callable[..., Any]] = [
    extremes, extreme_of_one, rows_that_change, assigned_items, assigned_under_a_condition, updated_before_bound,
    updated_after_a_loop, swapped, bound_under_a_condition_in_a_loop, long_loop, long_rows, items_of_lists,
    one_or_none, operands_that_decide, returned_by_a_loop, rows_by_a_counter, row_of_one_or_another,
    one_list_or_another, are_one, helpers, after_try, list_handed_on_by_a_loop, list_of_a_called_function,
    one_loop_traced_twice,
]  # fmt: skip
FALL_BACK = {"returned_by_a_loop", "row_of_one_or_another", "one_list_or_another"}
INPUTS = (([1.0, 2.0], [3.0, -1.0]), ([0.0, -5.0], [-3.0, 1.0]), ([2.0, 1.0], [2.0, 4.0]), ([30.0, 1.0], [0.0, 0.5]))


@pytest.mark.parametrize("shared", [False, True], ids=["two tensors", "one tensor"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_updates_reach_every_name(function: Callable[..., Any], shared: bool) -> None:
    """Results and arguments are those of the original function; in a graph, unless it must fall back."""
    compiled = ms.jit(function)
    falls_back = function.__name__ in FALL_BACK
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if falls_back else "error", ms.FallbackWarning)
        for first, second in INPUTS:
            found = []
            for call in (function, compiled):
                x = Tensor(first)
                y = x if shared else Tensor(second)
                with contextlib.suppress(IndexError):
                    found.append([numbers(call(x, y)), numbers([x, y])])
            assert len(found) != 1
            assert not found or close(*found)


@pytest.mark.parametrize("function", [assigned_items, updated_before_bound, swapped, long_loop, extremes])
def test_gradients_through_shared_tensors(function: Callable[..., Any]) -> None:
    """The gradient of a graph is the tape's."""

    def loss(x: Any, y: Any) -> Any:
        return sum((ms.ops.tanh(item) * item).sum() for item in function(x * 1.0, y * 1.0))

    compiled = ms.grad(loss, (0, 1))(Tensor([0.5, 1.5]), Tensor([0.75, -0.5]))
    with ms.disable_jit():
        expected = ms.grad(loss, (0, 1))(Tensor([0.5, 1.5]), Tensor([0.75, -0.5]))
    np.testing.assert_allclose(numbers(compiled), numbers(expected), rtol=1e-5)


def test_arguments_that_are_one_tensor_get_a_graph_of_their_own() -> None:
    """Only where the function updates one of them; the warning-free graphs are kept apart."""

    @ms.jit
    def update(a: Any, b: Any) -> Any:
        a += 1.0
        return a * 1.0, b * 1.0

    x, y = Tensor([1.0]), Tensor([5.0])
    assert numbers(update(x, y)) == [[2.0], [5.0]]
    assert numbers(update(x, x)) == [[3.0], [3.0]]
    assert numbers(update(y, x)) == [[6.0], [3.0]]
    assert numbers([x, y]) == [[3.0], [6.0]]
    assert [trace.reason for trace in update.explain().traces] == [
        "first call", "other arguments are one tensor, which the function updates in place",
    ]  # fmt: skip
    read = ms.jit(lambda a, b: a + b)
    read(x, y)
    assert numbers(read(x, x)) == [6.0]
    assert len(read.explain().traces) == 1


def test_arguments_that_share_memory() -> None:
    """A Parameter and its `data`, or tensors of one array: where one is updated, no graph reads the old numbers."""

    def assigned(a: Any, b: Any) -> Any:
        a[0] = 7.0
        return b * 2

    def added(a: Any, b: Any) -> Any:
        ms.ops.assign_add(a, a) if isinstance(a, Parameter) else a.add_(a)
        return b * 2

    def read(a: Any, b: Any) -> Any:
        return a * b

    def of_one_array() -> tuple[Tensor, Tensor]:
        array = np.array([1.0, 2.0, 3.0], np.float32)
        return Tensor.from_numpy(array[:2]), Tensor.from_numpy(array[1:])

    def with_data() -> tuple[Tensor, Tensor]:
        own = Parameter(Tensor([1.0, 2.0]), name="own")
        return own, own.data

    def in_turn() -> tuple[Tensor, Tensor]:
        array = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
        return Tensor.from_numpy(array[::2]), Tensor.from_numpy(array[1::2])

    separate = Parameter(Tensor([1.0, 2.0]), name="separate"), Tensor([1.0, 2.0])
    for function in (assigned, added, read):
        run = ms.jit(function)
        run(*separate)
        for given in (of_one_array, with_data, in_turn) * 3:
            a, b = given()
            expected = numbers([function(a, b), a.value() if isinstance(a, Parameter) else a])
            a, b = given()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ms.FallbackWarning)
                assert numbers([run(a, b), a.value() if isinstance(a, Parameter) else a]) == expected
    with pytest.raises(ms.GraphError, match=r"share memory, .* copy"):
        ms.jit(assigned, fullgraph=True)(*with_data())
    ms.jit(assigned, fullgraph=True)(*in_turn())


def test_an_argument_that_the_function_also_finds_outside() -> None:
    table = Tensor([1.0, 2.0])

    @ms.jit
    def update(a: Any) -> Any:
        a += 1.0
        table[0] = 7.0
        return a * 1.0, table * 1.0

    assert numbers(update(table)) == [[7.0, 3.0], [7.0, 3.0]]
    assert numbers(table) == [7.0, 3.0]
    other = Tensor([0.0, 0.0])
    assert numbers(update(other)) == [[1.0, 1.0], [7.0, 3.0]]


def test_a_selection_given_as_an_argument_writes_through() -> None:
    @ms.jit
    def clear(row: Any) -> None:
        row[0] = 0.0

    for call in (clear.function, clear):
        x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ms.FallbackWarning)
            call(Tensor([1.0, 2.0]))
            call(x[1])
        assert numbers(x) == [[1.0, 2.0], [0.0, 4.0]]


class Keeper(nn.Cell):
    """Keeps tensors in attributes that share them."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        self.first = Tensor([0.0, 0.0])
        self.second = Tensor([1.0, 1.0])
        self.both = (self.first, self.second)

    def construct(self, x: Any) -> Any:
        weight = self.weight
        weight += 1.0
        self.first += x
        kept = self.first * 2.0
        if x.sum() > 3:
            self.second = kept
            self.both = (kept, self.first)
        else:
            self.second = self.first
            self.both = (x, kept)
        self.both[0][1] = 0.5
        return self.first * 1.0, self.second * 1.0


def test_what_is_stored_outside_stays_the_tensor_that_it_is() -> None:
    """Attributes that share a tensor share it in the next call, whichever branch ran."""
    found = []
    for graph in (False, True):
        net: Any = Keeper()
        call = ms.jit(net) if graph else net
        inputs = [Tensor([1.0, 2.0]), Tensor([4.0, 5.0]), Tensor([0.5, 0.25]), Tensor([1.0, 2.0])]
        with ms.disable_jit() if not graph else contextlib.nullcontext():
            steps = [numbers(call(x)) for x in (*inputs, inputs[0])]
        found.append([steps, numbers(inputs), numbers([net.first, net.second, net.both, net.weight])])
        assert net.second is net.first or net.second is net.both[0]
    assert found[0] == found[1]

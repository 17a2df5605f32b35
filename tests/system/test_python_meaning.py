"""Where Python's meaning counts, and where errors are Python's and MindSpore's at once: compiled and eager."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from both_modes import both, plain

import mycel as ms
from mycel import Parameter, Tensor, nn, ops


def test_a_whole_graph_refuses_numpy_arrays():
    with pytest.raises(RuntimeError, match="holds a NumPy array"):
        ms.jit(lambda x: (x, np.arange(2)), fullgraph=True)(Tensor(1.0))
    with pytest.raises(AttributeError, match="asnumpy"):
        ms.jit(lambda x: x.asnumpy(), fullgraph=True)(Tensor(1.0))


def test_results_that_hold_arrays_and_sets_are_made_anew_by_each_run():
    @ms.jit
    def f(x):
        return x, np.zeros(2), {1, 2}

    _, array, numbers = f(Tensor(1.0))
    array += 5
    numbers.add(3)
    _, array, numbers = f(Tensor(1.0))
    assert array.tolist() == [0.0, 0.0]
    assert numbers == {1, 2}


class Lazy(nn.Cell):
    def construct(self, x):
        numbers = np.array([1.5, 2.5])
        return (
            map(abs, [-1, 2]), map(abs, (-1, 2)), zip((1, 2), (3, 4), strict=True), enumerate("ab"),
            filter(None, [0, 1]),
            (i * i for i in range(3)), {"a": 1}.keys(), {"a": 1}.items(), numbers.sum(), np.float32(2), x,
        )  # fmt: skip


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_lazy_sequences_and_numpy_numbers_leave_as_python_ones(mode):
    ms.set_context(mode=mode)
    try:
        *found, x = Lazy()(Tensor(1.0))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert found == [
        [1, 2], (1, 2), ((1, 3), (2, 4)), ((0, "a"), (1, "b")), [1], [0, 1, 4], ("a",), [("a", 1)], 4.0, 2.0,
    ]  # fmt: skip
    assert [type(item) for item in found[-2:]] == [float, float]
    assert isinstance(x, Tensor)


def test_only_the_outermost_eager_cell_ends_lazy_sequences():
    class Inner(nn.Cell):
        def construct(self, x):
            return (x + i for i in range(3))

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def construct(self, x):
            return next(self.inner(x)), next(iter(self.inner(x)))

    assert [value.asnumpy().item() for value in Outer()(Tensor(1.0))] == [1.0, 1.0]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_tensor_may_be_in_a_list_of_numbers(compiled):
    def f(x):
        if x in [1, 2, 3]:
            return x * 10
        return x if x not in (7.0, 8.0) else -x

    function = ms.jit(f) if compiled else f
    assert [function(Tensor(v)).asnumpy().item() for v in (2.0, 5.0, 7.0)] == [20.0, 5.0, -7.0]


def test_a_tensor_of_several_elements_is_no_number():
    def f(x):
        return 5 in [x], x in (5, 1.0), 5 not in [x, 3], x * (5 in [x, 5])

    found = ms.jit(f, fullgraph=True)(Tensor([1.0, 5.0]))
    assert found[:3] == (False, False, True)
    assert found[3].asnumpy().tolist() == [1.0, 5.0]
    assert [bool(item) for item in ms.jit(f, fullgraph=True)(Tensor([5.0]))[:3]] == [True, True, False]


def test_and_and_or_of_run_time_bools_are_bools():
    def f(x):
        n = x.sum().item() > 0
        return n and True, n or False, n and (x.sum().item() < 5), n and False, (x.sum() > 0) and (x.sum() > 5)

    for value in (1.0, -1.0, 7.0):
        found, expected = ms.jit(f, fullgraph=True)(Tensor([value])), f(Tensor([value]))
        assert [bool(item) for item in found] == [bool(item) for item in expected]
        assert [type(item) for item in found] == [bool] * 4 + [Tensor]

    def tensor_at_last(x):
        return x.sum().item() > 0 and x.sum() > 5, x.sum().item() < 0 or x.sum() > 5

    for value in (1.0, 7.0):
        both(tensor_at_last, Tensor([value]))


def test_a_branch_that_never_runs_is_not_traced():
    def divides(x):
        for i in range(3):
            if x > 1 and i > 0:
                x = x - 1.0 / i
            if not (x < 1 or i == 0):
                x = x + 1.0 / i
        return x, int(x) > 5 and i < 0, int(x) > 5 or i > 0

    for start in (4.0, -1.0):
        found, expected = ms.jit(divides, fullgraph=True)(Tensor(start)), divides(Tensor(start))
        assert plain(found) == plain(expected)


@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
@pytest.mark.parametrize("start", [2.0, -2.0])
def test_a_name_that_one_branch_binds_in_a_try(start):
    @ms.jit
    def f(x):
        if x > 0:
            y = x
        try:
            return y
        except NameError:
            return x * 7

    assert f(Tensor(start)).item() == (start if start > 0 else start * 7)


def test_conditions_of_one_element_of_any_rank():
    def f(x, y):
        if x:
            return y * 2, y * 3
        return y, y

    for shape in ((), (1,), (1, 1)):
        for value in (1.0, 0.0):
            both(f, Tensor(np.full(shape, value, np.float32)), Tensor([1.0, 2.0]))
        graph = ms.jit(f, fullgraph=True).stages(Tensor(np.ones(shape, np.float32)), Tensor([1.0])).joint
        (chosen,) = [node for node in graph.nodes if node.op.name == "cond"]
        assert chosen.inputs[0].type.shape == ()


def test_printed_formats_with_conversions(capsys):
    def f(x):
        print("{!r:>50}|{!s}|{:.2f}|{n!r}".format(x, "a", x.sum(), n="b"))
        print("{1!r} {0[0]:.1f} {1!s:>4}".format(x, "c"), "{!r}{}".format("d", x))
        return x

    f(Tensor([1.0]))
    eager = capsys.readouterr().out
    ms.jit(f, fullgraph=True)(Tensor([1.0]))
    assert capsys.readouterr().out == eager
    assert eager.count("'") == 6
    for template in ("{} {0}", "{0} {}"):
        for function in (ms.jit(lambda x, t=template: print(t.format(x))), template.format):
            with pytest.raises(ValueError, match="cannot switch from"):
                function(Tensor([1.0]))


@pytest.mark.parametrize(
    ("start", "stop", "step"),
    [(5, 0, -2), (0, 5, 2), (0, 5, -1), (5, 0, 1), (5, 0, -5), (3, 3, 1), (3, 3, -1), (-4, 1, 1)],
)
def test_ranges_with_steps_that_the_run_knows(start, stop, step):
    def f(a, b, c, x):
        for i in range(a, b, c):
            x = x * 2 + i
        return x

    arguments = [Tensor(number) for number in (start, stop, step)]
    found = ms.jit(lambda a, b, c, x: f(a.item(), b.item(), c.item(), x), fullgraph=True)(*arguments, Tensor(1.0))
    assert found == f(start, stop, step, Tensor(1.0))


def test_attributes_are_deleted_in_graphs():
    class Box:
        shift = 5.0

        def __init__(self):
            self.factor = 2.0
            self.shift = 1.0

    def f(x):
        box = Box()
        y = x * box.factor + box.shift
        del box.shift
        y = y * box.shift
        del box.factor
        return y, hasattr(box, "factor"), box.__dict__ == {}

    assert both(f, Tensor(1.0))[1:] == (False, True)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = 3.0

        def construct(self, x):
            y = x * self.scale
            del self.scale
            return y

    net = Net()
    with pytest.warns(ms.FallbackWarning, match="the deletion of attribute 'scale' of a value of type Net"):
        assert ms.jit(net)(Tensor(2.0)) == 6.0
    assert not hasattr(net, "scale")


def test_the_limit_of_recursion_is_back_after_a_compilation(monkeypatch):
    """While one function is compiled there is more room; afterwards there is as much as before, whatever happened."""
    usual, seen, put = sys.getrecursionlimit(), [], sys.setrecursionlimit
    monkeypatch.setattr(sys, "setrecursionlimit", lambda limit: (seen.append(limit), put(limit)))
    inner = ms.jit(lambda x: x * 1.0)

    def f(x, fails):
        y = inner(x) + 1.0
        if fails:
            raise KeyError("told")
        return y

    assert ms.jit(f)(Tensor(1.0), False) == 2.0
    assert sys.getrecursionlimit() == seen[-1] == usual < seen[0]
    with pytest.raises(KeyError, match="told"):
        ms.jit(f)(Tensor(2.0), True)
    assert sys.getrecursionlimit() == usual


@pytest.mark.parametrize("compiled", [True, False])
def test_all_and_any_give_bools(compiled):
    def f(x, y):
        return all(x), any(x), all([y > 0, True]), any((y > 5, False))

    function = ms.jit(f) if compiled else f
    result = function(Tensor([True, False]), Tensor(3.0))
    assert [bool(item) for item in result] == [False, True, True, False]
    if compiled:
        assert [type(item) for item in result] == [bool] * 4


def test_item_is_a_number_that_only_the_run_knows():
    @ms.jit(fullgraph=True)
    def f(x, y):
        total = x.sum().item()
        if total > 3:
            return total, x * total, y.item() + 1, x.item(1)
        return -total, x, y.item(), x.item((0,))

    first = f(Tensor([1.0, 3.0]), Tensor(2))
    second = f(Tensor([1.0, 1.0]), Tensor(2))
    assert (first[0], first[1].asnumpy().tolist(), first[2:]) == (4.0, [4.0, 12.0], (3, 3.0))
    assert (second[0], second[2:]) == (-2.0, (2, 1.0))
    with pytest.raises(ValueError, match=r"item\(\) takes a tensor of one element"):
        ms.jit(lambda x: x.item())(Tensor([1.0, 2.0]))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_call_method_of_the_users_runs_once(mode):
    class Doubled(nn.Cell):
        def __call__(self, x):
            return super().__call__(x) * 2

        def construct(self, x):
            return x + 1

    ms.set_context(mode=mode)
    try:
        assert Doubled()(Tensor(3.0)).asnumpy() == 8.0
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_tensors_that_graphs_print_have_no_commas(capsys):
    class Net(nn.Cell):
        def construct(self, x, y):
            print(x, "is x")
            print(y)
            return x

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        Net()(Tensor([[1.0, 2.5], [3.0, 4.0]]), Tensor([1, -2], ms.int32))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert capsys.readouterr().out == (
        "Tensor(shape=[2, 2], dtype=Float32, value=\n[[ 1.00000000e+00  2.50000000e+00]\n"
        " [ 3.00000000e+00  4.00000000e+00]])\nis x\nTensor(shape=[2], dtype=Int32, value=[ 1 -2])\n"
    )


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (0.0, None), (None, 1.0)])
def test_an_element_at_a_bound_of_clamp_passes_the_whole_gradient(bounds):
    x = Tensor([-1.0, 0.0, 0.5, 1.0, 2.0])
    inside = [(low is None or v >= low) and (high is None or v <= high) for low, high in [bounds] for v in x.tolist()]
    for function in (ops.clamp, ops.clip, Tensor.clamp):
        assert ms.grad(lambda x, function=function: function(x, *bounds))(x).tolist() == [float(i) for i in inside]
    halves = ms.grad(lambda x: ops.clip_by_value(x, 0.0, 1.0))(x)
    assert halves.tolist() == [0.0, 0.5, 1.0, 0.5, 0.0]


def test_one_gradient_that_is_left_comes_alone():
    def f(k, x):
        return x * k

    x = Tensor([2.0])
    with pytest.warns(UserWarning, match="by argument 0 is left out"):
        assert ms.grad(f, (0, 1))(3, x).tolist() == [3.0]
    with pytest.warns(UserWarning, match="is left out"):
        assert ms.grad(f, (0, 1))(3, 4) == ()
    assert [g.tolist() for g in ms.grad(f, (0, 1))(x, x)] == [[2.0], [2.0]]
    assert [g.tolist() for g in ops.GradOperation(get_all=True)(f)(3, x)] == [[3.0]]


def test_the_scale_that_a_step_returns_is_of_that_step():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0]), name="w")

        def construct(self, x):
            return (x * self.w).sum()

    net = Net()
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), Tensor(8.0))
    result = step(Tensor([2.0]))
    step.set_sense_scale(Tensor(64.0))
    assert result[2].asnumpy() == 8.0


def test_targets_are_stored_from_left_to_right():
    class Box:
        pass

    def f(x):
        box, rows, i = Box(), [x, x + 1, x + 2], 0
        while i < len(rows):
            rows[i], i = rows[i] * 2, i + 1
        i, rows[i - 3], *box.rest = 0, i, x, 5
        for i, rows[i] in ((1, x), (2, x * 7)):
            rows.append(i)
        return rows, i, box.rest

    both(f, Tensor(1.0))


def test_classes_of_the_body_have_their_attributes_at_once():
    def f(x):
        class Sum:
            unit = 2

            def __init__(self, value):
                self.value = value

            def __add__(self, other):
                return Sum(self.value + other)

            @classmethod
            def make(cls, value):
                return cls(value * cls.unit)

        total = Sum.make(x) + 1
        if total.value.sum() > 3:
            total.value = total.value * 10
        return total.value

    assert both(f, Tensor([1.5])).tolist() == [40.0]
    assert both(f, Tensor([0.5])).tolist() == [2.0]


def test_a_name_that_is_only_annotated():
    def f(x):
        number: int = 3
        later: list[int]
        if number > 2:
            later = [1]
        return x * number, later

    def unbound(x):
        name: int
        return x + name  # noqa: F821

    both(f, Tensor(2.0))
    with pytest.raises(UnboundLocalError, match="'name'"):
        ms.jit(unbound)(Tensor(1.0))

    def never(x):
        name: str  # noqa: F842
        return x * 2

    assert both(never, Tensor(1.0)).asnumpy() == 2.0

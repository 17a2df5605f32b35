"""Bad input: one clear error that names the user's line, and leaves Parameters, graphs and generator as they were."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from error_checks import CARETS, fails, marked_line, traces

import mycel as ms
from mycel import Parameter, Tensor, nn, ops


@pytest.fixture(autouse=True)
def graph_mode() -> Iterator[None]:
    """Everything here is about graph mode; a fallback to eager would be a failure."""
    ms.set_context(mode=ms.GRAPH_MODE)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ms.FallbackWarning)
        yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Layer(nn.Cell):
    """Changes a Parameter and draws random numbers before it multiplies."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(ops.ones((4, 3)), name="weight")
        self.calls = Parameter(Tensor(0, ms.int32), name="calls")

    def construct(self, x: Tensor) -> Tensor:
        ops.assign_add(self.calls, Tensor(1, ms.int32))
        x = x + ops.rand_like(x)
        return ops.matmul(x, self.weight)  # here


def test_shapes_that_do_not_fit() -> None:
    net = Layer()
    message = fails(
        lambda: net(ops.ones((2, 5))),
        RuntimeError,
        r"matmul: .*\(2, 5\) and \(4, 3\)",
        at=Layer,
        marked="ops.matmul(x, self.weight)",
        parameters=net.get_parameters(),
        compiled=[net],
    )
    assert message.count("\n") == (3 if CARETS else 2)
    net(ops.ones((2, 4)))
    assert net.calls.asnumpy() == 1
    fails(
        lambda: net(ops.ones((2, 5))),
        RuntimeError,
        "matmul",
        at=Layer,
        parameters=net.get_parameters(),
        compiled=[net],
    )
    net(ops.ones((2, 4)))
    assert len(net.__dict__["_compiled"].explain().traces) == 1


def test_shapes_that_do_not_fit_in_a_layer_of_the_library() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(4, 2)

        def construct(self, x: Tensor) -> Tensor:
            return self.dense(x)  # here

    words = "last axis of the input is 5 and in_channels is 4"
    net = Net()
    fails(lambda: net(ops.ones((2, 5))), ValueError, words, at=Net, marked="self.dense(x)", compiled=[net])


def test_shapes_that_cannot_be_broadcast() -> None:
    @ms.jit
    def f(x: Tensor, y: Tensor) -> Tensor:
        z = x * 2
        return z + y  # here

    words = r"\(2, 3\) and \(2,\) cannot be broadcast"
    fails(lambda: f(ops.ones((2, 3)), ops.ones(2)), ValueError, words, at=f, marked="z + y", compiled=[f])


def test_dtypes_that_do_not_fit() -> None:
    @ms.jit
    def f(x: Tensor, indices: Tensor) -> Tensor:
        return ops.gather(x, indices, 0)  # here

    words = "should hold integers, but its dtype is Float32"
    fails(lambda: f(ops.ones(3), ops.ones(2)), TypeError, words, at=f, marked="ops.gather(x, indices, 0)", compiled=[f])


def test_the_error_of_a_function_that_is_called() -> None:
    def helper(x: Tensor) -> Tensor:
        return x.reshape((3, 3))  # here

    @ms.jit
    def f(x: Tensor) -> Tensor:
        return helper(x) * 2

    words = r"shape \(2, 4\) has 8 elements, but shape \(3, 3\) needs 9"
    fails(lambda: f(ops.ones((2, 4))), ValueError, words, at=helper, marked="x.reshape((3, 3))", compiled=[f])


def test_an_error_in_a_function_that_is_differentiated() -> None:
    net = Layer()
    gradient = ms.value_and_grad(net, None, net.trainable_params())
    fails(
        lambda: gradient(ops.ones((2, 5))),
        RuntimeError,
        "matmul",
        at=Layer,
        marked="ops.matmul(x, self.weight)",
        parameters=net.get_parameters(),
        compiled=[gradient],
    )


@pytest.mark.parametrize("function", [ms.grad, ms.value_and_grad])
@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ((None, None), ValueError, "`grad_position` and `weight` can not be None at the same time"),
        ((-1,), ValueError, "'grad_position' must be >= 0, but got -1"),
        (((0, 0),), ValueError, "duplicate"),
        (("x",), TypeError, "'grad_position' must be int or tuple of ints, or None, but got 'x'"),
        ((True,), TypeError, "'grad_position'"),
        ((None, "weight"), TypeError, "'weights' should be a Parameter, or a list or tuple of them, but got str"),
        ((None, ["weight"]), TypeError, "'weights' should hold Parameters, but got str"),
        ((None, [Tensor(1.0)]), TypeError, "'weights' should hold Parameters, but got Tensor"),
        ((0, None, "yes"), TypeError, "'has_aux' of .* should be a bool, but got str"),
        ((None, Parameter(1.0), Parameter(2.0)), TypeError, "but got Parameter: several weights go into one list"),
    ],
)
def test_requests_for_gradients(function: Any, arguments: Any, kind: type[Exception], words: str) -> None:
    net = Layer()
    with pytest.raises(kind, match=words):
        function(net, *arguments)
    assert traces(net) == [()]


def test_a_position_that_is_out_of_range() -> None:
    gradient = ms.grad(lambda x: x * x, 2)
    for kind in (IndexError, RuntimeError):
        with pytest.raises(kind, match="grad_position 2 is out of range: <lambda> was called with 1 positional"):
            gradient(Tensor(1.0))
    assert gradient.explain().traces == ()


def test_a_gradient_that_was_not_asked_for() -> None:
    net = Layer()
    other = Parameter(Tensor(1.0), name="other")
    gradients = ms.grad(net, 0, [net.weight], return_ids=True)(ops.ones((2, 4)))
    with pytest.raises(RuntimeError, match="Can not find the gradient for position or Parameter 'other'"):
        ms.get_grad(gradients, other)
    with pytest.raises(RuntimeError, match="Can not find the gradient for position or Parameter 1"):
        ms.get_grad(gradients, 1)


def test_an_attribute_that_is_not_there() -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * self.wieght  # here

    words = "'Net' object has no attribute 'wieght'"
    net = Net()
    fails(lambda: net(ops.ones(2)), AttributeError, words, at=Net, marked="self.wieght", compiled=[net])


def test_a_method_that_tensors_do_not_have() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x.squash()  # here

    fails(lambda: f(ops.ones(2)), AttributeError, "'Tensor' object has no attribute 'squash'", at=f, compiled=[f])


def test_operators_that_tensors_do_not_have() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x + "one"  # type: ignore[operator] # here

    words = r"unsupported operand type\(s\) for \+: 'Tensor' and 'str'"
    fails(lambda: f(ops.ones(2)), TypeError, words, at=f, compiled=[f])


def test_a_name_that_is_not_there() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x + nothing_of_this_name  # type: ignore[name-defined] # noqa: F821 # here

    fails(lambda: f(ops.ones(2)), NameError, "'nothing_of_this_name' is not defined", at=f, compiled=[f])


def test_an_index_that_is_out_of_range() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x[5]  # here

    words = "index 5 is out of range for dimension 0"
    fails(lambda: f(ops.ones(2)), IndexError, words, at=f, marked="x[5]", compiled=[f])


def test_a_position_that_is_out_of_range_in_the_kernel_of_a_loop() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        total = x[0, 0] * 0
        for step in range(40):
            total = total + x[step + 5, 1]  # here
        return total

    # A kernel knows the last position before it runs; without machine code, the loop meets the first.
    words = r"index (44|20) is out of range for dimension 0, of size 20, of a tensor of shape \(20, 3\)"
    fails(lambda: f(ops.ones((20, 3))), IndexError, words, at=f)

    @ms.jit
    def g(x: Tensor, rows: Tensor) -> Tensor:
        total = x[0] * 0
        for step in range(30):
            total = total + x[rows[step]]  # here
        return total

    fails(lambda: g(ops.ones((20, 3)), ops.arange(30)), IndexError, "index (29|20) is out of range", at=g)


X = ops.ones((4, 5))


@pytest.mark.parametrize(
    "call",
    [
        lambda: Tensor([True]) - Tensor([False]),
        lambda: ops.sigmoid(Tensor([True])),
        lambda: Tensor([True]) // Tensor([True]),
        lambda: Tensor([1.0]) & Tensor([2.0]),
        lambda: Tensor([[1.0, 2.0]]) + Tensor([1.0, 2.0, 3.0]),
        lambda: Tensor([[1.0, 2.0]]).reshape(5),
        lambda: ops.broadcast_to(Tensor([[1.0], [2.0]]), (3, 4)),
        lambda: ops.scatter_nd(Tensor([[9]]), Tensor([1.0]), (3,)),
        lambda: Tensor([[1.0, 2.0]])[0, Tensor([1, 5])],
    ],
)
def test_errors_of_constants_in_a_graph_are_those_outside(call: Callable[[], Any]) -> None:
    """Constants are folded while the function is traced."""
    with pytest.raises((TypeError, ValueError, IndexError)) as outside:
        call()
    with pytest.raises(type(outside.value)) as inside:
        ms.jit(call)()
    assert str(inside.value).partition("\n")[0] == str(outside.value)


@pytest.mark.parametrize(
    ("line", "x", "axis", "shape"),
    [
        ("x[:, i] = 2.0", X, 1, "(4, 5)"),
        ("x[j, i] = 2.0", X, 1, "(4, 5)"),
        ("x[:, i] += 2.0", X, 1, "(4, 5)"),
        ("x[j, i] = 2.0", ops.ones((5, 5)), 1, "(5, 5)"),
        ("x = x.T[i] * 2.0", X, 0, "(5, 4)"),
        ("x = x[1:3, i] * 2.0", X, 1, "(4, 5)"),
        ("x = x[2, i] * 2.0", X, 1, "(4, 5)"),
        ("x = x.reshape(1, 4, 5)[:, 2, i] * 2.0", X, 2, "(1, 4, 5)"),
        ("x = x[2][i] * 2.0 + x[j, 2]", X, 1, "(4, 5)"),
        ("x = x.reshape(5, 1, 4)[i, 0] + x[j, :4]", X, 0, "(5, 1, 4)"),
        ("x[2:3, :, i] = 2.0", ops.ones((3, 1, 5)), 2, "(3, 1, 5)"),
    ],
)
@pytest.mark.parametrize("off", [(), ("kernels", "placed")])
def test_a_position_out_of_range_names_the_dimension_of_the_line(
    line: str, x: Tensor, axis: int, shape: str, off: tuple[str, ...]
) -> None:
    source = f"def f(x, i, j):\n    {line}\n    return x"
    names: dict[str, Any] = {}
    exec(source, names)
    words = rf"index 7 is out of range for dimension {axis}, of size 5, of a tensor of shape {re.escape(shape)}"
    with pytest.raises(IndexError, match=words):
        ms.jit(names["f"], fullgraph=True, passes_off=off)(ops.add(x, 0), Tensor(7), Tensor(1))


def test_too_many_indices() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x[0, 0]  # here

    words = r"too many indices for a tensor of shape \(2,\)"
    fails(lambda: f(ops.ones(2)), IndexError, words, at=f, marked="x[0, 0]", compiled=[f])


def test_arguments_that_do_not_fit() -> None:
    net = Layer()
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        net()
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        net(Tensor(1.0), Tensor(2.0))
    with pytest.raises(TypeError, match="'y'"):
        net(y=Tensor(1.0))
    assert traces(net) == [()]
    assert net.calls.asnumpy() == 0


class Counter(nn.Cell):
    """Counts its calls, then fails or not, as the numbers decide."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = Parameter(Tensor(0, ms.int32), name="calls")
        self.table = Parameter(ops.ones(3), name="table")


def failing_runs() -> list[Any]:
    """Cells whose run fails for negative numbers: class, error, its words, whether the words are the user's."""

    class Asserts(Counter):
        def construct(self, x: Tensor) -> Tensor:
            ops.assign_add(self.calls, Tensor(1, ms.int32))
            self.table = self.table * x
            assert x >= 0, "x should not be negative"  # here
            return x

    class Raises(Counter):
        def construct(self, x: Tensor) -> Tensor:
            ops.assign_add(self.calls, Tensor(1, ms.int32))
            self.table = self.table * x
            if x < 0:
                raise ValueError("x is negative")  # here
            return x

    class Looks(Counter):
        def construct(self, x: Tensor) -> Tensor:
            ops.assign_add(self.calls, Tensor(1, ms.int32))
            self.table = self.table * x
            index = ops.select(x < 0, 7, 1)
            return self.table[index]  # here

    return [
        pytest.param(Asserts, AssertionError, r"^x should not be negative$", id="assert"),
        pytest.param(Raises, ValueError, r"^x is negative$", id="raise"),
        pytest.param(Looks, IndexError, r"index 7 is out of range .*\n  at .*test_bad_input.py:\d+, in", id="index"),
    ]


@pytest.mark.parametrize(("kind", "error", "words"), failing_runs())
def test_an_error_that_only_the_run_finds(kind: Any, error: type[Exception], words: str) -> None:
    net = kind()
    assert net(Tensor(2.0)).asnumpy() in (1.0, 2.0)
    before = {parameter.name: parameter.asnumpy() for parameter in net.get_parameters()}
    assert before["calls"] == 1
    made = traces(net)
    for _ in range(2):
        with pytest.raises(error, match=words) as caught:
            net(Tensor(-1.0))
        frames = traceback.extract_tb(caught.tb)
        assert any(frame.filename == __file__ and frame.lineno == marked_line(kind) for frame in frames)
    for parameter in net.get_parameters():
        np.testing.assert_array_equal(parameter.asnumpy(), before[parameter.name])
    assert traces(net) == made
    net(Tensor(1.0))
    assert net.calls.asnumpy() == 2


def test_an_error_of_the_users_own_stays_as_it_is() -> None:
    class OwnError(Exception):
        pass

    @ms.jit
    def f(x: Tensor) -> Tensor:
        raise OwnError("of my own", 3)  # here

    with pytest.raises(OwnError) as caught:
        f(Tensor(1.0))
    assert caught.value.args == ("of my own", 3)
    assert f.explain().traces == ()


def test_parameters_that_do_not_fit() -> None:
    parameter = Parameter(ops.ones((2, 3)), name="weight")
    with pytest.raises(ValueError, match=re.escape("'weight' has shape (2, 3), but set_data got data of shape (3,)")):
        parameter.set_data(ops.ones(3))
    assert parameter.asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.weight = parameter

        def construct(self, x: Tensor) -> Tensor:
            self.weight = x  # type: ignore[assignment] # here
            return x

    net = Net()
    fails(
        lambda: net(ops.zeros(5)),
        ValueError,
        r"'weight' has shape \(2, 3\), but is assigned a value of shape \(5,\)",
        at=Net,
        parameters=[parameter],
        compiled=[net],
    )


def test_a_parameter_made_in_construct() -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * Parameter(Tensor(2.0))  # here

    words = "creating a Parameter is not supported in 'construct' or @jit decorated function: create it in __init__"
    fails(lambda: Net()(Tensor(1.0)), RuntimeError, words, at=Net, marked="Parameter(Tensor(2.0))")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"capture_mode": "none"}, ValueError, "For 'jit', the 'capture_mode' must be str and must be in"),
        ({"jit_level": "O7"}, ValueError, "For 'jit', the 'jit_level' must be str and must be in"),
        ({"dynamic": 5}, ValueError, r"'dynamic' must be in range of \[0, 1\]"),
        ({"dynamic": "yes"}, TypeError, "'dynamic' must be int"),
        ({"fullgraph": 1}, TypeError, "'fullgraph' must be a bool"),
        ({"backend": 3}, TypeError, "'backend' must be str"),
    ],
)
def test_options_of_jit_that_do_not_exist(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ms.jit(lambda x: x, **options)


@pytest.mark.parametrize(
    ("setting", "error", "words"),
    [
        ({"max_call_depth": -1}, ValueError, "'max_call_depth' must be greater than 0, but got -1"),
        ({"mode": "graph"}, TypeError, "must be <class 'int'>.*: write mycel.GRAPH_MODE or mycel.PYNATIVE_MODE"),
        ({"inter_op_parallel_num": -1}, ValueError, "'inter_op_parallel_num' should not be negative, but got -1"),
        ({"reserve_class_name_in_scope": 5}, TypeError, "The parameter 'reserve_class_name_in_scope' must be"),
        ({"max_call_depth": "a"}, TypeError, "The parameter 'max_call_depth' must be <class 'int'>"),
        ({"jit_syntax_level": 9}, ValueError, "should be context.STRICT or context.LAX, but got 9"),
        ({"deterministic": "x"}, ValueError, r"'deterministic' must be one of \['ON', 'OFF'\], but got x"),
        ({"device_target": "TPU"}, ValueError, "'device_target' must be one of"),
        ({"jit_config": {"jit_level": "O9"}}, ValueError, "jit_level must be one of"),
        ({"nothing": 1}, ValueError, "the keyword argument nothing is not recognized"),
    ],
)
def test_settings_that_do_not_exist(setting: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ms.set_context(**setting)


@pytest.mark.parametrize("option", ["jit_level", "exc_mode", "jit_syntax_level"])
def test_configurations_that_do_not_exist(option: str) -> None:
    with pytest.raises(ValueError, match=f"For '{option}' must be one of"):
        ms.JitConfig(**{option: "nothing"})


class Two(nn.Cell):
    def construct(self, x: Any, y: Any = 2) -> Any:
        return x * y


def test_inputs_that_were_declared_otherwise(graph_mode: None) -> None:
    rows = Tensor(shape=[None, 2], dtype=ms.float32)
    net = Two()
    net(ops.ones((3,)))
    net.set_inputs(rows)
    assert net(ops.ones((3, 2))).shape == (3, 2)
    assert net(ops.ones((5, 2))).shape == (5, 2)
    with pytest.raises(ValueError, match="the dims of 1th input must be the same as expected"):
        net(ops.ones((3,)))
    with pytest.raises(ValueError, match="the shape of 1th input must be the same as expected, but got expected: 2"):
        net(ops.ones((3, 4)))
    with pytest.raises(TypeError, match=r"1th type should be Tensor\[Float32\], but got Tensor\[Int32\]"):
        net(ops.ones((3, 2), ms.int32))
    with pytest.raises(TypeError, match="total 2, but set_inputs got 3"):
        net.set_inputs(rows, rows, rows)
    with pytest.raises(ValueError, match=r"valid key is \['x', 'y'\], but got z"):
        net.set_inputs(z=rows)


def test_numbers_have_no_length_that_varies() -> None:
    with pytest.raises(TypeError, match="the first input should be list or tuple, but got: int"):
        ms.mutable(3, True)
    assert ms.mutable([1, 2], True) == [1, 2]


def test_a_method_of_an_object_that_nothing_else_holds() -> None:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @ms.jit
        def run(self, x: Any) -> Any:
            return x * self.factor

    assert Scale(3.0).run(Tensor(2.0)) == 6.0
    assert Scale(4.0).run(Tensor(2.0)) == 8.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nn.Softmax(axis=1.5), "For 'Softmax', the type of 'axis' should be one of"),
        (lambda: nn.Softmax(axis=[1]), "For 'Softmax', the type of 'axis' should be one of"),
        (lambda: nn.CrossEntropyLoss(ignore_index=True), "the type of 'ignore_index' should be 'int'"),
        (lambda: nn.CrossEntropyLoss(ignore_index=None), "the type of 'ignore_index' should be 'int'"),
    ],
)
def test_layers_name_arguments_of_wrong_types(make, message):
    with pytest.raises(TypeError, match=message):
        make()

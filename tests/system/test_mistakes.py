"""Mistakes in programs that would otherwise pass without a word, or end in a message about mycel's insides."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops

X = Tensor(np.ones((1, 2), np.float32))
Y = Tensor(np.ones((1, 1), np.float32))


class NoReturn(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(2, 1)

    def construct(self, x: Tensor, label: Any = None) -> Any:
        self.dense(x)


def no_return(x: Tensor) -> Any:
    x * x


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


@_wrapped
def decorated(
    x: Tensor,
) -> Any:
    return None


def a_number(x: Tensor) -> Any:
    return 3.0


def no_first(x: Tensor) -> Any:
    return None, x


def _train(sens: Any = None) -> Any:
    net = NoReturn()
    return nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1), sens)(X)


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
def mode(request: pytest.FixtureRequest) -> Any:
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize(
    ("call", "defined", "told"),
    [
        (lambda: ms.value_and_grad(NoReturn(), None, NoReturn().trainable_params())(X), NoReturn.construct, "None"),
        (lambda: ms.grad(NoReturn())(X), NoReturn.construct, "None"),
        (lambda: ms.grad(ms.jit(no_return))(X), no_return, "None"),
        (lambda: ms.jit(ms.grad(no_return))(X), no_return, "None"),
        (lambda: ops.GradOperation(get_all=True)(no_return)(X), no_return, "None"),
        (lambda: ms.grad(no_first, has_aux=True)(X), no_first, "None"),
        (lambda: ms.grad(decorated)(X), decorated, "None"),
        (lambda: ms.vjp(no_return, X), no_return, "None"),
        (lambda: ms.jacrev(no_return)(X), no_return, "None"),
        (_train, NoReturn.construct, "None"),
        (lambda: _train(2.0), NoReturn.construct, "None"),
    ],
)
def test_a_function_that_returns_no_loss(call: Callable[[], Any], defined: Any, told: str, mode: None) -> None:
    with pytest.raises(
        TypeError, match=rf"nothing to differentiate .* it returns {told}. .* should return the loss"
    ) as e:
        call()
    lines, first = inspect.getsourcelines(defined)
    first += next(number for number, line in enumerate(lines) if line.strip().startswith("def "))
    assert f"\n  at {__file__}:{first}, in {defined.__name__}\n    def {defined.__name__}" in str(e.value)


def test_a_number_has_gradients_of_zero(mode: None) -> None:
    """As in MindSpore."""
    assert ms.grad(a_number)(X).asnumpy().tolist() == np.zeros(X.shape).tolist()


def test_a_function_that_returns_no_loss_in_a_fallback() -> None:
    def reads(x: Tensor) -> Any:
        x.asnumpy()

    with pytest.warns(ms.FallbackWarning), pytest.raises(TypeError, match="nothing to differentiate"):
        ms.jit(ms.grad(reads))(X)


FILLED: dict[str, Any] = {
    "axis": 0, "dim": 0, "shape": (3, 2), "size": (2, 3), "dtype": ms.float32, "indices": Tensor([0]),
    "index": Tensor(np.zeros((2, 3), np.int64)), "labels": Tensor([0, 1]), "target": Tensor([0, 1]),
}  # fmt: skip
HELPERS = {"conv", "core", "table"}  # what makes the functions
HOMES = {"ops": ops, "mint": ms.mint, "functional": ms.mint.nn.functional, "linalg": ms.mint.linalg}


def _functions() -> dict[str, Any]:
    """The public functions whose first argument is a tensor, as their own annotation or the table says."""
    found = {}
    for home, module in HOMES.items():
        for name in dir(module):
            function = None if name.startswith("_") or name in HELPERS else getattr(module, name)
            place = getattr(function, "__module__", "") or ""
            if not inspect.isfunction(function) or not place.startswith(
                ("mycel.library.functions.", "mycel.library.mint")
            ):
                continue
            parameters = list(inspect.signature(function).parameters.values())
            if parameters and parameters[0].kind is parameters[0].POSITIONAL_OR_KEYWORD:
                found[f"{home}.{name}"] = function
    return found


def _call(function: Any, first: Any) -> Any:
    """Call a function with its first argument, and plausible ones for the others that it needs."""
    _, *others = [
        item for item in inspect.signature(function).parameters.values()
        if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)
    ]  # fmt: skip
    needed = [item for item in others if item.default is item.empty]
    values = {item.name: FILLED.get(item.name, Tensor(np.ones((2, 3), np.float32))) for item in needed}
    positional = [values[item.name] for item in needed if item.kind is not item.KEYWORD_ONLY]
    return function(first, *positional, **{i.name: values[i.name] for i in needed if i.kind is i.KEYWORD_ONLY})


FUNCTIONS = _functions()


def test_all_functions_are_tried() -> None:
    assert len(FUNCTIONS) > 700


@pytest.mark.parametrize("home", HOMES)
def test_an_array_in_place_of_a_tensor(home: str) -> None:
    """Either it is taken as data or the error is about the argument: never about mycel's insides."""
    for name, function in FUNCTIONS.items():
        for first in (np.ones((2, 3), np.float32), [1.0, 2.0], None) if name.startswith(f"{home}.") else ():
            text = ""
            try:
                _call(function, first)
            except (TypeError, ValueError, RuntimeError) as error:
                text = str(error)
            except Exception as error:
                raise AssertionError(f"{name} of {first!r}") from error
            assert "object has no attribute" not in text, name
            assert "mycel.frontend" not in text, name
            if text.endswith("but got ndarray"):
                assert "should be a Tensor" not in text, name  # without what to write


LAYERS: list[tuple[Callable[[], Any], tuple[int, ...]]] = [
    (lambda: nn.Dense(3, 4), (2, 3)),
    (lambda: nn.Linear(3, 4), (2, 3)),
    (lambda: ms.mint.nn.Linear(3, 4), (2, 3)),
    (lambda: nn.Conv2d(3, 2, 2), (1, 3, 4, 4)),
    (lambda: nn.BatchNorm2d(3), (1, 3, 4, 4)),
    (lambda: nn.LayerNorm((3,)), (2, 3)),
    (lambda: nn.GroupNorm(1, 3), (1, 3, 4, 4)),
    (lambda: nn.InstanceNorm2d(3), (1, 3, 4, 4)),
    (lambda: nn.ReLU(), (2, 3)),
    (lambda: nn.Softmax(), (2, 3)),
    (lambda: nn.MaxPool2d(2), (1, 3, 4, 4)),
    (lambda: nn.AdaptiveAvgPool2d(2), (1, 3, 4, 4)),
    (lambda: nn.Flatten(), (2, 3)),
    (lambda: nn.LSTM(3, 2), (2, 2, 3)),
    (lambda: nn.Embedding(5, 3), (2,)),
    (lambda: nn.Moments(axis=0), (2, 3)),
    (lambda: nn.SequentialCell(nn.Dense(3, 4), nn.ReLU()), (2, 3)),
]


@pytest.mark.parametrize(("make", "shape"), LAYERS)
def test_an_array_in_place_of_a_tensor_in_a_layer(make: Callable[[], Any], shape: tuple[int, ...], mode: None) -> None:
    layer = make()
    with pytest.raises(TypeError, match=r"should be a Tensor, but got ndarray: write Tensor\(\w+\)"):
        layer(np.ones(shape, np.float32))
    for wrong in ([1.0], None):
        with pytest.raises(TypeError, match=f"should be a Tensor, but got {type(wrong).__name__}"):
            layer(wrong)


def test_an_array_in_place_of_the_second_tensor_of_a_layer() -> None:
    with pytest.raises(TypeError, match=r"MSELoss: '\w+' should be a Tensor, but got ndarray"):
        nn.MSELoss()(X, np.ones((1, 2), np.float32))


def test_what_takes_arrays() -> None:
    array = np.full((1, 2), 2.0, np.float32)
    assert (X + array).asnumpy().tolist() == (X * array + 1).asnumpy().tolist() == [[3.0, 3.0]]
    assert nn.Identity()(array) is array

    class Own(nn.Dense):
        def construct(self, x: Any) -> Any:
            return super().construct(Tensor(x))

    assert Own(2, 1)(array).shape == (1, 1)


def test_a_loss_of_what_a_network_without_return_gives() -> None:
    net = NoReturn()
    with pytest.raises(
        TypeError, match=r"MSELoss: '\w+' should be a Tensor, but got NoneType. A function without 'return'"
    ):
        nn.WithLossCell(net, nn.MSELoss())(X, Y)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: nn.Dense(2, 1)(x),
        lambda x: ops.matmul(x, Y),
        lambda x: nn.Conv2d(1, 1, 1)(x.reshape((1, 1, 1, 2))),
        lambda x: nn.LSTM(2, 1)(x.reshape((1, 1, 2))),
        lambda x: ms.mint.nn.functional.linear(x, X),
    ],
)
def test_float64_meets_float32_weights(call: Callable[[Any], Any]) -> None:
    x = Tensor(np.ones((1, 2)))
    with pytest.raises(TypeError, match=r"the one of Float64, which is what NumPy .* with .astype\(mycel.float32\)"):
        call(x)


FLOAT_LABELS = Tensor(np.ones(2, np.float32))
SCORES = Tensor(np.ones((2, 3), np.float32))


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.cross_entropy(SCORES, FLOAT_LABELS),
        lambda: nn.CrossEntropyLoss()(SCORES, FLOAT_LABELS),
        lambda: ops.nll_loss(SCORES, FLOAT_LABELS),
        lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True)(SCORES, FLOAT_LABELS),
        lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")(SCORES, FLOAT_LABELS),
        lambda: nn.Embedding(5, 3)(FLOAT_LABELS),
        lambda: ops.gather(SCORES, FLOAT_LABELS, 0),
        lambda: ops.one_hot(FLOAT_LABELS, 3),
        lambda: ops.gather_elements(SCORES, 1, SCORES),
        lambda: ops.index_select(SCORES, 0, FLOAT_LABELS),
        lambda: SCORES.take(FLOAT_LABELS),
        lambda: SCORES[FLOAT_LABELS],
        lambda: ms.mint.nn.functional.cross_entropy(SCORES, FLOAT_LABELS),
    ],
)
def test_floats_in_place_of_integers(call: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError), match=r"int.*: write \.astype\(mycel.int32\)$"):
        call()


ROWS = Tensor(np.zeros((2, 3), np.float32))
LABELS = Tensor(np.array([0, 1]))
RANGES: dict[str, tuple[Callable[[], Any], str]] = {
    "weights of nll_loss": (lambda: ops.nll_loss(ROWS, LABELS, ops.ones(7)), "a number for each of 3 classes"),
    "class of nll_loss": (lambda: ops.nll_loss(ROWS, Tensor([0, 9])), "index 9 is out of range for dimension 1"),
    "norm": (lambda: ops.clip_by_norm(ROWS, -1.0), "'max_norm' should not be negative"),
    "bins": (lambda: ops.histc(ROWS, bins=-1), "'bins' should be a positive int"),
    "bounds": (lambda: ops.histc(ROWS, 3, 2.0, 1.0), "'max' should not be below 'min'"),
    "nan": (lambda: ops.arange(0, float("nan"), 1), "arange: 'end' should be finite"),
    "rate": (
        lambda: nn.Adam([ms.Parameter(ROWS, name="w")], Tensor(float("nan"))),
        "Adam's learning rate should be fin",
    ),
    "rates": (lambda: nn.SGD([ms.Parameter(ROWS, name="w")], [0.1, -0.1]), "learning rate should not be negative"),
}


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("name", RANGES)
def test_numbers_out_of_range(name: str, mode: int) -> None:
    call, match = RANGES[name]
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        with pytest.raises((ValueError, IndexError), match=match):
            call()
    finally:
        ms.set_context(mode=before)


def test_a_class_out_of_range_in_a_graph() -> None:
    loss = ms.jit(lambda x, labels: ops.nll_loss(x, labels), fullgraph=True)
    with pytest.raises(IndexError, match=r"index 9 is out of range for dimension 1, of size 3"):
        loss(ROWS, Tensor([0, 9]))


def test_construct_without_self() -> None:
    class Net(nn.Cell):
        def construct(x: Tensor) -> Tensor:
            return x

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(TypeError, match=r"but 2 were given\. Its first parameter should be 'self', but is 'x'"):
            Net()(X)
        with pytest.raises(TypeError, match=r"but 3 were given$"):
            Net()(X, X)
        with pytest.raises(TypeError, match=r"but 3 were given$"):
            nn.ReLU()(X, X)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


class ClassOfLayer(nn.Cell):
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.act = kind

    def construct(self, x: Tensor) -> Any:
        return self.act(x)


@pytest.mark.parametrize("kind", [nn.ReLU, nn.Dense])
@pytest.mark.filterwarnings("ignore::mycel.frontend.errors.classes.FallbackWarning")
def test_a_class_in_place_of_a_layer(mode: None, kind: Any) -> None:
    name = kind.__name__
    with pytest.raises(TypeError, match=rf"argument.*: {name} is a class: write {name}\(…\) in __init__, and call"):
        ClassOfLayer(kind)(X)


def test_a_class_that_nobody_calls_is_no_layer() -> None:
    """Its own tensor is right, another argument is one too many."""
    with pytest.raises(TypeError, match=r"positional arguments but 9 were given(?!.*is a class)"):
        ms.Parameter(X, "w", True, True, False, None, 1, 2)  # type: ignore[call-arg]

"""Unknown names: the error suggests the most similar name, or the replacement."""

from __future__ import annotations

import difflib
import importlib
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, nn, ops
from mycel.frontend.errors.hints import CELL_HINTS, MODULE_HINTS, TENSOR_HINTS
from mycel.frontend.errors.spelling import did_you_mean, nearest

MISSPELT = [
    ("mycel", "Tensr", "did you mean 'Tensor'?"),
    ("mycel", "value_and_gard", "did you mean 'value_and_grad'?"),
    ("mycel", "set_contex", "did you mean 'set_context'?"),
    ("mycel", "zeros", "did you mean mycel.ops.zeros?"),
    ("mycel", "sum", "did you mean mycel.ops.sum?"),
    ("mycel", "no_grad", "nothing has to switch them off"),
    ("mycel", "save", "write mycel.save_checkpoint"),
    ("mycel", "optim", "the optimizers are in mycel.nn"),
    ("mycel.nn", "Densee", "did you mean 'Dense'?"),
    ("mycel.nn", "Conv2D", "did you mean 'Conv2d'?"),
    ("mycel.nn", "Module", "derive from nn.Cell"),
    ("mycel.nn", "Sequential", "write nn.SequentialCell"),
    ("mycel.nn", "Parameter", "did you mean mycel.Parameter?"),
    ("mycel.ops", "sofmax", "did you mean 'softmax'?"),
    ("mycel.ops", "mat_mul", "did you mean 'matmul'?"),
    ("mycel.ops", "concatenate", "write ops.cat"),
    ("mycel.ops", "no_grad", "nothing has to switch them off"),
    ("mycel.mint", "matmull", "did you mean 'matmul'?"),
    ("mycel.mint.nn", "Liner", "did you mean 'Linear'?"),
    ("mycel.mint.nn.functional", "sofmax", "did you mean 'softmax'?"),
    ("mycel.numpy", "concatenat", "did you mean 'concatenate'?"),
    ("mycel.train", "Modl", "did you mean 'Model'?"),
    ("mycel.dataset", "GeneratorDatset", "did you mean 'GeneratorDataset'?"),
]


@pytest.mark.parametrize(("module", "name", "hint"), MISSPELT)
def test_a_name_that_a_module_does_not_have(module: str, name: str, hint: str) -> None:
    found = importlib.import_module(module)
    assert not hasattr(found, name)
    with pytest.raises(AttributeError, match=f"^{module} has no '{name}': ") as caught:
        getattr(found, name)
    assert hint in str(caught.value)
    assert " yet" not in str(caught.value)
    assert caught.value.name == name


@pytest.mark.parametrize(("module", "name", "hint"), MISSPELT)
def test_a_name_that_cannot_be_imported(module: str, name: str, hint: str) -> None:
    with pytest.raises(ImportError, match=f"cannot import name '{name}' from '{module}'") as caught:
        exec(f"from {module} import {name}")
    assert hint in str(caught.value)


def test_names_that_are_like_no_other_get_no_suggestion() -> None:
    with pytest.raises(AttributeError) as caught:
        ops.qqqqxxxx  # noqa: B018
    assert str(caught.value) == "mycel.ops has no 'qqqqxxxx'"


def test_a_search_through_several_modules_asks_for_no_suggestion(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def count(word: str, *rest: Any) -> list[str]:
        asked.append(word)
        return []

    monkeypatch.setattr(difflib, "get_close_matches", count)
    ms.install_as_mindspore()
    operations = importlib.import_module("mindspore.ops.operations")
    vars(operations).pop("Conv2D", None)
    assert operations.Conv2D is ops.Conv2D
    assert not hasattr(ms, "__wrapped__")
    assert not asked


def test_nearest_names() -> None:
    assert nearest("fulgraph", ["fullgraph", "backend"]) == "fullgraph"
    assert nearest("CONV2D", ["conv2", "Conv2d"]) == "Conv2d"
    assert nearest("relu_", ["ReLU", "relu"]) == "relu"
    assert nearest("zzz", ["fullgraph"]) == ""
    assert did_you_mean("zzz", ["fullgraph"]) == ""
    assert did_you_mean("lenght", ["length"]) == ": did you mean 'length'?"


@pytest.mark.parametrize("name", sorted(TENSOR_HINTS))
def test_attributes_that_tensors_of_other_libraries_have(name: str) -> None:
    for tensor in (Tensor([1.0]), ms.Parameter(Tensor([1.0]))):
        if hasattr(tensor, name):
            assert isinstance(tensor, ms.Parameter)
            assert name in ("grad", "requires_grad")
            continue
        with pytest.raises(AttributeError) as caught:
            getattr(tensor, name)
        assert TENSOR_HINTS[name] in str(caught.value)


@pytest.mark.parametrize("name", sorted(CELL_HINTS))
def test_attributes_that_modules_of_other_libraries_have(name: str) -> None:
    net = nn.Dense(1, 1)
    for cell in (net, nn.SGD(net.trainable_params(), 0.1)):
        if hasattr(cell, name):
            assert cell is not net
            assert name == "parameters"
            continue
        with pytest.raises(AttributeError) as caught:
            getattr(cell, name)
        assert CELL_HINTS[name] in str(caught.value)


def test_hints_are_for_names_that_do_not_exist() -> None:
    for path, hints in MODULE_HINTS.items():
        homes = [
            importlib.import_module(f"mycel.{home}".strip(".")) for home in ([path] if path else ["", "nn", "ops"])
        ]
        for name in hints:
            assert not all(hasattr(home, name) for home in homes), f"{name} is a name of {path or 'every module'}"


def test_a_device_of_another_library() -> None:
    with pytest.raises(TypeError, match="no device 'cuda:0': everything runs on the CPU"):
        Tensor([1.0]).to("cuda:0")


class Misspelt(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = ms.Parameter(Tensor([1.0]), name="weight")

    def construct(self, x: Tensor) -> Any:
        return x * self.wieght


def cuda(x: Tensor) -> Any:
    return x.cuda()


def sofmax(x: Tensor) -> Any:
    return x.sofmax()


def misspelt_function(x: Tensor) -> Any:
    return ops.sofmax(x)


def no_grad(x: Tensor) -> Any:
    with ms.no_grad():  # type: ignore[attr-defined]
        return x


def numpy_name(x: Tensor) -> Any:
    return x + np.arrange(3)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("function", "line", "marked", "hint"),
    [
        (Misspelt(), "return x * self.wieght", "self.wieght", "did you mean 'weight'?"),
        (cuda, "return x.cuda()", "x.cuda", "everything runs on the CPU"),
        (sofmax, "return x.sofmax()", "x.sofmax", "did you mean 'softmax'?"),
        (misspelt_function, "return ops.sofmax(x)", "ops.sofmax", "mycel.ops has no 'sofmax': did you mean 'softmax'?"),
        (no_grad, "with ms.no_grad():", "ms.no_grad", "nothing has to switch them off"),
        (numpy_name, "return x + np.arrange(3)", "np.arrange", "did you mean 'arange'?"),
    ],
)
def test_compiled_code_names_the_line(function: Any, line: str, marked: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        ms.jit(function)(Tensor([1.0]))
    message, place, source, *rest = str(caught.value).splitlines()
    assert hint in message
    assert str(Path(__file__)) in place
    assert source.strip().startswith(line)
    if rest:  # columns are there from Python 3.11 on
        assert rest[0].index("^") == source.index(marked)
        assert rest[0].count("^") == len(marked)


def test_a_cell_with_forward() -> None:
    class Net(nn.Cell):
        def forward(self, x: Tensor) -> Tensor:
            return x

    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            with pytest.raises(
                AttributeError, match="Net should define the method 'construct', as its method 'forward'"
            ):
                Net()(Tensor([1.0]))
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda x: ops.softmax(x, dim=1), "softmax() got an unexpected keyword argument 'dim': did you mean 'axis'?"),
        (lambda x: ops.cat((x, x), dim=0), "did you mean 'axis'?"),
        (lambda x: ops.sum(x, axis=0), "did you mean 'dim'?"),
        (lambda x: ops.mean(x, keepdim=True), "did you mean 'keep_dims'?"),
        (lambda x: ops.unsqueeze(x, axis=0), "did you mean 'dim'?"),
        (lambda x: x.log_softmax(dim=0), "did you mean 'axis'?"),
        (lambda x: mint.softmax(x, axis=0), "softmax() got an unexpected keyword argument 'axis': did you mean 'dim'?"),
        (lambda x: mint.cat((x, x), axis=0), "did you mean 'dim'?"),
        (lambda x: nn.Softmax(dim=1)(x), "did you mean 'axis'?"),
        (lambda x: nn.Dense(2, 2, bias=False)(x), "did you mean 'has_bias'?"),
        (lambda x: ops.relu(inputt=x), "did you mean 'input'?"),
        (lambda x: ops.relu(x, qqqq=x), "unexpected keyword argument 'qqqq'"),
        (lambda x: nn.ReLU(inplace=True)(x), "layers and functions give new tensors: leave it out"),
        (
            lambda x: nn.Conv2d(1, 1, 3, groups=1),
            "Conv2d.__init__() got an unexpected keyword argument 'groups': did you mean 'group'?",
        ),
        (lambda x: x.sum(qqqq=1), "sum() got an unexpected keyword argument 'qqqq'"),
        (lambda x: ops.ReLU(x), "ReLU() is made before it is called with tensors: write ReLU()(…)"),
    ],
)
def test_calls_as_in_other_libraries(call: Any, hint: str) -> None:
    x = Tensor([[1.0, 2.0]])
    with pytest.raises(TypeError) as caught:
        call(x)
    told = str(caught.value).replace("'. Did you", "': did you")  # where Python itself suggests the name
    assert told.endswith(hint)
    with pytest.raises(TypeError) as caught:
        ms.jit(call)(x)
    assert f"{hint}\n  at {__file__}" in str(caught.value).replace("'. Did you", "': did you")


@pytest.mark.parametrize(
    ("call", "error", "told"),
    [
        (lambda net: nn.Adam(net.trainable_params, 0.1), TypeError, "but got method: call it, net.trainable_params()"),
        (lambda net: nn.Momentum(net.trainable_params(), 0.1), TypeError, "Momentum: missing a required argument"),
        (lambda net: ms.grad(net, None, net.parameters_dict()), TypeError, "give list(….values())"),
        (lambda net: ms.grad(net, None, net), TypeError, "but got Dense: give its trainable_params()"),
        (lambda net: ms.grad(net, None, net.trainable_params), TypeError, "method: call it, net.trainable_params()"),
        (lambda net: nn.CrossEntropyLoss()(net(ops.ones((4, 2))), Tensor([1])), ValueError, "should have (4,)"),
        (lambda net: nn.Conv2d(1, 1), TypeError, "Conv2d.__init__() missing 1 required positional argument"),
    ],
)
def test_arguments_that_are_often_mistaken(call: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error) as caught:
        call(nn.Dense(2, 3))
    assert told in str(caught.value)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python does not tell the columns of an expression")
@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda net, x: x.sum + 1, "'method' and 'int': x.sum is not called, write x.sum(…)"),
        (lambda net, x: x * (x.mean > 0), "'method' and 'int': x.mean is not called"),
        (lambda net, x: x.sum.shape, "'function' object has no attribute 'shape': x.sum is not called"),
        (lambda net, x: ops.relu(x.t), "but got method: x.t is not called"),
        (lambda net, x: x[x.argmax], "of type method: x.argmax is not called"),
        (lambda net, x: nn.Dense(3, 2)(net(x).relu), "net(x).relu is not called"),
        (lambda net, x: net(x).sum + 1, "'method' and 'int': net(x).sum is not called"),
        (lambda net, x: list(x.sum), "'method' object is not iterable: x.sum is not called"),
        (lambda net, x: net[0] + x, "'SequentialCell' and 'Tensor'"),
        (lambda net, x: net + net(x), "'SequentialCell' and 'Tensor': net is not called, write net(…)"),
        (lambda net, x: nn.ReLU + x, "'type' and 'Tensor': nn.ReLU is not called"),
    ],
)
def test_an_operation_names_what_is_not_called(function: Any, told: str) -> None:
    net = nn.SequentialCell(nn.SequentialCell(nn.ReLU()))
    with pytest.raises((TypeError, AttributeError, IndexError)) as caught:
        ms.jit(lambda x: function(net, x))(ops.ones((2, 3)))
    assert told in str(caught.value)


@pytest.mark.parametrize("function", [lambda net, x: net.weigth + x, lambda net, x: net(x).foo, lambda net, x: x + "a"])
def test_what_needs_no_call_is_not_told_to_be_called(function: Any) -> None:
    net = nn.Dense(3, 3)
    with pytest.raises((TypeError, AttributeError)) as caught:
        ms.jit(lambda x: function(net, x))(ops.ones((2, 3)))
    assert "called" not in str(caught.value)


class Refusing:
    """An object that raises errors of its own, and counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            self.asked.append(name)
            raise RuntimeError(name)
        raise AttributeError(name)


def test_errors_without_text_and_objects_that_refuse_keep_their_error() -> None:
    odd = Refusing()
    call = types.FunctionType(compile("def f(x): raise TypeError(5)", "<library>", "exec").co_consts[0], {})
    with pytest.raises(TypeError) as caught:
        ms.jit(lambda x: call(x.sum))(ops.ones((2, 3)))
    assert caught.value.args[0] == 5
    named = "is not called" if sys.version_info >= (3, 11) else "unsupported operand"  # without columns nobody knows
    with pytest.raises(TypeError, match=named):
        ms.jit(lambda x: (odd.thing if False else x.sum) + x.sum)(ops.ones((2, 3)))


def test_a_comparison_with_none_asks_no_object() -> None:
    odd = Refusing()
    assert ms.jit(lambda x: x if odd is None else x + 1)(ops.ones(())) == 2
    assert not odd.asked

"""Networks as ONNX files: onnxruntime gives the same values, and the same training steps; names, axes and errors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_networks import NETS, Branching, Recurrent, Residual, labels, numbers

import mycel as ms
from mycel import GraphError, Tensor, nn, ops

onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")


def written(folder: Path, net: Any, *inputs: Any, **options: Any) -> tuple[Any, Any]:
    """The checked model, and a session that runs it."""
    path = str(folder / "net.onnx")
    ms.export(net, *inputs, file_name=path, file_format="ONNX", **options)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 3  # of training steps it says that weights are inputs
    return model, onnxruntime.InferenceSession(path, quiet, providers=["CPUExecutionProvider"])


def compare(found: Any, expected: Any, tolerance: float = 2e-4) -> None:
    expected = expected if isinstance(expected, (tuple, list)) else (expected,)
    assert len(found) == len(expected)
    for left, right in zip(found, expected, strict=True):
        right = right.asnumpy()
        assert left.dtype == right.dtype
        assert left.shape == right.shape
        np.testing.assert_allclose(left, right, rtol=tolerance, atol=tolerance)


def feeds(session: Any, inputs: tuple[Any, ...]) -> dict[str, np.ndarray]:
    names = [each.name for each in session.get_inputs()]
    return {name: value.asnumpy() for name, value in zip(names, inputs, strict=True)}


@pytest.mark.parametrize("name", NETS)
def test_values(tmp_path: Path, name: str) -> None:
    ms.set_seed(1)
    make, x = NETS[name]
    net = make().set_train(False)
    _, session = written(tmp_path, net, x)
    compare(session.run(None, feeds(session, (x,))), net(x))


# Every second one by default, all of them among the slow tests.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (count % 2)) for count, name in enumerate(NETS)]
)
def test_training_steps(tmp_path: Path, name: str) -> None:
    """Parameters in, parameters out: three steps of onnxruntime are those of the network."""
    ms.set_seed(1)
    make, x = NETS[name]
    net = make()
    y = labels(4, 4)
    number = list(NETS).index(name)
    optimizer = (
        lambda p: nn.Adam(p, 1e-2),
        lambda p: nn.Momentum(p, 1e-2, 0.9, weight_decay=1e-3),
        lambda p: nn.SGD(p, 1e-2),
        lambda p: nn.RMSProp(p, 1e-3),
        lambda p: nn.AdamWeightDecay(p, 1e-2),
    )[number % 5](net.trainable_params())
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer).set_train()
    _, session = written(tmp_path, step, x, y)
    given = feeds(session, (x, y))
    changed = [each.name for each in session.get_outputs()][1:]
    assert {f"{each.name}.new" for each in net.trainable_params()} <= set(changed)
    for _ in range(3):
        value, *new = session.run(None, given)
        compare([value], step(x, y), 1e-3)
        given |= {name.removesuffix(".new"): array for name, array in zip(changed, new, strict=True)}
    trained = {each.name: each.asnumpy() for each in net.get_parameters()}
    for name, array in given.items():
        if name in trained:
            np.testing.assert_allclose(array, trained[name], rtol=2e-3, atol=2e-3)


def test_twenty_families() -> None:
    assert len(NETS) >= 20


# Control flow


def kinds(graph: Any) -> list[str]:
    """The operators of a graph and of those inside of it."""
    found = []
    for node in graph.node:
        found.append(node.op_type)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found += kinds(attribute.g)
    return found


def test_branches_and_loops_are_if_loop_and_scan(tmp_path: Path) -> None:
    model, _ = written(tmp_path, Branching(), numbers(4, 6))
    assert {"If", "Loop"} <= set(kinds(model.graph))
    model, _ = written(tmp_path, Recurrent(), numbers(4, 40, 6))
    assert kinds(model.graph).count("Scan") == 1


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_both_branches(tmp_path: Path, sign: float) -> None:
    def f(x: Tensor) -> tuple[Tensor, Tensor]:
        if x.sum() > 0:
            if x[0] > 2:
                y = x * 2
            else:
                y = x - 1
        else:
            y = -x
        return y, x

    x = numbers(3)
    _, session = written(tmp_path, f, x)
    for given in (abs(x) * sign, (abs(x) + 3) * sign):
        compare(session.run(None, {"x": given.asnumpy()}), f(given))


def loops(x: Tensor, n: Tensor) -> Tensor:
    i, s = Tensor(0), x[0] * 0
    while i < n:
        s = s + ops.sin(x).sum() * x.mean(0)
        i = i + 1
    for row in range(50):
        s = s * 0.9 + x[row % 3]
    return s.sum()


@pytest.mark.parametrize("function", [loops, ms.value_and_grad(loops)])
def test_loops_carry_read_and_stack(tmp_path: Path, function: Any) -> None:
    x = numbers(3, 4)
    _, session = written(tmp_path, function, x, Tensor(4))
    for n in (0, 1, 4):
        found = session.run(None, dict(zip(("x", "n"), (x.asnumpy(), np.asarray(n)), strict=True)))
        compare(found, function(x, Tensor(n)), 2e-3)


# Names, axes, files


class Named(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(3, 2)

    def construct(self, image: Tensor, more: dict[str, Tensor]) -> dict[str, Any]:
        y = self.fc(image) + more["shift"]
        return {"logits": y, "parts": [y.sum(0), (y.max(), 3)]}


def test_names_are_the_users(tmp_path: Path) -> None:
    model, session = written(tmp_path, Named(), numbers(5, 3), {"shift": numbers(2)})
    assert [each.name for each in session.get_inputs()] == ["image", "more.shift"]
    assert [each.name for each in session.get_outputs()] == ["logits", "parts.0", "parts.1.0"]
    assert {"fc.weight", "fc.bias"} <= {each.name for each in model.graph.initializer}
    assert model.opset_import[0].version >= 18
    assert any("test_onnx.py:" in node.doc_string for node in model.graph.node)


@pytest.mark.parametrize("axes", [None, [0], {0: "batch"}])
def test_dynamic_axes(tmp_path: Path, axes: Any) -> None:
    net = Residual().set_train(False)
    x = Tensor(shape=[None, 3, 16, 16], dtype=ms.float32) if axes is None else numbers(2, 3, 16, 16)
    _, session = written(tmp_path, net, x, **({} if axes is None else {"dynamic_axes": {"x": axes}}))
    name = session.get_inputs()[0].shape[0]
    assert name == ("batch" if axes == {0: "batch"} else "x_0")
    for batch in (1, 7):
        given = numbers(batch, 3, 16, 16)
        compare(session.run(None, {"x": given.asnumpy()}), net(given))


@pytest.mark.parametrize("name", ["mlp", "gpt", "lstm", "convnext", "vae", "bert", "ppo", "t5", "rnn"])
def test_dynamic_batches(tmp_path: Path, name: str) -> None:
    make, x = NETS[name]
    net = make().set_train(False)
    _, session = written(tmp_path, net, x, dynamic_axes={next(iter(argument_names(net))): [0]})
    given = Tensor(np.concatenate([x.asnumpy(), x.asnumpy()[:1]]))
    compare(session.run(None, feeds(session, (given,))), net(given))


def test_quotients_of_dynamic_sizes(tmp_path: Path) -> None:
    def program(x: Tensor, y: Tensor) -> Tensor:
        return x * (x.shape[0] // y.shape[0]) + x.shape[0] % y.shape[0]

    model, session = written(tmp_path, program, numbers(4, 6), numbers(2, 4), dynamic_axes={"x": [0], "y": [0]})
    given = numbers(7, 6), numbers(3, 4)
    compare(session.run(None, feeds(session, given)), program(*given))
    assert "Div" in {node.op_type for node in model.graph.node}


def argument_names(net: nn.Cell) -> list[str]:
    import inspect

    return list(inspect.signature(type(net).construct).parameters)[1:]


def test_dynamic_training_step(tmp_path: Path) -> None:
    net = nn.SequentialCell(nn.Dense(6, 8), nn.Tanh(), nn.Dense(8, 4))

    def loss(x: Tensor, y: Tensor) -> Tensor:
        return ((net(x) - y) ** 2).mean()

    step = ms.value_and_grad(loss, None, net.trainable_params())
    _, session = written(tmp_path, step, numbers(4, 6), numbers(4, 4), dynamic_axes={"x": [0], "y": [0]})
    for batch in (2, 5):
        x, y = numbers(batch, 6), numbers(batch, 4)
        value, grads = step(x, y)
        compare(session.run(None, feeds(session, (x, y))), (value, *grads))


def test_what_has_no_form_is_told_with_op_and_line(tmp_path: Path) -> None:
    def f(x: Tensor) -> Tensor:
        y = x + 1
        return ops.lgamma(y)

    with pytest.raises(GraphError, match=rf"test_onnx\.py:{f.__code__.co_firstlineno + 2}: .*'lgamma' of f32\[3\]"):
        written(tmp_path, f, numbers(3))
    assert not list(tmp_path.iterdir())


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"needs the package onnx: pip install 'mycel-graph\[onnx\]'"):
        ms.export(nn.ReLU(), numbers(2), file_name=str(tmp_path / "net"), file_format="ONNX")


@pytest.mark.parametrize(
    ("axes", "message"),
    [({"y": [0]}, "'dynamic_axes' names 'y', but the inputs are x"), ({"x": [2]}, "names axis 2 of the input 'x'")],
)
def test_axes_that_are_not_there(tmp_path: Path, axes: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        written(tmp_path, lambda x: x * 2, numbers(2, 2), dynamic_axes=axes)


def test_draws_have_their_distribution(tmp_path: Path) -> None:
    class Noisy(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return ops.dropout(x, p=0.25, training=True)

    _, session = written(tmp_path, Noisy(), ops.ones((100, 100)))
    (found,) = session.run(None, {"x": np.ones((100, 100), np.float32)})
    assert set(np.round(np.unique(found), 4)) == {np.float32(0), np.float32(1.3333)}
    assert abs((found == 0).mean() - 0.25) < 0.03

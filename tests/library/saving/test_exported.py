"""Exported networks: the same numbers, gradients and state as the network itself, and the errors of an export."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import GraphError, Parameter, Tensor, nn, ops


class Net(nn.Cell):
    """Convolution, state, random numbers, both kinds of control flow, and results in containers."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.fc = nn.Dense(32, 3)
        self.drop = nn.Dropout(p=0.5)
        self.shift = Tensor(np.arange(3, dtype=np.float32))

    def construct(self, x: Tensor, scale: float = 1.0) -> Any:
        y = ops.relu(self.bn(self.conv(x)))
        y = self.drop(self.fc(y.reshape(x.shape[0], -1))) * scale + self.shift
        if y.sum() > 0:
            z = y * 2
        else:
            z = y - 1
        i = Tensor(0)
        while i < 3:
            z = z + i
            i = i + 1
        return {"z": z, "more": [y, (1, "text", 2.5, None, True)]}


X = Tensor(np.random.default_rng(0).normal(size=(2, 1, 4, 4)).astype(np.float32))


def exported(net: Any, *inputs: Any, path: Path) -> nn.GraphCell:
    ms.export(net, *inputs, file_name=str(path / "file"), file_format="MYCEL")
    return nn.GraphCell(ms.load(str(path / "file.mycel")))


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_the_same_numbers(tmp_path: Path, training: bool, mode: int) -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        net = Net().set_train(training)
        cell = exported(net, X, 2.0, path=tmp_path)
        for _ in range(2):  # the second time with the state that the first left
            ms.set_seed(3)
            expected = net(X, 2.0)
            ms.set_seed(3)
            found = cell(X, 2.0)
            assert np.allclose(found["z"].asnumpy(), expected["z"].asnumpy(), atol=1e-5)
            assert np.allclose(found["more"][0].asnumpy(), expected["more"][0].asnumpy(), atol=1e-5)
            assert found["more"][1] == (1, "text", 2.5, None, True)
        state = {parameter.name: parameter.asnumpy() for parameter in cell.get_parameters()}
        assert np.allclose(state["bn.moving_mean"], net.bn.moving_mean.asnumpy(), atol=1e-6)
        assert bool(state["bn.moving_mean"].any()) == training
    finally:
        ms.set_context(mode=before)


def test_gradients_and_parameters(tmp_path: Path) -> None:
    net = Net().set_train(False)
    cell = exported(net, X, path=tmp_path)
    assert [p.name for p in cell.trainable_params()] == [p.name for p in net.trainable_params()]
    wanted = ms.grad(lambda x: net(x)["z"].sum(), None, net.trainable_params())(X)
    found = ms.grad(lambda x: cell(x)["z"].sum(), None, cell.trainable_params())(X)
    for left, right in zip(found, wanted, strict=True):
        assert np.allclose(left.asnumpy(), right.asnumpy(), atol=1e-4)
    optimizer = nn.SGD(cell.trainable_params(), 0.1)
    optimizer(found)
    assert not np.array_equal(cell.trainable_params()[0].asnumpy(), net.trainable_params()[0].asnumpy())


def test_gradients_on_the_tape(tmp_path: Path) -> None:
    cell = exported(ms.jit(lambda x: ops.tanh(x) * 3), Tensor([1.0, 2.0]), path=tmp_path)
    cell.set_grad()

    def f(x: Tensor) -> Tensor:
        return cell(x) * float(x.asnumpy().sum())

    with pytest.warns(ms.FallbackWarning):
        found = ms.grad(f)(Tensor([0.0, 0.0]) + 1)
    assert np.allclose(found.asnumpy(), 6 / np.cosh(1.0) ** 2, atol=1e-5)


def test_other_starting_weights(tmp_path: Path) -> None:
    ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(tmp_path / "d"), file_format="MYCEL")
    cell = nn.GraphCell(ms.load(str(tmp_path / "d.mycel")), {"weight": Tensor([[1.0, 10.0]]), "bias": Tensor([100.0])})
    assert cell(Tensor([[1.0, 2.0]])).asnumpy().tolist() == [[121.0]]
    for wrong in ([1], {"weight": 3}):
        with pytest.raises(TypeError):
            nn.GraphCell(ms.load(str(tmp_path / "d.mycel")), wrong)
    with pytest.raises(TypeError):
        nn.GraphCell(3)


def test_inputs_have_to_be_alike(tmp_path: Path) -> None:
    cell = exported(lambda x, n, pair: x * n + pair["a"], Tensor([1.0]), 2, {"a": Tensor([5.0])}, path=tmp_path)
    assert cell(Tensor([3.0]), 2, {"a": Tensor([1.0])}).asnumpy().tolist() == [7.0]
    for inputs, error, message in (
        ((Tensor([1.0, 2.0]), 2, {"a": Tensor([5.0])}), ValueError, r"input 0 .* shape \(1,\)"),
        ((Tensor([1]), 2, {"a": Tensor([5.0])}), TypeError, "Float32"),
        ((3.0, 2, {"a": Tensor([5.0])}), TypeError, "tensor"),
        ((Tensor([1.0]), 3, {"a": Tensor([5.0])}), ValueError, "should be 2"),
        ((Tensor([1.0]), 2, {"b": Tensor([5.0])}), TypeError, "'b'"),
        ((Tensor([1.0]), 2, {}), TypeError, "dict of 1"),
        ((Tensor([1.0]), 2), TypeError, "3 inputs"),
    ):
        with pytest.raises(error, match=message):
            cell(*inputs)


def test_run_time_numbers(tmp_path: Path) -> None:
    cell = exported(lambda x, n: (x * n, n + 1), Tensor([1.0]), ms.mutable(2), path=tmp_path)
    x, n = cell(Tensor([3.0]), 5)
    assert x.asnumpy().tolist() == [15.0]
    assert n == 6


def test_files_are_text_and_numbers(tmp_path: Path) -> None:
    ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(tmp_path / "a/d.mycel"), file_format="MYCEL")
    with zipfile.ZipFile(tmp_path / "a/d.mycel") as archive:
        assert sorted(archive.namelist()) == ["graph.ir", "model.json", "weights.ckpt"]
        assert json.loads(archive.read("model.json"))["inputs"] == [{"tensor": ["Float32", [1, 2]]}]
        assert archive.read("graph.ir").decode() == str(ms.load(str(tmp_path / "a/d.mycel")))
    whole = (tmp_path / "a/d.mycel").read_bytes()
    for damaged in (b"", whole[:-30], whole[:40] + b"xx" + whole[42:]):
        (tmp_path / "a/d.mycel").write_bytes(damaged)
        with pytest.raises(ms.DamagedFileError, match=r"d\.mycel' cannot be read: .*Export the network again"):
            ms.load(str(tmp_path / "a/d.mycel"))


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    def write(net: Any, *inputs: Any, format: str = "MYCEL", **options: Any) -> None:
        ms.export(net, *inputs, file_name=str(tmp_path / "x"), file_format=format, **options)

    x = Tensor([1.0])
    for format in ("MINDIR", "AIR"):
        with pytest.raises(NotImplementedError, match="MYCEL"):
            write(ops.relu, x, format=format)
    with pytest.raises(ValueError, match="'OTHER'"):
        write(ops.relu, x, format="OTHER")
    with pytest.raises(NotImplementedError, match="enc_key"):
        write(ops.relu, x, enc_key=b"1")
    with pytest.raises(GraphError, match="asnumpy"):
        write(lambda x: Tensor(x.asnumpy()), x)
    with pytest.raises(GraphError, match="complex"):
        write(lambda x: (x, 1j), x)
    with pytest.raises(TypeError, match="object"):
        write(lambda x, y: x, x, object())
    with pytest.raises(TypeError, match="int"):
        write(3, x)

    class Remembers(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            self.last = x
            return x

    with pytest.raises(GraphError, match="'last'"):
        write(Remembers(), x)
    assert not list(tmp_path.iterdir())


class Größe(nn.Cell):
    """Python's names have other letters, too."""

    def construct(self, länge: Tensor) -> Tensor:
        变量 = länge * 2
        return ops.tanh(变量)


def test_names_of_any_alphabet(tmp_path: Path) -> None:
    file = str(tmp_path / "net.mycel")
    ms.export(Größe(), Tensor([1.0]), file_name=file, file_format="MYCEL")
    assert nn.GraphCell(ms.load(file))(Tensor([0.0])) == 0
    assert "graph Größe(" in str(ms.load(file))


def test_names_that_no_file_may_hold(tmp_path: Path) -> None:
    file = tmp_path / "net.mycel"
    named = type("Two\nlines", (Größe,), {})
    with pytest.raises(ms.GraphError, match="printable characters"):
        ms.export(named(), Tensor([1.0]), file_name=str(file), file_format="MYCEL")
    dense = nn.Dense(1, 1)
    dense.weight.name = "w" * 2000
    with pytest.raises(ms.GraphError, match="has 2000 characters"):
        ms.export(dense, Tensor([[1.0]]), file_name=str(file), file_format="MYCEL")
    assert not file.exists()
    with pytest.raises(ValueError, match="text that can be written to a file"):
        ms.Parameter(Tensor([1.0]), name="\udc80")


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    for name, error in (
        (3, ValueError),
        (str(tmp_path / "none.mycel"), ValueError),
        ("net.mindir", ValueError),
    ):
        with pytest.raises(error):
            ms.load(name)
    with pytest.raises(NotImplementedError, match="dec_key"):
        ms.load("net.mycel", dec_key=b"1")


def test_parameters_of_one_name_stay_apart(tmp_path: Path) -> None:
    weights = [Parameter(Tensor([value]), name="w") for value in (2.0, 10.0)]
    cell = exported(lambda x: x * weights[0] + weights[1], Tensor([1.0]), path=tmp_path)
    assert cell(Tensor([3.0])).asnumpy().tolist() == [16.0]


class Flat(nn.Cell):
    """A network whose graph holds for batches of any size."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.bn, self.fc = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Dense(32, 3)

    def construct(self, x: Tensor, scale: float = 1.0) -> Tensor:
        y = ops.relu(self.bn(self.conv(x))).reshape(x.shape[0], -1)
        return ops.softmax(self.fc(y)) * scale


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("axes", [None, {"x": [0]}, {"x": {0: "batch"}}])
def test_axes_of_any_size(tmp_path: Path, mode: int, axes: Any) -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        net = Flat().set_train(False)
        x = Tensor(shape=[None, 1, 4, 4], dtype=ms.float32) if axes is None else X
        ms.export(net, x, 2.0, file_name=str(tmp_path / "file"), file_format="MYCEL", dynamic_axes=axes)
        cell = nn.GraphCell(ms.load(str(tmp_path / "file.mycel")))
        for batch in (1, 5):
            given = ops.randn(batch, 1, 4, 4)
            assert np.allclose(cell(given, 2.0).asnumpy(), net(given, 2.0).asnumpy(), atol=1e-6)
            wanted = ms.grad(lambda x, net=net: (net(x, 2.0) ** 2).sum())(given)
            assert np.allclose(
                ms.grad(lambda x: (cell(x, 2.0) ** 2).sum())(given).asnumpy(), wanted.asnumpy(), atol=1e-5
            )
        with pytest.raises(ValueError, match=r"should have the shape \(\?, 1, 4, 4\), as when .*\(2, 1, 4, 5\)"):
            cell(ops.randn(2, 1, 4, 5), 2.0)
    finally:
        ms.set_context(mode=before)

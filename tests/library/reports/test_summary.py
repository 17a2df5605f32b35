"""Summaries: events, byte for byte as MindSpore 2.10 writes them, and the times of collection."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.library.reports import summary
from mycel.library.saving import wire
from mycel.runtime import effects

VECTOR = np.arange(5, dtype=np.float32)
# What MindSpore wrote for the values of the tests below.
SCALAR = "0a046c6f73731d0000003f"
TENSOR = "0a0174421a0805100b1a14000000000000803f000000400000404000008040"
HISTOGRAM = (
    "0a01684a4f0a1409000000000000000011000000000000004018020a14090000000000000040110000000000000040180310001800200029"
    "0000000000001040310000000000000000390000000000002440"
    "4005"
)


@pytest.fixture(autouse=True)
def nobody_listens() -> Iterator[None]:
    before = list(effects.RECORDERS)
    yield
    assert before == effects.RECORDERS


def events(folder: Path) -> list[tuple[int | None, dict[str, bytes]]]:
    """(step, tag to value) of each event in the folder's only file, after the version."""
    (path,) = folder.glob("*.out.events.summary.*")
    found = []
    with open(path, "rb") as file:
        for position, length in wire.record_places(file, path.stat().st_size):
            file.seek(position)
            content = file.read(length)
            assert file.read(4) == wire.checksum(content).to_bytes(4, "little")
            step, values = None, {}
            for number, value in wire.fields(memoryview(content)):
                if number == 2:
                    step = value
                elif number == 3:
                    assert bytes(value) == b"MindSpore.Event:1"
                elif number == 5:
                    for _, item in wire.fields(value):
                        tag = next(bytes(part).decode() for field, part in wire.fields(item) if field == 1)
                        values[tag] = bytes(item)
            found.append((step, values))
    assert found[0] == (None, {})
    return found[1:]


def scalar(item: bytes) -> float:
    (value,) = [part for field, part in wire.fields(memoryview(item)) if field == 3]
    return float(np.frombuffer(value, "<f4")[0])


def test_values_are_those_of_mindspore(tmp_path: Path) -> None:
    with ms.SummaryRecord(tmp_path) as record:
        record.add_value("scalar", "loss", Tensor(0.5))
        record.add_value("tensor", "t", Tensor(VECTOR))
        record.add_value("histogram", "h", Tensor(VECTOR))
        assert record.record(3)
        assert record.record(4)
        record.add_value("scalar", "loss", Tensor(1.0))
        record.add_value("scalar", "loss", Tensor(2.0))
        assert record.record(5)
        assert Path(record.log_dir).parent == tmp_path
    (first_step, first), (second_step, second) = events(tmp_path)
    assert {tag: item.hex() for tag, item in first.items()} == {"loss": SCALAR, "t": TENSOR, "h": HISTOGRAM}
    assert (first_step, second_step) == (3, 5)
    assert scalar(second["loss"]) == 2.0


def image_of(array: np.ndarray) -> np.ndarray:
    images = pytest.importorskip("PIL.Image")
    ((_, content),) = wire.fields(memoryview(summary.image_value(array)))
    parts = dict(wire.fields(content))
    pixels = np.asarray(images.open(io.BytesIO(bytes(parts[4]))))
    assert pixels.shape == (parts[1], parts[2], parts[3])
    return pixels


def test_images() -> None:
    generator = np.random.default_rng(0)
    bytes_ = generator.integers(0, 255, (1, 3, 4, 5), np.uint8)
    assert np.array_equal(image_of(bytes_), bytes_[0].transpose(1, 2, 0))
    shares = generator.random((1, 1, 2, 2)).astype(np.float32)
    assert np.array_equal(image_of(shares)[..., 1], (shares[0, 0] * np.float32(255)).astype(np.uint8))
    wide = image_of(np.float32([-5, 250]).reshape(1, 1, 1, 2))
    assert wide[0, :, 0].tolist() == [0, 254]
    many = image_of(np.arange(10, dtype=np.uint8).reshape(10, 1, 1, 1).repeat(2, axis=3))
    assert many[..., 0].tolist() == [[k // 2 for k in range(16)], [8, 8, 9, 9] + [0] * 12]


def histogram(array: np.ndarray) -> list[tuple[int, Any]]:
    ((_, content),) = wire.fields(memoryview(summary.histogram_value(array)))
    return list(wire.fields(content))


def test_histograms_of_odd_numbers() -> None:
    parts = histogram(np.float32([np.nan, np.inf, -np.inf, 3, 3]))
    assert [part for field, part in parts if field in (2, 3, 4, 8)] == [1, 1, 1, 5]
    assert [dict(wire.fields(part))[3] for field, part in parts if field == 1] == [0, 2]
    assert not [part for field, part in histogram(np.float32([np.nan])) if field == 1]
    counts = [dict(wire.fields(part))[3] for field, part in histogram(np.arange(1000)) if field == 1]
    assert len(counts) == 90
    assert sum(counts) == 1000


class Recording(nn.Cell):
    """Gives values to records from within."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 1)
        self.scalar = ops.ScalarSummary()
        self.histogram = ops.HistogramSummary()

    def construct(self, x: Tensor) -> Tensor:
        y = self.fc(x)
        self.scalar("mean", y.mean())
        self.histogram("y", y)
        return y


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_networks_record(tmp_path: Path, mode: int) -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        net = Recording()
        x = ops.ones((3, 2), ms.float32)
        net(x)  # nobody listens
        with ms.SummaryRecord(tmp_path) as record:
            expected = net(x)
            record.record(1)
            record.set_mode("eval")
            net(x)
            record.record(2)
    finally:
        ms.set_context(mode=before)
    ((step, values),) = events(tmp_path)
    assert step == 1
    assert set(values) == {"mean", "y"}
    assert scalar(values["mean"]) == pytest.approx(float(expected.asnumpy().mean()))


def test_gradients_record(tmp_path: Path) -> None:
    net = Recording()
    gradient = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    with ms.SummaryRecord(tmp_path) as record:
        value, _ = gradient(ops.ones((3, 2), ms.float32))
        record.record(1)
    assert scalar(events(tmp_path)[0][1]["mean"]) == pytest.approx(value.item() / 3, rel=1e-5)


def test_arguments(tmp_path: Path) -> None:
    for options, error in (
        ({"file_prefix": 3}, TypeError), ({"file_suffix": "a/b"}, ValueError), ({"max_file_size": "x"}, TypeError),
        ({"export_options": {"other": "npy"}}, ValueError), ({"export_options": {"tensor_format": "x"}}, ValueError),
    ):  # fmt: skip
        with pytest.raises(error):
            ms.SummaryRecord(tmp_path, **options)
    with pytest.raises(TypeError):
        ms.SummaryRecord(3)
    with ms.SummaryRecord(tmp_path) as record:
        for arguments, error in (
            (("scalar", "", Tensor(1.0)), ValueError), (("scalar", "x", 1.0), TypeError),
            (("bad", "x", Tensor(1.0)), ValueError), (("scalar", "x", Tensor([1.0, 2.0])), ValueError),
            (("image", "x", Tensor([1.0, 2.0])), ValueError), (("tensor", "x", Tensor([1j])), ValueError),
        ):  # fmt: skip
            with pytest.raises(error):
                record.add_value(*arguments)
        with pytest.raises(ValueError, match="mode"):
            record.set_mode("test")
        with pytest.raises(TypeError, match="step"):
            record.record("1")
    assert not record.record(1)
    with pytest.raises(ValueError, match="closed"), record:
        pass


def test_limits_filters_and_exports(tmp_path: Path) -> None:
    with ms.SummaryRecord(tmp_path, max_file_size=200, export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "a/b", Tensor(VECTOR))
        record.add_value("scalar", "s", Tensor(1.0))
        assert record.record(7, plugin_filter=lambda plugin: plugin == "tensor")
        record.add_value("tensor", "big", Tensor(np.zeros(100, np.float32)))
        assert not record.record(8)
    assert [set(values) for _, values in events(tmp_path)] == [{"a/b"}]
    assert np.array_equal(np.load(tmp_path / "export_tensor" / "a_b_7.npy"), VECTOR)


def train(folder: Path, steps: int = 5, **options: Any) -> list[tuple[int | None, dict[str, bytes]]]:
    data = ms.dataset.NumpySlicesDataset(
        (np.zeros((steps, 1, 2, 2), np.float32), np.ones((steps, 3), np.float32)), ["x", "y"], shuffle=False
    ).batch(1)
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(4, 3))
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"loss"})
    collector = ms.train.SummaryCollector(folder, **options)
    model.fit(1, data, data, callbacks=[collector])
    return events(folder)


def test_collecting(tmp_path: Path) -> None:
    found = train(tmp_path, collect_freq=2)
    assert [step for step, _ in found] == [1, 2, 4]
    assert set(found[0][1]) == {"loss/auto", "input_data/auto", "1.weight/auto", "1.bias/auto"}
    losses = [scalar(values["loss/auto"]) for _, values in found]
    assert losses == sorted(losses, reverse=True)


def test_collecting_what_is_asked_for(tmp_path: Path) -> None:
    chosen = {"histogram_regular": r".*bias", "collect_graph": True}
    found = train(tmp_path, collect_specified_data=chosen, keep_default_action=False)
    assert [(step, set(values)) for step, values in found] == [(1, {"1.bias/auto"})]
    for options, error in (
        ({"collect_freq": 0}, ValueError), ({"collect_freq": "1"}, TypeError),
        ({"collect_specified_data": {"other": True}}, ValueError), ({"collect_specified_data": 3}, TypeError),
        ({"collect_specified_data": {"histogram_regular": "("}}, ValueError),
    ):  # fmt: skip
        with pytest.raises(error):
            ms.train.SummaryCollector(tmp_path, **options)


def test_programs_read_what_is_recorded_without_a_record() -> None:
    name = "mycel.library.reports.summary_data"
    imported = name in sys.modules  # by a test of all files, say: then other tests have recorded values
    summary_data = importlib.import_module(name)
    summary_data._get_summary_tensor_data()

    @ms.jit
    def f(x: Tensor) -> Tensor:
        ops.TensorSummary()("x", x)
        ops.ScalarSummary()("sum", x.sum())
        return x

    try:
        f(Tensor([1.0, 2.0]))
        data = summary_data._get_summary_tensor_data()
        assert {name: value.asnumpy().tolist() for name, value in data.items()} == {
            "x[:Tensor]": [1.0, 2.0],
            "sum[:Scalar]": 3.0,
        }
        assert summary_data._get_summary_tensor_data() == {}
    finally:
        if not imported:
            effects.RECORDERS.remove(summary_data._keep)
            del sys.modules[name]

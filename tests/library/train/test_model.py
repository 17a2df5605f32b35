"""Training with Model, its callbacks, checkpoints, and metrics, by numbers recorded with MindSpore."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Model, Parameter, Tensor, nn, train


def T(values: Any, dtype: Any = ms.float32) -> Tensor:
    """A tensor of these numbers."""
    return Tensor(np.array(values), dtype)


INPUTS = np.array([[1.0], [2.0], [3.0], [4.0]], np.float32)
BATCHES = [(INPUTS[:2], 2 * INPUTS[:2]), (INPUTS[2:], 2 * INPUTS[2:])]


class Dataset:
    """Batches behind the methods of MindSpore's datasets."""

    def __init__(self, batches: Any = tuple(BATCHES)) -> None:
        self.batches = batches
        self.passes = 0

    def get_dataset_size(self) -> int:
        return len(self.batches)

    def create_tuple_iterator(self, num_epochs: int = -1, output_numpy: bool = False) -> Any:
        self.passes += 1
        return iter([[Tensor(part) for part in batch] for batch in self.batches])


def line(**options: Any) -> nn.Cell:
    """A line through zero, without weights yet."""
    return nn.Dense(1, 1, weight_init="zeros", bias_init="zeros", **options)


def model_of(rate: Any = 0.02, **options: Any) -> tuple[nn.Cell, Model]:
    """A line and its model."""
    net = line()
    return net, Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), rate), **options)


# Model


@pytest.mark.parametrize("dataset", [BATCHES, Dataset(), [dict(zip("xy", batch, strict=True)) for batch in BATCHES]])
@pytest.mark.parametrize("sink", [False, True])
def test_training(dataset: Any, sink: bool) -> None:
    net, model = model_of(metrics={"mse", "loss"})
    losses: list[float] = []
    keep = train.LambdaCallback(
        on_train_step_end=lambda context: losses.append(float(context.original_args().net_outputs.asnumpy()))
    )
    assert model.train(2, dataset, callbacks=keep, dataset_sink_mode=sink) is None
    np.testing.assert_allclose(losses, [10.0, 39.002403, 1.2261947, 6.7202845], rtol=1e-5)
    np.testing.assert_allclose(net.weight.asnumpy(), [[1.5193713]], rtol=1e-6)
    np.testing.assert_allclose(net.bias.asnumpy(), [0.5098205], rtol=1e-6)
    np.testing.assert_allclose(model.predict(T([[5.0]])).asnumpy(), [[8.106677]], rtol=1e-6)
    results = model.eval(dataset)
    assert set(results) == {"mse", "loss"}
    np.testing.assert_allclose(list(results.values()), 0.76727479, rtol=1e-5)


def test_training_leaves_the_modes_as_they_have_to_be() -> None:
    net, model = model_of(metrics={"loss"})
    model.train(1, BATCHES)
    assert net.training
    model.eval(BATCHES)
    assert not net.training
    model.fit(2, BATCHES, BATCHES, initial_epoch=1)
    assert net.training
    model.predict(T([[1.0]]))
    assert not net.training


def test_a_network_that_gives_the_loss() -> None:
    net = line()
    model = Model(nn.WithLossCell(net, nn.MSELoss()), optimizer=nn.SGD(net.trainable_params(), 0.02))
    model.train(1, BATCHES[:1])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.2]], rtol=1e-6)


def test_own_networks_of_training_and_evaluation() -> None:
    net = line()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.02))
    whole = nn.WithEvalCell(net, nn.MSELoss())
    model = Model(step, metrics={"error": train.MAE()}, eval_network=whole, eval_indexes=[0, 1, 2])
    assert model.eval(BATCHES) == {"error": 5.0}
    model.train(1, BATCHES[:1])
    assert net.weight.asnumpy()[0, 0] != 0
    assert model.train_network is step
    assert model.eval_network is whole
    assert model.predict_network is step


@pytest.mark.parametrize("manager", [ms.FixedLossScaleManager(4.0), ms.DynamicLossScaleManager(4, 2, 2)])
def test_scaled_losses(manager: Any) -> None:
    net, model = model_of(loss_scale_manager=manager)
    model.train(1, BATCHES[:1])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.2]], rtol=1e-6)


@pytest.mark.filterwarnings("ignore:the loss is infinite")
def test_the_scale_of_a_manager_follows_overflows() -> None:
    """A dynamic one is halved with every overflow of a step, and raised after as many good steps as it asks for."""
    manager = ms.DynamicLossScaleManager(64, 2, 2)
    _, model = model_of(loss_scale_manager=manager)
    scales: list[float] = []
    keep = train.LambdaCallback(on_train_step_end=lambda context: scales.append(manager.get_loss_scale()))
    big = (INPUTS[:2] * 1e30, INPUTS[:2] * 1e10)  # so that its gradient overflows
    model.train(1, [big, BATCHES[0], BATCHES[1], big, big], callbacks=keep)
    assert scales == [32, 32, 64, 32, 16]
    fixed = ms.FixedLossScaleManager(64.0)
    _, model = model_of(loss_scale_manager=fixed)
    model.train(1, [big, BATCHES[0]])
    assert fixed.get_loss_scale() == 64


def test_a_scaled_loss_that_the_optimizer_scales_back() -> None:
    net = line()
    optimizer = nn.SGD(net.trainable_params(), 0.02, loss_scale=4.0)
    model = Model(net, nn.MSELoss(), optimizer, loss_scale_manager=ms.FixedLossScaleManager(4.0, False))
    model.train(1, BATCHES[:1])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.2]], rtol=1e-6)


def test_mixed_precision() -> None:
    net, model = model_of(amp_level="O2", metrics={"mse"}, loss_scale_manager=ms.FixedLossScaleManager(1.0, False))
    model.train(2, BATCHES)
    np.testing.assert_allclose(net.weight.asnumpy(), [[1.5193713]], rtol=5e-3)
    np.testing.assert_allclose(model.eval(BATCHES)["mse"], 0.76727479, rtol=5e-2)


def test_fit_evaluates_in_between(capsys: pytest.CaptureFixture[str]) -> None:
    valid = Dataset()
    history = train.History()
    _, model = model_of(0.2, metrics={"mse"})
    model.fit(3, BATCHES, valid, valid_frequency=2, callbacks=[train.LossMonitor(2), history])
    assert valid.passes == 1
    assert history.epoch == {"epoch": [1, 2, 3]}
    np.testing.assert_allclose(history.history["mse"], [0.6643814146518707], rtol=1e-4)
    np.testing.assert_allclose(history.history["net_output"], [1.44, 0.05184, 4.316687], rtol=1e-4)
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("epoch: 1 step: 2, loss is 1.4399")
    assert shown[2].startswith("Eval result: epoch 2, metrics: {'mse': 0.664381")
    model.fit(3, BATCHES, valid, valid_frequency=[1, 3])
    assert valid.passes == 3


def test_model_compiles_ahead() -> None:
    net, model = model_of(metrics={"mse"})
    model.build(BATCHES, BATCHES)
    assert net.weight.asnumpy().tolist() == [[0.0]]


def test_the_number_of_steps_with_a_sink() -> None:
    net, model = model_of()
    model.train(1, BATCHES, dataset_sink_mode=True, sink_size=1)
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.2]], rtol=1e-6)


def test_what_a_model_refuses() -> None:
    net = line()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    loss = nn.MSELoss()
    for make, error, text in (
        (lambda: Model(3), TypeError, "network"),
        (lambda: Model(net, metrics={"mse"}), ValueError, "loss_fn"),
        (lambda: Model(net, loss, 3), TypeError, "optimizer"),
        (lambda: Model(net, loss, metrics={"foo"}), KeyError, "foo"),
        (lambda: Model(net, loss, metrics=3), TypeError, "metrics"),
        (lambda: Model(net, loss, optimizer, amp_level="O7"), ValueError, "amp_level"),
        (lambda: Model(net, loss, amp_level="O2"), ValueError, "optimizer"),
        (lambda: Model(net, loss, foo=1), ValueError, "'foo'"),
        (lambda: Model(net, loss, optimizer, loss_scale_manager=3), TypeError, "loss_scale_manager"),
        (lambda: Model(net, loss, optimizer).eval(BATCHES), ValueError, "metrics"),
        (lambda: Model(net, loss, optimizer).fit(1, BATCHES, BATCHES), ValueError, "metrics"),
        (lambda: Model(net, loss, optimizer).train(0, BATCHES), ValueError, "epoch"),
        (lambda: Model(net, loss, optimizer).train("a", BATCHES), TypeError, "epoch"),
        (lambda: Model(net, loss, optimizer).train(1, BATCHES, initial_epoch=1), ValueError, "initial_epoch"),
        (lambda: Model(net, loss, optimizer).train(1, 3), TypeError, "dataset"),
        (lambda: Model(net, loss, optimizer).train(1, []), ValueError, "no batches"),
        (lambda: Model(net, loss, optimizer).train(1, [(INPUTS,)]), ValueError, "two elements"),
        (lambda: Model(net, loss, optimizer).train(1, BATCHES, callbacks=3), TypeError, "Callback"),
        (
            lambda: Model(net, loss, metrics={"mse"}, eval_network=net, eval_indexes=[0]),
            ValueError,
            "eval_indexes",
        ),
    ):
        with pytest.raises(error, match=text):
            make()


# Callbacks


class Log(train.Callback):
    """Keeps which methods were called."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):
            self.events.append(name)
        return super().__getattribute__(name)


def test_the_order_of_events() -> None:
    log = Log()
    _, model = model_of(metrics={"mse"})
    steps = ["step_begin", "step_end"] * 2
    model.train(1, BATCHES, callbacks=[log])
    assert log.events == ["begin", "epoch_begin", *steps, "epoch_end", "end"]
    log.events.clear()
    model.eval(BATCHES, callbacks=log)
    assert log.events == ["begin", "epoch_begin", *steps, "epoch_end", "end"]


def test_what_callbacks_see() -> None:
    seen: list[tuple[int, int]] = []
    _, model = model_of()

    def look(context: train.RunContext) -> None:
        args = context.original_args()
        seen.append((args.cur_epoch_num, args.cur_step_num))
        assert args.batch_num == 2
        assert args.epoch_num == 2
        assert args["train_network"] is model.train_network
        assert args.mode == "train"
        with pytest.raises(AttributeError, match="nothing"):
            _ = args.nothing

    model.train(2, BATCHES, callbacks=train.LambdaCallback(on_train_step_end=look))
    assert seen == [(1, 1), (1, 2), (2, 3), (2, 4)]


def test_a_callback_that_stops() -> None:
    for event, steps in (("on_train_step_end", 1), ("on_train_epoch_end", 2)):
        _, model = model_of()
        seen: list[int] = []
        counter = train.LambdaCallback(on_train_step_begin=lambda context, seen=seen: seen.append(1))
        stop = train.LambdaCallback(**{event: train.RunContext.request_stop})
        model.train(5, BATCHES, callbacks=[counter, stop])
        assert len(seen) == steps


def test_loss_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of()
    model.train(1, BATCHES, callbacks=train.LossMonitor())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "epoch: 1 step: 1, loss is 10.0"
    assert lines[1].startswith("epoch: 1 step: 2, loss is 39.0024")
    model.train(1, BATCHES, callbacks=train.LossMonitor(0))
    assert capsys.readouterr().out == ""
    _, model = model_of(1e30)
    with pytest.raises(ValueError, match="NAN or INF"):
        model.train(3, BATCHES, callbacks=train.LossMonitor())
    with pytest.raises(ValueError, match="per_print_times"):
        train.LossMonitor(-1)


def test_time_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of()
    model.train(1, BATCHES, callbacks=train.TimeMonitor())
    shown = capsys.readouterr().out
    assert shown.startswith("Train epoch time: ")
    assert "per step time" in shown
    with pytest.raises(ValueError, match="data_size"):
        train.TimeMonitor(0)


def test_learning_rate_scheduler() -> None:
    net, model = model_of()
    model.train(2, BATCHES, callbacks=[train.LearningRateScheduler(lambda rate, step: rate * 0.5)])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.7503349]], rtol=1e-5)
    net = line()
    changing = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), [0.1, 0.2]))
    with pytest.raises(ValueError, match="fixed learning rate"):
        changing.train(1, BATCHES, callbacks=[train.LearningRateScheduler(lambda rate, step: rate)])
    with pytest.raises(TypeError, match="function"):
        train.LearningRateScheduler(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "epoch"), [({"patience": 1}, 2), ({"patience": 0}, 1), ({"patience": 2, "min_delta": 0.1}, 3)]
)
def test_early_stopping(options: Any, epoch: int, capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of(0.5, metrics={"mse"})
    model.fit(6, BATCHES, BATCHES, callbacks=train.EarlyStopping("mse", verbose=True, **options))
    assert capsys.readouterr().out == f"Epoch {epoch:05d}: early stopping\n"


def test_early_stopping_by_the_loss_of_the_evaluation() -> None:
    _, model = model_of(0.5, metrics={"mse"})
    stop = train.EarlyStopping(patience=1)
    model.fit(6, BATCHES, BATCHES, callbacks=stop)
    assert stop.stopped_epoch == 2
    assert 1e1 < stop.best < 1e5


def test_early_stopping_by_a_metric_of_several_numbers() -> None:
    """The first of them counts."""

    class Pair(train.Metric):
        def clear(self) -> None:
            pass

        def update(self, *inputs: Any) -> None:
            pass

        def eval(self) -> np.ndarray:
            values.append(values[-1] - 1)
            return np.array([[len(values)], [values[-1]]])

    values = [10]
    _, model = model_of(metrics={"pair": Pair()})
    stop = train.EarlyStopping("pair", patience=1, mode="min")
    model.fit(6, BATCHES, BATCHES, callbacks=stop)
    assert (stop.stopped_epoch, stop.best) == (2, 2.0)


def test_early_stopping_takes_the_best_weights() -> None:
    net, model = model_of(0.5, metrics={"mse"})
    best: list[np.ndarray] = []
    keep = train.LambdaCallback(on_train_epoch_end=lambda context: best.append(net.weight.asnumpy().copy()))
    stop = train.EarlyStopping("eval_mse", patience=2, restore_best_weights=True)
    model.fit(6, BATCHES, BATCHES, callbacks=[keep, stop])
    assert stop.stopped_epoch == 3
    assert net.weight.asnumpy().tolist() == best[0].tolist()
    assert np.abs(best[-1]).max() > np.abs(best[0]).max()


def test_reduced_rates_on_a_plateau(capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of(0.2, metrics={"mse"})
    plateau = train.ReduceLROnPlateau("mse", verbose=True, factor=0.1, patience=0)
    rates: list[float] = []
    keep = train.LambdaCallback(
        on_train_epoch_end=lambda context: rates.append(
            float(context.original_args().optimizer.learning_rate.asnumpy())
        )
    )
    model.fit(6, BATCHES, BATCHES, callbacks=[plateau, keep])
    np.testing.assert_allclose(rates, [0.2, 0.2, 0.02, 0.002, 2e-4, 2e-5], rtol=1e-5)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("Epoch 00003: ReduceLROnPlateau reducing learning rate to 0.02")
    with pytest.raises(ValueError, match="factor"):
        train.ReduceLROnPlateau(factor=1.0)
    with pytest.raises(ValueError, match="mode"):
        train.EarlyStopping(mode="best")


# Checkpoints of a run


def test_files_of_a_run(tmp_path: Path) -> None:
    net, model = model_of()
    config = train.CheckpointConfig(
        save_checkpoint_steps=1, keep_checkpoint_max=3, append_info=["epoch_num", "step_num", {"note": "line"}]
    )
    keep = train.ModelCheckpoint("net", directory=str(tmp_path / "runs"), config=config)
    assert keep.latest_ckpt_file_name == ""
    model.train(2, BATCHES, callbacks=keep)
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [
        "net-1_2.ckpt", "net-2_1.ckpt", "net-2_2.ckpt"
    ]  # fmt: skip
    assert keep.latest_ckpt_file_name == str(tmp_path / "runs" / "net-2_2.ckpt")
    saved = ms.load_checkpoint(keep.latest_ckpt_file_name)
    assert saved["weight"].asnumpy().tolist() == net.weight.asnumpy().tolist()
    assert {"learning_rate", "epoch_num", "step_num", "note"} <= set(saved)
    assert int(saved["epoch_num"].asnumpy()) == 2
    assert int(saved["step_num"].asnumpy()) == 4
    assert saved["note"] == "line"
    again = train.ModelCheckpoint(
        "net", directory=str(tmp_path / "runs"), config=train.CheckpointConfig(save_checkpoint_steps=5)
    )
    model.train(1, BATCHES, callbacks=again)
    assert Path(again.latest_ckpt_file_name).name == "net_1-1_2.ckpt"


def test_other_ways_to_save_a_run(tmp_path: Path) -> None:
    net, model = model_of()
    config = train.CheckpointConfig(2, saved_network=net, format="safetensors")
    keep = train.ModelCheckpoint(
        lambda args: f"of{args.batch_num}", directory=lambda prefix, args: str(tmp_path / prefix), config=config
    )
    model.train(1, BATCHES, callbacks=keep)
    assert sorted(ms.load_checkpoint(tmp_path / "of2" / "of2-1_2.safetensors", format="safetensors")) == [
        "bias", "weight"
    ]  # fmt: skip
    timed = train.CheckpointConfig(save_checkpoint_steps=0, save_checkpoint_seconds=3600, crc_check=True)
    keep = train.ModelCheckpoint("slow", str(tmp_path), timed)
    model.train(1, BATCHES, callbacks=keep)
    assert Path(keep.latest_ckpt_file_name).name == "slow-1_2.ckpt"  # the end of the run
    assert timed.get_checkpoint_policy()["save_checkpoint_seconds"] == 3600


def test_configurations_that_make_no_sense() -> None:
    for options, error, text in (
        ({"save_checkpoint_steps": -1}, ValueError, "save_checkpoint_steps"),
        ({"save_checkpoint_steps": 0}, ValueError, "save_checkpoint_seconds"),
        ({"keep_checkpoint_max": 1.5}, ValueError, "keep_checkpoint_max"),
        ({"saved_network": 3}, TypeError, "saved_network"),
        ({"enc_key": b"secret"}, ValueError, "encrypted"),
    ):
        with pytest.raises(error, match=text):
            train.CheckpointConfig(**options)
    with pytest.raises(ValueError, match="prefix"):
        train.ModelCheckpoint("a/b")
    with pytest.raises(TypeError, match="config"):
        train.ModelCheckpoint("a", config={})  # type: ignore[arg-type]


# Files

HALF = b"\n\x18\n\x03f16\x12\x11\x08\x02\x12\x07Float16\x1a\x04\x00<\x00@"  # as MindSpore wrote it


def test_the_bytes_are_those_of_mindspore(tmp_path: Path) -> None:
    path = tmp_path / "half.ckpt"
    ms.save_checkpoint([{"name": "f16", "data": T([1.0, 2.0], ms.float16)}], path)
    assert path.read_bytes() == HALF
    loaded = ms.load_checkpoint(str(path))
    assert isinstance(loaded["f16"], Parameter)
    assert loaded["f16"].dtype == ms.float16
    assert loaded["f16"].asnumpy().tolist() == [1.0, 2.0]
    assert [entry.name for entry in tmp_path.iterdir()] == ["half.ckpt"]


def test_brain_floats(tmp_path: Path) -> None:
    path = tmp_path / "b.ckpt"
    path.write_bytes(b"\n\x18\n\x02bf\x12\x12\x08\x02\x12\x08BFloat16\x1a\x04\x80?\x00@")
    assert ms.load_checkpoint(path)["bf"].asnumpy().astype(np.float32).tolist() == [1.0, 2.0]


def test_a_tensor_in_several_records(tmp_path: Path) -> None:
    def record(raw: bytes) -> bytes:
        tensor = b"\x08\x04\x12\x05Int16\x1a" + bytes([len(raw)]) + raw
        body = b"\n\x01x\x12" + bytes([len(tensor)]) + tensor
        return b"\n" + bytes([len(body)]) + body

    path = tmp_path / "cut.ckpt"
    path.write_bytes(record(b"\x01\x00\x02\x00") + record(b"\x03\x00\x04\x00"))
    assert ms.load_checkpoint(path)["x"].asnumpy().tolist() == [1, 2, 3, 4]


DTYPES = (
    ms.float16, ms.float32, ms.float64, ms.int8, ms.int16, ms.int32, ms.int64, ms.uint8, ms.uint16, ms.uint32,
    ms.uint64, ms.bool_,
)  # fmt: skip


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_every_dtype_comes_back(format: str, tmp_path: Path) -> None:
    values = {str(dtype): T([[1, 0, 1]], dtype) for dtype in DTYPES}
    values["scalar"] = T(2.5)
    values["empty"] = Tensor(np.zeros((0, 3), np.float32))
    ms.save_checkpoint(values, str(tmp_path / "all"), format=format)
    loaded = ms.load_checkpoint(str(tmp_path / f"all.{format}"), format=format)
    assert set(loaded) == set(values)
    for name, value in values.items():
        assert loaded[name].dtype == value.dtype
        assert loaded[name].shape == value.shape
        np.testing.assert_array_equal(loaded[name].asnumpy(), value.asnumpy())


def test_appended_values(tmp_path: Path) -> None:
    path = str(tmp_path / "a.ckpt")
    ms.save_checkpoint(line(), path, append_dict={"epoch": 3, "rate": 0.5, "flag": True, "note": "hé"}, crc_check=True)
    loaded = ms.load_checkpoint(path)
    assert list(loaded) == ["weight", "bias", "epoch", "rate", "flag", "note"]
    assert (int(loaded["epoch"].asnumpy()), float(loaded["rate"].asnumpy())) == (3, 0.5)
    assert loaded["flag"].dtype == ms.bool_
    assert loaded["note"] == "hé"


def test_a_part_of_a_file(tmp_path: Path) -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
    path = str(tmp_path / "a.ckpt")
    ms.save_checkpoint(net, path)
    assert list(ms.load_checkpoint(path, filter_prefix="1")) == ["0.weight", "0.bias"]
    assert list(ms.load_checkpoint(path, specify_prefix=["0"])) == ["0.weight", "0.bias"]
    assert list(ms.load_checkpoint(path, choice_func=lambda name: name.endswith("gamma"))) == ["1.gamma"]
    with pytest.raises(ValueError, match="nothing is left"):
        ms.load_checkpoint(path, specify_prefix="7")
    with pytest.raises(TypeError, match="filter_prefix"):
        ms.load_checkpoint(path, filter_prefix=3)
    ms.save_checkpoint(net, path, choice_func=lambda name: name.startswith("0"))
    assert list(ms.load_checkpoint(path)) == ["0.weight", "0.bias"]


def test_a_large_file_is_checked_by_its_checksum(tmp_path: Path) -> None:
    path = tmp_path / "crc.ckpt"
    ms.save_checkpoint({"x": T(np.arange(1000.0))}, path, crc_check=True)
    raw = bytearray(path.read_bytes())
    assert raw[-17:-10] == b"crc_num"
    np.testing.assert_array_equal(ms.load_checkpoint(path, crc_check=True)["x"].asnumpy(), np.arange(1000.0))
    raw[200] ^= 1
    path.write_bytes(raw)
    with pytest.raises(ValueError, match="checksum"):
        ms.load_checkpoint(path)


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "bad.ckpt"
    for raw in (b"garbage", HALF[:-1], HALF[:9], b"\x0a\xff", b"\x12\x01a", HALF.replace(b"Float16", b"Float99")):
        path.write_bytes(raw)
        with pytest.raises(ValueError, match="cannot be read"):
            ms.load_checkpoint(path)
    path.write_bytes(HALF.replace(b"\x08\x02", b"\x08\x03"))
    with pytest.raises(ValueError, match="bytes"):
        ms.load_checkpoint(path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="nothing is left"):
        ms.load_checkpoint(path)
    path = tmp_path / "bad.safetensors"
    header = json.dumps({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}).encode()
    for raw in (b"abc", b"\xff" * 12, b"\x04" + b"\x00" * 7 + b"{{{{", bytes([len(header)]) + b"\x00" * 7 + header):
        path.write_bytes(raw)
        with pytest.raises(ValueError, match="cannot be read"):
            ms.load_checkpoint(path, format="safetensors")


def test_files_that_cannot_be_meant(tmp_path: Path) -> None:
    for call, error, text in (
        (lambda: ms.load_checkpoint(str(tmp_path / "none.ckpt")), ValueError, "does not exist"),
        (lambda: ms.load_checkpoint(str(tmp_path / "a.txt")), ValueError, "end in '.ckpt'"),
        (lambda: ms.load_checkpoint(3), TypeError, "name of a file"),
        (lambda: ms.load_checkpoint("a.ckpt", dec_key=b"k"), ValueError, "encrypted"),
        (lambda: ms.save_checkpoint(line(), "a.ckpt", enc_key=b"k"), ValueError, "encrypted"),
        (lambda: ms.save_checkpoint(3, str(tmp_path / "a")), TypeError, "a Cell, a list or a dict"),
        (lambda: ms.save_checkpoint([3], str(tmp_path / "a")), TypeError, "'name' and 'data'"),
        (lambda: ms.save_checkpoint({"a": object()}, str(tmp_path / "a")), TypeError, "cannot save 'a'"),
        (lambda: ms.save_checkpoint(line(), 3), TypeError, "name of a file"),
        (lambda: ms.save_checkpoint(line(), "a", format="pickle"), ValueError, "format"),
        (lambda: ms.save_checkpoint(line(), "a", append_dict=3), TypeError, "append_dict"),
        (
            lambda: ms.save_checkpoint({"a": T([1j], ms.complex64)}, str(tmp_path / "a"), format="safetensors"),
            TypeError,
            "no dtype",
        ),
    ):
        with pytest.raises(error, match=text):
            call()
    assert list(tmp_path.iterdir()) == []  # no half files are left behind


def test_conversions_between_the_formats(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    ms.save_checkpoint({"a": T([1.0]), "b": T([2], ms.int32)}, tmp_path / "x.ckpt")
    ms.train.ckpt_to_safetensors(str(tmp_path / "x.ckpt"), str(tmp_path / "out"), {"a": "c"})
    assert sorted(ms.load_checkpoint(tmp_path / "out" / "x.safetensors", format="safetensors")) == ["b", "c"]
    ms.train.safetensors_to_ckpt(str(tmp_path / "out" / "x.safetensors"))
    assert ms.load_checkpoint(tmp_path / "out" / "x.ckpt")["b"].asnumpy().tolist() == [2]


# Loading into Cells


def test_loading_into_a_cell(tmp_path: Path) -> None:
    first, second = nn.Dense(2, 3), nn.Dense(2, 3)
    path = tmp_path / "dense.ckpt"
    ms.save_checkpoint(first, path, append_dict={"epoch": 1, "note": "x"})
    assert ms.load_param_into_net(second, ms.load_checkpoint(path)) == ([], ["epoch", "note"])
    np.testing.assert_array_equal(second.weight.asnumpy(), first.weight.asnumpy())
    third = nn.Dense(2, 3)
    ms.load_checkpoint(path, net=third)
    np.testing.assert_array_equal(third.bias.asnumpy(), first.bias.asnumpy())


def test_a_compiled_cell_sees_what_is_loaded() -> None:
    net = line()

    @ms.jit
    def run(x: Tensor) -> Tensor:
        return net(x)

    assert run(T([[3.0]])).asnumpy().tolist() == [[0.0]]
    ms.load_param_into_net(net, {"weight": Parameter(T([[2.0]]), name="weight")})
    assert run(T([[3.0]])).asnumpy().tolist() == [[6.0]]


class Holder(nn.Cell):
    """A Cell with one Parameter."""

    def __init__(self, value: Tensor) -> None:
        super().__init__()
        self.z = Parameter(value, name="z")


def test_dtypes_and_shapes_when_loading() -> None:
    cell = Holder(T([1.0]))
    assert ms.load_param_into_net(cell, {"q": Parameter(T([5.0]))}) == (["z"], ["q"])
    for value in (T([5.0], ms.float64), T([5.0], ms.float16)):
        ms.load_param_into_net(cell, {"z": Parameter(value)})
        assert cell.z.dtype == ms.float32
        assert cell.z.asnumpy().tolist() == [5.0]
    for given, error, text in (
        ({"z": Parameter(T([5], ms.int32))}, RuntimeError, "dtype"),
        ({"z": Parameter(T([1.0, 2.0]))}, RuntimeError, "shape"),
        ({"z": T([2.0])}, TypeError, "Parameters"),
        ({"z": 3}, TypeError, "Parameters"),
        ([1], TypeError, "dict"),
    ):
        with pytest.raises(error, match=text):
            ms.load_param_into_net(cell, given)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="dtype"):
        ms.load_param_into_net(cell, {"z": Parameter(T([5.0], ms.float16))}, strict_load=True)
    with pytest.raises(TypeError, match="a Cell"):
        ms.load_param_into_net(3, {})  # type: ignore[arg-type]


def test_training_goes_on_where_it_ended(tmp_path: Path) -> None:
    def training() -> tuple[nn.Cell, nn.Cell]:
        net = line()
        return net, nn.TrainOneStepCell(
            nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), [0.1, 0.2, 0.3, 0.4])
        )

    net, step = training()
    for _ in range(2):
        step(*map(Tensor, BATCHES[0]))
    ms.save_checkpoint(step, tmp_path / "step.ckpt")
    other, resumed = training()
    missing, unused = ms.load_checkpoint(tmp_path / "step.ckpt"), []
    assert ms.load_param_into_net(resumed, missing) == ([], unused)
    for cell in (step, resumed):
        cell(*map(Tensor, BATCHES[1]))
    np.testing.assert_array_equal(net.weight.asnumpy(), other.weight.asnumpy())
    assert net.weight.asnumpy()[0, 0] != 0


# Feeding


def test_dataset_helper() -> None:
    helper = train.DatasetHelper(Dataset(), dataset_sink_mode=False)
    assert [batch[0].shape for batch in helper] == [(2, 1), (2, 1)]
    assert helper.sink_size() == 2
    assert helper.types_shapes() == ([ms.float32, ms.float32], [[2, 1], [2, 1]])
    assert len(list(train.DatasetHelper(BATCHES, False, sink_size=1))) == 1
    net = line()
    assert train.connect_network_with_dataset(net, helper) is net
    with pytest.raises(TypeError, match="dataset_sink_mode"):
        train.DatasetHelper(BATCHES, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("config", [None, ms.JitConfig()])
def test_data_sink(config: Any) -> None:
    step = train.data_sink(lambda x, y: (x + y).sum(), Dataset(), jit_config=config)
    assert [float(step().asnumpy()) for _ in range(3)] == [9.0, 21.0, 9.0]
    assert float(train.data_sink(lambda x, y: x.sum(), BATCHES, sink_size=2)().asnumpy()) == 7.0
    with pytest.raises(ValueError, match="sink_size"):
        train.data_sink(lambda x: x, BATCHES, sink_size=0)


# Metrics

SCORES = T([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]])
LABELS = T([1, 0, 1], ms.int32)
MANY = T([[1.0, 0, 1], [0, 1, 1]]), T([[1, 0, 0], [0, 1, 1]], ms.int32)
TEN = Tensor((np.arange(30).reshape(3, 10) % 7).astype(np.float32)), T([1, 0, 6], ms.int32)
PAIR = T([1.0, 2.0]), T([1.5, 4.0])
BINARY = T([1, 0, 1, 0], ms.int32), T([1, 0, 0, 1], ms.int32)
TEXT = (
    [["i", "have", "a", "pen", "on", "my", "desk"]],
    [[["i", "have", "a", "pen", "in", "my", "desk"], ["there", "is", "a", "pen", "on", "the", "desk"]]],
)


@pytest.mark.parametrize(
    ("make", "inputs", "expected"),
    [
        (lambda: train.Accuracy(), (SCORES, LABELS), 2 / 3),
        (lambda: train.Accuracy(), (SCORES, T([[0, 1], [1, 0], [0, 1]], ms.int32)), 2 / 3),
        (lambda: train.Accuracy("multilabel"), MANY, 0.5),
        (lambda: train.Precision(), (SCORES, LABELS), [0.5, 1.0]),
        (lambda: train.Precision("multilabel"), MANY, [0.5, 1.0, 0.5, 1.0]),
        (lambda: train.Recall(), (SCORES, LABELS), [1.0, 0.5]),
        (lambda: train.Recall("multilabel"), MANY, [1.0, 1.0, 1.0, 1.0]),
        (lambda: train.F1(), (SCORES, LABELS), [2 / 3, 2 / 3]),
        (lambda: train.Fbeta(2.0), (SCORES, LABELS), [0.83333333, 0.55555556]),
        (lambda: train.Top1CategoricalAccuracy(), (SCORES, LABELS), 2 / 3),
        (lambda: train.Top5CategoricalAccuracy(), TEN, 1 / 3),
        (lambda: train.TopKCategoricalAccuracy(3), TEN, 1 / 3),
        (lambda: train.MAE(), PAIR, 1.25),
        (lambda: train.MSE(), PAIR, 2.125),
        (lambda: train.Loss(), (T(2.5),), 2.5),
        (lambda: train.Loss(), (T([2.5, 1.0]),), 1.75),
        (lambda: train.Perplexity(), (SCORES, LABELS), 2.2314431850023855),
        (lambda: train.Perplexity(0), (SCORES, LABELS), 1.8257418694340384),
    ],
)
def test_metrics_over_two_batches(make: Any, inputs: Any, expected: Any) -> None:
    metric = make()
    metric.clear()
    for _ in range(2):
        metric.update(*inputs)
    np.testing.assert_allclose(metric.eval(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "inputs", "expected"),
    [
        (lambda: train.ConfusionMatrix(2), BINARY, [[1, 1], [1, 1]]),
        (lambda: train.ConfusionMatrix(2, "prediction"), BINARY, [[0.5, 0.5], [0.5, 0.5]]),
        (lambda: train.ConfusionMatrix(3, "target"), BINARY, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 0]]),
        (lambda: train.ConfusionMatrix(2, "all"), BINARY, np.full((2, 2), 0.25)),
        (lambda: train.CosineSimilarity(), (np.array([[1.0, 2], [3, 4]]),), [[0, 0.9838699], [0.9838699, 0]]),
        (lambda: train.CosineSimilarity("dot", "mean", False), (np.array([[1.0, 2], [3, 4]]),), [8, 18]),
        (lambda: train.Dice(), (SCORES, T([[0, 1], [1, 0], [0, 1]])), 0.20467793022896577),
        (lambda: train.BleuScore(), TEXT, 0.5946035575013605),
    ],
)
def test_metrics_over_one_batch(make: Any, inputs: Any, expected: Any) -> None:
    metric = make()
    metric.clear()
    metric.update(*inputs)
    np.testing.assert_allclose(metric.eval(), expected, rtol=1e-6)


def test_averages() -> None:
    for metric, expected in ((train.Precision(), 0.75), (train.Recall(), 0.75), (train.Fbeta(2.0), 0.6944444444)):
        metric.clear()
        metric.update(SCORES, LABELS)
        np.testing.assert_allclose(metric.eval(True), expected)


def test_roc_and_area() -> None:
    metric = train.ROC(pos_label=1)
    metric.clear()
    metric.update(T([3.0, 1, 4, 2]), T([0, 1, 2, 3]))
    misses, hits, thresholds = metric.eval()
    np.testing.assert_allclose(misses, [0, 1 / 3, 2 / 3, 1, 1])
    assert np.asarray(hits).tolist() == [0, 0, 0, 0, 1]
    assert np.asarray(thresholds).tolist() == [5, 4, 3, 2, 1]
    assert train.auc(np.array([0, 0.5, 1]), np.array([0, 0.5, 1.0])) == 0.5
    assert train.auc(np.array([1.0, 0]), np.array([1.0, 0])) == 0.5
    with pytest.raises(ValueError, match="rises or falls"):
        train.auc(np.array([0.0, 1, 0.5]), np.ones(3))
    assert train.auc(np.array([0.0, 1, 0.5]), np.ones(3), reorder=True) == 1.0


class Sum(train.Metric):
    """A metric of one's own."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self.sum = 0.0

    def update(self, *inputs: Any) -> None:
        self.sum += self._convert_data(inputs[0]).sum()

    def eval(self) -> Any:
        return self.sum


def test_a_metric_of_ones_own() -> None:
    net, model = model_of(metrics={"sum": Sum()})
    assert model.eval(BATCHES) == {"sum": 0.0}
    net.bias.set_data(T([1.0]))
    assert model.eval(BATCHES) == {"sum": 4.0}
    chosen = train.Accuracy().set_indexes([0, 2])
    assert chosen.indexes == [0, 2]
    chosen.clear()
    chosen.update(SCORES, T([3.0]), LABELS)
    np.testing.assert_allclose(chosen.eval(), 2 / 3)


def test_metrics_by_name() -> None:
    assert isinstance(train.get_metric_fn("precision", eval_type="classification"), train.Precision)
    assert set(nn.get_metrics({"mse", "acc"})) == {"mse", "acc"}
    assert {"accuracy", "loss", "topk"} <= set(train.names())
    with pytest.raises(KeyError, match="nothing"):
        train.get_metric_fn("nothing")


def test_metrics_that_cannot_be_had() -> None:
    empty = train.MAE()
    empty.clear()
    with pytest.raises(RuntimeError):
        empty.eval()
    with pytest.raises(TypeError):
        train.Accuracy("foo")
    metric = train.Accuracy()
    metric.clear()
    metric.update(SCORES, LABELS)
    with pytest.raises(ValueError, match="class"):
        metric.update(T([[1.0, 2.0, 3.0]]), T([1], ms.int32))
    with pytest.raises(ValueError, match="shape"):
        train.Accuracy().update(SCORES, T([1, 0], ms.int32))


class Context(train.Callback):
    def __init__(self, other: Any = None) -> None:
        self.seen: list[Any] = []
        self.other = other

    def __enter__(self) -> Any:
        self.seen.append("enter")
        return self.other or self

    def __exit__(self, *error: Any) -> None:
        self.seen.append(["exit", error[0]])

    def on_train_step_end(self, run_context: Any) -> None:
        self.seen.append("step")

    def on_eval_end(self, run_context: Any) -> None:
        args = run_context.original_args()
        self.seen.append([args.get("cur_epoch_num"), sorted(args.eval_results)])


def test_callbacks_are_entered() -> None:
    net = nn.Dense(1, 1)
    data = [(Tensor([[1.0]]), Tensor([[2.0]]))]
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"loss": nn.Loss()})
    plain, other = Context(), Context()
    substitute = Context(other)
    model.train(1, data, [plain, substitute])
    assert plain.seen == ["enter", "step", ["exit", None]]
    assert substitute.seen == ["enter", ["exit", None]]
    assert other.seen == ["step"]
    plain.seen.clear()
    model.eval(data, plain)
    assert plain.seen == ["enter", [None, ["eval_loss", "loss"]], ["exit", None]]


def test_callbacks_around_evaluations_of_fit() -> None:
    net = nn.Dense(1, 1)
    data = [(Tensor([[1.0]]), Tensor([[2.0]]))]
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"loss": nn.Loss()})
    callback, called = Context(), []
    functions = train.LambdaCallback(on_eval_end=lambda run_context: called.append("eval"))
    model.fit(2, data, data, callbacks=[callback, functions])
    inner = [["enter", [epoch, ["eval_loss", "loss"]], ["exit", None]] for epoch in (1, 2)]
    assert callback.seen == ["enter", "step", *inner[0], "step", *inner[1], ["exit", None]]
    assert called == []  # those of MindSpore's own watch the training alone
    model.eval(data, functions)
    assert called == ["eval"]


def test_errors_reach_callbacks() -> None:
    class Fails(Context):
        def on_train_step_end(self, run_context: Any) -> None:
            raise ValueError("no")

    net = nn.Dense(1, 1)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    fails = Fails()
    with pytest.raises(ValueError, match="no"):
        model.train(1, [(Tensor([[1.0]]), Tensor([[2.0]]))], [fails])
    assert fails.seen == ["enter", ["exit", ValueError]]

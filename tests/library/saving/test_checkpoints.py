"""Checkpoints: of a run, as files in MindSpore's formats, and loaded into Cells."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from fitted_line import BATCHES, line, model_of
from tensors import T

import mycel as ms
from mycel import Parameter, Tensor, nn, train

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
        ({"keep_checkpoint_max": 1.5}, TypeError, "keep_checkpoint_max"),
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

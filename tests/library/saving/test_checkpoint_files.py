"""Checkpoints against damage, kills and large sizes: whole or refused, piece by piece, as MindSpore writes them."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from memory_use import measured
from saved_files import FORMATS, loads, saved, values

import mycel as ms
from mycel import DamagedFileError, Parameter, Tensor, nn
from mycel.library.saving import checkpoint_files
from mycel.library.saving.wire import varint

# MindSpore's files

MINDSPORE = {
    "ckpt": b"\n\x1c\n\x01w\x12\x17\x08\x02\x08\x02\x12\x07Float16\x1a\x08\x00\x00\x00<\x00@\x00B\n\x16\n\x01i\x12\x11"
    b"\x12\x05Int64\x1a\x08\x03\x00\x00\x00\x00\x00\x00\x00crc_num\x00\x00\x00\x00\x00\x00D<T\xf7",
    "safetensors": b'\xa8\x00\x00\x00\x00\x00\x00\x00{"__metadata__":{"format":"ms","crc_num":"2655633619"},"i":{"dtyp'
    b'e":"I64","shape":[],"data_offsets":[0,8]},"w":{"dtype":"F16","shape":[2,2],"data_offsets":[8,16]}}     \x03\x00'
    b"\x00\x00\x00\x00\x00\x00\x00\x00\x00<\x00@\x00B",
}


@pytest.mark.parametrize("format", FORMATS)
def test_checksums_are_those_of_mindspore(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{format}"
    raw = MINDSPORE[format]
    loaded = loads(path, raw, crc_check=True)
    assert loaded["w"].asnumpy().tolist() == [[0, 1], [2, 3]]
    assert int(loaded["i"].asnumpy()) == 3
    ms.save_checkpoint({name: loaded[name] for name in ("w", "i")}, path, crc_check=True, format=format)
    ours = path.read_bytes()
    if format == "safetensors":
        size = int.from_bytes(ours[:8], "little")
        assert json.loads(ours[8 : 8 + size])["__metadata__"]["crc_num"] == "2655633619"
    else:  # the records, with their length before them
        records = raw[:-17]
        assert ours[:-17] == b"\x79" + struct.pack("<Q", len(records)) + records
        assert ours[-17:] == b"crc_num" + zlib.crc32(ours[:-17]).to_bytes(10, "big")


def test_a_scalar_of_an_old_file(tmp_path: Path) -> None:
    """Earlier versions of MindSpore wrote the shape (0,) for one number without dimensions."""
    tensor = b"\x08\x00\x12\x07Float32\x1a\x04" + np.float32(2.5).tobytes()
    body = b"\n\x01s\x12" + varint(len(tensor)) + tensor
    loaded = loads(tmp_path / "a.ckpt", b"\n" + varint(len(body)) + body)
    assert loaded["s"].shape == ()
    assert float(loaded["s"].asnumpy()) == 2.5


def test_large_tensors_are_cut_into_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_files, "SLICE", 40)
    monkeypatch.setattr(checkpoint_files, "CHUNK", 12)
    numbers = np.arange(35, dtype=np.float64).reshape(5, 7)
    for array in (numbers, numbers.T, numbers[::2], np.asfortranarray(numbers)):
        for crc_check in (False, True):
            path = tmp_path / "a.ckpt"
            ms.save_checkpoint({"x": Tensor._wrap(array)}, path, crc_check=crc_check)
            assert path.read_bytes().count(b"Float64") == -(-array.nbytes // 40)
            np.testing.assert_array_equal(ms.load_checkpoint(path)["x"].asnumpy(), array)
        path = tmp_path / "a.safetensors"
        ms.save_checkpoint({"x": Tensor._wrap(array)}, path, format="safetensors", crc_check=True)
        np.testing.assert_array_equal(ms.load_checkpoint(path, format="safetensors")["x"].asnumpy(), array)


def test_numbers_of_the_other_byte_order() -> None:
    file = io.BytesIO()
    checkpoint_files.write_ckpt(file, {"x": (np.arange(5, dtype=">i4"), "Int32")})
    (stored,) = checkpoint_files.ckpt_entries(file, len(file.getvalue())).values()
    assert checkpoint_files.read_entry("x", stored, file).asnumpy().tolist() == [0, 1, 2, 3, 4]


def test_brain_floats_without_their_package(tmp_path: Path) -> None:
    """They become float32 numbers, the same ones."""
    pytest.importorskip("ml_dtypes")
    numbers = np.float32([1, -2, 0.5, 3.140625, np.inf, -0.0, 2.0**-133]).reshape(7, 1)
    values = {"x": Tensor(numbers).astype(ms.bfloat16), "y": Tensor(np.float32([7]))}
    for format in FORMATS:
        ms.save_checkpoint(values, tmp_path / "a", format=format)
    raw = (tmp_path / "a.ckpt").read_bytes()
    assert b"BFloat16" in raw
    np.testing.assert_array_equal(loads(tmp_path / "b.ckpt", raw)["x"].asnumpy().astype(np.float32), numbers)
    script = f"""
import sys
sys.modules["ml_dtypes"] = None
import numpy as np, mycel as ms
from mycel.library.saving import checkpoint_files
for chunk in (1 << 20, 3):
    checkpoint_files.CHUNK = chunk
    for format in ("ckpt", "safetensors"):
        loaded = ms.load_checkpoint({str(tmp_path / "a")!r} + "." + format, format=format)
        assert loaded["x"].dtype == ms.float32 and loaded["x"].shape == (7, 1)
        print(loaded["x"].asnumpy().tobytes().hex(), loaded["y"].asnumpy().tolist())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{numbers.tobytes().hex()} [7.0]"] * 4


# Damage


def test_a_file_with_a_checksum_is_whole_or_refused(tmp_path: Path) -> None:
    """Wherever it is cut, between two records as well."""
    path = tmp_path / "a.ckpt"
    raw = saved(path, crc_check=True)
    assert set(ms.load_checkpoint(path, crc_check=True)) == set(values())
    for end in range(len(raw)):
        for options in ({}, {"crc_check": True}):
            with pytest.raises(DamagedFileError, match=r"a\.ckpt' cannot be read"):
                loads(path, raw[:end], **options)


@pytest.mark.parametrize("format", FORMATS)
def test_each_bit_of_a_file_with_a_checksum_counts(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{format}"
    raw = saved(path, format=format, crc_check=True)
    equal = 0
    for position in range(len(raw)):
        changed = bytearray(raw)
        changed[position] ^= 1 << position % 8
        try:
            loaded = loads(path, bytes(changed), crc_check=True)
        except DamagedFileError:
            continue
        # MindSpore's checksum of safetensors does not cover the header; what is described there has to fit.
        assert format == "safetensors"
        equal += 1
        assert [value.asnumpy().tobytes() for _, value in sorted(loaded.items())]
    assert equal < len(raw) // 10


def test_a_checksum_that_is_asked_for_has_to_be_there(tmp_path: Path) -> None:
    for format in FORMATS:
        path = tmp_path / f"a.{format}"
        raw = saved(path, format=format)
        assert set(loads(path, raw)) == set(values())
        with pytest.raises(DamagedFileError, match="crc_check=True asks for"):
            loads(path, raw, crc_check=True)
    raw = MINDSPORE["ckpt"]
    with pytest.raises(DamagedFileError, match="crc_check=True asks for"):
        loads(tmp_path / "a.ckpt", raw[:30], crc_check=True)  # cut between its records


def header(entries: Any, data: bytes = bytes(8), size: int | None = None) -> bytes:
    text = entries if isinstance(entries, bytes) else json.dumps(entries).encode()
    return struct.pack("<Q", len(text) if size is None else size) + text + data


def entry(**changes: Any) -> dict[str, Any]:
    return {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changes}


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"\x01\x02", "too short"),
        (header({}, size=1 << 62), "header is cut off"),
        (header(b"[]"), "should be a JSON object, but is a list"),
        (header(b"3"), "should be a JSON object, but is a int"),
        (header(b"[" * 100_000), "no JSON"),
        (header(b"\xff{}"), "no JSON"),
        (header(b'{"x": {"dtype": "F32"}, "x": 1}'), "names 'x' twice"),
        (header({"x": 3}), "entry of 'x'"),
        (header({"__metadata__": []}), "metadata"),
        (header({"x": {}}), "unknown dtype None"),
        (header({"x": entry(dtype="F31")}), "unknown dtype 'F31'"),
        (header({"x": entry(dtype=["F32"])}), "unknown dtype"),
        (header({"x": entry(shape=[-2])}), "shape of 'x'"),
        (header({"x": entry(shape=2)}), "shape of 'x'"),
        (header({"x": entry(shape=[True, 2])}), "shape of 'x'"),
        (header({"x": entry(shape=[2.0])}), "shape of 'x'"),
        (header({"x": entry(shape=[1] * 65)}), "shape of 'x'"),
        (header({"x": entry(shape=[3])}), "has 8 bytes"),
        (header({"x": entry(shape=[1 << 62, 1 << 62])}), "has 8 bytes"),
        (header({"x": entry(shape=[0, 1 << 63], data_offsets=[0, 0])}, b""), "cannot be"),
        (header({"x": entry(dtype="F16")}), "has 8 bytes"),
        (header({"x": entry(data_offsets=[-8, 0])}), "data_offsets"),
        (header({"x": entry(data_offsets=[-8, -16])}), "data_offsets"),
        (header({"x": entry(data_offsets=[8, 0])}), "data_offsets"),
        (header({"x": entry(data_offsets=[0, 16])}), "data_offsets"),
        (header({"x": entry(data_offsets=[0])}), "data_offsets"),
        (header({"x": entry(data_offsets=[0, 8, 8])}), "data_offsets"),
        (header({"x": entry(data_offsets="08")}), "data_offsets"),
        (header({"x": entry(data_offsets=[0, 8.0])}), "data_offsets"),
        (header({"x": entry(), "y": entry()}), "'y' overlaps"),
        (header({"x": entry(shape=[1], data_offsets=[4, 8])}), "'x' leaves a gap"),
        (header({"x": entry()}, bytes(9)), "1 bytes behind"),
        (header({"x": {**entry(), "dtype": "BOOL", "shape": [8]}}, b"\x00\x01" * 3 + b"\x02\x00"), "holds the byte 2"),
        (header({"__metadata__": {"crc_num": "5"}, "x": entry()}), "checksum differs"),
        (
            header({"__metadata__": {"crc_num": "5"}, "x": entry(dtype="I64", shape=[])}, b"\xff" * 7 + b"\x7f"),
            "too large",
        ),
    ],
)
def test_safetensors_that_cannot_be(raw: bytes, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match=problem):
        loads(tmp_path / "a.safetensors", raw)


def test_a_header_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.safetensors"
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", 1 << 35))
        file.truncate(1 << 36)
    began = time.perf_counter()
    with pytest.raises(DamagedFileError, match="more than 100000000"):
        ms.load_checkpoint(path, format="safetensors")
    assert time.perf_counter() - began < 1


def ckpt_record(tensor: bytes, name: bytes = b"\n\x01x") -> bytes:
    body = name + b"\x12" + varint(len(tensor)) + tensor
    return b"\n" + varint(len(body)) + body


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (ckpt_record(b"\x08\x01\x12\x07Float32\x1a\x04\x00\x00\x80"), "cut off"),
        (ckpt_record(b"\x08\x02\x12\x07Float32\x1a\x04\x00\x00\x80\x3f"), "has 4 bytes"),
        (ckpt_record(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x12\x07Float32\x1a\x00"), "has 0 bytes"),
        (ckpt_record(b"\x08\x00" + b"\x08" + varint(1 << 63) + b"\x12\x07Float32\x1a\x00"), "cannot be"),
        (ckpt_record(b"\x08\x01" * 65 + b"\x12\x07Float32\x1a\x04\x00\x00\x80\x3f"), "shape of 'x'"),
        (ckpt_record(b"\x0a\x01a\x12\x07Float32\x1a\x04\x00\x00\x80\x3f"), "shape of 'x'"),
        (ckpt_record(b"\x10\x05\x1a\x00"), "name of a dtype"),
        (ckpt_record(b"\x12\x02\xff\xff"), "no text"),
        (ckpt_record(b"\x12\x04Void"), "unknown dtype 'Void'"),
        (ckpt_record(b"\x12\x03str\x1a\x03abc"), "no text"),
        (ckpt_record(b"\x12\x03str\x1a\x04\xff\xff\xff\xff"), "no text"),
        (ckpt_record(b"\x08\x01\x12\x04Bool\x1a\x01\x07"), "holds the byte 7"),
        (ckpt_record(b"\x12\x04Bool\x1a\x01\x01", b"\n\x02\xff\xff"), "no text"),
        (ckpt_record(b"\x12\x04Bool\x1a\x01\x01", b"\x08\x05"), "a name is a number"),
        (ckpt_record(b"\x12\x04Bool\x1a\x01\x01") * 2, "has 2 bytes"),
        (ckpt_record(b"\x12\x04Bool\x1a\x01\x01") + ckpt_record(b"\x12\x04Int8\x1a\x01\x01"), "different dtypes"),
        (b"\n\x00", "no dtype"),
        (b"\n\xff\xff\xff\xff\x0f", "cut off"),
        (b"\x08\x01", "a record is a number"),
        (b"\x79" + struct.pack("<Q", 0), "checksum at its end is missing"),
        (b"\x0b", "unknown kind 3"),
        (b"\x80" * 12, "cut off"),
        (b"\xff" * 9 + b"\x7f", "64 bits"),
    ],
)
def test_records_that_cannot_be(raw: bytes, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match=problem):
        loads(tmp_path / "a.ckpt", raw)


def test_names_without_letters(tmp_path: Path) -> None:
    loaded = loads(tmp_path / "a.ckpt", ckpt_record(b"\x12\x04Bool\x1a\x01\x01", b"\n\x01 "))
    assert loaded[" "].name == "parameter"


def test_damaged_files_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.ckpt"
    with pytest.raises(DamagedFileError) as caught:
        loads(path, b"garbage")
    assert caught.value.path == str(path)
    assert str(caught.value).endswith("Write it again, or take another copy of it.")
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_checkpoint(str(tmp_path / "folder.ckpt"))
    (tmp_path / "folder.ckpt").mkdir()
    with pytest.raises(ValueError, match="does not exist"):
        ms.load_checkpoint(str(tmp_path / "folder.ckpt"))


# Memory


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("crc_check", [False, True])
def test_saving_and_loading_take_no_second_copy(format: str, crc_check: bool, tmp_path: Path) -> None:
    arrays = {f"w{number}": Parameter(Tensor(np.full((1 << 20,), number, np.float32))) for number in range(6)}
    nbytes = sum(value.nbytes for value in arrays.values())
    path = tmp_path / f"a.{format}"
    options: dict[str, Any] = {"format": format, "crc_check": crc_check}
    ms.save_checkpoint({"x": Tensor([1.0])}, path, **options)  # what the first call keeps for good
    ms.load_checkpoint(path, **options)
    room = 2 * checkpoint_files.CHUNK + (1 << 18)
    assert measured(lambda: ms.save_checkpoint(arrays, path, **options)) < room
    loading = measured(lambda: ms.load_checkpoint(path, **options))
    assert nbytes <= loading < nbytes + room


def test_loading_into_a_network_takes_one_tensor_more(tmp_path: Path) -> None:
    net, other = (nn.SequentialCell([nn.Dense(512, 512) for _ in range(8)]) for _ in range(2))
    nbytes = sum(parameter.nbytes for parameter in net.get_parameters())
    given = other.parameters_dict()
    ms.load_param_into_net(net, given)
    assert measured(lambda: ms.load_param_into_net(net, given)) < nbytes // 8 + (1 << 18)

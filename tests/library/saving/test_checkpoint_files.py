"""Checkpoints against damage, kills and large sizes: whole or refused, piece by piece, as MindSpore writes them."""

from __future__ import annotations

import errno
import io
import json
import os
import re
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

import mycel as ms
from mycel import DamagedFileError, Parameter, Tensor, nn
from mycel.library.saving import checkpoint_files, whole_files
from mycel.library.saving.wire import varint

posix = pytest.mark.skipif(sys.platform == "win32", reason="locks and modes of files")
FORMATS = ("ckpt", "safetensors")


def values() -> dict[str, Tensor]:
    return {
        "w": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), "n": Tensor(np.array(3)),
        "b": Tensor(np.array([True, False])), "e": Tensor(np.zeros((0, 2), np.float64)),
    }  # fmt: skip


def saved(path: Path, **options: Any) -> bytes:
    ms.save_checkpoint(values(), path, **options)
    return path.read_bytes()


def loads(path: Path, raw: bytes, **options: Any) -> dict[str, Any]:
    path.write_bytes(raw)
    return ms.load_checkpoint(path, format=path.suffix[1:], **options)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


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


# Files that are whole or not there


def test_what_was_there_stays_when_a_save_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.ckpt"
    good = saved(path)
    for call, code in (("fsync", errno.EIO), ("replace", errno.EACCES), ("open", errno.ENOSPC)):
        real = getattr(os, call)

        def failing(*args: Any, call: str = call, code: int = code, real: Any = real, **options: Any) -> Any:
            if call == "open" and not args[1] & os.O_CREAT:
                return real(*args, **options)
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(os, call, failing)
        with pytest.raises(OSError, match=re.escape(os.strerror(code))) as caught:
            ms.save_checkpoint({"other": Tensor([1.0])}, path)
        monkeypatch.undo()
        assert caught.value.filename == str(path)
        assert path.read_bytes() == good
        assert names(tmp_path) == ["a.ckpt"]
    monkeypatch.setattr(checkpoint_files, "varint", lambda number: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ms.save_checkpoint(values(), path)
    assert path.read_bytes() == good
    assert names(tmp_path) == ["a.ckpt"]


@posix
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A limit of the system on the size of files, which a write meets in its middle."""
    path = tmp_path / "a.ckpt"
    good = saved(path)
    script = f"""
import resource
import numpy as np, mycel as ms
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    ms.save_checkpoint({{"x": ms.Tensor(np.zeros(10 ** 6))}}, {str(path)!r})
except OSError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "File too large; the file is not written" in done.stdout
    assert str(path) in done.stdout
    assert path.read_bytes() == good
    assert names(tmp_path) == ["a.ckpt"]


def test_a_folder_of_the_name(tmp_path: Path) -> None:
    (tmp_path / "a.ckpt").mkdir()
    with pytest.raises(IsADirectoryError, match="folder of this name"):
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert names(tmp_path) == ["a.ckpt"]


def test_the_file_is_on_the_disk_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, Any]] = []
    fsync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        calls.append(("fsync", os.fstat(handle).st_size if not os.path.isdir(f"/proc/self/fd/{handle}") else "folder"))
        fsync(handle)

    def replaced(*args: Any) -> None:
        calls.append(("replace", None))
        replace(*args)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    monkeypatch.undo()
    assert calls[:2] == [("fsync", (tmp_path / "a.ckpt").stat().st_size), ("replace", None)]
    assert sys.platform == "win32" or [name for name, _ in calls] == ["fsync", "replace", "fsync"]


@posix
def test_nobody_can_guess_or_prepare_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link that lies where the file is to be written is not followed."""
    (tmp_path / "precious").write_text("precious")
    seen: list[str] = []
    real = os.open

    def opened(path: Any, flags: int, *args: Any, **options: Any) -> int:
        if flags & os.O_CREAT:
            assert flags & os.O_EXCL
            seen.append(os.fspath(path))
        return real(path, flags, *args, **options)

    monkeypatch.setattr(os, "open", opened)
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert len(set(seen)) == 2
    monkeypatch.setattr(whole_files.secrets, "token_hex", lambda size: "0" * 2 * size)
    (tmp_path / os.path.basename(re.sub("-[0-9a-f]{16}", "-" + "0" * 16, seen[0]))).symlink_to(tmp_path / "precious")
    with pytest.raises(FileExistsError):
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert (tmp_path / "precious").read_text() == "precious"


@posix
def test_the_mode_of_the_file_is_the_usual_one(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    finally:
        os.umask(before)
    assert (tmp_path / "a.ckpt").stat().st_mode & 0o777 == 0o640


@posix
def test_only_what_was_surely_abandoned_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = whole_files._machine()
    dead = f".mycel-{machine}-999999999-0123456789abcdef.unfinished"
    foreign = f".mycel-00000000-1-{'1' * 16}.unfinished"
    old = f".mycel-00000000-1-{'2' * 16}.unfinished"
    strangers = ["a.ckpt.12.part", ".mycel-x.unfinished", f"x{dead}", f"{dead}x", "b.unfinished"]
    for name in (dead, foreign, old, *strangers):
        (tmp_path / name).write_text("x")
    os.utime(tmp_path / old, (1000, 1000))
    (tmp_path / f".mycel-{machine}-1-{'3' * 16}.unfinished").symlink_to(tmp_path / "b.unfinished")
    (tmp_path / f".mycel-{machine}-1-{'4' * 16}.unfinished").mkdir()
    with whole_files.replacing(tmp_path / "c.ckpt") as file:  # somebody is at it
        file.write(b"x")
        (own,) = {name for name in names(tmp_path) if f"-{os.getpid()}-" in name}
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
        left = names(tmp_path)
    assert own in left
    assert dead not in left
    assert old not in left
    assert {foreign, *strangers} <= set(left)
    assert sum("3" * 16 in name or "4" * 16 in name for name in left) == 2
    assert names(tmp_path).count("c.ckpt") == 1
    assert own not in names(tmp_path)


@posix
def test_without_locks_age_and_process_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_files, "fcntl", None)
    machine = whole_files._machine()
    files = {"dead": 999999999, "alive": os.getpid(), "fresh": 999999999}
    paths = {}
    for number, (name, process) in enumerate(files.items()):
        paths[name] = tmp_path / f".mycel-{machine}-{process}-{number:016x}.unfinished"
        paths[name].write_text("x")
        if name != "fresh":
            os.utime(paths[name], (1000, 1000))
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert {name for name, path in paths.items() if path.exists()} == {"alive", "fresh"}


@posix
@pytest.mark.parametrize("still_there", [False, True])
def test_a_file_taken_for_abandoned_too_early_is_made_again(
    still_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may lock it, and delete it, between its creation and its own lock."""
    fcntl = pytest.importorskip("fcntl")
    real, taken = whole_files._lock, []

    def lock(handle: int) -> bool | None:
        if taken:
            return real(handle)
        (path,) = tmp_path.glob(".mycel-*")
        taken.append(path)
        other = os.open(path, os.O_RDWR)
        try:
            fcntl.flock(other, fcntl.LOCK_EX)
            if not still_there:
                path.unlink()
            return real(handle)
        finally:
            if still_there:
                path.unlink()
            os.close(other)

    monkeypatch.setattr(whole_files, "_lock", lock)
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert names(tmp_path) == ["a.ckpt"]
    assert taken


KILLS = """
import os, random, signal, sys, time
import numpy as np
import mycel as ms

folder, kills, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
path, draw = os.path.join(folder, "a.ckpt"), random.Random(seed)


def tensors(number):
    return {f"w{name}": ms.Tensor(np.full(100_000, number, np.float32)) for name in range(4)}


ms.save_checkpoint(tensors(0), path)
began = time.perf_counter()
ms.save_checkpoint(tensors(0), path)
unit = time.perf_counter() - began
left = changed = 0
for kill in range(kills):
    before = float(ms.load_checkpoint(path)["w0"].asnumpy()[0])
    crc_check = bool(kill % 2)
    child = os.fork()
    if not child:
        number = before
        while True:
            number += 1
            ms.save_checkpoint(tensors(number), path, crc_check=crc_check)
    time.sleep(draw.random() * 6 * unit)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    loaded = ms.load_checkpoint(path)
    found = {float(number) for value in loaded.values() for number in np.unique(value.asnumpy())}
    assert len(loaded) == 4 and len(found) == 1 and found.pop() >= before, (list(loaded), found)
    files = os.listdir(folder)
    left += len(files) > 1
    changed += float(loaded["w0"].asnumpy()[0]) > before
    ms.save_checkpoint({"y": ms.Tensor([1.0])}, os.path.join(folder, "b.ckpt"))
    assert sorted(os.listdir(folder)) == ["a.ckpt", "b.ckpt"], os.listdir(folder)
    os.unlink(os.path.join(folder, "b.ckpt"))
print(left, changed)
"""


def kill_saves(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """How often a kill left an unfinished file, and how often a save had succeeded before it."""
    script = [sys.executable, "-W", "ignore", "-c", KILLS, str(folder), str(kills), str(seed)]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    left, changed = map(int, done.stdout.split())
    return left, changed


@posix
def test_kills_during_saves(tmp_path: Path) -> None:
    """The old file or the new one is there, complete, and the next save deletes unfinished files."""
    left, changed = kill_saves(tmp_path, 25, 0)
    assert left >= 2
    assert changed >= 2


@posix
@pytest.mark.slow
def test_many_kills_during_saves(tmp_path: Path) -> None:
    left, changed = kill_saves(tmp_path, 1500, 1)
    assert left >= 200
    assert changed >= 200


def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.mycel"
    ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(path), file_format="MYCEL")
    good = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="the file is not written"):
        ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(path), file_format="MYCEL")
    monkeypatch.undo()
    assert path.read_bytes() == good
    assert names(tmp_path) == ["a.mycel"]
    (tmp_path / f".mycel-{whole_files._machine()}-999999999-{'0' * 16}.unfinished").write_text("x")
    ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(path), file_format="MYCEL")
    assert names(tmp_path) == ["a.mycel"]


def test_many_threads_save_into_one_folder(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def save(number: int) -> None:
        for _ in range(40):
            ms.save_checkpoint({"x": Tensor(np.full(5_000, number))}, tmp_path / f"{number % 3}.ckpt", crc_check=True)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(save, range(6)))
    assert names(tmp_path) == ["0.ckpt", "1.ckpt", "2.ckpt"]
    for number in range(3):
        found = np.unique(ms.load_checkpoint(tmp_path / f"{number}.ckpt", crc_check=True)["x"].asnumpy())
        assert found.tolist() in ([number], [number + 3])


# Networks that do not fit


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr("mycel.library.saving.serialization.log.warning", found.append)
    return found


def test_a_network_that_nothing_fits(warnings: list[str]) -> None:
    net = nn.Dense(2, 3)
    given = {f"layer{number}.w": Parameter(Tensor([1.0])) for number in range(9)}
    assert ms.load_param_into_net(net, given) == (["weight", "bias"], list(given))
    (warning,) = warnings
    assert "2 of the network's 2 Parameters get nothing: 'weight', 'bias'" in warning
    assert "9 of the 9 tensors given are not used: 'layer0.w', 'layer1.w'" in warning
    assert "and 4 more" in warning
    assert "No name is the same" in warning


def test_a_network_that_fits_in_part(warnings: list[str], tmp_path: Path) -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))
    before = {parameter.name: parameter.asnumpy() for parameter in net.get_parameters()}
    given = {"0.weight": Parameter(Tensor(np.ones((3, 2), np.float32))), "x": Parameter(Tensor([1.0]))}
    with pytest.raises(RuntimeError, match=r"3 of the network's 4 Parameters get nothing: '0\.bias'.*strict_load=True"):
        ms.load_param_into_net(net, given, strict_load=True)
    for parameter in net.get_parameters():
        np.testing.assert_array_equal(parameter.asnumpy(), before[parameter.name])
    assert warnings == []
    assert ms.load_param_into_net(net, given) == (["0.bias", "1.weight", "1.bias"], ["x"])
    assert warnings == [
        "load_param_into_net: 3 of the network's 4 Parameters get nothing: '0.bias', '1.weight', '1.bias'; 1 of the 2 "
        "tensors given are not used: 'x'"
    ]
    ms.save_checkpoint(given, tmp_path / "a.ckpt")
    with pytest.raises(RuntimeError, match="get nothing"):
        ms.load_checkpoint(tmp_path / "a.ckpt", net, strict_load=True)
    ms.load_checkpoint(tmp_path / "a.ckpt", net)
    assert len(warnings) == 2


def test_tensors_that_no_parameter_takes(warnings: list[str]) -> None:
    net = nn.Dense(2, 3)
    given = {**net.parameters_dict(), "moment": Parameter(Tensor([1.0, 2.0])), "epoch": Parameter(Tensor(3)), "s": "x"}
    assert ms.load_param_into_net(net, given) == ([], ["moment", "epoch", "s"])
    assert warnings == ["load_param_into_net: 1 of the 4 tensors given are not used: 'moment'"]
    with pytest.raises(RuntimeError, match="not used: 'moment'"):
        ms.load_param_into_net(net, given, strict_load=True)
    del given["moment"]
    assert ms.load_param_into_net(net, given, strict_load=True) == ([], ["epoch", "s"])  # what was appended
    assert len(warnings) == 1


def test_nothing_changes_when_one_does_not_fit() -> None:
    net = nn.Dense(2, 3)
    before = net.weight.asnumpy()
    given = {"weight": Parameter(Tensor(before + 1)), "bias": Parameter(Tensor(np.zeros(4, np.float32)))}
    with pytest.raises(RuntimeError, match="same shape"):
        ms.load_param_into_net(net, given)
    np.testing.assert_array_equal(net.weight.asnumpy(), before)


def test_the_warning_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import mycel as ms; ms.load_param_into_net(ms.nn.Dense(2, 3), {'q': ms.Parameter(ms.Tensor([1.0]))})",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "2 of the network's 2 Parameters get nothing" in done.stderr


RECORDED = Path(__file__).resolve().parents[2] / "recorded" / "checkpoints"


def _training(name: str) -> Any:
    """A training step whose checkpoint after two steps MindSpore 2.10 has written."""
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 2))
    weights = net.trainable_params()
    optimizers = {
        "adam": lambda: nn.Adam([{"params": weights[:2], "lr": 0.1}, {"params": weights[2:]}], 0.05),
        "momentum": lambda: nn.Momentum(weights, nn.ExponentialDecayLR(0.1, 0.9, 2), 0.9, weight_decay=0.01),
        "rmsprop": lambda: nn.RMSProp(weights, 0.02, centered=True),
    }
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    return nn.TrainOneStepCell(loss, optimizers[name]())


@pytest.mark.parametrize("name", ["adam", "momentum", "rmsprop"])
def test_training_goes_on_from_a_checkpoint_of_mindspore(name: str, tmp_path: Path) -> None:
    """Moments, learning rates and steps are found by their names, and written in the same order."""
    x, y = Tensor(np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32)), Tensor(np.array([0, 1, 1, 0], np.int32))
    step = _training(name)
    given = ms.load_checkpoint(str(RECORDED / f"{name}.ckpt"))
    assert ms.load_param_into_net(step, given) == ([], ["epoch"])
    ms.save_checkpoint(step, str(tmp_path / "own"), append_dict={"epoch": 2})
    own = ms.load_checkpoint(str(tmp_path / "own.ckpt"))
    assert list(own) == list(given)
    assert all(np.array_equal(own[key].asnumpy(), given[key].asnumpy()) for key in given if key != "epoch")
    expected = json.loads((RECORDED / "losses.json").read_text())[name]
    assert np.allclose([float(step(x, y).asnumpy()) for _ in range(3)], expected, atol=1e-5)


def test_an_encrypted_checkpoint_is_told() -> None:
    with pytest.raises(ValueError, match="the checkpoint is encrypted: load it with MindSpore"):
        ms.load_checkpoint(str(RECORDED / "encrypted.ckpt"))


def test_names_with_a_prefix(warnings: list[str]) -> None:
    inner = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    given = {f"net.{name}": Parameter(p.value(), name) for name, p in inner.parameters_dict().items()}
    given["head.1.bias"] = Parameter(Tensor([7.0]))
    given["epoch"] = Parameter(Tensor(3.0))
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    missing, unused = ms.load_param_into_net(net, given)
    assert (missing, unused) == ([], list(given))
    for parameter, wanted in zip(net.get_parameters(), inner.get_parameters(), strict=True):
        np.testing.assert_array_equal(parameter.asnumpy(), wanted.asnumpy())
    assert "the names begin with 'net.', which is left out" in warnings[0]
    assert "1 of the 6 tensors given are not used: 'head.1.bias'" in warnings[1]


def test_several_prefixes_and_a_strict_load(warnings: list[str]) -> None:
    first, second = nn.Dense(2, 3), nn.Dense(2, 3, "ones", "ones")
    given = {"a.weight": Parameter(second.weight.value()), "b_bias": Parameter(second.bias.value()), "c.weight": "text"}
    with pytest.raises(RuntimeError, match="asks for the same names"):
        ms.load_param_into_net(first, given, strict_load=True)
    assert ms.load_param_into_net(first, given)[0] == []
    assert first.weight.asnumpy().sum() == 6.0
    assert first.bias.asnumpy().sum() == 3.0
    assert len(warnings) == 2

"""Damaged files, for every reader: a result, or an error that says which file is damaged; and little memory."""

from __future__ import annotations

import gzip
import json
import random
import re
import sqlite3
import struct
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from damage import damaged
from damaged_readers import (
    READERS,
    MindRecord,
    Reader,
    Records,
)

import mycel as ms
from mycel import DamagedFileError, dataset as ds
from mycel.library.saving import wire
from mycel.mindrecord import FileReader, FileWriter


def allowed(reader: Reader, error: Exception) -> bool:
    return isinstance(error, DamagedFileError) or (
        isinstance(error, (ValueError, RuntimeError))
        and any(re.search(pattern, str(error)) for pattern in reader.documented)
    )


def search(reader: Reader, folder: Path, count: int, seed: int) -> tuple[int, int]:
    """How many damaged files gave something, and how many an error."""
    reader.write(folder)
    path = folder / reader.name
    raw = path.read_bytes()
    whole = reader.read(folder)
    assert whole
    draw = random.Random(seed)
    read = 0
    for number in range(count):
        content = damaged(raw, draw)
        path.write_bytes(content)
        try:
            found = reader.read(folder)
        except Exception as error:
            assert allowed(reader, error), (number, content[:200], error)  # noqa: PT017
            if isinstance(reader, Records):
                reader.check(reader.found, whole)
        else:
            reader.check(found, whole)
            read += 1
    return read, count - read


@pytest.mark.parametrize("kind", READERS)
def test_damage(kind: str, tmp_path: Path) -> None:
    reader = READERS[kind]()
    read, refused = search(reader, tmp_path, 60, 0)
    assert read + refused == 60
    assert refused >= 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_much_damage(kind: str, tmp_path: Path) -> None:
    read, refused = search(READERS[kind](), tmp_path, 10_000, 1)
    assert read + refused == 10_000
    assert refused >= 500


@pytest.mark.parametrize("kind", READERS)
def test_every_cut(kind: str, tmp_path: Path) -> None:
    """Cut anywhere, the empty file included: at some hundred places, and at each of the first and last ones."""
    reader = READERS[kind]()
    reader.write(tmp_path)
    path = tmp_path / reader.name
    raw = path.read_bytes()
    whole = reader.read(tmp_path)
    size = len(raw)
    ends = sorted({*range(min(40, size)), *range(max(0, size - 20), size), *range(0, size, 1 + size // 40)})
    refused = 0
    for end in ends:
        path.write_bytes(raw[:end])
        try:
            reader.check(reader.read(tmp_path), whole)
        except Exception as error:
            assert allowed(reader, error), (end, error)  # noqa: PT017
            refused += 1
    assert refused


@pytest.mark.parametrize("kind", READERS)
def test_a_folder_in_the_place_of_a_file(kind: str, tmp_path: Path) -> None:
    reader = READERS[kind]()
    reader.write(tmp_path)
    (tmp_path / reader.name).unlink()
    (tmp_path / reader.name).mkdir()
    with pytest.raises((ValueError, RuntimeError, IsADirectoryError), match=r"a\.|folder|file|directory"):
        reader.read(tmp_path)


# Sizes that are not there


def refused(call: Callable[[], Any], match: str, most: int = 1 << 21) -> None:
    """The call says that the file is damaged, and takes little memory."""
    with pytest.raises(DamagedFileError, match=match):
        call()  # what is loaded for good at the first time
    tracemalloc.start()
    try:
        with pytest.raises(DamagedFileError, match=match):
            call()
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


HUGE = (1 << 31, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)


@pytest.mark.parametrize("size", HUGE)
def test_sizes_that_are_not_there(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a.ckpt"

    def content(raw: bytes, name: str) -> str:
        (tmp_path / name).write_bytes(raw)
        return str(tmp_path / name)

    number = wire.varint(size)
    tensor = b"\x08" + number + b"\x12\x07Float32\x1a\x04abcd"
    body = b"\n\x01x\x12" + wire.varint(len(tensor)) + tensor
    for raw in (b"\n" + number, b"\n" + wire.varint(len(body)) + body, b"\n\x06\n\x01x\x12" + number):
        content(raw, "a.ckpt")
        refused(lambda: ms.load_checkpoint(path), "cut off|has 4 bytes")
    content(struct.pack("<Q", size) + b"{}", "a.safetensors")
    refused(lambda: ms.load_checkpoint(tmp_path / "a.safetensors", format="safetensors"), "cut off")
    head = struct.pack("<Q", size)
    head += struct.pack("<I", wire.checksum(head))
    for compression, pack in (("", bytes), ("GZIP", gzip.compress), ("ZLIB", zlib.compress)):
        file = content(pack(head + b"abc"), "a.tfrecord")
        rows = ds.TFRecordDataset(file, columns_list=["x"], compression_type=compression)
        refused(lambda rows=rows: list(rows), "cut off|packed record")  # type: ignore[misc]
        refused(lambda rows=rows: len(rows), "cut off|packed record")  # type: ignore[misc]
    file = content(struct.pack("<Q", size) + b"{}", "a.mindrecord")
    content(b"", "a.mindrecord.db")
    refused(lambda: FileReader(file), "no MindRecord file")
    if size < 1 << 32:
        content(struct.pack(">4I", 2051, size, 28, 28), "train-images-idx3-ubyte")
        content(struct.pack(">2I", 2049, size), "train-labels-idx1-ubyte")
        refused(lambda: len(ds.MnistDataset(str(tmp_path), "train")), "should hold an array")


def test_the_largest_idx_file(tmp_path: Path) -> None:
    """The product of its sizes is 0 in 64 bits."""
    (tmp_path / "train-images-idx3-ubyte").write_bytes(struct.pack(">4I", 2051, 1 << 31, 1 << 31, 4))
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 2049, 0))
    refused(lambda: len(ds.MnistDataset(str(tmp_path), "train")), "should hold an array")


@pytest.mark.parametrize(("compression", "pack"), [("GZIP", gzip.compress), ("ZLIB", zlib.compress)])
def test_a_small_file_that_unpacks_to_a_large_one(compression: str, pack: Any, tmp_path: Path) -> None:
    head = struct.pack("<Q", 300 << 20)
    head += struct.pack("<I", wire.checksum(head))
    path = tmp_path / "a.tfrecord"
    for start, problem in ((head, "packed record has"), (b"", "no record where one should start")):
        path.write_bytes(pack(start + bytes(64 << 20)))
        assert path.stat().st_size < 1 << 20
        rows = ds.TFRecordDataset(str(path), columns_list=["x"], compression_type=compression)
        refused(lambda rows=rows: list(rows), problem)  # type: ignore[misc]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
def test_reading_damaged_files_takes_little_memory(tmp_path: Path) -> None:
    """In a process of little memory: none of its errors is a MemoryError."""
    script = f"""
import resource, sys
sys.path[:0] = {sys.path!r}
import test_damaged_files as tests
from pathlib import Path
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
used = int(status["VmSize"].split()[0]) << 10
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
for kind in tests.READERS:
    if kind != "images":
        folder = Path({str(tmp_path)!r}) / kind.replace(" ", "-")
        folder.mkdir()
        print(kind, *tests.search(tests.READERS[kind](), folder, 30, 2))
"""
    environment = {"PYTHONPATH": str(Path(__file__).parent), "OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(done.stdout.splitlines()) == len(READERS) - 1


# What only these files have


def test_each_bit_of_a_record_counts(tmp_path: Path) -> None:
    reader = Records()
    reader.write(tmp_path)
    path = tmp_path / reader.name
    raw = path.read_bytes()
    for position in range(0, len(raw), 3):
        changed = bytearray(raw)
        changed[position] ^= 1 << position % 8
        path.write_bytes(changed)
        with pytest.raises(DamagedFileError, match=r"a\.tfrecord.*(checksum of record|no record|cut off)"):
            reader.read(tmp_path)


def test_checksums_of_any_length() -> None:
    """Against a loop over bytes and bits."""
    draw = random.Random(0)

    def bitwise(data: bytes) -> int:
        crc = 0xFFFFFFFF
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        crc ^= 0xFFFFFFFF
        return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF

    lengths = [*range(40), 255, 256, *range(1022, 1030), 2047, 2048, 2049, 2051, 8192, 8193, 9216, 10_000, 20_481]
    for length in lengths:
        data = draw.randbytes(length)
        assert wire.checksum(data) == bitwise(data), length
        assert wire.checksum(memoryview(data)) == bitwise(data), length


def test_bytes_behind_compressed_ones(tmp_path: Path) -> None:
    reader = Records("ZLIB")
    reader.write(tmp_path)
    path = tmp_path / reader.name
    raw = path.read_bytes()
    for more in (b"x", b"x" * 100_000):
        path.write_bytes(raw + more)
        with pytest.raises(DamagedFileError, match="behind its compressed data"):
            reader.read(tmp_path)
    path.write_bytes(raw[:-1])
    with pytest.raises(DamagedFileError, match="ends before"):
        reader.read(tmp_path)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {} FROM n"


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE INDEXES; CREATE VIEW INDEXES AS "
        + ENDLESS.format("i AS ROW_ID, 0 AS PAGE_ID_RAW, 0 AS PAGE_OFFSET_RAW, 9 AS PAGE_OFFSET_RAW_END, "
                         "0 AS ROW_GROUP_ID, 1 AS PAGE_ID_BLOB, 0 AS PAGE_OFFSET_BLOB, 9 AS PAGE_OFFSET_BLOB_END"),
        "ALTER TABLE INDEXES RENAME TO OTHERS",
        "ALTER TABLE INDEXES DROP COLUMN PAGE_ID_RAW",
        "UPDATE INDEXES SET PAGE_OFFSET_RAW_END = 'x'",
        "UPDATE INDEXES SET PAGE_OFFSET_RAW_END = -9",
        "UPDATE INDEXES SET PAGE_OFFSET_RAW = -9",
        "UPDATE INDEXES SET PAGE_ID_RAW = -1",
        "UPDATE INDEXES SET PAGE_ID_RAW = 1 << 60",
        "UPDATE INDEXES SET PAGE_OFFSET_BLOB_END = 1 << 40",
        "UPDATE INDEXES SET PAGE_ID_RAW = 2.5",
        "INSERT INTO INDEXES SELECT ROW_ID + 4 * i, PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, "
        "ROW_GROUP_ID, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END, 0, 0, 0, '' FROM INDEXES, "
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n)",
    ],
)  # fmt: skip
def test_databases_that_say_what_is_not_so(change: str, tmp_path: Path) -> None:
    reader = MindRecord(".db")
    reader.write(tmp_path)
    with sqlite3.connect(tmp_path / reader.name) as database:
        database.executescript(change)
    database.close()
    with pytest.raises(DamagedFileError, match=r"a\.mindrecord"):
        reader.read(tmp_path)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"page_size": "x"}, "page_size is 'x'"),
        ({"page_size": -1}, "page_size is -1"),
        ({"header_size": 1 << 60}, "header_size is"),
        ({"header_size": True}, "header_size is True"),
        ({"schema": []}, "no schema"),
        ({"schema": [3]}, "no schema"),
        ({"schema": [{"schema": {"n": {"type": "int7"}}}]}, "int7"),
        ({"schema": [{"schema": {"n": {"type": ["int32"]}}}]}, "type of a field"),
        ({"schema": [{"schema": {"n": {"type": "int32", "shape": [-1, -1]}}}]}, "one of which may be -1"),
        ({"schema": [{"schema": {"n": {"type": "int32", "shape": ["a"]}}}]}, "list of sizes"),
        ({"shard_addresses": "ab"}, "names of its files"),
        ({"shard_addresses": ["a", 3]}, "names of its files"),
        ({"schema": [{"schema": {"n": {"type": "string"}, "s": {"type": "int64"}}}]}, "'n' should be string, but is 0"),
    ],
)
def test_headers_that_cannot_be(change: dict[str, Any], problem: str, tmp_path: Path) -> None:
    reader = MindRecord()
    reader.write(tmp_path)
    path = tmp_path / reader.name
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = {**json.loads(raw[8 : 8 + size]), **change}
    content = json.dumps(header).encode()
    path.write_bytes((struct.pack("<Q", len(content)) + content).ljust(1 << 14, b"\0") + raw[1 << 14 :])
    with pytest.raises(DamagedFileError, match=problem):
        reader.read(tmp_path)


def test_appending_to_a_damaged_file(tmp_path: Path) -> None:
    reader = MindRecord()
    reader.write(tmp_path)
    path = tmp_path / reader.name
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    for change in ({"page": [3]}, {"page": 3}, {"schema": [{"schema": {"n": {"type": "int32"}}}]},
                   {"index_fields": [{"index_field": "other"}]}, {"index_fields": [3]}):  # fmt: skip
        content = json.dumps({**json.loads(raw[8 : 8 + size]), **change}).encode()
        path.write_bytes((struct.pack("<Q", len(content)) + content).ljust(1 << 14, b"\0") + raw[1 << 14 :])
        with pytest.raises(DamagedFileError, match=r"a\.mindrecord.*added to"):
            FileWriter.open_for_append(str(path))


def test_a_table_that_names_a_column_twice(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,a\n1,2,3\n")
    with pytest.raises(DamagedFileError, match=r"a\.csv.*each column once"):
        ds.CSVDataset(str(tmp_path / "a.csv"))


def test_deep_json(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text("[" * 100_000)
    refused(lambda: ds.Schema(str(tmp_path / "schema.json")), "no JSON", 1 << 23)  # Python's parser is recursive
    content = b"[" * 100_000
    (tmp_path / "a.mindrecord").write_bytes(struct.pack("<Q", len(content)) + content)
    (tmp_path / "a.mindrecord.db").write_bytes(b"")
    refused(lambda: FileReader(str(tmp_path / "a.mindrecord")), "no JSON", 1 << 23)

"""MindRecord files, byte for byte as MindSpore 2.10 writes them, and read back; their errors."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mycel import dataset as ds
from mycel.library.mindrecord.layout import CorruptRow, pack_ints, pack_map, unpack_ints, unpack_map
from mycel.mindrecord import (
    FileReader,
    FileWriter,
    MRMAddSchemaError,
    MRMDefineIndexError,
    MRMGetMetaError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMInvalidSchemaError,
    MRMOpenError,
    ParamTypeError,
    ParamValueError,
)

RECORDED = json.loads((Path(__file__).resolve().parents[2] / "recorded" / "mindrecord.json").read_text("utf-8"))
INTS = ([1, 2, 3, -4], [300, -2, 7, -129], [70000, 3, -70000, 40000], [-5, 128, 200, 2**31], [5, 6, 7, 2**40],
        [-(2**31), 1, 2**31 - 1, -(2**31)])  # fmt: skip
ROWS = [
    {
        "a": np.array(ints, np.int64), "b": np.array(ints[:3], np.int32), "i": ints[0], "f": 0.1 * ints[1],
        "l": ints[2] * 3000000000, "st": "ü" * (ints[1] % 7),
    }
    for ints in INTS
]  # fmt: skip
SCHEMA = {
    "a": {"type": "int64", "shape": [-1]}, "b": {"type": "int32", "shape": [3]}, "i": {"type": "int32"},
    "f": {"type": "float32"}, "l": {"type": "int64"}, "st": {"type": "string"},
}  # fmt: skip


def same(row: dict[str, Any], expected: dict[str, Any]) -> bool:
    return row.keys() == expected.keys() and all(
        np.array_equal(value, expected[name]) and type(value) is type(expected[name]) for name, value in row.items()
    )


def write(path: Path, schema: dict[str, Any], rows: list[dict[str, Any]], shards: int = 1, **sizes: int) -> str:
    writer = FileWriter(str(path), shards)
    if sizes:
        writer.set_page_size(sizes["page"])
        writer.set_header_size(sizes["header"])
    writer.add_schema(schema)
    writer.write_raw_data(rows)
    writer.commit()
    return str(path)


def labels(rows: ds.Dataset) -> list[Any]:
    return [row["label"].item() for row in rows.create_dict_iterator(output_numpy=True)]


def test_files_are_those_of_mindspore(tmp_path: Path) -> None:
    path = write(tmp_path / "ints", SCHEMA, ROWS, page=1 << 15, header=1 << 14)
    content = Path(path).read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    assert header == RECORDED["header"]
    for page, expected in zip(header["page"], RECORDED["pages"], strict=True):
        start = (1 << 14) + page["page_id"] * (1 << 15)
        assert content[start : start + page["page_size"]].hex() == expected
    database = sqlite3.connect(path + ".db")
    assert [list(row) for row in database.execute("SELECT * FROM INDEXES")] == RECORDED["rows"]
    assert database.execute("SELECT * FROM SHARD_NAME").fetchall() == [("ints",)]
    database.close()


def test_files_of_mindspore_are_read(tmp_path: Path) -> None:
    header = json.dumps(RECORDED["header"]).encode()
    content = bytearray((len(header)).to_bytes(8, "little") + header)
    for page, part in zip(RECORDED["header"]["page"], RECORDED["pages"], strict=True):
        content = content.ljust((1 << 14) + page["page_id"] * (1 << 15), b"\0") + bytes.fromhex(part)
    (tmp_path / "ints").write_bytes(content)
    database = sqlite3.connect(tmp_path / "ints.db")
    names = ["ROW_ID", "PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END", "ROW_GROUP_ID", "PAGE_ID_BLOB",
             "PAGE_OFFSET_BLOB", "PAGE_OFFSET_BLOB_END"]  # fmt: skip
    with database:
        database.execute(f"CREATE TABLE INDEXES({', '.join(names)})")
        database.executemany(f"INSERT INTO INDEXES VALUES ({','.join('?' * 8)})", [row[:8] for row in RECORDED["rows"]])
    database.close()
    reader = FileReader(str(tmp_path / "ints"))
    assert reader.len() == 6
    assert all(same(row, expected) for row, expected in zip(reader.get_next(), ROWS, strict=True))
    reader.close()


def test_rows_come_back(tmp_path: Path) -> None:
    schema = {"data": {"type": "bytes"}, "mat": {"type": "float64", "shape": [2, -1]}, "s": {"type": "float64"}}
    rows = [{"data": bytes([k]) * k, "mat": np.ones((2, k)) / 3, "s": k / 3} for k in range(4)]
    path = write(tmp_path / "file", schema, rows)
    reader = FileReader(path)
    assert all(same(row, expected) for row, expected in zip(reader.get_next(), rows, strict=True))
    assert reader.schema() == schema
    assert [list(row) for row in FileReader(path, columns=["s"]).get_next()] == [["s"]] * 4


def test_rows_lie_on_many_pages(tmp_path: Path) -> None:
    rows = [{"label": k, "data": bytes([k]) * (10000 + k), "text": "q" * (900 * k)} for k in range(30)]
    schema = {"label": {"type": "int32"}, "data": {"type": "bytes"}, "text": {"type": "string"}}
    path = write(tmp_path / "big", schema, rows, page=1 << 15, header=1 << 15)
    assert all(same(row, expected) for row, expected in zip(FileReader(path).get_next(), rows, strict=True))
    with pytest.raises(RuntimeError, match="set_page_size"):
        write(tmp_path / "small", {"data": {"type": "bytes"}}, [{"data": bytes(1 << 15)}], page=1 << 15, header=1 << 14)


def test_several_files(tmp_path: Path) -> None:
    schema = {"label": {"type": "int64"}}
    write(tmp_path / "four", schema, [{"label": k} for k in range(10)], shards=4)
    parts = [[row["label"] for row in FileReader([str(tmp_path / f"four{k}")]).get_next()] for k in range(4)]
    assert parts == [[0, 1, 2], [3, 4, 5], [6, 7], [8, 9]]
    any_of_them = str(tmp_path / "four2")
    assert [row["label"] for row in FileReader(any_of_them).get_next()] == list(range(10))
    assert labels(ds.MindDataset(any_of_them, shuffle=False)) == list(range(10))
    assert labels(ds.MindDataset([any_of_them, str(tmp_path / "four0")], shuffle=False)) == [6, 7, 0, 1, 2]
    shards = [labels(ds.MindDataset(any_of_them, shuffle=False, num_shards=3, shard_id=k)) for k in range(3)]
    assert shards == [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]]
    files = labels(ds.MindDataset(any_of_them, shuffle=ds.Shuffle.FILES))
    assert sorted(files) == list(range(10))
    assert "".join(map(str, files)).count("012") == 1
    within = labels(ds.MindDataset(any_of_them, shuffle=ds.Shuffle.INFILE))
    assert [sorted(within[:3]), sorted(within[3:6]), sorted(within[6:8])] == [[0, 1, 2], [3, 4, 5], [6, 7]]
    (tmp_path / "four3").unlink()
    with pytest.raises(RuntimeError, match="four3"):
        FileReader(any_of_them)


def test_rows_are_dealt_evenly(tmp_path: Path) -> None:
    writer = FileWriter(str(tmp_path / "tri"), 3)
    writer.add_schema({"label": {"type": "int32"}})
    for start, count in ((0, 2), (10, 5)):
        writer.write_raw_data([{"label": start + k} for k in range(count)])
    writer.commit()
    sizes = [FileReader([str(tmp_path / f"tri{k}")]).len() for k in range(3)]
    assert sorted(sizes) == [2, 2, 3]
    in_turn = FileWriter(str(tmp_path / "par"), 2)
    in_turn.add_schema({"label": {"type": "int32"}})
    for rows in ([1, 2, 3], [4]):
        in_turn.write_raw_data([{"label": k} for k in rows], parallel_writer=True)
    in_turn.commit()
    assert [FileReader([str(tmp_path / f"par{k}")]).len() for k in range(2)] == [3, 1]


def test_appending(tmp_path: Path) -> None:
    path = write(tmp_path / "file", {"a": {"type": "int32"}, "x": {"type": "bytes"}}, [{"a": 1, "x": b"q"}])
    writer = FileWriter.open_for_append(path)
    writer.write_raw_data([{"a": 2, "x": b"rr"}])
    writer.commit()
    assert list(FileReader(path).get_next()) == [{"a": 1, "x": b"q"}, {"a": 2, "x": b"rr"}]
    with pytest.raises(MRMOpenError, match="nothing"):
        FileWriter.open_for_append(str(tmp_path / "nothing"))


def test_datasets(tmp_path: Path) -> None:
    schema = {
        "label": {"type": "int32"},
        "name": {"type": "string"},
        "data": {"type": "bytes"},
        "x": {"type": "float32", "shape": [2]},
    }
    rows = [{"label": k, "name": f"n{k}", "data": bytes([k, 0]), "x": np.float32([k, 1])} for k in range(5)]
    path = write(tmp_path / "file", schema, rows)
    found = ds.MindDataset(path, shuffle=False)
    assert found.get_col_names() == ["data", "label", "name", "x"]
    assert found.output_types() == [np.uint8, np.int32, np.dtype("U"), np.float32]
    assert found.output_shapes() == [[2], [], [], [2]]
    assert next(found.create_tuple_iterator(output_numpy=True))[0].tolist() == [0, 0]
    chosen = ds.MindDataset(path, ["x", "label"], shuffle=False, num_samples=2)
    assert chosen.get_col_names() == ["x", "label"]
    assert labels(chosen) == [0, 1]
    assert labels(ds.MindDataset(path, sampler=ds.SubsetSampler([4, 1]))) == [4, 1]
    assert labels(ds.MindDataset(path, sampler=ds.PKSampler(1))) == [0, 1, 2, 3, 4]
    assert sorted(labels(ds.MindDataset(path))) == list(range(5))
    padded = ds.MindDataset(
        path, ["label"], shuffle=False, padded_sample={"label": -1}, num_padded=1, num_shards=3, shard_id=2
    )
    assert labels(padded) == [2, -1]
    with pytest.raises(RuntimeError, match="columns_list"):
        ds.MindDataset(path, padded_sample={"label": -1}, num_padded=1)
    with pytest.raises(RuntimeError, match="'nope'"):
        ds.MindDataset(path, ["nope"])
    with pytest.raises(ValueError, match="none"):
        ds.MindDataset(str(tmp_path / "none"))
    with pytest.raises(TypeError, match="3"):
        ds.MindDataset(3)


def test_saving_datasets(tmp_path: Path) -> None:
    row = (np.array(1.5), "s", np.int8([1, 2]), np.uint16(3), np.uint32([4]), np.float16([1.0]), True, b"xy",
           np.uint8([[7, 8]]))  # fmt: skip
    rows = ds.GeneratorDataset([row] * 300, list("abcdefghi"), shuffle=False)
    path = str(tmp_path / "saved")
    rows.save(path)
    again = ds.MindDataset(path, shuffle=False)
    assert again.get_dataset_size() == 300
    kinds = [np.float64, np.dtype("U"), np.int32, np.int32, np.int64, np.float32, np.int32, np.uint8, np.int32]
    assert again.output_types() == kinds
    first, *_ = again.create_tuple_iterator(output_numpy=True)  # to the end, which closes the file
    assert [part.tolist() for part in first] == [1.5, "s", [1, 2], 3, [4], [1.0], 1, [120, 121], [[7, 8]]]
    with pytest.raises(RuntimeError, match="exists"):
        rows.save(path)
    with pytest.raises(ValueError, match="num_files"):
        rows.save(path, num_files=0)
    with pytest.raises(ValueError, match="tfrecord"):
        rows.save(path, file_type="tfrecord")
    with pytest.raises(RuntimeError, match="without rows"):
        rows.filter(lambda *row: False).save(str(tmp_path / "empty"))
    with pytest.raises(RuntimeError, match="complex"):
        ds.NumpySlicesDataset([1j]).save(str(tmp_path / "complex"))


@pytest.mark.parametrize(
    "schema",
    [
        {}, [], {"a": {"type": "int8"}}, {"a b": {"type": "int32"}}, {"a": {"type": "string", "shape": [2]}}, {"a": {}},
        {"a": {"type": "int32", "shape": 3}}, {"a": {"type": "int32", "size": 3}}, {"": {"type": "int32"}},
    ],
)  # fmt: skip
def test_schemas_that_cannot_be(tmp_path: Path, schema: Any) -> None:
    with pytest.raises(MRMInvalidSchemaError):
        FileWriter(str(tmp_path / "file")).add_schema(schema)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ({"type": "int32"}, "x"), ({"type": "int32"}, 2.5), ({"type": "int32"}, True), ({"type": "int32"}, np.int64(3)),
        ({"type": "float32"}, 1), ({"type": "bytes"}, "s"), ({"type": "int32", "shape": [2]}, np.zeros(2, np.int64)),
        ({"type": "int32", "shape": [2]}, np.zeros(3, np.int32)), ({"type": "int32", "shape": [2]}, 3),
        ({"type": "int64"}, 1 << 63),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit(tmp_path: Path, entry: Any, value: Any) -> None:
    writer = FileWriter(str(tmp_path / "file"))
    writer.add_schema({"a": entry})
    with pytest.raises(RuntimeError, match="field 'a'"):
        writer.write_raw_data([{"a": value}])


def test_rows_that_do_not_fit_are_left_out(tmp_path: Path) -> None:
    rows = [{"a": 1}, {"a": "x"}, {"b": 2}, {"a": 3, "c": 4}]
    path = write(tmp_path / "file", {"a": {"type": "int32"}}, rows)
    assert list(FileReader(path).get_next()) == [{"a": 1}, {"a": 3}]


def test_order_of_calls(tmp_path: Path) -> None:
    writer = FileWriter(str(tmp_path / "file"))
    for call in (lambda: writer.add_index(["a"]), lambda: writer.write_raw_data([{"a": 1}]), writer.commit):
        with pytest.raises(MRMGetMetaError, match="add_schema"):
            call()
    writer.add_schema({"a": {"type": "int32"}, "b": {"type": "bytes"}})
    with pytest.raises(MRMAddSchemaError):
        writer.add_schema({"a": {"type": "int32"}})
    for field in ("b", "z"):
        with pytest.raises(MRMDefineIndexError, match=f"'{field}'"):
            writer.add_index([field])
    with pytest.raises(ParamTypeError):
        writer.add_index("a")
    with pytest.raises(ParamTypeError):
        writer.write_raw_data({"a": 1})
    with pytest.raises(RuntimeError, match="empty"):
        writer.write_raw_data([])
    writer.commit()
    assert FileReader(str(tmp_path / "file")).len() == 0
    with pytest.raises(RuntimeError, match="open_for_append"):
        writer.write_raw_data([{"a": 1, "b": b""}])
    other = FileWriter(str(tmp_path / "file"))
    other.add_schema({"a": {"type": "int32"}})
    with pytest.raises(RuntimeError, match="overwrite"):
        other.write_raw_data([{"a": 1}])


def test_arguments(tmp_path: Path) -> None:
    for arguments in (("x", 0), ("x", "3"), ("x", 1, 1), (3,)):
        with pytest.raises(ParamValueError):
            FileWriter(*arguments)
    writer = FileWriter(str(tmp_path / "file"))
    with pytest.raises(MRMInvalidPageSizeError):
        writer.set_page_size(3)
    with pytest.raises(MRMInvalidHeaderSizeError):
        writer.set_header_size(3)
    path = write(tmp_path / "file", {"a": {"type": "int32"}}, [{"a": 1}])
    with pytest.raises(RuntimeError, match="'q'"):
        FileReader(path, columns=["q"])
    with pytest.raises(ParamTypeError):
        FileReader(path, columns="a")
    with pytest.raises(ParamValueError):
        FileReader(3)
    with pytest.raises(RuntimeError, match="none"):
        FileReader(str(tmp_path / "none"))


def test_damaged_files(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "file", {"a": {"type": "int32"}}, [{"a": 1}], page=1 << 15, header=1 << 14))
    whole = path.read_bytes()
    for damaged in (b"", b"text" * 20, whole[:8] + b"x" + whole[9:]):
        path.write_bytes(damaged)
        with pytest.raises(RuntimeError, match="no MindRecord file"):
            FileReader(str(path))
    path.write_bytes(whole[:-1])
    with pytest.raises(RuntimeError, match="row 0"):
        list(FileReader(str(path)).get_next())
    path.write_bytes(whole)
    Path(f"{path}.db").write_bytes(b"no database, but long enough to be looked at " * 20)
    with pytest.raises(RuntimeError, match=r"file\.db"):
        FileReader(str(path))


def test_ints_of_every_size() -> None:
    generator = np.random.default_rng(0)
    for size in range(12):
        for dtype in (np.int32, np.int64):
            limits = np.iinfo(dtype)
            array = generator.integers(limits.min, limits.max, size, dtype, endpoint=True)
            array >>= generator.integers(0, limits.bits, size).astype(dtype)
            assert np.array_equal(unpack_ints(pack_ints(array), dtype), array)
    for cut in range(1, 9):
        with pytest.raises(CorruptRow):
            unpack_ints(pack_ints(np.array([1, 300]))[:-cut], np.int64)


def test_maps_of_every_value() -> None:
    ints = [0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63 - 1]
    ints += [-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63)]
    texts = ["", "ü" * 15, "ü" * 16, "x" * 255, "x" * 256, "x" * 65536]
    values: list[Any] = [*ints, *texts, 0.5, 0.1, 1e300, -1e300, float("inf")]
    for value in values:
        assert unpack_map(pack_map({"name": value})) == {"name": value}
    assert len(unpack_map(pack_map({str(value): 1 for value in range(20)}))) == 20
    for broken in (b"", b"\x81", b"\x05", b"\x81\xa1a\xc1", b"\x81\xa1a\xcd\x01"):
        with pytest.raises(CorruptRow):
            unpack_map(broken)

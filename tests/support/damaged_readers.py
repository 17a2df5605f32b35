"""Readers of files of each kind, for damaged files: what they write, read, and check."""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tfrecords import example

import mycel as ms
from mycel import Tensor, dataset as ds
from mycel.dataset import text
from mycel.library.saving import wire
from mycel.mindrecord import FileReader, FileWriter

Numbers = dict[str, Any]


class Reader:
    """Writes a file, and reads it.

    Attributes:
        name: of the file that is damaged.
        documented: patterns of errors other than DamagedFileError.
    """

    name = ""
    documented: tuple[str, ...] = ()

    def write(self, folder: Path) -> None:
        """Write the file, and the files that belong to it."""
        raise NotImplementedError

    def read(self, folder: Path) -> list[Any]:
        """All that it holds."""
        raise NotImplementedError

    def check(self, found: list[Any], whole: list[Any]) -> None:
        """Fail if the result for a damaged file is impossible."""


class Checkpoint(Reader):
    documented = ("nothing is left of the checkpoint file",)

    def __init__(self, format: str, crc_check: bool) -> None:
        self.format, self.crc_check = format, crc_check
        self.name = f"a.{format}"

    def write(self, folder: Path) -> None:
        values = {
            "w": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), "n": Tensor(3), "b": Tensor(np.array([True])),
            "big": Tensor(np.arange(300.0)),
        }  # fmt: skip
        appended: dict[str, Any] = {"note": "hé"} if self.format == "ckpt" else {}
        ms.save_checkpoint(
            values, folder / self.name, append_dict=appended, format=self.format, crc_check=self.crc_check
        )

    def read(self, folder: Path) -> list[Any]:
        found = ms.load_checkpoint(folder / self.name, format=self.format)
        for value in found.values():
            if not isinstance(value, str):
                value.asnumpy().sum()
        return [(name, str(value), getattr(value, "shape", ())) for name, value in sorted(found.items())]

    def check(self, found: list[Any], whole: list[Any]) -> None:
        if self.crc_check and self.format == "ckpt":
            assert found == whole


class Records(Reader):
    documented = ("has a row without the column",)

    def __init__(self, compression: str = "", schema: bool = False) -> None:
        self.compression, self.schema = compression, schema
        self.name = "a.tfrecord"

    def write(self, folder: Path) -> None:
        rows: list[Numbers] = [{"id": [i], "f": [i / 2, 1.0], "s": [b"ab"], "i": [b"\x89" * 40]} for i in range(6)]
        raw = b"".join(wire.record(example(row)) for row in rows)
        pack = {"": bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}[self.compression]
        (folder / self.name).write_bytes(pack(raw))

    def read(self, folder: Path) -> list[Any]:
        schema = None
        if self.schema:
            schema = ds.Schema()
            for name, kind, shape in (("id", "int32", [1]), ("f", "float64", [2]), ("s", "string", [1])):
                schema.add_column(name, kind, shape)
        columns = None if self.schema else ["id", "f", "s", "i"]
        rows = ds.TFRecordDataset(
            str(folder / self.name), schema, columns, shuffle=False, compression_type=self.compression
        )
        found: list[Any] = []
        try:
            found.extend(tuple(part.tolist() for part in row) for row in rows.create_tuple_iterator(output_numpy=True))
        finally:
            self.found = found  # as far as it went
        return found

    def check(self, found: list[Any], whole: list[Any]) -> None:
        assert all(row in whole for row in found)


class RawRecords(Records):
    """Content that a checksum does not protect: the examples themselves are damaged, and get a fresh checksum."""

    documented = ("has a row without the column", r"should hold strings", r"have not the schema's shape", "no numbers")

    def write(self, folder: Path) -> None:
        row: Numbers = {"id": [5], "f": [0.5, 1.0], "s": [b"ab"], "i": [b"\x89" * 40]}
        (folder / self.name).write_bytes(example(row))

    def read(self, folder: Path) -> list[Any]:
        (folder / self.name).write_bytes(wire.record((folder / self.name).read_bytes()))
        return super().read(folder)

    def check(self, found: list[Any], whole: list[Any]) -> None:
        pass


class MindRecord(Reader):
    documented = (r"there is no column", r"the file .* does not exist", "has another schema")

    def __init__(self, suffix: str = "", by: str = "reader") -> None:
        self.name, self.by = f"a.mindrecord{suffix}", by

    def write(self, folder: Path) -> None:
        writer = FileWriter(str(folder / "a.mindrecord"), overwrite=True)
        writer.set_header_size(1 << 14)
        writer.set_page_size(1 << 15)
        schema = {
            "n": {"type": "int32"}, "x": {"type": "float32", "shape": [2, -1]}, "s": {"type": "string"},
            "i": {"type": "int64", "shape": [-1]}, "d": {"type": "bytes"},
        }  # fmt: skip
        writer.add_schema(schema)
        writer.write_raw_data(
            [
                {"n": n, "x": np.ones((2, n), np.float32), "s": "text", "i": np.arange(5) << n, "d": b"123"}
                for n in range(4)
            ]
        )
        writer.commit()

    def read(self, folder: Path) -> list[Any]:
        if self.by == "dataset":
            rows = ds.MindDataset(str(folder / "a.mindrecord"), shuffle=False)
            return [[part.tolist() for part in row] for row in rows.create_tuple_iterator(output_numpy=True)]
        reader = FileReader(str(folder / "a.mindrecord"))
        try:
            return [str(row) for row in reader.get_next()]
        finally:
            reader.close()


class Rows(MindRecord):
    """Damage to the rows alone, which are a small part of the file."""

    def write(self, folder: Path) -> None:
        super().write(folder)
        whole = folder / "a.mindrecord"
        content = whole.read_bytes()
        self.head, self.tail = content[: 1 << 14], content[(1 << 14) + 600 :]
        self.name = "rows"
        (folder / "rows").write_bytes(content[1 << 14 : (1 << 14) + 600])

    def read(self, folder: Path) -> list[Any]:
        rows = (folder / "rows").read_bytes()
        (folder / "a.mindrecord").write_bytes(self.head + rows[:600].ljust(600, b"\0") + self.tail)
        return super().read(folder)


class TextLines(Reader):
    name = "a.txt"

    def write(self, folder: Path) -> None:
        (folder / self.name).write_text("one line\n\nänother\n" * 20, "utf-8")

    def read(self, folder: Path) -> list[Any]:
        return [str(row[0]) for row in ds.TextFileDataset(str(folder / self.name), shuffle=False)]


class Table(Reader):
    name = "a.csv"
    documented = (r"a\.csv, line \d+: ", r"a\.csv has the columns")

    def write(self, folder: Path) -> None:
        lines = 'name,age,size\nAnn,31,1.5\n"B, ""b""",27,2e3\n' + "Zoë,3,0.25\n" * 20
        (folder / self.name).write_text(lines, "utf-8")

    def read(self, folder: Path) -> list[Any]:
        rows = ds.CSVDataset(str(folder / self.name), column_defaults=["", 0, 0.0], shuffle=False)
        return [[part.tolist() for part in row] for row in rows.create_tuple_iterator(output_numpy=True)]


class Digits(Reader):
    documented = ("MnistDataset: ",)

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, folder: Path) -> None:
        images = np.arange(3 * 28 * 28).astype(np.uint8)
        (folder / "train-images-idx3-ubyte").write_bytes(struct.pack(">4I", 2051, 3, 28, 28) + images.tobytes())
        (folder / "train-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 2049, 3) + bytes([1, 2, 3]))

    def read(self, folder: Path) -> list[Any]:
        return [int(row[1]) + int(row[0].sum()) for row in ds.MnistDataset(str(folder), "train", shuffle=False)]


class Pictures(Reader):
    name = "data_batch_1.bin"

    def write(self, folder: Path) -> None:
        (folder / self.name).write_bytes(np.arange(2 * 3073).astype(np.uint8).tobytes())

    def read(self, folder: Path) -> list[Any]:
        return [int(row[1]) for row in ds.Cifar10Dataset(str(folder), "train", shuffle=False)]


class Pictures100(Reader):
    name = "train.bin"

    def write(self, folder: Path) -> None:
        (folder / self.name).write_bytes(np.arange(2 * 3074).astype(np.uint8).tobytes())

    def read(self, folder: Path) -> list[Any]:
        return [int(row[2]) for row in ds.Cifar100Dataset(str(folder), "train", shuffle=False)]


class Columns(Reader):
    name = "schema.json"

    def write(self, folder: Path) -> None:
        columns = [{"name": "a", "type": "int32", "rank": 1, "shape": [2, -1]}, {"name": "b", "type": "string"}]
        (folder / self.name).write_text(json.dumps({"datasetType": "TF", "numRows": 3, "columns": columns}))

    def read(self, folder: Path) -> list[Any]:
        return ds.Schema(str(folder / self.name)).columns


class Words(Reader):
    name = "words.txt"
    documented = (r"word", r"token")

    def write(self, folder: Path) -> None:
        (folder / self.name).write_text("deep\nlearning\nnätwork\n", "utf-8")

    def read(self, folder: Path) -> list[Any]:
        return list(text.Vocab.from_file(str(folder / self.name)).vocab())


class Images(Reader):
    name = "cat/a.png"
    documented = ("are no image that can be decoded",)

    def write(self, folder: Path) -> None:
        vision = pytest.importorskip("mycel.dataset.vision")
        pytest.importorskip("PIL")
        (folder / "cat").mkdir(exist_ok=True)
        vision.write_png(str(folder / self.name), (np.arange(48) * 5 % 256).astype(np.uint8).reshape(4, 4, 3))

    def read(self, folder: Path) -> list[Any]:
        return [row[0].shape for row in ds.ImageFolderDataset(str(folder), decode=True, shuffle=False)]


READERS: dict[str, Callable[[], Reader]] = {
    "ckpt": lambda: Checkpoint("ckpt", False),
    "ckpt with checksum": lambda: Checkpoint("ckpt", True),
    "safetensors": lambda: Checkpoint("safetensors", False),
    "safetensors with checksum": lambda: Checkpoint("safetensors", True),
    "TFRecord": Records,
    "TFRecord by schema": lambda: Records(schema=True),
    "TFRecord GZIP": lambda: Records("GZIP"),
    "TFRecord ZLIB": lambda: Records("ZLIB"),
    "Example": RawRecords,
    "Example by schema": lambda: RawRecords(schema=True),
    "MindRecord": MindRecord,
    "MindRecord database": lambda: MindRecord(".db"),
    "MindRecord rows": Rows,
    "MindDataset rows": lambda: Rows(by="dataset"),
    "text": TextLines,
    "CSV": Table,
    "MNIST images": lambda: Digits("train-images-idx3-ubyte"),
    "MNIST labels": lambda: Digits("train-labels-idx1-ubyte"),
    "CIFAR-10": Pictures,
    "CIFAR-100": Pictures100,
    "schema": Columns,
    "vocabulary": Words,
    "images": Images,
}

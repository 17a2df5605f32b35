"""`TFRecordDataset`: rows of TFRecord files, each a `tf.train.Example`; `Schema`: which columns are read."""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from ....frontend.errors.classes import DamagedFileError
from ....frontend.values.arguments import need_type
from ....runtime import dtypes
from ...saving.wire import CorruptFile, fields, read_varint, reading, record_places, records, signed
from ..rows import Row
from ..samplers import Shuffle
from .files import FileDataset

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "string",
)  # fmt: skip


class Schema:
    """Columns, with dtypes and shapes.

    Args:
        schema_file: a JSON file with `columns`, `datasetType` and, perhaps, `numRows`; None to add columns oneself.

    Attributes:
        columns: a dict for each column: `name`, `type`, `rank` and, if it is known, `shape`.
        num_rows: how many rows are read at most; 0 for all.

    Raises:
        ValueError: if there is no such file. DamagedFileError: if the file is not of this form (a RuntimeError, too).

    Examples:
        >>> import mycel as ms
        >>> from mycel import dataset as ds
        >>> schema = ds.Schema()
        >>> schema.add_column("image", ms.uint8)
        >>> schema.add_column("label", ms.int32, [1])
        >>> [column["name"] for column in schema.columns]
        ['image', 'label']
    """

    def __init__(self, schema_file: str | None = None) -> None:
        self.schema_file = schema_file or ""
        self.columns: list[dict[str, Any]] = []
        self.num_rows = 0
        self.dataset_type = ""
        if schema_file is None:
            return
        need_type(schema_file, str | os.PathLike, "'schema_file' should be the name of a file", repr)
        if not os.path.isfile(schema_file):
            raise ValueError(f"the file {os.fspath(schema_file)} does not exist, or may not be read")
        try:
            with open(schema_file, encoding="utf-8") as file:
                content = json.load(file)
        except (ValueError, RecursionError) as error:
            raise DamagedFileError(schema_file, f"it is no JSON: {error}") from None
        try:
            self.from_json(content)
        except (RuntimeError, TypeError, ValueError) as error:
            raise DamagedFileError(schema_file, str(error), "Write columns, datasetType and numRows.") from None

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column.

        Args:
            name: its name.
            de_type: its dtype, or the dtype's name.
            shape: its shape, where one size may be -1; None for one dimension of any size.

        Raises:
            TypeError: for arguments of the wrong kind, and unknown dtypes.
        """
        need_type(name, str, "the name of a column should be a string", repr)
        if shape is not None:
            need_type(shape, list, "the shape of a column should be a list", repr)
            for size in shape:
                need_type(size, int, "the sizes in the shape of a column should be ints", repr)
        column: dict[str, Any] = {"name": name, "rank": 1 if shape is None else len(shape)}
        if shape is not None:
            column["shape"] = list(shape)
        column["type"] = _type_name(de_type)
        self.columns.append(column)

    def parse_columns(self, columns: Any) -> None:
        """Set the columns from a list of dicts with `name` and `type` (and `shape`), or a dict of such by name.

        Raises:
            RuntimeError: if a name or type is missing. TypeError: for what is no list or dict.
        """
        if isinstance(columns, dict):
            entries = [{**entry, "name": name} for name, entry in sorted(columns.items())]
        elif isinstance(columns, (list, tuple)):
            entries = [dict(entry) for entry in columns]
        else:
            raise TypeError(f"'columns' should be a list or a dict, but got {columns!r}")
        self.columns = []
        for entry in entries:
            for key in ("name", "type"):
                if key not in entry:
                    raise RuntimeError(f"the column {entry} of a schema has no '{key}'")
            self.add_column(entry["name"], entry["type"], entry.get("shape"))
            if "shape" not in entry and "rank" in entry:
                self.columns[-1]["rank"] = entry["rank"]

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Set everything from a dict of `columns`, `datasetType` and, perhaps, `numRows`.

        Raises:
            RuntimeError: if one is missing, or there is something else.
        """
        need_type(json_obj, dict, "a schema should be a dict", repr)
        for key in ("datasetType", "columns"):
            if key not in json_obj:
                raise RuntimeError(f"a schema should have '{key}', but has {sorted(json_obj)}")
        unknown = set(json_obj) - {"datasetType", "columns", "numRows"}
        if unknown:
            raise RuntimeError(f"a schema has 'columns', 'datasetType' and 'numRows', but got {sorted(unknown)}")
        rows = json_obj.get("numRows", 0)
        if isinstance(rows, bool) or not isinstance(rows, int) or rows < 0:
            raise RuntimeError(f"a schema's 'numRows' should be an int that is not negative, but got {rows!r}")
        self.dataset_type, self.num_rows = str(json_obj["datasetType"]), rows
        self.parse_columns(json_obj["columns"])

    def to_json(self) -> str:
        """The schema as JSON text."""
        content: dict[str, Any] = {"columns": self.columns}
        if self.dataset_type:
            content["datasetType"] = self.dataset_type
        if self.num_rows:
            content["numRows"] = self.num_rows
        return json.dumps(content, indent=2, sort_keys=True)

    __str__ = to_json


def _type_name(de_type: Any) -> str:
    """The name of a dtype, as schemas spell it."""
    if isinstance(de_type, str) and de_type in NAMES:
        return de_type
    found = getattr(de_type, "np", None)
    name = getattr(found, "name", None)
    if name in NAMES:
        return str(name)
    if str(de_type).lower() == "string":
        return "string"
    raise TypeError(f"the type of a column should be one of {', '.join(NAMES)}, but got {de_type!r}")


def column_dtype(name: str) -> Any:
    """The NumPy dtype of a type's name; None for strings."""
    return None if name == "string" else dtypes.as_dtype(name).np


COMPRESSIONS = ("", "GZIP", "ZLIB")


class TFRecordDataset(FileDataset):
    """The rows of TFRecord files.

    Columns: with a schema its columns, with its dtypes and shapes. Otherwise all features by name (or those of
    `columns_list`), in one dimension: int64, float32, or for bytes uint8.

    Args:
        dataset_files: names or patterns of files.
        schema: a Schema or the name of its JSON file; None to read what is there.
        columns_list: the columns to read; None for all.
        num_samples: at most so many rows; None or 0 for all (of the schema's `numRows`, if it has them).
        num_parallel_workers: how many files alternate; None for 8.
        shuffle: True or Shuffle.GLOBAL (the default) for rows in random order, Shuffle.FILES for files in random order,
            or False: the files by name, one row of each in turn.
        num_shards, shard_id: take one of `num_shards` shards.
        shard_equal_rows: whether shards are equally long stretches of all rows; otherwise they are whole files.
        cache: accepted, without effect.
        compression_type: None or '', 'GZIP' or 'ZLIB'.

    Raises:
        ValueError: if a pattern matches no file, or for an unknown compression. TypeError: for arguments of the wrong
            kind. RuntimeError: if a file has no such column, or its values do not have the schema's shape.
        DamagedFileError: if a file holds no such records, or a checksum differs (a RuntimeError, too).

    Examples:
        >>> from mycel import dataset as ds
        >>> rows = ds.TFRecordDataset("train.tfrecord", columns_list=["label"])  # doctest: +SKIP
    """

    def __init__(
        self, dataset_files: Any, schema: Any = None, columns_list: Sequence[str] | None = None,
        num_samples: int | None = None, num_parallel_workers: int | None = None, shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None, shard_id: int | None = None, shard_equal_rows: bool = False, cache: Any = None,
        compression_type: str | None = None,
    ) -> None:  # fmt: skip
        if columns_list is not None and not (
            isinstance(columns_list, (list, tuple)) and all(isinstance(name, str) for name in columns_list)
        ):
            raise TypeError(f"'columns_list' should be a list of strings, but got {columns_list!r}")
        if (compression_type or "") not in COMPRESSIONS:
            raise ValueError(f"'compression_type' should be one of {COMPRESSIONS}, but got {compression_type!r}")
        self.compression = compression_type or ""
        self.schema = schema if schema is None or isinstance(schema, Schema) else Schema(schema)
        self.wanted = list(columns_list) if columns_list else None
        if num_samples in (None, 0) and self.schema is not None and self.schema.num_rows:
            num_samples = self.schema.num_rows
        super().__init__(
            dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, not shard_equal_rows
        )

    def read_columns(self) -> list[str]:
        """The names of the columns: those asked for, those of the schema, or those of the first row."""
        if self.wanted is not None:
            return self.wanted
        if self.schema is not None:
            return [column["name"] for column in self.schema.columns]
        for content in self._records(self.dataset_files[0]):
            return sorted(_features(content))
        raise RuntimeError(f"TFRecordDataset: {self.dataset_files[0]} has no rows: name the columns")

    def _open(self, path: str) -> tuple[Any, int | None]:
        """The open file, or the stream that unpacks it; and its size, if that is known."""
        if self.compression == "GZIP":
            return gzip.open(path, "rb"), None
        file = open(path, "rb")  # noqa: SIM115 the caller closes it
        if not self.compression:
            return file, os.fstat(file.fileno()).st_size
        return io.BufferedReader(_Inflated(file)), None

    def _records(self, path: str) -> Iterator[memoryview]:
        with reading(path):
            file, size = self._open(path)
            with file:
                yield from records(file, size)

    def length(self, path: str) -> int:
        """How many rows a file has."""
        if self.compression:
            return sum(1 for _ in self._records(path))
        with reading(path):
            file, size = self._open(path)
            with file:
                return sum(1 for _ in record_places(file, size or 0))

    def read(self, path: str) -> Iterator[Row]:
        """The rows of a file."""
        described = {} if self.schema is None else {column["name"]: column for column in self.schema.columns}
        for content in self._records(path):
            with reading(path):
                features = _features(content)
                for name in self.columns:
                    if name not in features:
                        raise RuntimeError(
                            f"TFRecordDataset: {path} has a row without the column '{name}'; it has {sorted(features)}"
                        )
                row = [
                    _value(*features[name], described.get(name), f"column '{name}' of {path}") for name in self.columns
                ]
            yield tuple(row)


class _Inflated(io.RawIOBase):
    """The bytes that a file of compressed ones (zlib) holds, unpacked as they are read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._unpacker = file, zlib.decompressobj()

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as the bytes go."""
        target = memoryview(buffer).cast("B")
        while not self._unpacker.eof:
            packed = self._unpacker.unconsumed_tail or self._file.read(1 << 16)
            part = self._unpacker.decompress(packed, len(target))
            if part:
                target[: len(part)] = part
                return len(part)
            if not packed:
                raise EOFError("it ends before its compressed data do")
        if self._unpacker.unused_data or self._file.read(1):
            raise CorruptFile("there are bytes behind its compressed data")
        return 0

    def close(self) -> None:
        """Close the file, too."""
        self._file.close()
        super().close()


def _features(content: memoryview) -> dict[str, tuple[int, memoryview]]:
    """Feature names to (kind, list) of an Example: kind 1 for bytes, 2 for floats, 3 for ints."""
    found = {}
    for number, features in fields(content):
        if number != 1:
            continue
        for _, entry in fields(_part(features)):
            name, kind, values = "", 0, memoryview(b"")
            for part, item in fields(_part(entry)):
                if part == 1:
                    name = bytes(_part(item)).decode()
                elif part == 2:
                    for kind, values in fields(_part(item)):  # noqa: B007 a feature holds one list
                        pass
            if kind > 3:
                raise CorruptFile(f"the feature '{name}' is of the unknown kind {kind}")
            found[name] = (kind, _part(values))
    return found


def _part(value: int | memoryview) -> memoryview:
    """A part of a message; CorruptFile for a number in its place."""
    if isinstance(value, int):
        raise CorruptFile("a record is no Example: it has a number where a message should be")
    return value


def _list(kind: int, values: memoryview) -> list[bytes] | np.ndarray:
    """The strings of bytes, float32s or int64s of a feature."""
    if kind == 1:
        return [bytes(_part(item)) for number, item in fields(values) if number == 1]
    if kind == 2:
        parts = [_part(item) for _, item in fields(values)]
        if any(len(part) % 4 for part in parts):
            raise CorruptFile("a list of floats is cut off")
        return np.concatenate([np.zeros(0, np.float32), *(np.frombuffer(part, "<f4") for part in parts)])
    ints = []
    for _, item in fields(values):
        if isinstance(item, int):
            ints.append(signed(item))
            continue
        position = 0
        while position < len(item):
            number, position = read_varint(item, position)
            ints.append(signed(number))
    return np.array(ints, np.int64)


def _value(kind: int, values: memoryview, column: dict[str, Any] | None, where: str) -> np.ndarray:
    """A feature as an array, of the schema's dtype and shape if there is one."""
    found = _list(kind, values)
    wanted = None if column is None else column["type"]
    if wanted == "string":
        if not isinstance(found, list):
            raise RuntimeError(f"TFRecordDataset: {where} should hold strings, but has numbers")
        array = np.array([item.decode() for item in found])
    elif isinstance(found, list):
        dtype = np.dtype(np.uint8 if wanted is None else column_dtype(wanted))
        raw = b"".join(found)
        if len(raw) % dtype.itemsize:
            raise RuntimeError(f"TFRecordDataset: {where} has {len(raw)} bytes, which are no numbers of type {wanted}")
        array = np.frombuffer(raw, dtype).copy()
    else:
        array = found if wanted is None else found.astype(column_dtype(wanted))
    if column is not None and "shape" in column:
        try:
            return array.reshape(column["shape"])
        except (ValueError, OverflowError):
            raise RuntimeError(
                f"TFRecordDataset: {where} has {array.size} values, which have not the schema's shape {column['shape']}"
            ) from None
    return array

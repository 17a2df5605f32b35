"""`TFRecordDataset`: rows of TFRecord files, each a `tf.train.Example`."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...wire import CorruptFile, fields, read_varint, record_places, signed
from ..pipeline import Row
from ..samplers import Shuffle
from .files import FileDataset
from .schema import Schema, column_dtype

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
            kind. RuntimeError: if a file holds no such records, has no such column, or its values do not have the
            schema's shape.

    Examples:
        >>> from mycel import dataset as ds
        >>> rows = ds.TFRecordDataset("train.tfrecord", columns_list=["label"])  # doctest: +SKIP
    """

    def __init__(
        self,
        dataset_files: Any,
        schema: Any = None,
        columns_list: Sequence[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: Any = None,
        compression_type: str | None = None,
    ) -> None:
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

    def _open(self, path: str) -> tuple[Any, int]:
        if not self.compression:
            return open(path, "rb"), os.path.getsize(path)
        with open(path, "rb") as file:
            packed = file.read()
        raw = gzip.decompress(packed) if self.compression == "GZIP" else zlib.decompress(packed)
        return io.BytesIO(raw), len(raw)

    def _records(self, path: str) -> Iterator[memoryview]:
        try:
            file, size = self._open(path)
            with file:
                for position, length in record_places(file, size):
                    file.seek(position)
                    yield memoryview(file.read(length))
        except (CorruptFile, zlib.error, gzip.BadGzipFile) as error:
            raise RuntimeError(f"TFRecordDataset: {path} cannot be read: {error}") from None

    def length(self, path: str) -> int:
        """How many rows a file has."""
        try:
            file, size = self._open(path)
            with file:
                return sum(1 for _ in record_places(file, size))
        except (CorruptFile, zlib.error, gzip.BadGzipFile) as error:
            raise RuntimeError(f"TFRecordDataset: {path} cannot be read: {error}") from None

    def read(self, path: str) -> Iterator[Row]:
        """The rows of a file."""
        described = {} if self.schema is None else {column["name"]: column for column in self.schema.columns}
        for content in self._records(path):
            try:
                features = _features(content)
            except CorruptFile as error:
                raise RuntimeError(f"TFRecordDataset: {path} has a row that is no Example: {error}") from None
            row = []
            for name in self.columns:
                if name not in features:
                    raise RuntimeError(
                        f"TFRecordDataset: {path} has a row without the column '{name}'; it has {sorted(features)}"
                    )
                row.append(_value(*features[name], described.get(name), f"column '{name}' of {path}"))
            yield tuple(row)


def _features(content: memoryview) -> dict[str, tuple[int, memoryview]]:
    """Feature names to (kind, list) of an Example: kind 1 for bytes, 2 for floats, 3 for ints."""
    found = {}
    for number, features in fields(content):
        if number != 1:
            continue
        for _, entry in fields(features):
            name, kind, values = "", 0, memoryview(b"")
            for part, item in fields(entry):
                if part == 1:
                    name = bytes(item).decode()
                elif part == 2:
                    for kind, values in fields(item):  # noqa: B007 a feature holds one list
                        pass
            found[name] = (kind, values)
    return found


def _list(kind: int, values: memoryview) -> list[bytes] | np.ndarray:
    """The strings of bytes, float32s or int64s of a feature."""
    if kind == 1:
        return [bytes(item) for number, item in fields(values) if number == 1]
    if kind == 2:
        return np.concatenate([np.zeros(0, np.float32), *(np.frombuffer(item, "<f4") for _, item in fields(values))])
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
        array = np.frombuffer(b"".join(found), np.uint8 if wanted is None else column_dtype(wanted)).copy()
    else:
        array = found if wanted is None else found.astype(column_dtype(wanted))
    if column is not None and "shape" in column:
        try:
            return array.reshape(column["shape"])
        except ValueError:
            raise RuntimeError(
                f"TFRecordDataset: {where} has {array.size} values, which have not the schema's shape {column['shape']}"
            ) from None
    return array

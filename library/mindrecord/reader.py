"""`FileReader`: rows out of MindRecord files."""

from __future__ import annotations

import os
import re
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from ...frontend.errors.classes import DamagedFileError
from .errors import ParamTypeError, ParamValueError
from .layout import POSITIONS, SUFFIX, CorruptRow, is_blob, read_header, unpack_blobs, unpack_map

LEAST_ROW = 9  # bytes of a row
_PLAIN_TABLE = re.compile(r"\s*CREATE\s+TABLE\b", re.IGNORECASE)


class Records:
    """The rows of one or several files, by number.

    Raises:
        RuntimeError: if a file or its database is missing, or the files have different schemas. DamagedFileError (a
            RuntimeError, too): if one is damaged.
    """

    def __init__(self, file_name: str | list[str]) -> None:
        names = [file_name] if isinstance(file_name, str) else list(file_name)
        for name in names:
            _present(name)
        if isinstance(file_name, str):  # one file of a set stands for the set
            folder = os.path.dirname(file_name)
            addresses = read_header(file_name).get("shard_addresses") or []
            if len(addresses) > 1:
                names = [os.path.join(folder, os.path.basename(address)) for address in addresses]
        for name in (*names, *(name + SUFFIX for name in names)):
            _present(name)
        self.paths = names
        headers = [read_header(name) for name in names]
        self.schema: dict[str, dict[str, Any]] = headers[0]["schema"][0]["schema"]
        for name, header in zip(names, headers, strict=True):
            if header["schema"][0]["schema"] != self.schema:
                raise RuntimeError(f"{name} has another schema than {names[0]}")
        self.blobs = [name for name in self.schema if is_blob(self.schema[name])]
        self.sizes = [(header["header_size"], header["page_size"]) for header in headers]
        self.lengths = [os.path.getsize(name) for name in names]
        self.places: list[tuple[int, ...]] = []
        self.counts = []
        for file, name in enumerate(names):
            places = _places(name + SUFFIX, self.lengths[file] // LEAST_ROW)
            self.places += [(file, *place) for place in places]
            self.counts.append(len(places))
        self._files: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self.places)

    def check_columns(self, columns: list[str]) -> None:
        """RuntimeError for a column that there is not."""
        for name in columns:
            if name not in self.schema:
                raise RuntimeError(f"there is no column '{name}' in {self.paths[0]}; there are {list(self.schema)}")

    def row(self, index: int, columns: list[str] | None = None) -> dict[str, Any]:
        """The fields of a row: first numbers and strings, then bytes and arrays."""
        file, raw_page, raw_start, raw_end, blob_page, blob_start, blob_end = self.places[index]
        wanted = self.schema if columns is None else columns
        found: dict[str, Any] = {}
        try:
            if any(name not in self.blobs for name in wanted):
                plain = unpack_map(self._content(file, raw_page, raw_start, raw_end))
                for name, entry in self.schema.items():
                    if name in wanted and name not in self.blobs:
                        _check_value(name, plain[name], entry["type"])
                        found[name] = plain[name]
            if any(name in self.blobs for name in wanted):
                blobs = unpack_blobs(self._content(file, blob_page, blob_start, blob_end), self.schema, self.blobs)
                found.update((name, value) for name, value in blobs.items() if name in wanted)
        except KeyError as error:
            raise DamagedFileError(self.paths[file], f"row {index} has no field {error}") from None
        except CorruptRow as error:
            raise DamagedFileError(self.paths[file], f"row {index} is damaged: {error}") from None
        return found

    def _content(self, file: int, page: int, start: int, end: int) -> bytes:
        if file not in self._files:
            self._files[file] = open(self.paths[file], "rb")  # noqa: SIM115 close ends it
        header_size, page_size = self.sizes[file]
        if not 0 <= start <= end <= page_size or page < 0 or header_size + page * page_size + end > self.lengths[file]:
            raise CorruptRow("it is not where the database says")
        self._files[file].seek(header_size + page * page_size + start)
        data: bytes = self._files[file].read(end - start)
        if len(data) < 8 or struct.unpack_from("<Q", data)[0] != len(data) - 8 or len(data) != end - start:
            raise CorruptRow("it is not where the database says")
        return data[8:]

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def __del__(self) -> None:
        for file in getattr(self, "_files", {}).values():
            file.close()


def _present(name: str) -> None:
    if not os.path.isfile(name):
        raise RuntimeError(f"the file {name} does not exist")


def _check_value(name: str, value: Any, kind: str) -> None:
    """CorruptRow unless a value is of the type that the schema says."""
    if kind == "string":
        fits = isinstance(value, str)
    elif kind in ("float32", "float64"):
        fits = type(value) in (int, float)
    else:
        limit = 1 << (31 if kind == "int32" else 63)
        fits = type(value) is int and -limit <= value < limit
    if not fits:
        raise CorruptRow(f"'{name}' should be {kind}, but is {value!r:.80}")


def _places(path: str, most: int) -> list[tuple[int, ...]]:
    """Where the rows are, in order: page, start and end of both halves.

    Raises:
        DamagedFileError: if the file is no database, has another table, or has more than `most` rows.
    """
    names = ", ".join(name for name in POSITIONS if name not in ("ROW_ID", "ROW_GROUP_ID"))
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as database:
            # A view, a virtual table or a computed column could go on for ever.
            kinds = database.execute("SELECT type, sql FROM sqlite_master WHERE name = 'INDEXES'").fetchall()
            if [(kind, _PLAIN_TABLE.match(str(text)) is not None) for kind, text in kinds] != [("table", True)]:
                raise DamagedFileError(path, "it has no table INDEXES of a MindRecord file's rows")
            computed = [row[1] for row in database.execute("PRAGMA table_xinfo(INDEXES)") if row[6]]
            if computed:
                raise DamagedFileError(path, f"its table INDEXES computes the columns {computed}")
            places = database.execute(f"SELECT {names} FROM INDEXES ORDER BY ROW_ID").fetchmany(most + 1)
    except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:  # the last one by SQLite's own messages
        raise DamagedFileError(path, f"it is no database of a MindRecord file: {error}") from None
    if len(places) > most:
        raise DamagedFileError(path, f"it has more than {most} rows, for which the file has no room")
    if not all(type(number) is int for place in places for number in place):
        raise DamagedFileError(path, "it says of a row's bytes where they are with something else than numbers")
    return places


class FileReader:
    """Reads the rows of MindRecord files, in order.

    Args:
        file_name: a file, which stands for all files that were written with it; or a list of files.
        num_consumer: accepted: the caller's thread reads.
        columns: the fields to read; None for all.
        operator: not used.

    Raises:
        ParamValueError, ParamTypeError: for arguments of the wrong kind. RuntimeError: if a file or its database is
            missing, or there is no such column. DamagedFileError (a RuntimeError, too): if one is damaged.

    Examples:
        >>> from mycel.mindrecord import FileReader
        >>> reader = FileReader("train.mindrecord", columns=["label"])  # doctest: +SKIP
        >>> labels = [row["label"] for row in reader.get_next()]  # doctest: +SKIP
        >>> reader.close()  # doctest: +SKIP
    """

    def __init__(
        self, file_name: Any, num_consumer: int = 4, columns: list[str] | None = None, operator: Any = None
    ) -> None:
        names = file_name if isinstance(file_name, list) else [file_name]
        for name in names:
            if not isinstance(name, (str, os.PathLike)):
                raise ParamValueError(f"the file's name should be a string, but is {name!r}")
        if isinstance(num_consumer, bool) or not isinstance(num_consumer, int) or num_consumer < 1:
            raise ParamValueError(f"'num_consumer' should be a positive int, but is {num_consumer!r}")
        if columns is not None and not isinstance(columns, list):
            raise ParamTypeError(f"'columns' should be a list, but is {columns!r}")
        paths = [os.fspath(name) for name in names]
        self._records = Records(paths if isinstance(file_name, list) else paths[0])
        self._columns = columns or None
        self._records.check_columns(columns or [])

    def get_next(self) -> Iterator[dict[str, Any]]:
        """A dict of field names to values for each row: Python numbers, strings and bytes, and NumPy arrays."""
        for index in range(len(self._records)):
            yield self._records.row(index, self._columns)

    def schema(self) -> dict[str, dict[str, Any]]:
        """The fields, with types and shapes."""
        return {name: dict(entry) for name, entry in self._records.schema.items()}

    def len(self) -> int:
        """How many rows there are."""
        return len(self._records)

    def close(self) -> None:
        """Close the files."""
        self._records.close()

"""`FileWriter`: rows into MindRecord files."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ...frontend.errors.classes import DamagedFileError
from .. import log
from ..saving.whole_files import Unfinished, naming, sync_folder
from .errors import (
    MRMAddSchemaError,
    MRMDefineIndexError,
    MRMGetMetaError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMOpenError,
    ParamTypeError,
    ParamValueError,
)
from .layout import (
    INDEX_TYPES,
    POSITIONS,
    SUFFIX,
    VERSION,
    check_schema,
    is_blob,
    pack_blobs,
    pack_header,
    pack_map,
    read_header,
)

MOST_SHARDS = 1000
HEADER_SIZE, PAGE_SIZE = 1 << 24, 1 << 25
HEADER_SIZES = (1 << 14, 1 << 27)
PAGE_SIZES = (1 << 15, 1 << 28)
# The types of a schema that a value of each Python type may be.
_ACCEPTED = {
    "int": ("int32", "int64"), "int32": ("int32",), "int64": ("int64",), "float": ("float32", "float64"),
    "float32": ("float32",), "float64": ("float64",), "str": ("string",), "bytes": ("bytes",),
}  # fmt: skip


def _within(size: int, bounds: tuple[int, int], what: str, error: type[Exception]) -> int:
    """A number of bytes within bounds; `error` for another."""
    low, high = bounds
    if not isinstance(size, int) or not low <= size <= high:
        raise error(f"a {what} should have from {low} to {high} bytes, but got {size}")
    return size


class _Shard:
    """A file that grows, under another name until it is whole."""

    def __init__(self, path: str, header: dict[str, Any], number: int, grows: bool = False) -> None:
        """`grows`: start with the content of the file at `path`."""
        self.path, self.number, self.grows = path, number, grows
        self.files: list[Unfinished] = []  # the file and, at the end, its database
        self.header_size, self.page_size = header["header_size"], header["page_size"]
        self.pages: list[dict[str, Any]] = header.get("page") or []
        self.index: list[tuple[Any, ...]] = []
        self.rows = sum(page["end_row_id"] - page["start_row_id"] for page in self._of("BLOB_DATA"))
        self.saved = header.get("compression_size", 0)

    @property
    def file(self) -> BinaryIO:
        """The unfinished file, made when it is first written."""
        if not self.files:
            self.files.append(self._unfinished(self.path))
        return self.files[0].file

    def _unfinished(self, path: str) -> Unfinished:
        with naming(Path(path)):
            made = Unfinished(path)
            try:
                if self.grows:
                    with open(path, "rb") as old:
                        shutil.copyfileobj(old, made.file, 1 << 20)
                    made.file.flush()
            except BaseException:
                made.discard()
                raise
            return made

    def _of(self, kind: str) -> list[dict[str, Any]]:
        return [page for page in self.pages if page["page_type"] == kind]

    def _page(self, kind: str, size: int) -> dict[str, Any]:
        """The last page of a kind, a new one if that has not so much room."""
        if size > self.page_size:
            raise RuntimeError(
                f"a row takes {size} bytes in {self.path}, but a page has {self.page_size}: call set_page_size before "
                "writing"
            )
        pages = self._of(kind)
        if pages and pages[-1]["page_size"] + size <= self.page_size:
            return pages[-1]
        start = self.rows if kind == "BLOB_DATA" else 0
        group = len(pages) if kind == "BLOB_DATA" else len(self._of("BLOB_DATA")) - 1
        page = {
            "page_id": len(self.pages), "page_type": kind, "page_type_id": len(pages), "page_size": 0,
            "start_row_id": start, "end_row_id": start, "shard_id": self.number,
            "row_group_ids": [{"id": 0 if kind == "BLOB_DATA" else group, "offset": 0}],
        }  # fmt: skip
        self.pages.append(page)
        return page

    def _write(self, file: BinaryIO, page: dict[str, Any], content: bytes) -> tuple[int, int]:
        start = page["page_size"]
        file.seek(self.header_size + page["page_id"] * self.page_size + start)
        file.write(struct.pack("<Q", len(content)) + content)
        page["page_size"] = start + 8 + len(content)
        return start, page["page_size"]

    def add(self, file: BinaryIO, raw: bytes, blob: bytes, indexed: list[Any]) -> None:
        """Write a row."""
        blobs = self._page("BLOB_DATA", 8 + len(blob))
        group = blobs["page_type_id"]
        raws = self._page("RAW_DATA", 8 + len(raw))
        if raws["row_group_ids"][-1]["id"] != group:
            raws["row_group_ids"].append({"id": group, "offset": raws["page_size"]})
        raw_place, blob_place = self._write(file, raws, raw), self._write(file, blobs, blob)
        positions = (self.rows, raws["page_id"], *raw_place, group, blobs["page_id"], *blob_place)
        self.rows += 1
        blobs["end_row_id"] = self.rows
        self.index.append((*positions, *(part for value in indexed for part in (0, value))))

    def finish(self, header: dict[str, Any], fields: list[tuple[str, str]]) -> None:
        """Write the header, and the database of rows."""
        text = pack_header({**header, "page": self.pages, "shard_id": self.number, "compression_size": self.saved})
        if len(text) > self.header_size:
            raise RuntimeError(
                f"the header of {self.path} takes {len(text)} bytes, but has {self.header_size}: call set_header_size "
                "before writing"
            )
        with naming(Path(self.path)):
            self.file.seek(0)
            self.file.write(text)
            self.files[0].sync()
        self.files.append(self._unfinished(self.path + SUFFIX))
        self._write_database(str(self.files[1].temporary), fields)
        self.files[1].sync()

    def _write_database(self, path: str, fields: list[tuple[str, str]]) -> None:
        """Write where each row is."""
        columns = [f"{name} INT NOT NULL" for name in POSITIONS]
        keys = ["ROW_ID"]
        for number, (name, kind) in enumerate(fields):
            columns += [f"INC_{number} INT", f"{name}_0 {INDEX_TYPES[kind]}"]
            keys.append(f"INC_{number}")
        database = sqlite3.connect(path)
        try:
            database.execute("PRAGMA journal_mode=MEMORY").fetchall()  # no second file beside an unfinished one
            with database:
                database.execute("CREATE TABLE IF NOT EXISTS SHARD_NAME(NAME TEXT NOT NULL)")
                database.execute(
                    f"CREATE TABLE IF NOT EXISTS INDEXES({', '.join(columns)}, PRIMARY KEY({','.join(keys)}))"
                )
                if not database.execute("SELECT COUNT(*) FROM SHARD_NAME").fetchone()[0]:
                    database.execute("INSERT INTO SHARD_NAME VALUES (?)", (os.path.basename(self.path),))
                holes = ", ".join("?" * (len(POSITIONS) + 2 * len(fields)))
                database.executemany(f"INSERT INTO INDEXES VALUES ({holes})", self.index)
        finally:
            database.close()
        self.index = []


def _discard(shards: list[_Shard], process: int) -> None:
    """Delete the unfinished files of a writer that is gone, or failed; a copy in a forked process leaves them alone."""
    for shard in shards if process == os.getpid() else ():
        for unfinished in shard.files:
            with suppress(OSError):
                unfinished.discard()
        shard.files = []


class FileWriter:
    """Writes rows into MindRecord files, which MindSpore reads as well.

    Beside each file a SQLite database `<file>.db` says where its rows are. Rows of several files: each call of
    `write_raw_data` shares its rows out, in order, as evenly as can be.

    The files are written under temporary names, and `commit` renames them. Until then earlier files stay, also if the
    process is killed. A writer that is dropped without `commit` leaves nothing.

    Args:
        file_name: the file; with several shards, its name before their numbers.
        shard_num: how many files, from 1 to 1000.
        overwrite: whether files of these names are replaced; otherwise they are an error.

    Raises:
        ParamValueError: for arguments out of range.

    Examples:
        >>> import numpy as np
        >>> from mycel.mindrecord import FileReader, FileWriter
        >>> writer = FileWriter("example.mindrecord", 1, overwrite=True)
        >>> _ = writer.add_schema({"label": {"type": "int32"}, "x": {"type": "float32", "shape": [-1]}}, "two columns")
        >>> writer.write_raw_data([{"label": 3, "x": np.float32([1, 2])}, {"label": 4, "x": np.float32([5])}])
        >>> writer.commit()
        >>> [(row["label"], row["x"].tolist()) for row in FileReader("example.mindrecord").get_next()]
        [(3, [1.0, 2.0]), (4, [5.0])]
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False) -> None:
        if not isinstance(file_name, (str, os.PathLike)):
            raise ParamValueError(f"the file's name should be a string, but is {file_name!r}")
        if isinstance(shard_num, bool) or not isinstance(shard_num, int) or not 1 <= shard_num <= MOST_SHARDS:
            raise ParamValueError(f"'shard_num' should be an int from 1 to {MOST_SHARDS}, but is {shard_num!r}")
        if not isinstance(overwrite, bool):
            raise ParamValueError(f"'overwrite' should be a bool, but is {overwrite!r}")
        name = os.fspath(file_name)
        width = len(str(shard_num - 1))
        self._paths = [name] if shard_num == 1 else [f"{name}{number:0{width}}" for number in range(shard_num)]
        self._overwrite, self._committed, self._failed = overwrite, False, False
        self._header_size, self._page_size = HEADER_SIZE, PAGE_SIZE
        self._schema: dict[str, dict[str, Any]] | None = None
        self._description = ""
        self._indexed: list[str] = []
        self._shards: list[_Shard] = []
        weakref.finalize(self, _discard, self._shards, os.getpid())
        self._names = [os.path.basename(path) for path in self._paths]
        self._turn = 0

    @classmethod
    def open_for_append(cls, file_name: str) -> FileWriter:
        """A writer that adds rows to a file. Of files of several shards each is appended to on its own.

        Raises:
            MRMOpenError: if there is no such file. DamagedFileError: if it is no MindRecord file (a RuntimeError, too).
        """
        writer = cls(file_name)
        path = writer._paths[0]
        if not os.path.exists(path):
            raise MRMOpenError(f"the file {path} does not exist")
        header = read_header(path)
        try:
            writer._header_size, writer._page_size = header["header_size"], header["page_size"]
            (entry,) = header["schema"]
            writer._schema, writer._description = check_schema(entry["schema"]), entry["desc"]
            writer._indexed = [field["index_field"] for field in header.get("index_fields") or []]
            if not set(writer._indexed) <= set(writer._schema):
                raise KeyError(f"an index of {writer._indexed}")
            writer._names = header["shard_addresses"]
            writer._shards.append(_Shard(path, header, header["shard_id"], grows=True))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DamagedFileError(path, f"its header is not one that rows can be added to: {error!r}") from None
        return writer

    def add_schema(self, content: dict[str, Any], desc: str | None = None) -> int:
        """Set the schema of rows.

        Args:
            content: field names to dicts of 'type' (int32, int64, float32, float64, string, bytes) and, for arrays,
                'shape' (a list of sizes, where one may be -1).
            desc: a description.

        Returns:
            The number of the schema, 0.

        Raises:
            MRMInvalidSchemaError: if it cannot be. MRMAddSchemaError: if there is one already.
        """
        schema = check_schema(content)
        if self._schema is not None:
            raise MRMAddSchemaError("there is a schema already")
        self._schema, self._description = schema, desc or ""
        return 0

    def add_index(self, index_fields: list[str]) -> int:
        """Say by which fields rows can be searched; without this, by all numbers and strings.

        Raises:
            ParamTypeError: for what is no list of strings. MRMGetMetaError: without a schema.
            MRMDefineIndexError: for bytes, arrays and unknown fields.
        """
        if not isinstance(index_fields, list) or not index_fields:
            raise ParamTypeError(f"'index_fields' should be a list of names, but is {index_fields!r}")
        schema = self._known_schema()
        for name in index_fields:
            if not isinstance(name, str):
                raise ParamTypeError(f"the name of a field should be a string, but is {name!r}")
            if name not in schema:
                raise MRMDefineIndexError(f"there is no field '{name}'; there are {list(schema)}")
            if is_blob(schema[name]):
                raise MRMDefineIndexError(f"field '{name}' holds bytes or an array, by which rows cannot be searched")
        self._indexed = list(dict.fromkeys(index_fields))
        return 0

    def set_header_size(self, header_size: int) -> int:
        """How many bytes the header has, from 16 KB to 128 MB; 16 MB without this.

        Raises:
            MRMInvalidHeaderSizeError: if it is out of range.
        """
        self._header_size = _within(header_size, HEADER_SIZES, "header", MRMInvalidHeaderSizeError)
        return 0

    def set_page_size(self, page_size: int) -> int:
        """How many bytes a page has, and so a row at most, from 32 KB to 256 MB; 32 MB without this.

        Raises:
            MRMInvalidPageSizeError: if it is out of range.
        """
        self._page_size = _within(page_size, PAGE_SIZES, "page", MRMInvalidPageSizeError)
        return 0

    def write_raw_data(self, raw_data: list[dict[str, Any]], parallel_writer: bool = False) -> None:
        """Write rows. Rows that do not fit the schema are left out with a warning.

        Args:
            raw_data: a dict of field names to values for each row; what the schema does not name is not written.
            parallel_writer: each call's rows go into one file, the files taking turns, in place of all files.

        Raises:
            ParamTypeError: for what is no list of dicts. MRMGetMetaError: without a schema. RuntimeError: if no row
                fits, after `commit`, for a file that exists, and for rows that are larger than a page.
        """
        if not isinstance(parallel_writer, bool):
            raise TypeError(f"'parallel_writer' should be a bool, but is {parallel_writer!r}")
        if not isinstance(raw_data, list) or not all(isinstance(row, dict) for row in raw_data):
            raise ParamTypeError(f"'raw_data' should be a list of dicts, but is {type(raw_data).__name__}")
        if self._committed:
            raise RuntimeError("the file is committed: use FileWriter.open_for_append to add rows")
        self._check_whole()
        schema = self._known_schema()
        shards = self._opened()
        rows = []
        problem = "the list is empty"
        for number, row in enumerate(raw_data):
            found = _problem(row, schema)
            if found is None:
                rows.append(row)
            else:
                problem = f"row {number}: {found}"
                log.warning(f"FileWriter leaves out {problem}")
        if not rows:
            raise RuntimeError(f"write_raw_data got no row that fits the schema: {problem}")
        blobs = [name for name in schema if is_blob(schema[name])]
        for shard, part in self._dealt(shards, rows, parallel_writer):
            for row in part:
                plain = {name: _plain(row[name]) for name in schema if name not in blobs}
                blob, saved = pack_blobs(row, schema, blobs)
                indexed = [plain[name] for name in self._index_fields()]
                try:
                    with naming(Path(shard.path)):
                        shard.add(shard.file, pack_map(plain or {"id": 0}), blob, indexed)
                except OSError:  # a part of a row may be written
                    self._failed = True
                    _discard(shards, os.getpid())
                    raise
                shard.saved += saved

    def _dealt(self, shards: list[_Shard], rows: list[Any], parallel: bool) -> list[tuple[_Shard, list[Any]]]:
        """Which rows go into which file."""
        if parallel:
            shard = shards[self._turn % len(shards)]
            self._turn += 1
            return [(shard, rows)]
        share, more = divmod(len(rows), len(shards))
        fewest = sorted(range(len(shards)), key=lambda number: shards[number].rows)[:more]
        dealt, start = [], 0
        for number, shard in enumerate(shards):
            stop = start + share + (number in fewest)
            dealt.append((shard, rows[start:stop]))
            start = stop
        return dealt

    def commit(self) -> None:
        """Finish the files: their headers and the databases of their rows.

        Raises:
            MRMGetMetaError: without a schema. RuntimeError: if a header is larger than its place. OSError: if the files
                cannot be written. After both of these there are no new files.
        """
        if self._committed:
            return
        schema = self._known_schema()
        self._check_whole()
        fields = [(name, schema[name]["type"]) for name in self._index_fields()]
        shards = self._opened()
        header = {
            "header_size": self._header_size, "page_size": self._page_size, "version": VERSION, "statistics": None,
            "index_fields": [{"index_field": name, "schema_id": 0} for name, _ in fields] or None,
            "shard_addresses": self._names,
            "schema": [{
                "blob_fields": [name for name in schema if is_blob(schema[name])], "desc": self._description,
                "schema": schema,
            }],
        }  # fmt: skip
        try:
            for shard in shards:
                shard.finish(header, fields)
            self._move(shards)
        except BaseException:
            self._failed = True
            _discard(shards, os.getpid())
            raise
        self._committed = True

    def _check_whole(self) -> None:
        """Raise RuntimeError if files that were written have disappeared."""
        if self._failed:
            raise RuntimeError("a write or commit failed, and nothing was written: make a new FileWriter")

    def _move(self, shards: list[_Shard]) -> None:
        """Move whole files to their places. No database stands beside a file that it does not belong to: in between
        there is none, which readers say."""
        for shard in shards:
            Path(shard.path + SUFFIX).unlink(missing_ok=True)
        for number in (0, 1):
            for shard in shards:
                with naming(Path(shard.path)):
                    shard.files[number].move()
        for folder in {os.path.dirname(shard.path) for shard in shards}:
            sync_folder(Path(folder))
        for shard in shards:
            shard.files = []

    def _known_schema(self) -> dict[str, dict[str, Any]]:
        if self._schema is None:
            raise MRMGetMetaError("there is no schema yet: call add_schema first")
        return self._schema

    def _index_fields(self) -> list[str]:
        schema = self._known_schema()
        return self._indexed or [name for name in schema if not is_blob(schema[name])]

    def _opened(self) -> list[_Shard]:
        """The files, made when the first row is written."""
        if not self._shards:
            old = [path for path in (*self._paths, *(path + SUFFIX for path in self._paths)) if os.path.exists(path)]
            if old and not self._overwrite:
                raise RuntimeError(f"the file {old[0]} exists already: give FileWriter overwrite=True, or remove it")
            header = {"header_size": self._header_size, "page_size": self._page_size}
            shards = [_Shard(path, dict(header), number) for number, path in enumerate(self._paths)]
            try:
                for shard in shards:
                    _ = shard.file
            except OSError as error:
                _discard(shards, os.getpid())
                raise RuntimeError(f"the file cannot be made: {error}") from None
            self._shards += shards
        return self._shards


def _problem(row: dict[str, Any], schema: dict[str, dict[str, Any]]) -> str | None:
    """The value of a row that does not fit the schema."""
    for name, entry in schema.items():
        if name not in row:
            return f"it has no field '{name}'"
        value = row[name]
        if isinstance(value, np.ndarray):
            if "shape" not in entry or str(value.dtype) != entry["type"]:
                return f"field '{name}' should be {_described(entry)}, but is an array of {value.dtype}"
            try:
                value.reshape(entry["shape"])
            except ValueError:
                return f"field '{name}' should have the shape {entry['shape']}, but has {list(value.shape)}"
        elif "shape" in entry or entry["type"] not in _ACCEPTED.get(type(value).__name__, ()):
            return f"field '{name}' should be {_described(entry)}, but is {type(value).__name__}"
        elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            return f"field '{name}' should be an int64, but is {value}"
    return None


def _described(entry: dict[str, Any]) -> str:
    return f"an array of {entry['type']}" if "shape" in entry else str(entry["type"])


def _plain(value: Any) -> Any:
    """A Python number or string."""
    return value.item() if isinstance(value, np.generic) else value

"""The bytes of MindRecord files.

A file is a header and then pages of one size, of two kinds. Beside it, in a SQLite database named `<file>.db`, a table
says for each row where its two halves are.

    header:    u64 length, JSON text (schema, pages, names of all files), filled up to `header_size`
    raw page:  a row's numbers and strings: u64 length, a map in MessagePack
    blob page: a row's bytes and arrays: u64 length, and each of them after a big-endian u64 of its length, which is
               left out if there is only one; arrays of ints are shortened (`pack_ints`); a row without any has four
               zeros

A row lies in one raw page and one blob page; the rows whose blobs share a page form a group of that page's number.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any

import numpy as np

from ...runtime.shown import standard
from ..saving.wire import CorruptFile, reading
from .errors import MRMInvalidSchemaError

SUFFIX = ".db"
VERSION = "3.0"
ARRAY_TYPES = ("int32", "int64", "float32", "float64")
PLAIN_TYPES = (*ARRAY_TYPES, "string", "bytes")
INT_TYPES: tuple[np.dtype[Any], ...] = (np.dtype("<i1"), np.dtype("<i2"), np.dtype("<i4"), np.dtype("<i8"))
NO_BLOB = bytes(4)
LARGEST_HEADER = 1 << 30
POSITIONS = ("ROW_ID", "PAGE_ID_RAW", "PAGE_OFFSET_RAW", "PAGE_OFFSET_RAW_END", "ROW_GROUP_ID", "PAGE_ID_BLOB",
             "PAGE_OFFSET_BLOB", "PAGE_OFFSET_BLOB_END")  # fmt: skip
INDEX_TYPES = {"string": "TEXT", "int32": "INTEGER", "int64": "INTEGER", "float32": "REAL", "float64": "REAL"}


def is_blob(entry: dict[str, Any]) -> bool:
    """Whether a field of the schema is bytes or an array."""
    return entry["type"] == "bytes" or "shape" in entry


@standard
class CorruptRow(ValueError):
    """A row that cannot be read."""


# MessagePack


def pack_map(values: dict[str, Any]) -> bytes:
    """A map of strings to numbers and strings."""
    count = len(values)
    head = bytes([0x80 | count]) if count < 16 else b"\xde" + struct.pack(">H", count)
    return head + b"".join(_pack_text(name) + _pack(value) for name, value in values.items())


def _pack(value: Any) -> bytes:
    if isinstance(value, str):
        return _pack_text(value)
    if isinstance(value, float):
        fits = abs(value) <= float(np.finfo(np.float32).max) and float(np.float32(value)) == value
        return b"\xca" + struct.pack(">f", value) if fits else b"\xcb" + struct.pack(">d", value)
    if value >= 0:
        if value < 0x80:
            return bytes([value])
        power = next(power for power in range(4) if value >> (8 << power) == 0)
        code = 0xCC + power
    else:
        if value >= -32:
            return struct.pack("b", value)
        power = next(power for power in range(4) if value >= -(1 << (8 << power) - 1))
        code = 0xD0 + power
    number: bytes = value.to_bytes(1 << power, "big", signed=value < 0)
    return bytes([code]) + number


def _pack_text(text: str) -> bytes:
    raw = text.encode()
    size = len(raw)
    if size < 32:
        head = bytes([0xA0 | size])
    elif size < 1 << 8:
        head = b"\xd9" + bytes([size])
    elif size < 1 << 16:
        head = b"\xda" + struct.pack(">H", size)
    else:
        head = b"\xdb" + struct.pack(">I", size)
    return head + raw


def unpack_map(data: bytes) -> dict[str, Any]:
    """The map of strings to numbers, strings, bools and nothing."""
    try:
        count, position = _map_size(data)
        found: dict[str, Any] = {}
        for _ in range(count):
            name, position = _unpack(data, position)
            if not isinstance(name, str):
                raise CorruptRow(f"its numbers and strings have the name {name!r}")
            found[name], position = _unpack(data, position)
    except (IndexError, struct.error, UnicodeDecodeError) as error:
        raise CorruptRow(f"its numbers and strings cannot be read: {error}") from None
    return found


def _map_size(data: bytes) -> tuple[int, int]:
    """How many entries a map has, and where they begin."""
    code = data[0]
    if 0x80 <= code < 0x90:
        return code & 0x0F, 1
    if code not in (0xDE, 0xDF):
        raise CorruptRow("its numbers and strings are no map")
    form = ">H" if code == 0xDE else ">I"
    return struct.unpack_from(form, data, 1)[0], 1 + struct.calcsize(form)


_FIXED = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i",
          0xD3: ">q"}  # fmt: skip
_TEXT_SIZES = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def _unpack(data: bytes, position: int) -> tuple[Any, int]:
    code = data[position]
    position += 1
    if code < 0x80:
        return code, position
    if code >= 0xE0:
        return code - 256, position
    if code in _CONSTANTS:
        return _CONSTANTS[code], position
    if code in _FIXED:
        (number,) = struct.unpack_from(_FIXED[code], data, position)
        return number, position + struct.calcsize(_FIXED[code])
    if 0xA0 <= code < 0xC0 or code in _TEXT_SIZES:
        size = code & 0x1F
        if code in _TEXT_SIZES:
            (size,) = struct.unpack_from(_TEXT_SIZES[code], data, position)
            position += struct.calcsize(_TEXT_SIZES[code])
        if position + size > len(data):
            raise CorruptRow("its numbers and strings are cut off")
        return data[position : position + size].decode(), position + size
    raise CorruptRow(f"its numbers and strings hold the unknown code {code:#x}")


# Blobs


def pack_ints(array: np.ndarray) -> bytes:
    """Ints, each in as few bytes as hold it: a big-endian u32 of their count, two bits for the size of each, four in a
    byte, and the ints."""
    flat = array.ravel().astype(np.int64)
    sizes = np.full(flat.shape, 3, np.uint8)
    for code in (2, 1, 0):
        limit = np.int64(1) << (8 * INT_TYPES[code].itemsize - 1)
        sizes[(flat >= -limit) & (flat < limit)] = code
    padded = np.zeros(-(-len(flat) // 4) * 4, np.uint8)
    padded[: len(flat)] = sizes
    quads = padded.reshape(-1, 4)
    codes = quads[:, 0] << 6 | quads[:, 1] << 4 | quads[:, 2] << 2 | quads[:, 3]
    widths = np.left_shift(1, sizes.astype(np.int64))
    ends = np.cumsum(widths)
    body = np.zeros(int(ends[-1]) if len(flat) else 0, np.uint8)
    for code, kind in enumerate(INT_TYPES):
        chosen = np.flatnonzero(sizes == code)
        where = (ends - widths)[chosen, None] + np.arange(kind.itemsize)
        body[where] = flat[chosen].astype(kind)[:, None].view(np.uint8)
    return struct.pack(">I", len(flat)) + codes.tobytes() + body.tobytes()


def unpack_ints(data: bytes, dtype: Any) -> np.ndarray:
    """The ints that `pack_ints` packed."""
    if len(data) < 4:
        raise CorruptRow("an array of ints is cut off")
    (count,) = struct.unpack_from(">I", data)
    start = 4 + -(-count // 4)
    codes = np.frombuffer(data[4:start], np.uint8)
    sizes = (codes[:, None] >> np.array([6, 4, 2, 0], np.uint8) & 3).ravel()[:count]
    widths = np.left_shift(1, sizes.astype(np.int64))
    ends = np.cumsum(widths)
    if len(sizes) != count or start + (int(ends[-1]) if count else 0) != len(data):
        raise CorruptRow("an array of ints is cut off")
    body = np.frombuffer(data, np.uint8, offset=start)
    found = np.zeros(count, dtype)
    for code, kind in enumerate(INT_TYPES):
        chosen = np.flatnonzero(sizes == code)
        where = (ends - widths)[chosen, None] + np.arange(kind.itemsize)
        found[chosen] = np.ascontiguousarray(body[where]).view(kind)[:, 0]
    return found


def pack_blobs(row: dict[str, Any], schema: dict[str, Any], names: list[str]) -> tuple[bytes, int]:
    """The bytes and arrays of a row, and how many bytes shortening its ints has saved."""
    parts, saved = [], 0
    for name in names:
        value = row[name]
        if schema[name]["type"] == "bytes":
            parts.append(bytes(value))
        elif value.dtype.kind == "i":
            parts.append(pack_ints(value))
            saved += value.nbytes - len(parts[-1])
        else:
            parts.append(np.ascontiguousarray(value, value.dtype.newbyteorder("<")).tobytes())
    if not parts:
        return NO_BLOB, 0
    return (parts[0] if len(parts) == 1 else b"".join(struct.pack(">Q", len(part)) + part for part in parts)), saved


def unpack_blobs(data: bytes, schema: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The bytes and arrays of a row."""
    found = {}
    position = 0
    for name in names:
        part = data
        if len(names) > 1:
            if position + 8 > len(data):
                raise CorruptRow(f"it ends before '{name}'")
            (size,) = struct.unpack_from(">Q", data, position)
            position += 8 + size
            if position > len(data):
                raise CorruptRow(f"'{name}' is cut off")
            part = data[position - size : position]
        entry = schema[name]
        if entry["type"] == "bytes":
            found[name] = part
            continue
        dtype = np.dtype(entry["type"]).newbyteorder("<")
        if dtype.kind == "i":
            array = unpack_ints(part, dtype)
        elif len(part) % dtype.itemsize:
            raise CorruptRow(f"'{name}' has {len(part)} bytes, which are no numbers of type {entry['type']}")
        else:
            array = np.frombuffer(part, dtype).astype(dtype.newbyteorder("="))
        try:
            found[name] = array.reshape(entry["shape"])
        except (ValueError, OverflowError):
            raise CorruptRow(f"'{name}' has {array.size} numbers, which have not the shape {entry['shape']}") from None
    return found


# Schema and header


def check_schema(content: Any) -> dict[str, dict[str, Any]]:
    """The fields of a schema, sorted by name.

    Raises:
        MRMInvalidSchemaError: if it cannot be.
    """
    if not content:
        raise MRMInvalidSchemaError("the schema is empty")
    if not isinstance(content, dict):
        raise MRMInvalidSchemaError(f"the schema should be a dict, but is {content!r}")
    for name, entry in content.items():
        if not (isinstance(name, str) and name and name.isascii() and name.replace("_", "a").isalnum()):
            raise MRMInvalidSchemaError(f"the name of field {name!r} should be made of letters, digits and '_'")
        if not isinstance(entry, dict) or "type" not in entry or set(entry) - {"type", "shape"}:
            raise MRMInvalidSchemaError(f"field '{name}' should be a dict of 'type' and, for arrays, 'shape'")
        types = ARRAY_TYPES if "shape" in entry else PLAIN_TYPES
        if not isinstance(entry["type"], str) or entry["type"] not in types:
            what = "an array" if "shape" in entry else "a field"
            raise MRMInvalidSchemaError(
                f"field '{name}': the type of {what} should be one of {', '.join(types)}, but is {entry['type']!r}"
            )
        if "shape" in entry and not _is_shape(entry["shape"]):
            raise MRMInvalidSchemaError(
                f"field '{name}': the shape should be a list of sizes, one of which may be -1, but is "
                f"{entry['shape']!r}"
            )
    return {name: dict(content[name]) for name in sorted(content)}


def _is_shape(shape: Any) -> bool:
    """Whether it is a list of sizes, of which one may be left open."""
    return (
        isinstance(shape, list)
        and all(type(size) is int and size >= -1 for size in shape)
        and sum(size == -1 for size in shape) < 2
    )


def pack_header(header: dict[str, Any]) -> bytes:
    """A header: the length and the JSON text."""
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return struct.pack("<Q", len(text)) + text


def read_header(path: str) -> dict[str, Any]:
    """The header of a file.

    Raises:
        DamagedFileError: if the file is not of this kind.
    """
    with reading(path):
        header: Any = None
        with open(path, "rb") as file:
            head, left = file.read(8), os.fstat(file.fileno()).st_size - 8
            size = struct.unpack("<Q", head)[0] if len(head) == 8 else LARGEST_HEADER
            text = file.read(size) if size < LARGEST_HEADER and size <= left else b""
        try:
            if text:
                header = json.loads(text.decode())
        except (ValueError, RecursionError) as error:
            raise CorruptFile(f"it is no MindRecord file: its header is no JSON: {error}") from None
        problem = _header_problem(header)
        if problem is not None:
            raise CorruptFile(f"it is no MindRecord file{problem}")
    return dict(header)


def _header_problem(header: Any) -> str | None:
    """The problem of a header, as the rest of a sentence; None if there is none."""
    if not isinstance(header, dict) or not {"page_size", "header_size", "schema"} <= set(header):
        return ""
    for name in ("page_size", "header_size"):
        if type(header[name]) is not int or not 0 < header[name] <= LARGEST_HEADER:
            return f": its {name} is {header[name]!r}"
    schemas = header["schema"]
    if not isinstance(schemas, list) or not schemas or not isinstance(schemas[0], dict) or "schema" not in schemas[0]:
        return ": it has no schema"
    try:
        check_schema(schemas[0]["schema"])
    except MRMInvalidSchemaError as error:
        return f": {error}"
    addresses = header.get("shard_addresses") or []
    if not isinstance(addresses, list) or not all(isinstance(name, str) and "\0" not in name for name in addresses):
        return ": the names of its files are no strings"
    return None

"""The bytes of checkpoints, written and read piece by piece: beside the arrays nothing of their size is held.

A `.ckpt` file is a sequence of records in the wire format of protocol buffers, as MindSpore writes and reads it:

    record:  tag 0x0A, length, then  0x0A length name (UTF-8)  0x12 length tensor
    tensor:  0x08 dimension (a varint each)  0x12 length dtype name ("Float32")  0x1A length numbers (little-endian)

A large tensor is cut into several records of one name. A string is a tensor of dtype "str" with UTF-32 characters. With
a checksum the file begins with field 15, the number of bytes of all records, which other readers of protocol buffers
pass over, and ends with `crc_num` and ten bytes: the CRC-32 of everything before. A file that was cut between two
records is noticed by its length, and without this field by the missing end.

A `.safetensors` file is a header in JSON, which says of each tensor where its numbers are, and the numbers. MindSpore's
checksum of it is in the header's `__metadata__`. Nothing in a file is executed.
"""

from __future__ import annotations

import json
import math
import os
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, BinaryIO

import numpy as np

from ...frontend.values.parameter import owning
from ...runtime import dtypes
from ...runtime.arena import aligned_empty
from ...runtime.records import dataclass
from .wire import CorruptFile, bytes_field, file_fields, number_field, varint

CHUNK = 1 << 20  # bytes that are written or read at once
SLICE = 512 << 20  # bytes of a tensor in one record, as MindSpore has it
MOST_HEADER = 100_000_000  # bytes of the header of a safetensors file, as its own library has it
MOST_DIMENSIONS = 64
MOST_TEXT = 1 << 16  # bytes of a name
MOST_SCALARS = 1 << 31  # see `_scalar_bytes`
_CRC, _CRC_BYTES = b"crc_num", 17
_SIZE_FIELD = 15
_SIZE_HEAD = varint(_SIZE_FIELD << 3 | 1)
_DTYPES = {
    dtype.name: dtype
    for dtype in (
        dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.uint32,
        dtypes.uint64, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.complex64,
        dtypes.complex128,
    )
}  # fmt: skip
_SAFETENSORS = {
    "Bool": "BOOL", "Int8": "I8", "Int16": "I16", "Int32": "I32", "Int64": "I64", "UInt8": "U8", "UInt16": "U16",
    "UInt32": "U32", "UInt64": "U64", "Float16": "F16", "Float32": "F32", "Float64": "F64", "BFloat16": "BF16",
}  # fmt: skip
_FROM_SAFETENSORS = {short: name for name, short in _SAFETENSORS.items()}

Entry = str | tuple[np.ndarray, str]
"""What is saved under a name: a string, or an array and the name of its dtype."""


@dataclass
class Stored:
    """An entry of a file that was not read yet: its dtype's name, its shape, and where its bytes are."""

    kind: str
    shape: tuple[int, ...]
    spans: list[tuple[int, int]] = field(default_factory=list)

    @property
    def nbytes(self) -> int:
        """How many bytes the file holds of it."""
        return sum(length for _, length in self.spans)


# Arrays as bytes


def _pieces(array: np.ndarray, start: int = 0, stop: int | None = None) -> Iterator[memoryview]:
    """The bytes of the elements from `start` to `stop`, little-endian, in pieces."""
    stop = array.size if stop is None else stop
    swapped = array.dtype.itemsize > 1 and (array.dtype.byteorder == ">" or sys.byteorder == "big")
    step = max(1, CHUNK // array.dtype.itemsize)
    flat = array.reshape(-1) if array.flags.c_contiguous else array.flat
    for position in range(start, stop, step):
        piece = flat[position : min(stop, position + step)]
        if swapped:
            piece = piece.astype(piece.dtype.newbyteorder("<"))
        yield piece.view(np.uint8).data


def _fill(file: BinaryIO, spans: list[tuple[int, int]], target: memoryview) -> None:
    """Read stretches of a file into memory of their length."""
    position = 0
    for start, length in spans:
        file.seek(start)
        end = position + length
        while position < end:
            count = file.readinto(target[position:end])  # type: ignore[attr-defined]
            if not count:
                raise CorruptFile("it ends before it should")
            position += count


def _array(name: str, stored: Stored, file: BinaryIO) -> np.ndarray:
    """The numbers of an entry, read into their place."""
    kind, shape = stored.kind, stored.shape
    if kind not in _DTYPES:
        raise CorruptFile(f"'{name}' has the unknown dtype {kind!r}")
    widened = kind == "BFloat16" and not has_bfloat16()
    dtype = np.dtype(np.uint16) if widened else _DTYPES[kind].np
    if shape == (0,) and stored.nbytes == dtype.itemsize:
        shape = ()  # as earlier versions of MindSpore write it
    if math.prod(shape) * dtype.itemsize != stored.nbytes:
        raise CorruptFile(f"'{name}' of shape {shape} and dtype {kind} has {stored.nbytes} bytes")
    try:
        array = aligned_empty(shape, dtype if not widened else np.float32)
    except (ValueError, OverflowError) as error:
        raise CorruptFile(f"'{name}' has the shape {shape}, which cannot be: {error}") from None
    if widened:
        _fill_widened(file, stored, array.reshape(-1))
        return array
    raw = array.reshape(-1).view(np.uint8)
    _fill(file, stored.spans, raw.data)
    if sys.byteorder == "big" and dtype.itemsize > 1:
        array.byteswap(inplace=True)
    if kind == "Bool" and raw.max(initial=0) > 1:
        raise CorruptFile(f"'{name}' of dtype Bool holds the byte {raw.max()}")
    return array


def _fill_widened(file: BinaryIO, stored: Stored, flat: np.ndarray) -> None:
    """bfloat16 numbers as float32 ones: zeros come after their bits."""
    position, left = 0, b""
    bits = flat.view(np.uint32)
    for start, length in stored.spans:
        for offset in range(0, length, CHUNK):
            file.seek(start + offset)
            raw = left + file.read(min(CHUNK, length - offset))
            even = len(raw) & ~1
            part = np.frombuffer(raw[:even], "<u2")
            bits[position : position + len(part)] = part
            position, left = position + len(part), raw[even:]
    if position != len(bits):
        raise CorruptFile("it ends before it should")
    bits <<= np.uint32(16)


def has_bfloat16() -> bool:
    """Whether NumPy can have bfloat16 here."""
    try:
        dtypes.require_bfloat16()
    except ImportError:
        return False
    return True


def read_entry(name: str, stored: Stored, file: BinaryIO) -> Any:
    """A Parameter, or a string."""
    if stored.kind == "str":
        raw = bytearray(stored.nbytes)
        _fill(file, stored.spans, memoryview(raw))
        try:
            return raw.decode("utf-32-le")
        except UnicodeDecodeError as error:
            raise CorruptFile(f"'{name}' is no text: {error}") from None
    return owning(_array(name, stored, file), name if name.strip() else "parameter")


# Records


class _Sink:
    """A file, and the CRC-32 of everything written to it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.checksum = file, 0

    def write(self, content: bytes | memoryview) -> None:
        self.checksum = zlib.crc32(content, self.checksum)
        self._file.write(content)


def _records(name: str, value: Entry) -> Iterator[tuple[bytes, int, Iterator[bytes | memoryview]]]:
    """What precedes the content of each record of an entry, how long the content is, and its pieces."""
    if isinstance(value, str):
        text = value.encode("utf-32-le")
        yield _record_head(name, number_field(1, 0) + bytes_field(2, b"str"), len(text)), len(text), iter([text])
        return
    array, dtype = value
    head = b"".join(number_field(1, size) for size in array.shape) + bytes_field(2, dtype.encode())
    step = max(1, SLICE // array.dtype.itemsize)
    for start in range(0, array.size or 1, step):
        stop = min(array.size, start + step)
        length = (stop - start) * array.dtype.itemsize
        yield _record_head(name, head, length), length, _pieces(array, start, stop)


def _record_head(name: str, tensor: bytes, length: int) -> bytes:
    """The bytes of a record up to its content of this length."""
    tensor += varint(3 << 3 | 2) + varint(length)
    record = bytes_field(1, name.encode()) + varint(2 << 3 | 2) + varint(len(tensor) + length) + tensor
    return varint(1 << 3 | 2) + varint(len(record) + length) + record


def write_ckpt(file: BinaryIO, entries: Mapping[str, Entry], crc_check: bool = False) -> None:
    """Write the records of names to values, and with `crc_check` their length and checksum."""
    sink = _Sink(file)
    if crc_check:
        size = sum(len(head) + length for name, value in entries.items() for head, length, _ in _records(name, value))
        sink.write(_SIZE_HEAD + struct.pack("<Q", size))
    for name, value in entries.items():
        for head, _, pieces in _records(name, value):
            sink.write(head)
            for piece in pieces:
                sink.write(piece)
    if crc_check:
        file.write(_CRC + sink.checksum.to_bytes(10, "big"))


def _text(file: BinaryIO, span: Any, what: str) -> str:
    start, length = _span(span, what)
    if length > MOST_TEXT:
        raise CorruptFile(f"{what} has {length} bytes")
    file.seek(start)
    try:
        return file.read(length).decode()
    except UnicodeDecodeError as error:
        raise CorruptFile(f"{what} is no text: {error}") from None


def _span(value: Any, what: str) -> tuple[int, int]:
    if not isinstance(value, tuple):
        raise CorruptFile(f"{what} is a number")
    return value


_ENCRYPTED = bytes.fromhex("d85e3a7f")  # how each block that MindSpore has encrypted begins


def ckpt_entries(file: BinaryIO, size: int, crc_check: bool = False) -> dict[str, Stored]:
    """The content of a `.ckpt` file. A checksum is compared if there is one; with `crc_check` there must be one.

    Raises:
        CorruptFile: if the file is damaged.
        ValueError: if it is encrypted.
    """
    file.seek(0)
    if file.read(len(_ENCRYPTED)) == _ENCRYPTED:
        raise ValueError(
            "the checkpoint is encrypted: load it with MindSpore and its key, and save it again without 'enc_key'"
        )
    end = _without_checksum(file, size)
    if crc_check and end == size:
        raise CorruptFile("crc_check=True asks for the checksum at its end, which it does not have")
    found: dict[str, Stored] = {}
    for number, content in file_fields(file, 0, end):
        if number == _SIZE_FIELD and not found:
            _check_size(file, content, end, size)
        elif number != 1:
            raise CorruptFile("there is something besides tensors")
        else:
            name, stored = _parse_record(file, *_span(content, "a record"))
            known = found.setdefault(name, stored)
            if known is not stored:
                if (known.kind, known.shape) != (stored.kind, stored.shape):
                    raise CorruptFile(f"two records of '{name}' have different dtypes or shapes")
                known.spans += stored.spans
    return found


def _check_size(file: BinaryIO, content: Any, end: int, size: int) -> None:
    """CorruptFile unless the file has the length that its first field says."""
    start, length = _span(content, "its length")
    file.seek(start)
    told = int.from_bytes(file.read(length), "little")
    if length != 8 or told != end - start - 8:
        raise CorruptFile(f"it was cut off: it should hold {told} bytes of records, but holds {end - start - 8}")
    if end == size:
        raise CorruptFile("it was cut off: the checksum at its end is missing")


def _without_checksum(file: BinaryIO, size: int) -> int:
    """Where the records end; CorruptFile if their checksum differs."""
    end = size - _CRC_BYTES
    if end < 0:
        return size
    file.seek(end)
    tail = file.read(_CRC_BYTES)
    if not tail.startswith(_CRC):
        return size
    file.seek(0)
    checksum, left = 0, end
    while left and (piece := file.read(min(CHUNK, left))):
        checksum, left = zlib.crc32(piece, checksum), left - len(piece)
    if checksum != int.from_bytes(tail[len(_CRC) :], "big"):
        raise CorruptFile("its checksum differs: the file was damaged")
    return end


def _parse_record(file: BinaryIO, start: int, length: int) -> tuple[str, Stored]:
    name, kind = "", ""
    shape: list[int] = []
    spans: list[tuple[int, int]] = []
    for number, value in file_fields(file, start, start + length):
        if number == 1:
            name = _text(file, value, "a name")
        elif number == 2:
            inner_start, inner_length = _span(value, "a tensor")
            for part, item in file_fields(file, inner_start, inner_start + inner_length):
                if part == 1:
                    if not isinstance(item, int) or len(shape) == MOST_DIMENSIONS:
                        raise CorruptFile(f"the shape of '{name}' cannot be read")
                    shape.append(item)
                elif part == 2:
                    kind = _text(file, item, "the name of a dtype")
                elif part == 3:
                    spans.append(_span(item, "the content of a tensor"))
    if not kind:
        raise CorruptFile("a record has no dtype")
    return name, Stored(kind, tuple(shape), spans)


# Safetensors


def write_safetensors(file: BinaryIO, entries: Mapping[str, Entry], crc_check: bool = False) -> None:
    """Write a header and the numbers; strings go into its metadata.

    Raises:
        TypeError: for a dtype that the format does not have.
    """
    metadata: dict[str, str] = {"format": "ms"}
    header: dict[str, Any] = {"__metadata__": metadata}
    arrays: list[np.ndarray] = []
    offset = checksum = 0
    for name, value in sorted(entries.items()):
        if isinstance(value, str):
            metadata[name] = value
            continue
        array, dtype = value
        if name == "__metadata__":
            raise TypeError("no tensor of a safetensors file may be called '__metadata__'")
        if dtype not in _SAFETENSORS:
            raise TypeError(f"safetensors has no dtype {dtype}, which '{name}' has")
        if crc_check:
            checksum = _tensor_checksum(zlib.crc32(name.encode(), checksum), array)
        header[name] = {
            "dtype": _SAFETENSORS[dtype], "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]
        }  # fmt: skip
        arrays.append(array)
        offset += array.nbytes
    if crc_check:
        metadata["crc_num"] = str(checksum)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    for array in arrays:
        for piece in _pieces(array):
            file.write(piece)


def _tensor_checksum(checksum: int, array: np.ndarray) -> int:
    """The CRC-32, continued with the numbers of an array."""
    scalar = _scalar_bytes(array)
    for piece in _pieces(array) if scalar is None else _zeros(scalar):
        checksum = zlib.crc32(piece, checksum)
    return checksum


def _scalar_bytes(array: np.ndarray) -> int | None:
    """How many zeros stand for an int of no dimensions in MindSpore's checksum: as many as it says, because Python's
    `bytes(number)` makes them. None for all other arrays."""
    if array.ndim or array.dtype.kind not in "iu" or array < 0:
        return None
    return int(array)


def _zeros(count: int) -> Iterator[bytes]:
    zeros = bytes(min(count, CHUNK))
    for start in range(0, count, CHUNK):
        yield zeros[: count - start]


def safetensors_entries(file: BinaryIO, size: int, crc_check: bool = False) -> dict[str, Stored]:
    """The content of a safetensors file. A checksum is compared if there is one; with `crc_check` there must be one.

    Raises:
        CorruptFile: if the file is damaged.
    """
    header, start = _read_header(file, size)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict):
        raise CorruptFile("the metadata in its header are no JSON object")
    found = {name: _described(name, entry, start, size) for name, entry in header.items()}
    position = start
    for name, stored in sorted(found.items(), key=lambda item: item[1].spans[0]):
        ((begin, length),) = stored.spans
        if begin != position:
            what = "overlaps the tensor before it" if begin < position else "leaves a gap before it"
            raise CorruptFile(f"'{name}' {what}")
        position = begin + length
    if position != size:
        raise CorruptFile(f"there are {size - position} bytes behind its last tensor")
    told = metadata.get("crc_num")
    if told is not None:
        _compare_checksum(file, found, told)
    elif crc_check:
        raise CorruptFile("crc_check=True asks for a checksum in its header, which it does not have")
    return found


def _read_header(file: BinaryIO, size: int) -> tuple[dict[str, Any], int]:
    """The header, and where the numbers begin."""
    file.seek(0)
    head = file.read(8)
    if len(head) < 8:
        raise CorruptFile("it is too short")
    length = int.from_bytes(head, "little")
    if length > size - 8:
        raise CorruptFile("its header is cut off")
    if length > MOST_HEADER:
        raise CorruptFile(f"its header has {length} bytes, more than {MOST_HEADER}")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise CorruptFile(f"its header names '{name}' twice")
            found[name] = value
        return found

    try:
        header = json.loads(file.read(length).decode(), object_pairs_hook=once)
    except CorruptFile:
        raise
    except (ValueError, RecursionError) as error:
        raise CorruptFile(f"its header is no JSON: {error}") from None
    if not isinstance(header, dict):
        raise CorruptFile(f"its header should be a JSON object, but is a {type(header).__name__}")
    return header, 8 + length


def _described(name: str, entry: Any, start: int, size: int) -> Stored:
    """An entry of a header, whose numbers are told from `start` on."""
    if not isinstance(entry, dict):
        raise CorruptFile(f"the header's entry of '{name}' should be a JSON object, but is {_shown(entry)}")
    kind = entry.get("dtype")
    known = _FROM_SAFETENSORS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise CorruptFile(f"'{name}' has the unknown dtype {_shown(kind)}")
    shape = _sizes(entry.get("shape"))
    if shape is None or len(shape) > MOST_DIMENSIONS:
        raise CorruptFile(f"the shape of '{name}' should be a list of sizes, but is {_shown(entry.get('shape'))}")
    offsets = _sizes(entry.get("data_offsets"))
    if offsets is None or len(offsets) != 2 or not offsets[0] <= offsets[1] <= size - start:
        raise CorruptFile(
            f"the data_offsets of '{name}' should be where its bytes begin and end among {size - start}, but are "
            f"{_shown(entry.get('data_offsets'))}"
        )
    begin, end = offsets
    return Stored(known, tuple(shape), [(start + begin, end - begin)])


def _sizes(value: Any) -> list[int] | None:
    """A list of ints that are not negative; None if it is something else."""
    if isinstance(value, list) and all(type(item) is int and item >= 0 for item in value):
        return value
    return None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _compare_checksum(file: BinaryIO, found: dict[str, Stored], told: Any) -> None:
    """CorruptFile unless the numbers have MindSpore's checksum."""
    checksum, scalars = 0, MOST_SCALARS
    for name, stored in sorted(found.items()):
        checksum = zlib.crc32(name.encode(), checksum)
        if not stored.shape and stored.kind in _DTYPES and "Int" in stored.kind:
            number = _array(name, stored, file)
            scalars -= _scalar_bytes(number) or 0
            if scalars < 0:
                raise CorruptFile("its checksum cannot be computed: the ints without dimensions are too large")
            checksum = _tensor_checksum(checksum, number)
            continue
        ((start, left),) = stored.spans
        file.seek(start)
        while left and (piece := file.read(min(CHUNK, left))):
            checksum, left = zlib.crc32(piece, checksum), left - len(piece)
    if str(checksum) != told:
        raise CorruptFile("its checksum differs: the file was damaged")


def file_size(file: BinaryIO) -> int:
    """How many bytes an open file has."""
    return file.seek(0, os.SEEK_END)

"""The wire format of protocol buffers, and files of records with checksums (TFRecord, CRC-32C) and damage."""

from __future__ import annotations

import csv
import gzip
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, BinaryIO

import numpy as np

from ...frontend.errors.classes import DamagedFileError
from ...runtime.shown import standard

CASTAGNOLI = 0x82F63B78
CHUNK = 1024
_AT_ONCE = 8  # chunks, whose indices stay in the cache


@cache
def _byte_table() -> np.ndarray:
    """The term of each value of one byte."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = table >> 1 ^ (table & 1) * np.uint32(CASTAGNOLI)
    return table


@cache
def _byte_list() -> list[int]:
    return _byte_table().tolist()


@cache
def _places() -> np.ndarray:
    return np.arange(0, CHUNK * 256, 256, dtype=np.intp)


@cache
def _tables() -> tuple[np.ndarray, tuple[list[int], ...]]:
    """The terms of each byte value at each place of a chunk, in one dimension; and lists for the first four places."""
    byte_table = _byte_table()
    table = np.empty((CHUNK, 256), np.uint32)
    table[-1] = byte_table
    for place in range(CHUNK - 1, 0, -1):
        after = table[place]
        table[place - 1] = byte_table[after & 0xFF] ^ after >> 8
    return table.ravel(), tuple(table[place].tolist() for place in range(4))


def crc32c(data: bytes | memoryview) -> int:
    """The CRC-32C of bytes."""
    message = np.frombuffer(data, np.uint8)
    if len(message) < 16:
        return _bytewise(message.tolist())
    table, (first, second, third, fourth) = _tables()
    places = _places()
    rest = len(message) % CHUNK or CHUNK
    # The first inversion is the same as that of the first four bytes.
    start = message[:rest].copy()
    head = min(rest, 4)
    start[:head] ^= 0xFF
    state = int(np.bitwise_xor.reduce(table[places[CHUNK - rest :] + start]))
    inverted = 4 - head  # bytes of the next chunk that are still to be inverted
    if inverted:
        state ^= int.from_bytes(b"\xff" * inverted + bytes(4 - inverted), "little")
    indices, given = np.empty((_AT_ONCE, CHUNK), np.intp), np.empty((_AT_ONCE, CHUNK), np.uint32)
    chunks = message[rest:].reshape(-1, CHUNK)
    for position in range(0, len(chunks), _AT_ONCE):
        part = chunks[position : position + _AT_ONCE]
        np.add(places, part, out=indices[: len(part)])
        np.take(table, indices[: len(part)], out=given[: len(part)], mode="clip")
        for own in np.bitwise_xor.reduce(given[: len(part)], axis=1).tolist():
            # The state goes into the first four bytes of the chunk.
            state = (
                own ^ first[state & 0xFF] ^ second[state >> 8 & 0xFF] ^ third[state >> 16 & 0xFF] ^ fourth[state >> 24]
            )
    return state ^ 0xFFFFFFFF


def _bytewise(message: list[int]) -> int:
    table, crc = _byte_list(), 0xFFFFFFFF
    for byte in message:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


MASK = 0xA282EAD8
MOST_UNPACKED = 1 << 28  # bytes of one record of a compressed file: a few of them may unpack to any number


@standard
class CorruptFile(ValueError):
    """A file is not in its format."""


# Messages


def varint(number: int) -> bytes:
    """An int: seven bits a byte; negative ones as 64 bits."""
    if number < 0:
        number += 1 << 64
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


def number_field(number: int, value: int) -> bytes:
    """A field that holds an int."""
    return varint(number << 3) + varint(value)


def bytes_field(number: int, content: bytes) -> bytes:
    """A field that holds bytes, a string or a message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def float_field(number: int, value: float) -> bytes:
    """A field that holds a float32."""
    return varint(number << 3 | 5) + struct.pack("<f", value)


def double_field(number: int, value: float) -> bytes:
    """A field that holds a float64."""
    return varint(number << 3 | 1) + struct.pack("<d", value)


def read_varint(data: memoryview, position: int) -> tuple[int, int]:
    """The number at a position, and the position after it."""
    number = shift = 0
    while True:
        if position >= len(data) or shift > 63:
            raise CorruptFile("a number is cut off")
        byte = data[position]
        position += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            if number >> 64:
                raise CorruptFile("a number has more than 64 bits")
            return number, position
        shift += 7


def fields(data: memoryview) -> Iterator[tuple[int, Any]]:
    """(field number, value) of a message: an int, or bytes, which hold a fixed number's, too."""
    position = 0
    while position < len(data):
        tag, position = read_varint(data, position)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, position = read_varint(data, position)
            yield number, value
            continue
        length, position = _length(data, position, wire)
        if position + length > len(data):
            raise CorruptFile("a record is cut off")
        yield number, data[position : position + length]
        position += length


def file_fields(file: BinaryIO, start: int, end: int) -> Iterator[tuple[int, int | tuple[int, int]]]:
    """(field number, value) of a message in a stretch of an open file: an int, or the position and length of bytes."""
    position = start
    while position < end:
        file.seek(position)
        head = memoryview(file.read(min(20, end - position)))
        tag, used = read_varint(head, 0)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, used = read_varint(head, used)
            yield number, value
            position += used
            continue
        length, used = _length(head, used, wire)
        position += used
        if position + length > end:
            raise CorruptFile("a record is cut off")
        yield number, (position, length)
        position += length


def _length(data: memoryview, position: int, wire: int) -> tuple[int, int]:
    """How many bytes a field of a kind holds, and where they begin."""
    if wire == 2:
        return read_varint(data, position)
    if wire in (1, 5):
        return 8 if wire == 1 else 4, position
    raise CorruptFile(f"there is a field of the unknown kind {wire}")


def signed(number: int) -> int:
    """The int64 of a varint."""
    return number - (1 << 64) if number >> 63 else number


# Records


def checksum(data: bytes | memoryview) -> int:
    """The masked CRC-32C that a record carries."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + MASK) & 0xFFFFFFFF


def record(content: bytes) -> bytes:
    """A record: its length and its bytes, each followed by a checksum."""
    length = struct.pack("<Q", len(content))
    return length + struct.pack("<I", checksum(length)) + content + struct.pack("<I", checksum(content))


def record_places(file: BinaryIO, size: int) -> Iterator[tuple[int, int]]:
    """(position, length) of the content of each record of an open file; the checksums of lengths are compared."""
    position = 0
    while position < size:
        file.seek(position)
        head = file.read(12)
        if len(head) < 12:
            raise CorruptFile("its last record is cut off")
        length, crc = struct.unpack("<QI", head)
        if checksum(head[:8]) != crc:
            raise CorruptFile("it has no record where one should start")
        if position + 16 + length > size:
            raise CorruptFile("its last record is cut off")
        yield position + 12, length
        position += 16 + length


def records(file: BinaryIO, size: int | None) -> Iterator[memoryview]:
    """The content of each record of a file, read from front to end; checksums are compared.

    Args:
        file: an open file, or a stream that unpacks one.
        size: how many bytes it has; None for a stream, of which no record may have more than MOST_UNPACKED bytes.
    """
    position = number = 0
    while head := file.read(12):
        length, crc = struct.unpack("<QI", head) if len(head) == 12 else (0, 0)
        if len(head) < 12:
            raise CorruptFile("its last record is cut off")
        if checksum(head[:8]) != crc:
            raise CorruptFile("it has no record where one should start")
        position += 16 + length
        if size is not None and position > size:
            raise CorruptFile("its last record is cut off")
        content = memoryview(file.read(length) if size is not None else _unpacked(file, length))
        tail = file.read(4)
        if len(content) < length or len(tail) < 4:
            raise CorruptFile("its last record is cut off")
        if tail != checksum(content).to_bytes(4, "little"):
            raise CorruptFile(f"the checksum of record {number} differs")
        yield content
        number += 1


def _unpacked(file: BinaryIO, length: int) -> bytes:
    """So many bytes of a stream, or all that are left; no more memory is taken than there are."""
    if length > MOST_UNPACKED:
        raise CorruptFile(f"a packed record has {length} bytes, more than {MOST_UNPACKED}")
    parts = []
    while length and (part := file.read(min(length, 1 << 20))):
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """A block that reads a file: errors of decoding it are raised as DamagedFileError.

    Errors of the system, such as a missing permission, are not changed.
    """
    try:
        yield
    except (DamagedFileError, PermissionError, FileNotFoundError):
        raise
    except IsADirectoryError:
        raise DamagedFileError(os.fspath(path), "it is a folder", "Name a file.") from None
    except UnicodeDecodeError as error:
        raise DamagedFileError(os.fspath(path), f"it is no UTF-8 text: {error.reason}") from None
    except (CorruptFile, csv.Error, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DamagedFileError(os.fspath(path), str(error)) from None

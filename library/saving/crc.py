"""CRC-32C (Castagnoli), which records of TFRecord files and summaries carry: many bytes at once.

A CRC without its first and last inversion is linear: that of a message is the exclusive or of one term for each byte,
which depends on its distance from the end. A table holds these terms for 1024 places; a gather and a reduction sum up a
whole chunk.
"""

from __future__ import annotations

from functools import cache

import numpy as np

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

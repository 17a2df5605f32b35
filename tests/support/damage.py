"""Damage to files: bytes flipped, cut out, repeated, put in, and numbers made large."""

from __future__ import annotations

import random

INSERTED = (
    b"[", b"{", b'"', b"null", b"-1", b"1e999", b"9" * 30, b"true", b"[]", b"\x00" * 8, b"\xff" * 8, b"\x80" * 12,
    b"\xff" * 9 + b"\x01", b"\xff\xff\xff\x7f", b"\x7f\xff\xff\xff", b"\n",
)  # fmt: skip


def damaged(raw: bytes, draw: random.Random) -> bytes:
    """The bytes with one to eight changes."""
    data = bytearray(raw)
    for _ in range(draw.choice((1, 1, 2, 8))):
        start = draw.randrange(len(data) + 1)
        if draw.random() < 0.3:  # where headers are
            start = min(start, draw.randrange(64))
        end = min(len(data), start + draw.choice((1, 1, 2, 4, 9, 200)))
        kind = draw.randrange(7)
        if kind == 0 and start < len(data):
            data[start] ^= 1 << draw.randrange(8)
        elif kind == 1:
            del data[start:end]
        elif kind == 2:
            data[start:start] = data[start:end]
        elif kind == 3:
            data[start:end] = draw.choice(INSERTED)
        elif kind == 4:
            inserted = draw.choice(INSERTED)
            data[start : start + len(inserted)] = inserted
        elif kind == 5:
            data[start:end] = draw.randbytes(end - start)
        elif draw.random() < 0.3:
            del data[start:]
    return bytes(data)

"""Rows as `tf.train.Example` messages, the content of TFRecord files."""

from __future__ import annotations

from typing import Any

import numpy as np

from mycel.library.saving import wire


def feature(value: list[Any]) -> bytes:
    if isinstance(value[0], bytes):
        return wire.bytes_field(1, b"".join(wire.bytes_field(1, item) for item in value))
    if isinstance(value[0], float):
        return wire.bytes_field(2, wire.bytes_field(1, np.float32(value).tobytes()))
    return wire.bytes_field(3, wire.bytes_field(1, b"".join(map(wire.varint, value))))


def example(row: dict[str, list[Any]]) -> bytes:
    entries = (wire.bytes_field(1, name.encode()) + wire.bytes_field(2, feature(value)) for name, value in row.items())
    return wire.bytes_field(1, b"".join(wire.bytes_field(1, entry) for entry in entries))

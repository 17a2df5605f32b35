"""Saves rows of named columns, as a dataset has them, as MindRecord files."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .writer import FileWriter

MOST_FILES = 1000
ROWS_AT_ONCE = 256
# What is saved of each NumPy type: the wider types that MindRecord has.
_SAVED = {
    "bool": "int32", "int8": "int32", "uint8": "int32", "int16": "int32", "uint16": "int32", "int32": "int32",
    "uint32": "int64", "int64": "int64", "uint64": "int64", "float16": "float32", "float32": "float32",
    "float64": "float64",
}  # fmt: skip


def save_rows(
    columns: Sequence[str], rows: Iterable[Sequence[np.ndarray]], file_name: str, num_files: int = 1,
    file_type: str = "mindrecord",
) -> None:  # fmt: skip
    """Write rows of named columns into MindRecord files; see `Dataset.save`."""
    if isinstance(num_files, bool) or not isinstance(num_files, int) or not 1 <= num_files <= MOST_FILES:
        raise ValueError(f"'num_files' should be from 1 to {MOST_FILES}, but got {num_files!r}")
    if file_type != "mindrecord":
        raise ValueError(f"a dataset is saved as 'mindrecord', but 'file_type' is {file_type!r}")
    writer = FileWriter(file_name, num_files)
    remaining = iter(rows)
    schema: dict[str, dict[str, Any]] | None = None
    while part := list(itertools.islice(remaining, ROWS_AT_ONCE)):
        if schema is None:
            schema = {name: _field(name, value) for name, value in zip(columns, part[0], strict=True)}
            writer.add_schema(schema)
        writer.write_raw_data(
            [{name: _saved(name, value, schema) for name, value in zip(columns, row, strict=True)} for row in part]
        )
    if schema is None:
        raise RuntimeError("a dataset without rows cannot be saved: what its columns hold is not known")
    writer.commit()


def _field(name: str, value: np.ndarray) -> dict[str, Any]:
    """The entry of a schema for a column like this."""
    if value.dtype.kind in "SU":
        if value.size != 1:
            raise RuntimeError(f"save: column '{name}' has {value.size} strings in a row; MindRecord files take one")
        return {"type": "bytes" if value.dtype.kind == "S" else "string"}
    kind = _SAVED.get(value.dtype.name)
    if kind is None:
        raise RuntimeError(f"save: column '{name}' has the dtype {value.dtype}, which MindRecord files do not have")
    return {"type": kind, "shape": [-1, *value.shape[1:]]} if value.ndim else {"type": kind}


def _saved(name: str, value: np.ndarray, schema: dict[str, dict[str, Any]]) -> Any:
    """A value as a FileWriter takes it."""
    entry = schema[name]
    if value.dtype.kind in "SU":
        return value.reshape(-1)[0].item()
    if "shape" in entry:
        return value.astype(entry["type"])
    return np.dtype(entry["type"]).type(value).item()

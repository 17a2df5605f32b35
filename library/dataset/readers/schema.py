"""`Schema`: the columns that are read from a file, with their dtypes and shapes."""

from __future__ import annotations

import json
import os
from typing import Any

from ....frontend.errors.classes import DamagedFileError
from ....frontend.values.arguments import need_type
from ....runtime import dtypes

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "string",
)  # fmt: skip


class Schema:
    """Columns, with dtypes and shapes.

    Args:
        schema_file: a JSON file with `columns`, `datasetType` and, perhaps, `numRows`; None to add columns oneself.

    Attributes:
        columns: a dict for each column: `name`, `type`, `rank` and, if it is known, `shape`.
        num_rows: how many rows are read at most; 0 for all.

    Raises:
        ValueError: if there is no such file. DamagedFileError: if the file is not of this form (a RuntimeError, too).

    Examples:
        >>> import mycel as ms
        >>> from mycel import dataset as ds
        >>> schema = ds.Schema()
        >>> schema.add_column("image", ms.uint8)
        >>> schema.add_column("label", ms.int32, [1])
        >>> [column["name"] for column in schema.columns]
        ['image', 'label']
    """

    def __init__(self, schema_file: str | None = None) -> None:
        self.schema_file = schema_file or ""
        self.columns: list[dict[str, Any]] = []
        self.num_rows = 0
        self.dataset_type = ""
        if schema_file is None:
            return
        need_type(schema_file, str | os.PathLike, "'schema_file' should be the name of a file", repr)
        if not os.path.isfile(schema_file):
            raise ValueError(f"the file {os.fspath(schema_file)} does not exist, or may not be read")
        try:
            with open(schema_file, encoding="utf-8") as file:
                content = json.load(file)
        except (ValueError, RecursionError) as error:
            raise DamagedFileError(schema_file, f"it is no JSON: {error}") from None
        try:
            self.from_json(content)
        except (RuntimeError, TypeError, ValueError) as error:
            raise DamagedFileError(schema_file, str(error), "Write columns, datasetType and numRows.") from None

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column.

        Args:
            name: its name.
            de_type: its dtype, or the dtype's name.
            shape: its shape, where one size may be -1; None for one dimension of any size.

        Raises:
            TypeError: for arguments of the wrong kind, and unknown dtypes.
        """
        need_type(name, str, "the name of a column should be a string", repr)
        if shape is not None:
            need_type(shape, list, "the shape of a column should be a list", repr)
            for size in shape:
                need_type(size, int, "the sizes in the shape of a column should be ints", repr)
        column: dict[str, Any] = {"name": name, "rank": 1 if shape is None else len(shape)}
        if shape is not None:
            column["shape"] = list(shape)
        column["type"] = _type_name(de_type)
        self.columns.append(column)

    def parse_columns(self, columns: Any) -> None:
        """Set the columns from a list of dicts with `name` and `type` (and `shape`), or a dict of such by name.

        Raises:
            RuntimeError: if a name or type is missing. TypeError: for what is no list or dict.
        """
        if isinstance(columns, dict):
            entries = [{**entry, "name": name} for name, entry in sorted(columns.items())]
        elif isinstance(columns, (list, tuple)):
            entries = [dict(entry) for entry in columns]
        else:
            raise TypeError(f"'columns' should be a list or a dict, but got {columns!r}")
        self.columns = []
        for entry in entries:
            for key in ("name", "type"):
                if key not in entry:
                    raise RuntimeError(f"the column {entry} of a schema has no '{key}'")
            self.add_column(entry["name"], entry["type"], entry.get("shape"))
            if "shape" not in entry and "rank" in entry:
                self.columns[-1]["rank"] = entry["rank"]

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Set everything from a dict of `columns`, `datasetType` and, perhaps, `numRows`.

        Raises:
            RuntimeError: if one is missing, or there is something else.
        """
        need_type(json_obj, dict, "a schema should be a dict", repr)
        for key in ("datasetType", "columns"):
            if key not in json_obj:
                raise RuntimeError(f"a schema should have '{key}', but has {sorted(json_obj)}")
        unknown = set(json_obj) - {"datasetType", "columns", "numRows"}
        if unknown:
            raise RuntimeError(f"a schema has 'columns', 'datasetType' and 'numRows', but got {sorted(unknown)}")
        rows = json_obj.get("numRows", 0)
        if isinstance(rows, bool) or not isinstance(rows, int) or rows < 0:
            raise RuntimeError(f"a schema's 'numRows' should be an int that is not negative, but got {rows!r}")
        self.dataset_type, self.num_rows = str(json_obj["datasetType"]), rows
        self.parse_columns(json_obj["columns"])

    def to_json(self) -> str:
        """The schema as JSON text."""
        content: dict[str, Any] = {"columns": self.columns}
        if self.dataset_type:
            content["datasetType"] = self.dataset_type
        if self.num_rows:
            content["numRows"] = self.num_rows
        return json.dumps(content, indent=2, sort_keys=True)

    __str__ = to_json


def _type_name(de_type: Any) -> str:
    """The name of a dtype, as schemas spell it."""
    if isinstance(de_type, str) and de_type in NAMES:
        return de_type
    found = getattr(de_type, "np", None)
    name = getattr(found, "name", None)
    if name in NAMES:
        return str(name)
    if str(de_type).lower() == "string":
        return "string"
    raise TypeError(f"the type of a column should be one of {', '.join(NAMES)}, but got {de_type!r}")


def column_dtype(name: str) -> Any:
    """The NumPy dtype of a type's name; None for strings."""
    return None if name == "string" else dtypes.as_dtype(name).np

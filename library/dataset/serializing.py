"""Pipelines as dicts and JSON files, and back."""

from __future__ import annotations

import importlib
import json
from enum import Enum
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...runtime import dtypes
from .description import arguments_of
from .pipeline import OPERATIONS, Dataset

__all__ = ["compare", "deserialize", "serialize", "show"]

_PACKAGE = __name__.rpartition(".")[0]


def serialize(dataset: Dataset, json_filepath: str = "") -> dict[str, Any]:
    """The pipeline as a dict that `deserialize` makes a pipeline of: of each operation `op_type`, its arguments and, as
    `children`, the datasets that it takes.

    Args:
        dataset: sources and operations of the library, with its transformations.
        json_filepath: a file that the dict is written to as JSON; empty for none.

    Raises:
        TypeError: for functions and objects of the user's, which no text stands for.

    Examples:
        >>> from mycel import dataset as ds
        >>> content = ds.serialize(ds.NumpySlicesDataset([5, 6, 7], shuffle=False).batch(2))
        >>> content["op_type"], content["batch_size"], content["children"][0]["op_type"]
        ('Batch', 2, 'NumpySlicesDataset')
    """
    need_type(dataset, Dataset, "serialize takes a dataset")
    made = getattr(dataset, "_made_by", None)
    if made is not None:
        parent, name, arguments = made
        content: dict[str, Any] = {"op_type": name.capitalize(), "children": [serialize(parent)]}
    else:
        kind = type(dataset)
        args, kwargs = getattr(dataset, "_arguments", ((), {}))
        if not kind.__module__.startswith(_PACKAGE):
            raise TypeError(f"a {kind.__name__} cannot be serialized: it is no dataset of the library")
        content = {"op_type": kind.__name__, "children": []}
        arguments = arguments_of(kind.__init__, (dataset, *args), kwargs)
    content.update({key: _told(value) for key, value in arguments.items()})
    if json_filepath:
        with open(json_filepath, "w", encoding="utf-8") as file:
            json.dump(content, file, indent=2)
    return content


def deserialize(input_dict: dict[str, Any] | None = None, json_filepath: str | None = None) -> Dataset | None:
    """The pipeline of a dict or JSON file that `serialize` made; None without either.

    Only datasets and transformations of the library are made, whatever the file says.

    Args:
        input_dict: the dict.
        json_filepath: the file.

    Raises:
        ValueError: if it is no such dict.

    Examples:
        >>> from mycel import dataset as ds
        >>> data = ds.NumpySlicesDataset([5, 6, 7], shuffle=False).skip(1)
        >>> [int(row[0]) for row in ds.deserialize(ds.serialize(data))]
        [6, 7]
    """
    if input_dict is None and json_filepath:
        with open(json_filepath, encoding="utf-8") as file:
            input_dict = json.load(file)
    return None if input_dict is None else _dataset(input_dict)


def show(dataset: Dataset, indentation: int = 2) -> None:
    """Print the pipeline as JSON. Errors as for `serialize`.

    Args:
        dataset: the pipeline.
        indentation: of the text.

    Examples:
        >>> from mycel import dataset as ds
        >>> ds.show(ds.NumpySlicesDataset([1, 2]).batch(2), indentation=None)  # doctest: +ELLIPSIS
        {"op_type": "Batch", ...
    """
    print(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Whether two pipelines have the same operations with the same arguments. Errors as for `serialize`.

    Examples:
        >>> from mycel import dataset as ds
        >>> numbers = ds.NumpySlicesDataset([1, 2])
        >>> ds.compare(numbers.batch(2), numbers.batch(2)), ds.compare(numbers.batch(2), numbers.batch(1))
        (True, False)
    """
    return serialize(pipeline1) == serialize(pipeline2)


def _told(value: Any) -> Any:
    """A value as JSON has it."""
    if value is None or (isinstance(value, (bool, int, float, str)) and not isinstance(value, Enum)):
        return value
    if isinstance(value, list):
        return [_told(item) for item in value]
    if isinstance(value, (tuple, dict)):
        items = map(list, value.items()) if isinstance(value, dict) else value
        return {"dict" if isinstance(value, dict) else "tuple": [_told(item) for item in items]}
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind == "O":
            raise TypeError("an array of objects cannot be serialized")
        return {"array": value.tolist(), "dtype": value.dtype.str}
    if isinstance(value, dtypes.DType):
        return {"dtype": value.np.str, "of": "tensors"}
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return {"dtype": np.dtype(value).str}
    if isinstance(value, Dataset):
        return {"dataset": serialize(value)}
    kind = type(value)
    if not kind.__module__.startswith(_PACKAGE) or (callable(value) and not hasattr(value, "__dict__")):
        raise TypeError(f"{value!r} cannot be serialized: only datasets and transformations of the library can be")
    place = f"{kind.__module__.removeprefix(_PACKAGE + '.')}:{kind.__qualname__}"
    if isinstance(value, Enum):
        return {"enum": place, "name": value.name}
    if kind.__name__ == "function":
        raise TypeError(f"{value!r} cannot be serialized: it is a function")
    return {"object": place, "state": {name: _told(item) for name, item in vars(value).items()}}


def _dataset(content: Any) -> Dataset:
    """The dataset that a dict stands for."""
    if not isinstance(content, dict) or not isinstance(content.get("children"), list):
        raise ValueError(f"no description of a dataset, which serialize makes: {str(content)[:80]}")
    name, children = str(content.get("op_type")), content["children"]
    arguments = {key: _value(item) for key, item in content.items() if key not in ("op_type", "children")}
    if name.lower() in OPERATIONS and len(children) == 1:
        return getattr(_dataset(children[0]), name.lower())(**arguments)
    kind = getattr(importlib.import_module(_PACKAGE), name, None)
    if not (isinstance(kind, type) and issubclass(kind, Dataset)) or children:
        raise ValueError(f"there is no dataset or operation {name!r}")
    return kind(**arguments)


def _value(content: Any) -> Any:
    """The value that JSON stands for."""
    if isinstance(content, list):
        return [_value(item) for item in content]
    if not isinstance(content, dict):
        return content
    if "tuple" in content:
        return tuple(_value(item) for item in content["tuple"])
    if "dict" in content:
        return {_value(key): _value(item) for key, item in content["dict"]}
    if "array" in content:
        return np.array(content["array"], np.dtype(content["dtype"]))
    if "dtype" in content:
        wanted = np.dtype(content["dtype"])
        return dtypes.of_numpy(wanted) if "of" in content else wanted.type
    if "dataset" in content:
        return _dataset(content["dataset"])
    kind = _class(str(content.get("enum") or content.get("object")))
    if issubclass(kind, Enum):
        return kind[content["name"]]
    made = object.__new__(kind)
    made.__dict__.update({name: _value(item) for name, item in content["state"].items()})
    return made


def _class(place: str) -> Any:
    """A class of this package."""
    module, _, name = place.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), name)):
        raise ValueError(f"there is no transformation {place!r}")
    try:
        kind = getattr(importlib.import_module(f"{_PACKAGE}.{module}"), name, None)
    except ImportError:
        kind = None
    if not isinstance(kind, type) or not kind.__module__.startswith(_PACKAGE) or issubclass(kind, Dataset):
        raise ValueError(f"there is no transformation {place!r}")
    return kind

"""The docstrings of layers, losses, metrics, optimizers, training and initializers: their parts, and their examples."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import mycel as ms
from mycel import amp, nn, train
from mycel.library import initializer

NO_ERRORS = {"Identity"}
"""What raises no error of its own."""

SECTIONS = ("Args", "Inputs", "Outputs", "Returns", "Attributes", "Raises", "Examples")
SHAPE = re.compile(r"\[[^\]]*\]|\bshape|0-d|scalar|number|bool")
DTYPE = re.compile(r"float|int\b|ints\b|bool|dtype|number|anything|loss|Float|Int|Bool")


def public() -> Iterator[tuple[str, Any]]:
    """The names and objects that `nn`, `train`, `amp` and `initializer` define."""
    found = set()
    for module in (nn, train, amp, initializer):
        for name in sorted(getattr(module, "__all__", dir(module))):
            value = getattr(module, name)
            home = getattr(value, "__module__", "") or ""
            packages = ("mycel.library.nn", "mycel.library.train", "mycel.library.initializer")
            ours = home.startswith(packages) or home == "mycel.library.containers"
            if name.startswith(("_", "check_")) or not ours or not callable(value) or id(value) in found:
                continue
            found.add(id(value))
            yield name, value


PUBLIC = dict(public())


def sections(text: str) -> dict[str, str]:
    """The parts of a docstring by their headings; the text before the first is the summary."""
    parts = re.split(rf"^({'|'.join(SECTIONS)}):\n", inspect.cleandoc(text), flags=re.M)
    return {"Summary": parts[0].strip(), **dict(zip(parts[1::2], parts[2::2], strict=True))}


def named(section: str) -> set[str]:
    """The names that a section of a docstring describes, which stand before the colons of its entries."""
    section = re.sub(r",\n {8,}", ", ", section)
    lines = re.findall(r"^    ((?:\*{0,2}\w+)(?:, \*{0,2}\w+)*):", section, flags=re.M)
    return {name.lstrip("*") for line in lines for name in line.split(", ")}


def parameters(function: Callable[..., Any]) -> list[str]:
    """The names of a function's parameters but `self`."""
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


def missing(name: str, value: Any) -> list[str]:
    """The missing parts of a docstring."""
    text = value.__dict__.get("__doc__") if isinstance(value, type) else value.__doc__
    if not text:
        return ["a docstring"]
    parts = sections(text)
    lacks = [] if parts["Summary"].split("\n\n")[0].endswith((".", ":")) else ["a summary that ends with a period"]
    is_class = isinstance(value, type)
    given = parameters(value.__init__ if is_class else value)
    if is_class and value.__init__ in (object.__init__, ms.nn.Cell.__init__):
        given = []
    lacks += [f"argument '{one}'" for one in given if one not in named(parts.get("Args", ""))]
    is_layer = is_class and issubclass(value, ms.nn.Cell)
    is_metric = is_class and issubclass(value, train.Metric)
    if is_layer or is_metric:
        inputs = parts.get("Inputs", "")
        taken = (
            parameters(value.construct) if is_layer else [one for one in parameters(value.update) if one != "inputs"]
        )
        if taken and taken not in (["args", "kwargs"], ["inputs"]):
            lacks += [f"input '{one}'" for one in taken if one not in named(inputs)]
        for heading in ("Inputs", "Outputs"):
            said = parts.get(heading, "")
            if heading == "Inputs" and is_layer and not taken:
                continue
            lacks += [f"{heading}"] if not said else []
            lacks += [f"a shape in {heading}"] if said and not SHAPE.search(said) else []
            lacks += [f"a dtype in {heading}"] if said and not DTYPE.search(said) else []
    if not is_class and "Returns" not in parts:
        lacks.append("Returns")
    if "Raises" not in parts and name not in NO_ERRORS:
        lacks.append("Raises")
    if ">>>" not in parts.get("Examples", ""):
        lacks.append("Examples")
    return lacks


def test_docstrings_have_all_parts() -> None:
    lacks = {name: missing(name, value) for name, value in PUBLIC.items()}
    assert {name: parts for name, parts in lacks.items() if parts} == {}


def test_enough_names_are_looked_at() -> None:
    assert len(PUBLIC) > 280

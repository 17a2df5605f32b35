"""The target of a command: the function or Cell that `FILE.py:NAME` names, and its inputs."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..frontend.errors.spelling import did_you_mean
from ..frontend.values.cell import Cell
from ..frontend.values.tensor import Tensor
from ..runtime.dtypes import ALL, by_short
from .mindspore.modules import install_as_mindspore


class CommandError(Exception):
    """The command's arguments do not fit."""


def load_target(text: str, inputs: Sequence[str]) -> tuple[Any, list[Any]]:
    """The function or Cell that `FILE.py:NAME` names, and its inputs: as given, or as the file lists them."""
    path, separator, name = text.rpartition(":")
    if not separator or not path:
        raise CommandError(f"'{text}' should be FILE.py:NAME")
    if not Path(path).is_file():
        raise CommandError(f"there is no file {path}")
    read = [read_input(each) for each in inputs]
    install_as_mindspore()
    sys.path.insert(0, str(Path(path).resolve().parent))
    module = _load(Path(path))
    target: Any = module
    for part in name.split("."):
        if not hasattr(target, part):
            known = [each for each in vars(target) if not each.startswith("_")] if hasattr(target, "__dict__") else []
            raise CommandError(f"{path} has no '{name}'{did_you_mean(part, known)}")
        target = getattr(target, part)
    if isinstance(target, type):
        target = _made(target, name)
    if not callable(target):
        raise CommandError(f"'{name}' is {type(target).__name__}, not a function or Cell")
    return target, read or _listed_inputs(module, name)


def _made(kind: type, name: str) -> Any:
    """A Cell of a class."""
    if not issubclass(kind, Cell):
        raise CommandError(f"'{name}' is a class, but no Cell")
    required = [
        parameter.name
        for parameter in list(inspect.signature(kind.__init__).parameters.values())[1:]
        if parameter.default is parameter.empty and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD,)
    ]
    if required:
        raise CommandError(f"'{name}' needs {', '.join(required)}: make one in the file and name that")
    return kind()


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise CommandError(f"{path} should be a Python file, whose name ends with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def read_input(text: str) -> Any:
    """A tensor of ones of a type such as f32[8, 4], or a Python literal.

    Raises:
        CommandError: for any other text; it says what is wrong with it.
    """
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    start = f"cannot read the input '{text}': "
    match = re.fullmatch(r"\s*(\w+)\s*\[(.*)\]\s*", text)
    if match is None:
        raise CommandError(f"{start}give a type such as f32[8, 4] or a Python literal")
    short, inside = match[1], match[2].strip()
    try:
        dtype = by_short(short)
    except KeyError:
        known = [each.short for each in ALL]
        near, told = did_you_mean(short, known), f"; there are {', '.join(known)}"
        raise CommandError(f"{start}there is no dtype '{short}'{near or told}") from None
    sizes = [size.strip() for size in inside.removesuffix(",").split(",")] if inside else []
    for size in sizes:
        if re.fullmatch(r"\d+(\s+\d+)+", size):
            wanted = ", ".join(" ".join(sizes).split())
            raise CommandError(f"{start}sizes are separated by commas: {short}[{wanted}]")
        if not size.isascii() or not size.isdigit():
            told = f"a size should be a whole number from 0, but is '{size}'" if size else "a size is missing"
            raise CommandError(f"{start}{told}")
    try:
        return Tensor(np.ones(tuple(map(int, sizes)), dtype.np))
    except (ValueError, MemoryError) as error:
        raise CommandError(f"{start}{error}") from None


def close_sizes(text: str) -> tuple[str, dict[int, str]]:
    """An input's text such as `f32[batch, ?]` with numbers for open sizes; the axes of these, and their names."""
    match = re.fullmatch(r"(\s*\w+\s*\[)(.*)(\]\s*)", text)
    if match is None:
        return text, {}
    sizes = [size.strip() for size in match[2].split(",")]
    names = {axis: size for axis, size in enumerate(sizes) if size == "?" or size.isidentifier()}
    known = ", ".join("2" if axis in names else size for axis, size in enumerate(sizes))
    return f"{match[1]}{known}{match[3]}", names


def _listed_inputs(module: Any, name: str) -> list[Any]:
    for candidate in (f"{name.replace('.', '_')}_inputs", "inputs"):
        if hasattr(module, candidate):
            return list(getattr(module, candidate))
    return []

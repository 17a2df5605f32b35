"""The structural hash: equal for graphs that compile to the same program, in every process."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...runtime.dtypes import DType
from ...runtime.processors import cache_bytes, thread_count
from ...runtime.threads import sharing
from ..ir.graph import Graph
from ..ir.types import TensorType
from ..ir.values import Literal, Location, Operand, Value
from ..ops import OPS


class NotCacheable(Exception):
    """A graph holds something that another process cannot read."""


def structural_hash(graph: Graph, *settings: Any) -> str:
    """A hash of a graph, of plain settings, and of everything else that its program depends on.

    Source lines are numbered in the order of the nodes, so the hash stays the same if lines move. Names of values
    count, because programs and debuggers show them: functions that differ in the name of a variable have different
    programs.

    Raises:
        NotCacheable: if the graph holds what has no text, or ops of no one but this process.
    """
    writer = _Writer()
    writer.graph(graph)
    text = "\n".join([*writer.parts, repr(settings), environment()])
    return digest(text.encode())


def digest(content: bytes, size: int = 20) -> str:
    """The BLAKE2 hash of bytes, `size` bytes long, as hexadecimal digits."""
    from hashlib import blake2b  # which takes milliseconds to load; small programs are not stored

    return blake2b(content, digest_size=size).hexdigest()


@cache
def _package() -> str:
    """Size and time of every source file of compiler and runtime, so that a changed mycel finds no old programs."""
    root = Path(__file__).resolve().parents[2]
    found: list[str] = []
    folders = [str(root / layer) for layer in ("compiler", "runtime")]
    for folder in folders:  # which grows; `os.walk` and `os.stat` take three times as long
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append(f"{entry.path}:{status.st_size}:{status.st_mtime_ns}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return digest("\n".join(sorted(found)).encode())


def environment() -> str:
    """Everything but the graph that a program depends on: versions and the machine."""
    threads = thread_count(), sharing.threads()
    return repr((_package(), sys.version, np.__version__, platform.machine(), cache_bytes(), *threads))


class _Texts(dict[Operand, str]):
    """The texts of operands: the number of a value, and a literal with its type."""

    def __missing__(self, operand: Operand) -> str:
        if not isinstance(operand, Literal):
            raise KeyError(operand)
        text = self[operand] = f"{operand.value!r}:{operand.type}"
        return text


class _Writer:
    """Writes a graph as text, fast: values are numbered in their order, types are spelled once."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.texts = _Texts()
        self.values = 0
        self.places: dict[Location | None, int] = {None: 0}
        self.place: Location | None = None
        self.types: dict[TensorType, str] = {}

    def graph(self, graph: Graph) -> None:
        """Write a graph and its sub-graphs."""
        add, texts = self.parts.append, self.texts
        add(f"graph {graph.name!r}")
        for value in graph.parameters:
            self.define(value)
        for node in graph.nodes:
            op = node.op
            if node.location is not self.place:
                self.place = node.location
                add(f"@{self.places.setdefault(node.location, len(self.places))}")
            if OPS.get(op.name) is not op:
                raise NotCacheable(f"the op '{op.name}' is not one of mycel's own")
            inputs = ",".join([texts[operand] for operand in node.inputs])
            add(f"{op.name} {inputs}" if not node.attrs else self.with_attrs(op.name, inputs, node.attrs))
            for value in node.outputs:
                self.define(value)
        add(f"return {','.join([texts[operand] for operand in graph.outputs])}")
        if graph.donated:
            add(f"donated {sorted(graph.donated.items())}")

    def define(self, value: Value) -> None:
        """Number a value, and write its name and type."""
        self.values = number = self.values + 1
        self.texts[value] = str(number)
        type = value.type
        text = self.types.get(type)
        if text is None:
            text = self.types[type] = str(type)
        self.parts.append(f"{value.name!r} {text}")

    def with_attrs(self, name: str, inputs: str, attrs: Mapping[str, Any]) -> str:
        """Write a node with attributes. Its sub-graphs become separate parts."""
        shown = []
        for key, value in attrs.items():
            if isinstance(value, Graph):
                self.graph(value)
                shown.append(f"{key}=graph")
            else:
                shown.append(f"{key}={self.attr(value)}")
        return f"{name} {inputs} {' '.join(shown)}"

    def attr(self, value: Any) -> str:
        """The text of an attribute."""
        if value is None or type(value) in (bool, int, float, complex, str):
            return repr(value)
        if type(value) is tuple:
            return f"({','.join([self.attr(item) for item in value])})"
        if isinstance(value, DType):
            return value.short
        if isinstance(value, np.ndarray) and value.dtype != object:
            hashed = digest(np.ascontiguousarray(value).tobytes())
            order = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else repr(value.strides)
            return f"array {value.dtype} {value.shape} {order} {hashed}"
        raise NotCacheable(f"an attribute is of type {type(value).__name__}")

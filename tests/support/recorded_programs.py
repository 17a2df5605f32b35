"""What the recorded programs share: how they are read, which names they have, and how their results are written down.

The module imports neither mycel nor MindSpore, so that both run the same programs:
`tests/system/test_recorded_programs.py` compares, and `tools/record_programs.py` records.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

RECORDED = Path(__file__).resolve().parent.parent / "recorded"
PROGRAM = re.compile(
    r"^### (?P<name>\w+)(?P<mode> \(graph\)| \(eager\))?\n(?P<code>.*?)(?:^#= (?P<expected>.*?)\n|(?=^### )|\Z)",
    re.M | re.S,
)


class Program(NamedTuple):
    """A program, the mode that it is about ("" for both), and what it gave under MindSpore."""

    name: str
    mode: str
    code: str
    expected: Any


def programs(text: str) -> Iterator[Program]:
    """The programs of a file."""
    for match in PROGRAM.finditer(text):
        expected = json.loads(match["expected"]) if match["expected"] else None
        yield Program(match["name"], (match["mode"] or "").strip(" ()"), match["code"], expected)


def told(value: Any) -> Any:
    """A value as the file writes it down: with the kinds of containers, dtypes and shapes."""
    if hasattr(value, "asnumpy") and hasattr(value, "dtype"):
        array = value.asnumpy()
        kind = str(value.dtype)
        numbers = array.astype(np.float32) if kind == "BFloat16" else array
        return {"tensor": [kind, list(array.shape), told(numbers.tolist())]}
    if isinstance(value, np.ndarray):
        return {"array": [str(value.dtype), told(value.tolist())]}
    if isinstance(value, tuple):
        return {"tuple": [told(item) for item in value]}
    if isinstance(value, list):
        return [told(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[told(key), told(item)] for key, item in value.items()]}
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if isinstance(value, complex):
        return {"complex": [told(value.real), told(value.imag)]}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return type(value).__name__


def printed(function: Callable[..., Any], *arguments: Any) -> str:
    """What a call prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function(*arguments)
    return text.getvalue()


UNSUPPORTED = re.compile(r"Kernel select failed|Unsupported op|kernel \w+ unregistered|bprop not defined")


def raised(error: Exception) -> dict[str, Any]:
    """An error: the classes by which it can be caught. Where MindSpore has no kernel on a CPU, none is expected."""
    if UNSUPPORTED.search(str(error)) and "mindspore" in sys.modules:
        return {"unsupported": True}
    return {"raises": [kind.__name__ for kind in type(error).__mro__ if kind not in (BaseException, object)]}


def names(ms: Any, graph: bool) -> dict[str, Any]:
    """The names that programs have; in graphs `run`, `tried` and `slopes` compile what they are given."""

    def module(path: str) -> Any:
        """A module below mindspore or mycel."""
        return importlib.import_module(f"{ms.__name__}.{path}")

    def tensor(values: Any, dtype: Any = None) -> Any:
        """A tensor, Float32 unless a dtype is given."""
        return ms.Tensor(np.array(values), dtype or ms.float32)

    def run(function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function or a Cell gives, compiled in graphs."""
        return (ms.jit(function) if graph else function)(*arguments)

    def tried(function: Callable[..., Any], *arguments: Any) -> Any:
        """As `run`, told; or the error."""
        try:
            return told(run(function, *arguments))
        except Exception as error:
            return raised(error)

    def slopes(function: Callable[..., Any], *arguments: Any) -> Any:
        """The gradients by all tensors of floats or complex numbers, told; or the error."""
        positions = tuple(
            position
            for position, value in enumerate(arguments)
            if isinstance(value, ms.Tensor) and ("Float" in str(value.dtype) or "Complex" in str(value.dtype))
        )

        def gradient(*inputs: Any) -> Any:
            return ms.grad(function, positions)(*inputs)

        if not positions:
            return None
        return tried(gradient, *arguments)

    nn, ops = ms.nn, ms.ops
    return {
        **{"ms": ms, "nn": nn, "ops": ops, "np": np, "mint": ms.mint, "mnp": module("numpy")},
        **{"Tensor": ms.Tensor, "Parameter": ms.Parameter, "ParameterTuple": ms.ParameterTuple, "tensor": tensor},
        **{"C": module("ops.composite"), "F": module("ops.functional"), "P": module("ops.operations")},
        **{"context": module("context"), "jit": ms.jit, "mutable": ms.mutable, "GRAPH": graph},
        **{"told": told, "printed": printed, "run": run, "tried": tried, "slopes": slopes},
    }

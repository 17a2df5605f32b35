"""Exported networks: the graph as text, the weights as numbers, and descriptions of inputs and results.

A file is a zip archive of `graph.ir` (the text of the graph, which `compiler/ir/parser.py` reads back), `weights.ckpt`
(a checkpoint) and `model.json`. There is nothing in it that is executed.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

import numpy as np

from ...compiler.ir.graph import Graph
from ...compiler.ir.parser import parse
from ...compiler.ir.types import TensorType, show_shape
from ...compiler.ir.values import IRError
from ...compiler.ir.verifier import verify
from ...compiler.ops import OPS
from ...frontend.compilation.compile_entry import changes
from ...frontend.compilation.compiled import CompiledFunction
from ...frontend.compilation.entries import key_of
from ...frontend.compilation.entry import Entry, Results
from ...frontend.compilation.make_entry import EntryMaker, TracedCall
from ...frontend.compilation.target import Target
from ...frontend.errors.classes import DamagedFileError, GraphError
from ...frontend.tracing.trace import Trace
from ...frontend.values import tree
from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...frontend.values.mutable import NUMBERS
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import TracedTensor
from ...runtime.collector import resting_collector
from ...runtime.records import dataclass
from .exported_checks import (
    GRAPH,
    LONGEST_NAME,
    MODEL,
    MOST_BYTES,
    WEIGHTS,
    argument_names,
    check_model,
    commits_of,
    is_title,
    read_members,
    read_model,
    weights_of,
)
from .mindir import read_mindir
from .onnx.model import input_names, onnx_bytes
from .serialization import checkpoint_bytes, parse_checkpoint
from .whole_files import replacing
from .wire import CorruptFile

__all__ = ["export", "load"]

SUFFIXES = {"MYCEL": ".mycel", "ONNX": ".onnx"}
VERSION = 1
ELSEWHERE = ("MINDIR", "AIR")
EXPORT_AGAIN = "Export the network again, or take another copy of the file."
PLAIN = (bool, int, str)
CONTAINERS: dict[str, Any] = {"tuple": tuple, "list": list}


@dataclass(frozen=True)
class ExportedGraph:
    """A network as `export` writes it and `load` reads it; `nn.GraphCell` runs it.

    Attributes:
        name: the network's.
        graph: its graph; the parameters are the tensors among the inputs, then the weights.
        inputs: what the inputs have to be like.
        output: how the result is built from the graph's outputs.
        weights: the tensors that the graph reads: Parameters, and constants.
        commits: graph outputs that are written into a weight after each run, to the weight's position.
    """

    name: str
    graph: Graph
    inputs: list[Any]
    output: Any
    weights: list[Tensor]
    commits: dict[int, int]

    def __str__(self) -> str:
        return str(self.graph)

    def save(self, file: str | BinaryIO) -> None:
        """Write the file, given its name or open."""
        names = _unique([weight.name if isinstance(weight, Parameter) else "constant" for weight in self.weights])
        described = []
        for name, weight in zip(names, self.weights, strict=True):
            trained = isinstance(weight, Parameter) and weight.requires_grad
            described.append({"name": name, "parameter": isinstance(weight, Parameter), "requires_grad": trained})
        model = {
            "format": "mycel", "version": VERSION, "name": self.name, "inputs": self.inputs, "output": self.output,
            "weights": described, "commits": sorted(self.commits.items()),
        }  # fmt: skip
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, text in ((MODEL, json.dumps(model, indent=1)), (GRAPH, str(self.graph))):
                content = text.encode()
                if len(content) > MOST_BYTES[member]:
                    raise GraphError(
                        f"export: {member} of '{self.name}' would have {len(content)} bytes, more than "
                        f"{MOST_BYTES[member]}: make large constants Parameters, and unrolled loops loops over tensors"
                    )
                archive.writestr(member, content)
            arrays = [(weight.asnumpy(), weight.dtype.name) for weight in self.weights]
            weights = dict(zip(names, arrays, strict=True))
            archive.writestr(zipfile.ZipInfo(WEIGHTS), checkpoint_bytes(weights))

    @classmethod
    def read(cls, path: str) -> ExportedGraph:
        """Read a file.

        Raises:
            DamagedFileError: if it is not such a file, or damaged.
        """
        try:
            members = read_members(path)
            model = read_model(members[MODEL])
            if model["version"] > VERSION:
                raise DamagedFileError(path, "a later version of this library has written it", "Read it with that one.")
            graph = parse(members[GRAPH].decode(), OPS)
            weights = weights_of(model["weights"], parse_checkpoint(members[WEIGHTS]))
            commits = commits_of(model["commits"])
            check_model(graph, model["inputs"], model["output"], weights, commits)
        except (IRError, UnicodeDecodeError, CorruptFile) as error:
            raise DamagedFileError(path, f"it is no exported network: {error}", EXPORT_AGAIN) from None
        return cls(model["name"], graph, model["inputs"], model["output"], weights, commits)


def _unique(names: Sequence[str]) -> list[str]:
    """The names; repeated ones get a number."""
    found: list[str] = []
    for name in names:
        candidate, number = name, 0
        while candidate in found:
            number += 1
            candidate = f"{name}.{number}"
        found.append(candidate)
    return found


# Inputs


def describe_input(value: Any) -> Any:
    """The description of an input as JSON.

    Raises:
        TypeError: for what can be neither described nor written down.
    """
    if isinstance(value, Tensor):
        return {"tensor": [value.dtype.name, list(value._type.shape)]}
    if type(value) in NUMBERS:
        return {"number": NUMBERS[type(value)].__name__}
    if value is None or type(value) in PLAIN:
        return {"value": value}
    if type(value) is float:
        return {"float": value.hex()}
    if type(value) is dict and all(type(key) is str for key in value):
        return {"dict": [[key, describe_input(item)] for key, item in value.items()]}
    for name, kind in CONTAINERS.items():
        if isinstance(value, kind) and not tree.is_namedtuple(value):
            return {name: [describe_input(item) for item in value]}
    raise TypeError(f"export cannot write down an input of type {type(value).__name__}: give tensors or numbers")


def gather(expected: Any, value: Any, place: str, leaves: list[Any]) -> None:
    """Collect the run-time inputs in a value, which must have the structure of the exported one.

    Raises:
        TypeError, ValueError: if it is not.
    """
    ((kind, wanted),) = expected.items()
    if kind == "tensor":
        if not isinstance(value, Tensor):
            raise TypeError(f"{place} should be a tensor, as when the network was exported, but is {value!r}")
        name, shape = wanted
        if value.dtype.name != name:
            raise TypeError(f"{place} should be of {name}, as when the network was exported, but is of {value.dtype}")
        if len(shape) != value.ndim or any(
            size not in (None, here) for size, here in zip(shape, value.shape, strict=True)
        ):
            raise ValueError(
                f"{place} should have the shape {show_shape(tuple(shape))}, as when the network was exported, but has "
                f"{tuple(value.shape)}"
            )
        leaves.append(value)
    elif kind == "number":
        if type(value).__name__ != wanted and type(value) not in NUMBERS:
            raise TypeError(f"{place} should be a {wanted}, as when the network was exported, but is {value!r}")
        leaves.append(Tensor(np.asarray(value, np.float32 if wanted == "float" else None)))
    elif kind in ("tuple", "list", "dict"):
        items = list(value.items()) if isinstance(value, dict) else value
        if not isinstance(items, (tuple, list)) or len(items) != len(wanted):
            raise TypeError(f"{place} should be a {kind} of {len(wanted)}, as when the network was exported")
        for position, (part, item) in enumerate(zip(wanted, items, strict=True)):
            inner = f"{place}[{part[0] if kind == 'dict' else position!r}]"
            if kind == "dict" and part[0] != item[0]:
                raise TypeError(f"{inner} should be there, as when the network was exported, but there is {item[0]!r}")
            gather(part[1] if kind == "dict" else part, item[1] if kind == "dict" else item, inner, leaves)
    elif describe_input(value) != expected:
        was = float.fromhex(wanted) if kind == "float" else wanted
        raise ValueError(f"{place} is part of what was exported: it should be {was!r}, but is {value!r}")


# Results


def describe_output(value: Any, results: Results, trace: Trace) -> Any:
    """How a result is built from the graph's outputs, as JSON holds it."""
    if isinstance(value, TracedTensor) and value._present is not None:
        raise GraphError("export cannot write down a result that is None or a tensor, depending on a condition")
    if isinstance(value, Tensor):
        number = getattr(value, "_number", None)
        position = results.add(trace.read(value))
        return {"tensor": position} if number is None else {"number": position}
    if value is None or type(value) in PLAIN:
        return {"value": value}
    if type(value) is float:
        return {"float": value.hex()}
    if type(value) is dict and all(type(key) is str for key in value):
        return {"dict": [[key, describe_output(item, results, trace)] for key, item in value.items()]}
    for name, kind in CONTAINERS.items():
        if type(value) is kind:
            return {name: [describe_output(item, results, trace) for item in value]}
    raise GraphError(f"export cannot write down a result that holds a {type(value).__name__}")


def build_output(described: Any, outputs: Sequence[Any]) -> Any:
    """The result, of the graph's outputs."""
    ((kind, content),) = described.items()
    if kind == "tensor":
        return outputs[content]
    if kind == "number":
        return outputs[content].item()
    if kind == "float":
        return float.fromhex(content)
    if kind == "dict":
        return {key: build_output(item, outputs) for key, item in content}
    if kind in CONTAINERS:
        return CONTAINERS[kind](build_output(item, outputs) for item in content)
    return content


class _Recording:
    """Records the graph of a function to be exported, where a compiled function would compile it."""

    record: ExportedGraph

    def __init__(self, target: Target, args: tuple[Any, ...]) -> None:
        self.target = target
        self.args = args

    def run(self) -> ExportedGraph:
        """Trace the function for these arguments."""
        key = key_of(self.args, {}, [])
        EntryMaker(self.target, self._finish).make(key, self.args, {})
        return self.record

    def _finish(self, target: Target, call: TracedCall) -> Entry:
        trace = call.trace
        results = Results(trace, held=False)
        output = describe_output(call.result, results, trace)
        updates, donated = changes(call, results)
        if updates:
            raise GraphError(f"export: '{target.name}' changes a tensor in place that is no Parameter")
        for owner, name, _ in trace.attribute_writes():
            raise GraphError(f"export: '{target.name}' sets the attribute '{name}' of a {type(owner).__name__}")
        graph = trace.root.finish(results.symbols)
        inputs = [describe_input(value) for value in self.args]
        places = {out: position - len(call.values) for out, position in donated.items()}
        self.record = ExportedGraph(target.name, graph, inputs, output, list(trace.captured), places)
        return Entry(call.key, trace.guards, trace.captured)


Axes = Mapping[str, Mapping[int, str] | Sequence[int]]
"""Names of inputs to the axes whose sizes may vary, and how these sizes are called."""


class _OpenInput(Tensor):
    """An input with some open sizes."""

    open_type: TensorType

    @property
    def _type(self) -> TensorType:
        return self.open_type


def _opened(value: Any, axes: Sequence[int], place: str) -> Any:
    """An input with open sizes at these axes, and at those that it leaves open itself."""
    if axes and not isinstance(value, Tensor):
        raise TypeError(f"export's 'dynamic_axes' names {place}, which is no tensor but {type(value).__name__}")
    if not isinstance(value, Tensor):
        return value
    for axis in axes:
        if type(axis) is not int or not 0 <= axis < value.ndim:
            raise ValueError(f"export's 'dynamic_axes' names axis {axis!r} of {place}, of shape {tuple(value.shape)}")
    every = {*axes, *value._open_axes}
    if not every:
        return value
    opened = _OpenInput.__new__(_OpenInput)
    opened._data = value._data
    shape = tuple(None if axis in every else size for axis, size in enumerate(value.shape))
    opened.open_type = TensorType(value.dtype, shape)
    return opened


def _path(file_name: Any, file_format: str) -> str:
    """The file to write, for a format that is written."""
    if file_format in ELSEWHERE:
        raise NotImplementedError(
            f"export does not write {file_format}, which other runtimes read. Use file_format='ONNX' for these, "
            "'MYCEL', which ms.load and nn.GraphCell run, or save_checkpoint, from which MindSpore exports the same "
            "network"
        )
    if file_format not in SUFFIXES:
        raise ValueError(f"export's 'file_format' should be 'MYCEL' or 'ONNX', but got {file_format!r}")
    need_type(file_name, str | os.PathLike, "export's 'file_name' should be a string", repr)
    path, suffix = os.fspath(file_name), SUFFIXES[file_format]
    return path if path.endswith(suffix) else path + suffix


def export(
    net: Any, *inputs: Any, file_name: Any, file_format: str, dynamic_axes: Axes | None = None, **kwargs: Any
) -> None:
    """Write a network with its weights into a file that runs without its source.

    What is written is the graph for inputs of these dtypes and shapes; Python numbers and strings among the inputs, and
    what the network reads besides, are as they are now. Call `net.set_train(False)` first for a network that is to
    predict.

    Args:
        net: a Cell or function; one that trains, such as `nn.TrainOneStepCell`, is written with its backward pass and
            update.
        inputs: what it takes; the numbers in the tensors do not matter. `Tensor(shape=[None, 3], dtype=ms.float32)`
            leaves a size open.
        file_name: the file; `.mycel` or `.onnx` is added if it is not its end.
        file_format: 'MYCEL': a zip archive of the graph's text, the weights and a description, which `load` and
            `nn.GraphCell` run. 'ONNX': a model of opset 18, which other runtimes and viewers read; this needs the
            package `onnx`. Parameters that the network changes are inputs and outputs of the model; the name of
            the output ends with `.new`. 'MINDIR' and 'AIR' are not written.
        dynamic_axes: names of inputs to the axes whose sizes may vary: a list of axes, or a dict of axes to names of
            the sizes. Default: None.
        kwargs: MindSpore's options for other formats (`enc_key`, `dataset`, ...) are not supported.

    Raises:
        NotImplementedError: for a format that is not written, and its options. ValueError: for an unknown format, and
            axes that no input has. ImportError: for ONNX without the package `onnx`. GraphError: if the network cannot
            be a graph, or does what cannot be written down. TypeError: for inputs that cannot be.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(2, 1, "ones", "zeros")
        >>> x = ms.Tensor([[1.0, 2.0]])
        >>> ms.export(net, x, file_name="dense", file_format="MYCEL", dynamic_axes={"x": [0]})
        >>> ms.nn.GraphCell(ms.load("dense.mycel"))(x)
        Tensor(shape=[1, 1], dtype=Float32, value=
        [[ 3.00000000e+00]])
    """
    if kwargs:
        raise NotImplementedError(f"export does not take {', '.join(map(repr, kwargs))}")
    path = _path(file_name, file_format)
    names, axes = argument_names(net, len(inputs)), dynamic_axes or {}
    unknown = [name for name in axes if name not in names]
    if unknown:
        raise ValueError(f"export's 'dynamic_axes' names {unknown[0]!r}, but the inputs are {', '.join(names)}")
    opened = tuple(
        _opened(value, tuple(axes.get(name, ())), f"the input {name!r}")
        for name, value in zip(names, inputs, strict=True)
    )
    target = _target(net)
    with resting_collector():
        record = _Recording(target, opened).run()
    content = None
    if file_format == "ONNX":
        content = _onnx(record, names, axes)
    else:
        _check_text(record)
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with replacing(path) as file:
        record.save(file) if content is None else file.write(content)


def _check_text(record: ExportedGraph) -> None:
    """Raise GraphError for a graph whose text is not read back, and for names that no file may hold."""
    for name in (record.name, *(weight.name for weight in record.weights if isinstance(weight, Parameter))):
        if len(name) > LONGEST_NAME:
            raise GraphError(f"export: the name {name[:80]!r}... has {len(name)} characters, more than {LONGEST_NAME}")
    if not is_title(record.name):
        raise GraphError(f"export: the name {record.name!r} should hold printable characters only")
    try:
        parse(str(record.graph), OPS)
    except IRError as error:
        raise GraphError(f"export: '{record.name}' holds what cannot be written down: {error}") from None


def _onnx(record: ExportedGraph, names: Sequence[str], axes: Axes) -> bytes:
    """The network as an ONNX file."""
    inputs = [each for name, value in zip(names, record.inputs, strict=True) for each in input_names(value, name)]
    sizes = {name: dict(named) for name, named in axes.items() if isinstance(named, Mapping)}
    return onnx_bytes(record.name, record.graph, inputs, record.weights, record.commits, record.output, sizes)


def _target(net: Any) -> Target:
    """The function that is traced for an export."""
    if isinstance(net, Cell):
        return Target(net, traced=partial(Cell.__call__, net), name=type(net).__name__, strict=True)
    if isinstance(net, CompiledFunction):
        return Target(net.function, traced=net.target.traced, name=net.name, strict=True)
    if not callable(net):
        raise TypeError(f"export takes a Cell or a function, but got {type(net).__name__}")
    return Target(net, strict=True)


def load(file_name: Any, **kwargs: Any) -> ExportedGraph:
    """Read a file of `export`, or a MINDIR of MindSpore's; `nn.GraphCell` runs it.

    Args:
        file_name: the file, which ends with `.mycel`, or with `.mindir`. Of a MINDIR the graph may hold the usual
            operations of layers, but no branches and no loops.
        kwargs: MindSpore's options for encrypted files are not supported.

    Returns:
        The network, whose `str` is the text of its graph.

    Raises:
        ValueError: if there is no such file. NotImplementedError: for a MINDIR with other operations.
        DamagedFileError: if the file is damaged.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> ms.export(nn.Dense(3, 2), ms.ops.ones((1, 3)), file_name="dense", file_format="MYCEL")
        >>> nn.GraphCell(ms.load("dense.mycel"))(ms.ops.ones((1, 3))).shape
        (1, 2)
    """
    if not isinstance(file_name, (str, os.PathLike)):
        raise ValueError(f"load's 'file_name' should be a string, but got {file_name!r}")
    path = os.fspath(file_name)
    if kwargs:
        raise NotImplementedError(f"load does not take {', '.join(map(repr, kwargs))}")
    if not os.path.isfile(path):
        raise ValueError(f"load: the file {path} does not exist")
    return _read_mindir(path) if path.endswith(".mindir") else ExportedGraph.read(path)


def _read_mindir(path: str) -> ExportedGraph:
    """Trace the graph of a file of MindSpore's.

    Raises:
        NotImplementedError: for an operation that is not read. DamagedFileError: if the file is damaged.
    """
    with open(path, "rb") as file:
        content = file.read()
    try:
        cell, types = read_mindir(content)
        inputs = tuple(_input_of(type) for type in types)
        target = Target(cell, traced=partial(type(cell).construct, cell), name=cell.title, strict=True)
        with resting_collector():
            record = _Recording(target, inputs).run()
        verify(record.graph)
        check_model(record.graph, record.inputs, record.output, record.weights, record.commits)
    except NotImplementedError as error:
        raise NotImplementedError(f"load: of {path}, MINDIR is read where its graph is plain: {error}") from None
    except Exception as error:  # whatever the operations say of operands that make no sense
        raise DamagedFileError(path, f"it is no MINDIR of plain operations: {error}", "Export it again.") from None
    return record


def _input_of(type: TensorType) -> Tensor:
    """An input of a type, without memory for its numbers."""
    opened = _OpenInput.__new__(_OpenInput)
    opened._data = np.broadcast_to(np.zeros((), type.dtype.np), [size or 0 for size in type.shape])
    opened.open_type = type
    return opened

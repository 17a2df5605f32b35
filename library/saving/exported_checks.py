"""Checks of exported networks and of their inputs, and the names of these."""

from __future__ import annotations

import inspect
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...compiler.ir.graph import Graph, walk
from ...compiler.ir.types import TensorType
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .wire import CorruptFile

MODEL, GRAPH, WEIGHTS = "model.json", "graph.ir", "weights.ckpt"
MOST_BYTES = {MODEL: 1 << 26, GRAPH: 1 << 26}
"""The most bytes of the members that are compressed: the file's size does not say what they take once they are read."""

DEEPEST = 100  # containers within containers, of inputs and results
LONGEST_NAME = 1000


def read_members(path: str) -> dict[str, bytes]:
    """The content of each member of a file.

    Raises:
        OSError: if the file cannot be opened. CorruptFile: if it is no such archive.
    """
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                found = archive.infolist()
                names = sorted(info.filename for info in found)
                if names != sorted((MODEL, GRAPH, WEIGHTS)):
                    raise CorruptFile(f"it should hold {MODEL}, {GRAPH} and {WEIGHTS}, but holds {str(names)[:200]}")
                return {info.filename: _read_member(archive, info) for info in found}
        except CorruptFile:
            raise
        except Exception as error:  # zipfile and zlib raise a dozen kinds for what is no archive
            raise CorruptFile(f"it is no zip archive, or a damaged one: {error or type(error).__name__}") from None


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    most = MOST_BYTES.get(info.filename)
    if most is None:
        if info.compress_type != zipfile.ZIP_STORED:
            raise CorruptFile(f"{info.filename} should not be compressed")
        most = info.compress_size
    if info.file_size > most:
        raise CorruptFile(f"{info.filename} has {info.file_size} bytes, more than {most}")
    with archive.open(info) as member:
        content = member.read(most + 1)
    if len(content) != info.file_size:
        raise CorruptFile(f"{info.filename} has {len(content)} bytes or more, where {info.file_size} are announced")
    return content


def read_model(content: bytes) -> dict[str, Any]:
    """The content of `model.json`. CorruptFile unless it has each part, and each has the right kind."""
    try:
        model = json.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise CorruptFile(f"{MODEL} is no JSON: {error}") from None
    kinds = {"format": str, "version": int, "name": str, "inputs": list, "weights": list, "commits": list}
    if not isinstance(model, dict) or "output" not in model:
        raise CorruptFile(f"{MODEL} does not describe a network")
    for key, kind in kinds.items():
        if type(model.get(key)) is not kind:
            raise CorruptFile(f"{key!r} in {MODEL} should be of type {kind.__name__}")
    if model["format"] != "mycel" or not is_title(model["name"]):
        raise CorruptFile(f"{MODEL} does not describe a network of this library")
    return model


def is_title(name: str) -> bool:
    """Whether a network may be called so in a file."""
    return len(name) <= LONGEST_NAME and name.isprintable()


def weights_of(described: Sequence[Any], found: Mapping[str, Any]) -> list[Tensor]:
    """The tensors that `model.json` describes, from those of the checkpoint."""
    weights: list[Tensor] = []
    taken = set()
    for entry in described:
        kinds = {"name": str, "parameter": bool, "requires_grad": bool}
        if not isinstance(entry, dict) or any(type(entry.get(key)) is not kind for key, kind in kinds.items()):
            raise CorruptFile(f"{MODEL} describes a weight as {str(entry)[:80]}")
        name = entry["name"]
        parameter = found.get(name)
        if not isinstance(parameter, Parameter) or name in taken or len(name) > LONGEST_NAME:
            raise CorruptFile(f"the weight {name[:80]!r} is not in {WEIGHTS}, or twice in {MODEL}")
        taken.add(name)
        parameter.requires_grad = entry["requires_grad"]
        weights.append(parameter if entry["parameter"] else Tensor(parameter.asnumpy()))
    if len(taken) != len(found):
        raise CorruptFile(f"{WEIGHTS} holds {len(found)} tensors, but {MODEL} describes {len(taken)}")
    return weights


def type_of(tensor: Tensor) -> TensorType:
    """The type of a tensor."""
    return TensorType(tensor.dtype, tuple(tensor.shape))


def check_model(
    graph: Graph, inputs: Sequence[Any], output: Any, weights: Sequence[Tensor], commits: Mapping[int, int]
) -> None:
    """Raise CorruptFile unless a graph takes these inputs and weights, and gives these results and commits."""
    given = [*(leaf for each in inputs for leaf in _input_types(each)), *map(type_of, weights)]
    if len(given) != len(graph.parameters):
        raise CorruptFile(
            f"the graph takes {len(graph.parameters)} tensors, but {MODEL} has {len(given)} inputs and weights"
        )
    names = [f"input {number}" for number in range(len(given) - len(weights))]
    names += [getattr(weight, "name", "constant") for weight in weights]
    for name, type, parameter in zip(names, given, graph.parameters, strict=True):
        if not type.fits(parameter.type):
            raise CorruptFile(f"{name!r} is {type}, but the graph takes {parameter.type} there")
    _check_output(output, graph)
    if graph.donated:
        raise CorruptFile(f"the graph donates outputs, which {MODEL} has to say")
    for position, weight in commits.items():
        if not (0 <= position < len(graph.outputs) and 0 <= weight < len(weights)):
            raise CorruptFile(f"output {position} of the graph cannot be written to weight {weight}")
        written = weights[weight]
        if not isinstance(written, Parameter) or graph.outputs[position].type != type_of(written):
            raise CorruptFile(f"output {position} of the graph does not fit weight {weight}")
    for node in walk(graph):
        if node.op.internal:
            raise CorruptFile(f"the graph holds {node.op.name}, which only the compiler makes")


def commits_of(pairs: Sequence[Any]) -> dict[int, int]:
    """Graph outputs to the weights that they are written to."""
    for pair in pairs:
        if not isinstance(pair, list) or [type(item) for item in pair] != [int, int]:
            raise CorruptFile(f"{MODEL} describes a commit as {str(pair)[:80]}")
    found: dict[int, int] = dict(pairs)
    if len(found) != len(pairs) or len(set(found.values())) != len(pairs):
        raise CorruptFile(f"{MODEL} describes a commit twice")
    return found


def _part(described: Any, depth: int) -> tuple[str, Any]:
    if not isinstance(described, dict) or len(described) != 1 or depth > DEEPEST:
        raise CorruptFile(f"{MODEL} describes an input or result as {str(described)[:80]}")
    ((kind, content),) = described.items()
    return kind, content


def _inner(kind: str, content: Any) -> Iterator[Any]:
    """The descriptions inside of a container."""
    if not isinstance(content, list):
        raise CorruptFile(f"{MODEL} describes a {kind} as {str(content)[:80]}")
    keys = set()
    for item in content:
        if kind != "dict":
            yield item
        elif isinstance(item, list) and len(item) == 2 and type(item[0]) is str and item[0] not in keys:
            keys.add(item[0])
            yield item[1]
        else:
            raise CorruptFile(f"{MODEL} describes an item of a dict as {str(item)[:80]}")


def _check_constant(kind: str, content: Any) -> None:
    """Raise CorruptFile unless this describes a value that is neither a tensor nor a container."""
    if kind == "value" and (content is None or type(content) in (bool, int, str)):
        return
    if kind == "float" and type(content) is str:
        try:
            float.fromhex(content)
            return
        except (ValueError, OverflowError):
            pass
    raise CorruptFile(f"{MODEL} describes a value as {str({kind: content})[:80]}")


def _input_types(described: Any, depth: int = 0) -> Iterator[TensorType]:
    """The types of the tensors that an input gives to the graph."""
    kind, content = _part(described, depth)
    if kind == "tensor":
        yield _described_type(content)
    elif kind == "number":
        numbers = {"float": dtypes.float32, "int": dtypes.int64, "bool": dtypes.bool_}
        if not isinstance(content, str) or content not in numbers:
            raise CorruptFile(f"{MODEL} describes a number as {str(content)[:80]}")
        yield TensorType(numbers[content], ())
    elif kind in ("tuple", "list", "dict"):
        for item in _inner(kind, content):
            yield from _input_types(item, depth + 1)
    else:
        _check_constant(kind, content)


def _described_type(content: Any) -> TensorType:
    if isinstance(content, list) and len(content) == 2 and type(content[0]) is str and isinstance(content[1], list):
        name, shape = content
        if all(size is None or (type(size) is int and size >= 0) for size in shape):
            try:
                return TensorType(dtypes.by_name(name), tuple(shape))
            except KeyError:
                pass
    raise CorruptFile(f"{MODEL} describes a tensor as {str(content)[:80]}")


def _check_output(described: Any, graph: Graph, depth: int = 0) -> None:
    """Raise CorruptFile unless a result can be built as this says."""
    kind, content = _part(described, depth)
    if kind in ("tensor", "number"):
        if type(content) is not int or not 0 <= content < len(graph.outputs):
            raise CorruptFile(f"{MODEL} describes a result as output {str(content)[:80]} of the graph")
        if kind == "number" and graph.outputs[content].type.rank:
            raise CorruptFile(f"output {content} of the graph, {graph.outputs[content].type}, is no number")
    elif kind in ("tuple", "list", "dict"):
        for item in _inner(kind, content):
            _check_output(item, graph, depth + 1)
    else:
        _check_constant(kind, content)


def argument_names(net: Any, count: int) -> list[str]:
    """The user's names of the inputs; inputs after the last name have numbers."""
    function = type(net).construct if isinstance(net, Cell) else getattr(net, "function", net)
    try:
        parameters = list(inspect.signature(getattr(function, "function", function)).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    if isinstance(net, Cell):
        parameters = parameters[1:]
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [parameter.name for parameter in parameters if parameter.kind in plain]
    return [names[place] if place < len(names) else f"x{place}" for place in range(count)]

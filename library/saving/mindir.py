"""MindSpore's MINDIR files: a protocol buffer of a graph, read where all of its nodes are plain operations.

Nothing in such a file is trusted. Numbers of elements must fit the bytes, containers are at most DEEPEST deep, nodes
read only earlier nodes, and types are inferred again when the operations are traced. Operations are functions of the
inputs, the last of which are constants.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...compiler.ir.types import TensorType
from ...compiler.ir.verifier import check_type
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.records import dataclass
from ...runtime.shown import standard
from .. import ops
from .wire import CorruptFile, fields, read_varint, signed

MOST_PARTS = 10_000  # of a tensor that is split, and of tuples with all that is inside of them

Operation = Callable[[list[Any], dict[str, Any]], Any]

TUPLES: dict[str, tuple[str, ...]] = {
    "Conv2D": ("out_channel", "kernel_size", "pad_mode", "pad", "stride", "dilation", "group"),
    "MaxPool": ("kernel_size", "strides", "pad_mode"),
    "Squeeze": ("axis",),
    "Stack": ("axis",),
}
"""The attributes that are read of operations whose arguments are not all inputs."""

TYPES = {
    30: dtypes.bool_, 32: dtypes.int8, 33: dtypes.int16, 34: dtypes.int32, 35: dtypes.int64, 37: dtypes.uint8,
    38: dtypes.uint16, 39: dtypes.uint32, 40: dtypes.uint64, 42: dtypes.float16, 43: dtypes.float32, 44: dtypes.float64,
}  # fmt: skip


def _plain(function: Callable[..., Any], count: int) -> Operation:
    return lambda given, attributes: function(*_exactly(given, count))


def _exactly(given: Sequence[Any], count: int) -> Sequence[Any]:
    if len(given) != count:
        raise ValueError(f"an operation has {len(given)} inputs in place of {count}")
    return given


def _product(given: list[Any], attributes: dict[str, Any]) -> Any:
    a, b, *turned = given
    turn_a, turn_b = turned if turned else (False, False)
    return ops.matmul(ops.swapaxes(a, -1, -2) if turn_a else a, ops.swapaxes(b, -1, -2) if turn_b else b)


def _bias(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, bias = given[:2]
    return x + ops.reshape(bias, (-1, *[1] * (x.ndim - 2)))


def _conv(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, weight = _exactly(given, 2)
    stride, dilation = (_pair(attributes.get(name, 1)) for name in ("stride", "dilation"))
    mode, pad = str(attributes.get("pad_mode", "valid")).lower(), attributes.get("pad", 0)
    pads = pad if mode == "pad" else 0
    shape, group = tuple(weight.shape), attributes.get("group", 1)
    return ops.Conv2D(shape[0], shape[2:], 1, mode, pads, stride, dilation, group)(x, weight)


def _pair(sizes: Any) -> tuple[int, int]:
    """Sizes of images; those of batch and channels, which may stand before, are 1."""
    found = (sizes, sizes) if isinstance(sizes, int) else tuple(sizes)[-2:]
    if len(found) != 2 or not all(isinstance(size, int) for size in found):
        raise ValueError(f"there should be two sizes, not {sizes!r}")
    return found


def _max_pool(given: list[Any], attributes: dict[str, Any]) -> Any:
    kernel, strides = _pair(attributes["kernel_size"]), _pair(attributes["strides"])
    return ops.MaxPool(kernel, strides, str(attributes.get("pad_mode", "valid")).lower())(*given)


def _avg_pool(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, kernel, strides, mode = given[:4]
    return ops.AvgPool(_pair(kernel), _pair(strides), {1: "same", 2: "valid"}[mode])(x)


def _batch_norm(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, gamma, beta, mean, variance, training, epsilon = given[:7]
    if training:
        raise NotImplementedError("BatchNorm that trains is not read: export after set_train(False)")
    shape = (-1, *[1] * (x.ndim - 2))
    scale = ops.reshape(gamma * ops.rsqrt(variance + epsilon), shape)
    return ((x - ops.reshape(mean, shape)) * scale + ops.reshape(beta, shape), mean, variance)


def _layer_norm(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, gamma, beta, begin, _, epsilon = _exactly(given, 6)
    axes = tuple(range(begin % x.ndim, x.ndim))
    mean = ops.mean(x, axes, True)
    variance = ops.mean(ops.square(x - mean), axes, True)
    return ((x - mean) * ops.rsqrt(variance + epsilon) * gamma + beta, mean, variance)


def _reduced(function: Callable[..., Any]) -> Operation:
    def run(given: list[Any], attributes: dict[str, Any]) -> Any:
        x, axis, keep, *_ = [*given, None, False][: max(len(given), 3)]
        axis = tuple(range(x.ndim)) if axis is None or axis == () else axis
        return function(x, axis, bool(keep))

    return run


def _softmax(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, axis = _exactly(given, 2)
    (place,) = axis if isinstance(axis, tuple) else (axis,)
    return ops.softmax(x, place)


def _item(given: list[Any], attributes: dict[str, Any]) -> Any:
    items, place = _exactly(given, 2)
    if not isinstance(items, (tuple, list)) or type(place) is not int:
        raise ValueError("TupleGetItem takes a tuple and an int")
    return items[place]


def _strided(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, begin, end, strides, *masks = given
    if any(masks):
        raise NotImplementedError("StridedSlice with masks is not read")
    return x[tuple(slice(*each) for each in zip(begin, end, strides, strict=True))]


def _cast(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, kind = _exactly(given, 2)
    if kind not in TYPES:
        raise NotImplementedError(f"Cast to MindSpore's type {kind} is not read")
    return ops.cast(x, TYPES[kind])


def _gather(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, indices, axis, *batch = given
    if any(batch):
        raise NotImplementedError("Gather with batch_dims is not read")
    return ops.gather(x, indices, axis)


def _split(given: list[Any], attributes: dict[str, Any]) -> Any:
    x, axis, count = _exactly(given, 3)
    size = x.shape[axis]
    if type(count) is not int or not 1 <= count <= MOST_PARTS or size % count:
        raise ValueError(f"{size} elements cannot be split into {count} parts")
    return ops.split(x, size // count, axis)


def _first(given: list[Any], attributes: dict[str, Any]) -> Any:
    return given[0]


OPERATIONS: dict[str, Operation] = {
    **{
        name: _plain(getattr(ops, function), 1)
        for name, function in {
            "Abs": "abs", "Ceil": "ceil", "Cos": "cos", "Erf": "erf", "Exp": "exp", "Flatten": "flatten",
            "Floor": "floor", "HSigmoid": "hardsigmoid", "HSwish": "hardswish", "Lgamma": "lgamma", "Log": "log",
            "Log1p": "log1p", "LogicalNot": "logical_not", "Mish": "mish", "Neg": "neg", "OnesLike": "ones_like",
            "ReLU": "relu", "ReLU6": "relu6", "Reciprocal": "reciprocal", "Round": "round", "Rsqrt": "rsqrt",
            "SiLU": "silu", "Sigmoid": "sigmoid", "Sign": "sign", "Sin": "sin", "Softplus": "softplus", "Sqrt": "sqrt",
            "Square": "square", "Tanh": "tanh", "ZerosLike": "zeros_like", "Max": "amax", "Min": "amin",
        }.items()
    },
    **{
        name: _plain(getattr(ops, function), 2)
        for name, function in {
            "Add": "add", "Adds": "add", "BroadcastTo": "broadcast_to", "Concat": "concat", "Div": "div", "Divs": "div",
            "Equal": "equal", "ExpandDims": "expand_dims", "FloorDiv": "floor_div", "Greater": "greater",
            "GreaterEqual": "greater_equal", "Less": "less", "LessEqual": "less_equal", "LogSoftmax": "log_softmax",
            "LogicalAnd": "logical_and", "LogicalOr": "logical_or", "Maximum": "maximum", "Minimum": "minimum",
            "Mul": "mul", "Muls": "mul", "NotEqual": "not_equal", "Pow": "pow", "RealDiv": "div", "Reshape": "reshape",
            "Sub": "sub", "Subs": "sub", "Transpose": "transpose",
        }.items()
    },
    **dict.fromkeys(("MatMul", "MatMulExt", "BatchMatMul", "BatchMatMulExt"), _product),
    **dict.fromkeys(("Load", "Depend", "Identity"), _first),
    "AvgPool": _avg_pool, "BatchNorm": _batch_norm, "BiasAdd": _bias, "Cast": _cast, "Conv2D": _conv,
    "GeLU": lambda given, attributes: ops.gelu(_exactly(given, 1)[0], "tanh"), "Gather": _gather,
    "LayerNorm": _layer_norm, "MakeTuple": lambda given, attributes: tuple(given), "MaxPool": _max_pool,
    "MeanExt": _reduced(ops.mean), "ReduceMax": _reduced(ops.amax), "ReduceMean": _reduced(ops.mean),
    "ReduceMin": _reduced(ops.amin), "ReduceSum": _reduced(ops.sum), "SumExt": _reduced(ops.sum),
    "Select": _plain(ops.where, 3), "Softmax": _softmax, "Split": _split,
    "Squeeze": lambda given, attributes: ops.squeeze(given[0], attributes.get("axis") or None),
    "Stack": lambda given, attributes: ops.stack(_exactly(given, 1)[0], attributes.get("axis", 0)),
    "StridedSlice": _strided, "TupleGetItem": _item, "UpdateState": lambda given, attributes: None,
}  # fmt: skip
"""By MindSpore's name, what gives the result of the inputs and the attributes."""


DEEPEST = 20
MOST_NODES = 200_000
DTYPES: dict[int, DType] = {
    1: dtypes.float32, 2: dtypes.uint8, 3: dtypes.int8, 4: dtypes.uint16, 5: dtypes.int16, 6: dtypes.int32,
    7: dtypes.int64, 9: dtypes.bool_, 10: dtypes.float16, 11: dtypes.float64, 12: dtypes.uint32, 13: dtypes.uint64,
    17: dtypes.float64,
}  # fmt: skip
FLOAT, STRING, BOOL, DOUBLE, TENSOR, TENSORS, NONE = 1, 8, 9, 11, 17, 19, 25
INTEGERS, SEQUENCES, MONADS = frozenset({2, 3, 4, 5, 6, 7, 12, 13}), frozenset({20, 21}), frozenset({23, 24})

Message = dict[int, list[Any]]


@standard
class UnreadableNode(NotImplementedError):
    """A file holds an operation that is not read."""


def _message(data: Any) -> Message:
    """The fields of a message, by number."""
    if not isinstance(data, memoryview):
        raise CorruptFile("there is a number where a message should be")
    found: Message = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def _text(message: Message, number: int) -> str:
    value = message.get(number, [b""])[-1]
    if isinstance(value, int):
        raise CorruptFile("there is a number where a text should be")
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        raise CorruptFile("a name is no text") from None


def _whole(message: Message, number: int) -> Iterator[int]:
    """The integers of a field, packed or one by one."""
    for value in message.get(number, []):
        if isinstance(value, int):
            yield signed(value)
            continue
        position = 0
        while position < len(value):
            item, position = read_varint(value, position)
            yield signed(item)


def _floating(message: Message, number: int, code: str) -> float:
    value = message.get(number, [bytes(8)])[-1]
    size = struct.calcsize(code)
    if isinstance(value, int) or len(value) < size:
        raise CorruptFile("a floating-point number is cut off")
    return float(struct.unpack(code, value[:size])[0])


def _tensor_type(message: Message, open_sizes: bool = False) -> TensorType:
    kind = next(_whole(message, 2), 0)
    if kind not in DTYPES:
        raise CorruptFile(f"a tensor has the unknown element type {kind}")
    sizes = tuple(None if size == -1 and open_sizes else size for size in _whole(message, 1))
    found = TensorType(DTYPES[kind], sizes)
    try:
        check_type(found)
    except ValueError as error:
        raise CorruptFile(str(error)) from None
    return found


def _tensor(message: Message) -> np.ndarray:
    """The numbers of a tensor: as many as its shape says."""
    found = _tensor_type(message)
    if 12 in message:
        raise UnreadableNode("weights in files of their own are not read: export the network into one file")
    raw = message.get(9, [b""])[-1]
    if isinstance(raw, int) or len(raw) != found.nbytes:
        raise CorruptFile(f"a tensor {found} has {0 if isinstance(raw, int) else len(raw)} bytes")
    return np.frombuffer(bytes(raw), found.dtype.np).reshape(found.static_shape)


def _value(message: Message, depth: int = 0) -> Any:
    """The value of an attribute: a number, a text, a tensor, None, or a tuple of these."""
    kind = next(_whole(message, 16), 0)
    if depth > DEEPEST:
        raise CorruptFile("containers are too deep")
    if kind in SEQUENCES:
        return tuple(_value(_message(item), depth + 1) for item in message.get(17, []))
    if kind in INTEGERS or kind == BOOL:
        number = next(iter([*_whole(message, 10), *_whole(message, 3)]), 0)
        return bool(number) if kind == BOOL else number
    if kind == FLOAT:
        return _floating(message, 8 if 8 in message else 2, "<f")
    if kind == DOUBLE:
        return _floating(message, 9 if 9 in message else 4, "<d")
    if kind == STRING:
        return _text(message, 11 if 11 in message else 5)
    if kind in (TENSOR, TENSORS):
        given = message.get(12, message.get(6, []))
        if len(given) != 1:
            raise CorruptFile(f"an attribute holds {len(given)} tensors in place of one")
        return Tensor(_tensor(_message(given[0])))
    if kind == NONE or kind in MONADS:
        return None
    raise UnreadableNode(f"a value of MindSpore's kind {kind} is not read")


@dataclass(frozen=True)
class _Node:
    """One operation of the file."""

    kind: str
    inputs: tuple[str, ...]
    output: str
    attributes: dict[str, Any]
    place: str


class MindirCell(Cell):
    """Runs the nodes of a MINDIR file one after the other, so that a trace records them."""

    def __init__(self, name: str, nodes: list[_Node], known: dict[str, Any], inputs: list[str], output: str) -> None:
        super().__init__()
        self.title, self.nodes, self.known, self.names, self.result = name, nodes, known, inputs, output

    def construct(self, *inputs: Any) -> Any:
        """The results of the graph for these inputs."""
        parts: dict[str, int] = {}
        values: dict[str, Any] = {**self.known, **dict(zip(self.names, inputs, strict=True))}
        for node in self.nodes:
            missing = [name for name in node.inputs if name not in values]
            if missing:
                raise CorruptFile(f"node {node.output!r} reads {missing[0][:80]!r} before it is there")
            given = [values[name] for name in node.inputs]
            found = values[node.output] = OPERATIONS[node.kind](given, node.attributes)
            if isinstance(found, (tuple, list)):
                inside = [parts.get(name, 1) for name in node.inputs]
                parts[node.output] = max(len(found), sum(inside))  # a tuple of itself, again and again, has too many
                if parts[node.output] > MOST_PARTS:
                    raise CorruptFile(f"the tuple {node.output[:80]!r} has more than {MOST_PARTS} parts")
        if self.result not in values:
            raise CorruptFile(f"no node gives the result {self.result[:80]!r}")
        return values[self.result]


def read_mindir(content: bytes) -> tuple[MindirCell, list[TensorType]]:
    """A network that runs the graph of a file, and the types of its inputs.

    Raises:
        CorruptFile: if the file is none. UnreadableNode: for what it holds and is not read, with its name and place.
    """
    model = _message(memoryview(content))
    if _text(model, 2) != "MindSpore" or len(model.get(7, [])) != 1:
        raise CorruptFile("it is no MINDIR file of MindSpore")
    primitives = {_text(each, 1): each for each in map(_message, model.get(12, []))}
    graph = _message(model[7][0])
    known: dict[str, Any] = {}
    for stored in map(_message, graph.get(3, [])):
        name = _text(stored, 7)
        known[name] = Parameter(Tensor(_tensor(stored)), name=name.rpartition(":")[2] or name)
    if len(graph.get(1, [])) > MOST_NODES:
        raise CorruptFile(f"the graph has more than {MOST_NODES} nodes")
    nodes = [node for node in (_node(each, primitives, known) for each in map(_message, graph.get(1, []))) if node]
    inputs = [_input(each) for each in map(_message, graph.get(5, []))]
    outputs = [_text(_message(each), 1) for each in graph.get(6, [])]
    if len(outputs) != 1:
        raise CorruptFile(f"the graph has {len(outputs)} results in place of one")
    names = [name for name, _ in inputs]
    cell = MindirCell(_text(graph, 2).rpartition(".")[0] or "mindir", nodes, known, names, outputs[0])
    return cell, [type for _, type in inputs]


def _input(message: Message) -> tuple[str, TensorType]:
    given = message.get(2, [])
    if len(given) != 1:
        raise UnreadableNode(f"the input {_text(message, 1)!r} is no tensor")
    return _text(message, 1), _tensor_type(_message(given[0]), open_sizes=True)


def _node(message: Message, primitives: dict[str, Message], known: dict[str, Any]) -> _Node | None:
    """A node; constants go to what is known."""
    names = [bytes(each).decode(errors="replace") for each in message.get(1, []) if not isinstance(each, int)]
    output, kind, place = _text(message, 2), _text(message, 4), _text(message, 7)
    given = {_text(each, 1): each for each in map(_message, message.get(5, []))}
    if kind == "Constant":
        if "value" not in given:
            raise CorruptFile(f"the constant {output[:80]!r} has no value")
        known[output] = _value(given["value"])
        return None
    if kind.startswith("REF::"):
        primitive = primitives.get(kind[len("REF::") :])
        if primitive is None:
            raise UnreadableNode(f"it calls another graph at {output[:80]!r}: branches and loops are not read")
        kind, given = _text(primitive, 2), {_text(each, 1): each for each in map(_message, primitive.get(3, []))}
    if kind not in OPERATIONS:
        raise UnreadableNode(f"it holds the operation {kind[:80]!r} ({place[:80]}), which is not read")
    attributes = {name: _value(given[name]) for name in given if name in TUPLES.get(kind, ())}
    return _Node(kind, tuple(names), output, attributes, place)

"""MindSpore's operations, by their names in MINDIR files, as functions of inputs, the last of which are constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...runtime import dtypes
from .. import ops

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

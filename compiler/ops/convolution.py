"""Convolution over any number of dimensions, and its gradients by input and by weight, each made of the others.

Convolutions whose window is the whole image are products of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.kernels import conv as kernels
from ...runtime.kernels.precision import compute_dtype
from ...runtime.kernels.windows import Convolution
from ...runtime.machine.array_functions import compile_direct
from ..ir.attributes import FLAG, INT, INTS, PAIRS, SIZES, optional
from ..ir.code import Attempt, Code, MadeFunction
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import Dimension, TensorType, show_shape
from .depthwise import shifted_conv, shifted_input_grad, shifted_weight_grad
from .infer import broadcast_float, check_like, same_dtype
from .linalg import matmul
from .samples import pair
from .shape import reshape, transpose


def product_conv(x: Any, w: Any, *, padding: Any, groups: int, **windows: Any) -> Any:
    """The convolution; None where the window is smaller, or there is padding."""
    if not _is_whole(x.shape[2:], w.shape[2:], padding, groups, windows["dilation"]):
        return None
    made = matmul(_rows(x), transpose(_rows(w), axes=(1, 0)))
    return reshape(made, shape=(*made.shape, *[1] * len(padding)))


def product_input_grad(dout: Any, w: Any, *like: Any, spatial: Any, padding: Any, groups: int, **windows: Any) -> Any:
    """Its gradient by input; None as there."""
    if like or not _is_whole(spatial, w.shape[2:], padding, groups, windows["dilation"]):
        return None
    return reshape(matmul(_rows(dout), _rows(w)), shape=(dout.shape[0], *w.shape[1:]))


def product_weight_grad(dout: Any, x: Any, *like: Any, kernel: Any, padding: Any, groups: int, **windows: Any) -> Any:
    """Its gradient by weight; None as there."""
    if like or not _is_whole(x.shape[2:], kernel, padding, groups, windows["dilation"]):
        return None
    made = matmul(transpose(_rows(dout), axes=(1, 0)), _rows(x))
    return reshape(made, shape=(dout.shape[1], *x.shape[1:]))


def _is_whole(spatial: Any, kernel: Any, padding: Any, groups: int, dilation: Any) -> bool:
    if None in (*spatial, *kernel) or tuple(spatial) != tuple(kernel) or groups != 1 or any(map(any, padding)):
        return False
    return all(size == 1 or step == 1 for size, step in zip(kernel, dilation, strict=True))


def _rows(array: Any) -> Any:
    """One row for each image, or each output."""
    return reshape(array, shape=(array.shape[0], math.prod(array.shape[1:])))


Pairs = tuple[tuple[int, int], ...]
Attrs = dict[str, Any]


def output_size(size: Dimension, kernel: Dimension, stride: int, padding: tuple[int, int], dilation: int) -> Dimension:
    """The number of positions of a kernel along a dimension; None if only the run knows it, -1 if the kernel is too
    long."""
    if size is None or kernel is None:
        return None
    reach = (kernel - 1) * dilation + 1
    room = size + padding[0] + padding[1] - reach
    return -1 if room < 0 else room // stride + 1


def check_windows(what: str, axes: int, stride: Sequence[int], padding: Pairs, dilation: Sequence[int]) -> None:
    """Raise ValueError unless there are a stride, a pair of paddings and a dilation for each spatial dimension."""
    for name, values in (("stride", stride), ("dilation", dilation)):
        if len(values) != axes or any(value < 1 for value in values):
            raise ValueError(f"{what}: {name} should be {axes} positive integers, but got {tuple(values)}")
    if len(padding) != axes or any(len(item) != 2 or min(item) < 0 for item in padding):
        raise ValueError(f"{what}: padding should be {axes} pairs of integers that are not negative, but got {padding}")


def _infer_conv(
    x: TensorType,
    w: TensorType,
    *,
    stride: tuple[int, ...],
    padding: Pairs,
    dilation: tuple[int, ...],
    groups: int,
    pairs: bool = False,
) -> TensorType:
    broadcast_float(x.with_shape(()), w.with_shape(()))
    if x.rank != w.rank or x.rank < 3:
        raise ValueError(
            f"conv: the input (batch, channels, …) and the weight (outputs, channels, …) should have equally many "
            f"dimensions, at least 3, but got shapes {show_shape(x.shape)} and {show_shape(w.shape)}"
        )
    axes = x.rank - 2
    check_windows("conv", axes, stride, padding, dilation)
    channels, outputs, per_group = x.shape[1], w.shape[0], w.shape[1]
    if groups < 1 or (outputs is not None and outputs % groups):
        raise ValueError(f"conv: {outputs} output channels cannot be split into {groups} groups")
    if channels is not None and per_group is not None and channels != per_group * groups:
        raise ValueError(
            f"conv: the input has {channels} channels, but weight of shape {show_shape(w.shape)} in {groups} "
            f"group{'s' * (groups > 1)} needs {per_group * groups}"
        )
    if 0 in w.shape:
        raise ValueError(f"conv: the weight should have elements, but its shape is {show_shape(w.shape)}")
    spatial = tuple(map(output_size, x.shape[2:], w.shape[2:], stride, padding, dilation))
    if -1 in spatial:
        raise ValueError(
            f"conv: the kernel {show_shape(w.shape[2:])} with dilation {dilation} is larger than the input "
            f"{show_shape(x.shape[2:])} with padding {padding}"
        )
    return TensorType(x.dtype, (x.shape[0], outputs, *spatial))


def _vjp_conv(x: Any, w: Any, out: Any, dout: Any, **attrs: Any) -> tuple[Any, Any]:
    weight = weight_grad_as(dout, x, w, **attrs)  # first: often nothing reads x behind it
    return input_grad_as(dout, w, x, **attrs), weight


def input_grad_as(dout: Any, w: Any, x: Any, **attrs: Any) -> Any:
    """The symbol of a convolution's gradient by its input x, for static sizes and for sizes that only the run knows."""
    if None in x.shape[2:]:
        return conv_input_grad(dout, w, x, spatial=(), **attrs)
    return conv_input_grad(dout, w, spatial=x.shape[2:], **attrs)


def weight_grad_as(dout: Any, x: Any, w: Any, **attrs: Any) -> Any:
    """The symbol of a convolution's gradient by its weight w, for static sizes and for sizes that only the run
    knows."""
    if None in w.shape[2:]:
        return conv_weight_grad(dout, x, w, kernel=(), **attrs)
    return conv_weight_grad(dout, x, kernel=w.shape[2:], **attrs)


def _conv_samples(order: str) -> list[Sample]:
    cases = [
        ((2, 3, 7), (4, 3, 3), (2,), ((1, 2),), (1,), 1),
        ((2, 4, 5, 6), (6, 2, 3, 2), (2, 1), ((1, 0), (0, 2)), (1, 2), 2),
        ((1, 2, 5, 5), (3, 2, 1, 1), (1, 1), ((0, 0), (0, 0)), (1, 1), 1),
        ((1, 3, 5, 4), (3, 1, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 3),
        ((1, 2, 4, 3, 4), (2, 2, 2, 2, 3), (2, 1, 1), ((0, 1), (0, 0), (1, 1)), (1, 1, 1), 1),
    ]
    samples = []
    for x, w, stride, padding, dilation, groups in cases:
        attrs: Attrs = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        spatial = tuple(map(output_size, x[2:], w[2:], stride, padding, dilation))
        dout = (x[0], w[0], *[size for size in spatial if size is not None])
        if order == "conv":
            samples.append(Sample(pair(x, w), attrs))
        elif order == "input":
            samples.append(Sample(pair(dout, w), {**attrs, "spatial": x[2:]}))
            if len(samples) == 1:
                samples.append(Sample(pair(dout, w, x), {**attrs, "spatial": ()}))
        else:
            samples.append(Sample(pair(dout, x), {**attrs, "kernel": w[2:]}))
            if len(samples) == 1:
                samples.append(Sample(pair(dout, x, w), {**attrs, "kernel": ()}))
    return samples


def _scratch(purpose: str, x: Sequence[int], w: Sequence[int], dtype: DType, attrs: Attrs) -> TensorType | None:
    """The type of the scratch vector of a kernel, in its dtype of computation."""
    windows = {key: value for key, value in attrs.items() if key != "pairs"}
    size = kernels.conv_scratch_size(
        Convolution(purpose, tuple(x), tuple(w), **windows, dtype=dtype.np), attrs.get("pairs", False)
    )
    compute = dtypes.of_numpy(compute_dtype(dtype.np))
    return TensorType(compute, (size,)) if size else None


def _emit(purpose: str) -> Callable[[Node, Sequence[str], str | None], Code | None]:
    """The code of a convolution, or of its gradient, that a function of machine code computes."""

    def emit(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
        types = [operand.type for operand in (*node.inputs, node.output)]
        if out is None or len(types) != 3 or not all(type.is_static for type in types):
            return None
        dout, other, made = (type.static_shape for type in types)
        x, w = {"forward": (dout, other), "input": (made, other), "weight": (other, made)}[purpose]
        windows: Attrs = {key: node.attrs[key] for key in ("stride", "padding", "dilation", "groups")}
        convolution = Convolution(purpose, x, w, **windows, dtype=types[0].dtype.np)
        sizes = kernels.direct_sizes(convolution, node.attrs.get("pairs", False))
        if sizes is None:
            return None
        given = arguments[::-1] if purpose == "weight" else arguments
        made_function = MadeFunction(compile_direct, (purpose, *sizes), f"{node.op.name}_directly")
        return Attempt(made_function, (*given, out), None, with_scratch=True)

    return emit


def either(*definitions: Callable[..., Any]) -> Callable[..., Any]:
    """The first definition that applies; none to pairs."""

    def define(*operands: Any, pairs: bool = False, **attrs: Any) -> Any:
        tried = () if pairs else definitions
        return next((made for one in tried if (made := one(*operands, **attrs)) is not None), None)

    return define


def _batch_conv(batch: Batch, x: Any, w: Any, *, groups: int, **attrs: Any) -> Any:
    here, there = batch.mapped
    if not there:
        return batch.unfold(conv(batch.fold(x, 0), w, groups=groups, **attrs), 0)
    if not here and groups == 1:
        return batch.unfold(conv(x, batch.fold(w, 0), groups=1, **attrs), 1)
    x, w = batch.fold(batch.stack(x, here), 1), batch.fold(w, 0)
    return batch.unfold(conv(x, w, groups=groups * batch.size, **attrs), 1)


def _window(weight: TensorType) -> int:
    """Elements of a weight for one output channel."""
    return math.prod(size or 0 for size in weight.shape[1:])


_WINDOWS: Attrs = {"stride": INTS, "padding": PAIRS, "dilation": INTS, "groups": INT, "pairs": optional(FLAG)}

conv: Op = Op(
    "conv",
    flops=lambda inputs, outputs, **attrs: 2 * outputs[0].known_size * _window(inputs[1]),
    attrs=_WINDOWS,
    infer=_infer_conv,
    kernel=kernels.conv,
    single=True,
    emit=_emit("forward"),
    scratch=lambda x, w, **attrs: _scratch("forward", x.static_shape, w.static_shape, x.dtype, attrs),
    vjp=_vjp_conv,
    batch=_batch_conv,
    native_definition=either(product_conv, shifted_conv),
    samples=lambda: _conv_samples("conv"),
    doc="Convolution (cross-correlation) of x (batch, channels, …) with a weight (outputs, channels per group, …).",
)


def _infer_conv_input_grad(
    dout: TensorType, w: TensorType, *like: TensorType, spatial: tuple[int, ...], **attrs: Any
) -> TensorType:
    same_dtype(dout, w)
    if len(like) > 1 or bool(like) == bool(spatial):
        raise ValueError("conv_input_grad needs either the spatial shape of the result, or a tensor that has it")
    groups = attrs["groups"]
    channels = None if w.rank < 2 or w.shape[1] is None else w.shape[1] * groups
    batch = dout.shape[0] if dout.rank else None
    x = like[0].with_dtype(dout.dtype) if like else TensorType(dout.dtype, (batch, channels, *spatial))
    check_like("conv_input_grad", _infer_conv(x, w, **attrs), dout)
    return x


def _kernel_conv_input_grad(
    dout: np.ndarray,
    w: np.ndarray,
    *like: np.ndarray,
    spatial: tuple[int, ...],
    out: np.ndarray | None = None,
    scratch: np.ndarray | None = None,
    **windows: Any,
) -> np.ndarray:
    shape = like[0].shape[2:] if like else spatial
    return kernels.conv_input_grad(dout, w, shape, out=out, scratch=scratch, **windows)


def _scratch_input_grad(
    dout: TensorType, w: TensorType, *like: TensorType, spatial: tuple[int, ...], **attrs: Any
) -> TensorType | None:
    shape = like[0].static_shape[2:] if like else spatial
    x = (dout.static_shape[0], w.static_shape[1] * attrs["groups"], *shape)
    return _scratch("input", x, w.static_shape, dout.dtype, attrs)


def _vjp_conv_input_grad(dout: Any, w: Any, *rest: Any, spatial: tuple[int, ...], **attrs: Any) -> tuple[Any, ...]:
    *like, _, cotangent = rest
    return (
        conv(cotangent, w, **attrs),
        weight_grad_as(dout, cotangent, w, **attrs),
        *[None] * len(like),
    )


def _batch_input_grad(batch: Batch, dout: Any, w: Any, *like: Any, groups: int, **attrs: Any) -> Any:
    if not batch.mapped[1]:
        like = tuple(batch.fold(batch.stack(x, batch.mapped[2]), 0) for x in like)
        dout = batch.fold(batch.stack(dout, batch.mapped[0]), 0)
        return batch.unfold(conv_input_grad(dout, w, *like, groups=groups, **attrs), 0)
    dout, w, *rest = batch.stacked((dout, w, *like))
    like = tuple(batch.fold(x, 1) for x in rest)
    dout, w = batch.fold(dout, 1), batch.fold(w, 0)
    return batch.unfold(conv_input_grad(dout, w, *like, groups=groups * batch.size, **attrs), 1)


conv_input_grad: Op = Op(
    "conv_input_grad",
    flops=lambda inputs, outputs, **attrs: 2 * inputs[0].known_size * _window(inputs[1]),
    attrs={"spatial": SIZES, **_WINDOWS},
    infer=_infer_conv_input_grad,
    kernel=_kernel_conv_input_grad,
    single=True,
    emit=_emit("input"),
    scratch=_scratch_input_grad,
    vjp=_vjp_conv_input_grad,
    batch=_batch_input_grad,
    native_definition=either(product_input_grad, shifted_input_grad),
    samples=lambda: _conv_samples("input"),
    doc="The gradient of conv by its input, of a spatial shape given (or a third tensor's); transposed convolution.",
)


def _infer_conv_weight_grad(
    dout: TensorType, x: TensorType, *like: TensorType, kernel: tuple[int, ...], **attrs: Any
) -> TensorType:
    same_dtype(dout, x)
    if len(like) > 1 or bool(like) == bool(kernel):
        raise ValueError("conv_weight_grad needs either the kernel shape of the result, or a tensor that has it")
    groups = attrs["groups"]
    channels = None if x.rank < 2 or x.shape[1] is None else x.shape[1] // groups
    outputs = dout.shape[1] if dout.rank > 1 else None
    w = like[0].with_dtype(dout.dtype) if like else TensorType(dout.dtype, (outputs, channels, *kernel))
    check_like("conv_weight_grad", _infer_conv(x, w, **attrs), dout)
    return w


def _kernel_conv_weight_grad(
    dout: np.ndarray,
    x: np.ndarray,
    *like: np.ndarray,
    kernel: tuple[int, ...],
    out: np.ndarray | None = None,
    scratch: np.ndarray | None = None,
    **windows: Any,
) -> np.ndarray:
    shape = like[0].shape[2:] if like else kernel
    return kernels.conv_weight_grad(dout, x, shape, out=out, scratch=scratch, **windows)


def _scratch_weight_grad(
    dout: TensorType, x: TensorType, *like: TensorType, kernel: tuple[int, ...], **attrs: Any
) -> TensorType | None:
    shape = like[0].static_shape[2:] if like else kernel
    w = (dout.static_shape[1], x.static_shape[1] // attrs["groups"], *shape)
    return _scratch("weight", x.static_shape, w, x.dtype, attrs)


def _vjp_conv_weight_grad(dout: Any, x: Any, *rest: Any, kernel: tuple[int, ...], **attrs: Any) -> tuple[Any, ...]:
    *like, _, cotangent = rest
    return (
        conv(x, cotangent, **attrs),
        input_grad_as(dout, cotangent, x, **attrs),
        *[None] * len(like),
    )


def _batch_weight_grad(batch: Batch, dout: Any, x: Any, *like: Any, groups: int, **attrs: Any) -> Any:
    if groups == 1 and not like and not batch.mapped[1]:
        return batch.unfold(conv_weight_grad(batch.fold(dout, 1), x, groups=1, **attrs), 0)
    if groups == 1 and not like and not batch.mapped[0]:
        return batch.unfold(conv_weight_grad(dout, batch.fold(x, 1), groups=1, **attrs), 1)
    dout, x, *rest = batch.stacked((dout, x, *like))
    like = tuple(batch.fold(w, 0) for w in rest)
    dout, x = batch.fold(dout, 1), batch.fold(x, 1)
    return batch.unfold(conv_weight_grad(dout, x, *like, groups=groups * batch.size, **attrs), 0)


conv_weight_grad: Op = Op(
    "conv_weight_grad",
    flops=lambda inputs, outputs, **attrs: 2 * inputs[0].known_size * _window(outputs[0]),
    attrs={"kernel": SIZES, **_WINDOWS},
    infer=_infer_conv_weight_grad,
    kernel=_kernel_conv_weight_grad,
    single=True,
    emit=_emit("weight"),
    scratch=_scratch_weight_grad,
    vjp=_vjp_conv_weight_grad,
    batch=_batch_weight_grad,
    native_definition=either(product_weight_grad, shifted_weight_grad),
    samples=lambda: _conv_samples("weight"),
    doc="The gradient of conv by its weight, of a kernel shape given (or a third tensor's).",
)

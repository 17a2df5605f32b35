"""Convolutions and transposed convolutions, dense and bilinear layers, embeddings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, drop_axes, insert_axes, shape_of, whole_numbers
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_gather import need_positions
from .array_shape import reshape
from .documentation import common
from .nn_activation import floating
from .table import known_as, made

__all__ = [
    "Pairs", "bias_add", "bidense", "conv1d", "conv2d", "conv3d", "conv3d_transpose", "conv_transpose2d", "dense",
    "embedding",
]  # fmt: skip

Pairs = tuple[tuple[int, int], ...]


def per_axis(value: Any, axes: int, function: str, name: str, least: int = 0) -> tuple[int, ...]:
    """One int a spatial dimension, given as one for all or as a tuple (also of batch and channels in front)."""
    numbers = whole_numbers(value, function, name)
    if len(numbers) == 1:
        numbers = numbers * axes
    elif len(numbers) == axes + 2:
        numbers = numbers[2:]
    if len(numbers) != axes:
        raise ValueError(f"{function}: '{name}' should be one int, or {axes} of them, but got {value}")
    if min(numbers) < least:
        raise ValueError(f"{function}: '{name}' should be at least {least}, but got {value}")
    return numbers


def both_sides(value: Any, axes: int, function: str) -> Pairs:
    """Padding as (before, after) a spatial dimension, given as one int, one a dimension, or two a dimension."""
    if isinstance(value, (tuple, list)) and value and isinstance(value[0], (tuple, list)):
        return tuple((int(low), int(high)) for low, high in value)
    numbers = whole_numbers(value, function, "padding")
    if len(numbers) == 1:
        numbers = numbers * axes
    if len(numbers) == axes:
        pairs = tuple((number, number) for number in numbers)
    elif len(numbers) == 2 * axes:
        pairs = tuple((numbers[2 * place], numbers[2 * place + 1]) for place in range(axes))
    else:
        raise ValueError(f"{function}: 'padding' should be one int, {axes} or {2 * axes} of them, but got {value}")
    if min(map(min, pairs)) < 0:
        raise ValueError(f"{function}: 'padding' should not be negative, but got {value}")
    return pairs


def same_padding(
    shape: tuple[Any, ...], kernel: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]
) -> Pairs:
    """The padding with which as many windows fit as the size over the stride, rounded up."""
    pairs = []
    for size, width, step, spread in zip(shape, kernel, stride, dilation, strict=True):
        windows = -(-int(size) // step)
        total = max((windows - 1) * step + (width - 1) * spread + 1 - int(size), 0)
        pairs.append((total // 2, total - total // 2))
    return tuple(pairs)


def resolve_padding(
    x: Tensor, kernel: tuple[int, ...], pad_mode: str, padding: Any, stride: tuple[int, ...],
    dilation: tuple[int, ...], function: str,
) -> Pairs:  # fmt: skip
    """The padding that 'valid', 'same' or 'pad' means for an input (batch, channels, …)."""
    axes = len(kernel)
    mode = choice(str(pad_mode).lower(), ("valid", "same", "pad"), function, "pad_mode")
    given = both_sides(padding, axes, function)
    if mode != "pad" and any(low or high for low, high in given):
        raise ValueError(f"{function}: 'padding' should be 0 with pad_mode '{mode}', but got {padding}; use 'pad'")
    if mode == "same":
        return same_padding(x.shape[2:], kernel, stride, dilation)
    return given


def _batched(x: Any, weight: Any, axes: int, function: str) -> tuple[Tensor, Tensor, bool]:
    """Input and weight as floating-point tensors, and whether the input is a single one, without a batch."""
    x, weight = floating(x, function), floating(weight, function, "weight")
    single = x.ndim == axes + 1
    if single:
        x = insert_axes(x, (0,))
    if x.ndim != axes + 2 or weight.ndim != axes + 2:
        raise ValueError(
            f"{function}: 'input' and 'weight' should have {axes + 2} dimensions, but their shapes are {x.shape} and "
            f"{weight.shape}"
        )
    return x, weight, single


def _convolve(
    x: Any, weight: Any, bias: Any, axes: int, stride: Any, pad_mode: str, padding: Any, dilation: Any, groups: int,
    function: str,
) -> Tensor:  # fmt: skip
    x, weight, single = _batched(x, weight, axes, function)
    channels, needed = shape_of(x)[1], shape_of(weight)[1]
    if channels is not None and needed is not None and channels != needed * groups:
        raise RuntimeError(
            f"{function}: the channels of 'input' (C_in) are {channels}, but 'weight' of shape {weight.shape} in "
            f"{groups} group{'s' if groups > 1 else ''} needs {needed * groups}"
        )
    if x.dtype is not weight.dtype:
        raise TypeError(
            f"{function}: 'input' of {x.dtype} and 'weight' of {weight.dtype} should have one dtype"
            f"{dtypes.as_one(x.dtype, weight.dtype)}"
        )
    steps, spread = per_axis(stride, axes, function, "stride", 1), per_axis(dilation, axes, function, "dilation", 1)
    kernel = weight._type.static_shape[2:]
    pairs = resolve_padding(x, kernel, pad_mode, padding, steps, spread, function)
    out = apply(prims.conv, x, weight, stride=steps, padding=pairs, dilation=spread, groups=int(groups))
    out = add_channels(out, bias, function)
    return drop_axes(out, (0,)) if single else out


def add_channels(x: Tensor, bias: Any, function: str) -> Tensor:
    """x (batch, channels, …) with a number added to each channel; x itself without a bias."""
    if bias is None:
        return x
    numbers = need_tensor(bias, function, "bias")
    if numbers.ndim != 1 or shape_of(numbers)[0] not in (None, shape_of(x)[1]):
        raise ValueError(f"{function}: 'bias' of shape {numbers.shape} does not fit {x.shape[1]} channels")
    return apply(prims.add, x, reshape(cast(numbers, x.dtype), (-1, *(1,) * (x.ndim - 2))))


def _convolution(axes: int, **words: str) -> Callable[..., Tensor]:
    """`conv1d`, `conv2d` and `conv3d`."""
    name = f"conv{axes}d"

    def conv(
        input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, pad_mode: str = "valid",
        padding: Any = 0, dilation: Any = 1, groups: int = 1,
    ) -> Tensor:  # fmt: skip
        """Convolution (cross-correlation) of {what} with a weight.

        Args:
            input: a floating-point tensor of shape {input}, or without N.
            weight: of shape {weight}, of the dtype of `input`.
            bias: a number for each output channel, of shape (outputs); None for none.
            stride, dilation: one int, or {axes}.
            pad_mode: "valid": no padding; "same": as many outputs as inputs over the stride; "pad": `padding` on each
                side.
            padding: one int, one for each of {sizes}, or two for each.
            groups: into how many groups channels and outputs are split.

        Returns:
            A tensor of shape (N, outputs, ...) and the dtype of `input`.

        Raises:
            TypeError: if `input` or `weight` is no floating-point Tensor.
            RuntimeError: if the channels do not fit.
            ValueError: if a shape or an argument does not fit.

        Examples:
            >>> from mycel import ops
            >>> print(ops.conv{axes}d(ops.ones({example}), ops.ones({kernel})).shape)
            {result}
        """
        return _convolve(input, weight, bias, axes, stride, pad_mode, padding, dilation, groups, name)

    return made(conv, name, axes=axes, **words)


conv1d = _convolution(
    1, what="sequences", input="(N, C, L)", weight="(outputs, C / groups, K)", sizes="length", example="(1, 1, 3)",
    kernel="(2, 1, 2)", result="(1, 2, 2)",
)  # fmt: skip
conv2d = _convolution(
    2, what="images", input="(N, C, H, W)", weight="(outputs, C / groups, kernel height, kernel width)",
    sizes="height and width", example="(1, 1, 3, 3)", kernel="(2, 1, 2, 2)", result="(1, 2, 2, 2)",
)  # fmt: skip
conv3d = _convolution(
    3, what="volumes", input="(N, C, D, H, W)", weight="(outputs, C / groups, kernel depth, height, width)",
    sizes="depth, height and width", example="(1, 1, 3, 3, 3)", kernel="(2, 1, 2, 2, 2)", result="(1, 2, 2, 2, 2)",
)  # fmt: skip


def transposed_convolution(
    x: Any, weight: Any, bias: Any, axes: int, stride: Any, pad_mode: str, padding: Any, output_padding: Any,
    groups: int, dilation: Any, function: str,
) -> Tensor:  # fmt: skip
    """The convolution's gradient by its input: from (N, C, …) with a weight (C, outputs / groups, …)."""
    x, weight, single = _batched(x, weight, axes, function)
    if shape_of(x)[1] not in (None, shape_of(weight)[0]):
        raise RuntimeError(f"{function}: {x.shape[1]} channels do not fit a weight of shape {weight.shape}")
    steps, spread = per_axis(stride, axes, function, "stride", 1), per_axis(dilation, axes, function, "dilation", 1)
    extra = per_axis(output_padding, axes, function, "output_padding")
    if any(more >= max(step, wide) for more, step, wide in zip(extra, steps, spread, strict=True)):
        raise ValueError(f"{function}: 'output_padding' should be smaller than stride or dilation, but got {extra}")
    kernel = weight._type.static_shape[2:]
    mode = choice(str(pad_mode).lower(), ("valid", "same", "pad"), function, "pad_mode")
    wide = [(width - 1) * step + 1 for width, step in zip(kernel, spread, strict=True)]
    sizes = tuple(map(int, x.shape[2:]))
    if mode == "same":
        spatial = tuple(size * step for size, step in zip(sizes, steps, strict=True))
        pairs = same_padding(spatial, kernel, steps, spread)
    else:
        pairs = both_sides(padding, axes, function) if mode == "pad" else ((0, 0),) * axes
        spatial = tuple(
            (size - 1) * step - low - high + width + more
            for size, step, (low, high), width, more in zip(sizes, steps, pairs, wide, extra, strict=True)
        )
        if mode == "valid":  # a kernel narrower than the stride leaves gaps that the output has as well
            spatial = tuple(
                size + max(step - width, 0) if not more else size
                for size, step, width, more in zip(spatial, steps, wide, extra, strict=True)
            )
    if min(spatial) < 1:
        raise ValueError(f"{function}: the output of shape {spatial} would be empty")
    out = apply(
        prims.conv_input_grad,
        x,
        weight if weight.dtype is x.dtype else cast(weight, x.dtype),
        spatial=spatial,
        stride=steps,
        padding=pairs,
        dilation=spread,
        groups=int(groups),
    )
    out = add_channels(out, bias, function)
    return drop_axes(out, (0,)) if single else out


@known_as(functional=True)
def conv_transpose2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
    output_padding: Any = 0, groups: int = 1, dilation: Any = 1,
) -> Tensor:  # fmt: skip
    """The transposed convolution of (N, C, H, W) with a weight (C, outputs / groups, kernel height, kernel width).

    Args:
        input: a floating-point tensor of shape (N, C, H, W), or without N.
        weight: of shape (C, outputs / groups, kernel height, kernel width).
        bias: a vector of shape (outputs), or None.
        stride, dilation: one int, or two.
        padding: how much is cut off at each side.
        output_padding: how much larger the output is at one side.
        groups: into how many groups channels and outputs are split.

    Raises:
        ValueError: if a shape or an argument does not fit.

    Examples:
        >>> from mycel import ops
        >>> print(ops.conv_transpose2d(ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 2, 2))).shape)
        (1, 1, 2, 2)
    """
    return transposed_convolution(
        input, weight, bias, 2, stride, "pad", padding, output_padding, groups, dilation, "conv_transpose2d"
    )


@common
def conv3d_transpose(
    inputs: Tensor, weight: Tensor, pad_mode: str = "valid", padding: Any = 0, stride: Any = 1, dilation: Any = 1,
    group: int = 1, output_padding: Any = 0,
) -> Tensor:  # fmt: skip
    """The transposed convolution of (N, C, D, H, W) with a weight (C, outputs / group, …).

    Args:
        inputs: a floating-point tensor of shape (N, C, D, H, W).
        weight: of shape (C, outputs / group, depth, height, width).
        pad_mode: "valid", "same" or "pad".
        padding: how much is cut off at each side, for the mode "pad".
        stride, dilation: one int, or three.
        group: into how many groups channels and outputs are split.
        output_padding: how much larger the output is at one side.

    Raises:
        ValueError: if a shape or an argument does not fit.

    Examples:
        >>> print(ops.conv3d_transpose(ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 2, 2, 2))).shape)
        (1, 1, 2, 2, 2)
    """
    return transposed_convolution(
        inputs, weight, None, 3, stride, pad_mode, padding, output_padding, group, dilation, "conv3d_transpose"
    )


def bias_add(input_x: Tensor, bias: Tensor) -> Tensor:
    """The tensor (batch, channels, …) with a number added to each channel.

    Args:
        input_x: a tensor of shape (N, C, ...).
        bias: a vector of shape (C).

    Raises:
        TypeError: if the dtypes differ.
        ValueError: if there are not as many numbers as channels.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.bias_add(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])))
        [[4. 6.]]
    """
    x, numbers = need_tensor(input_x, "bias_add", "input_x"), need_tensor(bias, "bias_add", "bias")
    if x.ndim < 2:
        raise ValueError(f"bias_add needs at least two dimensions, but got shape {x.shape}")
    if x.dtype is not numbers.dtype:
        raise TypeError(
            f"bias_add: 'input_x' of {x.dtype} and 'bias' of {numbers.dtype} should have one dtype"
            f"{dtypes.as_one(x.dtype, numbers.dtype)}"
        )
    return add_channels(x, numbers, "bias_add")


@known_as(primitive="Dense")
def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight.T + bias.

    Args:
        input: of shape (…, in_channels).
        weight: of shape (out_channels, in_channels), or (in_channels).
        bias: of shape (out_channels).

    Raises:
        TypeError: if the dtypes differ.
        ValueError: if the sizes do not fit.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.dense(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0, 4.0]]), ms.Tensor([1.0])))
        [[12.]]
    """
    x, matrix = need_tensor(input, "dense"), need_tensor(weight, "dense", "weight")
    if x.ndim == 0 or matrix.ndim not in (1, 2):
        raise ValueError(f"dense: an input of shape {x.shape} and a weight of shape {matrix.shape} do not fit")
    if x.dtype is not matrix.dtype:
        raise TypeError(
            f"dense: 'input' of {x.dtype} and 'weight' of {matrix.dtype} should have one dtype"
            f"{dtypes.as_one(x.dtype, matrix.dtype)}"
        )
    inner, expected = shape_of(x)[-1], shape_of(matrix)[-1]
    if inner is not None and expected is not None and inner != expected:
        raise ValueError(
            f"dense: the input dimensions must be equal, but 'input' of shape {x.shape} has {inner} and 'weight' of "
            f"shape {matrix.shape} has {expected}"
        )
    if matrix.ndim == 2:
        matrix = apply(prims.transpose, matrix, axes=(1, 0))
    out = apply(prims.matmul, x, matrix)
    return out if bias is None else apply(prims.add, out, cast(need_tensor(bias, "dense", "bias"), out.dtype))


@common
def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1 @ W[k] @ x2 for each of the matrices k, plus a bias: a bilinear layer.

    Args:
        input1, input2: of shapes (…, n1) and (…, n2).
        weight: of shape (outputs, n1, n2).
        bias: of shape (outputs).

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.bidense(Tensor([[1.0]]), Tensor([[2.0]]), Tensor([[[3.0]]])))
        [[6.]]
    """
    x, y, matrices = floating(input1, "bidense"), floating(input2, "bidense"), floating(weight, "bidense")
    if matrices.ndim != 3 or (x.shape[-1], y.shape[-1]) != tuple(matrices.shape[1:]):
        raise ValueError(f"bidense: shapes {x.shape} and {y.shape} do not fit a weight of shape {matrices.shape}")
    outputs, inner, other = map(int, matrices.shape)
    rows = reshape(x, (-1, inner))
    flat = reshape(apply(prims.transpose, matrices, axes=(1, 0, 2)), (inner, outputs * other))
    mixed = reshape(apply(prims.matmul, rows, flat), (-1, outputs, other))
    scaled = apply(prims.multiply, mixed, reshape(y, (-1, 1, other)))
    out = reshape(apply(prims.sum, scaled, axis=(2,), keepdims=False), (*x.shape[:-1], outputs))
    return out if bias is None else apply(prims.add, out, cast(bias, out.dtype))


@known_as(functional=True)
def embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False,
) -> Tensor:  # fmt: skip
    """The rows of a table at some indices.

    Args:
        input: indices of any shape.
        weight: the table, of shape (rows, width).
        padding_idx: a row that receives no gradient.
        max_norm: the largest norm, of the order `norm_type`, of rows; used ones that are larger are scaled down.
        norm_type: the order of that norm.
        scale_grad_by_freq: whether gradients are divided by how often the row is used.

    Raises:
        ValueError: if the table is no matrix.

    Examples:
        >>> print(ops.embedding(Tensor([1, 0]), Tensor([[1.0], [2.0]])))
        [[2.]
         [1.]]
    """
    places, table = need_positions(input, "embedding", "input"), need_tensor(weight, "embedding", "weight")
    if table.ndim != 2:
        raise ValueError(f"embedding: 'weight' should be a matrix, but its shape is {table.shape}")
    rows = int(table.shape[0])
    if max_norm is not None:
        _limit_rows(places, table, float(max_norm), float(norm_type))
    source = table
    if scale_grad_by_freq:
        counts = apply(prims.full, shape=(rows,), value=0, dtype=dtypes.int32)
        often = cast(apply(prims.take_add, counts, reshape(places, (-1,)), 1, axis=0), table.dtype)
        share = reshape(apply(prims.divide, 1.0, apply(prims.maximum, often, 1.0)), (rows, 1))
        source = _scale_gradient(table, share)
    out = apply(prims.take, source, places, axis=0)
    if padding_idx is None:
        return out
    if not -rows <= padding_idx < rows:
        raise ValueError(f"embedding: 'padding_idx' should be in [{-rows}, {rows}), but got {padding_idx}")
    padded = apply(prims.equal, places, padding_idx % rows)
    frozen = apply(prims.stop_gradient, out)
    return apply(prims.select, insert_axes(padded, (places.ndim,)), frozen, out)


def _scale_gradient(x: Tensor, factor: Tensor) -> Tensor:
    """x itself, whose gradient is multiplied by a factor."""
    scaled = apply(prims.multiply, x, factor)
    return apply(prims.add, scaled, apply(prims.stop_gradient, apply(prims.subtract, x, scaled)))


def _limit_rows(places: Tensor, table: Tensor, max_norm: float, order: float) -> None:
    from ...frontend.values.inplace import assign_inplace

    sizes = apply(prims.power, apply(prims.absolute, table), order)
    norms = apply(prims.power, apply(prims.sum, sizes, axis=(1,), keepdims=True), 1.0 / order)
    factor = apply(prims.divide, max_norm, apply(prims.add, norms, 1e-7))
    limited = apply(prims.select, apply(prims.greater, norms, max_norm), apply(prims.multiply, table, factor), table)
    flat = reshape(places, (-1,))
    new = apply(prims.index_update, table, apply(prims.take, limited, flat, axis=0), flat, spec=(prims.OPERAND,))
    assign_inplace(table, new)

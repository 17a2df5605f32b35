"""Basic layers: Dense, Dropout, Flatten, OneHot and other layers without a family."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...frontend.errors.classes import not_a_tensor
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..initializer import HeUniform, Uniform, initializer
from .activation import get_activation
from .checks import check_bool, check_int, check_positive_int

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "BiDense",
    "ClipByNorm",
    "Dense",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "Flatten",
    "Identity",
    "L1Regularizer",
    "Linear",
    "Norm",
    "OneHot",
    "ResizeBilinear",
    "Roll",
    "TimeDistributed",
    "Tril",
    "Triu",
    "Unflatten",
]


def weight_parameter(init: Any, shape: tuple[int, ...], dtype: Any, name: str, owner: str) -> Parameter:
    """A Parameter of the shape; a Tensor as initializer should have that shape. ValueError if it has not."""
    if isinstance(init, Tensor) and tuple(init.shape) != shape:
        raise ValueError(f"{owner}: the tensor for '{name}' should have shape {shape}, but has {tuple(init.shape)}")
    return Parameter(initializer(init, shape, dtype), name=name)


def fan_bound(fan: int) -> Uniform:
    """The initializer of a bias: uniform in ±1/sqrt(fan)."""
    return Uniform(1 / math.sqrt(fan) if fan else 0.0)


class Identity(Cell):
    """Returns its input.

    Args:
        args, kwargs: ignored.
    """

    _takes_tensors = False  # it takes anything

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Any) -> Any:
        """The input."""
        return input


class Dense(Cell):
    r"""A fully connected layer: activation(x · weightᵀ + bias).

    Args:
        in_channels: size of the input's last axis.
        out_channels: size of the output's last axis.
        weight_init: initializer of the weight [out_channels, in_channels]; None: HeUniform(sqrt(5)).
        bias_init: initializer of the bias [out_channels]; None: uniform in ±1/sqrt(in_channels).
        has_bias: whether there is a bias.
        activation: None, a name such as 'relu', or a Cell.
        dtype: of the Parameters.

    Inputs:
        x: [..., in_channels].

    Outputs:
        [..., out_channels].

    Raises:
        TypeError: if an argument is of the wrong type.
        ValueError: if the last axis of the input is not in_channels.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> layer = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        >>> print(layer(ms.Tensor([[1.0, 2.0, 3.0]])))
        [[6. 6.]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self.in_channels = check_positive_int(in_channels, "in_channels", "Dense")
        self.out_channels = check_positive_int(out_channels, "out_channels", "Dense")
        self.has_bias = check_bool(has_bias, "has_bias", "Dense")
        weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = weight_parameter(weight_init, (out_channels, in_channels), dtype, "weight", "Dense")
        self.bias: Any = None
        if has_bias:
            bias_init = fan_bound(in_channels) if bias_init is None else bias_init
            self.bias = weight_parameter(bias_init, (out_channels,), dtype, "bias", "Dense")
        self.activation: Any = get_activation(activation) if isinstance(activation, str) else activation
        if activation is not None and not callable(self.activation):
            raise TypeError(
                f"For 'Dense', the 'activation' should be a name or a Cell, but got {type(activation).__name__}"
            )
        self.activation_flag = self.activation is not None

    def construct(self, x: Any) -> Any:
        """x · weightᵀ + bias."""
        width = x.shape[-1] if x.ndim else None
        if width != self.in_channels:
            raise ValueError(
                "Dense: the input dimensions must be equal to the weight's, but the last axis of the input is "
                f"{width} and in_channels is {self.in_channels}"
            )
        weight, bias = match_dtype(x, self.weight), None if self.bias is None else match_dtype(x, self.bias)
        out = ops.dense(x, weight, bias)
        return self.activation(out) if self.activation_flag else out

    def extend_repr(self) -> str:
        """Sizes and options."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        if self.activation_flag:
            text += f", activation={self.activation}"
        return text


def match_dtype(x: Any, parameter: Any) -> Any:
    """The Parameter in the dtype of a floating-point input narrower than it, as layers after `to_float` get."""
    dtype = x.dtype
    if parameter.dtype is not dtype and dtype.is_float and dtype.bits < parameter.dtype.bits:
        return parameter.astype(dtype)
    return parameter


class Flatten(Cell):
    """Joins axes into one.

    Args:
        start_dim, end_dim: the first and the last axis to join.

    Inputs:
        x: at least `start_dim + 1` dimensions.

    Raises:
        TypeError: if the axes are no ints, or the input is no Tensor.
        ValueError: if an axis is out of range.
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = check_int(start_dim, "start_dim", "Flatten")
        self.end_dim = check_int(end_dim, "end_dim", "Flatten")

    def construct(self, x: Any) -> Any:
        """x with axes joined."""
        if not isinstance(x, Tensor):
            raise not_a_tensor("Flatten", "x", x)
        if x.ndim and not (-x.ndim <= self.start_dim < x.ndim and -x.ndim <= self.end_dim < x.ndim):
            raise ValueError(
                f"Flatten: 'start_dim' {self.start_dim} or 'end_dim' {self.end_dim} is out of range for shape {x.shape}"
            )
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    """Splits an axis into several.

    Args:
        axis: the axis.
        unflattened_size: the shape that it becomes.
    """

    def __init__(self, axis: int, unflattened_size: Any) -> None:
        super().__init__()
        self.axis = check_int(axis, "axis", "Unflatten")
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                "For 'Unflatten', the 'unflattened_size' should be a tuple or list, but got "
                f"{type(unflattened_size).__name__}"
            )
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, input: Any) -> Any:
        """The input with the axis split."""
        axis = self.axis % input.ndim
        return ops.reshape(input, (*input.shape[:axis], *self.unflattened_size, *input.shape[axis + 1 :]))


class Dropout(Cell):
    """In training sets elements to zero at random and scales the others, so that the mean stays.

    Args:
        keep_prob: the share that is kept; deprecated, `p` goes before it.
        p: the share that is set to zero, in [0, 1).
        dtype: accepted, without meaning.

    Raises:
        ValueError: if p is outside [0, 1), or keep_prob outside (0, 1].

    Examples:
        >>> import mycel as ms
        >>> layer = ms.nn.Dropout(p=0.5)
        >>> print(layer(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__()
        if p is None:
            if isinstance(keep_prob, bool) or not isinstance(keep_prob, (int, float)):
                raise TypeError(
                    f"For 'Dropout', the 'keep_prob' should be a number, but got {type(keep_prob).__name__}"
                )
            if not 0 < keep_prob <= 1:
                raise ValueError(f"For 'Dropout', the 'keep_prob' should be in (0, 1], but got {keep_prob}")
        else:
            _check_share(p, "Dropout", below_one=True)
        self.keep_prob = keep_prob
        self.p = p
        self.dtype = dtype

    def construct(self, x: Any) -> Any:
        """x, in training with dropout."""
        share = 1.0 - self.keep_prob if self.p is None else self.p
        if not self.training or share == 0:
            return x
        return ops.dropout(x, share)

    def extend_repr(self) -> str:
        """The share."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


def _check_share(p: Any, owner: str, below_one: bool = False) -> None:
    if isinstance(p, bool) or not isinstance(p, (int, float)):
        raise TypeError(f"For '{owner}', the 'p' should be a number, but got {type(p).__name__}")
    if not (0 <= p < 1 if below_one else 0 <= p <= 1):
        raise ValueError(f"For '{owner}', the 'p' should be in [0, 1{')' if below_one else ']'}, but got {p}")


class _DropoutChannels(Cell):
    """In training sets whole channels to zero at random."""

    function: Callable[..., Any]

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        _check_share(p, type(self).__name__)
        self.prob = p

    def construct(self, x: Any) -> Any:
        """x, in training with dropout."""
        if not self.training or self.prob == 0:
            return x
        return type(self).function(x, self.prob)

    def extend_repr(self) -> str:
        """The share."""
        return f"p={self.prob}"


class Dropout1d(_DropoutChannels):
    """Dropout of channels of [N, C, L] or [C, L].

    Args:
        p: the share of channels set to zero, in [0, 1].
    """

    function = staticmethod(lambda x, p: ops.dropout1d(x, p))


class Dropout2d(_DropoutChannels):
    """Dropout of channels of [N, C, H, W] or [C, H, W].

    Args:
        p: the share of channels set to zero, in [0, 1].
    """

    function = staticmethod(lambda x, p: ops.dropout2d(x, p))


class Dropout3d(_DropoutChannels):
    """Dropout of channels of [N, C, D, H, W] or [C, D, H, W].

    Args:
        p: the share of channels set to zero, in [0, 1].
    """

    function = staticmethod(lambda x, p: ops.dropout3d(x, p))


class OneHot(Cell):
    """Vectors with one value at the index and another elsewhere.

    Args:
        axis: where the new axis goes.
        depth: its size.
        on_value, off_value: the two values.
        dtype: of the result.

    Inputs:
        indices: ints of any shape.
    """

    def __init__(
        self,
        axis: int = -1,
        depth: int = 1,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self.axis = axis
        self.depth = depth
        self.dtype = dtypes.as_dtype(dtype)
        self.on_value = Tensor(on_value, self.dtype)
        self.off_value = Tensor(off_value, self.dtype)

    def construct(self, indices: Any) -> Any:
        """The one-hot vectors of the indices."""
        return ops.one_hot(indices, self.depth, self.on_value, self.off_value, self.axis)


class BiDense(Cell):
    """A bilinear layer: out[k] = x1ᵀ · weight[k] · x2 + bias[k].

    Args:
        in1_channels, in2_channels, out_channels: sizes of the last axes.
        weight_init: initializer of the weight [out_channels, in1_channels, in2_channels]; None: uniform in
            ±1/sqrt(in1_channels).
        bias_init: initializer of the bias; None: the same.
        has_bias: whether there is a bias.
        dtype: of the Parameters.

    Inputs:
        input1: [..., in1_channels]. input2: [..., in2_channels].
    """

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self.in1_channels = check_positive_int(in1_channels, "in1_channels", "BiDense")
        self.in2_channels = check_positive_int(in2_channels, "in2_channels", "BiDense")
        self.out_channels = check_positive_int(out_channels, "out_channels", "BiDense")
        self.has_bias = check_bool(has_bias, "has_bias", "BiDense")
        shape = (out_channels, in1_channels, in2_channels)
        bound = fan_bound(in1_channels)
        self.weight = weight_parameter(bound if weight_init is None else weight_init, shape, dtype, "weight", "BiDense")
        self.bias: Any = None
        if has_bias:
            init = bound if bias_init is None else bias_init
            self.bias = weight_parameter(init, (out_channels,), dtype, "bias", "BiDense")

    def construct(self, input1: Any, input2: Any) -> Any:
        """The bilinear form of both inputs."""
        width1, width2 = input1._type.shape[-1], input2._type.shape[-1]
        if width1 != self.in1_channels or width2 != self.in2_channels:
            raise ValueError(
                f"BiDense: the last axes of the inputs should be {self.in1_channels} and {self.in2_channels}, but are "
                f"{width1} and {width2}"
            )
        lead = input1.shape[:-1]
        first = ops.reshape(input1, (-1, self.in1_channels))
        second = ops.reshape(input2, (-1, self.in2_channels))
        matrix = ops.reshape(ops.transpose(self.weight, (1, 0, 2)), (self.in1_channels, -1))
        rows = ops.reshape(ops.matmul(first, matrix), (-1, self.out_channels, self.in2_channels))
        out = ops.sum(rows * ops.expand_dims(second, 1), -1)
        if self.bias is not None:
            out = out + self.bias
        return ops.reshape(out, (*lead, self.out_channels))

    def extend_repr(self) -> str:
        """Sizes and options."""
        text = (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, output_channels={self.out_channels}"
        )
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


class Linear(Dense):
    """`Dense` under the names of `mint.nn.Linear`.

    Args:
        in_features, out_features: sizes of the last axes.
        bias: whether there is a bias.
        weight_init, bias_init: initializers.
        dtype: of the Parameters.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_features, out_features, weight_init, bias_init, bias, dtype=dtypes.float32 if dtype is None else dtype
        )
        self.in_features = in_features
        self.out_features = out_features

    def extend_repr(self) -> str:
        """Sizes and options."""
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


class Norm(Cell):
    """The Euclidean norm over axes.

    Args:
        axis: an axis or a tuple of axes; (): all.
        keep_dims: whether they stay with size one.
    """

    def __init__(self, axis: Any = (), keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = axis
        self.keep_dims = check_bool(keep_dims, "keep_dims", "Norm")

    def construct(self, x: Any) -> Any:
        """The norm."""
        return ops.sqrt(ops.reduce_sum(ops.square(x), self.axis, self.keep_dims))

    def extend_repr(self) -> str:
        """Options."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class ClipByNorm(Cell):
    """Scales x down to a norm where its own is larger.

    Args:
        axis: axes of the norm; None: all.

    Inputs:
        x: any shape. clip_norm: positive, a 0-d tensor or one that broadcasts.
    """

    def __init__(self, axis: Any = None) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any, clip_norm: Any) -> Any:
        """x, scaled down."""
        axes = () if self.axis is None else self.axis
        wide = ops.cast(x, dtypes.float32)
        norm = ops.sqrt(ops.reduce_sum(ops.square(wide), axes, True))
        return ops.cast(wide * clip_norm / ops.maximum(norm, clip_norm), x.dtype)


class L1Regularizer(Cell):
    """scale · sum(|x|).

    Args:
        scale: positive.
    """

    def __init__(self, scale: float) -> None:
        super().__init__()
        if isinstance(scale, bool) or not isinstance(scale, (int, float)):
            raise TypeError(f"For 'L1Regularizer', the 'scale' should be a number, but got {type(scale).__name__}")
        if scale <= 0:
            raise ValueError(f"For 'L1Regularizer', the 'scale' should be positive, but got {scale}")
        self.scale = float(scale)

    def construct(self, weights: Any) -> Any:
        """The regularizer."""
        return ops.sum(ops.abs(weights)) * self.scale


class Roll(Cell):
    """Moves elements along axes; what goes over the end comes in at the start.

    Args:
        shift: an int or a tuple of ints.
        axis: as many axes.
    """

    def __init__(self, shift: Any, axis: Any) -> None:
        super().__init__()
        self.shift = shift
        self.axis = axis

    def construct(self, input_x: Any) -> Any:
        """The moved input."""
        return ops.roll(input_x, self.shift, self.axis)


class Tril(Cell):
    """The lower triangle of matrices; zeros above."""

    def construct(self, x: Any, k: int = 0) -> Any:
        """x without what is above diagonal k."""
        return ops.tril(x, k)


class Triu(Cell):
    """The upper triangle of matrices; zeros below."""

    def construct(self, x: Any, k: int = 0) -> Any:
        """x without what is below diagonal k."""
        return ops.triu(x, k)


class TimeDistributed(Cell):
    """Applies a layer to each time step.

    Args:
        layer: a Cell.
        time_axis: the axis of time.
        reshape_with_axis: accepted; the batch is the first axis.
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None) -> None:
        super().__init__()
        self.layer = layer
        self.time_axis = check_int(time_axis, "time_axis", "TimeDistributed")
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Any) -> Any:
        """The layer's outputs, one for each step."""
        axis = self.time_axis % inputs.ndim
        steps = [self.layer(item) for item in ops.unstack(inputs, axis)]
        return ops.stack(steps, axis)


class ResizeBilinear(Cell):
    """Resizes images [N, C, H, W] by bilinear interpolation.

    Args:
        half_pixel_centers: whether the centres of pixels are at half steps.

    Inputs:
        x: images. size: (height, width), or scale_factor: an int. align_corners: whether corners stay corners.
    """

    def __init__(self, half_pixel_centers: bool = False) -> None:
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(self, x: Any, size: Any = None, scale_factor: int | None = None, align_corners: bool = False) -> Any:
        """The resized images."""
        if (size is None) == (scale_factor is None):
            raise ValueError("ResizeBilinear needs either 'size' or 'scale_factor'")
        if scale_factor is not None:
            size = (x.shape[2] * scale_factor, x.shape[3] * scale_factor)
        return ops.ResizeBilinear(tuple(size), align_corners, self.half_pixel_centers)(x)

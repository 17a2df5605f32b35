"""Fully connected layers, and the base of layers with a weight and a bias."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..initializer import HeUniform, Uniform
from .activation import get_activation
from .checks import check_bool, check_positive_int
from .held import primitives
from .initial_parameter import initial_parameter

_TAKES_TENSORS = True

__all__ = ["BiDense", "Dense", "Linear"]


_SHARDED = {"matmul", "bias_add"}  # primitives that may have strategies for several processes, once they are made


def weight_parameter(init: Any, shape: tuple[int, ...], dtype: Any, name: str, owner: str) -> Parameter:
    """A Parameter of the shape; a Tensor as initializer should have that shape. ValueError if it has not."""
    if isinstance(init, Tensor) and tuple(init.shape) != shape:
        raise ValueError(f"{owner}: the tensor for '{name}' should have shape {shape}, but has {tuple(init.shape)}")
    return initial_parameter(init, shape, dtype, name)


def fan_bound(fan: int) -> Uniform:
    """The initializer of a bias: uniform in ±1/sqrt(fan)."""
    return Uniform(1 / math.sqrt(fan) if fan else 0.0)


def match_dtype(x: Any, parameter: Any, layer: Cell | None = None) -> Any:
    """The Parameter in the dtype of a floating-point input narrower than it, as layers after `to_float` get.

    TypeError for a `layer` without `to_float`.
    """
    dtype = x.dtype
    if parameter.dtype is not dtype and dtype.is_float and dtype.bits < parameter.dtype.bits:
        if layer is not None and layer._float_dtype is None:
            narrow, wide = str(dtype), str(parameter.dtype)
            raise TypeError(
                f"{type(layer).__name__}: the dtypes of input and Parameters should be same, but are {narrow} and "
                f"{wide}: cast the input, with .astype(mycel.{wide.lower()}), or let the layer compute in "
                f"{narrow}, with its to_float(mycel.{narrow.lower()})"
            )
        return parameter.astype(dtype)
    return parameter


class Dense(Cell):
    """A fully connected layer: activation(x · weightᵀ + bias).

    Args:
        in_channels: a positive int, the size of the input's last axis.
        out_channels: a positive int, the size of the output's last axis.
        weight_init: initializer of the weight [out_channels, in_channels], or a Tensor of this shape. Default: None,
            for HeUniform(sqrt(5)).
        bias_init: initializer of the bias [out_channels]. Default: None, for uniform numbers within ±1 /
            sqrt(in_channels).
        has_bias: whether a bias is added. Default: True.
        activation: a name such as 'relu', or a Cell. Default: None, for none.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        x: a float tensor of shape [..., in_channels].

    Outputs:
        A tensor of the dtype of x, of shape [..., out_channels].

    Raises:
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if a size is not positive, a Tensor for the weight has another shape, or the last axis of x is not
            in_channels.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> layer = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        >>> print(layer(ms.Tensor([[1.0, 2.0, 3.0]])))
        [[6. 6.]]
    """

    _held = primitives("Reshape BiasAdd", shape_op="Shape", matmul=lambda layer: ops.MatMul(transpose_b=True))

    def __init__(
        self, in_channels: int, out_channels: int, weight_init: Any = None, bias_init: Any = None,
        has_bias: bool = True, activation: Any = None, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
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

    def construct(self, x: Any) -> Tensor:
        """x · weightᵀ + bias."""
        width = x._type.shape[-1] if x.ndim else None
        if not x.ndim or width not in (None, self.in_channels):  # a size that only the run knows is None
            raise ValueError(
                "Dense: the input dimensions must be equal to the weight's, but the last axis of the input is "
                f"{width} and in_channels is {self.in_channels}"
            )
        weight, bias = match_dtype(x, self.weight, self), None if self.bias is None else match_dtype(x, self.bias)
        out = self._from_parts(x, weight, bias) if _SHARDED & self.__dict__.keys() else ops.dense(x, weight, bias)
        return self.activation(out) if self.activation_flag else out

    def _from_parts(self, x: Any, weight: Any, bias: Any) -> Tensor:
        """x · weightᵀ + bias by the primitives, if they have strategies."""
        if not (self.matmul.is_sharded or self.bias_add.is_sharded):
            return ops.dense(x, weight, bias)
        out = self.matmul(x.reshape((-1, self.in_channels)), weight)
        out = out if bias is None else self.bias_add(out, bias)
        return out if x.ndim == 2 else out.reshape((*x.shape[:-1], self.out_channels))

    def extend_repr(self) -> str:
        """Sizes and options."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        if self.activation_flag:
            text += f", activation={self.activation}"
        return text


class BiDense(Cell):
    """A bilinear layer of two inputs: out[k] = x1ᵀ · weight[k] · x2 + bias[k].

    Args:
        in1_channels: a positive int, the size of the first input's last axis.
        in2_channels: a positive int, the size of the second input's last axis.
        out_channels: a positive int, the size of the output's last axis.
        weight_init: initializer of the weight [out_channels, in1_channels, in2_channels]. Default: None, for uniform
            numbers within ±1 / sqrt(in1_channels).
        bias_init: initializer of the bias [out_channels]. Default: None, for the same.
        has_bias: whether a bias is added. Default: True.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        input1: a float tensor of shape [..., in1_channels].
        input2: a float tensor of shape [..., in2_channels], with the same shape before the last axis.

    Outputs:
        A float tensor of shape [..., out_channels].

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if a size is not positive, or the last axes of the inputs have other sizes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> layer = nn.BiDense(2, 2, 1, weight_init="ones", bias_init="zeros")
        >>> print(layer(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
        [[21.]]
    """

    _held = primitives("BiasAdd", matmul="MatMul")

    def __init__(
        self, in1_channels: int, in2_channels: int, out_channels: int, weight_init: Any = None, bias_init: Any = None,
        has_bias: bool = True, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
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

    def construct(self, input1: Any, input2: Any) -> Tensor:
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
    """A fully connected layer under the names of `mint.nn.Linear`: x · weightᵀ + bias.

    Args:
        in_features: a positive int, the size of the input's last axis.
        out_features: a positive int, the size of the output's last axis.
        bias: whether a bias is added. Default: True.
        weight_init: initializer of the weight [out_features, in_features]. Default: None, for HeUniform(sqrt(5)).
        bias_init: initializer of the bias [out_features]. Default: None, for uniform numbers within ±1 /
            sqrt(in_features).
        dtype: the dtype of the Parameters. Default: None, for float32.

    Inputs:
        x: a float tensor of shape [..., in_features].

    Outputs:
        A tensor of the dtype of x, of shape [..., out_features].

    Raises:
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if a size is not positive, or the last axis of x is not in_features.

    Examples:
        >>> from mycel import Tensor, nn
        >>> layer = nn.Linear(2, 1, weight_init="ones", bias_init="ones")
        >>> print(layer(Tensor([[1.0, 2.0]])))
        [[4.]]
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, weight_init: Any = None, bias_init: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_features, out_features, weight_init, bias_init, bias, dtype=dtypes.float32 if dtype is None else dtype
        )
        self.in_features = in_features
        self.out_features = out_features

    def extend_repr(self) -> str:
        """Sizes and options."""
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text

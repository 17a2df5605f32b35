"""A convolution or dense layer with batch normalization and activation in one Cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .activation import LeakyReLU, get_activation
from .checks import check_bool
from .conv import Conv2d
from .dense import Dense
from .normalization import BatchNorm1d, BatchNorm2d

_TAKES_TENSORS = True

__all__ = ["Conv2dBnAct", "DenseBnAct"]


class _BnAct(Cell):
    """A layer, then if asked for batch normalization and an activation."""

    def _set_up(self, has_bn: bool, norm: Callable[[], Cell], after_fake: bool, activation: Any, alpha: float) -> None:
        self.has_bn = check_bool(has_bn, "has_bn", type(self).__name__)
        if has_bn:
            self.batchnorm = norm()
        self.after_fake = after_fake
        self.activation: Any = get_activation(activation) if isinstance(activation, str) else activation
        self.has_act = self.activation is not None
        if not self.has_act:
            return
        if activation == "leakyrelu":
            self.activation = LeakyReLU(alpha)
        elif not isinstance(self.activation, Cell):
            raise TypeError(
                f"For '{type(self).__name__}', the 'activation' should be a name or a Cell, but got "
                f"{type(activation).__name__}"
            )

    def _finished(self, x: Any) -> Tensor:
        if self.has_bn:
            x = self.batchnorm(x)
        return self.activation(x) if self.has_act else x


class Conv2dBnAct(_BnAct):
    """`Conv2d`, then if asked for `BatchNorm2d`, then if asked for an activation.

    Args:
        in_channels, out_channels: positive ints, the channels of input and output.
        kernel_size, stride, pad_mode, padding, dilation, group, has_bias: as for `Conv2d`, with its defaults.
        weight_init, bias_init: initializers of weight and bias. Default: 'normal' and 'zeros'.
        has_bn: whether there is batch normalization. Default: False.
        momentum, eps: numbers, those of `BatchNorm2d`. Default: 0.997 and 1e-5.
        activation: a name or a Cell. Default: None, for none.
        alpha: a number, the slope of 'leakyrelu'. Default: 0.2.
        after_fake: accepted, without meaning. Default: True.

    Inputs:
        x: a float tensor of shape [N, in_channels, H, W].

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels, H_out, W_out], with the sizes of `Conv2d`.

    Raises:
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if a number is out of range, or x has other dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.Conv2dBnAct(1, 2, 3, has_bn=True, activation="relu")
        >>> print(layer(ops.ones((1, 1, 4, 4))).shape)
        (1, 2, 4, 4)
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = "normal",
        bias_init: Any = "zeros", has_bn: bool = False, momentum: float = 0.997, eps: float = 1e-5,
        activation: Any = None, alpha: float = 0.2, after_fake: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.conv = Conv2d(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init,
        )  # fmt: skip
        self._set_up(has_bn, lambda: BatchNorm2d(out_channels, eps, momentum), after_fake, activation, alpha)

    def construct(self, x: Any) -> Tensor:
        """The output of the last of them."""
        return self._finished(self.conv(x))


class DenseBnAct(_BnAct):
    """`Dense`, then if asked for `BatchNorm1d`, then if asked for an activation.

    Args:
        in_channels, out_channels: positive ints, the sizes of the last axes.
        has_bias: whether a bias is added. Default: True.
        momentum, eps: numbers, those of `BatchNorm1d`. Default: 0.9 and 1e-5.
        weight_init, bias_init, has_bn, activation, alpha, after_fake: as for `Conv2dBnAct`.

    Inputs:
        x: a float tensor of shape [N, in_channels].

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels].

    Raises:
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if a number is out of range, or x has other dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.DenseBnAct(3, 2, has_bn=True, activation="relu")
        >>> print(layer(ops.ones((4, 3))).shape)
        (4, 2)
    """

    def __init__(
        self, in_channels: int, out_channels: int, weight_init: Any = "normal", bias_init: Any = "zeros",
        has_bias: bool = True, has_bn: bool = False, momentum: float = 0.9, eps: float = 1e-5, activation: Any = None,
        alpha: float = 0.2, after_fake: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self._set_up(has_bn, lambda: BatchNorm1d(out_channels, eps, momentum), after_fake, activation, alpha)

    def construct(self, x: Any) -> Tensor:
        """The output of the last of them."""
        return self._finished(self.dense(x))

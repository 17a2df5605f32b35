"""Normalization of each item by itself: over layers, groups of channels, single images and near channels."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_float
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..initializer import initializer
from .checks import check_bool, check_choice, check_number, check_positive_int, check_rank, check_share, need_type
from .held import primitives
from .sections import NORMALIZED, sections

_TAKES_TENSORS = True

__all__ = [
    "LRN", "GroupNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LayerNorm",
]  # fmt: skip


def wide_dtype(x: Any) -> Any:
    """The dtype that statistics of x are computed in: float32 at least."""
    return dtypes.float32 if x.dtype.is_half else need_float(x, "normalization").dtype


def normalized(x: Any, axes: tuple[int, ...], epsilon: float) -> Any:
    """x with mean 0 and variance 1 over the axes, in float32 at least."""
    wide = ops.cast(x, wide_dtype(x))
    centred = wide - ops.mean(wide, axes, True)
    return centred * ops.rsqrt(ops.mean(ops.square(centred), axes, True) + epsilon)


def per_channel(vector: Any, x: Any) -> Any:
    """A vector with one number for each channel in a shape that broadcasts with x [N, C, …]."""
    return vector if x.ndim == 2 else ops.reshape(vector, (x._type.shape[1], *[1] * (x.ndim - 2)))


class _InstanceNorm(Cell):
    rank = 4
    _held = primitives("Shape", instance_bn=lambda layer: ops.InstanceNorm(layer.eps, layer.momentum))

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.num_features = check_positive_int(num_features, "num_features", owner)
        self.eps = check_number(eps, "eps", owner)
        self.momentum, self.affine = check_share(momentum, "momentum", owner), check_bool(affine, "affine", owner)
        shape = (num_features,)
        self.moving_mean = Parameter(initializer("zeros", shape, dtype), name="mean", requires_grad=False)
        self.moving_variance = Parameter(initializer("ones", shape, dtype), name="variance", requires_grad=False)
        self.gamma = Parameter(initializer(gamma_init, shape, dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape, dtype), name="beta", requires_grad=affine)

    def construct(self, x: Any) -> Tensor:
        """Each channel of each image normalized by itself."""
        owner = type(self).__name__
        check_rank(x, (self.rank,), owner)
        if x._type.shape[1] not in (None, self.num_features):
            raise ValueError(
                f"{owner}: the input should have num_features = {self.num_features} channels, but "
                f"its shape is {x.shape}"
            )
        out = normalized(x, tuple(range(2, x.ndim)), self.eps)
        return ops.cast(out * per_channel(self.gamma, x) + per_channel(self.beta, x), x.dtype)

    def extend_repr(self) -> str:
        """Sizes, options and Parameters."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


@sections(**NORMALIZED)
class InstanceNorm1d(_InstanceNorm):
    """Normalization of each channel of each sequence by itself: (x - mean) / sqrt(variance + eps) · gamma + beta.

    Args:
        num_features: a positive int, C.
        eps: a number, added to the variance. Default: 1e-5.
        momentum: a number in [0, 1], accepted without meaning: there are no moving statistics. Default: 0.1.
        affine: whether gamma and beta are trained. Default: True.
        gamma_init: initializer of gamma [C]. Default: 'ones'.
        beta_init: initializer of beta [C]. Default: 'zeros'.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        x: a float tensor of shape [N, C, L].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.InstanceNorm1d(1)(Tensor([[[1.0, 3.0]]])))
        [[[-0.999995  0.999995]]]
    """

    rank = 3


@sections(**NORMALIZED)
class InstanceNorm2d(_InstanceNorm):
    """Normalization of each channel of each image by itself: (x - mean) / sqrt(variance + eps) · gamma + beta.

    Args:
        num_features, eps, momentum, affine, gamma_init, beta_init, dtype: as for `InstanceNorm1d`.

    Inputs:
        x: a float tensor of shape [N, C, H, W].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.InstanceNorm2d(1)(Tensor([[[[1.0, 3.0]]]])))
        [[[[-0.999995  0.999995]]]]
    """


@sections(**NORMALIZED)
class InstanceNorm3d(_InstanceNorm):
    """Normalization of each channel of each volume by itself: (x - mean) / sqrt(variance + eps) · gamma + beta.

    Args:
        num_features, eps, momentum, affine, gamma_init, beta_init, dtype: as for `InstanceNorm1d`.

    Inputs:
        x: a float tensor of shape [N, C, D, H, W].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.InstanceNorm3d(1)(Tensor([[[[[1.0, 3.0]]]]])))
        [[[[[-0.999995  0.999995]]]]]
    """

    rank = 5


class LayerNorm(Cell):
    """Normalization over the last axes of each item: (x - mean) / sqrt(variance + epsilon) · gamma + beta.

    Args:
        normalized_shape: a tuple or list of ints, the shape of gamma and beta.
        begin_norm_axis: an int, the first axis that is normalized. Default: -1.
        begin_params_axis: an int, the first axis of the input that gamma and beta have. Default: -1.
        gamma_init: initializer of gamma. Default: 'ones'.
        beta_init: initializer of beta. Default: 'zeros'.
        epsilon: a number, added to the variance. Default: 1e-7.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        input_x: a float tensor of shape [..., *normalized_shape].

    Outputs:
        A tensor of the shape and dtype of the input.

    Raises:
        TypeError: if `normalized_shape` is no tuple or list, or the input is no Tensor.
        ValueError: if `normalized_shape` is empty or not the shape of the input's last axes, or an axis is out of
            range.

    Examples:
        >>> from mycel import Tensor, nn
        >>> layer = nn.LayerNorm((2,))
        >>> print(layer(Tensor([[1.0, 3.0]])))
        [[-1.  1.]]
    """

    _held = primitives(
        layer_norm=lambda layer: ops.LayerNorm(layer.begin_norm_axis, layer.begin_params_axis, layer.epsilon)
    )

    def __init__(
        self, normalized_shape: Any, begin_norm_axis: int = -1, begin_params_axis: int = -1, gamma_init: Any = "ones",
        beta_init: Any = "zeros", epsilon: float = 1e-7, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        need_type(normalized_shape, tuple | list, "For 'LayerNorm', the 'normalized_shape' should be a tuple or list")
        if not normalized_shape:
            raise ValueError("For 'LayerNorm', the 'normalized_shape' should not be empty")
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, self.normalized_shape, dtype), name="beta")

    def construct(self, input_x: Any) -> Tensor:
        """x normalized."""
        shape = input_x._type.shape
        rank = len(shape)
        first = _axis(self.begin_norm_axis, rank, "begin_norm_axis")
        start = _axis(self.begin_params_axis, rank, "begin_params_axis")
        own = self.gamma._type.shape
        if any(a is not None and a != b for a, b in zip(shape[start:], own, strict=False)) or rank - start != len(own):
            raise ValueError(
                f"LayerNorm: the input's shape from axis {start} on should be {own}, but the input is {input_x.shape}"
            )
        out = normalized(input_x, tuple(range(first, rank)), self.epsilon)
        return ops.cast(out * self.gamma + self.beta, input_x.dtype)

    def extend_repr(self) -> str:
        """Sizes, options and Parameters."""
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


def _axis(axis: int, rank: int, name: str) -> int:
    if not -rank <= axis < rank:
        raise ValueError(f"For 'LayerNorm', the '{name}' should be in [{-rank}, {rank}), but got {axis}")
    return axis % rank


class GroupNorm(Cell):
    """Normalization over groups of channels of each item: (x - mean) / sqrt(variance + eps) · gamma + beta.

    Args:
        num_groups: a positive int that divides num_channels.
        num_channels: a positive int, C.
        eps: a number, added to the variance. Default: 1e-5.
        affine: whether gamma and beta are trained. Default: True.
        gamma_init: initializer of gamma [C]. Default: 'ones'.
        beta_init: initializer of beta [C]. Default: 'zeros'.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        x: a float tensor of shape [N, C, ...].

    Outputs:
        A tensor of the shape and dtype of x.

    Raises:
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if num_groups does not divide num_channels, or x has another number of channels.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.GroupNorm(1, 2)(Tensor([[[1.0], [3.0]]])).flatten())
        [-0.999995  0.999995]
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-05, affine: bool = True, gamma_init: Any = "ones",
        beta_init: Any = "zeros", dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_groups = check_positive_int(num_groups, "num_groups", "GroupNorm")
        self.num_channels = check_positive_int(num_channels, "num_channels", "GroupNorm")
        if num_channels % num_groups:
            raise ValueError(
                f"For 'GroupNorm', the 'num_channels' should be divisible by 'num_groups', but "
                f"got {num_channels} and {num_groups}"
            )
        self.eps = check_number(eps, "eps", "GroupNorm")
        self.affine = check_bool(affine, "affine", "GroupNorm")
        self.gamma = Parameter(initializer(gamma_init, (num_channels,), dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_channels,), dtype), name="beta", requires_grad=affine)

    def construct(self, x: Any) -> Tensor:
        """x normalized."""
        shape = x._type.shape
        if len(shape) < 2 or shape[1] != self.num_channels:
            raise ValueError(
                f"GroupNorm: the input should have num_channels = {self.num_channels} channels, but "
                f"its shape is {x.shape}"
            )
        grouped = ops.reshape(x, (x.shape[0], self.num_groups, -1))
        out = ops.reshape(normalized(grouped, (2,), self.eps), x.shape)
        return ops.cast(out * per_channel(self.gamma, x) + per_channel(self.beta, x), x.dtype)

    def extend_repr(self) -> str:
        """Sizes."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class LRN(Cell):
    """Local response normalization: x / (bias + alpha · s)^beta, where s is the sum of the squares of near channels.

    Args:
        depth_radius: an int, how many channels on each side are near. Default: 5.
        bias: a number, added to the sum. Default: 1.0.
        alpha: a number, the factor of the sum. Default: 1.0.
        beta: a number, the power. Default: 0.5.
        norm_region: 'ACROSS_CHANNELS'. Default: 'ACROSS_CHANNELS'.

    Inputs:
        input_x: a float tensor of shape [N, C, H, W].

    Outputs:
        A tensor of the shape and dtype of the input.

    Raises:
        TypeError: if the input is no Tensor.
        ValueError: if the input has not 4 dimensions, or norm_region is another one.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LRN(depth_radius=1)(Tensor([[[[1.0]], [[1.0]]]])).flatten())
        [0.57735026 0.57735026]
    """

    _held = primitives(lrn_op=lambda layer: ops.LRN(layer.depth_radius, layer.bias, layer.alpha, layer.beta))

    def __init__(
        self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ) -> None:  # fmt: skip
        super().__init__()
        check_choice(norm_region, ("ACROSS_CHANNELS",), "norm_region", "LRN")
        self.depth_radius = depth_radius
        self.bias = bias
        self.alpha = alpha
        self.beta = beta

    def construct(self, input_x: Any) -> Tensor:
        """x normalized."""
        check_rank(input_x, (4,), "LRN")
        n, c, h, w = input_x.shape
        squares = ops.reshape(ops.square(input_x), (n, 1, c, h * w))
        near = apply(
            prims.avg_pool,
            squares,
            kernel=(2 * self.depth_radius + 1, 1),
            stride=(1, 1),
            padding=((self.depth_radius, self.depth_radius), (0, 0)),
            ceil_mode=False,
            count_include_pad=True,
            divisor=1,
        )
        return input_x / ops.pow(ops.reshape(near, (n, c, h, w)) * self.alpha + self.bias, self.beta)

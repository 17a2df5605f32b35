"""Batch normalization layers."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.inplace import assign_inplace as assign
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..distributed import collectives
from ..distributed.communication import GlobalComm, create_group, get_group_size, get_rank
from ..initializer import initializer
from .checks import check_bool, check_choice, check_positive, check_positive_int, check_rank, check_share
from .conv import channels_last, in_order
from .held import primitives
from .normalization_layers import per_channel, wide_dtype
from .sections import NORMALIZED, sections

_TAKES_TENSORS = True

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm",
]  # fmt: skip


_MOVING = {"sub": "Sub", "mul": "Mul", "assign_sub": "AssignSub"}


class _BatchNorm(Cell):
    """The base of batch normalizations.

    Attributes:
        ranks: the numbers of dimensions that the input may have.
    """

    ranks: tuple[int, ...] = (4,)
    _held = primitives(
        "DType",
        **{name: name.capitalize() for name in ("shape", "square", "sqrt", "cast", "reshape")},
        **{f"{name}_{which}": kind for which in ("mean", "var") for name, kind in _MOVING.items()},
        reduce_mean=lambda layer: ops.ReduceMean(True),
        bn_train=lambda layer: ops.BatchNorm(True, layer.eps, layer.momentum, layer.format),
        bn_infer=lambda layer: ops.BatchNorm(False, layer.eps, data_format=layer.format),
        parallel_mode=lambda layer: "stand_alone",
        _target=lambda layer: "CPU",
    )

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones", use_batch_statistics: bool | None = None, data_format: str = "NCHW",
        dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.num_features = check_positive_int(num_features, "num_features", owner)
        self.eps = check_positive(eps, "eps", owner)
        self.momentum = 1.0 - check_share(momentum, "momentum", owner)  # of the new batch, as MindSpore keeps it
        self.affine = check_bool(affine, "affine", owner)
        if use_batch_statistics is not None:
            check_bool(use_batch_statistics, "use_batch_statistics", owner)
        self.use_batch_statistics = use_batch_statistics
        self.format = check_choice(data_format, ("NCHW", "NHWC"), "data_format", owner)
        self.gamma_init, self.beta_init = gamma_init, beta_init
        self.moving_mean_init, self.moving_var_init = moving_mean_init, moving_var_init
        shape = (num_features,)
        self.moving_mean = Parameter(initializer(moving_mean_init, shape, dtype), name="mean", requires_grad=False)
        self.moving_variance = Parameter(
            initializer(moving_var_init, shape, dtype), name="variance", requires_grad=False
        )
        self.gamma = Parameter(initializer(gamma_init, shape, dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape, dtype), name="beta", requires_grad=affine)

    def _checked(self, x: Any) -> Any:
        owner = type(self).__name__
        x, channels = in_order(x, self.ranks, self.format, owner)
        if channels is not None and channels != self.num_features:
            raise ValueError(
                f"{owner}: the input should have num_features = {self.num_features} channels, but "
                f"its shape is {x.shape}"
            )
        return x

    def construct(self, x: Any) -> Tensor:
        """x normalized; in training by the batch, whose statistics move the moving ones."""
        x = self._checked(x)
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        out = self._by_batch(x) if by_batch else self._by_moving(x)
        return channels_last(out) if self.format == "NHWC" else out

    def _by_batch(self, x: Any) -> Any:
        out, mean, variance = apply(prims.batch_norm, x, self.gamma, self.beta, epsilon=self.eps)
        self._move(mean, variance, _bessel(x))
        return out

    def _move(self, mean: Any, variance: Any, correction: Any) -> None:
        """Bring the moving statistics nearer to those of a batch, whose variance needs a correction."""
        mean, variance = ops.stop_gradient(mean), ops.stop_gradient(variance)
        assign(self.moving_mean, self.moving_mean + (mean - self.moving_mean) * self.momentum)
        unbiased = variance * correction
        assign(self.moving_variance, self.moving_variance + (unbiased - self.moving_variance) * self.momentum)

    def _by_moving(self, x: Any) -> Any:
        wide = ops.cast(x, wide_dtype(x))
        scale = self.gamma * ops.rsqrt(self.moving_variance + self.eps)
        out = (wide - per_channel(self.moving_mean, x)) * per_channel(scale, x) + per_channel(self.beta, x)
        return ops.cast(out, x.dtype)

    def extend_repr(self) -> str:
        """Sizes, options and Parameters."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={round(1.0 - self.momentum, 12)}, "
            f"gamma={self.gamma}, beta={self.beta}, moving_mean={self.moving_mean}, "
            f"moving_variance={self.moving_variance}"
        )


def _bessel(x: Any) -> Any:
    """n / (n - 1) for the n elements of a channel."""
    count: Any = 1
    for axis, size in enumerate(x.shape):
        if axis != 1:
            count = count * size
    if isinstance(count, int):
        return count / max(count - 1, 1)
    count = ops.cast(count, dtypes.float32)
    return count / ops.maximum(count - 1.0, 1.0)


@sections(**NORMALIZED)
class BatchNorm1d(_BatchNorm):
    """Batch normalization of vectors or sequences: (x - mean) / sqrt(variance + eps) · gamma + beta, for each channel.

    In training mean and variance are those of the batch, and the moving ones are updated: moving = momentum · moving +
    (1 - momentum) · batch. Otherwise they are the moving ones.

    Args:
        num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, data_format, dtype: as for `BatchNorm2d`.

    Inputs:
        x: a float tensor of shape [N, C] or [N, C, L].

    Examples:
        >>> from mycel import Tensor, nn
        >>> layer = nn.BatchNorm1d(1).set_train()
        >>> print(layer(Tensor([[1.0], [3.0]])).flatten())
        [-0.999995  0.999995]
        >>> print(layer.moving_mean.asnumpy())
        [0.2]
    """

    ranks = (2, 3)


@sections(**NORMALIZED)
class BatchNorm2d(_BatchNorm):
    """Batch normalization of images: (x - mean) / sqrt(variance + eps) · gamma + beta, for each channel.

    In training mean and variance are those of the batch, and the moving ones are updated: moving = momentum · moving +
    (1 - momentum) · batch. Otherwise they are the moving ones.

    Args:
        num_features: a positive int, C.
        eps: a positive number, added to the variance. Default: 1e-5.
        momentum: a number in [0, 1], how much the moving statistics keep of themselves. Default: 0.9.
        affine: whether gamma and beta are trained. Default: True.
        gamma_init: initializer of gamma [C]. Default: 'ones'.
        beta_init: initializer of beta [C]. Default: 'zeros'.
        moving_mean_init: initializer of the moving mean [C]. Default: 'zeros'.
        moving_var_init: initializer of the moving variance [C]. Default: 'ones'.
        use_batch_statistics: whether the batch's statistics are used, in training or not. Default: None, for training
            only.
        data_format: 'NCHW' or 'NHWC', the order of the input's axes. Default: 'NCHW'.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        x: a float tensor of shape [N, C, H, W], or [N, H, W, C] for 'NHWC'.

    Examples:
        >>> from mycel import Tensor, nn
        >>> layer = nn.BatchNorm2d(1).set_train()
        >>> print(layer(Tensor([[[[1.0, 3.0]]]])))
        [[[[-0.999995  0.999995]]]]
    """


@sections(**NORMALIZED)
class BatchNorm3d(Cell):
    """Batch normalization of volumes: (x - mean) / sqrt(variance + eps) · gamma + beta, for each channel.

    Args:
        num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, dtype: as for `BatchNorm2d`.

    Inputs:
        x: a float tensor of shape [N, C, D, H, W].

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.BatchNorm3d(3)(ops.ones((1, 3, 2, 2, 2))).shape)
        (1, 3, 2, 2, 2)
    """

    _held = primitives("Shape Reshape")

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones", use_batch_statistics: bool | None = None, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        self.bn2d = BatchNorm2d(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, dtype=dtype,
        )  # fmt: skip

    def construct(self, x: Any) -> Tensor:
        """x normalized."""
        check_rank(x, (5,), "BatchNorm3d")
        n, c, d, h, w = x.shape
        return ops.reshape(self.bn2d(ops.reshape(x, (n, c, d * h, w))), (n, c, d, h, w))


@sections(**NORMALIZED)
class SyncBatchNorm(_BatchNorm):
    """Batch normalization over all processes: the mean and the variance of all their batches together.

    Args:
        process_groups: a list of lists of ranks, each of which normalizes by itself. Every process makes the layer
            with the same list. Default: None, for all processes together.
        num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, dtype: as for `BatchNorm2d`.

    Inputs:
        x: a float tensor of shape [N, C] or [N, C, H, W].

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.SyncBatchNorm(3)(ops.ones((1, 3, 2, 2))).shape)
        (1, 3, 2, 2)
    """

    ranks = (2, 4)

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones", use_batch_statistics: bool | None = None, process_groups: Any = None,
        dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, dtype=dtype,
        )  # fmt: skip
        self.process_groups = process_groups
        self.group_name = _group_of_ranks(process_groups)
        inited = GlobalComm.INITED
        self.rank_id = get_rank(self.group_name) if inited else 0
        self.rank_size = get_group_size(self.group_name) if inited else 1
        self.is_global = self.rank_size > 1

    def _by_batch(self, x: Any) -> Any:
        if self.rank_size == 1:
            return super()._by_batch(x)
        wide = ops.cast(x, wide_dtype(x))
        axes = tuple(axis for axis in range(x.ndim) if axis != 1)
        here = ops.ones_like(wide[:, :1]).sum()  # batches may differ in size
        count = collectives.all_reduce(here, "sum", self.group_name)
        mean = collectives.all_reduce(wide.sum(axes), "sum", self.group_name) / count
        centred = wide - per_channel(mean, x)
        variance = collectives.all_reduce((centred * centred).sum(axes), "sum", self.group_name) / count
        scale = self.gamma * ops.rsqrt(variance + self.eps)
        out = ops.cast(centred * per_channel(scale, x) + per_channel(self.beta, x), x.dtype)
        self._move(mean, variance, count / ops.maximum(count - 1.0, 1.0))
        return out


def _group_of_ranks(process_groups: Any) -> str:
    """The name of the group that contains this process, which is made; without groups the name of the world."""
    if process_groups is None:
        return GlobalComm.WORLD_COMM_GROUP
    if not isinstance(process_groups, list) or not all(isinstance(ranks, list) for ranks in process_groups):
        raise TypeError(
            f"For 'SyncBatchNorm', the 'process_groups' should be a list of lists, but got {process_groups}"
        )
    ranks = [rank for group in process_groups for rank in group]
    if len(set(ranks)) != len(ranks):
        raise ValueError(f"For 'SyncBatchNorm', a rank is in several of the 'process_groups': {process_groups}")
    if not GlobalComm.INITED:
        return GlobalComm.WORLD_COMM_GROUP
    own = next((group for group in process_groups if get_rank() in group), None)
    if own is None:
        raise ValueError(f"For 'SyncBatchNorm', rank {get_rank()} is in none of the 'process_groups': {process_groups}")
    name = f"sync_batch_norm_{'_'.join(map(str, own))}"
    create_group(name, own)
    return name

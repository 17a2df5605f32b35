"""Layers of `mint.nn` that have Parameters."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.arguments import need_flags
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..initializer import HeUniform, Normal, Uniform, initializer
from . import functional

_TAKES_TENSORS = True

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "Embedding",
    "GroupNorm", "LayerNorm", "Linear", "PReLU", "SyncBatchNorm",
]  # fmt: skip


def _uniform_bias(fan: int, size: int, dtype: Any) -> Parameter:
    bound = 1 / math.sqrt(fan) if fan else 0.0
    return Parameter(initializer(Uniform(bound), [size], dtype), name="bias")


def _fields(layer: Any, *names: str) -> str:
    """The text of some arguments of a layer, which are its attributes."""
    return ", ".join(f"{name}={getattr(layer, name)}" for name in names)


def _weight(shape: list[int], dtype: Any, init: Any = None) -> Parameter:
    return Parameter(initializer(init or HeUniform(math.sqrt(5)), shape, dtype), name="weight")


class Linear(Cell):
    """input @ weight.T + bias.

    Args:
        in_features, out_features: the sizes of the last dimension of input and output.
        bias: whether there is a bias.
        weight_init, bias_init: initializers; uniform numbers that depend on the size by default.
        dtype: the dtype of the Parameters.

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.Linear(3, 2)(ops.ones((4, 3))).shape)
        (4, 2)
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, weight_init: Any = None, bias_init: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        need_flags("Linear", bias=bias)
        kind = dtypes.as_dtype(dtype or dtypes.float32)
        self.in_features, self.out_features, self.has_bias = in_features, out_features, bias
        self.weight = _weight([out_features, in_features], kind, weight_init)
        self.bias: Any = None
        if bias:
            if bias_init is None:
                self.bias = _uniform_bias(in_features, out_features, kind)
            else:
                self.bias = Parameter(initializer(bias_init, [out_features], kind), name="bias")

    dense = staticmethod(ops.dense)  # subclasses call it

    def construct(self, x: Tensor) -> Tensor:
        """The product with the weight, plus the bias."""
        return ops.dense(x, self.weight, self.bias)

    def extend_repr(self) -> str:
        """The text of the layer's arguments."""
        bias = "" if self.bias is None else ", has_bias=True"
        return f"input_features={self.in_features}, output_features={self.out_features}{bias}"


class _Convolution(Cell):
    """The base of convolutions."""

    axes = 2
    transposed = False

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros", dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        need_flags(type(self).__name__, bias=bias)
        kind = dtypes.as_dtype(dtype or dtypes.float32)
        if in_channels % groups or out_channels % groups:
            raise ValueError(f"{in_channels} and {out_channels} channels should be multiples of {groups} groups")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                f"'padding_mode' should be zeros, reflect, replicate or circular, but got {padding_mode!r}"
            )
        if isinstance(padding, str) and padding not in ("same", "valid"):
            raise ValueError(f"'padding' should be a number, numbers, 'same' or 'valid', but got {padding!r}")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = map(self._by_axis, (kernel_size, stride, dilation))
        self.padding = padding if isinstance(padding, str) else self._by_axis(padding)
        if padding == "same" and self.stride != (1,) * self.axes:
            raise ValueError(f"padding='same' needs a stride of 1, but got {stride}")
        self.padding_mode = padding_mode
        self.output_padding: Any = (0,) * self.axes
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self.weight = _weight([first, second // groups, *self.kernel_size], kind)
        fan = second // groups * math.prod(self.kernel_size)
        self.bias: Any = _uniform_bias(fan, out_channels, kind) if bias else None

    def _by_axis(self, size: Any) -> tuple[int, ...]:
        return (size,) * self.axes if isinstance(size, int) else tuple(size)

    @property
    def _reversed_padding(self) -> tuple[int, ...]:
        """How many elements are put before and behind each axis, the last axis first."""
        if isinstance(self.padding, str):
            whole = [
                d * (k - 1) if self.padding == "same" else 0
                for d, k in zip(self.dilation, self.kernel_size, strict=True)
            ]
            return tuple(part for size in reversed(whole) for part in (size // 2, size - size // 2))
        return tuple(pad for pad in reversed(self.padding) for _ in range(2))

    def extend_repr(self) -> str:
        """The text of the layer's arguments."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"{_fields(self, 'kernel_size', 'stride', 'padding', 'dilation', 'groups')}, bias={self.bias is not None}"
        )

    def construct(self, input: Tensor) -> Tensor:
        """The convolution."""
        padding: Any = self.padding
        if self.padding_mode != "zeros" and not isinstance(padding, str):
            input = ops.pad(input, self._reversed_padding, self.padding_mode)
            padding = 0
        return functional.conv(
            self.axes, input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )


class Conv1d(_Convolution):
    """Convolution of (N, C, L).

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.Conv1d(2, 3, 3)(ops.ones((1, 2, 8))).shape)
        (1, 3, 6)
    """

    axes = 1
    conv1d = staticmethod(functional.conv1d)


class Conv2d(_Convolution):
    """Convolution of images (N, C, H, W).

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.Conv2d(2, 3, 3, padding=1)(ops.ones((1, 2, 8, 8))).shape)
        (1, 3, 8, 8)
    """

    conv2d = staticmethod(functional.conv2d)


class Conv3d(_Convolution):
    """Convolution of (N, C, D, H, W).

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.Conv3d(2, 3, 1)(ops.ones((1, 2, 4, 4, 4))).shape)
        (1, 3, 4, 4, 4)
    """

    axes = 3
    conv3d = staticmethod(functional.conv3d)


class ConvTranspose2d(_Convolution):
    """Transposed convolution of images (N, C, H, W).

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.ConvTranspose2d(2, 3, 2, stride=2)(ops.ones((1, 2, 4, 4))).shape)
        (1, 3, 8, 8)
    """

    transposed = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1, padding_mode: str = "zeros",
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype
        )
        if padding_mode != "zeros":
            raise ValueError(f"ConvTranspose2d: 'padding_mode' should be 'zeros', but got {padding_mode!r}")
        self.output_padding = self._by_axis(output_padding)

    def _output_padding(
        self, input: Tensor, output_size: Any, stride: Any, padding: Any, kernel_size: Any, axes: int, dilation: Any
    ) -> tuple[int, ...]:
        """What is added behind each axis for an output of `output_size`: numbers for all axes, or for the last ones."""
        if output_size is None:
            return self.output_padding
        if len(output_size) not in (axes, input.ndim):
            raise ValueError(
                f"ConvTranspose2d: 'output_size' should have {axes} or {input.ndim} numbers, but got {output_size}"
            )
        parts = zip(input.shape[-axes:], stride, padding, kernel_size, dilation or (1,) * axes, strict=True)
        least = [(size - 1) * step - 2 * pad + apart * (width - 1) + 1 for size, step, pad, width, apart in parts]
        added = tuple(size - low for size, low in zip(output_size[-axes:], least, strict=True))
        if any(not 0 <= more < step for more, step in zip(added, stride, strict=True)):
            most = [low + step - 1 for low, step in zip(least, stride, strict=True)]
            raise ValueError(
                f"ConvTranspose2d: 'output_size' should be from {least} to {most} for an input of shape {input.shape}, "
                f"but got {output_size}"
            )
        return added

    def construct(self, input: Tensor, output_size: Any = None) -> Tensor:
        """The transposed convolution, of the size `output_size` if it is given."""
        added = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, self.axes, self.dilation
        )
        return ops.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, added, self.groups, self.dilation
        )


class _BatchNorm(Cell):
    """The base of batch normalizations. Without a momentum the running statistics are means over all batches."""

    ranks: tuple[int, ...] = (4,)

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        kind = dtypes.as_dtype(dtype or dtypes.float32)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.weight: Any = Parameter(initializer("ones", [num_features], kind), name="weight") if affine else None
        self.bias: Any = Parameter(initializer("zeros", [num_features], kind), name="bias") if affine else None
        self.running_mean: Any = None
        self.running_var: Any = None
        self.num_batches_tracked: Any = None
        if track_running_stats:
            self.running_mean = Parameter(initializer("zeros", [num_features], kind), "running_mean", False)
            self.running_var = Parameter(initializer("ones", [num_features], kind), "running_var", False)
            self.num_batches_tracked = Parameter(Tensor(0), "num_batches_tracked", False)

    def construct(self, input: Tensor) -> Tensor:
        """The input normalised over its channels."""
        if input.ndim not in self.ranks:
            raise ValueError(
                f"{type(self).__name__}: an input of {self.ranks} dimensions is expected, but got {input.shape}"
            )
        own = self.training or self.running_mean is None
        momentum: Any = self.momentum
        if self.training and self.running_mean is not None:
            ops.assign_add(self.num_batches_tracked, 1)
            if momentum is None:
                momentum = 1.0 / self.num_batches_tracked
        return ops.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, own, momentum, self.eps
        )

    def extend_repr(self) -> str:
        """The text of the layer's arguments."""
        return _fields(self, "num_features", "eps", "momentum", "affine", "track_running_stats")


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L).

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import nn
        >>> print(nn.BatchNorm1d(1).set_train()(Tensor([[1.0], [3.0]])).round().ravel())
        [-1.  1.]
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W).

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.BatchNorm2d(2)(ops.ones((1, 2, 3, 3))).shape)
        (1, 2, 3, 3)
    """


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of (N, C, D, H, W).

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.BatchNorm3d(2)(ops.ones((1, 2, 3, 3, 3))).shape)
        (1, 2, 3, 3, 3)
    """

    ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over all processes.

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.SyncBatchNorm(2)(ops.ones((1, 2, 3, 3))).shape)
        (1, 2, 3, 3)
    """

    ranks = (2, 3, 4, 5)

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, process_group: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)


class LayerNorm(Cell):
    """Normalisation over the last dimensions, of sizes `normalized_shape`, with a weight and bias for each element.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import nn
        >>> print(nn.LayerNorm(2)(Tensor([[1.0, 3.0]])).round())
        [[-1.  1.]]
    """

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        kind = dtypes.as_dtype(dtype or dtypes.float32)
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps = shape, eps
        self.elementwise_affine = affine = elementwise_affine
        self.weight: Any = Parameter(initializer("ones", list(shape), kind), name="weight") if affine else None
        self.bias: Any = Parameter(initializer("zeros", list(shape), kind), name="bias") if affine and bias else None

    def construct(self, input: Tensor) -> Tensor:
        """The input normalised."""
        return ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        """The text of the layer's arguments."""
        return _fields(self, "normalized_shape", "eps", "elementwise_affine")


class GroupNorm(Cell):
    """Normalisation over groups of channels, with a weight and a bias for each channel.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import nn
        >>> print(nn.GroupNorm(1, 2)(Tensor([[1.0, 3.0]])).round())
        [[-1.  1.]]
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: Any = None
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"GroupNorm: {num_channels} channels should be a multiple of {num_groups} groups")
        kind = dtypes.as_dtype(dtype or dtypes.float32)
        need_flags("GroupNorm", affine=affine)
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight: Any = Parameter(initializer("ones", [num_channels], kind), name="weight") if affine else None
        self.bias: Any = Parameter(initializer("zeros", [num_channels], kind), name="bias") if affine else None

    def construct(self, input: Tensor) -> Tensor:
        """The input normalised."""
        return ops.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        """The text of the layer's arguments."""
        return _fields(self, "num_groups", "num_channels", "eps", "affine")


class Embedding(Cell):
    """The rows of a table at indices.

    Args:
        num_embeddings, embedding_dim: the size of the table.
        padding_idx: a row of zeros that is not trained.
        max_norm, norm_type, scale_grad_by_freq: as in `ops.embedding`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import nn
        >>> print(nn.Embedding(10, 4)(Tensor([1, 2])).shape)
        (2, 4)
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False, _weight: Any = None,
        _freeze: bool = False, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        kind = dtypes.as_dtype(dtype or dtypes.float32)
        table = initializer(Normal(1.0), [num_embeddings, embedding_dim], kind) if _weight is None else _weight
        if _weight is None and padding_idx is not None:
            table._data[padding_idx] = 0
        self.weight = Parameter(table, "weight", not _freeze)
        self.num_embeddings, self.embedding_dim, self.dtype = num_embeddings, embedding_dim, kind
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        self.scale_grad_by_freq = scale_grad_by_freq

    def construct(self, input: Tensor) -> Tensor:
        """The rows."""
        return ops.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq
        )

    def extend_repr(self) -> str:
        """The text of the layer's arguments."""
        options = _fields(self, "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "dtype")
        return f"{_fields(self, 'num_embeddings', 'embedding_dim')}, {options}"


class PReLU(Cell):
    """The elements that are positive, a trained slope times the others.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import nn
        >>> print(nn.PReLU()(Tensor([-2.0, 2.0])))
        [-0.5  2. ]
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None) -> None:
        super().__init__()
        kind = dtypes.as_dtype(dtype or dtypes.float32)
        self.weight = Parameter(initializer(init, [num_parameters], kind), name="weight")

    def construct(self, input: Tensor) -> Tensor:
        """The input with its negative elements scaled."""
        return ops.prelu(input, self.weight)

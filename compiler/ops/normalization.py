"""Batch normalization in training, with a kernel of its own. Layer and group normalization would gain nothing by
one."""

from __future__ import annotations

from typing import Any

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.kernels import batch_norm as kernels
from ..ir.attributes import FLOAT
from ..ir.op import Op, Sample
from ..ir.types import TensorType, show_shape
from .arithmetic import rsqrt, sqrt
from .batching import folded
from .composite import vjp_by
from .conversion import cast
from .infer import broadcast_float, check_like, same_dtype
from .reduction import mean as mean_, sum as sum_
from .samples import pair
from .shape import insert_axes


def _wide(dtype: DType) -> DType:
    """The dtype of statistics. In halves the variance would lose its digits."""
    return dtypes.float32 if dtype.bits == 16 else dtype


def _infer(x: TensorType, gamma: TensorType, beta: TensorType, *, epsilon: float) -> tuple[TensorType, ...]:
    broadcast_float(x)
    same_dtype(gamma, beta)
    if x.rank < 2:
        raise ValueError(
            f"batch_norm: the input should be of shape (batch, channels, …), but got {show_shape(x.shape)}"
        )
    channels = x.shape[1]
    for name, type in (("gamma", gamma), ("beta", beta)):
        if type.rank != 1 or (None not in (type.shape[0], channels) and type.shape[0] != channels):
            raise ValueError(
                f"batch_norm: {name} should have one number for each of the {channels} channels of an input of shape "
                f"{show_shape(x.shape)}, but its shape is {show_shape(type.shape)}"
            )
    statistics = TensorType(_wide(x.dtype), (channels,))
    return x, statistics, statistics


def _infer_grad(
    x: TensorType, gamma: TensorType, mean: TensorType, variance: TensorType, dout: TensorType, *, epsilon: float
) -> tuple[TensorType, ...]:
    same_dtype(x, dout)
    for given, result in zip((dout, mean, variance), _infer(x, gamma, gamma, epsilon=epsilon), strict=True):
        check_like("batch_norm_grad", result, given)
    return x, gamma, gamma


def _per_channel(vector: Any, x: Any) -> Any:
    """The symbol of one number for each channel, in a shape that broadcasts with x (batch, channels, …)."""
    return insert_axes(vector, tuple(range(1, x.rank - 1)))


def _axes(x: Any) -> tuple[int, ...]:
    return (0, *range(2, x.rank))


def _statistics(x: Any) -> tuple[Any, Any]:
    """The mean and the variance of each channel, computed as in the kernel."""
    wide = cast(x, dtype=_wide(x.dtype))
    mean = mean_(wide, axis=_axes(x), keepdims=False)
    centred = wide - _per_channel(mean, x)
    return mean, mean_(centred * centred, axis=_axes(x), keepdims=False)


def _grad_composite(x: Any, gamma: Any, mean: Any, variance: Any, dout: Any, *, epsilon: float) -> tuple[Any, Any, Any]:
    dtype = _wide(x.dtype)
    wide, gradient = cast(x, dtype=dtype), cast(dout, dtype=dtype)
    inverse = rsqrt(variance + epsilon)
    normal = (wide - _per_channel(mean, x)) * _per_channel(inverse, x)
    shift = mean_(gradient, axis=_axes(x), keepdims=False)
    slope = mean_(gradient * normal, axis=_axes(x), keepdims=False)
    scale = cast(gamma, dtype=dtype) * inverse
    dx = (gradient - _per_channel(shift, x) - normal * _per_channel(slope, x)) * _per_channel(scale, x)
    dgamma = sum_(gradient * normal, axis=_axes(x), keepdims=False)
    dbeta = sum_(gradient, axis=_axes(x), keepdims=False)
    return cast(dx, dtype=x.dtype), cast(dgamma, dtype=gamma.dtype), cast(dbeta, dtype=gamma.dtype)


def _by_kernels(x: Any, gamma: Any, beta: Any, *, epsilon: float) -> tuple[Any, ...] | None:
    """The normalization by ops that kernels compute together with what comes before and after; None for halves."""
    if not _has_kernels(x, gamma):
        return None
    count, axes = x.type.size // x.shape[1], _axes(x)
    mean = sum_(x, axis=axes, keepdims=False) / count
    centred = x - _per_channel(mean, x)
    variance = sum_(centred * centred, axis=axes, keepdims=False) / count
    scale = gamma / sqrt(variance + epsilon)
    return centred * _per_channel(scale, x) + _per_channel(beta, x), mean, variance


def _grad_by_kernels(
    x: Any, gamma: Any, mean: Any, variance: Any, dout: Any, *, epsilon: float
) -> tuple[Any, Any, Any] | None:
    if not _has_kernels(x, gamma):
        return None
    count, axes = x.type.size // x.shape[1], _axes(x)
    centred = x - _per_channel(mean, x)
    inverse = 1.0 / sqrt(variance + epsilon)
    dbeta = sum_(dout, axis=axes, keepdims=False)
    dgamma = sum_(dout * centred, axis=axes, keepdims=False) * inverse
    shift, slope = _per_channel(dbeta / count, x), _per_channel(dgamma * inverse / count, x)
    return (dout - shift - centred * slope) * _per_channel(gamma * inverse, x), dgamma, dbeta


def _has_kernels(x: Any, gamma: Any) -> bool:
    return x.type.is_static and x.type.size > 0 and x.dtype.bits in (32, 64) and gamma.dtype is x.dtype


def _vjp(
    x: Any, gamma: Any, beta: Any, out: tuple[Any, ...], dout: tuple[Any, ...], *, epsilon: float
) -> tuple[Any, ...]:
    dresult, *dstatistics = dout
    dx = dgamma = dbeta = None
    if dresult is not None:
        dx, dgamma, dbeta = batch_norm_grad(x, gamma, out[1], out[2], dresult, epsilon=epsilon)
    if any(cotangent is not None for cotangent in dstatistics):
        (part,) = _vjp_statistics(x, out[1:], tuple(dstatistics))
        dx = part if dx is None else dx + part
    return dx, dgamma, dbeta


_vjp_statistics = vjp_by(_statistics)


def _samples() -> list[Sample]:
    return [
        Sample(pair((4, 3, 2, 3), (3,), (3,)), {"epsilon": 1e-3}),
        Sample(pair((5, 2), (2,), (2,)), {"epsilon": 1e-5}),
    ]


def _grad_samples() -> list[Sample]:
    samples = []
    for sample in _samples():
        x, gamma, beta = sample.inputs
        result, mean, variance = kernels.batch_norm(x, gamma, beta, **sample.attrs)
        samples.append(Sample((x, gamma, mean, variance, *pair(result.shape, seed=3)), sample.attrs))
    return samples


batch_norm: Op = Op(
    "batch_norm",
    attrs={"epsilon": FLOAT},
    infer=_infer,
    kernel=kernels.batch_norm,
    single=True,
    native_definition=_by_kernels,
    vjp=_vjp,
    batch=folded(1, 1, 0, 0),
    samples=_samples,
    doc="x (batch, channels, …) normalized, times gamma plus beta; and the mean and (biased) variance of channels.",
)
batch_norm_grad: Op = Op(
    "batch_norm_grad",
    attrs={"epsilon": FLOAT},
    infer=_infer_grad,
    kernel=kernels.batch_norm_grad,
    single=True,
    native_definition=_grad_by_kernels,
    vjp=vjp_by(_grad_composite),
    batch=folded(1, 1, 0, 0),
    samples=_grad_samples,
    doc="The gradients of batch_norm's first result by x, gamma and beta.",
)

"""`mycel.mint.nn.functional`: the functions of layers, with the arguments that `mindspore.mint` has."""

from __future__ import annotations

from typing import Any

from ...frontend.errors.spelling import missing_name as _missing_name
from ...frontend.values.dispatch import cast
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..functions.table import names as _functions
from .table import table


def _finish(input: Tensor, out: Tensor, inplace: bool) -> Tensor:
    return assign_inplace(input, out) if inplace else out


def conv(
    axes: int, input: Tensor, weight: Tensor, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Tensor:
    """A convolution whose padding is a number, numbers, "same" or "valid"."""
    mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
    return getattr(ops, f"conv{axes}d")(input, weight, bias, stride, mode, amount, dilation, groups)


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution of (N, C, L)."""
    return conv(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution of images (N, C, H, W)."""
    return conv(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution of (N, C, D, H, W)."""
    return conv(3, input, weight, bias, stride, padding, dilation, groups)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """1 at the position that each index gives along a new last dimension, else 0, Int64."""
    if num_classes == -1:
        num_classes = int(ops.amax(tensor).item()) + 1
    return ops.one_hot(tensor, num_classes, 1, 0, -1)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The elements that are positive, 0 in place of the others."""
    return _finish(input, ops.relu(input), inplace)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """The elements no smaller than 0 and no larger than 6."""
    return _finish(input, ops.relu6(input), inplace)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x)."""
    return _finish(input, ops.silu(input), inplace)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """The elements that are positive, alpha * (exp(x) - 1) in place of the others."""
    return _finish(input, ops.elu(input, alpha), inplace)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """The elements no smaller than `min_val` and no larger than `max_val`."""
    return _finish(input, ops.hardtanh(input, min_val, max_val), inplace)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """The elements above the threshold, `value` in place of the others."""
    return _finish(input, ops.threshold(input, threshold, value), inplace)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Each element zero with probability `p`, else divided by 1 - p."""
    return _finish(input, ops.dropout(input, p, training), inplace)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Each channel zero with probability `p`, else divided by 1 - p."""
    return _finish(input, ops.dropout2d(input, p, training), inplace)


def _default_dim(x: Tensor) -> int:
    return 0 if x.ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """exp(x) over its sum along a dimension."""
    return ops.softmax(input, _default_dim(need_tensor(input, "softmax")) if dim is None else dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along a dimension."""
    x = need_tensor(input, "log_softmax")
    x = x if dtype is None else cast(x, dtypes.as_dtype(dtype))
    return ops.log_softmax(x, _default_dim(x) if dim is None else dim)


def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """The elements that are positive, `negative_slope` times the others."""
    return ops.leaky_relu(input, negative_slope)


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of images; the stride is the window's size by default."""
    step = kernel_size if stride is None else stride
    return ops.avg_pool2d(input, kernel_size, step, padding, ceil_mode, count_include_pad, divisor_override or 0)


def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of (N, C, L)."""
    step = kernel_size if stride is None else stride
    return ops.avg_pool1d(input, kernel_size, step, padding, ceil_mode, count_include_pad)


def avg_pool3d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of (N, C, D, H, W)."""
    step = kernel_size if stride is None else stride
    return ops.avg_pool3d(input, kernel_size, step, padding, ceil_mode, count_include_pad, divisor_override or 0)


def batch_norm(
    input: Tensor,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """A batch normalised over its channels."""
    return ops.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Any = None, reduction: str = "mean", pos_weight: Any = None
) -> Tensor:
    """The binary cross entropy between sigmoid(input) and targets."""
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """target * (log(target) - input); with `log_target` the targets are logarithms."""
    if not log_target:
        return ops.kl_div(input, target, reduction)
    losses = ops.mul(ops.exp(target), ops.sub(target, input))
    if reduction == "batchmean":
        return ops.div(ops.sum(losses), float(input.shape[0]))
    return losses if reduction == "none" else ops.mean(losses) if reduction == "mean" else ops.sum(losses)


def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """d² / (2 beta) for differences nearer to 0 than `beta`, |d| - beta / 2 for the others."""
    return ops.smooth_l1_loss(input, target, beta, reduction) if beta else ops.l1_loss(input, target, reduction)


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Windows (N, C * kernel, number of windows) summed into images."""
    return ops.fold(input, output_size, kernel_size, dilation, padding, stride)


def pad(input: Tensor, pad: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """The tensor padded, from the last dimension on."""
    return ops.pad(input, pad, mode, value)


def relu_(input: Tensor) -> Tensor:
    """As `relu`, in place."""
    return relu(input, True)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """As `elu`, in place."""
    return elu(input, alpha, True)


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """As `hardtanh`, in place."""
    return hardtanh(input, min_val, max_val, True)


def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """As `threshold`, in place."""
    return _finish(input, ops.threshold(input, threshold, value), True)


def sigmoid_(input: Tensor) -> Tensor:
    """As `sigmoid`, in place."""
    return _finish(input, ops.sigmoid(input), True)


_FUNCTIONS = table(
    {
        "linear(input, weight, bias=None)": "dense",
        "glu(input, dim=-1)": "glu",
        "nll_loss(input, target, weight=None, ignore_index=-100, reduction='mean')": "nll_loss",
        "binary_cross_entropy(input, target, weight=None, reduction='mean')": "binary_cross_entropy",
        "max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)": (
            lambda x, kernel, stride, padding, dilation, ceil, indices: ops.max_pool2d(
                x, kernel, stride, padding, dilation, indices, ceil
            )
        ),
        "flatten(input, start_dim=0, end_dim=-1)": lambda x, start, end: ops.flatten(x, start_dim=start, end_dim=end),
        "upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None)": "upsample",
        "logsigmoid(input)": "logsigmoid",
        "mish(input)": "mish",
        "selu(input)": "selu",
        "adaptive_max_pool1d(input, output_size, return_indices=False)": "adaptive_max_pool1d",
    }
)
globals().update(_FUNCTIONS)
_SAME = {name: record.run for name, record in _functions("functional").items()}


def __getattr__(name: str) -> Any:
    """The functions that are those of `ops`."""
    if name in _SAME:
        return _SAME[name]
    raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_SAME})

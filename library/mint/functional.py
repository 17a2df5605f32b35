"""`mycel.mint.nn.functional`: the functions of layers, with the arguments that `mindspore.mint` has."""

from __future__ import annotations

from typing import Any

from ...frontend.errors.spelling import missing_name as _missing_name
from ...frontend.values.arguments import need_flags as _need_flags
from ...frontend.values.dispatch import cast
from ...frontend.values.inplace import assign_inplace
from ...frontend.values.operands import need_tensor as _need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import like as _like
from ..functions.requirements import require_range as _require_range
from .table import Table as _Table


def _convolution(axes: int) -> Any:
    return lambda x, *rest: conv(axes, x, *rest)


def conv(
    axes: int, input: Tensor, weight: Tensor, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Tensor:
    """A convolution whose padding is a number, numbers, "same" or "valid".

    Args:
        axes: 1, 2 or 3.
        input: a floating-point tensor of shape (N, C, ...).
        weight: of shape (outputs, C / groups, ...).
        bias: a vector of shape (outputs), or None.
        stride, padding, dilation, groups: as in `conv2d`.

    Raises:
        TypeError: if `input` or `weight` is no Tensor.
        ValueError: if a shape or an argument does not fit.

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint.nn import functional as F
        >>> print(F.conv(1, ops.ones((1, 1, 3)), ops.ones((1, 1, 2)), None, 1, 0, 1, 1))
        [[[2. 2.]]]
    """
    if isinstance(padding, str) and padding not in ("same", "valid"):
        raise ValueError(f"'padding' should be a number, numbers, 'same' or 'valid', but got {padding!r}")
    mode, amount = (padding, 0) if isinstance(padding, str) else ("pad", padding)
    return getattr(ops, f"conv{axes}d")(input, weight, bias, stride, mode, amount, dilation, groups)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """1 at the position that each index gives along a new last dimension, else 0, Int64.

    Args:
        tensor: integers of any shape.
        num_classes: the size of the new dimension; -1: one more than the largest index.

    Raises:
        TypeError: if `tensor` is no Tensor.
        ValueError: if an index is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint.nn import functional as F
        >>> print(F.one_hot(Tensor([0, 2])))
        [[1 0 0]
         [0 0 1]]
    """
    if num_classes == -1:
        num_classes = int(ops.amax(tensor).item()) + 1
    what = f"one_hot: 'tensor' should hold classes from 0 to {num_classes - 1}"
    _require_range(_need_tensor(tensor, "one_hot", "tensor"), 0, num_classes - 1, what)
    return ops.one_hot(tensor, num_classes, 1, 0, -1)


def _default_dim(x: Tensor) -> int:
    return 0 if x.ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """exp(x) over its sum along a dimension.

    Args:
        input: a floating-point tensor of at least one dimension.
        dim: the dimension; None: the first of one- and three-dimensional tensors, else the second.
        dtype: the dtype to convert to first.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `dim` is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint.nn import functional as F
        >>> print(F.softmax(Tensor([0.0, 0.0])))
        [0.5 0.5]
    """
    return ops.softmax(input, _default_dim(_need_tensor(input, "softmax")) if dim is None else dim, dtype=dtype)


@_like(softmax)
def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along a dimension.

    Examples:
        >>> print(F.log_softmax(Tensor([0.0, 0.0])))
        [-0.6931472 -0.6931472]
    """
    x = _need_tensor(input, "log_softmax")
    x = x if dtype is None else cast(x, dtypes.as_dtype(dtype))
    return ops.log_softmax(x, _default_dim(x) if dim is None else dim)


def kl_div(input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """target * (log(target) - input); with `log_target` the targets are logarithms.

    Args:
        input: log-probabilities of any shape.
        target: probabilities, or their logarithms, of the shape of `input`.
        reduction: "none", "mean", "sum" or "batchmean".
        log_target: whether the targets are logarithms.

    Raises:
        TypeError: if `input` or `target` is no Tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> from mycel.mint.nn import functional as F
        >>> print(F.kl_div(ops.log(Tensor([0.5, 0.5])), Tensor([0.5, 0.5]), "sum"))
        0.0
    """
    _need_flags("kl_div", log_target=log_target)
    if not log_target:
        return ops.kl_div(input, target, reduction)
    losses = ops.mul(ops.exp(target), ops.sub(target, input))
    if reduction == "batchmean":
        return ops.div(ops.sum(losses), float(input.shape[0]))
    return losses if reduction == "none" else ops.mean(losses) if reduction == "mean" else ops.sum(losses)


def _either(name: str) -> Any:
    """A function of `ops` whose last argument says whether the tensor itself changes."""

    def run(x: Any, *rest: Any) -> Any:
        _need_flags(name, inplace=rest[-1])
        return (_changing(name) if rest[-1] else getattr(ops, name))(x, *rest[:-1])

    return run


def _changing(name: str) -> Any:
    """A function of `ops` that changes the tensor itself."""
    return lambda x, *rest: assign_inplace(x, getattr(ops, name)(x, *rest))


def _average(axes: int) -> Any:
    return lambda x, size, stride, padding, ceil, include, divisor=None: getattr(ops, f"avg_pool{axes}d")(
        x, size, size if stride is None else stride, padding, ceil, include, *(() if axes == 1 else (divisor or 0,))
    )


_CONV = "(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)"
_MEANS = "(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True"
_BATCH = "weight=None, bias=None, training=False, momentum=0.1, eps=1e-05"
_TABLE = _Table(
    {
        f"conv1d{_CONV}": _convolution(1),
        f"conv2d{_CONV}": _convolution(2),
        f"conv3d{_CONV}": _convolution(3),
        f"avg_pool1d{_MEANS})": _average(1),
        f"avg_pool2d{_MEANS}, divisor_override=None)": _average(2),
        f"avg_pool3d{_MEANS}, divisor_override=None)": _average(3),
        "relu(input, inplace=False)": _either("relu"),
        "relu6(input, inplace=False)": _either("relu6"),
        "silu(input, inplace=False)": _either("silu"),
        "elu(input, alpha=1.0, inplace=False)": _either("elu"),
        "hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False)": _either("hardtanh"),
        "threshold(input, threshold, value, inplace=False)": _either("threshold"),
        "dropout(input, p=0.5, training=True, inplace=False)": _either("dropout"),
        "dropout2d(input, p=0.5, training=True, inplace=False)": _either("dropout2d"),
        "relu_(input)": _changing("relu"),
        "elu_(input, alpha=1.0)": _changing("elu"),
        "hardtanh_(input, min_val=-1.0, max_val=1.0)": _changing("hardtanh"),
        "threshold_(input, threshold, value)": _changing("threshold"),
        "sigmoid_(input)": _changing("sigmoid"),
        "leaky_relu(input, negative_slope=0.01)": ("leaky_relu", "Tensor([-1.0, 2.0]) -> [-0.01  2.  ]"),
        f"batch_norm(input, running_mean, running_var, {_BATCH})": "batch_norm",
        "binary_cross_entropy_with_logits(input, target, weight=None, reduction='mean', pos_weight=None)": (
            lambda x, target, weight, reduction, positive: ops.binary_cross_entropy_with_logits(
                x, target, weight, positive, reduction
            )
        ),
        "smooth_l1_loss(input, target, reduction='mean', beta=1.0)": (
            lambda x, target, reduction, beta: (
                ops.smooth_l1_loss(x, target, beta, reduction) if beta else ops.l1_loss(x, target, reduction)
            ),
            "Tensor([1.0, 5.0]), Tensor([1.5, 1.0]) -> 1.8125",
        ),
        "pad(input, pad, mode='constant', value=None)": "pad",
        "linear(input, weight, bias=None)": "dense",
        "glu(input, dim=-1)": "glu",
        "nll_loss(input, target, weight=None, ignore_index=-100, reduction='mean')": "nll_loss",
        "binary_cross_entropy(input, target, weight=None, reduction='mean')": "binary_cross_entropy",
        "max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)": (
            lambda x, kernel, stride, padding, dilation, ceil, indices: ops.max_pool2d(
                x, kernel, stride, padding, dilation, indices, ceil
            )
        ),
        "flatten(input, start_dim=0, end_dim=-1)": (
            lambda x, start, end: ops.flatten(x, start_dim=start, end_dim=end),
            "Tensor([[1, 2], [3, 4]]) -> [1 2 3 4]",
        ),
        "upsample(input, size=None, scale_factor=None, mode='nearest', align_corners=None)": "upsample",
        "logsigmoid(input)": "logsigmoid",
        "mish(input)": "mish",
        "selu(input)": "selu",
    },
    __name__,
)


def __getattr__(name: str) -> Any:
    """The functions of the table and those of `ops`."""
    if name in _TABLE.rows:
        return _TABLE.find(name)
    same = ops.known("functional", name)
    if same is None:
        raise _missing_name(__name__, name)
    return same.run


def __dir__() -> list[str]:
    return sorted({*globals(), *_TABLE.rows, *ops.records("functional")})

# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from ...frontend.values.dispatch import cast as cast
from ...frontend.values.inplace import assign_inplace as assign_inplace
from ...frontend.values.operands import need_tensor as need_tensor
from ...frontend.values.tensor import Tensor as Tensor
from ..functions.array_broadcast import broadcast_to as broadcast_to
from ..functions.comparison import clamp as clamp
from ..functions.nn_activation import (
    gelu as gelu, hardshrink as hardshrink, prelu as prelu, softplus as softplus, softshrink as softshrink,
)
from ..functions.nn_conv import conv_transpose2d as conv_transpose2d, embedding as embedding
from ..functions.nn_image import (
    fold as fold, interpolate as interpolate, pixel_shuffle as pixel_shuffle, unfold as unfold,
)
from ..functions.nn_norm import group_norm as group_norm, layer_norm as layer_norm
from ..functions.nn_pool import max_unpool2d as max_unpool2d
from ..functions.nn_pool_adaptive import (
    adaptive_avg_pool1d as adaptive_avg_pool1d, adaptive_avg_pool2d as adaptive_avg_pool2d,
    adaptive_avg_pool3d as adaptive_avg_pool3d, adaptive_max_pool1d as adaptive_max_pool1d,
    adaptive_max_pool2d as adaptive_max_pool2d,
)
from ..functions.nn_sampling import grid_sample as grid_sample

def avg_pool1d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of (N, C, L); see `avg_pool2d`."""

def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of images."""

def avg_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window of volumes."""

def batch_norm(
    input: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:
    """A batch (N, C, …) normalised over its channels: by its own statistics in training, else by the running ones."""

def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The binary cross entropy between probabilities and labels: -w * (y log p + (1 - y) log(1 - p))."""

def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
    pos_weight: Tensor | None = None,
) -> Tensor:
    """The binary cross entropy between sigmoid(input) and targets, computed without overflow."""

def conv(
    axes: int,
    input: Tensor,
    weight: Tensor,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    """A convolution whose padding is a number, numbers, "same" or "valid"."""

def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution (cross-correlation) of sequences with a weight."""

def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution (cross-correlation) of images with a weight."""

def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution (cross-correlation) of volumes with a weight."""

def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Tensor:
    """1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1."""

def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    """x1 · x2 / (max(|x1|, eps) max(|x2|, eps)) along a dimension."""

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """The cross entropy between logits and targets."""

def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor:
    """Each element zero with probability `p`, else divided by 1 - p; the tensor itself when not training."""

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor:
    """Each channel of (N, C, H, W) zero with probability `p`, else divided by 1 - p."""

def elu(input: Any, alpha: float = 1.0, inplace: Any = False) -> Tensor:
    """The elements that are positive, alpha * (exp(x) - 1) in place of the others."""

def elu_(input: Any, alpha: Any = 1.0) -> Any:
    """The elements that are positive, alpha * (exp(x) - 1) in place of the others."""

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The tensor with the dimensions from `start_dim` to `end_dim` made one."""

def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along an axis times the sigmoid of the second. ValueError if it is of odd size."""

def hardsigmoid(input: Tensor) -> Tensor:
    """relu6(x + 3) / 6."""

def hardswish(input: Tensor) -> Tensor:
    """x * relu6(x + 3) / 6."""

def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: Any = False) -> Tensor:
    """The elements no smaller than `min_val` and no larger than `max_val`."""

def hardtanh_(input: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> Any:
    """The elements no smaller than `min_val` and no larger than `max_val`."""

def kl_div(input: Tensor, target: Tensor, reduction: str = 'mean', log_target: bool = False) -> Tensor:
    """target * (log(target) - input); with `log_target` the targets are logarithms."""

def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """The absolute differences of two tensors, averaged, summed, or one an element."""

def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """The elements that are positive, `negative_slope` times the others; where both are 0 the derivative is their
    mean."""

def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight.T + bias."""

def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along a dimension."""

def logsigmoid(input: Tensor) -> Tensor:
    """log(sigmoid(x)), without overflow."""

def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window of images."""

def mish(input: Tensor) -> Tensor:
    """x * tanh(log(1 + exp(x)))."""

def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """The squared differences of two tensors (broadcast), averaged, summed, or one an element."""

def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
) -> Tensor:
    """The negative of the log-probability of each target class."""

def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """x / max(p-norm along a dimension, eps)."""

def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """1 at the position that each index gives along a new last dimension, else 0, Int64."""

def pad(input: Tensor, pad: Any, mode: str = 'constant', value: Any = None) -> Tensor:
    """The tensor padded."""

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The elements that are positive, 0 in place of the others."""

def relu6(input: Any, inplace: Any = False) -> Tensor:
    """The elements no smaller than 0 and no larger than 6; the derivative is 0 at 0 and 1 at 6."""

def relu_(input: Any) -> Any:
    """The elements that are positive, 0 in place of the others."""

def selu(input: Tensor) -> Tensor:
    """`elu` with the alpha and scale that keep mean and variance: 1.0507 * elu(x, 1.6733)."""

def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""

def sigmoid_(input: Any) -> Any:
    """1 / (1 + exp(-x))."""

def silu(input: Tensor, inplace: Any = False) -> Tensor:
    """x * sigmoid(x)."""

def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean', beta: float = 1.0) -> Tensor:
    """d² / (2 beta) for differences d nearer to 0 than `beta`, |d| - beta / 2 for the others."""

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """log(1 + exp(-target * input)) for targets 1 and -1."""

def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """exp(x) over its sum along a dimension."""

def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent of each element."""

def threshold(input: Tensor, threshold: Any, value: float, inplace: Any = False) -> Tensor:
    """The elements above `threshold`, `value` in place of the others."""

def threshold_(input: Any, threshold: Any, value: Any) -> Any:
    """The elements above `threshold`, `value` in place of the others."""

def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = 'nearest',
    align_corners: bool | None = None,
) -> Tensor:
    """Images (N, C, …) resized."""

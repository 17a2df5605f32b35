# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from ...frontend.values.dispatch import cast as cast
from ...frontend.values.inplace import assign_inplace as assign_inplace
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
) -> Tensor: ...

def avg_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor: ...

def avg_pool3d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor: ...

def batch_norm(
    input: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor: ...

def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Tensor: ...

def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
    pos_weight: Tensor | None = None,
) -> Tensor: ...

def conv(
    axes: int,
    input: Tensor,
    weight: Tensor,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor: ...

def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor: ...

def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor: ...

def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor: ...

def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Tensor: ...

def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor: ...

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor: ...

def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor: ...

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: Any = False) -> Tensor: ...

def elu(input: Any, alpha: float = 1.0, inplace: Any = False) -> Tensor: ...

def elu_(input: Any, alpha: Any = 1.0) -> Any: ...

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor: ...

def glu(input: Tensor, dim: int = -1) -> Tensor: ...

def hardsigmoid(input: Tensor) -> Tensor: ...

def hardswish(input: Tensor) -> Tensor: ...

def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: Any = False) -> Tensor: ...

def hardtanh_(input: Any, min_val: Any = -1.0, max_val: Any = 1.0) -> Any: ...

def kl_div(input: Tensor, target: Tensor, reduction: str = 'mean', log_target: bool = False) -> Tensor: ...

def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor: ...

def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor: ...

def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor: ...

def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Any = None) -> Tensor: ...

def logsigmoid(input: Tensor) -> Tensor: ...

def max_pool2d(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any: ...

def mish(input: Tensor) -> Tensor: ...

def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor: ...

def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
) -> Tensor: ...

def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor: ...

def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor: ...

def pad(input: Tensor, pad: Any, mode: str = 'constant', value: Any = None) -> Tensor: ...

def relu(input: Tensor, inplace: bool = False) -> Tensor: ...

def relu6(input: Any, inplace: Any = False) -> Tensor: ...

def relu_(input: Any) -> Any: ...

def selu(input: Tensor) -> Tensor: ...

def sigmoid(input: Tensor) -> Tensor: ...

def sigmoid_(input: Any) -> Any: ...

def silu(input: Tensor, inplace: Any = False) -> Tensor: ...

def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean', beta: float = 1.0) -> Tensor: ...

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor: ...

def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor: ...

def tanh(input: Tensor) -> Tensor: ...

def threshold(input: Tensor, threshold: Any, value: float, inplace: Any = False) -> Tensor: ...

def threshold_(input: Any, threshold: Any, value: Any) -> Any: ...

def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = 'nearest',
    align_corners: bool | None = None,
) -> Tensor: ...

# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from ...frontend.values.cell import Cell as Cell
from ...frontend.values.parameter import Parameter as Parameter
from ...frontend.values.tensor import Tensor as Tensor
from ..containers import (
    CellDict as CellDict, CellList as CellList, SequentialCell as SequentialCell, CellList as _ModuleList,
    SequentialCell as _Sequential,
)
from ..functions.documentation import LazyDocstring as LazyDocstring, for_layer as for_layer
from ..initializer import HeUniform as HeUniform, Uniform as Uniform, initializer as initializer
from . import functional as functional
ModuleList = _ModuleList
Sequential = _Sequential

class _Convolution(Cell):
    """The base of convolutions."""
    axes: int
    transposed: bool
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = 'zeros',
        dtype: Any = None,
    ) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The convolution."""

class _BatchNorm(Cell):
    """The base of batch normalizations."""
    ranks: tuple[Any, ...]
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-05,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
    ) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The input normalised over its channels."""

class AdaptiveAvgPool1d(Cell):
    """(N, C, L) cut into `output_size` parts, each its mean."""
    def __init__(self, output_size: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AdaptiveAvgPool2d(Cell):
    """Images (N, C, H, W) cut into as many parts as `output_size` says (None: as many as there are), each its mean."""
    def __init__(self, output_size: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AdaptiveAvgPool3d(Cell):
    """(N, C, D, H, W) cut into as many parts as `output_size` says, each its mean."""
    def __init__(self, output_size: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AdaptiveMaxPool1d(Cell):
    """(N, C, L) cut into `output_size` parts, each its maximum."""
    def __init__(self, output_size: Any, return_indices: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Any: ...

class AdaptiveMaxPool2d(Cell):
    """Images (N, C, H, W) cut into as many parts as `output_size` says, each its maximum; optionally where it is."""
    def __init__(self, output_size: Any, return_indices: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Any: ...

class AvgPool1d(Cell):
    """The mean of each window of (N, C, L); see `avg_pool2d`."""
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
    ) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AvgPool2d(Cell):
    """The mean of each window of images."""
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AvgPool3d(Cell):
    """The mean of each window of volumes."""
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class BCELoss(Cell):
    """The binary cross entropy between probabilities and labels: -w * (y log p + (1 - y) log(1 - p))."""
    def __init__(self, weight: Any = None, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class BCEWithLogitsLoss(Cell):
    """The binary cross entropy between sigmoid(input) and targets, computed without overflow."""
    def __init__(self, weight: Any = None, reduction: Any = 'mean', pos_weight: Any = None) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L)."""
    ranks: tuple[Any, ...]

class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W)."""

class BatchNorm3d(_BatchNorm):
    """Batch normalisation of (N, C, D, H, W)."""
    ranks: tuple[Any, ...]

class ConstantPad1d(Cell):
    """Padding of the last dimensions, of which there are 1, in the mode "constant"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ConstantPad2d(Cell):
    """Padding of the last dimensions, of which there are 2, in the mode "constant"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ConstantPad3d(Cell):
    """Padding of the last dimensions, of which there are 3, in the mode "constant"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class Conv1d(_Convolution):
    """Convolution of (N, C, L)."""
    axes: int

class Conv2d(_Convolution):
    """Convolution of images (N, C, H, W)."""

class Conv3d(_Convolution):
    """Convolution of (N, C, D, H, W)."""
    axes: int

class ConvTranspose2d(_Convolution):
    """Transposed convolution of images (N, C, H, W)."""
    transposed: bool
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = 'zeros',
        dtype: Any = None,
    ) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The transposed convolution."""

class CosineEmbeddingLoss(Cell):
    """1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1."""
    def __init__(self, margin: Any = 0.0, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class CosineSimilarity(Cell):
    """x1 · x2 / (max(|x1|, eps) max(|x2|, eps)) along a dimension."""
    def __init__(self, dim: Any = 1, eps: Any = 1e-08) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class CrossEntropyLoss(Cell):
    """The cross entropy between logits and targets."""
    def __init__(
        self,
        weight: Any = None,
        ignore_index: Any = -100,
        reduction: Any = 'mean',
        label_smoothing: Any = 0.0,
    ) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Dropout(Cell):
    """Each element zero with probability `p`, else divided by 1 - p; the tensor itself when not training."""
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Dropout2d(Cell):
    """Each channel of (N, C, H, W) zero with probability `p`, else divided by 1 - p."""
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ELU(Cell):
    """The elements that are positive, alpha * (exp(x) - 1) in place of the others."""
    def __init__(self, alpha: Any = 1.0, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Embedding(Cell):
    """The rows of a table at indices."""
    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        dtype: Any = None,
    ) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The rows."""

class Flatten(Cell):
    """The tensor with the dimensions from `start_dim` to `end_dim` made one."""
    def __init__(self, start_dim: Any = 1, end_dim: Any = -1) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Fold(Cell):
    """The reverse of `unfold`: windows (N, C * kernel, number of windows) summed into images (N, C, H, W)."""
    def __init__(self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class GELU(Cell):
    """x times the probability that a standard normal number is below x; "tanh" for the usual estimate."""
    def __init__(self, approximate: Any = 'none') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class GLU(Cell):
    """The first half along an axis times the sigmoid of the second. ValueError if it is of odd size."""
    def __init__(self, dim: Any = -1) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class GroupNorm(Cell):
    """Normalisation over groups of channels, with a weight and a bias for each channel."""
    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-05,
        affine: bool = True,
        dtype: Any = None,
    ) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The input normalised."""

class Hardshrink(Cell):
    """The elements further from 0 than `lambd`, 0 in place of the others."""
    def __init__(self, lambd: Any = 0.5) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Hardsigmoid(Cell):
    """relu6(x + 3) / 6."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Hardswish(Cell):
    """x * relu6(x + 3) / 6."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Hardtanh(Cell):
    """The elements no smaller than `min_val` and no larger than `max_val`."""
    def __init__(self, min_val: Any = -1.0, max_val: Any = 1.0, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Identity(Cell):
    """Gives its input; all arguments are accepted."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The input."""

class KLDivLoss(Cell):
    """target * (log(target) - input); with `log_target` the targets are logarithms."""
    def __init__(self, reduction: Any = 'mean', log_target: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class L1Loss(Cell):
    """The absolute differences of two tensors, averaged, summed, or one an element."""
    def __init__(self, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class LayerNorm(Cell):
    """Normalisation over the last dimensions, of sizes `normalized_shape`, with a weight and bias for each element."""
    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-05,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Any = None,
    ) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The input normalised."""

class LeakyReLU(Cell):
    """The elements that are positive, `negative_slope` times the others; where both are 0 the derivative is their
    mean."""
    def __init__(self, negative_slope: Any = 0.01) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Linear(Cell):
    """input @ weight.T + bias."""
    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The product with the weight, plus the bias."""
    def extend_repr(self) -> str:
        """The text of the layer's arguments."""

class LogSigmoid(Cell):
    """log(sigmoid(x)), without overflow."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class LogSoftmax(Cell):
    """The logarithm of softmax along a dimension."""
    def __init__(self, dim: Any = None) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class MSELoss(Cell):
    """The squared differences of two tensors (broadcast), averaged, summed, or one an element."""
    def __init__(self, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class MaxPool2d(Cell):
    """The maximum of each window of images."""
    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: Any = False,
        ceil_mode: Any = False,
    ) -> None: ...
    def construct(self, *inputs: Any) -> Any: ...

class MaxUnpool2d(Cell):
    """Zeros with the maxima that max pooling of images (N, C, H, W) gave at the places it gave."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Mish(Cell):
    """x * tanh(log(1 + exp(x)))."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class NLLLoss(Cell):
    """The negative of the log-probability of each target class."""
    def __init__(self, weight: Any = None, ignore_index: Any = -100, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class PReLU(Cell):
    """The elements that are positive, a trained slope times the others."""
    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The input with its negative elements scaled."""

class PixelShuffle(Cell):
    """Channels as pixels: (…, C * r * r, H, W) to (…, C, H * r, W * r)."""
    def __init__(self, upscale_factor: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ReLU(Cell):
    """The elements that are positive, 0 in place of the others."""
    def __init__(self, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ReLU6(Cell):
    """The elements no smaller than 0 and no larger than 6; the derivative is 0 at 0 and 1 at 6."""
    def __init__(self, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ReflectionPad1d(Cell):
    """Padding of the last dimensions, of which there are 1, in the mode "reflect"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReflectionPad2d(Cell):
    """Padding of the last dimensions, of which there are 2, in the mode "reflect"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReflectionPad3d(Cell):
    """Padding of the last dimensions, of which there are 3, in the mode "reflect"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReplicationPad1d(Cell):
    """Padding of the last dimensions, of which there are 1, in the mode "replicate"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReplicationPad2d(Cell):
    """Padding of the last dimensions, of which there are 2, in the mode "replicate"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReplicationPad3d(Cell):
    """Padding of the last dimensions, of which there are 3, in the mode "replicate"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class SELU(Cell):
    """`elu` with the alpha and scale that keep mean and variance: 1.0507 * elu(x, 1.6733)."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SiLU(Cell):
    """x * sigmoid(x)."""
    def __init__(self, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SmoothL1Loss(Cell):
    """d² / (2 beta) for differences d nearer to 0 than `beta`, |d| - beta / 2 for the others."""
    def __init__(self, reduction: Any = 'mean', beta: Any = 1.0) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SoftMarginLoss(Cell):
    """log(1 + exp(-target * input)) for targets 1 and -1."""
    def __init__(self, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Softmax(Cell):
    """exp(x) over its sum along a dimension."""
    def __init__(self, dim: Any = None) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Softplus(Cell):
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold."""
    def __init__(self, beta: Any = 1, threshold: Any = 20) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Softshrink(Cell):
    """The elements moved towards 0 by `lambd`; 0 for elements that are nearer."""
    def __init__(self, lambd: Any = 0.5) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over all processes."""
    ranks: tuple[Any, ...]
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-05,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        dtype: Any = None,
    ) -> None: ...

class Tanh(Cell):
    """Hyperbolic tangent of each element."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Threshold(Cell):
    """The elements above `thr`, `value` in place of the others."""
    def __init__(self, threshold: Any, value: Any, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Unfold(Cell):
    """The windows of images (N, C, H, W) as columns: (N, C * kernel height * kernel width, number of windows)."""
    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Upsample(Cell):
    """Images (N, C, …) resized."""
    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: Any = 'nearest',
        align_corners: Any = None,
        recompute_scale_factor: Any = None,
    ) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class UpsamplingBilinear2d(Cell):
    """Images resized by linear interpolation, their corners kept."""
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The images (N, C, H, W) in their new size."""

class UpsamplingNearest2d(Cell):
    """Images (N, C, …) resized."""
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ZeroPad1d(Cell):
    """Padding of the last dimensions, of which there are 1, in the mode "constant"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ZeroPad2d(Cell):
    """Padding of the last dimensions, of which there are 2, in the mode "constant"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ZeroPad3d(Cell):
    """Padding of the last dimensions, of which there are 3, in the mode "constant"."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

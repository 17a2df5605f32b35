# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ..containers import CellDict, CellList, CellList as ModuleList, SequentialCell as Sequential, SequentialCell
from ..initializer import HeUniform, Uniform, initializer
from . import functional

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d",
    "Cell", "CellDict", "CellList", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Conv1d", "Conv2d", "Conv3d",
    "ConvTranspose2d", "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Dropout2d", "ELU",
    "Embedding", "Flatten", "Fold", "GELU", "GLU", "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh",
    "HeUniform", "Identity", "KLDivLoss", "L1Loss", "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax",
    "MSELoss", "MaxPool2d", "MaxUnpool2d", "Mish", "ModuleList", "NLLLoss", "PReLU", "Parameter", "PixelShuffle",
    "ReLU", "ReLU6", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
    "ReplicationPad3d", "SELU", "Sequential", "SequentialCell", "SiLU", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss",
    "Softmax", "Softplus", "Softshrink", "SyncBatchNorm", "Tanh", "Tensor", "Threshold", "Unfold", "Uniform",
    "Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "functional",
    "initializer",
]

class _Convolution(Cell):
    """What the convolutions share."""
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
    """What the batch norms share."""
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
    """The function `mint.nn.functional.adaptive_avg_pool1d` as a layer: `AdaptiveAvgPool1d(output_size)`."""
    def __init__(self, output_size: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AdaptiveAvgPool2d(Cell):
    """The function `mint.nn.functional.adaptive_avg_pool2d` as a layer: `AdaptiveAvgPool2d(output_size)`."""
    def __init__(self, output_size: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AdaptiveAvgPool3d(Cell):
    """The function `mint.nn.functional.adaptive_avg_pool3d` as a layer: `AdaptiveAvgPool3d(output_size)`."""
    def __init__(self, output_size: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class AdaptiveMaxPool1d(Cell):
    """The function `mint.nn.functional.adaptive_max_pool1d` as a layer: `AdaptiveMaxPool1d(output_size,
    return_indices=False)`."""
    def __init__(self, output_size: Any, return_indices: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Any: ...

class AdaptiveMaxPool2d(Cell):
    """The function `mint.nn.functional.adaptive_max_pool2d` as a layer: `AdaptiveMaxPool2d(output_size,
    return_indices=False)`."""
    def __init__(self, output_size: Any, return_indices: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Any: ...

class AvgPool1d(Cell):
    """The function `mint.nn.functional.avg_pool1d` as a layer: `AvgPool1d(kernel_size, stride=None, padding=0,
    ceil_mode=False, count_include_pad=True)`."""
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
    """The function `mint.nn.functional.avg_pool2d` as a layer: `AvgPool2d(kernel_size, stride=None, padding=0,
    ceil_mode=False, count_include_pad=True, divisor_override=None)`."""
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
    """The function `mint.nn.functional.avg_pool3d` as a layer: `AvgPool3d(kernel_size, stride=None, padding=0,
    ceil_mode=False, count_include_pad=True, divisor_override=None)`."""
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
    """The function `mint.nn.functional.binary_cross_entropy` as a layer: `BCELoss(weight=None, reduction='mean')`."""
    def __init__(self, weight: Any = None, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class BCEWithLogitsLoss(Cell):
    """The function `mint.nn.functional.binary_cross_entropy_with_logits` as a layer: `BCEWithLogitsLoss(weight=None,
    reduction='mean', pos_weight=None)`."""
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
    """Padding of the last 1 dimensions, constant."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ConstantPad2d(Cell):
    """Padding of the last 2 dimensions, constant."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ConstantPad3d(Cell):
    """Padding of the last 3 dimensions, constant."""
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
    """The function `mint.nn.functional.cosine_embedding_loss` as a layer: `CosineEmbeddingLoss(margin=0.0,
    reduction='mean')`."""
    def __init__(self, margin: Any = 0.0, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class CosineSimilarity(Cell):
    """The function `mint.nn.functional.cosine_similarity` as a layer: `CosineSimilarity(dim=1, eps=1e-08)`."""
    def __init__(self, dim: Any = 1, eps: Any = 1e-08) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class CrossEntropyLoss(Cell):
    """The function `mint.nn.functional.cross_entropy` as a layer: `CrossEntropyLoss(weight=None, ignore_index=-100,
    reduction='mean', label_smoothing=0.0)`."""
    def __init__(
        self,
        weight: Any = None,
        ignore_index: Any = -100,
        reduction: Any = 'mean',
        label_smoothing: Any = 0.0,
    ) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Dropout(Cell):
    """The function `mint.nn.functional.dropout` as a layer: `Dropout(p=0.5, inplace=False)`."""
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Dropout2d(Cell):
    """The function `mint.nn.functional.dropout2d` as a layer: `Dropout2d(p=0.5, inplace=False)`."""
    def __init__(self, p: Any = 0.5, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ELU(Cell):
    """The function `mint.nn.functional.elu` as a layer: `ELU(alpha=1.0, inplace=False)`."""
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
    """The function `mint.nn.functional.flatten` as a layer: `Flatten(start_dim=1, end_dim=-1)`."""
    def __init__(self, start_dim: Any = 1, end_dim: Any = -1) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Fold(Cell):
    """The function `mint.nn.functional.fold` as a layer: `Fold(output_size, kernel_size, dilation=1, padding=0,
    stride=1)`."""
    def __init__(self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class GELU(Cell):
    """The function `mint.nn.functional.gelu` as a layer: `GELU(approximate='none')`."""
    def __init__(self, approximate: Any = 'none') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class GLU(Cell):
    """The function `mint.nn.functional.glu` as a layer: `GLU(dim=-1)`."""
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
    """The function `mint.nn.functional.hardshrink` as a layer: `Hardshrink(lambd=0.5)`."""
    def __init__(self, lambd: Any = 0.5) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Hardsigmoid(Cell):
    """The function `mint.nn.functional.hardsigmoid` as a layer: `Hardsigmoid()`."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Hardswish(Cell):
    """The function `mint.nn.functional.hardswish` as a layer: `Hardswish()`."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Hardtanh(Cell):
    """The function `mint.nn.functional.hardtanh` as a layer: `Hardtanh(min_val=-1.0, max_val=1.0, inplace=False)`."""
    def __init__(self, min_val: Any = -1.0, max_val: Any = 1.0, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Identity(Cell):
    """Gives its input; all arguments are accepted."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The input."""

class KLDivLoss(Cell):
    """The function `mint.nn.functional.kl_div` as a layer: `KLDivLoss(reduction='mean', log_target=False)`."""
    def __init__(self, reduction: Any = 'mean', log_target: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class L1Loss(Cell):
    """The function `mint.nn.functional.l1_loss` as a layer: `L1Loss(reduction='mean')`."""
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
    """The function `mint.nn.functional.leaky_relu` as a layer: `LeakyReLU(negative_slope=0.01)`."""
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
        """What the layer's text shows."""

class LogSigmoid(Cell):
    """The function `mint.nn.functional.logsigmoid` as a layer: `LogSigmoid()`."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class LogSoftmax(Cell):
    """The function `mint.nn.functional.log_softmax` as a layer: `LogSoftmax(dim=None)`."""
    def __init__(self, dim: Any = None) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class MSELoss(Cell):
    """The function `mint.nn.functional.mse_loss` as a layer: `MSELoss(reduction='mean')`."""
    def __init__(self, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class MaxPool2d(Cell):
    """The function `mint.nn.functional.max_pool2d` as a layer: `MaxPool2d(kernel_size, stride=None, padding=0,
    dilation=1, return_indices=False, ceil_mode=False)`."""
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
    """The function `mint.nn.functional.max_unpool2d` as a layer: `MaxUnpool2d(kernel_size, stride=None, padding=0)`."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Mish(Cell):
    """The function `mint.nn.functional.mish` as a layer: `Mish()`."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class NLLLoss(Cell):
    """The function `mint.nn.functional.nll_loss` as a layer: `NLLLoss(weight=None, ignore_index=-100,
    reduction='mean')`."""
    def __init__(self, weight: Any = None, ignore_index: Any = -100, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class PReLU(Cell):
    """The elements that are positive, a trained slope times the others."""
    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None) -> None: ...
    def construct(self, input: Tensor) -> Tensor:
        """The input with its negative elements scaled."""

class PixelShuffle(Cell):
    """The function `mint.nn.functional.pixel_shuffle` as a layer: `PixelShuffle(upscale_factor)`."""
    def __init__(self, upscale_factor: Any) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ReLU(Cell):
    """The function `mint.nn.functional.relu` as a layer: `ReLU(inplace=False)`."""
    def __init__(self, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ReLU6(Cell):
    """The function `mint.nn.functional.relu6` as a layer: `ReLU6(inplace=False)`."""
    def __init__(self, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ReflectionPad1d(Cell):
    """Padding of the last 1 dimensions, reflect."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReflectionPad2d(Cell):
    """Padding of the last 2 dimensions, reflect."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReflectionPad3d(Cell):
    """Padding of the last 3 dimensions, reflect."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReplicationPad1d(Cell):
    """Padding of the last 1 dimensions, replicate."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReplicationPad2d(Cell):
    """Padding of the last 2 dimensions, replicate."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ReplicationPad3d(Cell):
    """Padding of the last 3 dimensions, replicate."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class SELU(Cell):
    """The function `mint.nn.functional.selu` as a layer: `SELU()`."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SiLU(Cell):
    """The function `mint.nn.functional.silu` as a layer: `SiLU(inplace=False)`."""
    def __init__(self, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Sigmoid(Cell):
    """The function `mint.nn.functional.sigmoid` as a layer: `Sigmoid()`."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SmoothL1Loss(Cell):
    """The function `mint.nn.functional.smooth_l1_loss` as a layer: `SmoothL1Loss(reduction='mean', beta=1.0)`."""
    def __init__(self, reduction: Any = 'mean', beta: Any = 1.0) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SoftMarginLoss(Cell):
    """The function `mint.nn.functional.soft_margin_loss` as a layer: `SoftMarginLoss(reduction='mean')`."""
    def __init__(self, reduction: Any = 'mean') -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Softmax(Cell):
    """The function `mint.nn.functional.softmax` as a layer: `Softmax(dim=None)`."""
    def __init__(self, dim: Any = None) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Softplus(Cell):
    """The function `mint.nn.functional.softplus` as a layer: `Softplus(beta=1, threshold=20)`."""
    def __init__(self, beta: Any = 1, threshold: Any = 20) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Softshrink(Cell):
    """The function `mint.nn.functional.softshrink` as a layer: `Softshrink(lambd=0.5)`."""
    def __init__(self, lambd: Any = 0.5) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over all processes, of which there is one."""
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
    """The function `mint.nn.functional.tanh` as a layer: `Tanh()`."""
    def __init__(self) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Threshold(Cell):
    """The function `mint.nn.functional.threshold` as a layer: `Threshold(threshold, value, inplace=False)`."""
    def __init__(self, threshold: Any, value: Any, inplace: Any = False) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Unfold(Cell):
    """The function `mint.nn.functional.unfold` as a layer: `Unfold(kernel_size, dilation=1, padding=0, stride=1)`."""
    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class Upsample(Cell):
    """The function `mint.nn.functional.interpolate` as a layer: `Upsample(size=None, scale_factor=None, mode='nearest',
    align_corners=None, recompute_scale_factor=None)`."""
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
    """The function `mint.nn.functional.interpolate` as a layer: `UpsamplingNearest2d(size=None, scale_factor=None)`."""
    def __init__(self, size: Any = None, scale_factor: Any = None) -> None: ...
    def construct(self, *inputs: Any) -> Tensor: ...

class ZeroPad1d(Cell):
    """Padding of the last 1 dimensions, constant."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ZeroPad2d(Cell):
    """Padding of the last 2 dimensions, constant."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

class ZeroPad3d(Cell):
    """Padding of the last 3 dimensions, constant."""
    def __init__(self, padding: Any, *value: Any, **named: Any) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...

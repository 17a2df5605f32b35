"""Primitives of layers: activations, convolution, pooling, normalisation, losses, matrices and images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....compiler import ops as prims
from ....frontend.state import STATE
from ....frontend.transforms.grad import grad
from ....frontend.values.arguments import insert_axes, one_axis
from ....frontend.values.dispatch import apply, cast
from ....frontend.values.operands import widened
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ...functions import linalg, nn_conv, nn_image, nn_norm, nn_pool
from ...functions.array_shape import moveaxis, reshape, swapaxes
from ...functions.fourier import fft_with_size
from ...functions.nn_loss_margin import ctc_path_losses
from ...functions.nn_sampling import deformable_offsets
from ...functions.seeds import owned
from ...functions.windows import stft_primitive
from .primitive import Row, function_named as f, make_classes, takes, tensor

IMAGE_FORMATS = ("NCHW", "NHWC", "NCDHW", "NCL")


def channels_first(x: Tensor, data_format: str) -> Tensor:
    """Images with their channels as the second dimension, given in a format such as NHWC."""
    if data_format not in IMAGE_FORMATS:
        raise ValueError(f"'data_format' should be one of {', '.join(IMAGE_FORMATS)}, but got {data_format!r}")
    return moveaxis(x, -1, 1) if data_format == "NHWC" else x


def channels_back(x: Tensor, data_format: str) -> Tensor:
    """The reverse of `channels_first`."""
    return moveaxis(x, 1, -1) if data_format == "NHWC" else x


_FILTER = "out_channel kernel_size"


def _conv(axes: int) -> Row:
    def run(self: Any, x: Any, weight: Any) -> Tensor:
        x, weight = channels_first(x, self.data_format), channels_first(weight, self.data_format)
        stride, dilation = _spatial(self.stride, axes), _spatial(self.dilation, axes)
        out = f(f"conv{axes}d")(x, weight, None, stride, self.pad_mode, self.pad, dilation, self.group)
        return channels_back(out, self.data_format)

    order = "NCHW" if axes == 2 else "NCDHW"
    return run, takes(_FILTER, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1, group=1, data_format=order)


def _spatial(value: Any, axes: int) -> Any:
    return tuple(value)[-axes:] if isinstance(value, (tuple, list)) else value


def _conv_transpose(self: Any, dout: Any, weight: Any, input_size: Any = None) -> Tensor:
    stride, dilation = _spatial(self.stride, 2), _spatial(self.dilation, 2)
    steps = nn_conv.per_axis(stride, 2, self.name, "stride", 1)
    spread = nn_conv.per_axis(dilation, 2, self.name, "dilation", 1)
    kernel = tuple(map(int, weight.shape[2:]))
    if input_size is None:
        return nn_conv.transposed_convolution(
            dout, weight, None, 2, stride, self.pad_mode, self.pad, 0, self.group, dilation, self.name
        )
    spatial = tuple(int(size) for size in tuple(input_size)[2:])
    if self.pad_mode.lower() == "same":
        pairs = nn_conv.same_padding(spatial, kernel, steps, spread)
    else:
        pads = self.pad if self.pad_list is None else self.pad_list
        pairs = nn_conv.both_sides(pads if self.pad_mode.lower() == "pad" else 0, 2, self.name)
    windows = {"stride": steps, "padding": pairs, "dilation": spread, "groups": int(self.group)}
    return apply(prims.conv_input_grad, dout, weight, spatial=spatial, **windows)


_TRANSPOSED = takes(
    _FILTER, pad_mode="valid", pad=0, pad_list=None, mode=1, stride=1, dilation=1, group=1, data_format="NCHW"
)


_WINDOWS = {"kernel_size": 1, "strides": 1, "pad_mode": "valid"}


def _pool(which: str, axes: int) -> Row:
    def run(self: Any, x: Any) -> Tensor:
        pool = nn_pool.max_pool_mode if which == "max" else nn_pool.avg_pool_mode
        images = channels_first(x, self.data_format)
        kernel, strides = _spatial(self.kernel_size, axes), _spatial(self.strides, axes)
        extra = {}
        if axes == 3:
            extra = {"padding": self.pad_list if which == "max" else self.pad, "ceil_mode": bool(self.ceil_mode)}
        if axes == 3 and which == "avg":
            extra |= {"count_include_pad": self.count_include_pad, "divisor_override": self.divisor_override}
        return channels_back(pool(images, axes, kernel, strides, self.pad_mode, **extra), self.data_format)

    if axes == 2:
        return run, _WINDOWS | {"data_format": "NCHW"}
    if which == "max":
        return run, _WINDOWS | {"pad_mode": "VALID", "pad_list": 0, "ceil_mode": None, "data_format": "NCDHW"}
    counted = {"pad": 0, "ceil_mode": False, "count_include_pad": True, "divisor_override": 0, "data_format": "NCDHW"}
    return run, _WINDOWS | counted


def _max_pool_indices(self: Any, x: Any) -> Any:
    size = nn_conv.per_axis(_spatial(self.kernel_size, 2), 2, self.name, "kernel_size", 1)
    steps = nn_conv.per_axis(_spatial(self.strides, 2), 2, self.name, "strides", 1)
    pairs = nn_pool.mode_padding(x, size, steps, self.pad_mode, 0, self.name)
    windows = {"kernel": size, "stride": steps, "padding": pairs, "dilation": (1, 1), "ceil_mode": False}
    pooled = apply(prims.max_pool, x, **windows)
    places = cast(apply(prims.max_pool_indices, x, pooled, **windows), dtypes.int32)  # of each channel its own
    channels, area = int(x.shape[1]), int(x.shape[2]) * int(x.shape[3])
    starts = apply(prims.iota, start=0, step=area, size=channels, dtype=dtypes.int32)
    return pooled, apply(prims.add, places, reshape(starts, (channels, 1, 1)))


def _layer_norm(self: Any, x: Any, gamma: Any, beta: Any) -> Any:
    begin = one_axis(self.begin_norm_axis, x.ndim, "LayerNorm", "begin_norm_axis")
    first = one_axis(self.begin_params_axis, x.ndim, "LayerNorm", "begin_params_axis")
    wide = widened(x)
    mean, variance, centred = nn_norm.moments(wide, tuple(range(begin, x.ndim)))
    inverse = apply(prims.rsqrt, apply(prims.add, variance, float(self.epsilon)))
    shape = tuple(map(int, x.shape[first:]))
    scaled = apply(prims.multiply, apply(prims.multiply, centred, inverse), reshape(cast(gamma, wide.dtype), shape))
    out = apply(prims.add, scaled, reshape(cast(beta, wide.dtype), shape))
    return cast(out, x.dtype), f("stop_gradient")(mean), f("stop_gradient")(variance)


def _batch_norm(self: Any, x: Any, scale: Any, bias: Any, mean: Any, variance: Any) -> Any:
    images = channels_first(x, self.data_format)
    if not self.is_training:
        out = nn_norm.normalized(images, mean, variance, scale, bias, self.epsilon)
        return channels_back(out, self.data_format), mean, variance, mean, variance
    out, own_mean, own_variance = nn_norm.batch_normalized(images, scale, bias, self.epsilon)
    nn_norm.update_running(mean, own_mean, self.momentum)
    count = images.size // images.shape[1]
    nn_norm.update_running(variance, nn_norm.unbiased(own_variance, count), self.momentum)
    return channels_back(out, self.data_format), own_mean, own_variance, own_mean, own_variance


def _bias_add(self: Any, x: Any, bias: Any) -> Tensor:
    return channels_back(f("bias_add")(channels_first(x, self.data_format), bias), self.data_format)


def _dropout(self: Any, x: Any) -> Any:
    from ...functions.nn_dropout import keep_mask

    if not 0 < self.keep_prob <= 1:
        raise ValueError(f"Dropout: 'keep_prob' should be in (0, 1], but got {self.keep_prob}")
    if self.keep_prob == 1:
        return x, f("ones_like")(x)
    mask = keep_mask(x, 1.0 - self.keep_prob, x._type.shape, **owned(self, self.Seed0, self.Seed1))
    return apply(prims.multiply, x, mask), apply(prims.multiply, mask, float(self.keep_prob))


def _drop_channels(self: Any, x: Any) -> Any:
    from ...functions.nn_dropout import keep_mask

    chance = 1.0 - self.keep_prob
    lead = x._type.shape[:2]
    if chance == 0:
        return x, f("ones_like")(x, dtype=dtypes.bool_)
    mask = insert_axes(keep_mask(x, chance, lead), tuple(range(2, x.ndim)))
    out = apply(prims.multiply, x, mask)
    return out, apply(prims.broadcast_to, apply(prims.not_equal, mask, 0), shape=x._type.static_shape)


def _softmax_cross_entropy(self: Any, logits: Any, labels: Any) -> Any:
    """The loss of each row, and its gradient by the logits."""
    stop = f("stop_gradient")
    labels = stop(labels)
    return f("softmax_cross_entropy_with_logits")(logits, labels), stop(f("sub")(f("softmax")(logits), labels))


def _sparse_softmax_cross_entropy(self: Any, logits: Any, labels: Any) -> Any:
    if self.is_grad:
        from ...functions.creation import one_hot

        hot = one_hot(labels, int(logits.shape[-1]), Tensor(1.0, logits.dtype), Tensor(0.0, logits.dtype))
        return f("div")(f("sub")(f("softmax")(logits), hot), float(logits.shape[0]))
    return f("cross_entropy")(logits, labels)


def _sigmoid_cross_entropy(self: Any, logits: Any, labels: Any) -> Tensor:
    return f("binary_cross_entropy_with_logits")(logits, f("stop_gradient")(labels), reduction="none")


def _bce_logits(self: Any, logits: Any, labels: Any, weight: Any = None, pos_weight: Any = None) -> Tensor:
    return f("binary_cross_entropy_with_logits")(logits, labels, weight, pos_weight, self.reduction)


def _nll(self: Any, logits: Any, labels: Any, weight: Any) -> Any:
    loss = f("nll_loss")(logits, labels, weight, self.ignore_index, self.reduction)
    kept = cast(f("not_equal")(labels, self.ignore_index), weight.dtype)
    safe = f("where")(f("not_equal")(labels, self.ignore_index), labels, 0)
    return loss, f("sum")(f("mul")(f("gather")(weight, safe, 0), kept))


def _smooth_l1(self: Any, prediction: Any, target: Any) -> Tensor:
    return f("smooth_l1_loss")(prediction, target, self.beta, self.reduction)


def _label_table(indices: Any, values: Any, count: int, steps: int, collapse: bool) -> tuple[Any, Any]:
    """Sparse labels as a table of `count` rows that end in zeros, and their lengths. In graphs they are in order."""
    rows, labels, longest = indices[:, 0], cast(values, dtypes.int64), min(int(indices.shape[0]), steps + 1)
    if STATE.trace is None:
        numbers = indices.asnumpy()[:, 0]
        order = np.argsort(numbers, kind="stable")
        rows, labels = Tensor(numbers[order]), labels[Tensor(order)]
        longest = int(np.bincount(numbers, minlength=1).max())
    member = f("equal")(insert_axes(rows, (0,)), Tensor(np.arange(count)[:, None], rows.dtype))
    kept = f("ones_like")(labels)
    if collapse:
        kept = f("cat")(
            (kept[:1], cast(f("logical_or")(labels[1:] != labels[:-1], rows[1:] != rows[:-1]), labels.dtype))
        )
    sizes = f("sum")(cast(member, kept.dtype) * kept, 1)
    before = f("cumsum")(sizes, 0) - sizes
    place = f("cumsum")(kept, 0) - 1 - before[rows]
    # Labels without a place of their own go to one behind the table.
    place = f("where")(f("logical_and")(kept > 0, place < longest), rows * longest + place, count * longest)
    table = f("scatter_nd")(insert_axes(place, (1,)), labels, (count * longest + 1,))
    return reshape(table[:-1], (count, longest)), sizes


def _ctc(self: Any, x: Any, indices: Any, values: Any, lengths: Any) -> Any:
    """Losses of sparse labels, and their gradient by the logits (T, N, C); the blank is the last class."""
    table, sizes = _label_table(indices, values, int(x.shape[1]), int(x.shape[0]), self.preprocess_collapse_repeated)
    ends = cast(lengths, dtypes.int64)
    blank, merge = int(x.shape[2]) - 1, bool(self.ctc_merge_repeated)

    def losses(logits: Any) -> Any:
        found = ctc_path_losses(f("log_softmax")(logits, 2), table, ends, sizes, blank, merge)
        return f("where")(f("gt")(sizes, ends), 0.0, found) if self.ignore_longer_outputs_than_inputs else found

    return losses(x), grad(lambda logits: f("sum")(losses(logits)))(x)


def _resize(mode: str) -> Any:
    def run(self: Any, x: Any, size: Any = None) -> Tensor:
        wanted = self.size if size is None else size
        half = getattr(self, "half_pixel_centers", False)
        if isinstance(wanted, Tensor):
            wanted = tuple(wanted.tolist())
        return nn_image.resize_images(x, tuple(wanted), mode, self.align_corners, half)

    return run


def _grid(self: Any, x: Any, grid: Any) -> Tensor:
    return f("grid_sample")(x, grid, self.interpolation_mode, self.padding_mode, self.align_corners)


def _offsets(self: Any, x: Any, offsets: Any) -> Tensor:
    if self.data_format != "NCHW" or self.modulated is not True:
        raise ValueError("DeformableOffsets: 'data_format' should be 'NCHW', and 'modulated' True")
    groups = self.deformable_groups
    return deformable_offsets(x, offsets, self.strides, self.pads, self.ksize, self.dilations, groups, self.name)


def _matmul(self: Any, x: Any, y: Any) -> Tensor:
    return linalg.transposed_matmul(x, y, self.transpose_a, self.transpose_b)


def _fourier(self: Any, x: Any) -> Tensor:
    return fft_with_size(x, self.signal_ndim, self.inverse, self.real, self.norm, self.onesided, self.signal_sizes)


def _svd(self: Any, x: Any) -> Any:
    if self.compute_uv:
        return f("svd")(x, self.full_matrices, True)
    values = f("svd")(x, False, False)
    return values, Tensor([0.0], values.dtype), Tensor([0.0], values.dtype)


def _multi_margin(self: Any, x: Any, target: Any, weight: Any = None) -> Tensor:
    return f("multi_margin_loss")(x, target, self.p, self.margin, weight, self.reduction)


def _unpool(axes: int) -> Row:
    def run(self: Any, x: Any, indices: Any) -> Tensor:
        stride = None if self.strides == 0 else self.strides
        return f(f"max_unpool{axes}d")(x, indices, self.ksize, stride, self.pads, self.output_shape or None)

    return run, takes("ksize", strides=0, pads=0, output_shape=(), data_format="NCHW")


_OFFSETS = takes("strides pads ksize", dilations=(1, 1, 1, 1), data_format="NCHW", deformable_groups=1, modulated=True)
_GRID = {"interpolation_mode": "bilinear", "padding_mode": "zeros", "align_corners": False}
TABLE: dict[str, Row] = {
    "Softmax": ("softmax", {"axis": -1}),
    "LogSoftmax": ("log_softmax", {"axis": -1}),
    "LogSoftmaxExt": (lambda self, x, dim=-1, dtype=None: f("log_softmax")(x, -1 if dim is None else dim), {}),
    "GeLU": (lambda self, x: f("gelu")(x, "tanh"), {}),
    "Gelu": (lambda self, x: f("gelu")(x, "tanh"), {}),
    "GeluExt": ("gelu", {"approximate": "none"}),
    "Elu": ("elu", {"alpha": 1.0}),
    "CeLU": ("celu", {"alpha": 1.0}),
    "GLU": ("glu", {"axis": -1}),
    "HShrink": ("hardshrink", {"lambd": 0.5}),
    "SoftShrink": ("softshrink", {"lambd": 0.5}),
    "Threshold": (
        lambda self, x: f("threshold")(x, self.threshold, self.value),
        takes("threshold value"),
    ),
    "BiasAdd": (_bias_add, {"data_format": "NCHW"}),
    "MatMul": (_matmul, {"transpose_a": False, "transpose_b": False}),
    "BatchMatMul": (_matmul, {"transpose_a": False, "transpose_b": False}),
    "Einsum": (lambda self, operands: f("einsum")(self.equation, *operands), takes("equation")),
    "MatrixInverse": (
        tensor(lambda self, x: f("inverse")(swapaxes(x, -1, -2) if self.adjoint else x)),
        {"adjoint": False},
    ),
    "MatrixPower": (lambda self, x: f("matrix_power")(x, self.n), takes("n")),
    "Cholesky": ("cholesky", {"upper": False}),
    "CholeskyInverse": ("cholesky_inverse", {"upper": False}),
    "CholeskySolve": ("cholesky_solve", {"upper": False}),
    "MatrixSolve": ("matrix_solve", {"adjoint": False}),
    "Eig": (lambda self, x: f("eig")(x) if self.compute_v else f("eigvals")(x), {"compute_v": False}),
    "STFT": (
        stft_primitive,
        takes("n_fft hop_length win_length normalized onesided return_complex"),
    ),
    "FFTWithSize": (
        _fourier,
        takes("signal_ndim inverse real", norm="backward", onesided=True, signal_sizes=()),
    ),
    "Svd": (_svd, {"full_matrices": False, "compute_uv": True}),
    "Qr": (lambda self, x: f("qr")(x, "complete" if self.full_matrices else "reduced"), {"full_matrices": False}),
    "Cross": (lambda self, x, y: f("cross")(x, y, None if self.dim == -65530 else self.dim), {"dim": -65530}),
    "Cdist": ("cdist", {"p": 2.0}),
    "Pdist": ("pdist", {"p": 2.0}),
    "Renorm": (
        lambda self, x: f("renorm")(x, self.p, self.dim, self.maxnorm),
        takes("p dim maxnorm"),
    ),
    "L2Normalize": ("l2_normalize", {"axis": 0, "epsilon": 1e-4}),
    "LayerNorm": (_layer_norm, {"begin_norm_axis": 1, "begin_params_axis": 1, "epsilon": 1e-7}),
    "RmsNorm": ("rms_norm", {"epsilon": 1e-6}),
    "BatchNorm": (_batch_norm, {"is_training": False, "epsilon": 1e-5, "momentum": 0.1, "data_format": "NCHW"}),
    "LRN": ("lrn", {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5, "norm_region": "ACROSS_CHANNELS"}),
    "Dropout": (_dropout, {"keep_prob": 0.5, "Seed0": 0, "Seed1": 0}),
    "Dropout2D": (_drop_channels, {"keep_prob": 0.5}),
    "Dropout3D": (_drop_channels, {"keep_prob": 0.5}),
    "Conv2D": _conv(2),
    "Conv3D": _conv(3),
    "Conv2DTranspose": (_conv_transpose, _TRANSPOSED),
    "Conv2DBackpropInput": (_conv_transpose, _TRANSPOSED),
    "MaxPool": _pool("max", 2),
    "AvgPool": _pool("avg", 2),
    "MaxPool3D": _pool("max", 3),
    "AvgPool3D": _pool("avg", 3),
    "MaxPoolWithArgmax": (_max_pool_indices, _WINDOWS | {"data_format": "NCHW"}),
    "MaxUnpool2D": _unpool(2),
    "MaxUnpool3D": _unpool(3),
    "AdaptiveAvgPool2D": ("adaptive_avg_pool2d", takes("output_size")),
    "AdaptiveAvgPool3D": ("adaptive_avg_pool3d", takes("output_size")),
    "AdaptiveMaxPool2D": (lambda self, x: f("adaptive_max_pool2d")(x, self.output_size, True), takes("output_size")),
    "ChannelShuffle": (lambda self, x: f("channel_shuffle")(x, self.group), takes("group")),
    "SoftmaxCrossEntropyWithLogits": (_softmax_cross_entropy, {}),
    "SparseSoftmaxCrossEntropyWithLogits": (_sparse_softmax_cross_entropy, {"is_grad": False}),
    "SigmoidCrossEntropyWithLogits": (_sigmoid_cross_entropy, {}),
    "BCEWithLogitsLoss": (_bce_logits, {"reduction": "mean"}),
    "BinaryCrossEntropy": ("binary_cross_entropy", {"reduction": "mean"}),
    "NLLLoss": (_nll, {"reduction": "mean", "ignore_index": -100}),
    "KLDivLoss": (tensor(lambda self, x, y: f("kl_div")(x, y, self.reduction)), {"reduction": "mean"}),
    "SmoothL1Loss": (_smooth_l1, {"beta": 1.0, "reduction": "none"}),
    "MultiMarginLoss": (_multi_margin, {"p": 1, "margin": 1.0, "reduction": "mean"}),
    "MultilabelMarginLoss": ("multilabel_margin_loss", {"reduction": "mean"}),
    "SoftMarginLoss": (tensor(lambda self, x, y: f("soft_margin_loss")(x, y, self.reduction)), {"reduction": "mean"}),
    "CTCLoss": (
        _ctc,
        {"preprocess_collapse_repeated": False, "ctc_merge_repeated": True, "ignore_longer_outputs_than_inputs": False},
    ),
    "ResizeNearestNeighbor": (
        _resize("nearest"),
        takes("size", align_corners=False, half_pixel_centers=False),
    ),
    "ResizeNearestNeighborV2": (_resize("nearest"), {"align_corners": False, "half_pixel_centers": False}),
    "ResizeBilinear": (_resize("linear"), takes("size", align_corners=False, half_pixel_centers=False)),
    "ResizeBilinearV2": (_resize("linear"), {"align_corners": False, "half_pixel_centers": False}),
    "GridSampler2D": (_grid, _GRID),
    "GridSampler3D": (_grid, _GRID),
    "DeformableOffsets": (_offsets, _OFFSETS),
    "AffineGrid": ("affine_grid", {"align_corners": False}),
    "CropAndResize": ("crop_and_resize", {"method": "bilinear", "extrapolation_value": 0.0}),
    "IOU": ("iou", {"mode": "iou"}),
    "BoundingBoxEncode": ("bounding_box_encode", {"means": (0.0,) * 4, "stds": (1.0,) * 4}),
    "BoundingBoxDecode": (
        "bounding_box_decode",
        takes("max_shape", means=(0.0,) * 4, stds=(1.0,) * 4, wh_ratio_clip=0.016),
    ),
    "NMSWithMask": ("nms_with_mask", {"iou_threshold": 0.5}),
    "ROIAlign": (
        "roi_align",
        takes("pooled_height pooled_width spatial_scale", sample_num=2, roi_end_mode=1),
    ),
    "RandomChoiceWithMask": (
        lambda self, x: f("choice_with_mask")(x, self.count),
        {"count": 256, "seed": 0, "seed2": 0},
    ),
}
CLASSES = make_classes(TABLE, globals())

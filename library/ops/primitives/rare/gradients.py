"""MindSpore's primitives of derivatives (`_grad_ops`): cotangents in, cotangents of the inputs out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .....frontend.values.dispatch import cast
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from .. import arrays, elementwise, layers
from ..primitive import Row, function_named, make_classes, takes, tensor

_PRIMITIVES = {**arrays.CLASSES, **layers.CLASSES, **elementwise.CLASSES}


def f(name: str) -> Callable[..., Any]:
    """The function of `mycel.ops` with this name, or the primitive."""
    return _PRIMITIVES.get(name) or function_named(name)


def pull(function: Callable[..., Any], inputs: tuple[Any, ...], dout: Any) -> tuple[Any, ...]:
    """The cotangents of a function's inputs, given the cotangent of its output."""
    from .....frontend.transforms.products import vjp

    return tuple(vjp(function, *inputs)[1](dout))


def _of(name: str, *, result_first: bool = False, **fixed: Any) -> Row:
    """The derivative of a function of one tensor, called with the cotangent first unless `result_first`."""

    def run(self: Any, first: Any, second: Any) -> Tensor:
        x, dout = (first, second) if result_first else (second, first)
        found: Tensor = pull(lambda value: f(name)(value, **fixed), (x,), dout)[0]
        return found

    return run, {}


def _with(formula: Callable[[Any, Any], Any]) -> Row:
    return (lambda self, first, second: formula(first, second)), {}


def _elu(dout: Any, out: Any) -> Tensor:
    return f("where")(out < 0, dout * (out + 1.0), dout)


def _selu(dout: Any, out: Any) -> Tensor:
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    return f("where")(out < 0, dout * (out + scale * alpha), dout * scale)


def _kept(condition: Callable[[Any], Any]) -> Callable[[Any, Any], Tensor]:
    """A cotangent where the input meets a condition, and zero elsewhere."""
    return lambda dout, x: f("where")(condition(x), dout, f("zeros_like")(dout))


def _larger(name: str) -> Row:
    return (lambda self, x, y, dout: pull(f(name), (x, y), dout)), {"grad_x": True, "grad_y": True}


def _second_larger(picks: str) -> Callable[..., Any]:
    def run(self: Any, x: Any, y: Any, dx: Any, dy: Any) -> tuple[Tensor, Tensor, Tensor]:
        zero = f("zeros_like")(x)
        return zero, zero, f("where")(f(picks)(x, y), dx, dy)

    return run


def _log_softmax(self: Any, out: Any, dout: Any) -> Tensor:
    total: Tensor = f("sum")(dout, self.axis, keepdim=True)
    return dout - f("exp")(out) * total


def _softmax(self: Any, out: Any, dout: Any) -> Tensor:
    product = out * dout
    return product - out * f("sum")(product, -1, keepdim=True)


def _prelu(self: Any, dout: Any, x: Any, weight: Any) -> tuple[Any, ...]:
    return pull(f("prelu"), (x, weight), dout)


def _bias_add(self: Any, dout: Any) -> Tensor:
    channels = dout.ndim - 1 if self.data_format == "NHWC" else 1
    return f("sum")(dout, tuple(axis for axis in range(dout.ndim) if axis != channels))


def _binary_cross_entropy(self: Any, x: Any, target: Any, dout: Any, weight: Any = None) -> Tensor:
    def loss(value: Any) -> Tensor:
        return f("binary_cross_entropy")(value, target, weight, self.reduction)

    return pull(loss, (x,), dout)[0]


def _smooth_l1(self: Any, prediction: Any, target: Any, dout: Any) -> Tensor:
    return pull(lambda x: f("smooth_l1_loss")(x, target, self.beta, self.reduction), (prediction,), dout)[0]


def _kl(self: Any, dout: Any, x: Any, target: Any) -> Tensor:
    return pull(lambda value: f("kl_div")(value, target, self.reduction), (x,), dout)[0]


def _soft_margin(self: Any, x: Any, label: Any, dout: Any) -> Tensor:
    return pull(lambda value: f("soft_margin_loss")(value, label, self.reduction), (x,), dout)[0]


def _nll(self: Any, x: Any, dout: Any, labels: Any, weight: Any, total: Any) -> Tensor:
    def loss(value: Any) -> Tensor:
        return f("nll_loss")(value, labels, weight, self.ignore_index, self.reduction)

    return pull(loss, (x,), dout)[0]


def _l2_normalize(self: Any, x: Any, out: Any, dout: Any) -> Tensor:
    return pull(lambda value: f("l2_normalize")(value, self.axis, self.epsilon), (x,), dout)[0]


def _layer_norm(self: Any, x: Any, dout: Any, variance: Any, mean: Any, gamma: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Cotangents of the input, of gamma and of beta."""
    begin = self.begin_norm_axis % x.ndim
    first = self.begin_params_axis % x.ndim
    axes, rows = tuple(range(begin, x.ndim)), tuple(range(first))
    wide = tuple(x.shape[:begin]) + (1,) * (x.ndim - begin)
    inverse = 1.0 / f("sqrt")(f("reshape")(variance, wide) + 1e-12)
    unit = (x - f("reshape")(mean, wide)) * inverse
    scaled = dout * gamma
    centre = f("mean")(scaled, axes, True) + unit * f("mean")(scaled * unit, axes, True)
    return (scaled - centre) * inverse, f("sum")(dout * unit, rows), f("sum")(dout, rows)


def _batch_norm(
    self: Any, dout: Any, x: Any, scale: Any, mean: Any, variance: Any, reserve: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """Cotangents of the input, of scale and of bias."""
    channels = x.ndim - 1 if self.data_format == "NHWC" else 1
    axes = tuple(axis for axis in range(x.ndim) if axis != channels)
    wide = tuple(-1 if axis == channels else 1 for axis in range(x.ndim))
    centred = x - f("reshape")(mean, wide)
    inverse = 1.0 / f("sqrt")(f("reshape")(variance, wide) + self.epsilon)
    unit = centred * inverse
    by_scale, by_bias = f("sum")(dout * unit, axes), f("sum")(dout, axes)
    scaled = dout * f("reshape")(scale, wide)
    if self.is_training:
        scaled = scaled - (f("mean")(scaled, axes, True) + unit * f("mean")(scaled * unit, axes, True))
    return scaled * inverse, by_scale, by_bias


def _pool(name: str) -> Callable[..., Tensor]:
    def run(self: Any, x: Any, out: Any, dout: Any) -> Tensor:
        pool = f(name)(self.kernel_size, self.strides, self.pad_mode, data_format=self.data_format)
        return pull(pool, (x,), dout)[0]

    return run


def _max_pool_second(self: Any, x: Any, out: Any, dout: Any) -> Tensor:
    """How the gradient of pooling depends on its cotangent: what the largest elements' places hold."""
    pool = f("MaxPool")(self.kernel_size, self.strides, self.pad_mode)
    seed = f("zeros_like")(out)
    return pull(lambda given: pull(pool, (x,), given)[0], (seed,), dout)[0]


def _spatial(self: Any) -> list[Any]:
    """Kernel size and strides of three dimensions, without those of batches and channels."""
    sizes = self.kernel_size, self.strides
    return [tuple(size)[-3:] if isinstance(size, (tuple, list)) else size for size in sizes]


def _max_pool_3d(self: Any, x: Any, *rest: Any) -> Tensor:
    return pull(f("MaxPool3D")(*_spatial(self), self.pad_mode, pad_list=self.pad_list), (x,), rest[-1])[0]


def _avg_pool_3d(self: Any, shape: Any, dout: Any) -> Tensor:
    pool = f("AvgPool3D")(
        *_spatial(self), self.pad_mode, self.pads, self.ceil_mode, self.count_include_pad, self.divisor_override
    )
    sizes = tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape)
    return pull(pool, (f("zeros")(sizes, dout.dtype),), dout)[0]


def _adaptive_average(axes: int) -> Row:
    def run(self: Any, dout: Any, shape: Any) -> Tensor:
        sizes = tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape)
        target = tuple(map(int, dout.shape[-axes:]))

        def pool(x: Any) -> Tensor:
            return f(f"adaptive_avg_pool{axes}d")(x, target)

        return pull(pool, (f("zeros")(sizes, dout.dtype),), dout)[0]

    return run, {}


def _adaptive_max(self: Any, dout: Any, x: Any, places: Any) -> Tensor:
    """Cotangents put back to the places within each channel that pooling took its elements from."""
    axes = {"AdaptiveMaxPool2DGrad": 2}.get(self.name, 3)
    return _placed(x, dout, places, axes)


def _placed(x: Any, dout: Any, places: Any, axes: int) -> Tensor:
    lead = tuple(map(int, x.shape[:-axes]))
    flat = f("zeros")((*lead, math.prod(map(int, x.shape[-axes:]))), dout.dtype)
    at = f("reshape")(cast(places, dtypes.int64), (*lead, -1))
    summed = f("tensor_scatter_elements")(flat, at, f("reshape")(dout, (*lead, -1)), len(lead), "add")
    return f("reshape")(summed, tuple(x.shape))


def _by_place(axes: int) -> Callable[..., Tensor]:
    return lambda self, x, dout, places: _placed(x, dout, places, axes)


def _unpool(axes: int) -> Row:
    def run(self: Any, x: Any, dout: Any, places: Any) -> Tensor:
        lead = tuple(map(int, x.shape[:-axes]))
        at = f("reshape")(cast(places, dtypes.int64), (*lead, -1))
        flat = f("gather_elements")(f("reshape")(dout, (*lead, -1)), len(lead), at)
        return f("reshape")(flat, tuple(x.shape))

    return run, takes("ksize", strides=0, pads=0, output_shape=(), data_format="NCHW")


def _filter_gradient(name: str) -> Callable[..., Tensor]:
    def run(self: Any, first: Any, second: Any, sizes: Any) -> Tensor:
        dout, x = (first, second) if name == "Conv2D" else (second, first)
        shape = tuple(sizes.tolist()) if isinstance(sizes, Tensor) else tuple(sizes)
        conv = f(name)(
            self.out_channel, self.kernel_size, self.mode, self.pad_mode, self.pad, self.stride, self.dilation,
            self.group, self.data_format,
        )  # fmt: skip
        return pull(lambda weight: conv(x, weight), (f("zeros")(shape, x.dtype),), dout)[0]

    return run


def _resize(name: str) -> Row:
    def run(self: Any, dout: Any, like: Any) -> Tensor:
        if name == "ResizeNearestNeighbor":
            spatial = tuple(like.tolist()) if isinstance(like, Tensor) else tuple(like)
        else:
            spatial = tuple(map(int, like.shape[2:]))
        resize = f(name)(tuple(map(int, dout.shape[2:])), self.align_corners, self.half_pixel_centers)
        image = f("zeros")((*map(int, dout.shape[:2]), *spatial), dout.dtype)
        return pull(resize, (image,), dout)[0]

    return run, {"align_corners": False, "half_pixel_centers": False}


def _slice(self: Any, dout: Any, x: Any, begin: Any, size: Any) -> Tensor:
    return pull(lambda value: f("slice")(value, begin, size), (x,), dout)[0]


def _strided_slice(self: Any, dout: Any, shape: Any, begin: Any, end: Any, strides: Any) -> Tensor:
    cut = f("StridedSlice")(
        self.begin_mask, self.end_mask, self.ellipsis_mask, self.new_axis_mask, self.shrink_axis_mask
    )
    sizes = tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape)
    return pull(lambda value: cut(value, begin, end, strides), (f("zeros")(sizes, dout.dtype),), dout)[0]


def _mirror_pad(self: Any, dout: Any, paddings: Any) -> Tensor:
    pads = paddings.tolist() if isinstance(paddings, Tensor) else [list(pair) for pair in paddings]
    sizes = tuple(int(size) - before - after for size, (before, after) in zip(dout.shape, pads, strict=True))
    pad = f("MirrorPad")(self.mode)
    return pull(lambda value: pad(value, pads), (f("zeros")(sizes, dout.dtype),), dout)[0]


def _unique(self: Any, dout: Any, out: Any) -> Tensor:
    given = dout[0] if isinstance(dout, (tuple, list)) else dout
    places = out[1] if isinstance(out, (tuple, list)) else out
    return f("gather")(given, places, 0)


def _masked_select(self: Any, x: Any, mask: Any, dout: Any) -> Tensor:
    return pull(lambda value: f("masked_select")(value, mask), (x,), dout)[0]


def _gather_along(self: Any, x: Any, dim: Any, index: Any, dout: Any) -> Tensor:
    return pull(lambda value: f("gather_elements")(value, int(dim), index), (x,), dout)[0]


def _grid(name: str) -> Row:
    def run(self: Any, dout: Any, x: Any, grid: Any) -> tuple[Any, ...]:
        sample = f(name)(self.interpolation_mode, self.padding_mode, self.align_corners)
        return pull(sample, (x, grid), dout)

    return run, {
        "interpolation_mode": "bilinear", "padding_mode": "zeros", "align_corners": False, "output_mask": (1, 1),
    }  # fmt: skip


def _rms_norm(self: Any, dout: Any, x: Any, inverse: Any, gamma: Any) -> tuple[Tensor, Tensor]:
    """Cotangents of the input and of gamma."""
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    unit = x * inverse
    scaled = dout * gamma
    rows = tuple(range(x.ndim - gamma.ndim))
    return (scaled - unit * f("mean")(scaled * unit, axes, True)) * inverse, f("sum")(dout * unit, rows)


def _trace(self: Any, dout: Any, shape: Any) -> Tensor:
    rows, columns = (int(size) for size in (shape.tolist() if isinstance(shape, Tensor) else shape))
    return f("eye")(rows, columns, dout.dtype) * dout


def _margin(name: str) -> Callable[..., Tensor]:
    def run(self: Any, dout: Any, x: Any, target: Any, extra: Any = None) -> Tensor:
        given = {"p": self.p, "margin": self.margin, "weight": extra} if name == "multi_margin_loss" else {}
        return pull(lambda value: f(name)(value, target, **given, reduction=self.reduction), (x,), dout)[0]

    return run


def _affine_grid(self: Any, dout: Any, sizes: Any) -> Tensor:
    shape = tuple(sizes.tolist()) if isinstance(sizes, Tensor) else tuple(sizes)
    spatial = len(shape) - 2
    theta = f("zeros")((shape[0], spatial, spatial + 1), dout.dtype)
    return pull(lambda value: f("affine_grid")(value, shape, self.align_corners), (theta,), dout)[0]


def _lrn(self: Any, dout: Any, x: Any, out: Any) -> Tensor:
    def normalise(value: Any) -> Tensor:
        return f("lrn")(value, self.depth_radius, self.bias, self.alpha, self.beta)

    return pull(normalise, (x,), dout)[0]


_POOL = {"kernel_size": 1, "strides": 1, "pad_mode": "VALID", "data_format": "NCHW"}
_FIVE = {"kernel_size": (1,) * 5, "strides": (1,) * 5, "pad_mode": "VALID", "pad_list": 0, "data_format": "NCDHW"}
_FILTER_2D = takes(
    "out_channel kernel_size", pad_mode="valid", pad=0, pad_list=(0,) * 4, mode=1, stride=(1, 1), dilation=(1,) * 4,
    group=1, data_format="NCHW",
)  # fmt: skip
_FILTER_3D = takes(
    "out_channel kernel_size", mode=1, pad_mode="valid", pad=0, stride=(1,) * 5, dilation=(1,) * 5, group=1,
    data_format="NCDHW",
)  # fmt: skip
TABLE: dict[str, Row] = {
    "ACosGrad": _of("acos", result_first=True),
    "AsinGrad": _of("asin", result_first=True),
    "AtanGrad": _of("atan", result_first=True),
    "AbsGrad": _with(lambda x, dout: f("sign")(x) * dout),
    "AcoshGrad": _with(lambda out, dout: dout / f("sinh")(out)),
    "AsinhGrad": _with(lambda out, dout: dout / f("cosh")(out)),
    "InvGrad": _with(lambda out, dout: -dout * out * out),
    "ReciprocalGrad": _with(lambda out, dout: -dout * out * out),
    "RsqrtGrad": _with(lambda out, dout: dout * out * out * out * -0.5),
    "SqrtGrad": _with(lambda out, dout: dout * 0.5 / out),
    "TanhGrad": _with(lambda out, dout: dout * (1.0 - out * out)),
    "SigmoidGrad": _with(lambda out, dout: dout * out * (1.0 - out)),
    "EluGrad": _with(_elu),
    "SeluGrad": _with(_selu),
    "ReluGrad": _with(_kept(lambda x: x > 0)),
    "ReLU6Grad": _with(_kept(lambda x: f("logical_and")(x > 0, x < 6))),
    "GeLUGrad": (lambda self, dout, x, out: pull(lambda value: f("gelu")(value, "tanh"), (x,), dout)[0], {}),
    "FastGeLUGrad": _of("fast_gelu"),
    "SiLUGrad": _of("silu"),
    "HSigmoidGrad": _of("hardsigmoid"),
    "HSwishGrad": _of("hardswish"),
    "SoftplusGrad": _with(lambda dout, x: dout * f("sigmoid")(x)),
    "HShrinkGrad": (
        lambda self, dout, x: _kept(lambda value: f("abs")(value) > self.lambd)(dout, x),
        {"lambd": 0.5},
    ),
    "SoftShrinkGrad": (
        lambda self, dout, x: _kept(lambda value: f("abs")(value) > self.lambd)(dout, x),
        {"lambd": 0.5},
    ),
    "LogitGrad": (
        lambda self, dout, x: pull(lambda v: f("logit")(v, None if self.eps < 0 else self.eps), (x,), dout)[0],
        {"eps": -1.0},
    ),
    "GluGrad": (lambda self, dout, x: pull(lambda v: f("glu")(v, self.axis), (x,), dout)[0], takes("axis")),
    "MvlgammaGrad": (lambda self, dout, x: pull(lambda v: f("mvlgamma")(v, self.p), (x,), dout)[0], takes("p")),
    "CholeskyGrad": (
        lambda self, out, dout: pull(f("cholesky"), (f("matmul")(out, f("swapaxes")(out, -1, -2)),), dout)[0],
        {},
    ),
    "PdistGrad": (lambda self, dout, x, out: pull(lambda v: f("pdist")(v, self.p), (x,), dout)[0], {"p": 2.0}),
    "LogSoftmaxGrad": (_log_softmax, {"axis": -1}),
    "SoftmaxGrad": (_softmax, {}),
    "PReLUGrad": (_prelu, {}),
    "MaximumGrad": _larger("maximum"),
    "MinimumGrad": _larger("minimum"),
    "MaximumGradGrad": (_second_larger("greater_equal"), {"grad_x": True, "grad_y": True}),
    "MinimumGradGrad": (_second_larger("less_equal"), {}),
    "BiasAddGrad": (_bias_add, {"data_format": "NCHW"}),
    "BinaryCrossEntropyGrad": (_binary_cross_entropy, {"reduction": "mean"}),
    "SigmoidCrossEntropyWithLogitsGrad": (tensor(lambda self, x, y, dout: (f("sigmoid")(x) - y) * dout), {}),
    "SmoothL1LossGrad": (_smooth_l1, {"beta": 1.0, "reduction": "none"}),
    "KLDivLossGrad": (_kl, {"reduction": "mean"}),
    "SoftMarginLossGrad": (_soft_margin, {"reduction": "mean"}),
    "NLLLossGrad": (_nll, {"reduction": "mean", "ignore_index": -100}),
    "MultiMarginLossGrad": (_margin("multi_margin_loss"), {"p": 1, "margin": 1.0, "reduction": "mean"}),
    "MultilabelMarginLossGrad": (_margin("multilabel_margin_loss"), {"reduction": "mean"}),
    "L2NormalizeGrad": (_l2_normalize, {"axis": 0, "epsilon": 1e-4}),
    "LayerNormGrad": (_layer_norm, {"begin_norm_axis": 1, "begin_params_axis": 1}),
    "RmsNormGrad": (_rms_norm, {}),
    "BatchNormGrad": (_batch_norm, {"is_training": False, "epsilon": 1e-5, "data_format": "NCHW"}),
    "LRNGrad": (_lrn, {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5}),
    "MaxPoolGrad": (_pool("MaxPool"), _POOL),
    "AvgPoolGrad": (_pool("AvgPool"), _POOL),
    "MaxPoolGradV1": (_pool("MaxPool"), _POOL),
    "MaxPoolGradGrad": (_max_pool_second, {"kernel_size": 1, "strides": 1, "pad_mode": "VALID"}),
    "MaxPool3DGrad": (_max_pool_3d, _FIVE),
    "AvgPool3DGrad": (
        _avg_pool_3d,
        {"kernel_size": 1, "strides": 1, "pads": 0, "ceil_mode": False, "count_include_pad": True,
         "divisor_override": 0, "data_format": "NCDHW", "pad_mode": "pad"},
    ),
    "MaxPoolGradWithArgmax": (_by_place(3), _POOL),
    "MaxPoolGradWithArgmaxV2": (
        _by_place(2),
        takes("kernel_size", strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=dtypes.int64),
    ),
    "MaxPool3DGradWithArgmax": (
        _by_place(3),
        takes("ksize strides pads", dilation=(1, 1, 1), ceil_mode=False, data_format="NCDHW"),
    ),
    "FractionalMaxPoolGradWithFixedKsize": (_by_place(2), {"data_format": "NCHW"}),
    "FractionalMaxPool3DGradWithFixedKsize": (_by_place(3), {"data_format": "NCDHW"}),
    "MaxUnpool2DGrad": _unpool(2),
    "MaxUnpool3DGrad": _unpool(3),
    "AdaptiveAvgPool2DGrad": _adaptive_average(2),
    "AdaptiveAvgPool3DGrad": _adaptive_average(3),
    "AdaptiveMaxPool2DGrad": (_adaptive_max, {}),
    "AdaptiveMaxPool3DGrad": (_adaptive_max, {}),
    "Conv2DBackpropFilter": (_filter_gradient("Conv2D"), _FILTER_2D),
    "Conv3DBackpropFilter": (_filter_gradient("Conv3D"), _FILTER_3D),
    "ResizeBilinearGrad": _resize("ResizeBilinear"),
    "ResizeNearestNeighborGrad": _resize("ResizeNearestNeighbor"),
    "SliceGrad": (_slice, {}),
    "StridedSliceGrad": (
        _strided_slice,
        {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0},
    ),
    "MirrorPadGrad": (_mirror_pad, {"mode": "REFLECT"}),
    "FlattenGrad": (lambda self, dout, shape: f("reshape")(dout, tuple(shape)), {}),
    "DropoutGrad": (lambda self, dout, mask: dout * mask / self.keep_prob, {"keep_prob": 0.5}),
    "UniqueGrad": (_unique, {}),
    "MaskedSelectGrad": (_masked_select, {}),
    "GatherDGradV2": (_gather_along, {}),
    "GridSampler2DGrad": _grid("GridSampler2D"),
    "GridSampler3DGrad": _grid("GridSampler3D"),
    "AffineGridGrad": (_affine_grid, {"align_corners": False}),
    "TraceGrad": (_trace, {}),
}  # fmt: skip
CLASSES = make_classes(TABLE, globals())

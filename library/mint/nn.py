"""`mycel.mint.nn`: layers with the arguments and Parameter names that `mindspore.mint` has."""

from __future__ import annotations

import inspect
from typing import Any

from ...frontend.errors.spelling import bound as _bound, missing_name as _missing_name
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..containers import CellDict, CellList, SequentialCell
from ..functions.documentation import LazyDocstring, for_layer
from . import functional
from .nn_layers import *  # noqa: F403
from .nn_layers import __all__ as _with_parameters

_TAKES_TENSORS = True

_REQUIRED = inspect.Parameter.empty
_INPUTS = {
    "SiLU": ["x"], "LogSoftmax": ["x"], "L1Loss": ["logits", "labels"], "SoftMarginLoss": ["logits", "labels"],
    "MaxUnpool2d": ["input", "indices", "output_size"],
}  # fmt: skip
"""What the inputs of layers are called whose function calls them otherwise."""


def _layer(name: str, function: str, arguments: dict[str, Any], training: bool = False) -> type[Cell]:
    """A layer without Parameters: a function with its fixed arguments."""
    signature = inspect.Signature(
        [
            inspect.Parameter(key, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
            for key, default in arguments.items()
        ]
    )

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        Cell.__init__(self)
        try:
            bound = signature.bind(*given, **named)
        except TypeError as error:
            raise TypeError(f"{name}{signature}: {error}") from None
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            setattr(self, key, value)

    def construct(self: Any, *inputs: Any, **named: Any) -> Any:
        values = _bound(f"{name}.construct", words, inputs, named, **optional)
        fixed = {key: getattr(self, key) for key in arguments}
        if training:
            fixed["training"] = self.training
        return getattr(functional, function)(**dict(zip(own, values, strict=True)), **fixed)

    def extend_repr(self: Any) -> str:
        others = {key: getattr(self, key) for key, default in arguments.items() if getattr(self, key) is not default}
        return ", ".join(f"{key}={value}" for key, value in others.items())

    # For the type stubs: the layer gives what the function gives.
    given = getattr(functional, function)
    run = inspect.unwrap(given)
    known = [item for key, item in inspect.signature(run).parameters.items() if key not in (*arguments, "training")]
    own = [item.name for item in known if item.default is _REQUIRED or item.name == "output_size"]
    words = _INPUTS.get(name, own)
    optional = {"output_size": None} if "output_size" in own else {}
    construct.__annotations__["return"] = run.__annotations__.get("return", "Any")
    __init__.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *signature.parameters.values()]
    )
    doc = LazyDocstring(lambda: for_layer(name, given, signature.parameters, str(signature)))
    made = {"__init__": __init__, "construct": construct, "extend_repr": extend_repr, "__doc__": doc}
    return type(name, (Cell,), {**made, "__module__": __name__})


_WINDOWS = {"kernel_size": _REQUIRED, "stride": None, "padding": 0, "ceil_mode": False, "count_include_pad": True}
_ROWS: dict[str, tuple[Any, ...]] = {
    "ReLU": ("relu", {"inplace": False}),
    "ReLU6": ("relu6", {"inplace": False}),
    "SiLU": ("silu", {"inplace": False}),
    "ELU": ("elu", {"alpha": 1.0, "inplace": False}),
    "SELU": ("selu", {}),
    "GELU": ("gelu", {"approximate": "none"}),
    "GLU": ("glu", {"dim": -1}),
    "Mish": ("mish", {}),
    "Sigmoid": ("sigmoid", {}),
    "LogSigmoid": ("logsigmoid", {}),
    "Tanh": ("tanh", {}),
    "Softmax": ("softmax", {"dim": None}),
    "LogSoftmax": ("log_softmax", {"dim": None}),
    "Softshrink": ("softshrink", {"lambd": 0.5}),
    "Hardshrink": ("hardshrink", {"lambd": 0.5}),
    "Hardsigmoid": ("hardsigmoid", {}),
    "Hardswish": ("hardswish", {}),
    "Hardtanh": ("hardtanh", {"min_val": -1.0, "max_val": 1.0, "inplace": False}),
    "LeakyReLU": ("leaky_relu", {"negative_slope": 0.01}),
    "Softplus": ("softplus", {"beta": 1, "threshold": 20}),
    "Threshold": ("threshold", {"threshold": _REQUIRED, "value": _REQUIRED, "inplace": False}),
    "Dropout": ("dropout", {"p": 0.5, "inplace": False}, True),
    "Dropout2d": ("dropout2d", {"p": 0.5, "inplace": False}, True),
    "Flatten": ("flatten", {"start_dim": 1, "end_dim": -1}),
    "AvgPool1d": ("avg_pool1d", _WINDOWS),
    "AvgPool2d": ("avg_pool2d", {**_WINDOWS, "divisor_override": None}),
    "AvgPool3d": ("avg_pool3d", {**_WINDOWS, "divisor_override": None}),
    "MaxPool2d": (
        "max_pool2d",
        {
            "kernel_size": _REQUIRED,
            "stride": None,
            "padding": 0,
            "dilation": 1,
            "return_indices": False,
            "ceil_mode": False,
        },
    ),
    "MaxUnpool2d": ("max_unpool2d", {"kernel_size": _REQUIRED, "stride": None, "padding": 0}),
    "AdaptiveAvgPool1d": ("adaptive_avg_pool1d", {"output_size": _REQUIRED}),
    "AdaptiveAvgPool2d": ("adaptive_avg_pool2d", {"output_size": _REQUIRED}),
    "AdaptiveAvgPool3d": ("adaptive_avg_pool3d", {"output_size": _REQUIRED}),
    "AdaptiveMaxPool1d": ("adaptive_max_pool1d", {"output_size": _REQUIRED, "return_indices": False}),
    "AdaptiveMaxPool2d": ("adaptive_max_pool2d", {"output_size": _REQUIRED, "return_indices": False}),
    "PixelShuffle": ("pixel_shuffle", {"upscale_factor": _REQUIRED}),
    "Unfold": ("unfold", {"kernel_size": _REQUIRED, "dilation": 1, "padding": 0, "stride": 1}),
    "Fold": ("fold", {"output_size": _REQUIRED, "kernel_size": _REQUIRED, "dilation": 1, "padding": 0, "stride": 1}),
    "Upsample": (
        "interpolate",
        {"size": None, "scale_factor": None, "mode": "nearest", "align_corners": None, "recompute_scale_factor": None},
    ),
    "CosineSimilarity": ("cosine_similarity", {"dim": 1, "eps": 1e-8}),
    "SoftMarginLoss": ("soft_margin_loss", {"reduction": "mean"}),
    "UpsamplingNearest2d": ("interpolate", {"size": None, "scale_factor": None}),
    "MSELoss": ("mse_loss", {"reduction": "mean"}),
    "L1Loss": ("l1_loss", {"reduction": "mean"}),
    "SmoothL1Loss": ("smooth_l1_loss", {"reduction": "mean", "beta": 1.0}),
    "BCELoss": ("binary_cross_entropy", {"weight": None, "reduction": "mean"}),
    "BCEWithLogitsLoss": (
        "binary_cross_entropy_with_logits",
        {"weight": None, "reduction": "mean", "pos_weight": None},
    ),
    "CrossEntropyLoss": (
        "cross_entropy",
        {"weight": None, "ignore_index": -100, "reduction": "mean", "label_smoothing": 0.0},
    ),
    "NLLLoss": ("nll_loss", {"weight": None, "ignore_index": -100, "reduction": "mean"}),
    "KLDivLoss": ("kl_div", {"reduction": "mean", "log_target": False}),
    "CosineEmbeddingLoss": ("cosine_embedding_loss", {"margin": 0.0, "reduction": "mean"}),
}


class Identity(Cell):
    """Gives its input; all arguments are accepted.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import nn
        >>> print(nn.Identity()(Tensor([1.0])))
        [1.]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        """The input."""
        return input


class UpsamplingBilinear2d(Cell):
    """Images resized by linear interpolation, their corners kept.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.mint import nn
        >>> print(nn.UpsamplingBilinear2d((1, 3))(Tensor([[[[0.0, 2.0]]]])))
        [[[[0. 1. 2.]]]]
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__()
        self.size, self.scale_factor = size, scale_factor

    def construct(self, input: Tensor) -> Tensor:
        """The images (N, C, H, W) in their new size."""
        return functional.interpolate(input, self.size, self.scale_factor, "bilinear", True)


def _padding(name: str, axes: int, mode: str, fixed: Any = None) -> type[Cell]:
    """A padding layer."""

    def __init__(self: Any, padding: Any, *value: Any, **named: Any) -> None:
        Cell.__init__(self)
        self.padding = (padding,) * (2 * axes) if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != 2 * axes and not (fixed is None and mode == "constant"):
            raise ValueError(f"{name}: 'padding' should be an int or {2 * axes} ints, but got {padding}")
        wanted = ("value",) if fixed is None and mode == "constant" else ()
        (self.value,) = _bound(name, wanted, value, named) or (fixed,)

    def construct(self: Any, input: Tensor) -> Tensor:
        if mode != "constant" and input.ndim not in (axes + 1, axes + 2):
            raise ValueError(f"{name}: {axes + 1} or {axes + 2} dimensions are expected, but got shape {input.shape}")
        return ops.pad(input, self.padding, mode, self.value)

    made = f"{name}(1, 0.0)" if fixed is None and mode == "constant" else f"{name}(1)"
    shape = (1, 1, *(2,) * axes)
    dimensions = f"at least {axes}" if mode == "constant" else f"{axes + 1} or {axes + 2}"
    doc = f"""Padding of the last dimensions, of which there are {axes}, in the mode "{mode}".

    Args:
        padding: how many elements are added at each side: one int, or a pair for each dimension, the last one first.
        value: of `ConstantPad{axes}d` only: the number to pad with.

    Inputs:
        input: a tensor of {dimensions} dimensions.

    Raises:
        ValueError: if the padding has another length, or does not fit the shape, at the call.

    Examples:
        >>> from mycel import ops
        >>> from mycel.mint import nn
        >>> print(nn.{made}(ops.ones({shape})).shape)
        {(1, 1, *(4,) * axes)}
    """
    return type(name, (Cell,), {"__init__": __init__, "construct": construct, "__doc__": doc, "__module__": __name__})


_PADDINGS: dict[str, type[Cell]] = {}
for _axes in (1, 2, 3):
    for _name, _mode, _value in (
        ("ConstantPad", "constant", None),
        ("ZeroPad", "constant", 0),
        ("ReflectionPad", "reflect", None),
        ("ReplicationPad", "replicate", None),
    ):
        _PADDINGS[f"{_name}{_axes}d"] = _padding(f"{_name}{_axes}d", _axes, _mode, _value)
globals().update(_PADDINGS)
Sequential, ModuleList = SequentialCell, CellList
__all__ = [
    *_ROWS, *_PADDINGS, *_with_parameters, "Cell", "CellDict", "CellList", "Identity", "ModuleList", "Sequential",
    "SequentialCell", "UpsamplingBilinear2d", "functional",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The layers of the table, each of which is made when it is first asked for."""
    if name in _ROWS:
        return globals().setdefault(name, _layer(name, *_ROWS[name]))
    raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted(__all__)

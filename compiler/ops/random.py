"""Ops that draw random numbers. Each takes the next draw of the global generator, so programs and eager code agree.

With an attribute `stream` an op has a generator of its own: see `generator_of`.

If `shape` is None, the first operand gives the shape (its numbers are not read), for sizes that only the run knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...runtime import draws, dtypes, random as _random  # a plain name would hide this module from the package
from ...runtime.dtypes import DType
from ..ir.attributes import DTYPE, FLAG, FLOAT, INT, SIZE, SIZES, STREAM, optional, or_none
from ..ir.op import Attribute, Op, Sample
from ..ir.types import Shape, TensorType, broadcast_shapes, show_shape
from .samples import Samples

Array = np.ndarray
Size = tuple[int, ...] | None
Attributes = Mapping[str, Attribute]
Stream = tuple[int, ...] | None  # the key of a generator of its own


def _drawn(operands: tuple[TensorType, ...], shape: Size, dtype: DType) -> tuple[TensorType, tuple[TensorType, ...]]:
    """The type of a draw, and the operands that are parameters of its distribution."""
    if shape is None:
        if not operands:
            raise TypeError("a random draw needs a shape, or a tensor that has it")
        return TensorType(dtype, operands[0].shape), operands[1:]
    if any(size < 0 for size in shape):
        raise ValueError(f"a shape should have no negative sizes, but got {show_shape(shape)}")
    return TensorType(dtype, tuple(shape)), operands


def _infer(count: int, float_only: bool = True, optional: tuple[str, ...] = ()) -> Callable[..., TensorType]:
    """Inference for a distribution with `count` parameters, as operands or as `optional` attributes."""

    def infer(*operands: TensorType, shape: Size, dtype: DType, **attrs: Any) -> TensorType:
        result, parameters = _drawn(operands, shape, dtype)
        if float_only and not dtype.is_float:
            raise TypeError(f"the dtype of these random numbers should be floating-point, but got {dtype}")
        here = optional and all(attrs.get(name) is not None for name in optional)
        if len(parameters) != count and not (here and not parameters):
            raise TypeError(f"the distribution has {count} parameters among its operands, but got {len(parameters)}")
        for parameter in parameters:
            fitted: Shape = broadcast_shapes(result.shape, parameter.shape)
            if result.is_static and fitted != result.shape:
                raise ValueError(
                    f"a parameter of shape {show_shape(parameter.shape)} does not fit shape {show_shape(result.shape)}"
                )
        return result

    return infer


def _kernel(draw: Callable[..., Array], *names: str) -> Callable[..., Array]:
    """The kernel of a draw whose operands are the parameters of these names."""

    def kernel(
        *arrays: Array, shape: Size, dtype: DType, out: Array | None = None, stream: Stream = None, **attrs: Any
    ) -> Array:
        if shape is None:
            shape, arrays = np.shape(arrays[0]), arrays[1:]
        # Absent attributes stand for parameters that are operands.
        given = {name: value for name, value in attrs.items() if value is not None}
        given.update(zip(names, arrays, strict=False))
        return draw(shape, dtype.np, out=out, state=_random.generator_of(stream), **given)

    return kernel


def _samples(dtype: DType, *operands: Any, **attrs: Any) -> Samples:
    return lambda: [
        Sample(operands, {"shape": (200,), "dtype": dtype, **attrs}),
        Sample((np.zeros((3, 2)), *operands), {"shape": None, "dtype": dtype, **attrs}),
    ]


_DRAW: Attributes = {"shape": or_none(SIZES), "dtype": DTYPE, "stream": STREAM}


def _numbers(*names: str) -> Attributes:
    """The attributes of a draw whose distribution has its parameters of these names as attributes."""
    return {**_DRAW, **dict.fromkeys(names, FLOAT)}


def _op(
    name: str,
    attrs: Attributes,
    infer: Callable[..., Any],
    kernel: Callable[..., Any],
    **record: Any,
) -> Op:
    return Op(name, kind="random", attrs=attrs, infer=infer, kernel=kernel, **record)


def _of_numbers(name: str, draw: Callable[..., Array], doc: str, dtype: DType = dtypes.float32, **sample: float) -> Op:
    """The op of a distribution whose parameters are numbers, of which `sample` has some for the tests."""
    return _op(name, _numbers(*sample), _infer(0), _kernel(draw), samples=_samples(dtype, **sample), doc=doc)


random_uniform = _of_numbers(
    "random_uniform", draws.uniform, "Numbers equally likely anywhere in [low, high).", low=-1.0, high=2.0
)
random_normal = _of_numbers(
    "random_normal", draws.normal, "Normally distributed numbers.", dtypes.float64, mean=1.0, std=2.0
)
random_truncated_normal = _of_numbers(
    "random_truncated_normal", draws.truncated_normal, "Normally distributed numbers, of those in [low, high] only.",
    mean=0.0, std=1.0, low=-1.0, high=2.0,
)  # fmt: skip
random_exponential = _of_numbers(
    "random_exponential", draws.exponential, "Exponentially distributed numbers of mean 1 / rate.", rate=2.0
)
random_laplace = _of_numbers("random_laplace", draws.laplace, "Laplace distributed numbers.", mean=0.0, scale=1.0)
random_gamma = _op(
    "random_gamma",
    _DRAW,
    _infer(1),
    _kernel(draws.gamma, "alpha"),
    samples=_samples(dtypes.float32, np.array(2.5)),
    doc="Gamma distributed numbers of rate 1, the shape parameter being the operand.",
)
random_poisson = _op(
    "random_poisson",
    _DRAW,
    _infer(1, float_only=False),
    _kernel(draws.poisson, "rate"),
    samples=_samples(dtypes.int32, np.array(2.5)),
    doc="Poisson distributed numbers, the mean being the operand.",
)
random_integers = _op(
    "random_integers",
    {**_DRAW, "low": optional(or_none(INT)), "high": optional(or_none(INT))},
    _infer(2, float_only=False, optional=("low", "high")),
    _kernel(draws.integers, "low", "high"),
    samples=lambda: [
        *_samples(dtypes.int32, low=-3, high=9)(),
        *_samples(dtypes.int64, np.array(-3), np.array(9), low=None, high=None)(),
    ],
    doc="Whole numbers in [low, high); the bounds are attributes or operands.",
)
random_bernoulli = _op(
    "random_bernoulli",
    {**_numbers("scale"), "probability": optional(or_none(FLOAT))},
    _infer(1, float_only=False, optional=("probability",)),
    _kernel(draws.bernoulli, "probability"),
    samples=lambda: [
        *_samples(dtypes.bool_, probability=0.3, scale=1.0)(),
        *_samples(dtypes.float32, probability=0.5, scale=2.0)(),
        *_samples(dtypes.float32, np.array(0.7), probability=None, scale=1.0)(),
    ],
    doc="`scale` with the given probability (an attribute or an operand), else 0: coins, and masks for dropout.",
)
random_permutation = _op(
    "random_permutation",
    {"count": SIZE, "dtype": DTYPE, "stream": STREAM},
    lambda *, count, dtype, stream=None: TensorType(dtype, (count,)),
    lambda *, count, dtype, out=None, stream=None: draws.permutation(
        count, dtype.np, out=out, state=_random.generator_of(stream)
    ),
    samples=lambda: [Sample((), {"count": 9, "dtype": dtypes.int32})],
    doc="The numbers from 0 to count - 1 in random order.",
)


def _infer_multinomial(
    weights: TensorType, *, samples: int, replacement: bool, dtype: DType, stream: Stream = None
) -> TensorType:
    if weights.rank not in (1, 2):
        raise ValueError(f"weights should be a vector or a matrix, but got shape {show_shape(weights.shape)}")
    categories = weights.shape[-1]
    if samples < 0 or (not replacement and categories is not None and samples > categories):
        raise ValueError(f"cannot draw {samples} samples from {categories} categories (replacement={replacement})")
    return TensorType(dtype, (*weights.shape[:-1], samples))


random_multinomial = _op(
    "random_multinomial",
    {"samples": SIZE, "replacement": FLAG, "dtype": DTYPE, "stream": STREAM},
    _infer_multinomial,
    lambda weights, *, samples, replacement, dtype, out=None, stream=None: draws.multinomial(
        weights, samples, replacement, dtype.np, out=out, state=_random.generator_of(stream)
    ),
    samples=lambda: [
        Sample((np.array([[0.1, 0.9], [1.0, 0.0]]),), {"samples": 5, "replacement": True, "dtype": dtypes.int32}),
        Sample((np.array([0.1, 0.9, 0.5]),), {"samples": 3, "replacement": False, "dtype": dtypes.int64}),
    ],
    doc="Positions drawn in proportion to the weights that stand there.",
)

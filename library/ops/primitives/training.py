"""Primitives that update Parameters, draw random numbers, talk to other processes, print, or run Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....compiler import ops as prims
from ....frontend.values.dispatch import apply, cast
from ....frontend.values.inplace import assign_inplace, updated
from ....frontend.values.operands import computed_outside
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ...functions.composite import partial
from ...functions.seeds import owned
from .primitive import Row, function_named as f, make_classes, takes

# Updates of Parameters. Each computes with the Parameters' own numbers, writes them, and gives the first one.


def _write(parameter: Any, new: Tensor) -> Tensor:
    return updated(assign_inplace(parameter, new))


def _number(value: Any, like: Tensor) -> Any:
    """A factor in the dtype of a Parameter."""
    return cast(value, like.dtype) if isinstance(value, Tensor) else float(value)


def _wide(gradient: Any, variable: Tensor) -> Tensor:
    return cast(gradient, variable.dtype)


def _momentum(self: Any, variable: Any, accumulation: Any, rate: Any, gradient: Any, momentum: Any) -> Tensor:
    gradient = _wide(gradient, variable)
    if self.gradient_scale != 1.0:
        gradient = gradient * self.gradient_scale
    rate, momentum = _number(rate, variable), _number(momentum, variable)
    moved = accumulation * momentum + gradient
    step = gradient * rate + moved * momentum * rate if self.use_nesterov else moved * rate
    new = variable - step
    assign_inplace(accumulation, moved)
    return _write(variable, new)


def _fused_momentum(
    self: Any, decay: Any, scale: Any, variable: Any, accumulation: Any, rate: Any, gradient: Any, momentum: Any
) -> Tensor:
    gradient = (_wide(gradient, variable) + variable * _number(decay, variable)) * _number(scale, variable)
    moved = accumulation * _number(momentum, variable) + gradient
    new = variable - moved * _number(rate, variable)
    assign_inplace(accumulation, moved)
    return _write(variable, new)


def _gradient_descent(self: Any, variable: Any, alpha: Any, delta: Any) -> Tensor:
    return _write(variable, variable - _wide(delta, variable) * _number(alpha, variable))


def _moments(variable: Any, m: Any, v: Any, beta1: Any, beta2: Any, gradient: Any) -> tuple[Any, Any]:
    one, two = _number(beta1, variable), _number(beta2, variable)
    return m * one + gradient * (1.0 - one), v * two + gradient * gradient * (1.0 - two)


def _adam(
    self: Any, variable: Any, m: Any, v: Any, power1: Any, power2: Any, rate: Any, beta1: Any, beta2: Any,
    epsilon: Any, gradient: Any,
) -> tuple[Tensor, ...]:  # fmt: skip
    gradient = _wide(gradient, variable)
    new_m, new_v = _moments(variable, m, v, beta1, beta2, gradient)
    first, second = 1.0 - _number(power1, variable), 1.0 - _number(power2, variable)
    root = second**0.5 if not isinstance(second, Tensor) else f("sqrt")(second)
    step = _number(rate, variable) * root / first
    one = _number(beta1, variable)
    direction = new_m * one + gradient * (1.0 - one) if self.use_nesterov else new_m
    new = variable - direction * step / (f("sqrt")(new_v) + _number(epsilon, variable))
    return _write(variable, new), _write(m, new_m), _write(v, new_v)


def _adam_weight_decay(
    self: Any, variable: Any, m: Any, v: Any, rate: Any, beta1: Any, beta2: Any, epsilon: Any, decay: Any, gradient: Any
) -> tuple[Tensor, ...]:
    gradient = _wide(gradient, variable)
    new_m, new_v = _moments(variable, m, v, beta1, beta2, gradient)
    step = new_m / (f("sqrt")(new_v) + _number(epsilon, variable)) + variable * _number(decay, variable)
    new = variable - step * _number(rate, variable)
    return _write(variable, new), _write(m, new_m), _write(v, new_v)


def _rms_prop(
    self: Any, variable: Any, mean_square: Any, moment: Any, rate: Any, gradient: Any, decay: Any, momentum: Any,
    epsilon: Any,
) -> Tensor:  # fmt: skip
    gradient = _wide(gradient, variable)
    decay, momentum = _number(decay, variable), _number(momentum, variable)
    square = mean_square * decay + gradient * gradient * (1.0 - decay)
    moved = moment * momentum + gradient * _number(rate, variable) * f("rsqrt")(square + _number(epsilon, variable))
    new = variable - moved
    assign_inplace(mean_square, square)
    assign_inplace(moment, moved)
    return _write(variable, new)


def _adagrad(self: Any, variable: Any, accumulation: Any, rate: Any, gradient: Any) -> tuple[Tensor, Tensor]:
    gradient = _wide(gradient, variable)
    total = accumulation + gradient * gradient if self.update_slots else accumulation
    epsilon = getattr(self, "epsilon", 0.0)
    new = variable - gradient * _number(rate, variable) / (f("sqrt")(total) + epsilon)
    if self.update_slots:
        assign_inplace(accumulation, total)
    return _write(variable, new), updated(accumulation)


def _adadelta(
    self: Any, variable: Any, accumulation: Any, update: Any, rate: Any, rho: Any, epsilon: Any, gradient: Any
) -> tuple[Tensor, ...]:
    gradient = _wide(gradient, variable)
    rho, epsilon = _number(rho, variable), _number(epsilon, variable)
    square = accumulation * rho + gradient * gradient * (1.0 - rho)
    step = f("sqrt")(update + epsilon) * f("rsqrt")(square + epsilon) * gradient
    moved = update * rho + step * step * (1.0 - rho)
    new = variable - step * _number(rate, variable)
    return _write(variable, new), _write(accumulation, square), _write(update, moved)


def _ada_max(
    self: Any, variable: Any, m: Any, v: Any, power1: Any, rate: Any, beta1: Any, beta2: Any, epsilon: Any,
    gradient: Any,
) -> tuple[Tensor, ...]:  # fmt: skip
    gradient = _wide(gradient, variable)
    one = _number(beta1, variable)
    new_m = m * one + gradient * (1.0 - one)
    new_v = f("maximum")(v * _number(beta2, variable), f("abs")(gradient))
    step = _number(rate, variable) / (1.0 - _number(power1, variable))
    new = variable - new_m * step / (new_v + _number(epsilon, variable))
    return _write(variable, new), _write(m, new_m), _write(v, new_v)


def _ftrl(
    self: Any, variable: Any, accumulation: Any, linear: Any, gradient: Any, rate: Any, l1: Any, l2: Any, power: Any
) -> Tensor:
    gradient = _wide(gradient, variable)
    rate, l1, l2 = _number(rate, variable), _number(l1, variable), _number(l2, variable)
    power = -_number(power, variable)
    total = accumulation + gradient * gradient
    grown, before = f("pow")(total, power), f("pow")(accumulation, power)
    moved = linear + gradient - (grown - before) / rate * variable
    bound = f("clip")(moved, -l1, l1) if not isinstance(l1, Tensor) else f("minimum")(f("maximum")(moved, -l1), l1)
    new = (bound - moved) / (grown / rate + l2 * 2.0)
    assign_inplace(accumulation, total)
    assign_inplace(linear, moved)
    return _write(variable, new)


def _sgd(self: Any, variable: Any, gradient: Any, rate: Any, accumulation: Any, momentum: Any, stat: Any) -> Tensor:
    """Plain SGD with momentum; `stat` is 1 before the first step, in which the accumulation is the gradient itself."""
    gradient = _wide(gradient, variable)
    if self.weight_decay:
        gradient = gradient + variable * self.weight_decay
    rate, momentum = _number(rate, variable), _number(momentum, variable)
    first = f("greater")(stat, 0)
    moved = f("where")(first, gradient, accumulation * momentum + gradient * (1.0 - self.dampening))
    step = gradient + moved * momentum if self.nesterov else moved
    new = variable - step * rate
    assign_inplace(accumulation, moved)
    assign_inplace(stat, f("zeros_like")(stat))
    return _write(variable, new)


# Random numbers


def _own(self: Any) -> dict[str, Any]:
    """The generator that a primitive with seeds has of its own."""
    return owned(self, getattr(self, "seed", 0), getattr(self, "seed2", getattr(self, "offset", 0)))


def _draw(op: Any, **given: Any) -> Any:
    def run(self: Any, shape: Any) -> Tensor:
        return apply(op, shape=tuple(map(int, shape)), dtype=dtypes.float32, **given, **_own(self))

    return run


def _uniform_integers(self: Any, shape: Any, low: Any, high: Any) -> Tensor:
    bounds = {"low": int(low), "high": int(high)}
    return apply(prims.random_integers, shape=tuple(map(int, shape)), dtype=dtypes.int32, **bounds, **_own(self))


def _permutation(self: Any, count: Any) -> Tensor:
    """The numbers below `count` in random order, filled up with `pad` to `max_length`."""
    drawn = apply(prims.random_permutation, count=int(count), dtype=self.dtype)
    if self.max_length < int(count):
        raise ValueError(f"Randperm: 'max_length' {self.max_length} is less than {int(count)}")
    return f("pad")(drawn, (0, self.max_length - int(count)), "constant", self.pad)


def _permutation_of(self: Any, count: Any) -> Tensor:
    return apply(prims.random_permutation, count=int(count), dtype=self.dtype, **_own(self))


def _multinomial(self: Any, x: Any, samples: Any) -> Tensor:
    return apply(prims.random_multinomial, x, samples=int(samples), replacement=True, dtype=self.dtype, **_own(self))


def _shuffle(self: Any, x: Any) -> Tensor:
    order = apply(prims.random_permutation, count=int(x.shape[0]), dtype=dtypes.int64, **_own(self))
    return apply(prims.take, x, order, axis=0)


def _bernoulli(self: Any, x: Any, p: Any = 0.5) -> Tensor:
    attrs = {"scale": 1.0, "dtype": x.dtype, "shape": x._type.static_shape, **_own(self)}
    if isinstance(p, Tensor):
        return apply(prims.random_bernoulli, p, probability=None, **attrs)
    return apply(prims.random_bernoulli, probability=float(p), **attrs)


# Python


def _python_function(self: Any, *inputs: Any) -> Any:
    """A function on NumPy arrays, with results of declared types. Its inputs may come as one tuple."""
    if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
        inputs = tuple(inputs[0])
    results = self.fn(*[item.asnumpy() if isinstance(item, Tensor) else item for item in inputs])
    results = tuple(results) if isinstance(results, (tuple, list)) else (results,)
    declared = len(self.out_types)
    if len(results) != declared:
        raise TypeError(f"PyFunc: the function gave {len(results)} results, but out_types declares {declared}")
    pairs = zip(results, self.out_types, strict=True)
    tensors = tuple(Tensor(np.asarray(item), dtypes.as_dtype(dtype)) for item, dtype in pairs)
    return computed_outside(tensors, inputs, "ops.PyFunc")


def _overflow_register(self: Any, *inputs: Any) -> Tensor:
    """A CPU has no overflow register: eight zeros."""
    return f("zeros")((8,), dtypes.float32)


BIT_VALUES = np.left_shift(1, np.arange(8)).astype(np.int32)
MASK_BITS = 128  # a mask is filled up to a multiple of so many


def _dropout_mask(self: Any, shape: Any, keep_prob: Any) -> Tensor:
    """What to keep, eight elements in a byte, the first in its lowest bit."""
    count = math.prod(int(size) for size in shape)
    drawn = f("rand")(-(-count // MASK_BITS) * MASK_BITS)
    bits = f("reshape")(cast(drawn < keep_prob, dtypes.int32), (-1, 8))
    return cast((bits * Tensor(BIT_VALUES)).sum(1), dtypes.uint8)


def _dropout_by_mask(self: Any, x: Any, mask: Any, keep_prob: Any) -> Tensor:
    """The elements that a mask of `DropoutGenMask` keeps, divided by the share that is kept; 0 for the others."""
    bits = f("reshape")(cast(mask, dtypes.int32), (-1, 1)) // Tensor(BIT_VALUES) % 2
    if bits.size < x.size:
        raise ValueError(f"DropoutDoMask: a mask of {bits.size} elements is too small for x of shape {x.shape}")
    kept = f("reshape")(f("reshape")(bits, (-1,))[: x.size], x.shape)
    return x * cast(kept, x.dtype) / cast(keep_prob, x.dtype)


def _summary(self: Any, name: Any, value: Any) -> None:
    """Give a value to the SummaryRecords that are open."""
    if not isinstance(name, str) or not name:
        raise ValueError(f"{self.name}: the name should be a string that is not empty, but got {name!r}")
    tensor = value if isinstance(value, Tensor) else Tensor(value)
    apply(prims.record, tensor, kind=self.name.removesuffix("Summary").lower(), name=name)


_LOCK = {"use_locking": False}
_SEEDS = {"seed": 0, "seed2": 0}
TABLE: dict[str, Row] = {
    "ApplyMomentum": (_momentum, {"use_nesterov": False, "use_locking": False, "gradient_scale": 1.0}),
    "FusedWeightScaleApplyMomentum": (_fused_momentum, {}),
    "ApplyGradientDescent": (_gradient_descent, {}),
    "Adam": (_adam, {"use_locking": False, "use_nesterov": False}),
    "AdamWeightDecay": (_adam_weight_decay, _LOCK),
    "FusedCastAdamWeightDecay": (_adam_weight_decay, _LOCK),
    "ApplyRMSProp": (_rms_prop, _LOCK),
    "ApplyAdagrad": (_adagrad, {"update_slots": True}),
    "ApplyAdagradV2": (_adagrad, takes("epsilon", update_slots=True)),
    "ApplyAdadelta": (_adadelta, {}),
    "ApplyAdaMax": (_ada_max, {}),
    "ApplyFtrl": (_ftrl, _LOCK),
    "SGD": (_sgd, {"dampening": 0.0, "weight_decay": 0.0, "nesterov": False}),
    "StandardNormal": (_draw(prims.random_normal, mean=0.0, std=1.0), _SEEDS),
    "StandardLaplace": (_draw(prims.random_laplace, mean=0.0, scale=1.0), _SEEDS),
    "UniformReal": (_draw(prims.random_uniform, low=0.0, high=1.0), _SEEDS),
    "UniformInt": (_uniform_integers, _SEEDS),
    "Randperm": (_permutation, {"max_length": 1, "pad": -1, "dtype": dtypes.int32}),
    "RandpermV2": (_permutation_of, {"seed": 0, "offset": 0, "dtype": dtypes.int64}),
    "Multinomial": (_multinomial, {**_SEEDS, "dtype": dtypes.int32}),
    "RandomShuffle": (_shuffle, _SEEDS),
    "Bernoulli": (_bernoulli, {"seed": -1, "offset": 0}),
    "Print": (lambda self, *values: f("print_")(*values), {}),
    "Depend": (lambda self, value, expr=None: value, {}),
    "Partial": (lambda self, function, *arguments, **named: partial(function, *arguments, **named), {}),
    "MoveTo": (lambda self, x, to="CPU", blocking=True: x, {}),
    "PyFunc": (
        _python_function,
        takes("fn", in_types=(), in_shapes=(), out_types=(), out_shapes=(), stateful=True),
    ),
    "NPUAllocFloatStatus": (_overflow_register, {}),
    "NPUGetFloatStatus": (_overflow_register, {}),
    "NPUClearFloatStatus": (_overflow_register, {}),
    "DropoutGenMask": (_dropout_mask, {"Seed0": 0, "Seed1": 0}),
    "DropoutDoMask": (_dropout_by_mask, {}),
    "ScalarSummary": (_summary, {}),
    "ImageSummary": (_summary, {}),
    "TensorSummary": (_summary, {}),
    "HistogramSummary": (_summary, {}),
}
CLASSES = make_classes(TABLE, globals())

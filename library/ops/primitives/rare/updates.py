"""Primitives that update Parameters by rarer rules, and rules that touch only some rows of them."""

from __future__ import annotations

from typing import Any

from .....frontend.values.dispatch import cast
from .....frontend.values.inplace import assign_inplace, updated
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from ..primitive import Row, function_named as f, make_classes, takes
from ..training import _moments, _number, _wide, _write


def _shrunk(value: Any, rate: Any, l1: Any, l2: Any) -> Tensor:
    """The proximal step: towards zero by rate · l1, then divided by 1 + rate · l2."""
    size = f("maximum")(f("abs")(value) - rate * l1, 0.0)
    result: Tensor = f("sign")(value) * size / (rate * l2 + 1.0)
    return result


def _adagrad_da(
    self: Any, variable: Any, sums: Any, squares: Any, gradient: Any, rate: Any, l1: Any, l2: Any, step: Any
) -> Tensor:
    """Adagrad by dual averaging: the variable from the sums of all gradients and of their squares."""
    gradient = _wide(gradient, variable)
    rate, l1, l2, step = (_number(value, variable) for value in (rate, l1, l2, step))
    sums_now, squares_now = sums + gradient, squares + gradient * gradient
    short = f("sign")(sums_now) * f("maximum")(f("abs")(sums_now) - l1 * step, 0.0)
    new = -(short * rate) / (f("sqrt")(squares_now) + l2 * step * rate)
    assign_inplace(sums, sums_now)
    assign_inplace(squares, squares_now)
    return _write(variable, new)


def _agreeing(power: bool) -> Any:
    """AddSign and PowerSign: a larger step where gradient and moment have the same sign."""

    def run(
        self: Any, variable: Any, m: Any, rate: Any, base: Any, decay: Any, beta: Any, gradient: Any
    ) -> tuple[Tensor, ...]:
        gradient = _wide(gradient, variable)
        rate, base, decay, beta = (_number(value, variable) for value in (rate, base, decay, beta))
        moved = m * beta + gradient * (1.0 - beta)
        agreed = f("sign")(gradient) * f("sign")(moved) * decay
        factor = f("exp")(agreed * base) if power else agreed + base
        return _write(variable, variable - gradient * factor * rate), _write(m, moved)

    return run


def _centred_rms_prop(
    self: Any, variable: Any, mean: Any, mean_square: Any, moment: Any, gradient: Any, rate: Any, decay: Any,
    momentum: Any, epsilon: Any,
) -> Tensor:  # fmt: skip
    gradient = _wide(gradient, variable)
    rate, decay, momentum, epsilon = (_number(value, variable) for value in (rate, decay, momentum, epsilon))
    centre = mean * decay + gradient * (1.0 - decay)
    square = mean_square * decay + gradient * gradient * (1.0 - decay)
    moved = moment * momentum + gradient * rate * f("rsqrt")(square - centre * centre + epsilon)
    new = variable - moved
    for state, value in ((mean, centre), (mean_square, square), (moment, moved)):
        assign_inplace(state, value)
    return _write(variable, new)


def _keras_momentum(self: Any, variable: Any, accumulation: Any, rate: Any, gradient: Any, momentum: Any) -> Any:
    gradient = _wide(gradient, variable) * _number(rate, variable)
    momentum = _number(momentum, variable)
    moved = accumulation * momentum - gradient
    step = moved * momentum - gradient if self.use_nesterov else moved
    return _write(variable, variable + step), _write(accumulation, moved)


def _proximal_descent(self: Any, variable: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Tensor:
    rate, l1, l2 = (_number(value, variable) for value in (alpha, l1, l2))
    return _write(variable, _shrunk(variable - _wide(delta, variable) * rate, rate, l1, l2))


def _proximal_adagrad(self: Any, variable: Any, accumulation: Any, rate: Any, l1: Any, l2: Any, gradient: Any) -> Any:
    gradient = _wide(gradient, variable)
    total = accumulation + gradient * gradient
    rate, l1, l2 = (_number(value, variable) for value in (rate, l1, l2))
    own_rate = f("rsqrt")(total) * rate
    new = _shrunk(variable - gradient * own_rate, own_rate, l1, l2)
    return _write(variable, new), _write(accumulation, total)


def _adam_rate(power1: Any, power2: Any, rate: Any, like: Any) -> Any:
    first, second = 1.0 - _number(power1, like), 1.0 - _number(power2, like)
    root = f("sqrt")(second) if isinstance(second, Tensor) else second**0.5
    return _number(rate, like) * root / first


def _amsgrad(
    self: Any, variable: Any, m: Any, v: Any, largest: Any, power1: Any, power2: Any, rate: Any, beta1: Any,
    beta2: Any, epsilon: Any, gradient: Any,
) -> tuple[Tensor, ...]:  # fmt: skip
    gradient = _wide(gradient, variable)
    new_m, new_v = _moments(variable, m, v, beta1, beta2, gradient)
    top = f("maximum")(largest, new_v)
    step = _adam_rate(power1, power2, rate, variable)
    new = variable - new_m * step / (f("sqrt")(top) + _number(epsilon, variable))
    return _write(variable, new), _write(m, new_m), _write(v, new_v), _write(largest, top)


def _fixed_amsgrad(
    self: Any, variable: Any, m: Any, v: Any, largest: Any, power1: Any, power2: Any, rate: Any, gradient: Any
) -> tuple[Tensor, ...]:
    betas = self.beta1, self.beta2, self.epsilon
    return _amsgrad(self, variable, m, v, largest, power1, power2, rate, *betas, gradient)


def _adam_step(
    self: Any, m: Any, v: Any, power1: Any, power2: Any, rate: Any, beta1: Any, beta2: Any, epsilon: Any, gradient: Any
) -> Tensor:
    """What Adam would add to a variable; the moments are written."""
    gradient = _wide(gradient, m)
    new_m, new_v = _moments(m, m, v, beta1, beta2, gradient)
    one = _number(beta1, m)
    direction = new_m * one + gradient * (1.0 - one) if self.use_nesterov else new_m
    step = direction * -_adam_rate(power1, power2, rate, m) / (f("sqrt")(new_v) + _number(epsilon, m))
    assign_inplace(m, new_m)
    assign_inplace(v, new_v)
    return updated(step)


def _lars(self: Any, weight: Any, gradient: Any, weight_norm: Any, gradient_norm: Any, decay: Any, rate: Any) -> Tensor:
    """The gradient with weight decay, scaled by the quotient of both norms, which are given squared."""
    size, slope = f("sqrt")(weight_norm), f("sqrt")(gradient_norm)
    trust = size * self.hyperpara / (slope + size * decay + self.epsilon)
    if self.use_clip:
        trust = f("minimum")(f("maximum")(trust / rate, 0.0), 1.0)
    result: Tensor = (gradient + weight * decay) * trust
    return result


# Some rows only. Gradients of rows that are named several times add up; the other rows stay as they are.


def _rows(variable: Any, gradient: Any, indices: Any) -> tuple[Tensor, Tensor]:
    """The gradient of all rows, and which rows take part, in a shape that broadcasts."""
    places = cast(indices, dtypes.int64)
    dense = f("index_add")(f("zeros_like")(variable), places, _wide(gradient, variable), 0)
    seen = f("index_add")(
        f("zeros")((int(variable.shape[0]),), dtypes.float32), places, f("ones")((places.size,), dtypes.float32), 0
    )
    shape = (int(variable.shape[0]),) + (1,) * (variable.ndim - 1)
    return dense, f("reshape")(f("greater")(seen, 0), shape)


def _commit(here: Tensor, *changes: tuple[Any, Tensor]) -> tuple[Tensor, ...]:
    """Write new values to Parameters where a row takes part; the Parameters' values."""
    return tuple(_write(state, f("where")(here, new, state)) for state, new in changes)


def _sparse_adagrad(self: Any, variable: Any, accumulation: Any, gradient: Any, indices: Any) -> tuple[Tensor, ...]:
    dense, here = _rows(variable, gradient, indices)
    total = accumulation + dense * dense if self.update_slots else accumulation
    new = variable - dense * self.lr * f("rsqrt")(total + getattr(self, "epsilon", 0.0))
    return _commit(here, (variable, new), (accumulation, total + 0.0))


def _sparse_adadelta(
    self: Any, variable: Any, accumulation: Any, update: Any, rate: Any, rho: Any, gradient: Any, indices: Any
) -> tuple[Tensor, ...]:
    dense, here = _rows(variable, gradient, indices)
    rho = _number(rho, variable)
    square = accumulation * rho + dense * dense * (1.0 - rho)
    step = f("sqrt")(update + self.epsilon) * f("rsqrt")(square + self.epsilon) * dense
    moved = update * rho + step * step * (1.0 - rho)
    return _commit(here, (variable, variable - step * _number(rate, variable)), (accumulation, square), (update, moved))


def _sparse_ftrl(
    self: Any, variable: Any, accumulation: Any, linear: Any, gradient: Any, indices: Any
) -> tuple[Tensor, ...]:
    dense, here = _rows(variable, gradient, indices)
    pushed = dense + variable * (2.0 * getattr(self, "l2_shrinkage", 0.0))
    total = accumulation + dense * dense
    grown, before = f("pow")(total, -self.lr_power), f("pow")(accumulation, -self.lr_power)
    moved = linear + pushed - (grown - before) / self.lr * variable
    new = (f("clip")(moved, -self.l1, self.l1) - moved) / (grown / self.lr + 2.0 * self.l2)
    return _commit(here, (variable, new), (accumulation, total), (linear, moved))


def _sparse_proximal(
    self: Any, variable: Any, accumulation: Any, rate: Any, l1: Any, l2: Any, gradient: Any, indices: Any
) -> tuple[Tensor, ...]:
    dense, here = _rows(variable, gradient, indices)
    total = accumulation + dense * dense
    rate, l1, l2 = (_number(value, variable) for value in (rate, l1, l2))
    own_rate = f("rsqrt")(total) * rate
    new = _shrunk(variable - dense * own_rate, own_rate, l1, l2)
    return _commit(here, (variable, new), (accumulation, total))


def _sparse_rms_prop(
    self: Any, variable: Any, mean_square: Any, moment: Any, rate: Any, gradient: Any, indices: Any
) -> tuple[Tensor, ...]:
    dense, here = _rows(variable, gradient, indices)
    square = mean_square * self.rho + dense * dense * (1.0 - self.rho)
    moved = moment * self.momentum + dense * _number(rate, variable) * f("rsqrt")(square + self.epsilon)
    return _commit(here, (variable, variable - moved), (mean_square, square), (moment, moved))


def _sparse_adam(lazy: bool) -> Any:
    """Adam with a gradient of some rows: the others have a gradient of zero, or, lazily, are left alone."""

    def run(
        self: Any, variable: Any, m: Any, v: Any, power1: Any, power2: Any, rate: Any, beta1: Any, beta2: Any,
        epsilon: Any, gradient: Any, indices: Any,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        dense, here = _rows(variable, gradient, indices)
        new_m, new_v = _moments(variable, m, v, beta1, beta2, dense)
        one = _number(beta1, variable)
        direction = new_m * one + dense * (1.0 - one) if self.use_nesterov else new_m
        step = direction * _adam_rate(power1, power2, rate, variable)
        new = variable - step / (f("sqrt")(new_v) + _number(epsilon, variable))
        if lazy:
            return _commit(here, (variable, new), (m, new_m), (v, new_v))
        return _write(variable, new), _write(m, new_m), _write(v, new_v)

    return run


_LOCK = {"use_locking": False}
_NESTEROV = {"use_locking": False, "use_nesterov": False}
_FTRL = takes("lr l1 l2 lr_power", use_locking=False)
TABLE: dict[str, Row] = {
    "ApplyAdagradDA": (_adagrad_da, _LOCK),
    "ApplyAddSign": (_agreeing(False), {}),
    "ApplyPowerSign": (_agreeing(True), {}),
    "ApplyCenteredRMSProp": (_centred_rms_prop, _LOCK),
    "ApplyKerasMomentum": (_keras_momentum, _NESTEROV),
    "ApplyProximalGradientDescent": (_proximal_descent, {}),
    "ApplyProximalAdagrad": (_proximal_adagrad, _LOCK),
    "ApplyAdamWithAmsgrad": (_fixed_amsgrad, {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "use_locking": False}),
    "ApplyAdamWithAmsgradV2": (_amsgrad, _LOCK),
    "AdamNoUpdateParam": (_adam_step, _NESTEROV),
    "LARSUpdate": (_lars, {"epsilon": 1e-5, "hyperpara": 0.001, "use_clip": False}),
    "SparseApplyAdagrad": (_sparse_adagrad, takes("lr", update_slots=True, use_locking=False)),
    "SparseApplyAdagradV2": (_sparse_adagrad, takes("lr epsilon", use_locking=False, update_slots=True)),
    "SparseApplyAdadelta": (_sparse_adadelta, takes("epsilon", use_locking=False)),
    "SparseApplyFtrl": (_sparse_ftrl, _FTRL),
    "SparseApplyFtrlV2": (_sparse_ftrl, takes("lr l1 l2 l2_shrinkage lr_power", **_LOCK)),
    "SparseApplyProximalAdagrad": (_sparse_proximal, _LOCK),
    "SparseApplyRMSProp": (_sparse_rms_prop, takes("rho momentum epsilon", use_locking=False)),
    "FusedSparseAdam": (_sparse_adam(False), _NESTEROV),
    "FusedSparseLazyAdam": (_sparse_adam(True), _NESTEROV),
    "FusedSparseFtrl": (_sparse_ftrl, _FTRL),
    "FusedSparseProximalAdagrad": (_sparse_proximal, _LOCK),
}
CLASSES = make_classes(TABLE, globals())

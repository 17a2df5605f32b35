"""Bijectors: functions with an inverse and a known derivative, and the distributions that they make of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....frontend.values.arguments import need_type
from ....frontend.values.cell import Cell
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ... import ops
from .base import Distribution

__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]


class Bijector(Cell):
    """Base of bijectors: `forward`, `inverse`, and the logarithms of their derivatives.

    Args:
        is_constant_jacobian: whether the derivative is the same everywhere.
        is_injective: whether there is an inverse.
        name, dtype, param: its name, the dtype it computes in (None: that of its input), what it was made with.

    Examples:
        >>> from mycel.nn.probability import bijector as msb
        >>> print(isinstance(msb.Softplus(), msb.Bijector))
        True
    """

    def __init__(
        self, is_constant_jacobian: bool = False, is_injective: bool = True, name: str | None = None,
        dtype: Any = None, param: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.is_constant_jacobian = is_constant_jacobian
        self.is_injective = is_injective
        self.name = name or type(self).__name__
        self.dtype = dtype
        self.parameters = param

    def extend_repr(self) -> str:
        """What it was made with."""
        return ", ".join(f"{name} = {value}" for name, value in (self.parameters or {}).items())

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no 'forward'")

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no 'inverse'")

    def _forward_log_jacobian(self, x: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no 'forward_log_jacobian'")

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return -self._forward_log_jacobian(self._inverse(y))

    def forward(self, value: Any) -> Any:
        """The function's values."""
        return self._forward(_floating(value, self))

    def inverse(self, value: Any) -> Any:
        """The arguments for which the function has these values."""
        return self._inverse(_floating(value, self))

    def forward_log_jacobian(self, value: Any) -> Any:
        """The logarithm of the function's derivative."""
        return self._forward_log_jacobian(_floating(value, self))

    def inverse_log_jacobian(self, value: Any) -> Any:
        """The logarithm of the inverse function's derivative."""
        return self._inverse_log_jacobian(_floating(value, self))

    def construct(self, name: str, *args: Any) -> Any:
        """With a name, the function of that name at a value."""
        known = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")
        if name not in known:
            raise ValueError(f"{type(self).__name__} has no function {name!r}, but {', '.join(known)}")
        return getattr(self, name)(*args)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], Distribution):
            return TransformedDistribution(self, *args, **kwargs)
        return super().__call__(*args, **kwargs)


def _floating(value: Any, owner: Bijector) -> Tensor:
    need_type(value, Tensor, f"{type(owner).__name__} takes tensors")
    if not value.dtype.is_float:
        raise TypeError(f"{type(owner).__name__} takes floating-point numbers, but got {value.dtype}")
    return value


def _parameter(value: Any, name: str, owner: str) -> Any:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, list, tuple, np.ndarray, np.number)):
        raise TypeError(f"{owner}: '{name}' should be a number or tensor, but got {value!r}")
    return Tensor(np.asarray(value), dtypes.float32)


class PowerTransform(Bijector):
    """(1 + power · x)^(1 / power); the exponential for a power of 0.

    Args:
        power: at least 0.
        name: its name.

    Raises:
        ValueError: if `power` is negative.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import bijector as msb
        >>> print(msb.PowerTransform(1.0).forward(Tensor([2.0])))
        [3.]
    """

    def __init__(self, power: Any = 0.0, name: str = "PowerTransform") -> None:
        super().__init__(name=name, param={"power": power})
        self._power = _parameter(power, "power", "PowerTransform")
        if not self._power._is_traced_tensor and (self._power.asnumpy() < 0).any():
            raise ValueError(f"PowerTransform: 'power' should not be negative, but got {power}")

    @property
    def power(self) -> Any:
        """The power."""
        return self._power

    def _safe(self) -> tuple[Any, Any]:
        zero = ops.equal(self._power, 0.0)
        return zero, ops.where(zero, 1.0, self._power)

    def _forward(self, x: Any) -> Any:
        zero, power = self._safe()
        return ops.where(zero, ops.exp(x), ops.exp(ops.log1p(ops.where(zero, 0.0, x * power)) / power))

    def _inverse(self, y: Any) -> Any:
        zero, power = self._safe()
        return ops.where(zero, ops.log(y), ops.expm1(ops.log(y) * power) / power)

    def _forward_log_jacobian(self, x: Any) -> Any:
        zero, power = self._safe()
        return ops.where(zero, x, (1.0 / power - 1.0) * ops.log1p(ops.where(zero, 0.0, x * power)))

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return (self._power - 1.0) * ops.log(y)


class Exp(PowerTransform):
    """The exponential.

    Examples:
        >>> import mycel as ms
        >>> import mycel.nn.probability.bijector as msb
        >>> print(msb.Exp().forward_log_jacobian(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, name: str = "Exp") -> None:
        super().__init__(name=name)

    def extend_repr(self) -> str:
        """Its name, as MindSpore has it."""
        return "exp"

    def _forward(self, x: Any) -> Any:
        return ops.exp(x)

    def _inverse(self, y: Any) -> Any:
        return ops.log(y)

    def _forward_log_jacobian(self, x: Any) -> Any:
        return x * 1.0

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return -ops.log(y)


class ScalarAffine(Bijector):
    """scale · x + shift.

    Args:
        scale, shift: numbers or tensors; `scale` is not 0.
        name: its name.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import bijector as msb
        >>> print(msb.ScalarAffine(2.0, 1.0).forward(Tensor([2.0])))
        [5.]
    """

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine") -> None:
        super().__init__(is_constant_jacobian=True, name=name, param={"scale": scale, "shift": shift})
        self.scale = _parameter(scale, "scale", "ScalarAffine")
        self.shift = _parameter(shift, "shift", "ScalarAffine")

    def _forward(self, x: Any) -> Any:
        return self.scale * x + self.shift

    def _inverse(self, y: Any) -> Any:
        return (y - self.shift) / self.scale

    def _forward_log_jacobian(self, x: Any) -> Any:
        return ops.log(ops.abs(self.scale))

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return -ops.log(ops.abs(self.scale))


class Softplus(Bijector):
    """log(1 + exp(sharpness · x)) / sharpness.

    Args:
        sharpness: a number or tensor other than 0.
        name: its name.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import bijector as msb
        >>> print(msb.Softplus().inverse(Tensor([2.0])).round(3))
        [1.855]
    """

    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus") -> None:
        super().__init__(name=name, param={"sharpness": sharpness})
        self.sharpness = _parameter(sharpness, "sharpness", "Softplus")

    def _forward(self, x: Any) -> Any:
        return ops.softplus(self.sharpness * x) / self.sharpness

    def _inverse(self, y: Any) -> Any:
        scaled = self.sharpness * y
        return (scaled + ops.log(-ops.expm1(-scaled))) / self.sharpness

    def _forward_log_jacobian(self, x: Any) -> Any:
        return -ops.softplus(-self.sharpness * x)

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return -ops.log(-ops.expm1(-self.sharpness * y))


class GumbelCDF(Bijector):
    """exp(-exp(-(x - loc) / scale)), the cumulative distribution function of Gumbel's distribution.

    Args:
        loc, scale: numbers or tensors; `scale` is positive.
        name: its name.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import bijector as msb
        >>> print(msb.GumbelCDF().forward(Tensor([0.0])).round(3))
        [0.368]
    """

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF") -> None:
        super().__init__(name=name, param={"loc": loc, "scale": scale})
        self.loc = _parameter(loc, "loc", "GumbelCDF")
        self.scale = _parameter(scale, "scale", "GumbelCDF")
        if not self.scale._is_traced_tensor and not (self.scale.asnumpy() > 0).all():
            raise ValueError(f"GumbelCDF: 'scale' should be positive, but got {scale}")

    def _forward(self, x: Any) -> Any:
        return ops.exp(-ops.exp(-(x - self.loc) / self.scale))

    def _inverse(self, y: Any) -> Any:
        return self.loc - self.scale * ops.log(-ops.log(y))

    def _forward_log_jacobian(self, x: Any) -> Any:
        z = (x - self.loc) / self.scale
        return -z - ops.exp(-z) - ops.log(self.scale)

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return ops.log(self.scale / (-y * ops.log(y)))


class Invert(Bijector):
    """The inverse of a bijector.

    Args:
        bijector: the bijector.
        name: its name.

    Raises:
        TypeError: if `bijector` is none.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.nn.probability import bijector as msb
        >>> print(msb.Invert(msb.ScalarAffine(2.0, 1.0)).forward(Tensor([5.0])))
        [2.]
    """

    def __init__(self, bijector: Bijector, name: str = "") -> None:
        need_type(bijector, Bijector, "Invert takes a Bijector")
        super().__init__(bijector.is_constant_jacobian, name=name or "Invert" + bijector.name)
        self.bijector = bijector

    def _forward(self, x: Any) -> Any:
        return self.bijector._inverse(x)

    def _inverse(self, y: Any) -> Any:
        return self.bijector._forward(y)

    def _forward_log_jacobian(self, x: Any) -> Any:
        return self.bijector._inverse_log_jacobian(x)

    def _inverse_log_jacobian(self, y: Any) -> Any:
        return self.bijector._forward_log_jacobian(y)


class TransformedDistribution(Distribution):
    """The distribution of a bijector's values for random numbers.

    Args:
        bijector: the transformation.
        distribution: of the numbers, with all its parameters.
        seed: of the generator that `sample` draws from; None: that of `distribution`.
        name: its name.

    Raises:
        TypeError: if `bijector` or `distribution` is none.

    Examples:
        >>> import mycel as ms
        >>> import mycel.nn.probability.bijector as msb
        >>> import mycel.nn.probability.distribution as msd
        >>> log_normal = msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0))
        >>> print(log_normal.cdf(ms.Tensor([1.0])))
        [0.5]
    """

    def __init__(
        self, bijector: Any, distribution: Any, seed: Any = None, name: str = "transformed_distribution"
    ) -> None:
        need_type(bijector, Bijector, "TransformedDistribution takes a Bijector")
        need_type(distribution, Distribution, "TransformedDistribution takes a Distribution")
        super().__init__(seed, distribution.dtype, name, {"bijector": bijector, "distribution": distribution})
        self._bijector = bijector
        self._distribution = distribution
        self.parameters_of = distribution.parameters_of
        self._own = distribution._own
        if seed:
            distribution.seed = seed

    def extend_repr(self) -> str:
        """Nothing: the distribution is printed as a Cell of this one."""
        return ""

    @property
    def bijector(self) -> Bijector:
        """The transformation."""
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        """The distribution that is transformed."""
        return self._distribution

    def _log_prob(self, value: Tensor, *parameters: Tensor) -> Tensor:
        before = self._distribution._log_prob(self._bijector._inverse(value), *parameters)
        return before + self._bijector._inverse_log_jacobian(value)

    def _cdf(self, value: Tensor, *parameters: Tensor) -> Tensor:
        return self._distribution._cdf(self._bijector._inverse(value), *parameters)

    def _mean(self, *parameters: Tensor) -> Tensor:
        if not self._bijector.is_constant_jacobian:
            raise ValueError("the mean is known only of transformations that are linear")
        return self._bijector._forward(self._distribution._mean(*parameters))

    def _entropy(self, *parameters: Tensor) -> Tensor:
        if not self._bijector.is_constant_jacobian:
            raise NotImplementedError("the entropy is known only of transformations that are linear")
        before = self._distribution._entropy(*parameters)
        return before + self._bijector._forward_log_jacobian(ops.zeros_like(before))

    def _batch(self, *parameters: Tensor) -> tuple[int, ...]:
        return self._distribution._batch(*parameters)

    def _sample(self, shape: tuple[int, ...], *parameters: Tensor) -> Tensor:
        return self._bijector._forward(self._distribution._sample(shape, *parameters))

    @property
    def batch_shape(self) -> Any:
        """The shape of the parameters of the distribution."""
        return self._distribution.batch_shape

    broadcast_shape = batch_shape

    @property
    def is_scalar_batch(self) -> bool:
        """Whether the parameters are single numbers."""
        return np.prod(self.batch_shape or ()) == 1

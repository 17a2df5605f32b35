"""The kinds of initializers: constants, draws, and draws scaled by the sizes of layers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...frontend.control_flow.random_draws import draw_initial
from ...frontend.values.tensor import Tensor
from ..docstrings import Shared, like
from .draws import Array, _both_fans, _fan, _fans, _fill_normal, _fill_truncated_normal, _fill_uniform, _gain, _normal


class Initializer:
    """Base of initializers: a subclass defines `_initialize(arr)`, which fills the NumPy array `arr` in place.

    Args:
        kwargs: kept as the attribute `_kwargs`.

    Raises:
        NotImplementedError: if a subclass has no `_initialize`.

    Examples:
        >>> import mycel as ms
        >>> class Seven(ms.common.initializer.Initializer):
        ...     def _initialize(self, arr):
        ...         arr[...] = 7
        >>> print(ms.common.initializer.initializer(Seven(), (2,)))
        [7. 7.]
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    def __call__(self, arr: Any) -> Any:
        """Fill `arr` in place."""
        return self._initialize(arr)

    def _initialize(self, arr: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} should define the method '_initialize'")


_shared = Shared(
    """
    Args:
        kwargs: kept, without meaning.

    Raises:
        TypeError: if a positional argument is given.
    """
)


class _Everywhere(Initializer):
    """The number `value` everywhere."""

    value: int

    def _initialize(self, arr: Array) -> None:
        arr[...] = self.value


@_shared
class Zero(_Everywhere):
    """Zeros.

    Examples:
        >>> from mycel.common.initializer import Zero, initializer
        >>> print(initializer(Zero(), (2,)))
        [0. 0.]
    """

    value = 0


@_shared
class One(_Everywhere):
    """Ones.

    Examples:
        >>> from mycel.common.initializer import One, initializer
        >>> print(initializer(One(), (2,)))
        [1. 1.]
    """

    value = 1


class Constant(Initializer):
    """One value everywhere, or an array.

    Args:
        value: a number, or an array of the shape of the tensor to fill.

    Raises:
        ValueError: when a tensor is filled whose shape the array has not.

    Examples:
        >>> from mycel.common.initializer import Constant, initializer
        >>> print(initializer(Constant(0.5), (2,)))
        [0.5 0.5]
    """

    def __init__(self, value: Any) -> None:
        super().__init__(value=value)
        self.value = value

    def _initialize(self, arr: Array) -> None:
        arr[...] = self.value.asnumpy() if isinstance(self.value, Tensor) else self.value


class Identity(Initializer):
    """The identity matrix, cut or filled up with zeros to the shape.

    Args:
        kwargs: kept, without meaning.

    Raises:
        ValueError: if the tensor to fill has not two dimensions.

    Examples:
        >>> from mycel.common.initializer import Identity, initializer
        >>> print(initializer(Identity(), (2, 3)))
        [[1. 0. 0.]
         [0. 1. 0.]]
    """

    def _initialize(self, arr: Array) -> None:
        if arr.ndim != 2:
            raise ValueError(f"Identity fills tensors of two dimensions, but the shape is {arr.shape}")
        arr[...] = np.eye(*arr.shape)


class Normal(Initializer):
    """Numbers from the normal distribution N(mean, sigma²).

    Args:
        sigma: a number, the standard deviation. Default: 0.01.
        mean: a number. Default: 0.0.

    Raises:
        TypeError: when a tensor is filled, if an argument is no number.

    Examples:
        >>> from mycel.common.initializer import Normal, initializer
        >>> print(initializer(Normal(0.0, 3.0), (2,)))
        [3. 3.]
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0) -> None:
        super().__init__(sigma=sigma, mean=mean)
        self.sigma = sigma
        self.mean = mean

    def _initialize(self, arr: Array) -> None:
        _fill_normal(arr, self.sigma, self.mean)


class Uniform(Initializer):
    """Numbers from the uniform distribution on [-scale, scale).

    Args:
        scale: a number, the bound. Default: 0.07.

    Raises:
        TypeError: when a tensor is filled, if scale is no number.

    Examples:
        >>> from mycel.common.initializer import Uniform, initializer
        >>> print(initializer(Uniform(0.5), (1000,)).abs().max().item() <= 0.5)
        True
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _initialize(self, arr: Array) -> None:
        _fill_uniform(arr, self.scale)


class TruncatedNormal(Initializer):
    """Numbers from N(mean, sigma²), without those outside of [a, b].

    Args:
        sigma: a number, the standard deviation of the normal distribution. Default: 0.01.
        mean: a number, its mean. Default: 0.0.
        a: a number, the lower bound of the result. Default: -2.0.
        b: a number, the upper bound of the result. Default: 2.0.

    Raises:
        TypeError: when a tensor is filled, if an argument is no number.

    Examples:
        >>> from mycel.common.initializer import TruncatedNormal, initializer
        >>> print(initializer(TruncatedNormal(1.0), (1000,)).abs().max().item() <= 2.0)
        True
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0) -> None:
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma = sigma
        self.mean = mean
        self.a = a
        self.b = b

    def _initialize(self, arr: Array) -> None:
        _fill_truncated_normal(arr, self.mean, self.sigma, self.a, self.b)


class _Xavier(Initializer):
    def __init__(self, gain: float = 1) -> None:
        super().__init__(gain=gain)
        self.gain = gain


class _He(Initializer):
    def __init__(self, negative_slope: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> None:
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope = negative_slope
        self.mode = mode
        self.nonlinearity = nonlinearity

    def _gain_and_fan(self, shape: tuple[int, ...]) -> tuple[float, int]:
        return _gain(self.nonlinearity, self.negative_slope), _fan(shape, self.mode)


class XavierUniform(_Xavier):
    """Uniform numbers in ±gain · sqrt(6 / (fan_in + fan_out)).

    Args:
        gain: a number, the factor. Default: 1.

    Raises:
        ValueError: if the tensor to fill has less than two dimensions.

    Examples:
        >>> from mycel.common.initializer import XavierUniform, initializer
        >>> print(initializer(XavierUniform(), (3, 3)).abs().max().item() <= 1.0)
        True
    """

    def _initialize(self, arr: Array) -> None:
        _fill_uniform(arr, self.gain * math.sqrt(6 / sum(_both_fans(arr.shape))))


class XavierNormal(_Xavier):
    """Normal numbers of standard deviation gain · sqrt(2 / (fan_in + fan_out)).

    Args:
        gain: a number, the factor. Default: 1.

    Raises:
        ValueError: if the tensor to fill has less than two dimensions.

    Examples:
        >>> from mycel.common.initializer import XavierNormal, initializer
        >>> print(initializer(XavierNormal(0.0), (2, 2)).abs().max().item())
        0.0
    """

    def _initialize(self, arr: Array) -> None:
        _fill_normal(arr, self.gain * math.sqrt(2 / sum(_both_fans(arr.shape))))


class HeUniform(_He):
    """Uniform numbers in ±gain · sqrt(3 / fan), with the gain of the nonlinearity that follows.

    Args:
        negative_slope: a number, of the nonlinearity 'leaky_relu'. Default: 0.
        mode: 'fan_in' or 'fan_out', which fan. Default: 'fan_in'.
        nonlinearity: 'leaky_relu', 'relu', 'tanh', 'sigmoid' or 'linear'. Default: 'leaky_relu'.

    Raises:
        ValueError: for another mode or nonlinearity, or a tensor to fill with less than two dimensions.

    Examples:
        >>> from mycel.common.initializer import HeUniform, initializer
        >>> print(initializer(HeUniform(), (4, 6)).abs().max().item() <= 1.0)
        True
    """

    def _initialize(self, arr: Array) -> None:
        gain, fan = self._gain_and_fan(arr.shape)
        _fill_uniform(arr, gain * math.sqrt(3 / fan))


@like(HeUniform)
class HeNormal(_He):
    """Normal numbers of standard deviation gain / sqrt(fan), with the gain of the nonlinearity that follows.

    Examples:
        >>> from mycel.common.initializer import HeNormal, initializer
        >>> print(initializer(HeNormal(), (4, 6)).shape)
        (4, 6)
    """

    def _initialize(self, arr: Array) -> None:
        gain, fan = self._gain_and_fan(arr.shape)
        _fill_normal(arr, gain / math.sqrt(fan))


class VarianceScaling(Initializer):
    """Numbers of variance scale / fan.

    Args:
        scale: a positive number. Default: 1.0.
        mode: 'fan_in', 'fan_out' or 'fan_avg', which fan. Default: 'fan_in'.
        distribution: 'uniform', 'truncated_normal' or 'untruncated_normal'. Default: 'truncated_normal'.

    Raises:
        ValueError: for another mode or distribution, or a scale that is not positive.

    Examples:
        >>> from mycel.common.initializer import VarianceScaling, initializer
        >>> print(initializer(VarianceScaling(distribution="uniform"), (4, 3)).abs().max().item() <= 1.0)
        True
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal") -> None:
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        if scale <= 0:
            raise ValueError(f"VarianceScaling's 'scale' should be positive, but got {scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"VarianceScaling's 'mode' should be 'fan_in', 'fan_out' or 'fan_avg', but got {mode!r}")
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                "VarianceScaling's 'distribution' should be 'uniform', 'truncated_normal' or 'untruncated_normal', "
                f"but got {distribution!r}"
            )
        self.scale = scale
        self.mode = mode
        self.distribution = distribution

    def _initialize(self, arr: Array) -> None:
        fan_in, fan_out = _fans(arr.shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(1.0, fan))
        if self.distribution == "uniform":
            _fill_uniform(arr, math.sqrt(3) * deviation)
        elif self.distribution == "untruncated_normal":
            _fill_normal(arr, deviation)
        else:  # cut at two deviations, of which what is left has this standard deviation
            deviation /= 0.87962566103423978
            _fill_truncated_normal(arr, 0.0, deviation, -2 * deviation, 2 * deviation)


class Orthogonal(Initializer):
    """A random matrix with orthogonal rows or columns (of the tensor seen as a matrix of its first dimension).

    Args:
        gain: a number, the factor. Default: 1.0.

    Raises:
        ValueError: if the tensor to fill has fewer than two dimensions.

    Examples:
        >>> from mycel.common.initializer import Orthogonal, initializer
        >>> matrix = initializer(Orthogonal(), (2, 2))
        >>> print((matrix @ matrix.T).asnumpy().round(3) + 0.0)
        [[1. 0.]
         [0. 1.]]
    """

    def __init__(self, gain: float = 1.0) -> None:
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr: Array) -> None:
        if arr.ndim < 2:
            raise ValueError(f"Orthogonal fills tensors of two dimensions and more, but the shape is {arr.shape}")
        rows = arr.shape[0]
        columns = arr.size // rows
        matrix = _normal((rows, columns))
        basis, upper = np.linalg.qr(matrix.T if rows < columns else matrix)
        basis = basis * np.sign(np.diag(upper))
        if rows < columns:
            basis = basis.T
        arr[...] = (basis * self.gain).reshape(arr.shape)


class Sparse(Initializer):
    """Normal numbers with mean zero; each column has the same share of zeros.

    Args:
        sparsity: a number in [0, 1], the share of zeros in each column.
        sigma: a number, the standard deviation of the others. Default: 0.01.

    Raises:
        ValueError: if the tensor to fill has not two dimensions.

    Examples:
        >>> from mycel.common.initializer import Sparse, initializer
        >>> print((initializer(Sparse(0.5), (4, 3)) == 0).sum(0))
        [2 2 2]
    """

    def __init__(self, sparsity: float, sigma: float = 0.01) -> None:
        super().__init__(sparsity=sparsity, sigma=sigma)
        self.sparsity = sparsity
        self.sigma = sigma

    def _initialize(self, arr: Array) -> None:
        if arr.ndim != 2:
            raise ValueError(f"Sparse fills tensors of two dimensions, but the shape is {arr.shape}")
        rows, columns = arr.shape
        zeros = math.ceil(self.sparsity * rows)
        numbers = _normal(arr.shape) * self.sigma
        for column in range(columns):
            numbers[draw_initial(np.random.permutation, rows)[:zeros], column] = 0
        arr[...] = numbers


class Dirac(Initializer):
    """Weights of a convolution that hands as many input channels as possible through.

    Args:
        groups: a positive int, the groups of the convolution. Default: 1.

    Raises:
        ValueError: if the tensor to fill has not 3, 4 or 5 dimensions, or its first is no multiple of `groups`.

    Examples:
        >>> from mycel.common.initializer import Dirac, initializer
        >>> print(initializer(Dirac(), (1, 1, 3)))
        [[[0. 1. 0.]]]
    """

    def __init__(self, groups: int = 1) -> None:
        super().__init__(groups=groups)
        self.groups = groups

    def _initialize(self, arr: Array) -> None:
        if arr.ndim not in (3, 4, 5):
            raise ValueError(f"Dirac fills tensors of 3, 4 or 5 dimensions, but the shape is {arr.shape}")
        if arr.shape[0] % self.groups:
            raise ValueError(f"Dirac's 'groups' ({self.groups}) should divide the first dimension of {arr.shape}")
        per_group = arr.shape[0] // self.groups
        middle = tuple(size // 2 for size in arr.shape[2:])
        arr[...] = 0
        for group in range(self.groups):
            for channel in range(min(per_group, arr.shape[1])):
                place: tuple[int, ...] = (group * per_group + channel, channel, *middle)
                arr[place] = 1

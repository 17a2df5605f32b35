"""Methods of tensors with other arguments than the functions of the same names."""

from __future__ import annotations

from typing import Any

from ...frontend.values.arguments import alternative
from ...frontend.values.operands import Operand
from ...frontend.values.tensor import Tensor
from . import comparison, functions, math, random_distributions, reduce
from .documentation import common
from .table import known_as, method


@method("add")
def add_method(self: Tensor, other: Operand, *, alpha: Any = 1) -> Tensor:
    """`self + alpha * other`.

    Args:
        other: a tensor that can be broadcast with this one, or a number.
        alpha: the factor of `other`.

    Raises:
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> print(Tensor([1.0]).add(2.0))
        [3.]
    """
    return math.add_scaled(self, other, alpha=alpha)


@method("sub subtract", inplace="sub_")
def sub_method(self: Tensor, other: Operand = None, *, alpha: Any = 1, y: Operand = None) -> Tensor:
    """`self - alpha * other`.

    Args:
        other, y: a tensor that can be broadcast with this one, or a number.
        alpha: the factor of `other`.

    Raises:
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> print(Tensor([1.0]).sub(2.0))
        [-1.]
    """
    return math.sub(self, alternative(other, y, None), alpha=alpha)


@method("div")
def div_method(
    self: Tensor, other: Operand = None, *, rounding_mode: str | None = None, value: Operand = None
) -> Tensor:
    """The quotient, rounded as `ops.div` says.

    Args:
        other: a tensor that can be broadcast with this one, or a number.
        rounding_mode: None, "floor" or "trunc".
        value: another name of `other`.

    Raises:
        ValueError: if `rounding_mode` is another word.

    Examples:
        >>> print(Tensor([1.0]).div(2.0))
        [0.5]
    """
    return math.div(self, alternative(other, value, None), rounding_mode=rounding_mode)


@method("allclose", shared=common)
def allclose(self: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether all elements are close to those of another tensor: a bool (while tracing, a Bool tensor).

    Args:
        other: a tensor that can be broadcast with this one.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether nan is close to nan.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0]).allclose(Tensor([1.0])))
        True
    """
    result = reduce.all(comparison.isclose(self, other, rtol, atol, equal_nan))
    return result if result._is_traced_tensor else bool(result)


@method("isclose")
def isclose_method(
    self: Tensor, other: Tensor | None = None, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, *,
    x2: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Whether two are equal within tolerances, elementwise, as `ops.isclose`; `x2` is another name of `other`.

    Args:
        other, x2: a tensor that can be broadcast with this one.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether nan is close to nan.

    Raises:
        TypeError: if `other` is no Tensor.

    Examples:
        >>> print(Tensor([1.0]).isclose(Tensor([1.1])))
        [False]
    """
    return comparison.isclose(self, alternative(other, x2, None), rtol, atol, equal_nan)


@method("bitwise_not")
def bitwise_not(self: Tensor) -> Tensor:
    """Every bit of integers turned over; of booleans the opposite.

    Raises:
        TypeError: if the dtype is neither Bool nor an integer one.

    Examples:
        >>> print(Tensor([1, 2]).bitwise_not())
        [-2 -3]
    """
    return comparison.logical_not(self) if self.dtype.is_bool else comparison.invert(self)


@method("round")
def round_method(self: Tensor, decimals: int = 0) -> Tensor:
    """The elements rounded to `decimals` decimals, halves to the even neighbour.

    Args:
        decimals: the number of places after the point.

    Raises:
        TypeError: if `decimals` is no int.

    Examples:
        >>> print(Tensor([1.26]).round(1))
        [1.3]
    """
    return functions.round(self, decimals=decimals)


@known_as(ops=False, inplace="bernoulli_")
def bernoulli_in_place(self: Tensor, p: Any = 0.5, seed: int | None = None, *, generator: Any = None) -> Tensor:
    """1 with a probability, else 0.

    Args:
        p: the probability, a number or a tensor.
        seed: a number for draws of its own.
        generator: accepted.

    Raises:
        ValueError: if a probability is not between 0 and 1.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([5.0, 6.0]).bernoulli_(1.0))
        [1. 1.]
    """
    return random_distributions.bernoulli(self, p, seed)


@method("bernoulli")
def bernoulli_method(self: Tensor, *, generator: Any = None) -> Tensor:
    """1 with the probability that each element says, else 0.

    Args:
        generator: accepted.

    Raises:
        ValueError: if an element is not between 0 and 1.

    Examples:
        >>> print(Tensor([0.0, 1.0]).bernoulli())
        [0. 1.]
    """
    return random_distributions.bernoulli(self, self)

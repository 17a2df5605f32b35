"""Functions of `mint` that draw numbers."""

from __future__ import annotations

from typing import Any

from ...frontend.values.dispatch import Number, cast, promote
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..functions.requirements import require_no_negative
from ..functions.table import made
from .reductions import _INT64


def randint_like(input: Tensor, *bounds: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Whole numbers uniform in [low, high), `low` being 0 where only one bound is given, in a tensor's shape.

    Args:
        input: a tensor of any shape and dtype.
        bounds: the bound, or both bounds.
        dtype: the dtype of the result; None: that of the input.
        device: accepted: everything runs on the CPU.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the bounds do not fit.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.randint_like(Tensor([1, 2]), 5, 6))
        [5 5]
    """
    low, high = bounds if len(bounds) == 2 else (0, *bounds)
    return cast(ops.randint_like(input, low, high, dtype=_INT64), dtypes.as_dtype(dtype or input.dtype))


def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """1 with the probability that each element gives, else 0.

    Args:
        input: a tensor of probabilities, of any shape.
        generator: accepted.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if an element is not between 0 and 1.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.bernoulli(Tensor([0.0, 1.0])))
        [0. 1.]
    """
    return cast(ops.bernoulli(input, input), input.dtype)


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """Positions, Int64, drawn in proportion to the weights that stand there.

    Args:
        input: a floating-point tensor of one or two dimensions.
        num_samples: how many.
        replacement: whether a position may be drawn again.
        generator: accepted.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if more are drawn than there are.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.multinomial(Tensor([0.0, 1.0]), 1))
        [1]
    """
    return cast(ops.multinomial(input, num_samples, replacement), _INT64)


def _draw(name: str) -> Any:
    def draw(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
        """Numbers drawn as `ops.{name}` says.

        Args:
            size: the shape, as ints or one tuple.
            generator, device: accepted.
            dtype: a floating-point dtype; None: Float32.

        Raises:
            ValueError: if `dtype` is not floating-point, or a size is negative.

        Examples:
            >>> from mycel import mint
            >>> print(mint.{name}(2, 3).shape)
            (2, 3)
        """
        return getattr(ops, name)(*size, dtype=dtype)

    return made(draw, name)


rand, randn = _draw("rand"), _draw("randn")


def randint(*args: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """`randint(high, size)` or `randint(low, high, size)`: whole numbers, Int64.

    Args:
        args: the bound, or both bounds, and the shape.
        generator: accepted.
        dtype: an integer dtype; None: Int64.
        device: accepted: everything runs on the CPU.

    Raises:
        ValueError: if the bounds do not fit.

    Examples:
        >>> from mycel import mint
        >>> print(mint.randint(3, 4, (2,)))
        [3 3]
    """
    low, high, size = args if len(args) == 3 else (0, *args)
    return ops.randint(low, high, size, dtype=dtypes.as_dtype(dtype or _INT64))


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Normally distributed numbers of given means and deviations.

    Args:
        mean, std: tensors or numbers.
        size: the shape; None: that of the tensors.
        generator: accepted.

    Raises:
        ValueError: if the shapes do not fit, or a deviation is negative.

    Examples:
        >>> from mycel import mint
        >>> print(mint.normal(3.0, 0.0, (2,)))
        [3. 3.]
    """
    require_no_negative(std, "normal", "std")
    if size is None:
        parts = promote(*[part for part in (mean, std) if not isinstance(part, Number)])
        like = ops.add(*parts) if len(parts) == 2 else parts[0]
        size = like.shape
    return ops.add(ops.mul(ops.randn(*size), std), mean)

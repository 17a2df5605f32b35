"""Functions that draw random numbers from the generator that `set_seed` seeds: the same in eager and graph mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes, random as _random
from ...runtime.dtypes import DType
from ..docstrings import Shared
from .creation import shape_of
from .documentation import common
from .math import add, mul, sub
from .seeds import check_seed, draw, fixed, takes_seed
from .table import made

__all__ = ["manual_seed", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm", "shuffle"]

_shared = Shared(
    """
    Args:
        seed: of a generator for these draws; None: the global one.
        low: the least number.
        high: the bound, not reached.

    Raises:
        ValueError: if `dtype` is not floating-point, or a size is negative.
    """,
    common,
)


def set_seed(seed: int) -> None:
    """Seed the generator of all random functions, and NumPy's, from which initial weights are drawn, as in MindSpore.

    Raises:
        TypeError: if `seed` is no int.
        ValueError: if it is negative.

    Examples:
        >>> import mycel as ms
        >>> ms.set_seed(1)
        >>> a = ms.ops.rand(3)
        >>> ms.set_seed(1)
        >>> print((a == ms.ops.rand(3)).all())
        True
    """
    _random.set_seed(check_seed(seed, "set_seed"))


def get_seed() -> int | None:
    """The seed that `set_seed` was given last; None before.

    Examples:
        >>> import mycel as ms
        >>> ms.set_seed(3)
        >>> ms.get_seed()
        3
    """
    return _random.get_seed()


def manual_seed(seed: int) -> None:
    """As `set_seed`.

    Args:
        seed: the seed, an int.

    Raises:
        TypeError: if it is no int.
        ValueError: if it is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.manual_seed(1))
        None
    """
    set_seed(seed)


def sizes(shape: Any, function: str, name: str = "shape") -> tuple[int, ...]:
    """A shape to draw in, which has to be known before the run."""
    return tuple(item.__index__() for item in shape_of(shape, function, name))


def _given(size: tuple[Any, ...], function: str) -> tuple[int, ...]:
    """The shape of `f(2, 3)` and `f((2, 3))`; of `f()` a vector of one, as MindSpore has it."""
    if not size:
        return (1,)
    return sizes(size[0] if len(size) == 1 else size, function, "size")


def _with_dtype(size: tuple[Any, ...], dtype: Any) -> tuple[tuple[Any, ...], Any]:
    """The sizes and the dtype of `f((2, 3), dtype)`."""
    if len(size) > 1 and isinstance(size[-1], DType):
        return size[:-1], size[-1]
    return size, dtype


def like_shape(input: Tensor, function: str) -> tuple[int, ...]:
    return sizes(need_tensor(input, function).shape, function, "input")


def _float_dtype(dtype: Any, function: str) -> DType:
    result = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
    if not result.is_float:
        raise ValueError(f"{function}: 'dtype' should be a floating-point one, but got {result}")
    return result


def uniform_of(shape: tuple[int, ...], dtype: DType) -> Tensor:
    return draw(prims.random_uniform, shape=shape, dtype=dtype, low=0.0, high=1.0)


def uniform_like(x: Tensor, low: Any, high: Any) -> Tensor:
    """Numbers uniform in [low, high), in the shape and dtype of x. Raises TypeError if `low` is the larger number."""
    if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
        raise TypeError(f"uniform: 'from_' should be no larger than 'to', but got {low} and {high}")
    shape = x._type.static_shape
    if x.dtype.is_float and isinstance(low, int | float) and isinstance(high, int | float):
        return apply(prims.random_uniform, shape=shape, dtype=x.dtype, low=float(low), high=float(high))
    unit = apply(prims.random_uniform, shape=shape, dtype=dtypes.float32, low=0.0, high=1.0)
    return cast(add(mul(unit, sub(high, low)), low), x.dtype)


def normal_of(shape: tuple[int, ...], dtype: DType) -> Tensor:
    return draw(prims.random_normal, shape=shape, dtype=dtype, mean=0.0, std=1.0)


@takes_seed
def rand(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers uniform in [0, 1).

    Args:
        size: the shape, as ints or one tuple; nothing gives a vector of one.
        dtype: a floating-point dtype; None: Float32.
        seed: of a generator for these draws; None: the global one. `mycel.set_seed` begins both anew.

    Raises:
        ValueError: if `dtype` is not floating-point, or a size is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.rand(2, 3).shape)
        (2, 3)
    """
    size, dtype = _with_dtype(size, dtype)
    return uniform_of(_given(size, "rand"), _float_dtype(dtype, "rand"))


@takes_seed
def randn(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers of the standard normal distribution; arguments and errors as for `rand`.

    Args:
        size: the shape, as ints or one tuple; nothing gives a vector of one.
        dtype: a floating-point dtype; None: Float32.
        seed: of a generator for these draws; None: the global one.

    Raises:
        ValueError: if `dtype` is not floating-point, or a size is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.randn((2, 3)).shape)
        (2, 3)
    """
    size, dtype = _with_dtype(size, dtype)
    return normal_of(_given(size, "randn"), _float_dtype(dtype, "randn"))


def _like_drawn(name: str, draw_of: Callable[..., Tensor], words: str) -> Callable[..., Tensor]:
    """`rand_like` and `randn_like`."""

    def run(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
        """Numbers {words}, in the shape, and without `dtype` the dtype, of a tensor.

        Raises:
            ValueError: if the dtype is not floating-point.

        Examples:
            >>> print(ops.{name}(Tensor([1.0, 2.0])).shape)
            (2,)
        """
        return draw_of(like_shape(input, name), _float_dtype(dtype or input.dtype, name))

    return _shared(takes_seed(made(run, name, words=words)))


rand_like = _like_drawn("rand_like", uniform_of, "uniform in [0, 1)")
randn_like = _like_drawn("randn_like", normal_of, "of the standard normal distribution")


@_shared
@takes_seed
def randint(low: Any, high: Any, size: Any, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Whole numbers uniform in [low, high).

    Args:
        size: the shape.
        seed: of a generator for these draws; None: the global one. `mycel.set_seed` begins both anew.
        dtype: an integer dtype; None: Int64.

    Raises:
        TypeError: if a bound is no int.
        ValueError: if `low` is not below `high`, or `dtype` is no integer one.

    Examples:
        >>> from mycel import ops
        >>> print(ops.randint(3, 4, (2,)))
        [3 3]
    """
    wanted = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    return _integers(low, high, sizes(size, "randint", "size"), wanted, "randint")


def _integers(low: Any, high: Any, shape: tuple[int, ...], dtype: DType, function: str) -> Tensor:
    if not dtype.is_integer:
        raise ValueError(f"{function}: 'dtype' should be an integer one, but got {dtype}")
    for name, bound in (("low", low), ("high", high)):
        if isinstance(bound, (bool, float)) or not hasattr(bound, "__index__"):
            raise TypeError(f"{function}: '{name}' should be an int, but got {type(bound).__name__}")
    first, last = low.__index__(), high.__index__()
    if first >= last:
        raise ValueError(f"{function}: 'low' should be below 'high', but got {first} and {last}")
    return draw(prims.random_integers, shape=shape, dtype=dtype, low=first, high=last)


@_shared
@takes_seed
def randint_like(input: Tensor, low: Any, high: Any, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Whole numbers uniform in [low, high), in the shape, and without `dtype` the dtype, of a tensor.

    Raises:
        ValueError: if `low` is not below `high`, or the dtype is no integer one.

    Examples:
        >>> print(ops.randint_like(Tensor([1, 2]), 5, 6))
        [5 5]
    """
    wanted = need_tensor(input, "randint_like").dtype if dtype is None else dtypes.as_dtype(dtype)
    return _integers(low, high, like_shape(input, "randint_like"), wanted, "randint_like")


def randperm(n: Any, seed: int = 0, offset: int = 0, dtype: Any = dtypes.int64) -> Tensor:
    """The numbers from 0 to n - 1 in random order.

    Args:
        n: how many.
        seed, offset: where these are not both 0, the order is always the same for them.
        dtype: the dtype.

    Raises:
        TypeError: if n, the seed or the offset is no int.
        ValueError: if one is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.randperm(4).sum())
        6
    """
    count, seed = sizes(n, "randperm", "n")[0], check_seed(seed, "randperm")
    offset = check_seed(offset, "randperm", "offset")
    return cast(
        draw(prims.random_permutation, count=count, dtype=dtypes.int64, **fixed(seed, offset)), dtypes.as_dtype(dtype)
    )


@takes_seed
def shuffle(x: Tensor, seed: int | None = None) -> Tensor:
    """The rows of a tensor in random order.

    Args:
        x: a tensor of at least one dimension, of any dtype.
        seed: of a generator for these draws; None: the global one.

    Raises:
        ValueError: if there is no dimension.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.shuffle(Tensor([1, 2, 3])).sum())
        6
    """
    x = need_tensor(x, "shuffle", "x")
    from .array_gather import gather  # late: `import mycel` needs it not

    return gather(x, randperm(x.shape[0]), 0)

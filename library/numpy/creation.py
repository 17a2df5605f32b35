"""`mycel.numpy`: tensors made of numbers, ranges, grids and windows; grids and indices of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_flags
from ...frontend.values.dispatch import cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared, like
from ..functions.table import made
from .documentation import common
from .elementwise import array, in_dtype, kind_of, tensor_of

_shared = Shared(
    """
    Args:
        start: the first number.
        stop: the last number.
        num: how many.
        endpoint: whether the last number takes part.
        fill_value: the value.
        N: the number of rows.
        M: the number of columns; None: as many as rows.

    Raises:
        TypeError: if an argument is of another kind.
    """,
    common,
)


@_shared
def asarray(a: Any, dtype: Any = None) -> Tensor:
    """A tensor of numbers or nested sequences; a tensor itself.

    Raises:
        TypeError: if `a` holds no numbers.

    Examples:
        >>> print(mnp.asarray([1, 2]))
        [1 2]
    """
    return array(a, dtype, copy=False)


@common
def asfarray(a: Any, dtype: Any = dtypes.float32) -> Tensor:
    """A floating-point tensor of numbers or nested sequences.

    Args:
        dtype: a floating-point dtype; others are Float32.

    Examples:
        >>> print(mnp.asfarray([1, 2]))
        [1. 2.]
    """
    kind = kind_of(dtype)
    return array(a, kind if kind.is_float else dtypes.float32)


@_shared
def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Tensor:
    """start, start + step, … below stop; of ints Int32, of floats Float32.

    Args:
        start: the first number; alone, the bound.
        stop: the bound, not reached.
        step: the distance; None: 1.

    Examples:
        >>> print(mnp.arange(3))
        [0 1 2]
    """
    first, last = (0, start) if stop is None else (start, stop)
    by = 1 if step is None else step
    result = ops.arange(first, last, by)
    return in_dtype(result, dtype or (dtypes.int32 if result.dtype is dtypes.int64 else None))


def _shape(shape: Any) -> Any:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _filled(name: str, number: int) -> Callable[..., Tensor]:
    """`zeros` and `ones`."""

    def run(shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        """A tensor of {name}.

        Examples:
            >>> print(mnp.{name}((2,)))
            [{number}. {number}.]
        """
        return getattr(ops, name)(_shape(shape), kind_of(dtype))

    return _shared(made(run, name, number=number))


zeros, ones = _filled("zeros", 0), _filled("ones", 1)


@_shared
def empty(shape: Any, dtype: Any = dtypes.float32) -> Tensor:
    """A tensor of zeros (numbers are never left uninitialised).

    Examples:
        >>> print(mnp.empty((2,)))
        [0. 0.]
    """
    return zeros(shape, dtype or dtypes.float32)


@_shared
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """A tensor of one value (or of values broadcast).

    Examples:
        >>> print(mnp.full((2,), 7))
        [7 7]
    """
    value = in_dtype(tensor_of(fill_value), dtype and kind_of(dtype))
    return ops.broadcast_to(value, _shape(shape))


def _like(fill: Any) -> Any:
    def like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
        """The same as `{base}`, with the shape and dtype of a tensor unless others are given.

        Args:
            a: a tensor or nested sequence of numbers, of any shape.
            dtype: another dtype; None: that of `a`.
            shape: another shape; None: that of `a`.

        Raises:
            TypeError: if `a` holds no numbers.

        Examples:
            >>> import mycel.numpy as mnp
            >>> print(mnp.{name}([1, 2]))
            {result}
        """
        source = tensor_of(a)
        return fill(source.shape if shape is None else shape, dtype or source.dtype)

    result = "[1 1]" if fill is ones else "[0 0]"
    return made(like, f"{fill.__name__}_like", base=fill.__name__, result=result)


zeros_like = _like(zeros)


ones_like = _like(ones)


empty_like = _like(empty)


@_shared
def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """A tensor of one value, with the shape and dtype of `a` unless others are given.

    Args:
        shape: another shape; None: that of `a`.

    Raises:
        TypeError: if `a` holds no numbers.

    Examples:
        >>> print(mnp.full_like([1, 2], 7))
        [7 7]
    """
    source = tensor_of(a)
    return full(source.shape if shape is None else shape, fill_value, dtype or source.dtype)


def _diagonal(name: str, words: str, printed: str) -> Callable[..., Tensor]:
    """`eye` and `tri`."""

    def run(N: int, M: int | None = None, k: int = 0, dtype: Any = dtypes.float32) -> Tensor:
        """A matrix of {words}.

        Examples:
            >>> print(mnp.{name}(2))
            {printed}
        """
        return Tensor(getattr(np, name)(N, M, k), kind_of(dtype))

    return _shared(made(run, name, words=words, printed=printed))


eye = _diagonal("eye", "zeros with ones on the k-th diagonal", "[[1. 0.]\n     [0. 1.]]")
tri = _diagonal("tri", "ones up to the k-th diagonal, zeros above", "[[1. 0.]\n     [1. 1.]]")


@_shared
def identity(n: int, dtype: Any = dtypes.float32) -> Tensor:
    """The identity matrix.

    Args:
        n: the size.

    Examples:
        >>> print(mnp.identity(2))
        [[1. 0.]
         [0. 1.]]
    """
    return eye(n, dtype=dtype)


@_shared
def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0
) -> Any:
    """`num` numbers at equal distances from `start` to `stop`; with `retstep` the distance too.

    Args:
        retstep: whether to give the distance, too.

    Examples:
        >>> print(mnp.linspace(0, 1, 3))
        [0.  0.5 1. ]
    """
    if num < 0:
        raise ValueError(f"linspace: 'num' should not be negative, but got {num}")
    first, last = tensor_of(start), tensor_of(stop)
    need_flags("linspace", endpoint=endpoint)
    pieces = max(num - 1 if endpoint else num, 1)
    first, last = (cast(item, dtypes.float32) if not item.dtype.is_float else item for item in (first, last))
    step = ops.div(ops.sub(last, first), float(pieces))
    steps = Tensor(np.arange(num), dtypes.float32)
    steps = ops.reshape(steps, (num, *(1,) * step.ndim))
    values = ops.add(ops.mul(steps, step), first)
    values = in_dtype(ops.moveaxis(values, 0, axis) if axis else values, dtype and kind_of(dtype))
    return (values, step) if retstep else values


@_shared
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: Any = None, axis: int = 0
) -> Tensor:
    """`base` to the powers of `linspace`.

    Args:
        base: the base.

    Examples:
        >>> print(mnp.logspace(0, 2, 3))
        [  1.  10. 100.]
    """
    return in_dtype(ops.pow(base, linspace(start, stop, num, endpoint, False, None, axis)), dtype and kind_of(dtype))


@_shared
def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Tensor:
    """`num` numbers with equal ratios from `start` to `stop`.

    Examples:
        >>> print(mnp.geomspace(1.0, 8.0, 4))
        [1. 2. 4. 8.]
    """
    low, high = (ops.log(cast(tensor_of(item), dtypes.float32)) for item in (start, stop))
    return in_dtype(ops.exp(linspace(low, high, num, endpoint, False, None, axis)), dtype and kind_of(dtype))


def _window(name: str) -> Any:
    def window(M: int) -> Tensor:
        """The {title} window.

        Args:
            M: the number of points.

        Raises:
            TypeError: if it is no number.

        Examples:
            >>> import mycel.numpy as mnp
            >>> print(mnp.{name}(3).shape)
            (3,)
        """
        return Tensor(getattr(np, name)(M), dtypes.float32)

    return made(window, name, title=name.capitalize())


hamming, hanning, blackman, bartlett = map(_window, ("hamming", "hanning", "blackman", "bartlett"))


@common
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """The matrix whose columns are the powers of a vector.

    Args:
        x: a vector.
        N: how many columns; None: as many as there are elements.
        increasing: whether the powers increase.

    Examples:
        >>> print(mnp.vander([1.0, 2.0], 2))
        [[1. 1.]
         [2. 1.]]
    """
    vector = tensor_of(x)
    table = cast(ops.vander(vector, N), vector.dtype)
    return ops.flip(table, 1) if increasing else table


def meshgrid(*xi: Any, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """Coordinate tensors of a grid; with `sparse` not spread over the other dimensions.

    Args:
        xi: vectors.
        sparse: whether the coordinates are not spread over the other dimensions.
        indexing: "xy" or "ij".

    Raises:
        TypeError: if `xi` or `sparse` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.meshgrid([1, 2], [3])[0])
        [[1 2]]
    """
    vectors = [ops.ravel(tensor_of(item)) for item in xi]
    if not sparse:
        return list(ops.meshgrid(*vectors, indexing=indexing))
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        order[:2] = [1, 0]
    return [
        ops.reshape(vector, tuple(-1 if place == order.index(at) else 1 for place in range(len(vectors))))
        for at, vector in enumerate(vectors)
    ]


@common
def indices(dimensions: Any, dtype: Any = dtypes.int32, sparse: bool = False) -> Any:
    """The positions along each dimension of a grid.

    Args:
        dimensions: the shape of the grid, a tuple of ints.
        sparse: whether the positions are not spread over the other dimensions.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> print(mnp.indices((1, 2))[1])
        [[0 1]]
    """
    lines = [in_dtype(Tensor(np.arange(size)), dtype or dtypes.int32) for size in dimensions]
    return meshgrid(*lines, sparse=sparse, indexing="ij")


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Vectors shaped so that they select the grid of their positions.

    Args:
        args: vectors.

    Raises:
        TypeError: if `args` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.ix_([0, 1], [2])[0].shape)
        (2, 1)
    """
    count = len(args)
    return tuple(
        ops.reshape(tensor_of(item), tuple(-1 if place == at else 1 for place in range(count)))
        for at, item in enumerate(args)
    )


@common
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and the columns of the lower triangle of a matrix.

    Args:
        n: the number of rows.
        m: the number of columns; None: as many as rows.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> print(*mnp.tril_indices(2))
        [0 1 1] [0 0 1]
    """
    return tuple(Tensor(item, dtypes.int32) for item in np.tril_indices(n, k, m))


@common
@like(tril_indices)
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and the columns of the upper triangle of a matrix.

    Examples:
        >>> print(*mnp.triu_indices(2))
        [0 0 1] [0 1 1]
    """
    return tuple(Tensor(item, dtypes.int32) for item in np.triu_indices(n, k, m))

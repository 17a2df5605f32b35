"""Functions of `mycel.numpy` on grids, sets, histograms of several dimensions and pieces."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.arguments import one_axis
from ...frontend.values.dispatch import cast, common_dtype
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared
from ..functions.table import made
from .documentation import common
from .elementwise import operand, tensor_of
from .mathematics import histogram_bin_edges
from .products import _joined

_shared = Shared(
    """
    Args:
        arr: a matrix.
        ar1: a tensor or sequence.
        ar2: a tensor or sequence.
        assume_unique: accepted.

    Raises:
        TypeError: if `ar1` or `ar2` holds no numbers.
    """,
    common,
)


def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the diagonal of an array of `ndim` dimensions of size n.

    Args:
        n: the size.
        ndim: the number of dimensions.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(*mnp.diag_indices(2))
        [0 1] [0 1]
    """
    return tuple(Tensor(item, dtypes.int32) for item in np.diag_indices(n, ndim))


def _indices_from(name: str, indices: Any, side: str, printed: str) -> Callable[..., tuple[Tensor, ...]]:
    """`tril_indices_from` and `triu_indices_from`."""

    def run(arr: Any, k: int = 0) -> tuple[Tensor, ...]:
        """The rows and the columns of the {side} triangle of a matrix such as this one.

        Examples:
            >>> print(*mnp.{name}([[1, 2], [3, 4]]))
            {printed}
        """
        return _triangle(arr, k, indices, name)

    return _shared(made(run, name, side=side, printed=printed))


tril_indices_from = _indices_from("tril_indices_from", np.tril_indices, "lower", "[0 1 1] [0 0 1]")
triu_indices_from = _indices_from("triu_indices_from", np.triu_indices, "upper", "[0 0 1] [0 1 1]")


def _triangle(arr: Any, k: int, places: Any, function: str) -> tuple[Tensor, ...]:
    shape = tensor_of(arr).shape
    if len(shape) != 2:
        raise ValueError(f"{function}: a matrix is expected, but got shape {shape}")
    return tuple(Tensor(item, dtypes.int32) for item in places(int(shape[0]), k, int(shape[1])))


class _Grid:
    """The class of `mgrid` and `ogrid`: indexed by slices they give the coordinates of a grid."""

    def __init__(self, sparse: bool) -> None:
        self._grid: Any = np.ogrid if sparse else np.mgrid

    def __getitem__(self, key: Any) -> Any:
        found = self._grid[key]
        if isinstance(found, (list, tuple)):
            return list(map(_grid_tensor, found))
        return _grid_tensor(found)


def _grid_tensor(numbers: Any) -> Tensor:
    return Tensor(numbers, dtypes.int32 if np.asarray(numbers).dtype.kind == "i" else dtypes.float32)


mgrid = _Grid(False)
ogrid = _Grid(True)


def _set(values: Any) -> Tensor:
    return ops.ravel(tensor_of(values))


def _distinct(values: Tensor, assume_unique: bool) -> Tensor:
    return values if assume_unique else ops.sort(ops.unique(values)[0])[0]


@_shared
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    """The elements of the first array that the second does not hold, each once.

    Examples:
        >>> print(mnp.setdiff1d([1, 2], [2, 3]))
        [1]
    """
    x, y = _distinct(_set(ar1), assume_unique), _set(ar2)
    held = ops.any(ops.equal(ops.expand_dims(x, 1), y), 1)
    return ops.masked_select(x, ops.logical_not(held))


@_shared
def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The elements that both arrays hold, in order, each once; optionally the places where they come first.

    Args:
        return_indices: whether to give the positions, too.

    Examples:
        >>> print(mnp.intersect1d([1, 2, 3], [2, 3, 4]))
        [2 3]
    """
    first, second = map(ops.ravel, _joined(ar1, ar2))
    x = ops.sort(_distinct(first, assume_unique))[0]
    both = ops.masked_select(x, ops.any(ops.equal(ops.expand_dims(x, 1), second), 1))
    if not return_indices:
        return both
    places = [ops.argmax(cast(ops.equal(ops.expand_dims(both, 1), each), dtypes.int32), 1) for each in (first, second)]
    return both, *[cast(place, dtypes.int32) for place in places]


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> tuple[Any, ...]:
    """How many points, the rows of `sample` (or a list of coordinates), lie in each box, and the boxes' bounds.

    Args:
        sample: points, of shape (points, dimensions), or a list of coordinates.
        bins: how many intervals along each axis, or their bounds; one for all axes, or a list.
        range: the outer bounds along each axis; None: the smallest and the largest coordinate.
        weights: what each point counts.
        density: whether to divide by the total and the volumes of the boxes.

    Returns:
        The counts, and a list of the bounds along each axis, Float32.

    Raises:
        TypeError: if `sample` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.histogramdd([[0.0], [1.0]], 2)[0])
        [[0. 0.]
         [0. 1.]]
    """
    if isinstance(sample, (list, tuple)):
        columns = [ops.ravel(cast(tensor_of(item), dtypes.float32)) for item in sample]
    else:
        points = cast(tensor_of(sample), dtypes.float32)
        columns = [points[:, place] for place in np.arange(int(points.shape[1])).tolist()]
    rank = len(columns)
    each = list(bins) if isinstance(bins, (list, tuple)) and len(bins) == rank else [bins] * rank
    outer = [None] * rank if range is None else list(range)
    edges = [histogram_bin_edges(*given) for given in zip(columns, each, outer, strict=True)]
    total: Any = None
    for place, (column, bounds) in enumerate(zip(columns, edges, strict=True)):
        count = int(bounds.shape[0]) - 1
        x = ops.expand_dims(column, 1)
        inside = ops.logical_and(ops.greater_equal(x, bounds[:-1]), ops.less(x, bounds[1:]))
        last = ops.logical_and(ops.equal(x, bounds[-1]), Tensor(np.arange(count) == count - 1))
        member = cast(ops.logical_or(inside, last), dtypes.float32)
        member = ops.reshape(member, (-1, *[1] * place, count, *[1] * (rank - place - 1)))
        total = member if total is None else total * member
    if weights is not None:
        total = total * ops.reshape(cast(tensor_of(weights), dtypes.float32), (-1, *[1] * rank))
    counts = ops.sum(total, 0)
    if density:
        counts = counts / ops.sum(counts)
        for place, bounds in enumerate(edges):
            widths = cast(bounds[1:] - bounds[:-1], dtypes.float32)
            counts = counts / ops.reshape(widths, (-1, *[1] * (rank - place - 1)))
    return counts, edges


@_shared
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> tuple[Any, ...]:
    """How many points of these coordinates lie in each rectangle, and the bounds along both axes; see `histogramdd`.

    Args:
        y: a tensor or nested sequence of numbers, of any shape.
        bins: how many intervals, or their bounds.
        range: the lowest and the highest bound; None: those of the elements.
        density: whether to give densities, not counts.

    Raises:
        TypeError: if `x` or `y` holds no numbers.

    Examples:
        >>> print(mnp.histogram2d([0.0, 1.0], [0.0, 1.0], 2)[0])
        [[1. 0.]
         [0. 1.]]
    """
    counts, edges = histogramdd((x, y), bins, range, weights, density)
    return counts, *edges


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """At each place the value of the function (or the number) for the last condition that holds; 0 if none does.

    Args:
        x: the places.
        condlist: the conditions.
        funclist: as many functions or numbers, or one more for where no condition holds.
        args, kw: further arguments of the functions.

    Raises:
        ValueError: if the numbers of conditions and functions do not fit.

    Examples:
        >>> import mycel.numpy as mnp
        >>> from mycel import Tensor
        >>> print(mnp.piecewise(Tensor([-1.0, 2.0]), [Tensor([True, False])], [0.0]))
        [0. 0.]
    """
    values = tensor_of(x)
    single = isinstance(condlist, (bool, Tensor)) and operand(condlist) is condlist
    conditions = [tensor_of(item) for item in ([condlist] if single else condlist)]
    functions = list(funclist)
    if len(functions) not in (len(conditions), len(conditions) + 1):
        raise ValueError(f"piecewise: {len(conditions)} conditions, but {len(functions)} functions")

    made = [
        function(values, *args, **kw) if callable(function) else tensor_of(operand(function)) for function in functions
    ]
    dtype = common_dtype(*made)
    pieces = [cast(item, dtype) for item in made]
    result = ops.zeros_like(values, dtype=dtype)
    if len(pieces) > len(conditions):
        result = result + pieces[-1]
    for condition, values_there in zip(conditions, pieces, strict=False):
        result = ops.where(condition, values_there, result)
    return result


def unwrap(p: Any, discont: float = math.pi, axis: int = -1) -> Tensor:
    """Angles without jumps: where two neighbours differ by more than `discont`, whole turns are added.

    Args:
        p: angles in radians.
        discont: the largest difference that is no jump.
        axis: the axis; a negative one counts from the end.

    Raises:
        TypeError: if `p` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.unwrap([0.0, 6.2]))
        [ 0.        -0.0831852]
    """
    angles = tensor_of(p)
    if not angles.dtype.is_float:
        angles = cast(angles, dtypes.float32)
    place = one_axis(axis, angles.ndim, "unwrap")
    steps = ops.diff(angles, axis=place)
    wrapped = ops.remainder(steps + math.pi, 2 * math.pi) - math.pi
    wrapped = ops.where(ops.logical_and(ops.equal(wrapped, -math.pi), ops.greater(steps, 0.0)), math.pi, wrapped)
    turns = ops.where(ops.less(ops.abs(steps), discont), 0.0, wrapped - steps)
    shape = tuple(1 if each == place else int(size) for each, size in enumerate(angles.shape))
    return angles + ops.concat((ops.zeros(shape, angles.dtype), ops.cumsum(turns, place)), place)

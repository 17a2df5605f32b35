"""Primitives that MindSpore has beside functions of the same meaning: counts, windows, statistics,
factorizations in packed form (LU with pivots, QR with Householder's vectors), and the like."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....compiler import ops as prims
from .....frontend.values.arguments import cut
from .....frontend.values.dispatch import apply, cast
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from ....functions.array_shape import swapaxes
from ....functions.linalg import matmul
from ..primitive import Row, function_named as f, make_classes, takes, tensor


def _order(data: Tensor, pivots: Any) -> Tensor:
    """The matrices that bring rows into the order of the factors."""
    rows = int(data.shape[-2])
    order = apply(prims.pivot_order, pivots, count=rows)
    one, zero = Tensor(1, data.dtype), Tensor(0, data.dtype)
    result: Tensor = apply(prims.one_hot, order, one, zero, depth=rows, axis=order.ndim)
    return result


def _unpacked(self: Any, data: Any, pivots: Any) -> tuple[Tensor, Tensor, Tensor]:
    """From a packed LU factorisation the row order (a matrix), the lower and the upper factor."""
    rows, columns = map(int, data.shape[-2:])
    least = min(rows, columns)
    below = apply(prims.tril, cut(data, data.ndim - 1, 0, least), k=-1)
    lower = apply(prims.add, below, Tensor(np.eye(rows, least), data.dtype))
    upper = apply(prims.triu, cut(data, data.ndim - 2, 0, least), k=0)
    return swapaxes(_order(data, pivots), -1, -2), lower, upper


def _lu_solution(self: Any, b: Any, data: Any, pivots: Any) -> Tensor:
    """The solution of equations whose matrix is given as a packed LU factorisation."""
    data, (rows, columns) = cast(data, b.dtype), map(int, data.shape[-2:])
    if pivots.ndim == 1 and b.shape[-2:-1] == (rows,):
        b = apply(prims.take, b, apply(prims.pivot_order, pivots, count=rows), axis=b.ndim - 2)
    else:
        b = matmul(_order(data, pivots), b)
    lower = apply(prims.select, Tensor(np.eye(rows, columns, dtype=bool)), Tensor(1, data.dtype), data)
    first = apply(prims.solve_triangle, lower, b, lower=True, transposed=False)
    result: Tensor = apply(prims.solve_triangle, data, first, lower=False, transposed=False)
    return result


def _geqrf(self: Any, x: Any) -> tuple[Tensor, Tensor]:
    packed, factors = apply(prims.geqrf, x)
    return packed, factors


def _orgqr(self: Any, x: Any, tau: Any) -> Tensor:
    result: Tensor = apply(prims.householder_product, x, tau, columns=int(x.shape[-1]))
    return result


def _ormqr(self: Any, x: Any, tau: Any, other: Any) -> Tensor:
    turn = apply(prims.householder_product, x, tau, columns=int(x.shape[-2]))
    if self.transpose:
        turn = swapaxes(apply(prims.conj, turn) if turn.dtype.is_complex else turn, -1, -2)
    return matmul(turn, other) if self.left else matmul(other, turn)


def _square_sum_all(self: Any, x: Any, y: Any) -> tuple[Tensor, Tensor]:
    return f("sum")(f("square")(x)), f("sum")(f("square")(y))


def _reduce_std(self: Any, x: Any) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean."""
    axis = self.axis if isinstance(self.axis, int) else tuple(self.axis) or tuple(range(x.ndim))
    mean = f("mean")(x, axis, True)
    total = f("sum")(f("square")(f("sub")(x, mean)), axis, keepdim=self.keep_dims)
    count = x.size // max(mean.size, 1) - (1 if self.unbiased else 0)
    return f("sqrt")(total / float(count)), f("mean")(x, axis, self.keep_dims)


def _bincount(self: Any, array: Any, size: Any, weights: Any) -> Tensor:
    """The sums of the weights of each number below `size`; larger numbers do not count."""
    length = int(size)
    member = cast(f("equal")(f("expand_dims")(array, 1), f("arange")(length)), weights.dtype)
    return f("sum")(member * f("expand_dims")(weights, 1), 0)


def _complex_abs(self: Any, x: Any) -> Tensor:
    if not x.dtype.is_complex:
        raise TypeError(f"ComplexAbs: complex numbers are expected, but got {x.dtype}")
    return f("abs")(x)


def _population_count(self: Any, x: Any) -> Tensor:
    """How many bits of each integer are set, UInt8."""
    if not x.dtype.is_integer:
        raise TypeError(f"PopulationCount: integers are expected, but got {x.dtype}")
    total: Any = 0
    for bit in range(x.dtype.bits):
        total = total + f("bitwise_and")(f("bitwise_right_shift")(x, bit), 1)
    return cast(total, dtypes.uint8)


def _histogram_fixed(self: Any, x: Any, bounds: Any) -> Tensor:
    """How many elements lie in each of `nbins` intervals; those beyond the bounds count in the outer ones."""
    low, high = bounds[0], bounds[1]
    place = f("floor")((x - low) / (high - low) * float(self.nbins))
    places = cast(f("clip_by_value")(f("ravel")(place), 0.0, float(self.nbins - 1)), dtypes.int32)
    return f("sum")(cast(f("equal")(f("expand_dims")(places, 1), f("arange")(self.nbins)), dtypes.int32), 0)


def _window(name: str, *extra: str) -> Any:
    def run(self: Any, length: Any) -> Tensor:
        given = {key: getattr(self, key) for key in extra}
        count = int(length.asnumpy().item()) if isinstance(length, Tensor) else int(length)
        return cast(f(name)(count, self.periodic, **given), self.dtype)

    return run


def _unravel_index(self: Any, indices: Any, dims: Any) -> Tensor:
    """The coordinates of places in an array of these dimensions: a row for each dimension."""
    sizes = [int(size) for size in (dims.tolist() if isinstance(dims, Tensor) else dims)]
    rest, found = indices, []
    for size in reversed(sizes):
        found.append(f("floor_mod")(rest, size))
        rest = f("floor_div")(rest, size)
    return f("stack")(found[::-1])


def _random_categorical(self: Any, logits: Any, num_sample: Any, seed: Any = 0) -> Tensor:
    count = int(num_sample)
    return f("random_categorical")(logits, count, seed=int(seed) or None, dtype=self.dtype)


def _quantile(self: Any, x: Any, q: Any) -> Tensor:
    function = f("nanquantile" if self.ignore_nan else "quantile")
    return function(x, q, self.dim, self.keep_dims)


def _cauchy(self: Any) -> Tensor:
    """Numbers of a Cauchy distribution."""
    unit = apply(prims.random_uniform, shape=tuple(self.size), dtype=dtypes.float32, low=0.0, high=1.0)
    return self.median + self.sigma * f("tan")(np.pi * (unit - 0.5))


def _clip_by_norm(self: Any, x: Any, clip_norm: Any) -> Tensor:
    """x scaled down to a norm where its own is larger, Float32."""
    wide = cast(x, dtypes.float32)
    axes = None if self.axis is None else self.axis if isinstance(self.axis, int) else tuple(self.axis)
    norm = f("sqrt")(f("sum")(f("square")(wide), axes, keepdim=True))
    return wide * clip_norm / f("maximum")(norm, clip_norm)


def _accidental_hits(self: Any, true_classes: Any, sampled_candidates: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Which samples are true classes: the rows, the places of the samples, and the lowest Float32 for each."""
    true, sampled = true_classes.asnumpy(), sampled_candidates.asnumpy()
    if true.ndim != 2 or true.shape[1] != self.num_true:
        raise ValueError(
            f"ComputeAccidentalHits: 'true_classes' should have {self.num_true} columns, but its shape is {true.shape}"
        )
    rows, _, places = np.nonzero(true[:, :, None] == sampled)
    weights = np.full(len(rows), -np.finfo(np.float32).max, np.float32)
    return Tensor(rows, true_classes.dtype), Tensor(places, true_classes.dtype), Tensor(weights)


_DTYPE = {"dtype": dtypes.float32}
TABLE: dict[str, Row] = {
    "ClipByNorm": (_clip_by_norm, {"axis": None}),
    "ComputeAccidentalHits": (_accidental_hits, {"num_true": 1}),
    "Trace": "trace",
    "Polygamma": "polygamma",
    "Bincount": (_bincount, {}),
    "ComplexAbs": (_complex_abs, {}),
    "SquaredDifference": (tensor(lambda self, x, y: f("square")(f("sub")(x, y))), {}),
    "SquareSumAll": (_square_sum_all, {}),
    "ReduceStd": (_reduce_std, {"axis": (), "unbiased": True, "keep_dims": False}),
    "IdentityN": (lambda self, values: tuple(values), {}),
    "Mvlgamma": ("mvlgamma", takes("p")),
    "PopulationCount": (_population_count, {}),
    "Histogram": (
        tensor(lambda self, x: cast(f("histc")(x, self.bins, self.min, self.max), x.dtype)),
        {"bins": 100, "min": 0.0, "max": 0.0},
    ),
    "HistogramFixedWidth": (_histogram_fixed, takes("nbins", dtype="int32")),
    "BartlettWindow": (_window("bartlett_window"), {"periodic": True, **_DTYPE}),
    "BlackmanWindow": (_window("blackman_window"), {"periodic": True, **_DTYPE}),
    "HammingWindow": (
        _window("hamming_window", "alpha", "beta"),
        {"periodic": True, "alpha": 0.54, "beta": 0.46, **_DTYPE},
    ),
    "UnravelIndex": (_unravel_index, {}),
    "RandomCategorical": (_random_categorical, {"dtype": dtypes.int64}),
    "InplaceUpdateV2": (tensor(lambda self, x, indices, v: f("inplace_update")(x, v, indices)), {}),
    "Quantile": (_quantile, {"dim": None, "keep_dims": False, "ignore_nan": False}),
    "Cauchy": (_cauchy, takes("size", median=0.0, sigma=1.0)),
    "LuUnpack": (_unpacked, {"unpack_data": True, "unpack_pivots": True}),
    "LuSolve": (_lu_solution, {}),
    "Geqrf": (_geqrf, {}),
    "Orgqr": (_orgqr, {}),
    "Ormqr": (_ormqr, {"left": True, "transpose": False}),
}
CLASSES = make_classes(TABLE, globals())

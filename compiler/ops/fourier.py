"""Discrete Fourier transforms: of complex numbers, of real ones, and from half a spectrum to real ones.

Transforms of lengths with large prime factors are convolutions with a chirp (Bluestein's algorithm).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...runtime.kernels import fourier as kernels
from ...runtime.machine.array_functions import compile_fourier, fourier_sizes
from ...runtime.machine.fourier_sizes import COMPLEX, FROM_HALF, TO_HALF, roots
from ..ir.attributes import FLAG, FLOAT, INT, INTS
from ..ir.code import Attempt, Code, MadeFunction
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.types import TensorType
from .arithmetic import multiply
from .batching import shifted
from .conversion import complex_dtype, real_dtype
from .creation import constant
from .joining import concatenate
from .linalg import matmul
from .parts import Parts, of_product
from .samples import pair
from .shape import inverse_permutation, reshape, transpose
from .slicing import pad, reverse, slice_axis

Array = np.ndarray
SCALE = replace(FLOAT, required=False)
HALF = {"axis": INT, "inverse": FLAG, "scale": FLOAT, "ends": FLOAT}


def _check(what: str, x: TensorType, *axes: int) -> None:
    if any(not 0 <= axis < x.rank for axis in axes):
        raise ValueError(f"{what}: axes should be in [0, {x.rank}), but got {axes}")


def _check_complex(what: str, x: TensorType) -> None:
    if not x.dtype.is_complex:
        raise TypeError(f"{what}: complex numbers are needed, but got {x.dtype}")


def _check_real(what: str, *parts: TensorType) -> None:
    for x in parts:
        if x.dtype.is_complex or not x.dtype.is_float or x.dtype.bits < 32 or x.dtype is not parts[0].dtype:
            raise TypeError(f"{what}: Float32 or Float64 is needed, of one dtype, but got {', '.join(map(str, parts))}")


def _resized(x: TensorType, axis: int, count: int | None) -> TensorType:
    return x.with_shape((*x.shape[:axis], count, *x.shape[axis + 1 :]))


def _infer(x: TensorType, *, axes: tuple[int, ...], inverse: bool, scale: float = 1.0) -> TensorType:
    _check_complex("dft", x)
    _check("dft", x, *axes)
    return x


def _infer_to_half(x: TensorType, *, axis: int, inverse: bool, scale: float, ends: float) -> TensorType:
    _check_real("half_dft", x)
    _check("half_dft", x, axis)
    count = x.shape[axis]
    return _resized(x, axis, None if count is None else count // 2 + 1).with_dtype(complex_dtype(x.dtype))


def _infer_from_half(x: TensorType, *, axis: int, count: int, inverse: bool, scale: float, ends: float) -> TensorType:
    _check_complex("real_dft", x)
    _check("real_dft", x, axis)
    if count < 1 or x.shape[axis] not in (None, count // 2 + 1):
        raise ValueError(f"real_dft: {x.shape[axis]} numbers are not half a spectrum of {count}")
    return _resized(x, axis, count).with_dtype(real_dtype(x.dtype))


def _vjp(x: Any, out: Any, dout: Any, *, axes: tuple[int, ...], inverse: bool, scale: float = 1.0) -> Any:
    """The matrix of the transform is symmetric, so the gradient is the same transform."""
    return dft(dout, axes=axes, inverse=inverse, scale=scale)


def _vjp_to_half(x: Any, out: Any, dout: Any, *, axis: int, inverse: bool, scale: float, ends: float) -> Any:
    """All elements of half a spectrum but the ends count twice in the transform from it, and once here."""
    attrs = {"axis": axis, "inverse": inverse, "scale": scale / 2, "ends": 2 * ends}
    return real_dft(dout, count=x.shape[axis], **attrs)


def _vjp_from_half(
    x: Any, out: Any, dout: Any, *, axis: int, count: int, inverse: bool, scale: float, ends: float
) -> Any:
    return half_dft(dout, axis=axis, inverse=inverse, scale=2 * scale, ends=ends / 2)


# In parts, where there is machine code for the sizes


def _sizes(kind: str, x: TensorType, axis: int, count: int, inverse: bool, scale: float, ends: float = 1.0) -> Any:
    """The sizes of a transform along an axis; None where no machine code computes it."""
    return _on(fourier_sizes, kind, x, axis, count, inverse, scale, ends)


def _on(
    function: Callable[..., Any], kind: str, x: TensorType, axis: int, count: int, inverse: bool = False,
    scale: float = 1.0, ends: float = 1.0,
) -> Any:  # fmt: skip
    """What a function says of a transform along an axis; None where sizes are unknown, or zero."""
    if not x.is_static or 0 in x.static_shape:
        return None
    return function(kind, x.dtype.np.name, x.static_shape, axis, count, inverse, scale, ends)


def _elsewhere(kind: str, x: TensorType, axis: int, count: int) -> tuple[int, ...] | None:
    """The order of axes in which machine code transforms along an axis, for one along which it does not: the axis is
    the last one, or the first."""
    if x.rank < 2 or _sizes(kind, x, axis, count, False, 1.0) is not None:
        return None
    others = tuple(place for place in range(x.rank) if place != axis)
    for axes in ((*others, axis), (axis, *others)):
        turned = x.with_shape(tuple(x.shape[place] for place in axes))
        if _sizes(kind, turned, axes.index(axis), count, False, 1.0) is not None:
            return axes
    return None


def _turned(x: Any, axes: tuple[int, ...]) -> Any:
    """A value, or its parts, with other axes."""
    if isinstance(x, Parts):
        return Parts(*[None if part is None else transpose(part, axes=axes) for part in x])
    return transpose(x, axes=axes)


def _parts(op: Op, x: Parts, *, axes: tuple[int, ...], inverse: bool, scale: float = 1.0) -> Parts | None:
    if not all(_has_code(x.known.type, axis) for axis in axes):
        return None
    order = tuple(range(x.known.rank))
    for place, axis in enumerate(sorted(axes, reverse=True)):
        turns = _elsewhere(COMPLEX, x.known.type, order.index(axis), x.known.shape[order.index(axis)])
        if turns is not None:  # once for all axes
            x, order = _turned(x, turns), tuple(order[each] for each in turns)
        x = _along(x, order.index(axis), inverse, 1.0 if place else float(scale))
    return x if order == tuple(range(len(order))) else _turned(x, inverse_permutation(order))


def _has_code(x: TensorType, axis: int) -> bool:
    """Whether machine code computes a transform along an axis, or those that it is composed of."""
    count = x.shape[axis]
    if count is None or not x.is_static:
        return False
    if 0 < count < SHORTEST_CHIRP or _sizes(COMPLEX, x, axis, count, False, 1.0) or _elsewhere(COMPLEX, x, axis, count):
        return True
    length = convenient(2 * count - 1)
    return (
        SHORTEST_CHIRP <= count <= LONGEST_CHIRP
        and _sizes(COMPLEX, _resized(x, axis, length), axis, length, False, 1.0) is not None
    )


def _along(x: Parts, axis: int, inverse: bool, scale: float) -> Parts:
    """The transform along one axis, for which there is machine code."""
    type = x.known.type
    axes = _elsewhere(COMPLEX, type, axis, type.static_shape[axis])
    if axes is not None:
        return _turned(_along(_turned(x, axes), axes.index(axis), inverse, scale), inverse_permutation(axes))
    if _sizes(COMPLEX, type, axis, type.shape[axis], False, 1.0) is None:
        if type.shape[axis] < SHORTEST_CHIRP:
            return _by_matrix(x, axis, inverse, scale)
        return by_chirps(x, axis, inverse, scale, lambda part, back: _along(part, axis, back, 1.0))
    given = x.filled()
    if inverse:  # the transform of parts that change places, so that both directions are one function
        return Parts(*dft_parts(*given[::-1], axis=axis, scale=scale)[::-1])
    return Parts(*dft_parts(*given, axis=axis, scale=scale))


def _by_matrix(x: Parts, axis: int, inverse: bool, scale: float) -> Parts:
    """A short transform as products with the matrix of roots."""
    count, rank = x.known.type.static_shape[axis], x.known.rank
    matrix = roots(np.outer(np.arange(count), np.arange(count)) % count, count) * scale
    matrix = matrix.conj() if inverse else matrix
    axes = (*range(axis), *range(axis + 1, rank), axis)

    def product(part: Any, numbers: np.ndarray) -> Any:
        rows = transpose(part, axes=axes)
        shape = rows.shape
        rows = reshape(rows, shape=(math.prod(shape[:-1]), count))
        made = reshape(matmul(rows, constant(value=numbers.astype(x.known.dtype.np))), shape=shape)
        return transpose(made, axes=inverse_permutation(axes))

    real, imag = x
    if imag is None:
        return Parts(product(real, matrix.real), product(real, matrix.imag))
    real, imag = x.filled()
    return Parts(
        product(real, matrix.real) - product(imag, matrix.imag), product(real, matrix.imag) + product(imag, matrix.real)
    )


def _weighted(x: Parts, axis: int, count: int, ends: float) -> Parts:
    """Half a spectrum with its ends times a factor."""
    if ends == 1.0:
        return x
    weights = np.ones(count // 2 + 1, x.known.dtype.np)
    weights[0] = ends
    if count % 2 == 0:
        weights[-1] = ends
    factors = constant(value=weights.reshape([-1 if place == axis else 1 for place in range(x.known.rank)]))
    return Parts(*[part * factors for part in x])


def _parts_to_half(op: Op, x: Any, *, axis: int, **attrs: Any) -> Parts | None:
    count = x.shape[axis]
    axes = _elsewhere(TO_HALF, x.type, axis, count)
    if axes is not None:
        found = _parts_to_half(op, _turned(x, axes), axis=axes.index(axis), **attrs)
        return _turned(found, inverse_permutation(axes))
    if _sizes(TO_HALF, x.type, axis, count, **attrs) is not None:
        return Parts(*half_dft_parts(x, axis=axis, **attrs))
    if not _has_code(x.type, axis):
        return None
    whole = _along(Parts(x, None), axis, attrs["inverse"], attrs["scale"])
    half = Parts(*[slice_axis(part, axis, 0, count // 2 + 1) for part in whole])
    return _weighted(half, axis, count, attrs["ends"])


def _parts_from_half(op: Op, x: Parts, *, axis: int, count: int, **attrs: Any) -> Any:
    axes = _elsewhere(FROM_HALF, x.known.type, axis, count)
    if axes is not None:
        found = _parts_from_half(op, _turned(x, axes), axis=axes.index(axis), count=count, **attrs)
        return _turned(found, inverse_permutation(axes))
    real, imag = x.filled()
    if _sizes(FROM_HALF, x.known.type, axis, count, **attrs) is None:
        if not real.type.is_static or not _has_code(_resized(real.type, axis, count), axis):
            return None
        half = _weighted(x.filled(), axis, count, attrs["ends"])
        rest = [reverse(slice_axis(part, axis, 1, (count + 1) // 2), axes=(axis,)) for part in half]
        whole = [concatenate(*parts, axis=axis) for parts in ((half[0], rest[0]), (half[1], -rest[1]))]
        return _along(Parts(*whole), axis, attrs["inverse"], attrs["scale"]).real
    return real_dft_parts(real, imag, axis=axis, count=count, **attrs)


def _scratch(kind: str) -> Callable[..., TensorType | None]:
    """What the function for these types works in."""

    def scratch(x: TensorType, *others: TensorType, axis: int, count: int | None = None, **attrs: Any) -> Any:
        room = _on(kernels.scratch_size, kind, x, axis, x.static_shape[axis] if count is None else count, **attrs)
        return x.with_shape((room,)) if room else None

    return scratch


def _emit(kind: str) -> Callable[..., Code | None]:
    """The call of the function for these types."""

    def emit(node: Node, arguments: Sequence[str], *outs: str | None) -> Code | None:
        attrs = dict(node.attrs)
        x, axis = node.inputs[0].type, attrs.pop("axis")
        count = attrs.pop("count", x.shape[axis])
        names = [out for out in outs if out is not None]
        sizes = _on(kernels.single_sizes, kind, x, axis, count, **attrs) if names else None
        if sizes is None:
            return None
        return Attempt(MadeFunction(compile_fourier, tuple(sizes), "fourier"), (*arguments, *names), None, True)

    return emit


def _samples(*cases: tuple[tuple[int, ...], dict[str, Any]], parts: int = 0) -> Callable[[], list[Sample]]:
    """Random numbers of these shapes: complex ones, or so many arrays of real ones."""

    def samples() -> list[Sample]:
        draw = np.random.default_rng(0)

        def arrays(shape: tuple[int, ...]) -> tuple[Array, ...]:
            if parts:
                return pair(*[shape] * parts)
            return (draw.uniform(-1, 1, shape) + 1j * draw.uniform(-1, 1, shape),)

        return [Sample(arrays(shape), attrs, gradient=parts == 1 and "ends" not in attrs) for shape, attrs in cases]

    return samples


_WAYS: list[dict[str, Any]] = [
    {"inverse": False, "scale": 0.5, "ends": 1.0},
    {"inverse": True, "scale": 1.0, "ends": 2.0},
]
_HALVES = (((2, 4), {"axis": 1, **_WAYS[0]}), ((3, 2), {"axis": 0, **_WAYS[1]}))
_WHOLES = (((2, 3), {"axis": 1, "count": 4, **_WAYS[0]}), ((3, 2), {"axis": 0, "count": 5, **_WAYS[1]}))

dft: Op = Op(
    "dft",
    attrs={"axes": INTS, "inverse": FLAG, "scale": SCALE},
    infer=_infer,
    kernel=kernels.dft,
    vjp=_vjp,
    parts=_parts,
    batch=shifted("axes"),
    samples=_samples(
        ((2, 5), {"axes": (1,), "inverse": False}), ((3, 2, 4), {"axes": (0, 2), "inverse": True, "scale": 0.25})
    ),
    doc="The discrete Fourier transform over axes, times scale; the inverse one lacks its factor.",
)
half_dft: Op = Op(
    "half_dft",
    attrs=HALF,
    infer=_infer_to_half,
    kernel=kernels.half_dft,
    vjp=_vjp_to_half,
    parts=_parts_to_half,
    batch=shifted("axis"),
    samples=_samples(*_HALVES, parts=1),
    doc="The first half of the discrete Fourier transform of real numbers along an axis, times scale, its ends times "
    "ends, too.",
)
real_dft: Op = Op(
    "real_dft",
    attrs={**HALF, "count": INT},
    infer=_infer_from_half,
    kernel=kernels.real_dft,
    vjp=_vjp_from_half,
    parts=_parts_from_half,
    batch=shifted("axis"),
    samples=_samples(*_WHOLES),
    doc="The real discrete Fourier transform of spectra of which the first half is given, with its ends times ends.",
)


def _infer_parts(real: TensorType, imag: TensorType, **attrs: Any) -> tuple[TensorType, TensorType]:
    _check_real("dft_parts", real, imag)
    _check("dft_parts", real, attrs["axis"])
    return real, imag


def _infer_half_parts(x: TensorType, **attrs: Any) -> tuple[TensorType, TensorType]:
    half = _infer_to_half(x, **attrs).with_dtype(x.dtype)
    return half, half


def _infer_real_parts(real: TensorType, imag: TensorType, **attrs: Any) -> TensorType:
    _check_real("real_dft_parts", real, imag)
    return _infer_from_half(real.with_dtype(complex_dtype(real.dtype)), **attrs)


dft_parts: Op = Op(
    "dft_parts",
    attrs={"axis": INT, "scale": FLOAT},
    infer=_infer_parts,
    kernel=kernels.dft_parts,
    scratch=_scratch(COMPLEX),
    emit=_emit(COMPLEX),
    internal=True,
    samples=_samples(((3, 4), {"axis": 1, "scale": 0.5}), parts=2),
    doc="As dft along one axis, of real and imaginary parts.",
)
half_dft_parts: Op = Op(
    "half_dft_parts",
    attrs=HALF,
    infer=_infer_half_parts,
    kernel=kernels.half_dft_parts,
    scratch=_scratch(TO_HALF),
    emit=_emit(TO_HALF),
    internal=True,
    samples=_samples(*_HALVES, parts=1),
    doc="As half_dft, to real and imaginary parts.",
)
real_dft_parts: Op = Op(
    "real_dft_parts",
    attrs={**HALF, "count": INT},
    infer=_infer_real_parts,
    kernel=kernels.real_dft_parts,
    scratch=_scratch(FROM_HALF),
    emit=_emit(FROM_HALF),
    internal=True,
    samples=_samples(*_WHOLES, parts=2),
    doc="As real_dft, of real and imaginary parts.",
)


SHORTEST_CHIRP, LONGEST_CHIRP = 48, 1 << 17
"""The lengths for which this is worth it."""


def convenient(least: int) -> int:
    """The smallest length from `least` on that is a power of two times 1, 3, 5, 9 or 15."""
    return min(factor << max(0, (-(-least // factor) - 1).bit_length()) for factor in (1, 3, 5, 9, 15))


def by_chirps(x: Parts, axis: int, inverse: bool, scale: float, transform: Callable[[Parts, bool], Parts]) -> Parts:
    """The transform of x along an axis. `transform` is that of a convenient length, or its inverse."""
    count, rank = x.known.shape[axis], x.known.rank
    length = convenient(2 * count - 1)
    places = np.arange(count)
    chirp = roots(places * places, 2 * count)
    chirp = chirp.conj() if inverse else chirp
    around = np.zeros(length, np.complex128)
    around[:count] = chirp.conj()
    around[length - count + 1 :] = chirp.conj()[:0:-1]
    filter = np.fft.fft(around) * (scale / length)

    def known(numbers: np.ndarray) -> Parts:
        shape = [1] * rank
        shape[axis] = len(numbers)
        dtype = x.known.dtype.np
        return Parts(*[constant(value=part.reshape(shape).astype(dtype)) for part in (numbers.real, numbers.imag)])

    widths = tuple((length - count) * (place == axis) for place in range(rank))  # first, so that one kernel reads x
    wide = Parts(*[part if part is None else pad(part, low=(0,) * rank, high=widths, value=0) for part in x])
    turned = of_product(multiply, wide, known(np.pad(chirp, (0, length - count))))
    spectrum = of_product(multiply, transform(turned, False), known(filter))
    result = transform(spectrum, True)
    return of_product(multiply, Parts(*[slice_axis(part, axis, 0, count) for part in result]), known(chirp))

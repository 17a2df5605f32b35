"""Fourier transforms, after NumPy's: of complex numbers, of real ones, and of spectra of real ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import cut, whole_number
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import like
from .array_join import concat
from .creation import zeros
from .representation import real as real_part
from .table import known_as

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

_OTHER = {"backward": "forward", "forward": "backward", "ortho": "ortho"}
_LAST_TWO = (-2, -1)


def _norm(norm: str | None, function: str) -> str:
    norm = "backward" if norm is None else norm
    if norm not in _OTHER:
        raise ValueError(f"{function}: 'norm' should be 'backward', 'forward' or 'ortho', but got {norm!r}")
    return norm


def _as_complex(input: Tensor) -> Tensor:
    if input.dtype.is_complex:
        return input
    return cast(input, dtypes.complex128 if input.dtype is dtypes.float64 else dtypes.complex64)


def _axis(dim: Any, rank: int, function: str) -> int:
    place = whole_number(dim, function, "dim")
    if not -rank <= place < rank:
        raise ValueError(f"{function}: 'dim' should be in [{-rank}, {rank}), but got {place}")
    return place % rank


def _sized(x: Tensor, axis: int, size: Any, function: str) -> Tensor:
    """x with a given number of elements along an axis: the first ones, or zeros after the last."""
    if size is None:
        return x
    count, wanted = int(x.shape[axis]), whole_number(size, function, "n")
    if wanted < 1:
        raise ValueError(f"{function}: 'n' should be positive, but got {wanted}")
    if wanted <= count:
        return x if wanted == count else cut(x, axis, 0, wanted)
    shape = tuple(wanted - count if place == axis else int(length) for place, length in enumerate(x.shape))
    return concat((x, zeros(shape, x.dtype)), axis)


def _scale(inverse: bool, norm: str, sizes: Iterable[int]) -> float:
    """The factor of a transform of these sizes, as the norm says."""
    count = math.prod(sizes) or 1
    return 1 / math.sqrt(count) if norm == "ortho" else 1 / count if (norm == "backward") == inverse else 1.0


def _transformed(x: Tensor, axes: tuple[int, ...], inverse: bool, scale: float) -> Tensor:
    """The transform of complex numbers along axes."""
    return apply(prims.dft, x, axes=axes, inverse=inverse, scale=scale) if axes else x


def _plan(input: Tensor, s: Any, dim: Any, function: str) -> tuple[Tensor, tuple[int, ...], tuple[int | None, ...]]:
    """The tensor, the axes to transform and their sizes, of an n-dimensional transform's arguments."""
    x = need_tensor(input, function)
    if x.ndim == 0:
        raise ValueError(f"{function}: a tensor of at least one dimension is expected")
    sizes: Sequence[Any] | None = (s,) if isinstance(s, int) else s
    if dim is None:
        count = x.ndim if sizes is None else len(sizes)
        axes = tuple(range(x.ndim - count, x.ndim))
    else:
        axes = tuple(_axis(each, x.ndim, function) for each in ((dim,) if isinstance(dim, int) else dim))
    if len(set(axes)) != len(axes) or any(axis < 0 for axis in axes):
        raise ValueError(f"{function}: 'dim' {dim} should name different dimensions of shape {x.shape}")
    if sizes is not None and len(sizes) != len(axes):
        raise ValueError(f"{function}: 's' and 'dim' should have one length, but are {s} and {dim}")
    return x, axes, (None,) * len(axes) if sizes is None else tuple(None if each == -1 else each for each in sizes)


def _complex(input: Tensor, s: Any, dim: Any, norm: Any, inverse: bool, function: str) -> Tensor:
    """fft and its kin."""
    x, axes, sizes = _plan(input, s, dim, function)
    x = _as_complex(x)
    for axis, size in zip(axes, sizes, strict=True):
        x = _sized(x, axis, size, function)
    return _transformed(x, axes, inverse, _scale(inverse, _norm(norm, function), _lengths(x, axes)))


def _lengths(x: Tensor, axes: tuple[int, ...]) -> list[int]:
    return [int(x.shape[axis]) for axis in axes]


def _from_real(input: Tensor, s: Any, dim: Any, norm: Any, inverse: bool, function: str) -> Tensor:
    """rfft and its kin: the half of the spectrum that says all, along the last axis."""
    if need_tensor(input, function).dtype.is_complex:
        raise TypeError(f"{function}: real numbers are expected, but got {input.dtype}")
    x, axes, sizes = _plan(input, s, dim, function)
    if x.dtype is not dtypes.float64:
        x = cast(x, dtypes.float32)
    for axis, size in zip(axes, sizes, strict=True):
        x = _sized(x, axis, size, function)
    scale = _scale(inverse, _norm(norm, function), _lengths(x, axes))
    half = apply(prims.half_dft, x, axis=axes[-1], inverse=inverse, scale=scale, ends=1.0)
    return _transformed(half, axes[:-1], inverse, 1.0)


def _to_real(input: Tensor, s: Any, dim: Any, norm: Any, inverse: bool, function: str) -> Tensor:
    """irfft and its kin: the other half of the spectrum along the last axis is the conjugate of the first."""
    x, axes, sizes = _plan(input, s, dim, function)
    x, last, way = _as_complex(x), axes[-1], _norm(norm, function)
    count = 2 * (int(x.shape[last]) - 1) if sizes[-1] is None else whole_number(sizes[-1], function, "n")
    if count < 1:
        raise ValueError(f"{function}: 'n' should be positive, but got {count}")
    x = _sized(x, last, count // 2 + 1, function)
    for axis, size in zip(axes[:-1], sizes[:-1], strict=True):
        x = _sized(x, axis, size, function)
    scale = _scale(inverse, way, (*_lengths(x, axes[:-1]), count))
    x = _transformed(x, axes[:-1], inverse, 1.0)
    return apply(prims.real_dft, x, axis=last, count=count, inverse=inverse, scale=scale, ends=1.0)


_FORMS: dict[str, tuple[Callable[..., Tensor], bool, str]] = {
    "fft": (_complex, False, "The discrete Fourier transform"),
    "ifft": (_complex, True, "The inverse of the discrete Fourier transform"),
    "rfft": (_from_real, False, "The first half, which says all, of the discrete Fourier transform of real numbers"),
    "irfft": (_to_real, True, "The real numbers of which `rfft` made the input"),
    "hfft": (_to_real, False, "The real discrete Fourier transform of a signal of which the first half is given"),
    "ihfft": (_from_real, True, "The first half of the inverse discrete Fourier transform of real numbers"),
}
_ARGUMENTS = """

    Args:
        input: a tensor of at least one dimension, real or complex.
        {size}
        {dim}
        norm: which direction is divided by the number of elements: "backward" (the default) or "forward"; "ortho":
            both by its square root.

    Raises:
        TypeError: if `input` is no tensor, or complex where real numbers are transformed.
        ValueError: if an axis is out of range or named twice, a size is not positive, or `norm` is another word.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.{name}(Tensor({example})).shape)
        {result}
    """
_SIZE = "{0}: how many elements{1} to take, the first ones or with zeros after the last; None: all{2}."
_SHAPES = {"fft": 4, "ifft": 4, "rfft": 3, "irfft": 6, "hfft": 6, "ihfft": 3}


def _functions(base: str) -> tuple[Callable[..., Tensor], ...]:
    """The transforms of a kind over one axis, over two and over several."""
    form, inverse, sentence = _FORMS[base]
    twice = ", so that an even number results" if form is _to_real else ""

    def one(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
        if n is not None and whole_number(n, base, "n") < 1:
            raise ValueError(f"{base}: 'n' should be positive, but got {n}")
        return form(input, None if n is None else (n,), (dim,), norm, inverse, base)

    def two(input: Tensor, s: Any = None, dim: Any = _LAST_TWO, norm: str | None = None) -> Tensor:
        return form(input, s, dim, norm, inverse, f"{base}2")

    def several(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
        return form(input, s, dim, norm, inverse, f"{base}n")

    named = {base: one, f"{base}2": two, f"{base}n": several}
    for name, run in named.items():
        more = run is not one
        run.__name__ = run.__qualname__ = name
        axes = "dim: the axes." if run is two else "dim: the axes; None: the last ones."
        run.__doc__ = f"{sentence} {'over several axes' if more else 'along an axis'}." + _ARGUMENTS.format(
            size=_SIZE.format("s" if more else "n", " along each axis" if more else "", twice),
            dim=axes if more else "dim: the axis.",
            name=name,
            example="[[1.0, 2.0, 3.0, 4.0]]" if more else "[1.0, 2.0, 3.0, 4.0]",
            result=f"(1, {_SHAPES[base]})" if more else f"({_SHAPES[base]},)",
        )
        known_as(primitive=name.upper())(run)
    return one, two, several


fft, fft2, fftn = _functions("fft")
ifft, ifft2, ifftn = _functions("ifft")
rfft, rfft2, rfftn = _functions("rfft")
irfft, irfft2, irfftn = _functions("irfft")
hfft, hfft2, hfftn = _functions("hfft")
ihfft, ihfft2, ihfftn = _functions("ihfft")


def _frequencies(n: int, d: float, places: np.ndarray, dtype: Any, function: str) -> Tensor:
    if whole_number(n, function, "n") < 1:
        raise ValueError(f"{function}: 'n' should be positive, but got {n}")
    return Tensor(places / (n * d), dtypes.float32 if dtype is None else dtypes.as_dtype(dtype))


def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None) -> Tensor:
    """The frequencies of the n elements that `fft` gives, for samples a distance of d apart.

    Args:
        n: how many elements.
        d: the distance of the samples.
        dtype: the dtype; None: Float32.

    Raises:
        ValueError: if n is not positive.

    Examples:
        >>> from mycel import ops
        >>> print(ops.fftfreq(4))
        [ 0.    0.25 -0.5  -0.25]
    """
    places = np.arange(n)
    return _frequencies(n, d, np.where(places < (n + 1) // 2, places, places - n), dtype, "fftfreq")


@like(fftfreq)
def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None) -> Tensor:
    """The frequencies of the elements that `rfft` gives for n samples a distance of d apart.

    Args:
        n: how many samples.
        d: their distance.
        dtype: the dtype; None: Float32.

    Examples:
        >>> print(ops.rfftfreq(4))
        [0.   0.25 0.5 ]
    """
    return _frequencies(n, d, np.arange(n // 2 + 1), dtype, "rfftfreq")


def _shifted(input: Tensor, dim: Any, back: bool, function: str) -> Tensor:
    x, axes, _ = _plan(input, None, dim, function)
    halves = [int(x.shape[axis]) // 2 for axis in axes]
    return apply(prims.roll, x, shift=tuple(-half if back else half for half in halves), axis=axes)


@known_as(primitive="FFTShift")
def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The tensor with the zero frequency in the middle of the axes (None: all).

    Args:
        dim: the axes, an int or a tuple; None: all.

    Raises:
        ValueError: if an axis is out of range.

    Examples:
        >>> print(ops.fftshift(Tensor([0, 1, -2, -1])))
        [-2 -1  0  1]
    """
    return _shifted(input, dim, False, "fftshift")


@known_as(primitive="IFFTShift")
@like(fftshift)
def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The inverse of `fftshift`.

    Examples:
        >>> print(ops.ifftshift(Tensor([-2, -1, 0, 1])))
        [ 0  1 -2 -1]
    """
    return _shifted(input, dim, True, "ifftshift")


def fft_with_size(
    x: Tensor, signal_ndim: int, inverse: bool, real: bool, norm: str, onesided: bool, signal_sizes: Sequence[int]
) -> Tensor:
    """The function of the primitive FFTWithSize, over the last `signal_ndim` axes."""
    if signal_ndim not in (1, 2, 3):
        raise ValueError(f"FFTWithSize: 'signal_ndim' should be 1, 2 or 3, but got {signal_ndim}")
    dim = tuple(range(-signal_ndim, 0))
    if not real or (not onesided and not inverse):
        return _complex(x, None, dim, norm, inverse, "FFTWithSize")
    if not inverse:
        return _from_real(x, None, dim, norm, inverse, "FFTWithSize")
    if not onesided:
        return real_part(_complex(x, None, dim, norm, inverse, "FFTWithSize"))
    return _to_real(x, tuple(signal_sizes) or None, dim, norm, inverse, "FFTWithSize")

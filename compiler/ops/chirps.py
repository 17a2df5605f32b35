"""Transforms of lengths with large prime factors, as convolutions with a chirp (Bluestein's algorithm).

With c(k) = e to the power of -i pi k^2 / n, the product jk is (j^2 + k^2 - (j - k)^2) / 2, so the transform is

    y(k) = c(k) * sum over j of (x(j) * c(j)) * conj(c(k - j))

The sum is a convolution, which transforms of a convenient length compute.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...runtime.machine.fourier_sizes import roots
from .arithmetic import multiply
from .creation import constant
from .parts import Parts, of_product
from .slicing import pad, slice_axis

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
    chirp = roots(places * places % (2 * count), 2 * count)
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

    turned = of_product(multiply, x, known(chirp))
    widths = tuple((length - count) * (place == axis) for place in range(rank))
    wide = Parts(*[pad(part, low=(0,) * rank, high=widths, value=0) for part in turned])
    spectrum = of_product(multiply, transform(wide, False), known(filter))
    result = transform(spectrum, True)
    return of_product(multiply, Parts(*[slice_axis(part, axis, 0, count) for part in result]), known(chirp))

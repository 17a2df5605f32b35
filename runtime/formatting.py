"""The text of tensors and Parameters: `str` as NumPy prints arrays, `repr` as MindSpore 2.10 does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

# A vector of more elements than this shows only its first and last EDGES; an axis of a matrix, of more than 2 · EDGES.
LONGEST_VECTOR = 1000
EDGES = 3
# A vector of more than EDGES elements begins a new line after so many floats or bools, or so many other elements.
WIDE_IN_A_LINE = 12
OTHERS_IN_A_LINE = 24


def tensor_str(array: Array) -> str:
    """The text of a tensor for `print`."""
    if array.dtype.name == "bfloat16":
        wide = array.astype(np.float32)
        return np.array2string(wide, formatter={"all": lambda value: f"{value:f}"}) if wide.ndim else f"{wide:f}"
    if array.ndim == 0 and array.dtype.kind in "fc":
        return _scalar_str(array[()])
    return str(array)


def _scalar_str(number: Any) -> str:
    """The text of a float or complex scalar as in NumPy before 2.4, which uses exponents for fewer numbers."""
    if isinstance(number, np.complexfloating):
        imaginary = _shortest(number.imag, "-")
        if number.real == 0 and not np.signbit(number.real):
            return f"{imaginary}j"
        return f"({_shortest(number.real, '-')}{'' if imaginary.startswith('-') else '+'}{imaginary}j)"
    return _shortest(number, "0")


def _shortest(number: Any, trim: Literal["-", "0"]) -> str:
    """The fewest digits that identify a float; with trim "0" at least one digit after the point."""
    if number == 0 or 1e-4 <= abs(float(number)) < 1e16 or not np.isfinite(number):
        return np.format_float_positional(number, trim=trim)
    return np.format_float_scientific(number, trim="-")


def tensor_repr(array: Array, dtype_name: str, printed: bool = False) -> str:
    """The `repr` of a tensor, for example `Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])`.

    `printed`: the form that prints in MindSpore's graphs have, without commas between the elements.
    """
    shape = ", ".join(map(str, array.shape))
    before = "\n" if array.ndim > 1 else "" if printed else " "
    return f"Tensor(shape=[{shape}], dtype={dtype_name}, value={before}{_values(array, '' if printed else ',')})"


def parameter_repr(name: str, shape: Sequence[int], dtype_name: str, requires_grad: bool) -> str:
    """The `repr` and `str` of a Parameter."""
    return f"Parameter (name={name}, shape={tuple(shape)}, dtype={dtype_name}, requires_grad={requires_grad})"


def _values(array: Array, comma: str) -> str:
    """The elements in nested brackets; long axes are abridged."""
    if array.size == 0:
        return ""
    if array.dtype.name == "bfloat16":
        return _nested(array.astype(np.float32), True, comma)
    return _nested(array, False, comma)


def _nested(array: Array, narrow: bool, comma: str) -> str:
    """The elements in brackets, with `comma` between them; `narrow` writes floats as short as a scalar's."""
    if array.ndim == 0:
        return _short(array.item())
    # On each axis, the positions shown and where the middle is left out.
    limit = LONGEST_VECTOR if array.ndim == 1 else 2 * EDGES
    gaps = [size > limit for size in array.shape]
    for axis, (size, gap) in enumerate(zip(array.shape, gaps, strict=True)):
        if gap:
            array = np.take(array, [*range(EDGES), *range(size - EDGES, size)], axis)
    texts = iter(_texts(array, narrow))
    wide = array.dtype.kind in "fb" and not narrow
    in_a_line = WIDE_IN_A_LINE if wide else OTHERS_IN_A_LINE
    breaks = array.ndim == 1 and array.size > EDGES and not gaps[0]

    def row(gap: bool, size: int) -> str:
        parts = []
        for position in range(size):
            parts.append(next(texts))
            if gap and position == EDGES - 1:
                parts.append(" ... ")
            elif position < size - 1:
                parts.append(f"{comma} ")
            if breaks and (position + 1) % in_a_line == 0:
                parts.append("\n ")
        return f"[{''.join(parts)}]"

    def part(axis: int) -> str:
        if axis == array.ndim - 1:
            return row(gaps[axis], array.shape[axis])
        indent = "\n" + " " * (axis + 1)
        lines = [part(axis + 1) + comma for _ in range(array.shape[axis])]
        lines[-1] = lines[-1].removesuffix(comma)
        if gaps[axis]:
            lines.insert(EDGES, "...")
        return f"[{indent.join(lines)}]"

    return part(0)


def _texts(array: Array, narrow: bool) -> list[str]:
    """The text of each element, in C order, padded to one width."""
    kind = array.dtype.kind
    numbers = array.reshape(-1).tolist()
    if kind == "b":
        return [f"{number!s:>5}" for number in numbers]
    if kind == "f" and not narrow:
        digits, width = (4, 11) if array.dtype == np.float16 else (8, 15)
        return [_signed_nan(f"{number:{width}.{digits}e}", number) for number in numbers]
    texts = [_short(number) for number in numbers]
    # Complex numbers are not aligned.
    width = 0 if kind == "c" else max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _short(number: bool | int | float | complex) -> str:
    """A number in up to six digits."""
    if isinstance(number, complex):
        imaginary = _short(number.imag)
        return f"{_short(number.real)}{'' if imaginary.startswith('-') else '+'}{imaginary}j"
    return _signed_nan(f"{number:g}", number) if isinstance(number, float) else str(number)


def _signed_nan(text: str, number: float) -> str:
    """The text, with a minus sign if the sign bit of a nan is set."""
    if number != number and math.copysign(1, number) < 0:
        return "-nan".rjust(len(text))
    return text

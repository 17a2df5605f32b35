"""Kernels computed by NumPy, for processes without machine code: the same texts, arguments and results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..kernels.error_function import erf, erfc
from ..kernels.recurrence import linear_recurrence
from ..machine.executable import Function
from .arguments import fit
from .check import check
from .functions import IDENTITY
from .language import (
    COMBINED,
    INDEX,
    READ,
    RECURRENCE,
    SCAN,
    SIZES,
    Array,
    Kernel,
    Number,
    Statement,
    accumulators,
    crosses,
    is_computed,
    is_divided,
    is_part,
    piece_bytes,
    piece_rows,
    spacing,
)
from .places import error_at

CHUNK = 1 << 18  # elements that are computed at a time, where the outermost loop can be divided


def evaluator(kernel: Kernel, text: str) -> Function:
    """A function that computes a kernel with NumPy. It returns True, or False if it has done nothing."""
    dtypes = check(kernel)
    kernel = _iterations_first(kernel)
    rows = piece_rows(kernel) if kernel.pieces else kernel.extents[0]
    pieces = [
        (first, min(rows, kernel.extents[0] - first), number)
        for number, first in enumerate(range(0, kernel.extents[0], rows))
    ]

    def evaluate(*arrays: np.ndarray) -> bool:
        if not fit(arrays, kernel):
            return False
        with np.errstate(all="ignore"):
            for piece in pieces:
                _Evaluation(kernel, dtypes, arrays, piece).run()
        return True

    evaluate.__doc__ = text
    return evaluate


def _iterations_first(kernel: Kernel) -> Kernel:
    """The kernel with the loop that goes over the iterations of its state outside of all others."""
    states = [array.strides for array in kernel.arrays if array.role == "state"]
    loop = next((loop for loop, moves in enumerate(zip(*states, strict=True)) if not any(moves)), 0)
    if not loop:
        return kernel

    def moved(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*values[loop : loop + 1], *values[:loop], *values[loop + 1 :])

    arrays = tuple([a._replace(strides=moved(a.strides), bounds=moved(a.bounds)) for a in kernel.arrays])
    return replace(kernel, extents=moved(kernel.extents), arrays=arrays, pieces=0)


class _Evaluation:
    """One call."""

    def __init__(
        self, kernel: Kernel, dtypes: Mapping[str, str], arrays: tuple[np.ndarray, ...], piece: tuple[int, int, int]
    ) -> None:
        self.kernel = kernel
        self.dtypes = dtypes
        self.arrays = {
            array.name: given.reshape(-1).view(array.dtype) if array.paired else given
            for array, given in zip(kernel.arrays, arrays, strict=True)
        }
        self.start, self.count, self.number = piece
        self.last_use: dict[str, int] = {}
        for position, statement in enumerate(kernel.statements):
            for argument in statement.arguments:
                if isinstance(argument, str):
                    self.last_use[argument] = position
        outputs = [array.name for array in kernel.arrays if array.role not in READ]
        self.computed = {array.name: array for array in kernel.arrays if is_computed(array, kernel)}
        outputs += [place.array for array in self.computed.values() for place in array.at]
        self.last_use.update(dict.fromkeys(outputs, len(kernel.statements)))

    def skipped(self, array: Array) -> int:
        """The bytes before the first accumulator of this piece."""
        return self.number * piece_bytes(array, self.kernel) if self.number else 0

    def run(self) -> None:
        """Compute everything, one part of the outermost loop after another."""
        kernel = self.kernel
        for array in kernel.arrays:
            if array.role in COMBINED and not is_part(array):
                self.sums(array)[...] = IDENTITY[array.role](array.dtype)
        inner = math.prod(kernel.extents[1:])
        step = max(1, CHUNK // inner)
        # Each iteration reads the writes of the last one.
        until = next((array for array in kernel.arrays if array.name == kernel.until), None)
        if (
            (self.computed and kernel.extents[-1] == 1)
            or until
            or any(array.role == "state" for array in kernel.arrays)
        ):
            step = 1
        for first in range(self.start, self.start + self.count, step):
            self.part(first, min(step, self.start + self.count - first))
            if until is not None and not self.view(until, first, 1).item():
                break

    def sums(self, array: Array) -> np.ndarray:
        """The accumulators of this piece."""
        count = accumulators(array, self.kernel)
        first = (array.offset + self.skipped(array)) // SIZES[array.dtype]
        step = spacing(array, self.kernel.extents) // SIZES[array.dtype]
        return self.arrays[array.name].reshape(-1)[first : first + (count - 1) * step + 1 : step]

    def offset(self, array: Array, first: int) -> int:
        """The bytes before the first element that an index of the outermost loop reaches."""
        own = self.number and array.role in COMBINED and not is_divided(array, self.kernel)
        return array.offset + first * array.strides[0] + (self.skipped(array) if own else 0)

    def view(self, array: Array, first: int, count: int) -> np.ndarray:
        """The elements that some indices of the outermost loop reach; one element along a loop with stride 0."""
        if array.bounds:
            return self.window(array, first, count)
        extents = (count, *self.kernel.extents[1:])
        shape = tuple(extent if stride else 1 for extent, stride in zip(extents, array.strides, strict=True))
        offset = self.offset(array, first)
        whole = self.arrays[array.name].reshape(-1)
        return np.ndarray(shape, array.dtype, whole.view(np.uint8).data, offset, array.strides)

    def fetch(self, name: str, values: dict[str, np.ndarray], first: int) -> None:
        """Read an array at computed positions, for one index of the outermost loop."""
        if name in self.computed and name not in values:
            for place in self.computed[name].at:
                self.fetch(place.array, values, first)
            numbers = self.positions(self.computed[name], first, 1, values)
            values[name] = self.arrays[name].reshape(-1)[numbers]

    def positions(
        self, array: Array, first: int, count: int, values: Mapping[str, np.ndarray] | None = None
    ) -> np.ndarray:
        """The numbers of the elements of an array that places choose; one where neither loops nor places move it."""
        size, known = SIZES[array.dtype], {other.name: other for other in self.kernel.arrays if other.role == INDEX}
        extents = (count, *self.kernel.extents[1:])
        found: Any = np.full((1,) * len(extents), self.offset(array, first) // size)
        for axis, (extent, stride) in enumerate(zip(extents, array.strides, strict=True)):
            if stride:
                shape = [extent if place == axis else 1 for place in range(len(extents))]
                found = found + np.arange(extent).reshape(shape) * (stride // size)
        for place in array.at:
            given = self.view(known[place.array], first, count) if values is None else values[place.array]
            index = given.astype(np.int64)
            wrong = index[(index < -place.size) | (index >= place.size)]
            if values is not None and wrong.size:
                raise error_at(self.kernel, array, place)(int(wrong[0]))
            found = found + np.where(index < 0, place.size - 1 if place.last else index + place.size, index) * (
                place.stride // size
            )
        return np.asarray(found)

    def window(self, array: Array, first: int, count: int) -> np.ndarray:
        """The elements inside of an array's bounds, with zeros around them."""
        extents = (count, *self.kernel.extents[1:])
        (low, high), *others = array.bounds
        bounds = [(max(low - first, 0), max(min(high - first, count), 0)), *others]
        moves = [stride != 0 or crosses(array, axis, self.kernel.extents) for axis, stride in enumerate(array.strides)]
        result = np.zeros(tuple(e if moving else 1 for e, moving in zip(extents, moves, strict=True)), array.dtype)
        inside = tuple(slice(*pair) if moving else slice(None) for pair, moving in zip(bounds, moves, strict=True))
        core = result[inside]
        if core.size:
            start = array.offset + first * array.strides[0]
            start += sum(pair[0] * s for pair, s, moving in zip(bounds, array.strides, moves, strict=True) if moving)
            whole = self.arrays[array.name].reshape(-1)
            core[...] = np.ndarray(core.shape, array.dtype, whole.view(np.uint8).data, start, array.strides)
        return result

    def part(self, first: int, count: int) -> None:
        """Compute some indices of the outermost loop."""
        extents = (count, *self.kernel.extents[1:])
        values: dict[str, np.ndarray] = {}
        for array in self.kernel.arrays:
            if array.name in self.computed:
                continue
            if array.at and array.role in READ:
                numbers = self.positions(array, first, count)
                values[array.name] = self.arrays[array.name].reshape(-1)[numbers]
            elif array.role in READ and array.name in self.last_use:
                values[array.name] = self.view(array, first, count)
        for position, statement in enumerate(self.kernel.statements):
            for argument in statement.arguments if self.computed else ():
                self.fetch(str(argument), values, first)
            values[statement.name] = self.value(statement, values, extents)
            for argument in {*statement.arguments, statement.name}:
                if isinstance(argument, str) and self.last_use.get(argument, -1) <= position:
                    values.pop(argument, None)
        given = dict(values)
        for array in self.computed.values():
            for place in array.at:
                self.fetch(place.array, given, first)
                given[place.array] = given[place.array].copy()
        results = {array.name: values[array.name] for array in self.kernel.arrays if array.role not in READ}
        if len(results) > 1:  # a view of an input would show the writes of another output over it
            results = {name: value if value.flags.owndata else value.copy() for name, value in results.items()}
        for array in self.kernel.arrays:
            if array.role not in READ:
                places = given if array.name in self.computed else None
                self.write(array, np.broadcast_to(results[array.name], extents), first, count, places)

    def value(self, statement: Statement, values: dict[str, np.ndarray], extents: tuple[int, ...]) -> np.ndarray:
        """The value of a statement."""
        named = [self.dtypes[argument] for argument in statement.arguments if isinstance(argument, str)]
        number = next((dtype for dtype in named if dtype != "bool"), named[0] if named else None)
        given = [
            np.asarray(argument.value, argument.dtype or number) if isinstance(argument, Number) else values[argument]
            for argument in statement.arguments
        ]
        if statement.function.startswith("row_"):
            whole = np.broadcast_to(given[0], (*given[0].shape[:-1], extents[-1]))
            return _reduced(statement.function[4:], whole, (-1,))
        dtype = self.dtypes[statement.name]
        if statement.function == RECURRENCE:
            shape = np.broadcast_shapes(given[0].shape, given[1].shape)
            a, b = (np.broadcast_to(x, (*shape[:-1], extents[-1])) for x in given)
            return linear_recurrence(a, b, b.ndim - 1, False)
        if statement.function.startswith(SCAN):
            whole = np.broadcast_to(given[0], (*given[0].shape[:-1], extents[-1]))
            ufunc: Any = getattr(np, statement.function.removeprefix(SCAN))
            return np.asarray(ufunc.accumulate(whole, -1, dtype=dtype))
        if statement.function == "bitcast":
            return given[0].view(dtype)
        return np.asarray(FUNCTIONS[statement.function](*given)).astype(dtype, copy=False)

    def scatter(
        self, array: Array, value: np.ndarray, first: int, count: int, given: Mapping[str, np.ndarray] | None
    ) -> None:
        """Combine a value with the elements of an output that places choose, one after the other."""
        numbers = self.positions(array, first, count, given)
        common = np.broadcast_shapes(numbers.shape, value.shape)
        if not array.strides[-1] and numbers.shape[-1] == 1:  # one element for a row, which has one value
            value, common = value[..., -1:], (*common[:-1], 1)
        flat = self.arrays[array.name].reshape(-1)
        places, values = (np.broadcast_to(each, common).reshape(-1) for each in (numbers, value))
        if array.role == "out":
            flat[places] = values
        else:
            function: Any = getattr(np, array.role)
            function.at(flat, places, values)

    def write(
        self,
        array: Array,
        value: np.ndarray,
        first: int,
        count: int,
        given: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """Write a value to an output, or combine it with the output's old value."""
        if array.at:
            self.scatter(array, value, first, count, given)
            return
        target = self.view(array, first, count)
        if not array.strides[-1]:  # one element for a row, which has one value
            value = value[..., -1:]
        gone = tuple(axis for axis, stride in enumerate(array.strides) if not stride)
        if array.role in COMBINED:
            function: Any = getattr(np, array.role)
            function(target, _reduced(array.role, value, gone), out=target)
            return
        last = tuple(slice(-1, None) if axis in gone else slice(None) for axis in range(value.ndim))
        np.copyto(target, value[last])


def _reduced(role: str, value: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    return getattr(np, role).reduce(value, axes, dtype=value.dtype, keepdims=True)


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    """A rounding function that leaves integers alone."""
    return lambda x: function(x) if x.dtype.kind == "f" else x


def _mask_bits(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    mask, bits = (x, y) if x.dtype == np.bool_ else (y, x)
    return np.where(mask, bits, np.zeros((), bits.dtype))


def _overlay(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    whole = f"i{x.dtype.itemsize}"
    return np.asarray(np.bitwise_or(x.view(whole), y.view(whole)).view(x.dtype))


def _sigmoid(x: np.ndarray) -> np.ndarray:
    decay = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, decay) / (1 + decay)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(np, name)
        for name in (
            "add", "subtract", "multiply", "divide", "maximum", "minimum", "negative", "absolute", "sqrt", "sign",
            "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or",
            "logical_xor", "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor", "floor_divide", "remainder",
            "fmod", "left_shift", "right_shift", "isnan", "isinf", "isfinite", "exp", "expm1", "log", "log1p", "log2",
            "log10", "power", "sinh", "cosh", "tanh", "sin", "cos", "tan",
        )
    },
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asinh", "acosh", "atanh", "asin", "acos", "atan", "atan2")},
    "bitwise_not": np.invert,
    "mask_bits": _mask_bits,
    "select": lambda condition, x, y: np.where(condition != 0, x, y),
    "cast": lambda x: x,
    "copy": lambda x: x,
    "multiply_add": lambda x, y, z: x * y + z,
    "multiply_subtract": lambda x, y, z: x * y - z,
    "negative_multiply_add": lambda x, y, z: z - x * y,
    "overlay": _overlay,
    "floor": _of_floats(np.floor),
    "ceil": _of_floats(np.ceil),
    "trunc": _of_floats(np.trunc),
    "round": _of_floats(np.rint),
    "sigmoid": _sigmoid,
    "erf": erf,
    "erfc": erfc,
}  # fmt: skip
"""The functions of statements. Casts are `astype` or views; reductions of rows and scans are elsewhere."""

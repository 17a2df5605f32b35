"""Verification of kernels: a kernel that passes accesses no byte outside of its arrays, whatever they contain.

Machine code trusts its text, so the text is verified first. The function that is made from it checks its arguments
(`boundary.py`).
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from .builder import Unsupported
from .functions import FUNCTIONS, MASKED
from .language import (
    COMBINED,
    INDEX,
    LANES,
    POSITIONS,
    READ,
    RECURRENCE,
    SCAN,
    SIZES,
    Array,
    Kernel,
    Number,
    Statement,
    adds_up,
    elements,
    is_computed,
    is_divided,
    is_scattered,
    piece_bytes,
    piece_rows,
    spacing,
)
from .places import check_index, check_places
from .stages import width_of
from .statements import default_dtype, result_of
from .unsigned import is_unsigned
from .windows import check_bounds, column_cuts

MOST_ARRAYS = 400
MOST_LOOPS = 32
MOST_SCANS = 4  # each has a register for its running result
LARGEST = 1 << 48  # bytes; no process has more
FARTHEST = (1 << 31) // 8  # bytes from one column to the next, of eight that are loaded together


def check(kernel: Kernel) -> Mapping[str, str]:
    """The dtypes of all arrays and values. Raises `Unsupported` if the kernel is wrong or too large."""
    return _checked(replace(kernel, flush=False) if kernel.flush else kernel)


@lru_cache(maxsize=4096)  # a kernel is checked where it is made of a graph, and where its text is read
def _checked(kernel: Kernel) -> Mapping[str, str]:
    """`check` of a kernel that keeps denormal results: others are right if that one is."""
    _check_loops(kernel)
    names: set[str] = set()
    dtypes: dict[str, str] = {}
    for array in kernel.arrays:
        _check_array(kernel, array)
        if array.name in names:
            raise Unsupported(f"two arrays are called {array.name}")
        _check_same(kernel, array, names)
        names.add(array.name)
        if array.role == INDEX:
            check_index(array, kernel)
        elif array.role in READ:
            dtypes[array.name] = array.dtype
    width = width_of(kernel)
    bounded = [array for array in kernel.arrays if array.bounds]
    for array in bounded:
        check_bounds(array, kernel, width)
    if bounded:
        column_cuts(kernel, width)
    late = {array.name: array for array in kernel.arrays if is_computed(array, kernel)}
    for statement in kernel.statements:
        for name in late.keys() & {*statement.arguments} if late else ():
            _check_positions(late, name, dtypes)
        if statement.name in dtypes:
            raise Unsupported(f"{statement.name} is there already")
        dtypes[statement.name] = _dtype(statement, dtypes, width)
    scans = sum(statement.function.startswith(SCAN) for statement in kernel.statements)
    if scans > MOST_SCANS or (scans and kernel.extents[-1] < 2):
        raise Unsupported(f"{scans} scans of {kernel.extents[-1]} columns")
    for array in kernel.arrays:
        if array.name in late:
            _check_positions(late, array.name, dtypes)
        if array.role not in READ and dtypes.get(array.name) != array.dtype:
            raise Unsupported(f"{array.name} of {array.dtype} gets {dtypes.get(array.name, 'nothing')}")
    return dtypes


def _check_loops(kernel: Kernel) -> None:
    extents = kernel.extents
    if not 1 <= len(extents) <= MOST_LOOPS or len(kernel.arrays) > MOST_ARRAYS:
        raise Unsupported(f"{len(extents)} loops over {len(kernel.arrays)} arrays")
    if all(array.role in READ for array in kernel.arrays):
        raise Unsupported("nothing comes out")
    if min(extents) < 1 or math.prod(extents) > LARGEST:
        raise Unsupported(f"loops over {extents}")
    if kernel.pieces and (kernel.pieces < 1 or kernel.pieces != -(-extents[0] // piece_rows(kernel))):
        raise Unsupported(f"{kernel.pieces} pieces of {extents[0]}")
    ends = [one for one in kernel.arrays if one.name == kernel.until and one.role == "out" and one.dtype == "bool"]
    if kernel.until and (kernel.pieces or len(extents) != 2 or not ends or any(ends[0].strides) or ends[0].at):
        raise Unsupported(f"the loop ends by {kernel.until}")
    if kernel.pieces and len(extents) < 2 and not _are_apart(kernel):
        raise Unsupported("columns that depend on others are not shared")


def _are_apart(kernel: Kernel) -> bool:
    """Whether no column depends on another one."""
    along = [one for one in kernel.statements if one.function.startswith(("row_", SCAN))]
    return not along and all(a.role in ("in", INDEX) or (a.role == "out" and a.strides[0]) for a in kernel.arrays)


def _check_positions(late: Mapping[str, Array], name: str, dtypes: Mapping[str, str]) -> None:
    """Check that the positions of an array are computed before it is used. Those of others are of earlier arrays."""
    for place in late[name].at:
        if dtypes.get(place.array) not in POSITIONS:
            raise Unsupported(f"{name} is at {place.array}, which gives no positions")
        if place.array in late and late[place.array].role in READ:
            order = list(late)
            if order.index(place.array) >= order.index(name):
                raise Unsupported(f"{name} is at {place.array}, which is read later")
            _check_positions(late, place.array, dtypes)


def _check_array(kernel: Kernel, array: Array) -> None:
    """Check that the loops stay inside of an array."""
    _, name, dtype, shape, strides, offset, bounds, *_ = array
    if dtype not in SIZES:
        raise Unsupported(f"{name} has elements of {dtype}")
    size, extents = SIZES[dtype], kernel.extents
    nbytes = math.prod(shape) * size
    if len(strides) != len(extents):
        raise Unsupported(f"{name} has {len(strides)} strides for {len(extents)} loops")
    if len(shape) > 64 or (shape and min(shape) < 1) or nbytes > LARGEST:
        raise Unsupported(f"{name} has the shape {shape}")
    if bounds and len(bounds) != len(extents):
        raise Unsupported(f"{name} has {len(bounds)} bounds for {len(extents)} loops")
    if [1 for move in (offset, *strides) if move % size or not -LARGEST <= move <= LARGEST]:
        raise Unsupported(f"{name} moves by parts of its elements")
    first, last = offset, offset + size
    for loop, move in enumerate(strides):
        if move:
            low, high = bounds[loop] if bounds else (0, extents[loop])
            low, high = (low, high - 1) if move > 0 else (high - 1, low)
            first += move * low
            last += move * high
    if array.at:
        back, on = check_places(array, kernel)
        first, last = first + back, last + on
    if array.at and array.role not in READ:
        if not adds_up(array.dtype) or (array.strides[-1] % size and is_scattered(array, kernel)):
            raise Unsupported(f"nothing is scattered to {array.name}")
    elif array.role in COMBINED:
        _check_sums(kernel, array)
    if array.role in COMBINED and kernel.pieces and not is_divided(array, kernel):
        last += piece_bytes(array, kernel) * (kernel.pieces - 1)
    if first < 0 or last > nbytes:
        raise Unsupported(f"{name} is reached from byte {first} to {last}, but has {nbytes}")
    if abs(strides[-1]) > FARTHEST:
        raise Unsupported(f"the columns of {name} are too far apart")


def _check_same(kernel: Kernel, array: Array, before: Collection[str]) -> None:
    """Check that an array is the same argument as one before, of the same kind."""
    if not array.same:
        return
    first = next((one for one in kernel.arrays if one.name == array.same and one.name in before), None)
    kind = array.role, *array.argument
    if first is None or first.same or (first.role, *first.argument) != kind:
        raise Unsupported(f"{array.name} is {array.same}, which is another array")


def _check_sums(kernel: Kernel, array: Array) -> None:
    """Check that the elements of an accumulator are contiguous or equally far apart, because they are initialised in
    this way."""
    if not adds_up(array.dtype):
        raise Unsupported(f"{array.dtype} does not add up")
    if elements(array, kernel.extents) > 1 << 31:
        raise Unsupported(f"{array.name} is too large to add up in")
    step = spacing(array, kernel.extents)
    if step < 0:
        raise Unsupported(f"the elements of {array.name} do not lie side by side")
    moves = [(stride, extent) for stride, extent in zip(array.strides, kernel.extents, strict=True) if extent > 1]
    for stride, extent in sorted(move for move in moves if move[0]):
        if stride != step:
            raise Unsupported(f"the elements of {array.name} do not lie side by side")
        step *= extent


def _dtype(statement: Statement, dtypes: dict[str, str], width: int) -> str:
    """The dtype of a statement's value."""
    given: list[str | Number] = []
    numbers: list[Number] = []
    for argument in statement.arguments:
        if type(argument) is Number:
            numbers.append(argument)
            given.append(Number(1, argument.dtype))
        elif argument in dtypes:
            given.append(dtypes[argument])
        else:
            raise Unsupported(f"{statement.name} reads {argument}, which is not there")
    found = result_dtype(statement.function, tuple(given), statement.dtype, width)
    if numbers:
        default = default_dtype(given, width)
        for number in numbers:
            check_number(number.value, number.dtype or default)
    return found


def check_number(value: float | int | bool, dtype: str) -> None:
    """Check that a dtype can represent a number."""
    if dtype.startswith("int"):
        bits = 8 * SIZES[dtype] - 1
        if not math.isfinite(value) or value != int(value) or not -(1 << bits) <= value < 1 << bits:
            raise Unsupported(f"{value} is no number of {dtype}")
    elif is_unsigned(dtype):
        if not math.isfinite(value) or value != int(value) or not 0 <= value < 1 << 8 * SIZES[dtype]:
            raise Unsupported(f"{value} is no number of {dtype}")
    elif dtype == "bool" and value not in (0, 1):
        raise Unsupported(f"{value} is no bool")


def _recurrence_dtype(given: tuple[str | Number, ...], dtype: str | None, width: int) -> str:
    """The dtype of a recurrence, which is that of its factors and terms."""
    if len(given) != 2 or given[0] != given[1] or not isinstance(given[0], str) or dtype:
        raise Unsupported("a recurrence has factors and terms of one dtype")
    if not adds_up(given[0]):
        raise Unsupported(f"{given[0]} has no recurrences")
    if SIZES[given[0]] != width:
        raise Unsupported("a kernel's numbers are all of 4 bytes or all of 8")
    return given[0]


@cache
def result_dtype(function: str, given: tuple[str | Number, ...], dtype: str | None, width: int) -> str:
    """The dtype of a function's result for arguments of these dtypes, in a kernel with lanes of `width` bytes."""
    if function == RECURRENCE:
        return _recurrence_dtype(given, dtype, width)
    along = "row_" if function.startswith("row_") else SCAN if function.startswith(SCAN) else ""
    if along:
        if (
            function.removeprefix(along) not in COMBINED
            or len(given) != 1
            or not isinstance(given[0], str)
            or dtype is not None
        ):
            raise Unsupported(f"rows are not reduced by {function} of {len(given)} arguments")
        if not adds_up(given[0]):
            raise Unsupported(f"{given[0]} does not add up")
        return result_of(function.removeprefix(along), (given[0], given[0]), None, width).dtype
    if function not in FUNCTIONS:
        raise Unsupported(f"kernels know no function {function}")
    if (function in ("cast", "bitcast")) != (dtype is not None):
        raise Unsupported(f"{function} to {dtype}")
    if len(given) != _arity(function):
        raise Unsupported(f"{function} of {len(given)} arguments")
    default = default_dtype(given, width)
    known = [argument if isinstance(argument, str) else argument.dtype or default for argument in given]
    if {LANES[name] for name in (*known, dtype) if name in LANES} - {max(width, 4)}:
        raise Unsupported("a kernel's numbers are all of 4 bytes or all of 8")
    alike = known[1:] if function == "select" else known
    if len(set(alike)) > 1 and function not in MASKED:
        raise Unsupported(f"{function} of {' and '.join(known)}")
    values = [name if isinstance(one, str) else Number(1, name) for one, name in zip(given, known, strict=True)]
    return result_of(function, tuple(values), dtype, width).dtype


@cache
def _arity(function: str) -> int:
    """The number of arguments of a function."""
    code = inspect.unwrap(FUNCTIONS[function]).__code__
    return code.co_argcount - 1 - (function in ("cast", "bitcast"))

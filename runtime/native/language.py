"""The kernel language: loops, arrays, and a list of statements for each element; its syntax and its meaning.

    over 64 512
    in x float32[64,512] 2048 4
    in bias float32[512] 0 4
    out y float32[64,512] 2048 4
    add total float32[512] 0 4
    sum_ = add(x, bias)
    y = maximum(sum_, 0.0)
    total = y

`over` gives the extents of the nested loops. Each array has its dtype and shape and, for each loop, the stride of its
element in bytes. After `from` stands the offset of its first element, if it is not 0. `within 1 64 0 512` bounds an
input: for each loop the first index at which it is read, and the first one at which it is not read any more. Elsewhere
it is zero; then its `from` may be before its memory. `index ids int64[64] 8 0` gives positions of 32 or 64 bits;
negative ones count from the end. After `is` stands an array before that is the same argument. `at ids 2048 1000` moves
an array by 2048 bytes for each of 1000 positions: an input is gathered, and an accumulator is scattered over all of its
array; of an array of `out` only the elements at positions are written. With `1000-` in place of `1000` negative
positions, to -2**31, and they alone, are the last one. An accumulator at positions with a `from` shares the memory of
one without, which alone is initialised. An array of `out` gets the value of the same name. `at s 16 25` may also name a
value that the kernel computes, if there is one column, or for sums, in one pass: then each position is checked when it
is used, and one that is outside raises an error.
An array of complex64 has pairs of float32: its strides and `from` are those of the real or the imaginary parts.
`state` is an input whose memory is also that of an output. It is read again in each row, but only the first pass over
the columns is sure to see the numbers of the last iteration. All outputs of an iteration see the state before it, `y
= z` too. A float16 is computed as float32, and rounded after each statement; an integer of 8 or 16 bits in lanes of as
many bits, or of more, and loses the bits that are too many. Only casts combine dtypes. Arrays of `add`, `multiply`,
`maximum` and `minimum` combine all values that fall on one element. `row_add(x)` and the like reduce over the columns;
`scan_add(x)` and the like give each column the reduction of all columns up to it.
`scan_recurrence(a, b)` multiplies what the column before has by a, and adds b. A number has the dtype of the first
other argument, or is written `float32(0.5)`. With `shared 12` as the first line threads share 12 pieces of the
outermost loop, or of the columns if there is no other. Then accumulators have one part for each piece, one after the
other; those that have elements of their own for each index of the outermost loop have none, if all pieces are as large.
With `while again` as the first line the outermost of two loops ends after the first iteration that writes False to the
output `again`. With the line `flush` results that are denormal (smaller than all normal numbers) are zeros.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import final

from ..machine.sizes import LANES as LANES, SIZES as SIZES
from ..records import NamedTuple, cached_property, dataclass

READ = ("in", "state", "index")
"""The roles of arrays that are read."""

INDEX = "index"
"""The role of arrays that give positions in others; no statement reads them."""

POSITIONS = ("int32", "int64")
"""The dtypes of index arrays."""

FLOAT16 = "float16"
IN_LANES = {FLOAT16: "float32", **dict.fromkeys(("int8", "uint8", "int16", "uint16"), "int32")}
"""The dtypes in lanes of 32 bits of numbers that are narrower in memory."""


COMPLEX = {"float32": "complex64", "float64": "complex128"}
PAIRS = {pairs: dtype for dtype, pairs in COMPLEX.items()}
"""The dtypes of complex numbers by those of their parts, and the other way round."""


def lane_dtype(dtype: str, width: int) -> str:
    """The dtype of a number in lanes of so many bytes, in which bools have no number."""
    if width > 2:
        return IN_LANES.get(dtype, dtype)
    return f"int{8 * width}" if "int" in dtype and SIZES[dtype] < width else dtype


SCAN = "scan_"
"""The prefix of scans, functions along the columns of a row; the reduction's name follows."""

RECURRENCE = "scan_recurrence"
"""The function of two columns, factors and terms, that gives y[i] = a[i] * y[i - 1] + b[i], from y = 0."""

NEAR = 8
"""Elements that columns are apart, at most, where AVX-512 loads and stores whole vectors, not column by column."""

SHARED_COLUMNS = 64
"""Pieces of the columns of a shared kernel have multiples of so many: four of the largest vectors, one of bytes."""

COMBINED = ("add", "multiply", "maximum", "minimum")
"""The reductions of accumulators and rows."""

CHOOSING = ("maximum", "minimum")
"""Those whose results are some of the numbers."""

MOST_ROWS = 8192
"""Rows at most whose sums are added up one after the other. The error of more would be larger than NumPy's."""

SHORT_SUM = 7
"""Elements at most of rows whose columns are added up side by side, however many rows there are."""


class Place(NamedTuple):
    """The movement of an array by positions: the index array, the bytes for each position, the number of positions, and
    whether negative ones, and they alone, are the last one; else they count from the end."""

    array: str
    stride: int
    size: int
    last: bool = False


class Array(NamedTuple):
    """An array of a kernel. Its role is "out", or one of `READ` or `COMBINED`. `offset`: the bytes before its first
    element.

    `shape` is that of the whole argument; the loops may reach a part of it. `bounds`: for each loop the first index at
    which an input is read and the first at which it is not read any more; empty if it is always read. `at`: the index
    arrays that move it, beside the loops. `same`: an array before that is the same argument. `paired`: whether the
    argument is complex; then dtype and shape are those of its parts, with a last dimension of two.
    """

    role: str
    name: str
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    bounds: tuple[tuple[int, int], ...] = ()
    at: tuple[Place, ...] = ()
    same: str = ""
    paired: bool = False

    @property
    def argument(self) -> tuple[str, tuple[int, ...]]:
        """The dtype and the shape of the argument."""
        return (COMPLEX[self.dtype], self.shape[:-1]) if self.paired else (self.dtype, self.shape)


@final
class Number(NamedTuple):
    """A number in a statement; its dtype may be left open."""

    value: float | int | bool
    dtype: str | None = None


Argument = str | Number


class Statement(NamedTuple):
    """`name = function(*arguments)`; `copy` gives a value another name. `dtype`: for `cast` and `bitcast`."""

    name: str
    function: str
    arguments: tuple[Argument, ...]
    dtype: str | None = None


@dataclass(frozen=True)
class Kernel:
    """A parsed kernel.

    `until`: the output, one bool, that ends the outermost loop where it is false; empty if none does.
    `pieces`: the number of pieces of the outermost loop for threads that share the kernel, or 0. Each piece has
    accumulators of its own, one behind the other.
    `flush`: whether results that are denormal are zeros; NumPy, where it runs the kernel, keeps them.
    `halves`: whether it computes with float16 as it is in memory (`with_halves`).
    """

    extents: tuple[int, ...]
    arrays: tuple[Array, ...]
    statements: tuple[Statement, ...]
    pieces: int = 0
    until: str = ""
    flush: bool = False
    halves: bool = False

    def __str__(self) -> str:
        return self._text

    def flushed(self) -> Kernel:
        """The kernel with zeros for denormal results, if it has floats."""
        return replace(self, flush=any("float" in array.dtype for array in self.arrays))

    @cached_property
    def indices(self) -> frozenset[str]:
        """The names of the index arrays."""
        return frozenset(array.name for array in self.arrays if array.role == INDEX)

    @cached_property
    def dtypes(self) -> frozenset[str]:
        """The dtypes of its arrays and numbers, and those that it casts to."""
        dtypes: set[str | None] = {array.dtype for array in self.arrays if array.role != INDEX}
        for statement in self.statements:
            dtypes.add(statement.dtype)
            dtypes.update([one.dtype for one in statement.arguments if one.__class__ is Number])
        return frozenset([dtype for dtype in dtypes if dtype])

    @cached_property
    def widths(self) -> frozenset[int]:
        """The bytes of its numbers in lanes that are not narrow: one size, or the kernel is wrong."""
        return frozenset([LANES[dtype] for dtype in self.dtypes if dtype in LANES])

    @cached_property
    def _text(self) -> str:
        lines = [f"shared {self.pieces}"] if self.pieces else [f"while {self.until}"] if self.until else []
        lines += ["flush"] * self.flush
        lines.append(" ".join(map(str, ("over", *self.extents))))
        for array in self.arrays:
            words: tuple[object, ...] = (array.role, array.name, format_type(*array.argument), *array.strides)
            words += ("is", array.same) if array.same else ()
            words += (f"from {array.offset}",) if array.offset else ()
            words += ("at", *[word for place in array.at for word in _place_words(place)]) if array.at else ()
            words += ("within", *[index for bounds in array.bounds for index in bounds]) if array.bounds else ()
            lines.append(" ".join(map(str, words)))
        lines += map(format_statement, self.statements)
        return "\n".join(lines)


def _place_words(place: Place) -> tuple[object, ...]:
    return place.array, place.stride, f"{place.size}-" if place.last else place.size


def piece_rows(kernel: Kernel) -> int:
    """The number of rows of a piece of a shared kernel: all pieces have as many, but for the last one. Those of columns
    begin where a loop over vectors may."""
    least = -(-kernel.extents[0] // kernel.pieces)
    return least if len(kernel.extents) > 1 else -(-least // SHARED_COLUMNS) * SHARED_COLUMNS


def format_type(dtype: str, shape: Sequence[int]) -> str:
    """A dtype and a shape as one word."""
    return f"{dtype}[{','.join(map(str, shape))}]"


def format_statement(statement: Statement) -> str:
    """A statement's line."""
    if statement.function == "copy":
        return f"{statement.name} = {format_argument(statement.arguments[0])}"
    words = [format_argument(argument) for argument in statement.arguments]
    if statement.dtype is not None:
        words.append(statement.dtype)
    return f"{statement.name} = {statement.function}({', '.join(words)})"


def format_argument(argument: Argument) -> str:
    """A name or number."""
    if isinstance(argument, str):
        return argument
    return repr(argument.value) if argument.dtype is None else f"{argument.dtype}({argument.value!r})"


_STATEMENT = r"(\w+) = (?:(\w+)\((.*)\)|(\S+))$"  # compiled when a text is parsed, which few programs do
_TYPED = r"(\w+)\((\S+)\)$"
_TYPE = r"(\w+)\[([\d,]*)\]$"


def parse(text: str) -> Kernel:
    """Parse a kernel. ValueError names the line that is wrong."""
    extents: tuple[int, ...] = ()
    arrays: list[Array] = []
    statements: list[Statement] = []
    pieces, until, flush = 0, "", False
    for line in filter(None, map(str.strip, text.splitlines())):
        try:
            if " = " in line:
                statements.append(_statement(line))
            elif line.startswith("shared "):
                pieces = int(line.removeprefix("shared "))
            elif line.startswith("while "):
                until = line.removeprefix("while ")
            elif line == "flush":
                flush = True
            elif line.startswith("over "):
                extents = tuple(map(int, line.split()[1:]))
            else:
                arrays.append(_array(line))
        except ValueError:
            raise ValueError(f"a line of a kernel cannot be read: {line!r}") from None
    return Kernel(extents, tuple(arrays), tuple(statements), pieces, until, flush)


def _array(line: str) -> Array:
    line, _, within = line.partition(" within ")
    line, _, at = line.partition(" at ")
    line, _, offset = line.partition(" from ")
    line, _, same = line.partition(" is ")
    role, name, type, *strides = line.split()
    match = re.match(_TYPE, type)
    if role not in (*READ, "out", *COMBINED) or match is None or not _is_name(name):
        raise ValueError
    dtype, shape = PAIRS.get(match[1], match[1]), tuple(map(int, match[2].split(","))) if match[2] else ()
    paired = dtype != match[1]
    if dtype not in SIZES:
        raise ValueError
    shape += (2,) * paired
    cuts = list(map(int, within.split()))
    bounds = tuple(zip(cuts[::2], cuts[1::2], strict=True))
    words = at.split()
    places = zip(words[::3], words[1::3], words[2::3], strict=True)
    found = tuple(Place(name, int(stride), int(size.rstrip("-")), size.endswith("-")) for name, stride, size in places)
    return Array(role, name, dtype, shape, tuple(map(int, strides)), int(offset or 0), bounds, found, same, paired)


def _statement(line: str) -> Statement:
    match = re.match(_STATEMENT, line)
    if match is None:
        raise ValueError
    name, function, words, copied = match.groups()
    if not _is_name(name):
        raise ValueError
    if function is None or function in SIZES:
        return Statement(name, "copy", (_argument(copied or f"{function}({words})"),))
    arguments = words.split(", ")
    dtype = arguments.pop() if arguments[-1] in SIZES else None
    return Statement(name, function, tuple(map(_argument, arguments)), dtype)


def _argument(word: str) -> Argument:
    typed = re.match(_TYPED, word)
    if typed is not None and typed[1] in SIZES:
        return Number(_number(typed[2]), typed[1])
    return word if _is_name(word) else Number(_number(word))


def _is_name(word: str) -> bool:
    return word.isidentifier() and word not in ("True", "False", "inf", "nan")


def _number(word: str) -> float | int | bool:
    if word in ("True", "False"):
        return word == "True"
    try:
        return int(word)
    except ValueError:
        return float(word)


def without_names(kernel: Kernel) -> Kernel:
    """The kernel with arrays and values numbered. Kernels that differ only in names become equal."""
    names = names_of(kernel)
    numbered = [f"v{number}" for number in range(len(names))]
    return kernel if names == numbered else renamed(kernel, dict(zip(names, numbered, strict=True)))


def text_without_names(text: str) -> str:
    """A kernel's text with arrays and values numbered."""
    return str(without_names(parse(text)))


def names_of(kernel: Kernel) -> list[str]:
    """The names of a kernel's arrays and values, without repetition."""
    names = [array.name for array in kernel.arrays]
    names += [statement.name for statement in kernel.statements]
    return list(dict.fromkeys(names))


def renamed(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    """The kernel with other names; `names` has a new one for each.

    A name that nothing in the kernel has gets a question mark, so that it cannot become one of the new names.
    """
    arrays = []
    for role, name, kind, shape, strides, offset, bounds, at, same, paired in kernel.arrays:
        if at:
            at = tuple([place._replace(array=names.get(place.array, f"{place.array}?")) for place in at])
        same = names[same] if same else ""
        arrays.append(Array(role, names[name], kind, shape, strides, offset, bounds, at, same, paired))
    statements = []
    for name, function, arguments, dtype in kernel.statements:
        new = tuple([names.get(a, f"{a}?") if isinstance(a, str) else a for a in arguments])
        statements.append(Statement(names[name], function, new, dtype))
    until = names.get(kernel.until, f"{kernel.until}?") if kernel.until else ""
    return Kernel(kernel.extents, tuple(arrays), tuple(statements), kernel.pieces, until, kernel.flush)


def adds_up(dtype: str) -> bool:
    """Whether kernels have reductions, scans and sums at positions of a dtype. Those of halves are of float32."""
    return SIZES[dtype] == LANES.get(dtype) and not dtype.startswith("uint")


def elements(array: Array, extents: Sequence[int]) -> int:
    """The number of elements that the loops reach of an array, if they reach none twice; all of one that is scattered
    to.
    """
    if array.at:
        return math.prod(array.shape)
    return math.prod(extent for extent, stride in zip(extents, array.strides, strict=True) if stride)


def spacing(array: Array, extents: Sequence[int]) -> int:
    """The bytes from one element of an accumulator to the next."""
    size = SIZES[array.dtype]
    moves = [stride for stride, extent in zip(array.strides, extents, strict=True) if stride and extent > 1]
    return size if array.at else min(moves, default=size)


def is_part(array: Array) -> bool:
    """Whether an accumulator shares the memory of another one, which is initialised."""
    return array.role in COMBINED and bool(array.at) and array.offset > 0


def is_divided(array: Array, kernel: Kernel) -> bool:
    """Whether each index of the outermost loop has accumulators of its own, one after the other, so that the pieces of
    a shared kernel, if all are as large, need no others."""
    rows, step, size = kernel.extents[0], array.strides[0], SIZES[array.dtype]
    if array.role not in COMBINED or rows % piece_rows(kernel) or step * rows != math.prod(array.shape) * size:
        return False
    moves = [*zip(array.strides[1:], kernel.extents[1:], strict=True), *[(at.stride, at.size) for at in array.at]]
    last = array.offset + sum([stride * (extent - 1) for stride, extent in moves])
    return last < step and all(stride >= 0 for stride, _ in moves)


def accumulators(array: Array, kernel: Kernel) -> int:
    """The number of accumulators of a piece, or of a kernel that is not shared."""
    if kernel.pieces and is_divided(array, kernel):
        return elements(array, kernel.extents) // kernel.extents[0] * piece_rows(kernel)
    return elements(array, kernel.extents) // (kernel.pieces if kernel.pieces and array.at else 1)


def piece_bytes(array: Array, kernel: Kernel) -> int:
    """The bytes from the accumulators of one piece of a shared kernel to those of the next one."""
    if is_divided(array, kernel):
        return piece_rows(kernel) * array.strides[0]
    return math.prod(array.shape) // kernel.pieces * SIZES[array.dtype]  # others may be between these accumulators


def crosses(array: Array, loop: int, extents: Sequence[int]) -> bool:
    """Whether a loop leaves the bounds of an array."""
    return bool(array.bounds) and array.bounds[loop] != (0, extents[loop])


def moves_along(array: Array, loop: int, kernel: Kernel) -> bool:
    """Whether another index of a loop is, or may be, another element of an array."""
    if array.strides[loop] and kernel.extents[loop] > 1:
        return True
    if not array.at:
        return bool(array.bounds) and crosses(array, loop, kernel.extents)
    if is_computed(array, kernel):
        return kernel.extents[-1] > 1
    indices = {place.array for place in array.at}
    return any(moves_along(other, loop, kernel) for other in kernel.arrays if other.name in indices)


def is_computed(array: Array, kernel: Kernel) -> bool:
    """Whether values of the kernel, not index arrays, give an array's positions."""
    return bool(array.at) and array.at[0].array not in kernel.indices


def is_scattered(array: Array, kernel: Kernel) -> bool:
    """Whether an array goes from column to column by positions, not only from row to row."""
    if not array.at:
        return False
    last = len(kernel.extents) - 1
    if is_computed(array, kernel):
        return kernel.extents[last] > 1
    indices = {place.array for place in array.at}
    return any(moves_along(one, last, kernel) for one in kernel.arrays if one.name in indices)

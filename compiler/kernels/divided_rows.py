"""Strip mining: a kernel over one long axis becomes one over rows, which threads can share.

    over 1000000                                       over 20 50000
    in x float32[1000000] 4 from -4 within 1 1000000   in x_m float32[1000000] 200000 4 from -4 within 1 20 0 50000
    add s float32[] 0                                  in x_e float32[1000000] 200000 4 from -4 within 0 1 1 50000
    s_row = row_add(x)                                 add s float32[] 0 0
    s = s_row                                          x = overlay(x_m, x_e)
                                                       …

What is read within bounds is one array in the rows that are inside, and another one in each row that a bound divides.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.language import COMBINED, SCAN, Array, Kernel, Statement, is_computed, names_of, without_names
from ...runtime.native.stages import width_of
from ...runtime.native.windows import column_cuts, main_rows
from .loop_nest import LANES
from .translator import Translation

LEAST = 2048  # columns of a row that a bound may divide
MOST = 64  # of these rows


def divided(translation: Translation, rows: int) -> Translation:
    """A translation over at least so many rows, or fewer; the same one if it is not over one axis, or cannot be
    divided."""
    kernel = translation.kernel
    if len(kernel.extents) != 1 or kernel.pieces or any(array.role == "state" for array in kernel.arrays):
        return translation
    if any(is_computed(array, kernel) or (array.at and array.role == "out") for array in kernel.arrays):
        return translation
    (size,) = kernel.extents
    counts = range(MOST, 1, -1) if any(array.bounds for array in kernel.arrays) else range(rows, 1, -1)
    count = next((n for n in counts if not size % (LANES * n) and size // n >= LEAST), None)
    if count is None:
        return translation
    strips = _Strips(kernel, count)
    try:
        made = strips.run()
        check(made)
        column_cuts(made, width_of(made))
    except Unsupported:
        return translation
    spans = [(end - start) / made.extents[loop] for loop, (start, end) in main_rows(made).items()]
    if math.prod(spans) < 0.75:  # other rows take longer
        return translation
    known = dict(zip(names_of(kernel), translation.origins, strict=True))
    inputs = [translation.inputs[position] for position in strips.read]
    origins = tuple([known[strips.origin.get(name, name)] for name in names_of(made)])
    return replace(translation, kernel=without_names(made), origins=origins, inputs=tuple(inputs))


class _Strips:
    """One kernel while it is divided.

    Attributes:
        origin: for each new name the old one.
        read: for each array that is read the number of the old one.
    """

    def __init__(self, kernel: Kernel, count: int) -> None:
        self.kernel = kernel
        self.count = count
        self.part = kernel.extents[0] // count
        self.origin: dict[str, str] = {}
        self.read: list[int] = []
        self.arrays: list[Array] = []
        self.statements: list[Statement] = []

    def run(self) -> Kernel:
        """The kernel with a loop over rows around its columns."""
        totals = self.totals()
        for position, array in enumerate(self.kernel.arrays):
            strides = (array.strides[0] * self.part, array.strides[0])
            wide = array._replace(strides=strides, role=totals.get(array.name, array.role))
            if array.bounds:
                self.bounded(position, wide)
                continue
            self.arrays.append(wide)
            if array.role not in ("out", *COMBINED):
                self.read.append(position)
        for statement in self.kernel.statements:
            if statement.name in totals and statement.function.startswith("row_"):
                name = f"{statement.name}_part"
                self.origin[name] = statement.name
                self.statements.append(statement._replace(name=name))
                statement = Statement(statement.name, "copy", (name,))
            self.statements.append(statement)
        return Kernel((self.count, self.part), tuple(self.arrays), tuple(self.statements))

    def totals(self) -> dict[str, str]:
        """The reductions of each array of one element. Raises `Unsupported` if a reduction is used in another way."""
        arrays, found = {array.name: array for array in self.kernel.arrays}, dict[str, str]()
        reduced: dict[object, str] = {}
        for name, function, arguments, _ in self.kernel.statements:
            array = arrays.get(name)
            if function.startswith(SCAN):
                raise Unsupported("scans go along the whole axis")
            if function.startswith("row_"):
                reduced[name] = function.removeprefix("row_")
                if array is not None and array.role == "out":
                    found[name] = reduced[name]
            elif not reduced.keys().isdisjoint(arguments) and (
                function != "copy" or array is None or array.role != reduced[arguments[0]] or name in found
            ):
                raise Unsupported("a sum over all rows is read again")
            elif array is not None and array.role == "out" and not array.strides[0]:
                raise Unsupported("one element is written in all rows")
        if any(name in arguments for name in found for _, _, arguments, _ in self.kernel.statements):
            raise Unsupported("a sum over all rows is read again")
        return found

    def bounded(self, position: int, array: Array) -> None:
        """An array for the rows inside of the bounds, and one for each row that they divide."""
        ((low, high),), part = array.bounds, self.part
        first, last = -(-low // part), high // part
        parts = [((first, last), (0, part))] if first < last else []
        if low % part:
            row = low // part
            parts.append(((row, row + 1), (low % part, min(part, high - row * part))))
        if high % part and (high // part != low // part or not low % part):
            parts.append(((last, last + 1), (0, high % part)))
        names = [f"{array.name}_b{number}" for number in range(len(parts))]
        for name, bounds in zip(names, parts, strict=True):
            self.origin[name] = array.name
            self.read.append(position)
            self.arrays.append(array._replace(name=name, bounds=bounds))
        whole = names[0]
        for number, name in enumerate(names[1:-1], 1):
            self.origin[f"{array.name}_o{number}"] = array.name
            self.statements.append(Statement(f"{array.name}_o{number}", "overlay", (whole, name)))
            whole = f"{array.name}_o{number}"
        final = ("overlay", (whole, names[-1])) if len(names) > 1 else ("copy", (whole,))
        self.statements.append(Statement(array.name, *final))

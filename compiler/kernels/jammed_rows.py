"""Unroll and jam: several rows at a time where kernels add up rows, so that the sums are read and written less often,
and where the few vectors of a row are reduced one after the other.

over 900 512                              over 225 512
in x float32[900,512] 2048 4              in x_0 float32[900,512] 8192 4
add s float32[512] 0 4                    in x_1 float32[900,512] 8192 4 from 2048
s = x                                     in x_2, in x_3 …
                                          add s float32[512] 0 4
                                          s_1 = add(x_0, x_1)
                                          s_2 = add(s_1, x_2)
                                          s = add(s_2, x_3)
"""

from __future__ import annotations

from dataclasses import replace

from ...runtime.machine.executable import has_masked_vectors
from ...runtime.native.boundary import POINTERS
from ...runtime.native.builder import VECTOR, Unsupported
from ...runtime.native.check import check
from ...runtime.native.language import COMBINED, SCAN, Array, Kernel, Statement, names_of, without_names
from ...runtime.native.side_by_side import are_whole_rows
from ...runtime.native.stages import divide, width_of
from ...runtime.native.turned_rows import turned_inputs
from .translation import Translation

FACTORS = (4, 3, 2)  # rows at a time
SEVERAL = (4, 2)  # rows at a time that are reduced and read again
FEW_BYTES, MOST_BYTES = 8 * 64, 13 * 64  # of rows of which four, or two, fit
MOST_STATEMENTS = 64


def jammed(translation: Translation) -> Translation:
    """A translation whose iterations take several rows; the same one if it adds up none, or that is not better."""
    kernel = translation.kernel
    factor = _factor(kernel)
    if factor < 2:
        return translation
    jam = _Jam(kernel, factor)
    try:
        made = jam.run()
        check(made)
    except Unsupported:
        return translation
    known = dict(zip(names_of(kernel), translation.origins, strict=True))
    count = len(translation.inputs)
    positions = [jam.position[array.name] for array in made.arrays]
    return replace(
        translation,
        kernel=without_names(made),
        origins=tuple([known[jam.origin[name]] for name in names_of(made)]),
        inputs=tuple([translation.inputs[position] for position in positions if position < count]),
        outputs=tuple([translation.outputs[position - count] for position in positions if position >= count]),
    )


def _factor(kernel: Kernel) -> int:
    """The number of rows at a time; 1 for kernels that add up no rows, or are no loop over them and their columns.
    Of rows that are reduced and read again, a softmax say, the steps of each wait for one another: several are computed
    side by side, as long as registers have them."""
    if len(kernel.extents) < 2 or kernel.pieces or kernel.extents[-1] < VECTOR // width_of(kernel):
        return 1
    if any(array.at or array.bounds or array.role == "state" for array in kernel.arrays) or turned_inputs(kernel):
        return 1
    if any(statement.function.startswith(SCAN) for statement in kernel.statements):
        return 1
    sums = [array for array in kernel.arrays if array.role in COMBINED]
    factors: tuple[int, ...] = FACTORS
    if any(statement.function.startswith("row_") for statement in kernel.statements):
        nbytes, most = kernel.extents[-1] * width_of(kernel), MOST_BYTES // width_of(kernel)
        fits = nbytes > 64 and has_masked_vectors() and are_whole_rows(divide(kernel), most, most)
        factors = () if not fits else SEVERAL if nbytes <= FEW_BYTES else SEVERAL[1:]
    elif not any(array.strides[-1] and not array.strides[-2] for array in sums):
        return 1
    moving = sum(array.strides[-2] != 0 for array in kernel.arrays)
    for factor in factors:
        arrays = len(kernel.arrays) + (factor - 1) * moving
        fits = arrays <= len(POINTERS) and factor * len(kernel.statements) <= MOST_STATEMENTS
        if fits and not kernel.extents[-2] % factor:
            return factor
    return 1


class _Jam:
    """One kernel while its rows are put together.

    Attributes:
        origin: for each new name the old one.
        position: for each new array that of the old one.
    """

    def __init__(self, kernel: Kernel, factor: int) -> None:
        self.kernel = kernel
        self.factor = factor
        self.statements: list[Statement] = []
        self.origin: dict[str, str] = {}
        self.position: dict[str, int] = {}
        self.split = {array.name for array in kernel.arrays if array.strides[-2]}
        self.sums = {array.name: array for array in kernel.arrays if array.role in COMBINED and not array.strides[-2]}

    def run(self) -> Kernel:
        """The kernel with fewer, thicker rows."""
        kernel, arrays = self.kernel, list[Array]()
        for statement in kernel.statements:
            if not self.split.isdisjoint(statement.arguments) or statement.name in self.sums:
                self.split.add(statement.name)
        for position, array in enumerate(kernel.arrays):
            moves = array.strides[-2]
            strides = (*array.strides[:-2], moves * self.factor, array.strides[-1])
            for row in range(self.factor if moves else 1):
                name = self.part(array.name, row) if moves else array.name
                self.origin[name], self.position[name] = array.name, position
                arrays.append(array._replace(name=name, strides=strides, offset=array.offset + row * moves))
        for statement in kernel.statements:
            self.statement(statement)
        extents = (*kernel.extents[:-2], kernel.extents[-2] // self.factor, kernel.extents[-1])
        return Kernel(extents, tuple(arrays), tuple(self.statements))

    def part(self, name: str, row: int) -> str:
        """The name of a value in a row; a value that all rows share has one name."""
        return f"{name}_j{row}" if name in self.split else name

    def add(self, name: str, function: str, arguments: tuple[object, ...], old: str, dtype: str | None = None) -> None:
        """Append a statement. `old` is the name in the old kernel that it serves."""
        self.origin[name] = old
        self.statements.append(Statement(name, function, arguments, dtype))  # type: ignore[arg-type]

    def statement(self, statement: Statement) -> None:
        """The statements that a statement becomes."""
        name, function, arguments, dtype = statement
        rows = [self.part(name, row) for row in range(self.factor if name in self.split else 1)]
        for row, new in enumerate(rows):
            given = tuple([self.part(x, row) if isinstance(x, str) else x for x in arguments])
            self.add(new, function, given, name, dtype)
        array = self.sums.get(name)
        if array is None:
            return
        total = rows[0]
        for row, new in enumerate(rows[1:], 1):
            part = name if row == self.factor - 1 else f"{name}_t{row}"
            self.add(part, array.role, (total, new), name)
            total = part

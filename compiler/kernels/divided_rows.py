"""Strip mining: a kernel that adds up along one long axis becomes one over rows, which threads can share.

over 1000000                       over 20 50000
in x float32[1000000] 4            in x float32[1000000] 200000 4
out s float32[] 0                  add s float32[] 0 0
s = row_add(x)                     s_part = row_add(x)
                                   s = s_part
"""

from __future__ import annotations

from dataclasses import replace

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.language import SCAN, Kernel, Statement, is_computed, names_of, without_names
from .loop_nest import LANES
from .translation import Translation

LEAST = 2048  # columns of a row


def divided(translation: Translation, rows: int) -> Translation:
    """A translation over at least so many rows, or fewer; the same one if it is not over one axis, or cannot be
    divided."""
    kernel = translation.kernel
    if len(kernel.extents) != 1 or any(array.role == "state" or array.bounds for array in kernel.arrays):
        return translation
    if any(is_computed(array, kernel) or (array.at and array.role == "out") for array in kernel.arrays):
        return translation
    (size,) = kernel.extents
    count = next((n for n in range(rows, 1, -1) if not size % (LANES * n) and size // n >= LEAST), None)
    if count is None:
        return translation
    strips = _Strips(kernel, count)
    try:
        made = strips.run()
        check(made)
    except Unsupported:
        return translation
    known = dict(zip(names_of(kernel), translation.origins, strict=True))
    origins = tuple([known[strips.origin.get(name, name)] for name in names_of(made)])
    return replace(translation, kernel=without_names(made), origins=origins)


class _Strips:
    """One kernel while it is divided.

    Attributes:
        origin: for each new name the old one.
    """

    def __init__(self, kernel: Kernel, count: int) -> None:
        self.kernel = kernel
        self.count = count
        self.part = kernel.extents[0] // count
        self.origin: dict[str, str] = {}
        self.statements: list[Statement] = []

    def run(self) -> Kernel:
        """The kernel with a loop over rows around its columns."""
        totals = self.totals()
        arrays = [
            each._replace(strides=(each.strides[0] * self.part, each.strides[0]), role=totals.get(each.name, each.role))
            for each in self.kernel.arrays
        ]
        for statement in self.kernel.statements:
            if statement.name in totals and statement.function.startswith("row_"):
                name = f"{statement.name}_part"
                self.origin[name] = statement.name
                self.statements.append(statement._replace(name=name))
                statement = Statement(statement.name, "copy", (name,))
            self.statements.append(statement)
        return Kernel((self.count, self.part), tuple(arrays), tuple(self.statements))

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

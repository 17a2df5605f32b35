"""Loop-invariant factors leave the sums of rows, where that saves a pass over the row.

    s = row_add(e)                            s = row_add(e)
    r = divide(1.0, s)                        r = divide(1.0, s)
    y = multiply(e, r)                        xe = multiply(x, e)
    xy = multiply(x, y)                       t_0 = row_add(xe)
    t = row_add(xy)                           t = multiply(t_0, r)

A sum of products with values of the row is these values times sums (distributivity), and those may be known a pass
earlier. So the gradients of a softmax and of a layer norm take three passes instead of four. Each term is a product:
its rounding is as large as what the other order may lose. New products are of exponentials below 1 alone, as a
softmax has: other factors may keep numbers in range, as a scale does that is the greatest of the row.
"""

from __future__ import annotations

from dataclasses import replace

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.language import Argument, Kernel, Statement, names_of, without_names
from ...runtime.native.stages import COLUMN, KernelStages, divide
from ...runtime.records import NamedTuple
from .overwritten import overwritten
from .translation import Translation

SUM = "row_add"
MOST_TERMS = 3
DEEPEST = 32  # of statements between a sum and a factor
FLOATS = frozenset({"float32", "float64"})


class Term(NamedTuple):
    """A column value times, or divided by, values of the row: pairs of a function and its second argument."""

    column: str
    factors: tuple[tuple[str, Argument], ...] = ()
    negative: bool = False


def with_early_sums(translation: Translation) -> Translation:
    """A translation with fewer passes over a row; the same one if there are no such sums."""
    kernel = translation.kernel
    if sum(statement.function.startswith("row_") for statement in kernel.statements) < 2:
        return translation
    stages = divide(kernel)
    if not any(statement.function == SUM and stages.stage[statement.name] > 1 for statement in kernel.statements):
        return translation  # no sum waits for another one
    sums = _EarlySums(kernel, stages, dict(check(kernel)))
    try:
        made = sums.run()
        if made is kernel or divide(made).passes >= stages.passes:
            return translation
        check(made)
    except Unsupported:
        return translation
    known = dict(zip(names_of(kernel), translation.origins, strict=True))
    return replace(
        translation,
        kernel=without_names(made),
        origins=tuple([known[sums.origin.get(name, name)] for name in names_of(made)]),
        in_place=frozenset([p for p in overwritten(made, translation.inputs) if p in translation.in_place]),
    )


class _EarlySums:
    """One kernel while sums are taken apart. `origin`: for each new name the old one that it serves."""

    def __init__(self, kernel: Kernel, stages: KernelStages, dtypes: dict[str, str]) -> None:
        self.kernel, self.dtypes = kernel, dtypes
        self.known = stages.statements
        self.level, self.stage = dict(stages.level), dict(stages.stage)
        self.statements: list[Statement] = []
        self.origin: dict[str, str] = {}
        self.found: dict[str, list[Term]] = {}  # so that values which many read are looked at once

    def run(self) -> Kernel:
        """The kernel with sums that are known earlier; the same one if there are none."""
        for statement in self.kernel.statements:
            (name, *_), argument = statement, statement.arguments[0]
            if statement.function == SUM and isinstance(argument, str) and self.dtypes[argument] in FLOATS:
                terms = self.terms(argument)
                if max(self.stage[term.column] for term in terms) < self.stage[argument]:
                    self.add_up(name, terms)
                    continue
            self.statements.append(statement)
        if not self.origin:
            return self.kernel
        return replace(self.kernel, statements=_without_dead(self.kernel, self.statements))

    def new(self, name: str, function: str, arguments: tuple[Argument, ...], old: str) -> str:
        """Append a statement, and give its name."""
        self.origin[name] = old
        self.stage[name] = max([self.stage[x] for x in arguments if isinstance(x, str)])
        self.dtypes[name] = self.dtypes[old]
        self.statements.append(Statement(name, function, arguments))
        return name

    def terms(self, name: str, depth: int = 0) -> list[Term]:
        """The terms of a column value, at least one. All are products where there are several."""
        if name not in self.found:
            self.found[name] = self.terms_anew(name, depth + 1)
        return self.found[name]

    def terms_anew(self, name: str, depth: int) -> list[Term]:
        """`terms` of a value that is looked at first, so many statements behind a sum."""
        statement = self.known.get(name)
        if statement is None or self.dtypes[name] not in FLOATS or depth > DEEPEST:
            return [Term(name)]
        columns = [x for x in statement.arguments if isinstance(x, str) and self.level[x] == COLUMN]
        found: list[Term] = []
        match statement.function, statement.arguments:
            case "copy", (str(x),):
                found = self.terms(x, depth)
            case ("multiply" | "divide") as function, (x, y) if columns == [x]:
                found = [term._replace(factors=(*term.factors, (function, y))) for term in self.terms(str(x), depth)]
            case "multiply", (x, y) if columns == [y]:
                found = [term._replace(factors=(*term.factors, ("multiply", x))) for term in self.terms(str(y), depth)]
            case "multiply", (str(x), str(y)) if len(columns) == 2 and x != y:
                found = self.product(name, x, y, depth)
            case ("add" | "subtract") as function, (str(x), str(y)) if len(columns) == 2 and x != y:
                second = self.terms(y, depth)
                if function == "subtract":
                    second = [term._replace(negative=not term.negative) for term in second]
                found = [*self.terms(x, depth), *second]
                if not all(term.factors for term in found):
                    found = []
        return found if 0 < len(found) <= MOST_TERMS else [Term(name)]

    def product(self, name: str, x: str, y: str, depth: int) -> list[Term]:
        """The product of a column value and an exponential that has factors; none if that is no term."""
        first, second = self.terms(x, depth), self.terms(y, depth)
        if len(first) > 1 or len(second) > 1 or bool(first[0].factors) == bool(second[0].factors):
            return []
        columns = first[0].column, second[0].column
        late = max(self.stage[column] for column in columns) >= self.stage[name]
        if late or self.dtypes[columns[0]] != self.dtypes[columns[1]]:
            return []
        if not self.is_below_one(columns[not first[0].factors]):
            return []
        column = f"{name}_p"
        if column not in self.origin:
            self.new(column, "multiply", columns, name)
        return [Term(column, first[0].factors + second[0].factors, first[0].negative != second[0].negative)]

    def is_below_one(self, column: str) -> bool:
        """Whether a column value is an exponential of differences from the greatest number of the row."""
        difference = self.argument_of(column, "exp")
        greatest = self.argument_of(difference, "subtract")
        return self.argument_of(greatest, "row_maximum") is not None

    def argument_of(self, made: Argument | None, function: str) -> Argument | None:
        """The last argument of the statement of a function that makes a value."""
        statement = self.known.get(str(made))
        return statement.arguments[-1] if statement is not None and statement.function == function else None

    def add_up(self, name: str, terms: list[Term]) -> None:
        """Write a sum as sums of terms, times their factors."""
        total = ""
        for number, (column, factors, negative) in enumerate(terms):
            part = self.new(f"{name}_s{number}", SUM, (column,), name)
            for count, (function, factor) in enumerate(factors):
                part = self.new(f"{name}_s{number}_{count}", function, (part, factor), name)
            if negative and not total:
                part = self.new(f"{name}_s{number}_n", "negative", (part,), name)
            total = (
                self.new(f"{name}_t{number}", "subtract" if negative else "add", (total, part), name) if total else part
            )
        self.statements.append(Statement(name, "copy", (total,)))


def _without_dead(kernel: Kernel, statements: list[Statement]) -> tuple[Statement, ...]:
    """The statements whose values are read or written."""
    read: set[Argument] = {array.name for array in kernel.arrays}
    read |= {place.array for array in kernel.arrays for place in array.at}
    kept = list[Statement]()
    for statement in reversed(statements):
        if statement.name in read:
            read.update(statement.arguments)
            kept.append(statement)
    return tuple(kept[::-1])

"""The text of a loop of calls (`loop.py`), as the steps that machine code takes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any

from ..records import NamedTuple
from .executable import code_address

SAME_START = ("transpose", "swapaxes", "reshape")
"""Methods whose results start where the array does, if they are views."""


def _is_fixed(entry: ast.expr) -> bool:
    """Whether an entry of an index is a slice of constants, or a constant that makes no copy."""
    if isinstance(entry, ast.Slice):
        return all(part is None or _is_fixed(part) for part in (entry.lower, entry.upper, entry.step))
    try:
        return type(ast.literal_eval(entry)) in (int, type(None), type(...))
    except ValueError:
        return False


class OtherFormError(Exception):
    """A text is no loop of calls."""


class RowView(NamedTuple):
    """A view that is made before the first iteration: of the value `base`, and starting where that does if `same`.

    `row`: it is of the row of the iteration, of a base that stays. `moves`: it is, or it is a view of such a row.
    """

    base: str
    row: bool
    moves: bool
    same: bool


class LoopStep(NamedTuple):
    """A part of an iteration: a "call" of a function with values, a "count", which stores the iteration's number in an
    array, or a "test", which ends the loop if an array is false. The steps from a "skip" to a "repeat" run as long as
    theirs is true.

    `otherwise`: what is called with the values if a function of machine code returns False.
    """

    kind: str
    line: int
    values: tuple[str, ...]
    function: Any = None
    otherwise: Any = None


class StatementCall:
    """A statement as a function of the names that it reads, compiled when it is called first."""

    def __init__(self, code: ast.stmt, names: Sequence[str], function: FunctionType) -> None:
        self.code = code
        self.names = names
        self.function = function

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The function. Of a name that comes twice the last parameter counts."""
        late = [name in self.names[at + 1 :] for at, name in enumerate(self.names)]
        names = [f"_{at}" if later else name for at, (name, later) in enumerate(zip(self.names, late, strict=True))]
        return made_function(self.function, names, [self.code])

    def __call__(self, *values: Any) -> None:
        """Run the statement."""
        self.compiled(*values)


def made_function(like: FunctionType, names: Sequence[str], body: Sequence[ast.stmt]) -> Callable[..., Any]:
    """A function of these statements, with the file and the globals of another one."""
    tree = ast.parse(f"def {like.__name__}({', '.join(names)}): pass")
    tree.body[0].body = list(body)  # type: ignore[attr-defined]
    space: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(tree), like.__code__.co_filename, "exec"), like.__globals__, space)
    found: Callable[..., Any] = space[like.__name__]
    return found


class LoopText:
    """What a function that consists of a loop does.

    Attributes:
        names: its parameters.
        line: where it begins.
        length: how many iterations there are; None if a test ends them.
        extent: how many rows the iterations reach.
        first, step: the number of the first iteration, and how it changes.
        views: what is made before the first iteration, by name.
        steps: of an iteration.
        total: the array that gets the number of iterations of a loop with tests.
        swapped: arrays that change roles after each iteration, both ways.
    """

    def __init__(self, function: Any, tree: ast.AST) -> None:
        self.function = function
        self.views: dict[str, RowView] = {}
        self.steps: list[LoopStep] = []
        self.making: list[ast.stmt] = []
        self.length: int | None = None
        self.extent, self.first, self.step, self.total = 0, 0, 1, ""
        self.swapped: dict[str, str] = {}
        if not isinstance(tree, ast.FunctionDef):
            raise OtherFormError
        self.names, self.line = [each.arg for each in tree.args.args], tree.lineno
        repeated = self.head(tree.body)
        for statement in repeated:
            self.statement(statement)
        if any(view.base in self.swapped for view in self.views.values()):
            raise OtherFormError
        self.make = None
        if self.views:
            start = ast.parse(f"{self.counter} = {self.first}").body
            give = ast.parse(f"return ({', '.join(self.views)},)").body
            # What cannot be made here may never be made, or a check above it may fail before.
            otherwise = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])
            tried = ast.Try([*self.making, *give], [otherwise], [], [])
            self.make = made_function(function, self.names, [*start, tried])

    def head(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Read what surrounds an iteration. Returns its statements."""
        match body:
            case [ast.For(ast.Name(counter), ast.Call(ast.Name("range"), arguments, []), repeated, [])]:
                bounds = range(*map(ast.literal_eval, arguments))
                if bounds and min(bounds[0], bounds[-1]) >= 0:
                    self.counter, self.length, self.extent = counter, len(bounds), max(bounds[0], bounds[-1]) + 1
                    self.first, self.step = bounds.start, bounds.step
                    return repeated
            case [
                ast.Assign([ast.Name(counter)], ast.Constant(0)),
                ast.While(ast.Constant(True), [*repeated, ast.AugAssign(ast.Name(added), ast.Add(), ast.Constant(1))]),
                ast.Assign([ast.Subscript(ast.Name(total), ast.Tuple([]))], ast.Name(given)),
            ] if counter == added == given:
                self.counter, self.total = counter, total
                self.known(total)
                return repeated
        raise OtherFormError

    def known(self, *names: str) -> tuple[str, ...]:
        """The names, if they are values of the loop or constants."""
        if all(name in self.names or name in self.views or name in self.function.__globals__ for name in names):
            return names
        raise OtherFormError

    def statement(self, code: ast.stmt) -> None:
        """Read a statement of an iteration."""
        if self.swapped and not isinstance(code.targets[0] if isinstance(code, ast.Assign) else None, ast.Tuple):
            raise OtherFormError  # what has changed roles is not looked at before the next iteration
        match code:
            case ast.Assign([ast.Name(name)], value):
                if name in self.names or name in self.views or name in self.function.__globals__:
                    raise OtherFormError
                self.views[name] = self.view(value)
                self.making.append(code)
            case ast.Assign([ast.Subscript(ast.Name(array), ast.Tuple([]))], ast.Name(self.counter)):
                self.steps.append(LoopStep("count", code.lineno, self.known(array)))
            case ast.If(ast.UnaryOp(ast.Not(), ast.Name(test)), [ast.Break()], []) if self.total:
                self.steps.append(LoopStep("test", code.lineno, self.known(test)))
            case ast.Assign([ast.Subscript(ast.Name(), ast.Constant() | ast.Tuple([]))], ast.Name()):
                self.steps.append(self.python(code))
            case ast.Assign([ast.Tuple([ast.Name(a), ast.Name(b)])], ast.Tuple([ast.Name(c), ast.Name(d)])) if (
                (a, b) == (d, c) and a != b and self.length is not None
            ):
                if not {a, b} <= {*self.names} or not self.swapped.keys().isdisjoint((a, b)):
                    raise OtherFormError
                self.swapped |= {a: b, b: a}
            case ast.Expr(value):
                self.steps.append(self.call(code, value))
            case ast.While(ast.Name(test), [ast.Expr(value) as repeated], []):
                tested = self.known(test)
                self.steps.append(LoopStep("skip", code.lineno, tested))
                self.steps.append(self.call(repeated, value))
                self.steps.append(LoopStep("repeat", code.lineno, tested))
            case _:
                raise OtherFormError

    def view(self, value: ast.expr) -> RowView:
        """Read the expression of a view."""
        match value:
            case ast.Subscript(ast.Name(base), index):
                (base,), moved = self.known(base), base in self.views and self.views[base].moves
                if all(map(_is_fixed, index.elts if isinstance(index, ast.Tuple) else [index])):
                    return RowView(base, False, moved, False)
                if moved or not self.extent or ast.unparse(index) not in (self.counter, f"({self.counter}, ...)"):
                    raise OtherFormError
                return RowView(base, True, True, True)
            case ast.Attribute(ast.Name(base), "T"):
                arguments: list[ast.expr] = []
            case ast.Call(ast.Attribute(ast.Name(base), method), arguments, []) if method in SAME_START:
                pass
            case _:
                raise OtherFormError
        for argument in arguments:
            ast.literal_eval(argument)
        (base,) = self.known(base)
        return RowView(base, False, base in self.views and self.views[base].moves, True)

    def call(self, code: ast.stmt, value: ast.expr) -> LoopStep:
        """Read a call, and what is done if its function does not take the arrays."""
        first = value.values[0] if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or) else value
        match first:
            case ast.Call(ast.Name(name), [*arguments], []) if name in self.function.__globals__:
                given = [argument.id for argument in arguments if isinstance(argument, ast.Name)]
                function, otherwise = self.function.__globals__[name], None
                if code_address(function) is not None and self.reads(code) <= {*given}:
                    otherwise = StatementCall(code, given, self.function)
                if len(given) == len(arguments) and (otherwise or first is value):
                    return LoopStep("call", code.lineno, self.known(*given), function, otherwise)
        return self.python(code)

    def python(self, code: ast.stmt) -> LoopStep:
        """A statement that Python runs."""
        names = sorted(self.reads(code))
        return LoopStep("call", code.lineno, self.known(*names), StatementCall(code, names, self.function).compiled)

    def reads(self, code: ast.stmt) -> set[str]:
        """The values of the loop that a statement reads."""
        named = {each.id for each in ast.walk(code) if isinstance(each, ast.Name)}
        return {name for name in named if name in self.names or name in self.views or name == self.counter}

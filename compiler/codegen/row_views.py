"""Counted loops in Python: their rows are iterated over, and what is the same in each iteration is made before.

    slice_1 = x[:, 0:4]
    for i, row in zip(range(64), w):

To go through an array takes less time than to take rows from it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from ..ir.loops import Loop
from .python_code import parse_line, parsed, text_of
from .writer import Writer


def counted_loop(writer: Writer, loop: Loop, inside: Sequence[ast.stmt], counter: str, total: str) -> None:
    """Write the for of a scan of `total` iterations, whose statements are `inside`."""
    targets = [counter]
    last = f"{int(total) - 1}" if total.isdecimal() else f"{total} - 1"
    sources = [f"range({last}, -1, -1)" if loop.reverse else f"range({total})"]
    fixed, rows, inside = _sorted(writer, inside, counter)
    writer.body += fixed
    backwards = f"[{last}::-1]" if loop.reverse else ""
    targets += rows
    sources += [f"{base}{backwards}" for base in rows.values()]
    if inside:  # an iteration may have no statements, if no value changes
        steps = f"zip({', '.join(sources)})" if len(sources) > 1 else sources[0]
        repeated = _for(f"{', '.join(targets)} in {steps}")
        repeated.body = list(inside)
        writer.body.append(repeated)


def _sorted(
    writer: Writer, inside: Sequence[ast.stmt], counter: str
) -> tuple[list[ast.stmt], dict[str, str], list[ast.stmt]]:
    """The statements that make the same view in each iteration; names of rows, and of the arrays that they are of; and
    the other statements."""
    changed = {each.id for each in _walked(inside) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    made = {_name(statement) for statement in writer.body if _is_empty(statement)}
    fixed: list[ast.stmt] = []
    rows: dict[str, str] = {}
    others: list[ast.stmt] = []
    for statement in inside:
        name, code = _name(statement), parsed(statement.value) if isinstance(statement, ast.Assign) else None
        if not name or code is None:
            others.append(statement)
        elif isinstance(code, ast.Subscript) and isinstance(code.value, ast.Name) and _is_row(code, counter, changed):
            rows[name] = code.value.id
        elif _is_reshape_of(code, made - changed) or _is_fixed_part(code, changed):
            fixed.append(statement)
        else:
            others.append(statement)
    return fixed, rows, others


def _walked(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    for statement in statements:
        yield from ast.walk(statement)


def _is_row(code: ast.Subscript, counter: str, changed: Collection[str]) -> bool:
    """Whether code takes the row of this iteration from an array that the loop does not replace."""
    whole = isinstance(code.value, ast.Name) and code.value.id not in changed
    return whole and isinstance(code.slice, ast.Name) and code.slice.id == counter


def _is_empty(statement: ast.stmt) -> bool:
    """Whether a statement makes a new array, which has no gaps."""
    code = statement.value if isinstance(statement, ast.Assign) else None
    return code is not None and text_of(code).startswith("empty(")


def _is_reshape_of(code: ast.expr, names: Collection[str]) -> bool:
    """Whether code gives such an array another shape: a view, which is the same in each iteration."""
    if not isinstance(code, ast.Call) or not isinstance(code.func, ast.Attribute) or code.func.attr != "reshape":
        return False
    return isinstance(code.func.value, ast.Name) and code.func.value.id in names and _names_in(code.args) == set()


def _is_fixed_part(code: ast.expr, changed: Collection[str]) -> bool:
    """Whether code takes the same slice in each iteration, of an array that the loop does not replace."""
    if not isinstance(code, ast.Subscript) or not isinstance(code.value, ast.Name) or code.value.id in changed:
        return False
    entries = code.slice.elts if isinstance(code.slice, ast.Tuple) else [code.slice]
    return any(isinstance(entry, ast.Slice) for entry in entries) and not _names(code.slice)


def _names_in(codes: Sequence[ast.AST]) -> set[str]:
    return {name for code in codes for name in _names(code)}


def _for(code: str) -> ast.For:
    """A for without statements."""
    found = parse_line(f"for {code}: pass")
    assert isinstance(found, ast.For)
    return found


def _name(statement: ast.stmt) -> str:
    """The name that a statement assigns to; empty for other statements."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _names(code: ast.AST) -> set[str]:
    """The names that code reads."""
    return {each.id for each in ast.walk(code) if isinstance(each, ast.Name)}

"""Views of rows that a counted loop needs: they are made when the program is loaded, one tuple for each iteration.

    rows = []
    for i in range(64):
        gain = gain_1[i]
        transpose = gain.T
        rows.append((gain, transpose))

    def step(...):
        for i, (gain, transpose) in zip(range(64), rows):

To make a view takes longer than a kernel for a small matrix. So this is done for arrays in the arena, which stay where
they are.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from ..ir.loops import Loop
from ..ir.values import Literal
from .python_code import assign, parse_line, parsed, text_of
from .writer import Writer

MOST_VIEWS = 1 << 14


def counted_loop(writer: Writer, loop: Loop, inside: Sequence[ast.stmt], counter: str, total: str) -> None:
    """Write the for of a scan of `total` iterations, whose statements are `inside`."""
    targets = [counter]
    last = f"{int(total) - 1}" if total.isdecimal() else f"{total} - 1"
    sources = [f"range({last}, -1, -1)" if loop.reverse else f"range({total})"]
    views = _views(writer, loop, inside, counter)
    if views:
        names = ", ".join(views)
        made = writer.unique("rows")
        body = [statement for statement in inside if _name(statement) in views]
        backwards = "[::-1]" if loop.reverse else ""
        head = _for(f"{counter} in range({loop.length}){backwards}")
        head.body = [*body, parse_line(f"{made}.append(({names},))")]
        writer.prologue += [assign(made, ast.List([], ast.Load())), head]
        targets.append(f"({names},)")
        sources.append(made)
        inside = [statement for statement in inside if statement not in body]
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
    the other statements.

    To go through an array takes less time than to take rows from it.
    """
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


def _views(writer: Writer, loop: Loop, inside: Sequence[ast.stmt], counter: str) -> list[str]:
    """The names of the views that an iteration makes of arrays in the arena."""
    if loop.length is None or not isinstance(loop.node.inputs[0], Literal):
        return []
    whole = {_name(statement) for statement in writer.prologue if _is_array(statement)}
    known = {_name(statement) for statement in writer.prologue} - {""}
    rows: set[str] = set()  # which are contiguous, so that a reshape is a view, too
    views: list[str] = []
    for statement in inside:
        name = _name(statement)
        if not name or not isinstance(statement, ast.Assign):
            continue
        code = parsed(statement.value)
        if isinstance(code, ast.Call) and isinstance(code.func, ast.Attribute) and code.func.attr == "reshape":
            found = isinstance(code.func.value, ast.Name) and code.func.value.id in rows
        else:
            found = _is_view(code, {*known, *views}, counter)
        if found:
            views.append(name)
            if isinstance(code, ast.Subscript) and isinstance(code.value, ast.Name) and code.value.id in whole:
                rows |= {name} if counter in _names(code.slice) else set()
    return views if len(views) * loop.length <= MOST_VIEWS else []


def _is_array(statement: ast.stmt) -> bool:
    """Whether a statement makes an array in the arena."""
    code = statement.value if isinstance(statement, ast.Assign) else None
    return code is not None and text_of(code).startswith("arena.")


def _is_view(code: ast.expr, known: Collection[str], counter: str) -> bool:
    """Whether code gives a view of an array with a known name: an item, or a transposition."""
    if isinstance(code, ast.Call):
        if not isinstance(code.func, ast.Attribute) or code.func.attr not in ("transpose", "swapaxes"):
            return False
        base, others = code.func.value, [*code.args, *[keyword.value for keyword in code.keywords]]
    elif isinstance(code, ast.Attribute) and code.attr == "T":
        base, others = code.value, []
    elif isinstance(code, ast.Subscript):
        base, others = code.value, [code.slice]
    else:
        return False
    simple = all(_names(other) <= {counter} for other in others)
    return isinstance(base, ast.Name) and base.id in known and simple


def _names(code: ast.AST) -> set[str]:
    """The names that code reads."""
    return {each.id for each in ast.walk(code) if isinstance(each, ast.Name)}

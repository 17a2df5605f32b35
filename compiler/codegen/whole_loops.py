"""Loops whose iterations are calls of machine code: functions of the program, which become machine code themselves.

@compile_loop
def loop(x, s):
    for i in range(64):
        row = x[i]
        kernel(row, s)

def step(...):
    loop(x, s)
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ...runtime.machine.loop import compile_loop
from ..ir.graph import Node
from .python_code import CodeText, call_text, evaluated, function_code, parse_line, parsed
from .writer import Writer

ENTRY, VIEW, CALL, ITERATION = 300, 70, 40, 30
"""Nanoseconds: to enter such a function, and to make a view there; of a call and of an iteration in Python. A statement
that only Python can run takes as much longer as a call of machine code takes less."""

_NAMES = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?!\w|=)", re.ASCII)
_QUOTED = re.compile(r"[\"']")


_AS_NAMED: Mapping[str, str] = MappingProxyType({})


def whole_loop(
    writer: Writer,
    node: Node,
    inside: Sequence[ast.stmt],
    counter: str,
    bounds: range | None,
    total: str = "",
    passed: Mapping[str, str] = _AS_NAMED,
) -> bool:
    """Write a loop as a call of a function of its own, if that pays and all its statements (`inside`) may stand there.

    Without `bounds` tests end the loop, and the array `total` gets the number of iterations. `passed` has the arrays
    that parameters get, where these have other names.
    """
    views = [each for each in inside if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)]
    direct = {"", *writer.written, *writer.completed, *[each.name for each in writer.loops]}
    calls = [_function(each) in direct for each in map(_repeated, inside) if isinstance(each, ast.Expr)]
    length, gained = 100 if bounds is None else len(bounds), sum(calls) - calls.count(False)
    pays = length * (gained * CALL + ITERATION) > ENTRY + len(views) * VIEW
    if not (writer.whole_loops and any(calls) and pays and all(map(may_stand, inside))):
        return False
    local = {counter, *[each.targets[0].id for each in views]}  # type: ignore[attr-defined]
    known = {*writer.imports.values(), *local, *keyword.kwlist, "range"}
    named = [name for statement in inside for name in names_in(statement)]
    names = [name for name in dict.fromkeys([*named, total]) if name and name not in known]
    loop, make = writer.unique("loop"), writer.function_named("compile_loop", compile_loop)
    if bounds is None:
        body = [parse_line(f"{counter} = 0"), ast.While(ast.Constant(True, None), list(inside), [])]
        body.append(parse_line(f"{total}[()] = {counter}"))
    else:
        given = f"{bounds.start}, {bounds.stop}, {bounds.step}" if bounds.step != 1 else f"{bounds.stop}"
        head = parse_line(f"for {counter} in range({given}): pass")
        head.body = list(inside)  # type: ignore[attr-defined]
        body = [head]
    function = function_code(loop, names, body)
    function.decorator_list.append(ast.Name(make))
    function.__dict__["node"] = node
    writer.loops.append(function)
    writer.body.append(evaluated(CodeText(call_text(loop, *[passed.get(name, name) for name in names]))))
    return True


def _repeated(statement: ast.stmt) -> ast.stmt:
    """The one statement of a loop in the loop; any other statement is returned unchanged."""
    return statement.body[0] if isinstance(statement, ast.While) and len(statement.body) == 1 else statement


def _function(statement: ast.Expr) -> str:
    """The name of the function that a statement calls; empty if that is machine code, with Python behind it."""
    return statement.value.text.partition("(")[0] if isinstance(statement.value, CodeText) else "?"


def may_stand(statement: ast.stmt) -> bool:
    """Whether a statement may stand in such a function; `loop_text.py` looks more closely."""
    if isinstance(statement, ast.Assign):
        statement = ast.Assign(statement.targets, parsed(statement.value))
    match statement:
        case ast.Expr() | ast.Assign([ast.Subscript()]) | ast.AugAssign() | ast.If(body=[ast.Break()]):
            return True
        case ast.While(ast.Name(), [ast.Expr()]):  # a kernel that its test ends
            return True
        case ast.Assign([ast.Tuple()], ast.Tuple()):  # arrays that change roles
            return True
        case ast.Assign([ast.Name()], ast.Attribute(attr="T")):
            return True
        case ast.Assign([ast.Name()], ast.Subscript() | ast.Call(ast.Attribute())):
            return True
    return False


def names_in(statement: ast.stmt) -> list[str]:
    """The names in a statement."""
    if isinstance(statement, ast.While):
        return [statement.test.id, *names_in(_repeated(statement))]  # type: ignore[attr-defined]
    if isinstance(statement, ast.Expr) and isinstance(statement.value, CodeText):
        text = statement.value.text
        if not _QUOTED.search(text):
            return _NAMES.findall(text)
        return [each.id for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Name)]
    parts = [parsed(statement.value), *statement.targets] if isinstance(statement, ast.Assign) else [statement]
    return [each.id for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)]

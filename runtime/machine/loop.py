"""Loops whose iterations are calls of machine code, as one function of machine code: Python's interpreter does not take
part in an iteration.

    @compile_loop
    def loop(x, w, s, y):
        for i in range(99):
            row = x[i]
            result = y[i]
            matmul(s, w, result)
            kernel(result, row, s)

Each function still checks the arrays that it is given, so nothing here has to be trusted. Views are made once; those of
rows then move from row to row, which their bases are checked to have. If anything differs, Python runs the loop. In
machine code results that are denormal (smaller than all normal numbers) are zeros.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from itertools import takewhile
from typing import Any

from .executable import make_function, unavailable

Loop = Callable[..., Any]


def compile_loop(function: Loop) -> Loop:
    """The function in machine code; the function itself where there is none, where its text has another form, and where
    it is in a file, for breakpoints."""
    file, first = function.__code__.co_filename, function.__code__.co_firstlineno
    if unavailable() is not None or not file.startswith("<"):
        return function
    from .loop_code import LoopCode  # late, as the code itself
    from .loop_text import LoopText, OtherFormError

    lines = linecache.getlines(file)[first - 1 :]
    text = [*lines[:2], *takewhile(lambda line: line.startswith(" "), lines[2:])]
    try:
        (tree,) = ast.parse("".join(text)).body
        ast.increment_lineno(tree, first - 1)
        code = LoopCode(LoopText(function, tree))
        return make_function(code.assemble(), function.__name__, "".join(text), tuple(code.keeps))
    except (OtherFormError, OSError, SyntaxError, ValueError):
        return function

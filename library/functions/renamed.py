"""Names of functions and methods under which the arguments are called otherwise.

`ops.floor_div(x, y)` is `ops.floor_divide(input, other)`, and the method `unsqueeze` takes `dim` and `axis`. Such a
name has a copy of the function, whose code differs in the names of the arguments only.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable
from typing import Any

from ...frontend.values.arguments import alternative
from ..docstrings import docstring
from . import array_rows, array_shape, comparison, creation, functions, linalg, math
from .table import known_as, made

_Function = Callable[..., Any]


def _copied(function: _Function, name: str, words: str) -> _Function:
    """A copy of a function with other names of the first arguments, in its signature and docstring."""
    code = function.__code__
    copy = types.FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    names, text = tuple(words.split()), inspect.cleandoc(docstring(function))
    new_names = dict(zip(code.co_varnames, names, strict=False))
    copy.__kwdefaults__ = {new_names.get(key, key): value for key, value in (function.__kwdefaults__ or {}).items()}
    copy.__module__ = __name__
    kept = list(inspect.signature(function).parameters)[len(names) :]
    kinds = dict(zip((*names, *kept, "return"), function.__annotations__.values(), strict=True))
    if name in FUNCTIONS:
        text = text.replace(f"ops.{function.__name__}(", f"ops.{name}(")
    for old, new in new_names.items():
        text = re.sub(rf"\b{old}\b", new, text)
    made(copy, name, (), text)
    copy.__code__ = copy.__code__.replace(co_varnames=(*names, *code.co_varnames[len(names) :]))
    copy.__annotations__ = kinds
    return copy


def _with_second_name(function: _Function, name: str, words: str) -> _Function:
    """A method of two operands, the second of which has two names."""

    def run(self: Any, first: Any = None, *, second: Any = None) -> Any:
        return function(self, alternative(first, second, None))

    _, own, other = words.split()
    text = inspect.cleandoc(docstring(function)).replace("`input`", "`self`")
    run.__doc__ = re.sub(rf"^    ((?:input, )?){own}:", rf"    \1{own}, {other}:", text, flags=re.MULTILINE)
    return _copied(run, name, words)


_Renamed = dict[str, tuple[_Function, str]]
FUNCTIONS: _Renamed = {
    "arcsin": (functions.asin, "x"),
    "floor_div": (math.floor_divide, "x y"),
    "floor_mod": (math.remainder, "x y"),
    "tensor_div": (math.true_divide, "x y"),
}
METHODS: _Renamed = {
    "approximate_equal": (comparison.approximate_equal, "self other"),
    "fill": (creation.full_like, "self value"),
    "fills": (creation.full_like, "self value"),
    "float_power": (math.float_power, "self other"),
    "multiply": (math.mul, "self value"),
}
INPLACE: _Renamed = {"index_fill_": (array_rows.index_fill, "self dim index value")}
TWO_NAMES: _Renamed = {
    "logical_and": (comparison.logical_and, "self other y"),
    "logical_or": (comparison.logical_or, "self other y"),
    "matmul": (linalg.matmul, "self other tensor2"),
    "remainder": (math.remainder, "self other divisor"),
    "unsqueeze": (array_shape.unsqueeze, "self dim axis"),
}

for _name, (_run, _words) in FUNCTIONS.items():
    globals()[_name] = known_as()(_copied(_run, _name, _words))
for _name, (_run, _words) in METHODS.items():
    known_as(ops=False, method=_name)(_copied(_run, _name, _words))
for _name, (_run, _words) in INPLACE.items():
    known_as(ops=False, inplace=_name)(_copied(_run, _name, _words))
for _name, (_run, _words) in TWO_NAMES.items():
    known_as(ops=False, method=_name)(_with_second_name(_run, _name, _words))

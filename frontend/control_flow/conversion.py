"""Source-to-source conversion: control flow, calls and attribute reads of a function become calls of helpers."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from ..source.functions import SourceError, plain_function
from ..source.policy import mark_convertible, mark_native, native_module, should_convert
from ..source.template import converted_tree, is_converted, template_of

__all__ = [
    "SourceError", "convert", "converted_source", "is_converted", "mark_convertible", "mark_native", "native_module",
    "reads", "should_convert", "template_of",
]  # fmt: skip


def convert(function: Callable[..., Any], helpers: types.CellType) -> Callable[..., Any]:
    """The converted form of a function, method, lambda or partial. It has the same closure cells, globals and defaults.

    `helpers` is the cell of the module that the converted code calls.

    Functions that must stay unchanged (coroutines, functions that inspect their own frame, converted functions) are
    returned themselves. Raises SourceError if the source text cannot be found.
    """
    if isinstance(function, types.MethodType):
        return types.MethodType(convert(function.__func__, helpers), function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func, helpers), *function.args, **function.keywords)
    plain = plain_function(function)
    code = plain.__code__
    if is_converted(code):
        return plain
    template = template_of(plain)
    if template.code is None:
        return plain
    cells = dict(zip(code.co_freevars, plain.__closure__ or (), strict=True))
    cells[template.helpers] = helpers
    closure = tuple(cells[name] for name in template.code.co_freevars)
    converted = types.FunctionType(template.code, plain.__globals__, plain.__name__, plain.__defaults__, closure)
    converted.__kwdefaults__ = plain.__kwdefaults__
    converted.__qualname__ = plain.__qualname__
    converted.__doc__ = plain.__doc__
    converted.__module__ = plain.__module__
    converted.__dict__.update(plain.__dict__)
    return converted


def converted_source(function: Callable[..., Any]) -> str:
    """The converted text of a function, as it runs during a trace."""
    from ..source.text import text_of  # for people: `import mycel` does not load the printer of syntax trees

    return text_of(converted_tree(plain_function(function)))


def reads(function: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The global names that a function and the functions inside it read, and its free variables."""
    template = template_of(plain_function(function))
    return template.global_reads, template.free_reads

"""Whether a context manager may drop the exceptions of a with statement, by its source.

An exception that only a run raises cannot be dropped by code that ran in the trace. So the statements of a `with` that
may drop some are left to Python, and others are part of the graph.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..source.functions import SourceError, source_of


def may_drop(manager: Any) -> bool:
    """Whether the manager may drop exceptions; True where its source is not known."""
    if isinstance(manager, contextlib._GeneratorContextManager):
        return _catches(manager.func)
    return _returns_true(type(manager).__exit__)


@lru_cache(maxsize=256)
def _catches(generator: Any) -> bool:
    """Whether the function of a `@contextmanager` may catch what is raised at its yield: by a statement of its own, or
    in another generator, to which it passes the yield on."""
    try:
        nodes = list(_nodes(generator))
    except SourceError:
        return True
    catches = any(isinstance(each, ast.With | ast.YieldFrom) or getattr(each, "handlers", ()) for each in nodes)
    return catches or not any(isinstance(each, ast.Yield) for each in nodes)


@lru_cache(maxsize=256)
def _returns_true(function: Any) -> bool:
    """Whether an `__exit__` may return something true, which drops the exception."""
    try:
        results = [each.value for each in _nodes(function) if isinstance(each, ast.Return) and each.value is not None]
    except SourceError:
        return True
    return any(not isinstance(each, ast.Constant) or bool(each.value) for each in results)


def _nodes(function: Any) -> Iterator[ast.AST]:
    return ast.walk(source_of(function).node)

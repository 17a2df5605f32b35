"""Effect analysis of calls: whether one call during the trace can stand for a call in each iteration."""

from __future__ import annotations

import dis
import types
from collections import deque
from typing import Any

from ..source.policy import should_convert
from ..values.cell import Cell
from ..values.parameter import Parameter

_POP_EXCEPT = dis.opmap["POP_EXCEPT"]
_PACKAGE = __name__.split(".")[0]
_PLAIN_OWNERS = (str, bytes, int, float, complex, tuple, list, dict, set, frozenset, bytearray, deque, type(None))
_LASTING = frozenset(("next", "iter", "input", "open", "exec", "eval", "compile", "globals", "locals", "vars", "id",
                      "anext", "aiter", "__import__", "breakpoint"))  # fmt: skip


def catches(code: types.CodeType) -> bool:
    """Whether code, or code inside it, handles exceptions: it could catch the exception that ends an attempt."""
    inner = (item for item in code.co_consts if isinstance(item, types.CodeType))
    return _POP_EXCEPT in code.co_code[::2] or any(map(catches, inner))


def is_repeatable(function: Any) -> bool:
    """Whether one trace of a body can stand for all calls of a function, and its effects can be undone."""
    while isinstance(function, (types.MethodType,)) or type(function).__name__ == "partial":
        if isinstance(function, types.MethodType) and isinstance(function.__self__, type):
            return _is_ours(function.__func__) or should_convert(function.__func__)  # type: ignore[arg-type]
        function = function.__func__ if isinstance(function, types.MethodType) else function.func
    if isinstance(function, types.FunctionType):
        return _is_ours(function) or (should_convert(function) and not catches(function.__code__))
    if isinstance(function, types.BuiltinFunctionType):
        owner = function.__self__
        if isinstance(owner, types.ModuleType):
            return owner.__name__ in ("math", "_operator", "builtins") and function.__name__ not in _LASTING
        return type(owner) in _PLAIN_OWNERS
    if isinstance(function, type):
        return not issubclass(function, (Cell, Parameter))
    return not isinstance(function, (types.WrapperDescriptorType, types.MethodWrapperType))


def _is_ours(function: Any) -> bool:
    """Whether a function belongs to this package."""
    return str(getattr(function, "__module__", "") or "").split(".")[0] == _PACKAGE

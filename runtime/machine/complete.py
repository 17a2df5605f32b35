"""Functions of machine code that take all arguments: what they refuse another function computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .assembler import RAX, Assembler
from .executable import Function, code_address, make_complete_function
from .python_calls import complete_entry


def completed(function: Function, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls `function` and, where that returns False, `otherwise` with the same arguments."""
    address = code_address(function)
    if address is not None:
        code = Assembler()
        code.constant(RAX, address)
        code.jump_to(RAX)
        names = function.__name__, function.__doc__ or ""
        try:
            made = make_complete_function(
                complete_entry(), code.finish(), *names, lambda _, *given: otherwise(*given), (function,)
            )
            made.__self__.address = address  # type: ignore[attr-defined]
            return made
        except OSError:
            pass
    return lambda *given: function(*given) or otherwise(*given)

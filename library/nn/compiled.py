"""Cells of this library that run compiled in eager mode too, because one program does the work of many small ones."""

from __future__ import annotations

from typing import Any

from ...frontend.api.jit import compile_cell
from ...frontend.state import STATE
from ...frontend.values.cell import Cell

_LIBRARY = __name__.split(".")[0] + "."


class CompiledCell(Cell):
    """Base of Cells whose plain calls run a compiled program, in eager mode too; subclasses of users run plainly."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the Cell."""
        if STATE.trace is None and STATE.tape is None and type(self).__module__.startswith(_LIBRARY):
            compiled = self._compiled
            if compiled is None:
                compiled = compile_cell(self)
                object.__setattr__(self, "_compiled", compiled)
            return compiled(*args, **kwargs)
        return super().__call__(*args, **kwargs)

"""MindSpore's objects that compile and run Cells (`mindspore.common.api._cell_graph_executor` and the like)."""

from __future__ import annotations

from typing import Any

from ...frontend.compilation.compiled import CompiledFunction
from ...frontend.values.cell import Cell

__all__ = ["_CellGraphExecutor", "_JitExecutor", "_PyNativeExecutor", "_cell_graph_executor", "_pynative_executor"]


class _CellGraphExecutor:
    """Compiles and runs Cells, in either mode."""

    def compile(self, obj: Any, *args: Any, phase: str = "predict", **kwargs: Any) -> tuple[str, bool]:
        """Compile a Cell, or a function decorated with `jit`, for these arguments, which are not run.

        Args:
            obj: the Cell or function.
            args, kwargs: its arguments.
            phase: what the name of the graph begins with; other options of MindSpore's are accepted.

        Returns:
            A name for the graph, and whether it was compiled now.
        """
        compiled = _compiled(obj)
        options = ("do_convert", "jit_config_dict", "auto_parallel_mode", "add_mirror")
        named = {name: value for name, value in kwargs.items() if name not in options}
        before = len(compiled.explain().traces)
        compiled.compile(*args, **named)
        return f"{phase}.{compiled.name}.{id(obj)}", len(compiled.explain().traces) > before

    def __call__(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Run a Cell as a compiled program, in either mode."""
        return _compiled(obj)(*args)


class _JitExecutor:
    """Runs a function as a compiled program.

    Args:
        fn: the function, or a function that is compiled already.
    """

    def __init__(self, fn: Any, *args: Any, **kwargs: Any) -> None:
        self._compiled = fn if isinstance(fn, CompiledFunction) else CompiledFunction(fn)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile for these arguments, which are not run."""
        self._compiled.compile(*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._compiled(*args, **kwargs)


class _PyNativeExecutor:
    """What runs operations outside of graphs: NumPy, at once."""

    def sync(self) -> None:
        """Wait until everything is computed: with NumPy it is when a call returns."""


def _compiled(obj: Any) -> CompiledFunction:
    if isinstance(obj, Cell):
        return obj._as_compiled()
    if isinstance(obj, CompiledFunction):
        return obj
    raise TypeError(f"a Cell or a function decorated with jit is compiled, but got {type(obj).__name__}")


_cell_graph_executor = _CellGraphExecutor()
_pynative_executor = _PyNativeExecutor()

"""MindSpore's objects that compile and run Cells (`mindspore.common.api._cell_graph_executor` and the like)."""

from __future__ import annotations

from typing import Any

from ...frontend.compilation.compiled import CompiledFunction
from ...frontend.compilation.target import Target
from ...frontend.state import STATE
from ...frontend.transforms.grad import grad as gradient_function
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

    def init_dataset(self, *args: Any, **kwargs: Any) -> bool:
        """Accepted: data is given to the network by Python."""
        return True

    def _get_func_graph_proto(self, obj: Any, exec_id: Any = None, ir_type: Any = None, *more: Any) -> None:
        """MindSpore's serialised graph.

        Raises:
            NotImplementedError: for graphs are written by `export`.
        """
        raise NotImplementedError("a graph is not written as MindSpore's protocol buffer: use export(net, ...)")

    def __call__(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Run a Cell as a compiled program, in either mode."""
        return _compiled(obj)(*args)


class _JitExecutor:
    """Runs a function as a compiled program.

    Args:
        fn: the function, or a function that is compiled already.
    """

    def __init__(self, fn: Any, *args: Any, **kwargs: Any) -> None:
        self._compiled = fn if isinstance(fn, CompiledFunction) else CompiledFunction(Target(fn))

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile for these arguments, which are not run."""
        self._compiled.compile(*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._compiled(*args, **kwargs)


class _PyNativeExecutor:
    """The executor of operations outside of graphs: NumPy, at once. Gradients come from `grad`."""

    def __init__(self) -> None:
        self._enabled = True
        self._flag = False

    def sync(self) -> None:
        """Wait until everything is computed: with NumPy it is when a call returns."""

    def set_grad_flag(self, flag: bool) -> None:
        """Keep whether operations are remembered for gradients: a gradient function remembers its own."""
        self._flag = bool(flag)

    def grad_flag(self) -> bool:
        """The value of `set_grad_flag`."""
        return self._flag

    def enable_grad(self) -> bool:
        """The value of `set_enable_grad`."""
        return self._enabled

    def set_enable_grad(self, flag: bool) -> None:
        """Store a flag. `_no_grad` switches gradients off in a block."""
        self._enabled = bool(flag)

    def set_async_for_graph(self, flag: bool) -> None:
        """Accepted: calls return when everything is computed."""

    def requires_grad(self) -> bool:
        """Whether a gradient is being computed op by op."""
        return STATE.tape is not None

    def check_run(self, *args: Any, **kwargs: Any) -> bool:
        """Whether a gradient's forward part has run already: each gradient runs its own."""
        return False

    def new_graph(self, obj: Any, *args: Any, **kwargs: Any) -> None:
        """Begin to remember operations: done by the function of the gradient."""

    def end_graph(self, obj: Any, output: Any, *args: Any, **kwargs: Any) -> None:
        """End to remember operations: done by the function of the gradient."""

    def grad(self, obj: Any, grad: Any, weights: Any, grad_position: Any, *args: Any) -> Any:
        """The gradients of a function: by the arguments of these positions, and by the weights.

        Args:
            obj: the function or Cell.
            grad: accepted: a `GradOperation`.
            weights: Parameters, or None.
            grad_position: of arguments, or None.
            args: the arguments.
        """
        positions = 0 if grad_position is None else grad_position
        return gradient_function(obj, positions, weights)(*args)


def _compiled(obj: Any) -> CompiledFunction:
    if isinstance(obj, Cell):
        return obj._as_compiled()
    if isinstance(obj, CompiledFunction):
        return obj
    raise TypeError(f"a Cell or a function decorated with jit is compiled, but got {type(obj).__name__}")


_cell_graph_executor = _CellGraphExecutor()
_pynative_executor = _PyNativeExecutor()

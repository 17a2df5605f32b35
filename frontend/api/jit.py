"""Just-in-time compilation: `jit` compiles a function or a Cell; a Cell is compiled when it is called in graph mode."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from ...compiler.memory.limits import as_bytes
from ...compiler.options import FORMER_NAMES, Options
from ..compilation.compiled import CompiledFunction
from ..compilation.target import Target
from ..errors.spelling import did_you_mean
from ..state import CONTEXT, STATE
from ..transforms.cell_run import run_cell
from ..values.cell import Cell
from . import checks
from .jit_types import JitDecorator, JitFunction, Nobody

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Cell = TypeVar("_Cell", bound=Cell)

# Options of MindSpore's back ends and of its earlier versions: accepted without effect.
_ACCEPTED = frozenset(
    ["auto_offload", "debug_level", "disable_format_transform", "exc_mode", "exec_order", "ge_options", "infer_boost",
     "jit_syntax_level", "mode", "obj", "opt_level"]
)  # fmt: skip
_OPTIONS = _ACCEPTED | {
    "backend", "capture_mode", "compile_once", "dynamic", "fullgraph", "hash_args", "input_signature", "jit_config",
    "jit_level", "memory_limit", "passes_off",
}  # fmt: skip


# For type checkers. A function keeps its signature. A method of a Cell stays a plain function to them: pyright binds no
# others where it looks for `construct`. A function without types would pass for a method of a Cell; it takes anything.
@overload
def jit(function: Callable[Concatenate[Nobody, _P], _R], **options: Any) -> JitFunction[..., _R]: ...
@overload
def jit(function: Callable[Concatenate[_Cell, _P], _R], **options: Any) -> Callable[Concatenate[_Cell, _P], _R]: ...
@overload
def jit(function: Callable[_P, _R], **options: Any) -> JitFunction[_P, _R]: ...
@overload
def jit(
    function: None = None, *, capture_mode: str = "ast", jit_level: str = "O0", dynamic: int = 0,
    fullgraph: bool = False, backend: str = "", jit_config: Any = None, input_signature: Any = None,
    hash_args: Any = None, compile_once: bool = False, memory_limit: int | str | None = None, **options: Any,
) -> JitDecorator: ...  # fmt: skip
def jit(
    function: Callable[..., Any] | None = None, *, capture_mode: str = "ast", jit_level: str = "O0", dynamic: int = 0,
    fullgraph: bool = False, backend: str = "", jit_config: Any = None, input_signature: Any = None,
    hash_args: Any = None, compile_once: bool = False, memory_limit: int | str | None = None, **options: Any,
) -> Any:  # fmt: skip
    """Compile a function, method or Cell into a program that runs on NumPy.

    At the first call with arguments of new types the function is traced to a graph, which is optimised, planned and
    emitted as Python; later calls run that. Python numbers, strings and containers among the arguments are
    compile-time constants; `mutable` makes them run-time values. What the function reads besides (globals, closure
    variables, attributes) is watched: when it changes the function is traced again.

    Args:
        function: the function; without it `jit(...)` is a decorator.
        fullgraph: whether code that a graph cannot hold is an error in place of a warning and an eager run;
            `jit_level="STRICT"` says the same.
        memory_limit: the most bytes that a run may take, an int or text such as "200MB": the plan's peak, which is the
            arena, results and what kernels allocate; arguments and Parameters are not in it, nor what has a size that
            only the run knows. Nodes run in another order and values are computed again where it takes that; results
            stay the same. By default that of `jit_config`, or the `max_device_memory` of `set_context`.
        capture_mode, dynamic, backend, jit_config, input_signature, hash_args, compile_once, options: accepted as in
            MindSpore; there is one way to capture and one back end. `options["passes_off"]`: names of optimisations
            to leave out, such as "fuse" and "kernels".

    Returns:
        A callable with `stages(*args)`, which shows everything from the converted source to the program, and
        `explain()`.

    Raises:
        TypeError: if `function` is not callable, or an option is of another type or does not exist.
        ValueError: for a value that an option does not have. RuntimeError: for a backend that MindSpore does not have.
        MemoryLimitError: at the first call, if it does not fit into `memory_limit`; the message says what holds most.

    Examples:
        >>> import mycel as ms
        >>> @ms.jit
        ... def f(x, y):
        ...     return (x * y).sum()
        >>> print(f(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
        11.0
    """
    checks.check_string(capture_mode, ["ast", "bytecode", "trace"], "capture_mode", "jit")
    checks.check_string(jit_level, ["O0", "O1", "STRICT"], "jit_level", "jit")
    checks.check_int_range(dynamic, 0, 1, checks.INC_BOTH, "dynamic", "jit")
    checks.check_bool(fullgraph, "fullgraph", "jit")
    _check_options(backend, options)
    strict = fullgraph or jit_level == "STRICT" or _strict_config(jit_config)
    if memory_limit is None:
        memory_limit = _configured_limit(jit_config)
    compile_options = Options(
        disabled=_passes_off(options.get("passes_off")),
        memory_limit=None if memory_limit is None else as_bytes(memory_limit),
    )

    decorate = functools.partial(_compiled, strict=strict, options=compile_options)
    return decorate if function is None else decorate(function)


def _compiled(function: Any, strict: bool, options: Options) -> Any:
    """The compiled form of what `jit` is given."""
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(_compiled(function.__func__, strict, options))
    if isinstance(function, CompiledFunction):
        return function
    if not callable(function):
        raise TypeError(f"jit takes a function or a Cell, but got {type(function).__name__}")
    if isinstance(function, type):
        raise TypeError(
            f"jit takes a function or a Cell, but got the class {function.__name__}: use jit_class for classes"
        )
    return CompiledFunction(Target(function, strict=strict, options=options))


def _check_options(backend: Any, options: Iterable[str]) -> None:
    """Raise TypeError or RuntimeError for a back end or an option that MindSpore does not have."""
    if not isinstance(backend, str):
        raise TypeError(f"For 'jit', the 'backend' must be str, but got {type(backend).__name__}")
    if backend not in ("", "ms_backend", "GE"):
        raise RuntimeError(f"Invalid backend name: {backend}, it should be 'ms_backend' or 'GE'")
    for option in options:
        if option not in _OPTIONS:
            raise TypeError(f"jit() got an unexpected keyword argument '{option}'{did_you_mean(option, _OPTIONS)}")


def _passes_off(given: Any) -> frozenset[str]:
    """The passes to leave out. TypeError unless they are in a sequence or set, ValueError for unknown ones."""
    if given is None:
        return frozenset()
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"For 'jit', the 'passes_off' should be a list of names, such as ['fuse'], but got {given!r}")
    from ...compiler.pipeline import SWITCHES  # which `import mycel` does not load

    names = list(given)
    for name in names:
        if name not in SWITCHES and name not in FORMER_NAMES:
            raise ValueError(
                f"For 'jit', the 'passes_off' holds {name!r}, but an optimisation is one of "
                f"{', '.join(sorted(SWITCHES))}{did_you_mean(str(name), SWITCHES)}"
            )
    return frozenset(names)


def _configured_limit(config: Any) -> Any:
    """The memory limit in a JitConfig; None if it has none."""
    return getattr(config, "jit_config_dict", {}).get("memory_limit")


def _strict_config(config: Any) -> bool:
    return getattr(config, "jit_syntax_level", "") == "STRICT"


def compile_cell(cell: Cell) -> CompiledFunction:
    """The compiled form of a Cell, for plain calls in graph mode."""
    config = cell.__dict__.get("_jit_config")
    limit = _configured_limit(config)
    construct = type(cell).construct
    decorated = construct if isinstance(construct, CompiledFunction) else None
    options = decorated.target.options if decorated is not None else None
    if limit is not None:
        options = replace(options or Options(), memory_limit=as_bytes(limit))
    owner = weakref.ref(cell)

    def traced(*args: Any, **kwargs: Any) -> Any:  # a __call__ of the user's own stands around the compiled Cell
        return Cell.__call__(owner(), *args, **kwargs)  # type: ignore[arg-type]

    target = Target(
        cell,
        traced=traced,
        eager=lambda *args, **kwargs: _run_eagerly(owner(), args, kwargs),
        name=type(cell).__name__,
        strict=(decorated is not None and decorated.target.strict) or _strict_config(config),
        options=options,
        owned=True,
    )
    return CompiledFunction(target)


def _run_eagerly(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    mode, CONTEXT.graph_mode = CONTEXT.graph_mode, False  # the Cells inside are part of the same eager run
    undo = STATE.undo
    STATE.undo = False if mode else undo  # in a graph a gradient repeats the calls
    try:
        return run_cell(cell, args, kwargs)
    finally:
        CONTEXT.graph_mode, STATE.undo = mode, undo


def jit_class(cls: type) -> type:
    """Mark a class whose objects are used in compiled functions. Any class may be, so nothing is changed.

    Args:
        cls: a class.

    Returns:
        The class.

    Raises:
        TypeError: for other values, and for a Cell.

    Examples:
        >>> import mycel as ms
        >>> @ms.jit_class
        ... class Scale:
        ...     factor = 2.0
        >>> print(ms.jit(lambda x: x * Scale().factor)(ms.Tensor([1.0])))
        [2.]
    """
    if not isinstance(cls, type):
        raise TypeError(f"jit_class decorates a class, but got {type(cls).__name__}")
    if issubclass(cls, Cell):
        raise TypeError(
            f"Decorator jit_class is used for user-defined classes and cannot be used for nn.Cell: {cls}: a Cell is "
            "compiled as it is"
        )
    return cls


ms_function = jit
ms_class = jit_class

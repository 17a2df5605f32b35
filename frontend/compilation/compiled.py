"""Functions and Cells compiled once for each signature of their arguments, and run as programs from then on."""

from __future__ import annotations

import functools
import inspect
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...compiler.codegen.emitter import nodes_of_lines
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.types import TensorType
from ...compiler.memory.budget import as_bytes, largest_buffers
from ...compiler.pipeline import Options, compile_graph
from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ...runtime.arena import ArenaError
from ..control_flow import calls as control
from ..control_flow.conversion import converted_source, should_convert, template_of
from ..control_flow.outside import arguments_in
from ..control_flow.tracer import ControlFlowTracer
from ..errors import out_of_memory
from ..errors.classes import (
    FallbackWarning,
    GraphBreak,
    GraphError,
    MemoryLimitError,
    NoSourceError,
    NumbersBreak,
    NumbersError,
    OutOfMemoryError,
    SourceError,
)
from ..errors.tracebacks import leaving
from ..errors.user_files import innermost_user_frame, user_level
from ..source.functions import forget_trees
from ..state import CONTEXT, STATE
from ..tracing.guards import Guards
from ..tracing.sharing import link_names, sharing_of, updates_tensors
from ..tracing.signature import array_of, describe, replace_leaves, signature
from ..tracing.trace import Trace
from ..values import tree
from ..values.cell import Cell
from ..values.cell_inputs import check_arguments
from ..values.mutable import NUMBERS
from ..values.nonfinite import checked
from ..values.parameter import Layouts, Parameter
from ..values.tensor import UNKNOWN_BASE, Tensor, TracedTensor, wrap
from .blame import blame, raise_at
from .collector import resting_collector
from .compile_cache import compile_cache
from .doors import guarded
from .entry import MISS, Entry, Results, builder, emit_dispatch
from .outermost import run_outermost
from .stages import Stages, Text, write_stages

if TYPE_CHECKING:
    from .profile import Profile

MAX_DISTURBED = 3  # times that a function is traced while other threads may change the shapes of tensors
MAX_ENTRIES = 64  # graphs kept for one function; the least recently made goes first
STRICT, COMPATIBLE, LAX = 0, 1, 2
"""Levels of `jit_syntax_level`: STRICT refuses what a graph cannot hold; the others run it eagerly with a warning."""


@dataclass(frozen=True)
class TraceReport:
    """One trace of a compiled function.

    Attributes:
        key: the types of the arguments.
        reason: why it was made.
        seconds: how long tracing and compiling took.
        nodes: number of nodes before optimisation.
        eager: why the function runs eagerly for these arguments; empty if it does not.
    """

    key: str
    reason: str
    seconds: float
    nodes: int
    eager: str

    def __str__(self) -> str:
        what = f"runs eagerly: {self.eager}" if self.eager else f"{self.nodes} nodes"
        return f"({self.key}): {self.reason}; {self.seconds * 1e3:.1f} ms; {what}"


@dataclass(frozen=True)
class Explanation:
    """What `explain()` gives: every trace of a compiled function, and why it was made."""

    name: str
    traces: tuple[TraceReport, ...]

    def __str__(self) -> str:
        lines = [f"{self.name}: {len(self.traces)} trace{'' if len(self.traces) == 1 else 's'}"]
        return "\n".join([*lines, *[f"  {number}. {trace}" for number, trace in enumerate(self.traces, 1)]])

    __repr__ = __str__


_EVERY: weakref.WeakSet[Compiled] = weakref.WeakSet()


@guarded
class Compiled:
    """A function that is traced and compiled at the first call with each new signature of its arguments.

    Args:
        function: the function as the user wrote it.
        traced: what a trace runs in its place.
        eager: what runs where there can be no graph.
        strict: whether what a graph cannot hold is an error.
        owned: whether the function is an object that has this one, which is then held weakly: both go with the last
            reference to the object.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        traced: Callable[..., Any] | None = None,
        eager: Callable[..., Any] | None = None,
        name: str | None = None,
        strict: bool = False,
        options: Options | None = None,
        owned: bool = False,
    ) -> None:
        functools.update_wrapper(self, function, updated=())
        self._owner: weakref.ref[Any] | None = weakref.ref(function) if owned else None
        if owned:
            del self.__wrapped__  # type: ignore[attr-defined]
        self._function = None if owned else function
        self.name: str = name or getattr(function, "__name__", "") or type(function).__name__
        self._traced = traced
        self._eager = eager or (_weakly(function) if owned else function)
        self._strict = strict
        self._options = options
        self._entries: dict[Any, list[Entry]] = {}
        self._reports: list[TraceReport] = []
        self._fast: Callable[..., Any] | None = None
        self._lock = threading.RLock()
        self._bound: weakref.WeakKeyDictionary[Any, Compiled] = weakref.WeakKeyDictionary()
        _EVERY.add(self)

    @property
    def function(self) -> Any:
        """The function as the user wrote it."""
        return self._function if self._owner is None else self._owner()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program for these arguments, compiling it first if there is none yet."""
        try:
            fast = self._fast
            if fast is not None and not kwargs and STATE.plain:
                try:
                    result = fast(args)
                except Exception as error:
                    self._point_at_line(error)
                    raise
                if result is not MISS:
                    return result
            if STATE.trace is not None:
                return self.call_traced(*args, **kwargs)
            if not STATE.compiles:
                return run_outermost(self._eager, args, kwargs)
            if STATE.observer is not None:
                return STATE.observer(self, args, kwargs)
            leaves: list[Any] = []
            entry, inputs = self._entry_and_inputs(args, kwargs, leaves)
            if entry.eager:
                return run_outermost(self._eager, args, kwargs)
            if entry.fast is not None:
                self._fast = entry.fast
            try:
                return entry.call(inputs, leaves, args, kwargs)
            except Exception as error:
                self._point_at_line(error)
                raise
        except Exception as error:
            leaving(error)
            raise

    def _point_at_line(self, error: Exception) -> None:
        """Raise an error of a program's run again as if from the user's line that the failing statement comes from.

        One of memory says besides what asked for it.
        """
        entries = {e.file: e for several in self._entries.values() for e in several if e.nodes_of_lines is not None}
        step = error.__traceback__
        while step is not None:
            entry = entries.get(step.tb_frame.f_code.co_filename)
            node = None if entry is None else entry.node_of_line(step.tb_lineno)
            if node is not None and node.location is not None:
                if isinstance(error, MemoryError):
                    error = out_of_memory.of_program(error, self.name, node, []).with_traceback(error.__traceback__)
                raise_at(error, node.location.file, node.location.line, self.name)
            step = step.tb_next
        if isinstance(error, MemoryError) and not isinstance(error, (MemoryLimitError, OutOfMemoryError)):
            holders = self._holders(error.nbytes) if isinstance(error, ArenaError) else []
            raise out_of_memory.of_program(error, self.name, None, holders) from None

    def _fail(self, error: Exception, node: Node | None) -> NoReturn:
        """Raise an error as if from the line of a node."""
        if node is None or node.location is None:
            raise error
        raise_at(error, node.location.file, node.location.line, self.name)

    def _holders(self, nbytes: int) -> list[str]:
        """What an arena of so many bytes holds when it holds most."""
        for entry in [entry for several in self._entries.values() for entry in several if not entry.eager]:
            try:
                plan = entry.stages().plan
            except MemoryError:  # it is made again for a program from the cache
                continue
            if plan.nbytes == nbytes:
                return largest_buffers(plan)
        return []

    def call_traced(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function in the trace that is being recorded."""
        if self._traced is not None:
            return self._traced(*args, **kwargs)
        return control.call(self.function, *args, **kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Trace and compile for these arguments, without running."""
        self._entry(args, kwargs, [])

    def stages(self, *args: Any, **kwargs: Any) -> Stages:
        """What the function went through for these arguments, which are not run.

        Raises:
            GraphError: if it cannot be compiled for them.
        """
        entry = self._entry(args, kwargs, [])
        if entry.eager:
            raise GraphError(f"'{self.name}' runs eagerly for these arguments and has no graph: {entry.eager}")
        stages: Stages = entry.stages()
        return stages

    def profile(self, *args: Any, **kwargs: Any) -> Profile:
        """Where the time goes: each node of the program, timed over many runs on copies of the arguments.

        Parameters and the random generator are left as they were; what the function prints is printed in each run.

        Returns:
            A `Profile`: prints as a table of op, type, time, share, bytes, GF/s or GB/s and source line, the slowest
            first; `lines` has the figures.

        Raises:
            GraphError: if the function cannot be compiled for these arguments.

        Examples:
            >>> import mycel as ms
            >>> f = ms.jit(lambda x: (x @ x).sum())
            >>> report = f.profile(ms.ops.ones((64, 64), ms.float32))
            >>> "matmul" in str(report), report.lines[0].seconds > 0
            (True, True)
        """
        from .profile import profile_program

        stages = self.stages(*args, **kwargs)
        entry, arrays = self._entry_and_inputs(args, kwargs, [])
        assert entry.run is not None
        return profile_program(stages.plan, entry.run, self.name, arrays)

    def explain(self) -> Explanation:
        """Every trace made so far: for which arguments, why, how long it took, how large it is, what runs eagerly."""
        return Explanation(self.name, tuple(self._reports))

    def clear(self) -> None:
        """Forget every graph."""
        with self._lock:
            self._entries.clear()
            self._fast = None

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        try:
            bound = self._bound.get(instance)
            if bound is None:
                function = _weak_method(self.function, instance)
                bound = Compiled(function, name=self.name, strict=self._strict, options=self._options)
                self._bound[instance] = bound
        except TypeError:  # an instance that has no hash or cannot be referred to weakly
            return functools.partial(self, instance)
        return _Method(bound, instance)

    def __deepcopy__(self, memo: dict[int, Any]) -> Compiled:
        return Compiled(
            self.function,
            traced=self._traced,
            eager=self._eager,
            name=self.name,
            strict=self._strict,
            options=self._options,
        )

    def __reduce__(self) -> Any:
        raise TypeError(f"compiled function '{self.name}' cannot be pickled: pickle the function and compile it again")

    def __repr__(self) -> str:
        return f"<compiled {self.name}: {sum(map(len, self._entries.values()))} graphs>"

    def _entry(self, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]) -> Entry:
        key = _key(args, kwargs, leaves)
        while True:
            try:
                return self._find(key, leaves) or self._make(key, args, kwargs, leaves)
            except _OtherArguments:
                leaves.clear()
                key = _key(args, kwargs, leaves)

    def _entry_and_inputs(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]
    ) -> tuple[Entry, list[np.ndarray]]:
        """The entry for these arguments, and the arrays for a run: of the types that the entry was found by, though
        other threads may change those of tensors meanwhile."""
        while True:
            with Layouts.lock:  # no change is under way
                version = Layouts.version
            leaves.clear()
            entry = self._entry(args, kwargs, leaves)
            inputs = [] if entry.eager else entry.read(leaves)
            if version == Layouts.version:
                return entry, inputs

    def _find(self, key: Any, leaves: Sequence[Any]) -> Entry | None:
        for entry in self._entries.get(key, ()):
            if entry.holds() and (entry.sharing is None or entry.shares(leaves)):
                return entry
        return None

    def _make(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: Sequence[Any]) -> Entry:
        with self._lock, resting_collector():
            found = self._find(key, leaves)  # another thread may have been faster
            if found is None:
                entries = [entry for entry in self._entries.get(key, ()) if not entry.eager]
                found = next((entry for entry in entries if entry.rebinds() and entry.shares(leaves)), None)
            if found is not None:
                return found
            began = time.perf_counter()
            reason = self._reason(key, leaves)
            if isinstance(self.function, Cell):
                check_arguments(self.function, args, kwargs)
            try:
                self._check_source()
                entry = self._build_undisturbed(key, args, kwargs)
            except GraphBreak as problem:
                entry = self._fall_back(key, problem)
            except NoSourceError as problem:
                if self._is_strict():
                    raise
                entry = self._fall_back(key, GraphBreak(str(problem)))
            except Exception as error:
                told: Exception = error
                if isinstance(error, MemoryError) and not isinstance(error, (MemoryLimitError, OutOfMemoryError)):
                    told = out_of_memory.of_program(error, self.name, None, []).with_traceback(error.__traceback__)
                told = blame(told)
                if told is error:
                    raise
                raise told from error.__cause__
            finally:
                if STATE.trace is None:
                    forget_trees()
            seconds = time.perf_counter() - began
            self._reports.append(TraceReport(_show(key), reason, seconds, entry.nodes, entry.eager))
            self._entries.setdefault(key, []).insert(0, entry)
            self._evict(key)
            return entry

    def _evict(self, newest: Any) -> None:
        while sum(map(len, self._entries.values())) > MAX_ENTRIES:
            oldest = next(iter(self._entries))
            if oldest == newest and len(self._entries) > 1:
                self._entries[oldest] = self._entries.pop(oldest)  # keep it, as the last
                continue
            self._entries[oldest].pop()
            if not self._entries[oldest]:
                del self._entries[oldest]

    def _reason(self, key: Any, leaves: Sequence[Any]) -> str:
        if not self._entries:
            return "first call"
        if key in self._entries:
            if not self._entries[key][0].shares(leaves):
                return "other arguments are one tensor, which the function updates in place"
            changed = self._entries[key][0].guards.differences()
            return "; ".join(changed) if changed else "a captured tensor has another shape or dtype"
        nearest = max(self._entries, key=lambda other: sum(a == b for a, b in zip(other, key, strict=False)))
        return f"other arguments than ({_show(nearest)})"

    def _fall_back(self, key: Any, problem: GraphBreak) -> Entry:
        where = _user_line(problem) or self._first_line()
        place = f"{where}: " if where else ""
        if self._is_strict():
            kind = NumbersError if isinstance(problem, NumbersBreak) else GraphError
            raise kind(f"{place}'{self.name}' cannot be compiled to a graph: {problem}") from problem
        warnings.warn(
            f"{place}'{self.name}' runs eagerly, without a graph: {problem}", FallbackWarning, stacklevel=user_level()
        )
        return Entry(key, Guards(), eager=problem.reason)

    def _first_line(self) -> str:
        """`file:line` of the function, where it stands in a file."""
        function = self._python_function()
        code = getattr(function, "__code__", None)
        return "" if code is None or code.co_filename.startswith("<") else f"{code.co_filename}:{code.co_firstlineno}"

    def _is_strict(self) -> bool:
        return self._strict or CONTEXT.settings.get("jit_syntax_level", LAX) == STRICT

    def _build_undisturbed(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Entry:
        """Build an entry, anew where another thread has changed the shape or dtype of a tensor meanwhile: the trace may
        have seen the one before and the one after."""
        for _ in range(MAX_DISTURBED):
            with Layouts.lock:  # no change is under way
                version = Layouts.version
            leaves: list[Any] = []
            if _key(args, kwargs, leaves) != key:
                raise _OtherArguments
            trace = self._new_trace()
            trace.seen += [(leaf, leaf._data) for leaf in leaves if isinstance(leaf, Tensor)]
            try:
                entry = self._build(trace, key, args, kwargs)
            except Exception:
                if version == Layouts.version or trace.is_undisturbed():
                    raise
            else:
                if version == Layouts.version or trace.is_undisturbed():
                    return entry
        with Layouts.lock:  # other threads' changes have to wait
            if _key(args, kwargs, []) != key:
                raise _OtherArguments
            return self._build(self._new_trace(), key, args, kwargs)

    def _new_trace(self) -> Trace:
        """A trace whose control flow becomes part of the graph."""
        trace = Trace(self.name)
        trace.builder = ControlFlowTracer(trace)
        return trace

    def _build(
        self,
        trace: Trace,
        key: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        captured: Sequence[Tensor] | None = None,
    ) -> Entry:
        """Trace and compile.

        Args:
            trace: a new trace.
            key: the signature of the arguments.
            args, kwargs: the arguments.
            captured: given where the function updates a tensor that has several names: what an earlier trace has found
                outside. Then the names are linked.
        """
        trace.strict = self._is_strict()
        trace.guards.instance = self._owner
        # Gradients outside of graph mode are compiled only to be fast: what they differentiate is Python.
        trace.is_python = not (CONTEXT.graph_mode or self._traced is None or isinstance(self.function, Cell))
        with trace:
            values: list[TracedTensor] = []
            leaves: list[Any] = []

            def place(leaf: Any) -> TracedTensor:
                value = _argument(trace, leaf, len(values))
                values.append(value)
                leaves.append(leaf)
                return value

            traced_args = [replace_leaves(value, place) for value in args]
            traced_kwargs = {name: replace_leaves(value, place) for name, value in kwargs.items()}
            trace.arguments = arguments_in(traced_args, traced_kwargs)
            before = [value._symbol for value in values]
            if captured is not None:
                link_names(trace, leaves, values, captured)
            result = self.call_traced(*traced_args, **traced_kwargs)
            sharing = None
            if trace.asks_identity or updates_tensors(trace, values, before):
                sharing = sharing_of(leaves, trace.captured)
            if sharing is None or captured is not None or not any(is_again for is_again, _ in sharing):
                return self._finish(key, trace, result, values, before, sharing)
        again = self._new_trace()
        again.seen = trace.seen
        return self._build(again, key, args, kwargs, trace.captured)

    def _finish(
        self, key: Any, trace: Trace, result: Any, values: list[TracedTensor], before: list[Symbol], sharing: Any
    ) -> Entry:
        if trace.strict and any(isinstance(leaf, np.ndarray) for leaf in tree.leaves(result)):
            raise GraphBreak("Illegal type in the graph: the result holds a NumPy array", "Return a Tensor")
        results = Results(trace)
        expression = results.expression(result)
        entry = Entry(key, trace.guards, trace.captured, sharing=sharing)
        writes = trace.attribute_writes()
        if writes:
            results.keep_objects(values)
            stored = "".join(f"{results.expression(value)}, " for _, _, value in writes)
            own = None if self._owner is None else self._owner()
            entry.attributes = [(self._owner if owner is own else owner, name) for owner, name, _ in writes]
            entry.build_attributes = builder(f"({stored})", results)
        entry.updates, donated = changes(trace, results, values, before)
        graph = replace(trace.root.finish(results.symbols), donated=donated)
        compiled = compile_graph(graph, name=self.name, options=_options(self._options), cache=compile_cache())
        entry.run = compiled.run
        if CONTEXT.debug_nans:
            backward = frozenset(trace.backward) if trace.derivatives else None
            entry.run = checked(compiled.run, graph, donated.values(), backward, self.name, self._fail)
        entry.build = builder(expression, results)
        entry.nodes = compiled.nodes_before
        entry.file = compiled.program.file
        entry.nodes_of_lines = lambda: nodes_of_lines(compiled.plan, compiled.program.name)
        entry.types = [(value.type.dtype.np, value.type.static_shape) for value in graph.parameters[len(values) :]]
        entry.fits()
        entry.fast = emit_dispatch(self.name, entry, expression, results)
        derivative = trace.derivatives[0] if trace.derivatives else None
        stages = weakref.WeakMethod(self._stages)  # which this object has through the entry
        entry.stages = lambda: stages()(graph, derivative, compiled)  # type: ignore[misc]
        if CONTEXT.settings.get("save_graphs"):
            write_stages(entry.stages())
        compiled.complete.release()
        return entry

    def _stages(self, graph: Graph, derivative: Any, compiled: Any) -> Stages:
        passes = dict(compiled.stages)
        return Stages(
            self.name,
            Text(self.converted()),
            derivative.forward if derivative is not None else graph,
            derivative.backward if derivative is not None else None,
            graph,
            list(passes.values())[-1] if passes else graph,
            compiled.plan,
            Text(compiled.source),
            passes,
            dict(compiled.seconds),
        )

    def _check_source(self) -> None:
        """SourceError unless the text of the function, or of the Cell's construct, is there to be converted."""
        if self._traced is not None and not isinstance(self.function, Cell):
            return  # a gradient function: what it differentiates may run as it is
        function = self._python_function()
        if isinstance(function, FunctionType) and should_convert(function):
            template_of(function)

    def converted(self) -> str:
        """The converted source of the function, or of the Cell's construct."""
        try:
            return converted_source(self._python_function())
        except SourceError as error:
            return f"# not converted: {error}"

    def _python_function(self) -> Any:
        """The function as Python has it, under everything that is wrapped around it."""
        function: Any = self.function
        if isinstance(function, Cell):
            function = type(function).construct
        inner = getattr(function, "function", None)
        while inner is not None:
            function = type(inner).construct if isinstance(inner, Cell) else inner
            inner = getattr(function, "function", None)
        return function


class _OtherArguments(Exception):
    """Another thread has changed the shape or dtype of an argument."""


def _key(args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]) -> Any:
    """What calls must have in common to be served by the same entries; run-time inputs are appended to `leaves`."""
    key: Any = tuple([signature(value, leaves) for value in args])
    if kwargs:
        key = (*key, "**", *[(name, signature(value, leaves)) for name, value in kwargs.items()])
    return key


def changes(
    trace: Trace, results: Results, values: list[TracedTensor], before: list[Symbol]
) -> tuple[list[tuple[Any, int]], dict[int, int]]:
    """What a traced function updates, and the outputs that hold the new numbers: (position of an argument or tensor,
    output) of what is no Parameter, and output to graph parameter for Parameters."""
    updates: list[tuple[Any, int]] = []
    for position, (value, symbol) in enumerate(zip(values, before, strict=True)):
        if trace.origin(value._symbol) is not symbol:
            updates.append((position, results.add(value._symbol)))
    donated: dict[int, int] = {}
    positions = {id(tensor): len(values) + position for position, tensor in enumerate(trace.captured)}
    for state in trace.states.values():
        if trace.origin(state.symbol) is state.initial or not state.commits:
            continue
        output = results.add(state.symbol)
        if isinstance(state.tensor, Parameter):
            donated[output] = positions[id(state.tensor)]
        else:
            updates.append((state.tensor, output))
    return updates, donated


def forget_programs() -> None:
    """Let every compiled function compile anew, under other settings."""
    for compiled in list(_EVERY):
        compiled.clear()


class _Method(Compiled):
    """A compiled method with its instance, which it keeps alive; all methods of an instance share their graphs."""

    __slots__ = ("__self__", "_shared")

    def __init__(self, shared: Compiled, instance: Any) -> None:
        self.__dict__ = shared.__dict__
        self._shared = shared
        self.__self__ = instance

    @property
    def __signature__(self) -> inspect.Signature:
        """The arguments without the instance."""
        signature = inspect.signature(self.function.function)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def _make(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: Sequence[Any]) -> Entry:
        return self._shared._make(key, args, kwargs, leaves)  # entries do not hold this, and with it the instance


def _weakly(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, not held by what is given."""
    reference = weakref.ref(function)
    return lambda *args, **kwargs: reference()(*args, **kwargs)  # type: ignore[misc]


def _argument(trace: Trace, leaf: Any, position: int) -> TracedTensor:
    if isinstance(leaf, Tensor):
        value = wrap(trace.root.parameter(leaf._type, f"x{position}"))
        value._base = None if leaf._base is None else UNKNOWN_BASE
        return value
    array = array_of(leaf)
    return wrap(trace.root.parameter(TensorType(dtypes.of_numpy(array.dtype), ()), f"x{position}"), NUMBERS[type(leaf)])


def _show(key: Any) -> str:
    return ", ".join(map(describe, key)) if isinstance(key, tuple) else describe(key)


def _weak_method(function: Callable[..., Any], instance: Any) -> Callable[..., Any]:
    """The method, not keeping its instance alive."""
    reference = weakref.ref(instance)

    @functools.wraps(function)
    def method(*args: Any, **kwargs: Any) -> Any:
        owner = reference()
        if STATE.trace is not None:
            STATE.trace.guards.instance = reference
            return control.call(function, owner, *args, **kwargs)
        return function(owner, *args, **kwargs)

    method.function = function  # type: ignore[attr-defined]
    return method


def _user_line(problem: BaseException) -> str:
    """`file:line` of the innermost user's frame in the traceback."""
    frame = innermost_user_frame(problem)
    return "" if frame is None else f"{frame.filename}:{frame.lineno}"


def _options(own: Options | None) -> Options:
    """How to compile: as asked for, within what `set_context` leaves for a device."""
    options = own or Options()
    allowed = CONTEXT.settings.get("max_device_memory")
    if options.memory_limit is None and allowed is not None:
        return replace(options, memory_limit=as_bytes(allowed))
    return options

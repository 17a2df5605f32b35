"""Trace and compile, or fall back: the function of a call runs once on traced tensors, which stand for its arguments; a
function that cannot be a graph runs eagerly."""

from __future__ import annotations

import errno
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ...compiler.ir.layouts import Layout, whole_of
from ...compiler.ir.types import TensorType, UnknownShapeError
from ...compiler.transforms.symbolic import LeakedSymbolError, Symbol
from ...runtime import dtypes
from ...runtime.records import dataclass
from ..control_flow.outside import arguments_in
from ..control_flow.tracer import ControlFlowTracer
from ..errors import out_of_memory
from ..errors.classes import (
    FallbackWarning,
    GraphBreak,
    GraphError,
    JoinBreak,
    MemoryLimitError,
    NoSourceError,
    NumbersBreak,
    NumbersError,
    OutOfMemoryError,
)
from ..errors.user_files import innermost_user_frame, user_level
from ..source.functions import forget_trees
from ..state import STATE
from ..tracing.guards import Guards
from ..tracing.signature import (
    array_of,
    link_names,
    overlapping,
    refuse_overlaps,
    replace_leaves,
    sharing_of,
    updates_tensors,
)
from ..tracing.trace import Trace
from ..values.cell import Cell
from ..values.cell_inputs import check_arguments
from ..values.mutable import NUMBERS
from ..values.parameter import Layouts
from ..values.parts import layout_of_argument
from ..values.tensor import UNKNOWN_BASE, Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .blame import blame
from .entries import OtherArguments, key_of
from .entry import Entry
from .target import Target

MAX_DISTURBED = 3  # times that a function is traced while other threads may change the shapes of tensors


@dataclass
class TracedCall:
    """A finished trace.

    Attributes:
        key: the signature of the arguments.
        result: the returned value of the function.
        values: the traced tensors that stood for the run-time arguments.
        before: their symbols before the function ran.
        sharing: which arguments and tensors from outside are one tensor, where that matters.
        layouts: how the run-time arguments are cut over processes.
    """

    key: Any
    trace: Trace
    result: Any
    values: list[TracedTensor]
    before: list[Symbol]
    sharing: Any
    layouts: Sequence[Layout] = ()


Finish = Callable[[Target, TracedCall], Entry]
"""Makes the entry of a call, inside of its trace."""


class CallTracer:
    """Traces calls of a target, and passes each finished trace to `finish`."""

    def __init__(self, target: Target, finish: Finish) -> None:
        self.target = target
        self.finish = finish

    def entry(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Entry:
        """Make an entry. The trace is repeated if another thread has changed the shape or dtype of a tensor meanwhile,
        because it may have seen both.

        Raises:
            OtherArguments: if the arguments no longer have this signature.
        """
        for _ in range(MAX_DISTURBED):
            trace = self._new_trace()
            moving = trace.builder.flow.outside.moving
            leaves: list[Any] = []
            with Layouts.lock:  # the trace has seen the arrays of the signature
                version = Layouts.version
                if key_of(args, kwargs, leaves) != key:
                    raise OtherArguments
                trace.seen += [(leaf, leaf._data) for leaf in leaves if isinstance(leaf, Tensor)]
            try:
                entry = self._traced(trace, key, args, kwargs)
            except Exception as error:
                if version == Layouts.version or trace.is_undisturbed():
                    unknown = _is_of_unknown_size(trace, error)
                    if unknown or isinstance(error, GraphBreak):
                        moving.put_back()  # an eager run follows
                    if unknown:
                        raise UnknownShapeError(str(error)).with_traceback(error.__traceback__) from None
                    raise
            else:
                if version == Layouts.version or trace.is_undisturbed():
                    return entry
        with Layouts.lock:  # other threads' changes have to wait
            if key_of(args, kwargs, []) != key:
                raise OtherArguments
            return self._traced(self._new_trace(), key, args, kwargs)

    def _new_trace(self) -> Trace:
        """A trace with control flow in the graph."""
        trace = Trace(self.target.name)
        trace.builder = ControlFlowTracer(trace)
        trace.strict = self.target.is_strict()
        trace.is_python = self.target.is_python()
        trace.guards.instance = self.target.owner
        return trace

    def _traced(
        self,
        trace: Trace,
        key: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        captured: Sequence[Tensor] | None = None,
    ) -> Entry:
        """Trace a call.

        Args:
            trace: a new trace.
            key: the signature of the arguments.
            args, kwargs: the arguments.
            captured: given where the function updates a tensor that has several names: what an earlier trace has found
                outside. Then the names are linked.
        """
        with trace:
            values: list[TracedTensor] = []
            leaves: list[Any] = []
            layouts: list[Layout] = []

            def traced(argument: Any, name: str) -> Any:
                def place(leaf: Any) -> TracedTensor:
                    value = _argument(trace, leaf, name, layouts)
                    values.append(value)
                    leaves.append(leaf)
                    return value

                return replace_leaves(argument, place)

            names = self.target.argument_names(len(args))
            traced_args = [traced(value, name) for value, name in zip(args, names, strict=True)]
            traced_kwargs = {name: traced(value, name) for name, value in kwargs.items()}
            trace.arguments = arguments_in(traced_args, traced_kwargs)
            before = [value._symbol for value in values]
            if captured is not None:
                link_names(trace, leaves, values, captured)
            result = self.target.call_traced(tuple(traced_args), traced_kwargs)
            refuse_overlaps(trace, leaves, values, before, overlapping(leaves, args, kwargs).values())
            sharing = None
            if trace.asks_identity or updates_tensors(trace, values, before):
                sharing = sharing_of(leaves, trace.captured)
            if sharing is None or captured is not None or not any(is_again for is_again, _ in sharing):
                return self.finish(self.target, TracedCall(key, trace, result, values, before, sharing, layouts))
        again = self._new_trace()
        again.seen = trace.seen
        return self._traced(again, key, args, kwargs, trace.captured)


def _argument(trace: Trace, leaf: Any, name: str, layouts: list[Layout]) -> TracedTensor:
    """The traced tensor for an argument, or for a tensor in one. How it is cut over processes is added to `layouts`."""
    if isinstance(leaf, Tensor):
        layouts.append(layout_of_argument(leaf._type.shape, len(layouts)))
        value = wrap(trace.root.parameter(whole_of(leaf._type, layouts[-1]), name))
        value._base = None if leaf._base is None else UNKNOWN_BASE
        return value
    array = array_of(leaf)
    layouts.append(())
    return wrap(trace.root.parameter(TensorType(dtypes.of_numpy(array.dtype), ()), name), NUMBERS[type(leaf)])


class EntryMaker:
    """Makes the entries of a target. `finish` makes an entry of a finished trace."""

    def __init__(self, target: Target, finish: Finish) -> None:
        self.target = target
        self.tracer = CallTracer(target, finish)

    def make(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Entry:
        """The entry for arguments of a signature.

        Raises:
            GraphError: for a strict target that cannot be a graph. Errors of the traced code name the user's line.
        """
        target = self.target
        if isinstance(target.function, Cell):
            check_arguments(target.function, args, kwargs)
        try:
            target.check_source()
            return self.tracer.entry(key, args, kwargs)
        except GraphBreak as problem:
            if isinstance(problem, JoinBreak) and target.is_strict():
                raise blame(TypeError(str(problem)).with_traceback(problem.__traceback__)) from None
            return fall_back(target, key, problem)
        except NoSourceError as problem:
            if target.is_strict():
                raise
            return fall_back(target, key, GraphBreak(str(problem)))
        except Exception as error:
            if isinstance(error, LeakedSymbolError) and error.inner:
                reason = "a tensor of a branch or loop is used outside of it, in a value that graphs do not join"
                leak = GraphBreak(reason, "Let the branch or loop give the tensor itself, not a function of it")
                return fall_back(target, key, leak.with_traceback(error.__traceback__))
            if isinstance(error, UnknownShapeError):  # eager runs know the shapes
                return fall_back(target, key, GraphBreak(str(error)).with_traceback(error.__traceback__))
            told: Exception = error
            if isinstance(error, OSError) and error.errno == errno.ENOMEM:  # of an import at first use
                error = MemoryError(str(error)).with_traceback(error.__traceback__)
            if isinstance(error, MemoryError) and not isinstance(error, (MemoryLimitError, OutOfMemoryError)):
                told = out_of_memory.of_program(error, target.name, None, []).with_traceback(error.__traceback__)
            told = blame(told)
            if told is error:
                raise
            raise told from error.__cause__
        finally:
            if STATE.trace is None:
                forget_trees()


def _is_of_unknown_size(trace: Trace, error: Exception) -> bool:
    """Whether an error of a trace may come of sizes that only the run knows: an eager run tells."""
    if isinstance(error, UnknownShapeError) or not isinstance(error, ValueError) or trace.strict:
        return isinstance(error, UnknownShapeError)
    return any(not value.type.is_static for node in trace.root.nodes for value in node.outputs)


def fall_back(target: Target, key: Any, problem: GraphBreak) -> Entry:
    """An entry that runs eagerly, with a warning; an error for a strict target."""
    where = _user_line(problem) or target.first_line()
    place = f"{where}: " if where else ""
    if target.is_strict():
        kind = NumbersError if isinstance(problem, NumbersBreak) else GraphError
        raise kind(f"{place}'{target.name}' cannot be compiled to a graph: {problem}") from problem
    warnings.warn(
        f"{place}'{target.name}' runs eagerly, without a graph: {problem}", FallbackWarning, stacklevel=user_level()
    )
    return Entry(key, Guards(), eager=problem.reason)


def _user_line(problem: BaseException) -> str:
    """`file:line` of the innermost user's frame in the traceback."""
    frame = innermost_user_frame(problem)
    return "" if frame is None else f"{frame.filename}:{frame.lineno}"

"""The state of control flow, which the branches and loops of one trace share.

Only the run knows whether a region of code (a branch, the body of a loop) runs. So a region leaves nothing changed
behind: at its end variables, containers and attributes are restored, and their values become results of the region.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler.ir.values import literal
from ...compiler.transforms.symbolic import LeakedSymbolError, Recorder, Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..tracing.trace import Trace, TraceScope
from ..values.parameter import Parameter
from ..values.tensor import Tensor, ambiguous
from ..values.traced_tensor import TracedTensor, wrap
from .aliases import UNKNOWN, Aliases, recorded
from .changes import Before
from .effects import record_raise
from .outside import Outside, contents, replace_contents
from .reach import calls_back, reached
from .shared import SharedVariables
from .state import UNDEFINED, Snapshot, Variables

MAX_DEPTH = 64  # traced conditions inside one another: more means a recursion that only the run can end


class BranchRaised(BaseException):
    """Both branches of a condition raise. The code after the condition never runs."""


class Region:
    """One run of a branch or of a loop body, as a context. At its end everything is as it was before.

    Attributes:
        aliases: the links between tensors, at the end those of the region.
        shared: the variables that calls inside may rebind.
        journal: the containers that change inside, with their contents before.
        scope: its recorder, and what it updates in place.
    """

    __slots__ = (
        "_befores", "_guarded", "_outer", "_start", "aliases", "flow", "journal", "scope", "shared", "variables",
    )  # fmt: skip

    def __init__(
        self, flow: Flow, variables: Variables, recorder: Recorder, aliases: Aliases, start: Snapshot | None = None
    ) -> None:
        self.flow = flow
        self.variables = variables
        self.scope = TraceScope(flow.trace, recorder)
        self.aliases = aliases
        self._start = variables.snapshot() if start is None else start
        self.journal: dict[int, tuple[Any, Any]] = {}

    def __enter__(self) -> Region:
        flow = self.flow
        if flow.depth >= MAX_DEPTH:
            raise GraphBreak(
                f"more than {MAX_DEPTH} run-time conditions stand inside one another, as in a recursion that only the "
                "run ends",
                "Write the recursion as a while loop",
            )
        flow.depth += 1
        self._guarded = set(flow.trace.guards.written)
        self._outer, flow.aliases = flow.aliases, self.aliases
        self.shared = flow.shared.begin()
        flow.journals.append(self.journal)
        operated = flow.outside.moving.operated
        self._befores = [Before(flow, list(operated.values()))] if operated else []
        flow.watches.append(self._befores)
        flow.outside.moving.regions.append({})
        flow.starts.append(self._start.held)
        self.scope.__enter__()
        return self

    def settle(self) -> None:
        """At the end of the code: find what operators of users' classes and iterators have changed."""
        for before in self._befores:
            before.compare()

    def __exit__(self, *error: Any) -> None:
        flow = self.flow
        try:
            self.scope.__exit__(*error)
            flow.journals.pop()
            for container, before in self.journal.values():
                replace_contents(container, before)
        finally:
            flow.outside.moving.moved.update(flow.outside.moving.regions.pop())
            flow.starts.pop()
            flow.watches.pop()
            flow.shared.end()
            flow.depth -= 1
            self.aliases, flow.aliases = flow.aliases, self._outer
            flow.trace.guards.written = self._guarded
            self.variables.restore(self._start)


def _is_unbound(error: BaseException | None) -> bool:
    """Whether an exception tells of a local variable without a value, here or in a function around."""
    return isinstance(error, UnboundLocalError) or (isinstance(error, NameError) and "free variable" in str(error))


def _catches_none(given: Callable[[], Any], kinds: tuple[type[BaseException], ...]) -> bool:
    """Whether except clauses of some classes catch no exception of others."""
    try:
        pending = [given()]
    except (NameError, AttributeError):  # which Python would raise where it looks for the clause
        return False
    while pending:
        caught = pending.pop()
        if isinstance(caught, tuple):
            pending += caught
        elif not isinstance(caught, type) or any(issubclass(kind, caught) for kind in kinds):
            return False
    return True


class Flow:
    """The state that the branches and loops of one trace share.

    Attributes:
        depth: how many regions stand inside one another here.
        handlers: for each nested block whose exceptions may be caught what gives their classes; None: of all.
        passed: the exception that ends the trace.
        pending: outcomes of finally clauses that the code after them has to follow.
        errors: the exceptions that the user's code raises itself.
        journals: for each region the containers that it has changed, with their contents before.
        starts: for each region the values of variables at its start.
        watches: for each region what calls that nobody sees can reach, before them.
        merged: containers that are one or another, which only the run knows.
        reasons: why a variable is unbound, by the identity of its cell.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.depth = 0
        self.handlers: list[Callable[[], Any] | None] = []
        self.passed: Exception | None = None
        self.pending: list[Any] = []
        self.errors: list[Any] = []
        self.journals: list[dict[int, tuple[Any, Any]]] = []
        self.starts: list[list[Any]] = []
        self.watches: list[list[Before]] = []
        self.shared = SharedVariables()
        self.outside = Outside(trace, self.shared)
        self.aliases = Aliases()
        self.merged: dict[int, Any] = {}
        self.reasons: dict[int, tuple[Any, str, str | None]] = {}

    # Values

    def lift(self, value: Any) -> Any:
        """The traced form of a tensor from outside; any other value is returned unchanged."""
        if isinstance(value, Tensor) and not value._is_traced_tensor and not self.trace.is_known(value):
            return wrap(self.trace.read(value))
        return value

    def condition(self, value: Any, what: str = "the condition of an if or while") -> TracedTensor:
        """A one-element tensor or run-time number as a 0-d boolean; ValueError for other tensors."""
        tensor: Any = value
        if getattr(tensor, "_present", None) is not None:
            raise GraphBreak(f"{what} is a tensor or None, which only the run knows", "Compare it with None first")
        if any(size not in (1, None) for size in tensor._type.shape):
            raise ambiguous(tensor.shape, what)
        if not tensor.dtype.is_bool:
            tensor = tensor != 0
        if tensor.ndim:
            tensor = tensor.reshape(())
        return tensor

    def condition_symbol(self, value: Any) -> Any:
        """A condition, traced or a Python value, as an operand."""
        value = self.lift(value)
        if isinstance(value, TracedTensor):
            return self.trace.read(self.condition(value))
        return literal(bool(value), dtypes.bool_)

    def constant(self, item: Any) -> Tensor:
        """A traced tensor for an operand."""
        return wrap(item if isinstance(item, Symbol) else Symbol(item, self.trace.root))

    def attribute(self, owner: Any, name: str) -> Any:
        """The value of an attribute in the current state of the trace."""
        found, value = self.trace.get_attribute(owner, name)
        if not found:
            value = getattr(owner, name, UNDEFINED)
            if value is not UNDEFINED:
                self.trace.guards.read_attribute(owner, name, value)
        return value

    # Regions

    def may_catch(self, *kinds: type[BaseException]) -> bool:
        """Whether a block around may catch an exception of one of these classes."""
        return any(given is None or not _catches_none(given, kinds) for given in self.handlers)

    def records_raise(self, error: BaseException) -> bool:
        """Whether an exception of the user's code was recorded, as an effect of the branch."""
        if self.may_catch(type(error)) and not isinstance(error, (GraphBreak, LeakedSymbolError)):
            raise GraphBreak(
                f"{type(error).__name__} is raised under a run-time condition, inside of a try or with statement that "
                "may catch it",
                "Choose between values in its place",
            ) from error
        if isinstance(error, BranchRaised):
            return True
        # The same condition may have been true in front, or an earlier iteration may have bound the variable.
        if _is_unbound(error) and not self.trace.strict:
            reason = f"{error}, and only the run knows whether it is read"
            raise GraphBreak(reason, "Give it a value in front").with_traceback(error.__traceback__) from error
        # what Python itself raises for numbers and containers, it raises only if the run gets there
        known = isinstance(error, AssertionError) or any(error is known for known in self.errors)
        if known or isinstance(error, (ArithmeticError, LookupError)):
            record_raise(self.trace, error, not known and not isinstance(error, KeyError))
            return True
        return False

    def passes(self, error: BaseException | None) -> None:
        """An exception leaves a block and may be caught. A GraphBreak ends the trace even if it is caught, as do
        tensors that have left a branch, and an unbound variable that a branch may have bound."""
        if self.reasons and _is_unbound(error):
            error = GraphBreak(f"{error}, and it is read inside of a try or with statement")
        if isinstance(error, (GraphBreak, LeakedSymbolError)) and self.passed is None:
            self.passed = error

    def proceeds(self, outcome: Any) -> None:
        """The code after a statement follows its outcome."""
        self.pending = [each for each in self.pending if each is not outcome]

    def check(self) -> None:
        """Raise what ends the trace."""
        if self.passed is not None:
            raise self.passed
        if self.pending:
            raise GraphBreak("only the run knows whether a finally clause jumps")

    def is_before(self, value: Any) -> bool:
        """Whether an object, or the memory of an array, was there before one of the regions."""
        memory = {id(each) for each in reached((value,))} if isinstance(value, np.ndarray) else {id(value)}
        before = [*self.outside.moving.arrays.values(), *(each for start in self.starts for each in start)]
        return bool(self.starts) and any(id(each) in memory for each in reached(before))

    def writes(self, buffer: Any) -> None:
        """Items of an array are about to be assigned, which no region restores."""
        if self.is_before(buffer):
            raise GraphBreak(
                f"a branch or loop, which only the run knows to run, changes a {type(buffer).__name__} in place",
                "Use a tensor or a list",
            )

    def iterates(self, iterable: Any) -> None:
        """Items of a value are about to be taken, which may change what it reaches."""
        if self.watches and calls_back(iterable):
            self.watches[-1].append(Before(self, [iterable]))

    def touch(self, container: Any, how: str = "", before: Any = None) -> None:
        """A method of this name is about to change a list, dictionary or set in place; or has done so, and these were
        its contents before."""
        self.outside.touch(container, how, before)
        self.check_merged(container)
        if self.journals and id(container) not in self.journals[-1]:
            self.journals[-1][id(container)] = container, contents(container) if before is None else before

    def check_merged(self, container: Any) -> None:
        """Raise GraphBreak if a container that is about to change may be one of several."""
        if id(container) in self.merged:
            raise GraphBreak(
                f"a {type(container).__name__} changes in place that is one of several: which one only the run knows",
                "Make a new one in its place",
            )

    # Names

    def wrote(self, tensor: Any) -> None:
        """A tensor was updated in place."""
        self.aliases.wrote(self.trace, tensor)

    def same(self, tensor: Tensor, wanted: Tensor | None = None) -> list[tuple[Tensor, Any]]:
        """The tensors that a tensor may be, including itself, and under what conditions; or only the `wanted` one.

        Raises:
            GraphBreak: if the graph does not know the condition.
        """
        found = [each for each in self.aliases.same(tensor) if wanted is None or each[0] is wanted]
        if any(flag is UNKNOWN for _, flag in found):
            raise GraphBreak("which of several tensors a name stands for is something that the graph does not know")
        return [(other, recorded(flag)) for other, flag in found]

    def check_kind(self, tensor: Any, asked: str, holds: Callable[[Any], bool]) -> None:
        """GraphBreak if a traced tensor may be a Parameter of which something holds that does not hold of tensors."""
        if type(tensor) is TracedTensor and any(
            isinstance(other, Parameter) and holds(other) for other, _ in self.aliases.same(tensor)
        ):
            raise GraphBreak(f"only the run knows {asked} a tensor that may be a Parameter")

    def note_unbound(self, variables: Variables, name: str, reason: str) -> None:
        """Store why a variable is unbound."""
        cell = variables.cell(name)
        if cell is not None:
            self.reasons[id(cell)] = (cell, reason, name if variables.in_expression else None)

    def why_unbound(self, cell: Any) -> str | None:
        """The reason why a traced branch or loop left a variable unbound.

        Raises:
            GraphBreak: if an operand of `and`, `or` or a conditional expression binds it. What reads it may run only
                where the operand has run, as in `a and (n := f()) and g(n)`.
        """
        found = self.reasons.get(id(cell))
        if found is None:
            return None
        _, reason, name = found
        if name is not None:
            raise GraphBreak(
                f"only the run knows whether '{name}' is bound, because an operand binds it that may be skipped",
                "Bind it in a statement before",
            )
        return reason

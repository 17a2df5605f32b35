"""The builder interface: what converted code asks of the current trace, part by part."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from ..state import STATE
from .state import Mixed, SourceLoop, Variables


class FlowBuilder(Protocol):
    """The state that branches and loops share."""

    handlers: list[Callable[[], Any] | None]  # nested blocks whose exceptions may be caught: of which classes
    shared: Any  # the variables that calls may rebind: `SharedVariables`
    outside: Any  # what the trace finds outside: `Outside`
    trace: Any  # `Trace`
    pending: list[Any]  # outcomes of finally clauses that the code after them has to follow

    def proceeds(self, outcome: Any) -> None:
        """The code after a statement follows its outcome."""

    def may_catch(self, *kinds: type[BaseException]) -> bool:
        """Whether an exception of one of these classes may be caught."""

    def passes(self, error: BaseException | None) -> None:
        """An exception leaves a block and may be caught."""

    def lift(self, value: Any) -> Any:
        """The traced form of a tensor from outside; any other value is returned unchanged."""

    def touch(self, container: Any, how: str = "") -> None:
        """A method of this name is about to change a list, dictionary or set in place."""

    def writes(self, buffer: Any) -> None:
        """Items of an array are about to be assigned, which no region restores."""

    def why_unbound(self, cell: types.CellType) -> str | None:
        """The reason why a traced branch or loop left a variable unbound."""


class BranchBuilder(Protocol):
    """Branches."""

    def cond(
        self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any] | None, joins: Variables,
        rest: Callable[[], Any] | None, exits: Variables,
    ) -> Any:  # fmt: skip
        """An if on a traced condition. `rest` is None if the branches have no outcome. Returns the outcome."""

    def both(self, test: Any, function: Callable[[bool], Any], joins: Variables) -> None:
        """An if with an else on a traced condition, without jumps; the function runs one or the other."""

    def proceed(self, outcome: Mixed, rest: Callable[[], Any], exits: Variables) -> Any:
        """Run the rest if an outcome falls through."""

    def ternary(self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any], joins: Variables) -> Any:
        """A conditional expression on a traced condition."""


class ShortcutBuilder(Protocol):
    """Operators and builtins that may skip operands."""

    def and_(self, value: Any, others: tuple[Callable[[], Any], ...], joins: Variables) -> Any:
        """`value and …` with a traced value."""

    def or_(self, value: Any, others: tuple[Callable[[], Any], ...], joins: Variables) -> Any:
        """`value or …` with a traced value."""

    def items_left(self, values: Iterator[Any]) -> list[Any]:
        """The remaining items of a lazy sequence, some of which all() or any() may skip."""


class LoopBuilder(Protocol):
    """Loops."""

    def while_loop(self, test: Any, loop: SourceLoop) -> Any:
        """A while whose first test gave a traced value. Returns the outcome of the loop."""

    def while_after(self, outcome: Mixed, loop: SourceLoop) -> Any:
        """The iterations of a while after one with a mixed outcome."""

    def reroll_range(self, iterations: range, loop: SourceLoop, last: bool, item_at: Any = None) -> bool:
        """Whether the iterations of a for were recorded as one node. `last`: this is not asked again."""

    @property
    def waits(self) -> bool:
        """Whether the loop that was asked for last can be recorded after the first iterations."""

    def reroll_while(self, test: Any, loop: SourceLoop, steps: dict[str, int], last: bool) -> bool:
        """`reroll_range` for a while whose test gave a true value; an iteration has changed integers by `steps`."""

    def decided(self, value: Any) -> Any:
        """A condition, or what it is in all iterations of a loop that is recorded once, if its counter says so."""

    def of_counter(self, name: str, value: Any) -> Any:
        """The op of this name of what a loop recorded once computes from its counter alone; None for other numbers."""

    def for_traced(self, iterable: Any, loop: SourceLoop) -> Any:
        """A for over a traced value."""

    def for_after(self, outcome: Mixed, items: Iterator[Any], loop: SourceLoop, iterations: range | None = None) -> Any:
        """The iterations of a for over static items (of a range, if given) after a mixed outcome."""


class AttributeBuilder(Protocol):
    """Attributes."""

    own: dict[int, Any]  # the objects that converted code has made

    def getattr(self, owner: Any, name: str) -> Any:
        """Read an attribute of any object."""

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """Write an attribute of any object."""

    def delattr(self, owner: Any, name: str) -> None:
        """Delete an attribute of any object."""

    def made(self, instance: Any) -> None:
        """Converted code has made an object."""


class ContainerBuilder(Protocol):
    """Containers."""

    def getitem(self, container: Any, index: Any) -> Any:
        """An item of a Python container at a traced index."""

    def setitem(self, container: Any, index: Any, value: Any) -> None:
        """Assign to an item of a list at a traced index."""

    def items(self, iterable: Any, what: str) -> None:
        """The items of a container are about to be taken. `what` names the statement or expression."""

    def contains(self, container: Any, value: Any) -> Any:
        """`value in container`. NotImplemented means that Python decides."""

    def equal(self, left: Any, right: Any) -> Any:
        """`left == right` for tuples or lists."""


class NumberBuilder(Protocol):
    """Builtin functions of traced values."""

    def not_(self, value: Any) -> Any:
        """`not value` of a traced value."""

    def is_(self, left: Any, right: Any) -> Any:
        """`left is right` where one is traced."""

    def number(self, kind: type, value: Any, what: str = "") -> Any:
        """int(), float(), bool() of a traced value."""

    def length(self, value: Any) -> Any:
        """len() of a traced value."""

    def isinstance(self, value: Any, kinds: Any) -> bool:
        """isinstance() of a traced value."""

    def type_of(self, value: Any) -> Any:
        """type() of a traced value."""

    def reduce(self, name: str, values: Any) -> Any:
        """min, max, sum, all or any of a traced value, or of a tuple of values some of which are traced."""

    def range(self, bounds: tuple[Any, ...]) -> Any:
        """range() with traced bounds."""


class CallBuilder(Protocol):
    """Calls."""

    def call(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call a function of the user from library code."""

    def callee(self, function: Any) -> Any:
        """The function that a call in converted code runs. None leaves the choice to the conversion policy."""

    def special(self, method: Any, *arguments: Any) -> Any:
        """The result of a special method; NotImplemented if it is this package's."""

    def native(self, function: Any, found: Any) -> Any:
        """The function that runs in place of one that is not converted; `found` is what the policy chose."""


class EffectBuilder(Protocol):
    """Effects."""

    def check(self, test: Any, message: Any) -> None:
        """Assert a traced condition."""

    def raised(self, error: Any) -> Any:
        """The user's code is about to raise this exception. Returns the one to raise."""

    def print(self, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        """print(); called for every print while tracing."""


class ControlFlowBuilder(Protocol):
    """Turns traced control flow into graph nodes, and guards what the trace reads (`tracer.ControlFlowTracer`)."""

    @property
    def flow(self) -> FlowBuilder: ...
    @property
    def branches(self) -> BranchBuilder: ...
    @property
    def shortcuts(self) -> ShortcutBuilder: ...
    @property
    def loops(self) -> LoopBuilder: ...
    @property
    def attributes(self) -> AttributeBuilder: ...
    @property
    def containers(self) -> ContainerBuilder: ...
    @property
    def numbers(self) -> NumberBuilder: ...
    @property
    def calls(self) -> CallBuilder: ...
    @property
    def effects(self) -> EffectBuilder: ...


def builder() -> ControlFlowBuilder | None:
    """The active builder of this thread; None outside of a trace."""
    trace = STATE.trace
    if trace is None:
        return None
    found: ControlFlowBuilder | None = trace.builder
    return found


def lift(value: Any) -> Any:
    """The traced form of a tensor from outside of the trace."""
    active = builder()
    return value if active is None else active.flow.lift(value)


def lifted(value: Any) -> Any:
    """A value that decides about control flow. A tensor from outside of the trace counts as traced."""
    active = builder()
    return value if active is None else active.loops.decided(active.flow.lift(value))


def builder_for(value: Any) -> ControlFlowBuilder:
    """The builder for a traced value."""
    active = builder()
    if active is None:
        what = f"a value of type {type(value).__name__}"
        raise RuntimeError(f"control flow met {what} that only a compiled run can know, but nothing is being compiled")
    return active

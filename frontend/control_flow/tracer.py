"""The control-flow tracer: it handles the operations of converted code on traced values, as parts with one job each."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any

from ..errors.classes import GraphBreak
from ..source.functions import SourceError
from ..source.policy import should_convert
from ..source.template import is_converted, template_of
from ..tracing.trace import Trace
from ..values.cell import Cell
from . import calls as control
from .attributes import Attributes
from .branches import Branches
from .changes import watching
from .containers import Containers
from .effects import record_assert, record_print, record_raise
from .flow import BranchRaised, Flow
from .leaving import finished_value
from .loops import Loops
from .moving import Moving, WithoutDraws, is_fixed
from .numbers import Numbers
from .shortcut import ShortCircuits
from .state import deeper_stack
from .texts import is_text


class Calls:
    """The calls of the traced code.

    Attributes:
        depth: how many calls by library code stand inside one another here.
        visited: the functions whose globals and closure variables are guarded.
    """

    def __init__(self, flow: Flow, loops: Loops) -> None:
        self.flow = flow
        self.trace = flow.trace
        self.loops = loops
        self.depth = 0
        self.visited: dict[int, Any] = {}

    def call(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call a function of the user. At the end of the outermost call all outside state is restored."""
        if self.depth:
            watch = self.flow.outside.moving.watch
            if watch:
                return watch.rest(self.call, function, arguments, keywords)
            return control.convert(function)(*arguments, **keywords)
        self.depth += 1
        try:
            with deeper_stack(), WithoutDraws():
                self.flow.outside.given((arguments, keywords))
                result = self.flow.outside.copied(finished_value(control.convert(function)(*arguments, **keywords)))
            self.flow.check()
            self.flow.outside.commit()
            return result
        except BranchRaised:
            self.flow.check()
            return None
        except Exception as error:
            self.flow.check()
            known = isinstance(error, AssertionError) or any(error is known for known in self.flow.errors)
            late = any(map(is_text, error.args)) or any(node.has_effect for node in self.trace.root.nodes)
            if not known or not late:
                raise
            record_raise(self.trace, error)  # its text is known at run time only, or effects come before
            return None
        finally:
            self.depth -= 1
            self.flow.outside.restore()

    def callee(self, function: Any) -> Any:
        """Guard what a function reads. Returns the function to run for it; None: the conversion policy decides."""
        self.loops.rerolling.check_callee(function)
        moving = self.flow.outside.moving
        if moving.is_traced(function):
            self.trace.called(function)
            return _TracedObject(self, function)
        if moving.is_own(function):
            self.trace.called(function)
            return self.native(function, function)
        seeded = moving.method(function)
        if type(function) is functools.partial:
            moving.bound(function)
        if type(getattr(function, "__self__", None)) is not list:  # a method keeps its list, which may be gone soon
            self.trace.called(function)
        if type(function) is types.MethodType and isinstance(function.__self__, Cell):
            inner = function.__func__
            if type(inner) is types.FunctionType and not should_convert(inner):
                self.trace.guards.visit_method(function.__self__)
        if type(function) is types.FunctionType:
            self._visit(function)
        elif isinstance(function, Cell) or id(function) in moving.objects:
            call = getattr(type(function), "__call__", None)  # noqa: B004 the function itself is wanted
            if type(call) is types.FunctionType:  # of the user
                self.trace.guards.read_class(function, "__call__")
        return seeded

    def _visit(self, function: types.FunctionType) -> None:
        """Guard what a function of the user's reads, once."""
        if id(function) not in self.visited:
            self.visited[id(function)] = function
            if should_convert(function) and not is_converted(function.__code__):
                self._guard_names(function)

    def _guard_names(self, function: types.FunctionType) -> None:
        """Guard the globals and closure variables that a function reads."""
        names = function.__globals__
        try:
            template = template_of(function)
        except SourceError:  # it runs unconverted; its code names its variables
            reads: Iterable[str] = _names_of(function.__code__)
        else:
            reads = template.global_reads
            for name in template.global_writes:
                self.flow.outside.variable(names, name)
        guards = self.trace.guards
        guards.read_function(function)
        for name in reads:
            guards.read_global(names, name)
            self.flow.outside.found(names.get(name))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            guards.read_cell(cell, name)
            self.flow.outside.variable(cell, name)

    def special(self, method: Any, *arguments: Any) -> Any:
        """The result of a special method that is not this package's; NotImplemented for one that is."""
        own = self.flow.outside.moving.is_own(method)
        return NotImplemented if own else control.convert(method)(*arguments)

    def native(self, function: Any, found: Any) -> Any:
        """The function to run for one of Python or of a library; `found` is what the policy chose."""
        moving = self.flow.outside.moving
        run = moving.watched(function, found, self._visit)
        users = type(function) is types.FunctionType and should_convert(function)
        return run if run is found or users or moving.is_own(function) else watching(self.flow, function, run)


class _TracedObject:
    """An object whose call `is_traced`. It is watched only with arguments that may change."""

    __slots__ = ("calls", "function")

    def __init__(self, calls: Calls, function: Any) -> None:
        self.calls, self.function = calls, function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        function = self.function
        if is_fixed(arguments) and is_fixed(keywords.values()):
            return Moving.call(function, function, arguments, keywords)
        return self.calls.native(function, function)(*arguments, **keywords)


class Effects:
    """print, assert and raise."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.trace = flow.trace

    def print(self, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        """print() in every run."""
        record_print(self.trace, values, options)

    def check(self, test: Any, message: Any) -> None:
        """Assert a traced condition in every run."""
        if self.flow.may_catch(AssertionError):
            raise GraphBreak("an assert on a run-time condition stands inside of a try or with statement")
        condition = self.trace.read(self.flow.condition(test, "the condition of an assert"))
        record_assert(self.trace, condition, message)

    def raised(self, error: Any) -> Any:
        """The user's code is about to raise this exception. Returns the one to raise."""
        if isinstance(error, type) and issubclass(error, BaseException):
            error = error()
        if isinstance(error, BaseException):
            self.flow.errors.append(error)
        return error


class ControlFlowTracer:
    """The builder of one trace. Its parts handle the operations of converted code on traced values."""

    def __init__(self, trace: Trace) -> None:
        self.flow = Flow(trace)
        self.branches = Branches(self.flow)
        self.shortcuts = ShortCircuits(self.flow, self.branches)
        self.loops = Loops(self.branches)
        self.numbers = Numbers(self.flow)
        self.containers = Containers(self.flow, self.numbers, self.loops.rerolling)
        self.attributes = Attributes(self.flow)
        self.calls = Calls(self.flow, self.loops)
        self.effects = Effects(self.flow)


def _names_of(code: types.CodeType) -> set[str]:
    """The globals that code and the functions inside it may read (and names of attributes among them)."""
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return {*code.co_names, *(name for constant in inner for name in _names_of(constant))}

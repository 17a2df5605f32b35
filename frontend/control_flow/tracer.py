"""The builder of one trace: what converted code asks for while a graph is recorded."""

from __future__ import annotations

import builtins
import dataclasses
import functools
import operator
import types
from collections.abc import Callable, Iterable
from typing import Any

from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..source.functions import SourceError
from ..source.policy import is_user_module, should_convert
from ..source.template import is_converted, template_of
from ..tracing.guards import MISSING
from ..tracing.trace import Trace
from ..values import logic
from ..values.cell import Cell
from ..values.parameter import Parameter
from ..values.tensor import UNKNOWN_BASE, Tensor, TracedTensor, wrap
from . import calls as control
from .aliases import UNKNOWN, is_extreme, is_place
from .branches import BranchRaised
from .builtins import finished, materialize
from .effects import record_assert, record_print, record_raise
from .join import ChosenFunction, describe, number_kind
from .loops import TracedRange
from .outside import Outside
from .rerolling import Rolling
from .state import deeper_stack, is_traced
from .texts import TracedText

__all__ = ["TracedBuilder"]

# the attributes of these cannot change
_CONSTANT = (
    str, bytes, int, float, complex, bool, tuple, list, dict, set, frozenset, slice, range, type(None), super, property,
    types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.CodeType, types.GeneratorType,
)  # fmt: skip


class TracedBuilder(Rolling):
    """Takes the control flow, attributes, builtins and effects of converted code for one trace."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.outside = Outside(trace, self.shared)
        self.calls = 0
        self.visited: dict[int, Any] = {}  # functions whose globals and closure variables are guarded
        self.own: dict[int, Any] = {}  # objects the traced code has made

    # Calls

    def call(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a function of the user; the outermost call ends with what the trace leaves outside as it was."""
        if self.calls:
            return control.convert(function)(*arguments, **keywords)
        self.calls += 1
        try:
            with deeper_stack():
                self.outside.given((arguments, keywords))
                result = self.outside.copied(_finished(control.convert(function)(*arguments, **keywords)))
            if self.passed is not None:
                raise self.passed
            self.outside.commit()
            return result
        except BranchRaised:
            return None
        except Exception as error:
            if not any(error is known for known in self.errors) or not any(map(_is_text, error.args)):
                raise
            record_raise(self.trace, error)  # its text is known at run time only
            return None
        finally:
            self.calls -= 1
            self.outside.restore()

    def callee(self, function: Any) -> Any:
        """Guard what a function reads; what is called is left to the conversion policy."""
        self.check_callee(function)
        self.outside.moving.method(function)
        self.trace.called(function)
        if type(function) is types.MethodType and isinstance(function.__self__, Cell):
            inner = function.__func__
            if type(inner) is types.FunctionType and not should_convert(inner):
                self.trace.guards.visit_method(function.__self__)
        if type(function) is types.FunctionType and id(function) not in self.visited:
            self.visited[id(function)] = function
            if should_convert(function) and not is_converted(function.__code__):
                self._guard_names(function)
        return None

    def _guard_names(self, function: types.FunctionType) -> None:
        """Guard the globals and closure variables that a function reads."""
        names = function.__globals__
        try:
            template = template_of(function)
        except SourceError:  # it runs as it is; its code names what it reads
            reads: Iterable[str] = _names_of(function.__code__)
        else:
            reads = template.global_reads
            for name in template.global_writes:
                self.outside.variable(names, name)
        guards = self.trace.guards
        guards.read_function(function)
        for name in reads:
            guards.read_global(names, name)
            self.outside.found(names.get(name))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            guards.read_cell(cell, name)
            self.outside.variable(cell, name)

    def native(self, function: Any, found: Any) -> Any:
        """What runs where a function of Python or of a library is called; `found` is what the policy chose."""
        return self.outside.moving.watched(function, found)

    def items(self, iterable: Any, what: str) -> None:
        """The items of something are about to be taken."""
        self.outside.moving.items(iterable, what)

    def owns(self, names: Callable[[], Any]) -> None:
        """A call has begun whose inner functions rebind the names that `names` reads."""
        self.shared.owns(names)

    def made(self, instance: Any) -> None:
        """The traced code has made an object of a user's class: its attributes are written at once."""
        if isinstance(getattr(instance, "__dict__", None), dict) and not isinstance(instance, Cell):
            self.own[id(instance)] = instance

    # Attributes

    def getattr(self, owner: Any, name: str) -> Any:
        """Read an attribute of any object, and guard it."""
        kind = type(owner)
        if kind in _CONSTANT or isinstance(owner, Tensor) or id(owner) in self.own:
            return self._getattr_constant(owner, name)
        if isinstance(owner, types.ModuleType):
            value = getattr(owner, name)
            if is_user_module(owner.__dict__):
                self.trace.guards.read_global(owner.__dict__, name)
                self.outside.found(value)
            else:
                self.outside.moving.found(value)
            return value
        written, value = self.trace.get_attribute(owner, name)
        if written:
            return value
        found = _class_attribute(kind, name)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType) and should_convert(found.fget):
            return control.convert(found.fget)(owner)
        guarded = isinstance(owner, (Cell, type)) or name in getattr(owner, "__dict__", ()) or _is_value(found)
        guarded = guarded or isinstance(found, types.MemberDescriptorType)  # one of __slots__
        try:
            value = getattr(owner, name)
        except AttributeError:
            if not isinstance(owner, type):
                self.trace.guards.read_attribute(owner, name, MISSING)
            raise
        if isinstance(value, types.MethodType) and value.__self__ is owner:
            self.trace.guards.read_method(owner, name, value)
        elif found is MISSING and not guarded and _is_plain_value(value):  # given by a __getattr__
            self.trace.guards.read_attribute(owner, name, value)
        if guarded and not isinstance(value, (types.MethodType, types.BuiltinFunctionType)):
            self.trace.guards.read_attribute(owner, name, value)
            self.outside.found(value)
        return value

    def _getattr_constant(self, owner: Any, name: str) -> Any:
        """Read an attribute of what has few that can change: a function's own, a Parameter's, a method above."""
        try:
            value = getattr(owner, name)
        except AttributeError:
            if isinstance(owner, types.FunctionType):
                self.trace.guards.read_attribute(owner, name, MISSING)
            raise
        if isinstance(owner, super):
            if isinstance(value, types.MethodType):
                self.trace.guards.read_method(owner, name, value)
        elif isinstance(owner, (types.FunctionType, Parameter)) and name in owner.__dict__ and _is_plain_value(value):
            self.trace.guards.read_attribute(owner, name, value)
        return value

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """Write an attribute of any object: of what exists outside after each run of the graph."""
        self.check_merged(owner)
        kind = type(owner)
        if id(owner) in self.own:
            self.touch(owner.__dict__)
            setattr(owner, name, value)
            return
        known = isinstance(value, Tensor) and not isinstance(value, TracedTensor)
        if known and getattr(owner, name, None) is value and self.attribute(owner, name) is value:
            return  # after an update in place
        found = _class_attribute(kind, name)
        if isinstance(found, property) and isinstance(found.fset, types.FunctionType) and should_convert(found.fset):
            control.convert(found.fset)(owner, value)
        elif isinstance(owner, Cell):
            if name in owner._params and not isinstance(value, (Parameter, Cell)) and value is not None:
                setattr(owner, name, value)  # an update of the Parameter
                return
            if value is not None and value is owner._params.get(name):
                return  # after an update in place
            if isinstance(value, (Parameter, Cell)) or name in owner._cells or name in owner._params:
                raise GraphBreak(
                    f"attribute '{name}' of {kind.__name__} is given a Parameter or Cell inside a compiled function",
                    "Make Parameters and Cells in __init__",
                )
            self.trace.set_attribute(owner, name, _finished(value))
        elif isinstance(owner, types.ModuleType):
            self.outside.variable(owner.__dict__, name)
            setattr(owner, name, value)
        elif self._is_plain(owner, found):
            self.trace.set_attribute(owner, name, _finished(value))
        elif isinstance(owner, type) or not _is_frozen(owner):
            raise GraphBreak(f"a graph cannot hold the assignment of attribute '{name}' of {describe(owner)}")
        else:
            setattr(owner, name, value)

    @staticmethod
    def _is_plain(owner: Any, found: Any) -> bool:
        """Whether assigning an attribute of an object only stores it."""
        kind: Any = type(owner)
        if not hasattr(owner, "__dict__") or isinstance(owner, type) or kind.__setattr__ is not object.__setattr__:
            return False
        return not hasattr(type(found), "__set__")

    def delattr(self, owner: Any, name: str) -> None:
        """Delete an attribute of an object that the traced code has made."""
        if id(owner) not in self.own:
            raise GraphBreak(f"a graph cannot hold the deletion of attribute '{name}' of {describe(owner)}")
        self.touch(owner.__dict__)
        delattr(owner, name)

    # Containers

    def touch(self, container: Any, how: str = "") -> None:
        """A list, dictionary or set is about to change in place, by a method of this name."""
        self.outside.touch(container, how)
        super().touch(container)

    def getitem(self, container: Any, index: Any) -> Any:
        """An item of a Python container at a run-time index."""
        if isinstance(container, Tensor):
            return container[index]
        if isinstance(container, (dict, set, str, bytes, range)) or not hasattr(container, "__len__"):
            raise GraphBreak(
                f"{describe(container)} cannot be indexed by a number that only the run knows", "Use a list or a tensor"
            )
        if self.rolling:
            raise self.refuse(f"{describe(container)} is indexed by the number of the round")
        items = list(container)
        if not items:
            raise IndexError(f"{type(container).__name__} index out of range")
        if self.handlers:
            raise GraphBreak(f"{describe(container)} is indexed by a run-time number inside of a try or with statement")
        if all(isinstance(item, Tensor) and number_kind(item) is None for item in items):
            first = items[0]._type
            if first.is_static and all(item._type == first for item in items):
                at = wrap(self.trace.read(self.number(int, index)), int)
                result = logic.stack(items)[at]
                result._base = None if all(item._base is None for item in items) else UNKNOWN_BASE
                for number, item in enumerate(items):
                    self.aliases.link(result, item, functools.partial(is_place, at, number, len(items)))
                return result
        position = self.number(int, index)
        inside = self.trace.read(self.condition((position >= -len(items)) & (position < len(items))))
        record_assert(self.trace, inside, f"{type(container).__name__} index out of range", "IndexError")
        result = items[-1]
        for place in range(len(items) - 2, -1, -1):
            here = is_place(position, place, len(items))
            result = control.ternary(here, functools.partial(_same, items[place]), functools.partial(_same, result))
        return result

    def contains(self, container: Any, value: Any) -> Any:
        """`value in container`; NotImplemented leaves it to Python."""
        value = self.lift(value)
        traced = isinstance(value, TracedTensor)
        if isinstance(container, Tensor):
            return (container == value).any()
        if not isinstance(container, (list, tuple)):
            if traced and isinstance(container, (dict, set, frozenset, range)):
                raise GraphBreak(f"whether a run-time value is in {describe(container)} is known only at run time")
            return NotImplemented
        items = [self.lift(item) for item in container]
        if not traced and not any(isinstance(item, TracedTensor) for item in items):
            return NotImplemented
        found: Any = False
        for item in items:
            same = self._equal(item, value)
            if same is True:
                return True
            if same is not False:
                found = same if found is False else found | same
        return found

    def equal(self, left: Any, right: Any) -> Any:
        """`left == right` for tuples or lists."""
        if not any(map(_has_traced, (*left, *right))):
            return left == right
        if len(left) != len(right):
            return False
        result: Any = True
        for one, other in zip(left, right, strict=True):
            result = control.and_(result, functools.partial(control.compare, one, "==", other))
        return result

    def _equal(self, item: Any, value: Any) -> Any:
        """Whether two values are equal, for `in`: tensors by all their elements, and to a number if they have one."""
        a, b = number_kind(item), number_kind(value)
        if a is not None and b is not None:
            return item == value
        numbers = [number is not None or isinstance(entry, Tensor) for number, entry in ((a, item), (b, value))]
        if not all(numbers):
            return item is value
        if a is not None or b is not None:
            tensor = value if a is not None else item
            return self.condition(item == value) if tensor.size == 1 else False
        if item.shape != value.shape:
            return False
        same = logic.equal(item, value)
        return same.all() if same.ndim else same

    # Values

    def is_(self, left: Any, right: Any) -> Any:
        """`left is right` where one is traced."""
        if left is right:
            return True
        for value, other in ((left, right), (right, left)):
            if other is None and getattr(value, "_present", None) is not None:
                return wrap(self.trace.read(logic.logical_not(wrap(value._present))), bool)
            if isinstance(other, bool) and number_kind(value) is bool and isinstance(value, TracedTensor):
                return logic.equal(value, other)
        return self._are_one(left, right) if isinstance(left, Tensor) and isinstance(right, Tensor) else False

    def _are_one(self, left: Tensor, right: Tensor) -> Any:
        """Whether two names stand for one tensor."""
        if not isinstance(left, TracedTensor) and not isinstance(right, TracedTensor):
            return False
        self.trace.asks_identity = True
        for tensor in (left, right):
            self.trace.read(tensor)  # so that calls compare it with their arguments
        flag = {id(tensor): flag for tensor, flag in self.same(left)}.get(id(right), False)
        return flag if isinstance(flag, bool) else wrap(self.trace.read(flag), bool)

    def not_(self, value: Any) -> Any:
        """`not value` of a traced value."""
        result = logic.logical_not(self.condition(value, "the operand of 'not'"))
        return wrap(self.trace.read(result), bool) if number_kind(value) is not None else result

    def number(self, kind: type, value: Any, what: str = "") -> Any:
        """int(), float() or bool() of a traced value: a run-time number."""
        what = what or f"{kind.__name__}()"
        if kind is bool:
            return wrap(self.trace.read(self.condition(value, f"the argument of {what}")), bool)
        if any(size not in (1, None) for size in value._type.shape):
            raise ValueError(f"{what} takes a tensor of one element, but the shape is {value.shape}")
        tensor = value.astype(dtypes.as_dtype(kind))
        return wrap(self.trace.read(tensor.reshape(()) if tensor.ndim else tensor), kind)

    def length(self, value: Any) -> Any:
        """len() of a traced value."""
        if isinstance(value, Tensor) and number_kind(value) is None and value._type.shape:
            return value.shape[0]
        if isinstance(value, Tensor) and number_kind(value) is None:
            raise TypeError("Not support len of a 0-D tensor")
        if isinstance(value, TracedRange):
            return len(value)
        raise TypeError(f"object of type '{self.type_of(value).__name__}' has no len()")

    def item(self, tensor: Tensor, index: Any) -> Any:
        """`tensor.item(index)` where only the run knows it; None where it is known while tracing."""
        value = self.lift(tensor)
        if not isinstance(value, TracedTensor) or value._known_numbers() is not None:
            return None
        kind = value.dtype.np.kind
        if kind not in "biuf":
            return None
        if index is not None:
            value = value[index] if isinstance(index, tuple) else value.reshape(-1)[index]
        return self.number({"b": bool, "f": float}.get(kind, int), value, "item()")

    def isinstance(self, value: Any, kinds: Any) -> bool:
        """isinstance() of a traced value."""
        if getattr(value, "_present", None) is not None:
            raise GraphBreak("the type of a value that may be None is known only at run time", "Compare it with None")
        kind = number_kind(value)
        return builtins.isinstance(value, kinds) if kind is None else issubclass(kind, kinds)

    def type_of(self, value: Any) -> Any:
        """type() of a traced value."""
        if isinstance(value, TracedRange):
            return range
        return number_kind(value) or Tensor

    def reduce(self, name: str, values: Any) -> Any:
        """min, max, sum, all or any of a traced value, or of a tuple of values some of which are traced."""
        if isinstance(values, TracedRange):
            raise GraphBreak(f"{name}() of a range with run-time bounds")
        if isinstance(values, Tensor):
            if number_kind(values) is not None or not values.ndim:
                raise TypeError(f"'{self.type_of(values).__name__}' object is not iterable")
            if name == "sum":
                return values.sum(0)
            if values.ndim > 1:
                raise ValueError(f"{name}() takes a tensor of one dimension, but the shape is {values.shape}")
            result = getattr(values, name)()
            return self.number(bool, result) if name in ("all", "any") else result
        numbers = all(number_kind(value) is not None for value in values)
        if name in ("all", "any"):
            combine = logic.logical_and if name == "all" else logic.logical_or
            flags = [self.constant(self.condition_symbol(value)) for value in values]
            result = functools.reduce(combine, flags)
            return wrap(self.trace.read(result), bool)
        if numbers and len({number_kind(value) for value in values}) > 1:
            values = tuple(self.number(float, self.constant_number(value)) for value in values)
        if numbers:
            result = functools.reduce(logic.minimum if name == "min" else logic.maximum, values)
            return wrap(self.trace.read(result), number_kind(values[0]))
        return self._extreme(name, values)

    def _extreme(self, name: str, values: Any) -> Any:
        """min or max of tensors and numbers: for in-place updates it is the one that Python would give."""
        better = operator.lt if name == "min" else operator.gt
        now = [wrap(self.trace.read(value), number_kind(value)) if is_traced(value) else value for value in values]
        types = {value._type for value in now if isinstance(value, Tensor)}
        if all(isinstance(value, Tensor) for value in now) and len(types) == 1 and now[0].size == 1:
            result = functools.reduce(lambda best, value: logic.where(better(value, best), value, best), now)
        else:
            result = functools.reduce(logic.minimum if name == "min" else logic.maximum, now)
        for place, value in enumerate(values):
            if isinstance(value, Tensor) and number_kind(value) is None:
                known = value._type == result._type and result.size == 1
                flag = functools.partial(is_extreme, better, now, place) if known else UNKNOWN
                self.aliases.link(result, value, flag)
        return result

    def constant_number(self, value: Any) -> Any:
        """A Python number as a traced one."""
        return value if isinstance(value, Tensor) else Tensor(value)

    def range(self, bounds: tuple[Any, ...]) -> Any:
        """range() with run-time bounds."""
        if len(bounds) > 3:
            raise TypeError(f"range expected at most 3 arguments, got {len(bounds)}")
        whole = []
        for bound in bounds:
            if isinstance(bound, Tensor):
                if not bound.dtype.is_integer:
                    raise TypeError(f"range() takes integers, but got {describe(bound)}")
                whole.append(self.number(int, bound))
            else:
                whole.append(operator.index(bound))
        start, stop, step = (0, whole[0], 1) if len(whole) == 1 else (*whole, 1)[:3]
        if isinstance(step, int) and step == 0:
            raise ValueError("range() arg 3 must not be zero")
        return TracedRange(start, stop, step)

    # Effects

    def print(self, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        """print(), at every run."""
        record_print(self.trace, values, options)

    def check(self, test: Any, message: Any) -> None:
        """Assert a traced condition, at every run."""
        if self.handlers:
            raise GraphBreak("an assert on a run-time condition stands inside of a try or with statement")
        condition = self.trace.read(self.condition(test, "the condition of an assert"))
        record_assert(self.trace, condition, message)

    def raised(self, error: Any) -> Any:
        """The user's code is about to raise this exception; gives the one to raise."""
        if isinstance(error, type) and issubclass(error, BaseException):
            error = error()
        if isinstance(error, BaseException):
            self.errors.append(error)
        return error


def _same(value: Any) -> Any:
    """The value."""
    return value


def _has_traced(value: Any) -> bool:
    """Whether a value is one that only the run knows, or a tuple or list with one inside."""
    return any(map(_has_traced, value)) if type(value) in (tuple, list) else is_traced(value)


def _is_text(value: Any) -> bool:
    """Whether a string's text is known at run time only."""
    return isinstance(value, TracedText)


def _class_attribute(kind: type, name: str) -> Any:
    """What the classes of an object say about an attribute."""
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return MISSING


def _is_plain_value(value: Any) -> bool:
    """Whether a value is compared by its contents."""
    return value is None or isinstance(value, (bool, int, float, str, list, tuple, dict))


def _is_value(found: Any) -> bool:
    """Whether a class attribute is a value of its own, and nothing that computes one."""
    return found is not MISSING and not hasattr(type(found), "__get__")


def _is_frozen(owner: Any) -> bool:
    """Whether an object refuses the assignment of attributes by itself."""
    return dataclasses.is_dataclass(owner) and getattr(type(owner), "__dataclass_params__").frozen  # noqa: B009


def _finished(value: Any) -> Any:
    """A value that leaves the compiled function: lazy sequences as tuples and lists."""
    return finished(value, _leaving)


def _leaving(value: Any) -> Any:
    """A value, or an item of a container, that leaves the compiled function."""
    value = materialize(value)
    if isinstance(value, TracedText):
        raise GraphBreak(
            f"the string {str(value)!r} holds values that exist only when the program runs",
            "Return the tensors, or print the string",
        )
    if isinstance(value, (ChosenFunction, TracedRange)):
        raise GraphBreak(f"{value!r} is known only at run time and cannot leave the compiled function")
    return value


def _names_of(code: types.CodeType) -> set[str]:
    """The globals that code and the functions inside it may read (and names of attributes among them)."""
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return {*code.co_names, *(name for constant in inner for name in _names_of(constant))}

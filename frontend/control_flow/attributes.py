"""Attribute reads and writes: the trace guards each read; the program makes each write after every run."""

from __future__ import annotations

import dataclasses
import types
from typing import Any

from ..errors.classes import GraphBreak
from ..source.policy import is_user_module, should_convert
from ..source.template import is_converted
from ..tracing.guards import MISSING
from ..values.cell import Cell
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor
from . import calls as control
from .flow import Flow
from .growing import Growing
from .join import ChosenFunction, check_known, describe
from .leaving import finished_value
from .rings import Ring

# the attributes of these cannot change
_CONSTANT = frozenset((
    str, bytes, int, float, complex, bool, tuple, list, dict, set, frozenset, slice, range, type(None), super, property,
    types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.CodeType, types.GeneratorType,
    Growing, Ring,
))  # fmt: skip


class Attributes:
    """Reads and writes attributes for one trace.

    Attributes:
        own: the objects that the traced code has made, whose attributes are written at once.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.trace = flow.trace
        self.own: dict[int, Any] = {}
        self._known: dict[tuple[type, str], Any] = {}

    def getattr(self, owner: Any, name: str) -> Any:
        """Read an attribute of any object, and guard it."""
        kind = type(owner)
        if kind is TracedTensor and owner._number is not None:
            return self._of_number(owner, name)
        if kind is types.FunctionType and (found := self.trace.get_attribute(owner, name))[0]:
            return found[1]
        if kind in _CONSTANT or isinstance(owner, Tensor):
            return self._getattr_constant(owner, name)
        if isinstance(owner, types.ModuleType):
            value = getattr(owner, name)
            if is_user_module(owner.__dict__):
                self.trace.guards.read_global(owner.__dict__, name)
                self.flow.outside.found(value)
            else:
                self.flow.outside.moving.of_module(value)
            return value
        if kind is ChosenFunction:
            check_known(owner, f"attribute '{name}' of")
        if self.trace.attributes:
            written, value = self.trace.get_attribute(owner, name)
            if written:
                return value
        found = self._of_class(kind, name)
        guarded = found is MISSING and isinstance(owner, Cell) and id(owner) not in self.own  # as most
        if not guarded:
            if isinstance(found, property) and _is_users(found.fget):
                if id(owner) not in self.own:
                    self.trace.guards.read_class(owner, name)
                return control.convert(found.fget)(owner)
            getter = getattr(type(found), "__get__", None)
            decides = hasattr(type(found), "__set__") or name not in getattr(owner, "__dict__", ())
            if decides and _is_users(getter):  # the user's descriptor
                return control.convert(getter)(found, owner, kind)
            if id(owner) in self.own:
                return self._getattr_constant(owner, name)
            guarded = isinstance(owner, (Cell, type)) or name in getattr(owner, "__dict__", ()) or _is_value(found)
            guarded = guarded or isinstance(found, types.MemberDescriptorType)  # one of __slots__
        try:
            value = getattr(owner, name)
        except AttributeError:
            if not isinstance(owner, type):
                self.trace.guards.read_attribute(owner, name, MISSING)
            raise
        held = name in getattr(owner, "__dict__", ())
        guarded = guarded or name == "__dict__" or held  # a property that is cached
        if isinstance(value, types.MethodType) and value.__self__ is owner:
            self.trace.guards.read_method(owner, name, value)
        elif isinstance(value, (types.MethodType, types.BuiltinFunctionType)):
            if value is found or (held and not isinstance(owner, type)):  # others are made anew by each read
                self.trace.guards.read_attribute(owner, name, value)
        elif guarded:
            self.trace.guards.read_attribute(owner, name, value)
            self.flow.outside.found(value)
        elif found is MISSING and _is_plain_value(value):  # given by a __getattr__
            self.trace.guards.read_attribute(owner, name, value)
        return value

    def _of_class(self, kind: type, name: str) -> Any:
        """The class attribute of this name when it was first asked for."""
        key = kind, name
        known = self._known
        if key not in known:
            known[key] = _class_attribute(kind, name)
        return known[key]

    def _of_number(self, owner: TracedTensor, name: str) -> Any:
        """Read an attribute of a number that only the run knows: one of Python's numbers."""
        kind: Any = owner._number
        if name == "__class__":
            return kind
        if not hasattr(kind, name):
            raise AttributeError(f"'{kind.__name__}' object has no attribute '{name}'")
        if name in ("real", "numerator"):
            return self.flow.trace.builder.numbers.number(int, owner) if kind is bool else +owner
        if name in ("imag", "denominator"):
            return (int if kind is bool else kind)(name == "denominator")
        if not (name.startswith("__") and hasattr(owner, name)):
            raise GraphBreak(f"'{name}' of a {kind.__name__} that only the run knows")
        return getattr(owner, name)

    def _getattr_constant(self, owner: Any, name: str) -> Any:
        """Read an attribute of an object with few that can change: a function, a Parameter, a method of a base
        class."""
        try:
            value = getattr(owner, name)
        except AttributeError:
            if isinstance(owner, types.FunctionType):
                self.trace.guards.read_attribute(owner, name, MISSING)
            self.flow.check_kind(owner, f"attribute '{name}' of", lambda parameter: hasattr(parameter, name))
            raise
        if isinstance(owner, super):
            if isinstance(value, types.MethodType):
                self.trace.guards.read_method(owner, name, value)
        elif isinstance(owner, (types.FunctionType, Parameter)) and name in owner.__dict__ and _is_plain_value(value):
            self.trace.guards.read_attribute(owner, name, value)
        return value

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """Write an attribute of any object. For objects from outside this happens after each run of the graph."""
        self.flow.check_merged(owner)
        check_known(owner, f"the object of attribute '{name}' in")
        self.flow.check_kind(owner, f"which object gets attribute '{name}':", lambda parameter: True)
        found = _class_attribute(type(owner), name)
        setter = getattr(type(found), "__set__", None)
        if self._is_own(owner) and _is_users(setter):  # the user's descriptor
            control.convert(setter)(found, owner, value)
            return
        if self._is_own(owner) and not (isinstance(found, property) and _is_users(found.fset)):
            self.flow.touch(owner.__dict__)
            setattr(owner, name, value)
            return
        known = isinstance(value, Tensor) and not isinstance(value, TracedTensor)
        if known and getattr(owner, name, None) is value and self.flow.attribute(owner, name) is value:
            return  # after an update in place
        if isinstance(found, property) and _is_users(found.fset):
            control.convert(found.fset)(owner, value)
        elif isinstance(owner, Cell):
            self._set_on_cell(owner, name, value)
        elif isinstance(owner, types.ModuleType):
            self.flow.outside.variable(owner.__dict__, name)
            setattr(owner, name, value)
        elif self._is_plain(owner, found):
            self.trace.set_attribute(owner, name, finished_value(value))
        elif isinstance(owner, type) or not _is_frozen(owner):
            raise GraphBreak(f"a graph cannot hold the assignment of attribute '{name}' of {describe(owner)}")
        else:
            setattr(owner, name, value)

    def _set_on_cell(self, owner: Cell, name: str, value: Any) -> None:
        is_own = isinstance(value, (Parameter, Cell))
        if name in owner._params and not is_own and value is not None:
            setattr(owner, name, value)  # an update of the Parameter
        elif value is not None and value is owner._params.get(name, owner._cells.get(name)):
            return  # what it holds already, as after an update in place
        elif is_own or name in owner._cells or name in owner._params:
            raise GraphBreak(
                f"attribute '{name}' of {type(owner).__name__} is given a Parameter or Cell inside a compiled function",
                "Make Parameters and Cells in __init__",
            )
        else:
            self.trace.set_attribute(owner, name, finished_value(value))

    @staticmethod
    def _is_plain(owner: Any, found: Any) -> bool:
        """Whether an assignment to an object's attribute only stores it."""
        kind: Any = type(owner)
        if not hasattr(owner, "__dict__") or isinstance(owner, type) or kind.__setattr__ is not object.__setattr__:
            return False
        return not hasattr(type(found), "__set__")

    def _is_own(self, owner: Any) -> bool:
        """Whether the traced code has made an object of a user's class, or a function."""
        return id(owner) in self.own or (type(owner) is types.FunctionType and is_converted(owner.__code__))

    def delattr(self, owner: Any, name: str) -> None:
        """Delete an attribute of an object that the traced code has made."""
        if not self._is_own(owner):
            raise GraphBreak(f"a graph cannot hold the deletion of attribute '{name}' of {describe(owner)}")
        self.flow.touch(owner.__dict__)
        delattr(owner, name)

    def made(self, instance: Any) -> None:
        """The traced code has made an object of a user's class. Its attributes are written at once."""
        if isinstance(getattr(instance, "__dict__", None), dict) and not isinstance(instance, Cell):
            self.own[id(instance)] = instance
            self.flow.outside.moving.made(instance)


def _is_users(method: Any) -> bool:
    """Whether a method is a function of the user's, which is converted."""
    return isinstance(method, types.FunctionType) and should_convert(method)


def _class_attribute(kind: type, name: str) -> Any:
    """The class attribute of this name."""
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return MISSING


def _is_plain_value(value: Any) -> bool:
    """Whether a value is compared by its contents."""
    return value is None or isinstance(value, (bool, int, float, str, list, tuple, dict))


def _is_value(found: Any) -> bool:
    """Whether a class attribute is a plain value, not a descriptor that computes one."""
    return found is not MISSING and not hasattr(type(found), "__get__")


def _is_frozen(owner: Any) -> bool:
    """Whether an object itself refuses attribute assignments."""
    return dataclasses.is_dataclass(owner) and getattr(type(owner), "__dataclass_params__").frozen  # noqa: B009

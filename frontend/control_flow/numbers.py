"""Builtin functions of traced values: run-time numbers, identity, type tests, reductions."""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable
from typing import Any

from ...runtime import dtypes
from ...runtime.effects import exception_class
from ..errors.classes import GraphBreak, JoinBreak
from ..values import logic
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .aliases import UNKNOWN, is_extreme
from .effects import record_check
from .flow import Flow
from .growing import Growing
from .join import check_known, describe, number_kind
from .rings import Ring
from .state import is_traced
from .while_loops import TracedRange


class Numbers:
    """The results of builtin functions for traced values."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.trace = flow.trace

    def is_(self, left: Any, right: Any) -> Any:
        """`left is right` where one is traced."""
        if left is right:
            return True
        for value, other in ((left, right), (right, left)):
            check_known(None if other is None else value, "the identity of")
            if other is None and isinstance(value, TracedTensor) and value._present is not None:
                return wrap(self.trace.read(logic.logical_not(wrap(value._present))), bool)
            if isinstance(other, bool) and number_kind(value) is bool and isinstance(value, TracedTensor):
                return logic.equal(value, other)
            if number_kind(value) and number_kind(other) and isinstance(value, TracedTensor):
                raise GraphBreak("whether two numbers are one object only the run knows", "Compare them with ==")
        return self._are_one(left, right) if isinstance(left, Tensor) and isinstance(right, Tensor) else False

    def _are_one(self, left: Tensor, right: Tensor) -> Any:
        """Whether two names stand for one tensor."""
        if not isinstance(left, TracedTensor) and not isinstance(right, TracedTensor):
            return False
        self.trace.asks_identity = True
        for tensor in (left, right):
            self.trace.read(tensor)  # so that calls compare it with their arguments
        flag = next((flag for _, flag in self.flow.same(left, right)), False)
        return flag if isinstance(flag, bool) else wrap(self.trace.read(flag), bool)

    def not_(self, value: Any) -> Any:
        """`not value` of a traced value."""
        result = logic.logical_not(self.flow.condition(value, "the operand of 'not'"))
        return wrap(self.trace.read(result), bool) if number_kind(value) is not None else result

    def number(self, kind: type, value: Any, what: str = "") -> Any:
        """int(), float() or bool() of a traced value: a run-time number."""
        what = what or f"{kind.__name__}()"
        if kind is bool:
            return wrap(self.trace.read(self.flow.condition(value, f"the argument of {what}")), bool)
        if any(size not in (1, None) for size in value._type.shape):
            raise ValueError(f"{what} takes a tensor of one element, but the shape is {value.shape}")
        value = value.reshape(()) if value.ndim else value
        if kind is int and value.dtype.is_float:
            self.check(lambda: value == value, "cannot convert float NaN to integer", "ValueError")
            text = "cannot convert float infinity, or one beyond 64 bits, to an integer of a graph"
            self.check(lambda: abs(value) < 2.0**63, text, "OverflowError")
        return wrap(self.trace.read(value.astype(dtypes.as_dtype(kind))), kind)

    def check(self, holds: Callable[[], Any], message: str, exception: str) -> None:
        """Raise Python's error in a run where this does not hold of run-time numbers."""
        self.may_fail(exception_class(exception))
        record_check(self.trace, self.trace.read(self.flow.condition(holds())), message, exception)

    def may_fail(self, kind: type[BaseException], what: str = "an operation on run-time numbers that may fail") -> None:
        """`what` has an error that only a run can raise, where no handler of the traced code can catch it."""
        if self.flow.may_catch(kind):
            raise GraphBreak(f"{what} stands inside of a try or with statement")

    def item(self, tensor: Tensor, index: Any) -> Any:
        """`tensor.item(index)` if only the run knows the number; None if the trace knows it."""
        value = self.flow.lift(tensor)
        if not isinstance(value, TracedTensor) or value._known_numbers() is not None:
            return None
        kind = value.dtype.np.kind
        if kind not in "biuf":
            return None
        if index is not None:
            value = value[index] if isinstance(index, tuple) else value.reshape(-1)[index]
        return self.number({"b": bool, "f": float}.get(kind, int), value, "item()")

    def length(self, value: Any) -> Any:
        """len() of a traced value."""
        if isinstance(value, Tensor) and number_kind(value) is None and value._type.shape:
            return value.shape[0]
        if isinstance(value, Tensor) and number_kind(value) is None:
            raise TypeError("Not support len of a 0-D tensor")
        if isinstance(value, (TracedRange, Ring)):
            return len(value)
        raise TypeError(f"object of type '{self.type_of(value).__name__}' has no len()")

    def isinstance(self, value: Any, kinds: Any) -> bool:
        """isinstance() of a traced value."""
        if isinstance(value, TracedTensor) and value._present is not None:
            raise GraphBreak("the type of a value that may be None is known only at run time", "Compare it with None")
        kind = number_kind(value)
        if kind is not None:
            return issubclass(kind, kinds)
        found = builtins.isinstance(value, kinds)
        self.flow.check_kind(value, "the type of", lambda parameter: builtins.isinstance(parameter, kinds) is not found)
        return found

    def type_of(self, value: Any) -> Any:
        """type() of a traced value."""
        if isinstance(value, (TracedRange, Growing)):
            return range if isinstance(value, TracedRange) else list
        self.flow.check_kind(value, "the type of", lambda parameter: True)
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
            flags = [self.flow.constant(self.flow.condition_symbol(value)) for value in values]
            result = functools.reduce(combine, flags)
            return wrap(self.trace.read(result), bool)
        kinds = {number_kind(value) for value in values}
        if numbers and len(kinds) > 1:
            if bool in kinds and name != "sum":
                raise JoinBreak(f"{name}() of a bool and another number gives one or the other, as only the run knows")
            kind = float if float in kinds else int
            values = tuple(self.number(kind, self.constant_number(value)) for value in values)
        if numbers:
            combine = functools.partial(_better, operator.lt if name == "min" else operator.gt)
            if number_kind(values[0]) is not float:
                combine = logic.minimum if name == "min" else logic.maximum
            return wrap(self.trace.read(functools.reduce(combine, values)), number_kind(values[0]))
        return self._extreme(name, values)

    def _extreme(self, name: str, values: Any) -> Any:
        """min or max of tensors and numbers. For in-place updates the result is the same object as in Python."""
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
                self.flow.aliases.link(result, value, flag)
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
        if isinstance(step, Tensor):
            self.check(lambda: step != 0, "range() arg 3 must not be zero", "ValueError")
        return TracedRange(start, stop, step)


def _better(better: Callable[[Any, Any], Any], best: Any, value: Any) -> Any:
    """Of two floats the one that Python's min or max takes, also where one of them is nan."""
    beats = better(value, best)
    if not isinstance(beats, Tensor):
        return value if beats else best
    return logic.where(beats, value, best)

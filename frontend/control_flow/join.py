"""Phis: two branches' values become one value. Where they differ, it is a result of a cond."""

from __future__ import annotations

import dataclasses
import dis
import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, MappingProxyType
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Literal, Location, Operand, literal
from ...compiler.ops.control import finish_cond
from ...compiler.transforms.symbolic import Recorder, Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak, JoinBreak
from ..state import STATE
from ..tracing.trace import Trace
from ..values import tree
from ..values.tensor import UNKNOWN_BASE, Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .aliases import UNKNOWN, Aliases, negation, recorded
from .state import GLOBAL, UNDEFINED

Item = Any  # a Symbol, a Literal, or the TensorType of a value that a branch does not have
Fill = Callable[[Sequence[Symbol]], Any]  # from the results of the recorded node to a joined value

NUMBERS = (bool, int, float)


class _Absent:
    """The value of a variable in a branch that does not reach the join, because it raises or jumps."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


_EMPTY: Any = MappingProxyType({})


class Side:
    """The effects of one branch, with the symbols of its tensors at its end. Most branches have few of them."""

    aliases: Aliases  # from its first run on
    outcome: Any = None
    raised = False
    returns = False  # whether it always leaves by return
    has_run = False
    choice: bool | None = None  # what its code takes, if that has both branches
    values: Mapping[str, Any] = _EMPTY
    updates: dict[int, tuple[Any, Symbol]] = _EMPTY  # in place, of tensors from outside
    own_updates: dict[int, tuple[Any, Symbol]] = _EMPTY  # and of containers made in the branch
    attributes: Mapping[tuple[int, str], tuple[Any, Any]] = _EMPTY
    containers: dict[int, tuple[Any, Any]] = _EMPTY
    shared: Mapping[Any, tuple[Any, str, Any]] = _EMPTY  # variables that calls have rebound, with their values
    born: dict[Any, tuple[Any, str]] = _EMPTY  # variables of calls that began in the branch

    def __init__(self, recorder: Recorder, name: str, place: Location | CodeType | None) -> None:
        self.recorder = recorder
        self.name = name
        self.place = place
        self.symbols: dict[int, Symbol] = {}

    @property
    def line(self) -> Location | None:
        """The first line of the branch."""
        place = self.place
        if not isinstance(place, CodeType):
            return place
        line = place.co_firstlineno if self.choice is None else _chosen_line(place, self.choice)
        return Location(place.co_filename, line)

    @property
    def is_quiet(self) -> bool:
        """Whether the branch changes nothing but variables that it names."""
        return not (self.shared or self.attributes or self.containers or self.updates or self.own_updates)

    def symbol(self, tensor: Tensor) -> Symbol:
        """The symbol of a tensor at the end of the branch."""
        found = self.symbols.get(id(tensor))
        if found is None:  # a tensor that only the other branch, or nothing in this one, has handed on
            assert STATE.trace is not None
            target = STATE.trace.target(tensor)
            updated = self.updates.get(id(target))
            found = Trace.symbol_of(target) if updated is None else updated[1]
        return found

    def is_born_inside(self, tensor: Any) -> bool:
        """Whether a tensor exists only inside the branch."""
        return isinstance(tensor, TracedTensor) and tensor._symbol.recorder is self.recorder

    def same(self, tensor: Tensor) -> list[tuple[Tensor, Any]]:
        """The tensors that a tensor may be at the end of the branch, including itself, and under what conditions."""
        return self.aliases.same(tensor, self.is_born_inside) if self.is_born_inside(tensor) else [(tensor, True)]

    def reached(self, tensor: Any) -> list[Any]:
        """These tensors, without the conditions."""
        if not self.is_born_inside(tensor):
            return [tensor]
        return self.aliases.reached(tensor, self.is_born_inside)

    def at_end(self, value: Any) -> Any:
        """The contents of a container, or the fields of an object, at the end of the branch."""
        found = self.containers.get(id(value))
        if found is not None and found[0] is value:
            return type(value)(found[1])
        attributes = getattr(value, "__dict__", None) if dataclasses.is_dataclass(value) else None
        if attributes is None or STATE.trace is None:
            return value
        found = self.containers.get(id(attributes), (attributes, attributes))
        writes = {**STATE.trace.attributes, **self.attributes}.items()
        written = [(name, item) for (_, name), (owner, item) in writes if owner is value]
        if not written and found[1] is attributes:
            return value
        result = object.__new__(type(value))
        for name, item in (*found[1].items(), *written):
            object.__setattr__(result, name, item)
        return result

    def where(self, value: Any) -> str:
        """The source line of a value."""
        line = self.line
        if isinstance(value, Tensor):
            operand = self.symbol(value).operand
            for node in reversed(self.recorder.nodes):
                if operand in node.outputs:
                    line = node.location or line
                    break
        return str(line) if line is not None else self.name


def _chosen_line(code: CodeType, choice: bool) -> int:
    """The first line of one of the branches in the code of both, which begins with a jump to the second."""
    jumps, instructions = {*dis.hasjrel, *dis.hasjabs}, dis.get_instructions(code)
    jump = next(each for each in instructions if each.opcode in jumps)
    behind = next(each for each in instructions if each.opname != "NOT_TAKEN")  # of Python 3.14
    first: int = behind.offset if choice else jump.argval
    lines = [line for _, end, line in code.co_lines() if end > first and line is not None]
    return lines[0] if lines else code.co_firstlineno


class ChosenFunction:
    """One of two functions; only the run knows which one. A call runs the chosen one."""

    def __init__(self, call: Callable[..., Any], then: Any, orelse: Any) -> None:
        self.call = call
        self.then = then
        self.orelse = orelse

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.call(self.then, self.orelse, arguments, keywords)

    def __repr__(self) -> str:
        return f"<{self.then!r} or {self.orelse!r}>"

    def _asked(self, *_: Any) -> Any:
        check_known(self, "the object")

    __getitem__ = __setitem__ = __iter__ = __contains__ = __enter__ = __exit__ = _asked
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __matmul__ = __neg__ = _asked
    __lt__ = __le__ = __gt__ = __ge__ = _asked


def _has_more(*values: Any) -> bool:
    """Whether objects of a dataclass have attributes that are no fields."""
    return dataclasses.is_dataclass(values[0]) and any(
        getattr(value, "__dict__", {}).keys() - {field.name for field in dataclasses.fields(value)} for value in values
    )


def check_known(value: Any, asked: str) -> None:
    """GraphBreak for a chosen function of which more is asked than to be called."""
    if type(value) is ChosenFunction:
        raise GraphBreak(f"only the run knows {asked} {value!r}")


def number_kind(value: Any) -> type | None:
    """The type of a Python number, also of a run-time number; None for everything else."""
    if isinstance(value, TracedTensor):
        return value._number
    return type(value) if type(value) in NUMBERS else None


def number_item(value: Any) -> Literal:
    """A Python number as a literal. GraphBreak for an integer beyond 64 bits: Python's do not wrap."""
    if type(value) is int and not -(1 << 63) <= value < 1 << 63:
        raise GraphBreak(f"{value} is beyond 64 bits, which no integer of a graph is")
    return literal(value, dtypes.as_dtype(type(value)))


def present_item(value: Any) -> Item | None:
    """Whether an optional tensor is present, as an item; None for a value that is never None."""
    if value is None:
        return number_item(False)
    return getattr(value, "_present", None)


def is_flag(value: Any) -> bool:
    """Whether a value is a bool, or a Bool tensor in its place. Conditions do not distinguish them."""
    if number_kind(value) is not None or not isinstance(value, Tensor):
        return number_kind(value) is bool
    return value.dtype.is_bool and value.ndim == 0 and present_item(value) is None


def differing(values: Sequence[Any], words: str) -> Exception:
    """The error for values of different kinds.

    Python's numbers and None may be mixed with tensors and one another in Python, so such code runs eagerly. Tensors of
    two dtypes, texts and containers are a TypeError, as in MindSpore.
    """
    numbers = [number_kind(value) is not None for value in values]
    if any(numbers) and all(
        number or value is None or isinstance(value, Tensor) for number, value in zip(numbers, values, strict=True)
    ):
        return JoinBreak(words)
    return TypeError(words)


def describe(value: Any) -> str:
    """A value's type, for people."""
    if isinstance(value, Tensor):
        kind = number_kind(value)
        return f"a run-time {kind.__name__}" if kind is not None else f"a Tensor[{value.dtype}] of shape {value.shape}"
    if value is None or type(value) in NUMBERS:
        return repr(value) if value is None else f"the {type(value).__name__} {value!r}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)} items"
    return f"the string {value!r}" if isinstance(value, str) else f"a value of type {type(value).__name__}"


def same_number(a: Any, b: Any) -> bool:
    """Whether two Python numbers of one type are indistinguishable."""
    if type(a) is float:
        return repr(a) == repr(b) or (math.isnan(a) and math.isnan(b))
    return bool(a == b)


class Join:
    """Pairs the values of two branches. Each pair that differs becomes a result of one cond node."""

    def __init__(self, trace: Trace, choose: Callable[..., Any], condition: Symbol, then: Side, orelse: Side) -> None:
        self.trace = trace
        self.choose = choose
        self.condition = condition
        self.sides = then, orelse
        self.columns: list[tuple[Item, Item]] = []
        self.made: dict[Any, Any] = {}  # tensors that were one in both branches stay one
        self.undefined: dict[str, str] = {}
        self.before: Mapping[int, Any] = {}  # the containers that there were before the branches
        self.merged: dict[int, Any] = {}  # of these the ones joined with others, and what came of it
        self.pairs: dict[Any, tuple[Any, Any]] = {}  # the tensors of both branches that became one, by its key
        # key of a joined tensor, what it may be (a tensor, or the key of one), whether it is so in the true branch and
        # not in the false one (or the other way round), or the result that says so
        self.links: list[tuple[Any, Any, Any, int | None]] = []

    def column(self, then: Item, orelse: Item) -> int:
        """Add a result of the cond. Returns its position."""
        self.columns.append((then, orelse))
        return len(self.columns) - 1

    def values(self, a: Any, b: Any, what: str) -> Fill:
        """How to build the joined value of two trees from the results."""
        if a is b:
            return lambda results: a
        if (
            a.__class__ is b.__class__ is TracedTensor
            and a._number is b._number is None
            and a._present is b._present is None
            and a.dtype is b.dtype
            and a.ndim == b.ndim
        ):
            return self._results(a, a, b, optional=False)
        if a is ABSENT or b is ABSENT:
            return self._one_sided(a, b, what)
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            return self._tensors(a, b, what)
        kind = number_kind(a)
        if kind is not None or number_kind(b) is not None:
            if kind is not number_kind(b):
                raise self._mismatch(a, b, what)
            if same_number(a, b):
                return lambda results: a
            position = self.column(number_item(a), number_item(b))
            return lambda results: wrap(results[position], kind)
        olds = [value for value in (a, b) if id(value) in self.before and not isinstance(value, tuple)]
        a, b = self.sides[0].at_end(a), self.sides[1].at_end(b)
        parts, others = tree.children(a), tree.children(b)
        if parts is not None and others is not None and type(a) is type(b) and not _has_more(a, b):
            return self._merging(olds, self._containers(a, b, parts, others[0], what))
        if callable(a) and callable(b):
            return lambda results: ChosenFunction(functools.partial(self.choose, self.condition), a, b)
        if type(a) is type(b) and isinstance(a, (str, bytes, complex, slice, set, frozenset)) and a == b:
            return lambda results: a
        raise self._unjoinable(a, b, what)

    def _one_sided(self, a: Any, b: Any, what: str) -> Fill:
        """The value of the only branch that has one."""
        side = self.sides[1] if a is ABSENT else self.sides[0]
        value = b if a is ABSENT else a
        if isinstance(value, Tensor):
            if not side.is_born_inside(value):
                return lambda results: value
            return self._results(value, a, b, getattr(value, "_present", None) is not None)
        parts = tree.children(value)
        if parts is None or id(value) in side.containers or not any(map(side.is_born_inside, tree.tensors(value))):
            return lambda results: value
        fills = [
            self.values(ABSENT, item, what) if a is ABSENT else self.values(item, ABSENT, what) for item in parts[0]
        ]
        build = parts[1]
        return lambda results: build([fill(results) for fill in fills])

    def _tensors(self, a: Any, b: Any, what: str) -> Fill:
        """Two tensors or run-time numbers, or one of them with a number or None."""
        if a is None or b is None:
            other = b if a is None else a
            if number_kind(other) is not None:
                raise self._mismatch(a, b, what)
            return self._results(other, a, b, optional=True)
        if number_kind(a) is not number_kind(b):
            if is_flag(a) and is_flag(b):
                return self._results(a if number_kind(a) is None else b, a, b, optional=False)
            raise self._mismatch(a, b, what)
        if number_kind(a) is None:
            if not (isinstance(a, Tensor) and isinstance(b, Tensor)) or a.dtype is not b.dtype:
                raise self._mismatch(a, b, what)
            if a.ndim != b.ndim:
                raise self._unjoinable(a, b, what)
        optional = present_item(a) is not None or present_item(b) is not None
        return self._results(a if isinstance(a, Tensor) else b, a, b, optional)

    def _results(self, like: Tensor, a: Any, b: Any, optional: bool) -> Fill:
        """Results for a pair of tensors or numbers that are of one kind."""
        key = (id(a), id(b))
        position = self.column(self._item(0, a, like), self._item(1, b, like))
        flag = self.column(*(self._presence(value) for value in (a, b))) if optional else None
        number = number_kind(like)
        if number is None:  # numbers are not changed in place: no other name can be the same one
            self.pairs[key] = (a if number_kind(a) is None else None, b if number_kind(b) is None else None)

        def fill(results: Sequence[Symbol]) -> Any:
            made = self.made.get(key)
            if made is None:
                made = self.made[key] = wrap(results[position], number)
                if flag is not None:
                    made._present = results[flag]
                if getattr(a, "_base", None) is not None or getattr(b, "_base", None) is not None:
                    made._base = UNKNOWN_BASE
            return made

        return fill

    def relate(self) -> None:
        """Store which joined tensors may be one another, or tensors from outside: where they are in the branch
        taken."""
        found: dict[tuple[Any, Any], list[Any]] = {}  # (joined tensor, tensor that it may be) -> the flag of each side
        outside: dict[int, Tensor] = {}
        pairs = self.pairs.values()
        for number, side in enumerate(self.sides):
            reached = [pair[number] for pair in pairs]
            if side.aliases.of:
                reached = [each for tensor in reached for each in side.reached(tensor)]
            if all(map(side.is_born_inside, reached)) and len(set(map(id, reached))) == len(reached):
                continue  # no condition is computed
            with self.trace.scope(side.name, side.recorder):
                relations = list(self._relations(number, side, outside))
            for key, other, flag in relations:
                pair = (other, key) if (other, key) in found else (key, other)
                found.setdefault(pair, [False, False])[number] = flag
        for (key, other), flags in found.items():
            self._link(key, outside.get(other, other), flags)

    def _relations(self, number: int, side: Side, outside: dict[int, Tensor]) -> Iterator[tuple[Any, Any, Any]]:
        """Triples (joined tensor, tensor that it may be at the end of a side, flag). Stores the tensors from
        outside."""
        holders: dict[int, list[Any]] = {}
        for key, pair in self.pairs.items():
            holders.setdefault(id(pair[number]), []).append(key)
        for key, pair in self.pairs.items():
            value = pair[number]
            for tensor, flag in side.same(value) if isinstance(value, Tensor) else ():
                for other in holders.get(id(tensor), ()):
                    if other is not key:
                        yield key, other, recorded(flag)
                if not side.is_born_inside(tensor):
                    outside[id(tensor)] = tensor
                    yield key, id(tensor), recorded(flag)

    def _link(self, key: Any, other: Any, flags: list[Any]) -> None:
        """Store that a joined tensor may be another. A flag that only the run knows becomes a result of the cond."""
        if all(isinstance(flag, bool) for flag in flags):
            self.links.append((key, other, flags[0], None))
        elif any(flag is UNKNOWN for flag in flags):
            self.links.append((key, other, UNKNOWN, None))
        else:
            items = [number_item(flag) if isinstance(flag, bool) else flag._symbol for flag in flags]
            self.links.append((key, other, flags[0], self.column(items[0], items[1])))

    def linked(self, results: Sequence[Symbol]) -> Iterator[tuple[Tensor, Tensor, Any]]:
        """Triples (joined tensor, tensor that it may be, condition)."""
        condition = wrap(self.condition)
        for key, other, holds, column in self.links:
            made = self.made.get(key)
            tensor = other if isinstance(other, Tensor) else self.made.get(other)
            if made is None or tensor is None:
                continue
            if made._type != tensor._type:  # as one of the branches has another shape
                yield made, tensor, UNKNOWN
            elif column is not None:
                yield made, tensor, wrap(results[column])
            elif holds is UNKNOWN:
                yield made, tensor, UNKNOWN
            else:
                yield made, tensor, condition if holds else negation(condition)

    def _item(self, side: int, value: Any, like: Tensor) -> Item:
        """A value of one branch as an operand."""
        if isinstance(value, Tensor):
            return self.sides[side].symbol(value)
        if value is None or value is ABSENT:
            return self.sides[1 - side].symbol(like).type
        return number_item(value)

    def _presence(self, value: Any) -> Item:
        """Whether a value is present, as an operand."""
        found = present_item(value)
        return number_item(value is not ABSENT) if found is None else found

    def _containers(self, a: Any, b: Any, parts: Any, others: list[Any], what: str) -> Fill:
        """Two containers of one type."""
        items, build = parts
        if len(items) != len(others) or (isinstance(a, dict) and list(a) != list(b)):
            raise self._unjoinable(a, b, what)
        keys = [repr(key) for key in a] if isinstance(a, dict) else [str(position) for position in range(len(items))]
        fills = [self.values(x, y, f"{what}[{key}]") for x, y, key in zip(items, others, keys, strict=True)]
        return lambda results: build([fill(results) for fill in fills])

    def _merging(self, olds: list[Any], fill: Fill) -> Fill:
        """Store that a container is merged from earlier ones, which may have other names."""
        if not olds:
            return fill

        def merge(results: Sequence[Symbol]) -> Any:
            made = fill(results)
            self.merged.update((id(value), value) for value in (*olds, made))
            return made

        return merge

    def variable(self, name: str, a: Any, b: Any) -> Fill:
        """Join a variable. If it is unbound in a branch, it is unbound afterwards."""
        if a is not UNDEFINED and b is not UNDEFINED:
            return self.values(a, b, f"'{name}'")
        for value, other, branch in ((a, b, "true"), (b, a, "false")):
            if value is UNDEFINED and other is not UNDEFINED and other is not ABSENT:
                if name.startswith(GLOBAL):
                    raise GraphBreak(
                        f"'{name[len(GLOBAL) :]}' is set in one branch of a run-time condition and does not exist "
                        "otherwise",
                        "Give it a value in the module",
                    )
                self.undefined[name] = (
                    f"The local variable '{name}' is not defined in {branch} branch, "
                    f"but defined in {'false' if branch == 'true' else 'true'} branch"
                )
                return lambda results: UNDEFINED
        return lambda results: UNDEFINED

    def _mismatch(self, a: Any, b: Any, what: str) -> Exception:
        """The error for values of different types."""
        then, orelse = self.sides
        return differing(
            (a, b),
            f"Cannot join the return values of different branches, perhaps you need to make them equal: {what} is "
            f"{describe(a)} in the true branch "
            f"({then.where(a)}), but {describe(b)} in the false branch ({orelse.where(b)}). Which branch runs is known "
            "only at run time, so both have to give the same kind of value and dtype; cast one of them",
        )

    def _unjoinable(self, a: Any, b: Any, what: str) -> GraphBreak:
        """The error for values that a graph cannot choose between at run time."""
        then, orelse = self.sides
        return GraphBreak(
            f"Cannot join {what}: {describe(a)} in the true branch ({then.where(a)}), {describe(b)} in the false "
            f"branch ({orelse.where(b)}); a graph cannot choose between them at run time",
            "Give both branches values of the same structure, number of dimensions and type",
        )

    def record(self) -> list[Symbol]:
        """Record the cond. Returns its results."""
        if not self.columns and not any(node.has_effect for side in self.sides for node in side.recorder.nodes):
            return []
        branches: list[tuple[Recorder, tuple[Operand, ...]]] = []
        for position, side in enumerate(self.sides):
            items = [_operand(side.recorder, column[position]) for column in self.columns]
            branches.append((side.recorder, side.recorder.lifted(items)))
        return list(finish_cond(self.trace.recorder, self.condition, branches))


def _operand(recorder: Recorder, item: Item) -> Any:
    """An item as an output of a branch."""
    if isinstance(item, TensorType):
        return recorder.apply(prims.undefined, (), {"shape": item.shape, "dtype": item.dtype})
    return item

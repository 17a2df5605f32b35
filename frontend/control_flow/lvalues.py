"""Lvalues: what the body of a loop may change; and the values that the loop carries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from ...compiler.ir.types import TensorType
from ...compiler.transforms.symbolic import Symbol
from ...runtime.records import dataclass
from ..errors.classes import GraphBreak
from .flow import Flow
from .loop_aliases import CarriedAliases
from .outcomes import NEXT
from .outside import contents, replace_contents
from .state import GLOBAL, Variables, read_variable, write_variable


class Lvalue:
    """A variable, an attribute or the contents of a container, which a body may change."""

    def __init__(
        self, what: str, value: Any, get: Callable[[], Any], put: Callable[[Any], None], name: str = ""
    ) -> None:
        self.what = what
        self.name = name  # for its values in the graph
        self.value = value  # before the loop
        self.get = get
        self.put = put


@dataclass
class Carried:
    """The lvalues that a body is known to change, and that are passed from iteration to iteration."""

    lvalues: dict[Any, Lvalue]
    leaves: set[tuple[Any, tuple[int, ...]]] = field(default_factory=set)  # key of an lvalue, path in its value
    flags: set[tuple[Any, tuple[int, ...]]] = field(default_factory=set)  # leaves that are bools before the loop only
    targets: dict[int, tuple[Any, Symbol]] = field(default_factory=dict)  # tensors updated in place, symbol before
    kinds: frozenset[int] = frozenset()  # how the loop may end, besides by its test
    going: frozenset[int] = frozenset((NEXT,))  # how iterations may end that the test follows
    returned: list[tuple[TensorType, type | None]] = field(default_factory=list)  # the tensors of a value returned
    unbound: set[str] = field(default_factory=set)  # variables that only the body binds
    aliases: CarriedAliases = field(default_factory=CarriedAliases)
    growing: list[Any] = field(default_factory=list)  # lists to which each iteration of a rerolled loop appends
    latest: dict[int, Any] = field(default_factory=dict)  # of these, by identity: the items that iterations read
    rings: list[Any] = field(default_factory=list)  # lists that its iterations read in turn

    def carry_latest(self, identity: int, latest: Any) -> None:
        """Carry the items that were added last to the list of this identity (see `growing.py`)."""
        key = "latest", identity
        self.latest[identity] = latest
        self.lvalues[key] = Lvalue("the list", latest.items, lambda: latest.items, latest.put)
        self.leaves |= {(key, path) for path in latest.paths()}


def carried_variables(variables: Variables, known: set[Any]) -> Carried:
    """What is known before the first trace of a loop: its variables, and the changes of earlier loops with its body."""
    carried = Carried({name: variable_lvalue(variables, name) for name in variables.names})
    carried.leaves |= {(name, path) for name, path in known if name in carried.lvalues}
    return carried


def variable_lvalue(variables: Variables, name: str) -> Lvalue:
    """A variable of the user's function."""
    one = variables.only(name)
    return Lvalue(
        f"'{name}'", one.get()[0], lambda: one.get()[0], lambda value: one.set((value,)), name.removeprefix(GLOBAL)
    )


def shared_lvalue(holder: Any, name: str, before: Any) -> Lvalue:
    """A variable that calls in a body rebind, as an lvalue."""
    return Lvalue(
        f"'{name}'",
        before,
        lambda: read_variable(holder, name),
        lambda value: write_variable(holder, name, value),
        name.removeprefix(GLOBAL),
    )


def attribute_lvalue(flow: Flow, owner: Any, name: str) -> Lvalue:
    """An attribute as an lvalue."""
    return Lvalue(
        f"attribute '{name}'",
        flow.attribute(owner, name),
        lambda: flow.attribute(owner, name),
        lambda value: flow.trace.set_attribute(owner, name, value),
        name,
    )


def container_lvalue(flow: Flow, container: Any, before: Any) -> Lvalue:
    """The contents of a container as an lvalue."""

    def put(value: Any) -> None:
        flow.touch(container)
        replace_contents(container, value)

    return Lvalue(f"the {type(container).__name__}", before, lambda: contents(container), put)


def check_present(lvalue: Lvalue, value: Any) -> None:
    """Raise GraphBreak for a value that may be None."""
    if getattr(value, "_present", None) is not None:
        raise GraphBreak(
            f"{lvalue.what} is a tensor or None, which only the run knows, and a run-time loop hands it on",
            "Give it a tensor in every case",
        )

"""Name generation: unique names for generated variables and functions."""

from __future__ import annotations

import ast

from .scope import NameTable

__all__ = ["Conversion", "FunctionNames"]


class Conversion:
    """The names that the converters of a function and of its inner functions share."""

    def __init__(self, names: NameTable) -> None:
        self.names = names
        self.counter = 0
        self.generated: set[str] = set()  # the functions that conversion makes
        self.thunks: list[ast.Lambda] = []  # and the lambdas
        self.helpers = self.fresh_name("_mc")

    def fresh_name(self, wanted: str) -> str:
        """A name that the user's function does not use."""
        while wanted in self.names.bits:
            wanted = "_" + wanted
        return wanted

    def fresh(self, label: str) -> str:
        """A numbered name for a generated value."""
        self.counter += 1
        return self.fresh_name(f"{label}_{self.counter}")

    def function(self, label: str) -> str:
        """A numbered name for a generated function."""
        name = self.fresh(label)
        self.generated.add(name)
        return name

    def twin(self, name: str, label: str) -> str:
        """The name of the generated function that belongs to another one."""
        twin = self.fresh_name(f"{label}_{name.rpartition('_')[2]}")
        self.generated.add(twin)
        return twin


class FunctionNames:
    """The names of one function of the converted text while its body is made."""

    __slots__ = ("needed", "owned", "stores")

    def __init__(self, owned: int) -> None:
        self.owned = owned  # names that live in this function
        self.stores = 0  # names its own statements bind
        self.needed = 0  # names that functions inside it declare nonlocal, or that may be read unbound

"""Method tables: Tensor gets its operators and methods from the functions of the library."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ...frontend.compilation.doors import guarded
from ...frontend.errors.hints import TENSOR_HINTS
from ...frontend.errors.tracebacks import Hint
from ...frontend.transforms import hooks
from ...frontend.values.tensor import Tensor
from ..functions import (
    dtype_methods,
    reduce_methods,  # noqa: F401  # nearly all programs need them
    shape_methods,
    table,
)
from ..index import INPLACE, METHODS
from . import operators as tensor_operators, properties as tensor_properties

if TYPE_CHECKING:  # loaded with their methods
    from .. import functions, ops  # noqa: F401
    from . import inplace  # noqa: F401

ROOT = __name__.split(".")[0]
_INPLACE = "library.tensor.inplace"


class LazyMethod:
    """A method of Tensor whose file is loaded when it is first asked for. Then it takes this object's place.

    Args:
        name: the method's name.
        home: the module of its file.
    """

    def __init__(self, name: str, home: str) -> None:
        self.name, self.home = name, home

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        home = importlib.import_module(f"{ROOT}.{self.home}")
        if self.name in INPLACE:
            found: Any = importlib.import_module(f"{ROOT}.{_INPLACE}").method(self.name)
        elif hasattr(home, "TENSOR_METHODS"):
            found = home.TENSOR_METHODS[self.name]
        else:
            found = table.TABLE["method"][self.name].run
        if vars(Tensor).get(self.name) is self:
            setattr(Tensor, self.name, guarded(found))
        return found.__get__(instance, owner)


def attach(more: dict[str, Any]) -> None:
    """Give Tensor its operators and methods, `more` of them, and errors with a hint for names of PyTorch and NumPy."""
    tables: tuple[dict[str, Any], ...] = (
        {name: LazyMethod(name, home) for name, home in (METHODS | INPLACE).items()},
        shape_methods.PROPERTIES,
        dtype_methods.PROPERTIES,
        tensor_properties.TENSOR_METHODS,
        hooks.TENSOR_METHODS,
        tensor_operators.operators(),
        more,
    )
    for members in tables:
        for name, item in members.items():
            setattr(Tensor, name, item)
    for name, text in TENSOR_HINTS.items():
        setattr(Tensor, name, Hint(name, text))

"""Functions chosen by the types of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...frontend.control_flow import calls as control
from ...frontend.state import STATE
from ...frontend.values.mutable import MutableBool, MutableFloat, MutableInt
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import TracedTensor
from ...runtime import dtypes

__all__ = ["MultitypeFuncGraph"]


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that the user gave: its control flow on traced tensors becomes part of the graph."""
    if STATE.trace is not None:
        function = control.convert(function)
    return function(*arguments)


_NAMES: dict[str, Callable[[Any], bool]] = {
    "Number": lambda value: _is_number(value, bool, int, float, complex),
    "Int": lambda value: _is_number(value, int),
    "Float": lambda value: _is_number(value, float),
    "Bool": lambda value: _is_number(value, bool),
    "Tensor": lambda value: isinstance(value, Tensor) and not _is_number(value, bool, int, float, complex),
    "Parameter": lambda value: isinstance(value, Tensor) and hasattr(value, "requires_grad"),
    "String": lambda value: isinstance(value, str),
    "Tuple": lambda value: isinstance(value, tuple),
    "List": lambda value: isinstance(value, list),
    "Dictionary": lambda value: isinstance(value, dict),
    "None": lambda value: value is None,
    "TypeNone": lambda value: value is None,
    "Slice": lambda value: isinstance(value, slice),
    "Ellipsis": lambda value: value is Ellipsis,
    "TypeEllipsis": lambda value: value is Ellipsis,
    "Function": callable,
    "TypeType": lambda value: isinstance(value, (type, dtypes.DType)),
    "RowTensor": lambda value: type(value).__name__ == "RowTensor",
    "COOTensor": lambda value: type(value).__name__ == "COOTensor",
    "CSRTensor": lambda value: type(value).__name__ == "CSRTensor",
    "MapTensor": lambda value: type(value).__name__ == "MapTensor",
}


_NAMES["Dict"] = _NAMES["Dictionary"]
_NAMES["Func"] = _NAMES["Function"]
_DTYPE_NAMES = frozenset(dtype.name for dtype in dtypes.ALL) - {"Bool"}


_MARKED = {MutableInt: int, MutableFloat: float, MutableBool: bool}


def _is_number(value: Any, *kinds: type) -> bool:
    """Whether a value is a Python number of one of these exact kinds, also one that only the run knows."""
    kind = value._number if isinstance(value, TracedTensor) else _MARKED.get(type(value), type(value))
    return kind in kinds


def _matcher(wanted: Any) -> Callable[[Any], bool]:
    """A function that decides whether a value fits a name such as "Tensor", a dtype or a Python type."""
    if isinstance(wanted, str):
        if wanted in _DTYPE_NAMES:
            return _matcher(dtypes.by_name(wanted))
        if wanted not in _NAMES:
            raise ValueError(f"'{wanted}' is no type name to register with; there are {', '.join(sorted(_NAMES))}")
        return _NAMES[wanted]
    if isinstance(wanted, dtypes.DType):
        kind = {"b": "Bool", "i": "Int", "u": "Int", "f": "Float"}.get(wanted.kind, "Number")
        return _NAMES[kind]
    if isinstance(wanted, type):
        if wanted in (int, float, bool):
            return lambda value: _is_number(value, wanted)
        return lambda value: isinstance(value, wanted)
    name = getattr(wanted, "name", None) or str(wanted)
    if name in _NAMES:
        return _NAMES[name]
    raise TypeError(f"register() takes type names, dtypes or Python types, but got {wanted!r}")


class MultitypeFuncGraph:
    """A function with several implementations; the types of the arguments choose one.

    Args:
        name: its name, for messages.
        read_value: accepted; Parameters are always read.
        doc_url: accepted.

    Raises:
        ValueError: on a call, if no implementation fits.

    Examples:
        >>> import mycel as ms
        >>> add = ms.ops.MultitypeFuncGraph("add")
        >>> @add.register("Number", "Number")
        ... def _(x, y):
        ...     return x + y
        >>> add(1, 2)
        3
    """

    def __init__(self, name: str, read_value: bool = False, doc_url: str = "") -> None:
        self.name = name
        self.entries: list[tuple[tuple[Callable[[Any], bool], ...], tuple[Any, ...], Callable[..., Any]]] = []

    def register(self, *types: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator: the function decorated is the implementation for arguments of these types.

        Args:
            types: "Number", "Int", "Float", "Bool", "Tensor", "Tuple", "List", "String", "None", …, or a Python type.
        """
        matchers = tuple(map(_matcher, types))

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            self.entries.append((matchers, types, function))
            return function

        return add

    def register_fn(self, types: Iterable[Any], function: Callable[..., Any]) -> None:
        """Register an implementation without a decorator."""
        self.register(*types)(function)

    def set_doc_url(self, doc_url: str) -> None:
        """Accepted, without meaning."""

    def set_need_raise(self) -> None:
        """Accepted: a call that fits nothing always raises."""

    def __call__(self, *arguments: Any) -> Any:
        """Call the implementation for the types of the arguments."""
        return call(self.find(arguments), *arguments)

    def find(self, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """The implementation for these arguments; the latest where several fit as well."""
        exact = [entry for entry in self.entries if len(entry[0]) == len(arguments)]
        for matchers, _, function in reversed(exact):
            if all(matches(value) for matches, value in zip(matchers, arguments, strict=True)):
                return function
        if len(self.entries) == 1 and exact:
            return exact[0][2]  # as in MindSpore, a single implementation takes anything
        found = ", ".join(_describe(value) for value in arguments)
        known = "; ".join(f"({', '.join(map(str, types))})" for _, types, _ in self.entries)
        raise ValueError(
            f"For 'MultitypeFuncGraph', cannot find fn match given args, of types ({found}); '{self.name}' has: "
            f"{known or 'none'}"
        )

    def __repr__(self) -> str:
        return f"MultitypeFuncGraph({self.name})"


def _describe(value: Any) -> str:
    for name in ("Bool", "Int", "Float", "Tensor", "String", "Tuple", "List", "Dictionary", "None"):
        if _NAMES[name](value):
            return name
    return type(value).__name__

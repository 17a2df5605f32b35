"""Run-time inputs: `mutable` makes numbers and containers inputs of the graph, not constants."""

from __future__ import annotations

from typing import Any

from .tensor import Tensor


class MutableInt(int):
    """An int that a compiled function takes as a run-time value."""


class MutableFloat(float):
    """A float that a compiled function takes as a run-time value."""


class MutableBool(int):
    """A bool that a compiled function takes as a run-time value."""

    def __repr__(self) -> str:
        return repr(bool(self))

    __str__ = __repr__


class MutableTuple(tuple):  # type: ignore[type-arg]
    """A tuple whose numbers are run-time values; `grad` gives its gradient as a tuple."""


class MutableList(list):  # type: ignore[type-arg]
    """A list whose numbers are run-time values; `grad` gives its gradient as a list."""


class MutableDict(dict):  # type: ignore[type-arg]
    """A dict whose numbers are run-time values; `grad` gives its gradient as a dict."""


NUMBERS: dict[type, type] = {MutableInt: int, MutableFloat: float, MutableBool: bool}
CONTAINERS: dict[type, type] = {MutableTuple: tuple, MutableList: list, MutableDict: dict}


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """`input_data` as a run-time value: a compiled function is not compiled anew for each of its values.

    Args:
        input_data: an int, float, bool, Tensor, or a tuple, list or dict (nested as well) of them.
        dynamic_len: for a tuple or list whose length varies: another length compiles anew.

    Returns:
        A value equal to `input_data` that carries the mark.

    Raises:
        TypeError: for anything else.

    Examples:
        >>> import mycel as ms
        >>> double = ms.jit(lambda n: n * 2)
        >>> double(ms.mutable(3)), double(ms.mutable(4)), len(double.explain().traces)
        (6, 8, 1)
    """
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        raise TypeError(
            "For 'mutable', when the variable_len is True, the first input should be list or tuple, "
            f"but got: {type(input_data).__name__}"
        )
    if isinstance(input_data, Tensor):
        return input_data
    if isinstance(input_data, bool):
        return MutableBool(input_data)
    if isinstance(input_data, int):
        return MutableInt(input_data)
    if isinstance(input_data, float):
        return MutableFloat(input_data)
    if isinstance(input_data, tuple):
        return MutableTuple(map(mutable, input_data))
    if isinstance(input_data, list):
        return MutableList(map(mutable, input_data))
    if isinstance(input_data, dict):
        return MutableDict({key: mutable(value) for key, value in input_data.items()})
    raise TypeError(
        "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, list, dict) or their "
        "nested "
        f"structures, but got {type(input_data).__name__}: {input_data}"
    )


def is_mutable(value: Any) -> bool:
    """Whether `value` was made by `mutable`."""
    return type(value) in NUMBERS or type(value) in CONTAINERS


def plain(value: Any) -> Any:
    """A marked value without its mark."""
    kind = type(value)
    if kind in NUMBERS:
        return NUMBERS[kind](value)
    if kind is MutableDict:
        return {key: plain(item) for key, item in value.items()}
    if kind in CONTAINERS:
        return CONTAINERS[kind](map(plain, value))
    return value

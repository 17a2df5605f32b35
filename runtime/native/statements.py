"""Values of statements: the builder calls of the function that a statement names, and the dtypes that it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from . import narrow
from .builder import Builder, Constants, Unsupported, Value
from .functions import FUNCTIONS
from .language import LANES, Number, Statement, lane_dtype
from .mathematics import FUNCTIONS as MATHEMATICS
from .unsigned import function_of, is_unsigned


def apply(builder: Builder, statement: Statement, given: Sequence[Value | Number]) -> Value:
    """The value of a statement."""
    function = _function_of(statement.function, (*[value.dtype for value in given], statement.dtype), builder.width)
    values: list[Value] = [value for value in given if isinstance(value, Value)]
    if len(values) < len(given):
        default = default_dtype([value.dtype if isinstance(value, Value) else value for value in given], builder.width)
        values = [
            builder.given(value.value, value.dtype or default) if isinstance(value, Number) else value
            for value in given
        ]
    if statement.dtype is not None:
        return function(builder, *values, statement.dtype)
    return function(builder, *values)


@cache
def _function_of(name: str, dtypes: tuple[str | None, ...], width: int) -> Callable[..., Value]:
    """What emits the instructions of a function of some dtypes; the last is that of its result, if it is given."""
    function: Callable[..., Value] | None = FUNCTIONS.get(name)
    if function is None:
        raise Unsupported(f"kernels know no function {name}")
    if any(dtype and lane_dtype(dtype, width) != dtype for dtype in dtypes):
        return narrow.function_of(name, FUNCTIONS)
    return function_of(name, FUNCTIONS) if any(map(is_unsigned, dtypes)) else function


def default_dtype(given: Sequence[str | Number], width: int) -> str:
    """The dtype of a number without one, from the dtypes of values and of other numbers."""
    dtypes = [value for value in given if isinstance(value, str)]
    known = [dtype for dtype in (*dtypes, *[n.dtype for n in given if isinstance(n, Number)]) if dtype]
    numbers = [dtype for dtype in known if dtype != "bool"]
    return numbers[0] if numbers else "bool" if dtypes else "float64" if width == 8 else "float32"


@cache
def is_known(function: str, given: tuple[str | Number, ...], dtype: str | None) -> bool:
    """Whether there are instructions for a function of values and numbers of these dtypes, all of one width, with a
    result of `dtype`."""
    named = [argument.dtype if isinstance(argument, Number) else argument for argument in (*given, dtype)]
    width = max((LANES[name] for name in named if name in LANES), default=4)
    target = dtype if function in ("cast", "bitcast") else None
    try:
        result = result_of(function, given, target, width)
    except Unsupported:
        return False
    return dtype is None or result.dtype == dtype


@cache
def result_of(function: str, given: tuple[str | Number, ...], dtype: str | None, width: int) -> Value:
    """The value of a function of registers of some dtypes, and of numbers."""
    if function in MATHEMATICS and set(given) in ({"float32"}, {"float64"}):
        return Value("register", 0, str(given[0]))  # without its many instructions
    names = tuple(map(str, range(len(given))))
    values = [Value("register", -1 - at, one) if isinstance(one, str) else one for at, one in enumerate(given)]
    return apply(Builder(width, Constants(), [0]), Statement("", function, names, dtype), values)

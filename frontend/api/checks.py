"""Checks of arguments under MindSpore's names (`mindspore._checkparam`), for Cells and primitives that users write.

Each check returns its argument, or raises an error with the names of the argument and of its owner.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from ...runtime.dtypes import DType
from ..errors.spelling import did_you_mean
from ..values.named import made

EQ, NE, LT, LE, GT, GE = range(1, 7)
INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = range(7, 11)
IN, NOT_IN = 11, 12

_RELATIONS: dict[int, tuple[str, Callable[[Any, Any], bool]]] = {
    EQ: ("=", operator.eq), NE: ("!=", operator.ne), LT: ("<", operator.lt),
    LE: ("<=", operator.le), GT: (">", operator.gt), GE: (">=", operator.ge),
}  # fmt: skip
_RANGES: dict[int, tuple[str, Callable[[Any, Any, Any], bool]]] = {
    INC_NEITHER: ("({}, {})", lambda value, low, high: low < value < high),
    INC_LEFT: ("[{}, {})", lambda value, low, high: low <= value < high),
    INC_RIGHT: ("({}, {}]", lambda value, low, high: low < value <= high),
    INC_BOTH: ("[{}, {}]", lambda value, low, high: low <= value <= high),
}


def _subject(arg_name: str | None, prim_name: str | None) -> str:
    owner = f"For '{prim_name}', the" if prim_name else "The"
    return f"{owner} '{arg_name}'" if arg_name else f"{owner} input value"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any, kind: type, arg_name: str | None, prim_name: str | None) -> None:
    suits = _is_int(value) if kind is int else isinstance(value, kind)
    if not suits:
        raise TypeError(f"{_subject(arg_name, prim_name)} must be {kind.__name__}, but got '{type(value).__name__}'")


def _compared(value: Any, limit: Any, rel: int, kind: type, arg_name: str | None, prim_name: str | None) -> Any:
    _number(value, kind, arg_name, prim_name)
    sign, holds = _RELATIONS[rel]
    if not holds(value, limit):
        raise ValueError(
            f"{_subject(arg_name, prim_name)} must be {kind.__name__} and must {sign} {limit}, "
            f"but got '{value}' with type '{type(value).__name__}'."
        )
    return value


def check_number_range(
    arg_value: Any, lower_limit: Any, upper_limit: Any, rel: int, value_type: Any, arg_name: str | None = None,
    prim_name: str | None = None,
) -> Any:  # fmt: skip
    """A number of type `value_type` between two limits."""
    shown, holds = _RANGES[rel]
    if isinstance(arg_value, bool) or not isinstance(arg_value, value_type):
        raise TypeError(
            f"{_subject(arg_name, prim_name)} must be {_names(value_type)}, but got '{type(arg_value).__name__}'"
        )
    if not holds(arg_value, lower_limit, upper_limit):
        raise ValueError(
            f"{_subject(arg_name, prim_name)} must be in range of {shown.format(lower_limit, upper_limit)}, "
            f"but got {arg_value} with type '{type(arg_value).__name__}'."
        )
    return arg_value


def check(
    arg_name: str, arg_value: Any, value_name: str, value: Any, rel: int = EQ, prim_name: str | None = None,
    excp_cls: type[Exception] = ValueError,
) -> Any:  # fmt: skip
    """A value that has a given relation to another, named value."""
    if rel in (IN, NOT_IN):
        holds, sign = (arg_value in value) == (rel == IN), "in" if rel == IN else "not in"
    else:
        sign, relation = _RELATIONS[rel]
        holds = relation(arg_value, value)
    if not holds:
        raise excp_cls(f"{_subject(arg_name, prim_name)} should be {sign} {value_name}: {value}, but got {arg_value}.")
    return arg_value


def check_int(arg_value: Any, value: int, rel: int, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """An int that has a given relation to `value`."""
    return _compared(arg_value, value, rel, int, arg_name, prim_name)


def check_float(
    arg_value: Any, value: float, rel: int, arg_name: str | None = None, prim_name: str | None = None
) -> Any:
    """A float that has a given relation to `value`."""
    return _compared(arg_value, value, rel, float, arg_name, prim_name)


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """An int, and no bool."""
    return check_is_number(arg_value, int, arg_name, prim_name)


def check_is_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """A float."""
    return check_is_number(arg_value, float, arg_name, prim_name)


def check_is_number(arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """A number of type `arg_type`."""
    if isinstance(arg_value, bool) or not isinstance(arg_value, arg_type):
        owner = f"For '{prim_name}', the type" if prim_name else "The type"
        raise TypeError(f"{owner} of '{arg_name}' must be '{arg_type.__name__}', but got '{type(arg_value).__name__}'.")
    return arg_value


def check_equal_int(arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """The int `value`."""
    return _compared(arg_value, value, EQ, int, arg_name, prim_name)


def _beside_zero(name: str, rel: int, kind: type) -> Callable[..., Any]:
    """A check of the sign of a number."""

    def check(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
        """{kind} {words} 0."""
        return _compared(arg_value, 0, rel, kind, arg_name, prim_name)

    words = {GT: "above", GE: "of at least", LT: "below", LE: "of at most"}[rel]
    return made(check, name, kind="An int" if kind is int else "A float", words=words)


check_positive_int = _beside_zero("check_positive_int", GT, int)
check_non_negative_int = _beside_zero("check_non_negative_int", GE, int)
check_negative_int = _beside_zero("check_negative_int", LT, int)
check_non_positive_int = _beside_zero("check_non_positive_int", LE, int)
check_positive_float = _beside_zero("check_positive_float", GT, float)
check_non_negative_float = _beside_zero("check_non_negative_float", GE, float)
check_negative_float = _beside_zero("check_negative_float", LT, float)
check_non_positive_float = _beside_zero("check_non_positive_float", LE, float)


def check_positive_int_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """A tuple or list of ints above 0."""
    return [check_positive_int(item, arg_name, prim_name) for item in sequence] and sequence


def check_non_negative_int_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """A tuple or list of ints of at least 0."""
    return [check_non_negative_int(item, arg_name, prim_name) for item in sequence] and sequence


def check_int_range(
    arg_value: Any, lower_limit: int, upper_limit: int, rel: int, arg_name: str | None = None,
    prim_name: str | None = None,
) -> Any:  # fmt: skip
    """An int between two limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)


def check_float_range(
    arg_value: Any, lower_limit: float, upper_limit: float, rel: int, arg_name: str | None = None,
    prim_name: str | None = None,
) -> Any:  # fmt: skip
    """A number between two limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, (float, int), arg_name, prim_name)


def check_bool(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """A bool."""
    if not isinstance(arg_value, bool):
        raise TypeError(f"{_subject(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}.")
    return arg_value


def check_string(
    arg_value: Any, valid_values: Iterable[str], arg_name: str | None = None, prim_name: str | None = None
) -> Any:
    """One of some strings."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        shown = ", ".join(f"'{value}'" for value in valid_values)
        raise ValueError(
            f"{_subject(arg_name, prim_name)} must be str and must be in '[{shown}]', but got '{arg_value}'."
            f"{did_you_mean(str(arg_value), valid_values, ' Did')}"
        )
    return arg_value


def check_str_by_regular(
    target: str, reg: str | None = None, flag: int | re.RegexFlag = re.ASCII, prim_name: str | None = None
) -> bool:
    """A string of letters, digits, `_`, `-`, `.` and `/`, or one that matches `reg`."""
    if re.match(reg or r"^[0-9a-zA-Z_\-\./\\]*$", target, flag) is None:
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{owner} '{target}' is illegal, it must be matched by regular '{reg}' by flags '{flag}'.")
    return True


def _names(kinds: Any) -> str:
    several = kinds if isinstance(kinds, (tuple, list)) else (kinds,)
    return " or ".join(getattr(kind, "__name__", str(kind)) for kind in several)


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """A value of one of several types. A bool is an int only if bool is among them."""
    kinds = tuple(valid_types) if isinstance(valid_types, (tuple, list, set)) else (valid_types,)
    present = tuple(type(None) if kind is None else kind for kind in kinds)
    if not isinstance(arg_value, present) or (isinstance(arg_value, bool) and not {bool, object} & set(present)):
        names = [kind.__name__ for kind in present]
        expected = f"should be '{names[0]}'" if len(names) == 1 else f"should be one of '{names}'"
        owner = f"For '{prim_name}', the type" if prim_name else "The type"
        raise TypeError(f"{owner} of '{arg_name}' {expected}, but got type '{type(arg_value).__name__}'.")
    return arg_value


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """An instance of a class."""
    if not isinstance(arg_value, classes):
        raise ValueError(f"The parameter '{arg_name}' must be isinstance of {classes}, but got {arg_value}.")
    return arg_value


def _check_dtype(arg_name: str, found: Any, valid: Iterable[Any], prim_name: str | None) -> None:
    expected = list(valid)
    if found not in expected:
        shown = " or ".join(str(dtype) for dtype in expected)
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise TypeError(f"{owner} element of '{arg_name}' must be {shown}, but got {found}.")


def check_subclass(
    arg_name: str, type_: Any, template_types: Any, prim_name: str | None, addition_error_info: Any = None
) -> None:
    """A dtype, or a class, that is in a set or derives from a member of it."""
    several = template_types if isinstance(template_types, (list, tuple, set)) else (template_types,)
    classes = tuple(kind for kind in several if isinstance(kind, type) and kind is not DType)
    if not (isinstance(type_, type) and classes and issubclass(type_, classes)):
        _check_dtype(arg_name, type_, several, prim_name)


def check_tensor_dtype_valid(arg_name: str, arg_type: Any, valid_dtypes: Any, prim_name: str | None) -> Any:
    """A dtype of a tensor that is in a set."""
    _check_dtype(arg_name, arg_type, valid_dtypes, prim_name)
    return arg_type


def check_tensors_dtypes_same_and_valid(args: dict[str, Any], valid_dtypes: Any, prim_name: str | None) -> None:
    """Dtypes of tensors, by name, which are equal and in a set."""
    for name, dtype in args.items():
        _check_dtype(name, dtype, valid_dtypes, prim_name)
    if len(set(args.values())) > 1:
        raise TypeError(f"For '{prim_name}', the dtypes of {list(args)} should be the same, but got {args}.")


check_types_same_and_valid = check_tensors_dtypes_same_and_valid


def check_type_name(arg_name: str, arg_type: Any, valid_types: Any, prim_name: str | None) -> Any:
    """A dtype or type that is in a set."""
    several = list(valid_types) if isinstance(valid_types, (list, tuple, set)) else [valid_types]
    if arg_type not in several:
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise TypeError(f"{owner} '{arg_name}' should be {' or '.join(map(str, several))}, but got {arg_type!r}.")
    return arg_type


def check_axis_in_range(axis: Any, ndim: int) -> int:
    """An axis of a tensor with `ndim` dimensions, counted from the front."""
    _number(axis, int, "axis", None)
    if not -ndim <= axis < ndim:
        raise ValueError(f"The 'axis' must be in the range of [{-ndim}, {ndim}), but got {axis}.")
    return int(axis) % ndim


def check_element_type_of_iterable(
    arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None
) -> None:
    """An iterable, or a dict, whose values are all of some types."""
    for item in arg_value.values() if isinstance(arg_value, dict) else arg_value:
        check_value_type(f"element of {arg_name}", item, valid_types, prim_name)

"""Checks of numbers: a wrong one is an error at the user's line, where it would pass in silence or end as nan.

In a graph a check is an effect of the program, which raises when it runs.
"""

from __future__ import annotations

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.logic import logical_not, logical_or
from ...frontend.values.tensor import Tensor


def require_range(x: Tensor, low: float | None, high: float | None, what: str, advice: str = "") -> None:
    """Raise ValueError if an element of a tensor is out of range; nan passes.

    Args:
        x: the tensor.
        low, high: the bounds, both allowed; None: there is none.
        what: the begin of the message, such as "normal: 'std' should not be negative".
        advice: its end, after the range that was found.
    """
    if 0 in x._type.shape:
        return
    axes = tuple(range(x.ndim))
    least, most = (apply(op, x, axis=axes, keepdims=False) for op in (prims.min, prims.max))
    wrong = [apply(prims.less, least, low)] if low is not None else []
    wrong += [apply(prims.greater, most, high)] if high is not None else []
    outside = wrong[0] if len(wrong) == 1 else logical_or(*wrong)
    text = (f"{what}, but got numbers from ", 0, " to ", 1, *([advice] if advice else []))
    apply(prims.assert_, logical_not(outside), least, most, template=text, exception="ValueError")


def require_no_negative(x: Tensor | float, function: str, name: str) -> None:
    """Raise ValueError if a number, or an element of a floating-point tensor, is negative."""
    what = f"{function}: '{name}' should not be negative"
    if isinstance(x, Tensor):
        require_range(x, 0.0, None, what)
    elif x < 0:
        raise ValueError(f"{what}, but got {x}")


def require_signs(x: Tensor, what: str) -> None:
    """Raise ValueError if an element of a tensor is neither 1 nor -1."""
    if 0 in x._type.shape:
        return
    axes = tuple(range(x.ndim))
    sign = logical_or(apply(prims.equal, x, 1), apply(prims.equal, x, -1))
    least, most = (apply(op, x, axis=axes, keepdims=False) for op in (prims.min, prims.max))
    text = (f"{what} should be 1 or -1, but it has other numbers, from ", 0, " to ", 1)
    holds = apply(prims.all, sign, axis=axes, keepdims=False)
    apply(prims.assert_, holds, least, most, template=text, exception="ValueError")

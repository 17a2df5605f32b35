"""Python's own values in graphs: attributes of functions, arguments of errors, min and max of mixed numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from both_modes import plain
from error_checks import CARETS

import mycel as ms
from mycel import Tensor

pytestmark = pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")


def counted(x: Tensor) -> Tensor:
    counted.calls += 1  # type: ignore[attr-defined]
    return x * counted.calls  # type: ignore[attr-defined]


def attributes(x: Tensor) -> Any:
    def double(a: Tensor) -> Tensor:
        double.calls += 1  # type: ignore[attr-defined]
        return a * 2

    double.calls = 0  # type: ignore[attr-defined]
    double.factor = x  # type: ignore[attr-defined]
    if x.sum() > 0:
        x = double(x)
    named: Any = lambda a: a  # noqa: E731
    named.title = "name"
    named.gone = 1
    del named.gone
    return double(x) * double.factor, double.calls, named.title, hasattr(named, "gone")  # type: ignore[attr-defined]


def bools(x: Tensor) -> Any:
    b = bool(x.sum() > 0)
    return max(b, 0), min(1, b), max(int(x.sum()), True), max(b, False)


def not_numbers(x: Tensor) -> Any:
    nan = float(x.sum()) * float("nan")
    return [str(value) for value in (max(nan, 1.0), max(1.0, nan), min(nan, 1.0), min(1.0, nan), max(1.0, 2.0, nan))]


def beyond_64_bits(x: Tensor) -> Any:
    n, items = 2**63 - 1, [1]
    if x.sum() > 0:
        n = n + 1
        items[0] = -(2**70)
    return n / 2**63, items[0] / 2**70


@pytest.mark.parametrize("function", [attributes, bools, not_numbers, beyond_64_bits])
def test_values(function: Callable[..., Any]) -> None:
    for value in (1.0, -3.0):
        assert plain(ms.jit(function)(Tensor([value]))) == plain(function(Tensor([value])))


def test_attributes_of_a_function_from_outside() -> None:
    counted.calls = 0  # type: ignore[attr-defined]
    compiled = ms.jit(counted)
    assert [float(compiled(Tensor(1.0))) for _ in range(3)] == [1.0, 2.0, 3.0]


def late(x: Tensor) -> Tensor:
    if x.sum() > 0:
        raise KeyError(int(x.sum()))
    return x


def early(x: Tensor) -> Tensor:
    raise KeyError(int(x.sum()))


def known(x: Tensor) -> Tensor:
    if x.sum() > 0:
        raise KeyError(3)
    return x


def worded(x: Tensor) -> Tensor:
    if x.sum() > 0:
        raise KeyError(f"{int(x.sum())}")
    return x


def huge(x: Tensor) -> Tensor:
    if x.sum() > 0:
        raise KeyError(2**70)
    return x


@pytest.mark.parametrize("function", [late, early, known, worded, huge])
def test_arguments_of_errors(function: Callable[..., Any]) -> None:
    found = []
    for each in (function, ms.jit(function, fullgraph=function is not huge)):
        with pytest.raises(KeyError) as info:
            each(Tensor([3.0]))
        found.append(info.value.args)
    assert found[0] == found[1]
    assert type(found[0][0]) is type(found[1][0])


def divides(x: Tensor) -> Tensor:
    n = 0
    return x * (1 / n) if x.sum() > 0 else x


def misses(x: Tensor) -> Any:
    found: dict[str, int] = {}
    if x.sum() > 0:
        return x * found["a"]
    return x


def beyond(x: Tensor) -> Tensor:
    for i in range(20):
        if x.sum() > 0:
            x = x + [1, 2][i + 2]
    return x


@pytest.mark.parametrize("function", [divides, misses, beyond])
def test_errors_of_python_only_where_the_run_gets_there(function: Callable[..., Any]) -> None:
    compiled = ms.jit(function, fullgraph=True)
    for _ in range(2):
        assert plain(compiled(Tensor([-1.0]))) == plain(function(Tensor([-1.0])))
        with pytest.raises((LookupError, ZeroDivisionError)) as wanted:
            function(Tensor([1.0]))
        with pytest.raises(type(wanted.value)) as info:
            compiled(Tensor([1.0]))
        assert str(info.value).startswith(str(wanted.value))
        shown = r"values.py:\d+.*\n.*" + r"\n *\^+$" * CARETS
        assert isinstance(info.value, KeyError) or re.search(shown, str(info.value))

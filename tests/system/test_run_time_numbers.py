"""Numbers that only the run knows, `int(tensor)` and the like, under Python's builtins, methods, containers and texts:
the results and errors of Python itself."""

from __future__ import annotations

import bisect
import collections
import copy
import decimal
import functools
import itertools
import json
import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor

NAMES = {module.__name__: module for module in (bisect, collections, copy, decimal, functools, itertools, json, math)}

VALUES = """
hash(n) | hash(v) | hash((n, 2)) | id(n) == id(n) | n is n | n is None | n is 3 | type(n) is int | n.__class__ is int
isinstance(n, int) | isinstance(v, (int, float)) | isinstance(n > 2, bool) | type(v).__name__
issubclass(type(n), int) | repr(n) | str(v) | ascii(n) | f"{n}" | f"{n:05d}|{v:.2f}|{n!r:>5}" | "%d %s" % (n, v)
"{} {:.3f}".format(n, v) | format(n, "x") | str([n, v]) | repr((n, {"a": (v,)})) | f"{[n]}" | "%s" % [n]
"{}".format((n,)) | str(Point(n)) | str(n > 2) | str([str(n), "a"]) | repr(str(n)) | f"{str(n)!r}" | str(n).zfill(4)
str([f"a{n}"]) | len(str(n)) | str(n) + "a" | str(n) == "3" | "".join(str(k) for k in [n, 1]) | int(str(n))
float(str(v))
isinstance(str(n), str) | type(str(n)) | str(n) in {"3"} | n in {1, 2, 3} | n in (1, 2, 3) | n in range(10)
{3: 'a'}[n] | {3: 'a'}.get(n) | {n: 1} | {n: 1}[3] | len({n, 3, 4}) | set([n, 3]) | {n} == {3} | {n: 1, 3: 2}
dict([(n, 1)]) | collections.Counter([n, 3]) | {k: n for k in [n, 4]} | round(v) | round(v, 1) | round(n, -1)
divmod(n, 2) | divmod(v, 2) | divmod(-n, 2) | bin(n) | hex(n) | oct(n) | chr(n + 60) | abs(-n) | sorted([n, 1, 5])
sorted([n, 1], key=lambda k: -k) | min(n, 5) | max([n, 5, 1], key=lambda k: -k) | min(n, v) | sum([n, 1.5])
any([n > 5, n == 3]) | all([n > 5, n == 3]) | bool(n) | int(v) | float(n) | complex(n, 1) | pow(n, 2, 5) | n.real
n.imag | n.numerator | n.denominator | (n > 2).real | n.conjugate() | n.bit_length() | v.is_integer() | v.hex()
n.to_bytes(2, 'big') | n.as_integer_ratio() | n.__add__(2) | int.__add__(n, 2) | getattr(n, "real")
hasattr(n, "shape") | math.floor(v) | math.ceil(v) | math.trunc(v) | math.isnan(v) | math.gcd(n, 6)
math.factorial(n) | math.comb(5, n) | [0] * n | n * [0] | (1, 2) * n | "ab" * n | [1, 2, 3, 4][n] | [1, 2, 3, 4][-n]
[1, 2, 3, 4][n:] | "abcdef"[n] | "abcdef"[:n] | list(range(n)) | [i for i in range(n)] | len(range(n)) | range(n)[1]
max(range(n)) | list(range(10, 0, -n)) | [*range(n)] | [5, 4, 3, 2][::n] | n == [3] | n != (3,) | n == "3" | n == None
n == 3.0 | 1 < n < 5 | n and 5 | 0 or n | not n | -n // 2 | n % -2 | -n % 2 | v % -1 | ~n | n << 2 | 2 ** n | n ** 0.5
(n > 2) + 1 | [10, 20][n > 2] | True == (n > 2) | (n > 2) is True | [1, 2, 3].index(n) | [1, 3, 3].count(n)
list(map(str, [n])) | json.dumps([n]) | decimal.Decimal(n) | copy.deepcopy([n])
functools.reduce(lambda a, b: a * b, [n, 2]) | list(itertools.accumulate([n, 2]))
list(itertools.islice([1, 2, 3, 4], n)) | bisect.bisect([1, 2, 5], n) | bytes([n]) | int(-v) | round(-v) | slice(n)
list(iter([n, 2])) | dict(a=n)
"""
BOOLS = """
p + q | p - q | p * q | p // 2 | p % 2 | p ** q | -p | +p | ~p | p << q | p >> q | p & q | abs(p) | p + True
True - p | p * 2.5 | sum([p, q], 1) | p + q + p | p * p | 2 ** p | pow(p, q) | ~(p & q) | p ^ True | 7 % (p + 1)
p.real | p.imag | p.numerator | p.denominator
divmod(7, p + 1) | round(p) | p == q | p < q | p == 1 | max(p, q) + 1 | p / 2 | max(p + 0, q + 0, 0)
"""
ERRORS = """
n.shape | n.dtype | n.foo | v.asnumpy() | n + [1] | [1] + n | n - (1,) | n < [1] | len(n) | n + "a" | {n: 1}[4]
[1, 2].index(n)
"""
COUNTED = """
hash(i) | str([i]) | {i: 1}[i] | {3, 4, i} | [0] * i | i.bit_length() | i.real | len(str(i)) | f"{[i]}" | i == [i]
bin(i)
"""


class Point:
    """An object whose text shows a number."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __repr__(self) -> str:
        return f"Point({self.x})"


def expressions(texts: str) -> list[str]:
    return [text.strip() for line in texts.strip().splitlines() for text in line.split(" | ")]


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Any]:
    """Gives the function of some lines."""

    def make(head: str, *lines: str) -> Callable[..., Any]:
        file = tmp_path / "program.py"
        file.write_text("\n    ".join((head, *lines)) + "\n")
        space: dict[str, Any] = {**NAMES, "Point": Point}
        exec(compile(file.read_text(), str(file), "exec"), space)
        found: Callable[..., Any] = space["function"]
        return found

    return make


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        return type(error)


def rounded(value: Any) -> Any:
    """A result with its type; floats of graphs have single precision."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if type(value) in (list, tuple):
        return type(value)(map(rounded, value))
    return value


@pytest.fixture(autouse=True)
def _no_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("text", expressions(VALUES) + expressions(ERRORS))
def test_numbers_are_pythons(text: str, made: Callable[..., Any]) -> None:
    """A function gives Python's result or error; one that has to be a graph may also refuse."""
    function = made("def function(a, b):", "n, v = int(a), float(b)", f"return {text}")
    expected = outcome(function, 3, 2.75)
    assert (type(expected) is type and issubclass(expected, Exception)) == (text in expressions(ERRORS))
    for whole in (False, True):
        found = outcome(ms.jit(function, fullgraph=whole), Tensor(3), Tensor(2.75))
        refused = isinstance(found, type) and issubclass(found, ms.GraphError)
        if not (whole and refused):
            assert type(found) is type(expected)
            same = isinstance(expected, type) and issubclass(found, expected)
            assert same or rounded(found) == rounded(expected), (text, whole)


@pytest.mark.parametrize("text", expressions(BOOLS))
def test_bools_are_pythons(text: str, made: Callable[..., Any]) -> None:
    function = made("def function(a, b):", "p, q = int(a) > 0, int(b) > 0", f"return {text}")
    compiled = ms.jit(function, fullgraph=True)
    for a, b in itertools.product((0, 1), repeat=2):
        found, expected = compiled(Tensor(a), Tensor(b)), function(a, b)
        assert (type(found), rounded(found)) == (type(expected), rounded(expected))


@pytest.mark.parametrize("text", expressions(COUNTED))
def test_counters_of_long_loops_are_pythons(text: str, made: Callable[..., Any]) -> None:
    lines = "found = []", "for i in range(40):", "    x = x * 0.5", f"    found.append({text})", "return found, x"
    function = made("def function(x):", *lines)
    assert outcome(ms.jit(function), Tensor(1.0))[0] == function(1.0)[0]


def test_an_error_of_python_is_caught_by_the_handler() -> None:
    @ms.jit
    def function(a: Any) -> Any:
        n = int(a)
        try:
            return json.loads(json.dumps({"n": [n]}))["n"][0] + 1
        except TypeError:
            return -1

    assert function(Tensor(3)) == 4


class OwnError(Exception):
    def __init__(self, count: Any, limit: int) -> None:
        super().__init__(f"{count} of {limit}")
        self.limit = limit


def _prints_and_raises(n: Any) -> Any:
    print("n is", n)
    raise KeyError("missing")


def _prints_and_asserts(n: Any) -> Any:
    print("n is", n)
    assert not hasattr(ms, "nothing_like_this"), "fine"
    raise AssertionError("never so")


def _divides_and_raises(n: Any) -> Any:
    n = 5 // (int(n) - 3)
    raise ValueError("later")


def _raises_numbers(n: Any) -> Any:
    raise ValueError([int(n), {"n": int(n)}])


def _raises_its_own(n: Any) -> Any:
    if int(n) > 2:
        raise OwnError(int(n), 2)
    return n


@pytest.mark.parametrize(
    ("function", "error", "text", "printed"),
    [
        (_prints_and_raises, KeyError, "'missing'", "n is 3\n"),
        (_prints_and_asserts, AssertionError, "never so", "n is 3\n"),
        (_divides_and_raises, ZeroDivisionError, "the divisor is 0", ""),
        (_raises_numbers, ValueError, "[3, {'n': 3}]", ""),
        (_raises_its_own, OwnError, "3 of 2", ""),
    ],
)
def test_errors_are_raised_behind_what_comes_before(
    function: Callable[..., Any], error: Any, text: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(error, match=re.escape(text)) as caught:
        ms.jit(function)(Tensor(3))
    assert getattr(caught.value, "limit", 2) == 2
    assert capsys.readouterr().out.replace("is\n", "is ") == printed


def test_texts_of_a_list_that_holds_itself():
    @ms.jit
    def text(x):
        items = [1, 2]
        items[0] = items
        return f"{items!r}", str(items), x

    assert text(Tensor(1.0))[:2] == ("[[...], 2]",) * 2

"""The text of functions: only the statement around a function is parsed, where that tells enough."""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

from mycel.frontend.source import functions
from mycel.frontend.source.functions import SourceError, source_of

TEXT = textwrap.dedent(
    '''
    """A module.

    class Wrong:
    """

    def same(function=None, **named):
        return function or same


    def plain(x):
        """Text in the
    first column
        """
        return x


    @same
    @same(
        a=1,
    )
    # a comment
    @same
    def decorated(
        x,
        y=1,
    ):
    # a comment
        def inner(x):
            return -x
        return inner(x)


    class Outer:
        """A class."""

        limit = 3

        @same
        def method(self, x):
            return self.__hidden(x)

        class Inner:
            def method(self, x):
                return x


    if same:
        def chosen(x):
            return 1
    else:
        def other(x):
            return 2

    pairs = (
        lambda x: x + 1, lambda x: x + 2,
    )
    try:
        raise ValueError
    except ValueError:
        def caught(x):
            return 3
    last = lambda x: {
        0: x,
    }
    '''
)


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    """What the module defines."""
    filename = "<text of functions>"
    linecache.cache[filename] = (len(TEXT), None, TEXT.splitlines(keepends=True), filename)
    found: dict[str, Any] = {}
    exec(compile(TEXT.replace("\nelse:", "\nif True:"), filename, "exec"), found)
    yield found
    del linecache.cache[filename]
    functions.forget_trees()


@pytest.mark.parametrize(
    ("name", "class_name", "first", "whole"),
    [
        ("plain", None, "def plain(x):", True),
        ("decorated", None, "@same", False),
        ("Outer.method", "Outer", "@same", False),
        ("Outer.Inner.method", "Inner", "def method(self, x):", False),
        ("chosen", None, "def chosen(x):", False),
        ("other", None, "def other(x):", True),
        ("caught", None, "def caught(x):", True),
        ("last", None, "last = lambda x: {", False),
    ],
)
def test_a_function_is_found(names: dict[str, Any], name: str, class_name: str | None, first: str, whole: bool) -> None:
    function: Any = names[name.split(".")[0]]
    for part in name.split(".")[1:]:
        function = getattr(function, part)
    source = source_of(function)
    lines = TEXT.splitlines()
    assert source.text.splitlines()[0].strip() == lines[source.first_line - 1].strip() == first
    assert source.class_name == class_name
    assert source.node.lineno <= source.first_line + 8
    assert lines[(source.node.end_lineno or 0) - 1].strip() == source.text.splitlines()[-1].strip()
    assert ((0, len(lines)) in functions._files[source.filename].parts) == whole


def test_one_of_two_lambdas_of_a_line_is_found(names: dict[str, Any]) -> None:
    for function, expected in zip(names["pairs"], (1, 2), strict=True):
        assert source_of(function).node.body.right.value == expected  # type: ignore[union-attr]


def test_a_lambda_is_found_beside_others_without_a_branch_that_python_leaves_out() -> None:
    lambdas = [lambda x: x + 1, lambda x: -x if 0 else x + 2, lambda x: (lambda y: -y if 0 else y + 3), lambda x: 1 and x + 4]  # fmt: skip  # noqa: E501
    lambdas[2] = lambdas[2](0)
    sums = [source_of(function).node.body for function in lambdas]
    assert [ast.unparse(body).split(" + ")[-1] for body in sums] == list("1234")  # type: ignore[arg-type]


def test_a_file_that_is_broken_elsewhere_serves(names: dict[str, Any]) -> None:
    size, time, lines, filename = linecache.cache["<text of functions>"]  # type: ignore[misc]
    broken = [*lines[:-3], "else:\n", *lines[-3:]]
    linecache.cache["<text of functions>"] = (size, time, broken, filename)
    assert source_of(names["decorated"]).node.name == "decorated"  # type: ignore[union-attr]
    with pytest.raises(SourceError, match="not valid Python"):
        source_of(names["caught"])


def test_a_changed_file_is_told(names: dict[str, Any]) -> None:
    size, time, lines, filename = linecache.cache["<text of functions>"]  # type: ignore[misc]
    linecache.cache["<text of functions>"] = (size, time, ["\n", *lines], filename)
    for name in ("plain", "decorated", "last"):
        with pytest.raises(SourceError, match="does not hold"):
            source_of(names[name])

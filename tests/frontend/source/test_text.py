"""Converted code as text: it is the same program, and nothing in it is out of date."""

from __future__ import annotations

import ast
import warnings

import pytest

from mycel.frontend.source.text import text_of


@pytest.mark.parametrize(
    "source",
    [
        "x = (3).real + 3.5.real + (-3).real + True.real",
        "y = 'a'.upper() + f'{x!r:>10}' + b'a'.hex()",
        "def f(a, *b, c=(1, 2), **d):\n    return a[1:2, ..., None], (lambda: a), {**d}, [*b]",
        "for i in range(3):\n    with a as b, c:\n        x[i] += -i ** 2\nelse:\n    pass",
        "try:\n    raise ValueError('a') from None\nexcept TypeError as e:\n    del e\nfinally:\n    assert x, 'b'",
        "match x:\n    case [1, *y] if y:\n        (z := y).clear()\n    case {'a': b, **c} | D(b):\n        pass",
    ],
)
def test_the_text_is_the_same_program(source: str) -> None:
    tree = ast.parse(source)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Python 3.12 and 3.13 warn of what 3.14 no longer has
        text = text_of(tree)
    assert ast.dump(ast.parse(text)) == ast.dump(tree)

"""Window functions: the values MindSpore gives, and errors."""

from __future__ import annotations

import pytest
from recordings import cases, compiled, differs, eagerly

from mycel import ops


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("windows"))
def test_eager_and_compiled(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)
    assert not differs(compiled(expression, definitions), expected)


def test_errors():
    with pytest.raises(TypeError, match=r"hann_window: 'window_length' should be an int, but got 2\.5"):
        ops.hann_window(2.5)
    with pytest.raises(ValueError, match="kaiser_window: 'window_length' should not be negative, but got -1"):
        ops.kaiser_window(-1)

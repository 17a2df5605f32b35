"""Checks of errors: their words, the line that they mark, and that nothing is lost."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mycel import nn
from mycel.runtime import random

CARETS = sys.version_info >= (3, 11)


def traces(*compiled: Any) -> list[Any]:
    """The functions and Cells compiled so far."""
    found = []
    for item in compiled:
        entry = item.__dict__.get("_compiled") if isinstance(item, nn.Cell) else item
        found.append(() if entry is None else entry.explain().traces)
    return found


def marked_line(*places: Any) -> int:
    """The line that ends with `# here` in the source of one of the functions or classes."""
    for place in places:
        lines, first = inspect.getsourcelines(place)
        for number, line in enumerate(lines, first):
            if line.rstrip().endswith("# here"):
                return number
    raise AssertionError("no line is marked")


def fails(
    call: Callable[[], Any],
    kind: type[Exception],
    words: str,
    *,
    at: Any,
    marked: str = "",
    parameters: Any = (),
    compiled: Any = (),
) -> str:
    """Check that a call fails as it should; gives the message.

    at: whose source marks the line; marked: the part of the line over the carets; parameters, compiled: what has to
    stay as it is.
    """
    parameters = list(parameters)
    before = [parameter.asnumpy() for parameter in parameters]
    made = traces(*compiled)
    random_before = random.get_state()
    with pytest.raises(kind, match=words) as caught:
        call()
    assert random.get_state() == random_before
    assert traces(*compiled) == made
    for parameter, numbers in zip(parameters, before, strict=True):
        np.testing.assert_array_equal(parameter.asnumpy(), numbers)
    message = str(caught.value)
    file, line = inspect.getsourcefile(inspect.unwrap(at)), marked_line(at)
    if marked:
        assert f"{file}:{line}, in " in message
        shown = message[message.index(f"{file}:{line}, in ") :].splitlines()
        assert shown[1].endswith("# here")
        if CARETS:
            start, width = shown[2].index("^"), shown[2].count("^")
            assert shown[1][start : start + width] == marked
    assert any(frame.filename == file and frame.lineno == line for frame in traceback.extract_tb(caught.tb))
    return message

"""Functions that stand in no file: their text is found where the running program still holds it."""

from __future__ import annotations

import linecache
import subprocess
import sys
import textwrap
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor, nn
from mycel.frontend.control_flow.conversion import converted_source
from mycel.frontend.source.functions import source_of

IN_A_GLOBAL = """
def negated(x):
    if x > 0:
        return -x
    return x
"""


def test_a_text_that_is_a_constant() -> None:
    names: dict[str, Any] = {"ms": ms, "nn": nn}
    exec(
        """
@ms.jit(fullgraph=True)
def f(x):
    while x < 10:
        x = x * 2
    return x

class Net(nn.Cell):
    def construct(self, x):
        if x > 0:
            return x * 3
        return x

small = lambda x: x if x < 1 else x * 0
""",
        names,
    )
    assert names["f"](Tensor(3.0)).asnumpy() == 12.0
    assert "while_" in converted_source(names["f"].function)
    assert ms.jit(names["small"], fullgraph=True)(Tensor(3.0)).asnumpy() == 0.0
    assert ms.grad(names["small"])(Tensor(0.5)).asnumpy() == 1.0
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert names["Net"]()(Tensor(2.0)).asnumpy() == 6.0
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_a_text_in_a_global() -> None:
    names: dict[str, Any] = {}
    exec(compile(IN_A_GLOBAL, "<one>", "exec"), names)
    assert ms.jit(names["negated"], fullgraph=True)(Tensor(2.0)).asnumpy() == -2.0


def test_a_text_in_a_variable_that_was_shifted() -> None:
    text = """
        def kept(x):
            if x > 0:
                return x * 5
            return x
    """
    names: dict[str, Any] = {}
    exec(textwrap.dedent(text), names)
    assert ms.jit(names["kept"], fullgraph=True)(Tensor(2.0)).asnumpy() == 10.0


def test_only_the_text_of_this_very_code_counts() -> None:
    names: dict[str, Any] = {}
    exec("\n".join(["def other(x):", "    return x * 7"]), names)
    text = "def other(x):\n    return x * 8"
    with pytest.raises(ms.GraphError, match="no source text"):
        ms.jit(names["other"], fullgraph=True)(Tensor(1.0))
    assert "8" in text


def test_an_error_shows_the_text() -> None:
    names: dict[str, Any] = {}
    exec("def wrong(x):\n    return x.nothing\n", names)
    with pytest.raises(AttributeError, match=r"at <text \w+>:2, in wrong\n    return x.nothing"):
        ms.jit(names["wrong"])(Tensor(1.0))


def test_a_program_on_the_command_line() -> None:
    program = """
import mycel as ms

@ms.jit(fullgraph=True)
def f(x):
    if x > 0:
        return x * 2
    return x

print(f(ms.Tensor(4.0)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "8.0\n"


def test_the_text_of_another_program_without_a_file_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since Python 3.13 the text of `python -c` is in linecache, under the name that texts given to exec have, too."""
    other = "print(1)\n"
    monkeypatch.setitem(linecache.cache, "<string>", (len(other), None, [other], "<string>"))
    text = "def twice(x):\n    return x + x\n"
    names: dict[str, Any] = {}
    exec(text, names)
    assert source_of(names["twice"]).text == text

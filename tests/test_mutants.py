"""The mutants of tests/mutants.py: each is one change that compiles, and nothing is changed that no test could see."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from mutants import ROOT, mutants

SOURCE = '''"""A text with 1 < 2."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import nothing


def f(x: "int | None" = 3) -> "bool | None":
    """Not 4."""
    é = "äö", x + 1
    while not x:
        x -= 2
        if x in é and x > -5:
            break
        print(x)
    if x is None:
        raise ValueError(6 + 7)
    return max(x, 8.5) if x else Op(samples=lambda: [9])
'''
EXPECTED = {
    ("3", "(3 + 1)"), ("x + 1", "(x - 1)"), ("1", "(1 + 1)"), ("not x", "(not (not x))"), ("not x", "(x)"),
    ("x -= 2", "pass"), ("2", "(2 + 1)"), ("x in é and x > -5", "(not (x in é and x > -5))"),
    ("x in é and x > -5", "((x in é) or (x > -5))"), ("x in é", "(x not in é)"), ("x > -5", "(x >= -5)"),
    ("-5", "(+5)"), ("5", "(5 + 1)"), ("break", "continue"), ("print(x)", "pass"), ("x is None", "(not (x is None))"),
    ("x is None", "(x is not None)"), ("max(x, 8.5) if x else Op(samples=lambda: [9])", "None"), ("x", "(not (x))"),
    ("max", "min"), ("8.5", "(8.5 + 1)"),
}  # fmt: skip


def test_every_change_is_made_once() -> None:
    found = mutants(SOURCE)
    assert {(mutant.old, mutant.new) for mutant in found} == EXPECTED
    assert len(found) == len(EXPECTED)
    for mutant in found:
        assert ast.dump(ast.parse(mutant.text)) != ast.dump(ast.parse(SOURCE))
        before, after = SOURCE.splitlines(), mutant.text.splitlines()
        assert [n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b] == [mutant.line]


@pytest.mark.parametrize("file", ["compiler/memory/layout.py", "frontend/control_flow/calls.py", "runtime/packing.py"])
def test_files_of_the_package_have_mutants(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    found = mutants(text)
    assert len(found) > 30
    assert all(mutant.text != text and mutant.text.count("\n") <= text.count("\n") for mutant in found)


def test_the_program_says_what_it_takes() -> None:
    program = Path(ROOT, "tests", "mutants.py")
    shown = subprocess.run([sys.executable, program, "--help"], capture_output=True, text=True, check=True).stdout
    assert "--count" in shown
    assert "Mutation testing" in shown

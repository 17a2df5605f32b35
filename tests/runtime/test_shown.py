"""The names of errors as users see them: each class that can leave mycel is shown as a public one."""

from __future__ import annotations

import builtins
import copy
import pickle
import re
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

import mycel
from mycel import Tensor
from mycel.frontend.errors.classes import MissingKeyError, NoSourceError, NumbersError
from mycel.runtime.kernels.positions import PositionError

ROOT = Path(__file__).resolve().parent.parent.parent
# These stay inside, or tell of a defect of mycel.
INTERNAL = {
    "BranchRaised", "CommandError", "Disturbed", "IRError", "Misplaced", "NoForm", "NotCacheable", "NotPrivate",
    "OtherArguments", "OtherFormError", "UnvectorizableError", "Unsupported", "_Refine", "_Unsuited",
}  # fmt: skip


def test_every_class_of_errors_is_public_standard_or_internal() -> None:
    rooms = ("library", "frontend", "compiler", "runtime")
    texts = [path.read_text("utf-8") for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]
    classes = [found for text in texts for found in re.findall(r"((?:^@.*\n)*)^class (\w+)\((.*)\):", text, re.M)]
    errors: set[str] = set()
    for _ in range(4):  # errors of errors
        errors |= {name for _, name, bases in classes if any(b in errors or is_error(b) for b in bases.split(", "))}
    assert errors >= INTERNAL
    assert len(errors) > 50
    marks = {name: marks for marks, name, _ in classes}
    assert [name for name in errors - INTERNAL if not re.search("^@(standard|public)", marks[name], re.M)] == []


def is_error(name: str) -> bool:
    """Whether Python has this class of errors."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (PositionError("text"), "IndexError: text"),
        (MissingKeyError("k"), "KeyError: the key 'k' does not exist in the dict or set"),
        (mycel.GraphError("text"), "mycel.GraphError: text"),
        (NumbersError("text"), "mycel.GraphError: text"),
        (NoSourceError("text"), "mycel.GraphError: text"),
        (mycel.mindrecord.MRMOpenError("text"), "mycel.mindrecord.MRMOpenError: [MRMOpenError]: text"),
    ],
)
def test_the_last_line_of_a_traceback(error: Exception, shown: str) -> None:
    assert traceback.format_exception_only(error) == [f"{shown}\n"]
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)


def test_attributes_are_kept() -> None:
    error = PositionError("text")
    error.names = (1, 2)
    assert pickle.loads(pickle.dumps(error)).names == (1, 2)


def test_an_error_is_read_where_mycel_is_not_loaded_yet() -> None:
    code = f"import pickle; print(repr(pickle.loads({pickle.dumps(PositionError('text'))!r})))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "IndexError('text')\n"


def test_an_error_of_the_run_is_shown_as_pythons() -> None:
    with pytest.raises(RuntimeError) as caught:  # MindSpore's class
        mycel.jit(lambda x, i: x[i])(Tensor([1.0, 2.0]), Tensor(5))
    assert isinstance(caught.value, IndexError)
    assert traceback.format_exception_only(caught.value)[0].startswith("IndexError: index 5 is out of range")

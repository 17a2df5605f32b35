"""Environment variables that switch something off: every one knows the same words."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mycel.runtime.environment import is_off


@pytest.mark.parametrize(
    ("value", "off"), [("off", True), ("No", True), ("FALSE", True), ("0", True), ("", False), ("1", False)]
)
def test_words(value: str, off: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYCEL_SOMETHING", value)
    assert is_off("MYCEL_SOMETHING") is off
    monkeypatch.delenv("MYCEL_SOMETHING")
    assert not is_off("MYCEL_SOMETHING")


@pytest.mark.parametrize(("value", "printed"), [("no", "False"), ("False", "False"), ("", "False"), ("1", "True")])
def test_debug_nans_knows_them(value: str, printed: str) -> None:
    program = "import mycel as ms; print(ms.get_context('debug_nans'))"
    found = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "MYCEL_DEBUG_NANS": value}, capture_output=True, text=True
    )
    assert found.stdout.strip() == printed, found.stderr

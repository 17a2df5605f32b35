"""Fixtures of the library's tests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shell import Shown

import mycel as ms

MODE = ms.get_context("mode")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """What a test sets as the mode is no mode of the next one. A fixture would take longer, for each of all tests."""
    if ms.get_context("mode") != MODE:
        ms.set_context(mode=MODE)


@pytest.fixture
def command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    as_without_mindspore: None,
) -> Iterator[Callable[..., Shown]]:
    """The command `mycel` in this process, in the folder of the test; its changes are undone. A process of its own
    would take half a second to start."""
    from mycel.library.command import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    modules = set(sys.modules)

    def run(*arguments: str) -> Shown:
        capsys.readouterr()
        status = main(arguments)
        return Shown(status, *capsys.readouterr())

    yield run
    for added in set(sys.modules) - modules:
        if added.split(".")[0] == "script":
            del sys.modules[added]

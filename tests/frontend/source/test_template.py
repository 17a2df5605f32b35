"""Templates that several threads make."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import pytest

from mycel import Tensor, jit
from mycel.frontend.source import template


def one(x: Tensor) -> Tensor:
    return x + 1


def other(x: Tensor) -> Tensor:
    return x + 2


def test_threads_that_convert_at_once_leave_the_filters_of_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    """One begins before the other, and ends before it."""
    begun, both, ended = threading.Event(), threading.Event(), threading.Event()

    def waiting(*arguments: Any, **keywords: Any) -> Any:
        if threading.current_thread().name == "first":
            begun.set()
            both.wait(0.3)
        else:
            both.set()
            ended.wait(0.3)
        return compile(*arguments, **keywords)

    monkeypatch.setattr(template, "compile", waiting, raising=False)
    before = list(warnings.filters)

    def first() -> None:
        jit(one)(Tensor([1.0]))
        ended.set()

    threads = [
        threading.Thread(target=first, name="first"),
        threading.Thread(target=lambda: jit(other)(Tensor([1.0])), name="second"),
    ]
    threads[0].start()
    begun.wait(10)
    threads[1].start()
    for thread in threads:
        thread.join()
    assert list(warnings.filters) == before

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


def straight(x: Tensor, flag: bool) -> Tensor:
    y = x * 2
    if flag:
        z = y
    y = z + 1  # may be unbound
    w = v = y - x

    class Inner:
        x = 3
        y = x + w

    def inner() -> Tensor:
        nonlocal v
        v = Inner.y * w
        u = v
        return u

    return inner() + v + Inner.x


def test_assignments_that_are_kept_mean_what_they_say() -> None:
    """Names of functions inside, of classes, and names that may be unbound."""
    x = Tensor([1.0, 2.0])
    assert straight(x, True).asnumpy().tolist() == jit(straight)(x, True).asnumpy().tolist()
    for function in (straight, jit(straight)):
        with pytest.raises(UnboundLocalError, match="'z'"):
            function(x, False)


def test_an_assignment_that_is_kept_is_not_copied() -> None:
    """It is the node of the user's own text, with its place."""
    found = template.source_of(straight).node
    converted = template.converted_tree(straight)
    assert found.body[0] in converted.body  # type: ignore[attr-defined, operator, union-attr, index]

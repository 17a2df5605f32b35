"""Doors of functions: what is called while it gets its door does what it does."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from mycel.frontend.compilation.doors import guarded


@pytest.fixture
def often_switched() -> Iterator[None]:
    """Threads take turns after each few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def made() -> Callable[..., int]:
    """A function of the package that has no door yet."""
    names = {"__name__": "mycel.library.made"}
    exec("def add(a, b=2, *, c=3):\n    return a + b + c", names)
    function: Callable[..., int] = names["add"]  # type: ignore[assignment]
    return function


def test_threads_that_make_the_same_door_at_once(often_switched: None) -> None:
    """Methods of Tensor get theirs when a thread first asks for them, and another may call them by then."""
    wrong: list[Exception] = []
    for _ in range(200):
        function, begin = made(), threading.Barrier(3)

        def run(function: Callable[..., int] = function, begin: threading.Barrier = begin) -> None:
            begin.wait()
            try:
                for _ in range(3):
                    assert guarded(function)(1) == 6
                    assert function(1, 1, c=1) == 3
            except Exception as error:
                wrong.append(error)

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []

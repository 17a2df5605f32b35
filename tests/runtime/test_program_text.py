"""Texts of programs that threads load and delete."""

from __future__ import annotations

import linecache
import threading
import time
from collections import Counter

import pytest

from mycel.runtime import program_text


class Slow(Counter[str]):
    """Lets another thread run when a missing key is looked up."""

    def __missing__(self, key: str) -> int:
        time.sleep(0.05)
        return 0


def test_two_threads_load_programs_of_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text stays until both programs are deleted."""
    monkeypatch.setattr(program_text, "_loaded", Slow())
    threads = [threading.Thread(target=program_text.register, args=("<one program>", "pass")) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    program_text.forget("<one program>")
    assert "<one program>" in linecache.cache
    program_text.forget("<one program>")
    assert "<one program>" not in linecache.cache

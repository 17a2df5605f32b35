"""Texts of programs that threads load and delete."""

from __future__ import annotations

import linecache
import sys
import threading

from mycel.runtime import program_text


def test_threads_load_and_delete_programs_of_one_name() -> None:
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(5000):
                program_text.forget(program_text.register("<one program>", "pass"))
        except BaseException as error:
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert errors == []
    assert "<one program>" not in program_text._loaded
    assert program_text.forget(program_text.register("<one program>", "pass")) is None
    assert "<one program>" not in linecache.cache

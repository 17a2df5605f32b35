"""What translations keep for later: the newest, also while several threads keep some."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from mycel.compiler.kernels.translation import keep


def test_the_oldest_goes() -> None:
    known: dict[int, str] = {}
    for number in range(5):
        assert keep(known, number, str(number), 3) == str(number)
    assert known == {2: "2", 3: "3", 4: "4"}


def test_threads_keep_at_once() -> None:
    known: dict[int, int] = {}
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            parts = [range(first, 8000, 4) for first in range(4)]
            list(pool.map(lambda part: [keep(known, number, number, 4) for number in part], parts))
    finally:
        sys.setswitchinterval(before)
    assert len(known) <= 8

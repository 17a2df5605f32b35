"""The number of threads: by processors, control groups, the environment, other processes, and the amount of work. The
size of caches, as systems tell it.
"""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from mycel.runtime import processors


@pytest.mark.parametrize(("text", "count"), [("", 0), ("3", 3), ("4,2", 4), ("0", 0), ("many", 0), ("²", 0)])
def test_the_environment_says_how_many_threads_there_are(text: str, count: int) -> None:
    assert processors._asked_for({"OMP_NUM_THREADS": text}) == (count or sys.maxsize)


def test_processes_of_one_machine_share_its_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """By where they may run: processes that are bound to processors of their own have all of these."""
    now = [8]
    monkeypatch.setattr(processors, "blas_threads", lambda: now[0])
    monkeypatch.setattr(processors, "use_blas_threads", lambda count: now.__setitem__(0, count))
    monkeypatch.setattr(processors, "processor_count", lambda: 8)
    monkeypatch.setattr(processors, "processor_numbers", lambda: list(range(8)))
    monkeypatch.setattr(processors, "_quota", lambda: sys.maxsize)
    monkeypatch.setattr(processors, "_most", sys.maxsize)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(processors, "_given", sys.maxsize)
    for others, count in (([range(8)], 8), ([range(8), range(8, 16)], 8), ([range(8)] * 3, 2), ([range(8)] * 9, 1)):
        now[0] = 8
        processors.share_processors(others)
        assert (processors.thread_count(), now[0]) == (count, count)
    monkeypatch.setattr(processors, "_given", 4)
    assert processors.thread_count() == 4


def test_how_many_threads_work_is_worth() -> None:
    """Two from the least amount on, each with at least half of it."""
    assert [processors.worth_sharing(4, amount, 100) for amount in (0, 99, 100, 149, 150, 1000)] == [1, 1, 2, 2, 3, 4]
    assert processors.worth_sharing(1, 1000, 100) == 1
    assert processors.worth_sharing(4, 0, 0) == 4


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "100000 100000\n"}, 1),
        ({"cpu.max": "max 100000\n"}, sys.maxsize),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, sys.maxsize),
        ({}, sys.maxsize),
    ],
)
def test_a_container_may_get_less_time_than_it_has_processors(
    tmp_path: Path, files: dict[str, str], expected: int
) -> None:
    """Control groups of both versions tell how much."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert processors._quota(str(tmp_path)) == expected


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512K", 512 << 10), ("2M", 2 << 20), ("1280K", 1280 << 10), ("65536", 65536), ("", processors.DEFAULT_CACHE),
        ("K", processors.DEFAULT_CACHE), ("2 G", processors.DEFAULT_CACHE), ("1.5M", processors.DEFAULT_CACHE),
    ],
)  # fmt: skip
def test_what_the_system_tells(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "open", lambda *_, **__: io.StringIO(f"{text}\n"), raising=False)
    assert processors.cache_bytes.__wrapped__() == size


def test_what_no_system_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(processors, "open", refuse, raising=False)
    assert processors.cache_bytes.__wrapped__() == processors.DEFAULT_CACHE == 1 << 20

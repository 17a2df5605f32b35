"""Processes that fail, or do not do the same: the job ends within seconds, and says who and where."""

from __future__ import annotations

import time

import pytest
from ranks import run_ranks

SECONDS = 30.0  # far below any time limit, far above what a busy machine needs

EXPECTED = {
    "raise": ("rank 1 of 2", "KeyError: 'lost'"),
    "kill": ("signal 9",),
    "branch": (
        "rank 0: no collective after all_reduce(f32[4], by sum)",
        "rank 1: all_reduce(f32[4], by max) (failing.py",
    ),
    "shape": ("rank 0: all_reduce(f32[4], by sum) (failing.py", "rank 1: all_reduce(f32[5], by sum) (failing.py"),
    "eager": ("rank 0: all_reduce(f32[4], by sum) (failing.py", "rank 1: barrier() (failing.py"),
    "handle": ("rank 0: all_reduce(f32[4], sum) (failing.py:", "rank 1: all_reduce(f32[5], sum) (failing.py:"),
    "end": ("rank 0 waits in a program with all_reduce(f32[4], by sum) (failing.py", "rank 1 has come to the end"),
    "message": ("receive(f32[4] from rank 0, tag 1) (failing.py", "expected 16 bytes, but was sent 12"),
    "dtype": ("receive(i32[4] from rank 0, tag 1) (failing.py", "was sent numbers of type f32"),
    "groups": ("rank 0: create_group('b', [0, 1]) (failing.py", "rank 1: create_group('a', [0, 1]) (failing.py"),
    "ranks": ("rank 0: create_group('pair', [0, 1])", "rank 1: create_group('pair', [1, 0])"),
    "together": ("ends all:", "KeyError: 'both'"),
    "parameters": ("rank 0: Parameter '1.weight' of Float32[4, 3]", "rank 1: Parameter '1.weight' of Float32[5, 3]"),
    "numbers": ("Parameter 'weight' has other numbers on rank 1 than on rank 0", "mycel.set_seed"),
    "late": ("has waited for 2 seconds", "rank 1 has said nothing"),
}
QUICK = ("raise", "branch", "groups")


def check(how: str) -> None:
    began = time.monotonic()
    done = run_ranks(2, "failing.py", how, MYCEL_COMMUNICATION_TIMEOUT="2")
    assert time.monotonic() - began < SECONDS
    assert done.returncode != 0
    text = done.stdout + done.stderr
    for part in EXPECTED[how]:
        assert part in text
    if how != "kill":
        assert text.count("Traceback") == 1, text


@pytest.mark.parametrize("how", QUICK)
def test_a_failure_ends_the_job(how: str) -> None:
    check(how)


@pytest.mark.slow
@pytest.mark.parametrize("how", [how for how in EXPECTED if how not in QUICK])
def test_every_failure_ends_the_job(how: str) -> None:
    check(how)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["raise", "kill", "branch", "shape"])
def test_no_failure_ever_hangs(how: str) -> None:
    for _ in range(50):
        check(how)

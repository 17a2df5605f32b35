"""A team of threads that share kernels: every piece once, whoever helps, sleeps, comes late or forks."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from mycel.runtime.machine import team
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.threads import TeamWorker, _workers

pytestmark = pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")

ROWS, COLUMNS, PIECES = 64, 96, 16
TEXT = (
    f"shared {PIECES}\nover {ROWS} {COLUMNS}\nin x float32[{ROWS},{COLUMNS}] {4 * COLUMNS} 4\n"
    f"out y float32[{ROWS},{COLUMNS}] {4 * COLUMNS} 4\nadd s float32[{PIECES},{COLUMNS}] 0 4\n"
    "e = exp(x)\nr = row_add(e)\ny = divide(e, r)\ns = y"
)


def word(offset: int) -> int:
    """A word of the team."""
    return ctypes.c_int64.from_address(team.TEAM + offset).value


@contextmanager
def helpers(count: int) -> Iterator[None]:
    """Threads that serve meanwhile."""
    stop = threading.Event()
    members = [team.TeamMember() for _ in range(count)]

    def serve(member: team.TeamMember) -> None:
        while not stop.is_set():
            assert member.serve() is True

    threads = [threading.Thread(target=serve, args=(member,)) for member in members]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for member in members:
            member.open()
        for thread in threads:
            thread.join()


def check(kernel: object, seed: int = 0) -> None:
    """One call, compared with NumPy."""
    x = np.random.default_rng(seed).standard_normal((ROWS, COLUMNS)).astype(np.float32)
    y, s = np.full_like(x, 7), np.full((PIECES, COLUMNS), 7, np.float32)
    assert kernel(x, y, s) is True  # type: ignore[operator]
    wanted = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    np.testing.assert_allclose(y, wanted, rtol=2e-6)
    np.testing.assert_allclose(s, wanted.reshape(PIECES, -1, COLUMNS).sum(1), rtol=1e-5)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_every_piece_is_computed_once(count: int) -> None:
    kernel = compile_kernel(TEXT)
    with helpers(count):
        for seed in range(300):
            check(kernel, seed)
    assert not word(team.OWNER)
    assert not word(team.JOB)
    assert not word(team.HELPERS)


def test_rows_that_do_not_fit_the_stack() -> None:
    """Each thread has a block on the heap."""
    columns = 20_000
    text = TEXT.replace(str(4 * COLUMNS), str(4 * columns)).replace(f",{COLUMNS}]", f",{columns}]")
    text = text.replace(f"over {ROWS} {COLUMNS}", f"over {ROWS} {columns}")
    kernel = compile_kernel(text)
    x = np.random.default_rng(1).standard_normal((ROWS, columns)).astype(np.float32)
    wanted = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    with helpers(2):
        for _ in range(10):
            y, s = np.zeros_like(x), np.zeros((PIECES, columns), np.float32)
            assert kernel(x, y, s) is True
            np.testing.assert_allclose(y, wanted, rtol=2e-5)


def test_several_threads_call_kernels_at_once() -> None:
    """One of them owns the team; the others compute alone."""
    kernel = compile_kernel(TEXT)
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for seed in range(100):
                check(kernel, seed + 1000 * number)
        except BaseException as error:
            failed.append(error)

    with helpers(2):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failed
    assert not word(team.OWNER)


def test_helpers_fall_asleep_and_are_woken() -> None:
    kernel = compile_kernel(TEXT)
    others = sum(isinstance(worker, TeamWorker) for worker in _workers)
    with helpers(2):
        for seed in range(5):
            end = time.monotonic() + 20
            while word(team.ASLEEP) < 2 + others and time.monotonic() < end:
                time.sleep(0.001)
            assert word(team.ASLEEP) == 2 + others
            check(kernel, seed)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_begins_without_owner_and_helpers() -> None:
    words = [ctypes.c_int64.from_address(team.TEAM + offset) for offset in (team.OWNER, team.HELPERS)]
    for one in words:
        one.value = 1  # as if another thread were in a kernel
    try:
        child = os.fork()
        if not child:
            done = 1
            try:
                check(compile_kernel(TEXT))
                done = int(any(map(word, (team.OWNER, team.JOB, team.HELPERS))))
            finally:
                os._exit(done)
    finally:
        for one in words:
            one.value = 0
    assert os.waitpid(child, 0)[1] == 0


def test_a_process_ends_while_helpers_wait() -> None:
    """Its threads are in machine code then, awake or asleep."""
    program = (
        "import threading\nfrom mycel.runtime.machine.team import TeamMember\n"
        "member = TeamMember()\nthreading.Thread(target=member.serve, daemon=True).start()\n"
        "del member\nimport time\ntime.sleep({})\n"
    )
    for seconds in ("0", "0.05"):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        found = subprocess.run([sys.executable, "-c", program.format(seconds)], env=environment, timeout=60)
        assert found.returncode == 0

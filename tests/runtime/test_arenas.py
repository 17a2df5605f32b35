"""Memory that large programs share: it serves one run at a time, and goes with the programs."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel.runtime import arenas
from mycel.runtime.arena import Arena
from mycel.runtime.arenas import SHARED, Arenas, trim


@pytest.fixture(autouse=True)
def _only_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arenas, "_blocks", [])


def program(nbytes: int) -> Arenas:
    """The arenas of a program that is its arena."""
    return Arenas(nbytes, lambda arena: arena)


def take(program: Arenas) -> Any:
    """What a run of a program takes."""
    return program.free.pop() if program.free else program.another()


def run(program: Arenas) -> int:
    """Where the memory of a run begins."""
    arena = take(program)
    assert arena.memory.nbytes == program.nbytes
    program.free.append(arena)
    return int(arena.memory.ctypes.data)


def test_programs_that_run_in_turn_share_memory() -> None:
    large, small, tiny = program(2 * SHARED), program(SHARED), program(SHARED - 1)
    first = run(large)
    assert [run(each) for each in (small, large, small, large)] == [first] * 4
    assert run(tiny) != first
    assert len(arenas._blocks) == 1
    assert len(large.free) + len(small.free) == 1


def test_a_run_has_its_memory_alone() -> None:
    one, other = program(SHARED), program(SHARED)
    taken = [take(one), take(other), take(one), take(other)]
    assert len({arena.memory.ctypes.data for arena in taken}) == 4
    one.free.append(taken[0])
    assert take(other).memory.ctypes.data == taken[0].memory.ctypes.data
    assert not one.free


def test_a_larger_block_replaces_those_that_no_run_uses() -> None:
    small, other, large = program(SHARED), program(SHARED), program(3 * SHARED)
    used = take(small)
    other.free.append(take(other))
    free = weakref.ref(other.free[0].memory.base)
    run(large)
    assert free() is None
    assert not other.free
    assert len(arenas._blocks) == 2
    small.free.append(used)
    assert run(small) == used.memory.ctypes.data
    assert run(other) in (used.memory.ctypes.data, run(large))


def test_memory_goes_with_the_program_that_needs_it() -> None:
    large, small = program(4 * SHARED), program(SHARED)
    run(large)
    run(small)
    memory = weakref.ref(arenas._blocks[0].arena.memory.base)
    del large
    trim()
    assert memory() is None
    assert not small.free
    run(small)
    block = weakref.ref(arenas._blocks[0].arena.memory.base)
    del small
    trim()
    assert block() is None
    assert not arenas._blocks


def test_memory_of_a_program_that_is_gone_serves_others() -> None:
    one, other = program(SHARED), program(SHARED)
    first, second = run(one), run(other)
    del other
    assert first == second == run(one)


def test_a_program_that_cannot_be_bound_leaves_nothing() -> None:
    def bind(arena: Arena) -> Any:
        raise MemoryError

    for _ in range(2):
        with pytest.raises(MemoryError):
            Arenas(SHARED, bind).another()
    assert not arenas._blocks


def test_memory_that_another_thread_has_freed_is_not_taken() -> None:
    """Between the list of blocks and taking one, another thread took the block and freed it."""
    small = program(SHARED)
    run(small)
    (block,) = arenas._blocks
    assert block.take()
    block.bound.clear()
    assert not block.take()


def test_threads_do_not_meet_in_one_memory() -> None:
    programs = [program(SHARED * size) for size in (1, 1, 2, 3)]
    errors: list[int] = []
    until = time.monotonic() + 0.5

    def work(number: int) -> None:
        random = np.random.default_rng(number)
        while time.monotonic() < until:
            chosen = programs[random.integers(len(programs))]
            arena = take(chosen)
            arena.memory[:8] = number
            time.sleep(0)
            if (arena.memory[:8] != number).any():
                errors.append(number)
            chosen.free.append(arena)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not errors
    assert len(arenas._blocks) <= 6 * len(programs)


def test_programs_are_bound_while_others_go() -> None:
    """`trim` looks at the programs of a block to which another thread binds more."""
    errors: list[BaseException] = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work() -> None:
        try:
            kept = []
            for _ in range(4000):
                kept = [*kept[-20:], program(SHARED)]
                kept[-1].free.append(take(kept[-1]))
                trim()
        except RuntimeError as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    try:
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(before)
    assert not errors


def test_shapes_of_a_function_share_memory() -> None:
    f = ms.jit(lambda x, y: ms.ops.tanh(x @ y) @ y)
    y = np.eye(64, dtype=np.float32)
    for _ in range(2):
        for rows in (20000, 10000, 15000, 20000):
            x = np.full((rows, 64), 0.5, np.float32)
            np.testing.assert_allclose(f(ms.Tensor(x), ms.Tensor(y)).asnumpy(), np.tanh(x), 1e-5)
    assert len(arenas._blocks) == 1
    assert len(arenas._blocks[0].bound) == 3
    del f
    assert not arenas._blocks

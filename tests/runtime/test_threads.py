"""Work shared by threads: every piece once, errors, nesting, forks, and the number of the BLAS's threads."""

import os
import sys
import threading
import time

import numpy as np
import pytest

from mycel.runtime import processors, threads, turn
from mycel.runtime.kernels.products import matmul, matmul_in_parts
from mycel.runtime.threads import share, sharing


def test_every_piece_is_done_once() -> None:
    """Whichever thread does it, and however often work is handed over."""
    done: list[tuple[int, int]] = []
    for pieces in [*range(7)] * 30:
        done.clear()
        share(lambda piece, thread: done.append((piece, thread)), pieces, 3)
        assert sorted(piece for piece, _ in done) == list(range(pieces))
        assert all(0 <= thread < 3 for _, thread in done)


def test_a_worker_takes_what_it_is_given_asleep_and_awake() -> None:
    done: list[int] = []
    worker = threads.Worker()
    for round in range(3):
        for number in range(3):
            worker.give(lambda number=number: done.append(number))
            end = time.monotonic() + 10
            while worker._busy and time.monotonic() < end:
                time.sleep(0.001)
            assert not worker._busy
        assert done == [0, 1, 2] * (round + 1)
        assert worker._awake
        worker.rest()
        assert not worker._awake


def test_work_within_a_scope_is_handed_over_many_times() -> None:
    """Workers are awake within, and asleep after it; they wake up again."""
    total = np.zeros(4)

    def work(piece: int, thread: int) -> None:
        total[piece] += 1

    for _ in range(50):
        with sharing:
            for _ in range(5):
                share(work, 4, 2)
    while any(worker._awake for worker in threads._workers):  # one that was late to begin rests when it has
        time.sleep(0.001)
    np.testing.assert_array_equal(total, 250)


def test_turns_of_threads_that_share_calls_of_machine_code() -> None:
    """Nobody waits for a thread that has done its pieces; and none is left behind that waits for its turn."""
    a = np.ones((16, 64, 64), np.float32)
    out = np.empty((8, *a.shape), np.float32)
    for _ in range(20):
        out.fill(0)
        share(lambda piece, thread: matmul(a, a, out[piece]), 8, 2)
        assert (out == 64).all()
    end = time.monotonic() + 20
    while any(worker._busy for worker in threads._workers) and time.monotonic() < end:
        time.sleep(0.001)
    assert not any(worker._busy for worker in threads._workers)
    assert turn._turn.value == 0


def test_an_error_in_any_piece_is_raised_once_all_are_done() -> None:
    """And the workers go on as before."""
    finished = []

    def work(piece: int, thread: int) -> None:
        if piece == 1:
            raise LookupError("piece 1")
        finished.append(piece)

    for _ in range(10):
        finished.clear()
        with pytest.raises(LookupError, match="piece 1"):
            share(work, 2, 2)
        assert finished == [0]
    share(lambda piece, thread: finished.append(piece), 3, 2)
    assert sorted(finished) == [0, 0, 1, 2]


def test_work_that_shares_work() -> None:
    """The pieces of a piece are done by whoever is free, if only by the one who asks."""
    done = []

    def inner(piece: int, thread: int) -> None:
        done.append(piece)

    share(lambda piece, thread: share(inner, 3, 2), 4, 2)
    assert sorted(done) == sorted([0, 1, 2] * 4)


def test_many_threads_may_ask_at_once() -> None:
    """Each gets its own pieces done."""
    results: dict[int, int] = {}

    def ask(number: int) -> None:
        counts = [0] * 8

        def work(piece: int, thread: int) -> None:
            counts[piece] += 1

        for _ in range(100):
            share(work, 8, 2)
        results[number] = counts == [100] * 8

    askers = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert results == dict.fromkeys(range(4), True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_shares_work() -> None:
    """The parent's workers do not exist in the child, and neither does its open context."""
    share(lambda piece, thread: None, 2, 2)
    with sharing:
        child = os.fork()
        if not child:
            done: list[int] = []
            share(lambda piece, thread: done.append(piece), 4, 2)
            os._exit(0 if sorted(done) == [0, 1, 2, 3] and not sharing._inside else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_the_blas_has_one_thread_inside_and_as_many_as_before_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where scopes nest, and if an error ends them."""
    now = [5]
    monkeypatch.setattr(processors, "blas_threads", lambda: now[0])
    monkeypatch.setattr(processors, "use_blas_threads", lambda count: now.__setitem__(0, count))
    monkeypatch.setattr(processors, "processor_count", lambda: 3)
    scope = threads.Sharing()
    assert scope.threads() == 3
    with scope:
        with pytest.raises(LookupError), scope:
            raise LookupError
        assert now == [1]
        assert scope.threads() == 3
    assert now == [5]
    with pytest.raises(LookupError), scope:
        raise LookupError
    assert now == [5]
    now[0] = 0  # it cannot be told
    assert scope.threads() == 1
    now[0] = 64
    monkeypatch.setattr(processors, "processor_count", lambda: 64)
    monkeypatch.setattr(processors, "_given", sys.maxsize)
    assert processors.thread_count() == processors.MOST_THREADS
    with scope:  # it does better by itself
        assert now == [64]
        assert scope.threads() == 1
    assert now == [64]


def test_the_number_of_the_blas_can_be_set_where_it_can_be_told() -> None:
    """NumPy's own wheels bring an OpenBLAS that tells it."""
    before = processors.blas_threads()
    if not before:
        pytest.skip("this NumPy's BLAS does not tell how many threads it uses")
    try:
        processors.use_blas_threads(1)
        assert processors.blas_threads() == 1
    finally:
        processors.use_blas_threads(before)
    assert processors.blas_threads() == before


SHAPES = [
    ((300, 70), (70, 90)), ((90, 70), (70, 300)), ((1, 5), (5, 7)), ((33, 1), (1, 65)), ((5, 2, 6, 7), (7, 8)),
    ((2, 6, 7), (5, 1, 7, 8)), ((1, 40, 7), (1, 7, 8)), ((0, 3), (3, 4)), ((4, 0), (0, 3)), ((1, 3, 7), (7, 200)),
]  # fmt: skip


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_products_in_parts(first: tuple[int, ...], second: tuple[int, ...], parts: int) -> None:
    """Equal to the product in one, with and without `out`, of plain, transposed and strided operands."""
    generator = np.random.default_rng(3)

    def matrices(shape: tuple[int, ...]) -> list[np.ndarray]:
        plain = generator.standard_normal(shape)
        turned = np.ascontiguousarray(plain.swapaxes(-1, -2)).swapaxes(-1, -2)
        strided = np.repeat(np.repeat(plain, 2, -1), 3, -2)[..., ::3, ::2]
        return [plain, turned, strided]

    for a in matrices(first):
        for b in matrices(second):
            expected = np.matmul(a, b)
            np.testing.assert_allclose(matmul_in_parts(a, b, threads=parts), expected, rtol=1e-12, atol=1e-12)
            out = np.full_like(expected, np.nan)
            assert matmul_in_parts(a, b, threads=parts, out=out) is out
            np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


def test_without_more_threads_one_does_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that has no room for a thread, or forbids them, gets slower results, not errors."""

    def refused(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "_workers", [])
    monkeypatch.setattr(threading.Thread, "start", refused)
    done: list[int] = []
    share(lambda piece, thread: done.append(piece), 5, 3)
    assert sorted(done) == [0, 1, 2, 3, 4]

"""A small pool of threads that share the pieces of one computation."""

from __future__ import annotations

import contextvars
import ctypes
import itertools
import operator
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import processors
from .turn import end_turn

if TYPE_CHECKING:
    from .machine.team import TeamMember


def _find_current_processor() -> Callable[[], int] | None:
    """A function that returns the processor of its caller; None where threads cannot be placed."""
    if not sys.platform.startswith("linux") or not hasattr(os, "sched_setaffinity"):
        return None
    try:
        function = ctypes.PyDLL(None).sched_getcpu
    except (AttributeError, OSError):
        return None
    function.argtypes, function.restype = (), ctypes.c_int
    return function


_current_processor = _find_current_processor()


class _Spin:
    """A spin lock of the C library on the address of an integer."""

    def __init__(self) -> None:
        # Waiting lets other Python threads run; opening is too short for that.
        self.wait = self._function(ctypes.CDLL(None).pthread_spin_lock)
        self.open = self._function(ctypes.PyDLL(None).pthread_spin_unlock)
        self.open_and_yield = self._function(ctypes.CDLL(None).pthread_spin_unlock)
        self.init = self._function(ctypes.PyDLL(None).pthread_spin_init, ctypes.c_int)

    @staticmethod
    def _function(function: Any, *more: Any) -> Any:
        function.argtypes, function.restype = (ctypes.c_void_p, *more), ctypes.c_int
        return function


def _find_spin() -> _Spin | None:
    """The spin lock, if the current processor can be found out: spinning on the processor of the awaited thread is no
    help."""
    if _current_processor is None:
        return None
    try:
        return _Spin()
    except (AttributeError, OSError):
        return None


_spin = _find_spin()


class Gate:
    """A gate at which one thread spins until another one opens it. Each opening lets it pass once.

    The wait ends within 3 microseconds after the opening. A sleeping thread would take up to 50, because the system has
    to wake it, and often a processor. It uses the spin lock of pthread, which does not hold Python's lock; systems
    without it sleep.
    """

    def __init__(self) -> None:
        if _spin is None:
            lock = threading.Lock()
            self.open: Callable[[], Any] = lock.release
            self.open_and_yield: Callable[[], Any] = lock.release
            self.wait: Callable[[], Any] = lock.acquire
        else:
            self._word = ctypes.c_int()  # has to live as long as its address is used
            place = ctypes.addressof(self._word)
            _spin.init(place, 0)
            self.open, self.wait = partial(_spin.open, place), partial(_spin.wait, place)
            self.open_and_yield = partial(_spin.open_and_yield, place)
        self.wait()


T = TypeVar("T")
_invoke = operator.methodcaller("__call__")


def holding(lock: threading.Lock, action: Callable[[], T]) -> T:
    """Call `action` while the lock is held. An interrupt does not leave the lock locked.

    From Python 3.14 on a signal handler may raise between the locking and the block of `with lock:`. Here one C call
    acquires the lock and notes it.
    """
    held: list[bool] = []
    try:
        held.extend(map(_invoke, (lock.acquire,)))
        return action()
    finally:
        if held:
            lock.release()


class Worker(threading.Thread):
    """A thread that runs one piece of work after another.

    It sleeps until there is work. From then on it spins for more work, until it is told to rest.
    """

    def __init__(self) -> None:
        super().__init__(name="mycel-worker", daemon=True)
        self._state = threading.Lock()
        self._busy = self._awake = self._tired = False  # tired: told to rest while busy
        self._asleep = threading.Lock()
        self._asleep.acquire()
        self._more = Gate()
        # Two gates, for asleep and awake: it may not be asleep yet when it is given work again.
        self._first: Callable[[], None] | None = None
        self._next: Callable[[], None] | None = None
        self._away_from: int | None = None
        self.start()

    def run(self) -> None:
        """Work until the process ends."""
        context = contextvars.Context()
        context.run(np.seterr, all="ignore")
        while True:
            self._asleep.acquire()
            work, self._first = self._first, None
            while work is not None:
                context.run(work)
                work = None
                if self._has_finished():
                    break
                self._more.wait()
                work, self._next = self._next, None

    def _has_finished(self) -> bool:
        """Become free; return whether to sleep."""
        with self._state:
            self._busy = False
            tired, self._tired = self._tired, False
            if tired:
                self._awake = False
            return tired

    def give(self, work: Callable[[], None]) -> None:
        """Start a piece of work, which must not raise. Nothing happens if the worker is busy."""
        holding(self._state, partial(self._give, work))

    def _give(self, work: Callable[[], None]) -> None:
        if self._busy:
            return
        self.keep_away()
        awake = self._awake
        opened: list[Any] = []
        self._busy, self._tired = True, False
        try:
            self._start(work, opened)
        except BaseException:
            if not opened:
                self._busy, self._awake = False, awake
            raise

    def _start(self, work: Callable[[], None], opened: list[Any]) -> None:
        """Let the thread begin, and add to the list if it does."""
        if self._awake:
            self._next = work
            opened.extend(map(_invoke, (self._more.open,)))  # in C: it is noted exactly if it is open
        else:
            self._awake, self._first = True, work
            opened.extend(map(_invoke, (self._asleep.release,)))

    def wait(self) -> None:
        """Wait until the worker is free."""
        while self._busy:
            time.sleep(0.001)

    def rest(self) -> None:
        """Stop spinning; sleep until there is work."""
        holding(self._state, self._rest)

    def _rest(self) -> None:
        if self._busy:
            self._tired = True
        elif self._awake:
            self._awake = False
            self._more.open()

    def keep_away(self) -> None:
        """Move to another processor than the caller's, if there is one."""
        if _current_processor is not None:
            self._keep_away_from(_current_processor())

    def _keep_away_from(self, processor: int) -> None:
        """Move to another processor than this one, if there is one.

        Linux tends to wake a thread on the processor of the waking thread. There it waits for its turn while another
        processor is idle, and a product in two halves takes as long as in one.
        """
        if processor == self._away_from or self.native_id is None:
            return
        self._away_from = processor
        others = os.sched_getaffinity(0) - {processor}
        if others:
            try:
                os.sched_setaffinity(self.native_id, others)
            except OSError:  # the system forbids it, or took these processors away: it runs where it may
                return


class TeamWorker(Worker):
    """A worker that also helps with shared kernels. It waits in machine code, and falls asleep by itself."""

    def __init__(self, member: TeamMember) -> None:
        self._member = member
        super().__init__()

    def run(self) -> None:
        """Work until the process ends."""
        context = contextvars.Context()
        context.run(np.seterr, all="ignore")
        while True:
            self._member.serve()
            work, self._next = self._next, None
            if work is not None:
                context.run(work)
                self._has_finished()

    def _start(self, work: Callable[[], None], opened: list[Any]) -> None:
        self._next = work
        opened.extend(map(_invoke, (self._member.open,)))

    def _rest(self) -> None:
        return


_workers: list[Worker] = []
_starting = threading.Lock()


def _forget_workers() -> None:
    """Forget the workers after a fork: threads do not survive it."""
    global _starting
    _workers.clear()
    _gates.clear()
    _starting = threading.Lock()
    sharing.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


def _get_workers(count: int) -> list[Worker]:
    """The first `count` workers, or fewer if the system starts no more threads. They may be busy."""
    if len(_workers) < count:
        with _starting, suppress(RuntimeError, MemoryError):
            while len(_workers) < count:
                _workers.append(_new_worker())
    return _workers[:count]


def _new_worker() -> Worker:
    from .machine.executable import unavailable  # late: `import mycel` needs neither

    if unavailable():
        return Worker()
    from .machine.team import TeamMember

    try:
        return TeamWorker(TeamMember())
    except OSError:  # the system gives no more memory for code
        return Worker()


class Sharing:
    """A context in which threads share work: the BLAS uses one thread, and workers spin between pieces of work.

    OpenBLAS's own threads spin between products, too. If other threads share the work between products, they compete
    for processors, and a step takes up to twice as long. The BLAS has one number of threads for the whole process, so
    the first context that is entered sets it, and the last one restores it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 1

    def __enter__(self) -> None:
        holding(self._lock, self._enter)

    def _enter(self) -> None:
        if not self._inside:
            count = processors.processor_count()
            self._before = processors.blas_threads() if count <= processors.MOST_THREADS else 0
            if self._before > 1:
                processors.use_blas_threads(1)
            for worker in _workers or _get_workers(processors.thread_count(count) - 1):
                worker.keep_away()
        self._inside += 1

    def __exit__(self, *error: object) -> None:
        holding(self._lock, self._leave)

    def _leave(self) -> None:
        self._inside -= 1
        if not self._inside:
            if self._before > 1:
                processors.use_blas_threads(self._before)
            for worker in _workers:
                worker.rest()

    def forget(self) -> None:
        """Reset the state in a forked process, because another thread may have been inside."""
        if self._inside and self._before > 1:
            processors.use_blas_threads(self._before)
        self._lock, self._inside = threading.Lock(), 0

    def threads(self) -> int:
        """The number of threads that may share products: 1 if the BLAS is faster alone, as on many processors."""
        if processors.processor_count() > processors.MOST_THREADS:
            return 1
        of_blas = holding(self._lock, lambda: self._before if self._inside else processors.blas_threads())
        return max(1, min(processors.thread_count(), of_blas))


sharing = Sharing()

# To change the signs of these takes 3 microseconds, in which other threads may run Python: a worker gets to the piece
# that it computes without Python. If both need Python at once, one of them sleeps, which costs 50.
_PAUSE = np.zeros(1 << 15, np.float32)


_gates: list[Gate] = []  # that nobody waits at


class _Job:
    """Pieces of work that threads take one after the other. The thread that finishes the last piece ends the job."""

    def __init__(self, work: Callable[[int, int], None], pieces: int) -> None:
        self.work = work
        self.pieces = pieces
        self.errors: list[BaseException] = []
        self.gate = _gates.pop() if _gates else Gate()
        self.ended = False  # whether a helper has finished the last piece, after which it opens the gate
        self._taken, self._done = itertools.count(), itertools.count(1)  # steps of a counter are atomic

    def take(self, thread: int) -> bool:
        """Run pieces until all are taken. Returns whether this thread finished the last one."""
        last = False
        for piece in self._taken:
            if piece >= self.pieces:
                break
            try:
                self.work(piece, thread)
            except BaseException as error:
                self.errors.append(error)
            last = next(self._done) == self.pieces
        end_turn()
        return last

    def help(self, thread: int) -> None:
        """Run pieces on a thread that does not wait at the gate."""
        if self.take(thread):
            self.ended = True
            self.gate.open_and_yield()

    def wait(self) -> bool:
        """Wait for the last piece. Returns whether the gate is shut again and may serve another job.

        An interrupt does not end the wait, because a piece could still write later. If the interrupt comes after the
        gate has opened, nobody waits there a second time, and the gate is given up.
        """
        interrupted = False
        while True:
            try:
                if not interrupted:
                    self.gate.wait()
                    return True
                while not self.ended:
                    time.sleep(0.0002)
                return False
            except BaseException as error:
                interrupted = True
                self.errors.append(error)


def share(work: Callable[[int, int], None], pieces: int, threads: int) -> None:
    """Call `work(piece, thread)` for every piece, on up to `threads` threads, including the caller's.

    Each thread takes one piece after another, and has a number of its own. A thread that gets no processor takes no
    piece, and is not waited for. The first error is raised after all pieces are done.
    """
    if pieces <= 0:
        return
    job = _Job(work, pieces)
    with sharing:
        workers = _get_workers(min(threads, pieces) - 1)
        try:
            for thread, worker in enumerate(workers, 1):
                worker.give(partial(job.help, thread))
            if workers:
                np.negative(_PAUSE, _PAUSE)
            last = job.take(0)
        except BaseException:  # an interrupt between pieces: one may be lost, so that none is the last
            for worker in workers:
                worker.wait()
            raise
        shut = last or job.wait()
    if shut:
        _gates.append(job.gate)
    for error in job.errors:
        raise error

"""Interrupts aimed at a step: its Parameters are all new or all old, and assignments of a handler are not lost."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import nn
from mycel.compiler.cache import disk as disk_cache
from mycel.compiler.ir.op import ACTIVE
from mycel.frontend.state import STATE
from mycel.runtime import commit, kernels

KERNELS = os.path.dirname(kernels.__file__)
NO_MEMORY = ("len", "min", "max", "prod", "isinstance", "all", "any", "hasattr", "append")  # these ask for none
X = ms.Tensor(np.linspace(-1, 1, 32, dtype=np.float32).reshape(4, 8))
Y = ms.Tensor(np.ones((4, 4), np.float32))
main_thread = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="signals are aimed with a timer that this system does not have"
)

OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda parameters: nn.SGD(parameters, 0.01),
    "Momentum": lambda parameters: nn.Momentum(parameters, 0.01, 0.9),
    "Adam": lambda parameters: nn.Adam(parameters, 0.01),
    "LARS": lambda parameters: nn.LARS(nn.Momentum(parameters, 0.01, 0.9)),
    "Adafactor": lambda parameters: nn.AdaFactor(parameters),
}


class Training:
    """A net, its step, and all the numbers that the step changes."""

    def __init__(self, optimizer: str, width: int = 8, dtype: Any = ms.float32) -> None:
        ms.set_seed(0)
        net = nn.SequentialCell(nn.Dense(8, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dense(width, 4))
        net = net.to_float(dtype) if dtype is not ms.float32 else net
        made = OPTIMIZERS[optimizer](net.trainable_params())
        self.step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), made)
        self.step.set_train()
        found = {id(p): p for p in (*net.get_parameters(), *made.get_parameters(), *self.step.get_parameters())}
        self.parameters = list(found.values())
        self.run()

    def run(self) -> None:
        self.step(X, Y)

    def state(self) -> list[bytes]:
        return [p.asnumpy().tobytes() for p in self.parameters]

    def put_back(self, numbers: list[np.ndarray]) -> None:
        for parameter, array in zip(self.parameters, numbers, strict=True):
            np.copyto(parameter._data, array)


class Interrupted(BaseException):
    """The error that a handler raises."""


def count_mixed(
    training: Training, aim: Callable[[Callable[[], None], int], bool], points: int, enough: int | None = None
) -> tuple[int, int]:
    """How many of the interrupted runs left a state that is neither the old nor the new one, and how many there were.

    `aim` runs with an interrupt at a point and tells whether it has been raised. `enough`: after so many it ends.
    """
    numbers = [parameter._data.copy() for parameter in training.parameters]
    old = training.state()
    training.run()
    new = training.state()
    assert sum(a != b for a, b in zip(old, new, strict=True)) >= 4
    mixed = interrupted = 0
    for point in range(points):
        training.put_back(numbers)
        raised = aim(training.run, point)
        interrupted += raised
        mixed += training.state() not in (old, new)
        if interrupted == enough:
            break
    return mixed, interrupted


def at_each_event(run: Callable[[], None], point: int) -> bool:
    """Run with an interrupt at the so-manieth event of a tracer that stops at every instruction."""
    # An interrupt between two instructions of an `except` would leave its exception to this thread as the one that is
    # handled. What a generator handles ends with it.
    interrupted = next(interrupt_at(run, point))
    assert sys.exc_info() == (None, None, None)
    return interrupted


def interrupt_at(run: Callable[[], None], point: int) -> Iterator[bool]:
    """Give whether the run has been interrupted."""
    left = [point]

    def trace(frame: Any, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes = True
        if left[0] == 0:
            left[0] -= 1
            raise Interrupted
        left[0] -= 1
        return trace

    interrupted = False
    sys.settrace(trace)
    try:
        run()
    except Interrupted:
        interrupted = True
    finally:
        sys.settrace(None)
    yield interrupted


def events_of(run: Callable[[], None]) -> int:
    """How many events a tracer sees in a run."""
    count = [0]

    def trace(frame: Any, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes = True
        count[0] += 1
        return trace

    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(None)
    return count[0]


class Returning:
    """A step that returns much: new Parameters, views of them, and values computed from them."""

    def __init__(self, width: int) -> None:
        self.first = ms.Parameter(ms.Tensor(np.linspace(0, 1, width, dtype=np.float32)), name="first")
        self.second = ms.Parameter(ms.Tensor(np.ones((2, width // 2), np.float32)), name="second")
        self.memory = ms.Parameter(ms.Tensor(np.zeros(width, np.float32)), name="memory")
        self.third = ms.Parameter(ms.Tensor(np.ones(width, np.float32)), name="third")
        self.parameters = [self.first, self.second, self.memory, self.third]
        self.x = ms.Tensor(np.linspace(-1, 2, width, dtype=np.float32))
        self.given: Any = None

        @ms.jit(fullgraph=True)
        def step(x: Any) -> Any:
            old = self.first.reshape((2, -1)).T
            self.first += x * 0.5
            ms.ops.assign(self.memory, ms.ops.tanh(self.memory + self.first))
            kept = self.memory.reshape((2, -1)).T
            self.second *= 0.75
            self.third[1:3] = x.sum()
            return old, self.first, kept, self.first * 2, self.second[1], self.third, self.memory[::2], x.sum(), old.T

        self.step = step
        self.run()

    def run(self) -> None:
        self.given = [result.asnumpy() for result in self.step(self.x)]

    state, put_back = Training.state, Training.put_back


def failing_call(run: Callable[[], None], point: int) -> bool:
    """Run with an error in the so-manieth function of C that a program calls, as if it had no memory."""
    left = [point]

    def profile(frame: Any, event: str, argument: Any) -> None:
        name = frame.f_code.co_filename
        if event != "c_call" or argument.__name__ in NO_MEMORY or not name.startswith(("<mycel", KERNELS)):
            return
        left[0] -= 1
        if left[0] == -1:
            raise MemoryError

    sys.setprofile(profile)
    try:
        run()
    except MemoryError:
        return True
    finally:
        sys.setprofile(None)
    return False


@pytest.mark.parametrize("name", ["Momentum", "LARS", "small results", "large results"])
def test_a_call_that_fails_leaves_all_parameters(name: str) -> None:
    """Any call of a program, or of a library that it calls, gets no memory: a copy of a result, a product, a kernel."""
    training: Any = Training(name) if name in OPTIMIZERS else Returning(40_000 if name[0] == "l" else 8)
    numbers = [parameter._data.copy() for parameter in training.parameters]
    old = training.state()
    training.run()
    assert training.state() != old
    given = None if name in OPTIMIZERS else training.given
    failed = 0
    for point in range(1000):
        training.put_back(numbers)
        if not failing_call(training.run, point):
            break
        failed += 1
        assert training.state() == old, point
    assert failed >= 3
    training.put_back(numbers)
    training.run()
    for before, after in zip(given or (), training.given if given else (), strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_an_interrupt_at_each_instruction_commits_all_or_nothing(optimizer: str) -> None:
    training = Training(optimizer)
    training.run()  # the second call emits the dispatch
    gc.disable()  # others' callbacks of the collector would be interrupted, too
    try:
        points = events_of(training.run) + 1
        assert points > 100  # Python 3.12 tells of fewer
        mixed, interrupted = count_mixed(training, at_each_event, points)
    finally:
        gc.enable()
    assert interrupted > 0.9 * points
    assert mixed == 0


def count_mixed_by_signals(training: Training, enough: int) -> tuple[int, int]:
    """`count_mixed` with signals that come at some time of a run."""
    numbers = [parameter._data.copy() for parameter in training.parameters]
    seconds = 1.0
    for _ in range(20):
        began = time.perf_counter()
        training.run()
        seconds = min(seconds, time.perf_counter() - began)
    training.put_back(numbers)

    def handler(number: int, frame: Any) -> None:
        raise Interrupted

    def after(run: Callable[[], None], point: int) -> bool:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(1e-6, seconds * (point % 97) / 90))
            try:
                run()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except Interrupted:
            return True
        return False

    before = signal.signal(signal.SIGALRM, handler)
    try:
        return count_mixed(training, after, 20 * enough, enough)
    finally:
        signal.signal(signal.SIGALRM, before)


@main_thread
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_signals_at_any_time_commit_all_or_nothing(optimizer: str) -> None:
    mixed, interrupted = count_mixed_by_signals(Training(optimizer), 300)
    assert interrupted == 300
    assert mixed == 0


@main_thread
@pytest.mark.parametrize("how", ["set_data", "assign_add", "compiled"])
def test_what_a_handler_assigns_is_not_lost(how: str) -> None:
    count = ms.Parameter(ms.Tensor(0.0), name="count")
    other = ms.Parameter(ms.ops.ones((40, 40)), name="other")
    x = ms.ops.ones((40, 40)) * 0.01
    thousand = ms.Tensor(1000.0)

    @ms.jit
    def step() -> Any:
        product = (other @ x) @ x
        ms.ops.assign(other, product * 0.0 + other)
        ms.ops.assign(count, count + 1 + 0 * ms.ops.exp(-product.sum() * 0))
        return product.sum()

    add = ms.jit(lambda: ms.ops.assign_add(count, thousand)) if how == "compiled" else None
    step(), add() if add is not None else None
    count.set_data(ms.Tensor(0.0))
    handled = [0]

    def handler(number: int, frame: Any) -> None:
        if add is not None:
            add()
        elif how == "set_data":
            count.set_data(ms.Tensor(count.asnumpy() + np.float32(1000)))
        else:
            ms.ops.assign_add(count, thousand)
        handled[0] += 1
        signal.setitimer(signal.ITIMER_REAL, 0.0003 + 0.00001 * (handled[0] % 37))  # no handler inside of another

    before = signal.signal(signal.SIGALRM, handler)
    steps = 0
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005)
        end = time.monotonic() + 20  # on a busy machine; 0.2 s are enough else
        while time.monotonic() < end and min(handled[0], steps) < 300:
            step()
            steps += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled[0] > 100
    assert steps > 100
    assert float(count.asnumpy()) == steps + 1000.0 * handled[0]


SLOW_COMMITS = """
import signal, sys, time
import numpy as np
import mycel as ms

size = int(sys.argv[1])
count = ms.Parameter(ms.Tensor(np.zeros(size, np.float32)), name="count")
other = ms.Parameter(ms.ops.ones((40, 40)), name="other")
x, thousand = ms.ops.ones((40, 40)) * 0.01, ms.Tensor(np.full(size, 1000, np.float32))

@ms.jit
def step():
    product = other @ x
    ms.ops.assign(other, product * 0.0 + other)
    ms.ops.assign(count, count + 1 + 0 * ms.ops.exp(-product.sum() * 0))

step()
count.set_data(ms.Tensor(np.zeros(size, np.float32)))
handled, steps = 0, 0

def handler(number, frame):
    global handled
    handled += 1
    count.set_data(count + thousand)  # reads what the step writes, too
    signal.setitimer(signal.ITIMER_REAL, 0.0003 + 0.00001 * (handled % 37))

signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.0005)
end = time.monotonic() + 0.8
while time.monotonic() < end or (min(steps, handled) <= 50 and time.monotonic() < end + 20):
    step()
    steps += 1
signal.setitimer(signal.ITIMER_REAL, 0)
assert steps > 50 and handled > 50, (steps, handled)
lost = steps + 1000.0 * handled - count.asnumpy()
assert not lost.any(), np.unique(lost)
assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set(), "signals are blocked"
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers that send signals")
@pytest.mark.parametrize(("native", "size"), [("off", 1), ("off", 100_000), ("on", 400_000)])
def test_what_a_handler_assigns_is_not_lost_while_other_threads_commit(native: str, size: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW_COMMITS, str(size)],
        env={**os.environ, "MYCEL_NATIVE": native},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, (done.stdout, done.stderr[-2000:])


LARGE = """
import sys
sys.path.insert(0, sys.argv[1])
import test_interrupts as here

training = here.Training("Adam", 20_000)
counts = here.count_mixed_by_signals(training, 60)
assert counts == (0, 60), counts
"""


@main_thread
@pytest.mark.parametrize("native", ["on", "off"])
def test_large_steps_that_threads_share_commit_all_or_nothing(native: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LARGE, os.path.dirname(__file__)],
        env={**os.environ, "MYCEL_NATIVE": native},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, (done.stdout, done.stderr[-2000:])


@pytest.mark.parametrize(
    "name", ["set_numbers", "Prepared", "make_commit", "make_kernel_commit", "make_calls", "as_whole"]
)
def test_programs_that_commit_can_be_kept_on_the_disk(name: str) -> None:
    value = getattr(commit, name)
    assert disk_cache._decode_kernel(disk_cache._encode_kernel(name, value)) is value


def test_an_error_leaves_the_random_generators_as_they_were() -> None:
    w = ms.Parameter(ms.Tensor(0.0), name="w")

    @ms.jit
    def draws(x: Any) -> Any:
        found = ms.ops.standard_normal((3,)) + ms.ops.standard_normal((3,), seed=5)
        ms.ops.assign(w, found.sum())
        if x < 0:
            raise ValueError("x is negative")
        return found

    def all_of(signs: list[int]) -> list[list[float]]:
        ms.set_seed(3)
        found = []
        for sign in signs:
            try:
                found.append(draws(ms.Tensor(float(sign))).asnumpy().tolist())
            except ValueError:
                continue
        return found

    assert all_of([1, 1, 1]) == all_of([1, -1, -1, 1, -1, 1])


def traced_step() -> Callable[[], Any]:
    """A function that must be traced again, with blocks of every kind inside."""
    w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")

    def loss_of(x: ms.Tensor) -> ms.Tensor:
        i = ms.Tensor(0)
        while i < 3:
            x = x * w
            i = i + 1
        return x.sum() if x.sum() > 0 else -x.sum()

    gradient = ms.value_and_grad(loss_of, None, [w])
    return lambda: ms.jit(lambda x: gradient(x)[0])(ms.Tensor([1.0, 1.0]))


def taped_step() -> Callable[[], Any]:
    """A function that runs op by op on a tape, because it reads a number."""

    def loss_of(x: ms.Tensor) -> ms.Tensor:
        return x.sum() * float(x.asnumpy()[0])

    def step() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ms.value_and_grad(loss_of)(ms.Tensor([1.0, 1.0]))[0]

    return step


class AtCall:
    """Raises an interrupt at the entry of the nth call of a function that enters, leaves or sets something: there, in
    its first instruction, a signal may come."""

    NAMES = frozenset(("__enter__", "__exit__", "set", "set_trace", "set_tape", "_put_back", "usual_stack", "keeping",
                       "in_order", "_made", "_write", "written", "_traced", "deeper_stack"))  # fmt: skip

    def __init__(self, wanted: int) -> None:
        self.left = wanted

    def __call__(self, frame: Any, event: str, argument: Any) -> None:
        if frame.f_code.co_name in self.NAMES:
            self.left -= 1
            if self.left == 0:
                raise Interrupted


@pytest.mark.parametrize("made", [traced_step, taped_step])
def test_an_interrupt_while_a_block_ends_leaves_the_thread_in_order(made: Callable[[], Callable[[], Any]]) -> None:
    expected, limit, interrupted = made()(), sys.getrecursionlimit(), 0
    recorder = ACTIVE.recorder
    for point in range(1, 100_000):
        step, aimed = made(), AtCall(point)
        before = sys.gettrace()
        sys.settrace(aimed)  # type: ignore[arg-type]
        try:
            step()
        except Interrupted:
            interrupted += 1
        finally:
            sys.settrace(before)
        state = STATE.trace, STATE.tape, STATE.eager, STATE.compiles, ACTIVE.recorder
        assert state == (None, None, False, True, recorder), point
        assert gc.isenabled(), point
        assert sys.getrecursionlimit() == limit, point
        if aimed.left > 0:
            break
    assert interrupted > 20
    assert made()() == expected

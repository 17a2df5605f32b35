"""Libraries that are not converted: what they read or draw inside a call is not frozen in a compiled function."""

from __future__ import annotations

import cProfile
import functools
import importlib
import os
import random
import sys
import threading
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.frontend.control_flow.foreign import is_foreign
from mycel.frontend.control_flow.moving import Moving
from mycel.frontend.source import policy
from mycel.frontend.tracing.trace import Trace
from mycel.library.mindspore.modules import Facade

SOURCE = """
import functools, json, logging, os, random, time, warnings
import numpy as np
from mycel import nn
own = np.random.default_rng(3)
mine = random.Random(5)
path = None

def numpy_global(): return float(np.random.rand())
def python_global(): return random.choice([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
def of_module(): return float(own.random())
def of_module_too(): return mine.random()
def noisy(f):
    @functools.wraps(f)
    def wrapper(v): return f(v) + float(own.random())
    return wrapper
def from_file():
    with open(path) as file:
        return json.load(file)
def swallowed():
    try:
        return from_file()
    except Exception:
        return -1.0
def listing(): return float(len(os.listdir(os.path.dirname(path))))
def rows():
    for _ in range(3):
        yield float(np.random.rand())

def double(v): return v * 2.0
def imports(v):
    from library_of_test import later
    return v * later.FACTOR
def talks(v):
    started = time.time()
    logging.getLogger(__name__).debug("%s", started)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("slow")
    return v * 5.0
def calls(f, v): return f(v)
def seeded(v): return v * random.Random(3).random()

class Counter:
    def __init__(self): self.count, self.rng = 0, np.random.RandomState(1)
    def next(self): self.count += 1; return float(self.count)
    def draw(self): return float(self.rng.rand())
    def cached(self, v): self.memo = 4.0; return v * self.memo
    def __call__(self): self.count += 2; return float(self.count)

class Layer(nn.Cell):
    def construct(self, v): return v * float(np.random.rand())
layer = Layer()
class Around(nn.Cell):
    def __call__(self, v): return super().__call__(v) * 0.5
    def construct(self, v): return v * 2.0
class Then(Around):
    def __call__(self, v): return super().__call__(v) + from_file()
then = Then()
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A package that is not converted."""
    folder = tmp_path / "library_of_test"
    folder.mkdir()
    (folder / "__init__.py").write_text(SOURCE)
    (folder / "later.py").write_text("FACTOR = 3.0\n")
    (tmp_path / "1.json").write_text("1.0")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(policy, "_native_modules", {*policy._native_modules, "library_of_test"})
    policy._verdicts.clear()
    module = importlib.import_module("library_of_test")
    module.path = str(tmp_path / "1.json")  # type: ignore[attr-defined]
    yield module
    for name in ("library_of_test", "library_of_test.later"):
        sys.modules.pop(name, None)
    policy._verdicts.clear()


def _change(library: Any) -> None:
    path = Path(library.path)
    path.write_text(str(float(path.read_text()) + 1))
    (path.parent / f"more{path.read_text()}").write_text("")


def _half(v: float) -> float:
    return v * 0.5


MOVING: dict[str, Callable[[Any, Any], Any]] = {
    "numpy": lambda library, _: library.numpy_global(),
    "python": lambda library, _: library.python_global(),
    "of its module": lambda library, _: library.of_module(),
    "of a decorator's module": lambda library, _: library.noisy(_half)(1.0),
    "of its module in Python": lambda library, _: library.of_module_too(),
    "file": lambda library, _: library.from_file(),
    "in a try": lambda library, _: library.swallowed(),
    "folder": lambda library, _: library.listing(),
    "count": lambda _, counter: counter.next(),
    "generator of its object": lambda _, counter: counter.draw(),
    "called object": lambda _, counter: counter(),
    "layer": lambda library, _: library.layer(1.0),
    "behind a layer": lambda library, _: library.then(1.0),
    "made object's draw": lambda library, _: library.Counter().next() + library.numpy_global(),
}


def _three(run: Callable[[Tensor], Tensor], library: Any) -> list[float]:
    """Three results, between which the world changes, from the same start."""
    random.seed(0)
    np.random.seed(0)
    library.own = np.random.default_rng(3)
    library.mine = random.Random(5)
    Path(library.path).write_text("1.0")
    for file in Path(library.path).parent.glob("more*"):
        file.unlink()
    found = []
    for _ in range(3):
        found.append(run(Tensor([1.0])).item())
        _change(library)
    return found


@pytest.mark.parametrize("name", MOVING)
def test_what_a_library_asks_the_world_is_asked_in_each_run(name: str, library: Any) -> None:
    def program(counter: Any) -> Callable[[Tensor], Tensor]:
        asks = MOVING[name]

        def f(x: Tensor) -> Tensor:
            return x + asks(library, counter)

        return f

    eager = _three(program(library.Counter()), library)
    assert len(set(eager)) > 1
    with pytest.warns(ms.FallbackWarning):
        assert _three(ms.jit(program(library.Counter())), library) == eager


@pytest.mark.parametrize("name", ["file", "folder", "numpy"])
def test_what_a_library_asks_within_a_cell_is_asked_in_each_run(name: str, library: Any) -> None:
    class Asking(ms.nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x + MOVING[name](library, None)

    cell = Asking()
    eager = _three(cell, library)
    assert len(set(eager)) > 1
    with pytest.warns(ms.FallbackWarning):
        assert _three(ms.jit(lambda x: cell(x) * 1.0), library) == eager


def test_what_a_library_asks_within_traced_code_that_a_library_calls(library: Any) -> None:
    class Asking(library.Around):  # type: ignore[name-defined, misc]
        def construct(self, x: Tensor) -> Tensor:
            return x + library.from_file()

    cell = Asking()
    eager = _three(cell, library)
    assert len(set(eager)) > 1
    with pytest.warns(ms.FallbackWarning, match="open"):
        assert _three(ms.jit(lambda x: cell(x) * 1.0), library) == eager


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process without threads, which that of a test may have."""
    monkeypatch.setattr("mycel.frontend.control_flow.moving.is_alone", lambda: True)


@pytest.mark.usefixtures("alone")
def test_a_generator_of_a_library_draws_in_each_run(library: Any) -> None:
    def f(x: Tensor) -> Tensor:
        for value in library.rows():
            x = x + value
        return x

    eager = _three(f, library)
    with pytest.warns(ms.FallbackWarning, match="it draws from a random generator of Python or NumPy"):
        assert _three(ms.jit(f), library) == eager


class Noise:
    """Python calls its methods for a for statement and an attribute: no call is seen."""

    def __iter__(self) -> Iterator[float]:
        for _ in range(2):
            yield random.random()

    @property
    def level(self) -> float:
        return float(np.random.rand())


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("how", ["for", "property"])
def test_draws_where_no_call_is_seen(how: str, library: Any) -> None:
    noise = Noise()

    def f(x: Tensor) -> Tensor:
        if how == "property":
            return x + noise.level
        for value in noise:
            x = x + value
        return x

    eager = _three(f, library)
    with pytest.warns(ms.FallbackWarning):
        assert _three(ms.jit(f), library) == eager


STANDING: dict[str, tuple[Callable[[Any, Any, Tensor], Any], float]] = {
    "pure": (lambda library, _, x: x * library.double(1.0), 2.0),
    "tensors": (lambda library, _, x: library.double(x), 2.0),
    "imports": (lambda library, _, x: x * library.imports(1.0), 3.0),
    "clock and log": (lambda library, _, x: x * library.talks(1.0), 5.0),
    "cache": (lambda _, counter, x: x * counter.cached(1.0), 4.0),
    "calls back": (lambda library, _, x: library.calls(lambda v: ops.tanh(v) * 0.0 + 6.0, x), 6.0),
    "seeded": (lambda library, _, x: x * library.seeded(1.0), random.Random(3).random()),
    "made in the function": (lambda library, _, x: x * library.Counter().next(), 1.0),
}


@pytest.mark.parametrize("name", STANDING)
def test_other_calls_of_libraries_stay_in_the_graph(name: str, library: Any) -> None:
    run, wanted = STANDING[name]
    counter = library.Counter()
    f = ms.jit(lambda x: run(library, counter, x), fullgraph=True)
    assert f(Tensor([1.0])).item() == pytest.approx(wanted)
    assert f(Tensor([1.0])).item() == pytest.approx(wanted)
    assert sys.getprofile() is None


def test_the_states_are_as_before_a_trace_that_was_given_up(library: Any) -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist(), np.random.get_state()[2]
    f = ms.jit(lambda x: x + library.numpy_global() + library.python_global(), fullgraph=True)
    with pytest.raises(ms.GraphError, match="draws from a random generator"):
        f(Tensor([1.0]))
    assert before == (random.getstate(), np.random.get_state()[1].tolist(), np.random.get_state()[2])


def test_a_profiler_of_the_users_stays_on(library: Any) -> None:
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        f = ms.jit(lambda x: x * library.double(1.0), fullgraph=True)
        assert f(Tensor([1.0])).item() == 2.0
        library.double(1.0)
    finally:
        profiler.disable()
    counts = [entry.callcount for entry in profiler.getstats() if getattr(entry.code, "co_name", "") == "double"]
    assert counts == [2]


def test_functions_of_this_package_are_not_foreign_under_a_librarys_name(library: Any) -> None:
    """As what `jit` makes of a library's method, which takes its names: to watch it would slow down the trace."""
    own = types.FunctionType(is_foreign.__code__, is_foreign.__globals__)
    assert functools.update_wrapper(own, library.of_module).__module__ == "library_of_test"
    assert is_foreign(library.of_module)
    assert not is_foreign(own)


def test_calls_of_cells_and_primitives_are_watched_for_arguments_that_may_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What they call is watched in any case. A look around each call took a sixth of a large network's trace."""
    watched: list[str] = []
    run = Moving.run

    def noted(self: Any, function: Any, *arguments: Any) -> Any:
        watched.append(type(function).__name__)
        return run(self, function, *arguments)

    class Halves(ms.nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.add, self.relu = ops.Add(), ms.nn.ReLU()

        def construct(self, x: Tensor, sizes: Any = ()) -> Tensor:
            return self.relu(self.add(x, 0.5))

    net = Halves()
    monkeypatch.setattr(Moving, "run", noted)

    def f(x: Tensor) -> Tensor:
        return net(x, (1, (2,))) if x.sum() > 0 else net(x)

    assert ms.jit(f, fullgraph=True)(Tensor([1.0])).item() == 1.5
    assert not {"Halves", "Add", "ReLU"} & {*watched}
    assert ms.jit(lambda x: net(x, ([1],)), fullgraph=True)(Tensor([1.0])).item() == 1.5
    assert "Halves" in watched
    assert not {"Add", "ReLU"} & {*watched}


def test_traced_code_within_a_call_of_a_library_is_not_watched(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch doubled the time that it took to trace the layers of some libraries, which have a `__call__`."""
    watched: list[bool] = []
    apply = Trace.apply

    def noted(self: Any, *arguments: Any) -> Any:
        watched.append(sys.getprofile() is not None)
        return apply(self, *arguments)

    class Inner(library.Around):  # type: ignore[name-defined, misc]
        def construct(self, x: Tensor) -> Tensor:
            return x * 3.0

    net = Inner()
    monkeypatch.setattr(Trace, "apply", noted)
    assert ms.jit(lambda x: net(x), fullgraph=True)(Tensor([1.0])).item() == 1.5
    assert watched == [False, True]
    assert sys.getprofile() is None


def test_draws_of_other_threads_are_not_blamed_on_a_trace() -> None:
    stop = threading.Event()

    def draw() -> None:
        while not stop.is_set():
            np.random.rand(100)

    thread = threading.Thread(target=draw)
    thread.start()
    try:
        for size in range(1, 6):
            f = ms.jit(lambda x: ops.tanh(x) * 2, fullgraph=True)
            f(Tensor(np.ones(size, np.float32)))
    finally:
        stop.set()
        thread.join()


def test_installed_libraries_are_converted_if_they_are_written_on_this_package() -> None:
    """By whatever name they import it: modules have MindSpore's names after `install_as_mindspore`."""
    file = f"{policy._INSTALLED[0]}library_of_test/layers.py"
    facade = Facade("mindspore.nn", "nn", ())
    for number, (value, converted) in enumerate(((facade, True), (ms, True), (ops.relu, True), (np, False))):
        name = f"library_of_test.layers_{number}"
        try:
            assert policy.is_user_module({"__name__": name, "value": value}, file) is converted
        finally:
            policy._verdicts.clear()


def test_arrays_that_a_trace_has_changed_before_it_ends() -> None:
    """The eager run changes them again: in the first call they were changed twice."""
    counts = np.zeros(2)

    def function(x: Tensor) -> Tensor:
        counts[0] += 1
        np.add(counts, 1, out=counts)
        os.stat(".")
        return x * 2

    compiled = ms.jit(function)
    with pytest.warns(ms.FallbackWarning, match="stat"):
        compiled(Tensor([1.0])), compiled(Tensor([1.0]))
    assert counts.tolist() == [4.0, 2.0]

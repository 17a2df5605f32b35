"""Iterators, files, random generators and clocks from outside: a compiled function uses them as Python does."""

from __future__ import annotations

import contextlib
import datetime
import functools
import io
import itertools
import os
import pathlib
import random
import secrets
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, jit
from mycel.frontend.control_flow import surroundings


def number(item: Any) -> float:
    """An item of any of the iterators as a number."""
    return float(item[0] if isinstance(item, tuple) else item)


class Own:
    """An iterator in Python."""

    def __init__(self) -> None:
        self.at = 0

    def __iter__(self) -> Own:
        return self

    def __next__(self) -> int:
        self.at += 1
        if self.at > 8:
            raise StopIteration
        return self.at


ITEMS = [1, 2, 3, 4, 5, 6, 7, 8]
ITERATORS: dict[str, Callable[[], Any]] = {
    "list": lambda: iter(ITEMS),
    "generator": lambda: (item for item in ITEMS),
    "zip": lambda: zip(ITEMS, ITEMS, strict=True),
    "enumerate": lambda: enumerate(ITEMS),
    "map": lambda: map(float, ITEMS),
    "filter": lambda: filter(None, ITEMS),
    "reversed": lambda: reversed(ITEMS),
    "dict": lambda: iter(dict.fromkeys(ITEMS, 1)),
    "dict items": lambda: iter(dict.fromkeys(ITEMS, 1).items()),
    "range": lambda: iter(range(1, 9)),
    "islice": lambda: itertools.islice(ITEMS, 8),
    "deque": lambda: iter(deque(ITEMS)),
    "array": lambda: iter(np.arange(1, 9)),
    "file": lambda: io.StringIO("1\n2\n3\n4\n5\n6\n7\n8\n"),
    "class": Own,
}


class Holder:
    """An object that holds an iterator."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.several = [{"first": items}]


def uses(items: Any) -> dict[str, Callable[[Tensor], Any]]:
    """Functions that take items where only the run knows whether, and where it is certain."""
    holder = Holder(items)

    def plain(x: Tensor) -> Any:
        return x + number(next(items))

    def branch(x: Tensor) -> Any:
        y = x
        if x.sum() > 0:
            y = y + number(next(items))
        return y

    def default(x: Tensor) -> Any:
        return x + number(next(items, 100)) if x.sum() > 0 else x

    def loop(x: Tensor) -> Any:
        y = x
        while y.sum() < 5:
            y = y + number(next(items))
        return y

    def for_loop(x: Tensor) -> Any:
        y = x
        if x.sum() > 0:
            for item in items:
                y = y + number(item)
                break
        return y

    def listed(x: Tensor) -> Any:
        return x + len(list(items)) if x.sum() > 0 else x

    def method(x: Tensor) -> Any:
        return x + number(items.__next__()) if x.sum() > 0 else x

    def unpacked(x: Tensor) -> Any:
        y = x
        if x.sum() > 0:
            first, *_ = items
            y = y + number(first)
        return y

    def contained(x: Tensor) -> Any:
        return x + 1 if x.sum() > 0 and 3 in items else x

    def zipped(x: Tensor) -> Any:
        y = x
        for _, item in zip([1], items, strict=False):
            y = y + number(item)
        return y

    def comprehension(x: Tensor) -> Any:
        return x + len([item for item in items])  # noqa: C416 - the comprehension is what is tested

    def expression(x: Tensor) -> Any:
        return x + sum(number(item) for item in items)

    def starred(x: Tensor) -> Any:
        return x + len([*items])

    def passed(x: Tensor) -> Any:
        def count(*given: Any) -> int:
            return len(given)

        return x + count(*items)

    def delegated(x: Tensor) -> Any:
        def inner() -> Any:
            yield from items

        return x + sum(number(item) for item in inner())

    def augmented(x: Tensor) -> Any:
        taken: list[Any] = []
        taken += items
        return x + len(taken)

    def sliced(x: Tensor) -> Any:
        taken: list[Any] = []
        taken[:] = items
        return x + len(taken)

    def attribute(x: Tensor) -> Any:
        return x + number(next(holder.items))

    def nested(x: Tensor) -> Any:
        return x + number(next(holder.several[0]["first"]))

    def mapped(x: Tensor) -> Any:
        return x + next(map(number, items))

    def tool(x: Tensor) -> Any:
        return x + number(next(itertools.chain(items)))

    def partial(x: Tensor) -> Any:
        return x + number(functools.partial(next, items)())

    functions = [plain, branch, default, loop, for_loop, listed, method, unpacked, contained, zipped, comprehension]
    functions += [expression, starred, passed, delegated, augmented, sliced, attribute, nested, mapped, tool, partial]
    return {function.__name__: function for function in functions}


SIGNS = (1.0, -1.0, 1.0, -1.0, 2.0)


def outcomes(function: Callable[[Tensor], Any]) -> list[Any]:
    """The results of some calls, or the error."""
    found: list[Any] = []
    for sign in SIGNS:
        try:
            found.append(float(function(Tensor(np.array([sign], np.float32))).sum().asnumpy()))
        except Exception as error:
            found.append(next(kind for kind in (StopIteration, ValueError, RuntimeError) if isinstance(error, kind)))
    return found


@pytest.mark.parametrize(("use", "kind"), chequered(uses(None), ITERATORS))
@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
def test_iterators_from_outside(kind: str, use: str) -> None:
    expected = outcomes(uses(ITERATORS[kind]())[use])
    assert outcomes(jit(uses(ITERATORS[kind]())[use])) == expected


def test_the_iterator_is_where_it_was_when_a_graph_is_refused() -> None:
    items = iter(ITEMS)

    @jit(fullgraph=True)
    def taking(x: Tensor) -> Any:
        if x.sum() > 0:
            return x + next(items)
        return x

    with pytest.raises(ms.GraphError, match="next takes items of an iterator"):
        taking(Tensor([1.0]))
    assert next(items) == 1


def test_iterators_among_the_arguments() -> None:
    def taking(x: Tensor, items: Any) -> Any:
        return x + next(items["of"][0])

    items = iter(ITEMS)
    compiled = jit(taking)
    with pytest.warns(ms.FallbackWarning, match="takes items of an iterator"):
        found = [float(compiled(Tensor([0.0]), {"of": [items]}).asnumpy()[0]) for _ in range(3)]
    assert found == [1, 2, 3]


def test_what_is_sent_to_a_generator() -> None:
    def adding() -> Any:
        total = 0.0
        while True:
            total += yield total

    def sending(generator: Any) -> Callable[[Tensor], Any]:
        next(generator)
        return lambda x: x + generator.send(2.0)

    expected = outcomes(sending(adding()))
    with pytest.warns(ms.FallbackWarning, match="iterator"):
        assert outcomes(jit(sending(adding()))) == expected
    assert expected[0] != expected[2]


def test_iterators_that_the_function_makes_stay_in_the_graph() -> None:
    values = [1.0, 2.0, 3.0]

    @jit(fullgraph=True)
    def making(x: Tensor) -> Any:
        items, numbers = iter(values), random.Random(4)
        first, *others = zip(values, reversed(values), strict=True)
        if x.sum() > 0:
            x = x + next(items) * sum(value for value in items) + max([*map(float, values)])
        return x + first[1] + len(others) + numbers.random() + (2.0 in values)

    draw = random.Random(4).random()
    assert abs(float(making(Tensor([1.0])).asnumpy()[0]) - (1 + 5 + 3 + 3 + 2 + 1 + draw)) < 1e-6
    assert abs(float(making(Tensor([-1.0])).asnumpy()[0]) - (-1 + 3 + 2 + 1 + draw)) < 1e-6


def test_iterators_that_are_only_looked_at_stay_in_the_graph() -> None:
    items = iter(ITEMS)

    @jit(fullgraph=True)
    def looking(x: Tensor) -> Any:
        return x + isinstance(items, list) + callable(items) + hasattr(items, "send") + (items is None)

    assert looking(Tensor([1.0])).asnumpy() == [1.0]


DRAWN = np.random.default_rng(1)
SEEDED = random.Random(1)
LEGACY = np.random.RandomState(1)
RANDOM: dict[str, Callable[[Tensor], Any]] = {
    "random": lambda x: x + random.random(),
    "choice": lambda x: x + random.choice(range(10**9)),
    "own Random": lambda x: x + SEEDED.random(),
    "numpy": lambda x: x + Tensor(np.random.rand(1).astype(np.float32)),
    "normal": lambda x: x + float(np.random.normal()),
    "Generator": lambda x: x + DRAWN.random(),
    "RandomState": lambda x: x + LEGACY.rand(),
    "shuffle": lambda x: x + float(np.random.permutation(10**5)[0]),
    "branch": lambda x: x + random.random() if x.sum() > -1 else x,
    "clock": lambda x: x * 0 + float(time.perf_counter_ns() % 10**7),
}


@pytest.mark.parametrize("name", RANDOM)
def test_numbers_that_python_draws_are_new_in_each_run(name: str) -> None:
    compiled = jit(RANDOM[name])
    with pytest.warns(ms.FallbackWarning, match=r"random generator|clock"):
        found = {float(compiled(Tensor([0.0])).asnumpy()[0]) for _ in range(5)}
    assert len(found) > 2
    with pytest.raises(ms.GraphError, match=r"random generator|clock"):
        jit(RANDOM[name], fullgraph=True)(Tensor([0.0]))


SEEDLESS: dict[str, Callable[[Tensor], Any]] = {
    "default_rng": lambda x: x + np.random.default_rng().random(),
    "default_rng of None": lambda x: x + np.random.default_rng(seed=None).random(),
    "Random": lambda x: x + random.Random().random(),
    "RandomState": lambda x: x + np.random.RandomState().rand(),
    "PCG64": lambda x: x + np.random.Generator(np.random.PCG64()).random(),
    "SeedSequence": lambda x: x + np.random.SeedSequence().entropy % 1000,
    "SystemRandom": lambda x: x + random.SystemRandom(3).random(),
    "seeded anew": lambda x: x + reseeded(random.Random(1)).random(),
    "urandom": lambda x: x + int.from_bytes(os.urandom(2), "little"),
    "uuid": lambda x: x + uuid.uuid4().int % 10007,
    "secrets": lambda x: x + secrets.randbelow(10007),
    "now": lambda x: x + datetime.datetime.now().microsecond,
    "strftime": lambda x: x + len(time.strftime("%H")) + os.urandom(1)[0],
    "temporary": lambda x: x + hash(tempfile.mktemp()) % 1000,
    "process": lambda x: x + int(subprocess.check_output([sys.executable, "-c", "import os; print(os.urandom(1)[0])"])),
}


def reseeded(generator: random.Random) -> random.Random:
    generator.seed()
    return generator


@pytest.mark.parametrize("name", SEEDLESS)
def test_what_the_function_makes_without_a_seed_is_new_in_each_run(name: str) -> None:
    match = r"anew in each run|reads the clock|uses files or the system"
    with pytest.raises(ms.GraphError, match=match):
        jit(SEEDLESS[name], fullgraph=True)(Tensor([0.0]))
    compiled = jit(SEEDLESS[name])
    with pytest.warns(ms.FallbackWarning, match=match):
        assert len({float(compiled(Tensor([0.0])).asnumpy()[0]) for _ in range(4)}) > 1


def test_a_date_of_the_clock() -> None:
    for date in (lambda x: x + np.datetime64("now").astype(int), lambda x: x + datetime.date.today().toordinal()):
        with pytest.raises(ms.GraphError, match="reads the clock"):
            jit(date, fullgraph=True)(Tensor([0.0]))
    fixed = jit(lambda x: x + np.datetime64("2001-01-01").astype(int) + datetime.date(2001, 1, 1).day, fullgraph=True)
    assert float(fixed(Tensor([0.0])).asnumpy()[0]) == 11324


def test_files_that_libraries_open_are_read_in_each_run(tmp_path: Any) -> None:
    text, numbers = tmp_path / "number.txt", str(tmp_path / "number.npy")
    readers: dict[str, Callable[[Tensor], Any]] = {
        "load": lambda x: x + float(np.load(numbers)),
        "loadtxt": lambda x: x + float(np.loadtxt(text)),
        "fromfile": lambda x: x + float(np.fromfile(str(text), np.uint8)[0]),
        "memmap": lambda x: x + float(np.memmap(text, mode="r")[0]),
        "read_text": lambda x: x + float(text.read_text()),
        "size": lambda x: x + os.path.getsize(text),
        "exists": lambda x: x + os.path.exists(str(text) + "0"),
        "listdir": lambda x: x + len(os.listdir(tmp_path)),
    }
    for name, reader in readers.items():
        compiled, found = jit(reader), []
        for number, content in ((1, "1"), (2, "23")):
            (tmp_path / "number.txt0").unlink(missing_ok=True)
            if number == 2:
                (tmp_path / "number.txt0").touch()
            text.write_text(content)
            np.save(numbers, np.float32(number))
            with pytest.warns(ms.FallbackWarning) if number == 1 else contextlib.nullcontext():
                found.append(float(compiled(Tensor([0.0])).asnumpy()[0]))
        assert found[0] != found[1], name


def test_the_environment_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    @jit(fullgraph=True)
    def scaled(x: Tensor) -> Any:
        more = 1 if "MYCEL_TEST_MORE" in os.environ else 0
        return x * float(os.getenv("MYCEL_TEST_SCALE", "1")) + float(os.environ.get("MYCEL_TEST_SHIFT", "0")) + more

    assert scaled(Tensor(2.0)) == 2
    monkeypatch.setenv("MYCEL_TEST_SCALE", "3")
    assert scaled(Tensor(2.0)) == 6
    monkeypatch.setenv("MYCEL_TEST_SHIFT", "1")
    assert scaled(Tensor(2.0)) == 7
    monkeypatch.setenv("MYCEL_TEST_MORE", "")
    assert scaled(Tensor(2.0)) == 8


def test_paths_and_generators_with_seeds_stay_in_the_graph() -> None:
    @jit(fullgraph=True)
    def using(x: Tensor) -> Any:
        name = os.path.join("a", os.fspath(pathlib.Path("b") / "c.txt"))
        drawn = (
            np.random.default_rng(3).random() + random.Random("text").random() + np.random.RandomState(seed=1).rand()
        )
        return x + len(name) + drawn + len(pathlib.PurePath(name).with_suffix("").name)

    assert float(using(Tensor(0.0)).asnumpy()) > 8


def test_a_seed_gives_the_same_numbers_as_without_a_graph() -> None:
    """The trace that is given up draws nothing."""

    def drawing(x: Tensor) -> Any:
        return x + random.random() + float(np.random.random())

    results = []
    for function in (drawing, jit(drawing)):
        random.seed(3)
        np.random.seed(3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.append([float(function(Tensor([0.0])).asnumpy()[0]) for _ in range(3)])
    assert results[0] == results[1]


def test_files_are_read_and_written_in_each_run() -> None:
    read, written = io.StringIO("123456"), io.StringIO()

    def using(x: Tensor) -> Any:
        written.write("a")
        return x + float(read.read(1))

    compiled = jit(using)
    with pytest.warns(ms.FallbackWarning, match="a file"):
        found = [float(compiled(Tensor([0.0])).asnumpy()[0]) for _ in range(3)]
    assert found == [1, 2, 3]
    assert written.getvalue() == "aaa"


def test_a_module_that_another_thread_imports_lacks_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy imports numpy.random at the first use: in one thread, while another one traces."""
    monkeypatch.setitem(sys.modules, "numpy.random", ModuleType("numpy.random"))
    assert not surroundings.is_generator(1)
    assert surroundings.is_generator(random.Random())


def test_generators_of_a_module_that_is_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classes are known once all are there. Those of Python's module are others after a reload."""

    class Random:
        """A class of that name."""

    assert not surroundings.is_generator(Random())
    monkeypatch.setattr(random, "Random", Random)
    assert surroundings.is_generator(Random())
    assert surroundings.generators_among([1, Random]) == []
    monkeypatch.undo()
    assert not surroundings.is_generator(Random())


@pytest.mark.parametrize("draw", ["np.random.rand()", "getattr(np.random, 'uniform')()", "random.rand()"])
def test_draws_of_a_generator_that_the_trace_loads(draw: str, tmp_path: pathlib.Path) -> None:
    """NumPy loads `np.random` when it is first read."""
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nimport numpy as np\nimport mycel as ms\nassert 'numpy.random' not in sys.modules\n\n"
        f"@ms.jit\ndef f(x):\n    from numpy import random\n    return x + {draw}\n\n"
        "print(len({float(f(ms.Tensor(1.0))) for _ in range(4)}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(program)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "4\n", done.stderr


def test_draws_of_a_generator_that_unseen_code_loads(tmp_path: pathlib.Path) -> None:
    """No call is seen in `__iter__`. Initial values that load the generator are no such draw."""
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nimport numpy as np\nimport mycel as ms\nassert 'numpy.random' not in sys.modules\n\n"
        "class Numbers:\n    def __iter__(self):\n        return iter([np.random.rand()])\n\n"
        "numbers = Numbers()\n\n"
        "@ms.jit(fullgraph=sys.argv[1] == 'initial')\ndef f(x):\n    if sys.argv[1] == 'initial':\n"
        "        return ms.nn.LSTMCell(1, 1)(x, (x, x))[0]\n"
        "    return x + sum(numbers)\n\n"
        "print(len({float(f(ms.ops.ones((1, 1)))) for _ in range(4)}), 'numpy.random' in sys.modules)\n"
    )
    for case, found in (("unseen", "4 True\n"), ("initial", "1 True\n")):
        command = [sys.executable, "-W", "ignore", str(program), case]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.stdout == found, done.stderr

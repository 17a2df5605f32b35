"""Kernels in a hostile process: no memory for code, small stacks, threads that change arrays, arrays of 2 GiB."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import textwrap
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mycel.runtime.machine import executable, python_calls
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import boundary, codegen
from mycel.runtime.native.boundary import STACK
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel, machine_code

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

DOUBLE = "over 5\nin x float32[5] 4\nout y float32[5] 4\ny = add(x, x)"
PROGRAM = """
    import logging, sys
    import numpy as np
    import mycel as ms
    from mycel import Tensor, ops

    @ms.jit
    def f(x, y):
        z = x
        for _ in range(15):
            z = ops.tanh(z * y + x)
        return z, (z / z.sum(-1, keepdims=True)).max(-1)[0], ops.erf(z).sum(0)
"""


def child(script: str, *arguments: str, **variables: str) -> str:
    """The output of a script in a process of its own, which must not crash."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        path.write_text(textwrap.dedent(script), "utf-8")
        done = subprocess.run(
            [sys.executable, path, *arguments], env={**os.environ, **variables},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}"
    return done.stdout + done.stderr


@pytest.fixture
def as_in_a_new_process() -> Iterator[None]:
    """Nothing has been said about machine code before, and after the test it is to be had as ever."""
    codegen._logged.clear()
    yield
    executable._refused.clear()
    codegen._logged.clear()


@pytest.fixture
def logged() -> Iterator[list[logging.LogRecord]]:
    """What mycel logs. The fixture of pytest comes with a plugin that listens to all tests, which takes its time."""
    records: list[logging.LogRecord] = []
    logger, handler = logging.getLogger("mycel"), logging.Handler()
    handler.emit = records.append  # type: ignore[method-assign]
    logger.addHandler(handler)
    yield records
    logger.removeHandler(handler)


@pytest.mark.usefixtures("as_in_a_new_process")
@pytest.mark.parametrize("what", ["mmap", "mprotect"])
def test_numpy_takes_over_when_the_system_refuses_code(
    what: str, monkeypatch: pytest.MonkeyPatch, logged: list[logging.LogRecord]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    if what == "mmap":
        monkeypatch.setattr(executable.mmap, "mmap", refuse)
    else:
        monkeypatch.setattr(executable, "_protect", refuse)
    x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    for _ in range(3):
        y[:] = 0
        assert compile_kernel(DOUBLE)(x, y) is True
        np.testing.assert_array_equal(y, 2 * x)
    assert len(logged) == 1
    assert "Permission denied" in logged[0].getMessage()
    assert "Permission denied" in str(unavailable())


def test_the_reason_names_the_file_where_linux_does_not_say_what_the_processor_can_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a chroot without /proc: it is not the processor that lacks something."""
    for words, reason in ([], "/proc/cpuinfo"), (["sse2"], "AVX2"):
        monkeypatch.setattr(executable, "_described", lambda field="flags", words=words: frozenset(words))
        assert reason in str(executable._missing.__wrapped__())


@pytest.mark.usefixtures("as_in_a_new_process")
@pytest.mark.parametrize("error", [Unsupported("no code"), OSError(12, "no"), MemoryError(), OverflowError("large")])
def test_numpy_takes_over_where_a_kernel_has_no_code(
    error: Exception, monkeypatch: pytest.MonkeyPatch, logged: list[logging.LogRecord]
) -> None:
    def fail(*_: object) -> bytes:
        raise error

    monkeypatch.setattr(codegen, "_machine_code", fail)
    x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    assert compile_kernel(DOUBLE)(x, y) is True
    assert compile_kernel(DOUBLE)(x[:4], y) is False
    np.testing.assert_array_equal(y, 2 * x)
    assert len(logged) == 1


REFUSED = (
    PROGRAM
    + """
    def results(seed):
        random = np.random.default_rng(seed)
        return [t.asnumpy() for t in f(*(Tensor(random.normal(size=(7, 90)).astype(np.float32)) for _ in "xy"))]

    def refuse():
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN
            print("not to be had")
            sys.exit()

    if sys.argv[1] == "first":
        refuse()
        print("kernels" if "compile_kernel" in f.stages(*(Tensor(np.zeros((7, 90), np.float32)) for _ in "xy")).program
              else "calls of NumPy")
    elif sys.argv[1] == "after a kernel":
        from mycel.runtime.machine import executable
        assert executable.unavailable() is None
        refuse()
    np.save(sys.argv[2], np.concatenate([a.ravel() for a in results(1)]))
    print("computed")
"""
)


@pytest.fixture(scope="module")
def allowed(tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray, Path]:
    """What `REFUSED` computes where the system allows code, and the cache that it leaves."""
    folder = tmp_path_factory.mktemp("allowed")
    assert "computed" in child(REFUSED, "never", str(folder / "plain.npy"), MYCEL_CACHE=str(folder / "cache"))
    return np.load(folder / "plain.npy"), folder / "cache"


@pytest.mark.parametrize("when", ["first", "after a kernel", "from the cache"])
def test_a_system_that_refuses_code_to_the_process(when: str, allowed: tuple[np.ndarray, Path], tmp_path: Path) -> None:
    """Before the first kernel, after it, and with a program in the cache that has kernels."""
    expected, filled = allowed
    cache = tmp_path / "cache"
    if when == "from the cache":
        assert list(filled.glob("*.program"))
        when, cache = "after a kernel", filled
    found = child(REFUSED, when, str(tmp_path / "refused.npy"), MYCEL_CACHE=str(cache))
    if "not to be had" in found:
        pytest.skip("this Linux refuses no process code on demand")
    assert "computed" in found
    assert found.count("the system does not let this process make code") == (when == "after a kernel"), found
    np.testing.assert_allclose(np.load(tmp_path / "refused.npy"), expected, 1e-4, 1e-5)


PRIVATE_CODE = """
    from pathlib import Path
    from mycel.runtime.native.codegen import compile_kernel

    kernel = compile_kernel("over 5\\nin x float32[5] 4\\nout y float32[5] 4\\ny = add(x, x)")
    address = kernel.__self__.address
    modes = []
    for line in Path("/proc/self/maps").read_text("utf-8").splitlines():
        place, mode, *_ = line.split()
        first, end = (int(number, 16) for number in place.split("-"))
        if first <= address < end:
            modes.append(mode)
        assert not ("w" in mode and "x" in mode), line
    print(modes)
"""


def test_code_is_private_and_never_writeable_and_executable() -> None:
    """In a process of its own: callbacks of `ctypes`, which other tests make, are in pages that are both."""
    assert "['r-xp']" in child(PRIVATE_CODE)


SMALL_STACK = """
    import sys, threading
    import numpy as np
    import mycel as ms
    from mycel import Tensor, ops
    from mycel.runtime.native.codegen import compile_kernel

    @ms.jit
    def f(x):
        e = ops.exp(ops.tanh(x))
        return (e / e.sum(-1, keepdims=True)).max(-1)[0]

    x = Tensor(np.random.default_rng(0).normal(size=(4, 16000)).astype(np.float32))
    program = f.stages(x).program
    assert "compile_kernel" in program
    wanted, found = f(x).asnumpy(), []

    def deep(count):
        if count:
            return deep(count - 1)
        return f(x).asnumpy()

    def generated():
        yield from (f(x).asnumpy() for _ in range(3))

    def work():
        found.append(f(x).asnumpy())
        found.append(deep(20 if sys.version_info < (3, 11) else 100))  # before 3.11 calls of Python take of this stack
        found.extend(generated())

    threading.stack_size(65536)
    for _ in range(5):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(found) == 25
    assert all((one == wanted).all() for one in found)
    print("computed")
"""


def test_kernels_that_keep_long_rows_run_on_small_stacks() -> None:
    assert "computed" in child(SMALL_STACK)


def stack_of(code: bytes) -> int:
    """By how much a kernel moves the stack pointer."""
    head = code.find(b"\x48\x81\xc4")  # add rsp, a number of 32 bits
    short = code.find(b"\x48\x83\xc4")
    if 0 <= head < 120 and not 0 <= short < head:
        return -int.from_bytes(code[head + 3 : head + 7], "little", signed=True)
    return -int.from_bytes(code[short + 3 : short + 4], "little", signed=True) if 0 <= short < 120 else 0


@pytest.mark.parametrize(
    ("values", "columns"),
    [
        pytest.param(values, columns, marks=[pytest.mark.slow] * slow)
        for values, slow_ones in ((10, (0, 1, 1)), (60, (1, 0, 1)), (150, (1, 1, 0)), (390, (0, 1, 1)))
        for columns, slow in zip((9, 1000, 16000), slow_ones, strict=True)
    ],
)
def test_frames_are_small_whatever_a_kernel_keeps(values: int, columns: int) -> None:
    lines = [f"over 2 {columns}", *(f"in x{i} float32[2,{columns}] {4 * columns} 4" for i in range(values))]
    lines += [f"out y float32[2,{columns}] {4 * columns} 4", "e = exp(x0)", "r = row_add(e)", "d = divide(e, r)"]
    lines += [f"p{i} = multiply(x{i}, x{values - 1 - i})" for i in range(values)]
    lines += ["s0 = d", *(f"s{i + 1} = add(s{i}, p{i})" for i in range(values))]
    lines += [
        "q0 = copy(s0)",
        *(f"q{i + 1} = subtract(q{i}, p{i})" for i in range(values)),
        f"q = add(q{values}, s{values})",
    ]
    text = "\n".join([*lines, "y = subtract(q, q0)"])
    assert 0 < stack_of(machine_code(text)) <= STACK
    random = np.random.default_rng(0)
    arrays = [random.normal(size=(2, columns)).astype(np.float32) for _ in range(values)]
    y = np.zeros((2, columns), np.float32)
    assert compile_kernel(text)(*arrays, y)
    wanted = np.exp(arrays[0].astype(float))  # the rest comes to nothing
    np.testing.assert_allclose(y, wanted / wanted.sum(1, keepdims=True), 1e-3, 1e-3)


@pytest.mark.parametrize("failing", ["PyMem_RawMalloc", "PyWeakref_NewRef"])
def test_a_kernel_that_gets_no_memory_raises_and_writes_nothing(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = executable._Code(b"\x31\xc0\xc3")  # xor eax, eax; ret
    of_python = executable.address_of
    for module in (python_calls, boundary):
        monkeypatch.setattr(module, "address_of", lambda name: nothing.address if name == failing else of_python(name))
    columns = 11987 if failing == "PyMem_RawMalloc" else 11988
    text = (
        f"over 3 {columns}\nin x float32[3,{columns}] {4 * columns} 4\nout y float32[3,{columns}] {4 * columns} 4\n"
        "e = exp(x)\nr = row_add(e)\nt = tanh(e)\ny = divide(t, r)"
    )
    x, y = np.ones((3, columns), np.float32), np.full((3, columns), 7, np.float32)
    for _ in range(3):
        with pytest.raises(MemoryError if failing == "PyMem_RawMalloc" else SystemError):
            compile_kernel(text)(x, y)
    assert (y == 7).all()
    codegen.forget()
    monkeypatch.undo()
    counts = sys.getrefcount(x), sys.getrefcount(y)
    for _ in range(100):
        assert compile_kernel(text)(x, y)
    assert (sys.getrefcount(x), sys.getrefcount(y)) == counts
    assert not weakref.getweakrefcount(x)
    np.testing.assert_allclose(y[0], np.tanh(np.e) / np.e / columns, 1e-4)


RACE = """
    import sys, threading, time
    import numpy as np
    import mycel as ms
    from mycel import Parameter, Tensor, nn, ops
    sys.setswitchinterval(1e-6)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(np.ones((300, 200), np.float32)), name="w")

        @ms.jit
        def construct(self, x):
            self.w = ops.tanh(self.w * 0.5 + x)
            return (self.w * 2.0 + x).sum()

    net, x, done, calls = Net(), Tensor(np.ones((300, 200), np.float32)), False, [0, 0]

    def call():
        while not done:
            try:
                net(x)
                calls[0] += 1
            except (ValueError, TypeError, RuntimeError):
                calls[1] += 1

    def change():
        number = 0
        while not done:
            number += 1
            shape = ((300, 200), (3, 2), (1,), (600, 100))[number % 4]
            net.w.set_data(Tensor(np.ones(shape, np.float32)), slice_shape=True)
            time.sleep(0)

    threads = [threading.Thread(target=call), threading.Thread(target=call), threading.Thread(target=change)]
    for thread in threads:
        thread.start()
    time.sleep(float(sys.argv[1]))
    done = True
    for thread in threads:
        thread.join()
    assert sum(calls) > 10, calls
    print("survived", calls)
"""


def test_parameters_that_another_thread_replaces() -> None:
    assert "survived" in child(RACE, "1")


GROWING = """
    import sys, threading, time
    import numpy as np
    import mycel as ms
    from mycel import Parameter, Tensor, ops

    w = Parameter(Tensor(np.ones(64, np.float32)), name="w")
    large, small = Tensor(np.ones(2_000_000, np.float32)), Tensor(np.ones(16, np.float32))

    @ms.jit
    def step(x):
        ops.assign(w, ops.tanh(w) * 0.5 + x)
        return w.sum()

    x, counts = Tensor(np.float32(1.0)), [0, 0, 0]
    step(x)  # the programs for the other sizes are made while the Parameter changes
    sys.setswitchinterval(1e-6)
    end = time.monotonic() + float(sys.argv[1])

    def change():
        while time.monotonic() < end:
            w.set_data(large, slice_shape=True)
            w.set_data(small, slice_shape=True)
            counts[0] += 1

    def call():
        while time.monotonic() < end:
            try:
                step(x)
                counts[1] += 1
            except (ValueError, TypeError, RuntimeError):
                counts[2] += 1

    threads = [threading.Thread(target=change), threading.Thread(target=call)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(counts[:2]) > 10, counts
    print("survived", counts)
"""


def test_a_parameter_that_another_thread_makes_small() -> None:
    """Programs for 8 MB get 64 bytes: they would read outside of any memory."""
    assert "survived" in child(GROWING, "1")


RESIZE = """
    import sys, threading, time
    import numpy as np
    from mycel.runtime.native.codegen import compile_kernel
    sys.setswitchinterval(1e-6)
    size = 1 << 16
    text = f"over {size}\\nin x float32[{size}] 4\\nout y float32[{size}] 4\\nt = exp(x)\\ny = sin(t)"
    kernel, done, counts = compile_kernel(text), False, {True: 0, False: 0, "resized": 0, "refused": 0}
    x, y = np.zeros(size, np.float32), np.zeros(size, np.float32)

    def change():
        while not done:
            for array in (x, y):
                for shape in (16, size):
                    try:
                        array.resize(shape, refcheck=False)
                        counts["resized"] += 1
                    except ValueError:
                        counts["refused"] += 1

    thread = threading.Thread(target=change)
    thread.start()
    end = time.monotonic() + 5  # on a busy machine there are fewer meetings
    while (counts[True] < 300 or counts[False] < 2) and time.monotonic() < end:
        counts[kernel(x, y)] += 1
    done = True
    thread.join()
    for array in (x, y):
        array.resize(size, refcheck=False)  # nothing holds it any more
    assert counts["refused"] > 0, counts
    assert counts["resized"] > 0, counts
    print("survived", counts)
"""


def test_arrays_are_not_resized_while_a_kernel_lets_other_threads_run() -> None:
    assert "survived" in child(RESIZE)


HUGE = {
    "an offset": "over 9\nin x float32[{n}] 4 from {n4}\nout y float32[9] 4\ny = add(x, 1.0)",
    "a stride": "over 3 9\nin x float32[{n}] {stride} 4\nout y float32[3,9] 36 4\ny = add(x, 1.0)",
    "a stride backwards": "over 3 9\nin x float32[{n}] -{stride} 4 from {n4}\nout y float32[3,9] 36 4\ny = add(x, 1.0)",
    "an output": "over 3 9\nin x float32[3,9] 36 4\nout y float32[{n}] {stride} 4\ny = add(x, 1.0)",
    "many arrays": "over 3 9\n"
    + "".join(f"in x{i} float32[3,9] 36 4\n" for i in range(14))
    + "in x float32[{n}] {stride} 4 from 4\nout y float32[3,9] 36 4\ny = add(x, x13)",
    "pieces": "shared 3\nover 3 9\nin x float32[{n}] {stride} 4\nout y float32[3,9] 36 4\nadd s float32[3,9] 0 4\n"
    "y = add(x, 1.0)\ns = x",
    "columns": "over 2 {n}\nin x float32[2,{n}] {n4} 4\nout y float32[2,{n}] {n4} 4\ny = add(x, 1.0)",
    "rows": "over {n} 2\nin x float32[{n},2] 8 4\nout y float32[{n},2] 8 4\ny = add(x, 1.0)",
}


@pytest.mark.parametrize("what", HUGE)
@pytest.mark.parametrize("count", [1 << 29, (1 << 31) + 40, 1 << 33])
def test_numbers_of_more_than_32_bits_are_written_as_such(what: str, count: int) -> None:
    """Of two GiB and more, without the arrays."""
    length = count if what in ("columns", "rows") else count + 64
    stride = count * 4 // 2 // 4 * 4
    text = HUGE[what].format(n=length, n4=4 * (count if what not in ("columns",) else length), stride=stride)
    assert machine_code(text)


LARGE = """
    import numpy as np
    from mycel.runtime.native.codegen import compile_kernel
    from mycel.runtime.native.evaluate import evaluator
    from mycel.runtime.native.language import parse

    count = (1 << 29) + 4096  # a little more than 2 GiB, of which few pages are touched
    stride = 4 * (1 << 28)
    for text in (
        f"over 9\\nin x float32[{count}] 4 from {4 * (count - 20)}\\nout y float32[9] 4\\ny = add(x, 1.0)",
        f"over 3 9\\nin x float32[{count}] {stride} 4\\nout y float32[3,9] 36 4\\ny = add(x, 1.0)",
        f"over 3 9\\nin x float32[{count}] -{stride} 4 from {2 * stride}\\nout y float32[3,9] 36 4\\ny = add(x, 1.0)",
        f"over 2 3 9\\nin x float32[{count}] -{2 * stride} 400 4 from {2 * stride}\\nout y int32[54] 108 36 4\\n"
        "y = bitcast(x, int32)",
    ):
        x = np.zeros(count, np.float32)
        for place in (0, 1 << 28, 1 << 29, (1 << 29) + 100, count - 20):
            x[place : place + 12] = np.arange(place % 97, place % 97 + 12)
        shape = parse(text).arrays[1].shape
        y, z = (np.full(shape, -1, parse(text).arrays[1].dtype) for _ in 'yz')
        assert compile_kernel(text)(x, y) and evaluator(parse(text), text)(x, z)
        np.testing.assert_array_equal(y, z)
        assert y.any()
    x, y = np.ones((3, 9), np.float32), np.zeros(count, np.float32)
    text = f"over 3 9\\nin x float32[3,9] 36 4\\nout y float32[{count}] {stride} 4\\ny = add(x, 1.0)"
    assert compile_kernel(text)(x, y)
    for row in range(3):
        assert (y[row << 28 :][:9] == 2).all() and not y[(row << 28) + 9 :][:100].any()
    print("computed")
"""


def test_arrays_of_two_gigabytes() -> None:
    """Few of their pages are touched, so that they take next to no memory."""
    assert "computed" in child(LARGE)


@pytest.mark.slow
def test_programs_over_arrays_of_two_gigabytes() -> None:
    script = """
        import numpy as np, mycel as ms
        from mycel import Tensor
        x = np.zeros((3, 1 << 28), np.float32)
        x[:, -5:] = [[1, 2, 3, 4, 5]] * 3

        @ms.jit
        def f(x):
            v = x[:, -9:]
            return v * 2.0 + 1.0, x[::-1, -3:] * 0.5

        a, b = f(Tensor.from_numpy(x))
        np.testing.assert_array_equal(a.asnumpy(), x[:, -9:] * 2 + 1)
        np.testing.assert_array_equal(b.asnumpy(), x[::-1, -3:] * 0.5)
        print("computed")
    """
    assert "computed" in child(script)

"""Memory that the system does not give: the error names the operation, the line and the bytes, and nothing is lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import mycel as ms
from mycel import Parameter, Tensor, ops
from mycel.compiler import pipeline
from mycel.frontend.errors.classes import OutOfMemoryError
from mycel.runtime.machine.executable import unavailable

resource = pytest.importorskip("resource", reason="limits of memory are of Unix")

PROLOGUE = """
    import resource
    import mycel as ms
    from mycel import Parameter, Tensor, ops

    x = ops.ones((1000,))
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")

    @ms.jit
    def products(x):
        weight.set_data(weight + 1)
        a = ops.tanh(x.reshape(-1, 1) * x)  # large
        b = ops.exp(a) @ a
        return (b @ a).sum()

    @ms.jit
    def result(x):
        return ops.broadcast_to(x, (30000, 1000)) * 2.0  # result

    @ms.jit
    def found(x, y):
        weight.set_data(weight + 1)
        a = ops.nonzero(x)
        return a, ops.nonzero(y)  # found

    def limit(megabytes):
        pages = int(open("/proc/self/statm").read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (megabytes << 20),) * 2)

    def fails(call):
        try:
            call()
        except MemoryError as error:
            print(error)
        else:
            print("no error")
        print(weight.asnumpy().tolist())
"""


def run(tmp_path: Path, text: str) -> tuple[list[str], list[str]]:
    """The output of a program, and its own lines."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("how much memory is in use is asked of Linux")
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(PROLOGUE) + textwrap.dedent(text))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), script.read_text().splitlines()


def line(lines: list[str], mark: str) -> int:
    return next(number for number, text in enumerate(lines, 1) if text.endswith(f"# {mark}"))


@pytest.mark.skipif(unavailable() is not None, reason="NumPy sums by a product with ones, which need memory first")
def test_an_arena(tmp_path: Path) -> None:
    """Its bytes, and the lines that its largest buffers come from."""
    printed, lines = run(tmp_path, "limit(6)\nfails(lambda: products(x))")
    assert printed[0] == "'products': out of memory: its arena takes 12000000 bytes. It holds most with:"
    assert f"  4000000 bytes: f32[1000, 1000], from script.py:{line(lines, 'large')}" in printed
    assert printed[-1] == "[1.0, 2.0]"


def test_a_result_of_a_program(tmp_path: Path) -> None:
    printed, lines = run(tmp_path, "limit(20)\nfails(lambda: result(x))")
    assert "out of memory: it asked for 120000000 bytes, an array of shape (30000, 1000)" in printed[0]
    assert printed[0].split(":")[0] in [f"{name} in 'result'" for name in ("broadcast_to", "kernel", "multiply")]
    assert f"script.py:{line(lines, 'result')}, in result" in "\n".join(printed)
    assert printed[-1] == "[1.0, 2.0]"


def test_a_node_of_a_program(tmp_path: Path) -> None:
    """An allocation during the run fails, after assignments have been computed."""
    printed, lines = run(tmp_path, "y = ops.ones((2000, 1000))\nlimit(40)\nfails(lambda: found(x, y))")
    assert "in 'found': out of memory: it asked for " in printed[0]
    assert f"script.py:{line(lines, 'found')}, in found" in "\n".join(printed)
    assert printed[-1] == "[1.0, 2.0]"


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))], ids=repr)
def test_compiling(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """An object, or a module that is needed for the first time, gets no memory. (CPython itself may end where there is
    none at all: no process can test that.)"""

    def refuse(*args: object) -> None:
        raise error

    weight = Parameter(Tensor(1.0), name="weight")

    @ms.jit
    def double(x: Tensor) -> Tensor:
        weight.set_data(weight + 1)
        return x + x

    monkeypatch.setattr(pipeline, "optimize", refuse)
    with pytest.raises(OutOfMemoryError, match=r"^'double': out of memory"):
        double(Tensor(1.0))
    assert weight.asnumpy() == 1.0


@pytest.mark.parametrize(
    ("call", "name", "nbytes"),
    [
        (lambda: ops.zeros((1 << 21, 1 << 21)), "full", 1 << 44),
        (lambda: ops.matmul(ops.ones((1 << 21, 1)), ops.ones((1, 1 << 21))), "matmul", 1 << 44),
        (lambda: ops.broadcast_to(Tensor([1.0]), (1 << 44,)) * 2, "multiply", 1 << 46),
    ],
    ids=["zeros", "matmul", "mul"],
)
@pytest.mark.parametrize("inside", [False, True])
def test_eager(call: object, name: str, nbytes: int, inside: bool) -> None:
    """By itself and in a function that runs op by op: the op and its bytes."""
    weight = Parameter(Tensor(1.0), name="weight")
    with (
        ms.disable_jit(),
        pytest.raises(MemoryError, match=f"^{name}: out of memory: it asked for {nbytes} bytes") as caught,
    ):
        ms.jit(lambda: call())() if inside else call()  # type: ignore[operator]
    assert type(caught.value) is OutOfMemoryError
    assert str(caught.value).count("\n  at ") == int(inside)
    assert weight.asnumpy() == 1.0

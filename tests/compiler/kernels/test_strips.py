"""Strip-mining: long loops of machine code as loops of shorter ones, which a signal's handler can end."""

from __future__ import annotations

import signal
import time
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.graph import walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.kernels import eligible, strips
from mycel.compiler.pipeline import Options, compile_graph

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")

ROWS = """graph f(%x: f64[13], %rows: f64[LENGTH, 13], %n: f64[]) {
  %v: f64[13], %m: f64[LENGTH, 13], %w: f64[LENGTH] = scan(LENGTH, %x, %rows, %n, carried=1, scanned=1, length=LENGTH, \
reverse=REVERSE) {
    body = graph body(%i: i64[], %v: f64[13], %row: f64[13], %n: f64[]) {
      %w: f64[13] = multiply(%v, %n)
      %u: f64[13] = add(%w, %row)
      %s: f64[] = sum(%u, axis=(0,), keepdims=False)
      return %u, %v, %s
    }
  }
  return %v, %m, %w
}"""
COUNTED = """graph f(%a: i64[], %b: i64[]) {
  %x: i64[], %y: i64[] = scan(LENGTH, %a, %b, carried=2, scanned=0, length=LENGTH, reverse=REVERSE) {
    body = graph body(%i: i64[], %a: i64[], %b: i64[]) {
      %c: i64[] = add(%a, %b)
      return %b, %c
    }
  }
  return %x, %y
}"""


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("length", "strip"), [(96, 32), (97, 24), (48, 16), (113, 16)])
@pytest.mark.parametrize("text", [ROWS, COUNTED])
def test_strips_compute_the_same(
    text: str, length: int, strip: int, reverse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With and without a rest; rows and stacks, in both directions."""
    text = text.replace("LENGTH", str(length)).replace("REVERSE", str(reverse))
    graph, random = parse(text, ops.OPS), np.random.default_rng(length)
    arrays = [
        np.asarray(random.uniform(0.1, 3, value.type.static_shape)).astype(value.type.dtype.np)
        for value in graph.parameters
    ]
    with np.errstate(over="ignore"):
        expected = interpret(graph, arrays)
    monkeypatch.setattr(strips, "STRIP", strip)
    program = compile_graph(graph, name="f", options=Options(debug=True))
    loops = [node for node in walk(program.plan.graph) if node.op.kind in ("loop", "loop_kernel")]
    assert [node.op for node in loops].count(ops.scan) == 1
    assert len(loops) == 2 + (length % 2)
    for _ in range(2):
        for found, wanted in zip(program.run(*arrays), expected, strict=True):
            assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
            np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_short_loops_stay_whole() -> None:
    for length, count in ((1 << 20, 1), (1 << 28, 2)):
        text = COUNTED.replace("LENGTH", str(length)).replace("REVERSE", "False")
        nodes = walk(compile_graph(parse(text, ops.OPS), name="f", options=Options()).plan.graph)
        assert len([node for node in nodes if node.op.kind in ("loop", "loop_kernel")]) == count


@pytest.mark.parametrize("size", [(), (3,), (1 << 16,)])
def test_a_signal_ends_a_counted_loop(size: tuple[int, ...]) -> None:
    count = (1 << 40) // (1 + int(np.prod(size)))

    class StoppedError(Exception):
        pass

    def stop(*_: Any) -> None:
        raise StoppedError

    @ms.jit
    def endless(x: Any) -> Any:
        for _ in range(count):
            x = x * 0.5 + 1.0
        return x

    endless.compile(Tensor(np.zeros(size, np.float32)))
    before = signal.signal(signal.SIGALRM, stop)
    start = time.perf_counter()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(StoppedError):
            endless(Tensor(np.zeros(size, np.float32)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - start < 10

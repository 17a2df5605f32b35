"""The interpreter, and what runs a small graph again and again."""

from __future__ import annotations

import numpy as np

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret, repeated
from mycel.compiler.ir.parser import parse

TEXT = """graph known(%i: i64[], %x: f32[], %y: f32[3]) {
  %a: i64[] = multiply(%i, 3)
  %b: i64[] = add(%a, 3)
  %c: f32[] = multiply(%x, -0.0)
  %d: f32[] = maximum(%c, 0.0)
  %v: f32[2], %p: i32[2] = topk(%y, k=2, axis=0, largest=True, dtype=i32)
  %s: f32[] = sum(%v, axis=(0,), keepdims=False)
  return %b, %c, %d, %s, %p, 7.0, %i
}"""


def test_repeated_runs_give_what_the_interpreter_gives() -> None:
    graph = parse(TEXT, ops.OPS)
    run = repeated(graph)
    for number in range(3):
        arrays = [np.asarray(number), np.asarray(number - 1, np.float32), np.array([1, number, 5], np.float32)]
        for found, wanted in zip(run(arrays), interpret(graph, arrays), strict=True):
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype
            assert np.array_equal(np.signbit(found), np.signbit(wanted))


def test_a_counter_ends_a_loop_where_python_does() -> None:
    def function(x: Tensor) -> tuple[Tensor, Tensor]:
        i = Tensor(1)
        while i * i + 1 < 5000:
            x = x * 0.99 + i
            i = i + 3
        return x, i

    x = Tensor(np.ones(4, np.float32))
    with ms.disable_jit():
        wanted = function(x)
    for found, each in zip(ms.jit(function)(x), wanted, strict=True):
        np.testing.assert_allclose(found.asnumpy(), each.asnumpy(), 1e-5)

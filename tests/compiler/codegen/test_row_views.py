"""Views of rows that loops read and write: right in every run."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.pipeline import Compiled, Options, compile_graph
from mycel.runtime.machine.executable import unavailable

LOOP = """graph f(%a: f32[LENGTH, 3, 3], %s: f32[3, 3], %w: f32[LENGTH]) {
  %b: f32[LENGTH, 3, 3] = matmul(%a, %s)
  %v: f32[LENGTH] = tanh(%w)
  %y: f32[3, 3], %r: f32[LENGTH, 3, 3], %q: f32[LENGTH, 3, 3] = scan(
      LENGTH, %s, %b, %v, carried=1, scanned=2, length=LENGTH, reverse=REVERSE) {
    body = graph body(%i: i64[], %s: f32[3, 3], %b: f32[3, 3], %v: f32[]) {
      %t: f32[3, 3] = transpose(%b, axes=(1, 0))
      %c: f32[2, 3] = slice(%t, start=(1, 0), stop=(3, 3), step=(1, 1))
      %d: f32[3, 2] = reshape(%c, shape=(3, 2))
      %e: f32[3, 3] = matmul(%d, %c)
      %m: f32[3, 3] = matmul(%s, %e)
      %n: f32[3, 3] = matmul(%m, %b)
      %k: f32[3, 3] = multiply(%n, %v)
      %z: f32[3, 3] = tanh(%k)
      return %z, %s, %m
    }
  }
  %u: f32[LENGTH, 3, 3] = multiply(%r, %q)
  return %y, %u
}"""


def program(length: int, reverse: bool, off: tuple[str, ...] = ()) -> tuple[Compiled, str]:
    """The program of the loop, and the text of its graph."""
    text = re.sub(r"\n {6}LENGTH", " LENGTH", LOOP).replace("LENGTH", str(length)).replace("REVERSE", str(reverse))
    return compile_graph(
        parse(text, ops.OPS), name="f", options=Options(frozenset({*off, "tiny_loops", "whole_loops"}), debug=True)
    ), text


def numbers(length: int, seed: int) -> list[np.ndarray]:
    """Inputs of the loop."""
    random = np.random.default_rng(seed)
    return [np.asarray(random.normal(size=shape), np.float32) for shape in ((length, 3, 3), (3, 3), (length,))]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("off", [(), ("kernels",), ("native_products",)], ids=["all", "no kernels", "the BLAS"])
def test_each_iteration_has_its_own_rows(reverse: bool, off: tuple[str, ...]) -> None:
    compiled, text = program(5, reverse, off)
    for seed in range(3):
        for found, wanted in zip(
            compiled.run(*numbers(5, seed)), interpret(parse(text, ops.OPS), numbers(5, seed)), strict=True
        ):
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    assert "in zip(range(" in compiled.source


def test_a_loop_within_a_loop() -> None:
    """Rows of the inner loop that are views of a row of the outer one are made in the run."""
    text = """graph f(%x: f32[3, 4, 2, 2]) {
      %z: f32[2, 2] = full(shape=(2, 2), value=1.0, dtype=f32)
      %h: f32[3, 4, 2, 2] = tanh(%x)
      %y: f32[2, 2] = scan(3, %z, %h, carried=1, scanned=1, length=3, reverse=False) {
        body = graph outer(%i: i64[], %z: f32[2, 2], %h: f32[4, 2, 2]) {
          %w: f32[2, 2], %ws: f32[4, 2, 2] = scan(4, %z, %h, carried=1, scanned=1, length=4, reverse=True) {
            body = graph inner(%j: i64[], %z: f32[2, 2], %h: f32[2, 2]) {
              %m: f32[2, 2] = matmul(%z, %h)
              %n: f32[2, 2] = sin(%m)
              return %n, %m
            }
          }
          %p: f32[2, 2] = sum(%ws, axis=(0,), keepdims=False)
          %q: f32[2, 2] = add(%p, %w)
          return %q
        }
      }
      return %y
    }"""
    x = np.random.default_rng(2).normal(size=(3, 4, 2, 2)).astype(np.float32)
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=Options(debug=True))
    for _ in range(2):
        np.testing.assert_allclose(compiled.run(x)[0], interpret(parse(text, ops.OPS), [x])[0], rtol=1e-4)


@pytest.mark.parametrize("reverse", [False, True])
def test_rows_of_inputs_and_of_results(reverse: bool) -> None:
    """Arrays that only a run knows: a loop goes through them, and makes a view that stays the same before it."""
    text = """graph f(%x: f32[7, 3], %s: f32[3], %a: f32[3, 3]) {
      %y: f32[3], %r: f32[7, 3] = scan(7, %s, %x, %a, carried=1, scanned=1, length=7, reverse=REVERSE) {
        body = graph body(%i: i64[], %s: f32[3], %x: f32[3], %a: f32[3, 3]) {
          %c: f32[3, 1] = reshape(%s, shape=(3, 1))
          %d: f32[3, 1] = matmul(%a, %c)
          %m: f32[3] = reshape(%d, shape=(3,))
          %n: f32[3] = add(%m, %x)
          return %n, %n
        }
      }
      return %y, %r
    }""".replace("REVERSE", str(reverse))
    random = np.random.default_rng(3)
    given = [random.normal(size=shape).astype(np.float32) for shape in ((7, 3), (3,), (3, 3))]
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=Options(frozenset({"tiny_loops"}), debug=True))
    for array in (given[0], given[0][::-1], np.asfortranarray(given[0])):
        run = compiled.run(array, *given[1:])
        for found, wanted in zip(run, interpret(parse(text, ops.OPS), [array, *given[1:]]), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
    before, _, loop = compiled.source.partition("in zip(range(")
    assert ".reshape((3, 1))" in before
    assert ".reshape(" not in loop
    assert unavailable() or not re.search(r"\[i\w*\]", loop)  # NumPy's sum is copied into the row


@pytest.mark.parametrize("count", [0, 1, 4])
def test_the_number_of_iterations_decides_not_the_rows(count: int) -> None:
    text = """graph f(%n: i64[], %x: f32[?, 2], %s: f32[2]) {
      %y: f32[2] = scan(%n, %s, %x, carried=1, scanned=1, length=None, reverse=True) {
        body = graph body(%i: i64[], %s: f32[2], %x: f32[2]) {
          %m: f32[2] = subtract(%x, %s)
          return %m
        }
      }
      return %y
    }"""
    x = np.arange(2 * count, dtype=np.float32).reshape(count, 2) ** 2
    given = [np.array(count), x, np.ones(2, np.float32)]
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=Options(debug=True))
    np.testing.assert_array_equal(compiled.run(*given)[0], interpret(parse(text, ops.OPS), given)[0])

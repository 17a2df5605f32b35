"""The parts of loops: where the state, the rows and the stacks stand in either form."""

from __future__ import annotations

from mycel.compiler import ops
from mycel.compiler.ir.loops import Loop
from mycel.compiler.ir.parser import parse

COUNTED = """graph f(%n: i64[], %s: f32[], %xs: f32[4], %c: f32[]) {
  %t: f32[], %all: f32[4] = scan(%n, %s, %xs, %c, carried=1, scanned=1, length=4, reverse=True) {
    body = graph body(%i: i64[], %s: f32[], %x: f32[], %c: f32[]) {
      %a: f32[] = add(%s, %x)
      %b: f32[] = multiply(%a, %c)
      return %b, %a
    }
  }
  return %t, %all
}"""
CONDITIONAL = """graph f(%s: f32[], %c: f32[]) {
  %t: f32[], %n: i64[], %all: f32[?] = while_loop(%s, %c, carried=1) {
    test = graph test(%s: f32[], %c: f32[]) {
      %a: bool[] = less(%s, %c)
      return %a
    }
    body = graph body(%s: f32[], %c: f32[]) {
      %a: f32[] = add(%s, %c)
      return %a, %s
    }
  }
  return %t, %n, %all
}"""


def loop_of(text: str) -> Loop:
    (node,) = parse(text, ops.OPS).nodes
    return Loop.of(node)


def test_a_counted_loop() -> None:
    loop = loop_of(COUNTED)
    assert (loop.first, loop.finals, list(loop.rows), loop.reverse, loop.length) == (1, 1, [2], True, 4)
    assert [value.name for value in loop.states] == ["s"]
    assert loop.initial == loop.node.inputs[1:2]
    assert loop.stacked == loop.body.outputs[1:]
    assert loop.stacks == loop.node.outputs[1:]


def test_a_loop_under_a_condition() -> None:
    loop = loop_of(CONDITIONAL)
    assert (loop.first, loop.finals, list(loop.rows), loop.reverse, loop.length) == (0, 2, [], False, None)
    assert [value.name for value in loop.states] == ["s"]
    assert loop.initial == loop.node.inputs[:1]
    assert loop.stacks == loop.node.outputs[2:]

"""Sinking of checks: which of them move behind loops and branches, and that these compute and raise the same."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.checks import sink_checks

CHECK = '%c: bool[] = greater(%x, 0.0) assert_(%c, template=("too small",), exception="ValueError")'
MINUS = "%y: f32[] = subtract(%x, 1.0)"


def counted(body: str, result: str = "%y") -> str:
    return f"""graph f(%x: f32[], %n: f32[5]) {{
      %z: f32[], %all: f32[5] = scan(5, %x, %n, carried=1, scanned=1, length=5, reverse=False) {{
        body = graph body(%i: i64[], %x: f32[], %n: f32[]) {{ {body} return {result}, %x }}
      }}
      return %z, %all
    }}"""


def side(then: str, orelse: str) -> str:
    return f"""%p: bool[] = less(%x, %n) %y: f32[] = cond(%p, %x) {{
      then = graph then(%x: f32[]) {{ {then} return %y }} orelse = graph orelse(%x: f32[]) {{ {orelse} return %x }}
    }}"""


WHILE = f"""graph f(%x: f32[], %n: f32[5]) {{
  %z: f32[], %trip: i64[] = while_loop(%x, carried=1) {{
    test = graph test(%x: f32[]) {{ %l: bool[] = less(%x, 3.5) return %l }}
    body = graph body(%x: f32[]) {{ {CHECK} {MINUS} return %y }}
  }}
  return %z
}}"""
AGAIN = f"""graph f(%x: f32[], %n: f32[5]) {{
  %l: bool[] = less(%x, 3.5)
  %z: f32[], %m: bool[], %trip: i64[] = while_loop(%x, %l, carried=2) {{
    test = graph test(%x: f32[], %l: bool[]) {{ return %l }}
    body = graph body(%x: f32[], %l: bool[]) {{ {CHECK} {MINUS} %k: bool[] = less(%y, 3.5) return %y, %k }}
  }}
  return %z
}}"""
OTHER = '%o: bool[] = not_equal(%x, 4.0) assert_(%o, template=("four",), exception="KeyError")'
ENDLESS = f"""{CHECK} %h: f32[], %trip: i64[] = while_loop(1.0, %x, carried=1) {{
  test = graph test(%h: f32[], %x: f32[]) {{ %l: bool[] = greater(%h, 0.0) return %l }}
  body = graph body(%h: f32[], %x: f32[]) {{ %l: f32[] = subtract(%h, %x) return %l }}
}}"""  # where the check fails
MOVED = [
    counted(f"{CHECK} {MINUS}"),
    counted(f"{MINUS} {CHECK} %d: bool[] = less(%y, 9.0) {CHECK.replace('%c', '%d').split(') ', 1)[1]}"),
    counted(f"{CHECK} {OTHER} {MINUS}"),
    counted(f"{OTHER} {CHECK} {MINUS}"),
    counted(side(f"{CHECK} {MINUS}", CHECK)),
    counted(side(MINUS, CHECK.replace("greater(%x, 0.0", "less(%x, 9.2"))),
    WHILE,
    AGAIN,
]
KEPT = [
    counted(f"{ENDLESS} {MINUS}"),
    counted(side(f"{ENDLESS} {MINUS}", "")),
    counted(CHECK.replace("(%c, template=(", "(%c, %x, template=(0, ") + MINUS),
    counted(f"{CHECK} print_(%x, template=(0,)) {MINUS}"),
    counted(side(f"{CHECK} {MINUS}", 'raise_(template=("no",), exception="KeyError")')),
]


def inside(graph: Graph) -> int:
    """The number of checks in loops and branches."""
    return sum(node.op is ops.assert_ for node in walk(graph)) - sum(node.op is ops.assert_ for node in graph.nodes)


def outcome(graph: Graph, x: float) -> object:
    try:
        return [array.tolist() for array in interpret(graph, [np.float32(x), np.float32([8, 9, 8, 9, 9])])]
    except (ValueError, KeyError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("text", [*MOVED, *KEPT])
def test_checks_move(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    graph = verify(parse(text, ops.OPS))
    sunk = verify(sink_checks(graph))
    assert inside(graph)
    assert inside(sunk) == (0 if text in MOVED else inside(graph))
    assert sink_checks(sunk) is sunk or text in KEPT
    outcomes = set()
    for x in (0.5, 4.0, 5.5, 7.0, 9.5):
        expected = outcome(graph, x)
        assert outcome(sunk, x) == expected
        outcomes.add(type(expected))
    assert len(outcomes) == 2


def test_checks_outside_of_loops_stay() -> None:
    body = side(f"{CHECK} {MINUS}", "")
    graph = verify(parse(f"graph f(%x: f32[], %n: f32[]) {{ {body} return %y }}", ops.OPS))
    assert sink_checks(graph) is graph


def entry(x: Tensor, y: Tensor, n: Tensor) -> Tensor:
    places = x.nonzero().flatten()
    count, total, i = len(places), Tensor(0), Tensor(0)
    while i < n:
        assert count > 1, "too few"
        total, i = total * i + places[1:2].reshape(()), i + 1
    return total


def sums(x: Tensor, y: Tensor, n: Tensor) -> Tensor:
    places, others = x.nonzero().flatten(), y.nonzero().flatten()
    total, i = places.sum(), Tensor(0)
    while i < n:
        assert total > 2, "too small"
        total, i = total + (places * i + others).sum(), i + 1
    return total


def scanned(x: Tensor, y: Tensor, n: Tensor) -> Tensor:
    places, others = x.nonzero().flatten(), y.nonzero().flatten()
    total = places.sum()
    for i in range(40):
        assert total > 2, "too small"
        total = total + (places * i + others).sum()
    return total


def straight(x: Tensor, y: Tensor, n: Tensor) -> Tensor:
    places, others = x.nonzero().flatten(), y.nonzero().flatten()
    assert n * 2 > 2, "too small"
    return (places + others).sum() * n


@pytest.mark.parametrize("function", [entry, sums, scanned, straight])
def test_a_check_fails_before_sizes_below_it_do_not_fit(function: Callable[..., Tensor]) -> None:
    """What reads sizes that only the run knows stays behind the checks above it, and in the iterations."""
    compiled = ms.jit(function, fullgraph=True)
    found = set()
    for x, y, n in itertools.product(([1, 0, 0], [1, 1, 0], [0, 1, 1]), ([1, 1, 1], [0, 1, 1]), (0, 1, 3)):
        outcomes = []
        for run in (function, compiled):
            try:
                outcomes.append(str(run(Tensor(x), Tensor(y), Tensor(n))))
            except (AssertionError, ValueError) as error:
                outcomes.append(type(error).__name__)
        assert outcomes[0] == outcomes[1]
        found.add(outcomes[0])
    assert len(found) > 2
    assert "AssertionError" in found

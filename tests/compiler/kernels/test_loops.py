"""Counted loops as kernels of machine code: which loops become kernels, and that they agree with the interpreter."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.graph import walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.kernels import eligible, loops, sharing
from mycel.compiler.memory import groups
from mycel.compiler.pipeline import Compiled, Options, compile_graph

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")

NEWTON = """graph f(%x: f32[16]) {
  %r: f32[16], %all: f32[6, 16] = scan(6, %x, %x, carried=1, scanned=0, length=6, reverse=False) {
    body = graph body(%i: i64[], %s: f32[16], %x: f32[16]) {
      %q: f32[16] = divide(%x, %s)
      %t: f32[16] = add(%s, %q)
      %h: f32[16] = multiply(%t, 0.5)
      return %h, %s
    }
  }
  return %r, %all
}"""
FIBONACCI = """graph f(%a: i64[], %b: i64[]) {
  %x: i64[], %y: i64[], %row: i64[10] = scan(10, %a, %b, carried=2, scanned=0, length=10, reverse=False) {
    body = graph body(%i: i64[], %a: i64[], %b: i64[]) {
      %c: i64[] = add(%a, %b)
      return %b, %c, %a
    }
  }
  return %x, %y, %row
}"""
NORMALIZED = """graph f(%x: f64[13], %rows: f64[5, 13]) {
  %v: f64[13], %n: f64[], %m: f64[5] = scan(5, %x, 1.0:f64, %rows, carried=2, scanned=1, length=5, reverse=REVERSE) {
    body = graph body(%i: i64[], %v: f64[13], %n: f64[], %row: f64[13]) {
      %w: f64[13] = multiply(%row, %n)
      %u: f64[13] = add(%v, %w)
      %q: f64[13] = multiply(%w, %w)
      %s: f64[] = sum(%q, axis=(0,), keepdims=False)
      %p: f64[] = add(%s, 1.0:f64)
      %m: f64[] = sqrt(%p)
      %d: f64[] = divide(1.0:f64, %m)
      return %u, %d, %m
    }
  }
  return %v, %n, %m
}"""
NUMBERED = NEWTON.replace(
    "%q: f32[16] = divide(%x, %s)",
    "%j: i64[] = add(%i, 1:i64) %k: f32[] = cast(%j, dtype=f32) %p: f32[16] = divide(%x, %k) "
    "%q: f32[16] = divide(%p, %s)",
)
REPLACED = """graph f(%x: f32[], %y: f32[]) {
  %r: f32[], %all: f32[3] = scan(3, %x, %y, carried=1, scanned=0, length=3, reverse=False) {
    body = graph body(%i: i64[], %s: f32[], %y: f32[]) {
      %n: f32[] = tanh(%y)
      %o: f32[] = multiply(%s, 2.0)
      return %n, %o
    }
  }
  return %r, %all
}"""
GRIDS = """graph f(%x: f32[4, 6], %rows: f32[3, 6]) {
  %r: f32[4, 6], %tops: f32[3, 4, 6] = scan(3, %x, %rows, carried=1, scanned=1, length=3, reverse=True) {
    body = graph body(%i: i64[], %s: f32[4, 6], %row: f32[6]) {
      %t: f32[4, 6] = subtract(%s, %row)
      %u: f32[4, 6] = maximum(%t, 0.0)
      return %t, %u
    }
  }
  return %r, %tops
}"""


def compiled(text: str, *disabled: str) -> Compiled:
    """The program of a graph's text, verified on the way."""
    return compile_graph(parse(text, ops.OPS), name="f", options=Options(frozenset(disabled), debug=True))


def is_kernel(text: str) -> bool:
    """Whether the loop of a graph is a kernel."""
    (loop,) = [node for node in walk(compiled(text).plan.graph) if node.op.kind in ("loop", "loop_kernel")]
    return loop.op is ops.loop_kernel


@pytest.mark.parametrize(
    "text",
    [NEWTON, FIBONACCI, *[NORMALIZED.replace("REVERSE", way) for way in ("False", "True")], REPLACED, GRIDS, NUMBERED],
)
def test_loops_that_are_kernels(text: str) -> None:
    """Vectors and numbers as state, swapped states, rows in both directions, old states that are stacked."""
    graph = parse(text, ops.OPS)
    rng = np.random.default_rng(0)
    arrays = [
        np.asarray(rng.uniform(1, 3, value.type.static_shape)).astype(value.type.dtype.np) for value in graph.parameters
    ]
    assert is_kernel(text)
    expected = interpret(graph, arrays)
    for disabled in ((), ("kernels",), ("in_place",)):
        program = compiled(text, *disabled)
        assert bool(re.search(r"\n +for \(?i", program.source)) == ("kernels" in disabled)
        for _ in range(2):
            for found, wanted in zip(program.run(*arrays), expected, strict=True):
                assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
                np.testing.assert_allclose(found, wanted, rtol=1e-5 if found.dtype == np.float32 else 1e-12)


def test_rows_of_any_layout() -> None:
    """Rows that are scanned may be a transposed or reversed view, of an array that is not contiguous."""
    text = GRIDS.replace("%rows: f32[3, 6]) {", "%y: f32[6, 3]) {\n  %rows: f32[3, 6] = transpose(%y, axes=(1, 0))")
    graph = parse(text, ops.OPS)
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(4, 6)).astype(np.float32), rng.normal(size=(6, 6)).astype(np.float32)[:, ::-2]
    for found, wanted in zip(compiled(text).run(x, y), interpret(graph, [x, y]), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize(
    ("change", "to"),
    [
        ("%q: f32[16] = divide(%x, %s)", "%v: f32[16] = reverse(%s, axes=(0,)) %q: f32[16] = divide(%x, %v)"),
        ("%q: f32[16] = divide(%x, %s)", "%v: f32[1] = slice(%s, start=(0,), stop=(1,), step=(1,)) "
                                         "%q: f32[16] = divide(%x, %v)"),
    ],
    ids=["other elements", "one element"],
)  # fmt: skip
def test_loops_that_are_not(change: str, to: str) -> None:
    """A loop that reads other elements of the state than it writes stays a loop of kernels, if it is not tiny."""
    text = NEWTON.replace(change, to)
    assert text != NEWTON
    text = text.replace("[16]", "[400]").replace("[6, 16]", "[6, 400]")
    assert not is_kernel(text)
    x = np.linspace(1, 2, 400, dtype=np.float32)
    for found, wanted in zip(compiled(text).run(x), interpret(parse(text, ops.OPS), [x]), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize("size", [8, 16, 37, 400])
def test_a_state_that_is_reduced_is_overwritten_afterwards(size: int) -> None:
    text = NEWTON.replace(
        "%q: f32[16] = divide(%x, %s)",
        "%m: f32[] = max(%s, axis=(0,), keepdims=False) %q: f32[16] = divide(%x, %m)",
    ).replace("16]", f"{size}]")
    assert is_kernel(text)
    x = np.linspace(1, 2, size, dtype=np.float32)
    for found, wanted in zip(compiled(text).run(x), interpret(parse(text, ops.OPS), [x]), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def drawn_loop(random: np.random.Generator) -> str:
    """A loop over a large state. Iterations read rows and what is the same along some axes, and keep residuals. In
    some a number is a state, too, which all elements of an iteration read."""
    shapes = [(6000,), (4099,), (3, 4096), (52, 100), (2, 40, 64), (512,), (24000,)]
    shape = shapes[int(random.integers(len(shapes)))]
    length = int(random.integers(1, 30))

    def type_of(*shape: int) -> str:
        return f"f32[{', '.join(map(str, shape))}]"

    state, row, part = type_of(*shape), type_of(shape[-1]), type_of(*shape[int(random.integers(len(shape) + 1)) :])
    body, known = [], ["s", "z", "row", "part"]
    for number in range(int(random.integers(2, 6))):
        function = str(random.choice(["add", "subtract", "multiply", "maximum", "minimum"]))
        body.append(f"%v{number}: {state} = {function}(%{random.choice(['s', 'z'])}, %{random.choice(known)})")
        body.append(f"%w{number}: {state} = minimum(%v{number}, 1.5)")
        known.append(f"w{number}")
    if random.random() < 0.3 and len(shape) > 1:
        body.append(f"%m: {type_of(*shape[:-1], 1)} = max(%{known[-1]}, axis=({len(shape) - 1},), keepdims=True)")
        body.append(f"%last: {state} = subtract(%{known[-1]}, %m)")
        known.append("last")
    rows, number = type_of(length, shape[-1]), random.random() < 0.25
    if number:
        body.append(f"%d: f32[] = multiply(%c, 0.9) %u: {state} = multiply(%{known[-1]}, %c)")
        known.append("u")

    def names(*given: str) -> str:  # with those of the number, if there is one
        return ", ".join([f"%{name}" for name in given if number or name.partition(":")[0] not in ("c", "c1", "d")])

    parameters = names("i: i64[]", f"s: {state}", f"z: {state}", "c: f32[]", f"row: {row}", f"part: {part}")
    return f"""graph f({names(f"x: {state}", f"y: {state}", "c: f32[]", f"rows: {rows}", f"p: {part}")}) {{
      {names(f"s1: {state}", f"z1: {state}", "c1: f32[]", f"all: {type_of(length, *shape)}")} = scan({length},
          {names("x", "y", "c", "rows", "p")}, carried={2 + number}, scanned=1, length={length},
          reverse={random.random() < 0.5}) {{
        body = graph body({parameters}) {{
          {" ".join(body)}
          return {names(known[-1], "s", "d", str(random.choice(known[4:])))}
        }}
      }}
      return {names("s1", "z1", "c1", "all")}
    }}"""


@pytest.mark.parametrize(
    "threads", [pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(5, marks=pytest.mark.slow)]
)
def test_loops_run_tile_by_tile(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random loops agree with the interpreter, whichever of their axes are divided."""
    monkeypatch.setattr(groups, "thread_count", lambda: threads)
    monkeypatch.setattr(sharing, "TILE", 1 << 12)
    extents, pieces = Counter[int](), Counter[bool]()
    for seed in range(60):
        random = np.random.default_rng(seed)
        graph = parse(drawn_loop(random), ops.OPS)
        arrays = [random.uniform(-1, 1, each.type.static_shape).astype(np.float32) for each in graph.parameters]
        program = compile_graph(graph, name="f", options=Options(debug=True))
        tiled = [
            planned.kernel
            for planned in program.plan.kernels.values()
            if any(array.role == "state" and array.strides[0] for array in planned.kernel.arrays)
        ]
        extents.update([len(kernel.extents) for kernel in tiled])
        pieces.update([kernel.pieces > 0 for kernel in tiled])
        expected = interpret(graph, arrays)
        for found, wanted in zip(program.run(*arrays), expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    assert min(extents[3], extents[4]) >= 3, extents
    assert sum(extents.values()) >= 20
    assert pieces[threads > 1] >= 20, pieces


def test_a_loop_in_a_loop() -> None:
    """The inner one is a kernel; the outer one runs it in each iteration."""
    inner = NEWTON[NEWTON.index("  %r:") : NEWTON.rindex("  return")].replace("%r:", "%z:").replace("%all:", "%zs:")
    text = f"""graph f(%x: f32[16]) {{
      %y: f32[16] = scan(3, %x, carried=1, scanned=0, length=3, reverse=False) {{
        body = graph outer(%k: i64[], %x: f32[16]) {{ {inner} %w: f32[16] = add(%z, %x) return %w }}
      }}
      return %y
    }}"""
    x = np.linspace(1, 2, 16, dtype=np.float32)
    program = compiled(text)
    loops = [node for node in walk(program.plan.graph) if node.op.kind in ("loop", "loop_kernel")]
    assert [loop.op is ops.loop_kernel for loop in loops] == [False, True]
    np.testing.assert_allclose(program.run(x)[0], interpret(parse(text, ops.OPS), [x])[0], rtol=1e-5)


def test_a_sum_at_positions_that_the_iteration_reads() -> None:
    """It stays outside: one loop nest would read the sum before it is complete."""
    text = """graph f(%s: f64[3], %p: i64[4, 3]) {
      %y: f64[3] = scan(4, %s, %p, carried=1, scanned=1, length=4, reverse=True) {
        body = graph body(%i: i64[], %s: f64[3], %p: i64[3]) {
          %z: f64[3] = full(shape=(3,), value=0.0, dtype=f64)
          %t: f64[3] = take_add(%z, %p, %s, axis=0)
          %h: f64[3] = multiply(%s, 0.5:f64)
          %d: f64[3] = add(%h, %t)
          return %d
        }
      }
      return %y
    }"""
    s, p = np.array([1.0, 2.0, 3.0]), np.array([[0, 2, 0], [1, 1, 1], [2, 1, 0], [0, 0, 2]])
    for off in ((), ("cse", "loop_invariants", "loop_invariants_again")):
        program = compile_graph(parse(text, ops.OPS), name="f", options=Options(frozenset(off)))
        np.testing.assert_allclose(program.run(s, p)[0], interpret(parse(text, ops.OPS), [s, p])[0])


@pytest.mark.parametrize("text", [NEWTON, FIBONACCI])
def test_loops_of_equal_structure_share_a_kernel(text: str) -> None:
    def translated(text: str) -> loops.LoopTranslation:
        (node,) = parse(text, ops.OPS).nodes
        return loops.translate_loop(replace(node, op=ops.loop_kernel))

    one, other = translated(text), translated(re.sub(r"%(\w)", r"%o\1", text))
    assert one.kernel is other.kernel
    assert {value.name for value in other.body.parameters} == {f"o{value.name}" for value in one.body.parameters}
    assert len({*other.body.outputs} - {*other.body.parameters}) == len(other.body.outputs)
    longer = translated(re.sub(r"(?<=scan\()\d+|(?<=length=)\d+|(?<=\[)(6|10)(?=\]|,)", "8", text))
    assert longer.kernel.extents[0] == 8 != one.kernel.extents[0]

"""Programs with kernels of machine code give the same results as without, for any shapes, views, layouts and
threads."""

from __future__ import annotations

import tracemalloc
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drawn_groups import DrawnGroups, agree, compiled
from searches import chequered

import mycel as ms
from mycel import Tensor, ops as library
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Literal, Operand
from mycel.compiler.kernels import groups as lowering
from mycel.compiler.kernels.translation import Layout, Translation
from mycel.compiler.memory import groups
from mycel.compiler.passes import make_kernels
from mycel.compiler.passes.grouping import Group
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import codegen
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.functions import FUNCTIONS
from mycel.runtime.native.language import Kernel, parse as parse_kernel
from mycel.runtime.program import Program

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def same(text: str, *arrays: np.ndarray, tolerance: float = 1e-5) -> str:
    """As `agree`, of a graph's text; the program."""
    return agree(parse(text, ops.OPS), lambda seed: [array.copy() for array in arrays], tolerance)


@pytest.mark.parametrize("seed", chequered(range(80)))
def test_random_groups_agree(seed: int) -> None:
    drawn = DrawnGroups(seed)
    agree(drawn.graph, drawn.arrays, 0)


def test_a_reshaped_input_needs_no_other_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    block = "graph block(%x: f32[6, 23], %y: f32[23]) {\n  %z: f32[6, 23] = multiply(%x, %y)\n  return %z\n}"
    body = parse(block, ops.OPS)
    lowering.translate(body)
    reshaped, apart = ({0: Layout((2, 3, 46), 0, strides)} for strides in ((92, 4), (184, 8)))
    wanted = [lowering.translate_anew(body, layouts) for layouts in (reshaped, apart)]
    anew: list[Mapping[int, Layout]] = []

    def translate_anew(body: Graph, layouts: Mapping[int, Layout]) -> Translation:
        anew.append(layouts)
        return wanted[1]

    monkeypatch.setattr(lowering, "translate_anew", translate_anew)
    assert [lowering.translate(body, layouts) for layouts in (reshaped, apart)] == wanted
    assert anew == [apart]


@pytest.fixture
def three_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of any size are shared."""
    monkeypatch.setattr(groups, "worth_sharing", lambda *_: 3)
    monkeypatch.setattr(groups, "thread_count", lambda: 3)


@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize("seed", chequered(range(79, -1, -1)))
def test_random_groups_agree_where_threads_share_them(seed: int) -> None:
    drawn = DrawnGroups(seed)
    agree(drawn.graph, drawn.arrays, 0)


@pytest.mark.usefixtures("three_threads")
def test_threads_add_up_rows_each_where_they_belong() -> None:
    """A sum over a middle axis also depends on the outermost loop, which threads share."""
    x = np.random.default_rng(0).integers(0, 9, (7, 60, 11)).astype(np.float32)
    source = same("graph f(%x: f32[7, 60, 11]) { %a: f32[7, 60, 11] = multiply(%x, 2.0) "
                  "%b: f32[7, 11] = sum(%a, axis=(1,), keepdims=False) return %b }", x)  # fmt: skip
    assert "shared 7" in source


@pytest.mark.usefixtures("three_threads")
def test_threads_do_not_divide_a_row_that_is_reduced() -> None:
    x = np.arange(96, dtype=np.float32)
    source = same("graph f(%x: f32[96]) { %a: f32[96] = multiply(%x, 2.0) %b: f32[1] = sum(%a, axis=(0,), "
                  "keepdims=True) %c: f32[96] = subtract(%a, %b) return %c }", x)  # fmt: skip
    assert "compile_kernel" in source


def test_views_that_upset_the_loops_are_copied() -> None:
    """A reduction over two axes is one loop in C order, but not in a transposed view."""
    x = np.random.default_rng(0).normal(size=(2, 3, 5)).astype(np.float32)
    source = same("graph f(%x: f32[2, 3, 5]) { %v: f32[2, 5, 3] = transpose(%x, axes=(0, 2, 1)) "
                  "%a: f32[2, 5, 3] = multiply(%v, 2.0) %b: f32[2, 1, 1] = sum(%a, axis=(1, 2), keepdims=True) "
                  "%c: f32[2, 5, 3] = subtract(%a, %b) return %c }", x)  # fmt: skip
    assert "compile_kernel" in source


def test_the_extreme_of_anything_and_a_constant_nan_is_nan() -> None:
    for function in ("maximum", "minimum"):
        for arguments in ("%a, nan", "nan, %a"):
            source = same(f"graph f(%x: f32[9]) {{ %a: f32[9] = multiply(%x, 2.0) "
                          f"%b: f32[9] = {function}({arguments}) return %b }}", np.ones(9, np.float32))  # fmt: skip
            assert "compile_kernel" in source


def test_sums_of_many_short_rows_stay_precise() -> None:
    """300000 sums of rows, one after the other, would lose three digits."""
    text = ("graph f(%x: f32[300000, 8], %b: f32[8]) { %a: f32[300000, 8] = add(%x, %b) "
            "%c: f32[] = sum(%a, axis=(0, 1), keepdims=False) return %c }")  # fmt: skip
    x, b = np.full((300000, 8), 0.1, np.float32), np.zeros(8, np.float32)
    (total,) = compiled(parse(text, ops.OPS)).run(x, b)
    assert total == pytest.approx(240000, rel=1e-5)


def test_casts_without_an_instruction_and_many_arrays() -> None:
    same("graph f(%x: f64[9]) { %a: f64[9] = multiply(%x, 2.0:f64) %b: i64[9] = cast(%a, dtype=i64) "
         "%c: i64[9] = add(%b, 1:i64) return %c }", np.linspace(-3, 3, 9))  # fmt: skip
    types = [TensorType(dtypes.float32, (9,))] * 90
    graph = record("f", types, lambda first, *rest: sum((x * 2.0 for x in rest), first))
    agree(graph, lambda seed: [np.full(9, number, np.float32) for number in range(90)], 0)


def test_a_program_refuses_arrays_other_than_it_was_compiled_for() -> None:
    """Whatever was looked at before: a Parameter may be replaced, or resized, by another thread in between."""
    text = ("graph f(%x: f32[6, 40], %y: f32[40]) { %a: f32[6, 40] = add(%x, %y) "
            "%b: f32[6, 40] = multiply(%a, %a) return %b into %x }")  # fmt: skip
    program = compiled(parse(text, ops.OPS))
    assert "compile_kernel" in program.source
    x, y = np.ones((6, 40), np.float32), np.ones(40, np.float32)
    program.run(x, y)
    assert (x == 4).all()
    memory = np.full(4000, 5, np.float32)  # around arrays that are too small
    for wrong in (memory[90:130].reshape(1, 40), memory[90:290].reshape(5, 40), memory[:240],
                  memory[:240].reshape(40, 6), np.ones((6, 40)), np.ones((6, 40), np.int32), memory[:0]):  # fmt: skip
        before = memory.copy()
        with pytest.raises(TypeError, match=r"is to be float32\[6,40\], but is"):
            program.run(wrong, y)
        np.testing.assert_array_equal(memory, before)
    resized = np.ones((6, 40), np.float32)
    resized.resize(3, refcheck=False)
    with pytest.raises(TypeError, match=r"is to be float32\[6,40\], but is float32\[3\]"):
        program.run(resized, y)
    with pytest.raises(TypeError, match=r"is to be float32\[40\], but is float32\[39\]"):
        program.run(x, y[1:])


def test_what_a_kernel_keeps_of_rows_is_counted() -> None:
    text = """graph f(%x: f32[4, 9000]) { %e: f32[4, 9000] = exp(%x) %s: f32[4, 1] = sum(%e, axis=(1,), keepdims=True)
              %q: f32[4, 9000] = divide(%e, %s) %m: f32[4] = max(%q, axis=(1,), keepdims=False) return %m }"""
    program = compiled(parse(text, ops.OPS))
    assert "compile_kernel" in program.source
    (kernel,) = program.plan.kernels.values()  # each thread keeps a row of 36,000 bytes
    kept = program.plan.usage.allocated - program.plan.usage.results
    assert 36_000 * kernel.threads <= kept <= 37_000 * kernel.threads
    program.run(np.ones((4, 9000), np.float32))
    tracemalloc.start()
    try:
        program.run(np.ones((4, 9000), np.float32))
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        x = np.ones((4, 9000), np.float32)
        program.run(x)
        peak = tracemalloc.get_traced_memory()[1] - before - x.nbytes
    finally:
        tracemalloc.stop()
    assert peak <= program.plan.usage.allocated + 6000


def test_what_ops_say_of_kernels_is_so() -> None:
    """Each op that says that kernels have it is one of their functions, and the other way round."""
    for op in ops.OPS.values():
        assert not op.native or op.name in FUNCTIONS, op.name
    composite = {"sigmoid", "bitcast", "overlay"}  # those are lowered, views, or parts that windows make
    composite |= {"rotate_left", "bit_count", "multiply_words"}  # idioms, which code generation makes of statements
    composite |= {"multiply_subtract", "negative_multiply_add"}  # contraction makes them of statements
    assert {name for name in FUNCTIONS if name not in ops.OPS or not ops.OPS[name].native} == composite


def test_a_sum_of_what_is_made_by_broadcasting_is_a_kernel() -> None:
    """No operand of the group has all of its elements."""
    graph = parse(
        "graph f(%x: f32[1, 64], %y: f32[512, 1]) { %a: f32[512, 64] = multiply(%x, %y)"
        " %b: f32[512, 64] = subtract(%x, %a) %s: f32[512] = sum(%b, axis=(1,), keepdims=False) return %s }",
        ops.OPS,
    )
    (kernel,) = compile_graph(graph, name="f").plan.kernels.values()
    assert kernel.kernel.extents == (512, 64)
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(1, 64)).astype(np.float32), rng.normal(size=(512, 1)).astype(np.float32)
    (found,) = compile_graph(graph, name="f").run(x, y)
    np.testing.assert_allclose(found, (x - x * y).sum(1), rtol=1e-4, atol=1e-4)


def test_groups_that_are_alike_are_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal groups have the same kernel, whatever their values are called; other numbers, even of another sign of zero,
    have not."""
    runs = 0
    anew = lowering.translate_anew

    def counting(body: Graph, layouts: Mapping[int, lowering.Layout]) -> lowering.Translation:
        nonlocal runs
        runs += 1
        return anew(body, layouts)

    monkeypatch.setattr(lowering, "translate_anew", counting)
    monkeypatch.setattr(lowering, "_known", {})
    monkeypatch.setattr(lowering, "_forms", {})

    def kernel(number: str, name: str = "x") -> str:
        text = f"graph f(%{name}: f32[4, 4]) {{ %y: f32[4, 4] = add(%{name}, {number}) return %y }}"
        return str(lowering.translate(parse(text, ops.OPS)).kernel)

    assert kernel("0.0") == kernel("0.0")
    assert runs == 1
    assert kernel("0.0", "w") == kernel("0.0")
    assert runs == 1
    assert len({kernel("0.0"), kernel("-0.0"), kernel("1.0")}) == 3
    assert runs == 3
    assert "add(v0, 2.5)" in kernel("2.5")  # takes over the translation for 1.0
    assert len({kernel("1.0"), kernel("inf"), kernel("nan")}) == 3
    assert runs == 5


NUMBERS = """graph f(%x: f32[4, 4], %w: f64[4, 4]) {{
  %a: f32[4, 4] = add(%x, {}) %b: f32[4, 4] = multiply(%a, {}) %m: bool[4, 4] = greater(%b, {})
  %s: f32[4] = sum(%b, axis=(1,), keepdims=False) %c: f32[4, 4] = select(%m, {}, {}) return %c, %s
}}"""


def test_groups_that_differ_in_numbers_share_a_translation() -> None:
    """It is the one that each would have had alone; where two numbers are one, it is another."""

    def check(body: Graph) -> None:
        found = lowering.translate(body)
        assert repr(found) == repr(lowering.without_moves(lowering.translate_anew(body, {})))

    draws, taken = np.random.default_rng(0), 0
    for _ in range(60):
        chosen = draws.choice([0.5, 1.0, 1.5, 2.0, -0.0, 3.25, 1e30, float("inf")], 5)
        check(parse(NUMBERS.format(*map(float, chosen)), ops.OPS))
    for seed in range(40):
        graph = make_kernels.make_kernels(DrawnGroups(seed).graph)
        for node in graph.nodes:
            if node.op is ops.kernel:
                body: Graph = node.attrs["body"]
                try:
                    lowering.translate(body)
                except Unsupported:
                    continue
                other = body.with_nodes(tuple([each.with_inputs(map(scaled, each.inputs)) for each in body.nodes]))
                taken += other is not body and lowering.translate(other).origins is lowering.translate(body).origins
                check(other)
    assert taken > 10


def scaled(operand: Operand) -> Operand:
    """Another number in place of a float."""
    plain = isinstance(operand, Literal) and isinstance(operand.value, float)
    return Literal(operand.value * 1.25 - 0.375, operand.type) if plain else operand  # type: ignore[operator]


def test_a_program_of_many_kernels_translates_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planner asks for the kernel of each group again after all groups have been made."""
    runs = 0
    anew = lowering.translate_anew

    def counting(body: Graph, layouts: Mapping[int, lowering.Layout]) -> lowering.Translation:
        nonlocal runs
        runs += 1
        return anew(body, layouts)

    monkeypatch.setattr(lowering, "translate_anew", counting)
    monkeypatch.setattr(lowering, "_known", {})
    text = "graph f(%x: f32[4, {0}]) {{ %y: f32[4, {0}] = tanh(%x) return %y }}"
    bodies = [parse(text.format(number + 1), ops.OPS) for number in range(700)]
    for body in (*bodies, *bodies):
        lowering.translate(body)
    assert runs == 700


def test_kernels_that_are_alike_are_one_function_of_the_program() -> None:
    """A program has the text of equal kernels once, with the names of the first; each call has its own arrays."""
    graph = parse(
        "graph f(%x: f32[4, 4], %w: f32[4, 4]) { %a: f32[4, 4] = tanh(%x) %p: f32[4, 4] = matmul(%a, %w)"
        " %h: f32[4, 4] = tanh(%p) %q: f32[4, 4] = matmul(%h, %w) %y: f32[4, 4] = exp(%q) return %y }",
        ops.OPS,
    )
    program = compile_graph(graph, name="f")
    assert program.source.count("compile_kernel('''") == 2
    assert "a = tanh(x)" in program.source
    assert "h = tanh" not in program.source
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(4, 4)).astype(np.float32), rng.normal(size=(4, 4)).astype(np.float32)
    (found,) = program.run(x, w)
    np.testing.assert_allclose(found, np.exp(np.tanh(np.tanh(x) @ w) @ w), rtol=1e-5)


def test_groups_that_are_alike_are_divided_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal layers have equal groups. A group whose value something else reads is another one."""
    runs: list[int] = []
    divided = make_kernels._Kernels.divided

    def counting(policy: make_kernels._Kernels, group: Group) -> list[Group]:
        runs.append(len(group.nodes))
        return divided(policy, group)

    monkeypatch.setattr(make_kernels._Kernels, "divided", counting)
    layer = "%a{n}: f32[4, 4] = tanh(%y{m}) %h{n}: f32[4, 4] = negative(%a{n}) %y{n}: f32[4, 4] = matmul(%h{n}, %w)"
    layers = " ".join(layer.format(n=n, m=n - 1) for n in range(1, 9))
    text = f"graph f(%y0: f32[4, 4], %w: f32[4, 4]) {{ {layers} return %y8, %a3 }}"
    found = make_kernels.make_kernels(parse(text, ops.OPS))
    assert runs == [2, 2]
    kernels = [node for node in found.nodes if node.op is ops.kernel]
    assert [len(node.outputs) for node in kernels] == [1, 1, 2, 1, 1, 1, 1, 1]


def test_what_no_kernel_can_do_is_refused_again() -> None:
    """A group that cannot be translated gives the same error each time, with its node."""
    text = "graph f(%x: f32[4, 6]) { %a: f32[4, 6] = tanh(%x) %b: f32[6, 4] = reshape(%a, shape=(6, 4)) " \
           "%c: f32[6, 4] = add(%b, %b) return %c }"  # fmt: skip
    positions = []
    for _ in range(2):
        with pytest.raises(Unsupported) as caught:
            lowering.translate(parse(text, ops.OPS))
        positions.append((str(caught.value), caught.value.position))
    assert positions[0] == positions[1]
    assert positions[0][1] is not None


def test_a_kernel_that_reads_a_view_is_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    layouts: list[Mapping[int, lowering.Layout]] = []
    anew = lowering.translate_anew

    def counting(body: Graph, given: Mapping[int, lowering.Layout]) -> lowering.Translation:
        layouts.append(given)
        return anew(body, given)

    monkeypatch.setattr(lowering, "translate_anew", counting)
    for known in ("_known", "_forms", "_followed"):
        monkeypatch.setattr(lowering, known, {})
    text = (
        "graph f(%x: f32[6, 80]) { %v: f32[6, 40] = slice(%x, start=(0, 40), stop=(6, 80), step=(1, 1))"
        " %e: f32[6, 40] = exp(%v) %y: f32[6, 40] = add(%e, %v) return %y }"
    )
    x = np.random.default_rng(0).normal(size=(6, 80)).astype(np.float32)
    (found,) = compile_graph(parse(text, ops.OPS), name="f").run(x)
    np.testing.assert_allclose(found, np.exp(x[:, 40:]) + x[:, 40:], rtol=1e-5)
    assert [[*each] for each in layouts] == [[0]]


def test_a_sum_over_too_many_rows_says_where_to_divide_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few groups are tried before one fits: that before the sum is the first."""
    tried: list[int] = []
    anew = lowering.translate_anew

    def counting(body: Graph, layouts: Mapping[int, lowering.Layout]) -> lowering.Translation:
        tried.append(len(body.nodes))
        return anew(body, layouts)

    monkeypatch.setattr(lowering, "translate_anew", counting)
    monkeypatch.setattr(lowering, "_known", {})
    chain = "".join(f" %a{k + 1}: f32[9000, 24] = add(%a{k}, %r)" for k in range(30))
    text = (
        "graph f(%x: f32[9000, 24]) { %r: f32[9000, 1] = sum(%x, axis=(1,), keepdims=True)"
        f" %a0: f32[9000, 24] = multiply(%x, %r){chain}"
        " %s: f32[] = sum(%a30, axis=(0, 1), keepdims=False) %y: f32[9000, 24] = multiply(%a30, 2.0)"
        " %z: f32[9000, 24] = multiply(%y, %r) return %s, %z }"
    )
    graph = parse(text, ops.OPS)
    with pytest.raises(Unsupported) as caught:
        lowering.translate(graph)
    assert (caught.value.position, caught.value.final) == (32, False)
    x = np.random.default_rng(0).normal(size=(9000, 24)).astype(np.float32)
    total, z = compile_graph(graph, name="f").run(x)
    row = x.sum(1, keepdims=True)
    np.testing.assert_allclose(total, (x * row + 30 * row).sum(dtype=np.float64), rtol=1e-3)
    np.testing.assert_allclose(z, (x * row + 30 * row) * 2 * row, rtol=1e-3, atol=1e-3)
    assert tried[1:3] == [32, 33]


@pytest.mark.skipif(unavailable() is not None, reason="needs machine code")
def test_the_kernels_of_a_new_program_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are loaded as they were printed; a later program with their texts parses them, to the same kernels."""
    texts: list[str] = []
    loaded: list[list[str]] = [[], []]
    machine_code = codegen._machine_code

    def parsed(text: str) -> Kernel:
        texts.append(text)
        return parse_kernel(text)

    def noting(kernel: Kernel, *rest: Any) -> bytes:
        loaded[-1].append(str(kernel))
        return machine_code(kernel, *rest)

    monkeypatch.setattr(codegen, "parse", parsed)
    monkeypatch.setattr(codegen, "_machine_code", noting)
    graph = parse(
        "graph f(%x: f32[90, 3]) { %a: f32[90, 3] = multiply(%x, -0.0) %s: f32[90] = sum(%a, axis=(1,), keepdims=False)"
        " %b: bool[90] = greater(%s, -inf) %w: f32[90] = select(%b, %s, nan)"
        " return %w }",
        ops.OPS,
    )
    program = compile_graph(graph, name="f").program
    assert not texts
    loaded.reverse()
    Program("f", program.source, program.arena_bytes, program.constants, program.kernels)
    assert texts
    assert loaded[0] == loaded[1]


@pytest.mark.parametrize(("axis", "shape", "taken"), [(1, (8, 6), True), (0, (16, 3), False)])
def test_parts_of_rows_are_put_side_by_side_by_a_kernel(axis: int, shape: tuple[int, int], taken: bool) -> None:
    """Parts that are one behind the other are computed in their places, with no call."""
    rows, columns = shape
    text = (
        f"graph f(%x: f32[8, 3], %w: f32[3, 3], %v: f32[{columns}, 2]) {{ %a: f32[8, 3] = matmul(%x, %w) "
        f"%b: f32[8, 3] = matmul(%a, %w) %c: f32[{rows}, {columns}] = concatenate(%a, %b, axis={axis}) "
        f"%y: f32[{rows}, 2] = matmul(%c, %v) return %y }}"
    )
    random = np.random.default_rng(3)
    given = [random.normal(size=size).astype(np.float32) for size in ((8, 3), (3, 3), (columns, 2))]
    assert ("compile_kernel(" in same(text, *given)) is taken


def test_a_loop_stacks_what_comes_in_by_a_kernel() -> None:
    text = """graph f(%s: f32[2, 2]) {
      %y: f32[2, 2], %r: f32[6, 2, 2], %q: f32[6, 2, 2] = scan(6, %s, carried=1, scanned=0, length=6, reverse=True) {
        body = graph body(%i: i64[], %s: f32[2, 2]) { %m: f32[2, 2] = matmul(%s, %s) %n: f32[2, 2] = sin(%m)
          return %n, %s, %m }
      }
      return %y, %r, %q
    }"""
    given = [np.array([[0.5, -0.25], [0.125, 1.0]], np.float32)]
    options = Options(frozenset(["tiny_loops", "whole_loops"]), debug=True)
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=options)
    for found, wanted in zip(compiled.run(*given), interpret(parse(text, ops.OPS), given), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
    _, found_loop, inside = compiled.source.partition("for (i")
    assert found_loop
    assert "] = " not in inside


@pytest.mark.parametrize(("count", "chain"), [(9000, 1), (9000, 5), (300, 1)])
def test_operations_on_bools_are_kernels(count: int, chain: int) -> None:
    """However few, on however many: NumPy computes with 32 bools at once, kernels with 64."""
    names = ["x", *[f"v{number}" for number in range(chain)]]
    lines = [f"%{new}: bool[{count}] = logical_xor(%{old}, %y)" for old, new in pairwise(names)]
    text = f"graph f(%x: bool[{count}], %y: bool[{count}]) {{ {' '.join(lines)} return %{names[-1]} }}"
    random = np.random.default_rng(0)
    given = [random.random(count) < 0.5 for _ in range(2)]
    assert "compile_kernel(" in same(text, *given)


def test_plain_groups_that_do_not_fit_are_divided() -> None:
    """Each was taken for one kernel without a look. Four shifted inputs divide the columns into too many parts."""
    lows = {"a": 5, "b": 105, "c": 205, "d": 305}
    pads = [f"%p{n}: f32[1000] = pad(%{n}, low=({low},), high=({500 - low},), value=0.0)" for n, low in lows.items()]
    text = f"""
        graph f({", ".join(f"%{n}: f32[500]" for n in lows)}) {{
          {chr(10).join(pads)}
          %s: f32[1000] = add(%pa, %pb)
          %t: f32[1000] = multiply(%pc, %pd)
          %u: f32[1000] = add(%s, %t)
          return %u
        }}
    """
    program = same(text, *np.random.default_rng(0).standard_normal((4, 500)).astype(np.float32))
    assert program.count("compile_kernel('''") == 2


def test_a_broadcast_that_repeats_nothing_is_in_c_order() -> None:
    """A reshape takes its place, and the kernel reads another layout than that of the broadcast."""

    def bordered(x: Any) -> Any:
        rows = library.broadcast_to(library.cumsum(x, 0), (1, 9))
        return library.argmax((library.pad(rows, (1, 0, 1, 2), value=2) * 2)[:, 5:6], -2)

    np.testing.assert_array_equal(ms.jit(bordered)(Tensor(np.arange(9, dtype=np.int32))).asnumpy(), [1])

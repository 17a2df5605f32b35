"""The memory plan: no two live buffers overlap, the peak is the arena's size, memory is shared where it can be."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from drawn_graphs import FEW, Case, cases
from hypothesis import given, strategies as st

from mycel import Tensor, jit
from mycel.compiler import ops
from mycel.compiler.codegen.emitter import emit
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import IRError
from mycel.compiler.memory import schedule
from mycel.compiler.memory.layout import ALIGNMENT, aligned, lay_out
from mycel.compiler.memory.plan import ARENA, Allocation, Plan
from mycel.compiler.memory.planner import check_plan, make_plan
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime import dtypes
from mycel.runtime.arena import Arena
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.program import Program


def plan_of(text: str) -> Plan:
    """The checked plan of a graph."""
    return check_plan(make_plan(parse(text, ops.OPS)))


def check_results(graph: Graph, plan: Plan, *arrays: np.ndarray, rtol: float = 1e-5, atol: float = 0.0) -> None:
    """The program of the plan gives what the interpreter gives."""
    emitted = emit(plan, "f")
    program = Program("f", emitted.source, plan.nbytes, emitted.constants, emitted.kernels)
    for found, expected in zip(program.run(*arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)


@FEW
@given(cases())
def test_plans_have_no_overlaps(case: Case) -> None:
    """The plan of every graph, original and optimised, passes the check."""
    check_plan(make_plan(case.graph))
    compiled = compile_graph(case.graph, name="drawn", options=Options(debug=True))
    check_plan(compiled.plan)
    assert compiled.program.arena_bytes == compiled.plan.nbytes


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 20), st.integers(0, 8)), max_size=20))
def test_layout_never_overlaps(items: list[tuple[int, int, int]]) -> None:
    """Homes of any size and life get bytes of their own, at most as many as all of them together."""
    allocations = []
    for size, first, length in items:
        allocation = Allocation(ARENA, TensorType(dtypes.uint8, (size,)), "", first)
        allocation.last = first + length
        allocations.append(allocation)
    total = lay_out(allocations)
    assert total <= sum(aligned(size) for size, _, _ in items)
    needed = [sum(aligned(h.type.nbytes) for h in allocations if h.first <= time <= h.last) for time in range(30)]
    assert total >= max(needed)
    for i, a in enumerate(allocations):
        assert a.offset % ALIGNMENT == 0
        for b in allocations[:i]:
            if a.first <= b.last and b.first <= a.last:
                assert a.offset + a.type.nbytes <= b.offset or b.offset + b.type.nbytes <= a.offset


# Homes as (cache lines, first, last), and the cache lines of the best layout that is found.
LAYOUTS: dict[str, tuple[list[tuple[int, int, int]], int]] = {
    "best fit": ([(1, 5, 7), (5, 3, 8), (2, 7, 9), (1, 8, 9), (4, 0, 0), (2, 6, 7)], 10),
    "by size": ([(1, 0, 3), (1, 1, 2), (5, 3, 6), (1, 2, 5)], 7),
    "by size times life": ([(4, 7, 9), (3, 2, 7), (5, 0, 2), (2, 6, 8)], 9),
    "by life": (
        [(4, 2, 7), (1, 7, 9), (3, 8, 8), (3, 4, 4), (1, 4, 7), (6, 0, 2), (6, 5, 6), (4, 4, 4), (1, 4, 7)],
        13,
    ),
    "by trying the best order again": ([(2, 2, 6), (6, 0, 4), (6, 2, 6), (4, 6, 9), (4, 6, 7)], 16),
    "by trying again": ([(4, 7, 9), (3, 3, 5), (3, 2, 2), (2, 5, 7), (2, 5, 5)], 7),
    "by trying again, not the least": (
        [(6, 1, 2), (2, 0, 5), (4, 5, 7), (2, 3, 4), (5, 6, 7), (2, 2, 5), (5, 2, 6), (5, 4, 6), (6, 2, 4)],
        23,
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_peaks_of_known_layouts(name: str) -> None:
    """Each needs one way of laying out: with another the arena is larger."""
    items, lines = LAYOUTS[name]
    allocations = []
    for size, first, last in items:
        allocations.append(Allocation(ARENA, TensorType(dtypes.uint8, (size * ALIGNMENT,)), "", first))
        allocations[-1].last = last
    assert lay_out(allocations) == lines * ALIGNMENT
    assert max(allocation.offset + allocation.type.nbytes for allocation in allocations) == lines * ALIGNMENT
    for i, a in enumerate(allocations):
        for b in allocations[:i]:
            if a.first <= b.last and b.first <= a.last:
                assert a.offset + a.type.nbytes <= b.offset or b.offset + b.type.nbytes <= a.offset


HEAP_RESULTS: dict[str, tuple[str, list[bool]]] = {
    # Each text gives outputs that kernels allocate; by output, whether its array is handed out as it is.
    "one of its own": ("(%x: f32[?]) { %a: f32[?] = tanh(%x) return %a }", [True]),
    "the same twice": ("(%x: f32[?]) { %a: f32[?] = tanh(%x) return %a, %a }", [True, False]),
    "two": ("(%x: f32[?]) { %a: f32[?] = tanh(%x) %b: f32[?] = exp(%x) return %a, %b }", [True, True]),
    "a view of it besides": (
        "(%x: f32[?]) { %a: f32[?] = tanh(%x) %b: f32[?, 3] = reshape(%a, shape=(-1, 3)) return %a, %b }",
        [True, False],
    ),
    "a view of it alone": (
        "(%x: f32[?]) { %a: f32[?] = tanh(%x) %b: f32[?, 3] = reshape(%a, shape=(-1, 3)) return %b }",
        [False],
    ),
    "what a kernel may give back": ("(%x: f32[?]) { %a: f32[?] = cumsum(%x, axis=0, exclusive=False, reverse=False)"
                                    " %b: f32[?] = assume_shape(%a, shape=(None,)) return %b }", [False]),
    "what may be the input": ("(%x: f32[?]) { %a: f32[?] = reshape(%x, shape=(-1,)) return %a }", [False]),
    "what a branch may give back": (
        "(%p: bool[], %x: f32[?]) { %a: f32[?] = cond(%p, %x) { then = graph t(%u: f32[?]) { return %u }"
        " orelse = graph e(%u: f32[?]) { %v: f32[?] = tanh(%u) return %v } } return %a }",
        [True],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HEAP_RESULTS)
def test_results_that_may_share_are_copied(name: str) -> None:
    """Arrays that a run hands out share no memory with one another, with the inputs or with the next run's."""
    text, own = HEAP_RESULTS[name]
    graph = parse(f"graph f{text}", ops.OPS)
    rng = np.random.default_rng(0)
    inputs = [
        rng.normal(size=9).astype(np.float32) if value.type.rank else np.array(True) for value in graph.parameters
    ]
    plan = make_plan(graph)
    assert [position in plan.returned for position in range(len(graph.outputs))] == own
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    first, second = compiled.run(*inputs), compiled.run(*inputs)
    arrays = [*inputs, *first, *second]
    for i, a in enumerate(arrays):
        for b in arrays[:i]:
            assert not np.shares_memory(a, b)
    for found, expected in zip(first, interpret(graph, inputs), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_overlaps_are_seen() -> None:
    """The check finds buffers that overlap, lie askew, or end beyond the peak."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%x) %c: f32[100] = add(%a, %b) "
                   "%d: f32[] = sum(%c, axis=(0,), keepdims=False) return %d }")  # fmt: skip
    first, second = plan.buffers
    with pytest.raises(IRError, match="overlap while both live"):
        check_plan(replace(plan, buffers=(first, second._replace(offset=first.offset))))
    with pytest.raises(IRError, match="not aligned"):
        check_plan(replace(plan, buffers=(first, second._replace(offset=second.offset + 4))))
    with pytest.raises(IRError, match="the arena has"):
        check_plan(replace(plan, nbytes=plan.nbytes + 64))


def test_elementwise_chain_needs_no_memory() -> None:
    """A chain runs in place, in the array of its result."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%a) %c: f32[100] = add(%b, 1.0) "
                   "return %c }")  # fmt: skip
    assert plan.buffers == ()


def test_in_place_can_be_switched_off() -> None:
    """Without it every value has bytes of its own while it lives."""
    graph = parse("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%a) return %b }", ops.OPS)
    assert len(check_plan(make_plan(graph, disabled={"in_place"})).buffers) == 1


def test_a_value_that_is_read_later_is_not_overwritten() -> None:
    """Of two values that live at the same time each has a buffer."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%a) %c: f32[100] = add(%b, %a) "
                   "%d: f32[] = sum(%c, axis=(0,), keepdims=False) return %d }")  # fmt: skip
    assert len(plan.buffers) == 2
    assert plan.nbytes == 2 * aligned(400)


def test_views_live_with_their_base() -> None:
    """A view keeps its base alive and takes no bytes."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %v: f32[10, 10] = reshape(%a, shape=(10, 10)) "
                   "%b: f32[100] = exp(%x) %w: f32[10, 10] = reshape(%b, shape=(10, 10)) "
                   "%c: f32[10, 10] = matmul(%v, %w) %d: f32[] = sum(%c, axis=(0, 1), keepdims=False) return %d "
                   "}")  # fmt: skip
    assert [buffer.nbytes for buffer in plan.buffers] == [400, 400, 400]
    assert plan.buffers[0].last == plan.buffers[1].last == plan.buffers[2].first


def test_concatenated_values_are_computed_in_place() -> None:
    """Inputs of a concatenation along the first axis are computed in the result."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%x) "
                   "%c: f32[200] = concatenate(%a, %b, axis=0) "
                   "%d: f32[] = sum(%c, axis=(0,), keepdims=False) return %d "
                   "}")  # fmt: skip
    assert [buffer.nbytes for buffer in plan.buffers] == [800]


@pytest.mark.parametrize("size", [100, 10_000])
def test_large_parts_of_a_result_are_computed_in_it(size: int) -> None:
    """Arrays for small parts would take longer than their copies."""
    plan = plan_of(
        f"graph f(%x: f32[{size}]) {{ %a: f32[{size}] = tanh(%x) %b: f32[{size}] = exp(%x) "
        f"%c: f32[{2 * size}] = concatenate(%a, %b, axis=0) return %c }}"
    )
    assert [buffer.nbytes for buffer in plan.buffers] == ([400, 400] if size == 100 else [])


def test_run_time_shapes_are_left_to_the_run() -> None:
    """A value with `?` in its shape has no buffer."""
    plan = plan_of("graph f(%x: f32[?]) { %a: f32[?] = tanh(%x) return %a }")
    assert plan.buffers == ()
    assert plan.nbytes == 0


def test_plan_prints_as_a_table() -> None:
    """Every buffer with its type, bytes, offset and lifetime, and the memory of a run."""
    plan = plan_of("graph f(%x: f32[3, 5]) { %t: f32[3, 5] = tanh(%x) %s: f32[3] = sum(%t, axis=(1,), keepdims=False) "
                   "return %s }")  # fmt: skip
    assert str(plan).splitlines() == [
        "buffer  type       bytes  offset  first  last",
        "t       f32[3, 5]     60       0      1     2",
        "arena: 64 bytes in 1 buffers",
        "largest live set: 64 bytes, at tanh",
        "scratch: 0 of these bytes at most",
        "results: 12 bytes",
        "constants: 0 bytes",
        "allocated in a run: 12 bytes at most",
        "peak: 76 bytes",
    ]


def test_arena_is_aligned() -> None:
    """The arena starts at a cache line; arrays of no elements need no bytes."""
    arena = Arena(256)
    assert arena.array(64, (3,), np.float32).ctypes.data % ALIGNMENT == 0
    assert arena.array(256, (0, 3), np.float32).shape == (0, 3)


def test_several_arrays_of_an_arena() -> None:
    """`arrays` makes what `array` makes; arrays at one offset are one array."""
    arena = Arena(256)
    one, two, again = arena.arrays("64 192 64", (2, 3), np.dtype(np.int64))
    assert again is one
    for offset, array in ((64, one), (192, two)):
        array[...] = offset
        np.testing.assert_array_equal(arena.array(offset, (2, 3), np.int64), offset)
    assert [each.shape for each in arena.arrays("0 256", (0, 3), np.float32)] == [(0, 3)] * 2


@pytest.mark.parametrize("outputs", ["%e", "%f", "%e, %f"])
@pytest.mark.parametrize(
    "view",
    ["reverse(%a, axes=(0,))", "reverse(%a, axes=(1,))", "slice(%a, start=(0, 0), stop=(4096, 64), step=(1, 1))"],
)
def test_a_group_that_reads_a_value_and_a_view_of_it(view: str, outputs: str) -> None:
    """Its results are not written over rows that a later block reads."""
    rows = "f32[4096, 64]"
    names = [f"%v{number}" for number in range(len(outputs.split(", ")))]
    after = " ".join(f"{name}s: {rows} = cumsum({name}, axis=0, exclusive=False, reverse=False)" for name in names)
    graph = parse(
        f"graph f(%x: {rows}) {{ %a: {rows} = cumsum(%x, axis=1, exclusive=False, reverse=False) %w: {rows} = {view}"
        f" {', '.join(f'{name}: {rows}' for name in names)} = fused(%a, %w, rows=1) {{"
        f" body = graph b(%p: {rows}, %q: {rows}) {{ %c: {rows} = exp(%p) %d: {rows} = tanh(%q)"
        f" %e: {rows} = add(%c, %d) %f: {rows} = subtract(%q, %c) return {outputs} }} }}"
        f" {after} return {', '.join(f'{name}s' for name in names)} }}",
        ops.OPS,
    )
    plan = check_plan(make_plan(graph))
    assert plan.blocks
    x = np.random.default_rng(0).normal(size=(4096, 64)).astype(np.float32) / 64
    check_results(graph, plan, x, rtol=1e-6)


def test_results_are_counted_with_their_copies() -> None:
    """An array that is handed out twice is copied once; one that is written to a parameter is no result."""
    once = "graph f(%x: f32[3, 5]) { %t: f32[3, 5] = tanh(%x) return %t }"
    twice, given = once.replace("return %t", "return %t, %t"), once.replace("return %t", "return %t, %x")
    assert plan_of(once).usage.results == plan_of(once).usage.allocated == 60
    for text in (twice, given):
        assert plan_of(text).usage.results == plan_of(text).usage.allocated == 120
    assert check_plan(make_plan(parse(once.replace("return %t", "return %t into %x"), ops.OPS))).usage.results == 0


@pytest.mark.parametrize("shared", ["reshape_like(%a, %like)", "broadcast_like(%a, %like)", "reshape_like(%b, %like)"])
def test_what_a_kernel_gives_back_lives_on(shared: str) -> None:
    """Kernels may give back an operand's memory: nothing else is written there while the result is read."""
    kind = "f32[64, 64]"
    sum_of = "cumsum({}, axis=0, exclusive=False, reverse=False)"
    graph = parse(
        f"graph f(%x: {kind}, %like: {kind}) {{ %a: {kind} = {sum_of.format('%x')}"
        f" %b: {kind} = broadcast_like(%a, %like) %s: {kind} = {shared}"
        f" %c: {kind} = {sum_of.format('%like')} %d: {kind} = {sum_of.format('%c')} %e: {kind} = {sum_of.format('%d')}"
        f" %r: {kind} = subtract(%s, %e) return %r }}",
        ops.OPS,
    )
    plan = check_plan(make_plan(graph))
    rng = np.random.default_rng(0)
    check_results(graph, plan, *[rng.normal(size=(64, 64)).astype(np.float32) for _ in range(2)])


def test_what_only_the_run_knows_is_counted() -> None:
    """Outputs and temporary values of unknown size are counted separately, each once."""
    for text, unknown in (
        ("(%x: f32[?]) { %a: f32[?] = tanh(%x) return %a }", 1),
        ("(%x: f32[?]) { %a: f32[?] = tanh(%x) %b: f32[?] = exp(%a) return %b }", 2),
        ("(%x: f32[?], %y: f32[3]) { %a: f32[?] = tanh(%x) %b: f32[3] = exp(%y) return %a, %b, %a }", 2),
    ):
        usage = plan_of(f"graph f{text}").usage
        assert usage.unknown == unknown, text


@pytest.mark.parametrize("view", ["reverse(%p, axes=(1,))", "reshape(%p, shape=(4096, 64))"])
@pytest.mark.parametrize("outputs", ["%q, %e", "%e, %q", "%q", "%q, %q"])
def test_a_block_gives_a_view_of_an_input_that_dies(view: str, outputs: str) -> None:
    """A block does not overwrite rows of a view that it has not read yet, even if nothing reads them later."""
    rows = "f32[4096, 64]"
    names = [f"%v{number}" for number in range(len(outputs.split(", ")))]
    after = " ".join(f"{name}s: {rows} = cumsum({name}, axis=0, exclusive=False, reverse=False)" for name in names)
    graph = parse(
        f"graph f(%x: {rows}) {{ %a: {rows} = cumsum(%x, axis=1, exclusive=False, reverse=False)"
        f" {', '.join(f'{name}: {rows}' for name in names)} = fused(%a, rows=1) {{"
        f" body = graph b(%p: {rows}) {{ %q: {rows} = {view} %e: {rows} = exp(%p) return {outputs} }} }}"
        f" {after} return {', '.join(f'{name}s' for name in names)} }}",
        ops.OPS,
    )
    plan = check_plan(make_plan(graph))
    assert plan.blocks
    x = np.random.default_rng(0).normal(size=(4096, 64)).astype(np.float32) / 64
    # The last bits of sums by products depend on the number of the BLAS' threads.
    check_results(graph, plan, x, atol=1e-4)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("twice", [False, True])
def test_gathered_elements_overwrite_their_positions(twice: bool, bits: int) -> None:
    """Positions that one gather reads last get its result; those that two read are not overwritten by the first."""

    def program(x: Tensor, y: Tensor, i: Tensor) -> Tensor:
        found = x[abs(i)]
        return found * y[abs(i)] if twice else found

    random = np.random.default_rng(0)
    x, y = (Tensor(random.standard_normal(size).astype(f"float{bits}")) for size in (90, 70))
    i = Tensor(random.integers(-69, 69, 1003).astype(f"int{bits}"))
    step = jit(program)
    assert (f".view(float{bits})" in step.stages(x, y, i).program) is not twice
    np.testing.assert_array_equal(step(x, y, i).asnumpy(), program(x, y, i).asnumpy())


class _DrawnConds:
    """The text of a random graph of conditions inside one another, with two results each."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        inputs = "%p: bool[], %q: bool[], %r: bool[], %x: f32[3], %y: f32[3]"
        self.text = f"graph f({inputs}) {{ {self.body(['%x', '%y'], 3)} }}"

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def body(self, known: list[str], depth: int) -> str:
        """Nodes on known values, and the outputs."""
        known, nodes = [*known], []
        for _ in range(self.random.randint(0, 3)):
            if depth and self.random.random() < 0.6:
                one, other = self.name(), self.name()
                test, given = self.random.choice(["%p", "%q", "%r"]), self.random.choices(known, k=2)
                branches = [self.branch(depth - 1) for _ in range(2)]
                nodes.append(f"{one}: f32[3], {other}: f32[3] = cond({test}, %p, %q, %r, {', '.join(given)}) "
                             f"{{ then = {branches[0]} orelse = {branches[1]} }}")  # fmt: skip
                known += [one, other]
            else:
                result, op = self.name(), self.random.choice(["add", "multiply", "subtract"])
                nodes.append(f"{result}: f32[3] = {op}({', '.join(self.random.choices(known, k=2))})")
                known.append(result)
        return " ".join([*nodes, f"return {', '.join(self.random.choices(known[-4:], k=2))}"])

    def branch(self, depth: int) -> str:
        one, other = self.name(), self.name()
        parameters = f"%p: bool[], %q: bool[], %r: bool[], {one}: f32[3], {other}: f32[3]"
        return f"graph branch({parameters}) {{ {self.body([one, other], depth)} }}"


@pytest.mark.parametrize("seed", range(60))
def test_results_of_conditions_inside_others(seed: int) -> None:
    """A condition computes its results where the one around it wants them, whichever of them that are."""
    graph = parse(_DrawnConds(seed).text, ops.OPS)
    off = frozenset({"kernels", "branches"} if seed % 2 else ())
    run = compile_graph(graph, name="f", options=Options(off, debug=True)).run
    x, y = np.float32([0.5, -1, 2]), np.float32([1.5, 0.25, -0.5])
    for tests in itertools.product([np.array(False), np.array(True)], repeat=3):
        for found, right in zip(run(*tests, x, y), interpret(graph, [*tests, x, y]), strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-6)


def test_results_of_conditions_inside_others_are_not_copied() -> None:
    """A chain of `elif` writes its result once, wherever it is computed."""
    branch = "graph b(%d: f32[3]) {{ %e: f32[3] = {}(%d) return %e }}".format
    inner = f"%c: f32[3] = cond(%q, %b) {{ then = {branch('exp')} orelse = {branch('sin')} }}"
    outer = "then = graph t(%q: bool[], %b: f32[3]) { %h: f32[3] = tanh(%b) return %h } "
    outer += f"orelse = graph e(%q: bool[], %b: f32[3]) {{ {inner} return %c }}"
    text = f"graph f(%p: bool[], %q: bool[], %x: f32[3]) {{ %a: f32[3] = cond(%p, %q, %x) {{ {outer} }} return %a }}"
    program = compile_graph(parse(text, ops.OPS), name="f", options=Options(debug=True))
    assert program.plan.buffers == ()
    assert "[...] =" not in program.source
    x = np.float32([0.5, -1, 2])
    for p, q, function in ((1, 0, np.tanh), (0, 1, np.exp), (0, 0, np.sin)):
        np.testing.assert_allclose(program.run(np.array(bool(p)), np.array(bool(q)), x)[0], function(x), rtol=1e-5)


_LOOP = (
    "%u: f32[3], %n: i64[] = while_loop(%r, carried=1) {"
    " test = graph t(%q: f32[3])"
    " { %m: f32[] = max(%q, axis=(0,), keepdims=False) %l: bool[] = less(%m, 1.0) return %l }"
    " body = graph w(%q: f32[3]) { %p: f32[3] = add(%q, 0.5) return %p } }"
)
SCANS: dict[str, tuple[str, str, bool]] = {
    # The body of a scan over %a, what is computed behind it, and whether its stack is written over %a.
    "one node reads the row": ("%y: f32[3] = exp(%r) return %s, %y", "negative(%b)", True),
    "the last of two gives the stack": (
        "%z: f32[3] = exp(%r) %y: f32[3] = add(%z, %r) return %s, %y",
        "negative(%b)",
        True,
    ),
    "the row is read behind": ("%y: f32[3] = exp(%s) %z: f32[3] = add(%y, %r) return %z, %y", "negative(%b)", False),
    "the row is the next state": ("%y: f32[3] = exp(%s) return %r, %y", "negative(%b)", False),
    "a view of the row is read": (
        "%v: f32[3] = reverse(%r, axes=(0,)) %y: f32[3] = exp(%v) return %s, %y",
        "negative(%b)",
        False,
    ),
    "a view of the row is read behind": (
        "%v: f32[3] = reverse(%r, axes=(0,)) %y: f32[3] = exp(%r) %z: f32[3] = add(%v, %y) return %z, %y",
        "negative(%b)",
        False,
    ),
    "a loop reads the row": (f"{_LOOP} %y: f32[3] = exp(%u) return %s, %y", "negative(%b)", True),
    "a loop reads the row, which is read behind": (
        f"{_LOOP} %y: f32[3] = exp(%u) %z: f32[3] = add(%y, %r) return %z, %y",
        "negative(%b)",
        False,
    ),
    "the operand is read behind": ("%y: f32[3] = exp(%r) return %s, %y", "add(%a, %c)", False),
}


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", SCANS)
def test_a_stack_over_the_rows_that_it_follows_from(name: str, reverse: bool) -> None:
    """A scan writes a row over one that it has read for the last time, and over no other."""
    body, behind, over = SCANS[name]
    graph = parse(
        "graph f(%x: f32[3], %w: f32[4, 3]) { %a: f32[4, 3] = cumsum(%w, axis=0, exclusive=False, reverse=False)"
        f" %t: f32[3], %c: f32[4, 3] = scan(4, %x, %a, carried=1, scanned=1, length=4, reverse={reverse}) {{"
        f" body = graph b(%i: i64[], %s: f32[3], %r: f32[3]) {{ {body} }} }} %b: f32[4, 3] = add(%c, %t)"
        f" %e: f32[4, 3] = {behind}"
        " %d: f32[4, 3] = cumsum(%e, axis=0, exclusive=False, reverse=False) return %b, %d }",
        ops.OPS,
    )
    plan = check_plan(make_plan(graph))
    stack, source = (next(value for value in plan.storage if value.name == name) for name in "ca")
    assert (plan.storage[stack].allocation.find() is plan.storage[source].allocation.find()) is over
    rng = np.random.default_rng(0)
    check_results(graph, plan, *[rng.normal(size=shape).astype(np.float32) / 4 for shape in ((3,), (4, 3))])


def test_equal_nodes_have_one_view_of_their_values() -> None:
    made = plan_of("""
    graph f(%x: f32[5, 3], %y: f32[3, 5]) {
      %v: f32[5, 3] = exp(%x)
      %w: f32[5, 3] = tanh(%x)
      %u: f32[3, 5] = tanh(%y)
      %a: f32[3, 5] = transpose(%v, axes=(1, 0))
      %b: f32[3, 5] = transpose(%w, axes=(1, 0))
      %c: f32[5, 3] = transpose(%u, axes=(1, 0))
      return %a, %b, %c
    }
    """)
    a, b, c = [made.layouts[node.output] for node in made.graph.nodes if node.op is ops.transpose]
    assert a is b
    assert (a.shape, a.strides) == ((3, 5), (4, 12))
    assert (c.shape, c.strides) == ((5, 3), (4, 20))


def test_updates_that_are_summed_are_in_place() -> None:
    """Where a kernel updates a parameter and adds up what it computes, as a norm, the parameter is written in place."""
    text = """graph f(%x: f32[256, 64], %y: f32[64, 256], %m: f32[256, 256], %p: f32[256, 256]) {
  %g: f32[256, 256] = matmul(%x, %y)
  %n: f32[256, 256] = add(%m, %g)
  %u: f32[256, 256] = tanh(%n)
  %v: f32[256, 256] = multiply(%u, %u)
  %s: f32[] = sum(%v, axis=(0, 1), keepdims=False)
  %r: f32[256, 256] = multiply(%u, %s)
  %q: f32[256, 256] = subtract(%p, %r)
  return %n into %m, %q into %p
}"""
    graph = parse(text, ops.OPS)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    check_plan(compiled.plan)
    if unavailable() is None:
        assert compiled.plan.nbytes < 256 * 256 * 4 + 1024  # the product, over which the tanh is written
    arrays = [
        np.random.default_rng(i).normal(size=value.type.static_shape).astype(np.float32) / 8
        for i, value in enumerate(graph.parameters)
    ]
    expected = interpret(graph, [array.copy() for array in arrays])
    compiled.run(*arrays)
    for array, found in zip(expected, arrays[2:], strict=True):
        np.testing.assert_allclose(found, array, rtol=1e-4, atol=1e-5)


@pytest.mark.skipif(unavailable() is not None, reason="kernels are machine code")
@pytest.mark.parametrize("large", [True, False])
def test_large_copies_of_arguments_run_before_their_first_reader(monkeypatch: pytest.MonkeyPatch, large: bool) -> None:
    """It finds them in the cache. What reads large values of nodes stays, for these would live longer."""
    monkeypatch.setattr(schedule, "cache_bytes", lambda: 4 * (64 * 65 * 4) if large else 1 << 40)
    text = """graph f(%k: f32[64, 64], %v: f32[64, 64], %n: f32[64, 1], %w: f32[64, 64], %q: f32[64, 64]) {
  %a: f32[64, 64] = matmul(%q, %w)
  %c: f32[64, 65] = concatenate(%k, %n, axis=1)
  %d: f32[64, 65] = concatenate(%n, %v, axis=1)
  %e: f32[64, 65] = concatenate(%n, %a, axis=1)
  %s: f32[64, 65] = matmul(%w, %c)
  %t: f32[64, 65] = matmul(%w, %d)
  %u: f32[64, 65] = matmul(%w, %e)
  return %c, %d, %s, %t, %u
}"""
    graph = parse(text, ops.OPS)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    made = [node.output.name for node in compiled.plan.graph.nodes]
    assert (made.index("d") > made.index("s")) is large
    assert made.index("e") < made.index("s")
    arrays = [np.random.default_rng(1).normal(size=x.type.static_shape).astype(np.float32) for x in graph.parameters]
    for found, expected in zip(compiled.run(*arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)

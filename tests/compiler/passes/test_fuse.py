"""Fusion into groups: the nodes that run together, the nodes that may not, and the division into blocks."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, Node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.verifier import verify
from mycel.compiler.kernels import blocks
from mycel.compiler.memory.planner import check_plan, make_plan
from mycel.compiler.passes.fuse import fuse
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime.blocks import run_blocks

pytestmark = pytest.mark.usefixtures("numpy_only")  # of groups that are not kernels

LARGE = "f32[512, 256]"


def fused(text: str) -> tuple[Graph, list[Node]]:
    """A graph after fusion, and its groups."""
    graph = verify(fuse(verify(parse(text.replace("LARGE", LARGE), ops.OPS))))
    return graph, [node for node in graph.nodes if node.op is ops.fused]


def test_a_chain_is_one_group() -> None:
    """Elementwise nodes one after the other run together, over all dimensions."""
    graph, (group,) = fused(
        "graph f(%x: LARGE) { %a: LARGE = tanh(%x) %b: LARGE = exp(%a) %c: LARGE = multiply(%a, %b) return %c }"
    )
    assert len(graph.nodes) == 1
    assert group.attrs["rows"] == 2


def test_a_reduction_within_the_rows() -> None:
    """A softmax is one group whose rows end where the reductions begin."""
    _, (group,) = fused(
        "graph f(%x: LARGE) { %m: f32[512, 1] = max(%x, axis=(1,), keepdims=True) %s: LARGE = subtract(%x, %m) "
        "%e: LARGE = exp(%s) %t: f32[512, 1] = sum(%e, axis=(1,), keepdims=True) %y: LARGE = divide(%e, %t) return %y }"
    )
    assert group.attrs["rows"] == 1
    assert len(group.attrs["body"].nodes) == 5


def test_a_reduction_over_the_rows_ends_a_group() -> None:
    """A sum over all rows is an output of the group; its readers wait for all blocks."""
    graph, groups = fused(
        "graph f(%x: LARGE) { %a: LARGE = tanh(%x) %s: f32[256] = sum(%a, axis=(0,), keepdims=False) "
        "%b: LARGE = subtract(%a, %s) %y: LARGE = exp(%b) return %y }"
    )
    assert [len(group.attrs["body"].nodes) for group in groups] == [2, 2]
    assert [len(group.outputs) for group in groups] == [2, 1]
    assert graph.nodes == tuple(groups)


def test_no_path_leaves_a_group_and_returns() -> None:
    """Nodes before and after a product that both depend on one another do not run together."""
    _, groups = fused(
        "graph f(%x: f32[300, 300]) { %a: f32[300, 300] = tanh(%x) %b: f32[300, 300] = exp(%a) "
        "%p: f32[300, 300] = matmul(%b, %x) %c: f32[300, 300] = add(%p, %a) %y: f32[300, 300] = exp(%c) return %y }"
    )
    assert [len(group.attrs["body"].nodes) for group in groups] == [2, 2]


def test_what_is_read_whole_is_not_in_the_group() -> None:
    """A value that every row reads in full must be complete before."""
    _, groups = fused(
        "graph f(%x: f32[200, 200]) { %a: f32[200, 200] = tanh(%x) %b: f32[200, 200] = exp(%a) "
        "%c: f32[3, 200, 200] = multiply(%b, 2.0) %y: f32[3, 200, 200] = tanh(%c) return %y }".replace(
            "%c: f32[3, 200, 200] = multiply(%b, 2.0)",
            "%o: f32[3, 1, 1] = full(shape=(3, 1, 1), value=2.0, dtype=f32) %c: f32[3, 200, 200] = multiply(%b, %o)",
        )
    )
    assert len(groups) == 2


@pytest.mark.parametrize(
    ("view", "shape", "rows"),
    [
        ("slice(%x, start=(0, 1, 0), stop=(40, 31, 50), step=(1, 1, 1))", "40, 30, 50", 1),
        ("slice(%x, start=(3, 0, 0), stop=(33, 40, 50), step=(1, 1, 1))", "30, 40, 50", 3),
        ("slice(%x, start=(0, 0, 2), stop=(40, 40, 48), step=(1, 1, 1))", "40, 40, 46", 2),
        ("transpose(%x, axes=(0, 2, 1))", "40, 50, 40", 1),
        ("reshape(%x, shape=(50, 40, 40))", "50, 40, 40", 3),
    ],
)
def test_inputs_with_gaps_are_not_copied(view: str, shape: str, rows: int) -> None:
    """A group's rows are as many dimensions as its inputs have without gaps between them."""
    text = (
        ("graph f(%x: f32[40, 40, 50]) { %v: SEEN = VIEW %a: SEEN = add(%v, 1.0) %y: SEEN = tanh(%a) return %y }")
        .replace("SEEN", f"f32[{shape}]")
        .replace("VIEW", view)
    )
    graph, (group,) = fused(text)
    assert group.attrs["rows"] == rows
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=Options(debug=True))
    x = np.random.default_rng(0).normal(size=(40, 40, 50)).astype(np.float32)
    np.testing.assert_allclose(compiled.run(x)[0], interpret(graph, [x])[0], rtol=1e-6)


def test_small_graphs_stay() -> None:
    """Below the size of a cache there is nothing to gain."""
    text = "graph f(%x: f32[10, 10]) { %a: f32[10, 10] = tanh(%x) %b: f32[10, 10] = exp(%a) return %b }"
    assert fused(text)[1] == []


def test_updates_are_kept_apart() -> None:
    """Updates of parameters are never in a group with other nodes, so that they may run last."""
    text = (
        "graph f(%p: LARGE, %x: LARGE) { %g: LARGE = tanh(%x) %h: LARGE = exp(%g) %s: LARGE = multiply(%h, 0.1) "
        "%n: LARGE = subtract(%p, %s) %l: f32[] = sum(%g, axis=(0, 1), keepdims=False) return %l, %n into %p }"
    ).replace("LARGE", LARGE)
    graph = parse(text, ops.OPS)
    groups = [node for node in fuse(graph).nodes if node.op is ops.fused]
    assert len(groups) == 2
    assert groups[1].outputs == (graph.outputs[1],)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    assert "copyto(p, n)" not in compiled.source  # p is written block by block
    rng = np.random.default_rng(0)
    p, x = (rng.normal(size=(512, 256)).astype(np.float32) for _ in range(2))
    loss, new = interpret(graph, [p.copy(), x])
    results = compiled.run(p, x)
    np.testing.assert_allclose(p, new, rtol=1e-6)
    np.testing.assert_allclose(results[0], loss, rtol=1e-4)


def test_parameters_that_are_not_contiguous_are_updated() -> None:
    """An update by blocks of a parameter that cannot be seen by rows is copied back."""
    text = "graph f(%p: LARGE) { %s: LARGE = tanh(%p) %n: LARGE = subtract(%p, %s) return %n into %p }".replace(
        "LARGE", LARGE
    )
    graph = parse(text, ops.OPS)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    whole = np.random.default_rng(0).normal(size=(512, 512)).astype(np.float32)
    p = whole[:, ::2]
    expected = p - np.tanh(p)
    others = whole[:, 1::2].copy()
    compiled.run(p)
    np.testing.assert_allclose(p, expected, rtol=1e-6)
    np.testing.assert_array_equal(whole[:, 1::2], others)


def test_blocks_hold_as_many_rows_as_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dead values take no room: three values of five live at once. The number of rows divides all rows, if one can."""
    monkeypatch.setattr(blocks, "thread_count", lambda: 1)
    _, (group,) = fused(
        "graph f(%x: f32[100000]) { %a: f32[100000] = tanh(%x) %b: f32[100000] = exp(%a) "
        "%c: f32[100000] = cos(%b) %d: f32[100000] = add(%c, %x) return %d }"
    )
    for fitting, rows in (
        (1000, 1000),
        (1249, 1000),
        (1251, 1250),
        (999, 800),
        (15, 15),
        (7, 5),
        (1, 1),
        (10**6, 100000),
    ):
        cache = int(fitting * 3 * 4 / blocks.CACHE_SHARE)
        monkeypatch.setattr(blocks, "cache_bytes", lambda cache=cache: cache)
        assert blocks.make_block(group).size == rows


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("rows", [512, 509])
def test_blocks_of_any_size(threads: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that no block size divides, more threads than blocks, sums over the blocks."""
    monkeypatch.setattr(blocks, "thread_count", lambda: threads)
    monkeypatch.setattr(blocks, "cache_bytes", lambda: 1 << 15)
    text = (
        f"graph f(%x: f32[{rows}, 256], %b: f32[256]) {{ %a: f32[{rows}, 256] = add(%x, %b) "
        f"%t: f32[{rows}, 256] = tanh(%a) %s: f32[256] = sum(%t, axis=(0,), keepdims=False) "
        f"%m: f32[] = max(%t, axis=(0, 1), keepdims=False) %r: f32[{rows}] = sum(%t, axis=(1,), keepdims=False) "
        "return %t, %s, %m, %r }"
    )
    graph = parse(text, ops.OPS)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    (planned,) = compiled.plan.blocks.values()
    assert planned.block.threads == threads
    assert planned.block.size < rows
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(rows, 256)).astype(np.float32), rng.normal(size=256).astype(np.float32)]
    for found, expected in zip(compiled.run(*arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("cache", [1 << 17, 1 << 18])
@pytest.mark.parametrize("rows", [16, 17, 26])
def test_blocks_of_rows_that_are_seen_in_another_shape(rows: int, cache: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reshapes within a group, and sums by products, where the last block has fewer rows (as in a group norm)."""
    monkeypatch.setattr(blocks, "thread_count", lambda: 1)
    monkeypatch.setattr(blocks, "cache_bytes", lambda: cache)
    whole, parts, one = f"f32[{rows}, 32, 64]", f"f32[{rows}, 4, 512]", f"f32[{rows}, 4, 1]"
    text = (
        f"graph f(%x: {whole}, %b: f32[32, 1]) {{ %a: {whole} = add(%x, %b) "
        f"%g: {parts} = reshape(%a, shape=({rows}, 4, 512)) %s: {one} = sum(%g, axis=(2,), keepdims=True) "
        f"%n: {one} = multiply(%s, 0.002) "
        f"%d: {parts} = subtract(%g, %n) %w: {whole} = reshape(%d, shape=({rows}, 32, 64)) %t: {whole} = tanh(%w) "
        f"%r: f32[{rows}, 32] = sum(%t, axis=(2,), keepdims=False) return %t, %w, %r }}"
    )
    graph = parse(text, ops.OPS)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    assert compiled.plan.blocks
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(rows, 32, 64)).astype(np.float32), rng.normal(size=(32, 1)).astype(np.float32)]
    for found, expected in zip(compiled.run(*arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rows", [509, 512])
def test_sums_within_rows_of_several_dimensions(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several sums in one row of a group are right in a last block with fewer rows too."""
    monkeypatch.setattr(blocks, "thread_count", lambda: 1)
    monkeypatch.setattr(blocks, "cache_bytes", lambda: 1 << 16)
    whole = f"f32[{rows}, 8, 32]"
    text = (
        f"graph f(%x: {whole}, %b: f32[8, 32]) {{ %a: {whole} = multiply(%x, %b) %t: {whole} = tanh(%a) "
        f"%m: f32[{rows}, 1, 1] = max(%t, axis=(1, 2), keepdims=True) %d: {whole} = subtract(%t, %m) "
        f"%r: f32[{rows}, 8] = sum(%d, axis=(2,), keepdims=False) return %d, %r }}"
    )
    graph = parse(text, ops.OPS)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    (planned,) = compiled.plan.blocks.values()
    assert planned.block.size < rows
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(rows, 8, 32)).astype(np.float32), rng.normal(size=(8, 32)).astype(np.float32)]
    for found, expected in zip(compiled.run(*arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("keepdims", [True, False])
@pytest.mark.parametrize("shape", [(17, 3), (17, 3, 2), (17, 1, 6)])
@pytest.mark.parametrize("read", ["a", "x"])
def test_sums_by_products_in_a_shorter_last_block(
    read: str, shape: tuple[int, ...], keepdims: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A product sees its operand and its result in other shapes, which have as many rows as each block has."""
    monkeypatch.setattr("mycel.compiler.passes.fuse.SMALLEST_GROUP", 2)
    monkeypatch.setattr(blocks, "thread_count", lambda: 1)
    monkeypatch.setattr(blocks, "cache_bytes", lambda: 200)
    whole, axis = f"f64{list(shape)}", tuple(range(1, len(shape)))
    sums = f"f64{[17, *(1,) * (len(axis) if keepdims else 0)]}"
    text = (
        f"graph f(%x: {whole}) {{ %a: {whole} = sin(%x) %s: {sums} = sum(%{read}, axis={axis}, keepdims={keepdims}) "
        f"%c: {sums} = cos(%s) return %a, %s, %c }}"
    )
    graph = parse(text, ops.OPS)
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    assert any(17 % planned.block.size for planned in compiled.plan.blocks.values())
    array = np.random.default_rng(0).normal(size=shape)
    for found, expected in zip(compiled.run(array), interpret(graph, [array]), strict=True):
        np.testing.assert_allclose(found, expected)


def test_groups_share_the_arena() -> None:
    """A group's scratch is planned like any other buffer."""
    graph, _ = fused(
        "graph f(%x: LARGE) { %a: LARGE = tanh(%x) %b: LARGE = exp(%a) %s: f32[] = sum(%b, axis=(0, 1), "
        "keepdims=False) "
        "return %s }"
    )
    plan = check_plan(make_plan(graph))
    assert any(buffer.name == "scratch" for buffer in plan.buffers)
    assert plan.nbytes < 512 * 256 * 4 * (1 + blocks.thread_count())


@pytest.mark.parametrize(("read", "in_place"), [("x", 2), ("p", 1)])
def test_a_block_computes_where_its_output_goes(read: str, in_place: int) -> None:
    """A Parameter's new numbers are computed in the memory of the old ones, unless these are read later."""
    text = (
        "graph f(%p: LARGE, %x: LARGE) { %a: LARGE = multiply(%p, 0.5) %b: LARGE = multiply(%x, 2.0) "
        f"%c: LARGE = tanh(%{read}) %n: LARGE = add(%a, %b) %s: LARGE = add(%n, %c) return %n into %p, %s into %x }}"
    ).replace("LARGE", LARGE)
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=Options(debug=True))
    (planned,) = compiled.plan.blocks.values()
    graph, storage = planned.block.graph, planned.plan.storage
    allocations = [storage[node.output].allocation.find() for node in graph.nodes]
    assert allocations.count(storage[graph.outputs[0]].allocation.find()) == in_place  # type: ignore[index]
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=(512, 256)).astype(np.float32) for name in ("p", "x")}
    new, other = arrays["p"] * np.float32(0.5) + arrays["x"] * np.float32(2), np.tanh(arrays[read])
    compiled.run(*arrays.values())
    np.testing.assert_allclose(arrays["p"], new, rtol=1e-6)
    np.testing.assert_allclose(arrays["x"], new + other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("bad", [0, 1, 2, 3])
def test_errors_in_a_worker_are_raised(bad: int) -> None:
    """An error in a piece, on any thread, is raised in the calling thread; the workers survive."""

    def work(start: int, stop: int, done: list[int], *scratch: int) -> None:
        if start == bad * 5:
            raise ValueError("in a piece")
        done.append(stop)

    for _ in range(2):
        with pytest.raises(ValueError, match="in a piece"):
            run_blocks(work, 20, 5, ([],), [(0,), (1,)], [()] * 4)
    done: list[int] = []
    run_blocks(lambda start, stop, *_: done.append(stop), 18, 5, (), [(0,), (1,)], [()] * 4)
    assert sorted(done) == [5, 10, 15, 18]


def test_sums_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run after run the same bits, whichever thread took which piece."""
    monkeypatch.setattr(blocks, "thread_count", lambda: 3)
    text = (
        "graph f(%x: LARGE) { %a: LARGE = tanh(%x) %b: LARGE = exp(%a) %s: f32[] = sum(%b, axis=(0, 1), "
        "keepdims=False) "
        "return %s }"
    ).replace("LARGE", LARGE)
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=Options(debug=True))
    x = np.random.default_rng(0).normal(size=(512, 256)).astype(np.float32)
    assert len({compiled.run(x)[0].item() for _ in range(20)}) == 1


def test_one_thread_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads can be switched off by name."""
    monkeypatch.setattr(blocks, "thread_count", lambda: 2)
    graph, _ = fused("graph f(%x: LARGE) { %a: LARGE = tanh(%x) %b: LARGE = exp(%a) return %b }")
    assert [planned.block.threads for planned in make_plan(graph).blocks.values()] == [2]
    assert [planned.block.threads for planned in make_plan(graph, disabled={"threads"}).blocks.values()] == [1]

"""Programs: fresh results, donated outputs, nothing kept between calls, threads, calls within calls, tracebacks."""

from __future__ import annotations

import contextvars
import gc
import linecache
import threading
import traceback
import tracemalloc
import warnings
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn_graphs import FEW, Case, assert_same, cases
from hypothesis import given, strategies as st

import mycel as ms
from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import ACTIVE, Op
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import parse_type
from mycel.compiler.ir.values import literal
from mycel.compiler.pipeline import Compiled, Options, compile_graph
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes, program as program_module
from mycel.runtime.arena import (
    ALIGNMENT,
    KEPT,
    LARGE,
    Arena,
    Recycled,
    aligned_copy,
    aligned_empty,
    aligned_zeros,
    recycled,
)
from mycel.runtime.program import Program
from mycel.runtime.threads import sharing

DEBUG = Options(debug=True)


def compiled(function: Any, *types: str, **options: Any) -> Compiled:
    """The program of a function on symbols of these types."""
    graph = record("program", [parse_type(text) for text in types], function)
    graph = replace(graph, donated=options.pop("donated", {}))
    return compile_graph(graph, name=options.pop("name", "program"), options=DEBUG, **options)


def sgd(p: Symbol, m: Symbol, x: Symbol) -> list[Symbol]:
    """A step with momentum on a parameter p, and a loss."""
    gradient = ops.tanh(p * x)
    momentum = m * 0.9 + gradient
    return [ops.sum(gradient, axis=(0,), keepdims=False), p - momentum * 0.1, momentum]


def test_results_are_fresh() -> None:
    """Results share memory neither with one another, nor with inputs, nor with results of another run."""
    run = compiled(
        lambda x: [x, x, ops.tanh(x), ops.reshape(ops.tanh(x), shape=(6,)), ops.transpose(x, axes=(1, 0))], "f32[2, 3]"
    ).run
    x = np.ones((2, 3), np.float32)
    arrays = [x, *run(x), *run(x)]
    for i, a in enumerate(arrays):
        for b in arrays[:i]:
            assert not np.shares_memory(a, b)
    before = [array.copy() for array in arrays[1:6]]
    run(x + 1)
    for array, copy in zip(arrays[1:6], before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_commits_write_into_parameters() -> None:
    """Committed outputs are written into the arrays that were given, and returned in their places."""
    step = compiled(sgd, "f32[3]", "f32[3]", "f32[3]", donated={1: 0, 2: 1})
    p, m, x = np.float32([1, 2, 3]), np.float32([0, 1, 0]), np.float32([0.5, -1, 2])
    expected = interpret(record("sgd", [parse_type("f32[3]")] * 3, sgd), [p.copy(), m.copy(), x])
    loss, new_p, new_m = step.run(p, m, x)
    assert new_p is p
    assert new_m is m
    assert_same([loss, p, m], expected)


def test_commits_need_no_copies() -> None:
    """An update is computed right in the parameter's array."""
    source = compiled(sgd, "f32[3]", "f32[3]", "f32[3]", donated={1: 0, 2: 1}).source
    assert "copy" not in source


def test_an_error_leaves_parameters_as_they_were() -> None:
    """A check that fails, wherever it stands, happens before any commit."""

    def step(p: Symbol, m: Symbol, x: Symbol) -> list[Symbol]:
        results = sgd(p, m, x)
        check = ops.assert_
        check(ops.less(results[0], 100.0), template=("too large",), exception="ValueError")
        return results

    run = compiled(step, "f32[3]", "f32[3]", "f32[3]", donated={1: 0, 2: 1}).run
    p, m, x = np.float32([1, 2, 3]), np.float32([0, 1, 0]), np.float32([np.nan, -1, 2])
    with pytest.raises(ValueError, match="too large"):
        run(p, m, x)
    np.testing.assert_array_equal(p, [1, 2, 3])
    np.testing.assert_array_equal(m, [0, 1, 0])
    run(p, m, np.float32([1, 1, 1]))  # the program still works
    assert p[0] < 1


def test_commits_happen_all_at_once() -> None:
    """Two parameters exchange their values; a third takes an old value."""
    run = compiled(lambda p, q, r: [q, p, p + q], "f32[2]", "f32[2]", "f32[2]", donated={0: 0, 1: 1, 2: 2}).run
    p, q, r = np.float32([1, 2]), np.float32([3, 4]), np.float32([0, 0])
    run(p, q, r)
    np.testing.assert_array_equal([p, q, r], [[3, 4], [1, 2], [4, 6]])


def test_commit_needs_the_type_of_its_parameter() -> None:
    """A shape that differs is refused when compiling."""
    with pytest.raises(ValueError, match=r"f32\[3, 2\] cannot be written to parameter 0 of type f32\[2\]"):
        compiled(lambda p: ops.broadcast_to(p, shape=(3, 2)), "f32[2]", donated={0: 0})


@FEW
@given(cases(gradient=True), st.data())
def test_random_donated_outputs(case: Case, data: st.DataObject) -> None:
    """Whatever is committed: results are as without, the arrays get the values, and other inputs stay."""
    graph = case.graph
    donated: dict[int, int] = {}
    for position, parameter in enumerate(graph.parameters):
        fitting = [i for i, output in enumerate(graph.outputs) if output.type == parameter.type and i not in donated]
        if fitting and data.draw(st.booleans()):
            donated[data.draw(st.sampled_from(fitting))] = position
    arrays = [a.copy() if i in donated.values() else a for i, a in enumerate(case.arrays)]
    expected = interpret(graph, case.arrays)
    run = compile_graph(replace(graph, donated=donated), name="drawn", options=DEBUG).run
    results = run(*arrays)
    assert_same(results, expected)
    for output, parameter in donated.items():
        assert results[output] is arrays[parameter]
    for i, (array, before) in enumerate(zip(arrays, case.arrays, strict=True)):
        if i not in donated.values():
            np.testing.assert_array_equal(array, before)


TWICE = """graph twice(%x: f64[2], %p: f64[2], %q: f64[2]) {
  %a: f64[2] = tanh(%x)
  %b: f64[2] = add(%a, %p)
  %c: f64[2] = multiply(%b, 2.0:f64)
  return %b, %b, %c, %p
}"""


@pytest.mark.parametrize("donated", [{0: 1}, {1: 1}, {0: 1, 1: 2}, {0: 2, 2: 1}, {2: 1}])
def test_a_value_that_is_committed_and_returned_again(donated: dict[int, int]) -> None:
    """Each of its arrays has the new numbers, whichever of them it is computed in."""
    arrays = np.array([0.1, 0.2]), np.array([1.0, 2.0]), np.array([3.0, 4.0])
    total = np.tanh(arrays[0]) + arrays[1]
    expected = total, total, 2 * total, arrays[1].copy()
    results = compile_graph(replace(parse(TWICE, ops.OPS), donated=donated), name="twice", options=DEBUG).run(*arrays)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted)
    for output, parameter in donated.items():
        assert results[output] is arrays[parameter]


def test_nothing_of_a_call_is_kept() -> None:
    """Inputs and results of a call are gone once their owner lets them go."""
    run = compiled(lambda x: [ops.tanh(x), ops.sum(x * x, axis=(0,), keepdims=False)], "f32[1000]").run
    x = np.ones(1000, np.float32)
    results = run(x)
    watched = [weakref.ref(array) for array in (x, *results)]
    del x, results
    assert [reference() for reference in watched] == [None, None, None]


@pytest.mark.usefixtures("collects_own")
def test_memory_stays_flat_over_many_calls() -> None:
    """A thousand calls leave no more memory in use than one."""
    run = compiled(sgd, "f32[500]", "f32[500]", "f32[500]", donated={1: 0, 2: 1}).run
    arrays = [np.ones(500, np.float32) for _ in range(3)]
    tracemalloc.start()
    try:
        for _ in range(20):
            run(*arrays)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        for _ in range(1000):
            run(*arrays)
        gc.collect()
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 1000
    assert peak - before < 10_000


def test_threads_share_a_program() -> None:
    """Runs in several threads at once give each its own results."""
    run = compiled(lambda x: ops.tanh(ops.matmul(x, x)) * 2.0 + x, "f32[60, 60]").run
    rng = np.random.default_rng(0)
    inputs = [rng.normal(size=(60, 60)).astype(np.float32) for _ in range(4)]
    expected = [run(x)[0] for x in inputs]
    wrong: list[int] = []

    def work(index: int) -> None:
        for _ in range(200):
            if not np.array_equal(run(inputs[index])[0], expected[index]):
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_program_runs_within_itself() -> None:
    """A kernel that calls the program again does not disturb the call it is in."""
    calls: list[Any] = []

    def inner(array: np.ndarray) -> tuple[Any, ...]:
        if len(calls) < 3:
            calls.append(None)
            calls[-1] = program.run(np.full(3, 7.0))
        return ()

    source = (
        "import numpy as np\n"
        "def bind(arena):\n"
        "    t = arena.array(0, (3,), np.float64)\n"
        "    def outer(x):\n"
        "        np.multiply(x, 2.0, t)\n"
        "        kernels['inner'](t)\n"
        "        return (t.copy(),)\n"
        "    return outer\n"
    )
    program = Program("outer", source, 64, {}, {"inner": inner})
    np.testing.assert_array_equal(program(np.arange(3.0))[0], [0, 2, 4])
    assert len(calls) == 3


def test_no_warnings_about_floating_point() -> None:
    """Division by zero silently gives inf, and NumPy's settings do not change."""
    run = compiled(lambda x: x / 0.0, "f32[2]").run
    before = np.geterr()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (result,) = run(np.float32([1, 0]))
    np.testing.assert_array_equal(result, [np.inf, np.nan])
    assert np.geterr() == before


def test_effects_see_the_callers_context() -> None:
    """A program prints in the caller's context; its arithmetic still does not warn."""
    setting: contextvars.ContextVar[str] = contextvars.ContextVar("setting", default="unset")
    seen: list[str] = []
    note = Op("note", kind="effect", infer=lambda x: (), kernel=lambda x: seen.append(setting.get()) or ())

    def noting(x: Symbol) -> Symbol:
        note(x)
        return x / 0.0

    run = compiled(noting, "f32[2]").run
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in ("first", "second"):
            setting.set(text)
            run(np.ones(2, np.float32))
    assert seen == ["first", "second"]


@pytest.mark.usefixtures("collects_own")
@pytest.mark.usefixtures("numpy_only")
def test_tracebacks_show_the_source() -> None:
    """An error inside a program shows the program's line; the source goes when the program does."""
    run = compiled(lambda x: ops.tanh(x), "f32[2]", name="shown").run
    with pytest.raises(ValueError, match="broadcast") as caught:
        run(np.ones((3, 3), np.float32))
    text = "".join(traceback.format_exception(caught.value))
    assert "tanh(p_1, tanh_1)  # tanh" in text
    assert "<mycel shown" in text
    files = [name for name in linecache.cache if name.startswith("<mycel shown")]
    assert len(files) == 1
    del run, caught
    gc.collect()
    assert not [name for name in linecache.cache if name.startswith("<mycel shown")]


@pytest.mark.usefixtures("collects_own")
def test_same_program_twice_keeps_its_source() -> None:
    """Two programs of one source share its file name; dropping one leaves the other's source."""
    first = compiled(lambda x: x + 1.0, "f32[2]", name="twice")
    second = compiled(lambda x: x + 1.0, "f32[2]", name="twice")
    assert first.program.file == second.program.file
    file = first.program.file
    del first
    gc.collect()
    assert linecache.getline(file, 1)
    assert second.run(np.zeros(2, np.float32))[0].tolist() == [1, 1]


def test_scalars_in_and_out() -> None:
    """0-d arrays go in and come out as arrays."""
    run = compiled(lambda x, y: [x * y, ops.less(x, y), x + literal_one()], "f32[]", "f32[]").run
    results = run(np.float32(2).reshape(()), np.float32(3).reshape(()))
    assert [(type(r), r.shape, r.item()) for r in results] == [
        (np.ndarray, (), 6.0),
        (np.ndarray, (), True),
        (np.ndarray, (), 3.0),
    ]


def literal_one() -> Symbol:
    """The number one as a symbol."""
    return Symbol(literal(1.0, dtypes.float32), ACTIVE.recorder)


@pytest.mark.parametrize("shape", [(), (0, 3), (5,), (16, 64), (129, 130), (1 << 15,), (3, 1, 1 << 14), (450, 1000)])
def test_large_arrays_start_at_a_cache_line(shape: tuple[int, ...]) -> None:
    """Fresh arrays and copies, also of other layouts and dtypes."""
    made = aligned_empty(shape, "float64")
    assert made.shape == shape
    assert made.flags.c_contiguous
    assert made.flags.writeable
    zeros = aligned_zeros(shape, "float64")
    assert zeros.shape == shape
    assert not zeros.any()
    assert all(array.nbytes < KEPT or array.ctypes.data % ALIGNMENT == 0 for array in (made, zeros))
    source = (np.arange(made.size, dtype=np.float32) % 1000).reshape(shape[::-1]).T
    for dtype in (None, np.float16):
        copy = aligned_copy(source, dtype)
        np.testing.assert_array_equal(copy, source.astype(copy.dtype))
        assert copy.flags.c_contiguous
        assert copy.dtype == (dtype or source.dtype)
        assert not np.may_share_memory(copy, source)
        assert copy.nbytes < KEPT or copy.ctypes.data % ALIGNMENT == 0


PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")


@pytest.mark.skipif(not PAGES.exists() or "[never]" in PAGES.read_text(), reason="the system has no huge pages")
def test_large_memory_has_huge_pages() -> None:
    """8 MB are 4 of them, not 2,048 small ones; arrays begin at various places of their pages."""
    import resource

    addresses = set()
    for make in (lambda: Arena(1 << 23).memory, lambda: aligned_zeros((1 << 23,), np.uint8)):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        array = make()
        array[...] = 1
        assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 1024
        assert len(array) == 1 << 23
        addresses.add(array.ctypes.data % 4096)
    assert len(addresses) == 2


def test_traced_memory_is_numpy_s() -> None:
    """So that `tracemalloc` counts it."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        arena = Arena(1 << 23)
        assert tracemalloc.get_traced_memory()[0] - before >= arena.nbytes
    finally:
        tracemalloc.stop()


def test_memory_is_used_again_when_nobody_holds_it() -> None:
    """Not while an array, a view, or a buffer of it lives; and never more than the limit is kept."""
    memory = Recycled(1 << 22)
    size = LARGE

    def address(array: np.ndarray) -> int:
        return array.__array_interface__["data"][0]

    for hold in (lambda array: array, lambda array: array[5:9], memoryview, lambda array: memoryview(array)[3:]):
        memory.clear()
        first = memory.empty(size)[0]
        place, held = address(first), hold(first)
        del first
        other = memory.empty(size)[0]
        assert address(other) != place
        del held
        again = memory.empty(size)[0]
        assert address(again) == place
        del other, again
    kept = [memory.empty(size * count)[0] for count in range(1, 20)]
    assert sum(array.nbytes for arrays in memory.sizes.values() for array, _ in arrays) <= 1 << 22
    assert len({address(array) for array in kept}) == len(kept)
    many = [memory.empty(size)[0] for _ in range(3 * memory.MOST)]
    assert len({address(array) for array in many}) == len(many)
    assert len(memory.sizes[size]) <= memory.MOST
    memory.clear()
    assert not memory.sizes


def test_threads_never_get_the_same_memory() -> None:
    """Each writes its own number to what it gets."""
    memory = Recycled(1 << 24)
    wrong = []

    def work(number: int) -> None:
        for _ in range(300):
            array = memory.empty(LARGE)[0]
            array[:] = number
            if (array != number).any():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(("processors", "of_blas", "inside"), [(1, 1, 0), (1, 0, 0), (1, 2, 1), (2, 1, 1)])
def test_one_processor_has_nobody_to_share_with(
    processors: int, of_blas: int, inside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the BLAS has threads, which would compete for it."""
    monkeypatch.setattr(program_module, "processor_count", lambda: processors)
    monkeypatch.setattr(program_module, "blas_threads", lambda: of_blas)
    source = "THREADS = True\nlook = kernels['look']\n\ndef bind(arena):\n    return lambda x: (x, look())\n"
    program = Program("shared", source, 64, {}, {"look": lambda: sharing._inside})
    assert program(np.ones(3))[1] == inside


@pytest.mark.usefixtures("collects_own")
def test_memory_of_results_goes_with_a_program() -> None:
    """Large results leave memory for the next ones, but not for ever."""
    gc.collect()
    double = ms.jit(lambda x: x * 2.0)
    x = ms.Tensor(np.ones(1 << 17, np.float32))
    for _ in range(3):
        double(x)
    assert x.nbytes in recycled.sizes
    result = double(x)
    del double
    gc.collect()
    assert not recycled.sizes
    assert result.asnumpy()[-1] == 2

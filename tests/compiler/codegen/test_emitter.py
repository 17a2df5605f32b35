"""Emission: golden files of small programs, the cheapest call for each node, names that clash with nothing.

The golden files show the compiler's output for a small net: read them as an example, and review their changes as a
diff. After an intended change: `UPDATE_GOLDEN=1 .venv/bin/python -m pytest` on this file.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.codegen.writer import MANY, MOST_OFFSETS
from mycel.compiler.ir.attributes import ARRAY
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import ACTIVE, Op
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.types import TensorType, parse_type
from mycel.compiler.ir.values import Literal
from mycel.compiler.pipeline import Compiled, Options, compile_graph
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

GOLDEN = Path(__file__).resolve().parent / "golden"
DEBUG = Options(debug=True)


def compiled(text: str, **options: object) -> Compiled:
    """The program of a graph."""
    return compile_graph(parse(text, ops.OPS), name="f", options=DEBUG, **options)  # type: ignore[arg-type]


def net_step() -> Graph:
    """A training step of a net of two layers, from its forward pass to the update of its weights."""
    types = [parse_type(text) for text in ("f32[8, 4]", "f32[8, 2]", "f32[3, 4]", "f32[3]", "f32[2, 3]")]

    def loss(x: Symbol, y: Symbol, w1: Symbol, b1: Symbol, w2: Symbol) -> Symbol:
        hidden = ops.relu(ops.matmul(x, ops.transpose(w1, axes=(1, 0))) + b1)
        error = ops.matmul(hidden, ops.transpose(w2, axes=(1, 0))) - y
        return ops.mean(error * error, axis=(0, 1), keepdims=False)

    names = ["x", "y", "w1", "b1", "w2"]
    wrt = [2, 3, 4]
    joint = differentiate(record("net", types, loss, names), wrt, [0]).append(wrt)

    def step(*symbols: Symbol) -> list[Symbol]:
        one = ops.full(shape=(), value=1.0, dtype=dtypes.float32)
        value, *gradients = ACTIVE.recorder.inline(joint, [*symbols, one])
        return [value, *[w - g * 0.1 for w, g in zip(symbols[2:], gradients, strict=True)]]

    return replace(record("net_step", types, step, names), donated={1: 2, 2: 3, 3: 4})


def loop_gradient() -> Graph:
    """The gradient of a loop whose number of iterations is known when it runs."""
    item, scalar = TensorType(dtypes.float32, (3,)), TensorType(dtypes.float32, ())

    def power(x: Symbol, limit: Symbol) -> Symbol:
        test = record("test", [item, item, scalar], lambda y, x, m: ops.less(ops.sum(y, axis=(0,), keepdims=False), m))
        body = record("body", [item, item, scalar], lambda y, x, m: ops.tanh(y) * x + y)
        result, _ = ops.while_loop(x, x, limit, test=test, body=body, carried=1)
        return result

    graph = record("power", [item, scalar], power, ["x", "limit"])
    return differentiate(graph, [0], [0]).append([0])


GRAPHS = {"net_step": net_step, "loop_gradient": loop_gradient}


@pytest.mark.usefixtures("numpy_only")
@pytest.mark.parametrize("name", GRAPHS)
def test_golden(name: str) -> None:
    """IR before and after, memory plan and program of a small graph are as they were."""
    graph = GRAPHS[name]()
    result = compile_graph(graph, name=name, options=DEBUG)
    parts = {
        "joint graph": print_graph(graph),
        "optimised graph": print_graph(list(result.stages.values())[-1]),
        "memory plan": str(result.plan),
        "program": result.source.rstrip(),
    }
    text = "".join(f"# {title}\n\n{part}\n\n\n" for title, part in parts.items()).rstrip() + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_golden_programs_run() -> None:
    """The programs in the golden files compute the same as their graphs."""
    rng = np.random.default_rng(0)
    for name, make in GRAPHS.items():
        graph = make()
        arrays = [np.asarray(rng.normal(size=p.type.shape)).astype(np.float32) for p in graph.parameters]
        if name == "loop_gradient":
            arrays[:2] = [np.abs(arrays[0]), np.float32(50).reshape(())]
        expected = interpret(graph, [array.copy() for array in arrays])
        results = compile_graph(graph, name=name, options=DEBUG).run(*arrays)
        for found, wanted in zip(results, expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("numpy_only")
@pytest.mark.parametrize(
    ("node", "code"),
    [
        ("%y: f32[2, 3] = add(%x, %x)", "add(x, x, y)"),
        ("%y: f32[2, 3] = maximum(%x, 0.0)", "maximum(x, c_0p0, out=y)"),
        ("%y: f32[2, 2] = matmul(%x, %z)", "y = x.dot(z)"),
        ("%y: f32[2, 3] = power(%x, 2.0)", "multiply(x, x, "),
        ("%y: f16[2, 3] = cast(%x, dtype=f16)", "y[...] = x"),
        ("%y: f32[] = max(%x, axis=(0, 1), keepdims=False)", "maximum_reduce(x, None, None, y)"),
        ("%y: f32[2, 1] = max(%x, axis=(1,), keepdims=True)", "maximum_reduce(x, 1, None, y, True)"),
        ("%y: f32[2] = sum(%x, axis=(1,), keepdims=False)", "x.dot("),
        ("%y: f32[3, 2] = transpose(%x, axes=(1, 0))", "y = x.T"),
        ("%y: f32[6] = reshape(%x, shape=(6,))", "y = x.reshape((6,))"),
        ("%y: f32[1, 2] = slice(%x, start=(1, 0), stop=(2, 2), step=(1, 1))", "y = x[1:2, 0:2]"),
    ],
)
def test_cheapest_call(node: str, code: str) -> None:
    """Each kind of node is the NumPy call that costs least."""
    name = "%y"
    source = compiled(f"graph f(%x: f32[2, 3], %z: f32[3, 2]) {{ {node} return {name} }}").source
    assert code in source


def test_views_of_the_arena_are_bound_once() -> None:
    """A view of a planned value is made when the program is loaded."""
    source = compiled(
        "graph f(%x: f32[4, 4]) { %a: f32[4, 4] = tanh(%x) %b: f32[4, 4] = transpose(%a, axes=(1, 0)) "
        "%c: f32[4, 4] = matmul(%b, %a) return %c }"
    ).source
    before, inside = source.split("def f(")
    assert "b = a.T" in before
    assert ".T" not in inside


@pytest.mark.parametrize(
    ("view", "shape"),
    [("reverse(%t, axes=(0,))", "4, 4"), ("transpose(%t, axes=(1, 0))", "4, 4"), ("reshape(%t, shape=(4, 4))", "4, 4")],
)
@pytest.mark.parametrize("outputs", ["%t, %v", "%v, %t", "%v, %v", "%v"])
def test_a_result_and_a_view_of_it(view: str, shape: str, outputs: str) -> None:
    """A view of the type of what it is a view of, in the same memory, is another array; both may be returned."""
    text = f"graph f(%x: f32[{shape}]) {{ %t: f32[{shape}] = tanh(%x) %v: f32[{shape}] = {view} return {outputs} }}"
    x = np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32)
    for found, expected in zip(compiled(text).run(x), interpret(parse(text, ops.OPS), [x]), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_names_clash_with_nothing() -> None:
    """Values named as keywords, NumPy functions or one another's names get names of their own."""
    text = ("graph f(%add: f32[2], %for: f32[2], %np: f32[2], %empty: f32[2], %arena: f32[2]) "
            "{ %x: f32[2] = add(%add, %for) %tanh: f32[2] = tanh(%x) %kernels: f32[2] = add(%tanh, %np) "
            "%f: f32[2] = add(%kernels, %empty) %bind: f32[2] = multiply(%f, %arena) return %bind }")  # fmt: skip
    graph = parse(text, ops.OPS)
    arrays = [np.full(2, value, np.float32) for value in (0.1, 0.2, 0.3, 0.4, 0.5)]
    (result,) = compile_graph(graph, name="f", options=DEBUG).run(*arrays)
    np.testing.assert_allclose(result, interpret(graph, arrays)[0], rtol=1e-6)


@pytest.mark.parametrize("name", ["for", "1st", "a b", "", "été"])
def test_any_name_of_a_program(name: str) -> None:
    """A program may be called anything."""
    graph = parse("graph f(%x: f32[2]) { %y: f32[2] = tanh(%x) return %y }", ops.OPS)
    assert compile_graph(graph, name=name).run(np.zeros(2, np.float32))[0].tolist() == [0, 0]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), -0.0, 0.1, 1e-300, 3, True])
def test_numbers_are_exact(value: float) -> None:
    """Every literal keeps its value and dtype."""
    dtype = dtypes.bool_ if value is True else dtypes.float64
    graph = Graph("f", (), (), (Literal(value, TensorType(dtype, ())),))
    (result,) = compile_graph(graph, name="f", options=DEBUG).run()
    assert result.dtype == dtype.np
    np.testing.assert_array_equal(result, value)
    assert np.signbit(result) == np.signbit(value)


def test_kernels_and_constants_come_from_outside() -> None:
    """A kernel that is no ufunc is called by its op's name; arrays and dtypes that source cannot spell "
    "are handed in."""
    halves = Op(
        "halves",
        kind="elementwise",
        attrs={"by": ARRAY},
        infer=lambda x, *, by: x,
        kernel=lambda x, *, by, out=None: np.divide(x, by, out=out),
    )
    by = np.array([2.0, 4.0])
    graph = record("f", [TensorType(dtypes.float64, (2,))], lambda x: halves(x, by=by))
    result = compile_graph(graph, name="f", options=DEBUG)
    assert "halves(p_1, out=halves_1, by=by0)" in result.source
    np.testing.assert_array_equal(result.run(np.ones(2))[0], [0.5, 0.25])
    assert result.program.constants["by0"] is by


def test_items_of_inputs() -> None:
    """A slice that is reshaped to fewer axes is one item, in any strides; a slice that others read has its own name."""
    random = np.random.default_rng(4)
    for _ in range(60):
        shape = tuple(int(n) for n in random.integers(1, 4, random.integers(1, 4)))
        start, stop, step, sizes = [], [], [], []
        for extent in shape:
            first = int(random.integers(extent))
            last = int(random.choice([first + 1, extent]))
            by = int(random.choice([1, 1, 2]))
            if random.random() < 0.2:
                first, last, by = extent - 1, None, -1  # type: ignore[assignment]
            start.append(first)
            stop.append(last)
            step.append(by)
            sizes.append(len(range(*slice(first, last, by).indices(extent))))
        kept = [size for size in sizes if size > 1 or random.random() < 0.3]
        both = bool(random.random() < 0.3)

        def function(x: Symbol, a: Any = (start, stop, step), kept: Any = kept, both: bool = both) -> Any:
            cut = ops.slice(x, start=tuple(a[0]), stop=tuple(a[1]), step=tuple(a[2]))
            found = ops.sort(ops.reshape(cut, shape=(*kept, 1)), axis=len(kept), descending=False, dtype=dtypes.int64)
            rows = ops.reshape(cut, shape=tuple(kept))
            return (found[0], rows, cut) if both else (found[0], rows)

        graph = record("f", [TensorType(dtypes.float32, shape)], function, ["x"])
        program = compile_graph(graph, name="f", options=Options(frozenset({"simplify"}), debug=True))
        x = np.asarray(random.normal(size=shape[::-1]), np.float32).T
        for found, wanted in zip(program.run(x), interpret(graph, [x]), strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("start", "stop", "shape", "code"),
    [
        ((1, 0, 0), (2, 3, 4), (3, 4), "x[1]"),
        ((0, 2, 0), (2, 3, 4), (2, 4), "x[:, 2]"),
        ((1, 1, 0), (2, 2, 2), (2,), "x[1, 1, 0:2]"),
        ((1, 1, 3), (2, 2, 4), (), "x[1, 1, 3, ...]"),
    ],
)
def test_an_item_is_one_view(start: Any, stop: Any, shape: tuple[int, ...], code: str) -> None:
    """Read by an op that NumPy computes: kernels read views where they lie."""

    def function(x: Symbol) -> Symbol:
        return ops.bessel_j0(ops.reshape(ops.slice(x, start=start, stop=stop, step=(1, 1, 1)), shape=shape))

    graph = record("f", [TensorType(dtypes.float32, (2, 3, 4))], function, ["x"])
    source = compile_graph(graph, name="f", options=DEBUG).source
    assert f" = {code} " in source
    assert "reshape(" not in source


@pytest.mark.parametrize("off", [(), ("kernels",)])
def test_a_parameter_that_a_cast_writes_is_committed(off: tuple[str, ...]) -> None:
    """A conversion right into a Parameter's memory is a part of the commit, no statement before it."""
    text = "graph f(%w: f16[3], %v: f16[4], %g: f32[3]) { %a: f32[3] = cast(%w, dtype=f32) " \
           "%b: f32[3] = subtract(%a, %g) %c: f16[3] = cast(%b, dtype=f16) %h: f32[4] = cast(%v, dtype=f32) " \
           "%k: f32[4] = multiply(%h, 2.0) %d: f16[4] = cast(%k, dtype=f16) return %c, %d }"  # fmt: skip
    graph = replace(parse(text, ops.OPS), donated={0: 0, 1: 1})
    program = compile_graph(graph, name="f", options=Options(frozenset(off), debug=True))
    w, v, g = np.ones(3, np.float16), np.full(4, 3, np.float16), np.array([0.5, 1, 2], np.float32)
    program.run(w, v, g)
    np.testing.assert_array_equal(w, [0.5, 0, -1])
    np.testing.assert_array_equal(v, 6)
    inner = program.source.split("def f(")[1]
    assert not re.search(r"\b[wv]\[\.\.\.\] =", inner)
    if off or unavailable():
        assert "(set_numbers, w, (), b)" in inner
        assert "(set_numbers, v, (), k)" in inner
    else:  # the commit runs the kernels that write them
        assert "commit((), b, w, v, v)" in inner


def test_a_product_that_is_a_parameter_is_committed() -> None:
    """It is right in the Parameter's memory, in a program without kernels."""
    text = "graph f(%w: f32[3, 3], %g: f32[3, 3]) { %a: f32[3, 3] = matmul(%g, %g) return %a }"
    program = compile_graph(replace(parse(text, ops.OPS), donated={0: 0}), name="f", options=DEBUG)
    w, g = np.ones((3, 3), np.float32), np.arange(9, dtype=np.float32).reshape(3, 3)
    program.run(w, g)
    np.testing.assert_allclose(w, g @ g)


@pytest.mark.parametrize(("count", "begins"), [(40, False), (80, True)])
def test_many_arrays_do_not_stand_in_the_first_block(count: int, begins: bool) -> None:
    """Python's compiler takes quadratic time for a first block that is as long as a function has inner variables."""
    layer = "%y{n}: f32[4, 4] = matmul(%y{m}, %y0)"
    layers = " ".join(layer.format(n=n, m=n - 1) for n in range(1, count))
    kept = ", ".join(f"%s{n}" for n in range(1, count))
    sums = " ".join(f"%s{n}: f32[4] = matmul(%y{n}, %v)" for n in range(1, count))
    text = f"graph f(%y0: f32[4, 4], %v: f32[4]) {{ {layers} {sums} return {kept} }}"
    program = compile_graph(parse(text, ops.OPS), name="f", options=Options(disabled=frozenset({"batch"})))
    assert ("def bind(arena):\n    assert arena\n" in program.source) is begins
    y, v = np.eye(4, dtype=np.float32), np.ones(4, np.float32)
    assert all((found == 1).all() for found in program.run(y, v))


def test_further_arrays_of_a_type_share_statements() -> None:
    """The first arrays of a type have a statement each, further ones one for several, also where they share memory."""
    chain = " ".join(
        f"%y{n}: f32[4, 4] = matmul(%y{n - 1}, %y0) %z{n}: f32[4, 4] = tanh(%y{n}) %s{n}: f32[4] = matmul(%z{n}, %v)"
        for n in range(1, 60)
    )
    kept = ", ".join(f"%s{n}" for n in range(1, 60))
    text = f"graph f(%y0: f32[4, 4], %v: f32[4]) {{ {chain} return {kept} }}"
    program = compile_graph(parse(text, ops.OPS), name="f", options=Options(frozenset({"batch"}), debug=True))
    lines = program.source.split("def bind(arena):")[1].split("def f(")[0].splitlines()
    assert sum("arena.array(" in line for line in lines) == MANY
    several = [line.split(" = ")[0].split(", ") for line in lines if "arena.arrays(" in line]
    assert max(map(len, several), default=0) == MOST_OFFSETS
    y = np.full((4, 4), 0.3, np.float32)
    expected = [np.tanh(np.linalg.matrix_power(y, n + 1)).sum(axis=1) for n in range(1, 60)]
    for _ in range(2):
        np.testing.assert_allclose(program.run(y, np.ones(4, np.float32)), expected, rtol=1e-5)

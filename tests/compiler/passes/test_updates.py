"""Updates of many small parameters at once: which are packed, and that numbers do not change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from searches import few

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.values import Operand, Value
from mycel.compiler.passes.updates import pack_updates
from mycel.compiler.pipeline import Compiled, Options, compile_graph
from mycel.runtime.packing import SMALL, adjoin

SHAPES = ((3, 4), (4,), (2, 2, 2), (5,))
RULES = {
    "descent": "%s{i} = multiply(%g{i}, %r) %p{i}n = subtract(%p{i}, %s{i})",
    "momentum": "%a{i} = multiply(%m{i}, 0.9) %m{i}n = add(%a{i}, %g{i}) %s{i} = multiply(%m{i}n, %r) "
    "%p{i}n = subtract(%p{i}, %s{i})",
    "decay": "%a{i} = multiply(%p{i}, 0.1) %b{i} = add(%g{i}, %a{i}) %c{i} = multiply(%b{i}, %b{i}) "
    "%d{i} = multiply(%m{i}, 0.5) %m{i}n = add(%d{i}, %c{i}) %e{i} = sqrt(%m{i}n) %f{i} = add(%e{i}, 1.0) "
    "%h{i} = divide(%b{i}, %f{i}) %p{i}n = subtract(%p{i}, %h{i})",
}


def program(rules: list[str], shapes: list[tuple[int, ...]], more: str = "", returned: str = "%loss") -> Graph:
    """A graph that computes gradients and updates p by a rule for each; for rules with a state m, that too.

    All outputs but the last are donated.
    """
    text, parameters, results = [], ["%x: f32[]", "%r: f32[]"], []
    for i, (rule, shape) in enumerate(zip(rules, shapes, strict=True)):
        type = f"f32[{', '.join(map(str, shape))}]"
        parameters.append(f"%p{i}: {type}")
        results.append(f"%p{i}n")
        if "%m{i}" in RULES[rule]:
            parameters.append(f"%m{i}: {type}")
            results.append(f"%m{i}n")
        body = f"%t{i} = cumsum(%p{i}, axis=0, exclusive=True, reverse=True) %g{i} = multiply(%t{i}, %x) " + RULES[
            rule
        ].format(i=i)
        text.append(" ".join(f"{w}: {type}" if after == "=" else w for w, after in _pairs(body.split(" "))))
    full = f"graph f({', '.join(parameters)}) {{ {' '.join(text)} {more} %loss: f32[] = exp(%x) "
    donated = [f"{name} into {name[:-1]}" for name in results]
    return parse(full + f"return {', '.join([*donated, returned])} }}", ops.OPS)


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return list(zip(words, [*words[1:], ""], strict=True))


def run(graph: Graph, seed: int, side_by_side: bool, steps: int = 3) -> Compiled:
    """Run some steps and compare with the interpreter's."""
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    rng = np.random.default_rng(seed)
    arrays = [np.asarray(rng.normal(size=value.type.static_shape)).astype(np.float32) for value in graph.parameters]
    arrays = [abs(a) if v.name.startswith("m") else a for a, v in zip(arrays, graph.parameters, strict=True)]
    if side_by_side:
        for letter in "pm":
            where = [i for i, value in enumerate(graph.parameters) if value.name.startswith(letter)]
            for i, array in zip(where, adjoin([arrays[i] for i in where]), strict=True):
                arrays[i] = array
    for _ in range(steps):
        expected = [np.array(array) for array in interpret(graph, arrays)]
        found = compiled.run(*arrays)
        for mine, right in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine, right, rtol=1e-5, atol=2e-5)  # of running sums of 8,000 numbers
        for output, parameter in graph.donated.items():
            np.testing.assert_array_equal(found[output], arrays[parameter])
            assert found[output] is arrays[parameter]
    return compiled


def packs(graph: Graph) -> int:
    """How many parameters are in packs."""
    return sum(len(node.inputs) for node in graph.nodes if node.op is ops.pack)


@pytest.mark.parametrize("side_by_side", [False, True])
@pytest.mark.parametrize(("rule", "states"), [("descent", 1), ("momentum", 2), ("decay", 2)])
def test_updates_alike_are_one(rule: str, states: int, side_by_side: bool) -> None:
    graph = program([rule] * 4, list(SHAPES))
    packed = pack_updates(graph)
    assert packs(packed) == 4 * states
    assert len(packed.nodes) < len(graph.nodes)
    compiled = run(graph, 0, side_by_side)
    storage = compiled.plan.storage
    for unpack, pack in compiled.plan.packs.items():  # written where it lives
        assert storage[unpack.inputs[0]].allocation.find() is storage[pack.output].allocation.find()  # type: ignore[index]


@pytest.mark.parametrize(
    ("rules", "shapes"),
    [
        (["momentum", "decay", "descent"], SHAPES[:3]),  # no two alike
        (["momentum"] * 2, ((SMALL // 4 + 1,), (SMALL // 4 + 1,))),  # large: a call costs less than what it computes
        (["descent"] * 2, SHAPES[:2]),  # no call saved
        (["momentum"] * 3, ((0, 3), (0,), (2, 0))),  # nothing to compute
    ],
)
def test_updates_that_stay_apart(rules: list[str], shapes: list[tuple[int, ...]]) -> None:
    graph = program(rules, shapes)
    assert packs(pack_updates(graph)) == 0
    run(graph, 0, True)


@pytest.mark.parametrize(("size", "groups"), [(5, ["012", "456"]), (SMALL // 4 + 1, ["012456"])])
def test_a_small_parameter_that_is_updated_otherwise_ends_a_pack(size: int, groups: list[str]) -> None:
    """It lies between the others in memory. A large one does not."""
    graph = program(["decay"] * 3 + ["descent"] + ["decay"] * 3, [*SHAPES[:3], (size,), *SHAPES[1:]])
    nodes = [node for node in pack_updates(graph).nodes if node.op is ops.pack]
    found = ["".join(str(value.name) for value in node.inputs) for node in nodes]  # type: ignore[union-attr]
    assert found == [letter + letter.join(group) for group in groups for letter in "pm"]
    compiled = run(graph, 0, True)
    assert len(compiled.plan.packs) == 2 * len(groups)


def packed(graph: Graph) -> list[Operand]:
    """The packed parameters."""
    return [operand for node in pack_updates(graph).nodes if node.op is ops.pack for operand in node.inputs]


@pytest.mark.parametrize("leaf", ["f32[4]", "f32[3, 1]", "f32[1, 4]"])
def test_updates_that_broadcast_stay_apart(leaf: str) -> None:
    """Values of another shape than the parameter cannot be packed with the others."""
    type, parameters, nodes = "f32[3, 4]", ["%r: f32[]"], []
    for i in range(4):
        parameters += [f"%p{i}: {type}", f"%g{i}: {type}", f"%h{i}: {leaf}"]
        nodes += [
            f"%m{i}: {leaf} = cumsum(%h{i}, axis=0, exclusive=False, reverse=False)"
            f" %a{i}: {type} = multiply(%p{i}, %r) %b{i}: {type} = add(%a{i}, %m{i}) %c{i}: {type} = sqrt(%b{i})"
            f" %d{i}: {type} = multiply(%c{i}, 0.5) %p{i}n: {type} = subtract(%p{i}, %d{i})"
        ]
    returned = ", ".join(f"%p{i}n into %p{i}" for i in range(4))
    graph = parse(f"graph f({', '.join(parameters)}) {{ {' '.join(nodes)} return {returned} }}", ops.OPS)
    assert not packed(graph)
    alike = parse(str(graph).replace(leaf, type), ops.OPS)
    assert {leaf.name for leaf in packed(alike) if isinstance(leaf, Value)} == {"p0", "p1", "p2", "p3"}
    compiled = compile_graph(graph, name="f", options=Options(debug=True))
    rng = np.random.default_rng(0)
    arrays = [np.asarray(rng.uniform(1, 2, value.type.static_shape)).astype(np.float32) for value in graph.parameters]
    expected = interpret(graph, arrays)
    for found, wanted in zip(compiled.run(*arrays), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("side_by_side", [False, True])
@pytest.mark.parametrize(
    ("more", "returned"),
    [
        ("", "%p1"),  # an old value is a result
        ("%old: f32[3, 4] = multiply(%p0, 2.0)", "%old"),  # an old value is read
        ("%twice: f32[4] = multiply(%p1n, 2.0)", "%twice"),  # a new value is read
        ("%view: f32[12] = reshape(%p0, shape=(12,))", "%view"),  # an old value is seen in another shape
    ],
)
def test_parameters_read_elsewhere(more: str, returned: str, side_by_side: bool) -> None:
    """Other readers of a parameter, or of its new value, see the right numbers."""
    run(program(["momentum"] * 4, list(SHAPES), more, returned), 1, side_by_side)


@few(30)
@given(st.lists(st.tuples(st.sampled_from(sorted(RULES)), st.sampled_from(SHAPES)), max_size=9), st.booleans(),
       st.integers(0, 99))  # fmt: skip
def test_random_updates(parts: list[tuple[str, tuple[int, ...]]], side_by_side: bool, seed: int) -> None:
    run(program([rule for rule, _ in parts], [shape for _, shape in parts]), seed, side_by_side, steps=2)


def test_what_is_packed_stays_so() -> None:
    """The result of the pass, as text, does not change when it goes through the pass again."""
    graph = program(["momentum"] * 4, list(SHAPES))
    packed = parse(str(pack_updates(graph)), ops.OPS)
    assert str(pack_updates(packed)) == str(packed)
    compiled = compile_graph(packed, name="f", options=Options(debug=True))
    assert len(compiled.plan.packs) == 2
    arrays = [np.ones(value.type.static_shape, np.float32) for value in graph.parameters]
    expected = [np.array(array) for array in interpret(graph, arrays)]
    for found, right in zip(compiled.run(*arrays), expected, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-5)


def test_packing_can_be_switched_off() -> None:
    graph = program(["momentum"] * 4, list(SHAPES))
    options = Options(disabled=frozenset({"updates"}), debug=True)
    compiled = compile_graph(graph, name="f", options=options)
    assert not compiled.plan.packs
    for disabled in ({"in_place"}, {"fuse"}):
        options = Options(disabled=frozenset(disabled), debug=True)
        compiled = compile_graph(graph, name="f", options=options)
        arrays = [np.ones(value.type.static_shape, np.float32) for value in graph.parameters]
        expected = [np.array(array) for array in interpret(graph, arrays)]
        for found, right in zip(compiled.run(*arrays), expected, strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-5)

"""The walk of simplify: zeros of sums, branches of known conditions. Each rule has cases in the test of its file."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_graphs import FEW, Case, cases
from hypothesis import given
from rewriting import assert_alike

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, Node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.values import Operand
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes import algebra, axis_sums, choices, joined, shapes, sparse_products
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.lower import lower
from mycel.compiler.passes.rewriter import Rewriter, Rule
from mycel.compiler.passes.simplify import simplify


def simplified_by_all(graph: Graph) -> Graph:
    """The graph simplified with all rules tried on all nodes of their ops."""

    def rules(node: Node) -> list[Rule]:
        tables = [module.RULES for module in (sparse_products, algebra, axis_sums, choices, shapes, joined)]
        found = [(*table.by_op.get(node.op, ()), *table.by_kind.get(node.op.kind, ())) for table in tables]
        return [rule for some in found for rule in some]

    return Rewriter(graph, rules, simplified_by_all).run()


@FEW
@given(cases())
def test_rules_that_are_not_tried_would_not_apply(case: Case) -> None:
    """What a rule says of the sources of inputs is true."""
    graph = lower(case.graph)
    assert print_graph(simplify(graph)) == print_graph(simplified_by_all(graph))


def test_a_walk_for_some_ops_looks_at_others_whose_inputs_change_or_that_are_new() -> None:
    """Of ops without rules it leaves only those nodes alone of which all own rules have been tried."""
    graph = parse(
        """graph f(%x: f32[3], %y: f32[3]) {
          %a: f32[3] = tanh(%x)
          %b: f32[3] = multiply(%y, 1.0)
          %c: f32[3] = add(%a, %b)
          %d: f32[3] = subtract(%c, %x)
          return %d
        }""",
        ops.OPS,
    )

    def to_first_input(rewriter: Rewriter, node: Node) -> Operand:
        return node.inputs[0]

    def walked(graph: Graph, tried: list[str]) -> list[str]:
        rules = dict.fromkeys(tried, (to_first_input,))
        rewriter = Rewriter(graph, lambda node: rules.get(node.op.name, ()), simplify)
        return [repr(node) for node in rewriter.run(lambda op: op.name in rules).nodes]

    assert [node.is_settled for node in graph.nodes] == [False] * 4
    assert len(walked(graph, [])) == 3  # the product with one, whose own rule nobody has tried
    kept = walked(graph, ["tanh"])
    assert len(kept) == 2
    assert "add(%x: f32[3], %y: f32[3])" in kept[0]
    again = simplify(graph)
    assert [node.is_settled for node in again.nodes if node.op.rewrites] == [True, True]
    assert Rewriter(again, lambda node: (), simplify).run(lambda op: False) is again


@FEW
@given(cases())
def test_dead_code_is_eliminated_at_once(case: Case) -> None:
    """The pass does not look at its own results again: it would find nothing."""
    graph = eliminate_dead_code(case.graph)
    assert eliminate_dead_code(graph) is graph
    anew = eliminate_dead_code(parse(print_graph(graph), ops.OPS))
    assert print_graph(anew) == print_graph(graph)


@pytest.mark.parametrize(("step", "kept"), [("add(%x, 0.0)", 1), ("add(-0.0, %x)", 0), ("subtract(%x, 0.0)", 0),
                                            ("subtract(%x, -0.0)", 1)])  # fmt: skip
def test_a_zero_that_is_added_makes_zeros_positive(step: str, kept: int) -> None:
    """-0.0 + 0.0 is 0.0, so only the other zero is neutral; among integers there is one."""
    graph = parse(f"graph f(%x: f32[3]) {{ %y: f32[3] = {step} return %y }}", ops.OPS)
    assert len(simplify(graph).nodes) == kept
    (found,) = interpret(simplify(graph), [np.array([-0.0, 0.0, 2.0], np.float32)])
    assert list(np.signbit(found)) == [not kept, False, False]
    whole = parse(
        "graph f(%x: i32[3]) { %y: i32[3] = add(%x, 0:i32) %z: i32[3] = subtract(%y, 0:i32) return %z }", ops.OPS
    )
    assert not simplify(whole).nodes


@pytest.mark.parametrize(
    "text",
    [
        "(%x: f32[3, 1]) { %y: f32[3] = sum(%x, axis=(1,), keepdims=False) return %y }",
        "(%x: f32[3, 1]) { %a: f32[3, 1] = negative(%x) %y: f32[] = sum(%a, axis=(0, 1), keepdims=False) return %y }",
        "(%x: f32[3, 1]) { %a: f32[3, 1] = negative(%x) %y: f32[3] = sum(%a, axis=(1,), keepdims=False) return %y }",
    ],
)
def test_sums_have_the_zeros_of_numpy(text: str) -> None:
    """A sum starts at 0.0: it is -0.0 for no terms."""
    graph = parse(f"graph f{text}", ops.OPS)
    for numbers in ([-0.0, 0.0, 2.0], [1.0, -1.0, -0.0], [-0.0] * 3, [0.0] * 3):
        x = np.array(numbers, np.float32)[:, None]
        (found,), (wanted,) = interpret(simplify(graph), [x]), interpret(graph, [x])
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_complex_products_have_the_zeros_of_numpy() -> None:
    """They decide on which side of a cut a root lies."""
    graph = parse(
        "graph f(%x: c64[2]) { %y: c64[2] = multiply(%x, complex(-1.0, 0.0):c64) %z: c64[2] = sqrt(%y) return %z }",
        ops.OPS,
    )
    x = np.array([1, 2 - 1j], np.complex64)
    np.testing.assert_allclose(interpret(simplify(graph), [x]), interpret(graph, [x]))


def test_branches_of_known_conditions_are_chosen_where_their_types_are_the_results() -> None:
    branches = (
        " { then = graph t(%u: f32[THEN]) { %v: f32[THEN] = tanh(%u) return %v }"
        " orelse = graph e(%u: f32[THEN]) { %v: f32[THEN] = exp(%u) return %v } } return %a }"
    )
    for known, name in (("True", "tanh"), ("False", "exp")):
        text = f"graph f(%x: f32[3]) {{ %a: f32[3] = cond({known}, %x)" + branches.replace("THEN", "3")
        result = verify(simplify(verify(parse(text, ops.OPS))))
        assert [node.op.name for node in result.nodes] == [name]
        assert_alike(parse(text, ops.OPS), result)


@pytest.mark.parametrize(("returned", "count"), [("%y", 1), ("%y, %a", 2)])
def test_what_a_chosen_branch_gives_counts_its_readers(returned: str, count: int) -> None:
    """A rule for what is read once fires on it, and does not where something else reads it, too."""
    text = (
        "graph f(%x: f32[3]) { %a: f32[3] = cond(True, %x) {"
        " then = graph t(%u: f32[3]) { %v: f32[3] = multiply(%u, 2.5) return %v }"
        f" orelse = graph e(%u: f32[3]) {{ return %u }} }} %y: f32[3] = multiply(%a, 0.5) return {returned} }}"
    )
    graph = verify(parse(text, ops.OPS))
    result = verify(eliminate_dead_code(simplify(graph)))
    assert [node.op.name for node in result.nodes] == ["multiply"] * count
    assert_alike(graph, result)

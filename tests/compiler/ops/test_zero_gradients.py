"""No op drops a derivative without a word: by each floating-point input alone, rules agree with finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gradcheck import gradient_graph, one_node_graph, type_of
from op_cases import CASES, as_tuple, by_op

from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op, Sample
from mycel.runtime import dtypes, random

# (op, input): why the rule gives no derivative although the numbers depend on the input.
ZERO_ON_PURPOSE = {
    ("stop_gradient", 0): "it is there for that",
    ("assign", 1): "what is written does not flow back: its doc says so",
    ("running_maximum", 0): "only lowering makes it, after differentiation",
    ("running_minimum", 0): "only lowering makes it, after differentiation",
    ("pivots", 0): "only lowering makes it, after differentiation",
    ("gathered", 0): "only passes make it, after differentiation",
    ("scattered", 0): "only passes make it, after differentiation",
    ("complement", 0): "any orthonormal columns will do; qr and svd say that no gradient flows through them",
}
# (op, input): differentiating by it is an error.
NO_RULE = {
    ("igamma_by_order", 0),  # to third order
    ("betainc_by_order", 0),
    ("betainc_by_order", 1),
    ("zeta_by_order", 0),
}
# Inputs that belong together, which this test moves apart: tested by the second order of the poolings.
TOGETHER = {"max_pool_grad", "adaptive_max_pool_grad"}
STEP = 1e-6


def interior(sample: Sample) -> list[np.ndarray]:
    """The sample's inputs, moved a little off corners and jumps."""
    generator = np.random.default_rng(5)
    moved = []
    for array in sample.inputs:
        if array.dtype == np.float64:
            array = array * (1 + 1e-3 * generator.uniform(0.5, 1, array.shape)) + 1e-4
        moved.append(array)
    return moved


def results_of(op: Op, inputs: list[np.ndarray], attrs: Any) -> list[np.ndarray]:
    """The floating-point results; random draws are the same ones each time."""
    random.set_state(random.State(7, 0))
    with np.errstate(all="ignore"):
        results = as_tuple(op.kernel(*inputs, **attrs))
    return [np.array(result) for result in map(np.asarray, results) if result.dtype == np.float64]


def slope(op: Op, inputs: list[np.ndarray], attrs: Any, position: int, step: float) -> list[np.ndarray]:
    """Central differences of the results, with one input moved as a whole along a fixed direction."""
    direction = np.random.default_rng(3).uniform(0.5, 1.5, inputs[position].shape)

    def at(amount: float) -> list[np.ndarray]:
        moved = list(inputs)
        moved[position] = inputs[position] + amount * direction
        return results_of(op, moved, attrs)

    with np.errstate(all="ignore"):
        return [(ahead - behind) / (2 * step) for ahead, behind in zip(at(step), at(-step), strict=True)]


def numeric(op: Op, sample: Sample, position: int) -> tuple[float, list[np.ndarray]] | None:
    """The difference quotient of a weighted sum of the results, and the weights; None where there is no slope."""
    inputs = interior(sample)
    try:
        coarse, fine = (slope(op, inputs, sample.attrs, position, step) for step in (STEP, STEP / 4))
    except (ValueError, TypeError, IndexError):
        return None  # the kernel refuses the moved numbers
    generator, weights, total, steep = np.random.default_rng(4), [], 0.0, False
    for one, other in zip(coarse, fine, strict=True):
        smooth = np.isfinite(one) & np.isfinite(other) & (abs(one - other) <= 1e-3 * (1 + abs(other)))
        slopes = np.where(smooth, other, 0.0)
        weights.append(np.where(smooth, generator.uniform(0.5, 1.5, other.shape), 0.0))
        total += float(np.sum(weights[-1] * slopes))
        steep = steep or bool(np.any(abs(slopes) > 1e-6))
    return (total, weights) if steep else None


def by_rule(op: Op, sample: Sample, position: int, weights: list[np.ndarray]) -> tuple[float, float]:
    """The same derivative by the op's rule, and the size of its terms."""
    inputs = interior(sample)
    graph = one_node_graph(op, list(map(type_of, inputs)), sample.attrs)
    outputs = [place for place, type in enumerate(graph.types) if type.dtype is dtypes.float64]
    joint, used = gradient_graph(graph, [position], outputs)
    given = dict(zip(outputs, weights, strict=True))
    random.set_state(random.State(7, 0))
    with np.errstate(all="ignore"):
        gradient = interpret(joint, [*inputs, *[given[place] for place in used]])[-1]
    direction = np.random.default_rng(3).uniform(0.5, 1.5, inputs[position].shape)
    terms = np.where(np.isfinite(gradient), gradient, 0.0) * direction
    return float(np.sum(terms)), float(np.sum(np.abs(terms)))


INPUTS = [
    (op, sample, position, f"{name}-by-{position}")
    for op, sample, name in CASES
    for position, array in enumerate(sample.inputs)
    if array.dtype == np.float64 and op.kind != "effect" and op.name not in TOGETHER
    if not (op.internal and op.vjp is None)  # what passes make after differentiation
]


@by_op(INPUTS)
def test_no_derivative_is_dropped(op: Op, sample: Sample, position: int) -> None:
    found = numeric(op, sample, position)
    if found is None:
        return  # test_most_inputs_matter counts these
    expected, weights = found
    if (op.name, position) in NO_RULE and sample.attrs.get("times") != 1:
        with pytest.raises(ValueError, match="not known"):
            by_rule(op, sample, position, weights)
        return
    rule, size = by_rule(op, sample, position, weights)
    if (op.name, position) in ZERO_ON_PURPOSE:
        assert rule == 0.0
        return
    assert abs(expected - rule) < 1e-3 * (1 + size + abs(expected)), f"difference quotient {expected}, rule {rule}"


def test_most_inputs_matter() -> None:
    """The numbers of most samples depend on most of their inputs, so that the test above compares something."""
    assert sum(numeric(*each) is not None for *each, _ in INPUTS) > 0.8 * len(INPUTS) > 500

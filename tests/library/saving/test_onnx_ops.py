"""ONNX forms of ops: each op with samples is written, checked, and run by onnxruntime; the others are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mycel.compiler.ir.graph import Graph, make_node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op, Sample
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Location, Value
from mycel.compiler.ops import OPS
from mycel.frontend.errors.classes import GraphError
from mycel.library.saving.onnx.model import RULES, WITHOUT, onnx_bytes
from mycel.runtime import dtypes

onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")

OTHER_NUMBERS = {"max-6", "min-6"}  # onnxruntime leaves nan out of extrema
if tuple(map(int, onnxruntime.__version__.split(".")[:2])) < (1, 24):  # the last one for Python 3.10
    OTHER_NUMBERS |= {f"{name}-{number}" for name in ("argsort", "sort", "ordered") for number in (6, 7)}  # of nan
    OTHER_NUMBERS |= {"erf-2", "erfc-2"}
    OTHER_NUMBERS.add("all-2")  # of nothing


def test_every_op_has_a_form_or_is_named_as_having_none() -> None:
    for op in OPS.values():
        ways = [op.name in RULES, op.name in WITHOUT]
        if op.internal:
            assert not ways[1], f"{op.name} is made by the compiler only"
        elif op.definition is None:
            assert sum(ways) == 1, f"{op.name} needs a rule in library/saving/onnx, or a reason in WITHOUT"
        else:
            assert not ways[1], f"{op.name} is defined by simpler ops"
        if op.alone is not None and ways[0]:
            assert op.alone.name in RULES, f"{op.alone.name} may take the place of {op.name}"
    assert set(RULES) | set(WITHOUT) <= set(OPS)
    assert len(RULES) > 150


def graph_of(op: Op, samples: list[Sample], single: bool = True) -> tuple[Graph, list[np.ndarray]]:
    """A graph with a node for each sample, and its inputs: floats in single precision, which runtimes know best."""
    parameters, arrays, nodes = [], [], []
    for number, sample in enumerate(samples):
        given = [np.asarray(x) for x in sample.inputs]
        given = [x.astype(np.float32) if single and x.dtype == np.float64 else x for x in given]
        types = [TensorType(dtypes.of_numpy(x.dtype), x.shape) for x in given]
        values = [Value(type, f"x{number}_{position}") for position, type in enumerate(types)]
        attrs = {k: dtypes.float32 if single and v is dtypes.float64 else v for k, v in sample.attrs.items()}
        nodes.append(make_node(op, values, attrs, Location("/user/net.py", 7)))
        parameters += values
        arrays += given
    outputs = tuple(value for node in nodes for value in node.outputs)
    return Graph("samples", tuple(parameters), tuple(nodes), outputs), arrays


def run(graph: Graph, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The results of onnxruntime for a graph."""
    names = [value.name for value in graph.parameters]
    output = {"tuple": [{"tensor": position} for position in range(len(graph.outputs))]}
    content = onnx_bytes("one", graph, names, [], {}, output, {})
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    taken = {each.name for each in session.get_inputs()}
    return session.run(None, {name: array for name, array in zip(names, arrays, strict=True) if name in taken})


def cases() -> Iterator[Any]:
    for op in OPS.values():
        if op.samples is None or (op.internal and op.name not in RULES) or op.name in WITHOUT or op.kind == "random":
            continue
        samples = [
            sample
            for number, sample in enumerate(op.samples())
            if f"{op.name}-{number}" not in OTHER_NUMBERS
            and not any(np.asarray(x).dtype.kind == "c" for x in sample.inputs)
        ]
        if samples:
            yield pytest.param(op, samples, id=op.name)


CASES = list(cases())


def test_there_are_many_samples() -> None:
    assert len(CASES) > 150
    assert sum(len(case.values[1]) for case in CASES) > 500


@pytest.mark.parametrize(("op", "samples"), CASES)
def test_samples(op: Op, samples: list[Sample]) -> None:
    graph, arrays = graph_of(op, samples)
    with np.errstate(all="ignore"):
        expected = interpret(graph, arrays)
    for left, right in zip(run(graph, arrays), expected, strict=True):
        assert left.dtype == np.asarray(right).dtype
        assert left.shape == np.shape(right)
        np.testing.assert_allclose(left, right, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", sorted(WITHOUT))
def test_ops_without_a_form_say_so(name: str) -> None:
    op = OPS[name]
    samples = [] if op.samples is None else op.samples()
    if not samples:
        return
    graph, _ = graph_of(op, samples[:1], single=False)
    output = {"tuple": [{"tensor": position} for position in range(len(graph.outputs))]}
    with pytest.raises(
        GraphError, match=rf"^/user/net\.py:7: export: ONNX has no form for '{name}' of .*MYCEL|complex"
    ):
        onnx_bytes("one", graph, [value.name for value in graph.parameters], [], {}, output, {})

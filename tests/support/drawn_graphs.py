"""Random graphs with arguments of all layouts, for tests of passes, plans and programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from graphs import graphs
from hypothesis import strategies as st
from searches import few

from mycel.compiler.ir.graph import Graph
from mycel.compiler.transforms.differentiate import differentiate
from mycel.runtime import dtypes

FEW = few(20)
"""For tests that take a tenth of a second for each graph: few by default, many in `make test-slow`."""

Draw = Callable[[st.SearchStrategy[Any]], Any]


class Case:
    """A graph and arrays to run it on; shows as text in failures."""

    def __init__(self, graph: Graph, arrays: list[np.ndarray]) -> None:
        self.graph = graph
        self.arrays = arrays

    def __repr__(self) -> str:
        return f"\n{self.graph}\n{self.arrays}"


@st.composite
def cases(draw: Draw, nesting: int = 1, gradient: bool | None = None) -> Case:
    """A random graph with arguments; with `gradient` (drawn by default) a joint graph with its derivatives."""
    if gradient is None:
        gradient = draw(st.booleans())
    # Single precision only where no rounding makes a jump.
    smooth = draw(st.booleans())
    dtype = draw(st.sampled_from([dtypes.float32, dtypes.float64])) if smooth and not gradient else dtypes.float64
    graph, arrays = draw(graphs(smooth=smooth, nesting=nesting, dtype=dtype))
    if gradient:
        wrt = range(len(graph.parameters))
        outputs = [i for i, output in enumerate(graph.outputs) if output.type.dtype.is_float]
        count = len(graph.parameters)
        graph = differentiate(graph, wrt, outputs).append(wrt)
        arrays += [np.ones(value.type.static_shape, value.type.dtype.np) for value in graph.parameters[count:]]
    return Case(graph, [draw(layouts(array)) for array in arrays])


@st.composite
def layouts(draw: Draw, array: np.ndarray) -> np.ndarray:
    """The same numbers, laid out in memory in one of several ways."""
    kind = draw(st.sampled_from(["plain", "strided", "turned", "repeated"]))
    if kind == "strided" and array.ndim:
        return np.repeat(array, 2, axis=-1)[..., ::2]
    if kind == "turned":
        return array.T.copy().T
    if kind == "repeated":  # many elements in the same memory
        return np.broadcast_to(array.ravel()[:1].reshape((1,) * array.ndim), array.shape)
    return array


def assert_same(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    """Outputs agree in dtype, shape and, up to rounding, numbers."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert isinstance(a, np.ndarray)
        assert (a.dtype, a.shape) == (b.dtype, b.shape), f"{a.dtype}{a.shape} in place of {b.dtype}{b.shape}"
        tolerance = 2e-4 if a.dtype == np.float32 else 1e-8
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)

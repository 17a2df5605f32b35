"""A whole model: inputs, weights, nodes, outputs, with the names that users know; which ops have a form in ONNX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....compiler.ir.graph import Graph
from ....compiler.ir.types import TensorType
from ....compiler.ir.values import Value
from ....compiler.passes.cse import eliminate_common_subexpressions
from ....compiler.passes.dce import eliminate_dead_code
from ....compiler.passes.lower import lower
from ....compiler.passes.simplify import simplify
from ....frontend.errors.classes import GraphError
from ....frontend.values.parameter import Parameter
from ....frontend.values.tensor import Tensor
from . import control, elementwise, indexing, shapes, windows
from .writer import Rule, Writer

RULES: dict[str, Rule] = {**elementwise.RULES, **shapes.RULES, **indexing.RULES, **windows.RULES, **control.RULES}
"""By the op's name. Ops that are neither here nor in `WITHOUT` are defined by simpler ones (`Op.definition`)."""

_REASONS = {
    "it knows one process": (
        "all_gather all_reduce all_to_all broadcast broadcast_update exchange gather_to match_collectives receive "
        "reduce_scatter reduce_to scatter_from send synchronize"
    ),
    "it has no operators for factorizations of matrices": (
        "cholesky complement eig eigh exchanges geqrf householder_product inverse lu pivot_order pseudo_inverse "
        "qr_factors slogdet solve solve_triangle svd"
    ),
    "it has no complex numbers": "complex conj dft half_dft imag real real_dft",
    "it has no such special function": (
        "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e "
        "bessel_y0 bessel_y1 betainc betainc_by_order digamma erfinv igamma igamma_by_order igammac lgamma polygamma "
        "zeta zeta_by_order"
    ),
    "it has no operators on the bits of numbers": "bit_count bitcast gcd nextafter",
    "its operators have no effects: they print, check and tell nothing": "assert_ print_ raise_ record",
    "it has no such distribution": (
        "random_gamma random_integers random_laplace random_multinomial random_permutation random_poisson "
        "random_truncated_normal"
    ),
    "it has no such operator, and none that it could be made of": (
        "adaptive_max_pool adaptive_max_pool_grad adaptive_max_pool_indices index_last "
        "scatter_elements_last unique_consecutive"
    ),
}

WITHOUT: dict[str, str] = {name: reason for reason, names in _REASONS.items() for name in names.split()}
"""Ops that have no form in ONNX, by name, and why."""


OPSET = 18
LARGEST = (1 << 31) - (1 << 20)  # bytes of weights: a protocol buffer holds less than 2 GiB


def onnx_bytes(
    name: str, graph: Graph, inputs: Sequence[str], weights: Sequence[Tensor], commits: Mapping[int, int], output: Any,
    axes: Mapping[str, Mapping[int, str]],
) -> bytes:  # fmt: skip
    """The content of an ONNX file.

    Args:
        name: the network's.
        graph: its graph; the parameters are the inputs, then the weights.
        inputs: names of the inputs.
        weights: the tensors that the graph reads. Those that it changes are inputs and outputs of the model.
        commits: graph outputs to the weights that they are written into.
        output: how the result is built of the graph's outputs.
        axes: names of sizes that only the run knows, by input and axis.

    Raises:
        ImportError: without the package `onnx`. GraphError: for what ONNX has no form for.
    """
    try:
        import onnx  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise ImportError(
            "export with file_format='ONNX' needs the package onnx: pip install 'mycel-graph[onnx]'"
        ) from None
    if sum(weight.nbytes for weight in weights) > LARGEST:
        raise GraphError(f"export: the weights of '{name}' have more than {LARGEST} bytes, which no ONNX file holds")
    graph = lower(graph, RULES)
    for change in (eliminate_common_subexpressions, simplify, eliminate_dead_code):
        graph = change(graph)
    return _Model(onnx, graph, name).content(inputs, weights, commits, output, axes)


class _Model:
    def __init__(self, onnx: Any, graph: Graph, name: str) -> None:
        self.onnx, self.graph, self.name = onnx, graph, name
        self.writer = Writer(onnx, RULES, WITHOUT)

    def content(
        self, inputs: Sequence[str], weights: Sequence[Tensor], commits: Mapping[int, int], output: Any,
        axes: Mapping[str, Mapping[int, str]],
    ) -> bytes:  # fmt: skip
        """The bytes of the model."""
        writer, graph = self.writer, self.graph
        for value in (*graph.parameters, *graph.outputs):
            if value.type.dtype.is_complex:
                raise GraphError(
                    f"export: ONNX has no operators on complex numbers, but '{self.name}' has {value.type}"
                )
        names = [writer.unique(each) for each in inputs]
        types = [value.type for value in graph.parameters]
        changed = set(commits.values())
        infos = [
            writer.info(name, type, _dims(type, each, axes.get(each, {})))
            for name, each, type in zip(names, inputs, types[: len(names)], strict=True)
        ]
        for position, weight in enumerate(weights):
            hint = weight.name if isinstance(weight, Parameter) else "constant"
            names.append(writer.weight(weight.asnumpy(), hint))
            if position in changed:  # its numbers in the file are those that it starts with
                infos.append(writer.info(names[-1], types[len(inputs) + position]))
        wanted = dict(_result_names(output, ""))
        for position, changing in commits.items():
            wanted[position] = f"{names[len(inputs) + changing]}.new"
        results = self._results(wanted, names)
        body = writer.helper.make_graph(writer.nodes, self.name, infos, results, initializer=writer.initializers)
        model = writer.helper.make_model(
            body, producer_name="mycel", opset_imports=[writer.helper.make_opsetid("", OPSET)], ir_version=8
        )
        return model.SerializeToString()

    def _results(self, wanted: Mapping[int, str], inputs: Sequence[str]) -> list[Any]:
        """Write the nodes; the outputs, each under its name."""
        writer, outputs = self.writer, self.graph.outputs
        final: dict[int, str] = {}
        for position, hint in wanted.items():
            value = outputs[position]
            known = hint if not hint.startswith("output") or not isinstance(value, Value) else value.name or hint
            final[position] = writer.unique(known)
        found = writer.graph(self.graph, inputs)
        for position, name in final.items():
            writer.nodes.append(
                writer.helper.make_node("Identity", [found[position]], [name], name=writer.unique("Identity"))
            )
        return [writer.info(name, outputs[position].type) for position, name in final.items()]


def _dims(type: TensorType, name: str, known: Mapping[int, str]) -> list[Any]:
    """The sizes of an input; sizes that only the run knows have names."""
    return [known.get(axis, f"{name}_{axis}") if size is None else size for axis, size in enumerate(type.shape)]


def input_names(described: Any, name: str) -> Iterator[str]:
    """Names of the tensors in an input."""
    ((kind, content),) = described.items()
    if kind in ("tensor", "number"):
        yield name
    elif kind == "dict":
        for key, item in content:
            yield from input_names(item, f"{name}.{key}")
    elif kind in ("tuple", "list"):
        for position, item in enumerate(content):
            yield from input_names(item, f"{name}.{position}")


def _result_names(described: Any, name: str) -> Iterator[tuple[int, str]]:
    """Graph outputs, and how they are called in the result."""
    ((kind, content),) = described.items()
    if kind in ("tensor", "number"):
        yield content, name or "output"
    elif kind == "dict":
        for key, item in content:
            yield from _result_names(item, f"{name}.{key}" if name else key)
    elif kind in ("tuple", "list"):
        for position, item in enumerate(content):
            yield from _result_names(item, f"{name or 'output'}.{position}")

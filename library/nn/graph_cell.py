"""`GraphCell`: a network that was read from a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...compiler.ir.graph import Graph
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Literal, Operand
from ...frontend.state import STATE
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply, type_of
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import wrap
from .. import ops
from .compiled import CompiledCell

if TYPE_CHECKING:
    from ..saving.exported import ExportedGraph


class GraphCell(CompiledCell):
    """Runs a network that `load` has read, on inputs of the dtypes and shapes with which it was exported.

    Its Parameters are the network's, under their names. It can be part of other networks, differentiated and trained.

    Args:
        graph: what `load` gave.
        params_init: names of Parameters to the tensors that they start with, of the Parameters' dtypes and shapes.
            Default: None.
        obf_random_seed: not supported. Default: None.

    Inputs:
        inputs: tensors of the shapes and dtypes of the export.

    Outputs:
        What the network gives: a tensor or a tuple of tensors, of the shapes and dtypes of the export.

    Raises:
        TypeError: for arguments of the wrong kind, and at a call for inputs unlike those of the export.
        ValueError: for `params_init` of other dtypes or shapes, and at a call for inputs of other shapes.

    Examples:
        >>> import os, tempfile
        >>> import mycel as ms
        >>> from mycel import nn
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "net.mycel")
        ...     ms.export(nn.ReLU(), ms.Tensor([1.0, 1.0]), file_name=file, file_format="MYCEL")
        ...     net = nn.GraphCell(ms.load(file))
        >>> print(net(ms.Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def __init__(
        self, graph: ExportedGraph, params_init: dict[str, Tensor] | None = None, obf_random_seed: int | None = None
    ) -> None:
        from ..saving.exported import ExportedGraph

        super().__init__()
        if obf_random_seed is not None:
            raise NotImplementedError("GraphCell does not take 'obf_random_seed'")
        need_type(graph, ExportedGraph, "GraphCell takes what load gives")
        need_type(params_init, dict | None, "GraphCell's 'params_init' should be a dict")
        given = params_init or {}
        for name, value in given.items():
            if not isinstance(name, str) or not isinstance(value, Tensor):
                raise TypeError("GraphCell's 'params_init' should be a dict of names to tensors")
        self.graph = graph
        self.weights: list[Tensor] = []
        for weight, expected in zip(graph.weights, self._weight_types(), strict=True):
            if isinstance(weight, Parameter):
                start = given.get(weight.name, weight)
                _check_weight(weight.name, start, expected, "'params_init'")
                start = Tensor(start.asnumpy(), start.dtype)
                weight = Parameter(start, name=weight.name, requires_grad=weight.requires_grad)
                self.insert_param_to_cell(weight.name, weight, check_name_contain_dot=False)
            self.weights.append(weight)

    def _weight_types(self) -> list[TensorType]:
        """The types of the weights that the graph takes."""
        parameters = self.graph.graph.parameters
        return [value.type for value in parameters[len(parameters) - len(self.graph.weights) :]]

    def construct(self, *inputs: Any) -> Any:
        """Run the network."""
        from ..saving.exported import build_output, gather

        if len(inputs) != len(self.graph.inputs):
            raise TypeError(f"'{self.graph.name}' takes {len(self.graph.inputs)} inputs, but got {len(inputs)}")
        leaves: list[Any] = []
        for position, (expected, value) in enumerate(zip(self.graph.inputs, inputs, strict=True)):
            gather(expected, value, f"input {position} of '{self.graph.name}'", leaves)
        for weight, expected in zip(self.weights, self._weight_types(), strict=True):
            _check_weight(getattr(weight, "name", "a constant"), weight, expected, f"'{self.graph.name}'")
        outputs = _run(self.graph.graph, [*leaves, *self.weights])
        for output, position in self.graph.commits.items():
            weight = self.weights[position]
            assert isinstance(weight, Parameter)
            ops.assign(weight, outputs[output])
        return build_output(self.graph.output, outputs)


def _check_weight(name: str, weight: Tensor, expected: TensorType, where: str) -> None:
    """Raise ValueError for a weight that the graph was not made for."""
    if not type_of(weight).fits(expected):
        raise ValueError(
            f"{where}: the Parameter '{name}' should be of {expected.dtype} and shape {expected.shape}, as when the "
            f"network was exported, but is of {weight.dtype} and shape {tuple(weight.shape)}"
        )


def _run(graph: Graph, inputs: Sequence[Tensor]) -> list[Tensor]:
    """The graph's outputs: its nodes become part of the graph that is traced, or run one by one."""
    trace = STATE.trace
    if trace is not None:
        return [wrap(symbol) for symbol in trace.recorder.inline(graph, [trace.read(tensor) for tensor in inputs])]
    known: dict[Operand, Any] = dict(zip(graph.parameters, inputs, strict=True))

    def value_of(operand: Operand) -> Any:
        return Tensor(operand.value, operand.type.dtype) if isinstance(operand, Literal) else known[operand]

    for node in graph.nodes:
        result = apply(node.op, *map(value_of, node.inputs), **node.attrs)
        results = result if isinstance(result, tuple) else (result,)
        known.update(zip(node.outputs, results, strict=False))  # an effect gives nothing
    return [value_of(operand) for operand in graph.outputs]

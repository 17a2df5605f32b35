"""The writer: nodes of a graph become nodes of ONNX, with names and constants of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ....compiler.ir.graph import Graph, Node
from ....compiler.ir.types import TensorType
from ....compiler.ir.values import Literal, Operand, Value
from ....frontend.errors.classes import DivisionError, GraphError
from ....runtime.dtypes import DType
from ....runtime.effects import EXCEPTIONS

Names = str | tuple[str, ...]
Rule = Callable[..., Any]
"""`(writer, node, *names of the inputs, **attributes)` to the name of the output, or a tuple of names."""


class NoForm(Exception):
    """A node has no form in ONNX operators; the text says why."""


class Writer:
    """Writes graphs as lists of ONNX nodes.

    Attributes:
        onnx: the package of that name.
        rules: the mapping of each op, by name.
        initializers: the constants and weights of the model.
        nodes: the nodes of the graph that is being written; branches and loops hold others.
    """

    def __init__(self, onnx: Any, rules: Mapping[str, Rule], without: Mapping[str, str]) -> None:
        self.onnx, self.rules, self.without = onnx, rules, without
        self.helper = onnx.helper
        self.initializers: list[Any] = []
        self.nodes: list[Any] = []
        self._names: dict[Value, str] = {}
        self._taken: set[str] = set()
        self._constants: dict[Any, str] = {}
        self._line = ""

    # Names

    def unique(self, hint: str) -> str:
        """A name that no other value of the model has."""
        hint = re.sub(r"[^\w.]+", "_", hint).strip("_") or "t"
        name, number = hint, 1
        while name in self._taken:
            number += 1
            name = f"{hint}_{number}"
        self._taken.add(name)
        return name

    def bind(self, value: Value, name: str) -> None:
        """Say under which name a value is known."""
        self._names[value] = name

    def name(self, operand: Operand) -> str:
        """The name of an operand."""
        if isinstance(operand, Literal):
            return self.constant(operand.array)
        return self._names[operand]

    # Constants

    def constant(self, array: Any, dtype: Any = None) -> str:
        """The name of a constant."""
        array = np.asarray(array, dtype)
        key = (array.dtype, array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = self.weight(array, "constant")
        return self._constants[key]

    def weight(self, array: np.ndarray, hint: str) -> str:
        """The name of an array that the file holds."""
        name = self.unique(hint)
        self.initializers.append(
            self.onnx.numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
        )
        return name

    def ints(self, *numbers: int) -> str:
        """A vector of Int64."""
        return self.constant(numbers, np.int64)

    def like(self, operand: Operand, number: Any) -> str:
        """A number of the dtype of an operand."""
        return self.constant(number, operand.type.dtype.np)

    # Types

    def dtype(self, dtype: DType) -> int:
        """ONNX's number of the element type; NoForm for types that its operators do not take."""
        if dtype.is_complex:
            raise NoForm("its operators take no complex numbers")
        return self.helper.np_dtype_to_tensor_dtype(dtype.np)

    def info(self, name: str, type: TensorType, dims: Sequence[Any] | None = None) -> Any:
        """ONNX's description of an input or output."""
        return self.helper.make_tensor_value_info(name, self.dtype(type.dtype), type.shape if dims is None else dims)

    # Nodes

    def add(self, kind: str, *inputs: str, count: int = 1, **attributes: Any) -> Any:
        """Write a node; the name of its output, or a tuple of `count` names."""
        names = tuple(self.unique(kind.lower()) for _ in range(count))
        given = {key: value for key, value in attributes.items() if value is not None}
        node = self.helper.make_node(kind, list(inputs), list(names), name=self.unique(kind), **given)
        node.doc_string = self._line
        self.nodes.append(node)
        return names[0] if count == 1 else names

    def cast(self, name: str, dtype: DType) -> str:
        """A value cast to a dtype."""
        return self.add("Cast", name, to=self.dtype(dtype))

    def size(self, name: str, axis: int) -> str:
        """The size of a dimension, as a vector of one."""
        return self.add("Shape", name, start=axis, end=axis + 1)

    def sizes(self, name: str, type: TensorType) -> str:
        """The shape of a value, as a vector."""
        return self.ints(*type.static_shape) if type.is_static else str(self.add("Shape", name))

    def reshape(self, name: str, *shape: int) -> str:
        """A value in a shape, of which one size may be -1."""
        return self.add("Reshape", name, self.ints(*shape), allowzero=None if -1 in shape else 1)

    def static(self, operand: Operand, what: str = "its operators need the shape") -> tuple[int, ...]:
        """The shape of an operand; NoForm where only the run knows it."""
        if None in operand.type.shape:
            raise NoForm(f"{what}, but {operand.type} has sizes that only the run knows")
        return operand.type.static_shape

    # Graphs

    def graph(self, graph: Graph, inputs: Sequence[str]) -> list[str]:
        """Write the nodes of a graph on these inputs; the names of its outputs."""
        for value, name in zip(graph.parameters, inputs, strict=True):
            self.bind(value, name)
        for node in graph.nodes:
            self._node(node)
        return [self.name(output) for output in graph.outputs]

    def block(
        self, title: str, write: Callable[[], tuple[Sequence[tuple[str, Any]], Sequence[tuple[str, TensorType]]]]
    ) -> Any:
        """An inner graph of a node: the nodes that `write` adds; it returns the inputs and the outputs."""
        outer, self.nodes = self.nodes, []
        try:
            inputs, outputs = write()
            # Each output is a value of this graph's own.
            named = [(self.add("Identity", name), type) for name, type in outputs]
            infos = [self.info(name, type, [None] * type.rank) for name, type in named]
            nodes = self.nodes
        finally:
            self.nodes = outer
        given = [self.info(name, type) for name, type in inputs]
        return self.helper.make_graph(nodes, self.unique(title), given, infos)

    def _node(self, node: Node) -> None:
        if EXCEPTIONS.get(node.attrs.get("exception", "")) is DivisionError:
            return  # of an operator of Python numbers; that of ONNX says nothing of zero
        rule = self.rules.get(node.op.name)
        line, begin = self._line, len(self.nodes)
        self._line = line if node.location is None else str(node.location)
        try:
            if rule is None:
                raise NoForm(self.without.get(node.op.name, "it has no such operator"))
            for value in (*node.inputs, *node.outputs):
                self.dtype(value.type.dtype)
            found = rule(self, node, *map(self.name, node.inputs), **node.attrs)
        except NoForm as problem:
            where = "" if node.location is None else f"{node.location.file}:{node.location.line}: "
            raise GraphError(
                f"{where}export: ONNX has no form for '{node.op.name}' of "
                f"{', '.join(str(value.type) for value in node.inputs) or 'nothing'}: {problem}. "
                "Use file_format='MYCEL', or compute this outside of the network"
            ) from None
        finally:
            self._line = line
        names = found if isinstance(found, tuple) else (found,)
        for value, name in zip(node.outputs, names, strict=True):
            self.bind(value, self._renamed(value, name, self.nodes[begin:]))

    def _renamed(self, value: Value, name: str, nodes: Sequence[Any]) -> str:
        """The name of a value that one of these nodes computes: the user's, where there is one."""
        owner = next((node for node in nodes if name in node.output), None)
        if owner is None or not value.name:
            return name
        better = self.unique(value.name)
        for node in nodes:
            for names in (node.input, node.output):
                for position, each in enumerate(names):
                    if each == name:
                        names[position] = better
        return better


def window_attributes(
    stride: Sequence[int], padding: Sequence[tuple[int, int]], dilation: Sequence[int]
) -> dict[str, Any]:
    """Stride, padding and dilation as ONNX calls them."""
    pads = [low for low, _ in padding] + [high for _, high in padding]
    return {"strides": list(stride), "pads": pads, "dilations": list(dilation)}


def elements(shape: Sequence[int]) -> int:
    """How many elements a shape has."""
    return math.prod(shape)

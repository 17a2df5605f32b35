"""The ops that hold fused groups and counted loops. Only the fusion passes make them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.attributes import FLAG, GRAPH, SIZE, optional
from ..ir.graph import Graph
from ..ir.interpret import interpret
from ..ir.op import Op
from ..ir.types import TensorType
from .control import infer_scan, kernel_scan, scan


def _infer_group(what: str, types: tuple[TensorType, ...], body: Graph) -> tuple[TensorType, ...]:
    expected = tuple(value.type for value in body.parameters)
    if expected != types:
        raise TypeError(f"{what} takes ({', '.join(map(str, expected))}), but is given ({', '.join(map(str, types))})")
    return body.types


def _infer_fused(*types: TensorType, body: Graph, rows: int, products: bool = False) -> tuple[TensorType, ...]:
    return _infer_group("fused", types, body)


def _kernel_fused(*arrays: np.ndarray, body: Graph, rows: int, products: bool = False) -> tuple[np.ndarray, ...]:
    return interpret(body, arrays)


def _infer_kernel(*types: TensorType, body: Graph) -> tuple[TensorType, ...]:
    return _infer_group("kernel", types, body)


def _kernel_kernel(*arrays: np.ndarray, body: Graph) -> tuple[np.ndarray, ...]:
    return interpret(body, arrays)


def _infer_loop(*types: TensorType, until: int | None = None, **attrs: Any) -> tuple[TensorType, ...]:
    return infer_scan(*types, **attrs)


def _kernel_loop(*arrays: np.ndarray, until: int | None = None, **attrs: Any) -> tuple[np.ndarray, ...]:
    if until is None:
        return kernel_scan(*arrays, **attrs)
    state, constants = arrays[1 : 1 + attrs["carried"]], arrays[1 + attrs["carried"] :]
    while state[until]:
        state = interpret(attrs["body"], [np.asarray(0), *state, *constants])
    return tuple(state)


def _flops(inputs: object, outputs: object, *, body: Graph, **attrs: object) -> int:
    return sum(node.flops for node in body.nodes)


fused = Op(
    "fused",
    kind="group",
    flops=_flops,
    attrs={"body": GRAPH, "rows": SIZE, "products": optional(FLAG)},
    internal=True,
    infer=_infer_fused,
    kernel=_kernel_fused,
    doc=(
        "The outputs of the graph `body`, tile by tile: its nodes run over the same leading `rows` dimensions. "
        "Sums may be `products` with ones."
    ),
)
kernel = Op(
    "kernel",
    kind="kernel",
    flops=_flops,
    attrs={"body": GRAPH},
    internal=True,
    infer=_infer_kernel,
    kernel=_kernel_kernel,
    doc="The outputs of the graph `body`, computed by one kernel of machine code.",
)
loop_kernel = Op(
    "loop_kernel",
    kind="loop_kernel",
    attrs={**scan.attrs, "length": SIZE, "until": optional(SIZE)},
    internal=True,
    infer=_infer_loop,
    kernel=_kernel_loop,
    doc=(
        "What `scan` gives for these attributes, all iterations computed by one kernel of machine code. With `until` "
        "that state, a bool, says whether there is another iteration."
    ),
)

"""The op that holds a fused group: elementwise nodes and reductions computed together, by blocks of rows."""

from __future__ import annotations

import numpy as np

from ..ir.attributes import FLAG, GRAPH, SIZE, optional
from ..ir.graph import Graph
from ..ir.interpret import interpret
from ..ir.op import Op
from ..ir.types import TensorType


def _infer_fused(
    *types: TensorType, body: Graph, rows: int, products: bool = False, native: bool = False
) -> tuple[TensorType, ...]:
    expected = tuple(value.type for value in body.parameters)
    if expected != types:
        raise TypeError(f"fused takes ({', '.join(map(str, expected))}), but is given ({', '.join(map(str, types))})")
    return body.types


def _kernel_fused(
    *arrays: np.ndarray, body: Graph, rows: int, products: bool = False, native: bool = False
) -> tuple[np.ndarray, ...]:
    return interpret(body, arrays)


fused = Op(
    "fused",
    kind="control",
    attrs={"body": GRAPH, "rows": SIZE, "products": optional(FLAG), "native": optional(FLAG)},
    internal=True,
    infer=_infer_fused,
    kernel=_kernel_fused,
    doc="The outputs of the graph `body`, whose nodes run over the same leading `rows` dimensions, or by machine code",
)

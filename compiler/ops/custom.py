"""Calls with a backward that the user wrote (Cells with a `bprop`, hooks on gradients), and calls that are
recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.attributes import GRAPH, SIZE
from ..ir.code import Call
from ..ir.graph import Graph, Node
from ..ir.interpret import interpret
from ..ir.op import ACTIVE, Op, Sample
from ..ir.rules import Linearized, Symbol
from ..ir.types import TensorType
from .batching import leading
from .control_batching import batch_custom_call, batch_recomputed
from .creation import zeros_as
from .samples import pair


def _infer_custom(*types: TensorType, forward: Graph, backward: Graph, given: int) -> tuple[TensorType, ...]:
    if given > len(types):
        raise TypeError(f"custom_call: {given} cotangents are given for {len(types)} inputs")
    expected = tuple(value.type for value in forward.parameters)
    if expected != types:
        raise TypeError(f"custom_call: the forward takes {expected}, but is given {types}")
    wanted = (*types, *forward.types, *forward.types)
    if tuple(value.type for value in backward.parameters) != wanted:
        raise TypeError("custom_call: the backward should take the inputs, the outputs and their cotangents")
    if backward.types != types[:given]:
        raise TypeError("custom_call: the backward should give one cotangent of the input's type for each input")
    return forward.types


def _kernel_custom(*arrays: np.ndarray, forward: Graph, backward: Graph, given: int) -> tuple[np.ndarray, ...]:
    return interpret(forward, arrays)


def _vjp_custom(*args: Any, forward: Graph, backward: Graph, given: int) -> list[Any]:
    count = len(forward.parameters)
    inputs, out, dout = args[:count], args[count], args[count + 1]
    outs = out if isinstance(out, tuple) else (out,)
    douts = dout if isinstance(dout, tuple) else (dout,)
    douts = tuple(zeros_as(o) if d is None else d for o, d in zip(outs, douts, strict=True))
    results = ACTIVE.recorder.inline(backward, [*inputs, *outs, *douts])
    return [*results, *[None] * (count - given)]


def _custom_definition(*inputs: Symbol, forward: Graph, backward: Graph, given: int) -> Any:
    results: Sequence[Symbol] = ACTIVE.recorder.inline(forward, inputs)
    return results[0] if len(results) == 1 else tuple(results)


custom_call = Op(
    "custom_call",
    kind="call",
    attrs={"forward": GRAPH, "backward": GRAPH, "given": SIZE},
    infer=_infer_custom,
    kernel=_kernel_custom,
    vjp=_vjp_custom,
    batch=batch_custom_call,
    definition=_custom_definition,
    doc=(
        "The outputs of the graph `forward`; its derivative is the graph `backward` of inputs, outputs and "
        "cotangents, which "
        "gives cotangents of the first `given` inputs; those of the others are zero."
    ),
)


def _infer_recomputed(*types: TensorType, body: Graph) -> tuple[TensorType, ...]:
    expected = tuple(value.type for value in body.parameters)
    if expected != types:
        raise TypeError(f"recomputed: the body takes {expected}, but is given {types}")
    return body.types


def _linearize_recomputed(node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Any) -> Any:
    body: Graph = node.attrs["body"]
    active = [position for position, want in enumerate(wanted) if want]
    seeds = [position for position, here in enumerate(present) if here]

    def backward(inputs: list[Symbol], outs: list[Symbol], douts: list[Symbol | None]) -> list[Symbol | None]:
        derivative = differentiate(body, active, seeds)
        joint = derivative.append(active)
        # A barrier keeps this second computation apart from the first one: merging the two would keep its values.
        again = [barrier(symbol, douts[seeds[0]]) for symbol in inputs]
        results = ACTIVE.recorder.inline(joint, [*again, *[douts[position] for position in derivative.seeds]])
        cotangents: list[Symbol | None] = [None] * len(inputs)
        for position, result in zip(active, results[len(body.outputs) :], strict=True):
            cotangents[position] = result
        return cotangents

    return Linearized(node, backward)


recomputed = Op(
    "recomputed",
    kind="call",
    attrs={"body": GRAPH},
    infer=_infer_recomputed,
    kernel=lambda *arrays, body: interpret(body, arrays),
    linearize=_linearize_recomputed,
    batch=batch_recomputed,
    definition=lambda *inputs, body: _inline(body, inputs),
    doc=(
        "The outputs of the graph `body`, whose intermediates the backward pass computes again in place of "
        "reading them."
    ),
)


def _inline(body: Graph, inputs: Sequence[Symbol]) -> Any:
    results = ACTIVE.recorder.inline(body, inputs)
    return results[0] if len(results) == 1 else tuple(results)


barrier = Op(
    "barrier",
    kind="view",
    infer=lambda x, after: x,
    kernel=lambda x, after=None: x.view(),  # passes ask for the layout of x alone
    vjp=lambda x, after, out, dout: (dout, None),
    batch=leading,
    emit=lambda node, arguments, out: Call(".view", (arguments[0],)),  # a number's view is made before `after` is there
    samples=lambda: [Sample((*pair((2, 3)), np.array([1])))],
    doc="x, computed not before `after` is: two values with a barrier between them are never merged.",
)

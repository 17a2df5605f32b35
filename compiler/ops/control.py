"""Ops that hold graphs: cond, while_loop, scan; and their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.arena import Stack
from ..ir.attributes import FLAG, GRAPH, SIZE, or_none
from ..ir.graph import Graph, Node, make_node
from ..ir.interpret import interpret
from ..ir.loops import INDEX as INDEX
from ..ir.op import Op
from ..ir.rules import Differentiate, Linearized, Recorder, Symbol
from ..ir.types import TensorType
from ..ir.values import Operand, Value
from .branches import Branch, finish_branches, record_branches
from .control_batching import batch_cond, batch_scan, batch_while
from .conversion import assume_shape
from .creation import undefined, zeros_as
from .loop_derivative import linearize_loop

BOOL = TensorType(dtypes.bool_, ())


def _check_arguments(what: str, graph: Graph, types: Sequence[TensorType]) -> None:
    expected = tuple(value.type for value in graph.parameters)
    if expected != tuple(types):
        raise TypeError(f"{what} takes ({', '.join(map(str, expected))}), but is given ({', '.join(map(str, types))})")


def join_types(a: TensorType, b: TensorType) -> TensorType:
    """The type of a value that one branch gives as `a` and the other as `b`; TypeError where there is none."""
    if a.dtype is not b.dtype or a.rank != b.rank:
        raise TypeError(f"Cannot join {a} and {b}: the branches of an if should give the same dtype and dimensions")
    return a.with_shape(tuple(m if m == n else None for m, n in zip(a.shape, b.shape, strict=True)))


def _infer_cond(pred: TensorType, *operands: TensorType, then: Graph, orelse: Graph) -> tuple[TensorType, ...]:
    if pred != BOOL:
        raise TypeError(f"cond: the condition should be bool[], but got {pred}")
    _check_arguments("cond: the branch 'then'", then, operands)
    _check_arguments("cond: the branch 'orelse'", orelse, operands)
    if len(then.outputs) != len(orelse.outputs):
        raise TypeError(f"cond: the branches give {len(then.outputs)} and {len(orelse.outputs)} values")
    return tuple(join_types(a, b) for a, b in zip(then.types, orelse.types, strict=True))


def _kernel_cond(pred: np.ndarray, *operands: np.ndarray, then: Graph, orelse: Graph) -> tuple[np.ndarray, ...]:
    return interpret(then if pred else orelse, operands)


def _linearize_cond(node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate) -> Any:
    graphs = {key: node.attrs[key] for key in ("then", "orelse")}
    active = [position for position, want in enumerate(wanted[1:]) if want]
    outputs = [position for position, here in enumerate(present) if here]
    derivatives = {key: differentiate(graph, active, outputs) for key, graph in graphs.items()}
    saved = {
        key: [value for value in d.residuals if value not in d.forward.parameters] for key, d in derivatives.items()
    }
    extra = [Value(value.type, value.name) for key in graphs for value in saved[key]]
    attrs = {
        key: _with_outputs(
            derivatives[key].forward,
            [value if other == key else value.type for other in graphs for value in saved[other]],
        )
        for key in graphs
    }
    augmented = replace(node, outputs=(*node.outputs, *extra), attrs=attrs)

    def backward(inputs: list[Symbol], outs: list[Symbol], douts: list[Symbol | None]) -> list[Symbol | None]:
        operands = inputs[1:]
        residuals = outs[len(node.outputs) :]
        seeds = {position: dout for position, dout in enumerate(douts) if dout is not None}
        live = [i for i in range(len(active)) if any(d.gradients[i] is not None for d in derivatives.values())]

        def build(key: str) -> Callable[..., list[Any]]:
            derivative = derivatives[key]
            offset = 0 if key == "then" else len(saved["then"])
            position_of = {value: i for i, value in enumerate(derivative.forward.parameters)}
            saved_at = {value: offset + i for i, value in enumerate(saved[key])}

            def branch(recorder: Recorder) -> list[Any]:
                arguments = [
                    operands[position_of[value]] if value in position_of else residuals[saved_at[value]]
                    for value in derivative.residuals
                ]
                # The cond's output may have sizes `?` where the branches differ; the branch knows its own.
                arguments += [
                    assume_shape(seeds[position], shape=derivative.forward.outputs[position].type.shape)
                    if seeds[position].type != derivative.forward.outputs[position].type
                    else seeds[position]
                    for position in derivative.seeds
                ]
                results = recorder.inline(derivative.backward, arguments)
                return [
                    zeros_as(operands[active[i]]) if where is None else results[where]
                    for i, where in enumerate(derivative.gradients)
                    if i in live
                ]

            return branch

        results = record_cond(inputs[0], build("then"), build("orelse"))
        cotangents: list[Symbol | None] = [None] * len(node.inputs)
        for i, result in zip(live, results, strict=True):
            cotangents[1 + active[i]] = result
        return cotangents

    return Linearized(augmented, backward)


def _with_outputs(graph: Graph, extra: Sequence[Value | TensorType]) -> Graph:
    """The graph with more outputs; a bare type stands for a value that this branch does not have."""
    nodes = list(graph.nodes)
    outputs: list[Operand] = list(graph.outputs)
    for item in extra:
        if isinstance(item, TensorType):
            nodes.append(make_node(undefined, (), {"shape": item.shape, "dtype": item.dtype}))
            outputs.append(nodes[-1].output)
        else:
            outputs.append(item)
    return replace(graph, nodes=tuple(nodes), outputs=tuple(outputs))


def record_cond(pred: Symbol, then: Branch, orelse: Branch) -> tuple[Any, ...]:
    """Record a cond in the active recorder; the branches run in recorders of their own and may read what is outside."""
    return record_branches(cond, pred, then, orelse)


def finish_cond(outer: Recorder, pred: Symbol, branches: Sequence[tuple[Recorder, Graph]]) -> tuple[Any, ...]:
    """Record the cond of two finished branches, both brought to the same parameters: all that either captured."""
    return finish_branches(cond, outer, pred, branches)


cond = Op(
    "cond",
    kind="branch",
    attrs={"then": GRAPH, "orelse": GRAPH},
    infer=_infer_cond,
    kernel=_kernel_cond,
    linearize=_linearize_cond,
    batch=batch_cond,
    doc="The outputs of the graph `then` where the condition holds, of `orelse` where not; both take the operands.",
)


def _infer_while(*types: TensorType, test: Graph, body: Graph, carried: int) -> tuple[TensorType, ...]:
    _check_counts("while_loop", types, body, carried)
    _check_arguments("while_loop: the test", test, types)
    _check_arguments("while_loop: the body", body, types)
    if test.types != (BOOL,):
        raise TypeError(f"while_loop: the test should give bool[], but gives {', '.join(map(str, test.types))}")
    _check_carried("while_loop", types[:carried], body.types[:carried])
    stacks = tuple(type.with_shape((None, *type.shape)) for type in body.types[carried:])
    return (*types[:carried], INDEX, *stacks)


def _check_counts(what: str, types: Sequence[TensorType], body: Graph, carried: int, scanned: int = 0) -> None:
    if carried + scanned > len(types) or carried > len(body.outputs):
        raise TypeError(
            f"{what}: {carried} values are carried and {scanned} scanned, but there are {len(types)} operands, and the "
            f"body gives {len(body.outputs)}"
        )


def _check_carried(what: str, before: Sequence[TensorType], after: Sequence[TensorType]) -> None:
    if tuple(before) != tuple(after):
        raise TypeError(
            f"{what}: what the body carries to the next iteration should keep its type, but goes from "
            f"({', '.join(map(str, before))}) to ({', '.join(map(str, after))})"
        )


def _kernel_while(*arrays: np.ndarray, test: Graph, body: Graph, carried: int) -> tuple[np.ndarray, ...]:
    state, constants = list(arrays[:carried]), arrays[carried:]
    stacks = [Stack(type.shape, type.dtype.np) for type in body.types[carried:]]
    trip = 0
    while interpret(test, [*state, *constants])[0]:
        results = interpret(body, [*state, *constants])
        state = list(results[:carried])
        for stack, item in zip(stacks, results[carried:], strict=True):
            stack.push(item)
        trip += 1
    return (*state, np.asarray(trip), *[stack.finish() for stack in stacks])


def infer_scan(
    count: TensorType,
    *types: TensorType,
    body: Graph,
    carried: int,
    scanned: int,
    length: int | None,
    reverse: bool,
) -> tuple[TensorType, ...]:
    if count != INDEX:
        raise TypeError(f"scan: the length should be i64[], but got {count}")
    _check_counts("scan", types, body, carried, scanned)
    slices = []
    for type in types[carried : carried + scanned]:
        if type.rank == 0 or (length is not None and type.shape[0] not in (length, None)):
            raise TypeError(f"scan: a scanned tensor {type} does not have {length} rows")
        slices.append(type.with_shape(type.shape[1:]))
    _check_arguments("scan: the body", body, [INDEX, *types[:carried], *slices, *types[carried + scanned :]])
    _check_carried("scan", types[:carried], body.types[:carried])
    stacks = tuple(type.with_shape((length, *type.shape)) for type in body.types[carried:])
    return (*types[:carried], *stacks)


def kernel_scan(
    count: np.ndarray,
    *arrays: np.ndarray,
    body: Graph,
    carried: int,
    scanned: int,
    length: int | None,
    reverse: bool,
) -> tuple[np.ndarray, ...]:
    state = list(arrays[:carried])
    xs, constants = arrays[carried : carried + scanned], arrays[carried + scanned :]
    total = int(count)
    stacks = [Stack(type.shape, type.dtype.np) for type in body.types[carried:]]
    for index in range(total - 1, -1, -1) if reverse else range(total):
        results = interpret(body, [np.asarray(index), *state, *[x[index] for x in xs], *constants])
        state = list(results[:carried])
        for stack, item in zip(stacks, results[carried:], strict=True):
            stack.push(item)
    return (*state, *[stack.finish(reverse) for stack in stacks])


def _linearize_loop(node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate) -> Any:
    return linearize_loop(scan, node, wanted, present, differentiate)


while_loop = Op(
    "while_loop",
    kind="loop",
    attrs={"test": GRAPH, "body": GRAPH, "carried": SIZE},
    infer=_infer_while,
    kernel=_kernel_while,
    linearize=_linearize_loop,
    batch=batch_while,
    doc=(
        "Run `body` on the first `carried` operands (the state) while `test` holds, the others staying as they are. "
        "Outputs: the state, the number of iterations, and what else the body gives, stacked by iteration."
    ),
)
scan: Op = Op(
    "scan",
    kind="loop",
    attrs={
        "body": GRAPH,
        "carried": SIZE,
        "scanned": SIZE,
        "length": or_none(SIZE),
        "reverse": FLAG,
    },
    infer=infer_scan,
    kernel=kernel_scan,
    linearize=_linearize_loop,
    batch=batch_scan,
    doc=(
        "Run `body` a counted number of times on the index, the state, the index-th rows of the scanned operands and "
        "the constants; backwards with `reverse`. Outputs: the state, and what else the body gives, stacked by index."
    ),
)

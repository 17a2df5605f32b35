"""Ops that hold graphs: cond, while_loop, scan; and their derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.arena import Stack
from ..ir.attributes import FLAG, GRAPH, SIZE, or_none
from ..ir.graph import Graph, Node
from ..ir.interpret import interpret
from ..ir.loops import INDEX as INDEX
from ..ir.op import Op
from ..ir.rules import Batch, Differentiate, Recorder, Symbol
from ..ir.types import TensorType
from ..ir.values import Operand
from .branches import Branch, finish_branches, record_branches

BOOL = TensorType(dtypes.bool_, ())


def _check_arguments(what: str, graph: Graph, types: tuple[TensorType, ...]) -> None:
    expected = tuple([value.type for value in graph.parameters])
    if expected != types:
        raise TypeError(f"{what} takes ({', '.join(map(str, expected))}), but is given ({', '.join(map(str, types))})")


def join_types(a: TensorType, b: TensorType) -> TensorType:
    """The type of a value that one branch gives as `a` and the other as `b`. TypeError if there is none."""
    if a is b:
        return a
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
    return tuple([join_types(a.type, b.type) for a, b in zip(then.outputs, orelse.outputs, strict=True)])


def _kernel_cond(pred: np.ndarray, *operands: np.ndarray, then: Graph, orelse: Graph) -> tuple[np.ndarray, ...]:
    return interpret(then if pred else orelse, operands)


def _linearize_cond(node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate) -> Any:
    from .branch_derivative import linearize_cond  # late, as all rules of these ops: most programs need none

    return linearize_cond(cond, node, wanted, present, differentiate)


def _batch(batch: Batch, *operands: Any, **attrs: Any) -> Any:
    from .control_batching import batch_cond, batch_scan, batch_while

    rule = batch_cond if batch.op is cond else batch_scan if batch.op is scan else batch_while
    return rule(batch, *operands, **attrs)


def record_cond(pred: Symbol, then: Branch, orelse: Branch) -> tuple[Any, ...]:
    """Record a cond in the active recorder. The branches have recorders of their own, and may read values from
    outside."""
    return record_branches(cond, pred, then, orelse)


def finish_cond(
    outer: Recorder, pred: Symbol, branches: Sequence[tuple[Recorder, tuple[Operand, ...]]]
) -> tuple[Any, ...]:
    """Record the cond for two finished branches, each with its outputs. Both get the same parameters: all that either
    captured."""
    return finish_branches(cond, outer, pred, branches)


cond: Op = Op(
    "cond",
    kind="branch",
    attrs={"then": GRAPH, "orelse": GRAPH},
    infer=_infer_cond,
    kernel=_kernel_cond,
    linearize=_linearize_cond,
    batch=_batch,
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
    _check_arguments("scan: the body", body, (INDEX, *types[:carried], *slices, *types[carried + scanned :]))
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
    from .loop_derivative import linearize_loop

    return linearize_loop(scan, node, wanted, present, differentiate)


while_loop = Op(
    "while_loop",
    kind="loop",
    attrs={"test": GRAPH, "body": GRAPH, "carried": SIZE},
    infer=_infer_while,
    kernel=_kernel_while,
    linearize=_linearize_loop,
    batch=_batch,
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
    batch=_batch,
    doc=(
        "Run `body` a counted number of times on the index, the state, the index-th rows of the scanned operands and "
        "the constants; backwards with `reverse`. Outputs: the state, and what else the body gives, stacked by index."
    ),
)

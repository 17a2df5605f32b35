"""Ops that hold graphs: cond, while_loop, scan; and their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.arena import Stack
from ..ir.attributes import FLAG, GRAPH, SIZE, or_none
from ..ir.dependence import active_values
from ..ir.graph import Graph, Node, make_node
from ..ir.interpret import interpret
from ..ir.op import ACTIVE, Op
from ..ir.rules import Derivative, Differentiate, Linearized, Recorder, Symbol
from ..ir.types import TensorType
from ..ir.values import Operand, Value
from .arithmetic import add
from .branches import Branch, finish_branches, record_branches
from .control_batching import batch_cond, batch_scan, batch_while
from .conversion import assume_shape
from .creation import undefined, zeros_as

INDEX = TensorType(dtypes.int64, ())
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


def _active_state(body: Graph, first: int, carried: int, active: set[int]) -> set[int]:
    """Positions of body parameters that depend on the active ones once every iteration has run."""
    active = set(active)
    while True:
        values = active_values(body, [body.parameters[position] for position in sorted(active)])
        grown = active | {first + i for i in range(carried) if body.outputs[i] in values}
        if grown == active:
            return active
        active = grown


def _views_of_saved(derivative: Derivative, outside: Collection[Value]) -> dict[Value, tuple[Value, list[Node]]]:
    """For residuals that are views of what the backward has anyhow, or of as many elements: of what, by which nodes.

    They are not stacked: the backward looks at a row of that by these nodes.
    """
    nodes = {
        node.output: node
        for node in derivative.forward.nodes
        if node.op.kind == "view" and len(node.inputs) == 1 and node.output.type.is_static
        and isinstance(node.inputs[0], Value) and node.inputs[0].type.is_static
    }  # fmt: skip
    whole = {value for value in derivative.residuals if value not in nodes}
    found: dict[Value, tuple[Value, list[Node]]] = {}
    for value in derivative.residuals:
        base: Any = value
        steps: list[Node] = []
        while base in nodes:
            steps = [nodes[base], *steps]
            base = nodes[base].inputs[0]
            if base in outside or base in whole or base.type.size == value.type.size:
                found[value] = base, steps
    return found


def _linearize_loop(
    node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate, *, first: int
) -> Any:
    """The derivative of while_loop (first=0) and scan (first=1: operand 0 is the length, body parameter 0 the index).

    Forward runs with the values that the backward of the body reads stacked along a leading iteration axis (as a ragged
    stack, where an inner loop's own stacks differ in length); backward is a scan over these stacks in the opposite
    direction, which carries the cotangents of the state and sums those of constants.
    """
    attrs: Mapping[str, Any] = node.attrs
    body: Graph = attrs["body"]
    carried: int = attrs["carried"]
    scanned: int = attrs.get("scanned", 0)
    finals = carried + (1 - first)  # while_loop has the trip count after its state
    start_xs, start_constants = first + carried, first + carried + scanned
    active = _active_state(body, first, carried, {i for i in range(first, len(node.inputs)) if wanted[i]})
    state = [i for i in range(carried) if first + i in active]
    xs = [i for i in range(scanned) if start_xs + i in active]
    constants = [i for i in range(len(node.inputs) - start_constants) if start_constants + i in active]
    stacked = len(body.outputs) - carried
    seeds = [i for i in range(stacked) if present[finals + i]]
    wrt = [*[first + i for i in state], *[start_xs + i for i in xs], *[start_constants + i for i in constants]]
    derivative = differentiate(body, wrt, [*state, *[carried + i for i in seeds]])
    gradients = dict(zip(wrt, derivative.gradients, strict=True))
    xs = [i for i in xs if gradients[start_xs + i] is not None]
    constants = [i for i in constants if gradients[start_constants + i] is not None]
    parameters = {value: i for i, value in enumerate(body.parameters)}
    outside = {value for value, i in parameters.items() if i < first or i >= start_xs}
    views = _views_of_saved(derivative, outside)
    read = list(dict.fromkeys(views[value][0] if value in views else value for value in derivative.residuals))
    saved = [value for value in read if value not in outside]
    new_body = replace(derivative.forward, outputs=(*derivative.forward.outputs, *saved))
    length: int | None = attrs.get("length")
    extra = [Value(value.type.with_shape((length, *value.type.shape)), value.name) for value in saved]
    augmented = replace(node, outputs=(*node.outputs, *extra), attrs={**attrs, "body": new_body})

    def backward(inputs: list[Symbol], outs: list[Symbol], douts: list[Symbol | None]) -> list[Symbol | None]:
        outer = ACTIVE.recorder
        count = inputs[0] if first else outs[carried]

        def start(dout: Symbol | None, like: Symbol) -> Symbol:
            return zeros_as(like) if dout is None else dout

        init = [start(douts[i], outs[i]) for i in state]
        init += [zeros_as(inputs[start_constants + i]) for i in constants]
        dys = [douts[finals + i] for i in seeds if carried + i in derivative.seeds]
        needed = [value for value in read if value in outside]
        again = [value for value in needed if first <= parameters[value] < start_constants]  # slices of xs
        shared = [value for value in needed if parameters[value] >= start_constants]
        sequences = [*dys, *[inputs[parameters[value]] for value in again], *outs[len(node.outputs) :]]

        inner = outer.inner(f"{body.name}_backward")
        with inner:
            index = inner.parameter(INDEX, "i")
            dstate = [inner.parameter(symbol.type, "dstate") for symbol in init[: len(state)]]
            sums = [inner.parameter(symbol.type, "dsum") for symbol in init[len(state) :]]
            rows = [inner.parameter(s.type.with_shape(s.shape[1:]), "row") for s in sequences if s is not None]
            row_of: dict[Value, Symbol] = dict(zip([*again, *saved], rows[len(dys) :], strict=True))
            constant_of = {value: inner.parameter(value.type, value.name or "constant") for value in shared}
            arguments: list[Symbol] = []
            for value in derivative.residuals:
                base, steps = views.get(value, (value, ()))
                argument = row_of[base] if base in row_of else constant_of.get(base, index)
                for view in steps:
                    argument = view.op(argument, **view.attrs)
                arguments.append(argument)
            dstate_of = dict(zip(state, dstate, strict=True))
            dys_of = dict(zip([carried + i for i in seeds if carried + i in derivative.seeds], rows, strict=False))
            arguments += [dstate_of[p] if p < carried else dys_of[p] for p in derivative.seeds]
            results = inner.inline(derivative.backward, arguments)
            found = {p: results[where] for p, where in gradients.items() if where is not None}
            next_state = [
                found[first + i] if first + i in found else zeros_as(like)
                for i, like in zip(state, dstate, strict=True)
            ]
            dxs = [found[start_xs + i] for i in xs]
            next_sums = [add(total, found[start_constants + i]) for i, total in zip(constants, sums, strict=True)]
            graph = inner.finish([*next_state, *next_sums, *dxs])
        operands = [
            count, *init, *[s for s in sequences if s is not None], *[inputs[parameters[value]] for value in shared]
        ]  # fmt: skip
        loop = outer.append(
            scan,
            outer.operands(operands),
            {
                "body": graph,
                "carried": len(init),
                "scanned": len(rows),
                "length": length,
                "reverse": not attrs.get("reverse", False),
            },
        )
        results_out = [outer.symbol(value) for value in loop.outputs]
        cotangents: list[Symbol | None] = [None] * len(node.inputs)
        for i, result in zip(state, results_out, strict=False):
            cotangents[first + i] = result
        for i, result in zip(constants, results_out[len(state) :], strict=False):
            cotangents[start_constants + i] = result
        for i, result in zip(xs, results_out[len(init) :], strict=True):
            cotangents[start_xs + i] = result
        return cotangents

    return Linearized(augmented, backward)


def _linearize_while(node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate) -> Any:
    return _linearize_loop(node, wanted, present, differentiate, first=0)


def _linearize_scan(node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate) -> Any:
    return _linearize_loop(node, wanted, present, differentiate, first=1)


while_loop = Op(
    "while_loop",
    kind="loop",
    attrs={"test": GRAPH, "body": GRAPH, "carried": SIZE},
    infer=_infer_while,
    kernel=_kernel_while,
    linearize=_linearize_while,
    batch=batch_while,
    doc=(
        "Run `body` on the first `carried` operands (the state) while `test` holds, the others staying as they are. "
        "Outputs: the state, the number of iterations, and what else the body gives, stacked by iteration."
    ),
)
scan = Op(
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
    linearize=_linearize_scan,
    batch=batch_scan,
    doc=(
        "Run `body` a counted number of times on the index, the state, the index-th rows of the scanned operands and "
        "the constants; backwards with `reverse`. Outputs: the state, and what else the body gives, stacked by index."
    ),
)

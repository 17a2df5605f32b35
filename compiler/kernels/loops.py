"""Lowering of counted loops to the kernel language: an iteration is one index of the outermost loop.

The state stays in place: an iteration reads it and overwrites it with the next one, element by element. That is right
if each element of the next state needs only the same element of the old one, or if the state is one number that is read
at the start of an iteration and written at its end. Loops over tiny tensors that are taken apart or joined are expanded
into their elements (`tiny_loops.py`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace

import numpy as np

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.language import COMBINED, Array, Kernel
from ...runtime.records import dataclass
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import INDEX, Loop
from ..ir.values import Literal, Operand, Value, literal
from .eligible import lane_bytes
from .groups import MOST_KNOWN, translate
from .naming import Origin
from .strips import in_strips
from .tiny_loops import Expansion, duration, duration_of_calls
from .translation import Layout, Translation, contiguous, keep

MOST_NUMBERS = 4096  # of iterations, for which what depends on their number alone is part of the program


@dataclass(frozen=True)
class LoopTranslation:
    """A counted loop as a kernel.

    Attributes:
        kernel: the kernel.
        origins: of its names, as in `Translation`, in `body`, the graph of an iteration.
        inputs: for each array that it reads the operand of the loop, or None where that is a state.
        states: for each array that it reads the number of the state that it is, or None.
        outputs: for each array that it writes, which output of the loop.
        copied: whether `body` has a separate value for each output.
    """

    kernel: Kernel
    origins: tuple[Origin, ...]
    body: Graph
    inputs: tuple[int | None, ...]
    states: tuple[int | None, ...]
    outputs: tuple[int, ...]
    copied: bool


def as_kernel(node: Node) -> list[Node]:
    """A counted loop as a `loop_kernel`, if its iterations can be one more loop around the kernel of an iteration. Any
    other node is returned unchanged."""
    before, changed = _without_number(node) if node.op is ops.scan else ([], node)
    found = _translated(changed, False)
    return [node] if found is None else [*before, *in_strips(found[0], found[1].kernel)]


MOST_AT_ONCE, ELEMENTS_AT_ONCE = 1 << 14, 1 << 22
"""Iterations of a loop with a test, and elements of states, after which Python may handle signals."""


def as_expanded(node: Node, read: Collection[Operand] = ()) -> list[Node]:
    """A counted loop as a `loop_kernel`, behind the constants that it reads, if a kernel of the single elements of its
    iterations is quicker than the calls that they make otherwise. Any other node is returned unchanged."""
    counted = _in_steps(node, read) if node.op is ops.while_loop else node if node.op is ops.scan else None
    if counted is None:
        return [node]
    before, changed = _without_number(counted)
    limit = duration_of_calls(node.attrs["body"])
    found = _translated(changed, True, limit)
    if found is None or duration(found[1].kernel) > limit:
        return [node]
    return [*before, *in_strips(found[0], found[1].kernel)]


def _in_steps(node: Node, read: Collection[Operand]) -> Node | None:
    """A loop with a test, whose number of iterations nobody reads, as iterations that one state ends."""
    loop = Loop.of(node)
    again, body = loop.again, loop.body
    if again is None or len(node.outputs) != loop.carried + 1 or node.outputs[-1] in read:
        return None
    if not all(state.type.is_static for state in loop.states):
        return None
    length = max(16, min(MOST_AT_ONCE, ELEMENTS_AT_ONCE // sum(1 + state.type.size for state in loop.states)))
    body = replace(body, parameters=(Value(INDEX, "i"), *body.parameters))
    attrs = {"body": body, "carried": loop.carried, "scanned": 0, "length": length, "reverse": False}
    count = literal(length, INDEX.dtype)
    made = make_node(ops.loop_kernel, (count, *node.inputs), {**attrs, "until": again}, node.location)
    return replace(made, outputs=node.outputs[:-1])


def _without_number(node: Node) -> tuple[list[Node], Node]:
    """The nodes that a scan no longer needs inside, and the scan, which reads their values from outside: constants,
    views, and what iterations compute of their number alone."""
    loop = Loop.of(node)
    if not loop.length:
        return [], node
    body = _flat(loop.body)
    known, kept = known_by_number(body, loop.length) if loop.length <= MOST_NUMBERS else ({}, [*body.nodes])
    stop = loop.rows.stop
    outer: dict[Operand, Operand] = dict(zip(body.parameters[stop:], node.inputs[stop:], strict=True))
    fixed: list[Node] = []
    outside: list[Node] = []
    for inner in kept:
        is_fixed = inner.op.kind == "view" if inner.inputs else inner.op is not ops.full and not inner.op.has_effect
        if is_fixed and all(operand in outer for operand in inner.inputs):
            fixed.append(inner)
            given = [outer[operand] for operand in inner.inputs]
            outside.append(make_node(inner.op, given, inner.attrs, inner.location))
            outer[inner.output] = outside[-1].output
    kept = [inner for inner in kept if inner not in fixed]
    read = {*body.outputs, *[operand for inner in kept for operand in inner.inputs]}
    rows = [value for value in known if value in read]
    if not rows and not fixed:
        return [], node
    before = [make_node(ops.constant, (), {"value": known[value]}, node.location) for value in rows]
    new = {value: Value(value.type, value.name if isinstance(value, Value) else "") for value in rows}
    constants = [inner.output for inner in fixed]
    parameters = (*body.parameters[:stop], *new.values(), *body.parameters[stop:], *constants)
    nodes = tuple(inner.with_inputs(new.get(operand, operand) for operand in inner.inputs) for inner in kept)
    outputs = tuple(new.get(operand, operand) for operand in body.outputs)
    body = replace(body, parameters=parameters, nodes=nodes, outputs=outputs)
    inputs = (*node.inputs[:stop], *[each.output for each in before], *node.inputs[stop:])
    inputs += tuple(each.output for each in outside)
    attrs = {**node.attrs, "body": body, "scanned": loop.scanned + len(rows)}
    return [*before, *outside], replace(node, inputs=inputs, attrs=attrs)


def known_by_number(body: Graph, length: int) -> tuple[dict[Operand, np.ndarray], list[Node]]:
    """What the iterations of a loop compute elementwise of their number alone, for all of them; and the other nodes."""
    known: dict[Operand, np.ndarray] = {body.parameters[0]: np.arange(length)}
    kept: list[Node] = []
    for inner in body.nodes:
        reads = inner.op.kind == "elementwise" and any(operand in known for operand in inner.inputs)
        if not reads or not all(operand in known or isinstance(operand, Literal) for operand in inner.inputs):
            kept.append(inner)
            continue
        given = [
            np.asarray(operand.value, operand.type.dtype.np) if isinstance(operand, Literal) else known[operand]
            for operand in inner.inputs
        ]
        with np.errstate(all="ignore"):
            found = inner.op.kernel(*given, **inner.attrs)
        known[inner.output] = np.asarray(found).astype(inner.output.type.dtype.np)
    return known, kept


def _translated(node: Node, expand: bool, limit: float = math.inf) -> tuple[Node, LoopTranslation] | None:
    """A counted loop as a `loop_kernel`, and its kernel; None if there is none."""
    if node.op is not ops.scan and node.attrs.get("until") is None:
        return None
    found = replace(node, op=ops.loop_kernel, attrs={**node.attrs, "body": _flat(node.attrs["body"])})
    try:
        return found, translate_loop(found, expand=expand, limit=limit)
    except Unsupported:
        return None


def _flat(body: Graph) -> Graph:
    """The body with the nodes of its kernels inlined."""
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    for node in body.nodes:
        inputs = tuple(mapping.get(operand, operand) for operand in node.inputs)
        if node.op is not ops.kernel:
            nodes.append(node.with_inputs(inputs))
            continue
        inner: Graph = node.attrs["body"]
        mapping.update(zip(inner.parameters, inputs, strict=True))
        nodes += [n.with_inputs(mapping.get(operand, operand) for operand in n.inputs) for n in inner.nodes]
        mapping.update(
            (value, mapping.get(given, given)) for value, given in zip(node.outputs, inner.outputs, strict=True)
        )
    return body.with_nodes(tuple(nodes), tuple(mapping.get(operand, operand) for operand in body.outputs))


def translate_loop(
    node: Node, layouts: Mapping[int, Layout] | None = None, expand: bool = True, limit: float = math.inf
) -> LoopTranslation:
    """The kernel of a counted loop. `layouts` has those of operands that are not in C order, by position. `expand`:
    whether it may be one of single elements, if an iteration takes at most `limit` nanoseconds.

    Raises `Unsupported` if there is no kernel.
    """
    loop = Loop.of(node)
    length = _length(node, loop)
    whole = {position: (layouts or {}).get(position) or contiguous(node.inputs[position])
             for position in range(1, len(node.inputs))}  # fmt: skip
    seen = dict(whole)
    for position in loop.rows:
        seen[position] = whole[position]._replace(strides=whole[position].strides[1:])
    for position in range(1, 1 + loop.carried):
        seen[position] = contiguous(loop.body.parameters[position])
    form = (loop.carried, loop.scanned, loop.reverse, loop.until, length)
    key = loop.body.structure, form, *whole.values(), expand
    found = _known.get(key) or _known.get((key, limit))
    if found is None:
        try:
            found = _made(loop, whole, seen, length, expand, limit)
        except Unsupported as refusal:
            found, key = str(refusal), (key, limit)
        keep(_known, key, found, MOST_KNOWN)
    if isinstance(found, str):
        raise Unsupported(found)
    if not found.copied and limit < math.inf and duration(found.kernel) > limit:
        raise Unsupported("an iteration takes longer than its calls")
    return replace(found, body=_with_copies(loop.body) if found.copied else loop.body)


_known: dict[Hashable, LoopTranslation | str] = {}
"""By the structure of a loop, its kernel; with the limit, why there is none. Loops of equal structure are common, and
each is asked for several times."""


def _made(
    loop: Loop, whole: Mapping[int, Layout], seen: Mapping[int, Layout], length: int, expand: bool, limit: float
) -> LoopTranslation:
    try:
        return _by_element(loop, whole, seen, length)
    except Unsupported:
        if not expand:
            raise
    made = Expansion(loop, whole, length, limit)
    states = [_state(position, loop) for position in made.inputs]
    inputs = tuple(None if state is not None else position for position, state in zip(made.inputs, states, strict=True))
    return LoopTranslation(made.kernel, made.origins, made.body, inputs, tuple(states), made.outputs, False)


def _by_element(loop: Loop, whole: Mapping[int, Layout], seen: Mapping[int, Layout], length: int) -> LoopTranslation:
    """The kernel of a loop whose body is one kernel; an iteration is an index of one more loop around it. `seen` has
    the layouts of the body's parameters."""
    node = loop.node
    if any(inner.op.placed or lane_bytes(inner) is None for inner in loop.body.nodes):
        raise Unsupported("an iteration is no kernel")  # or one may combine at positions what another reads
    body = _with_copies(loop.body)
    translation = translate(body, seen)
    kernel = translation.kernel
    if any(array.bounds or array.at for array in kernel.arrays):
        raise Unsupported("an iteration reads what lies beside its elements")
    if any(array.role in COMBINED for array in kernel.arrays):
        raise Unsupported("an iteration adds to an output")
    arrays = _read_arrays(loop, translation, whole, length)
    for number, array in enumerate(kernel.arrays[len(translation.inputs) :]):
        if number < loop.carried:
            arrays.append(array._replace(strides=(0, *array.strides)))
        else:
            array = array._replace(shape=node.outputs[number].type.static_shape)
            arrays.append(_stepping(array, body.outputs[number].type.nbytes, length, loop.reverse))
    states = [_state(position, loop) for position in translation.inputs]
    until = "" if loop.until is None else arrays[len(translation.inputs) + loop.until].name
    stepping = replace(kernel, extents=(length, *kernel.extents), arrays=tuple(arrays), until=until).flushed()
    check(stepping)
    inputs = tuple(
        None if state is not None else position for position, state in zip(translation.inputs, states, strict=True)
    )
    return LoopTranslation(stepping, translation.origins, body, inputs, tuple(states), translation.outputs, True)


def _length(node: Node, loop: Loop) -> int:
    """The number of iterations. Raises `Unsupported` if it, or a shape, is not known."""
    count = node.inputs[0]
    length = int(count.value) if isinstance(count, Literal) and isinstance(count.value, int) else 0
    if length < 1 or loop.length != length:
        raise Unsupported("the number of iterations is not known")
    if not all(value.type.is_static for value in (*loop.body.parameters, *node.outputs)):
        raise Unsupported("shapes are not known")
    return length


def _state(position: int, loop: Loop) -> int | None:
    """The number of the state that an operand is; None for other operands."""
    return position - 1 if 1 <= position <= loop.carried else None


def _read_arrays(loop: Loop, translation: Translation, whole: Mapping[int, Layout], length: int) -> list[Array]:
    """The arrays that the iterations read. `whole` has the layouts of the loop's operands."""
    kernel = translation.kernel
    read, written = kernel.arrays[: len(translation.inputs)], kernel.arrays[len(translation.inputs) :]
    arrays: list[Array] = []
    for array, position in zip(read, translation.inputs, strict=True):
        state = _state(position, loop)
        if position == 0:
            raise Unsupported("an iteration reads its number")
        if state is not None:
            one = len(kernel.extents) == 1 and not any((*array.strides, *written[state].strides))
            if not one and (state, position) not in translation.in_place:
                raise Unsupported("an iteration reads elements of the state that are written already")
            arrays.append(array._replace(role="state", strides=(0, *array.strides)))
        elif position in loop.rows:
            arrays.append(_stepping(array, whole[position].strides[0], length, loop.reverse))
        else:
            arrays.append(array._replace(strides=(0, *array.strides)))
    return arrays


def _with_copies(body: Graph) -> Graph:
    """The body with a separate value for each output."""
    nodes, outputs = list(body.nodes), []
    known: set[Operand] = set(body.parameters)
    for operand in body.outputs:
        if isinstance(operand, Literal):
            raise Unsupported("a number comes out of an iteration")
        if operand in known:
            nodes.append(make_node(ops.copy, (operand,), {}, None))
            operand = nodes[-1].output
        known.add(operand)
        outputs.append(operand)
    return body.with_nodes(tuple(nodes), tuple(outputs))


def _stepping(array: Array, stride: int, length: int, reverse: bool) -> Array:
    """An array that advances by `stride` bytes in each iteration, backwards with `reverse`."""
    if not reverse:
        return array._replace(strides=(stride, *array.strides))
    return array._replace(strides=(-stride, *array.strides), offset=array.offset + (length - 1) * stride)


def states_of(node: Node) -> list[tuple[Value, Operand]]:
    """For each state the output with its final value, and the operand with its initial value."""
    return list(zip(node.outputs, Loop.of(node).initial, strict=False))

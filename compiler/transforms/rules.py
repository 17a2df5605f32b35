"""Memoized derivative rules: what the rule of an op records is kept as a template, and copied for each further node of
the same op, types and attributes.

%y = multiply(%x, 0.9)      [x, 0.9, y, dy] -> multiply(dy, 0.9)

A template holds only what the wanted cotangents need. Numbers among the inputs belong to it, because rules may look at
them. A rule whose node has graphs or arrays as attributes is run for each node.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ...runtime.records import NamedTuple
from .. import ops
from ..ir.dependence import live_nodes
from ..ir.graph import Node, attrs_key
from ..ir.op import NoDerivative, Op
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value
from .symbolic import Recorder, Symbol

MOST_TEMPLATES = 4096


class RuleTemplate(NamedTuple):
    """The recorded rule of a node. Its values are numbered: inputs, outputs, cotangents of the outputs, numbers of its
    own, and the outputs of its nodes.

    Attributes:
        reads: the inputs and outputs that it reads.
        numbers: its own numbers.
        nodes: for each node the op, the inputs, the attributes and the types of the outputs.
        results: the cotangents of the inputs; None for those that are zero or not wanted.
        is_whole: whether it uses each cotangent that it is given, and gives each that is wanted.
    """

    reads: tuple[int, ...]
    numbers: tuple[Literal, ...]
    nodes: tuple[tuple[Op, tuple[int, ...], Mapping[str, Any], tuple[TensorType, ...]], ...]
    results: tuple[int | None, ...]
    is_whole: bool


_templates: dict[Hashable, RuleTemplate] = {}


def template_of(
    node: Node, wanted: Sequence[bool], douts: Sequence[Operand | None], recorder: type[Recorder]
) -> RuleTemplate | None:
    """The template for the cotangents that are wanted; None for a node whose attributes have no key.

    Args:
        node: the node.
        wanted: which of its inputs have cotangents.
        douts: the cotangents of its outputs.
        recorder: the class of recorders that rules run in.
    """
    attrs = attrs_key(node.attrs) if node.attrs else ()
    if attrs is None:
        return None
    given = [operand if operand.__class__ is Literal else operand.type for operand in node.inputs]
    cotangents = [None if dout is None else dout.type for dout in douts]
    key = node.op, *given, *wanted, *cotangents, attrs
    found = _templates.get(key)
    if found is None:
        found = _record(node, wanted, cotangents, recorder("rule"))
        if len(_templates) >= MOST_TEMPLATES:
            _templates.clear()
        _templates[key] = found
    return found


def _record(
    node: Node, wanted: Sequence[bool], cotangents: Sequence[TensorType | None], recorder: Recorder
) -> RuleTemplate:
    """The rule of a node, run on values that stand for its own."""
    inputs = [each if isinstance(each, Literal) else Value(each.type) for each in node.inputs]
    outputs = [Value(each.type) for each in node.outputs]
    douts = [None if type is None else Value(type) for type in cotangents]
    with recorder:
        symbols = [Symbol(operand, recorder) for operand in inputs]
        given = [None if dout is None else Symbol(dout, recorder) for dout in douts]
        found = cotangents_of(node, symbols, [Symbol(value, recorder) for value in outputs], given, wanted)
    results = [None if symbol is None else recorder.lift(symbol) for symbol in found]
    kept, used = live_nodes(recorder.nodes, [operand for operand in results if operand is not None])
    own = list(dict.fromkeys([each for made in kept for each in made.inputs if isinstance(each, Literal)]))
    own += [each for each in results if isinstance(each, Literal) and each not in own]
    values = [*inputs, *outputs, *douts, *own, *[value for made in kept for value in made.outputs]]
    places = {value: place for place, value in enumerate(values) if value is not None}
    return RuleTemplate(
        tuple([place for place, value in enumerate((*inputs, *outputs)) if isinstance(value, Value) and value in used]),
        tuple(own),
        tuple([
            (made.op, tuple([places[each] for each in made.inputs]), made.attrs, tuple([v.type for v in made.outputs]))
            for made in kept
        ]),
        tuple([None if operand is None else places[operand] for operand in results]),
        used.issuperset([dout for dout in douts if dout is not None])
        and all(not want or result is not None for want, result in zip(wanted, results, strict=True)),
    )  # fmt: skip


def cotangents_of(
    node: Node,
    inputs: Sequence[Symbol],
    outputs: Sequence[Symbol],
    douts: Sequence[Symbol | None],
    wanted: Sequence[bool],
) -> list[Symbol | None]:
    """Run the rule of a node in the active recorder: the wanted cotangents of its inputs, in the types of these."""
    assert node.op.vjp is not None
    if len(outputs) == 1:
        result = node.op.vjp(*inputs, outputs[0], douts[0], **node.attrs)
    else:
        result = node.op.vjp(*inputs, tuple(outputs), tuple(douts), **node.attrs)
    if not isinstance(result, (tuple, list)):
        result = (result,)
    if len(result) != len(inputs):
        raise TypeError(f"the vjp of {node.op.name} gave {len(result)} cotangents for {len(inputs)} inputs")
    return fitted(node, inputs, result, wanted)


def fitted(
    node: Node, inputs: Sequence[Symbol], cotangents: Sequence[Any], wanted: Sequence[bool]
) -> list[Symbol | None]:
    """The wanted ones of the cotangents that a rule has given, converted to the types of the inputs. Broadcasting is
    undone here, once for all rules."""
    found: list[Symbol | None] = []
    for symbol, cotangent, want in zip(inputs, cotangents, wanted, strict=True):
        if not want or cotangent is None:
            found.append(None)
            continue
        if isinstance(cotangent, NoDerivative):
            place = "" if node.location is None else f" ({node.location})"
            raise ValueError(cotangent.message + place)
        type = symbol.type
        if cotangent.dtype is not type.dtype:
            raise TypeError(f"the vjp of {node.op.name} gave a cotangent {cotangent.type} for an input {type}")
        found.append(cotangent if cotangent.type is type and type.is_static else ops.sum_as(cotangent, symbol))
    return found

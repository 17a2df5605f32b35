"""Fused groups as kernels: groups that are structurally equal, as those of equal layers, share one translation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from ...runtime.native.builder import Unsupported
from ..ir.graph import Graph, freeze
from ..ir.values import Operand
from .translator import Layout, Translation, translate_anew


def translate(body: Graph, layouts: Mapping[int, Layout] | None = None) -> Translation:
    """The kernel of a group's graph. `layouts` has those of inputs that are not in C order, by position.

    Groups that are structurally equal, as those of equal layers, are translated once. Raises `Unsupported` if there is
    no kernel.
    """
    key = _structure(body, layouts or {})
    found = _known.get(key)
    if found is None:
        try:
            found = translate_anew(body, layouts or {})
        except Unsupported as refusal:
            found = str(refusal), refusal.position, refusal.final
        if len(_known) >= MOST_KNOWN:
            del _known[next(iter(_known))]
        _known[key] = found
    if isinstance(found, Translation):
        return found
    raise _refusal(*found)


def _refusal(text: str, position: int | None, final: bool) -> Unsupported:
    """The error, which no variable of a frame in its own traceback holds: that would be a cycle."""
    error = Unsupported(text)
    error.position, error.final = position, final
    return error


MOST_KNOWN = 4096  # groups whose translation is kept: more than most programs have, which ask for each several times

_known: dict[Hashable, Translation | tuple[str, int | None, bool]] = {}  # or why there is no kernel, and of which node


def _structure(body: Graph, layouts: Mapping[int, Layout]) -> Hashable:
    """A key that is equal for groups with the same kernel."""
    order: dict[Operand, int] = {}
    rows: list[Hashable] = []
    for value in body.parameters:
        order[value] = len(order)
        rows.append((value.type.dtype.numpy_name, value.type.shape))
    for node in body.nodes:
        out = node.outputs[0]
        type = out.type
        # There is one literal for each number and type.
        inputs = [order.get(operand, operand) for operand in node.inputs]
        attrs = freeze(sorted(node.attrs.items())) if node.attrs else ()
        rows.append((node.op, *inputs, attrs, type.dtype.numpy_name, type.shape))
        order[out] = len(order)
    outputs = tuple(order.get(operand, -1) for operand in body.outputs)
    return len(body.parameters), *rows, outputs, *sorted(layouts.items())

"""Fused groups as kernels: groups that are structurally equal, as those of equal layers, share one translation. Groups
that differ only in their constants share it, too: each puts its own constants in."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...runtime.native.builder import Unsupported
from ...runtime.native.language import Argument, Number
from .. import ops
from ..analysis.views import blank, view_of
from ..ir.graph import Graph, Node
from ..ir.values import Literal, Operand
from .short_rows import without_moves
from .translation import Layout, Translation, contiguous, keep
from .translator import translate_anew


def translate(body: Graph, layouts: Mapping[int, Layout] | None = None) -> Translation:
    """The kernel of a group's graph. `layouts` has those of inputs that are not in C order, by position.

    Groups that are structurally equal, as those of equal layers, are translated once. Raises `Unsupported` if there is
    no kernel.
    """
    layouts = layouts or {}
    key = (body.structure, *sorted(layouts.items())) if layouts else body.structure
    found = _known.get(key)
    if found is None:
        found = keep(_known, key, _reshaped(body, layouts) or _translated(body, layouts), MOST_KNOWN)
        if layouts and isinstance(found, Translation):
            keep(_followed, body.structure, found, MOST_KNOWN)
    if isinstance(found, Translation):
        return found
    raise _refusal(*found)


def has_kernel(body: Graph) -> bool:
    """Whether there is a kernel of a group's graph, for inputs in C order. A kernel for inputs with other strides
    shows that, because C order is the easiest: then the graph is not translated again."""
    try:
        return body.structure in _followed or bool(translate(body))
    except Unsupported:
        return False


def _reshaped(body: Graph, layouts: Mapping[int, Layout]) -> Translation | None:
    """The translation of a group that is known without the layouts, where these are of arrays that are merely reshaped,
    in C order still: the arrays of the kernel have other shapes."""
    known = _known.get(body.structure) if layouts else None
    if not isinstance(known, Translation):
        return None
    if any(layout[1:] != contiguous(body.parameters[position])[1:] for position, layout in layouts.items()):
        return None
    arrays = list(known.kernel.arrays)
    for place, position in enumerate(known.inputs):
        if position in layouts:
            if arrays[place].role != "in" or arrays[place].at:  # index arrays move along the axes of the whole argument
                return None
            arrays[place] = arrays[place]._replace(shape=layouts[position].shape)
    return replace(known, kernel=replace(known.kernel, arrays=tuple(arrays)))


def _translated(body: Graph, layouts: Mapping[int, Layout]) -> Translation | Refusal:
    """The translation of a group, perhaps that of one with other numbers; or why there is none."""
    rows: tuple[Hashable, ...] = body.structure  # type: ignore[assignment]
    literals = dict.fromkeys([row for row in rows if row.__class__ is Literal and _is_plain(row.value)])
    numbers = {literal: (position, literal.type) for position, literal in enumerate(literals)}
    values = tuple([literal.value for literal in literals])
    form = tuple([numbers.get(row, row) if row.__class__ is Literal else row for row in rows])
    form = form, *sorted(layouts.items())
    known = _forms.get(form)
    if known is not None:
        return _with_numbers(*known, values)
    try:
        made = without_moves(translate_anew(body, layouts))
    except Unsupported as refusal:
        return str(refusal), refusal.position, refusal.final
    if values and _is_form(made, values):
        keep(_forms, form, (made, values), MOST_KNOWN)
    return made


def _is_plain(value: object) -> bool:
    """Whether a number is like others: floats that are neither zero nor infinite, which no translation looks at."""
    return type(value) is float and value != 0 and math.isfinite(value)


def _is_form(made: Translation, values: tuple[object, ...]) -> bool:
    """Whether it is known of each float of a kernel which one of a group's numbers it is: as an object, because others
    may be equal."""
    own = {id(value) for value in values}
    statements = made.kernel.statements
    floats = [one.value for each in statements for one in each.arguments if one.__class__ is Number]
    return len(own) == len(values) and own == {id(value) for value in floats if isinstance(value, float)}


def _with_numbers(made: Translation, old: tuple[object, ...], new: tuple[object, ...]) -> Translation:
    """A translation with other numbers."""
    values = {id(value): other for value, other in zip(old, new, strict=True)}

    def changed(argument: Argument) -> Argument:
        if isinstance(argument, Number) and id(argument.value) in values:
            return Number(values[id(argument.value)], argument.dtype)  # type: ignore[arg-type]
        return argument

    statements = [each._replace(arguments=tuple(map(changed, each.arguments))) for each in made.kernel.statements]
    return replace(made, kernel=replace(made.kernel, statements=tuple(statements)))


def _refusal(text: str, position: int | None, final: bool) -> Unsupported:
    """The error, which no variable of a frame in its own traceback holds: that would be a cycle."""
    error = Unsupported(text)
    error.position, error.final = position, final
    return error


MOST_KNOWN = 1024  # groups whose translation is kept: more than most programs have, which ask for each several times

Refusal = tuple[str, int | None, bool]
"""Why there is no kernel, of which node, and whether that is known without the nodes that follow."""

_known: dict[Hashable, Translation | Refusal] = {}
_followed: dict[Hashable, Translation] = {}  # by the structure alone: one whose inputs have other layouts
_forms: dict[Hashable, tuple[Translation, tuple[object, ...]]] = {}  # by the structure without numbers, with these


def layout_through(views: Sequence[Node]) -> tuple[np.ndarray, Layout] | None:
    """The array that the last of some views is, each of the one before, and its layout in what the first one views.

    The array has no content. None where one of them makes a copy.
    """
    whole = seen = blank(views[0].inputs[0].type)
    for node in views:
        view = view_of(node, seen)
        if view is None:
            return None
        seen = view
    offset = seen.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    paired = seen.dtype != whole.dtype
    return seen, Layout((*whole.shape, 2) if paired else whole.shape, offset, seen.strides, paired)


def seen_in_base(operand: Operand, producers: Mapping[Operand, Node]) -> tuple[np.ndarray, Layout] | None:
    """The array that a view is, without content, and its layout in its base; None for what is no view of that dtype, or
    of parts of complex numbers.
    `producers`: the nodes of views with one input. One that has to copy is the base of those behind it."""
    chain: list[Node] = []
    value = operand
    while value in producers and is_seen(producers[value]):
        chain.insert(0, producers[value])
        value = chain[0].inputs[0]
    if not chain or not operand.type.is_static or not value.type.is_static:
        return None
    while chain:
        found = layout_through(chain)
        if found is not None:
            return found
        del chain[: _first_copy(chain) + 1]
    return None


def is_seen(node: Node) -> bool:
    """Whether kernels can read a view in its base: numbers of the same dtype, or parts of complex ones."""
    return node.inputs[0].type.dtype is node.output.type.dtype or node.op is ops.part


def _first_copy(views: Sequence[Node]) -> int:
    """The position of the first of some views that has to copy."""
    return next(end for end in range(len(views)) if layout_through(views[: end + 1]) is None)

"""Fused groups as kernels: groups that are structurally equal, as those of equal layers, share one translation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from ...runtime.native.builder import Unsupported
from ..ir.graph import Graph
from .short_rows import without_moves
from .translator import Layout, Translation, translate_anew


def translate(body: Graph, layouts: Mapping[int, Layout] | None = None) -> Translation:
    """The kernel of a group's graph. `layouts` has those of inputs that are not in C order, by position.

    Groups that are structurally equal, as those of equal layers, are translated once. Raises `Unsupported` if there is
    no kernel.
    """
    key = (body.structure, *sorted(layouts.items())) if layouts else body.structure
    found = _known.get(key)
    if found is None:
        try:
            found = without_moves(translate_anew(body, layouts or {}))
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


MOST_KNOWN = 1024  # groups whose translation is kept: more than most programs have, which ask for each several times

_known: dict[Hashable, Translation | tuple[str, int | None, bool]] = {}  # or why there is no kernel, and of which node

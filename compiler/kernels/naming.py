"""Names in kernels: numbers when kernels are compared, the names of the graph's values in programs."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from ...runtime.native.language import SIZES, Kernel, names_of
from ..ir.graph import Graph
from ..ir.naming import plain_name
from ..ir.values import Value

Origin = tuple[int, str]

_NUMBERED = re.compile(r"(v(?<=\bv)\d+\b)")  # Python searches a letter sooner than a boundary
_RESERVED = frozenset({"at", "inf", "nan", "within", *SIZES, *keyword.kwlist})


def text_with_names(kernel: Kernel, origins: Sequence[Origin], body: Graph) -> str:
    """The text of a numbered kernel of a group's graph, or of one derived from it, with the names of the graph's
    values."""
    values = values_of(body)
    taken: set[str] = set()
    counts: dict[str, int] = {}
    names: dict[str, str] = {}
    for name, (number, suffix) in zip(names_of(kernel), origins, strict=True):
        hint = plain_name(values[number].name) or "t"
        hint = new = f"{hint}_{suffix}" if suffix else hint
        while new in taken or new in _RESERVED:
            counts[hint] = counts.get(hint, 0) + 1
            new = f"{hint}_{counts[hint]}"
        taken.add(new)
        names[name] = new
    parts = _NUMBERED.split(str(kernel))
    parts[1::2] = map(names.__getitem__, parts[1::2])
    return "".join(parts)


def values_of(body: Graph) -> list[Value]:
    """The parameters of a group's graph and the values of its nodes, in the order in which kernel names count them."""
    return [*body.parameters, *[node.outputs[0] for node in body.nodes]]


def origin_of(name: str) -> Origin:
    number, _, suffix = name[1:].partition("_")
    return int(number), suffix

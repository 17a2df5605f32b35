"""Layouts: how tensors are cut over processes, and which cuts a node's inputs and outputs share.

A layout has for each dimension the digits of the process's rank that choose the part, the most significant one first. A
digit `(base, stride)` of a rank is `rank // stride % base`; bases are prime, so that layouts of other device matrices
have digits in common. Over 4 processes `(((2, 2),), ((2, 1),))` cuts a matrix into 2 x 2 blocks, and `((), ())` leaves
it whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from ...runtime.records import dataclass
from .graph import Node
from .types import Shape, TensorType

Digit = tuple[int, int]
Cut = tuple[Digit, ...]
Layout = tuple[Cut, ...]
Label = Hashable  # dimensions with one label are cut in the same way; None: the dimension must be whole


def digits(parts: int, stride: int = 1) -> Cut:
    """The digits that choose a part; the ranks of neighbouring parts are `stride` apart."""
    found = []
    base = 2
    while parts > 1:
        if parts % base:
            base += 1
        else:
            parts //= base
            found.append((base, stride * parts))
    return tuple(found)


def count(cut: Cut) -> int:
    """The number of parts."""
    return math.prod(base for base, _ in cut)


def position(cut: Cut, rank: int) -> int:
    """The part that a process has."""
    found = 0
    for base, stride in cut:
        found = found * base + rank // stride % base
    return found


def members(cut: Cut, rank: int) -> tuple[int, ...]:
    """The ranks that have the parts, in their order, among the processes that are like this one in all else."""
    first = rank - sum(rank // stride % base * stride for base, stride in cut)
    choices = product(*[range(base) for base, _ in cut])
    return tuple(first + sum(c * s for c, (_, s) in zip(chosen, cut, strict=True)) for chosen in choices)


def independent(cut: Iterable[Digit]) -> bool:
    """Whether the digits can be chosen apart from each other."""
    ordered = sorted(cut, key=lambda digit: digit[1])
    return all(nxt[1] % (base * stride) == 0 for (base, stride), nxt in pairwise(ordered))


def whole(rank: int) -> Layout:
    """The layout of a tensor of this rank that every process has whole."""
    return ((),) * rank


def divides(shape: Shape, layout: Layout) -> bool:
    """Whether the parts are equal."""
    return all(
        not cut or (size is not None and size % count(cut) == 0) for size, cut in zip(shape, layout, strict=True)
    )


def part_of(type: TensorType, layout: Layout) -> TensorType:
    """The type of a process's part."""
    return type.with_shape(
        tuple(size if size is None else size // count(cut) for size, cut in zip(type.shape, layout, strict=True))
    )


def whole_of(type: TensorType, layout: Layout) -> TensorType:
    """The type of the whole, of that of a part."""
    shape = zip(type.shape, layout, strict=True)
    return type.with_shape(tuple(size if size is None else size * count(cut) for size, cut in shape))


def layout_of_counts(counts: tuple[int, ...]) -> Layout:
    """The layout of a tensor by its parts along each dimension: neighbouring ranks have neighbouring parts."""
    layout: list[Any] = []
    stride = 1
    for parts in reversed(counts):
        layout.insert(0, digits(parts, stride))
        stride *= parts
    return tuple(layout)


def show_layout(layout: Layout) -> str:
    """The text of a layout: the parts of each dimension, and the strides of the ranks that have them."""
    texts = [f"{count(cut)} @ {' '.join(str(stride) for _, stride in cut)}" if cut else "1" for cut in layout]
    return f"({', '.join(texts)})"


@dataclass(frozen=True)
class Cuts:
    """How a node is computed from parts.

    Attributes:
        inputs, outputs: a label for each dimension. Dimensions with the same label are cut alike. Where a label of the
            inputs is not among the outputs, processes have results of their parts, to be combined.
        by: what combines these: "sum", "max", "min" or "prod"; "": no dimension of the inputs is missing.
        attrs: a function from the shape of the output's part to the attributes that differ for parts.
        local: for nodes that depend on which part it is, `(part, *inputs, **attrs)` to the output: ordinary code over
            ops on symbols.
    """

    inputs: tuple[tuple[Label, ...], ...]
    outputs: tuple[tuple[Label, ...], ...]
    by: str = ""
    attrs: Callable[[tuple[int, ...]], Mapping[str, Any]] | None = None
    local: Callable[..., Any] | None = None


@dataclass(frozen=True)
class Part:
    """The part of a process, for `Cuts.local`: for each label its digits, and the rank."""

    cuts: Mapping[Label, Cut]
    rank: int

    def position(self, labels: Iterable[Label]) -> int:
        """The number of this process's part along the dimensions with these labels; 0 if they are not cut."""
        return position(tuple(digit for label in labels for digit in self.cuts.get(label, ())), self.rank)

    def count(self, label: Label) -> int:
        """The number of parts."""
        return count(self.cuts.get(label, ()))


@lru_cache(maxsize=1024)
def labelled(*shapes: Shape) -> tuple[tuple[Label, ...], ...]:
    """Labels for shapes that broadcast: the same one for dimensions that meet; sizes of one are not cut."""
    rank = max(map(len, shapes), default=0)
    return tuple(
        tuple([None if size in (1, None) else axis + rank - len(shape) for axis, size in enumerate(shape)])
        for shape in shapes
    )


def cuts_alike(node: Node) -> Cuts:
    """The rule of elementwise nodes."""
    found = labelled(*[x.type.shape for x in node.inputs], *[value.type.shape for value in node.outputs])
    return Cuts(found[: len(node.inputs)], found[len(node.inputs) :])


def cuts_of(node: Node) -> Cuts | None:
    """How a node is computed from parts; None: from whole inputs only."""
    if node.op.cuts is not None:
        found: Cuts | None = node.op.cuts(node)
        return found
    return cuts_alike(node) if node.op.kind == "elementwise" and not node.op.holds_graphs else None


def layout_by(labels: Sequence[Label], cuts: Mapping[Label, Cut]) -> Layout:
    """The layout of a tensor whose dimensions have these labels."""
    return tuple(() if label is None else cuts.get(label, ()) for label in labels)

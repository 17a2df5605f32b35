"""What the translation of a fused group is made of: the layouts of its inputs, the kernel with what is known of it, and
facts about single nodes that other parts ask for, too."""

from __future__ import annotations

import math
from collections.abc import Set
from typing import Any, TypeVar

from ...runtime.native.language import Kernel
from ...runtime.records import NamedTuple, dataclass
from .. import ops
from ..ir.graph import Node
from ..ir.values import Operand
from .loop_nest import SHORT_SCAN
from .naming import Origin

FEWEST_ROWS = 32  # that are unrolled

T = TypeVar("T")


class Layout(NamedTuple):
    """The position of an input in an array of a shape: the bytes before its first element, and its strides.

    `paired`: whether the array is complex, and the input parts of its numbers; the last dimension of the shape is two.
    """

    shape: tuple[int, ...]
    offset: int
    strides: tuple[int, ...]
    paired: bool = False


@dataclass(frozen=True)
class Translation:
    """A group as a kernel.

    Attributes:
        kernel: the kernel, its names numbered, so that groups of one structure have the same.
        origins: for each name the number of the value that it comes from, among the group's parameters and the values
            of its nodes, and what makes it a name of its own. `text_with_names` gives the kernel their names.
        inputs: for each array of the kernel that it reads, which input of the group it is.
        outputs: for each array that it writes, which output.
        in_place: pairs (output, input) of the group where the output may be in the input's memory: each of its elements
            is read, at one place, before it is written, and never again.
    """

    kernel: Kernel
    origins: tuple[Origin, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    in_place: Set[tuple[int, int]]


def keep(known: dict[Any, T], key: Any, value: T, most: int) -> T:
    """Keep what was found for a key. If there are as many as this, the oldest go; threads may do so at once, and each
    leaves one too many at most."""
    while len(known) >= most:
        oldest, *_ = tuple(known)
        known.pop(oldest, None)
    known[key] = value
    return value


def contiguous(operand: Operand) -> Layout:
    """The layout of an array in C order."""
    strides, step = [], operand.type.dtype.np.itemsize
    for size in reversed(operand.type.static_shape):
        strides.append(step)
        step *= size
    return Layout(operand.type.static_shape, 0, tuple(reversed(strides)))


def iteration(node: Node) -> tuple[int, ...]:
    """The shape of the elements that a node computes or combines."""
    if node.op.placed:
        region: tuple[int, ...] = node.attrs["region"]
        return region
    if node.op is ops.interleaved:
        return ops.first_part(node).type.static_shape
    operand = node.inputs[0] if node.op.kind == "reduction" or node.op is ops.in_box else node.outputs[0]
    return operand.type.static_shape


def moves_in_row(node: Node) -> bool:
    """Whether a node only moves elements along short rows, which may be unrolled."""
    windows = node.windows
    if windows is None:
        return False
    shape = node.output.type.static_shape
    if len(shape) < 2 or not 2 <= shape[-1] < SHORT_SCAN or math.prod(shape[:-1]) < FEWEST_ROWS:
        return False
    inside = all(node.inputs[one.input].type.shape == shape and not any(one.low[:-1]) for one in windows)
    return inside and any(one.low[-1] for one in windows)

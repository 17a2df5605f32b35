"""Interleaved stores: kernels write what they compute at every second element, say, of a larger tensor.

    %p: f32[4, 2] = pad(%a1, high=(0, 1))             %y: f32[8] = kernel(%x) {
    %q: f32[4, 2] = pad(%b1, low=(0, 1))                  ...
    %s: f32[4, 2] = add(%p, %q)                           %y: f32[8] = interleaved(%a, %b, phases=(0, 1), steps=(2,))
    %y: f32[8] = reshape(%s, shape=(8,))              }

So are the gradients of strided slices, rows that are stacked and joined, columns that are stacked, and long parts that
are joined behind the first axis. `interleave` finds them; what else is added is computed for each part.
`write_interleaved` lets the kernel that computes the parts write them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from ...runtime.machine.sizes import WIDTH
from ...runtime.native.builder import Unsupported
from ...runtime.native.language import LANES
from ...runtime.records import NamedTuple
from .. import ops
from ..ir.graph import Graph, Node, block_node, copy_nodes, make_node
from ..ir.subgraphs import map_inside
from ..ir.values import Literal, Operand, Value, literal
from ..kernels import eligible
from ..kernels.groups import translate
from ..ops.conversion import real_dtype
from .cloning import is_fusible
from .dce import eliminate_dead_code
from .grouping import block_of
from .joined import FEW_JOINED, MOST_COMBINED
from .paddings import box_of_part, padded
from .rewriter import Rewriter, Rule
from .shapes import splat
from .simplify import simplifications

DEEPEST = 8  # sums of paddings, and nodes between a sum and what it is computed from
MOST_STORED = 64  # elements that are stored one by one, as those of a matrix of 8 by 8
LONG_ROW = 1024  # bytes of rows that kernels write one by one, not all of them and then a copy
FILLED_ROW = 128  # the same of rows that fill vectors
SPARSEST = 12  # of these, zeros included, to each part: more zeros are stored faster by themselves

Place = tuple[int, ...]
"""For each axis of a whole the first element of a part."""


Box = tuple[tuple[int, int], ...]
"""For each axis of a whole where a part begins and ends."""


class Spread(NamedTuple):
    """A tensor that consists of parts.

    Attributes:
        steps: for each axis the distance of a part's elements.
        parts: the parts by their places; there are zeros at the others.
        shape: that of the tensor, which may leave the ends of parts out.
    """

    steps: tuple[int, ...]
    parts: dict[Place, Operand]
    shape: tuple[int, ...]


def interleave(graph: Graph) -> Graph:
    """Find tensors of interleaved parts. Without machine code nothing changes."""
    given = graph.ops
    if not (ops.index_add in given or ops.concatenate in given or (ops.reshape in given and ops.pad in given)):
        return graph
    if not eligible.is_available():
        return graph
    if not any(_is_concerned(graph, node) for node in graph.nodes):
        return map_inside(graph, interleave)
    rewriter = Rewriter(graph, lambda node: _rules_of(rewriter, node), interleave)
    return eliminate_dead_code(rewriter.run())


def _is_concerned(graph: Graph, node: Node) -> bool:
    """Whether a node may put parts together."""
    if node.op is ops.index_add:
        box, shape = _box(node), node.output.type.shape
        return box is not None and any(
            end == first + 1 and 1 < (size or 0) <= MOST_COMBINED for (first, end), size in zip(box, shape, strict=True)
        )
    if node.op is ops.concatenate:
        return _are_columns(graph, node)
    made = graph.producers.get(node.inputs[0]) if node.op is ops.reshape else None
    if made is None or not (made.op is ops.pad or made.op is ops.concatenate or made.op is ops.add):
        return False
    types = made.output.type, node.output.type
    return all(type.is_static for type in types) and _joined_axes(*[type.static_shape for type in types]) is not None


def _rules_of(rewriter: Rewriter, node: Node) -> Sequence[Rule]:
    found = simplifications(rewriter, node)
    if node.op is ops.reshape:
        return (_joined, *found)
    if node.op is ops.index_add:
        return (_boxes, *found)
    if node.op is ops.concatenate:
        return (_columns, *found)
    if node.op is not ops.add or not any(x is ops.interleaved or x is ops.slice for x in rewriter.sources(node)):
        return found
    return (_sum, *found)


def _joined(rewriter: Rewriter, node: Node) -> Operand | None:
    """Parts along axes that a reshape joins with those before them are interleaved."""
    type, (x,) = node.output.type, node.inputs
    if not type.is_static or not x.type.is_static or type.dtype.numpy_name not in LANES or not type.size:
        return None
    steps = _joined_axes(x.type.static_shape, type.static_shape)
    if steps is None or not 1 < math.prod(steps) <= 2 * FEW_JOINED:
        return None
    short = [axis + sum(step > 1 for step in steps[:axis]) + 1 for axis, step in enumerate(steps) if step > 1]
    found = _parts(rewriter, x, short, 0)
    if found is None:
        return None
    parts: dict[Place, Operand] = {}
    shape = tuple([size // step for size, step in zip(type.static_shape, steps, strict=True)])
    for firsts, part in found.items():
        first = iter(firsts)
        place = tuple([next(first) if step > 1 else 0 for step in steps])
        parts[place] = rewriter.make(ops.reshape, [part], shape=shape)
    return _made(rewriter, Spread(steps, parts, type.static_shape))


def _are_columns(graph: Graph, node: Node) -> bool:
    """Whether a node joins single elements along the last axis, or long rows along one in the middle. Elementwise nodes
    read longer parts where they are."""
    type, axis, count = node.output.type, node.attrs["axis"], len(node.inputs)
    if not type.is_static or real_dtype(type.dtype).numpy_name not in LANES or not type.size:
        return False
    if (
        not 1 < count <= FEW_JOINED
        or type.size <= MOST_STORED
        or any(x.type != node.inputs[0].type for x in node.inputs)
    ):
        return False
    readers = graph.readers.get(node.output, ())
    if count < type.static_shape[axis] and any(map(is_fusible, readers)):
        return False
    if axis < type.rank - 1 or count < type.static_shape[axis]:
        before, row = math.prod(type.static_shape[:axis]), math.prod(type.static_shape[axis:]) // count
        nbytes = row * type.dtype.np.itemsize
        return before > 1 and nbytes >= (LONG_ROW if nbytes % WIDTH else FILLED_ROW)
    return not any(reader is not None and reader.op is ops.reshape for reader in readers)


def _columns(rewriter: Rewriter, node: Node) -> Operand | None:
    """Columns that are computed and joined, as the coordinates of points, are interleaved."""
    if not _are_columns(rewriter.graph, node):
        return None
    axis, shape = node.attrs["axis"], node.output.type.static_shape
    parts: Sequence[Operand] = node.inputs
    long = shape[axis] > len(parts)
    if not (all if long else any)(_is_computed(rewriter, x) for x in parts):
        return None
    whole = shape
    if long:  # as rows, of which each part has one
        row = math.prod(shape[axis:]) // len(parts)
        parts = [rewriter.make(ops.reshape, [part], shape=(*shape[:axis], 1, row)) for part in parts]
        whole = (*shape[:axis], len(parts), row)
    before, behind = (0,) * axis, (0,) * (len(whole) - axis - 1)
    steps = (1,) * axis + (len(parts),) + (1,) * len(behind)
    made = _made(rewriter, Spread(steps, {(*before, at, *behind): part for at, part in enumerate(parts)}, whole))
    return made if whole == shape else rewriter.make(ops.reshape, [made], shape=shape)


def _joined_axes(split: Sequence[int], shape: Sequence[int]) -> tuple[int, ...] | None:
    """For each axis of a shape the size of the short one that a reshape joins with it, or 1."""
    steps: list[int] = []
    sizes = iter(split)
    for size in shape:
        first = next(sizes, 0)
        step = 1 if first == size else next(sizes, 0)
        if first * step != size or step > FEW_JOINED:
            return None
        steps.append(step)
    return None if next(sizes, None) is not None else tuple(steps)


def _parts(rewriter: Rewriter, x: Operand, short: list[int], depth: int) -> dict[Place, Operand] | None:
    """What x has at each place along some axes, where that is not zero; None if it does not consist of such parts."""
    made = rewriter.producer(x)
    if made is None or not isinstance(x, Value) or depth > DEEPEST or rewriter.counts.get(x, 0) > (depth > 0):
        return None
    if made.op is ops.add and all(operand.type == x.type for operand in made.inputs):
        first, second = (_parts(rewriter, operand, short, depth + 1) for operand in made.inputs)
        return None if first is None or second is None else _added(rewriter, first, second)
    if made.op is ops.concatenate and made.attrs["axis"] in short:
        return _stacked(rewriter, made, short, depth)
    return _column(rewriter, made, short) if made is padded(rewriter, x) else None


def _stacked(rewriter: Rewriter, node: Node, short: list[int], depth: int) -> dict[Place, Operand] | None:
    """What stands at each place of a concatenation of single elements, of which a kernel computes one."""
    number = short.index(node.attrs["axis"])
    if any(part.type.static_shape[short[number]] != 1 for part in node.inputs):
        return None
    if not any(_is_computed(rewriter, part) for part in node.inputs):
        return None
    rest = short[:number] + short[number + 1 :]
    found: dict[Place, Operand] = {}
    for first, part in enumerate(node.inputs):
        inner = _parts(rewriter, part, rest, depth + 1) if rest else {(): part}
        if inner is None:
            return None
        found |= {(*others[:number], first, *others[number:]): each for others, each in inner.items()}
    return found


def _column(rewriter: Rewriter, node: Node, short: list[int]) -> dict[Place, Operand] | None:
    """What is padded to more than one element along some axes, at its place. Other paddings it keeps."""
    (part,), low, high = node.inputs, list(node.attrs["low"]), list(node.attrs["high"])
    place = tuple([low[axis] for axis in short])
    if any(part.type.static_shape[axis] != 1 or low[axis] < 0 or high[axis] < 0 for axis in short):
        return None
    for axis in short:
        low[axis] = high[axis] = 0
    if any(low) or any(high):
        part = rewriter.make(ops.pad, [part], low=tuple(low), high=tuple(high), value=0)
    return {place: part}


def _added(rewriter: Rewriter, first: dict[Place, Operand], second: dict[Place, Operand]) -> dict[Place, Operand]:
    """The parts of a sum."""
    both = {place: rewriter.make(ops.add, [first[place], second[place]]) for place in first.keys() & second.keys()}
    return first | second | both


def _boxes(rewriter: Rewriter, node: Node) -> Operand | None:
    """Parts that are added to zeros along short axes are interleaved. Others of one box are added first."""
    readers = rewriter.graph.readers.get(node.output, ())
    if any(reader is not None and reader.op is ops.index_add for reader in readers):
        return None
    terms, total = _terms(rewriter, node)
    if not terms:
        return None
    parts: dict[Box, Operand] = {}
    for box, part in reversed(terms):
        parts[box] = rewriter.make(ops.add, [parts[box], part]) if box in parts else part
    shape = node.output.type.static_shape
    steps = tuple(
        [
            1 if set(along) == {(0, size)} else size if all(end == first + 1 for first, end in along) else 0
            for size, along in zip(shape, zip(*parts, strict=True), strict=False)
        ]
    )
    if (
        total is None
        and 1 < math.prod(steps) <= max(MOST_COMBINED, min(MOST_STORED, SPARSEST * len(parts)))
        and node.output.type.dtype.numpy_name in LANES
    ):
        places = {
            tuple([first if step > 1 else 0 for (first, _), step in zip(box, steps, strict=True)]): part
            for box, part in parts.items()
        }
        return _made(rewriter, Spread(steps, places, shape))
    if len(parts) == len(terms):
        return None
    for box, part in parts.items():
        if total is None:
            low, ends = zip(*box, strict=True)
            high = tuple([size - end for size, end in zip(shape, ends, strict=True)])
            total = rewriter.make(ops.pad, [part], low=low, high=high, value=0)
        else:
            total = rewriter.make(ops.index_add, [total, part], spec=tuple([(*along, 1) for along in box]))
    return total


def _terms(rewriter: Rewriter, node: Node) -> tuple[list[tuple[Box, Operand]], Operand | None]:
    """The parts that are added at known boxes, the last first, and what they are added to; None for zeros."""
    terms: list[tuple[Box, Operand]] = []
    made: Node | None = node
    total: Operand | None = node.outputs[0]
    while made is not None and total is not None:
        box = _box(made)
        if box is None or (
            terms and (not isinstance(total, Value) or rewriter.counts.get(total, 0) > (len(terms) > 1))
        ):
            break
        terms.append((box, made.inputs[-1]))
        total = made.inputs[0] if made.op is ops.index_add else None
        made = None if total is None else rewriter.producer(total)
    return terms, total


def _box(node: Node) -> Box | None:
    """The box of a tensor where a node adds a part, or puts it between zeros."""
    if node.op is ops.index_add:
        return box_of_part(node)
    if node.op is not ops.pad or not node.output.type.is_static or node.attrs["value"] != 0:
        return None
    low, high, shape = node.attrs["low"], node.attrs["high"], node.output.type.static_shape
    if min((*low, *high), default=-1) < 0 or not node.inputs[0].type.size:
        return None
    return tuple([(first, size - last) for first, last, size in zip(low, high, shape, strict=True)])


def _is_computed(rewriter: Rewriter, part: Operand) -> bool:
    """Whether a kernel may compute a part."""
    made = rewriter.producer(part)
    while made is not None and made.op is ops.reshape:
        made = rewriter.producer(made.inputs[0])
    return is_fusible(made)


def _made(rewriter: Rewriter, spread: Spread) -> Operand:
    """The tensor of parts."""
    places = sorted(spread.parts)
    phases = tuple(itertools.chain.from_iterable(places))
    parts = [spread.parts[place] for place in places]
    numbers = [splat(rewriter, part) for part in parts]
    if None in numbers:
        parts = [part if number is None else number for part, number in zip(parts, numbers, strict=True)]
    whole = rewriter.make(ops.interleaved, parts, phases=phases, steps=spread.steps)
    if whole.type.static_shape == spread.shape:
        return whole
    bounds = {"start": (0,) * len(spread.shape), "stop": spread.shape, "step": (1,) * len(spread.shape)}
    return rewriter.make(ops.slice, [whole], **bounds)


def _spread(rewriter: Rewriter, operand: Operand, readers: int = 0) -> Spread | None:
    """The parts of an operand that nothing but some counted readers reads; None if it has none."""
    made, cut = rewriter.producer(operand), rewriter.producer(operand, ops.slice)
    if not isinstance(operand, Value) or rewriter.counts.get(operand, 0) > readers:
        return None
    if cut is not None:
        if any(cut.attrs["start"]) or set(cut.attrs["step"]) != {1}:
            return None
        made = rewriter.producer(cut.inputs[0])
    if made is None or made.op is not ops.interleaved:
        return None
    if cut is not None and rewriter.counts.get(made.output, 0) > 1:
        return None
    steps, phases = made.attrs["steps"], made.attrs["phases"]
    if any(
        whole - size >= step
        for whole, size, step in zip(made.output.type.static_shape, operand.type.static_shape, steps, strict=True)
    ):
        return None
    places = [phases[first : first + len(steps)] for first in range(0, len(phases), len(steps))]
    return Spread(steps, dict(zip(places, made.inputs, strict=True)), operand.type.static_shape)


def _sum(rewriter: Rewriter, node: Node) -> Operand | None:
    """What is added to interleaved parts is added to each part, if these are whole."""
    first, second = (_spread(rewriter, operand) for operand in node.inputs)
    if first is not None and second is not None:
        return _both(rewriter, first, second)
    spread, other = (first, node.inputs[1]) if first is not None else (second, node.inputs[0])
    if spread is None or isinstance(other, Literal):
        return None
    if other.type != node.output.type or spread.shape != node.output.type.shape:
        return None
    if any(size % step for size, step in zip(spread.shape, spread.steps, strict=True)):
        return _with_last(rewriter, spread, other)
    places = itertools.product(*map(range, spread.steps))
    parts = {place: _phase(rewriter, other, spread, place, 0) for place in places}
    return _made(rewriter, spread._replace(parts=_added(rewriter, parts, spread.parts)))


def _both(rewriter: Rewriter, first: Spread, second: Spread) -> Operand | None:
    """The sum of two tensors of parts with the same steps."""
    if first.steps != second.steps or first.shape != second.shape:
        return None
    return _made(rewriter, first._replace(parts=_added(rewriter, first.parts, second.parts)))


def _with_last(rewriter: Rewriter, spread: Spread, total: Operand) -> Operand | None:
    """A sum with one more term that consists of parts, which are added to those of its last term."""
    made = rewriter.producer(total, ops.add)
    if made is None or not rewriter.used_once(total):
        return None
    for rest, last in (made.inputs, made.inputs[::-1]):
        inner = _spread(rewriter, last, 1)
        both = None if inner is None or rest.type != total.type else _both(rewriter, inner, spread)
        if both is not None:
            return rewriter.make(ops.add, [rest, both])
    return None


def _phase(rewriter: Rewriter, x: Operand, spread: Spread, place: Place, depth: int) -> Operand:
    """The elements of x that stand where a part has its elements."""
    if not isinstance(x, Value):
        return x
    parts = _spread(rewriter, x, int(depth > 0))
    if parts is not None and (parts.steps, parts.shape) == (spread.steps, spread.shape):
        return parts.parts.get(place) or literal(0, x.type.dtype)
    made = rewriter.producer(x)
    is_alone = made is not None and depth < DEEPEST and rewriter.counts.get(x, 0) <= (depth > 0)
    if made is not None and is_alone and made.op.kind == "elementwise" and is_fusible(made):
        operands = [_phase(rewriter, operand, spread, place, depth + 1) for operand in made.inputs]
        return rewriter.make(made.op, operands, **made.attrs)
    before, shape = len(spread.steps) - x.type.rank, x.type.static_shape
    is_padded = (
        made is not None
        and is_alone
        and made is padded(rewriter, x)
        and min(*made.attrs["low"], *made.attrs["high"]) >= 0
    )
    inner = made.inputs[0] if made is not None and is_padded else x
    ends = made.attrs["low"] if made is not None and is_padded else (0,) * len(shape)
    starts, steps, low, high = [], [], [], []
    for first, step, full, size, part, end in zip(
        place[before:], spread.steps[before:], spread.shape[before:], shape, inner.type.static_shape, ends, strict=True
    ):
        if size != full:
            first, step = 0, 1
        low.append(max(-((first - end) // step), 0))
        starts.append(low[-1] * step + first - end)
        steps.append(step)
        high.append(-(-size // step) - low[-1] - len(range(starts[-1], part, step)))
    bounds = {"start": tuple(starts), "stop": inner.type.static_shape, "step": tuple(steps)}
    taken = rewriter.make(ops.slice, [inner], **bounds)
    if not taken.type.size:
        return literal(0, x.type.dtype)
    return rewriter.make(ops.pad, [taken], low=tuple(low), high=tuple(high), value=0) if any(low + high) else taken


def write_interleaved(graph: Graph) -> Graph:
    """Let the kernels that compute interleaved parts write them, or others, also in sub-graphs."""
    for node in [node for node in graph.nodes if node.op is ops.interleaved]:
        graph = _written(graph, node)
    return map_inside(graph, write_interleaved)


def _written(graph: Graph, node: Node) -> Graph:
    """The graph with interleaved parts written by a kernel that computes them, or by one that reads them."""
    bases = {part: _base(graph, part) for part in node.inputs}
    found = {maker for base in bases.values() if (maker := graph.producers.get(base)) and maker.op is ops.kernel}
    makers = sorted(found, key=graph.order.__getitem__)
    alone = [maker for maker in makers[:-1] if all(_is_in(graph, value, node) for value in maker.outputs)]
    for chosen in ([*alone, *makers[-1:]], makers[-1:]):
        if chosen and all(_is_before(graph, base, chosen) for base in bases.values()):
            made = _with_parts(graph, chosen, node, bases)
            if made is not None:
                break
    else:
        chosen, block = [node], block_of(graph, [node])
        if not _is_translated(block):
            return graph
        made = block_node(ops.kernel, block, node.location)
    instead = dict.fromkeys((*chosen, node), ()) | {chosen[-1]: (made,)}
    nodes = [each for one in graph.nodes for each in instead.get(one, (one,))]
    return eliminate_dead_code(graph.with_nodes(tuple(nodes)))


def _base(graph: Graph, operand: Operand) -> Operand:
    """What an operand is, perhaps in another shape."""
    while (made := graph.producers.get(operand)) is not None and made.op is ops.reshape:
        operand = made.inputs[0]
    return operand


def _is_in(graph: Graph, value: Operand, node: Node) -> bool:
    """Whether a value is only read as a part of what a node interleaves, perhaps in another shape."""
    return all(
        reader is node or (reader is not None and reader.op is ops.reshape and _is_in(graph, reader.output, node))
        for reader in graph.readers.get(value, ())
    )


def _is_before(graph: Graph, operand: Operand, makers: Sequence[Node]) -> bool:
    """Whether a value is there when the last of some kernels is called, or is made by them."""
    made = graph.producers.get(operand)
    return made is None or made in makers or graph.order[made] < graph.order[makers[-1]]


def _with_parts(graph: Graph, makers: Sequence[Node], node: Node, bases: dict[Operand, Operand]) -> Node | None:
    """One kernel for several that also writes interleaved parts, and no longer stores those that nothing else reads."""
    given: dict[Operand, Value] = {}
    inside: dict[Operand, Operand] = {}
    nodes: list[Node] = []

    def value_of(outer: Operand) -> Operand:
        if isinstance(outer, Literal) or outer in inside:
            return inside.get(outer, outer)
        return given.setdefault(outer, Value(outer.type, outer.name))

    for maker in makers:
        made, results = copy_nodes(maker.attrs["body"], list(map(value_of, maker.inputs)))
        nodes += made
        inside.update(zip(maker.outputs, results, strict=True))
    parts: list[Operand] = []
    for part in node.inputs:
        base = bases[part]
        parts.append(value_of(base))
        if base.type != part.type:
            nodes.append(make_node(ops.reshape, parts[-1:], {"shape": part.type.static_shape}, node.location))
            parts[-1] = nodes[-1].output
    nodes.append(make_node(ops.interleaved, parts, node.attrs, node.location))
    kept = [value for value in inside if value not in bases.values() or not _is_in(graph, value, node)]
    inner = tuple([inside[value] for value in kept])
    body = Graph("block", tuple(given.values()), tuple(nodes), (*inner, nodes[-1].output))
    if not _is_translated(body):
        return None
    outer = (*kept, node.output)
    return Node(ops.kernel, tuple(given), outer, {**makers[-1].attrs, "body": body}, makers[-1].location)  # type: ignore[arg-type]


def _is_translated(body: Graph) -> bool:
    """Whether there is a kernel for a graph."""
    try:
        translate(body)
    except Unsupported:
        return False
    return True

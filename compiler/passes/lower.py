"""Lowering: ops with a definition are replaced by the simpler ops of the definition.

%a: f32[4] = sigmoid(%x)                 %t: f32[4] = negative(%x)
                                         %u: f32[4] = exp(%t)
                                         %v: f32[4] = add(%u, 1.0)
                                         %a: f32[4] = divide(1.0, %v)

Sums of narrow integers in 64 bits become sums of 32 bits that kernels compute with what comes before them.

%w: i64[64, 512] = cast(%x, dtype=i64)        %l: i32[64, 512] = bitwise_and(%x, 65535)
%s: i64[64] = sum(%w, axis=(1,))              %h: i32[64, 512] = right_shift(%x, 16)
                                              … the sums of both, and 65536 times the second one with the first
A minimum or maximum of such a sum and a number has 32 bits, too. So have maxima and minima over other axes than the
last of integers of 8 and 16 bits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Hashable, Sequence
from typing import Any

from ...runtime.dtypes import DType, float16, float32, float64, int32, int64, uint16
from ...runtime.records import NamedTuple
from .. import ops
from ..ir.code import Item
from ..ir.graph import Graph, Node, freeze, make_node, walk
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Literal, Operand, Value, literal
from ..kernels import eligible
from ..transforms.symbolic import UNNAMED, Recorder, Symbol
from .bits import definition_by_bits
from .counted_positions import choose_by_masks
from .counters import narrow_counters
from .dce import eliminate_dead_code
from .joined import part_of_joined
from .rewriter import Rewriter, Rules
from .running_rows import definition_by_rows
from .shapes import merge_casts

LOST = (1 << 29) - 1  # the bits of float64 that float32 has not
MOST = 1 << 15  # halves of 16 bits, whose sum has 31
MOST_BEHIND = 128  # elements behind the last reduced axis; with more NumPy finds the largest narrow ones as fast
FEWEST = 4  # iterations, or nodes that read one operand
MANY_BYTES, MOST_BYTES = 1 << 16, 1 << 14  # of narrow integers that are reduced as long rows; of one of these
MANY = 1 << 14  # elements; fewer are summed sooner by two calls of NumPy

RULES = Rules()


def _is_concerned(node: Node) -> bool:
    """Whether it is a sum in 64 bits, or a reduction of narrow integers."""
    if node.op.kind != "reduction":
        return False
    return (node.op is ops.sum and node.output.type.dtype is int64) or node.inputs[0].type.dtype.bits < 32


def narrow_sums(graph: Graph) -> Graph:
    """Replace sums of integers and bools that are cast to 64 bits."""
    if not any(map(_is_concerned, graph.all_nodes)):
        return graph
    rewriter = Rewriter(graph, lambda node: RULES.by_op.get(node.op, ()), narrow_sums)
    return eliminate_dead_code(rewriter.run(RULES.by_op.__contains__))


@RULES.for_op(ops.sum)
def _narrow(rewriter: Rewriter, node: Node) -> Operand | None:
    made = rewriter.producer(node.inputs[0], ops.cast)
    if made is None or node.output.type.dtype is not int64:
        return None
    x, type = made.inputs[0], made.output.type
    if not type.is_static or not 0 < type.size < 1 << 31:
        return None
    flags = rewriter.producer(x, ops.cast)
    if flags is not None and flags.inputs[0].type.dtype.is_bool:
        x = flags.inputs[0]
    if x.type.dtype.is_bool or (x.type.dtype.is_integer and x.type.dtype.bits < 32):
        return _of_narrow(rewriter, node, x)
    return _by_halves(rewriter, node, x) if x.type.dtype is int32 and type.size >= MANY else None


@RULES.for_op(ops.max, ops.min)
def _wide_choice(rewriter: Rewriter, node: Node) -> Operand | None:
    """The largest of integers of 8 or 16 bits along columns."""
    x, axis = node.inputs[0], node.attrs["axis"]
    type = x.type
    if not type.dtype.is_integer or type.dtype.bits > 16 or not type.is_static or not type.size:
        return None
    behind = math.prod(type.static_shape[axis[-1] + 1 :]) if axis else 0
    if behind > MOST_BEHIND and axis == tuple(range(len(axis))):
        return _of_long_rows(rewriter, node, type.size // behind, behind)
    if not 1 < behind <= MOST_BEHIND:
        return None
    wide = rewriter.make(ops.cast, [x], dtype=int32)
    return rewriter.make(ops.cast, [rewriter.make(node.op, [wide], **node.attrs)], dtype=type.dtype)


def _of_long_rows(rewriter: Rewriter, node: Node, rows: int, columns: int) -> Operand | None:
    """The largest of rows of narrow integers: first of longer ones, each of several, for NumPy takes long for each."""
    (x,), made = node.inputs, rewriter.producer(node.inputs[0])
    bytes_each = columns * x.type.dtype.bits // 8
    if rows * bytes_each < MANY_BYTES or (made is not None and made.op.kind == "view"):
        return None
    count = next((n for n in range(MOST_BYTES // bytes_each, 1, -1) if rows % n == 0), 1)
    if count < 2:
        return None
    for shape in ((rows // count, count * columns), (count, columns)):
        x = rewriter.make(node.op, [rewriter.make(ops.reshape, [x], shape=shape)], axis=(0,), keepdims=False)
    return rewriter.make(ops.reshape, [x], shape=node.output.type.static_shape)


def _of_narrow(rewriter: Rewriter, node: Node, x: Operand) -> Operand | None:
    """A sum of bools, or of integers of 8 or 16 bits: in 32, or of many the sums of their lower and upper bytes."""
    bits = 0 if x.type.dtype.is_bool else x.type.dtype.bits
    terms = math.prod(x.type.static_shape[axis] for axis in node.attrs["axis"])
    wide = rewriter.make(ops.cast, [x], dtype=int32)
    if terms << bits <= 1 << 31:
        return rewriter.make(ops.cast, [rewriter.make(ops.sum, [wide], **node.attrs)], dtype=int64)
    if terms << 8 > 1 << 31 or bits == 8:
        return None
    low = rewriter.make(ops.bitwise_and, [wide, literal(255, int32)])
    high = rewriter.make(ops.right_shift, [wide, literal(8, int32)])
    sums = [rewriter.make(ops.sum, [part], **node.attrs) for part in (low, high)]
    low, high = [rewriter.make(ops.cast, [total], dtype=int64) for total in sums]
    return rewriter.make(ops.add, [low, rewriter.make(ops.multiply, [high, literal(256, int64)])])


@RULES.for_op(ops.minimum, ops.maximum)
def _narrow_choice(rewriter: Rewriter, node: Node) -> Operand | None:
    """The smaller, or larger, of a number and what was cast from 32 bits, which then may be computed with the sum."""
    x, y = node.inputs
    made = rewriter.producer(x, ops.cast)
    if made is None or made.inputs[0].type.dtype is not int32 or made.output.type.dtype is not int64:
        return None
    if not isinstance(y, Literal) or not isinstance(y.value, int) or not -(1 << 31) <= y.value < 1 << 31:
        return None
    return rewriter.make(ops.cast, [rewriter.make(node.op, [made.inputs[0], literal(y.value, int32)])], dtype=int64)


def _by_halves(rewriter: Rewriter, node: Node, x: Operand) -> Operand | None:
    """A sum of 32-bit integers: over as many of the last axes as the sums have room for, then over the others."""
    shape, axes = x.type.static_shape, sorted(node.attrs["axis"])
    within: list[int] = []
    while axes and math.prod(shape[axis] for axis in (*within, axes[-1])) <= MOST:
        within.append(axes.pop())
    if not within or math.prod(shape[axis] for axis in within) < 16:
        return None
    low = rewriter.make(ops.bitwise_and, [x, literal((1 << 16) - 1, int32)])
    high = rewriter.make(ops.right_shift, [x, literal(16, int32)])
    wide = []
    for half in (low, high):
        total = rewriter.make(ops.sum, [half], axis=tuple(sorted(within)), keepdims=True)
        wide.append(rewriter.make(ops.cast, [total], dtype=int64))
    scaled = rewriter.make(ops.multiply, [wide[1], literal(1 << 16, int64)])
    total = rewriter.make(ops.add, [wide[0], scaled])
    if axes:
        total = rewriter.make(ops.sum, [total], axis=tuple(axes), keepdims=True)
    return rewriter.make(ops.reshape, [total], shape=node.output.type.static_shape)


Definition = Callable[[Node], Callable[..., Any] | None]


def _definition(node: Node) -> Callable[..., Any] | None:
    return _in_single(node) if node.op.single and _has_halves(node) else node.op.definition


def _has_halves(node: Node) -> bool:
    return any(operand.type.dtype.is_half for operand in node.inputs)


def _in_single(node: Node) -> Callable[..., Any]:
    """A node's op on float32 in place of halves, and its results in the node's dtypes."""

    def as_type(x: Any, dtype: DType) -> Any:
        return x if x.dtype is dtype else ops.cast(x, dtype=dtype)

    def define(*inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        results = node.op(*[as_type(x, float32) if x.dtype.is_half else x for x in inputs], **attrs)
        several = results if isinstance(results, tuple) else (results,)
        return tuple([as_type(x, value.type.dtype) for x, value in zip(several, node.outputs, strict=True)])

    return define


def lower_for_kernels(graph: Graph) -> Graph:
    """Replace nodes whose ops have a definition for kernels; without machine code nothing changes."""
    if not eligible.is_available():
        return graph
    graph = choose_by_masks(narrow_sums(narrow_counters(graph)))
    short = any(type.dtype.is_half for type in graph.value_types)
    if not (short or any(op.native_definition or op.scan for op in graph.ops)):
        return graph
    kept = assigning(graph)
    return _with_single_casts(
        lower(
            graph,
            definition=lambda node: (
                None
                if node in kept
                else (short and (definition_by_bits(node) or _cast_in_single(node)))
                or node.op.native_definition
                or definition_by_rows(node)
            ),
        )
    )


def divide_by_fixed(graph: Graph) -> Graph:
    """Divide nodes whose first operand is a constant of a counted loop, or the first operand of several
    (`Op.with_fixed`). The part that depends on this operand alone leaves the loop later, or is merged.

        %y = scan(30, %x, %a) {                   %c = inverse(%a)
          %x = solve(%a, %x)                      %y = scan(30, %x, %c) {
          return %x                                 %x = matmul(%c, %x)
        }                                           return %x
                                                  }
    """
    if not any(op.with_fixed for op in graph.ops):
        return graph
    reads: Counter[Operand] = Counter()
    for node in walk(graph):
        if node.op.with_fixed:
            reads[node.inputs[0]] += 1
        if node.op.kind == "loop":
            loop = Loop.of(node)
            reads.update(dict.fromkeys(loop.body.parameters[loop.rows.stop :], loop.length or 0))

    def definition(node: Node) -> Callable[..., Any] | None:
        return node.op.with_fixed if node.inputs and reads[node.inputs[0]] >= FEWEST else None

    return lower(graph, definition=definition)


CASTS = Rules()  # of casts that definitions leave behind


@CASTS.for_op(ops.cast)
def _merge_casts(rewriter: Rewriter, node: Node) -> Operand | Node | None:
    made = rewriter.producer(node.inputs[0], ops.cast)
    apart = made is not None and _is_long(made.inputs[0].type.dtype, node.output.type.dtype)
    return None if apart else merge_casts(rewriter, node)


def _cast_in_single(node: Node) -> Callable[..., Any] | None:
    """Halves are cast to and from 64 bits as float32, which kernels do, to the same numbers: NumPy does, too, element
    by element."""
    if node.op is not ops.cast or not _is_long(given := node.inputs[0].type.dtype, node.output.type.dtype):
        return None
    first = _to_odd if given is float64 else lambda x: x
    return lambda x, dtype: ops.cast(ops.cast(first(x), dtype=float32), dtype=dtype)


def _to_odd(x: Any) -> Any:
    """Float64 with as many digits as float32, rounded to odd: if a digit is lost, the last one is 1. Then it is rounded
    once to fewer digits, as if it had all."""
    bits = ops.bitcast(x, dtype=int64)
    lost = ops.bitwise_and(bits, LOST)
    return ops.bitcast(ops.bitwise_and(ops.bitwise_or(bits, lost + LOST), ~LOST), dtype=float64)


def _is_long(given: DType, made: DType) -> bool:
    """Whether a cast has float16 on one side, and 64 bits on the other."""
    wide = given if made is float16 else made
    return float16 in (given, made) and wide.bits == 64 and not wide.is_complex


@CASTS.for_op(ops.equal, ops.not_equal, ops.less, ops.less_equal, ops.greater, ops.greater_equal)
def _compared_before(rewriter: Rewriter, node: Node) -> Operand | None:
    """Integers that were cast from 32 to 64 bits are compared in 32."""
    made = [rewriter.producer(operand, ops.cast) for operand in node.inputs]
    narrow = [cast.inputs[0] for cast in made if cast is not None and cast.output.type.dtype is int64]
    if len(narrow) < 2 or any(operand.type.dtype is not int32 for operand in narrow):
        return None
    return rewriter.make(node.op, narrow)


@CASTS.for_op(ops.bitcast)
def _bits_of_bits(rewriter: Rewriter, node: Node) -> Operand | None:
    """Bits of bits are those of the first value; those of a view are a view of bits, which kernels read through."""
    made = rewriter.producer(node.inputs[0])
    if made is None or made.op.kind != "view" or len(made.inputs) > 1:
        return None
    x = made.inputs[0]
    bits = x if x.type.dtype is node.output.type.dtype else rewriter.make(ops.bitcast, [x], **node.attrs)
    return bits if made.op is ops.bitcast else rewriter.make(made.op, [bits], **made.attrs)


@CASTS.for_op(ops.left_shift)
def _shifted_back(rewriter: Rewriter, node: Node) -> Operand | None:
    """Upper halves that were shifted down are where they were: the lower ones are cleared."""
    outer = rewriter.producer(node.inputs[0], ops.cast)
    inner = outer and rewriter.producer(outer.inputs[0], ops.cast)
    made = inner and rewriter.producer(inner.inputs[0], ops.right_shift)
    if made is None or inner is None or inner.output.type.dtype is not uint16 or node.output.type.dtype is not int32:
        return None
    if made.inputs[1] != node.inputs[1] or node.inputs[1] != literal(16, int32) or made.output.type != node.output.type:
        return None
    return rewriter.make(ops.bitwise_and, [made.inputs[0], literal(-1 << 16, int32)])


CASTS.for_op(ops.slice)(part_of_joined)


def _with_single_casts(graph: Graph) -> Graph:
    """Casts of casts, which definitions leave behind, are single casts, and others are compared before. Of joined parts
    those are left that are read."""
    bits = ops.bitcast in graph.ops
    made = {
        node.output
        for node in walk(graph)
        if node.op is ops.cast or node.op is ops.concatenate or (bits and node.op.kind == "view")
    }
    if not any(node.op in CASTS.by_op and node.inputs[0] in made for node in walk(graph)):
        return graph
    rewriter = Rewriter(graph, lambda node: CASTS.by_op.get(node.op, ()), _with_single_casts)
    return eliminate_dead_code(rewriter.run(CASTS.by_op.__contains__))


FEW_ASSIGNED = 32  # elements of a state that is computed anew, with its neighbours, where some are assigned


def assigning(graph: Graph) -> set[Node]:
    """The nodes of loops that assign elements of a state in its memory, by a call of a function."""
    found: set[Node] = set()
    for node in walk(graph):
        if node.op.kind != "loop":
            continue
        loop = Loop.of(node)
        producers = {inner.output: inner for inner in loop.body.nodes if len(inner.outputs) == 1}
        for state, operand in zip(loop.states, loop.body.outputs, strict=False):
            chain: list[Node] = []
            while operand in producers and _assigns(producers[operand]):
                chain.append(producers[operand])
                operand = chain[-1].inputs[0]
            between = {each.inputs[0] for each in chain}
            if operand is state and between.isdisjoint(loop.body.outputs):
                found.update(chain)
    return found


def _assigns(node: Node) -> bool:
    """Whether a node of many elements is a call that assigns some of them, if its result is in the first operand's
    memory."""
    if not node.op.inplace or node.op.emit is None or not node.op.native_definition:
        return False
    code = node.op.emit(node, [""] * len(node.inputs), "out")
    return isinstance(code, Item) and code.function is not None and node.output.type.size > FEW_ASSIGNED


def lower(graph: Graph, keep: Container[str] = (), definition: Definition = _definition) -> Graph:
    """Replace each node that has a definition by the nodes of the definition, until no such node is left; ops named in
    `keep` stay. `definition` gives that of a node."""
    return _lower(graph, keep, definition, {})


def _lower(graph: Graph, keep: Container[str], definition: Definition, known: dict[Hashable, _Known]) -> Graph:
    nothing = definition is _definition and all(op.definition is None for op in graph.ops)
    if nothing and not any(op.single for op in graph.ops):
        return graph
    if nothing and not any(type.dtype.is_half for type in graph.value_types):
        return graph
    return _Lowering(keep, definition, known).run(graph)


class _Known(NamedTuple):
    """What a definition gave for a node: nodes on these inputs, and what they compute."""

    inputs: tuple[Operand, ...]
    nodes: list[Node]
    outputs: list[Operand]


class _Lowering:
    """The nodes of one graph so far, without those that have a definition.

    Attributes:
        known: what definitions gave so far. Where an op, types and attributes are the same, the nodes are copied.
    """

    def __init__(self, keep: Container[str], definition: Definition, known: dict[Hashable, _Known]) -> None:
        self.keep = keep
        self.definition = definition
        self.known = known
        self.recorder = Recorder("", naming=lambda: UNNAMED)
        self.mapping: dict[Operand, Operand] = {}
        self.kept: list[Node] = []
        self.reductions: dict[Hashable, Node] = {}
        self.merged = 0

    def run(self, graph: Graph) -> Graph:
        """The graph with these nodes."""
        with self.recorder:
            for node in graph.nodes:
                self.visit(node)
        outputs = tuple(self.mapping.get(operand, operand) for operand in graph.outputs)
        return graph.with_nodes(tuple(self.kept), outputs)

    def visit(self, node: Node) -> None:
        """Add a node, or the nodes of its definition."""
        mapping = self.mapping
        inputs = node.inputs
        if mapping and not mapping.keys().isdisjoint(inputs):
            inputs = tuple([mapping.get(operand, operand) for operand in inputs])
        op = node.op
        if op.definition is not None or op.single or self.definition is not _definition:
            define = self.definition(node)
            if define is not None and op.name not in self.keep and self.expand(node, inputs, define):
                return
        if op.holds_graphs:
            node = map_subgraphs(node, lambda inner: _lower(inner, self.keep, self.definition, self.known))
        self.add(node if inputs is node.inputs else node.with_inputs(inputs))

    def add(self, node: Node) -> None:
        """Keep a node; or, of a reduction that there is already, another shape."""
        if not (node.op.kind == "reduction" and self.merge(node)):
            self.kept.append(node)

    def merge(self, node: Node) -> bool:
        """Give an earlier reduction of the same elements another shape; False without one."""
        attrs = [(name, freeze(value)) for name, value in node.attrs.items() if name != "keepdims"]
        first = self.reductions.setdefault((node.op, node.inputs, *attrs), node)
        type = node.output.type
        if first is node or not type.is_static or first.output.type.dtype is not type.dtype:
            return False
        self.merged += 1
        same = first.output
        if same.type is not type:
            self.kept.append(make_node(ops.reshape, (same,), {"shape": type.static_shape}, node.location))
            same = self.kept[-1].output
        self.mapping[node.output] = same
        take_name(same, node.output)
        return True

    def expand(self, node: Node, inputs: tuple[Operand, ...], define: Callable[..., Any]) -> bool:
        """Add the nodes of the definition, if it applies."""
        recorder, mapping, location = self.recorder, self.mapping, node.location
        key = _key(node, inputs)
        known = self.known.get(key)
        if known is not None and not node.op.holds_graphs:  # nodes of a graph keep their own names and lines
            self.copy(known, node, inputs)
            return True
        first, merged = len(self.kept), self.merged
        recorder.locate = lambda: location
        recorder.nodes = []
        symbols = [Symbol(operand, recorder) for operand in inputs]
        lowered = define(*symbols, **node.attrs)
        recorded, recorder.nodes = recorder.nodes, []
        if lowered is None:
            return False
        operands = [recorder.lift(symbol) for symbol in (lowered if isinstance(lowered, (tuple, list)) else (lowered,))]
        for value, operand in zip(node.outputs, operands, strict=True):
            if not value.type.is_static and operand.type is not value.type:
                return False  # it says more of the sizes: what reads the value would have to be inferred again
        for inner in recorded:
            self.visit(inner)
        for value, operand in zip(node.outputs, operands, strict=True):
            mapping[value] = mapping.get(operand, operand)
            _check(node, value, operand)
            take_name(mapping[value], value)
        made = self.kept[first:]
        if merged == self.merged and not any(inner.op.holds_graphs for inner in made):
            self.known[key] = _Known(inputs, made, [mapping[value] for value in node.outputs])
        return True

    def copy(self, known: _Known, node: Node, inputs: tuple[Operand, ...]) -> None:
        """Add copies of nodes that a definition gave before, for a node on other inputs."""
        now: dict[Operand, Operand] = dict(zip(known.inputs, inputs, strict=True))
        for inner in known.nodes:
            outputs = tuple([Value(value.type) for value in inner.outputs])
            read = tuple([now.get(operand, operand) for operand in inner.inputs])
            self.add(Node(inner.op, read, outputs, inner.attrs, node.location))
            now.update(zip(inner.outputs, [self.mapping.get(value, value) for value in outputs], strict=True))
        for value, operand in zip(node.outputs, known.outputs, strict=True):
            self.mapping[value] = now.get(operand, operand)
            take_name(self.mapping[value], value)


def _key(node: Node, inputs: Sequence[Operand]) -> Hashable:
    """What a definition sees of a node: numbers, types of other inputs, which of these are the same, and attributes."""
    types = [operand if type(operand) is Literal else operand.type for operand in inputs]
    same = [inputs.index(operand) for operand in inputs[1:]]
    return node.op, *types, *same, *[(name, freeze(value)) for name, value in node.attrs.items()]


def _check(node: Node, value: Value, operand: Operand) -> None:
    if operand.type != value.type:
        raise TypeError(f"lowering {node.op.name} gave {operand.type} for {value.type}")

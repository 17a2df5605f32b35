"""Lowering of fused groups to the kernel language: their loops, the strides of each array in them, and the statements.

All values of a group have the same iteration space: the shape of its largest value, with axes divided where a reshape
inside the group divides them. Every axis of a value is a run of these dimensions, or has size 1. `loop_nest.py` makes
loops of the dimensions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence, Set
from operator import mul

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.language import (
    IN_LANES,
    INDEX,
    SCAN,
    SIZES,
    Argument,
    Array,
    Number,
    Place,
    Statement,
    names_of,
    without_names,
)
from .. import ops
from ..ir.code import Reduction
from ..ir.graph import Graph, Node
from ..ir.values import Literal, Operand, Value
from ..ops.conversion import real_dtype
from .loop_nest import SHORT_SCAN, LoopNest, Misplaced, Sum
from .naming import origin_of, values_of
from .overwritten import overwritten
from .translation import Layout, Translation, contiguous, iteration, moves_in_row

MOVE, BACK = "move", "back_"
"""`move(x, 1)` has x one column further on, and zeros before; `back_scan_add` goes from the end. These are functions of
short rows only, until they are unrolled."""

Bounds = tuple[tuple[int, int], ...]  # for each dimension or loop where an array is read; none for all of it

Axes = tuple[tuple[int, ...], ...]  # for each axis of a value the dimensions that it runs over, none for size 1


def translate_anew(body: Graph, layouts: Mapping[int, Layout]) -> Translation:
    """The kernel of a group's graph; `translate` (`groups.py`) calls it once for all groups of one structure."""
    shape = max(dict.fromkeys(map(iteration, body.nodes)), key=math.prod)
    factors = [[size] if size > 1 else [] for size in shape]
    while True:
        try:
            return _Translator(body, layouts, shape, factors).run()
        except _Refine as refine:
            count = 0
            for parts in factors:
                if count <= refine.dimension < count + len(parts):
                    parts[refine.dimension - count : refine.dimension - count + 1] = refine.sizes
                    break
                count += len(parts)


def _is_in_row(body: Graph) -> bool:
    """Whether a group moves what it computes along short rows, or scans them in both directions."""
    moves = [node for node in body.nodes if node.op.windows is not None]
    scans = [node for node in body.nodes if node.op.scan]
    if not all(map(moves_in_row, moves)) or any(one.output.type.static_shape[-1] >= SHORT_SCAN for one in scans):
        return False
    made = {node.output for node in body.nodes} if moves else set()
    return len({node.attrs["reverse"] for node in scans}) > 1 or any(not made.isdisjoint(one.inputs) for one in moves)


class _Refine(Exception):
    """Control flow: a dimension must be divided, and the translation starts again."""

    def __init__(self, dimension: int, sizes: list[int]) -> None:
        self.dimension = dimension
        self.sizes = sizes


class _Translator:
    """One attempt to translate a group, with one division of the iteration space."""

    def __init__(
        self, body: Graph, layouts: Mapping[int, Layout], shape: tuple[int, ...], factors: Sequence[Sequence[int]]
    ) -> None:
        self.body = body
        self.layouts = layouts
        self.shape = shape
        self.sizes = [size for parts in factors for size in parts]
        self.whole: list[tuple[int, ...]] = []  # the dimensions of each axis of the shape
        for parts in factors:
            start = sum(map(len, self.whole))
            self.whole.append(tuple(range(start, start + len(parts))))
        self.position = {value: position for position, value in enumerate(body.parameters)}
        self.axes: dict[Operand, Axes] = {}
        self.names: dict[Operand, str] = {value: f"v{number}" for number, value in enumerate(values_of(body))}
        self.counts: dict[str, int] = {}  # how many names were made of one
        self.seen: set[Operand] = set()  # the inputs that have an array
        self.arrays: list[Array] = []
        self.inputs: list[int] = []
        self.read: dict[tuple[object, ...], str] = {}
        self.targets: dict[Value, Array] = {}  # of scattered sums, and of boxes
        self.others: list[tuple[Value, Array]] = []  # in which one sum adds up more
        self.parts: dict[Operand, list[Argument]] = {}  # of complex values that are put together here
        self.items: list[Statement | Sum] = []
        self.scanned: set[frozenset[int]] = set()  # the dimensions along which scans go
        self.reverse: set[bool] = set()  # and whether from the end
        self.in_row = _is_in_row(body)

    def run(self) -> Translation:
        """The translation."""
        for position, node in enumerate(self.body.nodes):
            try:
                self.statement(node)
            except Unsupported as error:
                error.position = position
                raise
        outputs = self.outputs()
        numbers = [*range(len(outputs)), *[self.body.outputs.index(out) for out, _ in self.others]]
        outputs += [array for _, array in self.others]
        nest = LoopNest(self.sizes, self.items, self.scanned, True in self.reverse)
        try:
            named = nest.kernel([*self.arrays, *outputs])
        except Misplaced as error:
            names = [self.names[node.output] for node in self.body.nodes]
            error.position = names.index(error.name.partition("_")[0])  # that of a part of a value is v1_2
            raise
        kernel = without_names(named)
        origins = tuple(map(origin_of, names_of(named)))
        if not self.in_row:
            check(kernel)
        pairs: Set[tuple[int, int]] = frozenset() if self.in_row else overwritten(kernel, self.inputs)
        return Translation(kernel, origins, tuple(self.inputs), tuple(numbers), pairs)

    def statement(self, node: Node) -> None:
        """Translate one node."""
        if node.op.kind == "reduction":
            self.reduction(node)
        elif node.op.scan:
            self.scan(node)
        elif node.op is ops.copied and (axes := self.axes.get(node.inputs[0])) is not None:
            self.axes[node.output] = axes
            self.items.append(Statement(self.name(node.output), "copy", (self.name(node.inputs[0]),)))
        elif node.op.windows is not None:
            self.windows(node)
        elif node.op is ops.gathered:
            self.gathered(node)
        elif node.op is ops.scattered:
            self.scattered(node)
        elif node.op is ops.reshape:
            self.reshape(node)
        elif node.op is ops.in_box:
            self.in_box(node)
        elif node.op is ops.interleaved:
            self.interleaved(node)
        elif node.op.paired:
            self.pairs(node)
        else:
            self.elementwise(node)

    def outputs(self) -> list[Array]:
        """The arrays of the group's outputs."""
        outputs: list[Array] = []
        for value in self.body.outputs:
            if isinstance(value, Value) and value in self.parts:
                self.written(value, self.strides(value, self.axes[value], contiguous(value)), 0, self.parts[value])
            if isinstance(value, Value) and value in self.targets:
                outputs.append(self.targets[value])
                continue
            if not isinstance(value, Value) or value not in self.axes:
                raise Unsupported("an output of the group is one of its inputs")
            strides = self.strides(value, self.axes[value], contiguous(value))
            dtype = value.type.dtype.numpy_name
            outputs.append(Array("out", self.name(value), dtype, value.type.static_shape, strides))
        return outputs

    def name(self, value: Operand) -> str:
        """A unique name for each value."""
        return self.names[value]

    def unique(self, hint: str) -> str:
        """A new name."""
        count = self.counts[hint] = self.counts.get(hint, 0) + 1
        return f"{hint}_{count}"

    # Dimensions

    def guess(self, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The dimensions of each axis of a shape, if it is aligned with the iteration space on the left."""
        found: list[tuple[int, ...]] = []
        for axis, size in enumerate(shape):
            if size == 1:
                found.append(())
            elif axis < len(self.shape) and self.shape[axis] == size:
                found.append(self.whole[axis])
            else:
                raise Unsupported(f"a shape {shape} does not fit {self.shape}")
        return found

    def iteration(self, node: Node, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The dimensions of an elementwise node's axes, from its inputs that the group computes."""
        found: list[tuple[int, ...] | None] = [() if size == 1 else None for size in shape]
        for operand in node.inputs:
            if operand not in self.axes:
                continue
            start = len(shape) - operand.type.rank
            for axis, dimensions in enumerate(self.axes[operand], start):
                if not dimensions:
                    continue
                if found[axis] not in (None, dimensions):
                    raise Unsupported("two inputs run over one axis in different ways")
                found[axis] = dimensions
        if None in found:
            guessed = self.guess(shape)
            found = [guessed[axis] if known is None else known for axis, known in enumerate(found)]
        result: list[tuple[int, ...]] = found  # type: ignore[assignment]
        if len(result) > 1:
            flat = [dimension for dimensions in result for dimension in dimensions]
            if len(set(flat)) != len(flat):
                raise Unsupported("two axes run over one dimension")
        return result

    def strides(self, operand: Operand, axes: Sequence[tuple[int, ...]], layout: Layout) -> tuple[int, ...]:
        """The strides of an array in bytes, one for each dimension. `axes` are the dimensions of its axes."""
        result = [0] * len(self.sizes)
        shape = operand.type.static_shape
        for size, stride, dimensions in zip(
            shape, layout.strides, axes[len(axes) - len(shape) :] if shape else (), strict=True
        ):
            if size == 1:
                continue
            step = stride
            for dimension in reversed(dimensions):
                result[dimension] = step
                step *= self.sizes[dimension]
        return tuple(result)

    # Nodes

    def argument(self, node: Node, operand: Operand, axes: Sequence[tuple[int, ...]]) -> Argument:
        """The text for an operand in a statement."""
        if type(operand) is Literal:
            dtype = operand.type.dtype.numpy_name
            others = [o.type.dtype.numpy_name for o in node.inputs if isinstance(o, Value) and not o.type.dtype.is_bool]
            if not isinstance(operand.value, int | float):
                raise Unsupported("a number is complex")
            return Number(operand.value, None if others[:1] == [dtype] else dtype)
        if operand in self.axes:
            return self.name(operand)
        layout = self.layout(operand)
        strides = self.strides(operand, axes, layout)
        return self.array(operand, layout, strides, layout.offset)

    def array(
        self,
        operand: Value,
        layout: Layout,
        strides: tuple[int, ...],
        offset: int,
        bounds: Bounds = (),
        at: tuple[Place, ...] = (),
        role: str = "in",
    ) -> str:
        """The name of an input with one layout, bounds and places."""
        position = self.position[operand]
        key = position, strides, offset, bounds, at, role
        if key not in self.read:
            self.read[key] = self.unique(self.name(operand)) if operand in self.seen else self.name(operand)
            self.seen.add(operand)
            dtype = real_dtype(operand.type.dtype).numpy_name
            self.arrays.append(
                Array(role, self.read[key], dtype, layout.shape, strides, offset, bounds, at, "", layout.paired)
            )
            self.inputs.append(position)
        return self.read[key]

    def windows(self, node: Node) -> None:
        """Statements for a node with shifted inputs. Each is read within bounds."""
        out = node.output
        axes = self.iteration(node, out.type.static_shape) if self.in_row else self.guess(out.type.static_shape)
        names: list[str] = []
        for window in node.windows or ():
            operand = node.inputs[window.input]
            if self.in_row:
                moved = self.argument(node, operand, axes), Number(window.low[-1])
                names.append(self.unique(self.name(out)))
                self.items.append(Statement(names[-1], MOVE, moved, out.type.dtype.numpy_name))
                self.scanned.add(frozenset(axes[-1]))
                continue
            if not isinstance(operand, Value) or operand in self.axes:
                raise Unsupported("what moves is computed here")
            name = self.window(operand, window.low, out.type.static_shape, axes)
            names += [] if name is None else [name]
        if not names:
            raise Unsupported("nothing is left of what moves")
        self.axes[out] = tuple(axes)
        whole = names[0]
        for name in names[1:-1]:
            parts, whole = (whole, name), self.unique(self.name(out))
            self.items.append(Statement(whole, "overlay", parts))
        last = names[1:][-1:]
        self.items.append(Statement(self.name(out), "overlay" if last else "copy", (whole, *last)))

    def window(
        self, operand: Value, low: Sequence[int], shape: Sequence[int], axes: Sequence[tuple[int, ...]]
    ) -> str | None:
        """The name of an input that begins at `low` in an output of a shape; None if nothing of it is inside."""
        layout = self.layout(operand)
        strides, bounds = [0] * len(self.sizes), [(0, size) for size in self.sizes]
        offset = layout.offset
        places = zip(operand.type.static_shape, layout.strides, low, shape, axes, strict=True)
        for size, stride, start, extent, dimensions in places:
            first, end = max(start, 0), min(start + size, extent)
            if first >= end:
                return None
            offset -= start * stride
            if not dimensions:
                continue
            if (first, end) != (0, extent):
                if len(dimensions) > 1:
                    raise Unsupported("bounds are not along one dimension")
                bounds[dimensions[0]] = first, end
            step = stride
            for dimension in reversed(dimensions):
                strides[dimension] = step
                step *= self.sizes[dimension]
        inside = all(pair == (0, size) for pair, size in zip(bounds, self.sizes, strict=True))
        return self.array(operand, layout, tuple(strides), offset, () if inside else tuple(bounds))

    def layout(self, operand: Operand) -> Layout:
        """The layout of an input. Raises `Unsupported` for values that the group itself computes."""
        if not isinstance(operand, Value) or operand not in self.position:
            raise Unsupported("elements of a value are read, or written into it, in the group that computes it")
        return self.layouts.get(self.position[operand]) or contiguous(operand)

    def gathered(self, node: Node) -> None:
        """A statement for elements of an input at positions."""
        x, *indices = node.inputs
        out, layout = node.output, self.layout(x)
        axes = self.guess(out.type.static_shape)
        strides, at = self.places(node, indices, x.type.static_shape, layout.strides, axes)
        assert isinstance(x, Value)
        name = self.array(x, layout, strides, layout.offset, at=at)
        self.axes[out] = tuple(axes)
        self.items.append(Statement(self.name(out), "copy", (name,)))

    def scattered(self, node: Node) -> None:
        """Note a value that is combined in an output at positions."""
        out, shape = node.output, node.output.type.static_shape
        axes = self.iteration(node, node.attrs["region"])
        if {dimension for axis in axes for dimension in axis} != set(range(len(self.sizes))):
            raise Unsupported("what is scattered is the same along a loop")
        for value, *indices in ops.scattered_parts(node.inputs, node.attrs["axes"]):
            argument = self.argument(node, value, axes)
            strides, at = self.places(node, indices, shape, contiguous(out).strides, axes)
            name = self.unique(self.name(out)) if out in self.targets else self.name(out)
            array = Array(node.attrs["reduction"], name, out.type.dtype.numpy_name, shape, strides, 0, (), at)
            if self.targets.setdefault(out, array) is not array:
                self.others.append((out, array))
            self.items.append(Statement(name, "copy", (argument,)))

    def in_box(self, node: Node) -> None:
        """A value that is written in a box of its output."""
        value, out, low = node.inputs[0], node.output, node.attrs["low"]
        if value not in self.axes:
            raise Unsupported("what comes in is written in a box")
        layout, name, dtype = contiguous(out), self.name(out), out.type.dtype.numpy_name
        strides = self.strides(value, self.axes[value], layout)
        offset = sum(start * stride for start, stride in zip(low, layout.strides, strict=True))
        self.targets[out] = Array("out", name, dtype, out.type.static_shape, strides, offset)
        self.items.append(Statement(name, "copy", (self.name(value),)))

    def interleaved(self, node: Node) -> None:
        """Values that are written at every second element of an output, say, and zeros where there is none."""
        out, steps, phases = node.output, node.attrs["steps"], node.attrs["phases"]
        first, rank, whole = ops.first_part(node), len(steps), contiguous(out)
        axes = self.iteration(node, first.type.static_shape)
        layout = whole._replace(strides=tuple(map(mul, whole.strides, steps)))
        strides = self.strides(first, axes, layout)
        values = {phases[number * rank : (number + 1) * rank]: part for number, part in enumerate(node.inputs)}
        for place in itertools.product(*map(range, steps)):
            offset = sum(map(mul, place, whole.strides))
            given: list[Argument] = [Number(0, real_dtype(out.type.dtype).numpy_name)] * (1 + out.type.dtype.is_complex)
            if place in values and len(given) > 1:
                given = self.parts_of(node, values[place], axes)
            elif place in values:
                given = [self.argument(node, values[place], axes)]
            self.written(out, strides, offset, given)

    def written(self, out: Value, strides: tuple[int, ...], offset: int, given: Sequence[Argument]) -> None:
        """Write a value to an output, or the parts of a complex one."""
        dtype, paired = real_dtype(out.type.dtype).numpy_name, len(given) > 1
        shape = (*out.type.static_shape, 2) if paired else out.type.static_shape
        for number, part in enumerate(given):
            name, start = self.unique(self.name(out)), offset + number * SIZES[dtype]
            array = Array("out", name, dtype, shape, strides, start, paired=paired)
            if self.targets.setdefault(out, array) is not array:
                self.others.append((out, array))
            self.items.append(Statement(name, "copy", (part,)))

    def pairs(self, node: Node) -> None:
        """Values that are the parts of complex numbers."""
        axes = tuple(self.iteration(node, node.output.type.static_shape))
        self.axes[node.output] = axes
        self.parts[node.output] = [self.argument(node, part, axes) for part in node.inputs]

    def parts_of(self, node: Node, operand: Operand, axes: Sequence[tuple[int, ...]]) -> list[Argument]:
        """The text for the parts of a complex operand."""
        if operand in self.parts:
            return self.parts[operand]
        layout = self.layout(operand)
        assert isinstance(operand, Value)
        strides, size = self.strides(operand, axes, layout), operand.type.dtype.np.itemsize // 2
        layout = layout._replace(shape=(*layout.shape, 2), paired=True)
        return [self.array(operand, layout, strides, layout.offset + part * size) for part in range(2)]

    def places(
        self,
        node: Node,
        indices: Sequence[Operand],
        shape: Sequence[int],
        steps: Sequence[int],
        axes: Sequence[tuple[int, ...]],
    ) -> tuple[tuple[int, ...], tuple[Place, ...]]:
        """How an array of a shape moves along the loops, and at positions, as a node reads or writes it."""
        strides, at, given = [0] * len(self.sizes), [], iter(indices)
        for size, step, axis in zip(shape, steps, node.attrs["axes"], strict=True):
            if axis < 0:
                operand = next(given)
                if operand in self.axes and axis != ops.LAST:
                    if tuple(self.axes[operand]) != tuple(axes) or node.op is not ops.scattered:
                        raise Unsupported("what chooses is computed here")
                    at.append(Place(self.name(operand), step, size))
                    continue
                layout = self.layout(operand)
                assert isinstance(operand, Value)
                moves = self.strides(operand, axes, layout)
                at.append(
                    Place(self.array(operand, layout, moves, layout.offset, role=INDEX), step, size, axis == ops.LAST)
                )
                continue
            for dimension in reversed(axes[axis]):
                strides[dimension] += step  # two axes along one dimension are a diagonal
                step *= self.sizes[dimension]
        return tuple(strides), tuple(at)

    def elementwise(self, node: Node) -> None:
        """The statement for an elementwise node."""
        out = node.output
        axes = self.iteration(node, out.type.static_shape)
        arguments = [self.argument(node, operand, axes) for operand in node.inputs]
        dtype = out.type.dtype.numpy_name if "dtype" in node.op.attrs else None
        self.axes[out] = tuple(axes)
        self.items.append(Statement(self.name(out), node.op.name, tuple(arguments), dtype))

    def reduction(self, node: Node) -> None:
        """Note a reduction. Its statements depend on the loops."""
        (operand,), out = node.inputs, node.output
        axes = self.axes.get(operand) or self.guess(operand.type.static_shape)
        argument = self.argument(node, operand, axes)
        reduced = frozenset(d for axis in node.attrs["axis"] for d in axes[axis])
        kept = [
            () if axis in node.attrs["axis"] else dimensions
            for axis, dimensions in enumerate(axes)
            if node.attrs["keepdims"] or axis not in node.attrs["axis"]
        ]
        self.axes[out] = tuple(kept)
        dimensions = frozenset(d for axis in axes for d in axis)
        assert isinstance(node.op.emit, Reduction)
        name, dtype, is_float = self.name(out), out.type.dtype.numpy_name, out.type.dtype.is_float
        wide = IN_LANES.get(dtype)
        if not wide:
            self.items.append(Sum(name, argument, node.op.emit.ufunc, dimensions, reduced, is_float))
            return
        self.items.append(Statement(f"{name}_wide", "cast", (argument,), wide))
        self.items.append(Sum(f"{name}_row", f"{name}_wide", node.op.emit.ufunc, dimensions, reduced, is_float, True))
        self.items.append(Statement(name, "cast", (f"{name}_row",), dtype))

    def scan(self, node: Node) -> None:
        """The statement for a running reduction."""
        out = node.output
        axes = self.iteration(node, out.type.static_shape)
        arguments = [self.argument(node, operand, axes) for operand in node.inputs]
        if any(isinstance(argument, Number) for argument in arguments):
            raise Unsupported("a number is scanned")
        self.axes[out] = tuple(axes)
        self.scanned.add(frozenset(axes[-1]))
        back = node.attrs["reverse"]
        self.reverse.add(back and not self.in_row)
        if len(self.scanned) > 1 or len(self.reverse) > 1:
            raise Unsupported("scans go along one axis in one direction")
        function = f"{BACK if back and self.in_row else ''}{SCAN}{node.op.scan}"
        self.items.append(Statement(self.name(out), function, tuple(arguments)))

    def reshape(self, node: Node) -> None:
        """The same value, with its dimensions grouped into other axes."""
        (operand,), out = node.inputs, node.output
        axes = self.axes.get(operand)
        if axes is None:
            raise Unsupported("what comes in is reshaped")
        left = [dimension for dimensions in axes for dimension in dimensions]
        found: list[tuple[int, ...]] = []
        for size in out.type.static_shape:
            taken: list[int] = []
            count = 1
            while count < size:
                dimension = left.pop(0)
                if size % count or (count * self.sizes[dimension] > size and self.sizes[dimension] % (size // count)):
                    raise Unsupported("a reshape mixes dimensions")
                if count * self.sizes[dimension] > size:
                    part = size // count
                    raise _Refine(dimension, [part, self.sizes[dimension] // part])
                taken.append(dimension)
                count *= self.sizes[dimension]
            found.append(tuple(taken))
        self.axes[out] = tuple(found)
        if operand in self.parts:
            self.parts[out] = self.parts[operand]
        else:
            self.items.append(Statement(self.name(out), "copy", (self.name(operand),)))

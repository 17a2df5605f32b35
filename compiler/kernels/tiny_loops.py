"""Scalar expansion of loops over tiny tensors: each element of a value becomes a statement of its own, so that a whole
iteration, with all its views, joins and small products, is one kernel.

    %y2 = scan(300, %y) { body:                over 300 1
      %a = slice(%y, 0:1)                      state y_0 float32[2] 0 0
      %b = slice(%y, 1:2)                      state y_1 float32[2] 0 0 from 4
      %c = multiply(%a, %b)                    out y2_0 float32[2] 0 0
      %y2 = concatenate(%c, %a)                out y2_1 float32[2] 0 0 from 4
    }                                          y2_0 = multiply(y_0, y_1)
                                               y2_1 = y_0

Elements that are read before any is written may go anywhere in the next state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.functions import is_cheap, is_division
from ...runtime.native.language import (
    COMBINED,
    INDEX,
    Argument,
    Array,
    Kernel,
    Number,
    Place,
    Statement,
    names_of,
    without_names,
)
from ...runtime.records import NamedTuple
from .. import ops
from ..ir.code import Reduction
from ..ir.graph import Graph, Node
from ..ir.loops import Loop
from ..ir.values import Literal, Operand, Value
from ..ops.indexing import axes_of_positions
from . import tables
from .eligible import lane_bytes
from .naming import origin_of, values_of
from .tables import Table, Write
from .translation import Layout, contiguous

MOST_STATEMENTS = 600
MOST_ELEMENTS = 256  # of one value
CALL = 17.0  # nanoseconds that the call of a small kernel takes in a loop, with what surrounds it
VECTOR = 8  # elements that other kernels compute at a time
CHEAP, DIVISION, SERIES = 0.6, 4.0, 12.0  # nanoseconds of a statement, whose operands are just computed


class Read(NamedTuple):
    """An element of a parameter, for which there is an array if a statement needs it."""

    value: Value
    place: tuple[int, ...]


Element = Argument | Read
Elements = np.ndarray  # of these, in the shape of the value that they are


class Expansion:
    """A body while it is expanded.

    Attributes:
        kernel: the kernel, its names numbered.
        origins: as those of a `Translation`.
        inputs: for each array that it reads, which parameter of the body.
        outputs: for each array that it writes, which output.
    """

    def __init__(self, loop: Loop, whole: Mapping[int, Layout], length: int, limit: float) -> None:
        self.loop = loop
        self.body = loop.body
        self.whole = whole  # the layouts of the loop's operands
        self.length = length
        self.limit = limit  # nanoseconds that an iteration may take
        self.duration = 0.0
        if any(len(node.outputs) != 1 for node in self.body.nodes):
            raise Unsupported("a node of an iteration has several outputs")
        self.numbers = {value: number for number, value in enumerate(values_of(self.body))}
        self.position = {value: position for position, value in enumerate(self.body.parameters)}
        self.elements: dict[Operand, Elements] = {}
        self.narrow: dict[Operand, Elements] = {}  # casts of 32 bits to 64, which only positions may be
        self.tables: dict[Operand, Table] = {}  # states that were written to at positions
        self.statements: list[Statement] = []
        self.known: dict[tuple[object, ...], str] = {}  # what is computed already
        self.arrays: dict[str, Array] = {}
        self.inputs: list[int] = []
        self.outputs: tuple[int, ...] = ()
        self.count = 0
        for node in self.body.nodes:
            self.node(node)
        written: list[Array] = []
        places: list[int] = []
        for number, operand in enumerate(self.body.outputs):
            made = self.written(number, operand)
            written += made
            places += [number] * len(made)
        until = "" if loop.until is None else written[places.index(loop.until)].name
        named = Kernel((length, 1), (*self.arrays.values(), *written), tuple(self.in_order(written)), until=until)
        self.kernel = without_names(named).flushed()
        check(self.kernel)
        self.origins = tuple(origin_of(name) for name in names_of(named))
        self.outputs = tuple(places)

    def in_order(self, written: Sequence[Array]) -> list[Statement]:
        """The statements, each behind what it reads, one element of the outputs after the other: fewer values wait in
        registers than if each node had computed all of its elements."""
        arrays = (*self.arrays.values(), *written)
        reads: dict[str, list[str]] = {array.name: [place.array for place in array.at] for array in arrays}
        for statement in self.statements:
            arguments = [argument for argument in statement.arguments if isinstance(argument, str)]
            reads[statement.name] = arguments + reads.get(statement.name, [])
        order: dict[str, None] = {}
        waiting = [array.name for array in self.arrays.values() if array.at]
        waiting += [array.name for array in sorted(written, key=lambda array: -array.offset)]
        while waiting:
            before = [name for name in reversed(reads[waiting[-1]]) if name not in order]
            waiting += before
            if not before:
                order.setdefault(waiting.pop())
        made = {statement.name: statement for statement in self.statements}
        return [made[name] for name in order if name in made]

    # Elements

    def unique(self, value: Operand) -> str:
        """A new name for an element of a value."""
        self.count += 1
        return f"v{self.numbers[value] if isinstance(value, Value) else 0}_{self.count}"

    def add(self, value: Value, function: str, given: Sequence[Element], dtype: str | None = None) -> str:
        """The name of a statement's value, which is computed once."""
        arguments = tuple(map(self.argument, given))
        key = function, tuple(map(repr, arguments)), dtype
        if key not in self.known:
            if len(self.statements) >= MOST_STATEMENTS:
                raise Unsupported("an iteration has too many elements")
            self.duration += nanoseconds(function)
            if self.duration > self.limit:
                raise Unsupported("an iteration takes longer than its calls")
            self.known[key] = self.unique(value)
            self.statements.append(Statement(self.known[key], function, arguments, dtype))
        return self.known[key]

    def number(self, node: Node, value: float) -> str:
        """The name of a number of a node's type."""
        return self.add(node.output, "copy", [Number(value, node.output.type.dtype.numpy_name)])

    def of(self, operand: Operand) -> Elements:
        """The elements of an operand that is no number."""
        if operand not in self.elements:
            if not isinstance(operand, Value) or operand not in self.position:
                raise Unsupported("a number is taken apart")
            shape = _shape(operand)
            made = [Read(operand, index) for index in np.ndindex(*shape)]
            self.elements[operand] = _array(made, shape)
        return self.elements[operand]

    def argument(self, element: Element) -> Argument:
        """The name of an element, or its number."""
        if not isinstance(element, Read):
            return element
        state = 1 <= self.position[element.value] <= self.loop.carried
        return self.read(element, "state" if state else "in")

    def read(self, element: Read, role: str) -> str:
        """The name of the array for an element of a parameter."""
        value, index = element
        layout, step, offset = self.layout(value)
        offset += sum(i * stride for i, stride in zip(index, layout.strides, strict=True))
        return self.array(value, layout, step, offset, role)

    def layout(self, value: Value) -> tuple[Layout, int, int]:
        """The layout of a parameter's row, the bytes to the next one, and to the first element of the first."""
        position, loop = self.position[value], self.loop
        if position == 0:
            raise Unsupported("an iteration reads its number")
        if 1 <= position <= loop.carried:
            return contiguous(value), 0, 0
        layout = self.whole[position]
        if position not in loop.rows:
            return layout, 0, layout.offset
        step = layout.strides[0]
        first = layout.offset + (step * (self.length - 1) if loop.reverse else 0)
        return layout._replace(strides=layout.strides[1:]), -step if loop.reverse else step, first

    def array(self, value: Value, layout: Layout, step: int, offset: int, role: str, at: tuple[Place, ...] = ()) -> str:
        """The name of an array that reads one element in each iteration."""
        key = value, step, offset, role, at
        if key not in self.known:
            name = self.known[key] = self.unique(value)
            dtype = value.type.dtype.numpy_name
            self.arrays[name] = Array(role, name, dtype, layout.shape, (step, 0), offset, (), at, "", layout.paired)
            self.inputs.append(self.position[value])
        return self.known[key]

    def written(self, number: int, operand: Operand) -> list[Array]:
        """The arrays that an output is written to, one for each element."""
        if not isinstance(operand, Value):
            raise Unsupported("a number comes out of an iteration")
        loop, made = self.loop, list[Array]()
        table = self.tables.get(operand)
        if table is not None:
            if self.position[table.state] != number + 1:
                raise Unsupported("a table comes out elsewhere")
            for write in table.writes:
                name = self.unique(operand)
                self.statements.append(Statement(name, "copy", (write.element,)))
                made.append(tables.written(table, write, name, contiguous(operand).strides))
            return made
        shape, layout = operand.type.static_shape, contiguous(operand)
        dtype = operand.type.dtype.numpy_name
        step = offset = 0
        if number >= loop.carried:
            shape, step = (self.length, *shape), operand.type.nbytes
            if loop.reverse:
                step, offset = -step, step * (self.length - 1)
        for element, index in zip(self.of(operand).flat, np.ndindex(*_shape(operand)), strict=True):
            name = self.unique(operand)
            self.statements.append(Statement(name, "copy", (self.argument(element),)))
            start = offset + sum(i * stride for i, stride in zip(index, layout.strides, strict=True))
            made.append(Array("out", name, dtype, shape, (step, 0), start))
        return made

    # Nodes

    def node(self, node: Node) -> None:
        """Expand a node."""
        out, op = node.output, node.op
        shape = _shape(out) if op is not ops.index_update else ()
        if op is ops.cast and _widens(node):
            self.narrow[out] = self.of(node.inputs[0])
            return
        if op.kind == "elementwise":
            found = self.elementwise(node, shape)
        elif op.kind == "view":
            found = self.view(node)
        elif op.kind == "reduction":
            found = self.reduction(node, shape)
        elif op.windows is not None:
            found = self.windows(node, shape)
        elif op is ops.matmul:
            found = self.product(node, shape)
        elif op is ops.gathered:
            found = self.gathered(node, shape)
        elif op is ops.index_update:
            self.assigned(node)
            return
        elif op is ops.full and isinstance(node.attrs["value"], int | float):
            found = _array([self.number(node, node.attrs["value"])] * out.type.size, shape)
        else:
            raise Unsupported(f"{op.name} is not taken apart")
        if found.shape != shape:
            raise Unsupported(f"{op.name} has another shape")
        if out not in self.narrow:
            self.elements[out] = found

    def elementwise(self, node: Node, shape: tuple[int, ...]) -> Elements:
        """The same statement for each element."""
        if lane_bytes(node) is None:
            raise Unsupported(f"there is no machine code for {node.op.name}")
        out = node.output
        dtype = out.type.dtype.numpy_name if "dtype" in node.op.attrs else None
        others = [o.type.dtype.numpy_name for o in node.inputs if isinstance(o, Value) and not o.type.dtype.is_bool]
        given = []
        for operand in node.inputs:
            if isinstance(operand, Literal):
                if not isinstance(operand.value, int | float):
                    raise Unsupported("a number is complex")
                kind = operand.type.dtype.numpy_name
                each = _array([Number(operand.value, None if others[:1] == [kind] else kind)], ())
            else:
                each = self.of(operand)
            given.append(np.broadcast_to(each, shape))
        made = [
            self.add(out, node.op.name, arguments, dtype)
            for arguments in zip(*[each.flat for each in given], strict=True)
        ]
        return _array(made, shape)

    def view(self, node: Node) -> Elements:
        """The elements in other places."""
        operand, out = node.inputs[0], node.output
        if operand.type.dtype != out.type.dtype or len(node.inputs) != 1:
            raise Unsupported("a view changes its elements")
        given = self.narrow[operand] if operand in self.narrow else self.of(operand)
        places = node.op.kernel(np.arange(given.size).reshape(given.shape), **node.attrs)
        if places.dtype != np.int64:
            raise Unsupported("a view changes its elements")
        found: Elements = given.reshape(-1)[places]
        if not isinstance(found, np.ndarray):
            found = _array([found], ())
        if operand in self.narrow:
            self.narrow[out] = found
        return found

    def windows(self, node: Node, shape: tuple[int, ...]) -> Elements:
        """The elements of all inputs in their places, and zeros elsewhere."""
        windows = node.windows
        if windows is None:
            raise Unsupported(f"{node.op.name} does not only move elements")
        result = np.full(shape, None, object)
        for window in windows:
            given = self.of(node.inputs[window.input])
            spans = [
                (max(low, 0), min(low + size, extent), low)
                for low, size, extent in zip(window.low, given.shape, shape, strict=True)
            ]
            if all(start < end for start, end, _ in spans):
                target = tuple(slice(start, end) for start, end, _ in spans)
                result[target] = given[tuple(slice(start - low, end - low) for start, end, low in spans)]
        for index in np.ndindex(*shape):
            if result[index] is None:
                result[index] = self.number(node, 0)
        return result

    def reduction(self, node: Node, shape: tuple[int, ...]) -> Elements:
        """The elements combined in pairs, and these in pairs."""
        if lane_bytes(node) is None or not isinstance(node.op.emit, Reduction):
            raise Unsupported(f"there is no machine code for {node.op.name}")
        given, axes, out = self.of(node.inputs[0]), node.attrs["axis"], node.output
        if node.inputs[0].type.dtype != out.type.dtype:
            raise Unsupported("a reduction changes the dtype")
        kept = [axis for axis in range(given.ndim) if axis not in axes]
        rows = given.transpose([*kept, *axes]).reshape(-1, math.prod(given.shape[axis] for axis in axes))
        made = [self.combined(out, node.op.emit.ufunc, list(row)) for row in rows]
        return _array(made, shape)

    def combined(self, out: Value, function: str, parts: list[Element]) -> Element:
        """Some elements combined by a function."""
        while len(parts) > 1:
            pairs = [self.add(out, function, parts[i : i + 2]) for i in range(0, len(parts) - 1, 2)]
            parts = [*pairs, *parts[len(parts) - len(parts) % 2 :]]
        return parts[0]

    def product(self, node: Node, shape: tuple[int, ...]) -> Elements:
        """Sums of products."""
        out = node.output
        if not out.type.dtype.is_float or any(x.type.dtype != out.type.dtype or not x.type.rank for x in node.inputs):
            raise Unsupported("a product of other numbers")
        a, b = (self.of(operand) for operand in node.inputs)
        left = a.reshape(1, -1) if a.ndim == 1 else a
        right = b.reshape(-1, 1) if b.ndim == 1 else b
        leading = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        left = np.broadcast_to(left, (*leading, *left.shape[-2:])).reshape(-1, *left.shape[-2:])
        right = np.broadcast_to(right, (*leading, *right.shape[-2:])).reshape(-1, *right.shape[-2:])
        made = [
            self.combined(out, "add", [self.add(out, "multiply", pair) for pair in zip(row, column, strict=True)])
            for one, other in zip(left, right, strict=True)
            for row in one
            for column in other.T
        ]
        return _array(made, shape)

    def gathered(self, node: Node, shape: tuple[int, ...]) -> Elements:
        """Elements at positions of this iteration."""
        x, *indices = node.inputs
        table = self.tables.get(x) or Table(x) if isinstance(x, Value) else None
        if lane_bytes(node) is None or table is None or self.position.get(table.state, 0) <= 0:
            raise Unsupported("what is chosen is computed here")
        state, axes = self.position[table.state] <= self.loop.carried, node.attrs["axes"]
        made = list[Argument]()
        for index in np.ndindex(*shape):
            given = [self.position_of(operand, index) for operand in indices]
            if not state and all(isinstance(each, Read) and not self.is_state(each) for each in given):
                made.append(self.gathered_at(table.state, axes, given, index))
                continue
            if ops.LAST in axes:
                raise Unsupported("negative positions are the last one")
            where = tables.where(axes, list(map(self.argument, given)), index, x.type.static_shape)
            made.append(tables.read(self, node.output, table, where, "state" if state else "in"))
        return _array(made, shape)

    def gathered_at(self, x: Value, axes: Sequence[int], given: Sequence[Element], index: Sequence[int]) -> str:
        """An element at positions that are known before the loop."""
        layout, step, offset = self.layout(x)
        at, rest = [], iter(given)
        for size, stride, axis in zip(x.type.static_shape, layout.strides, axes, strict=True):
            if axis < 0:
                element = next(rest)
                assert isinstance(element, Read)
                at.append(Place(self.read(element, INDEX), stride, size, axis == ops.LAST))
            else:
                offset += index[axis] * stride
        return self.array(x, layout, step, offset, "in", tuple(at))

    def is_state(self, element: Read) -> bool:
        """Whether an element is one of a state."""
        return self.position[element.value] <= self.loop.carried

    def position_of(self, operand: Operand, index: Sequence[int]) -> Element:
        """The element of an operand at an index of what is gathered, to which it broadcasts."""
        given = self.narrow[operand] if operand in self.narrow else self.of(operand)
        found: Element = given[
            tuple(min(i, size - 1) for i, size in zip(index[len(index) - given.ndim :], given.shape, strict=True))
        ]
        return found

    def assigned(self, node: Node) -> None:
        """Elements that are written at positions of this iteration."""
        x, value, *indices = node.inputs
        table = self.tables.get(x) or Table(x) if isinstance(x, Value) else None
        if table is None or not 1 <= self.position.get(table.state, 0) <= self.loop.carried:
            raise Unsupported("what is written to is computed here")
        sizes = table.state.type.static_shape
        axes = axes_of_positions(sizes, node.attrs["spec"])
        if not indices or axes is None or axes.count(-1) != len(indices) or any(each.type.rank for each in indices):
            raise Unsupported("an assignment has another form")
        region = tuple(size for size, axis in zip(sizes, axes, strict=True) if axis >= 0)
        if isinstance(value, Literal):
            raise Unsupported("a number is assigned")
        new, given = np.broadcast_to(self.of(value), region), [self.position_of(each, ()) for each in indices]
        positions = list(map(self.argument, given))
        writes = [
            Write(tables.where(axes, positions, index, sizes), self.argument(new[index]))
            for index in np.ndindex(*region)
        ]
        self.tables[node.output] = Table(table.state, (*table.writes, *writes))


def _widens(node: Node) -> bool:
    """Whether a cast makes int64 of int32."""
    return (node.inputs[0].type.dtype.numpy_name, node.output.type.dtype.numpy_name) == ("int32", "int64")


def duration(kernel: Kernel) -> float:
    """The nanoseconds of an iteration in a kernel of single elements."""
    return sum(nanoseconds(statement.function) for statement in kernel.statements)


def duration_of_calls(body: Graph) -> float:
    """The nanoseconds of the calls that an iteration makes otherwise."""
    now = CALL * (sum(node.op.kind != "view" for node in body.nodes) + len(body.outputs))
    for node in body.nodes:
        for inner in node.attrs["body"].nodes if node.op is ops.kernel else ():
            now += nanoseconds(inner.op.name) * -(-inner.output.type.size // VECTOR)
    return now


def nanoseconds(function: str) -> float:
    """The nanoseconds of a statement."""
    if function == "copy" or is_cheap(function) or function in COMBINED:
        return CHEAP
    return DIVISION if is_division(function) else SERIES


def _shape(value: Value) -> tuple[int, ...]:
    """The shape of a value that is small enough."""
    if not value.type.is_static or not 0 < math.prod(value.type.static_shape) <= MOST_ELEMENTS:
        raise Unsupported("an iteration has too many elements")
    return value.type.static_shape


def _array(made: Sequence[Element], shape: tuple[int, ...]) -> Elements:
    """Elements in a shape."""
    found = np.empty(len(made), object)
    for position, each in enumerate(made):
        found[position] = each
    return found.reshape(shape)

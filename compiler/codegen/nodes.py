"""Instruction selection for plain nodes: the cheapest NumPy call for each."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from ...runtime.kernels.copies import copy_rows
from ...runtime.machine.complete import completed
from ...runtime.packing import Packed
from ...runtime.processors import TEAM_FLOPS
from .. import ops
from ..ir.code import Attempt, Call, Constant, Item, MadeFunction
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.spelling import identifier, is_plain, spell
from ..ir.values import Literal, Operand
from ..memory.plan import ARENA, CONSTANT, HEAP, INPUT, RESULT, ROW, Allocation, Plan, Storage
from .python_code import (
    CodeText,
    assign,
    call_code,
    call_text,
    evaluated,
    fill,
    method_code,
    name_code,
    parse_line,
    text_of,
    tuple_code,
    value_code,
)
from .writer import Writer

# A large array whose rows have few elements may be copied column by column.
FEW_NEIGHBOURS, MANY_ELEMENTS = 4, 1024

# NumPy deprecates a third positional argument for these.
KEYWORD_OUT = (np.maximum, np.minimum)

_NAMES = re.compile(r"\w+(\.\w+)*", re.ASCII)


def items_of(plan: Plan) -> tuple[dict[Node, tuple[Operand, str]], set[Node]]:
    """Slices of arrays that only the run has, reshaped to have fewer axes: x[2:3, :].reshape((4,)) is x[2].

    Returns for each such reshape the base and the index, and the slices that nothing else reads.
    """
    if ops.slice not in plan.graph.ops or ops.reshape not in plan.graph.ops:
        return {}, set()
    slices: dict[Operand, Node] = {}
    readers: dict[Operand, list[Node | None]] = {}
    for graph in _emitted(plan.graph):
        readers.update(graph.readers)
        for node in graph.nodes:
            if node.op is ops.slice and _is_made_in_the_run(plan, node):
                slices[node.output] = node
    items: dict[Node, tuple[Operand, str]] = {}
    unread: set[Node] = set()
    for value, cut in slices.items():
        found = {}
        for reader in readers.get(value, ()):
            if reader is not None and reader.op is ops.reshape and _is_made_in_the_run(plan, reader):
                index = _index_of(cut, reader)
                if index is not None:
                    found[reader] = cut.inputs[0], index
        if found and len(found) == len(readers[value]):
            items.update(found)
            unread.add(cut)
    return items, unread


def unread_views(plan: Plan) -> tuple[set[Node], set[Node]]:
    """Views that only kernels read, which take the arrays that these are views of; and transposed matrices that one
    product alone reads, which are written where it reads them."""
    unread: set[Node] = set()
    inside: set[Node] = set()
    if not any(op.kind == "view" for op in plan.graph.ops):
        return unread, inside
    for graph in _emitted(plan.graph):
        reader: dict[Operand, Node | None] = dict.fromkeys(map(plan.resolve, graph.outputs))  # None for several
        for node in reversed(graph.nodes):
            kernel = plan.kernels.get(node)
            if kernel is not None:
                reader.update(dict.fromkeys(map(plan.resolve, (*kernel.inputs, *kernel.states.values()))))
                continue
            if node.op.kind == "view" and _is_made_in_the_run(plan, node):
                value = plan.resolve(node.outputs[0])
                if value not in reader:
                    unread.add(node)
                    continue
                alone = reader[value] if graph is plan.graph and node.attrs.get("axes") == (1, 0) else None
                if alone is not None and alone.op.kind == "matmul":
                    inside.add(node)
            for operand in map(plan.resolve, node.inputs):
                reader[operand] = None if operand in reader else node
    return unread, inside


def placeholders(plan: Plan) -> set[Node]:
    """What a branch gives for values that nothing reads after it, where these have memory: nothing is copied there."""
    found: set[Node] = set()
    if ops.undefined in plan.graph.ops:
        for graph in _emitted(plan.graph):
            for node in graph.nodes:
                for inner in node.subgraphs if node.op.kind == "branch" else ():
                    outputs = zip(node.outputs, inner.outputs, strict=True)
                    needed = {operand for value, operand in outputs if not plan.storage[value].known}
                    made = [each for each in inner.nodes if each.op is ops.undefined and each.output not in needed]
                    found.update([each for each in made if not any(inner.readers.get(each.output, ()))])
    return found


def _emitted(graph: Graph) -> Iterator[Graph]:
    """A graph, and those of its branches and loops; those of groups have programs of their own."""
    yield graph
    for node in graph.nodes:
        if node.op.holds_graphs and not (node.op.is_group or node.op.is_native):
            for inner in node.subgraphs:
                yield from _emitted(inner)


def _is_made_in_the_run(plan: Plan, node: Node) -> bool:
    """Whether a view of known size is made in every run."""
    stored = plan.storage.get(node.output)
    sizes = node.inputs[0].type.is_static and node.output.type.is_static
    return sizes and stored is not None and not stored.whole and not stored.bound


def _index_of(cut: Node, shaped: Node) -> str | None:
    """The index for a slice without the axes of size one that a reshape leaves out; None for another reshape."""
    left = list(shaped.output.type.static_shape)
    index: list[str] = []
    bounds = zip(cut.attrs["start"], cut.attrs["stop"], cut.attrs["step"], cut.inputs[0].type.static_shape, strict=True)
    for (start, stop, step, extent), size in zip(bounds, cut.output.type.static_shape, strict=True):
        if left and left[0] == size:
            left.pop(0)
            whole = (start or 0, step) == (0, 1) and size == extent
            index.append(":" if whole else f"{start}:{stop}:{step}".replace("None", "").removesuffix(":1"))
        elif size == 1:
            index.append(spell(slice(start, stop, step).indices(extent)[0]))
        else:
            return None
    if left or len(shaped.output.type.shape) == len(index):
        return None
    while index[-1] == ":":
        index.pop()
    return ", ".join(index) if shaped.output.type.rank else f"{', '.join(index)}, ..."


def _form(node: Node) -> Hashable:
    """A key for nodes with the same code but for names, as equal layers have. It is the node itself where its code may
    depend on more than types: on attributes, on numbers, on an operand that is there twice."""
    inputs = node.inputs
    if node.attrs or len({*inputs}) < len(inputs) or Literal in map(type, inputs):
        return node
    return (node.op, *[operand.type for operand in inputs])


def _is_same_call(attempt: Attempt, other: Call) -> bool:
    """Whether what an attempt refuses is a call of a function with the same arguments."""
    return not attempt.with_scratch and not other.keywords and attempt.arguments == other.arguments


class NodeEmitter:
    """Writes the statements of nodes without sub-graphs."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.scratches: dict[Node, str] = {}
        self.functions: dict[tuple[MadeFunction, str], str] = {}  # the names of functions that others make
        self.called: dict[Hashable, str] = {}  # of those that take all inputs and outputs, by the forms of nodes
        self.heavy: dict[Hashable, bool] = {}  # whether nodes of these forms are worth threads
        self.items, self.unread = items_of(writer.plan)
        unread, self.inside = unread_views(writer.plan)
        self.unread |= unread | placeholders(writer.plan)
        self.turned: dict[str, tuple[str, Node]] = {}  # the code of values that their reader has in it, by their names

    def plain(self, node: Node) -> None:
        """Emit the statement of a node without sub-graphs."""
        writer, form = self.writer, _form(node)
        if node.op.flops is not None:
            if form not in self.heavy:
                self.heavy[form] = node.flops >= TEAM_FLOPS
            if self.heavy[form]:
                writer.threaded.append(node)
        arguments = [writer.read(operand) for operand in node.inputs]
        if not node.outputs:
            writer.body.append(ast.Expr(self.expression(node, arguments, None)))
            return
        value = node.outputs[0]
        stored = writer.plan.storage[value]
        allocation = stored.allocation.find()
        if node in writer.plan.elided:
            self.concatenation(node, arguments)
            return
        if node in writer.plan.packs:
            return  # its result is stored in the end
        if node in writer.packed:
            self.pack(node, arguments)
            return
        if node in self.unread:
            return  # its items are taken from its base
        if node in self.inside:
            self.turned[writer.names[value]] = f"{identifier(arguments[0])}.T", node
            return
        if node in self.items:
            base, code = self.items[node]
            item = ast.parse(f"{writer.read(base)}[{code}]", mode="eval").body
            writer.body.append(assign(writer.names[value], item))
            return
        if self.comes_fresh(node, allocation):
            self.settle(arguments)
            writer.arrays[allocation] = writer.names[value], value.type
            writer.born[allocation, 0, value.type] = writer.names[value]
            writer.body.append(assign(writer.names[value], self.expression(node, arguments, None)))
            return
        if stored.whole and (allocation.kind == INPUT or (stored.known and allocation.kind in (ARENA, RESULT, ROW))):
            names = [writer.target(output) for output in node.outputs]
            if node.op.writes_out:
                writer.body.append(self.filling(node, form, arguments, names))
            else:
                writer.body.append(self.copied_view(node, arguments, names[0], allocation))
            return
        self.settle(arguments)
        self.named(node, arguments, stored)

    def named(self, node: Node, arguments: Sequence[str], stored: Storage) -> None:
        """Write the statement that gives names to the arrays of a node: in the run, or once, before it."""
        writer, value, allocation = self.writer, node.outputs[0], stored.allocation.find()
        names = [writer.names[output] for output in node.outputs]
        expression = self.expression(node, arguments, None)
        if allocation.kind == HEAP and stored.whole and len(names) == 1 and value.type.shape == ():
            expression = ast.Call(name_code(writer.lookup("np.asarray")), [expression], [])
        target = (
            ast.Name(names[0], ast.Store())
            if len(names) == 1
            else ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        )
        where = writer.body if not stored.bound else writer.statics if allocation.kind == CONSTANT else writer.prologue
        where.append(ast.Assign([target], expression, lineno=0))

    def copied_view(self, node: Node, arguments: Sequence[str], out: str, allocation: Allocation) -> ast.stmt:
        """The statement that copies the result of a view op to `out`, if it cannot be a view."""
        writer = self.writer
        copyto = name_code(writer.lookup("np.copyto"))
        if node.op is not ops.reshape:
            return ast.Expr(ast.Call(copyto, [name_code(out), self.expression(node, arguments, None)], []))
        # The target in the input's shape, so that nothing is copied twice.
        shaped: ast.expr = method_code(out, "reshape", value_code(node.inputs[0].type.static_shape))
        if allocation.kind == ARENA:
            name = writer.unique(f"{out}_shaped")
            writer.prologue.append(assign(name, shaped))
            shaped = name_code(name)
        x = node.inputs[0].type
        if x.size >= MANY_ELEMENTS and 1 < x.static_shape[-1] <= FEW_NEIGHBOURS:
            copyto = name_code(writer.function_named("copy_rows", copy_rows))
        return ast.Expr(ast.Call(copyto, [shaped, name_code(arguments[0])], []))

    def comes_fresh(self, node: Node, allocation: Allocation) -> bool:
        """Whether a product should allocate its result itself, because that is faster than an empty array to fill."""
        if (
            node.op.kind != "matmul"
            or allocation.kind != RESULT
            or allocation.type.nbytes != node.output.type.nbytes  # a part of a concatenation
            or allocation in self.writer.arrays
            or node.output.type.rank != 2
        ):
            return False
        if node.op.emit is None or node.op.emit(node, ["a", "b"], None) is None:
            return False
        attempted = isinstance(node.op.emit(node, ["a", "b"], "out"), Attempt)
        return not (attempted and self.writer.plan.native_products)

    def concatenation(self, node: Node, arguments: Sequence[str]) -> None:
        """Emit a concatenation. Inputs that were computed in place are left out; the others are copied."""
        writer = self.writer
        allocation = writer.plan.storage[node.output].allocation
        writer.target(node.output)
        whole, offset = allocation.placed()
        for position, operand in enumerate(node.inputs):
            if position not in writer.plan.elided[node]:
                part = writer.unique(f"{writer.names[node.output]}_part")
                if whole.kind == ARENA:
                    writer.prologue.append(assign(part, writer.arena_array(whole.offset + offset, operand.type)))
                else:
                    writer.body.append(assign(part, writer.result_array(whole, offset, operand.type)))
                writer.body.append(fill(part, arguments[position]))
            offset += operand.type.nbytes

    def pack(self, node: Node, arguments: Sequence[str]) -> None:
        """Emit Parameters as one vector: an object that knows whether they are adjacent, and a call of it."""
        writer = self.writer
        value = node.output
        packed = writer.packed[node] = writer.unique(f"{writer.names[value]}_parts")
        shapes = value_code(tuple(operand.type.static_shape for operand in node.inputs))
        make = call_code(writer.function_named("Packed", Packed))
        make.args.append(shapes)
        writer.prologue.append(assign(packed, make))
        writer.body.append(assign(writer.names[value], method_code(packed, "load", *map(name_code, arguments))))

    def filling(self, node: Node, form: Hashable, arguments: Sequence[str], outs: Sequence[str]) -> ast.stmt:
        """The statement that writes a node's outputs to the arrays with these names. `form`: `_form` of it."""
        op = node.op
        if form in self.called:
            return self.product(self.called[form], *arguments, *outs)
        code = op.emit(node, arguments, *outs) if op.emit is not None else None
        attempts: list[Attempt] = []
        while isinstance(code, Attempt):
            attempts += [code] * self.writer.plan.native_products
            code = code.otherwise
        if len(attempts) == 1 and isinstance(code, Call) and _is_same_call(attempts[0], code):
            name = self.made(attempts[0].function, otherwise=code.function)
            if code.arguments == (*arguments, *outs):
                self.called[form] = name
                return self.product(name, *arguments, *outs)
            self.settle(arguments)
            return evaluated(CodeText(call_text(name, *code.arguments)))
        self.settle(arguments)
        if attempts:
            tries: list[ast.expr] = []
            for attempt in attempts:
                scratch = [self.scratch(node)] if attempt.with_scratch else []
                tries.append(CodeText(call_text(self.made(attempt.function), *attempt.arguments, *scratch)))
            other = self.call(code) if isinstance(code, Call) else self.kernel_filling(node, arguments, outs)
            return evaluated(CodeText(text_of(ast.BoolOp(ast.Or(), [*tries, other]))))
        if len(outs) == 1:
            (out,) = outs
            if isinstance(code, Item):
                same = self.writer.same_memory(node.output, node.inputs[0])
                if code.function is not None:
                    tries = [CodeText(call_text(self.made(code.function), *code.arguments, out))]
                    if not same:  # copyto returns None
                        tries.insert(0, CodeText(call_text(self.writer.lookup("np.copyto"), out, arguments[0])))
                    other = self.kernel_filling(node, arguments, outs)
                    return evaluated(CodeText(text_of(ast.BoolOp(ast.Or(), [*tries, other]))))
                if same:
                    return self.assigned(node, code.part, arguments[1], out)
                code = None
            if code is not None:
                return self.statement(code)
            if isinstance(op.kernel, np.ufunc) and not node.attrs:
                function = self.ufunc(op)
                if op.kernel in KEYWORD_OUT:
                    return ast.Expr(call_code(function, *arguments, out=name_code(out)))
                return ast.Expr(call_code(function, *arguments, out))
        return ast.Expr(self.kernel_filling(node, arguments, outs))

    def product(self, function: str, *arguments: str) -> ast.stmt:
        """The call of a function, with the code of arguments that have no statement of their own."""
        if self.turned.keys().isdisjoint(arguments):
            return evaluated(CodeText(call_text(function, *arguments)))
        code = [self.turned[each][0] if each in self.turned else identifier(each) for each in arguments]
        return evaluated(CodeText(f"{identifier(function)}({', '.join(code)})"))

    def settle(self, arguments: Sequence[str]) -> None:
        """Write the statements of arguments that have none yet."""
        for name in arguments if self.turned else ():
            if name in self.turned:
                code, node = self.turned.pop(name)
                self.writer.body.append(assign(name, CodeText(code)))
                self.writer.body[-1].__dict__["node"] = node

    def kernel_filling(self, node: Node, arguments: Sequence[str], outs: Sequence[str]) -> ast.Call:
        """The call of a node's kernel that writes its outputs to the arrays with these names."""
        writer, call = self.writer, self.kernel_call(node, arguments)
        target = name_code(outs[0]) if len(outs) == 1 else tuple_code(outs)
        call.keywords.insert(0, ast.keyword("out", target))
        if node in writer.plan.scratch:
            call.keywords.append(ast.keyword("scratch", name_code(self.scratch(node))))
        return call

    def scratch(self, node: Node) -> str:
        """The name of a node's scratch."""
        writer, scratch = self.writer, self.writer.plan.scratch[node]
        if node not in self.scratches:
            self.scratches[node] = name = writer.unique(scratch.name)
            writer.prologue.append(assign(name, writer.arena_array(scratch.offset, scratch.type)))
        return self.scratches[node]

    def expression(self, node: Node, arguments: Sequence[str], out: str | None) -> ast.expr:
        """The expression for a node's outputs, in arrays that NumPy allocates."""
        op = node.op
        if op.emit is not None:
            code = op.emit(node, arguments, None)
            if isinstance(code, Call):
                return self.call(code)
            if isinstance(code, str):
                code = self.bind_lookups(code)
                return CodeText(code) if _NAMES.fullmatch(code) else ast.parse(code, mode="eval").body
        if isinstance(op.kernel, np.ufunc) and not node.attrs:
            return call_code(self.ufunc(op), *arguments)
        return self.kernel_call(node, arguments)

    def ufunc(self, op: Op) -> str:
        """The name of a kernel that is a ufunc."""
        name = op.kernel.__name__
        if getattr(np, name, None) is op.kernel:
            return self.writer.lookup(f"np.{name}")
        return self.kernel(op)

    def kernel(self, op: Op) -> str:
        """The name of an op's kernel."""
        self.writer.kernels[op.name] = op.kernel
        return self.writer.outside("kernels", op.name, op.name)

    def kernel_call(self, node: Node, arguments: Sequence[str]) -> ast.Call:
        """A call of the node's kernel with its attributes."""
        keywords = {key: self.attribute(key, value) for key, value in node.attrs.items()}
        return call_code(self.kernel(node.op), *arguments, **keywords)

    def attribute(self, key: str, value: Any) -> ast.expr:
        """The expression of an attribute."""
        if is_plain(value):
            return value_code(value)
        return name_code(self.writer.constant(value, key))

    def assigned(self, node: Node, index: str, value: str, out: str) -> ast.stmt:
        """The statement that assigns a value to a part of an array, of which the arena's get a view beforehand."""
        writer = self.writer
        part = f"{out}[{index}, ...]"
        if writer.plan.storage[node.output].allocation.find().kind != ARENA:
            return parse_line(f"{part} = {value}")
        name = writer.unique(f"{out}_part")
        writer.prologue.append(assign(name, ast.parse(part, mode="eval").body))
        return fill(name, value)

    def statement(self, code: str | Call) -> ast.stmt:
        """The statement for an op's code template."""
        return parse_line(self.bind_lookups(code)) if isinstance(code, str) else evaluated(self.call(code))

    def made(self, function: MadeFunction, otherwise: str = "") -> str:
        """The name of a function that another one makes. `otherwise`: the function of NumPy, or the method of the first
        argument, that gets what it refuses."""
        name = self.functions.get((function, otherwise))
        if name is None:
            writer = self.writer
            make = writer.function_named(function.maker.__name__, function.maker)
            code = f"{make}({', '.join(map(spell, function.arguments))})"
            if otherwise:
                other = writer.lookup(f"np{otherwise}" if otherwise.startswith(".") else otherwise)
                code = f"{writer.function_named('completed', completed)}({code}, {other})"
            name = self.functions[function, otherwise] = writer.bound(code, function.hint)
            if otherwise:
                writer.completed.add(name)
        return name

    def call(self, code: Call) -> ast.expr:
        """The expression for an op's code template."""
        arguments = [self.argument(argument) for argument in code.arguments]
        function = f"{arguments.pop(0)}." if code.function.startswith(".") else self.writer.lookup(code.function)
        if function.endswith("."):
            function += identifier(code.function[1:])
        keywords = [f"{identifier(key)}={self.argument(value)}" for key, value in code.keywords]
        return CodeText(f"{function}({', '.join([*arguments, *keywords])})")

    def argument(self, value: Any) -> str:
        """The text of an argument of an op's code template."""
        if isinstance(value, Constant):
            return self.writer.bound(*value)
        if not isinstance(value, str):
            return spell(value)
        return self.writer.lookup(value) if value.startswith("np.") else identifier(value)

    def bind_lookups(self, code: str) -> str:
        """The code of an op's template, with NumPy functions bound to names."""
        if "np." not in code:
            return code
        return re.sub(r"\bnp((?:\.[A-Za-z_]\w*)+)", lambda match: self.writer.lookup(match.group(0)), code)

"""Emission of plain nodes: names for values, arrays and constants, and the cheapest call for each node."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.arena import LARGE, aligned_empty
from ...runtime.dtypes import DType
from ...runtime.packing import Packed
from ...runtime.threads import PARALLEL_FLOPS
from .. import ops
from ..analysis.costs import node_cost
from ..ir.code import Call, Code, Constant
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.spelling import identifier, is_plain, numpy_name, spell
from ..ir.types import TensorType
from ..ir.values import IRError, Literal, Operand, Value
from ..memory.plan import ARENA, CONSTANT, HEAP, INPUT, RESULT, ROW, Allocation, Plan
from .python_code import assign, call_code, method_code, name_code, parse_line, tuple_code, value_code

# `np.` of these is a scalar type; its dtype is quicker.
DTYPES = frozenset(dtype.np.name for dtype in dtypes.ALL)

# NumPy deprecates a third positional argument for these.
KEYWORD_OUT = (np.maximum, np.minimum)


class NodeEmitter:
    """Writes the statements of one function, node by node; `prologue` holds what is done once, before it is defined."""

    def __init__(self, plan: Plan, name: str, outer: NodeEmitter | None = None) -> None:
        self.plan = plan
        self.function = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "program"
        if self.function[0].isdigit() or keyword.iskeyword(self.function):
            self.function = f"program_{self.function}"
        self.prologue: list[ast.stmt] = []
        self.body: list[ast.stmt] = []
        if outer is None:
            self.names: dict[Value, str] = {value: identifier(name) for value, name in plan.names.items()}
            self.taken = {*self.names.values(), self.function}
            self.imports: dict[str, str] = {}  # what is looked up once: code -> name
            self.dtypes: dict[DType, str] = {}
            self.constants: dict[str, Any] = {}
            self.kernels: dict[str, Any] = {}
            self.literals: dict[Literal, str] = {}
            self.statics = self.prologue  # where constants are made
            self.threaded: list[Node] = []  # nodes whose work threads share
        else:
            self.taken, self.imports, self.dtypes = outer.taken, outer.imports, outer.dtypes
            self.constants, self.kernels, self.literals = outer.constants, outer.kernels, outer.literals
            self.statics, self.threaded = outer.statics, outer.threaded
            self.names = {value: self.unique(hint) for value, hint in plan.names.items()}
        self.born: dict[tuple[Allocation, int, TensorType], str] = {}  # arrays that have been made
        self.arrays: dict[Allocation, tuple[str, TensorType]] = {}  # the first of them in each allocation
        self.packed = dict.fromkeys(plan.packs.values(), "")  # what knows the parts of packed parameters

    # Names

    def unique(self, hint: str) -> str:
        """A name that nothing has yet."""
        name, count = identifier(hint), 0
        while name in self.taken:
            count += 1
            name = f"{hint}_{count}"
        self.taken.add(name)
        return name

    def lookup(self, code: str, hint: str | None = None) -> str:
        """The name under which something of NumPy (`np.add.reduce`) is bound when the program is loaded."""
        return self.bound(numpy_name(code), hint)

    def outside(self, table: str, key: str, hint: str | None = None) -> str:
        """The name under which an item of `kernels` or `constants` is bound when the program is loaded."""
        return self.bound(f"{identifier(table)}[{spell(key)}]", hint)

    def bound(self, code: str, hint: str | None = None) -> str:
        """The name under which the value of `code` is bound when the program is loaded."""
        name = self.imports.get(code)
        if name is None and code.removeprefix("np.") in DTYPES:
            code = f"np.dtype({code.removeprefix('np.')!r})"
            hint = hint or code.split("'")[1]
            name = self.imports.get(code)
        if name is None:
            name = self.imports[code] = self.unique(hint or code.removeprefix("np.").replace(".", "_"))
        return name

    def dtype(self, dtype: DType) -> str:
        """The name of a NumPy dtype."""
        name = self.dtypes.get(dtype)
        if name is None:
            known = dtype.np.name
            if getattr(np, known, None) is dtype.np.type or dtype.is_bool:
                name = self.bound(spell(dtype), "bool_" if dtype.is_bool else known)
            else:
                name = self.constant(dtype.np, known)
            self.dtypes[dtype] = name
        return name

    def constant(self, value: Any, hint: str) -> str:
        """The name of a value that the source cannot spell; it is handed to the program beside the source."""
        for key, known in self.constants.items():
            if known is value:
                return self.outside("constants", key)
        key = f"{hint}{len(self.constants)}"
        self.constants[key] = value
        return self.outside("constants", key, key)

    def read(self, operand: Operand) -> str:
        """The name of an operand's array."""
        operand = self.plan.resolve(operand)
        if isinstance(operand, Value):
            return self.names[operand]
        name = self.literals.get(operand)
        if name is None:
            value: Any = operand.value
            hint = "c_" + re.sub(r"\W", "_", str(value).replace("-", "m").replace(".", "p"), flags=re.ASCII)
            name = self.literals[operand] = self.bound(
                f"np.array({spell(value)}, {self.dtype(operand.type.dtype)})", hint
            )
        return name

    def target(self, value: Value) -> str:
        """The name of the array that a value is to be written to; values in one allocation that look alike share it."""
        own = self.plan.storage[value].allocation
        allocation, start, type = own.find(), own.start(), value.type
        if allocation.kind == INPUT:
            self.names[value] = allocation.name
            return allocation.name
        if allocation.kind == ROW:
            return self.names[value]
        name = self.born.get((allocation, start, type))
        if name is not None:
            self.names[value] = name
            return name
        name = self.names[value]
        made = self.arrays.get(allocation)
        if allocation.kind == RESULT:
            self.body.append(assign(name, self.empty(type) if made is None else self.seen_as(*made, type)))
        else:
            self.prologue.append(assign(name, self.arena_array(allocation.offset + start, type)))
        self.born[allocation, start, type] = name
        self.arrays.setdefault(allocation, (name, type))
        return name

    def arena_array(self, offset: int, type: TensorType) -> ast.Call:
        """Code for an array in the arena."""
        arguments = [value_code(offset), value_code(type.static_shape), name_code(self.dtype(type.dtype))]
        return method_code("arena", "array", *arguments)

    def seen_as(self, name: str, type: TensorType, wanted: TensorType) -> ast.expr:
        """Code for an array as another type of the same size."""
        code: ast.expr = name_code(name)
        if type.dtype is not wanted.dtype:
            code = method_code(name, "view", name_code(self.dtype(wanted.dtype)))
        if type.shape != wanted.shape:
            code = ast.Call(ast.Attribute(code, "reshape", ast.Load()), [value_code(wanted.static_shape)], [])
        return code

    def empty(self, type: TensorType) -> ast.expr:
        """Code for a fresh array."""
        if type.nbytes >= LARGE:
            self.kernels["aligned_empty"] = aligned_empty
            make = self.outside("kernels", "aligned_empty", "aligned_empty")
        else:
            make = self.lookup("np.empty")
        return ast.Call(name_code(make), [value_code(type.static_shape), name_code(self.dtype(type.dtype))], [])

    # Nodes

    def writers(self) -> Mapping[str, Callable[[Node], None]]:
        """What writes the statements of nodes that hold graphs, by the kind of the op."""
        return {
            "branch": self.branches, "loop": self.loop, "group": self.group,
            "kernel": self.native, "loop_kernel": self.native,
        }  # fmt: skip

    def block(self, graph: Graph) -> None:
        """The statements of a graph's nodes, appended to the current body."""
        for node in graph.nodes:
            first = len(self.body)
            self.writers().get(node.op.kind, self.plain)(node)
            for statement in self.body[first:]:
                statement.__dict__.setdefault("node", node)

    def branches(self, node: Node) -> None:
        """The statements of a cond."""
        raise IRError(f"no branches are expected here: {node!r}")

    def loop(self, node: Node) -> None:
        """The statements of a while_loop or scan."""
        raise IRError(f"no loop is expected here: {node!r}")

    def group(self, node: Node) -> None:
        """The statements of a fused group."""
        raise IRError(f"no group is expected here: {node!r}")

    def native(self, node: Node) -> None:
        """The statement of a kernel of machine code."""
        raise IRError(f"no kernel is expected here: {node!r}")

    def plain(self, node: Node) -> None:
        """The statement of a node without sub-graphs."""
        if node_cost(node).flops >= PARALLEL_FLOPS:
            self.threaded.append(node)
        arguments = [self.read(operand) for operand in node.inputs]
        if not node.outputs:
            self.body.append(ast.Expr(self.expression(node, arguments, None)))
            return
        value = node.outputs[0]
        stored = self.plan.storage[value]
        allocation = stored.allocation.find()
        if node in self.plan.elided:
            self.join(node, arguments)
            return
        if node in self.plan.packs:
            return  # what it gives is stored in the end
        if node in self.packed:
            self.pack(node, arguments)
            return
        if self.comes_fresh(node, allocation):
            self.arrays[allocation] = self.names[value], value.type
            self.born[allocation, 0, value.type] = self.names[value]
            self.body.append(assign(self.names[value], self.expression(node, arguments, None)))
            return
        if stored.whole and (allocation.kind == INPUT or (stored.known and allocation.kind in (ARENA, RESULT, ROW))):
            names = [self.target(output) for output in node.outputs]
            if node.op.writes_out:
                self.body.append(self.filling(node, arguments, names))
            else:
                self.body.append(self.copied_view(node, arguments, names[0], allocation))
            return
        names = [self.names[output] for output in node.outputs]
        expression = self.expression(node, arguments, None)
        if allocation.kind == HEAP and stored.whole and len(names) == 1 and value.type.shape == ():
            expression = ast.Call(name_code(self.lookup("np.asarray")), [expression], [])
        target = (
            ast.Name(names[0], ast.Store())
            if len(names) == 1
            else ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        )
        where = self.body if not stored.bound else self.statics if allocation.kind == CONSTANT else self.prologue
        where.append(ast.Assign([target], expression, lineno=0))

    def copied_view(self, node: Node, arguments: Sequence[str], out: str, allocation: Allocation) -> ast.stmt:
        """The statement that fills `out` with what is no view of the input after all."""
        copyto = name_code(self.lookup("np.copyto"))
        if node.op is not ops.reshape:
            return ast.Expr(ast.Call(copyto, [name_code(out), self.expression(node, arguments, None)], []))
        # The target in the input's shape, so that nothing is copied twice.
        shaped: ast.expr = method_code(out, "reshape", value_code(node.inputs[0].type.static_shape))
        if allocation.kind == ARENA:
            name = self.unique(f"{out}_shaped")
            self.prologue.append(assign(name, shaped))
            shaped = name_code(name)
        return ast.Expr(ast.Call(copyto, [shaped, name_code(arguments[0])], []))

    def comes_fresh(self, node: Node, allocation: Allocation) -> bool:
        """Whether a result is best left to a product to allocate: quicker than an empty array to fill."""
        if (
            node.op.kind != "matmul"
            or allocation.kind != RESULT
            or allocation in self.arrays
            or node.output.type.rank != 2
        ):
            return False
        return node.op.emit is not None and node.op.emit(node, ["a", "b"], None) is not None

    def join(self, node: Node, arguments: Sequence[str]) -> None:
        """A concatenation, some of whose inputs are computed where they go: copies of the others."""
        allocation = self.plan.storage[node.output].allocation
        self.target(node.output)
        offset = allocation.find().offset + allocation.start()
        copyto = self.lookup("np.copyto")
        for position, operand in enumerate(node.inputs):
            if position not in self.plan.elided[node]:
                part = self.unique(f"{self.names[node.output]}_part")
                self.prologue.append(assign(part, self.arena_array(offset, operand.type)))
                self.body.append(ast.Expr(call_code(copyto, part, arguments[position])))
            offset += operand.type.nbytes

    def pack(self, node: Node, arguments: Sequence[str]) -> None:
        """Parameters as one vector: an object that knows whether they lie side by side, and a call of it."""
        value, allocation = node.output, self.plan.copies[node]
        packed = self.packed[node] = self.unique(f"{self.names[value]}_parts")
        self.kernels["Packed"] = Packed
        shapes = value_code(tuple(operand.type.static_shape for operand in node.inputs))
        make = call_code(self.outside("kernels", "Packed", "Packed"))
        make.args += [self.arena_array(allocation.offset, value.type), shapes]
        self.prologue.append(assign(packed, make))
        self.body.append(assign(self.names[value], method_code(packed, "load", *map(name_code, arguments))))

    def filling(self, node: Node, arguments: Sequence[str], outs: Sequence[str]) -> ast.stmt:
        """The statement that writes a node's outputs to the arrays of these names."""
        op = node.op
        if len(outs) == 1:
            (out,) = outs
            code = op.emit(node, arguments, out) if op.emit is not None else None
            if code is not None:
                return self.statement(code)
            if isinstance(op.kernel, np.ufunc) and not node.attrs:
                function = self.ufunc(op)
                if op.kernel in KEYWORD_OUT:
                    return ast.Expr(call_code(function, *arguments, out=name_code(out)))
                return ast.Expr(call_code(function, *arguments, out))
        call = self.kernel_call(node, arguments)
        target = name_code(outs[0]) if len(outs) == 1 else tuple_code(outs)
        call.keywords.insert(0, ast.keyword("out", target))
        scratch = self.plan.scratch.get(node)
        if scratch is not None:
            name = self.unique(scratch.name)
            self.prologue.append(assign(name, self.arena_array(scratch.offset, scratch.type)))
            call.keywords.append(ast.keyword("scratch", name_code(name)))
        return ast.Expr(call)

    def expression(self, node: Node, arguments: Sequence[str], out: str | None) -> ast.expr:
        """The expression of a node's outputs in arrays that NumPy allocates."""
        op = node.op
        if op.emit is not None:
            code = op.emit(node, arguments, None)
            if isinstance(code, Call):
                return self.call(code)
            if code is not None:
                return ast.parse(self.hoist(code), mode="eval").body
        if isinstance(op.kernel, np.ufunc) and not node.attrs:
            return call_code(self.ufunc(op), *arguments)
        return self.kernel_call(node, arguments)

    def ufunc(self, op: Op) -> str:
        """The name of a kernel that is a ufunc."""
        name = op.kernel.__name__
        if getattr(np, name, None) is op.kernel:
            return self.lookup(f"np.{name}")
        return self.kernel(op)

    def kernel(self, op: Op) -> str:
        """The name of an op's kernel."""
        self.kernels[op.name] = op.kernel
        return self.outside("kernels", op.name, op.name)

    def kernel_call(self, node: Node, arguments: Sequence[str]) -> ast.Call:
        """A call of the node's kernel with its attributes."""
        keywords = {key: self.attribute(key, value) for key, value in node.attrs.items()}
        return call_code(self.kernel(node.op), *arguments, **keywords)

    def attribute(self, key: str, value: Any) -> ast.expr:
        """The expression of an attribute."""
        if is_plain(value):
            return value_code(value)
        return name_code(self.constant(value, key))

    def statement(self, code: Code) -> ast.stmt:
        """The statement of an op's code."""
        return ast.Expr(self.call(code)) if isinstance(code, Call) else parse_line(self.hoist(code))

    def call(self, code: Call) -> ast.Call:
        """The expression of an op's code."""
        arguments = [self.argument(argument) for argument in code.arguments]
        keywords = [ast.keyword(key, self.argument(value)) for key, value in code.keywords]
        if code.function.startswith("."):
            return ast.Call(ast.Attribute(arguments[0], code.function[1:], ast.Load()), arguments[1:], keywords)
        return ast.Call(name_code(self.lookup(code.function)), arguments, keywords)

    def argument(self, value: Any) -> ast.expr:
        """The expression of an argument in an op's code."""
        if isinstance(value, Constant):
            return name_code(self.bound(*value))
        if not isinstance(value, str):
            return value_code(value)
        return name_code(self.lookup(value) if value.startswith("np.") else value)

    def hoist(self, code: str) -> str:
        """The code of an op's template, with what it takes from NumPy bound to names."""
        return re.sub(r"\bnp((?:\.[A-Za-z_]\w*)+)", lambda match: self.lookup(match.group(0)), code)

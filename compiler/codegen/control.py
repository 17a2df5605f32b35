"""Emission of control flow: cond as if, while_loop as while, scan as for."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from ...runtime.arena import Stack, grown
from ..ir.graph import Graph, Node
from ..ir.loops import Loop
from ..ir.spelling import spell
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value
from ..memory.plan import ROW, Allocation, Plan
from .nodes import NodeEmitter
from .python_code import assign, call_code, name_code, parse_line

# How a loop's values are stacked: in an array of the plan, in one made when the count is known, in one that grows, or
# pushed one by one where their shapes are only known then.
WHOLE, COUNTED, GROWN, PUSHED = "whole", "counted", "grown", "pushed"
FIRST_ROOM = 16


@dataclass
class _Stack:
    """A loop's output that stacks what `operand` is in each iteration."""

    name: str
    value: Value
    operand: Operand
    kind: str = WHOLE


def _at(counter: str, row: TensorType) -> str:
    """The index of a row as an array, also of numbers."""
    return counter if row.rank else f"{counter}, ..."


class ControlEmitter(NodeEmitter):
    """Writes the statements of nodes with branches and loops."""

    def __init__(self, plan: Plan, name: str, outer: NodeEmitter | None = None) -> None:
        super().__init__(plan, name, outer)
        self.filled: dict[Allocation, _Stack] = {}  # the stack in whose row a value is computed

    def nested(self, graph: Graph) -> list[ast.stmt]:
        """The statements of a sub-graph, on their own."""
        outer, self.body = self.body, []
        self.block(graph)
        inner, self.body = self.body, outer
        return inner

    def move(self, target: str, value: Value, operand: Operand) -> list[ast.stmt]:
        """Statements that bring a sub-graph's output to where `value` lives."""
        if self.plan.storage[value].known:
            if self.same_memory(value, operand):
                return []
            return [ast.Expr(call_code(self.lookup("np.copyto"), target, self.read(operand)))]
        return [assign(target, self.owned(operand))]

    def same_memory(self, value: Value, operand: Operand) -> bool:
        """Whether an operand is computed right where `value` lives."""
        operand = self.plan.resolve(operand)
        if isinstance(operand, Literal) or not self.plan.storage[operand].whole:
            return False
        here, there = self.plan.storage[operand].allocation, self.plan.storage[value].allocation
        return here.find() is there.find() and here.start() == there.start()  # not another part of what is joined

    def owned(self, operand: Operand) -> ast.expr:
        """An operand as an array that shares no memory."""
        operand = self.plan.resolve(operand)
        return ast.Call(ast.Attribute(name_code(self.read(operand)), "copy", ast.Load()), [], [])

    def branches(self, node: Node) -> None:
        """A cond as an if."""
        for value in node.outputs:
            if self.plan.storage[value].known:
                self.target(value)
        bodies = []
        for graph in node.subgraphs:
            body = self.nested(graph)
            for value, operand in zip(node.outputs, graph.outputs, strict=True):
                body += self.move(self.names[value], value, operand)
            bodies.append(body)
        test = name_code(self.read(node.inputs[0]))
        self.body.append(ast.If(test, bodies[0] or [ast.Pass()], bodies[1]))

    def loop(self, node: Node) -> None:
        """A while_loop as a while, a scan as a for."""
        loop, plan = Loop.of(node), self.plan
        body, test, carried, states = loop.body, loop.test, loop.carried, loop.states
        for value, operand in zip(states, loop.initial, strict=True):
            if plan.storage[value].known:
                self.body.append(ast.Expr(call_code(self.lookup("np.copyto"), self.target(value), self.read(operand))))
            else:
                self.body.append(assign(self.names[value], self.owned(operand)))
        counter, total = self.unique("i"), ""
        if test is None:
            total = self.unique("count")
            self.body.append(parse_line(f"{total} = int({self.read(node.inputs[0])})"))
        stacks = [
            _Stack(self.unique(f"{self.names[value]}_rows"), value, operand)
            for value, operand in zip(loop.stacks, loop.stacked, strict=True)
        ]
        room = self.make_stacks(stacks, total)
        inside: list[ast.stmt] = []
        if test is not None:
            inside += self.nested(test)
            inside.append(parse_line(f"if not {self.read(test.outputs[0])}: break"))
        else:
            if self.is_read(body, body.parameters[0]):
                inside.append(parse_line(f"{self.target(body.parameters[0])}[()] = {counter}"))
            for position in loop.rows:
                row, rows = body.parameters[position], self.read(node.inputs[position])
                inside.append(parse_line(f"{self.names[row]} = {rows}[{_at(counter, row.type)}]"))
        inside += self.open_rows(stacks, counter, room, body)
        inside += self.nested(body)
        inside += self.fill_rows(stacks, counter, body)
        inside += self.next_state(states, body.outputs[:carried])
        if test is not None:
            inside.append(parse_line(f"{counter} += 1"))
            self.body.append(parse_line(f"{counter} = 0"))
            self.body.append(ast.While(ast.Constant(True, None), inside, []))
            self.body.append(parse_line(f"{self.target(node.outputs[carried])}[()] = {counter}"))
        elif inside:  # an iteration may have nothing to do, where its values stay as they are
            steps = f"range({total} - 1, -1, -1)" if loop.reverse else f"range({total})"
            iterator = ast.parse(steps, mode="eval").body
            self.body.append(ast.For(ast.Name(counter, ast.Store()), iterator, inside, [], lineno=0))
        for stack in stacks:
            if stack.kind == PUSHED:
                reverse = "reverse=True" if loop.reverse else ""
                self.body.append(parse_line(f"{self.names[stack.value]} = {stack.name}.finish({reverse})"))
            elif stack.kind == GROWN:
                self.body.append(parse_line(f"{self.names[stack.value]} = {stack.name}[:{counter}]"))
            elif stack.kind == COUNTED:
                self.body.append(assign(self.names[stack.value], name_code(stack.name)))

    def is_read(self, graph: Graph, value: Value) -> bool:
        """Whether a graph reads a value of its own."""
        return value in graph.outputs or any(value in node.inputs for node in graph.nodes)

    def make_stacks(self, stacks: Sequence[_Stack], total: str) -> str:
        """Make what a loop's values are stacked in; the name of the number of rows with room, where that may grow."""
        room = ""
        for stack in stacks:
            item, dtype = stack.operand.type, self.dtype(stack.operand.type.dtype)
            if self.plan.storage[stack.value].known:
                stack.kind, stack.name = WHOLE, self.target(stack.value)
            elif not item.is_static:
                stack.kind = PUSHED
                self.kernels["Stack"] = Stack
                make = self.outside("kernels", "Stack", "Stack")
                self.body.append(parse_line(f"{stack.name} = {make}({spell(item.shape)}, {dtype})"))
            else:
                stack.kind = COUNTED if total else GROWN
                if not total and not room:
                    room = self.unique("room")
                    self.body.append(parse_line(f"{room} = {FIRST_ROOM}"))
                shape = "".join(f"{spell(size)}, " for size in item.shape)
                make = self.lookup("np.empty")
                self.body.append(parse_line(f"{stack.name} = {make}(({total or room}, {shape}), {dtype})"))
        return room

    def open_rows(self, stacks: Sequence[_Stack], counter: str, room: str, body: Graph) -> list[ast.stmt]:
        """At the start of an iteration: make room, stack what has come in, open the rows that the body fills."""
        result: list[ast.stmt] = []
        growing = [stack.name for stack in stacks if stack.kind == GROWN]
        if growing:
            self.kernels["grown"] = grown
            grow = self.outside("kernels", "grown", "grown")
            larger = ", ".join(f"{grow}({name}, {room})" for name in growing)
            result.append(parse_line(f"if {counter} == {room}: {room} *= 2; {', '.join(growing)} = {larger}"))
        for stack in stacks:
            if stack.operand in body.parameters:
                result.append(self.push(stack, counter))
            elif self.fills_row(stack):
                at = _at(counter, stack.operand.type)
                result.append(parse_line(f"{self.read(stack.operand)} = {stack.name}[{at}]"))
                self.filled[self.plan.storage[stack.operand].allocation] = stack  # type: ignore[index]
        return result

    def fills_row(self, stack: _Stack) -> bool:
        """Whether the body computes a value in this stack's row; of several stacks of one value, the first has it."""
        operand = self.plan.resolve(stack.operand)
        if isinstance(operand, Literal):
            return False
        stored = self.plan.storage[operand]
        fills = stored.whole and stored.allocation.kind == ROW and stack.kind != PUSHED
        return fills and self.filled.get(stored.allocation, stack) is stack

    def fill_rows(self, stacks: Sequence[_Stack], counter: str, body: Graph) -> list[ast.stmt]:
        """At the end of an iteration: stack what the body has not computed in its row."""
        return [
            self.push(stack, counter)
            for stack in stacks
            if stack.operand not in body.parameters and not self.fills_row(stack)
        ]

    def push(self, stack: _Stack, counter: str) -> ast.stmt:
        """The statement that copies a value to its stack."""
        item = self.read(stack.operand)
        return parse_line(f"{stack.name}.push({item})" if stack.kind == PUSHED else f"{stack.name}[{counter}] = {item}")

    def next_state(self, states: Sequence[Value], outputs: Sequence[Operand]) -> list[ast.stmt]:
        """Statements that bring what the body gives to where the state lives, as if all at once."""
        pending = [
            (value, operand)
            for value, operand in zip(states, outputs, strict=False)
            if not self.same_memory(value, operand)
        ]
        written = {self.plan.storage[value].allocation.find() for value, _ in pending}
        before: list[ast.stmt] = []
        moves: list[ast.stmt] = []
        for value, operand in pending:
            source = self.read(operand)
            resolved = self.plan.resolve(operand)
            if isinstance(resolved, Value) and self.plan.storage[resolved].memory() & written:
                copied = self.unique(f"{self.names[value]}_next")
                before.append(assign(copied, self.owned(operand)))
                source = copied
            if self.plan.storage[value].known:
                moves.append(ast.Expr(call_code(self.lookup("np.copyto"), self.names[value], source)))
            elif source != self.read(operand):
                moves.append(assign(self.names[value], name_code(source)))
            else:
                moves.append(assign(self.names[value], self.owned(operand)))
        return before + moves

"""Code generation for control flow: cond as if, while_loop as while, scan as for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence

from ...runtime.arena import Stack, grown
from ...runtime.records import dataclass
from ..ir.graph import Graph, Node, walk
from ..ir.loops import Loop
from ..ir.spelling import spell
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value
from ..memory.plan import ROW, Allocation
from .kernels import moved
from .python_code import assign, fill, name_code, parse_line
from .row_views import counted_loop
from .whole_loops import may_stand, names_in, whole_loop
from .writer import Writer

# How a loop's values are stacked: in an array of the plan, in one made when the count is known, in one that grows, or
# pushed one by one where their shapes are only known then.
WHOLE, COUNTED, GROWN, PUSHED = "whole", "counted", "grown", "pushed"
FIRST_ROOM = 16


@dataclass
class _Stack:
    """An output of a loop that stacks the value of `operand` in each iteration."""

    name: str
    value: Value
    operand: Operand
    kind: str = WHOLE


def _at(counter: str, row: TensorType) -> str:
    """The index of a row that gives an array, for numbers too."""
    return counter if row.rank else f"{counter}, ..."


class ControlEmitter:
    """Writes the statements of nodes with branches and loops."""

    def __init__(self, writer: Writer, block: Callable[[Graph], None], unread: Collection[Node]) -> None:
        self.writer = writer
        self.block = block  # writes the statements of a graph's nodes
        self.unread = unread  # nodes without a statement
        self.filled: dict[Allocation, _Stack] = {}  # the stack in whose row a value is computed

    def nested(self, graph: Graph) -> list[ast.stmt]:
        """The statements of a sub-graph, separate from the body."""
        writer = self.writer
        outer, writer.body = writer.body, []
        self.block(graph)
        inner, writer.body = writer.body, outer
        return inner

    def move(self, target: str, value: Value, operand: Operand) -> list[ast.stmt]:
        """Statements that move a sub-graph's output to the storage of `value`."""
        writer = self.writer
        if writer.plan.storage[value].known:
            if writer.same_memory(value, operand):
                return []
            return [fill(target, writer.read(operand))]
        return [assign(target, writer.owned(operand))]

    def branches(self, node: Node) -> None:
        """Emit a cond as an if."""
        writer = self.writer
        for value in node.outputs:
            if writer.plan.storage[value].known:
                writer.target(value)
        bodies = []
        for graph in node.subgraphs:
            body = self.nested(graph)
            for value, operand in zip(node.outputs, graph.outputs, strict=True):
                if not self.unread or graph.producers.get(operand) not in self.unread:
                    body += self.move(writer.names[value], value, operand)
            bodies.append(body)
        test = name_code(writer.read(node.inputs[0]))
        writer.body.append(ast.If(test, bodies[0] or [ast.Pass()], bodies[1]))

    def loop(self, node: Node) -> None:
        """Emit a while_loop as a while, a scan as a for."""
        writer, loop = self.writer, Loop.of(node)
        starts = self.start_state(loop)
        counter, total = writer.unique("i"), ""
        known = loop.test is None and loop.length and isinstance(node.inputs[0], Literal)
        bounds = range(loop.length or 0)[:: -1 if loop.reverse else 1] if known else None
        if known:
            total = str(loop.length)
        elif loop.test is None:
            total = writer.unique("count")
            writer.body.append(parse_line(f"{total} = int({writer.read(node.inputs[0])})"))
        stacks = [
            _Stack(writer.unique(f"{writer.names[value]}_rows"), value, operand)
            for value, operand in zip(loop.stacks, loop.stacked, strict=True)
        ]
        room = self.make_stacks(stacks, total)
        inside = self.iteration(loop, stacks, counter, room)
        if bounds is not None and self.with_swaps(loop, inside, counter, bounds, starts):
            self.finish_stacks(stacks, counter, loop.reverse)
            return
        inside += self.next_state(loop)
        if loop.test is not None:
            inside.append(parse_line(f"{counter} += 1"))
            total = writer.target(node.outputs[loop.carried])
            if not whole_loop(writer, node, inside, counter, None, total):
                writer.body.append(parse_line(f"{counter} = 0"))
                writer.body.append(ast.While(ast.Constant(True, None), inside, []))
                writer.body.append(parse_line(f"{total}[()] = {counter}"))
        elif bounds is None or not whole_loop(writer, node, inside, counter, bounds):
            counted_loop(writer, loop, inside, counter, total)
        self.finish_stacks(stacks, counter, loop.reverse)

    def with_swaps(
        self, loop: Loop, inside: Sequence[ast.stmt], counter: str, bounds: range, starts: Mapping[Value, int]
    ) -> bool:
        """Write a loop in which arrays change roles after each iteration, if there are such, and it is a function.

        The last iteration writes to the state's own array. So where their number is odd the loop begins in the other.
        """
        writer = self.writer
        swapped = self.swapped(loop, inside) if all(map(may_stand, inside)) else {}
        names = {writer.names[value]: writer.names[operand] for value, operand in swapped.items()}
        if not names:
            return False
        moves = [*self.next_state(loop, swapped), *[parse_line(f"{a}, {b} = {b}, {a}") for a, b in names.items()]]
        odd = len(bounds) % 2 == 1
        passed = {**names, **{b: a for a, b in names.items()}} if odd else {}
        if not whole_loop(writer, loop.node, [*inside, *moves], counter, bounds, passed=passed):
            return False
        for value, position in starts.items():
            if odd and value in swapped:
                initial = loop.initial[loop.states.index(value)]
                writer.body[position] = fill(names[writer.names[value]], writer.read(initial))
        return True

    def swapped(self, loop: Loop, inside: Sequence[ast.stmt]) -> dict[Value, Value]:
        """The states whose next state lies in another array, as the plan says, where each array has one name inside."""
        plan, names = self.writer.plan, self.writer.names
        found = {value: plan.swapped[value] for value in loop.states if value in plan.swapped}
        if not found:
            return found
        named: dict[Allocation, set[str]] = {}
        read = {name for statement in inside for name in names_in(statement)}
        for value in (*loop.body.parameters, *[value for node in walk(loop.body) for value in node.outputs]):
            for memory in plan.storage[value].memory() if value in plan.storage else ():
                if names[value] in read:  # kernels read views by the name of the whole
                    named.setdefault(memory, set()).add(names[value])

        def is_alone(value: Value) -> bool:
            return named.get(plan.storage[value].allocation.find()) == {names[value]}

        return {value: operand for value, operand in found.items() if is_alone(value) and is_alone(operand)}

    def start_state(self, loop: Loop) -> dict[Value, int]:
        """Copy the initial state to where the state is stored. Returns where in the body the statements for values of a
        known layout are."""
        writer = self.writer
        starts: dict[Value, int] = {}
        for value, operand in zip(loop.states, loop.initial, strict=True):
            if writer.plan.storage[value].known:
                writer.body.append(fill(writer.target(value), writer.read(operand)))
                starts[value] = len(writer.body) - 1
            else:
                writer.body.append(assign(writer.names[value], writer.owned(operand)))
        return starts

    def iteration(self, loop: Loop, stacks: Sequence[_Stack], counter: str, room: str) -> list[ast.stmt]:
        """The statements of one iteration before the next state: test or index, rows, body, stacks."""
        writer, body = self.writer, loop.body
        inside: list[ast.stmt] = []
        if loop.test is not None:
            inside += self.nested(loop.test)
            inside.append(parse_line(f"if not {writer.read(loop.test.outputs[0])}: break"))
        elif self.is_read(body, body.parameters[0]):
            inside.append(parse_line(f"{writer.target(body.parameters[0])}[()] = {counter}"))
        for position in loop.rows:
            row, rows = body.parameters[position], writer.read(loop.node.inputs[position])
            inside.append(parse_line(f"{writer.names[row]} = {rows}[{_at(counter, row.type)}]"))
        inside += self.open_rows(stacks, counter, room, body)
        writer.around += 1
        inside += self.nested(body)
        writer.around -= 1
        inside += self.fill_rows(stacks, counter, body)
        return inside

    def finish_stacks(self, stacks: Sequence[_Stack], counter: str, reverse: bool) -> None:
        """Bind stacks that grew during the run to the names of their values."""
        writer = self.writer
        for stack in stacks:
            name = writer.names[stack.value]
            if stack.kind == PUSHED:
                given = "reverse=True" if reverse else ""
                writer.body.append(parse_line(f"{name} = {stack.name}.finish({given})"))
            elif stack.kind == GROWN:
                writer.body.append(parse_line(f"{name} = {stack.name}[:{counter}]"))
            elif stack.kind == COUNTED:
                writer.body.append(assign(name, name_code(stack.name)))

    def is_read(self, graph: Graph, value: Value) -> bool:
        """Whether a graph reads one of its values."""
        return value in graph.outputs or any(value in node.inputs for node in graph.nodes)

    def make_stacks(self, stacks: Sequence[_Stack], total: str) -> str:
        """Make the stacks of a loop's values. Returns the name of the number of rows that fit, if the stacks may
        grow."""
        writer = self.writer
        room = ""
        for stack in stacks:
            item, dtype = stack.operand.type, writer.dtype(stack.operand.type.dtype)
            if writer.plan.storage[stack.value].known:
                stack.kind, stack.name = WHOLE, writer.target(stack.value)
            elif not item.is_static:
                stack.kind = PUSHED
                make = writer.function_named("Stack", Stack)
                writer.body.append(parse_line(f"{stack.name} = {make}({spell(item.shape)}, {dtype})"))
            else:
                stack.kind = COUNTED if total else GROWN
                if not total and not room:
                    room = writer.unique("room")
                    writer.body.append(parse_line(f"{room} = {FIRST_ROOM}"))
                shape = "".join(f"{spell(size)}, " for size in item.shape)
                make = writer.lookup("np.empty")
                writer.body.append(parse_line(f"{stack.name} = {make}(({total or room}, {shape}), {dtype})"))
        return room

    def open_rows(self, stacks: Sequence[_Stack], counter: str, room: str, body: Graph) -> list[ast.stmt]:
        """At the start of an iteration: make room, stack the values that come in, open the rows that the body fills."""
        writer = self.writer
        result: list[ast.stmt] = []
        growing = [stack.name for stack in stacks if stack.kind == GROWN]
        if growing:
            grow = writer.function_named("grown", grown)
            larger = ", ".join(f"{grow}({name}, {room})" for name in growing)
            result.append(parse_line(f"if {counter} == {room}: {room} *= 2; {', '.join(growing)} = {larger}"))
        for stack in stacks:
            if stack.operand in body.parameters:
                result += self.push(stack, counter)
            elif self.fills_row(stack):
                at = _at(counter, stack.operand.type)
                result.append(parse_line(f"{writer.read(stack.operand)} = {stack.name}[{at}]"))
                self.filled[writer.plan.storage[stack.operand].allocation] = stack
        return result

    def fills_row(self, stack: _Stack) -> bool:
        """Whether the body computes a value in the row of this stack. If several stacks hold one value, the first
        does."""
        operand = self.writer.plan.resolve(stack.operand)
        if isinstance(operand, Literal):
            return False
        stored = self.writer.plan.storage[operand]
        fills = stored.whole and stored.allocation.kind == ROW and stack.kind != PUSHED
        return fills and self.filled.get(stored.allocation, stack) is stack

    def fill_rows(self, stacks: Sequence[_Stack], counter: str, body: Graph) -> list[ast.stmt]:
        """At the end of an iteration: stack the values that the body has not computed in their rows."""
        return [
            statement
            for stack in stacks
            if stack.operand not in body.parameters and not self.fills_row(stack)
            for statement in self.push(stack, counter)
        ]

    def push(self, stack: _Stack, counter: str) -> list[ast.stmt]:
        """The statements that copy a value to its stack."""
        writer = self.writer
        operand, item = writer.plan.resolve(stack.operand), writer.read(stack.operand)
        if stack.kind == PUSHED:
            return [parse_line(f"{stack.name}.push({item})")]
        if not (writer.whole_loops and writer.plan.kernels and isinstance(operand, Value)):
            return [parse_line(f"{stack.name}[{counter}] = {item}")]
        row = writer.unique(f"{stack.name}_row")
        opened = parse_line(f"{row} = {stack.name}[{_at(counter, operand.type)}]")
        return [opened, moved(writer, row, operand, item, operand)]

    def next_state(self, loop: Loop, swapped: Collection[Value] = ()) -> list[ast.stmt]:
        """Statements that move the results of the body to the storage of the state, as if all at once; but for states
        that are `swapped`."""
        writer = self.writer
        pending = [
            (value, operand)
            for value, operand in zip(loop.states, loop.body.outputs, strict=False)
            if value not in swapped and not writer.same_memory(value, operand)
        ]
        written = {writer.plan.storage[value].allocation.find() for value, _ in pending}
        before: list[ast.stmt] = []
        moves: list[ast.stmt] = []
        for value, operand in pending:
            source = writer.read(operand)
            resolved = writer.plan.resolve(operand)
            if isinstance(resolved, Value) and writer.plan.storage[resolved].memory() & written:
                copied = writer.unique(f"{writer.names[value]}_next")
                before.append(assign(copied, writer.owned(operand)))
                source = copied
            if writer.plan.storage[value].known:
                moves.append(moved(writer, writer.names[value], value, source, resolved))
            elif source != writer.read(operand):
                moves.append(assign(writer.names[value], name_code(source)))
            else:
                moves.append(assign(writer.names[value], writer.owned(operand)))
        return before + moves

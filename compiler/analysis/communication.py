"""Communication analysis: the messages of a program to other processes, and the computation that runs meanwhile."""

from __future__ import annotations

from collections.abc import Mapping

from ...runtime.records import dataclass
from .. import ops
from ..ir.graph import Graph, Node, walk
from ..ir.values import Operand, Value
from .costs import seconds_of
from .updates import find_updates

SHOWN = 4  # names of a message


@dataclass(frozen=True)
class Message:
    """One call of a collective.

    Attributes:
        op: its op; of a bucket `all_reduce_start`.
        nbytes: the bytes of one process's input.
        sent: bytes that a process sends at least: for a sum over n processes 2 (n - 1) / n times `nbytes`.
        begins, ends: positions of the nodes that begin it and that wait for it; -1 inside of branches and loops.
        beside: the nodes that compute in between.
        work: the part of the program's work that these are, by flops and bytes.
        values: the names of its values.
        line: the user's.
    """

    op: str
    group: str
    size: int
    nbytes: int
    sent: int
    begins: int
    ends: int
    beside: int
    work: float
    values: tuple[str, ...]
    line: str


@dataclass(frozen=True)
class Communication:
    """The messages of a program in one run. It prints as a table.

    Attributes:
        messages: in the order of the program; one inside of a branch or loop counts once.
        programs: the keys of its traffic, one for each group.
    """

    messages: tuple[Message, ...]
    programs: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes that the messages carry."""
        return sum(message.nbytes for message in self.messages)

    @property
    def sent(self) -> int:
        """Bytes that a process sends at least."""
        return sum(message.sent for message in self.messages)

    def __str__(self) -> str:
        rows = [("message", "bytes", "sent", "begins", "ends", "beside", "work", "values", "line")]
        for message in self.messages:
            more = f" +{len(message.values) - SHOWN}" if len(message.values) > SHOWN else ""
            rows.append((
                message.op, str(message.nbytes), str(message.sent), _position(message.begins), _position(message.ends),
                f"{message.beside} nodes", f"{message.work:.0%}", f"{', '.join(message.values[:SHOWN])}{more}",
                message.line,
            ))  # fmt: skip
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(
                text.ljust(width) if column in (0, 7, 8) else text.rjust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([*lines, self.total()])

    def total(self) -> str:
        """How many messages, and how many bytes."""
        count = len(self.messages)
        return f"{count} message{'' if count == 1 else 's'} of {self.nbytes} bytes; each process sends {self.sent}"


def communicates(graph: Graph) -> bool:
    """Whether the program of a graph sends anything."""
    return any(op.sent is not None for op in graph.ops)


def communication_of(graph: Graph) -> Communication:
    """The messages of a graph's program."""
    ends = {node.inputs[0]: number for number, node in enumerate(graph.nodes) if node.op.ends}
    updates = find_updates(graph)  # which run when all messages are there
    work = [0.0 if node in updates else _work(node) for node in graph.nodes]
    found, programs = [], []
    for node in walk(graph):
        if node.op is ops.match_collectives:
            programs.append((node.attrs["group"], node.attrs["calls"], node.attrs["lines"]))
        if node.op.sent is None:
            continue
        begins = graph.order.get(node, -1)
        end = ends.get(node.output, begins) if node.op.begins and begins >= 0 else begins
        beside = [seconds for seconds in work[begins + 1 : end] if seconds]
        nbytes = sum(operand.type.nbytes for operand in node.inputs if operand.type.is_static)
        size = node.attrs["size"]
        found.append(Message(
            node.op.name, node.attrs["group"], size, nbytes, node.op.sent(nbytes, size), begins, end, len(beside),
            sum(beside) / (sum(work) or 1.0), _carried(node, graph.producers),
            "" if node.location is None else str(node.location),
        ))  # fmt: skip
    return Communication(tuple(found), tuple(programs))


def _work(node: Node) -> float:
    """A rough amount of a node's computation; 0 for views."""
    return 0.0 if node.op.kind == "collective" or node.op is ops.concatenate else seconds_of(node)


def _carried(node: Node, producers: Mapping[Operand, Node]) -> tuple[str, ...]:
    """The names of the values in a message."""
    names, todo = [], list(reversed(node.inputs))
    while todo:
        operand = todo.pop()
        made = producers.get(operand)
        if made is not None and (made.op is ops.concatenate or made.op.keeps_order):
            todo += reversed(made.inputs)
        elif isinstance(operand, Value):
            names.append(operand.name or "?")
    return tuple(names)


def _position(number: int) -> str:
    return "?" if number < 0 else str(number)

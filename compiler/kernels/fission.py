"""Loop fission: costly values with fewer elements than their kernel has iterations get a kernel of their own.

    over 900 12          over 900             over 900 12
    a = tanh(x)          a = tanh(x)          b = add(a, y)
    b = add(a, y)

Within rows, all lanes of a vector compute the same `a`. Alone, a vector has those of eight rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...runtime.native.builder import VECTOR
from ...runtime.native.functions import is_cheap, is_division
from ...runtime.native.language import Kernel, names_of
from ...runtime.native.stages import ONCE, divide
from ..ir.graph import Graph, Node
from ..ir.values import Operand, Value
from .naming import Origin, values_of
from .sharing import duration, nanoseconds
from .short_rows import far_rows, is_short
from .translation import Translation, iteration

CALL = 60  # nanoseconds of one more kernel
MOVE = 0.05  # nanoseconds for an element that is read or written once more
LEAST_SHARE = 32  # of the time of a kernel that its division for quotients saves: one part of so many


def distributed(body: Graph, translation: Translation) -> list[list[Node]]:
    """The nodes of a kernel's graph; or of several kernels, in order, if these are quicker."""
    every = math.prod(translation.kernel.extents)
    if min(map(math.prod, set(map(iteration, body.nodes)))) >= every:  # as most: none is computed too often
        return [list(body.nodes)]
    costly = [each.function for each in translation.kernel.statements if not is_cheap(each.function)]
    if every * sum(map(nanoseconds, costly)) <= CALL or is_short(translation.kernel) or far_rows(translation):
        return [list(body.nodes)]
    return _Fission(body, translation).parts()


class _Fission:
    """One kernel while it is divided.

    Attributes:
        saved: for each node that is computed more often than it has elements, the nanoseconds that this takes longer.
        series: those of them that are a chain of many instructions, for which the end of each row waits.
        phase: of each node. These nodes have even ones, others odd ones; none reads what a later phase computes.
    """

    def __init__(self, body: Graph, translation: Translation) -> None:
        self.body = body
        self.saved: dict[Node, float] = {}
        self.series: set[Node] = set()
        self.least = duration(translation.kernel) / LEAST_SHARE
        self.estimate(translation.kernel, translation.origins)
        made: dict[Operand, Node] = {node.output: node for node in body.nodes}
        self.read = {node: [made[operand] for operand in node.inputs if operand in made] for node in body.nodes}
        self.readers: dict[Node, list[Node]] = {node: [] for node in body.nodes}
        self.phase: dict[Node, int] = {}
        for node in body.nodes:
            for producer in self.read[node]:
                self.readers[producer].append(node)
            last = max((self.phase[producer] for producer in self.read[node]), default=0)
            self.phase[node] = last + (last % 2 == (node in self.saved))

    def estimate(self, kernel: Kernel, origins: Sequence[Origin]) -> None:
        """Estimate what the kernel computes too often. Cheap functions take no time while a row waits for others."""
        stages = divide(kernel)
        numbers = {name: number for name, (number, _) in zip(names_of(kernel), origins, strict=True)}
        levels, slow, series = dict[int, int](), dict.fromkeys(numbers.values(), 0.0), set[int]()
        for name, number in numbers.items():
            levels[number] = max(levels.get(number, ONCE), stages.level.get(name, ONCE))
        for statement in kernel.statements:
            if not is_cheap(statement.function):
                slow[numbers[statement.name]] += nanoseconds(statement.function)
                if not is_division(statement.function):
                    series.add(numbers[statement.name])
        every = math.prod(kernel.extents)
        times = 0, every // kernel.extents[-1] * VECTOR // stages.width, every
        position: dict[Operand, int] = {value: number for number, value in enumerate(values_of(self.body))}
        for node in self.body.nodes:
            looped = node.inputs[0] if node.op.kind == "reduction" else node.output
            count = times[levels[position[looped]]]
            more = count - math.prod(iteration(node))
            if more > 0 or not count:
                compared = node.output.type.dtype.is_bool  # which takes few instructions
                self.saved[node] = 0.0 if compared else max(more, 0) * slow[position[node.output]]
                if position[node.output] in series:
                    self.series.add(node)

    def parts(self) -> list[list[Node]]:
        """The nodes of each kernel."""
        phase, found, final = self.phase, list[int](), 2 * len(self.phase)
        for node in reversed(self.body.nodes):  # as late as possible
            last = min((phase[reader] for reader in self.readers[node]), default=final)
            if node not in self.saved and self.readers[node]:
                phase[node] = last - (last % 2 == 0)
            elif node in self.saved and phase[node] and last == final:
                phase[node] = final
        for now in sorted({*phase.values()}, reverse=True):
            if now % 2 or not self.is_better(now):
                continue
            found.append(now)
            for node in reversed(self.body.nodes):
                if node in self.saved and self.readers[node] and all(phase[r] == now for r in self.readers[node]):
                    phase[node] = now
        parts: dict[int, list[Node]] = {}
        for node in self.body.nodes:
            part = sum((phase[node] > now) + (phase[node] >= now) for now in found)
            parts.setdefault(part, []).append(node)
        return [parts[part] for part in sorted(parts)]

    def is_better(self, now: int) -> bool:
        """Whether kernels for what comes before a phase, for that, and for what follows are quicker than one."""
        side = {node: (phase > now) - (phase < now) for node, phase in self.phase.items()}
        moved, sides = 0, dict[Value, set[int]]()
        for node, here in side.items():
            if any(side[reader] != here for reader in self.readers[node]):
                moved += 2 * node.output.type.size
            for operand in node.inputs:
                if isinstance(operand, Value):
                    sides.setdefault(operand, set()).add(here)
        moved += sum(value.type.size for value in self.body.parameters if sides.get(value, set()) >= {-1, 1})
        saved = sum(time for node, time in self.saved.items() if not side[node])
        more = CALL * (len(set(side.values())) - 1) + MOVE * moved
        waits = any(node in self.series for node in self.saved if not side[node])
        return saved > (more if waits else max(more, self.least))

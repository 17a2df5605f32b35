"""List scheduling: the steps of a basic block in an order in which they wait little for each other.

    a = exp(x), step by step        the first steps of a and b, in turn,
    b = exp(y), step by step   ->   then the second ones, and so on

A processor looks for steps whose operands are there among the next ones only: 64 in Zen 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from .builder import Value

LATENCY = 8  # steps that could begin until a step's result is there: two in each of four cycles


def scheduled(reads: Sequence[Sequence[Value]], made: Sequence[int]) -> list[int]:
    """The numbers of the steps in the order in which they should stand.

    Those whose results are the furthest from the end come first. The first step that makes no value, as it stores one,
    stays where it is, and so do all behind it.

    Args:
        reads: of each step the values that it reads.
        made: of each step the number of the value that it makes, or -1.
    """
    end = made.index(-1) if -1 in made else len(made)
    at = {number: step for step, number in enumerate(made[:end])}
    before = [
        {at[number] for kind, number, _ in values if kind == "register" and number in at} for values in reads[:end]
    ]
    after: list[list[int]] = [[] for _ in range(end)]
    distance = [LATENCY] * end  # from the beginning of a step to the end of all that wait for it
    for step in reversed(range(end)):
        for source in before[step]:
            after[source].append(step)
            distance[source] = max(distance[source], LATENCY + distance[step])
    waiting = [len(sources) for sources in before]
    ready: list[tuple[int, int]] = []  # steps that may begin: the most distant one first
    later: list[tuple[int, int]] = []  # those whose operands are on the way: the time, the step
    for step in range(end):
        if not waiting[step]:
            heappush(ready, (-distance[step], step))
    order: list[int] = []
    while ready or later:
        while later and (later[0][0] <= len(order) or not ready):
            step = heappop(later)[1]
            heappush(ready, (-distance[step], step))
        step = heappop(ready)[1]
        for reader in after[step]:
            waiting[reader] -= 1
            if not waiting[reader]:
                heappush(later, (len(order) + LATENCY, reader))
        order.append(step)
    return [*order, *range(end, len(made))]

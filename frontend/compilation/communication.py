"""Reports of communication: the messages of programs to other processes, and their times."""

from __future__ import annotations

from ...compiler.analysis.communication import Communication, communication_of
from ...compiler.ir.graph import Graph
from ...runtime.distributed.calls import Traffic
from ...runtime.distributed.world import JOB


def runs_of(graph: Graph) -> str:
    """The messages of a program, and the times of its runs so far, as text; empty if it sends nothing."""
    found = communication_of(graph)
    if not found.messages:
        return ""
    traffic = traffic_of(found)
    took = f"; {traffic.runs} runs: {traffic}" if traffic.runs else ""
    return f"{found.total()}{took}"


def traffic_of(found: Communication) -> Traffic:
    """The traffic of a program's runs so far, in all its groups."""
    total = Traffic()
    for number, (group, *key) in enumerate(found.programs):
        known = JOB.groups[group].traffic.get(tuple(key)) if group in JOB.groups else None
        if known is not None:
            runs = 0 if number else known.runs
            total = Traffic(
                total.runs + runs, total.nbytes + known.nbytes, total.hidden + known.hidden, total.waited + known.waited
            )
    return total


def slowest(found: Communication, seconds: float) -> float:
    """The most seconds that any process measured: all of them have to run a program equally often."""
    for group in dict.fromkeys(message.group for message in found.messages):
        seconds = max(map(float, JOB.group(group).gather_objects(str(seconds))))
    return seconds

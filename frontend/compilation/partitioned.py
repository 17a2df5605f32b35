"""Programs of which each process computes a part, in the mode 'semi_auto_parallel'."""

from __future__ import annotations

from ...compiler.ir.graph import Graph
from ...compiler.ir.layouts import Layout
from ...compiler.ir.values import Value
from ...compiler.passes.lower import lower
from ...compiler.passes.partition import PartitionError, partition
from ...runtime import random
from ...runtime.distributed.group import WORLD
from ...runtime.distributed.world import JOB
from ..state import CONTEXT
from ..values.parameter import Parameter
from ..values.parts import cut_parameter, group_of_ranks
from .blame import raise_at
from .target import Target
from .trace_call import TracedCall

_agreed: list[bool] = []  # whether the processes have agreed on random numbers


def partitioned(target: Target, call: TracedCall, graph: Graph) -> Graph:
    """The program of this process. Parameters are cut as it needs them.

    Raises:
        ValueError: at the user's line, if the program cannot be computed from parts.
    """
    captured = call.trace.captured
    parameters = [tensor for tensor in captured if isinstance(tensor, Parameter)]
    if CONTEXT.partition is None and all(tensor._layout is None for tensor in parameters):
        return graph
    world = JOB.group(WORLD)
    if not _agreed:
        _agreed.append(True)
        seed, draws = world.gather_objects(" ".join(map(str, random.get_state())))[0].split()
        random.set_state(random.State(int(seed), int(draws)))
    graph = lower(graph)
    layouts: dict[Value, Layout] = dict(zip(graph.parameters, call.layouts, strict=False))
    free = []
    for value, tensor in zip(graph.parameters[len(call.values) :], captured, strict=True):
        known = tensor._layout if isinstance(tensor, Parameter) else None
        if known is not None:
            layouts[value] = known
        elif isinstance(tensor, Parameter) and tensor._divided is None:
            free.append(value)
    try:
        result, found = partition(graph, world.rank, layouts, free, group_of_ranks)
    except PartitionError as problem:
        place = problem.node.location
        error = ValueError(str(problem))
        if place is None:
            raise error from None
        raise_at(error, place.file, place.line, target.name)
    for parameter in parameters:
        if not parameter._agreed and parameter._layout is None:
            world.broadcast(parameter._data, 0, out=parameter._data)
            parameter._agreed = True
    for tensor, layout in zip(captured, found[len(call.values) :], strict=True):
        if isinstance(tensor, Parameter) and tensor._layout is None and any(layout):
            cut_parameter(tensor, layout)
    call.trace.seen[:] = [(tensor, tensor._data) for tensor, _ in call.trace.seen]
    return result

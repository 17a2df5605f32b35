"""From a trace to an entry: the graph, its results and its updates are compiled. In the mode 'semi_auto_parallel' each
process gets its part of the graph."""

from __future__ import annotations

import functools
import os
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from ...compiler.analysis.communication import communicates
from ...compiler.analysis.phases import marked
from ...compiler.codegen.emitter import nodes_of_lines, with_statements
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.layouts import Layout
from ...compiler.ir.values import Value
from ...compiler.memory.limits import as_bytes
from ...compiler.options import Options
from ...compiler.passes.lower import lower
from ...compiler.passes.partition import PartitionError, partition
from ...compiler.pipeline import Compiled, Place, compile_graph
from ...runtime import random
from ...runtime.program import Program
from ..errors.classes import GraphBreak
from ..state import CONTEXT
from ..values import tree
from ..values.nonfinite import checked
from ..values.parameter import Parameter
from ..values.parts import cut_parameter, group_of_ranks
from .blame import raise_at
from .compile_cache import compile_cache
from .entry import Entry, Results, Run, builder, emit_dispatch
from .make_entry import TracedCall
from .program_files import place_of, saved_graphs, write_program
from .stages import Stages, Text, program_saver, write_stages
from .stepping import skip_own_frames
from .target import Target

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
    from ...runtime.distributed.group import WORLD  # late, for few programs run in several processes
    from ...runtime.distributed.world import JOB

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


def compile_entry(target: Target, call: TracedCall) -> Entry:
    """Compile a finished trace."""
    trace = call.trace
    if trace.strict and any(isinstance(leaf, np.ndarray) for leaf in tree.leaves(call.result)):
        raise GraphBreak("Illegal type in the graph: the result holds a NumPy array", "Return a Tensor")
    results = Results(trace)
    expression = results.expression(call.result)
    entry = Entry(call.key, trace.guards, trace.captured, sharing=call.sharing)
    _note_attributes(entry, target, call, results)
    entry.updates, donated = changes(call, results)
    whole = replace(trace.root.finish(results.symbols), donated=donated)
    graph = partitioned(target, call, whole)
    derivative = trace.derivatives[0] if trace.derivatives else None
    place: Place = place_of
    stem = ""
    if CONTEXT.settings.get("save_graphs"):
        stem, place = program_saver(target.name, derivative is not None)
    options = _options(target.options)
    compiled = compile_graph(graph, name=target.name, options=options, cache=compile_cache(), place=place)
    watch = _watch(target, graph, frozenset(trace.backward) if trace.derivatives else None)
    entry.load(compiled.program, watch)
    entry.build = builder(expression, results)
    entry.nodes = compiled.nodes_before
    entry.cached = compiled.cached
    entry.communicates = communicates(graph)
    entry.nodes_of_lines = lambda: nodes_of_lines(compiled.plan, compiled.program.name)
    entry.kernels = lambda: compiled.plan.kernels
    entry.graph = graph
    entry.types = [(value.type.dtype.np, value.type.static_shape) for value in graph.parameters[len(call.values) :]]
    entry.fits()
    entry.emit = functools.partial(emit_dispatch, target.name, expression, results.constants)
    file = functools.partial(_file_of, weakref.ref(entry), compiled.program, watch)
    entry.stages = lambda: _stages(target, whole, graph, derivative, compiled, file)
    if stem:
        write_stages(entry.stages(), saved_graphs(), stem)
    compiled.complete.release()
    return entry


def _watch(target: Target, graph: Graph, backward: frozenset[Value] | None) -> Callable[[Run], Run] | None:
    """For `debug_nans`: a wrapper that checks the results of a program."""
    if not CONTEXT.debug_nans:
        return None
    written, fail = graph.donated.values(), functools.partial(_fail, target.name)
    return lambda run: checked(run, graph, written, backward, target.name, fail)


def _file_of(reference: weakref.ReferenceType[Entry], program: Program, watch: Callable[[Run], Run] | None) -> str:
    """The file of an entry's program. If there is none yet, it is written, and the program is loaded as from it."""
    skip_own_frames()
    entry = reference()
    if entry is not None and os.path.isabs(entry.file):
        return entry.file
    file = write_program(program.name, program.source)
    if entry is not None:
        entry.load(program.in_file(file), watch)
    return file


def _note_attributes(entry: Entry, target: Target, call: TracedCall, results: Results) -> None:
    """Store the attributes that each run writes. The object that owns the entry is held weakly."""
    writes = call.trace.attribute_writes()
    if not writes:
        return
    results.keep_objects(call.values)
    stored = "".join(f"{results.expression(value)}, " for _, _, value in writes)
    own = None if target.owner is None else target.owner()
    entry.attributes = [(target.owner if owner is own else owner, name) for owner, name, _ in writes]
    entry.build_attributes = builder(f"({stored})", results)


def changes(call: TracedCall, results: Results) -> tuple[list[tuple[Any, int]], dict[int, int]]:
    """The tensors that a traced function updates, and the outputs with their new numbers.

    Returns:
        For tensors that are no Parameters, pairs of an argument's position (or the tensor) and the output. For
        Parameters, the graph parameter of each output.
    """
    trace, values = call.trace, call.values
    updates: list[tuple[Any, int]] = []
    for position, (value, symbol) in enumerate(zip(values, call.before, strict=True)):
        if trace.origin(value._symbol) is not symbol:
            updates.append((position, results.add(value._symbol)))
    donated: dict[int, int] = {}
    states = [state for state in trace.states.values() if state.commits]
    changed = [state for state in states if trace.origin(state.symbol) is not state.initial]
    positions = {id(tensor): len(values) + position for position, tensor in enumerate(trace.captured) if changed}
    for state in changed:
        output = results.add(state.symbol)
        if isinstance(state.tensor, Parameter):
            donated[output] = positions[id(state.tensor)]
        else:
            updates.append((state.tensor, output))
    return updates, donated


def _stages(
    target: Target, graph: Graph, own: Graph, derivative: Any, compiled: Compiled, file: Callable[[], str]
) -> Stages:
    """The stages of the function. `own` is the graph that this process computes."""
    passes = {**({} if own is graph else {"partition": own}), **compiled.stages}
    forward = derivative.forward if derivative is not None else graph
    backward = derivative.backward if derivative is not None else None
    return Stages(
        target.name,
        Text(target.converted()),
        forward,
        backward,
        marked(graph, forward, backward),
        list(passes.values())[-1] if passes else graph,
        with_statements(compiled.plan, compiled.program.name),
        Text(compiled.source),
        passes,
        dict(compiled.seconds),
        file,
    )


def _fail(name: str, error: Exception, node: Node | None) -> NoReturn:
    """Raise an error as if from the line of a node."""
    if node is None or node.location is None:
        raise error
    raise_at(error, node.location.file, node.location.line, name)


def _options(own: Options | None) -> Options:
    """The options of compilation: the given ones, within the limits of `set_context`."""
    options = own or Options()
    allowed = CONTEXT.settings.get("max_device_memory")
    if options.memory_limit is None and allowed is not None:
        return replace(options, memory_limit=as_bytes(allowed))
    return options

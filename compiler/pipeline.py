"""From a joint graph to a running program, on one screen.

    after       holds
    ---------   ----------------------------------------------------------------------------------------------------
    (input)     typed nodes of any op; forward and backward in one graph
    lower       no op that is defined by simpler ones (`Op.lower`)
    simplify    no rule of an op or of `passes/algebra.py` applies
    masks       no select of 32- or 64-bit numbers; bits of floats are read as integers (`bitcast`)
    cse         no two nodes compute the same; effects and random draws are as they were
    batch       products of neighbouring rows with one matrix, and sums of products, are one product each
    dce         nothing that nothing reads, but effects
    hoist       loop bodies hold nothing invariant that is safe to compute before them
    products    products by transposed matrices are in the form that the BLAS likes
    fuse        large elementwise groups, and reductions between them, are `fused` nodes
    sums        short sums of floats are products with ones
    plan        every value has a home; homes that live at once do not overlap
    program     the source is loaded; running it gives the graph's outputs
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..runtime.program import Program
from .emit import emit
from .ir import Graph, verify
from .memory import check_plan, make_plan
from .passes.batch import batch_products
from .passes.cse import eliminate_common_subexpressions
from .passes.dce import eliminate_dead_code
from .passes.fuse import fuse
from .passes.hoist import hoist_invariants
from .passes.lower import lower
from .passes.masks import select_by_bits
from .passes.products import arrange_products
from .passes.simplify import simplify
from .passes.sums import sum_by_products
from .plan import Plan

Pass = Callable[[Graph], Graph]

PASSES: tuple[tuple[str, Pass], ...] = (
    ("lower", lower),
    ("simplify", simplify),
    ("masks", select_by_bits),
    ("cse", eliminate_common_subexpressions),
    ("batch", batch_products),
    ("dce", eliminate_dead_code),
    ("hoist", hoist_invariants),
    ("products", arrange_products),
    ("fuse", fuse),
    ("sums", sum_by_products),
)
"""Name and function of every pass, in order."""


@dataclass(frozen=True)
class Options:
    """How to compile: the names of passes to leave out, and whether to verify the graph around every pass."""

    disabled: frozenset[str] = frozenset()
    debug: bool = False


@dataclass(frozen=True)
class Compiled:
    """A compiled graph.

    Attributes:
        run: `run(*arrays)` gives the outputs as a tuple of fresh arrays, in order; a committed output is the input's
            own array.
        stages: the graph after each pass, by the pass's name.
        plan: the memory plan.
        source: the text of the program.
        seconds: how long each stage took.
    """

    run: Callable[..., tuple[np.ndarray, ...]]
    program: Program
    stages: Mapping[str, Graph]
    plan: Plan
    source: str
    nodes_before: int
    nodes_after: int
    seconds: Mapping[str, float] = field(default_factory=dict)


def optimize(
    graph: Graph,
    options: Options | None = None,
    commits: Mapping[int, int] | None = None,
    seconds: dict[str, float] | None = None,
) -> list[tuple[str, Graph]]:
    """The graph after each pass."""
    options = options or Options()
    stages: list[tuple[str, Graph]] = []
    if options.debug:
        verify(graph)
    for name, function in PASSES:
        if name in options.disabled:
            continue
        start = time.perf_counter()
        graph = fuse(graph, commits) if function is fuse else function(graph)
        if seconds is not None:
            seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start
        if options.debug:
            verify(graph)
        stages.append((name, graph))
    return stages


def compile_graph(
    graph: Graph, *, name: str, commits: Mapping[int, int] | None = None, options: Options | None = None
) -> Compiled:
    """Optimise a graph, plan its memory, emit and load its program.

    `commits` maps outputs to inputs: once everything is computed and every effect has happened, the output is written
    into the array that was given for the input. An error before that leaves these arrays as they were. They may not
    overlap one another.
    """
    options = options or Options()
    commits = dict(commits or {})
    for output, parameter in commits.items():
        if graph.outputs[output].type != graph.parameters[parameter].type:
            raise ValueError(
                f"output {output} of type {graph.outputs[output].type} cannot be written to parameter {parameter} "
                f"of type {graph.parameters[parameter].type}"
            )
    seconds: dict[str, float] = {}
    stages = dict(optimize(graph, options, commits, seconds))
    final = list(stages.values())[-1] if stages else graph

    def timed(stage: str, function: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        result = function()
        seconds[stage] = time.perf_counter() - start
        return result

    plan: Plan = timed("plan", lambda: make_plan(final, commits))
    if options.debug:
        check_plan(plan)
    emitted = timed("emit", lambda: emit(plan, name))
    program: Program = timed(
        "load", lambda: Program(name, emitted.source, plan.nbytes, emitted.constants, emitted.kernels)
    )
    return Compiled(
        program.run,
        program,
        stages,
        plan,
        emitted.source,
        graph.count_nodes(),
        final.count_nodes(),
        seconds,
    )

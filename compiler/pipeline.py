"""From a joint graph to a running program, on one screen: `INVARIANTS` says what holds after each step."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from ..runtime.calibration import Thresholds
from ..runtime.machine.product import has_pairs, vector_bytes
from ..runtime.native.builder import Unsupported
from ..runtime.program import Program
from ..runtime.records import dataclass
from .cache.disk import DiskCache, Record
from .cache.machine import OwnThresholds
from .cache.structural_hash import NotCacheable, structural_hash
from .codegen.comments import Places, with_places
from .codegen.emitter import emit
from .ir.graph import Graph, Node, walk
from .ir.naming import ValueNames
from .ir.verifier import check_donated, verify
from .kernels.eligible import is_available
from .memory.budget import plan_within
from .memory.plan import Plan
from .memory.planner import check_plan, make_plan
from .options import Options as Options
from .passes.arguments import separate_arguments
from .passes.batch import batch_products
from .passes.batch_tiles import tile_batches
from .passes.boxes import write_in_boxes
from .passes.branches import choose
from .passes.buckets import pack_reductions
from .passes.checks import sink_checks
from .passes.collectives import match_collectives
from .passes.coordinates import compute_by_coordinates
from .passes.cse import eliminate_common_subexpressions
from .passes.dce import eliminate_dead_code
from .passes.demanded import compute_demanded
from .passes.fuse import fuse
from .passes.inner_axes import interchange_axes
from .passes.interleaving import interleave, write_interleaved
from .passes.joined_rows import join_short_rows
from .passes.lower import divide_by_fixed, lower, lower_for_kernels
from .passes.make_kernels import make_kernels
from .passes.masks import select_by_bits
from .passes.materialize import materialize_views
from .passes.moving_blocks import scan_blocks
from .passes.outer_products import sum_outer_products
from .passes.overlap import overlap_collectives
from .passes.pairs import multiply_pairs
from .passes.parts import split_complex, view_parts
from .passes.places import use_places
from .passes.products import arrange_products, share_products
from .passes.read_through import read_through
from .passes.recompute import recompute_values
from .passes.row_products import multiply_rows
from .passes.rows import join_rows
from .passes.scores import recompute_scores
from .passes.simplify import simplify
from .passes.sums import sum_by_products
from .passes.tiny_loops import expand_loops
from .passes.transposes import move_transposes
from .passes.triangles import leave_triangles
from .passes.updates import pack_updates
from .passes.windows import place_windows, spread_windows
from .transforms.loop_invariants import move_invariants

Pass = Callable[[Graph], Graph]
Completed = tuple[Mapping[str, Graph], Plan]
Place = Callable[[str, str], str]
"""Gives the file that a program is loaded as from, by its name and text; "" where no file is wanted."""

PASSES: tuple[tuple[str, Pass], ...] = (
    ("dce", eliminate_dead_code),
    ("lower", lower),
    ("parts", split_complex),
    ("checks", sink_checks),
    ("branches", choose),
    ("loop_invariants", move_invariants),
    ("cse", eliminate_common_subexpressions),
    ("moving_blocks", scan_blocks),
    ("demanded", compute_demanded),
    ("rows", join_rows),
    ("simplify", simplify),
    ("batch", batch_products),
    ("row_products", multiply_rows),
    ("dce_again", eliminate_dead_code),
    ("coordinates", compute_by_coordinates),
    ("transposes", move_transposes),
    ("fixed_operands", divide_by_fixed),
    ("loop_invariants_again", move_invariants),
    ("outer_products", sum_outer_products),
    ("products", arrange_products),
    ("pairs", multiply_pairs),
    ("lower_for_kernels", lower_for_kernels),
    ("part_views", view_parts),
    ("inner_axes", interchange_axes),
    ("scores", recompute_scores),
    ("recompute", recompute_values),
    ("triangles", leave_triangles),
    ("batch_tiles", tile_batches),
    ("buckets", pack_reductions),
    ("arguments", separate_arguments),
    ("horizontal_fusion", pack_updates),
    ("interleave", interleave),
    ("read_through", read_through),
    ("windows", spread_windows),
    ("places", use_places),
    ("materialize", materialize_views),
    ("kernels", make_kernels),
    ("tiny_loops", expand_loops),
    ("placed", place_windows),
    ("masks", select_by_bits),
    ("cse_again", eliminate_common_subexpressions),
    ("fuse", fuse),
    ("boxes", write_in_boxes),
    ("interleaved", write_interleaved),
    ("joined_rows", join_short_rows),
    ("sums", sum_by_products),
    ("threads", share_products),
    ("overlap", overlap_collectives),
    ("collectives", match_collectives),
)
"""Name and function of every pass, in order."""

NEEDED = {"tiny_loops": "kernels", "materialize": "kernels"}
"""The pass without which another one does nothing."""

SWITCHES = frozenset({*[name for name, _ in PASSES], "in_place", "native_products", "whole_loops", "calibration"})
"""The names that `Options.disabled` may hold."""

INVARIANTS = """
after                   holds
---------------------   ----------------------------------------------------------------------------------------
(input)                 typed nodes of any op; forward and backward in one graph
dce                     nothing that nothing reads, but effects
lower                   no op that is defined by simpler ones (`Op.definition`)
parts                   no complex numbers but where more is put together than computed with them
checks                  loops check behind their iterations what these assert, where nothing else may raise
branches                both sides of small branches are computed, and one is chosen
loop_invariants         loop bodies hold nothing invariant that is safe to compute before them, or computed in any case
cse                     no two nodes compute the same; effects and random draws are as they were
moving_blocks           no loop copies a block of what does not change whose place follows from its counter
demanded                no value of 1,024 elements or more is computed whole of which one slice reads less than half
rows                    no join of neighbouring rows of one tensor
simplify                no rule of an op, or of a file that `passes/simplify.py` names, applies
batch                   products of neighbouring rows with one matrix, and sums of products, are one product each
row_products            no loop multiplies rows of few elements by a matrix that stays
dce_again               as dce
coordinates             no short axis of elementwise values that are only read element by element along it
transposes              elementwise nodes and reductions between transposes are computed without these
fixed_operands          no larger matrix is solved for four times or more (`Op.with_fixed`)
loop_invariants_again   as loop_invariants
outer_products          no loop carries a sum that can be taken behind it, of products as one GEMM
products                products by transposed matrices are in the form that the BLAS likes; short rows that kernels
                        compute are summed there, not multiplied by a column
pairs                   products of bfloat16 that were cast to float32 are products of pairs (`paired_matmul`)
lower_for_kernels       no op that kernels compute faster by simpler ones (`Op.native_definition`): depthwise `conv`;
                        running reductions along other axes than the last are loops over rows; integers and bools
                        that are summed in 64 bits are summed in 32, by halves; loops choose few elements by masks
part_views              parts of complex numbers that only kernels read are views (`part`)
inner_axes              short axes that are reduced before the last one, with values computed from the results, are last
scores                  no large product of few terms is stored for what reads results of it: it is computed again
recompute               no large value is kept for the backward pass that follows from others which are kept
triangles               products leave out what a mask leaves out: the later positions of causal attention
batch_tiles             batches of products with large values between them are loops over some matrices at a time
buckets                 small sums over processes share messages, which begin at once (`all_reduce_start`)
arguments               large arguments that updates of parameters read share no memory with these (`apart`)
horizontal_fusion       the same update of small parameters is one update of a vector (`pack`, `unpack`)
interleave              parts that stand at every second element, say, are put together by one node (`interleaved`)
read_through            kernels compute a cheap difference, say, where they read neighbours of it through slices, or
                        it between zeros
windows                 paddings, shifts and rolls stand next to the elementwise nodes that read them; loops carry no
                        states that they pad in each iteration
places                  reads and sums at positions are `gathered` and `scattered`, in the form that kernels have
materialize             views whose neighbours lie apart are copied by kernels where they are results or reshaped
kernels                 elementwise groups of numbers, and reductions between them, are `kernel` nodes: machine code
tiny_loops              counted loops over a few numbers are kernels of single elements, where these are quicker
placed                  outside of kernels, a part that is padded and added is added in place
masks                   no select of 32- or 64-bit numbers outside kernels; bits of floats are integers (`bitcast`)
cse_again               as cse
fuse                    large elementwise groups, and reductions between them, are `fused` nodes: tile by tile
boxes                   kernels write what is assigned to a box of a tensor into the tensor: only edges are copied
interleaved             kernels write interleaved parts where they belong
joined_rows             kernels that add vectors to many rows which fill no vectors have few long rows
sums                    short sums of floats are products with ones
threads                 large products are shared by threads (`shared_matmul`), where there are several
overlap                 reductions over processes begin as early, and are waited for as late, as can be
collectives             processes compare what they are going to call before they do (`match_collectives`)
memory                  (under a limit) the same nodes in another order, some of them twice
plan                    every value has an allocation; those that live at once do not overlap
program                 the source is loaded; running it gives the graph's outputs
"""
# It is no docstring: Python may run without these, and the page of stages shows it.

SMALLEST_CACHED = 16  # nodes; a smaller graph is compiled sooner than its program is looked up and read


class Completion:
    """The graph after each pass, and the plan. They are computed again after they were released."""

    __slots__ = ("_known", "_make")

    def __init__(self, make: Callable[[], Completed], known: Completed | None = None) -> None:
        self._make = make
        self._known = known

    def __call__(self) -> Completed:
        """The stages and the plan."""
        if self._known is None:
            self._known = self._make()
        return self._known

    def release(self) -> None:
        """Release them. They take many times the memory of the graph."""
        self._known = None


@dataclass(frozen=True)
class Compiled:
    """A compiled graph.

    Attributes:
        run: `run(*arrays)` gives the outputs as a tuple of fresh arrays, in order; a donated output is the input's
            own array.
        source: the text of the program.
        seconds: how long each stage took.
        kept: the program as the cache keeps it, with numbers in place of lines; empty if it came from there.

    Stages and plan of a program that was loaded from a cache are made when they are first asked for, and those that
    were released when they are asked for again.
    """

    run: Callable[..., tuple[np.ndarray, ...]]
    program: Program
    source: str
    nodes_before: int
    nodes_after: int
    complete: Completion = field(repr=False)
    seconds: Mapping[str, float] = field(default_factory=dict)
    kept: str = field(default="", repr=False)

    @property
    def cached(self) -> bool:
        """Whether the program was loaded from a cache."""
        return "cache" in self.seconds

    @property
    def stages(self) -> Mapping[str, Graph]:
        """The graph after each pass, by the pass's name."""
        return self.complete()[0]

    @property
    def plan(self) -> Plan:
        """The memory plan."""
        return self.complete()[1]


def optimize(
    graph: Graph,
    options: Options | None = None,
    seconds: dict[str, float] | None = None,
) -> list[tuple[str, Graph]]:
    """The graph after each pass."""
    options = options or Options()
    stages: list[tuple[str, Graph]] = []
    checked: set[Node] = set()  # by the verifier: most passes leave most nodes as they are
    if options.debug:
        verify(graph, checked)
    names = ValueNames.of(graph)
    names.fill(graph)
    for name, function in PASSES:
        if name in options.disabled or NEEDED.get(name) in options.disabled:
            continue
        start = time.perf_counter()
        before, graph = graph, function(graph)
        if graph is not before:
            names.fill(graph)
        if seconds is not None:
            seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - start
        if options.debug:
            verify(graph, checked)
        stages.append((name, graph))
    return stages


def compile_graph(
    graph: Graph,
    *,
    name: str,
    options: Options | None = None,
    cache: DiskCache | None = None,
    place: Place | None = None,
) -> Compiled:
    """Optimise a graph, plan its memory, emit and load its program; or load the program from a cache.

    Donated outputs (`Graph.donated`) are written into their parameters' arrays after everything is computed and every
    effect has happened. An error before that leaves these arrays unchanged. The arrays may not overlap.
    """
    options = options or Options()
    check_donated(graph)
    measured: OwnThresholds | None = None
    if cache is not None and cache.calibrated and "calibration" not in options.disabled:
        measured = OwnThresholds(cache.folder)
    if cache is None or options.debug or graph.count_nodes() < SMALLEST_CACHED:
        return _compile(graph, name, options, measured, place)
    began = time.perf_counter()
    try:
        settings = sorted(options.disabled), options.memory_limit, measured is not None, *_lines(graph)
        key = structural_hash(graph, name, (*settings, is_available(), vector_bytes(), has_pairs()))
    except NotCacheable:
        return _compile(graph, name, options, measured, place)
    found = _load(cache, key, graph, measured, lambda: _compile(graph, name, options, measured), began, place)
    if found is not None:
        return found
    compiled = _compile(graph, name, options, measured, place)
    program = compiled.program
    cache.store(
        key,
        Record(
            name,
            compiled.kept,
            program.arena_bytes,
            program.constants,
            program.kernels,
            compiled.nodes_after,
            None if measured is None else measured.known,
        ),
    )
    return compiled


def _lines(graph: Graph) -> list[str]:
    """The source lines that a program contains: those of its collectives, for errors."""
    return [str(node.location) for node in walk(graph) if node.op.kind == "collective"]


def _load(
    cache: DiskCache,
    key: str,
    graph: Graph,
    measured: OwnThresholds | None,
    compile: Callable[[], Compiled],
    began: float,
    place: Place | None,
) -> Compiled | None:
    """The program for a key from a cache, if the cache has it and it can be loaded."""
    record = cache.load(key)
    if record is None:
        return None
    if measured is not None:
        measured.known = record.thresholds
    try:
        source = with_places(record.source, Places(graph))
        file = place(record.name, source) if place is not None else ""
        program = Program(record.name, source, record.nbytes, record.constants, record.kernels, file)
    except (SyntaxError, LookupError, NameError, TypeError, AttributeError, ValueError, Unsupported):
        return None  # this mycel would write another program: compile, and replace it

    seconds = {"cache": time.perf_counter() - began}

    def complete() -> Completed:
        made = compile()
        seconds.update(made.seconds)
        return made.complete()

    completion = Completion(complete)
    return Compiled(program.run, program, source, graph.count_nodes(), record.nodes, completion, seconds)


def _compile(
    graph: Graph,
    name: str,
    options: Options,
    measured: Callable[[], Thresholds] | None,
    place: Place | None = None,
) -> Compiled:
    seconds: dict[str, float] = {}
    stages = dict(optimize(graph, options, seconds))
    final = list(stages.values())[-1] if stages else graph

    def timed(stage: str, function: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        result = function()
        seconds[stage] = time.perf_counter() - start
        return result

    limit = options.memory_limit
    if limit is None:
        plan: Plan = timed("plan", lambda: make_plan(final, options.disabled, measured=measured))
    else:
        plan = timed("plan", lambda: plan_within(final, limit, options.disabled, measured))
        final = stages["memory"] = plan.graph
    if options.debug:
        verify(plan.graph)
        check_plan(plan)
    places = Places(graph)
    emitted = timed("emit", lambda: emit(plan, name, places))
    source = with_places(emitted.source, places)
    file = place(name, source) if place is not None else ""
    parts = name, source, plan.nbytes, emitted.constants, emitted.kernels, file
    program: Program = timed("load", lambda: Program(*parts))
    return Compiled(
        program.run,
        program,
        source,
        graph.count_nodes(),
        final.count_nodes(),
        Completion(lambda: _compile(graph, name, options, measured).complete(), (stages, plan)),
        seconds,
        emitted.source,
    )

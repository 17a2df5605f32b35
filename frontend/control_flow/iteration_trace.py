"""The trace of one iteration of a loop that becomes one `scan`, and the node that it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.analysis.affine import Affine, affine_numbers
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.interpret import repeated
from ...compiler.ir.op import Op
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Operand, Value, literal
from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..tracing.trace import TraceScope
from ..values.dispatch import is_weak
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .aliases import UNKNOWN
from .branches import Branches
from .counted_floats import moved_before
from .growing import Growing, Grown, Journal, holders, is_alone, is_longer, put_growing, references
from .join import number_kind
from .loop_rows import integers_at, number_rows, rows_at, scan_rows
from .loop_trace import LoopTrace
from .loop_writes import stack_rows
from .lvalues import Carried, Lvalue
from .outcomes import GOING_ON, split
from .rings import Ring, may_turn, turn_of
from .shared import SharedRegion
from .state import UNDEFINED, SourceLoop, fall_through, write_variable

ItemAt = Callable[[Any], Any]  # from the number of an iteration to the body's argument

MIN_ITERATIONS = 16  # shorter loops run faster when traced one iteration at a time
MIN_OF_LARGE = 40  # loops that read neighbours in large states: there kernels span two iterations
LARGE_STATE = 1 << 13  # elements
MIN_OF_COSTLY = 4  # loops of very many nodes in all, which would take longer to compile
MAX_COUNTED = 100_000  # iterations whose known part runs before the loop
_INDEX = TensorType(dtypes.int64, ())
_LIMIT = 2**31  # on the numbers of the iterations


def is_long(iterations: range) -> bool:
    """Whether a range has enough iterations to be one node if the state is small, and few enough to be counted."""
    return len(iterations) >= MIN_ITERATIONS and max(abs(iterations.start), abs(iterations.stop)) <= _LIMIT


class IterationTrace(LoopTrace):
    """One trace of the body of a loop with a known number of iterations."""

    may_not_run = False

    def __init__(
        self,
        branches: Branches,
        loop: SourceLoop,
        carried: Carried,
        iterations: range | None,
        last: bool,
        item_at: ItemAt | None,
        finals: set[Any],
    ) -> None:
        super().__init__(branches, loop, carried, None)
        self.iterations: Any = iterations  # None for a while
        self.reverse = iterations is not None and iterations.step < 0  # whether the node counts down
        self.last = last  # whether this is not tried again after the first iteration
        self.item_at: Any = item_at
        self.finals = finals  # variables that hold the item of the iteration at its end
        self.known: dict[int, Any] = {}  # slot -> its numbers before the loop, where tracing knows them
        self.static: dict[int, Any] = {}  # slot -> its numbers after the loop, likewise
        self.index = self.side.recorder.parameter(_INDEX, "i", own=True)
        self.number: Any = None  # of the iteration: a run-time int
        self.item: Any = None  # the body's argument
        self.computed: Any = {}  # computed from the number of the iteration: for each one
        self.count = 0
        self.go: Any = None
        self.growing: list[Growing] = []
        self.stacks: Grown
        self.fresh: set[int] = set()  # identities of tensors that it appends and that nothing else can be
        self.longer: list[Any] = []  # lists that the body has appended to, and that may grow
        self.turning: list[Any] = []  # lists that the body reads in turn, which may be rings
        self.behind: set[int] = set()  # identities of lists of which it reads items that only growing ones would have
        self.steps: list[int] = []  # how far these turn

    # The body

    def run(self) -> bool:
        """As for other loops. Lists that have got items will grow in the next trace, if no other name leads to them."""
        grows = super().run()
        if self.growing and self.carried.aliases.tracked and not self.aliases.are_chosen:
            raise GraphBreak("a loop appends tensors of which some are one")
        if any(self.stacks.holds(self.aliases.starts[leaf]) for leaf in self.aliases.moved if self.growing):
            raise GraphBreak("a loop appends tensors of earlier iterations")
        for lists in (self.longer, self.turning):
            for position in range(len(lists)):
                names = len(holders(self.loop.variables, lists[position]))
                for lvalue in self.carried.lvalues.values():
                    names += lvalue.value is lists[position]
                if references(lists, position) != names:
                    raise GraphBreak("a list changes in the body of a loop that has other names")
        self.carried.growing += self.longer
        for list_, step in zip(self.turning, self.steps, strict=True):
            Ring(list_, step).carry(self.carried)
        if not self.behind.issubset(map(id, self.longer)):
            raise GraphBreak("a list is indexed by the number of the iteration")
        latest = [(growing, more) for growing in self.growing if (more := growing.more()) is not None]
        for growing, more in latest:
            self.carried.carry_latest(id(growing.list_), more)
        return bool(self.longer or self.turning or latest) or grows

    def turn(self, index: Any, size: int) -> tuple[int, int] | None:
        """The turn in which the iterations take places of a list of this size, by an index of the body."""
        operand = self.trace.read(index).operand if isinstance(index, TracedTensor) else None
        nodes, count = self.side.recorder.nodes, len(self.iterations)
        places = None if operand is None else integers_at(operand, nodes, self.index.operand, count)
        return turn_of(places[::-1] if self.reverse and places is not None else places, size)

    def item_in_turn(self, list_: Any, index: Any) -> int | None:
        """The place that the first iteration takes in a list, if the iterations take places in turn: the next trace
        carries its items. None if they do not."""
        turn = self.turn(index, len(list_)) if may_turn(list_) else None
        if turn is None or ("container", id(list_)) in self.carried.lvalues:
            return None
        for known, step in zip(self.turning, self.steps, strict=True):
            if known is list_:
                return turn[0] if step == turn[1] else None
        self.turning.append(list_)
        self.steps.append(turn[1])
        return turn[0]

    @property
    def affine(self) -> Callable[[Any], Affine | None]:
        """Makes a bound or index the loop's counter, times a number, plus a number. Lists that grow hold it, so it does
        not hold this trace."""
        index, recorder, trace = self.index.operand, self.side.recorder, self.trace

        def affine(bound: Any) -> Affine | None:
            if not isinstance(bound, Tensor):
                return None if bound is None else (0, int(bound))
            numbers = affine_numbers(index, recorder.nodes)
            return numbers.get(trace.read(bound).operand) if is_weak(bound) else None

        return affine

    def item_behind(self, list_: Any, index: Any) -> Any:
        """The item of a list that the first iteration finds at an index, if the list would have to grow for others;
        None otherwise."""
        factor, offset = self.affine(index) or (0, 0)
        length = len(list_)
        if self.reverse or factor < 1 or not 0 <= offset < length <= offset + factor * (len(self.iterations) - 1):
            return None
        self.behind.add(id(list_))
        return list_[offset]

    def substitute(self, key: Any, value: Any, path: tuple[int, ...] = ()) -> Any:
        """As for other loops. Also stores the values that the trace knows."""
        if (key, path) in self.carried.leaves:
            if number_kind(value) is not None:
                raise GraphBreak("the loop changes a Python number, which stays one when its iterations run one by one")
            if not isinstance(value, TracedTensor) and self.trace.is_known(value):
                self.known[len(self.initial)] = value._data
        return super().substitute(key, value, path)

    def _start(self) -> dict[Any, Any]:
        """Replace carried values by symbols. Returns the values with which the body starts."""
        carried = self.carried
        if self.iterations is not None:
            number: Any = wrap(self.index, int)
            numbers = self.iterations[::-1] if self.reverse else self.iterations
            if numbers.step != 1:
                number = number * numbers.step
            self.number = number if numbers.start == 0 else number + numbers.start
        inside: dict[Any, Any] = {}
        for key, lvalue in carried.lvalues.items():
            if key in self.finals:
                lvalue.put(UNDEFINED)  # to notice it when the body reads the item of the iteration before
                inside[key] = UNDEFINED
                continue
            inside[key] = value = self.substitute(key, lvalue.value)
            if value is not lvalue.value:
                lvalue.put(value)
        upwards = self.iterations is not None and not self.reverse
        self.growing = [
            Growing(list_, self.flow.journals, self.affine if upwards else None, carried.latest.get(id(list_)))
            for list_ in carried.growing
        ]
        for ring in carried.rings:
            ring.begin(self.flow.journals, self.turn)
        for stand_in in (*self.growing, *carried.rings):
            put_growing(self.loop.variables, stand_in)
            for key, lvalue in carried.lvalues.items():
                if lvalue.value is stand_in.list_:
                    inside[key] = stand_in
        self._start_targets()
        if self.iterations is not None:
            self.item = self.item_at(self.number)  # which may be of a tensor that the iterations update
        return inside

    def _body(self) -> Any:
        """Run the body, and the test after it."""
        loop = self.loop
        outcome = loop.run_body() if self.iterations is None else loop.run_body(self.item)
        if not split(outcome)[0] <= GOING_ON:
            raise GraphBreak("the loop may be left early")
        if self.iterations is None:
            assert loop.test is not None
            test = self.flow.lift(loop.test())
            if not isinstance(test, Tensor):
                raise GraphBreak("the condition of the loop is a tensor only at first")
            self.go = self.trace.read(self.flow.condition(test))
        return fall_through

    def _compare(self, key: Any, lvalue: Lvalue, start: Any, end: Any, path: tuple[int, ...]) -> None:
        """What the body changed in a value."""
        if key in self.finals:
            if end is not self.item:
                raise GraphBreak("the variable of the loop is another at its end")
        elif end is self.item and self.item is not None and not path and isinstance(key, str):
            self.finals.add(key)
            self.grown = True
        elif start is UNDEFINED and end is not UNDEFINED:
            raise GraphBreak("a variable is first bound in the loop")
        elif number_kind(start) is not None and (type(end) is not type(start) or repr(end) != repr(start)):
            raise GraphBreak("the loop changes a Python number, which stays one when its iterations run one by one")
        else:
            super()._compare(key, lvalue, start, end, path)

    def _note_targets(self, scope: TraceScope) -> None:
        """As for other loops. Also collects what the iteration appends to lists."""

        def from_outside(tensor: Any) -> bool:
            known = scope.written.get(id(tensor))
            return known is not None and known[1].recorder is not self.side.recorder

        self.stacks = Grown(self.growing, self.side.recorder, from_outside, self.reverse)
        super()._note_targets(scope)

    def _note_aliases(self) -> None:
        super()._note_aliases()
        carried = [self.item, *self.aliases.starts.values(), *self.aliases.ends.values()]
        others = {*self.flow.aliases.of, *map(id, carried)}
        self.fresh = {id(item) for item in self.stacks.tensors if id(item) not in others and item._base is None}

    def _note_shared(self, region: SharedRegion) -> None:
        for growing in (*self.growing, *self.carried.rings):
            for cell, name in holders(self.loop.variables, growing):
                write_variable(cell, name, growing.list_)
        super()._note_shared(region)
        self.longer = [key for key, item in self.flow.journals[-1].items() if is_longer(*item)]

    def _note_containers(self, journal: Journal) -> None:
        longer = [key for key in self.longer if not is_alone(journal, key)]
        self.longer = [journal[key][0] for key in longer]
        known = {*longer, *map(id, self.turning)}
        super()._note_containers({key: item for key, item in journal.items() if key not in known})

    def discard(self) -> None:
        """As for other loops. The stand-ins let go of their lists, whose references the next attempt counts."""
        super().discard()
        for growing in self.growing:
            growing.list_ = []

    # Results of the trace

    def check(self) -> None:
        """Give up if the node would not do the same as the single iterations. Counts the iterations of a while."""
        recorder = self.side.recorder
        if self.carried.unbound or not (self.initial or self.stacks.symbols):
            raise GraphBreak("the loop hands on no tensor")
        if all(value.type.is_static for value in recorder.parameters) and not all(
            value.type.is_static for node in recorder.nodes for value in node.outputs
        ):
            raise GraphBreak("shapes depend on the iteration")
        with recorder:
            self.operands = [recorder.lift(item) if isinstance(item, Symbol) else item for item in self.outputs]
            self.operands += [recorder.lift(symbol) for symbol in self.stacks.symbols]
            go = recorder.lift(self.go) if self.go is not None else None
        if self.iterations is not None:
            recorder.nodes[:] = moved_before(recorder.nodes, self.index.operand)
        taken, static = self._depends()
        if not taken.issuperset(self.operands[len(self.initial) :]):
            raise GraphBreak("the loop appends numbers that are known when its iterations are traced one by one")
        if self.iterations is not None:
            if len(static) == len(self.operands):
                raise GraphBreak("the loop computes numbers that are known when its iterations are traced one by one")
            self.count = len(self.iterations)
            self.computed, recorder.nodes[:] = number_rows(recorder.nodes, self.index.operand, self.count)
        elif go in taken or not static:
            raise GraphBreak("only the run knows the condition of the loop")
        if static:
            self._follow(go, taken, static)
        sizes = [symbol.type.size if symbol.type.is_static else LARGE_STATE for symbol in self.parameters]
        shortest = MIN_ITERATIONS if self.iterations is None else MIN_OF_COSTLY  # as has been decided before
        large = max(sizes, default=0) >= LARGE_STATE and _reads_neighbours(recorder.nodes, self.operands)
        if self.count < (MIN_OF_LARGE if large else shortest):
            raise GraphBreak("the loop is short")

    def _depends(self) -> tuple[set[Operand], list[int]]:
        """The values that depend on run-time values; and the slots that do not, in any iteration."""
        recorder = self.side.recorder
        slots = [symbol.operand for symbol in self.parameters]
        static = [slot for slot in range(len(slots)) if slot in self.known]
        while True:
            free = {self.index.operand, *(slots[slot] for slot in static)}
            taken: set[Operand] = {value for value in recorder.parameters if value not in free}
            for node in recorder.nodes:
                own = node.op.holds_graphs or node.has_effect
                if own or taken.intersection(node.inputs):
                    taken.update(node.outputs)
            left = [slot for slot in static if self.operands[slot] not in taken]
            if left == static:
                return taken, static
            static = left

    def _follow(self, go: Any, taken: set[Operand], static: list[int]) -> None:
        """Run the known part of the iterations, for what is known behind them. Those of a while are counted."""
        parameters: Any = self.index.operand, *[self.parameters[slot].operand for slot in static]
        nodes = [node for node in self.side.recorder.nodes if not taken.intersection((*node.inputs, *node.outputs))]
        outputs: Any = (*([] if go is None else [go]), *(self.operands[slot] for slot in static))
        graph = Graph("known", parameters, tuple(_needed(nodes, outputs)), outputs)
        numbers: Any = [np.asarray(self.known[slot]) for slot in static]
        again: Any = True
        count, whole, run = 0, self.count, repeated(graph)
        with np.errstate(all="ignore"):
            while again:
                if max(count, whole) >= MAX_COUNTED:
                    raise GraphBreak("the loop has too many iterations to count")
                place = np.asarray(whole - 1 - count if self.reverse else count)
                count += 1
                if go is None:
                    numbers, again = run([place, *numbers]), count < whole
                else:
                    again, *numbers = run([place, *numbers])
        self.count = count
        self.static = dict(zip(static, numbers, strict=True))

    # The node

    def record_scan(self) -> None:
        """Record the scan, and write the final carried values back."""
        self._fill_aliases()
        outer, recorder = self.trace.recorder, self.side.recorder
        captures = dict(zip(recorder.captures.values(), recorder.captures, strict=True))
        own: Any = [symbol.operand for symbol in (self.index, *self.parameters)]
        graph = Graph(recorder.name, (*own, *captures), tuple(recorder.nodes), tuple(self.operands))
        rows: list[Operand] = []
        if self.iterations is not None:
            graph, rows = scan_rows(graph, len(own), self.count, captures, self._outside)
            graph, numbers = self._with_numbers(graph, len(own))
            rows = [*numbers, *rows]
        initial = outer.operands(self.initial)
        graph, filled = stack_rows(graph, len(initial), len(rows), self.count, self.reverse)
        whole = {each.slot: initial[each.slot] for each in filled}
        before = [self._selected(whole[each.slot], each.axis, place) for each in filled for place in each.behind]
        for each in filled:
            rows += [self._selected(whole[each.slot], each.axis, rows_at(at, self.count)) for at in each.ahead]
        states = [operand for slot, operand in enumerate(initial) if slot not in whole]
        operands = [literal(self.count, dtypes.int64), *states, *before, *rows, *captures.values()]
        carried = len(states) + len(before)
        attrs = {"body": graph, "carried": carried, "scanned": len(rows), "length": self.count, "reverse": self.reverse}
        node = outer.append(prims.scan, operands, attrs)
        last = len(node.outputs) - len(filled)
        ends: list[Value] = list(node.outputs[: len(states)])
        for each, stack in zip(filled, node.outputs[last:], strict=True):
            ends.insert(each.slot, each.put(initial[each.slot], stack, self.count, self._outside))
        for value, name in zip(ends, self.names, strict=False):
            if name:
                outer.names.improve(value, name)
        results: list[Any] = [wrap(Symbol(value, outer)) for value in ends]
        for slot, numbers in self.static.items():
            results[slot] = Tensor._wrap(numbers)
            results[slot]._birth = self.trace
        self._finish(results)
        for ring in self.carried.rings:
            self.flow.touch(ring.list_)
            ring.finish(self.count)
        for key in self.finals:
            self.carried.lvalues[key].put(self.item_at(self.iterations[-1]))
        self._finish_lists([Symbol(value, outer) for value in node.outputs[carried:last]])

    def _with_numbers(self, graph: Graph, first: int) -> tuple[Graph, list[Operand]]:
        """A body that reads the numbers of all iterations as rows, its parameters from `first`; and these rows."""
        nodes = [node for node in graph.nodes if self.computed.keys().isdisjoint(node.outputs)]
        read = {*graph.outputs, *[item for node in nodes for item in node.inputs]}
        numbers: Any = {value: Tensor._wrap(array) for value, array in self.computed.items() if value in read}
        for tensor in numbers.values():
            tensor._birth = self.trace
        parameters = (*graph.parameters[:first], *numbers, *graph.parameters[first:])
        rows = [self.trace.recorder.lift(self.trace.read(tensor)) for tensor in numbers.values()]
        return replace(graph, nodes=tuple(nodes), parameters=parameters), rows

    def _outside(self, op: Op, *operands: Operand, **attrs: Any) -> Value:
        """The output of a new node outside of the loop."""
        return self.trace.recorder.append(op, operands, attrs).output

    def _selected(self, value: Operand, axis: int, rows: slice | int) -> Operand:
        """The operand for a selection of rows along an axis of a value outside."""
        outer = self.trace.recorder
        whole: Any = wrap(Symbol(value, outer)).moveaxis(axis, 0)
        size = whole.shape[0]
        all_of_them = isinstance(rows, slice) and rows.indices(size) == (0, size, 1)
        return outer.lift(self.trace.read(whole if all_of_them else whole[rows]))

    def _finish_lists(self, stacks: list[Symbol]) -> None:
        """Give the lists their items. The last ones may be carried values, the first ones values before the loop."""
        for growing in self.growing:
            self.flow.touch(growing.list_, "append")
        self.stacks.finish(stacks, self.count)
        row, link = self.stacks.row, self.flow.aliases.link
        if self.carried.aliases.tracked and self.growing:
            self._link_all()
            return
        for leaf, start in self.aliases.starts.items():
            end = self.aliases.ends.get(leaf)
            if self.stacks.holds(end):
                link(row(end, -1), self.aliases.results[leaf], True)
            if self.stacks.holds(start):
                link(row(start, 0), self.aliases.before[leaf], True)
            if self.stacks.holds(start) and self.stacks.holds(end):
                for at in range(1, self.count):
                    link(row(start, at), row(end, at - 1), True)
        for leaf in self.aliases.moved:
            origin, steps = self.aliases.origin(leaf)
            end = self.aliases.ends.get(origin)
            if self.stacks.holds(end) and leaf in self.aliases.results:
                link(row(end, -1 - steps), self.aliases.results[leaf], True)
        if self.stacks.holds(self.item):
            for key in self.finals:
                link(row(self.item, -1), self.carried.lvalues[key].get(), True)

    def _link_all(self) -> None:
        """Store that items may be those of other iterations, and values around the loop: an item that a branch keeps is
        the one before."""
        link, last = self.flow.aliases.link, self.count - 1
        items = [item for item in self.stacks.tensors if id(item) not in self.fresh]
        for number, item in enumerate(items):
            for at in range(last):
                link(self.stacks.row(item, at), self.stacks.row(item, at + 1), UNKNOWN)
            around = [*self.aliases.before.values(), *self.aliases.results.values()]
            others = [self.stacks.row(other, 0) for other in items[:number]]
            for other in (*around, *others):
                if other._type == item._type:
                    link(self.stacks.row(item, 0), other, UNKNOWN)


def _reads_neighbours(nodes: list[Node], outputs: list[Operand]) -> bool:
    """Whether elementwise nodes, or the next iteration, read what stood at other places, as in stencils."""
    moved: set[Operand] = set()
    for node in nodes:
        if not moved.isdisjoint(node.inputs) and node.op.kind == "elementwise":
            return True
        if node.op.windows is not None or (node.op.kind == "view" and not moved.isdisjoint(node.inputs)):
            moved.update(node.outputs)
    return not moved.isdisjoint(outputs)


def _needed(nodes: list[Node], outputs: tuple[Operand, ...]) -> list[Node]:
    """The nodes that outputs depend on."""
    wanted = set(outputs)
    kept: list[Node] = []
    for node in reversed(nodes):
        if wanted.intersection(node.outputs):
            wanted.update(node.inputs)
            kept.append(node)
    return kept[::-1]

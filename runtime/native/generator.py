"""Code generation for one kernel: its function, and the values that basic blocks of vector instructions compute."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile

from ..machine.assembler import (
    JUMP_BELOW,
    PLAIN,
    RAX,
    RBP,
    RCX,
    RSP,
    Assembler,
    Pooled,
)
from ..machine.executable import permutes_bytes
from .allocate import Frame
from .blocks import BasicBlock
from .boundary import POINTERS, SAVED, STACK, Boundary, Words
from .builder import Builder, Constants, Value
from .interleaving import RowOrder, interleaved
from .language import (
    Array,
    Kernel,
    Place,
    Statement,
    is_computed,
    is_scattered,
)
from .order import in_order_of_use
from .pieces import Piece
from .places import error_at, move_inside
from .row_loops import RowLoops
from .sharing import SharedRows
from .side_by_side import are_whole_rows
from .stages import COLUMN, ROW, WIDEST, KernelStages, divide, needed_in, row_bytes
from .streams import prefetched
from .turned_rows import TurnedRows, buffer_bytes, with_near
from .vectors import Vectors
from .windows import Segment, divide_columns

LONG, MANY = 1024, 8
"""The columns of rows, and so many rows, whose sums are added up with their rounding errors."""
WITHOUT_LOCK = 1 << 15
"""Elements from which on a kernel releases Python's lock, which costs 0.1 microseconds."""

Given = tuple[float, str, tuple[int, int] | None]
"""A number of a kernel's text, its dtype, and where it is behind the code and its bytes; None if code depends on it."""


class Generator:
    """Writes the function of one kernel that has passed `check`.

    `base`: the register that points to the kernel's memory: RSP for the stack, RBP for a block on the heap. `streamed`:
    the outputs that are written past the caches; the addresses of their rows have to be those of whole vectors.
    """

    def __init__(
        self,
        kernel: Kernel,
        dtypes: Mapping[str, str],
        base: int,
        vectors: Vectors,
        streamed: Collection[str] = (),
    ) -> None:
        self.text, kernel = kernel, with_near(kernel)
        self.kernel = kernel  # with inputs as they are in buffers
        self.streamed = streamed
        self.prefetched = prefetched(kernel)
        self.vector, self.new_piece = vectors.nbytes, vectors.piece
        self.pieces: list[Piece] = []
        self.loops: dict[object, Piece] = {}  # the basic blocks of columns, by what they depend on
        self.stages: KernelStages = divide(kernel)
        self.stages.dtypes.update(dtypes)
        self.width = self.stages.width
        self.lanes = self.vector // self.width
        self.columns = kernel.extents[-1]
        self.assembler = vectors.assembler()
        self.registers = vectors.piece.allocator.count
        self.frame = Frame(base, self.vector, self.registers)
        self.constants = Constants()
        self.start = 0  # of the code behind the prologue
        self.symbols: list[tuple[int, int, int]] = []  # symbolic numbers: where they are, their bytes, which one
        self.orders: dict[int, tuple[Sequence[str], Sequence[str]]] = {}  # for each pass its values, in both orders
        self.counter = [0]
        self.slots: dict[str, Value] = {}  # values that are the same for all columns of a row
        self.raw: dict[str, Value] = {}  # of reductions: the partial result of each lane
        self.raw_registers: dict[Value, int] = {}  # of those that are in registers, up to the next segment
        self.outside: dict[str, int] = {}  # kept rows: where in the frame
        self.computed = {array.name: array for array in kernel.arrays if is_computed(array, kernel)}
        self.read = {argument for statement in kernel.statements for argument in statement.arguments}
        self.read.update(place.array for array in self.computed.values() for place in array.at)
        self.readers = self.found_readers()
        self.filled = self.filled_segments()
        self.number = {array.name: position for position, array in enumerate(kernel.arrays)}
        without_lock = math.prod(kernel.extents) >= WITHOUT_LOCK
        self.words = Words(kernel, without_lock)
        self.boundary = Boundary(kernel, self.words, without_lock, base == RBP, self.vector)
        self.placed = [a for a in kernel.arrays if a.at and not is_scattered(a, kernel) and not is_computed(a, kernel)]
        self.outsiders: list[tuple[int, int, Place]] = []  # of positions outside: where to move them, the way back
        self.wrong: list[tuple[int, int, Array, Place]] = []  # the same, of computed positions
        self.bounded = tuple(array for array in kernel.arrays if array.bounds)
        self.outside_rows: frozenset[str] = frozenset()  # bounded arrays that are zero in the rows at hand
        self.row_masks: dict[str, Value] = {}  # of bounded arrays, where rows may be inside or not
        self.segments = divide_columns(kernel, self.width, self.vector)
        self.columns_at = Segment(0, self.columns, {})
        self.together = self.interleaved()
        self.whole_rows = are_whole_rows(self.stages, self.registers // 2 * self.lanes, self.lanes)
        self.errors = {array.name: Value("slot", self.frame.new(), array.dtype) for array in self.long_sums()}
        self.carries: dict[str, Value] = {}  # of scans: the total of the columns before, in every lane
        self.turned: TurnedRows | None = None
        if kernel is not self.text:
            self.turned = TurnedRows(self.text, self.assembler, self.frame, self.words)

    def found_readers(self) -> dict[str, set[tuple[int, int]]]:
        """Of values, the level and the stage of what reads them, or writes them to memory."""
        readers: dict[str, set[tuple[int, int]]] = {}
        level, stage = self.stages.level, self.stages.stage
        for statement in self.kernel.statements:
            for argument in statement.arguments:
                if isinstance(argument, str):
                    readers.setdefault(argument, set()).add((level[statement.name], stage[statement.name]))
        for array in self.stages.outputs:
            readers.setdefault(array.name, set()).add((self.stages.at[array.name], stage[array.name]))
        for array in self.computed.values():
            for place in array.at:
                readers.setdefault(place.array, set()).add((COLUMN if self.columns > 1 else ROW, 0))
        return readers

    def filled_segments(self) -> set[tuple[int, int]]:
        """The levels and stages at which something is read, computed or written."""
        level, stage = self.stages.level, self.stages.stage
        found = {(level[statement.name], stage[statement.name]) for statement in self.kernel.statements}
        found |= {(level[name], 0) for name in self.stages.inputs if name in self.read}
        return found | {(self.stages.at[array.name], stage[array.name]) for array in self.stages.outputs}

    def interleaved(self) -> dict[str, tuple[str, ...]]:
        """The columns that are read, or written in one pass, with others, and these."""
        if self.width < 4 and not (self.vector == WIDEST and permutes_bytes()):
            return {}  # bytes are shuffled where they are read
        found = interleaved(self.kernel, [array.same or array.name for array in self.kernel.arrays])
        late = {name: self.stages.stage[name] for name in self.stages.at}
        return {name: each for name, each in found.items() if len({late.get(one, 0) for one in each}) < 2}

    def pointer(self, array: Array, register: int = RAX) -> int:
        """The register that points to an array's elements."""
        position = self.number[array.name]
        if position < len(POINTERS):
            return POINTERS[position]
        self.assembler.load(register, self.words.at(position))
        return register

    def builder(self) -> Builder:
        """The builder that collects the instructions of a basic block."""
        return Builder(self.width, self.constants, self.counter, self.vector)

    def constant(self, value: Value) -> Pooled:
        """A constant's bytes."""
        return self.constants.pooled[value.number]

    def piece(self, pinned: dict[Value, int], rest: int = 0) -> Piece:
        """A new basic block."""
        self.pieces.append(self.new_piece(self, pinned, rest))
        return self.pieces[-1]

    def run(self) -> bytes | None:
        """The function's code; None if its stack frame would be too large."""
        code = self.write()
        for piece in self.pieces:
            piece.steps.clear()
        self.loops.clear()
        self.pieces.clear()  # pieces and their steps refer back: such cycles would wait for the garbage collector
        return code

    def write(self) -> bytes | None:
        """Write the function."""
        stack = (self.words.nbytes + self.vector - 1) // self.vector * self.vector
        on_stack = self.frame.base == RSP
        self.frame.start = stack if on_stack else 0
        for name, place in self.stages.kept.items():
            if place is None:
                self.outside[name] = self.frame.start
                self.frame.start += int(row_bytes(self.kernel, self.width))
        if self.turned:
            self.buffers = self.frame.start
            self.frame.start += buffer_bytes(self.text, self.lanes)
        shared = SharedRows(self.assembler, self.text, self.boundary) if self.kernel.pieces else None
        if shared:
            shared.begin()
        RowLoops(self).write()
        if self.streamed:
            self.assembler.store_fence()
        if shared:
            shared.end()
        if on_stack and self.frame.nbytes + SAVED > STACK:
            return None
        empty = on_stack and not self.placed and self.frame.nbytes == stack and len(self.kernel.extents) == 1
        empty = empty and not self.computed and not self.kernel.pieces and not self.kernel.flush
        self.boundary.frameless = empty and not self.boundary.without_lock and len(self.kernel.arrays) <= len(POINTERS)
        nbytes = self.frame.nbytes if on_stack else stack
        self.boundary.leave(self.assembler)
        for outside, inside, chosen in self.outsiders:
            self.assembler.place(outside)
            move_inside(self.assembler, RAX, chosen, inside)
        if self.wrong:
            self.refuse_positions()
        if shared:
            shared.helper(nbytes, self.frame.nbytes)
        # The prologue comes last, as the frame's size is known only then; jumps and constants are relative.
        prologue = Assembler()
        main = prologue.new_label()
        self.boundary.enter(prologue, nbytes, self.frame.nbytes, main)
        prologue.align(self.vector)
        prologue.place(main)
        head = prologue.finish()
        self.start = len(head)
        for start, code in ((0, prologue), (len(head), self.assembler)):
            self.symbols += [(start + place, size, value.number) for place, size, value in code.symbols]
        return head + self.assembler.finish()

    def with_plain_stores(self, code: bytes) -> bytes:
        """The finished code with plain stores in place of those past the caches."""
        plain = bytearray(code)
        for place in self.assembler.streams:
            plain[self.start + place] = PLAIN
        return bytes(plain)

    def given(self) -> list[Given]:
        """The numbers of the kernel's text, as the finished code has them."""
        constants, places, found = self.constants, self.assembler.places(), list[Given]()
        for number, texts in constants.given.items():
            alone = len(texts) == 1 and number not in constants.fixed and number in places
            for value, dtype in texts:
                if alone and dtype != "bool":
                    found += [(value, dtype, (self.start + place, size)) for place, size in places[number]]
                else:
                    found.append((value, dtype, None))
        return found

    def refuse_positions(self) -> None:
        """Computed positions outside of an array count from its end, or end the kernel with an error."""
        code, failed = self.assembler, self.assembler.new_label()
        for outside, inside, array, place in self.wrong:
            code.place(outside)
            code.add(RAX, place.size)
            code.compare(RAX, place.size)
            code.jump(inside, JUMP_BELOW)
            code.add(RAX, -place.size)
            code.constant(RCX, id(error_at(self.kernel, array, place)))
            code.jump(failed)
        code.place(failed)
        if self.kernel.flush:
            code.restore_denormals(self.words.at(self.words.denormals))
        self.boundary.fail_at(code)

    def long_sums(self) -> list[Array]:
        """Sums of many long rows: the error of a row is that of a few hundred additions, so that of the rows counts."""

        def rows(array: Array) -> int:
            outer = zip(array.strides[-2::-1], self.kernel.extents[-2::-1], strict=True)
            return math.prod(extent for _, extent in takewhile(lambda pair: not pair[0], outer))

        sums = [
            a for a in self.stages.outputs if (a.role, a.dtype, a.strides[-1]) == ("add", "float32", 0) and not a.at
        ]
        return [array for array in sums if self.columns >= LONG and rows(array) >= MANY]

    # Pieces of code

    def segment(self, level: int, stage: int) -> None:
        """Compute values that are the same for all columns before the pass."""
        if not self.raw_registers and (level, stage) not in self.filled:
            return
        piece = self.piece(self.raw_registers)
        self.raw_registers = {}
        self.row_values(piece, level, stage)
        for name, value in piece.values.items():
            if name not in self.slots and self.readers.get(name, set()) - {(level, stage)}:
                self.slots[name] = piece.keep(value)
        piece.finish()

    def row_values(self, piece: Piece, level: int, stage: int) -> None:
        """Compute, and write, values that are the same for all columns."""
        arrays = [a for a in self.stages.inputs.values() if self.stages.level[a.name] == level]
        waiting = {array.name: array for array in arrays if array.name in self.read} if stage == 0 else {}
        for statement in self.kernel.statements:
            if self.stages.level[statement.name] == level and self.stages.stage[statement.name] == stage:
                for name in statement.arguments:  # as late as possible, so that few registers wait
                    self.fetch(piece, waiting, str(name))
                piece.compute(statement)
        for name in [*waiting]:
            self.fetch(piece, waiting, name)
        for array in self.stages.outputs:
            if self.stages.at[array.name] == level and self.stages.stage[array.name] == stage:
                piece.write_one(array, self.value(piece, array.name))

    def fetch(self, piece: Piece, waiting: dict[str, Array], name: str) -> None:
        """Read an array that is waiting, and its positions before."""
        array = waiting.pop(name, None)
        if array is not None:
            for place in array.at:
                self.fetch(piece, waiting, place.array)
            piece.values[name] = piece.broadcast(array)

    def is_outside(self, array: Array) -> bool:
        """Whether all current columns of an array are outside of its bounds."""
        return array.name in self.outside_rows or self.columns_at.status.get(array.name) is False

    def value(self, piece: BasicBlock, name: str) -> Value:
        """A value of this basic block, or a kept value."""
        return piece.values[name] if name in piece.values else self.slots[name]

    def reductions(self, number: int) -> list[Statement]:
        """The reductions that a pass over the columns computes."""
        return [
            statement
            for statement in self.kernel.statements
            if statement.function.startswith("row_") and self.stages.stage[statement.name] == number + 1
        ]

    def in_order(self, names: Sequence[str], number: int) -> Sequence[str]:
        """The values of a pass in an order in which few of them wait in registers."""
        known = self.orders.get(number)
        if known is not None and known[0] is names:
            return known[1]
        stages, among = self.stages, {*names}
        arguments = {
            name: [each for each in stages.statements[name].arguments if each.__class__ is str and each in among]
            for name in names
            if name not in stages.inputs and stages.computed.get(name, number) >= number
        }
        roots = dict.fromkeys([name for name, now in stages.roots if now == number and name in among])
        order = in_order_of_use(names, arguments, list(roots))
        self.orders[number] = names, order
        return order

    def column_values(self, piece: Piece, number: int) -> None:
        """Compute the values of a pass for the current columns, and write outputs."""
        needed, alike = self.stages.needed[number], set[str]()
        if self.together and piece.whole and self.stages.passes < 2:
            order = RowOrder(self.stages, self.together, self.vector == WIDEST)
            written = dict.fromkeys(self.together[one.name] for one in self.stages.outputs if one.name in self.together)
            alike = {
                name
                for names in written
                if (names[0], number) in self.stages.roots and order.pays(names)
                for name in names
            }
            if alike:
                others = alike.difference([one.arguments[0] for one in self.reductions(number)])
                roots = [one for one in self.stages.roots if one[0] not in others]
                needed = needed_in(self.stages, number, [*roots, *[(name, number) for name in sorted(order.needed)]])
        for name in self.in_order(needed, number):
            if name not in piece.values:
                piece.column(name, number)
        for names in {self.together[name]: None for name in sorted(alike)}:  # all before one is written: it may be in
            piece.in_rows(names)  # the memory of what others are computed of
        for array in self.stages.outputs:
            if self.stages.at[array.name] == COLUMN and (array.name, number) in self.stages.roots:
                if array.name not in alike:
                    piece.write(array)
                elif self.together[array.name][0] == array.name:
                    piece.write_together(array, None)

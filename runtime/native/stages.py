"""Staging of a kernel: which values are computed once, for each row or for each column, and in which pass.

A reduction of a row needs all its columns, so values that depend on it are computed in a later pass. A value that a
later pass reads is rematerialized there if that is cheap. Otherwise it is kept for the row, in a spill slot or in an
output that has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType

from ..machine.executable import has_masked_vectors, permutes_bytes
from ..records import dataclass
from .boundary import STACK
from .builder import Unsupported
from .functions import MOVING, SHIFTS, is_cheap
from .language import (
    COMBINED,
    FLOAT16,
    INDEX,
    LANES,
    READ,
    SCAN,
    SIZES,
    Array,
    Kernel,
    Number,
    Statement,
    is_computed,
    is_scattered,
    moves_along,
)

ONCE, ROW, COLUMN = range(3)

WIDEST = 64  # bytes of a vector, at most
LEAST_ROW, LEAST_UNMASKED = 48, 64  # bytes of a row in narrow lanes, at least; AVX2 has no masks for the last ones
NEAR_APART = 4  # elements that columns are apart, at most, in narrow lanes
MOST_AGAIN = 4  # functions that are rematerialized
LARGEST_FRAME = 1 << 16  # bytes of kept values in the frame, at most


@dataclass
class KernelStages:
    """The stages of a kernel.

    Attributes:
        level: for each name whether it is computed `ONCE`, for each `ROW` or for each `COLUMN`.
        stage: the first pass that can compute it.
        passes: how many passes there are over the columns.
        computed: for values that are not cheap the pass that computes them.
        kept: values that later passes read: the array that they are written to, or None for a place in the frame.
        width: bytes of a lane.
        at: for each output whether it is written `ONCE`, for each `ROW` or for each `COLUMN`.
        roots: the column values that must be computed, and in which pass: outputs, and the operands of row reductions.
        needed: for each pass the arrays and column values that it computes or reads, in an order of computation.
        has_states: whether the kernel has states.
    """

    kernel: Kernel
    width: int
    level: dict[str, int] = field(default_factory=dict)
    stage: dict[str, int] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    statements: dict[str, Statement] = field(default_factory=dict)
    inputs: dict[str, Array] = field(default_factory=dict)
    outputs: list[Array] = field(default_factory=list)
    passes: int = 0
    computed: dict[str, int] = field(default_factory=dict)
    kept: dict[str, str | None] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    roots: list[tuple[str, int]] = field(default_factory=list)
    needed: list[list[str]] = field(default_factory=list)
    has_states: bool = False

    def written(self, array: Array) -> int:
        """Whether an output is written `ONCE`, for each `ROW` or for each `COLUMN`."""
        if (array.strides[-1] and self.kernel.extents[-1] > 1) or is_scattered(array, self.kernel):
            return COLUMN
        # An output over a state is written in every iteration, after the state was read.
        anew = array.role != "out" or bool(array.at) or self.has_states
        return max(self.level[array.name], ROW if any(array.strides) or anew else ONCE)


_recent: dict[int, KernelStages] = {}  # by the kernel's identity: equal ones may differ in 0.0 and -0.0
MOST_RECENT = 16  # a kernel is divided where it is made of a graph, and soon after where it is compiled


def divide(kernel: Kernel) -> KernelStages:
    """Decide when each value of a kernel is computed."""
    stages = _recent.get(id(kernel))
    if stages is None:
        stages = _divided(kernel)
        if len(_recent) >= MOST_RECENT:
            _recent.clear()
        _recent[id(kernel)] = stages
    return stages


def _divided(kernel: Kernel, late: Mapping[str, int] = MappingProxyType({})) -> KernelStages:
    """`late`: for some reductions the pass that is the first to have them."""
    stages = KernelStages(kernel, width_of(kernel))
    _place_arrays(stages)
    _place_statements(stages, late)
    _check_columns(stages)
    stages.at = {array.name: stages.written(array) for array in stages.outputs}
    _keep_positions(stages)
    stages.roots = _roots(stages)
    stages.passes = max([now for _, now in stages.roots], default=-1) + 1
    for now in range(stages.passes):
        stages.needed.append(needed_in(stages, now))
        if stages.passes > 1:
            _compute(stages, now)
    delayed = _delayed(stages)
    if delayed:
        return _divided(kernel, {**late, **delayed})
    _keep(stages)
    return stages


def _place_arrays(stages: KernelStages) -> None:
    """Find out at which level each input is read; collect the outputs."""
    kernel = stages.kernel
    inner = len(kernel.extents) - 1
    for array in kernel.arrays:
        if array.role == INDEX:
            continue
        if array.role in READ:
            stages.has_states |= array.role == "state"
            depth = inner
            while depth >= 0 and not moves_along(array, depth, kernel):
                depth -= 1
            least = ROW if array.role == "state" or array.at else ONCE
            stages.level[array.name] = COLUMN if depth == inner else ROW if depth >= 0 else least
            stages.stage[array.name] = 0
            stages.dtypes[array.name] = array.dtype
            stages.inputs[array.name] = array
        else:
            stages.outputs.append(array)


def _place_statements(stages: KernelStages, late: Mapping[str, int]) -> None:
    """Find out at which level, and in which pass, each statement can first be computed."""
    levels, at = stages.level, stages.stage
    for statement in stages.kernel.statements:
        own, function, arguments, _ = statement
        stages.statements[own] = statement
        level, stage = ONCE, 0
        for name in arguments:
            if name.__class__ is str:
                if levels[name] > level:
                    level = levels[name]
                if at[name] > stage:
                    stage = at[name]
        if function.startswith("row_"):
            if function[4:] not in COMBINED:
                raise Unsupported(f"rows are not reduced by {function}")
            level, stage = ROW, max(stage + 1, late.get(own, 0))
        elif function.startswith(SCAN):
            level = COLUMN
        levels[own], at[own] = level, stage


def _check_columns(stages: KernelStages) -> None:
    """Raise `Unsupported` if the columns of an output do not lie side by side."""
    kernel = stages.kernel
    for array in stages.outputs:
        step, several = array.strides[-1], kernel.extents[-1] > 1
        size = SIZES[array.dtype]
        sides = (0, size, step) if size == LANES.get(array.dtype) or array.role == "out" else (0, size)
        if is_scattered(array, kernel):
            continue
        if several and (step not in sides or (not step and stages.level[array.name] == COLUMN)):
            raise Unsupported(f"the columns of {array.name} do not lie side by side")


def _delayed(stages: KernelStages) -> dict[str, int]:
    """A reduction that a later pass can do, whose operand only that pass needs anyway, and when it is known then.

    So the first pass of a layer norm's gradient reads one array instead of three.
    """
    if stages.passes < 3 or any(is_computed(array, stages.kernel) for array in stages.outputs):
        return {}
    latest = {array.name: stages.stage[array.name] for array in stages.outputs}
    for statement in reversed(stages.kernel.statements):
        reduces = statement.function.startswith("row_")
        end = latest.get(statement.name, 0) - reduces
        for name in filter(stages.statements.__contains__, statement.arguments):
            latest[str(name)] = min(latest.get(str(name), end), end)
        if not reduces:
            continue
        root = (argument, now) = str(statement.arguments[0]), stages.stage[statement.name] - 1
        for then in range(now + 1, end + 1):
            if argument in stages.needed[then]:
                others = [one for one in stages.roots if one != root]
                if argument not in needed_in(stages, now, others):
                    return {statement.name: then + 1}
    return {}


def width_of(kernel: Kernel) -> int:
    """The size of a kernel's lanes in bytes."""
    if len(kernel.widths) > 1:
        raise Unsupported("a kernel's numbers are all of 4 bytes or all of 8")
    width = next(iter(kernel.widths), 4)
    return _least_width(kernel) if width == 4 else width


def _least_width(kernel: Kernel) -> int:
    """1 or 2 where lanes of so many bytes have room for all numbers of a kernel, and rows are long enough; else 4."""
    width = max([SIZES[dtype] for dtype in kernel.dtypes])
    if width > 2 or kernel.extents[-1] * width < (LEAST_ROW if has_masked_vectors() else LEAST_UNMASKED):
        return 4
    for array in kernel.arrays:
        size, step = SIZES[array.dtype], array.strides[-1]
        written, alike = array.role == "out", size == width or array.dtype == "bool"
        most = size * (NEAR_APART if permutes_bytes() or (alike and not written) else 1)
        near = size <= step <= most if written else array.role == "in" and abs(step) <= most
        if array.at or not near:
            return 4
    return width if all(_is_narrow(statement, kernel) for statement in kernel.statements) else 4


def _is_narrow(statement: Statement, kernel: Kernel) -> bool:
    """Whether there are instructions for a statement in narrow lanes."""
    _, function, arguments, _ = statement
    names = [isinstance(one, str) for one in arguments]
    if FLOAT16 in kernel.dtypes:
        return kernel.halves or (function in MOVING and all(names))
    if function in SHIFTS:
        return names == [True, False]
    return is_cheap(function) and (True in names or (isinstance(arguments[0], Number) and bool(arguments[0].dtype)))


def _compute(stages: KernelStages, now: int) -> None:
    """Note which values that are not cheap a pass is the first to compute."""
    for name in stages.needed[now]:
        if name not in stages.inputs and name not in stages.computed and not _is_cheap(stages, name):
            stages.computed[name] = now


def _positions(stages: KernelStages) -> list[tuple[str, str]]:
    """The sums at positions that are computed for each column, and these positions."""
    late = [one for one in stages.outputs if stages.at[one.name] == COLUMN and is_computed(one, stages.kernel)]
    return [(array.name, place.array) for array in late for place in array.at]


def _keep_positions(stages: KernelStages) -> None:
    """Have positions be kept for the next pass, which adds: a processor that learns late where it writes must wait."""
    for name, position in _positions(stages):
        if stages.level.get(position) != COLUMN:
            raise Unsupported(f"{name} is at {position}, which is the same for all columns")
        stages.computed[position] = stages.stage[position]


def _keep(stages: KernelStages) -> None:
    """Choose which values are kept for later passes."""
    read = {name for now, names in enumerate(stages.needed) for name in names if stages.computed.get(name, now) < now}
    if not read:
        return
    places = {}
    for array in stages.outputs:
        if (
            array.role == "out"
            and not array.at
            and stages.at[array.name] == COLUMN
            and SIZES[array.dtype] == stages.width
        ):
            places[_origin(stages, array.name)] = array.name
    bytes_kept = 0
    row = row_bytes(stages.kernel, stages.width)
    for name in [statement.name for statement in stages.kernel.statements if statement.name in read]:
        stages.kept[name] = places.get(_origin(stages, name))
        if stages.kept[name] is None:
            bytes_kept += row
            if bytes_kept > LARGEST_FRAME:
                raise Unsupported("rows are too long for what has to be kept of them")


def row_bytes(kernel: Kernel, width: int) -> int:
    """The size of a kept row in bytes: whole vectors, of any instruction set."""
    return -(-kernel.extents[-1] * width // WIDEST) * WIDEST + WIDEST


def heap_bytes(kernel: Kernel) -> int:
    """The size of the heap block for one call of a kernel; 0 if the kept rows fit on the stack."""
    stages = divide(kernel)
    kept = sum(place is None for place in stages.kept.values()) * row_bytes(kernel, stages.width)
    return kept if kept > STACK else 0


def needed_in(stages: KernelStages, now: int, roots: Sequence[tuple[str, int]] | None = None) -> list[str]:
    """The arrays and column values that a pass computes or reads for some roots, or for all."""
    pending = [name for name, time in (stages.roots if roots is None else roots) if time == now]
    found: set[str] = set()
    level, inputs, computed, statements = stages.level, stages.inputs, stages.computed, stages.statements
    while pending:
        name = pending.pop()
        if name in found or level[name] != COLUMN:
            continue
        found.add(name)
        if name in inputs or (computed and computed.get(name, now) < now):
            continue
        pending += [argument for argument in statements[name].arguments if argument.__class__ is str]
    return [name for name in (*inputs, *statements) if name in found]


def _origin(stages: KernelStages, name: str) -> str:
    """The value that a name is an alias of."""
    while name in stages.statements and stages.statements[name].function == "copy":
        (argument,) = stages.statements[name].arguments
        if not isinstance(argument, str):
            break
        name = argument
    return name


def _is_cheap(stages: KernelStages, name: str) -> bool:
    """Whether a value takes little time to compute again from arrays and row values."""
    pending, count, seen = [name], 0, set()
    while pending:
        here = pending.pop()
        if here in seen or stages.level[here] != COLUMN or here in stages.inputs:
            continue
        seen.add(here)
        statement = stages.statements[here]
        count += statement.function != "copy"
        if not is_cheap(statement.function) or count > MOST_AGAIN:
            return False
        pending += [argument for argument in statement.arguments if isinstance(argument, str)]
    return True


def _roots(stages: KernelStages) -> list[tuple[str, int]]:
    found, late = list[tuple[str, int]](), dict(_positions(stages))
    for name, position in late.items():
        before = stages.stage[position]
        now = max(stages.stage[name], before + 1)
        found += [(position, before), (position, now), (name, now)]
    found += [(name, stages.stage[name]) for name, at in stages.at.items() if at == COLUMN and name not in late]
    for name, function, arguments, _ in stages.kernel.statements:
        if function.startswith("row_"):
            (argument,) = arguments
            if not isinstance(argument, str):
                raise Unsupported("a number is no row")
            found.append((argument, stages.stage[name] - 1))
    return found

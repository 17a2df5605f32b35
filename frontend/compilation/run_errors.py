"""Error locations at run time: an error of a program is raised again as if from the user's line."""

from __future__ import annotations

from ...compiler.analysis.indexed import indexed_at
from ...compiler.ir.graph import Node
from ...compiler.ir.values import Location
from ...runtime.arena import ArenaError
from ...runtime.kernels.positions import PositionError, set_place
from ..errors import out_of_memory
from ..errors.classes import MemoryLimitError, OutOfMemoryError
from .blame import raise_at
from .entries import Entries
from .entry import Entry


def point_at_line(error: Exception, name: str, entries: Entries) -> None:
    """Raise an error of a program again as if from the user's line of the failing statement.

    An error for memory also says what asked for the memory.
    """
    by_file = {entry.file: entry for entry in entries if entry.nodes_of_lines is not None}
    step, found = error.__traceback__, None
    while step is not None:  # the last one may be in a function of the program, for a loop
        entry = by_file.get(step.tb_frame.f_code.co_filename)
        node = None if entry is None else entry.node_of_line(step.tb_lineno)
        found = (entry, node) if entry is not None and node is not None and node.location is not None else found
        step = step.tb_next
    if found is not None:
        entry, node = found
        if isinstance(error, MemoryError):
            error = out_of_memory.of_program(error, name, node, []).with_traceback(error.__traceback__)
        location = _location_inside(error, entry, node)
        assert location is not None
        raise_at(error, location.file, location.line, name)
    if isinstance(error, MemoryError) and not isinstance(error, (MemoryLimitError, OutOfMemoryError)):
        holders = _holders(entries, error.nbytes) if isinstance(error, ArenaError) else []
        raise out_of_memory.of_program(error, name, None, holders) from None


def _location_inside(error: Exception, entry: Entry, node: Node) -> Location | None:
    """The line of that node of a kernel that an error of positions is about, which then names the user's dimension."""
    if not isinstance(error, PositionError):
        return node.location
    planned = None if error.names is None else entry.kernels().get(node)
    location, name = None, getattr(node.inputs[-1], "name", "") if node.inputs else ""
    if planned is not None and error.names is not None:
        location, name = planned.access(*error.names)
    location = location or node.location
    if error.found is not None and entry.graph is not None and location is not None:
        position, size, axis, shape = error.found
        set_place(error, position, size, *indexed_at(entry.graph, location, size, name, (axis, shape)))
    return location


def _holders(entries: Entries, nbytes: int) -> list[str]:
    """The contents of an arena of so many bytes at its peak."""
    from ...compiler.memory.budget import largest_buffers  # part of the compiler, which `import mycel` does not load

    for entry in [entry for entry in entries if not entry.eager]:
        try:
            plan = entry.stages().plan
        except MemoryError:  # it is made again for a program from the cache
            continue
        if plan.nbytes == nbytes:
            return largest_buffers(plan)
    return []

"""Programs: emitted source, loaded so that debuggers and tracebacks show it, bound to an arena and run many times."""

from __future__ import annotations

import contextvars
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from .arena import Arena, recycled
from .arenas import Arenas, trim
from .processors import blas_threads, processor_count
from .program_text import PROGRAM, forget, register, stem_of
from .random import drawing
from .threads import sharing
from .watch import INSIDE, Run, Watch, committing


class Program:
    """A program: emitted source that computes on arrays.

    `run(*arrays)` gives the outputs as fresh arrays. Inputs may share memory and need not be contiguous. They are not
    changed, except those that the program commits to. `arenas` is what `run` is made of (`_runner`), for callers that
    write it out, if nothing is committed. Several threads may run a program at once, and a program may run
    within itself: each run takes a free arena, and keeps no other memory. Floating-point errors give inf and nan
    without a warning, as in MindSpore.
    """

    __slots__ = (
        "__weakref__",
        "arena_bytes",
        "arenas",
        "constants",
        "file",
        "kernels",
        "name",
        "run",
        "source",
    )

    def __init__(
        self,
        name: str,
        source: str,
        arena_bytes: int,
        constants: Mapping[str, Any],
        kernels: Mapping[str, Any],
        file: str = "",
    ) -> None:
        self.name = name
        self.source = source
        self.arena_bytes = arena_bytes
        self.constants = constants
        self.kernels = kernels
        self.file = register(file or f"<mycel {stem_of(name, source)}>", source)
        namespace: dict[str, Any] = {"__name__": f"{PROGRAM}.{name}", "constants": constants, "kernels": kernels}
        exec(compile(source, self.file, "exec"), namespace)
        bind: Callable[[Arena], Run] = namespace.pop("bind")  # whose globals this is
        effects, threads = namespace.get("EFFECTS", False), namespace.get("THREADS", False)
        arenas = Arenas(arena_bytes, partial(_bound, bind, effects, threads, namespace.get("DRAWS", False)))
        commits = namespace.get("COMMITS", False)
        self.run = (committing if commits else _runner)(arenas.free, arenas.another)
        self.arenas = None if commits else (arenas.free.pop, arenas.free.append, arenas.another)
        weakref.finalize(bind, _leave, self.file)

    def in_file(self, file: str) -> Program:
        """The same program, loaded as from a file, so that breakpoints in this file work."""
        return Program(self.name, self.source, self.arena_bytes, self.constants, self.kernels, file)

    def __call__(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """Run the program."""
        return self.run(*arrays)


def _leave(file: str) -> None:
    """What happens when a program goes: so do its text, and memory that nobody has."""
    forget(file)
    trim()
    recycled.clear()


def _bound(bind: Callable[[Arena], Run], effects: bool, threads: bool, draws: bool, arena: Arena) -> tuple[Run, Watch]:
    """A program's function on an arena, and the arena's watch. If threads share its work, it runs in the scope of
    threads; if it draws random numbers, they are undone when it fails."""
    bound = _in_context(bind, arena, effects)
    if threads:
        bound = _with_threads(bound)
    return drawing(bound) if draws else bound, arena.watch


def _with_threads(function: Run) -> Run:
    def with_threads(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        if processor_count() == 1 and blas_threads() <= 1:  # nobody to share with: saves 3 microseconds
            return function(*arrays)
        with sharing:
            return function(*arrays)

    return with_threads


def _in_context(bind: Callable[[Arena], Run], arena: Arena, effects: bool) -> Run:
    """A program's function on an arena, in a context in which NumPy does not warn.

    Such a context costs next to nothing to enter. Side effects, such as printing, see the caller's context variables.
    """
    if effects:
        function = bind(arena)

        def in_callers_context(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
            before = INSIDE.set(True)
            try:
                with np.errstate(all="ignore"):
                    return function(*arrays)
            finally:
                INSIDE.reset(before)

        return in_callers_context
    context = contextvars.Context()
    context.run(np.seterr, all="ignore")
    context.run(INSIDE.set, True)
    function = context.run(bind, arena)
    return partial(context.run, function)


def _runner(free: list[tuple[Run, Watch]], another: Callable[[], tuple[Run, Watch]]) -> Run:
    """A function that runs the program on a free arena. `list.pop` and `list.append` are atomic, so no two runs share
    an arena."""
    pop, push = free.pop, free.append

    def run(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        try:
            own = pop()
        except IndexError:
            own = another()
        try:
            return own[0](*arrays)
        finally:
            push(own)

    return run

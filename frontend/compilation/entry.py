"""Entries and their dispatch: one compiled graph of a function, and Python code that checks arguments and guards before
it runs."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.spelling import identifier, spell
from ...compiler.transforms.symbolic import Symbol
from ...runtime.program_text import forget, register
from ...runtime.records import dataclass
from ..control_flow.outside import Argument
from ..tracing.guards import Guard, Guards
from ..tracing.signature import array_of, overlapping, sharing_of
from ..tracing.snapshots import SameObject
from ..tracing.trace import Trace
from ..values import tree
from ..values.cell import Cell
from ..values.cell_hooks import Changes
from ..values.mutable import NUMBERS
from ..values.parameter import Layouts, Parameter, update_data
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor
from .stepping import ShownLines

if TYPE_CHECKING:
    from ...compiler.memory.plan import KernelPlan
    from ...runtime.program import Program

Run = Callable[..., "tuple[np.ndarray, ...]"]

MISS = object()
"""What an entry's dispatch returns when the arguments or guards are not its own."""

RUN = "run"  # the name of the program in dispatch


class Results:
    """Collects the tensors in result values as graph outputs, and writes expressions that rebuild the values from
    arrays.

    Returned tensors are new objects. In values that the function stores outside, in attributes and variables, a tensor
    keeps its identity: with `keep_objects`. A container from outside keeps its identity if a run can find it.
    """

    def __init__(self, trace: Trace, held: bool = True) -> None:
        self.trace = trace
        self.held = trace.held if held else {}
        self.symbols: list[Symbol] = []
        self.constants: list[Any] = []
        self.objects: dict[int, str] | None = None  # texts of the tensors that exist, by identity
        self.alive: list[Tensor] = []

    def keep_objects(self, values: Sequence[Tensor]) -> None:
        """From here on tensors keep their identity: arguments are `L`, captured tensors `K`, new ones have names."""
        self.objects = {id(value): f"L[{position}]" for position, value in enumerate(values)}
        for position, tensor in enumerate(self.trace.captured):
            self.objects[id(tensor)] = f"K[{position}]"

    def add(self, symbol: Symbol) -> int:
        """Add a graph output. Returns its position."""
        self.symbols.append(symbol)
        return len(self.symbols) - 1

    def expression(self, value: Any) -> str:
        """Python code that builds `value` from the output arrays `r` and the constants `C`."""
        if isinstance(value, Tensor):
            if self.objects is not None and not (isinstance(value, TracedTensor) and value._number is not None):
                return self._object(value, self.objects)
            position = self.add(self.trace.read(value))
            if isinstance(value, TracedTensor) and value._number is not None:
                return f"r[{position}].item()"
            if isinstance(value, TracedTensor) and value._present is not None:
                return f"(W(r[{position}]) if r[{self.add(value._present)}] else None)"
            return f"W(r[{position}])"
        if id(value) in self.held:
            where = self.held[id(value)][1]
            text = self.constant(where)
            return f"{text}.get(args, kwargs)" if isinstance(where, Argument) else text
        if type(value) is tuple:
            return f"({''.join(self.expression(item) + ', ' for item in value)})"
        if type(value) is list:
            return f"[{', '.join(map(self.expression, value))}]"
        if type(value) is dict:
            return f"{{{', '.join(f'{self.constant(key)}: {self.expression(item)}' for key, item in value.items())}}}"
        parts = tree.children(value) if tree.tensors(value) else None
        if parts is not None:
            items, build = parts
            return f"{self.constant(build)}([{', '.join(map(self.expression, items))}])"
        if value is None or type(value) in (bool, int, str):
            return spell(value)
        if isinstance(value, (np.ndarray, set, bytearray, deque)):
            return f"{self.constant(value)}.copy()"  # whoever gets it may change it
        return self.constant(value)

    def _object(self, value: Tensor, objects: dict[int, str]) -> str:
        """Code for a tensor that keeps its identity. Only the run may know which existing tensor it is."""
        text = objects.get(id(value))
        if text is not None:
            return text
        position = self.add(self.trace.read(value))
        text = f"W(r[{position}])"
        for other, flag in self.trace.same(value):
            if id(other) in objects and flag is True:
                text = objects[id(other)]
            elif id(other) in objects and flag is not False:
                text = f"({objects[id(other)]} if r[{self.add(self.trace.read(flag))}] else {text})"
        if isinstance(value, TracedTensor) and value._present is not None:
            text = f"({text} if r[{self.add(value._present)}] else None)"
        name = objects[id(value)] = f"t{len(objects)}"
        self.alive.append(value)
        return f"({name} := {text})"

    def constant(self, value: Any) -> str:
        """Code for a constant."""
        if value is None or type(value) in (bool, int, str):
            return spell(value)
        self.constants.append(value)
        return f"C[{len(self.constants) - 1}]"


class Seen:
    """The global layout version at which an entry's captured tensors last had their types."""

    __slots__ = ("version",)

    def __init__(self) -> None:
        self.version = -1


@dataclass
class Entry:
    """One compiled graph of a function: the arguments and guards for which it may run, and its program.

    Attributes:
        updates: where outputs go besides the result: argument positions or tensors that were updated in place.
        attributes: (object, attribute name) written after each run; the object that has the entry is held weakly.
        build: makes the result from the output arrays and the arguments.
        build_attributes: makes their values from the output arrays, the arguments and the captured tensors.
        fast: its dispatch, if it has one and has been called twice; `emit` makes it.
        sharing: which arguments and captured tensors are one tensor; None where the graph serves them all.
        eager: why the function runs eagerly for these arguments, empty if it does not.
        cached: whether its program was read from the cache on disk.
        communicates: whether it sends anything to other processes.
    """

    key: Any
    guards: Guards
    captured: list[Tensor] = field(default_factory=list)
    run: Run | None = None
    build: Callable[..., Any] | None = None
    updates: list[tuple[Any, int]] = field(default_factory=list)
    attributes: list[tuple[Any, str]] = field(default_factory=list)
    build_attributes: Callable[..., tuple[Any, ...]] | None = None
    fast: Callable[..., Any] | None = None
    emit: Callable[[Entry], Callable[..., Any] | None] | None = None
    called: bool = False
    eager: str = ""
    cached: bool = False
    communicates: bool = False
    stages: Any = None
    seen: Seen = field(default_factory=Seen)
    sharing: Any = None
    types: list[Any] = field(default_factory=list)
    nodes: int = 0
    file: str = ""  # under which the program's source is found
    nodes_of_lines: Callable[[], Mapping[int, Node]] | None = None  # lines of the program to their nodes
    kernels: Callable[[], Mapping[Node, KernelPlan]] = dict
    graph: Graph | None = None  # before all passes
    arenas: tuple[Callable[..., Any], ...] | None = None  # of the program

    def holds(self) -> bool:
        """Whether the guards hold and captured tensors have the dtypes and shapes that the graph was made for."""
        return self.guards.hold() and (self.seen.version == Layouts.version or self.fits())

    def fits(self) -> bool:
        """Whether captured tensors have the right types. Remembers the global layout version at which they had."""
        with Layouts.lock:
            if [_type(tensor._data) for tensor in self.captured] != self.types:
                return False
            self.seen.version = Layouts.version
            return True

    def read(self, leaves: Sequence[Any]) -> list[np.ndarray]:
        """The input arrays of a run: the run-time arguments, and captured tensors."""
        return [*map(array_of, leaves), *[tensor._data for tensor in self.captured]]

    def load(self, program: Program, watch: Callable[[Run], Run] | None = None) -> None:
        """Use another program that computes the same from now on. `watch` wraps it."""
        self.file, self.run = program.file, program.run if watch is None else watch(program.run)
        self.arenas = program.arenas if watch is None else None
        if self.fast is not None:
            self.fast.__globals__.update(self.run_names())

    def run_names(self) -> dict[str, Any]:
        """What dispatch calls for a run."""
        own = (self.run,)
        pop, push, another = self.arenas or (lambda: own, lambda _: None, None)
        return {RUN: self.run, "pop": pop, "push": push, "another": another}

    def dispatch(self) -> Callable[..., Any] | None:
        """The dispatch for the calls after this one. The first call makes none: many a function is called once. Nor do
        calls that have too little memory or stack for Python's compiler: they run without."""
        emit = self.emit
        if self.called and emit is not None:
            self.called = False  # without dispatch, the call after the next one tries again
            try:
                self.fast = emit(self)
                self.emit = None  # now: an interrupt may have come before
            except MemoryError:  # with RecursionError in a tuple, Python 3.14 would need stack to look into it
                return None
            except RecursionError:
                return None
        self.called = True
        return self.fast

    def node_of_line(self, line: int) -> Node | None:
        """The node that a line of the program runs; None if it is unknown, or if there is no memory to find out."""
        try:
            return None if self.nodes_of_lines is None else self.nodes_of_lines().get(line)
        except MemoryError:
            return None

    def shares(self, leaves: Sequence[Any]) -> bool:
        """Whether the same arguments and captured tensors are identical as when the graph was made."""
        return self.sharing is None or self.sharing == sharing_of(leaves, self.captured)

    def rebinds(self) -> bool:
        """Let the graph use tensors that have replaced its captured ones, if nothing else has changed. For example, a
        run has replaced the state of a Cell."""
        self.called = True
        swaps = self.guards.swaps() if self.dispatch() is None else []
        news = {id(guard.expected): tensor for guard, tensor in swaps}
        if not swaps or any(tensor is new for tensor in self.captured for new in news.values()):
            return False
        self.captured = [news.get(id(tensor), tensor) for tensor in self.captured]
        self.updates = [(news.get(id(target), target), position) for target, position in self.updates]
        for guard, tensor in swaps:
            guard.expected = tensor
        return self.holds()

    def call(
        self, inputs: Sequence[np.ndarray], leaves: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Run on the arguments. The leaves are their run-time inputs; `inputs` is the result of `read` for them."""
        assert self.run is not None
        assert self.build is not None
        arrays = self.run(*inputs)
        result = self.build(arrays, args, kwargs)
        for target, position in self.updates:
            update_data(leaves[target] if isinstance(target, int) else target, arrays[position])
        if self.build_attributes is not None:
            stored = self.build_attributes(arrays, args, kwargs, leaves, self.captured)
            for (owner, name), value in zip(self.attributes, stored, strict=True):
                if isinstance(owner, Argument):
                    owner.change(args, kwargs, value)
                else:
                    write_attribute(owner() if isinstance(owner, weakref.ref) else owner, name, value)
        return result


def _type(array: np.ndarray) -> tuple[Any, tuple[int, ...]]:
    """The dtype and shape of an array."""
    return array.dtype, array.shape


def write_attribute(owner: Any, name: str, value: Any) -> None:
    """Set an attribute that a compiled function assigns, as the program does after each run."""
    if isinstance(owner, Cell) and not isinstance(value, (Parameter, Cell)) and name not in owner._params:
        slot = owner._buffers if name in owner._buffers else owner.__dict__
        slot[name] = value
        Changes.version += 1
    else:
        setattr(owner, name, value)


def builder(expression: str, results: Results) -> Callable[..., Any]:
    """The function that builds a value from the output arrays, the arguments and the captured tensors."""
    namespace = {"W": Tensor._wrap, "C": results.constants, "NO": {}, "__name__": __name__}
    found: Callable[..., Any] = eval(f"lambda r, args=(), kwargs=NO, L=(), K=(): {expression}", namespace)
    return found


def _is_lookup(guard: Guard) -> bool:
    """Whether a guard is on an existing variable, and holds as long as it is the same object."""
    if guard.slot is None or not guard.by_identity:
        return False
    owner, _ = guard.slot
    return isinstance(owner, CellType) or (type(owner) is dict and guard.expected is not None)


class _Unsuited(Exception):
    """An argument that emitted dispatch cannot handle."""


class Dispatch:
    """Writes the dispatch of one entry: checks of arguments and guards, the run, the result, as straight-line
    Python."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"MISS": MISS, "Tensor": Tensor, "Layouts": Layouts, "Changes": Changes}
        self.checks: list[str] = []
        self.arrays: list[str] = []
        self.leaves: list[str] = []
        self.parameters: list[str] = []

    def name(self, value: Any, hint: str) -> str:
        name = f"{hint}{len(self.names)}"
        self.names[name] = value
        return name

    def miss_if(self, condition: str) -> None:
        self.checks.append(f"    if {condition}: return MISS")

    def argument(self, key: Any, name: str) -> None:
        """Check an argument against its part of the signature."""
        if isinstance(key, SameObject):
            self.miss_if(f"{name} is not {self.name(key.value, 'object')}")
            if isinstance(key.value, Parameter):
                self.parameters.append(name)
        elif isinstance(key, type) and key in NUMBERS:
            self.miss_if(f"type({name}) is not {self.name(key, 'kind')}")
            self.arrays.append(f"{self.name(array_of, 'array_of')}({name})")
            self.leaves.append("")
        elif not isinstance(key, tuple) or not key:
            raise _Unsuited
        elif isinstance(key[0], np.dtype):
            self.miss_if(f"type({name}) is not Tensor")
            self.checks.append(f"    {name}_data = {name}._data")
            self.miss_if(
                f"{name}_data.dtype is not {self.name(key[0], 'dtype')} or {name}_data.shape != {spell(key[1])}"
            )
            self.arrays.append(f"{name}_data")
            self.leaves.append(name)
        elif key[0] is type(None):
            self.miss_if(f"{name} is not None")
        elif key[0] in (bool, int, str):
            kind = self.name(key[0], "kind")
            self.miss_if(f"type({name}) is not {kind} or {name} != {spell(key[1])}")
        elif key[0] in (tuple, list):
            kind = self.name(key[0], "kind")
            items = [f"{name}_{position}" for position in range(len(key) - 1)]
            self.miss_if(f"type({name}) is not {kind} or len({name}) != {len(items)}")
            if items:
                self.checks.append(f"    {', '.join(items)}, = {name}")
            for part, item in zip(key[1:], items, strict=True):
                self.argument(part, item)
        else:
            raise _Unsuited

    def guards(self, guards: Guards) -> None:
        """Check the guards: those on Cells only after some Cell has changed, the others one by one."""
        holder = self.name(guards, "guards")
        if guards.cells:
            self.miss_if(f"{holder}.seen != Changes.version and not {holder}.cells_hold()")
        self.lookups(guards)
        for guard in guards.others.values():
            expected = self.name(guard.expected, "expected")
            if guard.by_identity and guard.slot is not None:
                owner, key = guard.slot
                if _is_lookup(guard):
                    continue
                where = self.name(owner, "namespace")
                if isinstance(owner, type):
                    self.miss_if(f"getattr({where}, {spell(key)}, None) is not {expected}")
                elif isinstance(owner, FunctionType) or key == "__class__":
                    self.miss_if(f"{where}.{identifier(key)} is not {expected}")
                else:
                    self.miss_if(f"{where}.get({spell(key)}) is not {expected}")
            elif guard.by_identity:
                self.miss_if(f"{self.name(guard.read, 'read')}() is not {expected}")
            else:
                changed = f"not {self.name(guard.holds, 'holds')}()"
                if guard.has_scalar and guard.slot is not None and type(guard.slot[0]) is dict:
                    where = f"{self.name(guard.slot[0], 'namespace')}.get({spell(guard.slot[1])})"
                    changed = f"{where} is not {self.name(guard.scalar, 'scalar')} and {changed}"
                self.miss_if(changed)

    def updates(self, entry: Entry) -> list[str]:
        """Check that arguments are different tensors, none of them a selection of another one. Returns the statements
        that give those that are updated their new arrays."""
        tensors = list(filter(None, self.leaves)) if entry.updates else []
        for number, one in enumerate(tensors):
            same = [f"{one} is {other}" for other in tensors[:number]]
            self.miss_if(" or ".join([f"{one}._base is not None", *same]))
        self.overlaps(entry)
        update = self.name(update_data, "update_data")
        return [f"    {update}({self.leaves[target]}, r[{position}])" for target, position in entry.updates]

    def overlaps(self, entry: Entry) -> None:
        """Where one of several arguments is updated, check that those with the memory of arrays overlap no other."""
        tensors = list(filter(None, self.leaves))
        written = entry.updates or (self.parameters and entry.graph is not None and entry.graph.donated)
        if written and len(tensors) + len(self.parameters) > 1:
            share = " or ".join(f"{one}._shares" for one in tensors)
            every = ", ".join([*tensors, *self.parameters])
            if share:
                pairs = f"{self.name(overlapping, 'overlapping')}(({', '.join(tensors)},), {every})"
                self.miss_if(f"({share}) and {pairs}")

    def lookups(self, guards: Guards) -> None:
        """Check the variables that a function reads. If a look-up fails, the variable was deleted."""
        checks = []
        for guard in filter(_is_lookup, guards.others.values()):
            owner, key = guard.slot or (None, "")
            where = f".{key}" if isinstance(owner, CellType) else f"[{spell(key)}]"
            read, expected = self.name(owner, "namespace") + where, self.name(guard.expected, "expected")
            checks.append(f"        if {read} is not {expected}: return MISS")
        if checks:
            self.checks += ["    try:", *checks, "    except (KeyError, ValueError): return MISS"]

    def captured(self, entry: Entry) -> list[str]:
        """Read the arrays of captured tensors, once, while no tensor changes its type. Returns them as arguments."""
        if not entry.captured:
            return []
        self.checks.append("    version = Layouts.version")
        self.miss_if(f"version != {self.name(entry.seen, 'seen')}.version")
        if len(entry.captured) > MOST_READ_ALONE:
            names = ["*captured"]
            self.checks.append(f"    captured = [each._data for each in {self.name(entry.captured, 'tensors')}]")
        else:
            names = [f"c{position}" for position in range(len(entry.captured))]
            for name, tensor in zip(names, entry.captured, strict=True):
                self.checks.append(f"    {name} = {self.name(tensor, 'tensor')}._data")
        self.miss_if("version != Layouts.version")
        return names


MOST_APART = 8  # arguments that are compared with each other
MOST_READ_ALONE = 64  # captured tensors, each by a statement; more are read as fast by a loop, which compiles sooner


def _updates_arguments(entry: Entry) -> bool:
    """Whether all that a run updates are a few arguments, which are tensors apart from each other."""
    apart = all(each == (0, False) for each in entry.sharing or ())
    known = all(isinstance(target, int) for target, _ in entry.updates)
    few = not entry.updates or (len(entry.sharing or ()) <= MOST_APART and not entry.captured)
    return apart and known and few and bool(entry.updates) == bool(entry.sharing)


def _run(entry: Entry, arrays: str) -> list[str]:
    """The statements that run the program: on a free arena, as `Program.run` does, which saves its frame."""
    if entry.arenas is None:
        return [f"    r = {RUN}({arrays})"]
    take = ["    try: own = pop()", "    except IndexError: own = another()"]
    return [*take, f"    try: r = own[0]({arrays})", "    finally: push(own)"]


def emit_dispatch(name: str, expression: str, constants: list[Any], entry: Entry) -> Callable[..., Any] | None:
    """The entry's dispatch as a function of the tuple of arguments; None if the arguments need the general path."""
    if not isinstance(entry.key, tuple) or "**" in entry.key or entry.attributes or not _updates_arguments(entry):
        return None
    dispatch = Dispatch()
    arguments = [f"a{position}" for position in range(len(entry.key))]
    try:
        for key, argument in zip(entry.key, arguments, strict=True):
            dispatch.argument(key, argument)
    except _Unsuited:
        return None
    dispatch.guards(entry.guards)
    captured = dispatch.captured(entry)
    updates = dispatch.updates(entry)
    build = [f"    result = {expression}", *updates, "    return result"] if updates else [f"    return {expression}"]
    unpack = f"    {', '.join(arguments)}, = args" if arguments else ""
    source = "\n".join(
        [
            "def dispatch(args):",
            f"    if len(args) != {len(arguments)}: return MISS",
            unpack,
            *dispatch.checks,
            *_run(entry, ", ".join([*dispatch.arrays, *captured])),
            *build,
        ]
    )
    names = {"W": Tensor._wrap, "C": constants, "kwargs": {}, "__name__": __name__}
    namespace = {**dispatch.names, **entry.run_names(), **names}
    file = register(f"<mycel dispatch of {name}>", source, ShownLines)
    exec(compile(source, file, "exec"), namespace)
    function = namespace.pop("dispatch")  # whose globals this is
    weakref.finalize(function, forget, file).atexit = False
    return function

"""The `Op` record: everything mycel knows about one operation, in one place."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal as Choice

import numpy as np

from ...runtime.records import dataclass
from .types import TensorType

Kind = Choice[
    "elementwise",  # one output element reads one element of each (broadcast) input; may fuse and run in place
    "reduction",  # sums, maxima … over axes
    "view",  # the output shares the input's memory
    "matmul",  # products that a BLAS computes
    "creation",  # no tensor inputs
    "random",  # draws from the generator: kept, ordered, never merged
    "effect",  # print, assert …: kept, ordered, never merged
    "collective",  # run by several processes together: kept, ordered, never merged
    "branch",  # runs one of two graphs
    "loop",  # repeats a graph; `compiler/ir/loops.py` has its parts
    "call",  # runs a graph whose derivative is its own
    "group",  # runs a graph of elementwise nodes and reductions tile by tile
    "kernel",  # runs such a graph as machine code
    "loop_kernel",  # repeats such a graph as machine code
    "opaque",  # anything else
]
Infer = Callable[..., "TensorType | tuple[TensorType, ...]"]


@dataclass(frozen=True)
class Attribute:
    """A kind of attribute. They are defined in `compiler/ir/attributes.py`.

    Attributes:
        what: it, as an error says it: "a tuple of integers".
        holds: whether a value is that.
        required: whether every node of the op has to give it.
    """

    what: str
    holds: Callable[[Any], bool]
    required: bool = True


@dataclass(frozen=True, eq=False)
class Op:
    """One operation.

    Attributes:
        name: name in the IR; unique.
        kind: it says what passes may do with nodes (see `Kind`); opaque if it is not given. No pass knows ops by name.
        infer: `(*input types, **attrs)` to the output type, or a tuple of types for several outputs. Raises
            TypeError or ValueError in the user's terms where the inputs don't fit.
        attrs: the attributes that nodes of this op have, by name. The verifier refuses others.
        kernel: `(*arrays, **attrs)` to an array (or a tuple of arrays): the op's meaning, on NumPy. If it has a
            parameter `out`, it is given an array of the output's type (for several outputs a tuple), which it fills and
            returns. If not, it may return a fresh array or, for views, one that shares memory. It never changes its
            inputs.
        vjp: `(*inputs, out, dout, **attrs)` to one cotangent an input (a tuple; None is zero; a single input may
            give it bare; `NoDerivative` is an error if the input is differentiated by). Ordinary code over ops on
            symbols. For ops with several outputs `out` and `dout` are tuples, in which an absent `dout` is None.
            Broadcasting of inputs is undone by the caller. No vjp: not differentiable, zero.
        linearize: for ops that hold graphs, in place of vjp: see `compiler/transforms/differentiate.py`.
        batch: `(batch, *inputs, **attrs)` to the outputs on a batch of rows, along a new first axis: ordinary code over
            ops on symbols (see `compiler/transforms/vectorize.py`). NotImplemented, or no rule: row by row (elementwise
            ops broadcast and need none).
        definition: `(*inputs, **attrs)` to the same value by simpler ops: ordinary code over ops on symbols. The pass
            lower puts it in the op's place before fusion; None where the op stays. An op that needs no kernel and no
            rule of its own has them by its definition, too (see `compiler/ops/composite.py:defined_op`).
        single: whether the kernel computes halves in float32, and rounds its results once. Then the pass lower puts
            casts before and after: kernels of machine code compute these with their neighbours.
        exact: whether an elementwise op's results have no more digits than its operands, so halves need no rounding.
        parts: for ops on complex numbers, `(op, *inputs, **attrs)` to the same by ops on real ones: of real and
            imaginary parts (`compiler/ops/parts.py`); None where they do not compute it.
        native_definition: as definition, by ops that kernels of machine code compute together faster than the op's own
            kernel; None where they do not. It is used only where there is machine code.
        with_fixed: as definition, where the first input is the same again and again, so that parts are computed once.
        above: for elementwise ops, what the output is above the diagonals of its matrices, by what the inputs are there
            (`compiler/ir/triangles.py`).
        rewrites: functions `(node) -> operand | None` tried by the pass simplify: an equal, cheaper value.
        emit: a code template for the emitter in place of a call of the kernel (see `compiler/ir/code.py`).
        paired: whether an elementwise op puts parts of complex numbers side by side, where kernels write them.
        native: for elementwise ops, whether kernels of machine code have a function of this name for it (see
            `runtime/native`).
        windows: for ops whose output is made of inputs at other places and zeros, `(node)` to these
            (`compiler/ops/windows.py:Window`; they do not overlap), so that kernels read them where they lie; None
            where a node is not that.
        gathers: for ops that read at positions, `(*inputs, **attrs)` to the same value in the form that kernels have
            (`compiler/ops/places.py`): ordinary code over ops on symbols; None where there is none.
        scatters: for ops that combine at positions, the same of what they combine alone: as if nothing were in the
            first input, of which only the type counts.
        stays: for ops that say which writes stay, the op that reads there, and the one that writes.
        distinct: whether the last output is positions, of which those along the attribute `axis` are all different.
        placed: for the two forms that kernels have of this, whether they read ("read") or combine ("combine").
        alone: for ops with several outputs an op that gives the first one sooner, if nothing reads the others: it has
            the same inputs, and some of the attributes.
        scan: for running reductions along an axis what they combine by, as kernels know it; such ops have the
            attributes axis, exclusive and reverse.
        scratch: `(*input types, **attrs)` to the type of the vector that the kernel takes as `scratch=` to work in, or
            None where it needs none; the plan gives it bytes of the arena.
        c_order: whether the op's machine code reads arrays in C order alone: views in another order are copied for it.
        flops: `(input types, output types, **attrs)` to the floating-point operations of products and convolutions; no
            function where there are none to count.
        cheap: whether rematerialization is cheaper than keeping the value: it takes a few instructions.
        keeps_order: for views, whether they have the input's elements in the input's order, without gaps.
        infallible: whether the kernel cannot fail, though the op is not elementwise.
        inplace: whether `out`, or the first of several, may be the first inputs' memory when types agree (elementwise
            ops always may).
        commutative: whether swapping two inputs changes nothing (for merging common subexpressions).
        crosses: whether another process reads a node's inputs, or computes its outputs. Then the other's
            results may depend on it though none of this process do, so its vjp is always run; `dout` may be None.
        cuts: `(node)` to how it is computed from parts of tensors that are cut over processes
            (`compiler/ir/layouts.py:Cuts`); None where it is not. Elementwise ops need no rule.
        sent: for ops that send something `(bytes of the inputs, processes)` to the bytes that a process sends at least.
        begins: whether a node only begins its work: nothing but one node of an op that `ends` it may read its output.
        ends: whether a node waits for the work that another one began, and returns its result.
        separate: whether the output shares no memory with inputs but the first, and none with a Parameter that is
            written to, though the kernel has no `out`.
        internal: whether only passes make nodes of this op, so that no graph from a file may have one.
        samples: `() -> list of Sample`, inputs for the tests of kernel, type and gradient. Wheels have none.
        doc: one sentence for the op table.
        has_effect: whether nodes of this op are kept, in order, even if nothing reads them.
        holds_graphs: whether nodes of this op have graphs among their attributes.
        is_native: whether nodes of this op run as machine code.
        is_group: whether nodes of this op are fused groups.
    """

    name: str
    infer: Infer
    kernel: Callable[..., Any]
    kind: Kind = "opaque"
    attrs: Mapping[str, Attribute] = field(default_factory=dict)
    vjp: Callable[..., Any] | None = None
    linearize: Callable[..., Any] | None = None
    batch: Callable[..., Any] | None = None
    definition: Callable[..., Any] | None = None
    single: bool = False
    exact: bool = False
    parts: Callable[..., Any] | None = None
    native_definition: Callable[..., Any] | None = None
    with_fixed: Callable[..., Any] | None = None
    above: Callable[..., str | None] | None = None
    rewrites: tuple[Callable[..., Any], ...] = ()
    emit: Callable[..., Any] | None = None
    paired: bool = False
    native: bool = False
    windows: Callable[..., Any] | None = None
    gathers: Callable[..., Any] | None = None
    stays: tuple[Op, Op] | None = None
    distinct: bool = False
    placed: str = ""
    scatters: Callable[..., Any] | None = None
    alone: Op | None = None
    scan: str = ""
    scratch: Callable[..., TensorType | None] | None = None
    c_order: bool = False
    flops: Callable[..., int] | None = None
    cheap: bool = False
    keeps_order: bool = False
    infallible: bool = False
    inplace: bool = False
    commutative: bool = False
    crosses: bool = False
    cuts: Callable[..., Any] | None = None
    sent: Callable[[int, int], int] | None = None
    begins: bool = False
    ends: bool = False
    separate: bool = False
    internal: bool = False
    samples: Callable[[], list[Sample]] | None = None
    doc: str = ""
    has_effect: bool = field(init=False)
    holds_graphs: bool = field(init=False)
    is_native: bool = field(init=False)
    is_group: bool = field(init=False)

    def __post_init__(self) -> None:
        own, kind = self.__dict__, self.kind  # passes ask all the time, and Python reads properties slowly
        own["has_effect"] = kind in ("effect", "random", "collective")
        own["holds_graphs"] = kind in ("branch", "loop", "call", "group", "kernel", "loop_kernel")
        own["is_native"] = kind in ("kernel", "loop_kernel")
        own["is_group"] = kind in ("group", "kernel")

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def __reduce__(self) -> str:
        raise TypeError(f"op {self.name} is not picklable; save IR text in its place")

    def __call__(self, *operands: Any, **attrs: Any) -> Any:
        """Record this op on symbols in the active recorder; Python numbers become literals of the operands' dtype."""
        recorder = ACTIVE.recorder
        if recorder is None:
            raise RuntimeError(f"op '{self.name}' was called on symbols outside a recorder")
        return recorder.apply(self, operands, attrs)

    @cached_property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        """The parameters of a kernel that is no ufunc."""
        return inspect.signature(self.kernel).parameters

    @cached_property
    def writes_out(self) -> bool:
        """Whether the kernel takes `out=` and writes its result there."""
        return isinstance(self.kernel, np.ufunc) or "out" in self._parameters

    @cached_property
    def operand_counts(self) -> tuple[int, int | None]:
        """The fewest and the most operands that the kernel takes; None for any number."""
        if isinstance(self.kernel, np.ufunc):
            return self.kernel.nin, self.kernel.nin
        given = {"out", "scratch", *self.attrs}
        parameters = [each for each in self._parameters.values() if each.name not in given]
        names = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        fewest = sum(each.default is each.empty for each in names)
        return fewest, None if any(each.kind == each.VAR_POSITIONAL for each in parameters) else len(names)

    def check_operands(self, count: int) -> None:
        """Raise TypeError for a wrong number of operands."""
        fewest, most = self.operand_counts
        if count < fewest or (most is not None and count > most):
            takes = str(fewest) if fewest == most else f"{fewest} or more" if most is None else f"{fewest} to {most}"
            raise TypeError(f"{self.name} takes {takes} operands, but is given {count}")

    def check_attrs(self, attrs: Mapping[str, Any]) -> None:
        """Raise TypeError for attributes that this op does not declare."""
        for name, value in attrs.items():
            kind = self.attrs.get(name)
            if kind is None:
                known = f"it has {', '.join(self.attrs)}" if self.attrs else "it has none"
                raise TypeError(f"{self.name}: there is no attribute {name!r}; {known}")
            if not kind.holds(value):
                shown = repr(value)
                shown = shown if len(shown) <= 80 else f"{shown[:80]}..."
                raise TypeError(f"{self.name}: the attribute {name!r} should be {kind.what}, but is {shown}")
        for name, kind in self.attrs.items():
            if kind.required and name not in attrs:
                raise TypeError(f"{self.name}: the attribute {name!r} is missing, {kind.what}")

    @property
    def is_speculatable(self) -> bool:
        """Whether nodes of this op may be computed where the program would not compute them. Others may raise."""
        return self.kind in ("elementwise", "reduction", "matmul", "view")


@dataclass(frozen=True)
class NoDerivative:
    """A rule returns this in place of the cotangent of an input for which no rule is known. To differentiate by the
    input is an error.

    Attributes:
        message: the text of the error, with what can be done.
    """

    message: str


@dataclass(frozen=True)
class Sample:
    """Inputs for tests of an op: arrays, attributes, and whether to check the gradient there."""

    inputs: tuple[Any, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)
    gradient: bool = True


class _Active(threading.local):
    recorder: Any = None


ACTIVE = _Active()
"""The recorder of this thread that op calls on symbols go to."""

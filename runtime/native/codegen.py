"""Kernels from their texts: checked, then machine code in a function, or NumPy where there is no machine code."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..machine.assembler import (
    RBP,
    RSP,
    with_numbers,
)
from ..machine.executable import (
    Function,
    code_address,
    counts_bits,
    make_complete_function,
    make_function,
    refusing,
    unavailable,
)
from ..machine.python_calls import complete_entry
from ..machine.symbolic_sizes import SizeTrace, Templates
from ..records import NamedTuple
from .arguments import by_copies
from .boundary import STACK
from .builder import Unsupported, packed
from .check import check
from .contraction import contracted
from .demanded_bits import with_demanded_bits
from .evaluate import evaluator
from .generator import Generator
from .idioms import with_idioms
from .language import READ, Kernel, parse, without_names
from .sizes import kind_of, with_sizes
from .streams import streamed, two_functions
from .turned_rows import buffer_bytes, with_near
from .vectors import AVX512, Vectors, choose_vectors, with_halves
from .words import with_words

_logged: list[str] = []  # why machine code could not be had, once


def compile_kernel(text: str, name: str = "kernel", wide: bool | None = None) -> Function:
    """The function for a kernel's text. It takes the arrays in order, exactly as the text declares them.

    It returns True. It returns False, and does nothing, if an argument is no array, has another dtype or shape, is not
    contiguous or not aligned, or must be written to and is read-only. If there is no machine code, for example because
    the system refuses executable memory, NumPy computes the same; the first time a line in the log says why. `wide`:
    whether vectors have 64 bytes, where the processor has such; by default that depends on the kernel.

    Raises `Unsupported` for a kernel that fails the checks, and ValueError for a text that cannot be parsed.
    """
    return _compiled(text, wide, lambda code: make_function(code, name, text))


def complete_kernel(text: str) -> Function:
    """`compile_kernel` for programs: where its function would return False, this one computes with copies of the
    arrays, or raises what is wrong with them (`by_copies`)."""

    def make(code: bytes) -> Function:
        return make_complete_function(complete_entry(), code, "kernel", text, _copied)

    function = _compiled(text, None, make)
    return function if code_address(function) is not None else partial(_complete, function)


def refusing_kernel(function: Any) -> Function:
    """The function that `compile_kernel` gives for the text of one of `complete_kernel`."""
    found: Function = function.args[0] if isinstance(function, partial) else refusing(function)
    return found


def _complete(kernel: Function, *arrays: np.ndarray) -> bool:
    if not kernel(*arrays):
        _copied(kernel, *arrays)
    return True


def _copied(kernel: Function, *arrays: np.ndarray) -> None:
    by_copies(kernel, _written(kernel.__doc__ or ""), *arrays)


@lru_cache(maxsize=256)
def _written(text: str) -> int:
    """How many arrays a kernel writes."""
    return sum(array.role not in READ for array in parse(text).arrays)


class NumberedKernel(NamedTuple):
    """A kernel without names, its `_outline`, and its `kind`."""

    kernel: Kernel
    outlined: tuple[tuple[object, ...], tuple[float, ...]]
    kind: tuple[Hashable, tuple[int, ...]] | None


_printed: dict[str, NumberedKernel] = {}
MOST_PRINTED = 1 << 13  # they are kept until their program is loaded
_waiting: dict[Hashable, set[tuple[int, ...]]] = {}  # the sizes of what has been printed, by kinds


def remember(text: str, kernel: Kernel) -> None:
    """Keep the kernel of a text that has just been printed: the program that has it need not parse it."""
    if len(_printed) >= MOST_PRINTED:
        _printed.clear()
        _waiting.clear()
    known = _printed[text] = _known(without_names(kernel))
    if known.kind is not None:
        key, sizes = known.kind
        _waiting.setdefault(key, set()).add(sizes)


def _leaves_others(key: Hashable, sizes: tuple[int, ...]) -> bool:
    """Whether kernels of a kind, but of other sizes, are to follow one that is compiled now."""
    waiting = _waiting.get(key, set())
    waiting.discard(sizes)
    if not waiting:
        _waiting.pop(key, None)
    return bool(waiting)


def _known(kernel: Kernel) -> NumberedKernel:
    kernel = with_words(kernel)
    outlined = _outline(kernel)
    return NumberedKernel(kernel, outlined, kind_of(kernel, outlined[0][-1]))


def _compiled(text: str, wide: bool | None, make: Callable[[bytes], Function]) -> Function:
    known = _printed.pop(text.strip(), None) or _known(without_names(parse(text)))
    if (*known.outlined[0], wide) not in _chosen:  # else one with other numbers has been checked
        check(known.kernel)
    several = known.kind is not None and _leaves_others(*known.kind)
    reason = unavailable()
    if reason is None:
        try:
            return make(_machine_code(known, wide, several))
        except (Unsupported, OSError, MemoryError, struct.error, OverflowError) as error:
            check(known.kernel)
            reason = unavailable() or str(error) or type(error).__name__
    if not _logged:
        import logging  # which few programs load

        _logged.append(reason)
        logging.getLogger("mycel").warning("NumPy computes what kernels of machine code would: %s", reason)
    return evaluator(parse(text), text)


def machine_code(text: str, wide: bool | None = None) -> bytes:
    """The machine code for a kernel's text, shared by kernels that differ only in names. Raises `Unsupported` if there
    is none."""
    known = _known(parse(text))
    check(known.kernel)
    return _machine_code(known, wide)


MOST_KEPT = 2048  # kernels whose machine code is kept


class CodeTemplate(NamedTuple):
    """Machine code, with the numbers that may be others in kernels that share it.

    Attributes:
        code: the code for `numbers`.
        numbers: the different finite numbers of the kernel, other than 0.
        holes: of those that only stand behind the code: which one, its dtype, and where its bytes are, and how many.
        symbols: of numbers in instructions that come from sizes: where they are, their bytes, and which value of a
            trace they are.
    """

    code: bytes
    numbers: tuple[float, ...]
    holes: tuple[tuple[int, str, int, int], ...]
    symbols: tuple[tuple[int, int, int], ...] = ()

    def filled(self, numbers: tuple[float, ...]) -> bytes | None:
        """The code for other numbers; None if one of them needs code of its own."""
        if numbers == self.numbers:
            return self.code
        code = bytearray(self.code)
        for hole, dtype, start, size in self.holes:
            if "float" not in dtype:  # which not every number is one of
                return None
            lane = packed(numbers[hole], dtype)
            if not _is_plain(lane):
                return None
            code[start : start + size] = lane * (size // len(lane))
        return bytes(code)

    def resized(self, values: list[int], numbers: tuple[float, ...]) -> CodeTemplate | None:
        """The template with other values of its trace, and other numbers; None if these need code of their own."""
        free = {hole for hole, *_ in self.holes}
        if any(one != self.numbers[at] for at, one in enumerate(numbers) if at not in free):
            return None
        filled = self.filled(numbers)
        code = with_numbers(filled, self.symbols, values) if filled is not None else None
        return CodeTemplate(code, numbers, self.holes) if code is not None else None


_codes: dict[Hashable, CodeTemplate] = {}
_chosen: dict[Hashable, tuple[int, ...]] = {}  # by what kernels have but numbers: the numbers on which code depends
_sized: Templates[CodeTemplate] = Templates()


def forget() -> None:
    """Forget the code of all kernels; functions keep theirs."""
    _codes.clear()
    _chosen.clear()
    _sized.forget()


def _machine_code(known: NumberedKernel, wide: bool | None = None, several: bool = False) -> bytes:
    """The machine code of a kernel; equal layers share it, and so do kernels that differ in numbers which their
    instructions only read, or in sizes. `several`: whether others of its kind are to follow."""
    kernel, (outline, numbers), kind = known
    outline += (wide,)
    found = _codes.get((outline, tuple([numbers[at] for at in _chosen.get(outline, ())])))
    code = found.filled(numbers) if found is not None else None
    if code is None:
        target = KernelTarget.of(kernel, wide)
        write, fill = partial(_template, kernel, numbers, target), partial(CodeTemplate.resized, numbers=numbers)
        if kind is not None:
            key, sizes = kind
            made = _sized.code((key, target), sizes, write, fill, several)
        else:
            made = write(None)
        if len(_codes) >= MOST_KEPT:
            forget()
        holes = {hole for hole, *_ in made.holes}
        fixed = {at for at in range(len(numbers)) if at not in holes}
        chosen = _chosen[outline] = tuple(sorted(fixed.union(_chosen.get(outline, ()))))
        _codes[outline, tuple([numbers[at] for at in chosen])] = made
        code = made.code
    return code


def _outline(kernel: Kernel) -> tuple[tuple[object, ...], tuple[float, ...]]:
    """A kernel without its different finite numbers, other than 0, and these."""
    numbers: dict[float, str] = {}
    statements = []
    for statement in kernel.statements:
        words: list[object] = [statement.name, statement.function, statement.dtype]
        for argument in statement.arguments:
            if isinstance(argument, str):
                words.append(argument)
                continue
            value, dtype = argument
            if isinstance(value, float) and value and math.isfinite(value):
                words.append((numbers.setdefault(value, f"number {len(numbers)}"), dtype))
            else:
                words.append((repr(value), dtype))  # 0.0 is not -0.0
        statements.append(tuple(words))
    return (kernel.extents, kernel.arrays, kernel.pieces, kernel.until, kernel.flush, tuple(statements)), tuple(numbers)


def _is_plain(lane: bytes) -> bool:
    """Whether code reads a number as it does others: not zero, and not of two equal halves, which are stored once."""
    return any(lane) and (len(lane) < 8 or lane[:4] != lane[4:])


class KernelTarget(NamedTuple):
    """The vectors that a kernel is written in, and its outputs that are written past the caches."""

    vectors: Vectors
    past: frozenset[str]

    @classmethod
    def of(cls, kernel: Kernel, wide: bool | None) -> KernelTarget:
        """The target of a kernel."""
        kernel = with_near(kernel)
        vectors = choose_vectors(kernel, wide)
        return cls(vectors, streamed(with_halves(kernel) if vectors is AVX512 else kernel, vectors.nbytes))


def _template(
    kernel: Kernel, numbers: tuple[float, ...], target: KernelTarget, trace: SizeTrace | None = None
) -> CodeTemplate:
    """The code of a kernel; with a trace for its sizes as symbolic ones."""
    dtypes, (vectors, names) = check(kernel), target
    kernel = contracted(kernel, dtypes)
    if trace is not None:
        kernel = with_sizes(kernel, trace.sizes)
    if vectors is AVX512:
        kernel = with_halves(with_demanded_bits(with_idioms(kernel, dtypes, counts_bits()), dtypes))
    code, generator = _function(kernel, dtypes, vectors, names)
    if names:
        code, *starts = two_functions(kernel, names, code, generator.with_plain_stores(code), vectors.nbytes)
        symbols = [(start + place, size, value) for start in starts for place, size, value in generator.symbols]
        return CodeTemplate(code, numbers, (), tuple(symbols))
    places = generator.given()
    read = {value for value, dtype, place in places if place is None or not _is_plain(packed(value, dtype))}
    holes = [
        (numbers.index(value), dtype, *place)
        for value, dtype, place in places
        if place is not None and value not in read and value in numbers
    ]
    return CodeTemplate(code, numbers, tuple(holes), tuple(generator.symbols))


def _function(
    kernel: Kernel, dtypes: Mapping[str, str], vectors: Vectors, names: Collection[str]
) -> tuple[bytes, Generator]:
    """The machine code of one function, whose memory is on the stack, or on the heap if it is much, and its generator.
    `names`: of the outputs that are written past the caches."""
    for base in (RSP, RBP) if buffer_bytes(kernel) < STACK else (RBP,):
        generator = Generator(kernel, dtypes, base, vectors, names)
        code = generator.run()
        if code is not None:
            break
    return code or b"", generator

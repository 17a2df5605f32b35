"""Kernels from their texts: checked, then machine code in a function, or NumPy where there is no machine code."""

from __future__ import annotations

import logging
import math
import struct
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..machine.assembler import (
    RBP,
    RSP,
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
from ..records import NamedTuple
from .arguments import by_copies
from .builder import Unsupported, packed
from .check import check
from .demanded_bits import with_demanded_bits
from .evaluate import evaluator
from .generator import Generator, Given
from .idioms import with_idioms
from .language import READ, Kernel, parse, without_names
from .streams import streamed, two_functions
from .vectors import AVX512, Vectors, choose_vectors

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


_printed: dict[str, Kernel] = {}
MOST_PRINTED = 1 << 13  # they are kept until their program is loaded


def remember(text: str, kernel: Kernel) -> None:
    """Keep the kernel of a text that has just been printed: the program that has it need not parse it."""
    if len(_printed) >= MOST_PRINTED:
        _printed.clear()
    _printed[text] = without_names(kernel)


def _compiled(text: str, wide: bool | None, make: Callable[[bytes], Function]) -> Function:
    numbered = _printed.pop(text.strip(), None) or without_names(parse(text))
    outlined = _outline(numbered)
    if (*outlined[0], wide) not in _chosen:  # else one with other numbers has been checked
        check(numbered)
    reason = unavailable()
    if reason is None:
        try:
            return make(_machine_code(numbered, *outlined, wide))
        except (Unsupported, OSError, MemoryError, struct.error, OverflowError) as error:
            check(numbered)
            reason = unavailable() or str(error) or type(error).__name__
    if not _logged:
        _logged.append(reason)
        logging.getLogger("mycel").warning("NumPy computes what kernels of machine code would: %s", reason)
    return evaluator(parse(text), text)


def machine_code(text: str, wide: bool | None = None) -> bytes:
    """The machine code for a kernel's text, shared by kernels that differ only in names. Raises `Unsupported` if there
    is none."""
    kernel = parse(text)
    return _machine_code(kernel, *_outline(kernel), wide)


MOST_KEPT = 512  # kernels whose machine code is kept


class CodeTemplate(NamedTuple):
    """Machine code, with the numbers that may be others in kernels that share it.

    Attributes:
        code: the code for `numbers`.
        numbers: the different finite numbers of the kernel, other than 0.
        holes: of those that only stand behind the code: which one, its dtype, and where its bytes are, and how many.
    """

    code: bytes
    numbers: tuple[float, ...]
    holes: tuple[tuple[int, str, int, int], ...]

    def filled(self, numbers: tuple[float, ...]) -> bytes | None:
        """The code for other numbers; None if one of them needs code of its own."""
        code = bytearray(self.code)
        for hole, dtype, start, size in self.holes:
            if "float" not in dtype:  # which not every number is one of
                return None
            lane = packed(numbers[hole], dtype)
            if not _is_plain(lane):
                return None
            code[start : start + size] = lane * (size // len(lane))
        return bytes(code)


_codes: dict[Hashable, CodeTemplate] = {}
_chosen: dict[Hashable, tuple[int, ...]] = {}  # by what kernels have but numbers: the numbers on which code depends


def _machine_code(
    kernel: Kernel, outline: tuple[object, ...], numbers: tuple[float, ...], wide: bool | None = None
) -> bytes:
    """The machine code of a kernel, with its `_outline`; equal layers share it, and so do kernels that differ in
    numbers which their instructions only read."""
    outline += (wide,)
    found = _codes.get((outline, tuple([numbers[at] for at in _chosen.get(outline, ())])))
    code = found.filled(numbers) if found is not None else None
    if code is None:
        made = _template(kernel, numbers, wide)
        if len(_codes) >= MOST_KEPT:
            _codes.clear()
            _chosen.clear()
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


def _template(kernel: Kernel, numbers: tuple[float, ...], wide: bool | None) -> CodeTemplate:
    """The code of a kernel."""
    dtypes = check(kernel)
    vectors = choose_vectors(kernel, wide)
    if vectors is AVX512:
        kernel = with_demanded_bits(with_idioms(kernel, dtypes, counts_bits()), dtypes)
    names = streamed(kernel, vectors.nbytes)
    code, places = _function(kernel, dtypes, vectors)
    if names:
        past, _ = _function(kernel, dtypes, vectors, names)
        return CodeTemplate(two_functions(kernel, names, past, code, vectors.nbytes), numbers, ())
    read = {value for value, dtype, place in places if place is None or not _is_plain(packed(value, dtype))}
    holes = [
        (numbers.index(value), dtype, *place)
        for value, dtype, place in places
        if place is not None and value not in read and value in numbers
    ]
    return CodeTemplate(code, numbers, tuple(holes))


def _function(
    kernel: Kernel, dtypes: Mapping[str, str], vectors: Vectors, names: Collection[str] = ()
) -> tuple[bytes, list[Given]]:
    """The machine code of one function, whose memory is on the stack, or on the heap if it is much, and its numbers.
    `names`: of the outputs that are written past the caches."""
    for base in (RSP, RBP):
        generator = Generator(kernel, dtypes, base, vectors, names)
        code = generator.run()
        if code is not None:
            break
    return code or b"", generator.given()

"""Kernels from their texts: checked, then machine code in a function, or NumPy where there is no machine code."""

from __future__ import annotations

import logging
import struct
from collections.abc import Callable, Collection, Mapping
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
from .builder import Unsupported
from .calls import by_copies
from .check import check
from .evaluate import evaluator
from .generator import Generator
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
    check(numbered)
    reason = unavailable()
    if reason is None:
        try:
            return make(_machine_code(str(numbered), numbered, wide))
        except (Unsupported, OSError, MemoryError, struct.error, OverflowError) as error:
            reason = unavailable() or str(error) or type(error).__name__
    if not _logged:
        _logged.append(reason)
        logging.getLogger("mycel").warning("NumPy computes what kernels of machine code would: %s", reason)
    return evaluator(parse(text), text)


def machine_code(text: str, wide: bool | None = None) -> bytes:
    """The machine code for a kernel's text, shared by kernels that differ only in names. Raises `Unsupported` if there
    is none."""
    return _machine_code(text, parse(text), wide)


MOST_KEPT = 512  # kernels whose machine code is kept

_codes: dict[tuple[str, bool | None], bytes] = {}


def _machine_code(text: str, kernel: Kernel, wide: bool | None = None) -> bytes:
    """The machine code of a kernel and its text; equal layers share it."""
    found = _codes.get((text, wide))
    if found is None:
        dtypes = check(kernel)
        vectors = choose_vectors(kernel, wide)
        if vectors is AVX512:
            kernel = with_idioms(kernel, dtypes, counts_bits())
        found = _function(kernel, dtypes, vectors)
        names = streamed(kernel, vectors.nbytes)
        if names:
            found = two_functions(kernel, names, _function(kernel, dtypes, vectors, names), found, vectors.nbytes)
        if len(_codes) >= MOST_KEPT:
            _codes.clear()
        _codes[text, wide] = found
    return found


def _function(kernel: Kernel, dtypes: Mapping[str, str], vectors: Vectors, names: Collection[str] = ()) -> bytes:
    """The machine code of one function, whose memory is on the stack, or on the heap if it is much. `names`: of the
    outputs that are written past the caches."""
    code = Generator(kernel, dtypes, RSP, vectors, names).run()
    return Generator(kernel, dtypes, RBP, vectors, names).run() or b"" if code is None else code

"""Several kernels chained into one function of machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..machine.assembler import (
    JUMP_EQUAL,
    JUMP_NOT_EQUAL,
    R12,
    R13,
    RAX,
    RBX,
    RCX,
    RDX,
    RSI,
    Assembler,
    Memory,
)
from ..machine.executable import Function, code_address, make_function, unavailable
from ..machine.python_calls import COUNTED

SMALL_NUMBERS = range(257)  # CPython has one object for each, for ever
_ARGUMENTS, _FAILED, _LEFT = RBX, R12, R13  # which the kernels preserve


def chain(kernels: Sequence[Function], counts: Sequence[int]) -> Callable[..., int] | None:
    """A function that calls these kernels. It takes the arguments of the first, of which there are `counts[0]`, then
    those of the second, and so on. No Python instruction runs in between.

    It returns the number of calls left. This is 0, unless a kernel refuses its arguments: then that kernel and those
    after it have not run. If a kernel raises an error, those after it run nevertheless.

    None if one of the kernels is not machine code.
    """
    addresses = [address for address in map(code_address, kernels) if address is not None]
    if unavailable() is not None or len(addresses) < len(kernels) or len(kernels) not in SMALL_NUMBERS:
        return None
    try:
        made: Any = make_function(_machine_code(addresses, counts), "chain", "", keeps=(*kernels,))
    except (OSError, MemoryError):
        return None
    chained: Callable[..., int] = made
    return chained


def _machine_code(addresses: Sequence[int], counts: Sequence[int]) -> bytes:
    code = Assembler()
    unfit, refused, end, error = (code.new_label() for _ in range(4))
    code.compare(RDX, sum(counts))
    code.jump(unfit, JUMP_NOT_EQUAL)
    for register in (_ARGUMENTS, _FAILED, _LEFT):  # three, so that the stack is aligned for calls
        code.push(register)
    code.load(_ARGUMENTS, RSI)
    code.constant(_FAILED, 0)
    start = 0
    for number, (address, count) in enumerate(zip(addresses, counts, strict=True)):
        done, after = code.new_label(), code.new_label()
        code.constant(_LEFT, _small(len(addresses) - number))
        code.address(RSI, Memory(_ARGUMENTS, 8 * start))
        code.constant(RDX, count)
        code.constant(RAX, address)
        code.call(RAX)
        code.constant(RCX, id(True))
        code.compare_registers(RAX, RCX)
        code.jump(done, JUMP_EQUAL)
        code.compare(RAX, 0)
        code.jump(refused, JUMP_NOT_EQUAL)
        code.constant(_FAILED, 1)
        code.jump(after)
        code.place(done)
        _count_references(code, -1)
        code.place(after)
        start += count
    code.constant(_LEFT, _small(0))
    code.jump(end)
    code.place(refused)
    _count_references(code, -1)
    code.place(end)
    code.constant(RAX, 0)
    code.compare(_FAILED, 0)
    code.jump(error, JUMP_NOT_EQUAL)
    code.load(RAX, _LEFT)
    _count_references(code, 1)
    code.place(error)
    for register in (_LEFT, _FAILED, _ARGUMENTS):
        code.pop(register)
    code.ret()
    code.place(unfit)
    code.constant(RAX, _small(len(addresses)))
    _count_references(code, 1)
    code.ret()
    return code.finish()


def _small(number: int) -> int:
    """The address of the object of a small integer."""
    return id(SMALL_NUMBERS[number])


def _count_references(code: Assembler, more: int) -> None:
    """Add `more` references to the object in RAX."""
    if COUNTED:
        code.add(Memory(RAX), more)

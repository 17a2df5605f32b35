"""What machine code does with Python: calls of its C interface, references to arrays, and results."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache

from ..turn import TURN
from .assembler import JUMP_EQUAL, JUMP_NOT_EQUAL, RAX, RBP, RCX, RDI, RDX, RSI, RSP, Assembler, Memory
from .executable import FLAGS, OWNS_DATA, address_of

COUNTED = sys.version_info < (3, 12)
"""Whether references to small integers, and to True and False, are counted."""
ALIGNMENT = 64  # of code, and of the constants behind it


def call(code: Assembler, name: str) -> None:
    """Call a function of Python's C interface, with the arguments in RDI and RSI."""
    code.constant(RAX, address_of(name))
    code.call(RAX)


PATIENCE = 1500
"""How often a thread looks whether the interpreter is free, before it sleeps until it is: some 40 microseconds."""


def let_others_run(code: Assembler, state: Memory) -> None:
    """Release Python's lock. The word `state` keeps what `run_again` needs."""
    call(code, "PyEval_SaveThread")
    code.store(state, RAX)
    code.constant(RCX, TURN)
    code.store_number(Memory(RCX), 0)


def run_again(code: Assembler, state: Memory) -> None:
    """Acquire Python's lock.

    A thread that finds it taken sleeps, and wakes up to 50 microseconds after it is free. Threads that share work take
    it often, for a few microseconds each time. So a thread first waits, awake, until the one that came from machine
    code last has gone back there. This is only advice: after a while the thread sleeps all the same.
    """
    again, taken, free = (code.new_label() for _ in range(3))
    code.constant(RCX, TURN)
    code.constant(RDX, PATIENCE)
    code.place(again)
    code.constant(RAX, 1)
    code.exchange(Memory(RCX), RAX)
    code.compare(RAX, 0)
    code.jump(free, JUMP_EQUAL)
    code.place(taken)
    code.pause()
    code.add(RDX, -1)
    code.jump(free, JUMP_EQUAL)
    code.compare(Memory(RCX), 0)
    code.jump(taken, JUMP_NOT_EQUAL)
    code.jump(again)
    code.place(free)
    code.load(RDI, state)
    call(code, "PyEval_RestoreThread")


def hold(code: Assembler, arguments: Memory, position: int, held: Memory, failed: int) -> None:
    """Make a weak reference to an argument that owns its memory, so that nobody can resize it.

    `arguments` is the word that points to the arguments. The reference goes to the word `held`, which must be zero
    before. Without memory for it, jump to `failed`.
    """
    without = code.new_label()
    code.load(RDI, arguments)
    code.load(RDI, Memory(RDI, 8 * position))
    code.paste(_new_reference(address_of("PyWeakref_NewRef")), without)
    code.store(held, RAX)
    code.compare(RAX, 0)
    code.jump(failed, JUMP_EQUAL)
    code.place(without)


@cache
def _new_reference(function: int) -> Assembler:
    """Make a weak reference to the array to which RDI points; or jump, if it does not own its memory. `function`: the
    address of Python's function."""
    code, without = Assembler(), 0
    code.load_word(RAX, Memory(RDI, FLAGS))
    code.bit_and(RAX, OWNS_DATA)
    code.jump(without, JUMP_EQUAL)
    code.constant(RSI, 0)
    code.constant(RAX, function)
    code.call(RAX)
    return code


def release(code: Assembler, held: Iterable[Memory]) -> None:
    """Give up references. A word may be zero, for none."""
    for word in held:
        code.load(RDI, word)
        call(code, "Py_DecRef")


def call_object(code: Assembler) -> None:
    """End with a call of the object in RDI, with the arguments that a function gets in RSI and RDX."""
    code.constant(RCX, 0)
    code.constant(RAX, address_of("PyObject_VectorcallDict"))
    code.jump_to(RAX)


@cache
def complete_entry() -> bytes:
    """What stands in front of code that returns False where it refuses its arguments: then it calls `self` with them.

    `self` is the object that keeps the code.
    """
    code = Assembler()
    begin, refused = code.new_label(), code.new_label()
    for register in (RDX, RSI, RDI):  # three, so that the stack is aligned for calls
        code.push(register)
    code.address_of(RAX, begin)
    code.call(RAX)
    for register in (RDI, RSI, RDX):
        code.pop(register)
    code.constant(RCX, id(False))
    code.compare_registers(RAX, RCX)
    code.jump(refused, JUMP_EQUAL)
    code.ret()
    code.place(refused)
    if COUNTED:
        code.add(Memory(RAX), -1)
    call_object(code)
    code.align(ALIGNMENT)
    code.place(begin)
    return code.finish()


def give(code: Assembler, result: bool | None, saved: Sequence[int], *, framed: bool = True) -> None:
    """Restore registers and return True or False, or nothing if an error is set.

    `saved` are the registers that were pushed, behind RBP if there is a frame.
    """
    drop_frame(code, saved, framed=framed)
    code.constant(RAX, 0 if result is None else id(result))
    if result is not None and COUNTED:
        code.add(Memory(RAX), 1)
    code.ret()


def drop_frame(code: Assembler, saved: Sequence[int], *, framed: bool) -> None:
    """Restore the registers that were pushed, behind RBP if there is a frame, and the stack."""
    if framed:
        code.address(RSP, Memory(RBP, -8 * len(saved)))
    for register in reversed(saved):
        code.pop(register)
    if framed:
        code.pop(RBP)

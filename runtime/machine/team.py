"""Fork and join in machine code: a team of threads that help the thread which runs a shared kernel.

The owner of the team publishes a job, which is the address of its stack frame and a function to call with it. Threads
of the team wait awake for jobs, without Python's lock, and call the function; it takes one piece after another until
none is left. A helper comes within a fraction of a microsecond, and nobody waits for one that does not come. The owner
leaves when no helper is inside any more.

A helper counts itself as inside before it reads the job, and the owner withdraws the job before it reads the count.
Both are locked instructions, so at least one of the two sees the other.
"""

from __future__ import annotations

import ctypes
import os

from .assembler import (
    JUMP_EQUAL,
    JUMP_NOT_EQUAL,
    R10,
    R12,
    R13,
    R14,
    RAX,
    RBP,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Assembler,
    Memory,
)
from .executable import Function, make_function
from .python_calls import give, let_others_run, run_again

LINE = 64
OWNER, JOB, HELPERS, CALLS = (LINE * number for number in range(4))
"""Words of the team, each in a cache line of its own: whether it has an owner, the owner's frame, the helpers inside,
and what sleeping threads wait at: a number that changes with each call."""
ENTRY, NUMBER = JOB + 8, JOB + 16
"""The function of the job, and the number of jobs so far."""
ASLEEP = CALLS + 8
"""The number of threads that sleep."""
SIZE = 4 * LINE

AWAKE = 40_000
"""How often a thread looks for work before it sleeps: a millisecond. To wake it takes 20 microseconds of its caller's
time, and it comes 50 later: steps with one shared kernel each should find it awake."""
PATIENCE = 10_000
"""How often an owner looks for its helpers before it gives its processor to others, one of which may be a helper's."""

FUTEX, YIELD = 202, 24  # numbers of system calls
WAIT, WAKE = 128, 129  # among the threads of this process

_memory = (ctypes.c_char * (SIZE + LINE))()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_memory))  # threads use it while Python ends
TEAM = -(-ctypes.addressof(_memory) // LINE) * LINE


def _reset() -> None:
    """Forget the owner and the helpers, in a forked process: threads do not survive a fork."""
    ctypes.memset(TEAM, 0, SIZE)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset)


def publish(code: Assembler, help: int, alone: int) -> None:
    """Become the owner of the team, and let helpers call the function at the label `help` with RSP in RDI.

    If the team has an owner, jump to the label `alone`. Overwrites RAX, RCX, RDX, RSI, RDI and R11.
    """
    code.constant(RCX, TEAM)
    code.constant(RAX, 1)
    code.exchange(Memory(RCX, OWNER), RAX)
    code.compare(RAX, 0)
    code.jump(alone, JUMP_NOT_EQUAL)
    code.address_of(RAX, help)
    code.store(Memory(RCX, ENTRY), RAX)
    code.add(Memory(RCX, NUMBER), 1)
    code.load(RAX, RSP)
    code.exchange(Memory(RCX, JOB), RAX)
    _wake(code)


def withdraw(code: Assembler) -> None:
    """Wait until no helper is inside, and give up the team. Overwrites RAX, RCX, RDX and R11."""
    wait, again, free = (code.new_label() for _ in range(3))
    code.constant(RAX, 0)
    code.constant(RCX, TEAM)
    code.exchange(Memory(RCX, JOB), RAX)
    code.place(wait)
    code.constant(RCX, TEAM)
    code.constant(RDX, PATIENCE)
    code.place(again)
    code.compare(Memory(RCX, HELPERS), 0)
    code.jump(free, JUMP_EQUAL)
    code.pause()
    code.add(RDX, -1)
    code.jump(again, JUMP_NOT_EQUAL)
    code.constant(RAX, YIELD)
    code.system_call()
    code.jump(wait)
    code.place(free)
    code.store_number(Memory(RCX, OWNER), 0)


def _wake(code: Assembler) -> None:
    """Wake sleeping threads, if there are any; RCX points to the team."""
    awake = code.new_label()
    code.compare(Memory(RCX, ASLEEP), 0)
    code.jump(awake, JUMP_EQUAL)
    code.constant(RAX, 1)
    code.add_locked(Memory(RCX, CALLS), RAX)
    code.address(RDI, Memory(RCX, CALLS))
    code.constant(RSI, WAKE)
    code.constant(RDX, 1 << 30)
    code.constant(RAX, FUTEX)
    code.system_call()
    code.place(awake)


class TeamMember:
    """A thread of the team.

    `serve()` helps with jobs, and sleeps when there have been none for a while, until another thread has called
    `open()`. Both return True.
    """

    def __init__(self) -> None:
        word = ctypes.c_int64()
        gate = ctypes.addressof(word)
        self.serve: Function = make_function(_serve(gate), "serve", "serve()", (word,))
        self.open: Function = make_function(_open(gate), "open", "open()", (word,))


def _open(gate: int) -> bytes:
    """The code of `TeamMember.open`."""
    code = Assembler()
    code.push(RBP)
    code.load(RBP, RSP)
    code.constant(RCX, gate)
    code.constant(RAX, 1)
    code.exchange(Memory(RCX), RAX)
    code.constant(RCX, TEAM)
    _wake(code)
    give(code, True, ())
    return code.finish()


GATE, STATE = Memory(R12), Memory(RSP)
"""Of `serve`: the thread's gate, and Python's thread state."""


def _word(offset: int) -> Memory:
    """A word of the team, in `serve`."""
    return Memory(RBX, offset)


def _serve(gate: int) -> bytes:
    """The code of `TeamMember.serve`.

    RBX points to the team, R12 to the gate. R13 is the number of the last job. R14 counts down how often the thread
    looks for work before it sleeps.
    """
    code, saved = Assembler(), (RBX, R12, R13, R14)
    restart, again, idle, leave = (code.new_label() for _ in range(4))
    code.push(RBP)
    code.load(RBP, RSP)
    for register in saved:
        code.push(register)
    code.add(RSP, -16)
    code.bit_and(RSP, -32)
    code.constant(RBX, TEAM)
    code.constant(R12, gate)
    code.constant(R13, 0)
    let_others_run(code, STATE)
    code.place(restart)
    code.constant(R14, AWAKE)
    code.place(again)
    code.compare(GATE, 0)
    code.jump(leave, JUMP_NOT_EQUAL)
    _help(code, idle)
    code.jump(restart)
    code.place(idle)
    code.pause()
    code.add(R14, -1)
    code.jump(again, JUMP_NOT_EQUAL)
    _sleep(code)
    code.jump(restart)
    code.place(leave)
    code.store_number(GATE, 0)
    run_again(code, STATE)
    give(code, True, saved)
    return code.finish()


def _help(code: Assembler, idle: int) -> None:
    """Help with the job, if there is a new one; otherwise jump to `idle`."""
    undo = code.new_label()
    code.compare(_word(JOB), 0)
    code.jump(idle, JUMP_EQUAL)
    code.load(RAX, _word(NUMBER))
    code.compare_registers(RAX, R13)
    code.jump(idle, JUMP_EQUAL)  # it has no pieces left
    code.constant(RAX, 1)
    code.add_locked(_word(HELPERS), RAX)
    code.load(RDI, _word(JOB))
    code.compare(RDI, 0)
    code.jump(undo, JUMP_EQUAL)
    code.load(R13, _word(NUMBER))
    code.load(RAX, _word(ENTRY))
    code.call(RAX)
    code.place(undo)
    code.constant(RAX, -1)
    code.add_locked(_word(HELPERS), RAX)


def _sleep(code: Assembler) -> None:
    """Sleep until somebody calls. Who comes after the thread has counted itself as asleep changes the word CALLS."""
    awake = code.new_label()
    code.constant(RAX, 1)
    code.add_locked(_word(ASLEEP), RAX)
    code.load_word(RDX, _word(CALLS))
    for word in (GATE, _word(JOB)):
        code.compare(word, 0)
        code.jump(awake, JUMP_NOT_EQUAL)
    code.constant(RAX, FUTEX)
    code.address(RDI, _word(CALLS))
    code.constant(RSI, WAIT)
    code.constant(R10, 0)
    code.system_call()
    code.place(awake)
    code.constant(RAX, -1)
    code.add_locked(_word(ASLEEP), RAX)

"""The function that runs kept calls on several threads, without Python's lock (`kept_calls.py`)."""

from __future__ import annotations

from functools import cache

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
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
from .executable import DATA, DIMENSIONS, Function
from .kept_calls import ADDRESS, DONE, RECORD, SEAL, SEALED, check_words
from .product import machine_function
from .python_calls import drop_frame, give, let_others_run, run_again
from .team import publish, withdraw
from .wide_assembler import JUMP_GREATER_OR_EQUAL

JUMP_ABOVE = 0x87
OWNED, TAKEN, FAILED, STARTS, PIECES, RECORDS, THREAD_STATE = range(7)
"""Words of the frame of the function that runs records."""
_SAVED = (RBX, R12, R13, R14)
_FRAME = 64  # calls need a stack aligned to 16 bytes
assert (_FRAME + 8 * len(_SAVED)) % 16 == 0


def _at(number: int) -> Memory:
    return Memory(RSP, 8 * number)


@cache
def compile_team() -> Function:
    """The function `run(starts, records)`: threads take pieces, and run the records of a piece one after the other.

    Piece p has the records from number starts[p] to starts[p + 1]. A piece ends early where a call has not done all.
    It returns whether all was done. The memory that records point to must stay.
    """
    return machine_function(_team, "run", "run(starts, records)")


def _team() -> bytes:
    code = Assembler()
    refused = code.new_label()
    code.push(RBP)
    code.load(RBP, RSP)
    for register in _SAVED:
        code.push(register)
    code.add(RSP, -_FRAME)
    _look(code, refused)
    let_others_run(code, _at(THREAD_STATE))
    for word in (TAKEN, FAILED, OWNED):
        code.store_number(_at(word), 0)
    help, alone, done = (code.new_label() for _ in range(3))
    code.compare(_at(PIECES), 1)
    code.jump(alone, JUMP_EQUAL)
    publish(code, help, alone)
    code.store_number(_at(OWNED), 1)
    code.place(alone)
    code.load(RBX, RSP)
    _pieces(code)
    code.compare(_at(OWNED), 1)
    code.jump(done, JUMP_NOT_EQUAL)
    withdraw(code)
    code.place(done)
    run_again(code, _at(THREAD_STATE))
    code.compare(_at(FAILED), 0)
    code.jump(refused, JUMP_NOT_EQUAL)
    give(code, True, _SAVED)
    code.place(refused)
    give(code, False, _SAVED)
    code.place(help)
    code.push(RBP)
    code.load(RBP, RSP)
    for register in _SAVED:
        code.push(register)
    code.load(RBX, RDI)
    _pieces(code)
    drop_frame(code, _SAVED, framed=True)
    code.ret()
    return code.finish()


def _look(code: Assembler, refused: int) -> None:
    """Refuse all but the starts of pieces, and records with the seal."""
    code.compare(RDX, 2)
    code.jump(refused, JUMP_NOT_EQUAL)
    for position, rank, word in ((0, 1, STARTS), (1, 2, RECORDS)):
        code.load(R8, Memory(RSI, 8 * position))
        check_words(code, R8, rank, refused)
        code.load(RAX, Memory(R8, DATA))
        code.store(_at(word), RAX)
        code.load(RDI, Memory(R8, DIMENSIONS))
        if not position:
            code.load(RCX, Memory(RDI))
    code.compare(Memory(RDI, 8), RECORD)
    code.jump(refused, JUMP_NOT_EQUAL)
    code.load(RDX, Memory(RDI))
    code.add(RCX, -1)
    code.compare(RCX, 1)
    code.jump(refused, JUMP_LESS)
    code.store(_at(PIECES), RCX)
    _check_starts(code, refused)
    _check_seals(code, refused)


def _check_starts(code: Assembler, refused: int) -> None:
    """Refuse numbers that go down, or are none of the records whose count is in RDX. RCX: the pieces."""
    again = code.new_label()
    code.load(RDI, _at(STARTS))
    code.load(RAX, Memory(RDI, 0, RCX, 8))
    code.compare_registers(RAX, RDX)
    code.jump(refused, JUMP_NOT_EQUAL)
    code.place(again)
    code.load(RAX, Memory(RDI, -8, RCX, 8))
    code.compare_registers(RAX, Memory(RDI, 0, RCX, 8))
    code.jump(refused, JUMP_ABOVE)
    code.add(RCX, -1)
    code.jump(again, JUMP_NOT_EQUAL)


def _check_seals(code: Assembler, refused: int) -> None:
    """Refuse records that no machine code has written. RDX: their count."""
    again, done = code.new_label(), code.new_label()
    code.load(RDI, _at(RECORDS))
    code.constant(RCX, SEAL)
    code.place(again)
    code.add(RDX, -1)
    code.jump(done, JUMP_LESS)
    code.compare_registers(RCX, Memory(RDI, 8 * SEALED))
    code.jump(refused, JUMP_NOT_EQUAL)
    code.add(RDI, 8 * RECORD)
    code.jump(again)
    code.place(done)


def _pieces(code: Assembler) -> None:
    """Take pieces, and run their records. RBX is the frame of the thread that was called."""
    claim, again, leave = (code.new_label() for _ in range(3))
    code.place(claim)
    code.constant(RAX, 1)
    code.add_locked(Memory(RBX, 8 * TAKEN), RAX)
    code.compare_registers(RAX, Memory(RBX, 8 * PIECES))
    code.jump(leave, JUMP_GREATER_OR_EQUAL)
    code.load(RCX, Memory(RBX, 8 * STARTS))
    code.load(R12, Memory(RCX, 0, RAX, 8))
    code.load(R13, Memory(RCX, 8, RAX, 8))
    code.subtract_register(R13, R12)
    code.multiply(R12, R12, 8 * RECORD)
    code.add_register(R12, Memory(RBX, 8 * RECORDS))
    code.place(again)
    code.add(R13, -1)
    code.jump(claim, JUMP_LESS)
    code.load(RDI, R12)
    code.load(RAX, Memory(R12, 8 * ADDRESS))
    code.call(RAX)
    code.load(R14, R12)
    code.add(R12, 8 * RECORD)
    code.compare(Memory(R14, 8 * DONE), 0)
    code.jump(again, JUMP_NOT_EQUAL)
    code.store_number(Memory(RBX, 8 * FAILED), 1)
    code.jump(claim)
    code.place(leave)

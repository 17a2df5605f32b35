"""An assembler for AVX-512 vectors, beside the instructions of `assembler.py`: 32 registers of 64 bytes, and masks."""

from __future__ import annotations

from functools import lru_cache

from .assembler import (
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    NONE,
    P66,
    PF2,
    PF3,
    RAX,
    Assembler,
    Form,
    Memory,
    general_instruction,
    operand_bytes,
)
from .sizes import WIDTH as WIDTH

# By the bytes of an element:
LOAD, STORE = (
    {
        1: Form(PF2, MAP_0F, move), 2: Form(PF2, MAP_0F, move, 1),
        4: Form(NONE, MAP_0F, opcode), 8: Form(P66, MAP_0F, opcode, 1),
    }
    for opcode, move in ((0x10, 0x6F), (0x11, 0x7F))
)  # fmt: skip
UNPACK_LOW, UNPACK_HIGH, ROOT, ADD, MULTIPLY, SUBTRACT, DIVIDE, MAXIMUM, COMPARE = (
    {4: Form(NONE, MAP_0F, opcode), 8: Form(P66, MAP_0F, opcode, 1)}
    for opcode in (0x14, 0x15, 0x51, 0x58, 0x59, 0x5C, 0x5E, 0x5F, 0xC2)
)
MULTIPLY_ADD, SUBTRACT_PRODUCT = (
    {4: Form(P66, MAP_0F38, opcode), 8: Form(P66, MAP_0F38, opcode, 1)} for opcode in (0xB8, 0xBC)
)
ADD_PAIRS = Form(PF3, MAP_0F38, 0x52)
"""Adds both products of two pairs of bfloat16 to a float32 each. Denormal numbers are zeros to it."""
BROADCAST = {4: Form(P66, MAP_0F38, 0x18), 8: Form(P66, MAP_0F38, 0x19, 1)}
EXCLUSIVE_OR = Form(P66, MAP_0F, 0xEF)
UNORDERED = 3
"""The last byte of COMPARE: one of both is nan."""
SHUFFLE_LANES = Form(P66, MAP_0F3A, 0x43, 1)
"""Two lanes of 16 bytes from each of two vectors."""
EVEN_LANES, ODD_LANES = 0x88, 0xDD

JUMP_LESS_OR_EQUAL, JUMP_GREATER, JUMP_GREATER_OR_EQUAL = 0x8E, 0x8F, 0x8D


class WideAssembler(Assembler):
    """Collects instructions on vectors of 64 bytes and on general registers."""

    width = WIDTH
    registers = 32
    half_mixtures: tuple[tuple[Form, int], tuple[Form, int]] = (SHUFFLE_LANES, EVEN_LANES), (SHUFFLE_LANES, ODD_LANES)
    """How vectors that are longer than 16 bytes change parts of this length: instructions and their last bytes."""

    def wide(
        self,
        form: Form,
        register: int,
        first: int,
        second: int | Memory,
        *,
        mask: int = 0,
        spread: int = 0,
        immediate: int | None = None,
        keep: bool = False,
        half: bool = False,
    ) -> None:
        """A vector instruction: `register` and `second` are its ModRM operands, `first` the extra source (0 if none).

        Args:
            form: its encoding.
            register: the target; the source of a store.
            first: the first source.
            second: a register, or memory.
            mask: the number of a mask register; elements that it leaves out become zero, or are not stored.
            spread: the bytes of one element in memory that is used for all elements; 0 for a vector in memory.
            immediate: the last byte.
            keep: elements that the mask leaves out stay as they are; of comparisons they become false.
            half: compute 32 bytes only; the others become zero.
        """
        self.code += wide_instruction(form, register, first, second, mask, spread, keep, half)
        if immediate is not None:
            self.code.append(immediate)

    def append(self, *parts: bytes | bytearray) -> None:
        """Instructions that `wide_instruction` has made."""
        self.code += b"".join(parts)

    def clear(self, register: int) -> None:
        """Set a vector to zero."""
        self.wide(EXCLUSIVE_OR, register, register, register)

    def set_mask(self, mask: int, register: int) -> None:
        """Move the low 16 bits of a general register to a mask register."""
        self.code += bytes((0xC5, 0xF8, 0x92, 0xC0 | mask << 3 | register))

    def set_long_mask(self, mask: int, register: int) -> None:
        """Move all bits of one of the first general registers to a mask register."""
        self.code += bytes((0xC4, 0xE1, 0xFB, 0x92, 0xC0 | mask << 3 | register))

    def set_bits(self, mask: int, bits: int) -> None:
        """Set the low 16 bits of a mask register to those of a number. Overwrites RAX."""
        self.constant(RAX, bits)
        self.set_mask(mask, RAX)

    def get_mask(self, register: int, mask: int) -> None:
        """Move a mask register to a general register."""
        self.code += bytes((0xC5, 0xF8, 0x93, 0xC0 | register << 3 | mask))

    # General registers

    def multiply_registers(self, target: int, source: int | Memory) -> None:
        """Multiply a general register by another, or by memory."""
        self.code += general_instruction((0x0F, 0xAF), target, source)

    def add_to_memory(self, target: Memory, source: int) -> None:
        """Add a general register to memory."""
        self.code += general_instruction((0x01,), source, target)

    def divide_by(self, source: int | Memory) -> None:
        """Divide RDX:RAX, without sign: the quotient in RAX, the remainder in RDX."""
        self.code += general_instruction((0xF7,), 6, source)

    def shift_left_by_rcx(self, target: int) -> None:
        """Shift a general register left by the number in RCX."""
        self.code += general_instruction((0xD3,), 4, target)

    def shift_right_by_rcx(self, target: int) -> None:
        """Shift a general register right by the number in RCX, without sign."""
        self.code += general_instruction((0xD3,), 5, target)

    def shift_right(self, target: int, count: int) -> None:
        """Shift a general register right, without sign."""
        self.code += general_instruction((0xC1,), 5, target) + bytes((count,))

    def shift_left(self, target: int, count: int) -> None:
        """Shift a general register left."""
        self.code += general_instruction((0xC1,), 4, target) + bytes((count,))

    def first_bit(self, target: int, source: int) -> None:
        """The number of the lowest bit that is set in a general register; one is."""
        self.code += b"\xf3" + general_instruction((0x0F, 0xBC), target, source)

    def decrement(self, target: int) -> None:
        """Subtract 1, and compare the result with zero."""
        self.code += general_instruction((0xFF,), 1, target)


@lru_cache(maxsize=4096)  # the same instructions come again in each unrolled loop
def wide_instruction(
    form: Form, register: int, first: int, second: int | Memory, mask: int = 0, spread: int = 0, keep: bool = False,
    half: bool = False,
) -> bytes:  # fmt: skip
    """An instruction with the EVEX prefix, without its immediate; as `WideAssembler.wide`."""
    prefix, opcodes, opcode, lanes, _ = form
    # The prefix has the upper bits of registers inverted; 0x20 and 0x40 are the widths of vectors.
    third = (lanes << 7 | (first & 15) << 3) ^ 0x7C | prefix
    last = (0x28 if half else 0x48) ^ (first & 16) >> 1 | mask
    if mask and not keep and opcode != 0x11:  # stores leave the other elements alone
        last |= 0x80
    if spread and opcode not in (0x18, 0x19):
        last |= 0x10
    if second.__class__ is int:
        registers = ((register & 8) << 4 | (second & 24) << 2 | register & 16) ^ 0xF0 | opcodes
        return bytes((0x62, registers, third, last, opcode, 0xC0 | (register & 7) << 3 | second & 7))
    base, _, index, _ = second  # type: ignore[misc]
    registers = ((register & 8) << 4 | ((index or 0) & 8) << 3 | (base & 8) << 2 | register & 16) ^ 0xF0 | opcodes
    nbytes = spread or (WIDTH // 2 if half else WIDTH)  # that are read
    return bytes((0x62, registers, third, last, opcode)) + operand_bytes(register, second, nbytes)

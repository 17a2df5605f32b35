"""An assembler for the instructions of x86-64 that kernels need: AVX2 vectors, addresses, and a few jumps."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 = range(16)


class Memory(NamedTuple):
    """The bytes at `base + indexed * scale + offset`; `base` and `indexed` are general registers."""

    base: int
    offset: int = 0
    indexed: int | None = None
    scale: int = 1


class Pooled(NamedTuple):
    """A constant, kept behind the code: the bytes of one vector."""

    content: bytes


Operand = int | Memory | Pooled
"""A vector register's number, or bytes in memory."""


class Form(NamedTuple):
    """How a vector instruction is encoded: prefix, map and number of its opcode, and the W bit.

    `extension`: what stands in place of a register, for shifts by a constant.
    """

    prefix: int
    map: int
    opcode: int
    wide: int = 0
    extension: int | None = None


NONE, P66, PF3, PF2 = range(4)
MAP_0F, MAP_0F38, MAP_0F3A = 1, 2, 3

JUMP_LESS, JUMP_NOT_EQUAL, JUMP_EQUAL, JUMP_ABOVE_EQUAL = 0x8C, 0x85, 0x84, 0x83


def is_word(value: int) -> bool:
    """Whether a number fits into the 32 bits, with a sign, that most instructions have for one."""
    return -(1 << 31) <= value < 1 << 31


class Assembler:
    """Collects instructions; `finish` gives their bytes, with constants behind them."""

    def __init__(self) -> None:
        self.code = bytearray()
        self._pool: dict[bytes, int] = {}
        self._fixes: list[tuple[int, int, bytes]] = []  # where an address relative to what goes to which constant
        self._labels: dict[int, int] = {}
        self._jumps: list[tuple[int, int]] = []
        self._label_count = 0

    # Vectors

    def vector(
        self, form: Form, register: int, first: int, second: Operand, immediate: int | None = None, bits: int = 256
    ) -> None:
        """A vector instruction: `register` and `second` are its ModRM operands, `first` the extra source (0 if none).

        Instructions without an extra source want the register 0 there, which stands for the required 1111.
        """
        base = second.base if isinstance(second, Memory) else second if isinstance(second, int) else 0
        index = second.indexed or 0 if isinstance(second, Memory) else 0
        self.code += bytes(
            (
                0xC4,
                (~register & 8) << 4 | (~index & 8) << 3 | (~base & 8) << 2 | form.map,
                form.wide << 7 | (~first & 15) << 3 | (bits == 256) << 2 | form.prefix,
                form.opcode,
            )
        )
        self._operand(register, second, 0 if immediate is None else 1)
        if immediate is not None:
            self.code.append(immediate & 0xFF)

    def _operand(self, register: int, operand: Operand, behind: int) -> None:
        """The ModRM byte and what belongs to it; `behind`: how many bytes of the instruction follow."""
        low = (register & 7) << 3
        if isinstance(operand, int):
            self.code.append(0xC0 | low | operand & 7)
        elif isinstance(operand, Pooled):
            self.code.append(low | 5)
            self._fixes.append((len(self.code), len(self.code) + 4 + behind, operand.content))
            self.code += bytes(4)
        else:
            near = -128 <= operand.offset < 128
            mode = (0x40 if near else 0x80) | low
            if operand.indexed is not None:
                scale = {1: 0, 2: 1, 4: 2, 8: 3}[operand.scale]
                self.code += bytes((mode | 4, scale << 6 | (operand.indexed & 7) << 3 | operand.base & 7))
            elif operand.base & 7 == RSP:
                self.code += bytes((mode | 4, 0x24))
            else:
                self.code.append(mode | operand.base & 7)
            self.code += struct.pack("<b" if near else "<i", operand.offset)

    def zero_upper(self) -> None:
        """Leave the upper halves of vectors clean, for code that uses only the lower ones."""
        self.code += b"\xc5\xf8\x77"

    # General registers, always of 64 bits unless said otherwise

    def _general(
        self, opcode: Sequence[int], register: int, operand: Operand, wide: bool = True, behind: int = 0
    ) -> None:
        base = operand.base if isinstance(operand, Memory) else operand if isinstance(operand, int) else 0
        index = operand.indexed or 0 if isinstance(operand, Memory) else 0
        self.code.append(0x40 | wide << 3 | (register & 8) >> 1 | (index & 8) >> 2 | (base & 8) >> 3)
        self.code += bytes(opcode)
        self._operand(register, operand, behind)

    def load(self, register: int, operand: int | Memory) -> None:
        """Move 8 bytes to a general register."""
        self._general((0x8B,), register, operand)

    def store(self, memory: Memory, register: int) -> None:
        """Move a general register to memory."""
        self._general((0x89,), register, memory)

    def load_byte(self, register: int, memory: Memory) -> None:
        """Move a byte to a general register, the rest of it zero."""
        self._general((0x0F, 0xB6), register, memory, wide=False)

    def load_word(self, register: int, memory: Memory) -> None:
        """Move 4 bytes to a general register, the rest of it zero."""
        self._general((0x8B,), register, memory, wide=False)

    def address(self, register: int, memory: Memory) -> None:
        """The address of memory."""
        self._general((0x8D,), register, memory)

    def constant(self, register: int, value: int) -> None:
        """A number of 64 bits."""
        self.code += bytes((0x48 | (register & 8) >> 3, 0xB8 | register & 7))
        self.code += struct.pack("<Q", value & (1 << 64) - 1)

    def add(self, target: int | Memory, value: int, scratch: int = RAX) -> None:
        """Add a number; one of more than 32 bits goes through the scratch register."""
        self._with_number(0, target, value, scratch)

    def compare(self, target: int | Memory, value: int, scratch: int = RAX) -> None:
        """Compare with a number; one of more than 32 bits goes through the scratch register."""
        self._with_number(7, target, value, scratch)

    def compare_word(self, memory: Memory, value: int) -> None:
        """Compare 4 bytes with a number of 8 bits."""
        self._general((0x83,), 7, memory, wide=False, behind=1)
        self.code += struct.pack("<b", value)

    def bit_and(self, target: int, value: int) -> None:
        """Keep the bits of a number of 32 bits."""
        self._with_number(4, target, value)

    def and_word(self, register: int, memory: Memory) -> None:
        """Keep the bits that 4 bytes of memory have, and none of the upper ones."""
        self._general((0x23,), register, memory, wide=False)

    def _with_number(self, extension: int, target: int | Memory, value: int, scratch: int | None = None) -> None:
        """A sum, comparison and the like with a number; `extension` says which."""
        if -128 <= value < 128:
            self._general((0x83,), extension, target, behind=1)
            self.code += struct.pack("<b", value)
        elif is_word(value):
            self._general((0x81,), extension, target, behind=4)
            self.code += struct.pack("<i", value)
        else:
            assert scratch is not None
            assert scratch not in ((target.base, target.indexed) if isinstance(target, Memory) else (target,))
            self.constant(scratch, value)
            self._general((extension << 3 | 1,), scratch, target)

    def store_number(self, memory: Memory, value: int) -> None:
        """Move a number to 8 bytes of memory; one of more than 32 bits goes through RAX."""
        if is_word(value):
            self._general((0xC7,), 0, memory, behind=4)
            self.code += struct.pack("<i", value)
        else:
            self.constant(RAX, value)
            self.store(memory, RAX)

    def compare_registers(self, first: int, second: int | Memory) -> None:
        """Compare a general register with another, or with memory."""
        self._general((0x3B,), first, second)

    def add_register(self, target: int, source: int | Memory) -> None:
        """Add a general register, or memory, to a register."""
        self._general((0x03,), target, source)

    def multiply(self, target: int, source: int | Memory, value: int) -> None:
        """A general register, or memory, times a number; one of more than 32 bits needs another target."""
        if is_word(value):
            self._general((0x69,), target, source, behind=4)
            self.code += struct.pack("<i", value)
        else:
            assert target != (source.base if isinstance(source, Memory) else source)
            self.constant(target, value)
            self._general((0x0F, 0xAF), target, source)

    def push(self, register: int) -> None:
        """Push a general register."""
        self.code += bytes((0x40 | (register & 8) >> 3, 0x50 | register & 7))

    def pop(self, register: int) -> None:
        """Pop a general register."""
        self.code += bytes((0x40 | (register & 8) >> 3, 0x58 | register & 7))

    def call(self, register: int) -> None:
        """Call the function whose address is in a general register."""
        self.code += bytes((0x40 | (register & 8) >> 3, 0xFF, 0xD0 | register & 7))

    def ret(self) -> None:
        """Return."""
        self.code.append(0xC3)

    # Jumps

    def new_label(self) -> int:
        """A place that can be jumped to, once it has been put somewhere."""
        self._label_count += 1
        return self._label_count

    def align(self, size: int) -> None:
        """Go on at a multiple of so many bytes; what lies between is never run."""
        self.code += b"\xcc" * (-len(self.code) % size)

    def place(self, label: int) -> None:
        """Put a label here."""
        self._labels[label] = len(self.code)

    def jump(self, label: int, condition: int | None = None) -> None:
        """Go on at a label, always or if the last comparison was so."""
        self.code += b"\xe9" if condition is None else bytes((0x0F, condition))
        self._jumps.append((len(self.code), label))
        self.code += bytes(4)

    def finish(self) -> bytes:
        """The code, and the constants behind it on addresses that are multiples of 32."""
        for _, _, content in self._fixes:
            if content not in self._pool:
                self.code += bytes(-len(self.code) % 32)
                self._pool[content] = len(self.code)
                self.code += content
        for place, end, content in self._fixes:
            self.code[place : place + 4] = struct.pack("<i", self._pool[content] - end)
        for place, label in self._jumps:
            self.code[place : place + 4] = struct.pack("<i", self._labels[label] - place - 4)
        return bytes(self.code)

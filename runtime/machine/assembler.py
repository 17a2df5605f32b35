"""An assembler for the x86-64 instructions that kernels need: AVX2 vectors, addresses, and a few jumps."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import final

from ..records import NamedTuple
from .symbolic_sizes import Symbolic

RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 = range(16)


@final
class Memory(NamedTuple):
    """The bytes at `base + indexed * scale + offset`; `base` and `indexed` are general registers."""

    base: int
    offset: int = 0
    indexed: int | None = None
    scale: int = 1


@final
class Pooled(NamedTuple):
    """A constant: the bytes of one vector, stored behind the code. `number`: which one of a kernel, if it is one."""

    content: bytes
    number: int = -1


Operand = int | Memory | Pooled
"""A vector register's number, or bytes in memory."""


class Form(NamedTuple):
    """The encoding of a vector instruction: prefix, map and number of its opcode, and the W bit.

    `extension`: the bits that replace a register, for shifts by a constant.
    """

    prefix: int
    map: int
    opcode: int
    wide: int = 0
    extension: int | None = None


NONE, P66, PF3, PF2 = range(4)
MAP_0F, MAP_0F38, MAP_0F3A = 1, 2, 3

JUMP_LESS, JUMP_NOT_EQUAL, JUMP_EQUAL, JUMP_ABOVE_EQUAL, JUMP_BELOW = 0x8C, 0x85, 0x84, 0x83, 0x82

STREAM, PLAIN = Form(NONE, MAP_0F, 0x2B), 0x11  # a store past the caches, and the opcode of a plain one

CONDITIONAL: dict[int | None, bytes] = {None: b"\xe9\0\0\0\0"}
CONDITIONAL.update((condition, bytes((0x0F, condition, 0, 0, 0, 0))) for condition in range(0x80, 0x90))
"""Jumps always, and on conditions, to an address that is filled in later."""

FLUSH_TO_ZERO = 1 << 15  # of MXCSR, the processor's control register for floats: denormal results are zeros

SCALES = {1: 0, 2: 1, 4: 2, 8: 3}


def is_word(value: int) -> bool:
    """Whether a number fits into a signed 32-bit immediate, which is what most instructions have. Of a symbolic one
    `with_numbers` finds that out again."""
    return -(1 << 31) <= (value.value if type(value) is Symbolic else value) < 1 << 31


def with_numbers(code: bytes, symbols: Iterable[tuple[int, int, int]], values: Sequence[int]) -> bytes | None:
    """Code with other numbers in place of symbolic ones: where these are, their bytes, and which value is theirs. None
    if one does not fit."""
    changed = bytearray(code)
    for start, size, number in symbols:
        value = values[number]
        if size == 4 and not is_word(value):
            return None
        changed[start : start + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
    return bytes(changed)


class Assembler:
    """Collects instructions; `finish` gives their bytes, followed by the constants."""

    def __init__(self) -> None:
        self.code = bytearray()
        self._pool: dict[bytes, int] = {}
        self._fixes: list[tuple[int, int, bytes, int]] = []  # (position of an address, its base, constant, its number)
        self._labels: dict[int, int] = {}
        self._jumps: list[tuple[int, int]] = []
        self._label_count = 0
        self.symbols: list[tuple[int, int, Symbolic]] = []  # symbolic numbers: where they are, and their bytes
        self.streams: list[int] = []  # where the opcodes of stores past the caches are

    # Vectors

    def vector(
        self, form: Form, register: int, first: int, second: Operand, immediate: int | None = None, bits: int = 256
    ) -> None:
        """A vector instruction: `register` and `second` are its ModRM operands, `first` the extra source (0 if none).

        An instruction without an extra source gets the register 0 there, because the encoding requires 1111.
        """
        code = self.code
        if type(second) is Pooled:
            code += _vector_opcode(form, register, first, 0, bits)
            code.append((register & 7) << 3 | 5)
            end = len(code) + 4
            self._fixes.append((len(code), end if immediate is None else end + 1, second.content, second.number))
            code += b"\0\0\0\0"
        else:
            code += vector_instruction(form, register, first, second, bits)
        if immediate is not None:
            code.append(immediate & 0xFF)

    def zero_upper(self) -> None:
        """Clear the upper halves of vectors, for code that uses only the lower halves."""
        self.code += b"\xc5\xf8\x77"

    def store_fence(self) -> None:
        """Let the stores before, also those past the caches, come before all later ones."""
        self.code += b"\x0f\xae\xf8"

    def prefetch(self, place: Memory, level: int = 1, written: bool = False) -> None:
        """Prefetch a line of memory that is read soon, to the cache of this level, or written. It need not exist."""
        self.code += general_instruction((0x0F, 0x0D if written else 0x18), level, place, wide=False)

    # General registers, always of 64 bits unless said otherwise

    def load(self, register: int, operand: int | Memory) -> None:
        """Move 8 bytes to a general register."""
        self.code += general_instruction((0x8B,), register, operand)

    def store(self, memory: Memory, register: int) -> None:
        """Move a general register to memory."""
        self.code += general_instruction((0x89,), register, memory)

    def load_byte(self, register: int, memory: Memory) -> None:
        """Move a byte to a general register, zero-extended."""
        self.code += general_instruction((0x0F, 0xB6), register, memory, wide=False)

    def load_word(self, register: int, memory: Memory) -> None:
        """Move 4 bytes to a general register, zero-extended."""
        self.code += general_instruction((0x8B,), register, memory, wide=False)

    def store_word(self, memory: Memory, register: int) -> None:
        """Move the lower 4 bytes of a general register to memory."""
        self.code += general_instruction((0x89,), register, memory, wide=False)

    def load_signed(self, register: int, operand: int | Memory) -> None:
        """Move 4 bytes to a general register, sign-extended."""
        self.code += general_instruction((0x63,), register, operand)

    def address(self, register: int, memory: Memory) -> None:
        """Load the address of memory."""
        self.code += general_instruction((0x8D,), register, memory)

    def constant(self, register: int, value: int) -> None:
        """Load a 64-bit number."""
        if type(value) is Symbolic:
            self.code += _constant(register, value.value)
            self._keep(value, 8)
        else:
            self.code += _constant(register, value)

    def _keep(self, value: Symbolic, size: int) -> None:
        """Keep where the symbolic number is that ends the last instruction."""
        self.symbols.append((len(self.code) - size, size, value))

    def _word(self, value: int) -> None:
        """The 32-bit number that ends an instruction."""
        if type(value) is Symbolic:
            self.code += struct.pack("<i", value.value)
            self._keep(value, 4)
        else:
            self.code += struct.pack("<i", value)

    def add(self, target: int | Memory, value: int, scratch: int = RAX) -> None:
        """Add a number. One of more than 32 bits goes through the scratch register."""
        self._with_number(0, target, value, scratch)

    def compare(self, target: int | Memory, value: int, scratch: int = RAX) -> None:
        """Compare with a number. One of more than 32 bits goes through the scratch register."""
        self._with_number(7, target, value, scratch)

    def compare_word(self, memory: Memory, value: int) -> None:
        """Compare 4 bytes with an 8-bit number."""
        self.code += general_instruction((0x83,), 7, memory, wide=False)
        self.code += struct.pack("<b", value)

    def bit_and(self, target: int, value: int) -> None:
        """And with a 32-bit number."""
        self._with_number(4, target, value)

    def flush_denormals(self, word: Memory) -> None:
        """From here on results that are denormal are zeros. The word keeps how it was. Overwrites RAX."""
        changed = word._replace(offset=word.offset + 4)
        self.code += general_instruction((0x0F, 0xAE), 3, word, wide=False)  # STMXCSR
        self.load_word(RAX, word)
        self._with_number(1, RAX, FLUSH_TO_ZERO)
        self.store_word(changed, RAX)
        self.restore_denormals(changed)

    def restore_denormals(self, word: Memory) -> None:
        """Treat denormals as the word says, which `flush_denormals` has filled."""
        self.code += general_instruction((0x0F, 0xAE), 2, word, wide=False)  # LDMXCSR

    def and_word(self, register: int, operand: int | Memory) -> None:
        """And with 4 bytes of a register or memory, zero-extended."""
        self.code += general_instruction((0x23,), register, operand, wide=False)

    def _with_number(self, extension: int, target: int | Memory, value: int, scratch: int | None = None) -> None:
        """Add, compare and the like with a number; `extension` selects the operation."""
        if type(value) is Symbolic and is_word(value):  # always in 32 bits: the number may be a larger one
            self.code += general_instruction((0x81,), extension, target)
            self._word(value)
        elif is_word(value):
            self.code += _with_word(extension, target, value)
        else:
            assert scratch is not None
            assert scratch not in ((target.base, target.indexed) if isinstance(target, Memory) else (target,))
            self.constant(scratch, value)
            self.code += general_instruction((extension << 3 | 1,), scratch, target)

    def store_number(self, memory: Memory, value: int) -> None:
        """Store a number in 8 bytes of memory. One of more than 32 bits goes through RAX."""
        if is_word(value):
            self.code += general_instruction((0xC7,), 0, memory)
            self._word(value)
        else:
            self.constant(RAX, value)
            self.store(memory, RAX)

    def compare_registers(self, first: int, second: int | Memory) -> None:
        """Compare a general register with another, or with memory."""
        self.code += general_instruction((0x3B,), first, second)

    def add_register(self, target: int, source: int | Memory) -> None:
        """Add a general register, or memory, to a register."""
        self.code += general_instruction((0x03,), target, source)

    def subtract_register(self, target: int, source: int | Memory) -> None:
        """Subtract a general register, or memory, from a register."""
        self.code += general_instruction((0x2B,), target, source)

    def multiply(self, target: int, source: int | Memory, value: int) -> None:
        """Multiply a general register, or memory, by a number. One of more than 32 bits needs another target."""
        if is_word(value):
            self.code += general_instruction((0x69,), target, source)
            self._word(value)
        else:
            assert target != (source.base if isinstance(source, Memory) else source)
            self.constant(target, value)
            self.code += general_instruction((0x0F, 0xAF), target, source)

    def move_if_above(self, target: int, source: int) -> None:
        """Move a general register to another if the last comparison found more, and numbers that compare."""
        self.code += general_instruction((0x0F, 0x47), target, source)

    def push(self, register: int) -> None:
        """Push a general register."""
        self.code += bytes((0x40 | (register & 8) >> 3, 0x50 | register & 7))

    def pop(self, register: int) -> None:
        """Pop a general register."""
        self.code += bytes((0x40 | (register & 8) >> 3, 0x58 | register & 7))

    def exchange(self, memory: Memory, register: int) -> None:
        """Exchange 8 bytes of memory with a general register, at once for all threads."""
        self.code += general_instruction((0x87,), register, memory)

    def add_locked(self, memory: Memory, register: int) -> None:
        """Add a general register to 8 bytes of memory, at once for all threads; the register gets what was there."""
        self.code += b"\xf0" + general_instruction((0x0F, 0xC1), register, memory)

    def system_call(self) -> None:
        """Call Linux: the number is in RAX, arguments in RDI, RSI, RDX, R10. Overwrites RAX, RCX and R11."""
        self.code += b"\x0f\x05"

    def pause(self) -> None:
        """Wait some cycles, in a loop that waits for another processor."""
        self.code += b"\xf3\x90"

    def call(self, register: int) -> None:
        """Call the function at the address in a general register."""
        self.code += bytes((0x40 | (register & 8) >> 3, 0xFF, 0xD0 | register & 7))

    def jump_to(self, register: int) -> None:
        """Jump to the address in a general register."""
        self.code += bytes((0x40 | (register & 8) >> 3, 0xFF, 0xE0 | register & 7))

    def ret(self) -> None:
        """Return."""
        self.code.append(0xC3)

    # Jumps

    def new_label(self) -> int:
        """A jump label without an address yet."""
        self._label_count += 1
        return self._label_count

    def align(self, size: int) -> None:
        """Pad to a multiple of `size` bytes. The padding is never executed."""
        self.code += b"\xcc" * (-len(self.code) % size)

    def place(self, label: int) -> None:
        """Put a label at this position."""
        self._labels[label] = len(self.code)

    def jump(self, label: int, condition: int | None = None) -> None:
        """Jump to a label, always or on a condition of the last comparison."""
        code = self.code
        code += CONDITIONAL[condition]
        self._jumps.append((len(code) - 4, label))

    def paste(self, other: Assembler, label: int) -> None:
        """Append the code of another assembler, and its constants; its jumps all lead to a label of this one."""
        start = len(self.code)
        self.code += other.code
        self._jumps += [(start + place, label) for place, _ in other._jumps]
        self._fixes += [(start + place, start + end, content, number) for place, end, content, number in other._fixes]
        self.symbols += [(start + place, size, value) for place, size, value in other.symbols]

    def address_of(self, register: int, label: int) -> None:
        """Load the address of a label."""
        self.code += bytes((0x48 | (register & 8) >> 1, 0x8D, 5 | (register & 7) << 3)) + b"\0\0\0\0"
        self._jumps.append((len(self.code) - 4, label))

    def finish(self) -> bytes:
        """The code, and the constants behind it at multiples of their sizes."""
        for _, _, content, _ in self._fixes:
            if content not in self._pool:
                self.code += bytes(-len(self.code) % len(content))
                self._pool[content] = len(self.code)
                self.code += content
        code, pool, labels, write = self.code, self._pool, self._labels, struct.Struct("<i").pack_into
        for place, end, content, _ in self._fixes:
            write(code, place, pool[content] - end)
        for place, label in self._jumps:
            write(code, place, labels[label] - place - 4)
        return bytes(code)

    def places(self) -> dict[int, list[tuple[int, int]]]:
        """Where constants with a number are in the finished code, and their bytes; not those that share theirs."""
        owners: dict[bytes, set[int]] = {}
        for _, _, content, number in self._fixes:
            owners.setdefault(content, set()).add(number)
        shared = {number for numbers in owners.values() if len(numbers) > 1 for number in numbers}
        found: dict[int, list[tuple[int, int]]] = {}
        for content, (number, *_) in owners.items():
            if number >= 0 and number not in shared:
                found.setdefault(number, []).append((self._pool[content], len(content)))
        return found


def stream(code: Assembler, register: int, memory: Memory) -> None:
    """Store a vector past the caches, at an address of whole vectors."""
    start = len(code.code)
    code.vector(STREAM, register, 0, memory)
    code.streams.append(start + (4 if code.code[start] == 0x62 else 3))  # behind the prefix, of AVX-512 or AVX2


# The same instructions come again and again: in every prologue, and in every iteration of an unrolled loop.


@lru_cache(maxsize=4096)
def general_instruction(opcode: tuple[int, ...], register: int, operand: int | Memory, wide: bool = True) -> bytes:
    """An instruction on general registers."""
    prefix = 0x48 if wide else 0x40
    if operand.__class__ is int:
        prefix |= (register & 8) >> 1 | operand >> 3
        return bytes((prefix, *opcode, 0xC0 | (register & 7) << 3 | operand & 7))
    base, _, index, _ = operand  # type: ignore[misc]
    prefix |= (register & 8) >> 1 | base >> 3
    if index is not None:
        prefix |= (index & 8) >> 2
    return bytes((prefix, *opcode)) + operand_bytes(register, operand)


@lru_cache(maxsize=4096)
def _with_word(extension: int, target: int | Memory, value: int) -> bytes:
    """Add, compare and the like with a 32-bit number."""
    if -128 <= value < 128:
        return general_instruction((0x83,), extension, target) + struct.pack("<b", value)
    return general_instruction((0x81,), extension, target) + struct.pack("<i", value)


@lru_cache(maxsize=4096)
def _constant(register: int, value: int) -> bytes:
    """Load a 64-bit number."""
    opcode = bytes((0x48 | (register & 8) >> 3, 0xB8 | register & 7))
    return opcode + struct.pack("<Q", value & (1 << 64) - 1)


@lru_cache(maxsize=4096)
def vector_instruction(form: Form, register: int, first: int, second: int | Memory, bits: int) -> bytes:
    """A vector instruction without its immediate."""
    return _vector_opcode(form, register, first, second, bits) + operand_bytes(register, second)


def _vector_opcode(form: Form, register: int, first: int, second: int | Memory, bits: int) -> bytes:
    """The prefix and opcode of a vector instruction."""
    prefix, opcodes, opcode, wide, _ = form
    if second.__class__ is int:
        high = second >> 3
    else:
        base, _, index, _ = second  # type: ignore[misc]
        high = base >> 3 if index is None else base >> 3 | index >> 2 & 2
    # The prefix has the upper bits of registers inverted.
    registers = ((register & 8) << 4 | high << 5) ^ 0xE0 | opcodes
    return bytes((0xC4, registers, (wide << 7 | (first & 15) << 3) ^ 0x78 | (bits == 256) << 2 | prefix, opcode))


def operand_bytes(register: int, operand: int | Memory, unit: int = 1) -> bytes:
    """The ModRM byte, with SIB and displacement. `unit`: the bytes in which short displacements count."""
    low = (register & 7) << 3
    if operand.__class__ is int:
        return bytes((0xC0 | low | operand & 7,))
    base, offset, index, scale = operand  # type: ignore[misc]
    count = offset // unit
    near = -128 <= count < 128 and not offset % unit
    if index is None and base & 7 != RSP:
        low |= base & 7
        return bytes((0x40 | low, count & 0xFF)) if near else _far(0x80 | low, offset)
    sib = 0x24 if index is None else SCALES[scale] << 6 | (index & 7) << 3 | base & 7
    return bytes((0x44 | low, sib, count & 0xFF)) if near else _far_indexed(0x84 | low, sib, offset)


_far, _far_indexed = struct.Struct("<Bi").pack, struct.Struct("<BBi").pack

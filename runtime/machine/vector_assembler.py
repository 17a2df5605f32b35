"""The instructions of kernels for AVX-512: the same calls as for AVX2, on 32 registers of 64 bytes."""

from __future__ import annotations

from functools import cache, lru_cache

from .assembler import (
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    NONE,
    P66,
    PF3,
    Form,
    Memory,
    Operand,
    Pooled,
    operand_bytes,
    vector_instruction,
)
from .wide_assembler import BROADCAST, LOAD, STORE, WIDTH, WideAssembler

TEST, LANES_OF_MASK, MASK_OF_LANES, BLEND = (
    {width: Form(prefix, MAP_0F38, narrow if width < 4 else opcode, width in (2, 8)) for width in (1, 2, 4, 8)}
    for prefix, narrow, opcode in ((P66, 0x26, 0x27), (PF3, 0x28, 0x38), (PF3, 0x29, 0x39), (P66, 0x66, 0x65))
)  # by the bytes of a lane, as all below
STORE_BYTES = {
    1: STORE[1], 2: Form(PF3, MAP_0F38, 0x30), 4: Form(PF3, MAP_0F38, 0x31), 8: Form(PF3, MAP_0F38, 0x32),
}  # fmt: skip
STORE_WORDS = Form(PF3, MAP_0F38, 0x33)
CHOOSE = {4: Form(P66, MAP_0F38, 0x90), 8: Form(P66, MAP_0F38, 0x90, 1)}
INTO_FIRST = {1: Form(P66, MAP_0F38, 0x7D), 4: Form(P66, MAP_0F38, 0x7F), 8: Form(P66, MAP_0F38, 0x7F, 1)}
"""As FROM_TWO, but the target is the first vector, and the next operand the numbers of lanes."""
PERMUTE = {1: Form(P66, MAP_0F38, 0x8D), 4: Form(P66, MAP_0F38, 0x16), 8: Form(P66, MAP_0F38, 0x16, 1)}
FROM_TWO = {width: Form(P66, MAP_0F38, 0x75 if width < 4 else 0x77, width in (2, 8)) for width in (1, 2, 4, 8)}
"""Elements of two vectors, chosen by the numbers that are in the target."""

SHUFFLE = Form(P66, MAP_0F38, 0x00)
"""Bytes of 16 in another order."""
NARROW_FORMS: dict[str, Form] = {
    f"{name}.{dtype}": Form(P66, opcodes, opcode, 0, extension)
    for name, opcodes, extension, found in (
        ("add", MAP_0F, None, {"int8": 0xFC, "int16": 0xFD}),
        ("subtract", MAP_0F, None, {"int8": 0xF8, "int16": 0xF9}),
        ("multiply", MAP_0F, None, {"int16": 0xD5}),
        ("smaller", MAP_0F, None, {"uint8": 0xDA, "int16": 0xEA}),
        ("larger", MAP_0F, None, {"uint8": 0xDE, "int16": 0xEE}),
        ("smaller", MAP_0F38, None, {"int8": 0x38, "uint16": 0x3A}),
        ("larger", MAP_0F38, None, {"int8": 0x3C, "uint16": 0x3E}),
        ("absolute", MAP_0F38, None, {"int8": 0x1C, "int16": 0x1D}),
        ("equal", MAP_0F, None, {"int8": 0x74, "int16": 0x75}),
        ("greater", MAP_0F, None, {"int8": 0x64, "int16": 0x65}),
        ("shift_right", MAP_0F, 2, {"int16": 0x71}),
        ("shift_signed", MAP_0F, 4, {"int16": 0x71}),
        ("shift_left", MAP_0F, 6, {"int16": 0x71}),
    )
    for dtype, opcode in found.items()
}
"""Operations on numbers of 8 and 16 bits, by their names and dtypes."""
MAP_HALVES = 5
HALF_FORMS: dict[str, Form] = {
    "compare.float16": Form(NONE, MAP_0F3A, 0xC2),
    **{
        f"{name}.float16": Form(NONE, MAP_HALVES, opcode)
        for name, opcode in (
            ("sqrt", 0x51), ("add", 0x58), ("multiply", 0x59), ("subtract", 0x5C), ("smaller", 0x5D), ("divide", 0x5E),
            ("larger", 0x5F),
        )
    },
}  # fmt: skip
"""Operations on float16 as it is in memory, which not every processor with AVX-512 has."""

_PARTS = frozenset(
    {0x13, 0x18, 0x19, 0x20, 0x21, 0x23, 0x30, 0x31, 0x32, 0x33, 0x58, 0x59, 0x78, 0x79, 0x90, 0x92, 0xA2}
)
"""Opcodes of `MAP_0F38` whose memory is not a whole vector."""
_TO_HALVES = Form(P66, MAP_0F3A, 0x1D)  # nor is that of this one
_WIDE = frozenset({0x19, 0x59})
"""Opcodes of `MAP_0F38` with another W bit than in AVX2."""
_BITS = frozenset({0xDB, 0xDF, 0xEB, 0xEF})
"""Opcodes of `MAP_0F` for which the width of a lane does not matter."""
_WHOLE = frozenset(
    {*NARROW_FORMS.values(), *HALF_FORMS.values(), SHUFFLE}
    | {found[width] for found in (LOAD, BLEND, FROM_TWO) for width in (1, 2)}
    | {INTO_FIRST[1], PERMUTE[1]}
    | {Form(P66, MAP_0F3A, 0x3E, wide) for wide in (0, 1)}
)
"""Instructions on bytes and words, whose lanes do not read one constant."""
CLEAR = Form(P66, MAP_0F, 0xEF)
_STORES = (MAP_0F, 0x11), (MAP_0F, 0x7F)
_NEVER = 1 << 31  # the unit of displacements that are not shortened


class VectorAssembler(WideAssembler):
    """Collects instructions on vectors of 64 bytes, and of 16.

    Comparisons write to mask registers; a constant that repeats is stored once, and read by all lanes.
    """

    def vector(
        self,
        form: Form,
        register: int,
        first: int,
        second: Operand,
        immediate: int | None = None,
        bits: int = 512,
        mask: int = 0,
        keep: bool = False,
    ) -> None:
        """A vector instruction, as in AVX2.

        Args:
            form: its encoding.
            register: the target; the source of a store.
            first: the first source.
            second: the second source.
            immediate: the last byte.
            bits: the size of the vectors, 512 or 128.
            mask: the number of a mask register, which leaves out lanes.
            keep: whether the lanes that are left out stay as they are; else they become zero.
        """
        code = self.code
        if second.__class__ is Pooled:
            content, number = second
            if form.opcode == 0x10 and form.map == MAP_0F and not any(content):
                self.vector(CLEAR, register, register, register, mask=mask, keep=keep, bits=bits)
                return
            opcode, content = _of_pool(form, register, first, content, bits, mask, keep)
            code += opcode
            end = len(code)
            self._fixes.append((end - 4, end if immediate is None else end + 1, content, number))
        else:
            code += _instruction(form, register, first, second, bits, mask, keep)
        if immediate is not None:
            code.append(immediate & 0xFF)

    def set_all(self, mask: int) -> None:
        """Set the low 16 bits of a mask register."""
        self.code += bytes((0xC5, 0x84 | (~mask & 15) << 3, 0x46, 0xC0 | mask << 3 | mask))

    def copy_mask(self, target: int, source: int) -> None:
        """Copy the low 16 bits of a mask register."""
        self.code += bytes((0xC5, 0xF8, 0x90, 0xC0 | target << 3 | source))


def _in_pool(form: Form, content: bytes) -> tuple[Form, bytes, bool]:
    """How a constant is read: the instruction's form, the bytes in the pool, and whether all lanes read the same."""
    if form in _WHOLE:
        return form, content, False
    size = 8 if form.wide else 4
    loads = form.opcode == 0x10 and form.map == MAP_0F
    for width in (4, 8) if loads or (form.opcode in _BITS and form.map == MAP_0F) else (size,):
        if content == content[:width] * (WIDTH // width) and width >= size:
            if loads:
                return BROADCAST[width], content[:width], False
            return form if size == width else form._replace(wide=True), content[:width], True
    return form, content, False


@lru_cache(maxsize=8192)
def _of_pool(
    form: Form, register: int, first: int, content: bytes, bits: int, mask: int, keep: bool
) -> tuple[bytes, bytes]:
    """An instruction that reads a constant, with room for its address, and the bytes in the pool."""
    form, content, spread = _in_pool(form, content)
    opcodes, third, opcode, _, stores = _constant_parts(form)
    last = (bits == 512) << 6 | spread << 4 | (first & 16) >> 1 ^ 8 | mask | (mask and not keep and not stores) << 7
    registers = ((register & 8) << 4 | register & 16) ^ opcodes
    start = (0x62, registers, third ^ (first & 15) << 3, last, opcode, (register & 7) << 3 | 5, 0, 0, 0, 0)
    return bytes(start), content


@lru_cache(maxsize=8192)
def _instruction(
    form: Form, register: int, first: int, second: int | Memory, bits: int, mask: int, keep: bool
) -> bytes:
    """A vector instruction without its immediate."""
    opcodes, third, opcode, unit, stores = _constant_parts(form)
    last = (bits == 512) << 6 | mask  # the prefix has the upper bits of registers inverted
    if mask and not keep and not stores:
        last |= 0x80
    if second.__class__ is int:
        if bits == 128 and not mask and register < 16 and first < 16 and second < 16:
            return vector_instruction(form, register, first, second, bits)
        registers = ((register & 8) << 4 | (second & 24) << 2 | register & 16) ^ opcodes
        last |= (first & 16) >> 1 ^ 8
        operands = 0xC0 | (register & 7) << 3 | second & 7
        return bytes((0x62, registers, third ^ (first & 15) << 3, last, opcode, operands))
    if bits == 128 and not mask and register < 16 and first < 16:
        return vector_instruction(form, register, first, second, bits)
    base, _, index, _ = second  # type: ignore[misc]
    registers = ((register & 8) << 4 | (base & 8) << 2 | register & 16) ^ opcodes
    if index is not None:
        registers ^= (index & 8) << 3
        last |= ((first | index) & 16) >> 1 ^ 8  # where the positions of a gather are
    else:
        last |= (first & 16) >> 1 ^ 8
    start = bytes((0x62, registers, third ^ (first & 15) << 3, last, opcode))
    return start + operand_bytes(register, second, unit if bits == 512 else _NEVER)


@cache
def _constant_parts(form: Form) -> tuple[int, int, int, int, bool]:
    """What is the same in all instructions of a form: the second and the third byte of the prefix, for the registers 0,
    and the opcode; the unit of their displacements; and whether they store, so that other elements stay."""
    prefix, opcodes, opcode, wide, _ = form
    wide = wide or (opcodes == MAP_0F38 and opcode in _WIDE and prefix == P66)
    whole = not (opcodes == MAP_0F38 and opcode in _PARTS) and form != _TO_HALVES
    third = bool(wide) << 7 ^ 0x7C | prefix
    return 0xF0 | opcodes, third, opcode, WIDTH if whole else _NEVER, (opcodes, opcode) in _STORES

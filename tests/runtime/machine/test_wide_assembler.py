"""Wide instructions seen by a disassembler: every form with every kind of operand, all registers, masks and offsets."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mycel.runtime.machine import wide_assembler as wide
from mycel.runtime.machine.assembler import RAX, RCX, RDX, RSP, Memory
from mycel.runtime.machine.product_code import ProductCode
from mycel.runtime.machine.wide_assembler import WideAssembler

capstone = pytest.importorskip("capstone")
NAMES = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{n}" for n in range(8, 16)))

# Each form with its name, the number of its register operands, and the bytes of memory that it reads.
FORMS = [
    (form[size], name + suffix, registers, size if name == "vbroadcasts" else 64)
    for form, name, registers in (
        (wide.LOAD, "vmovup", 1), (wide.STORE, "vmovup", 1), (wide.BROADCAST, "vbroadcasts", 1),
        (wide.MULTIPLY_ADD, "vfmadd231p", 2), (wide.UNPACK_LOW, "vunpcklp", 2), (wide.UNPACK_HIGH, "vunpckhp", 2),
    )
    for size, suffix in ((4, "s"), (8, "d"))
]  # fmt: skip


@pytest.fixture(scope="module")
def engine() -> Any:
    found = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    found.detail = True
    return found


def one(engine: Any, code: bytes) -> Any:
    """The only instruction of some code."""
    found = list(engine.disasm(code, 0))
    assert len(found) == 1, code.hex()
    assert found[0].size == len(code), code.hex()
    return found[0]


def register_names(instruction: Any) -> list[str]:
    """The names of register operands, in order."""
    return [instruction.reg_name(item.reg) for item in instruction.operands if item.type == capstone.CS_OP_REG]


def memory_of(instruction: Any) -> tuple[Any, ...]:
    """The memory operand: base, index, scale and offset."""
    (place,) = [item.mem for item in instruction.operands if item.type == capstone.CS_OP_MEM]
    index = instruction.reg_name(place.index) if place.index else None
    return instruction.reg_name(place.base), index, place.scale if index else 1, place.disp


def drawn_memory(draw: random.Random) -> Memory:
    index = draw.choice([None, *[number for number in range(16) if number != RSP]])
    offset = draw.choice([0, 64, 128, -64, 4, 1000, -8, 64 * 127, 64 * 128, -64 * 128, -64 * 129, 1 << 20])
    return Memory(draw.randrange(16), offset, index, draw.choice([1, 2, 4, 8]) if index is not None else 1)


def test_vectors_and_memory(engine: Any) -> None:
    draw = random.Random(0)
    for _ in range(300):
        for form, name, registers, _ in FORMS:
            code, place = WideAssembler(), drawn_memory(draw)
            first, second, mask = draw.randrange(32), draw.randrange(32), draw.randrange(8)
            size = 4 if name.endswith("s") else 8
            spread = size if name.startswith("vbroadcast") else 0
            code.wide(form, first, second if registers == 2 else 0, place, mask=mask, spread=spread)
            found = one(engine, bytes(code.code))
            assert found.mnemonic == name
            assert memory_of(found) == (NAMES[place.base], None if place.indexed is None else NAMES[place.indexed],
                                        place.scale if place.indexed is not None else 1, place.offset)  # fmt: skip
            wanted = [f"zmm{first}", *([f"zmm{second}"] if registers == 2 else [])]
            assert [item for item in register_names(found) if item.startswith("zmm")] == wanted
            assert (f"{{k{mask}}}" in found.op_str) == bool(mask)
            assert ("{z}" in found.op_str) == (bool(mask) and form not in wide.STORE.values())


def test_vectors_and_registers(engine: Any) -> None:
    draw = random.Random(1)
    for _ in range(200):
        first, second, third = (draw.randrange(32) for _ in range(3))
        for form, name in (
            (wide.MULTIPLY_ADD[4], "vfmadd231ps"), (wide.MULTIPLY_ADD[8], "vfmadd231pd"),
            (wide.UNPACK_LOW[4], "vunpcklps"), (wide.UNPACK_HIGH[8], "vunpckhpd"),
        ):  # fmt: skip
            code = WideAssembler()
            code.wide(form, first, second, third)
            found = one(engine, bytes(code.code))
            assert (found.mnemonic, register_names(found)) == (name, [f"zmm{n}" for n in (first, second, third)])
        code = WideAssembler()
        code.wide(wide.SHUFFLE_LANES, first, second, third, immediate=wide.ODD_LANES)
        found = one(engine, bytes(code.code))
        assert (found.mnemonic, found.operands[-1].imm & 0xFF) == ("vshufi64x2", wide.ODD_LANES)
        code = WideAssembler()
        code.clear(first)
        found = one(engine, bytes(code.code))
        assert (found.mnemonic, register_names(found)) == ("vpxord", [f"zmm{first}"] * 3)


def test_an_element_for_all_of_a_vector(engine: Any) -> None:
    for form, size, told in ((wide.MULTIPLY_ADD[4], 4, "{1to16}"), (wide.MULTIPLY_ADD[8], 8, "{1to8}")):
        for offset in (0, size, 127 * size, 128 * size, -size, 3):
            code = WideAssembler()
            code.wide(form, 30, 9, Memory(RDX, offset, RCX, 8), spread=size)
            found = one(engine, bytes(code.code))
            assert told in found.op_str
            assert memory_of(found) == ("rdx", "rcx", 8, offset)


def test_general_registers(engine: Any) -> None:
    for register in (0, 3, 8, 15):
        name = NAMES[register]
        for method, more, text in (
            ("multiply_registers", [RCX], f"imul {name}, rcx"), ("subtract_register", [RCX], f"sub {name}, rcx"),
            ("divide_by", [], f"div {name}"), ("shift_left_by_rcx", [], f"shl {name}, cl"),
            ("decrement", [], f"dec {name}"),
        ):  # fmt: skip
            code = WideAssembler()
            getattr(code, method)(register, *more)
            found = one(engine, bytes(code.code))
            assert f"{found.mnemonic} {found.op_str}" == text
    code = WideAssembler()
    code.set_mask(1, RAX)
    found = one(engine, bytes(code.code))
    assert f"{found.mnemonic} {found.op_str}" == "kmovw k1, eax"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_whole_function_reads_as_instructions(engine: Any, dtype: str) -> None:
    """No byte of it is left over, and every jump leads to an instruction. It returns when it is done, refuses or lacks
    memory, to its caller or to what runs a record, and when it has written a record."""
    code = ProductCode(dtype).assemble()
    found = list(engine.disasm(code, 0))
    assert sum(item.size for item in found) == len(code)
    starts = {item.address for item in found}
    jumps = [item for item in found if item.mnemonic.startswith("j")]
    assert len(jumps) > 100
    assert all(item.operands[0].imm in starts for item in jumps)
    assert sum(item.mnemonic == "ret" for item in found) == 7
    assert sum(item.mnemonic == "vzeroupper" for item in found) == 1

"""Machine code seen from outside: a disassembler reads the expected instructions, and callers' registers are
preserved."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from disassembly import BY_FORM, COMPARED, COMPARISONS, JUMPS, Known, Reader, Record, Recording, texts
from drawn_kernels import DrawnKernel

from mycel.runtime.machine import assembler, python_calls
from mycel.runtime.machine.assembler import (
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBP,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Assembler,
    Form,
    Memory,
    Pooled,
)  # fmt: skip
from mycel.runtime.machine.executable import make_function, unavailable
from mycel.runtime.native import (
    allocate,
    blocks,
    boundary,
    codegen,
    generator,
    narrow_blocks,
    placed_pieces,
    places,
    vectors,
)
from mycel.runtime.native.builder import FORMS, WIDE_FORMS
from mycel.runtime.native.codegen import compile_kernel, machine_code
from mycel.runtime.native.language import parse

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
BY_FORM |= {
    allocate.LOAD: Known("vmovups", "rs"), allocate.STORE: Known("vmovups", "sr"),
    assembler.STREAM: Known("vmovntps", "sr"),
    allocate.LOAD_ONE[4]: Known("vmovss", "rs"), allocate.LOAD_ONE[8]: Known("vmovsd", "rs"),
    allocate.STORE_ONE[4]: Known("vmovss", "sr"), allocate.STORE_ONE[8]: Known("vmovsd", "sr"),
    allocate.LANES_SET: Known("vmovmskps", "rs", general="r"),
    blocks.BROADCAST[4]: Known("vbroadcastss", "rs", "s"), blocks.BROADCAST[8]: Known("vbroadcastsd", "rs", "s"),
    blocks.MASKED_LOAD[4]: Known("vmaskmovps", "rfs"), blocks.MASKED_LOAD[8]: Known("vmaskmovpd", "rfs"),
    blocks.MASKED_STORE[4]: Known("vmaskmovps", "sfr"), blocks.MASKED_STORE[8]: Known("vmaskmovpd", "sfr"),
    narrow_blocks.WIDEN_BYTES[2]: Known("vpmovzxbw", "rs", "s"),
    narrow_blocks.WIDEN["int8", 2]: Known("vpmovsxbw", "rs", "s"),
    narrow_blocks.WIDEN_BYTES[4]: Known("vpmovzxbd", "rs", "s"),
    narrow_blocks.WIDEN_BYTES[8]: Known("vpmovzxbq", "rs", "s"),
    blocks.MOVE_WORD: Known("vmovd", "rs", general="s"),
    narrow_blocks.STORE_WORD[4]: Known("vmovd", "sr"), narrow_blocks.STORE_WORD[8]: Known("vmovq", "sr"),
    narrow_blocks.WIDEN["int8", 4]: Known("vpmovsxbd", "rs", "s"),
    narrow_blocks.WIDEN["int16", 4]: Known("vpmovsxwd", "rs", "s"),
    narrow_blocks.WIDEN["uint16", 4]: Known("vpmovzxwd", "rs", "s"), blocks.BROADCAST[1]: Known("vpbroadcastb", "rs"),
    places.SPREAD[4]: Known("vpbroadcastd", "rs", "s"), places.SPREAD[8]: Known("vpbroadcastq", "rs", "s"),
    blocks.INSERT[1]: Known("vpinsrb", "rfsi"), blocks.EXTRACT[1]: Known("vpextrb", "sri"),
    blocks.INSERT[2]: Known("vpinsrw", "rfsi"), blocks.EXTRACT[2]: Known("vpextrw", "sri"),
    blocks.BROADCAST[2]: Known("vpbroadcastw", "rs"), allocate.WIDEN_HALVES: Known("vcvtph2ps", "rs", "s"),
    blocks.INSERT[4]: Known("vpinsrd", "rfsi"), blocks.INSERT[8]: Known("vpinsrq", "rfsi"),
    narrow_blocks.INSERT_HALF: Known("vinserti128", "rfsi", "s"),
    blocks.EXTRACT_HALF: Known("vextracti128", "sri", "s"),
    blocks.STORE_LANE: Known("vextractps", "sri"),
    narrow_blocks.NARROW_WORDS: Known("vpackssdw", "rfs"), narrow_blocks.NARROW_BYTES: Known("vpacksswb", "rfs"),
    narrow_blocks.NARROW_UNSIGNED_WORDS: Known("vpackusdw", "rfs"),
    narrow_blocks.NARROW_UNSIGNED_BYTES: Known("vpackuswb", "rfs"),
    blocks.SHUFFLE: Known("vpshufb", "rfs"), narrow_blocks.SHUFFLE_TWO: Known("vshufps", "rfsi"),
    narrow_blocks.EVERY_SECOND[8][0]: Known("vshufpd", "rfsi"),
    narrow_blocks.MOVE_QUARTERS: Known("vpermq", "rsi"),
    placed_pieces.ADD_ONE[4]: Known("vaddss", "rfs"), placed_pieces.ADD_ONE[8]: Known("vaddsd", "rfs"),
    places.TO_VECTOR[8]: Known("vmovq", "rs", general="s"),
    places.SIGNS[8]: Known("vmovmskpd", "rs", general="r"),
    **{
        Form(assembler.P66, assembler.MAP_0F38, opcode, wide): Known(f"{name}p{'sd'[wide]}", "rfs")
        for opcode, name in ((0xB8, "vfmadd231"), (0xA8, "vfmadd213"), (0xBC, "vfnmadd231"), (0xAC, "vfnmadd213"))
        for wide in (0, 1)
    },
}  # fmt: skip


def recorded(name: str) -> Callable[..., None]:
    """The method, which writes down how it was called from outside."""
    method = getattr(Assembler, name)
    defaults = {"vector": {"immediate": None, "bits": 256}, "jump": {"condition": None}}.get(name, {})
    order = {"vector": ("form", "register", "first", "second", "immediate", "bits")}.get(name, ())

    def call(self: Recording, *arguments: Any, **keywords: Any) -> None:
        start = len(self.code)
        self.depth += 1
        method(self, *arguments, **keywords)
        self.depth -= 1
        if not self.depth:
            if name == "vector":
                given = dict(zip(order, arguments, strict=False)) | keywords
                arguments = tuple({**defaults, **given}[key] for key in order)
            elif name in ("add", "compare"):
                arguments = (*arguments[:2], keywords.get("scratch", arguments[2] if len(arguments) > 2 else RAX))
            elif name == "jump" and len(arguments) == 1:
                arguments = (*arguments, keywords.get("condition"))
            self.records.append(Record(name, arguments, start, len(self.code)))

    return call


SILENT = {"new_label", "place", "align", "finish", "places", "paste", "stream"}
for _name in [name for name in vars(Assembler) if not name.startswith("_") and name not in SILENT]:
    setattr(Recording, _name, recorded(_name))


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_a_disassembler_reads_what_the_assembler_was_asked_for(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of every eighth kernel; of all kernels, which together have all instructions, among the slow tests."""
    reader = Reader(pytest.importorskip("capstone"))
    monkeypatch.setattr(generator, "Assembler", Recording)
    for module, function in ((boundary, "_check"), (boundary, "_check_shape"), (python_calls, "_new_reference")):
        monkeypatch.setattr(module, function, getattr(module, function).__wrapped__)
        monkeypatch.setattr(module, "Assembler", Recording)
    monkeypatch.setattr(vectors, "AVX2", vectors.AVX2._replace(assembler=Recording))
    kernels = texts()[::every]
    for text in kernels:
        Recording.made = []
        codegen.forget()
        machine_code(str(parse(text)), wide=False)
        for code in Recording.made:
            if code.final:
                reader.read(code)
    assert len(kernels) > 250 // every
    assert reader.compared > 40_000 // every // 2
    if every > 1:
        return
    assert reader.compared > 40_000
    missing = {known.mnemonic for form, known in BY_FORM.items() if form not in reader.forms}
    assert missing <= {"vcvtps2dq"}, missing  # which no function has a use for now


MEMORY_ALONE = (
    *allocate.LOAD_ONE.values(), *allocate.STORE_ONE.values(), assembler.STREAM, *blocks.MASKED_LOAD.values(),
    *blocks.MASKED_STORE.values(), *narrow_blocks.STORE_WORD.values(), *blocks.INSERT.values(),
    *blocks.EXTRACT.values(), blocks.STORE_LANE,
)  # fmt: skip
HALF_ALONE = (
    *allocate.LOAD_ONE.values(), *allocate.STORE_ONE.values(), *narrow_blocks.STORE_WORD.values(),
    *blocks.INSERT.values(), *blocks.EXTRACT.values(), blocks.STORE_LANE, blocks.BROADCAST[1], blocks.BROADCAST[2],
    blocks.MOVE_WORD, places.TO_VECTOR[8], *placed_pieces.ADD_ONE.values(),
)  # fmt: skip


def test_every_form_with_all_kinds_of_operands() -> None:
    """With registers on both sides of eight, memory with and without an index, near and far, and constants."""
    reader, random = Reader(pytest.importorskip("capstone")), np.random.default_rng(0)

    def number(count: int) -> int:
        return int(random.integers(count))

    def memory() -> Memory:
        offset = int(random.choice([0, 1, -1, 127, 128, -128, -129, 4096, (1 << 31) - 1, -(1 << 31)]))
        if random.random() < 0.5:
            return Memory(number(16), offset)
        index = int(random.choice([n for n in range(16) if n != RSP]))
        return Memory(number(16), offset, index, 1 << number(4))

    for form, known in BY_FORM.items():
        code = Recording()
        for _ in range(80):
            second: Any = memory()
            if form in (allocate.LANES_SET, places.SIGNS[8]) or (random.random() < 0.4 and form not in MEMORY_ALONE):
                second = number(16)
            elif random.random() < 0.2 and "s" in known.order[1:]:
                second = Pooled(bytes([number(256)]) * 32)
            if form.extension is not None:
                second = number(16)
            first = number(16) if "f" in known.order else 0
            register = form.extension if form.extension is not None else number(16)
            immediate = None
            if "i" in known.order:
                immediate = int(random.choice(list(COMPARISONS))) if known.mnemonic in COMPARED else number(128)
            elif "b" in known.order:
                immediate = number(16) << 4
            code.vector(form, register, first, second, immediate, bits=128 if form in HALF_ALONE else 256)
        code.finish()
        reader.read(code)
    assert reader.compared == 80 * len(BY_FORM)
    assert set(FORMS.values()) - set(WIDE_FORMS.values()) <= set(BY_FORM)


def test_general_instructions_with_all_kinds_of_operands() -> None:
    reader = Reader(pytest.importorskip("capstone"))
    numbers = [0, 1, -1, 127, 128, -128, -129, 1 << 16, (1 << 31) - 1, -(1 << 31), 1 << 31, -(1 << 31) - 1, 1 << 62]
    code = Recording()
    for register in range(16):
        scratch = (register + 1) % 16
        index = next(n for n in (register, scratch) if n != RSP)
        places = [Memory(register, 8), Memory(register, 1000, index, 8), Memory(register, -(1 << 31)), Memory(register)]
        for value in numbers:
            for target in (register, places[0]):
                code.add(target, value, scratch)
                code.compare(target, value, scratch=scratch)
            code.constant(register, value)
            code.multiply(register, scratch, value)
            code.multiply(scratch, places[0], value)
            if register != RAX:
                code.store_number(places[0], value)
        code.bit_and(register, 0x505)
        for place in places:
            code.load(register, place)
            code.store(place, register)
            code.load_byte(register, place)
            code.load_word(register, place)
            code.load_signed(register, place)
            code.address(register, place)
            code.compare_word(place, 17)
            code.and_word(register, place)
            code.compare_registers(register, place)
            code.add_register(register, place)
        code.load(register, scratch)
        code.compare_registers(register, scratch)
        code.add_register(register, scratch)
        code.push(register)
        code.pop(register)
        code.call(register)
    label = code.new_label()
    for condition in JUMPS:
        code.jump(label, condition)
    code.place(label)
    for condition in JUMPS:
        code.jump(label, condition)
    code.zero_upper()
    code.ret()
    code.finish()
    reader.read(code)
    assert reader.compared > 2500


# A function that calls a kernel with known numbers in all registers that belong to its caller, and compares them after.

CALLEE_SAVED = (RBX, RBP, R12, R13, R14, R15)
FLAGS_WORDS = 4  # behind the registers: the stack pointer, MXCSR, the x87 control word, the flags


def observer(kernel: Any) -> tuple[Any, np.ndarray]:
    """A function that calls a kernel's code, and words in which it stores the registers afterwards."""
    words = np.zeros(2 * (len(CALLEE_SAVED) + FLAGS_WORDS), np.int64)
    before, after = words.ctypes.data, words.ctypes.data + 8 * (len(CALLEE_SAVED) + FLAGS_WORDS)
    code = Assembler()
    for register in CALLEE_SAVED:
        code.push(register)
    code.add(RSP, -24)
    for number, register in enumerate(CALLEE_SAVED):
        code.constant(register, pattern(number))

    def note(base: int) -> None:
        """Write registers and flags to memory; RCX and the stack below are free."""
        code.constant(RCX, base)
        for number, register in enumerate((*CALLEE_SAVED, RSP)):
            code.store(Memory(RCX, 8 * number), register)
        place = 8 * len(CALLEE_SAVED) + 8
        code.code += b"\x0f\xae\x59" + struct.pack("<b", place)  # stmxcsr [rcx + place]
        code.code += b"\xd9\x79" + struct.pack("<b", place + 8)  # fnstcw [rcx + place + 8]
        code.code += b"\x9c\x8f\x41" + struct.pack("<b", place + 16)  # pushfq; pop [rcx + place + 16]

    for register in (RDI, RSI, RDX):
        code.push(register)
    code.add(RSP, -8)
    note(before)
    code.add(RSP, 8)
    for register in (RDX, RSI, RDI):
        code.pop(register)
    code.add(RSP, -32)
    code.constant(RAX, kernel.__self__.address)
    code.call(RAX)
    note(after)
    code.add(RSP, 56)
    for register in reversed(CALLEE_SAVED):
        code.pop(register)
    code.ret()
    return make_function(code.finish(), "observer", ""), words


def pattern(number: int) -> int:
    """The number in a register."""
    return 0x1234_5678_9ABC_0000 + 0x1111 * number


def test_callers_find_their_registers_and_flags_as_they_left_them() -> None:
    checked = 0
    for seed in range(1, 401, 2):
        drawn = DrawnKernel(seed)
        kernel = compile_kernel(drawn.text)
        observe, words = observer(kernel)
        arrays = drawn.arguments([array.copy() for array in drawn.arrays])
        for arguments in (arrays, arrays[:-1], [*arrays[:-1], None]):
            result = observe(*arguments)
            assert result is (len(arguments) == len(arrays) and arguments[-1] is not None)
            count = len(CALLEE_SAVED)
            before, after = words[: count + FLAGS_WORDS], words[count + FLAGS_WORDS :]
            assert list(after[:count]) == [pattern(number) for number in range(count)], drawn.text
            assert before[count] == after[count], "the stack pointer"
            assert before[count + 1] & 0xFFC0 == after[count + 1] & 0xFFC0, "the control bits of MXCSR"
            assert before[count + 2] & 0xFFFF == after[count + 2] & 0xFFFF, "the control word of the x87"
            assert not after[count + 3] & 0x400, "the direction flag"
            checked += 1
    assert checked == 600


CHAIN = """
over 32768
in x float64[32768] 8
out y float64[32768] 8
a = log1p(x)
b = tanh(a)
c = less(b, 0.25)
d = select(c, a, 3.0)
y = exp(d)
"""


def test_code_does_not_depend_on_the_numbers_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constants and values are numbered apart: which numbers are equal decides nothing."""
    codegen.forget()
    before = machine_code(CHAIN)

    class Numbered(generator.Generator):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.counter[0] = 1000

    monkeypatch.setattr(codegen, "Generator", Numbered)
    codegen.forget()
    assert machine_code(CHAIN) == before


def test_columns_that_are_too_long_for_two_vectors_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The basic block that is tried for several vectors side by side becomes that of one vector."""
    written = []
    values = generator.Generator.column_values

    def counted(self: Any, piece: Any, number: int) -> None:
        written.append(number)
        values(self, piece, number)

    monkeypatch.setattr(generator.Generator, "column_values", counted)
    codegen.forget()
    longer = "".join(f"e{number} = erfc({f'e{number - 1}' if number else 'd'})\n" for number in range(6))
    machine_code(CHAIN.replace("y = exp(d)", f"{longer}y = exp(e5)"))
    assert written == [0]


def test_vectors_side_by_side_that_need_more_registers_than_there_are_give_what_single_ones_give() -> None:
    """The steps of two vectors stand in turn, and some values wait in memory."""
    text = """
over {size}
in x float32[{size}] 4
in w float32[{size}] 4
out y float32[{size}] 4
out z float32[{size}] 4
a = multiply(x, w)
b = absolute(x)
c = exp(a)
d = log1p(c)
e = tanh(d)
f = divide(e, c)
g = multiply(f, b)
h = subtract(d, a)
y = multiply(g, h)
i = add(x, w)
j = multiply(i, e)
z = add(j, f)
"""
    size, part = 1 << 15, 1 << 10
    draw = np.random.default_rng(5)
    arrays = [draw.standard_normal(size).astype(np.float32) for _ in range(2)]
    found, expected = ([np.empty_like(arrays[0]) for _ in range(2)] for _ in range(2))
    assert compile_kernel(text.format(size=size))(*arrays, *found)
    single = compile_kernel(text.format(size=part))
    for start in range(0, size, part):
        assert single(*[one[start : start + part] for one in (*arrays, *expected)])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_constants_that_several_steps_read_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They wait in free registers; results are the same."""
    x = np.abs(np.random.default_rng(6).standard_normal(32768))
    found = {}
    for shares in (True, False):
        monkeypatch.setattr(allocate.Allocator, "shares", shares)
        codegen.forget()
        y = np.empty_like(x)
        assert compile_kernel(CHAIN, wide=False)(x, y)
        found[machine_code(CHAIN, wide=False)] = y
    codegen.forget()
    one, other = found.values()
    np.testing.assert_array_equal(one, other)

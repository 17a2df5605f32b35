"""Kernels for AVX-512: they give what those for AVX2 give, and a disassembler reads the instructions that were asked
for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawn_kernels import DrawnKernel
from drawn_narrow import DrawnNarrow
from native_fuzz import GuardedMemory
from searches import chequered

import mycel as ms
from mycel.runtime.machine import vector_assembler, wide_assembler
from mycel.runtime.machine.assembler import MAP_0F, P66, Form, Memory, Pooled
from mycel.runtime.machine.executable import has_masked_vectors, permutes_bytes, unavailable
from mycel.runtime.machine.vector_assembler import VectorAssembler
from mycel.runtime.native import allocate, blocks, codegen, narrow_blocks, vectors, wide_pieces
from mycel.runtime.native.builder import FORMS
from mycel.runtime.native.codegen import compile_kernel, machine_code
from mycel.runtime.native.functions import FUNCTIONS
from mycel.runtime.native.language import parse
from mycel.runtime.native.vectors import AVX2, AVX512, choose_vectors

needs_both = pytest.mark.skipif(
    unavailable() is not None or not has_masked_vectors(), reason="the processor has no AVX-512"
)

SIZES = {"float32": 4, "float64": 8, "int32": 4, "int64": 8}
COLUMNS = 75


def special(dtype: str, count: int, random: np.random.Generator) -> np.ndarray:
    """Numbers of all sizes, and those at the ends of the range."""
    if dtype.startswith("int"):
        limits = np.iinfo(dtype)
        numbers = random.integers(-99, 100, count)
        numbers[: count // 5] = random.choice([limits.min, limits.max, 0, -1, 1], count // 5)
        return numbers.astype(dtype)
    limits = np.finfo(dtype)
    found = random.standard_normal(count) * 10.0 ** random.integers(-6, 5, count)
    odd = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, limits.max, limits.tiny, limits.smallest_subnormal]
    found[: count // 3] = random.choice(odd, count // 3)
    return np.asarray(found, dtype)


def calls() -> list[tuple[str, str, str]]:
    """Each function for each dtype that it has: its text, the dtype, and that of its result."""
    found = []
    for dtype, size in SIZES.items():
        for function in FUNCTIONS:
            for form in (f"{function}(x)", f"{function}(x, z)", f"{function}(m, x, z)", f"{function}(m)",
                         f"{function}(x, m)", f"{function}(x, z, x)", f"{function}(x, bool)"):  # fmt: skip
                for out in (dtype, "bool"):
                    try:
                        machine_code(text_of(form, dtype, size, out))
                    except codegen.Unsupported:
                        continue
                    found.append((form, dtype, out))
    return found


def text_of(form: str, dtype: str, size: int, out: str, rows: int = 2) -> str:
    n, other = rows * COLUMNS, 1 if out == "bool" else size
    return (
        f"over {rows} {COLUMNS}\nin x {dtype}[{n}] {COLUMNS * size} {size}\nin z {dtype}[{n}] {COLUMNS * size} {size}\n"
        f"in m bool[{n}] {COLUMNS} 1\nout y {out}[{n}] {COLUMNS * other} {other}\ny = {form}"
    )


@needs_both
def test_both_instruction_sets_give_the_same_bits() -> None:
    random = np.random.default_rng(0)
    every = calls()
    assert len(every) > 150
    for form, dtype, out in every:
        text = text_of(form, dtype, SIZES[dtype], out)
        x, z = (special(dtype, 2 * COLUMNS, random) for _ in range(2))
        m = random.random(2 * COLUMNS) < 0.5
        results = []
        for wide in (True, False):
            y = np.zeros(2 * COLUMNS, out)
            assert compile_kernel(text, wide=wide)(x, z, m, y) is True
            results.append(y)
        same = (results[0] == results[1]) | ((results[0] != results[0]) & (results[1] != results[1]))
        assert same.all(), (form, dtype, x[~same], z[~same], results[0][~same], results[1][~same])


@needs_both
@pytest.mark.parametrize(("dtype", "step"), chequered(SIZES, [1, -1, 2, -2, 3, 7]))
def test_columns_of_every_stride_stay_inside_of_their_arrays(dtype: str, step: int) -> None:
    size, memory = SIZES[dtype], GuardedMemory(4, 4)
    for columns in range(1, 40):
        count = (columns - 1) * abs(step) + 1
        start = f" from {(count - 1) * size}" if step < 0 else ""
        text = (
            f"over {columns}\nin x {dtype}[{count}] {step * size}{start}\nin m bool[{count}] {step}"
            f"{f' from {count - 1}' if step < 0 else ''}\nout y {dtype}[{count}] {step * size}{start}\n"
            f"out b bool[{columns}] 1\nt = add(x, 1)\ny = select(m, t, x)\nb = greater(y, 3)"
        )
        for at_end in (True, False):
            memory.turn()
            x = memory.copy(np.arange(count).astype(dtype), at_end)
            m = memory.copy(np.arange(count) % 3 == 0, at_end)
            y, b = memory.copy(np.zeros(count, dtype), at_end), memory.copy(np.zeros(columns, bool), at_end)
            assert compile_kernel(text, wide=True)(x, m, y, b) is True
            wanted = np.where(m, x + 1, x)[:: abs(step)]
            np.testing.assert_array_equal(y[:: abs(step)], wanted)
            np.testing.assert_array_equal(b, (wanted > 3)[:: 1 if step > 0 else -1])
            assert not y.reshape(-1)[[n for n in range(count) if n % abs(step)]].any()


@needs_both
def test_calls_of_the_c_library_keep_registers_and_masks() -> None:
    """Many values live across a call, comparisons among them, in the last columns too."""
    n = 45
    lines = [f"over {n}", f"in x float32[{n}] 4", f"out y float32[{n}] 4"]
    lines += [f"g{k} = greater(x, {k / 4})" for k in range(4)]
    lines += [f"v{k} = multiply(x, {1.5 + k})" for k in range(30)]
    lines += ["s = sin(x)"]
    lines += ["a0 = s", *[f"a{k + 1} = add(a{k}, v{k})" for k in range(30)]]
    lines += ["c0 = a30", *[f"c{k + 1} = select(g{k}, c{k}, {k}.0)" for k in range(4)], "y = c4"]
    x = np.linspace(-3, 3, n, dtype=np.float32)
    x[[1, 20, 44]] = 1e9
    wide, narrow = np.zeros(n, np.float32), np.zeros(n, np.float32)
    assert compile_kernel("\n".join(lines), wide=True)(x, wide) is True
    assert compile_kernel("\n".join(lines), wide=False)(x, narrow) is True
    np.testing.assert_array_equal(wide, narrow)


def long_text(columns: int, dtype: str, rows: int = 3) -> str:
    """A kernel of many steps, with a sum and the largest number of each row, and bools."""
    n, size = rows * columns, SIZES[dtype]
    arrays = [
        f"in x {dtype}[{n}] {columns * size} {size}",
        f"in m bool[{n}] {columns} 1",
        f"in w {dtype}[{rows}] {size} 0",
    ]
    arrays += [f"out {name} {dtype}[{n}] {columns * size} {size}" for name in ("y", "c")]
    arrays += [f"out b bool[{n}] {columns} 1", *[f"out {name} {dtype}[{rows}] {size} 0" for name in ("s", "g")]]
    lines = ["v0 = power(x, w)", "v1 = tanh(v0)", "y = select(m, v1, x)", "b = greater(y, 0.5)"]
    lines += ["s = row_add(v1)", "g = row_maximum(v0)", "c = exp(v0)"]
    return "\n".join([f"over {rows} {columns}", *arrays, *lines])


@needs_both
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_long_code_has_one_loop_for_whole_vectors_and_the_last_columns(dtype: str) -> None:
    memory, lanes = GuardedMemory(4, 8), 64 // SIZES[dtype]
    for columns in (*range(lanes - 1, 3 * lanes + 2), 5 * lanes + 3):
        text, n, results = long_text(columns, dtype), 3 * columns, []
        random = np.random.default_rng(columns)
        x, m, w = random.random(n).astype(dtype), random.random(n) < 0.5, np.array([0.5, 1.5, 2.5], dtype)
        for wide in (True, False):
            memory.turn()
            given = [memory.copy(each, True) for each in (x, m, w)]
            made = [memory.copy(np.zeros(size, kind), True)
                    for size, kind in ((n, dtype), (n, dtype), (n, bool), (3, dtype), (3, dtype))]  # fmt: skip
            assert compile_kernel(text, wide=wide)(*given, *made) is True
            results.append([each.copy() for each in made])
        for one, other in zip(*results, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5 if dtype == "float32" else 1e-13)
    whole, rest = (len(machine_code(long_text(columns, dtype), wide=True)) for columns in (4 * lanes, 4 * lanes + 1))
    assert rest < 1.1 * whole


@needs_both
@pytest.mark.parametrize("columns", [128, 160, 200, 263, 4000])
def test_long_rows_have_several_vectors_in_each_iteration(columns: int) -> None:
    """The same numbers as in rows that are too short for that, and sums to rounding."""
    rows, random = 80, np.random.default_rng(columns)
    x = random.standard_normal((rows, columns)).astype(np.float32)
    size = rows * columns
    text = (
        f"over {rows} {columns}\nin x float32[{size}] {4 * columns} 4\nout y float32[{size}] {4 * columns} 4\n"
        f"out s float32[{rows}] 4 0\nadd c float32[{columns}] 0 4\nout b bool[{size}] {columns} 1\n"
        "m = row_maximum(x)\nd = subtract(x, m)\ny = tanh(d)\ns = row_add(y)\nc = y\nb = greater(y, -0.5)"
    )
    alone = f"over {columns}\nin x float32[{columns}] 4\nout y float32[{columns}] 4\ny = tanh(x)"
    for wide in (True, False):
        y, s, c, b = np.zeros_like(x), np.zeros(rows, "f"), np.zeros(columns, "f"), np.zeros((rows, columns), bool)
        flat = [array.reshape(-1) for array in (x, y, s, c, b)]
        assert compile_kernel(text, wide=wide)(*flat) is True
        for row in range(rows):
            one, wanted = x[row] - x[row].max(), np.zeros(columns, np.float32)
            assert compile_kernel(alone, wide=wide)(one, wanted) is True
            np.testing.assert_array_equal(y[row], wanted)
        np.testing.assert_array_equal(b, y > -0.5)
        np.testing.assert_allclose(s, y.sum(1, dtype=np.float64), 1e-5)
        np.testing.assert_allclose(c, y.sum(0, dtype=np.float64), 1e-5)


@needs_both
def test_which_kernels_are_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(columns: int, statement: str = "y = exp(x)", dtype: str = "float32", wide: bool | None = None) -> Any:
        size = SIZES[dtype]
        text = f"over {columns}\nin x {dtype}[{columns}] {size}\nout y {dtype}[{columns}] {size}\n{statement}"
        return choose_vectors(parse(text), wide)

    assert chosen(9) is AVX512
    assert chosen(8) is AVX2
    assert chosen(5, dtype="float64") is AVX512
    assert chosen(24) is AVX2  # whole vectors, without a mask
    assert chosen(72) is AVX512
    assert chosen(32) is AVX512
    assert chosen(20, "t = row_add(x)\ny = divide(x, t)") is AVX512
    assert chosen(20, "t = row_add(x)\ny = subtract(x, t)") is AVX2  # lanes are added up
    assert chosen(30, "t = row_add(x)\ny = subtract(x, t)") is AVX512
    sums = "over 9 {0}\nin x float32[9,{0}] {1} 4\nadd y float32[{0}] 0 4\ny = x"
    assert choose_vectors(parse(sums.format(60, 240))) is AVX2  # each row loads the sums that the last one has stored
    assert choose_vectors(parse(sums.format(200, 800))) is AVX2
    assert choose_vectors(parse(sums.format(300, 1200))) is AVX512
    assert chosen(4, wide=True) is AVX512
    assert chosen(900, wide=False) is AVX2
    assert chosen(900, "y = scan_add(x)") is AVX2
    apart = "over 900\nin x float32[8100] 36\nout y float32[900] 4\ny = exp(x)"
    assert choose_vectors(parse(apart)) is AVX2
    for near in ("32", "28", "24", "12", "8"):
        assert choose_vectors(parse(apart.replace("36", near))) is AVX512
        assert choose_vectors(parse(apart.replace("36", f"-{near} from 32396"))) is AVX512
    bools = "over 900\nin m bool[900] 1\nin x float32[900] 4\nout y float32[900] 4\ny = select(m, x, 0.0)"
    assert choose_vectors(parse(bools)) is AVX512
    monkeypatch.setattr(vectors, "has_masked_vectors", lambda: False)
    assert chosen(900) is AVX2
    assert chosen(900, wide=True) is AVX2


# The instructions

Record = tuple[Any, ...]


class Recording(VectorAssembler):
    """An assembler that records its vector instructions."""

    made: list[Recording] = []  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.records: list[tuple[int, int, Record]] = []
        self.final = b""
        self.inside = False
        self.made.append(self)

    def vector(
        self,
        form: Form,
        register: int,
        first: int,
        second: Any,
        immediate: int | None = None,
        bits: int = 512,
        mask: int = 0,
        keep: bool = False,
    ) -> None:
        start, outermost, self.inside = len(self.code), not self.inside, True
        super().vector(form, register, first, second, immediate, bits, mask, keep)
        if outermost:
            record = form, register, first, second, immediate, bits, mask, keep
            self.records.append((start, len(self.code), record))
            self.inside = False

    def finish(self) -> bytes:
        self.final = super().finish()
        return self.final


LETTERS = {1: "bb", 2: "ww", 4: "sd", 8: "dq"}
NAMED: dict[Form, tuple[str, str]] = {  # the name, and the operands: register, first, second, immediate, k for a mask
    **{
        FORMS[f"{ours}.float{8 * size}"]: (f"v{theirs}p{LETTERS[size][0]}", order)
        for size in (4, 8)
        for ours, theirs, order in (
            ("add", "add", "rfs"), ("multiply", "mul", "rfs"), ("subtract", "sub", "rfs"), ("smaller", "min", "rfs"),
            ("divide", "div", "rfs"), ("larger", "max", "rfs"), ("sqrt", "sqrt", "rs"), ("round", "rndscale", "rsi"),
            ("compare", "cmp", "kfsi"), ("scale", "scalef", "rfs"),
        )
    },
    **{
        Form(P66, 2, opcode, wide): (f"{name}p{'sd'[wide]}", "rfs")
        for opcode, name in ((0xB8, "vfmadd231"), (0xA8, "vfmadd213"), (0xBC, "vfnmadd231"), (0xAC, "vfnmadd213"))
        for wide in (0, 1)
    },
    **{
        forms[size]: (name.format(*LETTERS[size]), order)
        for size in (4, 8)
        for forms, name, order in (
            (wide_assembler.LOAD, "vmovup{0}", "rs"), (wide_assembler.STORE, "vmovup{0}", "sr"),
            (blocks.BROADCAST, "vbroadcasts{0}", "rs"),
            (narrow_blocks.WIDEN_BYTES, "vpmovzxb{1}", "rx"), (vector_assembler.STORE_BYTES, "vpmov{1}b", "sr"),
            (vector_assembler.TEST, "vptestm{1}", "kfs"), (vector_assembler.LANES_OF_MASK, "vpmovm2{1}", "rm"),
            (vector_assembler.MASK_OF_LANES, "vpmov{1}2m", "ks"), (vector_assembler.BLEND, "vblendmp{0}", "rfs"),
            (vector_assembler.FROM_TWO, "vpermi2p{0}", "rfs"),
            (vector_assembler.INTO_FIRST, "vpermt2p{0}", "rfs"), (vector_assembler.PERMUTE, "vpermp{0}", "rfs"),
            (vector_assembler.CHOOSE, "vpgatherd{1}", "rs"),
            (allocate.LOAD_ONE, "vmovs{0}", "rs"), (allocate.STORE_ONE, "vmovs{0}", "sr"),
        )
    },
    **{
        FORMS[f"{ours}.{sign}int{8 * size}"]: (f"vp{theirs.format(sign or 's')}{LETTERS[size][1]}", order)
        for size in (1, 2, 4, 8)
        for sign in ("", "u")
        for ours, theirs, order in (
            ("add", "add", "rfs"), ("subtract", "sub", "rfs"), ("multiply", "mull", "rfs"), ("smaller", "min{}", "rfs"),
            ("larger", "max{}", "rfs"), ("absolute", "abs", "rs"), ("equal", "cmpeq", "kfs"),
            ("greater", "cmpu" if sign else "cmpgt", "kfsi" if sign else "kfs"), ("shift_left", "sll", "fsi"),
            ("shift_right", "srl", "fsi"), ("shift_signed", "sra", "fsi"), ("left_by_each", "sllv", "rfs"),
        )
        if f"{ours}.{sign}int{8 * size}" in FORMS
    },
    **{
        forms[size]: (name.format(LETTERS[size][1], 8 * size), order)
        for size in (1, 2)
        for forms, name, order in (
            (wide_assembler.LOAD, "vmovdqu{1}", "rs"), (wide_assembler.STORE, "vmovdqu{1}", "sr"),
            (vector_assembler.TEST, "vptestm{0}", "kfs"), (vector_assembler.LANES_OF_MASK, "vpmovm2{0}", "rm"),
            (vector_assembler.MASK_OF_LANES, "vpmov{0}2m", "ks"), (vector_assembler.BLEND, "vpblendm{0}", "rfs"),
        )
    },
    vector_assembler.FROM_TWO[1]: ("vpermi2b", "rfs"), vector_assembler.FROM_TWO[2]: ("vpermi2w", "rfs"),
    vector_assembler.INTO_FIRST[1]: ("vpermt2b", "rfs"), vector_assembler.PERMUTE[1]: ("vpermb", "rfs"),
    narrow_blocks.NARROW_UNSIGNED_BYTES: ("vpackuswb", "rfs"),
    narrow_blocks.NARROW_UNSIGNED_WORDS: ("vpackusdw", "rfs"),
    vector_assembler.STORE_BYTES[2]: ("vpmovwb", "sr"), narrow_blocks.WIDEN_BYTES[2]: ("vpmovzxbw", "rx"),
    narrow_blocks.WIDEN["int8", 2]: ("vpmovsxbw", "rx"),
    FORMS["and"]: ("vpand", "rfs"), FORMS["or"]: ("vpor", "rfs"), FORMS["xor"]: ("vpxor", "rfs"),
    FORMS["and_not"]: ("vpandn", "rfs"),
    FORMS["right_by_each.int64"]: ("vpsrlvq", "rfs"), FORMS["signed_by_each.int32"]: ("vpsravd", "rfs"),
    FORMS["low_product"]: ("vpmuludq", "rfs"),
    FORMS["float_of_integer"]: ("vcvtdq2ps", "rs"), FORMS["swap_lanes"]: ("vshufi32x4", "rfsi"),
    FORMS["shuffle"]: ("vpermilps", "rsi"),
    FORMS["truncated_integer"]: ("vcvttps2dq", "rs"), FORMS["signed_by_each.int64"]: ("vpsravq", "rfs"),
    FORMS["float_of_long"]: ("vcvtqq2pd", "rs"),
    FORMS["nearest_long"]: ("vcvtpd2qq", "rs"),
    wide_pieces.BY_THREE: ("vpternlogd", "rfsi"), blocks.INSERT[1]: ("vpinsrb", "rfsi"),
    blocks.SHUFFLE: ("vpshufb", "rfs"),
    blocks.EXTRACT[1]: ("vpextrb", "sri"),
    blocks.INSERT[2]: ("vpinsrw", "rfsi"), blocks.EXTRACT[2]: ("vpextrw", "sri"),
    narrow_blocks.INSERT_HALF: ("vinserti32x4", "rfsi"), blocks.BROADCAST[2]: ("vpbroadcastw", "rs"),
    blocks.BROADCAST[1]: ("vpbroadcastb", "rs"), narrow_blocks.WIDEN["int8", 4]: ("vpmovsxbd", "rx"),
    narrow_blocks.WIDEN["int16", 4]: ("vpmovsxwd", "rs"), narrow_blocks.WIDEN["uint16", 4]: ("vpmovzxwd", "rs"),
    vector_assembler.STORE_WORDS: ("vpmovdw", "sr"),
    allocate.WIDEN_HALVES: ("vcvtph2ps", "rs"), FORMS["round_half"]: ("vcvtps2ph", "sri"),
}  # fmt: skip
COMPARISONS = {0: "eq", 3: "unord", 4: "neq", 6: "nle", 7: "ord", 17: "lt_oq", 18: "le_oq", 21: "nlt_uq"}
GENERAL = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{n}" for n in range(8, 16)))


class Reader:
    """Compares the output of a disassembler with the recorded calls."""

    def __init__(self, capstone: Any) -> None:
        self.kinds = capstone.x86
        self.engine = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.engine.detail = True
        self.compared = 0
        self.forms: set[Form] = set()

    def read(self, code: Recording) -> None:
        """Compare all vector instructions."""
        for start, end, record in code.records:
            (found,) = self.engine.disasm(code.final[start:end], start)
            assert found.size == end - start
            try:
                self.same(code, found, *record)
            except AssertionError as error:
                raise AssertionError(f"{record} reads as {found.mnemonic} {found.op_str}: {error}") from None
            self.compared += 1

    def same(
        self,
        code: Recording,
        found: Any,
        form: Form,
        register: int,
        first: int,
        second: Any,
        immediate: int | None,
        bits: int,
        mask: int,
        keep: bool,
    ) -> None:
        """Compare one instruction."""
        self.forms.add(form)
        name, order = NAMED[form]
        size = "x" if bits == 128 else "z"
        operands, written = list(found.operands), found.mnemonic
        assert (f"{{k{mask}}}" in found.op_str) == bool(mask)
        stores = order.startswith("s")
        assert ("{z}" in found.op_str) == (bool(mask) and not keep and not stores)
        if mask:
            operands = [item for item in operands if not (self.is_mask(found, item) and "k" not in order)]
        loads = form.opcode == 0x10 and form.map == MAP_0F
        if isinstance(second, Pooled) and loads and not any(second.content):
            assert written in ("vpxor", "vpxord")
            assert {found.reg_name(item.reg)[1:] for item in operands} == {f"mm{register}"}
            return
        if isinstance(second, Pooled) and loads and written.startswith("vbroadcast"):
            assert self.repeats(code, found, operands[-1], 8 if written.endswith("sd") else 4, second)
            assert found.reg_name(operands[0].reg) == f"zmm{register}"
            return
        if "{1to" in found.op_str:
            assert self.repeats(code, found, operands[order.index("s")], self.bytes_each(found), second)
            operands.pop(order.index("s"))
            order = order.replace("s", "")
        if form.opcode in (0xDB, 0xDF, 0xEB, 0xEF) and form.map == MAP_0F and written != name:
            assert written in (f"{name}d", f"{name}q")
        elif name.startswith("vcmp") or name.startswith("vpcmp"):
            if "i" in order:
                assert written == name.replace("cmp", f"cmp{COMPARISONS[immediate or 0]}")
                order = order.replace("i", "")
            else:
                assert written == name
        else:
            assert written == name
        assert len(operands) == len(order), (order, len(operands))
        given = {"r": f"{size}mm{register}", "k": f"k{register}", "f": f"{size}mm{first}", "m": f"k{second}"}
        for letter, item in zip(order, operands, strict=True):
            if letter == "i":
                assert item.imm & 0xFF == (immediate or 0) & 0xFF
            elif letter in given:
                assert found.reg_name(item.reg) == given[letter], letter
            elif isinstance(second, int):
                assert found.reg_name(item.reg)[1:] in (f"mm{second}", "ax"[-2:])
            elif isinstance(second, Memory):
                assert found.reg_name(item.mem.base) == GENERAL[second.base]
                assert item.mem.disp == second.offset
                index = "" if second.indexed is None else GENERAL[second.indexed] if second.indexed < 16 else ""
                seen = found.reg_name(item.mem.index) or ""
                assert seen == index or seen.endswith(f"mm{second.indexed}")
                assert not seen or item.mem.scale == second.scale
            else:
                place = found.address + found.size + item.mem.disp
                assert code.final[place : place + 64] == second.content
                assert place % 64 == 0

    def is_mask(self, found: Any, item: Any) -> bool:
        return item.type == self.kinds.X86_OP_REG and str(found.reg_name(item.reg)).startswith("k")

    def bytes_each(self, found: Any) -> int:
        return 4 if "{1to16}" in found.op_str else 8

    def repeats(self, code: Recording, found: Any, item: Any, size: int, constant: Pooled) -> bool:
        """Whether an operand is the number that a constant repeats."""
        place = found.address + found.size + item.mem.disp
        return code.final[place : place + size] * (64 // size) == constant.content


@needs_both
def test_a_disassembler_reads_what_the_assembler_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(pytest.importorskip("capstone"))
    monkeypatch.setattr(vectors, "AVX512", AVX512._replace(assembler=Recording))
    every = [text_of(form, dtype, SIZES[dtype], out) for form, dtype, out in calls()]
    others = ("uint8", "int8", "uint16", "int16", "uint32", "uint64")
    every += [
        text_of(f"{function}({', '.join('xz'[:count])})", dtype, size, "bool" if function == "less" else dtype)
        for function, count in (
            ("less", 2),
            ("maximum", 2),
            ("minimum", 2),
            ("absolute", 1),
            ("multiply", 2),
            ("add", 2),
        )
        for dtype, size in zip(others, (1, 1, 2, 2, 4, 8), strict=True)
    ]
    every += ["over 75\nin x int8[75] 1\nin m int16[75] 2\nout y int8[75] 1\nz = cast(m, int8)\ny = add(x, z)"]
    every += ["over 33\nin x int32[33] 4\nout y float32[33] 4\ny = cast(x, float32)"]
    every += ["over 33\nin x uint16[33] 2\nout y uint8[33] 1\ny = cast(x, uint8)"]
    every += ["over 3 33\nin x float32[3,33] 132 4\nout y float16[3] 2 0\nr = row_maximum(x)\ny = cast(r, float16)"]
    every += [
        f"over 33\nin x {dtype}[33] {SIZES[dtype]}\nout y {dtype}[33] {SIZES[dtype]}\ny = floor_divide(x, {number})"
        for dtype, number in (("int32", 7), ("int32", -8), ("int64", 1000))
    ]
    every += [DrawnKernel(seed).text for seed in range(1, 401, 2)]
    every += [DrawnNarrow(seed).text for seed in range(250)]
    every += [
        f"over 33\nin x {dtype}[{33 * step}] {step * size}\nout y {dtype}[33] {size}\ny = copy(x)"
        for dtype, size in SIZES.items()
        for step in (2, 3, 9)
    ]
    every += [
        f"over 3 11\nin m bool[3] 1 0\nin x {dtype}[11] 0 {size}\nout y {dtype}[33] {11 * size} {size}\n"
        "out b bool[3] 1 0\ny = select(m, x, 1)\nr = row_maximum(x)\nb = greater(r, 1)"
        for dtype, size in SIZES.items()
    ]
    every += [
        f"over 66\nin x {dtype}[66,2] {2 * size}\nin y {dtype}[66,2] {2 * size} is x from {size}\n"
        f"out v {dtype}[66,2] {2 * size}\nout w {dtype}[66,2] {2 * size} is v from {size}\nv = y\nw = x"
        for dtype, size in (("uint8", 1), ("int16", 2))
    ]
    codegen.forget()
    for text in every:
        Recording.made = []
        machine_code(str(parse(text)), wide=True)
        for code in Recording.made:
            if code.final:
                reader.read(code)
    codegen.forget()
    assert reader.compared > 10_000
    missing = {NAMED[form][0] for form in set(NAMED) - reader.forms}
    unused = {"vcvtps2dq", "vcvttps2dq", "vpsrlvq"}  # which no function has a use for now
    assert missing <= unused | (set() if permutes_bytes() else {"vpermi2b", "vpermi2w", "vpermt2b", "vpermb"})


@pytest.mark.parametrize(("dtype", "columns"), chequered([np.float32, np.float64, np.int32], [17, 19, 24, 25, 31]))
def test_a_rest_of_columns_apart(dtype: type, columns: int) -> None:
    """The last columns of rows, apart, are read from whole vectors or a part of one, up to the last one alone; the
    lanes behind them count for nothing in sums and extrema."""
    for apart in range(2, 10):
        x = (np.random.default_rng(apart).standard_normal((5, apart * (columns - 1) + 2)) * 9).astype(dtype)
        f = ms.jit(
            lambda x, apart=apart: (x[:, ::apart] * 2, (x[:, 1::apart] * 3).sum(1), (x[:, 1::apart] - 50).max(1))
        )
        doubled, total, most = (each.asnumpy() for each in f(ms.Tensor(x)))
        np.testing.assert_array_equal(doubled, x[:, ::apart] * 2)
        np.testing.assert_allclose(total, (x[:, 1::apart] * 3).sum(1), rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(most, (x[:, 1::apart] - 50).max(1), rtol=1e-6)


@needs_both
def test_bools_of_rows_in_memory_beside_those_in_mask_registers() -> None:
    """A slot may have the number of a register."""
    text = """
over 30 6
in x float64[30,6] 48 8
in a float64[30,6] 48 0 from 8
in b float64[30,6] 48 0
out d float64[30,6] 48 8
m0 = greater(x, 0.1)
m3 = less(a, 0.3)
m3a = m3
u2 = select(m3a, x, x)
m4 = greater(b, 0.0)
m4a = m4
u4 = select(m4a, u2, u2)
s = row_add(u4)
m4b = m4
u5 = select(m4b, 0.0, u4)
i1 = select(m4, u4, 0.0)
m3b = m3
d2 = select(m3b, 0.0, u5)
m3c = m3
sl = select(m3c, u5, 0.0)
m3d = m3
u7 = select(m3d, 0.0, d2)
m3e = m3
i2 = select(m3e, d2, 0.0)
i3 = select(m3, d2, 0.0)
u8 = select(m0, 0.0, i3)
s2 = row_add(i3)
d = add(i2, u8)
""".lstrip()
    x, a, b = np.random.default_rng(0).standard_normal((3, 30, 6))
    for wide in (False, True):
        d = np.ones((30, 6))
        assert compile_kernel(text, wide=wide)(x, a, b, d)
        assert not d.any()

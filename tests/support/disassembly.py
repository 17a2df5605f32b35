"""Instructions that the assembler was asked for, and what a disassembler reads in their bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from drawn_kernels import DrawnKernel
from drawn_narrow import DrawnNarrow

from mycel.runtime.machine.assembler import (
    Assembler,
    Form,
    Memory,
    Pooled,
)  # fmt: skip
from mycel.runtime.native import codegen
from mycel.runtime.native.builder import FORMS, WIDE_FORMS
from mycel.runtime.native.codegen import machine_code
from mycel.runtime.native.functions import FUNCTIONS

WIDE = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{n}" for n in range(8, 16)))
NARROW = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", *(f"r{n}d" for n in range(8, 16)))


class Known(NamedTuple):
    """How a form reads: its operands in order, and which are halves of vectors, or general registers.

    r, f and s are the register, the extra source and the second; i is a number, b a register in a number.
    """

    mnemonic: str
    order: str
    halves: str = ""
    general: str = ""


def _packed(name: str, sign: str, size: int) -> str:
    """The mnemonic of a function of packed integers; only those of the order of numbers have a sign."""
    return f"vp{name}{(sign or 's') if name in ('min', 'max') else ''}{'bw d'[size - 1]}"


NAMED = {
    **{
        f"{ours}.{dtype}": Known(f"v{theirs}{suffix}", "rs" if ours == "sqrt" else "rfs")
        for ours, theirs in (("add", "add"), ("multiply", "mul"), ("subtract", "sub"), ("smaller", "min"),
                             ("divide", "div"), ("larger", "max"), ("sqrt", "sqrt"))
        for dtype, suffix in (("float32", "ps"), ("float64", "pd"))
    },
    **{
        f"{ours}.{sign}int{8 * size}": Known(_packed(theirs, sign, size), order)
        for ours, theirs, order in (
            ("add", "add", "rfs"), ("subtract", "sub", "rfs"), ("multiply", "mull", "rfs"), ("smaller", "min", "rfs"),
            ("larger", "max", "rfs"), ("absolute", "abs", "rs"), ("equal", "cmpeq", "rfs"), ("greater", "cmpgt", "rfs"),
            ("shift_left", "sll", "fsi"), ("shift_right", "srl", "fsi"), ("shift_signed", "sra", "fsi"),
        )
        for size in (1, 2, 4)
        for sign in ("", "u")
        if f"{ours}.{sign}int{8 * size}" in FORMS.keys() - WIDE_FORMS
    },
    "blend_bytes": Known("vpblendvb", "rfsb"),
    "compare.float32": Known("vcmpps", "rfsi"), "compare.float64": Known("vcmppd", "rfsi"),
    "round.float32": Known("vroundps", "rsi"), "round.float64": Known("vroundpd", "rsi"),
    "blend": Known("vblendvps", "rfsb"), "and": Known("vpand", "rfs"), "or": Known("vpor", "rfs"),
    "xor": Known("vpxor", "rfs"), "and_not": Known("vpandn", "rfs"),
    "add.int64": Known("vpaddq", "rfs"),
    "subtract.int64": Known("vpsubq", "rfs"),
    "low_product": Known("vpmuludq", "rfs"),

     "equal.int64": Known("vpcmpeqq", "rfs"),
     "greater.int64": Known("vpcmpgtq", "rfs"),

     "shift_left.int64": Known("vpsllq", "fsi"),
    "left_by_each.int32": Known("vpsllvd", "rfs"), "left_by_each.int64": Known("vpsllvq", "rfs"),
    "right_by_each.int32": Known("vpsrlvd", "rfs"), "right_by_each.int64": Known("vpsrlvq", "rfs"),
    "signed_by_each.int32": Known("vpsravd", "rfs"),
    "shift_right.int64": Known("vpsrlq", "fsi"),
    "truncated_integer": Known("vcvttps2dq", "rs"), "float_of_integer": Known("vcvtdq2ps", "rs"),
    "swap_halves": Known("vperm2f128", "rfsi"), "shuffle": Known("vpermilps", "rsi"),
    "halves": Known("vperm2f128", "rfsi"), "round_half": Known("vcvtps2ph", "sri", "s"),
    "mixed": Known("vblendps", "rfsi"),
    "permute": Known("vpermps", "rfs"),
    "align": Known("vpalignr", "rfsi"),
}  # fmt: skip
BY_FORM: dict[Form, Known] = {FORMS[name]: known for name, known in NAMED.items()}
COMPARED = ("vcmpps", "vcmppd")
COMPARISONS = {0: "eq", 3: "unord", 4: "neq", 7: "ord", 17: "lt_oq", 18: "le_oq", 22: "nle_uq"}
JUMPS = {None: "jmp", 0x8C: "jl", 0x85: "jne", 0x84: "je", 0x83: "jae", 0x82: "jb"}


class Record(NamedTuple):
    """A call of the assembler, and where its bytes are."""

    name: str
    arguments: tuple[Any, ...]
    start: int
    end: int


class Here(NamedTuple):
    """Where a label is."""

    address: int


class Recording(Assembler):
    """An assembler that records its calls."""

    made: list[Recording] = []  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.records: list[Record] = []
        self.depth = 0
        self.final = b""
        type(self).made.append(self)

    def finish(self) -> bytes:
        self.final = super().finish()
        return self.final

    def paste(self, other: Assembler, label: int) -> None:
        assert isinstance(other, Recording)
        start = len(self.code)
        super().paste(other, label)
        for name, arguments, first, end in other.records:
            given = (label, *arguments[1:]) if name == "jump" else arguments
            self.records.append(Record(name, given, start + first, start + end))


class Reader:
    """Compares the output of a disassembler with the recorded calls."""

    def __init__(self, capstone: Any) -> None:
        self.capstone = capstone
        self.engine = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.engine.detail = True
        self.compared = 0
        self.forms: set[Form] = set()
        self.known: set[tuple[Any, ...]] = set()  # calls and their bytes, where these depend on nothing else

    def operand(self, code: Recording, instruction: Any, found: Any, wanted: Any) -> None:
        """Compare one operand: a register's name, a number, memory, or a constant behind the code."""
        kinds = self.capstone.x86
        if isinstance(wanted, str):
            assert found.type == kinds.X86_OP_REG
            assert instruction.reg_name(found.reg) == wanted
        elif isinstance(wanted, Memory):
            assert found.type == kinds.X86_OP_MEM
            index = "" if wanted.indexed is None else WIDE[wanted.indexed]
            assert (instruction.reg_name(found.mem.base), found.mem.disp) == (WIDE[wanted.base], wanted.offset)
            assert (instruction.reg_name(found.mem.index) or "") == index
            assert not index or found.mem.scale == wanted.scale
        elif isinstance(wanted, Here):
            assert instruction.reg_name(found.mem.base) == "rip"
            assert instruction.address + instruction.size + found.mem.disp == wanted.address
        elif isinstance(wanted, Pooled):
            assert found.type == kinds.X86_OP_MEM
            assert instruction.reg_name(found.mem.base) == "rip"
            place = instruction.address + instruction.size + found.mem.disp
            assert place % 32 == 0
            assert code.final[place : place + len(wanted.content)] == wanted.content
        else:
            assert found.type == kinds.X86_OP_IMM
            assert (found.imm - wanted) % (1 << 64) == 0

    def same(self, code: Recording, instruction: Any, mnemonic: str, *operands: Any) -> None:
        """Compare one instruction."""
        assert instruction.mnemonic == mnemonic
        assert len(instruction.operands) == len(operands)
        for found, wanted in zip(instruction.operands, operands, strict=True):
            self.operand(code, instruction, found, wanted)
        self.compared += 1

    def read(self, code: Recording) -> None:
        """Compare all instructions of an assembler."""
        last = 0
        for record in code.records:
            assert code.final[last : record.start].strip(b"\xcc") == b"", "bytes that nobody asked for"
            last = record.end
            call = (*record.arguments, code.final[record.start : record.end])
            if record.name == "vector" and not any(isinstance(each, (Here, Pooled)) for each in call):
                if call in self.known:
                    self.compared += 1
                    continue
                self.known.add(call)
            found = list(self.engine.disasm(code.final[record.start : record.end], record.start))
            assert sum(instruction.size for instruction in found) == record.end - record.start, record
            expected = self.vector(record) if record.name == "vector" else self.general(code, record)
            assert len(found) == len(expected), (record, found)
            for instruction, (mnemonic, *operands) in zip(found, expected, strict=True):
                try:
                    self.same(code, instruction, mnemonic, *operands)
                except AssertionError as error:
                    text = f"{instruction.mnemonic} {instruction.op_str}"
                    raise AssertionError(f"{record} reads as {text}: {error}") from None

    def vector(self, record: Record) -> list[tuple[Any, ...]]:
        """How a vector instruction is to read."""
        form, register, first, second, immediate, bits = record.arguments
        self.forms.add(form)
        known = BY_FORM[form]
        one = known.mnemonic in ("vmovss", "vmovsd", "vaddss", "vaddsd")
        operands: list[Any] = []
        for letter in known.order:
            if letter == "i":
                operands.append(immediate & 0xFF)
                continue
            value = {"r": register, "f": first, "s": second, "b": (immediate or 0) >> 4}[letter]
            if not isinstance(value, int):
                operands.append(value)
            elif letter in known.general:
                operands.append((WIDE if known.mnemonic == "vmovq" else NARROW)[value])
            else:
                half = bits == 128 or letter in known.halves or one
                operands.append(f"{'x' if half else 'y'}mm{value}")
        if known.mnemonic in COMPARED:  # the number is in the name
            return [(known.mnemonic.replace("cmp", f"cmp{COMPARISONS[operands.pop()]}"), *operands)]
        return [(known.mnemonic, *operands)]

    def general(self, code: Recording, record: Record) -> list[tuple[Any, ...]]:
        """How other instructions are to read; numbers of more than 32 bits take two."""

        def place(operand: int | Memory) -> Any:
            return WIDE[operand] if isinstance(operand, int) else operand

        def large(value: int) -> bool:
            return not -(1 << 31) <= value < 1 << 31

        name, given = record.name, record.arguments
        if name in ("add", "compare", "bit_and"):
            mnemonic = {"add": "add", "compare": "cmp", "bit_and": "and"}[name]
            target, value = given[:2]
            if large(value):
                return [("movabs", WIDE[given[2]], value), (mnemonic, place(target), WIDE[given[2]])]
            return [(mnemonic, place(target), value)]
        if name == "store_number":
            memory, value = given
            if large(value):
                return [("movabs", "rax", value), ("mov", memory, "rax")]
            return [("mov", memory, value)]
        if name == "multiply":
            target, source, value = given
            if large(value):
                return [("movabs", WIDE[target], value), ("imul", WIDE[target], place(source))]
            return [("imul", WIDE[target], place(source), value)]
        if name == "jump":
            label, condition = given
            return [(JUMPS[condition], code._labels[label])]
        simple: dict[str, Callable[..., tuple[Any, ...]]] = {
            "load": lambda register, operand: ("mov", WIDE[register], place(operand)),
            "store": lambda memory, register: ("mov", memory, WIDE[register]),
            "load_byte": lambda register, memory: ("movzx", NARROW[register], memory),
            "load_word": lambda register, memory: ("mov", NARROW[register], memory),
            "load_signed": lambda register, memory: ("movsxd", WIDE[register], memory),
            "address": lambda register, memory: ("lea", WIDE[register], memory),
            "constant": lambda register, value: ("movabs", WIDE[register], value),
            "compare_word": lambda memory, value: ("cmp", memory, value),
            "and_word": lambda register, memory: ("and", NARROW[register], memory),
            "compare_registers": lambda one, other: ("cmp", WIDE[one], place(other)),
            "add_register": lambda one, other: ("add", WIDE[one], place(other)),
            "subtract_register": lambda one, other: ("sub", WIDE[one], place(other)),
            "exchange": lambda memory, register: ("xchg", memory, WIDE[register]),
            "add_locked": lambda memory, register: ("lock xadd", memory, WIDE[register]),
            "address_of": lambda register, label: ("lea", WIDE[register], Here(code._labels[label])),
            "pause": lambda: ("pause",),
            "system_call": lambda: ("syscall",),
            "push": lambda register: ("push", WIDE[register]),
            "pop": lambda register: ("pop", WIDE[register]),
            "call": lambda register: ("call", WIDE[register]),
            "jump_to": lambda register: ("jmp", WIDE[register]),
            "ret": lambda: ("ret",),
            "zero_upper": lambda: ("vzeroupper",),
            "store_fence": lambda: ("sfence",),
            "store_word": lambda memory, register: ("mov", memory, NARROW[register]),
        }
        return [simple[name](*given)]


def texts() -> list[str]:
    """Kernels that use all there is: drawn ones, every function in both widths, long rows, and large numbers."""
    found = [DrawnKernel(seed).text for seed in range(1, 161, 2)] + [DrawnNarrow(seed).text for seed in range(80)]
    sizes = {"float32": 4, "float64": 8, "int32": 4, "int64": 8, "uint32": 4, "uint64": 8}
    for dtype, size in sizes.items():
        for function in FUNCTIONS:
            for form in (
                f"{function}(x)",
                f"{function}(x, z)",
                f"{function}(x, 7)",
                f"{function}(m, x, z)",
                f"{function}(m)",
            ):
                for out, bytes_each in ((dtype, size), ("bool", 1)):
                    text = (
                        f"over 3 11\nin x {dtype}[33] {11 * size} {size}\nin z {dtype}[11] 0 {size}\n"
                        f"in m bool[33] 11 1\nout y {out}[33] {11 * bytes_each} {bytes_each}\ny = {form}"
                    )
                    try:
                        machine_code(text)
                    except codegen.Unsupported:
                        continue
                    found.append(text)
    found += [
        f"over 99\nin x {dtype}[99] {size}\nin z {dtype}[99] {size}\nout y {dtype}[99] {size}\ny = {call}"
        for dtype, size in (("int8", 1), ("uint8", 1), ("int16", 2), ("uint16", 2))
        for call in (
            "add(x, z)", "subtract(x, z)", "multiply(x, z)", "maximum(x, z)", "minimum(x, z)", "absolute(x)",
            "left_shift(x, 3)", "right_shift(x, 3)", "select(x, x, z)",
        )
    ]  # fmt: skip
    found += [
        f"over 99\nin x {dtype}[99] {size}\nin z {dtype}[99] {size}\nout y bool[99] 1\ny = {call}(x, z)"
        for dtype, size in (("int8", 1), ("uint8", 1), ("int16", 2), ("uint16", 2))
        for call in ("less", "equal")
    ]
    n = 1 << 31
    found += [
        "over 3 11\nin x uint16[33] 22 2\nout y uint8[33] 11 1\ny = cast(x, uint8)",
        "over 99\nin x int8[99] 1\nout y int16[99] 2\ny = cast(x, int16)",
        "over 3 11\nin x float16[33] 22 2\nin z float16[3] 2 0\nin w float16[31] 2 4 from 4\nout y float16[33] 22 2\n"
        "out r float16[3] 2 0\na = add(x, z)\nc = cast(a, float32)\nt = row_add(c)\nr = cast(t, float16)\n"
        "y = multiply(a, w)",
        "over 11\nin x int32[11] 4\nout y float32[11] 4\ny = cast(x, float32)",
        "over 11\nin x float32[11] 4\nout y int32[11] 4\ny = cast(x, int32)",
        "over 11\nin x float32[11,2] 8\nin z float32[11,2] 8 is x from 4\nout y float32[11] 4\ny = add(x, z)",
        "over 11\nin x uint32[11] 4\nout y float32[11] 4\ny = cast(x, float32)",
        "over 11\nin x uint64[11] 8\nout y float64[11] 8\ny = cast(x, float64)",
        "over 11\nin x int64[11] 8\nout y float64[11] 8\ny = cast(x, float64)",
        "over 3 5\nin m bool[3] 1 0\nin x float64[5] 0 8\nout y float64[3,5] 40 8\ny = select(m, x, 1.0)",
        "over 3 12000\nin x float32[3,12000] 48000 4\nout y float32[3,12000] 48000 4\n"
        "e = exp(x)\nr = row_add(e)\ny = divide(e, r)",
        f"shared 3\nover 3 9\nin x float32[{n}] {n} 4 from {n}\nadd s float32[3,9] 0 4\ns = x",
        "over 3 5\nindex i int32[3,5] 20 4\nin x float64[3,5] 40 8\nadd s float64[7] 0 0 at i 8 7\ns = x",
        "over 3 5\nindex i int64[3,5] 40 8\nin x float32[3,5] 20 4\nadd s float32[7] 0 0 at i 4 7\ns = x",
        "over 3 7\nin x float64[21] 56 8\nout y float64[21] 56 -8 from 48\ny = x",
        f"over {n} 9\nin x float32[{n},9] 36 4\nout y float32[{n},9] 36 4\ny = x",
        f"over {n}\nin x float32[{n}] 4\nout y float32[{n}] 4\ny = x",
    ]
    return found

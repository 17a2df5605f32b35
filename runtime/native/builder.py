"""The low-level IR of kernels: vector instructions on any number of virtual registers."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

from ..machine.assembler import MAP_0F, MAP_0F3A, MAP_0F38, NONE, P66, PF2, PF3, Form, Pooled
from ..machine.vector_assembler import HALF_FORMS, NARROW_FORMS
from ..records import NamedTuple
from .language import LANES, SIZES

VECTOR = 32  # bytes of a vector of AVX2

FORMATS = {
    "float16": "<f",
    **dict.fromkeys(("int8", "uint8", "int16", "uint16"), "<i"),
    "float32": "<f",
    "float64": "<d",
    "int32": "<i",
    "int64": "<q",
    "uint32": "<I",
    "uint64": "<Q",
}


_new: Any = tuple.__new__  # of named tuples by the thousand: their own function would take as long again


class Unsupported(Exception):
    """A kernel has no machine code. The caller computes it in another way.

    `position`: the index of the first node that does not fit together with those before it, if it is known. `final`:
    whether it does not fit there either if no nodes follow.
    """

    position: int | None = None
    final = True


class Value(NamedTuple):
    """A vector: a virtual register ("register"), a constant ("constant") or a vector in the frame ("slot").

    A bool has all bits set or none, in every lane of the kernel's width. In lanes of 32 bits a float16 is the float32
    of the same value, and an integer of 8 or 16 bits the int32; in those of 16 bits one of 8 bits is the int16.
    """

    kind: str
    number: int
    dtype: str


class Instruction(NamedTuple):
    """`target = operation(*sources)`. `immediate` belongs to the opcode, or is the number of an array or slot."""

    operation: str
    target: Value | None
    sources: tuple[Value, ...]
    immediate: int | None = None


def _pairs(name: str, opcode: int) -> dict[str, Form]:
    return {f"{name}.float32": Form(NONE, MAP_0F, opcode), f"{name}.float64": Form(P66, MAP_0F, opcode, 1)}


FORMS: dict[str, Form] = {
    **_pairs("add", 0x58),
    **_pairs("multiply", 0x59),
    **_pairs("subtract", 0x5C),
    **_pairs("smaller", 0x5D),
    **_pairs("divide", 0x5E),
    **_pairs("larger", 0x5F),
    **_pairs("sqrt", 0x51),
    **_pairs("compare", 0xC2),
    "round.float32": Form(P66, MAP_0F3A, 0x08),
    "round.float64": Form(P66, MAP_0F3A, 0x09, 1),
    "blend": Form(P66, MAP_0F3A, 0x4A),
    "and": Form(P66, MAP_0F, 0xDB),
    "or": Form(P66, MAP_0F, 0xEB),
    "xor": Form(P66, MAP_0F, 0xEF),
    "and_not": Form(P66, MAP_0F, 0xDF),
    "add.int32": Form(P66, MAP_0F, 0xFE),
    "add.int64": Form(P66, MAP_0F, 0xD4, 1),
    "subtract.int32": Form(P66, MAP_0F, 0xFA),
    "subtract.int64": Form(P66, MAP_0F, 0xFB, 1),
    "multiply.int32": Form(P66, MAP_0F38, 0x40),
    "low_product": Form(P66, MAP_0F, 0xF4, 1),
    "smaller.int32": Form(P66, MAP_0F38, 0x39),
    "larger.int32": Form(P66, MAP_0F38, 0x3D),
    "smaller.uint32": Form(P66, MAP_0F38, 0x3B),
    "larger.uint32": Form(P66, MAP_0F38, 0x3F),
    "absolute.int32": Form(P66, MAP_0F38, 0x1E),
    "equal.int32": Form(P66, MAP_0F, 0x76),
    "equal.int64": Form(P66, MAP_0F38, 0x29, 1),
    "greater.int32": Form(P66, MAP_0F, 0x66),
    "greater.int64": Form(P66, MAP_0F38, 0x37, 1),
    "shift_left.int32": Form(P66, MAP_0F, 0x72, 0, 6),
    "shift_right.int32": Form(P66, MAP_0F, 0x72, 0, 2),
    "shift_signed.int32": Form(P66, MAP_0F, 0x72, 0, 4),
    "shift_left.int64": Form(P66, MAP_0F, 0x73, 1, 6),
    "shift_right.int64": Form(P66, MAP_0F, 0x73, 1, 2),
    "left_by_each.int32": Form(P66, MAP_0F38, 0x47),
    "left_by_each.int64": Form(P66, MAP_0F38, 0x47, 1),
    "right_by_each.int32": Form(P66, MAP_0F38, 0x45),
    "right_by_each.int64": Form(P66, MAP_0F38, 0x45, 1),
    "signed_by_each.int32": Form(P66, MAP_0F38, 0x46),
    "truncated_integer": Form(PF3, MAP_0F, 0x5B),
    "float_of_integer": Form(NONE, MAP_0F, 0x5B),
    "swap_halves": Form(P66, MAP_0F3A, 0x06),
    "halves": Form(P66, MAP_0F3A, 0x06),
    "mixed": Form(P66, MAP_0F3A, 0x0C),
    "permute": Form(P66, MAP_0F38, 0x16),
    "align": Form(P66, MAP_0F3A, 0x0F),
    "shuffle": Form(P66, MAP_0F3A, 0x04),
    "round_half": Form(P66, MAP_0F3A, 0x1D),
    "blend_bytes": Form(P66, MAP_0F3A, 0x4C),
    **NARROW_FORMS,
}
WIDE_FORMS: dict[str, Form] = {
    "multiply.int64": Form(P66, MAP_0F38, 0x40, 1),
    "multiply_words": NARROW_FORMS["multiply.int16"],
    "smaller.int64": Form(P66, MAP_0F38, 0x39, 1),
    "larger.int64": Form(P66, MAP_0F38, 0x3D, 1),
    "smaller.uint64": Form(P66, MAP_0F38, 0x3B, 1),
    "larger.uint64": Form(P66, MAP_0F38, 0x3F, 1),
    "greater.uint8": Form(P66, MAP_0F3A, 0x3E),
    "greater.uint16": Form(P66, MAP_0F3A, 0x3E, 1),
    "greater.uint32": Form(P66, MAP_0F3A, 0x1E),
    "greater.uint64": Form(P66, MAP_0F3A, 0x1E, 1),
    "absolute.int64": Form(P66, MAP_0F38, 0x1F, 1),
    "shift_signed.int64": Form(P66, MAP_0F, 0x72, 1, 4),
    "signed_by_each.int64": Form(P66, MAP_0F38, 0x46, 1),
    "rotate_left.int32": Form(P66, MAP_0F, 0x72, 0, 1),
    "rotate_left.int64": Form(P66, MAP_0F, 0x72, 1, 1),
    "bit_count.int32": Form(P66, MAP_0F38, 0x55),
    "bit_count.int64": Form(P66, MAP_0F38, 0x55, 1),
    "float_of_long": Form(PF3, MAP_0F, 0xE6, 1),
    "float_of_unsigned": Form(PF2, MAP_0F, 0x7A),
    "float_of_unsigned_long": Form(PF3, MAP_0F, 0x7A, 1),
    "nearest_long": Form(P66, MAP_0F, 0x7B, 1),
    "truncated_long": Form(P66, MAP_0F, 0x7A, 1),
    "scale.float32": Form(P66, MAP_0F38, 0x2C),
    "scale.float64": Form(P66, MAP_0F38, 0x2C, 1),
    "scale_some.float32": Form(P66, MAP_0F38, 0x2C),
    "scale_some.float64": Form(P66, MAP_0F38, 0x2C, 1),
    "swap_lanes": Form(P66, MAP_0F3A, 0x43),
    **HALF_FORMS,
}
"""Those of AVX-512 alone."""
FORMS |= WIDE_FORMS
"""How each operation is encoded; those of a dtype end in its name."""

COMMUTATIVE = frozenset({"and", "or", "xor", "low_product", "multiply_words"}) | {
    name for name in FORMS if name.partition(".")[0] in ("add", "multiply", "equal")
}

ONE_SOURCE = frozenset(
    {"truncated_integer", "float_of_integer", "float_of_long", "nearest_long", "truncated_long"}
    | {"float_of_unsigned", "float_of_unsigned_long", "shuffle"}
    | {name for name in FORMS if name.partition(".")[0] in ("sqrt", "round", "absolute", "bit_count")}
)

EQUAL, LESS, LESS_EQUAL, UNORDERED, NOT_EQUAL = 0, 17, 18, 3, 4  # comparisons; quiet for nan
ORDERED, NOT_LESS, NOT_LESS_EQUAL = 7, 21, 22
GREATER = 6  # of unsigned integers
NEAREST, DOWN, UP, TOWARDS_ZERO = 8, 9, 10, 11  # ways to round


class Constants:
    """The constant vectors of a kernel, stored behind its code."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self.contents: list[bytes] = []
        self.pooled: list[Pooled] = []
        self.given: dict[int, set[tuple[float, str]]] = {}  # those that are floats of the kernel's text, and which
        self.fixed: set[int] = set()  # those that instructions have made, or that some depend on
        self.known: dict[tuple[object, ...], Value] = {}  # by the numbers in every lane

    def number(self, content: bytes) -> int:
        """The number of a vector with these bytes."""
        number = self._numbers.setdefault(content, len(self.contents))
        if number == len(self.contents):
            self.contents.append(content)
            self.pooled.append(Pooled(content, number))
        return number


class Builder:
    """Collects the instructions of a basic block, with value numbering: equal instructions are emitted once."""

    def __init__(self, width: int, constants: Constants, counter: list[int], vector: int = VECTOR) -> None:
        self.width = width
        """Bytes of a lane."""
        self.vector = vector
        """Bytes of a vector."""
        self.instructions: list[Instruction] = []
        self.ranges: dict[int, tuple[int, int]] = {}
        """The least and the greatest numbers that integers in registers may be, where that is known."""
        self._constants = constants
        self._counter = counter
        self._known: dict[tuple[str, tuple[Value, ...], int | None], Value] = {}

    # Values

    def new(self, dtype: str) -> Value:
        """A new virtual register."""
        self._counter[0] += 1
        return Value("register", self._counter[0], dtype)

    def constant(self, value: float | int | bool, dtype: str) -> Value:
        """A number in every lane."""
        made = self._number(value, dtype)
        self._constants.fixed.add(made.number)
        return made

    def given(self, value: float | int | bool, dtype: str) -> Value:
        """A number of the kernel's text in every lane."""
        if not isinstance(value, float) or self.width < 4:
            return self.constant(value, dtype)
        made = self._number(value, dtype)
        self._constants.given.setdefault(made.number, set()).add((value, dtype))
        return made

    def _number(self, value: float | int | bool, dtype: str) -> Value:
        key: tuple[object, ...] = value, dtype
        if value.__class__ is not float or not value:  # 0 and -0, 1 and True are not the same
            key = value, type(value), math.copysign(1, value), dtype
        known = self._constants.known.get(key)
        if known is None:
            known = self._constants.known[key] = self._constant(value, dtype)
        return known

    def _constant(self, value: float | int | bool, dtype: str) -> Value:
        if dtype == "bool":
            content = (b"\xff" if value else b"\x00") * self.vector
        else:
            lane = packed(value, dtype, self.width)
            content = lane * (self.vector // len(lane))
        return Value("constant", self._constants.number(content), dtype)

    def lanes(self, numbers: Sequence[int], width: int = 0) -> Value:
        """Numbers of lanes, of so many bytes; by default of a lane."""
        content = struct.pack(f"<{len(numbers)}{'xBHxixxxq'[width or self.width]}", *numbers)
        made = Value("constant", self._constants.number(content), self.integer)
        self._constants.fixed.add(made.number)
        return made

    def float_of(self, value: Value) -> float | None:
        """The number of a float constant; None for any other value."""
        if value.kind != "constant" or not value.dtype.startswith("float"):
            return None
        self._constants.fixed.add(value.number)
        form = FORMATS[value.dtype] if self.width > 2 else "<e"
        (number,) = struct.unpack_from(form, self._constants.contents[value.number])
        return float(number)

    def integer_of(self, value: Value) -> int | None:
        """The number of an integer constant; None for any other value."""
        if value.kind != "constant" or "int" not in value.dtype:
            return None
        self._constants.fixed.add(value.number)
        lane = self._constants.contents[value.number][: min(self.width, LANES[value.dtype])]
        return int.from_bytes(lane, "little", signed=value.dtype.startswith("int"))

    def is_zero(self, value: Value) -> bool:
        """Whether a value is a constant with all bits zero."""
        if value.kind != "constant":
            return False
        self._constants.fixed.add(value.number)
        return not any(self._constants.contents[value.number])

    def bits(self, pattern: int, dtype: str) -> Value:
        """The number with these bits."""
        (number,) = struct.unpack(FORMATS[self.integer], pattern.to_bytes(self.width, "little"))
        return self.seen_as(self.constant(number, self.integer), dtype)

    @property
    def wide(self) -> bool:
        """Whether the instructions are those of AVX-512."""
        return self.vector > VECTOR

    @property
    def integer(self) -> str:
        """The integer dtype of the kernel's width."""
        return f"int{8 * self.width}"

    @property
    def float(self) -> str:
        """The float dtype of the kernel's width."""
        return "float64" if self.width == 8 else "float32"

    def emit(self, operation: str, dtype: str, *sources: Value, immediate: int | None = None) -> Value:
        """Emit an instruction, and return its value."""
        key = operation, sources, immediate
        known = self._known.get(key)
        if known is None:
            if operation not in FORMS and operation not in SPECIAL and not operation.startswith("call."):
                raise Unsupported(f"no instruction for {operation}")
            counter = self._counter
            counter[0] += 1
            known = self._known[key] = _new(Value, ("register", counter[0], dtype))
            self.instructions.append(_new(Instruction, (operation, known, sources, immediate)))
        return known if known.dtype == dtype else Value(known.kind, known.number, dtype)

    def forget(self, changed: Value) -> None:
        """What was computed of a register or slot, which is another number from now on, is not known any more."""
        kind, number, _ = changed
        stale = [key for key in self._known for one in key[1] if one[1] == number and one[0] == kind]
        for key in stale:
            self._known.pop(key, None)

    # Instructions: of two numbers of one dtype where nothing else is said

    def add(self, x: Value, y: Value) -> Value:
        """x + y."""
        return self.emit(f"add.{x.dtype}", x.dtype, x, y)

    def subtract(self, x: Value, y: Value) -> Value:
        """x - y."""
        return self.emit(f"subtract.{x.dtype}", x.dtype, x, y)

    def multiply(self, x: Value, y: Value) -> Value:
        """x * y. Bytes are multiplied as words: those that are lower, and those that are higher."""
        if self.width > 1:
            return self.emit(f"multiply.{x.dtype}", x.dtype, x, y)
        factors = self.emit("shift_right.int16", "int16", x, immediate=8), self.bit_and(y, self.constant(-256, "int16"))
        low, high = [self.emit("multiply.int16", x.dtype, *pair) for pair in ((x, y), factors)]
        return self.bit_or(self.bit_and(low, self.constant(255, "int16")), high)

    def divide(self, x: Value, y: Value) -> Value:
        """x / y, of floats."""
        return self.emit(f"divide.{x.dtype}", x.dtype, x, y)

    def multiply_add(self, x: Value, y: Value, z: Value) -> Value:
        """x * y + z of floats, rounded once."""
        return self.emit(f"multiply_add.{x.dtype}", x.dtype, x, y, z)

    def multiply_subtract(self, x: Value, y: Value, z: Value) -> Value:
        """x * y - z of floats, rounded once."""
        return self.emit(f"multiply_subtract.{x.dtype}", x.dtype, x, y, z)

    def negative_multiply_add(self, x: Value, y: Value, z: Value) -> Value:
        """z - x * y of floats, rounded once."""
        return self.emit(f"negative_multiply_add.{x.dtype}", x.dtype, x, y, z)

    def smaller(self, x: Value, y: Value) -> Value:
        """The smaller one; y if either is nan (as the processor defines it)."""
        return self.emit(f"smaller.{x.dtype}", x.dtype, x, y)

    def larger(self, x: Value, y: Value) -> Value:
        """The larger one; y if either is nan (as the processor defines it)."""
        return self.emit(f"larger.{x.dtype}", x.dtype, x, y)

    def sqrt(self, x: Value) -> Value:
        """The square root of floats."""
        return self.emit(f"sqrt.{x.dtype}", x.dtype, x)

    def round(self, x: Value, way: int) -> Value:
        """Floats rounded to integers: `NEAREST`, `DOWN`, `UP` or `TOWARDS_ZERO`."""
        return self.emit(f"round.{x.dtype}", x.dtype, x, immediate=way)

    def compare(self, x: Value, y: Value, how: int) -> Value:
        """Floats compared: `EQUAL`, `LESS`, `LESS_EQUAL`, `NOT_EQUAL`, `UNORDERED` (either is nan), `ORDERED`."""
        return self.emit(f"compare.{x.dtype}", "bool", x, y, immediate=how)

    def equal(self, x: Value, y: Value) -> Value:
        """Whether integers are equal."""
        return self.emit(f"equal.{x.dtype}", "bool", x, y)

    def greater(self, x: Value, y: Value) -> Value:
        """Whether the integer x is greater. AVX2 has that for signed ones."""
        return self.emit(f"greater.{x.dtype}", "bool", x, y, immediate=None if x.dtype.startswith("int") else GREATER)

    def bit_and(self, x: Value, y: Value, dtype: str | None = None) -> Value:
        """x & y, as a `dtype` (default: x's)."""
        return self.emit("and", dtype or x.dtype, x, y)

    def bit_or(self, x: Value, y: Value, dtype: str | None = None) -> Value:
        """x | y, as a `dtype` (default: x's)."""
        return self.emit("or", dtype or x.dtype, x, y)

    def bit_xor(self, x: Value, y: Value, dtype: str | None = None) -> Value:
        """x ^ y, as a `dtype` (default: x's)."""
        return self.emit("xor", dtype or x.dtype, x, y)

    def bit_and_not(self, x: Value, y: Value, dtype: str | None = None) -> Value:
        """~x & y, as a `dtype` (default: y's)."""
        return self.emit("and_not", dtype or y.dtype, x, y)

    def shift_left(self, x: Value, count: int) -> Value:
        """Integers shifted left by a number of bits."""
        if self.width == 1:
            return self._shifted_words("shift_left", x, count, 255 << count & 255)
        return self.emit(f"shift_left.{x.dtype}", x.dtype, x, immediate=count)

    def shift_right(self, x: Value, count: int) -> Value:
        """Integers shifted right by a number of bits, filled with zeros."""
        if self.width == 1:
            return self._shifted_words("shift_right", x, count, 255 >> count)
        return self.emit(f"shift_right.{x.dtype}", x.dtype, x, immediate=count)

    def shift_signed(self, x: Value, count: int) -> Value:
        """Integers shifted right by a number of bits, filled with the sign. AVX2 has that for up to 32 bits."""
        if self.width == 1:
            sign = self.constant(128 >> count, "uint8")
            return self.subtract(self.bit_xor(self.shift_right(x, count), sign), sign)
        return self.emit(f"shift_signed.{x.dtype}", x.dtype, x, immediate=count)

    def _shifted_words(self, operation: str, x: Value, count: int, kept: int) -> Value:
        """Bytes shifted as words: the bits that are kept are no neighbour's."""
        moved = self.emit(f"{operation}.int16", x.dtype, x, immediate=count)
        return self.bit_and(moved, self.constant(kept, "uint8"))

    def select(self, mask: Value, x: Value, y: Value) -> Value:
        """x where the mask is set, else y."""
        return self.emit("blend", x.dtype, y, x, mask)

    def truncated_integer(self, x: Value) -> Value:
        """float32 truncated to int32."""
        return self.emit("truncated_integer", "int32", x)

    def round_half(self, x: Value) -> Value:
        """float32 rounded to float16."""
        return self.emit("round_half", "float16", x)

    def float_of_integer(self, x: Value) -> Value:
        """int32 as float32."""
        return self.emit("float_of_integer", "float32", x)

    def with_calls(self, x: Value, mask: Value, quick: Value, function: str, *more: Value) -> Value:
        """`quick`, but where the mask is set the result of a function of the C library. This path may be slow."""
        return self.emit(f"call.{function}", x.dtype, mask, quick, x, *more)

    def seen_as(self, x: Value, dtype: str) -> Value:
        """The same bits as another dtype."""
        return Value(x.kind, x.number, dtype)


FUSED = ("multiply_add", "multiply_subtract", "negative_multiply_add")
"""Operations that multiply and add, and round once."""

SPECIAL = frozenset(
    {"load", "broadcast", "load_slot", "from_two"}
    | {f"{name}.{dtype}" for name in FUSED for dtype in ("float32", "float64")}
)
"""Operations that are encoded in a way of their own."""


def packed(value: float, dtype: str, width: int = 8) -> bytes:
    """The bytes of a number in a lane of so many bytes."""
    if "float" not in dtype:
        return struct.pack(FORMATS[dtype], int(value))[: max(width, SIZES[dtype])]
    value, form = float(value), "<e" if width == SIZES[dtype] == 2 else FORMATS[dtype]
    try:
        if dtype == "float16":
            (value,) = struct.unpack("<e", struct.pack("<e", value))
        return struct.pack(form, value)
    except OverflowError:
        return struct.pack(form, float("inf") if value > 0 else float("-inf"))

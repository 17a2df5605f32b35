"""The calls of `wide_assembler.py` for AVX2: 16 registers of 32 bytes. Masks are known when the code is written."""

from __future__ import annotations

from .assembler import MAP_0F, MAP_0F3A, MAP_0F38, NONE, P66, PF2, PF3, Form, Memory, Pooled
from .sizes import NARROW
from .wide_assembler import BROADCAST, LOAD, STORE, UNORDERED as UNORDERED, WideAssembler

HALF = NARROW // 2

MASKED_LOAD = Form(P66, MAP_0F38, 0x2C)
LOAD_BYTES = {4: Form(PF3, MAP_0F, 0x10), 8: Form(PF2, MAP_0F, 0x10)}
STORE_BYTES = {4: Form(PF3, MAP_0F, 0x11), 8: Form(PF2, MAP_0F, 0x11)}
STORE_LANE = Form(P66, MAP_0F3A, 0x17)
"""One of four elements of 4 bytes."""
STORE_SECOND = Form(P66, MAP_0F, 0x17)
"""The second of two elements of 8 bytes."""
INSERT_HALF = Form(P66, MAP_0F3A, 0x18)
SHUFFLE, EVENS, ODDS = Form(NONE, MAP_0F, 0xC6), 0x88, 0xDD
"""Two elements of 4 bytes from each of two vectors, in each half."""
COMPARE = {4: Form(NONE, MAP_0F, 0xC2), 8: Form(P66, MAP_0F, 0xC2)}
"""All bits of an element, or none. Its last byte is the condition."""
SIGNS = {4: Form(NONE, MAP_0F, 0x50), 8: Form(P66, MAP_0F, 0x50)}
"""The signs of all elements, as bits of a general register."""
SPREADS = {form: form._replace(wide=0) for form in BROADCAST.values()}
"""What spreads an element has no bit W here."""
EXTRACT_HALF, MIX_HALVES = Form(P66, MAP_0F3A, 0x19), Form(P66, MAP_0F3A, 0x06)
LOWER_HALVES, UPPER_HALVES = 0x20, 0x31


def spans(count: int, lanes: int) -> list[tuple[int, int]]:
    """Vectors and halves of them that cover so many elements, without masks: where each begins, and its elements.

    The last one begins before the end of the one before it, if it must. Only fewer elements than half a vector are a
    part of one.
    """
    half = lanes // 2
    found = [(start, lanes) for start in range(0, count - lanes + 1, lanes)]
    left = count - lanes * len(found)
    if count < half:
        return [(0, count)]
    if left > half and count >= lanes:
        return [*found, (count - lanes, lanes)]
    return found + [(0, half)] * (left > half) + [(count - half, half)] * (left > 0)


class NarrowAssembler(WideAssembler):
    """Collects instructions on vectors of 32 bytes, and on general registers."""

    width = NARROW
    registers = 16
    half_mixtures = (MIX_HALVES, LOWER_HALVES), (MIX_HALVES, UPPER_HALVES)

    def __init__(self) -> None:
        super().__init__()
        self._masks: dict[int, int] = {}

    def set_bits(self, mask: int, bits: int) -> None:
        """The elements of a mask: the first ones."""
        assert bits & (bits + 1) == 0
        self._masks[mask] = bits

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
        """As for AVX-512, but only loads and stores have a mask.

        With a mask a load overwrites the last register, and a store its own one. Where an instruction spreads an
        element, that overwrites the last register, too.
        """
        if spread and form not in SPREADS:
            last = self.registers - 1
            self.vector(SPREADS[BROADCAST[spread]], last, 0, second)
            second = last
        if not mask:
            self.vector(SPREADS.get(form, form), register, first, second, immediate, bits=128 if half else 256)
            return
        assert isinstance(second, Memory)
        size = 8 if form.wide else 4
        assert form in (LOAD[size], STORE[size])
        nbytes = size * self._masks[mask].bit_length()
        if form == STORE[size]:
            self.store_first(register, second, nbytes)
        else:
            self.load_first(register, second, nbytes)

    def load_first(self, register: int, place: Memory, nbytes: int) -> None:
        """Load so many bytes, and zeros behind them. Overwrites the last register."""
        bits, last = 256 if nbytes > HALF else 128, self.registers - 1
        if nbytes in LOAD_BYTES:
            self.vector(LOAD_BYTES[nbytes], register, 0, place, bits=128)
        elif nbytes in (HALF, NARROW):
            self.vector(LOAD[4], register, 0, place, bits=bits)
        elif nbytes:
            content = b"\xff" * nbytes
            self.vector(LOAD[4], last, 0, Pooled(content.ljust(bits // 8, b"\0")), bits=bits)
            self.vector(MASKED_LOAD, register, last, place, bits=bits)
        else:
            self.clear(register)

    def store_first(self, register: int, place: Memory, nbytes: int) -> None:
        """Store the first bytes, without a mask: masks make stores slow on some processors. Overwrites the register."""
        if nbytes == NARROW:
            self.vector(STORE[4], register, 0, place)
            return
        if nbytes >= HALF:
            self.vector(STORE[4], register, 0, place, bits=128)
            nbytes -= HALF
            place = place._replace(offset=place.offset + HALF)
            if nbytes:
                self.vector(EXTRACT_HALF, register, 0, register, 1)
        if nbytes >= 8:
            self.vector(STORE_BYTES[8], register, 0, place, bits=128)
            if nbytes > 8:
                self.vector(STORE_LANE, register, 0, place._replace(offset=place.offset + 8), 2, bits=128)
        elif nbytes:
            self.vector(STORE_BYTES[4], register, 0, place, bits=128)

    def store_lane(self, register: int, place: Memory, size: int, lane: int) -> None:
        """Store one element of the lower half of a register."""
        if lane == 0:
            self.vector(STORE_BYTES[size], register, 0, place, bits=128)
        elif size == 4:
            self.vector(STORE_LANE, register, 0, place, lane, bits=128)
        else:
            self.vector(STORE_SECOND, register, 0, place, bits=128)

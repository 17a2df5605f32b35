"""Entry and exit of the transforms in `tile_code.py`: images and tiles that do not fit together are refused."""

from __future__ import annotations

import numpy as np

from .assembler import (
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    RAX,
    RCX,
    RDI,
    RDX,
    RSI,
    Memory,
)
from .executable import DATA, DIMENSIONS, STRIDES
from .frame_words import FrameWords
from .product_boundary import ProductBoundary
from .python_calls import call
from .wide_assembler import JUMP_LESS_OR_EQUAL, WideAssembler


class TileWords(FrameWords):
    """Names for words of the frame that products use otherwise."""

    IMAGE, TILES, TOP, LEFT, FIRST = range(5)
    HEIGHT, WIDTH, ROW_STEP, CHANNEL_STEP, IMAGE_STEP = range(5, 10)
    NUMBER_STEP, TILE_CHANNEL, TILE_IMAGE, TILE_ROW = range(10, 14)
    CHANNELS, IMAGES, TALL, WIDE = range(14, 18)
    IMAGES_LEFT, CHANNELS_LEFT, PLANE, PLANE_TILES, DONE, SELECT = range(18, 24)
    assert SELECT + 8 <= FrameWords.PACKING


class TileBoundary(ProductBoundary):
    """Writes entry and exit of `transform(images, tiles, top, left, first)`."""

    arrays = 2

    def __init__(self, code: WideAssembler, kind: str, spread: int, numbers: int) -> None:
        super().__init__(code, np.dtype(np.float32))
        self.writes_images, self.spread, self.numbers = kind == "output", spread, numbers

    def look(self) -> None:
        """Refuse all but images (number, channels, height, width), tiles (numbers, channels, number, tall, wide) of
        float32 and three numbers."""
        code = self.code
        code.compare(RDX, 5)
        self._refuse(JUMP_NOT_EQUAL)
        for position, register, rank in ((0, R8, 4), (1, R9, 5)):
            code.load(register, Memory(RSI, 8 * position))
            self._check_array(register, written=self.writes_images == (position == 0))
            code.load_word(RAX, Memory(register, 24))
            code.compare(RAX, rank)
            self._refuse(JUMP_NOT_EQUAL)
        for array, dims, steps in ((R8, R10, R11), (R9, R12, R13)):
            code.load(dims, Memory(array, DIMENSIONS))
            code.load(steps, Memory(array, STRIDES))
        self._read_sizes()
        self._check_sizes()
        for word, array in ((TileWords.IMAGE, R8), (TileWords.TILES, R9)):
            code.load(RAX, Memory(array, DATA))
            code.store(TileWords.at(word), RAX)
        for position, word in ((2, TileWords.TOP), (3, TileWords.LEFT), (4, TileWords.FIRST)):
            self._read_number(position, word)

    def _read_sizes(self) -> None:
        """Store the dimensions at R10 and R12 and the strides at R11 and R13. Refuse what does not fit together."""
        code, at = self.code, TileWords.at
        for place, words in (
            (R10, (TileWords.IMAGES, TileWords.CHANNELS, TileWords.HEIGHT, TileWords.WIDTH)),
            (R11, (TileWords.IMAGE_STEP, TileWords.CHANNEL_STEP, TileWords.ROW_STEP)),
            (R12, (None, None, None, TileWords.TALL, TileWords.WIDE)),
            (R13, (TileWords.NUMBER_STEP, TileWords.TILE_CHANNEL, TileWords.TILE_IMAGE, TileWords.TILE_ROW)),
        ):
            for number, word in enumerate(words):
                if word is not None:
                    code.load(RAX, Memory(place, 8 * number))
                    code.store(at(word), RAX)
        for register, offset, expected in ((R12, 0, self.numbers), (R11, 24, self.size), (R13, 32, self.size)):
            code.compare(Memory(register, offset), expected)
            self._refuse(JUMP_NOT_EQUAL)
        for offset, word in ((8, TileWords.CHANNELS), (16, TileWords.IMAGES)):
            code.load(RAX, Memory(R12, offset))
            code.compare_registers(RAX, at(word))
            self._refuse(JUMP_NOT_EQUAL)

    def _check_sizes(self) -> None:
        """Refuse empty arrays, and tiles that are too few or divide a group; store how much work there is."""
        code, at = self.code, TileWords.at
        code.constant(RCX, 1)
        for word in (TileWords.IMAGES, TileWords.CHANNELS, TileWords.HEIGHT, TileWords.WIDTH, TileWords.TALL,
                     TileWords.WIDE):  # fmt: skip
            code.compare(at(word), 0)
            self._refuse(JUMP_LESS_OR_EQUAL)
            if word not in (TileWords.HEIGHT, TileWords.WIDTH):
                code.multiply_registers(RCX, at(word))
        code.multiply(RCX, RCX, 8 * self.numbers)
        code.store(at(FrameWords.WORK), RCX)
        if self.writes_images:  # all columns
            code.load(RAX, at(TileWords.WIDE))
            code.add_register(RAX, RAX)
            code.compare_registers(RAX, at(TileWords.WIDTH))
            self._refuse(JUMP_LESS)
        if self.spread > 1:  # no part of a group
            code.load(RAX, at(TileWords.WIDE))
            code.constant(RDX, 0)
            code.constant(RCX, self.spread)
            code.divide_by(RCX)
            code.compare(RDX, 0)
            self._refuse(JUMP_NOT_EQUAL)

    def conclude(self) -> None:
        """Return False if some result is not finite."""
        if self.writes_images:
            self.code.compare(TileWords.at(TileWords.DONE), 0)
            self._refuse(JUMP_NOT_EQUAL)

    def _read_number(self, position: int, word: int) -> None:
        """Read a small number that is not negative."""
        code, at = self.code, TileWords.at
        code.load(RDI, at(FrameWords.ARGUMENTS))
        code.load(RDI, Memory(RDI, 8 * position))
        code.constant(RAX, id(int))
        code.compare_registers(RAX, Memory(RDI, 8))
        self._refuse(JUMP_NOT_EQUAL)
        call(code, "PyLong_AsSsize_t")
        code.store(at(word), RAX)
        fits = code.new_label()
        code.constant(RCX, 1 << 24)
        code.compare_registers(RCX, RAX)
        code.jump(fits, 0x87)  # above, without sign
        call(code, "PyErr_Clear")
        code.jump(self.refused)
        code.place(fits)

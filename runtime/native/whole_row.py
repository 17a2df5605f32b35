"""All passes over a row of few vectors in one basic block: what a pass has computed stays in registers."""

from __future__ import annotations

from typing import Protocol

from ..machine.assembler import RCX
from . import column_pass
from .builder import Value
from .functions import FUNCTIONS, IDENTITY
from .language import Statement
from .pieces import Piece
from .stages import ROW

PARTS = 4
"""Partial results of a reduction: an addition takes four cycles."""


class Generator(column_pass.Generator, Protocol):
    """The parts of the whole function's generator (`generator.Generator`) that such a row uses."""

    def row_values(self, piece: Piece, level: int, stage: int) -> None:
        """Compute, and write, values that are the same for all columns."""

    def reductions(self, number: int) -> list[Statement]:
        """The reductions that a pass over the columns computes."""


class WholeRow:
    """Writes the row's basic block, of the blocks of its vectors. The last one may have fewer columns."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.rest = int(generator.columns % generator.lanes)
        self.row = generator.piece({}, self.rest)
        self.blocks = [generator.piece({}) for _ in range(-(-generator.columns // generator.lanes))]
        for ahead, block in enumerate(self.blocks):
            block.ahead = ahead
        self.blocks[-1].cut(self.row, self.rest)

    def write(self) -> None:
        """All passes."""
        generator = self.generator
        generator.assembler.constant(RCX, 0)
        for number in range(generator.stages.passes):
            generator.row_values(self.row, ROW, number)
            self.columns(number)
        generator.row_values(self.row, ROW, generator.stages.passes)
        self.row.finish(self.rest)

    def columns(self, number: int) -> None:
        """One pass over the columns, and its reductions."""
        reductions = self.generator.reductions(number)
        parts: dict[str, list[Value]] = {statement.name: [] for statement in reductions}
        for first, *others in [self.blocks[at : at + 2] for at in range(0, len(self.blocks), 2)]:
            for block in (first, *others):
                block.values.update(self.row.values)
                self.generator.column_values(block, number)
            first.take_over(others)
            self.row.append(first)
            for statement in reductions:
                for block in (first, *others):
                    self.add(statement, block, parts[statement.name])
        for statement in reductions:
            self.generator.raw[statement.name] = self.combined(statement, parts[statement.name])

    def add(self, statement: Statement, block: Piece, parts: list[Value]) -> None:
        """Add the columns of a block to the partial results of a reduction, in turn, so that their chains overlap."""
        (argument,), combine = statement.arguments, statement.function.removeprefix("row_")
        value = self.generator.value(block, str(argument))
        if block.rest:
            value = self.row.filled(block, value, IDENTITY[combine](value.dtype))
        if len(parts) < PARTS:
            parts.append(value)
        else:
            parts[:] = [*parts[1:], FUNCTIONS[combine](self.row.builder, value, parts[0])]

    def combined(self, statement: Statement, parts: list[Value]) -> Value:
        """All partial results of a reduction, pair by pair."""
        combine = FUNCTIONS[statement.function.removeprefix("row_")]
        while len(parts) > 1:
            pairs = [combine(self.row.builder, *parts[at : at + 2]) for at in range(0, len(parts) - 1, 2)]
            parts = pairs + parts[len(parts) // 2 * 2 :]
        return parts[0]

"""Eigenvalues and singular values side by side, as in `eigen_code.py`, on the 16 registers of AVX2."""

from __future__ import annotations

import numpy as np

from .assembler import R10, R13, RAX, Memory, Pooled
from .eigen_code import EigenCode, SingularCode
from .narrow_assembler import COMPARE, SIGNS
from .narrow_stack_code import NarrowStackCode
from .stack_code import AND, GREATER
from .wide_assembler import DIVIDE, STORE


class NarrowEigenCode(NarrowStackCode, EigenCode):
    """Writes the code of one function."""

    seen = NarrowStackCode.sign

    def _constants(self) -> None:
        super()._constants()
        kind = np.dtype(f"f{self.size}")
        self.tiny = Pooled(np.full(self.lanes, np.finfo(kind).tiny, kind).tobytes())  # type: ignore[assignment]

    def _mark(self, first: int, second: int) -> None:
        self._do(COMPARE, self.swapped, first, second, immediate=GREATER)

    def _see_marked(self) -> None:
        self._do(SIGNS, RAX, 0, self.swapped)
        self.code.compare(RAX, 0)

    def _divide_marked(self, register: int, divisor: int) -> None:
        self._do(DIVIDE, register, register, divisor)
        self.code.wide(AND, register, register, self.swapped)

    def _first(self) -> int:
        return self.rows**2 if self.columns else self._value(0).offset // self.width

    def _scatter_value(self, row: int) -> None:
        self._do(STORE, self.value, 0, self._value(row))

    def _deliver(self) -> None:
        super()._deliver()
        if self.columns:
            self._move(R13, self.rows, self._value(0).offset // self.width, inwards=False)


class NarrowSingularCode(NarrowEigenCode, SingularCode):
    """The same for singular values."""

    left = R10

    def _b(self, row: int, column: int) -> Memory:
        """V is kept transposed."""
        return super()._b(column, row)

    def _scatter_vectors(self) -> None:
        """They are moved to the results at the end."""

    def _deliver(self) -> None:
        super()._deliver()
        if self.columns:
            self._move(self.left, self.rows**2, 0, inwards=False)

"""Contraction: a product that only one sum reads is computed with it, in one instruction that rounds once.

    p = multiply(x, w)        y = multiply_add(x, w, b)
    y = add(p, b)       ->

A sum of two products stays as it is: with one of them rounded and the other one not, x * y - y * x would not be 0, and
the root of a difference of equal squares could be nan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from .idioms import results_of
from .language import SCAN, Argument, Kernel, Statement

FLOATS = ("float32", "float64")  # halves are rounded after each statement
ALONG_ROWS = ("row_", SCAN)  # prefixes of functions whose results need the whole row


def contracted(kernel: Kernel, dtypes: Mapping[str, str]) -> Kernel:
    """The kernel with products and the sums that read them as one statement each."""
    if not any(statement.function == "multiply" for statement in kernel.statements):
        return kernel
    contraction = _Contraction(kernel, dtypes)
    found = [contraction.of(statement) for statement in kernel.statements]
    if not contraction.gone:
        return kernel
    kept = tuple(statement for statement in found if statement.name not in contraction.gone)
    return replace(kernel, statements=kept)


class _Contraction:
    """Which products of a kernel are computed with their sums: `gone`."""

    def __init__(self, kernel: Kernel, dtypes: Mapping[str, str]) -> None:
        self.dtypes = dtypes
        self.products = {each.name: each for each in kernel.statements if each.function == "multiply"}
        self.readers: Counter[Argument] = Counter(results_of(kernel))
        self.gone: set[str] = set()
        self.rows: dict[Argument, int] = {}  # for each value how many functions along rows it comes after
        for statement in kernel.statements:
            self.readers.update(statement.arguments)
            before = max((self.rows.get(argument, 0) for argument in statement.arguments), default=0)
            self.rows[statement.name] = before + statement.function.startswith(ALONG_ROWS)

    def of(self, statement: Statement) -> Statement:
        """The statement, with the product that it reads if that can be."""
        if statement.function not in ("add", "subtract") or self.dtypes[statement.name] not in FLOATS:
            return statement
        x, y = statement.arguments
        is_sum = statement.function == "add"
        if self.joins(y, x):
            return self.joined(statement, y, x, "multiply_add" if is_sum else "negative_multiply_add")
        if self.joins(x, y):
            return self.joined(statement, x, y, "multiply_add" if is_sum else "multiply_subtract")
        return statement

    def joins(self, product: Argument, other: Argument) -> bool:
        """Whether a value is a product that nothing else reads, and that is not needed before the other summand."""
        if product not in self.products or self.readers[product] > 1 or other in self.products:
            return False
        return self.rows.get(other, 0) <= self.rows[product]

    def joined(self, statement: Statement, product: Argument, other: Argument, function: str) -> Statement:
        """One statement for both."""
        assert isinstance(product, str)
        self.gone.add(product)
        return statement._replace(function=function, arguments=(*self.products[product].arguments, other))

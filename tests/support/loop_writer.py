"""Writes random functions with a loop over tiny tensors that reads and writes tables at positions that it computes."""

# ruff: noqa: E501 lines of program text read best whole

from __future__ import annotations

from random import Random


class LoopWriter:
    """Writes one random function `f(x, y, v, table, matrix, numbers, p, q, z)`.

    `table` and `numbers` have `size` elements, `matrix` has `columns` for each of them; p, q and z are integers.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.size, self.columns = self.pick([1, 2, 3, 5, 8]), self.pick([1, 2, 4, 7])
        self.outside = random.random() < 0.15  # whether positions may be out of range

    def pick(self, choices: list[int]) -> int:
        return self.random.choice(choices)

    def choose(self, *choices: str) -> str:
        return self.random.choice(choices)

    def position(self, size: int) -> str:
        """A position, from the start or from the end."""
        if self.random.random() < 0.2:
            return str(self.random.randrange(-size, size))
        number = self.choose("p", "q", "i", "(p + q)", "(p * 3 + i)", "(q - 2)", "(p + 1)")
        if self.outside and self.random.random() < 0.3:
            return f"({number} + {self.choose('1', '2', '-3')})"
        return f"({number} % {size}{f' - {size}' if self.random.random() < 0.2 else ''})"

    def row(self) -> str:
        return f"matrix[{self.position(self.size)}, {self.position(self.columns)}]"

    def number(self, depth: int = 2) -> str:
        """A floating-point scalar."""
        if not depth or self.random.random() < 0.25:
            return self.choose("x", "y", f"table[{self.position(self.size)}]", self.row(), f"v[{self.position(3)}]")
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.choose(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b} * 0.5)", f"ops.tanh({a})", f"ops.maximum({a}, {b})", f"(v * {a}).sum()",
            f"ops.where({self.test()}, {a}, {b})", f"ops.sin({a})", f"({a} / (1.5 + ops.abs({b})))", f"matrix[{self.position(self.size)}].sum()",
        )  # fmt: skip

    def test(self) -> str:
        return self.choose(f"{self.number(0)} > {self.number(0)}", "p > q", "p % 2 == 0", f"{self.number(0)} < 0.1")

    def statement(self, depth: int) -> list[str]:
        kind = self.random.randrange(8)
        if kind == 0 and depth:
            other = ["else:", *self.block(depth - 1)] if self.random.random() < 0.5 else []
            return [f"if {self.test()}:", *self.block(depth - 1), *other]
        if kind <= 2:
            return [f"{self.choose('x', 'y')} = {self.number()}"]
        if kind <= 4:
            place = self.choose(f"table[{self.position(self.size)}]", self.row(), f"v[{self.position(3)}]")
            return [f"{place} {self.choose('=', '+=')} {self.number()}"]
        if kind == 5:
            return [
                f"matrix[{self.position(self.size)}] = {self.choose(self.number(1), f'matrix[{self.position(self.size)}] * 0.5')}"
            ]
        if kind == 6:
            return [
                f"v = {self.choose(f'v * 0.5 + {self.number(1)}', 'ops.tanh(v)', 'ops.stack([x, y, v[0]])', 'v[::-1]')}"
            ]
        return [
            self.choose(
                f"p = (p * {self.random.randrange(1, 5)} + q) % 11", "q = (q + i + 1) % 7", "p, q = q, p",
                f"p = numbers[{self.position(self.size)}] + p % 5", f"numbers[{self.position(self.size)}] = p % 6",
            )
        ]  # fmt: skip

    def block(self, depth: int) -> list[str]:
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth)]
        return ["    " + line for line in lines]

    def program(self) -> str:
        """The text of the function: a counted loop, or one that a test ends."""
        times = self.pick([5, 30, 60])
        first, head, last = self.random.choice([
            ([], f"for i in range({times}):", []),
            (["i = 0"], f"while i < {times} and x < 3:", ["    i = i + 1"]),
            (["i = z * 0"], "while i < z:", ["    i = i + 1"]),
            (["i = z * 0"], "while (i < z) & (x < 2):", ["    i += 2"]),
        ])  # fmt: skip
        copies = "table, matrix, numbers, v = table * 1, matrix * 1, numbers * 1, v * 1"
        body = [
            copies,
            *first,
            head,
            *self.block(2),
            *self.block(1),
            *last,
            "return x, y, v, table, matrix, numbers, p, q",
        ]
        return "\n".join(["def f(x, y, v, table, matrix, numbers, p, q, z):", *["    " + line for line in body]]) + "\n"

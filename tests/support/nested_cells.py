"""Cells in Cells, with Parameters, for tests."""

from __future__ import annotations

from typing import Any

from mycel import Parameter, Tensor, nn


def parameter(value: float = 1.0, **options: Any) -> Parameter:
    """A Parameter of one number."""
    return Parameter(Tensor([value]), **options)


class Inner(nn.Cell):
    """A named Parameter, and one that is named by its attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.w = parameter(name="w")
        self.b = parameter(2.0)

    def construct(self, x: Tensor) -> Tensor:
        return x * self.w + self.b


class Outer(nn.Cell):
    """Cells in attributes and containers, one of them under two names."""

    def __init__(self) -> None:
        super().__init__()
        self.a = Inner()
        self.c = parameter(3.0, name="given")
        self.sequence = nn.SequentialCell(Inner(), nn.ReLU(), Inner())
        self.several = nn.CellList([Inner(), Inner()])
        self.shared = self.a

    def construct(self, x: Tensor) -> Tensor:
        return self.a(x) * self.c


class Wrapper(nn.Cell):
    """A Cell around another."""

    def __init__(self, network: nn.Cell, auto_prefix: bool = True) -> None:
        super().__init__(auto_prefix=auto_prefix)
        self.network = network

    def construct(self, x: Tensor) -> Tensor:
        return self.network(x)  # type: ignore[no-any-return]


def names(cell: nn.Cell) -> list[str]:
    """The names of all Parameters."""
    return [item.name for item in cell.get_parameters()]

"""What programs of the guide share."""

from __future__ import annotations

import pytest

import mycel as ms
from mycel import Tensor


def inputs() -> tuple[Tensor, Tensor]:
    """Features and target."""
    return Tensor([[2, 5]], ms.float32), Tensor(4, ms.float32)


def printed(capsys: pytest.CaptureFixture[str], *values: object) -> str:
    """The output of print for the values, without the final line break."""
    capsys.readouterr()
    print(*values)
    return capsys.readouterr().out.removesuffix("\n")

"""Loops that are traced one iteration after the other, and have no end."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from error_checks import CARETS

import mycel as ms
from mycel import Tensor
from mycel.frontend.control_flow import blocks


def a_constant(x: Tensor) -> Tensor:
    t = Tensor(1.0)
    while t > 0:
        x = x + 1
    return x


def a_literal(x: Tensor) -> Tensor:
    while True:
        x = x + 1


def a_number(x: Tensor) -> Tensor:
    i = 0
    while i < 10:
        x = x + 1
    return x


def a_count(x: Tensor) -> Tensor:
    for i in itertools.count():
        x = x + i
    return x


def in_a_branch(x: Tensor) -> Tensor:
    if x.sum() > 0:
        while True:
            x = x + 1
    return x


@pytest.mark.parametrize("function", [a_constant, a_literal, a_number, a_count, in_a_branch])
def test_loops_without_an_end(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_UNROLLED", 300)
    words = r"(?s)loop has no end.*test_endless.py.*(while|for) .*" + r"\^" * CARETS
    with pytest.raises(RuntimeError, match=words) as info:
        ms.jit(function)(Tensor([1.0]))
    assert not isinstance(info.value, ms.GraphError)


def test_loops_with_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_UNROLLED", 300)

    def function(x: Tensor) -> Tensor:
        i = 0
        while i < 100:
            x, i = x + i, i + 1
        for i in zip(itertools.count(), range(100)):
            x = x + i[0]
        for i in range(400):  # a range has an end
            x = x * 1 if i % 2 else -x
        return x

    np.testing.assert_array_equal(ms.jit(function)(Tensor([1.0])).asnumpy(), [9901.0])

"""docs/tour.md: its blocks are one program, which prints the output on the page and computes right gradients."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tour.md"
BLOCKS = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", PAGE.read_text("utf-8"), re.S)


@pytest.fixture(scope="module")
def module() -> Iterator[types.ModuleType]:
    """The module that the blocks are typed into."""
    made = types.ModuleType("tour")
    sys.modules["tour"] = made  # where dataclasses look for their annotations
    yield made
    del sys.modules["tour"]


@pytest.fixture(scope="module")
def printed(module: types.ModuleType) -> list[str]:
    """The output of each block."""
    found = []
    for number, (block, _) in enumerate(BLOCKS, 1):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            exec(compile(block, f"block {number} of tour.md", "exec"), vars(module))
        found.append(text.getvalue())
    return found


@pytest.fixture(scope="module")
def tour(module: types.ModuleType, printed: list[str]) -> dict[str, Any]:
    """The names of the program when it has run."""
    return vars(module)


def test_each_block_prints_what_the_page_says(printed: list[str]) -> None:
    assert len(BLOCKS) == 8
    assert printed == [text for _, text in BLOCKS]


def test_it_is_small() -> None:
    """About 300 lines, as the page says."""
    assert 250 <= sum(block.count("\n") for block, _ in BLOCKS) <= 400


def check(tour: dict[str, Any], function: Any, **shapes: tuple[int, ...]) -> None:
    """Compare a program and its interpreted joint graph, and the gradients with finite differences."""
    rng = np.random.default_rng(7)
    arrays = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    compiled = tour["value_and_grad"](function, by=tuple(shapes))
    with contextlib.redirect_stdout(io.StringIO()):
        value, *gradients = compiled(**arrays)
    forward = tour["record"](function, **shapes)
    joint = tour["join"](forward, tour["differentiate"](forward, tuple(shapes)))
    for got, wanted in zip((value, *gradients), tour["interpret"](joint, **arrays), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)
    for (name, array), gradient in zip(arrays.items(), gradients, strict=True):
        direction = rng.standard_normal(array.shape)
        ends = [tour["interpret"](forward, **{**arrays, name: array + step * direction})[0] for step in (1e-6, -1e-6)]
        difference = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose((gradient * direction).sum(), difference, rtol=1e-6, atol=1e-7)


def test_gradients(tour: dict[str, Any]) -> None:
    check(tour, tour["loss"], x=(4, 3), w=(3, 2), y=(4, 2))


def test_gradients_of_every_op(tour: dict[str, Any]) -> None:
    """A function with all ops, a value read often, numbers on both sides, and a parameter that nothing reads."""
    tanh, fill = tour["tanh"], tour["fill"]

    def function(x: Any, y: Any, unused: Any) -> Any:
        z = tanh(x @ y.T) * 2.0 + x @ x.T
        spread = fill((z * z).sum() * 0.01, (3, 3))
        return (1.0 - z + spread * z - (z - 0.5) * tanh(spread)).sum()

    check(tour, function, x=(3, 4), y=(3, 4), unused=(2,))


def test_a_plan_never_gives_two_living_values_one_element(tour: dict[str, Any]) -> None:
    def deep(x: Any, w: Any) -> Any:
        for _ in range(6):
            x = tour["tanh"](x @ w)
        return x.sum()

    forward = tour["record"](deep, x=(5, 5), w=(5, 5))
    graph = tour["merge"](tour["join"](forward, tour["differentiate"](forward, ("x", "w"))))
    buffers = list(tour["plan"](tour["prune"](graph)).values())
    assert len(buffers) > 20
    for one in buffers:
        for other in buffers:
            apart = one.last < other.first or other.last < one.first
            beside = one.offset + one.size <= other.offset or other.offset + other.size <= one.offset
            assert one is other or apart or beside
    assert max(buffer.offset + buffer.size for buffer in buffers) < sum(buffer.size for buffer in buffers) / 2
    check(tour, deep, x=(5, 5), w=(5, 5))

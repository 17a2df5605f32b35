"""Hooks on the operations of `map`: what MindSpore 2.10 prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mycel import dataset as ds
from mycel.dataset import transforms


@pytest.fixture(autouse=True)
def _off() -> Iterator[None]:
    yield
    ds.config.set_debug_mode(False)


def rows() -> list[Any]:
    data = ds.NumpySlicesDataset([1], "a", shuffle=False).map([transforms.Fill(3), transforms.TypeCast(np.float32)])
    return [row[0].tolist() for row in data.create_tuple_iterator(output_numpy=True)]


def test_dtypes_and_shapes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    ds.config.set_debug_mode(True)
    assert rows() == [3.0]
    assert capsys.readouterr().out.splitlines() == [
        "[Dataset debugger] Print the [INPUT] of the operation [Fill].",
        "Column 0. The dtype is [int64]. The shape is [()].",
        "[Dataset debugger] Print the [OUTPUT] of the operation [Fill].",
        "Column 0. The dtype is [int64]. The shape is [()].",
        "[Dataset debugger] Print the [OUTPUT] of the operation [TypeCast].",
        "Column 0. The dtype is [float32]. The shape is [()].",
    ]


def test_hooks_of_the_user(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Any] = []

    class Keep(ds.debug.DebugHook):
        def compute(self, *args: Any) -> Any:
            seen.append([item.tolist() for item in args[0]])
            return None

    ds.config.set_debug_mode(True, [Keep(), ds.debug.PrintDataHook()])
    assert ds.config.get_debug_mode()
    assert rows() == [3.0]
    assert seen == [[1], [3], [3.0]]
    assert "Column 0. The data is [1]." in capsys.readouterr().out
    ds.config.set_debug_mode(False)
    assert rows() == [3.0]
    assert not capsys.readouterr().out
    data = ds.NumpySlicesDataset([4], shuffle=False).map([lambda x: x + 1, Keep()])
    assert [int(row[0]) for row in data] == [5]
    assert seen[3:] == [[5]]
    assert not capsys.readouterr().out


def test_refusals() -> None:
    for flag, hooks in ((1, None), (True, [1]), (True, lambda x: x)):
        with pytest.raises(TypeError, match="debug_"):
            ds.config.set_debug_mode(flag, hooks)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="abstract"):
        ds.debug.DebugHook()  # type: ignore[abstract]

"""Twenty networks of different families train as under MindSpore 2.10.

From its checkpoint, with its losses and norms of gradients.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import network_training as training
import numpy as np
import pytest

import mycel as ms

# Rounding grows from step to step, and an adaptive optimizer follows the sign of gradients that are nearly zero.
FIRST, LATER = 1e-4, 1e-3


@pytest.fixture
def mindspore(as_without_mindspore: None) -> Iterator[Any]:
    """`import mindspore` means mycel during a test, in graph mode."""
    ms.install_as_mindspore()
    ms.set_context(mode=ms.GRAPH_MODE)
    yield ms
    ms.set_context(mode=ms.PYNATIVE_MODE)


def results(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The results of a network, and its results under MindSpore."""
    net, parameters, step, batches = training.load(name).make()
    checkpoint = ms.load_checkpoint(str(training.RECORDED / f"{name}.ckpt"))
    assert ms.load_param_into_net(net, checkpoint, strict_load=True) == ([], [])
    found = training.train(ms, net, parameters, step, batches)
    return found, json.loads((training.RECORDED / f"{name}.json").read_text(encoding="utf-8"))


def compare(found: dict[str, Any], expected: dict[str, Any], *, moving: bool = True) -> None:
    """Losses and gradients of every step, and the state at the end; on request without the moving averages."""
    assert found["names"] == expected["names"]
    assert list(found["state"]) == list(expected["state"])
    tolerance = FIRST
    for losses, slopes, known, recorded in zip(
        found["losses"], found["gradients"], expected["losses"], expected["gradients"], strict=True
    ):
        np.testing.assert_allclose(losses, known, rtol=tolerance, atol=1e-6)
        scale = float(np.linalg.norm(recorded))
        np.testing.assert_allclose(slopes, recorded, rtol=10 * tolerance, atol=tolerance * scale)
        tolerance = LATER
    for name, length in expected["state"].items():
        if "moving_" in name and not moving:
            continue
        np.testing.assert_allclose(found["state"][name], length, rtol=5e-3, atol=2e-3, err_msg=name)


# Every third one by default, all of them among the slow tests.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (count % 3 > 0)) for count, name in enumerate(training.NETWORKS)],
)
def test_it_trains_as_under_mindspore(name: str, mindspore: Any) -> None:
    compare(*results(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", training.NETWORKS)
def test_without_graphs_it_trains_as_under_mindspore(name: str, mindspore: Any) -> None:
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with ms.disable_jit():
        # A step that calls the network, and then its gradient function, runs it twice; a graph runs it once.
        compare(*results(name), moving=False)


def test_there_are_twenty() -> None:
    assert len(training.NETWORKS) >= 20
    assert {file.stem for file in training.RECORDED.glob("*.ckpt")} == set(training.NETWORKS)

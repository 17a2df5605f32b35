"""Rows of what a loop stacks: `frontend/values/rows.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

LENGTH = 60


def rows_of(x: Any) -> Any:
    found = []
    y = x[0] * 0
    for i in range(LENGTH):
        y = y * 0.5 + x[i]
        found.append(y)
    return found


def front(x: Any) -> Any:
    found: Any = []
    for i in range(LENGTH):
        found.insert(0, x[i] * 2)
    return ops.stack(found)


def updated(x: Any) -> Any:
    found = rows_of(x)
    found[3] += 1
    found[5][1] = 7.0
    return ops.stack(found)


def read_in_a_branch(x: Any) -> Any:
    found = rows_of(x)
    y = x[0]
    if x.sum() > 0:
        y = found[2] * 2
    else:
        y = found[1] * 3
    return ops.stack(found) + y + found[2] + found[1]


def copied(x: Any) -> Any:
    found = rows_of(x)
    return ops.stack([row.copy() for row in found]) + ops.stack(found)


def two_lists(x: Any) -> Any:
    one, other = [], []
    for i in range(LENGTH):
        one.append(x[i] * 2)
        other.append(x[i] * 3)
    return ops.stack([one[0], other[1], *one[2:]])


def pairs(x: Any) -> Any:
    found = []
    for i in range(LENGTH):
        found += [x[i] * 2, x[i] + 1]
    return ops.stack(found[::2]) * ops.stack(found[1::2]) + ops.stack(found)[:LENGTH]


PROGRAMS: dict[str, tuple[Callable[[Any], Any], int]] = {  # and the most nodes after the loop
    "whole": (lambda x: ops.stack(rows_of(x)), 0),
    "last axis": (lambda x: ops.stack(rows_of(x), -1), 1),
    "middle": (lambda x: ops.stack(rows_of(x)[3:-2]), 1),
    "with a step": (lambda x: ops.stack(rows_of(x)[1::4]), 1),
    "backwards": (lambda x: ops.stack(rows_of(x)[::-1]), 2),
    "backwards with a step": (lambda x: ops.stack(rows_of(x)[-2:7:-3], 1), 3),
    "front": (front, 2),
    "pairs": (pairs, 20),
    "two lists": (two_lists, 400),
    "out of order": (lambda x: ops.stack([(found := rows_of(x))[4], found[2], *found[5:]]), 400),
    "one twice": (lambda x: ops.stack([(found := rows_of(x))[4], found[4], found[4]]), 20),
    "updated": (updated, 400),
    "read in a branch": (read_in_a_branch, 400),
    "copied": (copied, 600),
    "of one": (lambda x: ops.stack(rows_of(x)[:1]), 4),
    "as a tensor": (lambda x: Tensor(rows_of(x)), 400),
    "last": (lambda x: rows_of(x)[-1], 4),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_rows(name: str) -> None:
    function, most = PROGRAMS[name]
    x = Tensor(np.random.RandomState(0).randn(LENGTH, 3).astype(np.float32))
    graph = ms.jit(function)
    want = function(x).asnumpy()
    np.testing.assert_allclose(graph(x).asnumpy(), want, rtol=1e-5, atol=1e-6)
    nodes = graph.stages(x).forward.nodes
    after = [node.op.name for node in nodes].index("scan") + 1
    assert len(nodes) - after <= most


def test_the_gradient_reads_the_stack() -> None:
    weights = Tensor(np.random.RandomState(1).randn(LENGTH, 3).astype(np.float32))
    x = Tensor(np.random.RandomState(0).randn(LENGTH, 3).astype(np.float32))
    gradient = ms.grad(lambda x: (ops.stack(rows_of(x)) * weights).sum())
    want, carry = np.zeros((LENGTH, 3)), np.zeros(3)
    for i in reversed(range(LENGTH)):
        want[i] = carry = carry * 0.5 + weights.asnumpy()[i]
    np.testing.assert_allclose(gradient(x).asnumpy(), want, rtol=1e-4)
    assert len(gradient.stages(x).forward.nodes) < 20


def test_a_row_lacks_what_tensors_lack() -> None:
    def function(x: Any) -> Any:
        row = rows_of(x)[0]
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            row.nothing  # noqa: B018
        assert type(row).__name__ == "Tensor"
        return row * 2

    x = Tensor(np.ones((LENGTH, 3), np.float32))
    np.testing.assert_array_equal(ms.jit(function)(x).asnumpy(), 2)

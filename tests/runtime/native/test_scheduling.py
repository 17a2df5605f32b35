"""List scheduling: steps that do not wait for each other stand side by side."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.native.builder import Value
from mycel.runtime.native.scheduling import scheduled


def _values(*numbers: int) -> list[Value]:
    return [Value("register", number, "float32") for number in numbers]


def test_chains_take_turns() -> None:
    """Two chains of four steps, one behind the other."""
    reads = [_values(), *[_values(at) for at in range(3)], _values(), *[_values(at) for at in range(4, 7)]]
    order = scheduled(reads, list(range(8)))
    assert order == [0, 4, 1, 5, 2, 6, 3, 7]


def test_the_longer_chain_comes_first() -> None:
    reads = [_values(), _values(), _values(1), _values(2), _values(0, 3)]
    assert scheduled(reads, list(range(5)))[0] == 1


def test_stores_and_what_is_behind_them_stay() -> None:
    """A store may write to memory that later steps read."""
    reads = [_values(), _values(), _values(1), _values(2), _values(), _values(4)]
    made = [0, 1, 2, -1, 4, 5]
    assert scheduled(reads, made) == [1, 0, 2, 3, 4, 5]


@pytest.mark.parametrize("seed", range(30))
def test_random_blocks(seed: int) -> None:
    """Each step stands once, behind those whose values it reads."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 80))
    reads = [_values(*rng.integers(0, at, int(rng.integers(0, 3))).tolist()) if at else [] for at in range(count)]
    made = list(range(count))
    if seed % 3 == 0:
        made[int(rng.integers(0, count))] = -1
    order = scheduled(reads, made)
    assert sorted(order) == list(range(count))
    place = {made[step]: at for at, step in enumerate(order) if made[step] >= 0}
    for at, step in enumerate(order):
        assert all(place[value.number] < at for value in reads[step] if value.number in place)


def test_sums_of_exponentials_along_the_middle() -> None:
    """Four rows are computed in one block, whose exponentials take turns."""
    x = np.random.default_rng(0).standard_normal((6, 32, 160)).astype(np.float32)
    found = ms.jit(lambda x: ops.logsumexp(x, 1))(Tensor(x)).asnumpy()
    np.testing.assert_allclose(found, np.log(np.exp(x.astype(np.float64)).sum(1)), 1e-5)

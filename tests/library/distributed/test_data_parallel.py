"""Training by several processes gives the same results as by one process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ranks import check_ranks

NETS = ("mlp", "lenet", "gpt", "large")


def check(count: int, folder: Path) -> None:
    """Losses and Parameters of one process with the whole batch, and of several with parts of it."""
    results = []
    for processes in (1, count):
        own = folder / str(processes)
        own.mkdir()
        assert check_ranks(processes, "data_parallel.py", str(own)).count("is done") == processes
        results.append([dict(np.load(own / f"{name}.npz")) for name in NETS])
    for name, alone, together in zip(NETS, *results, strict=True):
        assert alone.keys() == together.keys()
        for key, numbers in alone.items():
            np.testing.assert_allclose(together[key], numbers, rtol=2e-4, atol=2e-5, err_msg=f"{name} {key}")


def test_two_processes_train_as_one(tmp_path: Path) -> None:
    check(2, tmp_path)


@pytest.mark.slow
def test_four_processes_train_as_one(tmp_path: Path) -> None:
    check(4, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", NETS)
def test_nets_of_the_benchmarks_train_as_in_one_process(name: str, tmp_path: Path) -> None:
    """In their full sizes: 20 steps of two and of four processes differ from those of one by no more than rounding,
    of which the same batch in another order shows the size."""

    def trained(count: int, *order: str) -> Any:
        file = str(tmp_path / f"{count}{''.join(order)}.npz")
        assert check_ranks(count, "benchmark_nets.py", name, file, *order).count("is done") == count
        return np.load(file)

    one, other = trained(1), trained(1, "reversed")
    for several in (trained(2), trained(4)):
        np.testing.assert_allclose(several["arr_0"], one["arr_0"], rtol=1e-4)  # the losses
        for key in one.files:
            rounding = np.linalg.norm(other[key] - one[key]) + 1e-6 * np.linalg.norm(one[key])
            assert np.linalg.norm(several[key] - one[key]) <= 5 * rounding, key

"""Training by several processes gives the same results as by one process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ranks import check_ranks

NETS = ("mlp", "lenet", "gpt")


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

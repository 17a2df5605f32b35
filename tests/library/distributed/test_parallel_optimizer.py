"""Processes that divide the optimizer's update train as others do, with less memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from ranks import check_ranks

import mycel as ms
from mycel import nn
from mycel.library.distributed.data_parallel import owners_of


def test_two_processes_divide_an_optimizer(tmp_path: Path) -> None:
    assert check_ranks(2, "divided_optimizer.py", str(tmp_path)).count("is done") == 2


@pytest.mark.slow
def test_four_processes_divide_an_optimizer(tmp_path: Path) -> None:
    assert check_ranks(4, "divided_optimizer.py", str(tmp_path)).count("is done") == 4


def test_the_parts_are_about_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mycel.library.distributed.data_parallel.get_group_size", lambda: 3)
    parameters = [ms.Parameter(ms.ops.zeros((size,)), name=str(size)) for size in (9, 1, 5, 4, 2, 3)]
    owners = owners_of(parameters)
    sums = [sum(p.size for p, owner in zip(parameters, owners, strict=True) if owner == rank) for rank in range(3)]
    assert sums == [9, 8, 7]


def test_one_process_divides_nothing() -> None:
    ms.set_auto_parallel_context(enable_parallel_optimizer=True)
    try:
        optimizer = nn.Adam(nn.Dense(2, 3).trainable_params())
        assert not optimizer.use_parallel
        assert [m.shape for m in optimizer.moment1] == [(3, 2), (3,)]
    finally:
        ms.reset_auto_parallel_context()

"""Reductions of several processes that one process plays: they take their steps in any order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

NUMPY = {"sum": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply}


class Window:
    """Stands for MPI's window: in one process all see at once what one writes."""

    def Sync(self) -> None:
        """Do nothing."""


def check_reductions(
    group: Sequence[Any], calls: Sequence[tuple[str, list[np.ndarray]]], rng: np.random.Generator
) -> None:
    """Each process of the group gets the result of each call: how it reduces, and the array of each process."""
    expected = [reduce(NUMPY[by], arrays) for by, arrays in calls]
    results: list[list[np.ndarray]] = [[] for _ in group]
    requests: list[list[Any]] = [[] for _ in group]
    for _ in range(100_000):
        rank = int(rng.integers(len(group)))
        number = len(requests[rank])
        if number < len(calls) and rng.random() < 0.3:
            by, arrays = calls[number]
            given = arrays[rank].copy()
            results[rank].append(given if rng.random() < 0.5 else np.empty_like(given))
            requests[rank].append(group[rank].start(given, results[rank][-1], by))
        elif number:
            requests[rank][rng.integers(number)].Test()
        if all(len(each) == len(calls) and each[-1].Test() for each in requests):
            break
    else:
        raise AssertionError("the processes wait for ever")
    for found in results:
        for one, total in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, total)

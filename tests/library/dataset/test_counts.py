"""Counts of rows that cannot be are errors where they are given, not when the rows are read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel.dataset as ds


@pytest.mark.parametrize(("count", "kind"), [(-5, ValueError), (2.0, TypeError), (True, TypeError), ("3", TypeError)])
@pytest.mark.parametrize("name", ["take", "skip"])
def test_counts_of_rows(name: str, count: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=f"{name}: 'count' should"):
        getattr(ds.NumpySlicesDataset(np.arange(4), shuffle=False), name)(count)

"""Traces while other threads change tensors: an entry is of the types that its signature states."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel.frontend.compilation import make_entry


def test_a_tensor_that_changes_between_its_signature_and_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (ms.Tensor(np.ones(shape, np.float32)) for shape in ((4, 8), (40, 8)))
    tensor = ms.Tensor(small)
    key_of = make_entry.key_of
    threads: list[threading.Thread] = []

    def slow_key(args: Any, kwargs: Any, leaves: list[Any]) -> Any:
        key = key_of(args, kwargs, leaves)
        if not threads:
            threads.append(threading.Thread(target=tensor.assign_value, args=(large,)))
            threads[0].start()
            threads[0].join(0.5)
        return key

    monkeypatch.setattr(make_entry, "key_of", slow_key)
    double = ms.jit(lambda x: x * 2.0)
    assert double(tensor).shape in (small.shape, large.shape)
    threads[0].join()
    for value in (small, large, tensor):
        assert double(value).shape == value.shape

"""Functions of machine code with another function behind them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from mycel.runtime.machine.array_functions import compile_small
from mycel.runtime.machine.complete import completed
from mycel.runtime.machine.executable import code_address, unavailable
from mycel.runtime.machine.product import compile_matmul, refuses

SHAPES = (3, 5), (5, 4), (3, 4)


@pytest.mark.parametrize("make", ["small", "general", "refuses"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_refused_the_other_function_computes(make: str, dtype: str) -> None:
    makers = {
        "small": lambda: compile_small("matmul", dtype, *SHAPES),
        "general": lambda: compile_matmul(dtype),
        "refuses": lambda: refuses,
    }
    function = makers[make]()
    calls: list[int] = []

    def behind(a: Any, b: Any, out: Any) -> Any:
        calls.append(len(a))
        return np.dot(a, b, out)

    whole = completed(function, behind)
    random = np.random.default_rng(1)
    a, b = random.normal(size=(3, 5)).astype(dtype), random.normal(size=(5, 4)).astype(dtype)
    for x, y in ((a, b), (a.T.copy().T, b), (np.repeat(a, 2, 1)[:, ::2], b), (a, np.repeat(b, 2, 1)[:, ::2])):
        out = np.full((3, 4), 7, dtype)
        taken = function(x, y, out)
        out[:] = 7
        calls.clear()
        whole(x, y, out)
        np.testing.assert_allclose(out, a @ b, rtol=1e-5)
        assert bool(calls) is not taken
    with pytest.raises(ValueError, match="shapes"):
        whole(a, a, np.zeros((3, 5), dtype))
    with pytest.raises(TypeError):
        whole(a)


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
def test_both_functions_live_as_long_as_the_whole() -> None:
    class Behind:
        def __call__(self, *arrays: Any) -> None:
            pass

    behind = Behind()
    alive = weakref.ref(behind)
    function = compile_small.__wrapped__("matmul", "float32", *SHAPES)
    whole = completed(function, behind)
    assert code_address(whole) == code_address(function)
    del function, behind
    a, b, out = np.ones((3, 5), np.float32), np.ones((5, 4), np.float32), np.zeros((3, 4), np.float32)
    assert whole(a, b, out) is True
    assert (out == 5).all()
    assert whole() is True
    assert alive() is not None
    del whole
    gc.collect()
    assert alive() is None

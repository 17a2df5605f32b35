"""Rows for loops in which lists grow, and their comparison with eager mode."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from both_modes import assert_same, plain

import mycel as ms
from mycel import Tensor, ops

T = 7
xs = Tensor(np.random.RandomState(0).randn(T, 3).astype(np.float32))


def scans(function: Any, *arguments: Any) -> int:
    """How many loops the graph of a compiled function has."""
    return str(function.stages(*arguments).forward).count(" = scan(")


def check(function: Callable[..., Any], *arguments: Any, loops: int = 1) -> Any:
    """Compare a function compiled and eager, twice; gives the compiled one."""
    compiled = ms.jit(function)
    for _ in range(2):
        with ms.disable_jit():
            expected = plain(function(*arguments))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_same(plain(compiled(*arguments)), expected)
    assert not compiled.explain().traces[0].eager
    assert scans(compiled, *arguments) == loops
    return compiled


def step(h: Any, x: Any) -> Any:
    return ops.tanh(h * 0.5 + x)

"""Compiled functions against the same functions in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, ops


def both(function: Any, *arguments: Any) -> Any:
    """The result of a function, compiled as a whole; checked against the function itself."""
    compiled = ms.jit(function, fullgraph=True)(*arguments)
    assert repr(compiled) == repr(function(*arguments))
    return compiled


def agrees_with_its_gradient(function: Callable[..., Any], x: Tensor) -> tuple[Any, Any]:
    """Check a compiled function, and the gradient of the sum of its squares, against eager mode. Both are returned, so
    that a test which looks at their stages need not compile them again."""

    def loss(x: Any) -> Any:
        return ops.square(function(x)).sum()

    compiled, gradient = ms.jit(function), ms.value_and_grad(loss)
    result, found_gradient = compiled(x), gradient(x)
    with ms.disable_jit():
        expected, expected_gradient = function(x), ms.value_and_grad(loss)(x)
    np.testing.assert_allclose(result.asnumpy(), expected.asnumpy(), rtol=1e-4, atol=1e-5)
    for found, known in zip(found_gradient, expected_gradient, strict=True):
        np.testing.assert_allclose(found.asnumpy(), known.asnumpy(), rtol=2e-4, atol=1e-4)
    return compiled, gradient


def plain(value: Any) -> Any:
    """A result as numbers and Python types."""
    if isinstance(value, Tensor):
        return ("tensor", str(value.dtype), value.shape, np.asarray(value.asnumpy(), np.float64).tolist())
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(plain, value)]
    return (type(value).__name__, value)


def assert_same(a: Any, b: Any) -> None:
    """Results that differ by rounding at most."""
    if isinstance(a, (list, tuple)):
        assert type(a) is type(b)
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, float):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)
    else:
        assert a == b

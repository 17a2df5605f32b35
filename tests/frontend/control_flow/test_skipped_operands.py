"""Names that an operand binds which the run may skip, as in `a and (n := f()) and g(n)`: as in Python."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor


def in_a_condition(x: Any) -> Any:
    if x.sum() > 0 and (n := x.mean()) > 1:
        return x * n
    return x


def of_or(x: Any) -> Any:
    if x.sum() > 0 or (n := x.mean()) < -1:
        return x
    return x * n


def in_a_while(x: Any) -> Any:
    while x.sum() > 0 and (n := x.mean()) > 1:
        x = x / n
    return x


def in_a_conditional_expression(x: Any) -> Any:
    return x * n if x.sum() > 0 and (n := x.mean()) > 1 else x


def in_a_chain(x: Any) -> Any:
    return x * n if 0 < x.sum() < (n := x.max()) + 1 else x


def of_a_conditional_expression(x: Any) -> Any:
    y = (n := x * 2) if x[0] > 0 else x
    return y + n if x[0] > 0 else y


PROGRAMS = [in_a_condition, of_or, in_a_while, in_a_conditional_expression, in_a_chain, of_a_conditional_expression]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("values", [[1.0, 3.0], [-1.0, 0.5], [-5.0, 3.0], [3.0, -2.5], [4.0, -5.0]])
def test_a_name_is_read_where_the_operand_has_run(program: Callable[..., Any], values: list[float]) -> None:
    x = Tensor(np.array(values, np.float32))
    with ms.disable_jit():
        expected = program(x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ms.FallbackWarning)
        np.testing.assert_allclose(ms.jit(program)(x).asnumpy(), expected.asnumpy(), rtol=1e-6)


def test_the_reason_why_no_graph_is_made() -> None:
    x = Tensor(np.array([1.0, 3.0], np.float32))
    with pytest.warns(ms.FallbackWarning, match="only the run knows whether 'n' is bound, because an operand binds it"):
        ms.jit(in_a_condition)(x)


def test_a_name_that_the_skipped_operand_would_have_bound() -> None:
    def program(x: Any) -> Any:
        if x.sum() > 0 and (n := x.mean()) > 1:
            pass
        return x * n

    compiled = ms.jit(program)
    x = Tensor(np.array([-1.0, -3.0], np.float32))
    with pytest.raises(UnboundLocalError, match="'n'"):
        compiled(x)

"""Runs that commit run again if a Parameter that they have read is assigned to meanwhile, at any depth of the stack."""

from __future__ import annotations

import contextvars
from functools import partial
from typing import Any

import numpy as np
import pytest

from mycel.runtime.program import Program
from mycel.runtime.watch import INSIDE, Disturbed, Watch, assigned, committing

OTHER = """
EFFECTS = {effects}
def bind(arena):
    def other(x):
        kernels['meanwhile']()
        return (x,)
    return other
"""


def disturbed_by(meanwhile: Any, times: int, array: np.ndarray) -> int:
    """How often a program on `array` is run while the first few of its runs are interrupted by a function."""
    watch = Watch()
    context = contextvars.Context()
    context.run(INSIDE.set, True)
    runs = 0

    def program(given: np.ndarray) -> tuple[np.ndarray, ...]:
        nonlocal runs
        runs += 1
        if runs <= times:
            meanwhile()
        if watch.disturbed:
            raise Disturbed
        return (given,)

    run = committing([], lambda: (partial(context.run, program), watch))
    assert run(array)[0] is array
    return runs


@pytest.mark.parametrize("times", [1, 2000])
def test_a_run_is_made_again_until_nobody_disturbs_it(times: int) -> None:
    array = np.zeros(3)
    assert disturbed_by(lambda: assigned(array), times, array) == times + 1
    assert disturbed_by(lambda: assigned(np.zeros(3)), times, array) == 1


@pytest.mark.parametrize("effects", [False, True])
def test_what_is_assigned_inside_of_another_program_is_noticed(effects: bool) -> None:
    array = np.zeros(3)
    other = Program("other", OTHER.format(effects=effects), 0, {}, {"meanwhile": lambda: assigned(array)})
    assert disturbed_by(lambda: other.run(np.zeros(3)), 1, array) == 2


def test_a_run_that_commits_disturbs_the_one_that_it_comes_into() -> None:
    array = np.zeros(3)
    inner = committing([], lambda: (lambda *arrays: arrays, Watch()))
    assert disturbed_by(lambda: inner(array), 1, array) == 2
    assert disturbed_by(lambda: inner(array.copy()), 1, array) == 1

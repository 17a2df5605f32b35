"""Kernels that one function of machine code calls, one after the other."""

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
import pytest

from mycel.runtime.commit import make_kernel_commit
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.chain import chain
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.watch import Watch

ADD = "over 4\nin x float32[4] 4\nout y float32[4] 4\ny = add(x, 1.0)"
PRODUCT = "over 4\nin x float32[4] 4\nin z float32[4] 4\nout y float32[4] 4\ny = multiply(x, z)"
native = pytest.mark.skipif(unavailable() is not None, reason="machine code cannot be had")


def vector(*numbers: float) -> np.ndarray:
    return np.array(numbers or (1, 2, 3, 4), np.float32)


def made() -> tuple[Any, Any]:
    return compile_kernel(ADD), compile_kernel(PRODUCT)


@native
@pytest.mark.parametrize("refused", [None, 0, 1, 2])
def test_calls_are_made_until_one_is_refused(refused: int | None) -> None:
    add, product = made()
    function = chain((add, product, add), (2, 3, 2))
    assert function is not None
    x, y, z, u = vector(), vector(), vector(), vector()
    arguments = [x, y, y, x, z, z, u]
    if refused is not None:
        first = (0, 2, 5)[refused]
        arguments[first] = vector()[::-1]
    assert function(*arguments) == (0 if refused is None else 3 - refused)
    run = 3 if refused is None else refused
    np.testing.assert_array_equal(y, vector(2, 3, 4, 5) if run > 0 else vector())
    np.testing.assert_array_equal(z, vector(2, 6, 12, 20) if run > 1 else vector())
    np.testing.assert_array_equal(u, vector(3, 7, 13, 21) if run > 2 else vector())


@native
def test_what_are_not_as_many_arrays_is_refused_as_a_whole() -> None:
    add, product = made()
    function = chain((add, product), (2, 3))
    assert function is not None
    x = vector()
    for arguments in [(), (x,), (x, x, x, x), (x,) * 6, (1, None, x, x, x)]:
        assert function(*arguments) == 2
    np.testing.assert_array_equal(x, vector())


@native
def test_references_are_neither_lost_nor_kept() -> None:
    add, product = made()
    function = chain((add, product), (2, 3))
    assert function is not None
    x, back = vector(), vector()[::-1]
    objects = [x, back, True, False, 0, 1, 2]
    before = [sys.getrefcount(one) for one in objects]
    for _ in range(1000):
        function(x, x, x, x, x), function(back, x, x, x, x), function(x, x, x, x, back), function(1)
    after = [sys.getrefcount(one) for one in objects]
    assert all(abs(now - then) < 100 for now, then in zip(after, before, strict=True))


@native
def test_a_chain_keeps_its_kernels() -> None:
    function = chain(made(), (2, 3))
    assert function is not None
    gc.collect()
    x, y, z = vector(), vector(), vector()
    assert function(x, y, y, x, z) == 0
    np.testing.assert_array_equal(z, vector(2, 6, 12, 20))


def test_what_is_no_machine_code_is_in_no_chain() -> None:
    assert chain((lambda *arrays: True,), (1,)) is None


@pytest.mark.parametrize("back", [None, 0, 1, 2])
@pytest.mark.parametrize("machine_code", [True, False])
def test_a_commit_makes_all_calls_on_copies_where_need_be(back: int | None, machine_code: bool) -> None:
    add, product = made()
    if not machine_code:
        add, product = (lambda *arrays, kernel=kernel: kernel(*arrays) for kernel in (add, product))
    commit = make_kernel_commit(Watch(), (add, product, add), (2, 3, 2), (1, 1, 1))
    x, y, z, u = (vector() for _ in range(4))
    targets = [y, z, u]
    if back is not None:
        targets[back] = np.repeat(vector(), 2)[::2]
    y, z, u = targets
    commit((), x, y, y, x, z, z, u)
    for found, wanted in zip(targets, [(2, 3, 4, 5), (2, 6, 12, 20), (3, 7, 13, 21)], strict=True):
        np.testing.assert_array_equal(found, vector(*wanted))
    done: list[int] = []
    commit(((done.append, 1),), x, y, y, x, z, z, u)
    assert done == [1]

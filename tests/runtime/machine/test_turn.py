"""Copies of transposed arrays in machine code: results, what is refused, and where programs use them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hostile_arrays import wrong_for

import mycel as ms
from mycel.runtime.machine.executable import make_function
from mycel.runtime.machine.narrow_turn_code import NarrowTurnCode
from mycel.runtime.machine.product import has_products
from mycel.runtime.machine.turn import compile_turn
from mycel.runtime.machine.turn_sizes import as_matrices

pytestmark = pytest.mark.skipif(not has_products(), reason="no machine code here")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_random_shapes(dtype: str) -> None:
    random = np.random.default_rng(0)
    for _ in range(80):
        rank = int(random.integers(2, 5))
        shape = tuple(int(n) for n in random.integers(1, 24, rank))
        lead = int(random.integers(0, rank - 1))
        cut = int(random.integers(lead + 1, rank))
        axes = (*range(lead), *range(cut, rank), *range(lead, cut))
        source = random.integers(-99, 99, shape).astype(dtype)
        target = np.full([shape[axis] for axis in axes], 7, dtype)
        narrow = make_function(NarrowTurnCode(dtype, shape, axes).assemble(), "turn", "")
        for function in (compile_turn(dtype, shape, axes), narrow):
            target.fill(7)
            assert function(source, target) is True
            np.testing.assert_array_equal(target, np.transpose(source, axes))


def test_arrays_that_do_not_fit_are_refused_and_nothing_is_written() -> None:
    function = compile_turn("float32", (3, 20), (1, 0))
    arrays = [np.ones((3, 20), np.float32), np.zeros((20, 3), np.float32)]
    for position in range(2):
        for name, wrong in wrong_for(arrays[position], position == 1).items():
            given = list(arrays)
            given[position] = wrong
            before = pickle.dumps(given)
            assert function(*given) is False, (position, name)
            assert pickle.dumps(given) == before
    assert function(*arrays) is True


def test_which_permutations_are_transposes() -> None:
    assert as_matrices((4, 5), (0, 1)) is None
    assert as_matrices((2, 3, 4, 5), (1, 0, 3, 2)) is None
    assert as_matrices((2, 3, 4, 5), (2, 3, 0, 1)) == (1, 6, 20)


def test_kernels_read_copies_of_large_transposes_alone() -> None:
    add = ms.jit(lambda a, b: a + b.T * 2)
    for rows, columns, copied in ((200, 201, True), (20, 30, False), (9, 4000, False)):
        a = ms.Tensor(np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32))
        b = ms.Tensor(np.random.default_rng(1).standard_normal((columns, rows)).astype(np.float32))
        np.testing.assert_array_equal(add(a, b).asnumpy(), a.asnumpy() + b.asnumpy().T * np.float32(2))
        assert ("turned(" in str(add.stages(a, b).program)) is copied

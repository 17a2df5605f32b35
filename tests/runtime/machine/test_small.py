"""Functions for a few small matrices: their results, the arrays that they take, and what they leave to NumPy."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from drawn_small import DrawnSmall
from hostile_arrays import wrong_for

from mycel.runtime.machine import executable, product
from mycel.runtime.machine.array_functions import compile_small, has_small
from mycel.runtime.machine.product import compile_matmul, has_wide_code
from mycel.runtime.machine.sizes import takes_product, takes_square

pytestmark = pytest.mark.skipif(not has_small(), reason="no machine code here")
CASES = {"matmul": ((3, 5), (5, 4), (3, 4)), "inverse": ((4, 4),) * 2, "solve": ((4, 4), (4, 3), (4, 3)),
         "cholesky": ((4, 4),) * 2}  # fmt: skip


def arrays(what: str) -> list[Any]:
    """Arrays that a function takes: matrices with 3 on the diagonal, and ones beside it."""
    return [np.ones(shape, np.float32) + 2 * np.eye(*shape, dtype=np.float32) for shape in CASES[what]]


# Every second one by default, all of them among the slow tests.
@pytest.mark.parametrize("part", [pytest.param(part, marks=[pytest.mark.slow] * (part % 2)) for part in range(4)])
def test_random_matrices(part: int) -> None:
    for seed in range(part, 1600, 4):
        drawn = DrawnSmall(seed)
        drawn.check_refusal()
        drawn.check()


@pytest.mark.parametrize("what", CASES)
def test_arrays_that_do_not_fit_are_refused_and_nothing_is_written(what: str) -> None:
    function, count = compile_small(what, "float32", *CASES[what]), len(CASES[what])
    general = has_wide_code()  # what is refused goes to the function for all shapes
    taken = (["transposed", "with gaps"] if general else ["transposed"], ["transposed"], ["one axis more"] * general)
    for position in range(count):
        written = position == count - 1
        for name, wrong in wrong_for(arrays(what)[position], written).items():
            given = arrays(what)
            given[position] = wrong
            before = pickle.dumps(given)
            if what == "matmul" and name in taken[position]:
                assert function(*given) is True
            else:
                assert function(*given) is False, (what, position, name)
                assert pickle.dumps(given) == before
    for given in ([], arrays(what)[:-1], [*arrays(what), arrays(what)[0]]):
        assert function(*given) is False
    assert function(*arrays(what)) is True


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("what", ["inverse", "cholesky"])
def test_matrices_that_are_almost_singular_are_left_to_numpy(what: str, dtype: str) -> None:
    """Rounding decides what is found there, and whether it is an error."""
    function = compile_small(what, dtype, (3, 3), (3, 3))
    out = np.zeros((3, 3), dtype)
    tiny = np.finfo(dtype).eps
    for wrong in ([[1, 1, 1], [1, 1, 1], [1, 1, 2]], np.diag([1, tiny, 1]), np.diag([tiny, 1, tiny**2]),
                  [[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.zeros((3, 3)), np.full((3, 3), np.nan)):  # fmt: skip
        assert function(np.array(wrong, dtype), out) is False, wrong
    assert function(np.diag(np.array([1, 1e-3, 1], dtype)), out) is True


@pytest.mark.skipif(not has_wide_code(), reason="the processor has no AVX-512")
def test_products_of_other_layouts_go_to_the_function_for_all_shapes() -> None:
    function, matmul = compile_small("matmul", "float32", (3, 5), (5, 4), (3, 4)), compile_matmul("float32")
    random = np.random.default_rng(0)
    for _ in range(50):
        steps = random.integers(1, 3, 3)
        a, b, out = (
            random.normal(size=(rows * step, columns * wide)).astype(np.float32)[::step, ::wide]
            for rows, columns, step, wide in zip((3, 5, 3), (5, 4, 4), steps, random.integers(1, 3, 3), strict=True)
        )
        given, wanted = (np.full((6, 4), 7, np.float32)[:: int(steps[0])][:3] for _ in range(2))
        assert function(a, b, given) is matmul(a, b, wanted)
        np.testing.assert_allclose(given, wanted, rtol=1e-5)
    for wrong in ((a, b), (a, b, out, out), (a, b, out[:2]), (b, a, out)):
        assert function(*wrong) is False


def test_sizes() -> None:
    assert takes_product(4, (2, 4), (4, 4))
    assert takes_product(4, (5,), (5,))
    assert takes_product(4, (2, 3, 4), (4, 4))
    assert takes_product(4, (2, 3, 4), (2, 4, 4))
    for a, b in (
        ((0, 4), (4, 4)),
        ((2, 3, 4), (3, 4, 4)),
        ((2, 3, 4), (4,)),
        ((64, 4), (4, 4)),
        ((2, 4), (4, 17)),
        ((2, 64), (64, 4)),
    ):
        assert not takes_product(4, a, b)
    assert not takes_product(8, (2, 4), (4, 9))
    assert takes_square((2, 3, 8, 8), (2, 3, 8, 1))
    for shapes in (((9, 9),), ((0, 0),), ((0, 3, 3),), ((3, 3), (1, 3, 3)), ((3, 3), (3, 9)), ((1,) * 5 + (2, 2),)):
        assert not takes_square(*shapes)


def test_no_memory_for_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> Any:
        raise OSError

    monkeypatch.setattr(executable, "make_function", refuse)
    assert compile_small.__wrapped__("matmul", "float32", *CASES["matmul"]) is product.refuses
    monkeypatch.setattr("mycel.runtime.machine.array_functions.has_small", lambda: False)
    assert compile_small.__wrapped__("inverse", "float64", (2, 2), (2, 2)) is product.refuses

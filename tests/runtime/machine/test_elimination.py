"""Functions that solve, invert and factor matrices in loops: their results, and what they leave to NumPy."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from drawn_elimination import KINDS, DrawnElimination
from hostile_arrays import wrong_for
from searches import chequered

import mycel as ms
from mycel import ops
from mycel.runtime.machine.array_functions import compile_elimination
from mycel.runtime.machine.elimination_sizes import LARGEST, LARGEST_TRIANGLE, EliminationSizes, elimination_sizes
from mycel.runtime.machine.product import has_products, has_wide_code

pytestmark = pytest.mark.skipif(not has_products(), reason="no machine code here")
WIDE = pytest.param(8, marks=pytest.mark.skipif(not has_wide_code(), reason="the processor has no AVX-512"))
both = pytest.mark.parametrize("lanes", [4, WIDE])


@pytest.mark.parametrize("part", chequered(range(4), every=4))
def test_random_matrices(part: int) -> None:
    for seed in range(part, 900, 4):
        drawn = DrawnElimination(seed)
        drawn.check_refusal()
        drawn.check()


@pytest.mark.parametrize("part", range(2))
def test_random_matrices_with_several_groups_of_blocks(part: int) -> None:
    for seed in range(1000 + part, 1030, 2):
        DrawnElimination(seed, largest=170).check()


@both
@pytest.mark.parametrize("size", [20, 90])
def test_the_first_of_the_largest_elements_is_the_pivot(size: int, lanes: int) -> None:
    """Also if they are in other vectors, or at other places of these."""
    random = np.random.default_rng(size)
    sizes = elimination_sizes(lanes, "factor", False, "float64", (size, size))
    assert sizes is not None
    factor = compile_elimination("factor", False, *sizes)
    for rows in ((0, 5), (5, 13), (11, 14), (6, 13, 17), (8, 16), (size - 2, size - 1), (3, size - 1)):
        a = random.uniform(0.5, 1, (size, size))
        a[rows, 0] = 2 * random.choice([-1, 1], len(rows))
        packed, order = np.empty_like(a), np.empty(size)
        assert factor(a, packed, order, np.empty(sizes.room)) is True
        assert order[0] == rows[0]


@both
@pytest.mark.parametrize("size", [100, 130, 256, LARGEST["float64"]])
def test_large_matrices(size: int, lanes: int) -> None:
    """They have several groups of vectors and rows."""
    random = np.random.default_rng(size)
    a = random.standard_normal((size, size))
    positive, b = a @ a.T + size * np.eye(size), random.standard_normal((size, 17))
    for kind, operands, wanted in (
        ("solve", [a, b], np.linalg.solve(a, b)), ("inverse", [a], np.linalg.inv(a)),
        ("cholesky", [positive], np.linalg.cholesky(positive)),
    ):  # fmt: skip
        sizes = EliminationSizes(lanes, "float64", (), size, {"solve": 17, "inverse": size}.get(kind, 0))
        out, room = np.empty(wanted.shape), np.empty(sizes.room)
        assert compile_elimination(kind, False, *sizes)(*operands, out, room) is True
        np.testing.assert_allclose(out, wanted, 0, 1e-10 * np.abs(wanted).max())


@both
def test_products_are_added_up_before_they_are_subtracted(lanes: int) -> None:
    """So large elements round each sum of small products once: LAPACK is as exact."""
    random = np.random.default_rng(0)
    a = random.standard_normal((256, 256)) / 16
    positive = a @ a.T + 0.1 * np.eye(256)
    sizes = EliminationSizes(lanes, "float64", (), 256, 0)
    out = np.empty_like(a)
    assert compile_elimination("cholesky", False, *sizes)(positive, out, np.empty(sizes.room)) is True
    worst = [np.abs(each @ each.T - positive).max() for each in (out, np.linalg.cholesky(positive))]
    assert worst[0] <= 2 * worst[1]


@both
@pytest.mark.parametrize("kind", KINDS)
def test_arrays_that_do_not_fit_are_refused_and_nothing_is_written(kind: str, lanes: int) -> None:
    matrix, sides = np.eye(10, dtype=np.float32), np.ones((10, 3), np.float32)
    operands = [matrix, sides] if kind in ("solve", "lower", "upper") else [matrix]
    sizes = elimination_sizes(lanes, kind, False, "float32", *[array.shape for array in operands])
    assert sizes is not None
    function = compile_elimination(kind, False, *sizes)
    vector = sides[:, 0]
    out = {"pivots": vector, "factor": vector, "determinant": np.ones((), np.float32)}.get(kind, operands[-1])
    packed = [matrix.copy()] * (kind == "factor")
    arrays = [*operands, *packed, out.copy(), np.zeros(sizes.room, np.float32)]
    for position in range(len(arrays)) if out.ndim else (0, 2):
        for name, wrong in wrong_for(arrays[position], position >= len(arrays) - 2).items():
            given = list(arrays)
            given[position] = wrong
            before = pickle.dumps(given)
            assert function(*given) is False, (position, name)
            assert pickle.dumps(given) == before
    for given in ([], arrays[:-1], [*arrays, arrays[0]]):
        assert function(*given) is False
    assert function(*arrays) is True


@both
def test_one_bad_matrix_of_many_leaves_all_to_numpy(lanes: int) -> None:
    sizes = elimination_sizes(lanes, "inverse", False, "float32", (20, 3, 3))
    assert sizes is not None
    assert sizes.side_by_side
    function, room = compile_elimination("inverse", False, *sizes), np.empty(sizes.room, np.float32)
    for position in (0, 7, 19):
        matrices = np.broadcast_to(np.eye(3, dtype=np.float32), (20, 3, 3)).copy()
        assert function(matrices, np.empty_like(matrices), room) is True
        for wrong in (0, np.nan, np.inf):
            matrices[position, 1, 1] = wrong
            assert function(matrices, np.empty_like(matrices), room) is False


@both
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["inverse", "solve", "determinant", "pivots"])
def test_matrices_that_are_almost_singular_are_left_to_numpy(kind: str, dtype: str, lanes: int) -> None:
    """Rounding decides what is found there, and whether it is an error."""
    almost = np.eye(12)
    almost[3] = almost[5] * (1 + 2.0**-50)
    for matrix in (almost, np.zeros((12, 12)), np.arange(144.0).reshape(12, 12), np.full((12, 12), np.nan)):
        operands = [matrix.astype(dtype)] + [np.ones((12, 2), dtype)] * (kind == "solve")
        sizes = elimination_sizes(lanes, kind, False, dtype, *[array.shape for array in operands])
        assert sizes is not None
        out = np.zeros({"determinant": (), "pivots": (12,)}.get(kind, operands[-1].shape), dtype)
        assert compile_elimination(kind, False, *sizes)(*operands, out, np.empty(sizes.room, dtype)) is False


@both
def test_single_precision_is_solved_for_in_double_precision(lanes: int) -> None:
    """As NumPy does: the result of an ill-conditioned system has all digits of the matrix."""
    hilbert = (1 / (np.arange(9)[:, None] + np.arange(9) + 1)).astype(np.float32)
    sides = np.ones((9, 1), np.float32)
    sizes = elimination_sizes(lanes, "solve", False, "float32", (9, 9), (9, 1))
    assert sizes is not None
    out = np.empty((9, 1), np.float32)
    assert compile_elimination("solve", False, *sizes)(hilbert, sides, out, np.empty(sizes.room, np.float32)) is True
    np.testing.assert_allclose(out, np.linalg.solve(hilbert.astype(np.float64), sides), 1e-4)


@both
@pytest.mark.parametrize(("rows", "columns"), [(16, 3000), (70, 600), (LARGEST_TRIANGLE, 5)])
def test_triangular_equations_with_many_rows_or_right_hand_sides(rows: int, columns: int, lanes: int) -> None:
    random = np.random.default_rng(rows)
    a = np.tril(random.standard_normal((rows, rows))) / rows + np.eye(rows)
    b = random.standard_normal((rows, columns))
    for kind, matrix in (("lower", a), ("upper", np.ascontiguousarray(a.T))):
        sizes = elimination_sizes(lanes, kind, False, "float64", matrix.shape, b.shape)
        assert sizes is not None
        out = np.empty(b.shape)
        assert compile_elimination(kind, False, *sizes)(matrix, b, out, np.empty(sizes.room)) is True
        np.testing.assert_allclose(matrix @ out, b, 0, 1e-9)


@both
@pytest.mark.parametrize(("dtype", "scale"), [("float32", 10), ("float64", 1e7)])
def test_determinants_and_cofactors_may_overflow(dtype: str, scale: float, lanes: int) -> None:
    """Cofactors are infinite then, not unknown. Infinite pivots and Float64 determinants are left to NumPy."""
    matrix = (np.random.default_rng(0).standard_normal((60, 60)) * scale).astype(dtype)
    positive = np.linalg.slogdet(matrix)[0] > 0
    cofactors = np.sign(np.linalg.inv(matrix).T) * (1 if positive else -1)
    for kind, wanted in (("determinant", np.asarray(1.0 if positive else -1.0)), ("adjugate", cofactors.T)):
        sizes = elimination_sizes(lanes, kind, False, dtype, matrix.shape)
        assert sizes is not None
        function, out, room = compile_elimination(kind, False, *sizes), np.empty(wanted.shape, dtype), sizes.room
        overflows = kind == "determinant" and dtype == "float64"
        with np.errstate(all="ignore"):
            assert function(matrix, out, np.empty(room, dtype)) is not overflows
            if not overflows:
                np.testing.assert_array_equal(out, wanted * np.inf)
            spoilt = matrix.copy()
            spoilt[7, 9] = np.inf
            assert function(spoilt, out, np.empty(room, dtype)) is False


@both
@pytest.mark.parametrize(("first", "second", "taken"), [(1e-5, 1e5, False), (1e7, 1e-6, False), (1e-2, 1e2, True)])
def test_determinants_whose_first_pivots_overflow_or_underflow(
    first: float, second: float, taken: bool, lanes: int
) -> None:
    """NumPy finds them: the other pivots bring the product back."""
    matrix, out = np.diag(np.repeat([first, second], 70)), np.empty(())
    sizes = elimination_sizes(lanes, "determinant", False, "float64", matrix.shape)
    assert sizes is not None
    assert compile_elimination("determinant", False, *sizes)(matrix, out, np.empty(sizes.room)) is taken
    if taken:
        np.testing.assert_allclose(out, 1, 1e-12)
    function = ms.jit(ops.det)
    np.testing.assert_allclose(function(ms.Tensor(matrix)).asnumpy(), (first * second) ** 70, 1e-9)

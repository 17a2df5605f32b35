"""einsum against NumPy's; factorizations of matrices: their results and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gradcheck import check_gradients, type_of
from hypothesis import given, strategies as st
from searches import few

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.verifier import verify
from mycel.compiler.ops.einsum import einsum_plan
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.transforms.symbolic import record
from mycel.scipy import linalg

Array = np.ndarray[Any, np.dtype[Any]]


def sample(*shape: int, seed: int = 0) -> Array:
    """Float64 numbers."""
    return np.asarray(np.random.default_rng(seed).standard_normal(shape))


def graph_of(function: Callable[..., Any], *arrays: Array) -> Graph:
    """The verified graph of a function on symbols of the arrays' types."""
    return verify(record("f", [type_of(array) for array in arrays], function))


EQUATIONS = [
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("ij,jk", [(2, 3), (3, 4)]),
    ("ij->ji", [(2, 3)]),
    ("ba", [(2, 3)]),
    ("ij->", [(2, 3)]),
    ("ii->i", [(3, 3)]),
    ("ii", [(3, 3)]),
    ("iij->j", [(2, 2, 3)]),
    ("iii->i", [(2, 2, 2)]),
    ("i,i->i", [(3,), (3,)]),
    ("i,i", [(3,), (3,)]),
    ("i,j->ij", [(2,), (3,)]),
    ("i,j->ji", [(2,), (3,)]),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 2)]),
    ("bij,bkj->bik", [(2, 3, 4), (2, 5, 4)]),
    ("bi,bi->b", [(2, 3), (2, 3)]),
    ("bhid,bhjd->bhij", [(2, 2, 3, 4), (2, 2, 5, 4)]),
    ("bhij,bhjd->bihd", [(2, 2, 3, 4), (2, 2, 4, 5)]),
    ("...ij,...jk->...ik", [(2, 3, 4), (5, 2, 4, 2)]),
    ("...ij,jk", [(2, 3, 4), (4, 2)]),
    ("...i,...i->...", [(2, 3), (3,)]),
    ("i...,i...->...", [(3, 2), (3, 1)]),
    ("...->...", [(2, 3)]),
    ("ij...->...", [(2, 3)]),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
    ("ij,ij,ij->j", [(2, 3), (2, 3), (2, 3)]),
    ("a,b,c->abc", [(2,), (3,), (2,)]),
    ("ij,kl->ik", [(2, 3), (4, 2)]),
    ("ijk,jil->kl", [(3, 4, 2), (4, 3, 5)]),
    ("ij,jk->ik", [(2, 1), (3, 4)]),
    ("i,->i", [(3,), ()]),
    (" i j , j -> i ", [(2, 3), (3,)]),
    ("ij,jj->i", [(2, 3), (3, 3)]),
]


@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS)
def test_einsum(equation: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = [sample(*shape, seed=seed) for seed, shape in enumerate(shapes)]
    graph = graph_of(lambda *symbols: einsum_plan(equation, symbols), *arrays)
    (result,) = interpret(graph, arrays)
    np.testing.assert_allclose(result, np.einsum(equation, *arrays), rtol=1e-10, atol=1e-10)
    assert result.shape == np.einsum(equation, *arrays).shape
    check_gradients(graph, arrays, order=2)


@given(st.data())
@few(60)
def test_einsum_at_random(data: Any) -> None:
    sizes = {letter: data.draw(st.integers(1, 3)) for letter in "abcd"}
    terms = data.draw(st.lists(st.text("abcd", max_size=3), min_size=1, max_size=3))
    used = sorted(set("".join(terms)))
    output = "".join(data.draw(st.permutations(used))[: data.draw(st.integers(0, len(used)))])
    equation = f"{','.join(terms)}->{output}"
    arrays = [sample(*[sizes[letter] for letter in term], seed=seed) for seed, term in enumerate(terms)]
    graph = graph_of(lambda *symbols: einsum_plan(equation, symbols), *arrays)
    np.testing.assert_allclose(interpret(graph, arrays)[0], np.einsum(equation, *arrays), rtol=1e-10, atol=1e-10)


def test_einsum_multiplies_matrices_once() -> None:
    a, b = sample(2, 3), sample(3, 4)
    names = [node.op.name for node in graph_of(lambda *s: einsum_plan("ij,jk->ik", s), a, b).nodes]
    assert names == ["matmul"]
    names = [node.op.name for node in graph_of(lambda *s: einsum_plan("ij,ij->ij", s), a, a).nodes]
    assert names == ["multiply"]


def test_einsum_takes_the_cheap_pair_first() -> None:
    arrays = [sample(30, 30), sample(30, 30), sample(30)]
    graph = graph_of(lambda *s: einsum_plan("ij,jk,k->i", s), *arrays)
    assert max(type.size for node in graph.nodes for type in [node.output.type]) == 30


def test_einsum_of_a_batch_of_unknown_size() -> None:
    a, b = sample(2, 3, 4), sample(4, 5)
    types = [type_of(a).with_shape((None, 3, 4)), type_of(b)]
    graph = verify(record("f", types, lambda *s: einsum_plan("bij,jk->bki", s)))
    np.testing.assert_allclose(interpret(graph, [a, b])[0], np.einsum("bij,jk->bki", a, b))
    check_gradients(graph, [a, b])


@pytest.mark.parametrize(
    ("equation", "shapes", "message"),
    [
        ("ij,jk->ik", [(2, 3)], "is for 2 operands, but got 1"),
        ("ij->i", [(2, 3, 4)], "'ij' in 'ij->i' does not fit an operand of 3 dimensions"),
        ("ij->ik", [(2, 3)], "'k' of the result in 'ij->ik' is in no operand"),
        ("ij->ii", [(2, 3)], "should name different letters"),
        ("i,i->i", [(2,), (3,)], "'i' in 'i,i->i' stands for dimensions of sizes 2 and 3"),
        ("ii->i", [(2, 3)], r"stands for dimensions of sizes 2 and 3 of shape \(2, 3\)"),
        ("i1->i", [(2, 3)], "should be letters and at most one"),
    ],
)
def test_wrong_equations(equation: str, shapes: list[tuple[int, ...]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        graph_of(lambda *s: einsum_plan(equation, s), *[sample(*shape) for shape in shapes])


def test_factorizations_give_back_the_matrix() -> None:
    x = sample(2, 4, 3)
    s, u, vt = interpret(graph_of(ops.svd, x), [x])
    np.testing.assert_allclose(u * s[:, None] @ vt, x, atol=1e-12)
    r, q = interpret(graph_of(ops.qr_factors, x), [x])
    np.testing.assert_allclose(q @ r, x, atol=1e-12)
    square = x.swapaxes(1, 2) @ x
    (lower,) = interpret(graph_of(ops.cholesky, square), [square])
    np.testing.assert_allclose(lower @ lower.swapaxes(1, 2), square, atol=1e-12)
    values, vectors = interpret(graph_of(ops.eigh, square), [square])
    np.testing.assert_allclose(vectors * values[:, None] @ vectors.swapaxes(1, 2), square, atol=1e-12)
    sign, log = interpret(graph_of(ops.slogdet, -square), [-square])
    (value,) = interpret(graph_of(ops.determinant, -square), [-square])
    np.testing.assert_allclose(sign * np.exp(log), value)
    (solution,) = interpret(graph_of(ops.solve, square, x.swapaxes(1, 2)), [square, x.swapaxes(1, 2)])
    np.testing.assert_allclose(square @ solution, x.swapaxes(1, 2), atol=1e-10)


@pytest.mark.parametrize(
    ("function", "array", "message"),
    [
        (ops.inverse, np.zeros((2, 2)), "inverse: singular matrix"),
        (ops.cholesky, -np.eye(2), "cholesky: matrix is not positive definite"),
    ],
)
def test_matrices_without_a_result(function: Any, array: Array, message: str) -> None:
    graph = graph_of(function, array)
    with pytest.raises(ValueError, match=message):
        interpret(graph, [array])


@pytest.mark.parametrize("matrix", [np.eye(3), np.linalg.qr(sample(4, 2))[0], np.linalg.qr(sample(4, 2))[0].T])
def test_gradient_of_the_pseudo_inverse_where_singular_values_are_equal(matrix: Array) -> None:
    check_gradients(graph_of(lambda x: ops.pseudo_inverse(x, 1e-9, 0.0), matrix), [matrix], order=2)


@pytest.mark.parametrize("diagonal", [(1, 2, 0), (1, 0, 0), (0, 0, 0), (1, 2, 3, 0), (1, 1, 1, 1)])
def test_second_gradients_of_determinants_of_singular_matrices(diagonal: tuple[int, ...]) -> None:
    size = len(diagonal)
    matrix = sample(size, size) @ np.diag(diagonal) @ sample(size, size, seed=1)
    graph = graph_of(ops.determinant, matrix)
    check_gradients(graph, [matrix], order=2)


def test_determinants_of_singular_matrices_in_stacks_have_gradients_of_their_own() -> None:
    """The logarithm has none; those of the others are not lost."""
    matrices = np.stack([2 * np.eye(3), np.zeros((3, 3))])
    graph = graph_of(lambda x: ops.inverse(x, or_nan=True), matrices)
    np.testing.assert_array_equal(interpret(graph, [matrices])[0][0], np.eye(3) / 2)
    rule: Any = ops.slogdet.vjp
    graph = graph_of(lambda x, d: rule(x, None, (None, d)), matrices, np.ones(2))
    (gradient,) = interpret(graph, [matrices, np.ones(2)])
    np.testing.assert_array_equal(gradient[0], np.eye(3) / 2)
    assert np.isnan(gradient[1]).all()


def test_wrong_matrices() -> None:
    with pytest.raises(ValueError, match=r"inverse: matrices should be square, but got shape \(2, 3\)"):
        graph_of(ops.inverse, sample(2, 3))
    with pytest.raises(TypeError, match="qr: matrices should be Float32 or Float64, but got Int64"):
        graph_of(ops.qr_factors, np.eye(2, dtype=np.int64))
    with pytest.raises(ValueError, match="at least two dimensions is needed"):
        graph_of(ops.svd, sample(3))
    with pytest.raises(ValueError, match="do not fit right-hand sides"):
        graph_of(ops.solve, sample(2, 2), sample(3, 1))


@pytest.mark.parametrize(
    ("function", "alone"),
    [(ops.eigh, ops.eigenvalues), (ops.svd, ops.singular_values), (ops.qr_factors, ops.triangular_factor)],
)
def test_values_without_vectors(function: Any, alone: Any) -> None:
    for x in (sample(3, 3), sample(2, 4, 4).astype(np.float32), sample(2, 0, 0)):
        whole = graph_of(function, x)
        graph = eliminate_dead_code(replace(whole, outputs=whole.outputs[:1]))
        assert [node.op for node in graph.nodes] == [alone]
        for found, wanted in zip(interpret(graph, [x]), interpret(whole, [x])[:1], strict=True):
            assert found.dtype == wanted.dtype == x.dtype
            np.testing.assert_allclose(found, wanted, 1e-5, 1e-6)


def test_decompositions_write_results_and_errors() -> None:
    x = sample(3, 3)
    for op in (ops.eigh, ops.svd, ops.qr_factors):
        wanted = op.kernel(x)
        out = tuple(np.zeros_like(part) for part in wanted)
        assert op.kernel(x, out=out) is out
        for found, part in zip(out, wanted, strict=True):
            np.testing.assert_array_equal(found, part)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_without_singular_values_are_refused(number: float) -> None:
    """LAPACK does not end for infinite ones."""
    x = np.eye(3)
    x[1, 0] = number
    for op in (ops.svd, ops.singular_values):
        with pytest.raises(ValueError, match="svd: all numbers should be finite"):
            op.kernel(x)
    with pytest.raises(ValueError, match="all numbers should be finite"):
        linalg.lstsq(Tensor(x), Tensor(np.ones(3)), driver="gels")


@pytest.mark.parametrize("shape", [(3, 3), (2, 5, 5), (40, 40)])
def test_eigenvalues_are_those_of_symmetric_parts(shape: tuple[int, ...]) -> None:
    """The compiler computes these parts by a kernel, or in one with what comes before."""
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)

    @ms.jit
    def both(x: Tensor) -> tuple[Tensor, ...]:
        values, vectors = ms.ops.eigh(x)
        return values, vectors, ms.ops.eigh(x * 2)[0]

    values, vectors, alone = (result.asnumpy() for result in both(Tensor(x)))
    part = (x + x.swapaxes(-1, -2)) / 2
    np.testing.assert_allclose((vectors * values[..., None, :]) @ vectors.swapaxes(-1, -2), part, atol=2e-5)
    np.testing.assert_allclose(alone, 2 * values, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(part), rtol=1e-4, atol=1e-4)

"""Derivatives of factorizations in packed form and of special functions: right, or an error, never zero."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops, scipy

F64 = ms.float64
MATRIX = np.array([[2.0, 0.3, -0.5], [0.4, 1.5, 0.2], [-0.3, 0.6, 1.1]])
TALL = np.vstack([MATRIX, [[0.7, -0.2, 0.9]]])
PIVOTS = Tensor([2, 3, 3], ms.int32)


def difference(function: Callable[[Tensor], Any], at: np.ndarray) -> np.ndarray:
    """The gradient of a function to one number by central differences."""
    result, step = np.zeros_like(at), 1e-6
    for place in np.ndindex(*at.shape):
        ahead, behind = at.copy(), at.copy()
        ahead[place] += step
        behind[place] -= step
        result[place] = (float(function(Tensor(ahead))) - float(function(Tensor(behind)))) / (2 * step)
    return result


def weighed(*values: Any) -> Any:
    """A sum of all elements, each with a weight of its own."""
    total: Any = 0.0
    for value in values:
        weights = np.random.default_rng(value.size).uniform(0.5, 1.5, value.shape)
        total = total + (value * Tensor(weights)).sum()
    return total


PACKED, FACTORS = (value.asnumpy() for value in ops.geqrf(Tensor(TALL)))
WEIGHTS = np.array([1.0, 10.0, 100.0])
OTHER = Tensor(np.arange(8.0).reshape(4, 2))
CASES: dict[str, tuple[Callable[[Tensor], Any], np.ndarray]] = {
    "qr": (lambda x: weighed(*ops.qr(x)), TALL),
    "qr, Q alone": (lambda x: weighed(ops.qr(x)[0]), TALL),
    "qr, R alone": (lambda x: weighed(ops.qr(x)[1]), TALL),
    "qr of a wide matrix, Q alone": (lambda x: weighed(ops.qr(x)[0]), TALL.T),
    "qr of a wide matrix, R alone": (lambda x: weighed(ops.qr(x)[1]), TALL.T),
    "geqrf": (lambda x: weighed(*ops.geqrf(x)), TALL),
    "geqrf of a wide matrix": (lambda x: weighed(*ops.geqrf(x)), TALL.T),
    "geqrf of a batch": (lambda x: weighed(*ops.geqrf(x)), np.stack([MATRIX, MATRIX.T])),
    "orgqr by the vectors": (lambda x: weighed(ops.orgqr(x, Tensor(FACTORS))), PACKED),
    "orgqr by the factors": (lambda x: weighed(ops.orgqr(Tensor(PACKED), x)), FACTORS),
    "orgqr of geqrf": (lambda x: weighed(ops.orgqr(*ops.geqrf(x))), TALL),
    "ormqr by the vectors": (lambda x: weighed(ops.ormqr(x, Tensor(FACTORS), OTHER)), PACKED),
    "ormqr by the factors": (lambda x: weighed(ops.ormqr(Tensor(PACKED), x, OTHER, True, True)), FACTORS),
    "ormqr by the matrix": (lambda x: weighed(ops.ormqr(Tensor(PACKED), Tensor(FACTORS), x, False)), OTHER.asnumpy().T),
    "lu_solve by the right side": (lambda x: weighed(ops.lu_solve(x, Tensor(MATRIX), PIVOTS)), TALL[:3, :2]),
    "lu_solve by the factors": (lambda x: weighed(ops.lu_solve(Tensor(TALL[:3, :2]), x, PIVOTS)), MATRIX),
    "lu_unpack": (lambda x: weighed(*ops.lu_unpack(x, PIVOTS)[1:]), MATRIX),
    "scipy lu": (lambda x: weighed(*scipy.linalg.lu(x)[1:]), MATRIX),
    "scipy lu of a tall matrix": (lambda x: weighed(*scipy.linalg.lu(x)[1:]), TALL),
    "scipy lu_factor of a wide matrix": (lambda x: weighed(scipy.linalg.lu_factor(x)[0]), TALL.T),
    "scipy lstsq by the matrix": (lambda x: weighed(scipy.linalg.lstsq(x, OTHER)[0]), TALL),
    "scipy lstsq by the sides": (
        lambda x: weighed(scipy.linalg.lstsq(Tensor(TALL), x, driver="gels")[1]),
        OTHER.asnumpy(),
    ),
    "zeta by its order": (lambda x: weighed(ops.zeta(x, Tensor([0.7, 2.0, 9.0]))), np.array([1.5, 2.0, 6.0])),
    "zeta by its start": (lambda x: weighed(ops.zeta(Tensor([1.5, 2.0, 6.0]), x)), np.array([0.7, 2.0, 9.0])),
    "betainc by a": (lambda x: weighed(ops.betainc(x, x * 0.0 + 2.0, x * 0.0 + 0.3)), np.array([0.5, 1.0, 7.0, 30.0])),
    "betainc by b": (lambda x: weighed(ops.betainc(x * 0.0 + 2.0, x, x * 0.0 + 0.3)), np.array([0.5, 1.0, 7.0, 30.0])),
    "betainc of a large x": (lambda x: weighed(ops.betainc(x, x * 3.0, x * 0.0 + 0.97)), np.array([0.5, 2.0])),
    "unique": (lambda x: (ops.unique(x)[0] * Tensor(WEIGHTS)).sum(), np.array([3.0, 1.0, 2.0])),
}


@pytest.mark.parametrize("name", CASES)
def test_first_derivatives(name: str) -> None:
    function, at = CASES[name]
    expected = difference(function, at)
    assert np.abs(expected).max() > 1e-3
    for gradient in (ms.grad(function), ms.jit(ms.grad(function))):
        np.testing.assert_allclose(gradient(Tensor(at)).asnumpy(), expected, rtol=2e-5, atol=1e-6)
    with ms.disable_jit():
        np.testing.assert_allclose(ms.grad(function)(Tensor(at)).asnumpy(), expected, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("x", [0.2, 2.0, 9.0])
@pytest.mark.parametrize("function", [ops.igamma, ops.igammac])
def test_second_derivatives_of_the_incomplete_gamma_functions(function: Callable[..., Tensor], x: float) -> None:
    orders, places = np.array([0.5, 1.0, 2.5, 6.0]), np.full(4, x)

    def by_order(a: Tensor) -> Tensor:
        return ms.grad(lambda a: function(a, Tensor(places)).sum())(a)

    expected = (by_order(Tensor(orders + 1e-5)) - by_order(Tensor(orders - 1e-5))).asnumpy() / 2e-5
    found = ms.grad(lambda a: by_order(a).sum())(Tensor(orders))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-8)
    mixed = ms.grad(lambda y: ms.grad(lambda a: function(a, y).sum())(Tensor(orders)).sum())(Tensor(places))
    other = ms.grad(lambda a: ms.grad(lambda y: function(a, y).sum())(Tensor(places)).sum())(Tensor(orders))
    np.testing.assert_allclose(mixed.asnumpy(), other.asnumpy(), rtol=1e-9)


def test_known_numbers() -> None:
    """ζ'(2) and ∂ζ(2, q)/∂q at q = 1, which is -2 ζ(3); I_x(a, 1) is x^a."""
    two, one = Tensor([2.0], F64), Tensor([1.0], F64)
    by_order, by_start = ms.grad(lambda x, q: ops.zeta(x, q).sum(), (0, 1))(two, one)
    assert float(by_order) == pytest.approx(-0.9375482543158437, rel=1e-12)
    assert float(by_start) == pytest.approx(-2 * 1.2020569031595942, rel=1e-12)
    a, x = Tensor([0.5, 3.0], F64), Tensor([0.2, 0.9], F64)
    by_a = ms.grad(lambda a: ops.betainc(a, ops.ones_like(a), x).sum())(a)
    np.testing.assert_allclose(by_a.asnumpy(), x.asnumpy() ** a.asnumpy() * np.log(x.asnumpy()), rtol=1e-12)


def second(function: Callable[[Tensor], Any]) -> Callable[[Tensor], Any]:
    """The gradient of the gradient."""
    return ms.grad(lambda x: ms.grad(function)(x).sum())


ERRORS: dict[str, tuple[Callable[[Tensor], Any], str]] = {
    "zeta": (second(lambda x: ops.zeta(x + 2.0, x).sum()), "zeta: the second derivative by the first operand"),
    "betainc": (second(lambda x: ops.betainc(x, x, x * 0.1).sum()), "betainc: second derivatives by a and b"),
    "igamma": (ms.grad(lambda y: second(lambda x: ops.igamma(x, x).sum())(y).sum()), "igamma: the third derivative"),
    "MatrixLogarithm": (
        ms.grad(lambda x: ops.abs(ops.MatrixLogarithm()(ops.Complex()(x, x))).sum()), "ops.MatrixLogarithm has no"
    ),
    "Lstsq": (ms.grad(lambda x: ops.Lstsq()(x, Tensor(MATRIX)).sum()), "ops.Lstsq has no derivative"),
    "MatrixSolveLs": (
        ms.grad(lambda x: ops.MatrixSolveLs()(x, Tensor(MATRIX), Tensor(0.0)).sum()), "ops.MatrixSolveLs has no der",
    ),
    "SelfAdjointEig": (ms.grad(lambda x: ops.SelfAdjointEig()(x)[0].sum()), "ops.SelfAdjointEig has no derivative"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.filterwarnings("ignore")  # that they run eagerly
def test_what_has_no_derivative_is_an_error(name: str) -> None:
    function, message = ERRORS[name]
    with pytest.raises(ValueError, match=message):
        function(Tensor(MATRIX))


def test_what_is_not_asked_for_is_no_error() -> None:
    """Derivatives by other inputs, values beside gradients, inputs that are constants."""
    x = Tensor([0.3, 0.6], F64)

    def slope(x: Tensor) -> Tensor:
        return ms.grad(lambda x: ops.betainc(Tensor(2.0, F64), Tensor(1.0, F64), x).sum())(x)

    curvature = ms.grad(lambda x: slope(x).sum())
    np.testing.assert_allclose(curvature(x).asnumpy(), 2.0, rtol=1e-12)  # of x²
    with ms.disable_jit():
        np.testing.assert_allclose(curvature(x).asnumpy(), 2.0, rtol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution = ms.grad(lambda x: (ops.Lstsq()(Tensor(MATRIX), Tensor(MATRIX)) * x).sum())(Tensor(MATRIX))
    np.testing.assert_allclose(solution.asnumpy(), np.eye(3), atol=1e-12)

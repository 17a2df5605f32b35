"""`scipy.optimize`: minima, steps and assignments, against what is known of them and what MindSpore gives."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.scipy import optimize


def himmelblau(p: Any) -> Any:
    x, y = p
    return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2


def rosenbrock(x: Any) -> Any:
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@pytest.mark.parametrize("method", ["BFGS", "LBFGS", "bfgs"])
def test_minima(method: str) -> None:
    found = optimize.minimize(himmelblau, Tensor(np.zeros(2, np.float32)), method=method, options={"gtol": 1e-6})
    np.testing.assert_allclose(found.x, [3.0, 2.0], rtol=1e-5)  # MindSpore's, of its documentation
    assert found.x.dtype == ms.float32
    assert (found.success, found.status, type(found.fun)) == (True, 0, float)
    for size, dtype in ((2, "f4"), (10, "f4"), (2, "f8"), (10, "f8"), (50, "f8")):
        gtol = 1e-5 if (size, dtype) != (10, "f4") else 1e-4  # rounding alone makes gradients of 1e-5
        found = optimize.minimize(rosenbrock, Tensor(np.full(size, -1.2, dtype)), method=method, options={"gtol": gtol})
        assert found.success
        assert found.nit < found.nfev == found.njev < 400
        assert np.abs(found.jac.asnumpy()).max() < gtol
        assert (found.hess_inv is None) == (method == "LBFGS")


@pytest.mark.parametrize("method", ["BFGS", "LBFGS"])
def test_equations_as_a_minimum(method: str) -> None:
    rng = np.random.default_rng(1)
    a = rng.normal(size=(20, 20))
    a, b = a @ a.T + np.eye(20), rng.normal(size=20)
    calls = []

    def gradient(x: Tensor, a: Tensor) -> Tensor:
        calls.append(1)
        return Tensor(a.asnumpy() @ x.asnumpy() - b)

    right = Tensor(b)

    def half(x: Tensor, a: Tensor) -> Tensor:
        return (x * (a @ x)).sum() / 2 - (right * x).sum()

    for jac in (None, gradient):
        found = optimize.minimize(half, Tensor(np.zeros(20)), (Tensor(a),), method, jac=jac)
        np.testing.assert_allclose(found.x, np.linalg.solve(a, b), atol=1e-4)
        if found.hess_inv is not None:
            np.testing.assert_allclose(found.hess_inv, np.linalg.inv(a), atol=0.1)
    assert len(calls) == found.njev


def test_a_minimum_that_is_not_reached() -> None:
    start = Tensor([-1.2, 1.0], ms.float64)
    found = optimize.minimize(rosenbrock, start, method="BFGS", options={"maxiter": 2})
    assert (found.success, found.status, found.nit) == (False, 1, 2)
    found = optimize.minimize(lambda x: -x.sum(), start, method="BFGS", options={"line_search_maxiter": 4})
    assert (found.success, found.status, found.nfev) == (False, 2, 5)
    np.testing.assert_allclose(found.x, start.asnumpy() + 8.0)


def test_a_step() -> None:
    found = optimize.line_search(lambda x: x[0] ** 2 - x[1] ** 3, Tensor([1.0, 1.0]), Tensor([-1.0, -1.0]))
    assert (found.failed, found.a_k, found.status) == (False, 1.0, 0)
    rng = np.random.default_rng(2)
    for _ in range(20):
        x = Tensor(rng.normal(size=3))
        value, slope = ms.value_and_grad(rosenbrock)(x)
        way = -slope * float(rng.uniform(0.001, 30))
        found = optimize.line_search(rosenbrock, x, way)
        start = float((slope * way).sum())
        assert not found.failed
        assert found.nfev == found.nit + 1
        assert found.f_k <= float(value) + 1e-4 * found.a_k * start  # the strong Wolfe conditions
        assert abs(float((found.g_k * way).sum())) <= 0.9 * abs(start)
    found = optimize.line_search(lambda x: -x.sum(), Tensor([1.0]), Tensor([1.0]), maxiter=3)
    assert found.failed
    assert found.nit == 3


def test_assignments() -> None:
    rng = np.random.default_rng(3)
    for rows, columns in ((3, 3), (4, 6), (6, 4), (5, 5), (1, 4)):
        few = min(rows, columns)
        for maximize in (False, True):
            costs = rng.integers(0, 10, (rows, columns)).astype(float)
            chosen, partners = (x.asnumpy() for x in optimize.linear_sum_assignment(Tensor(costs), maximize))
            assert list(chosen) == sorted(set(chosen))
            assert len(set(partners)) == len(partners) == few
            sums = [
                costs[list(some), list(others)].sum()
                for some in itertools.permutations(range(rows), few)
                for others in itertools.combinations(range(columns), few)
            ]
            assert costs[chosen, partners].sum() == (max if maximize else min)(sums)


def test_columns_that_do_not_count() -> None:
    costs = Tensor([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]])
    rows, columns = optimize.linear_sum_assignment(costs, False, Tensor(2))
    assert (rows.tolist(), columns.tolist(), rows.dtype) == ([0, 1, -1], [1, 0, -1], ms.int64)  # MindSpore's
    rows, columns = optimize.linear_sum_assignment(costs, True, Tensor(3))
    assert (rows.tolist(), columns.tolist()) == ([0, 1, 2], [0, 2, 1])


@pytest.mark.parametrize(
    ("arguments", "kind", "match"),
    [
        (([1.0], False), TypeError, "'cost_matrix' should be a Tensor"),
        ((Tensor([1.0]), False), ValueError, "should be a matrix, but got shape"),
        ((Tensor([[1.0]]), 1), TypeError, "'maximize' as a bool"),
        ((Tensor([[1.0]]), False, 1), TypeError, "'dimension_limit' should be a Tensor"),
        ((Tensor([[np.inf]]), False), ValueError, "allow no assignment"),
        ((Tensor([[np.nan]]), False), ValueError, "allow no assignment"),
    ],
)
def test_no_assignments(arguments: Any, kind: type[Exception], match: str) -> None:
    with pytest.raises(kind, match=match):
        optimize.linear_sum_assignment(*arguments)


@pytest.mark.parametrize(
    ("changes", "kind", "match"),
    [
        ({"method": None}, ValueError, "must specify a solver"),
        ({"method": "newton"}, ValueError, "'newton' is not recognized"),
        ({"args": 3}, TypeError, "'args' as a tuple"),
        ({"x0": [1.0]}, TypeError, "'x0' should be a Tensor"),
        ({"x0": Tensor([1, 2])}, TypeError, "vector of floating-point numbers"),
        ({"x0": Tensor([[1.0]])}, TypeError, "vector of floating-point numbers"),
        ({"options": {"foo": 1}}, TypeError, "foo"),
    ],
)
def test_no_minima(changes: dict[str, Any], kind: type[Exception], match: str) -> None:
    with pytest.raises(kind, match=match):
        optimize.minimize(**{"func": rosenbrock, "x0": Tensor([1.0, 2.0]), "method": "BFGS", **changes})


def test_no_gradient_flows_through_a_minimum() -> None:
    def shift(c: Tensor) -> Tensor:
        return optimize.minimize(lambda x, c: ((x - c) ** 2).sum(), Tensor([0.0]), (c,), "BFGS").x.sum()

    with pytest.warns(ms.FallbackWarning), pytest.raises((NotImplementedError, ValueError)):
        ms.grad(shift)(Tensor([2.0]))


def test_mindspore_finds_it() -> None:
    ms.install_as_mindspore()
    module = importlib.import_module("mindspore.scipy.optimize")
    assert module.minimize is optimize.minimize

"""MindSpore's `scipy.optimize`: quasi-Newton minimization, line search, and the assignment problem."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ...frontend.transforms.grad import value_and_grad
from ...frontend.values.arguments import need_type
from ...frontend.values.operands import computed_outside, need_tensor
from ...frontend.values.tensor import Tensor

__all__ = ["line_search", "linear_sum_assignment", "minimize"]

_At = Callable[[np.ndarray], tuple[float, np.ndarray]]


class OptimizeResults(NamedTuple):
    """What `minimize` gives: the point, and how it was found."""

    x: Tensor
    success: bool
    status: int
    fun: float
    jac: Tensor
    hess_inv: Tensor | None
    nfev: int
    njev: int
    nit: int


class LineSearchResults(NamedTuple):
    """What `line_search` gives: the length of the step, and the value and gradient there."""

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: float
    g_k: Tensor
    status: int


def _function(func: Any, jac: Any, args: tuple[Any, ...], like: Tensor) -> _At:
    """What gives value and gradient at a point: `func` computes in the dtype of `like`, the search in double."""
    both = value_and_grad(func) if jac is None else lambda *given: (func(*given), jac(*given))

    def at(point: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = both(Tensor(point, like.dtype), *args)
        return float(value), gradient.asnumpy().astype(float)

    return at


def _step(
    at: _At, x: np.ndarray, way: np.ndarray, value: float, gradient: np.ndarray, most: int, dtype: Any,
    c1: float = 1e-4, c2: float = 0.9,
) -> tuple[bool, int, float, float, np.ndarray]:  # fmt: skip
    """A step that meets the strong Wolfe conditions: whether there is one, calls, length, value and gradient.

    Bracketing: at `low` the value is small enough and still falls steeply; at `high` it is too large, or rises steeply.
    The next length is where a parabola through both has its minimum, not too near to an end. Values have the
    rounding errors of `dtype`.
    """
    slope = falls = float(gradient @ way)
    noise = float(np.finfo(dtype).eps) * abs(value)
    low, high, length, best = 0.0, math.inf, 1.0, (value, gradient)
    for calls in range(1, most + 1):
        new, there = at(x + length * way)
        now, span, share = float(there @ way), length - low, 0.5
        if not new <= value + c1 * length * slope + noise:
            high, share = length, -falls * span / (2 * (new - best[0] - falls * span) or 1)
        elif abs(now) <= c2 * abs(slope):
            return True, calls, length, new, there
        elif now < 0:
            low, falls, best = length, now, (new, there)
        else:
            high, share = length, falls / (falls - now)
        length = 2 * low if high == math.inf else low + (high - low) * min(max(0.1, share), 0.9)
    return False, most, low, *best


def line_search(
    f: Callable[..., Any], xk: Tensor, pk: Tensor, jac: Any = None, gfk: Any = None, old_fval: Any = None,
    old_old_fval: Any = None, c1: float = 1e-4, c2: float = 0.9, maxiter: int = 20,
) -> LineSearchResults:  # fmt: skip
    """How far to go from a point in a direction: a step that meets the strong Wolfe conditions.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import optimize
        >>> found = optimize.line_search(lambda x: x[0] ** 2 - x[1] ** 3, Tensor([1.0, 1.0]), Tensor([-1.0, -1.0]))
        >>> print(found.a_k)
        1.0
    """
    x, way = (need_tensor(item, "line_search").asnumpy().astype(float) for item in (xk, pk))
    at = _function(f, jac, (), xk)
    value, gradient = at(x)
    found, calls, length, value, gradient = _step(at, x, way, value, gradient, maxiter, xk.dtype.np, c1, c2)
    slope = Tensor(gradient, xk.dtype)
    return LineSearchResults(not found, calls, calls + 1, calls + 1, calls + 1, length, value, slope, int(not found))


def _inverse_times(history: Iterable[tuple[np.ndarray, np.ndarray, float]], right: np.ndarray, scale: float) -> Any:
    """The approximate inverse of the Hessian, from steps and changes of the gradient, times a vector or matrix."""
    pairs, factors = [*history], []
    for step, change, weight in reversed(pairs):
        factors.append(weight * (step @ right))
        right = right - np.multiply.outer(change, factors[-1])
    right = right * scale
    for (step, change, weight), factor in zip(pairs, reversed(factors), strict=True):
        right = right + np.multiply.outer(step, factor - weight * (change @ right))
    return right


def minimize(
    func: Callable[..., Any], x0: Tensor, args: tuple[Any, ...] = (), method: str | None = None, jac: Any = None,
    hess: Any = None, hessp: Any = None, bounds: Any = None, constraints: Any = (), tol: float | None = None,
    callback: Any = None, options: dict[str, Any] | None = None,
) -> OptimizeResults:  # fmt: skip
    """The minimum of a function of a vector, by a quasi-Newton method: "BFGS", or "LBFGS" with less memory.

    `jac` gives the gradient; None: it is derived. `options` are `maxiter`, `norm` and `gtol` (the run ends when this
    norm of the gradient is below; `tol` is another name), `line_search_maxiter` and, of LBFGS, `history_size`.
    Further arguments are SciPy's, without effect.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import optimize
        >>> print(optimize.minimize(lambda x: ((x - 3) ** 2).sum(), Tensor([0.0, 1.0]), method="BFGS").x)
        [3. 3.]
    """
    if method is None:
        raise ValueError("minimize: you must specify a solver: method='BFGS' or 'LBFGS'")
    if method.lower() not in ("bfgs", "lbfgs"):
        raise ValueError(f"minimize: method {method!r} is not recognized: write 'BFGS' or 'LBFGS'")
    need_type(args, tuple, "minimize takes 'args' as a tuple")
    start = need_tensor(x0, "minimize", "x0")
    if start.ndim != 1 or not start.dtype.is_float:
        raise TypeError(f"minimize: 'x0' should be a vector of floating-point numbers, but got {start!r}")
    limited = method.lower() == "lbfgs"
    at = _function(func, jac, args, start)
    settings = {"gtol": tol or 1e-5, **(options or {})}
    x, *found = _minimum(at, start.asnumpy(), limited, **settings)
    success, status, value, gradient, inverse, calls, rounds = found
    tensors = [None if item is None else Tensor(item, start.dtype) for item in (x, gradient, inverse)]
    x, gradient, inverse = computed_outside(tuple(tensors), (x0, *args), "minimize")
    return OptimizeResults(x, success, status, value, gradient, inverse, calls, calls, rounds)


def _minimum(
    at: _At, x: np.ndarray, limited: bool, maxiter: int | None = None, norm: float = math.inf, gtol: float = 1e-5,
    line_search_maxiter: int = 20, history_size: int = 20,
) -> tuple[Any, ...]:  # fmt: skip
    value, gradient = at(x)
    calls, rounds, failed, scale = 1, 0, False, 1.0
    history: deque[Any] = deque(maxlen=history_size if limited else None)
    most = x.size * 200 if maxiter is None else maxiter
    while not failed and rounds < most and not np.linalg.norm(gradient, norm) < gtol:
        way = -_inverse_times(history, gradient, scale)
        found, more, length, value, there = _step(at, x, way, value, gradient, line_search_maxiter, x.dtype)
        before, x = x, (x + length * way).astype(x.dtype)
        step, change = x.astype(float) - before, there - gradient
        calls, rounds, failed = calls + more, rounds + 1, not found
        gradient = there
        if step @ change > 0:
            history.append((step, change, 1 / (step @ change)))
            scale = step @ change / (change @ change) if limited else 1.0
    success = bool(np.linalg.norm(gradient, norm) < gtol)
    inverse = None if limited else _inverse_times(history, np.eye(x.size), 1.0)
    return x, success, 0 if success else 2 if failed else 1, value, gradient, inverse, calls, rounds


def linear_sum_assignment(
    cost_matrix: Tensor, maximize: bool, dimension_limit: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A column for each row of a matrix of costs, each column at most once, with the least sum (or the largest).

    Of the columns the first `dimension_limit` count, a tensor; -1 stands for what they leave without a partner.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import optimize
        >>> print(*optimize.linear_sum_assignment(Tensor([[4.0, 1.0], [2.0, 3.0]]), False))
        [0 1] [1 0]
    """
    given = need_tensor(cost_matrix, "linear_sum_assignment", "cost_matrix")
    need_type(maximize, bool, "linear_sum_assignment takes 'maximize' as a bool")
    if given.ndim != 2:
        raise ValueError(f"linear_sum_assignment: 'cost_matrix' should be a matrix, but got shape {given.shape}")
    costs = given.asnumpy().astype(float)
    pairs = np.full((2, min(costs.shape)), -1)
    if dimension_limit is not None:
        costs = costs[:, : int(need_tensor(dimension_limit, "linear_sum_assignment", "dimension_limit"))]
    costs = -costs if maximize else costs
    turned = costs.shape[0] > costs.shape[1]
    partners = _assigned(costs.T if turned else costs)
    taken = np.flatnonzero(partners >= 0)
    found = (taken, partners[taken]) if turned else (partners[taken], taken)
    count = taken.size
    pairs[:, :count] = np.stack(found)[:, np.argsort(found[0])]
    return Tensor(pairs[0]), Tensor(pairs[1])


def _assigned(costs: np.ndarray) -> np.ndarray:
    """The Hungarian method with potentials: for each column its row, or -1. There are no more rows than columns."""
    rows, columns = costs.shape
    of_rows, of_columns = np.zeros(rows), np.zeros(columns + 1)
    partner = np.full(columns + 1, -1)  # the last column is where a new row starts
    for row in range(rows):
        least, before, seen = np.full(columns, math.inf), np.full(columns, -1), np.zeros(columns + 1, bool)
        at = -1
        partner[at] = row
        while partner[at] >= 0:  # extend the cheapest path to a column without a partner
            seen[at] = True
            here = partner[at]
            rest = costs[here] - of_rows[here] - of_columns[:-1]
            better = ~seen[:-1] & (rest < least)
            least[better], before[better] = rest[better], at
            at = int(np.argmin(np.where(seen[:-1], math.inf, least)))
            more = least[at]
            if not more < math.inf:
                raise ValueError("linear_sum_assignment: the costs allow no assignment: they are infinite or nan")
            of_rows[partner[seen]] += more
            of_columns[seen] -= more
            least[~seen[:-1]] -= more
        while at >= 0:
            partner[at] = partner[before[at]]
            at = before[at]
    return partner[:-1]

"""Sums, counts and squares of halves: right where they leave the range of halves on the way, derivatives too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, nn, numpy as mnp, ops
from mycel.runtime.dtypes import DType

# More elements than the largest half, and numbers whose squares are larger than it.
COUNT = 66_000
LONG = np.random.default_rng(0).uniform(0.5, 1.5, COUNT)
LARGE = np.random.default_rng(1).uniform(200, 400, (4, 6))
PAIR = np.array([300.0, 400.0])
CLASSES = Tensor(np.arange(COUNT // 2) % 2, ms.int32)
CLASS_WEIGHTS = Tensor([1.0, 3.0])


def rows(x: Tensor) -> Tensor:
    """The long vector as rows of two classes."""
    return x.reshape(-1, 2)


def signs(x: Tensor) -> Tensor:
    """Labels of one for each element or row."""
    return ops.ones(x.shape[0], ms.int32)


CASES: dict[str, tuple[Callable[..., Any], np.ndarray]] = {
    "mean": (ops.mean, LONG),
    "Tensor.mean": (lambda x: x.mean(), LONG),
    "mint.mean": (mint.mean, LONG),
    "numpy.mean": (mnp.mean, LONG),
    "ReduceMean": (lambda x: ops.ReduceMean()(x), LONG),
    "nanmean": (ops.nanmean, LONG),
    "numpy.nanmean": (lambda x: mnp.nanmean(x, dtype=x.dtype), LONG),
    "numpy.average": (lambda x: mnp.average(x, weights=x), LONG),
    "var": (ops.var, LONG),
    "var of large numbers": (ops.var, LARGE),
    "std": (ops.std, LONG),
    "std_mean": (ops.std_mean, LONG),
    "Tensor.var": (lambda x: x.var(), LONG),
    "mint.var": (mint.var, LONG),
    "mint.std": (mint.std, LONG),
    "numpy.std": (mnp.std, LONG),
    "numpy.nanvar": (lambda x: mnp.nanvar(x, dtype=x.dtype), LONG),
    "cov": (ops.cov, LONG),
    "norm": (ops.norm, PAIR),
    "norm of many": (ops.norm, LONG),
    "norm of order 3": (lambda x: ops.norm(x, 3), PAIR),
    "norm of rows": (lambda x: ops.norm(x, 2, 1), LARGE),
    "matrix_norm": (ops.matrix_norm, LARGE),
    "mint.norm": (mint.norm, PAIR),
    "LpNorm": (lambda x: ops.LpNorm(0, 2)(x), PAIR),
    "dist": (lambda x: ops.dist(x, ops.zeros_like(x)), PAIR),
    "cdist": (lambda x: ops.cdist(x, x * 0.5), LARGE),
    "pdist": (lambda x: ops.pdist(x * 3.0), LARGE),
    "hypot": (lambda x: ops.hypot(x, x + 1.0), PAIR),
    "renorm": (lambda x: ops.renorm(x, 2, 0, 500.0), LARGE),
    "normalize": (ops.normalize, LARGE),
    "L2Normalize": (lambda x: ops.L2Normalize()(x), LARGE),
    "cosine_similarity": (lambda x: ops.cosine_similarity(x, ops.flip(x, (1,))), LARGE),
    "lrn": (lambda x: ops.lrn(x.reshape(1, 4, 3, 2)), LARGE),
    "lp_pool1d": (lambda x: ops.lp_pool1d(x.reshape(1, 1, -1), 2.0, 2), PAIR),
    "avg_pool1d": (lambda x: ops.avg_pool1d(x.reshape(1, 1, -1), COUNT), LONG),
    "adaptive_avg_pool1d": (lambda x: ops.adaptive_avg_pool1d(x.reshape(1, 1, -1), 1), LONG),
    "quantile": (lambda x: ops.quantile(ops.stop_gradient(x), 0.37), LONG),  # whose derivative chooses among equals
    "logsumexp": (lambda x: ops.logsumexp(x * 6.0, 0), LONG),
    "log_softmax": (lambda x: ops.log_softmax(x, 0)[:3], LONG),
    "amax of equal ones": (lambda x: ops.amax(x - x), LONG),
    "prod": (ops.prod, np.array([300.0, 300.0, 0.001, 0.5])),
    "mse_loss": (lambda x: ops.mse_loss(x, x * 0.5), LONG),
    "mse_loss of large numbers": (lambda x: ops.mse_loss(x, x - 16.0), LARGE),
    "huber_loss": (lambda x: ops.huber_loss(x, x * 0.5), LONG),
    "kl_div of a batch": (lambda x: ops.kl_div(x, x * 0.5, "batchmean"), LONG),
    "gaussian_nll_loss": (lambda x: ops.gaussian_nll_loss(x, x * 0.5, x), LONG),
    "cross_entropy": (lambda x: ops.cross_entropy(rows(x), CLASSES, CLASS_WEIGHTS * 8.0), LONG),
    "nll_loss": (lambda x: ops.nll_loss(rows(x), CLASSES, CLASS_WEIGHTS * 8.0), LONG),
    "margin_ranking_loss": (lambda x: ops.margin_ranking_loss(x, x * 0.5, -signs(x)), LONG),
    "triplet_margin_loss": (lambda x: ops.triplet_margin_loss(x, x * 0.9, x * 0.8, 200.0), LARGE),
    "multi_margin_loss": (lambda x: ops.multi_margin_loss(rows(x), CLASSES.astype(ms.int64)), LONG),
    "soft_margin_loss": (lambda x: ops.soft_margin_loss(x, signs(x).astype(x.dtype)), LONG),
    "nn.RMSELoss": (lambda x: nn.RMSELoss()(x, x * 0.5), PAIR),
    "nn.CosineEmbeddingLoss": (lambda x: nn.CosineEmbeddingLoss()(x, ops.flip(x, (1,)), signs(x)), LARGE),
    "nn.TripletMarginLoss": (lambda x: nn.TripletMarginLoss(margin=200.0)(x, x * 0.9, x * 0.8), LARGE),
    "nn.PoissonNLLLoss": (lambda x: nn.PoissonNLLLoss()(x, x * 0.5), LONG),
    "nn.FocalLoss": (lambda x: nn.FocalLoss()(rows(x), CLASSES.reshape(-1, 1)), LONG),
    "nn.DiceLoss": (lambda x: nn.DiceLoss()(x * 0.5, x * 0.25), LONG),
    "matmul": (lambda x: ops.matmul(x, x * 0.125), LONG),
    "einsum": (lambda x: ops.einsum("ij,ij->", rows(x), rows(x) * 0.125), LONG),
    "vecdot": (lambda x: ops.vecdot(x, x * 0.125), LONG),
    "cumsum": (lambda x: ops.cumsum(x * 0.125, 0)[-1], LONG),
}


def first(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function's first result."""

    def run(x: Tensor) -> Any:
        result = function(x)
        return result[0] if isinstance(result, tuple) else result

    return run


def check(function: Callable[..., Any], data: np.ndarray, dtype: DType, digits: float) -> None:
    """Value and gradient in `dtype`, eager and compiled, agree with those of Float64 on the same numbers."""
    x = Tensor(data.astype(np.float32), dtype)
    exact = Tensor(x.astype(ms.float64).asnumpy())
    run = first(function)
    for wanted, each in ((run(exact), run), (ms.grad(run)(exact), ms.grad(run))):
        size = np.abs(wanted.asnumpy()).max(initial=0.0)
        for got in (each(x), ms.jit(each)(x)):
            assert got.dtype is dtype
            got = got.astype(ms.float64).asnumpy()
            np.testing.assert_allclose(got, wanted.asnumpy(), rtol=digits, atol=digits * size + 1e-7)


# Every second one by default, all of them among the slow tests.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (count % 2)) for count, name in enumerate(CASES)]
)
def test_sums_and_counts_of_halves(name: str) -> None:
    check(*CASES[name], ms.float16, 4e-3)


@pytest.mark.parametrize("name", ["mean", "var", "nanmean", "norm", "cdist", "cross_entropy", "matmul", "prod"])
def test_sums_and_counts_of_bfloat16(name: str) -> None:
    pytest.importorskip("ml_dtypes")
    check(*CASES[name], ms.bfloat16, 3e-2)


def test_known_numbers() -> None:
    ones = ops.ones(65_536, ms.float16)
    assert float(ops.mean(ones)) == 1.0
    assert float(ops.var(ones)) == 0.0
    assert float(ops.norm(Tensor(PAIR, ms.float16))) == 500.0


def test_a_wider_operand_decides() -> None:
    x, y = Tensor(PAIR, ms.float16), Tensor(PAIR, ms.float32)
    assert ops.mse_loss(x, y).dtype is ms.float32
    assert ops.cosine_similarity(x, y, 0).dtype is ms.float32
    assert ops.norm(x, dtype=ms.float32).dtype is ms.float32
    assert ops.norm(y, dtype=ms.float16).dtype is ms.float16
    assert float(ops.norm(y, dtype=ms.float16)) == 500.0
    assert ops.nll_loss(x.reshape(1, 2), Tensor([0]), y).dtype is ms.float16


def test_norm_of_a_number() -> None:
    """As MindSpore, the one axis that a number does not have may be named."""
    assert float(ops.norm(Tensor(-3.0), dim=0)) == 3.0
    assert float(ms.jit(lambda x: ops.norm(x, dim=-1))(Tensor(-3.0))) == 3.0
    with pytest.raises(ValueError, match="dim"):
        ops.norm(Tensor(-3.0), dim=1)

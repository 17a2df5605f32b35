"""Rarer random draws and fractional pooling: shapes, dtypes, bounds, repeatability; and updates in place."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, ops


def test_draws_for_each_parameter():
    rates = Tensor([1.0, 20.0])
    for primitive, dtype in ((ops.Poisson(), ms.int32), (ops.RandomPoisson(), ms.int64)):
        drawn = primitive((3000,), rates)
        assert (drawn.shape, drawn.dtype) == ((3000, 2), dtype)
        assert np.allclose(drawn.asnumpy().mean(0), [1.0, 20.0], rtol=0.1)
    drawn = ops.Gamma()(Tensor([3000], ms.int32), rates, Tensor([2.0, 2.0]))
    assert np.allclose(drawn.asnumpy().mean(0), [0.5, 10.0], rtol=0.15)
    assert ops.RandomGamma()((4,), Tensor([1.0], ms.float64)).dtype == ms.float64


def test_a_seed_makes_draws_repeat():
    for kind in (ops.Gamma, ops.RandomGamma, ops.Poisson, ops.TruncatedNormal):
        arguments = {"Gamma": (Tensor([1.0]), Tensor([1.0])), "TruncatedNormal": ()}.get(
            kind.__name__, (Tensor([3.0]),)
        )
        first, again = (kind(seed=3)((5,), *arguments).asnumpy() for _ in range(2))
        assert np.array_equal(first, again)


def test_normal_numbers_within_bounds():
    drawn = ops.TruncatedNormal(ms.float64)((4000,))
    assert drawn.dtype == ms.float64
    assert np.abs(drawn.asnumpy()).max() <= 2
    assert abs(drawn.asnumpy().std() - 0.88) < 0.05
    bounds = [Tensor(values) for values in ([0.0, 5.0], [1.0, 1.0], [-1.0, 4.0], [1.0, 6.0])]
    drawn = ops.ParameterizedTruncatedNormal()((2, 500), *bounds).asnumpy()
    assert (drawn >= [[-1.0], [4.0]]).all()
    assert (drawn <= [[1.0], [6.0]]).all()
    logs = np.log(ops.LogNormalReverse(1.0, 2.0)(Tensor(np.zeros(4000, np.float32))).asnumpy())
    assert (abs(logs.mean() - 1) < 0.2, abs(logs.std() - 2) < 0.2) == (True, True)
    assert len(set(ops.NonDeterministicInts()((50,)).asnumpy())) == 50


def test_sampled_classes():
    true = Tensor([[1], [3]], ms.int64)
    sampled, often_true, often_sampled = ops.uniform_candidate_sampler(true, 1, 3, True, 9, 1)
    assert len(set(sampled.asnumpy())) == 3
    assert (often_true.shape, often_sampled.shape) == ((2, 1), (3,))
    even = ops.uniform_candidate_sampler(true, 1, 3, False, 4, 1)[1]
    assert np.allclose(even.asnumpy(), 0.75)
    without = ops.uniform_candidate_sampler(true, 1, 7, True, 9, 1, remove_accidental_hits=True)[0].asnumpy()
    assert sorted(without) == [0, 2, 4, 5, 6, 7, 8]
    low = ops.log_uniform_candidate_sampler(true, 1, 400, False, 1000)[0].asnumpy()
    assert (low < 40).mean() > 0.4
    with pytest.raises(ValueError, match="there are no 5 different classes below 4"):
        ops.uniform_candidate_sampler(true, 1, 5, True, 4)
    assert ops.MultinomialWithReplacement(4, True)(Tensor([[0.0, 1.0]]), 1, 2).asnumpy().tolist() == [[1] * 4]


def test_fractional_pooling():
    x = Tensor(np.arange(50, dtype=np.float32).reshape(2, 5, 5))
    pooled, places = ops.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.5), return_indices=True)
    assert pooled.shape == places.shape == (2, 2, 2)
    assert np.array_equal(pooled.asnumpy()[0], places.asnumpy()[0])  # the numbers of the first image are its places
    volume = ops.fractional_max_pool3d(ops.ones((1, 1, 4, 4, 4)), 2, output_size=(2, 2, 2))
    assert volume.shape == (1, 1, 2, 2, 2)
    with pytest.raises(ValueError, match="give one of"):
        ops.fractional_max_pool2d(x, 2)


@pytest.mark.parametrize("run", [lambda function: function, ms.jit])
def test_updates_in_place(run):
    def put(x):
        x = x * 1
        x.put_(Tensor([[0, 3]]), Tensor([9.0, 8.0]))
        x.put_(Tensor([1, 1]), Tensor([1.0, 1.0]), accumulate=True)
        return x

    assert run(put)(Tensor([[1.0, 2.0], [3.0, 4.0]])).asnumpy().tolist() == [[9.0, 4.0], [3.0, 8.0]]

    def copied(x):
        x = x * 1
        return x.index_copy_(1, Tensor([1]), Tensor([[7.0], [6.0]]))

    assert run(copied)(Tensor([[1.0, 2.0], [3.0, 4.0]])).asnumpy().tolist() == [[1.0, 7.0], [3.0, 6.0]]
    functional = mint.nn.functional
    for name, given, expected in (
        ("relu_", (), [0.0, 2.0]), ("hardtanh_", (), [-1.0, 1.0]), ("threshold_", (0.5, 9.0), [9.0, 2.0]),
    ):  # fmt: skip
        x = Tensor([-1.0, 2.0])
        result = getattr(functional, name)(x, *given)
        assert result.asnumpy().tolist() == x.asnumpy().tolist() == expected
    x = Tensor([-1.0, 2.0])
    assert np.allclose(functional.elu_(x).asnumpy(), [np.expm1(-1), 2.0])
    assert np.allclose(functional.sigmoid_(Tensor([0.0])).asnumpy(), 0.5)
    assert np.isfinite(Tensor([0.0, 0.0]).cauchy(0.0, 1.0).asnumpy()).all()


def test_names_of_mint():
    assert mint.randint_like(Tensor([1.0, 2.0]), 3, 4).asnumpy().tolist() == [3.0, 3.0]
    solved, matrix = mint.triangular_solve(Tensor([[1.0], [2.0]]), Tensor([[2.0, 1.0], [7.0, 4.0]]))
    assert solved.asnumpy().ravel().tolist() == [0.25, 0.5]
    assert matrix.shape == (2, 2)
    image = ops.ones((1, 1, 2, 2))
    assert mint.nn.UpsamplingBilinear2d(scale_factor=2)(image).shape == (1, 1, 4, 4)
    assert mint.nn.UpsamplingNearest2d(size=(3, 3))(image).shape == (1, 1, 3, 3)
    assert mint.nn.SyncBatchNorm(1, process_group=None)(image).shape == (1, 1, 2, 2)
    assert mint.nn.SoftMarginLoss("sum")(Tensor([0.0]), Tensor([1.0])).asnumpy() == pytest.approx(np.log(2))

"""Distributions: densities, sums and moments belong together, samples follow them; bijectors; errors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.nn.probability import bijector as msb, distribution as msd

LINE = np.linspace(-40.0, 60.0, 400_001)
UNIT = np.linspace(1e-6, 1.0 - 1e-6, 200_001)
RIGHT = np.linspace(1e-6, 80.0, 400_001)
WHOLE = np.arange(80.0)
# Name, parameters, parameters of another one, where it lives.
CASES = [
    ("Normal", (0.3, 1.2), (0.1, 2.0), LINE),
    ("LogNormal", (0.3, 0.5), (0.1, 0.6), RIGHT),
    ("Uniform", (0.5, 1.5), (-1.0, 2.0), LINE),
    ("Exponential", (1.5,), (0.7,), RIGHT),
    ("Gumbel", (0.3, 1.2), (0.1, 2.0), LINE),
    ("Logistic", (0.3, 1.2), None, LINE),
    ("Cauchy", (0.3, 1.2), (0.1, 2.0), LINE),
    ("Gamma", (2.0, 1.5), (1.2, 0.8), RIGHT),
    ("Beta", (2.0, 3.0), (1.5, 1.2), UNIT),
    ("HalfNormal", (0.0, 1.0), None, RIGHT),
    ("Laplace", (0.1, 1.0), None, LINE),
    ("StudentT", (5.0, 0.1, 1.0), None, LINE),
    ("Bernoulli", (0.3,), (0.6,), np.arange(2.0)),
    ("Geometric", (0.4,), (0.6,), WHOLE),
    ("Poisson", (2.5,), None, WHOLE),
]


# What a distribution does not have; everything else is looked at.
MISSING = {
    "Cauchy": ("mean",), "Beta": ("cdf",), "Poisson": ("entropy",),
    **dict.fromkeys(("HalfNormal", "Laplace", "StudentT"), ("cdf", "mean", "entropy")),
}  # fmt: skip


def added(values, where):
    """The sum over whole numbers, the integral elsewhere."""
    discrete = where[1] - where[0] == 1.0
    return float(np.nansum(values) if discrete else np.trapezoid(np.nan_to_num(values, neginf=0.0), where))


def quantity(distribution, name, *arguments):
    try:
        return getattr(distribution, name)(*arguments).asnumpy()
    except NotImplementedError:
        return None


@pytest.mark.parametrize(("name", "parameters", "others", "where"), CASES, ids=[case[0] for case in CASES])
def test_quantities_belong_together(name, parameters, others, where):
    distribution = getattr(msd, name)(
        *parameters, dtype=ms.float64 if name not in ("Bernoulli", "Geometric") else ms.int32
    )
    points = Tensor(where)
    density = distribution.prob(points).asnumpy().astype(float)
    logs = distribution.log_prob(points).asnumpy().astype(float)
    heavy = name in ("Cauchy", "StudentT")
    assert abs(added(density, where) - 1) < (0.03 if heavy else 1e-3)
    inside = density > 1e-20
    np.testing.assert_allclose(np.log(density[inside]), logs[inside], rtol=1e-4, atol=1e-4)
    cdf = quantity(distribution, "cdf", points)
    if cdf is not None:
        steps = np.cumsum(density) if where[1] == 1.0 else np.cumsum(density) * (where[1] - where[0])
        tail = 0.02 if heavy else 3e-3
        np.testing.assert_allclose(cdf, steps, atol=tail)
        np.testing.assert_allclose(distribution.survival_function(points).asnumpy(), 1 - cdf, atol=1e-6)
    mean = quantity(distribution, "mean")
    if mean is not None:
        assert np.isclose(mean, added(where * density, where), rtol=2e-3, atol=2e-3)
        assert np.isclose(distribution.var().asnumpy(), added((where - mean) ** 2 * density, where), rtol=5e-3)
        assert np.isclose(distribution.sd().asnumpy() ** 2, distribution.var().asnumpy(), rtol=1e-4)
    entropy = quantity(distribution, "entropy")
    finite = np.where(inside, logs, 0.0)
    weighted = -density * finite
    if entropy is not None:
        assert np.isclose(entropy, added(weighted, where), rtol=0.08 if heavy else 5e-3, atol=1e-3)
    found = {"cdf": cdf, "mean": mean, "entropy": entropy}
    assert tuple(key for key, value in found.items() if value is None) == MISSING.get(name, ())
    if others is not None:
        own = distribution.kl_loss(name, *map(Tensor, others)).asnumpy()
        other = getattr(msd, name)(*others, dtype=distribution.dtype).log_prob(points).asnumpy().astype(float)
        expected = added(density * (finite - np.where(inside, other, 0.0)), where)
        assert np.isclose(own, expected, rtol=5e-3, atol=0.02 if heavy else 1e-3)
        assert np.isclose(distribution.cross_entropy(name, *map(Tensor, others)).asnumpy(), own + entropy, rtol=1e-4)


@pytest.mark.parametrize(("name", "parameters", "others", "where"), CASES, ids=[case[0] for case in CASES])
def test_samples_follow(name, parameters, others, where):
    ms.set_seed(3)
    distribution = getattr(msd, name)(*parameters)
    drawn = distribution.sample((20_000,))
    assert drawn.shape == (20_000,)
    assert drawn.dtype is distribution.dtype
    density = distribution.prob(Tensor(where.astype(np.float32))).asnumpy().astype(float)
    shares = np.cumsum(density) / density.sum()
    values = drawn.asnumpy()
    for point in np.quantile(values, [0.1, 0.5, 0.9]):
        expected = shares[min(int(np.searchsorted(where, point, "right")) - 1, len(where) - 1)]
        assert abs((values <= point).mean() - expected) < 0.03


def test_categorical():
    rows = Tensor([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    distribution = msd.Categorical(rows)
    np.testing.assert_allclose(distribution.prob(Tensor([1, 2], ms.int32)).asnumpy(), [0.3, 0.8], rtol=1e-6)
    np.testing.assert_allclose(distribution.cdf(Tensor([1, 2], ms.int32)).asnumpy(), [0.5, 1.0], rtol=1e-6)
    np.testing.assert_allclose(distribution.mean().asnumpy(), [[1.3], [1.7]], rtol=1e-6)
    np.testing.assert_array_equal(distribution.mode().asnumpy(), [2, 2])
    p = rows.asnumpy()
    np.testing.assert_allclose(distribution.entropy().asnumpy(), -(p * np.log(p)).sum(-1), rtol=1e-5)
    other = Tensor([[0.5, 0.25, 0.25]])
    expected = (p * (np.log(p) - np.log(other.asnumpy()))).sum(-1)
    np.testing.assert_allclose(distribution.kl_loss("Categorical", other).asnumpy(), expected, rtol=1e-5)
    ms.set_seed(1)
    drawn = distribution.sample((30_000,)).asnumpy()
    assert drawn.shape == (30_000, 2)
    assert drawn.dtype == np.int32
    np.testing.assert_allclose([(drawn[:, 0] == k).mean() for k in range(3)], p[0], atol=0.02)


def test_parameters_given_where_it_is_used_in_a_graph():
    class Policy(nn.Cell):
        def __init__(self):
            super().__init__()
            self.normal = msd.Normal()

        def construct(self, action, mean, sd):
            return self.normal.log_prob(action, mean, sd).sum() + self.normal("entropy", mean, sd=sd).sum()

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        inputs = [Tensor(values) for values in ([0.5, 1.0], [0.0, 0.5], [1.0, 2.0])]
        slopes = ms.grad(Policy(), (0, 1, 2))(*inputs)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    x, mean, sd = (item.asnumpy() for item in inputs)
    z = (x - mean) / sd
    for ours, expected in zip(slopes, (-z / sd, z / sd, z**2 / sd), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), expected, rtol=1e-5)


def test_seeds():
    drawn = [msd.Normal(0.0, 1.0, seed=seed).sample((5,)).asnumpy().tolist() for seed in (None, None)]
    assert drawn[0] != drawn[1]
    values = []
    for _ in range(2):
        ms.set_seed(1)
        values.append(msd.Normal(0.0, 1.0, seed=4).sample((5,)).asnumpy().tolist())
    assert values[0] == values[1]


BIJECTORS = [
    msb.Exp(), msb.PowerTransform(0.5), msb.PowerTransform(0.0), msb.ScalarAffine(2.0, 1.0), msb.Softplus(1.5),
    msb.GumbelCDF(0.2, 1.1), msb.Invert(msb.Softplus()),
]  # fmt: skip


@pytest.mark.parametrize("bijector", BIJECTORS, ids=lambda each: each.name)
def test_bijectors(bijector):
    x = Tensor(np.array([0.2, 0.5, 1.1]))
    y = bijector.forward(x)
    np.testing.assert_allclose(bijector.inverse(y).asnumpy(), x.asnumpy(), rtol=1e-5)
    slope = ms.grad(lambda x: bijector.forward(x).sum())(x)
    log = bijector.forward_log_jacobian(x) + ops.zeros_like(x)
    np.testing.assert_allclose(log.asnumpy(), np.log(slope.asnumpy()), rtol=1e-5, atol=1e-6)
    back = bijector.inverse_log_jacobian(y) + ops.zeros_like(x)
    np.testing.assert_allclose(back.asnumpy(), -log.asnumpy(), rtol=1e-5, atol=1e-6)


def test_transformed():
    x = Tensor(np.array([0.2, 0.5, 1.1]), ms.float32)
    ours = msd.TransformedDistribution(msb.Exp(), msd.Normal(0.3, 0.7))
    theirs = msd.LogNormal(0.3, 0.7)
    for name in ("log_prob", "prob", "cdf", "survival_function"):
        np.testing.assert_allclose(getattr(ours, name)(x).asnumpy(), getattr(theirs, name)(x).asnumpy(), rtol=1e-4)
    assert ours.sample((2, 3)).shape == (2, 3)
    moved = msb.ScalarAffine(2.0, 1.0)(msd.Normal(0.5, 1.0))
    assert moved.mean().asnumpy() == 2.0
    np.testing.assert_allclose(moved.entropy().asnumpy(), msd.Normal(0.0, 2.0).entropy().asnumpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: msd.Normal(0.0, -1.0), ValueError, "'sd' should be positive"),
        (lambda: msd.Normal(0.0, 1.0, dtype=ms.int32), TypeError, "floating-point"),
        (lambda: msd.Normal("a", 1.0), TypeError, "'mean' should be a number or tensor"),
        (lambda: msd.Normal(0.0, 1.0, seed="s"), TypeError, "'seed' should be an int"),
        (lambda: msd.Normal().mean(), TypeError, "neither when it was made nor here"),
        (lambda: msd.Normal(0.0, 1.0).kl_loss("Uniform", 1.0, 2.0), ValueError, "another kind"),
        (lambda: msd.Normal(0.0, 1.0).sample(3), TypeError, "should be a tuple"),
        (lambda: msd.Normal(0.0, 1.0)("moment"), ValueError, "no quantity 'moment'"),
        (lambda: msd.Bernoulli(1.5), ValueError, r"should be in \[0, 1\]"),
        (lambda: msd.Uniform(1.0, 0.0), ValueError, "should be below"),
        (lambda: msd.Categorical([0.5, 0.2]), ValueError, "add up to 1"),
        (lambda: msd.Beta(1.0, 1.0).cdf(1.0), NotImplementedError, "Beta has no 'cdf'"),
        (lambda: msd.TransformedDistribution(msd.Normal(), msd.Normal()), TypeError, "takes a Bijector"),
        (lambda: msb.Exp().forward(1.0), TypeError, "takes tensors"),
        (lambda: msb.PowerTransform(-1.0), ValueError, "should not be negative"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda: msd.Normal(0.0, 1.0), "Normal(mean = 0.0, standard deviation = 1.0)"),
        (lambda: msd.Normal(), "Normal(mean = None, standard deviation = None)"),
        (lambda: msd.Normal(Tensor([0.0, 1.0]), 1.0), "Normal(batch_shape = (2,))"),
        (lambda: msd.Cauchy(0.0, 1.0), "Cauchy(location = 0.0, scale = 1.0)"),
        (lambda: msd.Categorical(Tensor([0.5, 0.5])), "Categorical(probs = [0.5 0.5])"),
        (lambda: msb.ScalarAffine(2.0, 1.0), "ScalarAffine(scale = 2.0, shift = 1.0)"),
        (
            lambda: msd.TransformedDistribution(msb.Exp(), msd.Uniform(0.0, 2.0)),
            "TransformedDistribution(\n  (_bijector): Exp(exp)\n  (_distribution): Uniform(low = 0.0, high = 2.0)\n)",
        ),
    ],
)  # fmt: skip
def test_distributions_print_what_they_were_made_with(made: Callable[[], nn.Cell], text: str) -> None:
    assert repr(made()) == text


def test_the_share_below_a_number_of_events() -> None:
    found = msd.Poisson([3.0]).cdf(Tensor([0.0, 1.0, 2.5, -1.0])).asnumpy()
    np.testing.assert_allclose(found, [0.04978707, 0.19914827, 0.42319008, 0.0], rtol=1e-5)

"""Random functions: MindSpore's shapes and dtypes, distributions, the same draws eager and compiled, errors."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from recordings import tensor

import mycel as ms
from mycel import Tensor, ops

ROWS = tensor([[0.2, 0.8], [1.0, 0.0]])
# What MindSpore gives: shape and dtype.
KINDS = {
    "ops.rand(2,3)": ((2, 3), ms.float32),
    "ops.rand((2,3))": ((2, 3), ms.float32),
    "ops.rand()": ((1,), ms.float32),
    "ops.rand(2,dtype=ms.float16)": ((2,), ms.float16),
    "ops.randn(2,3)": ((2, 3), ms.float32),
    "ops.randn()": ((1,), ms.float32),
    "ops.rand_like(ROWS)": ((2, 2), ms.float32),
    "ops.randn_like(ROWS,dtype=ms.float64)": ((2, 2), ms.float64),
    "ops.randint(0,10,(2,))": ((2,), ms.int64),
    "ops.randint(0,1,(2,3),dtype=ms.int32)": ((2, 3), ms.int32),
    "ops.randint_like(Tensor([1,2]),0,5)": ((2,), ms.int64),
    "ops.randperm(4)": ((4,), ms.int64),
    "ops.randperm(4,dtype=ms.int32)": ((4,), ms.int32),
    "ops.uniform((2,),Tensor(0.),Tensor(1.))": ((2,), ms.float32),
    "ops.uniform((3,2),tensor([0.,1.]),Tensor(2.))": ((3, 2), ms.float32),
    "ops.uniform((2,),Tensor(0),Tensor(10),dtype=ms.int32)": ((2,), ms.int32),
    "ops.normal((2,3),0,1)": ((2, 3), ms.float32),
    "ops.normal((2,),tensor([0.,1.]),1.)": ((2,), ms.float32),
    "ops.standard_normal((2,3))": ((2, 3), ms.float32),
    "ops.standard_laplace((2,))": ((2,), ms.float32),
    "ops.laplace((2,),Tensor(0.),Tensor(1.))": ((2,), ms.float32),
    "ops.gamma((5,),tensor([1.,2.]),tensor([1.]))": ((5, 2), ms.float32),
    "ops.random_gamma((5,),tensor([1.,2.]))": ((5, 2), ms.float32),
    "ops.poisson((5,),tensor([1.,2.]))": ((5, 2), ms.int32),
    "ops.random_poisson((5,),tensor([1.,2.]))": ((5, 2), ms.float32),
    "ops.bernoulli(ROWS,0.5)": ((2, 2), ms.float32),
    "ops.bernoulli(Tensor([1,2]),ROWS[0])": ((2,), ms.int64),
    "ops.multinomial(ROWS[0],3)": ((3,), ms.int32),
    "ops.multinomial(ROWS,3)": ((2, 3), ms.int32),
    "ops.multinomial(ROWS[0],2,False)": ((2,), ms.int32),
    "ops.random_categorical(ROWS,3)": ((2, 3), ms.int64),
    "ops.shuffle(ROWS)": ((2, 2), ms.float32),
    "ops.log_normal(ROWS)": ((2, 2), ms.float32),
    "ROWS.multinomial(2)": ((2, 2), ms.int32),
}


def draw(expression: str) -> Tensor:
    return eval(expression)


@pytest.mark.parametrize("expression", KINDS)
def test_shape_and_dtype_and_the_same_draws_compiled(expression):
    shape, dtype = KINDS[expression]
    ms.set_seed(5)
    eager = [draw(expression) for _ in range(2)]
    assert eager[0].shape == shape
    assert eager[0].dtype is dtype
    ms.set_seed(5)
    compiled = ms.jit(lambda x: (draw(expression), x))
    for drawn in eager:
        result, _ = compiled(Tensor(1.0))
        np.testing.assert_allclose(result.asnumpy(), drawn.asnumpy(), rtol=1e-6)  # what is done to them may round


COUNT = 40_000
MOMENTS = {
    "uniform": (lambda: ops.uniform((COUNT,), Tensor(2.0), Tensor(6.0)), 4.0, 16 / 12),
    "whole": (lambda: ops.uniform((COUNT,), Tensor(0), Tensor(4), dtype=ms.int32), 1.5, 15 / 12),
    "randint": (lambda: ops.randint(-2, 3, (COUNT,)), 0.0, 2.0),
    "normal": (lambda: ops.normal((COUNT,), Tensor(1.0), Tensor(3.0)), 1.0, 9.0),
    "laplace": (lambda: ops.laplace((COUNT,), Tensor(1.0), Tensor(2.0)), 1.0, 8.0),
    "gamma": (lambda: ops.gamma((COUNT,), Tensor(3.0), Tensor(2.0)), 1.5, 0.75),
    "poisson": (lambda: ops.poisson((COUNT,), Tensor(2.5)), 2.5, 2.5),
    "bernoulli": (lambda: ops.bernoulli(ops.zeros(COUNT), 0.3), 0.3, 0.21),
    "probabilities": (lambda: ops.bernoulli(ops.zeros(COUNT), Tensor(0.3)), 0.3, 0.21),
    "multinomial": (lambda: ops.multinomial(tensor([1.0, 3.0]), COUNT), 0.75, 0.1875),
    "categorical": (lambda: ops.random_categorical(tensor([[0.0, np.log(3.0)]]), COUNT), 0.75, 0.1875),
    "log_normal": (lambda: ops.log(ops.log_normal(ops.zeros(COUNT), 1.0, 2.0)), 1.0, 4.0),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_mean_and_variance(name):
    function, mean, variance = MOMENTS[name]
    ms.set_seed(11)
    drawn = function().asnumpy().astype(np.float64)
    assert drawn.mean() == pytest.approx(mean, abs=5 * np.sqrt(variance / COUNT))
    assert drawn.var() == pytest.approx(variance, rel=0.1)


def test_order_of_a_permutation():
    ms.set_seed(3)
    order = ops.randperm(50).asnumpy()
    assert sorted(order) == list(range(50))
    assert list(order) != list(range(50))
    rows = ops.shuffle(Tensor(np.arange(50))).asnumpy()
    assert sorted(rows) == list(range(50))
    assert list(rows) != list(range(50))


def test_seeds_repeat_draws():
    ms.set_seed(7)
    assert ms.get_seed() == 7
    first, second = ops.rand(4).asnumpy(), ops.rand(4).asnumpy()
    ms.manual_seed(7)
    assert np.array_equal(ops.rand(4).asnumpy(), first)
    assert not np.array_equal(first, second)


def test_draws_shifted_and_scaled_have_gradients():
    def sample(mean, deviation):
        return ops.normal((5,), mean, deviation).sum()

    ms.set_seed(2)
    noise = ops.standard_normal((5,)).asnumpy()
    ms.set_seed(2)
    by_mean, by_deviation = ms.grad(sample, (0, 1))(Tensor(1.0), Tensor(2.0))
    assert float(by_mean) == 5.0
    assert float(by_deviation) == pytest.approx(noise.sum(), rel=1e-5)


def test_in_place_draws_keep_the_tensor():
    x = Tensor(np.zeros(1000, np.float32))
    alias = x
    ms.set_seed(1)
    assert x.uniform_(2.0, 3.0) is alias
    with pytest.raises(TypeError, match=r"no larger than 'to', but got 1.0 and 0.0"):
        x.uniform_(1.0, 0.0)
    assert alias.asnumpy().min() >= 2
    assert alias.asnumpy().max() < 3
    x.normal_(5.0, 0.1)
    assert alias.asnumpy().mean() == pytest.approx(5, abs=0.05)
    x.exponential_(2.0)
    assert alias.asnumpy().min() >= 0
    assert alias.asnumpy().mean() == pytest.approx(0.5, abs=0.1)
    x.random_(3, 5)
    assert set(alias.asnumpy().tolist()) == {3.0, 4.0}


ERRORS = {
    "negative size": (lambda: ops.rand(-1), ValueError, "negative"),
    "no size": (lambda: ops.rand(2.5), TypeError, "rand: 'size' should be an int or a tuple of ints"),
    "whole dtype": (lambda: ops.randn(2, dtype=ms.int32), ValueError, "floating-point one, but got Int32"),
    "whole tensor": (lambda: ops.rand_like(Tensor([1])), ValueError, "floating-point one, but got Int64"),
    "float dtype": (lambda: ops.randint_like(tensor([1.0]), 0, 2), ValueError, "integer one, but got Float32"),
    "bounds": (lambda: ops.randint(3, 3, (2,)), ValueError, "'low' should be below 'high', but got 3 and 3"),
    "float bound": (lambda: ops.randint(0.5, 3, (2,)), TypeError, "'low' should be an int, but got float"),
    "probability": (lambda: ops.bernoulli(ROWS, 1.5), ValueError, r"'p' should be in \[0, 1\], but got 1.5"),
    "too many": (lambda: ops.multinomial(ROWS[0], 3, False), ValueError, "3 samples from 2"),
    "seed": (lambda: ms.set_seed(-1), ValueError, "not be negative, but got -1"),
    "float seed": (lambda: ms.set_seed(1.5), TypeError, "should be an int, but got float"),
}


@pytest.mark.parametrize(("run", "error", "words"), ERRORS.values(), ids=ERRORS)
def test_errors(run, error, words):
    with pytest.raises(error, match=words):
        run()


SEEDED = {
    "standard_normal": lambda seed: ops.standard_normal((9,), seed),
    "uniform": lambda seed: ops.uniform((9,), Tensor(0.0), Tensor(1.0), seed=seed),
    "rand": lambda seed: ops.rand(9, seed=seed),
    "randint_like": lambda seed: ops.randint_like(Tensor(np.zeros(9, np.int32)), 0, 10**6, seed=seed),
    "gamma": lambda seed: ops.gamma((9,), Tensor(2.0), Tensor(1.0), seed=seed),
    "multinomial": lambda seed: ops.multinomial(Tensor(np.ones(10**4, np.float32)), 9, seed=seed),
    "bernoulli": lambda seed: ops.bernoulli(Tensor(np.ones(99, np.float32)), 0.5, seed),
    "dropout": lambda seed: ops.dropout(Tensor(np.ones(99, np.float32)), 0.5, seed=seed),
    "shuffle": lambda seed: ops.shuffle(Tensor(np.arange(99)), seed=seed),
}


@pytest.mark.parametrize("name", SEEDED)
@pytest.mark.parametrize("compiled", [False, True])
def test_a_seed_has_a_generator_of_its_own(name, compiled):
    def draw(seed):
        def function():
            return SEEDED[name](seed)

        return (ms.jit(function, fullgraph=True) if compiled else function)().asnumpy().tolist()

    ms.set_seed(1)
    first, second = draw(5), draw(5)
    assert first != second
    ms.set_seed(1)
    ops.rand(3)  # draws of the global generator do not matter
    draw(6)
    assert [draw(5), draw(5)] == [first, second]
    ms.set_seed(2)
    assert draw(5) != first


def test_randperm_of_a_seed_is_always_the_same():
    orders = [
        ops.randperm(99, seed=seed, offset=offset).asnumpy().tolist() for seed, offset in ((5, 0), (5, 0), (5, 1))
    ]
    assert orders[0] == orders[1] != orders[2]
    assert ops.randperm(99).asnumpy().tolist() != ops.randperm(99).asnumpy().tolist()


def test_seeds_of_primitives_are_their_own():
    def draws(primitive):
        return [primitive((4,)).asnumpy().tolist() for _ in range(3)]

    first = draws(ops.StandardNormal(seed=2))
    assert first[0] != first[1]
    ms.set_seed(7)
    assert draws(ops.StandardNormal(seed=2)) == first
    assert draws(ops.StandardNormal(seed=2, seed2=1)) != first
    assert draws(ops.StandardNormal()) != draws(ops.StandardNormal())
    ones = Tensor(np.ones(99, np.float32))
    masks = [ops.Dropout(0.5, Seed0=3)(ones)[1].asnumpy().tolist() for _ in range(2)]
    assert masks[0] == masks[1]


def test_generators_of_primitives_that_are_gone_are_dropped():
    from mycel.runtime import random

    before = len(random._OWNED)
    primitive = ops.UniformReal(seed=3)
    primitive((2,))
    assert len(random._OWNED) == before + 1
    del primitive
    gc.collect()
    assert len(random._OWNED) == before


@pytest.mark.parametrize(("seed", "error"), [("a", TypeError), (True, TypeError), (-1, ValueError)])
def test_bad_seeds(seed, error):
    with pytest.raises(error, match="rand: 'seed' should"):
        ops.rand(2, seed=seed)


def test_halves_do_not_reach_the_upper_bound():
    x = Tensor(np.zeros(1 << 16), ms.float16)
    assert float(x.uniform(0.0, 1.0).max()) < 1
    assert float(x.uniform_(0.0, 1.0).max()) < 1
    assert x.uniform(0.5, 2.5).dtype is ms.float16

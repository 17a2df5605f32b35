"""The counter-based generator, and the distributions of its draws."""

import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from mycel.runtime import draws, random
from mycel.runtime.random import RandomState, State

Array = np.ndarray[Any, np.dtype[Any]]

DRAWS: dict[str, Callable[..., Array]] = {
    "uniform": lambda **more: draws.uniform((5, 3), **more),
    "uniform_between": lambda **more: draws.uniform((5, 3), low=-2, high=np.array([1.0, 2.0, 3.0]), **more),
    "normal": lambda **more: draws.normal((5, 3), mean=1, std=np.full(3, 2.0), **more),
    "truncated_normal": lambda **more: draws.truncated_normal((5, 3), **more),
    "exponential": lambda **more: draws.exponential((5, 3), rate=2.0, **more),
    "gamma": lambda **more: draws.gamma((5, 3), alpha=np.array([1.0, 2.0, 3.0]), rate=2.0, **more),
    "laplace": lambda **more: draws.laplace((5, 3), **more),
    "poisson": lambda **more: draws.poisson((5, 3), rate=3.0, **more),
    "integers": lambda **more: draws.integers((5, 3), low=-3, high=9, **more),
    "permutation": lambda **more: draws.permutation(15, **more),
    "bernoulli": lambda **more: draws.bernoulli((5, 3), probability=0.3, **more),
    "bernoulli_scaled": lambda **more: draws.bernoulli((5, 3), probability=0.3, scale=2.5, **more),
    "bernoulli_each": lambda **more: draws.bernoulli((5, 3), probability=np.array([0.1, 0.5, 0.9]), **more),
    "multinomial": lambda **more: draws.multinomial(np.ones((5, 4)), 3, **more),
    "choice": lambda **more: draws.multinomial(np.ones((5, 4)), 3, False, **more),
}


@pytest.fixture(autouse=True)
def _keep_state() -> Iterator[None]:
    """The global generators are afterwards as they were."""
    state, seed, numpy_state = random.get_state(), random.get_seed(), np.random.get_state()
    random.set_seed(1)
    yield
    random._global_seed = seed
    random.set_state(state)
    np.random.set_state(numpy_state)


@pytest.mark.parametrize("name", DRAWS)
def test_same_seed_same_numbers(name: str) -> None:
    """A draw depends on the seed and its number only."""
    draw = DRAWS[name]
    first, second = draw(), draw()
    assert random.get_state() == State(1, 2)
    random.set_seed(1)
    np.testing.assert_array_equal(draw(), first)
    np.testing.assert_array_equal(draw(), second)
    assert (first != second).any()
    random.set_seed(2)
    assert (draw() != first).any()


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
def test_out_and_dtype(name: str, dtype: Any) -> None:
    """Into `out`, contiguous or not, go the numbers that a fresh result has; halves are rounded singles."""
    draw, state = DRAWS[name], random.get_state()
    fresh = draw(dtype=dtype)
    assert fresh.dtype == dtype
    for out in (np.empty(fresh.shape, dtype), np.empty((*fresh.shape, 2), dtype)[..., 0]):
        random.set_state(state)
        assert draw(dtype=dtype, out=out) is out
        np.testing.assert_array_equal(out, fresh)


def test_draws_do_not_depend_on_what_ran_before() -> None:
    """However much one draw takes, the next begins at its own place."""
    draws.uniform((3,))
    short = draws.uniform((4,))
    random.set_seed(1)
    draws.normal((10_001,))
    np.testing.assert_array_equal(draws.uniform((4,)), short)


def test_states_are_independent() -> None:
    """A generator of one's own leaves the global one alone, and may be set back."""
    own = RandomState(5)
    state = own.state
    first = draws.normal((4,), state=own)
    assert random.get_state() == State(1, 0)
    assert own.state == State(5, 1)
    own.state = state
    np.testing.assert_array_equal(draws.normal((4,), state=own), first)
    own.seed(6)
    assert (draws.normal((4,), state=own) != first).all()
    assert RandomState().state != RandomState().state


def test_rounding_does_not_reach_the_upper_bound() -> None:
    for low, high in ((0.0, 1.0), (0.0, 5.0), (1.0, 1.002)):
        drawn = draws.uniform((1 << 16,), np.float16, low, high)
        assert low <= drawn.min() <= drawn.max() < np.float16(high)
    assert (draws.uniform((3,), np.float16, 3.0, 3.0) == 3.0).all()


def test_state_round_trip() -> None:
    """A state taken in the middle continues there."""
    draws.uniform((2,))
    state = random.get_state()
    first = draws.uniform((2,))
    random.set_state(state)
    np.testing.assert_array_equal(draws.uniform((2,)), first)


def test_large_seeds_and_counters_count() -> None:
    """All bits of both matter."""
    seen = set()
    for seed in (0, 1, 2**64, 2**127):
        for count in (0, 1, 2**32, 2**64, 2**100):
            own = RandomState(seed)
            own.state = State(seed, count)
            seen.add(draws.uniform((2,), state=own).tobytes())
    assert len(seen) == 20


def test_threads_share_the_counter() -> None:
    """No two draws get the same number, and together they are the draws of a single thread."""
    drawn: list[bytes] = []

    def work() -> None:
        for _ in range(50):
            drawn.append(draws.uniform((3,)).tobytes())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    random.set_seed(1)
    assert set(drawn) == {draws.uniform((3,)).tobytes() for _ in range(200)}


def test_seeds() -> None:
    """The seed is remembered, seeds NumPy as in MindSpore, and wrong ones are named."""
    random.set_seed(11)
    first = np.random.rand()
    random.set_seed(11)
    assert np.random.rand() == first
    assert random.get_seed() == 11
    for wrong in (-1, 2**32):
        with pytest.raises(ValueError, match="the seed must be at"):
            random.set_seed(wrong)
    for wrong_type in (1.5, True, "1"):
        with pytest.raises(TypeError, match="the seed must be an int"):
            random.set_seed(wrong_type)  # type: ignore[arg-type]
    assert random.get_seed() == 11


COUNT = 40_000


def check_moments(numbers: Array, mean: float, variance: float) -> None:
    """Sample mean and variance are within six standard errors (of normal-like tails)."""
    numbers = numbers.astype(float)
    assert abs(numbers.mean() - mean) < 6 * math.sqrt(variance / COUNT)
    assert abs(numbers.var() - variance) < 0.12 * variance + 1e-9


@pytest.mark.parametrize(
    ("draw", "mean", "variance"),
    [
        (lambda: draws.uniform((COUNT,)), 0.5, 1 / 12),
        (lambda: draws.uniform((COUNT,), np.float64, -3, 1), -1, 16 / 12),
        (lambda: draws.normal((COUNT,), np.float32, 2, 3), 2, 9),
        (lambda: draws.normal((COUNT,), np.float64), 0, 1),
        (lambda: draws.exponential((COUNT,), np.float32, 4.0), 0.25, 1 / 16),
        (lambda: draws.gamma((COUNT,), np.float32, 3.0, 2.0), 1.5, 0.75),
        (lambda: draws.laplace((COUNT,), np.float32, 1.0, 2.0), 1, 8),
        (lambda: draws.poisson((COUNT,), np.int32, 3.5), 3.5, 3.5),
        (lambda: draws.integers((COUNT,), np.int64, -2, 3), 0, 2),
        (lambda: draws.bernoulli((COUNT,), np.float32, 0.3), 0.3, 0.21),
        (lambda: draws.bernoulli((COUNT,), np.float32, 0.8, 1.25), 1, 0.25),
        (lambda: draws.truncated_normal((COUNT,)), 0, 0.773741),
    ],
)
def test_moments(draw: Callable[[], Array], mean: float, variance: float) -> None:
    """Each distribution has the mean and variance it should."""
    check_moments(draw(), mean, variance)


@pytest.mark.parametrize(
    ("low", "high"), [(-2, 2), (-0.1, 0.05), (1, 4), (5, 5.1), (6, np.inf), (-np.inf, -7), (-30, -29), (0, 1e9)]
)
def test_truncated_normal_far_out(low: float, high: float) -> None:
    """Bounds hold and the mean is right (by numerical integration), also where hardly any of the normal is."""
    numbers = draws.truncated_normal((COUNT,), np.float64, 1.0, 2.0, 1 + 2 * low, 1 + 2 * high)
    standard = (numbers - 1) / 2
    assert (standard >= low - 1e-9).all()
    assert (standard <= high + 1e-9).all()
    left, right = max(low, -40), min(high, 40)
    peak = min(max(left, 0), right)
    grid = np.linspace(max(left, peak - 9), min(right, peak + 9), 400_001)
    density = np.exp((peak**2 - grid**2) / 2)
    mean = (grid * density).sum() / density.sum()
    spread = math.sqrt(((grid - mean) ** 2 * density).sum() / density.sum())
    assert abs(standard.mean() - mean) < 6 * spread / math.sqrt(COUNT)


@pytest.mark.parametrize(
    ("mean", "std", "low", "high"),
    [(math.nan, 1, -1, 0), (math.inf, 1, -1, 2), (0, math.inf, -1, 0), (0, math.nan, -1, 1), (0, 5e-324, 1, 2)],
)
def test_no_number_of_a_truncated_normal(mean: float, std: float, low: float, high: float) -> None:
    """Numbers of which none is ever between the bounds are not sought for ever."""
    with pytest.raises(ValueError, match="expected finite std"):
        draws.truncated_normal((3,), np.float64, mean, std, low, high)


def test_uniform_stays_below_its_bound() -> None:
    """Rounding may not reach it."""
    numbers = draws.uniform((COUNT,), np.float32, 1.0, np.nextafter(np.float32(1), np.float32(2)))
    assert (numbers == 1).all()


def test_bernoulli_is_exact() -> None:
    """Certain events, and probabilities of fewer than 16 bits, are as they should be."""
    assert draws.bernoulli((1000,), probability=1.0).all()
    assert not draws.bernoulli((1000,), probability=0).any()
    rare = draws.bernoulli((1_000_000,), probability=2.0**-18)
    assert rare.sum() < 25
    with pytest.raises(ValueError, match=r"a probability must be in \[0, 1\], but got 1.5"):
        draws.bernoulli((3,), probability=1.5)
    with pytest.raises(ValueError, match="a probability must be in"):
        draws.bernoulli((3,), probability=np.array([0.5, np.nan, 0.5]))


def test_permutations() -> None:
    """Every number once; all orders of three equally often."""
    np.testing.assert_array_equal(np.sort(draws.permutation(50, np.int32)), np.arange(50))
    orders = [tuple(draws.permutation(3)) for _ in range(3000)]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 6
    assert min(counts) > 380


def test_multinomial_with_replacement() -> None:
    """Categories are drawn in proportion to their weights, row by row; those of weight 0 never."""
    weights = np.array([[1.0, 0.0, 3.0, 0.0], [0.0, 2.0, 2.0, 4.0]])
    drawn = draws.multinomial(weights, COUNT)
    assert drawn.shape == (2, COUNT)
    for row, expected in zip(drawn, weights, strict=True):
        shares = np.bincount(row, minlength=4) / COUNT
        np.testing.assert_allclose(shares, expected / expected.sum(), atol=0.015)
        assert (shares[expected == 0] == 0).all()
    assert draws.multinomial(weights[0], 5, dtype=np.int32).shape == (5,)


def test_multinomial_without_replacement() -> None:
    """No category twice; the first is in proportion to the weights, the second to the remaining ones."""
    weights = np.array([1.0, 2.0, 5.0, 0.0])
    drawn = draws.multinomial(np.tile(weights, (20_000, 1)), 2, False)
    assert (drawn[:, 0] != drawn[:, 1]).all()
    np.testing.assert_allclose(np.bincount(drawn[:, 0], minlength=4) / 20_000, weights / 8, atol=0.02)
    after_last = drawn[drawn[:, 0] == 2, 1]
    np.testing.assert_allclose(np.bincount(after_last, minlength=2) / len(after_last), [1 / 3, 2 / 3], atol=0.02)
    with pytest.raises(ValueError, match="cannot draw 4 categories without replacement where only 3"):
        draws.multinomial(weights, 4, False)
    with pytest.raises(ValueError, match="multinomial needs finite weights"):
        draws.multinomial(np.array([0.0, 0.0]), 1)


def test_wrong_out() -> None:
    """A buffer of another shape is refused."""
    with pytest.raises(ValueError, match="out has shape"):
        draws.uniform((3,), out=np.empty(4, np.float32))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bounds", [(-2.0, 2.0), (0.5, 1.5), (-40.0, 40.0)])
def test_truncated_numbers_are_normal_numbers_drawn_again_where_they_are_outside(
    dtype: type, bounds: tuple[float, float]
) -> None:
    """All of an array first, then those that were refused: more than a block of them, and of one piece or by blocks."""
    low, high = bounds
    generator = RandomState(7).next_generator()
    wanted = generator.standard_normal(100_000, dtype)
    outside = np.flatnonzero((wanted < (low - 1) / 2) | (wanted > (high - 1) / 2))
    while len(outside):
        again = generator.standard_normal(len(outside), dtype)
        wanted[outside] = again
        outside = outside[(again < (low - 1) / 2) | (again > (high - 1) / 2)]
    wanted = np.clip(wanted * dtype(2) + dtype(1), low, high)
    found = draws.truncated_normal((100, 1000), dtype, 1.0, 2.0, low, high, state=RandomState(7))
    np.testing.assert_array_equal(found.reshape(-1), wanted)
    into = np.zeros((1000, 100), dtype).T
    draws.truncated_normal((100, 1000), dtype, 1.0, 2.0, low, high, out=into, state=RandomState(7))
    np.testing.assert_array_equal(into.reshape(-1), wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 1001, 16384, 50_001])
def test_uniform_numbers_are_those_of_numpys_generator(dtype: type, size: int) -> None:
    """Whatever makes the words, and block by block."""
    wanted = RandomState(7).next_generator().random(size, dtype)
    np.testing.assert_array_equal(draws.uniform((size,), dtype, state=RandomState(7)), wanted)


def test_many_normal_numbers_are_normal_and_the_same_without_machine_code() -> None:
    """Kernels make them in pairs; the last ones of a draw are the first of a block."""
    drawn = draws.normal((700, 1001), np.float32, state=RandomState(3)).astype(np.float64)
    assert np.isfinite(drawn).all()
    for power, wanted in ((1, 0), (2, 1), (3, 0), (4, 3), (6, 15)):
        assert abs((drawn**power).mean() - wanted) < 0.15 * max(wanted, 0.1)
    flat = drawn.reshape(-1)[: 1024 * 680].reshape(-1, 2, 512)
    assert abs(np.corrcoef(flat[:, 0].reshape(-1), flat[:, 1].reshape(-1))[0, 1]) < 0.01
    generator = RandomState(3).next_generator()
    x, y = generator.random((2, 512), np.float32)
    np.testing.assert_allclose(drawn.reshape(-1)[:512], np.sqrt(-2 * np.log(1 - x)) * np.cos(2 * np.pi * y), 1e-4, 1e-5)
    assert (draws.normal((1 << 20,), state=RandomState(3))[: 700 * 1000] == drawn.reshape(-1)[: 700 * 1000]).all()

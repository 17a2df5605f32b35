"""Initializers: their distributions, shapes, dtypes and errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor
from mycel.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    Normal,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    initializer,
)
from mycel.runtime import initial_numbers

SHAPE = (200, 300)

# initializer, mean, standard deviation, bounds: of 60,000 numbers
DISTRIBUTIONS: list[tuple[Any, float, float, tuple[float, float] | None]] = [
    ("normal", 0.0, 0.01, None),
    ("uniform", 0.0, 0.07 / math.sqrt(3), (-0.07, 0.07)),
    ("truncatednormal", 0.0, 0.01, None),
    ("xavier_uniform", 0.0, math.sqrt(2 / 500), (-math.sqrt(6 / 500), math.sqrt(6 / 500))),
    ("xavier_normal", 0.0, math.sqrt(2 / 500), None),
    ("he_uniform", 0.0, math.sqrt(2 / 300), (-math.sqrt(6 / 300), math.sqrt(6 / 300))),
    ("he_normal", 0.0, math.sqrt(2 / 300), None),
    ("variancescaling", 0.0, math.sqrt(1 / 300), None),
    (Normal(0.5, 1.0), 1.0, 0.5, None),
    (Uniform(0.3), 0.0, 0.3 / math.sqrt(3), (-0.3, 0.3)),
    (TruncatedNormal(0.5, 1.0), 0.9734, 0.472, None),
    (TruncatedNormal(1.0, 0.0, -1.0, 0.5), -0.207, 0.415, (-1.0, 0.5)),
    (HeUniform(5**0.5), 0.0, 1 / math.sqrt(900), (-1 / math.sqrt(300), 1 / math.sqrt(300))),
    (HeNormal(0.1, "fan_out", "relu"), 0.0, math.sqrt(2 / 200), None),
    (HeNormal(0, "fan_in", "tanh"), 0.0, 5 / 3 / math.sqrt(300), None),
    (XavierUniform(2), 0.0, 2 * math.sqrt(2 / 500), None),
    (XavierNormal(2), 0.0, 2 * math.sqrt(2 / 500), None),
    (VarianceScaling(2.0, "fan_avg", "uniform"), 0.0, math.sqrt(2 / 250), None),
    (VarianceScaling(2.0, "fan_out", "untruncated_normal"), 0.0, math.sqrt(2 / 200), None),
]


@pytest.mark.parametrize(("init", "mean", "deviation", "bounds"), DISTRIBUTIONS, ids=lambda value: str(value)[:40])
def test_distributions(init: Any, mean: float, deviation: float, bounds: tuple[float, float] | None) -> None:
    ms.set_seed(5)
    numbers = initializer(init, SHAPE).asnumpy().astype(np.float64)
    assert numbers.mean() == pytest.approx(mean, abs=4 * deviation / math.sqrt(numbers.size) + 2e-3 * deviation)
    assert numbers.std() == pytest.approx(deviation, rel=0.02)
    if bounds is not None:
        assert bounds[0] <= numbers.min() < bounds[0] * 0.9
        assert bounds[1] >= numbers.max() > bounds[1] * 0.9


def test_fixed_numbers() -> None:
    assert initializer("zeros", [2]).asnumpy().tolist() == [0, 0]
    assert initializer("ones", 2, ms.int32).asnumpy().tolist() == [1, 1]
    assert initializer(0.5, (1, 2)).asnumpy().tolist() == [[0.5, 0.5]]
    assert initializer(Constant(3), (2,)).asnumpy().tolist() == [3, 3]
    assert initializer(Identity(), (2, 3)).asnumpy().tolist() == [[1, 0, 0], [0, 1, 0]]
    tensor = Tensor([1.0, 2.0])
    assert initializer(tensor, (2,)) is tensor


def test_orthogonal() -> None:
    numbers = initializer(Orthogonal(2.0), (3, 2, 4)).asnumpy().reshape(3, 8)
    np.testing.assert_allclose(numbers @ numbers.T, 4 * np.eye(3), atol=1e-5)
    tall = initializer("orthogonal", (8, 3)).asnumpy()
    np.testing.assert_allclose(tall.T @ tall, np.eye(3), atol=1e-5)


def test_sparse() -> None:
    numbers = initializer(Sparse(0.25, 1.0), (40, 10)).asnumpy()
    assert ((numbers == 0).sum(axis=0) == 10).all()


def test_dirac() -> None:
    numbers = initializer(Dirac(groups=2), (4, 2, 3)).asnumpy()
    expected = np.zeros((4, 2, 3))
    for row, channel in ((0, 0), (1, 1), (2, 0), (3, 1)):
        expected[row, channel, 1] = 1
    np.testing.assert_array_equal(numbers, expected)


def test_fans_of_convolutions() -> None:
    numbers = initializer(HeUniform(), (20, 10, 3, 3)).asnumpy()
    assert math.sqrt(6 / 90) * 0.95 < np.abs(numbers).max() <= math.sqrt(6 / 90)


def test_seed() -> None:
    ms.set_seed(1)
    first, second = initializer("normal", (3,)).asnumpy(), initializer("normal", (3,)).asnumpy()
    ms.set_seed(1)
    np.testing.assert_array_equal(initializer("normal", (3,)).asnumpy(), first)
    assert (first != second).any()


def test_an_initializer_of_ones_own() -> None:
    class Seven(Initializer):
        def _initialize(self, arr: Any) -> None:
            arr[...] = 7

    assert initializer(Seven(), (2,), ms.float16).dtype == ms.float16
    assert Parameter(initializer(Seven(), (2,)), name="p").asnumpy().tolist() == [7, 7]
    assert Tensor(shape=(2,), dtype=ms.float32, init=Seven()).asnumpy().tolist() == [7, 7]


def test_clones_of_parameters() -> None:
    parameter = Parameter(Tensor([1.0, 2.0]), name="p")
    assert parameter.clone("ones").asnumpy().tolist() == [1, 1]
    assert parameter.clone().asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("init", ["same", "zeros", 3, Tensor(np.ones((300, 100), np.float32))])
@pytest.mark.parametrize("dtype", [ms.float32, ms.float16])
def test_clones_have_memory_of_their_own(init: Any, dtype: Any) -> None:
    """They are aligned, too, and have the flags of their model."""
    if isinstance(init, Tensor):
        init = init.astype(dtype)
    parameter = Parameter(Tensor(np.ones((300, 100)), dtype), name="p", requires_grad=False)
    clones = [parameter.clone(init), parameter.clone(init)]
    for clone in clones:
        assert (clone.name, clone.requires_grad, clone.dtype) == ("p", False, dtype)
    clones[0][0, 0] = 5
    given = init.asnumpy() if isinstance(init, Tensor) else parameter.asnumpy()
    assert given[0, 0] == 1
    assert clones[1].asnumpy()[0, 0] != 5
    if dtype is ms.float32:
        assert clones[0]._data.ctypes.data % 64 == 0


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: initializer("foo", (2,)), ValueError, "foo"),
        (lambda: initializer("ones", (0, 2)), ValueError, "positive"),
        (lambda: initializer("ones", -1), ValueError, "positive"),
        (lambda: initializer("ones", 2.5), ValueError, "positive"),
        (lambda: initializer(None, (2,)), TypeError, "init"),
        (lambda: initializer([1], (2,)), TypeError, "init"),
        (lambda: initializer("ones"), ValueError, "shape"),
        (lambda: initializer(Tensor([1.0, 2.0]), (3,)), ValueError, "shape"),
        (lambda: initializer(Identity(), (2, 2, 2)), ValueError, "two dimensions"),
        (lambda: initializer(Dirac(), (2, 2)), ValueError, "dimensions"),
        (lambda: initializer("he_uniform", (2,)), ValueError, "two dimensions"),
        (lambda: initializer(HeNormal(nonlinearity="x"), (2, 2)), ValueError, "nonlinearity"),
        (lambda: VarianceScaling(-1.0), ValueError, "scale"),
        (lambda: VarianceScaling(mode="x"), ValueError, "mode"),
        (lambda: initializer(TruncatedNormal(1.0, 0.0, 1.0, 0.0), (2,)), ValueError, "bounds"),
    ],
)
def test_refusals(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


# The first numbers of tensors of shape (2, 3) after `np.random.seed(7)`, and NumPy's next number, in MindSpore 2.10
RECORDED: list[tuple[Any, list[float], int]] = [
    (Uniform(0.5), [-0.07823041, -0.05471544, -0.39493695, 0.46602765, -0.11056018, 0.38911885], 537),
    (Normal(0.3, 1.5), [1.59952867, 1.49103045, 1.33915114, 1.37335896, 1.55429757, 1.90629566], 537),
    (TruncatedNormal(), [-0.00197368, -0.00137584, -0.01253219, 0.01825373, -0.00280779, 0.01221855], 537),
    (TruncatedNormal(1, 0, 2.5, 4), [2.68708066, 2.7007947, 2.53886819, 3.48995352, 2.66901445, 3.18784189], 537),
    ("he_uniform", [-0.22126901, -0.15475863, -1.11705029, 1.31812525, -0.31271142, 1.10059428], 537),
    (Orthogonal(), [0.52559423, -0.0473667, -0.84941572, 0.81595588, 0.31063384, 0.48756811], 537),
    (Sparse(0.5, 1.0), [0.0, -0.02989852, 0.0, -0.42213669, 0.0, 1.35431898], 211),
]


@pytest.mark.parametrize(("init", "expected", "after"), RECORDED, ids=lambda value: str(value)[:40])
def test_a_seed_of_numpy_gives_mindspores_numbers(init: Any, expected: list[float], after: int) -> None:
    """Those of weights, and those that a script draws from NumPy behind its network."""
    for seed in (np.random.seed, ms.set_seed):
        seed(7)
        np.testing.assert_allclose(initializer(init, (2, 3)).asnumpy().ravel(), expected, rtol=3e-6, atol=1e-6)
        assert np.random.randint(1000) == after


@pytest.mark.parametrize("drawn", [0, initial_numbers.LARGE])
@pytest.mark.parametrize("threads", [1, 3])
def test_large_arrays_have_mindspores_numbers(drawn: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a kernel and without, whatever the number of threads."""
    monkeypatch.setattr(initial_numbers, "LARGE", drawn or 10**9)
    monkeypatch.setattr(initial_numbers, "_DRAWN", [drawn])
    monkeypatch.setattr(initial_numbers.processors, "thread_count", lambda *_: threads)
    for init, expected in [
        ("uniform", [-0.01095226, -0.0361611, -0.05252921]),
        ("normal", [0.00331762, 0.00738629, -0.00472239]),
        ("truncatednormal", [-0.00197368, -0.00700824, -0.01151364]),
    ]:
        np.random.seed(7)
        numbers = initializer(init, (700001,)).asnumpy()[[0, 123456, -1]]
        np.testing.assert_allclose(numbers, expected, rtol=1e-5)


@pytest.mark.parametrize("init", ["uniform", "normal", "truncatednormal"])
def test_numbers_do_not_depend_on_what_was_drawn_before(init: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel computes whole blocks, also of the last numbers; a part of a block is rounded otherwise."""
    found = []
    for drawn in (0, initial_numbers.LARGE):
        monkeypatch.setattr(initial_numbers, "_DRAWN", [drawn])
        np.random.seed(5)
        found.append(initializer(init, (40001,)).asnumpy())
    np.testing.assert_array_equal(*found)


def test_the_tails_of_truncated_distributions_are_exact() -> None:
    numbers = np.empty(1 << 20, np.float32)
    initial_numbers.truncated_normal(numbers, 0.0, 1.0, -9.0, 9.0)
    for bound in (2.9, 3.0, 4.0):
        share = math.erfc(bound / math.sqrt(2))
        assert abs((np.abs(numbers) > bound).mean() - share) < 6 * math.sqrt(share / numbers.size)
    assert np.abs(numbers).max() < 6.5


def test_recurrent_layers_have_mindspores_weights() -> None:
    np.random.seed(7)
    layer = ms.nn.LSTM(1, 1)
    first = [parameter.asnumpy().ravel()[0] for parameter in layer.get_parameters()]
    np.testing.assert_allclose(first, [-0.84738344, 0.95597905, -0.46312204, -0.23811774], rtol=1e-6)
    assert np.random.randint(1000) == 44
    np.random.seed(7)
    cell = ms.nn.GRUCell(1, 1)
    first = [parameter.asnumpy().ravel()[0] for parameter in cell.get_parameters()]
    np.testing.assert_allclose(first, [-0.65130484, 0.43672332, -0.42044416, -0.6145584], rtol=1e-6)
    assert np.random.randint(1000) == 152


@pytest.mark.parametrize(
    ("make", "expected", "after"),
    [
        (lambda: ms.nn.Transformer(4, 2, 2, 1, 8), [-0.0650205, 0.0, 0.1594414], 989),
        (
            lambda: ms.nn.TransformerEncoder(ms.nn.TransformerEncoderLayer(4, 2, 8), 2),
            [-0.2234483, 0.0, -0.1573831], 250,
        ),
        (
            lambda: ms.nn.TransformerDecoder(ms.nn.TransformerDecoderLayer(4, 2, 8), 2),
            [-0.402929, 0.0, -0.0697709], 763,
        ),
        (lambda: ms.mint.nn.Embedding(3, 4, padding_idx=1), [0.3317624], 537),
    ],
)  # fmt: skip
def test_layers_have_mindspores_weights(make: Any, expected: list[float], after: int) -> None:
    np.random.seed(7)
    first = [parameter.asnumpy().ravel()[0] for parameter in make().get_parameters()][:3]
    np.testing.assert_allclose(first, expected, atol=1e-6)
    assert np.random.randint(1000) == after


def test_a_stack_copies_layers_of_other_classes() -> None:
    class Layer(ms.nn.TransformerEncoderLayer):
        pass

    layer = Layer(4, 2, 8)
    for copied in ms.nn.TransformerEncoder(layer, 2).layers:
        assert type(copied) is Layer
        np.testing.assert_array_equal(copied.dense1.weight.asnumpy(), layer.dense1.weight.asnumpy())


def test_what_is_no_plain_array_is_filled_too() -> None:
    ms.set_seed(3)
    array = np.zeros((6, 4), np.float32)
    Uniform(0.3)(array[::2].T)
    ms.set_seed(3)
    np.testing.assert_array_equal(array[::2].T, initializer(Uniform(0.3), (4, 3)).asnumpy())
    assert not array[1::2].any()


def test_layers_hold_what_was_drawn_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights of layers are in the memory that the initializer filled, which starts at a cache line."""
    made = []
    fill = initial_numbers._fill
    monkeypatch.setattr(initial_numbers, "_fill", lambda arr, *rest: (made.append(arr), fill(arr, *rest)))
    for layer in (ms.nn.Dense(200, 300), ms.nn.Conv2d(20, 30, 7)):
        weight = max(layer.trainable_params(), key=lambda parameter: parameter.size)._data
        assert any(np.shares_memory(weight, arr) for arr in made)
        assert weight.ctypes.data % 64 == 0


def test_an_initializer_of_the_users_may_keep_its_array() -> None:
    """What it writes there later does not show in the Parameter."""
    kept = []

    class Keeping(Initializer):
        def _initialize(self, arr: np.ndarray) -> None:
            arr[...] = 1
            kept.append(arr)

    layer = ms.nn.Dense(200, 300, weight_init=Keeping())
    kept[0][...] = 5
    assert float(layer.weight.asnumpy().max()) == 1
    given = ms.Tensor(np.ones((300, 200), np.float32))
    layer = ms.nn.Dense(200, 300, weight_init=given)
    given[0, 0] = 5
    assert float(layer.weight.asnumpy().max()) == 1


def test_zeros_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that begins as zeros stays as it is: its pages take room only when they are written to."""

    def fail(self: Initializer, arr: np.ndarray) -> None:
        raise AssertionError

    monkeypatch.setattr(ms.common.initializer.Zero, "_initialize", fail)
    for dtype in (ms.float16, ms.float32, ms.int64):
        np.testing.assert_array_equal(initializer("zeros", (300, 500), dtype).asnumpy(), 0)

"""Losses: numbers recorded from MindSpore 2.10, for each reduction, eagerly and compiled, and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from searches import chequered
from tensors import T

import mycel as ms
from mycel import Tensor, nn, ops

x, y = T([[1.0, 2.0, 0.5], [0.1, 0.2, 3.0]]), T([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
classes, signs = T([1, 2], ms.int32), T([[1.0, -1, 1], [1, -1, 1]])

# name, loss of a reduction, its inputs, mean, sum and elements
ROWS: list[tuple[str, Callable[[str], Any], Callable[[], Any], float, float, str]] = [
    (
        "mae",
        lambda r: nn.MAELoss(r),
        lambda: (x, y),
        1.1,
        6.6,
        "1 1 0.5 0.9 0.2 3",
    ),
    (
        "sl1",
        lambda r: nn.SmoothL1Loss(0.5, r),
        lambda: (x, y),
        0.865,
        5.19,
        "0.75 0.75 0.25 0.65 0.04 2.75",
    ),
    (
        "kl",
        lambda r: nn.KLDivLoss(r),
        lambda: (x, y),
        -0.35,
        -2.1,
        "0 -2 0 -0.1 0 0",
    ),
    (
        "huber",
        lambda r: nn.HuberLoss(r, 0.5),
        lambda: (x, y),
        0.4325,
        2.595,
        "0.375 0.375 0.125 0.325 0.02 1.375",
    ),
    (
        "mlsm",
        lambda r: nn.MultiLabelSoftMarginLoss(None, r),
        lambda: (x, y),
        1.150898,
        2.301796,
        "0.804755 1.49704",
    ),
    (
        "mlsmw",
        lambda r: nn.MultiLabelSoftMarginLoss(T([1.0, 2, 3]), r),
        lambda: (x, y),
        2.645964,
        5.291928,
        "1.49645 3.79548",
    ),
    (
        "pnll",
        lambda r: nn.PoissonNLLLoss(reduction=r),
        lambda: (x, y),
        5.344697,
        32.06818,
        "2.71828 5.38906 1.64872 1.00517 1.2214 20.0855",
    ),
    (
        "tripd",
        lambda r: nn.TripletMarginWithDistanceLoss(reduction=r),
        lambda: (x, y, x + 1),
        1.587185,
        3.174369,
        "0.767949 2.40642",
    ),
    (
        "tripds",
        lambda r: nn.TripletMarginWithDistanceLoss(reduction=r, swap=True, margin=2.0),
        lambda: (x, y, x + 1),
        2.587185,
        5.174369,
        "1.76795 3.40642",
    ),
    (
        "bcel",
        lambda r: nn.BCEWithLogitsLoss(r),
        lambda: (x, y),
        1.150898,
        6.90539,
        "1.31326 0.126928 0.974077 0.644397 0.798139 3.04859",
    ),
    (
        "scep",
        lambda r: nn.SoftmaxCrossEntropyWithLogits(False, r),
        lambda: (x, y),
        1.736985,
        3.47397,
        "0.464369 3.0096",
    ),
    (
        "sce",
        lambda r: nn.SoftmaxCrossEntropyWithLogits(True, r),
        lambda: (x, classes),
        0.2869849,
        0.5739703,
        "0.464369 0.109601",
    ),
    (
        "cos",
        lambda r: nn.CosineEmbeddingLoss(0.1, r),
        lambda: (x, y, T([1, -1], ms.int32)),
        0.06356424,
        0.1271285,
        "0.127128 0",
    ),
    (
        "mr",
        lambda r: nn.MarginRankingLoss(0.1, r),
        lambda: (x, y, T([[1.0], [-1]])),
        0.5666667,
        3.4,
        "0 0 0 0 0.3 3.1",
    ),
    (
        "hinge",
        lambda r: nn.HingeEmbeddingLoss(1.0, r),
        lambda: (x, signs),
        0.9,
        5.4,
        "1 0 0.5 0.1 0.8 3",
    ),
    (
        "mm",
        lambda r: nn.MultiMarginLoss(reduction=r),
        lambda: (x, T([1, 2], ms.int64)),
        0,
        0,
        "0 0",
    ),
    (
        "gnll",
        lambda r: nn.GaussianNLLLoss(full=True, reduction=r),
        lambda: (x, y, T([[1.0, 0.5, 1], [1, 2, 1]])),
        2.008939,
        12.05363,
        "1.41894 1.57237 1.04394 1.32394 1.27551 5.41894",
    ),
    (
        "pnll f",
        lambda r: nn.PoissonNLLLoss(log_input=False, full=True, reduction=r),
        lambda: (x, y * 3),
        2.526079,
        15.15647,
        "1 1.68464 0.5 8.77183 0.2 3",
    ),
    (
        "bce",
        lambda r: nn.BCELoss(reduction=r),
        lambda: (ops.sigmoid(x), y),
        1.150899,
        6.905392,
        "1.31326 0.126928 0.974077 0.644397 0.798139 3.04859",
    ),
    (
        "ce3",
        lambda r: nn.CrossEntropyLoss(reduction=r),
        lambda: (x.reshape(2, 3, 1), T([[1], [2]], ms.int32)),
        0.2869848,
        0.5739696,
        "0.464368 0.109601",
    ),
    (
        "ctc",
        lambda r: nn.CTCLoss(0, r),
        lambda: (
            ops.log_softmax(T(np.arange(24).reshape(4, 2, 3) % 5)),
            T([[1, 2], [2, 1]], ms.int32),
            T([4, 3], ms.int32),
            T([2, 1], ms.int32),
        ),
        1.598906,
        4.659559,
        "2.92349 1.73606",
    ),
]


@pytest.mark.parametrize(
    ("make", "inputs", "mean", "total", "elements"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
@pytest.mark.parametrize("compiled", [False, True])
def test_reductions(make: Any, inputs: Any, mean: float, total: float, elements: str, compiled: bool) -> None:
    def run(reduction: str) -> Any:
        loss = make(reduction)
        return (ms.jit(loss) if compiled else loss)(*inputs()).asnumpy()

    np.testing.assert_allclose(run("mean"), mean, rtol=2e-5, atol=1e-6)
    np.testing.assert_allclose(run("sum"), total, rtol=2e-5, atol=1e-6)
    np.testing.assert_allclose(run("none").reshape(-1), np.array(elements.split(), float), rtol=3e-5, atol=2e-6)


SMOOTH = [row for row in ROWS if row[0] != "mm"]  # the inputs of that one lie on a kink


@pytest.mark.parametrize(("make", "inputs"), [row[1:3] for row in SMOOTH], ids=[row[0] for row in SMOOTH])
def test_gradients_against_differences(make: Any, inputs: Any) -> None:
    loss, (first, *others) = make("sum"), inputs()
    gradient = ms.grad(lambda x: loss(x, *others))(first).asnumpy()
    direction = np.random.default_rng(0).normal(size=first.shape).astype(np.float32)
    step = 1e-2
    values = [float(loss(first + sign * step * T(direction), *others).asnumpy()) for sign in (1, -1)]
    np.testing.assert_allclose((gradient * direction).sum(), (values[0] - values[1]) / (2 * step), rtol=3e-2, atol=1e-2)


def test_more_losses() -> None:
    assert float(nn.RMSELoss()(x, y).asnumpy()) == pytest.approx(1.4200939)
    assert float(nn.DiceLoss()(ops.sigmoid(x), y).asnumpy()) == pytest.approx(0.457547)
    assert float(nn.MultiClassDiceLoss()(x, y).asnumpy()) == pytest.approx(0.6691442)
    weighted = nn.MultiClassDiceLoss(weights=T([[1.0, 2], [1, 2.0], [3, 3]]), ignore_indiex=0)
    np.testing.assert_allclose(weighted(x, y).asnumpy(), [1.0336112, 1.0672222], rtol=1e-5)
    values = (T([0, 2], ms.int64), T([[0.5], [0.6]]), T([0.7, 0.8]))
    sampled = nn.SampledSoftmaxLoss(num_sampled=2, num_classes=3, sampled_values=values)
    inputs = T([[1.0, 2], [3, 4], [5, 6]]), T([1.0, 2, 3]), T([[0], [1]], ms.int64), T([[1.0, 2], [1.0, 1.0]])
    np.testing.assert_allclose(sampled(*inputs).asnumpy(), [13.53, 4.7213135], rtol=1e-5)
    drawn = nn.SampledSoftmaxLoss(num_sampled=2, num_classes=3, seed=1)
    assert drawn(*inputs).shape == (2,)


def test_losses_without_a_kernel_in_mindspore() -> None:
    soft = np.log1p(np.exp(-signs.asnumpy() * x.asnumpy()))
    np.testing.assert_allclose(nn.SoftMarginLoss("none")(x, signs).asnumpy(), soft, rtol=1e-5)
    near, far = x.asnumpy() - y.asnumpy() + 1e-6, np.full((2, 3), -1 + 1e-6)
    expected = np.maximum(np.linalg.norm(near, axis=1) - np.linalg.norm(far, axis=1) + 1, 0)
    np.testing.assert_allclose(nn.TripletMarginLoss(reduction="none")(x, y, x + 1).asnumpy(), expected, rtol=1e-4)
    scores, target = T([[0.1, 0.2, 0.4, 0.8]]), T([[3, 0, -1, 1]], ms.int32)
    # The targets are 3 and 0; 1 comes after the first negative one.
    assert float(nn.MultilabelMarginLoss()(scores, target).asnumpy()) == pytest.approx(0.85)


def test_cross_entropy() -> None:
    loss = nn.CrossEntropyLoss
    expected = [
        (loss(), classes, 0.2869848),
        (loss(weight=T([1.0, 2.0, 3.0])), classes, 0.2515081),
        (loss(ignore_index=2), classes, 0.4643683),
        (loss(), T([[0.2, 0.5, 0.3], [0.0, 0.0, 1.0]]), 0.6119849),
    ]
    for layer, target, value in expected:
        assert float(layer(x, target).asnumpy()) == pytest.approx(value, rel=1e-5)
        assert float(ms.jit(layer)(x, target).asnumpy()) == pytest.approx(value, rel=1e-5)
    gradient = ms.grad(loss())(x, classes)
    np.testing.assert_allclose(
        gradient.asnumpy(), [[0.1156118, -0.185734, 0.0701222], [0.0246556, 0.0272487, -0.0519044]], rtol=1e-5
    )


def test_focal_loss_of_confident_scores_is_small() -> None:
    scores = T([[[4.0, 0.0]], [[0.0, 0.0]]]).swapaxes(1, 2)
    labels = T([[[0]], [[1]]], ms.int32)
    plain, focal = nn.FocalLoss(gamma=0.0, reduction="none"), nn.FocalLoss(gamma=2.0, reduction="none")
    probability = np.exp(-plain(scores, labels).asnumpy())
    np.testing.assert_allclose(
        focal(scores, labels).asnumpy(), plain(scores, labels).asnumpy() * (1 - probability) ** 2, rtol=1e-4
    )


@pytest.mark.parametrize(
    ("shape", "weighted", "gamma"), chequered([(5, 3), (2, 3, 4), (2, 3, 2, 2)], [False, True], [0.0, 0.5, 2.0])
)
def test_focal_loss_by_its_formula(shape: tuple[int, ...], weighted: bool, gamma: float) -> None:
    """-w (1 - p)^gamma log(p) of the labelled class at each place; the mean over the places of each sample."""
    generator = np.random.default_rng(3)
    logits = generator.standard_normal(shape).astype(np.float32)
    labels = generator.integers(0, shape[1], (shape[0], 1, *shape[2:]))
    weight = np.array([0.5, 2.0, 3.0], np.float32)
    powers = np.exp(logits.astype(np.float64))
    p = np.take_along_axis(powers / powers.sum(1, keepdims=True), labels, 1)
    places = -((1 - p) ** gamma) * np.log(p) * (weight[labels] if weighted else 1.0)
    expected = places.reshape(shape[0], -1).mean(1)
    hot = np.moveaxis(np.eye(shape[1], dtype=np.float32)[labels[:, 0]], -1, 1)
    each = (places * hot).reshape(*shape[:2], -1).mean(-1)  # of one-hot labels each class has its own loss
    indices = Tensor(labels.astype(np.int32))
    for target, values in ((indices, expected), (Tensor(hot), each)):
        for reduction, wanted in (("none", values), ("mean", values.mean()), ("sum", values.sum())):
            loss = nn.FocalLoss(Tensor(weight) if weighted else None, gamma, reduction)
            for run in (loss, ms.jit(loss)):
                np.testing.assert_allclose(run(Tensor(logits), target).asnumpy(), wanted, rtol=2e-5, atol=1e-7)


def test_focal_loss_as_recorded_of_probabilities() -> None:
    scores, shares = T([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]]), T([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    each = nn.FocalLoss(gamma=1.5, reduction="none")(scores, shares)
    np.testing.assert_allclose(each.asnumpy(), [[1.30416, 0.0, 0.02396], [0.0, 1.14304, 2.02428]], rtol=1e-4, atol=1e-5)
    weighted = nn.FocalLoss(weight=T([0.5, 1.0, 2.0]), gamma=1.5)(scores, shares)
    assert float(weighted) == pytest.approx(0.98193, rel=1e-4)


def test_triplets_are_not_swapped_unless_told() -> None:
    """The positive is nearer to the negative than the anchor is, so that a swap would change the loss."""
    anchor, positive, negative = T([[0.0, 0.0]]), T([[3.0, 0.0]]), T([[4.0, 0.0]])
    for kind in (nn.TripletMarginLoss, nn.TripletMarginWithDistanceLoss):
        assert float(kind()(anchor, positive, negative)) == pytest.approx(0.0, abs=1e-5)  # 3 - 4 + 1
        assert float(kind(swap=False)(anchor, positive, negative)) == pytest.approx(0.0, abs=1e-5)
        assert float(kind(swap=True)(anchor, positive, negative)) == pytest.approx(3.0, abs=1e-5)  # 3 - 1 + 1
    assert float(ops.triplet_margin_loss(anchor, positive, negative)) == pytest.approx(0.0, abs=1e-5)
    assert float(ops.triplet_margin_loss(anchor, positive, negative, swap=True)) == pytest.approx(3.0, abs=1e-5)


@pytest.mark.parametrize("sparse", [1, 0, "yes", None])
def test_sparse_is_a_bool(sparse: Any) -> None:
    with pytest.raises(TypeError, match=f"'sparse' should be a bool, but got {type(sparse).__name__}"):
        nn.SoftmaxCrossEntropyWithLogits(sparse=sparse)


def test_losses_of_ones_own() -> None:
    class Weighted(nn.LossBase):
        def construct(self, a: Tensor, b: Tensor, weight: float = 1.0) -> Tensor:
            return self.get_loss(ops.abs(a - b) * 2, weight)

    a, b = T([1.0, 3.0]), T([0.0, 0.0])
    assert Weighted()(a, b).asnumpy() == 4.0
    assert Weighted("sum")(a, b).asnumpy() == 8.0
    assert Weighted("none")(a, b).asnumpy().tolist() == [2.0, 6.0]
    assert ms.jit(Weighted())(a, b, 0.5).asnumpy() == 2.0
    assert nn.L1Loss().get_axis(x) == (0, 1)
    assert nn.L1Loss().get_loss(T([1.0, 2.0], ms.float16)).dtype == ms.float16


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: nn.MSELoss("average"), ValueError, "reduction"),
        (lambda: nn.LossBase(3), ValueError, "reduction"),
        (lambda: nn.CrossEntropyLoss(label_smoothing=2.0), ValueError, "label_smoothing"),
        (lambda: nn.CrossEntropyLoss()(x, T([1, 2, 0], ms.int32)), ValueError, "shape"),
        (lambda: nn.MSELoss()(x, T([1.0, 2.0])), ValueError, "broadcast"),
        (lambda: nn.BCELoss()(x, T([1.0, 2])), ValueError, "shape"),
        (lambda: nn.CosineEmbeddingLoss(2.0), ValueError, "margin"),
        (lambda: nn.HuberLoss(delta=0.0), ValueError, "delta"),
        (lambda: nn.FocalLoss()(x.reshape(2, 3, 1), T([[1], [2]], ms.int32)), ValueError, "dimensions"),
        (lambda: nn.DiceLoss()(x, y[0]), ValueError, "shape"),
        (lambda: nn.SampledSoftmaxLoss(4, 3), ValueError, "num_sampled"),
        (lambda: nn.LossBase()(x, y), NotImplementedError, "construct"),
    ],
)
def test_refusals(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("loss", [nn.MSELoss(), nn.L1Loss(), nn.HuberLoss(), ops.mse_loss, ms.jit(ops.l1_loss)])
def test_shapes_that_are_broadcast_are_warned_of(loss: Any) -> None:
    with pytest.warns(UserWarning, match=r"\(4, 1\) and \(4,\) are broadcast"):
        loss(Tensor(np.ones((4, 1), np.float32)), Tensor(np.ones(4, np.float32)))


@pytest.mark.parametrize("loss", [ops.smooth_l1_loss, ops.kl_div, nn.SoftMarginLoss()])
def test_shapes_that_differ_are_refused(loss: Any) -> None:
    with pytest.raises(ValueError, match="should have the same shape"):
        loss(Tensor(np.ones((4, 1), np.float32)), Tensor(np.ones(4, np.float32)))


def test_gradients_of_integers_are_refused() -> None:
    weight = ms.Parameter(Tensor([1.0, 2.0]), name="weight")
    with pytest.raises(TypeError, match="should be of floats"):
        nn.Adam([weight])((Tensor([1, 2]),))


def test_variances_below_the_least_one() -> None:
    """The numbers are MindSpore's."""
    loss = nn.GaussianNLLLoss(reduction="none")
    given = Tensor([0.69, 1.0]), Tensor([-3.47, 1.0]), Tensor([-1e3, 0.0])
    for function in (loss, ms.jit(loss)):
        np.testing.assert_allclose(function(*given).asnumpy(), [8.652793e6, -6.9077554], rtol=1e-6)
    gradient = ms.grad(lambda variance: nn.GaussianNLLLoss(reduction="sum")(*given[:2], variance))
    np.testing.assert_allclose(gradient(Tensor([-1e3, 2.0])).asnumpy(), [0.0, 0.25])


def test_distances_are_over_the_second_dimension() -> None:
    """The numbers are MindSpore's."""
    given = [Tensor(np.random.default_rng(seed).normal(size=(2, 3, 4)).astype(np.float32)) for seed in range(3)]
    found = nn.TripletMarginWithDistanceLoss(reduction="none", swap=True)(*given)
    expected = [[1.8954899, 1.7024627, 1.7532514, 1.1021391], [1.6415281, 1.8006026, 1.7955598, 1.856134]]
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)
    vectors = [Tensor([0.0, 0.0]), Tensor([3.0, 4.0]), Tensor([0.0, 5.0])]
    assert float(nn.TripletMarginWithDistanceLoss()(*vectors)) == 1.0

"""Functions of layers and linear algebra: the values MindSpore gives, eager and compiled, gradients, and errors."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from recordings import cases, check_gradient, compiled, differs, eagerly

import mycel as ms
from mycel import Parameter, Tensor, ops

pytestmark = pytest.mark.filterwarnings("ignore:mse_loss. shapes .* are broadcast")  # as in MindSpore, which is silent

RECORDED = [*cases("nn"), *cases("linalg")]


@pytest.mark.parametrize(("expression", "definitions", "expected"), RECORDED)
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


OUTSIDE = ("Parameter(", "nn.Conv", "ops.grad(")  # makes Parameters or gradients itself


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in RECORDED if not any(map(case[0].__contains__, OUTSIDE))],
)
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


def _unary(*names):
    return {name: (getattr(ops, name), (3, 4)) for name in names}


LABELS = Tensor([1, 0, 2])
LARGE = Tensor([0.0, 0.0, 20.0, 20.0], ms.float64)
GRADIENTS = {
    **_unary(
        "relu", "relu6", "leaky_relu", "elu", "celu", "selu", "sigmoid", "logsigmoid", "silu", "gelu", "fast_gelu",
        "hardsigmoid", "hardswish", "hardtanh", "hardshrink", "softshrink", "tanhshrink", "softplus", "mish",
        "softsign", "softmax", "log_softmax", "softmin", "glu", "swiglu",
    ),
    "gelu_tanh": (lambda x: ops.gelu(x, "tanh"), (3, 4)),
    "softmax_axes": (lambda x: ops.softmax(x, (0, 1)), (3, 4)),
    "prelu": (ops.prelu, (2, 3, 2), (3,)),
    "cross_entropy": (lambda x: ops.cross_entropy(x, LABELS), (3, 4)),
    "cross_entropy_smooth": (lambda x: ops.cross_entropy(x, LABELS, label_smoothing=0.1), (3, 4)),
    "cross_entropy_probabilities": (lambda x, p: ops.cross_entropy(x, p, label_smoothing=0.2), (3, 4), (3, 4)),
    "mse_loss": (ops.mse_loss, (3, 4), (3, 4)),
    "l1_loss": (ops.l1_loss, (3, 4), (3, 4)),
    "smooth_l1_loss": (lambda x, y: ops.smooth_l1_loss(x, y, 0.7), (3, 4), (3, 4)),
    "huber_loss": (ops.huber_loss, (3, 4), (3, 4)),
    "bce_logits": (lambda x, w: ops.binary_cross_entropy_with_logits(x, ops.sigmoid(w), w, w), (3, 4), (3, 4)),
    "bce": (lambda x, y: ops.binary_cross_entropy(ops.sigmoid(x), ops.sigmoid(y)), (3, 4), (3, 4)),
    "kl_div": (lambda x: ops.kl_div(x, Tensor(np.linspace(0.0, 2.0, 12).reshape(3, 4))), (3, 4)),
    "gaussian_nll_loss": (lambda x, y, v: ops.gaussian_nll_loss(x, y, ops.exp(v)), (3, 4), (3, 4), (3, 4)),
    "cosine_embedding_loss": (lambda x, y: ops.cosine_embedding_loss(x, y, Tensor([1, -1, 1])), (3, 4), (3, 4)),
    "triplet_margin_loss": (lambda a, b, c: ops.triplet_margin_loss(a, b, c, swap=True), (3, 4), (3, 4), (3, 4)),
    "multi_margin_loss": (lambda x: ops.multi_margin_loss(x, LABELS, 2), (3, 4)),
    "multilabel_margin_loss": (
        lambda x: ops.multilabel_margin_loss(x, Tensor([[1, 0, -1, 2], [2, -1, 0, 0], [3, 2, 1, 0]])),
        (3, 4),
    ),
    "ctc_loss": (
        lambda x: ops.ctc_loss(ops.log_softmax(x, 2), Tensor([[1, 2], [2, 2]]), (5, 4), (2, 1))[0],
        (5, 2, 3),
    ),
    "conv1d": (lambda x, w: ops.conv1d(x, w, None, 2, "pad", 1), (2, 2, 6), (3, 2, 3)),
    "conv2d": (lambda x, w, b: ops.conv2d(x, w, b, 2, "same"), (2, 2, 5, 4), (4, 2, 3, 2), (4,)),
    "conv2d_groups": (lambda x, w: ops.conv2d(x, w, None, 1, "pad", (1, 2), (1, 2), 2), (1, 4, 5, 5), (4, 2, 3, 2)),
    "conv3d": (lambda x, w: ops.conv3d(x, w, None, 1), (1, 2, 3, 3, 4), (2, 2, 2, 2, 2)),
    "conv_transpose2d": (
        lambda x, w: ops.conv_transpose2d(x, w, None, 2, 1, 1),
        (1, 3, 3, 4),
        (3, 2, 3, 3),
    ),
    "dense": (ops.dense, (2, 3, 4), (5, 4), (5,)),
    "bidense": (ops.bidense, (3, 2), (3, 4), (5, 2, 4), (5,)),
    "embedding": (lambda w: ops.embedding(Tensor([[0, 2], [1, 1]]), w), (3, 4)),
    "max_pool2d": (lambda x: ops.max_pool2d(x, 3, 2, 1), (1, 2, 5, 6)),
    "avg_pool2d": (lambda x: ops.avg_pool2d(x, 3, 2, 1, count_include_pad=False), (1, 2, 5, 6)),
    "avg_pool1d": (lambda x: ops.avg_pool1d(x, 2, 2), (1, 2, 6)),
    "adaptive_avg_pool2d": (lambda x: ops.adaptive_avg_pool2d(x, (2, 3)), (1, 2, 5, 4)),
    "adaptive_max_pool2d": (lambda x: ops.adaptive_max_pool2d(x, (2, 3)), (1, 2, 5, 4)),
    "lp_pool2d": (lambda x: ops.lp_pool2d(ops.exp(x), 2, 2), (1, 2, 4, 4)),
    "layer_norm": (lambda x, w, b: ops.layer_norm(x, (4,), w, b), (3, 4), (4,), (4,)),
    "rms_norm": (lambda x, w: ops.rms_norm(x, w)[0], (3, 4), (4,)),
    "group_norm": (lambda x, w, b: ops.group_norm(x, 2, w, b), (2, 4, 3), (4,), (4,)),
    "batch_norm_training": (
        lambda x, w, b: ops.batch_norm(x, Tensor(np.zeros(3)), Tensor(np.ones(3)), w, b, True),
        (4, 3, 2),
        (3,),
        (3,),
    ),
    "batch_norm": (
        lambda x, w, b: ops.batch_norm(x, Tensor(np.zeros(3)), Tensor(np.ones(3)), w, b),
        (4, 3, 2),
        (3,),
        (3,),
    ),
    "lrn": (lambda x: ops.lrn(x, 1), (1, 4, 2, 2)),
    "cosine_similarity": (ops.cosine_similarity, (3, 4), (3, 4)),
    "interpolate_bilinear": (lambda x: ops.interpolate(x, (5, 3), mode="bilinear"), (1, 2, 3, 4)),
    "interpolate_bicubic": (lambda x: ops.interpolate(x, (5, 3), mode="bicubic"), (1, 2, 3, 4)),
    "interpolate_nearest": (lambda x: ops.interpolate(x, scale_factor=2.0), (1, 2, 3, 4)),
    "grid_sample": (lambda x, g: ops.grid_sample(x, ops.tanh(g)), (1, 2, 4, 4), (1, 3, 3, 2)),
    "grid_sample_border": (
        lambda x, g: ops.grid_sample(x, g * 2, padding_mode="border", align_corners=True),
        (1, 2, 4, 4),
        (1, 3, 3, 2),
    ),
    "grid_sample_bicubic": (lambda x, g: ops.grid_sample(x, ops.tanh(g), "bicubic"), (1, 2, 4, 4), (1, 2, 2, 2)),
    "pixel_shuffle": (lambda x: ops.pixel_shuffle(x, 2), (1, 8, 2, 3)),
    "unfold": (lambda x: ops.unfold(x, 2, 1, 1, 2), (1, 2, 4, 4)),
    "fold": (lambda x: ops.fold(x, (4, 4), 2, 1, 1, 2), (1, 8, 9)),
    "crop_and_resize": (
        lambda x, b: ops.crop_and_resize(x, ops.sigmoid(b), Tensor([0, 1]), (2, 3)),
        (2, 4, 4, 3),
        (2, 4),
    ),
    "roi_align": (
        lambda x: ops.roi_align(x, Tensor([[0, 0.3, 0.2, 4.0, 5.0]], ms.float64), 2, 2, 0.5),
        (1, 2, 4, 4),
    ),
    "bounding_box_decode": (lambda a, d: ops.bounding_box_decode(ops.exp(a) + LARGE, d, (99, 99)), (2, 4), (2, 4)),
    "matmul": (ops.matmul, (2, 3, 4), (4, 2)),
    "einsum": (lambda x, y: ops.einsum("bij,bjk->ik", x, y), (2, 3, 4), (2, 4, 2)),
    "tensor_dot": (lambda x, y: ops.tensor_dot(x, y, ((0, 2), (1, 0))), (2, 3, 4), (4, 2, 5)),
    "kron": (ops.kron, (2, 2), (2, 3)),
    "cross": (ops.cross, (2, 3), (2, 3)),
    "inverse": (lambda x: ops.inverse(x @ x.swapaxes(0, 1) + 3 * Tensor(np.eye(3))), (3, 3)),
    "slogdet": (lambda x: ops.slogdet(x @ x.swapaxes(0, 1) + Tensor(np.eye(3)))[1], (3, 3)),
    "norm_nuclear": (lambda x: ops.norm(x, "nuc"), (3, 4)),
    "norm_3": (lambda x: ops.norm(x, 3, 1), (3, 4)),
    "pinv": (ops.pinv, (3, 2)),
    "matrix_exp": (lambda x: ops.matrix_exp(x * 0.3), (3, 3)),
    "cdist": (ops.cdist, (3, 2), (4, 2)),
    "cov": (ops.cov, (3, 5)),
    "clip_by_global_norm": (
        lambda x, y: ops.concat([t.ravel() for t in ops.clip_by_global_norm((x, y), 0.5)]),
        (3,),
        (2, 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient(name):
    function, *shapes = GRADIENTS[name]
    rng = np.random.default_rng(3)
    check_gradient(function, *[rng.normal(size=shape) for shape in shapes], tolerance=1e-4)


def test_batch_norm_moves_the_running_statistics():
    x = np.random.default_rng(0).normal(size=(4, 3, 2)).astype(np.float32)
    mean = Parameter(Tensor(np.zeros(3, np.float32)), "mean", False)
    variance = Parameter(Tensor(np.ones(3, np.float32)), "variance", False)
    ms.jit(lambda x: ops.batch_norm(x, mean, variance, None, None, True, 0.25))(Tensor(x))
    assert np.allclose(mean.asnumpy(), 0.25 * x.mean((0, 2)), atol=1e-6)
    assert np.allclose(variance.asnumpy(), 0.75 + 0.25 * x.var((0, 2), ddof=1), atol=1e-6)


def test_dropout_keeps_the_mean_and_stops_when_not_training():
    ms.set_seed(1)
    x = Tensor(np.ones((100, 100), np.float32))
    kept = ops.dropout(x, 0.25).asnumpy()
    assert set(np.unique(kept).round(4)) == {0.0, np.float32(1.3333)}
    assert abs(kept.mean() - 1) < 0.02
    assert ops.dropout(x, 0.25, training=False) is x
    channels = ops.dropout2d(Tensor(np.ones((4, 8, 3, 3), np.float32)), 0.5).asnumpy().reshape(32, 9)
    assert all(row.min() == row.max() for row in channels)


def test_suppressed_boxes_let_others_stay():
    # The first removes the second, which therefore does not remove the third.
    boxes = np.array([[0, 0, 10, 10, 0.9], [4, 0, 14, 10, 0.8], [8, 0, 18, 10, 0.7]], np.float32)
    for run in (lambda f: f, ms.jit):
        _, order, keep = run(lambda b: ops.nms_with_mask(b, 0.4))(Tensor(boxes))
        assert order.asnumpy().tolist() == [0, 1, 2]
        assert keep.asnumpy().tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (RuntimeError, "C_in", lambda: ops.conv2d(ops.ones((1, 3, 4, 4)), ops.ones((2, 2, 3, 3)))),
        (ValueError, "pad_mode 'valid'", lambda: ops.conv2d(ops.ones((1, 2, 4, 4)), ops.ones((2, 2, 3, 3)), padding=1)),
        (ValueError, "input dimensions must be equal", lambda: ops.dense(ops.ones((2, 3)), ops.ones((4, 5)))),
        (RuntimeError, "inner dimensions", lambda: ops.matmul(ops.ones((2, 3)), ops.ones((2, 3)))),
        (TypeError, "must be same", lambda: ops.matmul(ops.ones((2, 2)), ops.ones((2, 2), ms.int32))),
        (TypeError, "floating-point", lambda: ops.softmax(Tensor([1, 2]))),
        (ValueError, "do not fit", lambda: ops.cross_entropy(ops.ones((2, 3)), Tensor([1, 2, 0]))),
        (ValueError, "reduction", lambda: ops.mse_loss(ops.ones((2,)), ops.ones((2,)), "average")),
        (ValueError, "does not fit an input", lambda: ops.interpolate(ops.ones((1, 1, 4)), 8, mode="bilinear")),
        (ValueError, "is not the end of the shape", lambda: ops.layer_norm(ops.ones((2, 3)), (2,))),
        (ValueError, "in \\[0, 1\\]", lambda: ops.dropout(ops.ones((2,)), 1.5)),
    ],
)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_labels_of_primitive_losses_have_no_gradient():
    logits, labels = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[1.0, 1.0], [0.0, 0.0]])
    cell = ms.nn.SoftmaxCrossEntropyWithLogits(reduction="sum")
    primitive = ops.SoftmaxCrossEntropyWithLogits()
    for loss in (cell, lambda x, y: primitive(x, y)[0].sum()):
        dx, dy = ms.grad(loss, (0, 1))(logits, labels)
        np.testing.assert_allclose(dx.asnumpy(), [[-0.7310586, -0.2689414], [0.2689414, 0.7310586]], rtol=1e-5)
        assert not dy.asnumpy().any()
    np.testing.assert_allclose(primitive(logits, labels)[0].asnumpy(), [1.6265233, 0.0], atol=1e-6)
    for loss in (ops.kl_div, lambda x, y: ops.SigmoidCrossEntropyWithLogits()(x, y).sum()):
        assert not ms.grad(loss, 1)(logits, labels).asnumpy().any()


def test_updates_of_parameters_give_tensors():
    def fresh():
        return ms.Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p")

    rows, ones = Tensor([[0], [1]], ms.int32), Tensor([[1.0, 1.0], [1.0, 1.0]])
    updates = (
        lambda p: ops.assign_add(p, ones), lambda p: ops.AssignAdd()(p, ones),
        lambda p: ops.scatter_nd_add(p, rows, ones),
        lambda p: ops.ScatterNdAdd()(p, rows, ones), lambda p: ops.ApplyGradientDescent()(p, 1.0, -ones),
    )  # fmt: skip
    for update in updates:
        parameter = fresh()
        result = update(parameter)
        assert type(result) is Tensor
        assert str(result) == "[[2. 3.]\n [4. 5.]]"
        assert (parameter.asnumpy() == result.asnumpy()).all()


def test_no_gradient_flows_to_regions_and_overlaps() -> None:
    """Regions that a network proposes do not learn from what is cut out there, as in MindSpore."""
    regions = Tensor([[0.0, 0.5, 0.5, 3.0, 3.0]])
    maps = Tensor(np.arange(16.0).reshape(1, 1, 4, 4), ms.float32)
    slopes = ms.grad(lambda maps, regions: ops.ROIAlign(2, 2, 0.5, 2)(maps, regions).sum(), (0, 1))(maps, regions)
    assert not slopes[1].asnumpy().any()
    assert slopes[0].asnumpy().sum() == pytest.approx(4.0)
    boxes = Tensor([[4.0, 1.0, 6.0, 9.0], [2.0, 5.0, 5.0, 9.0]])
    assert not ms.grad(lambda boxes: ops.iou(boxes, boxes + 1).sum())(boxes).asnumpy().any()


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_gradients_at_zero_vectors_and_ends(mode: int) -> None:
    """The bound of a length comes before its root; a logit has an infinite slope at its ends."""
    zero, other = Tensor([[0.0, 0.0], [3.0, 4.0]]), Tensor([[1.0, 1.0], [1.0, 1.0]])

    def gradient(function: Any, x: Tensor) -> np.ndarray:
        found: np.ndarray = ms.grad(function)(x).asnumpy()
        return found

    with ms.disable_jit() if mode == ms.PYNATIVE_MODE else contextlib.nullcontext():
        same = gradient(lambda x: ops.cosine_similarity(x, x, 1).sum(), zero)
        np.testing.assert_allclose(same, np.zeros((2, 2)), atol=1e-6)
        rows = gradient(lambda x: (ops.normalize(x) * other).sum(), zero)
        np.testing.assert_allclose(rows, [[1e12, 1e12], [0.032, -0.024]], rtol=1e-5)
        slopes = gradient(lambda x: ops.logit(x).sum(), Tensor([0.0, 0.5, 1.0]))
        np.testing.assert_allclose(slopes, [np.inf, 4.0, np.inf])


def test_a_bound_whose_square_is_no_number_of_the_dtype() -> None:
    rows = ops.normalize(Tensor([[0.0, 0.0], [3.0, 4.0]]), eps=1e-30)
    np.testing.assert_allclose(rows.asnumpy(), [[0.0, 0.0], [0.6, 0.8]], rtol=1e-6)

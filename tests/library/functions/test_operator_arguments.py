"""Rare arguments and edge cases of operators, against results of MindSpore 2.10."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import mycel as ms
import mycel.numpy as mnp
from mycel import Parameter, Tensor, mint, nn, ops

NAN = float("nan")


def test_tensor_scatter_elements_adds() -> None:
    x, index = ops.ones((3, 3)), Tensor([[0, 1, 0], [2, 0, 2]], ms.int32)
    updates = Tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    rows = ops.TensorScatterElements(0, reduction="add")(x, index, updates)
    assert rows.asnumpy().tolist() == [[1, 5, 3], [1, 2, 1], [4, 1, 6]]
    columns = ops.TensorScatterElements(axis=1, reduction="add")(x, index, updates)
    assert columns.asnumpy().tolist() == [[3, 2, 1], [5, 1, 9], [1, 1, 1]]


def test_median_without_nan() -> None:
    x = Tensor([[1, NAN, 3, 2], [4, 5, 6, NAN]], ms.float32)
    values, places = ops.Median(False, 1, False, True)(x)
    assert values.asnumpy().tolist() == [2, 5]
    assert places.asnumpy().tolist() == [3, 1]
    assert ops.Median(True, 0, False, True)(x)[0].asnumpy() == 3
    assert ops.Median(axis=1, keep_dims=True, ignore_nan=True)(x)[0].shape == (2, 1)


def test_qr_of_a_tensor_takes_some() -> None:
    x = Tensor(np.arange(12.0).reshape(4, 3) + np.eye(4, 3), ms.float32)
    assert [part.shape for part in x.qr()] == [(4, 3), (3, 3)]
    assert [part.shape for part in x.qr(some=True)] == [(4, 3), (3, 3)]
    assert [part.shape for part in x.qr(some=False)] == [(4, 4), (4, 3)]
    assert [part.shape for part in x.qr(False)] == [(4, 4), (4, 3)]


def test_slogdet_of_complex_matrices() -> None:
    x = Tensor(np.arange(9).reshape(3, 3) + 1j * np.eye(3), ms.complex64)
    sign, logarithm = ops.slogdet(x)
    assert sign.dtype is logarithm.dtype is ms.complex64
    assert sign.asnumpy() == pytest.approx(-0.53399 - 0.84549j, abs=1e-4)
    assert logarithm.asnumpy() == pytest.approx(3.1123, abs=1e-4)


def test_axes_of_a_squeezed_scalar() -> None:
    assert [ops.squeeze(Tensor(3.0), axis).shape for axis in (0, -1, (0,))] == [()] * 3
    with pytest.raises(ValueError, match="axis"):
        ops.squeeze(Tensor(3.0), 1)


def test_squeeze_of_none() -> None:
    assert ops.ones((1, 3, 1)).squeeze(None).shape == (3,)


def test_integers_are_divided_towards_zero() -> None:
    p = Parameter(Tensor([[7, -7], [9, 8]], ms.int32), name="p")
    found = ops.scatter_div(p, Tensor([0, 1], ms.int32), Tensor([[2, 2], [-2, 3]], ms.int32))
    assert found.dtype is ms.int32
    assert found.asnumpy().tolist() == [[3, -3], [-4, 2]]
    again = ops.tensor_scatter_div(
        Tensor([100, -100], ms.int32), Tensor([[0], [0], [1], [1]], ms.int32), Tensor([3, -7, 2, 2], ms.int32)
    )
    assert again.asnumpy().tolist() == [-4, -25]
    with pytest.raises(ValueError, match="must not contain 0"):
        ops.scatter_div(p, Tensor([0], ms.int32), Tensor([[0, 1]], ms.int32))


@pytest.mark.parametrize("jit", [False, True])
def test_gradients_of_extrema_at_nan(jit: bool) -> None:
    a, b = Tensor([1, NAN, 3, 2, NAN, 2], ms.float32), Tensor([2, 1, NAN, 2, NAN, 1], ms.float32)
    for function, expected in (
        (ops.minimum, [[1, 1, 1, 0.5, 1, 0], [0, 1, 1, 0.5, 1, 1]]),
        (ops.maximum, [[0, 1, 1, 0.5, 1, 1], [1, 1, 1, 0.5, 1, 0]]),
    ):
        gradient = ms.grad(lambda x, y, function=function: function(x, y), (0, 1))
        found = (ms.jit(gradient) if jit else gradient)(a, b)
        assert [part.asnumpy().tolist() for part in found] == expected


def test_gradient_of_relu6_at_its_edges() -> None:
    x = Tensor([-1, 0, 3, 6, 5.5, 7, NAN], ms.float32)
    assert ms.grad(ops.relu6)(x).asnumpy().tolist() == [0, 0, 1, 1, 1, 0, 0]


def test_places_on_the_border_have_no_gradient() -> None:
    images = Tensor(np.arange(18).reshape(1, 2, 3, 3) ** 1.5, ms.float32)
    grid = Tensor([[[[-1, -1], [1.5, 1.5], [1, 1], [0.2, -0.4], [-1.2, 0.3]]]], ms.float32)
    found = ms.grad(lambda x, g: ops.grid_sample(x, g, "bilinear", "border", True), 1)(images, grid).asnumpy()
    assert found[0, 0, :3].tolist() == [[0, 0]] * 3
    assert found[0, 0, 3:].tolist() == [pytest.approx([7.8902, 22.65], abs=1e-3), pytest.approx([0, 26.0263], abs=1e-3)]


def test_the_nearest_of_two_pixels_is_the_outer_one() -> None:
    images = Tensor(np.arange(9).reshape(1, 1, 3, 3), ms.float32)
    grid = Tensor([[[[-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5], [-1.5, 0], [1.5, 0]]]], ms.float32)
    for mode, outside in (("zeros", [0, 0]), ("border", [3, 5]), ("reflection", [4, 5])):
        found = ops.grid_sample(images, grid, "nearest", mode, True)
        assert found.asnumpy().ravel().tolist() == [4, 5, 4, 7, *outside]


def test_second_operands_may_be_numbers() -> None:
    x = Tensor([3.0, 4.0])
    np.testing.assert_allclose(ops.hypot(x, 4), np.hypot([3, 4], 4), rtol=1e-6)
    assert ops.hypot(Tensor([3.0], ms.float16), 4.0).dtype == ms.float16
    assert ops.ldexp(x, 2).tolist() == [12, 16]
    assert ops.lcm(Tensor([4, 10]), 6).tolist() == [12, 30]


def test_matrices_of_one_diagonal_are_square() -> None:
    for k in (1, -2):
        np.testing.assert_array_equal(ops.matrix_diag(Tensor([1, 2, 3]), k), np.diag([1, 2, 3], k))


def test_integers_are_not_rounded_or_wrapped() -> None:
    whole = Tensor([3, 4], ms.int32)
    np.testing.assert_allclose(ops.clip_by_norm(whole, 1.0), [0.6, 0.8], rtol=1e-6)
    assert ops.huber_loss(whole, whole + 3).item() == 2.5
    assert ops.vander(Tensor([20, 1], ms.int8), 3).tolist() == [[400, 20, 1], [1, 1, 1]]
    np.testing.assert_allclose(ops.tanhshrink(whole), whole - np.tanh([3, 4]), rtol=1e-6)


@pytest.mark.parametrize("upper", [False, True])
def test_inverses_by_cholesky_factors(upper: bool) -> None:
    """Only the triangle counts. An ill-conditioned matrix loses no more digits than its factor has lost."""
    matrices = np.random.default_rng(0).standard_normal((2, 30, 30))
    matrices = matrices @ matrices.swapaxes(-1, -2) + 1e-2 * np.eye(30)
    factors = np.linalg.cholesky(matrices).astype(np.float32)
    wide = factors.astype(np.float64)
    wanted = np.linalg.inv(wide @ wide.swapaxes(-1, -2))
    given = factors + np.triu(np.full((30, 30), 7, np.float32), 1)
    found = ops.cholesky_inverse(Tensor(given.swapaxes(-1, -2).copy() if upper else given), upper).asnumpy()
    np.testing.assert_allclose(found, wanted, 0, 2e-6 * np.abs(wanted).max())
    with pytest.raises(ValueError, match="cholesky_inverse: 'input_x' should hold square matrices"):
        ops.cholesky_inverse(Tensor(np.ones((2, 3), np.float32)), upper)


@pytest.mark.parametrize("axis", [-3, 2, 5])
@pytest.mark.parametrize("name", ["apply_along_axis", "unwrap", "rollaxis", "rollaxis's start", "Unflatten"])
def test_axes_out_of_range(name: str, axis: int) -> None:
    x = ops.ones((4, 4))
    calls: dict[str, Any] = {
        "apply_along_axis": lambda: ms.numpy.apply_along_axis(ms.numpy.sum, axis, x),
        "unwrap": lambda: ms.numpy.unwrap(x, axis=axis),
        "rollaxis": lambda: ms.numpy.rollaxis(x, axis),
        "rollaxis's start": lambda: ms.numpy.rollaxis(x, 0, axis + (axis == 2)),
        "Unflatten": lambda: ms.nn.Unflatten(axis, (2, 2))(x),
    }
    with pytest.raises(ValueError, match=r"value must be in \[-2, 2\), but got"):
        calls[name]()


def test_histograms_of_one_number() -> None:
    for values, bins, bounds, expected in (
        ([2.0, 2.0, 2.0], 3, (), [0, 3, 0]),
        ([-1.0], 4, (), [0, 0, 1, 0]),
        ([2.0, 2.0, 3.0], 3, (2, 2), [2, 0, 1]),
    ):
        assert ops.histc(Tensor(values), bins, *bounds).asnumpy().tolist() == expected
        assert ms.jit(ops.histc)(Tensor(values), bins, *bounds).asnumpy().tolist() == expected


def test_the_covariance_of_one_variable_is_a_scalar() -> None:
    for values in ([[1.0, 3.0]], [1.0, 3.0]):
        assert ops.cov(Tensor(values)).asnumpy().tolist() == np.cov(values).tolist() == 2.0


@pytest.mark.parametrize("alpha", [2, 3])
def test_a_number_with_a_factor_takes_the_dtype_of_the_tensor(alpha: int) -> None:
    x = Tensor([1, -2], ms.int8)
    for run in (lambda f: f, ms.jit):
        for function, expected in (
            (ms.mint.add, [1 + 2 * alpha, 2 * alpha - 2]),
            (ms.mint.sub, [1 - 2 * alpha, -2 - 2 * alpha]),
        ):
            found = run(lambda x, f=function: f(x, 2, alpha=alpha))(x)
            assert (found.dtype, found.asnumpy().tolist()) == (ms.int8, expected)


def test_a_bool_with_a_factor_takes_the_dtype_of_the_tensor() -> None:
    x, mask = Tensor([1, -2], ms.int8), Tensor([True, False])
    found = ms.mint.add(x, mask, alpha=2)
    assert (found.dtype, found.asnumpy().tolist()) == (ms.int8, [3, -2])


@pytest.mark.parametrize("compiled", [False, True])
def test_choices_of_several_dtypes_and_indices_out_of_range(compiled: bool) -> None:
    def chosen(indices: Tensor, mode: str) -> Tensor:
        return ms.numpy.choose(indices, (Tensor([1, 2], ms.int8), Tensor([0.5, 1.5])), mode)

    run = ms.jit(chosen) if compiled else chosen
    assert run(Tensor([1, 0]), "raise").asnumpy().tolist() == [0.5, 2.0]
    assert run(Tensor([-1, 2]), "wrap").asnumpy().tolist() == [0.5, 2.0]
    assert run(Tensor([-1, 2]), "clip").asnumpy().tolist() == [1.0, 1.5]
    for indices in ([2, 0], [0, -1]):
        with pytest.raises(IndexError, match="out of range"):
            run(Tensor(indices), "raise").asnumpy()
    with pytest.raises(ValueError, match="mode"):
        run(Tensor([0, 1]), "rise")


def test_the_dimension_of_equal_neighbours_is_checked() -> None:
    with pytest.raises(ValueError, match="dim value must be in"):
        ops.unique_consecutive(Tensor([1, 1]), dim=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ops.matrix_diag(x, align="LEFT"),
        lambda x: ops.matrix_diag_part(x, align="LEFT"),
        lambda x: ops.matrix_set_diag(x, x[0], align="LEFT"),
        lambda x: ms.numpy.unravel_index([1], (2, 2), order="A"),
        lambda x: ms.numpy.ravel_multi_index(([0], [1]), (2, 2), order="A"),
        lambda x: ms.numpy.ravel_multi_index(([0], [1]), (2, 2), mode="raise"),
    ],
)
def test_words_that_mean_nothing(call: Any) -> None:
    with pytest.raises(ValueError, match=r"LEFT|order|mode"):
        call(ops.ones((2, 2)))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ops.polygamma(1.5, x),
        lambda x: ops.cross_entropy(x, Tensor([0, 1]), ignore_index=1.5),
        lambda x: ops.nll_loss(x, Tensor([0, 1]), ignore_index=1.5),
        lambda x: ops.matrix_diag(x, k=1.5),
        lambda x: ops.matrix_diag_part(x, k=1.5),
        lambda x: ms.numpy.around(x, 1.5),
        lambda x: ops.one_hot(Tensor([0, 1]), 2.5),
        lambda x: ops.tril_indices(2, 2, 1.5),
    ],
)
def test_floats_in_place_of_integers(call: Any) -> None:
    with pytest.raises(TypeError, match=r"should be an int, but got float [12].5"):
        call(ops.ones((2, 2)))


@pytest.mark.parametrize("upper", [False, True])
def test_inverses_by_complex_cholesky_factors(upper: bool) -> None:
    factor = np.array([[2, 0], [1j, 3]])
    factor = factor.T.conj() if upper else factor
    whole = factor.conj().T @ factor if upper else factor @ factor.conj().T
    found = ops.cholesky_inverse(Tensor(factor), upper)
    np.testing.assert_allclose(found.asnumpy(), np.linalg.inv(whole), rtol=1e-12, atol=1e-12)


SCALAR, SIGNED = Tensor(5.0), Tensor(range(-4, 5), ms.int8)
ROWS, PAIRS = Tensor([[1.0, 5.0, 2.0], [7.0, 4.0, 0.0]]), Tensor([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0], [1.0, 1.0]])
RARE: dict[str, tuple[Any, Any, Any]] = {
    "gather of a scalar": (lambda: mint.gather(SCALAR, -1, Tensor([0, 0])), ms.float32, [5, 5]),
    "gather of a scalar by a scalar": (lambda: mint.gather(SCALAR, 0, Tensor(0)), ms.float32, 5),
    "gather of a vector by a scalar": (lambda: mint.gather(Tensor([1.0, 2.0]), 0, Tensor(1)), ms.float32, 2),
    "transpose of a scalar": (lambda: mint.transpose(SCALAR, 0, -1), ms.float32, 5),
    "swapaxes of a scalar": (lambda: SCALAR.swapaxes(0, 0), ms.float32, 5),
    "index_fill of a scalar": (lambda: ops.index_fill(SCALAR, 0, Tensor([0], ms.int32), 2.0), ms.float32, 2),
    "hardswish": (lambda: ops.hardswish(SIGNED), ms.int8, [0, 0, 0, 0, 0, 0, 1, 3, 4]),
    "hardsigmoid": (lambda: mint.nn.functional.hardsigmoid(SIGNED), ms.int8, [0, 0, 0, 0, 0, 0, 0, 1, 1]),
    "cross broadcasts": (lambda: ops.cross(ROWS, Tensor([1.0, 2.0, 3.0])), ms.float32, [[11, -1, -3], [12, -21, 10]]),
    "no difference": (lambda: mint.diff(ROWS, 0), ms.float32, ROWS.asnumpy().tolist()),
    "a float before integers": (lambda: mnp.diff(Tensor([1, 2]), prepend=0.5), ms.float32, [0.5, 1]),
    "max of all": (lambda: ops.max(ROWS, keepdims=True)[0], ms.float32, 7),
    "hinge_embedding_loss": (
        lambda: ops.hinge_embedding_loss(Tensor([2.0] * 4), Tensor([0.5, -3.0, 0.0, 2.0]), 5.0, "none"), ms.float32,
        [2, 3, 0, 2],
    ),
    "runs of rows": (lambda: ops.unique_consecutive(PAIRS, dim=0), ms.float32, [[1, 2], [2, 1], [1, 1]]),
    "runs of columns": (lambda: mint.unique_consecutive(PAIRS.T, dim=-1), ms.float32, [[1, 2, 1], [2, 1, 1]]),
    "rows in runs": (lambda: ops.unique_consecutive(PAIRS, True, dim=0)[1], ms.int64, [0, 0, 1, 2]),
    "lengths of runs": (lambda: PAIRS.unique_consecutive(False, True, 0)[1], ms.int64, [2, 1, 1]),
    "no runs": (lambda: ops.unique_consecutive(ops.zeros((0, 2)), dim=0), ms.float32, []),
    "a number as a polynomial": (lambda: mnp.polyval(2.0, Tensor([1.0, 3.0])), ms.float32, [2, 2]),
    "its integral": (lambda: mnp.polyint(2.5), ms.float32, [2.5, 0]),
    "a sum of numbers": (lambda: mnp.polyadd(Tensor(1.0), Tensor([2.0, 3.0])), ms.float32, [2, 4]),
    "trace": (lambda: Tensor([[100, 1], [2, 100]], ms.int8).trace(), ms.int64, 200),
    "bincount": (lambda: ops.bincount(Tensor([True, False, True])), ms.float32, [1, 2]),
}  # fmt: skip


@pytest.mark.parametrize("name", RARE)
def test_rare_arguments(name: str) -> None:
    run, dtype, numbers = RARE[name]
    for function in (run, ms.jit(run)):
        found = function()
        assert found.dtype is dtype
        assert found.asnumpy().tolist() == numbers


OWN = Parameter(ROWS, name="own")
MISTAKES: dict[str, Any] = {
    "no number": lambda x: ops.elu(x, alpha=None),
    "a list": lambda x: ops.hardshrink(x, [1]),
    "argmax": lambda x: x.argmax(keepdim="no"),
    "sort": lambda x: ops.sort(x, descending="no"),
    "topk": lambda x: ops.topk(x, 1, largest=None),
    "isclose": lambda x: ops.isclose(x, x, equal_nan=[]),
    "sum": lambda x: x.sum(keepdims="no"),
    "median": lambda x: mint.median(x, 0, keepdim="no"),
    "relu": lambda x: mint.nn.functional.relu(x, "no"),
    "nonzero": lambda x: ops.nonzero(x, as_tuple=1.5),
    "windows": lambda x: ops.hann_window(3, periodic="no"),
    "svd": lambda x: ops.svd(ops.ones((2, 2)), compute_uv=None),
    "pools": lambda x: ops.avg_pool1d(ops.ones((1, 1, 4)), 2, ceil_mode="no"),
    "a square of rows": lambda x: ops.index_fill(x, 0, Tensor([[0, 1]]), 2.0),
    "a square of rows to add": lambda x: mint.index_add(x, 0, Tensor([[0, 1]]), x),
    "kthvalue": lambda x: mint.kthvalue(x, -1),
    "fft": lambda x: ops.fft(x, -1),
    "take_along_axis": lambda x: mnp.take_along_axis(x, Tensor([0]), -2),
    "histogram": lambda x: mnp.histogram(x, weights=[1]),
    "diff": lambda x: mnp.diff(x, -1),
    "polyder": lambda x: mnp.polyder(x, -2),
    "polyint": lambda x: mnp.polyint(x, -2),
    "gaussian_nll_loss": lambda x: ops.gaussian_nll_loss(x, x, x, eps=-1),
    "tril_indices": lambda x: ops.tril_indices(3, -1),
    "updates of a row": lambda x: ops.tensor_scatter_update(ROWS, Tensor([[0]]), ops.ones(3)),
    "updates of elements": lambda x: ops.tensor_scatter_add(x, Tensor([[0], [1]]), ops.ones(1)),
    "updates of a Parameter": lambda x: ops.scatter_add(OWN, Tensor([0, 1]), ops.ones((1, 3))),
    "no images": lambda x: ops.depth_to_space(x, 2),
    "no image": lambda x: ops.space_to_depth(x, 2),
    "an oblong matrix": lambda x: ops.matrix_exp(ROWS),
    "an axis too many": lambda x: mnp.split(x, 1, 1),
    "columns": lambda x: mnp.hsplit(x.sum(), 1),
    "matrices as polynomials": lambda x: mnp.polyval(ROWS, x),
    "matrices as signals": lambda x: mnp.correlate(ROWS, ROWS),
    "norm": lambda x: ops.norm(x, keepdim=[1]),
    "planes to pool": lambda x: mint.nn.AvgPool2d(2, ceil_mode="no")(ops.ones((1, 4, 4))),
    "bias of a layer": lambda x: mint.nn.Linear(2, 2, bias="no")(x),
    "rows of padding": lambda x: mint.nn.ZeroPad2d((1, 1))(ROWS),
    "an image to pad as a line": lambda x: mint.nn.ReflectionPad1d(1)(ops.ones((1, 1, 3, 3))),
    "swap": lambda x: nn.TripletMarginWithDistanceLoss(swap="no")(x, x, x),
    "full": lambda x: nn.GaussianNLLLoss(full="no")(x, x, x),
    "a complex number among floats": lambda x: ops.threshold(x, 0.3, 1j),
    "unique_consecutive": lambda x: ops.unique_consecutive(x, return_counts="no"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistaken_arguments(name: str) -> None:
    for function in (MISTAKES[name], ms.jit(MISTAKES[name])):
        with pytest.raises((TypeError, ValueError)):
            function(Tensor([1.0, -2.0]))


@pytest.mark.parametrize(("name", "message"), [
    ("a square of rows to add", "should be a vector"), ("no images", "(N, C, H, W)"), ("no image", "(N, C, H, W)"),
    ("matrices as polynomials", "coefficients"),
])  # fmt: skip
def test_mistaken_arguments_are_named(name: str, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        MISTAKES[name](Tensor([1.0, -2.0]))


def test_numbers_as_text_end_a_graph() -> None:
    with pytest.warns(ms.FallbackWarning):
        assert ms.jit(lambda x: mnp.array_str(x))(Tensor([1, 2])) == "[1 2]"

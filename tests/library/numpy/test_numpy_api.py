"""`mycel.numpy` and `mycel.mint`: values as MindSpore or NumPy give them, eager and compiled, and mint's layers."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from recordings import cases, compiled, differs, eagerly

import mycel as ms
import mycel.numpy as mnp
from mycel import Tensor, mint

RECORDED = [*cases("numpy"), *cases("mint")]


@pytest.mark.parametrize(("expression", "definitions", "expected"), RECORDED)
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


READS_NUMBERS = ("array_str", "mint.item", "mnp.pi", "mnp.inf")


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in RECORDED if not any(map(case[0].__contains__, READS_NUMBERS))],
)
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


X = np.array([[3.0, 1.0, 2.0], [0.5, -1.0, 4.0]], np.float32)
AGAINST_NUMPY = {
    "corrcoef": lambda m, x: m.corrcoef(x),
    "histogram": lambda m, x: m.histogram(x, 4)[0],
    "gradient": lambda m, x: m.gradient(x, axis=1),
    "convolve": lambda m, x: m.convolve(x[0], x[1], "same"),
    "correlate": lambda m, x: m.correlate(x[0], x[1], "full"),
    "unravel_index": lambda m, x: m.unravel_index(m.array([5, 2]), (2, 3))[1],
    "rollaxis": lambda m, x: m.rollaxis(x, 1),
    "geomspace": lambda m, x: m.geomspace(1.0, 8.0, 4),
    "polymul": lambda m, x: m.polymul(x[0], x[1]),
    "polyder": lambda m, x: m.polyder(x[0]),
    "polyint": lambda m, x: m.polyint(x[0]),
    "trapz": lambda m, x: m.trapezoid(x) if hasattr(m, "trapezoid") else m.trapz(x),
    "nanvar": lambda m, x: m.nanvar(m.where(x > 3.5, float("nan"), x), 1),
    "pad_mean": lambda m, x: m.pad(x, 1, "mean"),
    "array_split": lambda m, x: m.array_split(x, 2, 1)[0],
    "interp": lambda m, x: m.interp(m.array([-1.0, 0.5, 9.0]), m.array([0.0, 1.0]), m.array([2.0, 4.0])),
    "interp_one": lambda m, x: m.interp(m.array([0.0, 1.0, 2.0]), m.array([1.0]), m.array([5.0])),
    "interp_equal": lambda m, x: m.interp(m.array([0.5, 1.0, 2.0]), m.array([0.0, 1.0, 1.0]), m.array([5.0, 6.0, 7.0])),
    "digitize": lambda m, x: m.digitize(x, m.array([-1.0, 1.0, 2.0])),
    "digitize_falling": lambda m, x: m.digitize(x, m.array([3.0, 1.0, 0.5])),
    "digitize_falling_right": lambda m, x: m.digitize(x, m.array([3.0, 1.0, 0.5]), right=True),
    "isin": lambda m, x: m.isin(x, m.array([1.0, 4.0])),
    "apply_along_axis": lambda m, x: m.apply_along_axis(lambda row: row * 2, 1, x),
    "average": lambda m, x: m.average(x, 0),
    "take_along_axis": lambda m, x: m.take_along_axis(x, m.argmax(x, 1)[:, None], 1),
}


@pytest.mark.parametrize("name", AGAINST_NUMPY)
def test_as_numpy(name):
    function = AGAINST_NUMPY[name]
    found = function(mnp, Tensor(X)).asnumpy()
    assert np.allclose(found, function(np, X), atol=1e-5)


def test_defaults_of_creation():
    assert mnp.arange(3).dtype == mnp.array([1, 2]).dtype == ms.int32
    assert mnp.array([1.0]).dtype == mnp.zeros((2,)).dtype == ms.float32
    assert mnp.array(np.array([1.0])).dtype == ms.float64
    assert mnp.array([1], ndmin=3).shape == (1, 1, 1)


@pytest.mark.parametrize("shape", [(2,), (3,), (5, 4), (2, 7)])
def test_central_differences_round_once(shape):
    """The neighbours on both sides are subtracted from each other, as MindSpore and NumPy do it."""
    x = np.random.RandomState(0).normal(size=shape).astype(np.float32)
    found, expected = mnp.gradient(Tensor(x)), np.gradient(x)
    if len(shape) == 1:
        found, expected = [found], [expected]
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine.asnumpy(), theirs)
    with pytest.raises(ValueError, match=rf"axis {len(shape)} should have at least 2 elements, but has 1"):
        mnp.gradient(Tensor(x[..., None]))


def test_central_differences_refuse_other_axes_and_distances():
    with pytest.raises(ValueError, match=r"gradient: the axis value must be in \[-2, 2\), but got 5"):
        mnp.gradient(Tensor(X), axis=5)
    with pytest.raises(ValueError, match="one for each of 2 axes, but got"):
        mnp.gradient(Tensor(X), 1.0, 2.0, 3.0)
    with pytest.raises(TypeError, match="gradient"):
        mnp.gradient(Tensor(X), axis=1.5)


def test_gradient_of_numpy_functions():
    gradient = ms.grad(lambda x: mnp.sum(mnp.square(mnp.concatenate((x, mnp.flip(x, 1)), axis=0)[:, 1:])))(Tensor(X))
    assert np.allclose(gradient.asnumpy(), 2 * X * [1, 2, 1])


def test_mint_functions_have_their_signatures():
    assert str(inspect.signature(mint.cat)) == "(tensors: 'Any', dim: 'int' = 0) -> 'Tensor'"
    with pytest.raises(TypeError, match=r"cat\(\) got an unexpected keyword argument 'axis': did you mean 'dim'"):
        mint.cat((Tensor([1.0]),), axis=0)


@pytest.mark.parametrize(
    ("call", "dtype", "expected"),
    [
        (lambda x: mint.argmax(x, 1), "Int64", [0, 2]),
        (lambda x: mint.sort(x, dim=1)[1], "Int64", [[1, 2, 0], [1, 0, 2]]),
        (lambda x: mint.topk(x, 1)[1], "Int64", [[0], [2]]),
        (lambda x: mint.median(x), "Float32", 1.0),
        (lambda x: mint.median(x, 1)[0], "Float32", [2.0, 0.5]),
        (lambda x: mint.var(x, 1, correction=0), "Float32", X.var(1).tolist()),
        (lambda x: mint.max(x, 1)[0], "Float32", [3.0, 4.0]),
        (lambda x: mint.max(x, mint.full_like(x, 2.0)), "Float32", np.maximum(X, 2).tolist()),
        (
            lambda x: mint.scatter_add(x, 1, Tensor([[0], [0]]), Tensor([[1.0], [1.0]])),
            "Float32",
            (X + np.array([1, 0, 0])).tolist(),
        ),
        (lambda x: mint.linalg.norm(x), "Float32", float(np.linalg.norm(X))),
        (lambda x: mint.nn.functional.one_hot(Tensor([1, 0])), "Int64", [[0, 1], [1, 0]]),
        (lambda x: mint.nn.functional.leaky_relu(x, 0.5), "Float32", np.where(X > 0, X, X / 2).tolist()),
        (lambda x: mint.unique(Tensor([2, 1, 2]), return_counts=True)[1], "Int64", [1, 2]),
        (lambda x: mint.normal(0.0, 0.0, (2,)), "Float32", [0.0, 0.0]),
    ],
)
def test_mint_semantics(call, dtype, expected):
    value = call(Tensor(X))
    assert str(value.dtype) == dtype
    assert np.allclose(value.asnumpy(), expected, atol=1e-5)


def test_mint_layers_train():
    ms.set_seed(0)
    layers = mint.nn
    net = layers.Sequential(
        layers.Conv2d(1, 4, 3, padding=1), layers.BatchNorm2d(4), layers.ReLU(), layers.MaxPool2d(2), layers.Flatten(),
        layers.Dropout(0.1), layers.Linear(16, 2),
    )  # fmt: skip
    names = [parameter.name for parameter in net.trainable_params()]
    assert names == ["0.weight", "0.bias", "1.weight", "1.bias", "6.weight", "6.bias"]
    x = Tensor(np.random.default_rng(0).normal(size=(8, 1, 4, 4)).astype(np.float32))
    y = Tensor((x.asnumpy().mean((1, 2, 3)) > 0).astype(np.int32))
    loss_function = layers.CrossEntropyLoss()
    net.set_train()
    for kind in (mint.optim.SGD, mint.optim.Adam, mint.optim.AdamW):
        optimizer = kind(net.trainable_params(), lr=0.05)
        step = ms.value_and_grad(lambda a, b: loss_function(net(a), b), None, optimizer.parameters)
        losses = []
        for _ in range(12):
            loss, gradients = step(x, y)
            optimizer(gradients)
            losses.append(loss.asnumpy().item())
        assert losses[-1] < max(losses[0], 0.05)  # the second optimizer begins with what the first one has learned


def test_adamw_is_the_textbooks():
    w = ms.Parameter(Tensor([1.0, -2.0]), "w")
    optimizer = mint.optim.AdamW([w], lr=0.1, betas=(0.8, 0.9), eps=1e-6, weight_decay=0.5)
    value, m, v = np.array([1.0, -2.0]), np.zeros(2), np.zeros(2)
    for step, g in enumerate([np.array([0.5, 1.0]), np.array([-0.25, 2.0])], 1):
        optimizer((Tensor(g.astype(np.float32)),))
        m, v = 0.8 * m + 0.2 * g, 0.9 * v + 0.1 * g * g
        value = value * (1 - 0.1 * 0.5) - 0.1 * (m / (1 - 0.8**step)) / (np.sqrt(v / (1 - 0.9**step)) + 1e-6)
    assert np.allclose(w.asnumpy(), value, atol=1e-5)
    with pytest.raises(ValueError, match="empty list"):
        mint.optim.AdamW([])
    with pytest.raises(ValueError, match="no setting 'speed'"):
        mint.optim.SGD([{"params": [w], "speed": 3}], lr=0.1)


def test_grids_and_triangles():
    import mycel.numpy as mnp

    np.testing.assert_array_equal(mnp.mgrid[0:3, 0:2].asnumpy(), np.mgrid[0:3, 0:2])
    np.testing.assert_allclose(mnp.mgrid[-1:1:5j].asnumpy(), np.mgrid[-1:1:5j])
    for ours, theirs in zip(mnp.ogrid[0:3, 0:2], np.ogrid[0:3, 0:2], strict=True):
        np.testing.assert_array_equal(ours.asnumpy(), theirs)
    matrix = mnp.ones((3, 4))
    for ours, theirs in (
        (mnp.diag_indices(3), np.diag_indices(3)),
        (mnp.tril_indices_from(matrix, 1), np.tril_indices_from(np.ones((3, 4)), 1)),
        (mnp.triu_indices_from(matrix), np.triu_indices_from(np.ones((3, 4)))),
    ):
        assert [item.asnumpy().tolist() for item in ours] == [item.tolist() for item in theirs]
    with pytest.raises(ValueError, match="a matrix is expected"):
        mnp.tril_indices_from(mnp.ones(3))


def test_sets():
    import mycel.numpy as mnp

    assert mnp.setdiff1d([1, 2, 3, 2, 4, 1], [3, 4]).asnumpy().tolist() == [1, 2]
    values, *places = mnp.intersect1d([1, 3, 4, 3], [3, 1, 2, 1], return_indices=True)
    assert [values.asnumpy().tolist(), *[item.asnumpy().tolist() for item in places]] == [[1, 3], [0, 1], [1, 0]]


def test_histograms_count_every_element():
    import mycel.numpy as mnp

    for seed in range(20):  # without exact bounds, rounding lost the largest element of some
        points = np.random.RandomState(seed).randn(24).astype(np.float32)
        counts, bounds = mnp.histogram(points)
        assert counts.asnumpy().sum() == 24
        assert (bounds.asnumpy()[0], bounds.asnumpy()[-1]) == (points.min(), points.max())


def test_sums_without_nan_of_integers_are_exact():
    import mycel.numpy as mnp

    whole = Tensor([16_777_217, 0], ms.int32)
    assert [mnp.nansum(whole).item(), mnp.nanmax(whole).item()] == [16_777_217] * 2
    assert mnp.nancumsum(whole).tolist() == [16_777_217] * 2
    assert mnp.nanmin(whole).dtype == ms.int32


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (ms.bool_, (ms.int32, ms.int32, ms.int64, ms.bool_)),
        (ms.uint8, (ms.int32, ms.uint32, ms.uint8, ms.int64)),
        (ms.uint16, (ms.uint16, ms.uint32, ms.uint16, ms.int64)),
        (ms.int32, (ms.int32, ms.int32, ms.int32, ms.int64)),
        (ms.int64, (ms.int64, ms.int64, ms.int64, ms.int64)),
        (ms.float16, (ms.float16, ms.float16, ms.float16, ms.float16)),
    ],
)
def test_dtypes_of_sums(dtype, expected):
    import mycel.numpy as mnp

    x = Tensor([[1, 1], [0, 1]], dtype)
    results = [function(x) for function in (mnp.cumsum, mnp.cumprod, mnp.nansum, mnp.trace)]
    assert tuple(result.dtype for result in results) == expected
    assert results[0].asnumpy().tolist() == [1, 2, 2, 3]
    assert mnp.cumsum(Tensor([100, 100], ms.int8)).asnumpy().tolist() == [100, 200]
    assert mnp.cumsum(x, dtype=ms.float32).dtype == ms.float32


@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanstd"])
def test_means_of_halves_without_nan_are_in_single_precision(name):
    import mycel.numpy as mnp

    x = Tensor([1.0, float("nan"), 4.0], ms.float16)
    assert getattr(mnp, name)(x).dtype == ms.float32
    assert getattr(mnp, name)(x, dtype=ms.float16).dtype == ms.float16


def test_triangles_of_vectors_and_dtypes_of_choices():
    import mycel.numpy as mnp

    assert [mnp.where([True], 1, other).dtype for other in (2, 2.5)] == [ms.int32, ms.float32]
    assert mnp.tril([1, 2, 3], -1).asnumpy().tolist() == np.tril([1, 2, 3], -1).tolist()
    assert isinstance(mnp.array_equal([1], [1, 2]), Tensor)


def test_histograms_of_several_dimensions():
    import mycel.numpy as mnp

    points = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)
    for options in ({"bins": (2, 3, 4)}, {"bins": 3, "density": True}, {"bins": 2, "weights": np.arange(200.0)}):
        counts, edges = mnp.histogramdd(Tensor(points), **options)
        expected, bounds = np.histogramdd(points, **options)
        np.testing.assert_allclose(counts.asnumpy(), expected, rtol=1e-4)
        for ours, theirs in zip(edges, bounds, strict=True):
            np.testing.assert_allclose(ours.asnumpy(), theirs, rtol=1e-5)
    counts, xs, ys = mnp.histogram2d(mnp.arange(5), mnp.arange(2, 7), bins=(2, 3))
    assert counts.asnumpy().tolist() == [[2, 0, 0], [0, 1, 2]]
    assert (xs.shape, ys.shape) == ((3,), (4,))


def test_pieces_and_angles():
    import mycel.numpy as mnp

    x = mnp.linspace(-2.5, 2.5, 6)
    assert str(mnp.piecewise(x, [x < 0, x >= 0], [-1, 1])) == "[-1 -1 -1  1  1  1]"
    assert mnp.piecewise(x, [x < 0], [lambda x: -x, lambda x: x * 2]).asnumpy().tolist() == [2.5, 1.5, 0.5, 1, 3, 5]
    with pytest.raises(ValueError, match="1 conditions, but 3 functions"):
        mnp.piecewise(x, [x < 0], [1, 2, 3])
    angles = np.array([[0.0, 3.5, 7.0, 10.0, -3.0], [1.0, -5.0, 6.0, 2.0, 12.0]])
    for axis in (0, 1):
        ours = mnp.unwrap(Tensor(angles), axis=axis).asnumpy()
        np.testing.assert_allclose(ours, np.unwrap(angles, axis=axis), rtol=1e-5)
    assert mnp.rad2deg(Tensor([1, 2])).dtype == ms.float32
    assert mnp.result_type("i2", ms.float32, True) == ms.float32
    assert mnp.choose([[1, 0], [0, 1]], [-10, 10]).asnumpy().tolist() == [[10, -10], [-10, 10]]


def test_results_have_the_dtype_of_both_operands():
    import mycel.numpy as mnp

    assert mnp.searchsorted([-2, 0, 3], [-1.5, 0.5]).tolist() == [1, 2]
    assert mnp.convolve([1, 2, 3], [0, 1]).dtype == ms.int32
    assert mnp.convolve(Tensor([1, 2], ms.int8), [0.5, 1.0]).tolist() == [0.5, 2.0, 2.0]
    assert mnp.convolve([1, 2], 2.5).tolist() == [2.5, 5.0]
    assert mnp.intersect1d([1, 2], [2.0, 3.0]).dtype == ms.float32
    assert mnp.vander(Tensor([1, 2], ms.int8)).dtype == ms.int8
    assert [mnp.sin(Tensor([1], dtype)).dtype for dtype in (ms.int8, ms.int16)] == [ms.float16, ms.float32]


@pytest.mark.parametrize("call", ["diff([1], axis=1)", "trapz([1.0], axis=1)", "convolve([[1]], [1])"])
def test_shapes_that_do_not_fit_are_value_errors(call):
    import mycel.numpy as mnp

    with pytest.raises(ValueError, match=r"axis|vectors are expected"):
        eval(f"mnp.{call}", {"mnp": mnp})


@pytest.mark.parametrize(
    ("dtype", "kind"), [(int, "int32"), ("int", "int32"), (float, "float32"), ("float", "float32")]
)
def test_new_arrays_of_a_python_type_have_32_bits(dtype, kind):
    made = [
        mnp.array([1, 2], dtype), mnp.asarray([1, 2], dtype), mnp.zeros(2, dtype), mnp.full(2, 1, dtype),
        mnp.ones_like(Tensor([1.0]), dtype), mnp.eye(2, dtype=dtype), mnp.linspace(1, 3, 3, dtype=dtype),
    ]  # fmt: skip
    assert {tensor.dtype for tensor in made} == {getattr(ms, kind)}
    assert mnp.promote_types(dtype, ms.int8) is getattr(ms, kind)
    assert mnp.asfarray([1, 2], dtype).dtype is ms.float32
    # these convert as Tensor.astype does
    wide = {"int32": ms.int64, "float32": ms.float64}[kind]
    assert {mnp.arange(3, dtype=dtype).dtype, mnp.mean(mnp.ones(2), dtype=dtype).dtype} == {wide}


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64, np.float16])
def test_elements_are_sought_in_large_sets(dtype):
    random = np.random.default_rng(0)
    x, others = (random.integers(-900, 900, shape).astype(dtype) for shape in ((7, 60), (400,)))
    if x.dtype.kind == "f":
        x[0, :4], others[:4] = [np.nan, np.inf, -0.0, -np.inf], [np.nan, np.inf, 0.0, 1.0]
    for invert in (False, True):
        expected = np.isin(x, others, invert=invert)
        for function in (mnp.isin, ms.jit(mnp.isin)):
            assert np.array_equal(function(Tensor(x), Tensor(others), invert).asnumpy(), expected)

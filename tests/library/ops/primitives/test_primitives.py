"""Primitives: every row of the table has its function, values as MindSpore gives them, and what objects need."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from recordings import cases, compiled, differs, eagerly, namespace

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.library.ops import primitives
from mycel.library.ops.primitives import Primitive, extended, rare

CLASSES = {
    name: kind
    for name in primitives.__all__
    if isinstance(kind := getattr(primitives, name), type) and hasattr(kind, "target")
}

RECORDED = [
    *cases("primitives"),
    *cases("gradients"),
    *cases("special"),
    *cases("results"),
    *cases("segments"),
    *cases("pictures"),
]


@pytest.mark.parametrize(("expression", "definitions", "expected"), RECORDED)
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


NOT_COMPILED = (
    "Parameter(",
    "Depend",
    ".name",
    ".axis",
    "asnumpy",
    "Segment",
    "NthElement",
    "RaggedRange",
    "Col2Im",
    "EuclideanNorm",
)


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in RECORDED if not any(map(case[0].__contains__, NOT_COMPILED))],
)
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


def test_every_row_names_a_function_that_exists():
    for name, primitive in CLASSES.items():
        target = primitive.target
        assert callable(getattr(ops, target) if isinstance(target, str) else target), name
        assert getattr(ops, name) is primitive
    assert len(CLASSES) > 900


def test_rare_primitives_are_listed_and_loaded_when_asked_for():
    assert set(rare.__all__) < set(CLASSES)
    assert set(primitives.__all__) <= set(dir(ops))
    assert rare.Trace is primitives.Trace
    with pytest.raises(AttributeError, match="no attribute 'NoSuch'"):
        _ = primitives.NoSuch


def test_text_attributes_and_copies():
    concat = ops.Concat(axis=1)
    assert repr(concat) == "Prim[Concat]<axis=1>"
    assert (concat.name, concat.axis) == ("Concat", 1)
    assert concat.add_prim_attr("primitive_target", "CPU").shard(((1, 1),)).set_device("CPU") is concat
    assert concat.primitive_target == "CPU"
    x = Tensor([[1.0]])
    for other in (copy.deepcopy(concat), pickle.loads(pickle.dumps(concat)), concat.clone()):
        assert other((x, x)).shape == (1, 2)


def test_wrong_arguments_are_named():
    with pytest.raises(TypeError, match=r"Concat\(axis=0\): got an unexpected keyword argument 'dim'"):
        ops.Concat(dim=1)
    with pytest.raises(TypeError, match="missing a required argument: 'shape'"):
        ops.BroadcastTo()


@pytest.mark.parametrize(
    ("make", "key", "wanted"),
    [
        (lambda: ops.ReduceSum(keep_dims=1), "keep_dims", "a bool, but got int"),
        (lambda: ops.Softmax("x"), "axis", "an int, but got str"),
        (lambda: ops.Argmax(axis=None), "axis", "an int, but got NoneType"),
        (lambda: ops.OneHot(axis=True), "axis", "an int, but got bool"),
        (lambda: ops.LayerNorm(epsilon="x"), "epsilon", "a float, but got str"),
        (lambda: ops.BiasAdd(data_format=3), "data_format", "a str, but got int"),
        (lambda: ops.Squeeze(1.5), "axis", "a tuple of ints, but got float"),
        (lambda: ops.Argmax(0, 3), "output_type", "a dtype, but got int"),
    ],
)
def test_arguments_are_of_the_kind_of_their_defaults(make, key, wanted):
    with pytest.raises(TypeError, match=f"the '{key}' must be {wanted}"):
        make()


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: ops.MaxPool(kernel_size=0), ValueError, "'kernel_size' must be positive, but got 0"),
        (lambda: ops.AvgPool(2, (1, -1)), ValueError, r"'strides' must be positive, but got \(1, -1\)"),
        (lambda: ops.Conv2D(-1, 3), ValueError, "'out_channel' must be positive"),
        (lambda: ops.Conv2D(3, "3"), TypeError, "'kernel_size' must be of ints, but got str"),
        (lambda: ops.Conv2D(3, 3, pad_mode="full"), ValueError, "'pad_mode' must be one of valid, same, pad"),
        (lambda: ops.KLDivLoss("average"), ValueError, "'reduction' must be one of none, mean, sum"),
        (lambda: ops.BiasAdd("CNHW"), ValueError, "'data_format' must be one of"),
    ],
)
def test_sizes_are_positive_and_modes_known(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


def test_sequences_and_whole_numbers_may_stand_for_other_kinds():
    assert ops.MaxPool(kernel_size=(1, 2)).kernel_size == (1, 2)
    assert ops.L2Normalize(epsilon=1).epsilon == 1
    assert ops.Squeeze(1).axis == 1
    assert ops.ReduceSum(np.bool_(True)).keep_dims


def test_a_primitive_of_the_user():
    class Scale(ops.PrimitiveWithInfer):
        @ops.prim_attr_register
        def __init__(self, factor=2):
            self.init_prim_io_names(inputs=["x"], outputs=["y"])

        def __call__(self, x):
            return x * self.factor

    scale = Scale(3)
    assert (scale.name, scale.factor, scale(Tensor([1.0])).asnumpy().item()) == ("Scale", 3, 3.0)
    with pytest.raises(NotImplementedError, match="'Unknown' has no implementation"):
        Primitive("Unknown")(1)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.transpose = ops.Transpose()
        self.matmul = ops.MatMul(transpose_b=True)
        self.sum = ops.ReduceSum(keep_dims=True)
        self.cast = ops.Cast()

    def construct(self, x):
        y = self.matmul(x, self.transpose(x, (1, 0)).swapaxes(0, 1))
        return self.cast(self.sum(y, 1), ms.float16), ops.Shape()(y)


def test_in_a_cell_in_both_modes():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for run in (Net(), ms.jit(Net())):
        value, shape = run(Tensor(x))
        assert value.dtype == ms.float16
        assert np.array_equal(value.asnumpy(), (x @ x.T).sum(1, keepdims=True))
        assert shape == (2, 2)


@pytest.mark.parametrize("run", [lambda function: function, ms.jit])
def test_updates_of_parameters(run):
    def parameter(value, name):
        return Parameter(Tensor(np.array(value, np.float32)), name)

    w, m, v = parameter([1.0, 2.0], "w"), parameter([0.0, 0.0], "m"), parameter([0.0, 0.0], "v")
    gradient = Tensor([0.5, -1.0])
    adam = ops.Adam()
    run(lambda g: adam(w, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, g))(gradient)
    assert np.allclose(w.asnumpy(), [0.9, 2.1], atol=1e-5)
    assert np.allclose(m.asnumpy(), [0.05, -0.1])
    momentum = ops.ApplyMomentum()
    run(lambda g: momentum(w, m, 0.5, g, 0.5))(gradient)
    assert np.allclose(m.asnumpy(), [0.525, -1.05])
    assert np.allclose(w.asnumpy(), [0.9 - 0.2625, 2.1 + 0.525], atol=1e-5)


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("updates"))
@pytest.mark.parametrize("compiles", [False, True])
def test_recorded_updates_of_parameters(expression, definitions, expected, compiles):
    names = namespace(definitions)
    call, *states = expression.removesuffix("[1:]").strip("[]").rsplit("),", 1)

    def update():
        return eval(call + ")" * bool(states), names)

    result = (ms.jit(update) if compiles else update)()
    if states:
        result = [result, *(names[state] for state in states[0].split(","))][expression.endswith("[1:]") :]
    assert not differs(result, expected)


@pytest.mark.parametrize(("expression", "definitions", "expected"), [*cases("host"), *cases("sparse")])
def test_recorded_results_whose_shapes_only_the_numbers_decide(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


def test_primitives_computed_outside_of_graphs_fall_back():
    with pytest.warns(ms.FallbackWarning, match="runs eagerly"):
        found, places = ms.jit(lambda x, y: ops.ListDiff()(x, y))(Tensor([1, 2, 3, 4]), Tensor([2, 4]))
    assert (found.asnumpy().tolist(), places.asnumpy().tolist()) == ([1, 3], [0, 2])


def test_sparse_tensors_keep_what_they_hold():
    dense = np.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0]], np.float32)
    indices, values = Tensor(np.argwhere(dense)), Tensor(dense[dense != 0])
    shape = Tensor([3, 4])
    places, sizes = ops.SparseReshape()(indices, shape, Tensor([2, -1]))
    again = ops.SparseToDense()(places, values, tuple(sizes.tolist())).asnumpy()
    assert np.array_equal(again, dense.reshape(2, 6))
    parts = ops.SparseSplit(3)(Tensor(1), indices, values, shape)
    whole = [ops.SparseToDense()(*part[:2], tuple(part[2].tolist())).asnumpy() for part in zip(*parts, strict=True)]
    assert np.array_equal(np.concatenate(whole, 1), dense)
    assert [part.shape for part in whole] == [(3, 2), (3, 1), (3, 1)]
    halves = ops.SparseDenseCwiseDiv()(indices, values, shape, Tensor([2.0]))
    assert np.array_equal(halves.asnumpy(), values.asnumpy() / 2)
    rows = ops.DenseToCSRSparseMatrix()(Tensor(dense), indices)
    product = ops.SparseMatrixSparseMatMul(transpose_b=True)(*rows, *rows)
    assert np.array_equal(ops.CSRSparseMatrixToDense()(*product).asnumpy(), dense @ dense.T)


def test_factorisations_in_parts():
    matrix = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 4.0]], np.float32)
    packed, factors = ops.geqrf(Tensor(matrix))
    orthogonal = packed.orgqr(factors).asnumpy()
    assert np.allclose(orthogonal @ np.triu(packed.asnumpy()), matrix, atol=1e-5)
    assert np.allclose(orthogonal.T @ orthogonal, np.eye(3), atol=1e-5)
    turned = ops.ormqr(packed, factors, Tensor(matrix), transpose=True).asnumpy()
    assert np.allclose(turned, orthogonal.T @ matrix, atol=1e-5)
    assert np.allclose(packed.ormqr(factors, Tensor(matrix), left=False).asnumpy(), matrix @ orthogonal, atol=1e-5)
    data, pivots = Tensor([[2.0, 1.0], [0.5, 2.5]]), Tensor([2, 2], ms.int32)
    order, lower, upper = ops.lu_unpack(data, pivots)
    whole = (order @ lower @ upper).asnumpy()
    assert np.allclose(whole @ ops.lu_solve(Tensor([[1.0], [2.0]]), data, pivots).asnumpy(), [[1.0], [2.0]], atol=1e-5)
    several = np.array([[[1.0], [2.0]], [[3.0], [-4.0]]], np.float32)  # right sides of one matrix, and of two
    for given in ((data, pivots), (ops.stack([data, data]), ops.stack([pivots, pivots]))):
        assert np.allclose(whole @ ops.lu_solve(Tensor(several), *given).asnumpy(), several, atol=1e-5)
    assert np.allclose(ops.lu_unpack(data, pivots, unpack_pivots=False)[1].asnumpy(), upper.asnumpy())
    with pytest.raises(TypeError, match="geqrf: 'input' should be a Tensor"):
        ops.geqrf(3)


def test_suppression_keeps_the_best_of_what_overlaps():
    boxes = Tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.9], [5.0, 5.0, 6.0, 6.0]])
    keep = ops.NonMaxSuppressionV3()(boxes, Tensor([0.5, 0.9, 0.3]), Tensor(5), Tensor(0.5), Tensor(0.0))
    assert keep.asnumpy().tolist() == [1, 2]
    keep = ops.NonMaxSuppressionV3()(boxes, Tensor([0.5, 0.9, 0.3]), Tensor(5), Tensor(0.5), Tensor(0.4))
    assert keep.asnumpy().tolist() == [1]


def test_checks_of_numbers_and_conditions():
    with pytest.raises(RuntimeError, match="has Inf and NaN values"):
        ops.CheckNumerics()(Tensor([1.0, float("inf"), float("nan")]))
    assert ops.Assert()(Tensor([True]), [Tensor([1.0])]) is None
    with pytest.raises(RuntimeError, match="condition is false"):
        ops.Assert()(Tensor([False]), [Tensor([1.0])])


def test_accidental_hits_and_addresses():
    true, sampled = Tensor([[1, 2], [0, 4], [3, 3]]), Tensor([0, 1, 2, 3, 5])
    rows, places, weights = ops.ComputeAccidentalHits(2)(true, sampled)
    assert rows.asnumpy().tolist() == [0, 0, 1, 2, 2]
    assert places.asnumpy().tolist() == [1, 2, 0, 3, 3]
    assert np.array_equal(weights.asnumpy(), np.full(5, np.finfo(np.float32).min))
    with pytest.raises(ValueError, match="should have 1 columns"):
        ops.ComputeAccidentalHits()(true, sampled)
    assert Tensor([1.0]).data_ptr() > 0
    assert ops.randn((2, 3), ms.float16).dtype == ms.float16
    assert nn.MatrixSetDiag()(ops.ones((2, 2)), Tensor([5.0, 6.0])).asnumpy().tolist() == [[5.0, 1.0], [1.0, 6.0]]


def test_windows_of_images():
    rng = np.random.default_rng(0)
    images = rng.normal(size=(2, 3, 5, 6)).astype(np.float32)
    patches = ops.ExtractImagePatches([1, 1, 2, 3], [1, 1, 2, 1], [1, 1, 1, 2])(Tensor(images)).asnumpy()
    assert patches.shape == (2, 18, 2, 2)
    assert np.array_equal(patches[1, :, 1, 0].reshape(2, 3, 3), images[1, :, 2:4, 0:5:2].transpose(1, 2, 0))
    weights = rng.normal(size=(3, 2, 2)).astype(np.float32)
    dilated = ops.Dilation2D(1, 1, "VALID")(Tensor(images), Tensor(weights)).asnumpy()
    assert np.allclose(dilated[0, 2, 1, 3], (images[0, 2, 1:3, 3:5] + weights[2]).max())
    padded = ops.Dilation2D(2, 1, "SAME")(Tensor(images), Tensor(weights)).asnumpy()
    assert padded.shape == (2, 3, 3, 3)
    assert np.allclose(padded[0, 0, 2, 1], (images[0, 0, 4, 2:4] + weights[0, 0]).max())
    one, zero = Tensor(np.ones(3, np.float32)), Tensor(np.zeros(3, np.float32))
    out, mean, variance = ops.InstanceNorm()(Tensor(images), one, zero, zero, one)
    assert np.allclose(mean.asnumpy(), images.mean((2, 3)), atol=1e-6)
    assert np.allclose(variance.asnumpy(), images.var((2, 3)), atol=1e-6)
    assert np.allclose(out.asnumpy().std((2, 3)), 1, atol=1e-4)


def test_generated_names_are_what_mint_and_tensors_have():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    values, places = ops.MinDim()(x, 0, False)
    assert (values.asnumpy().tolist(), places.asnumpy().tolist()) == ([1.0, 2.0], [0, 0])
    assert ops.NewZeros()(x, (2, 3)).shape == (2, 3)
    assert [part.shape for part in ops.split_view(x, 1)] == [(1, 2), (1, 2)]
    assert ops.unsqueeze_view(x, 0).shape == (1, 2, 2)
    assert ops.select_ext_view(x, 0, 1).asnumpy().tolist() == [3.0, 4.0]
    assert ops.clamp_scalar(x, 2.0, 3.0).asnumpy().tolist() == [[2.0, 2.0], [3.0, 3.0]]
    assert ops.InplaceMul()(x, 2.0) is x
    assert ops.inplace_add_ext(x, 1.0).asnumpy().tolist() == [[3.0, 5.0], [7.0, 9.0]]
    assert isinstance(nn.AvgPool2dExt(2), nn.Cell)
    for table, holder in ((extended.FUNCTIONS, extended.named), (extended.METHODS, lambda name: getattr(Tensor, name))):
        assert all(callable(holder(target)) for _, target in extended._pairs(table))
    with pytest.raises(AttributeError, match="has no 'unheard_of_ext'"):
        ops.unheard_of_ext  # noqa: B018


def test_outputs_and_inputs_without_a_gradient():
    m = Tensor(np.array([[1.0, 2.0, 4.0], [0.5, 1.0, 3.0]], np.float32))
    ones, zeros = Tensor([1.0, 1.0, 1.0]), Tensor([0.0, 0.0, 0.0])
    norm = ms.grad(lambda x: ops.LayerNorm()(x, ones, zeros))  # the mean and the variance give nothing
    assert np.allclose(norm(m).asnumpy(), 0, atol=1e-5)
    hot = ms.grad(lambda on, off: ops.OneHot()(Tensor([0, 1], ms.int32), 3, on, off), (0, 1))
    assert [item.asnumpy().item() for item in hot(Tensor(1.0), Tensor(0.0))] == [0.0, 0.0]
    entropy = ms.grad(lambda x, y: ops.SoftmaxCrossEntropyWithLogits()(x, y), (0, 1))
    by_logits, by_labels = entropy(m, ops.softmax(m))
    assert np.allclose(by_logits.asnumpy(), 0, atol=1e-6)
    assert np.allclose(by_labels.asnumpy(), 0)
    by_x, by_y = ms.grad(ops.xlogy, (0, 1))(Tensor([0.0, 1.0]), Tensor([2.0, 4.0]))
    assert np.allclose(by_x.asnumpy(), np.log([2.0, 4.0]))
    assert np.allclose(by_y.asnumpy(), [0.0, 0.25])


def test_normal_and_uniform_draws():
    ms.set_seed(3)
    assert abs(ops.StandardNormal()((4000,)).asnumpy().mean()) < 0.1
    draws = ops.UniformInt()((1000,), Tensor(2, ms.int32), Tensor(5, ms.int32)).asnumpy()
    assert set(draws) == {2, 3, 4}
    assert sorted(ops.Randperm(max_length=5)(Tensor(5, ms.int32)).asnumpy()) == [0, 1, 2, 3, 4]


def test_ctc_loss_gives_its_gradient():
    logits = np.sin(np.arange(24.0)).reshape(4, 2, 3).astype(np.float32)
    places, values, lengths = Tensor([[0, 0], [1, 0]]), Tensor([1, 0], ms.int32), Tensor([4, 3], ms.int32)
    loss, gradient = ops.CTCLoss()(Tensor(logits), places, values, lengths)
    step = np.zeros_like(logits)
    step[1, 0, 2] = 1e-2
    moved = [
        ops.CTCLoss()(Tensor(logits + sign * step), places, values, lengths)[0].asnumpy().sum() for sign in (1, -1)
    ]
    assert loss.shape == (2,)
    assert np.isclose(gradient.asnumpy()[1, 0, 2], (moved[0] - moved[1]) / 2e-2, atol=1e-3)


@pytest.mark.parametrize(("collapse", "merge", "expected"), [
    (False, True, [4.355319, 5.182947]), (True, True, [4.355319, 3.6139412]), (False, False, [4.924272, 4.6845737]),
])  # fmt: skip
def test_ctc_loss_of_labels_that_only_the_run_knows(collapse, merge, expected):
    logits = Tensor(np.sin(np.arange(40.0)).reshape(4, 2, 5).astype(np.float32))
    places, lengths = Tensor([[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]]), Tensor([4, 4], ms.int32)
    values = Tensor([0, 1, 2, 2, 3], ms.int32)
    loss = ops.CTCLoss(preprocess_collapse_repeated=collapse, ctc_merge_repeated=merge)

    def run(logits, places, values):
        return loss(logits, places, values, lengths)

    graph = ms.jit(run, fullgraph=True)
    for found in (run(logits, places, values), graph(logits, places, values)):
        np.testing.assert_allclose(found[0].asnumpy(), expected, rtol=1e-5)
    if not collapse:  # rows need not be in order where the numbers are known
        mixed = Tensor([2, 0, 3, 1, 4])
        np.testing.assert_allclose(run(logits, places[mixed], values[mixed])[0].asnumpy(), expected, rtol=1e-5)


def test_argument_names_are_mindspores():
    x = Tensor([[4.0, 9.0], [1.0, 16.0]])
    assert ops.sqrt(x=x).asnumpy().tolist() == [[2, 3], [1, 4]]
    assert ops.floormod(x=x, y=3.0).asnumpy().tolist() == [[1, 0], [1, 1]]
    assert ops.tensor_div(x=x, y=2.0).asnumpy().tolist() == [[2, 4.5], [0.5, 8]]
    assert ops.Roll(1, 1)(x).asnumpy().tolist() == ops.Roll(shifts=1, dims=1)(x).asnumpy().tolist() == [[9, 4], [16, 1]]
    assert ms.mint.bmm(input=x.reshape(1, 2, 2), mat2=x.reshape(1, 2, 2)).shape == (1, 2, 2)
    assert ms.mint.frac(input=x).asnumpy().max() == 0
    assert not ms.mint.isnan(tensor=x).asnumpy().any()
    right = Tensor([[1.0], [2.0]])
    solved = ops.MatrixSolve(adjoint=True)(x, right)
    np.testing.assert_allclose(x.asnumpy().T @ solved.asnumpy(), right.asnumpy(), rtol=1e-4)
    remainders = ops.Mod()(Tensor([-4.0, 5.0]), Tensor([3.0, 3.0]))
    assert remainders.asnumpy().tolist() == [-1, 2]  # C's remainder, where FloorMod has Python's
    assert ops.FloorMod()(Tensor([-4.0, 5.0]), Tensor([3.0, 3.0])).asnumpy().tolist() == [2, 2]


def test_regions_and_boxes_as_recorded():
    features = Tensor(np.arange(1, 17).reshape(1, 1, 4, 4).astype(np.float32))
    region = Tensor([[0, 0.2, 0.3, 0.2, 0.3]], ms.float32)
    for mode, expected in ((0, [2.95, 3.45, 4.95, 5.45]), (1, [2.325, 2.575, 3.325, 3.575])):
        found = ops.ROIAlign(2, 2, 0.5, 2, mode)(features, region)
        np.testing.assert_allclose(found.asnumpy().ravel(), expected, rtol=1e-5)
    boxes = [[100, 100, 150, 168, 0.63], [150, 75, 315, 190, 0.55], [12, 190, 300, 390, 0.9], [28, 130, 134, 302, 0.3]]
    ordered, places, stays = ops.NMSWithMask(0.1)(Tensor(boxes, ms.float32))
    assert ordered.asnumpy()[:, 0].tolist() == [12, 100, 150, 28]
    assert places.asnumpy().tolist() == [0, 1, 2, 3]
    assert stays.asnumpy().tolist() == [True, True, True, False]


MORE = [
    ("ops.SquaredDifference()(Tensor([1.0, 2.0]), Tensor([3.0, 5.0]))", [4, 9]),
    ("ops.SquareSumAll()(Tensor([1.0, 2.0]), Tensor([2.0, 3.0]))", [5, 13]),
    ("ops.Trace()(Tensor(np.arange(9.0).reshape(3, 3)))", 12),
    ("ops.ReduceStd(axis=1)(Tensor([[1.0, 2.0, 4.0], [2.0, 2.0, 9.0]]))", [[1.527525, 4.041452], [2.333333, 4.333333]]),
    ("ops.IdentityN()((Tensor([1.0]), Tensor([2])))", [[1], [2]]),
    ("ops.Bincount()(Tensor([0, 1, 1, 2, 7]), Tensor(4), Tensor([1.0, 1.0, 2.0, 3.0, 4.0]))", [1, 3, 3, 0]),
    ("ops.PopulationCount()(Tensor([0, -1, 3], ms.int32))", [0, 32, 2]),
    ("ops.ComplexAbs()(Tensor([3 + 4j], ms.complex64))", [5]),
    ("ops.Histogram(bins=4, min=0.0, max=3.0)(Tensor([1.0, 2.0, 1.0]))", [0, 2, 1, 0]),
    ("ops.HistogramFixedWidth(3)(Tensor([-1.0, 0.1, 0.5, 0.9, 4.0]), Tensor([0.0, 1.0]))", [2, 1, 2]),
    ("ops.BartlettWindow()(Tensor(5, ms.int32))", [0, 0.4, 0.8, 0.8, 0.4]),
    ("ops.HammingWindow()(Tensor([6]))", [0.08, 0.31, 0.77, 1, 0.77, 0.31]),
    ("ops.UnravelIndex()(Tensor([2, 5]), Tensor([3, 3]))", [[0, 1], [2, 2]]),
    ("ops.InplaceUpdateV2()(Tensor([[1.0], [3.0], [5.0]]), (0, 1), Tensor([[0.5], [1.5]]))", [[0.5], [1.5], [5]]),
    ("ops.Quantile(dim=0)(Tensor([1.0, 2.0, 3.0, 9.0]), Tensor([0.0, 0.5, 1.0]))", [1, 2.5, 9]),
    ("ops.MaxPoolWithArgmax(2, 2)(Tensor(np.arange(32.0).reshape(1, 2, 4, 4)))[1].ravel()",
     [5, 7, 13, 15, 21, 23, 29, 31]),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "expected"), MORE)
def test_more_values(expression, expected):
    result = eval(expression, {"ms": ms, "np": np, "ops": ops, "Tensor": Tensor})
    parts = [item.asnumpy() for item in result] if isinstance(result, tuple) else result.asnumpy()
    np.testing.assert_allclose(np.asarray(parts), expected, rtol=1e-4, atol=1e-6)


def test_draws_of_primitives_have_their_shapes():
    assert ops.RandomCategorical()(Tensor(np.ones((2, 3), np.float32)), 4, 0).shape == (2, 4)
    assert ops.Cauchy([2, 3])().shape == (2, 3)


def test_places_of_pooling_count_through_all_channels() -> None:
    """As MindSpore's: its gradient of pooling takes them."""
    x = Tensor(np.arange(32).reshape(1, 2, 4, 4).astype(np.float32))
    pool = ops.MaxPoolWithArgmax(2, 2)
    largest, places = pool(x)
    assert places.tolist() == [[[[5, 7], [13, 15]], [[21, 23], [29, 31]]]]
    found = ops.MaxPoolGradWithArgmax(2, 2)(x, largest, places)
    expected = ms.grad(lambda x: (pool(x)[0] ** 2 / 2).sum())(x)
    np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())

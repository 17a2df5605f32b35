"""Primitives: every row of the table has its function, values as MindSpore gives them, and what objects need."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from recordings import cases, compiled, differs, eagerly

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.frontend.ops.primitives import CLASSES, Primitive


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("primitives"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


NOT_COMPILED = ("Parameter(", "Depend", ".name", ".axis")


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in cases("primitives") if not any(map(case[0].__contains__, NOT_COMPILED))],
)
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_every_row_names_a_function_that_exists(name):
    target = CLASSES[name].target
    assert callable(getattr(ops, target) if isinstance(target, str) else target)
    assert getattr(ops, name) is CLASSES[name]


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

"""Primitives that are Python functions or write files, LSTM as one operation, and dropout by masks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])


def same(*given: Any) -> Any:
    """The shape or dtype of the first input."""
    return given[0]


def test_functions_of_arrays() -> None:
    both = ops.Custom(lambda x, y: x * 2 + y, same, same)
    assert both(X, Y).asnumpy().tolist() == [5.0, 8.0]
    declared = ops.Custom(lambda x: (x + 1, x > 1), ((2,), (2,)), (ms.float32, ms.bool_), "pyfunc")
    more, large = declared(X)
    assert more.asnumpy().tolist() == [2.0, 3.0]
    assert large.dtype is ms.bool_
    total = ops.Custom(lambda x: x.sum(), (), ms.float64)(X)
    assert total.dtype is ms.float64
    assert total.item() == 3.0


class Net(nn.Cell):
    def __init__(self, bprop: Any = None) -> None:
        super().__init__()
        self.custom = ops.Custom(lambda x, y: x * 2 + y, same, same, "pyfunc", bprop)

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.custom(x * x, y).sum()


def test_gradients_are_the_users() -> None:
    net = Net(lambda x, y, out, dout: (dout * 2, dout * out))
    with pytest.warns(ms.FallbackWarning, match=r"Custom: '<lambda>' is a function of NumPy arrays"):
        dx, dy = ms.grad(net, (0, 1))(X, Y)
    assert dx.asnumpy().tolist() == [4.0, 8.0]
    assert dy.asnumpy().tolist() == [5.0, 12.0]
    with pytest.warns(ms.FallbackWarning), pytest.raises(RuntimeError, match="bprop"):
        ms.grad(Net())(X, Y)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("lib.so:f", same, same, "aot"), NotImplementedError, "pyfunc"),
        ((len, same, same, "other"), ValueError, "'other'"),
        ((3, same, same), TypeError, "func"),
        ((len,), TypeError, "out_shape"),
        ((len, same), TypeError, "out_dtype"),
        ((len, same, same, "pyfunc", 3), TypeError, "bprop"),
    ],
)
def test_arguments_of_custom(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ops.Custom(*arguments)


@pytest.mark.parametrize(
    ("shape", "dtype", "message"),
    [((3,), ms.float32, r"shape \(3,\)"), (((2,), (2,)), (ms.float32, ms.float32), "2 arrays"),
     (((2,), (2,)), ms.float32, "1 dtypes")],
)  # fmt: skip
def test_results_are_checked(shape: Any, dtype: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ops.Custom(lambda x: x, shape, dtype)(X)


def test_tensors_are_written(tmp_path: Path) -> None:
    dump = ops.TensorDump()
    for _ in range(2):
        dump(str(tmp_path / "x.npy"), X)
    assert [np.load(tmp_path / f"x_{k}.npy").tolist() for k in range(2)] == [[1.0, 2.0]] * 2
    with pytest.raises(TypeError, match="name"):
        dump(3, X)
    with pytest.raises(ValueError, match="input_output"):
        ops.TensorDump("sideways")


@pytest.mark.parametrize("bias", [False, True])
def test_lstm(bias: bool) -> None:
    steps, batch, inputs, hidden = 3, 2, 3, 4
    generator = np.random.default_rng(0)
    shapes = [(steps, batch, inputs), (1, batch, hidden), (1, batch, hidden)]
    x, h, c = (generator.normal(size=shape).astype(np.float32) for shape in shapes)
    w = generator.normal(size=(4 * hidden * (inputs + hidden + bias), 1, 1)).astype(np.float32)
    lstm = ops.LSTM(inputs, hidden, 1, bias, False, 0.0)
    output, last_h, last_c, _, _ = lstm(*map(Tensor, (x, h, c, w)))
    from_x, from_h, rest = np.split(w.ravel(), [4 * hidden * inputs, 4 * hidden * (inputs + hidden)])
    state, cell = h[0].astype(np.float64), c[0].astype(np.float64)
    for step in range(steps):
        gates = x[step] @ from_x.reshape(-1, inputs).T + state @ from_h.reshape(-1, hidden).T + (rest if bias else 0)
        i, f, g, o = np.split(gates, 4, axis=1)
        cell = cell / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        state = np.tanh(cell) / (1 + np.exp(-o))
        assert np.allclose(output[step].asnumpy(), state, atol=1e-5)
    assert np.allclose(last_h[0].asnumpy(), state, atol=1e-5)
    assert np.allclose(last_c[0].asnumpy(), cell, atol=1e-5)
    compiled = ms.jit(lambda *inputs: lstm(*inputs)[0])
    assert np.allclose(compiled(*map(Tensor, (x, h, c, w))).asnumpy(), output.asnumpy(), atol=1e-6)
    with pytest.raises(ValueError, match="num_layers"):
        ops.LSTM(inputs, hidden, 2, bias, False, 0.0)(*map(Tensor, (x, h, c, w)))
    with pytest.raises(ValueError, match="weights"):
        lstm(*map(Tensor, (x, h, c, w[1:])))


def test_dropout_by_masks() -> None:
    shape = (20, 30)
    mask = ops.DropoutGenMask()(shape, Tensor(0.75))
    assert mask.dtype is ms.uint8
    assert mask.shape == (80,)
    apply = ops.DropoutDoMask()
    ones = ops.ones(shape, ms.float32)
    found = apply(ones, mask, Tensor(0.75)).asnumpy()
    bits = np.unpackbits(mask.asnumpy(), bitorder="little")[:600].reshape(shape)
    assert np.allclose(found, bits / 0.75)
    assert 0.6 < bits.mean() < 0.9
    gradient = ms.grad(lambda x: apply(x, mask, Tensor(0.75)).sum())(ones)
    assert np.allclose(gradient.asnumpy(), bits / 0.75)
    with pytest.raises(ValueError, match="640"):
        apply(ops.ones((700,), ms.float32), mask, Tensor(0.75))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_python_function_takes_a_tuple_or_its_inputs_one_by_one(mode):
    ms.set_context(mode=mode)
    x, y = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0, 5.0]])
    add = ops.PyFunc(lambda a, b: a + b, [ms.float32] * 2, [(1, 2)] * 2, [ms.float32], [(1, 2)])
    double = ops.PyFunc(lambda a: a * 2, [ms.float32], [(1, 2)], [ms.float32], [(1, 2)])
    for (result,), expected in ((add((x, y)), [[4, 7]]), (add(x, y), [[4, 7]]), (double(x), [[2, 4]])):
        np.testing.assert_array_equal(result.asnumpy(), expected)


def test_a_python_function_gives_as_many_results_as_declared():
    two = ops.PyFunc(lambda a: (a, a), [ms.float32], [(1,)], [ms.float32], [(1,)])
    with pytest.raises(TypeError, match="gave 2 results, but out_types declares 1"):
        two(ms.Tensor([1.0]))

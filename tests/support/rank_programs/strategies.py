"""Forms of strategies, gradients, parts of batches, and errors, over two or four processes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.communication import get_group_size, get_rank, init

init()
rank, size = get_rank(), get_group_size()
ms.set_context(mode=ms.GRAPH_MODE)
MODE = {"parallel_mode": "semi_auto_parallel", "device_num": size}
x = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
w = np.random.default_rng(1).standard_normal((4, 8)).astype(np.float32)


def own(array: np.ndarray, axis: int = 0) -> np.ndarray:
    return np.split(array, size, axis)[rank]


def whole(function: Any, *arrays: np.ndarray) -> Any:
    """What a function gives without strategies, in one process."""
    ms.set_auto_parallel_context(parallel_mode="stand_alone")
    found = ms.jit(function)(*map(Tensor, arrays))
    ms.set_auto_parallel_context(**MODE)
    return found


def check(function: Any, *arrays: np.ndarray, **options: Any) -> str:
    """A function on whole arguments gives on all processes what one process gives. The program."""
    ms.set_auto_parallel_context(**{"dataset_strategy": "full_batch", **options})
    expected = whole(function, *arrays)
    compiled = ms.jit(function)
    found = compiled(*map(Tensor, arrays))
    for a, b in zip(*[f if isinstance(f, tuple) else (f,) for f in (found, expected)], strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=2e-5, atol=1e-6)
    return str(compiled.stages(*map(Tensor, arrays)).passes["partition"])


# Each form of a product, with its gradients
for strategy in (((size, 1), (1, 1)), ((1, size), (size, 1)), ((1, 1), (1, size)), ((size // 2, 1), (1, 2))):
    matmul = ops.MatMul().shard(strategy)

    def loss(a: Any, b: Any, matmul: Any = matmul) -> Any:
        return (ops.tanh(matmul(a, b)) * ops.arange(8)).sum()

    check(lambda a, b, loss=loss: ms.value_and_grad(loss, (0, 1))(a, b)[1], x, w)

# What is left over of the device matrix cuts the output
text = check(lambda a, b: ops.MatMul().shard(((1, size), (size, 1)), ((size, 1),))(a, b), x, w)
assert "reduce_scatter" in text
assert "all_reduce" not in text
# A dimension for another one
both = ops.ReLU().shard(((size, 1),)), ops.Tanh().shard(((1, size),))
assert "all_to_all" in check(lambda a: both[1](both[0](a)), x)
# Softmax along the dimension that is cut, products and extrema
for axis in (0, 1):
    check(lambda a, axis=axis: ops.Softmax(axis).shard(((2, size // 2),))(a), x)
    check(lambda a, axis=axis: (ops.ReduceMax().shard(((2, size // 2),))(a, axis), ops.prod(a, axis)), x)
    check(lambda a, axis=axis: ops.ReduceMean().shard(((2, size // 2),))(a, axis), x)
    other = ((2, 1),) * 2 if axis else ((1, 2),) * 2
    check(lambda a, axis=axis, other=other: ops.Concat(axis).shard(other)((a, a + 1)), x)
check(lambda a: ops.ReLU().shard(((2, size // 2),))(a).cumsum(0), x)  # which has no rule
check(lambda a: ops.ReLU().shard(((1, size),))(a).reshape(4, 2, 4).sum(1), x)
check(lambda a: ops.ReLU().shard(((2, size // 2),))(a)[1:7, :3] ** 2, x)

# Layouts
layout = ms.Layout((2, size // 2), ("dp", "mp"))
matmul = ops.MatMul().shard((layout("dp", "None"), layout("None", "mp")))
check(lambda a, b: matmul(a, b), x, w)
check(lambda a: ops.ReLU().shard((layout(("dp", "mp"), "None"),))(a), x)

# Processes that are given parts of the batch, or parts along another dimension
scaled = ops.Mul().shard(((size, 1), (size, 1)))
for options, axis in (({"dataset_strategy": "data_parallel"}, 0), ({"dataset_strategy": ((1, size),)}, 1)):
    expected = whole(lambda a: ops.Softmax(0)(a * a) @ a.T, x)
    ms.set_auto_parallel_context(**MODE, **options)
    part = Tensor(own(x, axis) if axis == 0 or size != 4 else own(x, 1))
    found = ms.jit(lambda a: (ops.Softmax(0)(scaled(a, a)) @ a.T, Tensor(a.shape)))(part)
    np.testing.assert_allclose(found[0].asnumpy(), expected.asnumpy(), rtol=2e-5, atol=1e-6)
    assert tuple(found[1].asnumpy()) == (8, 4)

# Random numbers are those of one process, without a seed too
ms.set_auto_parallel_context(dataset_strategy="full_batch")
drop = ops.ReLU().shard(((size, 1),))
mask = ms.jit(lambda a: ops.dropout(drop(a) + 1, 0.5))(Tensor(x)).asnumpy()
assert 0 < (mask == 0).sum() < mask.size


# A Parameter in parts: whole in graphs, a part elsewhere
class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(w), "w")
        self.matmul = ops.MatMul().shard(((1, 1), (1, size)))

    def construct(self, a: Tensor) -> Any:
        return self.matmul(a, self.w), self.w.shape


net = Net()
product, shape = net(Tensor(x))
np.testing.assert_allclose(product.asnumpy(), x @ w, rtol=1e-5, atol=1e-5)
assert tuple(shape) == net.w.shape == (4, 8)
np.testing.assert_array_equal(net.w.asnumpy(), own(w, 1))
net.w.set_data(Tensor(w * 2))
np.testing.assert_array_equal(net.w.asnumpy(), own(w, 1) * 2)
ms.set_auto_parallel_context(parallel_mode="stand_alone")
np.testing.assert_allclose(ms.jit(lambda: net.w @ net.w.T)().asnumpy(), 4 * w @ w.T, rtol=1e-5, atol=1e-5)
ms.set_auto_parallel_context(**MODE)


# A Parameter that is cast before it is cut
cast = Parameter(Tensor(w), "cast")
matmul = ops.MatMul().shard(((1, 1), (1, size)))
ms.jit(lambda a: matmul(a.astype(ms.float16), cast.astype(ms.float16)))(Tensor(x))
np.testing.assert_array_equal(cast.asnumpy(), own(w, 1))


# Errors
def fails(function: Any, *words: str, kind: Any = ValueError, given: Any = (x,)) -> None:
    with pytest.raises(kind) as caught:
        ms.jit(function)(*map(Tensor, given))
    for word in (*words, "strategies.py"):
        assert word in str(caught.value), str(caught.value)


fails(lambda a: ops.ReLU().shard(((3, 1),))(a), "ops.ReLU.shard", "(3, 1)", "3 equal parts")
fails(lambda a: ops.ReLU().shard(((size, 2),))(a), "ops.ReLU.shard", f"{size} processes")
fails(lambda a: ops.ReLU().shard(((size,),))(a), "2 dimensions")
fails(lambda a: ops.Add().shard(((size, 1),))(a, a), "1 tensors, but 2 are given")
fails(lambda a, b: ops.MatMul().shard(((1, size), (1, 1)))(a, b), "ops.MatMul.shard", "should agree", given=(x, w))
fails(lambda a: ops.CumSum().shard(((size, 1),))(a, 0), "cumsum has no form for parts", f"({size} @")
fails(lambda a: ops.AllReduce()(a), "all_reduce communicates by itself")
fails(lambda a: ops.ReLU().shard(((1, 1),), ((size, 1),))(a), "output 0 cannot be cut")
with pytest.raises(RuntimeError, match="runs eagerly on a Parameter"):
    net.w + 1
with pytest.raises(RuntimeError, match="runs eagerly: in 'semi_auto_parallel'"):
    ops.ReLU().shard(((size, 1),))(Tensor(x))
for cut in (net.shard, lambda strategy: ms.shard(net, strategy)):
    with pytest.raises(NotImplementedError, match="give them to the primitives"):
        cut(((size, 1),))


def chosen(a: Tensor) -> Tensor:
    if a.sum() > 0:
        a = ops.ReLU().shard(((size, 1),))(a)
    return a


fails(chosen, "is in a branch or loop")
for refused in (
    lambda: ms.set_auto_parallel_context(parallel_mode="auto_parallel"),
    lambda: ms.parallel.auto_parallel.AutoParallel(ms.nn.Dense(1, 1), "recursive_programming"),
):
    with pytest.raises(NotImplementedError, match=r"recursive_programming.*search_mode='sharding_propagation'"):
        refused()
ms.set_auto_parallel_context(parallel_mode="auto_parallel", search_mode="sharding_propagation")
with pytest.raises(NotImplementedError, match="pipeline"):
    ms.parallel.auto_parallel.AutoParallel(ms.nn.Dense(1, 1)).pipeline(2)
print(f"rank {rank} is done")

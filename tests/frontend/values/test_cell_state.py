"""Buffers and state dictionaries of Cells, and Parameters that share a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from nested_cells import Inner, Outer, Wrapper, names, parameter

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, nn


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "eager"])
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    """Either mode."""
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Averages(nn.Cell):
    """A Parameter, a buffer, and a buffer that is not saved."""

    def __init__(self) -> None:
        super().__init__()
        self.w = parameter(name="w")
        self.register_buffer("mean", Tensor([5.0]))
        self.register_buffer("scratch", Tensor([6.0]), persistent=False)
        self.register_buffer("later", None)

    def construct(self, x: Tensor) -> Tensor:
        self.mean = self.mean * 0.5 + x * 0.5
        return x * self.w + self.mean


def test_buffers(mode: int) -> None:
    net = Averages()
    assert names(net) == ["w"]
    assert [name for name, _ in Wrapper(net).named_buffers()] == ["network.mean", "network.scratch"]
    assert [item.asnumpy().tolist() for item in net.buffers()] == [[5.0], [6.0]]
    assert net(Tensor([1.0])).asnumpy() == [4.0]
    assert net.mean.asnumpy() == [3.0]
    assert net.get_buffer("mean") is net.mean
    assert net(Tensor([1.0])).asnumpy() == [3.0]
    assert net.state_dict()["mean"].asnumpy() == [2.0]
    net.mean = None
    assert list(net.state_dict()) == ["w"]
    net.later = Tensor([1.0])
    assert list(net.state_dict()) == ["w", "later"]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda net: net.register_buffer("w", Tensor(1.0)), KeyError, "'w' is an attribute of Averages already"),
        (lambda net: net.register_buffer("a.b", Tensor(1.0)), KeyError, "contain '.', but is 'a.b'"),
        (lambda net: net.register_buffer("a", 3), TypeError, "buffer 'a' should be a Tensor or None, but got int"),
        (lambda net: setattr(net, "mean", 3), TypeError, "'mean' of Averages is a buffer: assign a Tensor or None"),
        (lambda net: setattr(net, "mean", parameter(name="m")), TypeError, "'mean' of Averages is a buffer already"),
        (lambda net: net.get_buffer("w"), AttributeError, "'w' of Averages is no buffer"),
        (lambda net: net.get_buffer("nothing"), AttributeError, "Averages has no attribute 'nothing'"),
        (lambda net: net.get_sub_cell("w"), AttributeError, "'w' of Averages is no Cell"),
    ],
)
def test_mistakes_with_buffers(call: Callable[[nn.Cell], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call(Averages())


def test_state_dictionaries() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.a = Averages()
            self.again = self.a

    net, other = Net(), Net()
    state = net.state_dict()
    assert list(state) == ["a.w", "a.mean", "again.w", "again.mean"]
    assert state["a.w"] is net.a.w
    changed = {name: value * 2 for name, value in state.items()}
    assert repr(other.load_state_dict(changed)) == "<All keys matched successfully>"
    assert other.a.w.asnumpy() == [2.0]
    assert other.a.mean.asnumpy() == [10.0]
    assert net.a.mean.asnumpy() == [5.0]
    result = other.load_state_dict({"a.w": Tensor([9.0]), "more": Tensor(1.0)}, strict=False)
    assert result.missing_keys == ["a.mean", "again.w", "again.mean"]
    assert result.unexpected_keys == ["more"]
    assert other.a.w.asnumpy() == [9.0]


@pytest.mark.parametrize(
    ("state", "kind", "words"),
    [
        (3, TypeError, "load_state_dict takes a dictionary, but got int"),
        ({"w": Tensor([1.0])}, RuntimeError, "does not fit Averages: missing names: 'mean'"),
        ({"w": Tensor([1.0]), "mean": Tensor([1.0]), "q": Tensor(1.0)}, RuntimeError, "unexpected names: 'q'"),
        ({"w": Tensor([9.0]), "mean": Tensor([1.0, 2.0])}, RuntimeError, r"'mean' has shape \(1,\) here, but \(2,\)"),
        ({"w": Tensor([9.0]), "mean": 3.0}, RuntimeError, "'mean' should be a Tensor, but is float"),
    ],
)
def test_states_that_do_not_fit(state: Any, kind: type[Exception], words: str) -> None:
    net = Averages()
    with pytest.raises(kind, match=words):
        net.load_state_dict(state)
    np.testing.assert_array_equal(net.w.asnumpy(), [1.0])
    np.testing.assert_array_equal(net.mean.asnumpy(), [5.0])


def test_two_parameters_of_one_name() -> None:
    Outer().check_names()
    wrapper = Wrapper(Inner(), auto_prefix=False)
    wrapper.other = Inner()
    with pytest.raises(ValueError, match="two Parameters of Wrapper have the name 'w'"):
        wrapper.check_names()


def test_names_that_several_parameters_have() -> None:
    class Pair(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.a = parameter(name="same")
            self.b = parameter(name="same")
            self.unnamed = ParameterTuple([parameter(), parameter()])

        def construct(self, x: Tensor) -> Tensor:
            return x * self.a + self.b

    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        with pytest.warns(UserWarning, match="'a' and 'b' have the same name 'same'"):
            net = Pair()
        assert names(net) == ["same", "same", "Parameter$1", "Parameter$2"]
        ms.set_context(mode=mode)
        net(Tensor(1.0))
        ms.set_context(mode=ms.PYNATIVE_MODE)
        assert names(net) == ["a", "b", "Parameter$1", "Parameter$2"]
    net.held = [parameter(name="x")]
    with pytest.raises(ValueError, match="its name 'x' already exists"):
        net.more = (parameter(name="x"),)


def test_a_parameter_named_as_an_attribute_of_the_optimizer():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.eps = Parameter(Tensor(0.1), name="eps")
            self.map_ = Parameter(Tensor(0.1), name="map_")

        def construct(self, x):
            return (x * self.eps + self.map_).sum()

    net = Net()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    assert optimizer.eps == 1e-8
    assert [parameter.name for parameter in optimizer.parameters] == ["eps", "map_"]
    assert {"eps", "map_"} <= {parameter.name for parameter in optimizer.get_parameters()}
    nn.TrainOneStepCell(net, optimizer)(Tensor([1.0]))
    np.testing.assert_allclose(net.eps.asnumpy(), 0.09, rtol=1e-4)
    net.eps = Tensor(5.0)  # of the net it is an attribute
    assert net.eps.asnumpy() == 5


def test_data_of_a_parameter_is_a_tensor_on_its_memory():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([2.0, 3.0]), name="w")

        def construct(self, x):
            return (x * self.w * self.w.data).sum()

    net = Net()
    assert type(net.w.data) is Tensor
    assert str(net.w.data) == "[2. 3.]"
    net.w.data[0] = 5.0
    assert net.w.data.set_data(Tensor([5.0, 3.0])) is net.w  # MindSpore's `data` was the Parameter until 2.7
    assert net.w.asnumpy().tolist() == [5, 3]
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        (gradient,) = ms.grad(net, None, net.trainable_params())(Tensor([1.0, 1.0]))
        assert gradient.asnumpy().tolist() == [5, 3]  # no gradient flows through `data`
    ms.set_context(mode=ms.PYNATIVE_MODE)


class _Counted(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(1, 1, "ones", "zeros")
        self.count = 3

    def get_extra_state(self) -> int:
        return self.count

    def set_extra_state(self, state: int) -> None:
        self.count = state


def test_extra_state() -> None:
    net = _Counted()
    state = dict(net.state_dict(prefix="net."))
    assert list(state) == ["net._extra_state", "net.dense.weight", "net.dense.bias"]
    state = dict(net.state_dict())
    assert net.load_state_dict({**state, "_extra_state": 5}).missing_keys == []
    assert net.count == 5
    del state["_extra_state"]
    with pytest.raises(RuntimeError, match="missing names: '_extra_state'"):
        net.load_state_dict(state)
    with pytest.raises(RuntimeError, match="unexpected names: '_extra_state'"):
        nn.Dense(1, 1).load_state_dict({"_extra_state": 1, **nn.Dense(1, 1).state_dict()})
    for call in (nn.Dense(1, 1).get_extra_state, lambda: nn.Dense(1, 1).set_extra_state(1)):
        with pytest.raises(RuntimeError, match="does not define"):
            call()


def test_hooks_of_state_dictionaries() -> None:
    net, seen = nn.SequentialCell(nn.Dense(1, 1)), []
    handles = [
        net[0].register_state_dict_pre_hook(lambda cell, prefix, keep: seen.append((prefix, keep))),
        net[0].register_state_dict_post_hook(lambda cell, state, prefix, more: seen.append((list(state), more))),
    ]
    net.state_dict(keep_vars=True)
    assert seen == [("0.", True), (["0.weight", "0.bias"], {})]
    for handle in handles:
        handle.remove()
    net.state_dict()
    assert len(seen) == 2

    def rename(cell: Any, state: Any, prefix: str, *more: Any) -> None:
        state[prefix + "weight"] = state.pop("kernel")

    def forgive(cell: Any, keys: Any) -> None:
        assert float(cell.weight.asnumpy()[0, 0]) == 7.0
        keys.missing_keys.clear()

    net[0].register_load_state_dict_pre_hook(rename)
    with pytest.raises(RuntimeError, match="missing names"):
        net.load_state_dict({"kernel": Tensor([[7.0]])})
    net[0].register_load_state_dict_post_hook(forgive)
    given = {"kernel": Tensor([[7.0]])}
    assert net.load_state_dict(given).missing_keys == []
    assert list(given) == ["kernel"]
    net[0].register_load_state_dict_post_hook(lambda cell, keys: keys)
    with pytest.raises(RuntimeError, match="return None"):
        net.load_state_dict(given)
    with pytest.raises(TypeError, match="a hook should be a function"):
        net.register_state_dict_pre_hook(3)


def test_a_cell_is_cast_in_place() -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
    net.register_buffer("scale", Tensor([2.0]))
    net.register_buffer("count", Tensor([2]))
    held = net.trainable_params()
    before = [parameter.asnumpy() for parameter in held]
    assert net.to(ms.float16) is net
    assert [parameter is again for parameter, again in zip(held, net.trainable_params(), strict=True)] == [True] * 4
    assert {parameter.dtype for parameter in net.get_parameters()} == {ms.float16}
    assert (net.scale.dtype, net.count.dtype) == (ms.float16, ms.int64)
    assert net(Tensor([[1.0, 2.0]], ms.float16)).dtype is ms.float16
    assert net.to(Tensor(1.0)).to("CPU").to(device="Ascend", dtype=None).to_empty(device="CPU") is net
    for each, numbers in zip(held, before, strict=True):
        np.testing.assert_allclose(each.asnumpy(), numbers, rtol=1e-3)
        assert each.dtype is ms.float32
    with pytest.raises(TypeError, match="floating-point or complex"):
        net.to(ms.int32)
    for kind in (ms.bool_, Tensor([True])):
        with pytest.raises(TypeError, match="but got Bool"):
            net.to(kind)
    with pytest.raises(TypeError, match="no device 'cuda'"):
        net.to("cuda")
    with pytest.raises(TypeError, match=r"SequentialCell\.to\(\) got an unexpected keyword argument 'kind'"):
        net.to(kind=ms.float16)
    with pytest.raises(RuntimeError, match="outside of construct"):
        ms.jit(lambda x: net.to(ms.float16)(x), fullgraph=True)(Tensor([[1.0, 2.0]]))
    assert net[0].weight.dtype is ms.float32

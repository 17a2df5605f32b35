"""`jit`: one program for each signature, traced again when something that it read has changed."""

from __future__ import annotations

import gc
import queue
import threading
import tracemalloc
import warnings
import weakref

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

scale = 2.0
table = [1.0, 2.0]


def test_a_function_is_traced_once_for_a_signature() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x * 2 + 1

    for value in (1.0, 2.0, 3.0):
        assert f(Tensor([value])).asnumpy().tolist() == [2 * value + 1]
    assert len(f.explain().traces) == 1
    f(Tensor([1.0, 2.0]))
    assert [trace.reason.split(" ")[0] for trace in f.explain().traces] == ["first", "other"]


def test_python_arguments_are_constants() -> None:
    @ms.jit
    def f(x: Tensor, n: int, flag: bool = False) -> Tensor:
        for _ in range(n):
            x = x * 2
        return -x if flag else x

    assert f(Tensor([1.0]), 3).asnumpy() == [8.0]
    assert f(Tensor([1.0]), 4).asnumpy() == [16.0]
    assert f(Tensor([1.0]), 3, flag=True).asnumpy() == [-8.0]
    assert f(Tensor([1.0]), 3, True).asnumpy() == [-8.0]
    assert f(Tensor([1.0]), 3).asnumpy() == [8.0]


def test_mutable_numbers_do_not_trace_again() -> None:
    @ms.jit
    def f(n: int) -> int:
        return n * 2 + 1

    assert [f(ms.mutable(n)) for n in (1, 2, 3)] == [3, 5, 7]
    assert len(f.explain().traces) == 1


def test_changed_globals_and_closures_trace_again() -> None:
    global scale
    offset = 1.0

    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x * scale + offset + table[0]

    assert f(Tensor([1.0])).asnumpy() == [4.0]
    scale = 5.0
    try:
        assert f(Tensor([1.0])).asnumpy() == [7.0]
        offset = 10.0
        assert f(Tensor([1.0])).asnumpy() == [16.0]
        table[0] = 3.0
        assert f(Tensor([1.0])).asnumpy() == [18.0]
    finally:
        scale = 2.0
        table[0] = 1.0
    reasons = [trace.reason for trace in f.explain().traces]
    assert "scale" in reasons[1]
    assert "offset" in reasons[2]
    assert "table" in reasons[3]


def test_changed_attributes_of_a_cell_trace_again() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.factor = 2
            self.inner = nn.Dropout(p=0.5)

        def construct(self, x: Tensor) -> Tensor:
            return self.inner(x) * self.factor

    net = Net()
    net.set_train(False)
    f = ms.jit(net)
    assert f(Tensor([1.0])).asnumpy() == [2.0]
    net.factor = 3
    assert f(Tensor([1.0])).asnumpy() == [3.0]
    net.set_train()
    assert f(Tensor(np.ones(100), ms.float32)).asnumpy().min() == 0.0


def test_captured_tensors_are_inputs() -> None:
    weight = Tensor([1.0, 2.0])
    parameter = Parameter(Tensor([1.0, 1.0]), name="p")

    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x * weight + parameter

    assert f(Tensor([1.0, 1.0])).asnumpy().tolist() == [2.0, 3.0]
    parameter.set_data(Tensor([10.0, 20.0]))
    assert f(Tensor([1.0, 1.0])).asnumpy().tolist() == [11.0, 22.0]
    assert len(f.explain().traces) == 1
    assert [str(value.type) for value in f.stages(Tensor([1.0, 1.0])).forward.parameters] == ["f32[2]"] * 3


def test_results_keep_their_structure() -> None:
    @ms.jit
    def f(x: Tensor) -> object:
        return {"a": x + 1, "b": [x, (x * 2, "text", None)]}, 3

    result, number = f(Tensor([1.0]))
    assert number == 3
    assert list(result) == ["a", "b"]
    assert result["b"][1][1:] == ("text", None)
    assert result["b"][1][0].asnumpy() == [2.0]


def test_results_are_fresh() -> None:
    @ms.jit
    def f(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return x, x * 2, x.reshape(-1)

    x = Tensor([[1.0, 2.0]])
    first = f(x)
    second = f(Tensor([[3.0, 4.0]]))
    assert first[1].asnumpy().tolist() == [[2.0, 4.0]]
    assert second[1].asnumpy().tolist() == [[6.0, 8.0]]
    for result in first:
        result.asnumpy()[...] = -1
    assert x.asnumpy().tolist() == [[1.0, 2.0]]


def test_parameters_are_updated_after_everything_else() -> None:
    class Counter(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.count = Parameter(Tensor([0.0]), name="count")

        def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
            before = self.count + 0
            ops.assign_add(self.count, x)
            return before, self.count * 10

    counter = Counter()
    f = ms.jit(counter)
    assert [t.asnumpy().item() for t in f(Tensor([2.0]))] == [0.0, 20.0]
    assert [t.asnumpy().item() for t in f(Tensor([3.0]))] == [2.0, 50.0]
    assert counter.count.asnumpy() == [5.0]


@pytest.mark.usefixtures("collects_own")
def test_nothing_of_a_call_stays_alive() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return ops.tanh(x @ x).sum()

    x = Tensor(np.ones((64, 64), np.float32))
    array = weakref.ref(x._data)
    f(x)
    del x
    gc.collect()
    assert array() is None


@pytest.mark.usefixtures("collects_own")
def test_memory_is_flat_over_calls() -> None:
    parameter = Parameter(Tensor(np.ones((32, 32), np.float32)), name="w")

    def loss(x: Tensor) -> Tensor:
        return ops.tanh(x @ parameter).sum()

    gradient = ms.value_and_grad(loss, None, parameter)
    x = Tensor(np.ones((16, 32), np.float32))
    for _ in range(50):
        gradient(x)
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(20):
            gradient(x)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(300):
            gradient(x)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 2048
    finally:
        tracemalloc.stop()


def test_threads_do_not_disturb_each_other() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        y = x
        for _ in range(10):
            y = ops.tanh(y) + x
        return y

    inputs = [Tensor(np.full((50, 50), value, np.float32)) for value in range(8)]
    expected = [f(x).asnumpy() for x in inputs]
    wrong = []

    def work(position: int) -> None:
        for _ in range(100):
            if not np.array_equal(f(inputs[position]).asnumpy(), expected[position]):
                wrong.append(position)

    threads = [threading.Thread(target=work, args=(position,)) for position in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_a_graph_cannot_hold_runs_eagerly_with_one_warning() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        return x * float(x.asnumpy().max())

    with pytest.warns(ms.FallbackWarning, match=r"test_jit\.py:\d+.*asnumpy"):
        assert f(Tensor([1.0, 3.0])).asnumpy().tolist() == [3.0, 9.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(Tensor([1.0, 4.0])).asnumpy().tolist() == [4.0, 16.0]


def test_gradients_of_what_runs_eagerly_are_right() -> None:
    def f(x: Tensor) -> Tensor:
        if x.asnumpy().sum() > 0:
            return (x * x * x).sum()
        return x.sum()

    with pytest.warns(ms.FallbackWarning):
        gradient = ms.grad(f)(Tensor([1.0, 2.0]))
    assert gradient.asnumpy().tolist() == [3.0, 12.0]


def test_strict_refuses_what_a_graph_cannot_hold() -> None:
    @ms.jit(fullgraph=True)
    def f(x: Tensor) -> Tensor:
        return x * float(x.asnumpy().max())

    with pytest.raises(ms.GraphError, match="asnumpy"):
        f(Tensor([1.0]))


@pytest.mark.usefixtures("collects_own")
def test_methods_are_compiled_for_each_object() -> None:
    class Box:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @ms.jit
        def apply(self, x: Tensor) -> Tensor:
            return x * self.factor

    one, two = Box(2.0), Box(3.0)
    assert one.apply(Tensor([1.0])).asnumpy() == [2.0]
    assert two.apply(Tensor([1.0])).asnumpy() == [3.0]
    one.factor = 5.0
    assert one.apply(Tensor([1.0])).asnumpy() == [5.0]
    alive = weakref.ref(one)
    del one
    gc.collect()
    assert alive() is None


def test_stages_print_and_parse(tmp_path: object) -> None:
    from mycel.compiler.ir.parser import parse
    from mycel.compiler.ops import OPS

    parameter = Parameter(Tensor([2.0]), name="w")
    gradient = ms.value_and_grad(lambda x: (x * parameter).sum(), 0, parameter)
    stages = gradient.stages(Tensor([3.0]))
    assert "graph" in str(stages.forward)
    assert stages.backward is not None
    for graph in (stages.forward, stages.backward, stages.joint):
        assert str(parse(str(graph), OPS)) == str(graph)
    assert "def " in stages.program
    assert "peak" in str(stages.plan)


def test_graphs_are_saved_to_numbered_files(tmp_path) -> None:  # type: ignore[no-untyped-def]
    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    try:
        ms.grad(lambda x: x * x)(Tensor([3.0]))
    finally:
        ms.set_context(save_graphs=False)
    names = sorted(path.name.split("_", 2)[-1] for path in tmp_path.iterdir() if "_pass_" not in path.name)
    assert len(names) == 7
    assert any("backward" in name for name in names)


def test_graph_mode_compiles_cells_when_they_are_called() -> None:
    net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))
    x = Tensor(np.ones((2, 3)), ms.float32)
    eager = net(x).asnumpy()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert np.allclose(net(x).asnumpy(), eager, atol=1e-6)
        assert net._compiled is not None
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_a_traced_tensor_cannot_leave_its_trace() -> None:
    kept = queue.SimpleQueue()  # something that tracing knows nothing of

    @ms.jit
    def f(x: Tensor) -> Tensor:
        kept.put(x + 1)
        return x

    f(Tensor([1.0]))

    @ms.jit
    def g(x: Tensor) -> Tensor:
        return x + kept.get()

    with pytest.raises(RuntimeError, match="outside the trace"):
        g(Tensor([1.0]))


def test_jit_refuses_what_it_cannot_compile() -> None:
    with pytest.raises(TypeError, match="function or a Cell"):
        ms.jit(3)

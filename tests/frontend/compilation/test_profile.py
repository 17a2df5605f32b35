"""Profiles: the nodes of the program, their figures, and that profiling changes nothing."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops


def random(*shape):
    return Tensor(np.random.default_rng(0).standard_normal(shape).astype(np.float32))


def test_lines_of_a_product():
    def f(x, y):
        return ops.matmul(x, y).sum()

    report = ms.jit(f).profile(random(64, 32), random(32, 16))
    (product,) = [line for line in report.lines if line.op == "matmul" and line.type == "f32[64, 16]"]
    assert product.flops == 2 * 64 * 32 * 16
    assert product.read == 4 * (64 * 32 + 32 * 16)
    assert product.written == 4 * 64 * 16
    assert product.calls == 1
    assert product.line.startswith("test_profile.py:")
    assert product.rate.endswith(" GF/s")
    assert product.seconds > 0
    assert sum(line.share for line in report.lines) == pytest.approx(1)
    times = [line.seconds for line in report.lines]
    assert times == sorted(times, reverse=True)
    assert 0 < report.seconds < 1
    assert report.calls >= 3


def test_convolutions_and_their_gradients_do_the_same_work():
    conv = nn.Conv2d(3, 8, 3, pad_mode="valid")
    gradient = ms.grad(lambda x: ops.square(conv(x)).sum(), 0, conv.trainable_params())
    report = gradient.profile(random(2, 3, 10, 10))
    flops = {line.op: line.flops for line in report.lines if line.op.startswith("conv")}
    assert set(flops) == {"conv", "conv_input_grad", "conv_weight_grad"}
    assert set(flops.values()) == {2 * (2 * 8 * 8 * 8) * (3 * 3 * 3)}


def test_the_table_has_every_node_or_says_how_many_it_leaves_out():
    def f(x):
        for _ in range(5):
            x = ops.matmul(x, x) * 0.1
        return x

    report = ms.jit(f).profile(random(8, 8))
    full, short = report.table(), report.table(2)
    assert full.count("matmul") == 5
    assert "more nodes" not in full
    assert f"({len(report.lines) - 2} more nodes)" in short
    assert "µs a run without clocks" in short
    assert str(report) == full


def test_a_fused_group_is_one_line():
    report = ms.jit(lambda x: ops.tanh(x) * ops.exp(x) + x).profile(random(512, 512))
    (line,) = [line for line in report.lines if line.op != "(results)"]
    assert line.op.startswith("fused: ")
    assert "tanh" in line.op
    assert "exp" in line.op
    assert line.rate.endswith(" GB/s")
    assert line.line.startswith("test_profile.py:")


def test_nodes_of_a_loop_count_their_iterations():
    def f(x, count):
        while count < 7:
            x = ops.matmul(x, x) * 0.5
            count = count + 1
        return x

    report = ms.jit(f).profile(random(64, 64), Tensor(0, ms.int32))
    (line,) = [line for line in report.lines if line.op == "matmul"]
    assert line.calls == 7
    assert line.flops == 7 * 2 * 64**3


def test_parameters_generator_and_arguments_are_as_before():
    net = nn.SequentialCell(nn.Dense(4, 4), nn.Dropout(p=0.5), nn.Dense(4, 1))
    net.set_train()
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    gradient = ms.value_and_grad(lambda x: ops.square(net(x)).mean(), None, optimizer.parameters)

    @ms.jit
    def step(x):
        loss, gradients = gradient(x)
        optimizer(gradients)
        return loss

    ms.set_seed(1)
    x = random(8, 4)
    step(x)
    kept = [parameter.asnumpy().copy() for parameter in [*net.get_parameters(), *optimizer.get_parameters()]]
    given = x.asnumpy().copy()
    expected = [float(step(x)) for _ in range(3)]

    for parameter, array in zip([*net.get_parameters(), *optimizer.get_parameters()], kept, strict=True):
        parameter.set_data(Tensor(array))
    ms.set_seed(1)
    step.profile(x)
    for parameter, array in zip([*net.get_parameters(), *optimizer.get_parameters()], kept, strict=True):
        np.testing.assert_array_equal(parameter.asnumpy(), array)
    np.testing.assert_array_equal(x.asnumpy(), given)
    drawn = ops.standard_normal((4,)).asnumpy()
    ms.set_seed(1)
    np.testing.assert_array_equal(ops.standard_normal((4,)).asnumpy(), drawn)
    assert len(set(expected)) == 3


def test_a_function_without_a_graph_has_no_profile():
    def f(x):
        return x if float(x.asnumpy()[0]) > 0 else -x

    with pytest.warns(ms.FallbackWarning), pytest.raises(ms.GraphError, match="runs eagerly"):
        ms.jit(f).profile(Tensor([1.0]))


def test_a_trace_that_browsers_open(tmp_path: Path) -> None:
    def f(x: Tensor) -> Tensor:
        i = Tensor(0)
        while i < 5:
            x = ops.tanh(x @ x)
            i = i + 1
        return x

    found = ms.jit(f).profile(Tensor(np.eye(8, dtype=np.float32)))
    found.save_trace(tmp_path / "trace.json")
    content = json.loads((tmp_path / "trace.json").read_text())
    events = [event for event in content["traceEvents"] if event["ph"] == "X"]
    assert sum(event["name"] == "matmul" for event in events) == 5
    assert events[0]["ts"] == 0
    assert all(event["dur"] >= 0 for event in events)
    assert all(before["ts"] + before["dur"] <= after["ts"] + 1e-9 for before, after in itertools.pairwise(events))
    assert any("test_profile.py:" in event["args"]["line"] for event in events)

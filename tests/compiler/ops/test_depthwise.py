"""Depthwise convolutions as sums of shifted images."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from searches import few

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, walk
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ops import depthwise
from mycel.compiler.passes.lower import lower_for_kernels
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes
from mycel.runtime.machine import executable

pytestmark = pytest.mark.skipif(executable.unavailable() is not None, reason="this machine makes no machine code")


def of(
    x: tuple[int, ...], w: tuple[int, ...], groups: int | None = None, dtype: Any = dtypes.float32, **attrs: Any
) -> Graph:
    """The graph of a convolution of these shapes, and of its gradients."""
    axes = len(x) - 2
    attrs = {"stride": (1,) * axes, "padding": ((0, 0),) * axes, "dilation": (1,) * axes, **attrs,
             "groups": x[1] if groups is None else groups}  # fmt: skip

    def function(x: Any, w: Any) -> Any:
        out = ops.conv(x, w, **attrs)
        dout = out * 2.0
        return (
            out,
            ops.conv_input_grad(dout, w, spatial=x.shape[2:], **attrs),
            ops.conv_weight_grad(dout, x, kernel=w.shape[2:], **attrs),
        )

    return record("f", [TensorType(dtype, x), TensorType(dtype, w)], function, ["x", "w"])


def convolutions(graph: Graph) -> int:
    """How many convolutions are left."""
    return sum(node.op.name.startswith("conv") for node in walk(lower_for_kernels(graph)))


@few(25)
@given(data=st.data())
def test_shifted_images_are_the_convolution(data: st.DataObject) -> None:
    """Of one to three axes, with padding, dilation and images smaller than the kernel; forward and both gradients."""
    axes = data.draw(st.integers(1, 3))
    taps = tuple(data.draw(st.integers(1, 3)) for _ in range(axes))
    dilation = tuple(data.draw(st.integers(1, 2)) for _ in range(axes))
    stride = tuple(data.draw(st.integers(1, 3)) for _ in range(axes))
    padding = tuple((data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3))) for _ in range(axes))
    size = tuple(data.draw(st.integers(1, 19)) for _ in range(axes))
    for own, (low, high), count, spread in zip(size, padding, taps, dilation, strict=True):
        assume(own + low + high >= (count - 1) * spread + 1)
    channels, images = data.draw(st.integers(2, 5)), data.draw(st.integers(1, 3))
    graph = of(
        (images, channels, *size),
        (channels, 1, *taps),
        padding=padding,
        stride=stride,
        dilation=dilation,
        dtype=dtypes.float64,
    )
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=value.type.static_shape) for value in graph.parameters]
    kept = Options(disabled=frozenset({"lower_for_kernels"}))
    found = compile_graph(graph, name="f").run(*arrays)
    wanted = compile_graph(graph, name="f", options=kept).run(*arrays)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


def test_depthwise_convolutions_are_lowered_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near misses stay: several kernels for a channel, groups of channels, one tap, too many, halves."""
    monkeypatch.setattr(depthwise, "has_depthwise", lambda: False)
    assert convolutions(of((2, 4, 9, 9), (4, 1, 3, 3), padding=((1, 1), (1, 1)))) == 0
    assert convolutions(of((2, 4, 9), (4, 1, 5))) == 0
    assert convolutions(of((2, 4, 9, 9), (4, 1, 5, 5))) == 1  # its gradient by weight has too many sums
    assert convolutions(of((2, 4, 9, 9), (4, 1, 6, 6))) == 3
    assert convolutions(of((2, 4, 9, 9), (4, 1, 3, 3), stride=(2, 2))) == 1  # its gradient by input
    assert convolutions(of((2, 4, 9, 9), (8, 1, 3, 3))) == 3  # two kernels for each channel
    assert convolutions(of((2, 4, 9, 9), (4, 2, 3, 3), groups=2)) == 3
    assert convolutions(of((2, 8, 9, 9), (4, 2, 3, 3), groups=4)) == 3  # one kernel for each group of channels
    assert convolutions(of((2, 4, 9, 9), (4, 1, 1, 1))) == 3
    assert convolutions(of((2, 4, 9, 9), (4, 1, 3, 3), dtype=dtypes.float16)) == 3


def test_where_there_is_a_function_for_them_only_few_taps_are_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of float32 over one axis or two: not the gradients by weight, and none with a stride."""
    monkeypatch.setattr(depthwise, "has_depthwise", lambda: True)
    assert convolutions(of((2, 4, 9, 9), (4, 1, 3, 3), padding=((1, 1), (1, 1)))) == 1
    assert convolutions(of((2, 4, 9), (4, 1, 5))) == 1
    assert convolutions(of((2, 4, 9, 9), (4, 1, 5, 5))) == 3
    assert convolutions(of((2, 4, 9, 9), (4, 1, 3, 3), stride=(2, 2))) == 3
    assert convolutions(of((2, 4, 9, 9), (4, 1, 3, 3), dtype=dtypes.float64)) == 0
    assert convolutions(of((2, 4, 9, 9, 9), (4, 1, 1, 3, 3))) == 0


@pytest.mark.usefixtures("numpy_only")
def test_without_machine_code_convolutions_stay() -> None:
    """NumPy would compute each shifted image by itself."""
    assert convolutions(of((2, 4, 9, 9), (4, 1, 3, 3))) == 3


def test_a_depthwise_convolution_is_one_kernel() -> None:
    """Nothing is padded in memory."""
    graph = of((2, 8, 20, 20), (8, 1, 3, 3), padding=((1, 1), (1, 1)))
    plan = compile_graph(graph, name="f").plan
    names = [node.op.name for node in plan.graph.nodes]
    assert "pad" not in names
    assert names.count("kernel") <= 4

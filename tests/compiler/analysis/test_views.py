"""Whether views share memory: as NumPy has it, without a copy."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.analysis import views
from mycel.compiler.ir.graph import make_node
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Value
from mycel.runtime import dtypes


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(
    ("axes", "shape", "shares"),
    [
        ((0, 1, 2), (2, 12), True),
        ((0, 1, 2), (24,), True),
        ((0, 2, 1), (2, 4, 3, 1), True),
        ((1, 0, 2), (3, 8), False),
        ((2, 1, 0), (24,), False),
    ],
)
def test_reshapes(
    monkeypatch: pytest.MonkeyPatch, told: bool, axes: tuple[int, ...], shape: tuple[int, ...], shares: bool
) -> None:
    monkeypatch.setattr(views, "_TELLS_OF_COPIES", told)
    array = views.blank(TensorType(dtypes.float32, (2, 3, 4)))
    turned = array.transpose(axes)
    value = Value(TensorType(dtypes.float32, turned.shape), "x")
    view = views.view_of(make_node(ops.reshape, [value], {"shape": shape}), turned)
    assert (view is not None) == shares
    if view is not None:
        assert np.shares_memory(view, array)
        assert view.strides == turned.reshape(shape).strides


def test_other_views() -> None:
    array = views.blank(TensorType(dtypes.float32, (2, 3)))
    value = Value(TensorType(dtypes.float32, (2, 3)), "x")
    view = views.view_of(make_node(ops.transpose, [value], {"axes": (1, 0)}), array)
    assert view is not None
    assert view.strides == (4, 12)
    empty = Value(TensorType(dtypes.float32, (0, 3)), "x")
    seen = views.view_of(make_node(ops.transpose, [empty], {"axes": (1, 0)}), views.blank(empty.type))
    assert seen is not None
    assert seen.shape == (3, 0)

"""Layers that are cut over processes: `shard`, in the mode 'semi_auto_parallel'."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ranks import check_ranks

import mycel as ms
from mycel import ops

NETS = ("mlp", "classifier", "block")


def test_strategies_of_other_kinds_are_errors() -> None:
    matmul = ops.MatMul()
    assert matmul.shard(((2, 1), (1, 2))) is matmul
    for wrong in ([(1, 1)], ([1, 1],), (1, 1)):
        with pytest.raises(TypeError, match="tuple type"):
            matmul.shard(wrong)
    with pytest.raises(ValueError, match="above 0"):
        matmul.shard(((0, 1), (1, 1)))
    with pytest.raises(TypeError, match="all be Layouts"):
        matmul.shard((ms.Layout((1,), ("a",))("a"), (1, 1)))


def test_layouts_have_names() -> None:
    layout = ms.Layout((2, 2, 2), ("dp", "sp", "mp"))
    assert layout("dp", "mp").to_dict() == {
        "device_matrix": (2, 2, 2), "tensor_map": (2, 0), "interleaved_parallel": False,
        "alias_name": ("dp", "sp", "mp"), "rank_list": [*range(8)],
    }  # fmt: skip
    assert layout(("dp", "mp"), "None").to_dict()["tensor_map"] == ((2, 0), -1)
    for names in (("dp", "dp"), ("tp",)):
        with pytest.raises(ValueError, match="axis"):
            layout(*names)
    for arguments in (((2,), ("a", "b")), ((2, 2), ("a", "a")), ((2,), ("None",))):
        with pytest.raises(ValueError, match="alias_name"):
            ms.Layout(*arguments)


def test_one_process_ignores_strategies() -> None:
    x = ms.Tensor(np.ones((3, 3), np.float32))
    assert ms.jit(lambda: ops.MatMul().shard(((2, 1), (1, 2)))(x, x).sum())() == 27


def _check(count: int, folder: Path) -> None:
    """Layers of several processes against those of one; strategies, gradients and errors in the same processes."""
    check_ranks(1, "sharded.py", str(folder))
    programs = ("+", "sharded.py", str(folder), "+", "strategies.py")
    assert check_ranks(count, "several.py", *programs).count("is done") == count
    one, several = ({name: np.load(folder / f"{name}{ranks}.npz") for name in NETS} for ranks in (1, count))
    for name in NETS:
        for key in one[name].files:
            np.testing.assert_allclose(several[name][key], one[name][key], rtol=1e-5, atol=2e-6, err_msg=name)


def test_cut_layers_train_as_in_one_process(tmp_path: Path) -> None:
    _check(2, tmp_path)


@pytest.mark.slow
def test_layers_cut_along_two_dimensions_train_as_in_one_process(tmp_path: Path) -> None:
    _check(4, tmp_path)

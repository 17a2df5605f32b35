"""Misspelt arguments by name are errors, and the order of names means nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, dataset as ds, mint, nn
from mycel.frontend.errors.spelling import bound

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
ROWS = ds.NumpySlicesDataset({"a": np.zeros((4, 2), np.float32)})

MISSPELT: dict[str, Callable[[], Any]] = {
    "mint.max": lambda: mint.max(X, dim=0, keepdm=True),
    "mint.min": lambda: mint.min(X, axis=0),
    "mint.max of two": lambda: mint.max(X, X, keepdim=True),
    "mint.select": lambda: mint.select(X, dm=0, index=1),
    "select": lambda: X.select(dim=0, indx=1),
    "where": lambda: X.where(X > 0, othr=X),
    "flip": lambda: X.flip((0,), dim=0),
    "scatter_add": lambda: X.scatter_add(0, Tensor([[0]]), Tensor([[1.0]]), reduce="add"),
    "uniform_": lambda: Tensor([1.0]).uniform_(frm=2.0),
    "ConstantPad1d": lambda: mint.nn.ConstantPad1d(1, valu=0.0),
    "batch": lambda: ROWS.batch(2, drop_remaider=True),
    "map": lambda: ROWS.map(lambda a: a, ["a"], output_colums=["b"]),
    "save_checkpoint": lambda: ms.save_checkpoint(nn.Dense(1, 1), "a", apend_dict={}),
    "CheckpointConfig": lambda: ms.train.CheckpointConfig(save_checkpoint_step=1),
    "recompute": lambda: nn.Dense(1, 1).recompute(use_reentrnt=True),
    "pad": lambda: ms.numpy.pad(X, 1, constant_value=1),
}


@pytest.mark.parametrize("name", MISSPELT)
def test_a_name_that_a_function_does_not_have(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        MISSPELT[name]()
    assert not list(tmp_path.iterdir())


def test_the_name_that_is_near_is_told() -> None:
    with pytest.raises(TypeError, match="'keepdm': did you mean 'keepdim'"):
        MISSPELT["mint.max"]()


@pytest.mark.parametrize("compiled", [False, True])
def test_names_in_any_order(compiled: bool) -> None:
    run: Any = ms.jit(fullgraph=True) if compiled else lambda function: function
    best, place = run(lambda x: mint.max(x, keepdim=True, dim=1))(X)
    assert best.asnumpy().tolist() == [[2.0], [5.0]]
    assert place.asnumpy().tolist() == [[2], [2]]
    for row in (lambda x: mint.select(x, index=1, dim=0), lambda x: x.select(index=1, dim=0)):
        assert run(row)(X).asnumpy().tolist() == [3.0, 4.0, 5.0]
    assert run(lambda x: x.select(0, index=1))(X).asnumpy().tolist() == [3.0, 4.0, 5.0]
    assert run(lambda x: x.select(y=-x, condition=x > 2))(X).asnumpy().tolist() == [[0, -1, -2], [3, 4, 5]]
    assert run(lambda x: mint.max(x, other=-x))(X).shape == (2, 3)


def test_arguments_are_bound_as_python_binds_them() -> None:
    assert bound("f", ("a", "b"), (1,), {}, b=2) == [1, 2]
    assert bound("f", ("a", "b"), (), {"b": 3, "a": 1}) == [1, 3]
    for arguments, named, match in [
        ((1, 2, 3), {}, "takes 2 arguments"), ((1,), {"a": 2}, "multiple values for argument 'a'"),
        ((), {"b": 1}, "needs the argument 'a'"), ((), {"c": 1}, "unexpected keyword argument 'c'"),
    ]:  # fmt: skip
        with pytest.raises(TypeError, match=match):
            bound("f", ("a", "b"), arguments, named)

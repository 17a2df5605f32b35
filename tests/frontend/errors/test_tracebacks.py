"""Tracebacks show the user's frames and none of the package's, wherever an error leaves it; a switch shows all."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
import textwrap
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
import mycel.dataset as ds
import mycel.numpy as mnp
from mycel import Parameter, Tensor, mint, nn, ops, train
from mycel.frontend.errors.tracebacks import users_frames

OURS = 1 if sys.version_info < (3, 11) else 0  # there the frame of the function that was called stays
x, y = ops.ones((2, 3)), ops.ones((4, 5))


class Wrong(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(5, 4))

    def construct(self, x: Any) -> Any:
        return self.layers(x)


class WithBackward(nn.Cell):
    def construct(self, x: Any) -> Any:
        return x * 2

    def bprop(self, x: Any, out: Any, dout: Any) -> Any:
        return (ops.matmul(dout, y),)


class Raises(nn.Cell):
    def construct(self, x: Any) -> Any:
        return self.helper(x)

    def helper(self, x: Any) -> Any:
        raise LookupError("my own")


class Callback(train.Callback):
    def on_train_step_end(self, run_context: Any) -> None:
        raise LookupError("in a callback")


def mapped(row: Any) -> Any:
    raise LookupError("in map")


def model(net: nn.Cell) -> train.Model:
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))


def data(columns: int = 3) -> Any:
    return ds.NumpySlicesDataset((np.ones((4, columns), np.float32), np.ones((4, 2), np.float32)), ["a", "b"]).batch(2)


@ms.jit
def product(a: Any, b: Any) -> Any:
    if a.sum() > 0:
        return ops.matmul(a, b)
    return a


@ms.jit
def picked(a: Any, index: Any) -> Any:
    return a[index]


@ms.jit
def calls_back(a: Any) -> Any:
    def inner(b: Any) -> Any:
        return ops.concat((b, y))

    return list(map(inner, [a, a]))


def passes(dataset: Any) -> Any:
    return list(dataset.create_tuple_iterator())


HERE = "test_tracebacks.py"
CASES: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "function": (lambda: ops.matmul(x, y), []),
    "arguments": (lambda: ops.matmul(x), []),
    "operator": (lambda: x + y, []),
    "reflected": (lambda: "a" - x, []),
    "method": (lambda: x.reshape((7,)), []),
    "index": (lambda: x[7], []),
    "assignment": (lambda: x.__setitem__(9, 1.0), []),
    "tensor": (lambda: Tensor({}), []),
    "primitive": (lambda: ops.MatMul()(x, y), []),
    "primitive made": (lambda: ops.ReduceSum(keep_dims="no"), []),
    "missing function": (lambda: ops.sofmax(x), []),
    "missing layer": (lambda: nn.Dens(3, 4), []),
    "missing in the package": (lambda: ms.no_grad(), []),
    "missing attribute": (lambda: Wrong().wieght, []),
    "numpy": (lambda: mnp.concatenate((x, y)), []),
    "mint": (lambda: mint.cat((x, y)), []),
    "layer made": (lambda: nn.Dense(3, "a"), []),
    "parameter": (lambda: Parameter(x, name=3), []),
    "assigned": (lambda: Parameter(x, name="w").set_data(y), []),
    "optimizer": (lambda: nn.SGD([], 0.1), []),
    "context": (lambda: ms.set_context(nosuch=1), []),
    "jit's options": (lambda: ms.jit(fullgraph="a")(lambda a: a), []),
    "cells": (lambda: Wrong()(x), ["construct"]),
    "own raise": (lambda: Raises()(x), ["construct", "helper"]),
    "compiled": (lambda: product(x, y), ["product"]),
    "compiled Cell": (lambda: ms.jit(Wrong())(x), ["construct"]),
    "compiled own raise": (lambda: ms.jit(Raises())(x), ["construct", "helper"]),
    "out of range": (lambda: picked(x, Tensor(5)), ["picked"]),
    "callback": (lambda: calls_back(x), ["calls_back", "inner"]),
    "grad": (lambda: ms.grad(lambda a: ops.matmul(a, y))(x), ["<lambda>"]),
    "grad position": (lambda: ms.grad(lambda a: a * a, 1)(x), []),
    "value_and_grad made": (lambda: ms.value_and_grad(3), []),
    "bprop": (lambda: ms.grad(WithBackward())(x), ["bprop"]),
    "vmap": (lambda: ms.vmap(lambda a: ops.matmul(a, y))(x), ["<lambda>"]),
    "jvp": (lambda: ms.jvp(lambda a: ops.matmul(a, y), x, x), ["<lambda>"]),
    "train": (lambda: model(Wrong()).train(1, data()), ["construct"]),
    "callback of train": (lambda: model(nn.Dense(3, 2)).train(1, data(), Callback()), ["on_train_step_end"]),
    "map": (lambda: passes(data().map(mapped, ["a"])), ["passes", "mapped"]),
    "map in train": (lambda: model(nn.Dense(3, 2)).train(1, data().map(mapped, ["a"])), ["mapped"]),
    "checkpoint": (lambda: ms.load_checkpoint("no such file.ckpt"), []),
}


def frames(error: BaseException) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(error.__traceback__))


def caught(case: Callable[[], Any]) -> Exception:
    try:
        case()
    except Exception as error:
        return error
    raise AssertionError("no error")


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
@pytest.mark.parametrize("name", CASES)
def test_only_frames_of_the_user(name: str, mode: int) -> None:
    """This function, `caught`, the case, and the user's inner functions, in order; no frame of the package."""
    case, inside = CASES[name]
    ms.set_context(mode=mode)
    try:
        error = caught(case)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    shown = frames(error)
    own = [frame for frame in shown if not frame.filename.endswith(HERE)]
    assert len(own) <= OURS, "\n".join(traceback.format_exception(error))
    functions = [frame.name for frame in shown if frame.filename.endswith(HERE)]
    assert functions == ["caught", "<lambda>", *inside]
    for cause in (error.__cause__, error.__context__):
        assert cause is None or all(frame.filename.endswith(HERE) for frame in frames(cause))


@pytest.mark.parametrize("name", ["function", "cells", "compiled", "out of range", "grad", "train", "map"])
def test_the_setting_shows_all(name: str) -> None:
    assert ms.get_context("traceback_filtering") is True
    ms.set_context(traceback_filtering=False)
    try:
        assert ms.get_context("traceback_filtering") is False
        error = caught(CASES[name][0])
    finally:
        ms.set_context(traceback_filtering=True)
    ours = [frame for frame in frames(error) if not frame.filename.endswith(HERE)]
    assert len(ours) > 1


def test_frames_of_libraries_between_the_users_stay() -> None:
    """A library that the user calls, and that calls the user, stays; a library that the package calls does not."""
    compiled = ms.jit(lambda a: ops.matmul(a, y))
    error = caught(lambda: re.sub("a", lambda found: str(compiled(x)), "a"))
    names = [frame.name for frame in frames(error) if not (OURS and frame.name == "__call__")]
    assert names == ["caught", "<lambda>", "sub", "<lambda>", "<lambda>"]


def test_an_interrupt_is_shown_whole() -> None:
    def interrupted(a: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught_interrupt:
        ms.jit(interrupted)(x)
    assert any("compiled.py" in frame.filename for frame in traceback.extract_tb(caught_interrupt.tb))


def test_a_failed_assertion_of_the_package_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a defect, which somebody is to find."""
    from mycel.frontend.compilation import compiled

    namespace: dict[str, Any] = {"__name__": "mycel.frontend.made_up"}
    exec("def fails(*args):\n    assert False", namespace)
    monkeypatch.setattr(compiled.CompiledFunction, "_entry", namespace["fails"])
    error = caught(lambda: ms.jit(lambda a: a)(x))
    assert type(error) is AssertionError
    names = [frame.name for frame in frames(error)]
    assert "__call__" in names
    assert names[-1] == "fails"


def test_nested_errors_lose_the_frames_too() -> None:
    def case() -> Any:
        try:
            ops.matmul(x, y)
        except RuntimeError as problem:
            raise LookupError from problem

    error = caught(case)
    assert error.__cause__ is not None
    assert len([frame for frame in frames(error.__cause__) if not frame.filename.endswith(HERE)]) <= OURS


def test_frames_keep_line_and_locals() -> None:
    """A debugger stands on the user's frame."""

    def case() -> Any:
        local = ops.ones((7, 7))
        return ops.matmul(x, local)

    step = caught(case).__traceback__
    assert step is not None
    while step.tb_next is not None and step.tb_next.tb_frame.f_code.co_filename.endswith(HERE):
        step = step.tb_next
    assert step.tb_lineno == case.__code__.co_firstlineno + 2
    assert step.tb_frame.f_locals["local"].shape == (7, 7)


def test_hints_know_who_asks() -> None:
    """A suggestion depends on whether an import asks for the name, or an attribute."""
    with pytest.raises(AttributeError, match="did you mean 'softmax'"):
        ops.sofmax  # noqa: B018
    with pytest.raises(ImportError, match=r"cannot import name 'sofmax'.*did you mean 'softmax'"):
        exec("from mycel.library.ops import sofmax")


def test_functions_stay_what_they_are() -> None:
    """Identity, name, signature, pickling and documentation, for functions with and without a closure."""
    import inspect

    from mycel.library.functions import linalg

    assert ops.matmul is linalg.matmul
    assert list(inspect.signature(ops.matmul).parameters) == ["input", "other"]
    assert ops.matmul.__name__ == "matmul"
    assert "def matmul(" in inspect.getsource(ops.matmul)
    assert pickle.loads(pickle.dumps(ops.matmul)) is ops.matmul
    assert next(iter(inspect.signature(nn.Dense).parameters)) == "in_channels"
    assert np.allclose(mint.sum(Tensor([1.0, 2.0]), dim=0).asnumpy(), 3.0)


def test_nothing_stays_of_a_traceback_of_the_package_alone() -> None:
    assert users_frames(None) is None


def run(tmp_path: Path, text: str, *command: str, **environment: str) -> str:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(text))
    import os

    done = subprocess.run(
        [sys.executable, *command, str(script)], capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 1, done.stderr
    return done.stderr


SCRIPT = """
    import mycel as ms
    from mycel import ops

    def compute():
        return ops.matmul(ops.ones((2, 3)), ops.ones((4, 5)))

    compute()
"""


@pytest.mark.parametrize("command", [(), ("-m", "mycel", "run")], ids=["python", "mycel"])
def test_scripts(tmp_path: Path, command: tuple[str, ...]) -> None:
    """Scripts show their own lines; the environment variable shows all."""
    shown = re.findall(r'File "(.*?)", line (\d+), in (\S+)', run(tmp_path, SCRIPT, *command))
    script = str(tmp_path / "script.py")
    assert shown[:2] == [(script, "8", "<module>"), (script, "6", "compute")]
    assert len(shown) <= 2 + OURS
    full = re.findall(r'File "(.*?)", line (\d+), in (\S+)', run(tmp_path, SCRIPT, *command, MYCEL_TRACEBACK="full"))
    assert len(full) > 3
    assert full[-1][0] != script


def test_notebooks() -> None:
    """A notebook shows the filtered traceback of the error."""
    ultratb = pytest.importorskip("IPython.core.ultratb")
    error = caught(CASES["compiled"][0])
    text = ultratb.VerboseTB().text(type(error), error, error.__traceback__)
    assert "product" in text
    assert "compiled.py" not in text

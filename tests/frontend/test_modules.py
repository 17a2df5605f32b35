"""Module names: mycel's own, and mycel under MindSpore's names."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import mycel as ms
from mycel.frontend import modules

MISSING = "nothing"


@pytest.fixture
def as_mindspore() -> Iterator[Any]:
    """`import mindspore` means mycel during a test."""
    attributes = {"nn": ms.nn, "ops": ms.ops}
    finders = list(sys.meta_path)
    ms.install_as_mindspore()
    yield importlib.import_module("mindspore")
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.split(".")[0] == "mindspore"]:
        del sys.modules[name]
    for name, module in attributes.items():
        setattr(ms, name, module)


def test_every_module_can_be_imported(as_mindspore: Any) -> None:
    for path in modules.MODULES:
        module = importlib.import_module(f"mindspore.{path}")
        assert module.__name__ == f"mindspore.{path}"
        assert any(not name.startswith("_") for name in dir(module))
        own = importlib.import_module(f"mycel.{path}")
        assert own.__name__ in (f"mycel.{path}", f"mindspore.{path}")


def test_both_names_give_the_same_objects(as_mindspore: Any) -> None:
    assert as_mindspore is ms
    for path, names in {
        "nn": ["Cell", "Dense", "Adam"],
        "nn.optim": ["Adam", "SGD"],
        "nn.wrap.cell_wrapper": ["TrainOneStepCell"],
        "ops": ["add", "GradOperation"],
        "ops.operations": ["ReLU", "MatMul"],
        "ops.functional": ["relu", "grad"],
        "ops.composite": ["HyperMap", "MultitypeFuncGraph", "GradOperation", "clip_by_global_norm"],
        "common": ["Tensor", "Parameter", "set_seed"],
        "common.tensor": ["Tensor"],
        "common.parameter": ["Parameter", "ParameterTuple"],
        "common.dtype": ["float32", "int32"],
        "common.initializer": ["Normal", "initializer"],
        "common.api": ["jit"],
        "context": ["set_context", "GRAPH_MODE"],
        "amp": ["StaticLossScaler", "all_finite"],
        "train": ["Model", "LossMonitor"],
        "train.callback": ["LossMonitor", "ModelCheckpoint"],
        "train.serialization": ["save_checkpoint", "load_checkpoint"],
        "train.loss_scale_manager": ["FixedLossScaleManager", "DynamicLossScaleManager"],
        "parallel._utils": ["_get_device_num", "_get_parallel_mode", "_get_gradients_mean"],
        "communication": ["init", "get_rank"],
    }.items():
        module = importlib.import_module(f"mindspore.{path}")
        own = importlib.import_module(f"mycel.{path}")
        for name in names:
            assert getattr(module, name) is getattr(own, name)


def test_dtype_is_a_module(as_mindspore: Any) -> None:
    from mindspore import dtype as mstype  # type: ignore[import-not-found]

    assert mstype.float32 is ms.float32


def test_names_that_are_not_there(as_mindspore: Any) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"mycel has no module 'mindspore.nothing' yet"):
        importlib.import_module("mindspore.nothing")
    with pytest.raises(AttributeError, match=r"'mindspore.ops' has no 'nothing' in mycel yet"):
        getattr(importlib.import_module("mindspore.ops"), MISSING)
    with pytest.raises(AttributeError, match="'nothing' yet"):
        getattr(ms, MISSING)
    assert not hasattr(importlib.import_module("mindspore.nn"), "Nothing")


def test_names_of_mycel_that_are_not_there() -> None:
    for module in (ms, ms.nn, ms.ops):
        with pytest.raises(AttributeError, match=r"'nothing'.* yet"):
            getattr(module, MISSING)
    with pytest.raises(ModuleNotFoundError, match=r"mycel\.nothing"):
        importlib.import_module("mycel.nothing")


def test_installing_twice_is_installing_once(as_mindspore: Any) -> None:
    before = list(sys.meta_path)
    ms.install_as_mindspore()
    assert sys.meta_path == before


def test_the_real_mindspore_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mindspore", sys)
    with pytest.raises(RuntimeError, match="the real mindspore is imported already"):
        ms.install_as_mindspore()


def test_importing_mycel_loads_nothing_heavy() -> None:
    code = (
        "import sys, mycel; print(sorted({'sklearn', 'scipy', 'matplotlib', 'torch', 'mindspore'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"

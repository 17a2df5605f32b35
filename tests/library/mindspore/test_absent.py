"""MindSpore names that mycel has for import only: importing and using them."""

from __future__ import annotations

import enum
import importlib
import re
from typing import Any

import pytest

import mycel as ms
from mycel.library.mindspore import absent


@pytest.fixture
def mindspore(as_without_mindspore: None) -> Any:
    """`import mindspore` means mycel during a test."""
    ms.install_as_mindspore()
    return importlib.import_module("mindspore")


def test_the_version_is_the_one_that_mycel_follows(mindspore: Any) -> None:
    assert mindspore.__version__ == "2.10.0"
    assert importlib.import_module("mindspore.version").__version__ == "2.10.0"
    assert ms.__version__ != "2.10.0"


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 40])
def test_every_listed_name_is_importable(mindspore: Any, every: int) -> None:
    """Each of them, or one of so many."""
    tops = {top for text in absent._lists().values() for top in re.findall(r"(?m)^\[mindspore\.?(\w*)", text)}
    assert {"", "ops", "profiler"} <= tops
    count = 0
    for top in sorted(tops):
        for path in absent._modules(top):
            module = importlib.import_module(f"mindspore.{path}".rstrip("."))
            names = absent.names_of(path)
            count += len(names)
            for name in names[count % every :: every]:
                getattr(module, name)
    assert count > 5000


@pytest.mark.parametrize(
    ("module", "name", "package"),
    [
        ("train.metrics.dice", "Dice", "train"), ("train.metrics.hausdorff_distance", "HausdorffDistance", "nn"),
        ("train.data_sink", "data_sink", "train"), ("mint.optim.adamw", "AdamW", "mint.optim"),
        ("nn.probability.distribution.normal", "Normal", "nn.probability.distribution"),
        ("nn.probability.distribution.normal", "Distribution", "nn.probability.distribution"),
        ("parallel.checkpoint_transform", "transform_checkpoints", "parallel"),
    ],
)  # fmt: skip
def test_files_of_a_package_have_its_names(mindspore: Any, module: str, name: str, package: str) -> None:
    """MindSpore defines each in a file of its own, from which programs import it, too."""
    found = getattr(importlib.import_module(f"mindspore.{module}"), name)
    assert found is getattr(importlib.import_module(f"mindspore.{package}"), name)


def test_an_absent_class_is_refused_when_it_is_made(mindspore: Any) -> None:
    kind = importlib.import_module("mindspore.dataset").CityscapesDataset

    class Derived(kind):  # type: ignore[misc]
        """A program may define this without using it."""

    for made in (kind, Derived):
        with pytest.raises(NotImplementedError, match=r"'mindspore\.dataset\..*CityscapesDataset' is one of the names"):
            made("folder")
    assert not hasattr(kind, "create")


def test_an_absent_primitive_is_refused_when_it_is_called(mindspore: Any) -> None:
    operation = importlib.import_module("mindspore.ops.auto_generate").PagedAttention(8, 1.0, 8)
    assert isinstance(operation, ms.ops.Primitive)
    with pytest.raises(NotImplementedError, match="PagedAttention"):
        operation(ms.Tensor(1.0))


def test_modules_have_what_mindspores_import_from_others(mindspore: Any) -> None:
    """Also where mycel has that name."""
    once = importlib.import_module("mindspore.log")._LogActionOnce
    for other in ("common.parameter", "ops.primitive"):
        assert importlib.import_module(f"mindspore.{other}")._LogActionOnce is once


def test_an_absent_function_is_refused_when_it_is_called(mindspore: Any) -> None:
    function = importlib.import_module("mindspore").obfuscate_ckpt
    with pytest.raises(NotImplementedError, match="obfuscate_ckpt"):
        function(1)


def test_enumerations_and_exceptions_are_what_they_are_in_mindspore(mindspore: Any) -> None:
    level = importlib.import_module("mindspore.profiler.common.constant").TimeConstant
    assert issubclass(importlib.import_module("mindspore.parallel._utils").__class__, object)
    assert level is not None
    kinds = [
        absent.placeholder(path, name)
        for path, listed in absent._modules("profiler").items()
        for name, (kind, _) in listed.items()
        if kind == "enum"
    ]
    assert kinds
    assert all(issubclass(kind, enum.Enum) and list(kind) for kind in kinds)


def test_names_that_modules_of_mindspore_import_from_others(mindspore: Any) -> None:
    assert importlib.import_module("mindspore.train.model").ParallelMode.DATA_PARALLEL == "data_parallel"
    model = importlib.import_module("mindspore.train.model")  # whose own loops MindSPONGE copies
    assert model._transfer_tensor_to_tuple(ms.Tensor(1.0)) == (ms.Tensor(1.0),)
    assert issubclass(model._StepSync, ms.train.Callback)
    basic = importlib.import_module("mindspore.nn.layer.basic")
    assert basic.mstype.float32 is ms.float32
    assert basic.Parameter is ms.Parameter
    assert not hasattr(importlib.import_module("mindspore.nn"), "mstype")
    assert not hasattr(basic, "NoSuchName")

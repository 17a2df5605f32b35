"""Module names: `mycel.nn` and the like for the packages inside, and mycel's modules under MindSpore's names."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence
from typing import Any

PACKAGE = __name__.split(".")[0]

# MindSpore's module (without "mindspore.") -> where its names are found, in this order; "" is the package itself.
MODULES: dict[str, tuple[str, ...]] = {
    "nn": ("frontend.nn",),
    "ops": ("frontend.ops",),
    "numpy": ("frontend.numpy",),
    "mint": ("frontend.mint",),
    "mint.nn": ("frontend.mint_nn",),
    "mint.nn.functional": ("frontend.mint_functional",),
    "mint.linalg": ("frontend.mint_linalg",),
    "mint.special": ("frontend.mint_special",),
    "mint.optim": ("frontend.mint_optim",),
    "amp": ("frontend.amp",),
    "train": ("frontend.train",),
    "dataset": ("frontend.dataset",),
    "dataset.config": ("frontend.dataset.config",),
    "dataset.transforms": ("frontend.dataset.transforms",),
    "dataset.transforms.c_transforms": ("frontend.dataset.transforms",),
    "dataset.transforms.py_transforms": ("frontend.dataset.transforms",),
    "dataset.transforms.transforms": ("frontend.dataset.transforms",),
    "context": ("frontend.context", "frontend.parallel"),
    "communication": ("frontend.parallel",),
    "communication.management": ("frontend.parallel",),
    "communication.comm_func": ("frontend.parallel",),
    "parallel": ("frontend.parallel",),
    "parallel._utils": ("frontend.parallel",),
    "parallel._auto_parallel_context": ("frontend.parallel",),
    "common": ("", "frontend.initializer", "runtime.dtypes"),
    "common.dtype": ("frontend.dtype_names",),
    "common.tensor": ("frontend.tensor",),
    "common.parameter": ("frontend.parameter",),
    "common.initializer": ("frontend.initializer",),
    "common.api": ("frontend.jit", ""),
    "common.seed": ("frontend.ops", ""),
    "common.mutable": ("frontend.mutable",),
    "common.jit_config": ("frontend.context",),
    "ops.operations": ("frontend.ops",),
    "ops.functional": ("frontend.ops",),
    "ops.composite": ("frontend.ops",),
    "ops.function": ("frontend.ops",),
    "ops.primitive": ("frontend.ops",),
    "ops.auto_generate": ("frontend.ops",),
    "nn.cell": ("frontend.nn",),
    "nn.optim": ("frontend.nn",),
    "nn.optim.optimizer": ("frontend.nn",),
    "nn.loss": ("frontend.nn",),
    "nn.loss.loss": ("frontend.nn",),
    "nn.layer": ("frontend.nn",),
    "nn.wrap": ("frontend.nn",),
    "nn.wrap.cell_wrapper": ("frontend.nn",),
    "nn.wrap.loss_scale": ("frontend.nn",),
    "nn.wrap.grad_reducer": ("frontend.nn",),
    "nn.metrics": ("frontend.nn",),
    "nn.learning_rate_schedule": ("frontend.nn",),
    "nn.dynamic_lr": ("frontend.nn",),
    "train.model": ("frontend.train",),
    "train.callback": ("frontend.train",),
    "train.serialization": ("frontend.train", ""),
    "train.loss_scale_manager": ("frontend.amp",),
    "train.amp": ("frontend.amp",),
    "train.metrics": ("frontend.nn",),
}


class Facade(types.ModuleType):
    """A module whose names are those of others, looked up when they are asked for."""

    def __init__(self, name: str, path: str, sources: Sequence[str]) -> None:
        super().__init__(name, f"{PACKAGE}'s names under {name}.")
        self.__dict__["_path"] = path
        self.__dict__["_sources"] = tuple(sources)
        self.__dict__["__path__"] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if f"{self._path}.{name}" in MODULES:  # before what the package inside calls a module of its own by that name
            return importlib.import_module(f"{self.__name__}.{name}")
        for source in self._sources:
            module = importlib.import_module(f"{PACKAGE}.{source}" if source else PACKAGE)
            found = getattr(module, name, _MISSING)
            if found is not _MISSING:
                self.__dict__[name] = found
                return found
        raise AttributeError(f"'{self.__name__}' has no '{name}' in {PACKAGE} yet")

    def __dir__(self) -> list[str]:
        names: set[str] = set()
        for source in self._sources:
            names.update(dir(importlib.import_module(f"{PACKAGE}.{source}" if source else PACKAGE)))
        return sorted(names)


_MISSING = object()


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds MODULES under a prefix."""

    def __init__(self, prefix: str, whole: bool) -> None:
        self.prefix = prefix
        self.whole = whole  # whether every other name below the prefix is refused

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.prefix and not fullname.startswith(self.prefix + "."):
            return None
        if fullname[len(self.prefix) + 1 :] in MODULES:
            return importlib.util.spec_from_loader(fullname, self, is_package=True)
        if self.whole:
            raise ModuleNotFoundError(f"{PACKAGE} has no module '{fullname}' yet", name=fullname)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        path = spec.name[len(self.prefix) + 1 :]
        sources = MODULES[path]
        for source in sources:
            name = f"{PACKAGE}.{source}" if source else PACKAGE
            if source and importlib.util.find_spec(name) is None:
                raise ModuleNotFoundError(f"{PACKAGE} has no module '{spec.name}' yet", name=spec.name)
        return Facade(spec.name, path, sources)

    def exec_module(self, module: types.ModuleType) -> None:
        return None


def install_names() -> None:
    """Let `import mycel.nn` and the like work beside `from mycel import nn`."""
    if not any(isinstance(finder, _Finder) and finder.prefix == PACKAGE for finder in sys.meta_path):
        sys.meta_path.append(_Finder(PACKAGE, whole=False))


def install_as_mindspore() -> None:
    """Let `import mindspore`, and its submodules, mean mycel from here on in this process.

    A name that is not there yet raises an ImportError or AttributeError that says so.

    Raises:
        RuntimeError: if the real MindSpore has been imported already.

    Examples:
        >>> import mycel
        >>> mycel.install_as_mindspore()
        >>> import mindspore as ms
        >>> from mindspore import nn, ops
        >>> ms.Tensor is mycel.Tensor
        True
    """
    package = sys.modules[PACKAGE]
    present = sys.modules.get("mindspore")
    if present is package:
        return
    if present is not None:
        raise RuntimeError("the real mindspore is imported already: call install_as_mindspore() before it")
    sys.modules["mindspore"] = package
    sys.meta_path.insert(0, _Finder("mindspore", whole=True))
    for name in ("nn", "ops"):  # so that `mindspore.ops.composite` is MindSpore's, not a module inside
        importlib.import_module(f"mindspore.{name}")

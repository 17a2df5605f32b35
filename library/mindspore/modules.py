"""Module names: `mycel.nn` and the like for the packages inside, and mycel's modules under MindSpore's names."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Sequence
from functools import cache
from typing import Any

from ...frontend.compilation.doors import guarded
from ...frontend.errors.spelling import missing_name, nearest
from . import absent
from .module_names import ALIASES, COMMON, MODULES, ROOT

PACKAGE = __name__.split(".")[0]
MINDSPORE = "mindspore"
VERSION = "2.10.0"
"""The version of MindSpore that mycel stands for."""


class Facade(types.ModuleType):
    """A module with the names of others, which are looked up when they are used."""

    __getattribute__ = object.__getattribute__  # faster than that of modules, whose error this class replaces

    def __init__(self, name: str, path: str, sources: Sequence[str]) -> None:
        super().__init__(name, f"{PACKAGE}'s names under {name}.")
        self.__dict__["_path"] = path
        self.__dict__["_sources"] = tuple(sources)
        self.__dict__["__path__"] = []

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return self._public()
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self._path}.{name}".lstrip(".")
        if path in MODULES:  # before what the package inside calls a module of its own by that name
            return importlib.import_module(f"{self.__name__}.{name}")
        found = self._find(name, self._sources)
        if found is _MISSING:
            found = self._elsewhere(path, name)
        if found is _MISSING:
            raise missing_name(self.__name__, name)
        self.__dict__[name] = guarded(found)
        return found

    @staticmethod
    def _find(name: str, sources: Sequence[str]) -> Any:
        for source in sources:
            module = importlib.import_module(f"{PACKAGE}.{source}" if source else PACKAGE)
            found = getattr(module, name, _MISSING)
            if found is not _MISSING and getattr(found, "__module__", None) not in _TOOLS:
                return found
        return _MISSING

    def _elsewhere(self, path: str, name: str) -> Any:
        """A name that MindSpore has and mycel has not, or one that MindSpore's module imports from others."""
        if self.__name__.partition(".")[0] == PACKAGE:
            return _MISSING
        listed = absent.entry(self._path, name)
        if listed is not None and listed[0] == "from":
            return getattr(importlib.import_module(f"{MINDSPORE}.{listed[1]}"), name)
        if listed is not None:
            found = _MISSING if listed[0] in absent.CONSTANTS else self._in_package(name)
            return absent.placeholder(self._path, name) if found is _MISSING else found
        if absent.has_module(path):
            return importlib.import_module(f"{self.__name__}.{name}")
        if "." not in self._path and not self._path.startswith("_"):
            return _MISSING
        if name in ALIASES:
            return importlib.import_module(ALIASES[name])
        return self._find(name, COMMON)

    def _in_package(self, name: str) -> Any:
        """What a package around this module has under a name, for MindSpore's files that mycel has no like of:
        `train.metrics.dice` has the `Dice` of `train.metrics`."""
        path = self._path
        while "." in path:
            path = path.rpartition(".")[0]
            if path in MODULES and absent.entry(path, name) is None:
                found = getattr(importlib.import_module(f"{MINDSPORE}.{path}"), name, _MISSING)
                if found is not _MISSING:
                    return found
        return _MISSING

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function that has the module's own name, for which the module stands (`parallel.shard`).

        Raises:
            TypeError: if there is none.
        """
        own = self._path.rpartition(".")[2]
        try:
            function = getattr(self, own)
        except AttributeError:
            raise TypeError(f"the module '{self.__name__}' cannot be called") from None
        return function(*arguments, **named)

    def _public(self) -> list[str]:
        """The names for `import *`: the public names of the sources, without modules."""
        found = {name: getattr(self, name, None) for name in dir(self) if not name.startswith("_")}
        return sorted(name for name, value in found.items() if not isinstance(value, (types.ModuleType, type(None))))

    def __dir__(self) -> list[str]:
        names: set[str] = set()
        for source in self._sources:
            names.update(_own_names(importlib.import_module(f"{PACKAGE}.{source}" if source else PACKAGE)))
        return sorted(name for name in names if not name.startswith("__") or name in vars(self))


def _own_names(module: types.ModuleType) -> set[str]:
    """The public names of a module: its list, or else all names that it does not import from other packages."""
    listed = getattr(module, "__all__", None)
    if listed is not None and "__dir__" not in vars(module):
        return set(listed)
    known = vars(module)
    return {name for name in dir(module) if not _is_foreign(known.get(name))}


def _is_foreign(value: Any) -> bool:
    """Whether a value comes from a package that is neither this one nor Python's own names, or is a tool."""
    module = getattr(value, "__module__", None)
    return isinstance(module, str) and (module.partition(".")[0] not in (PACKAGE, "builtins") or module in _TOOLS)


guarded(Facade.__getattr__)
_MISSING = object()
# What the library is written with; MindSpore has no such names.
_TOOLS = tuple(f"{PACKAGE}.library.{file}" for file in ("docstrings", "lazy", "functions.documentation"))


def _missing_module(fullname: str) -> str:
    """The message for a module that cannot be imported."""
    prefix, _, path = fullname.partition(".")
    near = nearest(path, MODULES)
    return f"{PACKAGE} has no module '{fullname}'" + (f": did you mean '{prefix}.{near}'?" if near else "")


class _Finder:
    """Finds and loads MODULES under a prefix."""

    def __init__(self, prefix: str, whole: bool) -> None:
        self.prefix = prefix
        self.whole = whole  # whether every other name below the prefix is refused

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.prefix and not fullname.startswith(self.prefix + "."):
            return None
        module = fullname[len(self.prefix) + 1 :]
        # `runtime` is also a layer of this package.
        known = module in MODULES and (self.whole or module != "runtime")
        if known or (self.whole and (not module or absent.has_module(module))):
            loader: Any = self
            return importlib.util.spec_from_loader(fullname, loader, is_package=True)
        if self.whole:
            raise ModuleNotFoundError(_missing_module(fullname), name=fullname)
        return None

    def find_distributions(self, context: Any) -> list[Any]:
        """What `importlib.metadata` finds: libraries ask it for MindSpore's version."""
        wanted = MINDSPORE if context.name is None else str(context.name).lower()
        return [_distribution()] if self.whole and wanted == MINDSPORE else []

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        path = spec.name[len(self.prefix) + 1 :]
        sources = MODULES.get(path, ()) if path else ROOT
        for source in sources:
            name = f"{PACKAGE}.{source}" if source else PACKAGE
            if source and importlib.util.find_spec(name) is None:
                raise ModuleNotFoundError(_missing_module(spec.name), name=spec.name)
        module = Facade(spec.name, path, sources)
        if path in ("", "version"):
            module.__dict__["__version__"] = VERSION
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        return None


@cache
def _distribution() -> Any:
    """MindSpore as an installed package. Only `importlib.metadata` asks for it, which takes long to import."""
    from importlib.metadata import Distribution

    class Installed(Distribution):
        """A package without files."""

        def read_text(self, filename: str) -> str | None:
            """Its metadata."""
            described = f"Metadata-Version: 2.1\nName: {MINDSPORE}\nVersion: {VERSION}\n"
            return {"METADATA": described, "top_level.txt": f"{MINDSPORE}\n"}.get(filename)

        def locate_file(self, path: Any) -> Any:
            """Where a file of it would be."""
            return os.path.join(os.path.dirname(__file__), path)

    return Installed()


def _device_name(name: str) -> Any:
    """A name of `mindspore.runtime`, of which this package has a layer of the same name, with modules of its own."""
    if not name.startswith("__") and importlib.util.find_spec(f"{PACKAGE}.runtime.{name}") is None:
        for source in MODULES["runtime"]:
            module = importlib.import_module(f"{PACKAGE}.{source}")
            if name in vars(module):
                return vars(module)[name]
    raise AttributeError(f"module '{PACKAGE}.runtime' has no attribute '{name}'")


def install_names() -> None:
    """Let `import mycel.nn` and the like work beside `from mycel import nn`, and `mycel.runtime.synchronize`."""
    vars(importlib.import_module(f"{PACKAGE}.runtime"))["__getattr__"] = _device_name
    if not any(isinstance(finder, _Finder) and finder.prefix == PACKAGE for finder in sys.meta_path):
        # The wheel has folders of these names, which hold type stubs: Python must not take them for packages.
        sys.meta_path.insert(0, _Finder(PACKAGE, whole=False))


def install_as_mindspore() -> None:
    """Let `import mindspore`, and its submodules, mean mycel from here on in this process.

    Its version is that of the MindSpore that mycel follows; `importlib.metadata` gives it, too. A name that MindSpore
    has and mycel has no meaning for can be imported, and raises a NotImplementedError when it is used. A name that
    neither has raises an ImportError or AttributeError.

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
    present = sys.modules.get(MINDSPORE)
    if isinstance(present, Facade):
        return
    if present is not None:
        raise RuntimeError("the real mindspore is imported already: call install_as_mindspore() before it")
    sys.meta_path.insert(0, _Finder(MINDSPORE, whole=True))
    importlib.import_module(MINDSPORE)

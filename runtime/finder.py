"""An import hook: mycel's own modules, of which there are hundreds, are loaded from their bytecode in fewer steps.

Python asks for each module in each folder by each suffix, and cuts and joins paths to find its bytecode. That takes as
long as half of what the module itself does. Whatever is not as usual is left to Python.
"""

from __future__ import annotations

import _imp
import io
import marshal
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from types import CodeType, ModuleType

_COMPILED = tuple(EXTENSION_SUFFIXES)
_PLAIN = MAGIC_NUMBER + bytes(4)
"""How a file of bytecode begins that is valid for a source file of some time and size, which follow."""


class ModuleFinder:
    """Finds the modules below a package.

    Args:
        package: the name of the package.
    """

    def __init__(self, package: str) -> None:
        self.prefix = f"{package}."
        self.tag = f".{sys.implementation.cache_tag}.pyc"

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How to load a module; None for others, and those that have no source file in the first folder of `path`."""
        if not path or not fullname.startswith(self.prefix):
            return None
        folder, name = path[0], fullname.rpartition(".")[2]
        names = _names_in(folder)
        is_package = name in names
        if is_package and f"{name}.py" not in names:
            folder, name = f"{folder}{os.sep}{name}", "__init__"
            is_found = "__init__.py" in _names_in(folder)
        else:
            is_found = f"{name}.py" in names and not is_package
        if not is_found:
            return None
        loader = _Loader(fullname, f"{folder}{os.sep}{name}.py")
        spec = ModuleSpec(fullname, loader, origin=loader.path, is_package=is_package)
        spec.has_location = True
        spec.cached = loader.bytecode = f"{folder}{os.sep}__pycache__{os.sep}{name}{self.tag}"
        if is_package:
            spec.submodule_search_locations = [folder]
        return spec


@cache
def _names_in(folder: str) -> frozenset[str]:
    """What is in a folder, with small and large letters as they are there; nothing if it has compiled modules."""
    try:
        names = os.listdir(folder)
    except OSError:  # an archive, say
        return frozenset()
    compiled = any(name.endswith(_COMPILED) for name in names)
    return frozenset(() if compiled else names)


class _Loader(SourceFileLoader):
    """Loads a module of which the file with bytecode is known."""

    bytecode = ""

    def get_code(self, fullname: str) -> CodeType | None:
        """The bytecode in the file if it is of the source file as it is now; else what Python finds or makes."""
        try:
            source = os.stat(self.path)
            with io.open_code(self.bytecode) as file:
                data = file.read()
            time, size = int(source.st_mtime) & 0xFFFFFFFF, source.st_size & 0xFFFFFFFF
            if data[:16] == _PLAIN + time.to_bytes(4, "little") + size.to_bytes(4, "little"):
                code = marshal.loads(memoryview(data)[16:])
                if isinstance(code, CodeType):
                    if code.co_filename != self.path:  # it was made elsewhere
                        _imp._fix_co_filename(code, self.path)  # type: ignore[attr-defined]
                    return code
        except (OSError, ValueError, EOFError, TypeError, AttributeError):
            pass
        return super().get_code(fullname)


def install(package: str) -> None:
    """Find the modules below a package with a `ModuleFinder`, before Python looks for them, but after what others have
    installed. Where bytecode has other names, Python finds them."""
    if sys.flags.optimize or sys.pycache_prefix is not None or sys.implementation.cache_tag is None:
        return
    is_there = any(isinstance(finder, ModuleFinder) and finder.prefix == f"{package}." for finder in sys.meta_path)
    if PathFinder in sys.meta_path and not is_there:
        sys.meta_path.insert(sys.meta_path.index(PathFinder), ModuleFinder(package))

"""Introspection for stubs: which modules need one, which names they have, and where source defines these names."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "mycel"
# Modules with names that only exist at run time; the root is "". What one stub writes out, those below it import.
MODULES = (
    "library.mint.nn",
    "library.mint.functional",
    "library.mint.linalg",
    "library.mint.special",
    "library.mint",
    "library.ops.primitives.rare",
    "library.ops.primitives",
    "library.ops",
    "library.nn",
    "library.numpy.fft",
    "library.numpy",
    "library.train",
    "library.dataset",
    "",
)
TENSOR_METHODS = "frontend.values.tensor_methods"  # a stub without a module: the methods that Tensor gets at import
PRIMITIVES = f"{PACKAGE}.library.ops.primitives"  # tables make the names of these packages, and fill their `__all__`
FACADES = "library.mindspore.stubs"  # stubs of `mycel.nn` and the like, which have no files
HELPERS = ("frontend.compilation.doors", "frontend.errors.spelling", "library.lazy")  # what packages use themselves
LITERALS = (bool, int, float, str, bytes, type(None))


def full_name(module: str) -> str:
    return f"{PACKAGE}.{module}" if module else PACKAGE


@functools.cache
def tree_of(module: str) -> ast.Module:
    """The syntax tree of a module of the package, by its full name."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return ast.Module([], [])
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that bind names of a module, also under `if TYPE_CHECKING`."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from statements(statement.body)


@functools.cache
def definitions(module: str) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    """The functions and classes that a module defines, once each."""
    found: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    for statement in tree_of(module).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found[statement.name] = statement
    return found


@functools.cache
def home_of(kind: type) -> str:
    """The module with the statement that defines a class. An error's own word on it is a public module."""
    name = kind.__name__
    if name in definitions(kind.__module__):
        return kind.__module__
    loaded = (path for path, one in sys.modules.items() if path.startswith(PACKAGE) and vars(one).get(name) is kind)
    return next((path for path in loaded if name in definitions(path)), kind.__module__)


@functools.cache
def assigned(module: str) -> frozenset[str]:
    """The names that assignments of a module bind."""
    bound = [item for item in statements(tree_of(module).body) if isinstance(item, ast.Assign | ast.AnnAssign)]
    targets = [target for item in bound for target in getattr(item, "targets", [getattr(item, "target", None)])]
    parts = [part for target in targets for part in getattr(target, "elts", [target])]
    return frozenset(part.id for part in parts if isinstance(part, ast.Name))


@functools.cache
def imported(module: str) -> frozenset[str]:
    """The names that a module has from others."""
    found = [item for item in statements(tree_of(module).body) if isinstance(item, ast.ImportFrom)]
    return frozenset(alias.asname or alias.name for item in found for alias in item.names)


@functools.cache
def origin(module: str, name: str) -> tuple[str, str | None]:
    """The module, and the name there, that a name of a module was imported from; None for a module as a whole."""
    package = module if is_package(module) else module.rpartition(".")[0]
    for statement in statements(tree_of(module).body):
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                if (alias.asname or alias.name) == name:
                    dots = "." * statement.level + (statement.module or "")
                    source = importlib.util.resolve_name(dots, package) if statement.level else dots
                    if is_module(f"{source}.{alias.name}"):
                        return f"{source}.{alias.name}", None
                    return origin(source, alias.name) if source.startswith(f"{PACKAGE}.") else (source, alias.name)
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                if (alias.asname or alias.name) == name:
                    return alias.name, None
    return module, name


@functools.cache
def is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, AttributeError):
        return False


@functools.cache
def is_package(module: str) -> bool:
    spec = importlib.util.find_spec(module)
    return bool(spec and spec.submodule_search_locations is not None)


# What modules have for their users


@functools.cache
def public_names(module: types.ModuleType) -> dict[str, Any]:
    """The names of a module that are its own: no other package's, none that begins with an underscore."""
    found: dict[str, Any] = {}
    told = getattr(module, "__all__", None) if module.__name__.startswith(PRIMITIVES) else None
    for name in dir(module):
        if name.startswith("_") or not name.isidentifier():
            continue
        value = getattr(module, name)
        if told is not None and name not in told and not inspect.ismodule(value):
            continue
        if inspect.ismodule(value):
            if is_public_module(module, name, value):
                found[name] = value
        elif (
            name in getattr(module, "__all__", ())
            or isinstance(value, LITERALS)
            or is_ours(getattr(value, "__module__", PACKAGE))
        ):
            found[name] = value
    return found


@functools.cache
def starred(module: str) -> frozenset[str]:
    """The names that checkers get by `from module import *`; none if only a run of the module can tell."""
    if module in stubbed():
        return frozenset(public_names(sys.modules[module]))
    listed = [item.value for item in tree_of(module).body if isinstance(item, ast.Assign) and names_all(item)]
    try:
        return frozenset(ast.literal_eval(listed[0])) if len(listed) == 1 else frozenset()
    except ValueError:
        return frozenset()


def names_all(statement: ast.Assign) -> bool:
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in statement.targets)


def is_ours(home: str) -> bool:
    return home.split(".")[0] == PACKAGE and home.removeprefix(PACKAGE + ".") not in HELPERS


def is_public_module(module: types.ModuleType, name: str, value: types.ModuleType) -> bool:
    """Whether users know a module as `module.name`: not the files of a package."""
    if not value.__name__.startswith(PACKAGE + "."):
        return name in getattr(module, "__all__", ())
    listed = facades()
    own = [path for path, sources in listed.items() if full_name(sources[0]) == module.__name__]
    if module.__name__ == PACKAGE:
        return (name in listed or name in module.__all__) and not is_real(name)
    parent, _, last = value.__name__.rpartition(".")
    return any(f"{path}.{name}" in listed for path in own) or (parent == module.__name__ and last != name)


@functools.cache
def facades() -> dict[str, tuple[str, ...]]:
    """MindSpore's modules, such as `nn.probability`, and where mycel has their names."""
    listed = importlib.import_module(f"{PACKAGE}.library.mindspore.module_names").MODULES
    return {path: sources for path, sources in listed.items() if "._" not in f".{path}"}


def source_of_facade(name: str) -> str:
    """The module with the names of `mycel.nn` and the like: its source, or a stub if there are several."""
    path = name.removeprefix(PACKAGE + ".")
    if path not in facades() or is_real(path):
        return name
    return full_name(facades()[path][0] if len(facades()[path]) == 1 else f"{FACADES}.{path}")


def is_real(path: str) -> bool:
    """Whether a module has a file: `runtime`, a layer of mycel as well as a module of MindSpore's."""
    return ROOT.joinpath(path.split(".")[0], "__init__.py").exists()


@functools.cache
def stubbed() -> frozenset[str]:
    return frozenset(map(full_name, MODULES))

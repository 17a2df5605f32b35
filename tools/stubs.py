"""Writes the type stubs: `.pyi` files for modules whose names exist only at run time.

    python tools/stubs.py            write the stubs that are not fresh
    python tools/stubs.py --check    only say which these are; the exit code is 1 if there are any
    python tools/stubs.py --link DIR link the sources, without stubs, into DIR/mycel

Type checkers and IDEs read source. They cannot see a name that a module loads when it is first asked for, a function
that another function made, or a method that is attached to Tensor at import. For the modules with such names this
program imports mycel, looks at the objects themselves, and writes down what it finds:

- What a `def` or `class` statement defines is imported from there. Its annotations stay in one place.
- Of all else, the signature of the object is written out.

A `.pyi` hides the `.py` beside it from type checkers. So `make lint` checks a copy of the tree that has no stubs.
"""

from __future__ import annotations

import ast
import gc
import importlib
import shutil
import sys
import types
from pathlib import Path
from typing import Any

from stub_names import (
    FACADES,
    MODULES,
    PACKAGE,
    ROOT,
    TENSOR_METHODS,
    assigned,
    definitions,
    facades,
    full_name,
    imported,
    is_module,
    is_package,
    is_real,
    public_names,
    stubbed,
)
from stub_text import NOTE, Stub

ROOMS = ("library", "frontend", "compiler", "runtime")
FIRST = "# mypy: ignore-errors\n"  # a name of several sources is that of the first
PARTIAL = "from typing import Any\ndef __getattr__(name: str) -> Any: ...\n"
"""What says that a package has modules without stubs."""


def module_stub(module: str) -> str:
    imported = importlib.import_module(full_name(module))
    names = public_names(imported)
    return Stub(full_name(module), names, is_package(full_name(module))).text()


def tensor_methods() -> str:
    """The methods and properties of Tensor that are not in its class statement, as a base class of Tensor."""
    from mycel import Tensor

    home = Tensor.__module__
    written = definitions(home)["Tensor"]
    own = {item.name for item in written.body if isinstance(item, ast.FunctionDef)}
    own |= {
        target.id
        for item in written.body
        for target in getattr(item, "targets", [getattr(item, "target", None)])
        if isinstance(target, ast.Name)
    }
    stub = Stub(full_name(TENSOR_METHODS), {}, package=False)
    stub.members = {name for name in dir(Tensor) if not name.startswith("_")}
    for name in stub.members:
        getattr(Tensor, name, None)  # loads its file
    lines = ["class TensorMethods:\n", '    """Methods of Tensor that are functions of the library."""\n']
    for name, item in sorted(vars(Tensor).items()):
        hidden = name in own or (name.startswith("_") and not name.endswith("__")) or type(item).__name__ == "Hint"
        described = isinstance(item, types.FunctionType | property | staticmethod | classmethod)
        if not hidden and described and name not in ("__getattr__", "__module__"):
            lines.append(stub.member(name, item))
    return stub.assemble("".join(lines))


def facade_stub(path: str, sources: tuple[str, ...], folder: bool) -> str:
    """The stub of a module that has no file: the names of its sources, each from the first that has it.

    Most are one line, without the note on who wrote it: they are so many that it would be a part of the wheel.
    """
    parent = path.rpartition(".")[0]
    if facades().get(parent) == sources:
        return f"from {'..' if folder else '.'} import *\n"
    if len(sources) == 1 and is_told(importlib.import_module(full_name(sources[0]))):
        return f"from {full_name(sources[0])} import *\n"
    twins = [other for other, same in facades().items() if same == sources and not is_real(other)]
    twin = min(twins, key=lambda other: "." in other)  # the stub of the root imports from those at the top
    if twin != path:
        return f"from {full_name(twin)} import *\n"
    names: dict[str, Any] = {}
    before: dict[str, Any] = {}  # of the sources that come before the first with a stub of its own
    starred: dict[str, Any] = {}  # what the stubs give
    lines = []
    for source in sources:
        module = importlib.import_module(full_name(source))
        others = imported(module.__name__) - {*getattr(module, "__all__", ())}
        stub = stub_of(source, alone=len(sources) == 1)
        has_stub = bool(stub)
        if has_stub and not lines:
            before = dict(names)
        own = stub == module.__name__
        found = {name: value for name, value in public_names(module).items() if own or name not in others}
        for name, value in found.items():
            names.setdefault(name, value)
        if has_stub:
            starred.update(found)
            lines.append(f"from {stub} import *\n")
    if not lines:
        return Stub(full_name(f"{FACADES}.{path}"), names, package=None).text()
    # Of two imports of a name mypy takes the first, and pyright the last.
    before = {name: value for name, value in before.items() if value is not starred.get(name, value)}
    after = {name: value for name, value in names.items() if value is not starred.get(name)}
    note = NOTE + (FIRST if before or after or len(lines) > 1 else "")
    return note + explicit(path, before, names) + "".join(lines) + explicit(path, after, names)


def stub_of(source: str, alone: bool) -> str:
    """The module whose stub has all names of a source: itself, or, beside other sources, a module of MindSpore's with
    the names of that one alone. Empty if there is none."""
    name = full_name(source)
    others = [other for other, same in facades().items() if same == (source,) and not is_real(other)]
    if name in stubbed() or alone or not others or is_told(importlib.import_module(name)):
        return name if name in stubbed() else ""
    return full_name(min(others, key=lambda other: "." in other))


def is_told(module: types.ModuleType) -> bool:
    """Whether type checkers see all names of a module, in its source or its stub."""
    names = {name for name in public_names(module) if not is_module(f"{module.__name__}.{name}")}
    own = {*definitions(module.__name__), *assigned(module.__name__), *imported(module.__name__)}
    return module.__name__ in stubbed() or names <= own


def explicit(path: str, some: dict[str, Any], names: dict[str, Any]) -> str:
    """Imports, for users, of some names of a module that has no file."""
    stub = Stub(full_name(f"{FACADES}.{path}"), some, package=None)
    stub.members = set(names) - set(some)  # `int`, for one, is a dtype of the package
    return stub.text().removeprefix(NOTE)


def stubs() -> dict[Path, str]:
    """The text of each stub."""
    texts = {}
    for module in MODULES:
        folder = ROOT.joinpath(*module.split(".")) if module else ROOT
        path = folder / "__init__.pyi" if is_package(full_name(module)) else folder.with_suffix(".pyi")
        texts[path] = module_stub(module)
    texts[ROOT.joinpath(*TENSOR_METHODS.split(".")).with_suffix(".pyi")] = tensor_methods()
    for path, sources in facades().items():
        if not is_real(path) and not is_untold(path):
            folder = ROOT.joinpath(*FACADES.split("."), *path.split("."))
            below = [other for other in facades() if other.startswith(f"{path}.")]
            is_folder = "." not in path or bool(below)  # setup.py puts whole folders into the wheel.
            text = facade_stub(path, sources, is_folder)
            if any(is_untold(other) for other in below if other.rpartition(".")[0] == path):
                text += PARTIAL
            texts[folder / "__init__.pyi" if is_folder else folder.with_suffix(".pyi")] = text
    return texts


def is_untold(path: str) -> bool:
    """Whether a module has no stub.

    MindSpore's files, such as `nn.optim.momentum`, have the names of their packages. Their stubs would be a twentieth
    of the wheel. Files directly below a top package keep theirs, but for five packages that programs with types hardly
    use.
    """
    above, _, name = path.rpartition(".")
    is_deep = "." in above or above in ("boost", "device_context", "graph", "hal", "profiler")
    return is_deep and (facades().get(above) == facades()[path] or name.endswith("_impl"))


def stale() -> dict[Path, str | None]:
    """The stubs that are missing or differ, with the right text; None for a stub that should not be there."""
    wanted = stubs()
    present = {path for room in ROOMS for path in (ROOT / room).rglob("*.pyi")}
    differ: dict[Path, str | None] = dict.fromkeys(present - set(wanted))
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            differ[path] = text
    return differ


def link_sources(folder: Path) -> None:
    """Link the package's sources into `folder`/mycel. A stub goes along only if it has no source beside it."""
    target = folder / PACKAGE
    if target.is_symlink():
        target.unlink()
    elif target.exists():
        shutil.rmtree(target)
    paths = [ROOT / "__init__.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))]
    paths.append(ROOT.joinpath(*TENSOR_METHODS.split(".")).with_suffix(".pyi"))
    for path in paths:
        link = target / path.relative_to(ROOT)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path)


def main() -> int:
    gc.disable()  # the trees of all modules stay to the end, and it would go through them again and again
    if sys.argv[1:2] == ["--link"]:
        link_sources(Path(sys.argv[2]))
        return 0
    differ = stale()
    for path, text in sorted(differ.items()):
        print(path.relative_to(ROOT))
        if "--check" in sys.argv[1:]:
            continue
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if differ and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())

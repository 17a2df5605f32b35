"""Writes the indexes: which file has which function, method of Tensor, layer or primitive (`library/index.py`), and
which op (`compiler/ops/files.py`).

    python tools/index.py            write those that are not fresh
    python tools/index.py --check    only say which these are; the exit code is 1 if there are any

mycel imports a file when one of its names is first asked for. This program imports all files and asks them: functions
and layers are the names in `__all__`, and the names in the function table; names of ops are all that a file defines.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "mycel"
LIBRARY, OF_OPS = ROOT / "library" / "index.py", ROOT / "compiler" / "ops" / "files.py"
OPS = "compiler.ops"
FUNCTIONS, CALLED, LAYERS, INPLACE = "library.functions", "library.ops.called", "library.nn", "library.tensor.inplace"
PRIMITIVES = "library.ops.primitives"
# Names that are defined outside of the packages that have them.
MORE_FUNCTIONS = {
    "frontend.transforms.grad": "grad value_and_grad",
    "frontend.transforms.grad_operation": "GradOperation get_grad",
    "frontend.transforms.jacobian": "jacfwd jacrev",
    "frontend.transforms.products": "jvp linearize vjp",
    "frontend.transforms.taylor": "derivative jet",
    "frontend.transforms.vmap": "vmap",
}
MORE_LAYERS = {
    "library.containers": "CellDict CellList SequentialCell",
    "library.nn.fractional": "FractionalMaxPool2d FractionalMaxPool3d",
    "library.nn.graph_cell": "GraphCell",
}
# Files whose names are not those of their packages.
OUTSIDE = {
    FUNCTIONS: ("attention_forward", "containers", "generated", "multitype", "triangular"),
    OPS: (
        "batching", "branch_derivative", "branches", "composite", "control_batching", "depthwise", "files", "infer",
        "loop_derivative", "operators", "records", "samples", "windows",
    ),
    PRIMITIVES: (
        "cache", "docstrings", "effect_examples", "examples", "gradient_examples", "plain", "rare", "rare_examples",
        "signatures",
    ),
    f"{PRIMITIVES}.rare": (),
    LAYERS: ("boost", "gradient_cells", "parallel_cells", "internal_names", "probability"),
}  # fmt: skip
HEAD = '''"""Which file has which function, method of Tensor, layer or primitive: it is imported when one is asked for.

tools/index.py writes this page, as `make stubs` does. A line begins with the file.
"""

from __future__ import annotations

from itertools import pairwise


def _places(text: str, package: str) -> dict[str, str]:
    """For each name the module that has it; a file is a name, too."""
    found: dict[str, str] = {}
    parts = [part.split() for part in f"{text} .".split(":")]  # each ends with the file that the next one is of
    for (*_, file), (*names, _) in pairwise(parts):
        home = file if "." in file else f"{package}.{file}"
        if "." not in file:
            found[file] = home
        found.update(dict.fromkeys(names, home))
    return found
'''

HEAD_OF_OPS = '''"""Which file has which op: it is imported when the op is asked for.

tools/index.py writes this page, as `make stubs` does. A line begins with the file.
"""

from __future__ import annotations


def _places(text: str, package: str) -> dict[str, str]:
    """For each name its file."""
    found: dict[str, str] = {}
    for word in text.split():
        if word.endswith(":"):
            home = word[:-1]
            found[home] = home
        else:
            found[word] = home
    return found
'''


def modules(package: str) -> Iterator[Any]:
    """The files of a package, imported."""
    root = importlib.import_module(f"{PACKAGE}.{package}")
    for item in pkgutil.iter_modules(root.__path__):
        if item.name not in OUTSIDE[package]:
            yield importlib.import_module(f"{root.__name__}.{item.name}")


def exported(package: str) -> dict[str, set[str]]:
    """For each file of a package the names in its `__all__`, without those that it has from another file."""
    found: dict[str, set[str]] = {}
    for module in modules(package):
        found[module.__name__.removeprefix(f"{PACKAGE}.")] = set(getattr(module, "__all__", ()))
    return found


def layers() -> dict[str, set[str]]:
    """For each file of a layer package the layers that it defines. Some files list those of others."""
    found: dict[str, set[str]] = {home: set(names.split()) for home, names in MORE_LAYERS.items()}
    for module in modules(LAYERS):
        found.setdefault(module.__name__.removeprefix(f"{PACKAGE}."), set())
        for name in getattr(module, "__all__", ()):
            home = getattr(getattr(module, name), "__module__", module.__name__).removeprefix(f"{PACKAGE}.")
            if home not in MORE_LAYERS:
                found.setdefault(home, set()).add(name)
    return found


def primitives() -> dict[str, set[str]]:
    """For each file of tables the primitives that they name; for each file of functions those that are its functions
    as objects."""
    kind = importlib.import_module(f"{PACKAGE}.{PRIMITIVES}.primitive").Primitive
    found = recorded("primitive")
    for package in (PRIMITIVES, f"{PRIMITIVES}.rare"):
        for module in modules(package):
            names = {name for name, value in vars(module).get("CLASSES", {}).items() if issubclass(value, kind)}
            names |= set(vars(module).get("PUBLIC", ()))
            found[module.__name__.removeprefix(f"{PACKAGE}.")] = names
    return found


def written(package: str) -> dict[str, set[str]]:
    """What the files of a package define, as far as their text says it: enough to import the package."""
    found: dict[str, set[str]] = {}
    known: set[str] = set()
    folder = ROOT.joinpath(*package.split("."))
    for path in sorted(folder.rglob("*.py")):
        file = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if path.name == "__init__.py" or path.stem in OUTSIDE[package] or "probability" in path.parts:
            continue
        own: set[str] = set()
        for item in ast.parse(path.read_text("utf-8")).body:
            targets = getattr(item, "targets", [getattr(item, "target", None)])
            own |= {
                node.id for target in filter(None, targets) for node in ast.walk(target) if isinstance(node, ast.Name)
            }
            own |= {item.name} if isinstance(item, ast.FunctionDef | ast.ClassDef) else set()
        found[file] = {name for name in own - known if not name.startswith("_")}
        known |= own
    return found


def first_pages() -> dict[Path, str]:
    """Indexes with which all files can be imported, when those that there are do not fit the files any more."""
    functions = written(FUNCTIONS) | {home: set(names.split()) for home, names in MORE_FUNCTIONS.items()}
    more = {home: set(names.split()) for home, names in MORE_LAYERS.items()}
    functions["frontend.values.logic"] = {
        "equal",
        "logical_and",
        "logical_not",
        "logical_or",
        "maximum",
        "minimum",
        "where",
    }
    library = table("FUNCTIONS", "", functions, FUNCTIONS) + table("LAYERS", "", written(LAYERS) | more, LAYERS)
    empty = "CALLED: dict[str, str] = {}\nMETHODS: dict[str, str] = {}\nINPLACE: dict[str, str] = {}\n"
    empty += "PRIMITIVES: dict[str, str] = {}\n"
    return {LIBRARY: HEAD + library + empty, OF_OPS: HEAD_OF_OPS + table("PLACES", "", written(OPS), OPS)}


def recorded(place: str) -> dict[str, set[str]]:
    """For each file the names of a place in the function table that are from it."""
    found: dict[str, set[str]] = {}
    for name, record in importlib.import_module(f"{PACKAGE}.{FUNCTIONS}.table").TABLE[place].items():
        found.setdefault(record.home.removeprefix(f"{PACKAGE}."), set()).add(name)
    return found


def table(title: str, doc: str, places: dict[str, set[str]], package: str) -> str:
    """A table of the page. A name stands in one place."""
    names = sorted(name for some in places.values() for name in some)
    twice = {name for name, following in pairwise(names) if name == following}
    if twice:
        raise ValueError(f"two files of {package} have {sorted(twice)}")
    lines = []
    for home, some in sorted(places.items()):
        file = home.removeprefix(f"{package}.")
        file = home if "." in file else file
        lines.append(fill(f"{file}: {' '.join(sorted(some))}".strip(), 118, break_on_hyphens=False))
    text = "\n".join(lines)
    return f'{title} = _places(\n    """\n{text}\n""",\n    "{package}",\n)\n"""{doc}"""\n'


def ops() -> dict[str, set[str]]:
    """For each file of ops the records, functions and classes that it does not import."""
    kind = importlib.import_module(f"{PACKAGE}.compiler.ir.op").Op
    found: dict[str, set[str]] = {}
    for module in modules(OPS):
        body = ast.parse(inspect.getsource(module)).body
        imports = [item for item in body if isinstance(item, ast.Import | ast.ImportFrom)]
        imported = {alias.asname or alias.name for item in imports for alias in item.names}
        found[module.__name__.removeprefix(f"{PACKAGE}.")] = {
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and name not in imported
            if isinstance(value, kind | int | str) or getattr(value, "__module__", "") == module.__name__
        }
    return found


def page_of_ops() -> str:
    """The text of the index of ops."""
    return f"{HEAD_OF_OPS}\n\n{table('PLACES', 'The file of each name of the package.', ops(), OPS)}"


def page() -> str:
    """The text of the index of the library."""
    functions = exported(FUNCTIONS)
    called = set(importlib.import_module(f"{PACKAGE}.{CALLED}").__all__)
    for home, names in recorded("ops").items():
        if home == CALLED:
            called |= names
        else:
            functions[home] = functions.get(home, set()) | names
    functions.update({home: set(names.split()) for home, names in MORE_FUNCTIONS.items()})
    inplace = recorded("inplace")
    own = set(importlib.import_module(f"{PACKAGE}.{INPLACE}")._FUNCTIONS)
    inplace[INPLACE] = own
    tables = (
        table("FUNCTIONS", "Functions of `mycel.ops`.", functions, FUNCTIONS),
        table("CALLED", "Functions of `mycel.ops` that call a primitive.", {CALLED: called}, "library.ops"),
        table("METHODS", "Methods of Tensor.", recorded("method"), ""),
        table("INPLACE", "Methods of Tensor that change the tensor itself.", inplace, ""),
        table("LAYERS", "Names of `mycel.nn`.", layers(), LAYERS),
        table("PRIMITIVES", "Primitives of `mycel.ops`.", primitives(), PRIMITIVES),
    )
    return "\n\n".join((HEAD, *tables)).replace("\n\n\n\n", "\n\n\n")


def _write(texts: dict[Path, str]) -> None:
    for path, text in texts.items():
        path.write_text(text, "utf-8", newline="\n")


def main() -> int:
    check = "--check" in sys.argv[1:]
    try:
        texts = {LIBRARY: page(), OF_OPS: page_of_ops()}
    except (AttributeError, ImportError, KeyError) as error:  # a name is in another file than the index says
        if check or "--again" in sys.argv[1:]:
            raise
        print(f"from the beginning, because of: {error}")
        before = {path: path.read_text("utf-8") for path in (LIBRARY, OF_OPS)}
        _write(first_pages())
        code = subprocess.run([sys.executable, __file__, "--again"], check=False).returncode
        if code:
            _write(before)
        return code
    differ = {path: text for path, text in texts.items() if text != path.read_text("utf-8")}
    for path in differ:
        print(path.relative_to(ROOT))
    if not check:
        _write(differ)
    return 1 if differ and check else 0


if __name__ == "__main__":
    sys.exit(main())

"""Holds the architecture: four rooms, library → frontend → compiler → runtime → NumPy.

Imports point down, also among the packages of a room. There is no import circle of any size; late and type-only imports
count, and so do tables of names that are loaded when they are first asked for. Files stay small.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent

# The rooms from the bottom up; one may import itself and those before it. The public face, the root, comes last.
LAYERS = ("runtime", "compiler", "frontend", "library")
PUBLIC_FACE = "the root of the package"
ORDER = (*LAYERS, PUBLIC_FACE)

DEPENDENCIES = {"numpy", "gast", "astunparse"}
# Not installed with mycel: imported only inside the function that needs it, and why.
OPTIONAL = {
    "ml_dtypes": "the bfloat16 dtype, which NumPy lacks (pip install mycel-graph[bfloat16])",
    "mpi4py": "several processes (pip install mycel-graph[mpi])",
    "onnx": "export with file_format='ONNX' (pip install mycel-graph[onnx])",
    "matplotlib": "curves of losses, `History.plot` (pip install mycel-graph[plot])",
    "tqdm": "the bar of `ProgressBar` (pip install mycel-graph[progress])",
    "PIL": "encoded images and PIL images in dataset.vision (pip install pillow)",
}

MOST_FLOORS = 8  # of packages in a room, one standing on the other
LONGEST_FILE = 700
SPLIT_AT = 500

DYNAMIC_IMPORTS = {"import_module", "__import__"}
COMPUTED = "<computed>"  # a module that is imported by a name that is no constant
LAZY_TABLES = {"LazyNames"}  # classes that get names with the modules that have them

# The files that import modules by names that they compute, which no reader of the source can follow, and why.
COMPUTED_IMPORTS = {
    "compiler/cache/disk.py": "the kernels in a program from the cache, by the names that it was written with",
    "compiler/ops/__init__.py": "its own files, which it imports for type checkers, too",
    "frontend/errors/spelling.py": "the public modules, in which a misspelled name is looked for",
    "library/dataset/serializing.py": "the datasets and transformations that a serialized pipeline names",
    "library/functions/__init__.py": "the files that library/index.py names, which it imports for type checkers, too",
    "library/lazy.py": "the modules of lazy tables, which count as imports of the files that have the tables",
    "library/mindspore/modules.py": "the modules under the names that MindSpore has for them",
    "library/tensor/methods.py": "the files that library/index.py names: functions, and functions of ops",
    "library/mint/__init__.py": "its own modules, when they are asked for",
}


def source_files(layers: tuple[str, ...] = LAYERS, ending: str = ".py") -> list[Path]:
    """All Python files of the given layers, or all stubs, below the root."""
    return sorted(path.relative_to(ROOT) for layer in layers for path in (ROOT / layer).rglob(f"*{ending}"))


def constant_strings(tree: ast.AST) -> set[str]:
    """The strings that stand somewhere in a piece of source."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def imported_modules(source: str, tree: ast.Module, path: Path) -> Iterator[tuple[int, str, bool]]:
    """Line, absolute name and whether inside a function, of every import in a file, wherever it stands.

    The name of a module is COMPUTED where only a run knows it.
    """
    has_calls = any(name in source for name in (*DYNAMIC_IMPORTS, *LAZY_TABLES))
    package = ("mycel", *path.parent.parts)

    def absolute(dots: int, name: str) -> str:
        """The full name behind a relative one: one dot is the file's own package, each further dot one package up."""
        if dots > len(package):
            return f"<above mycel>.{name}"
        return ".".join((*package[: len(package) - dots + 1], *filter(None, [name]))) if dots else name

    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_function = waiting.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, in_function
        elif isinstance(node, ast.ImportFrom):
            origin = absolute(node.level, node.module or "")
            for alias in node.names:
                yield node.lineno, f"{origin}.{alias.name}", in_function
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            if name in DYNAMIC_IMPORTS and node.args and isinstance(node.args[0], ast.Constant):
                target = str(node.args[0].value)
                name = target.lstrip(".")
                yield node.lineno, absolute(len(target) - len(name), name), in_function
            elif name in DYNAMIC_IMPORTS:
                yield node.lineno, COMPUTED, in_function
            elif name in LAZY_TABLES:
                for place in sorted(constant_strings(node)):
                    if place.split(".")[0] in LAYERS:
                        yield node.lineno, f"mycel.{place}", True
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, inside) for child in children(node, has_calls)]


def children(node: ast.AST, has_calls: bool) -> list[ast.AST]:
    """The parts of a node in which imports may stand: statements, and if a file has calls that import, all but names
    and constants."""
    if has_calls:
        return [] if isinstance(node, ast.Name | ast.Constant | ast.alias) else list(ast.iter_child_nodes(node))
    parts = (getattr(node, name, ()) for name in ("body", "orelse", "finalbody", "handlers", "cases"))
    return [part for found in parts if isinstance(found, list) for part in found]


class Read(NamedTuple):
    """What the tests ask about a file: its imports, whether it computes some, and the public classes at its top."""

    imports: list[tuple[int, str, bool]]
    computes: bool
    classes: list[str]


def read(source: str, path: Path) -> Read:
    """A file's answers; its syntax tree, which is large, is not kept."""
    tree = ast.parse(source)
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    found = sorted(imported_modules(source, tree, path))
    return Read([one for one in found if one[1] != COMPUTED], any(one[1] == COMPUTED for one in found), classes)


@cache
def read_file(path: Path) -> Read:
    """The answers of a file of the repository."""
    return read((ROOT / path).read_text("utf-8"), path)


def layer_of(module: str) -> str:
    """The layer of a module of mycel, by its absolute name."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else PUBLIC_FACE


def import_problems(imports: Iterable[tuple[int, str, bool]], path: Path) -> list[str]:
    """The problems of a file's imports, one sentence each, starting with file and line."""
    problems = []
    own_layer = path.parts[0] if path.parts[0] in LAYERS else PUBLIC_FACE
    for line, module, in_function in imports:
        top = module.split(".")[0]
        where = f"{path}:{line}:"
        if top == "mycel":
            layer = layer_of(module)
            if ORDER.index(layer) > ORDER.index(own_layer):
                problems.append(f"{where} {own_layer} imports {module}, of {layer}; imports point down only")
        elif top in OPTIONAL:
            if not in_function:
                problems.append(f"{where} {top} is optional ({OPTIONAL[top]}); import it inside the function using it")
        elif top not in DEPENDENCIES and top not in sys.stdlib_module_names:
            problems.append(f"{where} {module} is neither of the standard library nor one of {sorted(DEPENDENCIES)}")
    return problems


def size_problems(path: Path, lines: int) -> list[str]:
    """The complaint about a file that is too long."""
    if lines <= LONGEST_FILE:
        return []
    return [f"{path}: {lines} lines, at most {LONGEST_FILE}; split files that pass {SPLIT_AT} by what their parts do"]


def test_every_layer_has_files() -> None:
    """An empty scan would let everything pass."""
    for layer in LAYERS:
        assert source_files((layer,)), f"found no Python files in {ROOT / layer}"


def test_imports_point_down() -> None:
    """No module imports from a layer above its own, nor anything but the standard library and the dependencies."""
    files = [*source_files(), *(path.relative_to(ROOT) for path in ROOT.glob("*.py") if path.name != "setup.py")]
    problems = [problem for path in files for problem in import_problems(read_file(path).imports, path)]
    assert not problems, "\n" + "\n".join(problems)


def test_every_file_can_be_imported_and_is_found_by_its_names() -> None:
    """Also those that come when one of their names is asked for; `make stubs` writes the indexes of these names."""
    names = [".".join(("mycel", *path.with_suffix("").parts)) for path in source_files()]
    program = (
        f"import importlib, sys\nsys.path.insert(0, {str(ROOT.parent)!r})\nfor name in sys.stdin.read().split():\n"
    )
    for command, given in (
        (["-c", f"{program}    importlib.import_module(name)"], "\n".join(names).replace(".__init__", "")),
        ([str(ROOT / "tools" / "index.py"), "--check"], ""),
    ):
        run = subprocess.run(
            [sys.executable, *command], input=given, capture_output=True, text=True, timeout=120, check=False
        )
        assert run.returncode == 0, f"{run.stdout}{run.stderr}"


@cache
def import_graph(files: tuple[Path, ...]) -> dict[str, set[str]]:
    """For each module the modules that it imports, wherever the import stands."""
    names = {path: ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in files}
    graph: dict[str, set[str]] = {name: set() for name in names.values()}
    for path, name in names.items():
        for _, target, _ in read_file(path).imports:
            inside = target.removeprefix("mycel.")
            found = next((part for part in (inside, inside.rpartition(".")[0]) if part in graph), None)
            if target.startswith("mycel.") and found not in (None, name):
                graph[name].add(str(found))
    return graph


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, each sorted (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        stack.append(name)
        for target in sorted(graph[name]):
            if target not in order:
                visit(target)
                lowest[name] = min(lowest[name], lowest[target])
            elif target in stack:
                lowest[name] = min(lowest[name], order[target])
        if lowest[name] == order[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return found


def package_graph(graph: Mapping[str, set[str]], room: str) -> dict[str, set[str]]:
    """For each package of a room, and each module right in it, the others that it imports."""
    found: dict[str, set[str]] = {}
    for name, targets in graph.items():
        own = name.split(".")
        if own[0] != room or len(own) < 2:
            continue
        others = {target.split(".")[1] for target in targets if target.startswith(f"{room}.")}
        found.setdefault(own[1], set()).update(others - {own[1]})
    return found


def floors(graph: Mapping[str, set[str]]) -> int:
    """The length of the longest chain of packages that stand on one another; the graph has no circle."""

    @cache
    def height(name: str) -> int:
        return 1 + max(map(height, graph[name]), default=0)

    return max(map(height, graph), default=0)


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions, and imports for types alone, count, too."""
    assert circles(import_graph(tuple(source_files()))) == []


def test_stubs_close_no_circle() -> None:
    """What a stub imports counts as an import of its module; but Tensor's base class for type checkers, a file without
    a module, describes what Tensor gets from the rooms above."""
    stubs = [path for path in source_files(ending=".pyi") if path != Path("frontend/values/tensor_methods.pyi")]
    assert stubs
    assert circles(import_graph((*source_files(), *stubs))) == []


def test_computed_imports_are_declared() -> None:
    """A module whose name is computed could close a circle unseen: each such file is listed, with the reason."""
    found = {path.as_posix() for path in source_files() if read_file(path).computes}
    assert found == set(COMPUTED_IMPORTS)


@pytest.mark.parametrize(
    ("source", "computes"),
    [
        ("importlib.import_module('..values', __package__)", False),
        ("importlib.import_module(f'{__package__}.values')", True),
        ("from importlib import import_module\nimport_module(name)", True),
        ("def late():\n    return __import__(place)", True),
        ("import values", False),
    ],
)
def test_computed_imports_are_seen(source: str, computes: bool) -> None:
    """Each way to import by a computed name."""
    assert read(source, Path("late.py")).computes is computes


def test_lazy_tables_are_imports() -> None:
    """A name that is loaded when it is first asked for closes a circle as an import in a function does."""
    source = 'MORE = LazyNames(__name__, {"Net": "library.nn.nets", **dict.fromkeys(NAMES, "frontend.api")}, "nn")'
    found = [module for _, module, _ in imported_modules(source, ast.parse(source), Path("library/nn/__init__.py"))]
    assert found == ["mycel.frontend.api", "mycel.library.nn.nets"]


@pytest.mark.parametrize("room", LAYERS)
def test_packages_of_a_room_stand_on_one_another(room: str) -> None:
    """Without circles, and on few floors."""
    packages = package_graph(import_graph(tuple(source_files())), room)
    assert packages
    assert circles(packages) == []
    assert floors(packages) <= MOST_FLOORS


def test_circles_and_floors_are_seen() -> None:
    """The searches find a circle and count floors."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [["a", "b", "c"]]
    assert circles({"a": {"b"}, "b": set()}) == []
    assert floors({"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": set()}) == 3
    assert package_graph({"x.a.m": {"x.b.n", "y.z"}, "x.b.n": {"x.b.o"}}, "x") == {"a": {"b"}, "b": set()}


# Public classes whose names stand for two things in the three rooms below the library, and why.
NAMED_TWICE = {
    "Batch": "compiler/ir/rules.py has the protocol, which rules of ops are given",
    "Derivative": "compiler/ir/rules.py has the protocol",
    "Recorder": "compiler/ir/rules.py has the protocol",
    "Symbol": "compiler/ir/rules.py has the protocol; MindSpore has a class of this name",
    "Generator": "of machine code: one writes a kernel, one a pass over its columns",
    "Piece": "a part of a group, and a part of a kernel",
    "Value": "of a graph, and of a kernel",
    "Watch": "the graph's interpreter, and the runtime",
}


def class_names(files: Iterable[tuple[Path, Read]]) -> dict[str, list[Path]]:
    """The public classes that stand at the top of files, with the files."""
    found: dict[str, list[Path]] = {}
    for path, answers in files:
        for name in answers.classes:
            found.setdefault(name, []).append(path)
    return found


def test_a_class_name_stands_for_one_thing() -> None:
    """Who reads a name in the frontend, the compiler or the runtime knows which class it is."""
    files = [(path, read_file(path)) for path in source_files(("frontend", "compiler", "runtime"))]
    twice = {name: places for name, places in class_names(files).items() if len(places) > 1 and name not in NAMED_TWICE}
    assert not twice


def test_class_names_are_seen() -> None:
    """Classes at the top of a file count, unless their names begin with an underscore."""
    source = "class Plan:\n    class Inner: ...\nclass _Own: ..."
    paths = [Path("a.py"), Path("b.py")]
    assert class_names((path, read(source, path)) for path in paths) == {"Plan": paths}


def test_files_stay_small() -> None:
    """A file that needs scrolling for minutes has more than one thing in it."""
    problems = [
        problem
        for path in source_files()
        for problem in size_problems(path, len((ROOT / path).read_text("utf-8").splitlines()))
    ]
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("compiler/ir.py", "from ..frontend import tensor"),
        ("compiler/ir.py", "from ..frontend.tensor import Tensor"),
        ("compiler/ir.py", "from .. import frontend"),
        ("compiler/ir.py", "from .. import Tensor"),
        ("compiler/ir.py", "import mycel"),
        ("compiler/ir.py", "import mycel.frontend.tensor"),
        ("compiler/passes/cse.py", "from ...frontend import tensor"),
        ("compiler/ir.py", "def late():\n    from ..frontend import tensor"),
        ("compiler/ir.py", "if TYPE_CHECKING:\n    from ..frontend.tensor import Tensor"),
        ("compiler/ir.py", "importlib.import_module('mycel.frontend')"),
        ("compiler/ir.py", "importlib.import_module('..frontend', __package__)"),
        ("compiler/__init__.py", "from ..frontend import tensor"),
        ("runtime/arena.py", "from ..compiler import ir"),
        ("runtime/kernels/conv.py", "from ... import compiler"),
        ("runtime/arena.py", "from ..frontend import tensor"),
        ("frontend/tensor.py", "from .. import Tensor"),
        ("runtime/arena.py", "from ... import arena"),
        ("runtime/arena.py", "from ...json import loads"),
        ("runtime/arena.py", "import scipy.special"),
        ("library/nn/layers.py", "def late():\n    import torch"),
        ("frontend/values/tensor.py", "from ...library import functions"),
        ("runtime/arena.py", "import ml_dtypes"),
        ("runtime/arena.py", "try:\n    import ml_dtypes\nexcept ImportError:\n    ml_dtypes = None"),
        ("__init__.py", "import scipy"),
    ],
)
def test_forbidden_imports_are_seen(path: str, source: str) -> None:
    """Each way around the arrow is noticed, with file and line."""
    (problem,) = import_problems(read(source, Path(path)).imports, Path(path))
    line = next(number for number, text in enumerate(source.splitlines(), 1) if "import" in text)
    assert problem.startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("frontend/tensor.py", "from ..compiler.ir import Graph\nfrom ..runtime import arena\nfrom . import cell"),
        (
            "library/nn/layers.py",
            "from ...compiler import ir\nfrom ...frontend import values\nfrom .. import functions",
        ),
        ("compiler/ir.py", "from ..runtime import arena\nfrom .. import runtime\nfrom .types import TensorType"),
        ("compiler/passes/cse.py", "from ..ir import Graph\nfrom ...runtime import arena"),
        ("runtime/arena.py", "from __future__ import annotations\nimport os.path\nimport numpy as np"),
        ("frontend/source.py", "import gast\nimport astunparse\nfrom collections.abc import Iterator"),
        ("runtime/arena.py", "def late():\n    import ml_dtypes"),
        ("__init__.py", "from .frontend.tensor import Tensor\nfrom .runtime import arena"),
    ],
)
def test_permitted_imports_pass(path: str, source: str) -> None:
    """Permitted imports give no problems."""
    assert import_problems(read(source, Path(path)).imports, Path(path)) == []


def test_long_files_are_seen() -> None:
    """The limit itself is allowed, one line more is not, and the message says what to do."""
    assert size_problems(Path("compiler/ir.py"), LONGEST_FILE) == []
    (problem,) = size_problems(Path("compiler/ir.py"), LONGEST_FILE + 1)
    assert problem.startswith("compiler/ir.py: 701 lines")
    assert "500" in problem


def test_the_tests_mirror_the_tree() -> None:
    """A folder of tests has the name of its room or package; other tests are in folders apart."""
    apart = {"system", "support", "recorded"}
    here = ROOT / "tests"
    folders = {path.parent.relative_to(here) for path in here.rglob("test_*.py")} - {Path()}
    assert len(folders) > 20
    strays = [folder for folder in folders if folder.parts[0] not in apart and not (ROOT / folder).is_dir()]
    assert strays == []

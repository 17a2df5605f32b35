"""Builds the wheel from a copy of the tree and checks its content."""

import ast
import functools
import importlib.util
import os
import re
import shutil
import subprocess
import symtable
import sys
import zipfile
import zlib
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path, PurePosixPath

import pytest
from searches import chequered

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("library", "frontend", "compiler", "runtime")
LARGEST_WHEEL = 2_000_000
# `make wheel` has libdeflate. zlib packs the same files worse, by 3%.
LARGEST_BUILT_HERE = LARGEST_WHEEL if importlib.util.find_spec("deflate") else LARGEST_WHEEL * 1.03

BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


def build(source: Path, target: Path) -> None:
    """Build the wheel of a project."""
    run = subprocess.run(
        [sys.executable, "-c", BUILD, str(target)], cwd=source, capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the tree, so that nothing is left behind there and nothing left there gets in, and the
    wheel made of it: of the processes that share the tests, that of the first."""
    folder = tmp_path_factory.mktemp("built")
    shared = tmp_path_factory.getbasetemp().parent / "built" if "PYTEST_XDIST_WORKER" in os.environ else folder
    if shared is not folder and shared.exists():
        return shared
    copy = folder / "mycel-copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info"))
    # A package made after this test was written must be found by itself.
    new_package = copy / "compiler" / "made_by_test" / "deeper"
    new_package.mkdir(parents=True)
    for directory in (new_package.parent, new_package):
        (directory / "__init__.py").write_text('"""Empty."""\n', "utf-8")
    (copy / "tests" / "__init__.py").touch()
    build(copy, folder)
    try:
        folder.rename(shared)
    except OSError:  # another process has been quicker
        return folder
    return shared


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds. Programs leave the bytecode of its modules there for the next."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def names_in(wheel: Path) -> set[str]:
    """The files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_is_pure_python_and_small(wheel: Path) -> None:
    """It installs on any system, and has source, stubs, metadata, lists of names, and the page's script and style."""
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size < LARGEST_BUILT_HERE
    code = {name for name in names_in(wheel) if ".dist-info/" not in name}
    assert {name for name in code if not name.endswith((".py", ".pyi"))} == {
        "mycel/py.typed",
        "mycel/frontend/page/page.css",
        "mycel/frontend/page/page.js",
        "mycel/library/mindspore/names.txt",
    }


def test_wheel_holds_every_module(wheel: Path) -> None:
    """Every Python file of the three layers and of the root is there, new packages too."""
    expected = {f"mycel/{path.relative_to(ROOT).as_posix()}" for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    expected |= {f"mycel/{path.name}" for path in ROOT.glob("*.py") if path.name != "setup.py"}
    expected |= {"mycel/compiler/made_by_test/__init__.py", "mycel/compiler/made_by_test/deeper/__init__.py"}
    assert {name for name in names_in(wheel) if name.endswith(".py")} == expected


def test_wheel_holds_the_stubs(wheel: Path) -> None:
    """Type checkers find the stub of each module, also of modules without files."""
    without_files = ROOT / "library" / "mindspore" / "stubs"
    beside = [path for room in ROOMS for path in (ROOT / room).rglob("*.pyi") if without_files not in path.parents]
    expected = {f"mycel/{path.relative_to(ROOT).as_posix()}" for path in beside}
    expected |= {f"mycel/{path.relative_to(without_files).as_posix()}" for path in without_files.rglob("*.pyi")}
    names = names_in(wheel)
    assert expected <= names
    assert {"mycel/__init__.pyi", "mycel/nn/__init__.pyi", "mycel/dataset/vision/__init__.pyi"} <= names


def test_no_stub_in_the_wheel_names_one_that_is_not_there(wheel: Path) -> None:
    """Stubs of modules without files are in the wheel once: where the modules would be, as the root's stub says."""
    names = names_in(wheel)
    with zipfile.ZipFile(wheel) as archive:
        texts = {name: archive.read(name).decode() for name in names if name.endswith(".pyi")}
    found = re.findall(r"^from \. import ([^(\n]+|\([^)]+\))", texts["mycel/__init__.pyi"], re.M)
    named = {name for text in found for name in re.findall(r"(\w+) as \w+", text)}
    assert {"common", "train"} <= named
    assert {f"mycel/{name}/__init__.pyi" for name in named} <= names
    assert not any("library.mindspore.stubs" in text for text in texts.values())
    assert not any("library/mindspore/stubs" in name for name in names)


# Types, and whether a name is read or assigned, which its place says.
TYPES = ("typing", "collections.abc", "__future__")
LEFT_OUT = {"annotation", "returns", "type_comment", "ctx"}


@functools.cache
def fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of nodes of a kind that are compared."""
    return tuple(name for name in kind._fields if name not in LEFT_OUT)


def is_for_developers(argument: ast.keyword) -> bool:
    """Whether it has the samples of an op's record, which tests read, or its sentence, which developers read."""
    return argument.arg == "samples" or (argument.arg == "doc" and isinstance(argument.value, ast.Constant))


def functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions that are in no other one, methods of classes among them."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.FunctionDef):
            yield each
        elif not isinstance(each, ast.expr):
            yield from functions(each)


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """A table of Python's own of the names in a scope, and those of the scopes in it."""
    yield table
    for each in table.get_children():
        yield from tables(each)


def is_traced(function: ast.FunctionDef) -> bool:
    """Whether names of variables of a function may be names in graphs."""
    return function.name == "construct" or any(
        ast.unparse(each) == "mark_convertible" for each in function.decorator_list
    )


def mark_variables(tree: ast.Module, source: str) -> None:
    """Put the number of a function and a space before the variables that all scopes in it share with no other. Those
    that graphs may have as names stay."""
    known = {(each.get_name(), each.get_lineno()): each for each in tables(symtable.symtable(source, "", "exec"))}
    for number, function in enumerate(each for each in functions(tree) if not is_traced(each)):
        inside = [*tables(known[function.name, function.lineno])]
        symbols = [symbol for table in inside if table.get_type() == "function" for symbol in table.get_symbols()]
        others = {
            symbol.get_name()
            for symbol in symbols
            if symbol.is_parameter() or symbol.is_global() or symbol.is_imported() or symbol.is_namespace()
        }
        others.update(name for table in inside if table.get_type() == "class" for name in table.get_identifiers())
        variables = {symbol.get_name() for symbol in symbols if symbol.is_assigned()} - others
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in variables:
                node.id = f"{number} {node.id}"


def outline(source: str, has_records: bool = False) -> list[object]:
    """The nodes of a module and their values, with numbers for variables, without strings that are statements, types,
    the names that types are made of, and what records of ops, if a module has them, have for developers."""
    found: list[object] = []
    tree = ast.parse(source)
    mark_variables(tree, source)
    numbers: dict[str, int] = {}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.ImportFrom) and (node.level or node.module in TYPES):
            continue
        if has_records and isinstance(node, ast.keyword) and is_for_developers(node):
            continue
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            node = ast.copy_location(ast.Assign([node.target], node.value), node)
        found.append(type(node))
        if isinstance(node, ast.Name) and " " in node.id:
            found.append(numbers.setdefault(node.id, len(numbers)))
            continue
        for name in fields(type(node)):
            value = getattr(node, name)
            for part in value if isinstance(value, list) else (value,):
                (waiting if isinstance(part, ast.AST) else found).append(part)
    return found


@pytest.mark.parametrize(
    ("packed", "same"),
    [
        ("def f(x):\n\n  return x", True),
        ("def f(x): return x", True),  # on another line
        ("def f(y):\n\n  return x", False),
        ("def f(x):\n\n  return x + 1", False),
        ("def f(x):\n\n  if x: return x", False),
    ],
)
def test_differences_of_modules_are_seen(packed: str, same: bool) -> None:
    source = 'def f(x: int) -> int:\n    """Text."""\n    return x\n'
    assert (outline(packed) == outline(source)) is same


@pytest.mark.parametrize(
    ("packed", "same"),
    [
        ("def f(x):\n a=x\n b=a+y\n return lambda:a+b", True),
        ("def f(x):\n b=x\n a=b+y\n return lambda:b+a", True),
        ("def f(x):\n a=x\n b=a+y\n return lambda:a+a", False),  # another variable
        ("def f(x):\n a=x\n a=a+y\n return lambda:a+a", False),  # two have become one
        ("def f(x):\n a=x\n y=a+y\n return lambda:a+y", False),  # it hides the module's
        ("def f(x):\n x=x\n b=x+y\n return lambda:x+b", False),  # it hides the parameter
        ("def f(a):\n x=a\n b=x+y\n return lambda:x+b", False),  # callers name parameters
    ],
)
def test_variables_may_have_other_names(packed: str, same: bool) -> None:
    source = "def f(x):\n    one = x\n    two = one + y\n    return lambda: one + two\n"
    assert (outline(packed) == outline(source)) is same


@pytest.mark.parametrize("head", ["def construct(x):", "@mark_convertible\ndef f(x):"])
def test_variables_that_graphs_may_name_stay(head: str) -> None:
    assert outline(f"{head}\n one = x\n return one") == outline(f"{head}\n    one = x\n    return one")
    assert outline(f"{head}\n a=x\n return a") != outline(f"{head}\n    one = x\n    return one")


def without_samples(source: str, packed: str) -> str:
    """A module of ops without the private functions and values that the packed one does not have."""
    tree = ast.parse(source)
    names = set(re.findall(r"\w+", packed))
    tree.body = [node for node in tree.body if not names_of(node) or names_of(node) & names]
    return ast.unparse(tree)


def names_of(node: ast.stmt) -> set[str]:
    """The private names that a function has, or that an assignment gives values."""
    targets = node.targets if isinstance(node, ast.Assign) else [node]
    names = (getattr(each, "name", getattr(each, "id", "")) for each in targets)
    return {name for name in names if name.startswith("_")}


@pytest.mark.parametrize("part", chequered(range(4), every=4))
def test_modules_in_the_wheel_are_those_of_the_repository(wheel: Path, part: int) -> None:
    """Up to comments, ends of lines, types, docstrings for developers, names of variables, and the samples of ops,
    which stay in the repository. Three of four modules are among the slow tests."""
    paths = sorted(path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    with zipfile.ZipFile(wheel) as archive:
        for path in paths[part::4]:
            packed = archive.read(f"mycel/{path.as_posix()}").decode()
            source = (ROOT / path).read_text("utf-8")
            has_records = path.parent == Path("compiler", "ops")
            if has_records:
                source = without_samples(source, packed)
            assert outline(packed, has_records) == outline(source, has_records), path
            assert not re.search(r"^ *#|  # (noqa|type: ignore)", packed, re.M), path


def test_the_wheel_has_no_samples_of_ops(wheel: Path) -> None:
    """Only tests read them. Nor has it functions and imports that had no other use."""
    assert "samples=unary_samples(0.5" in (ROOT / "compiler" / "ops" / "arithmetic.py").read_text("utf-8")
    with zipfile.ZipFile(wheel) as archive:
        for name in ("elementwise", "arithmetic", "collectives", "sorting"):
            assert "ample" not in archive.read(f"mycel/compiler/ops/{name}.py").decode(), name
        for name in names_in(wheel):
            if re.fullmatch(r"mycel/compiler/ops/\w+\.py", name):
                calls = ast.walk(ast.parse(archive.read(name)))
                assert not any(isinstance(each, ast.keyword) and is_for_developers(each) for each in calls), name


def test_stubs_and_the_script_in_the_wheel_are_those_of_the_repository(wheel: Path) -> None:
    """Up to indentation, ends of lines and comments for developers."""
    without_files = ROOT / "library" / "mindspore" / "stubs"
    with zipfile.ZipFile(wheel) as archive:
        for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.pyi")):
            place = path.relative_to(without_files if without_files in path.parents else ROOT).as_posix()
            packed, source = archive.read(f"mycel/{place}").decode(), path.read_text("utf-8")
            assert ast.dump(ast.parse(packed)) == ast.dump(ast.parse(source)), path
            assert packed.count("# mypy: ignore-errors") == source.count("# mypy: ignore-errors"), path
            assert "Written by" not in packed, path
        packed = archive.read("mycel/frontend/page/page.js").decode()
    source = (ROOT / "frontend" / "page" / "page.js").read_text("utf-8")
    assert packed.split("\n") == [line.lstrip() for line in source.split("\n") if not line.lstrip().startswith("//")]


def test_modules_in_the_wheel_import_what_they_name(wheel: Path, tmp_path: Path) -> None:
    """An import that only types had a use for is left out; others stay."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    checked = [sys.executable, "-m", "ruff", "check", "--isolated", "--quiet", "--select", "F821", str(tmp_path)]
    assert subprocess.run(checked, capture_output=True, text=True, check=False).stdout == ""
    node = tmp_path / "mycel" / "compiler" / "ir" / "node_without_import.py"
    node.write_text("print(make_node)\n", "utf-8")
    assert "make_node" in subprocess.run(checked, capture_output=True, text=True, check=False).stdout


DOCUMENTED = """
import importlib, inspect, sys
sys.path.insert(0, sys.argv[1])
spaces = "", "amp", "boost", "communication", "context", "dataset", "dataset.audio", "dataset.engine", "dataset.text"
spaces += "dataset.transforms", "dataset.vision", "experimental", "hal", "mindrecord", "mint", "mint.distributed"
spaces += "mint.nn", "mint.nn.functional", "mint.optim", "nn", "nn.probability.distribution", "numpy", "numpy.fft"
spaces += "ops", "ops.auto_generate", "parallel", "profiler", "rewrite", "runtime", "scipy.linalg", "train"
seen = set()


def show(place, cls):
    for member in () if cls in seen else sorted(vars(cls)):
        if not member.startswith("_"):
            print(place, member, repr(inspect.getdoc(getattr(cls, member, None))))
    seen.add(cls)


for space in spaces:
    module = importlib.import_module(f"mycel.{space}".rstrip("."))
    for name in sorted(dir(module)):
        item = None if name.startswith("_") else getattr(module, name, None)
        if callable(item):
            print(space, name, repr(inspect.getdoc(item)))
            for cls in item.__mro__ if inspect.isclass(item) else ():
                show(f"{space} {name}", cls)

import mycel
x = mycel.Tensor([1.0])
compiled, gradient = mycel.jit(mycel.ops.relu), mycel.grad(mycel.ops.relu)
stages, why = compiled.stages(x), compiled.explain()
hook = mycel.nn.ReLU().register_forward_hook(print)
for given in compiled, gradient, stages, stages.program, stages.joint, why, why.traces[0], compiled.profile(x), hook:
    for cls in type(given).__mro__:
        print("given", cls, inspect.cleandoc(cls.__doc__ or "") if cls.__module__.startswith("mycel") else "")
        show("given", cls)
"""


def test_an_installed_wheel_has_the_same_help(installed: Path, tmp_path: Path) -> None:
    """Docstrings of public names, and of what users get without a name, are those of the repository, also where private
    functions lend them."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "mycel").symlink_to(ROOT, target_is_directory=True)
    packed, source = (
        subprocess.run(
            [sys.executable, "-c", DOCUMENTED, str(folder)], capture_output=True, text=True, check=True, cwd=tmp_path
        ).stdout
        for folder in (installed, checkout)
    )
    assert packed.count("\n") > 6000
    assert packed == source


def test_the_wheel_is_packed_again(wheel: Path) -> None:
    """It has what a wheel of zipfile's own packing has, and every file is as small as zlib makes it, or smaller."""
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        members = archive.infolist()
        assert len({info.filename for info in members}) == len(members) > 900
        for info in members:
            assert info.external_attr >> 16 & 0o444 == 0o444
            assert info.date_time[0] >= 2020
        packed = sum(info.compress_size for info in members)
        packer = [zlib.compressobj(9, zlib.DEFLATED, -15) for _ in members]
        by_zlib = sum(
            len(one.compress(archive.read(info)) + one.flush()) for one, info in zip(packer, members, strict=True)
        )
    assert packed <= by_zlib


def test_wheel_holds_nothing_else(wheel: Path) -> None:
    """Tests, benchmarks, examples and documentation stay out, even if they were packages."""
    top = {PurePosixPath(name).parts[0] for name in names_in(wheel)}
    assert top == {"mycel", next(name for name in top if name.endswith(".dist-info"))}
    inside = {PurePosixPath(name).parts[1] for name in names_in(wheel) if name.startswith("mycel/")}
    assert inside.isdisjoint({"tests", "benchmarks", "examples", "docs", "setup.py"})


def test_metadata(wheel: Path) -> None:
    """Name, licence and the core dependencies, which are three."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(name).decode())
        assert any(entry.endswith("/LICENSE") for entry in archive.namelist())
    assert metadata["Name"] == "mycel-graph"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.10"
    core = {requirement for requirement in metadata.get_all("Requires-Dist", []) if "extra ==" not in requirement}
    assert core == {"numpy>=2", "gast", "astunparse"}


PROGRAMS = [
    "from mycel.dataset import vision",
    "import mycel; mycel.dataset.text",
    "import mycel.mindrecord",
    "import mycel; mycel.install_as_mindspore(); import mindspore.dataset.vision.transforms",
    "import mycel; mycel.dataset.MindDataset",
    "import mycel; mycel.install_as_mindspore(); from mindspore.dataset import TFRecordDataset",
    "import mycel; mycel.dataset.NumpySlicesDataset([1]).save('rows')",
    "import mycel; mycel.dataset.ImageFolderDataset('.', decode=True)",
    "import mycel; mycel.ops.SegmentSum()",
    "import mycel; mycel.install_as_mindspore(); from mindspore.ops import ReluGrad",
    "import mycel; mycel.ops.geqrf(mycel.ops.ones((2, 2)))",
    "import mycel; mycel.install_as_mindspore(); import mindspore.nn.probability.distribution",
    "import mycel; mycel.nn.probability",
    "from mycel.experimental import optim",
    "import mycel; mycel.install_as_mindspore(); from mindspore.mint import optim",
    "import mycel; mycel.Profiler",
    "import mycel.profiler",
    "import mycel; mycel.SummaryCollector",
    "from mycel.frontend.page.describe import pass_reasons; assert len(pass_reasons()) > 30",
]


def test_an_installed_wheel_has_everything(installed: Path, tmp_path: Path) -> None:
    """Also modules that are imported on demand."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        f"for line in {PROGRAMS!r}:\n"
        "    exec(line, {}); print('found')\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", program, str(installed)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["found"] * len(PROGRAMS)


NAMES = """
import sys; sys.path.insert(0, sys.argv[1])
import importlib
import mycel
from mycel.library.mindspore.module_names import MODULES
seen = set()
print("import mycel")
print("from mycel import", ", ".join(mycel.__all__))
for number, path in enumerate(sorted(path for path in MODULES if "._" not in "." + path)):
    if path.split(".")[0] != "runtime":
        module = importlib.import_module("mycel." + path)
        print(f"import mycel.{path} as m{number}")
        sources = () if MODULES[path] in seen else MODULES[path]
        seen.add(MODULES[path])
        for source in sources:
            home = importlib.import_module(f"mycel.{source}" if source else "mycel")
            for name in getattr(home, "__all__", dir(home)):
                place = getattr(getattr(home, name), "__module__", "")  # what a package has from its own files
                own = hasattr(home, "__all__") or f"{place}.".startswith(f"{home.__name__}.")
                if own and not name.startswith("_"):
                    print(f"m{number}.{name}")
"""


@pytest.mark.slow
def test_type_checkers_know_every_public_name(installed: Path, tmp_path: Path) -> None:
    """Whatever a module has at run time its stub has, too."""
    written = subprocess.run(
        [sys.executable, "-I", "-c", NAMES, str(installed)], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert written.count("\n") > 5000
    program = tmp_path / "names.py"
    program.write_text(written, "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", "--cache-dir=cache", str(program)],
        env={**os.environ, "MYPYPATH": str(installed)}, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = written.splitlines()
    missing = [line for line in run.stdout.splitlines() if ": error:" in line]
    at_fault = [lines[int(line.split(":")[1]) - 1] for line in missing if line.startswith("names.py")]
    assert not missing, "\n".join([*missing[:20], *at_fault[:20]])
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_build_leaves_nothing_behind(built: Path) -> None:
    """No `build/`, no `*.egg-info`."""
    left = {path.name for path in (built / "mycel-copy").iterdir()}
    assert left <= {path.name for path in ROOT.iterdir()}
    assert "build" not in left
    assert not [name for name in left if name.endswith(".egg-info")]

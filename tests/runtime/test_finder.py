"""The import hook: modules are what Python would load, from fresh bytecode, and whatever is unusual is Python's."""

import importlib
import importlib.machinery
import inspect
import os
import py_compile
import subprocess
import sys
import types
from pathlib import Path

import pytest

import mycel
from mycel.runtime.finder import ModuleFinder, install


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a finder, and an inner package."""
    root = tmp_path / "found_here"
    (root / "inner").mkdir(parents=True)
    (root / "__init__.py").write_text("")
    (root / "inner" / "__init__.py").write_text("kind = 'package'\n")
    (root / "inner" / "deep.py").write_text("from .. import plain\nvalue = plain.value + 1\n")
    (root / "plain.py").write_text("def f():\n    return 1\n\nvalue = f()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    monkeypatch.setattr(sys, "pycache_prefix", None)
    install("found_here")
    importlib.import_module("found_here")
    return root


def loader_of(module: types.ModuleType) -> str:
    assert module.__spec__ is not None
    return type(module.__spec__.loader).__module__


def test_finds_modules_as_python_does(package: Path) -> None:
    for name in ("found_here.plain", "found_here.inner", "found_here.inner.deep"):
        found = ModuleFinder("found_here").find_spec(name, [str(package / "inner" if "deep" in name else package)])
        usual = importlib.machinery.PathFinder.find_spec(name, [str(package / "inner" if "deep" in name else package)])
        assert found is not None
        assert usual is not None
        for attribute in ("name", "origin", "cached", "has_location", "submodule_search_locations", "parent"):
            assert getattr(found, attribute) == getattr(usual, attribute)


@pytest.mark.parametrize("stored", [False, True])
def test_loads_modules(package: Path, stored: bool) -> None:
    if stored:
        for file in package.rglob("*.py"):
            py_compile.compile(str(file))
    module = importlib.import_module("found_here.inner.deep")
    assert module.value == 2
    plain = sys.modules["found_here.plain"]
    assert loader_of(plain) == loader_of(module) == "mycel.runtime.finder"
    assert inspect.getsource(plain.f) == "def f():\n    return 1\n"
    assert plain.f.__code__.co_filename == plain.__file__ == str(package / "plain.py")
    assert sys.modules["found_here.inner"].__path__ == [str(package / "inner")]


def test_old_bytecode_is_not_loaded(package: Path) -> None:
    file = package / "plain.py"
    py_compile.compile(str(file))
    before = file.stat()
    file.write_text(file.read_text().replace("return 1", "return 2"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 10**10))
    assert importlib.import_module("found_here.plain").value == 2
    file.write_text(file.read_text() + "value = 30\n")  # of another size, at the same time
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert importlib.reload(sys.modules["found_here.plain"]).value == 30


def test_damaged_and_foreign_bytecode_is_not_loaded(package: Path) -> None:
    file = package / "plain.py"
    cached = Path(py_compile.compile(str(file)) or "")
    cached.write_bytes(cached.read_bytes()[:-20])
    with pytest.raises(EOFError):  # as Python's own loader does
        importlib.import_module("found_here.plain")
    py_compile.compile(str(file), dfile="/elsewhere/plain.py")
    module = importlib.import_module("found_here.plain")
    assert module.f.__code__.co_filename == str(file)
    py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    assert importlib.reload(module).value == 1


def test_what_is_unusual_is_pythons(package: Path) -> None:
    finder = ModuleFinder("found_here")
    assert finder.find_spec("found_here") is None
    assert finder.find_spec("elsewhere.plain", [str(package)]) is None
    assert finder.find_spec("found_here.missing", [str(package)]) is None
    assert finder.find_spec("found_here.plain", [str(package / "nowhere")]) is None
    (package / "both").mkdir()
    (package / "names").mkdir()
    (package / "compiled").mkdir()
    (package / "compiled" / f"plain{importlib.machinery.EXTENSION_SUFFIXES[0]}").write_text("")
    (package / "compiled" / "plain.py").write_text("")
    assert finder.find_spec("found_here.compiled.plain", [str(package / "compiled")]) is None
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("found_here.missing")
    (package / "late.py").write_text("value = 5\n")
    importlib.invalidate_caches()
    assert importlib.import_module("found_here.late").value == 5
    assert importlib.import_module("found_here.names").__file__ is None  # a namespace


def test_is_installed_before_pythons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    own = object()
    monkeypatch.setattr(sys, "meta_path", [own, importlib.machinery.PathFinder])
    monkeypatch.setattr(sys, "pycache_prefix", None)
    install("found_here")
    assert sys.meta_path[0] is own
    assert isinstance(sys.meta_path[1], ModuleFinder)
    install("found_here")
    assert len(sys.meta_path) == 3
    monkeypatch.setattr(sys, "meta_path", [importlib.machinery.PathFinder])
    monkeypatch.setattr(sys, "pycache_prefix", "/elsewhere")
    install("found_here")
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "meta_path", [])
    install("found_here")
    assert sys.meta_path == []


@pytest.mark.parametrize("flag", ["-B", "-O", "-OO"])
def test_mycel_is_imported_with_flags(flag: str) -> None:
    code = "import mycel; print(mycel.Tensor([1.0]) + 1)"
    done = subprocess.run([sys.executable, flag, "-c", code], capture_output=True, text=True, check=False)
    assert "[2.]" in done.stdout, done.stderr


def test_mycels_modules_are_found() -> None:
    code = "import mycel.nn, sys; print(type(sys.modules['mycel.library.nn'].__spec__.loader).__module__)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPYCACHEPREFIX"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.strip() == "mycel.runtime.finder", done.stderr
    assert mycel.__spec__ is not None
    assert not isinstance(mycel.__spec__.loader, ModuleFinder)

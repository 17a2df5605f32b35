"""Builds the wheels from a copy of the tree and looks at what is in them."""

import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path, PurePosixPath

import pytest

from mycel.frontend.parts import PARTS

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("frontend", "compiler", "runtime")
LARGEST_WHEEL = 1_000_000
ELSEWHERE = tuple(f"{part.replace('.', '/')}/" for part in PARTS)  # the folders that are in the wheel of extras/

BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, so that nothing is left behind there and nothing left there gets in."""
    copy = tmp_path_factory.mktemp("source") / "mycel-copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info"))
    # A package made after this test was written must be found by itself.
    new_package = copy / "compiler" / "made_by_test" / "deeper"
    new_package.mkdir(parents=True)
    for directory in (new_package.parent, new_package):
        (directory / "__init__.py").write_text('"""Empty."""\n', "utf-8")
    (copy / "tests" / "__init__.py").touch()
    return copy


def build(source: Path, target: Path) -> Path:
    """The wheel of a project."""
    run = subprocess.run(
        [sys.executable, "-c", BUILD, str(target)], cwd=source, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """mycel's own wheel."""
    return build(source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def extras_wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel with what few programs ask for."""
    return build(source / "extras", tmp_path_factory.mktemp("extras"))


def names_in(wheel: Path) -> set[str]:
    """The files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_is_pure_python_and_small(wheel: Path) -> None:
    """It installs on any system, and no file is anything but Python source and metadata."""
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size < LARGEST_WHEEL
    code = {name for name in names_in(wheel) if ".dist-info/" not in name}
    assert {name for name in code if not name.endswith(".py")} == {"mycel/py.typed"}


def test_wheel_holds_every_module(wheel: Path) -> None:
    """Every Python file of the three layers and of the root is there, new packages too, but the parts elsewhere."""
    expected = {
        f"mycel/{path.relative_to(ROOT).as_posix()}"
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
        if not path.relative_to(ROOT).as_posix().startswith(ELSEWHERE)
    }
    expected |= {f"mycel/{path.name}" for path in ROOT.glob("*.py") if path.name != "setup.py"}
    expected |= {"mycel/compiler/made_by_test/__init__.py", "mycel/compiler/made_by_test/deeper/__init__.py"}
    assert {name for name in names_in(wheel) if name.endswith(".py")} == expected


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
    assert metadata["Name"] == "mycel"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.10"
    core = {requirement for requirement in metadata.get_all("Requires-Dist", []) if "extra ==" not in requirement}
    assert core == {"numpy>=2", "gast", "astunparse"}


def test_the_other_wheel_holds_the_rest(wheel: Path, extras_wheel: Path) -> None:
    """Installed together they are the whole tree; the versions agree."""
    expected = {
        f"mycel/{path.relative_to(ROOT).as_posix()}" for part in ELSEWHERE for path in (ROOT / part).rglob("*.py")
    }
    assert {name for name in names_in(extras_wheel) if name.endswith(".py")} == expected
    assert not expected & names_in(wheel)
    assert wheel.name.split("-")[1] == extras_wheel.name.split("-")[1]
    with zipfile.ZipFile(extras_wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(name).decode())
    assert f"mycel=={wheel.name.split('-')[1]}" in metadata.get_all("Requires-Dist", [])


ASKS = {
    "from mycel.dataset import vision": "vision",
    "import mycel; mycel.dataset.text": "text",
    "import mycel.mindrecord": "mindrecord",
    "import mycel; mycel.install_as_mindspore(); import mindspore.dataset.vision.transforms": "vision",
    "import mycel; mycel.dataset.MindDataset": "mycel.dataset.MindDataset",
    "import mycel; mycel.install_as_mindspore(); from mindspore.dataset import TFRecordDataset": "TFRecordDataset",
    "import mycel; mycel.dataset.NumpySlicesDataset([1]).save('rows')": "readers",
    "import mycel; mycel.dataset.ImageFolderDataset('.', decode=True)": "vision",
    "import mycel; mycel.ops.SegmentSum()": "mycel.ops.SegmentSum",
    "import mycel; mycel.install_as_mindspore(); from mindspore.ops import ReluGrad": "ReluGrad",
    "import mycel; mycel.ops.geqrf(mycel.ops.ones((2, 2)))": "Geqrf",
    "import mycel; mycel.install_as_mindspore(); import mindspore.nn.probability.distribution": "probability",
    "import mycel; mycel.nn.probability": "nn.probability",
    "from mycel.experimental import optim": "experimental",
    "import mycel; mycel.install_as_mindspore(); from mindspore.mint import optim": "mint.optim",
    "import mycel; mycel.Profiler": "mycel.Profiler",
    "import mycel.profiler": "profiler",
    "import mycel; mycel.SummaryCollector": "mycel.train.SummaryCollector",
}


def test_what_the_other_wheel_is_for(wheel: Path, extras_wheel: Path, tmp_path: Path) -> None:
    """Without it the error says what to install; with it all is there."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        f"for line in {list(ASKS)!r}:\n"
        "    try: exec(line, {}); print('found')\n"
        "    except ImportError as error: print(error)\n"
    )
    for wheels in ([wheel], [wheel, extras_wheel]):
        folder = tmp_path / str(len(wheels))
        for one in wheels:
            with zipfile.ZipFile(one) as archive:
                archive.extractall(folder)
        run = subprocess.run(
            [sys.executable, "-I", "-c", program, str(folder)],
            cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        told = run.stdout.splitlines()
        if len(wheels) == 2:
            assert told == ["found"] * len(ASKS)
            continue
        for line, part in zip(told, ASKS.values(), strict=True):
            assert part in line
            assert line.endswith("is in the distribution mycel-extras: pip install ./extras, in a checkout of mycel")

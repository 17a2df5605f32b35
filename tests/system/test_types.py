"""Types for users: the types that type checkers infer in a user's program, and the lines that they refuse.

`make lint` runs them with mypy, `make test-slow` also with pyright, if that is installed and finds Node.js; it is not
asked to download anything.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(__file__).with_name("typed_program.py")
FEWEST_TYPES, FEWEST_ERRORS = 45, 28
CHECKERS = ["mypy", "pyright"]

pytestmark = pytest.mark.types


def expected(mark: str) -> dict[int, str]:
    """The comments of the program that begin with `mark`, by line."""
    found = {}
    for number, line in enumerate(PROGRAM.read_text("utf-8").splitlines(), 1):
        _, _, comment = line.partition("  # ")
        if comment.split(" ")[0] == mark:
            found[number] = comment.removeprefix(mark).strip()
    return found


def short(shown: str) -> str:
    """A type without the modules of its names."""
    return re.sub(r"\b(\w+\.)+(?=\w)", "", shown)


@pytest.fixture(scope="module")
def checkout() -> Path:
    """A folder in which the package is called mycel, whatever the folder of the repository is called."""
    folder = ROOT / ".mypy_cache" / "types"  # beside mypy's caches, which make the next run quick
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "mycel"
    try:
        if not link.exists():
            link.symlink_to(ROOT, target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links here")
    return folder


@pytest.fixture(scope="module")
def mypy(checkout: Path) -> tuple[dict[int, str], set[int]]:
    """The revealed types and the lines with errors."""
    program = shutil.copy(PROGRAM, checkout)  # the repository's folder may have a name that no package can have
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent"]
    run = subprocess.run(
        [*command, f"--cache-dir={checkout / 'cache'}", str(program)],
        env={**os.environ, "MYPYPATH": str(checkout)}, cwd=checkout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    types, errors = {}, set()
    for line in run.stdout.splitlines():
        found = re.match(r".*typed_program\.py:(\d+): (note|error): (.*)", line)
        assert found or re.match(r"Found \d+ errors? in 1 file ", line), run.stdout + run.stderr
        if found and found[2] == "error":
            errors.add(int(found[1]))
        elif found and found[3].startswith("Revealed type is "):
            types[int(found[1])] = short(found[3].removeprefix("Revealed type is ").strip('"'))
    return types, errors


@pytest.fixture(scope="module")
def pyright(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[int, str], set[int]]:
    """The revealed types and the lines with errors."""
    node = shutil.which("node")
    if importlib.util.find_spec("pyright") is None or node is None:
        pytest.skip("pyright or Node.js is not installed")
    settings = {"include": ["."], "extraPaths": [str(checkout)], "reportUnusedExpression": "none"}
    folder = tmp_path_factory.mktemp("pyright")
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    shutil.copy(PROGRAM, folder)
    script = Path(importlib.util.find_spec("pyright").submodule_search_locations[0], "dist", "index.js")
    if not script.exists():
        pytest.skip("this pyright would have to be downloaded")
    run = subprocess.run(
        [node, str(script), "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    types, errors = {}, set()
    for item in json.loads(run.stdout)["generalDiagnostics"]:
        line = item["range"]["start"]["line"] + 1
        if item["severity"] == "error":
            errors.add(line)
        found = re.match(r'Type of ".*" is "(.*)"$', item["message"])
        if found:
            types[line] = short(found[1])
    return types, errors


@pytest.mark.parametrize("checker", CHECKERS)
def test_types_of_a_users_program(checker: str, request: pytest.FixtureRequest) -> None:
    """Each `reveal_type` shows what its comment says."""
    types, _ = request.getfixturevalue(checker)
    wanted = expected("is")
    assert len(wanted) >= FEWEST_TYPES
    assert types == wanted


@pytest.mark.parametrize("checker", CHECKERS)
def test_mistakes_in_a_users_program(checker: str, request: pytest.FixtureRequest) -> None:
    """The lines that are marked are refused, and no others."""
    _, errors = request.getfixturevalue(checker)
    wanted = set(expected("error"))
    assert len(wanted) >= FEWEST_ERRORS
    assert errors == wanted


def test_stubs_are_fresh() -> None:
    """The stubs describe the current modules; `make stubs` writes them again."""
    run = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "stubs.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, f"run `make stubs`:\n{run.stdout}{run.stderr}"

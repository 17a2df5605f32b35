"""The references of pages exist: files, definitions in them, links, and every package of the rooms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("library", "frontend", "compiler", "runtime")
FOLDERS = (*ROOMS, "tests", "benchmarks", "examples", "docs")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])

BLOCK = re.compile(r"^```.*?^```$|^ {4}[^\n]*$", re.M | re.S)
# `compiler/passes/fuse.py`, `compiler/passes/`, and with a name: `compiler/pipeline.py:compile_graph`.
REFERENCE = re.compile(rf"(?<![\w./-])((?:{'|'.join(FOLDERS)})/[\w./-]*|\w+\.py(?=[`:]))(?::([\w.]+))?")
LINK = re.compile(r"\[[^\]]*\]\(([^)#:]*)(?:#([^)]*))?\)")
PLACEHOLDER = "NAME"  # as in compiler/passes/NAME.py
# Files of users, which pages speak about.
USERS = {"file.py", "program.py", "script.py", "train.py"}


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return BLOCK.sub("", page.read_text("utf-8"))


@cache
def definitions(path: Path) -> frozenset[str]:
    """The definitions of a file: classes, functions, methods (as Class.method) and assigned names."""

    def visit(body: list[ast.stmt], prefix: str) -> Iterator[str]:
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                yield prefix + statement.name
                yield from visit(statement.body, f"{prefix}{statement.name}.")
            elif isinstance(statement, ast.FunctionDef):
                yield prefix + statement.name
            elif isinstance(statement, ast.Assign | ast.AnnAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                yield from (prefix + target.id for target in targets if isinstance(target, ast.Name))

    return frozenset(visit(ast.parse(path.read_text("utf-8")).body, ""))


def problems_of(text: str) -> list[str]:
    """The files and definitions that a text names and that do not exist."""
    problems = []
    for match in REFERENCE.finditer(text):
        path, name = match[1].rstrip("."), match[2]
        if path in USERS or PLACEHOLDER in path:
            continue
        if not (ROOT / path).exists():
            problems.append(f"there is no {path}")
        elif name and path.endswith(".py") and name.rstrip(".") not in definitions(ROOT / path):
            problems.append(f"{path} defines no {name}")
    return problems


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made on the web."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_exists(page: Path) -> None:
    assert problems_of(prose(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(prose(page)):
        found = page.parent / target if target else page
        assert found.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(found), f"{page.name} links to {target}#{anchor}"


def test_what_does_not_exist_is_seen() -> None:
    """The search finds missing references."""
    assert problems_of("`compiler/passes/fuse.py`, `compiler/passes/` and `compiler/pipeline.py:compile_graph`.") == []
    assert problems_of("See compiler/passes/NAME.py, and `program.py`.") == []
    assert problems_of("in compiler/passes/confuse.py.") == ["there is no compiler/passes/confuse.py"]
    assert problems_of("`fuse.py`") == ["there is no fuse.py"]
    assert problems_of("`compiler/pipeline.py:no_graph`") == ["compiler/pipeline.py defines no no_graph"]
    assert problems_of("`frontend/values/cell.py:Cell.construct`") == []
    assert anchors(ROOT / "docs" / "kernels.md") >= {"kernels-of-machine-code", "safety"}


def test_the_architecture_names_every_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    packages = [path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("*/*/__init__.py")]
    inside = [package for package in packages if package.split("/")[0] in ROOMS]
    assert len(inside) >= 20
    assert [package for package in inside if f"{package}/" not in page] == []


def test_the_architecture_names_every_pass() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    passes = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("compiler/passes/[!_]*.py")]
    assert len(passes) >= 50
    assert [path for path in passes if f"`{path}`" not in page] == []

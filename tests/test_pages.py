"""The programs in docs/ print the output that the pages show."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mycel as ms
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.machine.product import has_products

DOCS = Path(__file__).resolve().parent.parent / "docs"
BLOCKS = re.compile(r"^## (?P<title>.+?)$|```python\n(?P<program>.*?)```\n+```text\n(?P<text>.*?)```", re.M | re.S)
PAGES = (
    "architecture.md", "comparison.md", "differences.md", "errors.md", "export.md", "security.md", "transformations.md",
    "../README.md",
)  # fmt: skip
# Pages whose sections are one program each: it grows from block to block.
GROWING = ("from-jax.md", "from-mindspore.md", "from-pytorch.md", "how-to.md", "tutorial.md")
SECTION = re.compile(r"^## (?P<title>.+?)$(?P<body>.*?)(?=^## |\Z)", re.M | re.S)
# What a program prints; of `times`, the words at the start of the lines are the same in each run, in any order.
SHOWN = re.compile(r"```(?P<kind>python|text times|text)\n(?P<text>.*?)```", re.S)
CARETS = sys.version_info >= (3, 11)


def programs(page: str) -> list[Any]:
    """Each program of a page with the text under it, by its heading."""
    found, title, count = [], "", 0
    for match in BLOCKS.finditer((DOCS / page).read_text(encoding="utf-8")):
        if match["title"]:
            title, count = match["title"], 0
        else:
            count += 1
            found.append(pytest.param(match["program"], match["text"], id=f"{title} {count}"))
    return found


def outcome(program: str, folder: Path) -> str:
    """The output of a program, with its warnings, and the error that ends it."""
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    printed = io.StringIO()
    lines = []
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            exec(compile(program, str(file), "exec"), {"__name__": "program", "__file__": str(file)})
        except Exception as error:
            lines.append(f"{type(error).__name__}: {error}")
    lines = [f"{item.category.__name__}: {item.message}" for item in caught] + lines
    text = printed.getvalue() + "\n".join(lines)
    return text.replace(f"{folder}/", "").replace(f"{folder}\\", "").rstrip() + "\n"


@pytest.fixture(autouse=True)
def as_before(as_without_mindspore: None) -> Iterator[None]:
    """Restore the mode, and the meaning of `import mindspore`, after a program."""
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE, debug_nans=False)


@pytest.mark.parametrize(
    ("program", "text"),
    [program for page in PAGES for program in programs(page)],
)
def test_a_program_of_a_page(program: str, text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if ("-- program" in text or " = kernel(" in text) and unavailable():
        pytest.skip("machine code is not available here")
    if "compile_matmul" in text and not has_products():
        pytest.skip("products in machine code are not available here")
    got = outcome(program, tmp_path)
    got = re.sub(r"(too many values to unpack \(expected \d+), got \d+\)", r"\1)", got)  # Python 3.14
    if not CARETS:
        got, text = (re.sub(r"^ +\^+\n", "", told, flags=re.M) for told in (got, text))
    assert got == text


def sections(page: str) -> list[Any]:
    """Each section of a page: its program, and the shown output, piece by piece."""
    found = []
    for section in SECTION.finditer((DOCS / page).read_text(encoding="utf-8")):
        blocks = [(block["kind"], block["text"]) for block in SHOWN.finditer(section["body"])]
        program = "\n".join(text for kind, text in blocks if kind == "python")
        shown = [(kind, text) for kind, text in blocks if kind != "python"]
        if program:
            found.append(pytest.param(program + "\n", shown, id=f"{page.removesuffix('.md')}: {section['title']}"))
    return found


def first_words(lines: list[str]) -> list[str]:
    """The first word of each line, sorted. Whether threads share a product depends on the machine."""
    return sorted(line.split()[0].replace("shared_matmul", "matmul") for line in lines if line.strip())


@pytest.mark.parametrize(("program", "shown"), [section for page in GROWING for section in sections(page)])
def test_a_section_of_a_page(
    program: str, shown: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # programs write files by short names
    if unavailable() and any("fused:" in text or " = kernel(" in text for _, text in shown):
        pytest.skip("machine code is not available here")
    got = outcome(program, tmp_path)
    if not CARETS:
        got = re.sub(r"^ +\^+\n", "", got, flags=re.M)
        shown = [(kind, re.sub(r"^ +\^+\n", "", text, flags=re.M)) for kind, text in shown]
    lines = got.splitlines()
    for kind, text in shown:
        wanted = text.splitlines()
        here, lines = lines[: len(wanted)], lines[len(wanted) :]
        if kind == "text":
            assert here == wanted
        else:
            assert first_words(here) == first_words(wanted), got
    assert lines == []


SPACE = {
    "ms": ms, "nn": ms.nn, "ops": ms.ops, "mint": ms.mint, "amp": ms.amp, "dataset": ms.dataset, "train": ms.train,
    "t": ms.Tensor,
}  # fmt: skip
NAME = re.compile(rf"(?<![\w.])({'|'.join(SPACE)})((?:\.[A-Za-z_]\w*)+)")


@pytest.mark.parametrize("page", [page for page in GROWING if page.startswith("from-")])
def test_names_in_tables_exist(page: str) -> None:
    """The code in the column of mycel is valid."""
    rows = [row for row in (DOCS / page).read_text(encoding="utf-8").splitlines() if row.startswith("| ")]
    names = [found for row in rows for found in NAME.findall(row.rstrip(" |").rpartition(" | ")[2])]
    assert len(names) >= (10 if page != "from-mindspore.md" else 0)
    for module, path in names:
        value = SPACE[module]
        for name in path.removeprefix(".").split("."):
            value = getattr(value, name)


def test_sections_have_programs() -> None:
    assert len(sections("tutorial.md")) >= 5
    assert all(shown for page in GROWING for _, shown in (section.values for section in sections(page)))


def test_the_pages_have_programs() -> None:
    assert len(programs("architecture.md")) >= 2
    assert len(programs("errors.md")) >= 15
    assert len(programs("differences.md")) >= 8
    assert len(programs("transformations.md")) >= 8
    assert len(programs("security.md")) >= 1
    assert len(programs("../README.md")) >= 1


@pytest.mark.skipif(bool(unavailable()), reason="machine code is not available here")
def test_the_page_on_kernels_shows_the_kernel_of_its_program(tmp_path: Path) -> None:
    page = (DOCS / "kernels.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.S)
    (shown,) = re.findall(r"^    kernel = compile_kernel.*?^    \'\'\'\)$", page, re.S | re.M)
    assert textwrap.dedent(shown) in outcome(program, tmp_path)

"""The site of the documentation: it is built without warnings, links lead somewhere, the reference has every name."""

import importlib.util
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILDS = importlib.util.find_spec("mkdocs") is not None and importlib.util.find_spec("material") is not None
needs_mkdocs = pytest.mark.skipif(not BUILDS, reason="needs mkdocs-material (pip install mkdocs-material)")


@pytest.fixture(scope="module")
def tools() -> Iterator[Any]:
    """The modules `site` and `reference` of tools/."""
    # Python has a module `site` of its own.
    kept = sys.modules.get("site")
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        specification = importlib.util.spec_from_file_location("docs_site", ROOT / "tools" / "site.py")
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(ROOT / "tools"))
        assert sys.modules.get("site") is kept


@pytest.mark.usefixtures("as_without_mindspore")
@needs_mkdocs
def test_the_site_is_built_without_warnings(tools: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "site"
    assert tools.build(site, tmp_path / "work", modules=("train",)) == 0, capfd.readouterr().err
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert pages <= {path.stem for path in site.glob("*.html")}
    assert {"index", "contributing", "changelog"} <= {path.stem for path in site.glob("*.html")}
    text = (site / "reference" / "mycel-train.html").read_text("utf-8")
    for name in ("Model", "History", "ProgressBar", "LossMonitor"):
        assert f'id="{name}"' in text
    assert 'id="Stages-program_file"' in (site / "reference" / "given.html").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("as_without_mindspore")
@needs_mkdocs
def test_the_whole_reference_is_built(tools: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert tools.build(tmp_path / "site", tmp_path / "work") == 0, capfd.readouterr().err
    assert 'id="matmul"' in (tmp_path / "site" / "reference" / "mycel-ops-m.html").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("as_without_mindspore")
@needs_mkdocs
@pytest.mark.parametrize("link", ["glossary.md#no-such-heading", "reference/none.md"])
def test_a_link_to_nowhere_fails(
    tools: Any, link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs", docs)
    page = docs / "errors.md"
    page.write_text(page.read_text("utf-8") + f"\nSee [there]({link}).\n", "utf-8")
    monkeypatch.setattr(tools, "LINK", re.compile("(?!)"))  # links are left as they are
    assert tools.build(tmp_path / "site", tmp_path / "work", docs, ("train",)) != 0
    assert link.rpartition("#")[2] in capfd.readouterr().err


def test_links_of_a_page(tools: Any) -> None:
    known = {"index.md", "errors.md", "changelog.md", "images/page.png"}
    text = "[a](../README.md#x) [b](errors.md) ![c](docs/images/page.png) [d](../examples/mlp.py) [e](https://e.org)\n"
    shown = "[a](index.md#x) [b](errors.md) ![c](images/page.png) d [e](https://e.org)\n"
    assert tools.page(text, "docs/", known) == shown
    code = "```python\nx = y[0](errors.md)\n```\n"
    assert tools.page(code, "", set()) == code
    assert tools.page("```text times\n1\n```\n", "", set()) == "```text\n1\n```\n"


def test_documentation_as_markdown(tools: Any) -> None:
    def shown(x: int, *rest: int, bias: Any = object) -> None:
        """Adds *what* is <given>.

        Second paragraph, with `x * y`.

        Args:
            x: an int,
                or a float.
            rest: others.

        Returns:
            A number.

        Raises:
            TypeError: if x_y is none.

        Examples:
            >>> 1 + 1
            2
        """

    text = tools.reference.markdown(shown)
    assert text.startswith("Adds \\*what\\* is \\<given>.\n")
    assert "`x * y`" in text
    assert "- `x`: an int,\n    or a float.\n- `rest`: others." in text
    assert "- `TypeError`: if x\\_y is none." in text
    assert "```pycon\n>>> 1 + 1\n2\n```" in text
    assert tools.reference.signature(shown) == "(x, *rest, bias=object)"

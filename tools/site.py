"""Builds the site of the documentation: the pages of docs/, and a reference of all public names made from the code.

    python tools/site.py               into build/site
    python tools/site.py --to FOLDER   into another folder
    python tools/site.py --serve       and show it at http://127.0.0.1:8000

It needs MkDocs with the theme Material: pip install '.[docs]'. Any warning is an error, as is a link to nowhere.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import reference
from stub_names import ROOT
from support import MODULES

# Headings of the navigation, and the pages below them by their names in docs/; what is not named stands under the last.
CHAPTERS = {
    "Start": ("index", "tutorial", "how-to", "page"),
    "Coming from": ("from-pytorch", "from-jax", "from-mindspore", "differences", "comparison"),
    "Explanation": ("architecture", "tour", "transformations", "kernels", "performance", "security"),
    "Guides": ("errors", "export", "distributed"),
    "Lists": ("support", "glossary", "changelog", "contributing"),
}
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
CONFIGURATION = """\
site_name: mycel
site_description: MindSpore's graph mode as a small pure-Python package on NumPy
docs_dir: source
site_dir: {site}
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.indexes, navigation.top, toc.follow, content.code.copy, search.suggest]
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      primary: indigo
      toggle: {{icon: material/brightness-7, name: dark}}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      primary: indigo
      toggle: {{icon: material/brightness-4, name: light}}
markdown_extensions:
  - attr_list
  - pymdownx.highlight
  - pymdownx.superfences
  - toc: {{permalink: true, toc_depth: 3}}
plugins: [search]
validation:
  omitted_files: warn
  absolute_links: warn
  unrecognized_links: warn
  anchors: warn
nav:
{nav}
"""


def page(text: str, above: str, known: set[str]) -> str:
    """A page of the repository for the site: links to files outside of the site become plain names.

    Args:
        text: of the page.
        above: where links start, relative to docs/: "" for pages in it, "docs/" for those above.
        known: files of the site.
    """

    def link(match: re.Match[str]) -> str:
        image, shown, target = match.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return match[0]
        file, hash_, anchor = target.partition("#")
        file = OUTSIDE.get(file.removeprefix("../"), file.removeprefix(above).removeprefix("../"))
        return f"{image}[{shown}]({file}{hash_}{anchor})" if file in known else shown

    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    parts = [part if part.startswith("```") else LINK.sub(link, part) for part in parts]
    return re.sub(r"^```text times$", "```text", "".join(parts), flags=re.M)


def assemble(source: Path, docs: Path, modules: Sequence[str]) -> str:
    """Write the sources of the site; the navigation."""
    source.mkdir(parents=True)
    if (docs / "images").is_dir():
        shutil.copytree(docs / "images", source / "images")
    names = {path.name for path in docs.glob("*.md")} | set(OUTSIDE.values())
    known = names | {path.relative_to(source).as_posix() for path in source.rglob("*.png")}
    for path in docs.glob("*.md"):
        (source / path.name).write_text(page(path.read_text("utf-8"), "", known), "utf-8")
    for name, target in OUTSIDE.items():
        (source / target).write_text(page((ROOT / name).read_text("utf-8"), "docs/", known), "utf-8")
    placed = {name for chapter in CHAPTERS.values() for name in chapter}
    others = sorted(name for name in names if name.removesuffix(".md") not in placed)
    lines = []
    for title, chapter in CHAPTERS.items():
        lines.append(f"  - {title}:")
        listed = [f"{name}.md" for name in chapter if f"{name}.md" in names]
        lines += [f"    - {name}" for name in listed + (others if title == "Guides" else [])]
    lines.append("  - Reference:")
    lines += [f"    {line}" for line in reference.write(source / "reference", modules)]
    return "\n".join(lines)


def build(site: Path, work: Path, docs: Path = ROOT / "docs", modules: Sequence[str] = MODULES) -> int:
    """Build the site; the exit code.

    Args:
        site: where to.
        work: a folder for what it is made from.
        docs: the folder of the pages.
        modules: those that the reference is about.
    """
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    configuration = work / "mkdocs.yml"
    nav = assemble(work / "source", docs, modules)
    configuration.write_text(CONFIGURATION.format(site=site.resolve().as_posix(), nav=nav), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "-f", str(configuration)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
    return done.returncode


def main(arguments: list[str]) -> int:
    """Build, and show; the exit code."""
    parser = argparse.ArgumentParser(description="Build the site of the documentation.")
    parser.add_argument("--to", default=str(ROOT / "build" / "site"), help="where to")
    parser.add_argument("--work", default=str(ROOT / "build" / "site-source"), help="a folder for what it is made from")
    parser.add_argument("--serve", action="store_true", help="show it")
    chosen = parser.parse_args(arguments)
    failed = build(Path(chosen.to), Path(chosen.work))
    if failed:
        return failed
    print(Path(chosen.to).resolve() / "index.html")
    if chosen.serve:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=chosen.to)
        http.server.ThreadingHTTPServer(("127.0.0.1", 8000), handler).serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Writes docs/support.md: which names of MindSpore mycel has.

    python tools/support.py            write the page
    python tools/support.py --check    only say whether it is fresh; the exit code is 1 if it is not

The page is made from the modules themselves: from their public names, from the docstrings of these, and from the lists
of the names that exist for import only.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

from stub_names import ROOT

PAGE = ROOT / "docs" / "support.md"
# MindSpore's public modules; those inside of them have the same names.
MODULES = (
    "", "amp", "common.initializer", "communication", "dataset", "dataset.audio", "dataset.text", "dataset.transforms",
    "dataset.vision", "experimental.optim", "mindrecord", "mint", "mint.linalg", "mint.nn", "mint.nn.functional",
    "mint.optim", "mint.special", "nn", "nn.probability.distribution", "numpy", "numpy.fft", "ops", "parallel",
    "profiler", "scipy.fft", "scipy.linalg", "scipy.optimize", "train",
)  # fmt: skip
HEAD = """\
# Support

Which names of MindSpore {version} mycel has. `python tools/support.py` writes this page from the code. A test says when
it is not fresh.

- **Supported**: the tables list these names, with the first sentence of their documentation, which says what mycel
  does. A few are mycel's own.
- **Refused when used**: the name is there, so that programs import. What uses it raises `NotImplementedError`.
- **Absent**: a name that is not on this page is an error when it is asked for, with a suggestion if there is one.

[Where it differs from MindSpore](differences.md) tells what behaves in another way.

| module | supported | refused when used |
| --- | ---: | ---: |
"""


def title(path: str) -> str:
    """The full name of a module in MindSpore."""
    return f"mindspore.{path}" if path else "mindspore"


def is_placeholder(value: Any) -> bool:
    """Whether this is one of the objects that raise when they are used."""
    absent = importlib.import_module("mycel.library.mindspore.absent")
    kind = value if isinstance(value, type) else type(value)
    made = inspect.getmodule(getattr(kind, "__init__", None)) is absent
    return (
        isinstance(value, absent.Absent) or made or (getattr(value, "__doc__", None) or "").startswith("Not in mycel")
    )


def is_pythons(value: Any) -> bool:
    """Whether this comes from Python's own library: a module imports it, and means no name of MindSpore's."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] in sys.stdlib_module_names


def note(value: Any) -> str:
    """The first sentence of an object's docstring, as a cell of a table."""
    if inspect.isclass(value) and value.__module__ == "numpy":
        return f"NumPy's `{value.__name__}`."
    if inspect.isclass(value):  # what Python says of its own base classes differs from version to version
        own = [kind for kind in value.__mro__ if not is_pythons(kind) and vars(kind).get("__doc__")]
        text = inspect.cleandoc(own[0].__doc__ or "") if own else ""
    else:
        text = inspect.getdoc(value) if callable(value) else f"A value of type `{type(value).__name__}`."
    sentence = re.split(r"(?<=[.!?])\s", " ".join((text or "").split("\n\n")[0].split()))[0]
    return sentence.rstrip(":").replace("|", "\\|")


def names(path: str) -> tuple[dict[str, str], list[str]]:
    """The supported names of a module with notes, and the names that are refused."""
    absent = importlib.import_module("mycel.library.mindspore.absent")
    module = importlib.import_module(title(path))
    supported, refused = {}, []
    public = set(module.__all__)  # which looks through all its modules
    for name in sorted({*public, *absent.names_of(path)}):
        value = getattr(module, name, None)
        if name.startswith("_") or name == "absolute_import" or inspect.ismodule(value) or is_pythons(value):
            continue
        if is_placeholder(value):
            refused.append(name)
        elif name in public:
            supported[name] = note(value)
    return supported, refused


def page() -> str:
    """The text of the page."""
    mycel = importlib.import_module("mycel")
    mycel.install_as_mindspore()
    found = {path: names(path) for path in MODULES}
    version = importlib.import_module("mindspore").__version__
    lines = [HEAD.format(version=version)]
    for path, (supported, refused) in found.items():
        anchor = title(path).replace(".", "").lower()
        lines.append(f"| [`{title(path)}`](#{anchor}) | {len(supported)} | {len(refused)} |\n")
    for path, (supported, refused) in found.items():
        lines.append(f"\n## {title(path)}\n\n| name | |\n| --- | --- |\n")
        lines += [f"| `{name}` | {text} |\n" for name, text in supported.items()]
        if refused:
            lines.append("\nRefused when used: " + ", ".join(f"`{name}`" for name in refused) + ".\n")
    return "".join(lines)


def main(arguments: list[str]) -> int:
    """Write or check; the exit code."""
    sys.path.insert(0, str(Path(ROOT).parent))
    text = page()
    fresh = PAGE.is_file() and PAGE.read_text("utf-8") == text
    if "--check" in arguments:
        print("docs/support.md is fresh" if fresh else "docs/support.md is stale: run `python tools/support.py`")
        return 0 if fresh else 1
    PAGE.write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

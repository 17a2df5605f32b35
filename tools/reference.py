"""Pages of a reference: every public name with its signature and its documentation, read from the code that runs."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import support
from stub_names import ROOT

LARGEST = 150  # names of one page; modules with more have a page a letter
SECTION = re.compile(
    r"^(Args|Arguments|Keyword Args|Attributes|Inputs|Outputs|Returns|Raises|Yields|Examples?|Note):[ ]*$",
    re.M,
)
ITEM = re.compile(r"^([*`\w][\w*,` .()\[\]-]{0,80}?): ?(.*)$")
LISTS = ("Args", "Arguments", "Keyword Args", "Attributes", "Inputs", "Raises")
# Objects that functions give, which no module has under a name of its own.
GIVEN = (
    ("frontend.compilation.compiled", "CompiledFunction"),
    ("frontend.compilation.stages", "Stages"),
    ("frontend.compilation.profile", "Profile"),
    ("frontend.compilation.explanation", "Explanation"),
    ("frontend.compilation.explanation", "TraceReport"),
    ("frontend.transforms.grad", "GradientFunction"),
)
TENSOR = "A tensor has these methods beside the operators. Most are functions of `mycel.ops`, too."


def write(folder: Path, modules: Sequence[str] = support.MODULES) -> list[str]:
    """Write the pages of modules; the lines of the navigation for them."""
    sys.path.insert(0, str(Path(ROOT).parent))
    mycel = importlib.import_module("mycel")
    mycel.install_as_mindspore()
    folder.mkdir()
    lines, index = ["- reference/index.md"], ["# Reference\n", "Every public name, made from the code.\n"]
    for path in modules:
        title = f"mycel.{path}" if path else "mycel"
        module = importlib.import_module(support.title(path))
        objects = {name: getattr(module, name) for name in support.names(path)[0]}
        file = title.replace(".", "-")
        pages = _parts(objects)
        if len(pages) > 1:
            lines.append(f"- {title}:")
        index.append(f"\n## {title}\n")
        for letters, part in pages.items():
            name = f"{file}{f'-{letters.lower()}' if letters else ''}.md"
            heading = f"{title}: {letters}" if letters else title
            (folder / name).write_text(_page(heading, title, part), "utf-8")
            lines.append(f'  - "{letters}": reference/{name}' if letters else f"- {title}: reference/{name}")
            index.append(", ".join(f"[`{each}`]({name}#{each})" for each in part) + "\n")
    for title, name, text in (
        ("mycel.Tensor", "tensor.md", _class_page("Tensor", mycel.Tensor, TENSOR)),
        ("mycel.nn.Cell", "cell.md", _class_page("Cell", mycel.nn.Cell, "")),
        ("What functions give", "given.md", _given()),
    ):
        (folder / name).write_text(text, "utf-8")
        lines.append(f"- {title}: reference/{name}")
        index.append(f"\n[{title}]({name})\n")
    (folder / "index.md").write_text("\n".join(index), "utf-8")
    return lines


def _parts(objects: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The names of each page, by the letter that they begin with; a small module has one page, of no letter."""
    if len(objects) <= LARGEST:
        return {"": objects}
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(objects, key=str.lower):
        found.setdefault(name[0].upper(), {})[name] = objects[name]
    return found


def _page(heading: str, title: str, objects: dict[str, Any]) -> str:
    lines = [f"# {heading}\n"]
    for name, value in objects.items():
        lines += _entry(name, f"{title}.{name}".removeprefix("mycel."), value)
    return "\n".join(lines)


def _given() -> str:
    lines = ["# What functions give\n", "These come from `jit`, `grad`, `stages`, `profile` and `explain`.\n"]
    for place, name in GIVEN:
        value = getattr(importlib.import_module(f"mycel.{place}"), name)
        lines += _entry(name, name, value, constructor=False)
        for method, function in _methods(value):
            lines += _method(name, method, function)
    return "\n".join(lines)


def _class_page(name: str, value: type, text: str) -> str:
    lines = [f"# mycel.{name}\n", f"{text}\n", *_entry(name, name, value)[1:]]
    for method, function in _methods(value):
        lines += _method(name, method, function)
    return "\n".join(lines)


def _methods(value: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class and its bases that are documented."""
    for name in sorted(dir(value)):
        found = inspect.getattr_static(value, name, None)
        if not name.startswith("_") and inspect.getdoc(found) and (callable(found) or isinstance(found, property)):
            yield name, found


def _method(owner: str, name: str, function: Any) -> list[str]:
    shown = name if isinstance(function, property) else f"{name}{signature(function, bound=True)}"
    return [f"### {name} {{ #{owner}-{name} }}\n", f"```python\n{shown}\n```\n", markdown(function)]


def _entry(name: str, path: str, value: Any, constructor: bool = True) -> list[str]:
    """A name with its signature and documentation."""
    lines = [f"## {name} {{ #{name} }}\n"]
    if callable(value) and constructor:
        lines.append(f"```python\n{path}{signature(value)}\n```\n")
    elif not callable(value):
        return [*lines, f"`{path}`: a value of type `{type(value).__name__}`.\n"]
    return [*lines, markdown(value)]


def signature(value: Any, bound: bool = False) -> str:
    """The arguments of a function or class, without types; a method without its instance."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    parameters = list(found.parameters.values())
    if bound and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    bare = [parameter.replace(annotation=parameter.empty) for parameter in parameters]
    text = str(found.replace(parameters=bare, return_annotation=found.empty))
    return re.sub(r"<class '([\w.]+)'>", r"\1", re.sub(r"<(?!class)[^<>]*>", "...", text))


def markdown(value: Any) -> str:
    """The documentation of an object as Markdown."""
    text = inspect.getdoc(value) or ""
    first, *rest = SECTION.split(text)
    lines = [_prose(first)]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        body = inspect.cleandoc("\n" + body)
        if title.startswith("Example"):
            lines.append(f"**{title}**\n\n```pycon\n{body}\n```\n")
        elif title in LISTS:
            lines.append(f"**{title}**\n\n{_items(body)}\n")
        else:
            lines.append(f"**{title}**\n\n{_prose(body)}")
    return "\n".join(lines)


def _items(body: str) -> str:
    """`name: text` with its further lines, as a list."""
    found: list[str] = []
    for line in body.splitlines():
        match = ITEM.match(line)
        if match and not line.startswith(" "):
            found.append(f"- `{match[1].strip('`')}`: {_escaped(match[2])}")
        elif found and line.strip():
            found.append(f"    {_escaped(line.strip())}")
        elif line.strip():
            found.append(f"- {_escaped(line.strip())}")
    return "\n".join(found) + "\n"


def _prose(text: str) -> str:
    """Paragraphs; indented text is code."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        if paragraph.startswith("    ") or paragraph.lstrip().startswith(">>>"):
            parts.append(f"```text\n{inspect.cleandoc(paragraph)}\n```\n")
        elif paragraph.strip():
            parts.append("\n".join(_escaped(line) for line in paragraph.splitlines()) + "\n")
    return "\n".join(parts)


def _escaped(text: str) -> str:
    """Text in which nothing but its code is Markdown."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([<*_\[\]|])", r"\\\1", part) for part in parts)

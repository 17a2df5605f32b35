"""Docstrings that are put together: of functions made from records, and of a function's other forms.

A docstring in this package has a summary and the sections Args (Inputs, of primitives), Returns, Raises and Examples.
Another form of a function has the same, with other names for arguments and another call in the example.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..docstrings import Shared, docstring, entries, joined, split

common = Shared(
    """
    Args:
        input: a tensor of any shape and dtype.
        x: a tensor of any shape and dtype.
        input_x: a tensor of any shape and dtype.
        input, other: a tensor of any shape, or a number.
        axis: the axis; a negative one counts from the end.
        dim: another name of `axis`.
        keepdims: whether the reduced axes stay as dimensions of size one.
        keep_dims: whether the reduced axes stay as dimensions of size one.
        dtype: the dtype of the result; None: that of the input.

    Raises:
        TypeError: if {Tensor} is no Tensor.
        TypeError: if {Operand} is neither tensor nor number.
        ValueError: if `axis` is out of range.
    """,
    imports="from mycel import Tensor, ops",
)

anything = Shared(
    "Args:\n    x: anything.\n    obj: anything.\n\nRaises:\n    TypeError: if the argument is missing.",
    imports="from mycel import Tensor, ops",
)

no_arguments = Shared("Raises:\n    TypeError: if an argument is given.\n", imports="from mycel import Tensor")


def document(
    summary: str, arguments: Mapping[str, str], returns: str, errors: Mapping[str, str], name: str, example: str
) -> str:
    """A docstring with all its sections.

    Args:
        summary: what the function computes.
        arguments: what each argument is.
        returns: what it gives.
        errors: when it raises which error.
        name: the function's name in `mycel.ops`.
        example: the arguments of a call and what it prints, such as "Tensor([1.0]), 2 -> [3.]".
    """
    call, _, printed = example.partition(" -> ")
    return (
        f"{summary}\n\nArgs:\n{_items(arguments)}\n\nReturns:\n    {returns[0].upper()}{returns[1:]}.\n\n"
        f"Raises:\n{_items(errors)}\n\nExamples:\n    >>> from mycel import Tensor, ops\n"
        f"    >>> print(ops.{name}({call}))\n    {printed}\n"
    )


def document_parts(
    summary: str, arguments: Mapping[str, str], inputs: Mapping[str, str], errors: Mapping[str, str], calls: list[str],
    printed: str,
) -> str:  # fmt: skip
    """The docstring of a primitive, with calls of the example as they are written."""
    code = "\n".join(calls)
    used = [word for word in ("Parameter", "Tensor", "ops") if re.search(rf"(?<![.\w]){word}[.(]", code)]
    lines = ["import mycel as ms"] * ("ms." in code) + [f"from mycel import {', '.join(used)}", *calls]
    parts = [summary]
    parts += [f"{name}:\n{_items(items)}" for name, items in (("Args", arguments), ("Inputs", inputs)) if items]
    shown = "\n".join(f"    >>> {line}" for line in lines) + "\n    " + printed.replace("\n", "\n    ")
    return "\n\n".join([*parts, f"Raises:\n{_items(errors)}", f"Examples:\n{shown}"]) + "\n"


def _items(items: Mapping[str, str]) -> str:
    return "\n".join(f"    {name}: {text.removesuffix('.')}." for name, text in items.items())


class Parts:
    """A docstring taken apart.

    Attributes:
        summary: all before the first section.
        arguments: what is said of each argument.
        sections: the text of the other sections.
    """

    def __init__(self, text: str) -> None:
        self.summary, self.sections = split(text)
        self.arguments = {
            name.lstrip("*"): entry
            for names, entry in entries(self.sections.pop("Args", ""))
            for name in names.split(", ")
        }

    def text(self, arguments: Mapping[str, str], inputs: Mapping[str, str] | None = None) -> str:
        """The docstring with other arguments, and inputs if it is a primitive's."""
        given = {name: _items(items) for name, items in (("Args", arguments), ("Inputs", inputs)) if items}
        return joined(self.summary, given | self.sections)

    def example(self, change: Callable[[str], str]) -> None:
        """Change the calls of the example."""
        lines = self.sections.get("Examples", "").split("\n")
        self.sections["Examples"] = "\n".join(change(line) if line.startswith("    >>> ") else line for line in lines)


def for_numpy(name: str, run: Callable[..., Any], operands: int) -> str:
    """The docstring of a function in `mycel.numpy`, where sequences are operands, too."""
    parts = Parts(docstring(run))
    parts.example(lambda line: line.replace(f"ops.{run.__name__}(", f"mnp.{name}("))
    examples = parts.sections.get("Examples", "")
    parts.sections["Examples"] = examples.replace(
        "    >>> from mycel import Tensor, ops", "    >>> import mycel.numpy as mnp\n    >>> from mycel import Tensor"
    )
    names = ("x",) if operands == 1 else ("x1", "x2")
    operand = "a tensor, number or nested sequence of numbers, of any shape; integers of sequences are Int32"
    parts.sections.pop("Returns", None)
    parts.sections["Raises"] = "    TypeError: if an operand is of another kind, or its dtype is not supported." + (
        "\n    ValueError: if the shapes cannot be broadcast together." if operands == 2 else ""
    )
    return parts.text({**dict.fromkeys(names, operand), "dtype": "the dtype of the result; None: as computed"})


def for_inplace(name: str, run: Callable[..., Any], arguments: Iterable[str]) -> str:
    """The docstring of a method of Tensor that changes the tensor itself."""
    parts = Parts(docstring(run))
    first, *rest = arguments
    if first == "self":  # written as a method
        parts.sections.setdefault("Returns", "    The tensor, of the shape and dtype it had.")
        return parts.text(parts.arguments)

    def change(line: str) -> str:
        found = re.fullmatch(rf"    >>> print\(ops\.{run.__name__}\((.*)\)\)", line)
        if found is None:
            return line
        given = _arguments(found.group(1))
        return f"    >>> x = {given[0]}\n    >>> print(x.{name}({', '.join(given[1:])}))"

    parts.example(change)
    examples = parts.sections.get("Examples", "")
    parts.sections["Examples"] = examples.replace("from mycel import Tensor, ops", "from mycel import Tensor")
    parts.summary += f"\n\nThe tensor itself changes, and keeps its shape and dtype. Otherwise as `{run.__name__}`."
    parts.sections["Returns"] = "    The tensor."
    others = {argument: parts.arguments[argument] for argument in rest if argument in parts.arguments}
    return parts.text({first: parts.arguments.get(first, "the tensor"), **others})


def _arguments(call: str) -> list[str]:
    """The arguments of a call, one by one."""
    source = f"f({call})"
    (statement,) = ast.parse(source).body
    found: Any = getattr(statement, "value", None)
    named = [f"{item.arg}={ast.get_source_segment(source, item.value)}" for item in found.keywords]
    return [ast.get_source_segment(source, item) or "" for item in found.args] + named


def for_mint(
    name: str, place: str, run: Callable[..., Any], arguments: Iterable[str], by_position: bool, example: str = ""
) -> str:
    """The docstring of a function of `mint` that calls one of `ops`, with other names for the arguments.

    Args:
        name: its name.
        place: the module as the example calls it, such as "mint.linalg".
        run: the function of `ops`.
        arguments: the names of its arguments.
        by_position: whether they are those of `run` in order; otherwise those of the same name, and of the same place
            where neither has the other's name.
        example: in place of the function's own, such as "Tensor([1.0]), 2 -> [3.]".
    """
    parts = Parts(docstring(run))
    owns = [*arguments]
    there = [*inspect.signature(run).parameters]
    pairs = zip(owns, there, strict=False)
    names = {own: old for own, old in pairs if by_position or (own not in there and old not in owns)}
    names |= {own: own for own in owns if own in there and not by_position}

    def renamed(text: str) -> str:
        for own, old in names.items():
            text = text.replace(f"`{old}`", f"`{own}`") if own != old else text
        return text

    def change(line: str) -> str:
        for module in ("ms.ops", "ops"):  # a pattern for each function would have to be compiled
            line = line.replace(f"{module}.{run.__name__}(", f"{place}.{name}(")
        for own, old in names.items():
            for before in "(, " if own != old else "":
                line = line.replace(f"{before}{old}=", f"{before}{own}=")
        return line

    parts.example(change)
    examples = parts.sections.get("Examples", "")
    if example:
        call, _, printed = example.partition(" -> ")
        examples = f"    >>> from mycel import Tensor, ops\n    >>> print({place}.{name}({call}))\n    {printed}"
    used = [word for word in ("Parameter", "Tensor", "mint", "ops") if re.search(rf"(?<![.\w]){word}[.(]", examples)]
    lines = [line for line in examples.split("\n") if not line.startswith("    >>> from mycel import ")]
    lines[:0] = [f"    >>> from mycel import {', '.join(used)}"] * bool(used)
    lines[:0] = ["    >>> from mycel.mint.nn import functional as F"] * (place == "F")
    examples = "\n".join(lines)
    parts.sections = {key: renamed(text) for key, text in parts.sections.items()} | {"Examples": examples}
    parts.sections.pop("Returns", None)
    parts.summary = renamed(parts.summary)
    return parts.text({own: renamed(parts.arguments.get(names.get(own, own), "accepted")) for own in owns})


def _as_object(code: str, name: str, run: Callable[..., Any], fixed: Mapping[str, Any], module: str = "") -> str:
    """A line of an example that calls a function, with the primitive or layer in its place."""
    parameters = [*inspect.signature(run).parameters]
    for call in ast.walk(ast.parse(code)):
        function = getattr(call, "func", None)
        if not isinstance(call, ast.Call) or not isinstance(function, ast.Attribute) or function.attr != run.__name__:
            continue
        given = [*zip(parameters, call.args, strict=False), *((item.arg, item.value) for item in call.keywords)]
        texts = [(key, ast.get_source_segment(code, value)) for key, value in given]
        if len(texts) < len(call.args) + len(call.keywords):  # of any number
            texts = [("", ast.get_source_segment(code, value)) for value in call.args]
        made = ", ".join(f"{key}={text}" for key, text in texts if key in fixed)
        named = {item.arg for item in call.keywords}
        inputs = ", ".join(f"{key}={text}" if key in named else str(text) for key, text in texts if key not in fixed)
        place = str(ast.get_source_segment(code, function.value))
        place = module or ("ms.ops" if place == "ms.ops" else "ops")
        return f"{code[: call.col_offset]}{place}.{name}({made})({inputs}){code[call.end_col_offset :]}"
    return code


def for_layer(name: str, run: Callable[..., Any], fixed: Mapping[str, inspect.Parameter], shown: str) -> str:
    """The docstring of a layer of `mint.nn` that calls a function with arguments that are `fixed` when it is made."""
    parts = Parts(docstring(run))
    there = inspect.signature(run).parameters
    defaults = {key: there[key].default for key, item in fixed.items() if item.default != there[key].default}
    other = ", ".join(f"{key}={value!r}" for key, value in defaults.items() if value is not inspect.Parameter.empty)

    def change(line: str) -> str:
        code = _as_object(line[8:], name, run, fixed, "nn").replace(f"nn.{name}()(", f"nn.{name}({other})(")
        code = re.sub(r"(nn\.\w+\(.*?\))\((.*), training=False\)", r"\1.set_train(False)(\2)", code)
        return f"    >>> {code}"

    parts.example(change)
    lines = parts.sections.get("Examples", "").replace("    >>> from mycel.mint.nn import functional as F\n", "")
    parts.sections["Examples"] = f"    >>> from mycel.mint import nn\n{lines}"
    parts.sections.pop("Returns", None)
    parts.summary = f"{parts.summary}\n\nThe function `functional.{run.__name__}` as a layer: `{name}{shown}`."
    inputs = {key: text for key, text in parts.arguments.items() if key not in (*fixed, "training")}
    return parts.text({key: parts.arguments.get(key, "accepted") for key in fixed}, inputs)


class LazyDocstring:
    """A docstring that is put together when it is first read."""

    def __init__(self, make: Callable[[], str]) -> None:
        self.make, self.text = make, ""

    def __get__(self, instance: Any, owner: Any = None) -> str:
        self.text = self.text or self.make()
        return self.text


def for_primitive(name: str, run: Callable[..., Any], fixed: Mapping[str, Any]) -> str:
    """The docstring of a primitive that calls a function or method, with `fixed` arguments given when it is made."""
    parts = Parts(docstring(run))
    function = run.__name__

    def change(line: str) -> str:
        of_method = re.fullmatch(rf"    >>> print\((\*?)(.*)\.{function}\((.*)\)\)", line)
        if line.startswith("    >>> from mycel import "):
            return line.replace("mint", "ops")
        if line == "    >>> from mycel.mint.nn import functional as F":
            return "    >>> from mycel import ops"
        if re.search(rf"\b(ops|mint|F)\.{function}\(", line):
            return "    >>> " + _as_object(line[8:], name, run, fixed)
        if of_method:
            star, x, rest = of_method.groups()
            return f"    >>> print({star}ops.{name}()({x}{', ' if rest else ''}{rest}))"
        return line

    parts.example(change)
    examples = parts.sections.get("Examples", "")
    if "import Tensor\n" in examples and "import mycel as ms" not in examples:
        parts.sections["Examples"] = examples.replace("from mycel import Tensor\n", "from mycel import Tensor, ops\n")
    shown = ", ".join(f"{key}={value!r}" for key, value in fixed.items())
    parts.summary = f"{parts.summary}\n\nAn object that is made once, `{name}({shown})`, and called with inputs."
    inputs = {"self": "the tensor"} if "self" in inspect.signature(run).parameters else {}
    inputs |= {key: text for key, text in parts.arguments.items() if key not in fixed}
    arguments = {key: text for key, text in parts.arguments.items() if key in fixed}
    return parts.text(arguments, inputs)

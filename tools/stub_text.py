"""The text of a stub: imports for names that statements define, signatures for names that exist only at run time."""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import re
import sys
import textwrap
import types
from typing import Any

from stub_names import (
    LITERALS,
    MODULES,
    PACKAGE,
    PRIMITIVES,
    assigned,
    definitions,
    full_name,
    home_of,
    origin,
    source_of_facade,
    starred,
    stubbed,
)

NOTE = "# Written by tools/stubs.py: `make stubs` writes it again.\n"
WIDTH = 120
TRANSPARENT = {
    "_like", "_sections", "_shared", "anything", "common", "functools.cache", "known_as", "like", "mark_convertible",
    "method", "overload", "sections", "takes_seed",
}  # fmt: skip
"""Decorators that, as checkers see them too, give what they get."""


UNTOLD = tuple(
    f"{PACKAGE}.{module}"
    for module in ("library.mint", "library.numpy", "library.ops.primitives", "frontend.values.tensor_methods")
)
"""Modules whose stubs have no sentences: these are those of `ops`, and would be a fiftieth of the wheel."""


class Stub:
    """The text of one stub.

    Args:
        module: the module's full name.
        names: the names that it has for its users.
        package: whether the module is a package: relative imports start there. None for absolute imports.
    """

    def __init__(self, module: str, names: dict[str, Any], package: bool | None) -> None:
        self.module = module
        self.names = names
        self.base = "" if package is None else module if package else module.rpartition(".")[0]
        self.imports: dict[str, dict[str, str]] = {}  # module -> name there ("" is the module) -> name here
        self.exports: dict[str, set[tuple[str, str]]] = {}
        self.body: list[str] = []
        self.members: set[str] = set()  # of the class that is being written: they hide names of the module
        self.is_told = not module.startswith(UNTOLD)

    def text(self) -> str:
        """The stub of all names."""
        constants, functions, classes = [], [], []
        hidden: set[str] = set()
        for name, value in sorted(self.names.items()):
            place = self.place(name, value)
            if place is not None:
                self.exports.setdefault(place[0], set()).add((place[1], name))
            elif inspect.isfunction(value):
                functions.append(self.function(name, value))
            elif isinstance(value, type):
                for base in reversed(value.__mro__):  # private ones of the module itself
                    if base.__module__ == self.module and base.__name__ not in {*self.names, *hidden}:
                        hidden.add(base.__name__)
                        classes.insert(0, self.class_text(base.__name__, base))
                classes.append(self.class_text(name, value))
            else:
                constants.append(f"{name}: {self.type_of(value)}\n")
        return self.assemble("".join(constants), *functions, *classes)

    def assemble(self, *parts: str) -> str:
        """Imports, re-exported names, and the parts."""
        lines = [NOTE]
        for module, names in sorted(self.imports.items()):
            for name, alias in sorted(names.items()):
                lines.append(f"{self.import_of(module, name)} as {alias}\n" if alias != (name or module) else "")
            plain = sorted(name for name, alias in names.items() if alias == name)
            lines.append(self.wrapped(module, plain))
        renamed = []
        for module, pairs in sorted(self.exports.items()):
            # `name as name` says that a name is for users; another name than its own is so only by an assignment.
            others = sorted((name, shown) for name, shown in pairs if name != shown)
            names = [f"{name} as {name}" for name, shown in sorted(pairs) if name == shown]
            if len(names) > 2 and self.has_all(module, {name for name, shown in pairs if name == shown}):
                lines.append(f"from {self.relative(module)} import *\n")
                names = []
            names += [f"{name} as _{shown}" for name, shown in others]
            renamed += [f"{shown} = _{shown}\n" for _, shown in others]
            lines.append(self.wrapped(module, names))
        lines += renamed
        return "".join(lines) + "".join(f"\n{part}" for part in parts if part)

    def has_all(self, module: str, plain: set[str]) -> bool:
        """Whether `from module import *` gives these names, and no name that this stub has from elsewhere."""
        others = starred(module) - plain
        modules = any(inspect.ismodule(self.names[name]) for name in plain)
        if modules or plain - starred(module) or (others and module not in stubbed()):
            return False
        return all(name in self.names and self.same(module, name) for name in others)

    def wrapped(self, module: str, names: list[str]) -> str:
        """`from module import names` on as many lines as it takes."""
        if not names:
            return ""
        line = f"from {self.relative(module)} import {', '.join(names)}\n"
        if len(line) <= WIDTH:
            return line
        joined = ", ".join(name.replace(" ", "\0") for name in names) + ","
        inner = textwrap.fill(joined, WIDTH - 4, initial_indent="    ", subsequent_indent="    ").replace("\0", " ")
        return f"from {self.relative(module)} import (\n{inner}\n)\n"

    def relative(self, module: str) -> str:
        """A module's name as this stub imports it: relative within the package, whose root may have any name."""
        if not self.base or (module != PACKAGE and not module.startswith(PACKAGE + ".")):
            return module
        own, other = self.base.split("."), module.split(".")
        common = next(
            (i for i, (a, b) in enumerate(zip(own, other, strict=False)) if a != b), min(len(own), len(other))
        )
        return "." * (len(own) - common + 1) + ".".join(other[common:])

    def import_of(self, module: str, name: str) -> str:
        if name:
            return f"from {self.relative(module)} import {name}"
        parent, _, last = module.rpartition(".")
        return f"from {self.relative(parent)} import {last}" if module.startswith(PACKAGE) else f"import {module}"

    # Where names are defined

    def place(self, name: str, value: Any) -> tuple[str, str] | None:
        """The module and the name there whose definition checkers can read; None if there is none."""
        if inspect.ismodule(value):
            path = source_of_facade(value.__name__)
            return path.rpartition(".")[0], path.rpartition(".")[2]
        return self.defined(value) or self.written(name, value)

    def written(self, name: str, value: Any) -> tuple[str, str] | None:
        """The module whose stub has the object already."""
        for module in map(full_name, MODULES):
            if module == self.module:
                return None
            holder = sys.modules[module]
            known = isinstance(value, types.FunctionType | type) or type(value).__module__.startswith(PRIMITIVES)
            if known and name in dir(holder) and getattr(holder, name) is value:
                return module, name
        return None

    def defined(self, value: Any) -> tuple[str, str] | None:
        """The module and the name there under which a statement defines a function or class, with all its types."""
        home = home_of(value) if isinstance(value, type) else getattr(value, "__module__", None)
        own = getattr(value, "__name__", None)
        if not isinstance(home, str) or not isinstance(own, str) or home == self.module:
            return None
        if isinstance(value, type):
            defined = isinstance(definitions(home).get(own), ast.ClassDef)
            return (home, own) if defined and getattr(sys.modules[home], own, None) is value else None
        if not inspect.isfunction(value):
            return None
        inner = inspect.unwrap(value)
        node = definitions(home).get(own)
        readable = isinstance(node, ast.FunctionDef) and node.returns is not None and not self.changed_by(node)
        if not readable or getattr(sys.modules[home], own, None) is not value or home in stubbed():
            return None
        return (home, own) if inner.__code__.co_name == own else None

    def changed_by(self, node: ast.FunctionDef) -> bool:
        """Whether decorators may have changed the signature."""
        return any(ast.unparse(decorator).partition("(")[0] not in TRANSPARENT for decorator in node.decorator_list)

    # Types

    def type_of(self, value: Any) -> str:
        """The annotation of a constant."""
        kind = type(value)
        if kind.__module__ == "builtins" and kind in (bool, int, float, str, dict, tuple, list):
            arguments = {dict: "[str, Any]", tuple: "[Any, ...]", list: "[Any]"}.get(kind, "")
            return self.builtin(kind.__name__) + arguments.replace("Any", self.name("typing", "Any"))
        if kind.__module__.startswith(PACKAGE) and kind.__name__ in definitions(kind.__module__):
            return self.name(kind.__module__, kind.__name__)
        bases = [base for base in kind.__mro__ if base.__name__ in definitions(base.__module__)]
        return self.name(bases[0].__module__, bases[0].__name__) if bases else self.name("typing", "Any")

    def name(self, module: str, name: str) -> str:
        """The name of another module's object in the stub; its import is noted."""
        if module == self.module:
            return name
        taken = name in self.members or (name in self.names and not self.same(module, name))
        alias = f"_{name}" if taken else name
        exported = self.names.get(name)
        if not taken and exported is not None and self.place(name, exported) == (module, name):
            return name  # it is imported for the users of the module already
        self.imports.setdefault(module, {})[name] = alias
        return alias

    def same(self, module: str, name: str) -> bool:
        return getattr(sys.modules.get(module), name, None) is self.names.get(name)

    def module_name(self, module: str, alias: str) -> str:
        """The name of a module in the stub."""
        alias = f"_{alias}" if alias in self.names or alias in self.members else alias
        self.imports.setdefault(module, {})[""] = alias
        return alias

    def builtin(self, name: str) -> str:
        """A name of Python's own, also where the module or class has one of that name."""
        if name not in self.names and name not in self.members:
            return name
        self.imports.setdefault("builtins", {})[""] = "_builtins"
        return f"_builtins.{name}"

    def annotation(self, given: Any, home: str) -> str:
        """An annotation as it stands in module `home`, in the words of this stub."""
        if given is inspect.Parameter.empty:
            return self.name("typing", "Any")
        if not isinstance(given, str):
            given = given.__name__ if isinstance(given, type) else "None" if given is None else str(given)
        try:
            return ast.unparse(_Renamed(self, home).visit(ast.parse(given, mode="eval").body))
        except (SyntaxError, LookupError):
            return self.name("typing", "Any")

    # Functions and classes

    def function(self, name: str, function: Any, indent: str = "", method: bool = False) -> str:
        """The `def` of a function, with the first paragraph of its documentation."""
        inner = inspect.unwrap(function)
        home = inner.__globals__.get("__name__", inner.__module__)
        signature = inspect.signature(function)
        result = self.annotation(signature.return_annotation, home)
        arguments = self.arguments(list(signature.parameters.values()), home, method)
        line = f"{indent}def {name}({', '.join(arguments)}) -> {result}:"
        if len(line) > WIDTH:
            rows = "".join(f"{indent}    {argument},\n" for argument in arguments)
            line = f"{indent}def {name}(\n{rows}{indent}) -> {result}:"
        if name in ("__eq__", "__ne__"):
            return f"{line} ...  # type: ignore[override]\n"
        told = self.is_told and function.__doc__
        return f"{line}\n{self.documentation(function, indent + '    ')}" if told else f"{line} ...\n"

    def documentation(self, item: Any, indent: str) -> str:
        paragraph = " ".join(inspect.cleandoc(item.__doc__).split("\n\n")[0].split()).replace("\\", "\\\\")
        text = textwrap.fill(f'"""{paragraph}"""', WIDTH, initial_indent=indent, subsequent_indent=indent)
        return text + "\n"

    def arguments(self, parameters: list[inspect.Parameter], home: str, method: bool) -> list[str]:
        kinds = inspect.Parameter
        written: list[str] = []
        if method and (not parameters or parameters[0].kind is kinds.VAR_POSITIONAL):
            written.append("self")
        elif method:
            written.append("self")
            parameters = parameters[1:]
        starred = False
        for position, parameter in enumerate(parameters):
            if parameter.kind is kinds.KEYWORD_ONLY and not starred:
                written.append("*")
                starred = True
            starred = starred or parameter.kind is kinds.VAR_POSITIONAL
            stars = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(parameter.kind, "")
            kind = self.annotation(parameter.annotation, home)
            if parameter.default is None and not {"None", "Any", "object"} & set(re.findall(r"\w+", kind)):
                kind += " | None"
            text = f"{stars}{parameter.name}: {kind}"
            if parameter.default is not kinds.empty:
                text += f" = {self.default(parameter.default)}"
            written.append(text)
            following = parameters[position + 1].kind if position + 1 < len(parameters) else None
            if parameter.kind is kinds.POSITIONAL_ONLY and following is not kinds.POSITIONAL_ONLY:
                written.append("/")
        return written

    def default(self, value: Any) -> str:
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            return "..."
        text = repr(value)
        plain = type(value) in LITERALS or (isinstance(value, tuple) and all(type(item) in LITERALS for item in value))
        return text if plain and len(text) < 40 else "..."

    def class_text(self, name: str, kind: type) -> str:
        """A class that no statement defines, or that stands in the module itself: its public members."""
        bases = [self.base_of(base) for base in kind.__bases__ if base is not object]
        lines = [f"class {name}({', '.join(bases)}):\n" if bases else f"class {name}:\n"]
        if self.is_told and kind.__doc__ and not kind.__doc__.startswith("MindSpore's"):
            lines.append(self.documentation(kind, "    "))
        self.members = {member for member in vars(kind) if not member.startswith("_")}
        for member, item in vars(kind).items():
            if (not member.startswith("_") or member in ("__init__", "__call__")) and member != "target":
                text = self.member(member, item)
                given = self.result_of_target(kind) if member == "__call__" else "Any"
                lines.append(text.replace(") -> Any:", f") -> {given}:"))
        self.members = set()
        return "".join(lines) if len(lines) > 1 else lines[0].replace(":\n", ": ...\n")

    def result_of_target(self, kind: type) -> str:
        """The result type of a primitive from a table: that of its function."""
        target = vars(kind).get("target")
        if isinstance(target, str):
            target = getattr(sys.modules[full_name("library.functions")], target)
        if not inspect.isfunction(target):
            return self.name("typing", "Any")
        inner = inspect.unwrap(target)
        return self.annotation(inspect.signature(target).return_annotation, inner.__globals__["__name__"])

    def base_of(self, base: type) -> str:
        return base.__name__ if base.__name__ in self.names else self.name(base.__module__, base.__name__)

    def member(self, name: str, item: Any) -> str:
        """A member of a class."""
        if isinstance(item, property):
            text = "    @property\n" + self.function(name, item.fget, "    ", method=True)
            if item.fset is not None:
                text += f"    @{name}.setter\n    def {name}(self, value: {self.name('typing', 'Any')}) -> None: ...\n"
            return text
        if isinstance(item, staticmethod):
            return "    @staticmethod\n" + self.function(name, item.__func__, "    ")
        if isinstance(item, classmethod):
            return "    @classmethod\n" + self.function(name, item.__func__, "    ", method=True).replace(
                "self", "cls", 1
            )
        if inspect.isfunction(item):
            text = self.function(name, item, "    ", method=True)
            return text.replace(") -> Any", ") -> None") if name == "__init__" else text
        if isinstance(item, enum.Enum):
            return f"    {name} = ...\n"
        return f"    {name}: {self.type_of(item)}\n"


class _Renamed(ast.NodeTransformer):
    """Gives the names of an annotation the names that they have in a stub."""

    def __init__(self, stub: Stub, home: str) -> None:
        self.stub = stub
        self.home = home

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):  # an annotation in quotes
            return self.visit(ast.parse(node.value, mode="eval").body)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        module, name = origin(self.home, node.id)
        if name is None:
            return ast.Name(self.stub.module_name(module, node.id))
        if module == self.home and hasattr(builtins, name) and name not in vars(sys.modules[module]):
            return ast.Name(self.stub.builtin(name))
        if module.startswith(PACKAGE) and name not in definitions(module) and name not in assigned(module):
            raise LookupError(name)
        return ast.Name(self.stub.name(module, name))

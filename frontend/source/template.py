"""Code templates: a code object is converted once, and all functions with this code share the result."""

from __future__ import annotations
import __future__

import ast
import re
import threading
import types
import warnings
import weakref
from typing import Any

import gast

from ...runtime.records import dataclass
from . import nodes
from .expressions import ExpressionConverter
from .functions import Source, SourceError, source_of
from .gast_tree import from_gast
from .nodes import Conversion, span
from .scope import NameTable, Scope
from .statements import FunctionConverter

_filters = threading.RLock()  # two threads that change Python's filters of warnings would mix them up
_FUTURE = 0
for _feature in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _feature).compiler_flag


@dataclass(frozen=True)
class Template:
    """The converted form of one code object."""

    code: types.CodeType | None  # None if the function must not be converted
    helpers: str  # the name the helper module has inside
    global_reads: tuple[str, ...]
    global_writes: tuple[str, ...]
    free_reads: tuple[str, ...]


_templates: dict[int, Template] = {}
_CONVERTED = "the code of a conversion"  # the last constant of all such code, by identity


def is_converted(code: types.CodeType) -> bool:
    """Whether a code object is the result of a conversion."""
    return bool(code.co_consts) and code.co_consts[-1] is _CONVERTED


def template_of(function: types.FunctionType) -> Template:
    """The converted form of a function's code. Raises SourceError if its text cannot be found."""
    code = function.__code__
    template = _templates.get(id(code))
    if template is None:
        template = _make(function)
        _templates[id(code)] = template
        # code objects compare by value, so the key is the identity, which must not outlive the object
        weakref.finalize(code, _templates.pop, id(code), None).atexit = False
    return template


def converted_tree(function: types.FunctionType) -> ast.AST:
    """The converted form of a function as a new tree. Raises SourceError if its text cannot be found."""
    source = source_of(function)
    tree = source.tree
    names = NameTable()
    scope = Scope.of_function(tree, names)
    if scope.untouched or isinstance(tree, gast.AsyncFunctionDef):
        untouched: ast.AST = from_gast(tree)
        return untouched
    return _convert(tree, scope, Conversion(names), source)[0]


def _make(function: types.FunctionType) -> Template:
    """Convert the source of a function and compile it."""
    code = function.__code__
    source = source_of(function)
    tree = source.tree
    names = NameTable()
    scope = Scope.of_function(tree, names)
    _check(scope, names, code, source)
    free = code.co_freevars
    known = scope.loads | scope.captured
    global_reads = names.names((known & ~(scope.local | names.mask(free))) | scope.globals)
    global_writes = names.names(scope.written_globals)
    if scope.untouched or isinstance(tree, gast.AsyncFunctionDef):
        return Template(None, "", global_reads, global_writes, free)
    conversion = Conversion(names, source.text.splitlines(keepends=True), source.first_line)
    _, defined = _convert(tree, scope, conversion, source)
    # the factory gives the free variables a span, so that the function is compiled as a closure
    factory = conversion.fresh_name("_mc_factory")
    at = span(tree)
    body: list[ast.stmt] = [defined]
    path = [factory]
    class_name = source.class_name
    if class_name is not None and _has_private_names(source.text, names, tree):
        body = [_class(class_name, body, at)]
        path.append(class_name)
        if class_name not in free:
            # where the function itself reads this name it means the real class
            body.insert(0, ast.Global([class_name], **at))
    mark = conversion.fresh_name("_mc_part")
    nodes.mark_thunks(conversion.thunks, mark)
    module = ast.Module([nodes.function(factory, (*free, conversion.helpers), body, at)], [])
    flags = code.co_flags & _FUTURE
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # of the user's own text Python has warned already
        compiled = compile(module, source.filename, "exec", flags, dont_inherit=True)
    inside = getattr(defined, "name", "<lambda>")
    for name in (*path, inside):
        compiled = _inner_code(compiled, name)
    own = f"{factory}.<locals>.{'.'.join([*path[1:], inside])}"
    namer = _Namer(conversion, mark, own, getattr(code, "co_qualname", function.__qualname__))
    return Template(namer.rename(compiled, code.co_name), conversion.helpers, global_reads, global_writes, free)


def _convert(tree: Any, scope: Scope, conversion: Conversion, source: Source) -> tuple[ast.AST, ast.stmt]:
    """The converted function to show, and the one to compile, which lacks the parts that belong to the function
    object."""
    at = span(tree)
    if isinstance(tree, gast.Lambda):
        expression = ExpressionConverter(conversion, scope, source.class_name)
        expression.hoisted = None
        body = expression.visit(tree.body)
        shown = ast.Lambda(expression.signature(tree.args), body, **at)
        bare = ast.Lambda(expression.signature(tree.args, annotations=False, defaults=False), body, **at)
        return ast.Expr(shown, **at), ast.Expr(bare, **at)
    converter = FunctionConverter(conversion, scope, source.class_name)
    statements = converter.function_body(tree)
    shown_function = nodes.function(tree.name, (), statements, at)
    original = gast.gast_to_ast(tree.args)
    shown_function.args = original
    # under a name of its own, because the function's name may mean something else inside the function
    compiled_function = nodes.function(conversion.fresh_name("_mc_function"), (), statements, at)
    compiled_function.args = converter.signature(tree.args, annotations=False, defaults=False)
    return shown_function, compiled_function


def _class(name: str, body: list[ast.stmt], at: dict[str, Any]) -> ast.stmt:
    """A class around a method, so that Python mangles its private names."""
    fields: dict[str, Any] = {"type_params": []} if "type_params" in ast.ClassDef._fields else {}
    return ast.ClassDef(name, [], [], body, [], **fields, **at)


def _has_private_names(text: str, names: NameTable, tree: Any) -> bool:
    """Whether a function has names that Python mangles inside of a class. Few texts have words that look like it."""
    if text.isascii() and not any(map(_is_private, re.findall(r"\b__\w+", text))):
        return False
    return any(map(_is_private, _used(names, tree)))


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _used(names: NameTable, tree: Any) -> list[str]:
    """The names, attributes and keywords in a function."""
    found = list(names.bits)
    for node in gast.walk(tree):
        found.append(
            (getattr(node, "attr", None) or getattr(node, "arg", None) or "")
            if not isinstance(node, gast.arguments)
            else ""
        )
    return found


def _check(scope: Scope, names: NameTable, code: types.CodeType, source: Source) -> None:
    """Refuse a text that binds other names than the code."""
    known = {*code.co_varnames, *code.co_cellvars}
    for name in names.names(scope.local & ~(scope.declared & ~scope.bound)):
        if name not in known and not name.startswith("__"):
            raise SourceError(
                f"the text of '{source.name}' in {source.filename} (line {source.first_line}) binds '{name}', "
                "the running code does not: the file was changed after it was imported; run the program anew"
            )


class _Namer:
    """Gives compiled code the user's names: generated functions and lambdas get the name of the user's function."""

    def __init__(self, conversion: Conversion, mark: str, own: str, wanted: str) -> None:
        self.generated = conversion.generated
        self.mark = mark
        self.own = own
        self.wanted = wanted

    def rename(self, code: types.CodeType, user_name: str, qualified: str = "") -> types.CodeType:
        """A code object, with those inside it, under the user's name."""
        changes: dict[str, Any] = {}
        if hasattr(code, "co_qualname"):
            changes["co_qualname"] = qualified = qualified or self.qualified(code.co_qualname)
        constants = list(code.co_consts)
        for place, constant in enumerate(constants):
            if type(constant) is types.CodeType:
                if constant.co_name in self.generated:
                    constants[place] = self.rename(constant, user_name, qualified)
                else:
                    is_part = nodes.is_thunk(constant, self.mark)
                    constants[place] = self.rename(constant, user_name if is_part else constant.co_name)
            elif type(constant) is str and constant.startswith(self.own):
                constants[place] = self.qualified(constant)
        return code.replace(co_name=user_name, co_consts=(*constants, _CONVERTED), **changes)

    def qualified(self, name: str) -> str:
        """A qualified name without the functions that the conversion added."""
        if name.startswith(self.own):
            name = self.wanted + name[len(self.own) :]
        return ".<locals>.".join(part for part in name.split(".<locals>.") if part not in self.generated)


def _inner_code(code: types.CodeType, name: str) -> types.CodeType:
    """The code object of a name among the constants of another."""
    return next(item for item in code.co_consts if isinstance(item, types.CodeType) and item.co_name == name)

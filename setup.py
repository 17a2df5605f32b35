"""Names the packages of the wheel, and packs it tightly; everything else about the project is in pyproject.toml.

The repository root is the package `mycel` itself, so `frontend/` on disk is `mycel.frontend` when imported. The
declarative `packages.find` cannot put such a prefix before the names it finds, and a list written by hand would miss
new packages.
"""

import ast
import builtins
import functools
import gc
import re
import string
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

try:
    from deflate import deflate_compress
except ImportError:
    deflate_compress = None

ROOMS = ("library", "frontend", "compiler", "runtime")
# Their functions are no names of the package, and lend no docstrings to such.
INNER = ("frontend", "compiler", "runtime")
# Their modules that stubs name have names of users', and these, whose objects users get without a name.
GIVEN = {
    Path("compiler/ir/graph.py"), Path("frontend/api/jit_types.py"), Path("frontend/compilation/compiled.py"),
    Path("frontend/compilation/explanation.py"), Path("frontend/compilation/inspection.py"),
    Path("frontend/compilation/profile.py"), Path("frontend/compilation/stages.py"), Path("frontend/state.py"),
    Path("frontend/transforms/hooks.py"), Path("frontend/transforms/linear.py"), Path("frontend/values/cell_hooks.py"),
    Path("frontend/values/cell_modes.py"), Path("frontend/values/cell_state.py"),
    Path("frontend/values/traced_tensor.py"), Path("runtime/dtypes.py"),
}  # fmt: skip
NAMED = re.compile(rf"from \.*(?:mycel\.)?((?:{'|'.join(INNER)})[.\w]+) import")
NO_FIELDS = {"ClassVar", "InitVar", "KW_ONLY"}  # types of what is in a class, and no field of a dataclass
TYPES = ("typing", "collections.abc")  # the modules whose names mostly stand in types
PLAIN = {"ctx", "op", "ops", "id", "attr", "arg", "name", "kind", "type_comment"}  # fields that hold no code
TRACED = {"construct", "mark_convertible"}  # names, or decorators, of functions of which graphs are made
DOCUMENTED = (ast.FunctionDef, ast.ClassDef, ast.Module)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # the fields that hold statements
# Stubs of modules without a file, `mycel.nn`, `mycel.train` and the like. The wheel has them where these would be.
STUBS = Path("library", "mindspore", "stubs")
folders = [path.parent for path in STUBS.rglob("__init__.pyi")]
stubs = {".".join(("mycel", *folder.relative_to(STUBS).parts)): folder.as_posix() for folder in sorted(folders)}

Change = tuple[ast.expr, int, bytes]  # what goes, the byte of the line from which on, and what comes there

WIDEST = 120  # columns of a line

# A string, in which a `#` begins no comment and no space may go.
TEXT = r"""(?P<text>('{3}|"{3})(?:\\.|[^\\])*?\2|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
# A string, or a comment with the spaces before it.
COMMENT = re.compile(TEXT + r"|[ \t]*\#[^\n]*", re.DOTALL)
# A string, or the spaces behind or before an operator, bracket or comma. Those beside dots and quotes may be needed.
SPACES = re.compile(TEXT + r"""|(?<=[^\w\s.'"]) +(?!\.)|(?<=[^\s.]) +(?=[^\w\s.'"])""", re.DOTALL)


# Modules become many trees without cycles, through which the collector would go again and again.
gc.disable()


def deflated(data: bytes) -> bytes:
    """Data as zip files hold it: by libdeflate, if it is installed, which finds shorter forms than zlib."""
    if deflate_compress is not None:
        return bytes(deflate_compress(data, 12))
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def packed(wheel: zipfile.ZipFile) -> bytes:
    """The content of a wheel as a zip file that is as small as can be: `zipfile` packs with zlib's usual effort."""
    members, directory = bytearray(), bytearray()
    for info in wheel.infolist():
        data = wheel.read(info)
        body, name = deflated(data), info.filename.encode()
        year, month, day, hour, minute, second = info.date_time
        written = (hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day)
        sizes = (info.CRC, len(body), len(data), len(name), 0)
        # 20: the version of the format, 0x800: the name is UTF-8.
        entry = struct.pack("<5H3I2H", 20, 0x800, zipfile.ZIP_DEFLATED, *written, *sizes)
        directory += b"PK\1\2" + struct.pack("<H", info.create_system << 8 | 20) + entry
        directory += struct.pack("<3H2I", 0, 0, 0, info.external_attr, len(members)) + name
        members += b"PK\3\4" + entry + name + body
    count = len(wheel.infolist())
    return members + directory + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(directory), len(members), 0)


def without_samples(source: str) -> str:
    """A module of ops without what no user reads in its records: samples, which are for tests, sentences, which are for
    developers, and what has no other use. The library takes sentences that are computed."""
    tree = ast.parse(source)
    read = names_loaded(tree)
    arguments = [each for node in walk(tree) for each in getattr(node, "keywords", ()) if is_for_developers(each)]
    for each in sorted(arguments, key=lambda each: (each.lineno, each.col_offset), reverse=True):
        source = replaced(source, each)
    while True:
        tree = ast.parse(source)
        unused = read - names_loaded(tree)
        changes = [(node, without_names(node, unused)) for node in tree.body]
        changes = [(node, text) for node, text in changes if text is not None]
        for node, text in reversed(changes):
            source = replaced(source, node, text)
        if not changes:
            return source


def is_for_developers(argument: ast.keyword) -> bool:
    """Whether an argument of a record, by its name, is nothing that mycel works with."""
    return argument.arg == "samples" or (argument.arg == "doc" and is_string(argument.value))


def replaced(source: str, node: ast.keyword | ast.stmt, text: str = "") -> str:
    """A source with a text in the place of a statement, or of an argument and the comma behind it."""
    lines = source.encode().splitlines(keepends=True)
    first, last = min(each.lineno for each in (node, *decorators(node))) - 1, (node.end_lineno or 0) - 1
    after = lines[last][node.end_col_offset :].lstrip(b",").lstrip(b" ")
    line = lines[first][: node.col_offset] + text.encode() + after
    return b"".join([*lines[:first], *([] if line.isspace() else [line]), *lines[last + 1 :]]).decode()


def without_names(node: ast.stmt, unused: set[str]) -> str | None:
    """What is left of a statement of a module if it need not make some names; None for all of it."""
    if isinstance(node, ast.ImportFrom) and node.level:
        kept = [ast.unparse(each) for each in node.names if (each.asname or each.name) not in unused]
        source = f"{'.' * node.level}{node.module or ''}"
        text = f"from {source} import {', '.join(kept)}" if kept else ""
        return text if len(kept) < len(node.names) else None
    targets = node.targets if isinstance(node, ast.Assign) else [node]
    return "" if all(is_private(each) and name_of(each) in unused for each in targets) else None


def names_loaded(tree: ast.Module) -> set[str]:
    """The names that a module reads, but those of functions in themselves."""
    nodes = ((node, name_of(each)) for each in tree.body for node in walk(each) if isinstance(node, ast.Name))
    return {node.id for node, inside in nodes if isinstance(node.ctx, ast.Load) and node.id != inside}


def published(source: str, tree: ast.Module, path: Path, shown: set[str], outer: set[Path]) -> str:
    """A module as users get it, with letters for variables. What stays in the repository: comments; docstrings of
    modules, but for packages of the library; those of private functions, in the library if they are only called; three
    of four spaces of indentation; in inner rooms, docstrings of attributes; and where no name is a user's, in modules
    of these rooms that are not `outer`, or a name is not among those `shown`, all docstrings, and the types of
    parameters, results, variables.

    They are a tenth of the wheel, and tell developers why the code is as it is. Nor are there empty lines, or short
    ones in a statement, or spaces beside operators: no error of a user's points to lines of mycel.
    """
    lines = COMMENT.sub(lambda found: found["text"] or "", source).splitlines(keepends=True)
    room = path.parts[0]
    nodes = walk(tree)
    inner, innermost = room in INNER, room in INNER and path not in outer
    lent = set() if inner else names_lent(nodes)
    hidden = [node for node in tree.body if innermost or is_hidden(node, shown)]
    inside = {id(node) for node in (nodes if innermost else (node for each in hidden for node in walk(each)))}
    if inner or path.name != "__init__.py":
        inside.add(id(tree))
    texts = [text for node in nodes for text in unread(node, inner, id(node) in inside, lent)]
    alone = {id(node.body[0]) for node in nodes if isinstance(node, DOCUMENTED[:2]) and len(node.body) == 1}
    for text in texts:
        instead = " " * text.col_offset + "0\n" if id(text) in alone else "\n"  # a body has a statement
        lines[text.lineno - 1 : text.end_lineno] = [instead, *["\n"] * (text.end_lineno - text.lineno)]
    types = types_left_out(tree, nodes, lines, inside)
    gone = {id(node) for each in (*texts, *(type for type, _, _ in types)) for node in walk(each)}
    change(lines, types + short_names(tree, nodes, gone))
    leave_imports_out(tree, nodes, gone, inner, lines)
    nodes = [node for node in nodes if id(node) not in gone]
    inside_strings = lines_inside_strings(nodes)
    indent_less(lines, inside_strings)
    indent_docstrings_less(nodes, lines)
    fill(nodes, lines, inside_strings)
    return SPACES.sub(lambda found: found["text"] or "", without_empty_lines(lines, inside_strings))


def tightened(stub: str) -> str:
    """A stub without empty lines, most indentation, and the comment about its origin; those for type checkers stay."""
    lines = re.sub(r"(?m)^# Written by.*", "", stub).splitlines(keepends=True)
    inside_strings = lines_inside_strings(walk(ast.parse(stub)))
    indent_less(lines, inside_strings)
    return without_empty_lines(lines, inside_strings)


def without_empty_lines(lines: list[str], inside: set[int]) -> str:
    """A text without the empty ones of its lines that are not inside strings."""
    return "".join(line for number, line in enumerate(lines, 1) if number in inside or not line.isspace())


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it, in the order of `ast.walk`."""
    found = [node]
    for each in found:
        found += below(each)
    return found


def below(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, without operators and whether a name is read or written: `ast.iter_child_nodes`, which has
    them, takes several times as long."""
    found: list[ast.AST] = []
    for field in fields(type(node)):
        value = getattr(node, field)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [child for child in value if isinstance(child, ast.AST)]
    return found


@functools.cache
def fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The names of a node's fields that hold code."""
    return () if kind is ast.Constant else tuple(name for name in kind._fields if name not in PLAIN)


def names_read(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that expressions among some nodes read or write."""
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def names_shown(root: Path, trees: Iterable[ast.Module]) -> set[str]:
    """The names that users may come by: those of stubs, those in strings (lists and tables of names), and whatever a
    module, one of some trees, does more with than call it in a function."""
    found = {word for stub in root.rglob("*.pyi") for word in re.findall(r"\w+", stub.read_text("utf-8"))}
    waiting: list[tuple[ast.AST, bool]] = [(tree, False) for tree in trees]
    while waiting:
        node, runs_later = waiting.pop()
        kind = type(node)
        for name in fields(kind):
            value = getattr(node, name)
            later = runs_later or (name in ("body", "returns") and kind in (ast.FunctionDef, ast.Lambda))
            is_called = name == "func" and later
            for child in value if isinstance(value, list) else (value,):
                # most nodes are one of these, and are not looked at again
                if type(child) is ast.Name:
                    if not is_called:
                        found.add(child.id)
                elif type(child) is ast.Constant:
                    if isinstance(child.value, str) and "\n" not in child.value:
                        found.update(re.findall(r"\w+", child.value))
                elif isinstance(child, ast.AST):
                    if type(child) is ast.Attribute and not is_called:
                        found.add(child.attr)
                    waiting.append((child, later))
    return found


def modules_shown(root: Path) -> set[Path]:
    """The modules of inner rooms that have names of users'."""
    names = {name for stub in root.rglob("*.pyi") for name in NAMED.findall(stub.read_text("utf-8"))}
    return GIVEN.union(Path(f"{name.replace('.', '/')}.py") for name in names)


def is_hidden(node: ast.stmt, shown: set[str]) -> bool:
    """Whether a statement of a module defines what users do not come by. A decorator may pass it on."""
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list and node.name not in shown


def names_lent(nodes: list[ast.AST]) -> set[str]:
    """The names of functions and attributes that a module does more with than call them."""
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    used = (node for node in nodes if isinstance(node, ast.Name | ast.Attribute) and id(node) not in called)
    return {node.id if isinstance(node, ast.Name) else node.attr for node in used}


def leave_imports_out(module: ast.Module, nodes: list[ast.AST], gone: set[int], inner: bool, lines: list[str]) -> None:
    """Remove the imports of names that only types had a use for, which are `gone`, and what Python does otherwise with
    types where there are none; the lines stay. Other modules import no name from one that only imports it itself: mypy
    sees to that. But modules of users' have what some of the library import from others."""
    left = [node for node in nodes if id(node) not in gone]
    texts = " ".join(node.value for node in left if isinstance(node, ast.Constant) and isinstance(node.value, str))
    read = names_read(left).union(re.findall(r"\w+", texts))  # a text may hold a type
    unused = names_read(nodes) - read
    types = [getattr(node, name, None) for node in left for name in ("annotation", "returns")]
    typed = any(type is not None and id(type) not in gone and not is_string(type) for type in types)
    for node in module.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.module == "__future__" and not typed:
            lines[node.lineno - 1] = "\n"
        if node.module in TYPES or (inner and node.level):
            kept = [ast.unparse(each) for each in node.names if (each.asname or each.name) not in unused]
            if len(kept) < len(node.names):
                source = f"{'.' * node.level}{node.module or ''}"
                lines[node.lineno - 1] = f"from {source} import {', '.join(kept)}\n" if kept else "\n"
                lines[node.lineno : node.end_lineno] = ["\n"] * ((node.end_lineno or 0) - node.lineno)


def indent_less(lines: list[str], inside: set[int]) -> None:
    """Leave one space of each four before statements, and nothing else: lines inside strings stay."""
    for number, line in enumerate(lines, 1):
        if number not in inside:
            text = line.lstrip(" ")
            spaces = len(line) - len(text)
            lines[number - 1] = " " * (spaces // 4 + spaces % 4) + text


def indent_docstrings_less(nodes: list[ast.AST], lines: list[str]) -> None:
    """Leave out the indentation that all lines of a docstring but the first have in common, as Python 3.13 does."""
    for node in nodes:
        body = getattr(node, "body", None)
        if isinstance(node, DOCUMENTED) and body and is_text(body[0]):
            first, last = body[0].lineno, body[0].end_lineno
            others = lines[first:last]
            common = min((len(line) - len(line.lstrip(" ")) for line in others if not line.isspace()), default=0)
            lines[first:last] = [line[common:] or "\n" for line in others]


def fill(nodes: list[ast.AST], lines: list[str], inside: set[int]) -> None:
    """Fill the lines of each statement as far as they may go: in the repository, a comma behind the last of several
    arguments gives each of them a line. Lines inside strings stay, and each statement begins on its own."""
    singles = (node.end_lineno for node in nodes if isinstance(node, ast.Tuple) and len(node.elts) == 1)
    with_comma = {line + more for line in singles for more in (0, 1)}  # the comma of tuples of one
    for node in (each for each in nodes if isinstance(each, ast.stmt) and not isinstance(each, ast.Match)):
        body = getattr(node, "body", None)
        last = min(each.lineno for each in (body[0], *decorators(body[0]))) - 1 if body else node.end_lineno or 0
        place = node.lineno - 1
        for number in range(node.lineno, last):
            line, text = lines[place].rstrip("\n"), lines[number].lstrip()
            closes = text.startswith((")", "]", "}"))
            if closes and number + 1 not in with_comma:
                line = line.removesuffix(",")
            space = "" if closes or line.endswith(("(", "[", "{")) or text[:1] == "." else " "
            if number + 1 in inside or (text and len(line) + len(space) + len(text) > WIDEST + 1):
                place = number
            elif text:
                lines[place], lines[number] = f"{line}{space}{text}", "\n"


def decorators(node: ast.AST) -> list[ast.expr]:
    """The decorators of a function or class, which stand before its line."""
    return getattr(node, "decorator_list", [])


def lines_inside_strings(nodes: list[ast.AST]) -> set[int]:
    """The numbers of the lines that begin in a string."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.JoinedStr) or is_string(node):
            found.update(range(node.lineno + 1, (node.end_lineno or 0) + 1))
    return found


def types_left_out(module: ast.Module, nodes: list[ast.AST], lines: list[str], inside: set[int]) -> list[Change]:
    """The types of parameters, results and variables of functions that go: of private ones, and in hidden statements,
    whose nodes are `inside`, of all. A variable that gets no value keeps its type: the statement is nothing else.
    Fields of hidden classes get an empty one, for dataclasses are made of their names."""
    changes: list[Change] = []
    for mark, found in hidden_types(module, inside):
        first = lines[found.lineno - 1].encode().rfind(mark, 0, found.col_offset)
        if found.lineno == found.end_lineno and first >= 0:
            changes.append((found, first, b""))
    of_fields = [type for node in nodes if id(node) in inside for type in field_types(node)]
    return changes + [(each, each.col_offset, b"''") for each in of_fields if each.lineno == each.end_lineno]


def change(lines: list[str], changes: Iterable[Change]) -> None:
    """Put a text in the place of some expressions, each in one line, and of what stands before it from a byte on."""
    places = {(node.lineno, first, node.end_col_offset or 0, text) for node, first, text in changes}
    for number, first, last, text in sorted(places, reverse=True):
        line = lines[number - 1].encode()
        lines[number - 1] = (line[:first] + text + line[last:]).decode()


def short_names(module: ast.Module, nodes: list[ast.AST], gone: set[int]) -> list[Change]:
    """A letter for each variable of a function, which it shares with inner ones, if nothing but assignments, loops and
    the like binds it. Names that the module has, also as a string, stay: code may look for them. So do Python's."""
    inside = [walk(function) for function in functions(module)]
    within = {id(node) for each in inside for node in each}
    outer = names_of([node for node in nodes if id(node) not in within]).union(name_of(each[0]) for each in inside)
    kept = outer.union(dir(builtins), [node.value for node in nodes if is_string(node)])
    return [] if "*" in outer else [change for each in inside for change in shortened(each, kept, gone)]


def functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions of a module and the methods of its classes, without functions in these, and without those whose
    variables may be names in graphs."""
    for each in (child for name in BLOCKS for child in getattr(node, name, ())):
        if isinstance(each, ast.FunctionDef):
            if TRACED.isdisjoint((each.name, *map(name_of, each.decorator_list))):
                yield each
        else:
            yield from functions(each)


def shortened(nodes: list[ast.AST], outer: set[str], gone: set[int]) -> Iterator[Change]:
    """The new names in a function, whose nodes are given. Parameters, which callers may name, stay, and names in
    classes and f-strings: these have no places before Python 3.12."""
    names = [node for node in nodes if isinstance(node, ast.Name)]
    others = names_of([node for node in nodes if not isinstance(node, ast.Name)])
    unclear = [each for node in nodes if isinstance(node, ast.ClassDef | ast.JoinedStr) for each in walk(node)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store) and len(node.id) > 1}
    bound -= outer | others | names_read(unclear)
    used = names_read(names)
    if used.isdisjoint(("dir", "eval", "exec", "locals", "vars")):
        places = [node for node in names if node.id in bound and id(node) not in gone]
        places.sort(key=lambda node: (node.lineno, node.col_offset))
        letters = (letter for letter in string.ascii_letters if letter not in used | others)
        new = dict(zip(dict.fromkeys(node.id for node in places), letters, strict=False))
        yield from ((node, node.col_offset, new[node.id].encode()) for node in places if node.id in new)


def names_of(nodes: list[ast.AST]) -> set[str]:
    """The names that some nodes read, write, import or define, or say whose they are."""
    found = {getattr(node, name, None) for node in nodes for name in ("id", "name", "asname", "arg", "rest")}
    return found.union(name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names)


def field_types(node: ast.AST) -> Iterator[ast.expr]:
    """The types of a class's fields, but those that say that it is none."""
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(each, ast.AnnAssign) and not names_read(walk(each.annotation)) & NO_FIELDS:
            yield each.annotation


def hidden_types(module: ast.Module, hidden: set[int]) -> Iterator[tuple[bytes, ast.expr]]:
    """The types that no user sees, and what stands before each: of variables of functions, of parameters and results of
    private and hidden functions, of private and hidden variables of the module. Fields of classes keep theirs."""
    for each in module.body:
        if isinstance(each, ast.AnnAssign) and each.value and (id(each) in hidden or is_private(each.target)):
            yield b":", each.annotation
    waiting: list[tuple[ast.AST, bool]] = [(module, False)]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            inside = True
            if id(node) in hidden or is_private(node):
                args = walk(node.args)
                yield from ((b":", each.annotation) for each in args if getattr(each, "annotation", None))
                if node.returns is not None:
                    yield b" ->", node.returns
        for child in (child for name in BLOCKS for child in getattr(node, name, ())):  # only statements have types
            if inside and isinstance(child, ast.AnnAssign) and child.value and not isinstance(node, ast.ClassDef):
                yield b":", child.annotation
            waiting.append((child, inside))


def unread(node: ast.AST, inner: bool, hidden: bool, lent: set[str]) -> list[ast.stmt]:
    """The strings in the body of a node that no user reads."""
    body = getattr(node, "body", None)
    if not isinstance(body, list) or not body:
        return []
    found = [each for each in body[1:] if inner and is_text(each)]
    # A decorator may pass a docstring on to a user's name.
    private = (
        isinstance(node, ast.FunctionDef) and not node.decorator_list and is_private(node) and node.name not in lent
    )
    if (private or (hidden and isinstance(node, DOCUMENTED))) and is_text(body[0]):
        found.append(body[0])
    return found


def is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a string."""
    return isinstance(statement, ast.Expr) and is_string(statement.value)


def is_string(node: ast.AST) -> bool:
    """Whether an expression is a string."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def name_of(node: ast.AST) -> str:
    """The name of a function, class or variable."""
    return str(getattr(node, "name", getattr(node, "id", "")))


def is_private(node: ast.AST) -> bool:
    """Whether the name of a function or variable says that it is for developers only."""
    name = name_of(node)
    return name.startswith("_") and not name.endswith("__")


class Modules(build_py):
    """The command that copies the modules. In its copy, the stubs of modules without a file are in their places."""

    def run(self) -> None:
        super().run()
        root = Path(self.build_lib, "mycel", "__init__.pyi")
        if root.exists():  # an editable installation copies nothing
            checkout = f"from .{'.'.join(STUBS.parts)} import"
            root.write_text(root.read_text("utf-8").replace(checkout, "from . import"), "utf-8", newline="\n")
            for stub in root.parent.rglob("*.pyi"):
                stub.write_text(tightened(stub.read_text("utf-8")), "utf-8", newline="\n")
            script = root.parent / "frontend" / "page" / "page.js"
            without_comments = re.sub(r"^ *(//.*\n)?", "", script.read_text("utf-8"), flags=re.MULTILINE)
            script.write_text(without_comments, "utf-8", newline="\n")
            sources = {module: module.read_text("utf-8") for module in root.parent.rglob("*.py")}
            for module in (root.parent / "compiler" / "ops").glob("*.py"):
                sources[module] = without_samples(sources[module])
            trees = {module: ast.parse(source) for module, source in sources.items()}
            shown, outer = names_shown(root.parent, trees.values()), modules_shown(root.parent)
            for module, source in sources.items():
                path = module.relative_to(root.parent)
                text = published(source, trees.pop(module), path, shown, outer)
                module.write_text(text, "utf-8", newline="\n")


class Wheel(bdist_wheel):
    """The command that builds the wheel, which packs it again at the end."""

    def run(self) -> None:
        super().run()
        built = Path(self.distribution.dist_files[-1][2])
        with zipfile.ZipFile(built) as wheel:
            content = packed(wheel)
        built.write_bytes(content)


# What an index of packages shows: the first example, the commands and the installation.
beginning = Path("README.md").read_text("utf-8").partition("\n## Look inside")[0]

with tempfile.TemporaryDirectory() as scratch:
    setup(
        long_description=beginning,
        long_description_content_type="text/markdown",
        # setuptools leaves the setup script out of the root package only if told its name.
        script_name="setup.py",
        package_dir={"mycel": ".", **stubs},
        packages=[
            "mycel",
            *(f"mycel.{name}" for name in find_packages(".", include=[f"{room}*" for room in ROOMS])),
            *stubs,
        ],
        cmdclass={"bdist_wheel": Wheel, "build_py": Modules},
        # `pip install .` leaves nothing behind in the checkout.
        options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
    )

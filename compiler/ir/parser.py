"""The parser of graphs: `parse` reads the text that `print_graph` writes, and gives an equal graph."""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from .graph import Graph, Node
from .op import Op
from .types import TensorType, parse_type
from .values import IRError, Location, Operand, Value, literal
from .verifier import check_donated, check_node, check_type

TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>\#[^\n]*)
  | (?P<value>%\w+)
  | (?P<number>-?(?:[0-9]+\.[0-9]*(?:e[+-]?[0-9]+)?|[0-9]+e[+-]?[0-9]+|[0-9]+|inf\b|nan\b))
  | (?P<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
  | (?P<word>[^\W\d]\w*)
  | (?P<mark>[()\[\]{}:,=?])
  )""",
    re.VERBOSE,
)
ESCAPE = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)", re.DOTALL)
PLAIN_ESCAPES = {"\\\\": "\\", "\\'": "'", '\\"': '"', "\\n": "\n", "\\r": "\r", "\\t": "\t"}
LOCATION = re.compile(r"#\s*(\S.{0,999}?):([0-9]{1,9})(?:  (\S.{0,999}))?")

# Limits of a text. Traced graphs are far below; any other text is refused before it takes much time or memory.
MOST_NODES = 250_000
MOST_ITEMS = 100_000  # of one tuple, one list of operands, one array that is written out
MOST_HEADINGS = 10  # above one node
DEEPEST = 40  # graphs within graphs, tuples within tuples
LONGEST_NAME = 500
LONGEST_NUMBER = 400  # digits


class Parser:
    """A recursive-descent parser. It reads the tokens of a text one by one.

    It trusts nothing in the text: each node must have the attributes that its op declares, and the types that the op
    infers.
    """

    def __init__(self, text: str, ops: Mapping[str, Op]) -> None:
        self.ops = ops
        self.text = text
        self.end = len(text.rstrip())
        self.position = 0  # in the text
        self.line = 1  # of the position
        self.depth = 0
        self.nodes = 0
        self.comment = ""  # the last one before the next token, behind the one before that
        self.headings: list[str] = []  # comments since the last node on lines of their own
        self.token_line = 1  # of the token before the next one
        self.following: list[tuple[str, str, int]] = []  # kind, text and line of tokens that have been looked at
        self.look(0)

    def read(self) -> tuple[str, str, int] | None:
        """The kind, text and line of the token at the position, which advances; None at the end."""
        if self.position >= self.end:
            return None
        match = TOKEN.match(self.text, self.position)
        if match is None:
            rest = self.text[self.position :].lstrip()
            line = self.line + self.text.count("\n", self.position, len(self.text) - len(rest))
            raise IRError(f"line {line}: cannot read {rest[:20]!r}")
        kind = str(match.lastgroup)
        text = match.group(kind)
        lines = self.text.count("\n", self.position, match.end())
        self.line += lines
        self.position = match.end()
        return "heading" if kind == "comment" and lines else kind, text, self.line

    def look(self, ahead: int) -> tuple[str, str, int] | None:
        """The token `ahead` positions after the next one; None past the end."""
        while len(self.following) <= ahead:
            found = self.read()
            if found is None:
                return None
            if found[0] == "comment":
                if not self.following:
                    self.comment = found[1]
                continue
            if found[0] == "heading":
                if len(self.headings) < MOST_HEADINGS:
                    self.headings.append(found[1][1:].strip()[:LONGEST_NAME])
                continue
            self.following.append(found)
        return self.following[ahead]

    @property
    def done(self) -> bool:
        """Whether the text has been read to its end."""
        return self.look(0) is None

    def fail(self, message: str) -> NoReturn:
        """Raise IRError with the line of the previous token."""
        raise IRError(f"line {self.token_line}: {message}")

    def peek(self) -> str:
        found = self.look(0)
        return found[1] if found is not None else ""

    def token(self, expected: str | None = None) -> tuple[str, str, int]:
        """Kind, text and line of the next token."""
        found = self.look(0)
        if found is None:
            self.fail(f"the text ends where {repr(expected) if expected else 'more'} is expected")
        return found

    def take(self, expected: str | None = None) -> str:
        _, text, line = self.token(expected)
        if expected is not None and text != expected:
            raise IRError(f"line {line}: expected {expected!r}, found {text[:80]!r}")
        self.token_line = line
        self.following.pop(0)
        self.comment = ""
        self.look(0)
        return text

    def name(self) -> str:
        """The next token, which must be a name."""
        kind, text, line = self.token("a name")
        if kind not in ("word", "value") or len(text) > LONGEST_NAME:
            raise IRError(f"line {line}: expected a name, found {text[:80]!r}")
        return self.take()

    def down(self) -> None:
        """Count one more level of nesting."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"there are more than {DEEPEST} levels of graphs and tuples")

    def items(self, close: str, item: Callable[[], Any]) -> list[Any]:
        """Items separated by commas, up to and including a closing token."""
        found: list[Any] = []
        while self.peek() != close:
            if len(found) == MOST_ITEMS:
                self.fail(f"there are more than {MOST_ITEMS} items")
            found.append(item())
            if self.peek() != close:
                self.take(",")
        self.take(close)
        return found

    def graph(self) -> Graph:
        self.down()
        self.take("graph")
        name = self.name()
        scope: dict[str, Value] = {}
        self.take("(")
        parameters = self.items(")", lambda: self.definition(scope))
        self.headings.clear()
        self.take("{")
        nodes: list[Node] = []
        headings: dict[Node, tuple[str, ...]] = {}
        while self.peek() != "return":
            above = tuple(self.headings)
            self.headings.clear()
            nodes.append(self.node(scope))
            if above:
                headings[nodes[-1]] = above
        self.take("return")
        returned = self.items("}", lambda: self.returned(scope, parameters))
        self.depth -= 1
        donated = {output: parameter for output, (_, parameter) in enumerate(returned) if parameter is not None}
        outputs = tuple(output for output, _ in returned)
        graph = Graph(name, tuple(parameters), tuple(nodes), outputs, donated=donated, headings=headings)
        try:
            check_donated(graph)
        except ValueError as error:
            self.fail(str(error))
        if donated and self.depth:
            self.fail("a graph within another has donated outputs; only a whole program has such")
        return graph

    def returned(self, scope: dict[str, Value], parameters: Sequence[Value]) -> tuple[Operand, int | None]:
        """An output, and the position of its parameter if it is donated: `%new into %p`."""
        operand = self.operand(scope)
        if self.peek() != "into":
            return operand, None
        self.take("into")
        target = self.operand(scope)
        if target not in parameters:
            self.fail("an output is written into a parameter, and this is none")
        return operand, parameters.index(target)

    def definition(self, scope: dict[str, Value]) -> Value:
        name = self.name()
        if not name.startswith("%"):
            self.fail(f"expected a value such as %x, found {name!r}")
        self.take(":")
        value = Value(self.type(), name[1:])
        if name in scope:
            self.fail(f"{name} is defined twice")
        scope[name] = value
        return value

    def type(self) -> TensorType:
        text = self.take() + self.take("[")
        while self.peek() != "]":
            text += self.take()
            if len(text) > LONGEST_NAME:
                self.fail(f"{text[:80]!r}... is no type")
        text += self.take("]")
        try:
            type = parse_type(text)
            if type.dtype is dtypes.bfloat16:
                dtypes.require_bfloat16()
            check_type(type)
        except (KeyError, ValueError) as error:
            self.fail(f"{text!r} is no type: {error}")
        return type

    def operand(self, scope: dict[str, Value]) -> Operand:
        if self.peek().startswith("%"):
            name = self.take()
            if name not in scope:
                self.fail(f"{name} is read before it is defined")
            return scope[name]
        value = self.attr()
        if not isinstance(value, (bool, int, float, complex)):
            self.fail(f"expected a value such as %x or a number, found {value!r:.80}")
        if self.peek() == ":":
            self.take(":")
            dtype = self.attr()
            if not isinstance(dtype, DType):
                self.fail(f"expected an element type such as f32, found {dtype!r:.80}")
        else:
            dtype = (
                dtypes.bool_ if isinstance(value, bool) else dtypes.int64 if isinstance(value, int) else dtypes.float32
            )
        try:
            return literal(value, dtype)
        except (ValueError, OverflowError):
            self.fail(f"{value!r:.80} is no number of {dtype}")

    def targets(self) -> list[tuple[str, TensorType]]:
        """The names and types of a node's outputs."""
        found: list[tuple[str, TensorType]] = []
        while self.peek().startswith("%"):
            name = self.name()
            self.take(":")
            found.append((name, self.type()))
            self.take("," if self.peek() == "," else "=")
            if len(found) > MOST_ITEMS:
                self.fail(f"there are more than {MOST_ITEMS} outputs")
        return found

    def node(self, scope: dict[str, Value]) -> Node:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self.fail(f"there are more than {MOST_NODES} nodes")
        targets = self.targets()
        name = self.name()
        if name not in self.ops:
            self.fail(f"there is no op named {name!r}")
        self.take("(")
        inputs: list[Operand] = []
        attrs: dict[str, Any] = {}

        def argument() -> None:
            following = self.look(1)
            if self.token(")")[0] == "word" and following is not None and following[1] == "=":
                self.attribute(attrs, self.attr)
            else:
                inputs.append(self.operand(scope))

        self.items(")", argument)
        comment = self.comment
        if self.peek() == "{":
            self.take("{")
            comment = self.comment or comment
            while self.peek() != "}":
                self.attribute(attrs, self.graph)
            self.take("}")
        outputs = tuple(Value(type, target[1:]) for target, type in targets)
        node = Node(self.ops[name], tuple(inputs), outputs, attrs, _location(comment))
        try:
            check_node(node)
        except Exception as error:  # whatever `infer` meets: it is made for attributes that make sense
            self.fail(f"{name} is not what it says: {error}")
        for (target, _), value in zip(targets, outputs, strict=True):
            if target in scope:
                self.fail(f"{target} is defined twice")
            scope[target] = value
        return node

    def attribute(self, attrs: dict[str, Any], value: Callable[[], Any]) -> None:
        """Read an attribute's name and value."""
        key = self.name()
        self.take("=")
        if key in attrs:
            self.fail(f"the attribute {key!r} is given twice")
        attrs[key] = value()

    def attr(self) -> Any:
        kind, text, line = self.token("a value")
        if kind == "number":
            self.take()
            if len(text) > LONGEST_NUMBER:
                self.fail(f"the number {text[:80]}... is too long")
            return int(text) if text.lstrip("-").isdigit() else float(text)
        if kind == "string":
            return self.string()
        if text == "(":
            self.down()
            self.take("(")
            items = self.items(")", self.attr)
            self.depth -= 1
            return tuple(items)
        if text in ("True", "False", "None"):
            self.take()
            return {"True": True, "False": False, "None": None}[text]
        if text == "complex":
            return self.complex()
        if text == "array":
            return self.array()
        if kind == "word":
            self.take()
            try:
                return dtypes.as_dtype(dtypes.by_short(text))
            except KeyError:
                raise IRError(f"line {line}: unknown attribute value {text[:80]!r}") from None
        raise IRError(f"line {line}: cannot read the attribute value {text[:80]!r}")

    def string(self) -> str:
        """A string as `repr` writes it."""
        text = self.take()[1:-1]

        def character(match: re.Match[str]) -> str:
            escape = match.group()
            if escape in PLAIN_ESCAPES:
                return PLAIN_ESCAPES[escape]
            if len(escape) == 2 or int(escape[2:], 16) > sys.maxunicode:
                self.fail(f"the string has the unknown escape {escape!r}")
            return chr(int(escape[2:], 16))

        return ESCAPE.sub(character, text)

    def complex(self) -> complex:
        self.take("complex")
        parts = self.attr()
        if not (isinstance(parts, tuple) and [type(part) for part in parts] == [float, float]):
            self.fail(f"a complex number has two parts, but found {parts!r:.80}")
        return complex(*parts)

    def array(self) -> np.ndarray:
        self.take("array")
        self.take("(")
        type = self.type()
        self.take(",")
        numbers: Any
        if self.token("an array's elements")[0] == "string":
            numbers = self.take().strip("\"'")
        else:
            self.take("[")
            numbers = self.items("]", self.attr)
        self.take(")")
        try:
            return _array(type, numbers)
        except (ValueError, TypeError, OverflowError) as error:
            self.fail(f"this is no array of type {type}: {error}")


def _array(type: TensorType, numbers: str | list[Any]) -> np.ndarray:
    """The array of a type with these numbers, or with bytes in base64."""
    shape = type.static_shape
    if isinstance(numbers, str):
        # Bytes that are neither 0 nor 1 are no booleans: NumPy counts on that.
        stored = np.dtype(np.uint8) if type.dtype.is_bool else type.dtype.np
        data = np.frombuffer(base64.b64decode(numbers, validate=True), stored)
        return data.reshape(shape).astype(type.dtype.np)
    if not all(isinstance(number, (bool, int, float)) for number in numbers):
        raise TypeError("its elements should be numbers")
    return np.array(numbers, type.dtype.np).reshape(shape)


def _location(comment: str) -> Location | None:
    match = LOCATION.fullmatch(comment)
    if match is None or not match.group(1).isprintable() or not (match.group(3) or "").isprintable():
        return None
    return Location(match.group(1), int(match.group(2)), text=match.group(3) or "")


def parse(text: str, ops: Mapping[str, Op]) -> Graph:
    """The graph that prints as `text`; `ops` has the ops by name.

    Raises:
        IRError: for a text that is no graph, and for a graph whose attributes or types are not those of its ops; it
            names the line.
    """
    parser = Parser(text, ops)
    graph = parser.graph()
    if not parser.done:
        _, found, line = parser.token()
        raise IRError(f"line {line}: text after the end of the graph: {found[:80]!r}")
    return graph

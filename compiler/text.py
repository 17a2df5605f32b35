"""The text form of graphs: `print_graph` writes it, `parse` reads it back to an equal graph."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from ..runtime import dtypes
from ..runtime.dtypes import DType
from .ir import Graph, IRError, Literal, Location, Node, Operand, Value, literal
from .op import Op
from .types import TensorType, parse_type

INLINE_ELEMENTS = 16  # larger constant arrays are printed as base64
COMMENT_COLUMN = 60


class Names:
    """Unique names for the values of one graph, made from their hints."""

    def __init__(self) -> None:
        self.of: dict[Value, str] = {}
        self.taken: dict[str, int] = {}

    def define(self, value: Value) -> str:
        hint = re.sub(r"\W+", "_", value.name).strip("_") or f"t{len(self.of)}"
        if hint[0].isdigit():
            hint = f"v{hint}"
        name = hint
        while name in self.taken:
            self.taken[hint] += 1
            name = f"{hint}_{self.taken[hint]}"
        self.taken[name] = 0
        self.of[value] = name
        return name


def print_graph(graph: Graph) -> str:
    """The text of a graph; the same graph always gives the same text."""
    notes = [f"# {key}: {value}" for key, value in graph.notes.items()]
    return "\n".join([*notes, *_graph_lines(graph, "")])


def _graph_lines(graph: Graph, indent: str) -> list[str]:
    names = Names()
    parameters = ", ".join(f"%{names.define(value)}: {value.type}" for value in graph.parameters)
    lines = [f"graph {graph.name}({parameters}) {{"]
    for node in graph.nodes:
        lines.extend(_node_lines(node, names, indent + "  "))
    returned = ", ".join(_operand(operand, names) for operand in graph.outputs)
    lines.append(f"{indent}  return {returned}".rstrip())
    lines.append(f"{indent}}}")
    return lines


def _node_lines(node: Node, names: Names, indent: str) -> list[str]:
    arguments = [_operand(operand, names) for operand in node.inputs]
    blocks = {key: value for key, value in node.attrs.items() if isinstance(value, Graph)}
    arguments += [f"{key}={show_attr(value)}" for key, value in node.attrs.items() if key not in blocks]
    targets = ", ".join(f"%{names.define(value)}: {value.type}" for value in node.outputs)
    line = f"{indent}{targets + ' = ' if targets else ''}{node.op.name}({', '.join(arguments)})"
    if blocks:
        line += " {"
    if node.location is not None:
        line = f"{line:<{COMMENT_COLUMN}}  # {node.location}"
    lines = [line]
    for key, inner in blocks.items():
        first, *rest = _graph_lines(inner, indent + "  ")
        lines += [f"{indent}  {key} = {first}", *rest]
    if blocks:
        lines.append(f"{indent}}}")
    return lines


def _operand(operand: Operand, names: Names) -> str:
    if isinstance(operand, Literal):
        return show_literal(operand)
    if operand in names.of:
        return f"%{names.of[operand]}"
    return f"%<undefined {operand.name}>" if isinstance(operand, Value) else f"<{operand!r}>"


def show_literal(operand: Literal) -> str:
    """`1.0` for f32, `2` for i64, `True`; other dtypes carry a suffix as in `2:i32`."""
    text = show_attr(operand.value)
    if operand.type.dtype in (dtypes.float32, dtypes.int64, dtypes.bool_):
        return text
    return f"{text}:{operand.type.dtype.short}"


def show_attr(value: Any) -> str:
    """An attribute value as text that `parse` reads back."""
    if isinstance(value, DType):
        return value.short
    if isinstance(value, np.ndarray):
        kind = f"{dtypes.of_numpy(value.dtype).short}{list(value.shape)}"
        if value.size <= INLINE_ELEMENTS and value.dtype.kind in "biuf":
            return f"array({kind}, [{', '.join(show_attr(item) for item in value.ravel().tolist())}])"
        return f'array({kind}, "{base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()}")'
    if isinstance(value, tuple):
        return f"({', '.join(map(show_attr, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, (bool, int, str)) or value is None:
        return repr(value)
    if isinstance(value, float):
        return (
            repr(value) if math.isfinite(value) else ("nan" if math.isnan(value) else ("inf" if value > 0 else "-inf"))
        )
    if isinstance(value, complex):
        return f"complex({show_attr(value.real)}, {show_attr(value.imag)})"
    raise IRError(f"attribute {value!r} of type {type(value).__name__} has no text form")


TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>\#[^\n]*)
  | (?P<value>%\w+)
  | (?P<number>-?(?:\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+|\d+|inf\b|nan\b))
  | (?P<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark>[()\[\]{}:,=?])
  )""",
    re.VERBOSE,
)


class Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str, ops: Mapping[str, Op]) -> None:
        self.ops = ops
        self.tokens: list[tuple[str, str, int]] = []  # kind, text, line
        line, position = 1, 0
        while position < len(text.rstrip()):
            match = TOKEN.match(text, position)
            if match is None:
                rest = text[position:].lstrip()
                line += text.count("\n", position, len(text) - len(rest))
                raise IRError(f"line {line}: cannot read {rest[:20]!r}")
            line += text.count("\n", position, match.end())
            self.tokens.append((str(match.lastgroup), match.group(str(match.lastgroup)), line))
            position = match.end()
        self.at = 0
        self.skip_comments()

    def skip_comments(self) -> str:
        last = ""
        while self.at < len(self.tokens) and self.tokens[self.at][0] == "comment":
            last = self.tokens[self.at][1]
            self.at += 1
        return last

    def fail(self, message: str) -> NoReturn:
        """Raise IRError with the line of the token before the next one."""
        line = self.tokens[min(max(self.at - 1, 0), len(self.tokens) - 1)][2] if self.tokens else 1
        raise IRError(f"line {line}: {message}")

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def token(self, expected: str | None = None) -> tuple[str, str, int]:
        """Kind, text and line of the next token."""
        if self.at >= len(self.tokens):
            self.fail(f"the text ends where {repr(expected) if expected else 'more'} is expected")
        return self.tokens[self.at]

    def take(self, expected: str | None = None) -> str:
        kind, text, line = self.token(expected)
        if expected is not None and text != expected:
            raise IRError(f"line {line}: expected {expected!r}, found {text!r}")
        self.at += 1
        if kind != "comment":
            self.comment = self.skip_comments()
        return text

    def graph(self) -> Graph:
        self.take("graph")
        name = self.take()
        scope: dict[str, Value] = {}
        self.take("(")
        parameters = []
        while self.peek() != ")":
            parameters.append(self.definition(scope))
            if self.peek() == ",":
                self.take(",")
        self.take(")")
        self.take("{")
        nodes = []
        while self.peek() != "return":
            nodes.append(self.node(scope))
        self.take("return")
        outputs = []
        while self.peek() != "}":
            outputs.append(self.operand(scope))
            if self.peek() == ",":
                self.take(",")
        self.take("}")
        return Graph(name, tuple(parameters), tuple(nodes), tuple(outputs))

    def definition(self, scope: dict[str, Value]) -> Value:
        name = self.take()
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
        text += self.take("]")
        try:
            return parse_type(text)
        except (KeyError, ValueError):
            self.fail(f"{text!r} is no type")

    def operand(self, scope: dict[str, Value]) -> Operand:
        if self.peek().startswith("%"):
            name = self.take()
            if name not in scope:
                self.fail(f"{name} is read before it is defined")
            return scope[name]
        value = self.attr()
        if not isinstance(value, (bool, int, float, complex)):
            self.fail(f"expected a value such as %x or a number, found {value!r}")
        if self.peek() == ":":
            self.take(":")
            dtype = self.attr()
            if not isinstance(dtype, DType):
                self.fail(f"expected an element type such as f32, found {dtype!r}")
        else:
            dtype = (
                dtypes.bool_ if isinstance(value, bool) else dtypes.int64 if isinstance(value, int) else dtypes.float32
            )
        return literal(value, dtype)

    def node(self, scope: dict[str, Value]) -> Node:
        targets: list[tuple[str, TensorType]] = []
        while self.peek().startswith("%"):
            name = self.take()
            self.take(":")
            targets.append((name, self.type()))
            self.take("," if self.peek() == "," else "=")
        name = self.take()
        if name not in self.ops:
            self.fail(f"there is no op named {name!r}")
        self.take("(")
        inputs: list[Operand] = []
        attrs: dict[str, Any] = {}
        while self.peek() != ")":
            kind, text, _ = self.token(")")
            if kind == "word" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][1] == "=":
                self.take()
                self.take("=")
                attrs[text] = self.attr()
            else:
                inputs.append(self.operand(scope))
            if self.peek() == ",":
                self.take(",")
        self.take(")")
        comment = self.comment
        if self.peek() == "{":
            self.take("{")
            comment = self.comment or comment
            while self.peek() != "}":
                key = self.take()
                self.take("=")
                attrs[key] = self.graph()
            self.take("}")
        match = re.fullmatch(r"#\s*(.+):(\d+)", comment)
        location = Location(match.group(1), int(match.group(2))) if match else None
        outputs = tuple(Value(type, target[1:]) for target, type in targets)
        for (target, _), value in zip(targets, outputs, strict=True):
            if target in scope:
                self.fail(f"{target} is defined twice")
            scope[target] = value
        return Node(self.ops[name], tuple(inputs), outputs, attrs, location)

    def attr(self) -> Any:
        kind, text, line = self.token("a value")
        if kind == "number":
            self.take()
            return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
        if kind == "string":
            self.take()
            import ast

            return ast.literal_eval(text)
        if text == "(":
            self.take("(")
            items = []
            while self.peek() != ")":
                items.append(self.attr())
                if self.peek() == ",":
                    self.take(",")
            self.take(")")
            return tuple(items)
        if text in ("True", "False", "None"):
            self.take()
            return {"True": True, "False": False, "None": None}[text]
        if text == "complex":
            self.take()
            real, imaginary = self.attr()
            return complex(real, imaginary)
        if text == "array":
            return self.array()
        if kind == "word":
            self.take()
            try:
                return dtypes.by_short(text)
            except KeyError:
                raise IRError(f"line {line}: unknown attribute value {text!r}") from None
        raise IRError(f"line {line}: cannot read the attribute value {text!r}")

    def array(self) -> np.ndarray:
        self.take("array")
        self.take("(")
        type = self.type()
        self.take(",")
        if self.token("an array's elements")[0] == "string":
            data = np.frombuffer(base64.b64decode(self.take().strip("\"'")), type.dtype.np)
        else:
            self.take("[")
            items = []
            while self.peek() != "]":
                items.append(self.attr())
                if self.peek() == ",":
                    self.take(",")
            self.take("]")
            data = np.array(items, type.dtype.np)
        self.take(")")
        return data.reshape(type.static_shape).copy()


def parse(text: str, ops: Mapping[str, Op]) -> Graph:
    """The graph that prints as `text`, on the ops given by name; IRError names the line that cannot be read."""
    parser = Parser(text, ops)
    graph = parser.graph()
    if parser.at < len(parser.tokens):
        line = parser.tokens[parser.at][2]
        raise IRError(f"line {line}: text after the end of the graph: {parser.peek()!r}")
    return graph

"""Expression rewriting: operations that may get a traced value become calls of helpers, in Python's order of
evaluation."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

import gast

from . import nodes
from .nodes import LOAD, STORE, Conversion, FunctionNames, Span, copied, made, span
from .scope import Scope

# these look at the frame of their caller, or are syntax in disguise
NATIVE_CALLS = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec", "breakpoint", "__import__"})

COMPARISONS: dict[type, str] = {
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}
TESTS: dict[type, str] = {gast.Is: "is_", gast.IsNot: "is_not", gast.In: "in_", gast.NotIn: "not_in"}
CONVERSIONS = {-1: "", ord("s"): "s", ord("r"): "r", ord("a"): "a"}
# up to Python 3.11 a comprehension is a function of its own, whose unbound names are free ones
COMPREHENSIONS_ARE_FUNCTIONS = sys.version_info < (3, 12)


class ExpressionConverter:
    """Converts the expressions of one function, lambda or class body."""

    def __init__(self, conversion: Conversion, scope: Scope, class_name: str | None) -> None:
        self.conversion = conversion
        self.names = conversion.names
        self.scope = scope
        self.local = scope.local
        self.class_name = class_name
        self.frame = FunctionNames(self.local)
        self.assigned = scope.parameters  # names that are bound for certain at this point
        self.exports: dict[str, int] = {}  # names that generated functions bind for outer functions
        self.emitted = 0  # names that the converted function binds somewhere
        self.joined = 0  # names that branches and loops so far may have bound
        self.final = 0  # names that the finally clauses around may read, also after a return
        self.depth = 0  # inside how many generated functions
        self.lazy = 0  # inside how many operands that may not be evaluated
        self.shadowed = 0  # names of the comprehensions around
        self.free_reads = False  # in a place whose unbound names are NameErrors anyway
        self.native = scope.generator  # control flow is not converted
        self.hoisted: (
            list[ast.stmt] | None
        ) = []  # definitions to put before the statement; None where there is no statement

    # Helpers

    def helper(self, function: str, at: Span) -> ast.Attribute:
        """A reference to a function of the helper module."""
        # Python gives a method call the line where its attribute ends
        at = {**at, "end_lineno": at["lineno"], "end_col_offset": at["col_offset"]}
        return made(ast.Attribute, at, value=nodes.name(self.conversion.helpers, at), attr=function, ctx=LOAD)

    def thunk(self, body: ast.expr, at: Span) -> ast.Lambda:
        """A lambda without parameters, which `mark_thunks` distinguishes from the user's."""
        made = ast.Lambda(nodes.arguments((), at), body, **at)
        self.conversion.thunks.append(made)
        return made

    def call(
        self, function: str, arguments: list[ast.expr], at: Span, keywords: list[ast.keyword] | None = None
    ) -> ast.Call:
        """A call of a function of the helper module."""
        return made(ast.Call, at, func=self.helper(function, at), args=arguments, keywords=keywords or [])

    def mangle(self, attribute: str) -> str:
        """A private name as Python mangles it inside a class."""
        class_name = self.class_name
        if class_name is None or not attribute.startswith("__") or attribute.endswith("__") or "." in attribute:
            return attribute
        stripped = class_name.lstrip("_")
        return f"_{stripped}{attribute}" if stripped else attribute

    def spelled(self, mask: int) -> list[str]:
        """Names in the form in which helpers take them."""
        names = self.names
        return [
            ("global " if names.bits[name] & self.scope.globals else "") + self.mangle(name)
            for name in names.names(mask)
        ]

    def is_local(self, identifier: str) -> bool:
        """Whether a name belongs to this function."""
        return bool(self.names.bit(identifier) & self.local)

    def store(self, bit: int) -> None:
        """Note a statement or walrus that binds a name."""
        self.frame.stores |= bit
        self.emitted |= bit
        if not self.lazy:
            self.assigned |= bit

    # Expressions

    def visit(self, node: Any) -> Any:
        """Convert one expression."""
        handler = _HANDLERS.get(node.__class__)
        if handler is not None:
            return handler(self, node)
        return self.generic(node)

    def visit_all(self, expressions: list[Any]) -> list[Any]:
        """Convert a list of expressions; None stays None."""
        return [None if expression is None else self.visit(expression) for expression in expressions]

    def generic(self, node: Any) -> Any:
        """Copy a node and convert its parts."""
        fields: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if value.__class__ is list:
                fields[field] = [self.visit(item) if isinstance(item, gast.AST) else item for item in value]
            elif isinstance(value, gast.AST):
                fields[field] = self.visit(value)
            else:
                fields[field] = value
        return copied(getattr(ast, node.__class__.__name__), node, **fields)

    def _name(self, node: Any) -> ast.expr:
        bit = self.names.bit(node.id)
        context = node.ctx.__class__
        if context is gast.Load:
            read = copied(ast.Name, node, ctx=LOAD)
            unsure = bit & self.local and not bit & (self.assigned | self.shadowed)
            if unsure:
                # it belongs to this function even if nothing here binds it
                self.frame.needed |= bit
            if unsure and (self.depth or bit & self.joined) and not self.free_reads:
                # unbound names of generated functions would be NameErrors; the user's function has UnboundLocalErrors,
                # and after a traced branch the reason is to be told
                at = span(node)
                return self.call("read", [self.thunk(read, at)], at)
            return read
        if context is gast.Store:
            if not bit & self.shadowed:
                self.store(bit)
            return copied(ast.Name, node, ctx=STORE)
        self.assigned &= ~bit
        self.frame.stores |= bit
        self.emitted |= bit
        return copied(ast.Name, node, ctx=nodes.DELETE)

    def _constant(self, node: Any) -> ast.expr:
        return copied(ast.Constant, node, kind=None)

    def _attribute(self, node: Any) -> ast.expr:
        at = _attribute_place(node)
        owner = self.visit(node.value)
        if node.ctx.__class__ is gast.Load:
            return self.call("getattr_", [owner, nodes.constant(self.mangle(node.attr), at)], at)
        return ast.Attribute(owner, node.attr, STORE if node.ctx.__class__ is gast.Store else nodes.DELETE, **at)

    def _call(self, node: Any) -> ast.expr:
        at = span(node)
        function = node.func
        if isinstance(function, gast.Attribute):
            owner = self.visit(function.value)
            place_of = _attribute_place(function)
            if not any(isinstance(item, gast.Starred) for item in node.args) and all(
                item.arg for item in node.keywords
            ):
                at["lineno"], at["col_offset"] = place_of["lineno"], place_of["col_offset"]
            attribute = nodes.constant(self.mangle(function.attr), place_of)
            callee: ast.expr = self.call("method", [owner, attribute], place_of)
        elif isinstance(function, gast.Name) and function.id in NATIVE_CALLS and not self.is_local(function.id):
            callee = self.visit(function)
            if function.id == "vars" and node.args:
                callee = self.call("convert", [callee], span(function))
            if function.id == "super" and not node.args and not node.keywords:
                return ast.Call(callee, self._super(at), [], **at)
            if function.id == "globals":
                return self.call("global_names", [ast.Call(callee, self.visit_all(node.args), [], **at)], at)
        else:
            callee = self.call("convert", [self.visit(function)], span(function))
        arguments = self.visit_all(node.args)
        keywords = [ast.keyword(item.arg, self.visit(item.value), **span(item)) for item in node.keywords]
        return made(ast.Call, at, func=callee, args=arguments, keywords=keywords)

    def _super(self, at: Span) -> list[ast.expr]:
        """The implicit arguments of super(), which generated functions would not have."""
        first = self.scope.first_parameter
        return [nodes.name("__class__", at), nodes.name(first, at)] if first is not None else []

    def _subscript(self, node: Any) -> ast.expr:
        value, index = self.visit(node.value), self.visit(node.slice)
        if node.ctx.__class__ is gast.Load and not is_plain_index(node.slice):
            return self.call("getitem", [value, index], span(node))
        context = (
            LOAD if node.ctx.__class__ is gast.Load else STORE if node.ctx.__class__ is gast.Store else nodes.DELETE
        )
        return copied(ast.Subscript, node, value=value, slice=index, ctx=context)

    def _binary(self, node: Any) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, gast.Mod) and isinstance(node.left, gast.Constant) and isinstance(node.left.value, str):
            return self.call("percent", [left, right], span(node))
        return copied(ast.BinOp, node, left=left, op=_OPERATORS[node.op.__class__], right=right)

    def _unary(self, node: Any) -> ast.expr:
        operand = self.visit(node.operand)
        if isinstance(node.op, gast.Not):
            return self.call("not_", [operand], span(node))
        return copied(ast.UnaryOp, node, op=_OPERATORS[node.op.__class__], operand=operand)

    def _compare(self, node: Any) -> ast.expr:
        at = span(node)
        first = node.ops[0].__class__
        if len(node.ops) > 1:
            if self.keeps_native(node.comparators[1:]):
                return self._native_compare(node)
            parts: list[ast.expr] = [self.visit(node.left)]
            for position, (operator, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
                parts.append(nodes.constant(COMPARISONS[operator.__class__], at))
                parts.append(self.later(comparator) if position else self.visit(comparator))
            return self.call("compare", parts, at, self._joins(node.comparators[1:], at))
        right = node.comparators[0]
        equality = first is gast.Eq or first is gast.NotEq
        if equality and not any(isinstance(side, gast.Constant) for side in (node.left, right)):
            name = "equal" if first is gast.Eq else "unequal"
            return self.call(name, [self.visit(node.left), self.visit(right)], at)
        if first in TESTS:
            return self.call(TESTS[first], [self.visit(node.left), self.visit(right)], at)
        return self._native_compare(node)

    def _native_compare(self, node: Any) -> ast.expr:
        operators = [_COMPARISONS[operator.__class__] for operator in node.ops]
        left, others = self.visit(node.left), self.visit_all(node.comparators)
        return copied(ast.Compare, node, left=left, ops=operators, comparators=others)

    def _boolean(self, node: Any) -> ast.expr:
        at = span(node)
        if self.keeps_native(node.values[1:]):
            operator = ast.And() if isinstance(node.op, gast.And) else ast.Or()
            return ast.BoolOp(operator, self.visit_all(node.values), **at)
        helper = "and_" if isinstance(node.op, gast.And) else "or_"
        first = self.visit(node.values[0])
        others = [self.later(value) for value in node.values[1:]]
        return self.call(helper, [first, *others], at, self._joins(node.values[1:], at))

    def _conditional(self, node: Any) -> ast.expr:
        at = span(node)
        if self.keeps_native([node.body, node.orelse]):
            test, body, orelse = self.visit(node.test), self.visit(node.body), self.visit(node.orelse)
            return ast.IfExp(test, body, orelse, **at)
        test = self.visit(node.test)
        branches = [self.later(node.body), self.later(node.orelse)]
        return self.call("ternary", [test, *branches], at, self._joins([node.body, node.orelse], at))

    def _joins(self, operands: list[Any], at: Span) -> list[ast.keyword]:
        """The names that optional operands may bind, as a keyword of the helper."""
        bound = self.spelled(self.names.mask(self.walrus_names(operands)))
        return [nodes.keyword("joins", nodes.strings(bound, at), at)] if bound else []

    def keeps_native(self, operands: list[Any]) -> bool:
        """Whether operands cannot become functions: they bind names in a place without statements."""
        return self.native or (self.hoisted is None and bool(self.walrus_names(operands)))

    def later(self, node: Any) -> ast.expr:
        """A function that evaluates an operand on demand."""
        at = span(node)
        self.lazy += 1
        self.depth += 1
        if self.hoisted is not None and self.walrus_names([node]):
            identifier = self.conversion.function("operand")
            outer, self.frame = self.frame, FunctionNames(0)
            outside, self.hoisted = self.hoisted, []
            value = self.visit(node)
            body = [*self.hoisted, ast.Return(value, **at)]
            self.hoisted = outside
            self.hoisted.append(self.close_frame(identifier, (), body, outer, at))
            operand: ast.expr = nodes.name(identifier, at)
        else:
            operand = self.thunk(self.visit(node), at)
        self.lazy -= 1
        self.depth -= 1
        return operand

    def close_frame(
        self, identifier: str, parameters: tuple[str, ...], body: list[ast.stmt], outer: FunctionNames, at: Span
    ) -> ast.FunctionDef:
        """Finish a generated function: declare the names that it binds for outer functions."""
        frame, self.frame = self.frame, outer
        scope = self.scope
        outside = frame.stores & ~frame.owned
        declarations: list[ast.stmt] = []
        shared = outside & (self.local | scope.nonlocals)
        if shared:
            declarations.append(made(ast.Nonlocal, at, names=list(self.names.names(shared))))
        if outside & scope.globals:
            declarations.append(ast.Global(list(self.names.names(outside & scope.globals)), **at))
        missing = frame.needed & frame.owned & ~frame.stores
        self.exports[identifier] = exported = (frame.needed | shared) & ~frame.owned
        outer.needed |= exported
        if missing and (missing := missing & ~self.names.mask(parameters)):
            declarations += self.bindings(missing, at)
        return nodes.function(identifier, parameters, declarations + body, at)

    def bindings(self, mask: int, at: Span) -> list[ast.stmt]:
        """Annotations that make names local to a function, although only its inner functions bind them."""
        return [
            ast.AnnAssign(ast.Name(name, STORE, **at), nodes.constant(..., at), None, 1, **at)
            for name in self.names.names(mask)
        ]

    def walrus_names(self, expressions: list[Any]) -> list[str]:
        """The names that walrus operators in some expressions bind in this function."""
        if not self.scope.walrus:
            return []
        found: dict[str, None] = {}
        stack = list(expressions)
        while stack:
            node = stack.pop()
            if isinstance(node, gast.NamedExpr):
                found[node.target.id] = None
            if isinstance(node, gast.Lambda):
                # its defaults are evaluated here, its body is not
                stack.extend(
                    default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None
                )
            else:
                stack.extend(gast.iter_child_nodes(node))
        return list(found)

    def _walrus(self, node: Any) -> ast.expr:
        value = self.visit(node.value)
        self.store(self.names.bit(node.target.id))
        return ast.NamedExpr(ast.Name(node.target.id, STORE, **span(node.target)), value, **span(node))

    def _lambda(self, node: Any) -> ast.expr:
        scope = self.scope.children[node]
        if scope.untouched:
            return gast.gast_to_ast(node)
        inner = ExpressionConverter(self.conversion, scope, self.class_name)
        inner.hoisted = None
        arguments = self.signature(node.args, annotations=False)
        return ast.Lambda(arguments, inner.visit(node.body), **span(node))

    def signature(self, node: Any, annotations: bool = True, defaults: bool = True) -> ast.arguments:
        """The parameters of an inner function. Its defaults are evaluated here."""

        def argument(parameter: Any) -> ast.arg:
            annotation = (
                gast.gast_to_ast(parameter.annotation) if annotations and parameter.annotation is not None else None
            )
            return ast.arg(parameter.id, annotation, **span(parameter))

        return ast.arguments(
            [argument(item) for item in node.posonlyargs],
            [argument(item) for item in node.args],
            argument(node.vararg) if node.vararg is not None else None,
            [argument(item) for item in node.kwonlyargs],
            self.visit_all(node.kw_defaults) if defaults else [None] * len(node.kwonlyargs),
            argument(node.kwarg) if node.kwarg is not None else None,
            self.visit_all(node.defaults) if defaults else [],
        )

    def _comprehension(self, node: Any) -> ast.expr:
        at = span(node)
        generators = node.generators
        first = self.items(generators[0].iter, "a comprehension")
        shadowed, free_reads, hoisted = self.shadowed, self.free_reads, self.hoisted
        self.hoisted = None
        self.lazy += 1
        self.free_reads = free_reads or COMPREHENSIONS_ARE_FUNCTIONS or isinstance(node, gast.GeneratorExp)
        converted = []
        for position, generator in enumerate(generators):
            iterable = self.items(generator.iter, "a comprehension") if position else first
            for name in gast.walk(generator.target):
                if isinstance(name, gast.Name) and isinstance(name.ctx, gast.Store):
                    self.shadowed |= self.names.bit(name.id)
            target = self.visit(generator.target)
            converted.append(ast.comprehension(target, iterable, self.visit_all(generator.ifs), generator.is_async))
        kind = getattr(ast, node.__class__.__name__)
        if isinstance(node, gast.DictComp):
            result = kind(self.visit(node.key), self.visit(node.value), converted, **at)
        else:
            result = kind(self.visit(node.elt), converted, **at)
        self.shadowed, self.free_reads, self.hoisted = shadowed, free_reads, hoisted
        self.lazy -= 1
        return result

    def items(self, node: Any, what: str) -> ast.expr:
        """An expression from which Python itself takes items. A helper checks its value first; it is wrapped around the
        function of a call, so that variables still name what the call records (`tracing/sites.py`)."""
        value: ast.expr = self.visit(node)
        at = span(node)
        if isinstance(node, gast.Call) and isinstance(value, ast.Call):
            value.func = self.call("items_of", [value.func, nodes.constant(what, at)], at)
            return value
        if not isinstance(node, (gast.Name, gast.Attribute, gast.Subscript)):
            return value
        return self.call("items", [value, nodes.constant(what, at)], at)

    def _starred(self, node: Any) -> ast.expr:
        if node.ctx.__class__ is not gast.Load:
            return ast.Starred(self.visit(node.value), STORE, **span(node))
        return ast.Starred(self.items(node.value, "*"), LOAD, **span(node))

    def _yield_from(self, node: Any) -> ast.expr:
        return ast.YieldFrom(self.items(node.value, "yield from"), **span(node))

    def _formatted(self, node: Any) -> ast.expr:
        """An f-string; a field of it may hold a traced value."""
        at = span(node)
        if not any(isinstance(part, gast.FormattedValue) for part in node.values):
            return self.generic(node)
        return self.call("fstring", [self._field(part) for part in node.values], at)

    def _field(self, part: Any) -> ast.expr:
        """One piece of an f-string."""
        if not isinstance(part, gast.FormattedValue):
            return self.visit(part)
        at = span(part)
        arguments = [self.visit(part.value)]
        if part.conversion != -1 or part.format_spec is not None:
            arguments.append(nodes.constant(CONVERSIONS[part.conversion], at))
        if part.format_spec is not None:
            pieces = part.format_spec.values
            plain = len(pieces) == 1 and isinstance(pieces[0], gast.Constant)
            arguments.append(self.visit(pieces[0]) if plain else self.visit(part.format_spec))
        return self.call("field", arguments, at)


def _attribute_place(node: Any) -> Span:
    """The position of an attribute access in Python's terms: in a chain over several lines, the line of the
    attribute."""
    at = span(node)
    if node.lineno != node.end_lineno:
        at["lineno"], at["col_offset"] = node.end_lineno, max(node.end_col_offset - len(node.attr), 0)
    return at


def is_plain_index(node: Any) -> bool:
    """Whether Python and tensors handle a subscript without help: a number, a slice or a tuple."""
    if isinstance(node, gast.UnaryOp):
        node = node.operand
    return isinstance(node, (gast.Slice, gast.Tuple)) or (
        isinstance(node, gast.Constant) and not isinstance(node.value, str)
    )


def _native(converter: ExpressionConverter, node: Any) -> Any:
    """Copy a pattern or type parameter: it contains nothing to convert."""
    return gast.gast_to_ast(node)


_OPERATORS: dict[type, Any] = {
    getattr(gast, kind.__name__): getattr(ast, kind.__name__)()
    for kind in (*ast.operator.__subclasses__(), *ast.unaryop.__subclasses__())
    if hasattr(gast, kind.__name__)
}

_COMPARISONS: dict[type, Any] = {kind: getattr(ast, kind.__name__)() for kind in COMPARISONS}

_HANDLERS: dict[type, Callable[[Any, Any], Any]] = {
    gast.Name: ExpressionConverter._name,
    gast.Constant: ExpressionConverter._constant,
    gast.Attribute: ExpressionConverter._attribute,
    gast.Call: ExpressionConverter._call,
    gast.Subscript: ExpressionConverter._subscript,
    gast.BinOp: ExpressionConverter._binary,
    gast.UnaryOp: ExpressionConverter._unary,
    gast.Compare: ExpressionConverter._compare,
    gast.BoolOp: ExpressionConverter._boolean,
    gast.IfExp: ExpressionConverter._conditional,
    gast.NamedExpr: ExpressionConverter._walrus,
    gast.Lambda: ExpressionConverter._lambda,
    gast.ListComp: ExpressionConverter._comprehension,
    gast.SetComp: ExpressionConverter._comprehension,
    gast.DictComp: ExpressionConverter._comprehension,
    gast.GeneratorExp: ExpressionConverter._comprehension,
    gast.JoinedStr: ExpressionConverter._formatted,
    gast.Starred: ExpressionConverter._starred,
    gast.YieldFrom: ExpressionConverter._yield_from,
    gast.pattern: _native,
}
_HANDLERS.update(dict.fromkeys(gast.pattern.__subclasses__(), _native))

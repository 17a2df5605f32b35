"""Scope analysis: the names that a function binds, reads and shares with inner functions, and its jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from ...runtime.records import NamedTuple
from .gast_tree import KeptAssign

RETURN, BREAK, CONTINUE = 1, 2, 4
FRAME_BUILTINS = ("locals", "vars", "dir", "eval", "exec")


class NameTable:
    """A bit for every name of a function and of its inner functions, so that sets of names are integers."""

    def __init__(self) -> None:
        self.bits: dict[str, int] = {}

    def bit(self, name: str) -> int:
        """The bit of a name. A new name gets a new bit."""
        found = self.bits.get(name)
        if found is None:
            found = self.bits[name] = 1 << len(self.bits)
        return found

    def mask(self, names: Iterable[str]) -> int:
        """The set of some names."""
        mask = 0
        for name in names:
            mask |= self.bit(name)
        return mask

    def names(self, mask: int) -> tuple[str, ...]:
        """The names of a set, in the order of their first use."""
        return tuple([name for name, bit in self.bits.items() if mask & bit]) if mask else ()


class Facts(NamedTuple):
    """What a statement binds, reads and jumps to, including its inner statements."""

    reads: int  # names read before the statement binds them; of a compound statement, by its head only
    kills: int  # names bound whatever happens (by the head only)
    writes: int  # names that may be bound anywhere in it
    jumps: int = 0  # RETURN, BREAK, CONTINUE that leave the statement
    completes: bool = True  # whether control may reach the statement after it
    nested: bool = False  # a try, with or match inside which an if or a loop jumps


class Scope:
    """The names of one function, lambda or class body, and the facts about its statements."""

    def __init__(self, names: NameTable, parent: Scope | None = None) -> None:
        self.names = names
        self.parent = parent
        self.facts: dict[Any, Facts] = {}
        self.children: dict[Any, Scope] = {}
        self.parameters = 0
        self.bound = 0
        self.declared = 0  # local by an annotation alone
        self.globals = 0
        self.nonlocals = 0
        self.loads = 0
        self.captured = 0  # read by inner functions, which may run at any time
        self.shared = 0  # rebound by inner functions
        self.deleted = 0
        self.generator = False  # also coroutines: control flow is not converted
        self.frame_calls = 0
        self.walrus = False
        self.first_parameter: str | None = None
        self._reads = self._kills = self._writes = 0

    @classmethod
    def of_function(cls, node: Any, names: NameTable, parent: Scope | None = None) -> Scope:
        """The scope of a function statement or a lambda."""
        scope = cls(names, parent)
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        if positional:
            scope.first_parameter = positional[0].id
        for argument in (*positional, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if argument is not None:
                scope.parameters |= names.bit(argument.id)
        if isinstance(node, gast.Lambda):
            scope._expression(node.body)
            scope._take()
        else:
            scope.generator = isinstance(node, gast.AsyncFunctionDef)
            scope._block(node.body)
        return scope

    @property
    def local(self) -> int:
        """The names that live in this scope."""
        return (self.parameters | self.bound | self.declared) & ~(self.globals | self.nonlocals)

    @property
    def free(self) -> int:
        """The names that an enclosing function or the module must provide."""
        return (self.loads | self.captured | self.nonlocals) & ~(self.local | self.globals)

    @property
    def outer_writes(self) -> int:
        """The names of enclosing functions that this scope may rebind."""
        return (self.nonlocals | self.shared) & ~self.local

    @property
    def written_globals(self) -> int:
        """The globals that the function, or one inside it, declares as global."""
        mask = self.globals
        for child in self.children.values():
            mask |= child.written_globals
        return mask

    @property
    def always(self) -> int:
        """The names that others may read at any time, so that they are live everywhere."""
        return self.captured | self.shared | self.globals | self.nonlocals

    @property
    def untouched(self) -> bool:
        """Whether the function inspects its own frame, so that not even its names may change."""
        return bool(self.frame_calls & ~(self.parameters | self.bound))

    # Statements

    def _block(self, body: list[Any]) -> Facts:
        """Facts of a list of statements. Code after a jump never runs, but it makes its names local."""
        writes = jumps = 0
        completes, nested = True, False
        for statement in body:
            facts = self.statement(statement)
            writes |= facts.writes
            if completes:
                jumps |= facts.jumps
                nested = nested or facts.nested or (bool(facts.jumps) and statement.__class__ in _CONTROL)
                completes = facts.completes
        return Facts(0, 0, writes, jumps, completes, nested)

    def statement(self, node: Any) -> Facts:
        """Collect and store the facts of one statement."""
        handler = _STATEMENTS.get(node.__class__)
        if handler is not None:
            facts = handler(self, node)
        else:
            self._fields(node)
            facts = self._take()
        self.facts[node] = facts
        return facts

    def _take(self, jumps: int = 0, completes: bool = True) -> Facts:
        """The facts of the expressions visited since the last call."""
        facts = Facts(self._reads, self._kills, self._writes | self._kills, jumps, completes)
        self.loads |= self._reads
        self._reads = self._kills = self._writes = 0
        return facts

    def _return(self, node: Any) -> Facts:
        self._fields(node)
        return self._take(RETURN, completes=False)

    def _raise(self, node: Any) -> Facts:
        self._fields(node)
        return self._take(completes=False)

    def _break(self, node: Any) -> Facts:
        return Facts(0, 0, 0, BREAK, completes=False)

    def _continue(self, node: Any) -> Facts:
        return Facts(0, 0, 0, CONTINUE, completes=False)

    def _if(self, node: Any) -> Facts:
        self._expression(node.test)
        head = self._take()
        then, orelse = self._block(node.body), self._block(node.orelse)
        writes = head.writes | then.writes | orelse.writes
        return Facts(head.reads, 0, writes, then.jumps | orelse.jumps, then.completes or orelse.completes)

    def _while(self, node: Any) -> Facts:
        self._expression(node.test)
        head = self._take()
        body, orelse = self._block(node.body), self._block(node.orelse)
        endless = isinstance(node.test, gast.Constant) and bool(node.test.value)
        completes = bool(body.jumps & BREAK) or (not endless and orelse.completes)
        jumps = (body.jumps & RETURN) | orelse.jumps
        return Facts(head.reads, 0, head.writes | body.writes | orelse.writes, jumps, completes)

    def _for(self, node: Any) -> Facts:
        self._expression(node.iter)
        iterable = self._take()
        self._expression(node.target)
        target = self._take()
        body, orelse = self._block(node.body), self._block(node.orelse)
        writes = iterable.writes | target.writes | body.writes | orelse.writes
        jumps = (body.jumps & RETURN) | orelse.jumps
        completes = bool(body.jumps & BREAK) or orelse.completes
        return Facts(iterable.reads | target.reads, target.kills, writes, jumps, completes)

    def _try(self, node: Any) -> Facts:
        body = self._block(node.body)
        handlers = []
        for handler in node.handlers:
            if handler.type is not None:
                self._expression(handler.type)
            if handler.name is not None:
                # the name is unbound again when the handler ends
                self._expression(handler.name)
                self.deleted |= self.names.bit(handler.name.id)
            head = self._take()
            inner = self._block(handler.body)
            self.facts[handler] = head
            handlers.append(inner._replace(writes=inner.writes | head.writes))
        orelse, final = self._block(node.orelse), self._block(node.finalbody)
        parts = [body, *handlers, orelse, final]
        writes = jumps = 0
        for part in parts:
            writes |= part.writes
            jumps |= part.jumps
        completes = (
            (body.completes and orelse.completes) or any(part.completes for part in handlers)
        ) and final.completes
        return Facts(0, 0, writes, jumps, completes, any(part.nested for part in parts))

    def _with(self, node: Any) -> Facts:
        for item in node.items:
            self._expression(item.context_expr)
            if item.optional_vars is not None:
                self._expression(item.optional_vars)
        head = self._take()
        body = self._block(node.body)
        # a context manager may swallow an exception of its body: control can always go on after it
        return Facts(head.reads, 0, head.writes | body.writes, body.jumps, True, body.nested)

    def _match(self, node: Any) -> Facts:
        self._expression(node.subject)
        head = self._take()
        reads, writes, jumps, nested = head.reads, head.writes, 0, False
        for case in node.cases:
            self._expression(case.pattern)
            if case.guard is not None:
                self._expression(case.guard)
            case_head, body = self._take(), self._block(case.body)
            reads |= case_head.reads
            writes |= case_head.writes | body.writes
            jumps |= body.jumps
            nested = nested or body.nested
        return Facts(reads, 0, writes, jumps, True, nested)

    def _function(self, node: Any) -> Facts:
        for decorator in node.decorator_list:
            self._expression(decorator)
        self._signature(node.args)
        if node.returns is not None:
            self._expression(node.returns)
        self._inner(node, Scope.of_function(node, self.names, self))
        self._bind(node.name)
        return self._take()

    def _class(self, node: Any) -> Facts:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self._expression(part)
        inner = Scope(self.names, self)
        inner._block(node.body)
        self._inner(node, inner)
        # a name the class body reads may be one of this function even if the class binds it, too
        self._reads |= inner.loads
        self._bind(node.name)
        return self._take()

    def _import(self, node: Any) -> Facts:
        for alias in node.names:
            self._bind(alias.asname or alias.name.split(".")[0])
        return self._take()

    def _global(self, node: Any) -> Facts:
        self.globals |= self.names.mask(node.names)
        return self._take()

    def _nonlocal(self, node: Any) -> Facts:
        self.nonlocals |= self.names.mask(node.names)
        return self._take()

    def _augmented(self, node: Any) -> Facts:
        self._expression(node.target)
        if isinstance(node.target, gast.Name):
            self._reads |= self.names.bit(node.target.id)
        self._expression(node.value)
        return self._take()

    def _kept(self, node: KeptAssign) -> Facts:
        self._kills |= self.names.mask(node.writes)
        self.bound |= self._kills
        self._reads |= self.names.mask(node.reads)
        return self._take()

    def _annotated(self, node: Any) -> Facts:
        # annotations inside functions are never evaluated
        if node.value is not None:
            self._expression(node.value)
            self._expression(node.target)
        elif isinstance(node.target, gast.Name):
            self.declared |= self.names.bit(node.target.id)
        return self._take()

    def _bind(self, name: str) -> None:
        """Note that a statement always binds a name."""
        bit = self.names.bit(name)
        self._kills |= bit
        self.bound |= bit

    def _inner(self, node: Any, inner: Scope) -> None:
        """Add the names that an inner function or class needs from this scope."""
        self.children[node] = inner
        free = inner.free
        self._reads |= free
        self.captured |= free
        self.shared |= inner.outer_writes

    # Expressions

    def _expression(self, node: Any) -> None:
        """Note the names that an expression, target or pattern reads and binds."""
        kind = node.__class__
        if kind is gast.Name:
            bit = self.names.bit(node.id)
            context = node.ctx.__class__
            if context is gast.Load:
                self._reads |= bit
            else:
                self._kills |= bit
                self.bound |= bit
                if context is gast.Del:
                    self._reads |= bit
                    self.deleted |= bit
        elif kind is gast.Attribute:
            self._expression(node.value)
        elif kind is not gast.Constant:
            handler = _EXPRESSIONS.get(kind)
            if handler is not None:
                handler(self, node)
            else:
                self._fields(node)

    def _fields(self, node: Any) -> None:
        """Visit everything below a node."""
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                for item in value:
                    if isinstance(item, gast.AST):
                        self._expression(item)
            elif value is not None and isinstance(value, gast.AST) and not isinstance(value, _LEAVES):
                self._expression(value)

    def _call(self, node: Any) -> None:
        function = node.func
        self._expression(function)
        # vars(x) and dir(x) look at x, vars() and dir() at the frame
        looks = function.__class__ is gast.Name and function.id in FRAME_BUILTINS
        if looks and (function.id not in ("vars", "dir") or not node.args):
            self.frame_calls |= self.names.bit(function.id)
        for argument in node.args:
            self._expression(argument)
        for keyword in node.keywords:
            self._expression(keyword.value)

    def _subscript(self, node: Any) -> None:
        self._expression(node.value)
        self._expression(node.slice)

    def _walrus(self, node: Any) -> None:
        self._expression(node.value)
        bit = self.names.bit(node.target.id)
        self._writes |= bit
        self.bound |= bit
        self.walrus = True

    def _lambda(self, node: Any) -> None:
        self._signature(node.args)
        self._inner(node, Scope.of_function(node, self.names, self))

    def _signature(self, arguments: Any) -> None:
        """Visit defaults and annotations of an inner function: they belong to the outer scope."""
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self._expression(default)
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        for argument in every:
            if argument is not None and argument.annotation is not None:
                self._expression(argument.annotation)

    def _comprehension(self, node: Any) -> None:
        generators = node.generators
        self._expression(generators[0].iter)
        outer, self._reads = self._reads, 0
        targets = 0
        for position, generator in enumerate(generators):
            targets |= self._targets(generator.target)
            if position:
                self._expression(generator.iter)
            for condition in generator.ifs:
                self._expression(condition)
        if isinstance(node, gast.DictComp):
            self._expression(node.key)
            self._expression(node.value)
        else:
            self._expression(node.elt)
        inner = self._reads & ~targets
        self._reads = outer | inner
        if isinstance(node, gast.GeneratorExp):
            # its body runs later
            self.captured |= inner

    def _targets(self, node: Any) -> int:
        """The names a comprehension binds for itself."""
        if isinstance(node, gast.Name):
            return self.names.bit(node.id)
        if isinstance(node, (gast.Tuple, gast.List)):
            mask = 0
            for element in node.elts:
                mask |= self._targets(element)
            return mask
        if isinstance(node, gast.Starred):
            return self._targets(node.value)
        self._expression(node)
        return 0

    def _suspend(self, node: Any) -> None:
        self.generator = True
        self._fields(node)

    def _pattern(self, node: Any) -> None:
        name = node.rest if isinstance(node, gast.MatchMapping) else node.name
        if name is not None:
            bit = self.names.bit(name)
            self._writes |= bit
            self.bound |= bit
        self._fields(node)


_LEAVES = (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop, gast.boolop)
_CONTROL = (gast.If, gast.For, gast.While)

_STATEMENTS: dict[type, Callable[[Scope, Any], Facts]] = {
    gast.Return: Scope._return,
    gast.Raise: Scope._raise,
    gast.Break: Scope._break,
    gast.Continue: Scope._continue,
    gast.If: Scope._if,
    gast.While: Scope._while,
    gast.For: Scope._for,
    gast.AsyncFor: Scope._for,
    gast.Try: Scope._try,
    gast.TryStar: Scope._try,
    gast.With: Scope._with,
    gast.AsyncWith: Scope._with,
    gast.Match: Scope._match,
    gast.FunctionDef: Scope._function,
    gast.AsyncFunctionDef: Scope._function,
    gast.ClassDef: Scope._class,
    gast.Import: Scope._import,
    gast.ImportFrom: Scope._import,
    gast.Global: Scope._global,
    gast.Nonlocal: Scope._nonlocal,
    gast.AugAssign: Scope._augmented,
    gast.AnnAssign: Scope._annotated,
    KeptAssign: Scope._kept,
}

_EXPRESSIONS: dict[type, Callable[[Scope, Any], None]] = {
    gast.Call: Scope._call,
    gast.Subscript: Scope._subscript,
    gast.NamedExpr: Scope._walrus,
    gast.Lambda: Scope._lambda,
    gast.ListComp: Scope._comprehension,
    gast.SetComp: Scope._comprehension,
    gast.DictComp: Scope._comprehension,
    gast.GeneratorExp: Scope._comprehension,
    gast.Yield: Scope._suspend,
    gast.YieldFrom: Scope._suspend,
    gast.Await: Scope._suspend,
    gast.MatchAs: Scope._pattern,
    gast.MatchStar: Scope._pattern,
    gast.MatchMapping: Scope._pattern,
}

"""Side effects of the graph: print, assert and raise in traced code, with texts made at run time."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.values import Location
from ...runtime import effects
from ..errors.classes import DivisionError, FailedAssertion, GraphBreak
from ..errors.user_files import innermost_user_frame, show_frame, span_of_caller
from ..state import CONTEXT
from ..tracing.trace import Trace
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor
from .join import number_item
from .texts import TracedField, TracedText, pieces

effects.EXCEPTIONS |= {"DivisionError": DivisionError, "FailedAssertion": FailedAssertion}


class TextTemplate:
    """A text with placeholders for tensors, for the effect ops."""

    def __init__(self, trace: Trace, as_graph: bool = False) -> None:
        self.trace = trace
        self.as_graph = as_graph  # tensors as MindSpore's graphs print them, not as Python does
        self.parts: list[Any] = []
        self.operands: list[Any] = []

    def text(self, text: str) -> None:
        """Add a piece of text."""
        if text:
            self.parts.append(text)

    def field(self, tensor: Tensor, conversion: str, spec: str) -> None:
        """Add a placeholder for a tensor."""
        if getattr(tensor, "_present", None) is not None:
            raise GraphBreak("a text cannot hold a tensor that may be None at run time")
        if isinstance(tensor, TracedTensor) and tensor._number is not None:
            conversion = "n"
        position = len(self.operands)
        self.operands.append(self.trace.read(tensor))
        self.parts.append((position, conversion, spec) if conversion or spec else position)

    def value(self, value: Any) -> None:
        """Add the text of any value, as print shows it."""
        for piece, nested in pieces(value):
            if isinstance(piece, Tensor):
                self.tensor(piece, nested)
                continue
            for part in piece.parts if isinstance(piece, TracedText) else (piece,):
                if isinstance(part, TracedField):
                    self.field(part.value, part.conversion, part.spec)
                else:
                    self.text(part)

    def tensor(self, tensor: Tensor, nested: bool) -> None:
        """Add a tensor: a scalar of a graph prints as a bare number, other tensors with shape and dtype."""
        if self.as_graph:
            if tensor.ndim == 0 and tensor.dtype.is_float:
                self.field(tensor, "n", "g")
            else:
                self.field(tensor, "g" if tensor.ndim else "", "")
        elif isinstance(tensor, Parameter):
            self.text(repr(tensor))
        else:
            self.field(tensor, "r" if nested else "", "")

    def finish(self) -> dict[str, Any]:
        """The template as an attribute of the effect op."""
        return {"template": tuple(self.parts)}


def record_print(trace: Trace, values: tuple[Any, ...], options: dict[str, Any]) -> None:
    """print(): in Python's format; in graph mode in that of MindSpore's graphs, each value on its own line."""
    if options.get("file") is not None:
        raise GraphBreak("print to a file cannot be part of a graph")
    separator = options.get("sep")
    end = options.get("end")
    trace.guards.read_value("print", "the mode", lambda: CONTEXT.graph_mode)
    template = TextTemplate(trace, CONTEXT.graph_mode)
    between = "\n" if CONTEXT.graph_mode else " "
    for position, value in enumerate(values):
        template.text((between if separator is None else separator) if position else "")
        template.value(value)
    template.text("\n" if end is None else end)
    trace.recorder.apply(prims.print_, template.operands, template.finish())


def record_assert(trace: Trace, condition: Any, message: Any, exception: str = "") -> None:
    """An assertion on a symbol. `exception` may name a builtin exception."""
    template = TextTemplate(trace)
    if message is not None:
        template.value(message)
    usual = "FailedAssertion" if trace.strict else "AssertionError"
    attrs = {**template.finish(), "exception": exception or usual}
    trace.recorder.apply(prims.assert_, [condition, *template.operands], attrs)


def record_check(trace: Trace, condition: Any, message: str, exception: str) -> None:
    """An error of the current line where a symbol is not true."""
    caller = span_of_caller()
    where = "" if caller is None else f"\n  at {show_frame(caller)}"
    record_assert(trace, condition, message + where, exception)


def _has_text(kind: Any) -> bool:
    """Whether errors of a class are made from a text, and hold it."""
    try:
        return kind.__init__ is BaseException.__init__ or kind("a").args == ("a",)
    except Exception:  # of the user's code
        return False


def record_raise(trace: Trace, error: BaseException, tells_line: bool = False) -> None:
    """An exception that the run raises if control gets there; its text may tell the line."""
    kind = type(error)
    name = kind.__name__
    if not _has_text(kind):
        raise GraphBreak(f"a {name} is raised, which takes other arguments than a text", "Give its __init__ one")
    if kind.__module__ != "builtins":
        if effects.EXCEPTIONS.setdefault(name, kind) is not kind:
            name = f"{kind.__module__}.{kind.__qualname__}"
        effects.EXCEPTIONS[name] = kind
    template = TextTemplate(trace)
    argument: Any = error.args[0] if len(error.args) == 1 else None
    if type(argument) is int or getattr(argument, "_number", None) is not None:
        template.operands.append(number_item(argument) if type(argument) is int else trace.read(argument))
        template.parts.append((0, "v", ""))
    elif len(error.args) == 1:
        template.value(argument)
    elif error.args:
        template.value(error.args)
    recorder = trace.recorder
    frame = innermost_user_frame(error)
    if tells_line and frame is not None:
        template.text(f"\n  at {show_frame(frame)}")
    attrs = {**template.finish(), "exception": name}
    location = None if frame is None else Location(frame.filename, frame.lineno or 0)
    recorder.append(prims.raise_, recorder.operands(template.operands), attrs, location=location)

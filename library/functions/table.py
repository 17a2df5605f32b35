"""The function table: one record for each function, from which all its names come.

`tanh` is a function of `ops`, `mint` and `numpy`, a method of Tensor, the method `tanh_` that works in place, and the
class `ops.Tanh`. One record says so, beside what it computes. Four forms make records:

- `unary(name, op, ...)` and `binary(name, op, ...)`: an op on one or two tensors; the docstring is put together here.
- `@on_one(...)` and `@on_two(...)`: the same for code, whose tensors are checked and converted before.
- `@known_as(...)`: plain code with a docstring of its own.
- `@method(name)`: plain code that is a method of Tensor only, because its arguments differ from the function's.

A file enters its records when it is imported, which is when one of its names is first asked for: `library/index.py`
says which file has which name. Readers of the whole table load all files by `functions/__init__.py:records`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from ...compiler.ir.op import Op
from ...frontend.values.dispatch import apply
from ...frontend.values.named import made as made
from ...frontend.values.operands import (
    Operand,
    as_operand,
    binary as in_common_dtype,
    fits,
    floating,
    need_float,
    need_tensor,
    promoted,
    to_float,
)  # fmt: skip
from ...frontend.values.tensor import Tensor
from ...runtime.records import dataclass
from ..docstrings import Shared, completed_by, with_imports
from .documentation import common, document

Names = bool | str
"""Names, separated by spaces; True for the function's own name."""
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Function:
    """A function, and the names under which programs find it.

    Attributes:
        name: its own name.
        run: the function.
        home: the module that has the record.
        operands: how many arguments it needs.
        floats: whether it takes floating-point tensors only.
        ops: names in `mycel.ops`.
        mint, functional: names in `mycel.mint` and `mycel.mint.nn.functional`, with the same arguments.
        numpy: names in `mycel.numpy`, which takes sequences, too, and a dtype for the result.
        method: methods of Tensor.
        inplace: methods of Tensor that change the tensor itself.
        primitive: classes of `mycel.ops` that are the function as an object.
    """

    name: str
    run: Callable[..., Any]
    home: str
    operands: int
    floats: bool
    ops: tuple[str, ...]
    mint: tuple[str, ...]
    functional: tuple[str, ...]
    numpy: tuple[str, ...]
    method: tuple[str, ...]
    inplace: tuple[str, ...]
    primitive: tuple[str, ...]


PLACES = ("ops", "mint", "functional", "numpy", "method", "inplace", "primitive")
TABLE: dict[str, dict[str, Function]] = {place: {} for place in PLACES}
"""For each place, such as "mint", the functions of the files that are loaded, by their names there."""


def known_as(
    also: str = "", *, ops: bool = True, mint: Names = False, functional: Names = False, numpy: Names = False,
    method: Names = False, inplace: Names = False, primitive: str = "", everywhere: Names = False, floats: bool = False,
    shared: Shared | None = common,
) -> Callable[[_Function], _Function]:  # fmt: skip
    """A decorator that enters a function into the table; `also` are further names in `mycel.ops`.

    What the function's docstring leaves out comes from `shared`.

    `everywhere` stands for the function's own name in `mint`, in `numpy` and as a method, and for the primitives that
    it names; True is a primitive of the function's name with a capital letter, such as Tanh.
    """

    def enter(run: _Function) -> _Function:
        run = shared(run) if shared else run
        name, code = run.__name__, inspect.unwrap(run)
        primitives = primitive or (everywhere if isinstance(everywhere, str) else name.capitalize() * everywhere)

        def split(given: Names, own: str = name) -> tuple[str, ...]:
            if isinstance(given, str):
                return tuple(given.split())
            return (own,) if given else ()

        record = Function(
            name=name,
            run=run,
            home=_module_at_import(),
            operands=code.__code__.co_argcount - len(code.__defaults__ or ()),
            floats=floats,
            ops=(name, *also.split()) if ops else (),
            mint=split(mint or bool(everywhere)),
            functional=split(functional),
            numpy=split(numpy or bool(everywhere)),
            method=split(method or bool(everywhere)),
            inplace=split(inplace, f"{name}_"),
            primitive=tuple(primitives.split()),
        )
        entries = [(place, shown) for place in PLACES for shown in getattr(record, place)]
        for place, shown in entries:
            before = TABLE[place].get(shown)
            if before is not None and (before.name, before.home) != (record.name, record.home):
                raise ValueError(f"{before.name} and {record.name} have the same name {shown!r} in {place!r}")
        for place, shown in entries:
            TABLE[place][shown] = record
        return run

    return enter


def _import_tensor(run: Callable[..., Any]) -> None:
    run.__doc__ = with_imports(run.__doc__ or "", "from mycel import Tensor")


def method(name: str, inplace: str = "", shared: Shared | None = None) -> Callable[[_Function], _Function]:
    """A decorator for functions that are only methods of Tensor; their examples import it."""

    def enter(run: _Function) -> _Function:
        run = shared(run) if shared else run
        completed_by(_import_tensor, run)
        return known_as(ops=False, method=name, inplace=inplace, shared=None)(run)

    return enter


class OfOne(Protocol):
    """A function of one tensor."""

    def __call__(self, input: Tensor) -> Tensor: ...


class OfTwo(Protocol):
    """A function of two operands."""

    def __call__(self, input: Operand, other: Operand) -> Tensor: ...


_ONE = {
    "float": ("a tensor of any shape, of a floating-point dtype", ", or not of a floating-point dtype"),
    "floating": ("a floating-point tensor of any shape", ", or not of a floating-point dtype"),
    "signed": ("a tensor of any shape, of floating-point numbers or signed integers", ", or of another dtype"),
    "to_float": ("a tensor of any shape; integers and booleans count as Float32", ""),
    "any": ("a tensor of any shape and dtype", ""),
}


def unary(
    name: str, op: Op, summary: str, example: str, takes: str = "float", *, argument: str = "input",
    returns: str = "a tensor of the same shape and dtype", **names: Any,
) -> OfOne:  # fmt: skip
    """The function of an op on one tensor, entered into the table.

    Args:
        name: its name.
        op: the op.
        summary: what it computes, in one sentence.
        example: the argument and what is printed, such as "Tensor([0.0]) -> [1.]".
        takes: "float" and "floating" for floating-point dtypes only (their errors differ), "signed" for signed
            integers, too, "to_float" for integers as Float32, "any" for all that the op takes.
        argument: the name of the argument.
        returns: what it gives.
        names: its names, as `known_as` takes them.
    """
    prepare = _prepare(takes, name, argument)
    ready = _ready(takes)

    def run(input: Tensor) -> Tensor:
        if type(input) is Tensor and input._data.dtype.kind in ready:
            return apply(op, input)
        return apply(op, prepare(need_tensor(input, name, argument)))

    text = _text_of_one(name, summary, example, takes, argument, returns)
    floats = takes not in ("any", "signed")
    found: OfOne = _entered(run, name, (argument,), text, _module_at_import(), floats=floats, **names)
    return found


def on_one(
    summary: str, example: str, takes: str = "float", *, argument: str = "input",
    returns: str = "a tensor of the same shape and dtype", **names: Any,
) -> Callable[[Callable[[Tensor], Tensor]], OfOne]:  # fmt: skip
    """A decorator that makes the function of a tensor from what computes it; arguments as for `unary`."""

    def enter(compute: Callable[[Tensor], Tensor]) -> OfOne:
        name = compute.__name__
        prepare = _prepare(takes, name, argument)
        ready = _ready(takes)

        def run(input: Tensor) -> Tensor:
            if type(input) is Tensor and input._data.dtype.kind in ready:
                return compute(input)
            return compute(prepare(need_tensor(input, name, argument)))

        text = _text_of_one(name, summary, example, takes, argument, returns)
        found: OfOne = _entered(run, name, (argument,), text, compute.__module__, **names)
        return found

    return enter


def _prepare(takes: str, name: str, argument: str) -> Callable[[Tensor], Tensor]:
    """What converts the tensor of a function that takes some dtypes, or refuses it."""
    ways: dict[str, Callable[[Tensor], Tensor]] = {
        "float": lambda x: need_float(x, name),
        "floating": lambda x: floating(x, name, argument),
        "signed": lambda x: x if x.dtype.kind == "i" else floating(x, name, argument),
        "to_float": to_float,
        "any": lambda x: x,
    }
    return ways[takes]


def _ready(takes: str) -> str:
    """The kinds of dtypes that `_prepare` leaves as they are."""
    return "biufcV" if takes == "any" else "f"


def _text_of_one(name: str, summary: str, example: str, takes: str, argument: str, returns: str) -> str:
    described, wrong = _ONE[takes]
    errors = {"TypeError": f"if `{argument}` is no Tensor{wrong}."}
    return document(summary, {argument: described}, returns, errors, name, example)


def binary(
    name: str, op: Op, summary: str, example: str, *, arguments: tuple[str, str] = ("input", "other"),
    takes: str = "", returns: str = "a tensor of the broadcast shape, in the common dtype", **names: Any,
) -> OfTwo:  # fmt: skip
    """The function of an op on two operands, entered into the table; arguments as for `unary`.

    `takes` says which dtypes the operands have, where not all do: "integers or booleans".
    """

    def run(input: Operand, other: Operand) -> Tensor:
        if type(input) is Tensor and fits(input, other):
            return apply(op, input, other)
        return in_common_dtype(op, input, other, name)

    of = f" of {takes}" if takes else ""
    described = dict.fromkeys(arguments, f"a tensor{of} of any shape, or a number")
    wrong = f", or not of {takes}" if takes else ""
    errors = {
        "TypeError": f"if an operand is neither tensor nor number{wrong}, or the dtypes have no common one.",
        "ValueError": "if the shapes cannot be broadcast together.",
    }
    summary = summary.removesuffix(".")
    text = document(f"{summary}, elementwise with broadcasting.", described, returns, errors, name, example)
    found: OfTwo = _entered(run, name, arguments, text, _module_at_import(), **names)
    return found


@dataclass(frozen=True)
class Pair:
    """What a function of two operands takes.

    Attributes:
        prepare: converts both, or refuses them; it gets the names of the function and of the operands, too.
        described: what they are.
        refused: when TypeError is raised.
        kind: their annotation.
    """

    prepare: Callable[[Any, Any, str, tuple[str, str]], tuple[Any, Any]]
    described: str
    refused: str
    kind: str = "Tensor"


def in_one_dtype(x: Any, y: Any, function: str, names: tuple[str, str]) -> tuple[Any, Any]:
    """Two operands in their common dtype."""
    return promoted(as_operand(x, function, names[0]), as_operand(y, function, names[1]))


PROMOTED = Pair(
    in_one_dtype, "a tensor of any shape, or a number", "if an operand is neither tensor nor number.", "Operand"
)


def on_two(
    summary: str, example: str, pair: Pair, *, arguments: tuple[str, str] = ("input", "other"),
    returns: str = "a tensor of the broadcast shape, in the common dtype", **names: Any,
) -> Callable[[Callable[[Any, Any], Tensor]], OfTwo]:  # fmt: skip
    """A decorator that makes the function of two operands from what computes it; arguments as for `binary`."""

    def enter(compute: Callable[[Any, Any], Tensor]) -> OfTwo:
        name = compute.__name__

        def run(input: Operand, other: Operand) -> Tensor:
            return compute(*pair.prepare(input, other, name, arguments))

        run.__annotations__ |= {"input": pair.kind, "other": pair.kind}
        described = dict.fromkeys(arguments, pair.described)
        errors = {"TypeError": pair.refused, "ValueError": "if the shapes cannot be broadcast together."}
        text = document(summary, described, returns, errors, name, example)
        found: OfTwo = _entered(run, name, arguments, text, compute.__module__, **names)
        return found

    return enter


def _module_at_import() -> str:
    """The module that is being imported, whose record this is."""
    frame = sys._getframe(2)
    while frame.f_code.co_name != "<module>" and frame.f_back is not None:
        frame = frame.f_back
    name: str = frame.f_globals["__name__"]
    return name


def _entered(
    run: Callable[..., Any], name: str, arguments: tuple[str, ...], text: str, module: str, **names: Any
) -> Any:
    """A function that a record makes."""
    run.__module__ = module  # of the record, so that the function can be pickled
    return known_as(shared=None, **names)(made(run, name, arguments, text))

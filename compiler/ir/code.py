"""Code templates: the code of an op's fastest NumPy call, which its `emit` returns.

`Op.emit` is a function `(node, arguments, out) -> code | None`. `arguments` are the names of the inputs' arrays. `out`
is the name of the array to fill, or None for an expression that gives a fresh array (a view, for views). An op with
several outputs gets as many names after `arguments`, and gives an `Attempt`. Code is a
`Call`, or source text in which `np.` leads to NumPy. For None the kernel is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...runtime.records import NamedTuple
from .graph import Node


class Constant(NamedTuple):
    """Code for a value that is made once, when the program is loaded, and a hint for its name."""

    code: str
    hint: str


class Call(NamedTuple):
    """A call of a function of NumPy (`np.add.reduce`), or of a method of the first argument (`.dot`).

    Arguments are names of arrays, constants and plain values; a string is a name.
    """

    function: str
    arguments: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...] = ()


class MadeFunction(NamedTuple):
    """A function of the runtime that another one makes when the program is loaded, and a hint for its name."""

    maker: Callable[..., Any]
    arguments: tuple[Any, ...]
    hint: str


class Item(NamedTuple):
    """An assignment of the second input to `out[part]`, where out is in the memory of the first one; elsewhere the
    kernel is called. With a function, that assigns instead: its last argument is out."""

    part: str
    function: MadeFunction | None = None
    arguments: tuple[str, ...] = ()


class Attempt(NamedTuple):
    """`function(arguments) or otherwise`: the function returns whether it took the arguments. None: or the kernel."""

    function: MadeFunction
    arguments: tuple[str, ...]
    otherwise: Call | Attempt | None
    with_scratch: bool = False  # the last argument is the scratch of the node


Code = str | Call | Attempt | Item


class Reduction:
    """The code of `ufunc.reduce` for ops with attributes `axis` and `keepdims` that keep the dtype.

    Partial results are combined by the same ufunc, so passes may split such a reduction.
    """

    def __init__(self, ufunc: str) -> None:
        self.ufunc = ufunc

    def __call__(self, node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
        type = node.inputs[0].type
        if type.dtype.bits < 32 or type.dtype.kind not in "fiuc" or not node.attrs["axis"]:
            return None
        axis: Any = node.attrs["axis"]
        if len(axis) == type.rank:
            axis = None
        elif len(axis) == 1:
            (axis,) = axis
        # NumPy would sum 32-bit integers in 64 bits.
        dtype = f"np.{type.dtype.np.name}" if type.dtype.is_integer else None
        given = (arguments[0], axis, dtype, out, node.attrs["keepdims"])
        return Call(f"np.{self.ufunc}.reduce", given if node.attrs["keepdims"] else given[:4] if out else given[:3])

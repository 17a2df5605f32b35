"""Methods of tensors that find extremes, with other arguments than the functions of the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.state import STATE
from ...frontend.values.arguments import alternative
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from . import creation, extremes
from .reduce import Axis
from .reduce_methods import no_out, shared
from .table import made, method


def _extreme(largest: bool, name: str) -> Callable[..., Any]:
    over_axes = extremes.amax if largest else extremes.amin
    word = "largest" if largest else "smallest"

    def extreme(self: Tensor, *place: Any, dim: Axis = None, keepdim: bool | None = None, **named: Any) -> Any:
        """The {word} elements, in three forms.

        `{name}()` is the {word} of all; `{name}(dim, keepdim=False)` a tuple of the {word} along an axis and the
        positions of the first ones; `{name}(axis=, keepdims=, *, initial=, where=, return_indices=False)` the {word}
        over axes, with the positions where `return_indices` asks for them. In a graph, as in MindSpore's, arguments by
        place alone give no positions: there `{name}(1)` is `{name}(axis=1)`.

        Args:
            place: `dim` and `keepdim` by position.
            dim: the axis, or a tuple of axes; None: all.
            keepdim: whether the reduced axes stay as dimensions of size one.
            named: the arguments of the third form.

        Returns:
            A tensor, or a tuple of values and positions (Int64).

        Raises:
            TypeError: for other named arguments.
            ValueError: if an axis is out of range.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([1.0, 3.0]).{name}())
            {result}
            >>> print(*Tensor([[1.0, 3.0]]).{name}(1))
            {pair}
        """
        if len(place) > 2:
            raise TypeError(f"{name}() takes at most 2 arguments by place, but got {len(place)}")
        placed = bool(place) and keepdim is None
        dim = place[0] if place else dim
        keepdim = place[1] if len(place) > 1 else bool(keepdim)
        _check_named(name, named)
        axis = named.get("axis", dim)
        keepdims = named.get("keepdims", keepdim)
        initial, where = named.get("initial"), named.get("where")
        where = None if where is True else where
        # In graphs MindSpore takes an axis given by place for the one of NumPy's methods.
        graph = STATE.trace is not None and not STATE.trace.is_python
        pair = not named and not (placed and graph)
        both = named.get("return_indices", False) or (pair and isinstance(axis, int))
        if not both or axis is None or isinstance(axis, (tuple, list)):
            return over_axes(self, axis, keepdims, initial=initial, where=where)
        return extremes.with_position(largest, self, axis, keepdims, name, initial, where)

    result, pair = ("3.0", "[3.] [1]") if largest else ("1.0", "[1.] [0]")
    return made(extreme, name, word=word, result=result, pair=pair)


def _check_named(name: str, named: dict[str, Any]) -> None:
    """Refuse arguments by name that the method does not take; `out` is left out where it is None."""
    if "out" in named:
        no_out(named.pop("out"))
    unknown = set(named) - {"axis", "keepdims", "initial", "where", "return_indices"}
    if unknown:
        raise TypeError(f"{name}() got an unexpected keyword argument '{unknown.pop()}'")


def _place(name: str, word: str, dtype: str, place: int) -> None:
    """The methods `argmax` and `argmin`."""

    def run(
        self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
    ) -> Tensor:
        """The positions ({dtype}) of the first {word} elements along an axis (None: of all in order).

        Args:
            axis: the axis; None: all elements in order.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([1.0, 3.0]).{of}())
            {place}
        """
        return compute(self, alternative(axis, dim, None), keepdims or keepdim)

    compute: Callable[..., Tensor] = getattr(extremes, name)
    method(name, shared=shared)(made(run, f"{name}_method", word=word, dtype=dtype, of=name, place=place))


_place("argmax", "largest", "Int64", 1)
_place("argmin", "smallest", "Int32", 0)


def _with_value(name: str, largest: bool, word: str, printed: str) -> None:
    """The methods `argmax_with_value` and `argmin_with_value`."""

    def run(self: Tensor, axis: int | None = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
        """The {word} elements along an axis, and the positions of the first ones.

        Args:
            axis: the axis; None: all elements, with the position 0.

        Examples:
            >>> from mycel import Tensor
            >>> print(*Tensor([1.0, 3.0]).{name}())
            {printed}
        """
        if axis is None:  # MindSpore's position is 0 here, and there are no dimensions to keep
            return (extremes.amax if largest else extremes.amin)(self), creation.zeros((), dtypes.int64)
        return extremes.with_position(largest, self, axis, keep_dims, name)

    method(name, shared=shared)(made(run, name, word=word, printed=printed))


_with_value("argmax_with_value", True, "largest", "3.0 1")
_with_value("argmin_with_value", False, "smallest", "1.0 0")


for _name in ("max", "min"):
    method(_name)(_extreme(_name == "max", _name))

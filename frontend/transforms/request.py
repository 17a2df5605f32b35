"""Gradient requests: the inputs by which a function is differentiated, and the form of the gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ...runtime.records import dataclass
from ..values.parameter import Parameter


@dataclass(frozen=True)
class Request:
    """The request of a gradient function.

    Attributes:
        positions: the arguments to differentiate by; None for no argument, "all" for every one.
        weights: the Parameters to differentiate by; None for none.
        bare_position, bare_weight: whether the single gradient comes without a tuple around it.
        has_aux: whether only the first output is differentiated.
        return_ids: whether gradients come paired with position or name.
        value: whether the function's own result comes first.
        sens: whether the last argument (or `sens=`) is the cotangent of the output.
    """

    positions: tuple[int, ...] | str | None
    weights: tuple[Parameter, ...] | None
    bare_position: bool = False
    bare_weight: bool = False
    has_aux: bool = False
    return_ids: bool = False
    value: bool = False
    sens: bool = False


class GradientSpec(Protocol):
    """A gradient function: the function, its inputs and the form of its gradients (`grad.GradientFunction`)."""

    function: Callable[..., Any]
    request: Request
    name: str
    told_of_unused: bool  # whether a warning has named the weights that the function does not use

    def check_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise TypeError unless the function takes these arguments."""

    def split_sens(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
        """The arguments of the function, and the cotangent given with them."""

    def positions(self, args: tuple[Any, ...]) -> tuple[int, ...]:
        """The requested positions; IndexError if there is no such argument."""

    def differentiated(self, result: Any) -> tuple[Any, Any]:
        """The outputs to differentiate, and the auxiliary ones."""

    def arrange(self, positions: Sequence[int], found: Sequence[Any], weights: Sequence[Any]) -> Any:
        """The gradients in the requested form."""

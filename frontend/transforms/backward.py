"""User-written backward functions: their arguments and results are checked, and errors name the user's line."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from ...compiler.ir.types import TensorType
from ...runtime.records import dataclass
from ..compilation.blame import definition_of, raise_at
from ..control_flow import calls as control
from ..errors.classes import BackwardError, SourceError
from ..errors.user_files import SourceSpan, mark_blamed
from ..source.functions import source_of
from ..values import tree
from ..values.dispatch import Number, cast
from ..values.tensor import Tensor


@dataclass(frozen=True)
class UserBackward:
    """A function of the user that computes gradients.

    Attributes:
        what: its name in errors.
        function: the function itself.
    """

    what: str
    function: Any

    def call(self, *values: Any) -> Any:
        """The result of the function for these values, the last of which are the output and its gradient.

        Raises:
            TypeError: if it does not take so many.
        """
        problem = self._misfit(values)
        if problem:
            text = (
                f"{self.what} is called with {len(values)} arguments: the {len(values) - 2} inputs, the output and the "
                f"gradient of the output; but it takes {problem}"
            )
            self._fail(TypeError(text), at_return=False)
        return control.call(self.function, *values)

    def _misfit(self, values: Sequence[Any]) -> str:
        """The parameters of the function, and how these values differ from them; empty if they fit."""
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):  # a callable that does not tell
            return ""
        try:
            signature.bind(*values)
        except TypeError as error:
            return f"{signature}: {error}"
        return ""

    def fitted(self, args: Sequence[Any], gradients: Any) -> list[Tensor | None]:
        """The function's result as a gradient for each tensor in the arguments. None means zero; a tensor is that of
        the one input.

        Raises:
            TypeError: if it is no tuple with a gradient for each argument, or one of the gradients is no tensor of a
                dtype that the argument's can be made of.
            ValueError: for a gradient of another shape than the argument's.
        """
        if isinstance(gradients, Tensor) and len(args) == 1:
            gradients = (gradients,)
        if not isinstance(gradients, tuple):
            kind = type(gradients).__name__
            text = f"{self.what}: the output should be a tuple with a gradient for each input, but is {kind}"
            self._fail(TypeError(text))
        if len(gradients) < len(args):  # MindSpore drops what is left over
            self._fail(
                BackwardError(
                    f"{self.what} should return {len(args)} gradients, as their number must match the number of "
                    f"inputs, but returned {len(gradients)}"
                ),
                at_return=False,  # where the parameters are, which are the inputs
            )
        found: list[Tensor | None] = []
        for position, (arg, gradient) in enumerate(zip(args, gradients, strict=False)):
            wanted = tree.tensors(arg)
            items = [gradient] * len(wanted)
            if gradient is not None and wanted and tree.children(arg) is not None:
                items = tree.leaves(gradient)
                if len(items) != len(wanted):
                    self._fail(
                        BackwardError(
                            f"{self.what}: gradient {position} should hold {len(wanted)} gradients, as the input holds "
                            f"so many tensors, but holds {len(items)}"
                        ),
                        position,
                    )
            found += [self.fit(item, like, position) for item, like in zip(items, wanted, strict=True)]
        return found

    def fit(self, gradient: Any, like: Tensor, position: int | None = None) -> Tensor | None:
        """A gradient in the dtype of its tensor; None for zero."""
        if gradient is None:
            return None
        which = "its gradient" if position is None else f"gradient {position}"
        if isinstance(gradient, (*Number, np.ndarray, np.generic)):
            gradient = Tensor(gradient, like.dtype)
        if not isinstance(gradient, Tensor):
            kind = type(gradient).__name__
            self._fail(TypeError(f"{self.what}: {which} should be a Tensor, or None for zero, but is {kind}"), position)
        mine, wanted = gradient.dtype, like.dtype
        if not _fits(gradient._type, like._type):
            text = f"{self.what}: {which} should be of dtype {wanted}, as the input is, but is of {mine}"
            self._fail(TypeError(text), position)
        if gradient._type.shape != like._type.shape:
            self._fail(
                ValueError(
                    f"{self.what}: {which}, for an input of shape {like.shape}, should have that shape, but has shape "
                    f"{gradient.shape}"
                ),
                position,
            )
        return cast(gradient, wanted)

    def several(self, changed: Any, before: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The result of a hook on several gradients. None means no change; a tensor stands for a tuple of it."""
        if changed is None:
            return tuple(before)
        found = tuple(changed) if isinstance(changed, (tuple, list)) else (changed,)
        for item in found:
            if not isinstance(item, Tensor):
                kind = type(item).__name__
                text = f"{self.what} should return None, a tensor, or a tuple of them, but gave {kind}"
                self._fail(TypeError(text))
        if len(found) != len(before):
            text = f"{self.what} should return {len(before)} gradients, but returned {len(found)}"
            self._fail(ValueError(text))
        fitted = [self.fit(item, like, at) for at, (item, like) in enumerate(zip(found, before, strict=True))]
        return tuple([gradient for gradient in fitted if gradient is not None])

    def _fail(self, error: Exception, position: int | None = None, at_return: bool = True) -> NoReturn:
        """Raise an error as if from the function: at its `return`, if it has only one, or else at its first line."""
        span = self._span(position, at_return)
        if span is None:
            raise error
        mark_blamed(error, span)
        raise_at(error, span.filename, span.lineno, span.name)

    def _span(self, position: int | None, at_return: bool) -> SourceSpan | None:
        """The position of the `return`, and of gradient `position` in it, or of the function's first line."""
        span = definition_of(self.function)
        if span is None or not at_return:
            return span
        try:
            source = source_of(self.function)
        except (SourceError, TypeError):  # TypeError: no function of Python
            return span
        values = list(_returned(source.node))
        if len(values) != 1:
            return span
        value = values[0]
        if position is not None and isinstance(value, ast.Tuple) and position < len(value.elts):
            value = value.elts[position]
        return SourceSpan(
            source.filename, value.lineno, span.name, value.end_lineno, value.col_offset, value.end_col_offset
        )


def _fits(gradient: TensorType, like: TensorType) -> bool:
    """Whether a gradient of one dtype may be that of a tensor of the other. Only floating-point numbers have
    gradients."""
    mine, wanted = gradient.dtype, like.dtype
    if wanted.is_complex:
        return mine.is_complex or mine.is_float
    return mine.is_float if wanted.is_float else True


def _returned(function: Any) -> Iterator[ast.expr]:
    """The expressions that a function returns, or the body of a lambda."""
    if isinstance(function, ast.Lambda):
        yield function.body
        return
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)

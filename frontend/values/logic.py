"""Comparison, logic, selection and stacking: the functions on tensors that traced control flow uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...runtime import dtypes
from .arguments import insert_axes, listed, need_tensors, one_axis, shape_of
from .dispatch import apply, as_tensor, cast
from .named import made
from .operands import Operand, as_number, as_operand, binary, fits, need_tensor, promoted
from .rows import put_together
from .tensor import Tensor


def logical(op: Op, input: Operand, other: Operand, function: str) -> Tensor:
    """A logical op on two operands as Bool tensors."""
    x, y = as_operand(input, function, "input"), as_operand(other, function)
    result = apply(op, *_in_bool(x, y))
    return as_number(result, x, y)


def _in_bool(x: Any, y: Any) -> tuple[Any, Any]:
    """Operands as Bool tensors, or Python bools beside one."""
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        x = as_tensor(x)
    return tuple(cast(item, dtypes.bool_) if isinstance(item, Tensor) else bool(item) for item in (x, y))  # type: ignore[return-value]


def _of_two(
    compute: Callable[[Op, Operand, Operand, str], Tensor], op: Op, summary: str, example: str
) -> Callable[[Operand, Operand], Tensor]:
    """The function of an op on two operands."""
    name = op.name

    def run(input: Operand, other: Operand) -> Tensor:
        """{summary}

        Args:
            input, other: a tensor of any shape, or a number.

        Raises:
            TypeError: if `input` or `other` is neither tensor nor number.
            ValueError: if the shapes cannot be broadcast together.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.{name}({call}))
            {printed}
        """
        return compute(op, input, other, name)

    call, _, printed = example.partition(" -> ")
    return made(run, name, summary=summary, call=call, printed=printed)


equal = _of_two(
    binary, prims.equal,
    "Whether two are equal, elementwise with broadcasting: a Bool tensor. nan equals nothing.",
    "Tensor([1, 2]), Tensor([1.0, 3.0]) -> [ True False]",
)  # fmt: skip
logical_and = _of_two(
    logical, prims.logical_and, "Whether both are true (numbers other than 0 are), elementwise with broadcasting.",
    "Tensor([True, False]), Tensor([True, True]) -> [ True False]",
)  # fmt: skip
logical_or = _of_two(
    logical, prims.logical_or,
    "Whether one or both are true (numbers other than 0 are), elementwise with broadcasting.",
    "Tensor([True, False]), False -> [ True False]",
)  # fmt: skip
_EXTREMUM = """The {} of two, elementwise with broadcasting; nan where either is nan.

Where both are equal each gets half of the gradient."""
minimum = _of_two(binary, prims.minimum, _EXTREMUM.format("smaller"), "Tensor([1.0, 5.0]), 2 -> [1. 2.]")
maximum = _of_two(binary, prims.maximum, _EXTREMUM.format("larger"), "Tensor([1.0, 5.0]), 2 -> [2. 5.]")


def logical_not(input: Tensor) -> Tensor:
    """Whether the elements are false (0 is), elementwise.

    Args:
        input: a tensor of any shape and dtype, or a number.

    Raises:
        TypeError: if `input` is no Tensor, or the operand is neither tensor nor number.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.logical_not(Tensor([True, False])))
        [False  True]
    """
    result = apply(prims.logical_not, cast(need_tensor(input, "logical_not"), dtypes.bool_))
    return as_number(result, input)


def where(condition: Tensor, input: Operand, other: Operand) -> Tensor:
    """`input` where the condition holds, `other` elsewhere; all three are broadcast together.

    Args:
        condition: a Bool tensor.
        input: a Tensor or number.
        other: a Tensor or number.

    Returns:
        A tensor of the common dtype of `input` and `other`.

    Raises:
        TypeError: if `condition` is no Bool tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.where(Tensor([True, False]), Tensor([1.0, 2.0]), 0))
        [1. 0.]
    """
    return choose(condition, input, other, "where")


def choose(condition: Tensor, input: Operand, other: Operand, function: str) -> Tensor:
    """`where` with the name that errors show."""
    condition = need_tensor(condition, function, "condition")
    if not condition.dtype.is_bool:
        raise TypeError(f"{function}: the dtype of 'condition' should be Bool, but got {condition.dtype}")
    if type(input) is Tensor and fits(input, other):
        return apply(prims.select, condition, input, other)
    x, y = as_operand(input, function, "input"), as_operand(other, function)
    return apply(prims.select, condition, *promoted(x, y))


def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors of one shape and dtype one after the other along a new axis.

    Args:
        tensors: a tuple or list of tensors of one shape.
        axis: the position of the new axis.

    Raises:
        TypeError: if their dtypes differ.
        ValueError: if their shapes differ, or there are no tensors.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.stack((ms.Tensor([1, 2]), ms.Tensor([3, 4])), 1))
        [[1 3]
         [2 4]]
    """
    parts = need_tensors(listed(tensors, axis, "stack"), "stack")
    whole = put_together(parts)
    if whole is not None:
        place = one_axis(axis, whole.ndim, "stack")
        axes = (*range(1, place + 1), 0, *range(place + 1, whole.ndim))
        return whole if not place else apply(prims.transpose, whole, axes=axes)
    for part in parts[1:]:
        if part.dtype is not parts[0].dtype:
            raise TypeError(f"stack: all dtypes should be same, but got {parts[0].dtype} and {part.dtype}")
        if part.ndim != parts[0].ndim:
            raise ValueError(f"stack: tensors should have one shape, but got {parts[0].shape} and {part.shape}")
        if any(
            a != b for a, b in zip(shape_of(part), shape_of(parts[0]), strict=True) if a is not None and b is not None
        ):
            raise ValueError(f"stack: tensors should have one shape, but got {parts[0].shape} and {part.shape}")
    place = one_axis(axis, parts[0].ndim + 1, "stack")
    return apply(prims.concatenate, *[insert_axes(part, (place,)) for part in parts], axis=place)

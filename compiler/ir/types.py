"""The type of a value: an element type and a shape. A dimension that only the run knows is None (`?`)."""

from __future__ import annotations

import math
from typing import Optional

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.records import dataclass

Dimension = Optional[int]  # noqa: UP045 evaluated at run time by Python 3.10
Shape = tuple[Dimension, ...]


@dataclass(frozen=True)
class TensorType:
    """Type of a tensor value; prints as `f32[8, 4]`, with `?` for a dimension that only the run can know."""

    __slots__ = ("dtype", "shape")
    dtype: DType
    shape: Shape

    def __eq__(self, other: object) -> bool:
        if self is other:  # as most are
            return True
        return isinstance(other, TensorType) and self.dtype == other.dtype and self.shape == other.shape

    def __str__(self) -> str:
        return f"{self.dtype.short}[{', '.join('?' if size is None else str(size) for size in self.shape)}]"

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        """Whether every dimension is known before the run."""
        return None not in self.shape

    @property
    def size(self) -> int:
        """Number of elements; only for static shapes."""
        return math.prod(self.static_shape)

    @property
    def known_size(self) -> int:
        """Number of elements; 0 if only the run knows it."""
        return self.size if self.is_static else 0

    @property
    def static_shape(self) -> tuple[int, ...]:
        """The shape, if all dimensions are known; else ValueError."""
        if None in self.shape:
            raise ValueError(f"the shape of {self} is only known at run time")
        return self.shape  # type: ignore[return-value]

    @property
    def nbytes(self) -> int:
        """Bytes of the elements; only for static shapes."""
        return self.size * self.dtype.np.itemsize

    def fits(self, expected: TensorType) -> bool:
        """Whether tensors of this type are also of the expected type, which may have more `?`."""
        if self is expected:
            return True
        return (
            self.dtype is expected.dtype
            and len(self.shape) == len(expected.shape)
            and all(wanted in (None, size) for size, wanted in zip(self.shape, expected.shape, strict=True))
        )

    def with_shape(self, shape: Shape) -> TensorType:
        """The same element type with another shape."""
        return TensorType(self.dtype, tuple(shape))

    def with_dtype(self, dtype: DType) -> TensorType:
        """The same shape with another element type."""
        return TensorType(dtype, self.shape)


def parse_type(text: str) -> TensorType:
    """The type that prints as `text`, such as `f32[8, ?]`."""
    short, _, rest = text.partition("[")
    dims = rest.rstrip("]").strip()
    shape: Shape = tuple(None if d.strip() == "?" else int(d) for d in dims.split(",")) if dims else ()
    return TensorType(dtypes.by_short(short.strip()), shape)


def broadcast_shapes(*shapes: Shape) -> Shape:
    """NumPy's broadcasting for shapes with `?`. ValueError names the shapes that do not fit."""
    several = {shape for shape in shapes if shape}
    if len(several) == 1:  # as most are: numbers, and tensors of one shape
        return several.pop()
    rank = max((len(shape) for shape in shapes), default=0)
    result: list[Dimension] = []
    for axis in range(rank):
        size: Dimension = 1
        for shape in shapes:
            position = axis - rank + len(shape)
            if position < 0 or shape[position] == 1:
                continue
            here = shape[position]
            if size == 1 or size is None:
                size = here if size == 1 or here is not None else size
            elif here is not None and here != size:
                raise ValueError(
                    f"shapes {' and '.join(map(show_shape, shapes))} cannot be broadcast together: sizes {size} "
                    f"and {here} "
                    f"of dimension {axis - rank} need to broadcast, being equal or one of them 1"
                )
        result.append(size)
    return tuple(result)


def show_shape(shape: Shape) -> str:
    """A shape as users read it: `(8, ?)`."""
    inner = ", ".join("?" if size is None else str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def normalize_axis(axis: int, rank: int, what: str = "axis") -> int:
    """`axis` counted from the front; ValueError when it is out of range."""
    if not -rank <= axis < rank:
        raise ValueError(f"{what} should be in [{-rank}, {rank}), but got {axis} for a tensor of {rank} dimensions")
    return axis + rank if axis < 0 else axis

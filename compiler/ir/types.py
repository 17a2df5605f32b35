"""The type of a value: an element type and a shape. A dimension that only the run knows is None (`?`)."""

from __future__ import annotations

import math
import threading
import weakref
from typing import Any, Optional

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.shown import standard

Dimension = Optional[int]  # noqa: UP045 evaluated at run time by Python 3.10
Shape = tuple[Dimension, ...]


class TensorType:
    """Type of a tensor value; prints as `f32[8, 4]`, with `?` for a dimension that only the run can know.
    Nobody changes it. There is one object for each type, so that equal types are identical.

    Attributes:
        rank: number of dimensions.
        is_static: whether every dimension is known before the run.
        static_shape: the shape, if all dimensions are known; else ValueError.
        size: number of elements; only for static shapes.
        nbytes: bytes of the elements; only for static shapes.
        known_size: number of elements; 0 if only the run knows it.
    """

    __slots__ = (
        "__weakref__", "dtype", "is_static", "known_size", "nbytes", "rank", "shape", "size", "static_shape",
    )  # fmt: skip
    dtype: DType
    shape: Shape
    rank: int
    is_static: bool
    static_shape: tuple[int, ...]
    size: int
    nbytes: int
    known_size: int

    def __new__(cls, dtype: DType, shape: Shape) -> TensorType:
        """The type of these elements and this shape."""
        key = dtype, shape
        known = _TYPES.get(key)
        found = None if known is None else known()
        if found is None:
            with _LOCK:  # of two threads, one makes it
                known = _TYPES.get(key)
                found = None if known is None else known()
                if found is None:
                    found = object.__new__(_OpenType if None in shape else TensorType)
                    found._fill(dtype, shape)
                    _TYPES[key] = weakref.ref(found, lambda dead: _forget(key, dead))
        return found

    def _fill(self, dtype: DType, shape: Shape) -> None:
        self.dtype, self.shape, self.rank = dtype, shape, len(shape)
        self.is_static = True
        self.static_shape = shape  # type: ignore[assignment]
        self.size = self.known_size = math.prod(shape)  # type: ignore[arg-type]
        self.nbytes = self.size * dtype.np.itemsize

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorType, (self.dtype, self.shape)

    def __repr__(self) -> str:
        return f"TensorType(dtype={self.dtype!r}, shape={self.shape!r})"

    def __str__(self) -> str:
        return f"{self.dtype.short}[{', '.join('?' if size is None else str(size) for size in self.shape)}]"

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

    def without_axis(self, axis: int) -> TensorType:
        """The type of a row along an axis."""
        return self.with_shape((*self.shape[:axis], *self.shape[axis + 1 :]))

    def with_dtype(self, dtype: DType) -> TensorType:
        """The same shape with another element type."""
        return TensorType(dtype, self.shape)


@standard
class UnknownShapeError(ValueError):
    """Code needs sizes that only the run knows."""


class _OpenType(TensorType):
    """A type with a dimension that only the run knows. Python reads attributes of a class with `__getattr__` slowly, so
    the others have none."""

    __slots__ = ()

    def _fill(self, dtype: DType, shape: Shape) -> None:
        self.dtype, self.shape, self.rank = dtype, shape, len(shape)
        self.is_static, self.known_size = False, 0

    def __getattr__(self, name: str) -> Any:
        if name not in TensorType.__slots__:
            raise AttributeError(name)
        raise UnknownShapeError(f"the shape of {self} is only known at run time")


_TYPES: dict[tuple[DType, Shape], weakref.ref[TensorType]] = {}
_LOCK = threading.RLock()  # a type may be freed, and forgotten, while its thread makes another


def _forget(key: tuple[DType, Shape], dead: weakref.ref[TensorType]) -> None:
    """Remove a type that is no longer in use, unless there is another of its kind already."""
    with _LOCK:
        if _TYPES.get(key) is dead:
            del _TYPES[key]


def parse_type(text: str) -> TensorType:
    """The type that prints as `text`, such as `f32[8, ?]`."""
    short, _, rest = text.partition("[")
    dims = rest.rstrip("]").strip()
    shape: Shape = tuple(None if d.strip() == "?" else int(d) for d in dims.split(",")) if dims else ()
    return TensorType(dtypes.by_short(short.strip()), shape)


def broadcast_shapes(*shapes: Shape) -> Shape:
    """NumPy's broadcasting for shapes with `?`. ValueError names the shapes that do not fit."""
    several = set(shapes)
    several.discard(())
    if len(several) == 1:  # as most are: numbers, and tensors of one shape
        return several.pop()
    if not several:
        return ()
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


def normalize_axis(axis: int, rank: int) -> int:
    """`axis` counted from the front; ValueError when it is out of range."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis should be in [{-rank}, {rank}), but got {axis} for a tensor of {rank} dimensions")
    return axis + rank if axis < 0 else axis

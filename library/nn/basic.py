"""Layers without a family: Flatten, OneHot, norms, triangles and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.errors.classes import not_a_tensor
from ...frontend.values.arguments import one_axis
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .checks import check_bool, check_int, need_type
from .held import primitives
from .sections import TRIANGLE, sections

_TAKES_TENSORS = True

__all__ = [
    "ClipByNorm", "Flatten", "Identity", "L1Regularizer", "Norm", "OneHot", "ResizeBilinear", "Roll",
    "TimeDistributed", "Tril", "Triu", "Unflatten",
]  # fmt: skip


class Identity(Cell):
    """Returns its input.

    Args:
        args: ignored.
        kwargs: ignored.

    Inputs:
        input: anything, a tensor of any shape for example.

    Outputs:
        The input, of the same shape and dtype.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Identity()(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    _takes_tensors = False  # it takes anything

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def construct(self, input: Any) -> Any:
        """The input."""
        return input


class Flatten(Cell):
    """Joins neighbouring axes into one.

    Args:
        start_dim: an int, the first axis to join. Default: 1.
        end_dim: an int, the last axis to join. Default: -1.

    Inputs:
        x: a tensor of any dtype and shape that has both axes.

    Outputs:
        A tensor of the dtype of x; with the defaults [N, a, b, ...] becomes [N, a · b · ...].

    Raises:
        TypeError: if an axis is no int, or x is no Tensor.
        ValueError: if an axis is out of range.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.Flatten()(ops.ones((2, 3, 4))).shape)
        (2, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = check_int(start_dim, "start_dim", "Flatten")
        self.end_dim = check_int(end_dim, "end_dim", "Flatten")

    def construct(self, x: Any) -> Tensor:
        """x with axes joined."""
        if not isinstance(x, Tensor):
            raise not_a_tensor("Flatten", "x", x)
        if x.ndim:
            for axis in (self.start_dim, self.end_dim):
                self.check_axis_valid(axis, x.ndim)
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)

    @staticmethod
    def check_axis_valid(axis: int, ndim: int) -> None:
        """ValueError unless the axis is one of a tensor with `ndim` dimensions."""
        if not -ndim <= axis < ndim:
            raise ValueError(
                f"Flatten: 'start_dim' or 'end_dim' is out of range: {axis} is not in [{-ndim}, {ndim}), the axes of "
                f"a tensor with {ndim} dimensions"
            )


class Unflatten(Cell):
    """Splits an axis into several.

    Args:
        axis: an int, the axis to split.
        unflattened_size: a tuple or list of ints, the shape that the axis becomes; one of them may be -1.

    Inputs:
        input_x: a tensor of any dtype and shape that has the axis.

    Outputs:
        A tensor of the dtype of the input; [..., n, ...] becomes [..., *unflattened_size, ...].

    Raises:
        TypeError: if axis is no int, unflattened_size no tuple or list, or the input no Tensor.
        ValueError: if the axis has not that many elements.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.Unflatten(1, (2, 3))(ops.ones((4, 6))).shape)
        (4, 2, 3)
    """

    _held = primitives("Shape Reshape")

    def __init__(self, axis: int, unflattened_size: Any) -> None:
        super().__init__()
        self.axis = check_int(axis, "axis", "Unflatten")
        need_type(unflattened_size, tuple | list, "For 'Unflatten', the 'unflattened_size' should be a tuple or list")
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, input_x: Any) -> Tensor:
        """The input with the axis split."""
        axis = one_axis(self.axis, input_x.ndim, "Unflatten")
        return ops.reshape(input_x, (*input_x.shape[:axis], *self.unflattened_size, *input_x.shape[axis + 1 :]))


class OneHot(Cell):
    """Vectors with one value at the index and another elsewhere.

    Args:
        axis: an int, where the new axis goes. Default: -1.
        depth: an int, the size of the new axis. Default: 1.
        on_value: a number, the value at the index. Default: 1.0.
        off_value: a number, the value elsewhere. Default: 0.0.
        dtype: the dtype of the result. Default: float32.

    Inputs:
        indices: an int tensor of any shape [...]; an index outside [0, depth) gives a vector of off_value.

    Outputs:
        A tensor of the dtype, of shape [..., depth] for axis -1.

    Raises:
        TypeError: if depth is no int, or the indices are no int Tensor.
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.OneHot(depth=3)(Tensor([0, 2])))
        [[1. 0. 0.]
         [0. 0. 1.]]
    """

    _held = primitives(onehot=lambda layer: ops.OneHot(layer.axis))

    def __init__(
        self, axis: int = -1, depth: int = 1, on_value: float = 1.0, off_value: float = 0.0, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__()
        self.axis = axis
        self.depth = depth
        self.dtype = dtypes.as_dtype(dtype)
        self.on_value = Tensor(on_value, self.dtype)
        self.off_value = Tensor(off_value, self.dtype)

    def construct(self, indices: Any) -> Tensor:
        """The one-hot vectors of the indices."""
        return ops.one_hot(indices, self.depth, self.on_value, self.off_value, self.axis)


class Norm(Cell):
    """The Euclidean norm over axes: sqrt(sum(x²)).

    Args:
        axis: an int or a tuple of ints, the axes of the sum; (): all. Default: ().
        keep_dims: whether these axes stay, with size 1. Default: False.

    Inputs:
        x: a float tensor of any shape.

    Outputs:
        A tensor of the dtype of x, of the shape of x without the axes.

    Raises:
        TypeError: if keep_dims is no bool, or x is no Tensor.
        ValueError: if an axis is out of range.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Norm(axis=0)(Tensor([[3.0, 6.0], [4.0, 8.0]])))
        [ 5. 10.]
    """

    _held = primitives(
        "Sqrt", reduce_sum=lambda layer: ops.ReduceSum(True), squeeze=lambda layer: ops.Squeeze(layer.axis)
    )

    def __init__(self, axis: Any = (), keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = axis
        self.keep_dims = check_bool(keep_dims, "keep_dims", "Norm")

    def construct(self, x: Any) -> Tensor:
        """The norm."""
        return ops.sqrt(ops.reduce_sum(ops.square(x), self.axis, self.keep_dims))

    def extend_repr(self) -> str:
        """Options."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class ClipByNorm(Cell):
    """Scales x down where its Euclidean norm is above a limit: x · clip_norm / max(norm, clip_norm).

    Args:
        axis: an int or a tuple of ints, the axes of the norm. Default: None, for all.

    Inputs:
        x: a float tensor of any shape.
        clip_norm: a positive 0-d float tensor, or one with a shape that broadcasts with the norm.

    Outputs:
        A tensor of the shape and dtype of x.

    Raises:
        TypeError: if x is no Tensor.
        ValueError: if an axis is out of range, or the shapes do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)))
        [0.6 0.8]
    """

    _held = primitives(clip_by_norm=lambda layer: ops.ClipByNorm(layer.axis))

    def __init__(self, axis: Any = None) -> None:
        need_type(axis, int | tuple | list | bool | None, "For 'ClipByNorm', the 'axis' should be an int or a tuple")
        super().__init__()
        self.axis = axis

    def construct(self, x: Any, clip_norm: Any) -> Tensor:
        """x, scaled down."""
        axes = () if self.axis is None else self.axis
        wide = ops.cast(x, dtypes.float32)
        norm = ops.sqrt(ops.reduce_sum(ops.square(wide), axes, True))
        return ops.cast(wide * clip_norm / ops.maximum(norm, clip_norm), x.dtype)


class L1Regularizer(Cell):
    """scale · sum(|x|), which is added to a loss to make weights small.

    Args:
        scale: a positive number.

    Inputs:
        weights: a float tensor of any shape.

    Outputs:
        A 0-d tensor of the dtype of the weights.

    Raises:
        TypeError: if scale is no number, or the weights are no Tensor.
        ValueError: if scale is not positive.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.L1Regularizer(0.5)(Tensor([1.0, -3.0])))
        2.0
    """

    _held = primitives("Abs ReduceSum")

    def __init__(self, scale: float) -> None:
        super().__init__()
        need_type(scale, int | float, "For 'L1Regularizer', the 'scale' should be a number")
        if scale <= 0:
            raise ValueError(f"For 'L1Regularizer', the 'scale' should be positive, but got {scale}")
        self.scale = float(scale)

    def construct(self, weights: Any) -> Tensor:
        """The regularizer."""
        return ops.sum(ops.abs(weights)) * self.scale


class Roll(Cell):
    """Moves elements along axes. Elements that leave at the end enter at the start.

    Args:
        shift: an int, how far, or a tuple with one int for each axis.
        axis: an int, or a tuple of ints.

    Inputs:
        input_x: a tensor of any dtype and shape.

    Outputs:
        A tensor of the shape and dtype of the input.

    Raises:
        TypeError: if shift or axis is no int or tuple, or the input no Tensor.
        ValueError: if an axis is out of range, or there are not as many shifts as axes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Roll(1, 0)(Tensor([1.0, 2.0, 3.0])))
        [3. 1. 2.]
    """

    _held = primitives(shape_op="Shape")

    def __init__(self, shift: Any, axis: Any) -> None:
        super().__init__()
        self.shift = shift
        self.axis = axis

    def construct(self, input_x: Any) -> Tensor:
        """The moved input."""
        return ops.roll(input_x, self.shift, self.axis)


class _Triangle(Cell):
    """A triangle of matrices, by the function `_keep`."""

    _held = primitives("DType Mul Cast")
    _keep: Callable[[Any, int], Tensor]

    def construct(self, x: Any, k: int = 0) -> Tensor:
        """x with zeros on one side of diagonal k."""
        return type(self)._keep(x, k)


@sections(**TRIANGLE)
class Tril(_Triangle):
    """The lower triangle of matrices, with zeros above it: the last diagonal that is kept is `k`.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Tril()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[1. 0.]
         [3. 4.]]
    """

    _keep = staticmethod(ops.tril)


@sections(**TRIANGLE)
class Triu(_Triangle):
    """The upper triangle of matrices, with zeros below it: the first diagonal that is kept is `k`.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Triu()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[1. 2.]
         [0. 4.]]
    """

    _keep = staticmethod(ops.triu)


class TimeDistributed(Cell):
    """Applies a layer to each time step.

    Args:
        layer: a Cell.
        time_axis: an int, the axis of time.
        reshape_with_axis: accepted, without meaning. Default: None.

    Inputs:
        inputs: a tensor of any dtype, of shape [N, T, ...] if time_axis is 1.

    Outputs:
        A tensor of the dtype that the layer gives, of shape [N, T, ...]: the outputs for each step, stacked along
        time_axis.

    Raises:
        TypeError: if time_axis is no int.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.TimeDistributed(nn.Dense(3, 2), time_axis=1)
        >>> print(layer(ops.ones((4, 5, 3))).shape)
        (4, 5, 2)
    """

    _held = primitives("Transpose Reshape")

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None) -> None:
        super().__init__()
        self.layer = layer
        self.time_axis = check_int(time_axis, "time_axis", "TimeDistributed")
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Any) -> Any:
        """The layer's outputs, one for each step."""
        axis = one_axis(self.time_axis, inputs.ndim, "TimeDistributed", "time_axis")
        steps = [self.layer(item) for item in ops.unstack(inputs, axis)]
        return ops.stack(steps, axis)


class ResizeBilinear(Cell):
    """Resizes images by bilinear interpolation.

    Args:
        half_pixel_centers: whether the centres of pixels lie at half steps. Default: False.

    Inputs:
        x: a float tensor of shape [N, C, H, W].
        size: (height, width) of the result. Default: None.
        scale_factor: an int, the factor of both sizes, in place of size. Default: None.
        align_corners: a bool, whether the centres of the corners stay where they are. Default: False.

    Outputs:
        A tensor of the dtype of x, of shape [N, C, height, width].

    Raises:
        ValueError: if both or none of size and scale_factor are given.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.ResizeBilinear()(ops.ones((1, 1, 2, 2)), size=(4, 6)).shape)
        (1, 1, 4, 6)
    """

    def __init__(self, half_pixel_centers: bool = False) -> None:
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(
        self, x: Any, size: Any = None, scale_factor: int | None = None, align_corners: bool = False
    ) -> Tensor:
        """The resized images."""
        if (size is None) == (scale_factor is None):
            raise ValueError("ResizeBilinear needs either 'size' or 'scale_factor'")
        if scale_factor is not None:
            size = (x.shape[2] * scale_factor, x.shape[3] * scale_factor)
        return ops.ResizeBilinear(tuple(size), align_corners, self.half_pixel_centers)(x)

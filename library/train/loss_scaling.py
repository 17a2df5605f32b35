"""Loss scaling: the scalers of mixed precision, and checks for overflow."""

from __future__ import annotations

from typing import Any

from ...frontend.values import tree
from ...frontend.values.arguments import need_type as _need_type
from ...frontend.values.cell import Cell
from ...frontend.values.inplace import assign_inplace as _assign
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..nn.checks import check_positive_int as _check_positive_int
from ..nn.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell


def all_finite(inputs: Any) -> Tensor:
    """Whether every number of the tensors is finite.

    Args:
        inputs: a tuple or list of tensors (or one).

    Returns:
        A 0-d bool tensor.

    Raises:
        TypeError: if there is something besides tensors.
        ValueError: if there is no tensor.

    Examples:
        >>> import mycel as ms
        >>> print(ms.amp.all_finite((ms.Tensor([1.0]), ms.Tensor([float("inf")]))))
        False
    """
    leaves = tree.leaves(inputs)
    if not leaves:
        raise ValueError("all_finite needs at least one tensor")
    result: Any = None
    for leaf in leaves:
        _need_type(leaf, Tensor, "all_finite takes tensors")
        finite = ops.all(ops.isfinite(leaf))
        result = finite if result is None else ops.logical_and(result, finite)
    return result


def _scaled(inputs: Any, factor: Any) -> Any:
    """The tensors in the containers times a factor, in their own dtypes."""
    _need_type(inputs, Tensor | tuple | list | dict, "a loss scaler takes a tensor or a tuple of them")
    return tree.map_tensors(lambda x: x * ops.cast(factor, x.dtype), inputs)


def _check_scale(value: Any) -> float:
    _need_type(value, int | float, "'scale_value' should be a number")
    if value < 1.0:
        raise ValueError(f"'scale_value' must be > 1 (1 leaves the loss as it is), but got {value}")
    return float(value)


class LossScaler:
    """Base of loss scalers: `scale` the loss, `unscale` the gradients, `adjust` the scale.

    Raises:
        TypeError: if a subclass does not define all three.

    Examples:
        >>> import mycel as ms
        >>> isinstance(ms.amp.StaticLossScaler(8), ms.amp.LossScaler)
        True
    """

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'scale'")

    def unscale(self, inputs: Any) -> Any:
        """The inputs divided by the scale. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'unscale'")

    def adjust(self, grads_finite: Any) -> Any:
        """Let the scale follow from whether the gradients are finite. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'adjust'")


class StaticLossScaler(LossScaler):
    """A scale that stays.

    Args:
        scale_value: the scale, at least 1.

    Raises:
        TypeError: if it is no number. ValueError: if it is below 1.

    Examples:
        >>> import mycel as ms
        >>> scaler = ms.amp.StaticLossScaler(8)
        >>> print(scaler.scale(ms.Tensor(2.0)), scaler.unscale((ms.Tensor([8.0]),))[0])
        16.0 [1.]
    """

    def __init__(self, scale_value: float) -> None:
        self.scale_value = Parameter(Tensor(_check_scale(scale_value), dtypes.float32), name="scale_value")

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale."""
        return _scaled(inputs, self.scale_value)

    def unscale(self, inputs: Any) -> Any:
        """The inputs divided by the scale."""
        return _scaled(inputs, 1.0 / self.scale_value)

    def adjust(self, grads_finite: Any) -> bool:
        """False: the scale stays."""
        return False


class DynamicLossScaler(LossScaler):
    """A scale that falls after an overflow, and rises after `scale_window` steps without one.

    Args:
        scale_value: the first scale, at least 1.
        scale_factor: by which it rises and falls, an int.
        scale_window: how many good steps it takes to rise, a positive int.

    Raises:
        TypeError: for arguments of wrong types. ValueError: for numbers out of range.

    Examples:
        >>> import mycel as ms
        >>> scaler = ms.amp.DynamicLossScaler(scale_value=16, scale_factor=2, scale_window=1)
        >>> scaler.adjust(ms.Tensor(False))
        True
        >>> print(scaler.scale_value.asnumpy())
        8.0
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        value = _check_scale(scale_value)
        self.scale_window = _check_positive_int(scale_window, "scale_window", "DynamicLossScaler")
        self.scale_factor = _check_positive_int(scale_factor, "scale_factor", "DynamicLossScaler")
        self.scale_value = Parameter(Tensor(value, dtypes.float32), name="scale_value")
        self.counter = Parameter(Tensor(0, dtypes.int32), name="counter")

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale."""
        return _scaled(inputs, self.scale_value)

    def unscale(self, inputs: Any) -> Any:
        """The inputs divided by the scale."""
        return _scaled(inputs, 1.0 / self.scale_value)

    def adjust(self, grads_finite: Any) -> bool:
        """Let the scale follow from whether the gradients are finite, a bool tensor; True."""
        finite = grads_finite if isinstance(grads_finite, Tensor) else Tensor(bool(grads_finite))
        finite = ops.reshape(finite, ()) if finite.ndim else finite
        counter = self.counter + 1
        full = ops.equal(counter, self.scale_window)
        raised = self.scale_value * float(self.scale_factor)
        raised = ops.where(ops.isfinite(raised), raised, self.scale_value + 0.0)
        lowered = ops.maximum(self.scale_value * (1.0 / self.scale_factor), 1.0)
        good = ops.logical_and(finite, full)
        _assign(self.scale_value, ops.where(finite, ops.where(full, raised, self.scale_value + 0.0), lowered))
        restart = ops.logical_or(good, ops.logical_not(finite))
        _assign(self.counter, ops.where(restart, ops.zeros_like(counter), counter))
        return True


class LossScaleManager:
    """Base of loss scale managers: a subclass defines `get_loss_scale`, `update_loss_scale` and `get_update_cell`.

    Raises:
        NotImplementedError: if a subclass does not define a method that is called.

    Examples:
        >>> import mycel as ms
        >>> isinstance(ms.amp.FixedLossScaleManager(), ms.amp.LossScaleManager)
        True
    """

    def get_loss_scale(self) -> float:
        """The scale. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'get_loss_scale'")

    def update_loss_scale(self, overflow: bool) -> None:
        """Let the scale follow from whether there was an overflow. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'update_loss_scale'")

    def get_update_cell(self) -> Cell | None:
        """The Cell that adapts the scale in a training step. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'get_update_cell'")


class FixedLossScaleManager(LossScaleManager):
    """A loss scale that stays.

    Args:
        loss_scale: a number, at least 1. Default: 128.0.
        drop_overflow_update: whether a step with an overflow leaves the Parameters as they are. If not, the optimizer
            divides the gradients: give it the same `loss_scale`. Default: True.

    Raises:
        ValueError: if the scale is below 1.

    Examples:
        >>> import mycel as ms
        >>> ms.amp.FixedLossScaleManager(1024.0).get_loss_scale()
        1024.0
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True) -> None:
        if loss_scale < 1:
            raise ValueError(f"FixedLossScaleManager's 'loss_scale' should be at least 1, but got {loss_scale}")
        self._loss_scale = loss_scale
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self) -> float:
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether a step with an overflow leaves the Parameters unchanged."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: bool) -> None:
        """Nothing: the scale stays."""

    def get_update_cell(self) -> Cell | None:
        """A `FixedLossScaleUpdateCell`, or None if overflows are not looked for."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A loss scale that falls after an overflow, and rises after `scale_window` steps without one.

    Args:
        init_loss_scale: a number, the first scale, at least 1. Default: 2^24.
        scale_factor: an int, by which it rises and falls. Default: 2.
        scale_window: an int, how many good steps it takes to rise. Default: 2000.

    Raises:
        ValueError: if the scale is below 1, or another number is not positive.

    Examples:
        >>> import mycel as ms
        >>> manager = ms.amp.DynamicLossScaleManager(1024.0)
        >>> manager.update_loss_scale(overflow=True)
        >>> manager.get_loss_scale()
        512.0
    """

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: float = 2, scale_window: int = 2000) -> None:
        if init_loss_scale < 1:
            raise ValueError(f"DynamicLossScaleManager's 'init_loss_scale' should be > 1, but got {init_loss_scale}")
        if scale_factor < 1:
            raise ValueError(f"DynamicLossScaleManager's 'scale_factor' should be at least 1, but got {scale_factor}")
        self.loss_scale: float = init_loss_scale
        self.scale_window = _check_positive_int(scale_window, "scale_window", "DynamicLossScaleManager")
        self.scale_factor = scale_factor
        self.increase_ratio = scale_factor
        self.decrease_ratio = 1 / scale_factor
        self.cur_iter = 1
        self.last_overflow_iter = 0
        self.bad_step_max = 1000
        self.bad_step = 0

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale

    def get_drop_overflow_update(self) -> bool:
        """True: a step with an overflow leaves the Parameters unchanged."""
        return True

    def update_loss_scale(self, overflow: bool) -> None:
        """Let the scale follow from whether there was an overflow. RuntimeError after 1000 overflows in a row."""
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            if self.cur_iter - self.last_overflow_iter >= self.scale_window:
                self.loss_scale *= self.increase_ratio
                self.last_overflow_iter = self.cur_iter
            self.bad_step = 0
        if self.bad_step > self.bad_step_max:
            raise RuntimeError(
                f"the gradients overflowed in {self.bad_step} steps one after another, whatever the loss scale"
            )
        self.cur_iter += 1

    def get_update_cell(self) -> Cell | None:
        """A `DynamicLossScaleUpdateCell`."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)

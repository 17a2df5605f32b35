"""Training with a scaled loss: the step that skips updates after an overflow, and the Cells that adapt the scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...frontend.control_flow import calls as control
from ...frontend.control_flow.conversion import mark_convertible
from ...frontend.values import tree
from ...frontend.values.cell import Cell
from ...frontend.values.inplace import assign_inplace as assign
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .checks import check_number, check_positive_int, need_type
from .held import primitives
from .wrap import TrainOneStepCell

__all__ = ["DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "TrainOneStepWithLossScaleCell"]


class DynamicLossScaleUpdateCell(Cell):
    """Divides the loss scale by a factor after an overflow, and multiplies it after `scale_window` steps without one.

    Args:
        loss_scale_value: a number, the first scale.
        scale_factor: an int, the factor.
        scale_window: an int, how many good steps it takes to raise the scale.

    Inputs:
        loss_scale: the Parameter to change, 0-d or of shape [1], float32.
        overflow: a 0-d bool tensor, whether there was an overflow.

    Outputs:
        `overflow`, of its shape and dtype.

    Raises:
        TypeError: if loss_scale is no Parameter.

    Examples:
        >>> import mycel as ms
        >>> cell = ms.nn.DynamicLossScaleUpdateCell(1024.0, 2, 1000)
        >>> scale = ms.Parameter(ms.Tensor(1024.0), name="scale")
        >>> overflow = cell(scale, ms.Tensor(True))
        >>> print(scale.asnumpy())
        512.0
    """

    _held = primitives(
        "Select Reciprocal LessEqual",
        max="Maximum",
        logic_and="LogicalAnd",
        logic_not="LogicalNot",
        logic_or="LogicalOr",
    )

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value
        check_number(loss_scale_value, "loss_scale_value", "DynamicLossScaleUpdateCell")
        check_number(scale_factor, "scale_factor", "DynamicLossScaleUpdateCell")
        self._factor = float(scale_factor)
        self._window = check_positive_int(scale_window, "scale_window", "DynamicLossScaleUpdateCell")
        self.scale_window = Tensor(scale_window, dtypes.int32)
        self.scale_factor = Tensor(scale_factor, dtypes.float32)
        self.minimum_loss_scale = Tensor(1.0, dtypes.float32)
        self.cur_iter = Parameter(Tensor(1, dtypes.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, dtypes.int32), name="last_overflow_iterator_step")

    def get_loss_scale(self) -> float:
        """The first scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: Any, overflow: Any) -> Any:
        """Change the scale."""
        overflow = _as_flag(overflow)
        lowered = ops.maximum(loss_scale * (1.0 / self._factor), 1.0)
        scale = ops.where(overflow, lowered, loss_scale + 0.0)
        since = self.cur_iter - self.last_overflow_iter
        raised = ops.logical_and(ops.logical_not(overflow), since >= self._window)
        scale = ops.where(raised, scale * self._factor, scale)
        restart = ops.logical_or(overflow, raised)
        last = ops.where(restart, self.cur_iter + 0, self.last_overflow_iter + 0)
        assign(loss_scale, scale)
        assign(self.last_overflow_iter, last)
        assign(self.cur_iter, self.cur_iter + 1)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """Keeps the loss scale constant.

    Args:
        loss_scale_value: a number, the scale.

    Inputs:
        _: the scale, a 0-d float tensor; not used.
        overflow: a 0-d bool tensor.

    Outputs:
        The second input, of its shape and dtype.

    Raises:
        TypeError: if an input is missing.

    Examples:
        >>> import mycel as ms
        >>> cell = ms.nn.FixedLossScaleUpdateCell(1024.0)
        >>> print(cell.get_loss_scale(), cell(ms.Tensor(1024.0), ms.Tensor(True)))
        1024.0 True
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale_value

    def construct(self, _: Any, overflow: Any) -> Any:
        """`overflow`."""
        return overflow


def _as_flag(overflow: Any) -> Any:
    """A condition as a 0-d bool tensor."""
    flag = overflow if isinstance(overflow, Tensor) else Tensor(bool(overflow))
    flag = flag if flag.dtype is dtypes.bool_ else ops.not_equal(flag, 0)
    return flag if flag.ndim == 0 else ops.reshape(flag, ())


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training with a scaled loss. If the gradients overflow, the Parameters stay unchanged.

    A Cell of one's own derives from it and uses `self.grad`, `self.hyper_map`, `start_overflow_check`,
    `get_overflow_status` and `process_loss_scale` in its construct.

    Args:
        network: gives the loss (as `WithLossCell` does).
        optimizer: an Optimizer of the Parameters to train.
        scale_sense: the scale: a 0-d or [1] tensor, a number, a Cell that adapts it (`DynamicLossScaleUpdateCell`,
            `FixedLossScaleUpdateCell`), or a loss scale manager.

    Inputs:
        inputs: what the network takes, tensors of any shape and dtype.

    Outputs:
        (loss, whether there was an overflow, scale): a tensor of the shape and dtype of the loss, a 0-d bool tensor, a
        0-d float tensor.

    Raises:
        TypeError: if `scale_sense` is of another type.
        ValueError: if it is a tensor of another shape.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> with_loss, optimizer = nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.25)
        >>> step = nn.TrainOneStepWithLossScaleCell(with_loss, optimizer, nn.FixedLossScaleUpdateCell(1024.0))
        >>> loss, overflow, scale = step(ms.Tensor([[1.0]]), ms.Tensor([[0.0]]))
        >>> print(loss, overflow, scale, net.weight.asnumpy())
        1.0 False 1024.0 [[0.5]]
    """

    _held = primitives(
        "ReduceAll Equal",
        base0=lambda layer: Tensor(0, dtypes.int32),
        logic_not="LogicalNot",
        enable_allfinite=lambda layer: True,
    )

    def __init__(self, network: Any, optimizer: Any, scale_sense: Any) -> None:
        super().__init__(network, optimizer)
        self.hyper_map = ops.HyperMap()
        self.base = Tensor(1, dtypes.float32)
        self.reduce_sum = ops.sum
        self.less_equal = ops.less_equal
        self.allreduce = ops.identity
        self.is_distributed = False
        self.gpu_target = False
        self.ascend_910a_target = False
        self.ascend_910b_target = False
        self.loss_scaling_manager: Any = None
        scale = scale_sense
        if hasattr(scale_sense, "get_update_cell"):  # a loss scale manager
            scale = scale_sense.get_loss_scale()
            self.loss_scaling_manager = scale_sense.get_update_cell()
        elif isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            scale = scale_sense.get_loss_scale()
        elif isinstance(scale_sense, Tensor):
            if scale_sense.shape not in ((), (1,)):
                raise ValueError(
                    "For 'TrainOneStepWithLossScaleCell', the 'scale_sense' should have the shape () or (1,), but has "
                    f"{scale_sense.shape}"
                )
        else:
            wanted = "a Tensor, a number, a Cell or a loss scale manager"
            what = f"For 'TrainOneStepWithLossScaleCell', the 'scale_sense' should be {wanted}"
            need_type(scale_sense, int | float | np.number, what)
        self.scale_sense = Parameter(Tensor(scale, dtypes.float32), name="scale_sense")

    def construct(self, *inputs: Any) -> Any:
        """(loss, overflow, scale), after the update."""
        scaling = self.scale_sense
        (_, loss), gradients = self._scaled_gradient(_number(scaling), *inputs)
        status, scaling = self.start_overflow_check(loss, scaling)
        inverse = 1.0 / _number(scaling)
        gradients = tuple(gradient * ops.cast(inverse, gradient.dtype) for gradient in gradients)
        gradients = self.grad_reducer(gradients)
        condition = control.call(self.get_overflow_status, status, gradients)
        overflow = control.call(self.process_loss_scale, condition)
        control.call(_update_unless, overflow, self.optimizer, gradients)
        return loss, condition, scaling * 1  # the numbers of now: set_sense_scale changes the Parameter

    def set_sense_scale(self, sens: Any) -> None:
        """Change the scale. TypeError if it is no tensor or number, ValueError for another shape."""
        need_type(sens, Tensor, "set_sense_scale takes a Tensor")
        if sens.shape != self.scale_sense.shape and sens.size != 1:
            raise ValueError(f"set_sense_scale needs a tensor of shape {self.scale_sense.shape}, but got {sens.shape}")
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> tuple[Any, Any]:
        """Start to look for overflows: (a status for `get_overflow_status`, `compute_input`)."""
        return False, compute_input

    def get_overflow_status(self, status: Any, compute_output: Any) -> Any:
        """Whether a number in the gradients is infinite or not a number, a 0-d bool tensor."""
        tensors = tree.tensors(compute_output)
        if not tensors:
            return Tensor(False)
        finite = ops.all(ops.isfinite(tensors[0]))
        for tensor in tensors[1:]:
            finite = ops.logical_and(finite, ops.all(ops.isfinite(tensor)))
        return ops.logical_not(finite)

    def process_loss_scale(self, overflow: Any) -> Any:
        """Update the scale after an overflow, or after none. Returns `overflow`."""
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow


def _number(scale: Any) -> Any:
    """A scale as a 0-d tensor."""
    return ops.reshape(scale, ()) if isinstance(scale, Tensor) and scale.ndim else scale


@mark_convertible
def _update_unless(overflow: Any, optimizer: Any, gradients: Any) -> None:
    if not overflow:
        optimizer(gradients)

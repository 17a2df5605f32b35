"""Ways to train faster (`mindspore.boost`): gradients summed over steps are real, the others are accepted."""

from __future__ import annotations

from typing import Any

from ...frontend.control_flow.conversion import mark_convertible
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..functions.composite import HyperMap
from ..functions.overloads import MultitypeFuncGraph
from . import wrap
from .loss_scale import TrainOneStepWithLossScaleCell

__all__ = [
    "AutoBoost", "BoostTrainOneStepCell", "BoostTrainOneStepWithLossScaleCell", "GradientAccumulation",
    "gradient_accumulation_op", "gradient_clear_op",
]  # fmt: skip

gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
"""Adds a gradient, divided by the number of steps, to a Parameter."""
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")
"""Sets a Parameter to zeros."""


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def _add_part(steps: Any, total: Any, gradient: Any) -> Any:
    ops.assign_add(total, ops.cast(gradient / steps, total.dtype))
    return total


@gradient_clear_op.register("Tensor")
def _clear(total: Any) -> Any:
    return ops.assign(total, ops.zeros_like(total))


cumulative_grad_process, clear_grad = _add_part, _clear


class GradientAccumulation(Cell):
    """Sums gradients over several steps, and lets the optimizer make one step with their mean.

    Args:
        max_accumulation_step: the number of steps.
        optimizer: it.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> accumulate = ms.boost.GradientAccumulation(2, ms.nn.SGD(net.trainable_params(), 0.5))
        >>> for step in range(2):
        ...     loss = accumulate(ms.Tensor(0.0), (ms.Tensor([[1.0]]),))
        >>> print(net.weight.asnumpy())
        [[0.5]]
    """

    def __init__(self, max_accumulation_step: int, optimizer: Any) -> None:
        super().__init__()
        self._max_accumulation_step = max_accumulation_step
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.hyper_map = HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(Tensor(0, dtypes.int32), name="accumulation_step")

    @mark_convertible
    def construct(self, loss: Any, grads: Any) -> Any:
        """The loss, after the gradients are added, and at every last step the Parameters are updated."""
        steps = self._max_accumulation_step
        for total, gradient in zip(self._grad_accumulation, grads, strict=False):
            gradient_accumulation_op(steps, total, gradient)
        ops.assign_add(self._accumulation_step, 1)
        if self._accumulation_step >= steps:
            self.optimizer(self._grad_accumulation)
            ops.assign(self._accumulation_step, 0)
            for total in self._grad_accumulation:
                gradient_clear_op(total)
        return loss


class BoostTrainOneStepCell(wrap.TrainOneStepCell):
    """As `nn.TrainOneStepCell`."""


class BoostTrainOneStepWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """As `nn.TrainOneStepWithLossScaleCell`."""


class AutoBoost:
    """Accepted: the network and its optimizer are returned unchanged.

    Args:
        level: "O0", "O1" or "O2".
        boost_config_dict: accepted.

    Raises:
        ValueError: for another level.
    """

    def __init__(self, level: str = "O0", boost_config_dict: Any = "") -> None:
        if level not in ("O0", "O1", "O2"):
            raise ValueError(f"Level {level} is not supported: it should be 'O0', 'O1' or 'O2'")
        self.level = level
        self.boost_config = boost_config_dict

    def network_auto_process_train(self, network: Any, optimizer: Any) -> tuple[Any, Any]:
        """The network and the optimizer."""
        return network, optimizer

    def network_auto_process_eval(self, network: Any) -> Any:
        """The network."""
        return network

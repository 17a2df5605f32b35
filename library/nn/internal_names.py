"""Layers and functions of `mindspore.nn`'s modules that programs import by name or derive from."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .activation import _ACTIVATIONS as _activation
from .loss import LossBase
from .recurrent_cells import _gru_step, _lstm_step, _product, _rnn_relu, _rnn_tanh, _StepCell

__all__ = ["ParameterUpdate", "RNNCellBase", "VirtualDatasetCellTriple", "_activation"]

_GATES = {"rnn": 1, "gru": 3, "lstm": 4}


class RNNCellBase(_StepCell):
    """Base of cells that compute one step of a recurrent network: the Parameters, `reset_parameters` apart.

    Args:
        input_size, hidden_size: of one step.
        has_bias: whether there are `bias_ih` and `bias_hh`.
        num_chunks: how many gates the rows of the weights hold.
        dtype: of the Parameters.

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.nn.internal_names import RNNCellBase, _rnn_tanh_cell
        >>> class Cell(RNNCellBase):
        ...     def __init__(self):
        ...         super().__init__(2, 3, True, num_chunks=1)
        ...
        ...     def construct(self, x, h):
        ...         return _rnn_tanh_cell(x, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        >>> print(Cell()(ms.ops.ones((1, 2)), ms.ops.ones((1, 3))).shape)
        (1, 3)
    """

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool, num_chunks: int, dtype: Any = dtypes.float32
    ) -> None:
        self.gates = num_chunks
        super().__init__(input_size, hidden_size, has_bias, dtype)


def _rnn_tanh_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """One step of a simple recurrent network with tanh: the new state."""
    return _rnn_tanh(_product(inputs, w_ih, b_ih), (hidden,), w_hh, b_hh)[0]


def _rnn_relu_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """One step of a simple recurrent network with relu: the new state."""
    return _rnn_relu(_product(inputs, w_ih, b_ih), (hidden,), w_hh, b_hh)[0]


def _lstm_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """One step of an LSTM, with the state (h, c): the new h and c."""
    return _lstm_step(_product(inputs, w_ih, b_ih), tuple(hidden), w_hh, b_hh)


def _gru_cell(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """One step of a GRU: the new state."""
    return _gru_step(_product(inputs, w_ih, b_ih), (hidden,), w_hh, b_hh)[0]


class _Loss(LossBase):
    """The old name of the base of losses.

    Args:
        reduction: 'mean', 'sum' or 'none'.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def construct(self, logits: Any, labels: Any) -> Any:
        """The loss, which a subclass defines."""
        raise NotImplementedError


class _VirtualDatasetCell(Cell):
    """A network whose inputs would be cut over devices: in one process the network itself.

    Args:
        backbone: the network.
    """

    def __init__(self, backbone: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs: Any) -> Any:
        """The network's output."""
        return self._backbone(*inputs)


class VirtualDatasetCellTriple(_VirtualDatasetCell):
    """A network of three inputs that would be cut over devices: in one process the network itself."""

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        """The network's output."""
        return self._backbone(a, b, c)


class _MicroBatch(Cell):
    """Takes one of several equal parts of each input.

    Args:
        micro_size: the number of parts.
    """

    def __init__(self, micro_size: int) -> None:
        super().__init__()
        self.micro_size = micro_size

    def construct(self, i: int, *inputs: Any) -> Any:
        """Part `i` of each input, cut along its first axis."""
        parts = []
        for value in inputs:
            rows = value.shape[0] // self.micro_size
            parts.append(value[i * rows : (i + 1) * rows])
        return tuple(parts)


class ParameterUpdate(Cell):
    """Gives a Parameter the value it is called with.

    Args:
        param: the Parameter.

    Raises:
        TypeError: if it is no Parameter.
    """

    def __init__(self, param: Any) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(param, Tensor):
            raise TypeError(f"For 'ParameterUpdate', 'param' must be 'Parameter', but got {type(param).__name__}.")
        self._param: Any = param

    def construct(self, x: Any) -> Any:
        """The value."""
        parameter: Any = self._param
        ops.assign(parameter, x)
        return x


def _grad_overflow(grad: Any) -> Any:
    """Whether a gradient holds an infinity or a NaN: 1 or 0."""
    return ops.cast(ops.logical_not(ops.isfinite(grad).all()), dtypes.float32)

"""One step of a recurrent layer, and Cells that do one step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.control_flow.random_draws import draw_initial
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..docstrings import like, sections
from ..initializer import Uniform, initializer
from .checks import check_bool, check_choice, check_positive_int, need_type
from .dense import match_dtype

_TAKES_TENSORS = True

__all__ = ["GRUCell", "LSTMCell", "RNNCell"]


Step = Callable[..., Any]


def _product(x: Any, weight: Any, bias: Any) -> Any:
    """x · weightᵀ + bias."""
    out = ops.matmul(x, ops.transpose(match_dtype(x, weight), (1, 0)))
    return out if bias is None else out + match_dtype(x, bias)


def _rnn_step(activation: Callable[[Any], Any]) -> Step:
    def step(part: Any, state: tuple[Any, ...], w_hh: Any, b_hh: Any) -> tuple[Any, ...]:
        return (activation(part + _product(state[0], w_hh, b_hh)),)

    return step


_rnn_tanh = _rnn_step(lambda x: ops.tanh(x))


_rnn_relu = _rnn_step(lambda x: ops.relu(x))


def _lstm_step(part: Any, state: tuple[Any, ...], w_hh: Any, b_hh: Any) -> tuple[Any, ...]:
    h, c = state
    size = c._type.shape[-1]
    gates = part + _product(h, w_hh, b_hh)
    i, f, g, o = (gates[..., number * size : (number + 1) * size] for number in range(4))
    new_c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
    return ops.sigmoid(o) * ops.tanh(new_c), new_c


def _gru_step(part: Any, state: tuple[Any, ...], w_hh: Any, b_hh: Any) -> tuple[Any, ...]:
    h = state[0]
    size = h._type.shape[-1]
    own = _product(h, w_hh, b_hh)
    reset = ops.sigmoid(part[..., :size] + own[..., :size])
    update = ops.sigmoid(part[..., size : 2 * size] + own[..., size : 2 * size])
    new = ops.tanh(part[..., 2 * size :] + reset * own[..., 2 * size :])
    return (new + update * (h - new),)


class _StepCell(Cell):
    gates = 1

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = dtypes.float32) -> None:
        super().__init__()
        owner = type(self).__name__
        self.input_size = check_positive_int(input_size, "input_size", owner)
        self.hidden_size = check_positive_int(hidden_size, "hidden_size", owner)
        self.has_bias = check_bool(has_bias, "has_bias", owner)
        rows = self.gates * hidden_size
        self.bias_ih: Any = None
        self.bias_hh: Any = None
        shapes = {"weight_ih": (rows, input_size), "weight_hh": (rows, hidden_size)}
        for name, shape in (shapes | ({"bias_ih": (rows,), "bias_hh": (rows,)} if has_bias else {})).items():
            # MindSpore takes these from NumPy's generator before it draws the weights; a script goes on behind them.
            setattr(self, name, Parameter(Tensor(draw_initial(np.random.randn, *shape), dtype), name))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new numbers for all Parameters: uniform within ±1 / sqrt(hidden_size)."""
        for parameter in self.get_parameters():
            parameter.set_data(initializer(Uniform(1 / math.sqrt(self.hidden_size)), parameter.shape, parameter.dtype))

    def _run(self, step: Step, x: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
        owner = type(self).__name__
        if x.ndim != 2 or x._type.shape[1] != self.input_size:
            raise ValueError(f"{owner} takes inputs of shape [N, {self.input_size}], but got {x.shape}")
        for tensor in state:
            if tensor.ndim != 2 or tensor._type.shape[1] != self.hidden_size:
                raise ValueError(f"{owner} takes states of shape [N, {self.hidden_size}], but got {tensor.shape}")
        part = _product(x, self.weight_ih, self.bias_ih)
        return step(part, state, self.weight_hh, self.bias_hh)


class RNNCell(_StepCell):
    """One step of a simple recurrent network: h' = tanh(W_ih · x + b_ih + W_hh · h + b_hh).

    Args:
        input_size: a positive int, the size of the input.
        hidden_size: a positive int, the size of the state.
        has_bias: whether there are biases. Default: True.
        nonlinearity: 'tanh' or 'relu'. Default: 'tanh'.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        x: a float tensor of shape [N, input_size].
        hx: a float tensor of shape [N, hidden_size], the state.

    Outputs:
        A tensor of the dtype of x, of shape [N, hidden_size], the new state.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if a size is not positive, for another nonlinearity, or for inputs of other shapes.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.RNNCell(3, 2)(ops.ones((4, 3)), ops.zeros((4, 2))).shape)
        (4, 2)
    """

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool = True, nonlinearity: str = "tanh",
        dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, has_bias, dtype)
        self.nonlinearity = check_choice(nonlinearity, ("tanh", "relu"), "nonlinearity", "RNNCell")

    def construct(self, x: Any, hx: Any) -> Tensor:
        """The new state."""
        need_type(hx, Tensor, "For 'RNNCell', the 'hx' should be a Tensor")
        return self._run(_rnn_tanh if self.nonlinearity == "tanh" else _rnn_relu, x, (hx,))[0]


_SIZES = {
    "Args": """
        input_size: a positive int, the size of the input.
        hidden_size: a positive int, the size of the state.
        has_bias: whether there are biases. Default: True.
        dtype: the dtype of the Parameters. Default: float32.
    """
}


@sections(**_SIZES)
class LSTMCell(_StepCell):
    """One step of a long short-term memory: c' = f · c + i · g, h' = o · tanh(c'), with gates i, f, o and candidate g.

    Each of i, f, g and o is W_ih · x + b_ih + W_hh · h + b_hh, through tanh for g and sigmoid for the others; the
    Parameters have them in this order.

    Inputs:
        x: a float tensor of shape [N, input_size].
        hx: a tuple (h, c) of float tensors of shape [N, hidden_size].

    Outputs:
        A tuple (h', c') of tensors of the dtype of x, of shape [N, hidden_size].

    Raises:
        TypeError: if an argument has the wrong type, or hx is no tuple.
        ValueError: if a size is not positive, or for inputs of other shapes.

    Examples:
        >>> from mycel import nn, ops
        >>> h, c = nn.LSTMCell(3, 2)(ops.ones((4, 3)), (ops.zeros((4, 2)), ops.zeros((4, 2))))
        >>> print(h.shape, c.shape)
        (4, 2) (4, 2)
    """

    gates = 4

    def construct(self, x: Any, hx: Any) -> Any:
        """(h, c), new."""
        need_type(hx, tuple, "For 'LSTMCell', the 'hx' should be a tuple (h, c)")
        return self._run(_lstm_step, x, hx)


@like(RNNCell)
@sections(**_SIZES)
class GRUCell(_StepCell):
    """One step of a gated recurrent unit: h' = n + z · (h - n), with update gate z and new candidate n.

    n = tanh(W_in · x + b_in + r · (W_hn · h + b_hn)) with the reset gate r; the Parameters have r, z, n in this order.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if a size is not positive, or for inputs of other shapes.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.GRUCell(3, 2)(ops.ones((4, 3)), ops.zeros((4, 2))).shape)
        (4, 2)
    """

    gates = 3

    def construct(self, x: Any, hx: Any) -> Tensor:
        """The new state."""
        need_type(hx, Tensor, "For 'GRUCell', the 'hx' should be a Tensor")
        return self._run(_gru_step, x, (hx,))[0]

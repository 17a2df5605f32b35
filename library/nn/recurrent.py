"""Recurrent layers: cells of one step, and RNN, LSTM and GRU over sequences. A trace records the step once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.values import literal
from ...compiler.transforms.symbolic import Symbol
from ...frontend.control_flow.random_draws import draw_initial
from ...frontend.state import STATE
from ...frontend.values.parameter import Parameter, ParameterTuple
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import wrap
from ...runtime import dtypes
from .. import ops
from ..docstrings import sections
from .checks import check_bool, check_choice, check_positive_int, need_type
from .compiled import CompiledCell
from .dense import match_dtype
from .dropout import Dropout
from .held import primitives
from .recurrent_cells import Step, _gru_step, _lstm_step, _product, _rnn_relu, _rnn_tanh

_TAKES_TENSORS = True

__all__ = ["GRU", "LSTM", "RNN"]

UNROLLED = 4  # sequences as short as this are recorded step by step


def run_steps(
    step: Callable[[tuple[Any, ...], Sequence[Any]], tuple[Any, ...]],
    state: tuple[Any, ...],
    rows: Sequence[Any],
    reverse: bool = False,
) -> tuple[tuple[Any, ...], Any]:
    """Run `step(state, items of the rows) -> new state` along the first axis; the last state, and every first state.

    While tracing a long sequence the step is recorded once, in a scan.
    """
    length = rows[0]._type.shape[0]
    trace = STATE.trace
    if trace is None or length <= UNROLLED:
        outputs = []
        for position in range(length - 1, -1, -1) if reverse else range(length):
            state = step(state, [row[position] for row in rows])
            outputs.append(state[0])
        return state, ops.stack(outputs[::-1] if reverse else outputs, 0)
    outer = trace.recorder
    with trace.scope("step") as scope:
        scope.recorder.parameter(prims.INDEX, "i")
        carried = tuple(wrap(scope.recorder.parameter(one._type, "state")) for one in state)
        items = [wrap(scope.recorder.parameter(row._type.with_shape(row._type.shape[1:]), "row")) for row in rows]
        new = step(carried, items)
        body = scope.recorder.finish([*[trace.read(one) for one in new], trace.read(new[0])])
        captures = list(scope.recorder.captures)
    operands = [
        literal(length, dtypes.int64), *[outer.lift(trace.read(one)) for one in (*state, *rows)], *captures
    ]  # fmt: skip
    attrs = {"body": body, "carried": len(state), "scanned": len(rows), "length": length, "reverse": reverse}
    values = [wrap(Symbol(value, outer)) for value in outer.append(prims.scan, operands, attrs).outputs]
    return tuple(values[: len(state)]), values[len(state)]


def _listed(kind: str) -> Any:
    """How a layer makes the tuple of its Parameters of one kind, in the order of layers and directions."""
    return lambda layer: ParameterTuple(
        getattr(layer, f"{kind}_{suffix}") for suffix, _ in layer._places() if hasattr(layer, f"{kind}_{suffix}")
    )


class _RNNBase(CompiledCell):
    gates = 1
    states = 1
    _held = primitives(
        w_ih_list=_listed("weight_ih"),
        w_hh_list=_listed("weight_hh"),
        b_ih_list=_listed("bias_ih"),
        b_hh_list=_listed("bias_hh"),
        reverse=lambda layer: ops.ReverseV2([0]),
        reverse_sequence=lambda layer: ops.ReverseSequence(0, 1),
        is_lstm=lambda layer: layer.states == 2,
    )

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, has_bias: bool = True, batch_first: bool = False,
        dropout: float = 0.0, bidirectional: bool = False, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.input_size = check_positive_int(input_size, "input_size", owner)
        self.hidden_size = check_positive_int(hidden_size, "hidden_size", owner)
        self.num_layers = check_positive_int(num_layers, "num_layers", owner)
        self.has_bias = check_bool(has_bias, "has_bias", owner)
        self.batch_first = check_bool(batch_first, "batch_first", owner)
        self.bidirectional = check_bool(bidirectional, "bidirectional", owner)
        need_type(dropout, int | float, f"For '{owner}', the 'dropout' should be a float")
        if not 0 <= dropout < 1:
            raise ValueError(f"For '{owner}', the 'dropout' should be in [0, 1), but got {dropout}")
        self.dropout = float(dropout)
        self.dropout_op = Dropout(p=self.dropout)
        bound, rows = 1 / math.sqrt(hidden_size), self.gates * hidden_size
        directions = 2 if bidirectional else 1
        kinds = ["weight_ih", "weight_hh", *(["bias_ih", "bias_hh"] if has_bias else [])]
        drawn = {}  # layer by layer from NumPy's generator, as in MindSpore: a seed gives the same weights
        for suffix, layer in self._places():
            width = input_size if layer == 0 else hidden_size * directions
            for kind in kinds:
                shape = {"weight_ih": (rows, width), "weight_hh": (rows, hidden_size)}.get(kind, (rows,))
                numbers = np.asarray(draw_initial(np.random.uniform, -bound, bound, shape), np.float32)
                drawn[kind, suffix] = Tensor(numbers, dtype)
        # All of one kind come before the next kind, as in MindSpore.
        for kind in kinds:
            for suffix, _ in self._places():
                name = f"{kind}_{suffix}"
                setattr(self, name, Parameter(drawn[kind, suffix], name))

    def _places(self) -> list[tuple[str, int]]:
        """(name's end, layer) of each direction of each layer."""
        ends = ["", "_reverse"] if self.bidirectional else [""]
        return [(f"l{layer}{end}", layer) for layer in range(self.num_layers) for end in ends]

    def _step(self) -> Step:
        raise NotImplementedError

    def _start(self, x: Any, hx: Any) -> tuple[Any, ...]:
        """The first states, each [layers · directions, N, hidden_size]."""
        owner = type(self).__name__
        count = self.num_layers * (2 if self.bidirectional else 1)
        shape = (count, x._type.shape[1], self.hidden_size)
        if hx is None:
            return tuple(ops.zeros((count, x.shape[1], self.hidden_size), x.dtype) for _ in range(self.states))
        given = hx if self.states > 1 else (hx,)
        if self.states > 1 and (not isinstance(hx, tuple) or len(hx) != self.states):
            raise TypeError(
                f"For '{owner}', the 'hx' should be a tuple of {self.states} tensors, but got {type(hx).__name__}"
            )
        for state in given:
            need_type(state, Tensor, f"For '{owner}', the 'hx' should be of tensors")
            if state._type.shape != shape:
                raise ValueError(f"For '{owner}', the 'hx' should have shape {shape}, but has {state.shape}")
        return tuple(given)

    def construct(self, x: Any, hx: Any = None, seq_length: Any = None) -> Any:
        """(the outputs of the last layer, the last states)."""
        if not isinstance(x, Tensor) or x.ndim != 3:
            raise ValueError(
                f"{type(self).__name__} takes inputs of 3 dimensions, but got "
                f"{x.shape if isinstance(x, Tensor) else type(x).__name__}"
            )
        if x._type.shape[2] != self.input_size:
            raise ValueError(
                f"{type(self).__name__}: the last axis of the input should be {self.input_size}, "
                f"but its shape is {x.shape}"
            )
        if self.batch_first:
            x = ops.swapaxes(x, 0, 1)
        start = self._start(x, hx)
        mask = None if seq_length is None else _step_mask(seq_length, x)
        finals: list[tuple[Any, ...]] = []
        for layer in range(self.num_layers):
            outputs = []
            for direction, end in enumerate(["", "_reverse"] if self.bidirectional else [""]):
                place = len(finals)
                state = tuple(one[place] for one in start)
                final, output = self._direction(x, state, f"l{layer}{end}", direction == 1, mask)
                finals.append(final)
                outputs.append(output)
            x = ops.cat(outputs, 2) if len(outputs) > 1 else outputs[0]
            if layer < self.num_layers - 1 and self.dropout and self.training:
                x = self.dropout_op(x)
        last = tuple(ops.stack([final[number] for final in finals], 0) for number in range(self.states))
        if self.batch_first:
            x = ops.swapaxes(x, 0, 1)
        return x, (last if self.states > 1 else last[0])

    def _direction(
        self, x: Any, state: tuple[Any, ...], place: str, reverse: bool, mask: Any
    ) -> tuple[tuple[Any, ...], Any]:
        """One layer in one direction: the last state, and the outputs of all steps."""
        bias_ih, bias_hh = (
            (getattr(self, f"bias_ih_{place}"), getattr(self, f"bias_hh_{place}")) if self.has_bias else (None, None)
        )
        w_hh, step = getattr(self, f"weight_hh_{place}"), self._step()
        parts = _product(x, getattr(self, f"weight_ih_{place}"), bias_ih)
        if bias_hh is not None and step is not _gru_step:  # which scales a part of it
            parts, bias_hh = parts + match_dtype(parts, bias_hh), None  # once for all steps

        def plain(carried: tuple[Any, ...], items: Sequence[Any]) -> tuple[Any, ...]:
            return step(items[0], carried, w_hh, bias_hh)

        def masked(carried: tuple[Any, ...], items: Sequence[Any]) -> tuple[Any, ...]:
            new = step(items[0], carried, w_hh, bias_hh)
            return tuple(ops.where(items[1], after, before) for after, before in zip(new, carried, strict=True))

        if mask is None:
            return run_steps(plain, state, [parts], reverse)
        final, output = run_steps(masked, state, [parts, mask], reverse)
        return final, ops.where(mask, output, ops.zeros_like(output))


def _step_mask(seq_length: Any, x: Any) -> Any:
    """Whether each step is within each sequence, bool [T, N, 1]."""
    steps = ops.reshape(ops.arange(x._type.shape[0]), (-1, 1, 1))
    return steps < ops.reshape(ops.cast(seq_length, dtypes.int64), (1, -1, 1))


_ERRORS = {
    "Raises": """
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if a number is out of range, or for inputs of other shapes.
    """
}


_ONE_STATE = {
    "Inputs": """
        x: a float tensor of shape [T, N, input_size]; with batch_first [N, T, input_size].
        hx: a float tensor of shape [num_layers · directions, N, hidden_size], the first states. Default: None, for
            zeros.
        seq_length: an int32 tensor of shape [N], how many steps of each sequence count. Default: None, for all.
    """,
    "Outputs": """
        A pair: the outputs, a tensor of the dtype of x, of shape [T, N, hidden_size · directions] (with batch_first
        [N, T, ...]); and the last states, of the shape of hx.
    """,
}


@sections(**_ERRORS, **_ONE_STATE)
class RNN(_RNNBase):
    """Simple recurrent layers over a sequence: h = tanh(W_ih · x + b_ih + W_hh · h + b_hh), step by step.

    Args:
        args: input_size and hidden_size, positive ints, then the others in this order.
        kwargs: num_layers, how many layers lie one on top of the other (1); nonlinearity, 'tanh' or 'relu' ('tanh');
            has_bias (True); batch_first, whether the first axis is the batch in place of time (False); dropout, in
            training, of the outputs of all layers but the last (0.0); bidirectional, whether there is a layer in the
            other direction too (False); dtype (float32).

    Examples:
        >>> import mycel as ms
        >>> layer = ms.nn.RNN(4, 3, batch_first=True)
        >>> outputs, h = layer(ms.ops.ones((2, 5, 4)))
        >>> print(outputs.shape, h.shape)
        (2, 5, 3) (1, 2, 3)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.nonlinearity = check_choice(kwargs.pop("nonlinearity", "tanh"), ("tanh", "relu"), "nonlinearity", "RNN")
        super().__init__(*args, **kwargs)

    def _step(self) -> Step:
        return _rnn_tanh if self.nonlinearity == "tanh" else _rnn_relu


@sections(**_ERRORS)
class LSTM(_RNNBase):
    """Long short-term memory layers over a sequence: at each step that of `LSTMCell`.

    Args:
        input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional, dtype: as for `GRU`.

    Inputs:
        x: a float tensor of shape [T, N, input_size]; with batch_first [N, T, input_size].
        hx: a tuple (h, c) of float tensors of shape [num_layers · directions, N, hidden_size], the first states.
            Default: None, for zeros.
        seq_length: an int32 tensor of shape [N], how many steps of each sequence count. Default: None, for all.

    Outputs:
        A pair: the outputs, a tensor of the dtype of x, of shape [T, N, hidden_size · directions] (with batch_first
        [N, T, ...]); and a tuple (h, c) of the last states, of the shapes of hx.

    Examples:
        >>> import mycel as ms
        >>> layer = ms.nn.LSTM(4, 3, batch_first=True)
        >>> outputs, (h, c) = layer(ms.ops.ones((2, 5, 4)))
        >>> print(outputs.shape, h.shape)
        (2, 5, 3) (1, 2, 3)
    """

    gates = 4
    states = 2

    def _step(self) -> Step:
        return _lstm_step


@sections(**_ERRORS, **_ONE_STATE)
class GRU(_RNNBase):
    """Gated recurrent unit layers over a sequence: at each step that of `GRUCell`.

    Args:
        input_size: a positive int, the size of the input.
        hidden_size: a positive int, the size of the state.
        num_layers: a positive int, how many layers lie one on top of the other. Default: 1.
        has_bias: whether there are biases. Default: True.
        batch_first: whether the first axis is the batch, in place of time. Default: False.
        dropout: a number in [0, 1): in training, of the outputs of all layers but the last. Default: 0.0.
        bidirectional: whether there is a layer in the other direction too. Default: False.
        dtype: the dtype of the Parameters. Default: float32.

    Examples:
        >>> import mycel as ms
        >>> layer = ms.nn.GRU(4, 3, batch_first=True)
        >>> outputs, h = layer(ms.ops.ones((2, 5, 4)))
        >>> print(outputs.shape, h.shape)
        (2, 5, 3) (1, 2, 3)
    """

    gates = 3

    def _step(self) -> Step:
        return _gru_step

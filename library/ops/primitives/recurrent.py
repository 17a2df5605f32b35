"""Primitives of whole recurrent layers and of attention."""

from __future__ import annotations

import math
from typing import Any

from ....frontend.values.dispatch import cast
from ....frontend.values.tensor import Tensor
from ...functions import attention
from .primitive import Row, function_named as f, make_classes, takes


def _only(self: Any, **allowed: Any) -> None:
    """ValueError where an argument has a value that is not supported, by MindSpore neither."""
    for name, value in allowed.items():
        if getattr(self, name) != value:
            raise ValueError(f"{self.name}: '{name}' should be {value!r}, but got {getattr(self, name)!r}")


def _start(self: Any, given: Any, x: Any, hidden: int, dtype: Any) -> Tensor:
    """The state before the first step, (batch, hidden)."""
    if given is None:
        return f("zeros")((int(x.shape[1]), hidden), dtype)
    return f("reshape")(given, (int(x.shape[1]), hidden))


def _sequence(self: Any, x: Any, lengths: Any) -> int:
    """How many steps there are."""
    if lengths is not None:
        raise ValueError(f"{self.name}: 'seq_length' should be None")
    if x.ndim != 3:
        raise ValueError(f"{self.name}: x of shape (steps, batch, input) is expected, but got {x.shape}")
    return int(x.shape[0])


def _dynamic_rnn(
    self: Any, x: Any, w: Any, b: Any, seq_length: Any = None, init_h: Any = None, init_c: Any = None
) -> Any:
    """(y, output_h, output_c, i, j, f, o, tanhc), each (steps, batch, hidden); the weight's gates are i j f o."""
    _only(self, cell_type="LSTM", direction="UNIDIRECTIONAL", activation="tanh", time_major=True, use_peephole=False)
    steps, hidden = _sequence(self, x, seq_length), int(w.shape[1]) // 4
    inputs = int(x.shape[2])
    if tuple(w.shape) != (inputs + hidden, 4 * hidden) or tuple(b.shape) != (4 * hidden,):
        raise ValueError(f"DynamicRNN: a weight {w.shape} and a bias {b.shape} do not fit x of shape {x.shape}")
    h, c = _start(self, init_h, x, hidden, x.dtype), _start(self, init_c, x, hidden, x.dtype)
    from_inputs = f("matmul")(x, w[:inputs]) + cast(b, x.dtype)
    found: list[list[Any]] = [[] for _ in range(8)]
    for step in range(steps):
        i, j, forget, o = f("split")(from_inputs[step] + f("matmul")(h, w[inputs:]), hidden, 1)
        i, j, o = f("sigmoid")(i), f("tanh")(j), f("sigmoid")(o)
        forget = f("sigmoid")(forget + self.forget_bias)
        c = forget * c + i * j
        if self.cell_clip > 0:
            c = f("clip_by_value")(c, -self.cell_clip, self.cell_clip)
        bounded = f("tanh")(c)
        h = o * bounded
        for items, item in zip(found, (h, h, c, i, j, forget, o, bounded), strict=True):
            items.append(item)
    return tuple(f("stack")(items) for items in found)


def _lstm(self: Any, x: Any, h: Any, c: Any, w: Any) -> Any:
    """(output, h, c, reserve, state) of one layer; the weight holds W_ih of each direction, then W_hh, W_hr (with a
    projection) and one bias, rows of the gates i f g o. `reserve` and `state`, which devices use for the backward, are
    empty. Further weights are not used, as in MindSpore."""
    _only(self, num_layers=1)
    _sequence(self, x, None)
    hidden, inputs, ways = int(self.hidden_size), int(self.input_size), 1 + bool(self.bidirectional)
    out = int(self.proj_size) or hidden
    if not 0 < out <= hidden:
        raise ValueError(f"LSTM: 'proj_size' should be in [0, {hidden}], but got {self.proj_size}")
    shapes = [(4 * hidden, inputs), (4 * hidden, out), (out, hidden), (4 * hidden,)]
    present = (True, True, bool(self.proj_size), bool(self.has_bias))
    count = ways * sum(math.prod(shape) for shape, used in zip(shapes, present, strict=True) if used)
    if w.size < count or int(x.shape[2]) != inputs:
        raise ValueError(
            f"LSTM: {count} weights and x of shape (steps, batch, {inputs}) are expected, but there are {w.size} "
            f"weights, and x has the shape {x.shape}"
        )
    flat, place = f("reshape")(w, (-1,)), 0
    parts: list[list[Any]] = [[] for _ in range(ways)]
    for shape, used in zip(shapes, present, strict=True):
        for way in parts:
            end = place + math.prod(shape) if used else place
            way.append(f("reshape")(flat[place:end], shape) if used else None)
            place = end
    found = [_direction(x, h[way], c[way], parts[way], bool(way)) for way in range(ways)]
    outputs, states, cells = zip(*found, strict=True)
    empty = f("zeros")((1, 1), x.dtype)
    return f("concat")(outputs, -1), f("stack")(states), f("stack")(cells), empty, empty


def _direction(x: Any, state: Any, cell: Any, weights: list[Any], back: bool) -> tuple[Any, Any, Any]:
    """The outputs of all steps, the last state and cell of an LSTM layer in one direction."""
    from_x, from_state, projection, bias = weights
    from_inputs = f("matmul")(x, from_x.T)
    if bias is not None:
        from_inputs = from_inputs + bias
    outputs = []
    for step in range(int(x.shape[0]))[:: -1 if back else 1]:
        gates = from_inputs[step] + f("matmul")(state, from_state.T)
        i, forget, g, o = f("split")(gates, int(cell.shape[1]), 1)
        cell = f("sigmoid")(forget) * cell + f("sigmoid")(i) * f("tanh")(g)
        state = f("sigmoid")(o) * f("tanh")(cell)
        if projection is not None:
            state = f("matmul")(state, projection.T)
        outputs.append(state)
    return f("stack")(outputs[::-1] if back else outputs), state, cell


def _dynamic_gru(
    self: Any, x: Any, weight_input: Any, weight_hidden: Any, bias_input: Any = None, bias_hidden: Any = None,
    seq_length: Any = None, init_h: Any = None,
) -> Any:  # fmt: skip
    """(y, output_h, update, reset, new, hidden_new), each (steps, batch, hidden)."""
    _only(self, direction="UNIDIRECTIONAL", activation="tanh", time_major=True, reset_after=True)
    if self.gate_order not in ("rzh", "zrh"):
        raise ValueError(f"DynamicGRUV2: 'gate_order' should be 'rzh' or 'zrh', but got {self.gate_order!r}")
    steps, hidden = _sequence(self, x, seq_length), int(weight_hidden.shape[0])
    dtype = init_h.dtype if init_h is not None else x.dtype
    h = _start(self, init_h, x, hidden, dtype)
    from_inputs = cast(f("matmul")(x, weight_input), dtype)
    weight = cast(weight_hidden, dtype)
    if bias_input is not None:
        from_inputs = from_inputs + cast(bias_input, dtype)
    found: list[list[Any]] = [[] for _ in range(6)]
    for step in range(steps):
        from_state = f("matmul")(h, weight)
        if bias_hidden is not None:
            from_state = from_state + cast(bias_hidden, dtype)
        first, second, own = f("split")(from_inputs[step], hidden, 1)
        first_state, second_state, hidden_new = f("split")(from_state, hidden, 1)
        gates = f("sigmoid")(first + first_state), f("sigmoid")(second + second_state)
        reset, update = gates if self.gate_order == "rzh" else gates[::-1]
        new = f("tanh")(own + reset * hidden_new)
        h = (1.0 - update) * new + update * h
        for items, item in zip(found, (h, h, update, reset, new, hidden_new), strict=True):
            items.append(item)
    return tuple(f("stack")(items) for items in found)


def _flash_attention(self: Any, query: Any, key: Any, value: Any, *rest: Any, **named: Any) -> Any:
    """(softmax_max, softmax_sum, softmax_out, attention_out); the first two have 8 equal columns."""
    return attention.flash_attention(
        query, key, value, self.head_num, self.keep_prob, self.scale_value, self.input_layout, *rest, **named
    )


_GRU = {"direction": "UNIDIRECTIONAL", "cell_depth": 1, "keep_prob": 1.0, "cell_clip": -1.0, "num_proj": 0}
TABLE: dict[str, Row] = {
    "DynamicRNN": (
        _dynamic_rnn,
        {
            "cell_type": "LSTM", "direction": "UNIDIRECTIONAL", "cell_depth": 1, "use_peephole": False,
            "keep_prob": 1.0, "cell_clip": -1.0, "num_proj": 0, "time_major": True, "activation": "tanh",
            "forget_bias": 0.0, "is_training": True,
        },
    ),
    "LSTM": (
        _lstm,
        takes("input_size hidden_size num_layers has_bias bidirectional dropout", proj_size=0),
    ),
    "DynamicGRUV2": (
        _dynamic_gru,
        {
            **_GRU, "time_major": True, "activation": "tanh", "gate_order": "rzh", "reset_after": True,
            "is_training": True,
        },
    ),
    "FlashAttentionScore": (
        _flash_attention,
        takes(
            "head_num", keep_prob=1.0, scale_value=1.0, pre_tokens=2147483647, next_tokens=2147483647, inner_precise=0,
            input_layout="BSH", sparse_mode=0,
        ),
    ),
}  # fmt: skip
CLASSES = make_classes(TABLE, globals())

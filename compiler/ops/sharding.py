"""The op that says how a tensor is cut over processes. The pass partition puts the tensor into this layout."""

from __future__ import annotations

from typing import Any

from ..ir.attributes import TEXT, optional
from ..ir.layouts import Layout, count, independent
from ..ir.op import Attribute, Op, Sample
from ..ir.rules import Batch, Symbol
from ..ir.types import TensorType, show_shape
from .samples import pair


def _is_digit(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(type(item) is int and item > 0 for item in value)


def _is_layout(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(cut, tuple) and all(map(_is_digit, cut)) for cut in value)


LAYOUT = Attribute("the digits of ranks that cut each dimension", _is_layout)


def _infer(x: TensorType, *, layout: Layout, of: str = "") -> TensorType:
    if len(layout) != x.rank:
        raise ValueError(f"a layout of {len(layout)} dimensions does not fit a tensor of shape {show_shape(x.shape)}")
    if any(size is not None and size % count(cut) for size, cut in zip(x.shape, layout, strict=True)):
        parts = tuple(map(count, layout))
        raise ValueError(f"a tensor of shape {show_shape(x.shape)} cannot be cut into {parts} equal parts")
    if not independent([digit for cut in layout for digit in cut]):
        raise ValueError("a layout should not use a part of the device matrix for two dimensions")
    return x


def _batch(batch: Batch, x: Symbol, *, layout: Layout, **attrs: Any) -> Any:
    return shard(x, layout=((), *layout), **attrs)


shard: Op = Op(
    "shard",
    kind="view",
    attrs={"layout": LAYOUT, "of": optional(TEXT)},
    infer=_infer,
    kernel=lambda x, *, layout, of="": x,
    vjp=lambda x, out, dout, *, layout, of="": shard(dout, layout=layout),
    batch=_batch,
    samples=lambda: [Sample(pair((2, 3)), {"layout": (((2, 1),), ())})],
    doc="x, cut over processes by digits of their ranks. `of` is the operation that has to be computed from the parts.",
)

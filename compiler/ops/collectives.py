"""Collectives: ops that all processes of a group run together, and messages between two processes.

The gradients are those of the sum of all processes' results. A value that one process gives to the others influences
their results, so their cotangents come back to it. Every rule sends back as much as was sent, with ops of this file.
Nodes of these ops are never merged, dropped or reordered, because the other processes wait for them.

Rows are the indices of the first axis. `size` is the number of processes of the group; types depend on it. The pass
`collectives` sets `checked` if a program's calls are compared all at once, and `line`, the user's line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...runtime.distributed.communicator import REDUCTIONS, Communicator
from ...runtime.distributed.errors import CommunicationError
from ...runtime.distributed.group import WORLD
from ...runtime.distributed.world import JOB
from ...runtime.dtypes import DType, float32
from ..ir.attributes import DTYPE, FLAG, SHAPES, SIZE, SIZES, TEXT, optional, tuple_of
from ..ir.op import Attribute, Op, Sample
from ..ir.rules import Batch, Symbol
from ..ir.types import TensorType
from .arithmetic import add, divide, multiply
from .comparison import equal, select
from .conversion import cast
from .creation import zeros_as
from .samples import Samples, pair
from .shape import transpose

Array = np.ndarray
TEXTS = tuple_of(TEXT, "a tuple of strings")
_GROUP: Mapping[str, Attribute] = {
    "group": TEXT, "size": SIZE, "checked": optional(FLAG), "line": optional(TEXT),
}  # fmt: skip
_BY: Mapping[str, Attribute] = {"by": TEXT}
_ROOT: Mapping[str, Attribute] = {"root": SIZE}


def _group(name: str, size: int) -> Communicator:
    """The group of a node. Its size must be the same as when the node was made."""
    found = JOB.group(name)
    if found.size != size:
        raise CommunicationError(
            f"group '{name}' has {found.size} processes now, but had {size} when this was compiled"
        )
    return found


def _kernel_of(method: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of a collective: a method of the group's communicator."""
    name = method.__name__

    def kernel(x: Array, *, group: str, size: int, out: Array | None = None, **options: Any) -> Any:
        return getattr(_group(group, size), name)(x, out=out, **options)

    return kernel


def _kernel_all_reduce(
    x: Array, *, group: str, size: int, bucket: int = 0, out: Array | None = None, **options: Any
) -> Array:
    return _group(group, size).all_reduce(x, out=out, **options)


# Types


def _check_reduction(x: TensorType, by: str) -> None:
    if by not in REDUCTIONS:
        raise ValueError(f"the reduction should be one of {', '.join(REDUCTIONS)}, but got {by!r}")
    if x.dtype.is_bool or (x.dtype.is_complex and by in ("max", "min")):
        raise TypeError(f"the {by} over processes is not defined for {x.dtype}: cast the tensor")


def _check_root(root: int, size: int) -> None:
    if not 0 <= root < size:
        raise ValueError(f"the group has the ranks 0 to {size - 1}, but got rank {root}")


def _more_rows(x: TensorType, size: int) -> TensorType:
    """The type of the rows of all processes."""
    if not x.rank:
        raise ValueError("a tensor without axes has no rows that processes could gather: reshape it to (1,)")
    rows = x.shape[0]
    return x.with_shape((None if rows is None else rows * size, *x.shape[1:]))


def _fewer_rows(x: TensorType, size: int) -> TensorType:
    """The type of one process's part of the rows."""
    if not x.rank:
        raise ValueError("a tensor without axes has no rows that processes could share")
    rows = x.shape[0]
    if rows is not None and rows % size:
        raise ValueError(f"the first dimension, {rows}, should be divisible by the number of processes, {size}")
    return x.with_shape((None if rows is None else rows // size, *x.shape[1:]))


def _infer_all_reduce(x: TensorType, *, by: str, **_: Any) -> TensorType:
    _check_reduction(x, by)
    return x


def _infer_start(x: TensorType, *, by: str, **_: Any) -> TensorType:
    _check_reduction(x, by)
    if x.dtype is not reduced_dtype(x.dtype):
        raise TypeError(f"{x.dtype} is reduced in {reduced_dtype(x.dtype)}: cast it first")
    return x


def _infer_reduce(x: TensorType, *, by: str, root: int, size: int, **_: Any) -> TensorType:
    _check_reduction(x, by)
    _check_root(root, size)
    return x


def _infer_reduce_scatter(x: TensorType, *, by: str, size: int, **_: Any) -> TensorType:
    _check_reduction(x, by)
    return _fewer_rows(x, size)


def _infer_gather(x: TensorType, *, root: int, size: int, **_: Any) -> TensorType:
    _check_root(root, size)
    return _more_rows(x, size)


def _infer_scatter(x: TensorType, *, root: int, size: int, **_: Any) -> TensorType:
    _check_root(root, size)
    return _fewer_rows(x, size)


def _infer_broadcast(x: TensorType, *, root: int, size: int, **_: Any) -> TensorType:
    _check_root(root, size)
    return x


def _infer_all_to_all(x: TensorType, *, size: int, **_: Any) -> TensorType:
    _fewer_rows(x, size)
    return x


def reduced_dtype(dtype: DType) -> DType:
    """The dtype in which processes add up. 16-bit floats are too coarse, and MPI has none."""
    return float32 if dtype.is_float and dtype.np.itemsize == 2 else dtype


# Derivatives


def _own(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """The group attributes of a node, for nodes of its derivative."""
    return {"group": attrs["group"], "size": attrs["size"]}


def _share(x: Symbol, out: Symbol, dout: Symbol, by: str, group: Mapping[str, Any]) -> Symbol:
    """The cotangent of one process's x, from the result of the reduction and the sum of the cotangents."""
    if by == "sum":
        return dout
    if by != "prod":
        return multiply(dout, cast(equal(x, out), dtype=x.dtype))
    # The product of the others' numbers: out / x, but where there are zeros.
    none = equal(x, 0.0)
    zeros = all_reduce(cast(none, dtype=x.dtype), by="sum", **group)
    known = select(none, 1.0, x)
    product = all_reduce(known, by="prod", **group)
    others = multiply(divide(product, known), cast(equal(zeros, cast(none, dtype=x.dtype)), dtype=x.dtype))
    return multiply(dout, others)


def _vjp_all_reduce(x: Symbol, out: Symbol, dout: Symbol, *, by: str, **attrs: Any) -> Symbol:
    return _share(x, out, all_reduce(dout, by="sum", **_own(attrs)), by, _own(attrs))


def _vjp_reduce(x: Symbol, out: Symbol, dout: Symbol, *, by: str, root: int, **attrs: Any) -> Symbol:
    own = _own(attrs)
    total = out if by == "sum" else broadcast(out, root=root, **own)
    return _share(x, total, broadcast(dout, root=root, **own), by, own)


def _vjp_reduce_scatter(x: Symbol, out: Symbol, dout: Symbol, *, by: str, **attrs: Any) -> Symbol:
    own = _own(attrs)
    total = out if by == "sum" else all_gather(out, **own)
    return _share(x, total, all_gather(dout, **own), by, own)


def _vjp_all_gather(x: Symbol, out: Symbol, dout: Symbol, **attrs: Any) -> Symbol:
    return reduce_scatter(dout, by="sum", **_own(attrs))


def _vjp_gather(x: Symbol, out: Symbol, dout: Symbol, *, root: int, **attrs: Any) -> Symbol:
    return scatter_from(dout, root=root, **_own(attrs))


def _vjp_scatter(x: Symbol, out: Symbol, dout: Symbol, *, root: int, **attrs: Any) -> Symbol:
    return gather_to(dout, root=root, **_own(attrs))


def _vjp_broadcast(x: Symbol, out: Symbol, dout: Symbol, *, root: int, **attrs: Any) -> Symbol:
    return reduce_to(dout, root=root, by="sum", **_own(attrs))


def _vjp_all_to_all(x: Symbol, out: Symbol, dout: Symbol, **attrs: Any) -> Symbol:
    return all_to_all(dout, **_own(attrs))


# Batches of rows: one call for all of them


def _batch_whole(batch: Batch, x: Any, **attrs: Any) -> Any:
    """The batch rule of ops that treat all axes in the same way."""
    return batch.op(x, **attrs)


def _batch_rows(batch: Batch, x: Any, **attrs: Any) -> Any:
    """The batch rule of ops that treat the first axis separately: the batch becomes the second axis."""
    swapped = (1, 0, *range(2, x.rank))
    return transpose(batch.op(transpose(x, axes=swapped), **attrs), axes=swapped)


def _samples(**attrs: Any) -> Samples:
    return lambda: [Sample(pair((2, 3)), {"group": WORLD, "size": 1, **attrs})]


def _send_sum(nbytes: int, size: int) -> int:
    """Each process adds up its share of the numbers and gives the sums to the others."""
    return 2 * (size - 1) * nbytes // size


def _send_share(nbytes: int, size: int) -> int:
    """Each process sends the others their shares."""
    return (size - 1) * nbytes // size


def _op(
    name: str,
    kernel: Callable[..., Any],
    infer: Callable[..., Any],
    vjp: Callable[..., Any],
    attrs: Mapping[str, Attribute],
    batch: Callable[..., Any] = _batch_rows,
    sent: Callable[[int, int], int] = _send_share,
    **record: Any,
) -> Op:
    return Op(
        name, kind="collective", attrs={**_GROUP, **attrs}, infer=infer, kernel=kernel, vjp=vjp, batch=batch, sent=sent,
        **record,
    )  # fmt: skip


all_reduce: Op = _op(
    "all_reduce", _kernel_all_reduce, _infer_all_reduce, _vjp_all_reduce, {**_BY, "bucket": optional(SIZE)},
    samples=lambda: [
        Sample(pair((2, 3)), {"group": WORLD, "size": 1, "by": by}) for by in REDUCTIONS
    ],
    doc="The sum, maximum, minimum or product over the processes of a group, on all of them. With `bucket`, it may "
    "share a message of about so many bytes with others, and begin as soon as x is there.",
    batch=_batch_whole, sent=_send_sum,
)  # fmt: skip
all_reduce_start: Op = Op(
    "all_reduce_start", kind="collective", attrs={**_GROUP, **_BY, "number": SIZE}, infer=_infer_start,
    kernel=_kernel_of(Communicator.start_all_reduce), inplace=True, begins=True, internal=True,
    sent=_send_sum,
    doc="Begins an all_reduce, which `all_reduce_wait` of the same number ends: until then the output is not complete.",
)  # fmt: skip
all_reduce_wait: Op = Op(
    "all_reduce_wait", kind="collective", attrs={**_GROUP, "number": SIZE}, infer=lambda x, **_: x,
    kernel=_kernel_of(Communicator.finish_all_reduce), inplace=True, ends=True, internal=True,
    doc="What an all_reduce gives that was begun before.",
)  # fmt: skip
reduce_to: Op = _op(
    "reduce_to", _kernel_of(Communicator.reduce), _infer_reduce, _vjp_reduce, {**_BY, **_ROOT},
    samples=_samples(by="sum", root=0),
    doc="As all_reduce, on one process; zeros on the others.",
    batch=_batch_whole,
)  # fmt: skip
reduce_scatter: Op = _op(
    "reduce_scatter", _kernel_of(Communicator.reduce_scatter), _infer_reduce_scatter, _vjp_reduce_scatter, _BY,
    samples=_samples(by="sum"),
    doc="As all_reduce, but each process gets its share of the rows.",
)  # fmt: skip
all_gather: Op = _op(
    "all_gather", _kernel_of(Communicator.all_gather), lambda x, *, size, **_: _more_rows(x, size), _vjp_all_gather, {},
    samples=_samples(),
    doc="The rows of all processes one after another, on all of them.",
    sent=lambda nbytes, size: nbytes * (size - 1),
)  # fmt: skip
gather_to: Op = _op(
    "gather_to", _kernel_of(Communicator.gather), _infer_gather, _vjp_gather, _ROOT, samples=_samples(root=0),
    doc="The rows of all processes one after another, on one process; zeros on the others.",
)  # fmt: skip
scatter_from: Op = _op(
    "scatter_from", _kernel_of(Communicator.scatter), _infer_scatter, _vjp_scatter, _ROOT, samples=_samples(root=0),
    doc="Each process's share of the rows that one process has.",
)  # fmt: skip
broadcast: Op = _op(
    "broadcast", _kernel_of(Communicator.broadcast), _infer_broadcast, _vjp_broadcast, _ROOT, samples=_samples(root=0),
    doc="What one process has, on all of them.",
    batch=_batch_whole,
)  # fmt: skip
broadcast_update: Op = Op(
    "broadcast_update", kind="collective", attrs={**_GROUP, **_ROOT}, infer=_infer_broadcast,
    kernel=_kernel_of(Communicator.broadcast), vjp=_vjp_broadcast, batch=_batch_whole, inplace=True, infallible=True,
    samples=_samples(root=0), sent=_send_share,
    doc="As broadcast, of what a Parameter becomes: it runs last, in the Parameter's memory. An error ends the job.",
)  # fmt: skip
all_to_all: Op = _op(
    "all_to_all", _kernel_of(Communicator.all_to_all), _infer_all_to_all, _vjp_all_to_all, {}, samples=_samples(),
    doc="The rows in as many parts as there are processes: part i goes to process i.",
)  # fmt: skip


# Messages


def _kernel_send(
    x: Array, *, group: str, size: int, to: int, tag: int, line: str = "", checked: bool = False,
    out: Array | None = None,
) -> Array:  # fmt: skip
    _group(group, size).send(x, to, tag, line)
    if out is None:
        return x.copy()
    np.copyto(out, x)
    return out


def _kernel_receive(
    *, group: str, size: int, source: int, tag: int, shape: tuple[int, ...], dtype: DType, line: str = "",
    checked: bool = False, out: Array | None = None,
) -> Array:  # fmt: skip
    return _group(group, size).receive(shape, dtype.np, source, tag, out, line)


def _vjp_send(x: Symbol, out: Symbol, dout: Symbol | None, *, to: int, tag: int, **attrs: Any) -> Symbol:
    back = receive(source=to, tag=tag, shape=x.type.static_shape, dtype=x.dtype, **_own(attrs))
    return back if dout is None else add(dout, back)


def _vjp_receive(out: Symbol, dout: Symbol | None, *, source: int, tag: int, **attrs: Any) -> tuple[()]:
    send(zeros_as(out) if dout is None else dout, to=source, tag=tag, **_own(attrs))
    return ()


send: Op = Op(
    "send",
    kind="collective",
    attrs={**_GROUP, "to": SIZE, "tag": SIZE},
    infer=lambda x, **_: x,
    kernel=_kernel_send,
    vjp=_vjp_send,
    batch=_batch_whole,
    crosses=True,
    sent=lambda nbytes, size: nbytes,
    doc="x, which is sent to another process.",
)
receive: Op = Op(
    "receive",
    kind="collective",
    attrs={**_GROUP, "source": SIZE, "tag": SIZE, "shape": SIZES, "dtype": DTYPE},
    infer=lambda *, shape, dtype, **_: TensorType(dtype, shape),
    kernel=_kernel_receive,
    vjp=_vjp_receive,
    crosses=True,
    doc="What another process sends to this one.",
)


def _infer_exchange(
    *inputs: TensorType, to: tuple[int, ...], sources: tuple[int, ...], shapes: tuple[Any, ...], dtype: DType, **_: Any
) -> tuple[TensorType, ...]:
    if len(inputs) != len(to) or len(shapes) != len(sources):
        raise ValueError(
            f"{len(inputs)} tensors go to {len(to)} processes, and {len(shapes)} shapes come from {len(sources)}: "
            "there should be one for each"
        )
    if any(x.dtype is not dtype for x in inputs):
        raise TypeError(f"all tensors should be of {dtype}")
    return tuple(TensorType(dtype, shape) for shape in shapes)


def _kernel_exchange(
    *arrays: Array, group: str, size: int, to: tuple[int, ...], sources: tuple[int, ...], shapes: tuple[Any, ...],
    dtype: DType, line: str = "", checked: bool = False,
) -> Any:  # fmt: skip
    results = _group(group, size).exchange(arrays, to, shapes, sources, line)
    return results if len(results) != 1 else results[0]


def _vjp_exchange(*args: Any, to: tuple[int, ...], sources: tuple[int, ...], dtype: DType, **attrs: Any) -> Any:
    *inputs, outs, douts = args
    outs, douts = (outs, douts) if isinstance(outs, tuple) else ((outs,), (douts,))
    given = [zeros_as(o) if d is None else d for o, d in zip(outs, douts, strict=True)]
    shapes = tuple(x.type.static_shape for x in inputs)
    back = exchange(*given, to=sources, sources=to, shapes=shapes, dtype=dtype, **_own(attrs))
    return back if isinstance(back, tuple) else (back,)


def _batch_exchange(batch: Batch, *inputs: Any, shapes: tuple[Any, ...], **attrs: Any) -> Any:
    return batch.op(*batch.stacked(inputs), shapes=tuple((batch.size, *shape) for shape in shapes), **attrs)


exchange: Op = Op(
    "exchange",
    kind="collective",
    attrs={
        **_GROUP,
        "to": SIZES,
        "sources": SIZES,
        "shapes": SHAPES,
        "dtype": DTYPE,
    },
    infer=_infer_exchange,
    kernel=_kernel_exchange,
    vjp=_vjp_exchange,
    batch=_batch_exchange,
    crosses=True,
    sent=lambda nbytes, size: nbytes,
    doc="Tensors sent to some processes, and those that come from others.",
)


# Order


def _kernel_synchronize(*, group: str, size: int, checked: bool = False, line: str = "") -> tuple[Any, ...]:
    _group(group, size).barrier(checked, line)
    return ()


def _kernel_match(
    *, group: str, size: int, calls: tuple[str, ...], lines: tuple[str, ...], checked: bool = False, line: str = ""
) -> tuple[Any, ...]:
    _group(group, size).match(calls, lines, line)
    return ()


def _kernel_advance(*, group: str, size: int, checked: bool = False, line: str = "") -> tuple[Any, ...]:
    _group(group, size).advance()
    return ()


advance: Op = Op(
    "advance", kind="collective", attrs=_GROUP, infer=lambda **_: (), kernel=_kernel_advance, internal=True,
    samples=lambda: [Sample((), {"group": WORLD, "size": 1})],
    doc="Lets what was begun in a group go on, and waits for nothing.",
)  # fmt: skip
synchronize: Op = Op(
    "synchronize",
    kind="collective",
    attrs=_GROUP,
    infer=lambda **_: (),
    kernel=_kernel_synchronize,
    samples=lambda: [Sample((), {"group": WORLD, "size": 1})],
    doc="Wait until all processes of a group have come here.",
)
match_collectives: Op = Op(
    "match_collectives",
    kind="collective",
    attrs={**_GROUP, "calls": TEXTS, "lines": TEXTS},
    infer=lambda **_: (),
    kernel=_kernel_match,
    samples=lambda: [Sample((), {"group": WORLD, "size": 1, "calls": ("all_reduce(f32[2])",), "lines": ("a.py:1",)})],
    doc="Compare the collectives that follow with those of the group's other processes: an error names a difference.",
)

"""Conversions of element types, parts of complex numbers, and identities that have a meaning for differentiation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.machine.array_functions import compile_separation, has_separation
from ...runtime.machine.casts import compile_cast, has_cast
from ...runtime.machine.product import has_products
from ..ir.attributes import DTYPE, FLAG, OPEN_SIZES, TEXT
from ..ir.code import Attempt, Code, MadeFunction
from ..ir.graph import Node
from ..ir.op import NoDerivative, Op, Sample
from ..ir.rules import Batch
from ..ir.types import Shape, TensorType, show_shape
from ..ir.values import Literal, Operand
from . import infer
from .batching import leading
from .infer import elementwise_op
from .parts import Parts, have_one_shape, of_each
from .samples import booleans, integers, pair, unary_samples

Array = np.ndarray
FEW_CAST = 1024  # numbers that machine code casts
_COMPLEX_OF = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}
_REAL_OF = {complex_dtype: real for real, complex_dtype in _COMPLEX_OF.items()}


def complex_dtype(dtype: DType) -> DType:
    """The dtype of complex numbers whose parts have this one."""
    return _COMPLEX_OF[dtype]


def real_dtype(dtype: DType) -> DType:
    """The dtype of the parts of a complex dtype; other dtypes themselves."""
    return _REAL_OF.get(dtype, dtype)


def _kernel_cast(x: Array, *, dtype: DType, out: Array | None = None) -> Array:
    x = np.asarray(x)
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        x = x.real
    if out is None:
        if x.dtype.kind in "iub":  # the context takes a microsecond
            return x.astype(dtype.np)
        with np.errstate(invalid="ignore"):
            return x.astype(dtype.np)
    with np.errstate(invalid="ignore"):
        np.copyto(out, x, casting="unsafe")
    return out


def _vjp_cast(x: Any, out: Any, dout: Any, *, dtype: DType) -> Any:
    return None if dtype.is_bool or x.dtype.is_bool else cast(dout, dtype=x.dtype)


def _same_dtype(node: Node) -> Operand | None:
    x = node.inputs[0]
    return x if x.type == node.output.type else None


def _emit_cast(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    given = node.inputs[0].type
    if out is None or (given.dtype.is_complex and not node.output.type.dtype.is_complex):
        return None
    names = given.dtype.numpy_name, node.output.type.dtype.numpy_name
    if has_cast(*names) and given.is_static and 0 < given.size <= FEW_CAST and has_products():
        return Attempt(MadeFunction(compile_cast, (*names, given.rank), "cast"), (*arguments, out), None)
    return f"{out}[...] = {arguments[0]}"  # in half the time of np.copyto


def _cast_of_parts(op: Op, x: Any, *, dtype: DType) -> Any:
    if not isinstance(x, Parts):
        return Parts(op(x, dtype=real_dtype(dtype)), None)
    if dtype.is_complex:
        return of_each(op, x, dtype=real_dtype(dtype))
    return None if dtype.is_bool else op(x.filled().real, dtype=dtype)


cast = elementwise_op(
    "cast",
    lambda x, *, dtype: x.with_dtype(dtype),
    _kernel_cast,
    attrs={"dtype": DTYPE},
    emit=_emit_cast,
    vjp=_vjp_cast,
    rewrites=(_same_dtype,),
    native=True,
    cheap=True,
    parts=_cast_of_parts,
    samples=lambda: [
        Sample(pair((3, 4)), {"dtype": dtypes.float64}),
        Sample(pair((3, 4)), {"dtype": dtypes.float32}, gradient=False),
        Sample((np.array([-1.7, 1.7, 0.0, 3.2]),), {"dtype": dtypes.int32}, gradient=False),
        Sample((np.array([-1.7, 0.0, np.nan]),), {"dtype": dtypes.bool_}, gradient=False),
        Sample(integers((5,)), {"dtype": dtypes.float16}, gradient=False),
        Sample(booleans((5,)), {"dtype": dtypes.int64}, gradient=False),
        Sample((np.array([1 + 2j, -1j]),), {"dtype": dtypes.float32}, gradient=False),
        Sample((np.array(300, np.int64),), {"dtype": dtypes.int8}, gradient=False),
    ],
    doc="x with another element type; numbers lose their fraction towards zero where integers are asked for.",
)


def _infer_outside(x: TensorType, *inputs: TensorType, what: str) -> TensorType:
    return x


def _vjp_outside(x: Any, *values: Any, what: str) -> tuple[Any, ...]:
    *inputs, _, dout = values
    unknown = NoDerivative(
        f"{what} has no derivative: NumPy computes it outside of graphs. Use ops.stop_gradient on its inputs if none "
        "is needed"
    )
    return dout, *[unknown] * len(inputs)


computed_outside = Op(
    "computed_outside",
    kind="view",
    infer=_infer_outside,
    attrs={"what": TEXT},
    kernel=lambda x, *inputs, what: x,
    vjp=_vjp_outside,
    batch=leading,
    definition=lambda x, *inputs, what: x,
    samples=lambda: [Sample(pair((2, 3), (3,)), {"what": "a function"}, gradient=False)],
    doc="x, which code outside of graphs computed from the other operands: a derivative by these is an error.",
)


def in_single(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A derivative rule, or a lowering, that computes halves in Float32 and rounds its results once.

    Result i gets the dtype of operand i. Counts, sums and products of halves would overflow on the way.
    """

    def widened(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(widened, value))
        return cast(value, dtype=dtypes.float32) if value is not None and value.dtype.is_half else value

    def narrowed(result: Any, operand: Any) -> Any:
        return result if result is None else cast(result, dtype=operand.dtype) if operand.dtype.is_half else result

    @wraps(rule)
    def run(*values: Any, **attrs: Any) -> Any:
        if not values[0].dtype.is_half:
            return rule(*values, **attrs)
        results = rule(*map(widened, values), **attrs)
        if isinstance(results, tuple):
            return tuple(map(narrowed, results, values))
        return narrowed(results, values[0])

    return run


def _kernel_copy(x: Array, out: Array | None = None) -> Array:
    if out is None:
        return np.array(x)
    np.copyto(out, x)
    return out


copy = elementwise_op(
    "copy",
    lambda x: x,
    _kernel_copy,
    vjp=lambda x, out, dout: dout,
    definition=lambda x: x,
    native=True,
    cheap=True,
    samples=lambda: [*unary_samples()(), Sample(booleans((3,)))],
    doc="x in memory of its own.",
)
stop_gradient = Op(
    "stop_gradient",
    kind="view",
    infer=lambda x: x,
    kernel=lambda x: x,
    batch=leading,
    definition=lambda x: x,
    samples=unary_samples(),
    doc="x, for which the derivative is zero.",
)


def _infer_assume(x: TensorType, *, shape: Shape) -> TensorType:
    fits = x.rank == len(shape) and all(a == b or a is None for a, b in zip(x.shape, shape, strict=True))
    if not fits:
        raise ValueError(f"assume_shape: a tensor of shape {show_shape(x.shape)} is not of shape {show_shape(shape)}")
    return x.with_shape(shape)


def _kernel_assume(x: Array, *, shape: Shape) -> Array:
    if any(size is not None and size != actual for actual, size in zip(np.shape(x), shape, strict=True)):
        raise ValueError(f"assume_shape: a tensor of shape {show_shape(shape)} was promised, but got {np.shape(x)}")
    return x


def _batch_assume(batch: Batch, x: Any, *, shape: Shape) -> Any:
    return batch.op(x, shape=(batch.size, *shape))


assume_shape = Op(
    "assume_shape",
    kind="view",
    attrs={"shape": OPEN_SIZES},
    infer=_infer_assume,
    kernel=_kernel_assume,
    vjp=lambda x, out, dout, *, shape: dout,
    batch=_batch_assume,
    rewrites=(_same_dtype,),
    samples=lambda: [Sample(pair((2, 3)), {"shape": (2, 3)})],
    doc="x, of which more sizes are known than its type says.",
)


def _infer_assign(parameter: TensorType, value: TensorType) -> TensorType:
    fits = parameter.rank == value.rank and all(
        a == b or a is None or b is None for a, b in zip(parameter.shape, value.shape, strict=True)
    )
    if parameter.dtype is not value.dtype or not fits:
        raise ValueError(f"assign: the Parameter is {parameter}, but the value is {value}")
    return parameter


def _kernel_assign(parameter: Array, value: Array) -> Array:
    if np.shape(parameter) != np.shape(value):
        raise ValueError(f"assign: the Parameter has shape {np.shape(parameter)}, but the value {np.shape(value)}")
    return value


assign = Op(
    "assign",
    kind="view",
    infer=_infer_assign,
    kernel=_kernel_assign,
    vjp=lambda parameter, value, out, dout: (dout, None),
    batch=leading,
    definition=lambda parameter, value: value if value.type == parameter.type else None,
    samples=lambda: [Sample(pair((2, 3), (2, 3)), gradient=False), Sample(pair((), ()), gradient=False)],
    doc="The value, which from here on is the Parameter's; for differentiation it counts as the Parameter itself.",
)


def infer_in_reals(x: TensorType) -> TensorType:
    """The type of real numbers, one for each element."""
    return infer.broadcast_numeric(x).with_dtype(real_dtype(x.dtype))


def _part(name: str, kernel: Any, vjp: Any, parts: Any, doc: str) -> Op:
    def deliver(x: Array, out: Array | None = None) -> Array:
        if out is None:
            return np.array(kernel(x))
        np.copyto(out, kernel(x))
        return out

    return elementwise_op(
        name,
        infer_in_reals,
        deliver,
        vjp=vjp,
        parts=parts,
        samples=lambda: [
            Sample((np.array([1 + 2j, -3j, 2.0]),), gradient=False),
            Sample((np.array(1 + 2j, np.complex64),), gradient=False),
            Sample(pair((3,))),
        ],
        doc=doc,
    )


# Rules keep the bilinear convention: the cotangent of z = x + iy is dx - i dy, so that rules of analytic functions need
# no conjugation. Who hands cotangents in or out of a complex tensor conjugates them: in MindSpore they are dx + i dy.
real = _part(
    "real",
    np.real,
    lambda x, out, dout: cast(dout, dtype=x.dtype),
    lambda op, x: x.filled().real,
    "The real part of x.",
)
imag = _part(
    "imag",
    np.imag,
    lambda x, out, dout: -1j * cast(dout, dtype=x.dtype) if x.dtype.is_complex else None,
    lambda op, x: x.filled().imag,
    "The imaginary part of x.",
)
conj: Op = elementwise_op(
    "conj",
    infer.broadcast_numeric,
    np.conjugate,
    parts=lambda op, x: Parts(x.filled().real, -x.filled().imag),
    vjp=lambda x, out, dout: conj(dout),
    rewrites=(lambda node: node.inputs[0] if not node.output.type.dtype.is_complex else None,),
    samples=lambda: [Sample((np.array([1 + 2j, -3j, 2.0]),), gradient=False), Sample(pair((3,)))],
    doc="x with the imaginary part negated.",
)


def _infer_complex(real: TensorType, imag: TensorType) -> TensorType:
    result = infer.broadcast(real, imag)
    if result.dtype not in _COMPLEX_OF:
        raise TypeError(f"complex: the parts should be Float32 or Float64, but got {result.dtype}")
    return result.with_dtype(_COMPLEX_OF[result.dtype])


def _kernel_complex(real: Array, imag: Array, out: Array | None = None) -> Array:
    if out is None:
        dtype = np.result_type(np.asarray(real).dtype, np.complex64)
        out = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), dtype)
    out.real = real
    out.imag = imag
    return out


def _separation(node: Node, arguments: Sequence[str], outs: Sequence[str | None], together: bool) -> Code | None:
    """The call of machine code that takes complex numbers apart or puts them together."""
    types = {value.type for value in ((*node.inputs, node.output) if together else node.outputs)}
    part = node.inputs[0].type if together else node.outputs[0].type
    if None in outs or len({type.shape for type in types}) > 1 or not part.is_static:
        return None
    sizes = part.dtype.np.name, part.static_shape
    if not has_separation(*sizes) or any(isinstance(each, Literal) for each in node.inputs):
        return None
    made = MadeFunction(compile_separation, (*sizes, together), "together" if together else "apart")
    return Attempt(made, (*arguments, *filter(None, outs)), None)


def _kernel_separate(x: Array, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
    if out is None:
        return x.real.copy(), x.imag.copy()
    np.copyto(out[0], x.real)
    np.copyto(out[1], x.imag)
    return out


def _infer_separate(x: TensorType) -> tuple[TensorType, TensorType]:
    if not x.dtype.is_complex:
        raise TypeError(f"separate: complex numbers are needed, but got {x.dtype}")
    return infer_in_reals(x), infer_in_reals(x)


separate = Op(
    "separate",
    infer=_infer_separate,
    kernel=_kernel_separate,
    emit=lambda node, arguments, *outs: _separation(node, arguments, outs, False),
    internal=True,
    samples=lambda: [Sample((np.array([1 + 2j, -3j, 2.0]),))],
    doc="The real and the imaginary parts of x.",
)
part = Op(
    "part",
    kind="view",
    attrs={"imag": FLAG},
    infer=lambda x, *, imag: _infer_separate(x)[imag],
    kernel=lambda x, *, imag: np.asarray(x).imag if imag else np.asarray(x).real,
    emit=lambda node, arguments, out: f"{arguments[0]}.{'imag' if node.attrs['imag'] else 'real'}",
    internal=True,
    samples=lambda: [Sample((np.array([1 + 2j, -3j, 2.0]),), {"imag": imag}) for imag in (False, True)],
    doc="The real or the imaginary parts of x, where they lie.",
)
complex = elementwise_op(
    "complex",
    _infer_complex,
    _kernel_complex,
    emit=lambda node, arguments, out: _separation(node, arguments, (out,), True),
    parts=lambda op, real, imag: Parts(real, imag) if have_one_shape(real, imag) else None,
    paired=True,
    vjp=lambda x, y, out, dout: (real(dout), -imag(dout)),
    samples=lambda: [
        Sample(pair((3, 4), (4,)), gradient=False),
        Sample((np.array(1.0, np.float32), np.array(2.0, np.float32)), gradient=False),
    ],
    doc="The complex number of a real and an imaginary part.",
)

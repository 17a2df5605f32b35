"""Edge cases of ops: empty coordinates, diagonals outside of the matrix, numbers that a dtype cannot represent."""

from __future__ import annotations

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import IRError
from mycel.compiler.ir.verifier import verify
from mycel.compiler.options import Options
from mycel.compiler.pipeline import compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes
from mycel.runtime.dtypes import DType

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def results(text: str, *arrays: np.ndarray, disabled: frozenset[str] = frozenset()) -> tuple[np.ndarray, ...]:
    """The results of a graph's program, from the graph's text; each has the type that the graph declares."""
    graph = verify(parse(text, ops.OPS))
    found = compile_graph(graph, name="f", options=Options(disabled=disabled)).run(*arrays)
    assert [(array.dtype, array.shape) for array in found] == [(t.dtype.np, t.shape) for t in graph.types]
    return found


@pytest.mark.parametrize("disabled", [frozenset(), frozenset({"simplify", "kernels"})])
def test_a_barrier_behind_a_number(disabled: frozenset[str]) -> None:
    """The number's array is made when the program is loaded, before there is anything to wait for."""
    text = "graph f(%x: f32[2, 3]) { %a: f32[] = barrier(2.0, %x) %b: f32[2, 3] = multiply(%a, %x) return %a, %b }"
    one, product = results(text, X, disabled=disabled)
    assert one == 2
    assert np.array_equal(product, 2 * X)


@pytest.mark.parametrize("transform", [lambda f: f, ms.jit])
@pytest.mark.parametrize("where", [(0,), (4, 0), (3, 2, 0)])
def test_no_coordinates_name_the_whole_tensor(transform: object, where: tuple[int, ...]) -> None:
    """Each index of no coordinates reads, or adds to, the tensor as a whole."""
    indices = Tensor(np.zeros(where, np.int64))
    count = int(np.prod(where[:-1]))
    updates = np.random.default_rng(0).standard_normal((*where[:-1], 2, 3)).astype(np.float32)
    read = transform(lambda x: ms.ops.gather_nd(x, indices))  # type: ignore[operator]
    write = transform(lambda x, u: ms.ops.tensor_scatter_add(x, indices, u))  # type: ignore[operator]
    assert np.array_equal(read(Tensor(X)).asnumpy(), np.broadcast_to(X, (*where[:-1], 2, 3)))
    wanted = X + updates.reshape(-1, 2, 3).sum(0)
    assert np.allclose(write(Tensor(X), Tensor(updates)).asnumpy(), wanted, atol=1e-5)
    slope = ms.grad(lambda x: (ms.ops.gather_nd(x, indices) * 2).sum())(Tensor(X))
    assert np.array_equal(slope.asnumpy(), np.full((2, 3), 2.0 * count, np.float32))


@pytest.mark.parametrize("transform", [lambda f: f, ms.jit])
@pytest.mark.parametrize("k", [2**70, -(2**70), 2**63 - 1, -(2**63), 0, -1, 2, 3])
def test_triangles_from_any_diagonal(transform: object, k: int) -> None:
    """A diagonal beyond the matrix leaves all of it, or nothing."""
    near = max(-9, min(k, 9))
    lower = transform(lambda x: ms.ops.tril(x, k))(Tensor(X))  # type: ignore[operator]
    upper = transform(lambda x: ms.ops.triu(x, k))(Tensor(X))  # type: ignore[operator]
    assert np.array_equal(lower.asnumpy(), np.tril(X, near))
    assert np.array_equal(upper.asnumpy(), np.triu(X, near))


@pytest.mark.parametrize(
    ("dtype", "shape"),
    chequered([np.float32, np.float64, np.int32, np.int64], [(300, 400), (2, 257, 256), (70_000, 1), (1, 70_000)]),
)
def test_triangles_of_large_matrices(shape: tuple[int, ...], dtype: type) -> None:
    """Kernels compare rows and columns."""
    x = (np.random.default_rng(0).standard_normal(shape) * 9).astype(dtype)
    for k in (0, 3, -5, 299, -299, 2**70, -(2**70)):
        near = max(-(10**6), min(k, 10**6))
        lower, upper = ms.jit(lambda x, k=k: (ms.ops.tril(x, k), ms.ops.triu(x, k)))(Tensor(x))
        assert np.array_equal(lower.asnumpy(), np.tril(x, near))
        assert np.array_equal(upper.asnumpy(), np.triu(x, near))


@pytest.mark.parametrize(("dtype", "value"), [(np.int32, float("inf")), (np.int8, 300), (np.uint8, -1)])
@pytest.mark.parametrize("transform", [lambda f: f, ms.jit])
def test_a_padding_that_the_dtype_has_not(transform: object, dtype: type, value: float) -> None:
    """The error names the number and the dtype, in place of NumPy's OverflowError in the run."""
    pad = transform(lambda x: ms.ops.pad(x, (1, 1), value=value))  # type: ignore[operator]
    with pytest.raises(ValueError, match=rf"pad: the value {value} is no number of U?Int"):
        pad(Tensor(np.ones((2, 2), dtype)))


def test_one_part_of_a_vector() -> None:
    """A vector that is one part is unpacked as any other."""
    (part,) = results("graph f(%x: f32[6]) { %a: f32[2, 3] = unpack(%x, shapes=((2, 3),)) return %a }", X.ravel())
    assert np.array_equal(part, X)


@pytest.mark.parametrize("name", ["softplus", "logsigmoid"])
@pytest.mark.parametrize("transform", [lambda f: f, ms.jit])
def test_complex_numbers_have_no_softplus(transform: object, name: str) -> None:
    """Both modes refuse numbers without an order, with the same message."""
    function = transform(lambda x: getattr(ms.ops, name)(x))  # type: ignore[operator]
    with pytest.raises(TypeError, match="operands should be real floating-point, but got Complex64"):
        function(Tensor(X.astype(np.complex64)))


def test_axes_that_are_squeezed_twice() -> None:
    """A graph from a file is refused before it runs."""
    text = "graph f(%x: f32[1, 3]) { %a: f32[3] = squeeze(%x, axes=(0, 0)) return %a }"
    with pytest.raises(IRError, match="name a dimension twice"):
        verify(parse(text, ops.OPS))


DEFINED = [op for op in ops.OPS.values() if op.kind == "elementwise" and (op.definition or op.native_definition)]


@pytest.mark.parametrize(
    ("op", "dtype"), chequered(DEFINED, [dtypes.float16, dtypes.bfloat16]), ids=lambda each: each.name
)
def test_definitions_in_halves_lose_no_more_than_kernels(op: Op, dtype: DType) -> None:
    """What computes an op by simpler ones rounds once, as the kernel does: small results keep their digits."""
    if dtype is dtypes.bfloat16:
        pytest.importorskip("ml_dtypes")
        dtypes.require_bfloat16()
    random, count = np.random.default_rng(0), 4096
    bits = 11 if dtype is dtypes.float16 else 8
    for sample in op.samples():
        given = [np.asarray(array) for array in sample.inputs]
        if not all(array.dtype.kind == "f" for array in given):
            continue
        arrays = [random.uniform(-9, 9, count).astype(np.float32).astype(dtype.np) for _ in given]
        types = [TensorType(dtype, (count,))] * len(arrays)
        graph = record("f", types, lambda *x, sample=sample: op(*x, **sample.attrs))
        with np.errstate(all="ignore"):
            (wanted,), (found,) = interpret(graph, arrays), compile_graph(graph, name="f").run(*arrays)
        wanted, found = (array.astype(np.float64) for array in (wanted, found))
        finite = np.isfinite(wanted)
        np.testing.assert_array_equal(finite, np.isfinite(found))
        wanted, found = wanted[finite], found[finite]
        unit = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(wanted), 2.0**-14))) - bits + 1)
        assert np.max(np.abs(wanted - found) / unit, initial=0) <= 6


@pytest.mark.parametrize(
    ("call", "types"),
    [
        ("linear_recurrence(%a, %b, axis=1, reverse=False)", "f64[2, 4] f64[1, 4] f64[2, 4]"),
        ("adjugate_slope(%a, %b)", "f64[2, 2] f64[1, 2, 2] f64[2, 2]"),
    ],
)
def test_gradients_of_another_shape(call: str, types: str) -> None:
    """A graph's text may not give an op arrays that its kernel cannot compute with."""
    a, b, result = types.replace("] ", "];").split(";")
    with pytest.raises(IRError, match=r"expected shape .* but got"):
        parse(f"graph f(%a: {a}, %b: {b}) {{ %c: {result} = {call} return %c }}", ops.OPS)


@pytest.mark.parametrize(("mean", "dout"), [("2", "2, 5"), ("1", "5, 2"), ("2", "1, 5, 2")])
def test_gradients_of_batch_norm_of_another_shape(mean: str, dout: str) -> None:
    """Statistics of other channels are refused, and a gradient that is not like the result."""
    text = f"""graph f(%x: f64[5, 2], %g: f64[2], %m: f64[{mean}], %v: f64[2], %d: f64[{dout}]) {{
      %a: f64[5, 2], %b: f64[2], %c: f64[2] = batch_norm_grad(%x, %g, %m, %v, %d, epsilon=1e-5) return %a }}"""
    with pytest.raises(IRError, match="batch_norm_grad: expected shape"):
        parse(text, ops.OPS)

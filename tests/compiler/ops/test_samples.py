"""Every op on its samples: kernel, inferred type, `out=`, interpreter, text, gradients, lowered form, `?` sizes."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from gradcheck import assert_round_trip, check_gradients, gradient_graph, one_node_graph, type_of, with_unknown_sizes
from op_cases import CASES, PLAIN_OPS, as_tuple, by_op, samples_of

from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op, Sample
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.verifier import verify
from mycel.compiler.ops import OPS
from mycel.compiler.passes.simplify import simplify
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes, random
from mycel.runtime.formatting import tensor_repr, tensor_str


def over_cases(keep: Callable[[Op, Sample], bool], first: int | None = None) -> Any:
    """Parametrize a test by ops, on the samples that `keep` accepts. What follows the `first` ones is slow."""
    return by_op((case for case in CASES if keep(*case[:2])), first)


def run_kernel(op: Op, inputs: Any, attrs: Any, **options: Any) -> tuple[np.ndarray, ...]:
    """The kernel's results; random draws are the first ones after a seed."""
    random.set_state(random.State(7, 0))
    with np.errstate(all="ignore"):
        return tuple(map(np.asarray, as_tuple(op.kernel(*inputs, **attrs, **options))))


def infer(op: Op, types: Any, attrs: Any) -> tuple[TensorType, ...]:
    """The inferred types of all outputs."""
    return as_tuple(op.infer(*types, **attrs))


def fits(actual: TensorType, inferred: TensorType) -> bool:
    """Whether a run-time type is one that the inferred type promised."""
    return (
        actual.dtype is inferred.dtype
        and actual.rank == inferred.rank
        and all(i is None or a == i for a, i in zip(actual.shape, inferred.shape, strict=True))
    )


@pytest.mark.parametrize("name", sorted(PLAIN_OPS))
def test_op_has_samples_and_a_sentence(name: str) -> None:
    op = PLAIN_OPS[name]
    assert samples_of(op), f"op {name} has no samples"
    assert op.doc.endswith("."), f"op {name} has no sentence for the op table"
    if op.vjp is not None:
        assert any(s.gradient for s in samples_of(op)) or op.name in GRADIENT_BY_OTHER_TESTS, (
            f"op {name} has a rule of differentiation but no sample to check it on"
        )


# Their rules are not derivatives: assign's says so in its doc; complex numbers have tests of their own below,
# transforms and eigenvalues in tests/library/functions/test_fourier.py.
# The inputs of max_pool_grad belong together: it is tested by the second order of max_pool; so for the adaptive one.
# Of some special functions there is no second derivative: the first ones are tested in test_zero_gradients.py.
GRADIENT_BY_OTHER_TESTS = {
    "assign", "complex", "max_pool_grad", "adaptive_max_pool_grad", "dft", "eig", "half_dft", "real_dft",
    "igamma_by_order", "computed_outside", "betainc", "betainc_by_order", "zeta", "zeta_by_order",
}  # fmt: skip


@over_cases(lambda op, sample: True)
def test_kernel_gives_the_inferred_type_and_keeps_its_inputs(op: Op, sample: Sample) -> None:
    inputs = [array.copy() for array in sample.inputs]
    results = run_kernel(op, inputs, sample.attrs)
    types = infer(op, map(type_of, sample.inputs), sample.attrs)
    assert len(results) == len(types)
    for result, type in zip(results, types, strict=True):
        assert fits(type_of(result), type), f"the kernel gave {type_of(result)}, inferred was {type}"
    for before, after in zip(sample.inputs, inputs, strict=True):
        np.testing.assert_array_equal(before, after)


@by_op(
    (op, sample, dtype, f"{name} in {dtype}")
    for op, sample, name in CASES
    if op.kind != "random" and any(array.dtype == np.float64 for array in sample.inputs)
    for dtype in ["float32", "float16", *["bfloat16"] * (find_spec("ml_dtypes") is not None)]
)
def test_kernel_in_lower_precision(op: Op, sample: Sample, dtype: str) -> None:
    kind = dtypes.as_dtype(dtypes.by_name({"bfloat16": "BFloat16"}.get(dtype, dtype.title())))
    narrow, eps = kind.np, float(dtypes.limits(kind).eps)
    inputs = [array.astype(narrow) if array.dtype == np.float64 else array for array in sample.inputs]
    try:
        types = infer(op, map(type_of, inputs), sample.attrs)
    except TypeError:
        return  # there are ops for double precision only
    results = run_kernel(op, inputs, sample.attrs)
    rounded = [array.astype(np.float64) if array.dtype == narrow else array for array in inputs]
    exact = run_kernel(op, rounded, sample.attrs)
    for result, precise, type in zip(results, exact, types, strict=True):
        assert fits(type_of(result), type), f"the kernel gave {type_of(result)}, inferred was {type}"
        if result.dtype == narrow and op.kind != "opaque":
            with np.errstate(over="ignore"):
                precise = precise.astype(narrow).astype(np.float64)  # inf beyond the largest number
            np.testing.assert_allclose(result.astype(np.float64), precise, rtol=40 * eps, atol=10 * eps)


def test_most_ops_take_lower_precision() -> None:
    """So that the test above compares something: all but a few ops of matrices take halves."""
    refused = set()
    floats = [(op, sample) for op, sample, _ in CASES if any(a.dtype == np.float64 for a in sample.inputs)]
    for op, sample in floats:
        inputs = [array.astype(np.float16) if array.dtype == np.float64 else array for array in sample.inputs]
        try:
            infer(op, map(type_of, inputs), sample.attrs)
        except TypeError:
            refused.add(op.name)
    assert len(refused) < 0.15 * len({op.name for op, _ in floats})
    assert refused.isdisjoint({"add", "matmul", "sum", "mean", "exp", "conv", "batch_norm", "softmax", "gelu"})


@over_cases(lambda op, sample: op.writes_out)
def test_kernel_writes_out(op: Op, sample: Sample) -> None:
    expected = run_kernel(op, sample.inputs, sample.attrs)
    outs = tuple(np.full_like(array, 77) for array in expected)
    results = run_kernel(op, sample.inputs, sample.attrs, out=outs if len(outs) > 1 else outs[0])
    for result, out, array in zip(results, outs, expected, strict=True):
        assert np.shares_memory(result, out) or out.size == 0
        np.testing.assert_array_equal(out, array)


@over_cases(lambda op, sample: bool(op.rewrites))
def test_rewritten_nodes_give_the_same(op: Op, sample: Sample) -> None:
    graph = one_node_graph(op, [type_of(array) for array in sample.inputs], sample.attrs)
    simpler = verify(simplify(graph))
    for found, expected in zip(interpret(simpler, sample.inputs), interpret(graph, sample.inputs), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


PADDED = {"stride": (1, 1), "dilation": (1, 1), "padding": ((0, 0), (0, 0)), "groups": 1}


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("padding", ((0, 0), (-1, 0)), "padding should be 2 pairs of integers that are not negative"),
        ("padding", ((0, -1), (0, 0)), "padding should be 2 pairs"),
        ("padding", ((0, 0), (0, 0, 0)), "padding should be 2 pairs"),
        ("padding", ((0, 0),), "padding should be 2 pairs"),
        ("stride", (1, 0), "stride should be 2 positive integers"),
        ("stride", (1, 1, 1), "stride should be 2 positive integers"),
        ("dilation", (0, 1), "dilation should be 2 positive integers"),
    ],
)
def test_windows_that_are_none(attribute: str, value: Any, message: str) -> None:
    types = TensorType(dtypes.float32, (1, 2, 5, 5)), TensorType(dtypes.float32, (3, 2, 2, 2))
    assert infer(OPS["conv"], types, PADDED)[0].shape == (1, 3, 4, 4)
    with pytest.raises(ValueError, match=message):
        infer(OPS["conv"], types, {**PADDED, attribute: value})


@pytest.mark.parametrize(
    ("sizes", "axis"), [((-1, 2), 0), ((2, -3), 1), ((4, 2), 0), ((3, 5), None), ((2, 2, 2), None), ((2,), None)]
)
def test_blocks_that_do_not_fit(sizes: tuple[int, ...], axis: int | None) -> None:
    """At starts that the run knows; the size of the second dimension, too, is one that only the run knows."""
    types = TensorType(dtypes.float32, (3, None)), TensorType(dtypes.int64, ()), TensorType(dtypes.int64, ())
    if len(sizes) == 2 and axis is None:
        assert infer(OPS["dynamic_slice"], types, {"sizes": sizes})[0].shape == sizes
        return
    what = "2 starts and" if axis is None else f"size {sizes[axis]} of dimension {axis} does not fit"
    with pytest.raises(ValueError, match=f"dynamic_slice: {what}"):
        infer(OPS["dynamic_slice"], types, {"sizes": sizes})


def test_any_number_of_the_largest_may_be_taken() -> None:
    """From none to all."""
    x = TensorType(dtypes.float32, (2, 5))
    for k in (0, 1, 5):
        attrs = {"k": k, "axis": 1, "largest": True, "dtype": dtypes.int64}
        assert [type.shape for type in infer(OPS["topk"], [x], attrs)] == [(2, k), (2, k)]
        values, positions = run_kernel(OPS["topk"], [np.arange(10, dtype=np.float32).reshape(2, 5)], attrs)
        assert values.shape == positions.shape == (2, k)
    for k in (-1, 6):
        attrs = {"k": k, "axis": 1, "largest": True, "dtype": dtypes.int64}
        with pytest.raises(ValueError, match=rf"k should be in \[0, 5\], as axis 1 of \(2, 5\), but got {k}"):
            infer(OPS["topk"], [x], attrs)


@over_cases(lambda op, sample: sum(array.dtype == np.float64 for array in sample.inputs) > 1)
def test_operands_of_two_dtypes_are_refused_or_give_the_dtype_that_is_inferred(op: Op, sample: Sample) -> None:
    for position, array in enumerate(sample.inputs):
        if array.dtype != np.float64:
            continue
        inputs = [*sample.inputs[:position], array.astype(np.float32), *sample.inputs[position + 1 :]]
        try:
            types = infer(op, map(type_of, inputs), sample.attrs)
        except (TypeError, ValueError):
            continue
        found = run_kernel(op, inputs, sample.attrs)
        assert [result.dtype for result in found] == [type.dtype.np for type in types]


@over_cases(lambda op, sample: op.kind == "effect" and op.name != "raise_")
def test_effects_give_nothing(op: Op, sample: Sample) -> None:
    assert infer(op, map(type_of, sample.inputs), sample.attrs) == ()
    assert op.kernel(*sample.inputs, **sample.attrs) == ()


@over_cases(lambda op, sample: op.kind == "elementwise" and len(sample.inputs) == 2)
def test_ops_that_may_swap_their_operands_say_so(op: Op, sample: Sample) -> None:
    """Then both orders are one value to the compiler."""
    x, y = sample.inputs
    one, other = run_kernel(op, (x, y), sample.attrs)[0], run_kernel(op, (y, x), sample.attrs)[0]
    assert not op.commutative or np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    assert op.commutative == (op.name in SWAPPED)


SWAPPED = {
    "add", "multiply", "maximum", "minimum", "equal", "not_equal", "logical_and", "logical_or", "logical_xor", "gcd",
    "bitwise_and", "bitwise_or", "bitwise_xor",
}  # fmt: skip


def test_which_kernels_write_to_a_given_array() -> None:
    """Kernels with the parameter `out`, as all ufuncs. Results of others are copied to their storage."""
    assert OPS["add"].writes_out
    assert Op("doubled", lambda x: x, lambda x, *, by=2, out=None: np.multiply(x, by, out=out)).writes_out
    assert not Op("doubled", lambda x: x, lambda x, *, by=2: x * by).writes_out


@over_cases(lambda op, sample: op.writes_out and (op.kind == "elementwise" or op.inplace))
def test_kernel_works_in_place(op: Op, sample: Sample) -> None:
    expected, *others = run_kernel(op, sample.inputs, sample.attrs)
    for position, array in enumerate(sample.inputs if op.kind == "elementwise" else sample.inputs[:1]):
        if array.dtype == expected.dtype and array.shape == expected.shape:
            inputs = [other.copy() for other in sample.inputs]
            out = (inputs[position], *map(np.empty_like, others)) if others else inputs[position]
            run_kernel(op, inputs, sample.attrs, out=out)
            np.testing.assert_array_equal(inputs[position], expected)


@over_cases(lambda op, sample: True)
def test_interpreter_and_text(op: Op, sample: Sample) -> None:
    graph = one_node_graph(op, list(map(type_of, sample.inputs)), sample.attrs)
    assert_round_trip(graph)
    expected = run_kernel(op, sample.inputs, sample.attrs)
    random.set_state(random.State(7, 0))
    for result, array in zip(interpret(graph, sample.inputs), expected, strict=True):
        np.testing.assert_array_equal(result, array)


@over_cases(lambda op, sample: op.commutative)
def test_commutative(op: Op, sample: Sample) -> None:
    x, y = sample.inputs
    np.testing.assert_array_equal(run_kernel(op, (x, y), sample.attrs)[0], run_kernel(op, (y, x), sample.attrs)[0])


@over_cases(lambda op, sample: op.vjp is not None and sample.gradient)
def test_gradients(op: Op, sample: Sample) -> None:
    graph = one_node_graph(op, list(map(type_of, sample.inputs)), sample.attrs)
    check_gradients(graph, sample.inputs, order=1)


@over_cases(lambda op, sample: op.vjp is not None and sample.gradient, first=1)
def test_gradients_to_second_order(op: Op, sample: Sample) -> None:
    graph = one_node_graph(op, list(map(type_of, sample.inputs)), sample.attrs)
    check_gradients(graph, sample.inputs, order=2)


@over_cases(lambda op, sample: op.definition is not None)
def test_lowered_form_agrees(op: Op, sample: Sample) -> None:
    types = list(map(type_of, sample.inputs))

    def lowered(*symbols: Symbol) -> Any:
        assert op.definition is not None
        result = op.definition(*symbols, **sample.attrs)
        return op(*symbols, **sample.attrs) if result is None else result

    graph = verify(record("lowered", types, lowered))
    expected = run_kernel(op, sample.inputs, sample.attrs)
    for result, array, type in zip(interpret(graph, sample.inputs), expected, graph.types, strict=True):
        assert fits(type_of(array), type)
        np.testing.assert_allclose(result, array, rtol=1e-12, atol=1e-12)


def try_unknown_sizes(function: Callable[[], Any]) -> Any:
    """The function's result; None where it tells the user that a size has to be known before the run."""
    try:
        return function()
    except (TypeError, ValueError) as error:
        if "run time" in str(error) or "known" in str(error):
            return None
        raise


@over_cases(lambda op, sample: op.kind != "creation")
def test_inference_with_unknown_sizes(op: Op, sample: Sample) -> None:
    types = list(map(type_of, sample.inputs))
    expected = infer(op, types, sample.attrs)
    for known in range(len(types) + 1):  # each input alone with unknown sizes, then all
        mixed = [with_unknown_sizes(t) if known in (i, len(types)) else t for i, t in enumerate(types)]
        got = try_unknown_sizes(lambda mixed=mixed: infer(op, mixed, sample.attrs))  # type: ignore[misc]
        for type, full in zip(got or expected, expected, strict=True):
            assert type.dtype is full.dtype
            assert type.rank == full.rank
            assert all(s is None or f is None or s == f for s, f in zip(type.shape, full.shape, strict=True))


@over_cases(lambda op, sample: op.vjp is not None and sample.gradient)
def test_gradient_with_unknown_sizes(op: Op, sample: Sample) -> None:
    types = list(map(type_of, sample.inputs))
    wrt = [i for i, type in enumerate(types) if type.dtype.is_float]
    fixed, seeds = gradient_graph(one_node_graph(op, types, sample.attrs), wrt, range(len(op_types(op, sample))))

    def differentiated() -> Graph:
        unknown = one_node_graph(op, list(map(with_unknown_sizes, types)), sample.attrs)
        return gradient_graph(unknown, wrt, range(len(unknown.outputs)))[0]

    open_ended = try_unknown_sizes(differentiated)
    if open_ended is None:
        return
    generator = np.random.default_rng(0)
    results = run_kernel(op, sample.inputs, sample.attrs)
    cotangents = [generator.standard_normal(results[position].shape) for position in seeds]
    expected = interpret(fixed, [*sample.inputs, *cotangents])
    for result, array in zip(interpret(open_ended, [*sample.inputs, *cotangents]), expected, strict=True):
        np.testing.assert_allclose(result, array, rtol=1e-12, atol=1e-12)


def op_types(op: Op, sample: Sample) -> tuple[TensorType, ...]:
    """The types of an op's outputs on a sample."""
    return infer(op, map(type_of, sample.inputs), sample.attrs)


# Random numbers


@over_cases(lambda op, sample: op.kind == "random")
def test_draws_go_on_and_start_anew_with_the_seed(op: Op, sample: Sample) -> None:
    first = run_kernel(op, sample.inputs, sample.attrs)[0]
    second = np.asarray(op.kernel(*sample.inputs, **sample.attrs))
    again = run_kernel(op, sample.inputs, sample.attrs)[0]
    np.testing.assert_array_equal(first, again)
    assert first.size < 10 or not np.array_equal(first, second)


# Effects


def test_print_writes_what_the_template_says(capsys: pytest.CaptureFixture[str]) -> None:
    x, n = np.array([1.0, 2.5]), np.array(3, np.int32)
    graph = one_node_graph(
        OPS["print_"], [type_of(x), type_of(n)], {"template": ("x: ", 0, " n: ", (1, "n", ">4"), (0, "r", ""), "\n")}
    )
    interpret(graph, [x, n])
    x_text, x_repr = tensor_str(x), tensor_repr(x, "Float64")
    assert capsys.readouterr().out == f"x: {x_text} n:    3{x_repr}\n"


def test_assert_raises_only_where_the_condition_fails() -> None:
    types = [type_of(np.array(True)), type_of(np.array(2))]
    graph = one_node_graph(OPS["assert_"], types, {"template": ("got ", 0), "exception": "AssertionError"})
    assert interpret(graph, [np.array(True), np.array(2)]) == ()
    with pytest.raises(AssertionError, match=r"^got 2$"):
        interpret(graph, [np.array(False), np.array(2)])


def test_raise_raises_the_named_error() -> None:
    graph = one_node_graph(OPS["raise_"], [type_of(np.array(2))], {"template": ("got ", 0), "exception": "KeyError"})
    with pytest.raises(KeyError, match="got 2"):
        interpret(graph, [np.array(2)])
    with pytest.raises(ValueError, match="no exception class 'Nothing'"):
        one_node_graph(OPS["raise_"], [], {"template": (), "exception": "Nothing"})
    with pytest.raises(ValueError, match="place for operand 1, but there are 1"):
        one_node_graph(OPS["print_"], [type_of(np.array(2))], {"template": (1,)})


# Complex numbers: rules hold in the bilinear convention, where the cotangent of x + iy is dx - i dy.


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("multiply", lambda z: z * z),
        ("divide", lambda z: 1.0 / z),
        ("exp", OPS["exp"]),
        ("tanh", OPS["tanh"]),
        ("absolute", OPS["absolute"]),
        ("real", lambda z: OPS["real"](z * z)),
        ("imag", lambda z: OPS["imag"](z * z)),
        ("conj", lambda z: OPS["conj"](z) * z * z),
        ("complex", lambda z: OPS["complex"](OPS["absolute"](z), OPS["imag"](z))),
        ("sum", lambda z: OPS["sum"](z * z, axis=(0,), keepdims=False)),
    ],
)
def test_gradients_of_complex_functions(name: str, function: Callable[..., Any]) -> None:
    """Through a complex tensor made of two real ones, to a real result, the derivative is an ordinary one."""

    def program(x: Any, y: Any) -> Any:
        result = function(OPS["complex"](x, y))
        if not result.dtype.is_complex:
            return result
        return OPS["real"](result), OPS["imag"](result)

    x, y = np.array([0.3, -0.7, 1.1]), np.array([0.9, 0.4, -0.2])
    check_gradients(verify(record(name, [type_of(x), type_of(y)], program)), [x, y], order=2)

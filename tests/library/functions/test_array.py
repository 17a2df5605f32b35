"""Array functions: the values MindSpore gives, eager and compiled, gradients, and errors in the user's terms."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import cases, check_gradient, compiled, differs, eagerly

import mycel as ms
from mycel import Parameter, Tensor, ops


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("array"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


READS_NUMBERS = ("repeat_interleave(x,T", "view(ms", "Parameter(")


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in cases("array") if not any(map(case[0].__contains__, READS_NUMBERS))],
)
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


GRADIENTS = {
    "reshape": (lambda x: ops.reshape(x, (2, -1)), (4, 3)),
    "transpose": (lambda x: ops.transpose(x, (2, 0, 1)), (2, 3, 4)),
    "moveaxis": (lambda x: ops.moveaxis(x, 0, -1), (2, 3, 4)),
    "squeeze": (lambda x: ops.squeeze(x, 1), (2, 1, 3)),
    "broadcast_to": (lambda x: ops.broadcast_to(x, (4, 2, 3)), (2, 1)),
    "tile": (lambda x: ops.tile(x, (2, 1, 3)), (2, 3)),
    "repeat_interleave": (lambda x: ops.repeat_interleave(x, 3, 1), (2, 3)),
    "repeat_each": (lambda x: ops.repeat_interleave(x, (2, 0, 1), 1), (2, 3)),
    "concat": (lambda x, y: ops.concat((x, y), 1), (2, 3), (2, 2)),
    "stack": (lambda x, y: ops.stack((x, y), 1), (2, 3), (2, 3)),
    "split": (lambda x: ops.split(x, 2, 1)[1] * 2, (2, 5)),
    "chunk": (lambda x: ops.chunk(x, 2, 0)[0], (5, 2)),
    "unstack": (lambda x: ops.unstack(x, 1)[2], (2, 3)),
    "meshgrid": (lambda x, y: ops.meshgrid(x, y)[0] * ops.meshgrid(x, y)[1], (3,), (2,)),
    "pad": (lambda x: ops.pad(x, (1, -1, 2, 0), value=3.0), (3, 4)),
    "pad_reflect": (lambda x: ops.pad(x, (2, 1), "reflect"), (2, 4)),
    "pad_replicate": (lambda x: ops.pad(x, (2, 1), "replicate"), (2, 4)),
    "pad_circular": (lambda x: ops.pad(x, (2, 1), "circular"), (2, 4)),
    "roll": (lambda x: ops.roll(x, (1, -1), (0, 1)), (3, 4)),
    "flip": (lambda x: ops.flip(x, (0,)), (3, 2)),
    "rot90": (lambda x: ops.rot90(x, 1, (0, 1)), (3, 2)),
    "slice": (lambda x: ops.slice(x, (0, 1), (2, 2)), (3, 4)),
    "strided_slice": (lambda x: ops.strided_slice(x, (2, 0), (0, 4), (-1, 2)), (3, 4)),
    "gather": (lambda x: ops.gather(x, Tensor([[1, 1], [0, 2]]), 1), (2, 3)),
    "gather_batched": (lambda x: ops.gather(x, Tensor([[1, 1], [0, 2]]), 1, 1), (2, 3)),
    "gather_elements": (lambda x: ops.gather_elements(x, 1, Tensor([[1, 1]])), (2, 3)),
    "gather_nd": (lambda x: ops.gather_nd(x, Tensor([[1, 1], [1, 1]])), (2, 3)),
    "masked_select": (lambda x: ops.masked_select(x, Tensor([True, False, True])), (2, 3)),
    "masked_scatter": (
        lambda x, y: ops.masked_scatter(x, Tensor([[True, False], [False, True]]), y),
        (2, 2),
        (2,),
    ),
    "scatter_nd": (lambda y: ops.scatter_nd(Tensor([[1], [1]]), y, (3,)), (2,)),
    "scatter_add": (lambda x, y: ops.tensor_scatter_add(x, Tensor([[1], [1]]), y), (3, 2), (2, 2)),
    "scatter_update": (lambda x, y: ops.tensor_scatter_update(x, Tensor([[1, 0]]), y), (3, 2), (1,)),
    "scatter_elements": (lambda x, y: ops.tensor_scatter_elements(x, Tensor([[0, 2]]), y, 1, "add"), (2, 3), (1, 2)),
    "index_add": (lambda x, y: x.index_add(1, Tensor([0, 0]), y, alpha=2), (2, 3), (2, 2)),
    "segment_sum": (lambda x: ops.unsorted_segment_sum(x, Tensor([0, 1, 0]), 2), (3, 2)),
    "segment_max": (lambda x: ops.unsorted_segment_max(x, Tensor([0, 1, 0]), 2), (3, 2)),
    "sort": (lambda x: ops.sort(x, 0)[0], (4, 2)),
    "topk": (lambda x: ops.topk(x, 2)[0], (2, 4)),
    "diagonal": (lambda x: ops.diagonal(x, 1), (3, 4)),
    "diag_embed": (lambda x: ops.diag_embed(x, 1), (2, 3)),
    "fill_diagonal": (lambda x: x.fill_diagonal(2.0), (3, 3)),
    "space_to_depth": (lambda x: ops.space_to_depth(x, 2), (1, 2, 4, 2)),
    "reverse_sequence": (lambda x: ops.reverse_sequence(x, Tensor([2, 3]), 1), (2, 3)),
    "block_diag": (lambda x, y: ops.block_diag(x, y), (2, 2), (1, 3)),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient(name):
    function, *shapes = GRADIENTS[name]
    rng = np.random.default_rng(0)
    check_gradient(function, *[rng.normal(size=shape) for shape in shapes])


def test_shapes_that_only_the_run_knows():
    @ms.jit
    def picked(x):
        found = ops.masked_select(x, x > 1)
        pairs = ops.reshape(found, (found.shape[0] // 2, 2))
        spread = ops.broadcast_to(found, (2, found.shape[0]))
        return pairs, ops.expand_dims(found, 0), spread, ops.concat((found, found)), found.tile((2,))

    x = np.array([0.0, 2.0, 3.0, 4.0, 1.0, 5.0], np.float32)
    kept = x[x > 1]
    expected = (kept.reshape(-1, 2), kept[None], np.tile(kept, (2, 1)), np.tile(kept, 2), np.tile(kept, 2))
    for value, wanted in zip(picked(Tensor(x)), expected, strict=True):
        assert np.array_equal(value.asnumpy(), wanted)


def test_scatter_into_a_parameter_changes_it_in_both_modes():
    for run in (lambda f: f, ms.jit):
        table = Parameter(Tensor(np.zeros((3, 2), np.float32)), name="table")
        run(lambda rows, table=table: ops.scatter_add(table, Tensor([1, 1]), rows))(Tensor(np.ones((2, 2), np.float32)))
        assert table.asnumpy().tolist() == [[0, 0], [2, 2], [0, 0]]


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (ValueError, "must match except", lambda x: ops.concat((x, x[:, :2]), 0)),
        (ValueError, "axis value must be in", lambda x: ops.concat((x, x), 2)),
        (TypeError, "dtypes should be same", lambda x: ops.stack((x, ops.cast(x, ms.int32)))),
        (ValueError, "do not make up dimension", lambda x: ops.split(x, [1, 1], 1)),
        (ValueError, "should be positive", lambda x: ops.split(x, 0)),
        (ValueError, "6 elements", lambda x: ops.reshape(x, (4, 2))),
        (ValueError, "once", lambda x: ops.transpose(x, (0, 0))),
        (ValueError, "cannot be broadcast", lambda x: ops.broadcast_to(x, (3, 3))),
        (TypeError, "should hold integers", lambda x: ops.gather(x, x, 0)),
        (TypeError, "should be a Tensor", lambda x: ops.gather(x, 1, 0)),
        (IndexError, "out of range", lambda x: ops.gather(x, Tensor([5]), 0)),
        (IndexError, "out of range", lambda x: ops.gather_nd(x, Tensor([[5]]))),
        (ValueError, "at most 2 elements", lambda x: ops.pad(x, (3, 0), "reflect")),
        (ValueError, "two counts a dimension", lambda x: ops.pad(x, (1, 2, 3))),
        (TypeError, "should have the dtype", lambda x: ops.tensor_scatter_add(x, Tensor([[0, 0]]), Tensor([1]))),
        (ValueError, "leave dimension", lambda x: ops.narrow(x, 1, 2, 2)),
        (RuntimeError, "one a dimension", lambda x: x.repeat(2)),
    ],
)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call(Tensor(np.arange(6.0, dtype=np.float32).reshape(2, 3)))


@pytest.mark.parametrize(("count", "error"), [(1 << 57, MemoryError), (1 << 62, ValueError)])
def test_more_elements_than_memory_holds_are_refused_at_once(count: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        ops.repeat_interleave(Tensor([1.0, 2.0, 3.0, 4.0]), (count, 1, count, count))


def test_pad_by_counts_that_only_the_run_knows() -> None:
    """As rows that a mask selects, which are padded to the length that they had."""

    def kept(x: Tensor, mask: Tensor) -> Tensor:
        rows = x[:, ms.mint.nonzero(mask).flatten()]
        return ops.pad(rows * rows, (1, 4 - rows.shape[1], 0, mask.sum()), value=2.0)

    def total(x: Tensor, mask: Tensor) -> Tensor:
        return kept(x, mask).square().sum()

    x = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
    for mask in (Tensor([1, 0, 1, 1]), Tensor([0, 0, 0, 0]), Tensor([1, 1, 1, 1])):
        chosen = x.asnumpy()[:, mask.asnumpy() > 0]
        count = chosen.shape[1]
        wanted = np.pad(chosen**2, ((0, count), (1, 4 - count)), constant_values=2)
        np.testing.assert_array_equal(ms.jit(kept, fullgraph=True)(x, mask).asnumpy(), wanted)
        np.testing.assert_array_equal(kept(x, mask).asnumpy(), wanted)
        gradient = ms.jit(ms.grad(total), fullgraph=True)(x, mask)
        np.testing.assert_allclose(gradient.asnumpy(), 4 * x.asnumpy() ** 3 * mask.asnumpy(), rtol=1e-6)
    with pytest.raises(ValueError, match="should not be negative, but got -1"):
        ms.jit(lambda x, n: ops.pad(x, (0, n)))(x, Tensor(-1))

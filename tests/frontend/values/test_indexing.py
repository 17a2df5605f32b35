"""Indices: the values MindSpore gives, NumPy's for random indices, gradients, assignment, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from recordings import cases, check_gradient, compiled, differs, eagerly
from searches import few

import mycel as ms
from mycel import Parameter, Tensor, nn, ops


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("indexing"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("indexing"))
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


@st.composite
def indexed(draw):
    """A shape and an index of it, which both NumPy and tensors accept; arrays stand for tensors."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    common = draw(st.sampled_from([(), (1,), (2,), (3,), (2, 2)]))
    key = []
    axis = 0
    while axis < len(shape) and draw(st.integers(0, 5)) > 0:
        size = shape[axis]
        kind = draw(st.sampled_from(["int", "slice", "slice", "none", "array", "list", "mask", "rest"]))
        if kind == "none":
            key.append(None)
            continue
        if kind == "rest":
            if Ellipsis in [item if not isinstance(item, np.ndarray) else 0 for item in key]:
                continue
            key.append(Ellipsis)
            axis += draw(st.integers(0, len(shape) - axis))
            key += [slice(None)] * (len(shape) - axis)
            break
        if kind == "int":
            key.append(draw(st.integers(-size, size - 1)))
        elif kind == "slice":
            bound = st.none() | st.integers(-size - 1, size + 1)
            key.append(slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, -1, -2]))))
        elif kind in ("array", "list"):
            positions = draw(st.lists(st.integers(-size, size - 1), min_size=4, max_size=4))
            array = np.array(positions, np.int64)[: int(np.prod(common))].reshape(common)
            key.append(array.tolist() if kind == "list" and array.ndim == 1 else array)
        else:
            key.append(np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size))))
            if key[-1].sum() != 1:  # so that it broadcasts with any other array
                key[-1] = np.arange(size) == draw(st.integers(0, size - 1))
        axis += 1
    return shape, tuple(key) if len(key) != 1 or draw(st.booleans()) else key[0]


def as_tensors(key):
    if isinstance(key, tuple):
        return tuple(map(as_tensors, key))
    return Tensor(key) if isinstance(key, np.ndarray) else key


def tensors_of(key):
    return [item for item in (key if isinstance(key, tuple) else (key,)) if isinstance(item, Tensor)]


def with_tensors(key, tensors):
    """The index with other tensors in the place of its own."""
    fresh = iter(tensors)
    if isinstance(key, tuple):
        return tuple(next(fresh) if isinstance(item, Tensor) else item for item in key)
    return next(fresh) if isinstance(key, Tensor) else key


@given(indexed())
@few(60)
def test_selections_are_numpys(drawn):
    shape, key = drawn
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    expected = array[key]
    index = as_tensors(key)
    found = Tensor(array)[index]
    assert found.shape == expected.shape
    assert (found.asnumpy() == expected).all()
    run = ms.jit(lambda x, *tensors: x[with_tensors(index, tensors)])
    found = run(Tensor(array), *tensors_of(index))
    assert found.shape == expected.shape
    assert (found.asnumpy() == expected).all()


@given(indexed(), st.booleans())
@few(60)
def test_assignments_are_numpys(drawn, single):
    shape, key = drawn
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    selected = array[key].shape
    value = np.float32(-1) if single else -np.arange(1, np.prod(selected) + 1, dtype=np.float32).reshape(selected)
    expected = array.copy()
    expected[key] = value
    index = as_tensors(key)
    changed = Tensor(array)
    changed[index] = Tensor(value)
    assert (changed.asnumpy() == expected).all()

    @ms.jit
    def run(x, value, *tensors):
        x = x * 1
        x[with_tensors(index, tensors)] = value
        return x

    assert (run(Tensor(array), Tensor(value), *tensors_of(index)).asnumpy() == expected).all()


@given(indexed())
@few(25)
def test_gradients_of_selections_and_assignments(drawn):
    shape, key = drawn
    index = as_tensors(key)
    rng = np.random.default_rng(0)
    array = rng.normal(size=shape)
    selected = array[key]
    if not selected.size:
        return
    check_gradient(lambda x: x[index] * x[index], array)

    def assigned(x, value):
        x = x * 2
        x[index] = value
        return x * x

    check_gradient(assigned, array, rng.normal(size=selected.shape))


def test_bounds_that_are_tensors_and_numbers_of_the_run():
    x = Tensor(np.arange(10.0, dtype=np.float32))
    f = ms.jit(lambda x, low, high: x[low:high])
    assert f(x, Tensor(2), Tensor(5)).asnumpy().tolist() == [2, 3, 4]
    assert f(x, ms.mutable(1), ms.mutable(3)).asnumpy().tolist() == [1, 2]
    assert ms.jit(lambda x, n: x[n] + x[-n])(x, ms.mutable(3)).asnumpy() == 10
    assert ms.jit(lambda x: x[: x[x > 6].shape[0]])(x).asnumpy().tolist() == [0, 1, 2]


def test_values_are_cast_and_spread():
    x = Tensor([[1, 2, 3], [4, 5, 6]])
    x[0] = 9.7
    x[1, 1:] = [7, 8]
    x[:, 0] = Tensor([[1.5], [2.5]])[:, 0]
    assert x.asnumpy().tolist() == [[1, 9, 9], [2, 7, 8]]
    assert x.dtype is ms.int64
    x[0] = Tensor([[[0, 0, 0]]])
    assert x[0].asnumpy().tolist() == [0, 0, 0]


def test_assignment_changes_the_tensor_and_its_aliases():
    x = Tensor([1.0, 2.0, 3.0])
    alias, copy = x, x.copy()
    x[0] = 5.0
    x[1] += 1
    x[Tensor([False, False, True])] *= 2
    assert alias.asnumpy().tolist() == [5, 3, 6]
    assert copy.asnumpy().tolist() == [1, 2, 3]


def test_items_of_parameters():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table = Parameter(Tensor([1.0, 2.0, 3.0]), name="table")

        def construct(self, x):
            self.table[1] = x
            return self.table * 1

    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        before = ms.get_context("mode")
        ms.set_context(mode=mode)
        try:
            net = Net()
            assert net(Tensor(7.0)).asnumpy().tolist() == [1, 7, 3]
            assert net.table.asnumpy().tolist() == [1, 7, 3]
        finally:
            ms.set_context(mode=before)


@pytest.mark.parametrize(
    ("run", "error", "words"),
    [
        (lambda x: x[5], IndexError, r"index 5 is out of range for dimension 0 .*'begin\[0\]' must be in \[-2, 2\)"),
        (lambda x: x[0, -4], IndexError, "index -4 is out of range for dimension 1"),
        (lambda x: x[0, 0, 0], IndexError, "too many indices"),
        (lambda x: x[0.5], IndexError, "must be int or bool"),
        (lambda x: x["a"], IndexError, "must be int or bool"),
        (lambda x: x[{}], IndexError, "can be indexed by"),
        (lambda x: x[False], IndexError, "not by False"),
        (lambda x: x[..., ..., 0], IndexError, "only one Ellipsis"),
        (lambda x: x[Tensor([0.5])], IndexError, "must be int or bool, but its dtype is Float32"),
        (lambda x: x[[True, False, True]], IndexError, "mask of shape"),
        (lambda x: x[Tensor([0, 1]), Tensor([0, 1, 2])], IndexError, "cannot be broadcast together"),
        (lambda x: x[::0], ValueError, "step of a slice should not be zero"),
        (lambda x: x[Tensor([7])], IndexError, r"should be in the range \[0, 2\)"),
        (lambda x: x[0][0][0], TypeError, "0-d tensor"),
        (lambda x: ops.zeros_like(x).__setitem__(0, [1.0, 2.0]), ValueError, "cannot be assigned to a selection"),
        (lambda x: ops.zeros_like(x).__setitem__(3, 0), IndexError, "out of range"),
        (lambda x: ops.zeros_like(x).__setitem__(0, 2 + 1j), TypeError, "is complex, which no number of Float32 is"),
        (lambda x: ops.zeros_like(x).__setitem__(0, np.complex64(1j)), TypeError, "is complex, which no"),
    ],
)
def test_errors(run, error, words):
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    with pytest.raises(error, match=words):
        run(x)
    with pytest.raises(error, match=words):
        ms.jit(run)(x)

"""Assignment through selections: `x[i][j] = v` and `row = x[i]; row[j] = v` change x."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, ops


def matrix() -> Tensor:
    return Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))


CHANGES = {
    "row": lambda x: x[1].__setitem__(2, 50.0),
    "block": lambda x: x[1:].__setitem__((slice(None), 0), -1.0),
    "deep": lambda x: x[1:][1][::2].__setitem__(1, 70.0),
    "new axis": lambda x: x[None, :, 1].__setitem__((0, 2), 8.0),
    "backwards": lambda x: x[::-1].__setitem__(0, 5.0),
    "all": lambda x: x[...].__setitem__(0, 3.0),
    "chosen by a tensor": lambda x: x[Tensor([0, 1])].__setitem__(0, 9.0),
    "masked": lambda x: x[x > 3].__setitem__(0, 9.0),
}


@pytest.mark.parametrize("name", CHANGES)
def test_as_numpy_has_it(name):
    x, array = matrix(), matrix().asnumpy().copy()
    CHANGES[name](x)
    if name not in ("chosen by a tensor", "masked"):  # which are copies, in NumPy too
        CHANGES[name](array)
    assert np.array_equal(x.asnumpy(), array)


def test_nested_assignment_compiled():
    @ms.jit
    def change(x):
        y = x * 1
        y[1][2] = x[0, 1] * 100
        y[0:2][1][0] += 7
        return y

    expected = matrix().asnumpy().copy()
    expected[1, 2], expected[1, 0] = 100, 11
    assert np.array_equal(change(matrix()).asnumpy(), expected)


def test_gradient_through_nested_assignment():
    def loss(x, v):
        y = x * 1
        y[1][2] = v * v
        return (y * y).sum()

    dx, dv = ms.grad(loss, (0, 1))(matrix(), Tensor(3.0))
    expected = 2 * matrix().asnumpy()
    expected[1, 2] = 0
    assert np.array_equal(dx.asnumpy(), expected)
    assert float(dv) == 4 * 3.0**3


def test_a_selection_is_what_x_was_then():
    x = matrix()
    row = x[0]
    x[0] = 9.0
    assert row.tolist() == [0.0, 1.0, 2.0, 3.0]
    row[1] = -1.0  # of x as it is by now, only this element changes
    assert x[0].tolist() == [9.0, -1.0, 9.0, 9.0]


def test_augmented_selections_are_values_of_their_own():
    x = matrix()
    row, everything = x[0], x[:]
    row += 1
    everything *= 2
    assert np.array_equal(x.asnumpy(), matrix().asnumpy())
    assert row.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert everything[0].tolist() == [0.0, 2.0, 4.0, 6.0]


def test_items_of_items_of_parameters():
    weight = Parameter(matrix(), name="weight")
    weight[2][1] = 44.0
    assert weight.asnumpy()[2, 1] == 44
    assert isinstance(weight, Parameter)
    whole = weight[:]
    assert not isinstance(whole, Parameter)
    assert np.array_equal(whole.asnumpy(), weight.asnumpy())


def test_indices_that_are_equal_but_differ_in_kind():
    x = ops.arange(2)
    assert x[1].shape == ()
    assert x[True].shape == (1, 2)
    assert x[1].shape == ()
    assert x[0:1].shape == (1,)
    assert x[(0,)].shape == ()
    assert x[None].shape == (1, 2)

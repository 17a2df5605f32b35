"""Tensors: operators and methods with the values MindSpore gives, updates in place, numbers of the run, open shapes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from recordings import cases, check_gradient, compiled, differs, eagerly

import mycel as ms
from mycel import Parameter, Tensor, ops


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("tensor"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


READS_NUMBERS = ("in x", "bool(", "int(s)", "float(s)", "item()", "tolist()", "allclose")


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in cases("tensor") if not any(map(case[0].__contains__, READS_NUMBERS))],
)
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


UPDATES = {
    "x += 1": (lambda x: x.__iadd__(1), [2.0, 3.0]),
    "x -= tensor": (lambda x: x.__isub__(Tensor([1.0, 1.0])), [0.0, 1.0]),
    "x *= 2": (lambda x: x.__imul__(2), [2.0, 4.0]),
    "x /= 2": (lambda x: x.__itruediv__(2), [0.5, 1.0]),
    "x //= 2": (lambda x: x.__ifloordiv__(2), [0.0, 1.0]),
    "x %= 2": (lambda x: x.__imod__(2), [1.0, 0.0]),
    "add_": (lambda x: x.add_(1, alpha=2), [3.0, 4.0]),
    "sub_": (lambda x: x.sub_(1), [0.0, 1.0]),
    "mul_": (lambda x: x.mul_(3), [3.0, 6.0]),
    "div_": (lambda x: x.div_(2), [0.5, 1.0]),
    "copy_": (lambda x: x.copy_(Tensor([7, 8])), [7.0, 8.0]),
    "copy_ spread": (lambda x: x.copy_(Tensor(9)), [9.0, 9.0]),
    "fill_": (lambda x: x.fill_(4), [4.0, 4.0]),
    "zero_": (lambda x: x.zero_(), [0.0, 0.0]),
    "clamp_": (lambda x: x.clamp_(1.5, 1.75), [1.5, 1.75]),
    "masked_fill_": (lambda x: x.masked_fill_(x > 1, 0.0), [1.0, 0.0]),
    "exp_ log_": (lambda x: x.exp_().log_(), [1.0, 2.0]),
}


@pytest.mark.parametrize("name", UPDATES)
@pytest.mark.parametrize("kind", ["eager", "compiled", "parameter"])
def test_updates_in_place(name, kind):
    update, expected = UPDATES[name]
    x = Tensor([1.0, 2.0])
    target = Parameter(x, name="x") if kind == "parameter" else x
    alias = target
    if kind == "compiled":
        ms.jit(lambda x: update(x) * 1)(target)
    else:
        assert update(target) is target
    np.testing.assert_allclose(alias.asnumpy(), expected, rtol=1e-6)
    assert alias.dtype is ms.float32


def test_updates_of_graphs_keep_the_dtype():
    @ms.jit
    def f(x):
        x += 1.7
        return x

    x = Tensor([1, 2], ms.int32)
    with pytest.warns(UserWarning, match="keeps Int32, so the numbers of Float32 are cut off"):
        found = f(x)
    for result in (x, found):
        assert result.asnumpy().tolist() == [2, 3]
        assert result.dtype is ms.int32


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (Tensor([1, 2], ms.int32), 1.5, Tensor([2.5, 3.5])),
        (Tensor([1, 2], ms.float16), Tensor([1.0, 2.0]), Tensor([2.0, 4.0])),
        (Tensor([1, 2]), Tensor([[1], [2]]), Tensor([[2, 3], [3, 4]])),
        (Tensor([True, False]), 2, Tensor([3, 2])),
    ],
)
def test_eager_updates_that_do_not_fit_give_a_new_tensor(x, y, expected):
    alias, before = x, x.asnumpy().copy()
    x += y
    assert x.dtype is expected.dtype
    np.testing.assert_array_equal(x.asnumpy(), expected.asnumpy())
    np.testing.assert_array_equal(alias.asnumpy(), before)


def test_powers_are_not_in_place():
    x = Tensor([1, 2], ms.int32)
    alias = x
    x *= True
    x += 1
    assert alias is x
    x **= 2
    assert x.asnumpy().tolist() == [4, 9]
    assert alias.asnumpy().tolist() == [2, 3]


def test_a_copied_parameter_is_not_shared():
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    x = Tensor([0.0, 0.0])
    x.copy_(weight)
    weight += 1
    assert x.asnumpy().tolist() == [1.0, 2.0]


def test_gradients_pass_updates():
    def f(x):
        y = x * 2
        y += x * x
        y[0] = y[1] * 3
        y *= 2
        return y

    check_gradient(f, np.array([0.3, 0.7, 1.1]))


def test_gradients_pass_updates_of_eager_functions():
    def f(x):
        y = x * 2
        y += 1
        y *= float(y[0].asnumpy() > 0) + 1
        return (y * y).sum()

    with pytest.warns(ms.FallbackWarning, match="runs eagerly"):
        gradient = ms.grad(f)(Tensor([1.0, 2.0]))
    assert gradient.asnumpy().tolist() == [48.0, 80.0]


def test_equality_and_hash_are_of_elements_and_of_the_object():
    x, y = Tensor([1.0, 2.0]), Tensor([1.0, 3.0])
    assert (x == y).asnumpy().tolist() == [True, False]
    assert (x != y).asnumpy().tolist() == [False, True]
    assert len({x, y, x}) == 2
    assert {x: 1}[x] == 1
    assert (x == "a") is False
    assert (x != [1.0, 2.0]) is True
    assert (x is None) is False


def test_numpy_and_tensors_meet():
    x = Tensor([1.0, 2.0])
    array = np.array([3.0, 4.0], np.float32)
    assert (x + array).asnumpy().tolist() == [4.0, 6.0]
    assert isinstance(array + x, np.ndarray)
    assert (array + x).tolist() == [4.0, 6.0]
    assert (x * np.float64(2)).dtype is ms.float32
    assert np.asarray(x).tolist() == [1.0, 2.0]
    assert np.add(x, 1).tolist() == [2.0, 3.0]


def test_copies_and_pickles():
    x = Tensor([1.0, 2.0])
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.copy(), x.clone(), Tensor(x)):
        other_numbers = other.asnumpy().tolist()
        assert other_numbers == [1.0, 2.0]
        assert other is not x


def test_tensors_made_of_traced_values():
    @ms.jit
    def f(x, n):
        a = Tensor([x[0], x[1] * 2, 3])
        b = Tensor([[x[0], 1], [2, x[1]]], ms.float16)
        c = Tensor(x, ms.int32)
        d = Tensor(n)
        e = Tensor(x)
        e += 10
        return a, b, c, d, e, x * 1

    x = Tensor([1.5, 2.5])
    a, b, c, d, e, same = f(x, ms.mutable(4))
    assert a.asnumpy().tolist() == [1.5, 5.0, 3.0]
    assert a.dtype is ms.float32
    assert b.asnumpy().tolist() == [[1.5, 1.0], [2.0, 2.5]]
    assert b.dtype is ms.float16
    assert c.asnumpy().tolist() == [1, 2]
    assert c.dtype is ms.int32
    assert (d.asnumpy().item(), d.dtype) == (4, ms.int64)
    assert e.asnumpy().tolist() == [11.5, 12.5]
    assert same.asnumpy().tolist() == x.asnumpy().tolist() == [1.5, 2.5]


def test_numbers_of_the_run_are_never_updated_in_place():
    @ms.jit
    def f(n, r):
        m = n
        n += 1
        r *= 2
        return m, n, r, m // 2, m % 2, m**2, abs(-m), round(r), divmod(m, 2)

    assert f(ms.mutable(5), ms.mutable(1.3)) == (5, 6, pytest.approx(2.6), 2, 1, 25, 5, 3, (2, 1))


OPEN = {
    "sum": lambda y: y.sum(),
    "arithmetic": lambda y: y * 2 + 1,
    "mean": lambda y: y.mean(),
    "std": lambda y: y.std(),
    "median": lambda y: ops.median(y)[0],
    "quantile": lambda y: ops.quantile(y, 0.5),
    "norm": lambda y: y.norm(),
    "shape": lambda y: y.shape,
    "size": lambda y: y.size,
    "reshape": lambda y: y.reshape(-1, 1),
    "reshape by its size": lambda y: y.reshape(1, y.shape[0]),
    "concat": lambda y: ops.concat((y, y)),
    "stack": lambda y: ops.stack((y, y + 1)),
    "item": lambda y: y[0] + y[-1],
    "slice": lambda y: y[1:],
    "reversed": lambda y: y[::-1],
    "by a tensor": lambda y: y[Tensor([0, 1])],
    "by a mask": lambda y: y[y > 2],
    "divided by its length": lambda y: y / y.shape[0],
    "softmax": lambda y: ops.softmax(y),
    "sort": lambda y: ops.sort(y)[0],
    "cumsum": lambda y: y.cumsum(0),
    "outer": lambda y: y.reshape(-1, 1) * y,
    "where": lambda y: ops.where(y > 2, y, 0.0),
    "zeros like": lambda y: ops.zeros_like(y),
    "range": lambda y: ops.arange(y.shape[0]),
    "cast": lambda y: y.astype(ms.int32),
    "clip": lambda y: y.clip(1.5, 3),
    "matmul": lambda y: ops.matmul(y, y),
    "tile": lambda y: ops.tile(y, (2,)),
    "flip": lambda y: ops.flip(y, (0,)),
    "diff": lambda y: ops.diff(y),
    "logsumexp": lambda y: ops.logsumexp(y, 0),
    "nonzero": lambda y: ops.nonzero(y > 2),
    "extrema": lambda y: (y.max(), y.argmax(), y.min(axis=0)),
}


@pytest.mark.parametrize("name", OPEN)
def test_shapes_that_only_the_run_knows(name):
    function = OPEN[name]

    def chosen(x):
        return function(x[x > 0])

    run = ms.jit(chosen)
    for values in ([[1.2, -2.0, 3.4], [2.3, -1.0, -4.0]], [[-1.0, -3.0, 4.1], [-2.0, -5.0, 1.7]]):
        x = Tensor(values)
        found, expected = run(x), chosen(x)
        if not isinstance(expected, tuple):
            found, expected = (found,), (expected,)
        for a, b in zip(found, expected, strict=True):
            if isinstance(b, Tensor):
                assert (a.dtype, a.shape) == (b.dtype, b.shape)
                np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)
            else:
                assert a == b
    assert len(run.explain().traces) == 1
    if not isinstance(expected[0], Tensor) or not expected[0].dtype.is_float or len(expected) > 1:
        return
    check_gradient(chosen, np.array([[1.2, -2.0, 3.4], [2.3, -1.0, 2.8]]))


def test_types_for_set_inputs_have_open_shapes():
    assert Tensor(shape=[None, 2], dtype=ms.float16).dtype is ms.float16
    full = Tensor(shape=[3, 2], dtype=ms.float16)
    assert (full.shape, full.dtype) == ((3, 2), ms.float16)
    with pytest.raises(TypeError, match="'init' should be"):
        Tensor(shape=[3, 2], dtype=ms.float16, init=[1])


@pytest.mark.parametrize(
    ("run", "error", "words"),
    [
        (lambda x: bool(x), ValueError, "one element"),
        (lambda x: x.item(), ValueError, "one element"),
        (lambda x: int(x), ValueError, "one element"),
        (lambda x: len(x.sum()), TypeError, "0-d tensor has no length"),
        (lambda x: iter(x.sum()), TypeError, "0-d tensor cannot be iterated"),
        (lambda x: x < None, TypeError, "not supported between"),
        (lambda x: x + None, TypeError, "unsupported operand"),
        (lambda x: x @ 3, TypeError, "should be a Tensor"),
        (lambda x: x.no_such_method(), AttributeError, "no_such_method"),
        (lambda x: x.sum(nothing=1), TypeError, "unexpected keyword argument 'nothing'"),
        (lambda x: Tensor.from_numpy([1.0]), TypeError, "NumPy array"),
    ],
)
def test_errors(run, error, words):
    with pytest.raises(error, match=words):
        run(Tensor([1.0, 2.0]))


def test_dtypes_show_as_mindspore_shows_them():
    assert str(ms.float32) == "Float32"
    assert repr([ms.int32, ms.bool]) == "[mindspore.int32, mindspore.bool]"
    assert (ms.bool, ms.int, ms.float) == (ms.bool_, ms.int32, ms.float32)
    assert (ms.cfloat, ms.uintp) == (ms.complex64, ms.uint64)


def test_other_argument_names_of_methods():
    x = Tensor([[1, 9, 3], [4, 5, 7]])
    assert Tensor([1, 2, 3]).expand_as(x=x).shape == (2, 3)
    largest, place = x.argmax_with_value(axis=None, keep_dims=True)
    assert (int(largest), int(place), largest.shape) == (9, 0, ())
    rows, places = Tensor([[1, 1, 1]]), Tensor([1], ms.int32)
    expected = [[1, 9, 3], [5, 6, 8]]
    assert x.index_add(places, rows, axis=0).asnumpy().tolist() == expected
    assert x.index_add(0, places, rows, alpha=1).asnumpy().tolist() == expected


def test_random_methods_that_leave_the_tensor() -> None:
    x = Tensor(np.zeros((1000,), np.float16))
    drawn = x.uniform(2.0, 4.0)
    assert drawn.dtype is ms.float16
    assert 2 <= float(drawn.min()) < 2.1
    assert 3.9 < float(drawn.max()) <= 4
    assert not x.asnumpy().any()
    with pytest.raises(TypeError, match="no larger"):
        x.uniform(1.0, 0.0)
    assert set(Tensor([[0.0, -100.0, 0.0]]).random_categorical(50).asnumpy().ravel()) == {0, 2}


def test_no_tensor_is_elsewhere() -> None:
    x = Tensor([1.0])
    assert (x.is_meta, x.is_pinned(), x.is_shared()) == (False, False, False)

"""Elementwise functions: the values MindSpore gives, eager and compiled, gradients, and errors in the user's terms."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import cases, check_gradient, compiled, differs, eagerly

import mycel as ms
from mycel import Tensor, ops


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("math"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("math"))
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


GRADIENTS = {
    "lerp": (lambda x, y: ops.lerp(x, y, 0.3), (2, 3), (3,)),
    "addcmul": (lambda x, y: ops.addcmul(x, y, x, 0.5), (2, 3), (3,)),
    "addcdiv": (lambda x, y: ops.addcdiv(x, y, x, 0.5), (2, 3), (3,)),
    "hypot": (lambda x, y: ops.hypot(x, y), (2, 3), (3,)),
    "logaddexp": (lambda x, y: ops.logaddexp(x, y), (2, 3), (3,)),
    "logaddexp2": (lambda x, y: ops.logaddexp2(x, y), (2, 3), (3,)),
    "xlogy": (lambda x, y: ops.xlogy(x, y), (2, 3), (3,)),
    "xdivy": (lambda x, y: ops.xdivy(x, y), (2, 3), (3,)),
    "pow": (lambda x, y: ops.pow(x, y), (2, 3), (3,)),
    "true_divide": (lambda x, y: x / y, (2, 3), (3,)),
    "remainder": (lambda x, y: ops.remainder(x, y), (2, 3), (3,)),
    "fmod": (lambda x, y: ops.fmod(x, y), (2, 3), (3,)),
    "maximum": (lambda x, y: ops.maximum(x, y), (2, 3), (3,)),
    "fmax": (lambda x, y: ops.fmax(x, y), (2, 3), (3,)),
    "atan2": (lambda x, y: ops.atan2(x, y), (2, 3), (3,)),
    "where": (lambda x, y: ops.where(x > y, x * x, y), (2, 3), (3,)),
    "clamp": (lambda x, y: ops.clamp(x, y, 1.7), (2, 3), (3,)),
    "clip_by_value": (lambda x: ops.clip_by_value(x, 0.7, 1.7), (2, 3)),
    "masked_fill": (lambda x: ops.masked_fill(x, x > 1, 0.0) * x, (2, 3)),
    "logit": (lambda x: ops.logit(x / 4), (2, 3)),
    "logit_eps": (lambda x: ops.logit(x / 2, 0.3), (2, 3)),
    "sinc": (lambda x: ops.sinc(x), (2, 3)),
    "frac": (lambda x: ops.frac(x) * x, (2, 3)),
    "copysign": (lambda x: ops.copysign(x, Tensor([-1.0, 1.0, -1.0], ms.float64)), (2, 3)),
    "erf": (ops.erf, (2, 3)),
    "erfc": (ops.erfc, (2, 3)),
    "erfinv": (lambda x: ops.erfinv(x / 3), (2, 3)),
    "lgamma": (ops.lgamma, (2, 3)),
    "digamma": (ops.digamma, (2, 3)),
    "mvlgamma": (lambda x: ops.mvlgamma(x + 2, 3), (2, 3)),
    "exp2": (ops.exp2, (2, 3)),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient(name):
    function, *shapes = GRADIENTS[name]
    rng = np.random.default_rng(0)
    check_gradient(function, *[rng.uniform(0.5, 2.0, shape) for shape in shapes])


def test_where_neither_counts_no_gradient_is_nan():
    x = Tensor([0.0, 1.0])
    assert ms.grad(lambda x: ops.xlogy(x, x).sum())(x).asnumpy()[1] == 1.0
    assert np.isfinite(ms.grad(lambda y: ops.xlogy(Tensor([0.0, 1.0]), y).sum())(x).asnumpy()).all()
    assert np.isfinite(ms.grad(lambda y: ops.xdivy(Tensor([0.0, 1.0]), y).sum())(x).asnumpy()).all()
    assert ms.grad(lambda x: ops.logaddexp(x, x).sum())(Tensor([1000.0])).asnumpy().tolist() == [1.0]
    assert ms.grad(lambda x: ops.sinc(x).sum())(Tensor([0.0])).asnumpy().tolist() == [0.0]


def test_ties_share_the_gradient():
    both = ms.grad(lambda x, y: ops.maximum(x, y).sum(), (0, 1))(Tensor([1.0]), Tensor([1.0]))
    assert [gradient.asnumpy().tolist() for gradient in both] == [[0.5], [0.5]]
    assert ms.grad(lambda x: ops.clip_by_value(x, 0.0, 1.0).sum())(Tensor([1.0])).asnumpy().tolist() == [0.5]


@pytest.mark.parametrize(
    ("run", "error", "words"),
    [
        (lambda x: ops.add(x, "a"), TypeError, "add: 'other' should be a Tensor or a number, but got str"),
        (lambda x: x + Tensor([1.0, 2.0]), ValueError, "cannot be broadcast together"),
        (lambda x: ops.exp(3), TypeError, "exp: 'input' should be a Tensor, but got int"),
        (lambda x: ops.exp(Tensor([1])), TypeError, "floating-point one such as Float32, but got Int64"),
        (lambda x: ops.div(x, 2, rounding_mode="up"), ValueError, "'rounding_mode' should be None, 'floor' or 'trunc'"),
        (lambda x: ops.addn([]), ValueError, "at least one Tensor"),
        (lambda x: ops.addn([x, x.astype(ms.int32)]), TypeError, "one dtype, but got Float32 and Int32"),
        (lambda x: ops.clamp(x), ValueError, "at least one of 'min' and 'max'"),
        (lambda x: ops.where(x, x, x), TypeError, "should be Bool, but got Float32"),
        (lambda x: (x > 0) - (x > 0), TypeError, "not defined on Bool operands"),
        (lambda x: x + "a", TypeError, "unsupported operand"),
        (lambda x: x.astype(ms.int32) << 1, TypeError, "unsupported operand type.* for <<"),
        (lambda x: ops.erf(Tensor([1])), TypeError, "floating-point"),
        (lambda x: ops.mvlgamma(x, 0), ValueError, "at least 1"),
        (lambda x: ops.elu(x, "a"), TypeError, "a number is expected, but got the string 'a'"),
        (lambda x: ops.tril(ops.diag(x), "a"), TypeError, "'diagonal' should be an int, but got str"),
        (lambda x: ops.softshrink(x, -1), ValueError, "'lambd' should not be negative, but got -1"),
        (lambda x: ops.max_pool2d(ops.ones((1, 4, 4)), 2, padding=2), ValueError, "at most half of 'kernel_size'"),
        (lambda x: ops.avg_pool1d(ops.ones((1, 4)), 2, padding=2), ValueError, "at most half of 'kernel_size'"),
        (lambda x: ops.adaptive_avg_pool2d(ops.ones((1, 4, 4)), "a"), TypeError, "'output_size' should be an int"),
        (lambda x: ops.softplus(x, 0), ValueError, "'beta' should not be 0"),
        (lambda x: ops.matrix_power(ops.ones((2, 3)), 1), ValueError, "matrices should be square"),
        (lambda x: ops.pdist(x), ValueError, "pdist: a matrix is expected"),
        (lambda x: ops.tensor_dot(x, x, "a"), TypeError, "'axes' should be an int, or two of them"),
        (lambda x: ops.mv(ops.ones((2, 2)), x), ValueError, "inner dimensions must be equal"),
        (lambda x: ops.mv(ops.ones((2, 2)), x), RuntimeError, "inner dimensions must be equal"),
    ],
)
def test_errors(run, error, words):
    x = Tensor([1.0, 2.0, 3.0])
    with pytest.raises(error, match=words):
        run(x)
    with pytest.raises(error, match=words):
        ms.jit(run)(x)

"""Programs that call the machine code of a convolution themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.product import has_products, has_wide_code

needs_products = pytest.mark.skipif(not has_wide_code(), reason="the processor has no AVX-512, or machine code is off")
needs_vectors = pytest.mark.skipif(not has_products(), reason="machine code is off, or the processor has no AVX2")


def step(x: Any, w: Any) -> Any:
    """A loss, and the gradients by image and weight, of a convolution with a stride behind one without."""

    def loss(x: Any, w: Any) -> Any:
        y = ops.relu(ops.conv2d(x, w, padding=1, pad_mode="pad"))
        return ops.conv2d(y, w, stride=2, padding=0).sum()

    return ms.value_and_grad(loss, (0, 1))(x, w)


def arrays(turned: bool) -> list[np.ndarray]:
    """Images and a weight, perhaps with another order in memory."""
    random = np.random.default_rng(0)
    x, w = random.standard_normal((2, 16, 8, 8)), random.standard_normal((16, 16, 3, 3))
    found = [array.astype(np.float32) for array in (x, w)]
    return [np.asfortranarray(array) for array in found] if turned else found


@needs_vectors
@pytest.mark.parametrize("turned", [False, True])
def test_calls_and_kernels_agree(turned: bool) -> None:
    """Arrays of another order in memory go to the kernel."""
    given = [Tensor(array) for array in arrays(turned)]
    called, others = ms.jit(step), ms.jit(passes_off=["native_products"])(step)
    text = str(called.stages(*given).program)
    for purpose in ("forward", "weight", "input"):
        assert f"compile_direct('{purpose}'" in text
    assert "compile_direct(" not in str(others.stages(*given).program)
    (loss, grads), (other_loss, other_grads) = called(*given), others(*given)
    for one, other in zip((loss, *grads), (other_loss, *other_grads), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-4)


@needs_vectors
def test_a_gradient_with_infinite_weights_goes_to_the_kernel() -> None:
    """Zeros around the gradient would make nan of infinity, where no window is."""
    x, w = arrays(False)
    w[0, 0, 0, 0] = np.inf

    def loss(x: Any) -> Any:
        return ops.conv2d(x, Tensor(w), stride=2, padding=1, pad_mode="pad").sum()

    found = ms.jit(ms.grad(loss))(Tensor(x)).asnumpy()
    expected = ms.grad(loss)(Tensor(x)).asnumpy()
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))
    assert np.isfinite(found[:, 1:]).all()


@needs_products
@pytest.mark.parametrize("turned", [False, True])
def test_pooling_is_called_so_too(turned: bool) -> None:
    """Maxima and their gradient, of arrays in order and others."""
    x = Tensor(arrays(turned)[0])

    def loss(x: Any) -> Any:
        return (ops.max_pool2d(x, 3, 2, 1) ** 2).sum()

    called, others = (ms.jit(passes_off=off)(ms.value_and_grad(loss)) for off in ([], ["native_products"]))
    text = str(called.stages(x).program)
    for kind in ("maximum", "gradient"):
        assert f"compile_pool('{kind}'" in text
    for one, other in zip(called(x), others(x), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)

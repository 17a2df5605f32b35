"""`run_check`: whether the installation works."""

from __future__ import annotations

import sys

import numpy as np

from ..frontend.transforms.grad import value_and_grad
from ..frontend.values.tensor import Tensor

__all__ = ["run_check"]

PACKAGE = __name__.split(".")[0]


def run_check() -> None:
    """Compile a product and its gradient, compare with NumPy, and print whether they agree.

    Examples:
        >>> import mycel as ms
        >>> ms.run_check()  # doctest: +ELLIPSIS
        mycel version: ...
        The result of multiplication calculation is correct, mycel has been installed on platform [CPU] successfully!
    """
    generator = np.random.default_rng(0)
    left, right = (generator.normal(size=(8, 8)).astype(np.float32) for _ in range(2))
    value, gradient = value_and_grad(lambda x, y: (x @ y).sum())(Tensor(left), Tensor(right))
    right_value = np.isclose(value.item(), (left @ right).sum(), atol=1e-3)
    right_gradient = np.allclose(gradient.asnumpy(), np.broadcast_to(right.sum(1), (8, 8)), atol=1e-4)
    print(f"{PACKAGE} version: {getattr(sys.modules[PACKAGE], '__version__', 'unknown')}")
    if right_value and right_gradient:
        print(
            f"The result of multiplication calculation is correct, {PACKAGE} has been installed on platform [CPU] "
            "successfully!"
        )
    else:
        print(f"The result of multiplication calculation is wrong: {value.item()} is not {(left @ right).sum()}")

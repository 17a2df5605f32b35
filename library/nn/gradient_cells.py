"""Products with Jacobians as Cells (`nn.Jvp`, `nn.Vjp`)."""

from __future__ import annotations

from typing import Any

from ...frontend.transforms.products import jvp, vjp
from ...frontend.values.cell import Cell
from .sections import sections

__all__ = ["Jvp", "Vjp"]


class _Product(Cell):
    """A product with the Jacobian of `fn`.

    Args:
        fn: the function or Cell.
    """

    def __init__(self, fn: Any) -> None:
        super().__init__()
        self.fn = fn


_PRODUCT = {
    "Args": "fn: the function or Cell.",
    "Outputs": "A pair: the output of the function, and the product, of the shape and dtype of {what}.",
    "Raises": "TypeError: if an input is no float Tensor.",
}


@sections(**{heading: text.format(what="the output") for heading, text in _PRODUCT.items()})
class Jvp(_Product):
    """The output of a function and the product of its Jacobian with a vector.

    Inputs:
        args: float tensors of any shape, the inputs of the function, and last the vector: a tensor of the shape of the
            input, or a tuple of one for each input.

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.nn.gradient_cells import Jvp
        >>> output, product = Jvp(lambda x: x**3)(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 1.0]))
        >>> print(product)
        [ 3. 12.]
    """

    def construct(self, *args: Any) -> Any:
        """`args` are the inputs, and last the vector: a tensor, or a tuple of one for each input."""
        inputs, vector = args[:-1], args[-1]
        return jvp(self.fn, inputs if len(inputs) > 1 else inputs[0], vector)


@sections(**{heading: text.format(what="the inputs") for heading, text in _PRODUCT.items()})
class Vjp(_Product):
    """The output of a function and the product of a vector with its Jacobian.

    Inputs:
        args: float tensors of any shape, the inputs of the function, and last the vector: a tensor of the shape of the
            output, or a tuple of one for each output.

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.nn.gradient_cells import Vjp
        >>> output, product = Vjp(lambda x: x**3)(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 1.0]))
        >>> print(product)
        [ 3. 12.]
    """

    def construct(self, *args: Any) -> Any:
        """`args` are the inputs, and last the vector: a tensor, or a tuple of one for each result."""
        inputs, vector = args[:-1], args[-1]
        output, pull = vjp(self.fn, *inputs)
        found = pull(*vector) if isinstance(vector, tuple) else pull(vector)
        return output, found[0] if isinstance(found, tuple) and len(inputs) == 1 else found

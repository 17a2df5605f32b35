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

    def construct(self, *args: Any) -> Any:
        """`args` are the inputs, and last the vector: a tensor, or a tuple of several."""
        return self._product(args[:-1], args[-1])


_PRODUCT = {
    "Args": "fn: the function or Cell.",
    "Inputs": """
        args: float tensors of any shape, the inputs of the function, and last the vector: a tensor of the shape of the
            {like}, or a tuple of one for each {like}.
    """,
    "Outputs": "A pair: the output of the function, and the product, of the shape and dtype of {what}.",
    "Raises": "TypeError: if an input is no float Tensor.",
    "Examples": """
        >>> import mycel as ms
        >>> from mycel.library.nn.gradient_cells import {name}
        >>> output, product = {name}(lambda x: x**3)(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 1.0]))
        >>> print(product)
        [ 3. 12.]
    """,
}


@sections(**{heading: text.format(what="the output", like="input", name="Jvp") for heading, text in _PRODUCT.items()})
class Jvp(_Product):
    """The output of a function and the product of its Jacobian with a vector."""

    def _product(self, inputs: tuple[Any, ...], vector: Any) -> Any:
        return jvp(self.fn, inputs if len(inputs) > 1 else inputs[0], vector)


@sections(**{heading: text.format(what="the inputs", like="output", name="Vjp") for heading, text in _PRODUCT.items()})
class Vjp(_Product):
    """The output of a function and the product of a vector with its Jacobian."""

    def _product(self, inputs: tuple[Any, ...], vector: Any) -> Any:
        output, pull = vjp(self.fn, *inputs)
        found = pull(*vector) if isinstance(vector, tuple) else pull(vector)
        return output, found[0] if isinstance(found, tuple) and len(inputs) == 1 else found

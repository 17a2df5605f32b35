"""Complex numbers as their real and imaginary parts: what `Op.parts` is for families of ops.

A rule is called as `(op, *inputs, **attrs)`, with `Parts` for complex inputs and symbols for others. It gives the same
value by ops on real numbers: `Parts` where it is complex; None where there is no such way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.records import NamedTuple
from .creation import zeros_as

Rule = Callable[..., Any]


class Parts(NamedTuple):
    """The symbols of the parts of a complex value. None stands for zeros; not both are."""

    real: Any
    imag: Any

    @property
    def known(self) -> Any:
        """One of the parts."""
        return self.imag if self.real is None else self.real

    def filled(self) -> Parts:
        """The same with symbols of zeros."""
        return Parts(*[zeros_as(self.known) if part is None else part for part in self])


def have_one_shape(a: Any, b: Any) -> bool:
    """Whether symbols are sure to have one shape. Of sizes that only the run knows, one may be broadcast."""
    return bool(a.shape == b.shape and a.type.is_static)


def plus(a: Any, b: Any) -> Any:
    """a + b, of parts."""
    return b if a is None else a if b is None else a + b


def minus(a: Any, b: Any) -> Any:
    """a - b, of parts."""
    return a if b is None else -b if a is None else a - b


def of_sum(op: Any, x: Parts, y: Parts) -> Parts:
    """Sums and differences. Each part has the shape of the whole, though one of the operands has no such part."""
    if not have_one_shape(x.known, y.known):
        x, y = x.filled(), y.filled()

    def part(a: Any, b: Any) -> Any:
        if a is None and b is None:
            return None
        a, b = 0.0 if a is None else a, 0.0 if b is None else b
        return a + b if op.commutative else a - b

    return Parts(part(x.real, y.real), part(x.imag, y.imag))


def of_choice(op: Any, condition: Any, x: Parts, y: Parts) -> Parts:
    """Choices between complex numbers."""
    x, y = x.filled(), y.filled()
    return Parts(op(condition, x.real, y.real), op(condition, x.imag, y.imag))


def of_negative(op: Any, x: Parts) -> Parts:
    """Both parts, zeros as well, with the other sign."""
    return Parts(*map(op, x.filled()))


def of_exact_product(op: Any, x: Parts, y: Parts) -> Parts:
    """Products whose zeros, nan and inf are those of complex numbers."""
    return of_product(op, x.filled(), y.filled())


def of_product(op: Any, x: Parts, y: Parts) -> Parts:
    """Products, of elements or of matrices. What is multiplied by zeros is left out."""

    def product(a: Any, b: Any) -> Any:
        return None if a is None or b is None else op(a, b)

    real = minus(product(x.real, y.real), product(x.imag, y.imag))
    imag = plus(product(x.real, y.imag), product(x.imag, y.real))
    return Parts(real, imag)


def of_each(op: Any, *inputs: Any, **attrs: Any) -> Parts:
    """Linear ops that move or add elements: of the real parts, and of the imaginary parts."""

    def part(which: int) -> Any:
        if all(x[which] is None for x in inputs if isinstance(x, Parts)):
            return None
        given = [(zeros_as(x.known) if x[which] is None else x[which]) if isinstance(x, Parts) else x for x in inputs]
        return op(*given, **attrs)

    return Parts(part(0), part(1))

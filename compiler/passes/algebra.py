"""Peephole rules of arithmetic, which see the producers of a node's inputs: terms, signs, factors, exponentials.

Rules of one op are tried in the order of this file, before those of `shapes.py`.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...runtime.dtypes import float32, float64, limits
from ...runtime.records import NamedTuple
from .. import ops
from ..ir.graph import Node
from ..ir.op import Op
from ..ir.values import Literal, Operand, literal
from .paddings import scale_of
from .rewriter import Rewriter, Rules, reads
from .shapes import splat, swap_axes

RULES = Rules()

LEAST_COLUMNS = 48  # of a product that takes longer than to add a transposed matrix
MOST_TERMS = 8  # of a sum that are compared


@RULES.for_op(ops.remainder, ops.floor_divide)
@reads(Literal)
def division_by_power_of_two(rewriter: Rewriter, node: Node) -> Operand | None:
    """The remainder of an integer by 2, 4, 8, … is its last bits, and the quotient the others, which kernels compute;
    those of a negative one, too."""
    x, y = node.inputs
    if not isinstance(y, Literal) or not x.type.dtype.is_integer or x.type != node.output.type:
        return None
    value = y.value
    if not isinstance(value, int) or value < 1 or value & (value - 1):
        return None
    if node.op is ops.remainder:
        return rewriter.make(ops.bitwise_and, [x, literal(value - 1, x.type.dtype)])
    return rewriter.make(ops.right_shift, [x, literal(value.bit_length() - 1, x.type.dtype)])


@RULES.for_op(ops.matmul)
@reads(ops.cast)
def product_of_short_integers(rewriter: Rewriter, node: Node) -> Operand | None:
    """Bools, and integers that were cast from few bits, are multiplied as floats: all sums are exact, and the BLAS has
    no integers."""
    out, depth = node.output.type.dtype, node.inputs[0].type.shape[-1]
    if out.kind not in "iu" or not depth:
        return None
    highest = depth
    sources: list[Operand] = []
    for operand in node.inputs:
        cast = rewriter.producer(operand, ops.cast)
        source = cast.inputs[0].type.dtype if cast is not None else None
        if cast is None or source is None or source.kind not in "iub" or source.itemsize > 2:
            return None
        sources.append(cast.inputs[0])
        highest *= 1 if source.is_bool else 1 << source.bits - (source.kind == "i")
    if highest >= min(1 << 53, int(np.iinfo(out.np).max)):
        return None
    dtype = float32 if highest <= 1 << 24 else float64
    product = rewriter.make(ops.matmul, [rewriter.make(ops.cast, [source], dtype=dtype) for source in sources])
    return rewriter.make(ops.cast, [product], dtype=out)


@RULES.for_op(ops.exp)
@reads(ops.subtract)
def exp_of_log_softmax(rewriter: Rewriter, node: Node) -> Operand | None:
    """exp(a - log(sum(exp(a)))), with a = x - max(x), is exp(a) over the sum: the exponentials are there already."""
    outer = rewriter.producer(node.inputs[0], ops.subtract)
    if outer is None:
        return None
    a, whole = outer.inputs
    logarithm, shifted = rewriter.producer(whole, ops.log), rewriter.producer(a, ops.subtract)
    total = None if logarithm is None else rewriter.producer(logarithm.inputs[0], ops.sum)
    powers = None if total is None else rewriter.producer(total.inputs[0], ops.exp)
    if powers is None or total is None or shifted is None or powers.inputs[0] is not a:
        return None
    highest = rewriter.producer(shifted.inputs[1], ops.max)
    if highest is None or highest.inputs[0] is not shifted.inputs[0] or highest.attrs != total.attrs:
        return None
    return rewriter.make(ops.divide, [powers.output, total.output])


@RULES.for_op(ops.exp)
@reads(ops.subtract)
def exp_less_logsumexp(rewriter: Rewriter, node: Node) -> Operand | None:
    """exp(x - (log(sum(exp(x - m))) + m)) is exp(x - m) over the sum: the gradient of a cross entropy."""
    outer = rewriter.producer(node.inputs[0], ops.subtract)
    whole = None if outer is None else rewriter.producer(outer.inputs[1], ops.add)
    if outer is None or whole is None:
        return None
    for logarithm, highest in (whole.inputs, whole.inputs[::-1]):
        found = rewriter.producer(logarithm, ops.log)
        total = None if found is None else rewriter.producer(found.inputs[0], ops.sum)
        powers = None if total is None else rewriter.producer(total.inputs[0], ops.exp)
        shifted = None if powers is None else rewriter.producer(powers.inputs[0], ops.subtract)
        if powers is None or total is None or shifted is None or powers.output.type != node.output.type:
            continue
        if shifted.inputs == (outer.inputs[0], highest) and total.output.type == whole.output.type:
            inverse = rewriter.make(ops.divide, [literal(1, node.output.type.dtype), total.output])
            return rewriter.make(ops.multiply, [powers.output, inverse])
    return None


@RULES.for_op(ops.add)
@reads(ops.negative)
def add_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """x + (-y) is x - y."""
    x, y = node.inputs
    negated = rewriter.producer(y, ops.negative)
    if negated is not None:
        return rewriter.make(ops.subtract, [x, negated.inputs[0]])
    negated = rewriter.producer(x, ops.negative)
    if negated is not None:
        return rewriter.make(ops.subtract, [y, negated.inputs[0]])
    return None


Places = tuple[tuple[int | None, int | None, int], ...]
"""Start, stop and step along each axis: the elements that a node of `update_slice` replaces."""


class Updates(NamedTuple):
    """Values in zeros of a shape. `whole` has them; None for a diagonal, a strided slice of the elements in one row."""

    shape: tuple[int, ...]
    values: dict[Places, Operand]
    whole: Operand | None


@RULES.for_op(ops.add)
@reads(ops.update_slice, ops.diagonal_scatter)
def sum_of_updates(rewriter: Rewriter, node: Node) -> Operand | None:
    """Sums of values in zeros, each at every second place, or on a diagonal, say: one of the same places, several side
    by side.

    So the gradients of strided slices and diagonals are written to one array, and not added to each other's zeros.
    """
    type = node.output.type
    if type.dtype.is_bool or not type.is_static:
        return None
    first, second = (_updates(rewriter, operand) for operand in node.inputs)
    if first is None or second is None or first.shape != second.shape:
        return None
    same = first.values.keys() & second.values.keys()
    if not _are_apart([*first.values, *[places for places in second.values if places not in same]]):
        return None
    result, added = first.whole, second.values
    if result is None or same:
        zero = literal(0, type.dtype).value
        result = rewriter.make(ops.full, (), shape=first.shape, value=zero, dtype=type.dtype)
        sums = {places: rewriter.make(ops.add, [first.values[places], second.values[places]]) for places in same}
        added = first.values | second.values | sums
    for places, value in added.items():
        start, stop, step = zip(*places, strict=True)
        result = rewriter.make(ops.update_slice, [result, value], start=start, stop=stop, step=step)
    return result if first.shape == type.shape else rewriter.make(ops.reshape, [result], shape=type.static_shape)


def _updates(rewriter: Rewriter, operand: Operand) -> Updates | None:
    """The values that stand in zeros, if nothing else reads the whole."""
    node, depth = rewriter.producer(operand), 0
    if node is None or not rewriter.used_once(operand):
        return None
    if node.op is ops.diagonal_scatter:
        (zeros, value), at = node.inputs, ops.flat_diagonal(node)
        number = splat(rewriter, zeros)
        if at is None or number is None or number.value != 0 or value.type.shape != (len(range(*at)),):
            return None
        return Updates((node.output.type.size,), {(at,): value}, None)
    if node.op is ops.reshape:
        operand, depth = node.inputs[0], 1
    whole, values = operand, dict[Places, Operand]()
    while (number := splat(rewriter, operand)) is None:
        node = rewriter.producer(operand, ops.update_slice)
        if node is None or not node.output.type.is_static:
            return None
        if rewriter.counts.get(node.output, 0) != depth:  # inner ones have a reader
            return None
        operand, value = node.inputs
        places: Places = tuple(zip(node.attrs["start"], node.attrs["stop"], node.attrs["step"], strict=True))
        sizes = zip(places, node.output.type.static_shape, strict=True)
        if (
            not places
            or places in values
            or tuple(len(range(size)[slice(*part)]) for part, size in sizes) != value.type.shape
        ):
            return None
        values[places], depth = value, 1
    if not values or number.value != 0 or not _are_apart(list(values)):
        return None
    return Updates(whole.type.static_shape, dict(reversed(values.items())), whole)


def _are_apart(selections: list[Places]) -> bool:
    """Whether no element is in two selections; False if that is not easily seen."""
    groups = dict[Places | None, list[Places]]()
    steps = {tuple(step for _, _, step in places) for places in selections}
    plain = len(steps) == 1 and all(
        step > 0 and start is not None and start >= 0 for places in selections for start, _, step in places
    )
    for places in selections:  # of one step only those that begin with the same rests are compared
        rests = tuple((start % step, None, step) for start, _, step in places if start is not None) if plain else None
        groups.setdefault(rests, []).append(places)
    return all(_apart(*pair) for group in groups.values() for pair in itertools.combinations(group, 2))


def _apart(first: Places, second: Places) -> bool:
    """Whether no element is in both selections; False if that is not easily seen."""
    for (start, stop, step), (other, end, by) in zip(first, second, strict=True):
        if start is None or stop is None or other is None or end is None or min(step, by) < 1:
            continue
        if min(start, stop, other, end) < 0:
            continue
        if stop <= other or end <= start or (start - other) % math.gcd(step, by):
            return True
    return False


@RULES.for_op(ops.subtract)
@reads(ops.negative)
def subtract_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """x - (-y) is x + y."""
    negated = rewriter.producer(node.inputs[1], ops.negative)
    return None if negated is None else rewriter.make(ops.add, [node.inputs[0], negated.inputs[0]])


@RULES.for_op(ops.negative)
@reads(ops.negative, ops.multiply)
def negative_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """-(-x) is x, and -(x * c) is x * -c."""
    inner = rewriter.producer(node.inputs[0])
    if inner is None:
        return None
    if inner.op is ops.negative:
        return inner.inputs[0]
    if inner.op is ops.multiply and rewriter.used_once(node.inputs[0]):
        x, factor = _scale(inner)
        if factor is not None:
            return rewriter.make(ops.multiply, [x, literal(-factor.value, factor.type.dtype)])
    return None


def _scale(node: Node) -> tuple[Operand, Literal | None]:
    """The x and c of a product x * c with a literal."""
    x, y = node.inputs
    if isinstance(y, Literal):
        return x, y
    return (y, x) if isinstance(x, Literal) else (x, None)


@RULES.for_op(ops.multiply, ops.divide)
@reads(Literal, ops.negative)
def product_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """(-x) * (-y) is x * y, (-x) * c is x * -c, x * -1 is -x, but for complex x, where zeros get other signs. Any other
    sign moves out of a product."""
    x, y = node.inputs
    other, factor = _scale(node)
    if node.op is ops.multiply and factor is not None and factor.value == -1 and factor.type.dtype.kind in "if":
        return rewriter.make(ops.negative, [other]) if other.type == node.output.type else None
    first, second = rewriter.producer(x, ops.negative), rewriter.producer(y, ops.negative)
    if first is not None and second is not None:
        return rewriter.make(node.op, [first.inputs[0], second.inputs[0]])
    if first is not None and isinstance(y, Literal):
        return rewriter.make(node.op, [first.inputs[0], literal(-y.value, y.type.dtype)])
    if second is not None and isinstance(x, Literal):
        return rewriter.make(node.op, [literal(-x.value, x.type.dtype), second.inputs[0]])
    if first is not None or second is not None:
        inputs = [x if first is None else first.inputs[0], y if second is None else second.inputs[0]]
        return rewriter.make(ops.negative, [rewriter.make(node.op, inputs)])
    return None


@RULES.for_op(ops.divide)
@reads(Literal)
def quotient_by_power_of_two(rewriter: Rewriter, node: Node) -> Operand | None:
    """x / 8 is x * 0.125: equal to the last bit, and ten times as fast."""
    x, divisor = node.inputs
    if not isinstance(divisor, Literal) or not isinstance(divisor.value, float) or x.type != node.output.type:
        return None
    # The reciprocals of 2 to the power of 10 and less are numbers in every dtype.
    if abs(math.frexp(divisor.value)[0]) != 0.5 or not 2.0**-10 <= abs(divisor.value) <= 2.0**10:
        return None
    return rewriter.make(ops.multiply, [x, literal(1 / divisor.value, divisor.type.dtype)])


@RULES.for_op(ops.add)
@reads(ops.multiply)
def double(rewriter: Rewriter, node: Node) -> Operand | None:
    """x * c + x * c is x * 2c."""
    x, y = node.inputs
    inner = rewriter.producer(x, ops.multiply)
    if x is not y or inner is None or not rewriter.used_once(x):
        return None
    other, factor = _scale(inner)
    if factor is None or other.type != node.output.type:
        return None
    product = fold_pair(ops.multiply, factor, literal(2, factor.type.dtype))
    return None if product is None else rewriter.make(ops.multiply, [other, product])


@RULES.for_op(ops.add)
@reads(ops.matmul, ops.multiply)
def add_transposed_products(rewriter: Rewriter, node: Node) -> Operand | None:
    """g @ x + g.T @ x, the gradient of what is computed from x @ x.T, is (g + g.T) @ x; x @ g + x @ g.T likewise. They
    may be scaled, and terms of a longer sum."""
    if not node.output.type.dtype.is_float or not node.output.type.is_static:
        return None
    for last, rest in (node.inputs, node.inputs[::-1]):
        found = None
        if rewriter.used_once(last) and rewriter.producer(_scaled(rewriter, last)[0], ops.matmul) is not None:
            found = _summed_product(rewriter, last, rest, MOST_TERMS)
        if found is not None:
            return found
    return None


def _summed_product(rewriter: Rewriter, last: Operand, total: Operand, most: int, readers: int = 0) -> Operand | None:
    """A product and a sum, if the product makes one with another term; else None. `readers`: how many nodes read the
    sum."""
    if last.type != total.type or rewriter.counts.get(total) != readers:
        return None
    made = rewriter.producer(total, ops.add) if most else None
    if made is None:
        return _one_product(rewriter, last, total)
    for term, rest in (made.inputs, made.inputs[::-1]):
        found = _summed_product(rewriter, last, term, most - 1, 1)
        if found is not None:
            return rewriter.make(ops.add, [rest, found])
    return None


def _scaled(rewriter: Rewriter, operand: Operand) -> tuple[Operand, float]:
    """What an operand is, but for a factor; and this factor."""
    return scale_of(rewriter.producer(operand)) or (operand, 1.0)


def _one_product(rewriter: Rewriter, *terms: Operand) -> Operand | None:
    """The sum of two terms, if they are products that differ in that one matrix is transposed; else None."""
    (first, factor), (second, other) = [_scaled(rewriter, term) for term in terms]
    product, turned = rewriter.producer(first, ops.matmul), rewriter.producer(second, ops.matmul)
    once = all(each in terms or rewriter.counts.get(each) == 1 for each in (first, second))
    if product is None or turned is None or not once:
        return None
    for side in (1, -1):
        (g, x), (h, y) = product.inputs[::side], turned.inputs[::side]
        (x, scale), (y, ratio) = _scaled(rewriter, x), _scaled(rewriter, y)
        if x is not y or factor * scale != other * ratio or g.type != h.type or x.type.rank < 2:
            continue
        number = fold_pair(ops.multiply, *[literal(each, x.type.dtype) for each in (factor, scale * (1 + (g is h)))])
        if x.type.static_shape[-1 if side == 1 else -2] < LEAST_COLUMNS or number is None:
            continue
        if g is h or _are_transposed(rewriter, g, h):
            both = g if g is h else rewriter.make(ops.add, [g, h])
            found = rewriter.make(ops.matmul, [both, x][::side])
            return found if number.value == 1 else rewriter.make(ops.multiply, [found, number])
    return None


@RULES.for_op(ops.transpose)
@reads(ops.add, ops.multiply)
def transposed_symmetric_sum(rewriter: Rewriter, node: Node) -> Operand | None:
    """x + x.T, perhaps scaled, is its own transpose."""
    if node.attrs["axes"] != swap_axes(node.output.type.rank) or node.inputs[0].type != node.output.type:
        return None
    made = rewriter.producer(_scaled(rewriter, node.inputs[0])[0], ops.add)
    return node.inputs[0] if made is not None and _are_transposed(rewriter, *made.inputs) else None


def _are_transposed(rewriter: Rewriter, g: Operand, h: Operand) -> bool:
    """Whether one of two operands is the other with its last axes exchanged."""
    made = [rewriter.producer(operand, ops.transpose) for operand in (g, h)]
    axes = swap_axes(g.type.rank)
    return any(
        turned is not None and turned.attrs["axes"] == axes and turned.inputs[0] is straight
        for turned, straight in zip(made, (h, g), strict=True)
    )


@RULES.for_op(ops.multiply)
@reads(ops.multiply)
def merge_scales(rewriter: Rewriter, node: Node) -> Operand | None:
    """(x * c) * d is x * (c d), where c d neither overflows nor underflows."""
    outer, d = _scale(node)
    inner = rewriter.producer(outer, ops.multiply)
    if d is None or inner is None or not rewriter.used_once(outer) or node.output.type.dtype.is_bool:
        return None
    x, c = _scale(inner)
    if c is None or x.type != node.output.type:
        return None
    product = fold_pair(ops.multiply, c, d)
    return None if product is None else rewriter.make(ops.multiply, [x, product])


MODERATE = 2.0**-12, 2.0**12


@RULES.for_op(ops.multiply)
@reads(ops.multiply)
def gather_scales(rewriter: Rewriter, node: Node) -> Operand | None:
    """(x * c) * (y * d) is (x * y) * (c d), for moderate factors, so that x * y is in range if the whole is."""
    x, y = node.inputs
    left, right = rewriter.producer(x, ops.multiply), rewriter.producer(y, ops.multiply)
    if left is None or right is None or x is y or not (rewriter.used_once(x) and rewriter.used_once(y)):
        return None
    (a, c), (b, d) = _scale(left), _scale(right)
    if c is None or d is None or not c.type.dtype.is_float:
        return None
    if not all(MODERATE[0] <= abs(factor.value) <= MODERATE[1] for factor in (c, d)):
        return None
    product = fold_pair(ops.multiply, c, d)
    if product is None:
        return None
    return rewriter.make(ops.multiply, [rewriter.make(ops.multiply, [a, b]), product])


def fold_pair(op: Op, a: Literal, b: Literal) -> Literal | None:
    """The op on two literals; None if a float leaves the normal range."""
    dtype = a.type.dtype
    with np.errstate(all="ignore"):
        value: Any = np.asarray(op.kernel(a.array, b.array)).item()
    if dtype.is_float:
        in_range = limits(dtype).tiny <= abs(value) < np.inf
        if not in_range and not (value == 0 and (a.value == 0 or b.value == 0)):
            return None
    return None if dtype.is_complex else literal(value, dtype)

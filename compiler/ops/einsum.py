"""Einstein's summation as transposes, reshapes, products and sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..ir.types import Dimension, Shape, UnknownShapeError, show_shape
from .arithmetic import multiply
from .diagonals import diagonal
from .linalg import matmul
from .reduction import sum as sum_
from .shape import reshape, transpose

Label = int | str  # a letter, or for the dimensions that `...` stands for -1, -2, … counted from the last
Labels = tuple[Label, ...]
Apply = Callable[..., Any]


def parse_einsum(equation: str, ranks: Sequence[int]) -> tuple[list[Labels], Labels]:
    """The labels of each operand's dimensions and of the result's. ValueError says what is wrong with the equation."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise ValueError(f"einsum: '{equation}' is for {len(terms)} operands, but got {len(ranks)}")
    widest = 0
    inputs: list[Labels] = []
    for term, rank in zip(terms, ranks, strict=True):
        head, dots, tail = term.partition("...")
        if not all(letter.isalpha() for letter in head + tail):
            raise ValueError(f"einsum: '{term}' in '{equation}' should be letters and at most one '...'")
        hidden = rank - len(head) - len(tail)
        if hidden < 0 or (hidden and not dots):
            raise ValueError(f"einsum: '{term}' in '{equation}' does not fit an operand of {rank} dimensions")
        widest = max(widest, hidden)
        inputs.append((*head, *range(-hidden, 0), *tail))
    hidden_labels = tuple(range(-widest, 0))
    if not arrow:
        letters = [label for labels in inputs for label in labels if isinstance(label, str)]
        return inputs, (*hidden_labels, *sorted(label for label in set(letters) if letters.count(label) == 1))
    head, dots, tail = right.partition("...")
    output: Labels = (*head, *(hidden_labels if dots else ()), *tail)
    if len(set(output)) != len(output) or not all(letter.isalpha() for letter in head + tail):
        raise ValueError(f"einsum: the result '{right}' in '{equation}' should name different letters")
    for label in (*head, *tail):
        if not any(label in labels for labels in inputs):
            raise ValueError(f"einsum: '{label}' of the result in '{equation}' is in no operand")
    return inputs, output


class _Einsum:
    """One evaluation: operands as pairs (value, labels), reduced step by step."""

    def __init__(self, equation: str, apply: Apply, shape_of: Callable[[Any], Shape]) -> None:
        self.equation = equation
        self.apply = apply
        self.shape_of = shape_of

    def size(self, operand: tuple[Any, Labels], labels: Sequence[Label]) -> list[Dimension]:
        """The sizes of an operand's dimensions with these labels."""
        shape = self.shape_of(operand[0])
        return [shape[operand[1].index(label)] for label in labels]

    def take_diagonals(self, value: Any, labels: Labels) -> tuple[Any, Labels]:
        """An operand in which each label stands for one dimension."""
        for label in dict.fromkeys(labels):
            while labels.count(label) > 1:
                first = labels.index(label)
                second = labels.index(label, first + 1)
                shape = self.shape_of(value)
                if None not in (shape[first], shape[second]) and shape[first] != shape[second]:
                    raise ValueError(
                        f"einsum: '{label}' in '{self.equation}' stands for dimensions of sizes {shape[first]} and "
                        f"{shape[second]} of shape {show_shape(shape)}"
                    )
                value = self.apply(diagonal, value, offset=0, axis1=first, axis2=second)
                labels = (*(item for place, item in enumerate(labels) if place not in (first, second)), label)
        return value, labels

    def drop_ones(self, operands: list[tuple[Any, Labels]]) -> list[tuple[Any, Labels]]:
        """Operands without dimensions of size one that broadcast against longer ones of the same label."""
        longest: dict[Label, Dimension] = {}
        for operand in operands:
            for label, size in zip(operand[1], self.shape_of(operand[0]), strict=True):
                here = longest.get(label, 1)
                if here not in (1, None) and size not in (1, None) and here != size:
                    raise ValueError(
                        f"einsum: '{label if isinstance(label, str) else '...'}' in '{self.equation}' stands for "
                        f"dimensions of sizes {here} and {size}"
                    )
                longest[label] = size if here == 1 or (here is None and size != 1) else here
        result = []
        for value, labels in operands:
            shape = self.shape_of(value)
            short = [place for place, label in enumerate(labels) if shape[place] == 1 and longest[label] != 1]
            if short:
                value = self.apply(sum_, value, axis=tuple(short), keepdims=False)
            result.append((value, tuple(label for place, label in enumerate(labels) if place not in short)))
        return result

    def reduce(self, operand: tuple[Any, Labels], needed: set[Label]) -> tuple[Any, Labels]:
        """An operand summed over the labels that nothing else needs."""
        value, labels = operand
        axes = tuple(place for place, label in enumerate(labels) if label not in needed)
        if axes:
            value = self.apply(sum_, value, axis=axes, keepdims=False)
        return value, tuple(label for label in labels if label in needed)

    def arrange(self, operand: tuple[Any, Labels], labels: Labels) -> Any:
        """The operand's value with its dimensions in this order."""
        axes = tuple(operand[1].index(label) for label in labels)
        return operand[0] if axes == tuple(range(len(axes))) else self.apply(transpose, operand[0], axes=axes)

    def reshape(self, value: Any, sizes: Sequence[Dimension]) -> Any:
        """The value in a shape with at most one `?`."""
        if tuple(sizes) == self.shape_of(value):
            return value
        if list(sizes).count(None) > 1:
            raise UnknownShapeError(f"einsum: '{self.equation}' needs sizes that only the run knows")
        return self.apply(reshape, value, shape=tuple(-1 if size is None else size for size in sizes))

    def contract(self, a: tuple[Any, Labels], b: tuple[Any, Labels], needed: set[Label]) -> tuple[Any, Labels]:
        """Two operands multiplied, and summed over shared labels that nothing else needs."""
        shared = [label for label in a[1] if label in b[1]]
        batch = tuple(label for label in shared if label in needed)
        inner = tuple(label for label in shared if label not in needed)
        left = tuple(label for label in a[1] if label not in shared)
        right = tuple(label for label in b[1] if label not in shared)
        batches, lefts, rights = self.size(a, batch), self.size(a, left), self.size(b, right)
        # A product of many short vectors is faster elementwise than as many small matrix products.
        if not inner or (batch and not left and not right):
            first = self.arrange(a, (*batch, *left, *inner))
            second = self.arrange(b, (*batch, *right, *inner))
            inners = self.size(a, inner)
            first = self.reshape(first, [*batches, *lefts, *[1] * len(right), *inners]) if right else first
            second = self.reshape(second, [*batches, *[1] * len(left), *rights, *inners]) if left else second
            product = self.apply(multiply, first, second)
            return self.reduce((product, (*batch, *left, *right, *inner)), needed)
        first = self.arrange(a, (*batch, *left, *inner))
        second = self.arrange(b, (*batch, *inner, *right))
        rows, columns = _product(lefts), _product(rights)
        depth_a, depth_b = _product(self.size(a, inner)), _product(self.size(b, inner))
        first = self.reshape(first, [*batches, rows, depth_a])
        second = self.reshape(second, [*self.size(b, batch), depth_b, columns])
        product = self.apply(matmul, first, second)
        return self.reshape(product, [*batches, *lefts, *rights]), (*batch, *left, *right)

    def cheapest(self, operands: list[tuple[Any, Labels]], needed: Sequence[Label]) -> tuple[int, int]:
        """The pair to contract next: the one that reduces the sizes most, then the one with the least work."""

        def cost(pair: tuple[int, int]) -> tuple[int, int]:
            sizes: dict[Label, Dimension] = {}
            others: set[Label] = set(needed)
            for place, operand in enumerate(operands):
                if place in pair:
                    sizes.update(zip(operand[1], self.shape_of(operand[0]), strict=True))
                else:
                    others.update(operand[1])
            before = sum(math.prod(size or 1 for size in self.shape_of(operands[place][0])) for place in pair)
            left = math.prod(size or 1 for label, size in sizes.items() if label in others)
            return left - before, math.prod(size or 1 for size in sizes.values())

        count = len(operands)
        return min(((i, j) for i in range(count) for j in range(i + 1, count)), key=cost)


def _product(sizes: Sequence[Dimension]) -> Dimension:
    return None if None in sizes else math.prod(size for size in sizes if size is not None)


def _record(op: Any, *operands: Any, **attrs: Any) -> Any:
    return op(*operands, **attrs)


def einsum_plan(
    equation: str,
    operands: Sequence[Any],
    apply: Apply = _record,
    shape_of: Callable[[Any], Shape] = lambda symbol: symbol.shape,
) -> Any:
    """`numpy.einsum` as products and sums, the cheapest pair first.

    Runs on symbols, or on anything that `apply(op, *operands, **attrs)` takes and `shape_of` knows the shape of.
    Repeated letters, `...`, broadcasting and a missing result are as in NumPy. ValueError says what does not fit.
    """
    if not operands:
        raise ValueError("einsum needs at least one operand")
    inputs, output = parse_einsum(equation, [len(shape_of(operand)) for operand in operands])
    run = _Einsum(equation, apply, shape_of)
    items = [run.take_diagonals(value, labels) for value, labels in zip(operands, inputs, strict=True)]
    items = run.drop_ones(items)
    while True:
        for place, item in enumerate(items):
            others = {label for other, labels in enumerate(items) if other != place for label in labels[1]}
            items[place] = run.reduce(item, others.union(output))
        if len(items) == 1:
            break
        first, second = run.cheapest(items, output)
        rest = [item for place, item in enumerate(items) if place not in (first, second)]
        needed = {label for _, labels in rest for label in labels}.union(output)
        items = [*rest, run.contract(items[first], items[second], needed)]
    (value, labels) = items[0]
    missing = [label for label in output if label not in labels]
    if missing:  # `...` of the result stands for dimensions of size one everywhere
        value = run.reshape(value, [*[1] * len(missing), *shape_of(value)])
        labels = (*missing, *labels)
    return run.arrange((value, labels), output)

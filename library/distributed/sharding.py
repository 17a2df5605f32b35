"""`shard`: how the inputs and outputs of an operation are cut over processes, by strategies or `Layout`s."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.graph import Graph
from ...compiler.ir.layouts import Cut, Layout as Cuts, count, cuts_of, digits, layout_of_counts, whole
from ...compiler.ir.values import Operand
from ...frontend.state import CONTEXT, STATE
from ...frontend.values.tensor import Tensor
from ...runtime.distributed.world import launched_size

Dimension = tuple[Operand, int]


class Layout:
    """An arrangement of the processes, from which layouts of tensors are made by names.

    Args:
        device_matrix: a tuple of ints, whose product is the number of processes.
        alias_name: a tuple of as many names.
        rank_list: None: ranks are in order; others are not supported.

    Raises:
        TypeError, ValueError: for arguments of other kinds, and names that are empty, "None" or not different.

    Examples:
        >>> import mycel as ms
        >>> layout = ms.Layout((2, 2), ("dp", "mp"))
        >>> layout("dp", "None").to_dict()["tensor_map"]
        (1, -1)
    """

    def __init__(self, device_matrix: tuple[int, ...], alias_name: tuple[str, ...], rank_list: Any = None) -> None:
        for name, value, kind in (("device_matrix", device_matrix, int), ("alias_name", alias_name, str)):
            if not isinstance(value, tuple):
                raise TypeError(f"{name} must be tuple type, but got:{type(value)}")
            if not all(isinstance(item, kind) and not isinstance(item, bool) for item in value):
                raise TypeError(f"The element of {name} must be {kind.__name__} type, but got: {value}")
        if len(device_matrix) != len(alias_name):
            raise ValueError("device_matrix length should be equal to alias_name length")
        if "" in alias_name or "None" in alias_name or len(set(alias_name)) != len(alias_name):
            raise ValueError(f"Each element of alias_name {alias_name} should be different, and not '' or 'None'")
        if "interleaved_parallel" in alias_name or rank_list not in (None, [*range(math.prod(device_matrix))]):
            raise NotImplementedError("Layout has neither 'interleaved_parallel' nor another order of ranks")
        self._matrix, self._names = device_matrix, alias_name
        self._map: tuple[Any, ...] | None = None

    def __call__(self, *tensor_map: Any) -> Layout:
        """The layout of a tensor: for each dimension a name, several in a tuple, or "None".

        Raises:
            ValueError: for a name that there is not, or that is used twice.
        """
        used: list[str] = []

        def place(name: Any) -> int:
            if name == "None":
                return -1
            if name not in self._names:
                raise ValueError(f"The axis {name} is not found in {self._names}")
            if name in used:
                raise ValueError(f"The axis {name} has been set more than one in {self._names}")
            used.append(name)
            return len(self._names) - 1 - self._names.index(name)

        made = Layout(self._matrix, self._names)
        made._map = tuple(tuple(map(place, e)) if isinstance(e, tuple) else place(e) for e in tensor_map)
        return made

    def to_dict(self) -> dict[str, Any]:
        """The layout as a dictionary. ValueError if it is of no tensor yet."""
        if self._map is None:
            raise ValueError("The tensor_map of layout is None")
        return {
            "device_matrix": self._matrix, "tensor_map": self._map, "interleaved_parallel": False,
            "alias_name": self._names, "rank_list": [*range(math.prod(self._matrix))],
        }  # fmt: skip

    def cuts(self) -> Cuts:
        """The digits that cut each dimension."""
        size = launched_size()
        if math.prod(self._matrix) != size:
            raise ValueError(f"the product of the device_matrix {self._matrix} should be {size}, for as many processes")
        strides = [math.prod(self._matrix[axis + 1 :]) for axis in range(len(self._matrix))]

        def cut(axis: int) -> Cut:
            at = len(self._matrix) - 1 - axis
            return () if axis < 0 else digits(self._matrix[at], strides[at])

        places = [e if isinstance(e, tuple) else (e,) for e in self.to_dict()["tensor_map"]]
        return tuple(tuple(digit for axis in e for digit in cut(axis)) for e in places)


def check_strategies(strategies: Any, name: str) -> None:
    """TypeError or ValueError unless it is a tuple of strategies, or of layouts."""
    if strategies is None:
        return
    if not isinstance(strategies, tuple):
        raise TypeError(f"{name} must be tuple type, but got:{type(strategies)}")
    kinds = {isinstance(item, Layout) for item in strategies}
    if len(kinds) > 1:
        raise TypeError(f"The elements of {name} should all be tuples, or all be Layouts, but got {strategies}")
    for item in strategies:
        if isinstance(item, Layout):
            item.to_dict()
        elif not isinstance(item, tuple):
            raise TypeError(f"The element of {name} must be tuple type or Layout type, but got:{type(item)}")
        elif not all(isinstance(parts, int) and not isinstance(parts, bool) and parts > 0 for parts in item):
            raise ValueError(f"{name} should have numbers of parts above 0 for each dimension, but got {item}")


def divides_layers() -> bool:
    """Whether several processes compute each program together. RuntimeError outside of programs."""
    if CONTEXT.partition is not None and STATE.trace is None:
        raise RuntimeError(
            "an operation with strategies for several processes runs eagerly: in 'semi_auto_parallel' use it in a "
            "function compiled by jit, or in a Cell in graph mode (set_context(mode=GRAPH_MODE))"
        )
    return CONTEXT.partition is not None


def sharded(run: Callable[..., Any], inputs: tuple[Any, ...], name: str, strategies: tuple[Any, Any]) -> Any:
    """The result of an operation whose tensors are cut as strategies say.

    Raises:
        ValueError: for strategies that do not fit the tensors, or each other.
    """
    from ...compiler.passes.lower import lower  # `import mycel` does not load machine code

    trace = STATE.trace
    tensors = [x for x in _flat(inputs) if isinstance(x, Tensor)]
    with trace.scope("strategy") as scope:  # to see which dimensions have to be cut alike
        found = run(*inputs)
        results = [x for x in _flat((found,)) if isinstance(x, Tensor)]
        own = [scope.recorder.lift(trace.read(x)) for x in tensors]
        graph = lower(scope.recorder.finish([*own, *map(trace.read, results)]))
    given, made = graph.outputs[: len(own)], graph.outputs[len(own) :]
    alike = _alike(graph)
    known: dict[Dimension, Cut] = {}
    layouts = _layouts(given, strategies[0], alike, known, f"ops.{name}.shard")
    shared = iter([_marked(x, layout, f"ops.{name}") for x, layout in zip(tensors, layouts, strict=True)])
    result = run(*_rebuilt(inputs, shared))
    if strategies[1] is None:
        return result
    outs = _output_layouts(made, strategies[1], alike, known, f"ops.{name}.shard")
    marked = iter([_marked(x, layout, "") for x, layout in zip(_tensors(result), outs, strict=True)])
    return _rebuilt((result,), marked)[0]


def _flat(values: Any) -> list[Any]:
    return [leaf for x in values for leaf in (_flat(x) if isinstance(x, (tuple, list)) else [x])]


def _tensors(value: Any) -> list[Tensor]:
    return [x for x in _flat((value,)) if isinstance(x, Tensor)]


def _rebuilt(values: Sequence[Any], tensors: Any) -> tuple[Any, ...]:
    """The values with other tensors in place of theirs."""
    return tuple(
        type(x)(_rebuilt(x, tensors)) if isinstance(x, (tuple, list)) else next(tensors) if isinstance(x, Tensor) else x
        for x in values
    )


def _marked(x: Tensor, layout: Cuts, of: str) -> Tensor:
    attrs = {"layout": layout, "of": of} if of else {"layout": layout}
    return STATE.trace.apply(prims.shard, (x,), attrs)


def _alike(graph: Graph) -> Callable[[Dimension], Dimension]:
    """For each dimension the one that stands for all that are cut like it."""
    parents: dict[Dimension, Dimension] = {}

    def find(dimension: Dimension) -> Dimension:
        while dimension in parents:
            dimension = parents[dimension]
        return dimension

    for node in graph.nodes:
        rule = cuts_of(node)
        if rule is None:
            continue
        first: dict[Any, Dimension] = {}
        operands = (*node.inputs, *node.outputs)
        for operand, labels in zip(operands, (*rule.inputs, *rule.outputs), strict=True):
            for axis, label in enumerate(labels):
                one, other = find((operand, axis)), find(first.setdefault(label, (operand, axis)))
                if label is not None and one != other:
                    parents[one] = other
    return find


def _check(operand: Operand, strategy: Any, what: str) -> None:
    shape, size = operand.type.shape, launched_size()
    if len(strategy) != len(shape):
        raise ValueError(f"{what} is {strategy}, but the tensor has {len(shape)} dimensions, {shape}")
    for axis, parts in enumerate(strategy):
        if shape[axis] is None or shape[axis] % parts:
            raise ValueError(f"{what} is {strategy}, but dimension {axis} of {shape} has not {parts} equal parts")
    if size % math.prod(strategy):
        raise ValueError(f"{what} is {strategy}, for {math.prod(strategy)} parts, but there are {size} processes")


def _layouts(
    operands: Sequence[Operand], strategies: Any, alike: Callable[[Dimension], Dimension], known: dict[Dimension, Cut],
    what: str,
) -> list[Cuts]:  # fmt: skip
    """The layouts of the inputs. Of the device matrix, which has the dimensions in the order in which the inputs have
    them, the last one is that of neighbouring ranks."""
    if strategies is None:
        strategies = tuple((1,) * operand.type.rank for operand in operands)
    if len(strategies) != len(operands):
        raise ValueError(f"{what} has strategies for {len(strategies)} tensors, but {len(operands)} are given")
    if strategies and isinstance(strategies[0], Layout):
        pairs = enumerate(zip(operands, strategies, strict=True))
        return [_checked_cuts(operand, layout, f"{what}: input {number}") for number, (operand, layout) in pairs]
    parts: dict[Dimension, int] = {}
    for number, (operand, strategy) in enumerate(zip(operands, strategies, strict=True)):
        _check(operand, strategy, f"{what}: the strategy of input {number}")
        for axis, here in enumerate(strategy):
            there = parts.setdefault(alike((operand, axis)), here)
            if there != here:
                raise ValueError(
                    f"{what}: dimension {axis} of input {number} has {here} parts, but it meets a dimension of "
                    f"{there} parts: the strategies {strategies} should agree there"
                )
    product, size = math.prod(parts.values()), launched_size()
    if size % product:
        raise ValueError(f"{what}: the strategies {strategies} make {product} parts, but there are {size} processes")
    cuts = layout_of_counts(tuple(parts.values()))
    known.update(zip(parts, cuts, strict=True))
    return [tuple(known[alike((o, axis))] for axis in range(o.type.rank)) for o in operands]


def _checked_cuts(operand: Operand, layout: Layout, what: str) -> Cuts:
    cuts = layout.cuts()
    _check(operand, tuple(map(count, cuts)), what)
    return cuts


def _output_layouts(
    operands: Sequence[Operand], strategies: Any, alike: Callable[[Dimension], Dimension], known: dict[Dimension, Cut],
    what: str,
) -> list[Cuts]:  # fmt: skip
    """The layouts of the outputs: dimensions are cut as those of the inputs, or by what these leave over."""
    if len(strategies) != len(operands):
        raise ValueError(f"{what}: out_strategy is for {len(strategies)} tensors, but there are {len(operands)}")
    found = []
    for number, (operand, strategy) in enumerate(zip(operands, strategies, strict=True)):
        if isinstance(strategy, Layout):
            found.append(_checked_cuts(operand, strategy, f"{what}: output {number}"))
            continue
        _check(operand, strategy, f"{what}: the strategy of output {number}")
        own = [known.get(alike((operand, axis)), ()) for axis in range(operand.type.rank)]
        rest = [cut for cut in known.values() if cut and cut not in own]
        layout = list(whole(operand.type.rank))
        for axis, parts in enumerate(strategy):
            options = [own[axis], *[own[axis] + cut for cut in rest], *rest]
            cut = next((cut for cut in options if count(cut) == parts), None) if parts > 1 else ()
            if cut is None:
                raise ValueError(
                    f"{what}: output {number} cannot be cut as {strategy}: dimension {axis} has "
                    f"{count(own[axis])} parts by the strategies of the inputs"
                )
            rest = [other for other in rest if not set(other) & set(cut)]
            layout[axis] = cut
        found.append(tuple(layout))
    return found

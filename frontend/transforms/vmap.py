"""Vectorization: `vmap` records a function of one row once, and turns it into a function of batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ...compiler import ops
from ...compiler.ir.equality import same_structure
from ...compiler.ir.graph import Graph
from ...compiler.ir.rules import UnvectorizableError
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Value, literal
from ...compiler.transforms.symbolic import Symbol
from ...compiler.transforms.vectorize import vectorize
from ...runtime import dtypes
from ...runtime.records import dataclass
from ...runtime.shown import standard
from ..control_flow import calls as control
from ..errors.classes import GraphBreak
from ..state import STATE
from ..tracing.trace import TensorState, Trace
from ..values import tree
from ..values.cell import Cell
from ..values.dispatch import apply, as_tensor
from ..values.parameter import replace_data
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from .products import Transformed


@standard
class AxesError(RuntimeError, ValueError):
    """The axes of a `vmap` do not fit the arguments or results of its function."""


@dataclass(frozen=True)
class Row:
    """A function recorded on one row of its mapped arguments.

    Attributes:
        result: its returned value.
        tensors: the tensors in the result.
        graph: from rows and captured values to the tensors, then the updates.
        captures: the captured values, as the enclosing graph has them.
        updates: the objects that it updated in place.
    slices: the tensors that stood for its mapped arguments.
    known: the tensors, by id, that the trace had read before.
    """

    result: Any
    tensors: list[Tensor]
    graph: Graph
    captures: tuple[Value, ...]
    updates: tuple[Any, ...]
    slices: Sequence[Tensor]
    known: frozenset[int]


def record_row(trace: Trace, types: Sequence[TensorType], function: Callable[..., Any]) -> Row:
    """Run the function on traced tensors of these types, in a graph of its own."""
    known = frozenset(trace.states)
    with trace.scope("rows") as scope:
        slices = [wrap(scope.recorder.parameter(type, "row")) for type in types]
        result = function(*slices)
        if any(key in trace.attributes for key in scope.attributes):
            names = sorted({name for _, name in scope.attributes})
            raise RuntimeError(
                f"a function that is mapped over rows should change nothing outside, but it sets {', '.join(names)}: "
                "return the value in place of keeping it"
            )
        tensors = tree.tensors(result)
        updates = [
            (target, symbol)
            for (target, symbol), (_, before) in zip(trace.updates(scope), scope.written.values(), strict=True)
            if before.recorder is not scope.recorder or any(target is own for own in slices)
        ]  # tensors that the function made itself are gone when it ends
        symbols = [*[trace.read(tensor) for tensor in tensors], *[symbol for _, symbol in updates]]
        graph = scope.recorder.finish(symbols)
        captures = tuple(scope.recorder.captures)
    # Captured values last: they become parameters when they are first read.
    captured = set(scope.recorder.captures.values())
    explicit = [value for value in graph.parameters if value not in captured]
    graph = replace(graph, parameters=(*explicit, *scope.recorder.captures.values()))
    return Row(result, tensors, graph, captures, tuple(target for target, _ in updates), slices, known)


def run_rows(trace: Trace, row: Row, rows: Sequence[Symbol], size: int) -> list[tuple[Symbol, bool]]:
    """Record the row's outputs for a batch, and whether each has the batch as its first axis."""
    outer = trace.recorder
    start = len(outer.nodes)
    captures = [Symbol(value, outer) for value in row.captures]
    mapped = [True] * len(rows) + [False] * len(captures)
    try:
        with outer:
            return vectorize(row.graph, mapped, size, [Symbol(outer.lift(x), outer) for x in rows] + captures)
    except UnvectorizableError:
        del outer.nodes[start:]
    if not all(type.is_static for type in row.graph.types):
        raise GraphBreak("results of a mapped function whose sizes may differ from row to row cannot be stacked")
    if any(all(target is not own for own in row.slices) for target in row.updates):
        raise RuntimeError("a function that runs row by row should not update tensors or Parameters in place")
    body = replace(row.graph, parameters=(Value(ops.INDEX, "i"), *row.graph.parameters))
    operands = [literal(size, dtypes.int64), *[outer.lift(x) for x in rows], *row.captures]
    attrs = {"body": body, "carried": 0, "scanned": len(rows), "length": size, "reverse": False}
    return [(Symbol(value, outer), True) for value in outer.append(ops.scan, operands, attrs).outputs]


def map_rows(
    trace: Trace, rows: Sequence[Symbol], size: int, function: Callable[..., Any], sources: Sequence[Any] = ()
) -> tuple[Any, list[tuple[Symbol, bool]]]:
    """Record a function of one row on a batch. Returns its result, in which tensors stand for rows, and their batches.

    `sources` are the tensors that the rows come from, and their axes: if the function updates a row, they are updated.
    """
    row = record_row(trace, [symbol.type.with_shape(symbol.shape[1:]) for symbol in rows], function)
    found = run_rows(trace, row, rows, size)
    write_updates(trace, row, found, sources, size)
    return row.result, found[: len(row.tensors)]


def write_updates(
    trace: Trace, row: Row, found: Sequence[tuple[Symbol, bool]], sources: Sequence[tuple[Tensor, int]], size: int
) -> None:
    """Apply the function's updates: a separate row each, or the same numbers for all rows."""
    for target, (symbol, mapped) in zip(row.updates, found[len(row.tensors) :], strict=True):
        place = next((place for place, own in enumerate(row.slices) if own is target), None)
        if place is not None:
            if place < len(sources):
                tensor, axis = sources[place]
                trace.write(tensor, trace.read(_placed(symbol, mapped, axis, size)))
            continue
        if mapped and isinstance(target, TensorState) and not target.commits and id(target.tensor) not in row.known:
            continue  # made by the function from numbers
        if mapped:
            name = getattr(getattr(target, "tensor", None), "name", "") or "a tensor"
            raise AxesError(
                f"{name} has no mapped axis, but what is assigned to it differs from row to row: the order of such "
                "assignments cannot be guaranteed. Return the value in its place"
            )
        trace.write_target(target, symbol)


def stacked_rows(trace: Trace, rows: Sequence[Symbol], size: int, function: Callable[..., Any]) -> Any:
    """The results of a function for every row, stacked along a new first axis."""
    result, found = map_rows(trace, rows, size, function)
    batches = iter([_placed(symbol, mapped, 0, size) for symbol, mapped in found])
    return tree.map_tensors(lambda _: next(batches), result)


def _placed(symbol: Symbol, mapped: bool, axis: int, size: int) -> Tensor:
    """The batch with its axis at the requested position. A value that all rows share is repeated."""
    if not mapped:
        symbol = ops.broadcast_to(symbol, shape=(size, *symbol.type.static_shape))
    return _move(wrap(symbol), 0, axis)


def _move(x: Tensor, source: int, target: int) -> Tensor:
    """The tensor with one axis moved."""
    if source == target:
        return x
    axes = [axis for axis in range(x.ndim) if axis != source]
    axes.insert(target, source)
    return apply(ops.transpose, x, axes=tuple(axes))


# Axes


def _check_axis(axis: Any, what: str) -> int | None:
    if axis is not None and (isinstance(axis, bool) or not isinstance(axis, int)):
        raise AxesError(f"{what} of vmap should be ints or None, in tuples as the values are, but got {axis!r}")
    return axis


def _check_axes(axes: Any, what: str, single_none: bool) -> None:
    """Raise AxesError unless axes are ints and None in containers. A single None is for ensembles of Cells only."""
    if axes is None and not single_none:
        raise AxesError(f"{what} of vmap cannot be a single None, except for a CellList")
    found = tree.children(axes)
    if found is None:
        _check_axis(axes, what)
        return
    for item in found[0]:
        _check_axes(item, what, True)


def pair_axes(value: Any, axes: Any, what: str) -> list[tuple[Any, int | None]]:
    """Pairs (leaf, axis) for every leaf of a value. An axis given for a container is that of all leaves in it."""
    found = tree.children(value)
    if found is None:
        return [(value, _check_axis(axes, what))]
    items = found[0]
    if tree.children(axes) is None:
        return [pair for item in items for pair in pair_axes(item, axes, what)]
    if isinstance(value, dict) and isinstance(axes, dict):
        if set(axes) != set(value):
            raise AxesError(f"{what} of vmap has entries for {sorted(axes, key=str)}, but the value has {list(value)}")
        axes = [axes[key] for key in value]
    given = tree.children(axes)
    assert given is not None
    if len(given[0]) != len(items):
        raise AxesError(f"{what} of vmap has {len(given[0])} entries for {len(items)} values: there should be as many")
    return [pair for item, axis in zip(items, given[0], strict=True) for pair in pair_axes(item, axis, what)]


def _normal(axis: int, rank: int, what: str) -> int:
    if not -rank <= axis < rank:
        raise AxesError(
            f"{what} {axis} of vmap is out of range for {rank} dimensions: it should be in [{-rank}, {rank})"
        )
    return axis % rank


@dataclass(frozen=True)
class Arguments:
    """Arguments whose leaves are paired with axes.

    Attributes:
        args, kwargs: as given.
        pairs: (leaf, axis) for every leaf; tensors of keyword arguments are mapped over their first axis.
        size: the length of the mapped axes.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    pairs: list[tuple[Any, int | None]]
    size: int

    def mapped(self) -> list[tuple[Tensor, int]]:
        """The mapped tensors, and their axes."""
        return [(leaf, axis) for leaf, axis in self.pairs if axis is not None and isinstance(leaf, Tensor)]

    def with_slices(self, slices: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments for one row."""
        given = iter(slices)
        fresh = iter(
            [next(given) if axis is not None and isinstance(leaf, Tensor) else leaf for leaf, axis in self.pairs]
        )
        args, kwargs = tree.map_tree(lambda _: next(fresh), (list(self.args), self.kwargs))
        return tuple(args), kwargs


def match(args: tuple[Any, ...], kwargs: dict[str, Any], in_axes: Any, size: int | None) -> Arguments:
    """Pair arguments with axes. `size` is the number of rows, if it is known without them.

    Raises:
        AxesError: where they do not fit.
    """
    if tree.children(in_axes) is None:
        axes: Any = (in_axes,) * len(args)
    else:
        axes = tuple(in_axes)
        if len(axes) != len(args):
            raise AxesError(
                f"in_axes of vmap, a {type(in_axes).__name__}, should have an entry for each of the {len(args)} "
                f"arguments, but has {len(axes)}"
            )
    pairs = pair_axes(args, axes, "in_axes")
    for leaf in tree.leaves(kwargs):
        pairs.append((leaf, 0 if isinstance(leaf, Tensor) else None))
    sizes = {} if size is None else {size: "the number of Cells"}
    normal: list[tuple[Any, int | None]] = []
    for leaf, axis in pairs:
        if axis is not None and isinstance(leaf, (int, float)):
            raise AxesError(
                f"vmap cannot map over axis {axis} of {leaf!r}, which is no tensor: give None for it in in_axes"
            )
        if axis is not None and isinstance(leaf, Tensor):
            axis = _normal(axis, leaf.ndim, "in_axes")
            length = leaf._type.shape[axis]
            if length is None:
                raise GraphBreak(f"vmap maps over axis {axis} of {leaf._type}, whose length only the run knows")
            sizes.setdefault(length, f"axis {axis} of a tensor of shape {leaf.shape}")
        normal.append((leaf, axis))
    if not sizes:
        raise AxesError("in_axes of vmap cannot be all None: there is nothing to map over")
    if len(sizes) > 1:
        shown = ", ".join(f"{length} ({where})" for length, where in sizes.items())
        raise AxesError(f"the axes that vmap maps over should have one length, but differ: {shown}")
    return Arguments(args, kwargs, normal, next(iter(sizes)))


def place_results(result: Any, found: Sequence[tuple[Symbol, bool]], out_axes: Any, size: int) -> Any:
    """A row's result with its tensors as batches. Numbers count as tensors that all rows share."""
    placed = iter(pair_axes(result, out_axes, "out_axes"))
    batches = iter(found)

    def place(leaf: Any) -> Any:
        _, axis = next(placed)
        if isinstance(leaf, Tensor):
            symbol, mapped = next(batches)
        elif isinstance(leaf, (bool, int, float)) and axis is not None:
            trace: Trace | None = STATE.trace
            assert trace is not None
            symbol, mapped = trace.read(as_tensor(leaf)), False
        else:
            return leaf
        if axis is None:
            if mapped:
                raise AxesError(
                    "out_axes of vmap is None for a result that differs from row to row: give the axis for the rows"
                )
            return wrap(symbol)
        return _placed(symbol, mapped, _normal(axis, symbol.rank + (not mapped), "out_axes"), size)

    return tree.map_tree(place, result)


# vmap


def vmap(fn: Callable[..., Any] | Sequence[Cell], in_axes: Any = 0, out_axes: Any = 0) -> Transformed:
    """The function `fn` mapped over an axis of its arguments.

    `fn` is recorded for one row, and every operation in it then runs once for the whole batch. Where the rows take
    different branches or iterations, each keeps the results of its own.

    Args:
        fn: a function or Cell of tensors; or a CellList (or list) of like Cells, of which each computes one row.
        in_axes: the axis of each argument to map over, None for an argument that all rows share; an int for all
            arguments; tuples, lists and dicts as the arguments are. Tensors given by keyword are mapped over axis 0.
        out_axes: where the mapped axis goes in the results, in the same form; None for a result that all rows share.

    Returns:
        A function of fn's arguments, whose results have the mapped axis added. Numbers among them become tensors.

    Raises:
        RuntimeError: if fn is not callable; if axes are no ints or out of range, lengths differ, nothing is mapped; if
            fn assigns a value that differs from row to row to a Parameter.

    Examples:
        >>> import mycel as ms
        >>> dot = lambda a, b: (a * b).sum()
        >>> print(ms.vmap(dot, in_axes=(0, None))(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, 1.0])))
        [3. 7.]
    """
    ensemble = isinstance(fn, (list, tuple)) or getattr(fn, "cells_as_list", False)
    _check_axes(in_axes, "in_axes", ensemble)
    _check_axes(out_axes, "out_axes", ensemble)
    if out_axes is None:
        out_axes = 0
    if ensemble:
        cells: list[Cell] = list(fn)  # type: ignore[arg-type]
        if len(cells) < 2 or not all(isinstance(cell, Cell) for cell in cells):
            raise AxesError(f"a CellList for vmap should hold two Cells or more, but got {len(cells)}")
        return Transformed(
            cells[0], _ensemble(cells, in_axes, out_axes), "vmap", _ensemble_loop(cells, in_axes, out_axes)
        )
    if not callable(fn):
        raise RuntimeError(f"the first argument of vmap must be a 'Function' or 'Cell', but got {type(fn).__name__}")

    def traced(*args: Any, **kwargs: Any) -> Any:
        trace: Trace | None = STATE.trace
        assert trace is not None
        arguments = match(args, kwargs, in_axes, None)

        def row(*slices: Tensor) -> Any:
            row_args, row_kwargs = arguments.with_slices(slices)
            return control.call(fn, *row_args, **row_kwargs)

        rows = [trace.read(_move(leaf, axis, 0)) for leaf, axis in arguments.mapped()]
        result, found = map_rows(trace, rows, arguments.size, row, arguments.mapped())
        return place_results(result, found, out_axes, arguments.size)

    def eager(*args: Any, **kwargs: Any) -> Any:
        arguments = match(args, kwargs, in_axes, None)
        return _loop([fn] * arguments.size, arguments, out_axes)

    return Transformed(fn, traced, "vmap", eager)


def _loop(functions: Sequence[Callable[..., Any]], arguments: Arguments, out_axes: Any) -> Any:
    """The rows one after the other, op by op, with stacked results."""
    results = []
    taken: list[tuple[list[Tensor], list[Any]]] = []  # the slices of each row, and their arrays before
    for number, function in enumerate(functions):
        slices = [
            apply(ops.index, leaf, spec=(*((None, None, 1),) * axis, number)) for leaf, axis in arguments.mapped()
        ]
        taken.append((slices, [piece._data for piece in slices]))
        row_args, row_kwargs = arguments.with_slices(slices)
        results.append(function(*row_args, **row_kwargs))
    for position, (leaf, axis) in enumerate(arguments.mapped()):
        if any(pieces[position]._data is not before[position] for pieces, before in taken):
            replace_data(leaf, _stacked([pieces[position] for pieces, _ in taken], axis)._data)
    columns = iter(zip(*map(tree.leaves, results), strict=True))
    placed = iter(pair_axes(results[0], out_axes, "out_axes"))

    def place(leaf: Any) -> Any:
        items, (_, axis) = next(columns), next(placed)
        if axis is None or not isinstance(leaf, (Tensor, bool, int, float)):
            return leaf
        tensors = [as_tensor(item) for item in items]
        return _stacked(tensors, _normal(axis, tensors[0].ndim + 1, "out_axes"))

    return tree.map_tree(place, results[0])


def _stacked(tensors: Sequence[Tensor], axis: int) -> Tensor:
    shapes = list(dict.fromkeys(tensor.shape for tensor in tensors))
    if len(shapes) > 1:
        raise AxesError(
            f"the results of a mapped function should have one shape for all rows, but differ: "
            f"{' and '.join(map(str, shapes[:2]))}. Bring them to one shape inside the function"
        )
    return apply(ops.concatenate, *[apply(ops.expand_dims, item, axes=(axis,)) for item in tensors], axis=axis)


# Ensembles of Cells


def _ensemble_loop(cells: list[Cell], in_axes: Any, out_axes: Any) -> Callable[..., Any]:
    def eager(*args: Any, **kwargs: Any) -> Any:
        return _loop(cells, match(args, kwargs, in_axes, len(cells)), out_axes)

    return eager


def _ensemble(cells: list[Cell], in_axes: Any, out_axes: Any) -> Callable[..., Any]:
    def traced(*args: Any, **kwargs: Any) -> Any:
        trace: Trace | None = STATE.trace
        assert trace is not None
        arguments = match(args, kwargs, in_axes, len(cells))
        size = len(cells)
        rows = [trace.read(_move(leaf, axis, 0)) for leaf, axis in arguments.mapped()]
        types = [symbol.type.with_shape(symbol.shape[1:]) for symbol in rows]

        def row_of(cell: Cell) -> Row:
            def row(*slices: Tensor) -> Any:
                row_args, row_kwargs = arguments.with_slices(slices)
                return control.call(cell, *row_args, **row_kwargs)

            return record_row(trace, types, row)

        recorded = [row_of(cell) for cell in cells]
        first = recorded[0]
        if all(same_structure(first.graph, other.graph) for other in recorded[1:]):
            found = _together(trace, recorded, rows)
        else:
            found = _apart(trace, recorded, rows)
        return place_results(first.result, found[: len(first.tensors)], out_axes, size)

    return traced


def _stack(trace: Trace, symbols: Sequence[Symbol]) -> Symbol:
    with trace.recorder:
        return ops.concatenate(*[ops.insert_axes(symbol, (0,)) for symbol in symbols], axis=0)


def _take(trace: Trace, batch: Symbol, number: int) -> Symbol:
    with trace.recorder:
        return ops.drop_axes(ops.slice_axis(batch, 0, number, number + 1), (0,))


def _together(trace: Trace, recorded: list[Row], rows: Sequence[Symbol]) -> list[tuple[Symbol, bool]]:
    """Cells that compute the same, as one batch. The tensors that they capture, such as Parameters, are stacked."""
    outer, first, size = trace.recorder, recorded[0], len(recorded)
    given = [Symbol(outer.lift(symbol), outer) for symbol in rows]
    for column in zip(*[row.captures for row in recorded], strict=True):
        given.append(_stack(trace, [Symbol(value, outer) for value in column]))
    start = len(outer.nodes)
    try:
        with outer:
            found = vectorize(first.graph, [True] * len(given), size, given)
    except UnvectorizableError:
        del outer.nodes[start:]
        return _apart(trace, recorded, rows)
    for position in range(len(first.updates)):
        symbol, mapped = found[len(first.tensors) + position]
        for number, row in enumerate(recorded):
            trace.write_target(row.updates[position], _take(trace, symbol, number) if mapped else symbol)
    return found


def _apart(trace: Trace, recorded: list[Row], rows: Sequence[Symbol]) -> list[tuple[Symbol, bool]]:
    """Cells that differ in more than their Parameters: one after the other, with stacked results."""
    outer = trace.recorder
    results = []
    for number, row in enumerate(recorded):
        captures = [Symbol(value, outer) for value in row.captures]
        outputs = outer.inline(row.graph, [*[_take(trace, symbol, number) for symbol in rows], *captures])
        for target, symbol in zip(row.updates, outputs[len(row.tensors) :], strict=True):
            trace.write_target(target, symbol)
        results.append(outputs[: len(row.tensors)])
    return [(_stack(trace, column), True) for column in zip(*results, strict=True)]


__all__ = ["vmap"]

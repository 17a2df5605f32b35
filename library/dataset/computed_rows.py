"""Rows that are computed from those of another dataset: functions applied to their columns, and batches of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...frontend.errors.classes import NotCallableError
from . import config
from .debug import with_hooks
from .rows import Row, Rows
from .stacking import BatchInfo, names_of_batches, stacked, to_array, with_made

MOST_KEPT = 64  # good rows that replace others, as `config.set_error_samples_mode` says


class MappedRows(Rows):
    """The rows of another dataset with functions applied to columns."""

    parent: Rows

    def __init__(self, parent: Rows, operations: Any, inputs: Any, outputs: Any, order: Sequence[str] | None) -> None:
        self.operations = list(operations) if isinstance(operations, (list, tuple)) else [operations]
        for operation in self.operations:
            if not callable(operation):
                raise NotCallableError(f"map takes functions, but got {type(operation).__name__}")
            if isinstance(operation, type):
                name = operation.__name__
                calls = any("__call__" in vars(kind) for kind in operation.__mro__)
                fix = f"{name}(…)" if calls else f"lambda x: {name}(x)"
                raise ValueError(f"map takes functions and transforms, but got the class {name}: write {fix}")
        names = [inputs] if isinstance(inputs, str) else list(inputs) if inputs is not None else parent.columns[:1]
        self.inputs = parent.positions(names)
        new = names if outputs is None else [outputs] if isinstance(outputs, str) else list(outputs)
        kept = [name for name in parent.columns if name not in names]
        if len(new) == len(names):
            renamed = dict(zip(names, new, strict=True))
            columns = [renamed.get(name, name) for name in parent.columns]
        else:
            columns = [*new, *kept]
        self.outputs, self.kept = new, kept
        super().__init__(columns if order is None else list(order), parent)

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        operations = with_hooks(self.operations, config.debug_hooks())
        mode, good, failed = config.get_error_samples_mode(), list[Row](), 0
        for row in self.parent.rows():
            try:
                values = self._values(row, operations)
            except Exception:
                if mode == config.ErrorSamplesMode.RETURN:
                    raise
                failed += 1
                continue
            made = self._made(row, values)
            if mode == config.ErrorSamplesMode.REPLACE and len(good) < MOST_KEPT:
                good.append(made)
            yield made
        if failed and mode == config.ErrorSamplesMode.REPLACE:
            if not good:
                raise RuntimeError("map: the functions failed for each row, so there is none to put in their places")
            yield from itertools.islice(itertools.cycle(good), failed)

    def _values(self, row: Row, operations: Sequence[Callable[..., Any]]) -> Row:
        values: tuple[Any, ...] = tuple(row[position] for position in self.inputs)
        for operation in operations:
            result = operation(*values)
            values = result if isinstance(result, tuple) else (result,)
        return tuple(map(to_array, values))

    def _made(self, row: Row, values: Row) -> Row:
        if len(values) != len(self.outputs):
            raise ValueError(f"the mapped functions give {len(values)} values for the columns {self.outputs}")
        made = {name: array for name, array in zip(self.parent.columns, row, strict=True) if name in self.kept}
        made.update(zip(self.outputs, values, strict=True))
        return tuple(made[name] for name in self.columns)

    def __len__(self) -> int:
        return len(self.parent)


class BatchedRows(Rows):
    """The rows of another dataset, stacked."""

    parent: Rows

    def __init__(
        self, parent: Rows, size: Any, drop: bool, options: dict[str, Any], padding: dict[str, Any] | None = None
    ) -> None:
        if not callable(size) and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
            raise (ValueError if isinstance(size, int) else TypeError)(
                f"'batch_size' should be a positive int, but got {size!r}"
            )
        self.batch_size, self.drop_remainder, self.padding = size, drop, padding
        self.function = options.get("per_batch_map")
        inputs = options.get("input_columns")
        self.inputs = parent.positions(inputs) if inputs is not None else list(range(len(parent.columns)))
        outputs = options.get("output_columns")
        super().__init__(parent.columns, parent)
        self.outputs = outputs if outputs is None or isinstance(outputs, list) else [outputs]
        if self.outputs is not None:
            self.columns = names_of_batches(parent.columns, self.inputs, self.outputs)

    def get_batch_size(self) -> int:
        """The batch size."""
        return -1 if callable(self.batch_size) else int(self.batch_size)

    def rows(self) -> Iterator[Row]:
        """One pass over the batches."""
        made_whole = self.function is None and self.padding is None
        source, taken = (made_whole and self.parent.picked()) or (self.parent.rows(), None)
        for number in itertools.count():
            size = self.batch_size(BatchInfo(number)) if callable(self.batch_size) else self.batch_size
            rows = list(itertools.islice(source, size))
            if not rows or (self.drop_remainder and len(rows) < size):
                return
            if taken is not None:
                yield taken(rows)
                continue
            columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
            if self.function is not None:
                made = self.function(*[columns[position] for position in self.inputs], BatchInfo(number))
                columns = with_made(columns, made, self.inputs, self.outputs)
            yield tuple(stacked(name, column, self.padding) for name, column in zip(self.columns, columns, strict=True))

    def __len__(self) -> int:
        if callable(self.batch_size):
            return super().__len__()
        rows = len(self.parent)
        return rows // self.batch_size if self.drop_remainder else -(-rows // self.batch_size)

"""Rows of named columns, and passes over them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...frontend.errors.classes import runtime_twin
from ...frontend.errors.tracebacks import leaving, take_traceback
from ..mindrecord.saving import save_rows
from . import config
from .description import describe
from .stacking import as_tensor, types_of

Row = tuple[np.ndarray, ...]


class Rows:
    """Rows of named columns: sources and operations say in `rows` what a pass gives.

    Args:
        columns: the names of the columns.
        parent: what the rows are made from; None for a source.

    Raises:
        ValueError: if two columns have the same name.
    """

    _arguments: Any = ((), {})
    _made_by: Any = None

    def __init__(self, columns: Sequence[str], parent: Rows | None = None) -> None:
        if len(set(columns)) != len(columns):
            raise ValueError(f"column names should differ, but are {list(columns)}")
        self.columns = list(columns)
        self.parent = parent
        self.conditions: dict[str, Callable[..., Any] | None] = {}  # of `sync_wait`

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """A dataset, with a note of its arguments for `serialize`."""
        made = super().__new__(cls)
        made._arguments = (args, kwargs)
        return made

    def rows(self) -> Iterator[Row]:
        """One pass over the rows; sources and operations define it."""
        raise NotImplementedError(f"{type(self).__name__} should define rows()")

    def picked(self) -> tuple[Iterator[Any], Callable[[Sequence[Any]], Row]] | None:
        """The numbers of the rows of a pass, and what gives the rows of several numbers as a batch; None where rows are
        made one by one."""
        return None

    def __len__(self) -> int:
        return sum(1 for _ in Passes(self, output_numpy=True, as_dict=False))  # whose errors are those of a pass

    def _first(self) -> Any:  # no parts where there is no row
        return next(iter(Passes(self, output_numpy=True, as_dict=False)), ())

    # Sizes

    def get_dataset_size(self) -> int:
        """Number of rows (batches after `batch`) of a pass."""
        return len(self)

    def get_col_names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def get_batch_size(self) -> int:
        """The batch size; 1 without `batch`."""
        return self.parent.get_batch_size() if self.parent is not None else 1

    def get_repeat_count(self) -> int:
        """How often `repeat` repeats; 1 without it."""
        return self.parent.get_repeat_count() if self.parent is not None else 1

    def num_classes(self) -> int | None:
        """How many classes the source knows of; None if rows are not known to be of classes."""
        return self.parent.num_classes() if self.parent is not None else None

    def get_class_indexing(self) -> dict[str, int]:
        """The number of each class by its name, where the source knows them; otherwise empty."""
        return self.parent.get_class_indexing() if self.parent is not None else {}

    def output_shapes(self, estimate: bool = False) -> list[list[int]]:
        """The shape of each column in the first row; [] where there is none."""
        return [[] if isinstance(part, dict) else list(part.shape) for part in self._first()]

    def output_types(self) -> list[Any]:
        """The NumPy type of each column in the first row, of strings of any length; [] where there is none."""
        return types_of(self._first())

    def reset(self) -> None:
        """Accepted: every pass starts anew."""

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write the rows into MindRecord files, which `MindDataset` reads.

        Small ints and bools become int32, uint32 and uint64 int64, float16 float32: the types that these files have.

        Args:
            file_name: the file, or with several files their name before their numbers.
            num_files: how many files, from 1 to 1000.
            file_type: 'mindrecord'.

        Raises:
            ValueError: for another number or type of files. RuntimeError: if the file exists, there is no row, or a
                column cannot be saved.
        """
        save_rows(self.columns, iter(Passes(self, output_numpy=True, as_dict=False)), file_name, num_files, file_type)

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """The operations of the pipeline: for each its `op_type`, its settings and, as `children`, its inputs.

        Args:
            filename: a file that the dict is written to as JSON; empty for none.
        """
        content = describe(self)
        if filename:
            with open(filename, "w", encoding="utf-8") as file:
                json.dump(content, file, indent=1)
        return content

    def sync_update(self, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Call the callback of a `sync_wait` with data.

        Raises:
            ValueError: if there is no condition of this name, or `num_batch` is not positive.
        """
        if num_batch is not None and num_batch < 1:
            raise ValueError(f"sync_update: 'num_batch' should be positive, but got {num_batch}")
        found: Rows | None = self
        while found is not None and condition_name not in found.conditions:
            found = found.parent
        if found is None:
            raise RuntimeError(f"Condition name '{condition_name}' not found: it should be that of a sync_wait")
        callback = found.conditions[condition_name]
        if callback is not None:
            callback() if data is None else callback(data)

    def positions(self, names: str | Sequence[str] | None) -> list[int]:
        """Where these columns are; RuntimeError names the one that does not exist."""
        names = [names] if isinstance(names, str) else list(names or [])
        for name in names:
            if name not in self.columns:
                raise RuntimeError(f"there is no column '{name}'; there are {self.columns}")
        return [self.columns.index(name) for name in names]


class Passes:
    """Iterates over rows; every `iter()` starts a pass, and `next()` works on a pass of its own."""

    def __init__(
        self, dataset: Rows, output_numpy: bool, as_dict: bool, rows: Callable[[], Iterator[Row]] | None = None
    ) -> None:
        self.dataset, self.output_numpy, self.as_dict = dataset, output_numpy, as_dict
        self.rows = rows or dataset.rows
        self._pass: Iterator[Any] | None = None

    def __iter__(self) -> Iterator[Any]:
        try:
            for row in self.rows():
                parts = list(row) if self.output_numpy else [as_tensor(part) for part in row]
                yield dict(zip(self.dataset.columns, parts, strict=True)) if self.as_dict else parts
        except Exception as error:
            leaving(error)
            found = runtime_twin(error)
            if found is error:
                raise
            try:
                raise found from error.__cause__
            except Exception:
                take_traceback(found, error)  # without this frame, which a bare `raise` does not add again
                raise

    def get_col_names(self) -> list[str]:
        """The names of the columns."""
        return list(self.dataset.columns)

    def __next__(self) -> Any:
        if self._pass is None:
            self._pass = iter(self)
        return next(self._pass)


def shuffled(rows: Iterator[Row], buffer_size: int) -> Iterator[Row]:
    """The rows in random order, drawn from a buffer."""
    buffer = list(itertools.islice(rows, buffer_size))
    generator = config.generator()
    for row in rows:
        index = int(generator.integers(len(buffer)))
        yield buffer[index]
        buffer[index] = row
    for index in generator.permutation(len(buffer)):
        yield buffer[index]

"""`Dataset`: rows of named columns, and the operations that chain on it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...frontend.compilation.doors import guarded
from ...frontend.errors.spelling import check_keywords
from ...frontend.values.arguments import need_type
from . import config
from .callbacks import Told
from .checks import check_count, check_epochs, check_flags
from .computed_rows import BatchedRows, MappedRows
from .description import recorded
from .rows import Passes, Row, Rows, shuffled
from .stacking import ByLength

# Arguments by name, of which those of MindSpore's processes have no meaning here.
_BATCHES = ("per_batch_map", "input_columns", "output_columns", "python_multiprocessing", "max_rowsize", "column_order")
_MAPS = ("callbacks", "cache", "offload", "num_parallel_workers", "python_multiprocessing", "max_rowsize")


OPERATIONS = frozenset({
    "batch", "padded_batch", "map", "shuffle", "repeat", "take", "skip", "project", "rename", "zip", "concat",
    "bucket_batch_by_length",
})  # fmt: skip
"""The methods that `serialize` and `deserialize` know."""


class Dataset(Rows):
    """Rows of named columns. Operations give a new dataset; a pass starts when an iterator is made.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], shuffle=False).skip(1)]
        [6, 7]
    """

    # Passes

    def create_tuple_iterator(
        self, columns: Sequence[str] | None = None, num_epochs: int = -1, output_numpy: bool = False,
        do_copy: bool = False,
    ) -> Iterator[list[Any]]:  # fmt: skip
        """Rows as lists of tensors (arrays with `output_numpy`); each `iter()` of it is one pass."""
        check_epochs(num_epochs)
        check_flags(output_numpy=output_numpy, do_copy=do_copy)
        return Passes(self if columns is None else self.project(columns), output_numpy, as_dict=False)

    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Rows as dicts from column name to tensor (array with `output_numpy`); each `iter()` of it is one pass."""
        check_epochs(num_epochs)
        check_flags(output_numpy=output_numpy, do_copy=do_copy)
        return Passes(self, output_numpy, as_dict=True)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.create_tuple_iterator())

    # Waiting

    def sync_wait(self, condition_name: str, num_batch: int = 1, callback: Callable[..., Any] | None = None) -> Dataset:
        """Let rows wait for `sync_update`: they are made when they are asked for, so after all updates before.

        Args:
            condition_name: what `sync_update` names.
            num_batch: accepted: how many rows may come between updates.
            callback: a function that `sync_update` calls with its data.

        Raises:
            TypeError: if the callback is no function.
            ValueError: if `num_batch` is not positive.
        """
        if callback is not None and not callable(callback):
            raise TypeError(f"sync_wait: 'callback' should be a function, but got {type(callback).__name__}")
        if num_batch < 1:
            raise ValueError(f"sync_wait: 'num_batch' should be positive, but got {num_batch}")
        waiting = _Derived("SyncWait", self, _same, lambda rows: rows)
        waiting.conditions[condition_name] = callback
        return waiting

    # Operations

    @recorded
    def bucket_batch_by_length(
        self, column_names: Sequence[str], bucket_boundaries: Sequence[int], bucket_batch_sizes: Sequence[int],
        element_length_function: Callable[..., Any] | None = None, pad_info: dict[str, Any] | None = None,
        pad_to_bucket_boundary: bool = False, drop_remainder: bool = False,
    ) -> Dataset:  # fmt: skip
        """Batches of rows of like length.

        Args:
            column_names: the columns that the length is of.
            bucket_boundaries: lengths at which the next bucket begins.
            bucket_batch_sizes: the batch size of each bucket, one more than boundaries.
            element_length_function: of the columns' arrays; None: the size of the first axis of the one column.
            pad_info: for columns the shape to pad to, and the value; None: rows have to be of one shape.
            pad_to_bucket_boundary: whether sizes that are None in `pad_info` are the bucket's boundary less one.
            drop_remainder: whether buckets that are not full at the end are left out.

        Raises:
            ValueError: for boundaries that do not rise, or another number of sizes.
        """
        options = {
            "pad_info": pad_info, "pad_to_bucket_boundary": pad_to_bucket_boundary, "drop_remainder": drop_remainder,
        }  # fmt: skip
        lengths = ByLength(
            self.positions(column_names), bucket_boundaries, bucket_batch_sizes, element_length_function, options
        )
        return _Derived("BucketBatchByLength", self, lambda rows: lengths.batches(self.columns, rows))

    @recorded
    def batch(
        self, batch_size: int | Callable[..., int], drop_remainder: bool = False,
        num_parallel_workers: int | None = None, **kwargs: Any,
    ) -> Dataset:  # fmt: skip
        """Stack each `batch_size` rows along a new first axis.

        Args:
            drop_remainder: whether rows left at the end, too few for a batch, are dropped.
            kwargs: `per_batch_map`, a function of lists of arrays and a batch info that gives such lists, with
                `input_columns` and `output_columns`.

        Raises:
            TypeError: for other arguments by name. ValueError: if the batch size is not positive. RuntimeError: if rows
            differ in shape or dtype.
        """
        check_keywords("batch", kwargs, _BATCHES)
        config.check_workers(num_parallel_workers)
        check_flags(drop_remainder=drop_remainder)
        return Batch(self, batch_size, drop_remainder, kwargs)

    @recorded
    def padded_batch(
        self, batch_size: int, drop_remainder: bool = False, num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> Dataset:  # fmt: skip
        """As `batch`, the arrays padded or cut off first: `pad_info` maps a column to (shape with None for the largest,
        value); without columns, all are padded to the largest.

        Raises:
            TypeError: if it is no dict. RuntimeError: if it has a column that is not there.
        """
        if not isinstance(pad_info or {}, dict):
            raise TypeError(f"'pad_info' should be a dict, but got {pad_info!r}")
        self.positions(list(pad_info or {}))
        return Batch(self, batch_size, drop_remainder, {}, pad_info or {})

    @recorded
    def map(
        self, operations: Any, input_columns: str | Sequence[str] | None = None,
        output_columns: str | Sequence[str] | None = None, column_order: Sequence[str] | None = None, **kwargs: Any,
    ) -> Dataset:  # fmt: skip
        """Apply functions, one after another, to columns (the first ones if none are named) of each row.

        Of the further arguments `callbacks` gives `DSCallback`s that are told of epochs and steps.
        """
        check_keywords("map", kwargs, _MAPS)
        config.check_workers(kwargs.get("num_parallel_workers"))
        mapped = Map(self, operations, input_columns, output_columns, column_order)
        callbacks = kwargs.get("callbacks")
        return mapped if callbacks is None else _Derived("Map", mapped, Told(callbacks).over, _same)

    @recorded
    def shuffle(self, buffer_size: int) -> Dataset:
        """Rows in random order, drawn from a buffer of `buffer_size` rows."""
        need_type(buffer_size, int, "'buffer_size' should be an int")
        if buffer_size < 2:
            raise ValueError(f"'buffer_size' should be at least 2, but got {buffer_size}")
        return _Derived("Shuffle", self, lambda rows: shuffled(rows, buffer_size), moves=True, buffer_size=buffer_size)

    @recorded
    def repeat(self, count: int | None = None) -> Dataset:
        """The rows `count` times over; None or -1 once (passes can be made without end)."""
        times = 1 if count in (None, -1) else count
        if not isinstance(times, int) or times < 1:
            raise (ValueError if isinstance(times, int) else TypeError)(
                f"'count' should be positive or -1, but got {count}"
            )
        return Repeat(self, times)

    @recorded
    def take(self, count: int = -1) -> Dataset:
        """The first `count` rows; all with -1."""
        if count == -1:
            return self
        check_count(count, "take", least=1)
        return _Derived(
            "Take", self, lambda rows: itertools.islice(rows, count), lambda n: min(n, count), moves=True, count=count
        )

    @recorded
    def skip(self, count: int) -> Dataset:
        """All but the first `count` rows."""
        check_count(count, "skip")
        length = lambda n: max(n - count, 0)  # noqa: E731
        return _Derived("Skip", self, lambda rows: itertools.islice(rows, count, None), length, moves=True, count=count)

    def filter(
        self, predicate: Callable[..., bool], input_columns: str | Sequence[str] | None = None,
        num_parallel_workers: Any = None,
    ) -> Dataset:  # fmt: skip
        """The rows for which `predicate` of the named columns (all by default) holds."""
        if not callable(predicate):
            raise TypeError(f"filter: 'predicate' should be a function, but got {type(predicate).__name__}")
        positions = self.positions(input_columns) if input_columns is not None else list(range(len(self.columns)))

        def keeps(row: tuple[Any, ...]) -> bool:
            kept = predicate(*[row[position] for position in positions])
            if isinstance(kept, np.ndarray) and kept.size != 1:
                raise RuntimeError(
                    f"filter: 'predicate' should return one bool, but it returned an array of shape {kept.shape}: "
                    "reduce it with .all() or .any()"
                )
            return bool(kept)

        return _Derived("Filter", self, lambda rows: (row for row in rows if keeps(row)))

    @recorded
    def project(self, columns: str | Sequence[str]) -> Dataset:
        """Only these columns, in this order."""
        names = [columns] if isinstance(columns, str) else list(columns)
        if not names:
            raise ValueError("project: 'columns' should name at least one column")
        positions = self.positions(names)
        return _Derived("Project", self, lambda rows: (tuple(row[p] for p in positions) for row in rows), _same, names)

    @recorded
    def rename(self, input_columns: str | Sequence[str], output_columns: str | Sequence[str]) -> Dataset:
        """The columns under other names."""
        old = [input_columns] if isinstance(input_columns, str) else list(input_columns)
        new = [output_columns] if isinstance(output_columns, str) else list(output_columns)
        if len(old) != len(new):
            raise ValueError(f"rename got {len(old)} columns and {len(new)} new names")
        self.positions(old)
        names = dict(zip(old, new, strict=True))
        return _Derived("Rename", self, _same, _same, [names.get(name, name) for name in self.columns], True)

    @recorded
    def zip(self, datasets: Any) -> Dataset:
        """The columns of several datasets side by side."""
        others = datasets if isinstance(datasets, (tuple, list)) else (datasets,)
        return zip_datasets((self, *others))

    @recorded
    def concat(self, datasets: Any) -> Dataset:
        """The rows of several datasets after one another."""
        parts = [self, *(datasets if isinstance(datasets, (tuple, list)) else [datasets])]
        for part in parts:
            need_type(part, Dataset, "concat: a Dataset or a list of them is expected")
        return ConcatDataset(parts)

    __add__ = concat

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """The result of `apply_func` for this dataset."""
        result = apply_func(self)
        if not isinstance(result, Dataset):
            raise TypeError(f"apply's function should return a Dataset, but returned {type(result).__name__}")
        return result

    def flat_map(self, func: Callable[..., Dataset]) -> Dataset:
        """The rows of the datasets that `func` makes of the columns of each row, after one another.

        `func` is called at once, as in MindSpore.

        Raises:
            TypeError: if `func` is no function, or returns something else than a Dataset.
            ValueError: for a dataset without rows.
        """
        if not callable(func):
            raise TypeError(f"flat_map: a function is expected, but got {type(func).__name__}")
        parts = [func(*row) for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        for part in parts:
            need_type(part, Dataset, "flat_map: the function should return a Dataset")
        if not parts:
            raise ValueError("flat_map: the dataset has no rows")
        return parts[0] if len(parts) == 1 else parts[0].concat(parts[1:])

    def split(self, sizes: Sequence[int | float], randomize: bool = True) -> tuple[Dataset, ...]:
        """Parts with given numbers or shares of the rows, drawn at random unless `randomize` is False."""
        check_flags(randomize=randomize)
        if not sizes or (all(isinstance(size, float) for size in sizes) and not math.isclose(sum(sizes), 1.0)):
            raise ValueError(f"'sizes' should be numbers of rows, or shares with a sum of 1, but got {list(sizes)}")
        total = len(self)
        counts = [round(size * total) if isinstance(size, float) else size for size in sizes]
        if all(isinstance(size, float) for size in sizes):
            counts[0] += total - sum(counts)
        if sum(counts) != total or min(counts) < 1:
            raise RuntimeError(f"sizes {list(sizes)} do not split {total} rows into parts that are not empty")
        seed = int(config.generator().integers(2**31))

        def part(start: int, stop: int) -> Dataset:
            def rows(found: Iterator[Row]) -> Iterator[Row]:
                every = list(found)
                order = np.random.default_rng(seed).permutation(total) if randomize else np.arange(total)
                return (every[index] for index in order[start:stop])

            return _Derived("Split", self, rows, lambda _: stop - start, moves=True, start=start, stop=stop)

        ends = list(itertools.accumulate(counts))
        return tuple(part(end - count, end) for end, count in zip(ends, counts, strict=True))


def _same(value: Any) -> Any:
    return value


@guarded  # `list` asks for the length, which may run the pipeline
class _Derived(Dataset):
    """Rows made from those of another dataset. `moves`: rows are not looked at, so they may be numbers as well."""

    parent: Rows

    def __init__(
        self, kind: str, parent: Dataset, rows: Callable[[Iterator[Any]], Iterator[Any]],
        len_of: Callable[[int], int] | None = None, columns: Sequence[str] | None = None, moves: bool = False,
        **settings: int,
    ) -> None:  # fmt: skip
        super().__init__(parent.columns if columns is None else columns, parent)
        self.kind, self.settings = kind, settings
        self._rows, self._len_of, self._moves = rows, len_of, moves

    def picked(self) -> tuple[Iterator[Any], Callable[[Sequence[Any]], Row]] | None:
        """Those of the other dataset, if rows are only moved."""
        found = self.parent.picked() if self._moves else None
        return found and (self._rows(found[0]), found[1])

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        return self._rows(self.parent.rows())

    def __len__(self) -> int:
        return self._len_of(len(self.parent)) if self._len_of is not None else super().__len__()


class ConcatDataset(Dataset):
    """The rows of several datasets after one another.

    Raises:
        ValueError: if their columns differ.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5], shuffle=False).concat(ds.NumpySlicesDataset([6]))]
        [5, 6]
    """

    kind = "Concat"

    def __init__(self, datasets: Sequence[Dataset]) -> None:
        self.parts = list(datasets)
        super().__init__(self.parts[0].columns, self.parts[0])
        for part in self.parts:
            if part.columns != self.columns:
                raise ValueError(f"concat needs equal columns, but got {self.columns} and {part.columns}")

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        return itertools.chain.from_iterable(part.rows() for part in self.parts)

    def __len__(self) -> int:
        return sum(map(len, self.parts))


class ZipDataset(Dataset):
    """The columns of several datasets side by side; a pass ends with the shortest.

    Raises:
        ValueError: if two of them have a column of the same name.

    Examples:
        >>> from mycel import dataset as ds
        >>> left, right = ds.NumpySlicesDataset([5], "a"), ds.NumpySlicesDataset([6], "b")
        >>> [[int(item) for item in row] for row in ds.zip((left, right))]
        [[5, 6]]
    """

    kind = "Zip"

    def __init__(self, datasets: Sequence[Dataset]) -> None:
        self.parts = list(datasets)
        if len(self.parts) < 2:
            raise ValueError(f"zip needs two datasets or more, but got {len(self.parts)}")
        super().__init__([name for part in self.parts for name in part.columns], self.parts[0])

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        for together in zip(*[part.rows() for part in self.parts], strict=False):
            yield tuple(array for row in together for array in row)

    def __len__(self) -> int:
        return min(map(len, self.parts))


def zip_datasets(datasets: Sequence[Dataset]) -> Dataset:
    return ZipDataset(datasets)


zip_datasets.__doc__ = ZipDataset.__doc__


class Repeat(Dataset):
    """The rows of another dataset several times.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5]).repeat(3)]
        [5, 5, 5]
    """

    parent: Rows

    def __init__(self, parent: Dataset, times: int) -> None:
        super().__init__(parent.columns, parent)
        self.count = times

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        for _ in range(self.count):
            yield from self.parent.rows()

    def picked(self) -> tuple[Iterator[Any], Callable[[Sequence[Any]], Row]] | None:
        """Those of the other dataset, for each pass anew."""
        found = self.parent.picked()
        if found is None:
            return None
        more = (number for _ in range(self.count - 1) for number in (self.parent.picked() or found)[0])
        return itertools.chain(found[0], more), found[1]

    def __len__(self) -> int:
        return self.count * len(self.parent)

    def get_repeat_count(self) -> int:
        """How often the rows repeat."""
        return self.count


class Map(MappedRows, Dataset):
    """The rows of another dataset with functions applied to columns.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5, 6], shuffle=False).map(lambda x: x + 1)]
        [6, 7]
    """


class Batch(BatchedRows, Dataset):
    """The rows of another dataset, stacked.

    Examples:
        >>> from mycel import dataset as ds
        >>> [row[0].tolist() for row in ds.NumpySlicesDataset([5, 6, 7], shuffle=False).batch(2)]
        [[5, 6], [7]]
    """

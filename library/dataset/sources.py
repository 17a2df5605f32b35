"""Where rows come from: Python objects and generators, and arrays."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from . import config
from .mappable import MappableDataset
from .rows import Row
from .samplers import check_samples
from .stacking import to_array, types_of


class _Replayed:
    """The items of an iterator for several passes: those that have been read are kept.

    They are given up if the iterator has ended, and `iter` lets it begin anew, as some classes do.
    """

    def __init__(self, source: Iterator[Any]) -> None:
        self._source = source
        self._items: Iterator[Any] | None = None
        self._read: list[Any] = []
        self._ended = self._anew = False

    def __iter__(self) -> Iterator[Any]:
        if self._items is None:
            self._items = iter(self._source)
        elif self._ended or self._anew:
            items = iter(self._source)
            first = list(itertools.islice(_each(items), 1))
            if first or self._anew:
                self._anew, self._read = True, []
                return itertools.chain(first, _each(items))
        return self._replayed(self._items)

    def _replayed(self, items: Iterator[Any]) -> Iterator[Any]:
        for position in itertools.count():
            if position == len(self._read):
                try:
                    self._read.append(next(items))
                except StopIteration:
                    self._ended = True
                    return
            yield self._read[position]


def _each(items: Iterator[Any]) -> Iterator[Any]:
    """The items, without another call of `iter`, which may begin anew."""
    while True:
        try:
            item = next(items)
        except StopIteration:
            return
        yield item


class GeneratorDataset(MappableDataset):
    """Rows from a Python object.

    Args:
        source: an object with `__getitem__` and `__len__` (rows at random), an iterable, or a function that gives an
            iterator. A row is an array or a tuple of arrays. The rows of a generator, and of other iterators that
            do not begin anew, are kept in memory for further passes: give the function that makes it if they are many.
        column_names: the names of a row's parts.
        shuffle: whether rows come in random order; None: for sources with `__getitem__` without a sampler.
        sampler: which rows of a source with `__getitem__` to visit.
        num_samples: at most so many rows; None or 0 for all.
        num_shards, shard_id: of a source with `__getitem__` take one of `num_shards` shards of equal size.

    Raises:
        TypeError: if the source is none of these. ValueError: if a row has more or fewer parts than there are names,
            or arguments exclude each other.

    Examples:
        >>> from mycel import dataset as ds
        >>> rows = ds.GeneratorDataset([(1.0, 0), (2.0, 1)], ["x", "y"], shuffle=False)
        >>> [tuple(part.item() for part in row) for row in rows.create_tuple_iterator(output_numpy=True)]
        [(1.0, 0), (2.0, 1)]
    """

    conflict = ValueError

    def __init__(
        self, source: Any, column_names: str | Sequence[str] | None = None, column_types: Any = None,
        schema: Any = None, num_samples: int | None = None, num_parallel_workers: int = 1, shuffle: bool | None = None,
        sampler: Any = None, num_shards: int | None = None, shard_id: int | None = None,
        python_multiprocessing: bool = True, max_rowsize: Any = None, batch_sampler: Any = None,
        collate_fn: Callable[..., Any] | None = None,
    ) -> None:  # fmt: skip
        if column_names is None:
            raise ValueError("GeneratorDataset needs 'column_names'")
        need_type(column_names, str | list | tuple, "'column_names' should be a list of strings")
        config.check_workers(num_parallel_workers)
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        self.source: Any = _Replayed(source) if isinstance(source, Iterator) else source
        self.random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if not (self.random_access or callable(source) or hasattr(source, "__iter__")):
            raise TypeError(
                "GeneratorDataset's 'source' should have __getitem__ and __len__, be iterable, or be called for "
                f"an iterator, but got {type(source).__name__}"
            )
        if not self.random_access:
            for name, given in (("num_shards", num_shards), ("sampler", sampler)):
                if given is not None:
                    raise ValueError(f"'{name}' needs a source that has __getitem__ and __len__")
            shuffle = False
        super().__init__(names, num_samples, shuffle, sampler, num_shards, shard_id)
        self.num_samples = check_samples(num_samples)

    def size(self) -> int:
        """How many rows a source with `__getitem__` has."""
        return len(self.source)

    def item(self, index: int) -> Row:
        """The row of this number, of a source with `__getitem__`."""
        return self._row(self.source[index])

    def _row(self, item: Any) -> Row:
        if isinstance(item, Iterator):  # a generator of the parts
            item = tuple(item)
        parts = item if isinstance(item, (tuple, list)) else (item,)
        if len(parts) != len(self.columns):
            raise ValueError(f"a row has {len(parts)} parts, but there are {len(self.columns)} column names")
        return tuple(map(to_array, parts))

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        if self.random_access:
            return super().rows()
        found = iter(self.source() if callable(self.source) else self.source)
        return map(self._row, itertools.islice(found, self.num_samples))

    def __len__(self) -> int:
        return super().__len__() if self.random_access else sum(1 for _ in self.rows())

    def output_shapes(self, estimate: bool = False) -> list[list[int]]:
        """The shape of each column in the first row."""
        return super().output_shapes(estimate) if self.random_access else [list(x.shape) for x in next(self.rows())]

    def output_types(self) -> list[Any]:
        """The NumPy type of each column in the first row."""
        return super().output_types() if self.random_access else types_of(next(self.rows()))


class NumpySlicesDataset(GeneratorDataset):
    """The rows of arrays: of one, of a tuple of arrays of equal length, or of a dict from column name to array.

    Examples:
        >>> import numpy as np
        >>> from mycel import dataset as ds
        >>> data = ds.NumpySlicesDataset({"x": np.arange(4), "y": np.arange(4) * 2}, shuffle=False).batch(2)
        >>> [row["y"].tolist() for row in data.create_dict_iterator(output_numpy=True)]
        [[0, 2], [4, 6]]
    """

    def __init__(
        self, data: Any, column_names: str | Sequence[str] | None = None, num_samples: int | None = None,
        num_parallel_workers: int = 1, shuffle: bool | None = None, sampler: Any = None, num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:  # fmt: skip
        if isinstance(data, dict):
            names, arrays = list(data), [np.asarray(column) for column in data.values()]
        elif isinstance(data, tuple):
            arrays = [np.asarray(column) for column in data]
            names = [f"column_{position}" for position in range(len(arrays))]
        else:
            names, arrays = ["column_0"], [np.asarray(data)]
        lengths = {len(array) for array in arrays}
        if len(lengths) > 1:
            raise ValueError(f"the columns of a NumpySlicesDataset should have one length, but have {sorted(lengths)}")
        if column_names is not None:
            names = [column_names] if isinstance(column_names, str) else list(column_names)
        if len(names) != len(arrays):
            raise ValueError(f"there are {len(arrays)} columns, but {len(names)} column names")
        super().__init__(
            _Slices(arrays), names, num_samples=num_samples, shuffle=shuffle, sampler=sampler, num_shards=num_shards,
            shard_id=shard_id,
        )  # fmt: skip


class _Slices:
    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.arrays = arrays

    def __len__(self) -> int:
        return len(self.arrays[0])

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(array[index] for array in self.arrays)


class PaddedDataset(GeneratorDataset):
    """Rows given as dicts from column name to value.

    Examples:
        >>> from mycel import dataset as ds
        >>> [row[0].tolist() for row in ds.PaddedDataset([{"x": [1, 2]}])]
        [[1, 2]]
    """

    def __init__(self, padded_samples: Sequence[dict[str, Any]]) -> None:
        if not padded_samples:
            raise ValueError("PaddedDataset needs at least one row")
        names = list(padded_samples[0])
        rows = [tuple(row[name] for name in names) for row in padded_samples]
        super().__init__(rows, names, shuffle=False)

"""Where rows come from: Python objects and generators, and arrays; sources whose rows have numbers, for samplers."""

from __future__ import annotations

import copy
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from . import config
from .pipeline import Dataset
from .rows import Passes, Row, Rows
from .samplers import BuiltinSampler, PKSampler, check_samples, select_sampler
from .stacking import to_array


class MappableDataset(Dataset):
    """Rows by number; sources define `size` and `item`.

    Args:
        columns: the names of a row's parts.
        num_samples: at most so many rows; None or 0 for all.
        shuffle: whether rows come in random order; None: they do.
        sampler: which rows to visit in which order, in place of the other arguments.
        num_shards, shard_id: take one of `num_shards` shards. All have equally many rows, so that the last ones may
            start over with the first rows.

    Raises:
        RuntimeError: for `sampler` beside other arguments, or one of `num_shards` and `shard_id` without the other.
        ValueError: for numbers out of range. TypeError: for arguments of the wrong kind.

    Examples:
        >>> from mycel import dataset as ds
        >>> data = ds.NumpySlicesDataset([5, 6, 7], sampler=[2, 0])
        >>> isinstance(data, ds.MappableDataset), [int(row[0]) for row in data]
        (True, [7, 5])
    """

    conflict: type[Exception] = RuntimeError  # what arguments raise that exclude each other

    def __init__(
        self, columns: Sequence[str], num_samples: Any = None, shuffle: Any = None, sampler: Any = None,
        num_shards: Any = None, shard_id: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(columns)
        self.sampler = select_sampler(num_samples, sampler, shuffle, num_shards, shard_id, self.conflict)

    def size(self) -> int:
        """How many rows the source has."""
        raise NotImplementedError(f"{type(self).__name__} should define size()")

    def item(self, index: int) -> Row:
        """The row of this number."""
        raise NotImplementedError(f"{type(self).__name__} should define item()")

    def _first(self) -> Any:  # whatever row a sampler begins with
        return next(iter(Passes(self, output_numpy=True, as_dict=False, rows=lambda: map(self.item, [0]))))

    def classes(self, column: str) -> Sequence[Any]:
        """The class of each row, for samplers that go by it."""
        position = self.positions(column)[0]
        return [self.item(index)[position].item() for index in range(self.size())]

    def _informed(self) -> BuiltinSampler:
        sampler: BuiltinSampler | None = self.sampler
        while sampler is not None:
            if isinstance(sampler, PKSampler) and not sampler.classes:
                sampler.know(self.classes(sampler.class_column))
            sampler = sampler.get_child()
        return self.sampler

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        for index in self._informed().order(self.size()):
            yield self.item(index)

    def __len__(self) -> int:
        return self._informed().total(self.size())

    def use_sampler(self, new_sampler: Any) -> None:
        """Visit rows as another sampler says, in place of the present one.

        Raises:
            TypeError: if it is no sampler.
        """
        need_type(new_sampler, BuiltinSampler, "use_sampler takes a sampler")
        self.sampler = new_sampler

    def add_sampler(self, new_sampler: Any) -> None:
        """Let another sampler choose among the rows that the present one visits.

        Raises:
            TypeError: if it is no sampler. RuntimeError: if it has a child of its own.
        """
        need_type(new_sampler, BuiltinSampler, "add_sampler takes a sampler")
        new_sampler.add_child(self.sampler)
        self.sampler = new_sampler


class FilesOfClasses(MappableDataset):
    """Files, each of a class: sources define `files` and `item`."""

    @property
    def files(self) -> list[tuple[str, int]]:
        """The files and their classes."""
        raise NotImplementedError(f"{type(self).__name__} should say which files it has")

    def size(self) -> int:
        """How many files there are."""
        return len(self.files)

    def classes(self, column: str) -> Sequence[Any]:
        """The class of each file."""
        return [number for _, number in self.files]


def check_folder(dataset_dir: Any) -> str:
    """The folder that a source reads.

    Raises:
        TypeError: if it is no string. ValueError: if there is no such folder.
    """
    if not isinstance(dataset_dir, (str, os.PathLike)):
        raise TypeError(f"'dataset_dir' should be a string, but got {dataset_dir!r}, a {type(dataset_dir).__name__}")
    if not os.path.isdir(dataset_dir):
        raise ValueError(f"the folder {os.fspath(dataset_dir)} does not exist, is no folder, or may not be read")
    return os.fspath(dataset_dir)


def check_usage(usage: Any, choices: Sequence[str] = ("train", "test", "all")) -> str:
    """Which part of a data set; None is the last choice, all of it.

    Raises:
        TypeError: if it is no string. ValueError: if it is no choice.
    """
    if usage is None:
        return choices[-1]
    if not isinstance(usage, str):
        raise TypeError(f"'usage' should be a string, but got {usage!r}, a {type(usage).__name__}")
    if usage not in choices:
        raise ValueError(f"'usage' should be one of {list(choices)}, but got {usage!r}")
    return usage


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
        column_types: the dtypes that the parts should have; None: any.
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
        if not names:
            raise ValueError("GeneratorDataset: 'column_names' should not be empty")
        self.source: Any = _Replayed(source) if isinstance(source, Iterator) else source
        self.random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if self.random_access and isinstance(source, type) and not hasattr(type(source), "__getitem__"):
            name = source.__name__
            raise TypeError(
                f"GeneratorDataset's 'source' should be an object, but got the class {name}: write {name}(…)"
            )
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
        self.types = list(column_types or ())
        self._places: tuple[BuiltinSampler, list[int]] | None = None  # of a sampler, for `__getitem__`

    def size(self) -> int:
        """How many rows a source with `__getitem__` has."""
        return len(self.source)

    def item(self, index: int) -> Row:
        """The row of this number, of a source with `__getitem__`."""
        return self._row(self.source[index])

    def __getitem__(self, index: int) -> Any:
        """What the source gives for the row at this place of a pass; shuffled rows keep their places, as in MindSpore.

        Raises:
            RuntimeError: if there is no such row, or the source has no `__getitem__`.
        """
        need_type(index, int | np.integer, "the index of a GeneratorDataset should be an int")
        if not self.random_access:
            raise RuntimeError(f"{type(self).__name__} has a source without __getitem__, so it gives no row {index}")
        if self._places is None or self._places[0] is not self.sampler:
            self._places = self.sampler, copy.deepcopy(self._informed()).order(self.size())
        places = self._places[1]
        if not 0 <= index < len(places):
            raise RuntimeError(f"{type(self).__name__} has no row {index}: a pass has {len(places)}")
        return self.source[places[index]]

    def _row(self, item: Any) -> Row:
        if isinstance(item, Iterator):  # a generator of the parts
            item = tuple(item)
        parts = item if isinstance(item, (tuple, list)) else (item,)
        if len(parts) != len(self.columns):
            raise ValueError(f"a row has {len(parts)} parts, but there are {len(self.columns)} column names")
        row = tuple(map(to_array, parts))
        for name, part, dtype in zip(self.columns, row, self.types, strict=False):
            if part.dtype != getattr(dtype, "np", part.dtype):
                raise TypeError(f"column '{name}' should be {dtype}, as 'column_types' says, but is {part.dtype}")
        return row

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        if self.random_access:
            return super().rows()
        found = iter(self.source() if callable(self.source) else self.source)
        return map(self._row, itertools.islice(found, self.num_samples))

    def __len__(self) -> int:
        return super().__len__() if self.random_access else Rows.__len__(self)

    def _first(self) -> Any:
        return super()._first() if self.random_access else Rows._first(self)


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
        if lengths in (set(), {0}):
            raise ValueError("a NumpySlicesDataset needs at least one row")
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

    def picked(self) -> tuple[Iterator[Any], Callable[[Sequence[Any]], Row]] | None:
        """The numbers of the rows of a pass, and what takes several rows from the arrays at once."""
        if type(self) is not NumpySlicesDataset or any(array.dtype.kind in "SUOV" for array in self.source.arrays):
            return None
        return iter(self._informed().order(self.size())), self._taken

    def _taken(self, numbers: Sequence[Any]) -> Row:
        return self._row(self.source[np.asarray(numbers)])


class _Slices:
    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.arrays = arrays

    def __len__(self) -> int:
        return len(self.arrays[0])

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
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

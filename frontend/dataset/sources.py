"""Where rows come from: Python objects and generators, and arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import config
from .pipeline import Dataset, Row, to_array
from .samplers import sampler_of


class GeneratorDataset(Dataset):
    """Rows from a Python object.

    Args:
        source: an object with `__getitem__` and `__len__` (rows at random), an iterable, or a function that gives an
            iterator. A row is an array or a tuple of arrays.
        column_names: the names of a row's parts.
        shuffle: whether rows come in random order; None: for sources with `__getitem__` without a sampler.
        sampler: which rows of a source with `__getitem__` to visit.
        num_samples: at most so many rows.
        num_shards, shard_id: of each `num_shards` rows, take the one at `shard_id`.

    Raises:
        TypeError: if the source is none of these. ValueError: if a row has more or fewer parts than there are names.

    Examples:
        >>> from mycel import dataset as ds
        >>> rows = ds.GeneratorDataset([(1.0, 0), (2.0, 1)], ["x", "y"], shuffle=False)
        >>> [tuple(part.item() for part in row) for row in rows.create_tuple_iterator(output_numpy=True)]
        [(1.0, 0), (2.0, 1)]
    """

    def __init__(
        self,
        source: Any,
        column_names: str | Sequence[str] | None = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: Any = None,
        batch_sampler: Any = None,
        collate_fn: Callable[..., Any] | None = None,
    ) -> None:
        if column_names is None:
            raise ValueError("GeneratorDataset needs 'column_names'")
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        super().__init__(names)
        self.source = source
        self.random_access = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if not (self.random_access or callable(source) or hasattr(source, "__iter__")):
            raise TypeError(
                "GeneratorDataset's 'source' should have __getitem__ and __len__, be iterable, or be called for "
                "an iterator, "
                f"but got {type(source).__name__}"
            )
        self.sampler = sampler_of(sampler)
        if self.sampler is not None and shuffle is not None:
            raise RuntimeError("give GeneratorDataset either 'sampler' or 'shuffle'")
        self.shuffled = self.random_access and self.sampler is None if shuffle is None else shuffle
        if self.shuffled and not self.random_access:
            raise RuntimeError("only a source with __getitem__ and __len__ can be shuffled; use .shuffle(buffer_size)")
        self.num_samples = num_samples
        if (num_shards is None) != (shard_id is None):
            raise RuntimeError("'num_shards' and 'shard_id' go together")
        self.shards = None if num_shards is None else (num_shards, int(shard_id or 0))

    def _order(self) -> list[int]:
        size = len(self.source)
        if self.sampler is not None:
            order = self.sampler.order(size)
        elif self.shuffled:
            order = config.generator().permutation(size).tolist()
        else:
            order = list(range(size))
        if self.shards is not None:
            order = order[self.shards[1] :: self.shards[0]]
        return order if self.num_samples is None else order[: self.num_samples]

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        if self.random_access:
            found: Iterator[Any] = (self.source[index] for index in self._order())
        else:
            found = iter(self.source() if callable(self.source) else self.source)
        for count, item in enumerate(found):
            if not self.random_access and self.num_samples is not None and count >= self.num_samples:
                return
            parts = item if isinstance(item, (tuple, list)) else (item,)
            if len(parts) != len(self.columns):
                raise ValueError(f"a row has {len(parts)} parts, but there are {len(self.columns)} column names")
            yield tuple(map(to_array, parts))

    def __len__(self) -> int:
        if self.random_access:
            return len(self._order()) if self.sampler is not None else self._plain_size()
        return sum(1 for _ in self.rows())

    def _plain_size(self) -> int:
        size = len(self.source)
        if self.shards is not None:
            size = len(range(self.shards[1], size, self.shards[0]))
        return size if self.num_samples is None else min(size, self.num_samples)


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
        self,
        data: Any,
        column_names: str | Sequence[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
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
    """Rows given as dicts from column name to value."""

    def __init__(self, padded_samples: Sequence[dict[str, Any]]) -> None:
        if not padded_samples:
            raise ValueError("PaddedDataset needs at least one row")
        names = list(padded_samples[0])
        rows = [tuple(row[name] for name in names) for row in padded_samples]
        super().__init__(rows, names, shuffle=False)

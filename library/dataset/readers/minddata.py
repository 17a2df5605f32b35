"""`MindDataset`: rows of MindRecord files."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....frontend.values.arguments import need_type
from ...mindrecord.reader import Records
from ..rows import Row
from ..samplers import BuiltinSampler, Shuffle, shard_generator
from ..sources import MappableDataset
from ..stacking import to_array


class _ByFile(BuiltinSampler):
    """Files in random order, or rows in random order within each file; the same in every shard."""

    shuffles = True

    def __init__(self, counts: Sequence[int], kind: Shuffle) -> None:
        super().__init__()
        self.kind, self.epoch = kind, 0
        ends = list(itertools.accumulate(counts))
        self.files = [list(range(end - count, end)) for end, count in zip(ends, counts, strict=True)]

    def indices(self, size: int) -> Sequence[int]:
        """The rows of all files."""
        generator = shard_generator(self.epoch)
        self.epoch += 1
        if self.kind is Shuffle.FILES:
            files = [self.files[number] for number in generator.permutation(len(self.files))]
        else:
            files = [generator.permutation(rows).tolist() for rows in self.files]
        return [index for rows in files for index in rows]


class MindDataset(MappableDataset):
    """The rows of MindRecord files.

    Columns: those of the files' schema, sorted by name: numbers of shape (), strings, arrays of the schema's shape, and
    bytes as uint8 in one dimension.

    Args:
        dataset_files: a file, which stands for all files that were written with it; or a list of files.
        columns_list: the columns to read, in this order; None for all.
        num_parallel_workers, cache: accepted: rows are read in the caller's thread.
        shuffle: True, None or Shuffle.GLOBAL for rows in random order, Shuffle.FILES for files in random order,
            Shuffle.INFILE for rows in random order within each file, or False.
        num_shards, shard_id: take one of `num_shards` shards of equal size.
        sampler: which rows to visit, in place of the other arguments.
        padded_sample: a dict of column names to values, which `num_padded` more rows hold; needs `columns_list`.
        num_padded: how many.
        num_samples: at most so many rows; None or 0 for all.

    Raises:
        ValueError: if there is no such file. RuntimeError: if a file is damaged, has no such column, or arguments
            exclude each other. TypeError: for arguments of the wrong kind.

    Examples:
        >>> from mycel import dataset as ds
        >>> ds.NumpySlicesDataset({"label": [3, 4]}, shuffle=False).save("saved.mindrecord")
        >>> [int(row[0]) for row in ds.MindDataset("saved.mindrecord", shuffle=False)]
        [3, 4]
    """

    def __init__(
        self, dataset_files: Any, columns_list: Sequence[str] | None = None, num_parallel_workers: int | None = None,
        shuffle: Any = None, num_shards: int | None = None, shard_id: int | None = None, sampler: Any = None,
        padded_sample: dict[str, Any] | None = None, num_padded: int | None = None, num_samples: int | None = None,
        cache: Any = None,
    ) -> None:  # fmt: skip
        files = dataset_files if isinstance(dataset_files, list) else [dataset_files]
        for name in files:
            need_type(name, str | os.PathLike, "'dataset_files' should be the name of a file, or a list of such", repr)
            if not os.path.isfile(name):
                raise ValueError(f"the file {os.fspath(name)} does not exist, or may not be read")
        paths = [os.fspath(name) for name in files]
        self.records = Records(paths if isinstance(dataset_files, list) else paths[0])
        need_type(columns_list, list | tuple | None, "'columns_list' should be a list of strings", repr)
        columns = list(columns_list) if columns_list else list(self.records.schema)
        self.records.check_columns(columns)
        self.padding = self._padding(columns_list, columns, padded_sample, num_padded)
        self.padded_rows = num_padded or 0
        by_file = shuffle if shuffle in (Shuffle.FILES, Shuffle.INFILE) else None
        super().__init__(columns, num_samples, False if by_file else shuffle, sampler, num_shards, shard_id)
        if by_file:
            counts = [*self.records.counts, self.padded_rows]
            self.sampler.add_child(_ByFile(counts, by_file))

    def _padding(self, listed: Any, columns: list[str], sample: Any, count: Any) -> Row | None:
        if sample is None and count is None:
            return None
        for given, name in ((sample, "padded_sample"), (count, "num_padded"), (listed, "columns_list")):
            if given is None:
                raise RuntimeError(f"'padded_sample', 'num_padded' and 'columns_list' go together: '{name}' is missing")
        if not isinstance(sample, dict) or isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise TypeError("'padded_sample' should be a dict, and 'num_padded' an int that is not negative")
        missing = [name for name in columns if name not in sample]
        if missing:
            raise ValueError(f"'padded_sample' has no value for the columns {missing}")
        return tuple(self._part(name, sample[name]) for name in columns)

    def _part(self, name: str, value: Any) -> np.ndarray:
        kind = self.records.schema[name]["type"]
        if isinstance(value, bytes):
            return np.frombuffer(value, np.uint8).copy()
        return to_array(value) if isinstance(value, (np.ndarray, str)) else np.asarray(value, kind)

    def size(self) -> int:
        """How many rows the files have, and are added."""
        return len(self.records) + self.padded_rows

    def item(self, index: int) -> Row:
        """The row of this number."""
        if index >= len(self.records):
            assert self.padding is not None
            return self.padding
        found = self.records.row(index, self.columns)
        return tuple(self._part(name, found[name]) for name in self.columns)

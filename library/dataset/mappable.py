"""`MappableDataset`: a source whose rows have numbers, so that a sampler says which of them a pass visits."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from ...frontend.values.arguments import need_type
from .pipeline import Dataset
from .rows import Row
from .samplers import BuiltinSampler, PKSampler, select_sampler
from .stacking import types_of


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

    def output_shapes(self, estimate: bool = False) -> list[list[int]]:
        """The shape of each column in the first row of the source."""
        return [list(array.shape) for array in self.item(0)]

    def output_types(self) -> list[Any]:
        """The NumPy type of each column in the first row of the source."""
        return types_of(self.item(0))

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

"""Sources that read files: lines of text, tables of comma-separated values, and rows of MindRecord files."""

from __future__ import annotations

import csv
import glob
import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ....frontend.values.arguments import need_type
from ...mindrecord.reader import Records
from ...saving.wire import CorruptFile, reading
from ..pipeline import Dataset
from ..rows import Row, shuffled
from ..samplers import BuiltinSampler, Shuffle, check_samples, check_shards, shard_generator
from ..sources import MappableDataset
from ..stacking import to_array

SHUFFLED_ROWS = 10000  # a buffer of so many rows is drawn from, as in MindSpore
READERS = 8
GLOBAL_KINDS = (True, Shuffle.GLOBAL, Shuffle.ADAPTIVE, Shuffle.PARTIAL)


class FileDataset(Dataset):
    """Rows of files that are read from front to end; sources define `read` and `length`.

    Rows of several files alternate: one of each file in turn.

    Args:
        columns: the names of a row's parts; None where `read_columns` finds them out.
        dataset_files: names or patterns of files.
        num_samples: at most so many rows; None or 0 for all.
        num_parallel_workers: how many files alternate; None for 8.
        shuffle: True or Shuffle.GLOBAL for rows in random order, Shuffle.FILES for files in random order, or False.
        num_shards, shard_id: take one of `num_shards` equally long stretches of all rows, the last one going on at the
            first row.
        by_file: whether shards are whole files in place of stretches of rows.

    Raises:
        ValueError: if a pattern matches no file, or a number is out of range. TypeError: for arguments of the wrong
            kind. RuntimeError: if one of `num_shards` and `shard_id` is given without the other.
    """

    def __init__(
        self, dataset_files: Any, num_samples: Any, num_parallel_workers: Any, shuffle: Any, num_shards: Any,
        shard_id: Any, by_file: bool = False,
    ) -> None:  # fmt: skip
        self.dataset_files = find_files(dataset_files)
        need_type(shuffle, bool | Shuffle, "'shuffle' should be a bool, Shuffle.GLOBAL or Shuffle.FILES", repr)
        if shuffle is Shuffle.INFILE:
            raise ValueError("rows are not shuffled within files: use Shuffle.GLOBAL or Shuffle.FILES")
        self.num_samples, self.shards = check_samples(num_samples), check_shards(num_shards, shard_id)
        self.shuffle_kind, self.by_file, self.epoch = shuffle, by_file, 0
        self.readers = READERS if num_parallel_workers is None else num_parallel_workers
        super().__init__(self.read_columns())

    def read_columns(self) -> list[str]:
        """The names of the columns."""
        raise NotImplementedError(f"{type(self).__name__} should define read_columns()")

    def read(self, path: str) -> Iterator[Row]:
        """The rows of a file."""
        raise NotImplementedError(f"{type(self).__name__} should define read()")

    def length(self, path: str) -> int:
        """How many rows a file has."""
        return sum(1 for _ in self.read(path))

    def _parts(self, files: Sequence[str]) -> list[tuple[str, int, int | None]]:
        """The stretches of files that are read: (file, first row, end; None for all)."""
        if self.shards is None:
            return [(path, 0, None) for path in files]
        count, which = self.shards
        if self.by_file:
            if len(files) < count:
                raise RuntimeError(
                    f"{type(self).__name__}: {len(files)} files cannot be dealt to {count} shards; "
                    "shard_equal_rows=True shares out rows"
                )
            return [(path, 0, None) for path in files[which::count]]
        lengths = [self.length(path) for path in files]
        ends = list(itertools.accumulate(lengths))
        total = ends[-1]
        share = -(-total // count)
        parts: list[tuple[str, int, int | None]] = []
        position, left = which * share, share
        while left and total:
            position %= total
            file = next(k for k, end in enumerate(ends) if position < end)
            first = position - ends[file] + lengths[file]
            taken = min(left, lengths[file] - first)
            parts.append((files[file], first, first + taken))
            position, left = position + taken, left - taken
        return parts

    def rows(self) -> Iterator[Row]:
        """One pass over the rows."""
        files = self.dataset_files
        if self.shuffle_kind in (*GLOBAL_KINDS, Shuffle.FILES):
            files = [files[index] for index in shard_generator(self.epoch).permutation(len(files))]
            self.epoch += 1
        parts = self._parts(files)
        readers = min(self.readers, len(parts))
        streams = [
            itertools.chain.from_iterable(
                itertools.islice(self.read(path), start, stop) for path, start, stop in parts[reader::readers]
            )
            for reader in range(readers)
        ]
        found = _in_turn(streams)
        if self.shuffle_kind in GLOBAL_KINDS:
            found = shuffled(found, SHUFFLED_ROWS)
        return itertools.islice(found, self.num_samples)

    def __len__(self) -> int:
        count = sum(
            self.length(path) if stop is None else stop - start for path, start, stop in self._parts(self.dataset_files)
        )
        return count if self.num_samples is None else min(count, self.num_samples)


def _in_turn(streams: Sequence[Iterator[Row]]) -> Iterator[Row]:
    """One row of each stream after the other, as long as there are any."""
    while streams:
        going = []
        for stream in streams:
            for row in stream:
                yield row
                going.append(stream)
                break
        streams = going


def find_files(patterns: Any) -> list[str]:
    """The files of names and patterns, sorted.

    Raises:
        TypeError: for what is no string or list of strings. ValueError: if a pattern matches no file.
    """
    if isinstance(patterns, (str, os.PathLike)):
        patterns = [os.fspath(patterns)]
    if not isinstance(patterns, (list, tuple)) or not all(isinstance(pattern, str) for pattern in patterns):
        raise TypeError(f"'dataset_files' should be a string or a list of strings, but got {patterns!r}")
    found, unmatched = [], []
    for pattern in patterns:
        files = [path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path)]
        found.extend(files)
        if not files:
            unmatched.append(pattern)
    if unmatched or not found:
        raise ValueError(f"these patterns match no file: {unmatched}")
    return sorted(found)


class TextFileDataset(FileDataset):
    """The lines of text files, without empty ones.

    Column: `text`, a string.

    Args:
        dataset_files: names or patterns of files.
        num_samples: at most so many rows; None or 0 for all.
        num_parallel_workers: how many files alternate; None for 8.
        shuffle: True or Shuffle.GLOBAL (the default) for rows in random order, Shuffle.FILES for files in random order,
            or False: the files by name, one line of each in turn.
        num_shards, shard_id: take one of `num_shards` equally long stretches of all lines.
        cache: accepted, without effect.

    Raises:
        ValueError: if a pattern matches no file. RuntimeError: if one of `num_shards` and `shard_id` is missing.
        TypeError: for arguments of the wrong kind. DamagedFileError: if a file is no UTF-8 text.

    Examples:
        >>> from mycel import dataset as ds
        >>> with open("lines.txt", "w") as file:
        ...     _ = file.write("one line\\n\\nand another\\n")
        >>> [str(row[0]) for row in ds.TextFileDataset("lines.txt", shuffle=False)]
        ['one line', 'and another']
    """

    def __init__(
        self, dataset_files: Any, num_samples: int | None = None, num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL, num_shards: int | None = None, shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    empty_lines = False  # whether they are rows, too

    def read_columns(self) -> list[str]:
        """The name of the column."""
        return ["text"]

    def read(self, path: str) -> Iterator[Row]:
        """The lines of a file."""
        with reading(path), open(path, encoding="utf-8", newline="\n") as file:
            for line in file:
                text = line.removesuffix("\n")
                if text or self.empty_lines:
                    yield (np.asarray(text),)


class CSVDataset(FileDataset):
    """The rows of files of comma-separated values.

    Columns: as named; strings, or int32 or float32 where the default is an int or a float.

    Args:
        dataset_files: names or patterns of files.
        field_delim: the character between values.
        column_defaults: for each column a value of its type: '' for strings, 0 for int32, 0.0 for float32; None for
            strings everywhere.
        column_names: the names of the columns; None if the first line of each file holds them.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as for `TextFileDataset`, whose lines
            are rows here.

    Raises:
        ValueError: if a pattern matches no file, or the delimiter is no character. TypeError: for defaults and other
            arguments of the wrong kind. RuntimeError: if a row has too many or too few values, or no number where one
            should be; it names file and line. DamagedFileError: if a file is no UTF-8 text.

    Examples:
        >>> from mycel import dataset as ds
        >>> with open("table.csv", "w") as file:
        ...     _ = file.write("name,age\\nAnn,31\\nBob,27\\n")
        >>> rows = ds.CSVDataset("table.csv", column_defaults=["", 0], shuffle=False)
        >>> [(str(row["name"]), int(row["age"])) for row in rows.create_dict_iterator()]
        [('Ann', 31), ('Bob', 27)]
    """

    def __init__(
        self, dataset_files: Any, field_delim: str = ",", column_defaults: Sequence[Any] | None = None,
        column_names: Sequence[str] | None = None, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: Any = Shuffle.GLOBAL, num_shards: int | None = None,
        shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        need_type(field_delim, str, "'field_delim' should be a string", repr)
        if len(field_delim) != 1 or field_delim in '"\r\n':
            raise ValueError(f"'field_delim' should be one character, no quote or end of line, but got {field_delim!r}")
        need_type(column_defaults, list | tuple | None, "'column_defaults' should be a list", repr)
        for position, default in enumerate(column_defaults or ()):
            if isinstance(default, bool) or not isinstance(default, (str, int, float)):
                raise TypeError(
                    f"a default should be a string, an int or a float, but 'column_defaults[{position}]' is {default!r}"
                )
        self.delimiter, self.defaults = field_delim, list(column_defaults or ())
        self.header = column_names is None
        self.names = None if column_names is None else [str(name) for name in column_names]
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    def read_columns(self) -> list[str]:
        """The names of the columns: those given, or those in the first file's first line."""
        if self.names is None:
            path = self.dataset_files[0]
            with reading(path), open(path, encoding="utf-8-sig", newline="") as file:
                self.names = next(csv.reader(file, delimiter=self.delimiter), [])
                if len(set(self.names)) < len(self.names):
                    raise CorruptFile(f"its first line should name each column once, but is {self.names!r:.200}")
        return self.names

    def read(self, path: str) -> Iterator[Row]:
        """The rows of a file."""
        with reading(path), open(path, encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, delimiter=self.delimiter)
            if self.header:
                names = next(lines, [])
                if names != self.columns:
                    raise RuntimeError(f"{path} has the columns {names}, but the first file has {self.columns}")
            for values in lines:
                if not values:
                    continue
                if len(values) != len(self.columns):
                    raise RuntimeError(
                        f"{path}, line {lines.line_num}: there are {len(values)} values for the {len(self.columns)} "
                        f"columns {self.columns}"
                    )
                defaults = itertools.chain(self.defaults, itertools.repeat(""))
                yield tuple(
                    _typed(value, default, name, path, lines.line_num)
                    for value, default, name in zip(values, defaults, self.columns, strict=False)
                )


def _typed(value: str, default: Any, name: str, path: str, line: int) -> np.ndarray:
    """A value of the type of its column's default."""
    try:
        if isinstance(default, int):
            return np.asarray(int(float(value)), np.int32)
        if isinstance(default, float):
            with np.errstate(over="raise"):
                return np.asarray(float(value), np.float32)
    except (ValueError, ArithmeticError):  # no number, or too large
        wanted = "an int" if isinstance(default, int) else "a float"
        raise RuntimeError(f"{path}, line {line}: column '{name}' should hold {wanted}, but has {value!r}") from None
    return np.asarray(value)


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

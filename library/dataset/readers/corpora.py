"""Corpora: well-known data sets of texts with classes, in the files that their authors publish."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from ...saving.wire import CorruptFile, reading
from ..rows import Row
from ..samplers import Shuffle
from ..sources import FilesOfClasses, check_folder, check_usage
from .files import CSVDataset, TextFileDataset


def _files(reader: Any, dataset_dir: str, usage: str | None, usages: tuple[str, ...], named: str) -> list[str]:
    """The files of a folder, as patterns, that hold what is used; `named` with a part of the data set is a name."""
    reader.dataset_dir, reader.usage = check_folder(dataset_dir), check_usage(usage, usages)
    kinds = usages[:-1] if reader.usage == "all" else (reader.usage,)
    names = sorted({named.format(kind) for kind in kinds})
    found = [path for name in names if os.path.isfile(path := os.path.join(dataset_dir, name))]
    if not found:
        raise RuntimeError(
            f"{type(reader).__name__}: there is no file {' or '.join(names)} in the folder {reader.dataset_dir}"
        )
    return [glob.escape(path) for path in found]


class _Lines(TextFileDataset):
    """The lines of a folder's files, one for each part of a data set."""

    usages: ClassVar[tuple[str, ...]] = ("train", "valid", "test", "all")
    named: ClassVar[str]
    usage: str

    def __init__(
        self, dataset_dir: str, usage: str | None = None, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: Any = Shuffle.GLOBAL, num_shards: int | None = None,
        shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        found = _files(self, dataset_dir, usage, self.usages, self.named)
        super().__init__(found, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)


class PennTreebankDataset(_Lines):
    """The lines of `ptb.train.txt`, `ptb.valid.txt` and `ptb.test.txt`, without empty ones.

    Column: `text`, a string.

    Args:
        dataset_dir: the folder of the files.
        usage: 'train', 'valid', 'test' or 'all' (the default).
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as for `TextFileDataset`.

    Raises:
        ValueError: if there is no such folder or usage. RuntimeError: if it has no such file. TypeError: for arguments
            of the wrong kind.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/ptb.test.txt", "w").write("no <unk> here\\n")
        ...     [str(text) for text, in ds.PennTreebankDataset(folder, "test")]
        ['no <unk> here']
    """

    named = "ptb.{}.txt"


class WikiTextDataset(_Lines):
    """The lines of `wiki.train.tokens`, `wiki.valid.tokens` and `wiki.test.tokens`. The rest is as for
    `PennTreebankDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/wiki.test.tokens", "w").write(" = Oak = \\n")
        ...     [str(text) for text, in ds.WikiTextDataset(folder, "test")]
        [' = Oak = ']
    """

    named = "wiki.{}.tokens"


class EnWik9Dataset(_Lines):
    """The lines of the file `enwik9`, empty ones, too. Arguments but `usage` are those of `PennTreebankDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/enwik9", "w").write("<page>\\n\\n")
        ...     [str(text) for text, in ds.EnWik9Dataset(folder, shuffle=False)]
        ['<page>', '']
    """

    named, empty_lines = "enwik9", True

    def __init__(self, dataset_dir: str, num_samples: int | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(dataset_dir, None, num_samples, *args, **kwargs)


class SST2Dataset(_Lines):
    """Sentences of film reviews, from the files `train.tsv`, `dev.tsv` and `test.tsv`.

    Columns: `sentence` and, but for 'test', `label`, strings. `usage` is 'train' (the default), 'dev' or 'test'. The
    rest is as for `PennTreebankDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/dev.tsv", "w").write("sentence\\tlabel\\na fine one \\t1\\n")
        ...     [[str(value) for value in row] for row in ds.SST2Dataset(folder, "dev")]
        [['a fine one ', '1']]
    """

    usages, named = ("test", "dev", "train"), "{}.tsv"

    def read_columns(self) -> list[str]:
        """The names of the columns."""
        return ["sentence"] if self.usage == "test" else ["sentence", "label"]

    def read(self, path: str) -> Iterator[Row]:
        """The rows of a file below its head; sentences of tests have a number before them."""
        for (line,) in islice(super().read(path), 1, None):
            values = str(line).split("\t")
            if len(values) != 2:
                raise CorruptFile(f"{path}: a row should have two values, but it is {values}")
            yield tuple(map(np.asarray, values[1:] if self.usage == "test" else values))


class _Table(CSVDataset):
    """The tables `train.csv` and `test.csv` of a folder, whose columns have no names in the file."""

    columns_named: ClassVar[tuple[str, ...]]

    def __init__(
        self, dataset_dir: str, usage: str | None = None, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: Any = Shuffle.GLOBAL, num_shards: int | None = None,
        shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            _files(self, dataset_dir, usage, ("train", "test", "all"), "{}.csv"), column_names=self.columns_named,
            num_samples=num_samples, num_parallel_workers=num_parallel_workers, shuffle=shuffle,
            num_shards=num_shards, shard_id=shard_id,
        )  # fmt: skip


class AGNewsDataset(_Table):
    """News of four classes, from the files `train.csv` and `test.csv`.

    Columns: `index` (the class), `title` and `description`, strings.

    Args:
        dataset_dir: the folder of the files.
        usage: 'train', 'test' or 'all' (the default).
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as for `TextFileDataset`.

    Raises:
        ValueError: if there is no such folder or usage. RuntimeError: if it has no such file, or a row has too many or
            too few values. TypeError: for arguments of the wrong kind.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test.csv", "w").write('"3","Rain","It rains, again."\\n')
        ...     [[str(value) for value in row] for row in ds.AGNewsDataset(folder, "test")]
        [['3', 'Rain', 'It rains, again.']]
    """

    columns_named = ("index", "title", "description")


class AmazonReviewDataset(_Table):
    """Reviews of goods, with what their writers gave.

    Columns: `label`, `title` and `content`, strings. The rest is as for `AGNewsDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test.csv", "w").write('2,Good,"Well, fine"\\n')
        ...     [str(row[-1]) for row in ds.AmazonReviewDataset(folder, "test")]
        ['Well, fine']
    """

    columns_named = ("label", "title", "content")


class DBpediaDataset(_Table):
    """Articles of an encyclopedia, of fourteen classes.

    Columns: `class`, `title` and `content`, strings. The rest is as for `AGNewsDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test.csv", "w").write('9,Oak,"A tree"\\n')
        ...     [str(row[-1]) for row in ds.DBpediaDataset(folder, "test")]
        ['A tree']
    """

    columns_named = ("class", "title", "content")


class SogouNewsDataset(_Table):
    """Chinese news of five classes, in Latin letters.

    Columns: `index`, `title` and `content`, strings. The rest is as for `AGNewsDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test.csv", "w").write('1,ti3yu4,"bi3 sai4"\\n')
        ...     [str(row[-1]) for row in ds.SogouNewsDataset(folder, "test")]
        ['bi3 sai4']
    """

    columns_named = ("index", "title", "content")


class YahooAnswersDataset(_Table):
    """Questions of ten classes, with their best answers.

    Columns: `class`, `title`, `content` and `answer`, strings. The rest is as for `AGNewsDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test.csv", "w").write('5,Why?,,"So it is"\\n')
        ...     [str(row[-1]) for row in ds.YahooAnswersDataset(folder, "test")]
        ['So it is']
    """

    columns_named = ("class", "title", "content", "answer")


class YelpReviewDataset(_Table):
    """Reviews of places, with what their writers gave.

    Columns: `label` and `text`, strings. The rest is as for `AGNewsDataset`.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test.csv", "w").write('1,"Too loud, too cold"\\n')
        ...     [str(row[-1]) for row in ds.YelpReviewDataset(folder, "test")]
        ['Too loud, too cold']
    """

    columns_named = ("label", "text")


class IMDBDataset(FilesOfClasses):
    """Reviews of films, good and bad, from the folders `train/pos`, `train/neg`, `test/pos` and `test/neg`.

    Columns: `text`, a string, and `label`, int32 of shape (): 1 for good reviews, which come first, and 0 for
    bad ones.

    Args:
        dataset_dir: the folder of the folders.
        usage: 'train', 'test' or 'all' (the default).
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as for `MnistDataset`.

    Raises:
        ValueError: if there is no such folder or usage. RuntimeError: if it has no reviews. TypeError: for arguments
            of the wrong kind. DamagedFileError: if a file is no UTF-8 text.

    Examples:
        >>> import os, tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for kind in ("neg", "pos"):
        ...         os.makedirs(f"{folder}/test/{kind}")
        ...         _ = open(f"{folder}/test/{kind}/0_5.txt", "w").write(f"a {kind} one")
        ...     [(str(text), int(label)) for text, label in ds.IMDBDataset(folder, "test", shuffle=False)]
        [('a pos one', 1), ('a neg one', 0)]
    """

    def __init__(
        self, dataset_dir: str, usage: str | None = None, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: bool | None = None, sampler: Any = None,
        num_shards: int | None = None, shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        self.dataset_dir, self.usage = check_folder(dataset_dir), check_usage(usage)
        super().__init__(("text", "label"), num_samples, shuffle, sampler, num_shards, shard_id)

    @cached_property
    def files(self) -> list[tuple[str, int]]:
        """The files and their classes."""
        kinds = ("train", "test") if self.usage == "all" else (self.usage,)
        folders = [
            (os.path.join(self.dataset_dir, kind, name), label)
            for kind in kinds
            for name, label in (("pos", 1), ("neg", 0))
        ]
        found = [
            (os.path.join(folder, name), label)
            for folder, label in folders
            if os.path.isdir(folder)
            for name in sorted(os.listdir(folder))
            if name.endswith(".txt")
        ]
        if not found:
            raise RuntimeError(f"IMDBDataset: there are no reviews in the folders {[folder for folder, _ in folders]}")
        return found

    def item(self, index: int) -> Row:
        """A review and its class."""
        path, label = self.files[index]
        with reading(path), open(path, encoding="utf-8", newline="\n") as file:
            return np.asarray(file.read().removesuffix("\n")), np.asarray(label, np.int32)


_PAIRS = "sentence1 sentence2 +label -id"
_CLUE: dict[str, str] = {
    "AFQMC": _PAIRS,
    "CMNLI": _PAIRS,
    "TNEWS": "keywords sentence +label +label_desc -id",
    "IFLYTEK": "sentence +label +label_des -id",
    "CSL": "abst id keyword +label",
    "WSC": "idx span1_index span1_text span2_index span2_text text +label",
}
"""The columns of each task. Those with + are not in files of usage 'test', those with - only there."""


class CLUEDataset(TextFileDataset):
    """Rows of files of the benchmark CLUE, with an object of JSON in each line.

    Columns: the members of the objects that the task has, in the order of their names: ints as uint32, strings and
    lists of strings. Those of an object `target` count as members.

    Args:
        dataset_files: a file, or a list of files or patterns.
        task: 'AFQMC', 'CMNLI', 'CSL', 'IFLYTEK', 'TNEWS' or 'WSC'.
        usage: 'train', 'test' or 'eval'; files for tests have ids in place of labels.
        num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache: as for `TextFileDataset`.

    Raises:
        ValueError: for an unknown task or usage, or if a pattern matches no file. RuntimeError: if a line is no such
            object. TypeError: for arguments of the wrong kind. DamagedFileError: if a file is no UTF-8 text.

    Examples:
        >>> from mycel import dataset as ds
        >>> with open("train.json", "w") as file:
        ...     _ = file.write('{"sentence": "a game", "label": "3", "label_des": "games"}')
        >>> rows = ds.CLUEDataset("train.json", "IFLYTEK")
        >>> rows.get_col_names(), [str(part) for row in rows for part in row]
        (['label', 'label_des', 'sentence'], ['3', 'games', 'a game'])
    """

    def __init__(
        self, dataset_files: Any, task: str = "AFQMC", usage: str = "train", num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: Any = Shuffle.GLOBAL, num_shards: int | None = None,
        shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        if task not in _CLUE:
            raise ValueError(f"'task' should be one of {sorted(_CLUE)}, but got {task!r}")
        if usage not in ("train", "test", "eval"):
            raise ValueError(f"'usage' should be 'train', 'test' or 'eval', but got {usage!r}")
        self.task, self.usage = task, usage
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    def read_columns(self) -> list[str]:
        """The names of the task's columns."""
        unwanted = "+" if self.usage == "test" else "-"
        return sorted(name.lstrip("+-") for name in _CLUE[self.task].split() if not name.startswith(unwanted))

    def read(self, path: str) -> Iterator[Row]:
        """The rows of a file."""
        for (text,) in super().read(path):
            try:
                found = json.loads(str(text))
                found |= found.get("target", {})
                values = [found[name] for name in self.read_columns()]
            except (ValueError, TypeError, AttributeError) as error:
                raise RuntimeError(f"{path}: the line {text} is no object of JSON: {error}") from None
            except KeyError as error:
                raise RuntimeError(f"{path}: task {self.task} needs {error}, but a line has {sorted(found)}") from None
            yield tuple(np.asarray(value, np.uint32 if isinstance(value, int) else None) for value in values)

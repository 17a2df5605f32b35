"""Corpora: well-known data sets of texts with classes, in the files that their authors publish."""

from __future__ import annotations

import glob
import os
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...saving.wire import reading
from ..rows import Row
from ..samplers import Shuffle
from ..sources import FilesOfClasses, check_folder, check_usage
from .files import CSVDataset


class _Table(CSVDataset):
    """The tables `train.csv` and `test.csv` of a folder, whose columns have no names in the file."""

    columns_named: ClassVar[tuple[str, ...]]

    def __init__(
        self, dataset_dir: str, usage: str | None = None, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: Any = Shuffle.GLOBAL, num_shards: int | None = None,
        shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        self.dataset_dir, self.usage = check_folder(dataset_dir), check_usage(usage)
        kinds = ("test", "train") if self.usage == "all" else (self.usage,)
        found = [path for kind in kinds if os.path.isfile(path := os.path.join(dataset_dir, f"{kind}.csv"))]
        if not found:
            wanted = " or ".join(f"{kind}.csv" for kind in kinds)
            raise RuntimeError(f"{type(self).__name__}: there is no file {wanted} in the folder {self.dataset_dir}")
        super().__init__(
            [glob.escape(path) for path in found], column_names=self.columns_named, num_samples=num_samples,
            num_parallel_workers=num_parallel_workers, shuffle=shuffle, num_shards=num_shards, shard_id=shard_id,
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

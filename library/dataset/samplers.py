"""Samplers: which rows of a random-access source a pass visits, in which order."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from . import config

MOST_SAMPLES = 2**63 - 1
DEFAULT_SEED = 5489  # of shards, which several processes shuffle alike without having agreed on a seed


class Shuffle(str, enum.Enum):
    """How the rows of files are put into random order: all of them, the files, or the rows inside of each file."""

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"


def check_int(value: Any, name: str) -> int:
    """An int that is no bool; TypeError names the argument."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"'{name}' should be an int, but got {value!r}, a {type(value).__name__}")
    return int(value)


def check_samples(value: Any) -> int | None:
    """A number of rows, None for all of them, which 0 means as well."""
    if value is None:
        return None
    count = check_int(value, "num_samples")
    if not 0 <= count <= MOST_SAMPLES:
        raise ValueError(f"'num_samples' should be between 0 and {MOST_SAMPLES} (INT64_MAX), but got {count}")
    return count or None


def shard_generator(epoch: int) -> np.random.Generator:
    """The generator of a pass that is the same for every shard."""
    seed = config.get_seed()
    return np.random.default_rng([DEFAULT_SEED if seed is None else seed, epoch])


class BuiltinSampler:
    """Base of all samplers.

    Args:
        num_samples: how many rows a pass visits at most; None or 0 for all.
    """

    shuffles = False
    shards = False

    def __init__(self, num_samples: int | None = None) -> None:
        self.num_samples = check_samples(num_samples)
        self.child_sampler: BuiltinSampler | None = None

    def indices(self, size: int) -> Sequence[int]:
        """The rows to visit of `size` rows."""
        raise NotImplementedError(f"{type(self).__name__} should define indices()")

    def count(self, size: int) -> int:
        """How many rows of `size` rows are visited, found without drawing numbers."""
        return self._limited(size)

    def _limited(self, count: int) -> int:
        return count if self.num_samples is None else min(count, self.num_samples)

    def order(self, size: int) -> list[int]:
        """The rows to visit of a source of this size, or of the rows of the child sampler, if there is one."""
        if self.child_sampler is None:
            found = [int(index) for index in self.indices(size)]
            inside = size
        else:
            visited = self.child_sampler.order(size)
            found = [int(index) for index in self.indices(len(visited))]
            inside = len(visited)
        for index in found:
            if not 0 <= index < inside:
                raise RuntimeError(
                    f"{type(self).__name__}: the row index {index} is out of range: there are {inside} rows"
                )
        if self.num_samples is not None:
            found = found[: self.num_samples]
        return found if self.child_sampler is None else [visited[index] for index in found]

    def total(self, size: int) -> int:
        """How many rows of a source of this size are visited."""
        return self.count(size if self.child_sampler is None else self.child_sampler.total(size))

    def add_child(self, sampler: BuiltinSampler | None) -> None:
        """Let this sampler choose among the rows that another one visits.

        Raises:
            RuntimeError: if there is a child already.
        """
        if self.child_sampler is not None:
            raise RuntimeError("this sampler has a child already; add the new one to that child")
        self.child_sampler = sampler

    def get_child(self) -> BuiltinSampler | None:
        """The sampler among whose rows this one chooses."""
        return self.child_sampler

    def get_num_samples(self) -> int | None:
        """How many rows are visited at most; None for all."""
        below = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        found = [count for count in (self.num_samples, below) if count is not None]
        return min(found) if found else None

    def is_shuffled(self) -> bool:
        """Whether the order is random, by this sampler or its child."""
        return self.shuffles or (self.child_sampler is not None and self.child_sampler.is_shuffled())

    def is_sharded(self) -> bool:
        """Whether only a shard is visited, by this sampler or its child."""
        return self.shards or (self.child_sampler is not None and self.child_sampler.is_sharded())


class Sampler(BuiltinSampler):
    """Base of one's own samplers: subclass it and give indices from `__iter__`, which finds `self.dataset_size`.

    Args:
        num_samples: how many rows a pass visits at most; None for all.

    Examples:
        >>> from mycel import dataset as ds
        >>> class Backwards(ds.Sampler):
        ...     def __iter__(self):
        ...         yield from range(self.dataset_size - 1, -1, -1)
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], sampler=Backwards())]
        [7, 6, 5]
    """

    def __init__(self, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.dataset_size = self.num_rows = 0

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} should define __iter__")

    def indices(self, size: int) -> Sequence[int]:
        """The items of `__iter__`."""
        self.dataset_size = self.num_rows = size
        return [int(index) for index in self]

    def count(self, size: int) -> int:
        """How many indices `__iter__` gives."""
        return self._limited(len(self.indices(size)))


class IterSampler(Sampler):
    """Rows at the indices that an iterable gives.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], sampler=ds.IterSampler([2, 0]))]
        [7, 5]
    """

    def __init__(self, sampler: Any, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.sampler = sampler

    def __iter__(self) -> Iterator[int]:
        return iter(self.sampler)


class SequentialSampler(BuiltinSampler):
    """Rows in order, from `start_index`.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], sampler=ds.SequentialSampler(1))]
        [6, 7]
    """

    def __init__(self, start_index: int | None = None, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        self.start_index = 0 if start_index is None else check_int(start_index, "start_index")

    def indices(self, size: int) -> Sequence[int]:
        """The rows from the first one on."""
        if not 0 <= self.start_index < max(size, 1):
            raise RuntimeError(
                f"SequentialSampler: 'start_index' {self.start_index} is out of range: there are {size} rows"
            )
        return range(self.start_index, size)

    def count(self, size: int) -> int:
        """How many rows there are from the first one on."""
        return self._limited(len(self.indices(size)))


class RandomSampler(BuiltinSampler):
    """Rows in random order, or drawn with replacement.

    Examples:
        >>> from mycel import dataset as ds
        >>> sorted(int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], sampler=ds.RandomSampler()))
        [5, 6, 7]
    """

    shuffles = True

    def __init__(
        self, replacement: bool = False, num_samples: int | None = None, shuffle: Shuffle = Shuffle.GLOBAL
    ) -> None:
        need_type(replacement, bool, "'replacement' should be a bool", repr)
        super().__init__(num_samples)
        self.replacement = replacement

    def indices(self, size: int) -> Sequence[int]:
        """Rows as they are drawn."""
        if self.replacement:
            return config.generator().integers(0, size, self._limited(size)).tolist()
        return config.generator().permutation(size).tolist()


class SubsetSampler(BuiltinSampler):
    """The rows at `indices`, in their order.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], sampler=ds.SubsetSampler([2, 0]))]
        [7, 5]
    """

    def __init__(self, indices: Any, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        given = list(indices) if hasattr(indices, "__iter__") else [indices]
        for position, index in enumerate(given):
            if isinstance(index, bool) or not isinstance(index, (int, np.integer)):
                raise TypeError(
                    f"{type(self).__name__}: an index should be an int, but 'indices[{position}]' is {index!r}, a "
                    f"{type(index).__name__}"
                )
        self.subset = [int(index) for index in given]

    def indices(self, size: int) -> Sequence[int]:
        """The rows given."""
        return self.subset

    def count(self, size: int) -> int:
        """How many rows are given."""
        return self._limited(len(self.subset))

    def get_num_samples(self) -> int | None:
        """How many rows are visited at most."""
        below = super().get_num_samples()
        return len(self.subset) if below is None else min(len(self.subset), below)


class SubsetRandomSampler(SubsetSampler):
    """The rows at `indices`, in random order.

    Examples:
        >>> from mycel import dataset as ds
        >>> sorted(int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], sampler=ds.SubsetRandomSampler([2, 0])))
        [5, 7]
    """

    shuffles = True

    def indices(self, size: int) -> Sequence[int]:
        """The rows given, in another order each time."""
        return [self.subset[position] for position in config.generator().permutation(len(self.subset))]


class DistributedSampler(BuiltinSampler):
    """Every `num_shards`-th row; every shard gets equally many, so that the last ones may start over.

    Args:
        num_shards, shard_id: how many shards, and which of them.
        shuffle: whether the rows are put into random order first, the same in every shard, another in every pass.
        num_samples: how many rows a pass visits at most.
        offset: the shard that gets the first row; without it rows are not visited twice to make shards equal. -1 for
            equal shards.

    Examples:
        >>> from mycel import dataset as ds
        >>> [int(row[0]) for row in ds.NumpySlicesDataset(range(7), sampler=ds.DistributedSampler(3, 1, shuffle=False))]
        [1, 4, 0]
    """

    shards = True

    def __init__(
        self, num_shards: int, shard_id: int, shuffle: Any = True, num_samples: int | None = None, offset: int = -1
    ) -> None:
        super().__init__(num_samples)
        need_type(shuffle, bool | Shuffle, "'shuffle' should be a bool or a Shuffle", repr)
        self.num_shards, self.shard_id = check_int(num_shards, "num_shards"), check_int(shard_id, "shard_id")
        if self.num_shards < 1:
            raise RuntimeError(f"DistributedSampler: 'num_shards' should be positive, but got {num_shards}")
        if not 0 <= self.shard_id < self.num_shards:
            raise RuntimeError(
                f"DistributedSampler: 'shard_id' should be from 0 to {self.num_shards - 1}, but got {shard_id}"
            )
        self.offset = check_int(offset, "offset")
        if self.offset >= self.num_shards:
            raise RuntimeError(f"DistributedSampler: 'offset' should be below 'num_shards', but got {offset}")
        self.shuffles = shuffle is True or (isinstance(shuffle, Shuffle) and shuffle is not Shuffle.FALSE)
        self.epoch = 0

    def set_offset(self, offset: int) -> None:
        """Choose the shard that gets the first row."""
        self.offset = check_int(offset, "offset")

    def indices(self, size: int) -> Sequence[int]:
        """The rows of this shard."""
        if not size:
            return []
        order: Sequence[int] = range(size)
        if self.shuffles:
            order = shard_generator(self.epoch).permutation(size).tolist()
            self.epoch += 1
        return [order[position % size] for position in self._positions(size)]

    def _positions(self, size: int) -> range:
        if self.offset < 0:
            return range(self.shard_id, self.num_shards * -(-size // self.num_shards), self.num_shards)
        return range((self.shard_id - self.offset) % self.num_shards, size, self.num_shards)

    def count(self, size: int) -> int:
        """How many rows this shard has."""
        return self._limited(len(self._positions(size)))


class PKSampler(BuiltinSampler):
    """`num_val` rows of each class, class after class; a class of fewer rows starts over.

    Args:
        num_val: how many rows of each class.
        num_class: not supported, as in MindSpore.
        shuffle: whether the classes come in random order.
        class_column: the column that holds the class, for sources that have to be asked.
        num_samples: how many rows a pass visits at most.

    Examples:
        >>> from mycel import dataset as ds
        >>> data = ds.NumpySlicesDataset({"label": [0, 1, 0]}, sampler=ds.PKSampler(1))
        >>> [int(row[0]) for row in data]
        [0, 1]
    """

    def __init__(
        self, num_val: int, num_class: int | None = None, shuffle: bool = False, class_column: str = "label",
        num_samples: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_samples)
        self.num_val = check_int(num_val, "num_val")
        if self.num_val < 1:
            raise RuntimeError(f"PKSampler: 'num_val' should be positive, but got {num_val}")
        if num_class is not None:
            raise NotImplementedError("PKSampler does not support 'num_class': it takes all classes; leave it out")
        need_type(shuffle, bool, "'shuffle' should be a bool", repr)
        self.shuffles, self.class_column = shuffle, class_column
        self.classes: dict[Any, list[int]] = {}

    def know(self, classes: Sequence[Any]) -> None:
        """Take the class of each row."""
        self.classes = {}
        for index, label in enumerate(classes):
            self.classes.setdefault(label, []).append(index)

    def indices(self, size: int) -> Sequence[int]:
        """The rows of each class."""
        if not self.classes:
            raise RuntimeError("PKSampler needs a source whose rows are known to be of classes, as MnistDataset")
        labels = sorted(self.classes)
        if self.shuffles:
            labels = [labels[position] for position in config.generator().permutation(len(labels))]
        rows = (self.classes[label] for label in labels)
        return [found[position % len(found)] for found in rows for position in range(self.num_val)]

    def count(self, size: int) -> int:
        """How many rows all classes give."""
        return self._limited(self.num_val * len(self.classes))


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn in proportion to `weights`, one for each of the first rows.

    Examples:
        >>> from mycel import dataset as ds
        >>> sampler = ds.WeightedRandomSampler([0.0, 1.0, 0.0], 2)
        >>> [int(row[0]) for row in ds.NumpySlicesDataset([5, 6, 7], sampler=sampler)]
        [6, 6]
    """

    shuffles = True

    def __init__(self, weights: Sequence[float], num_samples: int | None = None, replacement: bool = True) -> None:
        super().__init__(num_samples)
        given = list(weights) if hasattr(weights, "__iter__") else [weights]
        for position, weight in enumerate(given):
            if not isinstance(weight, (int, float, np.number)):
                raise TypeError(
                    f"WeightedRandomSampler: a weight should be a number, but 'weights[{position}]' is {weight!r}, a "
                    f"{type(weight).__name__}"
                )
        need_type(replacement, bool, "'replacement' should be a bool", repr)
        self.weights = np.asarray(given, np.float64)
        if (self.weights < 0).any() or not self.weights.any():
            raise RuntimeError(
                "WeightedRandomSampler: 'weights' should be numbers that are not negative, and not all zero"
            )
        self.replacement = replacement

    def indices(self, size: int) -> Sequence[int]:
        """Rows as they are drawn."""
        if len(self.weights) > size:
            raise RuntimeError(f"WeightedRandomSampler: there are {len(self.weights)} weights, but {size} rows")
        count = self._limited(size)
        chances = self.weights / self.weights.sum()
        if self.replacement:
            return config.generator().choice(len(chances), count, True, chances).tolist()
        if count > len(chances):
            raise RuntimeError(
                f"WeightedRandomSampler: {count} rows cannot be drawn without replacement with {len(chances)} weights"
            )
        # Of the weights that are zero come the last rows, when the others are used up.
        keys = config.generator().exponential(size=len(chances))
        with np.errstate(divide="ignore"):
            return np.argsort(np.where(chances > 0, keys / chances, np.inf), kind="stable")[:count].tolist()


def sampler_of(given: Any) -> BuiltinSampler | None:
    """A sampler for a dataset's `sampler` argument, which is a sampler or a sequence of indices."""
    if given is None or isinstance(given, BuiltinSampler):
        return given
    if isinstance(given, (list, tuple, range, np.ndarray)):
        return SubsetSampler(given)
    if hasattr(given, "__iter__"):
        return IterSampler(given)
    raise TypeError(f"'sampler' should be a Sampler or a sequence of indices, but got {type(given).__name__}")


def check_shards(num_shards: Any, shard_id: Any, error: type[Exception] = RuntimeError) -> tuple[int, int] | None:
    """How many shards and which of them; None for everything.

    Raises:
        TypeError: if one is no int. ValueError: if `shard_id` is out of range. `error`: if only one is given.
    """
    if num_shards is None and shard_id is None:
        return None
    if num_shards is None or shard_id is None:
        missing = "shard_id" if shard_id is None else "num_shards"
        raise error(f"'num_shards' and 'shard_id' go together: '{missing}' is not given")
    count, which = check_int(num_shards, "num_shards"), check_int(shard_id, "shard_id")
    if count < 1:
        raise ValueError(f"'num_shards' should be positive, but got {count}")
    if not 0 <= which < count:
        raise ValueError(f"'shard_id' should be from 0 to {count - 1}, but got {which}")
    return count, which


def select_sampler(
    num_samples: Any, sampler: Any, shuffle: Any, num_shards: Any, shard_id: Any, error: type[Exception] = RuntimeError
) -> BuiltinSampler:
    """The sampler that a source's arguments ask for.

    Raises:
        TypeError: for arguments of the wrong kind. ValueError: for numbers out of range.
        `error`: if `sampler` is given beside what would make another one.
    """
    samples = check_samples(num_samples)
    if shuffle is not None and not isinstance(shuffle, (bool, Shuffle)):
        raise TypeError(f"'shuffle' should be a bool, but got {shuffle!r}, a {type(shuffle).__name__}")
    shards = check_shards(num_shards, shard_id, error)
    found = sampler_of(sampler)
    if found is not None:
        for name, given in (("shuffle", shuffle), ("num_shards", shards), ("num_samples", num_samples)):
            if given is not None:
                raise error(f"'sampler' and '{name}' should not be given at the same time")
        return found
    shuffled = shuffle in (None, True) or (isinstance(shuffle, Shuffle) and shuffle is not Shuffle.FALSE)
    if shards is not None:
        return DistributedSampler(*shards, shuffle=shuffled, num_samples=samples)
    return RandomSampler(num_samples=samples) if shuffled else SequentialSampler(num_samples=samples)

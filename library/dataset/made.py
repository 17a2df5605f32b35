"""Rows that are made up, for tests of pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from . import config
from .readers import Schema
from .rows import Row
from .sources import MappableDataset

_ROWS = 100  # rows, if no number is given
_SIZE = 8  # the largest size that a shape leaves open


def _positive(value: Any, name: str) -> int:
    need_type(value, int, f"'{name}' should be an int")
    if value < 1:
        raise ValueError(f"'{name}' should be positive, but got {value}")
    return int(value)


class RandomDataset(MappableDataset):
    """Rows of random bytes, in the dtypes and shapes of a schema.

    Args:
        total_rows: how many rows; None or 0: 100.
        schema: a `Schema` or the file of one; None: two columns of uint8.
        columns_list: which columns; None: all.
        num_samples, num_parallel_workers, cache, shuffle, num_shards, shard_id: as for `MnistDataset`.

    Raises:
        TypeError: for arguments of the wrong kind. ValueError: if `total_rows` is negative, or a column is not in
            the schema.

    Examples:
        >>> import mycel as ms
        >>> from mycel import dataset as ds
        >>> schema = ds.Schema()
        >>> schema.add_column("image", ms.uint8, [2, 3])
        >>> [row[0].shape for row in ds.RandomDataset(2, schema)]
        [(2, 3), (2, 3)]
    """

    def __init__(
        self, total_rows: int | None = None, schema: Any = None, columns_list: Sequence[str] | None = None,
        num_samples: int | None = None, num_parallel_workers: int | None = None, cache: Any = None,
        shuffle: bool | None = None, num_shards: int | None = None, shard_id: int | None = None,
    ) -> None:  # fmt: skip
        config.check_workers(num_parallel_workers)
        self.total = _positive(total_rows, "total_rows") if total_rows else _ROWS
        if schema is None:
            schema = Schema()
            for name in ("c0", "c1"):
                schema.add_column(name, "uint8", [_SIZE])
        elif not isinstance(schema, Schema):
            schema = Schema(schema)
        columns = {column["name"]: column for column in schema.columns}
        names = list(columns if columns_list is None else columns_list)
        for name in names:
            if name not in columns:
                raise ValueError(f"RandomDataset: the schema has no column {name!r}, but {list(columns)}")
        super().__init__(names, num_samples, shuffle, None, num_shards, shard_id)
        draws = config.generator()
        self.parts = [self._part(columns[name], draws) for name in names]
        self.seed = int(draws.integers(2**31))

    @staticmethod
    def _part(column: dict[str, Any], draws: np.random.Generator) -> tuple[np.dtype[Any], tuple[int, ...]]:
        """The dtype and shape of a column; sizes that are open are drawn."""
        shape = column.get("shape", [-1] * column["rank"])
        return np.dtype(column["type"]), tuple(int(draws.integers(1, _SIZE + 1)) if n < 0 else n for n in shape)

    def size(self) -> int:
        """How many rows there are."""
        return self.total

    def item(self, index: int) -> Row:
        """A row, the same at each visit."""
        draws = np.random.default_rng((self.seed, index))
        return tuple(
            np.full(shape, draws.integers(2, dtype=np.uint8), bool) if kind.kind == "b"
            else np.frombuffer(draws.bytes(int(np.prod(shape)) * kind.itemsize), kind).reshape(shape).copy()
            for kind, shape in self.parts
        )  # fmt: skip


class FakeImageDataset(MappableDataset):
    """Random images of random classes.

    Columns: `image`, uint8 of shape `image_size`, and `label`, uint32 of shape ().

    Args:
        num_images: how many images.
        image_size: height, width, channels.
        num_classes: labels are below it.
        base_seed: another seed makes other images.
        num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as for `MnistDataset`.

    Raises:
        TypeError: for arguments of the wrong kind. ValueError: if a number is not positive.

    Examples:
        >>> from mycel import dataset as ds
        >>> [image.shape for image, label in ds.FakeImageDataset(2, (4, 4, 3))]
        [(4, 4, 3), (4, 4, 3)]
    """

    def __init__(
        self, num_images: int = 1000, image_size: tuple[int, int, int] = (224, 224, 3), num_classes: int = 10,
        base_seed: int = 0, num_samples: int | None = None, num_parallel_workers: int | None = None,
        shuffle: bool | None = None, sampler: Any = None, num_shards: int | None = None, shard_id: int | None = None,
        cache: Any = None,
    ) -> None:  # fmt: skip
        config.check_workers(num_parallel_workers)
        need_type(image_size, list | tuple, "'image_size' should be three ints")
        if len(image_size) != 3:
            raise ValueError(f"'image_size' should be three ints, but got {image_size}")
        self.images = _positive(num_images, "num_images")
        self.shape = tuple(_positive(size, "image_size") for size in image_size)
        self.classes_of_labels = _positive(num_classes, "num_classes")
        need_type(base_seed, int, "'base_seed' should be an int")
        if base_seed < 0:
            raise ValueError(f"'base_seed' should not be negative, but got {base_seed}")
        self.base_seed = base_seed
        super().__init__(["image", "label"], num_samples, shuffle, sampler, num_shards, shard_id)

    def size(self) -> int:
        """How many images there are."""
        return self.images

    def item(self, index: int) -> Row:
        """An image and its class."""
        draws = np.random.default_rng((self.base_seed, index))
        return draws.integers(256, size=self.shape, dtype=np.uint8), np.uint32(draws.integers(self.classes_of_labels))

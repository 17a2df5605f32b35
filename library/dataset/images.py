"""Sources of labelled images that read the files of well-known data sets, and folders of images."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from ...frontend.values.arguments import need_type
from ..saving.wire import CorruptFile, reading
from .rows import Row
from .sources import FilesOfClasses, MappableDataset, check_folder, check_usage
from .vision.formats import decoded

IMAGES_MAGIC, LABELS_MAGIC, INTS_MAGIC = 0x803, 0x801, 0xC02
CIFAR_SIDE = 32


class _Arrays(MappableDataset):
    """Rows of arrays that are read when the first row is asked for."""

    columns_named: tuple[str, ...] = ("image", "label")
    usages: tuple[str, ...] = ("train", "test", "all")

    def __init__(
        self, dataset_dir: str, usage: str | None = None, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: bool | None = None, sampler: Any = None,
        num_shards: int | None = None, shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        self.dataset_dir, self.usage = check_folder(dataset_dir), check_usage(usage, self.usages)
        super().__init__(self.columns_named, num_samples, shuffle, sampler, num_shards, shard_id)

    def read(self) -> tuple[np.ndarray, ...]:
        """The columns, whole."""
        raise NotImplementedError(f"{type(self).__name__} should define read()")

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, ...]:
        return self.read()

    def size(self) -> int:
        """How many images there are."""
        return len(self._arrays[0])

    def item(self, index: int) -> Row:
        """An image and its labels."""
        image, *labels = (array[index] for array in self._arrays)
        return (np.array(image), *map(np.asarray, labels))

    def classes(self, column: str) -> Sequence[Any]:
        """The class of each image."""
        return self._arrays[self.positions(column)[0]].tolist()

    def _files(self, wanted: Sequence[tuple[str, ...]]) -> list[str]:
        """The files whose names hold all words of one of the tuples, in the order of their names."""
        names = sorted(os.listdir(self.dataset_dir))
        found = [name for name in names if any(all(word in name for word in words) for words in wanted)]
        if not found:
            described = " or ".join("*".join(words) for words in wanted)
            raise RuntimeError(
                f"{type(self).__name__}: there is no file {described} in the folder {self.dataset_dir}; it has "
                f"{names[:8]}"
            )
        return [os.path.join(self.dataset_dir, name) for name in found]


class MnistDataset(_Arrays):
    """Handwritten digits, from the files `train-images-idx3-ubyte`, `train-labels-idx1-ubyte`, and `t10k-…`.

    Columns: `image`, uint8 of shape (28, 28, 1), and `label`, uint32 of shape ().

    Args:
        dataset_dir: the folder of the files.
        usage: 'train', 'test' or 'all' (the default: the test images first).
        num_samples: at most so many rows; None or 0 for all.
        num_parallel_workers, cache: accepted: rows are read in the caller's thread.
        shuffle: whether rows come in random order; None: they do.
        sampler: which rows to visit, in place of the other arguments.
        num_shards, shard_id: take one of `num_shards` shards of equal size.

    Raises:
        ValueError: if there is no such folder or usage. RuntimeError: if files are missing or damaged, or arguments
            exclude each other. TypeError: for arguments of the wrong kind.

    Examples:
        >>> import os, struct
        >>> from mycel import dataset as ds
        >>> os.makedirs("digits", exist_ok=True)
        >>> with open("digits/train-images-idx3-ubyte", "wb") as file:
        ...     _ = file.write(struct.pack(">4I", 2051, 2, 28, 28) + bytes(2 * 28 * 28))
        >>> with open("digits/train-labels-idx1-ubyte", "wb") as file:
        ...     _ = file.write(struct.pack(">2I", 2049, 2) + bytes([7, 3]))
        >>> rows = ds.MnistDataset("digits", "train", shuffle=False)
        >>> [(image.shape, int(label)) for image, label in rows]
        [((28, 28, 1), 7), ((28, 28, 1), 3)]
    """

    named_parts: Mapping[str, str] = MappingProxyType({"train": "train", "test": "t10k"})  # what names of files hold
    labels_end, labels_magic = "labels-idx1-ubyte", LABELS_MAGIC

    def read(self) -> tuple[np.ndarray, ...]:
        """The images and labels."""
        words = self.named_parts.values() if self.usage == "all" else [self.named_parts[self.usage]]
        images = self._files([(kind, "images-idx3-ubyte") for kind in words])
        labels = self._files([(kind, self.labels_end) for kind in words])
        if len(images) != len(labels):
            raise RuntimeError(f"MnistDataset: there are {len(images)} files of images, but {len(labels)} of labels")
        pairs = zip(images, labels, strict=True)
        parts = [(_read_idx(image, IMAGES_MAGIC), _read_idx(label, self.labels_magic)) for image, label in pairs]
        for (pixels, classes), name in zip(parts, images, strict=True):
            if len(pixels) != len(classes):
                raise RuntimeError(f"MnistDataset: {name} has {len(pixels)} images for {len(classes)} labels")
            if pixels.shape[1:] != parts[0][0].shape[1:]:
                raise RuntimeError(f"MnistDataset: the images of {name} and {images[0]} have different sizes")
        pixels = np.concatenate([part[0] for part in parts])[..., None]
        return pixels, np.concatenate([part[1] for part in parts]).astype(np.uint32)


class FashionMnistDataset(MnistDataset):
    """Images of clothing, in the file format, columns and arguments of `MnistDataset`.

    Examples:
        >>> from mycel import dataset as ds
        >>> issubclass(ds.FashionMnistDataset, ds.MnistDataset)
        True
    """


class KMnistDataset(MnistDataset):
    """Handwritten Japanese characters, in the file format, columns and arguments of `MnistDataset`.

    Examples:
        >>> from mycel import dataset as ds
        >>> issubclass(ds.KMnistDataset, ds.MnistDataset)
        True
    """


class EMnistDataset(MnistDataset):
    """Handwritten letters and digits, from the files `emnist-NAME-train-images-idx3-ubyte` and so on.

    Columns and arguments are those of `MnistDataset`; `name`, the second one, is 'byclass', 'bymerge', 'balanced',
    'letters', 'digits' or 'mnist'.

    Examples:
        >>> from mycel import dataset as ds
        >>> issubclass(ds.EMnistDataset, ds.MnistDataset)
        True
    """

    def __init__(self, dataset_dir: str, name: str, usage: str | None = None, *args: Any, **kwargs: Any) -> None:
        if name not in (names := ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")):
            raise ValueError(f"'name' should be one of {list(names)}, but got {name!r}")
        self.name = name
        self.named_parts = {kind: f"emnist-{name}-{kind}" for kind in ("train", "test")}
        super().__init__(dataset_dir, usage, *args, **kwargs)


class QMnistDataset(MnistDataset):
    """Handwritten digits with where they come from, from the files `qmnist-train-images-idx3-ubyte` and so on.

    Columns and arguments are those of `MnistDataset`. `usage` may be 'test10k' and 'test50k', too, the first 10,000
    test images and the others, and 'nist'. With `compat=False`, the third argument, labels have all eight numbers.

    Examples:
        >>> from mycel import dataset as ds
        >>> issubclass(ds.QMnistDataset, ds.MnistDataset)
        True
    """

    usages = ("train", "test", "test10k", "test50k", "nist", "all")
    named_parts = MappingProxyType({"train": "qmnist-train", "test": "qmnist-test", "nist": "xnist"})
    labels_end, labels_magic = "labels-idx2-int", INTS_MAGIC
    tested = 10_000  # images of 'test10k'

    def __init__(
        self, dataset_dir: str, usage: str | None = None, compat: bool = True, *args: Any, **kwargs: Any
    ) -> None:
        self.compat = need_type(compat, bool, "'compat' should be a bool")
        super().__init__(dataset_dir, usage, *args, **kwargs)

    def read(self) -> tuple[np.ndarray, ...]:
        """The images and labels."""
        usage, count = self.usage, self.tested
        self.usage = "test" if usage.startswith("test") else usage
        images, labels = super().read()
        self.usage = usage
        kept = {"test10k": slice(count), "test50k": slice(count, None)}.get(usage, slice(None))
        return images[kept], labels[kept, 0] if self.compat else labels[kept]


def _read_idx(path: str, magic: int) -> np.ndarray:
    """The array of an IDX file."""
    dims, dtype = magic & 255, np.dtype(">i4" if magic == INTS_MAGIC else "u1")
    start = 4 * (1 + dims)
    with reading(path), open(path, "rb") as file:
        head, size = file.read(start), os.fstat(file.fileno()).st_size
        if len(head) < start:
            raise CorruptFile("it is too short to be an IDX file")
        found, *shape = struct.unpack(f">{1 + dims}I", head)
        if found != magic:
            raise CorruptFile(f"it is no IDX file of {dims} dimensions: it starts with {found}, not {magic}")
        if size - start != math.prod(shape) * dtype.itemsize:
            raise CorruptFile(f"it should hold an array of shape {tuple(shape)}, but has {size - start} bytes")
        return np.frombuffer(file.read(), dtype).reshape(shape)


class Cifar10Dataset(_Arrays):
    """Small colour pictures of ten classes, from the binary files `data_batch_1.bin` … and `test_batch.bin`.

    Columns: `image`, uint8 of shape (32, 32, 3), and `label`, uint32 of shape (). Arguments and errors are those of
    `MnistDataset`; all images are those for training, then those for tests.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test_batch.bin", "wb").write(bytes(3073))
        ...     [image.shape for image, label in ds.Cifar10Dataset(folder, "test")]
        [(32, 32, 3)]
    """

    words: ClassVar[dict[str, tuple[str, ...]]] = {"train": ("data_batch",), "test": ("test_batch",)}
    label_bytes = 1

    def read(self) -> tuple[np.ndarray, ...]:
        """The images and labels."""
        kinds = ("train", "test") if self.usage == "all" else (self.usage,)
        files = self._files([(*self.words[kind], ".bin") for kind in kinds])
        length = self.label_bytes + 3 * CIFAR_SIDE**2
        blocks = []
        for path in files:
            with reading(path):
                raw = np.fromfile(path, np.uint8)
                if not len(raw) or len(raw) % length:
                    raise CorruptFile(f"it has {len(raw)} bytes, no multiple of the {length} that an image takes")
            blocks.append(raw.reshape(-1, length))
        whole = np.concatenate(blocks)
        pixels = whole[:, self.label_bytes :].reshape(-1, 3, CIFAR_SIDE, CIFAR_SIDE).transpose(0, 2, 3, 1)
        return (pixels, *(whole[:, column].astype(np.uint32) for column in range(self.label_bytes)))


class Cifar100Dataset(Cifar10Dataset):
    """Small colour pictures of a hundred classes, from the binary files `train.bin` and `test.bin`.

    Columns: `image`, uint8 of shape (32, 32, 3), `coarse_label` and `fine_label`, uint32 of shape (). Arguments and
    errors are those of `MnistDataset`; all images are those for tests, then those for training.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/test.bin", "wb").write(bytes(3074))
        ...     [row[0].shape for row in ds.Cifar100Dataset(folder, "test")]
        [(32, 32, 3)]
    """

    columns_named = ("image", "coarse_label", "fine_label")
    words: ClassVar[dict[str, tuple[str, ...]]] = {"train": ("train",), "test": ("test",)}
    label_bytes = 2


class ImageFolderDataset(FilesOfClasses):
    """Images of a folder that has one folder for each class.

    Columns: `image`, uint8: the bytes of the file in one dimension, or with `decode` the pixels of shape (height,
    width, 3); and `label`, int32 of shape (): the number of the class, in the order of the folders' names.

    Args:
        dataset_dir: the folder.
        num_samples: at most so many rows; None or 0 for all.
        num_parallel_workers, cache: accepted: rows are read in the caller's thread.
        shuffle: whether rows come in random order; None: they do.
        sampler: which rows to visit, in place of the other arguments.
        extensions: ends of the names of files to take, as ['.jpg']; None for all files.
        class_indexing: the number of each class; other folders are left out.
        decode: whether the pixels are wanted (needs Pillow: `pip install pillow`).
        num_shards, shard_id: take one of `num_shards` shards of equal size.
        decrypt: a function from a file's name to its bytes; None for files as they are.

    Raises:
        ValueError: if there is no such folder. RuntimeError: if it has no images, or no folder of a class.
        TypeError: for arguments of the wrong kind. ImportError: for `decode` without Pillow.

    Examples:
        >>> import os
        >>> from mycel import dataset as ds
        >>> for name in ("cat", "dog"):
        ...     os.makedirs(f"animals/{name}", exist_ok=True)
        ...     with open(f"animals/{name}/1.jpg", "wb") as file:
        ...         _ = file.write(b"not really an image")
        >>> rows = ds.ImageFolderDataset("animals", shuffle=False)
        >>> [(image.shape, int(label)) for image, label in rows]
        [((19,), 0), ((19,), 1)]
        >>> rows.get_class_indexing()
        {'cat': 0, 'dog': 1}
    """

    def __init__(
        self, dataset_dir: str, num_samples: int | None = None, num_parallel_workers: int | None = None,
        shuffle: bool | None = None, sampler: Any = None, extensions: Sequence[str] | None = None,
        class_indexing: dict[str, int] | None = None, decode: bool = False, num_shards: int | None = None,
        shard_id: int | None = None, cache: Any = None, decrypt: Any = None,
    ) -> None:  # fmt: skip
        self.dataset_dir = check_folder(dataset_dir)
        if extensions is not None and not (
            isinstance(extensions, (list, tuple)) and all(isinstance(end, str) for end in extensions)
        ):
            raise TypeError(f"'extensions' should be a list of strings, but got {extensions!r}")
        need_type(class_indexing, dict | None, "'class_indexing' should be a dict", repr)
        need_type(decode, bool, "'decode' should be a bool", repr)
        if decrypt is not None and not callable(decrypt):
            raise TypeError(f"'decrypt' should be a function, but got {decrypt!r}")
        super().__init__(("image", "label"), num_samples, shuffle, sampler, num_shards, shard_id)
        self.extensions, self.class_indexing, self.decode, self.decrypt = extensions, class_indexing, decode, decrypt

    def get_class_indexing(self) -> dict[str, int]:
        """The number of each class."""
        if self.class_indexing is not None:
            return dict(self.class_indexing)
        with os.scandir(self.dataset_dir) as entries:
            return {
                name: number for number, name in enumerate(sorted(entry.name for entry in entries if entry.is_dir()))
            }

    def num_classes(self) -> int:
        """How many classes there are."""
        return len(self.get_class_indexing())

    @cached_property
    def files(self) -> list[tuple[str, int]]:
        """The files and their classes."""
        found = []
        for name, number in sorted(self.get_class_indexing().items()):
            folder = os.path.join(self.dataset_dir, name)
            if not os.path.isdir(folder):
                raise RuntimeError(f"ImageFolderDataset: the class '{name}' has no folder in {self.dataset_dir}")
            for file in sorted(os.listdir(folder)):
                wanted = self.extensions is None or file.endswith(tuple(self.extensions))
                if wanted and os.path.isfile(os.path.join(folder, file)):
                    found.append((os.path.join(folder, file), number))
        if not found:
            ends = f" with the ends {list(self.extensions)}" if self.extensions else ""
            raise RuntimeError(f"ImageFolderDataset: there are no images{ends} in the folders of {self.dataset_dir}")
        return found

    def item(self, index: int) -> Row:
        """An image and the number of its class."""
        path, number = self.files[index]
        if self.decrypt is not None:
            raw = np.frombuffer(self.decrypt(path), np.uint8).copy()
        else:
            raw = np.fromfile(path, np.uint8)
        image = np.array(decoded(raw.tobytes(), name=path)) if self.decode else raw
        return image, np.asarray(number, np.int32)

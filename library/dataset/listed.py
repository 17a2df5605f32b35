"""Images that a text file lists, with what is said of each: CelebA, Flickr, and manifests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ..saving.wire import reading
from . import config
from .rows import Row
from .sources import MappableDataset, check_folder, check_usage
from .vision.formats import decoded


def _lines(path: str) -> list[str]:
    """The lines of a text file, without empty ones. RuntimeError if there is no such file."""
    if not os.path.isfile(path):
        raise RuntimeError(f"there is no file {path}")
    with reading(path), open(path, encoding="utf-8") as file:
        return [line for line in file.read().split("\n") if line.strip()]


class _Listed(MappableDataset):
    """Images of files and a second column; sources set `listed` to pairs of these."""

    listed: list[tuple[str, np.ndarray]]
    decrypt: Callable[[str], bytes] | None = None

    def __init__(self, second: str, decode: Any, workers: Any, *more: Any) -> None:
        config.check_workers(workers)
        need_type(decode, bool, "'decode' should be a bool", repr)
        self.decode = decode
        super().__init__(["image", second], *more)

    def size(self) -> int:
        """How many images there are."""
        return len(self.listed)

    def item(self, index: int) -> Row:
        """An image, the bytes of its file or decoded, and what is said of it."""
        path, second = self.listed[index]
        if self.decrypt is None and not os.path.isfile(path):
            raise RuntimeError(f"{type(self).__name__}: there is no file {path}")
        read = self.decrypt
        raw = np.fromfile(path, np.uint8) if read is None else np.frombuffer(read(path), np.uint8).copy()
        return (np.array(decoded(raw.tobytes(), name=path)) if self.decode else raw), second


class CelebADataset(_Listed):
    """Faces with attributes: the files `list_attr_celeba.txt`, `list_eval_partition.txt` and those of images.

    Columns: `image`, uint8: the bytes of the file, or with `decode` the pixels; `attr`, uint32: 1 for each attribute
    that the face has.

    Args:
        dataset_dir: the folder of these files; images may stand in `img_align_celeba` in it.
        usage: 'train', 'valid', 'test' or 'all'.
        extensions: which ends the names of images may have; None: any.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache, decrypt: as for
            `ImageFolderDataset`.

    Raises:
        ValueError: if there is no such folder or usage. RuntimeError: if a file is missing or is no such list.
        TypeError: for arguments of the wrong kind. ImportError: for `decode` without Pillow.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/list_attr_celeba.txt", "w").write("1\\nBald Young\\n1.jpg -1 1\\n")
        ...     _ = open(f"{folder}/1.jpg", "w").write("...")
        ...     [attributes.tolist() for image, attributes in ds.CelebADataset(folder)]
        [[0, 1]]
    """

    def __init__(
        self, dataset_dir: str, num_parallel_workers: int | None = None, shuffle: bool | None = None,
        usage: str = "all", sampler: Any = None, decode: bool = False, extensions: Any = None,
        num_samples: int | None = None, num_shards: int | None = None, shard_id: int | None = None, cache: Any = None,
        decrypt: Callable[[str], bytes] | None = None,
    ) -> None:  # fmt: skip
        folder = check_folder(dataset_dir)
        usages = ("train", "valid", "test", "all")
        part = usages.index(check_usage(usage, usages))
        super().__init__("attr", decode, num_parallel_workers, num_samples, shuffle, sampler, num_shards, shard_id)
        self.decrypt = decrypt
        images = os.path.join(folder, "img_align_celeba")
        images = images if os.path.isdir(images) else folder
        rows = [line.split() for line in _lines(os.path.join(folder, "list_attr_celeba.txt"))[2:]]
        if part < 3:
            parts = [line.split() for line in _lines(os.path.join(folder, "list_eval_partition.txt"))]
            kept = {name for name, number in parts if number == str(part)}
            rows = [row for row in rows if row[0] in kept]
        ends = tuple(extensions or [""])
        try:
            self.listed = [
                (os.path.join(images, os.path.basename(name)), (np.array(given, np.int64) > 0).astype(np.uint32))
                for name, *given in rows
                if name.endswith(ends)
            ]
        except ValueError as error:
            raise RuntimeError(f"CelebADataset: an attribute should be 1 or -1: {error}") from None


class FlickrDataset(_Listed):
    """Images with descriptions: a file with a line `image.jpg#0`, a tab and a description for each.

    Columns: `image`, uint8: the bytes of the file, or with `decode` the pixels; `annotation`, its descriptions.

    Args:
        dataset_dir: the folder of the images.
        annotation_file: the file of descriptions.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache, decrypt: as for
            `ImageFolderDataset`.

    Raises:
        ValueError: if there is no such folder or file. RuntimeError: if a line is another. TypeError: for arguments of
            the wrong kind. ImportError: for `decode` without Pillow.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/1.jpg", "w").write("...")
        ...     _ = open(f"{folder}/said.txt", "w").write("1.jpg#0\\tA cat.\\n1.jpg#1\\tAn animal.\\n")
        ...     [row[1].tolist() for row in ds.FlickrDataset(folder, f"{folder}/said.txt").create_tuple_iterator()]
        [['A cat.', 'An animal.']]
    """

    def __init__(
        self, dataset_dir: str, annotation_file: str, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: bool | None = None, decode: bool | None = None,
        sampler: Any = None, num_shards: int | None = None, shard_id: int | None = None, cache: Any = None,
        decrypt: Callable[[str], bytes] | None = None,
    ) -> None:  # fmt: skip
        folder = check_folder(dataset_dir)
        need_type(annotation_file, str, "'annotation_file' should be a string", repr)
        if not os.path.isfile(annotation_file):
            raise ValueError(f"there is no file {annotation_file}")
        super().__init__(
            "annotation", bool(decode), num_parallel_workers, num_samples, shuffle, sampler, num_shards, shard_id
        )
        self.decrypt = decrypt
        found: dict[str, list[str]] = {}
        for line in _lines(annotation_file):
            name, tab, said = line.partition("\t")
            if not tab or "#" not in name:
                raise RuntimeError(f"FlickrDataset: a line of {annotation_file} is no 'image.jpg#0<tab>…': {line!r}")
            found.setdefault(os.path.basename(name.rpartition("#")[0]), []).append(said)
        self.listed = [(os.path.join(folder, name), np.array(said)) for name, said in sorted(found.items())]


class ManifestDataset(_Listed):
    """Images that the lines of a manifest name, each a JSON object `{"source": "1.jpg", "usage": "TRAIN", "annotation":
    [{"name": "cat"}]}`.

    Columns: `image`, uint8: the bytes of the file, or with `decode` the pixels; `label`, int32, the number of its
    class, or of its classes if there are several.

    Args:
        dataset_file: the manifest.
        usage: which lines, such as 'train', 'eval' or 'inference'.
        class_indexing: the number of each class, and no others; None: classes are counted by their names.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache: as for
            `ImageFolderDataset`.

    Raises:
        ValueError: if there is no such file. RuntimeError: if a line is another. TypeError: for arguments of the wrong
            kind. ImportError: for `decode` without Pillow.

    Examples:
        >>> import tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = open(f"{folder}/1.jpg", "w").write("...")
        ...     line = f'{{"source": "{folder}/1.jpg", "usage": "TRAIN", "annotation": [{{"name": "cat"}}]}}'
        ...     _ = open(f"{folder}/list.manifest", "w").write(line)
        ...     rows = ds.ManifestDataset(f"{folder}/list.manifest")
        ...     [label.tolist() for image, label in rows], rows.get_class_indexing()
        ([0], {'cat': 0})
    """

    def __init__(
        self, dataset_file: str, usage: str = "train", num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: bool | None = None, sampler: Any = None,
        class_indexing: Mapping[str, int] | None = None, decode: bool = False, num_shards: int | None = None,
        shard_id: int | None = None, cache: Any = None,
    ) -> None:  # fmt: skip
        need_type(dataset_file, str, "'dataset_file' should be a string", repr)
        need_type(usage, str, "'usage' should be a string", repr)
        if not os.path.isfile(dataset_file):
            raise ValueError(f"there is no file {dataset_file}")
        super().__init__("label", decode, num_parallel_workers, num_samples, shuffle, sampler, num_shards, shard_id)
        entries: list[tuple[str, list[str]]] = []
        for line in _lines(dataset_file):
            try:
                entry = json.loads(line)
                names = [str(each["name"]) for each in entry.get("annotation", ())]
                if str(entry["usage"]).lower() == usage.lower():
                    entries.append((str(entry["source"]), names))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise RuntimeError(f"ManifestDataset: {dataset_file} has a line that is no entry: {error}") from None
        if class_indexing is None:
            known = sorted({name for _, names in entries for name in names})
            class_indexing = {name: number for number, name in enumerate(known)}
        self.class_indexing = dict(class_indexing)
        self.listed = []
        for source, names in entries:
            numbers = [self.class_indexing[name] for name in names if name in self.class_indexing]
            if numbers or not names:
                label = np.array(numbers, np.int32)
                self.listed.append((source, label.reshape(()) if len(numbers) == 1 else label))

    def get_class_indexing(self) -> dict[str, int]:
        """The number of each class."""
        return self.class_indexing

    def num_classes(self) -> int:
        """How many classes there are."""
        return len(self.class_indexing)

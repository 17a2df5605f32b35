"""Images with annotations: the data sets VOC and COCO, in the files that their authors publish."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ...frontend.values.arguments import need_type
from .rows import Row
from .sources import MappableDataset, check_folder
from .vision.formats import decoded


class _Annotated(MappableDataset):
    """Images of files, and what is said of them; sources define `annotations`."""

    tasks: dict[str, tuple[str, ...]]  # the columns of each task, after the image

    def __init__(
        self, dataset_dir: str, task: str, num_samples: Any, shuffle: Any, decode: bool, sampler: Any, num_shards: Any,
        shard_id: Any, extra_metadata: bool, decrypt: Callable[[str], bytes] | None,
    ) -> None:  # fmt: skip
        self.dataset_dir = check_folder(dataset_dir)
        need_type(task, str, "'task' should be a string", repr)
        if task not in self.tasks:
            raise ValueError(f"'task' should be one of {list(self.tasks)}, but got {task!r}")
        need_type(decode, bool, "'decode' should be a bool", repr)
        self.task, self.decode, self.extra_metadata, self.decrypt = task, decode, extra_metadata, decrypt
        columns = ["image", *self.tasks[task], *["_meta-filename"] * bool(extra_metadata)]
        super().__init__(columns, num_samples, shuffle, sampler, num_shards, shard_id)
        self.annotated = self.annotations()
        if not self.annotated:
            raise RuntimeError(f"{type(self).__name__}: there are no annotated images in {self.dataset_dir}")

    def annotations(self) -> list[tuple[str, str, Sequence[Any]]]:
        """The file of each image, its name, and the other columns; a column may be the file of a second image."""
        raise NotImplementedError(f"{type(self).__name__} should define annotations()")

    def size(self) -> int:
        """How many images there are."""
        return len(self.annotated)

    def item(self, index: int) -> Row:
        """An image and its annotations."""
        path, name, parts = self.annotated[index]
        row = [self._image(part) if isinstance(part, str) else part for part in (path, *parts)]
        return (*row, np.asarray(name)) if self.extra_metadata else tuple(row)

    def within(self, *names: str) -> str:
        """A file in the folder. Files name others: RuntimeError for one that is not there."""
        path, folder = (os.path.abspath(os.path.join(self.dataset_dir, *each)) for each in (names, ()))
        if not path.startswith(os.path.join(folder, "")):
            raise RuntimeError(f"{type(self).__name__}: {path} is not in the folder {folder}")
        return path

    def _image(self, path: str) -> np.ndarray:
        if self.decrypt is None and not os.path.isfile(path):
            raise RuntimeError(f"{type(self).__name__}: there is no file {path}")
        read = self.decrypt
        raw = np.fromfile(path, np.uint8) if read is None else np.frombuffer(read(path), np.uint8).copy()
        return np.array(decoded(raw.tobytes(), name=path)) if self.decode else raw


def _column(values: Sequence[Any], dtype: Any = np.uint32) -> np.ndarray:
    return np.asarray(values, dtype).reshape(len(values), -1)


class VOCDataset(_Annotated):
    """Images of VOC with objects or segments.

    Columns: `image`, uint8: the bytes of the file in one dimension, or with `decode` the pixels of shape (height,
    width, 3). For segments `target`, an image as well. For objects `bbox`, float32 of shape (objects, 4): left, top,
    width, height; `label`, `difficult` and `truncate`, uint32 of shape (objects, 1).

    Args:
        dataset_dir: the folder of `JPEGImages`, `ImageSets` and `Annotations` or `SegmentationClass`.
        task: 'Segmentation' or 'Detection'.
        usage: the name of the list in `ImageSets/Segmentation` or `ImageSets/Main`, such as 'train'.
        class_indexing: the number of each class; objects of others are left out. Only for 'Detection'.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache, decrypt: as for
            `ImageFolderDataset`.
        extra_metadata: whether a last column `_meta-filename` has the names of the images.

    Raises:
        ValueError: if there is no such folder, list or task. RuntimeError: if a file is missing or is no such XML.
        TypeError: for arguments of the wrong kind. ImportError: for `decode` without Pillow.

    Examples:
        >>> import os, tempfile
        >>> from mycel import dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in ("ImageSets/Segmentation/train.txt", "JPEGImages/1.jpg", "SegmentationClass/1.png"):
        ...         os.makedirs(os.path.dirname(f"{folder}/{name}"))
        ...         _ = open(f"{folder}/{name}", "w").write("1")
        ...     [(image.shape, target.shape) for image, target in ds.VOCDataset(folder)]
        [((1,), (1,))]
    """

    tasks = {"Segmentation": ("target",), "Detection": ("bbox", "label", "difficult", "truncate")}  # noqa: RUF012

    def __init__(
        self, dataset_dir: str, task: str = "Segmentation", usage: str = "train",
        class_indexing: dict[str, int] | None = None, num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: bool | None = None, decode: bool = False,
        sampler: Any = None, num_shards: int | None = None, shard_id: int | None = None, cache: Any = None,
        extra_metadata: bool = False, decrypt: Any = None,
    ) -> None:  # fmt: skip
        need_type(class_indexing, dict | None, "'class_indexing' should be a dict", repr)
        if class_indexing is not None and task == "Segmentation":
            raise ValueError("'class_indexing' is for the task 'Detection' alone")
        need_type(usage, str, "'usage' should be a string", repr)
        self.usage, self.class_indexing = usage, class_indexing
        super().__init__(
            dataset_dir, task, num_samples, shuffle, decode, sampler, num_shards, shard_id, extra_metadata, decrypt
        )

    def get_class_indexing(self) -> dict[str, int]:
        """The number of each class. NotImplementedError for segments."""
        if self.task != "Detection":
            raise NotImplementedError("only the task 'Detection' has classes")
        return dict(self.class_indexing or {})

    def annotations(self) -> list[tuple[str, str, Sequence[Any]]]:
        """The files, names and annotations of the images."""
        kind = "Main" if self.task == "Detection" else self.task
        listed = os.path.join(self.dataset_dir, "ImageSets", kind, f"{self.usage}.txt")
        if not os.path.isfile(listed):
            raise ValueError(f"the file {listed} does not exist")
        with open(listed, encoding="utf-8") as file:
            names = [line.split()[0] for line in file if line.strip()]
        files = [(self.within("JPEGImages", f"{name}.jpg"), name) for name in names]
        if self.task == "Segmentation":
            return [(path, name, [self.within("SegmentationClass", f"{name}.png")]) for path, name in files]
        objects = [self._objects(self.within("Annotations", f"{name}.xml")) for name in names]
        if self.class_indexing is None:
            classes = sorted({found[1] for image in objects for found in image})
            self.class_indexing = {name: number for number, name in enumerate(classes)}
        rows: list[tuple[str, str, Sequence[Any]]] = []
        for (path, name), image in zip(files, objects, strict=True):
            kept = [
                (box, self.class_indexing[kind], *marks) for box, kind, *marks in image if kind in self.class_indexing
            ]
            if kept:
                boxes, *others = zip(*kept, strict=True)
                rows.append((path, name, [_column(boxes, np.float32), *map(_column, others)]))
        return rows

    def _objects(self, path: str) -> list[tuple[list[float], str, np.uint32, np.uint32]]:
        """The box, class and marks of each object in an XML file."""
        try:
            found = []
            for item in ElementTree.parse(path).getroot().iter("object"):
                sides = [float(item.findtext(f"bndbox/{side}") or "") for side in ("xmin", "ymin", "xmax", "ymax")]
                box = [*sides[:2], sides[2] - sides[0], sides[3] - sides[1]]
                marks = [np.uint32(int(item.findtext(mark) or 0)) for mark in ("difficult", "truncated")]
                found.append((box, item.findtext("name") or "", marks[0], marks[1]))
            return found
        except (OSError, ValueError, OverflowError, ElementTree.ParseError) as error:
            raise RuntimeError(f"VOCDataset: the annotations {path} cannot be read: {error}") from error


class CocoDataset(_Annotated):
    """Images of COCO with objects, segments, points or captions; those without annotations are left out.

    Columns: `image` as for `VOCDataset`; uint32 of shape (objects, 1) if nothing else is said.
    'Detection': `bbox`, float32 of shape (objects, 4): left, top, width, height; `category_id`, `iscrowd`.
    'Stuff': `segmentation`, float32: a polygon or the counts of an object in each row, with -1 behind; `iscrowd`.
    'Keypoint': `keypoints`, float32 of shape (objects, 3 · points); `num_keypoints`.
    'Panoptic': as 'Detection', and `area`. 'Captioning': `captions`, strings of shape (captions, 1).

    Args:
        dataset_dir: the folder of the images.
        annotation_file: the JSON file of the annotations.
        task: 'Detection', 'Stuff', 'Keypoint', 'Panoptic' or 'Captioning'.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache, extra_metadata,
            decrypt: as for `VOCDataset`.

    Raises:
        ValueError: if there is no such folder, file or task. RuntimeError: if the file is no JSON, or lacks a member.
        TypeError: for arguments of the wrong kind. ImportError: for `decode` without Pillow.

    Examples:
        >>> import os, tempfile
        >>> from mycel import dataset as ds
        >>> text = '{"images": [{"id": 5, "file_name": "1.jpg"}], "annotations": [{"image_id": 5, "caption": "cat"}]}'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name, content in (("1.jpg", "no image"), ("all.json", text)):
        ...         _ = open(f"{folder}/{name}", "w").write(content)
        ...     [captions.tolist() for _, captions in ds.CocoDataset(folder, f"{folder}/all.json", "Captioning")]
        [[['cat']]]
    """

    tasks = {  # noqa: RUF012
        "Detection": ("bbox", "category_id", "iscrowd"),
        "Stuff": ("segmentation", "iscrowd"),
        "Keypoint": ("keypoints", "num_keypoints"),
        "Panoptic": ("bbox", "category_id", "iscrowd", "area"),
        "Captioning": ("captions",),
    }

    def __init__(
        self, dataset_dir: str, annotation_file: str, task: str = "Detection", num_samples: int | None = None,
        num_parallel_workers: int | None = None, shuffle: bool | None = None, decode: bool = False,
        sampler: Any = None, num_shards: int | None = None, shard_id: int | None = None, cache: Any = None,
        extra_metadata: bool = False, decrypt: Any = None,
    ) -> None:  # fmt: skip
        if not os.path.isfile(annotation_file):
            raise ValueError(f"the file {annotation_file} does not exist")
        self.annotation_file = annotation_file
        self._categories: list[dict[str, Any]] = []
        super().__init__(
            dataset_dir, task, num_samples, shuffle, decode, sampler, num_shards, shard_id, extra_metadata, decrypt
        )

    def get_class_indexing(self) -> dict[str, list[int]]:  # type: ignore[override]
        """The number of each category, for 'Panoptic' with whether it is a thing. NotImplementedError for others."""
        if self.task not in ("Detection", "Panoptic"):
            raise NotImplementedError("only the tasks 'Detection' and 'Panoptic' have classes")
        members = ("id",) if self.task == "Detection" else ("id", "isthing")
        return {category["name"]: [category[member] for member in members] for category in self._categories}

    def annotations(self) -> list[tuple[str, str, Sequence[Any]]]:
        """The files, names and annotations of the images."""
        try:
            with open(self.annotation_file, encoding="utf-8") as file:
                whole = json.load(file)
            if self.task != "Captioning":
                self._categories = whole["categories"]
            grouped: dict[Any, list[dict[str, Any]]] = {}
            for item in whole["annotations"]:
                found = item["segments_info"] if self.task == "Panoptic" else [item]
                grouped.setdefault(item["image_id"], []).extend(found)
            return [
                (self.within(image["file_name"]), image["file_name"], self._parts(items))
                for image in whole["images"]
                if (items := grouped.get(image["id"]))
            ]
        except KeyError as error:
            raise RuntimeError(f"CocoDataset: {self.annotation_file} lacks the member {error}") from None
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise RuntimeError(f"CocoDataset: {self.annotation_file} cannot be read: {error}") from error

    def _parts(self, items: list[dict[str, Any]]) -> list[np.ndarray]:
        """The columns of an image's annotations."""
        parts = []
        for column in self.tasks[self.task]:
            if column == "captions":
                parts.append(_column([item["caption"] for item in items], None))
            elif column == "segmentation":
                shapes = [item[column] for item in items]
                rows = [row for shape in shapes for row in ([shape["counts"]] if isinstance(shape, dict) else shape)]
                width = max(map(len, rows))
                parts.append(_column([[*row, *[-1] * (width - len(row))] for row in rows], np.float32))
            else:
                dtype = np.float32 if column in ("bbox", "keypoints") else np.uint32
                parts.append(_column([item[column] for item in items], dtype))
        return parts

"""Pipelines that feed training (`mindspore.dataset`): sources, and the operations that chain on them, as Python
iterators."""

from __future__ import annotations

from typing import Any

from . import config, transforms
from .config import DatasetCache, set_seed
from .files import CSVDataset, TextFileDataset
from .images import Cifar10Dataset, Cifar100Dataset, FashionMnistDataset, ImageFolderDataset, MnistDataset
from .mappable import MappableDataset
from .parts import import_part, is_absent
from .pipeline import (
    Batch as BatchDataset,
    ConcatDataset,
    Dataset,
    Map as MapDataset,
    Repeat as RepeatDataset,
    ZipDataset,
    zip_datasets as zip,
)
from .samplers import (
    DistributedSampler,
    IterSampler,
    PKSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    Shuffle,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
)
from .schema import Schema
from .sources import GeneratorDataset, NumpySlicesDataset, PaddedDataset
from .tfrecord import TFRecordDataset

__all__ = [
    "BatchDataset",
    "CSVDataset",
    "Cifar10Dataset",
    "Cifar100Dataset",
    "ConcatDataset",
    "Dataset",
    "DatasetCache",
    "DistributedSampler",
    "FashionMnistDataset",
    "GeneratorDataset",
    "ImageFolderDataset",
    "IterSampler",
    "MapDataset",
    "MappableDataset",
    "MnistDataset",
    "NumpySlicesDataset",
    "PKSampler",
    "PaddedDataset",
    "RandomSampler",
    "RepeatDataset",
    "Sampler",
    "Schema",
    "SequentialSampler",
    "Shuffle",
    "SubsetRandomSampler",
    "SubsetSampler",
    "TFRecordDataset",
    "TextFileDataset",
    "WeightedRandomSampler",
    "ZipDataset",
    "config",
    "set_seed",
    "transforms",
    "zip",
]

# The names that need the distribution mycel-data, with what they need.
_MORE = {"MindDataset": "frontend.mindrecord", "text": "frontend.dataset.text", "vision": "frontend.dataset.vision"}
__all__ += [name for name, part in _MORE.items() if not is_absent(part)]


def __getattr__(name: str) -> Any:
    if name not in _MORE:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    part = import_part(_MORE[name])
    if name != "MindDataset":
        return part
    from .minddata import MindDataset  # it reads the files of mindrecord

    return MindDataset

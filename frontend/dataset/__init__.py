"""Pipelines that feed training (`mindspore.dataset`): sources, and the operations that chain on them, as Python
iterators."""

from __future__ import annotations

from . import config, text, transforms, vision
from .config import DatasetCache, set_seed
from .files import CSVDataset, TextFileDataset
from .images import Cifar10Dataset, Cifar100Dataset, FashionMnistDataset, ImageFolderDataset, MnistDataset
from .mappable import MappableDataset
from .minddata import MindDataset
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
    "MindDataset",
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
    "text",
    "transforms",
    "vision",
    "zip",
]

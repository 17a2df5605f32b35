# Written by tools/stubs.py: `make stubs` writes it again.
from . import audio, config, samplers, text, transforms, vision
from .callbacks import DSCallback, WaitedDSCallback
from .config import DatasetCache, set_seed
from .images import Cifar100Dataset, Cifar10Dataset, FashionMnistDataset, ImageFolderDataset, MnistDataset
from .mappable import MappableDataset
from .pipeline import (
    Batch as BatchDataset, ConcatDataset, Dataset, Map as MapDataset, Repeat as RepeatDataset, ZipDataset,
    zip_datasets as zip,
)
from .readers.files import CSVDataset, TextFileDataset
from .readers.minddata import MindDataset
from .readers.schema import Schema
from .readers.tfrecord import TFRecordDataset
from .samplers import (
    DistributedSampler, IterSampler, PKSampler, RandomSampler, Sampler, SequentialSampler, Shuffle,
    SubsetRandomSampler, SubsetSampler, WeightedRandomSampler,
)
from .sources import GeneratorDataset, NumpySlicesDataset, PaddedDataset

__all__ = [
    "BatchDataset", "CSVDataset", "Cifar100Dataset", "Cifar10Dataset", "ConcatDataset", "DSCallback", "Dataset",
    "DatasetCache", "DistributedSampler", "FashionMnistDataset", "GeneratorDataset", "ImageFolderDataset",
    "IterSampler", "MapDataset", "MappableDataset", "MindDataset", "MnistDataset", "NumpySlicesDataset", "PKSampler",
    "PaddedDataset", "RandomSampler", "RepeatDataset", "Sampler", "Schema", "SequentialSampler", "Shuffle",
    "SubsetRandomSampler", "SubsetSampler", "TFRecordDataset", "TextFileDataset", "WaitedDSCallback",
    "WeightedRandomSampler", "ZipDataset", "audio", "config", "samplers", "set_seed", "text", "transforms", "vision",
    "zip",
]

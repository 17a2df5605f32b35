"""Pipelines that feed training (`mindspore.dataset`): sources, and the operations that chain on them, as Python
iterators."""

from __future__ import annotations

from typing import Any

from ...frontend.errors.spelling import missing_name as _missing_name
from ..lazy import LazyNames as _LazyNames
from . import config, debug, transforms
from .callbacks import DSCallback, WaitedDSCallback
from .config import DatasetCache, set_seed
from .images import (
    Cifar10Dataset,
    Cifar100Dataset,
    EMnistDataset,
    FashionMnistDataset,
    ImageFolderDataset,
    KMnistDataset,
    MnistDataset,
    QMnistDataset,
)
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
from .sources import GeneratorDataset, MappableDataset, NumpySlicesDataset, PaddedDataset

__all__ = [
    "BatchDataset", "Cifar10Dataset", "Cifar100Dataset", "ConcatDataset", "DSCallback", "Dataset", "DatasetCache",
    "DistributedSampler", "EMnistDataset", "FashionMnistDataset", "GeneratorDataset", "ImageFolderDataset",
    "IterSampler", "KMnistDataset", "MapDataset", "MappableDataset", "MnistDataset", "NumpySlicesDataset", "PKSampler",
    "PaddedDataset", "QMnistDataset", "RandomSampler", "RepeatDataset", "Sampler", "SequentialSampler", "Shuffle",
    "SubsetRandomSampler", "SubsetSampler", "WaitedDSCallback", "WeightedRandomSampler", "ZipDataset", "config",
    "debug", "set_seed", "transforms", "zip",
]  # fmt: skip

_MORE = _LazyNames(
    __name__,
    {
        "CocoDataset": "library.dataset.annotated",
        "VOCDataset": "library.dataset.annotated",
        **dict.fromkeys(("CelebADataset", "FlickrDataset", "ManifestDataset"), "library.dataset.listed"),
        **dict.fromkeys(("FakeImageDataset", "RandomDataset"), "library.dataset.made"),
        "audio": "library.dataset.audio",
        "text": "library.dataset.text",
        "vision": "library.dataset.vision",
        **dict.fromkeys(("compare", "deserialize", "serialize", "show"), "library.dataset.serializing"),
        **dict.fromkeys(
            ("CSVDataset", "MindDataset", "Schema", "TFRecordDataset", "TextFileDataset"), "library.dataset.readers"
        ),
        **dict.fromkeys(
            (
                "AGNewsDataset", "AmazonReviewDataset", "CLUEDataset", "DBpediaDataset", "EnWik9Dataset", "IMDBDataset",
                "PennTreebankDataset", "SST2Dataset", "SogouNewsDataset", "WikiTextDataset", "YahooAnswersDataset",
                "YelpReviewDataset",
            ),
            "library.dataset.readers.corpora",
        ),
    },
)  # fmt: skip
__all__ += _MORE.places


def __getattr__(name: str) -> Any:
    if name in _MORE.places:
        return _MORE.find(name)
    raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MORE.places})

# Written by tools/stubs.py: `make stubs` writes it again.
from . import (
    audio as audio, config as config, debug as debug, samplers as samplers, text as text, transforms as transforms,
    vision as vision,
)
from .annotated import CocoDataset as CocoDataset, VOCDataset as VOCDataset
from .callbacks import DSCallback as DSCallback, WaitedDSCallback as WaitedDSCallback
from .config import DatasetCache as DatasetCache, set_seed as set_seed
from .images import (
    Cifar100Dataset as Cifar100Dataset, Cifar10Dataset as Cifar10Dataset, EMnistDataset as EMnistDataset,
    FashionMnistDataset as FashionMnistDataset, ImageFolderDataset as ImageFolderDataset,
    KMnistDataset as KMnistDataset, MnistDataset as MnistDataset, QMnistDataset as QMnistDataset,
)
from .listed import CelebADataset as CelebADataset, FlickrDataset as FlickrDataset, ManifestDataset as ManifestDataset
from .made import FakeImageDataset as FakeImageDataset, RandomDataset as RandomDataset
from .pipeline import (
    ConcatDataset as ConcatDataset, Dataset as Dataset, ZipDataset as ZipDataset, Batch as _BatchDataset,
    Map as _MapDataset, Repeat as _RepeatDataset, zip_datasets as _zip,
)
from .readers.corpora import (
    AGNewsDataset as AGNewsDataset, AmazonReviewDataset as AmazonReviewDataset, CLUEDataset as CLUEDataset,
    DBpediaDataset as DBpediaDataset, EnWik9Dataset as EnWik9Dataset, IMDBDataset as IMDBDataset,
    PennTreebankDataset as PennTreebankDataset, SST2Dataset as SST2Dataset, SogouNewsDataset as SogouNewsDataset,
    WikiTextDataset as WikiTextDataset, YahooAnswersDataset as YahooAnswersDataset,
    YelpReviewDataset as YelpReviewDataset,
)
from .readers.files import CSVDataset as CSVDataset, MindDataset as MindDataset, TextFileDataset as TextFileDataset
from .readers.tfrecord import Schema as Schema, TFRecordDataset as TFRecordDataset
from .samplers import (
    DistributedSampler as DistributedSampler, IterSampler as IterSampler, PKSampler as PKSampler,
    RandomSampler as RandomSampler, Sampler as Sampler, SequentialSampler as SequentialSampler, Shuffle as Shuffle,
    SubsetRandomSampler as SubsetRandomSampler, SubsetSampler as SubsetSampler,
    WeightedRandomSampler as WeightedRandomSampler,
)
from .serializing import *
from .sources import (
    GeneratorDataset as GeneratorDataset, MappableDataset as MappableDataset,
    NumpySlicesDataset as NumpySlicesDataset, PaddedDataset as PaddedDataset,
)
BatchDataset = _BatchDataset
MapDataset = _MapDataset
RepeatDataset = _RepeatDataset
zip = _zip

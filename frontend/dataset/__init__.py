"""Pipelines that feed training (`mindspore.dataset`): sources, and the operations that chain on them, as Python
iterators."""

from __future__ import annotations

from . import config, transforms
from .pipeline import Dataset, zip_datasets as zip
from .samplers import (
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    SubsetSampler,
    WeightedRandomSampler,
)
from .sources import GeneratorDataset, NumpySlicesDataset, PaddedDataset

__all__ = [
    "Dataset",
    "GeneratorDataset",
    "NumpySlicesDataset",
    "PaddedDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
    "config",
    "transforms",
    "zip",
]

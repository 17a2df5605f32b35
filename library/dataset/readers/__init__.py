"""Datasets that read files of rows: text, CSV, TFRecord and MindRecord."""

from __future__ import annotations

from .files import CSVDataset, TextFileDataset
from .minddata import MindDataset
from .tfrecord import Schema, TFRecordDataset

__all__ = ["CSVDataset", "MindDataset", "Schema", "TFRecordDataset", "TextFileDataset"]

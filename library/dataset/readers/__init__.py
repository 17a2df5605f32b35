"""Datasets that read files of rows: text, CSV, TFRecord and MindRecord."""

from __future__ import annotations

from .files import CSVDataset, MindDataset, TextFileDataset
from .tfrecord import Schema, TFRecordDataset

__all__ = ["CSVDataset", "MindDataset", "Schema", "TFRecordDataset", "TextFileDataset"]

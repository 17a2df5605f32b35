"""MindRecord files (`mindspore.mindrecord`). MindSpore reads files from here, and its files can be read here."""

from __future__ import annotations

from .errors import (
    MindRecordException,
    MRMAddSchemaError,
    MRMDefineIndexError,
    MRMGetMetaError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMInvalidSchemaError,
    MRMOpenError,
    ParamTypeError,
    ParamValueError,
)
from .reader import FileReader
from .writer import FileWriter

SUCCESS, FAILED = 0, 1

__all__ = [
    "FAILED", "SUCCESS", "FileReader", "FileWriter", "MRMAddSchemaError", "MRMDefineIndexError", "MRMGetMetaError",
    "MRMInvalidHeaderSizeError", "MRMInvalidPageSizeError", "MRMInvalidSchemaError", "MRMOpenError",
    "MindRecordException", "ParamTypeError", "ParamValueError",
]  # fmt: skip

"""Errors of MindRecord files."""

from __future__ import annotations


class MindRecordException(Exception):
    """Base of the errors of MindRecord files."""

    def __str__(self) -> str:
        return f"[{type(self).__name__}]: {super().__str__()}"


class ParamValueError(MindRecordException, ValueError):
    """An argument out of range."""


class ParamTypeError(MindRecordException, TypeError):
    """An argument of the wrong kind."""


class MRMOpenError(MindRecordException):
    """A file that cannot be opened."""


class MRMInvalidPageSizeError(MindRecordException, ValueError):
    """A page size out of range."""


class MRMInvalidHeaderSizeError(MindRecordException, ValueError):
    """A header size out of range."""


class MRMAddSchemaError(MindRecordException):
    """A second schema."""


class MRMGetMetaError(MindRecordException):
    """Something that needs a schema, before there is one."""


class MRMInvalidSchemaError(MindRecordException):
    """A schema that cannot be."""


class MRMDefineIndexError(MindRecordException):
    """An index on a field that can have none."""

"""Errors of MindRecord files."""

from __future__ import annotations

from ...runtime.shown import public


@public("mycel.mindrecord")
class MindRecordException(Exception):
    """Base of the errors of MindRecord files."""

    def __str__(self) -> str:
        return f"[{type(self).__name__}]: {super().__str__()}"


@public("mycel.mindrecord")
class ParamValueError(MindRecordException, ValueError):
    """An argument out of range."""


@public("mycel.mindrecord")
class ParamTypeError(MindRecordException, TypeError):
    """An argument of the wrong kind."""


@public("mycel.mindrecord")
class MRMOpenError(MindRecordException):
    """A file that cannot be opened."""


@public("mycel.mindrecord")
class MRMInvalidPageSizeError(MindRecordException, ValueError):
    """A page size out of range."""


@public("mycel.mindrecord")
class MRMInvalidHeaderSizeError(MindRecordException, ValueError):
    """A header size out of range."""


@public("mycel.mindrecord")
class MRMAddSchemaError(MindRecordException):
    """A second schema."""


@public("mycel.mindrecord")
class MRMGetMetaError(MindRecordException):
    """Something that needs a schema, before there is one."""


@public("mycel.mindrecord")
class MRMInvalidSchemaError(MindRecordException):
    """A schema that cannot be."""


@public("mycel.mindrecord")
class MRMDefineIndexError(MindRecordException):
    """An index on a field that can have none."""

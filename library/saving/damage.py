"""Errors in the bytes of a file become a `DamagedFileError` that names the file."""

from __future__ import annotations

import csv
import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from ...frontend.errors.classes import DamagedFileError
from .wire import CorruptFile


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """A block that reads a file: errors of decoding it are raised as DamagedFileError.

    Errors of the system, such as a missing permission, are not changed.
    """
    try:
        yield
    except (DamagedFileError, PermissionError, FileNotFoundError):
        raise
    except IsADirectoryError:
        raise DamagedFileError(os.fspath(path), "it is a folder", "Name a file.") from None
    except UnicodeDecodeError as error:
        raise DamagedFileError(os.fspath(path), f"it is no UTF-8 text: {error.reason}") from None
    except (CorruptFile, csv.Error, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DamagedFileError(os.fspath(path), str(error)) from None

"""Compiled programs kept on disk: a later process that traces the same graph loads its program without compiling it.

A file holds a program's source, the numbers and constants that it needs, and names of kernels; no pickles. Its first
line is a checksum of the rest. Files are written beside their place and moved there, so that no reader ever sees half
of one, and a file that cannot be read is as good as none. Since programs are executed, the folder has to belong to the
user alone.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal as Choice

import numpy as np

from ..runtime import dtypes
from ..runtime.calibration import Thresholds
from .fingerprint import NotCacheable
from .ops import OPS

FORMAT = 2
LIMIT = 256 << 20  # bytes that all files may take together
LARGEST = 16 << 20  # bytes of one file
ABANDONED = 3600.0  # seconds after which a file that was being written is taken for lost
SUFFIX, CALIBRATION, UNFINISHED = ".program", ".calibration", ".unfinished"
Order = Choice["C", "F"]
PACKAGE = __name__.rsplit(".", 2)[0]


@dataclass(frozen=True)
class Record:
    """All that a program is made of, how many nodes its graph had at the end, and the machine's thresholds, if used."""

    name: str
    source: str
    nbytes: int
    constants: Mapping[str, Any]
    kernels: Mapping[str, Any]
    nodes: int
    thresholds: Thresholds | None = None


@dataclass(frozen=True)
class CacheInfo:
    """How much a cache holds."""

    folder: Path
    programs: int
    nbytes: int
    limit: int

    def __str__(self) -> str:
        return (
            f"{self.programs} program{'' if self.programs == 1 else 's'}, {self.nbytes / 2**20:.1f} MB of at most "
            f"{self.limit / 2**20:.0f} MB, in {self.folder}"
        )


class DiskCache:
    """Programs in a folder, by key. What goes wrong with files makes it find or keep nothing, never an error.

    Args:
        folder: made when the first program is kept.
        limit: bytes; beyond, the programs that were not used for longest go.
        calibrated: whether thresholds that were measured on this machine are kept in the folder, and used.
    """

    def __init__(self, folder: Path, limit: int = LIMIT, calibrated: bool = True) -> None:
        self.folder = folder
        self.limit = limit
        self.calibrated = calibrated

    def load(self, key: str) -> Record | None:
        """The program of this key, or None."""
        body = read_checked(self._path(key))
        if body is None:
            return None
        try:
            return _decode(json.loads(body), key)
        except (ValueError, KeyError, TypeError, AttributeError, ImportError):
            return None

    def store(self, key: str, record: Record) -> bool:
        """Keep a program; whether that was possible."""
        try:
            body = json.dumps(_encode(record, key)).encode()
        except NotCacheable:
            return False
        if len(body) > min(LARGEST, self.limit):
            return False
        if not write_checked(self._path(key), body):
            return False
        # Looking at every file each time would take longer than it is worth.
        if key.endswith("0") or len(body) > self.limit >> 8:
            self.trim()
        return True

    def trim(self) -> None:
        """Delete what is over the limit, the longest unused first, and files that were never finished."""
        files = self._files()
        total = sum(status.st_size for _, status in files)
        for path, status in sorted(files, key=lambda item: item[1].st_mtime):
            lost = path.suffix == UNFINISHED and status.st_mtime < time.time() - ABANDONED
            if lost or (path.suffix == SUFFIX and total > self.limit):
                total -= status.st_size
                _delete(path)

    def clear(self, programs_only: bool = False) -> int:
        """Delete every program, and what was measured unless `programs_only`; how many programs there were."""
        paths = [path for path, _ in self._files() if not (programs_only and path.suffix == CALIBRATION)]
        return sum(_delete(path) for path in paths if path.suffix == SUFFIX or not _delete(path))

    def info(self) -> CacheInfo:
        """How much it holds."""
        sizes = [status.st_size for path, status in self._files() if path.suffix == SUFFIX]
        return CacheInfo(self.folder, len(sizes), sum(sizes), self.limit)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"

    def _files(self) -> list[tuple[Path, os.stat_result]]:
        """The cache's own files; others in the folder are none of its business."""
        found = []
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith((SUFFIX, CALIBRATION, UNFINISHED)) and entry.is_file(follow_symlinks=False):
                        found.append((Path(entry.path), entry.stat(follow_symlinks=False)))
        except OSError:  # no folder, or a file that another process has just deleted
            return found
        return found


def read_checked(path: Path) -> bytes | None:
    """The content of a file behind its checksum; None where there is none that can be trusted."""
    try:
        content = path.read_bytes()
        if not _private(path.parent) or not _private(path):
            return None
        os.utime(path)  # used now: the last to go
    except OSError:
        return None
    checksum, _, body = content.partition(b"\n")
    return body if checksum == _checksum(body) else None


def write_checked(path: Path, body: bytes) -> bool:
    """Write a file with its checksum beside its place and move it there; whether that was possible."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _private(path.parent):
            return False
        handle, temporary = tempfile.mkstemp(UNFINISHED, path.stem, path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_checksum(body) + b"\n" + body)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
    except OSError:
        return False
    return True


def _delete(path: Path) -> bool:
    """Delete a file; whether it was there to delete."""
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _private(path: Path) -> bool:
    """Whether nobody but the user can have written this."""
    if sys.platform == "win32":  # folders in a user's profile are
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _encode(record: Record, key: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "key": key,
        "name": record.name,
        "source": record.source,
        "nbytes": record.nbytes,
        "nodes": record.nodes,
        "thresholds": record.thresholds and [record.thresholds.tile_bytes, record.thresholds.thread_work],
        "constants": {name: _encode_constant(value) for name, value in record.constants.items()},
        "kernels": {name: _encode_kernel(name, value) for name, value in record.kernels.items()},
    }


def _decode(data: Any, key: str) -> Record:
    if data["format"] != FORMAT or data["key"] != key:
        raise ValueError("a file of another format or another graph")
    return Record(
        data["name"],
        data["source"],
        data["nbytes"],
        {name: _decode_constant(value) for name, value in data["constants"].items()},
        {name: _decode_kernel(value) for name, value in data["kernels"].items()},
        data["nodes"],
        data["thresholds"] and Thresholds(*map(int, data["thresholds"])),
    )


def _encode_constant(value: Any) -> Any:
    """A constant as JSON: a list of its kind and what it is made of."""
    if value is None or type(value) in (bool, int, str):
        return ["plain", value]
    if type(value) is float:
        return ["float", value.hex()]
    if type(value) is complex:
        return ["complex", value.real.hex(), value.imag.hex()]
    if type(value) in (tuple, list):
        return [type(value).__name__, *map(_encode_constant, value)]
    if isinstance(value, dtypes.DType):
        return ["type", value.name]
    if isinstance(value, np.dtype) and not value.hasobject:
        return ["dtype", dtypes.of_numpy(value).name]
    if type(value) is np.ndarray and not value.dtype.hasobject:
        order: Order = "C" if value.flags.c_contiguous else "F"
        if not (value.flags.c_contiguous or value.flags.f_contiguous):
            raise NotCacheable("a constant whose elements do not lie side by side")
        try:
            name = dtypes.of_numpy(value.dtype).name
        except TypeError as error:
            raise NotCacheable(str(error)) from error
        data = base64.b64encode(value.tobytes(order)).decode()
        return ["array", name, list(value.shape), order, value.flags.writeable, data]
    raise NotCacheable(f"a constant of type {type(value).__name__}")


def _decode_constant(data: Any) -> Any:
    kind, *rest = data
    if kind == "plain":
        return rest[0]
    if kind == "float":
        return float.fromhex(rest[0])
    if kind == "complex":
        return complex(*map(float.fromhex, rest))
    if kind in ("tuple", "list"):
        items = map(_decode_constant, rest)
        return tuple(items) if kind == "tuple" else list(items)
    if kind == "type":
        return dtypes.as_dtype(dtypes.by_name(rest[0]))
    if kind == "dtype":
        return dtypes.as_dtype(rest[0]).np
    if kind == "array":
        name, shape, order, writeable, text = rest
        flat = np.frombuffer(base64.b64decode(text, validate=True), dtypes.as_dtype(name).np)
        array = flat.reshape(shape, order=order).copy(order)
        array.flags.writeable = writeable
        return array
    raise ValueError(f"no constant is of kind {kind!r}")


def _encode_kernel(name: str, value: Any) -> list[str]:
    """Where to find a kernel: with its op, or by module and name in mycel."""
    op = OPS.get(name)
    if op is not None and op.kernel is value:
        return ["op", name]
    module, qualified = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(module, str) and isinstance(qualified, str) and module.startswith(f"{PACKAGE}."):
        path = ["name", module[len(PACKAGE) :], qualified]
        try:
            if _decode_kernel(path) is value:
                return path
        except (AttributeError, ImportError) as error:
            raise NotCacheable(f"the kernel '{name}' cannot be found by its name") from error
    raise NotCacheable(f"the kernel '{name}' is not one of mycel's own")


def _decode_kernel(data: Any) -> Any:
    kind, *rest = data
    if kind == "op":
        return OPS[rest[0]].kernel
    module, qualified = rest
    return getattr(importlib.import_module(module, PACKAGE), qualified)

"""The disk cache of compiled programs: a later process that traces the same graph loads its program without compiling
it.

A file holds the source of a program, its numbers and constants, and names of kernels; no pickles. Its first line is a
checksum of the rest. A file is written under a temporary name and then renamed, so no reader sees an incomplete file. A
file that cannot be read counts as missing. Programs are executed, so the folder must belong to the user alone
(`private_folder`).
"""

from __future__ import annotations

import base64
import importlib
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal as Choice

import numpy as np

from ...runtime import dtypes
from ...runtime.calibration import Thresholds
from ...runtime.records import dataclass
from ..ops import OPS
from .private_folder import UNFINISHED, PrivateFolder, private_folder
from .structural_hash import NotCacheable

FORMAT = 2
LIMIT = 256 << 20  # bytes that all files may take together
LARGEST = 16 << 20  # bytes of one file
ABANDONED = 3600.0  # seconds after which a file that was being written is taken for lost
SUFFIX, CALIBRATION = ".program", ".calibration"
TEXT = ".program.py"  # the text of a program, for debuggers: written, and never read as code
CHECKSUM_BYTES = 2 * 32 + 1  # of SHA-256 as a text, with the end of its line
Order = Choice["C", "F"]
PACKAGE = __name__.split(".")[0]


@dataclass(frozen=True)
class Record:
    """The parts of a program, the number of nodes of its final graph, and the thresholds of the machine, if it used
    them."""

    name: str
    source: str
    nbytes: int
    constants: Mapping[str, Any]
    kernels: Mapping[str, Any]
    nodes: int
    thresholds: Thresholds | None = None


@dataclass(frozen=True)
class CacheInfo:
    """The contents of a cache: numbers and sizes."""

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
    """Programs in a folder, by key. An error of the file system makes a lookup fail or a program uncached; it is never
    raised.

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
        import json  # the cache loads it when it first reads or writes

        try:
            return _decode(json.loads(body), key)
        except Exception:  # whatever error a damaged file causes, the program is compiled again
            return None

    def store(self, key: str, record: Record) -> bool:
        """Store a program. Returns whether that was possible."""
        import json

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

    def write_text(self, stem: str, source: str) -> Path | None:
        """Write the text of a program to a file for debuggers. Returns its path, or None if that is not possible.

        The program runs from memory. The file is never executed, only compared with the text.
        """
        name, content = f"{stem}{TEXT}", source.encode()
        try:
            with private_folder(self.folder, make=True) as folder:
                try:
                    same = folder.read(name, len(content), touch=True) == content
                except OSError:
                    same = False
                if not same:
                    folder.write(name, content)
        except (OSError, ValueError):
            return None
        return Path(os.path.abspath(self.folder / name))

    def trim(self) -> None:
        """Delete the least recently used programs beyond the limit, and files that were never finished."""
        with suppress(OSError), private_folder(self.folder) as folder:
            files = _own_files(folder)
            total = sum(status.st_size for _, status in files)
            for name, status in sorted(files, key=lambda item: item[1].st_mtime):
                lost = name.endswith(UNFINISHED) and status.st_mtime < time.time() - ABANDONED
                if lost or (name.endswith((SUFFIX, TEXT)) and total > self.limit):
                    total -= status.st_size
                    folder.remove(name)

    def clear(self, programs_only: bool = False) -> int:
        """Delete all programs, and measurements unless `programs_only`. Returns the number of programs."""
        count = 0
        with suppress(OSError), private_folder(self.folder) as folder:
            for name, _ in _own_files(folder):
                if not (programs_only and name.endswith(CALIBRATION)) and folder.remove(name):
                    count += name.endswith(SUFFIX)
        return count

    def info(self) -> CacheInfo:
        """The number and size of the programs."""
        sizes: list[int] = []
        with suppress(OSError), private_folder(self.folder) as folder:
            sizes = [status.st_size for name, status in _own_files(folder) if name.endswith(SUFFIX)]
        return CacheInfo(self.folder, len(sizes), sum(sizes), self.limit)

    def problem(self) -> str | None:
        """The reason why the folder is not used: who else may write to it, or the system's error. None if it is
        used."""
        try:
            with private_folder(self.folder):
                return None
        except FileNotFoundError:
            return None
        except OSError as error:
            return str(error)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"


def _own_files(folder: PrivateFolder) -> list[tuple[str, os.stat_result]]:
    """The files of the cache. Other files in the folder are left alone."""
    return [item for item in folder.files() if item[0].endswith((SUFFIX, TEXT, CALIBRATION, UNFINISHED))]


def read_checked(path: Path) -> bytes | None:
    """The content of a file after its checksum; None if the file is missing or cannot be trusted."""
    try:
        with private_folder(path.parent) as folder:
            content = folder.read(path.name, LARGEST + CHECKSUM_BYTES, touch=True)  # used now: the last to go
    except (OSError, ValueError):
        return None
    checksum, _, body = content.partition(b"\n")
    return body if checksum == _checksum(body) else None


def write_checked(path: Path, body: bytes) -> bool:
    """Write a file with its checksum under a temporary name, then rename it. Returns whether that was possible."""
    try:
        with private_folder(path.parent, make=True) as folder:
            folder.write(path.name, _checksum(body) + b"\n" + body)
    except (OSError, ValueError):
        return False
    return True


def _checksum(body: bytes) -> bytes:
    from hashlib import sha256

    return sha256(body).hexdigest().encode()


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
    for field, kind in (("name", str), ("source", str), ("nbytes", int), ("nodes", int)):
        if type(data[field]) is not kind:
            raise TypeError(f"its {field} is a {type(data[field]).__name__}")
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
    """A constant as JSON: a list of its kind and its contents."""
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
    """The reference to a kernel: to its op, or by module and name in mycel."""
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
    if not module.startswith("."):
        raise ValueError(f"{module!r} is no module of mycel")
    return getattr(importlib.import_module(module, PACKAGE), qualified)

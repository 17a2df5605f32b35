"""Files that are whole or not there: written under another name, put on the disk, and then moved to their place."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import socket
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be deleted
    fcntl = None  # type: ignore[assignment]

ABANDONED = 3600.0  # seconds after which an unfinished file that cannot be locked, or of another machine, is given up
_NAME = re.compile(r"\.mycel-([0-9a-f]{8})-(\d+)-[0-9a-f]{16}\.unfinished")
_ALWAYS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | _ALWAYS | _NO_LINK
# What systems answer that cannot put a folder on the disk by itself.
_NO_FOLDERS = (errno.EINVAL, errno.EACCES, errno.EPERM, errno.ENOTSUP, errno.EBADF)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Write a file that takes the place of `path` when the block ends, and not at all if it ends with an error.

    The earlier file stays until the new one is complete and on the disk. If the process is killed, or the machine
    stops, one of the two is there. Unfinished files of killed processes in the folder are deleted.

    Raises:
        OSError: if the file cannot be written; `filename` is `path`.
    """
    path = Path(path)
    with naming(path):
        unfinished = Unfinished(path)
        try:
            yield unfinished.file
            unfinished.sync()
            unfinished.move()
        except BaseException:
            unfinished.discard()
            raise
        sync_folder(path.parent)


class Unfinished:
    """A file that is written under a name that nobody can guess, and is to be moved to its place.

    It is locked while it is open, so that other processes know that somebody writes it; whoever makes one calls
    `sync()` and `move()`, or `discard()`.

    Attributes:
        path: where it is to be.
        temporary: where it is.
        file: the open file, to be written and read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "there is a folder of this name", str(self.path))
        delete_abandoned(self.path.parent)
        handle, self.temporary = _created(self.path.parent)
        self.file: BinaryIO = os.fdopen(handle, "r+b")

    def sync(self) -> None:
        """Put the content on the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())

    def move(self) -> None:
        """Move the file to its place, and close it."""
        if sys.platform == "win32":
            self.file.close()
        os.replace(self.temporary, self.path)
        self.file.close()

    def discard(self) -> None:
        """Close and delete the file, unless it has been moved."""
        with suppress(OSError):
            self.file.close()  # with what its buffer holds, for which there may be no room
        self.temporary.unlink(missing_ok=True)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError of an unfinished file name the file that it was to be."""
    try:
        yield
    except OSError as error:
        if error.filename is None or _NAME.fullmatch(os.path.basename(os.fspath(error.filename))):
            raise OSError(error.errno, f"{error.strerror}; the file is not written", str(path)) from None
        raise


def _created(folder: Path) -> tuple[int, Path]:
    """A new file with a name that nobody can guess. It is locked as long as it is open."""
    while True:
        temporary = folder / f".mycel-{_machine()}-{os.getpid()}-{secrets.token_hex(8)}.unfinished"
        handle = os.open(temporary, _CREATE, 0o666)
        if _lock(handle) is not False and os.fstat(handle).st_nlink:
            return handle, temporary
        os.close(handle)  # another process took it for abandoned before it was locked, and deletes it


@cache
def _machine() -> str:
    return hashlib.blake2b(socket.gethostname().encode(), digest_size=4).hexdigest()


def _lock(handle: int) -> bool | None:
    """Lock an open file; whether that was possible, and None where there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def delete_abandoned(folder: Path) -> None:
    """Delete the files of a folder that processes of this user began to write and did not live to finish."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry.path, match) for entry in entries if (match := _NAME.fullmatch(entry.name))]
    except OSError:
        return
    for path, match in found:
        with suppress(OSError):
            _delete_if_abandoned(path, match[1], int(match[2]))


def _delete_if_abandoned(path: str, machine: str, process: int) -> None:
    """Delete an unfinished file that nobody writes to. Errors of the system say that it is somebody else's."""
    handle = os.open(path, os.O_RDWR | _ALWAYS | _NO_LINK)
    try:
        locked = _lock(handle)  # who writes has it locked
        abandoned = locked is not False and _is_abandoned(os.fstat(handle), bool(locked), machine, process)
        if abandoned and locked:
            os.unlink(path)  # before the lock is given back, so that whoever gets it sees that the file is gone
    finally:
        os.close(handle)
    if abandoned and not locked:
        os.unlink(path)


def _is_abandoned(status: os.stat_result, locked: bool, machine: str, process: int) -> bool:
    """Whether the process that began a file, which is locked now or cannot be, is gone."""
    if not stat.S_ISREG(status.st_mode) or (sys.platform != "win32" and status.st_uid != os.geteuid()):
        return False
    here = machine == _machine()
    if locked and here:
        return True
    return status.st_mtime < time.time() - ABANDONED and (locked or not here or not _is_alive(process))


def _is_alive(process: int) -> bool:
    """Whether a process of this machine may be running."""
    if sys.platform == "win32":
        return False  # a file that is open there cannot be deleted
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def sync_folder(folder: Path) -> None:
    """Put the names of a folder on the disk, where a system can."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY | _ALWAYS)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDERS:
            raise
    finally:
        os.close(handle)

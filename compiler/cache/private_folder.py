"""A private folder: one that only the user can have written to, held by its handle.

Files that are read from here are executed. A path may be switched to another file between a check and a read; a handle
cannot. So each operation opens the folder once, checks its handle, and opens files relative to it; they are checked by
their own handles, and never reached through symbolic links. The folders above are checked once in a process: a user who
cannot write to any of them cannot replace the folder.

Windows has no such handles, but there the folders of a user's profile belong to the user: files are opened by path.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OTHERS = stat.S_IWGRP | stat.S_IWOTH
BY_HANDLE = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd and os.scandir in os.supports_fd
UNFINISHED = ".unfinished"

# 0 where a system lacks one. O_NONBLOCK: opening a pipe that somebody put there does not wait.
_ALWAYS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | _ALWAYS | _NO_LINK | getattr(os, "O_NONBLOCK", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _ALWAYS | _NO_LINK
_FOLDER = os.O_RDONLY | _ALWAYS | _NO_LINK | getattr(os, "O_DIRECTORY", 0)

_checked: set[str] = set()  # folders whose ancestors are safe


class NotPrivate(OSError):
    """Another user could have written to a file or folder, or could replace it."""


class PrivateFolder:
    """An open folder. Every method raises OSError if the system refuses, or if a file belongs to somebody else.

    Args:
        path: where it is.
        handle: the handle that names are relative to; None where paths are used.
    """

    def __init__(self, path: str, handle: int | None) -> None:
        self._path, self._handle = path, handle

    def _place(self, name: str) -> str:
        if os.path.basename(name) != name or not name:
            raise ValueError(f"the name of a file in a folder should have no folders in it, but is {name!r}")
        return name if self._handle is not None else os.path.join(self._path, name)

    def read(self, name: str, most: int, touch: bool = False) -> bytes:
        """The content of a file of at most `most` bytes. With `touch` its time of change is set to now."""
        handle = os.open(self._place(name), _READ, dir_fd=self._handle)
        try:
            status = os.fstat(handle)
            _check_own(status, name)
            if not stat.S_ISREG(status.st_mode):
                raise NotPrivate(f"'{name}' is no plain file")
            if status.st_size > most:
                raise OSError(f"'{name}' is larger than {most} bytes")
            parts, left = [], status.st_size
            while left and (part := os.read(handle, min(left, 1 << 20))):
                parts.append(part)
                left -= len(part)
            if touch:
                os.utime(handle if os.utime in os.supports_fd else self._place(name))
            return b"".join(parts)
        finally:
            os.close(handle)

    def write(self, name: str, content: bytes) -> None:
        """Write a file under a name that nobody can guess, and rename it when it is whole. The disk is not waited for:
        if the machine loses a part, readers see it by the checksum."""
        temporary = f"{name}.{os.urandom(8).hex()}{UNFINISHED}"
        handle = os.open(self._place(temporary), _CREATE, 0o600, dir_fd=self._handle)
        try:
            try:
                left = memoryview(content)
                while left:
                    left = left[os.write(handle, left) :]
            finally:
                os.close(handle)
            where = (self._place(temporary), self._place(name))
            os.replace(*where, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except BaseException:
            self.remove(temporary)
            raise

    def remove(self, name: str) -> bool:
        """Delete a file. Returns whether it existed."""
        try:
            os.unlink(self._place(name), dir_fd=self._handle)
        except OSError:
            return False
        return True

    def files(self) -> Iterator[tuple[str, os.stat_result]]:
        """The name and status of each plain file."""
        with os.scandir(self._path if self._handle is None else self._handle) as entries:
            for entry in entries:
                try:
                    if entry.is_file(follow_symlinks=False):
                        yield entry.name, entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # another process has just deleted it
                    continue


@contextmanager
def private_folder(path: Path, make: bool = False) -> Iterator[PrivateFolder]:
    """Open a folder.

    Args:
        path: its path; symbolic links are followed, and their targets are checked.
        make: whether it is made if it is not there, with the folders above it, for the user alone.

    Raises:
        NotPrivate: if another user could have written to it. OSError: if it cannot be opened or made.
    """
    if make:
        _make(os.path.abspath(path))
    real = os.path.realpath(path)
    if not BY_HANDLE or sys.platform == "win32":
        if not os.path.isdir(real):
            raise FileNotFoundError(f"there is no folder '{real}'")
        yield PrivateFolder(real, None)
        return
    _check_ancestors(os.path.abspath(path), real)
    handle = os.open(real, _FOLDER)
    try:
        _check_own(os.fstat(handle), real)
        yield PrivateFolder(real, handle)
    finally:
        os.close(handle)


def _make(path: str) -> None:
    """Make a folder, and the missing folders above it."""
    if os.path.isdir(path):
        return
    above = os.path.dirname(path)
    if above != path:
        _make(above)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def _check_own(status: os.stat_result, name: str) -> None:
    """Raise NotPrivate unless the user owns it and nobody else may write to it."""
    if sys.platform == "win32":
        return
    if status.st_uid != os.geteuid():
        raise NotPrivate(f"'{name}' belongs to another user")
    if status.st_mode & OTHERS:
        raise NotPrivate(f"'{name}' can be written to by other users")


def _check_ancestors(*paths: str) -> None:
    """Raise NotPrivate if another user could move a folder above away and replace it."""
    if sys.platform == "win32":
        return
    for path in paths:
        if path in _checked:
            continue
        # From the root down: entries of a folder that others cannot write to do not change meanwhile.
        for above in reversed(Path(path).parents):
            status = os.stat(above)
            if status.st_uid not in (0, os.geteuid()):
                raise NotPrivate(f"'{above}', above '{path}', belongs to another user")
            shared = status.st_mode & OTHERS
            if shared == stat.S_IWGRP and _is_own_group(status.st_gid):
                continue
            # In a folder with the sticky bit, such as /tmp, users can move only their own files.
            if shared and not status.st_mode & stat.S_ISVTX:
                raise NotPrivate(f"'{above}', above '{path}', can be written to by other users")
        _checked.add(path)


def _is_own_group(group: int) -> bool:
    """Whether a group is the private group that many systems make for each user: it has the user's name, and no other
    members."""
    if sys.platform == "win32":
        return True
    import grp
    import pwd

    try:
        entry, name = grp.getgrgid(group), pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return entry.gr_name == name and set(entry.gr_mem) <= {name}

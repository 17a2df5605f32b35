"""The texts of programs, for debuggers and tracebacks.

`linecache` has the text of each program under its file's name, whether or not there is such a file. It is the text that
runs.
"""

from __future__ import annotations

import linecache
import re
import threading
import zlib
from collections import Counter
from collections.abc import Callable

PROGRAM = "mycel.program"
"""The name of the modules that programs are: this, a dot, and the program's name."""

FILES: set[str] = set()
"""The files that programs were loaded as from; names in angle brackets are no files."""

_lock = threading.RLock()  # programs are deleted in any thread, at any time
_loaded: Counter[str] = Counter()  # how many programs have each file name


def stem_of(name: str, source: str) -> str:
    """A file name that depends only on the program."""
    base = re.sub(r"\W+", "_", name) or "program"
    return f"{base} {zlib.crc32(source.encode()):08x}"


def register(file: str, source: str, kind: Callable[[list[str]], list[str]] = list) -> str:
    """Enter a source into `linecache`, so that debuggers find it. Returns the file name. `kind`: of the lines."""
    with _lock:
        _loaded[file] += 1
    if not file.startswith("<"):
        FILES.add(file)
    linecache.cache[file] = (len(source), None, kind(source.splitlines(keepends=True)), file)
    return file


def forget(file: str) -> None:
    """Remove the source of a deleted program or function."""
    with _lock:
        _loaded[file] -= 1
        if _loaded[file] <= 0:
            del _loaded[file]
            linecache.cache.pop(file, None)

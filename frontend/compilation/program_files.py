"""Program files for debuggers, so that breakpoints can be set in programs.

A program runs from memory. If a debugger is active when it is loaded, or if the user asks, its text is also written to
a file, and its code objects carry the file's name, so that a breakpoint at `path:line` stops in the program. The file
is never read back. Without a debugger nothing is written.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from ...runtime.environment import OFF, ON, is_off
from ...runtime.program_text import stem_of
from ..state import CONTEXT
from ..tracing.trace import graph_name
from .compile_cache import compile_cache
from .stepping import is_debugged, skip_own_frames

if TYPE_CHECKING:
    from pathlib import Path
    from tempfile import TemporaryDirectory

VARIABLE = "MYCEL_PROGRAMS"
"""The environment variable: "on" for files of all programs, in the folder of the cache; a folder for files there; "off"
for none, even for a debugger."""

_saved: Counter[tuple[Path, str]] = Counter()  # how often `save_graphs` wrote a function of a name into a folder


def place_of(name: str, source: str) -> str:
    """The file that a program is loaded as from, if a debugger is active or the environment variable asks for it; else
    ""."""
    if is_off(VARIABLE) or not (os.environ.get(VARIABLE) or is_debugged()):
        return ""
    skip_own_frames()
    return write_program(name, source)


def write_program(name: str, source: str) -> str:
    """Write the text of a program to a file, whose name depends only on the program.

    It is in the folder that the environment variable names; else in that of the cache; else in one that is deleted when
    the process ends.
    """
    from pathlib import Path

    stem = re.sub(r"\W+", "_", stem_of(name, source))
    chosen = os.environ.get(VARIABLE, "")
    if chosen.lower() not in ("", *OFF, *ON):
        return write_whole(Path(chosen), f"{stem}.program.py", source)
    kept = compile_cache()
    path = None if kept is None else kept.write_text(stem, source)
    return str(path) if path is not None else write_whole(Path(_temporary().name), f"{stem}.program.py", source)


def write_whole(folder: Path, name: str, text: str) -> str:
    """Write a file completely or not at all. Returns its absolute path."""
    from pathlib import Path

    folder.mkdir(parents=True, exist_ok=True)
    path = Path(os.path.abspath(folder / name))
    unfinished = path.with_name(f"{name}.{os.urandom(8).hex()}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    return str(path)


def saved_graphs() -> Path:
    """The folder for `save_graphs`."""
    from pathlib import Path

    return Path(CONTEXT.settings.get("save_graphs_path") or ".")


def next_stem(name: str) -> str:
    """The beginning of the names of the files that `save_graphs` writes for one compilation. From a function's second
    compilation on it has a number."""
    stem = graph_name(name)
    _saved[saved_graphs(), stem] += 1
    number = _saved[saved_graphs(), stem]
    return stem if number == 1 else f"{stem}_{number}"


@cache
def _temporary() -> TemporaryDirectory[str]:
    import tempfile  # which few processes need

    return tempfile.TemporaryDirectory(prefix="mycel-programs-")

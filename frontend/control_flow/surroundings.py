"""Functions of Python and NumPy that ask the outside world: clocks, files, the system, random numbers.

Each call may give something else, though no object from outside is visible. They are known by module and name, so that
nothing is imported for them.
"""

from __future__ import annotations

import datetime
import os
import sys
import types
from collections.abc import Iterable
from typing import Any

_CLOCK = "{}() reads the clock, which differs in each run"
ANEW = "which only Python itself does in each run"
_FILE = f"{{}}() uses files or the system, {ANEW}"
_CHANCE = "{}() draws from the system's random generator, which it does anew in each run"
_SEED = "{}() sets a random generator of Python or NumPy, which it does anew in each run"

_EVERYTHING = "*"
_PATHS = "exists lexists isfile isdir islink ismount getsize getmtime getatime getctime samefile"
_ARCHIVES = {"gzip": "open GzipFile", "bz2": "open BZ2File", "lzma": "open LZMAFile", "zipfile": "ZipFile",
             "tarfile": "open TarFile", "codecs": "open", "sqlite3": "connect", "_sqlite3": "connect",
             "linecache": "getline getlines", "fileinput": "input FileInput"}  # fmt: skip
_ASKING = {
    _CLOCK: {
        "time": "time monotonic perf_counter process_time thread_time time_ns monotonic_ns perf_counter_ns "
        "process_time_ns thread_time_ns clock_gettime clock_gettime_ns localtime gmtime ctime asctime strftime",
    },
    _CHANCE: {"secrets": _EVERYTHING, "uuid": "uuid1 uuid4 uuid6 uuid7 getnode"},
    _SEED: {"numpy.random": "seed set_state"},
    _FILE: {
        **dict.fromkeys(("os", "posix", "nt", "subprocess", "tempfile", "_tempfile", "shutil", "glob", "socket",
                         "_socket", "urllib.request", "http.client", "mmap", "shelve"), _EVERYTHING),
        **dict.fromkeys(("genericpath", "posixpath", "ntpath"), _PATHS),
        **_ARCHIVES,
        **dict.fromkeys(("numpy", "numpy.lib.npyio", "numpy.core.memmap", "numpy._core.memmap", "numpy.core.multiarray",
                         "numpy._core.multiarray"),
                        "load loadtxt genfromtxt fromregex fromfile memmap save savez savez_compressed savetxt"),
    },
}  # fmt: skip
_ANSWERS = {
    (module, name): reason
    for reason, modules in _ASKING.items()
    for module, names in modules.items()
    for name in names.split()
}
_PUBLIC = {**dict.fromkeys(("posix", "nt"), "os"), **dict.fromkeys(("genericpath", "posixpath", "ntpath"), "os.path")}
_HARMLESS = frozenset(("fspath", "fsencode", "fsdecode", "strerror", "cpu_count", "process_cpu_count", "getenv",
                       "getenvb", "PathLike", "stat_result"))  # fmt: skip
"""What `os` has that asks nobody, or that a guard holds."""
_WRITES_ARRAYS = frozenset(("tofile", "dump"))

_GENERATORS = (
    ("random", "Random"), ("numpy.random.mtrand", "RandomState"), ("numpy.random", "Generator"),
    ("numpy.random", "BitGenerator"), ("numpy.random.bit_generator", "SeedSequence"),
)  # fmt: skip


_found: dict[Any, tuple[type, ...]] = {}


def _kinds() -> tuple[type, ...]:
    """The classes of random generators, of the modules that are loaded. A module that another thread is importing does
    not have all of its classes yet, and no generators."""
    modules = sys.modules
    key = len(modules), getattr(modules.get("random"), "Random", None)  # which alone is another one if it is reloaded
    known = _found.get(key)
    if known is None:
        found = [getattr(modules.get(module), name, None) for module, name in _GENERATORS]
        known = tuple([kind for kind in found if kind is not None])
        if len(known) == len(_GENERATORS):
            _found.clear()
            _found[key] = known
    return known


def is_generator(value: Any) -> bool:
    """Whether a value is a random generator of a loaded module."""
    return isinstance(value, _kinds())


def generators_among(values: Iterable[Any]) -> list[Any]:
    """The random generators among values."""
    kinds = _kinds()
    return [value for value in values if isinstance(value, kinds)]


def question(function: Any) -> str | None:
    """The reason why a function may give something else at each call, whatever its arguments; None if it does not."""
    name = getattr(function, "__name__", None)
    if type(name) is not str:
        return None
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        return _question_of_method(owner, name)
    module = getattr(function, "__module__", None)
    if type(module) is not str:
        return None
    reason = _ANSWERS.get((module, name)) or _ANSWERS.get((module, _EVERYTHING))
    if reason is None or (module in ("os", "posix", "nt") and name in _HARMLESS):
        return None
    return reason.format(f"{_PUBLIC.get(module, module)}.{name}")


def is_clock(function: Any) -> bool:
    """Whether a function reads the clock."""
    owner = getattr(function, "__self__", None)
    return getattr(function, "__module__", None) == "time" or (
        isinstance(owner, type) and issubclass(owner, datetime.date)
    )


def _question_of_method(owner: Any, name: str) -> str | None:
    """As `question`, for a method."""
    kind = owner if isinstance(owner, type) else type(owner)
    if type(owner).__name__ == "SystemRandom" and is_generator(owner):
        return _CHANCE.format(f"SystemRandom.{name}")
    if isinstance(owner, type) and issubclass(owner, datetime.date) and name in ("now", "utcnow", "today"):
        return _CLOCK.format(f"{owner.__name__}.{name}")
    paths = sys.modules.get("pathlib")  # a program with paths has loaded it
    if paths is not None and issubclass(kind, paths.Path) and not hasattr(paths.PurePath, name):
        return _FILE.format(f"{kind.__name__}.{name}")
    if name in _WRITES_ARRAYS and getattr(kind, "__module__", "") == "numpy":
        return _FILE.format(f"{kind.__name__}.{name}")
    return None


def needs_seed(function: Any) -> bool:
    """Whether a call makes or seeds a random generator. Only with a seed it gives the same numbers in each run."""
    if isinstance(function, type):
        return issubclass(function, _kinds()) and _of_generators(function)
    name = getattr(function, "__name__", "")
    if name == "default_rng":
        return _of_generators(function)
    return name == "seed" and is_generator(getattr(function, "__self__", None))


def _of_generators(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).startswith(("random", "numpy.random"))


def unseeded(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> str | None:
    """The reason why a call for which `needs_seed` is true gives other numbers in each run; None with a seed."""
    if any(value is not None for value in (*arguments, *keywords.values())):
        return None
    return f"{function.__name__}() without a seed makes a random generator that begins anew in each run"


def is_now(function: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether a call makes a NumPy date from the clock."""
    if getattr(function, "__name__", "") != "datetime64" or not arguments or not isinstance(arguments[0], str):
        return False
    return arguments[0] in ("now", "today")


def environment() -> int:
    """A number that stands for all environment variables."""
    return hash(frozenset(getattr(os.environ, "_data", os.environ).items()))

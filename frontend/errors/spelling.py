"""Spelling correction: the most similar existing name, and hints for names of PyTorch and NumPy."""

from __future__ import annotations

import dis
import functools
import importlib
import inspect
import re
import sys
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from .hints import KEYWORD_HINTS, MODULE_HINTS, NO_KEYWORDS
from .user_files import DOOR

PACKAGE = __name__.split(".")[0]
CUTOFF = 0.7  # of difflib's ratio: one wrong letter in four
# Modules that may have a name that another one lacks: the name for users, and the real one.
_HOMES = {PACKAGE: "", **{f"{PACKAGE}.{home}": f".library.{home}" for home in ("nn", "ops", "mint", "numpy")}}
_IMPORT_FROM = dis.opmap["IMPORT_FROM"]


def public_name(module: str) -> str:
    """The name that users know a module by, for its `__name__`.

    Examples:
        >>> public_name("mycel.library.functions")
        'mycel.ops'
    """
    package, _, path = module.partition(".library.")
    if not path:
        return module
    if path == "mint.functional":
        return f"{package}.mint.nn.functional"
    first, *rest = path.split(".")
    return ".".join([package, "ops" if first == "functions" else first, *rest])


def nearest(name: str, candidates: Iterable[Any]) -> str:
    """The candidate that is most similar to `name`; empty if none is similar.

    Examples:
        >>> nearest("fulgraph", ["fullgraph", "backend"])
        'fullgraph'
    """
    return _nearest(name, tuple(_sorted([item for item in candidates if isinstance(item, str) and item != name], name)))


def _sorted(candidates: Iterable[str], name: str) -> list[str]:
    """In alphabetical order, but first the names that begin with a letter of the same case as `name`."""
    return sorted(set(candidates), key=lambda item: (item[:1].isupper() != name[:1].isupper(), item))


@functools.lru_cache(maxsize=256)
def _nearest(name: str, candidates: tuple[str, ...]) -> str:
    plain = _plain(name)
    for candidate in candidates:
        if _plain(candidate) == plain:
            return candidate
    import difflib  # only errors need it

    found = difflib.get_close_matches(name, candidates, 1, CUTOFF)
    if not found:  # capitals count for less than letters
        lower = {candidate.lower(): candidate for candidate in candidates}
        found = [lower[near] for near in difflib.get_close_matches(name.lower(), list(lower), 1, CUTOFF)]
    return found[0] if found else ""


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def did_you_mean(name: str, candidates: Iterable[Any], begin: str = ": did") -> str:
    """`: did you mean '…'?` for the end of a message; empty if no candidate is similar."""
    found = nearest(name, candidates)
    return f"{begin} you mean '{found}'?" if found else ""


def missing_name(module: str, name: str, candidates: Iterable[str] | None = None) -> Exception:
    """The error that a module's `__getattr__` raises. It must call this function itself.

    For a module that searches several others there is no suggestion, so that the search stays fast.

    Args:
        module: the module's `__name__`.
        name: the name that it does not have.
        candidates: the names that it has; None for those of `dir`.

    Returns:
        An AttributeError; an ImportError in `from module import name`, where Python would drop the suggestion.
    """
    shown = public_name(module)
    place = f"'{shown}'" if shown.startswith("mindspore") else shown
    caller = _without_doors(sys._getframe(1))
    frame = None if caller is None else _without_doors(caller.f_back)
    text = f"{place} has no '{name}'" + (f" in {PACKAGE}" if shown.startswith("mindspore") else "")
    if name.startswith("_") or frame is None or _searches(frame):  # nothing private is suggested
        return AttributeError(text, name=name)
    if candidates is None:  # a module that the program took out of sys.modules gets no suggestion
        candidates = dir(sys.modules[module]) if module in sys.modules else ()
    hint = _module_hint(shown, name, candidates)
    imports = frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM
    if imports and f"{module}.{name}" not in sys.modules:
        return ImportError(f"cannot import name '{name}' from '{shown}': {PACKAGE} has no such name{hint}", name=shown)
    return AttributeError(f"{text}{hint}", name=name)


def _without_doors(frame: types.FrameType | None) -> types.FrameType | None:
    """A frame, or the nearest outer frame that is no door."""
    while frame is not None and frame.f_code.co_filename == DOOR:
        frame = frame.f_back
    return frame


def _searches(frame: types.FrameType) -> bool:
    """Whether a frame looks for a name in several modules, and continues when one does not have it."""
    owner = str(frame.f_globals.get("__name__")).split(".")[0]
    searchers = ("__getattr__", "_find", "_generated", "_has")
    return owner == "importlib" or (owner == PACKAGE and frame.f_code.co_name in searchers)


def _module_hint(shown: str, name: str, candidates: Iterable[str]) -> str:
    """The replacement of a name that a module does not have."""
    kind = shown.removeprefix(f"{PACKAGE}.").removeprefix("mindspore.")
    for place in (kind, ""):
        found = MODULE_HINTS.get(place, {}).get(name)
        if found is not None:
            return f": {found}"
    public = _sorted([item for item in candidates if not item.startswith("_")], name)
    same = next((item for item in public if _plain(item) == _plain(name)), "")
    if same:
        return f": did you mean '{same}'?"
    for home, path in _HOMES.items():
        if home != shown and _has(f"{PACKAGE}{path}", name):
            return f": did you mean {home}.{name}?"
    return did_you_mean(name, public)


def _has(path: str, name: str) -> bool:
    """Whether a module has a public name that is no module."""
    found = None if name.startswith("_") else getattr(importlib.import_module(path), name, None)
    own = str(getattr(found, "__module__", PACKAGE)).split(".")[0] == PACKAGE
    return own and not isinstance(found, types.ModuleType) and found is not None


def attribute_hint(owner: Any, name: str) -> str:
    """The replacement of an attribute that an object does not have; empty if nothing is similar."""
    try:
        candidates = dir(owner)
    except Exception:  # a `__dir__` of the user's own
        return ""
    return did_you_mean(name, [item for item in candidates if not item.startswith("_") or name.startswith("_")])


def tell_keyword(error: TypeError) -> None:
    """Add to Python's own error for an unknown keyword which keyword is meant, to that for a tensor given to a class in
    place of its object what to write, and name the class that is made.

    The error has just reached the door of the function, whose frame holds it.
    """
    step = error.__traceback__
    if step is None or step.tb_next is not None or len(error.args) != 1:
        return
    function, given = map(step.tb_frame.f_locals.get, ("_inner", "args"))
    text = str(error)
    if function is None or not text.startswith(f"{function.__qualname__}("):
        return
    found = re.search(r"got an unexpected keyword argument '(\w+)'$", text)
    if found is not None:
        text += keyword_hint(found[1], inspect.signature(function).parameters)
    elif function.__name__ == "__init__" and given and any(hasattr(value, "asnumpy") for value in given[1:]):
        name = type(given[0]).__name__
        fix = f": {name} is a class: write {name}(…) in __init__, and call that object with the tensor"
        text += fix if callable(given[0]) else ""
    if given and function.__qualname__.partition(".")[0] in [kind.__name__ for kind in type(given[0]).__mro__]:
        text = f"{type(given[0]).__name__}.{text.partition('.')[2]}"  # the method may be that of a base class
    error.args = (text.replace("_method(", "(", 1),)


def tell_overflow(error: OverflowError) -> None:
    """Replace the text of Python's own error for a number that is too large."""
    if str(error).startswith(("Python int too large", "int too large", "Python integer")):
        error.args = ("a whole number among the arguments is beyond 64 bits, or beyond the largest float",)


def no_parameters_hint(given: Any) -> str:
    """The replacement of what was given in place of a list of Parameters; empty if none is known."""
    if isinstance(given, dict):
        return ": give list(….values())"
    if inspect.ismethod(given):
        return f": call it, net.{given.__name__}()"
    return ": give its trainable_params()" if hasattr(given, "trainable_params") else ""


def keyword_hint(name: str, keywords: Iterable[str]) -> str:
    """The replacement of a keyword that a function does not have; empty if nothing is similar."""
    known = set(keywords)
    if name in NO_KEYWORDS:
        return f": {NO_KEYWORDS[name]}"
    same = [keyword for keyword in KEYWORD_HINTS.get(name, ()) if keyword in known]
    return f": did you mean '{same[0]}'?" if same else did_you_mean(name, known)


def check_keywords(function: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise TypeError for the first name that a function does not take."""
    for name in given:
        if name not in known:
            hint = keyword_hint(name, known)
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")


def bound(
    function: str, names: Sequence[str], arguments: Sequence[Any], named: Mapping[str, Any], **defaults: Any
) -> list[Any]:
    """The arguments of a call in the order of the names, as Python binds them.

    Args:
        function: how messages call the function.
        names: of its parameters.
        arguments, named: its positional and keyword arguments.
        defaults: of parameters that may be left out.

    Raises:
        TypeError: for too many arguments, a name that it does not have, an argument given twice or missing.
    """
    check_keywords(function, named, names)
    if len(arguments) > len(names):
        raise TypeError(f"{function}() takes {len(names)} arguments ({', '.join(names)}), but got {len(arguments)}")
    twice = [name for name in names[: len(arguments)] if name in named]
    if twice:
        raise TypeError(f"{function}() got multiple values for argument '{twice[0]}'")
    values = {**defaults, **dict(zip(names, arguments, strict=False)), **named}
    missing = [name for name in names if name not in values]
    if missing:
        raise TypeError(f"{function}() needs the argument '{missing[0]}'")
    return [values[name] for name in names]

"""Source search: finds the text of functions without a file, which were given to `exec` or `-c` or typed at a
prompt."""

from __future__ import annotations

import linecache
import sys
import textwrap
import types
import weakref
from collections.abc import Iterator
from typing import Any

__all__ = ["search"]

_COMPILER_FLAGS = 0x1FF0000  # the flags of `from __future__ import …` in a code object


# equal code objects have the same text
_found: weakref.WeakKeyDictionary[types.CodeType, str] = weakref.WeakKeyDictionary()


def search(code: types.CodeType, names: dict[str, Any]) -> tuple[str, list[str]] | None:
    """A file name for the text of a code object, and its lines; None if the text is gone.

    The text is searched where running code may still hold it: in string constants and variables of the functions on the
    stack, in the function's globals, on the command line, and in the history of the prompt. A text counts only if it
    compiles to this very code. It is entered into linecache, so that tracebacks show it, too.
    """
    known = _found.get(code, "")
    if known in linecache.cache:
        return known, linecache.getlines(known)
    from hashlib import blake2b  # few programs have code without a file: `import mycel` does not load it

    for text in _candidates(code, names):
        if _compiles_to(text, code):
            name = _found[code] = f"<text {blake2b(text.encode(), digest_size=4).hexdigest()}>"
            lines = text.splitlines(keepends=True)
            linecache.cache[name] = (len(text), None, lines, name)
            return name, lines
    return None


def _candidates(code: types.CodeType, names: dict[str, Any]) -> Iterator[str]:
    """Texts that may contain the function."""
    mark = "lambda" if code.co_name == "<lambda>" else f"def {code.co_name}"
    for text in _strings(names):
        if mark in text:
            yield text
            shifted = textwrap.dedent(text)
            if shifted != text:
                yield shifted
    yield from _typed(code, mark)


def _strings(names: dict[str, Any]) -> Iterator[str]:
    """The strings that can be reached."""
    seen = {id(names)}
    yield from _of(names.values())
    if "-c" in sys.orig_argv[:-1]:
        yield sys.orig_argv[sys.orig_argv.index("-c") + 1]
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        yield from _of(frame.f_code.co_consts)
        yield from _of(frame.f_locals.values())
        if id(frame.f_globals) not in seen:
            seen.add(id(frame.f_globals))
            yield from _of(frame.f_globals.values())
        frame = frame.f_back


def _of(values: Any) -> Iterator[str]:
    return (value for value in list(values) if isinstance(value, str))


def _typed(code: types.CodeType, mark: str) -> Iterator[str]:
    """The statements of the prompt's history that may contain the function, the latest first."""
    readline = sys.modules.get("readline")
    if readline is None or not code.co_filename.startswith("<"):
        return
    lines = [readline.get_history_item(place + 1) or "" for place in range(readline.get_current_history_length())]
    count = _last_line(code)
    for start in range(len(lines) - count, -1, -1):
        text = "\n".join(lines[start : start + count]) + "\n"
        if mark in text:
            yield text


def _last_line(code: types.CodeType) -> int:
    """The last line that a code object, or one inside it, has an instruction for."""
    own = max((line or 0 for _, _, line in code.co_lines()), default=code.co_firstlineno)
    return max([own, *[_last_line(item) for item in code.co_consts if isinstance(item, types.CodeType)]])


def _compiles_to(text: str, code: types.CodeType) -> bool:
    """Whether a text contains this code."""
    try:
        module = compile(text, code.co_filename, "exec", code.co_flags & _COMPILER_FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    stack = [module]
    while stack:
        found = stack.pop()
        if found.co_name == code.co_name and _same_instructions(found, code):
            return True
        stack.extend(item for item in found.co_consts if isinstance(item, types.CodeType))
    return False


def _same_instructions(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two code objects have the same instructions at the same lines."""
    same = all(
        getattr(one, name) == getattr(other, name)
        for name in ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_firstlineno", "co_flags")
    )
    if not same or len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        _same_instructions(a, b)
        if isinstance(a, types.CodeType) and isinstance(b, types.CodeType)
        else repr(a) == repr(b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )

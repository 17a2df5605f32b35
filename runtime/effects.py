"""Side effects of programs: texts with tensors in them, printing, errors."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np

from . import dtypes

Array = np.ndarray[Any, np.dtype[Any]]

Part = Union[str, int, "tuple[int, str, str]"]
"""A piece of a text: itself; `str()` of the tensor at a position; or position, conversion and format specification.

Conversions, as for a Tensor in an f-string: "" for none, "s" for `str()`, "r" for `repr()`; "n" for a tensor that
stands for a Python number, and "g" for what MindSpore's graphs print. "v" alone is the number itself, for an error.
"""

EXCEPTIONS: dict[str, type[BaseException]] = {}
"""Classes of errors that programs may raise, beside Python's own, by name."""


RECORDERS: list[Callable[[str, str, Array], None]] = []
"""Who is told of values that programs record: of each its kind, its name and its numbers."""


def tell(kind: str, name: str, array: Array) -> None:
    """Call all listeners with a copy of a value."""
    for recorder in RECORDERS:
        recorder(kind, name, np.array(array))


def render(template: Sequence[Part], arrays: Sequence[Array]) -> str:
    """The text of a template with the tensors in their places."""
    return "".join(part if isinstance(part, str) else _show(part, arrays) for part in template)


def _show(part: int | tuple[int, str, str], arrays: Sequence[Array]) -> str:
    from . import formatting  # late: most programs show no tensors

    if isinstance(part, int):
        return formatting.tensor_str(np.asarray(arrays[part]))
    position, conversion, spec = part
    array = np.asarray(arrays[position])
    if conversion in ("r", "g"):
        text = formatting.tensor_repr(array, dtypes.of_numpy(array.dtype).name, printed=conversion == "g")
        return format(text, spec)
    if conversion == "n" or (conversion == "" and spec and array.size == 1):
        return format(array.item(), spec)
    return format(formatting.tensor_str(array), spec)


def show(template: Sequence[Part], arrays: Sequence[Array]) -> None:
    """Write the text of a template to standard output."""
    sys.stdout.write(render(template, arrays))


def error(name: str, template: Sequence[Part], arrays: Sequence[Array]) -> BaseException:
    """An error of the named class, with the text of the template if there is one."""
    first = template[0] if template else ""
    if isinstance(first, tuple) and first[1] == "v":
        return exception_class(name)(np.asarray(arrays[first[0]]).item())
    return exception_class(name)(*([render(template, arrays)] if template else []))


def exception_class(name: str) -> type[BaseException]:
    """The exception class of this name, registered or Python's own. ValueError if there is none."""
    found = EXCEPTIONS.get(name, getattr(builtins, name, None))
    if isinstance(found, type) and issubclass(found, BaseException):
        return found
    raise ValueError(f"there is no exception class {name!r} that a program could raise")

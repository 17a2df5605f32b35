"""Exception classes: the errors for which Python has no class."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from ...compiler.memory.limits import MemoryLimitError as MemoryLimitError
from ...runtime.shown import public, standard


@standard
class OutOfMemoryError(MemoryError):
    """The system refuses the memory for an operation. The message says which operation, where, and how much."""


@standard
class NonFiniteError(FloatingPointError):
    """An operation made a nan or inf from finite numbers, while `debug_nans` is on."""


@public("mycel")
class GraphBreak(Exception):
    """The trace met something that a graph cannot hold, such as a read of a traced tensor's numbers.

    Then the compiled function runs eagerly, with one warning; in STRICT mode it fails with `GraphError`.

    Examples:
        >>> import mycel as ms
        >>> issubclass(ms.GraphBreak, Exception)
        True
    """

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason if not advice else f"{reason}. {advice}")
        self.reason = reason
        self.advice = advice


@standard
class NumbersBreak(GraphBreak):
    """The trace met something that needs the numbers of a traced tensor."""


@standard
class JoinBreak(GraphBreak):
    """Numbers and tensors of different kinds are joined, and only the run knows which one it is. In strict code:
    TypeError."""


@public("mycel")
class GraphError(RuntimeError):
    """A function cannot be compiled to a graph; the message says where, why, and what to do.

    Examples:
        >>> import mycel as ms
        >>> @ms.jit(fullgraph=True)
        ... def f(x):
        ...     return x * x.asnumpy().max()
        >>> try:
        ...     f(ms.Tensor([2.0]))
        ... except ms.GraphError:
        ...     print("not a graph")
        not a graph
    """


@standard
class SourceError(GraphError):
    """The source text of a function cannot be found or does not belong to the running code."""


@standard
class NumbersError(GraphError, AttributeError):
    """Code under `fullgraph` needs numbers that exist only when the program runs."""


@standard
class ParameterError(RuntimeError, ValueError):
    """A Parameter is created in compiled code."""


@standard
class ProductError(RuntimeError, ValueError):
    """The inner dimensions of a matrix product differ."""


@standard
class BackwardError(TypeError, RuntimeError):
    """A `bprop` gives too few gradients, or too many."""


@standard
class MapError(TypeError, RuntimeError):
    """A `HyperMap` or `Map` is made of something other than a MultitypeFuncGraph, or gets containers that differ."""


@public("mycel")
class DamagedFileError(ValueError, RuntimeError):
    """A file is not in the expected format: it is damaged, truncated, made for something else, or too large.

    Args:
        path: the file.
        problem: the problem, as the rest of a sentence: "its checksum differs".
        advice: the fix, as a sentence.

    Attributes:
        path: the file.

    Examples:
        >>> import mycel as ms
        >>> with open("cut.mycel", "wb") as file:
        ...     _ = file.write(b"PK")
        >>> try:
        ...     ms.load("cut.mycel")
        ... except ms.DamagedFileError as error:
        ...     print(error.path)
        cut.mycel
    """

    def __init__(self, path: Any, problem: str, advice: str = "Write it again, or take another copy of it.") -> None:
        self.path = str(path)
        self.problem = problem
        super().__init__(f"the file '{self.path}' cannot be read: {problem}. {advice}".rstrip())

    def __reduce__(self) -> Any:
        return _damaged, (self.path, self.args[0], self.problem)


def _damaged(path: str, text: str, problem: str) -> DamagedFileError:
    error = DamagedFileError(path, problem)
    error.args = (text,)
    return error


@standard
class FailedAssertion(AssertionError, RuntimeError):
    """An assertion on tensors fails in a function that must be a graph as a whole."""


@standard
class NoSourceError(SourceError):
    """The source text of a function cannot be found."""


@public("mycel")
class FallbackWarning(UserWarning):
    """A function decorated with `jit` (or run in graph mode) runs eagerly; the message says where and why.

    Examples:
        >>> import warnings
        >>> import mycel as ms
        >>> @ms.jit
        ... def f(x):
        ...     return x * x.asnumpy().max()
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     y = f(ms.Tensor([2.0]))
        >>> print(y, caught[0].category is ms.FallbackWarning)
        [4.] True
    """


@standard
class DivisionError(ZeroDivisionError, ValueError):
    """A division of Python numbers by zero in compiled code."""


@standard
class MissingKeyError(KeyError, ValueError):
    """A dict in compiled code has no such key. Its text, unlike `KeyError`'s, is a sentence."""

    place = ""  # where in the user's code it arose

    def __str__(self) -> str:
        return f"the key {self.args[0]!r} does not exist in the dict or set{self.place}"


@standard
class UnpackError(ValueError, IndexError):
    """A sequence unpacked in compiled code has too few items."""


@standard
class KeywordError(TypeError, RuntimeError):
    """A function called in compiled code has no parameter of this name."""


@standard
class GradPositionError(IndexError, RuntimeError):
    """A gradient is asked for by an argument that the function was not called with."""


@standard
class RaggedError(ValueError, TypeError):
    """A sequence of sequences is no array: their lengths differ."""


@standard
class NotCallableError(TypeError, ValueError):
    """Compiled code calls an object that is not callable."""


@standard
class NoLengthError(TypeError, AttributeError):
    """Compiled code asks for the length of an object without one."""


@standard
class UnhashableError(TypeError, RuntimeError):
    """Compiled code uses an unhashable object as a key."""


def not_a_tensor(function: str, name: str, value: Any, kinds: str = "a Tensor") -> TypeError:
    """The error for an argument that should be a Tensor, with the correction."""
    hint = ""
    if value is None:
        hint = ". A function without 'return' gives None"
    elif isinstance(value, (np.ndarray, np.generic, list, tuple, bool, int, float)):
        hint = f": write Tensor({name})" if name.isidentifier() else ": write Tensor(…)"
    return TypeError(f"{function}: '{name}' should be {kinds}, but got {type(value).__name__}{hint}")


_TWINS: tuple[tuple[type[Exception], str, type[Exception], str], ...] = (
    (ZeroDivisionError, r"", DivisionError, "{0}: the divisor is 0"),
    (
        ValueError,
        r"^not enough values to unpack \(expected (?:at least )?\d+, got (\d+)\)",
        UnpackError,
        "{0}: the sequence has {1} items, and an index should be in range[-{1}, {1})",
    ),
    (TypeError, r"got an unexpected keyword argument", KeywordError, "{0}"),
    (
        TypeError,
        r"missing \d+ required|takes .*\d+ (?:keyword-only )?arguments? .*given|takes .* positional arguments? but",
        TypeError,
        "{0}: the number of provided arguments does not fit the function's parameters",
    ),
    (
        RecursionError,
        r"^maximum recursion depth exceeded",
        RecursionError,
        "{0}: the calls exceed the function call depth limit; does the recursion end?",
    ),
    (TypeError, r"object is not callable$", NotCallableError, "{0}"),
    (TypeError, r"^object of type .* has no len\(\)$", NoLengthError, "{0}: it has no attribute '__len__'"),
    (
        TypeError,
        r"unhashable type",
        UnhashableError,
        "{0}: a dict key only supports what can be hashed, such as strings, numbers and tuples of them",
    ),
)


def twin(error: Exception) -> Exception:
    """An equal error that is caught both as Python's class and as MindSpore's class for it.

    Errors without such a second class are returned unchanged. This is for errors of Python itself, not for those that
    the user's code raises.
    """
    if type(error) is KeyError and len(error.args) == 1:
        return MissingKeyError(*error.args)
    for kind, pattern, replacement, text in _TWINS:
        if type(error) is kind and len(error.args) == 1:
            found = re.search(pattern, str(error))
            if found is not None:
                return replacement(text.format(error, *found.groups()))
    return error


@cache
def _also_runtime(kind: type[Exception]) -> type[Exception]:
    return type(kind.__name__, (RuntimeError, kind), {"__module__": kind.__module__, "__qualname__": kind.__qualname__})


def runtime_twin(error: Exception) -> Exception:
    """An equal error that is caught as RuntimeError, too: all errors of MindSpore's pipelines are.

    An error that is more than its arguments, such as an OSError with a file, is returned unchanged.
    """
    if isinstance(error, RuntimeError):
        return error
    try:
        own: Any = type(error)
        kind = _also_runtime(own)
        found = kind.__new__(kind, *error.args)
        found.__dict__.update(vars(error))
        return found if str(found) == str(error) else error
    except Exception:  # a class that cannot be derived from, or is made otherwise
        return error

"""The base of audio transformations: checks of their inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....frontend.values.tensor import Tensor
from ...docstrings import with_imports

Array = np.ndarray[Any, np.dtype[Any]]


class AudioTransform:
    """A function of an array of numbers; the result is of float32, or of float64 if the array is."""

    axes = 1  # how many axes an array has at least

    def __init_subclass__(cls) -> None:
        cls.__doc__ = cls.__doc__ and with_imports(cls.__doc__, "import numpy as np\nfrom mycel.dataset import audio")

    def __call__(self, audio: Any) -> Any:
        array = audio.asnumpy() if isinstance(audio, Tensor) else audio
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{type(self).__name__}: Input should be NumPy audio, got {type(audio)}.")
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{type(self).__name__} takes numbers, but got an array of {array.dtype}")
        if array.ndim < self.axes:
            raise RuntimeError(f"{type(self).__name__} takes {self.axes} axes or more, but got shape {array.shape}")
        dtype = np.float64 if array.dtype == np.float64 else np.float32
        return _cast(self.transform(array.astype(np.float64)), dtype)

    def transform(self, array: Array) -> Any:
        """The result for an array of float64."""
        raise NotImplementedError(f"{type(self).__name__} should define transform()")


def _cast(result: Any, dtype: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(_cast(part, dtype) for part in result)
    return result.astype(dtype) if result.dtype.kind == "f" else result


def positive(value: Any, name: str, owner: str) -> Any:
    """A number above zero.

    Raises:
        TypeError: if it is no number.
        ValueError: if it is not positive.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [int, float] ({owner}).")
    if value <= 0:
        raise ValueError(f"Input {name} is not within the required interval of (0, inf), but got {value} ({owner}).")
    return value


def one_of(value: Any, kind: Any, name: str) -> Any:
    """A member of an enumeration, or of another type. TypeError for anything else."""
    if not isinstance(value, kind):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [{kind}], but got {type(value)}.")
    return value

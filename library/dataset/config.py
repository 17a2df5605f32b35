"""Settings of pipelines: the seed of shuffles, and MindSpore's further ones, which are kept and have no effect here."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type as _need_type
from ...runtime import random
from .debug import DebugHook, PrintMetaDataHook

_settings: dict[str, Any] = {"seed": None, "seedings": 0, "num_parallel_workers": 1, "prefetch_size": 16}
_generators: dict[int, np.random.Generator] = {}  # By how often the global seed had been set; one at most.


def set_seed(seed: int) -> None:
    """Seed the shuffles and random operations of pipelines.

    Raises:
        TypeError: if `seed` is no int. ValueError: if it is negative.

    Examples:
        >>> from mycel import dataset as ds
        >>> ds.set_seed(1)
        >>> ds.config.get_seed()
        1
    """
    _need_type(seed, int, "the seed should be an int")
    if seed < 0:
        raise ValueError(f"the seed should not be negative, but got {seed}")
    _settings.update(seed=seed, seedings=random.seedings())
    _generators.clear()


def _own_seed() -> int | None:
    """The seed of `config.set_seed`, unless `mycel.set_seed` was called after it."""
    own: int | None = _settings["seed"]
    return own if _settings["seedings"] == random.seedings() else None


def get_seed() -> int:
    """The seed given last, here or to `mycel.set_seed`; 5489 before."""
    seed = random.get_seed() if _own_seed() is None else _own_seed()
    return 5489 if seed is None else seed


def generator() -> np.random.Generator:
    """The generator that shuffles and random transformations draw from.

    It starts from the seed of `config.set_seed`, or else from that of `mycel.set_seed`, again at each call of it.
    """
    own = _own_seed()
    start = 0 if own is not None else random.seedings()
    if start not in _generators:
        _generators.clear()
        _generators[start] = np.random.default_rng(random.get_seed() if own is None else own)
    return _generators[start]


def check_workers(num_parallel_workers: Any) -> None:
    """TypeError or ValueError unless a number of workers is None or a positive int."""
    if num_parallel_workers is not None:
        _check_positive(num_parallel_workers, "num_parallel_workers")


def _check_positive(value: Any, name: str) -> None:
    _need_type(value, int, f"'{name}' should be an int")
    if value < 1:
        raise ValueError(f"'{name}' should be positive, but got {value}")


def set_num_parallel_workers(num: int) -> None:
    """Accepted: pipelines run in the caller's thread. TypeError or ValueError unless `num` is a positive int."""
    check_workers(num)
    _settings["num_parallel_workers"] = num


def get_num_parallel_workers() -> int:
    """The value of `set_num_parallel_workers`."""
    return int(_settings["num_parallel_workers"])


def set_prefetch_size(size: int) -> None:
    """Accepted: nothing is prefetched. TypeError or ValueError unless `size` is a positive int."""
    _check_positive(size, "prefetch_size")
    _settings["prefetch_size"] = size


def get_prefetch_size() -> int:
    """The value of `set_prefetch_size`."""
    return int(_settings["prefetch_size"])


# Settings that are kept, without effect: the value by default, the type, and the least number.
_KEPT: dict[str, tuple[Any, type[Any], int]] = {
    "auto_num_workers": (False, bool, 0), "auto_offload": (False, bool, 0), "autotune_interval": (0, int, 0),
    "callback_timeout": (60, int, 1), "dynamic_shape": (False, bool, 0), "enable_autotune": (False, bool, 0),
    "enable_shared_mem": (True, bool, 0), "enable_watchdog": (True, bool, 0), "fast_recovery": (True, bool, 0),
    "monitor_sampling_interval": (1000, int, 1), "multiprocessing_start_method": ("fork", str, 0),
    "multiprocessing_timeout_interval": (300, int, 1), "numa_enable": (False, bool, 0),
    "sending_batches": (0, int, 0), "video_backend": ("CPU", str, 0),
}  # fmt: skip


def _setter(name: str) -> Any:
    _, kind, least = _KEPT[name]

    def keep(value: Any, *more: Any, **named: Any) -> None:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"set_{name} takes a value of type {kind.__name__}, but got {type(value).__name__}")
        if kind is int and value < least:
            raise ValueError(f"set_{name} takes a number of at least {least}, but got {value}")
        _settings[name] = value

    keep.__name__ = keep.__qualname__ = f"set_{name}"
    keep.__doc__ = f"Accepted, without effect. TypeError if it is no {kind.__name__}, ValueError if it is too small."
    return keep


def _getter(name: str) -> Any:
    def kept() -> Any:
        return _settings.get(name, _KEPT[name][0])

    kept.__name__ = kept.__qualname__ = f"get_{name}"
    kept.__doc__ = f"What `set_{name}` was given."
    return kept


for _name in _KEPT:
    globals()[f"set_{_name}"], globals()[f"get_{_name}"] = _setter(_name), _getter(_name)


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list[DebugHook] | None = None) -> None:
    """Let hooks see what goes into and out of the operations of `map`.

    Args:
        debug_mode_flag: whether they do.
        debug_hook_list: the hooks, each with its `compute`; None: one that prints dtypes and shapes.

    Raises:
        TypeError: if the flag is no bool, or the hooks are no list of DebugHook.

    Examples:
        >>> from mycel import dataset as ds
        >>> ds.config.set_debug_mode(True)
        >>> ds.config.get_debug_mode()
        True
        >>> ds.config.set_debug_mode(False)
    """
    if not isinstance(debug_mode_flag, bool):
        raise TypeError(f"debug_mode_flag isn't of type boolean, but {type(debug_mode_flag).__name__}.")
    hooks = debug_hook_list or [PrintMetaDataHook()]
    if not isinstance(hooks, list) or not all(isinstance(hook, DebugHook) for hook in hooks):
        raise TypeError("debug_hook_list should be a list of instances of subclasses of DebugHook")
    _settings["debug_hooks"] = list(hooks) if debug_mode_flag else []


def get_debug_mode() -> bool:
    """Whether `set_debug_mode` has switched hooks on."""
    return bool(debug_hooks())


def debug_hooks() -> list[DebugHook]:
    """The hooks that see the operations of `map`."""
    return _settings.get("debug_hooks", [])


class ErrorSamplesMode(IntEnum):
    """The treatment of rows that cannot be made."""

    RETURN, REPLACE, SKIP = range(3)


def set_error_samples_mode(error_samples_mode: ErrorSamplesMode) -> None:
    """Choose what `map` does with rows whose functions raise an error.

    Args:
        error_samples_mode: RETURN raises the error. SKIP leaves the row out. REPLACE puts one of the first good rows of
            the pass behind the last one for each row that is left out.

    Raises:
        TypeError: if it is no ErrorSamplesMode.

    Examples:
        >>> from mycel import dataset as ds
        >>> rows = ds.NumpySlicesDataset([0, 1, 2], shuffle=False).map(lambda x: 6 // int(x))
        >>> ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
        >>> [int(row[0]) for row in rows]
        [6, 3]
        >>> ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)
    """
    _need_type(error_samples_mode, ErrorSamplesMode, "'error_samples_mode' should be an ErrorSamplesMode")
    _settings["error_samples_mode"] = error_samples_mode


def get_error_samples_mode() -> ErrorSamplesMode:
    """What `map` does with rows whose functions raise an error."""
    mode: ErrorSamplesMode = _settings.get("error_samples_mode", ErrorSamplesMode.RETURN)
    return mode


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Accepted: how MindSpore's iterators make tensors.

    Raises:
        TypeError: if an argument is no bool.
    """
    for name, value in (("do_copy", do_copy), ("parallel_convert", parallel_convert)):
        _need_type(value, bool, f"'{name}' should be a bool")
    _settings["iterator_mode"] = {"do_copy": do_copy, "parallel_convert": parallel_convert}


def get_iterator_mode() -> dict[str, bool]:
    """The settings of `set_iterator_mode`."""
    mode: dict[str, bool] = _settings.get("iterator_mode", {"do_copy": False, "parallel_convert": False})
    return mode


class DatasetCache:
    """Accepted as the `cache` of sources, without effect: rows are read anew in every pass.

    Args:
        session_id, size, spilling, hostname, port, num_connections, prefetch_size: of MindSpore's cache server.

    Examples:
        >>> from mycel import dataset as ds
        >>> len(ds.NumpySlicesDataset([5, 6], "x")), ds.DatasetCache(1).session_id
        (2, 1)
    """

    def __init__(
        self, session_id: int, size: int = 0, spilling: bool = False, hostname: str | None = None,
        port: int | None = None, num_connections: int | None = None, prefetch_size: int | None = None,
    ) -> None:  # fmt: skip
        self.session_id, self.size, self.spilling = session_id, size, spilling

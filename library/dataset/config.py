"""Settings of pipelines: the seed of shuffles, and MindSpore's further ones, which are kept and have no effect here."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import random

_settings: dict[str, Any] = {"seed": None, "num_parallel_workers": 1, "prefetch_size": 16}
_generators: dict[int, np.random.Generator] = {}  # By how often the global seed had been set; one at most.


def set_seed(seed: int) -> None:
    """Seed the shuffles and random operations of pipelines.

    Raises:
        TypeError: if `seed` is no int. ValueError: if it is negative.
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"the seed should be an int, but got {type(seed).__name__}")
    if seed < 0:
        raise ValueError(f"the seed should not be negative, but got {seed}")
    _settings["seed"] = seed
    _generators.clear()


def get_seed() -> Any:
    """The seed given last; None before."""
    return _settings["seed"]


def generator() -> np.random.Generator:
    """The generator that shuffles and random transformations draw from.

    It starts from the seed of `config.set_seed`; without one from that of `mycel.set_seed`, anew with each call of it.
    """
    own = _settings["seed"]
    start = 0 if own is not None else random.seedings()
    if start not in _generators:
        _generators.clear()
        _generators[start] = np.random.default_rng(random.get_seed() if own is None else own)
    return _generators[start]


def set_num_parallel_workers(num: int) -> None:
    """Accepted: pipelines run in the caller's thread."""
    _settings["num_parallel_workers"] = num


def get_num_parallel_workers() -> int:
    """What `set_num_parallel_workers` was given."""
    return int(_settings["num_parallel_workers"])


def set_prefetch_size(size: int) -> None:
    """Accepted: nothing is prefetched."""
    _settings["prefetch_size"] = size


def get_prefetch_size() -> int:
    """What `set_prefetch_size` was given."""
    return int(_settings["prefetch_size"])


def set_enable_shared_mem(enable: bool) -> None:
    """Accepted, without effect."""
    _settings["enable_shared_mem"] = enable


def set_numa_enable(numa_enable: bool) -> None:
    """Accepted, without effect."""
    _settings["numa_enable"] = numa_enable


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Accepted, without effect."""
    _settings["enable_autotune"] = enable


def set_autotune_interval(interval: int) -> None:
    """Accepted, without effect."""
    _settings["autotune_interval"] = interval


def set_auto_offload(offload: bool) -> None:
    """Accepted, without effect."""
    _settings["auto_offload"] = offload


class DatasetCache:
    """Accepted as the `cache` of sources, without effect: rows are read anew in every pass.

    Args:
        session_id, size, spilling, hostname, port, num_connections, prefetch_size: of MindSpore's cache server.
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ) -> None:
        self.session_id, self.size, self.spilling = session_id, size, spilling

"""Parallel settings and communication for one process: everything is accepted, and there is one device of rank 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...frontend.values.tensor import Tensor

__all__ = [
    "GlobalComm",
    "ParallelMode",
    "barrier",
    "create_group",
    "destroy_group",
    "get_auto_parallel_context",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_process_group_ranks",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
    "reset_auto_parallel_context",
    "set_algo_parameters",
    "set_auto_parallel_context",
]


class ParallelMode:
    """Names of the ways to use several devices."""

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = (STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL)


DATA_PARALLEL_MODES = (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL)


class GlobalComm:
    """The world of processes."""

    BACKEND = "mccl"
    WORLD_COMM_GROUP = "mccl_world_group"
    INITED = False


MCCL_WORLD_COMM_GROUP = GlobalComm.WORLD_COMM_GROUP
HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"

_DEFAULTS: dict[str, Any] = {
    "device_num": 1,
    "global_rank": 0,
    "gradients_mean": False,
    "gradient_fp32_sync": True,
    "loss_repeated_mean": True,
    "parallel_mode": ParallelMode.STAND_ALONE,
    "search_mode": "recursive_programming",
    "auto_parallel_search_mode": "recursive_programming",
    "parameter_broadcast": False,
    "strategy_ckpt_load_file": "",
    "strategy_ckpt_save_file": "",
    "full_batch": False,
    "dataset_strategy": "data_parallel",
    "enable_parallel_optimizer": False,
    "parallel_optimizer_config": {},
    "enable_alltoall": False,
    "all_reduce_fusion_config": [],
    "pipeline_stages": 1,
    "pipeline_result_broadcast": False,
    "pipeline_config": {},
    "grad_accumulation_step": 1,
    "comm_fusion": {},
    "strategy_ckpt_config": {},
    "group_ckpt_save_file": "",
    "force_fp32_communication": False,
    "auto_pipeline": False,
    "sharding_propagation": False,
    "dump_local_norm": False,
    "dump_local_norm_path": "",
    "dump_device_local_norm": False,
    "mirror_mean": False,
    "parameter_parallel": False,
}
_settings: dict[str, Any] = dict(_DEFAULTS)


def set_auto_parallel_context(**kwargs: Any) -> None:
    """Set parallel options. They are kept and can be read back; the one process works as it does without them.

    Args:
        kwargs: the options of MindSpore, such as `parallel_mode`, `gradients_mean`, `device_num`.

    Raises:
        ValueError: for an unknown option, an unknown parallel mode, or more than one device.
    """
    for name, value in kwargs.items():
        if name not in _DEFAULTS:
            raise ValueError(f"set_auto_parallel_context has no option '{name}'")
        if name == "parallel_mode" and value not in ParallelMode.MODE_LIST:
            raise ValueError(f"'parallel_mode' should be one of {', '.join(ParallelMode.MODE_LIST)}, but got {value!r}")
        if name == "device_num" and value != 1:
            raise ValueError(f"there is one process, but 'device_num' is {value}")
        _settings[name] = value


def get_auto_parallel_context(attr_key: str) -> Any:
    """A parallel option as it was set. ValueError for an unknown one."""
    if attr_key not in _DEFAULTS:
        raise ValueError(f"get_auto_parallel_context has no option '{attr_key}'")
    return _settings[attr_key]


def reset_auto_parallel_context() -> None:
    """Set every parallel option to its default."""
    _settings.clear()
    _settings.update(_DEFAULTS)


def set_algo_parameters(**kwargs: Any) -> None:
    """Accepted: options of a search for parallel strategies, of which there is none in one process."""


# Communication


def init(backend_name: str | None = None) -> None:
    """Begin to communicate: nothing to do in one process. TypeError if the name is no string."""
    if backend_name is not None and not isinstance(backend_name, str):
        raise TypeError(f"init takes the name of a backend, but got {type(backend_name).__name__}")
    GlobalComm.INITED = True


def release() -> None:
    """End communication."""
    GlobalComm.INITED = False


def barrier(group: str = GlobalComm.WORLD_COMM_GROUP) -> None:
    """Wait for all processes: there are no others."""


def get_rank(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The rank of this process: 0."""
    return 0


def get_local_rank(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The rank of this process on its machine: 0."""
    return 0


def get_group_size(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The number of processes: 1."""
    return 1


def get_local_rank_size(group: str = GlobalComm.WORLD_COMM_GROUP) -> int:
    """The number of processes on this machine: 1."""
    return 1


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """The rank in the world of a rank in a group: the only one."""
    return _only_rank(group_rank_id)


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """The rank in a group of a rank in the world: the only one."""
    return _only_rank(world_rank_id)


def _only_rank(rank: int) -> int:
    if rank != 0:
        raise ValueError(f"there is one process, of rank 0, but got rank {rank}")
    return 0


def get_process_group_ranks(group: str = GlobalComm.WORLD_COMM_GROUP) -> list[int]:
    """The ranks of a group: [0]."""
    return [0]


def create_group(group: str, rank_ids: Iterable[int]) -> None:
    """Name a group of processes. ValueError unless it is of this process alone."""
    if list(rank_ids) != [0]:
        raise ValueError(f"there is one process, of rank 0, but the group '{group}' has the ranks {list(rank_ids)}")


def destroy_group(group: str) -> None:
    """Forget a group."""


# What scripts take from mindspore.parallel._utils


def _get_parallel_mode() -> str:
    return str(_settings["parallel_mode"])


def _get_device_num() -> int:
    return int(_settings["device_num"])


def _get_gradients_mean() -> bool:
    return bool(_settings["gradients_mean"])


def _get_global_rank() -> int:
    return 0


def _get_full_batch() -> bool:
    return bool(_settings["full_batch"])


def _get_pipeline_stages() -> int:
    return int(_settings["pipeline_stages"])


def _get_enable_parallel_optimizer() -> bool:
    return False


def _is_pynative_parallel() -> bool:
    return False


def _get_stage_device_num() -> int:
    return 1


def _to_full_tensor(elem: Any, *args: Any, **kwargs: Any) -> Any:
    """Data as tensors: in one process they are whole already."""
    items = [elem] if not isinstance(elem, (list, tuple)) else elem
    return tuple(item if isinstance(item, Tensor) else Tensor(item) for item in items)


def _get_auto_parallel_context(attr_key: str) -> Any:
    return get_auto_parallel_context(attr_key)


def auto_parallel_context() -> Any:
    """An object with `get_…` and `set_…` methods for the parallel options."""
    return _ContextView()


class _ContextView:
    """Reads and writes parallel options by methods named after them."""

    def __getattr__(self, name: str) -> Any:
        action, _, option = name.partition("_")
        if action == "get" and option in _DEFAULTS:
            return lambda: _settings[option]
        if action == "set" and option in _DEFAULTS:
            return lambda value: set_auto_parallel_context(**{option: value})
        raise AttributeError(name)


class Layout:
    """How a tensor would be cut over devices: kept, without meaning in one process.

    Args:
        device_matrix: the shape of the devices.
        alias_name: names of its axes.
        rank_list: the devices.
    """

    def __init__(self, device_matrix: Any, alias_name: Any, rank_list: Any = None) -> None:
        self.device_matrix = device_matrix
        self.alias_name = alias_name
        self.rank_list = rank_list

    def __call__(self, *tensor_map: Any) -> Layout:
        return self


def shard(fn: Any, in_strategy: Any = None, out_strategy: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The function itself: there is one process."""
    return fn

"""Parallel settings: how the processes of the job share the work."""

from __future__ import annotations

from typing import Any

from ...frontend.compilation.compiled import forget_programs
from ...frontend.errors.spelling import did_you_mean
from ...frontend.state import CONTEXT
from ...frontend.values.tensor import Tensor
from ...runtime.distributed.world import launched_size
from .communication import GlobalComm, get_group_size, get_rank, group_of
from .sharding import Layout, check_strategies

__all__ = [
    "Layout", "ParallelMode", "get_auto_parallel_context", "reset_auto_parallel_context", "set_algo_parameters",
    "set_auto_parallel_context", "shard",
]  # fmt: skip


class ParallelMode:
    """Names of the ways to use several devices.

    Examples:
        >>> import mycel as ms
        >>> ms.ParallelMode.DATA_PARALLEL
        'data_parallel'
    """

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = (STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL)


_PROPAGATION = "sharding_propagation"
DATA_PARALLEL_MODES = (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL)


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
    "communi_parallel_mode": "all_group_parallel",
    "optimizer_weight_shard_size": -1,
    "optimizer_weight_shard_aggregated_save": False,
    "auto_parallel_new_interface": False,
    "init_param_in_compile": True,
}
_PIPELINE = {"pipeline_interleave": False, "pipeline_scheduler": "1f1b"}  # what `pipeline_config` may hold
_settings: dict[str, Any] = dict(_DEFAULTS)


def set_auto_parallel_context(**kwargs: Any) -> None:
    """Say how the processes of the job share the work. One process works as it does without.

    Args:
        kwargs: the options of MindSpore. `parallel_mode="data_parallel"`: every process trains on batches of its own,
            and gradients are summed over all processes; `gradients_mean`: whether they are averaged;
            `parameter_broadcast`: whether training begins with the Parameters of the process of rank 0;
            `enable_parallel_optimizer`: whether each process updates only its part of the Parameters, and holds the
            optimizer's state of these alone; `comm_fusion={"allreduce": {"mode": "size", "config": 32}}`: how many
            megabytes of gradients share a message, where the size that was measured should not hold.
            `parallel_mode="semi_auto_parallel"`: operations with strategies (`shard`) are cut. Other options are kept.

    Raises:
        ValueError: for an unknown option, an unknown parallel mode, or another number of devices than there are
            processes.
        NotImplementedError: for a pipeline or a search of strategies, where there are several processes.

    Examples:
        >>> import mycel as ms
        >>> ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        >>> ms.get_auto_parallel_context("gradients_mean")
        True
        >>> ms.reset_auto_parallel_context()
    """
    size = launched_size()
    if size > 1:
        _check_search({**_settings, **kwargs})
    for name, value in kwargs.items():
        if name not in _DEFAULTS:
            raise ValueError(f"set_auto_parallel_context has no option '{name}'")
        if name == "parallel_mode":
            _check_mode(value)
        if name == "device_num" and value != size:
            there = "there is one process" if size == 1 else f"there are {size} processes"
            raise ValueError(f"{there}, but 'device_num' is {value}")
        if name == "pipeline_stages" and value != 1 and size > 1:
            raise NotImplementedError("a pipeline of several processes is not implemented: leave 'pipeline_stages' 1")
        if name == "comm_fusion":
            _check_fusion(value)
        if name == "dataset_strategy" and value not in ("full_batch", "data_parallel"):
            check_strategies(value, "dataset_strategy")
    _settings.update(kwargs)  # all or none
    if "full_batch" in kwargs:
        _settings["full_batch_is_set"] = True
    _set_partition(size)


def _set_partition(size: int) -> None:
    """Let programs be partitioned from now on, or no longer."""
    partition = None
    if size > 1 and _settings["parallel_mode"] in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL):
        partition = "full_batch" if _settings["full_batch"] else _settings["dataset_strategy"]
    if partition != CONTEXT.partition:
        CONTEXT.partition = partition
        forget_programs()


def _check_fusion(settings: Any) -> None:
    """ValueError unless they say how sums over processes share messages."""
    config = settings.get("allreduce", {}) if isinstance(settings, dict) else None
    if not isinstance(config, dict) or config.get("mode", "auto") not in ("auto", "size", "index"):
        raise ValueError(
            "'comm_fusion' should be such as {'allreduce': {'mode': 'size', 'config': 32}}, with the mode 'auto', "
            f"'size' or 'index', but got {settings!r}"
        )
    size = config.get("config")
    if config.get("mode") == "size" and (isinstance(size, bool) or not isinstance(size, int) or size <= 0):
        raise ValueError(f"the 'config' of the mode 'size' should be a number of megabytes above 0, but got {size!r}")


def bucket_bytes() -> int:
    """How large messages are into which gradients are packed: as `comm_fusion` says, or measured."""
    config = _settings["comm_fusion"].get("allreduce", {})
    return int(config["config"]) << 20 if config.get("mode") == "size" else group_of(None).bucket_bytes


def _check_mode(mode: Any) -> None:
    if mode not in ParallelMode.MODE_LIST:
        raise ValueError(f"'parallel_mode' should be one of {', '.join(ParallelMode.MODE_LIST)}, but got {mode!r}")


def _check_search(settings: dict[str, Any]) -> None:
    """NotImplementedError for searches of strategies that do not go out from those that are given."""
    if settings["parallel_mode"] == ParallelMode.AUTO_PARALLEL and _PROPAGATION not in (
        settings["search_mode"], settings["auto_parallel_search_mode"]
    ):  # fmt: skip
        raise NotImplementedError(
            f"the parallel mode 'auto_parallel' does not search by {settings['search_mode']!r}: give strategies of "
            f"some operations by 'shard', and set search_mode='{_PROPAGATION}', by which the others follow from these"
        )


def get_auto_parallel_context(attr_key: str) -> Any:
    """A parallel option as it was set. ValueError for an unknown one.

    `pipeline_interleave` and `pipeline_scheduler` are set in `pipeline_config`. `full_batch_is_set` says whether
    `full_batch` has been.

    Examples:
        >>> import mycel as ms
        >>> ms.get_auto_parallel_context("parallel_mode")
        'stand_alone'
    """
    if attr_key in _PIPELINE:
        return {**_PIPELINE, **_settings["pipeline_config"]}[attr_key]
    if attr_key == "full_batch_is_set":
        return attr_key in _settings
    if attr_key not in _DEFAULTS:
        raise ValueError(f"get_auto_parallel_context has no option '{attr_key}'")
    return _settings[attr_key]


def reset_auto_parallel_context() -> None:
    """Set every parallel option to its default.

    Examples:
        >>> import mycel as ms
        >>> ms.set_auto_parallel_context(gradients_mean=True)
        >>> ms.reset_auto_parallel_context()
        >>> ms.get_auto_parallel_context("gradients_mean")
        False
    """
    _settings.clear()
    _settings.update(_DEFAULTS)
    _set_partition(launched_size())


def set_algo_parameters(**kwargs: Any) -> None:
    """Accepted: options of a search for parallel strategies. There is no search.

    Args:
        kwargs: options of MindSpore's: `fully_use_devices`, `elementwise_op_strategy_follow`, ….

    Raises:
        ValueError: for an option that MindSpore does not have.

    Examples:
        >>> import mycel as ms
        >>> ms.set_algo_parameters(fully_use_devices=True)
    """
    for name in kwargs:
        if name not in _SEARCH_OPTIONS:
            raise ValueError(f"set_algo_parameters has no option '{name}'{did_you_mean(name, _SEARCH_OPTIONS)}")


_SEARCH_OPTIONS = (
    "fully_use_devices", "elementwise_op_strategy_follow", "enable_algo_approxi", "algo_approxi_epsilon",
    "tensor_slice_align_enable", "tensor_slice_align_size",
)  # fmt: skip


# What scripts take from mindspore.parallel._utils


def _get_parallel_mode() -> str:
    return str(_settings["parallel_mode"])


def _get_device_num() -> int:
    """How many processes share the work: one, unless there is a parallel mode."""
    return 1 if _get_parallel_mode() == ParallelMode.STAND_ALONE or not GlobalComm.INITED else get_group_size()


def is_data_parallel() -> bool:
    """Whether several processes train, each on batches of its own."""
    return _get_parallel_mode() in DATA_PARALLEL_MODES and _get_device_num() > 1


def share_training() -> bool:
    """Whether several processes train one network: on batches of their own, or with layers that they share."""
    return is_data_parallel() or CONTEXT.partition is not None


def _get_gradients_mean() -> bool:
    return bool(_settings["gradients_mean"])


def _get_global_rank() -> int:
    return get_rank() if GlobalComm.INITED else 0


def _get_full_batch() -> bool:
    return bool(_settings["full_batch"])


def _get_pipeline_stages() -> int:
    return int(_settings["pipeline_stages"])


def _get_enable_parallel_optimizer() -> bool:
    return bool(_settings["enable_parallel_optimizer"])


def _is_pynative_parallel() -> bool:
    return False


def _get_stage_device_num() -> int:
    return _get_device_num()


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


def shard(fn: Any, in_strategy: Any = None, out_strategy: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The function itself, in one process.

    Raises:
        NotImplementedError: where several processes compute each program together.

    Examples:
        >>> import mycel as ms
        >>> print(ms.shard(ms.ops.neg, ((1,),))(ms.Tensor([1.0])))
        [-1.]
    """
    if CONTEXT.partition is not None:
        raise NotImplementedError("functions and Cells have no strategies: give them to the primitives that they use")
    return fn

"""Functions of parallel training that programs import (`mindspore.parallel._utils` and the like), for one process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..distributed import parallel as _parallel
from ..distributed.communication import GlobalComm
from ..distributed.parallel import ParallelMode

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_cost_model_context"]

_algo: dict[str, Any] = {}


def _is_in_auto_parallel_mode() -> bool:
    return _parallel._get_parallel_mode() in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _is_in_data_parallel_mode() -> bool:
    return _parallel._get_parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode() -> bool:
    return _parallel._get_parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _is_parallel_mode() -> bool:
    return _parallel._get_parallel_mode() != ParallelMode.STAND_ALONE


def _is_sharding_propagation() -> bool:
    return _parallel.get_auto_parallel_context("search_mode") == "sharding_propagation"


def _check_full_batch() -> None:
    """Whether a batch may be cut: nothing to check in one process."""


def _need_to_full() -> bool:
    """Whether data has to be put together from several processes: no."""
    return False


def _get_parameter_broadcast() -> bool:
    return bool(_parallel.get_auto_parallel_context("parameter_broadcast"))


def _get_grad_accumulation_shard() -> bool:
    return False


def _device_number_check(parallel_mode: str, device_number: int) -> None:
    """ValueError for several devices without a way to use them."""
    if parallel_mode == ParallelMode.STAND_ALONE and device_number != 1:
        raise ValueError(f"If parallel_mode is STAND_ALONE, device_number must be 1, but got {device_number}.")


def _parameter_broadcast_check(parallel_mode: str, parameter_broadcast: bool) -> None:
    """ValueError where Parameters are to be sent by a process that is alone."""
    if parameter_broadcast and parallel_mode not in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL):
        raise ValueError(f"Parameter can not be broadcast when parallel_mode is {parallel_mode}.")


def _grads_divided_by_device_num_if_recomputation(grads: Any) -> Any:
    """The gradients: they are of one process."""
    return grads


def _parallel_predict_check() -> None:
    """Nothing to check in one process."""


def _is_initialized(device_target: Any = None) -> bool:
    """Whether communication has begun."""
    return bool(GlobalComm.INITED)


class Backend:
    """Names of libraries for communication."""

    UNDEFINED, HCCL, NCCL, HCCL_MPI, MCCL = "undefined", "hccl", "nccl", "hccl_mpi", "mccl"


def set_cost_model_context(**kwargs: Any) -> None:
    """Accepted: options of a search for parallel strategies. There is no search."""


def get_algo_parameters(attr_key: str) -> Any:
    """The default of an option of `set_algo_parameters`."""
    return {"fully_use_devices": True, "elementwise_op_strategy_follow": False}.get(attr_key, False)


def reset_algo_parameters() -> None:
    """Nothing to reset."""


def _set_multi_subgraphs(multi_subgraph: bool = True) -> None:
    """Accepted, as other settings of the search for strategies."""


_set_rp_matmul_mem_coef = _set_multi_subgraphs


def _is_role_worker() -> bool:
    """Whether the process works for a server of Parameters: there is none."""
    return False


_is_role_pserver = _is_role_sched = _is_role_worker


def _is_ps_mode() -> bool:
    """Whether there is a server of Parameters: no."""
    return False


def set_ps_context(**kwargs: Any) -> None:
    """Settings of a server of Parameters.

    Raises:
        RuntimeError: if one is asked for.
    """
    if kwargs.get("enable_ps"):
        raise RuntimeError("there is one process and no server of Parameters: leave out enable_ps=True")


def get_ps_context(attr_key: str) -> Any:
    """A setting of a server of Parameters: off."""
    return False


def reset_ps_context() -> None:
    """Nothing to reset."""


def _mstx_range_decorator(message: str, *options: Any, **named: Any) -> Callable[[Any], Any]:
    """For a function: accepted, for there is no profiler of devices."""
    return lambda function: function

"""MindSpore's names for parallel training that need no more than one process: `AutoParallel`, parameter servers,
strategies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...frontend.api.context import set_context
from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...runtime.distributed.world import launched_size
from .parallel import set_auto_parallel_context

__all__ = [
    "AutoParallel", "build_searched_strategy", "get_ps_context", "launch_blocking", "load_distributed_checkpoint",
    "merge_pipeline_strategys", "merge_sliced_parameter", "reset_ps_context", "set_cpu_affinity", "set_memory",
    "set_ps_context", "sync_pipeline_shared_parameters", "transform_checkpoints", "unified_safetensors",
]  # fmt: skip

UNLIMITED = "1024GB"
MODES = ("semi_auto", "sharding_propagation", "recursive_programming")
_PS_DEFAULTS: dict[str, Any] = {
    "enable_ps": False, "config_file_path": "", "scheduler_manage_port": 11202, "enable_ssl": False,
    "client_password": "", "server_password": "",
}  # fmt: skip
_ps_settings: dict[str, Any] = dict(_PS_DEFAULTS)


class AutoParallel(Cell):
    """Runs a network that is cut over the processes of the job, from the time when it is made; in one process, whole.

    It sets the parallel mode of the job: `set_auto_parallel_context`.

    Args:
        network: the Cell.
        parallel_mode: 'semi_auto', or 'sharding_propagation', which is the same here: operations without strategies
            follow those that have some. 'recursive_programming' is kept, in one process.

    Raises:
        TypeError: if `network` is no Cell. ValueError: for an unknown mode. NotImplementedError: for
            'recursive_programming' in several processes.

    Examples:
        >>> import mycel as ms
        >>> print(ms.AutoParallel(ms.nn.Dense(3, 2))(ms.ops.ones((4, 3))).shape)
        (4, 2)
    """

    def __init__(self, network: Cell, parallel_mode: str = "semi_auto") -> None:
        super().__init__(auto_prefix=False)
        need_type(network, Cell, "AutoParallel takes a Cell")
        if parallel_mode not in MODES:
            raise ValueError(f"'parallel_mode' should be one of {', '.join(MODES)}, but got {parallel_mode!r}")
        self.network = network
        self.parallel_mode = parallel_mode
        self.options: dict[str, tuple[Any, ...]] = {}
        if launched_size() > 1:
            mode = {"parallel_mode": "semi_auto_parallel"}
            if parallel_mode != "semi_auto":
                mode = {"parallel_mode": "auto_parallel", "search_mode": parallel_mode}
            set_auto_parallel_context(**mode)

    def dataset_strategy(self, config: Any) -> None:
        """Say which part of the data each process is given: 'full_batch', 'data_parallel' or strategies."""
        set_auto_parallel_context(dataset_strategy=config)
        self.options["dataset_strategy"] = (config,)

    def pipeline(self, stages: int = 1, **named: Any) -> None:
        """How many stages a pipeline has: one. NotImplementedError for more, in several processes."""
        set_auto_parallel_context(pipeline_stages=stages)
        self.options["pipeline"] = (("stages", stages), *named.items())

    def construct(self, *inputs: Any, **named: Any) -> Any:
        """Run the network."""
        return self.network(*inputs, **named)

    def get_pipeline_stages(self) -> int:
        """How many stages a pipeline has: one."""
        return 1


def _option(name: str) -> Any:
    def method(self: AutoParallel, *values: Any, **named: Any) -> None:
        self.options[name] = (*values, *named.items())

    method.__name__ = name
    method.__doc__ = "Kept in `options`, without meaning."
    return method


for _name in (
    "comm_fusion", "disable_gradient_fp32_sync", "disable_loss_repeated_mean",
    "disable_strategy_file_only_for_trainable_params", "dump_local_norm", "enable_device_local_norm",
    "enable_fp32_communication", "enable_gradients_mean", "hsdp", "load_operator_strategy_file",
    "load_param_strategy_file", "no_init_parameters_in_compile", "print_local_norm",
    "save_operator_strategy_file", "save_param_strategy_file", "set_group_ckpt_save_file", "transformer_opt",
):  # fmt: skip
    setattr(AutoParallel, _name, _option(_name))


# Parameter servers


def set_ps_context(**settings: Any) -> None:
    """Settings of parameter servers. There are none.

    Args:
        settings: `enable_ps`, which has to be False, and MindSpore's others, which are kept.

    Raises:
        ValueError: for an unknown setting. NotImplementedError: if parameter servers are to be used.

    Examples:
        >>> import mycel as ms
        >>> ms.set_ps_context(enable_ps=False)
    """
    for name, value in settings.items():
        if name not in _PS_DEFAULTS:
            raise ValueError(f"set_ps_context has no setting '{name}'")
        if name == "enable_ps" and value:
            raise NotImplementedError("there are no parameter servers: one process trains; leave 'enable_ps' False")
        _ps_settings[name] = value


def get_ps_context(attr_key: str) -> Any:
    """A setting of parameter servers as it was set. ValueError for an unknown one.

    Examples:
        >>> import mycel as ms
        >>> ms.get_ps_context("enable_ps")
        False
    """
    if attr_key not in _PS_DEFAULTS:
        raise ValueError(f"get_ps_context has no setting '{attr_key}'")
    return _ps_settings[attr_key]


def reset_ps_context() -> None:
    """Set every setting of parameter servers to its default.

    Examples:
        >>> import mycel as ms
        >>> ms.reset_ps_context()
    """
    _ps_settings.update(_PS_DEFAULTS)


def sync_pipeline_shared_parameters(net: Any) -> None:
    """Parameters that stages of a pipeline share are the same ones: there is one stage.

    Examples:
        >>> import mycel as ms
        >>> ms.sync_pipeline_shared_parameters(ms.nn.Dense(2, 2))
    """


# Checkpoints in parts


_REFUSED = """{name} raises NotImplementedError: checkpoints of several processes and strategy files are not read.

Args:
    args, kwargs: not read.

Raises:
    NotImplementedError: always.

Examples:
    >>> import mycel as ms
    >>> ms.{name}()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    NotImplementedError: {name} works on checkpoints that several processes have written ...
"""


def _in_parts(name: str) -> Callable[..., NoReturn]:
    """A function of MindSpore's that works on parts of checkpoints."""

    def refused(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            f"{name} works on checkpoints that several processes have written in parts, with a strategy file. Merge "
            "them with MindSpore into one checkpoint, which load_checkpoint reads"
        )

    refused.__name__ = refused.__qualname__ = name
    refused.__doc__ = _REFUSED.format(name=name)
    return refused


build_searched_strategy = _in_parts("build_searched_strategy")
load_distributed_checkpoint = _in_parts("load_distributed_checkpoint")
merge_pipeline_strategys = _in_parts("merge_pipeline_strategys")
merge_sliced_parameter = _in_parts("merge_sliced_parameter")
transform_checkpoints = _in_parts("transform_checkpoints")
unified_safetensors = _in_parts("unified_safetensors")


# Memory and threads of a device (`mindspore.runtime`)


def set_memory(
    init_size: str = "2GB", increase_size: str = "2GB", max_size: str = UNLIMITED, optimize_level: str = "O0",
    huge_page_reserve_size: str = "0GB",
) -> None:  # fmt: skip
    """How much memory a compiled function may take: `max_size`, as `set_context(max_device_memory=…)`.

    Args:
        max_size: a text such as "8GB".
        init_size, increase_size, optimize_level, huge_page_reserve_size: accepted, without effect.

    Raises:
        ValueError: for a text that is no size, or another `optimize_level` than 'O0' and 'O1'.

    Examples:
        >>> import mycel as ms
        >>> ms.set_memory(optimize_level="O1")
    """
    if optimize_level not in ("O0", "O1"):
        raise ValueError(f"'optimize_level' should be 'O0' or 'O1', but got {optimize_level!r}")
    if max_size != UNLIMITED:
        set_context(max_device_memory=max_size)


def launch_blocking() -> None:
    """Accepted: a call returns when everything is computed.

    Examples:
        >>> import mycel as ms
        >>> ms.launch_blocking()
    """


def set_cpu_affinity(
    enable_affinity: bool, affinity_cpu_list: Any = None, module_to_cpu_dict: Any = None, bind_file: Any = None
) -> None:
    """Accepted: the system says which processors threads run on.

    Examples:
        >>> import mycel as ms
        >>> ms.set_cpu_affinity(True)
    """

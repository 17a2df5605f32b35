"""Process-wide settings: `set_context` with graph or eager mode, memory limits, and the settings that MindSpore has."""

from __future__ import annotations

from typing import Any

from ...compiler.memory.limits import as_bytes
from ..compilation.compiled import forget_programs
from ..compilation.explanation import KINDS, SETTING as LOGGED
from ..compilation.target import COMPATIBLE, LAX, STRICT
from ..errors.spelling import did_you_mean
from ..errors.tracebacks import SETTING, is_filtering
from ..state import CONTEXT, STATE

GRAPH_MODE = 0
PYNATIVE_MODE = 1

_ACCEPTED = frozenset(
    [
        "device_target",
        "device_id",
        "max_call_depth",
        "max_device_memory",
        "enable_graph_kernel",
        "graph_kernel_flags",
        "enable_reduce_precision",
        "enable_compile_cache",
        "compile_cache_path",
        "runtime_num_threads",
        "precompile_only",
        "reserve_class_name_in_scope",
        "pynative_synchronize",
        "mempool_block_size",
        "disable_format_transform",
        "op_timeout",
        "deterministic",
        "ascend_config",
        "gpu_config",
        "print_file_path",
        "env_config_path",
        "auto_tune_mode",
        "check_bprop",
        "grad_for_scalar",
        "enable_auto_mixed_precision",
        "enable_sparse",
        "memory_optimize_level",
        "memory_offload",
        "enable_dump",
        "save_dump_path",
        "variable_memory_max_size",
        "inter_op_parallel_num",
        "aoe_tune_mode",
        "aoe_config",
        "exec_order",
        "jit_enable_inplace_ops",
        "enable_profiling",
        "profiling_options",
        "backend_policy",
        "enable_mem_reuse",
        "debug_level",
        "load_compile_cache",
        "support_binary",
        "save_compile_cache",
        "mode",
        "save_graphs",
        "save_graphs_path",
        "jit_config",
        "jit_level",
        "jit_syntax_level",
        SETTING,
        "debug_nans",
        LOGGED,
    ]
)
_DEFAULTS: dict[str, Any] = {
    "device_target": "CPU", "device_id": 0, "save_graphs": 0, "save_graphs_path": ".", "jit_syntax_level": LAX,
    "max_call_depth": 1000, "runtime_num_threads": 30, "deterministic": "OFF", "enable_graph_kernel": False,
    "max_device_memory": "1024GB", "enable_compile_cache": True, "compile_cache_path": "", "memory_optimize_level": 0,
    "grad_for_scalar": False, "inter_op_parallel_num": 0, "op_timeout": 900, "enable_reduce_precision": True,
    **dict.fromkeys(("pynative_synchronize", "check_bprop", "disable_format_transform"), False),
    **dict.fromkeys(("print_file_path", "env_config_path", "graph_kernel_flags"), ""),
    "reserve_class_name_in_scope": True, "mempool_block_size": 1.0, "jit_config": {}, "ascend_config": {},
}  # fmt: skip


def set_context(**settings: Any) -> None:
    """Change settings.

    Args:
        mode: GRAPH_MODE (0): calling a Cell runs it as a compiled program; PYNATIVE_MODE (1, the default): at once,
            op by op. Functions decorated with `jit` are compiled in either.
        save_graphs: whether each compiled function writes its stages to numbered files; an int as in MindSpore
            counts as True unless 0.
        save_graphs_path: the folder for them.
        jit_syntax_level: STRICT makes code that a graph cannot hold an error; LAX (the default) runs it eagerly with
            a warning.
        enable_compile_cache: whether compiled programs are kept on disk for later processes; True by default. The
            environment variable `MYCEL_CACHE=off` switches it off too; `python -m mycel cache` shows and clears it.
        compile_cache_path: the folder for them; by default `mycel` in the user's folder for caches.
        debug_nans: whether the first operation that makes a nan or inf out of finite numbers is a `NonFiniteError` with
            its line and the ranges of its inputs; False by default, or as the environment variable `MYCEL_DEBUG_NANS`
            says. Compiled functions are looked at after each run, and run again node by node where a result is not
            finite; Parameters are then as before the call. They are compiled anew when this changes.
        traceback_filtering: whether tracebacks of errors show the user's frames only; True by default. False, or the
            environment variable `MYCEL_TRACEBACK=full`, shows all.
        log: "compile" for a line on standard error each time that a function is traced: its arguments, why, how many
            nodes, how long it took, and whether the program came from the cache. "" is for none; by default as the
            environment variable `MYCEL_LOG` says.
        max_device_memory: the memory limit, such as "4GB", of compiled functions that have none of their own (`jit`).
        others: MindSpore's further settings are kept, and have no meaning on NumPy.

    Raises:
        ValueError: for a setting that MindSpore does not have, or a value that it does not take.
        TypeError: for a value of another type.

    Examples:
        >>> import mycel as ms
        >>> ms.set_context(mode=ms.GRAPH_MODE)
        >>> ms.get_context("mode")
        0
        >>> ms.set_context(mode=ms.PYNATIVE_MODE)
    """
    for name, value in settings.items():
        if name not in _ACCEPTED:
            raise ValueError(
                f"For 'context.set_context', the keyword argument {name} is not recognized!{_near_setting(name)}"
            )
        _check(name, value)
        if name == "mode" and value not in (GRAPH_MODE, PYNATIVE_MODE):
            raise ValueError(f"'mode' should be GRAPH_MODE (0) or PYNATIVE_MODE (1), but got {value!r}")
        if name == "max_device_memory":
            as_bytes(value)
        if name == "device_target" and value not in ("CPU", "GPU", "Ascend", "Davinci"):
            raise ValueError(
                "For 'context.set_context', the argument 'device_target' must be one of ['CPU', 'GPU', 'Ascend', "
                "'Davinci'], "
                f"but got {value}."
            )
    if settings.get("debug_nans", CONTEXT.debug_nans) != CONTEXT.debug_nans:
        CONTEXT.debug_nans = settings["debug_nans"]
        forget_programs()
    if "mode" in settings:
        CONTEXT.graph_mode = settings["mode"] == GRAPH_MODE
    CONTEXT.settings.update(settings)


_TYPES: dict[str, tuple[type, ...]] = {
    "mode": (int,), "max_call_depth": (int,), "device_id": (int,), "device_target": (str,), "save_graphs": (bool, int),
    "save_graphs_path": (str,), "enable_graph_kernel": (bool,), "jit_config": (dict,), "jit_syntax_level": (int,),
    "deterministic": (str,), "memory_optimize_level": (str,), "reserve_class_name_in_scope": (bool,),
    "inter_op_parallel_num": (int,),
    "runtime_num_threads": (int,), "enable_compile_cache": (bool, int), "compile_cache_path": (str,),
    "pynative_synchronize": (bool,), SETTING: (bool,), "debug_nans": (bool,), LOGGED: (str,),
}  # fmt: skip
_CHOICES: dict[str, tuple[Any, ...]] = {
    "deterministic": ("ON", "OFF"), "memory_optimize_level": ("O0", "O1"), "save_graphs": (0, 1, 2, 3),
    "jit_level": ("O0", "O1", "O2"), LOGGED: ("", *KINDS),
}  # fmt: skip


def _check(name: str, value: Any) -> None:
    """Raise an error for a value that a setting cannot have."""
    kinds = _TYPES.get(name)
    if kinds is not None and not isinstance(value, kinds):
        shown = kinds[0] if len(kinds) == 1 else kinds
        advice = ": write mycel.GRAPH_MODE or mycel.PYNATIVE_MODE" if name == "mode" else ""
        raise TypeError(f"The parameter '{name}' must be {shown}, but got {type(value)}{advice}")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ValueError(
            f"For 'context.set_context', the argument '{name}' must be one of {list(_CHOICES[name])}, but got {value}."
            f"{did_you_mean(str(value), _CHOICES[name], ' Did')}"
        )
    if name in ("device_id", "runtime_num_threads", "inter_op_parallel_num") and value < 0:
        raise ValueError(f"For 'context.set_context', the argument '{name}' should not be negative, but got {value}.")
    if name == "max_call_depth" and value <= 0:
        raise ValueError(
            f"For 'context.set_context', the argument 'max_call_depth' must be greater than 0, but got {value}."
        )
    if name == "jit_syntax_level" and value not in (STRICT, COMPATIBLE, LAX):
        raise ValueError(f"For 'jit_syntax_level', the value should be context.STRICT or context.LAX, but got {value}.")
    if name == "jit_config":
        for key in value:
            if key not in ("jit_level", "infer_boost"):
                raise ValueError(
                    "For 'context.set_context', the key of argument 'jit_config' must be one of ['jit_level', "
                    f"'infer_boost'], but got {key}{did_you_mean(str(key), ('jit_level', 'infer_boost'))}"
                )
    if name == "jit_config" and value.get("jit_level", "O0") not in ("O0", "O1", "O2"):
        raise ValueError(
            "For 'jit_config', the value of argument jit_level must be one of ['O0', 'O1', 'O2'], "
            f"but got {value['jit_level']}."
        )


def get_context(attr_key: str) -> Any:
    """The value of a setting; ValueError if there is none of that name.

    Examples:
        >>> import mycel as ms
        >>> ms.get_context("device_target")
        'CPU'
    """
    if STATE.trace is not None:
        STATE.trace.guards.read_value(("setting", attr_key), f"the setting '{attr_key}'", lambda: _setting(attr_key))
    return _setting(attr_key)


def _setting(attr_key: str) -> Any:
    if attr_key == "mode":
        return GRAPH_MODE if CONTEXT.graph_mode else PYNATIVE_MODE
    if attr_key not in _ACCEPTED:
        raise ValueError(
            f"For 'context.get_context', the argument {attr_key} is not recognized!{_near_setting(attr_key)}"
        )
    if attr_key == "debug_nans":
        return CONTEXT.debug_nans
    if attr_key == SETTING:
        return is_filtering()
    return CONTEXT.settings.get(attr_key, _DEFAULTS.get(attr_key))


def _near_setting(name: str) -> str:
    """The setting with the most similar name, as a question."""
    return did_you_mean(name, _ACCEPTED, " Did")


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Accepted: everything runs on the CPU.

    Examples:
        >>> import mycel as ms
        >>> ms.set_device("CPU")
    """
    set_context(device_target=device_target)


def set_deterministic(deterministic: bool) -> None:
    """Accepted: results are deterministic.

    Examples:
        >>> import mycel as ms
        >>> ms.set_deterministic(True)
    """
    if not isinstance(deterministic, bool):
        raise TypeError(f"set_deterministic takes a bool, but got {type(deterministic).__name__}")


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Set how deep calls in compiled functions may nest.

    Raises:
        TypeError: if it is no int.
        ValueError: if it is not positive.

    Examples:
        >>> import mycel as ms
        >>> ms.set_recursion_limit(1000)
    """
    _check("max_call_depth", recursion_limit)
    CONTEXT.settings["max_call_depth"] = recursion_limit


# Further options of JitConfig. All but the limit are accepted without effect.
_COMPILE_OPTIONS = (
    "memory_limit", "debug_level", "infer_boost", "backend", "opt_level", "disable_format_transform", "exec_order",
    "ge_options", "capture_mode", "dynamic", "fullgraph", "options", "suppress_infer_boost_warning",
)  # fmt: skip


class JitConfig:
    """Options of compilation, for `jit(jit_config=…)` and `Cell.set_jit_config`.

    Args:
        jit_level: "O0", "O1" or "O2"; accepted, there is one level.
        exc_mode: accepted.
        jit_syntax_level: "STRICT", or "COMPATIBLE" or "LAX".
        memory_limit: the most bytes that a run may take, an int or text such as "200MB"; see `jit`.

    Raises:
        TypeError: for an option that does not exist. ValueError: for other values.

    Examples:
        >>> import mycel as ms
        >>> f = ms.jit(lambda x: x + 1, jit_config=ms.JitConfig(jit_level="O0"))
        >>> print(f(ms.Tensor([1.0])))
        [2.]
    """

    def __init__(self, jit_level: str = "", exc_mode: str = "auto", jit_syntax_level: str = "", **kwargs: Any) -> None:
        for option in kwargs:
            if option not in _COMPILE_OPTIONS:
                raise TypeError(
                    f"JitConfig() got an unexpected keyword argument '{option}'"
                    f"{did_you_mean(option, (*_COMPILE_OPTIONS, 'jit_level', 'exc_mode', 'jit_syntax_level'))}"
                )
        if "memory_limit" in kwargs:
            as_bytes(kwargs["memory_limit"])
        for option, value, choices in (
            ("jit_level", jit_level, ["O0", "O1", "O2"]),
            ("exc_mode", exc_mode, ["auto", "sink", "no_sink"]),
            ("jit_syntax_level", jit_syntax_level, ["STRICT", "COMPATIBLE", "LAX"]),
        ):
            if value != "" and value not in choices:
                near = did_you_mean(str(value), choices, " Did")
                raise ValueError(f"For '{option}' must be one of '{choices}', but got {value!r}.{near}")
        self.jit_level = jit_level
        self.exc_mode = exc_mode
        self.jit_syntax_level = jit_syntax_level
        self.jit_config_dict = {"jit_level": jit_level, "jit_syntax_level": jit_syntax_level, **kwargs}


__all__ = [
    "GRAPH_MODE", "LAX", "PYNATIVE_MODE", "STRICT", "JitConfig", "get_context", "set_context", "set_deterministic",
    "set_device",
    "set_recursion_limit",
]  # fmt: skip

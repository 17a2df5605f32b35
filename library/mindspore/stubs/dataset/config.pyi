# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.dataset.config import (
    DatasetCache as DatasetCache, ErrorSamplesMode as ErrorSamplesMode, check_workers as check_workers,
    debug_hooks as debug_hooks, generator as generator, get_debug_mode as get_debug_mode,
    get_error_samples_mode as get_error_samples_mode, get_iterator_mode as get_iterator_mode,
    get_num_parallel_workers as get_num_parallel_workers, get_prefetch_size as get_prefetch_size,
    get_seed as get_seed, set_debug_mode as set_debug_mode, set_error_samples_mode as set_error_samples_mode,
    set_iterator_mode as set_iterator_mode, set_num_parallel_workers as set_num_parallel_workers,
    set_prefetch_size as set_prefetch_size, set_seed as set_seed,
)

def get_auto_num_workers() -> Any:
    """What `set_auto_num_workers` was given."""

def get_auto_offload() -> Any:
    """What `set_auto_offload` was given."""

def get_autotune_interval() -> Any:
    """What `set_autotune_interval` was given."""

def get_callback_timeout() -> Any:
    """What `set_callback_timeout` was given."""

def get_dynamic_shape() -> Any:
    """What `set_dynamic_shape` was given."""

def get_enable_autotune() -> Any:
    """What `set_enable_autotune` was given."""

def get_enable_shared_mem() -> Any:
    """What `set_enable_shared_mem` was given."""

def get_enable_watchdog() -> Any:
    """What `set_enable_watchdog` was given."""

def get_fast_recovery() -> Any:
    """What `set_fast_recovery` was given."""

def get_monitor_sampling_interval() -> Any:
    """What `set_monitor_sampling_interval` was given."""

def get_multiprocessing_start_method() -> Any:
    """What `set_multiprocessing_start_method` was given."""

def get_multiprocessing_timeout_interval() -> Any:
    """What `set_multiprocessing_timeout_interval` was given."""

def get_numa_enable() -> Any:
    """What `set_numa_enable` was given."""

def get_sending_batches() -> Any:
    """What `set_sending_batches` was given."""

def get_video_backend() -> Any:
    """What `set_video_backend` was given."""

def set_auto_num_workers(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_auto_offload(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_autotune_interval(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no int, ValueError if it is too small."""

def set_callback_timeout(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no int, ValueError if it is too small."""

def set_dynamic_shape(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_enable_autotune(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_enable_shared_mem(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_enable_watchdog(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_fast_recovery(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_monitor_sampling_interval(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no int, ValueError if it is too small."""

def set_multiprocessing_start_method(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no str, ValueError if it is too small."""

def set_multiprocessing_timeout_interval(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no int, ValueError if it is too small."""

def set_numa_enable(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no bool, ValueError if it is too small."""

def set_sending_batches(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no int, ValueError if it is too small."""

def set_video_backend(value: Any, *more: Any, **named: Any) -> None:
    """Accepted, without effect. TypeError if it is no str, ValueError if it is too small."""

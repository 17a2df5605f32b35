"""The device, its streams and events (`mindspore.hal`, `mindspore.runtime`): one CPU, on which all is done in order."""

from __future__ import annotations

import platform
import time

from ...runtime.arena import recycled


def _target(device_target: str | None) -> str:
    if device_target is not None and device_target not in ("CPU", "GPU", "Ascend"):
        raise ValueError(f"'device_target' should be 'CPU', 'GPU' or 'Ascend', but got {device_target!r}")
    return device_target or "CPU"


def is_available(device_target: str | None = None) -> bool:
    """Whether the device is there: the CPU is."""
    return _target(device_target) == "CPU"


def is_initialized(device_target: str | None = None) -> bool:
    """Whether the device can be used: the CPU always."""
    return _target(device_target) == "CPU"


def device_count(device_target: str | None = None) -> int:
    """The number of devices of a kind."""
    return int(is_available(device_target))


def get_device_name(device_id: int = 0, device_target: str | None = None) -> str:
    """The processor's name."""
    if not is_available(device_target):
        raise RuntimeError(f"there is no {device_target}, only the CPU")
    return platform.processor() or platform.machine()


def synchronize() -> None:
    """Wait until everything is computed: with NumPy it is when a call returns."""


def empty_cache() -> None:
    """Give back the memory of earlier results. Programs keep their arena."""
    recycled.clear()


class Stream:
    """A queue of work. There is one, which works off each operation at once.

    Args:
        priority, kwargs: accepted.
    """

    def __init__(self, priority: int = 0, **kwargs: object) -> None:
        self.priority = priority
        self.id = 0
        self.device_name = "CPU"

    def query(self) -> bool:
        """Whether all work is done: yes."""
        return True

    def synchronize(self) -> None:
        """Wait for the work of the stream: it is done."""

    def wait_event(self, event: Event) -> None:
        """Wait for an event: it has happened."""

    def wait_stream(self, stream: Stream) -> None:
        """Wait for another stream: it is done."""

    def record_event(self, event: Event | None = None) -> Event:
        """Mark this moment; the event."""
        marked = event or Event()
        marked.record(self)
        return marked


_STREAM = Stream()


def current_stream() -> Stream:
    """The one stream."""
    return _STREAM


default_stream = current_stream


def set_cur_stream(stream: Stream | None) -> None:
    """Accepted: there is one stream."""
    if stream is not None and not isinstance(stream, Stream):
        raise TypeError(f"set_cur_stream takes a Stream, but got {type(stream).__name__}")


class StreamCtx:
    """A block whose operations go to a stream."""

    def __init__(self, ctx_stream: Stream | None) -> None:
        set_cur_stream(ctx_stream)
        self.stream = ctx_stream

    def __enter__(self) -> StreamCtx:
        return self

    def __exit__(self, *error: object) -> None:
        return None


class Event:
    """A moment.

    Args:
        enable_timing: whether `elapsed_time` may be asked.
        blocking: accepted.
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False) -> None:
        self.enable_timing = enable_timing
        self._time: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Mark this moment."""
        self._time = time.perf_counter()

    def query(self) -> bool:
        """Whether the work before it is done: yes."""
        return True

    def wait(self, stream: Stream | None = None) -> None:
        """Wait for the event: it has happened."""

    def synchronize(self) -> None:
        """Wait for the event: it has happened."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to `end_event`.

        Raises:
            RuntimeError: if one of them was made without `enable_timing`, or not recorded.
        """
        if not (self.enable_timing and end_event.enable_timing):
            raise RuntimeError("elapsed_time() needs events that were made with enable_timing=True")
        if self._time is None or end_event._time is None:
            raise RuntimeError("elapsed_time() needs events that were recorded")
        return (end_event._time - self._time) * 1e3


def get_device_properties(device_id: int | None = None, device_target: str | None = None) -> None:
    """The properties of a device; a CPU has none."""


def get_device_capability(device_id: int | None = None, device_target: str | None = None) -> None:
    """The version of a device: none of a CPU."""


def get_arch_list(device_target: str | None = None) -> None:
    """The kinds of devices that programs are compiled for: none beside the CPU."""


def get_current_device() -> tuple[str, int]:
    """The device and its number."""
    return "CPU", 0


def memory_allocated(device_target: str | None = None) -> int:
    """The bytes of the device's memory in use: 0, since the CPU has no memory of its own."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def reset_peak_memory_stats(device_target: str | None = None) -> None:
    """Forget the largest number of bytes in use: there is none."""


reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats


def memory_stats(device_target: str | None = None) -> dict[str, object]:
    """The bytes of the device's memory by use: all 0."""
    names = ("total_reserved_memory", "total_allocated_memory", "total_idle_memory", "total_eager_free_memory",
             "max_reserved_memory", "max_allocated_memory")  # fmt: skip
    return dict.fromkeys(names, 0)


def memory_summary(device_target: str | None = None) -> str:
    """The numbers of `memory_stats` as a table."""
    rows = [f"| {name.replace('_', ' '):<26}| {size!s:>8} B |" for name, size in memory_stats().items()]
    line = "|" + "-" * (len(rows[0]) - 2) + "|"
    return "\n".join([line, f"|{'Memory summary':^{len(line) - 2}}|", line, *rows, line])


def memory_replay(file_path: str) -> None:
    """Accepted: there is no memory of a device whose use could be shown again."""


def dispatch_threads_num(threads_num: int) -> None:
    """Accepted: the number of threads that hand work to a device.

    Raises:
        ValueError: for a number that is not positive.
    """
    if isinstance(threads_num, bool) or not isinstance(threads_num, int) or threads_num < 1:
        raise ValueError(f"'threads_num' should be a positive int, but got {threads_num!r}")


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """Accepted: programs run in one thread, and kernels share out their own work."""


def set_kernel_launch_capture(enable_capture_graph: bool, op_capture_skip: object = None) -> None:
    """Accepted, without meaning on a CPU."""


def communication_stream() -> Stream:
    """The one stream."""
    return _STREAM

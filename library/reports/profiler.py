"""Profiles of a run (`mindspore.profiler`): which compiled functions were called, and where their time goes."""

from __future__ import annotations

import enum
import json
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from ...frontend.compilation.profile import Profile
from ...frontend.errors.classes import GraphError
from ...frontend.errors.spelling import did_you_mean
from ...frontend.errors.user_files import user_level
from ...frontend.state import STATE
from ...frontend.tracing.signature import signature as _signature
from ...runtime.records import dataclass

__all__ = [
    "AicoreMetrics", "ExportType", "Profiler", "ProfilerAction", "ProfilerActivity", "ProfilerLevel", "profile",
    "schedule", "tensorboard_trace_handler",
]  # fmt: skip

OUTPUT = "./data"
_OF_DEVICES = (
    "aic_metrics", "with_stack", "profile_memory", "data_process", "parallel_strategy", "l2_cache", "hbm_ddr", "pcie",
    "sys_io", "sys_interconnection", "host_sys", "sync_enable", "data_simplification", "record_shapes", "export_type",
    "mstx", "mstx_domain_include", "mstx_domain_exclude", "experimental_config", "op_time", "profile_communication",
    "profile_framework", "timeline_limit", "ascend_job_id", "aicore_metrics",
)  # fmt: skip
"""MindSpore's further options: accepted."""
MOST_FUNCTIONS = 10  # profiled node by node: those that took most of the time


class ProfilerLevel(enum.Enum):
    """How much is recorded. Accepted: there is one level."""

    LevelNone = "LevelNone"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class ProfilerActivity(enum.Enum):
    """Of which device. Accepted: there is the CPU."""

    NPU = "NPU"
    GPU = "GPU"
    CPU = "CPU"


class AicoreMetrics(enum.Enum):
    """Counters of Ascend devices. Accepted, without effect."""

    PipeUtilization = "PipeUtilization"
    ArithmeticUtilization = "ArithmeticUtilization"
    Memory = "Memory"
    MemoryL0 = "MemoryL0"
    MemoryUB = "MemoryUB"
    ResourceConflictRatio = "ResourceConflictRatio"
    L2Cache = "L2Cache"
    MemoryAccess = "MemoryAccess"
    AiCoreNone = "None"


class ExportType(enum.Enum):
    """The formats of reports. Accepted: text is written."""

    Db = "db"
    Text = "text"


class ProfilerAction(enum.Enum):
    """The purpose of a step."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class schedule:
    """Says of each step whether it is recorded: after `skip_first` steps, `wait` that are not, `warmup` that warm up
    and `active` that are recorded, in turn, `repeat` times (0: without end).

    Raises:
        ValueError: for a number that is negative, or no `active` step.

    Examples:
        >>> from mycel import profiler
        >>> plan = profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
        >>> [plan(step).name for step in range(5)]
        ['NONE', 'WARM_UP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """

    def __init__(self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0) -> None:
        for name, given in (("wait", wait), ("warmup", warmup), ("repeat", repeat), ("skip_first", skip_first)):
            if isinstance(given, bool) or not isinstance(given, int) or given < 0:
                raise ValueError(f"schedule's '{name}' should be an int that is not negative, but got {given!r}")
        if isinstance(active, bool) or not isinstance(active, int) or active < 1:
            raise ValueError(f"schedule's 'active' should be a positive int, but got {active!r}")
        self.wait, self.warmup, self.active, self.repeat, self.skip_first = wait, warmup, active, repeat, skip_first

    def __call__(self, step: int) -> ProfilerAction:
        if step < 0:
            raise ValueError(f"a step should not be negative, but got {step}")
        length = self.wait + self.warmup + self.active
        turn, place = divmod(step - self.skip_first, length)
        if turn < 0 or (self.repeat and turn >= self.repeat) or place < self.wait:
            return ProfilerAction.NONE
        if place < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        return ProfilerAction.RECORD_AND_SAVE if place == length - 1 else ProfilerAction.RECORD


@dataclass
class FunctionRecord:
    """The calls of one compiled function with arguments of one signature.

    Attributes:
        calls: (start, seconds) of each call; the first one compiles, if that was not done before.
        profile: its nodes, in the form of `fn.profile`; None where there is none, and `why`.
    """

    name: str
    compiled: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    calls: list[tuple[float, float]] = field(default_factory=list)
    profile: Profile | None = None
    why: str = ""

    @property
    def seconds(self) -> float:
        """The time of all calls."""
        return sum(seconds for _, seconds in self.calls)


class Profiler:
    """Records the calls of compiled functions and Cells from `start` to `stop`, and writes where their time goes.

    A function that is called inside of a compiled one is part of that one. What runs op by op, outside of compiled
    functions, is not recorded. `analyse` runs each function many times more on copies of the arguments of its first
    call, with a clock around every node, as `fn.profile` does; Parameters and random numbers stay as they were.

    Args:
        schedule: says of each step what it is for; without it, steps mean nothing.
        on_trace_ready: called with the profiler when the recording of a schedule's turn, or all of it, has ended.
        start_profile: whether recording starts at once.
        output_path: the folder that `analyse` writes to.
        profiler_level, activities, aic_metrics, profile_memory, with_stack, others: accepted: they are of other
            devices.

    Raises:
        TypeError: for arguments of the wrong kind.

    Examples:
        >>> import mycel as ms
        >>> f = ms.jit(lambda x: (x @ x).sum())
        >>> profiler = ms.Profiler(output_path="profile")
        >>> _ = f(ms.ops.ones((64, 64), ms.float32))
        >>> profiler.analyse()
        >>> "matmul" in open("profile/profile.txt").read()
        True
    """

    def __init__(
        self, profiler_level: Any = ProfilerLevel.Level0, activities: Any = None,
        schedule: Callable[[int], ProfilerAction] | None = None, on_trace_ready: Callable[..., Any] | None = None,
        start_profile: bool = True, output_path: Any = OUTPUT, **others: Any,
    ) -> None:  # fmt: skip
        for name in others:
            if name not in _OF_DEVICES:
                hint = did_you_mean(name, (*_OF_DEVICES, "profiler_level", "start_profile", "on_trace_ready"))
                warnings.warn(f"Profiler has no option '{name}'{hint}", stacklevel=user_level())
        if not isinstance(start_profile, bool):
            raise TypeError(f"'start_profile' should be a bool, but got {start_profile!r}")
        if not isinstance(output_path, (str, os.PathLike)):
            raise TypeError(f"'output_path' should be a string, but got {output_path!r}")
        for name, given in (("schedule", schedule), ("on_trace_ready", on_trace_ready)):
            if given is not None and not callable(given):
                raise TypeError(f"'{name}' should be a function, but got {given!r}")
        self.output_path = Path(output_path)
        self.schedule, self.on_trace_ready = schedule, on_trace_ready
        self.records: dict[Any, FunctionRecord] = {}
        self.metadata: dict[str, Any] = {}
        self.recording = self.running = False
        self._step = 0
        if start_profile:
            self.start()

    # Recording

    def start(self) -> None:
        """Begin to record; again after `stop`, as often as one likes.

        Raises:
            RuntimeError: if a profiler is recording already.
        """
        if STATE.observer is not None or self.running:
            raise RuntimeError("a profiler is recording already: stop it first")
        self.running = True
        self._set(self.schedule is None or self._records(self.schedule(self._step)))

    @staticmethod
    def _records(action: ProfilerAction) -> bool:
        return action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)

    def _set(self, recording: bool) -> None:
        self.recording = recording
        STATE.observe(self._call if recording else None)

    def step(self) -> None:
        """A step of the schedule has ended.

        Raises:
            RuntimeError: if it is not running.
        """
        if not self.running:
            raise RuntimeError("the profiler is not running: call start first")
        ended, self._step = self._step, self._step + 1
        if self.schedule is None:
            return
        if self.schedule(ended) is ProfilerAction.RECORD_AND_SAVE:
            self._set(False)
            self._ready()
            self.records = {}
        self._set(self._records(self.schedule(self._step)))

    def stop(self) -> None:
        """End recording.

        Raises:
            RuntimeError: if it is not running.
        """
        if not self.running:
            raise RuntimeError("the profiler is not running: call start first")
        self.running = False
        self._set(False)
        if self.schedule is None or self.records:
            self._ready()

    def _ready(self) -> None:
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def _call(self, compiled: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make a call of a compiled function, and note how long it takes."""
        leaves: list[Any] = []
        key = (id(compiled), *[_signature(value, leaves) for value in (*args, *kwargs.items())])
        record = self.records.get(key)
        if record is None:
            record = self.records[key] = FunctionRecord(compiled.name, compiled, args, dict(kwargs))
        STATE.observe(None)
        began = time.perf_counter()
        try:
            return compiled(*args, **kwargs)
        finally:
            record.calls.append((began, time.perf_counter() - began))
            STATE.observe(self._call if self.recording else None)

    # Results

    def add_metadata(self, key: str, value: str) -> None:
        """Write a text along."""
        self.metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Write a value along that is given as JSON."""
        self.metadata[key] = json.loads(value)

    def analyse(
        self, offline_path: Any = None, pretty: bool = False, step_list: Any = None, mode: str = "sync"
    ) -> None:
        """Stop recording if it has not stopped, profile the recorded functions, and write the result.

        In `output_path` are then `profile.txt` (a table of the functions, and of the nodes of each), `profile.json`
        (the same as data) and `trace_view.json` (the calls in time, for chrome://tracing).
        """
        if self.running:
            self.stop()
        self.write(self.output_path)

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Profile the recorded functions, and write the result to a folder; see `analyse`."""
        records = self.profiled()
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        (place / "profile.txt").write_text(_table(records) + "\n", encoding="utf-8")
        functions = [
            {
                "name": record.name, "calls": len(record.calls), "seconds": record.seconds, "why": record.why,
                "nodes": [] if record.profile is None else [asdict(line) for line in record.profile.lines],
            }
            for record in records
        ]  # fmt: skip
        content = {"functions": functions, "metadata": self.metadata}
        (place / "profile.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
        events = [
            {"name": record.name, "ph": "X", "pid": os.getpid(), "tid": 0, "ts": start * 1e6, "dur": seconds * 1e6}
            for record in records
            for start, seconds in record.calls
        ]
        (place / "trace_view.json").write_text(json.dumps({"traceEvents": events}), encoding="utf-8")

    def profiled(self) -> list[FunctionRecord]:
        """The functions that were called, the one that took most time first, with the profiles of their nodes."""
        records = sorted(self.records.values(), key=lambda record: -record.seconds)
        for number, record in enumerate(records):
            if record.profile is None and not record.why:
                if number >= MOST_FUNCTIONS:
                    record.why = f"only the {MOST_FUNCTIONS} functions that took most time are profiled node by node"
                    continue
                try:
                    record.profile = record.compiled.profile(*record.args, **record.kwargs)
                except GraphError as error:
                    record.why = str(error)
        return records

    def __enter__(self) -> Profiler:
        if not self.running:
            self.start()
        return self

    def __exit__(self, *error: Any) -> None:
        if self.running:
            self.stop()


class profile(Profiler):
    """`Profiler` as a context: `with profile(on_trace_ready=tensorboard_trace_handler("folder")) as p: …; p.step()`.

    Args:
        activities, schedule, on_trace_ready, start_profile, others: as those of `Profiler`.
    """

    def __init__(
        self, activities: Any = None, schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None, start_profile: bool = True, **others: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            activities=activities, schedule=schedule, on_trace_ready=on_trace_ready, start_profile=False, **others
        )
        self._starts = start_profile

    def __enter__(self) -> profile:
        if self._starts and not self.running:
            self.start()
        return self


def tensorboard_trace_handler(
    dir_name: str | None = None, worker_name: str | None = None, analyse_flag: bool = True, async_mode: bool = False
) -> Callable[[Profiler], None]:
    """A function for `on_trace_ready` that writes what `Profiler.analyse` writes into a folder (the profiler's own
    without `dir_name`), one for each turn of a schedule: the second in `turn_2` and so on."""
    turns = 0

    def handler(profiler: Profiler) -> None:
        nonlocal turns
        turns += 1
        place = Path(dir_name) if dir_name is not None else profiler.output_path
        profiler.write(place if turns == 1 else place / f"turn_{turns}")

    return handler


class _ExperimentalConfig:
    """Settings of Ascend devices. Accepted, without effect."""

    def __init__(self, **settings: Any) -> None:
        self.settings = settings


def _table(records: list[FunctionRecord]) -> str:
    if not records:
        return "No compiled function was called while the profiler was recording."
    width = max(8, *(len(record.name) for record in records))
    lines = [f"{'function':<{width}}  {'calls':>6}  {'total ms':>10}  {'first ms':>9}  {'others ms':>9}"]
    for record in records:
        others = [seconds for _, seconds in record.calls[1:]]
        mean = f"{sum(others) / len(others) * 1e3:9.3f}" if others else f"{'':9}"
        first = record.calls[0][1] * 1e3
        figures = f"{len(record.calls):>6}  {record.seconds * 1e3:>10.3f}  {first:>9.3f}  {mean}"
        lines.append(f"{record.name:<{width}}  {figures}".rstrip())
    for record in records:
        lines += ["", str(record.profile) if record.profile is not None else f"{record.name}: {record.why}"]
    return "\n".join(lines)

"""Summaries: scalars, images, tensors and histograms of a training in files of events, as MindSpore writes them.

A file is a sequence of records (`library/saving/wire.py`), each an event: `wall_time`, and `version` or `step` and a
list of values with their tags.
"""

from __future__ import annotations

import math
import os
import re
import socket
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import effects
from ..saving import wire
from ..train.callback import Callback, number_of

__all__ = ["SummaryCollector", "SummaryRecord"]

VERSION = "MindSpore.Event:1"
PLUGINS = ("scalar", "image", "tensor", "histogram")
FLOAT32 = 11  # the number of the dtype in events
MOST_BINS, ROWS_A_BIN = 90, 10
DEFAULT_HISTOGRAMS = 5
COLLECTED = ("collect_metric", "collect_input_data", "histogram_regular")
# What MindSpore collects besides, for MindInsight's other pages.
ELSEWHERE = (
    "collect_graph", "collect_train_lineage", "collect_eval_lineage", "collect_dataset_graph", "collect_landscape"
)  # fmt: skip


# Values as events hold them


def scalar_value(array: np.ndarray) -> bytes:
    """The first number."""
    return wire.float_field(3, float(array.ravel()[0]))


def tensor_value(array: np.ndarray) -> bytes:
    """Shape and numbers, in float32."""
    dims = b"".join(wire.number_field(1, size) for size in array.shape)
    numbers = wire.bytes_field(3, np.ascontiguousarray(array, "<f4").tobytes())
    return wire.bytes_field(8, dims + wire.number_field(2, FLOAT32) + numbers)


def histogram_value(array: np.ndarray) -> bytes:
    """Counts in bins of equal width, and extremes, sum and number of all."""
    numbers = array.ravel().astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    parts = []
    low = high = total = 0.0
    if len(finite):
        low, high, total = float(finite.min()), float(finite.max()), float(finite.sum())
        edges_low, edges_high = (low, high) if low != high else (low - 0.5, high + 0.5)
        counts, edges = np.histogram(finite, bins=_bins(len(finite)), range=(edges_low, edges_high))
        for count, left, right in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            bucket = wire.double_field(1, left) + wire.double_field(2, right - left) + wire.number_field(3, count)
            parts.append(wire.bytes_field(1, bucket))
    odd = (np.isnan(numbers).sum(), np.isposinf(numbers).sum(), np.isneginf(numbers).sum())
    parts += [wire.number_field(2 + position, int(count)) for position, count in enumerate(odd)]
    parts += [wire.double_field(5, high), wire.double_field(6, low), wire.double_field(7, total)]
    return wire.bytes_field(9, b"".join(parts) + wire.number_field(8, len(numbers)))


def _bins(count: int) -> int:
    if count <= 5:
        return 2
    return 3 if count <= 10 else min(count // ROWS_A_BIN + 1, MOST_BINS)


def image_value(array: np.ndarray) -> bytes:
    """The images side by side, eight in a row, as a PNG file; numbers that are no uint8 are brought to 0 … 255."""
    count, channels, height, width = array.shape
    columns = min(count, 8)
    rows = -(-count // columns)
    canvas = np.zeros((rows * columns, channels, height, width), array.dtype)
    canvas[:count] = array
    grid = canvas.reshape(rows, columns, channels, height, width).transpose(0, 3, 1, 4, 2)
    pixels = grid.reshape(rows * height, columns * width, channels)
    if channels == 1:
        pixels = np.repeat(pixels, 3, axis=2)
    if pixels.dtype != np.uint8:
        low, high = float(pixels.min()), float(pixels.max())
        shift, scale = (0.0, 255.0) if low >= 0 and high <= 1 else (low, 255 / (high - low + 1))
        pixels = ((pixels.astype(np.float32) - np.float32(shift)) * np.float32(scale)).astype(np.uint8)
    sizes = wire.number_field(1, pixels.shape[0]) + wire.number_field(2, pixels.shape[1]) + wire.number_field(3, 3)
    return wire.bytes_field(4, sizes + wire.bytes_field(4, png(pixels)))


def png(pixels: np.ndarray) -> bytes:
    """A PNG file of pixels in uint8, of shape (height, width, 3)."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in np.ascontiguousarray(pixels))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


_ENCODERS: dict[str, Callable[[np.ndarray], bytes]] = {
    "scalar": scalar_value, "image": image_value, "tensor": tensor_value, "histogram": histogram_value
}  # fmt: skip


class SummaryRecord:
    """Writes values into a file of events.

    Values that a network passes to `ops.ScalarSummary`, `ImageSummary`, `TensorSummary` and `HistogramSummary` while a
    record is open are written, too, at the next `record`.

    Args:
        log_dir: the folder, made if it is not there.
        file_prefix, file_suffix: of the file's name.
        num_process: accepted: the caller's thread writes.
        network: accepted: graphs are not written (`stages` and `export` do that).
        max_file_size: how many bytes the file may get; what would make it larger is left out. None for any.
        raise_exception: whether a failure to write is an error; otherwise `record` gives False.
        export_options: `{"tensor_format": "npy"}` to write tensors as files of their own, too.

    Raises:
        TypeError: for arguments of the wrong kind. ValueError: for unknown options.

    Examples:
        >>> import mycel as ms
        >>> with ms.SummaryRecord("summary") as record:
        ...     record.add_value("scalar", "loss", ms.Tensor(0.5))
        ...     record.record(step=1)
        True
    """

    def __init__(
        self, log_dir: Any, file_prefix: str = "events", file_suffix: str = "_MS", num_process: int = 32,
        network: Cell | None = None, max_file_size: int | None = None, raise_exception: bool = False,
        export_options: dict[str, str | None] | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(log_dir, (str, os.PathLike)):
            raise TypeError(f"'log_dir' should be a string, but got {log_dir!r}")
        for name, given in (("file_prefix", file_prefix), ("file_suffix", file_suffix)):
            if not isinstance(given, str):
                raise TypeError(f"'{name}' should be a string, but got {given!r}")
            if os.path.basename(given) != given:
                raise ValueError(f"'{name}' should be part of a file's name, but got {given!r}")
        if max_file_size is not None and (isinstance(max_file_size, bool) or not isinstance(max_file_size, int)):
            raise TypeError(f"'max_file_size' should be an int, but got {max_file_size!r}")
        options = export_options or {}
        if not isinstance(options, dict) or set(options) - {"tensor_format"} or set(options.values()) - {"npy", None}:
            raise ValueError(f"'export_options' should be {{'tensor_format': 'npy'}}, but got {export_options!r}")
        self._folder = Path(log_dir)
        self._folder.mkdir(parents=True, exist_ok=True)
        now = time.time()
        name = f"{file_prefix}.out.events.summary.{int(now)}.{os.getpid()}.{socket.gethostname()}{file_suffix}"
        self._path = self._folder / name
        self._limit, self._raises, self._options = max_file_size, raise_exception, options
        self._mode = "train"
        self._values: dict[tuple[str, str], np.ndarray] = {}
        self._closed = False
        self._write(wire.double_field(1, now) + wire.bytes_field(3, VERSION.encode()))
        effects.RECORDERS.append(self._take)

    @property
    def log_dir(self) -> str:
        """The name of the file."""
        return str(self._path)

    def set_mode(self, mode: str) -> None:
        """Whether the network is in 'train' or 'eval'. In 'eval' values that it records itself are not written.

        Raises:
            ValueError: for another mode.
        """
        if mode not in ("train", "eval"):
            raise ValueError(f"the mode should be 'train' or 'eval', but got {mode!r}")
        self._mode = mode

    def _take(self, plugin: str, tag: str, array: np.ndarray) -> None:
        if self._mode == "train":
            self._values[plugin, tag] = array

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Keep a value for the next `record`; of several of one name the last one counts.

        Args:
            plugin: 'scalar', 'image' (numbers of shape (N, 1 or 3, H, W)), 'tensor' or 'histogram'.
            name: the tag.
            value: a tensor.

        Raises:
            ValueError: for another plugin, no name, or numbers of the wrong shape. TypeError: if it is no tensor.
        """
        if plugin not in PLUGINS:
            raise ValueError(f"'plugin' should be one of {', '.join(PLUGINS)}, but got {plugin!r}")
        if not isinstance(name, str) or not name:
            raise ValueError(f"'name' should be a string that is not empty, but got {name!r}")
        if not isinstance(value, Tensor):
            raise TypeError(f"'value' should be a tensor, but got {type(value).__name__}")
        array = np.array(value.asnumpy())
        _check(plugin, name, array)
        self._values[plugin, name] = array

    def record(
        self, step: int, train_network: Cell | None = None, plugin_filter: Callable[[str], bool] | None = None
    ) -> bool:
        """Write the values that were added since the last call.

        Args:
            step: the number of the step.
            train_network: accepted: graphs are not written.
            plugin_filter: whether values of a plugin are written; the others are dropped.

        Returns:
            Whether everything was written.

        Raises:
            TypeError: if `step` is no int.
        """
        if isinstance(step, bool) or not isinstance(step, int):
            raise TypeError(f"'step' should be an int, but got {step!r}")
        if self._closed:
            return False
        values, self._values = self._values, {}
        parts = []
        for (plugin, tag), array in values.items():
            if plugin_filter is not None and not plugin_filter(plugin):
                continue
            parts.append(wire.bytes_field(1, wire.bytes_field(1, tag.encode()) + _ENCODERS[plugin](array)))
            if plugin == "tensor" and self._options.get("tensor_format") == "npy":
                self._export(tag, step, array)
        if not parts:
            return True
        event = wire.double_field(1, time.time()) + wire.number_field(2, step)
        return self._write(event + wire.bytes_field(5, b"".join(parts)))

    def _export(self, tag: str, step: int, array: np.ndarray) -> None:
        folder = self._folder / "export_tensor"
        folder.mkdir(exist_ok=True)
        np.save(folder / f"{re.sub(r'[^0-9A-Za-z_.-]', '_', tag)}_{step}.npy", array)

    def _write(self, event: bytes) -> bool:
        content = wire.record(event)
        try:
            size = self._path.stat().st_size if self._path.exists() else 0
            if self._limit is not None and size + len(content) > self._limit:
                return False
            with open(self._path, "ab") as file:
                file.write(content)
        except OSError:
            if self._raises:
                raise
            return False
        return True

    def flush(self) -> None:
        """Everything recorded is in the file already."""

    def close(self) -> None:
        """End the recording. Values that were added and not recorded are dropped."""
        if not self._closed:
            self._closed = True
            effects.RECORDERS.remove(self._take)

    def __enter__(self) -> SummaryRecord:
        if self._closed:
            raise ValueError("this SummaryRecord is closed")
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def _check(plugin: str, name: str, array: np.ndarray) -> None:
    if plugin == "scalar" and array.size != 1:
        raise ValueError(f"the scalar '{name}' should be one number, but has the shape {array.shape}")
    if plugin == "image" and (array.ndim != 4 or array.shape[1] not in (1, 3) or not array.size):
        raise ValueError(f"the image '{name}' should have the shape (N, 1 or 3, H, W), but has {array.shape}")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"'{name}' should hold numbers, but holds {array.dtype}")


class SummaryCollector(Callback):
    """Collects the loss, images among the inputs and histograms of Parameters while a `Model` trains.

    Args:
        summary_dir: the folder that a SummaryRecord writes to.
        collect_freq: every how many steps.
        num_process, custom_lineage_data, collect_tensor_freq: accepted.
        collect_specified_data: `collect_metric` (the loss), `collect_input_data` (images) and `histogram_regular` (a
            regular expression of names of the optimizer's Parameters; None for the first five). What else MindSpore
            collects (graphs, lineage) is not written.
        keep_default_action: whether what is not named in `collect_specified_data` is collected.
        max_file_size, export_options: as those of SummaryRecord.

    Raises:
        ValueError: for unknown names, or numbers out of range. TypeError: for arguments of the wrong kind.

    Examples:
        >>> import tempfile
        >>> from mycel import train
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     train.SummaryCollector(folder, collect_freq=5).__class__.__name__
        'SummaryCollector'
    """

    def __init__(
        self, summary_dir: Any, collect_freq: int = 10, num_process: int = 32,
        collect_specified_data: dict[str, Any] | None = None, keep_default_action: bool = True,
        custom_lineage_data: dict[str, Any] | None = None, collect_tensor_freq: int | None = None,
        max_file_size: int | None = None, export_options: dict[str, str | None] | None = None,
    ) -> None:  # fmt: skip
        if isinstance(collect_freq, bool) or not isinstance(collect_freq, int):
            raise TypeError(f"'collect_freq' should be an int, but got {collect_freq!r}")
        if collect_freq < 1:
            raise ValueError(f"'collect_freq' should be positive, but got {collect_freq}")
        wanted = {} if collect_specified_data is None else collect_specified_data
        if not isinstance(wanted, dict):
            raise TypeError(f"'collect_specified_data' should be a dict, but got {wanted!r}")
        unknown = set(wanted) - set(COLLECTED) - set(ELSEWHERE)
        if unknown:
            raise ValueError(f"'collect_specified_data' may name {', '.join(COLLECTED)}, but names {sorted(unknown)}")
        pattern = wanted.get("histogram_regular")
        if pattern is not None and not isinstance(pattern, str):
            raise TypeError(f"'histogram_regular' should be a string, but got {pattern!r}")
        try:
            self._pattern = None if pattern is None else re.compile(pattern)
        except re.error as error:
            raise ValueError(f"'histogram_regular' is no regular expression: {error}") from None
        self._every = collect_freq
        self._collected = {name: bool(wanted.get(name, keep_default_action)) for name in COLLECTED}
        self._collected["histogram_regular"] = "histogram_regular" in wanted or keep_default_action
        self._made = (summary_dir, max_file_size, export_options)
        self._record: SummaryRecord | None = None
        self._depth = 0

    def __enter__(self) -> SummaryCollector:
        if self._record is None:
            folder, size, options = self._made
            self._record = SummaryRecord(folder, max_file_size=size, export_options=options)
        self._depth += 1  # Model enters its callbacks, too.
        return self

    def __exit__(self, *error: Any) -> None:
        self._depth -= 1
        if self._record is not None and self._depth <= 0:
            self._record.close()
            self._record = None

    def begin(self, run_context: Any) -> None:
        """Open the file, if the run does not use this as a context."""
        if self._record is None:
            self.__enter__()
        assert self._record is not None
        self._record.set_mode(run_context.original_args().mode)

    def step_end(self, run_context: Any) -> None:
        """Collect and write, at the first step and then every `collect_freq` steps."""
        args = run_context.original_args()
        step = args.cur_step_num
        if args.mode != "train" or self._record is None or not (step == 1 or step % self._every == 0):
            return
        if self._collected["collect_metric"]:
            loss = number_of(args.net_outputs)
            if isinstance(loss, (int, float)) and math.isfinite(loss):
                self._record.add_value("scalar", "loss/auto", Tensor(np.float32(loss)))
        if self._collected["collect_input_data"]:
            element = args.get("train_dataset_element")
            image = element[0] if isinstance(element, (tuple, list)) and element else element
            if isinstance(image, Tensor) and image.ndim == 4 and image.shape[1] in (1, 3):
                self._record.add_value("image", "input_data/auto", image)
        if self._collected["histogram_regular"]:
            for parameter in self._chosen(args):
                self._record.add_value("histogram", f"{parameter.name}/auto", parameter)
        self._record.record(step)

    def _chosen(self, args: Any) -> list[Parameter]:
        optimizer = args.get("optimizer") or getattr(args.train_network, "optimizer", None)
        parameters = [] if optimizer is None else list(optimizer.parameters)
        if self._pattern is None:
            return parameters[:DEFAULT_HISTOGRAMS]
        return [parameter for parameter in parameters if self._pattern.match(parameter.name)]

    def end(self, run_context: Any) -> None:
        """Close the file after training; after an evaluation go on with the training that it is part of."""
        if run_context.original_args().mode == "train":
            self.__exit__()
        elif self._record is not None:
            self._record.set_mode("train")

"""Callbacks of training and evaluation."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..cell import Cell
from ..parameter import Parameter
from ..tensor import Tensor
from .serialization import save_checkpoint


class RunArguments(dict):  # type: ignore[type-arg]
    """What callbacks can know of a run, as attributes and items: `cur_epoch_num`, `net_outputs`, …"""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the run has no '{name}'") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class RunContext:
    """What a callback is called with.

    Args:
        original_args: see `original_args()`.
    """

    def __init__(self, original_args: Any) -> None:
        if not isinstance(original_args, dict):
            raise TypeError(f"RunContext takes a dict, but got {type(original_args).__name__}")
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """What is known of the run: `cur_epoch_num`, `cur_step_num`, `net_outputs`, `train_network`, …"""
        return self._original_args

    def request_stop(self) -> None:
        """End the run after this step or epoch."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether the run is to end."""
        return self._stop_requested


class Callback:
    """Base of callbacks: a subclass defines those methods it needs.

    Examples:
        >>> import mycel as ms
        >>> class Count(ms.train.Callback):
        ...     steps = 0
        ...     def on_train_step_end(self, run_context):
        ...         self.steps += 1
    """

    def __enter__(self) -> Callback:
        return self

    def __exit__(self, *error: Any) -> None:
        return None

    def begin(self, run_context: RunContext) -> None:
        """At the start of training or evaluation."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """At the start of an epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """At the end of an epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Before a step."""

    def step_end(self, run_context: RunContext) -> None:
        """After a step."""

    def end(self, run_context: RunContext) -> None:
        """At the end of training or evaluation."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """At the start of training."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """At the start of an epoch of training."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """At the end of an epoch of training."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Before a step of training."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """After a step of training."""
        self.step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """At the end of training."""
        self.end(run_context)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """At the start of evaluation."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: RunContext) -> None:
        """At the start of the pass of evaluation."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """At the end of the pass of evaluation."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context: RunContext) -> None:
        """Before a step of evaluation."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """After a step of evaluation."""
        self.step_end(run_context)

    def on_eval_end(self, run_context: RunContext) -> None:
        """At the end of evaluation."""
        self.end(run_context)


EVENTS = (
    "on_train_begin", "on_train_epoch_begin", "on_train_epoch_end", "on_train_step_begin", "on_train_step_end",
    "on_train_end", "on_eval_begin", "on_eval_epoch_begin", "on_eval_epoch_end", "on_eval_step_begin",
    "on_eval_step_end", "on_eval_end",
)  # fmt: skip


class CallbackManager(Callback):
    """Calls several callbacks in turn.

    Args:
        callbacks: a Callback, a list of them, or None.

    Raises:
        TypeError: if something is no Callback.
    """

    def __init__(self, callbacks: Any) -> None:
        items = [] if callbacks is None else list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
        for item in items:
            if not isinstance(item, Callback):
                raise TypeError(f"'callbacks' should be a Callback or a list of them, but got {type(item).__name__}")
        self.callbacks: list[Callback] = items

    def fire(self, event: str, run_context: RunContext) -> None:
        """Call the method of this name of each callback."""
        for callback in self.callbacks:
            getattr(callback, event)(run_context)


def _number(loss: Any) -> Any:
    """The number of a loss: of a tuple the first, of several elements the mean."""
    if isinstance(loss, (tuple, list)) and loss:
        loss = loss[0]
    return float(np.mean(loss.asnumpy())) if isinstance(loss, Tensor) else loss


def _loss_of(args: Any) -> float:
    loss = _number(args.net_outputs)
    if not isinstance(loss, (int, float)):
        raise TypeError(f"the network's output should be a loss, but is a {type(loss).__name__}")
    return float(loss)


def _step_in_epoch(args: Any) -> int:
    return int((args.cur_step_num - 1) % args.batch_num) + 1


class LossMonitor(Callback):
    """Prints the loss, and ends the training where it is infinite or not a number.

    Args:
        per_print_times: every how many steps; 0: never.

    Raises:
        ValueError: if it is negative; in training, if the loss is infinite or not a number.
    """

    def __init__(self, per_print_times: int = 1) -> None:
        if isinstance(per_print_times, bool) or not isinstance(per_print_times, int) or per_print_times < 0:
            raise ValueError(
                f"LossMonitor's 'per_print_times' should be an int that is not negative, but got {per_print_times}"
            )
        self._every = per_print_times
        self._last = 0

    def step_end(self, run_context: RunContext) -> None:
        """Print the loss."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        loss, step = _loss_of(args), _step_in_epoch(args)
        if not math.isfinite(loss):
            raise ValueError(
                f"In epoch: {args.cur_epoch_num} step: {step}, loss is NAN or INF, training process cannot continue, "
                "terminating training."
            )
        if args.cur_step_num <= self._last:  # another run
            self._last = 0
        if self._every and args.cur_step_num - self._last >= self._every:
            self._last = args.cur_step_num
            print(f"epoch: {args.cur_epoch_num} step: {step}, loss is {loss}", flush=True)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Print the result of an evaluation, if there was one."""
        args = run_context.original_args()
        results = args.get("eval_results")
        if args.get("mode") == "train" and results:
            print(f"Eval result: epoch {args.cur_epoch_num}, metrics: {results}", flush=True)
            args["eval_results"] = None


class TimeMonitor(Callback):
    """Prints the time of each epoch, and of a step.

    Args:
        data_size: steps of an epoch; None: as the dataset says.
        data_time: accepted, without meaning.
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False) -> None:
        if data_size is not None and (isinstance(data_size, bool) or not isinstance(data_size, int) or data_size < 1):
            raise ValueError(f"TimeMonitor's 'data_size' should be a positive int, but got {data_size}")
        self.data_size = data_size
        self.epoch_time = time.time()

    def epoch_begin(self, run_context: RunContext) -> None:
        """Start the clock."""
        self.epoch_time = time.time()

    def epoch_end(self, run_context: RunContext) -> None:
        """Print the time."""
        args = run_context.original_args()
        spent = (time.time() - self.epoch_time) * 1000
        steps = self.data_size or args.get("batch_num") or 1
        mode = str(args.get("mode", "train")).capitalize()
        print(f"{mode} epoch time: {spent:5.3f} ms, per step time: {spent / steps:5.3f} ms", flush=True)


class CheckpointConfig:
    """When and what `ModelCheckpoint` saves.

    Args:
        save_checkpoint_steps: every how many steps; 0: not by steps.
        save_checkpoint_seconds: every how many seconds, if not by steps.
        keep_checkpoint_max: how many files to keep; 0: all.
        keep_checkpoint_per_n_minutes: keep one file of so many minutes, if the number is not limited.
        integrated_save, async_save, remove_redundancy, exception_save: accepted; files are written at once.
        saved_network: a Cell to save in place of the training network.
        append_info: a list of 'epoch_num', 'step_num' or dicts of names to values to save too.
        enc_key, enc_mode: not supported.
        crc_check: whether a checksum is added.
        format: 'ckpt' or 'safetensors'.

    Raises:
        ValueError: if there is nothing that says when to save, or for an encryption key.
    """

    def __init__(
        self,
        save_checkpoint_steps: int = 1,
        save_checkpoint_seconds: int = 0,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_per_n_minutes: int = 0,
        integrated_save: bool = True,
        async_save: Any = False,
        saved_network: Cell | None = None,
        append_info: Any = None,
        enc_key: Any = None,
        enc_mode: str = "AES-GCM",
        exception_save: bool = False,
        crc_check: bool = False,
        remove_redundancy: bool = False,
        format: str = "ckpt",
        **kwargs: Any,
    ) -> None:
        if enc_key is not None:
            raise ValueError("checkpoints are not encrypted here: leave 'enc_key' out")
        for name, value in (
            ("save_checkpoint_steps", save_checkpoint_steps),
            ("save_checkpoint_seconds", save_checkpoint_seconds),
            ("keep_checkpoint_max", keep_checkpoint_max),
            ("keep_checkpoint_per_n_minutes", keep_checkpoint_per_n_minutes),
        ):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise ValueError(f"CheckpointConfig's '{name}' should be an int that is not negative, but got {value}")
        if not save_checkpoint_steps and not save_checkpoint_seconds:
            raise ValueError("CheckpointConfig needs 'save_checkpoint_steps' or 'save_checkpoint_seconds'")
        if saved_network is not None and not isinstance(saved_network, Cell):
            raise TypeError(
                f"CheckpointConfig's 'saved_network' should be a Cell, but got {type(saved_network).__name__}"
            )
        self.save_checkpoint_steps = save_checkpoint_steps or 0
        self.save_checkpoint_seconds = 0 if save_checkpoint_steps else save_checkpoint_seconds
        self.keep_checkpoint_max = keep_checkpoint_max or 0
        self.keep_checkpoint_per_n_minutes = 0 if keep_checkpoint_max else (keep_checkpoint_per_n_minutes or 0)
        self.integrated_save = integrated_save
        self.async_save = async_save
        self.saved_network = saved_network
        self.append_info = list(append_info or [])
        self.crc_check = crc_check
        self.format = format

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """When to save and how much to keep."""
        return {
            "save_checkpoint_steps": self.save_checkpoint_steps,
            "save_checkpoint_seconds": self.save_checkpoint_seconds,
            "keep_checkpoint_max": self.keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": self.keep_checkpoint_per_n_minutes,
            "saved_network": self.saved_network,
        }


class ModelCheckpoint(Callback):
    """Saves the training network in files `prefix-epoch_step.ckpt`.

    Args:
        prefix: of the names of the files, or a function of the run's arguments that gives it.
        directory: None: the current one. A function of the prefix and the arguments that gives it is taken as well.
        config: a `CheckpointConfig`.

    Raises:
        ValueError: if the prefix holds a '/'. TypeError: for a config of another type.
    """

    def __init__(self, prefix: Any = "CKP", directory: Any = None, config: CheckpointConfig | None = None) -> None:
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise ValueError(f"ModelCheckpoint's 'prefix' should be a string without '/', but got {prefix!r}")
        if config is not None and not isinstance(config, CheckpointConfig):
            raise TypeError(f"ModelCheckpoint's 'config' should be a CheckpointConfig, but got {type(config).__name__}")
        self._prefix_given = prefix
        self._directory_given = directory
        self._prefix = prefix if isinstance(prefix, str) else ""
        self._directory = Path(directory) if isinstance(directory, (str, Path)) else Path(".")
        self._config = config or CheckpointConfig()
        self._files: list[Path] = []
        self._last_step = 0
        self._last_time = time.time()
        self._kept_time = time.time()
        self._latest_ckpt_file_name = ""
        self._named = False

    @property
    def latest_ckpt_file_name(self) -> str:
        """The last file written; empty if there is none."""
        return self._latest_ckpt_file_name

    def begin(self, run_context: RunContext) -> None:
        """Take a prefix that no file in the directory has yet."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        if callable(self._prefix_given):
            self._prefix = self._prefix_given(args)
        if callable(self._directory_given):
            self._directory = Path(self._directory_given(self._prefix, args))
        self._directory.mkdir(parents=True, exist_ok=True)
        self._last_step = args.cur_step_num
        self._last_time = self._kept_time = time.time()
        if not self._named:
            self._prefix = self._free_prefix()
            self._named = True

    def _free_prefix(self) -> str:
        ending = f".{self._config.format}"
        names = [path.name for path in self._directory.iterdir() if path.name.endswith(ending)]
        prefix, number = self._prefix, 0
        while any(name.startswith(f"{prefix}-") for name in names):
            number += 1
            prefix = f"{self._prefix}_{number}"
        return prefix

    def step_end(self, run_context: RunContext) -> None:
        """Save, if it is time."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        config = self._config
        if config.save_checkpoint_steps:
            due = args.cur_step_num >= self._last_step + config.save_checkpoint_steps
        else:
            due = time.time() - self._last_time > config.save_checkpoint_seconds
        if due:
            self._save(args)

    def end(self, run_context: RunContext) -> None:
        """Save the last step, if it is not saved yet."""
        args = run_context.original_args()
        if args.get("mode") != "eval" and args.cur_step_num > self._last_step:
            self._save(args)

    def _save(self, args: Any) -> None:
        config = self._config
        self._last_step, self._last_time = args.cur_step_num, time.time()
        name = f"{self._prefix}-{args.cur_epoch_num}_{_step_in_epoch(args)}.{config.format}"
        path = self._directory / name
        network = config.saved_network if config.saved_network is not None else args.train_network
        save_checkpoint(
            network, path, append_dict=self._appended(args), crc_check=config.crc_check, format=config.format
        )
        self._latest_ckpt_file_name = str(path.resolve())
        if path in self._files:
            self._files.remove(path)
        self._files.append(path)
        if config.keep_checkpoint_max:
            while len(self._files) > config.keep_checkpoint_max:
                self._files.pop(0).unlink(missing_ok=True)
        elif config.keep_checkpoint_per_n_minutes:
            if time.time() - self._kept_time < config.keep_checkpoint_per_n_minutes * 60:
                for old in self._files[:-1]:
                    old.unlink(missing_ok=True)
                del self._files[:-1]
            else:
                self._kept_time = time.time()
                self._files.clear()

    def _appended(self, args: Any) -> dict[str, Any] | None:
        appended: dict[str, Any] = {}
        for item in self._config.append_info:
            if item == "epoch_num":
                appended["epoch_num"] = args.cur_epoch_num
            elif item == "step_num":
                appended["step_num"] = args.cur_step_num
            elif isinstance(item, dict):
                appended.update(item)
            else:
                raise ValueError(f"CheckpointConfig's 'append_info' holds names and dicts, but got {item!r}")
        return appended or None


class LambdaCallback(Callback):
    """A callback of functions, each called with the run context.

    Args:
        on_train_begin, on_train_epoch_begin, …: functions, or None.
    """

    def __init__(
        self,
        on_train_epoch_begin: Callable[[RunContext], Any] | None = None,
        on_train_epoch_end: Callable[[RunContext], Any] | None = None,
        on_train_step_begin: Callable[[RunContext], Any] | None = None,
        on_train_step_end: Callable[[RunContext], Any] | None = None,
        on_train_begin: Callable[[RunContext], Any] | None = None,
        on_train_end: Callable[[RunContext], Any] | None = None,
        on_eval_epoch_begin: Callable[[RunContext], Any] | None = None,
        on_eval_epoch_end: Callable[[RunContext], Any] | None = None,
        on_eval_step_begin: Callable[[RunContext], Any] | None = None,
        on_eval_step_end: Callable[[RunContext], Any] | None = None,
        on_eval_begin: Callable[[RunContext], Any] | None = None,
        on_eval_end: Callable[[RunContext], Any] | None = None,
    ) -> None:
        given = dict(locals())
        for event in EVENTS:
            if given[event] is not None:
                setattr(self, event, given[event])


class History(Callback):
    """Keeps the numbers of the epochs in `epoch`, a dict of lists."""

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}
        self.epoch: dict[str, list[Any]] = {"epoch": []}

    def begin(self, run_context: RunContext) -> None:
        """Start anew."""
        if run_context.original_args().get("mode") != "eval":
            self.epoch = {"epoch": []}

    def epoch_end(self, run_context: RunContext) -> None:
        """Keep the epoch's number, loss and metrics."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        self.epoch["epoch"].append(args.get("cur_epoch_num", 1))
        loss = _number(args.get("net_outputs"))
        if isinstance(loss, float):
            self.history.setdefault("net_output", []).append(loss)
        for name, value in (args.get("eval_results") or {}).items():
            self.history.setdefault(name, []).append(value)


class LearningRateScheduler(Callback):
    """Changes the learning rate before each step.

    Args:
        learning_rate_function: of the rate now and the number of the step; gives the new rate.
    """

    def __init__(self, learning_rate_function: Callable[[float, int], float]) -> None:
        if not callable(learning_rate_function):
            raise TypeError(f"LearningRateScheduler takes a function, but got {type(learning_rate_function).__name__}")
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: RunContext) -> None:
        """Set the rate of the next step."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        rate = _rate_parameter(args, "LearningRateScheduler")
        rate.set_data(Tensor(np.float32(self.learning_rate_function(float(rate.asnumpy()), args.cur_step_num))))


def _rate_parameter(args: Any, owner: str) -> Parameter:
    optimizer = args.get("optimizer") or getattr(args.train_network, "optimizer", None)
    rate = getattr(optimizer, "learning_rate", None)
    if not isinstance(rate, Parameter):
        raise ValueError(f"{owner} needs an optimizer with a fixed learning rate that is one number")
    return rate


class _Watching(Callback):
    """What looks whether a number gets better."""

    def __init__(self, monitor: str, mode: str, min_delta: float, owner: str) -> None:
        if not isinstance(monitor, str):
            raise TypeError(f"{owner}'s 'monitor' should be a string, but got {type(monitor).__name__}")
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"{owner}'s 'mode' should be 'auto', 'min' or 'max', but got {mode!r}")
        if mode == "auto":
            mode = "max" if "acc" in monitor else "min"
        self.monitor = monitor
        self.mode = mode
        self.min_delta = abs(min_delta)
        self.best = -math.inf if mode == "max" else math.inf

    def _better(self, value: float, than: float) -> bool:
        return value > than + self.min_delta if self.mode == "max" else value < than - self.min_delta

    def _value(self, args: Any) -> float | None:
        if self.monitor == "loss":
            return _loss_of(args)
        results = args.get("eval_results") or {}
        value = results.get(self.monitor, results.get(self.monitor.removeprefix("eval_")))
        return None if value is None else float(np.asarray(value).reshape(-1)[0])


class EarlyStopping(_Watching):
    """Ends the training when a number has not got better for some epochs.

    Args:
        monitor: 'loss', or the name of a metric of `Model.fit` (also with 'eval_' before it).
        min_delta: by how much it has to get better.
        patience: for how many epochs.
        verbose: whether to print it.
        mode: 'min', 'max' or 'auto'.
        baseline: the number to be better than.
        restore_best_weights: whether the Parameters of the best epoch are taken at the end.
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ) -> None:
        super().__init__(monitor, mode, min_delta, "EarlyStopping")
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.restore_best_weights = restore_best_weights
        self.wait = 0
        self.stopped_epoch = 0
        self._best: dict[str, np.ndarray] = {}

    def on_train_begin(self, run_context: RunContext) -> None:
        """Start anew."""
        self.wait = self.stopped_epoch = 0
        self.best = -math.inf if self.mode == "max" else math.inf
        self._best = {}

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """End the training, if it is time."""
        args = run_context.original_args()
        value = self._value(args)
        if value is None:
            return
        self.wait += 1
        if self._better(value, self.best):
            self.best = value
            if self.restore_best_weights:
                self._best = {p.name: p.asnumpy() for p in args.train_network.get_parameters()}
            if self.baseline is None or self._better(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = args.cur_epoch_num
            run_context.request_stop()
            for parameter in args.train_network.get_parameters() if self._best else ():
                parameter.set_data(Tensor(self._best[parameter.name]))

    def on_train_end(self, run_context: RunContext) -> None:
        """Print when it was ended."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)


class ReduceLROnPlateau(_Watching):
    """Lowers the learning rate when a number has not got better for some epochs.

    Args:
        monitor: 'loss', or the name of a metric of `Model.fit` (also with 'eval_' before it).
        factor: of the rate.
        patience: for how many epochs.
        verbose: whether to print it.
        mode: 'min', 'max' or 'auto'.
        min_delta: by how much it has to get better.
        cooldown: epochs after a change in which nothing happens.
        min_lr: the least rate.

    Raises:
        ValueError: if factor is not below 1.
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__(monitor, mode, min_delta, "ReduceLROnPlateau")
        if factor >= 1:
            raise ValueError(f"ReduceLROnPlateau's 'factor' should be below 1, but got {factor}")
        self.factor = factor
        self.patience = patience
        self.verbose = verbose
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.wait = 0
        self.cooldown_counter = 0

    def on_train_begin(self, run_context: RunContext) -> None:
        """Start anew."""
        self.wait = self.cooldown_counter = 0
        self.best = -math.inf if self.mode == "max" else math.inf

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Lower the rate, if it is time."""
        args = run_context.original_args()
        value = self._value(args)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self._better(value, self.best):
            self.best = value
            self.wait = 0
        elif self.cooldown_counter == 0:
            self.wait += 1
            if self.wait >= self.patience:
                rate = _rate_parameter(args, "ReduceLROnPlateau")
                old = np.float32(rate.asnumpy())
                if old > self.min_lr:
                    new = np.float32(max(old * np.float32(self.factor), self.min_lr))
                    rate.set_data(Tensor(new))
                    if self.verbose:
                        print(
                            f"Epoch {args.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate to {new!s}.",
                            flush=True,
                        )
                    self.cooldown_counter = self.cooldown
                    self.wait = 0


InternalCallbackParam = RunArguments

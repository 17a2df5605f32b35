"""Callbacks that print, draw, keep or change something in every step or epoch, and the bar of progress."""

from __future__ import annotations

import importlib.util
import io
import math
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.tensor import Tensor
from .callback import EVENTS, Callback, RunContext, loss_of, number_of, rate_parameter, step_in_epoch


class LossMonitor(Callback):
    """Prints the loss, and ends the training where it is infinite or not a number.

    Args:
        per_print_times: an int, every how many steps; 0: never. Default: 1.

    Raises:
        ValueError: if it is negative; in training, if the loss is infinite or not a number.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.0))
        >>> model.train(1, [(ms.Tensor([[1.0]]), ms.Tensor([[2.0]]))], callbacks=ms.train.LossMonitor())
        epoch: 1 step: 1, loss is 1.0
    """

    def __init__(self, per_print_times: int = 1) -> None:
        if isinstance(per_print_times, bool) or not isinstance(per_print_times, int) or per_print_times < 0:
            raise ValueError(
                "For 'LossMonitor', the 'per_print_times' should be an int that is not negative, but got "
                f"{per_print_times}"
            )
        self._every = per_print_times
        self._last = 0

    def step_end(self, run_context: RunContext) -> None:
        """Print the loss."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        loss, step = loss_of(args), step_in_epoch(args)
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
        if args.get("metrics"):
            print(f"Eval result: epoch {args.cur_epoch_num}, metrics: {args.metrics}", flush=True)


class TimeMonitor(Callback):
    """Prints the time of each epoch, and of a step.

    Args:
        data_size: a positive int, the steps of an epoch. Default: None, for what the dataset says.
        data_time: accepted, without meaning. Default: False.

    Raises:
        TypeError: if data_size is no int.

    Examples:
        >>> import mycel as ms
        >>> ms.train.TimeMonitor(data_size=10).data_size
        10
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False) -> None:
        if data_size is not None and (isinstance(data_size, bool) or not isinstance(data_size, int) or data_size < 1):
            raise ValueError(f"For 'TimeMonitor', the 'data_size' should be a positive int, but got {data_size}")
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


class LambdaCallback(Callback):
    """A callback of functions, each called with the run context.

    Args:
        on_train_epoch_begin, on_train_epoch_end, on_train_step_begin, on_train_step_end, on_train_begin, on_train_end:
            functions of a `RunContext`, called in training. Default: None.
        on_eval_epoch_begin, on_eval_epoch_end, on_eval_step_begin, on_eval_step_end, on_eval_begin, on_eval_end: the
            same in evaluation by `Model.eval`. Default: None. `Model.fit` does not call them.

    Raises:
        TypeError: for another name.

    Examples:
        >>> import mycel as ms
        >>> callback = ms.train.LambdaCallback(on_train_end=lambda run_context: print("done"))
        >>> callback.on_train_end(None)
        done
    """

    _training_only = True

    def __init__(
        self, on_train_epoch_begin: Callable[[RunContext], Any] | None = None,
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
    ) -> None:  # fmt: skip
        given = dict(locals())
        for event in EVENTS:
            if given[event] is not None:
                setattr(self, event, given[event])


class History(Callback):
    """Keeps the numbers of the epochs in `epoch` and `history`, dicts of lists, and the loss of each step in `losses`.

    `plot()` draws them.

    Raises:
        AttributeError: if `epoch` is read before a training.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> history = ms.train.History()
        >>> model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.0))
        >>> model.train(2, [(ms.Tensor([[1.0]]), ms.Tensor([[2.0]]))], callbacks=history)
        >>> history.epoch
        {'epoch': [1, 2]}
        >>> history.losses
        [1.0, 1.0]
    """

    def __init__(self) -> None:
        self.losses: list[float] = []
        self._steps: dict[str, list[int]] = {}  # how many steps there were at each value of a metric
        self.history: dict[str, list[Any]] = {}
        self.epoch: dict[str, list[Any]] = {"epoch": []}

    def begin(self, run_context: RunContext) -> None:
        """Start anew."""
        if run_context.original_args().get("mode") != "eval":
            self.epoch = {"epoch": []}

    def step_end(self, run_context: RunContext) -> None:
        """Keep the step's loss."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        loss = number_of(args.get("net_outputs"))
        if isinstance(loss, (int, float)):
            self.losses.append(float(loss))

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Draw the loss of each step, their mean over the last steps, and the metrics of each epoch.

        It needs matplotlib (`pip install 'mycel-graph[plot]'`).

        Args:
            path: a file to write it to, such as `loss.png`. Default: None, for none.

        Returns:
            The matplotlib Figure, which a notebook shows.

        Raises:
            ModuleNotFoundError: if matplotlib is not installed. ValueError: if nothing was trained yet.

        Examples:
            >>> import mycel as ms
            >>> net = ms.nn.Dense(1, 1)
            >>> history = ms.train.History()
            >>> model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.1))
            >>> model.train(5, [(ms.Tensor([[1.0]]), ms.Tensor([[2.0]]))], callbacks=history)
            >>> figure = history.plot("loss.png")  # doctest: +SKIP
        """

        if not self.losses:
            raise ValueError("History.plot: there is no loss to draw before a training with this callback")
        figure = draw_curves(self.losses, {name: (at, self.history[name]) for name, at in self._steps.items()})
        if path is not None:
            figure.savefig(path)
        return figure

    def epoch_end(self, run_context: RunContext) -> None:
        """Keep the epoch's number, loss and metrics."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        self.epoch["epoch"].append(args.get("cur_epoch_num", 1))
        loss = number_of(args.get("net_outputs"))
        if isinstance(loss, float):
            self.history.setdefault("net_output", []).append(loss)
        for name, value in (args.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)
            self._steps.setdefault(name, []).append(len(self.losses))


class LearningRateScheduler(Callback):
    """Changes the learning rate before each step.

    Args:
        learning_rate_function: a function of the rate now (a float) and the number of the step (an int), which gives
            the new rate.

    Raises:
        TypeError: in training, if the function gives no number.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1)
        >>> optimizer = ms.nn.SGD(net.trainable_params(), 0.1)
        >>> halve = ms.train.LearningRateScheduler(lambda rate, step: rate / 2)
        >>> data = [(ms.Tensor([[1.0]]), ms.Tensor([[2.0]]))]
        >>> ms.Model(net, ms.nn.MSELoss(), optimizer).train(1, data, callbacks=halve)
        >>> print(optimizer.learning_rate.asnumpy())
        0.05
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
        rate = rate_parameter(args, "LearningRateScheduler")
        rate.set_data(Tensor(np.float32(self.learning_rate_function(float(rate.asnumpy()), args.cur_step_num))))


SMOOTHED = 0.05  # share of the steps over which the mean is taken


def draw_curves(losses: Sequence[float], metrics: Mapping[str, tuple[Sequence[int], Sequence[Any]]]) -> Any:
    """The loss of each step with a running mean, and metrics with an axis of their own.

    Args:
        losses: of each step.
        metrics: by name, after how many steps, and which value; what is no number is left out.

    Returns:
        A Figure of matplotlib.

    Raises:
        ModuleNotFoundError: if matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        text = "curves need matplotlib: pip install 'mycel-graph[plot]'"
        raise ModuleNotFoundError(text, name=error.name) from None

    class Shown(Figure):  # type: ignore[misc, unused-ignore]
        """A figure that notebooks show without any set-up."""

        def _repr_png_(self) -> bytes:
            written = io.BytesIO()
            self.savefig(written, format="png")
            return written.getvalue()

    figure = Shown(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    steps = np.arange(1, len(losses) + 1)
    axes.plot(steps, losses, color="tab:blue", alpha=0.35, linewidth=1, label="loss")
    width = max(1, round(len(losses) * SMOOTHED))
    if width > 1:
        sums = np.cumsum([0.0, *losses])
        first = np.maximum(steps - width, 0)
        means = (sums[steps] - sums[first]) / (steps - first)
        axes.plot(steps, means, color="tab:blue", label=f"mean of {width} steps")
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    if min(losses) > 0 and max(losses) / min(losses) > 50:
        axes.set_yscale("log")
    handles, labels = axes.get_legend_handles_labels()
    shown = {name: curve for name, curve in metrics.items() if curve[1] and np.isscalar(curve[1][0])}
    if shown:
        right = axes.twinx()
        for number, (name, (at, values)) in enumerate(shown.items()):
            right.plot(at, values, "o-", markersize=3, color=f"C{number + 1}", label=name)
        right.set_ylabel(", ".join(shown))
        more_handles, more_labels = right.get_legend_handles_labels()
        handles, labels = handles + more_handles, labels + more_labels
    axes.legend(handles, labels, loc="best")
    return figure


WATCHED_SECONDS = 0.1  # between two losses that a bar shows: to read one takes time on small networks


class ProgressBar(Callback):
    """Shows how far the training is: steps, the mean loss of the epoch, metrics and speed.

    Args:
        bar: whether to draw a bar, a bool; it needs tqdm (`pip install 'mycel-graph[progress]'`). False: one line at
            the end of each epoch. Default: None, for a bar where tqdm is installed and the output goes to a terminal
            or a notebook.

    Raises:
        ModuleNotFoundError: if a bar is asked for and tqdm is not installed.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.0))
        >>> data = [(ms.Tensor([[1.0]]), ms.Tensor([[2.0]]))] * 3
        >>> model.train(2, data, callbacks=ms.train.ProgressBar(bar=False))  # doctest: +ELLIPSIS
        epoch 1/2: 3 steps, loss 1.0000, ... steps/s
        epoch 2/2: 3 steps, loss 1.0000, ... steps/s
    """

    def __init__(self, bar: bool | None = None) -> None:
        need_type(bar, bool | None, "For 'ProgressBar', 'bar' should be a bool or None", repr)
        if bar and importlib.util.find_spec("tqdm") is None:
            raise ModuleNotFoundError(
                "ProgressBar(bar=True) needs tqdm: pip install 'mycel-graph[progress]'", name="tqdm"
            )
        self.bar = bar
        self._shown: Any = None
        self._last = 0
        self._told = 0.0
        self._begin()

    def on_train_begin(self, run_context: RunContext) -> None:
        """Count epochs from here."""
        args = run_context.original_args()
        self._last = args.cur_epoch_num + args.epoch_num

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Begin a bar."""
        args = run_context.original_args()
        self._begin()
        if self._draws():
            from tqdm.auto import tqdm

            self._shown = tqdm(total=args.batch_num or None, desc=self._title(args), unit="step")

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Count the step and its loss."""
        self._steps += 1
        loss = number_of(run_context.original_args().net_outputs)
        if isinstance(loss, (int, float)):
            self._sum += loss
            self._losses += 1
        if self._shown is not None:
            self._shown.update()
            now = time.perf_counter()
            if now - self._told > WATCHED_SECONDS:
                self._told = now
                self._shown.set_postfix_str(", ".join(self._numbers({})), refresh=False)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """End the bar, or print the line."""
        args = run_context.original_args()
        numbers = self._numbers(args.get("metrics") or {})
        if self._shown is not None:
            self._shown.set_postfix_str(", ".join(numbers))
            self._close()
            return
        seconds = time.perf_counter() - self._began
        steps = f"{self._steps} step{'' if self._steps == 1 else 's'}"
        speed = f"{self._steps / max(seconds, 1e-9):.{0 if self._steps > 9 * seconds else 1}f} steps/s"
        print(f"{self._title(args)}: {', '.join([steps, *numbers, f'{seconds:.1f} s', speed])}", flush=True)

    def on_train_end(self, run_context: RunContext) -> None:
        """Leave no bar open."""
        self._close()

    def _begin(self) -> None:
        """Start counting an epoch."""
        self._close()
        self._steps = self._losses = 0
        self._sum = 0.0
        self._began = time.perf_counter()
        self._told = 0.0

    def _close(self) -> None:
        if self._shown is not None:
            self._shown.close()
            self._shown = None

    def _draws(self) -> bool:
        """Whether there is to be a bar."""
        if self.bar is not None:
            return self.bar
        watched = sys.stderr is not None and sys.stderr.isatty()
        return (watched or "ipykernel" in sys.modules) and importlib.util.find_spec("tqdm") is not None

    def _title(self, args: Any) -> str:
        return f"epoch {args.cur_epoch_num}/{self._last}"

    def _numbers(self, metrics: dict[str, Any]) -> list[str]:
        """The mean loss of the epoch so far, and metrics."""
        found = [f"loss {self._sum / self._losses:.4f}"] if self._losses else []
        for name, value in metrics.items():
            found.append(f"{name} {value:.4f}" if isinstance(value, float) else f"{name} {value}")
        return found

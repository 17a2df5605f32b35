"""Progress of a training: a bar with tqdm where it is installed and somebody watches, else a line an epoch."""

from __future__ import annotations

import importlib.util
import sys
import time
from typing import Any

from ...frontend.values.arguments import need_type
from .callback import Callback, RunContext, number_of

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

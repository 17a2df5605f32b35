"""Callbacks that watch whether a number gets better."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.tensor import Tensor
from ..nn.checks import check_int
from .callback import Callback, RunContext, loss_of, rate_parameter


class _Watching(Callback):
    """The base of callbacks that watch whether a number improves."""

    def __init__(self, monitor: str, mode: str, min_delta: float, patience: int, verbose: bool) -> None:
        owner = type(self).__name__
        need_type(monitor, str, f"For '{owner}', the 'monitor' should be a string")
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"For '{owner}', the 'mode' should be 'auto', 'min' or 'max', but got {mode!r}")
        if mode == "auto":
            mode = "max" if "acc" in monitor else "min"
        self.monitor = monitor
        self.mode = mode
        self.min_delta = abs(min_delta)
        if check_int(patience, "patience", owner) < 0:
            raise ValueError(f"For '{owner}', the 'patience' should not be negative, but got {patience}")
        self.patience = patience
        self.verbose = verbose
        self._start()

    def _start(self) -> None:
        self.wait = 0
        self.best = -math.inf if self.mode == "max" else math.inf

    def _better(self, value: float, than: float) -> bool:
        return value > than + self.min_delta if self.mode == "max" else value < than - self.min_delta

    def _value(self, args: Any) -> float | None:
        if self.monitor == "loss":
            return loss_of(args)
        results = args.get("eval_results") or {}
        value = results.get(self.monitor, results.get(self.monitor.removeprefix("eval_")))
        return None if value is None else float(np.asarray(value).reshape(-1)[0])


class EarlyStopping(_Watching):
    """Ends the training when a number has not got better for some epochs.

    Args:
        monitor: 'loss', or the name of a metric of `Model.fit` (also with 'eval_' before it). Default: 'eval_loss'.
        min_delta: a number, by how much it has to get better. Default: 0.
        patience: an int, for how many epochs. Default: 0.
        verbose: whether to print it. Default: False.
        mode: 'min', 'max' or 'auto', which numbers are better. Default: 'auto'.
        baseline: a number to be better than. Default: None.
        restore_best_weights: whether the Parameters of the best epoch are taken at the end. Default: False.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: for another mode, or numbers out of range.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        >>> history, stop = ms.train.History(), ms.train.EarlyStopping(monitor="loss", patience=2)
        >>> model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.0))
        >>> model.train(9, [(ms.Tensor([[1.0]]), ms.Tensor([[2.0]]))], callbacks=[history, stop])
        >>> len(history.epoch["epoch"])
        3
    """

    def __init__(
        self, monitor: str = "eval_loss", min_delta: float = 0, patience: int = 0, verbose: bool = False,
        mode: str = "auto", baseline: float | None = None, restore_best_weights: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(monitor, mode, min_delta, patience, verbose)
        self.baseline = baseline
        self.restore_best_weights = restore_best_weights
        self.stopped_epoch = 0
        self._best: dict[str, np.ndarray] = {}

    def on_train_begin(self, run_context: RunContext) -> None:
        """Start anew."""
        self._start()
        self.stopped_epoch = 0
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
        monitor: 'loss', or the name of a metric of `Model.fit` (also with 'eval_' before it). Default: 'eval_loss'.
        factor: a number below 1, what the rate is multiplied by. Default: 0.1.
        patience: an int, for how many epochs. Default: 10.
        verbose: whether to print it. Default: False.
        mode: 'min', 'max' or 'auto', which numbers are better. Default: 'auto'.
        min_delta: a number, by how much it has to get better. Default: 1e-4.
        cooldown: an int, epochs after a change in which nothing happens. Default: 0.
        min_lr: a number, the least rate. Default: 0.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: if factor is not below 1, for another mode, or numbers out of range.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", bias_init="zeros", has_bias=False)
        >>> optimizer = ms.nn.SGD(net.trainable_params(), 0.5)
        >>> reduce = ms.train.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=1)
        >>> data = [(ms.Tensor([[1.0]]), ms.Tensor([[1.0]]))]
        >>> ms.Model(net, ms.nn.MSELoss(), optimizer).train(3, data, callbacks=reduce)
        >>> print(optimizer.learning_rate.asnumpy())
        0.125
    """

    def __init__(
        self, monitor: str = "eval_loss", factor: float = 0.1, patience: int = 10, verbose: bool = False,
        mode: str = "auto", min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0,
    ) -> None:  # fmt: skip
        super().__init__(monitor, mode, min_delta, patience, verbose)
        if factor >= 1:
            raise ValueError(f"For 'ReduceLROnPlateau', the 'factor' should be below 1, but got {factor}")
        self.factor = factor
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.cooldown_counter = 0

    def on_train_begin(self, run_context: RunContext) -> None:
        """Start anew."""
        self._start()
        self.cooldown_counter = 0

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
                rate = rate_parameter(args, "ReduceLROnPlateau")
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

"""Callbacks of training and evaluation: their base, their argument, and their calls."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor


class RunArguments(dict):  # type: ignore[type-arg]
    """The state of a run, as attributes and items: `cur_epoch_num`, `net_outputs`, ….

    Args:
        args: as for a dict.
        kwargs: as for a dict.

    Raises:
        AttributeError: for a name that is not known.

    Examples:
        >>> import mycel as ms
        >>> known = ms.train.InternalCallbackParam(epoch_num=3)
        >>> known.epoch_num, known["epoch_num"]
        (3, 3)
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the run has no '{name}'") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class RunContext:
    """The argument of callbacks.

    Args:
        original_args: an InternalCallbackParam; `original_args()` gives it.

    Raises:
        TypeError: if it is none.

    Examples:
        >>> import mycel as ms
        >>> context = ms.train.RunContext(ms.train.callback.InternalCallbackParam(epoch_num=3))
        >>> context.request_stop()
        >>> context.original_args().epoch_num, context.get_stop_requested()
        (3, True)
    """

    def __init__(self, original_args: Any) -> None:
        need_type(original_args, dict, "RunContext takes a dict")
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """The state of the run: `cur_epoch_num`, `cur_step_num`, `net_outputs`, `train_network`, …"""
        return self._original_args

    def request_stop(self) -> None:
        """End the run after this step or epoch."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether the run is to end."""
        return self._stop_requested


class Callback:
    """Base of callbacks: a subclass defines the methods that it needs.

    The methods are `on_train_begin`, `on_train_epoch_begin`, `on_train_step_begin`, `on_train_step_end`,
    `on_train_epoch_end`, `on_train_end`, and the same with `eval`; each gets a `RunContext`.

    Raises:
        TypeError: when a training starts, if what is given is no Callback.

    Examples:
        >>> import mycel as ms
        >>> class Count(ms.train.Callback):
        ...     steps = 0
        ...     def on_train_step_end(self, run_context):
        ...         self.steps += 1
    """

    _training_only = False  # whether `Model.fit` leaves it out of its evaluations: of the class itself, not of others

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

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.train.callback import CallbackManager
        >>> callback = ms.train.LambdaCallback(on_train_end=lambda run_context: print("done"))
        >>> CallbackManager([callback]).on_train_end(None)
    """

    def __init__(self, callbacks: Any) -> None:
        items = [] if callbacks is None else list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
        for item in items:
            need_type(item, Callback, "'callbacks' should be a Callback or a list of them")
        self.callbacks: list[Callback] = items
        self._entered = contextlib.ExitStack()

    def __enter__(self) -> CallbackManager:
        """Enter each callback. What `__enter__` gives takes its place, if it is a Callback.

        If one cannot be entered, those before it are left again.
        """
        with contextlib.ExitStack() as entered:
            for index, callback in enumerate(self.callbacks):
                given = entered.enter_context(callback)
                self.callbacks[index] = given if isinstance(given, Callback) else callback
            self._entered = entered.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._entered.__exit__(*error)

    def fire(self, event: str, run_context: RunContext) -> None:
        """Call the method of this name of each callback."""
        for callback in self.callbacks:
            getattr(callback, event)(run_context)


def number_of(loss: Any) -> Any:
    """The number of a loss.

    Args:
        loss: a Tensor, an array or a number; of a tuple the first counts, of several elements the mean.

    Returns:
        A float.

    Raises:
        TypeError: if the loss is none of these.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.library.train.callback import number_of
        >>> number_of((Tensor([1.0, 2.0]), Tensor(5.0)))
        1.5
    """
    if isinstance(loss, (tuple, list)) and loss:
        loss = loss[0]
    return float(np.mean(loss.asnumpy())) if isinstance(loss, Tensor) else loss


def loss_of(args: Any) -> float:
    """The loss of the last step; TypeError if the network gives none."""
    loss = number_of(args.net_outputs)
    if not isinstance(loss, (int, float)):
        raise TypeError(f"the network's output should be a loss, but is a {type(loss).__name__}")
    return float(loss)


def step_in_epoch(args: Any) -> int:
    """The number of the last step, counted from 1 in each epoch."""
    return int((args.cur_step_num - 1) % args.batch_num) + 1


def rate_parameter(args: Any, owner: str) -> Parameter:
    """The Parameter of the optimizer's learning rate; ValueError if it is no single number."""
    optimizer = args.get("optimizer") or getattr(args.train_network, "optimizer", None)
    rate = getattr(optimizer, "learning_rate", None)
    if not isinstance(rate, Parameter):
        raise ValueError(f"{owner} needs an optimizer with a fixed learning rate that is one number")
    return rate


InternalCallbackParam = RunArguments

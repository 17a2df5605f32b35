"""`Model`: training, evaluation and prediction with one object."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...frontend.compilation.explanation import Explanation
from ...frontend.compilation.stages import Stages
from ...frontend.errors.user_files import user_level
from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...frontend.values.cell_inputs import check_arguments
from ...frontend.values.tensor import Tensor
from ..distributed.data_parallel import gather_arrays
from ..distributed.parallel import _get_device_num, _get_parallel_mode, is_data_parallel
from ..nn.checks import check_bool
from ..nn.metrics import Loss, get_metrics
from ..nn.optim import Optimizer
from ..nn.wrap import WithEvalCell, WithLossCell
from .amp import LEVELS, build_train_network
from .callback import CallbackManager, RunArguments, RunContext
from .data import batches, size_of
from .loss_scaling import FixedLossScaleManager, LossScaleManager

if TYPE_CHECKING:
    from ...frontend.compilation.profile import Profile


class Model:
    """A network with its loss, optimizer and metrics.

    Args:
        network: a Cell; with an optimizer and without loss_fn it gives the loss.
        loss_fn: of the network's output and the label.
        optimizer: of the network's Parameters.
        metrics: a dict of names to metrics, or a set of names of metrics.
        eval_network: a Cell for evaluation; None: made of network and loss_fn.
        eval_indexes: positions of loss, prediction and label in its outputs.
        amp_level: see `amp.auto_mixed_precision`.
        boost_level: accepted, without meaning.
        kwargs: `loss_scale_manager`, `keep_batchnorm_fp32`, `boost_config_dict`, `acc_level`.

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: for an unknown option, or metrics without what they need.

    Examples:
        >>> import numpy as np
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="zeros", bias_init="zeros")
        >>> data = [(np.ones((2, 1), np.float32), np.ones((2, 1), np.float32))]
        >>> model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.25))
        >>> model.train(2, data)
        >>> print(model.predict(ms.Tensor([[1.0]])))
        [[1.]]
    """

    def __init__(
        self, network: Cell, loss_fn: Any = None, optimizer: Any = None, metrics: Any = None,
        eval_network: Cell | None = None, eval_indexes: list[int] | None = None, amp_level: str = "O0",
        boost_level: str = "O0", **kwargs: Any,
    ) -> None:  # fmt: skip
        need_type(network, Cell, "For 'Model', the 'network' should be a Cell")
        need_type(optimizer, Optimizer | None, "For 'Model', the 'optimizer' should be an Optimizer")
        unknown = sorted(set(kwargs) - {"loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level"})
        if unknown:
            raise ValueError(f"Model has no option {', '.join(map(repr, unknown))}")
        if amp_level not in LEVELS:
            raise ValueError(
                f"For 'Model', the 'amp_level' should be one of {', '.join(LEVELS)}, but got {amp_level!r}"
            )
        if amp_level != "O0" and optimizer is None:
            raise ValueError("Model's 'amp_level' needs an 'optimizer'")
        manager = kwargs.get("loss_scale_manager")
        need_type(
            manager, LossScaleManager | None, "For 'Model', the 'loss_scale_manager' should be a LossScaleManager"
        )
        self._network = network
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._loss_scale_manager = manager
        self._told_of_loss = False
        self._amp_level = amp_level
        self._keep_bn_fp32 = kwargs.get("keep_batchnorm_fp32")
        self._train_network = self._make_train_network()
        self._metric_fns = None if metrics is None else get_metrics(metrics)
        self._eval_indexes = eval_indexes
        self._eval_network = self._make_eval_network(eval_network)
        self._predict_network = network

    def _make_train_network(self) -> Cell:
        if self._optimizer is None:
            return self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        options: dict[str, Any] = {}
        if self._loss_scale_manager is not None:
            options["loss_scale_manager"] = self._loss_scale_manager
        if self._keep_bn_fp32 is not None:
            options["keep_batchnorm_fp32"] = self._keep_bn_fp32
        return build_train_network(self._network, self._optimizer, self._loss_fn, self._amp_level, **options)

    def _make_eval_network(self, eval_network: Cell | None) -> Cell | None:
        if self._metric_fns is None:
            return eval_network
        if eval_network is not None:
            if self._eval_indexes is not None and len(self._eval_indexes) != 3:
                raise ValueError(
                    "For 'Model', the 'eval_indexes' should be the positions of loss, prediction and label, but got "
                    f"{self._eval_indexes}"
                )
            return eval_network
        if self._loss_fn is None:
            raise ValueError("Model's 'metrics' need a 'loss_fn' or an 'eval_network'")
        self._eval_indexes = [0, 1, 2]
        return WithEvalCell(self._network, self._loss_fn, self._amp_level in ("O2", "O3"))

    @property
    def train_network(self) -> Cell:
        """The Cell that does a step of training."""
        return self._train_network

    @property
    def eval_network(self) -> Cell | None:
        """The Cell that evaluates a batch."""
        return self._eval_network

    @property
    def predict_network(self) -> Cell:
        """The Cell that predicts."""
        return self._predict_network

    # What the step of training is compiled to

    def stages(self, *batch: Any) -> Stages:
        """Everything from the converted source to the program of a step of training on a batch, which is not run."""
        return self._train_network.stages(*batch)

    def profile(self, *batch: Any) -> Profile:
        """Where the time of a step of training on a batch goes; see the `profile` of `jit`'s functions."""
        return self._train_network.profile(*batch)

    def explain(self) -> Explanation:
        """Every trace of the step of training made so far in graph mode, and why."""
        return self._train_network.explain()

    # Training

    def train(
        self, epoch: int, train_dataset: Any, callbacks: Any = None, dataset_sink_mode: bool = False,
        sink_size: int = -1, initial_epoch: int = 0,
    ) -> None:  # fmt: skip
        """Train.

        Args:
            epoch: the number of the last epoch.
            train_dataset: has `create_tuple_iterator` and `get_dataset_size`, or is a list of batches.
            callbacks: a Callback or a list of them.
            dataset_sink_mode: accepted, without meaning on CPU.
            sink_size: with dataset_sink_mode what callbacks are told as `batch_num`; -1: the steps of an epoch. An
                epoch has all steps, as in MindSpore on a CPU.
            initial_epoch: how many epochs are done already.

        Raises:
            TypeError, ValueError: for numbers of epochs or datasets that make no sense.
        """
        self._run_training(epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch)

    def fit(
        self, epoch: int, train_dataset: Any, valid_dataset: Any = None, valid_frequency: Any = 1,
        callbacks: Any = None, dataset_sink_mode: bool = False, valid_dataset_sink_mode: bool = False,
        sink_size: int = -1, initial_epoch: int = 0,
    ) -> None:  # fmt: skip
        """Train, and evaluate in between.

        Args:
            valid_dataset: for evaluation.
            valid_frequency: every how many epochs, or a list of the epochs.
            epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch: as for `train`.
        """
        if valid_dataset is not None and not self._metric_fns:
            raise ValueError("Model.fit with a 'valid_dataset' needs metrics")

        def evaluate(number: int, manager: CallbackManager, known: RunArguments) -> RunArguments | None:
            if valid_dataset is None:
                return None
            wanted = (
                number in valid_frequency
                if isinstance(valid_frequency, (list, tuple))
                else number % valid_frequency == 0
            )
            if not wanted:
                return None
            callbacks = [each for each in manager.callbacks if not vars(type(each)).get("_training_only")]
            with CallbackManager(callbacks) as entered:
                return self._evaluate(valid_dataset, entered, known)

        self._run_training(epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch, evaluate)

    def _check_run(self, epoch: Any, initial_epoch: Any, sink: Any, sink_size: Any) -> None:
        _check_epochs(epoch, initial_epoch)
        check_bool(sink, "dataset_sink_mode", "Model")
        need_type(sink_size, int, "Model: 'sink_size' should be an int")
        if sink_size < -1 or sink_size == 0:
            raise ValueError(f"Model: 'sink_size' should be -1 or positive, but got {sink_size}")
        if self._optimizer is None and self._loss_fn is not None:
            warnings.warn(
                "a Model with a 'loss_fn' and without an 'optimizer' computes losses and trains nothing: give it one, "
                "such as nn.SGD(net.trainable_params(), 0.1)",
                UserWarning,
                stacklevel=user_level(),
            )

    def _run_training(
        self, epoch: Any, dataset: Any, callbacks: Any, sink: bool, sink_size: int, initial_epoch: int,
        evaluate: Any = None,
    ) -> None:  # fmt: skip
        self._check_run(epoch, initial_epoch, sink, sink_size)
        steps = size_of(dataset)
        manager = CallbackManager(callbacks)
        args = RunArguments(
            train_network=self._train_network,
            epoch_num=epoch - initial_epoch,
            batch_num=sink_size if sink and sink_size > 0 else steps,
            mode="train",
            loss_fn=self._loss_fn,
            optimizer=self._optimizer,
            parallel_mode=_get_parallel_mode(),
            device_number=_get_device_num(),
            train_dataset=dataset,
            list_callback=manager.callbacks,
            train_dataset_element=None,
            network=self._network,
            dataset_sink_mode=sink,
            cur_step_num=0,
            cur_epoch_num=initial_epoch,
            metrics=None,
            eval_results=None,
            **dict.fromkeys(("initial_step", "last_save_ckpt_step", "latest_ckpt_file")),
            loss_scale_mananger=self._loss_scale_manager,
        )
        context = RunContext(args)
        self._told_of_loss = False
        with manager:
            manager.fire("on_train_begin", context)
            for number in range(initial_epoch + 1, epoch + 1):
                args.cur_epoch_num = number
                manager.fire("on_train_epoch_begin", context)
                self._train_network.set_train()
                self._train_epoch(dataset, steps, args, context, manager)
                if evaluate is not None:
                    done = evaluate(number, manager, args)
                    args.metrics = None if done is None else done.metrics
                    args.eval_results = None if done is None else done.eval_results
                    self._train_network.set_train()
                manager.fire("on_train_epoch_end", context)
                if context.get_stop_requested():
                    break
            manager.fire("on_train_end", context)

    def _check_without_loss(self, batch: Sequence[Any]) -> None:
        """Raise TypeError unless the network takes all elements of a step."""
        try:
            check_arguments(self._network, tuple(batch), {})
        except TypeError as error:
            raise TypeError(
                f"{error}. Without a 'loss_fn' the network of a Model takes all elements of a step and gives the loss: "
                "give the Model a 'loss_fn', or a network that does"
            ) from None

    def _train_epoch(
        self, dataset: Any, steps: int, args: RunArguments, context: RunContext, manager: CallbackManager
    ) -> None:
        for number, batch in enumerate(batches(dataset)):
            if number == steps:
                break
            if self._loss_fn is not None and len(batch) != 2:
                raise ValueError(
                    "with a 'loss_fn' the dataset should give two elements a step, data and label, but gave "
                    f"{len(batch)}"
                )
            if self._loss_fn is None and number == 0:
                self._check_without_loss(batch)
            args.cur_step_num += 1
            args.train_dataset_element = batch
            manager.fire("on_train_step_begin", context)
            outputs = self._train_network(*batch)
            args.net_outputs = outputs
            scale = self._loss_scale_manager
            reports = isinstance(outputs, tuple) and len(outputs) == 3
            if scale is not None and reports and not isinstance(scale, FixedLossScaleManager):
                scale.update_loss_scale(bool(outputs[1]))
            manager.fire("on_train_step_end", context)
            if not self._told_of_loss and not (reports and bool(outputs[1])):  # a step that overflowed is left out
                self._told_of_loss = _warn_of_loss(outputs, args)
            if context.get_stop_requested():
                break

    # Evaluation and prediction

    def eval(self, valid_dataset: Any, callbacks: Any = None, dataset_sink_mode: bool = False) -> dict[str, Any]:
        """Evaluate the metrics on a dataset.

        Args:
            valid_dataset: as for `train`.
            callbacks: a Callback or a list of them.
            dataset_sink_mode: accepted, without meaning on CPU.

        Returns:
            A dict of the metrics' names to values.

        Raises:
            ValueError: if there are no metrics.
        """
        check_bool(dataset_sink_mode, "dataset_sink_mode", "Model.eval")
        with CallbackManager(callbacks) as manager:
            return dict(self._evaluate(valid_dataset, manager).metrics)

    def _evaluate(self, dataset: Any, manager: CallbackManager, known: RunArguments | None = None) -> RunArguments:
        """The results of one pass, with `metrics` and, if the network gives losses, their mean `eval_loss`. Callbacks
        see what is `known` of the training around it, too."""
        if not self._metric_fns or self._eval_network is None:
            raise ValueError("Model.eval needs metrics: give them when the Model is made")
        args = RunArguments(
            known or {},
            eval_network=self._eval_network,
            valid_dataset=dataset,
            batch_num=size_of(dataset),
            mode="eval",
            cur_step_num=0,
            list_callback=manager.callbacks,
            network=self._network,
            dataset_sink_mode=False,
        )
        context = RunContext(args)
        for metric in self._metric_fns.values():
            metric.clear()
        losses = Loss()
        self._eval_network.set_train(False)
        manager.fire("on_eval_begin", context)
        manager.fire("on_eval_epoch_begin", context)
        for batch in batches(dataset):
            args.cur_step_num += 1
            args.eval_dataset_element = batch
            manager.fire("on_eval_step_begin", context)
            args.net_outputs = self._eval_network(*batch)
            manager.fire("on_eval_step_end", context)
            for outputs in _of_all_processes(args.net_outputs):
                self._update_metrics(outputs)
                if self._eval_indexes is not None:
                    losses.update(outputs[self._eval_indexes[0]])
            if context.get_stop_requested():
                break
        manager.fire("on_eval_epoch_end", context)
        args.metrics = {name: metric.eval() for name, metric in self._metric_fns.items()}
        args.eval_loss = {} if self._eval_indexes is None else {"eval_loss": losses.eval()}
        args.eval_results = {**args.metrics, **args.eval_loss}
        manager.fire("on_eval_end", context)
        return args

    def _update_metrics(self, outputs: Any) -> None:
        values = (outputs,) if isinstance(outputs, Tensor) else outputs
        indexes = self._eval_indexes
        if indexes is not None and len(values) < 3:
            raise ValueError(f"the eval network should give loss, prediction and label, but gave {len(values)} values")
        for metric in (self._metric_fns or {}).values():
            if indexes is None:
                metric.update(*values)
            elif isinstance(metric, Loss):
                metric.update(values[indexes[0]])
            else:
                metric.update(values[indexes[1]], values[indexes[2]])

    def predict(self, *predict_data: Any, backend: str | None = None, config: Any = None) -> Any:
        """The network's output, in evaluation mode.

        Args:
            predict_data: the inputs.
            backend, config: accepted, without meaning.
        """
        self._predict_network.set_train(False)
        return self._predict_network(*predict_data)

    def build(
        self, train_dataset: Any = None, valid_dataset: Any = None, sink_size: int = -1, epoch: int = 1,
        sink_mode: bool = True,
    ) -> None:  # fmt: skip
        """Compile for the batches of the datasets, without training.

        Args:
            train_dataset, valid_dataset: of which the first batch is taken; None: not compiled.
            sink_size, epoch, sink_mode: accepted, without meaning.
        """
        for network, dataset, training in (
            (self._train_network, train_dataset, True), (self._eval_network, valid_dataset, False)
        ):  # fmt: skip
            if dataset is None or network is None:
                continue
            network.set_train(training)
            network.compile(*next(iter(batches(dataset))))


def _of_all_processes(outputs: Any) -> list[Any]:
    """The outputs of the eval networks of all processes that train together, by rank: metrics are those of all data."""
    if not is_data_parallel():
        return [outputs]
    values = (outputs,) if isinstance(outputs, Tensor) else outputs
    arrays = [np.asarray(value.asnumpy() if isinstance(value, Tensor) else value) for value in values]
    return [[Tensor(array) for array in row] for row in gather_arrays(arrays)]


def _warn_of_loss(outputs: Any, args: RunArguments) -> bool:
    """Warn if the loss of a step is nan or infinite; whether it is."""
    loss = outputs[0] if isinstance(outputs, (tuple, list)) and outputs else outputs
    if not isinstance(loss, Tensor) or not loss.dtype.is_float or np.isfinite(loss.asnumpy()).all():
        return False
    kind = "nan" if np.isnan(loss.asnumpy()).any() else "infinite"
    warnings.warn(
        f"the loss is {kind} in step {args.cur_step_num}, of epoch {args.cur_epoch_num}: a lower learning rate, or "
        "clipped gradients, may keep it finite, and so may data without nan; mycel.set_context(debug_nans=True) finds "
        "the operation that makes it",
        UserWarning,
        stacklevel=user_level(),
    )
    return True


def _check_epochs(epoch: Any, initial_epoch: Any) -> None:
    for name, value, least in (("epoch", epoch, 1), ("initial_epoch", initial_epoch, 0)):
        need_type(value, int, f"'{name}' should be an int")
        if value < least:
            raise ValueError(f"'{name}' should be at least {least}, but got {value}")
    if initial_epoch >= epoch:
        raise ValueError(f"'initial_epoch' should be below 'epoch', but got {initial_epoch} and {epoch}")

"""The base of metrics, and metrics that average a number over the batches."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.tensor import Tensor
from .sections import ERRORS, sections


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of a metric's `update`: it gets the inputs at the positions given to `set_indexes`.

    Args:
        func: the method.

    Returns:
        The method with the inputs chosen.

    Raises:
        ValueError: when it is called, if an index has no input.

    Examples:
        >>> from mycel import nn
        >>> class Last(nn.Metric):
        ...     def clear(self):
        ...         self.value = None
        ...     @nn.rearrange_inputs
        ...     def update(self, *inputs):
        ...         self.value = inputs
        ...     def eval(self):
        ...         return self.value
        >>> metric = Last().set_indexes([2, 0])
        >>> metric.update("a", "b", "c")
        >>> metric.eval()
        ('c', 'a')
    """

    @functools.wraps(func)
    def wrapper(self: Any, *inputs: Any) -> Any:
        indexes = self.indexes
        chosen = inputs if indexes is None or len(inputs) < len(indexes) else [inputs[index] for index in indexes]
        return func(self, *chosen)

    return wrapper


class Metric:
    """Base of metrics: a subclass defines `clear()`, `update(*inputs)` and `eval()`.

    Inputs:
        inputs: what `update` takes: arrays, lists or tensors of numbers, of the shapes that the subclass says.

    Outputs:
        `eval` gives a number, or an array of any shape.

    Raises:
        TypeError: if a subclass does not define all three.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.MAE()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([1.0, 2.0]), ms.Tensor([1.5, 2.0]))
        >>> float(metric.eval())
        0.25
    """

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    @property
    def indexes(self) -> list[int] | None:
        """The positions of the inputs to take, or None."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes: list[int]) -> Metric:
        """Let `update` take the inputs at these positions; returns the metric. ValueError unless a list of ints."""
        if not isinstance(indexes, list) or not all(isinstance(item, int) for item in indexes):
            raise ValueError(f"set_indexes takes a list of ints, but got {indexes!r}")
        self._indexes = indexes
        return self

    def __call__(self, *inputs: Any) -> Any:
        """The metric of these inputs alone."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    def clear(self) -> None:
        """Reset the metric."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'clear'")

    def update(self, *inputs: Any) -> None:
        """Take the outputs of one batch."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'update'")

    def eval(self) -> Any:
        """The metric of everything given so far."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'eval'")

    def _convert_data(self, data: Any) -> np.ndarray:
        """A tensor, list or array as a NumPy array. TypeError for anything else."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if isinstance(data, (list, tuple)):
            return np.array(data)
        if isinstance(data, np.ndarray):
            return data
        raise TypeError(f"{type(self).__name__} takes tensors, lists and arrays, but got {type(data).__name__}")

    def _need(self, inputs: tuple[Any, ...], count: int) -> list[np.ndarray]:
        if len(inputs) != count:
            raise ValueError(f"{type(self).__name__}.update takes {count} inputs, but got {len(inputs)}")
        return [self._convert_data(item) for item in inputs]

    def _some(self, count: float) -> None:
        if count == 0:
            raise RuntimeError(f"{type(self).__name__} has no samples: call 'update' before 'eval'")


class Ratio(Metric):
    """The base of metrics that divide a total by a count.

    Attributes:
        _parts: the names of total and count, which are MindSpore's.
    """

    _parts: tuple[str, str]

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        for name in self._parts:
            setattr(self, name, 0)

    def eval(self) -> float:
        """The total over the count."""
        total, count = (getattr(self, name) for name in self._parts)
        self._some(count)
        return total / count


class Loss(Ratio):
    """The mean of the losses.

    Inputs:
        inputs: a loss, an array or tensor of one number, 0-d or of shape [1].

    Outputs:
        `eval` gives a float number.

    Raises:
        ValueError: for another number of inputs, or a loss with more dimensions.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Loss()
        >>> metric.update(ms.Tensor(1.0))
        >>> metric.update(ms.Tensor(2.0))
        >>> float(metric.eval())
        1.5
    """

    _parts = ("_sum_loss", "_total_num")
    _sum_loss: float
    _total_num: int

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Add a loss: a number, or a tensor, whose mean is used."""
        (loss,) = self._need(inputs, 1)
        self._sum_loss += float(np.mean(loss))
        self._total_num += 1


class _MeanError(Ratio):
    _parts = ("_sum", "_samples_num")
    _sum: float
    _samples_num: int
    _errors: Callable[..., Any]
    _total = property(lambda metric: metric._sum, doc="The sum, which MindSpore names in each class.")

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions and targets."""
        prediction, target = self._need(inputs, 2)
        if prediction.size != target.size:
            raise ValueError(
                f"For '{type(self).__name__}.update', predictions of shape {prediction.shape} do not fit targets of "
                f"shape {target.shape}"
            )
        self._sum += float(self._errors(prediction.reshape(target.shape) - target).sum())
        self._samples_num += target.shape[0]


@sections(**ERRORS)
class MAE(_MeanError):
    """The mean absolute error: the sum of |prediction - label| over the number of samples.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.MAE()
        >>> metric.update(ms.Tensor([1.0, 2.0]), ms.Tensor([1.5, 2.0]))
        >>> float(metric.eval())
        0.25
    """

    _errors = staticmethod(np.abs)
    _abs_error_sum = _MeanError._total


@sections(**ERRORS)
class MSE(_MeanError):
    """The mean squared error: the sum of (prediction - label)² over the number of samples.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.MSE()
        >>> metric.update(ms.Tensor([1.0, 2.0]), ms.Tensor([1.5, 2.0]))
        >>> float(metric.eval())
        0.125
    """

    _errors = staticmethod(np.square)
    _squared_error_sum = _MeanError._total

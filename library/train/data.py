"""Batches for training: from datasets with MindSpore's iterators, and from any Python iterable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor


def batches(dataset: Any) -> Iterator[tuple[Any, ...]]:
    """One pass over a dataset: tuples of tensors.

    Raises:
        TypeError: if it is no dataset and cannot be iterated over.
    """
    if hasattr(dataset, "create_tuple_iterator"):
        source: Iterable[Any] = dataset.create_tuple_iterator(num_epochs=1)
    elif isinstance(dataset, Iterable):
        source = dataset
    else:
        raise TypeError(
            f"a dataset should have 'create_tuple_iterator' or be iterable, but got {type(dataset).__name__}"
        )
    for item in source:
        if isinstance(item, dict):
            item = tuple(item.values())
        items = item if isinstance(item, (tuple, list)) else (item,)
        yield tuple(_as_tensor(one) for one in items)


def _as_tensor(value: Any) -> Any:
    return Tensor(value) if isinstance(value, (np.ndarray, np.generic)) else value


def size_of(dataset: Any) -> int:
    """How many batches a dataset has.

    Raises:
        TypeError: if it cannot tell. ValueError: if there are none.
    """
    if hasattr(dataset, "get_dataset_size"):
        size = int(dataset.get_dataset_size())
    elif hasattr(dataset, "__len__"):
        size = len(dataset)
    else:
        raise TypeError(f"a dataset should have 'get_dataset_size' or a length, but got {type(dataset).__name__}")
    if size < 1:
        raise ValueError("the dataset has no batches: its batch size may be larger than the data")
    return size


class DatasetHelper:
    """Iterates over the batches of a dataset.

    Args:
        dataset: a dataset with `create_tuple_iterator`, or something iterable.
        dataset_sink_mode: accepted, without meaning on CPU. Default: True.
        sink_size: an int, how many batches a pass has; -1: all. Default: -1.
        epoch_num: accepted. Default: 1.

    Raises:
        TypeError: if the dataset cannot be iterated over.

    Examples:
        >>> import mycel as ms
        >>> helper = ms.train.DatasetHelper([(1, 2), (3, 4)], dataset_sink_mode=False)
        >>> [batch[0] for batch in helper]
        [1, 3]
    """

    def __init__(self, dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1) -> None:
        need_type(dataset_sink_mode, bool, "For 'DatasetHelper', the 'dataset_sink_mode' should be a bool")
        self.dataset = dataset
        self._sink_size = sink_size

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        count = self.sink_size()
        for number, batch in enumerate(batches(self.dataset)):
            if number == count:
                return
            yield batch

    def sink_size(self) -> int:
        """How many batches a pass has."""
        return self._sink_size if self._sink_size > 0 else size_of(self.dataset)

    def types_shapes(self) -> tuple[list[Any], list[Any]]:
        """The dtypes and shapes of the first batch."""
        first = next(iter(batches(self.dataset)))
        return [item.dtype for item in first], [list(item.shape) for item in first]

    def stop_send(self) -> None:
        """Nothing: there is no queue."""

    def continue_send(self) -> None:
        """Nothing: there is no queue."""

    def release(self) -> None:
        """Nothing: there is no queue."""


def connect_network_with_dataset(network: Cell, dataset_helper: DatasetHelper) -> Cell:
    """The network: batches are handed to it by whoever iterates over the dataset.

    Args:
        network: a Cell.
        dataset_helper: a `DatasetHelper`.

    Returns:
        The network.

    Raises:
        TypeError: if an argument is missing.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.ReLU()
        >>> helper = ms.train.DatasetHelper([(1, 2)], dataset_sink_mode=False)
        >>> ms.train.connect_network_with_dataset(net, helper) is net
        True
    """
    need_type(dataset_helper, DatasetHelper, "connect_network_with_dataset takes a DatasetHelper")
    return network


def data_sink(
    fn: Callable[..., Any], dataset: Any, sink_size: int = 1, jit_config: Any = None, input_signature: Any = None
) -> Callable[[], Any]:
    """A function without arguments that runs `fn` on the next `sink_size` batches, and gives the last result.

    Args:
        fn: a function, called with a batch.
        dataset: what gives the batches; it starts anew when it is at its end.
        sink_size: a positive int, how many batches a call takes. Default: 1.
        jit_config: given, `fn` is compiled. Default: None.
        input_signature: accepted, without meaning. Default: None.

    Returns:
        The function without arguments.

    Raises:
        ValueError: if sink_size is not positive.

    Examples:
        >>> import mycel as ms
        >>> step = ms.data_sink(lambda x, y: x + y, [(1, 2), (3, 4)], sink_size=2)
        >>> step()
        7
    """
    if isinstance(sink_size, bool) or not isinstance(sink_size, int) or sink_size < 1:
        raise ValueError(f"data_sink's 'sink_size' should be a positive int, but got {sink_size}")
    if jit_config is not None:
        from ...frontend.api.jit import jit

        fn = jit(fn, jit_config=jit_config)
    running: list[Iterator[tuple[Any, ...]]] = []

    def next_batch() -> tuple[Any, ...]:
        for _ in range(2):
            if not running:
                running.append(batches(dataset))
            for batch in running[0]:
                return batch
            running.clear()
        raise ValueError("the dataset has no batches: its batch size may be larger than the data")

    def step() -> Any:
        result = None
        for _ in range(sink_size):
            result = fn(*next_batch())
        return result

    return step

"""Wrappers: a network with its loss, its gradient and its optimizer in one Cell."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ...frontend.control_flow import calls as control
from ...frontend.state import STATE
from ...frontend.transforms.grad import GradientFunction, Request
from ...frontend.transforms.grad_operation import GradOperation
from ...frontend.values import tree
from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import ParameterTuple
from ...runtime import dtypes
from .. import ops
from ..distributed import collectives
from ..distributed.communication import HCCL_WORLD_COMM_GROUP, GlobalComm, get_group_size
from ..distributed.data_parallel import begin_alike
from ..distributed.parallel import (
    DATA_PARALLEL_MODES,
    _get_device_num,
    _get_gradients_mean,
    _get_parallel_mode,
    bucket_bytes,
)
from ..docstrings import sections
from .basic import Identity
from .compiled import CompiledCell

__all__ = [
    "DistributedGradReducer", "ForwardValueAndGrad", "TrainOneStepCell", "WithEvalCell", "WithGradCell",
    "WithLossCell", "no_init_parameters",
]  # fmt: skip


def _check_network(network: Any, owner: str) -> None:
    """Raise TypeError for what cannot be called."""
    if not callable(network):
        raise TypeError(f"For '{owner}', a Cell or function is expected, but got {type(network).__name__} {network!r}")


_DATA_AND_LABEL = {
    "Inputs": """
        data: what the network takes, a tensor of any shape and dtype.
        label: what the loss takes, a tensor of any shape and dtype.
    """
}


@sections(**_DATA_AND_LABEL)
class WithLossCell(Cell):
    """A network and a loss in one: (data, label) to loss_fn(backbone(data), label).

    Args:
        backbone: the network, a Cell.
        loss_fn: a Cell or function of its output and the label; None: the network gives the loss itself.

    Outputs:
        The loss, a float tensor of the shape that the loss gives.

    Raises:
        TypeError: if backbone is no Cell.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> cell = nn.WithLossCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> print(cell(ms.Tensor([[2.0]]), ms.Tensor([[1.0]])))
        1.0
    """

    def __init__(self, backbone: Any, loss_fn: Any) -> None:
        super().__init__(auto_prefix=False)
        for part in (backbone, loss_fn):
            _check_network(part, type(self).__name__)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        """The loss."""
        return control.call(self._loss_fn, control.call(self._backbone, data), label)

    @property
    def backbone_network(self) -> Any:
        """The network."""
        return self._backbone


@sections(**_DATA_AND_LABEL)
class WithEvalCell(Cell):
    """A network and a loss for evaluation: (data, label) to (loss, output, label).

    Args:
        network: the network, a Cell.
        loss_fn: a Cell or function of its output and the label; None: (output, label) is the result.
        add_cast_fp32: whether outputs and labels are cast to float32 before. Default: False.

    Outputs:
        The loss, the network's output and the label, tensors of their shapes and dtypes.

    Raises:
        TypeError: if add_cast_fp32 is no bool.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> cell = nn.WithEvalCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
        >>> loss, output, label = cell(ms.Tensor([[2.0]]), ms.Tensor([[1.0]]))
        >>> print(loss, output)
        1.0 [[2.]]
    """

    def __init__(self, network: Any, loss_fn: Any, add_cast_fp32: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = need_type(add_cast_fp32, bool, "For 'WithEvalCell', the 'add_cast_fp32' should be a bool")

    def construct(self, data: Any, label: Any) -> Any:
        """(loss, output, label)."""
        output = control.call(self._network, data)
        if self.add_cast_fp32:
            output, label = to_float32(output), to_float32(label)
        if self._loss_fn is None:
            return output, label
        return control.call(self._loss_fn, output, label), output, label


def to_float32(value: Any) -> Any:
    """The same containers, with floating-point tensors cast to float32.

    Args:
        value: a tensor, or tuples, lists and dicts of them.

    Returns:
        The value with tensors of dtype float32.

    Raises:
        TypeError: if an argument is missing.

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.nn.wrap import to_float32
        >>> to_float32(ms.Tensor([1.0], ms.float16)).dtype
        mindspore.float32
    """
    return tree.map_tensors(lambda x: ops.cast(x, dtypes.float32) if x.dtype.is_float else x, value)


class WithGradCell(CompiledCell):
    """A network and a loss: (data, label) to the gradients of the network's trainable Parameters.

    Args:
        network: the network, a Cell.
        loss_fn: a Cell or function of its output and the label. Default: None: the network gives the loss itself.
        sens: the cotangent of the loss, a number or tensor. Default: None, for ones.

    Inputs:
        inputs: data and label, tensors of any shape and dtype.

    Outputs:
        A tuple of tensors of the shapes and dtypes of the Parameters.

    Raises:
        TypeError: if network is no Cell.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> (gradient,) = nn.WithGradCell(net, nn.MSELoss())(ms.Tensor([[2.0]]), ms.Tensor([[1.0]]))
        >>> print(gradient)
        [[4.]]
    """

    def __init__(self, network: Cell, loss_fn: Any = None, sens: Any = None) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.sens = sens
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self._gradient = GradientFunction(
            self.network_with_loss, Request(None, tuple(self.weights), sens=sens is not None)
        )

    def construct(self, *inputs: Any) -> Any:
        """The gradients, one for each Parameter."""
        return self._gradient(*inputs) if self.sens is None else self._gradient(*inputs, self.sens)


class ForwardValueAndGrad(CompiledCell):
    """A network's output and its gradients.

    Args:
        network: the network, a Cell or function.
        weights: the Parameters, with `get_by_list`. Default: None.
        get_all: whether to differentiate by all inputs in place of the first. Default: False.
        get_by_list: whether to differentiate by the weights; with `get_all`, by both. Default: False.
        sens_param: whether the last input is the cotangent of the output. Default: False.

    Inputs:
        inputs: what the network takes, tensors of any shape and dtype.

    Outputs:
        The output, and the gradients: tensors of the shapes and dtypes of what is differentiated by.

    Raises:
        TypeError: if network is no Cell or function, or a flag no bool.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> cell = nn.ForwardValueAndGrad(net, weights=net.trainable_params(), get_by_list=True)
        >>> output, (gradient,) = cell(ms.Tensor([[3.0]]))
        >>> print(output, gradient)
        [[3.]] [[3.]]
    """

    def __init__(
        self, network: Any, weights: Any = None, get_all: bool = False, get_by_list: bool = False,
        sens_param: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(auto_prefix=False)
        if not callable(network):
            raise TypeError(f"ForwardValueAndGrad takes a Cell or a function, but got {type(network).__name__}")
        for name, flag in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            need_type(flag, bool, f"For 'ForwardValueAndGrad', the '{name}' should be a bool")
        if get_by_list and not isinstance(weights, (ParameterTuple, tuple, list)):
            raise TypeError("ForwardValueAndGrad with 'get_by_list' needs 'weights', a list of Parameters")
        self.network = network
        self.weights = ParameterTuple(weights) if get_by_list else None
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param
        positions: Any = "all" if get_all else None if get_by_list else (0,)
        own = tuple(self.weights) if self.weights is not None else None
        self._gradient = GradientFunction(
            network, Request(positions, own, bare_position=positions == (0,), value=True, sens=sens_param)
        )

    def construct(self, *inputs: Any) -> Any:
        """(output, gradients)."""
        return self._gradient(*inputs)


def scaled_loss_gradient(network: Any, weights: Any) -> GradientFunction:
    """The function (factor, *inputs) to ((factor · loss, loss), gradients of the first by the weights)."""

    def scaled(factor: Any, *inputs: Any) -> Any:
        loss = control.call(network, *inputs)
        return tree.map_tensors(lambda x: x * ops.cast(factor, x.dtype), loss), loss

    scaled.function = network  # type: ignore[attr-defined] # what errors are about
    return GradientFunction(scaled, Request(None, tuple(weights), value=True, has_aux=True))


class TrainOneStepCell(CompiledCell):
    """One step of training: the loss of the inputs, its gradients, and the optimizer's update.

    Args:
        network: gives the loss (as `WithLossCell` does).
        optimizer: an Optimizer of the Parameters to train.
        sens: a number, the cotangent of the loss. Default: None, for 1.
        return_grad: whether the gradients are returned too. Default: False.

    Inputs:
        inputs: what the network takes, tensors of any shape and dtype.

    Outputs:
        The loss, a tensor of its shape and dtype; with `return_grad` (loss, {name of a Parameter: gradient}).

    Raises:
        TypeError: if optimizer is no Optimizer, or return_grad no bool.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.25))
        >>> print(train(ms.Tensor([[1.0]]), ms.Tensor([[0.0]])), net.weight.asnumpy())
        1.0 [[0.5]]
    """

    def __init__(self, network: Any, optimizer: Any, sens: Any = None, return_grad: bool = False) -> None:
        super().__init__(auto_prefix=False)
        need_type(return_grad, bool, "For 'TrainOneStepCell', the 'return_grad' should be a bool")
        _check_network(network, "TrainOneStepCell")
        if not hasattr(optimizer, "parameters"):
            raise TypeError(
                f"For 'TrainOneStepCell', the 'optimizer' should be an Optimizer, but got {type(optimizer).__name__}"
            )
        self.network = network
        if isinstance(network, Cell):
            network.set_grad()
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.sens = 1.0 if sens is None else sens
        self.sense_flag = sens is not None
        self.return_grad = return_grad
        self.weights_name = [parameter.name for parameter in self.weights]
        self.parallel_mode = _get_parallel_mode()
        self.reducer_flag = self.parallel_mode in DATA_PARALLEL_MODES
        self.grad_reducer: Cell = Identity()
        if self.reducer_flag:
            self.mean = _get_gradients_mean()
            self.degree = _get_device_num()
            self.grad_reducer = DistributedGradReducer(self.weights, self.mean, self.degree)
        self._value_and_gradient = GradientFunction(network, Request(None, tuple(self.weights), value=True))
        self._scaled_gradient = scaled_loss_gradient(network, self.weights)
        self._to_begin = self.reducer_flag and self.degree > 1

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Train on a batch. Before the first one, several processes check that they have the same Parameters."""
        if self._to_begin and STATE.trace is None:
            object.__setattr__(self, "_to_begin", False)  # which no program depends on
            begin_alike(self.get_parameters())
        return super().__call__(*inputs, **named)

    def construct(self, *inputs: Any) -> Any:
        """The loss, after the update."""
        if self.sense_flag:
            (_, loss), gradients = self._scaled_gradient(self.sens, *inputs)
        else:
            loss, gradients = self._value_and_gradient(*inputs)
        gradients = self.grad_reducer(gradients)
        control.call(self.optimizer, gradients)
        if self.return_grad:
            return loss, dict(zip(self.weights_name, gradients, strict=True))
        return loss


class DistributedGradReducer(Cell):
    """Sums or averages gradients over the processes of a group. One process keeps them as they are.

    Args:
        parameters: the Parameters of the gradients: names, shapes and dtypes have to be the same on all processes.
        mean: whether to average. Default: None, for what `set_auto_parallel_context(gradients_mean=…)` says.
        degree: what the sums are divided by. Default: None, for the number of processes.
        fusion_type: accepted, without meaning. Default: 1.
        group: the group's name. Default: all processes.

    Inputs:
        grads: a tuple of float tensors of any shapes.

    Outputs:
        A tuple of tensors of the same shapes and dtypes.

    Raises:
        TypeError: if `degree` is no int. ValueError: if it is not positive.
        RuntimeError: if the Parameters differ among the processes.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> net = nn.Dense(2, 1)
        >>> reducer = nn.DistributedGradReducer(net.trainable_params(), mean=True)
        >>> gradients = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(ms.Tensor([[1.0, 2.0]]))
        >>> print(reducer(gradients)[0])
        [[1. 2.]]
    """

    def __init__(
        self, parameters: Any, mean: bool | None = None, degree: int | None = None, fusion_type: int = 1,
        group: str = HCCL_WORLD_COMM_GROUP,
    ) -> None:  # fmt: skip
        super().__init__(auto_prefix=False)
        if degree is not None:
            need_type(degree, int, "For 'DistributedGradReducer', the 'degree' should be an int")
            if degree <= 0:
                raise ValueError(f"For 'DistributedGradReducer', the 'degree' should be positive, but got {degree}")
        self.mean = _get_gradients_mean() if mean is None else mean
        self.group = group
        self.size = get_group_size(group) if GlobalComm.INITED else 1
        self.degree = self.size if degree is None else degree
        self.bucket = bucket_bytes() if self.size > 1 else 0

    def construct(self, grads: Any) -> Any:
        """The gradients, summed or averaged."""
        return grads if self.size == 1 else tree.map_tensors(self._reduced, grads)

    def _reduced(self, gradient: Any) -> Any:
        short = gradient.dtype.is_float and gradient.dtype.np.itemsize == 2
        own = ops.cast(gradient, dtypes.float32) if short else gradient
        total = collectives.all_reduce(own, "sum", self.group, self.bucket)
        if self.mean:
            total = total * ops.cast(1.0 / self.degree, total.dtype)
        return ops.cast(total, gradient.dtype) if short else total


@contextlib.contextmanager
def no_init_parameters() -> Iterator[None]:
    """A context in which MindSpore leaves Parameters without numbers until a checkpoint is loaded.

    They are drawn nevertheless; loaded numbers replace them.

    Returns:
        A context manager.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> from mycel import nn
        >>> with nn.no_init_parameters():
        ...     net = nn.Dense(2, 1)
        >>> net.weight.shape
        (1, 2)
    """
    yield

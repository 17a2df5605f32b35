"""Mixed precision: loss scaling, checks for overflow, and Cells that compute in half precision (`mindspore.amp`)."""

from __future__ import annotations

from typing import Any

from ..frontend.values import tree
from ..frontend.values.cell import Cell
from ..frontend.values.inplace import assign_inplace as assign
from ..frontend.values.parameter import Parameter
from ..frontend.values.tensor import Tensor
from ..runtime import dtypes
from . import functions as ops, nn
from .nn.checks import check_positive_int
from .nn.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, TrainOneStepWithLossScaleCell
from .nn.wrap import TrainOneStepCell, to_float32

LEVELS = ("O0", "O1", "O2", "O3", "auto")


def all_finite(inputs: Any) -> Tensor:
    """Whether every number of the tensors is finite.

    Args:
        inputs: a tuple or list of tensors (or one).

    Returns:
        A 0-d bool tensor.

    Raises:
        TypeError: if there is something besides tensors.
        ValueError: if there is no tensor.

    Examples:
        >>> import mycel as ms
        >>> print(ms.amp.all_finite((ms.Tensor([1.0]), ms.Tensor([float("inf")]))))
        False
    """
    leaves = tree.leaves(inputs)
    if not leaves:
        raise ValueError("all_finite needs at least one tensor")
    result: Any = None
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise TypeError(f"all_finite takes tensors, but got {type(leaf).__name__}")
        finite = ops.all(ops.isfinite(leaf))
        result = finite if result is None else ops.logical_and(result, finite)
    return result


def _scaled(inputs: Any, factor: Any) -> Any:
    """The tensors in the containers times a factor, in their own dtypes."""
    if not isinstance(inputs, (Tensor, tuple, list, dict)):
        raise TypeError(f"a loss scaler takes a tensor or a tuple of them, but got {type(inputs).__name__}")
    return tree.map_tensors(lambda x: x * ops.cast(factor, x.dtype), inputs)


def _check_scale(value: Any, name: str, at_least: float = 1.0) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"'{name}' should be a number, but got {type(value).__name__}")
    if value < at_least:
        raise ValueError(f"'{name}' must be > 1 (1 leaves the loss as it is), but got {value}")
    return float(value)


class LossScaler:
    """Base of loss scalers: `scale` the loss, `unscale` the gradients, `adjust` the scale.

    Raises:
        TypeError: if a subclass does not define all three.

    Examples:
        >>> import mycel as ms
        >>> isinstance(ms.amp.StaticLossScaler(8), ms.amp.LossScaler)
        True
    """

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'scale'")

    def unscale(self, inputs: Any) -> Any:
        """The inputs divided by the scale. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'unscale'")

    def adjust(self, grads_finite: Any) -> Any:
        """Let the scale follow from whether the gradients are finite. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'adjust'")


class StaticLossScaler(LossScaler):
    """A scale that stays.

    Args:
        scale_value: the scale, at least 1.

    Raises:
        TypeError: if it is no number. ValueError: if it is below 1.

    Examples:
        >>> import mycel as ms
        >>> scaler = ms.amp.StaticLossScaler(8)
        >>> print(scaler.scale(ms.Tensor(2.0)), scaler.unscale((ms.Tensor([8.0]),))[0])
        16.0 [1.]
    """

    def __init__(self, scale_value: float) -> None:
        self.scale_value = Parameter(
            Tensor(_check_scale(scale_value, "scale_value"), dtypes.float32), name="scale_value"
        )

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale."""
        return _scaled(inputs, self.scale_value)

    def unscale(self, inputs: Any) -> Any:
        """The inputs divided by the scale."""
        return _scaled(inputs, 1.0 / self.scale_value)

    def adjust(self, grads_finite: Any) -> bool:
        """False: the scale stays."""
        return False


class DynamicLossScaler(LossScaler):
    """A scale that falls after an overflow, and rises after `scale_window` steps without one.

    Args:
        scale_value: the first scale, at least 1.
        scale_factor: by which it rises and falls, an int.
        scale_window: how many good steps it takes to rise, a positive int.

    Raises:
        TypeError: for arguments of wrong types. ValueError: for numbers out of range.

    Examples:
        >>> import mycel as ms
        >>> scaler = ms.amp.DynamicLossScaler(scale_value=16, scale_factor=2, scale_window=1)
        >>> scaler.adjust(ms.Tensor(False))
        True
        >>> print(scaler.scale_value.asnumpy())
        8.0
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        value = _check_scale(scale_value, "scale_value")
        self.scale_window = check_positive_int(scale_window, "scale_window", "DynamicLossScaler")
        self.scale_factor = check_positive_int(scale_factor, "scale_factor", "DynamicLossScaler")
        self.scale_value = Parameter(Tensor(value, dtypes.float32), name="scale_value")
        self.counter = Parameter(Tensor(0, dtypes.int32), name="counter")

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale."""
        return _scaled(inputs, self.scale_value)

    def unscale(self, inputs: Any) -> Any:
        """The inputs divided by the scale."""
        return _scaled(inputs, 1.0 / self.scale_value)

    def adjust(self, grads_finite: Any) -> bool:
        """Let the scale follow from whether the gradients are finite, a bool tensor; True."""
        finite = grads_finite if isinstance(grads_finite, Tensor) else Tensor(bool(grads_finite))
        finite = ops.reshape(finite, ()) if finite.ndim else finite
        counter = self.counter + 1
        full = ops.equal(counter, self.scale_window)
        raised = self.scale_value * float(self.scale_factor)
        raised = ops.where(ops.isfinite(raised), raised, self.scale_value + 0.0)
        lowered = ops.maximum(self.scale_value * (1.0 / self.scale_factor), 1.0)
        good = ops.logical_and(finite, full)
        assign(self.scale_value, ops.where(finite, ops.where(full, raised, self.scale_value + 0.0), lowered))
        restart = ops.logical_or(good, ops.logical_not(finite))
        assign(self.counter, ops.where(restart, ops.zeros_like(counter), counter))
        return True


# Managers, which Model and TrainOneStepWithLossScaleCell take


class LossScaleManager:
    """Base of loss scale managers: a subclass defines `get_loss_scale`, `update_loss_scale` and `get_update_cell`.

    Raises:
        NotImplementedError: if a subclass does not define a method that is called.

    Examples:
        >>> import mycel as ms
        >>> isinstance(ms.amp.FixedLossScaleManager(), ms.amp.LossScaleManager)
        True
    """

    def get_loss_scale(self) -> float:
        """The scale. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'get_loss_scale'")

    def update_loss_scale(self, overflow: bool) -> None:
        """Let the scale follow from whether there was an overflow. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'update_loss_scale'")

    def get_update_cell(self) -> Cell | None:
        """The Cell that adapts the scale in a training step. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'get_update_cell'")


class FixedLossScaleManager(LossScaleManager):
    """A loss scale that stays.

    Args:
        loss_scale: a number, at least 1. Default: 128.0.
        drop_overflow_update: whether a step with an overflow leaves the Parameters as they are. If not, the optimizer
            divides the gradients: give it the same `loss_scale`. Default: True.

    Raises:
        ValueError: if the scale is below 1.

    Examples:
        >>> import mycel as ms
        >>> ms.amp.FixedLossScaleManager(1024.0).get_loss_scale()
        1024.0
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True) -> None:
        if loss_scale < 1:
            raise ValueError(f"FixedLossScaleManager's 'loss_scale' should be at least 1, but got {loss_scale}")
        self._loss_scale = loss_scale
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self) -> float:
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether a step with an overflow leaves the Parameters as they are."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: bool) -> None:
        """Nothing: the scale stays."""

    def get_update_cell(self) -> Cell | None:
        """A `FixedLossScaleUpdateCell`, or None if overflows are not looked for."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A loss scale that falls after an overflow, and rises after `scale_window` steps without one.

    Args:
        init_loss_scale: a number, the first scale, at least 1. Default: 2^24.
        scale_factor: an int, by which it rises and falls. Default: 2.
        scale_window: an int, how many good steps it takes to rise. Default: 2000.

    Raises:
        ValueError: if the scale is below 1, or another number is not positive.

    Examples:
        >>> import mycel as ms
        >>> manager = ms.amp.DynamicLossScaleManager(1024.0)
        >>> manager.update_loss_scale(overflow=True)
        >>> manager.get_loss_scale()
        512.0
    """

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: float = 2, scale_window: int = 2000) -> None:
        if init_loss_scale < 1:
            raise ValueError(f"DynamicLossScaleManager's 'init_loss_scale' should be > 1, but got {init_loss_scale}")
        if scale_factor < 1:
            raise ValueError(f"DynamicLossScaleManager's 'scale_factor' should be at least 1, but got {scale_factor}")
        self.loss_scale: float = init_loss_scale
        self.scale_window = check_positive_int(scale_window, "scale_window", "DynamicLossScaleManager")
        self.scale_factor = scale_factor
        self.increase_ratio = scale_factor
        self.decrease_ratio = 1 / scale_factor
        self.cur_iter = 1
        self.last_overflow_iter = 0
        self.bad_step_max = 1000
        self.bad_step = 0

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale

    def get_drop_overflow_update(self) -> bool:
        """True: a step with an overflow leaves the Parameters as they are."""
        return True

    def update_loss_scale(self, overflow: bool) -> None:
        """Let the scale follow from whether there was an overflow. RuntimeError after 1000 overflows in a row."""
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            if self.cur_iter - self.last_overflow_iter >= self.scale_window:
                self.loss_scale *= self.increase_ratio
                self.last_overflow_iter = self.cur_iter
            self.bad_step = 0
        if self.bad_step > self.bad_step_max:
            raise RuntimeError(
                f"the gradients overflowed in {self.bad_step} steps one after another, whatever the loss scale"
            )
        self.cur_iter += 1

    def get_update_cell(self) -> Cell | None:
        """A `DynamicLossScaleUpdateCell`."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)


# Half precision


class _OutputTo32(Cell):
    """Casts the outputs of a Cell to float32."""

    def __init__(self, backbone: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs of the Cell in float32."""
        return to_float32(self._backbone(*args, **kwargs))


_WHITE: tuple[type[Cell], ...] = (
    nn.Conv1d,
    nn.Conv2d,
    nn.Conv3d,
    nn.Conv1dTranspose,
    nn.Conv2dTranspose,
    nn.Conv3dTranspose,
    nn.Dense,
    nn.LSTMCell,
    nn.RNNCell,
    nn.GRUCell,
)
_BLACK: tuple[type[Cell], ...] = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm)


def get_white_list() -> list[type[Cell]]:
    """The Cells that `auto_mixed_precision` computes in half precision at level O1.

    Returns:
        A list of classes.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> import mycel as ms
        >>> ms.nn.Dense in ms.amp.get_white_list()
        True
    """
    return list(_WHITE)


def get_black_list() -> list[type[Cell]]:
    """The Cells that `auto_mixed_precision` keeps in float32 at level O2.

    Returns:
        A list of classes.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> import mycel as ms
        >>> ms.nn.BatchNorm2d in ms.amp.get_black_list()
        True
    """
    return list(_BLACK)


def _half_dtype(dtype: Any) -> Any:
    half = dtypes.as_dtype(dtype)
    if half not in (dtypes.float16, dtypes.bfloat16):
        raise ValueError(f"mixed precision takes float16 or bfloat16, but got {dtype}")
    return half


def _outermost(network: Cell, kinds: tuple[type[Cell], ...]) -> list[Cell]:
    """The Cells of these types in the network, without those inside of one of them."""
    if isinstance(network, kinds):
        return [network]
    return [found for cell in network.cells() for found in _outermost(cell, kinds)]


def _widen_output(cell: Cell, inputs: Any, output: Any) -> Any:
    return to_float32(output)


def _in_half(network: Cell, kinds: tuple[type[Cell], ...], dtype: Any) -> Cell:
    """Let the Cells of these types compute in half precision, and give float32."""
    for cell in _outermost(network, kinds):
        cell.to_float(dtype)
        cell.register_forward_hook(_widen_output)
    return network


def _all_half_but(network: Cell, kept: tuple[type[Cell], ...], dtype: Any) -> Cell:
    """A network in half precision, except Cells of some types; its outputs in float32."""

    def widen(cell: Cell, inputs: Any) -> Any:
        return to_float32(inputs)

    def narrow(cell: Cell, inputs: Any, output: Any) -> Any:
        return tree.map_tensors(lambda x: ops.cast(x, dtype) if x.dtype.is_float else x, output)

    network.to_float(dtype)
    for cell in _outermost(network, kept) if kept else ():
        for _, inner in cell.cells_and_names():
            inner._float_dtype = None
        cell.register_forward_pre_hook(widen)
        cell.register_forward_hook(narrow)
    return _OutputTo32(network)


def auto_mixed_precision(network: Any, amp_level: str = "O0", dtype: Any = dtypes.float16) -> Any:
    """A network that computes parts of itself in half precision; its Parameters stay in float32.

    Args:
        network: a Cell (a function too at level 'auto').
        amp_level: 'O0': nothing. 'O1': the Cells of `get_white_list`. 'O2': all but those of `get_black_list`.
            'O3': all. 'auto': as O1.
        dtype: float16 or bfloat16.

    Returns:
        The network, changed, or a Cell around it; its outputs are in float32.

    Raises:
        TypeError: if `network` is no Cell.
        ValueError: for another level or dtype.

    Examples:
        >>> import mycel as ms
        >>> net = ms.amp.auto_mixed_precision(ms.nn.Dense(2, 1), "O2")
        >>> print(net(ms.Tensor([[1.0, 2.0]])).dtype)
        Float32
    """
    if amp_level not in LEVELS:
        raise ValueError(f"the amp level should be one of {', '.join(LEVELS)}, but got {amp_level!r}")
    half = _half_dtype(dtype)
    if not isinstance(network, Cell):
        if amp_level == "auto" and callable(network):
            return network
        raise TypeError(f"auto_mixed_precision takes a Cell, but got {type(network).__name__}")
    if amp_level == "O0":
        return network
    if amp_level in ("O1", "auto"):
        return _in_half(network, _WHITE, half)
    return _all_half_but(network, _BLACK if amp_level == "O2" else (), half)


def custom_mixed_precision(
    network: Cell, *, white_list: Any = None, black_list: Any = None, dtype: Any = dtypes.float16
) -> Cell:
    """As `auto_mixed_precision`, with a list of Cells of one's own.

    Args:
        network: a Cell.
        white_list: a list of the classes to compute in half precision. Default: None.
        black_list: a list of the classes not to; one of the two lists is given. Default: None.
        dtype: float16 or bfloat16. Default: float16.

    Returns:
        The network, changed, or a Cell around it; its outputs are in float32.

    Raises:
        TypeError: if `network` is no Cell.
        ValueError: unless one list is given.

    Examples:
        >>> import mycel as ms
        >>> net = ms.amp.custom_mixed_precision(ms.nn.Dense(2, 1), white_list=[ms.nn.Dense])
        >>> print(net(ms.Tensor([[1.0, 2.0]])).dtype)
        Float32
    """
    if not isinstance(network, Cell):
        raise TypeError(f"custom_mixed_precision takes a Cell, but got {type(network).__name__}")
    if (white_list is None) == (black_list is None):
        raise ValueError("custom_mixed_precision takes either a 'white_list' or a 'black_list'")
    half = _half_dtype(dtype)
    given = white_list if white_list is not None else black_list
    chosen = tuple(item for item in given if isinstance(item, type) and issubclass(item, Cell))
    if black_list is not None:
        return _all_half_but(network, chosen, half)
    return _in_half(network, chosen, half)


def build_train_network(
    network: Cell, optimizer: Any, loss_fn: Any = None, level: str = "O0", boost_level: str = "O0", **kwargs: Any
) -> Cell:
    """A Cell that does one step of training in mixed precision.

    Args:
        network: a Cell.
        optimizer: an Optimizer of its Parameters.
        loss_fn: a Cell or function of output and label. Default: None: the network gives the loss.
        level: 'O0', 'O1', 'O2', 'O3' or 'auto'; see `auto_mixed_precision`. Default: 'O0'.
        boost_level: accepted, without meaning. Default: 'O0'.
        kwargs: `loss_scale_manager`, `keep_batchnorm_fp32`, `cast_model_type`.

    Returns:
        A `TrainOneStepCell`, or with a manager that looks for overflows a `TrainOneStepWithLossScaleCell`.

    Raises:
        ValueError: for an unknown level or option.

    Examples:
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> optimizer = ms.nn.SGD(net.trainable_params(), 0.25)
        >>> step = ms.amp.build_train_network(net, optimizer, ms.nn.MSELoss(), level="O2")
        >>> print(step(ms.Tensor([[1.0]]), ms.Tensor([[0.0]])))
        1.0
    """
    unknown = sorted(set(kwargs) - {"loss_scale_manager", "keep_batchnorm_fp32", "cast_model_type"})
    if unknown:
        raise ValueError(f"build_train_network has no option {', '.join(map(repr, unknown))}")
    if level not in LEVELS:
        raise ValueError(f"the amp level should be one of {', '.join(LEVELS)}, but got {level!r}")
    keep = kwargs.get("keep_batchnorm_fp32")
    if level in ("O2", "O3") and keep is not None:
        network = _all_half_but(network, _BLACK if keep else (), dtypes.float16)
    else:
        network = auto_mixed_precision(network, level)
    with_loss = network if loss_fn is None else nn.WithLossCell(network, loss_fn)
    manager = kwargs.get("loss_scale_manager")
    if manager is None:
        return TrainOneStepCell(with_loss, optimizer).set_train()
    update_cell = manager.get_update_cell()
    if update_cell is None:
        return TrainOneStepCell(with_loss, optimizer, sens=manager.get_loss_scale()).set_train()
    return TrainOneStepWithLossScaleCell(with_loss, optimizer, scale_sense=update_cell).set_train()

"""Functions and classes of `mindspore.train`'s modules that programs import by name."""

from __future__ import annotations

import enum
import signal
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from ...frontend.api.checks import check_value_type as _check_value_type
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import nn
from ..functions.program import mixed_precision_cast
from ..nn.wrap import to_float32
from ..saving.serialization import save_checkpoint
from .amp import _BLACK, _WHITE, _all_half_but, custom_mixed_precision
from .callback import Callback, CallbackManager, RunArguments, number_of
from .loss_scaling import DynamicLossScaleManager

__all__ = ["FlopsUtilizationCollector", "OnRequestExit", "check_value_type"]

# train.amp

AMP_WHITE_LIST = list(_WHITE)
AMP_BLACK_LIST = list(_BLACK)


class AmpLevel(enum.Enum):
    """The levels of mixed precision."""

    AmpO0, AmpO1, AmpO2, AmpO3, AmpAuto = range(5)


_single = {"keep_batchnorm_fp32": False, "cast_model_type": dtypes.float32, "loss_scale_manager": None}
_half = _single | {"cast_model_type": dtypes.float16}
_config_level: dict[str, dict[str, Any]] = {
    **{level: dict(_single) for level in ("O0", "O1", "auto")},
    "O2": _half | {"keep_batchnorm_fp32": True, "loss_scale_manager": DynamicLossScaleManager()},
    "O3": _half,
}


class _OutputTo16(Cell):
    """A Cell whose outputs are cast to Float16.

    Args:
        backbone: the Cell.
    """

    def __init__(self, backbone: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """Its outputs in Float16."""
        return mixed_precision_cast(dtypes.float16, self._backbone(*args, **kwargs))


def _auto_mixed_precision_rewrite(network: Cell, dtype: Any, *, white_list: Any = None, black_list: Any = None) -> Cell:
    """A network of which the Cells of some types, or all but these, compute in half precision.

    Raises:
        ValueError: unless one of the lists is given.
    """
    return custom_mixed_precision(network, white_list=white_list, black_list=black_list, dtype=dtype)


def _do_keep_batchnorm_fp32(network: Cell) -> None:
    """Let the normalisations of a network of half precision compute in Float32."""
    _all_half_but(network, _BLACK, dtypes.float16)


class _WithLossInSingle(nn.WithLossCell):
    """A network and a loss that is computed in Float32."""

    def construct(self, data: Any, label: Any) -> Any:
        """The loss."""
        return self._loss_fn(to_float32(self._backbone(data)), to_float32(label))


def _add_loss_network(network: Cell, loss_fn: Cell, cast_model_type: Any) -> Cell:
    """A network with its loss; the loss is in Float32 where the network is in half precision.

    Raises:
        TypeError: if the loss is no Cell.
    """
    _check_value_type("loss_fn", loss_fn, Cell)
    half = cast_model_type in (dtypes.float16, dtypes.bfloat16)
    return _WithLossInSingle(network, loss_fn) if half else nn.WithLossCell(network, loss_fn)


# train._utils


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any) -> None:
    """A value of one of some types; a bool is no int.

    Raises:
        TypeError: for another.

    Examples:
        >>> from mycel import train
        >>> train.check_value_type("epoch", 3, int)
    """
    kinds = tuple(valid_types) if isinstance(valid_types, (list, tuple)) else (valid_types,)
    if not isinstance(arg_value, kinds) or (isinstance(arg_value, bool) and bool not in kinds):
        raise TypeError(f"Parameter `{arg_name}`'s type should be one of {list(kinds)}, but got {type(arg_value)}.")


def _make_directory(path: Any, arg_name: str = "path") -> str:
    """The full path of a folder, which is made.

    Raises:
        TypeError: if it is no path.
    """
    if not isinstance(path, str) or not path.strip():
        raise TypeError(f"The '{arg_name}' should be a path, but got {path!r}.")
    folder = Path(path).expanduser().resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


def _to_tensor(elem: Any, scaling_sens: Any = None) -> Any:
    """Data as Tensors, with the cotangent after them where it is given."""
    items = list(elem) if isinstance(elem, (list, tuple)) else [elem]
    found = [item if isinstance(item, Tensor) else Tensor(item) for item in items]
    if scaling_sens is not None:
        found.append(Tensor(scaling_sens, dtypes.float32))
    return tuple(found) if len(found) > 1 or isinstance(elem, (list, tuple)) else found[0]


def _get_types_and_shapes(dataset: Any) -> tuple[list[Any], list[Any]]:
    """The dtypes and shapes of a dataset's columns."""
    return [dtypes.as_dtype(kind) for kind in dataset.output_types()], dataset.output_shapes()


def _construct_tensor_list(types: Iterable[Any], shapes: Iterable[Any], batch_expand_num: int = 1) -> list[Tensor]:
    """Tensors of ones of some dtypes and shapes.

    Raises:
        ValueError: if there are more of the one than of the other.
    """
    kinds, sizes = list(types), [list(shape) for shape in shapes]
    if len(kinds) != len(sizes):
        raise ValueError(f"The length of dataset types must be equal to dataset shapes, but got {kinds} and {sizes}")
    made = []
    for kind, shape in zip(kinds, sizes, strict=False):
        scaled = [shape[0] * batch_expand_num, *shape[1:]] if shape else shape
        made.append(Tensor(np.ones(scaled, dtypes.as_dtype(kind).np)))
    return made


def _check_to_numpy(plugin: str, tensor: Any, prim: Any = None) -> Any:
    """The array of a Tensor for a summary: numbers for scalars, images of four axes.

    Raises:
        ValueError: for a shape that the kind of summary does not take.
    """
    array = tensor.asnumpy() if isinstance(tensor, Tensor) else np.asarray(tensor)
    if plugin == "scalar" and array.size != 1:
        raise ValueError(f"The tensor for a scalar summary should hold one number, but its shape is {array.shape}.")
    if plugin == "image" and array.ndim != 4:
        raise ValueError(f"The tensor for an image summary should have 4 axes, but its shape is {array.shape}.")
    if plugin == "tensor" and array.ndim == 0:
        raise ValueError("The tensor for a tensor summary should have an axis, but got a scalar.")
    return array.reshape(-1)[0] if plugin == "scalar" else array


def _transfer_tensor_to_tuple(inputs: Any) -> Any:
    """A tensor as a tuple of it, and other inputs as they are."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs


class _StepSync(Callback):
    """Waits until a step has ended: it has, when this is called."""


def get_parameter_redundancy(layout_obj: Any, initial_rank: Any = 0) -> dict[str, list[tuple[int, ...]]]:
    """Which devices hold the same of each Parameter: the one device.

    Args:
        layout_obj: a Cell, or a dict by names of Parameters.
        initial_rank: an int, the first device. Default: 0.

    Returns:
        A dict of names to lists of tuples of devices.

    Raises:
        AttributeError: if layout_obj is neither.

    Examples:
        >>> import mycel as ms
        >>> ms.train.get_parameter_redundancy(ms.nn.Dense(1, 1, has_bias=False))
        {'weight': [(0,)]}
    """
    names = layout_obj.parameters_dict() if isinstance(layout_obj, Cell) else layout_obj
    return {name: [(initial_rank or 0,)] for name in names}


def remove_param_redundancy(param_redundancy_dict: dict[str, Any], keep_redundancy: int = 1) -> dict[int, list[str]]:
    """Which Parameters each device should save.

    Args:
        param_redundancy_dict: what `get_parameter_redundancy` gives.
        keep_redundancy: an int, how many devices save each. Default: 1.

    Returns:
        A dict of devices to lists of names.

    Raises:
        AttributeError: if param_redundancy_dict is no dict.

    Examples:
        >>> from mycel.library.train.internal_names import remove_param_redundancy
        >>> remove_param_redundancy({"weight": [(0,)]})
        {0: ['weight']}
    """
    kept: dict[int, list[str]] = {}
    for name, groups in param_redundancy_dict.items():
        for group in groups:
            for rank in list(group)[:keep_redundancy]:
                kept.setdefault(rank, []).append(name)
    return kept


# train.callback


class _CallbackManager(CallbackManager):
    """Calls several callbacks in turn, by the methods of a callback.

    Args:
        callbacks: a Callback, a list of them, or None.
    """

    def __init__(self, callbacks: Any) -> None:
        super().__init__(callbacks)
        self._callbacks = self.callbacks


def _forward(event: str) -> Callable[[_CallbackManager, Any], None]:
    def call(self: _CallbackManager, run_context: Any) -> None:
        self.fire(event, run_context)

    call.__name__, call.__doc__ = event, f"Call `{event}` of each callback."
    return call


for _event in (
    "begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end",
    *(f"on_{kind}_{event}" for kind in ("train", "eval")
      for event in ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")),
):  # fmt: skip
    setattr(_CallbackManager, _event, _forward(_event))

_InternalCallbackParam = RunArguments


def _handle_loss(loss: Any) -> Any:
    """The loss to show: the first of several, as a number."""
    return number_of(loss)


_CURRENT: dict[str, Any] = {"net": None}


def set_cur_net(net: Any) -> None:
    """Keep the network that is trained, for callbacks.

    Args:
        net: a Cell.

    Returns:
        None.

    Raises:
        TypeError: if the argument is missing.

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.train.internal_names import set_cur_net
        >>> set_cur_net(ms.nn.ReLU())
    """
    _CURRENT["net"] = net


class OnRequestExit(Callback):
    """Ends training at the end of a step after the process is asked to by a signal, and saves before.

    Args:
        save_ckpt: whether to save the Parameters as a checkpoint. Default: True.
        save_mindir: accepted: the network is saved as a checkpoint. Default: True.
        file_name: a string, how the checkpoint's name begins. Default: 'Net'.
        directory: the folder of the checkpoint. Default: './'.
        config_file: accepted. Default: None.
        sig: an int, the signal. Default: `signal.SIGTERM`.

    Raises:
        ValueError: for values of other types.

    Examples:
        >>> import mycel as ms
        >>> callback = ms.train.OnRequestExit(save_mindir=False)
        >>> isinstance(callback, ms.train.Callback)
        True
    """

    def __init__(
        self, save_ckpt: bool = True, save_mindir: bool = True, file_name: str = "Net", directory: str = "./",
        config_file: Any = None, sig: int = signal.SIGTERM,
    ) -> None:  # fmt: skip
        for name, value, kind in (("save_ckpt", save_ckpt, bool), ("save_mindir", save_mindir, bool),
                                  ("file_name", file_name, str), ("directory", directory, str)):  # fmt: skip
            if not isinstance(value, kind):
                raise ValueError(f"For 'OnRequestExit', '{name}' should be of type {kind.__name__}, but got {value!r}")
        self.save_ckpt, self.save_mindir = save_ckpt, save_mindir
        self.path = Path(directory) / file_name
        self.sig = sig
        self._before: Any = None
        self._asked = False

    def on_train_begin(self, run_context: Any) -> None:
        """Listen to the signal."""
        self._asked = False
        self._before = signal.signal(self.sig, self._note)

    def on_train_step_end(self, run_context: Any) -> None:
        """Stop if the signal has come."""
        if self._asked:
            run_context.request_stop()

    on_train_epoch_end = on_train_step_end

    def on_train_end(self, run_context: Any) -> None:
        """Save if the signal has come, and listen no more."""
        signal.signal(self.sig, self._before)
        if self._asked and self.save_ckpt:
            save_checkpoint(run_context.original_args().train_network, f"{self.path}_train.ckpt")

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._asked = True


class FlopsUtilizationCollector(Callback):
    """Accepted: how far a device is used is known for Ascend devices only, so nothing is printed.

    Args:
        data_size: an int, the number of steps between reports.
        computility: a number, what the device can do. Default: 1.
        full_flops, enable_ma_collector: accepted.

    Raises:
        TypeError: if data_size is missing.

    Examples:
        >>> import mycel as ms
        >>> isinstance(ms.train.FlopsUtilizationCollector(10), ms.train.Callback)
        True
    """

    def __init__(
        self, data_size: int, computility: float = 1, full_flops: bool = True, enable_ma_collector: bool = False
    ) -> None:
        self.data_size, self.computility = data_size, computility


def _get_merged_param_data(net: Any, parameter_layout_dict: Any, param_name: str, param_data: Any, *more: Any) -> Any:
    """The numbers of a Parameter that several devices hold parts of: in one process they are whole."""
    return param_data

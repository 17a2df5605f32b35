"""Mixed precision: Cells that compute in half precision (`mindspore.amp`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...frontend.values import tree
from ...frontend.values.cell import Cell
from ...runtime import dtypes
from .. import nn, ops
from ..docstrings import sections as _sections
from ..nn.loss_scale import TrainOneStepWithLossScaleCell
from ..nn.wrap import TrainOneStepCell, to_float32 as _to_float32
from ..ops.primitives.primitive import Primitive

LEVELS = ("O0", "O1", "O2", "O3", "auto")


# Half precision


class _OutputTo32(Cell):
    """Casts the outputs of a Cell to float32."""

    def __init__(self, backbone: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs of the Cell in float32."""
        return _to_float32(self._backbone(*args, **kwargs))


class _InHalf(Primitive):
    """A primitive that computes in half precision and gives float32."""

    def __init__(self, primitive: Any, dtype: Any) -> None:
        super().__init__(primitive.name)
        self._primitive, self._dtype = primitive, dtype

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        return _to_float32(self._primitive(*_cast(inputs, self._dtype), **named))


_WHITE: tuple[type[Cell], ...] = (
    nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose, nn.Dense, nn.LSTMCell,
    nn.RNNCell, nn.GRUCell,
)  # fmt: skip
_WHITE_PRIMITIVES = (
    "Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose", "Conv2DBackpropInput", "MatMul", "BatchMatMul", "PReLU",
    "ReLU", "Ger",
)  # fmt: skip
_BLACK: tuple[type[Cell], ...] = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm)


_LIST = {"Returns": "A list of classes.", "Raises": "TypeError: if an argument is given."}


@_sections(**_LIST)
def get_white_list() -> list[type]:
    """The Cells and primitives that `auto_mixed_precision` computes in half precision at level O1.

    Examples:
        >>> import mycel as ms
        >>> ms.nn.Dense in ms.amp.get_white_list()
        True
    """
    return [*_WHITE, *(getattr(ops, name) for name in _WHITE_PRIMITIVES)]


@_sections(**_LIST)
def get_black_list() -> list[type[Cell]]:
    """The Cells that `auto_mixed_precision` keeps in float32 at level O2.

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
    """The outermost Cells of these types in the network."""
    if isinstance(network, kinds):
        return [network]
    return [found for cell in network.cells() for found in _outermost(cell, kinds)]


def _widen_output(cell: Cell, inputs: Any, output: Any) -> Any:
    return _to_float32(output)


def _cast(values: Any, dtype: Any) -> Any:
    return tree.map_tensors(lambda x: ops.cast(x, dtype) if x.dtype.is_float else x, values)


def _in_half(cell: Cell, kinds: tuple[type, ...], dtype: Any) -> Cell:
    """Let the Cells and primitives of these types compute in half precision, and give float32.

    A layer counts as one of them if MindSpore's is no more than this primitive, as `nn.ReLU`.
    """
    held = [isinstance(getattr(cell, name), kinds) for name in type(cell)._held]
    if isinstance(cell, kinds) or (held and all(held)):
        cell.to_float(dtype)
        cell.register_forward_hook(_widen_output)
        return cell
    for name, value in list(vars(cell).items()):
        if isinstance(value, kinds):
            setattr(cell, name, _InHalf(value, dtype))
    for inner in cell.cells():
        _in_half(inner, kinds, dtype)
    return cell


def _all_half_but(network: Cell, kept: tuple[type[Cell], ...], dtype: Any) -> Cell:
    """A network in half precision, except Cells of some types; its outputs in float32."""
    return _OutputTo32(_auto_black_list(network, kept, dtype))


def _auto_black_list(network: Cell, black_list: Iterable[type[Cell]], dtype: Any) -> Cell:
    """The network, changed: in half precision, except Cells of some types. Its outputs are in half precision, too."""
    kept = tuple(black_list)

    def widen(cell: Cell, inputs: Any) -> Any:
        return _to_float32(inputs)

    def narrow(cell: Cell, inputs: Any, output: Any) -> Any:
        return _cast(output, dtype)

    network.to_float(dtype)
    for cell in _outermost(network, kept) if kept else ():
        for _, inner in cell.cells_and_names():
            inner._float_dtype = None
        cell.register_forward_pre_hook(widen)
        cell.register_forward_hook(narrow)
    return network


def auto_mixed_precision(network: Any, amp_level: str = "O0", dtype: Any = dtypes.float16) -> Any:
    """A network that computes parts of itself in half precision; its Parameters stay in float32.

    Args:
        network: a Cell (a function too at level 'auto').
        amp_level: 'O0': nothing. 'O1': what `get_white_list` names. 'O2': all but those of `get_black_list`.
            'O3': all. 'auto': the Cells of `get_white_list`.
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
        return _in_half(network, tuple(get_white_list()) if amp_level == "O1" else _WHITE, half)
    return _all_half_but(network, _BLACK if amp_level == "O2" else (), half)


def custom_mixed_precision(
    network: Cell, *, white_list: Any = None, black_list: Any = None, dtype: Any = dtypes.float16
) -> Cell:
    """As `auto_mixed_precision`, with a list of one's own.

    Args:
        network: a Cell.
        white_list: a list of the classes of Cells and primitives to compute in half precision; of primitives, those
            that Cells have as attributes. Default: None.
        black_list: a list of the classes of Cells not to; one of the two lists is given. Default: None.
        dtype: float16 or bfloat16. Default: float16.

    Returns:
        The network, changed, or a Cell around it; its outputs are in float32.

    Raises:
        TypeError: if `network` is no Cell, or a list is none of such classes.
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
    name, given = ("white_list", white_list) if black_list is None else ("black_list", black_list)
    kinds: tuple[type, ...] = (Cell, Primitive) if black_list is None else (Cell,)
    wrong = (
        [item for item in given if not (isinstance(item, type) and issubclass(item, kinds))]
        if isinstance(given, list)
        else [given]
    )
    if wrong:
        wanted = "Cells" if black_list is not None else "Cells and primitives"
        raise TypeError(f"'{name}' should be a list of classes of {wanted}, but holds {wrong[0]!r}")
    if black_list is not None:
        return _all_half_but(network, tuple(given), half)
    return _in_half(network, tuple(given), half)


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

"""Modes of a Cell: training, flags, precision, recomputation, and how it is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ...runtime import dtypes
from ..errors.spelling import check_keywords
from ..state import CONTEXT
from .cell_inputs import declared_inputs
from .parameter import Parameter

_Own = TypeVar("_Own", bound="Moded")
_RECOMPUTE = ("use_reentrant", "output_recompute", "early_stop", "context_fn", "mp_comm_recompute",
              "parallel_optimizer_comm_recompute", "recompute_slice_activation")  # fmt: skip


class Moded:
    """The part of `Cell` for its modes."""

    if TYPE_CHECKING:
        training: bool
        requires_grad: bool
        _phase: str
        _param_prefix: str
        _compiled: Any

        def cells(self) -> Any: ...
        def cells_and_names(self, cells: Any = None, name_prefix: str = "") -> Iterator[tuple[str, Any]]: ...
        def get_parameters(self, expand: bool = True) -> Iterator[Parameter]: ...

    def set_train(self: _Own, mode: bool = True) -> _Own:
        """Let this Cell and all below be in training mode (dropout on, batch statistics) or not."""
        if not isinstance(mode, bool):
            raise TypeError(f"set_train takes a bool, but got {type(mode).__name__}")
        for _, cell in self.cells_and_names():
            cell.training = mode
            cell._phase = "train" if mode else "predict"
        return self

    def set_grad(self: _Own, requires_grad: bool = True) -> _Own:
        """Let a gradient outside of graph mode that follows a call of this Cell on the same tensors not repeat its
        effects: moving averages move once. Gradients themselves need no mark."""
        self.requires_grad = requires_grad
        return self

    @property
    def cls_name(self) -> str:
        """The name of the Cell's class."""
        return type(self).__name__

    @property
    def param_prefix(self) -> str:
        """The path of this Cell, once `update_cell_prefix` of the outermost one has been called."""
        return self._param_prefix

    def update_cell_prefix(self) -> None:
        """Set `param_prefix` of this Cell and all below."""
        for name, cell in self.cells_and_names():
            cell._param_prefix = name

    def update_cell_type(self, cell_type: str) -> None:
        """Set the attribute `cell_type`."""
        self.cell_type = cell_type

    @property
    def phase(self) -> str:
        """`train` or `predict`, or the text that it was set to. TypeError if it is set to something else."""
        return self._phase

    @phase.setter
    def phase(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"For 'Cell', the property 'phase' must be string type, but got type {type(value)}.")
        self._phase = value

    def add_flags(self: _Own, **flags: Any) -> _Own:
        """Set attributes on the Cell."""
        for name, value in flags.items():
            setattr(self, name, value)
        self.__dict__.setdefault("_flags", {}).update(flags)
        return self

    def add_flags_recursive(self: _Own, **flags: Any) -> _Own:
        """Set attributes on the Cell and all below."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The attributes set by `add_flags`."""
        return dict(self.__dict__.get("_flags", {}))

    def to_float(self: _Own, dst_type: Any) -> _Own:
        """Let this Cell and all below cast their floating-point inputs to `dst_type`.

        Raises:
            ValueError: if it is none of float32, float16 and bfloat16.
        """
        dtype = dtypes.as_dtype(dst_type)
        if dtype not in (dtypes.float32, dtypes.float16, dtypes.bfloat16):
            raise ValueError(f"to_float takes float32, float16 or bfloat16, but got {dst_type}")
        for _, cell in self.cells_and_names():
            cell._float_dtype = dtype
        return self

    def recompute(self, **kwargs: Any) -> None:
        """Let the backward pass compute this Cell's intermediates again in place of keeping them.

        Args:
            kwargs: MindSpore's options of this name, accepted: recomputing is the same with all.

        Raises:
            TypeError: for other names.
        """
        check_keywords("recompute", kwargs, _RECOMPUTE)
        self._recompute = True
        for cell in self.cells():
            cell.recompute(**kwargs)

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Declare the inputs, as Tensors made with None for sizes that vary: calls are held to it.

        Each new shape of an input compiles a graph of its own.

        Raises:
            TypeError: if they are not one for each input of construct.
            ValueError: for a name that is no input of construct.
        """
        self._dynamic_inputs = declared_inputs(self, inputs, kwargs)
        if self._compiled is not None:
            self._compiled.clear()  # earlier programs did not check calls against it

    def get_inputs(self) -> Any:
        """The declaration of `set_inputs`; None without one."""
        return self.__dict__.get("_dynamic_inputs")

    def set_jit_config(self, jit_config: Any) -> None:
        """Options for compiling this Cell. TypeError if `jit_config` is no JitConfig."""
        if not hasattr(jit_config, "jit_config_dict"):
            raise TypeError(f"set_jit_config takes a JitConfig, but got {type(jit_config).__name__}")
        self._jit_config = jit_config

    def set_comm_fusion(self: _Own, fusion_type: int, recurse: bool = True) -> _Own:
        """Accepted, without meaning in one process. TypeError if `fusion_type` is no int."""
        if isinstance(fusion_type, bool) or not isinstance(fusion_type, int):
            raise TypeError(f"set_comm_fusion: 'fusion_type' should be an int, but got {type(fusion_type).__name__}")
        for parameter in self.get_parameters(expand=recurse):
            parameter.comm_fusion = fusion_type
        return self

    def shard(self: _Own, *args: Any, **kwargs: Any) -> _Own:
        """The Cell itself, in one process. NotImplementedError where several compute each program together."""
        if CONTEXT.partition is not None:
            raise NotImplementedError("a Cell has no strategies: give them to the primitives that it uses")
        return self

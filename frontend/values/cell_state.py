"""Buffers and state dictionaries of a Cell: its numbers by name, for files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from ...runtime.records import NamedTuple
from ..state import STATE
from .cell_hooks import HookHandle
from .cell_warnings import duplicates
from .parameter import Parameter
from .tensor import Tensor

_EXTRA = "_extra_state"
_Own = TypeVar("_Own", bound="Stateful")


class IncompatibleKeys(NamedTuple):
    """The names that only one of Cell and dictionary has, from `load_state_dict`.

    Attributes:
        missing_keys: names of the Cell's that were not given.
        unexpected_keys: names given that the Cell does not have.
    """

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


class Stateful:
    """The part of `Cell` for its numbers: buffers and state dictionaries."""

    if TYPE_CHECKING:

        def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None: ...

        _params: OrderedDict[str, Any]
        _cells: OrderedDict[str, Any]
        _buffers: OrderedDict[str, Any]
        _transient: set[str]

        def _changed(self) -> None: ...
        def cells_and_names(self, cells: Any = None, name_prefix: str = "") -> Iterator[tuple[str, Any]]: ...
        def get_parameters(self, expand: bool = True) -> Iterator[Parameter]: ...

    def to(self: _Own, *target: Any, device: Any = None, dtype: Any = None, non_blocking: bool = False) -> _Own:
        """Cast the floating-point and complex Parameters of this Cell and of all below, in place, and its buffers.

        Args:
            target: a dtype, a tensor that has it, or a device, "CPU", "GPU" or "Ascend": all are the CPU.
            device, dtype: the same by name.
            non_blocking: accepted.

        Raises:
            TypeError: for a dtype that is neither a floating-point nor a complex one, or another device.
            RuntimeError: inside of a compiled function.

        Example:
            >>> import mycel as ms
            >>> print(ms.nn.Dense(2, 1).to(ms.float16).weight.dtype)
            Float16
        """
        if STATE.trace is not None:
            raise RuntimeError("Cell.to changes Parameters in place: call it outside of construct")
        given = [item for item in (*target, device, dtype) if item is not None]
        probe: Any = Tensor(0)  # knows which devices there are
        if all(isinstance(item, str) and probe.to(item) is probe for item in given):
            return self
        wanted = probe.to(*given).dtype
        if not (wanted.is_float or wanted.is_complex):
            raise TypeError(f"Cell.to takes a floating-point or complex dtype, but got {wanted}")
        for _, cell in self.cells_and_names():
            for parameter in cell._params.values():
                if parameter is not None and (parameter.dtype.is_float or parameter.dtype.is_complex):
                    parameter.set_dtype(wanted)
            for name, buffer in cell._buffers.items():
                if buffer is not None and (buffer.dtype.is_float or buffer.dtype.is_complex):
                    cell._buffers[name] = buffer.to(wanted)
            cell._changed()
        return self

    def to_empty(self: _Own, *, device: Any = None, recurse: bool = True) -> _Own:
        """The Cell itself: its Parameters and buffers have memory already, and keep their numbers.

        Args:
            device: "CPU", "GPU" or "Ascend": all are the CPU.
            recurse: accepted.

        Raises:
            TypeError: for another device.

        Example:
            >>> from mycel import nn
            >>> nn.ReLU().to_empty()
            ReLU()
        """
        return self.to(device=device)

    # Buffers

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Let the Cell have a tensor that is no Parameter but part of its state, as running averages are.

        Args:
            name: the attribute.
            tensor: the numbers; None: none yet.
            persistent: whether `state_dict` has it.

        Raises:
            TypeError: if the name is no string or the tensor no Tensor.
            KeyError: if the name is empty, holds a dot or is an attribute already.
        """
        if not isinstance(name, str):
            raise TypeError(f"a buffer's name should be a string, but got {type(name).__name__}")
        if not name or "." in name:
            raise KeyError(f"a buffer's name should not be empty or contain '.', but is '{name}'")
        if name not in self._buffers and (hasattr(type(self), name) or name in {**self.__dict__, **self._params}):
            raise KeyError(f"'{name}' is an attribute of {type(self).__name__} already")
        if name in self._cells:
            raise KeyError(f"'{name}' is a Cell of {type(self).__name__} already")
        if tensor is not None and (not isinstance(tensor, Tensor) or isinstance(tensor, Parameter)):
            raise TypeError(f"buffer '{name}' should be a Tensor or None, but got {type(tensor).__name__}")
        self._buffers[name] = tensor
        self._transient.discard(name) if persistent else self._transient.add(name)
        self._changed()

    def _assign_buffer(self, name: str, value: Any) -> None:
        if value is not None and (not isinstance(value, Tensor) or isinstance(value, Parameter)):
            raise TypeError(
                f"attribute '{name}' of {type(self).__name__} is a buffer: assign a Tensor or None, "
                f"but got {type(value).__name__}"
            )
        self._buffers[name] = value
        self._changed()

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Pairs of attribute path and buffer, of sub-cells too with `recurse`."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def _named(self, held: str, prefix: str, inside: bool, once: bool = True) -> Iterator[tuple[str, Any]]:
        """Paths and values of one of a Cell's tables, of those of its sub-cells too with `inside`."""
        seen: set[int] = set()
        cells = self.cells_and_names(name_prefix=prefix) if inside else iter([(prefix, self)])
        for path, cell in cells:
            for name, value in getattr(cell, held).items():
                if value is None or (once and id(value) in seen):
                    continue
                seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, of sub-cells too with `recurse`."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at an attribute path. AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if not hasattr(cell, name):
            raise AttributeError(f"{type(cell).__name__} has no attribute '{name}'")
        if name not in cell._buffers:
            raise AttributeError(f"'{name}' of {type(cell).__name__} is no buffer")
        return cell._buffers[name]

    def get_sub_cell(self, target: str) -> Any:
        """The Cell at an attribute path, this one for the empty path. AttributeError if there is none."""
        cell: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(cell, name):
                raise AttributeError(f"{type(cell).__name__} has no attribute '{name}'")
            found = getattr(cell, name)
            if not isinstance(found, Stateful):
                raise AttributeError(f"'{name}' of {type(cell).__name__} is no Cell")
            cell = found
        return cell

    # State dictionaries

    _state_hooks: Mapping[str, OrderedDict[int, Callable[..., Any]]] = MappingProxyType({})  # a dict of its own, later

    def _register(self, kind: str, hook: Callable[..., Any]) -> HookHandle:
        if not callable(hook):
            raise TypeError(f"a hook should be a function, but got {type(hook).__name__}")
        if "_state_hooks" not in self.__dict__:
            kinds = ("saving", "saved", "loading", "loaded")
            object.__setattr__(self, "_state_hooks", {each: OrderedDict() for each in kinds})
        hooks = self._state_hooks[kind]
        number = max(hooks, default=-1) + 1
        hooks[number] = hook
        return HookHandle(self, hooks, number)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Let `hook(cell, prefix, keep_vars)` run before `state_dict` takes this Cell's state."""
        return self._register("saving", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Let `hook(cell, state_dict, prefix, {})` run after `state_dict` has taken the state of this Cell."""
        return self._register("saved", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Let `hook(cell, state_dict, prefix, {}, strict, missing_keys, unexpected_keys, error_msgs)` run before
        `load_state_dict`. It may change the dictionary, which is a copy, and the lists."""
        return self._register("loading", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Let `hook(cell, incompatible_keys)` run after `load_state_dict`, before the names are checked. It may change
        the lists of names."""
        return self._register("loaded", hook)

    def get_extra_state(self) -> Any:
        """What a class adds to its state under the name `_extra_state`, with `set_extra_state` to take it over."""
        raise RuntimeError(f"{type(self).__name__} does not define get_extra_state()")

    def set_extra_state(self, state: Any) -> None:
        """Take over what `get_extra_state` gave."""
        raise RuntimeError(f"{type(self).__name__} does not define set_extra_state()")

    def _defines(self, name: str) -> bool:
        return getattr(type(self), name) is not getattr(Stateful, name)

    def _run_hooks(self, kind: str, *args: Any) -> None:
        for hook in list(self._state_hooks.get(kind, {}).values()):
            if hook(self, *args) is not None and kind in ("saved", "loaded"):
                raise RuntimeError(f"a hook of {type(self).__name__} should change its arguments and return None")

    def _state_cells(self, prefix: str = "") -> Iterator[tuple[str, Stateful]]:
        """The prefixes of names and the Cells, each before its own; one under several names comes under each."""
        yield prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell._state_cells(f"{prefix}{name}.")

    def _own_state(self, prefix: str) -> Iterator[tuple[str, Tensor]]:
        for name, parameter in self._params.items():
            if parameter is not None:
                yield prefix + name, parameter
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._transient:
                yield prefix + name, buffer

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Tensor]:
        """Attribute paths to the Parameters and persistent buffers themselves, of sub-cells too.

        A Cell that is found under several names is listed under each.
        """
        result: Any = OrderedDict() if destination is None else destination
        self._run_hooks("saving", prefix, keep_vars)
        result.update(self._own_state(prefix))
        if self._defines("get_extra_state"):
            result[prefix + _EXTRA] = self.get_extra_state()
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=result, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        self._run_hooks("saved", result, prefix, {})
        return result

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> IncompatibleKeys:
        """Take over the numbers of a dictionary such as `state_dict` gives.

        Args:
            state_dict: attribute paths to tensors of the same shapes.
            strict: whether names that only one of the two has are an error.

        Returns:
            The names that only one of the two has.

        Raises:
            TypeError: if `state_dict` is no mapping.
            RuntimeError: if names (with `strict`), types or shapes do not fit; the Cell is left as it was, unless hooks
                changed it.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"load_state_dict takes a dictionary, but got {type(state_dict).__name__}")
        given: OrderedDict[str, Any] = OrderedDict(state_dict)
        keys, problems = IncompatibleKeys([], []), list[str]()
        cells = list(self._state_cells())
        for prefix, cell in cells:
            cell._run_hooks("loading", given, prefix, {}, True, *keys, problems)
        own = {name: target for prefix, cell in cells for name, target in cell._own_state(prefix)}
        extra = {prefix + _EXTRA: cell for prefix, cell in cells if cell._defines("set_extra_state")}
        keys.missing_keys.extend(name for name in (*own, *extra) if name not in given)
        keys.unexpected_keys.extend(name for name in given if name not in own and name not in extra)
        for name, target in own.items():
            value = given.get(name, target)
            if not isinstance(value, Tensor):
                problems.append(f"'{name}' should be a Tensor, but is {type(value).__name__}")
            elif value.shape != target.shape:
                problems.append(f"'{name}' has shape {target.shape} here, but {value.shape} in the dictionary")
        hooked = any(cell._state_hooks.get("loaded") for _, cell in cells)
        self._check_state(keys, strict and not hooked, problems)
        for name, target in own.items():
            if name in given and given[name] is not target:
                _copy_into(target, given[name])
        for name, owner in extra.items():
            if name in given:
                owner.set_extra_state(given[name])
        if hooked:
            for _, cell in reversed(cells):
                cell._run_hooks("loaded", keys)
            self._check_state(keys, strict, [])
        return keys

    def _check_state(self, keys: IncompatibleKeys, strict: bool, problems: list[str]) -> None:
        """RuntimeError if there are problems, or with `strict` names that do not fit."""
        for kind, names in (("missing", keys.missing_keys), ("unexpected", keys.unexpected_keys)):
            if strict and names:
                problems = [f"{kind} names: {', '.join(map(repr, names))}", *problems]
        if problems:
            raise RuntimeError(f"the state does not fit {type(self).__name__}: " + "; ".join(problems))

    def check_names_and_refresh_name(self) -> None:
        """Name Parameters by their attribute paths where two have the same name; done at a Cell's first call."""
        if duplicates(self.get_parameters()):
            self.update_parameters_name()
            self.check_names()
        object.__setattr__(self, "_names_checked", True)

    def check_names(self) -> None:
        """ValueError if two Parameters have the same name."""
        found = duplicates(self.get_parameters())
        if found:
            raise ValueError(
                f"two Parameters of {type(self).__name__} have the name '{found[0]}': give each a name of its own, "
                "Parameter(…, name=…)"
            )


def _copy_into(target: Tensor, value: Tensor) -> None:
    """Copy the numbers of another tensor into a Parameter or buffer, in its own dtype."""
    if isinstance(target, Parameter):
        target.set_data(value.astype(target.dtype))
    else:
        target[...] = value.astype(target.dtype)

"""Buffers and state dictionaries of a Cell: its numbers by name, for files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...runtime.records import NamedTuple
from .cell_warnings import duplicates
from .parameter import Parameter
from .tensor import Tensor


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

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Tensor]:
        """Attribute paths to the Parameters and persistent buffers themselves, of sub-cells too.

        A Cell that is found under several names is listed under each.
        """
        result: Any = OrderedDict() if destination is None else destination
        for name, parameter in self._params.items():
            if parameter is not None:
                result[prefix + name] = parameter
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._transient:
                result[prefix + name] = buffer
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=result, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
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
            RuntimeError: if names (with `strict`), types or shapes do not fit; the Cell is left as it was.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"load_state_dict takes a dictionary, but got {type(state_dict).__name__}")
        own = self.state_dict()
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        problems = []
        if strict and unexpected:
            problems.append(f"unexpected names: {', '.join(map(repr, unexpected))}")
        if strict and missing:
            problems.append(f"missing names: {', '.join(map(repr, missing))}")
        for name, target in own.items():
            value = state_dict.get(name, target)
            if not isinstance(value, Tensor):
                problems.append(f"'{name}' should be a Tensor, but is {type(value).__name__}")
            elif value.shape != target.shape:
                problems.append(f"'{name}' has shape {target.shape} here, but {value.shape} in the dictionary")
        if problems:
            raise RuntimeError(f"the state does not fit {type(self).__name__}: " + "; ".join(problems))
        for name, target in own.items():
            if name in state_dict and state_dict[name] is not target:
                _copy_into(target, state_dict[name])
        return IncompatibleKeys(missing, unexpected)

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

"""Cells that hold Cells: SequentialCell, CellList and CellDict."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ..frontend.state import STATE
from ..frontend.values.arguments import need_type
from ..frontend.values.cell import Cell
from ..frontend.values.cell_warnings import HELD
from .docstrings import like

__all__ = ["CellDict", "CellList", "SequentialCell"]


def _checked(cell: Any, owner: Cell) -> Cell:
    if isinstance(cell, type) and issubclass(cell, Cell):
        raise TypeError(f"{type(owner).__name__} holds Cells, but got a class: write {cell.__name__}(…)")
    if not isinstance(cell, Cell) and callable(cell):
        raise TypeError(
            f"{type(owner).__name__} holds Cells, but got a {type(cell).__name__}: give a Cell that calls it, such as "
            "nn.ReLU() for ops.relu"
        )
    return need_type(cell, Cell, f"{type(owner).__name__} holds Cells")


_Own = TypeVar("_Own", bound="_Numbered")


class _Numbered(Cell):
    """A Cell whose sub-cells have the names '0', '1', …"""

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(list(self._cells.values()))

    def __bool__(self) -> bool:
        return len(self._cells) != 0

    def _position(self, index: Any) -> int:
        if isinstance(index, bool) or not hasattr(index, "__index__"):
            raise TypeError(f"{type(self).__name__}'s index should be an int, but got {type(index).__name__}")
        position, length = index.__index__(), len(self._cells)
        if not -length <= position < length:
            raise IndexError(f"{type(self).__name__} has {length} cells, but the index is {position}")
        return position % length

    def _refill(self, cells: Iterable[Cell], kept: Sequence[str] = (), start: int = 0) -> None:
        """Number the Cells again from 0; rename the Parameters of the Cells from `start` on.

        `kept` has the names that are no numbers, in their places; these stay.
        """
        prefix, place = _prefix_and_place(self._cells)
        self._cells.clear()
        for position, cell in enumerate(cells):
            stays = bool(kept) and not kept[position].isdigit()
            self._cells[kept[position] if stays else str(position)] = cell
            if self._auto_prefix and position >= start and not stays:
                for _, parameter in cell.parameters_and_names():
                    parameter.name = ".".join([f"{prefix}{position}", *parameter.name.split(".")[place + 1 :]])
        self._changed()

    def _insert(self, index: int, cell: Any) -> None:
        """Insert a Cell before the position, and number those after it again."""
        length = len(self._cells)
        if not -length <= index <= length:
            raise IndexError(f"{type(self).__name__} has {length} cells, but the index to insert at is {index}")
        position = index if index >= 0 else index + length
        _checked(cell, self)
        prefix, _ = _prefix_and_place(self._cells)
        cells = list(self._cells.values())
        cells.insert(position, cell)
        self._refill(cells, start=position + 1)
        _hold(self, str(position), cell, prefix)

    def _put(self, position: int, cell: Any) -> None:
        _register(self, str(position), cell)

    def __setitem__(self, index: Any, cell: Any) -> None:
        self._put(self._position(index), cell)

    def __delitem__(self, index: Any) -> None:
        cells = list(self._cells.values())
        chosen = index if isinstance(index, slice) else self._position(index)
        names = list(self._cells)
        for name in names[chosen] if isinstance(chosen, slice) else [names[chosen]]:
            del self._cells[name]
        del cells[chosen]
        self._refill(cells)

    def append(self, cell: Cell) -> Any:
        """Add a Cell at the end; returns the container. TypeError if it is no Cell."""
        self._put(len(self._cells), cell)
        return self

    def set_grad(self: _Own, flag: bool = True) -> _Own:
        """Accepted: gradients need no mark."""
        self.requires_grad = flag
        for cell in self._cells.values():
            cell.set_grad(flag)
        return self


def _prefix_and_place(cells: Mapping[str, Cell]) -> tuple[str, int]:
    """The text before a container's keys in the names of its Parameters, and the number of its parts.

    As in MindSpore it is read from the names: it is the text before the key of the first Cell with Parameters. If the
    key occurs more than once, the second such Cell decides; without a second Cell it is the last occurrence.
    """
    named = [(key, parameter.name.split(".")) for key, cell in cells.items() for parameter in _first_parameter(cell)]
    if not named:
        return "", 0
    key, parts = named[0]
    found = 0
    for place in [place for place, part in enumerate(parts) if part == key]:
        found = place
        if len(named) > 1 and named[1][1][place : place + 1] == [named[1][0]]:
            break
    return "".join(f"{part}." for part in parts[:found]), found


def _first_parameter(cell: Cell) -> list[Any]:
    return [parameter for _, parameter in itertools.islice(cell.parameters_and_names(), 1)]


def _register(container: Cell, name: str, cell: Any) -> None:
    """Add a Cell to the container under a name, after the others."""
    _hold(container, name, cell, _prefix_and_place(container._cells)[0])


def _hold(container: Cell, name: str, cell: Any, prefix: str) -> None:
    """Let the container hold a Cell under a name, and name the Parameters by it."""
    _checked(cell, container)
    if container._auto_prefix:
        cell.update_parameters_name(f"{prefix}{name}.")
    container._cells[name] = cell
    object.__setattr__(cell, HELD, True)
    container._changed()


class SequentialCell(_Numbered):
    """Cells one after another: each gets the output of the one before.

    Args:
        args: Cells, one list of Cells, or one OrderedDict of names to Cells.

    Inputs:
        input_data: a tensor of the shape and dtype that the first Cell takes.

    Outputs:
        The output of the last Cell, of its shape and dtype.

    Raises:
        TypeError: if something else is given.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> net = nn.SequentialCell(nn.Dense(2, 1, weight_init="ones", bias_init="zeros"), nn.ReLU())
        >>> print(net(ms.Tensor([[1.0, 2.0]])))
        [[3.]]
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, cell in args[0].items():
                self.insert_child_to_cell(name, _checked(cell, self))
                cell.update_parameters_name(f"{name}.")
            return
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = tuple(args[0])
        elif len(args) == 1 and not isinstance(args[0], Cell):
            raise TypeError(
                f"SequentialCell takes Cells, a list of Cells or an OrderedDict, but got {type(args[0]).__name__}"
            )
        for position, cell in enumerate(args):
            _hold(self, str(position), cell, "")

    @property
    def cell_list(self) -> tuple[Cell, ...]:
        """The Cells in order."""
        return tuple(self._cells.values())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._cells.items())[index]))
        return list(self._cells.values())[self._position(index)]

    def __setitem__(self, index: Any, cell: Any) -> None:
        _register(self, list(self._cells)[self._position(index)], cell)

    def __delitem__(self, index: Any) -> None:
        names = list(self._cells)
        chosen = set(names[index] if isinstance(index, slice) else [names[self._position(index)]])
        for name in chosen:
            del self._cells[name]
        self._refill(list(self._cells.values()), list(self._cells))

    def insert(self, index: int, cell: Cell) -> None:
        """Put a Cell before the position. IndexError if there is none, TypeError if it is no Cell."""
        self._insert(index, cell)

    def construct(self, input_data: Any) -> Any:
        """The output of the last Cell."""
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


class CellList(_Numbered):
    """A list of Cells that are registered with the Cell that holds it. It computes nothing itself.

    Args:
        args: Cells, or one list of Cells.
        kwargs: `auto_prefix`, whether the Parameters' names get the position as prefix. Default: True.

    Inputs:
        inputs: anything of any shape and dtype; a call is an error.

    Outputs:
        None of any shape or dtype: a call is an error.

    Raises:
        TypeError: if something else than Cells is given.
        NotImplementedError: if it is called.

    Examples:
        >>> from mycel import nn
        >>> layers = nn.CellList([nn.Dense(2, 2) for _ in range(3)])
        >>> len(layers), [p.name for p in layers.get_parameters()][:2]
        (3, ['0.weight', '0.bias'])
    """

    cells_as_list = True  # `vmap` takes it for the Cells in it

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(auto_prefix=kwargs.pop("auto_prefix", True))
        if kwargs:
            raise TypeError(f"CellList got an unexpected keyword argument {next(iter(kwargs))!r}")
        self.extend(args[0] if len(args) == 1 and not isinstance(args[0], Cell) else args)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            renames = STATE.trace is None  # compiled code leaves the names of Parameters as they are
            return type(self)(list(self._cells.values())[index], auto_prefix=renames)
        return list(self._cells.values())[self._position(index)]

    def __add__(self, other: CellList) -> CellList:
        return type(self)([*self, *other])

    def __iadd__(self, other: Iterable[Cell]) -> CellList:
        return self.extend(other)

    def insert(self, index: int, cell: Cell) -> None:
        """Put a Cell before the position. IndexError if there is none, TypeError if it is no Cell."""
        self._insert(index, cell)

    def extend(self, cells: Iterable[Cell]) -> CellList:
        """Add Cells at the end; returns the list. TypeError if something is no Cell."""
        if isinstance(cells, (Cell, str)) and not isinstance(cells, _Numbered):
            raise TypeError(f"CellList.extend takes a list of Cells, but got {type(cells).__name__}")
        prefix, _ = _prefix_and_place(self._cells)
        for cell in list(cells):
            _hold(self, str(len(self._cells)), cell, prefix)
        return self

    def construct(self, *inputs: Any) -> Any:
        """NotImplementedError: a list of Cells computes nothing."""
        raise NotImplementedError("CellList computes nothing itself: call the Cells in it")


@like(CellList)
class CellDict(Cell):
    """A dict of Cells that are registered with the Cell that holds it. It computes nothing itself.

    Args:
        args: a dict, an OrderedDict, a CellDict, or an iterable of (name, Cell) pairs.
        kwargs: `auto_prefix`, whether the Parameters' names get the key as prefix. Default: True.

    Raises:
        TypeError: if something else is given.
        KeyError: if a key is empty, has a dot, or is the name of an attribute.
        NotImplementedError: if it is called.

    Examples:
        >>> cells = nn.CellDict({"dense": nn.Dense(2, 2), "act": nn.ReLU()})
        >>> list(cells.keys())
        ['dense', 'act']
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(auto_prefix=kwargs.pop("auto_prefix", True))
        if kwargs:
            raise TypeError(f"CellDict got an unexpected keyword argument {next(iter(kwargs))!r}")
        if len(args) > 1:
            raise TypeError(f"CellDict takes at most one positional argument, but got {len(args)}")
        if args and args[0] is not None:
            self.update(args[0])

    def __getitem__(self, key: str) -> Cell:
        return self._cells[key]

    def __setitem__(self, key: str, cell: Cell) -> None:
        need_type(key, str, "CellDict's keys are strings")
        if not key or "." in key:
            raise KeyError(f"CellDict's keys should not be empty or hold a '.', but got {key!r}")
        if hasattr(type(self), key) or key in self.__dict__:
            raise KeyError(f"'{key}' is an attribute of CellDict already")
        _register(self, key, cell)

    def __delitem__(self, key: str) -> None:
        del self._cells[key]
        self._changed()

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._cells))

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def __bool__(self) -> bool:
        return len(self._cells) != 0

    def clear(self) -> None:
        """Take out every Cell."""
        self._cells.clear()
        self._changed()

    def pop(self, key: str) -> Cell:
        """Take out the Cell of the key. KeyError if there is none."""
        cell = self[key]
        del self[key]
        return cell

    def keys(self) -> Any:
        """The keys."""
        return self._cells.keys()

    def values(self) -> Any:
        """The Cells."""
        return self._cells.values()

    def items(self) -> Any:
        """Pairs of key and Cell."""
        return self._cells.items()

    def update(self, cells: Any) -> None:
        """Put in the Cells of a dict or of an iterable of (name, Cell) pairs. TypeError for anything else."""
        if isinstance(cells, (CellDict, Mapping)):
            pairs = list(cells.items())
        elif isinstance(cells, Iterable):
            pairs = [tuple(pair) for pair in cells]
            for pair in pairs:
                if len(pair) != 2:
                    raise ValueError(f"CellDict takes pairs of name and Cell, but got {len(pair)} items")
        else:
            raise TypeError(f"CellDict takes a dict or pairs of name and Cell, but got {type(cells).__name__}")
        for name, cell in pairs:
            self[name] = cell

    def construct(self, *inputs: Any) -> Any:
        """NotImplementedError: a dict of Cells computes nothing."""
        raise NotImplementedError("CellDict computes nothing itself: call the Cells in it")

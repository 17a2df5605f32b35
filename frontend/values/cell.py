"""Modules: `Cell` is the base of layers and networks, with its Parameters, sub-cells and modes."""

from __future__ import annotations

import copyreg
import functools
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, ParamSpec, Protocol, TypeVar

from ...runtime import dtypes
from ..errors.hints import CELL_HINTS
from ..errors.spelling import nearest
from ..errors.tracebacks import leaving
from ..state import CONTEXT, STATE
from .cell_hooks import Changes, Hookable
from .cell_modes import Moded
from .cell_state import Stateful
from .cell_warnings import HELD, warn_of_duplicate, warn_of_unregistered
from .parameter import Parameter, ParameterTuple
from .services import SERVICES
from .tensor import Tensor

_P = ParamSpec("_P")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)

_PACKAGE = __name__.split(".")[0] + "."


class Constructs(Protocol[_P, _R_co]):
    """The protocol of objects with a `construct`. It tells type checkers that a Cell is called like its `construct`."""

    def construct(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...


class Cell(Stateful, Hookable, Moded):
    """Base of all layers and networks: subclass it, make Parameters and sub-cells in `__init__`, compute in
    `construct`.

    Args:
        auto_prefix: whether the names of Parameters get the attribute path of their sub-cell as prefix.
        flags: attributes set on the Cell, as by `add_flags`.

    `net.stages(x)`, `net.explain()` and `net.profile(x)` show what the Cell is compiled to in graph mode, as they do
    for functions under `jit`, unless the Cell has attributes of these names.

    Raises:
        AttributeError: if a subclass sets Parameters or Cells before `super().__init__()`, or has no `construct`.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn
        >>> class Scale(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.factor = ms.Parameter(ms.Tensor(2.0), name="factor")
        ...     def construct(self, x):
        ...         return x * self.factor
        >>> print(Scale()(ms.Tensor([1.0, 2.0])))
        [2. 4.]
    """

    _OWN = frozenset({"_params", "_cells", "_changes", "_compiled", "_forward_hooks", "_forward_pre_hooks",
                      "_backward_hooks", "_backward_pre_hooks", "_params_list", "_buffers", "_id",
                      "_attr_synced", "_names_checked", HELD, "_lists_checked"})  # fmt: skip

    # Whether each array among the inputs should be a Tensor: so where the module of `construct` has `_TAKES_TENSORS`.
    _takes_tensors = False
    _is_own = True  # whether the class is one of this package
    _held: ClassVar[dict[str, Callable[[Any], Any]]] = {}
    """Attributes that a Cell makes when they are first read: how each is made. A class adds its own to its bases'."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "_held" in cls.__dict__:
            makers = [vars(base).get("_held", {}) for base in reversed(cls.__mro__)]
            cls._held = {name: make for own in makers for name, make in own.items()}
        cls._is_own = cls.__module__.startswith(_PACKAGE)
        if "_takes_tensors" not in cls.__dict__:
            module = sys.modules.get(getattr(cls.construct, "__module__", None) or "")
            cls._takes_tensors = module is not None and vars(module).get("_TAKES_TENSORS", False)

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None) -> None:
        object.__setattr__(self, "_params", OrderedDict())
        object.__setattr__(self, "_cells", OrderedDict())
        object.__setattr__(self, "_buffers", OrderedDict())
        object.__setattr__(self, "_transient", set())
        object.__setattr__(self, "_changes", 0)
        object.__setattr__(self, "_compiled", None)
        object.__setattr__(self, "_names_checked", False)
        object.__setattr__(self, "_listed", set())  # names of Parameters that are no attributes: a ParameterTuple's
        object.__setattr__(self, "_unnamed", 0)  # Parameters that have got a name from their ParameterTuple
        object.__setattr__(self, "_forward_hooks", OrderedDict())
        object.__setattr__(self, "_forward_pre_hooks", OrderedDict())
        object.__setattr__(self, "_backward_hooks", OrderedDict())
        object.__setattr__(self, "_backward_pre_hooks", OrderedDict())
        self._auto_prefix = auto_prefix
        self._param_prefix = ""
        self.training = False
        self.requires_grad = False
        self._phase = "train"
        self._float_dtype: dtypes.DType | None = None
        self._recompute = False
        self.cell_init_args = ""
        if flags:
            self.add_flags(**flags)

    # Attributes

    def __setattr__(self, name: str, value: Any) -> None:
        if "_cells" not in self.__dict__:
            self._set_early(name, value)
        elif isinstance(value, Parameter):
            self._set_parameter(name, value)
        elif isinstance(value, ParameterTuple):
            self._set_plain(name, value)
            self._add_listed(value)
        elif isinstance(value, Cell):
            self._set_cell(name, value)
        elif name in self._params and name not in self._listed:
            self._assign_parameter(name, value)
        elif name in self._buffers:
            self._assign_buffer(name, value)
        elif name in self._cells and value is not None:
            raise TypeError(
                f"attribute '{name}' of {type(self).__name__} already exists as a Cell: assign a Cell or None to it"
            )
        else:
            if isinstance(value, (list, tuple)) and value and isinstance(value[0], Parameter):
                self._check_listed(name, value)
            self._cells.pop(name, None)
            self._set_plain(name, value)

    def _set_early(self, name: str, value: Any) -> None:
        """Set an attribute before `Cell.__init__` has run."""
        if isinstance(value, (Parameter, Cell)):
            kind = "Parameter" if isinstance(value, Parameter) else "Cell"
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '_auto_prefix': {type(self).__name__}.__init__ "
                f"should call super().__init__() before it assigns the {kind} '{name}'"
            )
        object.__setattr__(self, name, value)

    def _add_listed(self, parameters: ParameterTuple) -> None:
        """The Parameters of a ParameterTuple are the Cell's, under their own names."""
        for parameter in parameters:
            if not parameter._own_name:
                self.__dict__["_unnamed"] += 1
                parameter.name, parameter._own_name = f"Parameter${self._unnamed}", True
            if parameter.name not in self._params:
                self._params[parameter.name] = parameter
                self._listed.add(parameter.name)

    def _check_listed(self, attribute: str, value: Any) -> None:
        """Raise ValueError if a list of Parameters has a name twice, or one that another such attribute has."""
        lists = [
            held for name, held in self.__dict__.items()
            if name != attribute and isinstance(held, (list, tuple)) and not isinstance(held, ParameterTuple)
        ]  # fmt: skip
        seen: dict[str, Parameter] = {}
        for item in [*[item for held in lists for item in held], *value]:
            if isinstance(item, Parameter) and seen.setdefault(item.name, item) is not item:
                raise ValueError(
                    f"The value {value} , its name '{item.name}' already exists. Please set a unique name for the "
                    "parameter."
                )

    def _set_plain(self, name: str, value: Any) -> None:
        members = self.__dict__
        if name not in members or members[name] is not value:
            object.__setattr__(self, name, value)
            self._changed()

    def _changed(self) -> None:
        Changes.version += 1
        self.__dict__["_changes"] += 1

    def _set_parameter(self, name: str, value: Parameter) -> None:
        self._free_name(name, self._cells, self._buffers)
        if name not in self._params:
            self.__dict__.pop(name, None)
        self.insert_param_to_cell(name, value)

    def _set_cell(self, name: str, value: Cell) -> None:
        self._free_name(name, self._params, self._buffers)
        if "_cells" not in value.__dict__:
            value._not_initialised()
        self.__dict__.pop(name, None)
        self._cells[name] = value
        object.__setattr__(value, HELD, True)
        if self._auto_prefix:
            value.update_parameters_name(f"{name}.")
            for attribute, parameter in self._params.items():
                if parameter is not None and parameter.name.startswith(f"{name}."):
                    warn_of_duplicate(self, attribute, parameter, value.parameters_and_names(name))
        self._changed()

    def _free_name(self, name: str, *places: dict[str, Any]) -> None:
        """Raise TypeError if one of the places has the name."""
        for place in places:
            if name in place and name not in self._listed:
                kind = "a Cell" if place is self._cells else "a Parameter" if place is self._params else "a buffer"
                raise TypeError(f"attribute '{name}' of {type(self).__name__} is {kind} already")

    def _assign_parameter(self, name: str, value: Any) -> None:
        if value is None:
            self._params[name] = None
            self._changed()
            return
        kinds = Tensor if STATE.trace is None else (Tensor, int, float, bool)
        if not isinstance(value, kinds):
            raise TypeError(
                f"Parameter '{name}' already exists in network, can not assign this type: '{type(value)}' as a "
                f"parameter: assign a Parameter or a Tensor to the attribute of {type(self).__name__}"
            )
        self._params[name].set_data(value)

    def __getattr__(self, name: str) -> Any:
        members = self.__dict__
        for place in ("_params", "_cells", "_buffers"):
            found = members.get(place)
            if found is not None and name in found:
                return found[name]
        make = type(self)._held.get(name)
        if make is not None and "_cells" in members:
            members[name] = make(self)
            return members[name]
        if name in _INSPECTED and "_cells" in members:  # a Cell may have attributes of these names of its own
            return _keeping(self, getattr(self._as_compiled(), name))
        try:
            if "_cells" not in members and name in _MADE_BY_INIT:
                self._not_initialised()
            text = f"'{type(self).__name__}' object has no attribute '{name}'"
            if name in CELL_HINTS:
                raise AttributeError(f"{text}: {CELL_HINTS[name]}", name=name)
            raise AttributeError(text, name=name, obj=self)
        except AttributeError as error:
            leaving(error)
            raise

    def __delattr__(self, name: str) -> None:
        for place in (self._params, self._cells, self._buffers):
            if name in place:
                del place[name]
                self._changed()
                return
        object.__delattr__(self, name)
        self._changed()

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._params, *self._cells})

    def __deepcopy__(self, memo: dict[int, Any]) -> Cell:
        import copy

        new = object.__new__(type(self))
        memo[id(self)] = new
        for name, value in self.__dict__.items():
            new.__dict__[name] = None if name == "_compiled" else copy.deepcopy(value, memo)
        for name, value in self._in_slots().items():
            object.__setattr__(new, name, copy.deepcopy(value, memo))
        return new

    def __getstate__(self) -> Any:
        state, slots = {**self.__dict__, "_compiled": None}, self._in_slots()
        return (state, slots) if slots else state

    def _in_slots(self) -> dict[str, Any]:
        """The values of the `__slots__` that subclasses declare."""
        names = copyreg._slotnames(type(self))  # type: ignore[attr-defined]
        return {name: getattr(self, name) for name in names if hasattr(self, name)}

    # Running

    def __call__(self: Constructs[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        cell: Any = self
        try:
            if CONTEXT.graph_mode and STATE.compiles:
                return (cell.__dict__.get("_compiled") or cell._as_compiled())(*args, **kwargs)
            if "_cells" not in cell.__dict__:
                cell._not_initialised()
            if not cell._names_checked and STATE.trace is None:
                cell.check_names_and_refresh_name()
            return SERVICES.run_cell(cell, args, kwargs)
        except Exception as error:
            leaving(error)
            raise

    def _not_initialised(self) -> Any:
        name = type(self).__name__
        raise AttributeError(
            f"The '{name}' object does not inherit attribute from 'cell'. Please use 'super().__init__()': "
            f"{name}.__init__ should call super().__init__() first"
        )

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """What the Cell computes; subclasses define it. AttributeError if they don't."""
        kind = type(self).__name__
        near = nearest("construct", set(dir(type(self))).difference(dir(Cell)))
        hint = f": rename its method '{near}'" if near else ""
        if hasattr(type(self), "forward"):
            hint = ", as its method 'forward' is called in MindSpore: rename it"
        raise AttributeError(f"{kind} should define the method 'construct'{hint}")

    # Parameters

    def insert_param_to_cell(self, param_name: str, param: Parameter, check_name_contain_dot: bool = True) -> None:
        """Register a Parameter under an attribute name.

        Raises:
            TypeError: if it is no Parameter. KeyError: if the name holds a dot or is an attribute already.
        """
        if not param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not be empty.")
        if check_name_contain_dot and "." in param_name:
            raise KeyError(
                f"For 'insert_param_to_cell', the argument 'param_name' should not contain '.', but is '{param_name}'"
            )
        of_class = hasattr(type(self), param_name) and hasattr(self, param_name)  # not one of __slots__ that is empty
        if (of_class or param_name in self.__dict__) and param_name not in self._params:
            raise KeyError(f"'{param_name}' is an attribute of {type(self).__name__} already")
        if not isinstance(param, Parameter) and param is not None:
            raise TypeError(
                "For 'insert_param_to_cell', the argument 'param' must be 'Parameter' if not None, but got "
                f"{type(param)}."
            )
        if isinstance(param, Parameter) and not param._own_name:
            param.name = param_name
            param._own_name = True
        self._params[param_name] = param
        self._listed.discard(param_name)
        if param is not None:
            self._tell_of_duplicate(param_name, param)
        self._changed()

    def _tell_of_duplicate(self, attribute: str, parameter: Parameter) -> None:
        """Warn of a Parameter with the name of another one, in this Cell or in the one that gives it its prefix."""
        others = [(name, other) for name, other in self._params.items() if other is not None]
        below = self._cells.get(parameter.name.partition(".")[0])
        if below is not None:
            others += below.parameters_and_names(parameter.name.partition(".")[0])
        warn_of_duplicate(self, attribute, parameter, others)

    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Pairs of attribute path and Parameter, each Parameter once; sub-cells included with `expand`."""
        return self._named("_params", name_prefix, expand)

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """The Parameters, of sub-cells too with `expand`."""
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters with `requires_grad`.

        Warns, once, of Cells in a plain list or dict: their Parameters are not among these.
        """
        if recurse and STATE.trace is None and self.__dict__.get("_lists_checked") != Changes.version:
            object.__setattr__(self, "_lists_checked", Changes.version)
            warn_of_unregistered(self, [cell for _, cell in self.cells_and_names()], Cell)
        return [parameter for parameter in self.get_parameters(expand=recurse) if parameter.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters without `requires_grad`."""
        return [parameter for parameter in self.get_parameters(expand=recurse) if not parameter.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """Names to Parameters. Parameters with one name are named after their attributes; ValueError if that does not
        help."""
        if STATE.trace is None:
            self.check_names_and_refresh_name()
        return OrderedDict((parameter.name, parameter) for parameter in self.get_parameters(expand=recurse))

    def parameters_broadcast_dict(self, recurse: bool = True) -> OrderedDict[str, Parameter]:
        """Names to Parameters that are not layerwise parallel."""
        return OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse) if not p.layerwise_parallel)

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name each Parameter by its attribute path after `prefix`."""
        for path, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + path

    def _update_local_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """As `update_parameters_name`, without Parameters that the user has passed to an optimizer."""
        given = self.__dict__.get("_user_parameters", ())
        for path, parameter in self.parameters_and_names(expand=recurse):
            if path not in given:
                parameter.name = prefix + path

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Each Parameter to itself: numbers are made when a Parameter is."""
        return {parameter: parameter for parameter in self.get_parameters()}

    def get_func_graph_proto(self) -> None:
        """Not kept: NotImplementedError that names `stages(*inputs)`, which shows the graphs."""
        raise NotImplementedError("a Cell keeps no graph as protocol buffer: cell.stages(*inputs) shows its graphs")

    # Sub-cells

    def cells(self) -> Any:
        """The direct sub-cells."""
        return self.name_cells().values()

    def name_cells(self) -> OrderedDict[str, Cell]:
        """Attribute names to direct sub-cells, each once."""
        result: OrderedDict[str, Cell] = OrderedDict()
        seen: set[int] = set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                result[name] = cell
        return result

    def cells_and_names(self, cells: set[int] | None = None, name_prefix: str = "") -> Iterator[tuple[str, Cell]]:
        """Pairs of attribute path and Cell: this one (empty path), then all below it, each once."""
        seen = cells if cells is not None else set()
        if id(self) in seen:
            return
        seen.add(id(self))
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def insert_child_to_cell(self, child_name: str, child_cell: Cell) -> None:
        """Register a sub-cell under an attribute name. KeyError if taken, TypeError if it is no Cell."""
        if not isinstance(child_name, str) or not child_name:
            raise TypeError(
                "For 'insert_child_to_cell', the type of parameter 'child_name' must be str, but got "
                f"{type(child_name)}."
            )
        if child_name not in self._cells and hasattr(self, child_name):
            raise KeyError(f"'{child_name}' is an attribute of {type(self).__name__} already")
        if not isinstance(child_cell, Cell):
            raise TypeError(
                f"For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell' if not None, "
                f"but got type {type(child_cell)}."
            )
        self._cells[child_name] = child_cell
        object.__setattr__(child_cell, HELD, True)
        self._changed()

    def apply(self, fn: Callable[[Cell], Any]) -> Cell:
        """Call `fn` on every sub-cell, then on this one."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    # Compiled

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile for these inputs without running."""
        self._as_compiled().compile(*args, **kwargs)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a compiled program, in either mode."""
        return self._as_compiled()(*args, **kwargs)

    def _as_compiled(self) -> Any:
        """The Cell as a compiled function, made at the first use."""
        compiled = self._compiled if "_compiled" in self.__dict__ else self._not_initialised()
        if compiled is None:
            self.check_names_and_refresh_name()
            compiled = SERVICES.compile_cell(self)
            object.__setattr__(self, "_compiled", compiled)
        return compiled

    # Text

    def extend_repr(self) -> str:
        """The text between the brackets of `repr`, without sub-cells."""
        return ""

    def __repr__(self) -> str:
        extra = self.extend_repr()
        if not self._cells and "\n" not in extra:
            return f"{type(self).__name__}({extra})"
        lines = [f"{type(self).__name__}("]
        if extra:
            lines.append("  " + extra.replace("\n", "\n  "))
        for name, cell in self._cells.items():
            inner = repr(cell).replace("\n", "\n  ")
            lines.append(f"  ({name}): {inner}")
        return "\n".join([*lines, ")"])


def _keeping(cell: Cell, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of the compiled function that keeps the Cell alive, for calls such as `Net().stages(x)`."""

    @functools.wraps(method)
    def kept(*args: Any, **kwargs: Any) -> Any:
        return method(*args, **kwargs)

    kept.__dict__["__self__"] = cell
    return kept


_INSPECTED = frozenset(["stages", "explain", "profile"])
"""Methods of compiled functions that a Cell has, too: those of the program that it runs in graph mode."""

_MADE_BY_INIT = frozenset(Cell().__dict__)

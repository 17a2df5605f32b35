"""`Primitive`: the callable objects that `ops.Concat(axis)` and the like make, and how a table makes their classes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ....frontend.values.tensor import Tensor
from ....runtime.dtypes import DType
from ... import functions
from ...distributed.sharding import check_strategies, divides_layers, sharded
from ...docstrings import sections
from ...functions.documentation import LazyDocstring, for_primitive

REQUIRED = inspect.Parameter.empty
"""In a table: a constructor argument without a default."""

Row = Any
"""A function's name in `mycel.ops`; or a pair of that name, or of a function of the primitive and its inputs, and the
constructor's arguments. A third item says which function's docstring the class has.

With a name, the constructor's arguments are handed to the function after the inputs, by their names.
"""


def tensor(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A computation that gives a tensor: in a row, a lambda cannot say so to type checkers."""
    compute.__annotations__["return"] = "Tensor"
    return compute


def takes(required: str, **defaults: Any) -> dict[str, Any]:
    """The arguments of a constructor, for a row: names without a default, separated by spaces, then those with one."""
    return dict.fromkeys(required.split(), REQUIRED) | defaults


class Primitive:
    """An operation as an object: made with its fixed arguments, called with tensors.

    Args:
        name: its name.

    Inputs:
        inputs: tensors, as the class says.

    Raises:
        NotImplementedError: when it is called, if it is none of this package and its class defines no `__call__`.

    Examples:
        >>> from mycel import ops
        >>> print(ops.Primitive("Mine"))
        Prim[Mine]
    """

    _strategies: tuple[Any, Any] | None = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.attrs: dict[str, Any] = {}
        self.instance_name = name

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Run the operation on tensors."""
        raise NotImplementedError(f"the primitive '{self.name}' has no implementation in this package")

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value}" for name, value in self.attrs.items())
        return f"Prim[{self.name}]<{shown}>" if shown else f"Prim[{self.name}]"

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """Set an attribute; the primitive itself."""
        setattr(self, name, value)
        self.attrs[name] = value
        return self

    def del_prim_attr(self, name: str) -> Primitive:
        """Remove an attribute; the primitive itself."""
        if name in self.attrs:
            del self.attrs[name]
            delattr(self, name)
        return self

    def set_prim_instance_name(self, name: str) -> Primitive:
        """Give this primitive a name of its own; the primitive itself."""
        self.instance_name = name
        return self

    def init_prim_io_names(self, inputs: Any, outputs: Any) -> None:
        """Accepted: the names of inputs and outputs."""
        self.attrs["input_names"], self.attrs["output_names"] = list(inputs), list(outputs)

    def shard(self, in_strategy: Any = None, out_strategy: Any = None) -> Primitive:
        """In the mode 'semi_auto_parallel': cut inputs and outputs over processes; the primitive itself.

        Args:
            in_strategy: a tuple of strategies, one for each tensor: the number of parts of each dimension; or a tuple
                of `Layout`s. None: as the inputs are.
            out_strategy: the same for the outputs.

        Raises:
            TypeError, ValueError: for what is no tuple of those.
        """
        check_strategies(in_strategy, "in_strategy")
        check_strategies(out_strategy, "out_strategy")
        if in_strategy is not None or out_strategy is not None:
            self._strategies = in_strategy, out_strategy
        return self

    @property
    def is_sharded(self) -> bool:
        """Whether it is being traced for several processes, and has strategies."""
        return self._strategies is not None and divides_layers()

    def set_device(self, device_target: str) -> Primitive:
        """Accepted: everything runs on the CPU; the primitive itself."""
        return self

    def set_stage(self, stage: int) -> Primitive:
        """Accepted, without meaning in one process; the primitive itself."""
        return self

    def place(self, role: str, rank_id: int) -> Primitive:
        """Accepted, without meaning in one process; the primitive itself."""
        return self

    def recompute(self, mode: bool = True) -> Primitive:
        """Accepted: the compiler chooses what to recompute; the primitive itself."""
        return self

    def clone(self) -> Primitive:
        """A primitive with the same arguments."""
        new: Primitive = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.attrs = dict(self.attrs)
        return new


_DERIVED = {
    "Args": "name: its name.",
    "Inputs": "inputs: tensors, as the class says.",
    "Raises": "NotImplementedError: when it is called, if its class defines no `__call__`.",
}


@sections(**_DERIVED)
class PrimitiveWithInfer(Primitive):
    """A primitive that users derive from, to which `infer_shape` and `infer_dtype` belong.

    Examples:
        >>> from mycel import ops
        >>> print(ops.PrimitiveWithInfer("Mine"))
        Prim[Mine]
    """


@sections(**_DERIVED)
class PrimitiveWithCheck(Primitive):
    """A primitive that users derive from, to which `check_shape` and `check_dtype` belong.

    Examples:
        >>> from mycel import ops
        >>> print(ops.PrimitiveWithCheck("Mine"))
        Prim[Mine]
    """


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """For the `__init__` of a class derived from Primitive: its arguments become attributes.

    Args:
        fn: the `__init__`.

    Raises:
        TypeError: when the class is called with other arguments.

    Examples:
        >>> from mycel import ops
        >>> class Scale(ops.Primitive):
        ...     @ops.prim_attr_register
        ...     def __init__(self, factor=2):
        ...         pass
        >>> print(Scale(3).factor)
        3
    """
    signature = inspect.signature(fn)

    def initialise(self: Any, *arguments: Any, **named: Any) -> None:
        Primitive.__init__(self, type(self).__name__)
        bound = signature.bind(self, *arguments, **named)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            self.add_prim_attr(name, value)
        fn(self, *arguments, **named)

    initialise.__signature__ = signature  # type: ignore[attr-defined]
    initialise.__doc__ = fn.__doc__
    return initialise


prim_arg_register = prim_attr_register


def function_named(name: str) -> Callable[..., Any]:
    """The function of `mycel.ops` with this name."""
    return getattr(functions, name)


# For each kind of default: what else a value may not be, and how the message names what it should be.
_KINDS: tuple[tuple[type, tuple[type, ...], str], ...] = (
    (bool, (int, float, str, tuple, list, type(None)), "a bool"),
    (int, (bool, float, str, type(None)), "an int"),
    (float, (bool, str, tuple, list, type(None)), "a float"),
    (str, (bool, int, float, tuple, list), "a str"),
    (tuple, (bool, float, str), "a tuple of ints"),
    (DType, (bool, int, float, str, tuple, list), "a dtype"),
)


def check_kind(name: str, key: str, value: Any, default: Any) -> None:
    """Raise TypeError where an argument of a constructor is not of the kind that its default is of.

    Where the default is an int a sequence may stand, and an int where it is a float or a tuple.
    """
    for kind, refused, wanted in _KINDS:
        if isinstance(default, kind):
            if isinstance(value, refused) and not (kind is bool and isinstance(value, bool)):
                raise TypeError(f"For '{name}', the '{key}' must be {wanted}, but got {type(value).__name__}.")
            return


# What arguments of these names may be, in every primitive that has them.
_POSITIVE = ("kernel_size", "ksize", "strides", "stride", "dilation", "out_channel", "group")
_CHOICES = {
    "reduction": ("none", "mean", "sum"),
    "pad_mode": ("valid", "same", "pad"),
    "data_format": ("nchw", "nhwc", "ncdhw", "ndhwc", "ncl", "default"),
}


_OWN_CHOICES = ("TensorScatterElements", "ScatterElements")  # whose words for a reduction their function checks


def check_values(name: str, key: str, value: Any, default: Any) -> None:
    """Raise TypeError or ValueError for sizes of windows that are no positive ints, and for unknown modes."""
    listed = key in _CHOICES and name not in _OWN_CHOICES
    if listed and isinstance(value, str) and value.lower() not in _CHOICES[key]:
        raise ValueError(f"For '{name}', the '{key}' must be one of {', '.join(_CHOICES[key])}, but got {value!r}.")
    if key not in _POSITIVE or isinstance(default, str) or value is None or default == 0:
        return
    for size in value if isinstance(value, (tuple, list)) else (value,):
        if isinstance(size, (bool, float, str)):
            raise TypeError(f"For '{name}', the '{key}' must be of ints, but got {type(size).__name__}.")
        if isinstance(size, int) and size < 1:
            raise ValueError(f"For '{name}', the '{key}' must be positive, but got {value}.")


def _docstring(name: str, like: Any, target: Any, signature: inspect.Signature) -> str:
    """The docstring of a class: like that of a function, or put together from what the tables say of the primitive."""
    fixed = {key: item.default for key, item in signature.parameters.items()}
    if like:
        run = function_named(like) if isinstance(like, str) else like()
        return for_primitive(name, run, fixed)
    from . import docstrings

    inputs = [*inspect.signature(target).parameters][1:]
    text: str = docstrings.docstring(name, fixed, inputs, f"{name}{signature}")
    return text


def make_class(name: str, row: Row, module: str) -> type[Primitive]:
    """The class that a row of a table describes."""
    target, parameters, like, *_ = (*row, None) if isinstance(row, tuple) else (row, {}, None)
    signature = inspect.Signature(
        [
            inspect.Parameter(key, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
            for key, default in parameters.items()
        ]
    )

    def __init__(self: Any, *arguments: Any, **named: Any) -> None:
        if any(isinstance(argument, Tensor) for argument in arguments):
            raise TypeError(f"{name}{signature} is made before it is called with tensors: write {name}()(…)")
        try:
            bound = signature.bind(*arguments, **named)
        except TypeError as error:
            raise TypeError(f"{name}{signature}: {error}") from None
        Primitive.__init__(self, name)
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            if value is not parameters[key]:
                check_kind(name, key, value, parameters[key])
                check_values(name, key, value, parameters[key])
            setattr(self, key, value)
            self.attrs[key] = value

    def __call__(self: Any, *inputs: Any, **named: Any) -> Any:
        if self._strategies is not None and divides_layers():
            return sharded(lambda *given: run(self, *given, **named), inputs, name, self._strategies)
        return run(self, *inputs, **named)

    def run(self: Any, *inputs: Any, **named: Any) -> Any:
        if not isinstance(target, str):
            return target(self, *inputs, **named)
        return function_named(target)(*inputs, **{key: getattr(self, key) for key in parameters}, **named)

    __init__.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *signature.parameters.values()]
    )
    like = like or (target if isinstance(target, str) else None)
    doc = LazyDocstring(lambda: _docstring(name, like, target, signature))
    members = {"__init__": __init__, "__call__": __call__, "__doc__": doc, "__module__": module, "target": target}
    return type(name, (Primitive,), members)


def make_classes(table: dict[str, Row], module: dict[str, Any]) -> dict[str, type[Primitive]]:
    """The classes of a table, which become the public names of a module: `module` is its `globals()`."""
    classes = {name: make_class(name, row, module["__name__"]) for name, row in table.items()}
    module.update(classes, __all__=list(classes))
    return classes


PUBLIC = (
    "Primitive",
    "PrimitiveWithCheck",
    "PrimitiveWithInfer",
    "prim_arg_register",
    "prim_attr_register",
)

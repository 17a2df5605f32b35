"""Descriptions of kernels that users write for devices (`CustomRegOp`, `DataType`). They are kept, but not used."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ...frontend.values.arguments import need_type
from ..docstrings import sections

__all__ = ["AiCPURegOp", "CpuRegOp", "CustomRegOp", "DataType", "TBERegOp", "custom_info_register", "op_info_register"]

_NUMBERS = {
    "BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32", "U32": "uint32",
    "I64": "int64", "U64": "uint64", "F16": "float16", "F32": "float32", "F64": "float64", "BF16": "bfloat16",
    "C64": "complex64", "C128": "complex128",
}  # fmt: skip
_FORMATS = {
    "None": "", "Default": "DefaultFormat", "5HD": "NC1HWC0", "FracZ": "FRACTAL_Z", "FracNZ": "FRACTAL_NZ",
    "FracZNLSTM": "FRACTAL_ZN_LSTM", "FracZNRNN": "FRACTAL_ZN_RNN", "ND_RNNBIAS": "ND_RNN_BIAS",
    **{name: name for name in ("C1HWNCoC0", "ChannelLast", "DHWCN", "FRACTAL_Z_3D", "HWCN", "NC1HWC0", "NCDHW")},
    **{name: name for name in ("NCHW", "NDC1HWC0", "NDHWC", "NHWC")},
}  # fmt: skip


class _Table(type):
    """Gives `DataType.F32_Default` and the like."""

    def __getattr__(cls, name: str) -> tuple[str, ...]:
        number, _, layout = name.partition("_")
        container: tuple[str, ...] = ()
        for kind in ("List", "Tuple"):
            if layout == f"Default_{kind}":
                layout, container = "Default", (kind.lower(),)
        if layout not in _FORMATS or number not in (*_NUMBERS, "None"):
            raise AttributeError(f"type object 'DataType' has no attribute '{name}'")
        return (_NUMBERS.get(number, ""), _FORMATS[layout], *container)


class DataType(metaclass=_Table):
    """Pairs of a dtype and a memory layout, as attributes.

    Raises:
        AttributeError: for a dtype or layout that MindSpore does not name.

    Examples:
        >>> import mycel.ops as ops
        >>> print(ops.DataType.F32_Default)
        ('float32', 'DefaultFormat')
    """


class RegOp:
    """The inputs, outputs and attributes of a kernel.

    Args:
        op_name: the name of the operation.

    Raises:
        TypeError: if the name is not a string.
    """

    imply_type = ""

    def __init__(self, op_name: str = "") -> None:
        self.op_name = need_type(op_name, str, "the name of an operation should be a str")
        self.inputs: list[dict[str, Any]] = []
        self.outputs: list[dict[str, Any]] = []
        self.attr_: list[dict[str, Any]] = []
        self.dtype_format_: list[tuple[Any, ...]] = []
        self.options: dict[str, Any] = {}

    def input(self, index: Any = None, name: Any = None, *more: Any, **options: Any) -> RegOp:
        """Describe an input, and return the description."""
        place = index if isinstance(index, int) else len(self.inputs)
        self.inputs.append({"index": place, "name": name, **_numbered(more), **options})
        return self

    def output(self, index: Any = None, name: Any = None, *more: Any, **options: Any) -> RegOp:
        """Describe an output, and return the description."""
        place = index if isinstance(index, int) else len(self.outputs)
        self.outputs.append({"index": place, "name": name, **_numbered(more), **options})
        return self

    def attr(self, name: Any = None, *more: Any, **options: Any) -> RegOp:
        """Describe an attribute, and return the description."""
        self.attr_.append({"name": name, **_numbered(more), **options})
        return self

    def dtype_format(self, *args: Any) -> RegOp:
        """Add a dtype and layout for each input and output, and return the description.

        Raises:
            ValueError: if there are more or fewer of them than inputs and outputs.
        """
        if len(args) != len(self.inputs) + len(self.outputs):
            raise ValueError(
                f"dtype_format takes one argument for each of the {len(self.inputs)} inputs and {len(self.outputs)} "
                f"outputs, but got {len(args)}"
            )
        self.dtype_format_.append(args)
        return self

    def target(self, target: str | None = None) -> RegOp:
        """Name the device, and return the description."""
        self.options["target"] = target
        return self

    def get_op_info(self) -> dict[str, Any]:
        """All of it as a dict."""
        info: dict[str, Any] = {"op_name": self.op_name, "imply_type": self.imply_type, **self.options}
        info.update(attr=self.attr_, inputs=self.inputs, outputs=self.outputs, dtype_format=self.dtype_format_)
        return info

    def __getattr__(self, name: str) -> Any:
        """Further options, such as `fusion_type` and `partial_flag`: methods that keep their argument."""
        if name.startswith("_"):
            raise AttributeError(name)

        def keep(value: Any = None) -> RegOp:
            self.options[name] = value
            return self

        return keep


def _numbered(values: tuple[Any, ...]) -> dict[str, Any]:
    return {f"option_{place}": value for place, value in enumerate(values)}


def _described(kind: type[RegOp]) -> type[RegOp]:
    """A decorator: what the docstrings of all kinds of kernels say."""
    return sections(
        Args="op_name: the name of the operation.",
        Raises="TypeError: if the name is not a string.",
        Examples=f"""
            >>> import mycel.ops as ops
            >>> print(ops.{kind.__name__}("my_op").input(0, "x").get_op_info()["inputs"])
            [{{'index': 0, 'name': 'x'}}]
        """,
    )(kind)


@_described
class CustomRegOp(RegOp):
    """The inputs, outputs and attributes of the function of an `ops.Custom`."""

    imply_type = "Custom"

    def __init__(self, op_name: str = "Custom") -> None:
        super().__init__(op_name)


@_described
class TBERegOp(RegOp):
    """The inputs, outputs and attributes of an Ascend kernel."""

    imply_type = "TBE"


@_described
class AiCPURegOp(RegOp):
    """The inputs, outputs and attributes of a kernel for the CPU of an Ascend device."""

    imply_type = "AiCPU"


@_described
class CpuRegOp(RegOp):
    """The inputs, outputs and attributes of a CPU kernel."""

    imply_type = "CPU"


def op_info_register(op_info: Any) -> Callable[[Any], Any]:
    """A decorator for a function that describes or builds a kernel; it gives the function itself.

    Args:
        op_info: a description as a dict or as JSON.

    Raises:
        TypeError: for other types.
        ValueError: for text that is no JSON.

    Examples:
        >>> import mycel.ops as ops
        >>> print(ops.op_info_register({})(abs)(-1))
        1
    """
    need_type(op_info, dict | str, "op_info_register takes a dict or a str")
    if isinstance(op_info, str):
        json.loads(op_info)
    return lambda function: function


def custom_info_register(*reg_info: Any) -> Callable[[Any], Any]:
    """A decorator for the function of an `ops.Custom`, which keeps descriptions as the attribute `reg_info`.

    Args:
        reg_info: descriptions as dicts; others are left out.

    Raises:
        AttributeError: if the function takes no attributes, such as a builtin.

    Examples:
        >>> import mycel.ops as ops
        >>> @ops.custom_info_register({"op_name": "twice"})
        ... def twice(x):
        ...     return 2 * x
        >>> print(twice.reg_info)
        [{'op_name': 'twice'}]
    """

    def decorate(function: Any) -> Any:
        function.reg_info = [info for info in reg_info if isinstance(info, dict)]
        return function

    return decorate

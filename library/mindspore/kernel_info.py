"""Descriptions of kernels that users write for devices (`CustomRegOp`, `DataType`): kept, for nothing runs on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

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
    """Pairs of a dtype and a layout of memory, such as `DataType.F32_Default`."""


class RegOp:
    """What a kernel takes and gives.

    Args:
        op_name: its name.

    Raises:
        TypeError: if it is no string.
    """

    imply_type = ""

    def __init__(self, op_name: str = "") -> None:
        if not isinstance(op_name, str):
            raise TypeError(f"the name of an operation should be a str, but got {type(op_name).__name__}")
        self.op_name = op_name
        self.inputs: list[dict[str, Any]] = []
        self.outputs: list[dict[str, Any]] = []
        self.attr_: list[dict[str, Any]] = []
        self.dtype_format_: list[tuple[Any, ...]] = []
        self.options: dict[str, Any] = {}

    def input(self, index: Any = None, name: Any = None, *more: Any, **options: Any) -> RegOp:
        """Describe an input; the description itself."""
        place = index if isinstance(index, int) else len(self.inputs)
        self.inputs.append({"index": place, "name": name, **_numbered(more), **options})
        return self

    def output(self, index: Any = None, name: Any = None, *more: Any, **options: Any) -> RegOp:
        """Describe an output; the description itself."""
        place = index if isinstance(index, int) else len(self.outputs)
        self.outputs.append({"index": place, "name": name, **_numbered(more), **options})
        return self

    def attr(self, name: Any = None, *more: Any, **options: Any) -> RegOp:
        """Describe an attribute; the description itself."""
        self.attr_.append({"name": name, **_numbered(more), **options})
        return self

    def dtype_format(self, *args: Any) -> RegOp:
        """Add a combination of dtypes and layouts, one for each input and output; the description itself.

        Raises:
            ValueError: if their number is another.
        """
        if len(args) != len(self.inputs) + len(self.outputs):
            raise ValueError(
                f"dtype_format takes one argument for each of the {len(self.inputs)} inputs and {len(self.outputs)} "
                f"outputs, but got {len(args)}"
            )
        self.dtype_format_.append(args)
        return self

    def target(self, target: str | None = None) -> RegOp:
        """Name the device; the description itself."""
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


class CustomRegOp(RegOp):
    """What the function of an `ops.Custom` takes and gives."""

    imply_type = "Custom"

    def __init__(self, op_name: str = "Custom") -> None:
        super().__init__(op_name)


class TBERegOp(RegOp):
    """What a kernel of Ascend devices takes and gives."""

    imply_type = "TBE"


class AiCPURegOp(RegOp):
    """What a kernel of Ascend devices' CPU takes and gives."""

    imply_type = "AiCPU"


class CpuRegOp(RegOp):
    """What a kernel of the CPU takes and gives."""

    imply_type = "CPU"


def op_info_register(op_info: Any) -> Callable[[Any], Any]:
    """For a function that describes or builds a kernel: it is kept as it is.

    Args:
        op_info: a description as a dict or as JSON.

    Raises:
        TypeError: for other types.
        ValueError: for text that is no JSON.
    """
    if not isinstance(op_info, (dict, str)):
        raise TypeError(f"op_info_register takes a dict or a str, but got {type(op_info).__name__}")
    if isinstance(op_info, str):
        json.loads(op_info)
    return lambda function: function


def custom_info_register(*reg_info: Any) -> Callable[[Any], Any]:
    """For the function of an `ops.Custom`: its descriptions are kept as the attribute `reg_info`."""

    def decorate(function: Any) -> Any:
        function.reg_info = [info for info in reg_info if isinstance(info, dict)]
        return function

    return decorate

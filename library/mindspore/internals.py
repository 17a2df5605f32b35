"""Names that users find in MindSpore's internal modules (`_c_expression` and the like)."""

from __future__ import annotations

from typing import Any

from ...frontend.api.context import get_context, set_context
from ...frontend.transforms.grad_operation import GradOperation
from ...frontend.values.dtype_names import DType, Type
from ...frontend.values.tensor import Tensor
from ..functions.composite import HyperMap, Map
from ..functions.overloads import MultitypeFuncGraph

__all__ = [
    "DType", "GradOperation_", "HyperMap_", "MSContext", "Map_", "MultitypeFuncGraph_", "StubTensor", "TensorPy",
    "Type", "enable_security", "is_dim_unknown", "is_shape_unknown", "is_stub_tensor", "tensor_operator_registry",
]  # fmt: skip

TensorPy = StubTensor = Tensor
MultitypeFuncGraph_, HyperMap_, Map_, GradOperation_ = MultitypeFuncGraph, HyperMap, Map, GradOperation


class MSContext:
    """The settings of this process."""

    _instance: MSContext | None = None

    @classmethod
    def get_instance(cls) -> MSContext:
        """The one object."""
        cls._instance = cls._instance or cls()
        return cls._instance

    def get_param(self, name: str) -> Any:
        """A setting of `get_context`."""
        return get_context(name)

    def set_param(self, name: str, value: Any) -> None:
        """A setting of `set_context`."""
        set_context(**{name: value})

    def get_ascend_soc_version(self) -> str:
        """The name of the Ascend chip: there is none."""
        return ""

    def ascend_soc_supports_feature(self, name: str) -> bool:
        """Whether the Ascend chip can do something: there is none."""
        return False

    def is_ascend_plugin_loaded(self) -> bool:
        """Whether the part for Ascend is loaded: there is none."""
        return False

    def is_pkg_support_device(self, device: str) -> bool:
        """Whether this package runs on a kind of device."""
        return device == "CPU"


def enable_security() -> bool:
    """Whether the build leaves out functions that show data: no."""
    return False


def is_shape_unknown(shape: Any) -> bool:
    """Whether a shape has sizes, or a number of dimensions, that only the run knows."""
    return any(size is None or size < 0 for size in shape)


def is_dim_unknown(shape: Any) -> bool:
    """Whether the number of dimensions of a shape is known to the run only."""
    return list(shape) == [-2]


def is_stub_tensor(tensor: Any) -> bool:
    """Whether a tensor is still being computed elsewhere: none is."""
    return False


class _TensorOperators:
    """The functions behind the methods of tensors, by name."""

    def get(self, name: str) -> Any:
        """The function of that name.

        Raises:
            AttributeError: if there is none.
        """
        from .. import ops

        return getattr(ops, name)


tensor_operator_registry = _TensorOperators()

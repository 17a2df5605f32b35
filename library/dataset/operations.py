"""Base classes for transformations of the user's own, under MindSpore's names."""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


class TensorOperation:
    """Base of transformations: a subclass defines `__call__`, or `_execute_py` for one array or image."""

    def __init__(self, implementation: Any = None) -> None:
        self.implementation = implementation
        self.callable_op_: Any = None

    def __call__(self, *inputs: Any) -> Any:
        """What the transformation makes of its inputs.

        Raises:
            NotImplementedError: if the subclass says neither.
        """
        execute = getattr(self, "_execute_py", None)
        if execute is None:
            raise NotImplementedError(f"{type(self).__name__} should define __call__ or _execute_py")
        results = [execute(given) for given in inputs]
        return results[0] if len(results) == 1 else tuple(results)

    def parse(self) -> None:
        """TensorOperations of MindSpore's kernels alone are parsed.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(f"{type(self).__name__} has to implement parse() method.")


class PyTensorOperation(TensorOperation):
    """As TensorOperation, for transformations in Python. `transforms` may hold others, `output_type` a dtype."""

    def __init__(self) -> None:
        super().__init__()
        self.transforms: list[Any] = []
        self.output_type: Any = None


class CompoundOperation(TensorOperation):
    """Base of transformations that are made of others, which `transforms` holds.

    Args:
        transforms: the transformations.
    """

    def __init__(self, transforms: Any) -> None:
        super().__init__()
        self.transforms = list(transforms)

"""`Custom`: an operation that is a Python function on NumPy arrays; and tensors written to files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ....frontend.errors.classes import GraphBreak
from ....frontend.transforms.backward import UserBackward
from ....frontend.values.cell import Cell
from ....frontend.values.tensor import Tensor
from ....frontend.values.traced_tensor import is_traced
from ....runtime import dtypes
from .primitive import Primitive

DEVICE_TYPES = ("hybrid", "akg", "tbe", "aicpu", "aot", "julia")


class _Function(Cell):
    """Runs the function; its backward is the user's."""

    def __init__(self, owner: Custom) -> None:
        super().__init__()
        self.owner = owner

    def construct(self, *inputs: Any) -> Any:
        """What the function gives for the numbers of these tensors."""
        return self.owner.run(inputs)

    @property
    def users_bprop(self) -> UserBackward:
        """The user's function for the gradients by the inputs."""
        if self.owner.bprop is None:
            raise RuntimeError(f"Custom: '{self.owner.title}' has no gradient: give its 'bprop'")
        return UserBackward(f"the bprop of Custom '{self.owner.title}'", self.owner.bprop)

    def bprop(self, *args: Any) -> Any:
        """The gradients by the inputs: `args` are these, the result and its gradient."""
        return self.users_bprop.call(*args)


class Custom(Primitive):
    """A Python function on NumPy arrays as an operation. A compiled function that calls it runs eagerly.

    Args:
        func: takes an array for each tensor and gives an array, or a tuple of arrays.
        out_shape: the shape of the result, a tuple of shapes for several; or a function of the inputs' shapes.
        out_dtype: the dtype, a tuple of dtypes for several; or a function of the inputs' dtypes.
        func_type: 'pyfunc'. MindSpore's other types are compiled for devices.
        bprop: `(*inputs, out, dout)` to the gradients by the inputs, on tensors; None: there is no gradient.
        reg_info: not used.

    Inputs:
        inputs: the tensors that the function takes, as arrays.

    Raises:
        NotImplementedError: for other types of functions. ValueError: for unknown types; at a call, for a result of
            another shape or number than declared. TypeError: for arguments of the wrong kind.

    Examples:
        >>> import mycel as ms
        >>> from mycel import ops
        >>> double = ops.Custom(lambda x: x * 2, lambda x: x, lambda x: x, "pyfunc", lambda x, out, dout: dout * 2)
        >>> double(ms.Tensor([1.0, 2.0])).asnumpy().tolist()
        [2.0, 4.0]
    """

    def __init__(
        self, func: Any, out_shape: Any = None, out_dtype: Any = None, func_type: str = "pyfunc", bprop: Any = None,
        reg_info: Any = None,
    ) -> None:  # fmt: skip
        super().__init__("Custom")
        if func_type in DEVICE_TYPES:
            raise NotImplementedError(
                f"Custom: functions of the type '{func_type}' are compiled for devices. Use func_type='pyfunc' with a "
                "Python function of NumPy arrays, or write it with mycel's operations"
            )
        if func_type != "pyfunc":
            raise ValueError(f"Custom: 'func_type' should be 'pyfunc', but got {func_type!r}")
        if not callable(func):
            raise TypeError(f"Custom: 'func' should be a function, but got {type(func).__name__}")
        if not (callable(out_shape) or isinstance(out_shape, (tuple, list))):
            raise TypeError(f"Custom: 'out_shape' should be a shape or a function, but got {out_shape!r}")
        if not (callable(out_dtype) or isinstance(out_dtype, (dtypes.DType, tuple, list))):
            raise TypeError(f"Custom: 'out_dtype' should be a dtype or a function, but got {out_dtype!r}")
        if bprop is not None and not callable(bprop):
            raise TypeError(f"Custom: 'bprop' should be a function, but got {type(bprop).__name__}")
        self.func, self.out_shape, self.out_dtype, self.bprop = func, out_shape, out_dtype, bprop
        self.title = getattr(func, "__name__", type(func).__name__)
        self._cell = _Function(self)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Run the function on tensors."""
        return self._cell(*inputs)

    def run(self, inputs: tuple[Any, ...]) -> Any:
        """The result as tensors, checked against what is declared."""
        tensors = [item for item in inputs if isinstance(item, Tensor)]
        if any(is_traced(item) for item in tensors):
            raise GraphBreak(
                f"Custom: '{self.title}' is a function of NumPy arrays, which exist only when the program runs. Write "
                "it with mycel's operations, or call it outside of the compiled function"
            )
        shapes = self.out_shape(*[item.shape for item in tensors]) if callable(self.out_shape) else self.out_shape
        kinds = self.out_dtype
        if not isinstance(kinds, (dtypes.DType, tuple, list)):
            kinds = kinds(*[item.dtype for item in tensors])
        several = any(isinstance(item, (tuple, list)) for item in shapes)
        wanted = [tuple(shape) for shape in shapes] if several else [tuple(shapes)]
        types = list(kinds) if isinstance(kinds, (tuple, list)) else [kinds]
        if len(types) != len(wanted):
            raise ValueError(f"Custom: '{self.title}' has {len(wanted)} shapes but {len(types)} dtypes declared")
        found = self.func(*[item.asnumpy() if isinstance(item, Tensor) else item for item in inputs])
        results = list(found) if isinstance(found, (tuple, list)) else [found]
        if len(results) != len(wanted):
            raise ValueError(f"Custom: '{self.title}' should give {len(wanted)} arrays, but gave {len(results)}")
        made = []
        for result, shape, dtype in zip(results, wanted, types, strict=True):
            array = np.asarray(result)
            if array.shape != shape:
                raise ValueError(f"Custom: '{self.title}' should give the shape {shape}, but gave {array.shape}")
            made.append(Tensor(array, dtype))
        return tuple(made) if several else made[0]


class TensorDump(Primitive):
    """Writes a tensor into an `.npy` file; a compiled function that calls it runs eagerly.

    Called with the file's name, to which the number of the call is added, and the tensor.

    Args:
        input_output: 'in' or 'out'. Accepted: there is one process.

    Inputs:
        file: the file's name, a string.
        tensor: a tensor of any shape and dtype.

    Raises:
        ValueError: if `input_output` is another word.
        TypeError: if the file's name is no string.

    Examples:
        >>> from mycel import ops
        >>> print(ops.TensorDump().name)
        TensorDump
    """

    def __init__(self, input_output: str = "out") -> None:
        super().__init__("TensorDump")
        if input_output not in ("in", "out", "all"):
            raise ValueError(f"TensorDump: 'input_output' should be 'in', 'out' or 'all', but got {input_output!r}")
        self.calls = 0

    def __call__(self, *inputs: Any, **named: Any) -> None:
        """Write the file."""
        file, tensor = inputs
        if not isinstance(file, str) or not file:
            raise TypeError(f"TensorDump: the file's name should be a string, but got {file!r}")
        array = tensor.asnumpy()
        name = file.removesuffix(".npy")
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        np.save(f"{name}_{self.calls}.npy", array)
        self.calls += 1


PUBLIC = (
    "Custom",
    "TensorDump",
)

"""mycel: MindSpore's graph mode as a small pure-Python package on NumPy.

    import mycel as ms
    from mycel import nn, ops

A function or Cell is traced to a graph, a backward graph is derived from it and appended, and both are optimised,
planned and emitted as readable Python that runs on NumPy. `jit`, `grad` and `value_and_grad` are where it starts;
`stages()` shows it all.
"""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

from .frontend import (
    cell_run as _cell_run,  # noqa: F401 it attaches itself
    dtype_names as dtype,
    nn,
    ops,
    tensor_methods as _tensor_methods,  # noqa: F401 it attaches itself
)
from .frontend.cell import Cell
from .frontend.cell_run import recompute
from .frontend.compiled import COMPATIBLE, LAX, STRICT
from .frontend.context import (
    GRAPH_MODE,
    PYNATIVE_MODE,
    JitConfig,
    get_context,
    set_context,
    set_deterministic,
    set_device,
    set_recursion_limit,
)
from .frontend.doors import guard as _guard, guarded as _guarded
from .frontend.dtype_names import (
    Type,
    bfloat16,
    bool_,
    byte,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    dtype_to_nptype,
    dtype_to_pytype,
    float16,
    float32,
    float64,
    float_,
    float_type,
    half,
    int8,
    int16,
    int32,
    int64,
    int_,
    int_type,
    intc,
    intp,
    long,
    number_type,
    pytype_to_dtype,
    short,
    single,
    tensor_type,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uint_type,
    uintc,
    uintp,
    ushort,
)
from .frontend.errors import DamagedFileError, FallbackWarning, GraphBreak, GraphError, MemoryLimitError
from .frontend.grad import get_grad, grad, value_and_grad
from .frontend.jit import jit, jit_class, ms_class, ms_function
from .frontend.lazy import LazyNames as _LazyNames
from .frontend.module_names import MODULES as _MODULES
from .frontend.modules import install_as_mindspore, install_names as _install_names
from .frontend.mutable import mutable
from .frontend.names import missing_name as _missing_name
from .frontend.ops.composite import constexpr
from .frontend.ops.random import get_seed, manual_seed, set_seed
from .frontend.parameter import Parameter, ParameterTuple
from .frontend.sparse import COOTensor, CSRTensor, RowTensor, SparseTensor
from .frontend.state import disable_jit
from .frontend.tensor import Tensor, tensor

__all__ = [
    "COMPATIBLE",
    "GRAPH_MODE",
    "LAX",
    "PYNATIVE_MODE",
    "STRICT",
    "COOTensor",
    "CSRTensor",
    "Cell",
    "DamagedFileError",
    "FallbackWarning",
    "GraphBreak",
    "GraphError",
    "JitConfig",
    "MemoryLimitError",
    "Parameter",
    "ParameterTuple",
    "RowTensor",
    "SparseTensor",
    "Tensor",
    "Type",
    "bfloat16",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "constexpr",
    "disable_jit",
    "double",
    "dtype",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "float16",
    "float32",
    "float64",
    "float_",
    "float_type",
    "from_numpy",
    "get_context",
    "get_grad",
    "get_seed",
    "grad",
    "half",
    "install_as_mindspore",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "int_type",
    "intc",
    "intp",
    "jit",
    "jit_class",
    "long",
    "manual_seed",
    "ms_class",
    "ms_function",
    "mutable",
    "nn",
    "number_type",
    "ops",
    "pytype_to_dtype",
    "recompute",
    "set_context",
    "set_deterministic",
    "set_device",
    "set_recursion_limit",
    "set_seed",
    "short",
    "single",
    "tensor",
    "tensor_type",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uint_type",
    "uintc",
    "uintp",
    "ushort",
    "value_and_grad",
]

__version__ = "0.1.0"
from_numpy = Tensor.from_numpy

_DTYPES = ("bool", "int", "float")
_SOURCES = (
    "frontend.inlining",
    "frontend.transforms",
    "frontend.vmap",
    "frontend.jacobian",
    "frontend.train",
    "frontend.exported",
    "frontend.auto_parallel",
    "frontend.run_check",
    "frontend.parallel",
    "frontend.amp",
)
_MORE = _LazyNames(__name__, {"Profiler": "frontend.reports.profiler"})
_install_names()
for _module in (__name__, nn.__name__, ops.__name__):
    _guard(_module)


def _public() -> list[str]:
    """The names of the package, those among them that are loaded when they are first asked for."""
    names = {*globals(), *_MODULES, *_DTYPES, *_MORE.places}
    for source in _SOURCES:
        names.update(getattr(_importlib.import_module(f"{__name__}.{source}"), "__all__", ()))
    return sorted(names)


def __getattr__(name: str) -> _Any:
    """Modules and names that are loaded when they are first asked for."""
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in _DTYPES:  # under the names of Python's own, which this module itself needs
        return getattr(dtype, name)
    if not name.startswith("__"):
        for source in _SOURCES:
            found = getattr(_importlib.import_module(f"{__name__}.{source}"), name, None)
            if found is not None:
                globals()[name] = _guarded(found)
                return found
    if name in _MORE.places:
        return _MORE.find(name)
    raise _missing_name(__name__, name, _public())

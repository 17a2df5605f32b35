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

from .runtime.collector import resting_collector as _resting_collector
from .runtime.finder import install as _install_finder

_install_finder(__name__)
with _resting_collector():  # of what is made here nothing is garbage
    from .frontend.api.context import (
        GRAPH_MODE,
        PYNATIVE_MODE,
        JitConfig,
        get_context,
        set_context,
        set_deterministic,
        set_device,
        set_recursion_limit,
    )
    from .frontend.api.jit import compile_cell as _compile_cell, jit, jit_class, ms_class, ms_function
    from .frontend.compilation.doors import guard as _guard, guarded as _guarded
    from .frontend.compilation.target import COMPATIBLE, LAX, STRICT
    from .frontend.errors.classes import (
        DamagedFileError,
        FallbackWarning,
        GraphBreak,
        GraphError,
        MemoryLimitError,
    )
    from .frontend.errors.spelling import missing_name as _missing_name
    from .frontend.state import disable_jit
    from .frontend.transforms.cell_run import recompute, run_cell as _run_cell
    from .frontend.transforms.grad import grad, value_and_grad
    from .frontend.values.cell import Cell
    from .frontend.values.dtype_names import (
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
    from .frontend.values.mutable import mutable
    from .frontend.values.parameter import Parameter, ParameterTuple
    from .frontend.values.services import install as _install
    from .frontend.values.tensor import Tensor, tensor
    from .library import nn as _nn, ops as _ops
    from .library.lazy import LazyNames as _LazyNames
    from .library.mindspore.module_names import MODULES as _MODULES
    from .library.mindspore.modules import install_as_mindspore, install_names as _install_names
    from .library.tensor.methods import LazyMethod as _LazyMethod, attach as _attach_methods

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
    "frontend.api.inlining",
    "frontend.transforms.products",
    "frontend.transforms.vmap",
    "frontend.transforms.jacobian",
    "library.train",
    "library.saving.exported",
    "library.distributed.auto_parallel",
    "library.run_check",
    "library.rewrite",
    "library.distributed.parallel",
    "library.distributed.communication",
    "library.mindspore.random_state",
)
_SPARSE = "library.mindspore.sparse"
_MORE = _LazyNames(
    __name__,
    {
        "Profiler": "library.reports.profiler",
        "constexpr": "library.functions.composite",
        "get_grad": "frontend.transforms.grad_operation",
        **dict.fromkeys(("SummaryCollector", "SummaryRecord"), "library.reports.summary"),
        **dict.fromkeys(("get_seed", "manual_seed", "set_seed"), "library.functions.random"),
        **dict.fromkeys(("COOTensor", "CSRTensor", "RowTensor", "SparseTensor"), _SPARSE),
    },
    take=lambda module, name: _guarded(getattr(module, name)),
)


# Initializers are imported when the first tensor is filled.
def _filled(*arguments: _Any) -> _Any:
    from .library.initializer import filled

    return filled(*arguments)


def _initializer(*arguments: _Any) -> _Any:
    from .library.initializer import initializer

    return initializer(*arguments)


_install(run_cell=_run_cell, compile_cell=_compile_cell, filled=_filled, initial_tensor=_initializer)
_attach_methods({name: _LazyMethod(name, _SPARSE) for name in ("to_coo", "to_csr")})
_install_names()
with _resting_collector():  # of what is made here nothing is garbage
    # The attribute of this package is the module that `import mycel.nn` gives.
    dtype, nn, ops = (_importlib.import_module(f"{__name__}.{_module}") for _module in ("dtype", "nn", "ops"))
    for _module in (_nn.__name__, _ops.__name__):
        _guard(_module)


def __dir__() -> list[str]:
    """The names of the package, those among them that are loaded when they are first asked for."""
    modules = (name for name in _MODULES if "." not in name)
    names = {*globals(), *modules, *_DTYPES, *_MORE.places} - {"annotations"}
    for source in _SOURCES:
        names.update(_importlib.import_module(f"{__name__}.{source}").__all__)
    return sorted(names)


def __getattr__(name: str) -> _Any:
    """Modules and names that are loaded when they are first asked for."""
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in _DTYPES:  # under the names of Python's own, which this module itself needs
        return getattr(dtype, name)
    if name in _MORE.places:
        return _MORE.find(name)
    if not name.startswith("__"):
        for source in _SOURCES:
            module = _importlib.import_module(f"{__name__}.{source}")
            if name in module.__all__:
                globals()[name] = found = _guarded(getattr(module, name))
                return found
    raise _missing_name(__name__, name, __dir__())


_guard(__name__)

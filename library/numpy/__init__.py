"""`mycel.numpy`: NumPy's functions on tensors, as `mindspore.numpy` has them."""

from __future__ import annotations

import importlib
import math
from typing import Any

from ...frontend.errors.spelling import missing_name
from ...runtime.dtypes import (
    bool_ as bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .. import functions as ops
from . import (
    arrays,
    creation,
    elementwise as numpy_elementwise,
    mathematics,
    more as numpy_more,
    polynomials,
    products,
    reductions,
    shapes,
)

float_, int_, uint = float32, int32, uint32
inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
PINF, NINF = math.inf, -math.inf
numeric_types = (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64)


def _collect() -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(numpy_elementwise, name) for name in numpy_elementwise.__all__}
    for module in (creation, shapes, arrays, reductions, products, polynomials, mathematics, numpy_more):
        helpers = set(vars(numpy_elementwise))
        for name, value in vars(module).items():
            own = callable(value) and getattr(value, "__module__", "") == module.__name__
            if own and name[0] != "_" and (name not in helpers or name in found):
                found[name] = value
    return found


_FUNCTIONS = _collect()
globals().update(_FUNCTIONS)
mgrid, ogrid = numpy_more.mgrid, numpy_more.ogrid
_OTHERS = (
    "NINF", "PINF", "bool_", "e", "float16", "float32", "float64", "float_", "inf", "int8", "int16", "int32",
    "int64", "int_", "mgrid", "nan", "numeric_types", "ogrid", "pi", "uint", "uint8", "uint16", "uint32", "uint64",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """The functions of the table, each of which is made when it is first asked for, `__all__` and `fft`."""
    if name == "fft":
        return importlib.import_module(".fft", __name__)
    if name == "__all__":
        return sorted({*_FUNCTIONS, *ops.records("numpy"), *_OTHERS})
    if ops.known("numpy", name) is None:
        raise missing_name(__name__, name)
    return globals().setdefault(name, numpy_elementwise.of_table(name))


def __dir__() -> list[str]:
    return ["fft", *__getattr__("__all__")]

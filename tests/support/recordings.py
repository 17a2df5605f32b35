"""Expressions with the values that MindSpore 2.10 on a CPU gave, and how mycel's values compare with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import mycel as ms
import mycel.numpy as mnp
from mycel import Parameter, Tensor, mint, nn, ops
from mycel.library.numpy import fft as numpy_fft
from mycel.library.scipy import linalg as scipy_linalg

DIRECTORY = Path(__file__).resolve().parent.parent / "recorded"


def tensor(values: Any, dtype: Any = None) -> Tensor:
    """A tensor, Float32 unless a dtype is given."""
    return Tensor(np.array(values), dtype or ms.float32)


NAMES = {
    "T": tensor,
    "np": np,
    "ms": ms,
    "mnp": mnp,
    "nn": nn,
    "ops": ops,
    "mint": mint,
    "sl": scipy_linalg,
    "fft": numpy_fft,
    "Tensor": Tensor,
    "Parameter": Parameter,
}


def cases(name: str) -> list[tuple[str, tuple[str, ...], Any]]:
    """Of a file the expressions, the statements that define their names, and the values recorded."""
    groups = json.loads((DIRECTORY / f"{name}.json").read_text())
    return [
        (expression, tuple(group["define"]), expected) for group in groups for expression, expected in group["cases"]
    ]


def namespace(definitions: tuple[str, ...]) -> dict[str, Any]:
    """The names that an expression uses, freshly made."""
    names: dict[str, Any] = dict(NAMES)
    for statement in definitions:
        exec(statement, names)
    return names


def eagerly(expression: str, definitions: tuple[str, ...]) -> Any:
    """The value of an expression, run at once."""
    return eval(expression, namespace(definitions))


def compiled(expression: str, definitions: tuple[str, ...]) -> Any:
    """The value of an expression run as a compiled function of the tensors it is about."""
    names = namespace(definitions)
    tensors = {name: value for name, value in names.items() if isinstance(value, Tensor)}
    code = compile(expression, "<recorded>", "eval")

    def function(*values: Any) -> Any:
        return eval(code, {**names, **dict(zip(tensors, values, strict=True))})

    return ms.jit(function)(*tensors.values())


def differs(value: Any, expected: Any, where: str = "result") -> str:
    """The difference from the recorded value; an empty text if there is none."""
    if isinstance(expected, dict) and "tuple" in expected:
        expected = expected["tuple"]
        if not isinstance(value, tuple) or len(value) != len(expected):
            return f"{where}: {value!r} should be a tuple of {len(expected)}"
    elif isinstance(expected, list) and (not isinstance(value, list) or len(value) != len(expected)):
        return f"{where}: {value!r} should be a list of {len(expected)}"
    if isinstance(expected, list):
        found = [
            differs(item, wanted, f"{where}[{place}]")
            for place, (item, wanted) in enumerate(zip(value, expected, strict=True))
        ]
        return "; ".join(filter(None, found))
    if not isinstance(expected, dict):
        return "" if type(value) is type(expected) and value == expected else f"{where}: {value!r} is not {expected!r}"
    if not isinstance(value, Tensor):
        return f"{where}: {value!r} should be a tensor"
    array = value.asnumpy()
    if str(value.dtype) != expected["dtype"] or list(array.shape) != expected["shape"]:
        return f"{where}: {value.dtype} {array.shape} should be {expected['dtype']} {expected['shape']}"
    data = expected["data"]
    wanted = np.array([complex(*item) for item in data] if array.dtype.kind == "c" else [float(item) for item in data])
    close = np.allclose(array.ravel(), wanted, rtol=3e-5, atol=2e-5, equal_nan=True)
    return "" if close else f"{where}: {array.ravel().tolist()} should be {data}"


def check_gradient(function: Callable[..., Any], *arrays: Any, tolerance: float = 1e-5) -> None:
    """Compare the gradient of a weighted sum of `function`'s result with a difference quotient along one direction."""
    rng = np.random.default_rng(1)
    inputs = [np.asarray(array, np.float64) for array in arrays]
    shape = function(*map(Tensor, inputs)).shape
    weights = Tensor(rng.normal(size=shape))

    def weighted(*tensors: Any) -> Any:
        return ops.sum(function(*tensors) * weights)

    positions = tuple(range(len(inputs)))
    gradients = ms.grad(weighted, positions)(*map(Tensor, inputs))
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    directions = [rng.normal(size=array.shape) for array in inputs]
    slope = sum(float((gradient.asnumpy() * way).sum()) for gradient, way in zip(gradients, directions, strict=True))
    step = 1e-6

    def moved(by: float) -> float:
        return (
            weighted(*[Tensor(array + by * way) for array, way in zip(inputs, directions, strict=True)])
            .asnumpy()
            .item()
        )

    expected = (moved(step) - moved(-step)) / (2 * step)
    assert np.isclose(slope, expected, rtol=tolerance, atol=tolerance * 10), (slope, expected)

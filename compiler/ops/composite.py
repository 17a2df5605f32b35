"""Kernels and derivatives of ops by those of the simpler ops that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...runtime import dtypes
from ..interpret import interpret
from ..ir import Graph
from ..op import ACTIVE
from ..types import TensorType


def kernel_by(composite: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel for an op that `composite`, code over ops on symbols, computes as well."""

    @lru_cache(maxsize=256)
    def graph_of(types: tuple[TensorType, ...], attrs: tuple[tuple[str, Any], ...]) -> Graph:
        from ..symbolic import record

        return record("composite", types, lambda *symbols: composite(*symbols, **dict(attrs)))

    def kernel(*arrays: np.ndarray, **attrs: Any) -> Any:
        types = tuple(TensorType(dtypes.of_numpy(array.dtype), array.shape) for array in arrays)
        results = interpret(graph_of(types, tuple(attrs.items())), arrays)
        return results if len(results) > 1 else results[0]

    return kernel


def vjp_by(composite: Callable[..., Any]) -> Callable[..., Any]:
    """A rule of differentiation for an op that `composite`, code over ops on symbols, computes as well."""

    def vjp(*values: Any, **attrs: Any) -> tuple[Any, ...]:
        from ..differentiate import append, differentiate
        from ..symbolic import record

        *inputs, _, dout = values
        douts = list(dout) if isinstance(dout, tuple) else [dout]
        graph = record("composite", [symbol.type for symbol in inputs], lambda *symbols: composite(*symbols, **attrs))
        present = [position for position, symbol in enumerate(douts) if symbol is not None]
        wrt = [position for position, symbol in enumerate(inputs) if symbol.dtype.is_float or symbol.dtype.is_complex]
        derivative = differentiate(graph, wrt, present)
        joint = append(derivative, wrt)
        seeds = [douts[position] for position in derivative.seeds]
        results = ACTIVE.recorder.inline(joint, [*inputs, *seeds])[len(graph.outputs) :]
        cotangents: list[Any] = [None] * len(inputs)
        for position, result, where in zip(wrt, results, derivative.gradients, strict=True):
            cotangents[position] = None if where is None else result
        return tuple(cotangents)

    return vjp

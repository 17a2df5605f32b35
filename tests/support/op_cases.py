"""The ops with their samples, as the tests of ops go through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from mycel.compiler.ir.op import Op, Sample
from mycel.compiler.ops import OPS

# Messages need a process to talk to: tests/compiler/ops/test_collectives.py starts some.
# What begins something, and what ends it, go together: tests/compiler/passes/test_buckets.py.
PLAIN_OPS = {name: op for name, op in OPS.items() if not (op.holds_graphs or op.crosses or op.begins or op.ends)}


def samples_of(op: Op) -> list[Sample]:
    """The samples of an op, their inputs as arrays."""
    samples = op.samples() if op.samples is not None else []
    return [Sample(tuple(map(np.asarray, s.inputs)), s.attrs, s.gradient) for s in samples]


CASES = [
    (op, sample, f"{name}-{i}")
    for name, op in PLAIN_OPS.items()
    for i, sample in enumerate(samples_of(op))
    if name != "raise_"  # which never gives a result: it has a test of its own below
]


def by_op(cases: Iterable[tuple[Any, ...]], first: int | None = None) -> Callable[[Callable[..., None]], Any]:
    """Parametrize a test by ops. Cases are an op, more arguments, and a name, which an error tells. If only the `first`
    ones of each op are tested by default, the rest are among the slow tests."""
    grouped: dict[str, list[tuple[Any, ...]]] = {}
    for case in cases:
        grouped.setdefault(case[0].name, []).append(case)
    names: list[Any] = list(grouped)
    for name in [name for name, found in grouped.items() if first and len(found) > first]:
        grouped[name], grouped[f"{name}, more"] = grouped[name][:first], grouped[name][first:]
        names.append(pytest.param(f"{name}, more", marks=pytest.mark.slow))

    def decorate(test: Callable[..., None]) -> Any:
        def run(name: str) -> None:
            for *arguments, case in grouped[name]:
                try:
                    test(*arguments)
                except Exception as error:
                    raise AssertionError(f"with the sample {case}: {error}") from error

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return pytest.mark.parametrize("name", names)(run)

    return decorate


def as_tuple(result: Any) -> tuple[Any, ...]:
    """The results of a kernel or the types of an inference as a tuple."""
    return result if isinstance(result, tuple) else () if result is None else (result,)

"""Collectives: values, gradients and batches across processes; in one process, the identity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ranks import check_ranks

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops as prims
from mycel.compiler.cache.disk import DiskCache
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Location
from mycel.compiler.pipeline import compile_graph
from mycel.compiler.transforms.symbolic import Recorder
from mycel.frontend.values.dispatch import apply
from mycel.runtime import dtypes
from mycel.runtime.distributed.group import WORLD

GROUP = {"group": WORLD, "size": 1}


def test_gradients_and_batches_across_processes() -> None:
    assert check_ranks(2, "derivatives.py").count("is done") == 2


@pytest.mark.slow
def test_gradients_and_batches_across_four_processes() -> None:
    assert check_ranks(4, "derivatives.py").count("is done") == 4


def test_calls_are_kept_in_order() -> None:
    """None is merged with its equal, none dropped because its result is not read, none moved."""

    def calls(x: Tensor) -> Tensor:
        apply(prims.all_reduce, x, by="max", **GROUP)
        first = apply(prims.all_reduce, x, by="sum", **GROUP)
        apply(prims.synchronize, **GROUP)
        second = apply(prims.all_reduce, x, by="sum", **GROUP)
        return first + second

    compiled = ms.jit(calls)
    text = str(compiled.stages(Tensor([1.0, 2.0])).optimized)
    names = [line.split("(")[0].split()[-1] for line in text.splitlines() if "group='world'" in line]
    assert names == ["match_collectives", "all_reduce", "all_reduce", "synchronize", "all_reduce"]
    assert text.index("by='max'") < text.index("by='sum', group")
    np.testing.assert_array_equal(compiled(Tensor([1.0, 2.0])).asnumpy(), [2.0, 4.0])


def test_calls_in_loops_and_branches_are_compared_when_they_run() -> None:
    def calls(x: Tensor) -> Tensor:
        total = apply(prims.all_reduce, x, by="sum", **GROUP)
        while total.sum() < 10:
            total = total + apply(prims.all_reduce, total, by="max", **GROUP)
        return total

    text = str(ms.jit(calls).stages(Tensor([1.0, 2.0])).optimized)
    assert "calls=('all_reduce(f32[2], by sum)',)" in text
    assert text.count("checked=True") == 1
    assert ms.jit(calls)(Tensor([1.0, 2.0])).asnumpy().tolist() == [4.0, 8.0]


@pytest.mark.parametrize(
    ("op", "attrs", "x", "error", "message"),
    [
        (prims.all_reduce, {"by": "mean"}, [1.0], ValueError, "sum, max, min, prod"),
        (prims.all_reduce, {"by": "sum"}, [True], TypeError, "cast the tensor"),
        (prims.all_gather, {}, 1.0, ValueError, r"reshape it to \(1,\)"),
        (prims.broadcast, {"root": 3}, [1.0], ValueError, "ranks 0 to 0, but got rank 3"),
        (prims.scatter_from, {"root": 0, "size": 2}, [1.0, 2.0, 3.0], ValueError, "3, should be divisible .* 2"),
    ],
)
def test_types_that_do_not_fit(op: object, attrs: dict[str, object], x: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        apply(op, Tensor(x), **{**GROUP, **attrs})  # type: ignore[arg-type]


def test_programs_from_the_cache_know_their_own_lines(tmp_path: Path) -> None:
    """The same program further down in its file is another entry of the cache: errors would name old lines."""
    cache = DiskCache(tmp_path)
    for line in (3, 3, 7):
        recorder = Recorder("calls")
        with recorder:
            recorder.locate = lambda line=line: Location("program.py", line)
            x = recorder.parameter(TensorType(dtypes.float32, (2,)))
            for _ in range(20):
                x = prims.all_reduce(x, by="sum", **GROUP)
            graph = recorder.finish([x])
        source = compile_graph(graph, name="calls", cache=cache).source
        assert f"'program.py:{line}'" in source


@pytest.mark.parametrize("root", [-1, 1])
def test_a_root_that_is_no_rank_is_refused(root: int) -> None:
    for op in (prims.broadcast, prims.reduce_to, prims.gather_to, prims.scatter_from):
        with pytest.raises(ValueError, match=f"ranks 0 to 0, but got rank {root}"):
            op.infer(TensorType(dtypes.float32, (2, 3)), root=root, size=1, by="sum", group="world")

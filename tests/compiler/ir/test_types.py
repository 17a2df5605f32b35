"""There is one object for each type, and types of nodes are inferred once for equal operands and attributes."""

from __future__ import annotations

import copy
import gc
import pickle
import threading

import pytest

from mycel.compiler import ops
from mycel.compiler.ir import types
from mycel.compiler.ir.graph import infer_types, make_node
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType, parse_type
from mycel.compiler.ir.values import Value
from mycel.runtime.dtypes import float16, float32


def test_equal_types_are_identical() -> None:
    type = TensorType(float32, (3, 4))
    assert (
        type is TensorType(float32, (3, 4)) is parse_type("f32[3, 4]") is TensorType(float32, (4, 3)).with_shape((3, 4))
    )
    assert type is pickle.loads(pickle.dumps(type)) is copy.deepcopy(type)
    assert type is not TensorType(float16, (3, 4))
    assert (type.rank, type.size, type.nbytes, type.known_size, type.static_shape) == (2, 12, 48, 12, (3, 4))


def test_sizes_of_the_run_are_asked_for_in_vain() -> None:
    type = TensorType(float32, (3, None))
    assert (type.rank, type.is_static, type.known_size) == (2, False, 0)
    for name in ("size", "nbytes", "static_shape"):
        with pytest.raises(ValueError, match=r"f32\[3, \?\] is only known at run time"):
            getattr(type, name)
    assert not hasattr(type, "other")


def test_types_that_nothing_uses_are_forgotten() -> None:
    key = float32, (7, 11, 13, 17)
    kept = TensorType(*key)
    assert key in types._TYPES
    del kept
    gc.collect()
    assert key not in types._TYPES


def test_threads_make_one_type_together() -> None:
    for size in range(50, 80):
        barrier, found = threading.Barrier(4), list[TensorType]()

        def make(size: int = size, barrier: threading.Barrier = barrier, found: list[TensorType] = found) -> None:
            barrier.wait()
            found.append(TensorType(float32, (size, 5, 9)))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(type is found[0] for type in found)


def test_attributes_that_are_equal_but_not_the_same_are_told_apart() -> None:
    """True == 1: a known answer for one would be wrong for the other."""
    given = [TensorType(float32, (2, 3))]
    assert infer_types(ops.transpose, given, {"axes": (1, 0)}) == (TensorType(float32, (3, 2)),)
    assert infer_types(ops.transpose, given, {"axes": (1, 0)}) is infer_types(ops.transpose, given, {"axes": (1, 0)})
    keep = [infer_types(ops.sum, given, {"axis": (1,), "keepdims": keepdims})[0] for keepdims in (True, False)]
    assert [type.shape for type in keep] == [(2, 1), (2,)]
    with pytest.raises(ValueError, match="transpose"):
        infer_types(ops.transpose, given, {"axes": (0, 0)})


def test_graphs_of_the_same_nodes_share_their_structure() -> None:
    graph, other = (parse("graph f(%x: f32[4]) { %y: f32[4] = tanh(%x) return %y }", ops.OPS) for _ in range(2))
    assert graph.structure == other.structure
    other.share_structure(graph)
    assert other.structure is graph.structure
    value = Value(TensorType(float32, (4,)))
    assert make_node(ops.tanh, [value]).output.type is value.type

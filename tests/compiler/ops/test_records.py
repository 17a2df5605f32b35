"""One op, one place: passes read properties of ops from the records, and have no lists of ops."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from mycel.compiler.ir.op import Kind
from mycel.compiler.ops import OPS
from mycel.runtime.native.functions import FUNCTIONS, is_cheap

ROOT = Path(__file__).resolve().parents[3]
READERS = [f"compiler/{package}" for package in ("analysis", "cache", "codegen", "kernels", "memory", "passes")]
READERS += ["compiler/transforms", "compiler/pipeline.py"]
READERS += [f"runtime/native/{module}.py" for module in ("stages", "generator", "row_loops")]


NAMES = OPS.keys() - set(get_args(Kind))


def _is_op(item: ast.AST | None) -> bool:
    """`"tanh"` or `ops.tanh`."""
    if isinstance(item, ast.Constant):
        return item.value in NAMES
    return isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name) and item.value.id == "ops"


def _asks_for(item: ast.Compare) -> bool:
    """`node.op.name == "tanh"`, or `"rows" in node.attrs`."""
    sides = [item.left, *item.comparators]
    if not any(isinstance(side, ast.Constant) for side in sides):
        return False
    text = [ast.unparse(side) for side in sides]
    return any(side.endswith("op.name") for side in text) or text[-1] == "node.attrs"


def lists_of_ops(source: str) -> Iterator[int]:
    """Lines with a collection of ops, a table by ops, or a comparison of what the record should say."""
    for item in ast.walk(ast.parse(source)):
        if isinstance(item, ast.Tuple | ast.Set | ast.List):
            found = sum(map(_is_op, item.elts)) > 1
        elif isinstance(item, ast.Dict):
            found = sum(map(_is_op, item.keys)) > 1
        else:
            found = isinstance(item, ast.Compare) and _asks_for(item)
        if found:
            yield item.lineno  # type: ignore[attr-defined]


@pytest.mark.parametrize("folder", READERS)
def test_nothing_but_the_records_lists_ops(folder: str) -> None:
    path = ROOT / folder
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    assert files
    found = [
        f"{file.relative_to(ROOT).as_posix()}:{line}"
        for file in files
        for line in lists_of_ops(file.read_text("utf-8"))
    ]
    assert not found, f"lists of ops: {', '.join(found)}; a field of the record (compiler/ir/op.py) says it for each op"


@pytest.mark.parametrize(
    "source",
    [
        'CHEAP = {"add", "tanh"}', 'CHEAP = frozenset(("add", "tanh"))', "FAST = [ops.add, ops.tanh]",
        'COSTS = {"add": 1, "tanh": 10}', "COSTS = {ops.add: 1, ops.tanh: 10}", 'if node.op.name == "add": pass',
        "if node.op in (ops.add, ops.tanh): pass", 'if "rows" in node.attrs: pass',
    ],
)  # fmt: skip
def test_lists_of_ops_are_seen(source: str) -> None:
    assert list(lists_of_ops(source))


@pytest.mark.parametrize("source", ['("tanh", 1)', "if node.op is ops.add: pass", 'KINDS = {"view", "creation"}'])
def test_what_is_no_list_of_ops_passes(source: str) -> None:
    assert not list(lists_of_ops(source))


def test_kernels_and_ops_agree_on_what_is_cheap() -> None:
    """A value that the pass of fusion computes again, a kernel computes again, too."""
    native = [op for op in OPS.values() if op.native]
    assert len(native) > 30
    assert [op.name for op in native if op.cheap != is_cheap(op.name)] == []
    made = {"overlay", "multiply_words"}  # by windows, and for products of which few bits are read
    made |= {"multiply_subtract", "negative_multiply_add"}  # by contraction
    assert {name for name in FUNCTIONS if is_cheap(name)} - set(OPS) == made


def test_products_alone_have_operations_to_count() -> None:
    counted = {name for name, op in OPS.items() if op.flops is not None}
    products = {
        "matmul",
        "banded_matmul",
        "shared_matmul",
        "paired_matmul",
        "conv",
        "conv_input_grad",
        "conv_weight_grad",
    }
    assert {*products, "fused", "kernel"} == counted


def test_views_that_keep_the_order_are_views() -> None:
    assert {name for name, op in OPS.items() if op.keeps_order} == {"reshape", "bitcast"}
    assert all(op.kind == "view" for op in OPS.values() if op.keeps_order)

"""The examples of CONTRIBUTING.md: an op, a function and a layer of it, and a pass, each run where it would stand."""

from __future__ import annotations

import importlib
import re
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gradcheck import check_gradients, one_node_graph, type_of
from op_cases import samples_of

import mycel as ms
from mycel import Tensor
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.verifier import verify
from mycel.compiler.ops import OPS, samples
from mycel.library.functions import table

PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"
BLOCKS = [textwrap.dedent(block) for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)]


def run(block: str, module: str, **names: Any) -> dict[str, Any]:
    """The names of a module after a block has run at its end, with further names."""
    found = {**vars(importlib.import_module(f"mycel.{module}")), **names}
    exec(compile(block, f"{module} in CONTRIBUTING.md", "exec"), found)
    return found


def test_op_function_and_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    (op_block,) = [block for block in BLOCKS if " = elementwise_op(" in block]
    (function_block,) = [block for block in BLOCKS if " = unary(" in block]
    (layer_block,) = [block for block in BLOCKS if "(Cell)" in block]
    op = run(op_block, "compiler.ops.elementwise", unary_samples=samples.unary_samples)["cbrt"]
    monkeypatch.setitem(OPS, "cbrt", op)
    for sample in samples_of(op):
        graph = one_node_graph(op, list(map(type_of, sample.inputs)), sample.attrs)
        check_gradients(graph, sample.inputs)
    with monkeypatch.context() as alone:
        alone.setattr(table, "TABLE", {place: {} for place in table.PLACES})
        cbrt = run(function_block, "library.functions.functions", prims=SimpleNamespace(cbrt=op))["cbrt"]
        record = table.TABLE["ops"]["cbrt"]
    assert (*record.ops, *record.method, *record.inplace, *record.primitive) == ("cbrt", "cbrt", "cbrt_", "Cbrt")
    layer = run(layer_block, "library.nn.activation", ops=SimpleNamespace(cbrt=cbrt))["Cbrt"]()
    x = Tensor([8.0, 1.0])
    for call in (cbrt, ms.jit(lambda x: cbrt(x)), layer):
        np.testing.assert_allclose(call(x).asnumpy(), [2, 1], rtol=1e-6)
    np.testing.assert_allclose(ms.grad(lambda x: cbrt(x).sum())(x).asnumpy(), [1 / 12, 1 / 3], rtol=1e-6)


def test_pass() -> None:
    (block,) = [block for block in BLOCKS if "(graph: Graph) -> Graph" in block]
    function = run(block, "compiler.passes.dce")["multiply_by_reciprocals"]

    def after(divisor: str) -> str:
        text = f"graph f(%x: f32[3]) {{ %y: f32[3] = divide(%x, {divisor}) return %y }}"
        return print_graph(verify(function(verify(parse(text, OPS)))))

    assert "multiply(%x, 0.25)" in after("4.0")
    assert "divide(%x, 3.0)" in after("3.0")

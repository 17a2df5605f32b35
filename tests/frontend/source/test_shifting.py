"""Relocated code: the lines that a trace tells, and what is known of code that is gone."""

from __future__ import annotations

import gc
import linecache
from typing import Any

import numpy as np

import mycel as ms
from mycel.frontend.source.shifting import ORIGINS, shifted

TEXT = """def program(x):
    y = x
    if x.sum() > 0:
        y = y * 2 + x
    else:
        y = y - x
    if x.sum() > 1:
        y = y * 2 + x
    else:
        y = y - x
    return y
"""


def test_nodes_of_equal_branches_stand_at_their_own_lines() -> None:
    linecache.cache["<equal branches>"] = len(TEXT), None, TEXT.splitlines(keepends=True), "<equal branches>"
    names: dict[str, Any] = {}
    exec(compile(TEXT, "<equal branches>", "exec"), names)
    forward = ms.jit(names["program"]).stages(ms.Tensor(np.ones(3, np.float32))).forward
    conds = [node for node in forward.nodes if node.op.kind == "branch"]
    inside = [[node.location.line for graph in cond.subgraphs for node in graph.nodes] for cond in conds]
    assert inside == [[4, 4, 6], [8, 8, 10]]
    named = [[node.output.name for graph in cond.subgraphs for node in graph.nodes] for cond in conds]
    assert named == [["multiply_1", "y", "y_1"], ["multiply_2", "y_3", "y_4"]]


def test_relocated_code_is_forgotten_with_the_code_that_it_is_made_of() -> None:
    names: dict[str, Any] = {}
    exec("def above(): pass", names)
    key = id(names["above"].__code__)
    assert shifted(names["above"], 5).__code__.co_firstlineno == 6
    assert (key, 5) in ORIGINS.values()
    names.clear()
    gc.collect()
    assert (key, 5) not in ORIGINS.values()

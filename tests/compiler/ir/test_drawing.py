"""Drawings of graphs: every edge has its ends, clusters nest, texts are escaped, and depth closes inner graphs."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.graph import Graph


def branching(x: Tensor) -> Tensor:
    if x.sum() > 0:
        i = Tensor(0)
        while i < 3:
            x = ops.tanh(x) * 2
            i = i + 1
    else:
        print('a "quoted" <text>#', x)
    return x


@pytest.fixture(scope="module")
def graph() -> Graph:
    return ms.value_and_grad(branching).stages(Tensor([1.0, 2.0])).joint


def declared(text: str, pattern: str) -> set[str]:
    return set(re.findall(pattern, text, re.MULTILINE))


@pytest.mark.parametrize("depth", [None, 0, 1])
def test_mermaid(graph: Graph, depth: int | None) -> None:
    text = graph.mermaid(depth)
    assert text.startswith("flowchart TD\n")
    boxes = declared(text, r'^ +(n\d+)\(?\[.*"\]\)?$')
    clusters = declared(text, r'^ +subgraph (g\d+) \["')
    assert len(re.findall(r"^ +end$", text, re.MULTILINE)) == len(clusters)
    edges = re.findall(r'^ +(n\d+) (?:-->\|".*"\||-\.->) ([ng]\d+)$', text, re.MULTILINE)
    assert len(edges) >= len(graph.nodes)
    assert {end for pair in edges for end in pair} <= boxes | clusters
    rest = [line for line in text.splitlines()[1:] if not re.match(r" +(n\d+(\[|\(\[| -)|subgraph |end$)", line)]
    assert not rest
    assert all(line.count('"') == 2 for line in text.splitlines() if '"' in line)


@pytest.mark.parametrize("depth", [None, 0, 1])
def test_dot(graph: Graph, depth: int | None) -> None:
    text = graph.dot(depth)
    boxes = declared(text, r"^ +(n\d+) \[shape=")
    edges = re.findall(r"^ +(n\d+) -> (n\d+) \[", text, re.MULTILINE)
    assert {end for pair in edges for end in pair} <= boxes
    bare = re.sub(r'"(\\.|[^"\\])*"', "", text)
    assert bare.count("{") == bare.count("}")
    assert '"' not in bare
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=text, text=True, check=True, capture_output=True)


def test_depth_closes_what_is_inside(graph: Graph) -> None:
    opened, closed = graph.dot(), graph.dot(0)
    assert "cluster" in opened
    assert "cluster" not in closed
    assert re.search(r"\d+ nodes inside", closed)
    assert "nodes inside" not in opened
    assert opened.count("tanh") > closed.count("tanh")


def test_every_node_and_result_has_a_box(graph: Graph) -> None:
    flat = ms.jit(lambda x, y: (ops.exp(x) @ y, 2.0 * x)).stages(ops.ones((2, 2)), ops.ones((2, 2))).forward
    text: Any = flat.mermaid()
    assert text.count('(["') == len(flat.parameters) + len(flat.outputs)
    assert len(re.findall(r'n\d+\["', text)) == len(flat.nodes)
    assert 'f32[2, 2]"|' in text
    assert "test_drawing.py:" in text

"""The joint graph is marked: forward, backward, update, Cells, source lines; the marks parse back and mean nothing."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.compiler.analysis.phases import marked, plain
from mycel.compiler.ir.equality import same_structure
from mycel.compiler.ir.parser import parse
from mycel.compiler.ops import OPS
from mycel.frontend.compilation.stages import Stages

X, Y = Tensor(np.ones((2, 4), np.float32)), Tensor(np.zeros((2, 3), np.float32))


class Block(nn.Cell):
    """A layer with layers."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x: Any) -> Any:
        return x + ops.tanh(self.fc(x))


class Net(nn.Cell):
    """Layers in a list, and a loop that is traced."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([Block(), Block()])
        self.head = nn.Dense(4, 3)

    def construct(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        while x.sum() > 100:
            x = self.layers[0](x) * 0.5
        return self.head(x)


@pytest.fixture(scope="module")
def stages() -> Stages:
    """A training step's."""
    net = Net()
    return nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9)
    ).stages(X, Y)


def headings(text: str) -> list[str]:
    return [line.strip()[2:] for line in text.splitlines() if line.strip().startswith("# ")]


def test_parts_and_cells_are_marked(stages: Stages) -> None:
    found = headings(str(stages.joint))
    parts = [heading for heading in found if heading.startswith("----")]
    assert parts == ["---- forward ----", "---- backward ----", "---- update ----"]
    forward = found[: found.index("---- backward ----")]
    assert forward[1:6] == ["layers.0.fc", "layers.0", "layers.1.fc", "layers.1", "Net"]
    assert forward[-2:] == ["head", "MSELoss"]
    assert found[found.index("---- update ----") + 1] == "Momentum"
    assert "layers.1.fc" in found[found.index("---- backward ----") :]


def test_nodes_in_loops_know_their_cells(stages: Stages) -> None:
    lines = [line for line in str(stages.joint).splitlines() if line.strip() == "# layers.0.fc"]
    assert any(line.startswith("      ") for line in lines)


def test_the_source_stands_beside_its_first_node(stages: Stages) -> None:
    (line, *others) = [line for line in str(stages.joint).splitlines() if "return self.head(x)" in line]
    assert line.split("  # ")[1].endswith("  return self.head(x)")
    assert len(others) == 1  # in the backward


def test_marks_parse_back(stages: Stages) -> None:
    text = str(stages.joint)
    again = parse(text, OPS)
    assert str(again) == text
    assert same_structure(again, stages.joint)
    assert not headings(str(plain(again)))
    assert "return self" not in str(plain(again))


def test_passes_are_compared_without_marks(stages: Stages) -> None:
    assert "----" not in stages.diff("lower").replace("--- joint", "")
    assert "return self" not in stages.diff("lower")


def test_without_a_gradient_there_are_no_parts() -> None:
    found = headings(str(Net().stages(X).joint))
    assert not [heading for heading in found if heading.startswith("----")]
    assert "head" in found


def test_a_function_without_cells_has_its_text_alone() -> None:
    f = ms.jit(lambda x: (x * 2).sum())
    text = str(f.stages(X).joint)
    assert not headings(text)
    assert "f = ms.jit(" in text


def test_odd_lines_of_source_break_no_text(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text("def f(x):\n    return x * {'a:1  # }': 2, '\\t': 3}['a:1  # }']  # \N{NO-BREAK SPACE}\x0c %y: 7\n")
    namespace: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    text = str(ms.jit(namespace["f"]).stages(X).joint)
    assert str(parse(text, OPS)) == text
    assert "odd.py:2" in text


@pytest.mark.parametrize("name", ["a\nb", "x" * 700, "# }", "\x85 y", " z ", "---- backward ----", "%q: f32[1] = "])
def test_odd_names_of_cells_break_no_text(name: str) -> None:
    net = nn.SequentialCell()
    net.insert_child_to_cell(name, nn.Dense(4, 4))
    text = str(ms.jit(lambda x: (net(x) * 2).sum()).stages(X).joint)
    assert len(headings(text)) == 2
    assert str(parse(text, OPS)) == text


def test_two_networks_are_told_apart() -> None:
    first, second = nn.Dense(4, 4), nn.SequentialCell(nn.Dense(4, 4), nn.ReLU())
    found = headings(str(ms.jit(lambda x: second(first(x))).stages(X).joint))
    assert found == ["Dense", "0", "1"]


def test_clusters_of_cells(stages: Stages) -> None:
    text = stages.joint.dot()
    assert text.count('label="layers.0"') >= 1
    assert text.count("{") == text.count("}")
    assert "subgraph" in stages.joint.mermaid()
    assert stages.joint.mermaid().count('"layers.0.fc"') >= 1


def test_the_plan_counts_the_statements_of_the_program(stages: Stages) -> None:
    lines = stages.program.splitlines()
    start = max(number for number, line in enumerate(lines) if line.startswith("    def "))
    body = [line.strip() for line in lines[start + 1 :]]
    rows = [line.split() for line in stages.plan.table().splitlines()[1:]]
    assert len(rows) > 5
    for name, *_, first, last in rows:
        assert 1 <= int(first) <= int(last) <= body.index("return TrainOneStepCell"), name
    statement = {row[0]: body[int(row[-2]) - 1] for row in rows}
    named = [name for name, text in statement.items() if name in re.findall(r"\w+", text)]
    assert len(named) > 0.7 * len(rows)


def test_marks_stay_out_of_the_graph_that_is_compiled() -> None:
    f = ms.jit(lambda x: (x * 2).sum())
    graph = parse(str(f.stages(X).joint), OPS)
    assert marked(plain(graph), plain(graph), None).headings == {}

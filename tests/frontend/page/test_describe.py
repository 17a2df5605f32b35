"""The description of a page: listings are the stages' texts, values link stages, and nothing of a user is HTML."""

import html
import json
import linecache
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ops import OPS
from mycel.compiler.pipeline import PASSES
from mycel.frontend.compilation.stages import Stages
from mycel.frontend.page.describe import describe, pass_reasons
from mycel.runtime.calibration import measured_peaks
from mycel.runtime.machine.executable import unavailable


class Net(nn.Cell):
    """Two layers, and a loop that is traced."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Dense(4, 8, activation="relu")
        self.second = nn.Dense(8, 3)

    def construct(self, x: Tensor) -> Tensor:
        hidden = self.first(x)
        while hidden.sum() > 100:
            hidden = hidden * 0.5
        return self.second(hidden)


@pytest.fixture(scope="module")
def stages() -> Stages:
    """A training step's."""
    net = Net()
    optimizer = nn.Adam(net.trainable_params(), 0.01)

    def loss_of(x: Tensor) -> Tensor:
        return (net(x) ** 2).mean()

    gradient = ms.value_and_grad(loss_of, None, optimizer.parameters)

    @ms.jit
    def step(x: Tensor) -> Tensor:
        loss, grads = gradient(x)
        optimizer(grads)
        return loss

    return step.stages(Tensor(np.ones((2, 4), np.float32)))


@pytest.fixture(scope="module")
def described(stages: Stages) -> dict[str, Any]:
    """Its description."""
    return describe(stages)


def texts(described: dict[str, Any]) -> dict[str, str]:
    """Each stage's text, as the page puts it together."""
    found: dict[str, str] = {}
    lines: list[int] = []
    found_pass = False
    for stage in described["stages"]:
        name = stage["name"]
        if "lines" in stage:
            lines = stage["lines"]
        else:
            before, lines, at = lines if found_pass else described["base"], [], 0
            found_pass = True
            for kept, removed, added in stage["edits"]:
                lines = [*lines, *before[at : at + kept], *added]
                at += kept + removed
            lines = [*lines, *before[at:]]
            name = f"pass {name}"
        found[name] = "\n".join(described["lines"][line][0] for line in lines)
    return found


def test_listings_are_the_texts_of_the_stages(stages: Stages, described: dict[str, Any]) -> None:
    found = texts(described)
    for name, text in stages.items():
        if name != "optimized":
            assert found[name].split("\n") == text.splitlines(), name
    for name, graph in stages.passes.items():
        assert found[f"pass {name}"] == str(graph), name


def test_spans_name_their_values(described: dict[str, Any]) -> None:
    spans = 0
    for text, *rest in described["lines"]:
        flat = rest[1] if len(rest) > 1 else []
        for start, length, value in zip(flat[::3], flat[1::3], flat[2::3], strict=True):
            if length:
                spans += 1
                assert re.fullmatch(r"%?\w+", text[start : start + length])
                assert 0 <= value < len(described["values"])
    assert spans > 200


def test_the_program_and_the_joint_graph_share_values(described: dict[str, Any]) -> None:
    def values(name: str) -> set[int]:
        stage = next(stage for stage in described["stages"] if stage["name"] == name and "lines" in stage)
        return {v for line in stage["lines"] for v in (described["lines"][line][2:] or [[]])[0][2::3]}

    shared = values("joint") & values("program")
    assert {"first_weight", "second_bias"} <= {described["values"][value][0] for value in shared}
    assert unavailable() or values("kernels") & values("program")


def test_every_node_is_drawn_once_with_its_phase(stages: Stages, described: dict[str, Any]) -> None:
    graph = described["graph"]
    seen: list[int] = []

    def visit(boxes: list[Any]) -> None:
        for box in boxes:
            if isinstance(box, int):
                seen.append(box)
            else:
                assert len(box[2]) <= 40
                seen.extend(box[3:])
                visit(box[2])

    visit(graph["tree"])
    assert sorted(seen) == list(range(stages.joint.count_nodes()))
    assert {node[4] for node in graph["nodes"]} == {0, 1, 2}
    for number, (op, _, reads, *_) in enumerate(graph["nodes"]):
        assert all(read < number for read in reads), op


def test_a_loop_is_a_group_that_names_its_line_and_seeds_belong_to_the_backward() -> None:
    def total(x: Tensor) -> Tensor:
        for _ in range(100):
            x = ms.ops.tanh(x)
        return x.sum()

    graph = describe(ms.jit(ms.grad(total)).stages(Tensor(np.ones(3, np.float32))))["graph"]
    assert "for _ in range(100):" in json.dumps(graph["tree"])
    phases = {(op, phase) for op, _, _, _, phase, _ in graph["nodes"]}
    assert ("tanh", 0) in phases
    assert ("full", 0) not in phases
    assert [title for title, *_ in graph["tree"]] == ["forward", "backward"]


def test_nodes_are_grouped_by_cell(described: dict[str, Any]) -> None:
    forward = next(box for box in described["graph"]["tree"] if box[0] == "forward")
    titles = [box[0] for box in forward[2] if not isinstance(box, int)]
    assert [title.split(" · ")[0] for title in titles] == ["first", "Net", "second", "stages.loss_of"]
    loop = next(box for box in forward[2] if not isinstance(box, int) and box[0].startswith("Net"))
    assert "while_loop" in json.dumps(loop)


def test_a_profile_is_compared_with_the_peaks_of_the_machine() -> None:
    f = ms.jit(lambda x: x @ x)
    x = Tensor(np.ones((64, 64), np.float32))
    shown = describe(f.stages(x), f.profile(x))["profile"]
    flops, bandwidth = shown["peaks"]
    assert flops > 1e8
    assert bandwidth > 1e8
    assert measured_peaks() is measured_peaks()


def test_memory_has_every_buffer(stages: Stages, described: dict[str, Any]) -> None:
    memory = described["memory"]
    assert [buffer[0] for buffer in memory["buffers"]] == [buffer.name for buffer in stages.plan.buffers]
    assert memory["nbytes"] == stages.plan.nbytes
    live = sum(
        -(-size // 64) * 64 for _, _, size, _, first, last, _ in memory["buffers"] if first <= memory["at"] <= last
    )
    assert live == memory["live"] or (unavailable() and live > memory["live"])  # NumPy's commit: many calls in one line


def test_every_pass_says_what_holds_after_it() -> None:
    assert {name for name, _ in PASSES} - pass_reasons().keys() <= {"collectives"}


def test_counts_of_a_pass() -> None:
    @ms.jit
    def twice(x: Tensor) -> Tensor:
        return ms.ops.exp(x) + ms.ops.exp(x)

    described = describe(twice.stages(Tensor(np.ones(3, np.float32))))
    cse = next(stage for stage in described["stages"] if stage["name"] == "cse")
    assert cse["counts"] == (1, 0, 1)
    assert cse["nodes"] == [3, 2]


EVIL = """
import mycel as ms
@ms.jit
def evil(x):  # </script><script>document.title = "stolen"</script><img src=x onerror="document.title='stolen'">
    y = x + 1  # "&lt;" \u2028 <b>
    return y * 2
"""


def test_sources_are_no_html(tmp_path: Path) -> None:
    path = tmp_path / "<b>&evil.py"
    path.write_text(EVIL, encoding="utf-8")
    space: dict[str, Any] = {"__name__": "evil"}
    exec(compile(EVIL, str(path), "exec"), space)
    stages = space["evil"].stages(Tensor(np.ones(3, np.float32)))
    page = stages.html()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert not set("<>&\u2028") & set(data[1])
    assert "onerror=" in json.dumps(json.loads(data[1])["files"])
    assert "onerror" not in page.replace(data[1], "")
    assert page.count("<script") == 2
    frame = stages._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]) == page  # type: ignore[index]


def test_the_page_fetches_nothing(stages: Stages, tmp_path: Path) -> None:
    written = stages.save(tmp_path / "step.html")
    page = written.read_text(encoding="utf-8")
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|import\(", page)
    assert "default-src &#x27;none&#x27;" in page


NAMES = [
    "two\nlines import os.py", "return\r.py", "form\x0cfeed.py", "sep\u2028arator.py", "next\x85.py", "half\udc80.py",
    "quotes'''\".py", "<script>alert(1)<script>.py", "a#b  # c.py", "back\\N{DASH}.py", "%s{0}.py",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_odd_names_of_files_break_no_line(name: str, tmp_path: Path) -> None:
    text = 'import mycel as ms\ndef odd(x):\n    print("\u2028<script>", x)\n    return ms.ops.tanh(x * 2).sum()\n'
    path = str(tmp_path / name)
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    namespace: dict[str, Any] = {}
    exec(compile(text, path, "exec"), namespace)
    found = ms.value_and_grad(namespace["odd"]).stages(Tensor([1.0]))
    listed = texts(describe(found))
    assert {"forward", "backward", "program"} <= set(listed)
    for stage, graph in found.graphs().items():
        assert print_graph(parse(str(graph), OPS)) == str(graph), stage
        assert all(line.isprintable() for line in str(graph).split("\n"))
        for drawn in (graph.dot(), graph.mermaid()):
            assert all(line.isprintable() for line in drawn.split("\n"))
    page = Path(found.save(tmp_path / "page.html")).read_text("utf-8")
    assert page.count("<script") == 2

"""Files of exported networks that were changed on purpose: each is refused with one error that names the file."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import DamagedFileError, Parameter, Tensor, nn, ops
from mycel.compiler.ir import parser as text

SIZE = 100_000


class Looped(nn.Cell):
    """Forty rounds over a long vector, with a weight and state that each call changes."""

    def __init__(self, size: int = SIZE) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.ones(size, np.float32)), name="w")
        self.calls = Parameter(Tensor(np.zeros((), np.float32)), name="calls", requires_grad=False)

    def construct(self, x: Tensor) -> Tensor:
        i = Tensor(0)
        while i < 40:
            x = ops.tanh(x * self.w) + 1.0
            i = i + 1
        self.calls += 1
        return x


def exported(net: Any, *inputs: Any, path: Path) -> str:
    ms.export(net, *inputs, file_name=str(path / "net"), file_format="MYCEL")
    return str(path / "net.mycel")


def members(file: str) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(file: str, changed: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> None:
    content = {**members(file), **changed}
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in content.items():
            archive.writestr(zipfile.ZipInfo(name) if name == "weights.ckpt" else name, data)


def edit(file: str, *swaps: tuple[str, str]) -> None:
    """Replace texts in graph.ir, each of which must be there."""
    text = members(file)["graph.ir"].decode()
    for old, new in swaps:
        assert old in text, text
        text = text.replace(old, new)
    rewrite(file, {"graph.ir": text.encode()})


def refused(file: str, match: str) -> None:
    with pytest.raises(DamagedFileError, match=match) as caught:
        ms.load(file)
    assert caught.value.path == file
    assert file in str(caught.value)


@pytest.fixture(scope="module")
def looped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    file = exported(Looped(), Tensor(np.ones(SIZE, np.float32)), path=tmp_path_factory.mktemp("looped"))
    return members(file)


@pytest.fixture
def file(looped: dict[str, bytes], tmp_path: Path) -> str:
    path = str(tmp_path / "net.mycel")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in looped.items():
            archive.writestr(name, data)
    return path


def test_a_body_that_was_made_for_more(file: str) -> None:
    """The loop's body goes over 100,000 numbers, the rest of the graph over 16: machine code would read beyond."""
    text = members(file)["graph.ir"].decode()
    head, body, tail = text.partition("body = ")
    assert body
    end = tail.index("\n  }")
    small = head.replace(str(SIZE), "16") + body + tail[:end] + tail[end:].replace(str(SIZE), "16")
    model = members(file)["model.json"].decode().replace(str(SIZE), "16")
    rewrite(file, {"graph.ir": small.encode(), "model.json": model.encode()})
    refused(file, "the body takes|it says")


def test_types_are_inferred_again(file: str) -> None:
    text = members(file)["graph.ir"].decode()
    line = next(line for line in text.splitlines() if "tanh(" in line)
    edit(file, (line, line.replace(f"f32[{SIZE}]", "f32[8]")))
    refused(file, "line [0-9]+: tanh is not what it says: tanh should have type f32.100000.")


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("length=40", "lenght=40", "there is no attribute 'lenght'"),
        ("length=40", "length=41, length=40", "is given twice"),
        ("length=40, ", "", "the attribute 'length' is missing"),
        ("carried=", "carried=-", "'carried' should be an integer that is not negative"),
        ("carried=", "carried=1", "values are carried"),
        ("carried=", "carried='", "cannot read"),
        ("tanh(", "no_such_op(", "there is no op named 'no_such_op'"),
        ("tanh(", "random_gamma(", "should be|missing"),
        ("tanh(", "shared_matmul(", "takes 2 operands, but is given 1"),
        ("f32[100000]", "f32[-3]", "is no type"),
        ("f32[100000]", "f32[99999999999999999999]", "larger than any array"),
        ("f32[100000]", f"f32[{', '.join(['1'] * 70)}]", "larger than any array"),
        ("graph ", "graph '''", "cannot read|expected a name"),
    ],
)
def test_what_no_graph_says(file: str, old: str, new: str, match: str) -> None:
    edit(file, (old, new))
    refused(file, match)


def test_an_operand_too_many_is_no_array_to_write_to(tmp_path: Path) -> None:
    """A second operand of np.tanh would be the array that it fills: a weight, say."""
    file = exported(lambda x, y: (ops.tanh(x), y), Tensor([1.0]), Tensor([2.0]), path=tmp_path)
    edit(file, ("tanh(%x)", "tanh(%x, %y)"))
    refused(file, "tanh takes 1 operands, but is given 2")


def test_ops_of_the_compiler_are_in_no_file(tmp_path: Path) -> None:
    file = exported(lambda x, y: x @ y, Tensor(np.ones((2, 3))), Tensor(np.ones((3, 2))), path=tmp_path)
    edit(file, ("matmul(%x, %y)", "shared_matmul(%x, %y, threads=2)"))
    refused(file, "shared_matmul, which only the compiler makes")


@pytest.mark.parametrize(
    "attack",
    [
        '''"__import__('os').system('true') or (2,3)"''',
        "'(2, 3)'",
        "(2, '3')",
        "(2, 3.0)",
        "(2, True)",
        "(2, -3)",
        "(2, None)",
    ],
)
def test_a_shape_is_numbers(tmp_path: Path, attack: str) -> None:
    file = exported(lambda x: ops.zeros((2, 3), ms.float32) + x, Tensor(np.ones((2, 3), np.float32)), path=tmp_path)
    edit(file, ("shape=(2, 3)", f"shape={attack}"))
    refused(file, "'shape' should be a tuple of integers that are not negative")


def test_values_that_the_file_does_not_say_right(file: str) -> None:
    """model.json against the graph: inputs, weights, results and commits."""
    model = json.loads(members(file)["model.json"])
    assert model["commits"]

    def changed(change: Callable[[dict[str, Any]], Any]) -> None:
        copy = json.loads(json.dumps(model))
        change(copy)
        rewrite(file, {"model.json": json.dumps(copy).encode()})

    changes: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
        (lambda m: m["inputs"][0]["tensor"].__setitem__(1, [16]), "'input 0' is f32.16., but the graph takes"),
        (lambda m: m["inputs"][0]["tensor"].__setitem__(0, "Float64"), "'input 0' is f64"),
        (lambda m: m["inputs"][0]["tensor"].__setitem__(0, 3), "describes a tensor as"),
        (lambda m: m["inputs"].append({"value": None}) or m["inputs"].pop(0), "takes 3 tensors"),
        (lambda m: m["inputs"].append({"tensor": ["Float32", []]}), "takes 3 tensors"),
        (lambda m: m["inputs"].append({"code": "x"}), "describes a value as"),
        (lambda m: m["weights"].reverse(), "but the graph takes"),
        (lambda m: m["weights"].pop(), "holds 2 tensors, but model.json describes 1"),
        (lambda m: m["weights"].append(m["weights"][0]), "twice in model.json"),
        (lambda m: m["weights"][0].__setitem__("name", "v"), "the weight 'v' is not in"),
        (lambda m: m["weights"][0].__setitem__("parameter", 1), "describes a weight as"),
        (lambda m: m.__setitem__("output", {"tensor": 17}), "as output 17"),
        (lambda m: m.__setitem__("output", {"tensor": -1}), "as output -1"),
        (lambda m: m.__setitem__("output", {"number": 0}), "is no number"),
        (lambda m: m.__setitem__("output", {"tuple": 0}), "describes a tuple"),
        (lambda m: m.__setitem__("output", {"float": "x"}), "describes a value"),
        (lambda m: m.__setitem__("commits", [[0, 1]]), "does not fit weight 1"),
        (lambda m: m.__setitem__("commits", [[1, 5]]), "cannot be written to weight 5"),
        (lambda m: m.__setitem__("commits", [[1, -1]]), "cannot be written to weight -1"),
        (lambda m: m.__setitem__("commits", {}), "should be of type list"),
        (lambda m: m.pop("output"), "does not describe a network"),
        (lambda m: m.__setitem__("version", "1"), "should be of type int"),
        (lambda m: m.__setitem__("version", 99), "a later version"),
    ]
    for change, match in changes:
        changed(change)
        refused(file, match)
    changed(lambda m: None)
    ms.load(file)


def test_depth_is_bounded(file: str, tmp_path: Path) -> None:
    edit(file, ("carried=", f"carried={'(' * 100_000}"))
    refused(file, "more than 40 levels")
    rewrite(file, {"model.json": b"[" * 100_000})
    refused(file, "model.json is no JSON")
    nested = "graph g() {\n" + "%a: f32[] = recomputed() { body = graph g() {\n" * 100_000
    rewrite(file, {"graph.ir": nested.encode()})
    refused(file, "more than 40 levels|no JSON")
    inner: Any = {"tensor": 0}
    for _ in range(300):
        inner = {"tuple": [inner]}
    ms.export(lambda x: x, Tensor([1.0]), file_name=str(tmp_path / "flat"), file_format="MYCEL")
    flat = str(tmp_path / "flat.mycel")
    model = json.loads(members(flat)["model.json"])
    rewrite(flat, {"model.json": json.dumps({**model, "output": inner}).encode()})
    refused(flat, "describes an input or result")


@pytest.mark.parametrize("member", ["graph.ir", "model.json"])
def test_a_file_that_grows_when_it_is_read(file: str, member: str) -> None:
    rewrite(file, {member: members(file)[member] + b" " * (64 << 20)})
    assert Path(file).stat().st_size < 2 << 20
    tracemalloc.start()
    try:
        refused(file, f"{member} has [0-9]+ bytes, more than")
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_weights_are_never_unpacked(file: str) -> None:
    content = members(file)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    refused(file, "weights.ckpt should not be compressed")


def many_small_parts(count: int) -> list[tuple[str, str]]:
    """Texts with many nodes, items or names; and their errors."""
    return [
        ("graph g(%x: f32[]) {\n" + "%y: f32[] = tanh(%x)\n" * count, "%y is defined twice"),
        ("graph g(%x: f32[]) {\n" + "print_(template=())\n" * count, "more than [0-9]+ nodes"),
        (f"graph g(%x: f32[]) {{\nprint_({'%x,' * count}", "more than [0-9]+ items"),
        (f"graph g(%x: f32[]) {{\nprint_(template=({'0,' * count}", "more than [0-9]+ items"),
        (f"graph {'g' * count}() {{", "expected a name"),
        (f"graph g() {{\nreturn {'1' * count}", "is too long"),
        (f"graph g(%x: f32[{'1,' * count}", "is no type"),
    ]


def test_a_text_of_many_small_parts(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_NODES", 500)
    monkeypatch.setattr(text, "MOST_ITEMS", 500)
    for content, match in many_small_parts(1000):
        rewrite(file, {"graph.ir": content.encode()})
        refused(file, match)


@pytest.mark.slow
def test_a_text_of_many_small_parts_takes_little_memory(file: str) -> None:
    for content, match in many_small_parts(2_000_000):
        rewrite(file, {"graph.ir": content.encode()})
        tracemalloc.start()
        try:
            refused(file, match)
            assert tracemalloc.get_traced_memory()[1] < 500 << 20
        finally:
            tracemalloc.stop()


def test_booleans_are_zero_or_one(tmp_path: Path) -> None:
    """NumPy reads beyond an array whose booleans are other bytes."""
    mask = np.array([True, False] * 20)
    file = exported(lambda x: x[Tensor(mask)], Tensor(np.arange(40.0)), path=tmp_path)
    content = members(file)
    changed = {
        name: data.replace(mask.tobytes(), bytes([7, 0] * 20)) for name, data in content.items() if name != "model.json"
    }
    text = content["graph.ir"].decode()
    if "array(bool" in text:
        changed["graph.ir"] = text.replace("AQABAAEA", "BwAHAAcA").encode()
    assert any(changed[name] != content[name] for name in changed)
    rewrite(file, changed)
    net = nn.GraphCell(ms.load(file))
    assert net(Tensor(np.arange(40.0))).asnumpy().tolist() == list(range(0, 40, 2))


def test_booleans_of_checkpoints_are_zero_or_one_too(tmp_path: Path) -> None:
    for format in ("ckpt", "safetensors"):
        file = tmp_path / f"mask.{format}"
        ms.save_checkpoint({"mask": Tensor(np.array([True, False] * 20))}, str(file), format=format)
        data = file.read_bytes()
        assert bytes([1, 0] * 20) in data
        file.write_bytes(data.replace(bytes([1, 0] * 20), bytes([7, 0] * 20)))
        with pytest.raises(DamagedFileError, match="holds the byte 7"):
            ms.load_checkpoint(str(file), format=format)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_weights_of_other_types_are_refused(tmp_path: Path, mode: int) -> None:
    file = exported(Looped(100), Tensor(np.ones(100, np.float32)), path=tmp_path)
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        for start, found in (
            (np.ones(4, np.float32), r"Float32 and shape \(4,\)"),
            (np.ones(100, np.float64), r"Float64 and shape \(100,\)"),
            (np.ones((1, 100), np.float32), r"Float32 and shape \(1, 100\)"),
        ):
            with pytest.raises(ValueError, match=rf"Parameter 'w' should be of Float32 and shape \(100,\).*{found}"):
                nn.GraphCell(ms.load(file), params_init={"w": Tensor(start)})
        net = nn.GraphCell(ms.load(file), params_init={"w": Tensor(np.zeros(100, np.float32))})
        x = Tensor(np.ones(100, np.float32))
        assert (net(x).asnumpy() == 1).all()
        net.parameters_dict()["w"].set_data(Tensor(np.ones(4, np.float32)), slice_shape=True)
        for run in (net, ms.jit(lambda x: net(x))):
            with pytest.raises(ValueError, match=r"Parameter 'w' should be of Float32 and shape \(100,\).*\(4,\)"):
                run(x)
    finally:
        ms.set_context(mode=before)

"""The programs of examples/ run, and their output shows that they learned."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import linecache
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mycel as ms
from mycel.runtime.machine.executable import unavailable

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHORT = ("char_gpt", "custom_op", "gnn", "lstm", "mlp", "ode", "pinn", "ppo", "vae")
LONGEST = 120


@pytest.fixture(autouse=True)
def needs_scikit_learn() -> Iterator[None]:
    """The digits come with scikit-learn; the programs set a mode and a seed."""
    pytest.importorskip("sklearn")
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def printed(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The output of a program, run as from a shell."""
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return capsys.readouterr().out


def numbers(pattern: str, text: str) -> list[float]:
    """The numbers that a pattern finds, in order."""
    found = [float(number) for number in re.findall(pattern.replace("NUMBER", r"(-?[\d.]+)"), text)]
    assert found, f"no {pattern!r} in {text!r}"
    return found


def test_each_example_is_short() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SHORT, "digits"}
    for name in SHORT:
        assert len((EXAMPLES / f"{name}.py").read_text("utf-8").splitlines()) <= LONGEST, name


def test_digits_leaves_what_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    program = runpy.run_path(str(EXAMPLES / "digits.py"))
    program["main"].__globals__.update(EPOCHS=1)
    monkeypatch.setitem(program["main"].__globals__, "compare", lambda x, y: None)
    program["main"]()
    text = capsys.readouterr().out
    assert numbers("test accuracy NUMBER%", text)[-1] > 80
    assert "<html" in (tmp_path / "digits.html").read_text("utf-8")
    drawn = ["digits.png"] if importlib.util.find_spec("matplotlib") else []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["digits.html", *drawn]
    for name in ["digits.html", *drawn]:
        assert str(tmp_path / name) in text


@pytest.mark.skipif(unavailable() is not None, reason="it shows a program with kernels")
def test_the_notebook_runs_and_shows_what_it_was_run_to(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    cells = json.loads((EXAMPLES / "look_inside.ipynb").read_text("utf-8"))["cells"]
    written = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in written] == list(range(1, len(written) + 1))
    kinds = [output["output_type"] for cell in written for output in cell["outputs"]]
    assert "error" not in kinds
    namespace: dict[str, Any] = {"__name__": "notebook"}
    for number, cell in enumerate(written):
        source, file = "".join(cell["source"]), f"<notebook {number}>"
        monkeypatch.setitem(linecache.cache, file, (len(source), None, source.splitlines(keepends=True), file))
        printed_now = io.StringIO()
        with contextlib.redirect_stdout(printed_now):
            exec(compile(source, file, "exec"), namespace)
        shown = "".join("".join(output.get("text", [])) for output in cell["outputs"])
        assert comparable(printed_now.getvalue()) == comparable(shown), source
    data = [output["data"] for cell in written for output in cell["outputs"] if "data" in output]
    assert any("image/png" in shown for shown in data)
    assert any("<iframe" in "".join(shown.get("text/html", [])) for shown in data)


def comparable(text: str) -> list[str]:
    """The words of printed text, without times, files and the last digits of numbers."""
    text = re.sub(r"[^ ]*?(?:ipykernel_\d+/)?\d+\.py:|<notebook \d+>:|cell \d+:", "", text)
    return re.findall(r"[^\W\d]{3,}", text)


def test_mlp(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("mlp", capsys)
    (before,), (after,) = numbers("before NUMBER", text), numbers("after NUMBER", text)
    assert after < before / 4
    assert numbers("test accuracy NUMBER%", text)[-1] > 90


def test_char_gpt(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("char_gpt", capsys)
    losses = numbers("loss NUMBER", text)
    assert losses[-1] < losses[0] / 2
    assert re.search(r"'Licensed under the .{40}'", text)


def test_lstm(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("lstm", capsys)
    losses = numbers("loss NUMBER", text)
    assert losses[-1] < losses[0] * 0.75
    assert numbers("test accuracy NUMBER%", text)[-1] > 70


def test_vae(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("vae", capsys)
    losses = numbers("loss NUMBER", text)
    assert losses[-1] < losses[0] * 0.75
    assert "#" in "".join(text.splitlines()[-8:])


def test_pinn(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("pinn", capsys)
    residuals = numbers("residual NUMBER", text)
    assert residuals[-1] < residuals[0] / 20
    assert max(numbers("largest error NUMBER", text)) < 0.06


def test_ode(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("ode", capsys)
    losses = numbers("loss NUMBER", text)
    assert losses[-1] < losses[0] / 1000
    steps = numbers("NUMBER steps of the solver", text)
    assert len(set(steps)) > 1  # the number of iterations follows the values
    found = [float(rate) for rate in text.splitlines()[-2].split("rates ")[1].split()]
    assert found == pytest.approx([1.5, 1.0, 3.0, 1.0], abs=0.1)


def test_ppo(capsys: pytest.CaptureFixture[str]) -> None:
    ticks = numbers("stands for NUMBER ticks", printed("ppo", capsys))
    assert ticks[-1] > 3 * ticks[0]


def test_gnn(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("gnn", capsys)
    losses = numbers("loss NUMBER", text)
    assert losses[-1] < losses[0] / 10
    assert numbers("other nodes NUMBER%", text)[-1] > 75


def test_custom_op(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("custom_op", capsys)
    assert "gradient of where: [0. 0. 0. 0.]\ngradient of Sign:  [0. 1. 1. 0.]\n" in text
    losses = numbers("loss NUMBER", text)
    assert losses[-1] < losses[0] / 3
    assert numbers("one bit: NUMBER%", text)[-1] > 85

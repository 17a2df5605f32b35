"""The command `mycel`: errors of its arguments, programs without a file, closed pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shell import Shown

import mycel as ms
from mycel.library.command import CommandError, main, read_input

SCRIPT = """
import mindspore as ms
from mindspore import ops

def double(x):
    y = x * 2
    return y.sum()

def wrong(x):
    return undefined_name + x
"""


def mycel(folder: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    (folder / "script.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-m", "mycel", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, cwd=folder, timeout=120, check=False)


@pytest.fixture
def here(command: Callable[..., Shown], tmp_path: Path) -> Callable[..., Shown]:
    """The command in this process."""
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    return command


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f32[2 3]", r"sizes are separated by commas: f32\[2, 3\]"),
        ("f32[2, 3 4]", r"sizes are separated by commas: f32\[2, 3, 4\]"),
        ("f33[2]", "there is no dtype 'f33'"),
        ("f32[2,,3]", "a size is missing"),
        ("f32[-1]", "a size should be a whole number from 0, but is '-1'"),
        ("f32[2.0]", "but is '2.0'"),
        ("f32[99999999999999]", "cannot read the input"),
        ("f32", "give a type such as"),
        ("f32[", "give a type such as"),
    ],
)
def test_what_is_wrong_with_an_input(text: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        read_input(text)


def test_inputs() -> None:
    assert read_input("f32[2, 3]").shape == (2, 3)
    assert read_input(" i64[] ").shape == ()
    assert read_input("f16[4,]").dtype == ms.float16
    assert read_input("bool[0]").shape == (0,)
    assert read_input("[1, 2.5]") == [1, 2.5]
    assert read_input("-3") == -3


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"mycel {ms.__version__}\n"


def test_the_command_is_installed() -> None:
    text = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8")
    assert 'mycel = "mycel.library.command:console"' in text


def test_profile_explain_and_export(here: Callable[..., Shown], tmp_path: Path) -> None:
    shown: Any = mycel(tmp_path, "profile", "script.py:double", "-i", "f32[2, 3]")
    assert shown.returncode == 0, shown.stderr
    assert "script.py:" in shown.stdout
    shown = here("explain", "script.py:double", "-i", "f32[2, 3]")
    assert "1. (float32[2, 3]): first call" in shown.stdout, shown.stderr
    shown = here("export", "script.py:double", "-i", "f32[2, 3]", "-o", "double.mycel")
    assert shown.stdout == "double.mycel\n", shown.stderr
    assert (tmp_path / "double.mycel").stat().st_size
    shown = here("export", "script.py:double", "-i", "f32[2, 3]", "-o", "double.txt")
    assert shown.returncode == 2
    assert "should end with .mycel or .onnx" in shown.stderr


@pytest.mark.parametrize("size", ["?", "batch"])
def test_export_with_open_sizes(here: Callable[..., Shown], tmp_path: Path, size: str) -> None:
    shown = here("export", "script.py:double", "-i", f"f32[{size}, 3]", "-o", "double.mycel")
    assert shown.stdout == "double.mycel\n", shown.stderr
    net = ms.nn.GraphCell(ms.load(tmp_path / "double.mycel"))
    assert [float(net(ms.ops.ones((rows, 3)))) for rows in (1, 5)] == [6.0, 30.0]


def test_the_sizes_of_onnx_have_the_names_of_the_shell(here: Callable[..., Shown], tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    shown = here("export", "script.py:double", "-i", "f32[batch, 3]", "-o", "double.onnx")
    assert shown.stdout == "double.onnx\n", shown.stderr
    (given,) = onnx.load(tmp_path / "double.onnx").graph.input
    assert [size.dim_param or size.dim_value for size in given.type.tensor_type.shape.dim] == ["batch", 3]


def test_graphs_after_passes_are_drawn(here: Callable[..., Shown]) -> None:
    shown = here("dump", "script.py:double", "-i", "f32[2]", "-s", "cse", "--format", "dot")
    assert shown.stdout.startswith('digraph "double"'), shown.stderr


def test_inputs_of_a_wrong_number(here: Callable[..., Shown]) -> None:
    shown = here("explain", "script.py:double", "-i", "f32[2]", "-i", "f32[2]")
    assert shown.returncode == 2
    assert shown.stderr == "mycel: double() takes 1 positional argument but 2 were given\n"


def test_the_graph_after_a_pass_and_what_it_changed(here: Callable[..., Shown]) -> None:
    shown = here("dump", "script.py:double", "-i", "f32[2, 3]", "-s", "cse", "-s", "kernels", "-d")
    assert "# ---- cse ----\ngraph double(%x: " in shown.stdout, shown.stderr
    assert "# ---- what cse changed ----\n# nothing" in shown.stdout


def test_errors_of_the_users_code_have_no_other_frames(tmp_path: Path) -> None:
    shown = mycel(tmp_path, "dump", "script.py:wrong", "-i", "f32[2]")
    assert shown.returncode == 1
    assert "undefined_name" in shown.stderr
    files = [line for line in shown.stderr.splitlines() if line.startswith("  File ")]
    assert files
    assert all("script.py" in line for line in files), shown.stderr


def test_the_script_that_pip_installs_is_in_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    (tmp_path / "command").write_text("import sys\nfrom mycel.library.command import console\nsys.exit(console())\n")
    command = [sys.executable, "command", "explain", "script.py:wrong", "-i", "f32[2]"]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    files = [line for line in shown.stderr.splitlines() if line.startswith("  File ")]
    assert files
    assert all("script.py" in line for line in files), shown.stderr


PROGRAM = """
import mindspore as ms

@ms.jit(fullgraph=True)
def f(x):
    if x.sum() > 0:
        x = x * 2
    return x

print(f(ms.Tensor([1.0])), f.__wrapped__.__module__)
"""


def test_programs_that_are_in_no_file_are_compiled(tmp_path: Path) -> None:
    for shown in (mycel(tmp_path, "run", "-", given=PROGRAM), mycel(tmp_path, "run", "-c", PROGRAM)):
        assert shown.stdout == "[2.] __main__\n", shown.stderr


def test_an_error_in_a_program_that_is_in_no_file(tmp_path: Path) -> None:
    shown = mycel(tmp_path, "run", "-c", "x = 1\nx / 0")
    assert shown.returncode == 1
    assert [line for line in shown.stderr.splitlines() if "File" in line] == ['  File "<string>", line 2, in <module>']


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of this kind")
def test_a_pipe_that_closes_early_is_silent(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-m", "mycel", "dump", "script.py:double", "-i", "f32[2]"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=120)
    assert told == ""

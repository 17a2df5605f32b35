"""Programs are files for debuggers: breakpoints stop in them, steps lead there, nothing in them is trusted."""

import bdb
import linecache
import os
import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.frontend.compilation import stepping
from mycel.frontend.errors.classes import NonFiniteError
from mycel.frontend.state import CONTEXT

SCRIPT = """
import mycel as ms
from mycel import Tensor, nn, ops

net = nn.Dense(3, 2)
update = nn.SGD(net.trainable_params(), 0.1)
gradient = ms.value_and_grad(lambda x: ops.tanh(net(x)).sum(), None, net.trainable_params())

@ms.jit
def step(x):
    loss, slopes = gradient(x)
    update(slopes)
    return loss

x = Tensor([[1.0, 2.0, 3.0]])
for number in range(3):
    out = step(x)
print("done", out.shape)
"""
CALL = SCRIPT[: SCRIPT.index("out = step")].count("\n") + 1
X = Tensor([[1.0, 2.0, 3.0]])


def debugged(tmp_path: Path, *commands: str, script: str = SCRIPT, **variables: str) -> list[str]:
    """The lines that pdb prints for a script and commands."""
    path = tmp_path / "script.py"
    path.write_text(script)
    environment = {**os.environ, "MYCEL_CACHE": str(tmp_path / "cache"), "MYCEL_CALIBRATION": "off", **variables}
    given = "\n".join([*commands, "q", ""])
    done = subprocess.run(
        [sys.executable, "-m", "pdb", str(path)], input=given, capture_output=True, text=True, env=environment
    )
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


def stops(shown: list[str]) -> list[str]:
    """The places at which a debugger stopped, as file:line."""
    found = [re.search(r"> (?:.*/)?(\S+)\((\d+)\)\w*<?", line) for line in shown if "> " in line]
    return [f"{match[1]}:{match[2]}" for match in found if match]


@pytest.fixture(scope="module")
def stepped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder in which a debugger stepped from a compiled call, and where it stopped."""
    folder = tmp_path_factory.mktemp("stepped")
    return folder, stops(debugged(folder, f"b {CALL}", "c", "c", "s", "s"))


def test_a_step_from_the_call_leads_into_the_program(stepped: tuple[Path, list[str]]) -> None:
    folder, shown = stepped
    assert shown[:3] == ["script.py:2", f"script.py:{CALL}", f"script.py:{CALL}"]
    (file,) = (folder / "cache").glob("step_*.program.py")
    assert all(place.startswith(f"{file.name}:") for place in shown[3:])
    line = int(shown[3].split(":")[1])
    assert file.read_text().splitlines()[line - 1].strip().startswith("def step(")


def test_own_frames_are_stepped_through_where_tracebacks_show_them(tmp_path: Path) -> None:
    shown = stops(debugged(tmp_path, f"b {CALL}", "c", "c", "s", MYCEL_TRACEBACK="full"))
    assert shown[3].startswith("compiled.py:")


def test_the_first_call_steps_through_the_traced_function(tmp_path: Path) -> None:
    shown = stops(debugged(tmp_path, f"b {CALL}", "c", *["s"] * 13))
    files = [place.split(":")[0] for place in shown[1:]]
    traced = files.count("script.py")
    assert traced >= 8
    assert files[:traced] == ["script.py"] * traced
    assert all(file.startswith("step_") for file in files[traced:])
    assert len(files) > traced


FINDER = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        return self.helper(name)

    def helper(self, name):
        return None

sys.meta_path.insert(0, Finder())
"""


def test_finders_of_modules_are_stepped_over_with_what_they_call(tmp_path: Path) -> None:
    """The first call imports what few programs need."""
    (tmp_path / "finder.py").write_text(FINDER)
    shown = stops(debugged(tmp_path, f"b {CALL + 1}", "c", *["s"] * 13, script=f"\nimport finder{SCRIPT}"))
    assert "finder.py" not in {place.split(":")[0] for place in shown}
    assert any(place.startswith("step_") for place in shown)


def test_breakpoints_in_the_program_stop(stepped: tuple[Path, list[str]]) -> None:
    (file,) = (stepped[0] / "cache").glob("step_*.program.py")
    lines = file.read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if text.strip().startswith("return (")]
    shown = debugged(stepped[0], f"b {file}:{line}", "c", "p weight.shape", "c")
    assert stops(shown)[1:3] == [f"{file.name}:{line}"] * 2
    assert any("return (" in text for text in shown)
    assert any("(2, 3)" in text for text in shown)


ASKED = SCRIPT.replace("    out = step(x)\n", "    out = step(x)\n    if number == 1: breakpoint()\n")


def test_a_debugger_that_comes_later_asks_for_the_file(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(ASKED)
    given = "p step.stages(x).program_file().name\nn\ns\ns\nq\n"
    environment = {**os.environ, "MYCEL_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, str(path)], input=given, capture_output=True, text=True, env=environment)
    shown = stops(done.stdout.splitlines())
    name = next((tmp_path / "cache").glob("step_*.program.py")).name
    assert name in done.stdout
    assert shown[-1].startswith(name)


def test_a_debugger_that_comes_later_gets_to_the_program_in_few_steps(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(ASKED.replace("breakpoint()", "import pdb; pdb.set_trace()"))
    given = "\n".join(["n", *["s"] * 12, "q", ""])
    environment = {**os.environ, "MYCEL_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, str(path)], input=given, capture_output=True, text=True, env=environment)
    programs = [line for line in done.stdout.splitlines() if "> <mycel step " in line]
    shown = [line for line in done.stdout.splitlines() if line.lstrip("(Pdb) ").startswith(">")]
    assert programs
    assert shown.index(programs[0]) <= 10


def test_nothing_is_written_without_a_debugger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYCEL_CACHE", str(tmp_path))
    f = ms.jit(lambda x: (x * 3).sum())
    f(X)
    assert not list(tmp_path.rglob("*.py"))
    stages = f.stages(X)
    file = stages.program_file()
    assert file.read_text() == stages.program
    assert list(tmp_path.rglob("*.py")) == [file]
    assert stages.program_file() == file
    assert f.stages(X).program_file() == file


def test_a_program_runs_from_its_file_once_it_was_asked_for() -> None:
    @ms.jit
    def f(x: Any) -> Any:
        return x * 3 + 1

    before = f(X).asnumpy()
    file = str(f.stages(X).program_file())
    seen = set()

    def watch(frame: Any, event: str, argument: Any) -> None:
        seen.add(frame.f_code.co_filename)

    sys.setprofile(watch)
    try:
        after = f(X)
    finally:
        sys.setprofile(None)
    assert file in seen
    np.testing.assert_array_equal(after.asnumpy(), before)
    assert len(f.explain().traces) == 1


def test_what_stands_in_a_file_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYCEL_CACHE", str(tmp_path))
    f, again = (ms.jit(lambda x: x * 5) for _ in range(2))
    stages = f.stages(X)
    file = stages.program_file()
    file.write_text("raise SystemExit('run')\n")
    np.testing.assert_array_equal(again(X).asnumpy(), [[5, 10, 15]])
    assert f.stages(X).program_file() == file
    assert linecache.getline(str(file), 1) == stages.program.splitlines(keepends=True)[0]
    assert again.stages(X).program_file() == file  # of the same text, so it has the same name
    assert file.read_text() == stages.program


def test_nans_are_found_in_a_program_from_a_file() -> None:
    ms.set_context(debug_nans=True)
    try:
        f = ms.jit(lambda x: ms.ops.log(x) * 2)
        f(X)
        f.stages(X).program_file()
        with pytest.raises(NonFiniteError):
            f(-X)
    finally:
        ms.set_context(debug_nans=False)


@pytest.mark.parametrize("cache", ["off", "shared"])
def test_without_a_cache_the_file_lasts_as_long_as_the_process(
    cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cache == "shared":
        if sys.platform == "win32" or not hasattr(os, "geteuid"):
            pytest.skip("folders of Windows have no such rights")
        cache = str(tmp_path / "shared")
        Path(cache).mkdir()
        Path(cache).chmod(0o777)
    monkeypatch.setenv("MYCEL_CACHE", cache)
    stages = ms.jit(lambda x: x * 7).stages(X)
    file = stages.program_file()
    assert file.read_text() == stages.program
    assert not list(tmp_path.rglob("*.py"))


def test_a_variable_asks_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYCEL_PROGRAMS", str(tmp_path / "shown"))

    def asked(x: Any) -> Any:
        return x * 9

    f = ms.jit(asked)
    f(X)
    (file,) = (tmp_path / "shown").iterdir()
    assert re.fullmatch(r"asked_[0-9a-f]{8}\.program\.py", file.name)
    assert f.stages(X).program_file() == file
    monkeypatch.setenv("MYCEL_PROGRAMS", "off")
    ms.jit(lambda x: x * 11)(X)
    assert len(list((tmp_path / "shown").iterdir())) == 1


def test_saved_programs_run_from_where_they_were_saved(tmp_path: Path) -> None:
    @ms.jit
    def f(x: Any) -> Any:
        return ms.ops.tanh(x)

    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    try:
        for shape in ((2,), (3,)):
            f(ms.ops.ones(shape))
        slopes = ms.grad(lambda x: (x * x).sum())
        slopes(X)
    finally:
        ms.set_context(save_graphs=False, save_graphs_path=".")
    assert {path.name for path in tmp_path.glob("*_program.py")} == {
        "f_05_program.py",
        "f_2_05_program.py",
        "lambda__grad_06_program.py",
    }
    for shape, name in (((2,), "f_05_program.py"), ((3,), "f_2_05_program.py")):
        stages = f.stages(ms.ops.ones(shape))
        assert stages.program_file() == tmp_path / name
        assert (tmp_path / name).read_text() == stages.program
    assert slopes.stages(X).program_file().read_text() == slopes.stages(X).program
    assert not list(tmp_path.glob("*.unfinished"))


def test_a_debugger_of_monitored_events_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Any] = []

    class Quiet(bdb.Bdb):
        """Stops nowhere."""

        def user_line(self, frame: Any) -> None:
            self.set_continue()

    def look() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "gettrace", lambda: None)
            assert not stepping.is_debugged()
            patch.setattr(stepping, "_is_monitored", lambda: True)
            assert stepping.is_debugged()
            found.append(stepping._stepper())

    debugger, tracer = Quiet(), sys.gettrace()
    try:
        debugger.run("look()", {"look": look})
    finally:
        sys.settrace(tracer)
    assert found == [debugger]


def test_tools_that_trace_for_coverage_are_no_debuggers() -> None:
    tracer = sys.gettrace()
    sys.settrace(lambda frame, event, argument: None)
    try:
        traced = stepping.is_debugged()
    finally:
        sys.settrace(tracer)
    assert not traced


@pytest.mark.usefixtures("numpy_only")
def test_tracebacks_keep_the_line_of_the_user_and_that_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    @ms.jit
    def f(x: Any) -> Any:
        return ms.ops.tanh(x) * 2

    file = f.stages(X).program_file()

    def fail(*arguments: Any, **keywords: Any) -> None:
        raise FloatingPointError("stopped")

    monkeypatch.setitem(entry_globals(f), "tanh", fail)
    monkeypatch.delitem(CONTEXT.settings, "traceback_filtering", raising=False)  # it would be stronger
    for mode, shown in (("full", True), ("", False)):
        monkeypatch.setenv("MYCEL_TRACEBACK", mode)
        with pytest.raises(FloatingPointError) as caught:
            f(X)
        text = "".join(traceback.format_exception(caught.value))
        assert "return ms.ops.tanh(x) * 2" in text
        assert (str(file) in text) == shown
        assert not shown or re.search(r"tanh\(x, \w+\)", text)


def entry_globals(f: Any) -> dict[str, Any]:
    """The globals of a compiled function's program, found by a run of it."""
    found: dict[str, Any] = {}
    file = str(f.stages(X).program_file())

    def watch(frame: Any, event: str, argument: Any) -> None:
        if frame.f_code.co_filename == file:
            found["globals"] = frame.f_globals

    sys.setprofile(watch)
    try:
        f(X)
    finally:
        sys.setprofile(None)
    globals_: dict[str, Any] = found["globals"]
    return globals_

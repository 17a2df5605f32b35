"""`python -m mycel launch`: the command that it runs, and a MindSpore script run by it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ranks import PROGRAMS

from mycel.library import launch
from mycel.library.command import main

TUTORIALS = sorted(path.name for path in PROGRAMS.glob("tutorial*.py"))


@pytest.mark.parametrize("launched", [True, False], ids=["launch", "mpirun"])
def test_tutorials_run_unchanged(launched: bool, tmp_path: Path) -> None:
    """Half of them started by mycel, half by mpirun."""
    pytest.importorskip("mpi4py")
    mpiexec = launch.find_mpiexec()
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    names = TUTORIALS[launched::2]
    script = [str(PROGRAMS / "several.py"), *(word for name in names for word in ("+", name, str(tmp_path)))]
    command = [sys.executable, "-m", "mycel", "launch", "-n", "2", *script]
    if not launched:
        command = [mpiexec, "-n", "2", sys.executable, "-m", "mycel", "run", *script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("is done") == 2 * len(names) >= 4


def test_the_command(tmp_path: Path) -> None:
    words = launch.launch_command("/opt/bin/mpiexec", 3, "train.py", ["--epochs", "2"], "a,b", tag=True)
    assert words[:6] == ["/opt/bin/mpiexec", "-n", "3", "-hosts", "a,b", "-prepend-rank"]
    assert words[6:] == [sys.executable, "-m", "mycel", "run", "train.py", "--epochs", "2"]
    (tmp_path / "ompi_info").write_text("")
    (tmp_path / "ompi_info").chmod(0o755)
    if os.name == "posix":
        words = launch.launch_command(str(tmp_path / "mpiexec"), 2, "train.py", [], "a", tag=True)
        assert words[3:6] == ["--host", "a", "--tag-output"]


def test_processes_share_the_processors() -> None:
    assert launch.launch_environment(1000, "", {})["OMP_NUM_THREADS"] == "1"
    assert launch.launch_environment(2, "", {"OMP_NUM_THREADS": "7"})["OMP_NUM_THREADS"] == "7"


def test_without_mpiexec_an_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "find_mpiexec", lambda: None)
    assert main(["launch", "-n", "2", __file__]) == 2
    assert "mycel-graph[mpi]" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "message"), [(["-n", "0", __file__], "positive"), (["-n", "2", "no.py"], "no file")])
def test_bad_arguments(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["launch", *words]) == 2
    assert message in capsys.readouterr().err

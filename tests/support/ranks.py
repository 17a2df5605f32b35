"""Programs in several processes: each file of `rank_programs/` is run by `mpiexec`, as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mycel.library.launch import find_mpiexec, launch_environment

PROGRAMS = Path(__file__).parent / "rank_programs"
LONGEST = 300.0  # seconds; who hangs is killed


def run_ranks(count: int, program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a number of processes, and wait for all of them."""
    pytest.importorskip("mpi4py")
    mpiexec = find_mpiexec()
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    command = [mpiexec, "-n", str(count), sys.executable, str(PROGRAMS / program), *arguments]
    given = {**launch_environment(count, "", os.environ), **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, env=given, check=False)


def check_ranks(count: int, program: str, *arguments: str, **environment: str) -> str:
    """The output of a program, which has to end well."""
    done = run_ranks(count, program, *arguments, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout

"""Scripts in the style of MindSpore's tutorials: several processes have the losses and Parameters of one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ranks import PROGRAMS

from mycel.library.launch import find_mpiexec

SCRIPTS = sorted(path.name for path in PROGRAMS.glob("script_*.py"))
VARIANTS = [
    *((name, "") for name in SCRIPTS), ("script_managed.py", "dyn"), ("script_managed.py", "zero"),
    ("script_managed.py", "sink"), ("script_hybrid.py", "auto"), ("script_hybrid.py", "zero"),
    ("script_metrics.py", "py"),
]  # fmt: skip


def run_script(count: int, name: str, variant: str, folder: Path) -> list[dict[str, np.ndarray]]:
    """What each process stored, when a number of processes has run a script."""
    pytest.importorskip("mpi4py")
    mpiexec = find_mpiexec()
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    script = [str(PROGRAMS / name), str(folder / str(count)), *variant.split()]
    command = [mpiexec, "-n", str(count), sys.executable, "-m", "mycel", "run", *script]
    given = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False, env=given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("is done") == count
    return [dict(np.load(folder / f"{count}_{rank}.npz")) for rank in range(count)]


def check(count: int, name: str, variant: str, folder: Path) -> None:
    (alone,) = run_script(1, name, variant, folder)
    for found in run_script(count, name, variant, folder):
        assert found.keys() == alone.keys()
        for key, numbers in alone.items():
            np.testing.assert_allclose(found[key], numbers, rtol=2e-4, atol=2e-5, err_msg=key)


def test_two_processes_are_as_one(tmp_path: Path) -> None:
    check(2, "script_accum.py", "", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant"), VARIANTS)
@pytest.mark.parametrize("count", [2, 4])
def test_several_processes_are_as_one(count: int, name: str, variant: str, tmp_path: Path) -> None:
    check(count, name, variant, tmp_path)
